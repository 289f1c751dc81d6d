/*
 * Coercion of values (specification, 3.5 "Input Coercion", 6.1.2, 6.4.1).
 *
 * Coerced values are JSON trees: numbers as their text, enum values as
 * STRINGs, input objects as OBJECTs with defaults filled in.
 */

#ifndef GQL_VALUES_H
#define GQL_VALUES_H

#include "base/json.h"
#include "graphql/syntax/error.h"
#include "graphql/types/schema.h"


/* graphql-js's limit of errors for the variables of one request */
#define GQL_VALUES_MAX_ERRORS  50


/*
 * Coerces the variables of an operation (CoerceVariableValues).  given: the
 * request's variables, an OBJECT, or NULL for none.  Returns an OBJECT with a
 * member for each variable that has a value, or NULL with errors added, in
 * the words of graphql-js (at most max_errors, as there: 50).
 */
prompt_json_t *gql_coerce_variables(prompt_arena_t *arena,
    const gql_schema_t *schema, const gql_operation_definition_t *operation,
    const prompt_json_t *given, gql_errors_t *errors) PROMPT_WARN_UNUSED;

/*
 * Coerces the arguments of a field or directive (CoerceArgumentValues).
 * arguments: list of gql_argument_t; node: what an error points at.
 * Returns an OBJECT, or NULL with one error added (without path).
 */
prompt_json_t *gql_coerce_arguments(prompt_arena_t *arena,
    const gql_input_value_t *defs, uint32_t ndefs, const gql_node_t *node,
    const gql_list_t *arguments, const prompt_json_t *variables,
    gql_errors_t *errors) PROMPT_WARN_UNUSED;

/*
 * graphql-js's valueFromAST(): a literal as a value of type, or NULL where it
 * is none (an invalid literal, or a variable without a value).  *nomem is set
 * where NULL means that memory is short, and left alone otherwise.
 */
prompt_json_t *gql_value_from_ast(prompt_arena_t *arena,
    const gql_value_t *node, const gql_type_ref_t *type,
    const prompt_json_t *variables, bool *nomem) PROMPT_WARN_UNUSED;

/*
 * graphql-js's astFromValue() printed: a coerced value as GraphQL text, for
 * defaultValue in introspection.  False where it cannot be (then nothing is
 * written).
 */
bool gql_print_value(prompt_buf_t *buf, const prompt_json_t *value,
    const gql_type_ref_t *type);

/*
 * Whether a literal is a value of a leaf type: parseLiteral() of graphql-js.
 * On failure *message (in arena) is what it throws, or absent where graphql-js
 * itself makes the message ("Expected value of type …").  errors: the list
 * that the message is for.
 */
bool gql_leaf_parse_literal(const gql_errors_t *errors, prompt_arena_t *arena,
    const gql_type_t *type, const gql_value_t *node, prompt_json_t **out,
    prompt_str_t *message);

/*
 * A node of its own, in no container and without a name, for a value that is
 * in another one: what is below it is shared.  NULL when memory is short.
 */
prompt_json_t *gql_value_share(prompt_arena_t *arena,
    const prompt_json_t *value) PROMPT_WARN_UNUSED;

#endif /* GQL_VALUES_H */
