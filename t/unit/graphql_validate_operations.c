/*
 * Unit tests of rules_operations.c: rules on operations.
 */

#include "graphql_validate.h"


static void
unique_operation_names(void)
{
    static const char  rule[] = "UniqueOperationNamesRule";

    valid(rule, "different names",
          "query A { dog { name } } mutation B { bark }");

    valid(rule, "one anonymous",
          "{ dog { name } }");

    valid(rule, "as a fragment",
          "query A { dog { ...A } } fragment A on Dog { name }");

    invalid(rule, "twice",
            "query A { dog { name } } query A { cat { name } }",

            "1:7 1:32: There can be only one operation named \"A\".");

    invalid(rule, "of different kinds",
            "query A { dog { name } } mutation A { bark } subscription A { "
            "born { name } }",

            "1:7 1:35: There can be only one operation named \"A\".\n"
            "1:7 1:59: There can be only one operation named \"A\".");
}


static void
lone_anonymous_operation(void)
{
    static const char  rule[] = "LoneAnonymousOperationRule";

    valid(rule, "alone",
          "{ dog { name } }");

    valid(rule, "named ones",
          "query A { dog { name } } query B { cat { name } }");

    valid(rule, "with a fragment",
          "{ dog { ...F } } fragment F on Dog { name }");

    invalid(rule, "two",
            "{ dog { name } } { cat { name } }",

            "1:1: This anonymous operation must be the only defined "
            "operation.\n"
            "1:18: This anonymous operation must be the only defined "
            "operation.");

    invalid(rule, "with a named one",
            "{ dog { name } } mutation M { bark }",

            "1:1: This anonymous operation must be the only defined "
            "operation.");
}


static void
single_field_subscriptions(void)
{
    static const char  rule[] = "SingleFieldSubscriptionsRule";

    valid(rule, "one field",
          "subscription { born { name } }");

    valid(rule, "one field twice",
          "subscription { born { name } born { age } }");

    valid(rule, "through a fragment",
          "subscription S { ...F } fragment F on Subscription { born { name "
          "} }");

    valid(rule, "a fragment in itself",
          "subscription S { ...F } fragment F on Subscription { born { name "
          "} ...F }");

    invalid(rule, "two fields",
            "subscription S { born { name } died { name } }",

            "1:32: Subscription \"S\" must select only one top level field.");

    invalid(rule, "two, anonymous",
            "subscription { born { name } died { name } x: born { name } }",

            "1:30 1:44: Anonymous Subscription must select only one top "
            "level field.");

    invalid(rule, "through fragments",
            "subscription S { born { name } ...F } fragment F on "
            "Subscription { ... { died { name } } ... on Subscription { y: "
            "died { name } } }",

            "1:74 1:112: Subscription \"S\" must select only one top level "
            "field.");

    invalid(rule, "introspection",
            "subscription { __typename }",

            "1:16: Anonymous Subscription must not select an introspection "
            "top level field.");

    invalid(rule, "introspection besides",
            "subscription S { born { name } __typename }",

            "1:32: Subscription \"S\" must select only one top level field.\n"
            "1:32: Subscription \"S\" must not select an introspection top "
            "level field.");

    valid(rule, "fragments on other types",
          "subscription S { born { name } ... on Query { dog { name } } "
          "...Unknown }");

    valid(rule, "literal conditions",
          "subscription S { born { name } died @skip(if: true) { name } ... "
          "@include(if: false) { x: died { name } } }");
}


int
main(void)
{
    schema_open();

    unique_operation_names();
    lone_anonymous_operation();
    single_field_subscriptions();

    schema_close();

    return done_testing();
}
