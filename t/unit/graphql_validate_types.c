/*
 * Unit tests of rules_types.c: rules on the types that a document names.
 */

#include "graphql_validate.h"


static void
known_type_names(void)
{
    static const char  rule[] = "KnownTypeNamesRule";

    valid(rule, "known",
          "query ($a: String, $b: [Box!]!) { pet { ... on Dog { name } ...F "
          "} } fragment F on Cat { name }");

    invalid(rule, "unknown",
            "query ($a: Jumbled) { pet { ... on Hog { name } ...F } } "
            "fragment F on Persom { name }",

            "1:12: Unknown type \"Jumbled\".\n"
            "1:36: Unknown type \"Hog\". Did you mean \"Dog\" or \"Box\"?\n"
            "1:72: Unknown type \"Persom\". Did you mean \"Person\"?");

    invalid(rule, "suggested",
            "query ($a: [Strin!]) { dog { name } }",

            "1:13: Unknown type \"Strin\". Did you mean \"String\"?");
}


static void
fragments_on_composite_types(void)
{
    static const char  rule[] = "FragmentsOnCompositeTypesRule";

    valid(rule, "objects, interfaces, unions",
          "fragment A on Dog { name } fragment B on Named { name } fragment "
          "C on Pet { ... on Cat { name } ... { __typename } }");

    valid(rule, "an unknown type",
          "fragment A on Nothing { name }");

    invalid(rule, "a scalar",
            "fragment A on Boolean { bad }",

            "1:15: Fragment \"A\" cannot condition on non composite type "
            "\"Boolean\".");

    invalid(rule, "an enum",
            "fragment A on Command { bad }",

            "1:15: Fragment \"A\" cannot condition on non composite type "
            "\"Command\".");

    invalid(rule, "an input object",
            "fragment A on Box { width }",

            "1:15: Fragment \"A\" cannot condition on non composite type "
            "\"Box\".");

    invalid(rule, "inline",
            "fragment A on Dog { ... on String { barks } }",

            "1:28: Fragment cannot condition on non composite type "
            "\"String\".");
}


static void
variables_are_input_types(void)
{
    static const char  rule[] = "VariablesAreInputTypesRule";

    valid(rule, "input types",
          "query ($a: String, $b: [Boolean!]!, $c: Box, $d: Command, $e: "
          "Unknown) { dog { name } }");

    invalid(rule, "output types",
            "query ($a: Dog, $b: [[Pet!]]!, $c: Named) { dog { name } }",

            "1:12: Variable \"$a\" cannot be non-input type \"Dog\".\n"
            "1:21: Variable \"$b\" cannot be non-input type \"[[Pet!]]!\".\n"
            "1:36: Variable \"$c\" cannot be non-input type \"Named\".");
}


int
main(void)
{
    schema_open();

    known_type_names();
    fragments_on_composite_types();
    variables_are_input_types();

    schema_close();

    return done_testing();
}
