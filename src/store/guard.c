/*
 * Guards: figures and chance.
 *
 * Failures are counted against a binomial distribution.  Latencies are compared
 * by how many are above a value of the others, whose distribution is the same
 * whatever latencies are like (Wilks; Gumbel and von Schelling).  Means of
 * costs are compared by their standard errors (Welch), with a margin for costs
 * that are not normal.
 */

#include "store/guard.h"


/* squared standard errors: of a normal distribution once in 10^9 */
#define PROMPT_GUARD_COST_ERRORS  36.0

/* a cost that is computed in another way is not another cost */
#define PROMPT_GUARD_COST_SAME    1e-9


static bool prompt_guard_failures(const prompt_label_figures_t *figures,
    prompt_buf_t *reason);
static bool prompt_guard_latency(const prompt_label_figures_t *figures,
    prompt_buf_t *reason);
static bool prompt_guard_cost(const prompt_label_figures_t *figures,
    prompt_buf_t *reason);


bool
prompt_guard_passed(const prompt_label_figures_t *figures,
    prompt_buf_t *reason)
{
    if (figures->runs < figures->least) {
        return false;
    }

    if (prompt_guard_failures(figures, reason)) {
        return true;
    }

    return figures->arm != figures->version
           && (prompt_guard_latency(figures, reason)
               || prompt_guard_cost(figures, reason));
}


static bool
prompt_guard_failures(const prompt_label_figures_t *figures,
    prompt_buf_t *reason)
{
    int64_t  most;

    most = figures->max_failure.value;

    if (!figures->max_failure.known
        || figures->failed * 1000 <= figures->runs * most
        || prompt_guard_binomial(figures->runs, figures->failed,
                                 (double) most / 1000.0)
           >= PROMPT_GUARD_CHANCE)
    {
        return false;
    }

    prompt_buf_printf(reason, "failures: %ld of %ld executions, at most %ld "
                      "permille", (long) figures->failed,
                      (long) figures->runs, (long) most);

    return true;
}


/* the slowest of twenty begin at p95 */
static bool
prompt_guard_latency(const prompt_label_figures_t *figures,
    prompt_buf_t *reason)
{
    int64_t  m;

    m = figures->base_timed;

    if (figures->max_latency <= 0.0
        || figures->timed < PROMPT_GUARD_LEAST || m < PROMPT_GUARD_LEAST
        || figures->slower * 20 <= figures->timed
        || prompt_guard_exceeding(figures->timed, figures->slower, m,
                                  m - (95 * m + 99) / 100 + 1)
           >= PROMPT_GUARD_CHANCE)
    {
        return false;
    }

    prompt_buf_printf(reason, "latency: %ld of %ld executions are slower than "
                      "%g times what 5 %% of version %d are",
                      (long) figures->slower, (long) figures->timed,
                      figures->max_latency, (int) figures->version);

    return true;
}


static bool
prompt_guard_cost(const prompt_label_figures_t *figures, prompt_buf_t *reason)
{
    double  bound, over, error;

    if (figures->max_cost <= 0.0 || figures->priced < PROMPT_GUARD_LEAST
        || figures->base_priced < PROMPT_GUARD_LEAST)
    {
        return false;
    }

    bound = figures->max_cost * figures->base_mean;
    over = figures->mean - bound;
    error = figures->variance / (double) figures->priced
            + figures->max_cost * figures->max_cost * figures->base_variance
              / (double) figures->base_priced;

    if (over <= PROMPT_GUARD_COST_SAME * bound
        || over * over <= PROMPT_GUARD_COST_ERRORS * error)
    {
        return false;
    }

    prompt_buf_printf(reason, "cost: %.4g USD in the mean of %ld executions, "
                      "at most %g times the %.4g USD of version %d",
                      figures->mean, (long) figures->priced,
                      figures->max_cost, figures->base_mean,
                      (int) figures->version);

    return true;
}


/* From the most probable number on, in both directions: nothing vanishes. */

double
prompt_guard_binomial(int64_t n, int64_t k, double p)
{
    double   term, all, tail;
    int64_t  i, mode;

    if (p <= 0.0) {
        return k > 0 ? 0.0 : 1.0;
    }

    all = 0.0;
    tail = 0.0;
    mode = (int64_t) ((double) (n + 1) * p);

    for (i = mode, term = 1.0; i <= n; i++) {
        all += term;
        tail += i >= k ? term : 0.0;
        term *= (double) (n - i) / (double) (i + 1) * p / (1.0 - p);
    }

    for (i = mode, term = 1.0; i > 0; i--) {
        term *= (double) i / (double) (n - i + 1) * (1.0 - p) / p;
        all += term;
        tail += i - 1 >= k ? term : 0.0;
    }

    return tail / all;
}


double
prompt_guard_exceeding(int64_t n, int64_t k, int64_t m, int64_t r)
{
    double   term, all, tail;
    int64_t  i;

    all = 0.0;
    tail = 0.0;
    term = 1.0;

    for (i = 0; i <= n; i++) {
        all += term;
        tail += i >= k ? term : 0.0;

        if (i < n) {
            term *= (double) (i + r) / (double) (i + 1) * (double) (n - i)
                    / (double) (n - i + m - r);
        }
    }

    return tail / all;
}
