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
 * Defaults.  The introspection queries of the usual tools (GraphiQL, Apollo,
 * code generators: getIntrospectionQuery() with nine levels of ofType) have
 * some 350 tokens, a depth of 15, neither aliases nor directives, one root
 * field and a complexity below 500; what people write by hand is smaller.
 *
 * tokens: 10,000 are read in about a millisecond, and hold any document that
 * a client library makes; every other work on a document grows with them.
 */
#define GQL_LIMITS_TOKENS           10000

/* 15 for introspection, and some; the deepest of schema.graphql is 4 */
#define GQL_LIMITS_DEPTH            20

/*
 * Aliases ask for one thing many times over, by other arguments: the way to
 * try many keys, or to make one request as dear as a thousand.
 */
#define GQL_LIMITS_ALIASES          30

/* each is an operation on the database, side by side with the others */
#define GQL_LIMITS_ROOT_FIELDS      15

/* each is a transaction, or a call of a provider, one after the other */
#define GQL_LIMITS_MUTATION_FIELDS  5

/* @skip and @include, mostly; every condition may double the plans */
#define GQL_LIMITS_DIRECTIVES       100

/*
 * About so many values in an answer.  All of one's prompts with all versions
 * and a hundred executions of each, every field of them, is 131,000 by the
 * count below.
 */
#define GQL_LIMITS_COMPLEXITY       250000


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
