/*
 * Validation of executable documents (specification, section 5), and of SDL.
 */

#ifndef GQL_VALIDATE_H
#define GQL_VALIDATE_H

#include "graphql/syntax/ast.h"
#include "graphql/syntax/error.h"
#include "graphql/types/schema.h"


/* as graphql-js: a document gets at most so many errors */
#define GQL_VALIDATE_MAX_ERRORS   100

/* graphql-js's budget of comparisons, see overlapping.c */
#define GQL_VALIDATE_COMPARISONS  500000

/* as errors->max: not even one */
#define GQL_VALIDATE_NO_ERRORS   UINT32_MAX


/*
 * Adds an error for each violation, in the order and the words of graphql-js.
 * rules: names of the rules to run ("FieldsOnCorrectTypeRule"), or NULL for
 * specifiedRules; unknown names return false.  scratch is for what does not
 * outlive the call.  errors->max 0 means GQL_VALIDATE_MAX_ERRORS; the error
 * that says so is added as graphql-js does.
 */
bool gql_validate(prompt_arena_t *scratch, const gql_schema_t *schema,
    const gql_document_t *document, const prompt_str_t *rules, size_t nrules,
    gql_errors_t *errors);

/*
 * The same with the rules of specifiedRules and less patience: at most so many
 * comparisons of fields that answer under the same key, where graphql-js
 * allows GQL_VALIDATE_COMPARISONS.  A document that uses up a budget is not
 * refused with graphql-js's "Validation aborted." but told which one.
 */
void gql_validate_within(prompt_arena_t *scratch, const gql_schema_t *schema,
    const gql_document_t *document, uint32_t comparisons,
    gql_errors_t *errors);

/*
 * The same as gql_validate(), and how many steps it took (nodes entered, fields
 * and fragments compared, variables looked at): for tests that the work is
 * bounded.
 */
bool gql_validate_counting(prompt_arena_t *scratch, const gql_schema_t *schema,
    const gql_document_t *document, const prompt_str_t *rules, size_t nrules,
    gql_errors_t *errors, uint64_t *steps);

/*
 * graphql-js's validateSDL(): the SDL rules over a document, which extends
 * base where that is not NULL.  directives are those that are known beside
 * the document's own.  rules as above; their order is that of errors at one
 * place.
 */
bool gql_sdl_validate(prompt_arena_t *scratch, const gql_document_t *document,
    const gql_schema_t *base, gql_directive_def_t *const *directives,
    uint32_t ndirectives, const prompt_str_t *rules, size_t nrules,
    gql_errors_t *errors);

#endif /* GQL_VALIDATE_H */
