/*
 * Plans in the engine's cache: a few of each document, by operation and by
 * the outcome of its conditions.
 */

#include "graphql/engine_impl.h"


/* plans of one document that are kept, for its operations and conditions */
#define GQL_ENGINE_MAX_VARIANTS  8


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


gql_variant_t *
gql_entry_plan(gql_entry_t *entry,
    const gql_operation_definition_t *operation,
    const prompt_json_t *variables, gql_errors_t *errors)
{
    prompt_str_t     outcome;
    gql_variant_t   *variant;
    gql_selected_t  *selected;

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
        if (variant != NULL) {
            gql_entry_keep(entry, variant);
        }
    }

    return variant;
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
    size_t           limit;
    uint32_t         before;
    gql_engine_t    *engine;
    gql_variant_t   *variant;
    prompt_arena_t  *arena;

    engine = entry->engine;
    before = errors->count;
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

    } else if (errors->count == before) {
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
        prompt_arena_destroy(old->arena);
        entry->nvariants--;
    }

    variant->cached = true;
    variant->next = entry->variants;
    entry->variants = variant;
    entry->nvariants++;

    gql_entry_count(entry);
}
