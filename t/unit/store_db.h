/*
 * For the tests of the store that need a database.  Each makes one of its own
 * in the PostgreSQL of PROMPT_TEST_SERVICES, as tools/services.sh starts it
 * (`make test' names it), and drops it afterwards.  Without it they are
 * skipped.
 */

#ifndef PROMPT_T_UNIT_STORE_DB_H
#define PROMPT_T_UNIT_STORE_DB_H

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "ctl/postgres.h"
#include "store/execution.h"
#include "store/prompt.h"
#include "store/schema_version.h"
#include "store/statement.h"
#include "store/user.h"
#include "store/version.h"
#include "tap.h"


static ctl_postgres_t  pg;
static prompt_query_t  query;
static ctl_t           ctl;


static char   db_name[64];           /* empty in clients */
static char   db_server[512];        /* conninfo, without a database */
static pid_t  db_owner;


/* a connection of this process's own to the test's database */
static inline void
db_open(void)
{
    ctl.arena = prompt_arena_create((size_t) 1 << 30);
    query.arena = ctl.arena;
    query.count = 0;

    ctl_postgres_open(&pg, &ctl);
    query.actor = &pg.actor;
}


static inline void
db_close(void)
{
    ctl_postgres_close(&pg);
    prompt_arena_destroy(ctl.arena);
    prompt_statement_free_all();
}


/* Reads where the server is; false where there is none. */

static inline bool
db_services(void)
{
    char         path[512], line[512], host[401];
    FILE        *file;
    const char  *dir;

    dir = getenv("PROMPT_TEST_SERVICES");
    if (dir == NULL) {
        return false;
    }

    (void) snprintf(path, sizeof(path), "%s/env", dir);

    file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }

    while (fgets(line, sizeof(line), file) != NULL) {
        if (sscanf(line, "SERVICES_PG_HOST='%400[^']'", host) == 1) {
            (void) snprintf(db_server, sizeof(db_server),
                            "host=%s user=postgres", host);
        }
    }

    (void) fclose(file);

    return db_server[0] != '\0';
}


static inline void
db_use(const char *name)
{
    char  conninfo[640];

    (void) snprintf(conninfo, sizeof(conninfo), "%s dbname=%s", db_server,
                    name);
    (void) setenv("PROMPT_DATABASE_URL", conninfo, 1);
}


/* Runs SQL in the server's own database. */

static inline void
db_admin(const char *command, const char *options)
{
    char  sql[256];

    (void) snprintf(sql, sizeof(sql), "%s %s %s", command, db_name, options);

    db_use("postgres");
    db_open();

    if (!ctl_postgres_script(&pg, sql)) {
        diag("%s: %s", sql, pg.message);
        exit(1);
    }

    db_close();
    db_use(db_name);
}


static inline void
db_drop(void)
{
    if (getpid() == db_owner && db_name[0] != '\0') {
        db_admin("DROP DATABASE IF EXISTS", "WITH (FORCE)");
        db_name[0] = '\0';
    }
}


/*
 * Makes the test's database, brings its schema up to date, and connects; it
 * is dropped at the end.  False, after the plan of a skipped test, where no
 * server was named.
 */
static inline bool
db_begin(void)
{
    if (!db_services()) {
        printf("1..0 # SKIP no PROMPT_TEST_SERVICES (tools/services.sh)\n");
        return false;
    }

    db_owner = getpid();
    (void) snprintf(db_name, sizeof(db_name), "t_store_%ld",
                    (long) db_owner);

    db_admin("CREATE DATABASE", "");
    (void) atexit(db_drop);

    memset(&ctl, 0, sizeof(ctl));
    ctl.arena = prompt_arena_create((size_t) 1 << 20);

    (void) ctl_migrate(&ctl);

    prompt_arena_destroy(ctl.arena);

    db_open();

    return true;
}


/*
 * Runs what was appended since the last run; appended is what appending gave.
 * False, after a line for the log, where PostgreSQL refused it.
 */
static inline bool
db_run(bool appended)
{
    bool  done;

    if (!appended) {
        diag("the query could not be made");
        query.count = 0;
        return false;
    }

    done = ctl_postgres_run(&pg, &query);
    query.count = 0;

    if (!done) {
        diag("%s: %s", pg.sqlstate, pg.message);
    }

    return done;
}


/* what PostgreSQL's clock is to say, where it did not jump */
static inline prompt_maybe_t
db_clock(void)
{
    prompt_maybe_t  clock;

    clock.known = true;
    clock.value = (int64_t) time(NULL) * 1000000;

    return clock;
}


static inline prompt_uuid_t
db_uuid(void)
{
    return ctl_uuid();
}


/* one with the time of so long ago */
static inline prompt_uuid_t
db_uuid_before(uint64_t ms)
{
    int            i;
    uint64_t       time;
    prompt_uuid_t  id;

    id = db_uuid();
    time = 0;

    for (i = 0; i < 6; i++) {
        time = time << 8 | id.bytes[i];
    }

    time -= ms;

    for (i = 5; i >= 0; i--, time >>= 8) {
        id.bytes[i] = (uint8_t) time;
    }

    return id;
}


/*
 * Runs the end of an execution as the service does; rows[0] has a row where
 * something was written.
 */
static inline bool
db_finish(const prompt_execution_run_t *run)
{
    return db_run(prompt_execution_finish(&query, run))
           && (pg.rows[0].count != 0
               || db_run(prompt_execution_record(&query, run)));
}


/* the number that SQL text selects */
static inline long
db_number(const char *sql)
{
    PGresult  *result;

    result = ctl_postgres_text(&pg, sql, 0, NULL);
    if (result == NULL) {
        diag("%s: %s", pg.sqlstate, pg.message);
        return -1;
    }

    return PQntuples(result) == 1 ? atol(PQgetvalue(result, 0, 0)) : -1;
}


static inline bool
db_script(const char *sql)
{
    if (!ctl_postgres_script(&pg, sql)) {
        diag("%s: %s", pg.sqlstate, pg.message);
        return false;
    }

    return true;
}


/* the name of a type that a statement has */
static inline const char *
db_type(uint32_t oid)
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

    case PROMPT_OID_TEXTS:
        return "text[]";

    default:
        return "uuid";
    }
}


/* Prepares a statement as s. */

static inline bool
db_prepare(const prompt_statement_t *statement)
{
    bool          done;
    unsigned      i;
    prompt_buf_t  sql;

    prompt_buf_init(&sql, 65536);
    prompt_buf_printf(&sql, "PREPARE s");

    for (i = 0; i < statement->nparams; i++) {
        prompt_buf_printf(&sql, "%s%s", i == 0 ? "(" : ",",
                          db_type(statement->types[i]));
    }

    prompt_buf_printf(&sql, "%s AS %s", i != 0 ? ")" : "", statement->sql);
    prompt_buf_char(&sql, '\0');

    done = sql.status == PROMPT_BUF_OK && db_script(sql.data);
    prompt_buf_free(&sql);

    return done;
}


/*
 * What EXPLAIN, with those options, says of the statement that was prepared,
 * for parameters that are all NULL; NULL where PostgreSQL refuses it.
 */
static inline PGresult *
db_explain(const prompt_statement_t *statement, const char *options)
{
    unsigned       i;
    PGresult      *plan;
    prompt_buf_t   sql;

    prompt_buf_init(&sql, 65536);
    prompt_buf_printf(&sql, "EXPLAIN %s EXECUTE s", options);

    for (i = 0; i < statement->nparams; i++) {
        prompt_buf_printf(&sql, "%sNULL", i == 0 ? "(" : ",");
    }

    prompt_buf_printf(&sql, "%s", i != 0 ? ")" : "");
    prompt_buf_char(&sql, '\0');

    plan = sql.status == PROMPT_BUF_OK
           ? ctl_postgres_text(&pg, sql.data, 0, NULL) : NULL;
    prompt_buf_free(&sql);

    return plan;
}


static inline prompt_uuid_t
db_user(const char *email)
{
    prompt_uuid_t  id;

    id = db_uuid();

    if (!db_run(prompt_user_add(&query, ctl_uuid_view(&id),
                                prompt_str_from(email), prompt_str_absent))
        || pg.rows[0].count != 1)
    {
        exit(1);
    }

    return id;
}


static inline prompt_uuid_t
db_prompt(const prompt_uuid_t *owner, const char *name, bool is_public)
{
    prompt_record_t  prompt;
    prompt_uuid_t    id;
    prompt_record_t  record;

    id = db_uuid();

    memset(&prompt, 0, sizeof(prompt));
    prompt.id = ctl_uuid_view(&id);
    prompt.owner_id = ctl_uuid_view(owner);
    prompt.name = prompt_str_from(name);
    prompt.category = prompt_str("GENERAL");
    prompt.is_public = is_public;

    if (!db_run(prompt_create(&query, &prompt))
        || prompt_changed_row(&pg.rows[0], &record) != PROMPT_OUTCOME_DONE)
    {
        diag("cannot create the prompt %s", name);
        exit(1);
    }

    return id;
}


/* the outcome; *number where it is DONE */
static inline prompt_outcome_t
db_version(const prompt_uuid_t *caller, const prompt_uuid_t *prompt,
    const char *content, const char *params, const char *input_schema,
    int *number)
{
    prompt_uuid_t     id;
    prompt_outcome_t  outcome;
    prompt_version_t  version;

    id = db_uuid();

    memset(&version, 0, sizeof(version));
    version.id = ctl_uuid_view(&id);
    version.prompt_id = ctl_uuid_view(prompt);
    version.content = prompt_str_from(content);
    version.params = prompt_str_from(params);
    version.input_schema = prompt_str_from(input_schema);

    if (!db_run(prompt_version_create(&query, ctl_uuid_view(caller),
                                      &version))) {
        return PROMPT_OUTCOME_BROKEN;
    }

    outcome = prompt_version_created_row(&pg.rows[0], &version);

    if (outcome == PROMPT_OUTCOME_DONE && number != NULL) {
        *number = version.version;
    }

    return outcome;
}

#endif /* PROMPT_T_UNIT_STORE_DB_H */
