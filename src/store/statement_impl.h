/*
 * Inside the store: what statements are made of.
 *
 * A text may have markers, so that no column of a table of columns is named
 * in it: {resource what} or {resource what alias}, such as {prompt row c}.
 *
 *     select          the columns: u.id, u.name, ...
 *     all             the same for a RETURNING within WITH
 *     row             what all returned, outside of it
 *     made, made_row  the same of those that were not given
 *     create, start   those that are given when the row is made
 *     create_values, start_values    their parameters
 *     copy            those that a fork has from the original
 *     changed         those that can be changed
 *     changed_values  their parameters
 *     change          name = coalesce($3, name), ..., with the parameters of
 *                     prompt_columns_bind_change()
 *     set             name = $3, ... of those that can be changed
 *     excluded        name = excluded.name, ... of those that can be changed
 *     size            the bytes of those that may be large, as stored
 *     bytes           the same, as they were given
 *     record          name type, ... of what prompt_columns_write() wrote of
 *                     those that are given when the row is made
 *     given           those that can be changed: of the alias where its
 *                     `given` names them, else of p, where there is one
 *     other           whether one of these is another than that of p
 *     differs         WHEN one that is copied is another than that of x THEN
 *                     its name, ...; JSON is compared by its value
 *
 * A statement for several rows has the text of that for one, or what stands
 * behind {several}, with the same parameters in the same order.  For one {each}
 * is nothing and {done} is true.  For several {rows} is a table of the
 * parameters, a row each, and {each} that and LATERAL, so that what stands
 * behind it is looked up for one row after the other, whatever PostgreSQL
 * believes of the tables; {done} is the first parameter's column; and a
 * parameter is that of a row, $1 is a.p1.  {fence}, at the end of what is
 * LATERAL, keeps PostgreSQL from joining the tables in another way; what locks
 * rows needs none.
 *
 * {schema_version} is PROMPT_SCHEMA_VERSION, {recent} the first id of the month
 * of two days ago: no call is older that is not over.  {lately} is that of 31
 * days ago: months before it are read by functions, which share their plans.
 * Ago is before the process made its first text.
 */

#ifndef PROMPT_STORE_STATEMENT_IMPL_H
#define PROMPT_STORE_STATEMENT_IMPL_H

#include "base/buf.h"
#include "store/range.h"
#include "store/statement.h"


/*
 * A fixed statement.  Of its parameters those come first that are named here,
 * a letter each: u uuid, U uuid[], t text, T text[], b boolean, i integer,
 * l bigint, j json, y bytea, z timestamptz.  Those of markers follow.
 */
typedef struct {
    const char                 *sql;
    const char                 *params;
    unsigned                    ncolumns;    /* beside those of a marker */
    prompt_statement_effect_t   effect;
} prompt_source_t;


/*
 * A statement with columns to choose from:
 *
 *     SELECT <column for each bit of the mask> <tail>
 *
 * Its parameters are those of the range, where it has one, its own, and the
 * two of the guard.  PROMPT_HANDED in the tail becomes the columns of table x
 * that these need.
 */
#define PROMPT_HANDED  "{handed x}"

typedef struct {
    const char               *name;
    const prompt_resource_t  *resource;
    const char               *caller;        /* the parameter that is it */
    const char               *params;
    const char               *tail;
} prompt_family_t;


/* a statement in the making */
typedef struct {
    prompt_buf_t  sql;
    char          params[PROMPT_STORE_MAX_PARAMS + 1];
    unsigned      nparams;           /* of a row */
    unsigned      all;               /* of these, when all are known */
    unsigned      nby;               /* of these the actor's, as a statement
                                        has them: */
    uint8_t       by[PROMPT_STORE_MAX_PARAMS + 1];
    unsigned      ncolumns;
    unsigned      rows;              /* 0: one, whose parameters are $1, ... */
    prompt_mask_t  guarded;           /* by the columns of the result */

    const prompt_family_t  *family;  /* NULL: it is of none */
    prompt_mask_t           mask;
} prompt_statement_text_t;


/*
 * They fill text, whose sql is to be freed; it says whether they did.  rows: of
 * a statement for several.
 */
void prompt_statement_write(prompt_statement_text_t *text, const char *sql,
    const char *params, unsigned rows);
void prompt_statement_write_family(prompt_statement_text_t *text,
    const prompt_family_t *family, const char *range_params,
    prompt_mask_t mask);

/* the OID of the type that a letter stands for */
uint32_t prompt_statement_type(char letter);


/*
 * What a change leaves in the audit log, by its own statement, as another one
 * of its WITH: four expressions, of the type in the API, id and name of what it
 * was done to, and of detail (JSON, or NULL), and where they come from:
 *
 *     PROMPT_AUDIT("'Prompt', c.id, c.name, NULL FROM c")
 *
 * There is to be a row where the change is done, and no other, as the actor has
 * one id for it.  What is personal has the user in the place of the project.
 * detail has no contents and no secrets.  PROMPT_AUDIT_BEFORE and ..._AFTER are
 * members of a json_build_object(): a column as o had it and c has it, where
 * that is not the same.
 */
#define PROMPT_AUDIT(what)                                                   \
    PROMPT_AUDIT_OF("{by project}", "{by user}", what)
#define PROMPT_AUDIT_OF(project, user, what)                                 \
    "noted AS ("                                                             \
    PROMPT_AUDIT_ROW("{by audit}", project, user, what) ") "
#define PROMPT_AUDIT_ROW(id, project, user, what)                            \
    "INSERT INTO audit (key_id, address, action, trace_id, id, project_id,"  \
    " user_id, subject, subject_id, subject_name, detail)"                   \
    " SELECT {by key}, {by address}, {by action}, {by trace}, "              \
    id ", " project ", " user ", " what

#define PROMPT_AUDIT_BEFORE(name, column)                                    \
    "'" name "', nullif(o." column ", c." column ")"
#define PROMPT_AUDIT_AFTER(name, column)                                     \
    "'" name "', nullif(c." column ", o." column ")"


#define prompt_bind_fixed(bind, query, id)                                   \
    prompt_bind_begin(bind, query, prompt_statement_fixed(id))


/*
 * Takes room of a project, `r` of a WITH: so many prompts and bytes, out of the
 * slot of the connection, where all of that is so.  Others who write in the
 * project take no row that this one waits for.
 */
#define PROMPT_ROOM_SQL(project, prompts_, bytes_, from, where)              \
    "UPDATE project_room r SET prompts = r.prompts + " prompts_ ","          \
    " prompts_room = prompts_room - " prompts_ ","                           \
    " bytes = r.bytes + " bytes_ ", bytes_room = bytes_room - " bytes_ " "   \
    from "WHERE r.project_id = " project " AND slot = pg_backend_pid() & 63" \
    " AND prompts_room >= " prompts_ " AND bytes_room >= " bytes_            \
    " AND " where " RETURNING true"

/*
 * What became of r: 0 where it was taken.  If not, and the query is alone, room
 * is shared out anew, where such is so: 0, or the quota that it is above.
 */
#define PROMPT_ROOM_ANEW(project, prompts_, bytes_, such)                    \
    "CASE WHEN EXISTS (SELECT FROM r) THEN 0 WHEN {by anew} AND " such       \
    " THEN prompt_room(" project ", " prompts_ ", " bytes_ ","               \
    " {by quota_prompts}, {by quota_bytes}) ELSE 10 END"

/* what parameters are given as: each as prompt_bind_…() has it */
typedef enum {
    PROMPT_AS_UUID = 0,              /* never SQL NULL */
    PROMPT_AS_MAYBE_UUID,
    PROMPT_AS_UUIDS,
    PROMPT_AS_TEXT,
    PROMPT_AS_TEXTS,
    PROMPT_AS_BOOL,
    PROMPT_AS_INT4,
    PROMPT_AS_INT8,
    PROMPT_AS_TIME,
    PROMPT_AS_BELOW,
    PROMPT_AS_RANGE,
    PROMPT_AS_GUARD,
    PROMPT_AS_COLUMNS,
    PROMPT_AS_CHANGE
} prompt_as_t;


/* a parameter of a statement, or several; it views what it is made of */
typedef struct {
    prompt_as_t   as;
    prompt_mask_t  mask;              /* COLUMNS, CHANGE: which are given */

    union {
        prompt_str_t    text;        /* UUID, UUIDS, TEXT, BELOW */
        bool            yes;         /* BOOL */
        prompt_maybe_t  maybe;       /* INT4, INT8, TIME */

        struct {
            const void  *of;         /* texts, a record, or a range */
            const void  *by;         /* its resource, or its versions */
        };
    };
} prompt_value_t;

#define prompt_as_uuid(id)        { PROMPT_AS_UUID, 0, { .text = (id) } }
#define prompt_as_maybe_uuid(id)  { PROMPT_AS_MAYBE_UUID, 0, { .text = (id) } }
#define prompt_as_uuids(ids)      { PROMPT_AS_UUIDS, 0, { .text = (ids) } }
#define prompt_as_text(string)    { PROMPT_AS_TEXT, 0, { .text = (string) } }
#define prompt_as_texts(array)    { PROMPT_AS_TEXTS, 0, { .of = (array) } }
#define prompt_as_below(id)       { PROMPT_AS_BELOW, 0, { .text = (id) } }
#define prompt_as_bool(value)     { PROMPT_AS_BOOL, 0, { .yes = (value) } }
#define prompt_as_maybe_int4(n)   { PROMPT_AS_INT4, 0, { .maybe = (n) } }
#define prompt_as_maybe_int8(n)   { PROMPT_AS_INT8, 0, { .maybe = (n) } }
#define prompt_as_maybe_time(t)   { PROMPT_AS_TIME, 0, { .maybe = (t) } }
#define prompt_as_int4(n)         prompt_as_maybe_int4(prompt_maybe(n))
#define prompt_as_int8(n)         prompt_as_maybe_int8(prompt_maybe(n))
#define prompt_as_limit(n)                                                   \
    prompt_as_maybe_int8(((prompt_maybe_t) { (n) != 0, (n) }))
#define prompt_as_id_time(id)                                                \
    prompt_as_maybe_time(prompt_maybe(prompt_id_time(id)))
#define prompt_as_guard(range)    { PROMPT_AS_GUARD, 0, { .of = (range) } }
#define prompt_as_range(range, versions)                                     \
    { PROMPT_AS_RANGE, 0, { .of = (range), .by = (versions) } }
#define prompt_as_create(resource, record)                                   \
    { PROMPT_AS_COLUMNS,                                                     \
      prompt_columns_with(resource, PROMPT_COLUMN_CREATE),                   \
      { .of = (record), .by = (resource) } }
#define prompt_as_change(resource, given, record)                            \
    { PROMPT_AS_CHANGE, given, { .of = (record), .by = (resource) } }

/*
 * Appends a statement with its parameters: a fixed one; plain, one that has
 * none; of the families of a resource the one for that range, and between that
 * and the guard what is its own.  False, and the query is as before: see
 * prompt_bind_end().
 */
#define prompt_append(query, id, ...)                                        \
    prompt_append_list(query, prompt_statement_fixed(id), __VA_ARGS__)
#define prompt_append_plain(query, id)                                       \
    prompt_append_values(query, prompt_statement_fixed(id), NULL, 0)
#define prompt_append_family(query, first, range, versions, mask, ...)       \
    prompt_append_list(query,                                                \
        prompt_statement_family(                                             \
                      first + prompt_versions_index(range, versions), mask), \
        prompt_as_range(range, versions), ##__VA_ARGS__,                     \
        prompt_as_guard(range))

#define prompt_append_list(query, statement, ...)                            \
    prompt_append_values(query, statement,                                   \
                         (const prompt_value_t[]) { __VA_ARGS__ },           \
                         sizeof((const prompt_value_t[]) { __VA_ARGS__ })    \
                         / sizeof(prompt_value_t))

bool prompt_append_values(prompt_query_t *query,
    const prompt_statement_t *statement, const prompt_value_t *values,
    size_t count) PROMPT_WARN_UNUSED;


#define PROMPT_STATEMENT_SOURCE(id, name)                                    \
    extern const prompt_source_t  prompt_sql_##name;

PROMPT_STATEMENTS(PROMPT_STATEMENT_SOURCE)

extern const prompt_family_t
    prompt_prompt_families[PROMPT_RANGE_STATEMENTS];
extern const prompt_family_t
    prompt_version_families[PROMPT_VERSIONS_STATEMENTS];
extern const prompt_family_t
    prompt_execution_families[PROMPT_EXECUTIONS_STATEMENTS];
extern const prompt_family_t
    prompt_label_families[PROMPT_RANGE_STATEMENTS];
extern const prompt_family_t
    prompt_move_families[PROMPT_RANGE_STATEMENTS];

/* pages of the log, which have no range */
#define PROMPT_LOG_STATEMENTS  2

/* executions of cells, by number and as they are done: none has a range */
#define PROMPT_RUN_STATEMENTS  2

extern const prompt_family_t  prompt_run_families[PROMPT_RUN_STATEMENTS];
extern const prompt_family_t  prompt_log_families[PROMPT_LOG_STATEMENTS];
extern const prompt_family_t
    prompt_log_prompt_families[PROMPT_LOG_STATEMENTS];

#endif /* PROMPT_STORE_STATEMENT_IMPL_H */
