/*
 * The plans of all statements over a filled database: none reads a table from
 * its beginning to its end, with plans made for the values given nor with
 * generic ones.
 */

#include "store_db.h"


/* 100 users with 50 prompts of 5 versions each; 100,000 executions */
static const char  fill[] =
    /* a UUIDv7 with this time (ms since now less a day), kind and number */
    "CREATE FUNCTION made_id(kind int, n int) RETURNS uuid"
    " LANGUAGE sql IMMUTABLE AS $$"
    " SELECT (lpad(to_hex(1795000000000 + n), 12, '0') || '7'"
    " || lpad(to_hex(kind), 3, '0') || '8000' || lpad(to_hex(n), 12, '0'))"
    "::uuid $$;"

    "INSERT INTO users (id, email)"
    " SELECT made_id(1, u), 'user' || u || '@example.org'"
    " FROM generate_series(1, 100) u;"

    "INSERT INTO api_keys (id, user_id, hash, name, hint)"
    " SELECT made_id(2, k), made_id(1, k % 100 + 1),"
    " sha256(k::text::bytea), 'key', 'pmt_' FROM generate_series(1, 1000) k;"

    "INSERT INTO prompts (id, owner_id, name, description, category,"
    " is_public, last_version, updated_at)"
    " SELECT made_id(3, p), made_id(1, p % 100 + 1), 'prompt-' || p,"
    " repeat('d', 100), 'GENERAL', p % 10 = 0, 5, now()"
    " FROM generate_series(1, 5000) p;"

    "INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content,"
    " params)"
    " SELECT made_id(4, v), made_id(3, v / 5 + 1),"
    " made_id(1, (v / 5 + 1) % 100 + 1), v % 5 + 1, repeat('c', 326), '{}'"
    " FROM generate_series(0, 24999) v;"

    "INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,"
    " status, deadline)"
    " SELECT made_id(5, e), made_id(3, p), v,"
    " made_id(1, p % 100 + 1), true,"
    " CASE WHEN e % 5000 = 0 THEN 'running' ELSE 'succeeded' END, now()"
    " FROM generate_series(1, 100000) e,"
    " LATERAL (SELECT e % 5000 + 1 AS p, e % 5 + 1 AS v) x;"

    "ANALYZE";


static const char *
type_name(uint32_t oid)
{
    switch (oid) {

    case PROMPT_OID_BOOL:
        return "boolean";

    case PROMPT_OID_BYTEA:
        return "bytea";

    case PROMPT_OID_INT8:
        return "bigint";

    case PROMPT_OID_INT4:
        return "integer";

    case PROMPT_OID_TEXT:
        return "text";

    case PROMPT_OID_JSON:
        return "json";

    case PROMPT_OID_TIMESTAMPTZ:
        return "timestamptz";

    case PROMPT_OID_UUIDS:
        return "uuid[]";

    default:
        return "uuid";
    }
}


/* a value that there is, of each type */
static const char *
type_value(uint32_t oid)
{
    switch (oid) {

    case PROMPT_OID_BOOL:
        return "true";

    case PROMPT_OID_BYTEA:
        return "sha256('7')";

    case PROMPT_OID_INT8:
        return "10";

    case PROMPT_OID_INT4:
        return "2";

    case PROMPT_OID_TEXT:
        return "'1'";

    case PROMPT_OID_JSON:
        return "'{}'";

    case PROMPT_OID_TIMESTAMPTZ:
        return "now()";

    case PROMPT_OID_UUIDS:
        return "ARRAY[made_id(3, 70), made_id(3, 71)]";

    default:
        return "made_id(3, 70)";
    }
}


/* The plan reads no table whole; a table with few rows may be users'. */

static bool
plan_sound(PGresult *result)
{
    int                       i;
    size_t                    t;
    bool                      sound;
    char                      scan[64];
    const char               *line;
    static const char *const  tables[] = {
        "prompts", "prompt_versions", "executions", "api_keys"
    };

    sound = true;

    for (i = 0; i < PQntuples(result); i++) {
        line = PQgetvalue(result, i, 0);

        for (t = 0; t < 4; t++) {
            (void) snprintf(scan, sizeof(scan), "Seq Scan on %s ", tables[t]);

            if (strstr(line, scan) != NULL) {
                sound = false;
            }
        }
    }

    for (i = 0; !sound && i < PQntuples(result); i++) {
        diag("%s", PQgetvalue(result, i, 0));
    }

    return sound;
}


static void
test_plan(const prompt_statement_t *statement, bool generic)
{
    char       sql[8192], name[128];
    size_t     len;
    unsigned   i;
    PGresult  *result;

    (void) snprintf(name, sizeof(name), "%s: %s", statement->name,
                    generic ? "a generic plan" : "a plan for these values");

    if (!db_script(generic ? "SET plan_cache_mode = force_generic_plan"
                           : "SET plan_cache_mode = force_custom_plan"))
    {
        ok(false, name);
        return;
    }

    len = (size_t) snprintf(sql, sizeof(sql), "PREPARE s%s",
                            statement->nparams != 0 ? " (" : "");

    for (i = 0; i < statement->nparams; i++) {
        len += (size_t) snprintf(sql + len, sizeof(sql) - len, "%s%s",
                                 type_name(statement->types[i]),
                                 i + 1 < statement->nparams ? ", " : ")");
    }

    (void) snprintf(sql + len, sizeof(sql) - len, " AS %s", statement->sql);

    if (!db_script(sql)) {
        ok(false, name);
        return;
    }

    len = (size_t) snprintf(sql, sizeof(sql), "EXPLAIN EXECUTE s%s",
                            statement->nparams != 0 ? " (" : "");

    for (i = 0; i < statement->nparams; i++) {
        len += (size_t) snprintf(sql + len, sizeof(sql) - len, "%s%s",
                                 type_value(statement->types[i]),
                                 i + 1 < statement->nparams ? ", " : ")");
    }

    result = ctl_postgres_text(&pg, sql, 0, NULL);

    if (result == NULL) {
        diag("%s", pg.message);
    }

    ok(result != NULL && plan_sound(result), name);
    (void) db_script("DEALLOCATE s");
}


int
main(void)
{
    unsigned                   i;
    const prompt_statement_t  *statement;

    if (!db_begin()) {
        return 0;
    }

    if (!ok(db_script(fill), "a filled database")) {
        return done_testing();
    }

    for (i = 0; i < PROMPT_STATEMENT_FIXED; i++) {
        statement = prompt_statement_fixed((prompt_statement_id_t) i);

        if (statement->ncolumns == 0) {
            continue;                              /* reads no table */
        }

        test_plan(statement, false);
        test_plan(statement, true);
    }

    for (i = 0; i < PROMPT_SHAPE_COUNT; i++) {
        statement = prompt_statement_shape((prompt_shape_id_t) i, UINT32_MAX);

        test_plan(statement, false);
        test_plan(statement, true);

        statement = prompt_statement_shape((prompt_shape_id_t) i, 0);

        test_plan(statement, true);
    }

    db_close();

    return done_testing();
}
