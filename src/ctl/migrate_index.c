/*
 * promptctl migrate: indexes, made while the service reads and writes.
 *
 * CREATE INDEX CONCURRENTLY runs in no transaction, and one that fails leaves
 * an index that is of no use.  So this is done for all migrations each time,
 * for what is missing or was left like that; of two promptctl one does it,
 * and the other waits.
 *
 * The lock is held by another connection, in a transaction that is idle: it
 * has no snapshot, for which making the index would wait.
 */

#include "ctl/migrate.h"


#define CTL_MIGRATE_INDEX  "CREATE INDEX CONCURRENTLY IF NOT EXISTS "

/* where somebody else does the same, by hand say */
#define CTL_MIGRATE_INDEX_TRIES  10


/* does what is to be done with one of them; *done where it did something */
typedef int (*ctl_migrate_index_pt)(ctl_migrate_t *migrate,
    ctl_postgres_t *pg, prompt_str_t sql, bool *done);


static int ctl_migrate_indexes_make(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    void *data);
static int ctl_migrate_index_each(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    ctl_migrate_index_pt act, bool *done);
static prompt_str_t ctl_migrate_index_next(prompt_str_t *rest);
static int ctl_migrate_index_state(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    prompt_str_t sql, prompt_str_t *name, const char **state);
static int ctl_migrate_index_look(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    prompt_str_t sql, bool *missing);
static int ctl_migrate_index_make(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    prompt_str_t sql, bool *made);
static int ctl_migrate_index_left(ctl_postgres_t *pg);
static bool ctl_migrate_index_crossed(const ctl_postgres_t *pg);
static int ctl_migrate_index_failed(const ctl_postgres_t *pg,
    prompt_str_t name);


int
ctl_migrate_indexes(ctl_migrate_t *migrate)
{
    int   rc;
    bool  missing;

    missing = false;

    rc = ctl_migrate_index_each(migrate, &migrate->pg, ctl_migrate_index_look,
                                &missing);

    if (rc != CTL_OK || !missing) {
        return rc;
    }

    return ctl_migrate_outside(migrate, "0", ctl_migrate_indexes_make, NULL);
}


static int
ctl_migrate_indexes_make(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    void *data)
{
    bool  made;

    (void) data;

    made = false;

    return ctl_migrate_index_each(migrate, pg, ctl_migrate_index_make, &made);
}


static int
ctl_migrate_index_each(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    ctl_migrate_index_pt act, bool *done)
{
    int                     rc;
    size_t                  i, len;
    prompt_str_t            rest, sql;
    const ctl_migration_t  *migration;

    for (i = 0; i < ctl_migrations_count; i++) {
        migration = &ctl_migrations[i];
        len = ctl_migration_length(migration);
        rest = prompt_str_of(migration->sql + len, migration->len - len);

        for (sql = ctl_migrate_index_next(&rest);
             sql.data != NULL;
             sql = ctl_migrate_index_next(&rest))
        {
            rc = act(migrate, pg, sql, done);

            if (rc != CTL_OK) {
                return rc;
            }
        }
    }

    return CTL_OK;
}


/* The next statement of rest, without its semicolon; absent at the end. */

static prompt_str_t
ctl_migrate_index_next(prompt_str_t *rest)
{
    const char  *begin, *end;

    /* texts of migrations end with NUL */

    begin = strstr(rest->data, "\n" CTL_MIGRATE_INDEX);
    if (begin == NULL) {
        return prompt_str_absent;
    }

    begin++;
    end = strchr(begin, ';');

    if (end == NULL) {
        return prompt_str_absent;
    }

    *rest = prompt_str_of(end, rest->len - (size_t) (end - rest->data));

    return prompt_str_of(begin, (size_t) (end - begin));
}


/* *state: "t" it is there, "f" it was left unfinished, "" there is none */

static int
ctl_migrate_index_state(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    prompt_str_t sql, prompt_str_t *name, const char **state)
{
    size_t       begin, len;
    PGresult    *result;
    const char  *params[1];

    *state = "";

    begin = sizeof(CTL_MIGRATE_INDEX) - 1;
    len = strcspn(sql.data + begin, " \n");

    *name = prompt_arena_printf(migrate->ctl->arena, "%.*s", (int) len,
                                sql.data + begin);
    if (name->data == NULL) {
        return ctl_no_memory();
    }

    params[0] = name->data;

    result = ctl_postgres_text(pg, "SELECT indisvalid FROM pg_index"
                               " WHERE indexrelid = to_regclass($1)", 1,
                               params);
    if (result == NULL) {
        return ctl_postgres_failed(pg);
    }

    if (PQntuples(result) == 1) {
        *state = PQgetvalue(result, 0, 0);
    }

    return CTL_OK;
}


static int
ctl_migrate_index_look(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    prompt_str_t sql, bool *missing)
{
    int           rc;
    const char   *state;
    prompt_str_t  name;

    rc = ctl_migrate_index_state(migrate, pg, sql, &name, &state);

    if (rc == CTL_OK && state[0] != 't') {
        *missing = true;
    }

    return rc;
}


/*
 * What a promptctl that was killed had sent goes on, and ends at some time:
 * the index is there then, or useless, or gone.  So this waits until nobody is
 * at it, looks what is there, does the next thing, and looks again.
 */

static int
ctl_migrate_index_make(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    prompt_str_t sql, bool *made)
{
    int           rc, tries;
    const char   *state;
    prompt_str_t  name, text;

    for (tries = 0; /* void */; tries++) {
        rc = ctl_migrate_index_left(pg);

        if (rc == CTL_OK) {
            rc = ctl_migrate_index_state(migrate, pg, sql, &name, &state);
        }

        if (rc != CTL_OK || state[0] == 't') {
            return rc;
        }

        text = state[0] == 'f'
               ? prompt_arena_printf(migrate->ctl->arena,
                                     "DROP INDEX CONCURRENTLY IF EXISTS %s",
                                     name.data)
               : prompt_arena_printf(migrate->ctl->arena, "%.*s",
                                     prompt_str_arg(sql));
        if (text.data == NULL) {
            return ctl_no_memory();
        }

        if (!ctl_postgres_script(pg, text.data)
            && (tries >= CTL_MIGRATE_INDEX_TRIES
                || !ctl_migrate_index_crossed(pg)))
        {
            return ctl_migrate_index_failed(pg, name);
        }

        *made = true;
    }
}


static int
ctl_migrate_index_left(ctl_postgres_t *pg)
{
    PGresult  *result;

    for ( ;; ) {
        result = ctl_postgres_text(pg, "SELECT count(*) FROM pg_stat_activity"
                                   " WHERE pid <> pg_backend_pid()"
                                   " AND datname = current_database()"
                                   " AND usename = current_user"
                                   " AND state = 'active' AND query ~"
                                   " '^(CREATE|DROP) INDEX CONCURRENTLY IF '",
                                   0, NULL);

        if (result == NULL || PQntuples(result) != 1) {
            return ctl_postgres_failed(pg);
        }

        if (strcmp(PQgetvalue(result, 0, 0), "0") == 0) {
            return CTL_OK;
        }

        ctl_sleep_until(ctl_monotonic_ms() + CTL_MIGRATE_POLL);
    }
}


/* another one did the same at that moment, or each waited for the other */

static bool
ctl_migrate_index_crossed(const ctl_postgres_t *pg)
{
    size_t  i;

    static const char *const  states[] = {
        "40P01", "42704", "42P07", "23505"
    };

    for (i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
        if (strcmp(pg->sqlstate, states[i]) == 0) {
            return true;
        }
    }

    return false;
}


static int
ctl_migrate_index_failed(const ctl_postgres_t *pg, prompt_str_t name)
{
    ctl_error("the index %s was not made: %s (SQLSTATE %s); the schema is up "
              "to date, run \"promptctl migrate\" again for the index",
              name.data, pg->message, pg->sqlstate);

    return CTL_FAILED;
}
