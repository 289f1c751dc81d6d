/*
 * Engine: the cache of documents and plans.
 *
 * Who prepares a document gets a handle, which refers to an entry and to the
 * plans that were asked for through it.  Entries and plans are counted, and
 * the cache itself is no reference: it only knows them.  What falls out of
 * the cache so lives on until its last handle is released.
 */

#include "graphql/engine.h"
#include "graphql/parser.h"
#include "graphql/validate.h"

#include <stdlib.h>


/* plans of one document that are kept, for its operations and conditions */
#define GQL_ENGINE_MAX_VARIANTS  8

/* memory for a document, and for each of its plans, by its size */
#define GQL_ENGINE_ARENA_MIN     (64 * 1024)
#define GQL_ENGINE_ARENA_FACTOR  200
#define GQL_ENGINE_ARENA_MAX     (16 * 1024 * 1024)


typedef struct gql_entry_s      gql_entry_t;
typedef struct gql_variant_s    gql_variant_t;
typedef struct gql_hold_s       gql_hold_t;
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


struct gql_hold_s {
    gql_hold_t     *next;
    gql_variant_t  *variant;
};


struct gql_prepared_s {
    gql_entry_t  *entry;
    gql_hold_t   *more;                          /* malloc()ed */
    gql_hold_t    hold;                          /* the first, mostly only */
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


static uint64_t gql_engine_hash(prompt_str_t query,
    const gql_limits_t *limits);
static size_t gql_engine_arena_limit(size_t len);
static gql_prepared_t *gql_engine_handle(gql_entry_t *entry);
static gql_entry_t *gql_engine_find(gql_engine_t *engine, uint64_t hash,
    const gql_limits_t *limits, prompt_str_t query);
static void gql_engine_use(gql_engine_t *engine, gql_entry_t *entry);
static void gql_engine_insert(gql_engine_t *engine, gql_entry_t *entry);
static void gql_engine_remove(gql_engine_t *engine, gql_entry_t *entry);
static void gql_engine_trim(gql_engine_t *engine);
static gql_entry_t *gql_entry_create(gql_engine_t *engine,
    const gql_limits_t *limits, prompt_str_t query, gql_errors_t *errors);
static bool gql_entry_parse(gql_entry_t *entry, gql_errors_t *errors);
static bool gql_entry_validate(gql_entry_t *entry, gql_errors_t *errors);
static void gql_entry_free(gql_entry_t *entry);
static void gql_entry_count(gql_entry_t *entry);
static void gql_engine_too_large(gql_errors_t *errors, size_t limit);
static gql_selected_t *gql_entry_select(gql_entry_t *entry,
    const gql_operation_definition_t *operation, gql_errors_t *errors);
static prompt_str_t gql_engine_outcome(const gql_selected_t *selected,
    const prompt_json_t *variables, prompt_arena_t *arena);
static gql_variant_t *gql_entry_variant(gql_entry_t *entry,
    const gql_operation_definition_t *operation, prompt_str_t outcome);
static gql_variant_t *gql_variant_compile(gql_entry_t *entry,
    const gql_operation_definition_t *operation, prompt_str_t outcome,
    const prompt_json_t *variables, gql_errors_t *errors);
static void gql_entry_keep(gql_entry_t *entry, gql_variant_t *variant);
static void gql_variant_free(gql_variant_t *variant);
static bool gql_prepared_hold(gql_prepared_t *prepared,
    gql_variant_t *variant);
static void gql_hold_release(gql_hold_t *hold);


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
    engine->max_bytes = max_bytes;
    engine->compile = compile;
    engine->data = data;
    engine->nbuckets = 16;

    while (engine->nbuckets < max_entries
           && engine->nbuckets < SIZE_MAX / 4 / sizeof(gql_entry_t *))
    {
        engine->nbuckets *= 2;
    }

    engine->buckets = calloc(engine->nbuckets, sizeof(gql_entry_t *));
    if (engine->buckets == NULL) {
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

    while (engine->oldest != NULL) {
        gql_engine_remove(engine, engine->oldest);
    }

    engine->max_entries = 0;
    engine->destroyed = true;

    if (engine->handles == 0) {
        free(engine->buckets);
        free(engine);
    }
}


void
gql_engine_stats(const gql_engine_t *engine, gql_engine_stats_t *stats)
{
    *stats = engine->stats;
}


gql_prepared_t *
gql_prepare(gql_engine_t *engine, const gql_limits_t *limits,
    prompt_str_t query, gql_errors_t *errors)
{
    uint64_t         hash;
    gql_entry_t     *entry;
    gql_prepared_t  *prepared;

    hash = gql_engine_hash(query, limits);
    entry = gql_engine_find(engine, hash, limits, query);

    if (entry != NULL) {
        engine->stats.hits++;
        gql_engine_use(engine, entry);

    } else {
        engine->stats.misses++;
        entry = gql_entry_create(engine, limits, query, errors);

        if (entry == NULL) {
            return NULL;
        }

        entry->hash = hash;
        gql_engine_insert(engine, entry);
    }

    prepared = gql_engine_handle(entry);

    if (prepared == NULL) {
        errors->nomem = true;

        if (!entry->cached) {
            gql_entry_free(entry);
        }

        return NULL;
    }

    errors->source = entry->query;
    gql_engine_trim(engine);

    return prepared;
}


void
gql_prepared_release(gql_prepared_t *prepared)
{
    gql_hold_t    *hold, *next;
    gql_entry_t   *entry;
    gql_engine_t  *engine;

    if (prepared == NULL) {
        return;
    }

    entry = prepared->entry;
    engine = entry->engine;

    gql_hold_release(&prepared->hold);

    for (hold = prepared->more; hold != NULL; hold = next) {
        next = hold->next;
        gql_hold_release(hold);
        free(hold);
    }

    free(prepared);

    entry->refs--;
    engine->handles--;

    if (entry->refs == 0 && !entry->cached) {
        gql_entry_free(entry);
    }

    if (engine->destroyed && engine->handles == 0) {
        free(engine->buckets);
        free(engine);
    }
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
                           prompt_str_arg(name));
        }
    }

    return found;
}


const gql_plan_t *
gql_prepared_plan(gql_prepared_t *prepared,
    const gql_operation_definition_t *operation,
    const prompt_json_t *variables, gql_errors_t *errors)
{
    gql_entry_t     *entry;
    prompt_str_t     outcome;
    gql_variant_t   *variant;
    gql_selected_t  *selected;

    entry = prepared->entry;

    selected = gql_entry_select(entry, operation, errors);
    if (selected == NULL) {
        return NULL;
    }

    outcome = gql_engine_outcome(selected, variables, errors->arena);
    if (outcome.data == NULL) {
        errors->nomem = true;
        return NULL;
    }

    variant = gql_entry_variant(entry, operation, outcome);

    if (variant == NULL) {
        variant = gql_variant_compile(entry, operation, outcome, variables,
                                      errors);
        if (variant == NULL) {
            return NULL;
        }

        gql_entry_keep(entry, variant);
    }

    if (!gql_prepared_hold(prepared, variant)) {
        errors->nomem = true;

        if (!variant->cached && variant->refs == 0) {
            gql_variant_free(variant);
        }

        return NULL;
    }

    gql_engine_trim(entry->engine);

    return variant->plan;
}


/*
 * Not against collisions by intent: those only share a bucket, of which there
 * are as many as entries.
 */

static uint64_t
gql_engine_hash(prompt_str_t query, const gql_limits_t *limits)
{
    size_t    n;
    uint64_t  h, word;

    h = ((uint64_t) (uintptr_t) limits ^ query.len) * 0x9e3779b97f4a7c15u;

    while (query.len != 0) {
        n = query.len < sizeof(word) ? query.len : sizeof(word);
        word = 0;
        memcpy(&word, query.data, n);

        h = (h ^ word) * 0xd6e8feb86659fd93u;
        h ^= h >> 32;

        query.data += n;
        query.len -= n;
    }

    return h;
}


static size_t
gql_engine_arena_limit(size_t len)
{
    if (len > (GQL_ENGINE_ARENA_MAX - GQL_ENGINE_ARENA_MIN)
              / GQL_ENGINE_ARENA_FACTOR)
    {
        return GQL_ENGINE_ARENA_MAX;
    }

    return GQL_ENGINE_ARENA_MIN + len * GQL_ENGINE_ARENA_FACTOR;
}


static gql_prepared_t *
gql_engine_handle(gql_entry_t *entry)
{
    gql_prepared_t  *prepared;

    prepared = calloc(1, sizeof(gql_prepared_t));
    if (prepared == NULL) {
        return NULL;
    }

    prepared->entry = entry;
    entry->refs++;
    entry->engine->handles++;

    return prepared;
}


static gql_entry_t *
gql_engine_find(gql_engine_t *engine, uint64_t hash,
    const gql_limits_t *limits, prompt_str_t query)
{
    gql_entry_t  *entry;

    entry = engine->buckets[hash & (engine->nbuckets - 1)];

    while (entry != NULL
           && (entry->hash != hash || entry->limits != limits
               || !prompt_str_eq(entry->query, query)))
    {
        entry = entry->chain;
    }

    return entry;
}


/* Moves an entry to the front. */

static void
gql_engine_use(gql_engine_t *engine, gql_entry_t *entry)
{
    if (entry == engine->newest) {
        return;
    }

    /* it is not the newest, so there is a newer one */

    entry->newer->older = entry->older;

    if (entry->older != NULL) {
        entry->older->newer = entry->newer;
    } else {
        engine->oldest = entry->newer;
    }

    entry->newer = NULL;
    entry->older = engine->newest;
    engine->newest->newer = entry;
    engine->newest = entry;
}


static void
gql_engine_insert(gql_engine_t *engine, gql_entry_t *entry)
{
    gql_entry_t  **bucket;

    bucket = &engine->buckets[entry->hash & (engine->nbuckets - 1)];

    entry->chain = *bucket;
    *bucket = entry;

    entry->newer = NULL;
    entry->older = engine->newest;

    if (engine->newest != NULL) {
        engine->newest->newer = entry;
    } else {
        engine->oldest = entry;
    }

    engine->newest = entry;
    entry->cached = true;

    engine->stats.entries++;
    engine->stats.bytes += entry->bytes;
}


static void
gql_engine_remove(gql_engine_t *engine, gql_entry_t *entry)
{
    gql_entry_t  **link;

    link = &engine->buckets[entry->hash & (engine->nbuckets - 1)];

    while (*link != entry) {
        link = &(*link)->chain;
    }

    *link = entry->chain;

    if (entry->newer != NULL) {
        entry->newer->older = entry->older;
    } else {
        engine->newest = entry->older;
    }

    if (entry->older != NULL) {
        entry->older->newer = entry->newer;
    } else {
        engine->oldest = entry->newer;
    }

    entry->cached = false;

    engine->stats.entries--;
    engine->stats.bytes -= entry->bytes;

    if (entry->refs == 0) {
        gql_entry_free(entry);
    }
}


static void
gql_engine_trim(gql_engine_t *engine)
{
    while (engine->oldest != NULL
           && (engine->stats.entries > engine->max_entries
               || engine->stats.bytes > engine->max_bytes))
    {
        gql_engine_remove(engine, engine->oldest);
    }
}


static gql_entry_t *
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
        prompt_arena_destroy(arena);
        return NULL;
    }

    if (!gql_entry_parse(entry, errors)
        || !gql_entry_validate(entry, errors))
    {
        prompt_arena_destroy(arena);
        return NULL;
    }

    gql_entry_count(entry);

    return entry;
}


static bool
gql_entry_parse(gql_entry_t *entry, gql_errors_t *errors)
{
    gql_parse_options_t  options;

    memset(&options, 0, sizeof(options));
    options.max_tokens = entry->limits->tokens;

    entry->document = gql_parse(entry->arena, entry->query, &options, errors);

    if (entry->document == NULL) {
        if (prompt_arena_exhausted(entry->arena)) {
            gql_engine_too_large(errors,
                                 gql_engine_arena_limit(entry->query.len));
        }

        return false;
    }

    return true;
}


static bool
gql_entry_validate(gql_entry_t *entry, gql_errors_t *errors)
{
    size_t                limit;
    uint32_t              before;
    prompt_arena_t       *scratch;
    const gql_schema_t   *schema;

    static const prompt_str_t  no_introspection =
        prompt_str_init("NoSchemaIntrospectionCustomRule");

    schema = entry->engine->schema;
    before = errors->count;

    limit = 2 * gql_engine_arena_limit(entry->query.len);

    scratch = prompt_arena_create(limit);
    if (scratch == NULL) {
        errors->nomem = true;
        return false;
    }

    if (gql_validate(scratch, schema, entry->document, NULL, 0, errors)
        && errors->count == before && !entry->limits->introspection)
    {
        (void) gql_validate(scratch, schema, entry->document,
                            &no_introspection, 1, errors);
    }

    if (prompt_arena_exhausted(scratch)) {
        gql_engine_too_large(errors, limit);
    }

    prompt_arena_destroy(scratch);

    return errors->count == before && !errors->nomem;
}


static void
gql_entry_free(gql_entry_t *entry)
{
    gql_variant_t  *variant, *next;

    for (variant = entry->variants; variant != NULL; variant = next) {
        next = variant->next;
        gql_variant_free(variant);
    }

    prompt_arena_destroy(entry->arena);
}


/* Counts the bytes of an entry anew. */

static void
gql_entry_count(gql_entry_t *entry)
{
    size_t          bytes;
    gql_variant_t  *variant;

    bytes = prompt_arena_used(entry->arena);

    for (variant = entry->variants; variant != NULL; variant = variant->next) {
        bytes += variant->bytes;
    }

    if (entry->cached) {
        entry->engine->stats.bytes += bytes - entry->bytes;
    }

    entry->bytes = bytes;
}


/* The arena of a document or plan gave out: says so, in place of nomem. */

static void
gql_engine_too_large(gql_errors_t *errors, size_t limit)
{
    if (prompt_arena_exhausted(errors->arena)) {
        return;
    }

    errors->nomem = false;

    gql_errors_add(errors, "Document is too complex: it takes more than %zu "
                   "bytes of memory.", limit);
}


static gql_selected_t *
gql_entry_select(gql_entry_t *entry,
    const gql_operation_definition_t *operation, gql_errors_t *errors)
{
    gql_selected_t  *selected;

    for (selected = entry->selected; selected != NULL;
         selected = selected->next)
    {
        if (selected->operation == operation) {
            return selected;
        }
    }

    selected = prompt_arena_zalloc(entry->arena, sizeof(gql_selected_t));

    if (selected != NULL) {
        selected->count = gql_conditions(entry->arena, entry->document,
                                         operation, &selected->names);
    }

    if (selected == NULL || selected->count < 0) {
        errors->nomem = true;

        if (prompt_arena_exhausted(entry->arena)) {
            gql_engine_too_large(errors,
                                 gql_engine_arena_limit(entry->query.len));
        }

        return NULL;
    }

    selected->operation = operation;
    selected->next = entry->selected;
    entry->selected = selected;

    gql_entry_count(entry);

    return selected;
}


/* a letter for the value of each variable; absent when memory is short */

static prompt_str_t
gql_engine_outcome(const gql_selected_t *selected,
    const prompt_json_t *variables, prompt_arena_t *arena)
{
    int                   i;
    char                 *text;
    const prompt_json_t  *value;

    if (selected->count == 0) {
        return prompt_str("");
    }

    text = prompt_arena_alloc(arena, (size_t) selected->count);
    if (text == NULL) {
        return prompt_str_absent;
    }

    for (i = 0; i < selected->count; i++) {
        value = prompt_json_get(variables, selected->names[i]);

        if (value == NULL) {
            text[i] = '-';

        } else if (value->type == PROMPT_JSON_BOOLEAN) {
            text[i] = value->boolean ? 't' : 'f';

        } else {
            text[i] = 'n';
        }
    }

    return prompt_str_of(text, (size_t) selected->count);
}


/* Finds a plan, and moves it to the front. */

static gql_variant_t *
gql_entry_variant(gql_entry_t *entry,
    const gql_operation_definition_t *operation, prompt_str_t outcome)
{
    gql_variant_t  **link, *variant;

    for (link = &entry->variants; *link != NULL; link = &(*link)->next) {
        variant = *link;

        if (variant->operation == operation
            && prompt_str_eq(variant->outcome, outcome))
        {
            *link = variant->next;
            variant->next = entry->variants;
            entry->variants = variant;
            return variant;
        }
    }

    return NULL;
}


static gql_variant_t *
gql_variant_compile(gql_entry_t *entry,
    const gql_operation_definition_t *operation, prompt_str_t outcome,
    const prompt_json_t *variables, gql_errors_t *errors)
{
    size_t          limit;
    gql_engine_t   *engine;
    gql_variant_t  *variant;
    prompt_arena_t *arena;

    engine = entry->engine;
    limit = gql_engine_arena_limit(entry->query.len);

    arena = prompt_arena_create(limit);
    if (arena == NULL) {
        errors->nomem = true;
        return NULL;
    }

    variant = prompt_arena_zalloc(arena, sizeof(gql_variant_t));

    if (variant != NULL) {
        variant->arena = arena;
        variant->operation = operation;
        variant->outcome = prompt_arena_copy(arena, outcome);
        variant->plan = gql_plan_compile(arena, engine->schema,
                                         entry->document, operation,
                                         variables, errors);
    }

    if (variant != NULL && variant->plan != NULL
        && variant->outcome.data != NULL
        && (engine->compile == NULL
            || engine->compile(engine->data, variant->plan)))
    {
        variant->bytes = prompt_arena_used(arena);
        return variant;
    }

    if (prompt_arena_exhausted(arena)) {
        gql_engine_too_large(errors, limit);

    } else if (errors->count == 0) {
        errors->nomem = true;
    }

    prompt_arena_destroy(arena);

    return NULL;
}


/*
 * Puts a plan into the cache, in place of the one not used for longest.  Where
 * all are in use it stays outside, and goes with its handle.
 */

static void
gql_entry_keep(gql_entry_t *entry, gql_variant_t *variant)
{
    gql_variant_t  **link, **unused, *old;

    if (entry->nvariants == GQL_ENGINE_MAX_VARIANTS) {
        unused = NULL;

        for (link = &entry->variants; *link != NULL; link = &(*link)->next) {
            if ((*link)->refs == 0) {
                unused = link;
            }
        }

        if (unused == NULL) {
            return;
        }

        old = *unused;
        *unused = old->next;
        gql_variant_free(old);
        entry->nvariants--;
    }

    variant->cached = true;
    variant->next = entry->variants;
    entry->variants = variant;
    entry->nvariants++;

    gql_entry_count(entry);
}


static void
gql_variant_free(gql_variant_t *variant)
{
    prompt_arena_destroy(variant->arena);
}


/* Ties a plan to a handle, once. */

static bool
gql_prepared_hold(gql_prepared_t *prepared, gql_variant_t *variant)
{
    gql_hold_t  *hold;

    if (prepared->hold.variant == NULL) {
        prepared->hold.variant = variant;
        variant->refs++;
        return true;
    }

    if (prepared->hold.variant == variant) {
        return true;
    }

    for (hold = prepared->more; hold != NULL; hold = hold->next) {
        if (hold->variant == variant) {
            return true;
        }
    }

    hold = malloc(sizeof(gql_hold_t));
    if (hold == NULL) {
        return false;
    }

    hold->variant = variant;
    hold->next = prepared->more;
    prepared->more = hold;
    variant->refs++;

    return true;
}


static void
gql_hold_release(gql_hold_t *hold)
{
    if (hold->variant == NULL) {
        return;
    }

    hold->variant->refs--;

    if (hold->variant->refs == 0 && !hold->variant->cached) {
        gql_variant_free(hold->variant);
    }
}
