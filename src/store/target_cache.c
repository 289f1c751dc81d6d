/*
 * Targets: their making, and the table of those that are kept.
 */

#include "store/target_cache.h"

#include <stdlib.h>


/* as most are */
#define PROMPT_TARGET_USUAL  8192


struct prompt_target_cache_s {
    prompt_lru_t                 lru;
    prompt_target_cache_stats_t  stats;
};


prompt_execution_known_t
prompt_target_known(const prompt_target_question_t *question)
{
    return question->label.data != NULL ? PROMPT_EXECUTION_LABELLED
                                        : PROMPT_EXECUTION_KNOWN;
}


static bool
prompt_target_text(prompt_arena_t *arena, prompt_str_t text,
    prompt_str_t *copy)
{
    *copy = prompt_str_absent;

    if (text.data == NULL) {
        return true;
    }

    *copy = prompt_arena_copy(arena, text);

    return copy->data != NULL;
}


/* JSON that was checked when it was stored; absent is NULL */
static bool
prompt_target_json(prompt_arena_t *arena, prompt_str_t text,
    unsigned max_depth, const prompt_json_t **value,
    prompt_json_error_t *error)
{
    if (text.data == NULL) {
        return true;
    }

    *value = prompt_json_read(arena, text, max_depth, error);

    return *value != NULL;
}


static bool
prompt_target_copy(prompt_target_t *target,
    const prompt_execution_target_t *row, unsigned max_depth,
    prompt_json_error_t *error)
{
    prompt_arena_t             *arena;
    prompt_execution_target_t  *copy;

    arena = target->arena;
    copy = &target->row;

    copy->updated_at = row->updated_at;
    copy->version = row->version;
    copy->set_at = row->set_at;

    return prompt_target_text(arena, row->prompt_id, &copy->prompt_id)
           && prompt_target_text(arena, row->owner_id, &copy->owner_id)
           && prompt_target_text(arena, row->content, &copy->content)
           && prompt_target_text(arena, row->params, &copy->params)
           && prompt_target_text(arena, row->input_schema, &copy->input_schema)
           && prompt_target_text(arena, row->output_schema,
                                 &copy->output_schema)
           && prompt_target_text(arena, row->messages, &copy->messages)
           && prompt_target_text(arena, row->split, &copy->split)
           && (copy->split.data == NULL
               || (prompt_target_text(arena, row->salt, &copy->salt)
                   && prompt_target_text(arena, row->slots, &copy->slots)))
           && prompt_target_json(arena, copy->split, max_depth,
                                 &target->split, error)
           && prompt_target_json(arena, copy->params, max_depth,
                                 &target->params, error)
           && prompt_target_json(arena, copy->input_schema, max_depth,
                                 &target->schema, error)
           && prompt_target_json(arena, copy->output_schema, max_depth,
                                 &target->output_schema, error)
           && prompt_target_json(arena, copy->messages, max_depth,
                                 &target->messages, error);
}


prompt_target_t *
prompt_target_create(const prompt_execution_target_t *row,
    unsigned max_depth, prompt_json_error_t *error)
{
    prompt_arena_t   *arena;
    prompt_target_t  *target;

    error->status = PROMPT_JSON_NOMEM;
    error->message = "memory is short";

    arena = prompt_arena_create(PROMPT_TARGET_MEMORY);
    if (arena == NULL) {
        return NULL;
    }

    target = prompt_arena_zalloc(arena, sizeof(prompt_target_t));

    if (target == NULL) {
        prompt_arena_destroy(arena);
        return NULL;
    }

    target->arena = arena;
    target->refs = 1;

    if (!prompt_target_copy(target, row, max_depth, error)) {
        prompt_arena_destroy(arena);
        return NULL;
    }

    return target;
}


void
prompt_target_release(prompt_target_t *target)
{
    if (target != NULL && --target->refs == 0) {
        prompt_arena_destroy(target->arena);
    }
}


/* It fell out, and lives on while somebody refers to it. */
static void
prompt_target_drop(prompt_lru_entry_t *entry)
{
    prompt_target_release((prompt_target_t *) entry);
}


prompt_target_cache_t *
prompt_target_cache_create(size_t max_bytes)
{
    prompt_target_cache_t  *cache;

    cache = calloc(1, sizeof(prompt_target_cache_t));

    if (cache != NULL
        && !prompt_lru_init(&cache->lru, max_bytes, PROMPT_TARGET_USUAL,
                            prompt_target_drop))
    {
        free(cache);
        return NULL;
    }

    return cache;
}


void
prompt_target_cache_clear(prompt_target_cache_t *cache)
{
    prompt_lru_clear(&cache->lru);
}


void
prompt_target_cache_destroy(prompt_target_cache_t *cache)
{
    if (cache != NULL) {
        prompt_lru_exit(&cache->lru);
        free(cache);
    }
}


void
prompt_target_cache_stats(const prompt_target_cache_t *cache,
    prompt_target_cache_stats_t *stats)
{
    *stats = cache->stats;
}


/* A wrong length is the caller's, and finds nothing. */
static uint64_t
prompt_target_hash(const prompt_target_cache_t *cache,
    const prompt_target_question_t *question)
{
    uintptr_t  seed;

    seed = (uintptr_t) cache;

    if (question->version.known) {
        seed += (uintptr_t) question->version.value;
    }

    if (question->label.data != NULL) {
        seed = (uintptr_t) prompt_str_hash_seeded(question->label, seed);
    }

    if (question->name.data != NULL) {
        seed = (uintptr_t) prompt_str_hash_seeded(question->name, seed);
    }

    return prompt_str_hash_seeded(question->prompt_id, seed);
}


static bool
prompt_target_is(const prompt_target_t *target,
    const prompt_target_question_t *question)
{
    prompt_str_t  id;

    id = prompt_str_of(target->prompt_id, PROMPT_UUID_LEN);

    return prompt_str_eq(id, question->prompt_id)
           && target->version.known == question->version.known
           && target->version.value == question->version.value
           && (target->name.data == NULL) == (question->name.data == NULL)
           && prompt_str_eq(target->name, question->name)
           && (target->label.data == NULL) == (question->label.data == NULL)
           && prompt_str_eq(target->label, question->label)
           && target->or_latest == question->or_latest;
}


static prompt_target_t *
prompt_target_look(const prompt_target_cache_t *cache,
    const prompt_target_question_t *question, uint64_t hash)
{
    prompt_lru_entry_t  *entry;

    entry = prompt_lru_first(&cache->lru, hash);

    while (entry != NULL
           && !prompt_target_is((prompt_target_t *) entry, question))
    {
        entry = prompt_lru_next(entry);
    }

    return (prompt_target_t *) entry;
}


static bool
prompt_target_is_of(const prompt_target_t *target, prompt_str_t user)
{
    return prompt_str_eq(target->row.owner_id, user);
}


prompt_target_t *
prompt_target_cache_find(prompt_target_cache_t *cache,
    const prompt_target_question_t *question, prompt_str_t caller,
    uint64_t now)
{
    prompt_target_t  *target;

    target = prompt_target_look(cache, question,
                                prompt_target_hash(cache, question));

    if (target == NULL
        || (!target->open && !prompt_target_is_of(target, caller))
        || now - target->since >= PROMPT_TARGET_TIME)
    {
        cache->stats.misses++;
        return NULL;
    }

    cache->stats.hits++;
    prompt_lru_use(&target->entry);
    target->refs++;

    return target;
}


prompt_target_t *
prompt_target_cache_arm(prompt_target_cache_t *cache, prompt_target_t *target,
    const prompt_target_question_t *question, int32_t version,
    prompt_str_t caller, uint64_t now)
{
    prompt_maybe_t             set_at;
    prompt_target_t           *arm;
    prompt_target_question_t   of;

    set_at = target->row.set_at;
    prompt_target_release(target);

    of = *question;
    of.version = prompt_maybe(version);

    /* it is one question */

    cache->stats.hits--;
    arm = prompt_target_cache_find(cache, &of, caller, now);

    if (arm != NULL && arm->row.set_at.value != set_at.value) {
        cache->stats.hits--;
        cache->stats.misses++;

        prompt_target_forget(arm);
        prompt_target_release(arm);

        return NULL;
    }

    return arm;
}


/* Whether another version of the same split is kept as the answer. */
static bool
prompt_target_is_beside(const prompt_target_cache_t *cache,
    const prompt_target_question_t *question, const prompt_target_t *target)
{
    const prompt_target_t  *first;

    if (target->split == NULL) {
        return false;
    }

    first = prompt_target_look(cache, question,
                               prompt_target_hash(cache, question));

    return first != NULL
           && first->row.set_at.value == target->row.set_at.value
           && first->row.version != target->row.version;
}


void
prompt_target_cache_put(prompt_target_cache_t *cache,
    const prompt_target_question_t *question, prompt_str_t caller,
    prompt_target_t *target, uint64_t now)
{
    size_t                     bytes;
    uint64_t                   hash;
    prompt_target_t           *before;
    prompt_target_question_t   of;

    of = *question;
    question = &of;

    if (question->prompt_id.len != PROMPT_UUID_LEN
        || !prompt_target_text(target->arena, question->name, &target->name)
        || !prompt_target_text(target->arena, question->label, &target->label))
    {
        return;
    }

    if (prompt_target_is_beside(cache, question, target)) {
        of.version = prompt_maybe(target->row.version);
    }

    memcpy(target->prompt_id, question->prompt_id.data, PROMPT_UUID_LEN);
    target->version = question->version;
    target->or_latest = question->or_latest;
    target->open = !prompt_target_is_of(target, caller);
    target->since = now;

    hash = prompt_target_hash(cache, question);
    before = prompt_target_look(cache, question, hash);

    if (before != NULL) {

        /* it may have been for others, and may not be any more: they ask */

        prompt_target_forget(before);
    }

    bytes = prompt_arena_used(target->arena);

    if (bytes <= PROMPT_TARGET_BYTES) {
        target->refs++;
        prompt_lru_insert(&cache->lru, &target->entry, hash, bytes);
    }
}


void
prompt_target_forget(prompt_target_t *target)
{
    if (target->entry.lru != NULL) {
        prompt_lru_remove(&target->entry);
    }
}
