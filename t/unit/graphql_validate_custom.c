/*
 * Unit tests of rules that are not of the specification: rules_deprecated.c,
 * rules_introspection.c.
 */

#include "graphql_validate.h"


static void
no_deprecated(void)
{
    static const char  rule[] = "NoDeprecatedCustomRule";

    valid(rule, "nothing deprecated",
          "{ person(id: 1) { name } command(x: SIT) box(box: { width: 1 }) "
          "dog @tag(name: \"x\") { unknown(x: 1) } }");

    invalid(rule, "a field",
            "{ person(id: 1) { old } }",

            "1:19: The field Person.old is deprecated. Use name.");

    invalid(rule, "an argument",
            "{ person(id: 1, old: 2) { name } dog @tag(name: \"x\", note: "
            "\"y\") { name } }",

            "1:17: Field \"Query.person\" argument \"old\" is deprecated. "
            "Gone.\n"
            "1:54: Directive \"@tag\" argument \"note\" is deprecated. Say "
            "it.");

    invalid(rule, "an input field",
            "{ box(box: { width: 1, colour: \"red\" }) }",

            "1:24: The input field Box.colour is deprecated. No colours.");

    invalid(rule, "an enum value",
            "{ command(x: DOWN) }",

            "1:14: The enum value \"Command.DOWN\" is deprecated. Too rude.");
}


static void
no_schema_introspection(void)
{
    static const char  rule[] = "NoSchemaIntrospectionCustomRule";

    valid(rule, "none",
          "{ dog { __typename } }");

    invalid(rule, "introspection",
            "{ __schema { queryType { name } } __type(name: \"Dog\") { "
            "fields { name } } }",

            "1:3: GraphQL introspection has been disabled, but the requested "
            "query contained the field \"__schema\".\n"
            "1:14: GraphQL introspection has been disabled, but the "
            "requested query contained the field \"queryType\".\n"
            "1:35: GraphQL introspection has been disabled, but the "
            "requested query contained the field \"__type\".\n"
            "1:57: GraphQL introspection has been disabled, but the "
            "requested query contained the field \"fields\".");

    invalid(rule, "in a fragment",
            "fragment F on __Type { ofType { name } }",

            "1:24: GraphQL introspection has been disabled, but the "
            "requested query contained the field \"ofType\".");
}


int
main(void)
{
    schema_open();

    no_deprecated();
    no_schema_introspection();

    schema_close();

    return done_testing();
}
