/*
 * promptctl prune: deletes old executions.  What they add to statistics is
 * summed up before, and stays.  Months that are old from their first day to
 * their last go as a whole, the rest in small steps.
 */

#include <stdio.h>
#include <stdlib.h>

#include "ctl/output.h"
#include "ctl/postgres.h"
#include "store/log.h"


/* a younger one may not be in the sums, which are five minutes behind */
#define CTL_PRUNE_LEAST  (INT64_C(3600) * 1000)   /* ms */

/* for the lock of the tables that a month is dropped from */
#define CTL_PRUNE_TRIES  10


static void ctl_prune_sum(ctl_postgres_t *pg, const char *below);
static int64_t ctl_prune_months(ctl_postgres_t *pg, const char *below);
static bool ctl_prune_drop(ctl_postgres_t *pg, const char *below);
static int64_t ctl_prune_steps(ctl_postgres_t *pg, const char *sql,
    const char *below, const char *from);


int
ctl_prune(ctl_t *ctl)
{
    char             number[24], behind[24];
    bool             dry;
    int64_t          ms, count;
    const char      *text, *below;
    ctl_postgres_t   pg;

    text = ctl_given(ctl, "older-than");

    if (text == NULL || !ctl_duration(text, &ms) || ms < CTL_PRUNE_LEAST) {
        ctl_wrong(ctl, "--older-than must be a time such as 90d, at least 1h");
    }

    ctl_postgres_open_schema(&pg, ctl);

    /* by PostgreSQL's clock: that of this host may be another */

    (void) snprintf(number, sizeof(number), "%lld", (long long) ms);
    text = number;

    below = ctl_printf(ctl, "%s", ctl_postgres_one(&pg, prompt_prune_below_sql,
                                                   1, &text)).data;
    dry = ctl_given(ctl, "dry-run") != NULL;

    if (dry) {
        count = strtoll(ctl_postgres_one(&pg, prompt_prune_count_sql, 1,
                                         &below), NULL, 10);
    } else {
        ctl_prune_sum(&pg, below);
        count = ctl_prune_months(&pg, below);
        count += ctl_prune_steps(&pg, prompt_prune_step_sql, below,
                                 "00000000-0000-0000-0000-000000000000");

        /* also what another one dropped that was broken off before this */

        (void) snprintf(behind, sizeof(behind), "%lld", (long long) INT64_MIN);
        (void) ctl_prune_steps(&pg, prompt_prune_forget_sql, below, behind);
    }

    if (ctl->json) {
        ctl_print_json(ctl_json(json_pack("{s:I}", dry ? "wouldDelete"
                                                       : "deleted",
                                          (json_int_t) count)));
    } else {
        (void) printf("%s %lld executions\n", dry ? "would delete" : "deleted",
                      (long long) count);
    }

    ctl_postgres_close(&pg);

    return CTL_OK;
}


/* Does the sweeper's work, as far as that has not come yet. */

static void
ctl_prune_sum(ctl_postgres_t *pg, const char *below)
{
    while (ctl_postgres_one(pg, prompt_prune_behind_sql, 1, &below)[0] == 't')
    {
        /* another sweeper is at it */

        if (ctl_postgres_one(pg, prompt_prune_sweep_sql, 0, NULL)[0] != 't') {
            ctl_sleep(100);
        }
    }
}


/* The oldest first, until one that cannot be dropped; how many rows it was. */

static int64_t
ctl_prune_months(ctl_postgres_t *pg, const char *below)
{
    int64_t    rows, count;
    PGresult  *result;

    count = 0;

    for ( ;; ) {
        result = ctl_postgres_rows(pg, prompt_prune_month_sql, 1, &below);

        if (PQntuples(result) == 0) {
            return count;
        }

        rows = strtoll(PQgetvalue(result, 0, 0), NULL, 10);

        if (!ctl_prune_drop(pg, below)) {
            return count;
        }

        count += rows;
    }
}


/*
 * Who holds one of the tables for long, a dump say, is not waited for: then
 * the rows go one by one.  Executions wait behind each try, so there are few
 * and they are short.
 */

static bool
ctl_prune_drop(ctl_postgres_t *pg, const char *below)
{
    int        tries;
    PGresult  *result;

    for (tries = 0; tries < CTL_PRUNE_TRIES; tries++) {
        result = ctl_postgres_text(pg, prompt_prune_drop_sql, 1, &below);

        if (result != NULL && PQntuples(result) == 1) {
            return PQgetvalue(result, 0, 0)[0] == 't';
        }

        if (pg->status != PROMPT_SQL_LOCKED) {
            ctl_postgres_failed(pg);
        }

        ctl_sleep(1000);
    }

    return false;
}


/*
 * Each step is committed by itself, and gives where the next goes on, and
 * where it deletes rows, how many: their sum.
 */

static int64_t
ctl_prune_steps(ctl_postgres_t *pg, const char *sql, const char *below,
    const char *from)
{
    char         place[PROMPT_UUID_TEXT_LEN + 1];
    int64_t      count;
    PGresult    *result;
    const char  *params[2];

    count = 0;
    params[0] = below;
    params[1] = place;

    (void) snprintf(place, sizeof(place), "%s", from);

    for ( ;; ) {
        result = ctl_postgres_rows(pg, sql, 2, params);

        if (PQntuples(result) != 1) {
            ctl_postgres_failed(pg);
        }

        if (PQnfields(result) > 1) {
            count += strtoll(PQgetvalue(result, 0, 1), NULL, 10);
        }

        if (PQgetisnull(result, 0, 0)) {
            return count;
        }

        (void) snprintf(place, sizeof(place), "%s", PQgetvalue(result, 0, 0));
    }
}
