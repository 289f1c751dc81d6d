/*
 * Path: where in a JSON value one stands, for the field of a fault.
 *
 * A chain of frames on the stack of those who walk, put into words only when
 * something is wrong.
 */

#ifndef PROMPT_BASE_PATH_H
#define PROMPT_BASE_PATH_H

#include "base/arena.h"


typedef struct prompt_path_s  prompt_path_t;

struct prompt_path_s {
    const prompt_path_t  *parent;    /* NULL: the outermost value */
    prompt_str_t          name;      /* absent: an element */
    size_t                index;
};


/*
 * `customer.tags.2`, in the arena; the outermost value has its frame's name,
 * which is left out where it is empty.  What is longer than 1,000 bytes is cut
 * and ends in "…".  Absent when memory is short.
 */
prompt_str_t prompt_path_text(prompt_arena_t *arena,
    const prompt_path_t *path) PROMPT_WARN_UNUSED;

#endif /* PROMPT_BASE_PATH_H */
