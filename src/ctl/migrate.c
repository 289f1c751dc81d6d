/*
 * promptctl migrate: brings the database schema up to date.
 *
 * All of it but indexes and steps is one transaction below an advisory lock:
 * of two that run at once, the second waits and then finds nothing to do; one
 * that fails leaves nothing behind.
 *
 * The service goes on meanwhile.  Who waits for a lock on a table holds up
 * everybody who comes after; so that is done for a moment at a time only.
 */

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/json.h"
#include "ctl/migrate.h"
#include "ctl/output.h"
#include "store/schema_version.h"


/* gen_random_uuid() and column privileges as the statements need them */
#define CTL_POSTGRES_MIN     130000

/* a lock on a table was not got in time: nothing was said yet */
#define CTL_MIGRATE_LOCKED   (-1)


static int ctl_migrate_server(ctl_migrate_t *migrate);
static int ctl_migrate_all(ctl_migrate_t *migrate, const char *role);
static int ctl_migrate_once(ctl_migrate_t *migrate, const char *role);
static int ctl_migrate_compare_row(ctl_migrate_t *migrate, PGresult *result,
    int row);
static int ctl_migrate_compare_one(ctl_migrate_t *migrate,
    const ctl_migration_t *migration, const char *name, const char *checksum);
static int ctl_migrate_apply(ctl_migrate_t *migrate);
static int ctl_migrate_apply_one(ctl_migrate_t *migrate, size_t i);
static int ctl_migrate_print(ctl_migrate_t *migrate);


int
ctl_migrate(ctl_t *ctl)
{
    int             rc;
    const char     *role;
    ctl_migrate_t   migrate;

    memset(&migrate, 0, sizeof(ctl_migrate_t));
    migrate.ctl = ctl;

    rc = ctl_postgres_open(&migrate.pg, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    role = ctl_given(ctl, "grant");
    rc = ctl_migrate_server(&migrate);

    if (rc == CTL_OK) {
        rc = ctl_migrate_all(&migrate, role);
    }

    if (rc == CTL_OK) {
        rc = ctl_migrate_indexes(&migrate);
    }

    if (rc == CTL_OK) {
        rc = ctl_migrate_steps(&migrate);
    }

    if (rc == CTL_OK && role != NULL) {
        rc = ctl_migrate_settings(&migrate, role);
    }

    if (rc == CTL_OK) {
        rc = ctl_migrate_print(&migrate);
    }

    ctl_postgres_close(&migrate.pg);

    return rc;
}


static int
ctl_migrate_server(ctl_migrate_t *migrate)
{
    PGconn      *conn;
    const char  *encoding;

    conn = migrate->pg.conn;

    if (PQserverVersion(conn) < CTL_POSTGRES_MIN) {
        ctl_error("PostgreSQL 13 or later is needed");
        return CTL_FAILED;
    }

    encoding = PQparameterStatus(conn, "server_encoding");

    if (encoding == NULL || strcmp(encoding, "UTF8") != 0) {
        ctl_error("the database's encoding must be UTF8, not %s",
                  encoding != NULL ? encoding : "unknown");
        return CTL_FAILED;
    }

    return CTL_OK;
}


/* Tries again where somebody holds a table for long: a dump, say. */

static int
ctl_migrate_all(ctl_migrate_t *migrate, const char *role)
{
    int  rc, tries;

    for (tries = 1; /* void */; tries++) {
        rc = ctl_migrate_once(migrate, role);

        if (rc != CTL_MIGRATE_LOCKED) {
            return rc;
        }

        if (tries == CTL_MIGRATE_TRIES) {
            ctl_error("another session has locked a table that a migration "
                      "changes; nothing was changed, try again later");
            return CTL_FAILED;
        }

        if (!ctl_postgres_script(&migrate->pg, "ROLLBACK")) {
            return ctl_postgres_failed(&migrate->pg);
        }

        ctl_sleep_until(ctl_monotonic_ms() + CTL_MIGRATE_PAUSE);
    }
}


static int
ctl_migrate_once(ctl_migrate_t *migrate, const char *role)
{
    int  rc;

    migrate->first = 0;

    rc = ctl_migrate_begin(migrate);

    if (rc == CTL_OK
        && !ctl_postgres_script(&migrate->pg, prompt_migration_table_sql))
    {
        rc = ctl_postgres_failed(&migrate->pg);
    }

    if (rc == CTL_OK) {
        rc = ctl_migrate_compare(migrate);
    }

    if (rc == CTL_OK) {
        rc = ctl_migrate_apply(migrate);
    }

    if (rc == CTL_OK
        && !ctl_postgres_script(&migrate->pg, prompt_database_make_sql))
    {
        rc = ctl_postgres_failed(&migrate->pg);
    }

    if (rc == CTL_OK && migrate->first < ctl_migrations_count) {
        rc = ctl_migrate_grant_again(migrate);
    }

    if (rc == CTL_OK && role != NULL) {
        rc = ctl_migrate_grant(migrate, role);
    }

    if (rc == CTL_OK && !ctl_postgres_script(&migrate->pg, "COMMIT")) {
        rc = ctl_postgres_failed(&migrate->pg);
    }

    return rc;
}


int
ctl_migrate_begin(ctl_migrate_t *migrate)
{
    PGresult  *result;

    for ( ;; ) {

        if (!ctl_postgres_script(&migrate->pg,
                                 "BEGIN ISOLATION LEVEL READ COMMITTED"))
        {
            return ctl_postgres_failed(&migrate->pg);
        }

        result = ctl_postgres_text(&migrate->pg, prompt_migration_lock_sql, 0,
                                   NULL);
        if (result == NULL) {
            return ctl_postgres_failed(&migrate->pg);
        }

        if (PQgetvalue(result, 0, 0)[0] == 't') {
            break;
        }

        if (!ctl_postgres_script(&migrate->pg, "ROLLBACK")) {
            return ctl_postgres_failed(&migrate->pg);
        }

        ctl_sleep_until(ctl_monotonic_ms() + CTL_MIGRATE_POLL);
    }

    /*
     * Being another message, this also ends the portal of the one before,
     * and so its snapshot, for which the making of an index would wait.
     */

    return ctl_postgres_script(&migrate->pg,
                               "SET LOCAL lock_timeout = '2s';"
                               "SET LOCAL statement_timeout = 0;"
                               "SET LOCAL idle_in_transaction_session_timeout"
                               " = 0")
           ? CTL_OK : ctl_postgres_failed(&migrate->pg);
}


int
ctl_migrate_outside(ctl_migrate_t *migrate, const char *lock_timeout,
    ctl_migrate_work_pt work, void *data)
{
    int             rc;
    char            limit[64];
    ctl_postgres_t  pg;

    (void) snprintf(limit, sizeof(limit), "SET lock_timeout = '%s'",
                    lock_timeout);

    rc = ctl_migrate_begin(migrate);
    if (rc != CTL_OK) {
        return rc;
    }

    rc = ctl_postgres_open(&pg, migrate->ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    if (!ctl_postgres_script(&pg, limit)
        || !ctl_postgres_script(&pg, "SET statement_timeout = 0"))
    {
        rc = ctl_postgres_failed(&pg);

    } else {
        rc = work(migrate, &pg, data);
    }

    ctl_postgres_close(&pg);

    if (rc == CTL_OK && !ctl_postgres_script(&migrate->pg, "COMMIT")) {
        rc = ctl_postgres_failed(&migrate->pg);
    }

    return rc;
}


int
ctl_migrate_compare(ctl_migrate_t *migrate)
{
    int        i, n, rc;
    PGresult  *result;

    result = ctl_postgres_text(&migrate->pg, prompt_migration_list_sql, 0,
                               NULL);
    if (result == NULL) {
        return ctl_postgres_failed(&migrate->pg);
    }

    /* the checks below run statements of their own: the rows stay ours */

    migrate->pg.nresults = 0;
    migrate->version = PROMPT_SCHEMA_VERSION;

    n = PQntuples(result);
    rc = CTL_OK;

    for (i = 0; i < n && rc == CTL_OK; i++) {
        rc = ctl_migrate_compare_row(migrate, result, i);
    }

    PQclear(result);

    return rc;
}


static int
ctl_migrate_compare_row(ctl_migrate_t *migrate, PGresult *result, int row)
{
    if (migrate->first < ctl_migrations_count) {
        return ctl_migrate_compare_one(migrate,
                                       &ctl_migrations[migrate->first++],
                                       PQgetvalue(result, row, 1),
                                       PQgetvalue(result, row, 2));
    }

    migrate->version = strtol(PQgetvalue(result, row, 0), NULL, 10);

    if (strtol(PQgetvalue(result, row, 3), NULL, 10) <= PROMPT_SCHEMA_VERSION)
    {
        return CTL_OK;
    }

    ctl_error("the database schema (version %s) is newer than this promptctl "
              "(version %d)", PQgetvalue(result, PQntuples(result) - 1, 0),
              PROMPT_SCHEMA_VERSION);

    return CTL_FAILED;
}


static int
ctl_migrate_compare_one(ctl_migrate_t *migrate,
    const ctl_migration_t *migration, const char *name, const char *checksum)
{
    PGresult    *result;
    const char  *params[1];

    params[0] = migration->sql;

    result = ctl_postgres_text(&migrate->pg, prompt_migration_checksum_sql, 1,
                               params);
    if (result == NULL) {
        return ctl_postgres_failed(&migrate->pg);
    }

    if (strcmp(name, migration->name) != 0
        || strcmp(PQgetvalue(result, 0, 0), checksum) != 0)
    {
        ctl_error("the database was migrated with a different %s from the one "
                  "in this promptctl: nothing was changed", name);
        return CTL_FAILED;
    }

    return CTL_OK;
}


static int
ctl_migrate_apply(ctl_migrate_t *migrate)
{
    int     rc;
    size_t  i;

    for (i = migrate->first; i < ctl_migrations_count; i++) {
        rc = ctl_migrate_apply_one(migrate, i);

        if (rc != CTL_OK) {
            return rc;
        }
    }

    return CTL_OK;
}


static int
ctl_migrate_apply_one(ctl_migrate_t *migrate, size_t i)
{
    char                    version[24], oldest[24];
    const char             *params[4], *line;
    prompt_str_t            sql;
    const ctl_migration_t  *migration;

    static const char  compatible[] = "-- compatible: ";

    migration = &ctl_migrations[i];

    sql = prompt_arena_printf(migrate->ctl->arena, "%.*s",
                              (int) ctl_migration_length(migration),
                              migration->sql);
    if (sql.data == NULL) {
        return ctl_no_memory();
    }

    (void) snprintf(version, sizeof(version), "%zu", i + 1);

    params[0] = version;
    params[1] = migration->name;
    params[2] = migration->sql;
    params[3] = NULL;

    line = strstr(migration->sql, compatible);

    if (line != NULL) {
        (void) snprintf(oldest, sizeof(oldest), "%ld",
                        strtol(line + sizeof(compatible) - 1, NULL, 10));
        params[3] = oldest;
    }

    if (ctl_postgres_script(&migrate->pg, sql.data)
        && ctl_postgres_text(&migrate->pg, prompt_migration_record_sql, 4,
                             params)
           != NULL)
    {
        return CTL_OK;
    }

    if (migrate->pg.status == PROMPT_SQL_LOCKED) {
        return CTL_MIGRATE_LOCKED;
    }

    return ctl_migrate_failed(migrate, migration->name,
                              "nothing was changed");
}


size_t
ctl_migration_length(const ctl_migration_t *migration)
{
    const char  *line;

    line = strstr(migration->sql, "\n-- afterwards\n");

    return line != NULL ? (size_t) (line - migration->sql) : migration->len;
}


static int
ctl_migrate_print(ctl_migrate_t *migrate)
{
    size_t         i;
    ctl_output_t   out;

    if (!migrate->ctl->json) {

        for (i = migrate->first; i < ctl_migrations_count; i++) {
            (void) printf("applied %s\n", ctl_migrations[i].name);
        }

        (void) printf("the database schema is at version %lld\n",
                      (long long) migrate->version);
        return CTL_OK;
    }

    ctl_output_init(&out);
    ctl_output_begin(&out, '{');
    ctl_output_name(&out, "version");
    ctl_output_int(&out, migrate->version);
    ctl_output_name(&out, "applied");
    ctl_output_begin(&out, '[');

    for (i = migrate->first; i < ctl_migrations_count; i++) {
        ctl_output_string(&out, prompt_str_from(ctl_migrations[i].name));
    }

    ctl_output_end(&out, ']');
    ctl_output_end(&out, '}');

    return ctl_output_print(&out);
}


int
ctl_migrate_failed(ctl_migrate_t *migrate, const char *what, const char *so)
{
    ctl_error("%s: %s (SQLSTATE %s); %s", what,
              migrate->pg.message[0] != '\0' ? migrate->pg.message
                                             : "PostgreSQL does not answer",
              migrate->pg.sqlstate[0] != '\0' ? migrate->pg.sqlstate
                                              : "unknown", so);

    return CTL_FAILED;
}
