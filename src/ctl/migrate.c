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

#include "ctl/migrate.h"
#include "ctl/output.h"
#include "store/schema_version.h"


/* gen_random_uuid() and column privileges as the statements need them */
#define CTL_POSTGRES_MIN     130000

static void ctl_migrate_server(const ctl_postgres_t *pg);
static void ctl_migrate_all(ctl_migrate_t *migrate, const char *role);
static bool ctl_migrate_once(ctl_migrate_t *migrate, const char *role);
static void ctl_migrate_compare_row(ctl_migrate_t *migrate, PGresult *result,
    int row);
static bool ctl_migrate_apply(ctl_migrate_t *migrate, size_t i);
static prompt_str_t ctl_migrate_detail(const ctl_migrate_t *migrate,
    const char *role);
static void ctl_migrate_print(ctl_migrate_t *migrate);


int
ctl_migrate(ctl_t *ctl)
{
    const char     *role;
    ctl_migrate_t   migrate;

    memset(&migrate, 0, sizeof(ctl_migrate_t));
    migrate.ctl = ctl;

    ctl_postgres_open(&migrate.pg, ctl);
    ctl_migrate_server(&migrate.pg);

    role = ctl_given(ctl, "grant");

    ctl_migrate_all(&migrate, role);
    ctl_migrate_indexes(&migrate);
    ctl_migrate_steps(&migrate);

    if (role != NULL) {
        ctl_migrate_settings(&migrate, role);
    }

    if (role != NULL || migrate.first < ctl_migrations_count) {
        ctl_audit_add(&migrate.pg, ctl_migrate_detail(&migrate, role));
    }

    ctl_migrate_print(&migrate);
    ctl_postgres_close(&migrate.pg);

    return CTL_OK;
}


static void
ctl_migrate_server(const ctl_postgres_t *pg)
{
    const char  *encoding;

    if (PQserverVersion(pg->conn) < CTL_POSTGRES_MIN) {
        ctl_fail("PostgreSQL 13 or later is needed");
    }

    encoding = PQparameterStatus(pg->conn, "server_encoding");

    if (encoding == NULL || strcmp(encoding, "UTF8") != 0) {
        ctl_fail("the database's encoding must be UTF8, not %s",
                 encoding != NULL ? encoding : "unknown");
    }
}


/* Tries again where somebody holds a table for long: a dump, say. */
static void
ctl_migrate_all(ctl_migrate_t *migrate, const char *role)
{
    int  tries;

    for (tries = 1; !ctl_migrate_once(migrate, role); tries++) {

        if (tries == CTL_MIGRATE_TRIES) {
            ctl_fail("another session has locked a table that a migration "
                     "changes; nothing was changed, try again later");
        }

        ctl_postgres_do(&migrate->pg, "ROLLBACK");
        ctl_sleep(CTL_MIGRATE_PAUSE);
    }
}


/* false: a lock on a table was not got in time */
static bool
ctl_migrate_once(ctl_migrate_t *migrate, const char *role)
{
    size_t  i;

    migrate->first = 0;

    ctl_migrate_begin(migrate);
    ctl_postgres_do(&migrate->pg, prompt_migration_table_sql);
    ctl_migrate_compare(migrate);

    for (i = migrate->first; i < ctl_migrations_count; i++) {
        if (!ctl_migrate_apply(migrate, i)) {
            return false;
        }
    }

    ctl_postgres_do(&migrate->pg, prompt_database_make_sql);

    if (migrate->first < ctl_migrations_count) {
        ctl_migrate_grant_again(migrate);
    }

    if (role != NULL) {
        ctl_migrate_grant(migrate, role);
    }

    ctl_postgres_do(&migrate->pg, "COMMIT");

    return true;
}


void
ctl_migrate_begin(ctl_migrate_t *migrate)
{
    ctl_postgres_t  *pg;

    pg = &migrate->pg;

    for ( ;; ) {
        ctl_postgres_do(pg, "BEGIN ISOLATION LEVEL READ COMMITTED");

        if (ctl_postgres_one(pg, prompt_migration_lock_sql, 0, NULL)[0]
            == 't')
        {
            break;
        }

        ctl_postgres_do(pg, "ROLLBACK");
        ctl_sleep(CTL_MIGRATE_POLL);
    }

    /*
     * Being another message, this also ends the portal of the one before,
     * and so its snapshot, for which the making of an index would wait.
     */

    ctl_postgres_do(pg, "SET LOCAL lock_timeout = '2s';"
                    "SET LOCAL statement_timeout = 0;"
                    "SET LOCAL idle_in_transaction_session_timeout = 0");
}


void
ctl_migrate_outside(ctl_migrate_t *migrate, const char *lock_timeout,
    ctl_migrate_work_pt work, const char *sql)
{
    ctl_postgres_t  pg;

    ctl_migrate_begin(migrate);
    ctl_postgres_open(&pg, migrate->ctl);

    ctl_postgres_do(&pg, ctl_printf(migrate->ctl, "SET lock_timeout = '%s'",
                                    lock_timeout).data);
    ctl_postgres_do(&pg, "SET statement_timeout = 0");

    work(migrate, &pg, sql);

    ctl_postgres_close(&pg);
    ctl_postgres_do(&migrate->pg, "COMMIT");
}


void
ctl_migrate_compare(ctl_migrate_t *migrate)
{
    int        i, n;
    PGresult  *result;

    result = ctl_postgres_rows(&migrate->pg, prompt_migration_list_sql, 0,
                               NULL);

    /* the checks below run statements of their own: the rows stay ours */

    migrate->pg.nresults = 0;
    migrate->version = PROMPT_SCHEMA_VERSION;

    n = PQntuples(result);

    for (i = 0; i < n; i++) {
        ctl_migrate_compare_row(migrate, result, i);
    }

    PQclear(result);
}


static void
ctl_migrate_compare_row(ctl_migrate_t *migrate, PGresult *result, int row)
{
    const char             *name, *checksum;
    const ctl_migration_t  *migration;

    if (migrate->first < ctl_migrations_count) {
        migration = &ctl_migrations[migrate->first++];
        name = PQgetvalue(result, row, 1);

        checksum = ctl_postgres_one(&migrate->pg,
                                    prompt_migration_checksum_sql, 1,
                                    &migration->sql);

        if (strcmp(name, migration->name) != 0
            || strcmp(checksum, PQgetvalue(result, row, 2)) != 0)
        {
            ctl_fail("the database was migrated with a different %s from the "
                     "one in this promptctl: nothing was changed", name);
        }

        return;
    }

    migrate->version = strtol(PQgetvalue(result, row, 0), NULL, 10);

    if (strtol(PQgetvalue(result, row, 3), NULL, 10) > PROMPT_SCHEMA_VERSION) {
        ctl_fail("the database schema (version %s) is newer than this "
                 "promptctl (version %d)",
                 PQgetvalue(result, PQntuples(result) - 1, 0),
                 PROMPT_SCHEMA_VERSION);
    }
}


/* false: a lock on a table was not got in time */
static bool
ctl_migrate_apply(ctl_migrate_t *migrate, size_t i)
{
    char                    version[24], oldest[24];
    const ctl_t            *ctl;
    const char             *params[4], *line;
    const ctl_migration_t  *migration;

    static const char  compatible[] = "-- compatible: ";

    ctl = migrate->ctl;
    migration = &ctl_migrations[i];

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

    if (ctl_postgres_script(&migrate->pg,
                            ctl_printf(ctl, "%.*s",
                                       (int) ctl_migration_length(migration),
                                       migration->sql).data)
        && ctl_postgres_text(&migrate->pg, prompt_migration_record_sql, 4,
                             params)
           != NULL)
    {
        return true;
    }

    if (migrate->pg.status != PROMPT_SQL_LOCKED) {
        ctl_migrate_failed(&migrate->pg, migration->name,
                           "nothing was changed");
    }

    return false;
}


size_t
ctl_migration_length(const ctl_migration_t *migration)
{
    const char  *line;

    line = strstr(migration->sql, "\n-- afterwards\n");

    return line != NULL ? (size_t) (line - migration->sql) : migration->len;
}


static prompt_str_t
ctl_migrate_detail(const ctl_migrate_t *migrate, const char *role)
{
    json_t        *detail;
    prompt_buf_t   text;
    prompt_str_t   copy;

    detail = ctl_json(json_pack("{s:I, s:s?}", "version",
                                (json_int_t) migrate->version, "grant", role));

    prompt_buf_init(&text, CTL_JSON_MAX);
    ctl_json_write(&text, detail, false);
    copy = ctl_copy(migrate->ctl, prompt_buf_view(&text));

    prompt_buf_free(&text);
    json_decref(detail);

    return copy;
}


static void
ctl_migrate_print(ctl_migrate_t *migrate)
{
    json_t      *applied;
    size_t       i;
    const char  *name;

    applied = ctl_json(json_array());

    for (i = migrate->first; i < ctl_migrations_count; i++) {
        name = ctl_migrations[i].name;

        ctl_json_append(applied, json_string(name));

        if (!migrate->ctl->json) {
            (void) printf("applied %s\n", name);
        }
    }

    if (!migrate->ctl->json) {
        (void) printf("the database schema is at version %lld\n",
                      (long long) migrate->version);
        json_decref(applied);
        return;
    }

    ctl_print_json(ctl_json(json_pack("{s:I, s:o}", "version",
                                      (json_int_t) migrate->version,
                                      "applied", applied)));
}


void
ctl_migrate_failed(const ctl_postgres_t *pg, const char *what, const char *so)
{
    ctl_fail("%s: %s (SQLSTATE %s); %s", what,
             pg->message[0] != '\0'
             ? pg->message : "PostgreSQL does not answer",
             pg->sqlstate[0] != '\0' ? pg->sqlstate : "unknown", so);
}
