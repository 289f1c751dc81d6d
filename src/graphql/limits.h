/*
 * Limits of one document: what a request may ask for at most.
 *
 * Validation says whether a document makes sense, these say whether it is
 * wanted.  Everything is counted without looking at data or variables, in
 * time linear in the document: each fragment once, however often it is
 * spread.
 */

#ifndef GQL_LIMITS_H
#define GQL_LIMITS_H

#include "graphql/syntax/ast.h"
#include "graphql/syntax/error.h"
#include "graphql/types/schema.h"


/*
 * Complexity: 1 for each field, and for a list what is below it as often as
 * the list may be long: the integer given for its argument "first", "last" or
 * "limit", or else the default of that; where that is a variable, or there is
 * none, one of these.  Lists of introspection count once: they are as long as
 * the schema is, whoever asks.
 */
#define GQL_LIMITS_LIST             10
#define GQL_LIMITS_LIST_VARIABLE    100
#define GQL_LIMITS_LIST_MAX         1000


/* 0: no limit; gql_limits_check() says what each counts */
typedef struct {
    uint32_t  tokens;
    uint32_t  depth;
    uint32_t  aliases;
    uint32_t  root_fields;           /* of a query or subscription */
    uint32_t  mutation_fields;       /* root fields of a mutation */
    uint32_t  directives;
    uint32_t  complexity;
    bool      introspection;         /* __schema and __type are allowed */
} gql_limits_t;


/*
 * Adds an error for each limit that the document exceeds, with the limit and
 * the value in its message, at the operation: for directives of the whole
 * document, for the others of the first operation that exceeds any.
 *
 *   depth            of fields, the root fields being 1 deep
 *   aliases          as often as fragments with them are spread
 *   root_fields, mutation_fields
 *                    different response keys at the root
 *   directives       used in the document
 *   complexity       see above
 *
 * tokens are the parser's to count, introspection is a rule of validation.
 * The document is expected to be valid, which bounds what is counted; one
 * that is not does no harm.  arena is for what does not outlive the call;
 * where it gives out errors->nomem is set.
 */
void gql_limits_check(prompt_arena_t *arena, const gql_limits_t *limits,
    const gql_schema_t *schema, const gql_document_t *document,
    gql_errors_t *errors);

#endif /* GQL_LIMITS_H */
