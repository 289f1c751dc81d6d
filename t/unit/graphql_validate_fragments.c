/*
 * Unit tests of rules_fragments.c: rules on fragments.
 */

#include "graphql_validate.h"


static void
unique_fragment_names(void)
{
    static const char  rule[] = "UniqueFragmentNamesRule";

    valid(rule, "different names",
          "{ ...A ...B } fragment A on Query { dog { name } } fragment B on "
          "Query { cat { name } }");

    invalid(rule, "twice",
            "{ ...A } fragment A on Query { dog { name } } fragment A on "
            "Query { cat { name } } fragment A on Query { cat { name } }",

            "1:19 1:56: There can be only one fragment named \"A\".\n"
            "1:19 1:93: There can be only one fragment named \"A\".");
}


static void
known_fragment_names(void)
{
    static const char  rule[] = "KnownFragmentNamesRule";

    valid(rule, "known",
          "{ ...A ... on Query { ...A } } fragment A on Query { dog { name } "
          "}");

    invalid(rule, "unknown",
            "{ ...Nothing ... on Query { ...Nowhere } } fragment A on Query "
            "{ ...None }",

            "1:6: Unknown fragment \"Nothing\".\n"
            "1:32: Unknown fragment \"Nowhere\".\n"
            "1:69: Unknown fragment \"None\".");
}


static void
no_unused_fragments(void)
{
    static const char  rule[] = "NoUnusedFragmentsRule";

    valid(rule, "used",
          "{ ...A } fragment A on Query { ...B } fragment B on Query { dog { "
          "name } }");

    invalid(rule, "not used",
            "{ ...A } fragment A on Query { dog { name } } fragment B on "
            "Query { ...C } fragment C on Query { ...B }",

            "1:47: Fragment \"B\" is never used.\n"
            "1:76: Fragment \"C\" is never used.");

    valid(rule, "by one of two operations",
          "query A { ...A } query B { ...B } fragment A on Query { dog { "
          "name } } fragment B on Query { dog { name } }");
}


static void
possible_fragment_spreads(void)
{
    static const char  rule[] = "PossibleFragmentSpreadsRule";

    valid(rule, "possible",
          "fragment A on Dog { ... on Dog { name } ... on Living { name } "
          "... on Pet { __typename } ...B ... { name } } fragment B on "
          "Anyone { __typename } fragment C on Pet { ... on Anyone { "
          "__typename } }");

    valid(rule, "of unknown or scalar types",
          "fragment A on Dog { ... on Unknown { name } ... on String { name "
          "} ...B } fragment B on Int { x }");

    invalid(rule, "object into object",
            "fragment A on Cat { ...B } fragment B on Dog { barks }",

            "1:21: Fragment \"B\" cannot be spread here as objects of type "
            "\"Cat\" can never be of type \"Dog\".");

    invalid(rule, "inline",
            "fragment A on Cat { ... on Dog { barks } }",

            "1:21: Fragment cannot be spread here as objects of type \"Cat\" "
            "can never be of type \"Dog\".");

    invalid(rule, "object into interface",
            "fragment A on Living { ... on Person { name } }",

            "1:24: Fragment cannot be spread here as objects of type "
            "\"Living\" can never be of type \"Person\".");

    invalid(rule, "object into union",
            "fragment A on Pet { ... on Person { name } }",

            "1:21: Fragment cannot be spread here as objects of type \"Pet\" "
            "can never be of type \"Person\".");

    invalid(rule, "interface into union",
            "fragment A on Living { ...B } fragment B on Query { dog { name "
            "} }",

            "1:24: Fragment \"B\" cannot be spread here as objects of type "
            "\"Living\" can never be of type \"Query\".");
}


static void
no_fragment_cycles(void)
{
    static const char  rule[] = "NoFragmentCyclesRule";

    valid(rule, "none",
          "fragment A on Dog { ...B ...B ...C } fragment B on Dog { ...C } "
          "fragment C on Dog { name }");

    valid(rule, "unknown fragments",
          "fragment A on Dog { ...Nothing }");

    invalid(rule, "into itself",
            "fragment A on Dog { mother { ...A } }",

            "1:30: Cannot spread fragment \"A\" within itself.");

    invalid(rule, "of two",
            "fragment A on Dog { ...B } fragment B on Dog { ...A }",

            "1:21 1:48: Cannot spread fragment \"A\" within itself via \"B\".");

    invalid(rule, "of three, two ways",
            "fragment A on Dog { ...B ...C } fragment B on Dog { ...C } "
            "fragment C on Dog { ...A ...B }",

            "1:21 1:53 1:80: Cannot spread fragment \"A\" within itself via "
            "\"B\", \"C\".\n"
            "1:53 1:85: Cannot spread fragment \"B\" within itself via \"C\".");

    invalid(rule, "below",
            "fragment A on Dog { ...B } fragment B on Dog { ...C } fragment "
            "C on Dog { ...B }",

            "1:48 1:75: Cannot spread fragment \"B\" within itself via \"C\".");

    invalid(rule, "order of spreads",
            "fragment A on Dog { mother { ...A } ... { ...A } owner { pets { "
            "...A } } ...A }",

            "1:74: Cannot spread fragment \"A\" within itself.\n"
            "1:65: Cannot spread fragment \"A\" within itself.\n"
            "1:43: Cannot spread fragment \"A\" within itself.\n"
            "1:30: Cannot spread fragment \"A\" within itself.");
}


int
main(void)
{
    schema_open();

    unique_fragment_names();
    known_fragment_names();
    no_unused_fragments();
    possible_fragment_spreads();
    no_fragment_cycles();

    schema_close();

    return done_testing();
}
