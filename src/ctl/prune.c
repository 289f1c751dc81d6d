/*
 * promptctl prune: deletes old executions, or their contents alone.  What they
 * add to statistics is summed up before, and stays.  Months that are old from
 * their first day to their last go as a whole, the rest in small steps.  Sums
 * are forgotten where that is asked for by itself, and so are rows of the audit
 * log.
 */

#include <stdio.h>
#include <stdlib.h>

#include "ctl/output.h"
#include "ctl/postgres.h"
#include "store/audit.h"
#include "store/log.h"


/* a younger one may not be in the sums, which are five minutes behind */
#define CTL_PRUNE_LEAST  (INT64_C(3600) * 1000)        /* ms */

/* sums go by whole days */
#define CTL_PRUNE_DAY    (INT64_C(86400) * 1000)

/* nothing is below this id */
#define CTL_PRUNE_FIRST  "00000000-0000-0000-0000-000000000000"

/* for the lock of the tables that a month is dropped from */
#define CTL_PRUNE_TRIES  10


static int64_t ctl_prune_age(ctl_t *ctl, const char *option, int64_t least,
    const char *such);
static const char *ctl_prune_below(ctl_t *ctl, ctl_postgres_t *pg, int64_t ms);
static void ctl_prune_sum(ctl_postgres_t *pg, const char *below);
static int64_t ctl_prune_months(ctl_postgres_t *pg, const char *month_sql,
    const char *drop_sql, const char *below);
static bool ctl_prune_drop(ctl_postgres_t *pg, const char *drop_sql,
    const char *below);
static int64_t ctl_prune_steps(ctl_postgres_t *pg, const char *sql, unsigned n,
    const char **params);
static void ctl_prune_say(ctl_t *ctl, json_t *json, const char *name,
    const char *what, int64_t count);


int
ctl_prune(ctl_t *ctl)
{
    bool             dry;
    json_t          *json;
    int64_t          ms, sums_ms, audit_ms, content_ms;
    int64_t          count, sums, audit, contents;
    const char      *below, *until, *end, *empty, *params[3];
    ctl_postgres_t   pg;

    dry = ctl_given(ctl, "dry-run") != NULL;
    ms = ctl_prune_age(ctl, "older-than", CTL_PRUNE_LEAST, "90d, at least 1h");
    sums_ms = ctl_prune_age(ctl, "statistics-older-than", CTL_PRUNE_DAY,
                            "730d, at least 1d");
    audit_ms = ctl_prune_age(ctl, "audit-older-than", CTL_PRUNE_DAY,
                             "730d, at least 1d");

    content_ms = ctl_prune_age(ctl, "content-older-than", CTL_PRUNE_LEAST,
                               "30d, at least 1h");

    if (ms < 0 && sums_ms < 0 && audit_ms < 0 && content_ms < 0) {
        ctl_wrong(ctl, "--older-than, --content-older-than, "
                  "--statistics-older-than or --audit-older-than is missing");
    }

    ctl_postgres_open_schema(&pg, ctl);

    below = ctl_prune_below(ctl, &pg, ms);
    until = ctl_prune_below(ctl, &pg, sums_ms);
    end = ctl_prune_below(ctl, &pg, audit_ms);
    empty = ctl_prune_below(ctl, &pg, content_ms);

    if (dry) {
        count = strtoll(ctl_postgres_one(&pg, prompt_prune_count_sql, 1,
                                         &below), NULL, 10);
        sums = strtoll(ctl_postgres_one(&pg, prompt_prune_sums_sql, 1, &until),
                       NULL, 10);
        audit = strtoll(ctl_postgres_one(&pg, prompt_audit_count_sql, 1, &end),
                        NULL, 10);
        contents = strtoll(ctl_postgres_one(&pg, prompt_prune_full_sql, 1,
                                            &empty), NULL, 10);
    } else {
        ctl_prune_sum(&pg, below);
        count = ctl_prune_months(&pg, prompt_prune_month_sql,
                                 prompt_prune_drop_sql, below);

        params[0] = below;
        params[1] = CTL_PRUNE_FIRST;
        count += ctl_prune_steps(&pg, prompt_prune_step_sql, 2, params);

        /* also what another one dropped that was broken off before this */

        params[1] = until;
        params[2] = "-9223372036854775808";
        sums = ctl_prune_steps(&pg, prompt_prune_forget_sql, 3, params);

        audit = ctl_prune_months(&pg, prompt_audit_month_sql,
                                 prompt_audit_drop_sql, end);
        audit += strtoll(ctl_postgres_one(&pg, prompt_audit_delete_sql, 1,
                                          &end), NULL, 10);

        params[0] = empty;
        params[1] = CTL_PRUNE_FIRST;
        contents = ctl_prune_steps(&pg, prompt_prune_empty_sql, 2, params);

        ctl_audit_add(&pg, ctl_printf(ctl, "{\"executions\":%lld,"
                                      "\"contents\":%lld,\"sums\":%lld,"
                                      "\"audit\":%lld}",
                                      (long long) count, (long long) contents,
                                      (long long) sums, (long long) audit));
    }

    json = ctl_json(json_object());

    if (ms >= 0) {
        ctl_prune_say(ctl, json, dry ? "wouldDelete" : "deleted", "executions",
                      count);
    }

    if (content_ms >= 0) {
        ctl_prune_say(ctl, json, dry ? "wouldEmpty" : "emptied", "executions",
                      contents);
    }

    if (sums_ms >= 0) {
        ctl_prune_say(ctl, json, dry ? "wouldDeleteSums" : "deletedSums",
                      "sums", sums);
    }

    if (audit_ms >= 0) {
        ctl_prune_say(ctl, json, dry ? "wouldDeleteAudit" : "deletedAudit",
                      "audit rows", audit);
    }

    if (ctl->json) {
        ctl_print_json(json);
    }

    ctl_postgres_close(&pg);

    return CTL_OK;
}


/* below zero: it is not asked for */
static int64_t
ctl_prune_age(ctl_t *ctl, const char *option, int64_t least, const char *such)
{
    int64_t      ms;
    const char  *text;

    text = ctl_given(ctl, option);
    ms = -1;

    if (text != NULL && (!ctl_duration(text, &ms) || ms < least)) {
        ctl_wrong(ctl, "--%s must be a time such as %s", option, such);
    }

    return ms;
}


/* By PostgreSQL's clock, as that of this host may be another. */
static const char *
ctl_prune_below(ctl_t *ctl, ctl_postgres_t *pg, int64_t ms)
{
    const char  *text;

    if (ms < 0) {
        return CTL_PRUNE_FIRST;
    }

    text = ctl_printf(ctl, "%lld", (long long) ms).data;

    return ctl_printf(ctl, "%s", ctl_postgres_one(pg, prompt_prune_below_sql,
                                                  1, &text)).data;
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
ctl_prune_months(ctl_postgres_t *pg, const char *month_sql,
    const char *drop_sql, const char *below)
{
    int64_t    rows, count;
    PGresult  *result;

    count = 0;

    for ( ;; ) {
        result = ctl_postgres_rows(pg, month_sql, 1, &below);

        if (PQntuples(result) == 0) {
            return count;
        }

        rows = strtoll(PQgetvalue(result, 0, 0), NULL, 10);

        if (!ctl_prune_drop(pg, drop_sql, below)) {
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
ctl_prune_drop(ctl_postgres_t *pg, const char *drop_sql, const char *below)
{
    int        tries;
    PGresult  *result;

    for (tries = 0; tries < CTL_PRUNE_TRIES; tries++) {
        result = ctl_postgres_text(pg, drop_sql, 1, &below);

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
 * Each step is committed by itself, and gives where the next goes on, which is
 * the last of the parameters, and how many it deleted: their sum.
 */
static int64_t
ctl_prune_steps(ctl_postgres_t *pg, const char *sql, unsigned n,
    const char **params)
{
    char       place[PROMPT_UUID_TEXT_LEN + 1];
    int64_t    count;
    PGresult  *result;

    count = 0;

    for ( ;; ) {
        result = ctl_postgres_rows(pg, sql, n, params);

        if (PQntuples(result) != 1) {
            ctl_postgres_failed(pg);
        }

        count += strtoll(PQgetvalue(result, 0, 1), NULL, 10);

        if (PQgetisnull(result, 0, 0)) {
            return count;
        }

        (void) snprintf(place, sizeof(place), "%s", PQgetvalue(result, 0, 0));
        params[n - 1] = place;
    }
}


static void
ctl_prune_say(ctl_t *ctl, json_t *json, const char *name, const char *what,
    int64_t count)
{
    if (json_object_set_new(json, name, json_integer((json_int_t) count)) != 0)
    {
        (void) ctl_json(NULL);
    }

    if (!ctl->json) {
        (void) printf("%s %lld %s\n",
                      name[0] == 'd' ? "deleted" : name[0] == 'e' ? "emptied"
                      : name[5] == 'D' ? "would delete" : "would empty",
                      (long long) count, what);
    }
}
