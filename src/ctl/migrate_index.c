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


/* does what is to be done with one of them; false: no more is to be done */
typedef bool (*ctl_migrate_index_pt)(ctl_migrate_t *migrate,
    ctl_postgres_t *pg, prompt_str_t sql);


static void ctl_migrate_indexes_make(ctl_migrate_t *migrate,
    ctl_postgres_t *pg, const char *sql);
static bool ctl_migrate_index_each(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    ctl_migrate_index_pt act);
static prompt_str_t ctl_migrate_index_next(prompt_str_t *rest);
static const char *ctl_migrate_index_name(const ctl_migrate_t *migrate,
    prompt_str_t sql);
static char ctl_migrate_index_state(ctl_postgres_t *pg, const char *name);
static bool ctl_migrate_index_look(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    prompt_str_t sql);
static bool ctl_migrate_index_make(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    prompt_str_t sql);
static void ctl_migrate_index_left(ctl_postgres_t *pg);
static bool ctl_migrate_index_crossed(const ctl_postgres_t *pg);


void
ctl_migrate_indexes(ctl_migrate_t *migrate)
{
    if (!ctl_migrate_index_each(migrate, &migrate->pg,
                                ctl_migrate_index_look))
    {
        ctl_migrate_outside(migrate, "0", ctl_migrate_indexes_make, NULL);
    }
}


static void
ctl_migrate_indexes_make(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    const char *sql)
{
    (void) sql;
    (void) ctl_migrate_index_each(migrate, pg, ctl_migrate_index_make);
}


static bool
ctl_migrate_index_each(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    ctl_migrate_index_pt act)
{
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
            if (!act(migrate, pg, sql)) {
                return false;
            }
        }
    }

    return true;
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


static const char *
ctl_migrate_index_name(const ctl_migrate_t *migrate, prompt_str_t sql)
{
    const char  *name;

    name = sql.data + sizeof(CTL_MIGRATE_INDEX) - 1;

    return ctl_printf(migrate->ctl, "%.*s", (int) strcspn(name, " \n"),
                      name).data;
}


/* 't' it is there, 'f' it was left unfinished, '\0' there is none */
static char
ctl_migrate_index_state(ctl_postgres_t *pg, const char *name)
{
    PGresult  *result;

    result = ctl_postgres_rows(pg, "SELECT indisvalid FROM pg_index"
                               " WHERE indexrelid = to_regclass($1)", 1,
                               &name);

    return PQntuples(result) == 1 ? PQgetvalue(result, 0, 0)[0] : '\0';
}


static bool
ctl_migrate_index_look(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    prompt_str_t sql)
{
    return ctl_migrate_index_state(pg, ctl_migrate_index_name(migrate, sql))
           == 't';
}


/*
 * What a promptctl that was killed had sent goes on, and ends at some time:
 * the index is there then, or useless, or gone.  So this waits until nobody is
 * at it, looks what is there, does the next thing, and looks again.
 */
static bool
ctl_migrate_index_make(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    prompt_str_t sql)
{
    int           tries;
    char          state;
    const char   *name;
    prompt_str_t  text;

    name = ctl_migrate_index_name(migrate, sql);

    for (tries = 0; /* void */; tries++) {
        ctl_migrate_index_left(pg);
        state = ctl_migrate_index_state(pg, name);

        if (state == 't') {
            return true;
        }

        text = state == 'f'
               ? ctl_printf(migrate->ctl,
                            "DROP INDEX CONCURRENTLY IF EXISTS %s", name)
               : ctl_printf(migrate->ctl, "%.*s", prompt_str_arg(sql));

        if (!ctl_postgres_script(pg, text.data)
            && (tries >= CTL_MIGRATE_INDEX_TRIES
                || !ctl_migrate_index_crossed(pg)))
        {
            ctl_fail("the index %s was not made: %s (SQLSTATE %s); the schema "
                     "is up to date, run \"promptctl migrate\" again for the "
                     "index", name, pg->message, pg->sqlstate);
        }
    }
}


static void
ctl_migrate_index_left(ctl_postgres_t *pg)
{
    static const char  sql[] =
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE pid <> pg_backend_pid() AND datname = current_database()"
        " AND usename = current_user AND state = 'active'"
        " AND query ~ '^(CREATE|DROP) INDEX CONCURRENTLY IF '";

    while (strcmp(ctl_postgres_one(pg, sql, 0, NULL), "0") != 0) {
        ctl_sleep(CTL_MIGRATE_POLL);
    }
}


/* another one did the same at that moment, or each waited for the other */
static bool
ctl_migrate_index_crossed(const ctl_postgres_t *pg)
{
    return pg->sqlstate[0] != '\0'
           && strstr("40P01 42704 42P07 23505", pg->sqlstate) != NULL;
}
