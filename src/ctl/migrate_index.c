/*
 * promptctl migrate: indexes, made and dropped while the service reads and
 * writes.
 *
 * CREATE INDEX CONCURRENTLY runs in no transaction, and one that fails leaves
 * an index that is of no use.  So this is done for all migrations each time,
 * for what is missing or was left like that, or is not wanted any more; of two
 * promptctl one does it, and the other waits.
 *
 * The lock is held by another connection, in a transaction that is idle: it
 * has no snapshot, for which making the index would wait.
 */

#include "ctl/migrate.h"


#define CTL_MIGRATE_INDEX       "CREATE INDEX CONCURRENTLY IF NOT EXISTS "
#define CTL_MIGRATE_INDEX_DROP  "DROP INDEX CONCURRENTLY IF EXISTS "


/* what a migration says of an index */
typedef struct {
    prompt_str_t  sql;               /* without its semicolon */
    prompt_str_t  name;              /* ends with NUL, too */
    bool          wanted;            /* it is to be there */
} ctl_migrate_index_t;


/* does what is to be done with one of them; *done where it did something */
typedef int (*ctl_migrate_index_pt)(ctl_migrate_t *migrate,
    ctl_postgres_t *pg, const ctl_migrate_index_t *index, bool *done);


static int ctl_migrate_index_each(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    ctl_migrate_index_pt act, bool *done);
static bool ctl_migrate_index_next(prompt_str_t *rest, prompt_str_t *sql);
static int ctl_migrate_index_read(ctl_migrate_t *migrate, size_t migration,
    prompt_str_t sql, ctl_migrate_index_t *index);
static bool ctl_migrate_index_dropped(size_t migration, prompt_str_t name);
static int ctl_migrate_index_state(ctl_postgres_t *pg,
    const ctl_migrate_index_t *index, const char **state);
static int ctl_migrate_index_look(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    const ctl_migrate_index_t *index, bool *missing);
static int ctl_migrate_index_make(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    const ctl_migrate_index_t *index, bool *made);
static int ctl_migrate_index_do(ctl_postgres_t *pg,
    const ctl_migrate_index_t *index, prompt_str_t sql);


int
ctl_migrate_indexes(ctl_migrate_t *migrate)
{
    int             rc;
    bool            missing, made;
    ctl_postgres_t  pg;

    missing = false;
    made = false;

    rc = ctl_migrate_index_each(migrate, &migrate->pg, ctl_migrate_index_look,
                                &missing);

    if (rc != CTL_OK || !missing) {
        return rc;
    }

    rc = ctl_migrate_begin(migrate);
    if (rc != CTL_OK) {
        return rc;
    }

    rc = ctl_postgres_open(&pg, migrate->ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    if (!ctl_postgres_script(&pg, "SET lock_timeout = 0")
        || !ctl_postgres_script(&pg, "SET statement_timeout = 0"))
    {
        rc = ctl_postgres_failed(&pg);

    } else {
        rc = ctl_migrate_index_each(migrate, &pg, ctl_migrate_index_make,
                                    &made);
    }

    ctl_postgres_close(&pg);

    if (rc == CTL_OK && !ctl_postgres_script(&migrate->pg, "COMMIT")) {
        rc = ctl_postgres_failed(&migrate->pg);
    }

    return rc;
}


static int
ctl_migrate_index_each(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    ctl_migrate_index_pt act, bool *done)
{
    int                     rc;
    size_t                  i, len;
    prompt_str_t            rest, sql;
    ctl_migrate_index_t     index;
    const ctl_migration_t  *migration;

    for (i = 0; i < ctl_migrations_count; i++) {
        migration = &ctl_migrations[i];
        len = ctl_migration_length(migration);
        rest = prompt_str_of(migration->sql + len, migration->len - len);

        while (ctl_migrate_index_next(&rest, &sql)) {

            rc = ctl_migrate_index_read(migrate, i, sql, &index);

            if (rc == CTL_OK) {
                rc = act(migrate, pg, &index, done);
            }

            if (rc != CTL_OK) {
                return rc;
            }
        }
    }

    return CTL_OK;
}


/* The next statement of rest, without its semicolon; false at the end. */

static bool
ctl_migrate_index_next(prompt_str_t *rest, prompt_str_t *sql)
{
    const char  *begin, *drop, *end;

    /* texts of migrations end with NUL */

    begin = strstr(rest->data, "\n" CTL_MIGRATE_INDEX);
    drop = strstr(rest->data, "\n" CTL_MIGRATE_INDEX_DROP);

    if (begin == NULL || (drop != NULL && drop < begin)) {
        begin = drop;
    }

    if (begin == NULL) {
        return false;
    }

    begin++;
    end = strchr(begin, ';');

    if (end == NULL) {
        return false;
    }

    *rest = prompt_str_of(end, rest->len - (size_t) (end - rest->data));
    *sql = prompt_str_of(begin, (size_t) (end - begin));

    return true;
}


static int
ctl_migrate_index_read(ctl_migrate_t *migrate, size_t migration,
    prompt_str_t sql, ctl_migrate_index_t *index)
{
    size_t  begin, len;

    index->wanted = (sql.data[0] == 'C');
    begin = index->wanted ? sizeof(CTL_MIGRATE_INDEX) - 1
                          : sizeof(CTL_MIGRATE_INDEX_DROP) - 1;
    len = strcspn(sql.data + begin, " \n;");

    index->sql = sql;
    index->name = prompt_arena_printf(migrate->ctl->arena, "%.*s", (int) len,
                                      sql.data + begin);
    if (index->name.data == NULL) {
        return ctl_no_memory();
    }

    if (ctl_migrate_index_dropped(migration, index->name)) {
        index->wanted = false;
    }

    return CTL_OK;
}


/* Whether a later migration says that there is to be no index of this name. */

static bool
ctl_migrate_index_dropped(size_t migration, prompt_str_t name)
{
    const char  *at;

    while (++migration < ctl_migrations_count) {

        at = strstr(ctl_migrations[migration].sql,
                    "\n" CTL_MIGRATE_INDEX_DROP);

        while (at != NULL) {
            at += sizeof("\n" CTL_MIGRATE_INDEX_DROP) - 1;

            if (strncmp(at, name.data, name.len) == 0 && at[name.len] == ';') {
                return true;
            }

            at = strstr(at, "\n" CTL_MIGRATE_INDEX_DROP);
        }
    }

    return false;
}


/* *state: "t" it is there, "f" it was left unfinished, "" there is none */

static int
ctl_migrate_index_state(ctl_postgres_t *pg, const ctl_migrate_index_t *index,
    const char **state)
{
    PGresult    *result;
    const char  *params[1];

    *state = "";
    params[0] = index->name.data;

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
    const ctl_migrate_index_t *index, bool *missing)
{
    int          rc;
    const char  *state;

    (void) migrate;

    rc = ctl_migrate_index_state(pg, index, &state);

    if (rc == CTL_OK && (index->wanted ? state[0] != 't' : state[0] != '\0')) {
        *missing = true;
    }

    return rc;
}


static int
ctl_migrate_index_make(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    const ctl_migrate_index_t *index, bool *made)
{
    int           rc;
    const char   *state;
    prompt_str_t  text;

    rc = ctl_migrate_index_state(pg, index, &state);

    if (rc != CTL_OK || (index->wanted && state[0] == 't')) {
        return rc;
    }

    /* what was left unfinished, or is not wanted */

    if (state[0] != '\0') {
        text = prompt_arena_printf(migrate->ctl->arena,
                                   "DROP INDEX CONCURRENTLY %s",
                                   index->name.data);

        rc = ctl_migrate_index_do(pg, index, text);

        if (rc != CTL_OK) {
            return rc;
        }

        *made = true;
    }

    if (!index->wanted) {
        return CTL_OK;
    }

    *made = true;
    text = prompt_arena_printf(migrate->ctl->arena, "%.*s",
                               prompt_str_arg(index->sql));

    return ctl_migrate_index_do(pg, index, text);
}


static int
ctl_migrate_index_do(ctl_postgres_t *pg,
    const ctl_migrate_index_t *index, prompt_str_t sql)
{
    if (sql.data == NULL) {
        return ctl_no_memory();
    }

    if (ctl_postgres_script(pg, sql.data)) {
        return CTL_OK;
    }

    ctl_error("the index %s was not %s: %s (SQLSTATE %s); the schema is up "
              "to date, run \"promptctl migrate\" again for the index",
              index->name.data, index->wanted ? "made" : "dropped",
              pg->message, pg->sqlstate);

    return CTL_FAILED;
}
