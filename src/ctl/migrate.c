/*
 * promptctl migrate: brings the database schema up to date.
 *
 * All of it is one transaction below an advisory lock: of two that run at
 * once, the second waits and then finds nothing to do; one that fails leaves
 * nothing behind.
 */

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/json.h"
#include "ctl/migrations.h"
#include "ctl/output.h"
#include "ctl/postgres.h"
#include "store/schema_version.h"


/* gen_random_uuid() and column privileges as the statements need them */
#define CTL_POSTGRES_MIN  130000


typedef struct {
    ctl_t           *ctl;
    ctl_postgres_t   pg;
    size_t           first;                  /* migration not yet applied */
} ctl_migrate_t;


static int ctl_migrate_server(ctl_migrate_t *migrate);
static int ctl_migrate_compare(ctl_migrate_t *migrate);
static int ctl_migrate_compare_one(ctl_migrate_t *migrate,
    const ctl_migration_t *migration, const char *name, const char *checksum);
static int ctl_migrate_apply(ctl_migrate_t *migrate);
static int ctl_migrate_grant(ctl_migrate_t *migrate, const char *role);
static int ctl_migrate_print(ctl_migrate_t *migrate);
static int ctl_migrate_failed(ctl_migrate_t *migrate, const char *what);


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

    if (rc == CTL_OK
        && (!ctl_postgres_script(&migrate.pg, "BEGIN")
            || !ctl_postgres_script(&migrate.pg, prompt_migration_lock_sql)
            || !ctl_postgres_script(&migrate.pg,
                                    prompt_migration_table_sql)))
    {
        rc = ctl_postgres_failed(&migrate.pg);
    }

    if (rc == CTL_OK) {
        rc = ctl_migrate_compare(&migrate);
    }

    if (rc == CTL_OK) {
        rc = ctl_migrate_apply(&migrate);
    }

    if (rc == CTL_OK && role != NULL) {
        rc = ctl_migrate_grant(&migrate, role);
    }

    if (rc == CTL_OK && !ctl_postgres_script(&migrate.pg, "COMMIT")) {
        rc = ctl_postgres_failed(&migrate.pg);
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


/* What was applied must be what this program has, from the first on. */

static int
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
    n = PQntuples(result);
    rc = CTL_OK;

    for (i = 0; i < n && rc == CTL_OK; i++) {

        if (migrate->first == ctl_migrations_count) {
            ctl_error("the database schema (version %s) is newer than this "
                      "promptctl (version %d)", PQgetvalue(result, n - 1, 0),
                      PROMPT_SCHEMA_VERSION);
            rc = CTL_FAILED;
            break;
        }

        rc = ctl_migrate_compare_one(migrate, &ctl_migrations[migrate->first],
                                     PQgetvalue(result, i, 1),
                                     PQgetvalue(result, i, 2));
        migrate->first++;
    }

    PQclear(result);

    return rc;
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
        ctl_error("the database was migrated with another %s than this "
                  "promptctl has: nothing was changed", name);
        return CTL_FAILED;
    }

    return CTL_OK;
}


static int
ctl_migrate_apply(ctl_migrate_t *migrate)
{
    char         version[24];
    size_t       i;
    const char  *params[3];

    for (i = migrate->first; i < ctl_migrations_count; i++) {

        if (!ctl_postgres_script(&migrate->pg, ctl_migrations[i].sql)) {
            return ctl_migrate_failed(migrate, ctl_migrations[i].name);
        }

        (void) snprintf(version, sizeof(version), "%zu", i + 1);

        params[0] = version;
        params[1] = ctl_migrations[i].name;
        params[2] = ctl_migrations[i].sql;

        if (ctl_postgres_text(&migrate->pg, prompt_migration_record_sql, 3,
                              params)
            == NULL)
        {
            return ctl_migrate_failed(migrate, ctl_migrations[i].name);
        }
    }

    return CTL_OK;
}


static int
ctl_migrate_grant(ctl_migrate_t *migrate, const char *role)
{
    size_t        i;
    char         *quoted, *schema;
    PGresult     *result;
    prompt_str_t  sql;

    result = ctl_postgres_text(&migrate->pg,
                               "SELECT quote_ident(current_schema())", 0,
                               NULL);
    if (result == NULL) {
        return ctl_migrate_failed(migrate, "--grant");
    }

    schema = PQgetvalue(result, 0, 0);
    quoted = PQescapeIdentifier(migrate->pg.conn, role, strlen(role));

    if (quoted == NULL) {
        return ctl_no_memory();
    }

    sql = prompt_arena_printf(migrate->ctl->arena,
                              "GRANT USAGE ON SCHEMA %s TO %s", schema,
                              quoted);

    for (i = 0; sql.data != NULL; i++) {

        if (!ctl_postgres_script(&migrate->pg, sql.data)) {
            PQfreemem(quoted);
            return ctl_migrate_failed(migrate, "--grant");
        }

        if (prompt_schema_grants[i] == NULL) {
            PQfreemem(quoted);
            return CTL_OK;
        }

        sql = prompt_arena_printf(migrate->ctl->arena, "%s%s",
                                  prompt_schema_grants[i], quoted);
    }

    PQfreemem(quoted);

    return ctl_no_memory();
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

        (void) printf("the database schema is at version %d\n",
                      PROMPT_SCHEMA_VERSION);
        return CTL_OK;
    }

    ctl_output_init(&out);
    ctl_output_begin(&out, '{');
    ctl_output_name(&out, "version");
    ctl_output_int(&out, PROMPT_SCHEMA_VERSION);
    ctl_output_name(&out, "applied");
    ctl_output_begin(&out, '[');

    for (i = migrate->first; i < ctl_migrations_count; i++) {
        ctl_output_string(&out, prompt_str_from(ctl_migrations[i].name));
    }

    ctl_output_end(&out, ']');
    ctl_output_end(&out, '}');

    return ctl_output_print(&out);
}


static int
ctl_migrate_failed(ctl_migrate_t *migrate, const char *what)
{
    ctl_error("%s: %s (SQLSTATE %s); nothing was changed", what,
              migrate->pg.message[0] != '\0' ? migrate->pg.message
                                             : "PostgreSQL does not answer",
              migrate->pg.sqlstate[0] != '\0' ? migrate->pg.sqlstate
                                              : "unknown");

    return CTL_FAILED;
}
