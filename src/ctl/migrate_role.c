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


static bool ctl_migrate_set(ctl_migrate_t *migrate, const char *role,
    const ctl_setting_t *setting);


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
    " AND split_part(c, '=', 1) = $2), quote_ident($1)";


void
ctl_migrate_grant(ctl_migrate_t *migrate, const char *role)
{
    const char  *quoted;

    quoted = ctl_postgres_one(&migrate->pg, "SELECT quote_ident($1)", 1,
                              &role);

    ctl_migrate_grant_quoted(migrate, ctl_printf(migrate->ctl, "%s",
                                                 quoted).data);
}


/* What a migration adds, the roles of the service get by themselves. */
void
ctl_migrate_grant_again(ctl_migrate_t *migrate)
{
    int        i, n;
    PGresult  *result;

    result = ctl_migrate_roles(migrate);
    n = PQntuples(result);

    for (i = 0; i < n; i++) {
        ctl_migrate_grant_quoted(migrate, PQgetvalue(result, i, 0));
    }

    PQclear(result);
}


PGresult *
ctl_migrate_roles(ctl_migrate_t *migrate)
{
    PGresult  *roles;

    roles = ctl_postgres_text(&migrate->pg, ctl_migrate_roles_sql, 0, NULL);

    if (roles == NULL) {
        ctl_migrate_failed(&migrate->pg, "rights", "nothing was changed");
    }

    /* whoever reads them runs statements: the rows are theirs */

    migrate->pg.nresults = 0;

    return roles;
}


void
ctl_migrate_grant_quoted(ctl_migrate_t *migrate, const char *quoted)
{
    unsigned      i;
    PGresult     *result;
    prompt_str_t  sql;

    result = ctl_postgres_text(&migrate->pg,
                               "SELECT 'GRANT USAGE ON SCHEMA '"
                               " || quote_ident(current_schema()) || ' TO '",
                               0, NULL);

    sql = prompt_str_from(result != NULL ? PQgetvalue(result, 0, 0) : "");

    for (i = 0; sql.data != NULL; i++) {
        sql = ctl_printf(migrate->ctl, "%s%s", sql.data, quoted);

        if (result == NULL || !ctl_postgres_script(&migrate->pg, sql.data)) {
            ctl_migrate_failed(&migrate->pg, "--grant", "nothing was changed");
        }

        if (i == PROMPT_SCHEMA_GRANTS) {
            return;
        }

        sql = prompt_schema_grant(migrate->ctl->arena, i);
    }

    ctl_no_memory();
}


void
ctl_migrate_settings(ctl_migrate_t *migrate, const char *role)
{
    const ctl_setting_t  *setting;

    for (setting = ctl_migrate_role_settings;
         setting->name != NULL;
         setting++)
    {
        if (PQserverVersion(migrate->pg.conn) < setting->since
            || ctl_migrate_set(migrate, role, setting))
        {
            continue;
        }

        /*
         * Who owns the database need not own its roles.  Without a pooler the
         * service sets all of it by itself when it connects.
         */

        ctl_error("note: the role \"%s\" has no settings of its own here: "
                  "only a superuser may give it these, and only behind a "
                  "pooler it needs them", role);
        return;
    }
}


const char *
ctl_migrate_setting_names(const ctl_migrate_t *migrate)
{
    const char           *names;
    const ctl_setting_t  *setting;

    names = "{";

    for (setting = ctl_migrate_role_settings;
         setting->name != NULL;
         setting++)
    {
        names = ctl_printf(migrate->ctl, "%s%s%s", names, setting->name,
                           setting[1].name != NULL ? "," : "}").data;
    }

    return names;
}


/* false: that is not allowed */
static bool
ctl_migrate_set(ctl_migrate_t *migrate, const char *role,
    const ctl_setting_t *setting)
{
    PGresult      *result;
    const char    *params[2];
    prompt_str_t   sql;

    params[0] = role;
    params[1] = setting->name;

    result = ctl_postgres_rows(&migrate->pg, ctl_migrate_setting_sql, 2,
                               params);

    if (PQgetvalue(result, 0, 1)[0] == 't') {
        return true;
    }

    sql = ctl_printf(migrate->ctl, "ALTER ROLE %s IN DATABASE %s SET %s = '%s'",
                     PQgetvalue(result, 0, 2), PQgetvalue(result, 0, 0),
                     setting->name, setting->value);

    if (ctl_postgres_script(&migrate->pg, sql.data)) {
        return true;
    }

    if (migrate->pg.status != PROMPT_SQL_DENIED) {
        ctl_postgres_failed(&migrate->pg);
    }

    return false;
}
