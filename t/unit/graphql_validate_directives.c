/*
 * Unit tests of rules_directives.c: rules on directives.
 */

#include "graphql_validate.h"


static void
known_directives(void)
{
    static const char  rule[] = "KnownDirectivesRule";

    valid(rule, "known, in their places",
          "query ($a: Int @onVariable) @onQuery { dog @onField @skip(if: "
          "true) { ...F @onSpread ... @onInline { name } } } mutation "
          "@onMutation { bark } subscription @onSubscription { born { name } "
          "} fragment F on Dog @onFragment { name }");

    invalid(rule, "unknown",
            "{ dog @unknown(x: 1) { name @unknown ... @other { name } } }",

            "1:7: Unknown directive \"@unknown\".\n"
            "1:29: Unknown directive \"@unknown\".\n"
            "1:42: Unknown directive \"@other\".");

    invalid(rule, "misplaced",
            "query ($a: Int @onField) @onField { dog @onQuery { ...F "
            "@onField ... @onSpread { name } } } mutation @onQuery { bark } "
            "subscription @onMutation { born { name } } fragment F on Dog "
            "@onInline { name }",

            "1:16: Directive \"@onField\" may not be used on "
            "VARIABLE_DEFINITION.\n"
            "1:26: Directive \"@onField\" may not be used on QUERY.\n"
            "1:41: Directive \"@onQuery\" may not be used on FIELD.\n"
            "1:57: Directive \"@onField\" may not be used on "
            "FRAGMENT_SPREAD.\n"
            "1:70: Directive \"@onSpread\" may not be used on "
            "INLINE_FRAGMENT.\n"
            "1:102: Directive \"@onQuery\" may not be used on MUTATION.\n"
            "1:133: Directive \"@onMutation\" may not be used on "
            "SUBSCRIPTION.\n"
            "1:181: Directive \"@onInline\" may not be used on "
            "FRAGMENT_DEFINITION.");
}


static void
unique_directives_per_location(void)
{
    static const char  rule[] = "UniqueDirectivesPerLocationRule";

    valid(rule, "different",
          "{ dog @onField @skip(if: true) { name @onField } }");

    valid(rule, "repeatable",
          "{ dog @tag(name: \"a\") @tag(name: \"b\") { name } }");

    valid(rule, "unknown",
          "{ dog @unknown @unknown { name } }");

    invalid(rule, "twice",
            "{ dog @onField @onField @onField { name } }",

            "1:7 1:16: The directive \"@onField\" can only be used once at "
            "this location.\n"
            "1:7 1:25: The directive \"@onField\" can only be used once at "
            "this location.");

    invalid(rule, "in other places",
            "query ($a: Int @onVariable @onVariable) @onQuery @onQuery { "
            "...F @onSpread @onSpread ... @onInline @onInline { int(x: $a) } "
            "} fragment F on Query @onFragment @onFragment { dog { name } }",

            "1:41 1:50: The directive \"@onQuery\" can only be used once at "
            "this location.\n"
            "1:16 1:28: The directive \"@onVariable\" can only be used once "
            "at this location.\n"
            "1:66 1:76: The directive \"@onSpread\" can only be used once at "
            "this location.\n"
            "1:90 1:100: The directive \"@onInline\" can only be used once "
            "at this location.\n"
            "1:147 1:159: The directive \"@onFragment\" can only be used "
            "once at this location.");
}


int
main(void)
{
    schema_open();

    known_directives();
    unique_directives_per_location();

    schema_close();

    return done_testing();
}
