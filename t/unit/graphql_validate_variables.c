/*
 * Unit tests of rules_variables.c: rules on variables.
 */

#include "graphql_validate.h"


static void
unique_variable_names(void)
{
    static const char  rule[] = "UniqueVariableNamesRule";

    valid(rule, "different",
          "query ($a: Int, $b: Int) { int(x: $a) }");

    invalid(rule, "twice, three times",
            "query ($a: Int, $b: Int, $a: String, $b: Int, $ a: Int) { "
            "int(x: $a) }",

            "1:9 1:27 1:49: There can be only one variable named \"$a\".\n"
            "1:18 1:39: There can be only one variable named \"$b\".");
}


static void
no_undefined_variables(void)
{
    static const char  rule[] = "NoUndefinedVariablesRule";

    valid(rule, "defined",
          "query ($a: Int) { int(x: $a) ...F } fragment F on Query { ints(x: "
          "[$a]) }");

    invalid(rule, "not defined",
            "{ int(x: $a) }",

            "1:10 1:1: Variable \"$a\" is not defined.");

    invalid(rule, "named operation",
            "query Q($b: Int) { ints(x: [$a, $b]) box(box: { width: $c }) }",

            "1:29 1:1: Variable \"$a\" is not defined by operation \"Q\".\n"
            "1:56 1:1: Variable \"$c\" is not defined by operation \"Q\".");

    invalid(rule, "in fragments",
            "query A($a: Int) { ...F } query B { ...F } fragment F on Query "
            "{ int(x: $a) ...G } fragment G on Query { ...F x: int(x: $b) }",

            "1:121 1:1: Variable \"$b\" is not defined by operation \"A\".\n"
            "1:73 1:27: Variable \"$a\" is not defined by operation \"B\".\n"
            "1:121 1:27: Variable \"$b\" is not defined by operation \"B\".");

    invalid(rule, "in directives",
            "{ dog @skip(if: $a) { name } }",

            "1:17 1:1: Variable \"$a\" is not defined.");
}


static void
no_unused_variables(void)
{
    static const char  rule[] = "NoUnusedVariablesRule";

    valid(rule, "used",
          "query ($a: Int, $b: Boolean) { int(x: $a) @skip(if: $b) }");

    valid(rule, "in fragments",
          "query ($a: Int) { ...F } fragment F on Query { ...G } fragment G "
          "on Query { int(x: $a) }");

    invalid(rule, "not used",
            "query ($a: Int, $b: Int) { int(x: $a) }",

            "1:17: Variable \"$b\" is never used.");

    invalid(rule, "named operation",
            "query Q($a: Int, $b: [Int!]! = [1]) { ...F } fragment F on "
            "Query { dog { name } } fragment G on Query { int(x: $a) }",

            "1:9: Variable \"$a\" is never used in operation \"Q\".\n"
            "1:18: Variable \"$b\" is never used in operation \"Q\".");
}


static void
variables_in_allowed_position(void)
{
    static const char  rule[] = "VariablesInAllowedPositionRule";

    valid(rule, "allowed",
          "query ($a: Int, $b: Int!, $c: [Int!]!, $d: Boolean = true, $e: "
          "Unknown) { int(x: $a) y: int(x: $b) ints(x: $c) dog @skip(if: $d) "
          "{ name } z: int(x: $e) required(a: $b, b: $b, c: $a) }");

    invalid(rule, "too weak",
            "query ($a: Int) { required(a: $a, b: 1) }",

            "1:8 1:31: Variable \"$a\" of type \"Int\" used in position "
            "expecting type \"Int!\".");

    invalid(rule, "null as a default",
            "query ($a: Int = null) { required(a: $a, b: 1) }",

            "1:8 1:38: Variable \"$a\" of type \"Int\" used in position "
            "expecting type \"Int!\".");

    invalid(rule, "another type",
            "query ($a: String) { int(x: $a) ...F } fragment F on Query { "
            "boolean(x: $a) }",

            "1:8 1:29: Variable \"$a\" of type \"String\" used in position "
            "expecting type \"Int\".\n"
            "1:8 1:73: Variable \"$a\" of type \"String\" used in position "
            "expecting type \"Boolean\".");

    invalid(rule, "lists",
            "query ($a: Int, $b: [Int]) { ints(x: $a) y: ints(x: $b) z: "
            "ints(x: [$a]) nested(x: [$b, $a]) }",

            "1:8 1:38: Variable \"$a\" of type \"Int\" used in position "
            "expecting type \"[Int!]!\".\n"
            "1:17 1:53: Variable \"$b\" of type \"[Int]\" used in position "
            "expecting type \"[Int!]!\".\n"
            "1:8 1:69: Variable \"$a\" of type \"Int\" used in position "
            "expecting type \"Int!\".\n"
            "1:8 1:89: Variable \"$a\" of type \"Int\" used in position "
            "expecting type \"[Int]\".");

    invalid(rule, "in input objects",
            "query ($a: String, $b: Int) { box(box: { width: $b, tags: [$a], "
            "height: $a }) }",

            "1:20 1:49: Variable \"$b\" of type \"Int\" used in position "
            "expecting type \"Int!\".\n"
            "1:8 1:60: Variable \"$a\" of type \"String\" used in position "
            "expecting type \"String!\".\n"
            "1:8 1:73: Variable \"$a\" of type \"String\" used in position "
            "expecting type \"Int\".");

    valid(rule, "oneOf",
          "query ($a: String, $b: String!) { x: find(by: { name: $b }) { "
          "name } }");
}


int
main(void)
{
    schema_open();

    unique_variable_names();
    no_undefined_variables();
    no_unused_variables();
    variables_in_allowed_position();

    schema_close();

    return done_testing();
}
