/*
 * Versions that were read, kept in memory: bounded, the least recently used
 * go first.
 *
 * A version never changes, no number is taken twice, and whatever adds one
 * moves its prompt's updated_at.  So the versions of a prompt are known by its
 * id, last_version and updated_at.  Who asks has just read these, with the
 * right to: nothing here says who may see what.
 *
 * What is kept of a prompt is all of its versions, with some of their columns,
 * and texts that were made of them.  Whoever is given it holds a reference: it
 * stays as it is until that is released, whatever falls out meanwhile.  Not
 * shared between threads.
 */

#ifndef PROMPT_STORE_VERSION_CACHE_H
#define PROMPT_STORE_VERSION_CACHE_H

#include "store/prompt.h"
#include "store/version.h"


/* of one prompt: bytes of its versions, and of them with their texts */
#define PROMPT_KEPT_BYTES       (256 * 1024)
#define PROMPT_KEPT_BYTES_ALL   (768 * 1024)

/* texts of one prompt, and bytes of what tells them apart */
#define PROMPT_KEPT_TEXTS       4
#define PROMPT_KEPT_FORM        1024

/* how long anything is kept: what is changed by SQL shows after that */
#define PROMPT_KEPT_TIME        60000            /* ms */


typedef struct prompt_version_cache_s  prompt_version_cache_t;
typedef struct prompt_kept_s           prompt_kept_t;


/* Counted since it was created. */
typedef struct {
    uint64_t  hits;                  /* prompts whose versions were there */
    uint64_t  misses;                /* prompts whose versions were read */
    uint64_t  added;                 /* bytes that were put in */
    size_t    bytes;                 /* now */
} prompt_version_cache_stats_t;


/* NULL when memory is short. */
prompt_version_cache_t *prompt_version_cache_create(size_t max_bytes)
    PROMPT_WARN_UNUSED;

/* Forgets all; what is referred to stays. */
void prompt_version_cache_clear(prompt_version_cache_t *cache);

/* What is referred to stays; NULL is allowed. */
void prompt_version_cache_destroy(prompt_version_cache_t *cache);

void prompt_version_cache_stats(const prompt_version_cache_t *cache,
    prompt_version_cache_stats_t *stats);

/*
 * The versions of a prompt that was just read, with at least the columns of
 * *columns: a reference, or NULL.  Where others are known of it, *columns has
 * theirs afterwards, too: with these both will find it.  now: a clock's
 * milliseconds.
 */
prompt_kept_t *prompt_version_cache_find(prompt_version_cache_t *cache,
    const prompt_record_t *prompt, prompt_mask_t *columns, uint64_t now)
    PROMPT_WARN_UNUSED;

/*
 * Keeps a copy of the versions of a prompt, which are count rows from first
 * on, in their order.  They were read with the prompt or after it: later ones
 * are left out.  A reference; NULL where not all of them are there, where they
 * are too large, or memory is short.
 */
prompt_kept_t *prompt_version_cache_put(prompt_version_cache_t *cache,
    const prompt_record_t *prompt, const prompt_statement_t *statement,
    const prompt_rows_t *rows, unsigned first, unsigned count, uint64_t now)
    PROMPT_WARN_UNUSED;

/* NULL is allowed. */
void prompt_kept_release(prompt_kept_t *kept);

/* What is kept, as statement gave it; of the id of the prompt nothing. */
const prompt_rows_t *prompt_kept_rows(const prompt_kept_t *kept);
const prompt_statement_t *prompt_kept_statement(const prompt_kept_t *kept);

/*
 * The text that all versions were given as in that form; absent: none.  It
 * lives as long as kept.
 */
prompt_str_t prompt_kept_text(const prompt_kept_t *kept, prompt_str_t form);

/* Keeps that text, where there is room and memory for it. */
void prompt_kept_note(prompt_kept_t *kept, prompt_str_t form,
    prompt_str_t text);

/*
 * What is known of a question by its key, so that who asks knows whether to
 * look here first.  It is no more than a guess: keys may collide, and one that
 * was not asked for long is forgotten.
 */
typedef enum {
    PROMPT_KEPT_UNKNOWN = 0,
    PROMPT_KEPT_ASKED,               /* before: its versions are worth it */
    PROMPT_KEPT_ALL                  /* and they were put in, all of them */
} prompt_kept_state_t;

prompt_kept_state_t prompt_version_cache_state(
    const prompt_version_cache_t *cache, uint64_t key);
void prompt_version_cache_know(prompt_version_cache_t *cache, uint64_t key,
    prompt_kept_state_t state);

/* So many prompts' versions were read from the database. */
void prompt_version_cache_missed(prompt_version_cache_t *cache, uint64_t n);

#endif /* PROMPT_STORE_VERSION_CACHE_H */
