/*
 * Validation of documents (specification, section 5), in the order and the
 * words of graphql-js.
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
 * Adds an error for each violation of graphql-js's specifiedRules.  Fields that
 * answer under the same key may take so many comparisons, where graphql-js
 * allows GQL_VALIDATE_COMPARISONS; a document that uses up a budget is not
 * refused with graphql-js's "Validation aborted." but told which one.
 * introspection: whether __schema and __type may be asked for; where nothing
 * else is wrong, an error for each field that does.
 *
 * scratch is for what does not outlive the call.  errors->max 0 means
 * GQL_VALIDATE_MAX_ERRORS; the error that says so is added as graphql-js does.
 */
void gql_validate_within(prompt_arena_t *scratch, const gql_schema_t *schema,
    const gql_document_t *document, uint32_t comparisons, bool introspection,
    gql_errors_t *errors);

#endif /* GQL_VALIDATE_H */
