/*
 * promptctl migrate: what takes long with large tables, in steps, while the
 * service reads and writes.
 *
 * A migration may name a function that says by what is in the database which
 * statement is to be run next.  Each is a transaction of its own; whoever is
 * broken off is gone on from by the next one.  Of two promptctl one does it,
 * as with indexes.
 */

#include <stdio.h>

#include "ctl/migrate.h"


#define CTL_MIGRATE_STEPS  "\n-- steps: "


static void ctl_migrate_steps_take(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    const char *next);
static const char *ctl_migrate_step_next(ctl_migrate_t *migrate,
    ctl_postgres_t *pg, const char *next, const char **what);
static void ctl_migrate_step_run(const ctl_migrate_t *migrate,
    ctl_postgres_t *pg, const char *what, const char *sql);
static void ctl_migrate_step_failed(const ctl_postgres_t *pg,
    const char *what) __attribute__((noreturn));


void
ctl_migrate_steps(ctl_migrate_t *migrate)
{
    size_t       i;
    const char  *begin, *next, *what;

    for (i = 0; i < ctl_migrations_count; i++) {
        begin = strstr(ctl_migrations[i].sql, CTL_MIGRATE_STEPS);

        if (begin == NULL) {
            continue;
        }

        begin += sizeof(CTL_MIGRATE_STEPS) - 1;
        next = ctl_printf(migrate->ctl, "%.*s", (int) strcspn(begin, "\n"),
                          begin).data;

        if (ctl_migrate_step_next(migrate, &migrate->pg, next, &what) != NULL)
        {
            ctl_migrate_outside(migrate, "500ms", ctl_migrate_steps_take,
                                next);
        }
    }
}


static void
ctl_migrate_steps_take(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    const char *next)
{
    const char  *what, *sql;

    while ((sql = ctl_migrate_step_next(migrate, pg, next, &what)) != NULL) {
        ctl_migrate_step_run(migrate, pg, what, sql);
    }
}


/* Gives the statement, NULL where nothing is left to be done. */
static const char *
ctl_migrate_step_next(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    const char *next, const char **what)
{
    PGresult  *result;

    result = ctl_postgres_text(pg, next, 0, NULL);

    if (result == NULL) {
        ctl_migrate_step_failed(pg, "what is done in steps");
    }

    if (PQntuples(result) != 1 || PQgetisnull(result, 0, 1)) {
        return NULL;
    }

    /* the next statement on the connection takes the result away */

    *what = ctl_printf(migrate->ctl, "%s", PQgetvalue(result, 0, 0)).data;

    return ctl_printf(migrate->ctl, "%s", PQgetvalue(result, 0, 1)).data;
}


/* Tries again where somebody holds a table for long. */
static void
ctl_migrate_step_run(const ctl_migrate_t *migrate, ctl_postgres_t *pg,
    const char *what, const char *sql)
{
    int  tries;

    if (!migrate->ctl->json) {
        (void) printf("%s\n", what);
        (void) fflush(stdout);
    }

    for (tries = 1; !ctl_postgres_script(pg, sql); tries++) {

        if (pg->status != PROMPT_SQL_LOCKED || tries == CTL_MIGRATE_TRIES) {
            ctl_migrate_step_failed(pg, what);
        }

        ctl_sleep(CTL_MIGRATE_PAUSE);
    }
}


static void
ctl_migrate_step_failed(const ctl_postgres_t *pg, const char *what)
{
    ctl_migrate_failed(pg, what, "the schema is up to date, run \"promptctl "
                       "migrate\" again for the rest");
}
