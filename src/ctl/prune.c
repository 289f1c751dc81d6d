/*
 * promptctl prune: deletes old executions.  What they add to statistics is
 * summed up before, and stays.  Months that are old from their first day to
 * their last go as a whole, the rest in small steps.  Sums are forgotten where
 * that is asked for by itself.
 */

#include <stdio.h>
#include <stdlib.h>

#include "ctl/output.h"
#include "ctl/postgres.h"
#include "store/log.h"


/* for the lock of the tables that a month is dropped from */
#define CTL_PRUNE_TRIES  10


/* what can be deleted, each by its option */
enum {
    CTL_PRUNE_EXECUTIONS = 0,
    CTL_PRUNE_SUMS,
    CTL_NPRUNES
};

typedef struct {
    const char  *option;
    const char  *wrong;
    int64_t      least;              /* ms */
    const char  *count;              /* SQL: how many there are */
    const char  *names[2];           /* of the number, in JSON: dry or not */
    const char  *what;
} ctl_prune_kind_t;


static int ctl_prune_below(ctl_postgres_t *pg, int64_t ms,
    char below[PROMPT_UUID_TEXT_LEN + 1]);
static int ctl_prune_steps(ctl_t *ctl, ctl_postgres_t *pg,
    const char *const below[CTL_NPRUNES]);
static int ctl_prune_say(ctl_t *ctl, const char *const below[CTL_NPRUNES],
    const int64_t counts[CTL_NPRUNES], bool dry);
static int ctl_prune_count(ctl_postgres_t *pg, const char *sql,
    const char *below, int64_t *count);
static int ctl_prune_executions(ctl_postgres_t *pg, const char *below,
    int64_t *count);
static int ctl_prune_sum(ctl_postgres_t *pg, const char *below);
static int ctl_prune_months(ctl_postgres_t *pg, const char *below,
    int64_t *count);
static int ctl_prune_drop(ctl_postgres_t *pg, const char *below,
    bool *dropped);
static int ctl_prune_forget(ctl_postgres_t *pg,
    const char *const below[CTL_NPRUNES], int64_t *count);
static int ctl_prune_each(ctl_postgres_t *pg, const char *sql, unsigned n,
    const char **params, int64_t *count);


/* a younger execution may not be in the sums, which are five minutes behind */

static const ctl_prune_kind_t  ctl_prunes[CTL_NPRUNES] = {

    { "older-than", "--older-than must be a time such as 90d, at least 1h",
      INT64_C(3600) * 1000, prompt_prune_count_sql,
      { "deleted", "wouldDelete" }, "executions" },

    { "statistics-older-than",
      "--statistics-older-than must be a time such as 730d, at least 1d",
      INT64_C(86400) * 1000, prompt_prune_sums_sql,
      { "deletedSums", "wouldDeleteSums" }, "sums" }
};


int
ctl_prune(ctl_t *ctl)
{
    int             i, rc;
    char            ids[CTL_NPRUNES][PROMPT_UUID_TEXT_LEN + 1];
    int64_t         ms[CTL_NPRUNES];
    const char     *text, *below[CTL_NPRUNES];
    ctl_postgres_t  pg;

    for (i = 0; i < CTL_NPRUNES; i++) {
        text = ctl_given(ctl, ctl_prunes[i].option);
        below[i] = text != NULL ? ids[i] : NULL;

        if (text != NULL
            && (!ctl_duration(text, &ms[i]) || ms[i] < ctl_prunes[i].least))
        {
            return ctl_wrong(ctl, "%s", ctl_prunes[i].wrong);
        }
    }

    if (below[CTL_PRUNE_EXECUTIONS] == NULL && below[CTL_PRUNE_SUMS] == NULL) {
        return ctl_wrong(ctl, "--older-than or --statistics-older-than is "
                         "missing");
    }

    rc = ctl_postgres_open_schema(&pg, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    for (i = 0; i < CTL_NPRUNES && rc == CTL_OK; i++) {
        if (below[i] != NULL) {
            rc = ctl_prune_below(&pg, ms[i], ids[i]);
        }
    }

    if (rc == CTL_OK) {
        rc = ctl_prune_steps(ctl, &pg, below);
    }

    ctl_postgres_close(&pg);

    return rc;
}


/* By PostgreSQL's clock: that of this host may be another. */

static int
ctl_prune_below(ctl_postgres_t *pg, int64_t ms,
    char below[PROMPT_UUID_TEXT_LEN + 1])
{
    char         text[24];
    PGresult    *result;
    const char  *params[1];

    (void) snprintf(text, sizeof(text), "%lld", (long long) ms);
    params[0] = text;

    result = ctl_postgres_text(pg, prompt_prune_below_sql, 1, params);

    if (result == NULL || PQntuples(result) != 1) {
        return ctl_postgres_failed(pg);
    }

    (void) snprintf(below, PROMPT_UUID_TEXT_LEN + 1, "%s",
                    PQgetvalue(result, 0, 0));

    return CTL_OK;
}


static int
ctl_prune_steps(ctl_t *ctl, ctl_postgres_t *pg,
    const char *const below[CTL_NPRUNES])
{
    int      i, rc;
    bool     dry;
    int64_t  counts[CTL_NPRUNES] = { 0, 0 };

    rc = CTL_OK;
    dry = ctl_given(ctl, "dry-run") != NULL;

    for (i = 0; dry && i < CTL_NPRUNES && rc == CTL_OK; i++) {
        if (below[i] != NULL) {
            rc = ctl_prune_count(pg, ctl_prunes[i].count, below[i],
                                 &counts[i]);
        }
    }

    if (!dry && below[CTL_PRUNE_EXECUTIONS] != NULL) {
        rc = ctl_prune_executions(pg, below[CTL_PRUNE_EXECUTIONS],
                                  &counts[CTL_PRUNE_EXECUTIONS]);
    }

    if (!dry && rc == CTL_OK) {
        rc = ctl_prune_forget(pg, below, &counts[CTL_PRUNE_SUMS]);
    }

    return rc == CTL_OK ? ctl_prune_say(ctl, below, counts, dry) : rc;
}


static int
ctl_prune_say(ctl_t *ctl, const char *const below[CTL_NPRUNES],
    const int64_t counts[CTL_NPRUNES], bool dry)
{
    int           i;
    ctl_output_t  out;

    ctl_output_init(&out);
    ctl_output_begin(&out, '{');

    for (i = 0; i < CTL_NPRUNES; i++) {

        if (below[i] == NULL) {
            continue;
        }

        ctl_output_name(&out, ctl_prunes[i].names[dry]);
        ctl_output_int(&out, counts[i]);

        if (!ctl->json) {
            (void) printf("%s %lld %s\n", dry ? "would delete" : "deleted",
                          (long long) counts[i], ctl_prunes[i].what);
        }
    }

    ctl_output_end(&out, '}');

    return ctl->json ? ctl_output_print(&out) : CTL_OK;
}


static int
ctl_prune_count(ctl_postgres_t *pg, const char *sql, const char *below,
    int64_t *count)
{
    PGresult  *result;

    result = ctl_postgres_text(pg, sql, 1, &below);

    if (result == NULL || PQntuples(result) != 1) {
        return ctl_postgres_failed(pg);
    }

    *count = strtoll(PQgetvalue(result, 0, 0), NULL, 10);

    return CTL_OK;
}


static int
ctl_prune_executions(ctl_postgres_t *pg, const char *below, int64_t *count)
{
    int          rc;
    const char  *params[2];

    rc = ctl_prune_sum(pg, below);

    if (rc == CTL_OK) {
        rc = ctl_prune_months(pg, below, count);
    }

    params[0] = below;
    params[1] = "00000000-0000-0000-0000-000000000000";

    return rc == CTL_OK ? ctl_prune_each(pg, prompt_prune_step_sql, 2, params,
                                         count)
                        : rc;
}


/* Does the sweeper's work, as far as that has not come yet. */

static int
ctl_prune_sum(ctl_postgres_t *pg, const char *below)
{
    PGresult  *result;

    for ( ;; ) {
        result = ctl_postgres_text(pg, prompt_prune_behind_sql, 1, &below);

        if (result == NULL || PQntuples(result) != 1) {
            return ctl_postgres_failed(pg);
        }

        if (PQgetvalue(result, 0, 0)[0] != 't') {
            return CTL_OK;
        }

        result = ctl_postgres_text(pg, prompt_prune_sweep_sql, 0, NULL);

        if (result == NULL || PQntuples(result) != 1) {
            return ctl_postgres_failed(pg);
        }

        /* another sweeper is at it */

        if (PQgetvalue(result, 0, 0)[0] != 't') {
            ctl_sleep_until(ctl_monotonic_ms() + 100);
        }
    }
}


/* The oldest first, until one that cannot be dropped. */

static int
ctl_prune_months(ctl_postgres_t *pg, const char *below, int64_t *count)
{
    int        rc;
    bool       dropped;
    int64_t    rows;
    PGresult  *result;

    for ( ;; ) {
        result = ctl_postgres_text(pg, prompt_prune_month_sql, 1, &below);

        if (result == NULL) {
            return ctl_postgres_failed(pg);
        }

        if (PQntuples(result) == 0) {
            return CTL_OK;
        }

        rows = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
        rc = ctl_prune_drop(pg, below, &dropped);

        if (rc != CTL_OK || !dropped) {
            return rc;
        }

        *count += rows;
    }
}


/*
 * Who holds one of the tables for long, a dump say, is not waited for: then
 * the rows go one by one.  Executions wait behind each try, so there are few
 * and they are short.
 */

static int
ctl_prune_drop(ctl_postgres_t *pg, const char *below, bool *dropped)
{
    int        tries;
    PGresult  *result;

    *dropped = false;

    for (tries = 0; tries < CTL_PRUNE_TRIES; tries++) {
        result = ctl_postgres_text(pg, prompt_prune_drop_sql, 1, &below);

        if (result != NULL && PQntuples(result) == 1) {
            *dropped = PQgetvalue(result, 0, 0)[0] == 't';
            return CTL_OK;
        }

        if (pg->status != PROMPT_SQL_LOCKED) {
            return ctl_postgres_failed(pg);
        }

        ctl_sleep_until(ctl_monotonic_ms() + 1000);
    }

    return CTL_OK;
}


/* Sums, and also what another one dropped that was broken off before this. */

static int
ctl_prune_forget(ctl_postgres_t *pg, const char *const below[CTL_NPRUNES],
    int64_t *count)
{
    const char  *params[3];

    params[0] = below[CTL_PRUNE_EXECUTIONS];
    params[1] = below[CTL_PRUNE_SUMS];
    params[2] = "-9223372036854775808";

    return ctl_prune_each(pg, prompt_prune_forget_sql, 3, params, count);
}


/*
 * Each step is committed by itself, and says where the next one goes on, which
 * is the last of the parameters; NULL at the end; and how many it deleted.
 */

static int
ctl_prune_each(ctl_postgres_t *pg, const char *sql, unsigned n,
    const char **params, int64_t *count)
{
    char       next[PROMPT_UUID_TEXT_LEN + 1];
    PGresult  *result;

    for ( ;; ) {
        result = ctl_postgres_text(pg, sql, n, params);

        if (result == NULL || PQntuples(result) != 1) {
            return ctl_postgres_failed(pg);
        }

        *count += strtoll(PQgetvalue(result, 0, 1), NULL, 10);

        if (PQgetisnull(result, 0, 0)) {
            return CTL_OK;
        }

        (void) snprintf(next, sizeof(next), "%s", PQgetvalue(result, 0, 0));
        params[n - 1] = next;
    }
}
