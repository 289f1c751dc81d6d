/*
 * Rules that want names to be unique: of operations, fragments, variables,
 * arguments and input fields (specification, 5.2.2.1, 5.5.1.1, 5.8.1, 5.4.2,
 * 5.6.3).  Who finds them is unique.c.
 */

#include "graphql/validate/validate_impl.h"


/*
 * Operation Name Uniqueness
 * https://spec.graphql.org/September2025/#sec-Operation-Name-Uniqueness
 *
 *     good:  query A { a }  query B { b }
 *     bad:   query A { a }  query A { b }
 *
 * Fragment Name Uniqueness
 * https://spec.graphql.org/September2025/#sec-Fragment-Name-Uniqueness
 *
 *     good:  { ...A }  fragment A on T { a }  fragment B on T { b }
 *     bad:   { ...A }  fragment A on T { a }  fragment A on T { b }
 */
static bool
unique_definition(gql_validation_t *v, const gql_node_t *node)
{
    const gql_name_t  *name;
    const gql_node_t  *first;

    name = node->kind == GQL_OPERATION_DEFINITION
           ? ((const gql_operation_definition_t *) node)->name
           : ((const gql_fragment_definition_t *) node)->name;

    if (name == NULL) {
        return true;
    }

    first = gql_unique_first(v, v->state, 0, name->value, &name->node);

    if (first != NULL) {
        gql_refuse_two(v, first, name,
                       "There can be only one %s named \"%.*s\".",
                       node->kind == GQL_OPERATION_DEFINITION
                       ? "operation" : "fragment",
                       gql_error_arg(name->value));
    }

    return true;
}


const gql_rule_t  gql_rule_unique_operation_names = {
    .state_size = sizeof(gql_unique_t),
    .init = gql_unique_init,
    .hooks = gql_rule_enter(GQL_OPERATION_DEFINITION, unique_definition)
};

const gql_rule_t  gql_rule_unique_fragment_names = {
    .state_size = sizeof(gql_unique_t),
    .init = gql_unique_init,
    .hooks = gql_rule_enter(GQL_FRAGMENT_DEFINITION, unique_definition)
};


/*
 * Variable Uniqueness
 * https://spec.graphql.org/September2025/#sec-Variable-Uniqueness
 *
 *     good:  query Q($a: Int, $b: Int) { f(a: $a, b: $b) }
 *     bad:   query Q($a: Int, $a: Int) { f(a: $a) }
 */
static bool
unique_variable_names_operation(gql_validation_t *v, const gql_node_t *node)
{
    gql_refuse_duplicates(v,
                      &((const gql_operation_definition_t *) node)->variables,
                      "variable named \"$");

    return true;
}


const gql_rule_t  gql_rule_unique_variable_names = {
    .hooks = gql_rule_enter(GQL_OPERATION_DEFINITION,
                            unique_variable_names_operation)
};


/*
 * Argument Uniqueness
 * https://spec.graphql.org/September2025/#sec-Argument-Uniqueness
 *
 *     good:  { f(a: 1, b: 2) }
 *     bad:   { f(a: 1, a: 2) }
 */
static bool
unique_argument_names_enter(gql_validation_t *v, const gql_node_t *node)
{
    gql_refuse_duplicates(v, node->kind == GQL_FIELD
                             ? &((const gql_field_t *) node)->arguments
                             : &((const gql_directive_t *) node)->arguments,
                          "argument named \"");

    return true;
}


const gql_rule_t  gql_rule_unique_argument_names = {
    .hooks = {
        { gql_kind_bit(GQL_FIELD) | gql_kind_bit(GQL_DIRECTIVE),
          unique_argument_names_enter, NULL },
    }
};


/*
 * Input Object Field Uniqueness
 * https://spec.graphql.org/September2025/#sec-Input-Object-Field-Uniqueness
 *
 *     good:  { f(a: { x: 1, y: { x: 1 } }) }
 *     bad:   { f(a: { x: 1, x: 2 }) }
 */
static bool
unique_input_field_names_field(gql_validation_t *v, const gql_node_t *node)
{
    const gql_name_t   *name;
    const gql_node_t   *first;
    const gql_value_t  *object;

    name = ((const gql_object_field_t *) node)->name;
    object = (const gql_value_t *) v->visitor.frame->parent->node;

    if (object->items.count == 1) {
        return true;
    }

    first = gql_unique_first(v, v->state, object->node.start, name->value,
                             &name->node);
    if (first != NULL) {
        gql_refuse_two(v, first, name,
                       "There can be only one input field named \"%.*s\".",
                       gql_error_arg(name->value));
    }

    return true;
}


const gql_rule_t  gql_rule_unique_input_field_names = {
    .state_size = sizeof(gql_unique_t),
    .init = gql_unique_init,
    .hooks = gql_rule_enter(GQL_OBJECT_FIELD, unique_input_field_names_field)
};
