/*
 * Targets: versions that are to be executed, with their JSON read, and those
 * that were executed lately, kept in memory: bounded, the least recently used
 * go first.
 *
 * A version never changes.  Which one is asked for may, and so may who is
 * allowed to execute it: whoever takes a target from here has that verified
 * by the statement that starts the execution (prompt_execution_run_t), before
 * anything comes of it.  So that nobody learns from how long that takes what
 * others execute, a target is given to its owner only, and to all once
 * somebody else was allowed to execute it.
 *
 * Targets are counted: what falls out lives as long as somebody has it.  Not
 * shared between threads.
 */

#ifndef PROMPT_STORE_TARGET_CACHE_H
#define PROMPT_STORE_TARGET_CACHE_H

#include "base/json.h"
#include "base/lru.h"
#include "store/execution.h"


/* of one target that is kept, and of any */
#define PROMPT_TARGET_BYTES   (256 * 1024)
#define PROMPT_TARGET_MEMORY  (64 * 1024 * 1024)

/* how long one is kept: what is changed by SQL shows after that */
#define PROMPT_TARGET_TIME    60000              /* ms */


typedef struct prompt_target_cache_s  prompt_target_cache_t;


/* Which version was asked for, of which prompt. */
typedef struct {
    prompt_str_t    prompt_id;       /* 16 bytes; of a name, its owner's id */
    prompt_str_t    name;            /* absent: prompt_id is the prompt's */
    prompt_maybe_t  version;
    prompt_str_t    label;           /* absent: version, or the latest; with
                                        version, if its split has that */
    bool            or_latest;       /* where the label names none */
    const prompt_execution_target_t  *draft;    /* this in the place of a
                                                   version; NULL: none */
    prompt_str_t    subject;         /* whose slot of a split it is: no part of
                                        what is looked up */
} prompt_target_question_t;


/* A version to be executed.  All of it lives in its arena. */
typedef struct {
    prompt_lru_entry_t         entry;
    unsigned                   refs;
    prompt_arena_t            *arena;

    prompt_execution_target_t  row;
    const prompt_json_t       *params;
    const prompt_json_t       *schema;       /* NULL: none */
    const prompt_json_t       *output_schema;    /* NULL: none */
    const prompt_json_t       *messages;     /* NULL: none */
    const prompt_json_t       *split;        /* NULL: none */

    /* of the cache */
    char                       prompt_id[PROMPT_UUID_LEN];
    prompt_str_t               name;
    prompt_maybe_t             version;
    prompt_str_t               label;
    bool                       or_latest;
    bool                       open;         /* to others than the owner */
    uint64_t                   since;
} prompt_target_t;


/* How what answers it is known to an execution that does not read it. */
prompt_execution_known_t prompt_target_known(
    const prompt_target_question_t *question);


/* Counted since it was created. */
typedef struct {
    uint64_t  hits;                  /* targets that were there */
    uint64_t  misses;
} prompt_target_cache_stats_t;


/*
 * A copy of a row that was read, and a reference to it; its JSON was checked
 * when it was stored, nested no deeper than that.  NULL: error says why;
 * memory is short (PROMPT_JSON_NOMEM), or what is stored is no JSON.
 */
prompt_target_t *prompt_target_create(const prompt_execution_target_t *row,
    unsigned max_depth, prompt_json_error_t *error) PROMPT_WARN_UNUSED;

/* NULL is allowed. */
void prompt_target_release(prompt_target_t *target);


/* NULL when memory is short. */
prompt_target_cache_t *prompt_target_cache_create(size_t max_bytes)
    PROMPT_WARN_UNUSED;

/* Forgets all; what is referred to stays. */
void prompt_target_cache_clear(prompt_target_cache_t *cache);

/* What is referred to stays; NULL is allowed. */
void prompt_target_cache_destroy(prompt_target_cache_t *cache);

void prompt_target_cache_stats(const prompt_target_cache_t *cache,
    prompt_target_cache_stats_t *stats);

/*
 * The target of that question for that caller: a reference, or NULL.  now: a
 * clock's milliseconds.
 */
prompt_target_t *prompt_target_cache_find(prompt_target_cache_t *cache,
    const prompt_target_question_t *question, prompt_str_t caller,
    uint64_t now) PROMPT_WARN_UNUSED;

/*
 * Another version of the split that target is of, instead of target, whose
 * reference is given back: as above.
 */
prompt_target_t *prompt_target_cache_arm(prompt_target_cache_t *cache,
    prompt_target_t *target, const prompt_target_question_t *question,
    int32_t version, prompt_str_t caller, uint64_t now) PROMPT_WARN_UNUSED;

/*
 * Keeps a target that was just read for that caller, unless it is too large or
 * memory is short.  It is no other question's yet.  Of a split there is one
 * that answers the question, and those of other versions answer that with their
 * version.
 */
void prompt_target_cache_put(prompt_target_cache_t *cache,
    const prompt_target_question_t *question, prompt_str_t caller,
    prompt_target_t *target, uint64_t now);

/* It is not the answer any more: nobody finds it from now on. */
void prompt_target_forget(prompt_target_t *target);

#endif /* PROMPT_STORE_TARGET_CACHE_H */
