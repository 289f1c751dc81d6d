/*
 * Unit tests of rules_arguments.c:
 * rules on arguments of fields and directives.
 */

#include "graphql_validate.h"


static void
known_argument_names(void)
{
    static const char  rule[] = "KnownArgumentNamesRule";

    valid(rule, "known",
          "{ int(x: 1) dog @skip(if: true) { name(surname: true) } }");

    valid(rule, "of unknown fields and directives",
          "{ unknown(x: 1) dog @unknown(x: 1) { name } }");

    invalid(rule, "unknown",
            "{ int(y: 1) person(id: 1, idd: 2) { name(surnam: true) } }",

            "1:7: Unknown argument \"y\" on field \"Query.int\". Did you "
            "mean \"x\"?\n"
            "1:27: Unknown argument \"idd\" on field \"Query.person\". Did "
            "you mean \"id\" or \"old\"?\n"
            "1:42: Unknown argument \"surnam\" on field \"Person.name\". Did "
            "you mean \"surname\"?");

    invalid(rule, "of a directive",
            "{ dog @skip(unless: true, iff: true) { name } }",

            "1:13: Unknown argument \"unless\" on directive \"@skip\".\n"
            "1:27: Unknown argument \"iff\" on directive \"@skip\". Did you "
            "mean \"if\"?");

    invalid(rule, "deep in fragments",
            "fragment F on Dog { ... on Named { name(xyz: 1) } }",

            "1:41: Unknown argument \"xyz\" on field \"Named.name\".");
}


static void
unique_argument_names(void)
{
    static const char  rule[] = "UniqueArgumentNamesRule";

    valid(rule, "different",
          "{ required(a: 1, b: 2) dog @tag(name: \"x\", note: \"y\") { name "
          "} }");

    valid(rule, "in different fields",
          "{ int(x: 1) y: int(x: 1) }");

    invalid(rule, "twice",
            "{ int(x: 1, x: 2) }",

            "1:7 1:13: There can be only one argument named \"x\".");

    invalid(rule, "three times, and in directives",
            "{ required(a: 1, b: 2, a: 3, b: 4, a: 5) dog @tag(name: \"x\", "
            "name: \"y\") { name } }",

            "1:12 1:24 1:36: There can be only one argument named \"a\".\n"
            "1:18 1:30: There can be only one argument named \"b\".\n"
            "1:51 1:62: There can be only one argument named \"name\".");

    invalid(rule, "among many",
            "{ int(a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: "
            "1, k: 1, l: 1, m: 1, n: 1, o: 1, p: 1, q: 1, c: 2) }",

            "1:19 1:109: There can be only one argument named \"c\".");
}


static void
provided_required_arguments(void)
{
    static const char  rule[] = "ProvidedRequiredArgumentsRule";

    valid(rule, "provided",
          "{ required(a: 1, b: 2) dog @tag(name: \"x\") { name } unknown }");

    invalid(rule, "missing",
            "{ required(c: 1) }",

            "1:3: Field \"required\" argument \"a\" of type \"Int!\" is "
            "required, but it was not provided.\n"
            "1:3: Field \"required\" argument \"b\" of type \"Int!\" is "
            "required, but it was not provided.");

    invalid(rule, "of directives",
            "{ dog @tag @skip @onField { name } }",

            "1:7: Directive \"@tag\" argument \"name\" of type \"String!\" "
            "is required, but it was not provided.\n"
            "1:12: Directive \"@skip\" argument \"if\" of type \"Boolean!\" "
            "is required, but it was not provided.");

    invalid(rule, "after what is below",
            "{ person { name @include } }",

            "1:17: Directive \"@include\" argument \"if\" of type "
            "\"Boolean!\" is required, but it was not provided.\n"
            "1:3: Field \"person\" argument \"id\" of type \"ID!\" is "
            "required, but it was not provided.");
}


int
main(void)
{
    schema_open();

    known_argument_names();
    unique_argument_names();
    provided_required_arguments();

    schema_close();

    return done_testing();
}
