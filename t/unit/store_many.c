/*
 * Statements for several rows do for each row what the statement for one does,
 * and say for which they did it: whatever is wrong with the others.
 */

#include "store_db.h"


#define RUNS    PROMPT_STORE_MAX_ROWS
#define PARAMS  "{\"model\": \"gpt-4o-mini\"}"

/* all of an execution but its times of this day, by what it was asked */
#define ROWS_OF                                                              \
    "SELECT count(*) || ' ' || coalesce(md5(string_agg(concat_ws('|',"       \
    " x.version, x.executed_by, x.by_owner, x.owner_id, x.status, x.model,"  \
    " x.label, x.trace_id, x.input, x.output, x.error, x.finish_reason,"     \
    " x.tool_calls, x.latency_ms, x.token_in, x.token_out, x.cost_usd,"      \
    " x.attempts, x.token_cached, x.token_cache_write,"                      \
    " x.token_cache_write_1h, x.token_reasoning, x.price_input,"             \
    " x.price_cached_input, x.price_cache_write, x.price_cache_write_1h,"    \
    " x.price_output, x.finished_at, x.deadline IS NULL,"                    \
    " x.created_at = prompt_id_time(x.id)), ',' ORDER BY x.input::text)),"  \
    " '') FROM executions x JOIN prompts p ON p.id = x.prompt_id"            \
    " WHERE p.name LIKE "


static prompt_uuid_t           ann, bob;
static prompt_uuid_t           ids[RUNS];
static prompt_execution_run_t  runs[RUNS];
static char                    inputs[RUNS][32], outputs[RUNS][32];


typedef bool (*append_pt)(prompt_query_t *q, const prompt_execution_run_t *run);


static prompt_uuid_t
prompt_of(const prompt_uuid_t *owner, const char *name, unsigned versions)
{
    char           sql[512], text[2][PROMPT_UUID_TEXT_LEN];
    prompt_uuid_t  id;

    id = db_uuid();
    prompt_uuid_format(&id, text[0]);
    prompt_uuid_format(owner, text[1]);

    (void) snprintf(sql, sizeof(sql),
                    "INSERT INTO prompts (id, owner_id, name, category,"
                    " is_public, updated_at, last_version) VALUES ('%.*s',"
                    " '%.*s', '%s', 'GENERAL', true, now(), %u);"
                    "INSERT INTO prompt_versions (id, prompt_id, owner_id,"
                    " version, content, params) SELECT gen_random_uuid(),"
                    " '%.*s', '%.*s', n, 'x', '" PARAMS "' FROM"
                    " generate_series(1, %u) n",
                    PROMPT_UUID_TEXT_LEN, text[0], PROMPT_UUID_TEXT_LEN,
                    text[1], name, versions, PROMPT_UUID_TEXT_LEN, text[0],
                    PROMPT_UUID_TEXT_LEN, text[1], versions);

    if (!db_script(sql)) {
        exit(1);
    }

    return id;
}


/* as different as they can be; each third one is wrong in some way */
static void
make_runs(const prompt_uuid_t *prompt, const prompt_uuid_t *gone)
{
    unsigned                 i;
    prompt_execution_run_t  *run;

    for (i = 0; i < RUNS; i++) {
        run = &runs[i];
        memset(run, 0, sizeof(prompt_execution_run_t));

        ids[i] = db_uuid();
        (void) snprintf(inputs[i], sizeof(inputs[i]), "{\"n\": %u.0}", i + 10);
        (void) snprintf(outputs[i], sizeof(outputs[i]), "out, \"%u\"\n", i);

        run->id = ctl_uuid_view(&ids[i]);
        run->prompt_id = ctl_uuid_view(i % 5 == 4 ? gone : prompt);
        run->version = i % 7 == 6 ? 9 : (int32_t) (1 + i % 3);
        run->caller = ctl_uuid_view(i % 2 ? &ann : &bob);
        run->model = i % 4 ? prompt_str("gpt-4o-mini") : prompt_str_absent;
        run->label = i % 3 ? prompt_str_absent : prompt_str("production");
        run->trace_id = i % 2 ? prompt_str("0123456789abcdef")
                              : prompt_str_absent;
        run->input = prompt_str_from(inputs[i]);
        run->timeout_ms = 60000 + i;

        run->status = i % 4 ? prompt_str("succeeded") : prompt_str("failed");
        run->output = i % 4 ? prompt_str_from(outputs[i]) : prompt_str_absent;
        run->error = i % 4 ? prompt_str_absent : prompt_str("no, \"it\" fails");
        run->latency_ms = prompt_maybe(i);
        run->token_in = i % 3 ? prompt_maybe(7 * i) : prompt_maybe_unknown;
        run->token_out = prompt_maybe(INT32_MAX);
        run->token_cached = prompt_maybe(i);
        run->token_cache_write = i % 2 ? prompt_maybe(3 * i)
                                       : prompt_maybe_unknown;
        run->token_cache_write_1h = prompt_maybe(2);
        run->token_reasoning = prompt_maybe(5 * i);
        run->cost_usd = i % 5 ? prompt_str("0.000165") : prompt_str_absent;
        run->price_cache_write_1h = prompt_str("6");
        run->price_output = prompt_str("0.60");
        run->attempts = 1 + (int32_t) i;
        run->finished_at = INT64_C(1893456000123456) + i;
    }
}


static bool
run_single(append_pt append, unsigned n, bool done[])
{
    unsigned  i;

    for (i = 0; i < n; i++) {

        if (!db_run(append(&query, &runs[i]))) {
            return false;
        }

        done[i] = pg.rows[0].count == 1;
    }

    return true;
}


/* the same, as src/io does */
static bool
run_many(append_pt append, unsigned n, bool done[])
{
    int                        lengths[RUNS * PROMPT_STORE_MAX_PARAMS];
    int                        formats[RUNS * PROMPT_STORE_MAX_PARAMS];
    int                        row;
    unsigned                   i, k, columns;
    PGresult                  *result;
    const char                *values[RUNS * PROMPT_STORE_MAX_PARAMS];
    const prompt_bound_t      *bound;
    const prompt_statement_t  *many;

    many = NULL;
    columns = 0;

    for (i = 0; i < n; i++) {
        query.count = 0;

        if (!append(&query, &runs[i])) {
            return false;
        }

        bound = &query.bound[0];
        many = prompt_statement_many(bound->statement, n);
        columns = bound->statement->nparams;

        for (k = 0; k < columns; k++) {
            values[i * columns + k] = bound->params[k].data;
            lengths[i * columns + k] = (int) bound->params[k].len;
        }
    }

    query.count = 0;

    if (many == NULL || many->rows < n) {
        return false;
    }

    for (k = n * columns; k < many->nparams; k++) {
        values[k] = NULL;
        lengths[k] = 0;
    }

    for (k = 0; k < many->nparams; k++) {
        formats[k] = 1;
    }

    result = PQexecParams(pg.conn, many->sql, (int) many->nparams,
                          (const Oid *) many->types, values, lengths, formats,
                          1);

    if (PQresultStatus(result) != PGRES_TUPLES_OK) {
        diag("%s: %s", many->name, PQresultErrorMessage(result));
        PQclear(result);
        return false;
    }

    for (i = 0; i < n; i++) {
        done[i] = false;

        for (row = 0; row < PQntuples(result); row++) {
            done[i] = done[i]
                      || memcmp(PQgetvalue(result, row, 0), runs[i].id.data,
                                16) == 0;
        }
    }

    PQclear(result);

    return true;
}


static bool
same(const bool *a, const bool *b, unsigned n)
{
    return memcmp(a, b, n * sizeof(bool)) == 0;
}


/* the text that SQL selects */
static void
text_of(const char *name, char text[128])
{
    char       sql[2048];
    PGresult  *result;

    (void) snprintf(sql, sizeof(sql), ROWS_OF "'%s'", name);

    result = ctl_postgres_text(&pg, sql, 0, NULL);
    (void) snprintf(text, 128, "%.100s",
                    result != NULL ? PQgetvalue(result, 0, 0) : pg.message);
}


/* those that were started come first; how many they are */
static unsigned
only_started(unsigned n, const bool done[])
{
    unsigned  i, started;

    started = 0;

    for (i = 0; i < n; i++) {

        /* the first one was there before */

        if (done[i] || i == 0) {
            runs[started++] = runs[i];
        }
    }

    return started;
}


static bool
all_are(bool value, const bool done[], unsigned n)
{
    unsigned  i;

    for (i = 0; i < n && done[i] == value; i++) {
        /* void */
    }

    return i == n;
}


static void
test_rows(unsigned n)
{
    char           name[2][32], text[2][128], what[64];
    bool           right, done[2][RUNS], ended[2][RUNS];
    bool         (*end)(append_pt append, unsigned count, bool ends[]);
    unsigned       i, k, started;
    prompt_uuid_t  prompt, gone;

    gone = db_uuid();

    for (i = 0; i < 2; i++) {
        (void) snprintf(name[i], sizeof(name[i]), "%s %u",
                        i == 0 ? "single" : "many", n);

        prompt = prompt_of(&ann, name[i], 3);
        make_runs(&prompt, &gone);

        /* the first one is there already */

        (void) db_run(prompt_execution_start(&query, &runs[0]));

        (void) snprintf(what, sizeof(what), "%s: start", name[i]);
        ok((i == 0 ? run_single : run_many)(prompt_execution_start, n,
                                            done[i]), what);
        text_of(name[i], text[i]);

        started = only_started(n, done[i]);
        (void) snprintf(what, sizeof(what), "%s: end", name[i]);

        end = i == 0 || started < 3 ? run_single : run_many;

        ok(end(prompt_execution_finish, started, ended[i])
           && all_are(true, ended[i], started), what);

        /* what has ended stays as it is */

        for (k = 0; k < started; k++) {
            runs[k].output = prompt_str("another");
        }

        ok(end(prompt_execution_finish, started, ended[i])
           && all_are(false, ended[i], started), "once");
    }

    ok(same(done[0], done[1], n) && !done[1][0] && done[1][1]
       && (n < 5 || !done[1][4]), "the same are started");

    is_str(prompt_str_from(text[1]), text[0], "with the same rows");

    text_of(name[0], text[0]);
    text_of(name[1], text[1]);
    is_str(prompt_str_from(text[1]), text[0], "and the same ends");

    right = true;

    for (i = 1; i < n; i++) {
        right = right && done[1][i] == (i % 5 != 4 && i % 7 != 6);
    }

    ok(right, "of what can be started");
}


/* The end of what is not there any more is none; nor is that of the others. */
static void
test_missing(void)
{
    char           text[2][128];
    bool           done[RUNS];
    unsigned       i;
    prompt_uuid_t  prompt;

    prompt = prompt_of(&ann, "missing", 9);
    make_runs(&prompt, &prompt);

    ok(run_many(prompt_execution_start, 5, done) && all_are(true, done, 5),
       "started");
    ok(db_script("DELETE FROM executions x USING prompts p WHERE"
                 " p.id = x.prompt_id AND p.name = 'missing'"
                 " AND x.input->>'n' = '12.0'"), "one is removed");

    text_of("missing", text[0]);
    ok(!run_many(prompt_execution_finish, 5, done), "they do not end together");
    text_of("missing", text[1]);
    is_str(prompt_str_from(text[1]), text[0], "nothing is changed");

    ok(run_single(prompt_execution_finish, 5, done), "they end one by one");

    for (i = 0; i < 5; i++) {
        ok(done[i] == (i != 2), "but for that one");
    }

    ok(db_script("ALTER TABLE executions DISABLE TRIGGER ALL")
       && !run_many(prompt_execution_finish, 5, done)
       && db_script("ALTER TABLE executions ENABLE TRIGGER ALL"),
       "nor where nobody looks at foreign keys");

    is_int(db_number("SELECT count(*) FROM executions x LEFT JOIN"
                     " prompt_versions v ON v.prompt_id = x.prompt_id"
                     " AND v.version = x.version WHERE v.id IS NULL"), 0,
           "no other row came of it");
}


/*
 * Starts of versions that were not read: each is verified for itself.  The
 * statement for those with a label is another.
 */
static void
test_known(bool labelled)
{
    bool                       right, done[2][RUNS];
    int64_t                    set_at;
    unsigned                   i, k;
    prompt_uuid_t              prompt, gone;
    prompt_execution_run_t    *run;
    prompt_execution_target_t  target;

    gone = db_uuid();

    for (k = 0; k < 2; k++) {
        prompt = prompt_of(&ann, labelled ? k == 0 ? "label" : "labels"
                                          : k == 0 ? "known" : "knowns", 3);
        make_runs(&prompt, &gone);

        ok(db_script("INSERT INTO prompt_labels (owner_id, prompt_id, label,"
                     " version, set_at) SELECT owner_id, id, 'production',"
                     " 2, now() FROM prompts ORDER BY id DESC LIMIT 1")
           && db_run(prompt_execution_target(&query, ctl_uuid_view(&prompt),
                                             ctl_uuid_view(&ann),
                                             prompt_maybe_unknown))
           && prompt_execution_target_row(&pg.rows[0], &target)
              == PROMPT_OUTCOME_DONE, "read");

        set_at = db_number("SELECT extract(epoch FROM set_at) * 1000000"
                           " FROM prompt_labels ORDER BY prompt_id DESC"
                           " LIMIT 1");

        for (i = 0; i < RUNS; i++) {
            run = &runs[i];
            run->version = (int32_t) (1 + i % 3);
            run->asked = prompt_str("production");
            run->label = labelled ? prompt_str("production")
                                  : prompt_str_absent;
            run->asked_set_at = prompt_maybe(set_at + (i % 3 != 1));
            run->prompt_updated_at = target.updated_at - (i % 4 == 2);
            run->known = labelled ? PROMPT_EXECUTION_LABELLED
                         : i == 6 ? PROMPT_EXECUTION_READ
                                  : PROMPT_EXECUTION_KNOWN;
        }

        ok((k == 0 ? run_single : run_many)(prompt_execution_start, RUNS,
                                            done[k]),
           k == 0 ? "one by one" : "together");
    }

    ok(same(done[0], done[1], RUNS), "the same are started");

    right = true;

    for (i = 0; i < RUNS; i++) {
        right = right
                && done[1][i] == (i % 5 != 4
                                  && (labelled ? i % 3 == 1 && i % 4 != 2
                                               : i == 6 || i % 4 != 2));
    }

    ok(right, labelled ? "those of the label as it is set, if that is how it "
                         "was read"
                       : "those that are as they were read");
}


/* two that are one */
static void
test_twice(void)
{
    bool           done[RUNS];
    prompt_uuid_t  prompt;

    prompt = prompt_of(&ann, "twice", 3);
    make_runs(&prompt, &prompt);
    runs[2].id = runs[1].id;

    ok(run_many(prompt_execution_start, 3, done) && done[0] && done[1]
       && done[2], "an id that comes twice is started");
    is_int(db_number("SELECT count(*) FROM executions x JOIN prompts p"
                     " ON p.id = x.prompt_id WHERE p.name = 'twice'"), 2,
           "once");
}


/*
 * As a session plans it that begins with empty tables, and keeps: each row is
 * looked up by itself.
 */
static void
test_plan(prompt_statement_id_t id, unsigned rows, const char *by)
{
    int                        i;
    bool                       right, found;
    PGresult                  *result;
    const char                *line;
    const prompt_statement_t  *many;

    many = prompt_statement_many(prompt_statement_fixed(id), rows);

    if (many == NULL) {
        ok(false, "made");
        return;
    }

    ok(db_script("SET plan_cache_mode = force_generic_plan;"
                 " SET enable_seqscan = off")
       && db_prepare(many), "prepared");

    result = db_explain(many, "");
    right = result != NULL;
    found = false;

    for (i = 0; right && i < PQntuples(result); i++) {
        line = PQgetvalue(result, i, 0);
        found = found || strstr(line, by) != NULL;
        right = strstr(line, "Seq Scan") == NULL
                && strstr(line, "Hash") == NULL
                && strstr(line, "Merge") == NULL;
    }

    if (!ok(right && found, many->name)) {
        for (i = 0; result != NULL && i < PQntuples(result); i++) {
            diag("%s", PQgetvalue(result, i, 0));
        }
    }

    (void) db_script("DEALLOCATE ALL; RESET ALL");
}


static void
test_many(void)
{
    const prompt_statement_t  *start, *target;

    start = prompt_statement_fixed(PROMPT_STATEMENT_EXECUTION_START);
    target = prompt_statement_fixed(PROMPT_STATEMENT_EXECUTION_TARGET);

    ok(prompt_statement_many(start, 1) == NULL, "none for one row");
    ok(prompt_statement_many(start, RUNS + 1) == NULL, "nor for too many");
    ok(prompt_statement_many(target, 8) == NULL, "nor of any statement");
    is_int(prompt_statement_many(start, RUNS)->rows, RUNS, "for as many");
    is_int(prompt_statement_many(start, 5)->rows, 8, "or a few more");
    is_int(prompt_statement_many(start, 8)->nparams, 8 * start->nparams,
           "with the parameters of each");
}


int
main(void)
{
    unsigned  n;

    if (!db_begin()) {
        return 0;
    }

    for (n = 4; n <= RUNS; n *= 2) {
        test_plan(PROMPT_STATEMENT_EXECUTION_START, n,
                  "Index Cond: ((prompt_id = \"*VALUES*\".column2) AND"
                  " (version = \"*VALUES*\".column3))");
        test_plan(PROMPT_STATEMENT_EXECUTION_FINISH, n,
                  "Conflict Arbiter Indexes: executions_pkey");
        test_plan(PROMPT_STATEMENT_USER_BY_ID, n,
                  "Index Cond: (id = \"*VALUES*\".column1)");
    }

    ann = db_user("ann@example.org");
    bob = db_user("bob@example.org");

    test_many();

    for (n = 3; n <= RUNS; n++) {
        test_rows(n);
    }

    test_known(false);
    test_known(true);
    test_twice();
    test_missing();

    db_close();

    return done_testing();
}
