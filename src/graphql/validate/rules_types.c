/*
 * Rules on the types that a document names (specification, 5.5.1.2, 5.5.1.3,
 * 5.8.2): KnownTypeNames, FragmentsOnCompositeTypes, VariablesAreInputTypes.
 */

#include "graphql/validate/validate_impl.h"


/*
 * Fragment Spread Type Existence
 * https://spec.graphql.org/September2025/#sec-Fragment-Spread-Type-Existence
 *
 *     good:  { dog { ... on Dog { name } } }
 *     bad:   { dog { ... on NotInSchema { name } } }
 */
static bool
known_type_names_named_type(gql_validation_t *v, const gql_node_t *node)
{
    prompt_str_t  name, hint;

    name = ((const gql_type_node_t *) node)->name->value;

    if (gql_schema_type(v->schema, name) != NULL) {
        return true;
    }

    hint = gql_suggest(v, name, &v->schema->by_name);

    gql_refuse_at(v, node, "Unknown type \"%.*s\".%.*s", gql_error_arg(name),
                  gql_error_arg(hint));

    return true;
}


const gql_rule_t  gql_rule_known_type_names = {
    .hooks = gql_rule_enter(GQL_NAMED_TYPE, known_type_names_named_type)
};


/*
 * Fragments on Object, Interface or Union Types
 * https://spec.graphql.org/September2025/
 *                          #sec-Fragments-on-Object-Interface-or-Union-Types
 *
 *     good:  fragment F on Dog { name }
 *     bad:   fragment F on Boolean { bad }
 */
static bool
fragments_on_composite_types_enter(gql_validation_t *v, const gql_node_t *node)
{
    const gql_name_t       *name;
    const gql_type_t       *type;
    const gql_type_node_t  *condition;

    if (node->kind == GQL_INLINE_FRAGMENT) {
        name = NULL;
        condition = ((const gql_inline_fragment_t *) node)->type_condition;

    } else {
        name = ((const gql_fragment_definition_t *) node)->name;
        condition = ((const gql_fragment_definition_t *) node)->type_condition;
    }

    type = condition != NULL
           ? gql_schema_type(v->schema, condition->name->value) : NULL;

    if (type == NULL || gql_type_is_composite(type)) {
        return true;
    }

    if (name == NULL) {
        gql_refuse_at(v, condition, "Fragment cannot condition on non "
                      "composite type \"%.*s\".", gql_error_arg(type->name));

    } else {
        gql_refuse_at(v, condition, "Fragment \"%.*s\" cannot condition on "
                      "non composite type \"%.*s\".",
                      gql_error_arg(name->value), gql_error_arg(type->name));
    }

    return true;
}


const gql_rule_t  gql_rule_fragments_on_composite_types = {
    .hooks = {
        { gql_kind_bit(GQL_INLINE_FRAGMENT)
          | gql_kind_bit(GQL_FRAGMENT_DEFINITION),
          fragments_on_composite_types_enter, NULL },
    }
};


/*
 * Variables Are Input Types
 * https://spec.graphql.org/September2025/#sec-Variables-Are-Input-Types
 *
 *     good:  query Q($a: [String!]) { field(a: $a) }
 *     bad:   query Q($a: Dog) { field(a: $a) }
 */
static bool
variables_are_input_types_variable(gql_validation_t *v, const gql_node_t *node)
{
    prompt_str_t                      text;
    const gql_type_t                 *type;
    const gql_variable_definition_t  *variable;

    variable = (const gql_variable_definition_t *) node;
    type = gql_schema_type(v->schema, gql_type_node_name(variable->type));

    if (type != NULL && !gql_type_is_input(type)) {
        text = gql_printed(v, &variable->type->node);

        gql_refuse_at(v, variable->type,
                      "Variable \"$%.*s\" cannot be non-input type \"%.*s\".",
                      gql_error_arg(variable->variable->text),
                      gql_error_arg(text));
    }

    return true;
}


const gql_rule_t  gql_rule_variables_are_input_types = {
    .hooks = gql_rule_enter(GQL_VARIABLE_DEFINITION,
                            variables_are_input_types_variable)
};
