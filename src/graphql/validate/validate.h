/*
 * Validation of documents: executable ones (specification, section 5), and
 * SDL (section 3), in the order and the words of graphql-js.
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
 * graphql-js's validateSDL(), over a document that extends a schema or stands
 * for itself: then the schema is one that has nothing but the directives that
 * are known all the same.  rules: as above, or NULL for specifiedSDLRules.
 * errors->max is what it says, 0: no limit.
 */
bool gql_validate_sdl(prompt_arena_t *scratch, const gql_schema_t *schema,
    const gql_document_t *document, const prompt_str_t *rules, size_t nrules,
    gql_errors_t *errors);

#endif /* GQL_VALIDATE_H */
