/*
 * The engine from the inside: documents and plans as the cache keeps them.
 */

#ifndef GQL_ENGINE_IMPL_H
#define GQL_ENGINE_IMPL_H

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
    gql_engine_t        *engine;
    gql_entry_t         *chain;                  /* of its bucket */
    gql_entry_t         *newer;                  /* by use */
    gql_entry_t         *older;
    uint64_t             hash;
    const gql_limits_t  *limits;
    prompt_str_t         query;
    prompt_arena_t      *arena;                  /* the entry's own, too */
    gql_document_t      *document;
    gql_selected_t      *selected;
    gql_variant_t       *variants;
    uint32_t             nvariants;
    size_t               bytes;                  /* as counted */
    uint32_t             refs;                   /* handles */
    bool                 cached;
};


struct gql_engine_s {
    const gql_schema_t  *schema;
    size_t               max_entries;
    size_t               max_bytes;
    gql_compile_pt       compile;
    void                *data;

    gql_entry_t        **buckets;
    size_t               nbuckets;               /* a power of two */
    gql_entry_t         *newest;
    gql_entry_t         *oldest;
    gql_engine_stats_t   stats;

    size_t               handles;
    bool                 destroyed;
};


/*
 * Parses and validates a document (entry->hash is the caller's to set); NULL
 * with errors added.
 */
gql_entry_t *gql_entry_create(gql_engine_t *engine,
    const gql_limits_t *limits, prompt_str_t query, gql_errors_t *errors);

/* Frees an entry that is in no cache, its plans included. */
void gql_entry_free(gql_entry_t *entry);

/* Counts the bytes of an entry anew. */
void gql_entry_count(gql_entry_t *entry);

/*
 * The plan of an operation, found or compiled; NULL with errors added.  Where
 * it is not cached, it is the caller's to free when its last reference goes.
 */
gql_variant_t *gql_entry_plan(gql_entry_t *entry,
    const gql_operation_definition_t *operation,
    const prompt_json_t *variables, gql_errors_t *errors);
void gql_variant_free(gql_variant_t *variant);

/* the limit of the memory for a document of len bytes, or one of its plans */
size_t gql_engine_arena_limit(size_t len);

/* Such a limit was reached: says so, in place of nomem. */
void gql_engine_too_large(gql_errors_t *errors, size_t limit);

#endif /* GQL_ENGINE_IMPL_H */
