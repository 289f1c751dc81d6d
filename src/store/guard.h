/*
 * Guards of splits: whether figures of a version pass a bound, by more than
 * chance.
 *
 * A bound is passed where the figures do, and where such figures, or worse
 * ones, of a version that just keeps to it are less probable than
 * PROMPT_GUARD_CHANCE.  That is so small because they are looked at again and
 * again: with a look after each of 10,000 executions, one of a hundred such
 * versions is taken to be worse at most.
 */

#ifndef PROMPT_STORE_GUARD_H
#define PROMPT_STORE_GUARD_H

#include "base/buf.h"
#include "store/label.h"


#define PROMPT_GUARD_CHANCE  1e-6

/* latencies and costs of each that are compared, at least */
#define PROMPT_GUARD_LEAST   20


/*
 * Writes which bound is passed, and by what; false: none.  Of the label's
 * `version` itself that is its failures alone.
 */
bool prompt_guard_passed(const prompt_label_figures_t *figures,
    prompt_buf_t *reason);


/*
 * Of the probabilities that these are made of: k successes of n, or more, each
 * of probability p; and k of n values, or more, above the one that is number r
 * from the top of m others, where all come from the same source.
 */
double prompt_guard_binomial(int64_t n, int64_t k, double p);
double prompt_guard_exceeding(int64_t n, int64_t k, int64_t m, int64_t r);

#endif /* PROMPT_STORE_GUARD_H */
