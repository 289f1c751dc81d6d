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


typedef struct {
    ctl_migrate_t   migrate;
    prompt_str_t    schema;                  /* the service's */
    PGresult       *roles;                   /* that have its rights, quoted */
    unsigned        faults;
    ctl_output_t    out;                     /* of --json */
} ctl_restore_t;


static int ctl_restore_check_all(ctl_restore_t *check);
static int ctl_restore_schema(ctl_restore_t *check);
static int ctl_restore_expect(ctl_restore_t *check);
static int ctl_restore_expect_one(ctl_restore_t *check,
    const ctl_migration_t *migration);
static int ctl_restore_look(ctl_restore_t *check, const char *sql);
static int ctl_restore_fault(ctl_restore_t *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static int ctl_restore_end(ctl_restore_t *check);


static const char  ctl_restore_where_sql[] =
    "SELECT current_schema(), to_regclass('prompt_migrations') IS NOT NULL";

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


/* functions have the rights of their owner: it is that of the tables */
static const char  ctl_restore_owner_sql[] =
    CTL_RESTORE_FOUND
    " thing AS (SELECT found, 'TABLE' AS kind, relname::text AS name,"
    " relowner AS owner FROM rel"
    " UNION ALL SELECT found, 'FUNCTION', called, proowner FROM func"
    " UNION ALL SELECT true, 'TABLE', c.relname, c.relowner"
    " FROM pg_inherits h JOIN rel r ON r.found AND r.oid = h.inhparent"
    " JOIN pg_class c ON c.oid = h.inhrelid),"
    " owner AS (SELECT relowner AS oid, pg_get_userbyid(relowner) AS name"
    " FROM rel WHERE found AND relname = 'prompt_migrations')"
    " SELECT format('%s belongs to %I, not to %I: ALTER %s %s OWNER TO %I',"
    " t.name, pg_get_userbyid(t.owner), o.name, t.kind, t.name, o.name)"
    " FROM thing t, owner o WHERE t.found AND t.owner <> o.oid"
    " AND (EXISTS (SELECT FROM thing e WHERE NOT e.found AND e.kind = t.kind"
    " AND e.name = t.name) OR t.name LIKE 'executions\\_%') ORDER BY 1";


static const char  ctl_restore_rights_sql[] =
    CTL_RESTORE_FOUND
    " acl AS (SELECT found, relname::text AS name, relacl AS list FROM rel"
    " UNION ALL SELECT r.found, r.relname || '.' || a.attname, a.attacl"
    " FROM rel r JOIN pg_attribute a ON a.attrelid = r.oid"
    " AND NOT a.attisdropped"
    " UNION ALL SELECT found, called, proacl FROM func),"
    " right_of AS (SELECT a.found, a.name, x.privilege_type, x.grantee"
    " FROM acl a, aclexplode(a.list) x)"
    " SELECT format('the role %s has not the right %s on %s: run \"promptctl"
    " migrate --grant %s\"', pg_get_userbyid(e.grantee), e.privilege_type,"
    " e.name, pg_get_userbyid(e.grantee)) FROM right_of e"
    " WHERE NOT e.found AND e.grantee IN (SELECT a.grantee"
    " FROM right_of a WHERE NOT a.found AND a.name = 'prompts.last_version')"
    " AND NOT EXISTS (SELECT FROM right_of f WHERE f.found"
    " AND f.name = e.name AND f.privilege_type = e.privilege_type"
    " AND f.grantee = e.grantee)"
    " UNION ALL SELECT format('the role %s may not use the schema: run"
    " \"promptctl migrate --grant %s\"', r.rolname, r.rolname)"
    " FROM pg_roles r WHERE r.oid IN (SELECT grantee FROM right_of"
    " WHERE NOT found AND name = 'prompts.last_version')"
    " AND NOT has_schema_privilege(r.oid, $1, 'USAGE')"
    " UNION ALL SELECT 'no role has the rights of the service: run \"promptctl"
    " migrate --grant ROLE\"' WHERE NOT EXISTS (SELECT FROM right_of"
    " WHERE NOT found AND name = 'prompts.last_version')"
    " ORDER BY 1";


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

    if (ctl_given(ctl, "new-identity") != NULL
        && !ctl_postgres_script(&migrate->pg, prompt_database_renew_sql))
    {
        rc = ctl_postgres_failed(&migrate->pg);
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


static int
ctl_restore_check_all(ctl_restore_t *check)
{
    int             rc;
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
        rc = ctl_restore_look(check, ctl_restore_things_sql);
    }

    if (rc == CTL_OK) {
        rc = ctl_restore_look(check, ctl_restore_owner_sql);
    }

    if (rc == CTL_OK) {
        rc = ctl_restore_look(check, ctl_restore_rights_sql);
    }

    if (rc == CTL_OK && !ctl_postgres_script(&migrate->pg, "ROLLBACK")) {
        rc = ctl_postgres_failed(&migrate->pg);
    }

    /* these ask tables and functions, which must be there */

    if (rc == CTL_OK && check->faults == 0) {
        rc = ctl_restore_look(check, ctl_restore_content_sql);
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

    rc = ctl_migrate_compare(migrate);
    if (rc != CTL_OK) {
        return rc;
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
ctl_restore_look(ctl_restore_t *check, const char *sql)
{
    int        i, n, rc;
    PGresult  *result;

    result = ctl_postgres_text(&check->migrate.pg, sql, 1,
                               (const char *const *) &check->schema.data);
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
    const char     *identity;
    PGresult       *result;
    ctl_migrate_t  *migrate;

    migrate = &check->migrate;
    identity = "";

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
        ctl_output_int(&check->out, (int64_t) migrate->first);
        ctl_output_name(&check->out, "identity");
        ctl_output_string(&check->out, prompt_str_from(identity));
        ctl_output_end(&check->out, '}');

        rc = ctl_output_print(&check->out);

    } else if (check->faults == 0) {
        (void) printf("the database is whole: schema version %zu, identity "
                      "%s\n", migrate->first, identity);
    }

    return rc == CTL_OK && check->faults != 0 ? CTL_FAILED : rc;
}
