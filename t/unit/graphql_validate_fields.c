/*
 * Unit tests of rules_fields.c: rules on single fields.
 */

#include "graphql_validate.h"


static void
scalar_leafs(void)
{
    static const char  rule[] = "ScalarLeafsRule";

    valid(rule, "a scalar",
          "{ dog { barks name(surname: true) } }");

    invalid(rule, "an object without selection",
            "{ dog }",

            "1:3: Field \"dog\" of type \"Dog\" must have a selection of "
            "subfields. Did you mean \"dog { ... }\"?");

    invalid(rule, "an interface list without selection",
            "{ person(id: 1) { pets } }",

            "1:19: Field \"pets\" of type \"[Pet!]\" must have a selection "
            "of subfields. Did you mean \"pets { ... }\"?");

    invalid(rule, "a scalar with selection",
            "{ dog { barks { since } } }",

            "1:15: Field \"barks\" must not have a selection since type "
            "\"Boolean\" has no subfields.");

    invalid(rule, "with arguments",
            "{ dog { name(surname: true) { x } } }",

            "1:29: Field \"name\" must not have a selection since type "
            "\"String\" has no subfields.");

    invalid(rule, "an enum argument with directives",
            "{ command(x: SIT) @include(if: true) { x } }",

            "1:38: Field \"command\" must not have a selection since type "
            "\"Boolean\" has no subfields.");
}


static void
fields_on_correct_type(void)
{
    static const char  rule[] = "FieldsOnCorrectTypeRule";

    valid(rule, "fields that are there",
          "{ dog { n: name __typename mother { owner { name } } } __schema { "
          "types { name } } __type(name: \"x\") { name } }");

    invalid(rule, "of unknown types",
            "{ dog { unknown { deep { deeper } } } ...F } fragment F on "
            "Nothing { x }",

            "1:9: Cannot query field \"unknown\" on type \"Dog\". Did you "
            "mean \"knows\"?");

    invalid(rule, "not there",
            "{ dog { meows } }",

            "1:9: Cannot query field \"meows\" on type \"Dog\". Did you mean "
            "\"knows\"?");

    invalid(rule, "suggested",
            "{ dog { nam nicknme barkes } }",

            "1:9: Cannot query field \"nam\" on type \"Dog\". Did you mean "
            "\"name\"?\n"
            "1:13: Cannot query field \"nicknme\" on type \"Dog\". Did you "
            "mean \"nickname\"?\n"
            "1:21: Cannot query field \"barkes\" on type \"Dog\". Did you "
            "mean \"barks\"?");

    invalid(rule, "on an interface",
            "{ named { nickname } }",

            "1:11: Cannot query field \"nickname\" on type \"Named\". Did "
            "you mean to use an inline fragment on \"Cat\" or \"Dog\"?");

    invalid(rule, "on a union",
            "{ pet { name } }",

            "1:9: Cannot query field \"name\" on type \"Pet\". Did you mean "
            "to use an inline fragment on \"Named\", \"Living\", \"Cat\", or "
            "\"Dog\"?");

    invalid(rule, "on a union, nowhere",
            "{ pet { xyz } }",

            "1:9: Cannot query field \"xyz\" on type \"Pet\".");

    invalid(rule, "on an alias",
            "{ dog { name: zzz } }",

            "1:9: Cannot query field \"zzz\" on type \"Dog\".");

    invalid(rule, "__schema elsewhere",
            "{ dog { __schema { types { name } } } }",

            "1:9: Cannot query field \"__schema\" on type \"Dog\".");

    invalid(rule, "in fragments",
            "fragment F on Dog { nope ... on Cat { nope2 } ... { nope3 } }",

            "1:21: Cannot query field \"nope\" on type \"Dog\". Did you mean "
            "\"name\"?\n"
            "1:39: Cannot query field \"nope2\" on type \"Cat\". Did you "
            "mean \"name\"?\n"
            "1:53: Cannot query field \"nope3\" on type \"Dog\". Did you "
            "mean \"name\"?");
}


static void
max_introspection_depth(void)
{
    static const char  rule[] = "MaxIntrospectionDepthRule";

    valid(rule, "twice",
          "{ __type(name: \"Dog\") { fields { type { fields { name } } } } }");

    invalid(rule, "three times",
            "{ __type(name: \"Dog\") { fields { type { interfaces { "
            "possibleTypes { name } } } } } }",

            "1:3: Maximum introspection depth exceeded");

    invalid(rule, "through fragments",
            "{ __schema { types { ...A } } } fragment A on __Type { fields { "
            "type { ...B } } } fragment B on __Type { inputFields { type { "
            "...C } } } fragment C on __Type { ... { fields { name } } }",

            "1:3: Maximum introspection depth exceeded");

    valid(rule, "a fragment in itself",
          "{ __schema { types { ...A } } } fragment A on __Type { ofType { "
          "...A } }");

    invalid(rule, "a fragment deeper each time",
            "{ __schema { types { ...A } } } fragment A on __Type { fields { "
            "type { ...A } } }",

            "1:3: Maximum introspection depth exceeded");

    valid(rule, "elsewhere",
          "{ dog { fields { fields { fields } } } }");
}


int
main(void)
{
    schema_open();

    scalar_leafs();
    fields_on_correct_type();
    max_introspection_depth();

    schema_close();

    return done_testing();
}
