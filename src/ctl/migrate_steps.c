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


static int ctl_migrate_steps_of(ctl_migrate_t *migrate, prompt_str_t next);
static int ctl_migrate_steps_take(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    void *data);
static int ctl_migrate_step_next(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    prompt_str_t next, prompt_str_t *what, prompt_str_t *sql);
static int ctl_migrate_step_run(const ctl_migrate_t *migrate,
    ctl_postgres_t *pg, prompt_str_t what, prompt_str_t sql);
static int ctl_migrate_step_failed(const ctl_postgres_t *pg,
    const char *what);


int
ctl_migrate_steps(ctl_migrate_t *migrate)
{
    int           rc;
    size_t        i;
    const char   *begin;
    prompt_str_t  next;

    for (i = 0; i < ctl_migrations_count; i++) {
        begin = strstr(ctl_migrations[i].sql, CTL_MIGRATE_STEPS);

        if (begin == NULL) {
            continue;
        }

        begin += sizeof(CTL_MIGRATE_STEPS) - 1;
        next = prompt_arena_printf(migrate->ctl->arena, "%.*s",
                                   (int) strcspn(begin, "\n"), begin);
        if (next.data == NULL) {
            return ctl_no_memory();
        }

        rc = ctl_migrate_steps_of(migrate, next);

        if (rc != CTL_OK) {
            return rc;
        }
    }

    return CTL_OK;
}


static int
ctl_migrate_steps_of(ctl_migrate_t *migrate, prompt_str_t next)
{
    int           rc;
    prompt_str_t  what, sql;

    rc = ctl_migrate_step_next(migrate, &migrate->pg, next, &what, &sql);

    if (rc != CTL_OK || sql.data == NULL) {
        return rc;
    }

    return ctl_migrate_outside(migrate, "500ms", ctl_migrate_steps_take, &next);
}


static int
ctl_migrate_steps_take(ctl_migrate_t *migrate, ctl_postgres_t *pg, void *data)
{
    int                  rc;
    prompt_str_t         what, sql;
    const prompt_str_t  *next;

    next = data;

    for ( ;; ) {
        rc = ctl_migrate_step_next(migrate, pg, *next, &what, &sql);

        if (rc != CTL_OK || sql.data == NULL) {
            return rc;
        }

        rc = ctl_migrate_step_run(migrate, pg, what, sql);

        if (rc != CTL_OK) {
            return rc;
        }
    }
}


/* *sql is absent where nothing is left to be done. */

static int
ctl_migrate_step_next(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    prompt_str_t next, prompt_str_t *what, prompt_str_t *sql)
{
    PGresult  *result;

    *what = prompt_str_absent;
    *sql = prompt_str_absent;

    result = ctl_postgres_text(pg, next.data, 0, NULL);

    if (result == NULL) {
        return ctl_migrate_step_failed(pg, "what is done in steps");
    }

    if (PQntuples(result) != 1 || PQgetisnull(result, 0, 1)) {
        return CTL_OK;
    }

    /* the next statement on the connection takes the result away */

    *what = prompt_arena_printf(migrate->ctl->arena, "%s",
                                PQgetvalue(result, 0, 0));
    *sql = prompt_arena_printf(migrate->ctl->arena, "%s",
                               PQgetvalue(result, 0, 1));

    return what->data != NULL && sql->data != NULL ? CTL_OK : ctl_no_memory();
}


/* Tries again where somebody holds a table for long. */

static int
ctl_migrate_step_run(const ctl_migrate_t *migrate, ctl_postgres_t *pg,
    prompt_str_t what, prompt_str_t sql)
{
    int  tries;

    if (!migrate->ctl->json) {
        (void) printf("%s\n", what.data);
        (void) fflush(stdout);
    }

    for (tries = 1; /* void */; tries++) {

        if (ctl_postgres_script(pg, sql.data)) {
            return CTL_OK;
        }

        if (pg->status != PROMPT_SQL_LOCKED || tries == CTL_MIGRATE_TRIES) {
            return ctl_migrate_step_failed(pg, what.data);
        }

        ctl_sleep_until(ctl_monotonic_ms() + CTL_MIGRATE_PAUSE);
    }
}


static int
ctl_migrate_step_failed(const ctl_postgres_t *pg, const char *what)
{
    ctl_error("%s: %s (SQLSTATE %s); the schema is up to date, run "
              "\"promptctl migrate\" again for the rest", what, pg->message,
              pg->sqlstate);

    return CTL_FAILED;
}
