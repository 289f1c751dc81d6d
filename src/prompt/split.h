/*
 * Splits: a label that names several versions, with weights in permille.
 *
 * A subject has one of 1,000 slots, by a hash, and each slot is given to a
 * version: who gets which is the store's to say, so that a subject keeps its
 * version as long as its slot does.
 */

#ifndef PROMPT_PROMPT_SPLIT_H
#define PROMPT_PROMPT_SPLIT_H

#include "base/fault.h"


#define PROMPT_SPLIT_SLOTS  1000
#define PROMPT_SPLIT_MOST   8            /* versions */

/* how many of a version's last executions a guard looks at */
#define PROMPT_GUARD_RUNS   1000


/*
 * A split that is to be set, [{version, permille}, ...], with the version that
 * the label is to name.  *text is its compact form, in the arena; absent where
 * it names one version alone.
 */
prompt_check_t prompt_split_check(prompt_arena_t *arena,
    const prompt_json_t *split, int64_t version, prompt_str_t *text,
    prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/* The guard of a split, or NULL; likewise. */
prompt_check_t prompt_guard_check(prompt_arena_t *arena,
    const prompt_json_t *guard, bool split, prompt_str_t *text,
    prompt_fault_t *fault) PROMPT_WARN_UNUSED;


/*
 * The slot of a subject: the first 32 bits of SHA-256(salt, subject), modulo
 * 1,000.
 */
uint32_t prompt_split_slot(prompt_str_t salt, prompt_str_t subject);

/*
 * The version of that slot; slots has a place in the split for each of them.
 * False: split and slots do not go together.
 */
bool prompt_split_version(const prompt_json_t *split, prompt_str_t salt,
    prompt_str_t slots, prompt_str_t subject, int32_t *version)
    PROMPT_WARN_UNUSED;

#endif /* PROMPT_PROMPT_SPLIT_H */
