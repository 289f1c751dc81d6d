/*
 * Engine: documents and their plans, compiled once and found again.
 *
 * The cache belongs to a worker.  It is bounded in entries and bytes; the
 * least recently used entry goes first.  An entry that is in use stays alive
 * until it is released, evicted or not.
 */

#ifndef GQL_ENGINE_H
#define GQL_ENGINE_H

#include "graphql/limits.h"
#include "graphql/execute/execute.h"
#include "graphql/execute/plan.h"


typedef struct gql_engine_s    gql_engine_t;
typedef struct gql_prepared_s  gql_prepared_t;


/*
 * Called once for each plan that is compiled, before it is used: the embedder
 * hangs its own preparations (statements) onto plan fields, in plan->arena.
 * False: memory is short.
 */
typedef bool (*gql_compile_pt)(void *data, gql_plan_t *plan);


gql_engine_t *gql_engine_create(const gql_schema_t *schema,
    size_t max_entries, size_t max_bytes, gql_compile_pt compile, void *data)
    PROMPT_WARN_UNUSED;
void gql_engine_destroy(gql_engine_t *engine);

/*
 * Parses and validates query, or finds it done.  A document is looked at
 * again for other limits; they are told apart by their address, so equal ones
 * should be one, and stay.
 * Returns a reference for gql_prepared_release(), or NULL with errors added
 * (whose memory is errors->arena); errors->source is set to what locations
 * are counted in.
 */
gql_prepared_t *gql_prepare(gql_engine_t *engine, const gql_limits_t *limits,
    prompt_str_t query, gql_errors_t *errors) PROMPT_WARN_UNUSED;
void gql_prepared_release(gql_prepared_t *prepared);

/*
 * GetOperation (specification 6.1): name absent: the only one.  NULL with one
 * error added.
 */
const gql_operation_definition_t *gql_prepared_operation(
    const gql_prepared_t *prepared, prompt_str_t name, gql_errors_t *errors)
    PROMPT_WARN_UNUSED;

/* the same for a document that no engine prepared */
const gql_operation_definition_t *gql_document_operation(
    const gql_document_t *document, prompt_str_t name, gql_errors_t *errors)
    PROMPT_WARN_UNUSED;

/*
 * The plan of an operation for these (coerced) variables, compiled or found.
 * It lives until this reference of prepared is released.  NULL: memory, or
 * the limit of a plan's size (an error is added, or errors->nomem set).
 */
const gql_plan_t *gql_prepared_plan(gql_prepared_t *prepared,
    const gql_operation_definition_t *operation,
    const prompt_json_t *variables, gql_errors_t *errors) PROMPT_WARN_UNUSED;

/*
 * Documents found, not found, and put out for others; entries and bytes now.
 */
typedef struct {
    uint64_t  hits;
    uint64_t  misses;
    uint64_t  evictions;
    size_t    entries;
    size_t    bytes;
} gql_engine_stats_t;

void gql_engine_stats(const gql_engine_t *engine, gql_engine_stats_t *stats);

#endif /* GQL_ENGINE_H */
