/*
 * Guards: which figures pass a bound, and that those of versions that are alike
 * do not, however often they are looked at.
 */

#include <math.h>
#include <stdlib.h>

#include "tap.h"

#include "store/guard.h"


#define ARMS   1000
#define RUNS   3000                  /* of each */
#define LAST   1000
#define EVERY  50                    /* runs from one look to the next */


static uint64_t  state = 88172645463325252;


static double
chance(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;

    return (double) (state >> 11) / (double) (UINT64_C(1) << 53);
}


static double
normal(void)
{
    double  u;

    u = chance();

    return sqrt(-2.0 * log(u + 1e-300)) * cos(6.283185307179586 * chance());
}


static prompt_label_figures_t
figures_of(int64_t runs)
{
    prompt_label_figures_t  figures;

    memset(&figures, 0, sizeof(figures));

    figures.version = 1;
    figures.arm = 2;
    figures.least = 100;
    figures.runs = runs;
    figures.timed = runs;
    figures.priced = runs;
    figures.base_timed = 1000;
    figures.base_priced = 1000;

    return figures;
}


static prompt_str_t
passed(const prompt_label_figures_t *figures)
{
    static char  text[512];

    size_t        len;
    prompt_buf_t  reason;

    prompt_buf_init(&reason, sizeof(text));
    len = 0;

    if (prompt_guard_passed(figures, &reason)) {
        len = reason.len;
        memcpy(text, reason.data, len);
    }

    prompt_buf_free(&reason);

    return prompt_str_of(text, len);
}


static void
test_chance(void)
{
    ok(fabs(prompt_guard_binomial(10, 8, 0.5) - 56.0 / 1024) < 1e-12,
       "eight heads of ten coins, or more");
    ok(fabs(prompt_guard_binomial(1000, 0, 0.001) - 1) < 1e-12, "all there is");
    ok(fabs(prompt_guard_binomial(1000, 1000, 0.999) - pow(0.999, 1000)) < 1e-9,
       "nothing vanishes");
    is_int((int) prompt_guard_binomial(5, 1, 0), 0, "what cannot be");
    ok(fabs(prompt_guard_exceeding(1, 1, 1, 1) - 0.5) < 1e-12,
       "one above another");
    ok(fabs(prompt_guard_exceeding(2, 2, 2, 1) - 1.0 / 6) < 1e-12,
       "two above two");
}


static void
test_failures(void)
{
    prompt_label_figures_t  figures;

    figures = figures_of(99);
    figures.max_failure = prompt_maybe(50);
    figures.failed = 99;
    is_int((int) passed(&figures).len, 0, "too few");

    figures.runs = 100;
    is_str(passed(&figures), "failures: 99 of 100 executions, at most 50 "
           "permille", "enough");
    figures.failed = 7;
    is_int((int) passed(&figures).len, 0, "more than the bound, by chance");
    figures.failed = 25;
    ok(passed(&figures).len != 0, "more, and not by chance");
    figures.arm = 1;
    ok(passed(&figures).len != 0, "the label's own version, too");

    figures.max_failure = prompt_maybe_unknown;
    is_int((int) passed(&figures).len, 0, "without a bound");
    figures.max_failure = prompt_maybe(0);
    figures.failed = 1;
    ok(passed(&figures).len != 0, "none may fail");
    figures.failed = 0;
    is_int((int) passed(&figures).len, 0, "none does");
}


static void
test_latency(void)
{
    prompt_label_figures_t  figures;

    figures = figures_of(200);
    figures.max_latency = 1.5;
    figures.slower = 10;
    is_int((int) passed(&figures).len, 0, "a twentieth is slower");
    figures.slower = 15;
    is_int((int) passed(&figures).len, 0, "some more, by chance");
    figures.slower = 60;
    is_str(passed(&figures), "latency: 60 of 200 executions are slower than "
           "1.5 times what 5 % of version 1 are", "many");
    figures.base_timed = 19;
    is_int((int) passed(&figures).len, 0, "with little to compare with");
    figures.base_timed = 1000;
    figures.arm = 1;
    is_int((int) passed(&figures).len, 0, "not the label's own version");
}


static void
test_cost(void)
{
    prompt_label_figures_t  figures;

    figures = figures_of(200);
    figures.max_cost = 1.1;
    figures.base_mean = 0.001;
    figures.mean = 0.001 * 1.1;
    is_int((int) passed(&figures).len, 0, "as much as it may, and always that");
    figures.mean = 0.00111;
    is_str(passed(&figures), "cost: 0.00111 USD in the mean of 200 executions, "
           "at most 1.1 times the 0.001 USD of version 1", "more, and always");
    figures.variance = 0.001 * 0.001;
    is_int((int) passed(&figures).len, 0, "more, by chance");
    figures.mean = 0.003;
    ok(passed(&figures).len != 0, "much more");
    figures.mean = 0.0;
    figures.base_mean = 0.0;
    is_int((int) passed(&figures).len, 0, "what is free");
}


typedef struct {
    int     failed;
    int     ms;
    double  cost;
} sample_t;


static sample_t
sample(double rate)
{
    sample_t  one;

    one.failed = chance() < rate;
    one.ms = (int) (800 * exp(0.7 * normal()));
    one.cost = 0.001 * exp(normal());

    return one;
}


static int
by_ms(const void *a, const void *b)
{
    return ((const sample_t *) a)->ms - ((const sample_t *) b)->ms;
}


static void
mean_of(const sample_t *list, int n, double *mean, double *variance)
{
    int     i;
    double  off;

    for (i = 0, *mean = 0; i < n; i++) {
        *mean += list[i].cost / n;
    }

    for (i = 0, *variance = 0; i < n; i++) {
        off = list[i].cost - *mean;
        *variance += off * off / (n - 1);
    }
}


/* when it passed, 0: never; worse: of the figures of the arm, times */
static int
guarded(double rate, double worse, double ratio)
{
    int                     i, first, n;
    sample_t                sorted[LAST];
    prompt_label_figures_t  figures;

    static sample_t  arm[RUNS], base[RUNS];

    for (n = 0; n < RUNS; n++) {
        base[n] = sample(rate);
        arm[n] = sample(rate * worse);
        arm[n].ms = (int) (arm[n].ms * worse);
        arm[n].cost *= worse;
    }

    for (n = 100; n <= RUNS; n += EVERY) {
        first = n > LAST ? n - LAST : 0;
        figures = figures_of(n - first);
        figures.max_failure = prompt_maybe((int64_t) (rate * 1000));
        figures.max_latency = ratio;
        figures.max_cost = ratio;
        figures.base_timed = n - first;
        figures.base_priced = n - first;

        memcpy(sorted, base + first, (size_t) (n - first) * sizeof(sample_t));
        qsort(sorted, (size_t) (n - first), sizeof(sample_t), by_ms);
        i = (95 * (n - first) + 99) / 100 - 1;

        mean_of(base + first, n - first, &figures.base_mean,
                &figures.base_variance);
        mean_of(arm + first, n - first, &figures.mean, &figures.variance);

        while (first < n) {
            figures.failed += arm[first].failed;
            figures.slower += arm[first].ms > ratio * sorted[i].ms;
            first++;
        }

        if (passed(&figures).len != 0) {
            return n;
        }
    }

    return 0;
}


/*
 * Versions that are alike, with bounds that they just keep to: the worst case.
 * Costs and latencies are as far from normal as those of models are.
 */
static void
test_noise(void)
{
    int  i, wrong, late;

    wrong = 0;

    for (i = 0; i < ARMS; i++) {
        wrong += guarded(0.05, 1.0, 1.0) != 0;
    }

    diag("%d of %d that are alike", wrong, ARMS);
    ok(wrong <= 10, "of 1,000 versions that are alike 10 at most are moved");

    late = 0;

    for (i = 0; i < 100; i++) {
        wrong = guarded(0.05, 2.0, 1.0);
        late += wrong == 0 || wrong > 1000;
    }

    is_int(late, 0, "what is twice as bad is within 1,000 executions");
}


int
main(void)
{
    test_chance();
    test_failures();
    test_latency();
    test_cost();
    test_noise();

    return done_testing();
}
