/*
 * Unit tests of overlapping.c: fields of one response that must go together.
 */

#include "graphql_validate.h"


static void
overlapping_fields_can_be_merged(void)
{
    static const char  rule[] = "OverlappingFieldsCanBeMergedRule";

    valid(rule, "the same fields",
          "{ dog { name name age } dog { name } }");

    valid(rule, "the same arguments and directives",
          "{ dog { name(surname: true) name(surname: true) @skip(if: true) } "
          "}");

    valid(rule, "the same arguments in another order",
          "{ required(a: 1, b: 2) required(b: 2, a: 1) box(box: { width: 1, "
          "height: 2 }) box(box: { height: 2, width: 1 }) }");

    valid(rule, "aliases",
          "{ dog { n: name x: nickname } }");

    invalid(rule, "different fields",
            "{ dog { x: name x: nickname } }",

            "1:9 1:17: Fields \"x\" conflict because \"name\" and "
            "\"nickname\" are different fields. Use different aliases on the "
            "fields to fetch both if this was intentional.");

    invalid(rule, "different arguments",
            "{ dog { knows(command: SIT) knows(command: HEEL) } int int(x: "
            "1) }",

            "1:52 1:56: Fields \"int\" conflict because they have differing "
            "arguments. Use different aliases on the fields to fetch both if "
            "this was intentional.\n"
            "1:9 1:29: Fields \"knows\" conflict because they have differing "
            "arguments. Use different aliases on the fields to fetch both if "
            "this was intentional.");

    invalid(rule, "literals and variables",
            "query ($a: Int) { int(x: 1) int(x: $a) } query B { string(x: "
            "\"a\") string(x: \"\"\"a\"\"\") }",

            "1:19 1:29: Fields \"int\" conflict because they have differing "
            "arguments. Use different aliases on the fields to fetch both if "
            "this was intentional.\n"
            "1:52 1:67: Fields \"string\" conflict because they have "
            "differing arguments. Use different aliases on the fields to "
            "fetch both if this was intentional.");

    valid(rule, "exclusive parents",
          "{ pet { ... on Dog { x: name } ... on Cat { x: nickname } } }");

    invalid(rule, "parents that may be the same",
            "{ living { ... on Named { x: name } ... on Dog { x: nickname } "
            "} }",

            "1:27 1:50: Fields \"x\" conflict because \"name\" and "
            "\"nickname\" are different fields. Use different aliases on the "
            "fields to fetch both if this was intentional.");

    invalid(rule, "types of exclusive parents",
            "{ pet { ... on Dog { size } ... on Cat { size } } }",

            "1:22 1:42: Fields \"size\" conflict because they return "
            "conflicting types \"Int\" and \"Int!\". Use different aliases "
            "on the fields to fetch both if this was intentional.");

    invalid(rule, "shapes of exclusive parents",
            "{ pet { ... on Dog { x: mother { x: name } } ... on Cat { x: "
            "mother { x: age } } } }",

            "1:22 1:34 1:59 1:71: Fields \"x\" conflict because subfields "
            "\"x\" conflict because they return conflicting types \"String\" "
            "and \"Int\". Use different aliases on the fields to fetch both "
            "if this was intentional.");

    invalid(rule, "list and no list",
            "{ x: dog { name } ... { x: person(id: 1) { name } } }",

            "1:3 1:25: Fields \"x\" conflict because \"dog\" and \"person\" "
            "are different fields. Use different aliases on the fields to "
            "fetch both if this was intentional.");

    invalid(rule, "deep",
            "{ dog { mother { x: name } } dog { mother { x: nickname } } }",

            "1:3 1:9 1:18 1:30 1:36 1:45: Fields \"dog\" conflict because "
            "subfields \"mother\" conflict because subfields \"x\" conflict "
            "because \"name\" and \"nickname\" are different fields. Use "
            "different aliases on the fields to fetch both if this was "
            "intentional.");

    invalid(rule, "deep, several",
            "{ dog { x: name y: age mother { z: name } } dog { x: nickname "
            "y: size mother { z: age } } }",

            "1:3 1:9 1:17 1:24 1:33 1:45 1:51 1:63 1:71 1:80: Fields \"dog\" "
            "conflict because subfields \"x\" conflict because \"name\" and "
            "\"nickname\" are different fields and subfields \"y\" conflict "
            "because \"age\" and \"size\" are different fields and subfields "
            "\"mother\" conflict because subfields \"z\" conflict because "
            "\"name\" and \"age\" are different fields. Use different "
            "aliases on the fields to fetch both if this was intentional.");

    invalid(rule, "through fragments",
            "{ dog { ...A ...B } } fragment A on Dog { x: name } fragment B "
            "on Dog { x: nickname }",

            "1:43 1:73: Fields \"x\" conflict because \"name\" and "
            "\"nickname\" are different fields. Use different aliases on the "
            "fields to fetch both if this was intentional.");

    invalid(rule, "a field and a fragment",
            "{ dog { x: age ...A } } fragment A on Dog { mother { name } "
            "...B } fragment B on Dog { x: name }",

            "1:9 1:88: Fields \"x\" conflict because \"age\" and \"name\" "
            "are different fields. Use different aliases on the fields to "
            "fetch both if this was intentional.");

    invalid(rule, "fragments in fragments",
            "{ ...A } fragment A on Query { dog { mother { ...B } } dog { "
            "mother { ...C } } } fragment B on Dog { x: name } fragment C on "
            "Dog { ...D } fragment D on Dog { x: age }",

            "1:32 1:38 1:102 1:56 1:62 1:159: Fields \"dog\" conflict "
            "because subfields \"mother\" conflict because subfields \"x\" "
            "conflict because \"name\" and \"age\" are different fields. Use "
            "different aliases on the fields to fetch both if this was "
            "intentional.");

    invalid(rule, "each once",
            "{ dog { ...A ...B ...A } cat { ...C } } fragment A on Dog { x: "
            "name } fragment B on Dog { x: nickname } fragment C on Cat { x: "
            "name x: nickname }",

            "1:61 1:91: Fields \"x\" conflict because \"name\" and "
            "\"nickname\" are different fields. Use different aliases on the "
            "fields to fetch both if this was intentional.\n"
            "1:125 1:133: Fields \"x\" conflict because \"name\" and "
            "\"nickname\" are different fields. Use different aliases on the "
            "fields to fetch both if this was intentional.");

    invalid(rule, "fragments in themselves",
            "fragment A on Dog { mother { ...A x: name } x: age ...B } "
            "fragment B on Dog { ...A x: name }",

            "1:45 1:84: Fields \"x\" conflict because \"age\" and \"name\" "
            "are different fields. Use different aliases on the fields to "
            "fetch both if this was intentional.\n"
            "1:35 1:45: Fields \"x\" conflict because \"name\" and \"age\" "
            "are different fields. Use different aliases on the fields to "
            "fetch both if this was intentional.\n"
            "1:84 1:45: Fields \"x\" conflict because \"name\" and \"age\" "
            "are different fields. Use different aliases on the fields to "
            "fetch both if this was intentional.");

    invalid(rule, "unknown",
            "{ dog { x: unknown x: nothing ...Missing ...Missing2 } nope { "
            "a: b a: c } }",

            "1:9 1:20: Fields \"x\" conflict because \"unknown\" and "
            "\"nothing\" are different fields. Use different aliases on the "
            "fields to fetch both if this was intentional.\n"
            "1:63 1:68: Fields \"a\" conflict because \"b\" and \"c\" are "
            "different fields. Use different aliases on the fields to fetch "
            "both if this was intentional.");

    invalid(rule, "__typename",
            "{ dog { __typename __typename x: __typename x: name } }",

            "1:31 1:45: Fields \"x\" conflict because \"__typename\" and "
            "\"name\" are different fields. Use different aliases on the "
            "fields to fetch both if this was intentional.");
}


int
main(void)
{
    schema_open();

    overlapping_fields_can_be_merged();

    schema_close();

    return done_testing();
}
