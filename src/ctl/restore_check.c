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
static void ctl_restore_look(ctl_restore_t *check, const char *sql,
    const char *param);
static void ctl_restore_fault(ctl_restore_t *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void ctl_restore_end(ctl_restore_t *check);


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
        others = ctl_postgres_rows(pg, ctl_restore_others_sql, 0, NULL);

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
    ctl_restore_look(check, ctl_restore_things_sql, check->schema);
    ctl_restore_look(check, ctl_restore_owner_sql, check->schema);
    ctl_restore_look(check, ctl_restore_rights_sql, check->schema);

    ctl_postgres_do(&check->migrate.pg, "ROLLBACK");

    ctl_restore_look(check, ctl_restore_settings_sql,
                     ctl_migrate_setting_names(&check->migrate));

    /* these ask tables and functions, which must be there */

    if (json_array_size(check->faults) == 0) {
        ctl_restore_look(check, ctl_restore_content_sql, check->schema);
    }
}


/* Which schema it is, and of which version; who has the rights. */

static void
ctl_restore_schema(ctl_restore_t *check)
{
    PGresult       *result;
    ctl_migrate_t  *migrate;

    migrate = &check->migrate;

    result = ctl_postgres_rows(&migrate->pg, ctl_restore_where_sql, 0, NULL);

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
        ctl_restore_fault(check, "the schema has version %lld, this promptctl "
                          "%d: use the promptctl of that version",
                          (long long) migrate->version, PROMPT_SCHEMA_VERSION);
        return;
    }

    if (migrate->first < ctl_migrations_count) {
        ctl_restore_fault(check, "the schema has version %zu, this promptctl "
                          "%d: run \"promptctl migrate\"", migrate->first,
                          PROMPT_SCHEMA_VERSION);
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

    ctl_postgres_do(pg, ctl_restore_begin_sql);
    ctl_postgres_do(pg, prompt_migration_table_sql);

    for (n = 0; n < check->migrate.first; n++) {
        ctl_restore_expect_one(check, &ctl_migrations[n]);
    }

    ctl_postgres_do(pg, ctl_restore_months_sql);

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


/* Each row is a fault, in words. */

static void
ctl_restore_look(ctl_restore_t *check, const char *sql, const char *param)
{
    int        i, n;
    PGresult  *result;

    result = ctl_postgres_rows(&check->migrate.pg, sql, 1, &param);
    n = PQntuples(result);

    for (i = 0; i < n; i++) {
        ctl_restore_fault(check, "%s", PQgetvalue(result, i, 0));
    }
}


static void
ctl_restore_fault(ctl_restore_t *check, const char *format, ...)
{
    va_list       args;
    prompt_str_t  text;

    va_start(args, format);
    text = prompt_arena_vprintf(check->migrate.ctl->arena, format, args);
    va_end(args);

    if (text.data == NULL
        || json_array_append_new(check->faults, ctl_json_text(text)) != 0)
    {
        ctl_no_memory();
    }

    if (!check->migrate.ctl->json) {
        (void) printf("%s\n", text.data);
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
