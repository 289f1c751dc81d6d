/*
 * promptctl migrate: what the role of the service may do, and how its
 * connections are set.
 */

#include "ctl/migrate.h"
#include "store/schema_version.h"


/* a setting of the role, where it has none of that name already */
typedef struct {
    const char  *name;
    const char  *value;
    int          since;                      /* version of PostgreSQL */
} ctl_setting_t;


static int ctl_migrate_set(ctl_migrate_t *migrate, const char *role,
    const ctl_setting_t *setting);
static int ctl_migrate_not_set(const char *role);


/*
 * A statement is given up before the service's own limit (5 s) is over, so
 * that it knows what became of it.
 */
static const ctl_setting_t  ctl_migrate_role_settings[] = {
    { "plan_cache_mode", "force_generic_plan", 0 },
    { "jit", "off", 0 },
    { "statement_timeout", "4500ms", 0 },
    { "lock_timeout", "3s", 0 },
    { "idle_in_transaction_session_timeout", "10s", 0 },
    { "client_connection_check_interval", "2s", 140000 },
    { "enable_seqscan", "off", 0 },
    { NULL, NULL, 0 }
};


/* those that may count versions up: nobody else has that right alone */
static const char  ctl_migrate_roles_sql[] =
    "SELECT DISTINCT quote_ident(r.rolname)"
    " FROM pg_attribute t, aclexplode(t.attacl) a, pg_roles r"
    " WHERE t.attrelid = to_regclass('prompts') AND t.attname = 'last_version'"
    " AND a.privilege_type = 'UPDATE' AND r.oid = a.grantee ORDER BY 1";

static const char  ctl_migrate_setting_sql[] =
    "SELECT quote_ident(current_database()), EXISTS ("
    "SELECT FROM pg_db_role_setting s, unnest(s.setconfig) c"
    " WHERE s.setrole = (SELECT oid FROM pg_roles WHERE rolname = $1)"
    " AND s.setdatabase IN (0, (SELECT oid FROM pg_database"
    " WHERE datname = current_database()))"
    " AND split_part(c, '=', 1) = $2)";


int
ctl_migrate_grant(ctl_migrate_t *migrate, const char *role)
{
    int    rc;
    char  *quoted;

    quoted = PQescapeIdentifier(migrate->pg.conn, role, strlen(role));

    if (quoted == NULL) {
        return ctl_no_memory();
    }

    rc = ctl_migrate_grant_quoted(migrate, quoted);

    PQfreemem(quoted);

    return rc;
}


/* What a migration adds, the roles of the service get by themselves. */

int
ctl_migrate_grant_again(ctl_migrate_t *migrate)
{
    int        i, n, rc;
    PGresult  *result;

    rc = ctl_migrate_roles(migrate, &result);
    if (rc != CTL_OK) {
        return rc;
    }

    n = PQntuples(result);

    for (i = 0; i < n && rc == CTL_OK; i++) {
        rc = ctl_migrate_grant_quoted(migrate, PQgetvalue(result, i, 0));
    }

    PQclear(result);

    return rc;
}


int
ctl_migrate_roles(ctl_migrate_t *migrate, PGresult **roles)
{
    *roles = ctl_postgres_text(&migrate->pg, ctl_migrate_roles_sql, 0, NULL);

    if (*roles == NULL) {
        return ctl_migrate_failed(migrate, "rights", "nothing was changed");
    }

    /* whoever reads them runs statements: the rows are theirs */

    migrate->pg.nresults = 0;

    return CTL_OK;
}


int
ctl_migrate_grant_quoted(ctl_migrate_t *migrate, const char *quoted)
{
    unsigned      i;
    PGresult     *result;
    prompt_str_t  sql;

    result = ctl_postgres_text(&migrate->pg,
                               "SELECT quote_ident(current_schema())", 0,
                               NULL);
    if (result == NULL) {
        return ctl_migrate_failed(migrate, "--grant", "nothing was changed");
    }

    sql = prompt_arena_printf(migrate->ctl->arena,
                              "GRANT USAGE ON SCHEMA %s TO %s",
                              PQgetvalue(result, 0, 0), quoted);

    for (i = 0; sql.data != NULL; i++) {

        if (!ctl_postgres_script(&migrate->pg, sql.data)) {
            return ctl_migrate_failed(migrate, "--grant",
                                      "nothing was changed");
        }

        if (i == PROMPT_SCHEMA_GRANTS) {
            return CTL_OK;
        }

        sql = prompt_schema_grant(migrate->ctl->arena, i);

        if (sql.data != NULL) {
            sql = prompt_arena_printf(migrate->ctl->arena, "%s%s", sql.data,
                                      quoted);
        }
    }

    return ctl_no_memory();
}


int
ctl_migrate_settings(ctl_migrate_t *migrate, const char *role)
{
    int                   rc;
    const ctl_setting_t  *setting;

    for (setting = ctl_migrate_role_settings;
         setting->name != NULL;
         setting++)
    {
        if (PQserverVersion(migrate->pg.conn) < setting->since) {
            continue;
        }

        rc = ctl_migrate_set(migrate, role, setting);

        if (rc != CTL_OK) {
            return migrate->pg.status == PROMPT_SQL_DENIED
                   ? ctl_migrate_not_set(role) : rc;
        }
    }

    return CTL_OK;
}


prompt_str_t
ctl_migrate_setting_names(const ctl_migrate_t *migrate)
{
    prompt_str_t          names;
    const ctl_setting_t  *setting;

    names = prompt_str("{");

    for (setting = ctl_migrate_role_settings;
         setting->name != NULL && names.data != NULL;
         setting++)
    {
        names = prompt_arena_printf(migrate->ctl->arena, "%s%s%s", names.data,
                                    setting->name,
                                    setting[1].name != NULL ? "," : "}");
    }

    return names;
}


/* With PROMPT_SQL_DENIED nothing was said yet. */

static int
ctl_migrate_set(ctl_migrate_t *migrate, const char *role,
    const ctl_setting_t *setting)
{
    char          *quoted;
    PGresult      *result;
    const char    *params[2];
    prompt_str_t   sql;

    params[0] = role;
    params[1] = setting->name;

    result = ctl_postgres_text(&migrate->pg, ctl_migrate_setting_sql, 2,
                               params);
    if (result == NULL) {
        return ctl_postgres_failed(&migrate->pg);
    }

    if (PQgetvalue(result, 0, 1)[0] == 't') {
        return CTL_OK;
    }

    quoted = PQescapeIdentifier(migrate->pg.conn, role, strlen(role));

    if (quoted == NULL) {
        return ctl_no_memory();
    }

    sql = prompt_arena_printf(migrate->ctl->arena,
                              "ALTER ROLE %s IN DATABASE %s SET %s = '%s'",
                              quoted, PQgetvalue(result, 0, 0), setting->name,
                              setting->value);
    PQfreemem(quoted);

    if (sql.data == NULL) {
        return ctl_no_memory();
    }

    if (ctl_postgres_script(&migrate->pg, sql.data)) {
        return CTL_OK;
    }

    return migrate->pg.status == PROMPT_SQL_DENIED
           ? CTL_FAILED : ctl_postgres_failed(&migrate->pg);
}


/*
 * Who owns the database need not own its roles.  Without a pooler the service
 * sets all of it by itself when it connects.
 */

static int
ctl_migrate_not_set(const char *role)
{
    ctl_error("settings of the role \"%s\" are not set for this database: only "
              "a superuser may do that (they matter only behind a pooler)",
              role);

    return CTL_OK;
}
