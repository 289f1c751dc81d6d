/*
 * Usage: the tokens that a call took.
 */

#ifndef PROMPT_PROMPT_USAGE_H
#define PROMPT_PROMPT_USAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "prompt/limits.h"


/* unknown is not zero */
#define PROMPT_USAGE_UNKNOWN  (-1)


/* each from 0 to PROMPT_LIMIT_TOKENS, or PROMPT_USAGE_UNKNOWN */
typedef struct {
    int64_t  in;                     /* all input; parts of it, which do not
                                        overlap, nor come to more: */
    int64_t  cached;                 /* read from a cache */
    int64_t  cache_write;            /* written to one, for minutes; and */
    int64_t  cache_write_1h;         /* for an hour: known together */
    int64_t  out;                    /* all output; a part of it: */
    int64_t  reasoning;
    bool     more;                   /* billed was what no price is for, or
                                        counts contradict: the cost is not
                                        known */
} prompt_usage_t;


#define prompt_usage_unknown                                                  \
    ((prompt_usage_t) { PROMPT_USAGE_UNKNOWN, PROMPT_USAGE_UNKNOWN,           \
                        PROMPT_USAGE_UNKNOWN, PROMPT_USAGE_UNKNOWN,           \
                        PROMPT_USAGE_UNKNOWN, PROMPT_USAGE_UNKNOWN, false })


/*
 * What a provider has counted, in its own way: each a count, UNKNOWN where it
 * told none, or BAD where that is none.  What was used is made of it by its
 * format (prompt_provider_usage()).
 */
typedef struct {
    int64_t  in;
    int64_t  tool_in;                /* beside it: of tools */
    int64_t  cached;
    int64_t  cached_also;            /* the same, by another name */
    int64_t  cache_write;            /* all that was written; its parts, where
                                        it is told in parts: */
    int64_t  cache_write_5m;
    int64_t  cache_write_1h;
    int64_t  out;
    int64_t  reasoning;
    int64_t  total;
    int64_t  more;                   /* above 0: what no price is for; stays */
} prompt_usage_counts_t;

#define PROMPT_USAGE_BAD  (-2)

/* the largest count: sums of a few are far from overflowing */
#define PROMPT_USAGE_COUNT_MAX  (INT64_C(1) << 40)

/* how many they are */
#define PROMPT_USAGE_COUNTS  (sizeof(prompt_usage_counts_t) / sizeof(int64_t))


/* all that is told is UNKNOWN: each byte of -1 is 0xff */
static inline void
prompt_usage_none(prompt_usage_counts_t *counts)
{
    memset(counts, 0xff, sizeof(*counts));
}


static inline bool
prompt_usage_known(int64_t tokens)
{
    return tokens >= 0 && tokens <= PROMPT_LIMIT_TOKENS;
}


/* to a cache, for however long; both are known, or neither is */
static inline int64_t
prompt_usage_written(const prompt_usage_t *usage)
{
    return usage->cache_write < 0 ? PROMPT_USAGE_UNKNOWN
                                  : usage->cache_write + usage->cache_write_1h;
}

#endif /* PROMPT_PROMPT_USAGE_H */
