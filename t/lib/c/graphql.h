/*
 * What the conformance driver, unit tests and fuzz targets ask of the GraphQL
 * engine beyond what the service does.
 */

#ifndef PROMPT_T_LIB_GRAPHQL_H
#define PROMPT_T_LIB_GRAPHQL_H

#include "base/buf.h"
#include "graphql/execute/execute.h"
#include "graphql/validate/validate.h"
#include "schema/parser_sdl.h"
#include "schema/schema_build.h"


/*
 * A value or a type alone: graphql-js's parseValue(), parseConstValue() and
 * parseType().  As gql_parse().
 */
gql_value_t *gql_parse_value(prompt_arena_t *arena, prompt_str_t source,
    uint32_t max_tokens, gql_errors_t *errors) PROMPT_WARN_UNUSED;
gql_value_t *gql_parse_const_value(prompt_arena_t *arena, prompt_str_t source,
    uint32_t max_tokens, gql_errors_t *errors) PROMPT_WARN_UNUSED;
gql_type_node_t *gql_parse_type(prompt_arena_t *arena, prompt_str_t source,
    uint32_t max_tokens, gql_errors_t *errors) PROMPT_WARN_UNUSED;

/* Any node of ast.h as text, as graphql-js's print() does it. */
void gql_print_document(prompt_buf_t *buf, const gql_node_t *node);

/*
 * Adds an error for each violation, as gql_validate_within() with the budget
 * and the words of graphql-js.  rules: names of the rules to run
 * ("FieldsOnCorrectTypeRule"), or NULL for specifiedRules; unknown names return
 * false.
 */
bool gql_validate(prompt_arena_t *scratch, const gql_schema_t *schema,
    const gql_document_t *document, const prompt_str_t *rules, size_t nrules,
    gql_errors_t *errors);

/* the same, and how many steps it took: for tests that the work is bounded */
bool gql_validate_counting(prompt_arena_t *scratch, const gql_schema_t *schema,
    const gql_document_t *document, const prompt_str_t *rules, size_t nrules,
    gql_errors_t *errors, uint64_t *steps);

/*
 * A tree as what a resolver returns for a field whose named type is given.
 * Where that is a leaf, the result that says the same, a list or an object
 * being what is no value of it but of a custom scalar; or else an object with
 * the tree as its handle, whose __typename says of which type it is.  Lists
 * are the caller's to see.
 */
void gql_result_of_json(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_t *type, const prompt_json_t *value, gql_result_t *out);

/*
 * A result that is of another kind than its scalar, as what serialize() of
 * graphql-js turns it into ("0x10" for an Int is 16), or its error; the same
 * where it is neither.
 */
void gql_result_serialize(gql_execution_t *e, const gql_type_t *type,
    gql_result_t *out);

#endif /* PROMPT_T_LIB_GRAPHQL_H */
