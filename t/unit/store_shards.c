/*
 * Owners that are kept apart: which statements ask one place, and which ask
 * all.  docs/scaling-citus.sql is run for it, with functions in place of those
 * of Citus that refuse what Citus refuses: keys without the column by which
 * rows are divided, foreign keys that lead elsewhere.
 *
 * A statement asks one place where each look into a table that is divided
 * names the owner, by a parameter: of what is joined in a subquery, Citus does
 * not see it.  A statement that does not stands in the list below, with the
 * reason; one that is there for nothing fails, too.
 */

#include "base/buf.h"
#include "store_db.h"


/*
 * What Citus has, as far as it says no.  A kind: d divided, by a column and
 * together with a table; r on all servers; l on one.
 */
static const char  citus[] =
    "CREATE TABLE t_kinds (name regclass UNIQUE, kind \"char\", col text,"
    " beside text);"

    "CREATE FUNCTION create_distributed_table(regclass, text,"
    " colocate_with text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN"
    " IF EXISTS (SELECT FROM pg_index i WHERE i.indrelid = $1"
    " AND i.indisunique AND NOT EXISTS (SELECT FROM pg_attribute a"
    " WHERE a.attrelid = $1 AND a.attname = $2"
    " AND a.attnum = ANY (i.indkey::smallint[])))"
    " THEN RAISE 'a key of % is without %', $1, $2; END IF;"
    " IF NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = $1"
    " AND a.attname = $2 AND a.attnotnull)"
    " THEN RAISE '% has no %', $1, $2; END IF;"
    " IF EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = $1"
    " AND NOT t.tgisinternal) THEN RAISE '% has a trigger', $1; END IF;"
    " INSERT INTO t_kinds VALUES ($1, 'd', $2, CASE colocate_with"
    " WHEN 'none' THEN $1::text ELSE (SELECT k.beside FROM t_kinds k"
    " WHERE k.name::text = colocate_with) END); END $$;"

    "CREATE FUNCTION create_reference_table(regclass) RETURNS void"
    " LANGUAGE sql AS $$ INSERT INTO t_kinds VALUES ($1, 'r') $$;"

    "CREATE FUNCTION citus_add_local_table_to_metadata(regclass)"
    " RETURNS void LANGUAGE sql AS $$"
    " INSERT INTO t_kinds VALUES ($1, 'l') $$;";


static const char  tables_left[] =
    "SELECT string_agg(c.relname, ' ') FROM pg_class c"
    " WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition"
    " AND c.relnamespace = current_schema()::regnamespace"
    " AND c.relname <> 't_kinds'"
    " AND NOT EXISTS (SELECT FROM t_kinds k WHERE k.name = c.oid)";

/*
 * From what is divided to what is divided beside it, by the same column; to
 * what is on all servers; and from there, or from what is on one, to that.
 */
static const char  keys_astray[] =
    "SELECT string_agg(f.conname, ' ') FROM pg_constraint f"
    " JOIN t_kinds a ON a.name = f.conrelid"
    " JOIN t_kinds b ON b.name = f.confrelid"
    " WHERE f.contype = 'f' AND NOT CASE"
    " WHEN b.kind = 'r' THEN true"
    " WHEN a.kind = 'd' AND b.kind = 'd' THEN a.beside = b.beside"
    " AND EXISTS (SELECT FROM unnest(f.conkey, f.confkey) k (here, there)"
    " JOIN pg_attribute h ON h.attrelid = f.conrelid AND h.attnum = k.here"
    " JOIN pg_attribute t ON t.attrelid = f.confrelid AND t.attnum = k.there"
    " WHERE h.attname = a.col AND t.attname = b.col)"
    " ELSE a.kind = b.kind END";


/* what has no conflict by the id alone any more */
#define KEY_OF_ID  "ON CONFLICT (id): the key has the owner, too"

#define BY_ID      "a prompt by its id: whose it is, its row says"
#define WHY_NOT    "NOT_FOUND or FORBIDDEN: whose else it is"
#define LABELS     "labels of a prompt, in the order of their index"
#define STEPS      "what became of ids: whose they are, their rows say"
#define OF_ALL     "a sweep: over all owners"
#define EXECUTION  "executions: owner_id is NULL where the owner ran it"
#define GUESTS     "the log: also what the user ran of others' prompts"

static const struct {
    const char  *name;
    const char  *why;
} several[] = {
    { "prompt_by_id", BY_ID },
    { "version_by_id", BY_ID },
    { "version_some_by_id", BY_ID },
    { "version_one_by_id", BY_ID },
    { "user_of_prompt", BY_ID },
    { "execution_target", BY_ID },
    { "execution_labelled", BY_ID },
    { "log_prompt_allowed", BY_ID },
    { "prompt_fork", BY_ID },
    { "prompt_fork_step", BY_ID },

    { "label_by_id", LABELS },
    { "label_by_name", LABELS },
    { "label_all", LABELS },
    { "label_page", LABELS },
    { "label_ids", LABELS },
    { "move_by_id", LABELS },
    { "move_by_name", LABELS },
    { "move_all", LABELS },
    { "move_page", LABELS },
    { "move_ids", LABELS },

    { "prompt_update", WHY_NOT },
    { "prompt_delete", WHY_NOT },
    { "version_create", WHY_NOT },
    { "label_set", WHY_NOT },
    { "label_remove", WHY_NOT },

    { "import", "rows of a list, each with its owner, who is the caller" },

    { "prompt_remove", OF_ALL },
    { "prompt_sweep", OF_ALL },
    { "execution_sweep", OF_ALL },
    { "execution_newest", OF_ALL },
    { "log_sweep", OF_ALL },
    { "idempotency_sweep", OF_ALL },
    { "idempotency_look", STEPS },
    { "idempotency_read", STEPS },

    { "execution_start", KEY_OF_ID },
    { "execution_start_labelled", KEY_OF_ID },
    { "execution_record", KEY_OF_ID },
    { "execution_finish", EXECUTION },
    { "execution_by_id", EXECUTION },
    { "execution_by_name", EXECUTION },
    { "execution_all", EXECUTION },
    { "execution_page", EXECUTION },
    { "execution_ids", EXECUTION },
    { "execution_some_by_id", EXECUTION },
    { "execution_some_by_name", EXECUTION },
    { "execution_some_page", EXECUTION },
    { "execution_some_ids", EXECUTION },
    { "execution_one_by_id", EXECUTION },
    { "execution_one_by_name", EXECUTION },
    { "execution_one_page", EXECUTION },
    { "execution_one_ids", EXECUTION },
    { "execution_own", EXECUTION },
    { "execution_some_own", EXECUTION },
    { "execution_one_own", EXECUTION },

    { "log_page", GUESTS },
    { "log_one", GUESTS },
    { "log_one_allowed", GUESTS },
    { "log_prompts_page", GUESTS },
    { "log_prompts_one", GUESTS },
    { "log_owners_page", GUESTS },
    { "log_owners_one", GUESTS },
    { "statistics", GUESTS }
};

#define SEVERAL  (sizeof(several) / sizeof(several[0]))

static bool  met[SEVERAL];

/* functions that look into tables that are divided */
static const char *const  functions[] = {
    " prompt_remove(", " prompt_executions_sweep(", " prompt_log_sweep(",
    " prompt_executions_of_ids("
};


static void
run_file(const char *path)
{
    char           bytes[4096];
    FILE          *file;
    size_t         n;
    prompt_buf_t   text;

    prompt_buf_init(&text, (size_t) 1 << 20);
    file = fopen(path, "r");

    while (file != NULL && (n = fread(bytes, 1, sizeof(bytes), file)) != 0) {
        prompt_buf_append(&text, bytes, n);
    }

    if (file != NULL) {
        (void) fclose(file);
    }

    prompt_buf_char(&text, '\0');

    ok(file != NULL && db_script(text.data), path);
    prompt_buf_free(&text);
}


/* the text that SQL selects, "" where there is none */
static void
is_none(const char *sql, const char *name)
{
    PGresult  *result;

    result = ctl_postgres_text(&pg, sql, 0, NULL);

    if (result == NULL) {
        diag("%s", pg.message);
        ok(false, name);
        return;
    }

    is_str(prompt_str_from(PQgetvalue(result, 0, 0)), "", name);
}


/*
 * The column by which the table of "Scan using … on public.prompts p" is
 * divided; NULL where it is not, or is no table.
 */
static const char *
line_column(const char *line)
{
    char                sql[256];
    size_t              len;
    PGresult           *result;
    const char         *on;

    on = strstr(line, " on public.");

    if (on == NULL || strstr(line, "Scan ") == NULL) {
        return NULL;
    }

    on += sizeof(" on public.") - 1;
    len = strcspn(on, " ");

    (void) snprintf(sql, sizeof(sql), "SELECT k.col FROM t_kinds k"
                    " WHERE kind = 'd' AND (name = '%.*s'::regclass OR name ="
                    " (SELECT inhparent FROM pg_inherits"
                    " WHERE inhrelid = '%.*s'::regclass))", (int) len, on,
                    (int) len, on);

    result = ctl_postgres_text(&pg, sql, 0, NULL);

    return result != NULL && PQntuples(result) == 1
           ? PQgetvalue(result, 0, 0) : NULL;
}


/* "(p.owner_id = $1)", or "= ANY (ARRAY[$1])"; and not: that OR another */

static bool
line_names(const char *line, const char *column)
{
    char                      text[64];
    size_t                    i;
    const char               *at, *end, *other;
    static const char *const  ways[] = { " = $", " = ANY (ARRAY[$" };

    if (strstr(line, " Cond: ") == NULL && strstr(line, "Filter: ") == NULL) {
        return false;
    }

    other = strstr(line, " OR (");

    for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        (void) snprintf(text, sizeof(text), ".%s%s", column, ways[i]);

        for (at = strstr(line, text); at != NULL; at = strstr(end, text)) {
            end = at + strcspn(at, ")");

            if (strncmp(end, ") OR ", 5) != 0
                && (other == NULL || other > at))
            {
                return true;
            }
        }
    }

    return false;
}


/* Each look into a table that is divided names what it is divided by. */

static bool
plan_is_of_one(PGresult *plan)
{
    int          i, n;
    bool         named;
    const char  *column, *line;

    column = NULL;
    named = true;
    n = PQntuples(plan);

    for (i = 0; i < n; i++) {
        line = PQgetvalue(plan, i, 0);

        if (i == 0 || strstr(line, "->  ") != NULL) {

            if (column != NULL && !named) {
                return false;
            }

            column = line_column(line);
            named = false;

        } else if (column != NULL && line_names(line, column)) {
            named = true;
        }
    }

    return column == NULL || named;
}


/* NULL where PostgreSQL refuses it; to be cleared. */

static PGresult *
statement_plan(const prompt_statement_t *statement)
{
    PGresult  *plan;

    if (!db_prepare(statement)) {
        return NULL;
    }

    plan = db_explain(statement, "(VERBOSE, COSTS OFF)");
    pg.nresults = 0;                               /* the rows are ours */

    return plan;
}


/* The place in the list of several; SEVERAL where there is none. */

static size_t
listed(const prompt_statement_t *statement)
{
    size_t       i, len;
    const char  *mask;

    /*
     * The name of a family's statement ends with the mask of its columns, that
     * of one for several rows with how many they are.
     */

    mask = strrchr(statement->name, '_');

    for (i = 0; i < SEVERAL; i++) {
        len = strlen(several[i].name);

        if (strncmp(statement->name, several[i].name, len) == 0
            && (statement->name[len] == '\0'
                || (mask == statement->name + len
                    && (statement->id >= PROMPT_STATEMENT_FIXED
                        || statement->rows != 0))))
        {
            break;
        }
    }

    return i;
}


static void
test_statement(const prompt_statement_t *statement)
{
    char       name[256];
    bool       one;
    size_t     i;
    PGresult  *plan;

    plan = statement_plan(statement);
    one = plan != NULL && plan_is_of_one(plan);

    for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        one = one && strstr(statement->sql, functions[i]) == NULL;
    }

    i = listed(statement);

    if (i != SEVERAL) {
        met[i] = true;
    }

    (void) snprintf(name, sizeof(name), "%s: %s", statement->name,
                    i == SEVERAL ? "one place" : several[i].why);

    if (!ok(one == (i == SEVERAL), name)) {
        diag("%s", plan == NULL ? pg.message
                   : one ? "it is in the list, and asks one place"
                         : "it is not in the list, and asks several");

        for (i = 0; plan != NULL && i < (size_t) PQntuples(plan); i++) {
            diag("%s", PQgetvalue(plan, (int) i, 0));
        }
    }

    PQclear(plan);
    (void) db_script("DEALLOCATE ALL");
}


int
main(void)
{
    size_t                     i;
    const prompt_statement_t  *statement;

    if (!db_begin()) {
        return 0;
    }

    ok(db_script(citus), "what Citus refuses");
    run_file("docs/scaling-citus.sql");
    is_none(tables_left, "each table has a place");
    is_none(keys_astray, "each foreign key stays in it");

    /* of a plan for any values; and of all partitions, as that has them */

    ok(db_script("SET plan_cache_mode = force_generic_plan;"
                 " SET enable_partition_pruning = off"), "plans");

    for (i = 0; i < PROMPT_STATEMENT_FIXED; i++) {
        statement = prompt_statement_fixed((prompt_statement_id_t) i);

        if (statement->ncolumns != 0 || statement->nparams != 0) {
            test_statement(statement);
        }
    }

    for (i = 0; i < PROMPT_FAMILY_COUNT; i++) {
        test_statement(prompt_statement_family((prompt_family_id_t) i,
                                               UINT32_MAX));
    }

    for (i = 0; i < SEVERAL; i++) {

        if (!met[i]) {
            ok(false, several[i].name);
        }
    }

    db_close();

    return done_testing();
}
