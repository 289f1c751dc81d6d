/*
 * The log: its statements.
 *
 * Each first finds the ids of a page, by indexes that have its order, and
 * then looks up the rows: nothing that is read grows with what a user has.
 */

#include "store/log.h"
#include "store/statement_impl.h"


/* what is asked for, in the order of families and statements */
typedef enum {
    PROMPT_LOG_ALL = 0,              /* in a range of ids */
    PROMPT_LOG_PROMPT,               /* of a prompt, or a version of it */
    PROMPT_LOG_KINDS,                /* by status, model or label */
    PROMPT_LOG_ONE
} prompt_log_kind_t;


/* whether the caller may read x, whatever list it was found in */
#define PROMPT_LOG_READ                                                      \
    " AND (SELECT p.state = 0 AND (p.owner_id = $1"                          \
    " OR (p.is_public AND x.executed_by = $1))"                              \
    " FROM prompts p WHERE p.id = x.prompt_id)"

#define PROMPT_LOG_PAGE  " ORDER BY x.id DESC LIMIT $4"
#define PROMPT_LOG_RANGE  " AND x.id >= $2 AND x.id < $3"

/*
 * Those of x that a user has to do with, by three indexes: what the user ran
 * of own prompts, what others did, and what the user ran of others'.
 */
#define PROMPT_LOG_OF(where)                                                 \
    "(SELECT x.id FROM executions x WHERE x.executed_by = $1"                \
    " AND x.by_owner" where PROMPT_LOG_READ PROMPT_LOG_PAGE ")"              \
    " UNION ALL "                                                            \
    "(SELECT x.id FROM executions x WHERE x.owner_id = $1"                   \
    " AND NOT x.by_owner" where PROMPT_LOG_READ PROMPT_LOG_PAGE ")"          \
    " UNION ALL "                                                            \
    "(SELECT x.id FROM executions x WHERE x.executed_by = $1"                \
    " AND NOT x.by_owner" where PROMPT_LOG_READ PROMPT_LOG_PAGE ")"

#define PROMPT_LOG_SORTED(ids)                                               \
    "(SELECT i.id FROM (" ids ") i ORDER BY i.id DESC LIMIT $4) i"

#define PROMPT_LOG_ALL_SQL                                                   \
    PROMPT_LOG_SORTED(PROMPT_LOG_OF(PROMPT_LOG_RANGE))


/*
 * A look for each version into an index that ends in the id; of the two
 * halves only the one that applies is executed.
 */
#define PROMPT_LOG_PROMPT_SQL                                                \
    PROMPT_LOG_SORTED(                                                       \
    "SELECT y.id FROM prompts p JOIN prompt_versions v"                      \
    " ON v.prompt_id = p.id AND ($6::int4 IS NULL OR v.version = $6)"        \
    " CROSS JOIN LATERAL ("                                                  \
    "(SELECT x.id FROM executions x WHERE p.owner_id = $1"                   \
    " AND x.prompt_id = v.prompt_id AND x.version = v.version"               \
    PROMPT_LOG_RANGE PROMPT_LOG_PAGE ")"                                     \
    " UNION ALL "                                                            \
    "(SELECT x.id FROM executions x WHERE p.owner_id <> $1 AND p.is_public"  \
    " AND x.executed_by = $1 AND NOT x.by_owner"                             \
    " AND x.prompt_id = v.prompt_id AND x.version = v.version"               \
    PROMPT_LOG_RANGE PROMPT_LOG_PAGE ")"                                     \
    ") y WHERE p.id = $5 AND p.state = 0")


/* of executions x or kinds of them */
#define PROMPT_LOG_ALIKE(x)                                                  \
    " AND (cardinality($5::text[]) = 0 OR " x ".status = ANY ($5))"          \
    " AND ($6::text IS NULL OR " x ".model = $6)"                            \
    " AND ($7::text IS NULL OR " x ".label = $7)"

#define PROMPT_LOG_MATCHES                                                   \
    PROMPT_LOG_ALIKE("x")                                                    \
    " AND ($8::uuid IS NULL OR x.prompt_id = $8)"                            \
    " AND ($9::int4 IS NULL OR x.version = $9)"

/* one look into a list or an index for each row: never a scan */
#define PROMPT_LOG_ROW(id, where)                                            \
    " CROSS JOIN LATERAL (SELECT x.* FROM executions x WHERE x.id = " id     \
    where " OFFSET 0) x"

/*
 * What is new is few, and looked at; so is what waits.  All else stands in
 * the list of its kind: those lists that match are merged.
 */
#define PROMPT_LOG_KINDS_SQL                                                 \
    PROMPT_LOG_SORTED(                                                       \
    PROMPT_LOG_OF(PROMPT_LOG_RANGE                                           \
                  " AND x.id > (SELECT m.mark FROM log_mark m)"              \
                  PROMPT_LOG_MATCHES)                                        \
    " UNION ALL "                                                            \
    "(SELECT x.id FROM log_waiting w"                                        \
    PROMPT_LOG_ROW("w.id", PROMPT_LOG_RANGE PROMPT_LOG_MATCHES               \
                           PROMPT_LOG_READ)                                  \
    " WHERE w.owner_id = $1 AND w.id >= $2 AND w.id < $3"                    \
    " ORDER BY w.id DESC LIMIT $4)"                                          \
    " UNION ALL "                                                            \
    "(SELECT x.id FROM log_waiting w"                                        \
    PROMPT_LOG_ROW("w.id", PROMPT_LOG_RANGE PROMPT_LOG_MATCHES               \
                           PROMPT_LOG_READ)                                  \
    " WHERE w.executed_by = $1 AND w.executed_by <> w.owner_id"              \
    " AND w.id >= $2 AND w.id < $3"                                          \
    " ORDER BY w.id DESC LIMIT $4)"                                          \
    " UNION ALL "                                                            \
    "(SELECT e.id FROM log_kinds k CROSS JOIN LATERAL ("                     \
    "SELECT l.id FROM log_entries l"                                         \
    PROMPT_LOG_ROW("l.id", PROMPT_LOG_RANGE PROMPT_LOG_READ)                 \
    " WHERE l.kind = k.kind AND l.id >= $2 AND l.id < $3"                    \
    " ORDER BY l.id DESC LIMIT $4) e"                                        \
    " WHERE k.user_id = $1 AND k.prompt_id"                                  \
    " = coalesce($8, '00000000-0000-0000-0000-000000000000')"                \
    PROMPT_LOG_ALIKE("k")                                                    \
    " AND ($9::int4 IS NULL OR k.version = $9)"                              \
    " ORDER BY e.id DESC LIMIT $4)")


#define PROMPT_LOG_ONE_SQL                                                   \
    "(SELECT x.id FROM executions x JOIN prompts p ON p.id = x.prompt_id"    \
    " WHERE x.id = $2 AND p.state = 0 AND (p.owner_id = $1"                  \
    " OR (x.executed_by = $1 AND p.is_public))) i"


#define PROMPT_LOG_ALL_PARAMS     "uuul"
#define PROMPT_LOG_PROMPT_PARAMS  "uuului"
#define PROMPT_LOG_KINDS_PARAMS   "uuulTttui"
#define PROMPT_LOG_ONE_PARAMS     "uu"


/* where: the range once more, so that months out of it are not opened */
#define PROMPT_LOG_FAMILY(page, where, guard)                                \
    PROMPT_GUARD(guard) page                                                 \
    " CROSS JOIN LATERAL (SELECT x.* FROM executions x WHERE x.id = i.id"    \
    where " OFFSET 0) e ORDER BY e.id DESC"

const prompt_family_t  prompt_log_families[PROMPT_LOG_STATEMENTS] = {
    { "log_all", &prompt_execution_resource, "$1", PROMPT_LOG_ALL_PARAMS,
      PROMPT_LOG_FAMILY(PROMPT_LOG_ALL_SQL, PROMPT_LOG_RANGE, "$6") },

    { "log_prompt", &prompt_execution_resource, "$1",
      PROMPT_LOG_PROMPT_PARAMS,
      PROMPT_LOG_FAMILY(PROMPT_LOG_PROMPT_SQL, PROMPT_LOG_RANGE, "$8") },

    { "log_kinds", &prompt_execution_resource, "$1", PROMPT_LOG_KINDS_PARAMS,
      PROMPT_LOG_FAMILY(PROMPT_LOG_KINDS_SQL, PROMPT_LOG_RANGE, "$11") },

    { "log_one", &prompt_execution_resource, "$1", PROMPT_LOG_ONE_PARAMS,
      PROMPT_LOG_FAMILY(PROMPT_LOG_ONE_SQL, "", "$4") }
};


#define PROMPT_LOG_PROMPT_IDS(page, where)                                   \
    "ANY (ARRAY(SELECT x.prompt_id FROM " page                               \
    PROMPT_LOG_ROW("i.id", where) "))"

#define PROMPT_LOG_PROMPTS(page, where, guard)                               \
    PROMPT_GUARD(guard) "prompts p WHERE p.id = "                            \
    PROMPT_LOG_PROMPT_IDS(page, where) " ORDER BY p.id DESC"

const prompt_family_t  prompt_log_prompt_families[PROMPT_LOG_STATEMENTS] = {
    { "log_prompts_all", &prompt_prompt_resource, "$1",
      PROMPT_LOG_ALL_PARAMS,
      PROMPT_LOG_PROMPTS(PROMPT_LOG_ALL_SQL, PROMPT_LOG_RANGE, "$6") },

    { "log_prompts_prompt", &prompt_prompt_resource, "$1",
      PROMPT_LOG_PROMPT_PARAMS,
      PROMPT_LOG_PROMPTS(PROMPT_LOG_PROMPT_SQL, PROMPT_LOG_RANGE, "$8") },

    { "log_prompts_kinds", &prompt_prompt_resource, "$1",
      PROMPT_LOG_KINDS_PARAMS,
      PROMPT_LOG_PROMPTS(PROMPT_LOG_KINDS_SQL, PROMPT_LOG_RANGE, "$11") },

    { "log_prompts_one", &prompt_prompt_resource, "$1",
      PROMPT_LOG_ONE_PARAMS,
      PROMPT_LOG_PROMPTS(PROMPT_LOG_ONE_SQL, "", "$4") }
};


#define PROMPT_LOG_OWNERS(page, where)                                       \
    "SELECT {user select u} FROM users u WHERE u.id = ANY (ARRAY("           \
    "SELECT p.owner_id FROM prompts p WHERE p.id = "                         \
    PROMPT_LOG_PROMPT_IDS(page, where) ")) ORDER BY u.id DESC"

const prompt_source_t  prompt_sql_log_owners_all = {
    PROMPT_LOG_OWNERS(PROMPT_LOG_ALL_SQL, PROMPT_LOG_RANGE),
    PROMPT_LOG_ALL_PARAMS, 0, PROMPT_STATEMENT_READS
};

const prompt_source_t  prompt_sql_log_owners_prompt = {
    PROMPT_LOG_OWNERS(PROMPT_LOG_PROMPT_SQL, PROMPT_LOG_RANGE),
    PROMPT_LOG_PROMPT_PARAMS, 0, PROMPT_STATEMENT_READS
};

const prompt_source_t  prompt_sql_log_owners_kinds = {
    PROMPT_LOG_OWNERS(PROMPT_LOG_KINDS_SQL, PROMPT_LOG_RANGE),
    PROMPT_LOG_KINDS_PARAMS, 0, PROMPT_STATEMENT_READS
};

const prompt_source_t  prompt_sql_log_owners_one = {
    PROMPT_LOG_OWNERS(PROMPT_LOG_ONE_SQL, ""),
    PROMPT_LOG_ONE_PARAMS, 0, PROMPT_STATEMENT_READS
};


/* no row: not there */
const prompt_source_t  prompt_sql_log_prompt_allowed = {
    "SELECT CASE WHEN p.owner_id = $1 OR p.is_public THEN 0 ELSE 2 END"
    " FROM prompts p WHERE p.id = $2 AND p.state = 0",
    "uu", 1, PROMPT_STATEMENT_READS
};

const prompt_source_t  prompt_sql_log_one_allowed = {
    "SELECT CASE WHEN p.owner_id = $1 OR (x.executed_by = $1 AND p.is_public)"
    " THEN 0 ELSE 2 END"
    " FROM executions x JOIN prompts p ON p.id = x.prompt_id"
    " WHERE x.id = $2 AND p.state = 0",
    "uu", 1, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_log_sweep = {
    "SELECT prompt_log_sweep($1)", "i", 1, PROMPT_STATEMENT_COMMITS
};


const char  prompt_prune_count_sql[] =
    "SELECT count(*) FROM executions"
    " WHERE id < $1::uuid AND status <> 'running'";

const char  prompt_prune_behind_sql[] =
    "SELECT mark < $1::uuid FROM log_mark";

const char  prompt_prune_sweep_sql[] = "SELECT prompt_log_sweep(2000)";

const char  prompt_prune_step_sql[] =
    "SELECT above, deleted"
    " FROM prompt_executions_prune($1::uuid, 500, $2::uuid)";

const char  prompt_prune_month_sql[] =
    "SELECT (SELECT count(*) FROM executions x WHERE x.id < o.high AND x.id >="
    " coalesce(o.low, '00000000-0000-0000-0000-000000000000'))"
    " FROM prompt_executions_old($1::uuid) o WHERE o.part IS NOT NULL";

const char  prompt_prune_drop_sql[] =
    "SELECT prompt_executions_drop($1::uuid)";

const char  prompt_prune_forget_sql[] =
    "SELECT prompt_log_forget($1::uuid, 5000, $2::bigint)";


static prompt_log_kind_t
prompt_log_kind(const prompt_log_t *log)
{
    if (log->id.data != NULL) {
        return PROMPT_LOG_ONE;
    }

    if (log->statuses.count != 0 || log->model.data != NULL
        || log->label.data != NULL)
    {
        return PROMPT_LOG_KINDS;
    }

    return log->prompt_id.data != NULL ? PROMPT_LOG_PROMPT : PROMPT_LOG_ALL;
}


static void
prompt_log_bind(prompt_bind_t *bind, const prompt_log_t *log)
{
    prompt_log_kind_t  kind;

    kind = prompt_log_kind(log);

    prompt_bind_uuid(bind, log->caller);

    if (kind == PROMPT_LOG_ONE) {
        prompt_bind_uuid(bind, log->id);
        return;
    }

    prompt_bind_uuid(bind, log->lower);
    prompt_bind_uuid(bind, log->upper);
    prompt_bind_limit(bind, log->first);

    if (kind == PROMPT_LOG_ALL) {
        return;
    }

    if (kind == PROMPT_LOG_KINDS) {
        prompt_bind_texts(bind, &log->statuses);
        prompt_bind_text(bind, log->model);
        prompt_bind_text(bind, log->label);
    }

    if (log->prompt_id.data != NULL) {
        prompt_bind_uuid(bind, log->prompt_id);
    } else {
        prompt_bind_null(bind);
    }

    prompt_bind_maybe_int4(bind, log->version);
}


static bool
prompt_log_family_bind(prompt_query_t *query, const prompt_log_t *log,
    const prompt_statement_t *statement)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, statement);
    prompt_log_bind(&bind, log);
    prompt_bind_null(&bind);                       /* the guard: no limits */
    prompt_bind_null(&bind);

    return prompt_bind_end(&bind);
}


bool
prompt_log_read(prompt_query_t *query, const prompt_log_t *log, uint32_t mask)
{
    return prompt_log_family_bind(query, log,
               prompt_statement_family(PROMPT_FAMILY_LOG_ALL
                                       + prompt_log_kind(log), mask));
}


bool
prompt_log_prompts(prompt_query_t *query, const prompt_log_t *log,
    uint32_t mask)
{
    return prompt_log_family_bind(query, log,
               prompt_statement_family(PROMPT_FAMILY_LOG_PROMPTS_ALL
                                       + prompt_log_kind(log), mask));
}


bool
prompt_log_owners(prompt_query_t *query, const prompt_log_t *log)
{
    prompt_bind_t  bind;

    prompt_bind_fixed(&bind, query, PROMPT_STATEMENT_LOG_OWNERS_ALL
                                    + prompt_log_kind(log));
    prompt_log_bind(&bind, log);

    return prompt_bind_end(&bind);
}


bool
prompt_log_allowed(prompt_query_t *query, const prompt_log_t *log)
{
    prompt_bind_t  bind;

    prompt_bind_fixed(&bind, query, log->id.data != NULL
                                    ? PROMPT_STATEMENT_LOG_ONE_ALLOWED
                                    : PROMPT_STATEMENT_LOG_PROMPT_ALLOWED);
    prompt_bind_uuid(&bind, log->caller);
    prompt_bind_uuid(&bind, log->id.data != NULL ? log->id : log->prompt_id);

    return prompt_bind_end(&bind);
}


prompt_outcome_t
prompt_log_allowed_row(const prompt_rows_t *rows)
{
    return rows->count == 0 ? PROMPT_OUTCOME_NOT_FOUND
                            : prompt_outcome_row(rows);
}


prompt_str_t
prompt_log_id(int64_t time, char out[PROMPT_UUID_LEN])
{
    int       i;
    uint64_t  ms;

    /* what was before 1970, or after the year 10889, has no id */

    if (time < 0) {
        time = 0;
    }

    ms = (uint64_t) time / 1000 + (time % 1000 != 0);

    memset(out, 0, PROMPT_UUID_LEN);

    for (i = 0; i < 6; i++) {
        out[i] = (char) (ms >> (40 - 8 * i));
    }

    return prompt_str_of(out, PROMPT_UUID_LEN);
}


bool
prompt_log_sweep(prompt_query_t *query, int32_t most)
{
    prompt_bind_t  bind;

    prompt_bind_fixed(&bind, query, PROMPT_STATEMENT_LOG_SWEEP);
    prompt_bind_int4(&bind, most);

    return prompt_bind_end(&bind);
}


bool
prompt_log_sweep_row(const prompt_rows_t *rows)
{
    return rows->count == 1 && prompt_cell_bool(prompt_rows_cell(rows, 0, 0));
}
