/*
 * Usage: the tokens that a call took.
 */

#ifndef PROMPT_PROMPT_USAGE_H
#define PROMPT_PROMPT_USAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "prompt/limits.h"


/* unknown is not zero */
#define PROMPT_USAGE_UNKNOWN  (-1)


/* each from 0 to PROMPT_LIMIT_TOKENS, or PROMPT_USAGE_UNKNOWN */
typedef struct {
    int64_t  in;                     /* all input, cached input included */
    int64_t  cached;                 /* the part of it that was cached; never
                                        above it */
    int64_t  out;
} prompt_usage_t;


#define prompt_usage_unknown                                                  \
    ((prompt_usage_t) { PROMPT_USAGE_UNKNOWN, PROMPT_USAGE_UNKNOWN,           \
                        PROMPT_USAGE_UNKNOWN })


static inline bool
prompt_usage_known(int64_t tokens)
{
    return tokens >= 0 && tokens <= PROMPT_LIMIT_TOKENS;
}

#endif /* PROMPT_PROMPT_USAGE_H */
