/*
 * Unit tests of rules_values.c: rules on values.
 */

#include "graphql_validate.h"


static void
values_of_correct_type(void)
{
    static const char  rule[] = "ValuesOfCorrectTypeRule";

    valid(rule, "good",
          "{ int(x: 1) a: int(x: -2147483648) float(x: 1) b: float(x: 1.5e3) "
          "string(x: \"s\") c: string(x: \"\"\"b\"\"\") boolean(x: true) "
          "id(x: 1) d: id(x: \"1\") command(x: SIT) any(x: { a: [1, \"b\", "
          "C, null] }) ints(x: [1, 2]) e: ints(x: 1) nested(x: [[1, null], "
          "null, 2]) }");

    valid(rule, "null",
          "{ int(x: null) nested(x: null) }");

    invalid(rule, "Int",
            "{ a: int(x: \"1\") b: int(x: 1.0) c: int(x: 2147483648) d: "
            "int(x: true) e: int(x: ONE) f: int(x: [1]) g: int(x: {a: 1}) }",

            "1:13: Int cannot represent non-integer value: \"1\"\n"
            "1:28: Int cannot represent non-integer value: 1.0\n"
            "1:43: Int cannot represent non 32-bit signed integer value: "
            "2147483648\n"
            "1:65: Int cannot represent non-integer value: true\n"
            "1:81: Int cannot represent non-integer value: ONE\n"
            "1:96: Int cannot represent non-integer value: [1]\n"
            "1:111: Int cannot represent non-integer value: {a: 1}");

    invalid(rule, "Float",
            "{ a: float(x: \"1.5\") b: float(x: true) c: float(x: F) }",

            "1:15: Float cannot represent non numeric value: \"1.5\"\n"
            "1:34: Float cannot represent non numeric value: true\n"
            "1:52: Float cannot represent non numeric value: F");

    invalid(rule, "String",
            "{ a: string(x: 1) b: string(x: 1.5) c: string(x: true) d: "
            "string(x: S) }",

            "1:16: String cannot represent a non string value: 1\n"
            "1:32: String cannot represent a non string value: 1.5\n"
            "1:50: String cannot represent a non string value: true\n"
            "1:69: String cannot represent a non string value: S");

    invalid(rule, "Boolean",
            "{ a: boolean(x: 1) b: boolean(x: \"true\") c: boolean(x: TRUE) }",

            "1:17: Boolean cannot represent a non boolean value: 1\n"
            "1:34: Boolean cannot represent a non boolean value: \"true\"\n"
            "1:56: Boolean cannot represent a non boolean value: TRUE");

    invalid(rule, "ID",
            "{ a: id(x: 1.5) b: id(x: true) c: id(x: I) }",

            "1:12: ID cannot represent a non-string and non-integer value: "
            "1.5\n"
            "1:26: ID cannot represent a non-string and non-integer value: "
            "true\n"
            "1:41: ID cannot represent a non-string and non-integer value: I");

    invalid(rule, "enum",
            "{ a: command(x: 1) b: command(x: \"SIT\") c: command(x: sit) d: "
            "command(x: JUMP) }",

            "1:17: Enum \"Command\" cannot represent non-enum value: 1.\n"
            "1:34: Enum \"Command\" cannot represent non-enum value: "
            "\"SIT\". Did you mean the enum value \"SIT\"?\n"
            "1:55: Value \"sit\" does not exist in \"Command\" enum. Did you "
            "mean the enum value \"SIT\"?\n"
            "1:74: Value \"JUMP\" does not exist in \"Command\" enum.");

    invalid(rule, "lists",
            "{ a: ints(x: [1, null, \"2\"]) b: ints(x: null) c: nested(x: "
            "[[\"1\"], [[2]], 1.5]) }",

            "1:18: Expected value of type \"Int!\", found null.\n"
            "1:24: Int cannot represent non-integer value: \"2\"\n"
            "1:41: Expected value of type \"[Int!]!\", found null.\n"
            "1:62: Int cannot represent non-integer value: \"1\"\n"
            "1:69: Int cannot represent non-integer value: [2]\n"
            "1:75: Int cannot represent non-integer value: 1.5");

    valid(rule, "input objects",
          "{ a: box(box: { width: 1, inner: { width: 2, tags: [\"a\"] } }) "
          "b: box(boxes: [{ width: 1 }, null]) }");

    invalid(rule, "bad input objects",
            "{ a: box(box: {}) b: box(box: { width: null, widht: 1, tags: "
            "[1, null] }) c: box(box: [{ width: 1 }]) d: box(box: \"x\") e: "
            "box(boxes: [{ height: 1 }, 2]) }",

            "1:15: Field \"Box.width\" of required type \"Int!\" was not "
            "provided.\n"
            "1:40: Expected value of type \"Int!\", found null.\n"
            "1:46: Field \"widht\" is not defined by type \"Box\". Did you "
            "mean \"width\" or \"height\"?\n"
            "1:63: String cannot represent a non string value: 1\n"
            "1:66: Expected value of type \"String!\", found null.\n"
            "1:87: Expected value of type \"Box\", found [{width: 1}].\n"
            "1:115: Expected value of type \"Box\", found \"x\".\n"
            "1:135: Field \"Box.width\" of required type \"Int!\" was not "
            "provided.\n"
            "1:150: Expected value of type \"Box\", found 2.");

    valid(rule, "oneOf",
          "{ a: find(by: { id: 1 }) { name } b: find(by: { name: \"x\" }) { "
          "name } }");

    invalid(rule, "bad oneOf",
            "{ a: find(by: {}) { name } b: find(by: { id: 1, name: \"x\" }) "
            "{ name } c: find(by: { id: null }) { name } }",

            "1:15: OneOf Input Object \"Choice\" must specify exactly one "
            "key.\n"
            "1:40: OneOf Input Object \"Choice\" must specify exactly one "
            "key.\n"
            "1:83: Field \"Choice.id\" must be non-null.");

    valid(rule, "defaults of variables",
          "query ($a: Int = 1, $b: [String!] = [\"x\"], $c: Box = { width: 1 "
          "}) { dog { name } }");

    invalid(rule, "bad defaults of variables",
            "query ($a: Int = \"1\", $b: [String!]! = [1, null], $c: Box = { "
            "height: 2.5 }, $d: Int! = null, $e: [[Int]] = [[[1]]]) { dog { "
            "name } }",

            "1:18: Int cannot represent non-integer value: \"1\"\n"
            "1:41: String cannot represent a non string value: 1\n"
            "1:44: Expected value of type \"String!\", found null.\n"
            "1:61: Field \"Box.width\" of required type \"Int!\" was not "
            "provided.\n"
            "1:71: Int cannot represent non-integer value: 2.5\n"
            "1:89: Expected value of type \"Int!\", found null.\n"
            "1:111: Int cannot represent non-integer value: [1]");

    invalid(rule, "directives",
            "{ dog @skip(if: 1) @unknown(x: 1) { name } }",

            "1:17: Boolean cannot represent a non boolean value: 1");

    valid(rule, "unknown arguments",
          "{ int(y: \"1\") dog(x: { a: 1 }) { name } }");

    invalid(rule, "long and quoted",
            "{ int(x: \"\"\"\n"
            "  block \"quoted\"\n"
            "    text\n"
            "\"\"\") }",

            "1:10: Int cannot represent non-integer value: \"\"\"\n"
            "block \"quoted\"\n"
            "  text\n"
            "\"\"\"");
}


static void
unique_input_field_names(void)
{
    static const char  rule[] = "UniqueInputFieldNamesRule";

    valid(rule, "different",
          "{ box(box: { width: 1, inner: { width: 2, inner: { width: 3 } } "
          "}, boxes: [{ width: 1 }, { width: 2 }]) }");

    invalid(rule, "twice",
            "{ box(box: { width: 1, width: 2, width: 3 }) }",

            "1:14 1:24: There can be only one input field named \"width\".\n"
            "1:14 1:34: There can be only one input field named \"width\".");

    invalid(rule, "nested",
            "{ box(box: { width: 1, inner: { width: 2, height: 1, width: 3 "
            "}, width: 4 }) }",

            "1:33 1:54: There can be only one input field named \"width\".\n"
            "1:14 1:66: There can be only one input field named \"width\".");
}


int
main(void)
{
    schema_open();

    values_of_correct_type();
    unique_input_field_names();

    schema_close();

    return done_testing();
}
