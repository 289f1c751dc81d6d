/*
 * promptctl restore-check: whether a database is a whole one of this service.
 *
 * What there has to be is not listed anywhere: the migrations that the database
 * says it has are run once more, in a schema of their own and in a transaction
 * that is rolled back, and the two are compared.
 */

#include <stdarg.h>
#include <stdio.h>

#include "ctl/migrate.h"
#include "ctl/output.h"
#include "store/schema_version.h"


/* until who has left is not seen any more */
#define CTL_RESTORE_LEAVING  2000            /* ms */


typedef struct {
    ctl_migrate_t   migrate;
    prompt_str_t    schema;                  /* the service's */
    PGresult       *roles;                   /* that have its rights, quoted */
    unsigned        faults;
    ctl_output_t    out;                     /* of --json */
} ctl_restore_t;


static int ctl_restore_renew(ctl_restore_t *check);
static int ctl_restore_check_all(ctl_restore_t *check);
static int ctl_restore_schema(ctl_restore_t *check);
static int ctl_restore_expect(ctl_restore_t *check);
static int ctl_restore_expect_one(ctl_restore_t *check,
    const ctl_migration_t *migration);
static int ctl_restore_look(ctl_restore_t *check, const char *sql,
    prompt_str_t param);
static int ctl_restore_fault(ctl_restore_t *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static int ctl_restore_end(ctl_restore_t *check);


/* of others some columns are shown to superusers alone: type is NULL then */
static const char  ctl_restore_others_sql[] =
    "SELECT count(*), string_agg(DISTINCT usename, ', ')"
    " FROM pg_stat_activity WHERE datname = current_database()"
    " AND usename IS NOT NULL AND pid <> pg_backend_pid()"
    " AND coalesce(backend_type, 'client backend') = 'client backend'";

static const char  ctl_restore_where_sql[] =
    "SELECT current_schema(), to_regclass('prompt_migrations') IS NOT NULL,"
    " CASE WHEN NOT has_database_privilege(current_database(), 'CREATE')"
    " THEN format('GRANT CREATE ON DATABASE %I TO %I', current_database(),"
    " current_user) END";

/* months, too, are made in it */
static const char  ctl_restore_begin_sql[] =
    "CREATE SCHEMA prompt_restore_check;"
    "SET LOCAL search_path = prompt_restore_check";

static const char  ctl_restore_months_sql[] =
    "DO $$ DECLARE step record; BEGIN"
    " LOOP SELECT * INTO step FROM prompt_executions_step();"
    " EXIT WHEN step.sql IS NULL; EXECUTE step.sql; END LOOP; END $$";


/*
 * All that there is, expected and found, under names and with definitions that
 * do not have the schema's.  Parts of executions are looked at apart, and what
 * operators add (indexes, checks, triggers, tables, views) is their own.
 */
#define CTL_RESTORE_FOUND                                                    \
    "WITH place AS (SELECT oid, nspname, nspname = $1 AS found,"             \
    " quote_ident(nspname) || '.' AS dot FROM pg_namespace"                  \
    " WHERE nspname IN ('prompt_restore_check', $1)),"                       \
    " rel AS (SELECT p.found, p.dot, c.* FROM place p"                       \
    " JOIN pg_class c ON c.relnamespace = p.oid"                             \
    " WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition),"              \
    " func AS (SELECT p.found, p.dot, f.*, f.proname || '('"                 \
    " || pg_get_function_identity_arguments(f.oid) || ')' AS called"         \
    " FROM place p JOIN pg_proc f ON f.pronamespace = p.oid"                 \
    " WHERE f.prokind = 'f'),"

static const char  ctl_restore_things_sql[] =
    CTL_RESTORE_FOUND
    " thing (found, kind, name, part, def) AS ("
    "SELECT found, 'table', relname::text, relname,"
    " concat(relkind, relpersistence) FROM rel"
    " UNION ALL SELECT r.found, 'column', r.relname || '.' || a.attname,"
    " r.relname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),"
    " a.attnotnull, a.attgenerated,"
    " replace(pg_get_expr(d.adbin, d.adrelid), r.dot, ''))"
    " FROM rel r JOIN pg_attribute a ON a.attrelid = r.oid LEFT JOIN"
    " pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum"
    " WHERE a.attnum > 0 AND NOT a.attisdropped"
    " UNION ALL SELECT r.found, 'constraint', r.relname || '.' || k.conname,"
    " r.relname, concat_ws(' ', k.convalidated,"
    " replace(pg_get_constraintdef(k.oid), r.dot, ''))"
    " FROM rel r JOIN pg_constraint k ON k.conrelid = r.oid"
    " WHERE k.contype IN ('p', 'u', 'f', 'c') AND k.conparentid = 0"
    " UNION ALL SELECT r.found, 'index', c.relname, r.relname,"
    " concat_ws(' ', i.indisvalid, i.indisready,"
    " replace(pg_get_indexdef(c.oid), r.dot, ''))"
    " FROM rel r JOIN pg_index i ON i.indrelid = r.oid"
    " JOIN pg_class c ON c.oid = i.indexrelid"
    " UNION ALL SELECT r.found, 'trigger', r.relname || '.' || g.tgname,"
    " r.relname, concat_ws(' ', g.tgenabled,"
    " replace(pg_get_triggerdef(g.oid), r.dot, ''))"
    " FROM rel r JOIN pg_trigger g ON g.tgrelid = r.oid"
    " WHERE NOT g.tgisinternal"
    " UNION ALL SELECT found, 'function', called, NULL,"
    " replace(pg_get_functiondef(oid), dot, '') FROM func)"

    " SELECT format('%s %s %s: %s', e.kind, e.name,"
    " CASE WHEN f.name IS NULL THEN 'is missing'"
    " ELSE 'is not as it has to be' END,"
    " CASE WHEN e.kind = 'index' THEN CASE WHEN f.name IS NOT NULL"
    " THEN 'DROP INDEX ' || f.name || '; ' ELSE '' END"
    " || replace(substring(e.def FROM 'CREATE .*'), ' ON ONLY ', ' ON ')"
    " ELSE 'restore the dump again, into an empty database' END)"
    " FROM thing e LEFT JOIN thing f"
    " ON f.found AND f.kind = e.kind AND f.name = e.name"
    " WHERE NOT e.found AND f.def IS DISTINCT FROM e.def"
    " UNION ALL SELECT format('%s %s is of another version: two are mixed,"
    " restore the dump again, into an empty database', f.kind, f.name)"
    " FROM thing f WHERE f.found"
    " AND (f.kind IN ('table', 'function') AND f.name LIKE 'prompt\\_%'"
    " OR f.kind = 'trigger' AND f.def LIKE '% EXECUTE FUNCTION prompt\\_%'"
    " OR f.kind = 'column' AND f.part IN"
    " (SELECT name FROM thing WHERE NOT found AND kind = 'table'))"
    " AND NOT EXISTS (SELECT FROM thing e WHERE NOT e.found"
    " AND e.kind = f.kind AND e.name = f.name) ORDER BY 1";


/*
 * Functions have the rights of their owner: it is that of the tables.  A
 * superuser has them where one restored, and they should be the database's
 * owner's.
 */
static const char  ctl_restore_owner_sql[] =
    CTL_RESTORE_FOUND
    " thing AS (SELECT found, 'TABLE' AS kind, relname::text AS name,"
    " relowner AS owner FROM rel"
    " UNION ALL SELECT found, 'FUNCTION', called, proowner FROM func"
    " UNION ALL SELECT true, 'TABLE', c.relname, c.relowner"
    " FROM pg_inherits h JOIN rel r ON r.found AND r.oid = h.inhparent"
    " JOIN pg_class c ON c.oid = h.inhrelid),"
    " owner AS (SELECT o.oid, o.rolname AS name FROM rel r"
    " JOIN pg_roles t ON t.oid = r.relowner"
    " JOIN pg_database d ON d.datname = current_database()"
    " JOIN pg_roles b ON b.oid = d.datdba"
    " JOIN pg_roles o ON o.oid = CASE WHEN t.rolsuper AND NOT b.rolsuper"
    " THEN b.oid ELSE t.oid END"
    " WHERE r.found AND r.relname = 'prompt_migrations')"
    " SELECT format('%s belongs to %I, not to %I: ALTER %s %s OWNER TO %I',"
    " t.name, pg_get_userbyid(t.owner), o.name, t.kind, t.name, o.name)"
    " FROM thing t, owner o WHERE t.found AND t.owner <> o.oid"
    " AND (EXISTS (SELECT FROM thing e WHERE NOT e.found AND e.kind = t.kind"
    " AND e.name = t.name) OR t.name LIKE 'executions\\_%') ORDER BY 1";


/*
 * Neither fewer nor more than migrate gives, to the roles of the service and to
 * everybody; other roles are the operator's.  The parts of a table have no
 * rights that it has not.
 */
static const char  ctl_restore_rights_sql[] =
    CTL_RESTORE_FOUND
    " tab AS (SELECT found, oid, relname::text AS name, relname::text AS part,"
    " relowner, relacl, relrowsecurity OR relforcerowsecurity AS hides FROM rel"
    " UNION ALL SELECT true, c.oid, r.relname, c.relname, c.relowner, c.relacl,"
    " c.relrowsecurity OR c.relforcerowsecurity"
    " FROM rel r JOIN pg_inherits h ON h.inhparent = r.oid"
    " JOIN pg_class c ON c.oid = h.inhrelid WHERE r.found),"
    " acl (found, whole, name, kind, part, of, owner, list) AS ("
    "SELECT found, name = part, name, '', part, '', relowner, relacl FROM tab"
    " UNION ALL SELECT t.found, t.name = t.part, t.name || '.' || a.attname,"
    " '', t.part, format(' (%I)', a.attname), t.relowner, a.attacl"
    " FROM tab t JOIN pg_attribute a ON a.attrelid = t.oid"
    " AND NOT a.attisdropped"
    " UNION ALL SELECT found, true, called, 'FUNCTION ', called, '', proowner,"
    " coalesce(proacl, acldefault('f', proowner)) FROM func),"
    " right_of AS (SELECT a.*, x.privilege_type, x.grantee"
    " FROM acl a, aclexplode(a.list) x),"
    " service AS (SELECT DISTINCT grantee FROM right_of"
    " WHERE NOT found AND name = 'prompts.last_version')"
    " SELECT format('the role %s has not the right %s on %s: run \"promptctl"
    " migrate --grant %s\"', pg_get_userbyid(e.grantee), e.privilege_type,"
    " e.name, pg_get_userbyid(e.grantee)) FROM right_of e"
    " WHERE NOT e.found AND e.grantee IN (SELECT grantee FROM service)"
    " AND NOT EXISTS (SELECT FROM right_of f WHERE f.found AND f.whole"
    " AND f.name = e.name AND f.privilege_type = e.privilege_type"
    " AND f.grantee = e.grantee)"
    " UNION ALL SELECT format('the role %s may not use the schema: run"
    " \"promptctl migrate --grant %s\"', r.rolname, r.rolname)"
    " FROM pg_roles r WHERE r.oid IN (SELECT grantee FROM service)"
    " AND NOT has_schema_privilege(r.oid, $1, 'USAGE')"
    " UNION ALL SELECT format('%s the right %s on %s, which is too much:"
    " REVOKE %s ON %s%s FROM %s', CASE f.grantee WHEN 0"
    " THEN 'everybody has' ELSE format('the role %I has',"
    " pg_get_userbyid(f.grantee)) END,"
    " string_agg(DISTINCT f.privilege_type, ', '), f.part,"
    " string_agg(f.privilege_type || f.of, ', ' ORDER BY f.of,"
    " f.privilege_type), f.kind, f.part, CASE f.grantee WHEN 0"
    " THEN 'PUBLIC' ELSE format('%1$I, then run \"promptctl migrate --grant"
    " %1$s\"', pg_get_userbyid(f.grantee)) END)"
    " FROM right_of f WHERE f.found AND f.grantee <> f.owner"
    " AND f.grantee IN (SELECT 0 UNION ALL SELECT grantee FROM service)"
    " AND f.name IN (SELECT a.name FROM acl a WHERE NOT a.found)"
    " AND NOT EXISTS (SELECT FROM right_of e WHERE NOT e.found"
    " AND e.name = f.name AND e.privilege_type = f.privilege_type"
    " AND e.grantee = f.grantee) GROUP BY f.kind, f.part, f.grantee"
    " UNION ALL SELECT format('row security hides what is in %s: ALTER TABLE %s"
    " DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY', t.part, t.part)"
    " FROM tab t WHERE t.found AND t.hides"
    " AND t.name IN (SELECT e.name FROM tab e WHERE NOT e.found)"
    " UNION ALL SELECT 'no role has the rights of the service: run \"promptctl"
    " migrate --grant ROLE\"' WHERE NOT EXISTS (SELECT FROM service)"
    " ORDER BY 1";


/*
 * Settings of roles are in no dump.  Those named by $1, which migrate sets as a
 * superuser, are missing where the role has them for another database; where it
 * has them nowhere, the service does without.
 */
static const char  ctl_restore_settings_sql[] =
    "WITH setting AS (SELECT s.setrole AS role, s.setdatabase IN (0, d.oid)"
    " AS here, split_part(c, '=', 1) AS name FROM pg_database d,"
    " pg_db_role_setting s, unnest(s.setconfig) c"
    " WHERE d.datname = current_database()"
    " AND split_part(c, '=', 1) = ANY ($1::text[])"
    " AND s.setrole IN (SELECT a.grantee FROM pg_attribute t,"
    " aclexplode(t.attacl) a WHERE t.attrelid = to_regclass('prompts')"
    " AND t.attname = 'last_version' AND a.privilege_type = 'UPDATE'))"
    " SELECT format('settings of the role %s for other databases are missing"
    " for this one (%s): run \"promptctl migrate --grant %s\" as a superuser',"
    " pg_get_userbyid(e.role), string_agg(DISTINCT e.name, ', '),"
    " pg_get_userbyid(e.role)) FROM setting e WHERE NOT e.here"
    " AND NOT EXISTS (SELECT FROM setting f WHERE f.here"
    " AND f.role = e.role AND f.name = e.name) GROUP BY e.role ORDER BY 1";


/* what stands in tables that are whole; $1 is not looked at */
static const char  ctl_restore_content_sql[] =
    "SELECT 'the database has no identity: run \"promptctl migrate\"'"
    " WHERE $1::text IS NOT NULL AND prompt_identity() IS NULL"
    " UNION ALL SELECT format('%s has %s rows in place of one: restore the"
    " dump again, into an empty database', name, n) FROM ("
    "SELECT 'log_mark' AS name, count(*) AS n FROM log_mark"
    " UNION ALL SELECT 'executions_sweep', count(*) FROM executions_sweep) one"
    " WHERE n <> 1"
    " UNION ALL SELECT format('%s is ahead of the clock, at %s: what is older"
    " is not looked at; see that PostgreSQL''s clock is right', name,"
    " prompt_id_time(mark)) FROM ("
    "SELECT 'the mark of the log' AS name, mark FROM log_mark"
    " UNION ALL SELECT 'the mark of the sweep', mark FROM executions_sweep) m"
    " WHERE mark > prompt_id_of(now() + interval '1 day')"
    " UNION ALL SELECT format('executions have no table %s: restore the dump"
    " again, into an empty database', CASE WHEN low IS NULL"
    " THEN 'up to ' || high ELSE 'from ' || coalesce(before::text, 'the first')"
    " || ' on' END) FROM (SELECT low, high, lag(high) OVER w AS before,"
    " row_number() OVER w AS n FROM prompt_executions_parts()"
    " WINDOW w AS (ORDER BY high NULLS LAST)) part"
    " WHERE low IS DISTINCT FROM before"
    " UNION ALL SELECT format('%s: run \"promptctl migrate\"', what)"
    " FROM prompt_executions_step() WHERE sql IS NOT NULL"
    " UNION ALL (SELECT format('prompt %s has %s of its %s versions: restore"
    " the dump again, into an empty database', p.id, v.n, p.last_version)"
    " FROM prompts p CROSS JOIN LATERAL (SELECT count(*) AS n"
    " FROM prompt_versions v WHERE v.prompt_id = p.id) v"
    " WHERE p.state = 0 AND v.n <> p.last_version LIMIT 10)";


int
ctl_restore_check(ctl_t *ctl)
{
    int             rc;
    ctl_restore_t   check;
    ctl_migrate_t  *migrate;

    memset(&check, 0, sizeof(ctl_restore_t));

    migrate = &check.migrate;
    migrate->ctl = ctl;

    rc = ctl_postgres_open(&migrate->pg, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    ctl_output_init(&check.out);
    ctl_output_begin(&check.out, '{');
    ctl_output_name(&check.out, "faults");
    ctl_output_begin(&check.out, '[');

    if (ctl_given(ctl, "new-identity") != NULL) {
        rc = ctl_restore_renew(&check);
    }

    if (rc == CTL_OK) {
        rc = ctl_restore_check_all(&check);
    }

    if (rc == CTL_OK) {
        rc = ctl_restore_end(&check);
    }

    prompt_buf_free(&check.out.buf);
    PQclear(check.roles);
    ctl_postgres_close(&migrate->pg);

    return rc;
}


/*
 * Workers that know the old identity would go on with it, and what is revoked
 * by the new one would stay in their cache.  Who has left a moment ago may be
 * there still.
 */

static int
ctl_restore_renew(ctl_restore_t *check)
{
    int64_t          end;
    PGresult        *others;
    ctl_postgres_t  *pg;

    pg = &check->migrate.pg;
    end = ctl_monotonic_ms() + CTL_RESTORE_LEAVING;

    for ( ;; ) {
        others = ctl_postgres_text(pg, ctl_restore_others_sql, 0, NULL);

        if (others == NULL) {
            return ctl_postgres_failed(pg);
        }

        if (strcmp(PQgetvalue(others, 0, 0), "0") == 0) {
            break;
        }

        if (ctl_monotonic_ms() >= end) {
            ctl_error("others are connected to the database (%s, of %s): stop "
                      "the service first", PQgetvalue(others, 0, 0),
                      PQgetvalue(others, 0, 1));
            return CTL_FAILED;
        }

        ctl_sleep_until(ctl_monotonic_ms() + CTL_MIGRATE_POLL);
    }

    return ctl_postgres_script(pg, prompt_database_renew_sql)
           ? CTL_OK : ctl_postgres_failed(pg);
}


static int
ctl_restore_check_all(ctl_restore_t *check)
{
    int             rc;
    prompt_str_t    names;
    ctl_migrate_t  *migrate;

    migrate = &check->migrate;

    rc = ctl_migrate_begin(migrate);

    if (rc == CTL_OK) {
        rc = ctl_restore_schema(check);
    }

    if (rc != CTL_OK || check->faults != 0) {
        return rc;
    }

    rc = ctl_restore_expect(check);

    if (rc == CTL_OK) {
        rc = ctl_restore_look(check, ctl_restore_things_sql, check->schema);
    }

    if (rc == CTL_OK) {
        rc = ctl_restore_look(check, ctl_restore_owner_sql, check->schema);
    }

    if (rc == CTL_OK) {
        rc = ctl_restore_look(check, ctl_restore_rights_sql, check->schema);
    }

    if (rc == CTL_OK && !ctl_postgres_script(&migrate->pg, "ROLLBACK")) {
        rc = ctl_postgres_failed(&migrate->pg);
    }

    if (rc == CTL_OK) {
        names = ctl_migrate_setting_names(migrate);
        rc = names.data != NULL
             ? ctl_restore_look(check, ctl_restore_settings_sql, names)
             : ctl_no_memory();
    }

    /* these ask tables and functions, which must be there */

    if (rc == CTL_OK && check->faults == 0) {
        rc = ctl_restore_look(check, ctl_restore_content_sql, check->schema);
    }

    return rc;
}


/* Which schema it is, and of which version; who has the rights. */

static int
ctl_restore_schema(ctl_restore_t *check)
{
    int             rc;
    PGresult       *result;
    ctl_migrate_t  *migrate;

    migrate = &check->migrate;

    result = ctl_postgres_text(&migrate->pg, ctl_restore_where_sql, 0, NULL);

    if (result == NULL) {
        return ctl_postgres_failed(&migrate->pg);
    }

    if (PQgetvalue(result, 0, 1)[0] != 't') {
        return ctl_restore_fault(check, "the database has no schema of the "
                                 "service: restore a dump into it, or run "
                                 "\"promptctl migrate\"");
    }

    check->schema = prompt_arena_printf(migrate->ctl->arena, "%s",
                                        PQgetvalue(result, 0, 0));
    if (check->schema.data == NULL) {
        return ctl_no_memory();
    }

    if (!PQgetisnull(result, 0, 2)) {
        ctl_error("what there has to be is made in a schema of its own, and "
                  "rolled back, which needs a right: %s",
                  PQgetvalue(result, 0, 2));
        return CTL_FAILED;
    }

    rc = ctl_migrate_compare(migrate);
    if (rc != CTL_OK) {
        return rc;
    }

    if (migrate->version > PROMPT_SCHEMA_VERSION) {
        return ctl_restore_fault(check, "the schema has version %lld, this "
                                 "promptctl %d: use the promptctl of that "
                                 "version", (long long) migrate->version,
                                 PROMPT_SCHEMA_VERSION);
    }

    if (migrate->first < ctl_migrations_count) {
        rc = ctl_restore_fault(check, "the schema has version %zu, this "
                               "promptctl %d: run \"promptctl migrate\"",
                               migrate->first, PROMPT_SCHEMA_VERSION);
    }

    return rc == CTL_OK ? ctl_migrate_roles(migrate, &check->roles) : rc;
}


static int
ctl_restore_expect(ctl_restore_t *check)
{
    int              i, rc;
    size_t           n;
    ctl_postgres_t  *pg;

    pg = &check->migrate.pg;

    if (!ctl_postgres_script(pg, ctl_restore_begin_sql)
        || !ctl_postgres_script(pg, prompt_migration_table_sql))
    {
        return ctl_postgres_failed(pg);
    }

    for (n = 0; n < check->migrate.first; n++) {
        rc = ctl_restore_expect_one(check, &ctl_migrations[n]);

        if (rc != CTL_OK) {
            return rc;
        }
    }

    if (!ctl_postgres_script(pg, ctl_restore_months_sql)) {
        return ctl_postgres_failed(pg);
    }

    for (i = 0; i < PQntuples(check->roles); i++) {
        rc = ctl_migrate_grant_quoted(&check->migrate,
                                      PQgetvalue(check->roles, i, 0));
        if (rc != CTL_OK) {
            return rc;
        }
    }

    return CTL_OK;
}


/* Nobody else sees the tables: indexes are made in the transaction. */

static int
ctl_restore_expect_one(ctl_restore_t *check, const ctl_migration_t *migration)
{
    size_t         len;
    const char    *from, *found;
    prompt_buf_t   sql;

    static const char  apart[] = " CONCURRENTLY";

    prompt_buf_init(&sql, CTL_OUTPUT_MAX);

    for (from = migration->sql; /* void */; from = found + sizeof(apart) - 1) {
        found = strstr(from, apart);
        len = found != NULL ? (size_t) (found - from) : strlen(from);

        prompt_buf_append(&sql, from, len);

        if (found == NULL) {
            break;
        }
    }

    prompt_buf_append(&sql, "", 1);

    if (sql.status != PROMPT_BUF_OK) {
        prompt_buf_free(&sql);
        return ctl_no_memory();
    }

    if (!ctl_postgres_script(&check->migrate.pg, sql.data)) {
        prompt_buf_free(&sql);
        return ctl_migrate_failed(&check->migrate, migration->name,
                                  "nothing was changed, nor checked");
    }

    prompt_buf_free(&sql);

    return CTL_OK;
}


/* Each row is a fault, in words. */

static int
ctl_restore_look(ctl_restore_t *check, const char *sql, prompt_str_t param)
{
    int        i, n, rc;
    PGresult  *result;

    result = ctl_postgres_text(&check->migrate.pg, sql, 1,
                               (const char *const *) &param.data);
    if (result == NULL) {
        return ctl_postgres_failed(&check->migrate.pg);
    }

    n = PQntuples(result);
    rc = CTL_OK;

    for (i = 0; i < n && rc == CTL_OK; i++) {
        rc = ctl_restore_fault(check, "%s", PQgetvalue(result, i, 0));
    }

    return rc;
}


static int
ctl_restore_fault(ctl_restore_t *check, const char *format, ...)
{
    va_list       args;
    prompt_str_t  text;

    va_start(args, format);
    text = prompt_arena_vprintf(check->migrate.ctl->arena, format, args);
    va_end(args);

    if (text.data == NULL) {
        return ctl_no_memory();
    }

    check->faults++;
    ctl_output_string(&check->out, text);

    if (!check->migrate.ctl->json) {
        (void) printf("%s\n", text.data);
    }

    return CTL_OK;
}


static int
ctl_restore_end(ctl_restore_t *check)
{
    int             rc;
    int64_t         version;
    const char     *identity;
    PGresult       *result;
    ctl_migrate_t  *migrate;

    migrate = &check->migrate;
    identity = "";
    version = migrate->version > PROMPT_SCHEMA_VERSION
              ? migrate->version : (int64_t) migrate->first;

    if (check->faults == 0) {
        result = ctl_postgres_text(&migrate->pg,
                                   "SELECT lpad(to_hex(prompt_identity()),"
                                   " 16, '0')", 0, NULL);
        if (result == NULL) {
            return ctl_postgres_failed(&migrate->pg);
        }

        identity = PQgetvalue(result, 0, 0);
    }

    rc = CTL_OK;

    if (migrate->ctl->json) {
        ctl_output_end(&check->out, ']');
        ctl_output_name(&check->out, "version");
        ctl_output_int(&check->out, version);
        ctl_output_name(&check->out, "identity");
        ctl_output_string(&check->out, prompt_str_from(identity));
        ctl_output_end(&check->out, '}');

        rc = ctl_output_print(&check->out);

    } else if (check->faults == 0) {
        (void) printf("the database is whole: schema version %lld, identity "
                      "%s\n", (long long) version, identity);
    }

    return rc == CTL_OK && check->faults != 0 ? CTL_FAILED : rc;
}
