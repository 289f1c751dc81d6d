/*
 * Documents in the engine's cache: parsed and validated, each in an arena of
 * its own.
 */

#include "graphql/engine_impl.h"
#include "graphql/limits.h"
#include "graphql/syntax/parser.h"
#include "graphql/validate/validate.h"


/* memory for a document, and for each of its plans, by its size */
#define GQL_ENGINE_ARENA_MIN     (64 * 1024)
#define GQL_ENGINE_ARENA_FACTOR  200
#define GQL_ENGINE_ARENA_MAX     (16 * 1024 * 1024)

/*
 * Of fields that answer under one key, see gql_validate_within(): 100,000
 * pairs of fields.  Client libraries repeat a field a few times; two fifths of
 * what graphql-js allows are some milliseconds.
 */
#define GQL_ENGINE_COMPARISONS   200000


static bool gql_entry_validate(gql_entry_t *entry, gql_errors_t *errors);


gql_entry_t *
gql_entry_create(gql_engine_t *engine, const gql_limits_t *limits,
    prompt_str_t query, gql_errors_t *errors)
{
    gql_entry_t     *entry;
    prompt_arena_t  *arena;

    errors->source = query;

    arena = prompt_arena_create(gql_engine_arena_limit(query.len));
    if (arena == NULL) {
        errors->nomem = true;
        return NULL;
    }

    entry = prompt_arena_zalloc(arena, sizeof(gql_entry_t));

    if (entry == NULL) {
        errors->nomem = true;
        prompt_arena_destroy(arena);
        return NULL;
    }

    entry->engine = engine;
    entry->limits = limits;
    entry->arena = arena;
    entry->query = prompt_arena_copy(arena, query);

    if (entry->query.data == NULL) {
        errors->nomem = true;

    } else {
        entry->document = gql_parse(arena, entry->query, limits->tokens,
                                    errors);

        if (entry->document == NULL && prompt_arena_exhausted(arena)) {
            gql_engine_too_large(errors, gql_engine_arena_limit(query.len));
        }
    }

    if (entry->document == NULL || !gql_entry_validate(entry, errors)) {
        prompt_arena_destroy(arena);
        return NULL;
    }

    return entry;
}


static bool
gql_entry_validate(gql_entry_t *entry, gql_errors_t *errors)
{
    size_t                limit;
    uint32_t              before;
    prompt_arena_t       *scratch;
    const gql_schema_t   *schema;

    schema = entry->engine->schema;
    before = errors->count;

    limit = 2 * gql_engine_arena_limit(entry->query.len);

    scratch = prompt_arena_create(limit);
    if (scratch == NULL) {
        errors->nomem = true;
        return false;
    }

    gql_validate_within(scratch, schema, entry->document,
                        GQL_ENGINE_COMPARISONS, entry->limits->introspection,
                        errors);

    if (errors->count == before && !errors->nomem) {
        gql_limits_check(scratch, entry->limits, schema, entry->document,
                         errors);
    }

    if (prompt_arena_exhausted(scratch)) {
        gql_engine_too_large(errors, limit);
    }

    prompt_arena_destroy(scratch);

    return errors->count == before && !errors->nomem;
}


void
gql_entry_free(gql_entry_t *entry)
{
    gql_variant_t  *variant, *next;

    for (variant = entry->variants; variant != NULL; variant = next) {
        next = variant->next;
        prompt_arena_destroy(variant->arena);
    }

    prompt_arena_destroy(entry->arena);
}


size_t
gql_entry_bytes(const gql_entry_t *entry)
{
    size_t                bytes;
    const gql_variant_t  *variant;

    bytes = prompt_arena_used(entry->arena);

    for (variant = entry->variants; variant != NULL; variant = variant->next) {
        bytes += variant->bytes;
    }

    return bytes;
}


void
gql_entry_count(gql_entry_t *entry)
{
    /* where it has become smaller, the difference wraps, as do the sums */

    if (gql_entry_is_cached(entry)) {
        prompt_lru_grow(&entry->cached,
                        gql_entry_bytes(entry) - entry->cached.bytes);
    }
}


void
gql_engine_too_large(gql_errors_t *errors, size_t limit)
{
    if (prompt_arena_exhausted(errors->arena)) {
        return;
    }

    errors->nomem = false;

    gql_errors_add(errors, "Document is too complex: it takes more than %zu "
                   "bytes of memory.", limit);
}


size_t
gql_engine_arena_limit(size_t len)
{
    if (len > (GQL_ENGINE_ARENA_MAX - GQL_ENGINE_ARENA_MIN)
              / GQL_ENGINE_ARENA_FACTOR)
    {
        return GQL_ENGINE_ARENA_MAX;
    }

    return GQL_ENGINE_ARENA_MIN + len * GQL_ENGINE_ARENA_FACTOR;
}
