/*
 * Usage: the tokens that a call took.
 */

#ifndef PROMPT_PROMPT_USAGE_H
#define PROMPT_PROMPT_USAGE_H

#include <stdint.h>


/* unknown is not zero */
#define PROMPT_USAGE_UNKNOWN  (-1)


/* each from 0 to 2,147,483,647, or PROMPT_USAGE_UNKNOWN */
typedef struct {
    int64_t  in;                     /* all input, cached input included */
    int64_t  cached;                 /* the part of it that was cached; never
                                        above it */
    int64_t  out;
} prompt_usage_t;

#endif /* PROMPT_PROMPT_USAGE_H */
