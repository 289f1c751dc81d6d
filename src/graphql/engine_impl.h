/*
 * The engine from the inside: documents and plans as the cache keeps them.
 */

#ifndef GQL_ENGINE_IMPL_H
#define GQL_ENGINE_IMPL_H

#include "base/lru.h"
#include "graphql/engine.h"


typedef struct gql_entry_s      gql_entry_t;
typedef struct gql_variant_s    gql_variant_t;
typedef struct gql_selected_s   gql_selected_t;


/* an operation that was asked for, and what its plans depend on */
struct gql_selected_s {
    gql_selected_t                    *next;
    const gql_operation_definition_t  *operation;
    prompt_str_t                      *names;
    int                                count;
};


/* a plan for one outcome of the conditions */
struct gql_variant_s {
    gql_variant_t                     *next;     /* in the entry, used last
                                                    first */
    prompt_arena_t                    *arena;
    const gql_operation_definition_t  *operation;
    prompt_str_t                       outcome;
    gql_plan_t                        *plan;
    size_t                             bytes;
    uint32_t                           refs;     /* handles */
    bool                               cached;   /* in the entry */
};


struct gql_entry_s {
    prompt_lru_entry_t   cached;                 /* first; in engine->lru, or
                                                    in no table any more */
    gql_engine_t        *engine;
    const gql_limits_t  *limits;
    prompt_str_t         query;
    prompt_arena_t      *arena;                  /* the entry's own, too */
    gql_document_t      *document;
    gql_selected_t      *selected;
    gql_variant_t       *variants;
    uint32_t             nvariants;
    uint32_t             refs;                   /* handles */
};


struct gql_engine_s {
    const gql_schema_t  *schema;
    size_t               max_entries;
    gql_compile_pt       compile;
    void                *data;

    prompt_lru_t         lru;
    gql_engine_stats_t   stats;                  /* its bytes are lru's */

    size_t               handles;
    bool                 destroyed;
};


/* Parses and validates a document; NULL with errors added. */
gql_entry_t *gql_entry_create(gql_engine_t *engine,
    const gql_limits_t *limits, prompt_str_t query, gql_errors_t *errors);

/* Frees an entry that is in no cache, its plans included. */
void gql_entry_free(gql_entry_t *entry);

/* the bytes of an entry, plans included */
size_t gql_entry_bytes(const gql_entry_t *entry);

/* Counts them anew; the entry, and others, may fall out of the cache. */
void gql_entry_count(gql_entry_t *entry);

static inline bool
gql_entry_is_cached(const gql_entry_t *entry)
{
    return entry->cached.lru != NULL;
}

/*
 * The plan of an operation, found or compiled; NULL with errors added.  Where
 * it is not cached, the caller destroys its arena when its last reference goes.
 */
gql_variant_t *gql_entry_plan(gql_entry_t *entry,
    const gql_operation_definition_t *operation,
    const prompt_json_t *variables, gql_errors_t *errors);

/* the limit of the memory for a document of len bytes, or one of its plans */
size_t gql_engine_arena_limit(size_t len);

/* Such a limit was reached: says so, in place of nomem. */
void gql_engine_too_large(gql_errors_t *errors, size_t limit);

#endif /* GQL_ENGINE_IMPL_H */
