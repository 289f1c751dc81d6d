/*
 * Histograms of durations: how many were how long, in fixed bounds.
 *
 * Bounds are whole milliseconds, so that an observation is a few comparisons
 * of integers and two sums.
 */

#ifndef PROMPT_BASE_HISTOGRAM_H
#define PROMPT_BASE_HISTOGRAM_H

#include "base/str.h"


/* upper bounds, in ms; what is above them has a bucket of its own */
#define PROMPT_HISTOGRAM_BOUNDS   13
#define PROMPT_HISTOGRAM_BUCKETS  (PROMPT_HISTOGRAM_BOUNDS + 1)

extern const uint32_t  prompt_histogram_bounds[PROMPT_HISTOGRAM_BOUNDS];


typedef struct {
    uint64_t  buckets[PROMPT_HISTOGRAM_BUCKETS];     /* each for itself */
    uint64_t  sum;                                   /* ms */
} prompt_histogram_t;


/* the bucket of a duration */
static inline unsigned
prompt_histogram_bucket(uint64_t ms)
{
    unsigned  i;

    for (i = 0; i < PROMPT_HISTOGRAM_BOUNDS; i++) {
        if (ms <= prompt_histogram_bounds[i]) {
            break;
        }
    }

    return i;
}


static inline void
prompt_histogram_add(prompt_histogram_t *histogram, uint64_t ms)
{
    histogram->buckets[prompt_histogram_bucket(ms)]++;
    histogram->sum += ms;
}

#endif /* PROMPT_BASE_HISTOGRAM_H */
