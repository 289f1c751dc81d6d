/*
 * Random bytes from the kernel.
 */

#ifndef PROMPT_BASE_RANDOM_H
#define PROMPT_BASE_RANDOM_H

#include "base/str.h"


/*
 * Fills out with len (at most 256) bytes that nobody can guess.  False where
 * the kernel has none; out is then undefined.  Does not block once the system
 * is up.
 */
bool prompt_random(void *out, size_t len) PROMPT_WARN_UNUSED;

#endif /* PROMPT_BASE_RANDOM_H */
