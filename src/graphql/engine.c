/*
 * Engine: the cache of documents and plans.
 *
 * Who prepares a document gets a handle, which refers to an entry and to the
 * plans that were asked for through it.  Entries and plans are counted, and
 * the cache itself is no reference: it only knows them.  What falls out of
 * the cache so lives on until its last handle is released.
 */

#include "graphql/engine_impl.h"

#include <stdlib.h>


typedef struct gql_hold_s  gql_hold_t;


/* a plan that a handle refers to */
struct gql_hold_s {
    gql_hold_t     *next;                        /* malloc()ed */
    gql_variant_t  *variant;
};


struct gql_prepared_s {
    gql_entry_t  *entry;
    gql_hold_t    hold;                          /* the first, mostly only */
};


static gql_entry_t *gql_engine_find(gql_engine_t *engine, uint64_t hash,
    const gql_limits_t *limits, prompt_str_t query);
static void gql_engine_drop(prompt_lru_entry_t *cached);
static void gql_engine_free(gql_engine_t *engine);
static bool gql_prepared_hold(gql_prepared_t *prepared,
    gql_variant_t *variant);


gql_engine_t *
gql_engine_create(const gql_schema_t *schema, size_t max_entries,
    size_t max_bytes, gql_compile_pt compile, void *data)
{
    gql_engine_t  *engine;

    engine = calloc(1, sizeof(gql_engine_t));
    if (engine == NULL) {
        return NULL;
    }

    engine->schema = schema;
    engine->max_entries = max_entries;
    engine->compile = compile;
    engine->data = data;

    /* a bucket an entry */

    if (!prompt_lru_init(&engine->lru, max_bytes,
                         max_bytes / (max_entries + 1) + 1, gql_engine_drop))
    {
        free(engine);
        return NULL;
    }

    return engine;
}


void
gql_engine_destroy(gql_engine_t *engine)
{
    if (engine == NULL) {
        return;
    }

    prompt_lru_clear(&engine->lru);
    engine->destroyed = true;

    gql_engine_free(engine);
}


/* once it is destroyed, and nobody holds anything of it */
static void
gql_engine_free(gql_engine_t *engine)
{
    if (engine->destroyed && engine->handles == 0) {
        prompt_lru_exit(&engine->lru);
        free(engine);
    }
}


void
gql_engine_stats(const gql_engine_t *engine, gql_engine_stats_t *stats)
{
    *stats = engine->stats;
    stats->bytes = engine->lru.bytes;
}


gql_prepared_t *
gql_prepare(gql_engine_t *engine, const gql_limits_t *limits,
    prompt_str_t query, gql_errors_t *errors)
{
    uint64_t         hash;
    gql_entry_t     *entry;
    gql_prepared_t  *prepared;

    hash = prompt_str_hash_seeded(query, (uintptr_t) limits);
    entry = gql_engine_find(engine, hash, limits, query);

    if (entry != NULL) {
        engine->stats.hits++;
        prompt_lru_use(&entry->cached);

    } else {
        engine->stats.misses++;
        entry = gql_entry_create(engine, limits, query, errors);

        if (entry == NULL) {
            return NULL;
        }
    }

    prepared = calloc(1, sizeof(gql_prepared_t));

    if (prepared == NULL) {
        errors->nomem = true;

        if (!gql_entry_is_cached(entry)) {
            gql_entry_free(entry);
        }

        return NULL;
    }

    prepared->entry = entry;
    entry->refs++;
    engine->handles++;

    errors->source = entry->query;

    if (!gql_entry_is_cached(entry)) {

        /* it has a handle: it stays, even where it is too large */

        engine->stats.entries++;
        prompt_lru_insert(&engine->lru, &entry->cached, hash,
                          gql_entry_bytes(entry));

        while (engine->stats.entries > engine->max_entries) {
            prompt_lru_remove(engine->lru.oldest);
        }
    }

    return prepared;
}


void
gql_prepared_release(gql_prepared_t *prepared)
{
    gql_hold_t     *hold, *next;
    gql_entry_t    *entry;
    gql_engine_t   *engine;
    gql_variant_t  *variant;

    if (prepared == NULL) {
        return;
    }

    entry = prepared->entry;
    engine = entry->engine;

    for (hold = &prepared->hold; hold != NULL; hold = next) {
        next = hold->next;
        variant = hold->variant;

        if (variant != NULL && --variant->refs == 0 && !variant->cached) {
            prompt_arena_destroy(variant->arena);
        }

        if (hold != &prepared->hold) {
            free(hold);
        }
    }

    free(prepared);

    entry->refs--;
    engine->handles--;

    if (entry->refs == 0 && !gql_entry_is_cached(entry)) {
        gql_entry_free(entry);
    }

    gql_engine_free(engine);
}


const gql_operation_definition_t *
gql_prepared_operation(const gql_prepared_t *prepared, prompt_str_t name,
    gql_errors_t *errors)
{
    return gql_document_operation(prepared->entry->document, name, errors);
}


const gql_operation_definition_t *
gql_document_operation(const gql_document_t *document, prompt_str_t name,
    gql_errors_t *errors)
{
    gql_node_t                        *node;
    const gql_operation_definition_t  *operation, *found;

    found = NULL;

    gql_list_each (node, &document->definitions) {
        if (node->kind != GQL_OPERATION_DEFINITION) {
            continue;
        }

        operation = (const gql_operation_definition_t *) node;

        if (name.data == NULL) {
            if (found != NULL) {
                gql_errors_add(errors, "Must provide operation name if query "
                               "contains multiple operations.");
                return NULL;
            }

            found = operation;

        } else if (operation->name != NULL
                   && prompt_str_eq(operation->name->value, name))
        {
            found = operation;
        }
    }

    if (found == NULL) {
        if (name.data == NULL) {
            gql_errors_add(errors, "Must provide an operation.");

        } else {
            gql_errors_add(errors, "Unknown operation named \"%.*s\".",
                           gql_error_arg(name));
        }
    }

    return found;
}


const gql_plan_t *
gql_prepared_plan(gql_prepared_t *prepared,
    const gql_operation_definition_t *operation,
    const prompt_json_t *variables, gql_errors_t *errors)
{
    gql_variant_t  *variant;

    variant = gql_entry_plan(prepared->entry, operation, variables, errors);
    if (variant == NULL) {
        return NULL;
    }

    if (!gql_prepared_hold(prepared, variant)) {
        errors->nomem = true;

        if (!variant->cached && variant->refs == 0) {
            prompt_arena_destroy(variant->arena);
        }

        return NULL;
    }

    return variant->plan;
}


static gql_entry_t *
gql_engine_find(gql_engine_t *engine, uint64_t hash,
    const gql_limits_t *limits, prompt_str_t query)
{
    gql_entry_t         *entry;
    prompt_lru_entry_t  *cached;

    for (cached = prompt_lru_first(&engine->lru, hash);
         cached != NULL;
         cached = prompt_lru_next(cached))
    {
        entry = (gql_entry_t *) cached;

        if (entry->limits == limits && prompt_str_eq(entry->query, query)) {
            return entry;
        }
    }

    return NULL;
}


static void
gql_engine_drop(prompt_lru_entry_t *cached)
{
    gql_entry_t  *entry = (gql_entry_t *) cached;

    entry->engine->stats.entries--;
    entry->engine->stats.evictions++;

    if (entry->refs == 0) {
        gql_entry_free(entry);
    }
}


/* Ties a plan to a handle, once. */
static bool
gql_prepared_hold(gql_prepared_t *prepared, gql_variant_t *variant)
{
    gql_hold_t  *hold;

    for (hold = &prepared->hold; hold != NULL; hold = hold->next) {
        if (hold->variant == variant) {
            return true;
        }
    }

    hold = &prepared->hold;

    if (hold->variant != NULL) {
        hold = malloc(sizeof(gql_hold_t));
        if (hold == NULL) {
            return false;
        }

        hold->next = prepared->hold.next;
        prepared->hold.next = hold;
    }

    hold->variant = variant;
    variant->refs++;

    return true;
}
