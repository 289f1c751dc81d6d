/*
 * promptctl restore-check: whether a database is a whole one of this service.
 *
 * What there has to be is not listed anywhere: the migrations that the database
 * says it has are run once more, in a schema of their own and in a transaction
 * that is rolled back, and the two are compared.
 */

#include <stdio.h>

#include "ctl/migrate.h"
#include "ctl/output.h"
#include "store/schema_version.h"


/* until who has left is not seen any more */
#define CTL_RESTORE_LEAVING  2000            /* ms */


typedef struct {
    ctl_migrate_t   migrate;
    const char     *schema;                  /* the service's */
    PGresult       *roles;                   /* that have its rights, quoted */
    json_t         *faults;                  /* in words */
} ctl_restore_t;


static void ctl_restore_renew(ctl_postgres_t *pg);
static void ctl_restore_check_all(ctl_restore_t *check);
static void ctl_restore_schema(ctl_restore_t *check);
static void ctl_restore_expect(ctl_restore_t *check);
static void ctl_restore_expect_one(ctl_restore_t *check,
    const ctl_migration_t *migration);
static void ctl_restore_look(ctl_restore_t *check, bool found,
    const char *name, const char *param);
static const char *ctl_restore_text(const char *name);
static void ctl_restore_fault(ctl_restore_t *check, const char *text);
static void ctl_restore_end(ctl_restore_t *check);


int
ctl_restore_check(ctl_t *ctl)
{
    bool           sound;
    ctl_restore_t  check;

    memset(&check, 0, sizeof(ctl_restore_t));

    check.migrate.ctl = ctl;
    check.faults = ctl_json(json_array());

    ctl_postgres_open(&check.migrate.pg, ctl);

    if (ctl_given(ctl, "new-identity") != NULL) {
        ctl_restore_renew(&check.migrate.pg);
    }

    ctl_restore_check_all(&check);

    sound = json_array_size(check.faults) == 0;
    ctl_restore_end(&check);

    PQclear(check.roles);
    ctl_postgres_close(&check.migrate.pg);

    return sound ? CTL_OK : CTL_FAILED;
}


/*
 * Workers that know the old identity would go on with it, and what is revoked
 * by the new one would stay in their cache.  Who has left a moment ago may be
 * there still.
 */
static void
ctl_restore_renew(ctl_postgres_t *pg)
{
    int64_t    end;
    PGresult  *others;

    end = ctl_monotonic_ms() + CTL_RESTORE_LEAVING;

    for ( ;; ) {
        others = ctl_postgres_rows(pg, ctl_restore_text("others.sql"), 0,
                                   NULL);

        if (strcmp(PQgetvalue(others, 0, 0), "0") == 0) {
            break;
        }

        if (ctl_monotonic_ms() >= end) {
            ctl_fail("others are connected to the database (%s, of %s): stop "
                     "the service first", PQgetvalue(others, 0, 0),
                     PQgetvalue(others, 0, 1));
        }

        ctl_sleep(CTL_MIGRATE_POLL);
    }

    ctl_postgres_do(pg, prompt_database_renew_sql);
}


static void
ctl_restore_check_all(ctl_restore_t *check)
{
    ctl_migrate_begin(&check->migrate);
    ctl_restore_schema(check);

    if (json_array_size(check->faults) != 0) {
        return;
    }

    ctl_restore_expect(check);
    ctl_restore_look(check, true, "things.sql", check->schema);
    ctl_restore_look(check, true, "owner.sql", check->schema);
    ctl_restore_look(check, true, "rights.sql", check->schema);

    ctl_postgres_do(&check->migrate.pg, "ROLLBACK");

    ctl_restore_look(check, false, "settings.sql",
                     ctl_migrate_setting_names(&check->migrate));

    /* these ask tables and functions, which must be there */

    if (json_array_size(check->faults) == 0) {
        ctl_restore_look(check, false, "content.sql", check->schema);
    }
}


/* Which schema it is, and of which version; who has the rights. */
static void
ctl_restore_schema(ctl_restore_t *check)
{
    PGresult       *result;
    ctl_migrate_t  *migrate;

    migrate = &check->migrate;

    result = ctl_postgres_rows(&migrate->pg, ctl_restore_text("where.sql"), 0,
                               NULL);

    if (PQgetvalue(result, 0, 1)[0] != 't') {
        ctl_restore_fault(check, "the database has no schema of the service: "
                          "restore a dump into it, or run \"promptctl "
                          "migrate\"");
        return;
    }

    if (!PQgetisnull(result, 0, 2)) {
        ctl_fail("what there has to be is made in a schema of its own, and "
                 "rolled back, which needs a right: %s",
                 PQgetvalue(result, 0, 2));
    }

    check->schema = ctl_printf(migrate->ctl, "%s",
                               PQgetvalue(result, 0, 0)).data;

    ctl_migrate_compare(migrate);

    if (migrate->version > PROMPT_SCHEMA_VERSION) {
        ctl_restore_fault(check, ctl_printf(migrate->ctl, "the schema has "
                          "version %lld, this promptctl %d: use the promptctl "
                          "of that version", (long long) migrate->version,
                          PROMPT_SCHEMA_VERSION).data);
        return;
    }

    if (migrate->first < ctl_migrations_count) {
        ctl_restore_fault(check, ctl_printf(migrate->ctl, "the schema has "
                          "version %zu, this promptctl %d: run \"promptctl "
                          "migrate\"", migrate->first,
                          PROMPT_SCHEMA_VERSION).data);
    }

    check->roles = ctl_migrate_roles(migrate);
}


static void
ctl_restore_expect(ctl_restore_t *check)
{
    int              i;
    size_t           n;
    ctl_postgres_t  *pg;

    pg = &check->migrate.pg;

    ctl_postgres_do(pg, ctl_restore_text("begin.sql"));
    ctl_postgres_do(pg, prompt_migration_table_sql);

    for (n = 0; n < check->migrate.first; n++) {
        ctl_restore_expect_one(check, &ctl_migrations[n]);
    }

    ctl_postgres_do(pg, ctl_restore_text("months.sql"));

    for (i = 0; i < PQntuples(check->roles); i++) {
        ctl_migrate_grant_quoted(&check->migrate,
                                 PQgetvalue(check->roles, i, 0));
    }
}


/* Nobody else sees the tables: indexes are made in the transaction. */
static void
ctl_restore_expect_one(ctl_restore_t *check, const ctl_migration_t *migration)
{
    char  *sql, *found;

    static const char  apart[] = " CONCURRENTLY";

    sql = (char *) ctl_copy(check->migrate.ctl,
                            prompt_str_of(migration->sql,
                                          migration->len)).data;

    for (found = strstr(sql, apart);
         found != NULL;
         found = strstr(found, apart))
    {
        memset(found, ' ', sizeof(apart) - 1);
    }

    if (!ctl_postgres_script(&check->migrate.pg, sql)) {
        ctl_migrate_failed(&check->migrate.pg, migration->name,
                           "nothing was changed, nor checked");
    }
}


/* Asks what src/ctl/restore has of that name; each row is a fault, in words. */
static void
ctl_restore_look(ctl_restore_t *check, bool found, const char *name,
    const char *param)
{
    int           i, n;
    PGresult     *result;
    prompt_str_t  sql;

    sql = ctl_printf(check->migrate.ctl, "%s%s",
                     found ? ctl_restore_text("found.sql") : "",
                     ctl_restore_text(name));

    result = ctl_postgres_rows(&check->migrate.pg, sql.data, 1, &param);
    n = PQntuples(result);

    for (i = 0; i < n; i++) {
        ctl_restore_fault(check, PQgetvalue(result, i, 0));
    }
}


static const char *
ctl_restore_text(const char *name)
{
    size_t  i;

    for (i = 0; strcmp(ctl_restore_sql[i].name, name) != 0; i++) {
        /* void */
    }

    return ctl_restore_sql[i].sql;
}


static void
ctl_restore_fault(ctl_restore_t *check, const char *text)
{
    ctl_json_append(check->faults, ctl_json_text(prompt_str_from(text)));

    if (!check->migrate.ctl->json) {
        (void) puts(text);
    }
}


/* Prints the faults as JSON, or that there are none. */
static void
ctl_restore_end(ctl_restore_t *check)
{
    int64_t         version;
    const char     *identity;
    ctl_migrate_t  *migrate;

    migrate = &check->migrate;
    identity = "";
    version = migrate->version > PROMPT_SCHEMA_VERSION
              ? migrate->version : (int64_t) migrate->first;

    if (json_array_size(check->faults) == 0) {
        identity = ctl_postgres_one(&migrate->pg,
                                    "SELECT lpad(to_hex(prompt_identity()),"
                                    " 16, '0')", 0, NULL);
    }

    if (migrate->ctl->json) {
        ctl_print_json(ctl_json(json_pack("{s:o, s:I, s:s}",
                                          "faults", check->faults,
                                          "version", (json_int_t) version,
                                          "identity", identity)));
        return;
    }

    if (json_array_size(check->faults) == 0) {
        (void) printf("the database is whole: schema version %lld, identity "
                      "%s\n", (long long) version, identity);
    }

    json_decref(check->faults);
}
