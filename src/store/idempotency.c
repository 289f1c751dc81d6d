/*
 * Requests that carry an Idempotency-Key: their statements.
 */

#include "store/idempotency.h"
#include "store/clock.h"
#include "store/statement_impl.h"


#define PROMPT_IDEMPOTENCY_ROW  " WHERE user_id = $1 AND key = $2"

#define PROMPT_IDEMPOTENCY_LEASE(ms)                                         \
    "now() + " ms "::float8 * interval '1 millisecond'"


/* it has run out; or it was given by a clock that was ahead */
#define PROMPT_IDEMPOTENCY_LEFT                                              \
    "(lease < now() OR lease > now() + interval '1 minute')"

/*
 * Of a day ago, by a clock that did not jump; but what is being done is not
 * done a second time beside that.
 */
#define PROMPT_IDEMPOTENCY_OLD(clock)                                        \
    "created_at < now() - interval '24 hours'"                               \
    " AND (status IS NOT NULL OR " PROMPT_IDEMPOTENCY_LEFT ")"               \
    " AND " PROMPT_CLOCK_STEADY(clock)


/* what became of u.id; NULL: it is not there, or its prompt is being removed */
#define PROMPT_IDEMPOTENCY_STATE                                             \
    "coalesce((SELECT e.status FROM executions e, prompts p"                 \
    " WHERE e.id = u.id AND p.id = e.prompt_id AND p.state = 0),"            \
    " (SELECT 'key' FROM api_keys k WHERE k.id = u.id),"                     \
    " (SELECT 'there' FROM prompts p WHERE p.id = u.id AND p.state = 0),"    \
    " (SELECT 'there' FROM prompt_versions v, prompts p"                     \
    " WHERE v.id = u.id AND p.id = v.prompt_id AND p.state = 0),"            \
    " (SELECT 'there' FROM datasets d WHERE d.id = u.id AND d.state = 0),"   \
    " (SELECT 'there' FROM scores s WHERE s.id = u.id))"


/*
 * Four statements take a row, each with a snapshot of its own.  The first two
 * find nothing where the key is new, or its answer is there.  Who comes at the
 * same moment waits in the third for the one who was first, and sees that row
 * in the last.
 */
const prompt_source_t  prompt_sql_idempotency_expire = {
    "DELETE FROM idempotency_keys" PROMPT_IDEMPOTENCY_ROW
    " AND " PROMPT_IDEMPOTENCY_OLD("$3"),
    "uyz", 0, PROMPT_STATEMENT_COMMITS
};


/*
 * Steps stay: they are what is known of the one before.  A lease that ran out
 * only because the clock was set is still somebody's, whom the provider is
 * about to answer.
 */
const prompt_source_t  prompt_sql_idempotency_inherit = {
    "UPDATE idempotency_keys SET holder = $4,"
    " lease = " PROMPT_IDEMPOTENCY_LEASE("$5") PROMPT_IDEMPOTENCY_ROW
    " AND fingerprint = $3 AND status IS NULL"
    " AND " PROMPT_IDEMPOTENCY_LEFT " AND " PROMPT_CLOCK_NEAR("$6"),
    "uyyulz", 0, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_idempotency_take = {
    "INSERT INTO idempotency_keys (user_id, key, fingerprint, holder, lease)"
    " VALUES ($1, $2, $3, $4, " PROMPT_IDEMPOTENCY_LEASE("$5") ")"
    " ON CONFLICT DO NOTHING",
    "uyyul", 0, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_idempotency_read = {
    "SELECT holder = $4 AND status IS NULL, fingerprint = $3, status, steps,"
    " CASE WHEN fingerprint = $3 AND NOT EXISTS ("
    "SELECT FROM unnest(shows) u (id)"
    " WHERE " PROMPT_IDEMPOTENCY_STATE " IS NULL) THEN answer END"
    " FROM idempotency_keys" PROMPT_IDEMPOTENCY_ROW,
    "uyyu", 5, PROMPT_STATEMENT_READS
};


/*
 * What is not held any more must not be done: the division fails, and with it
 * the transaction.
 */
const prompt_source_t  prompt_sql_idempotency_mark = {
    "WITH marked AS ("
    "UPDATE idempotency_keys SET steps = array_append(steps, $4)"
    PROMPT_IDEMPOTENCY_ROW
    " AND holder = $3 AND status IS NULL RETURNING true) "
    "SELECT 1 / count(*) FROM marked",
    "uyut", 1, PROMPT_STATEMENT_COMMITS
};


/* nobody waits for it to be on disk: without it the row only runs out sooner */
const prompt_source_t  prompt_sql_idempotency_renew = {
    "UPDATE idempotency_keys SET lease = " PROMPT_IDEMPOTENCY_LEASE("$4")
    PROMPT_IDEMPOTENCY_ROW " AND holder = $3 AND status IS NULL"
    " AND set_config('synchronous_commit', 'off', true) IS NOT NULL"
    " RETURNING true",
    "uyul", 1, PROMPT_STATEMENT_WRITES
};


const prompt_source_t  prompt_sql_idempotency_finish = {
    "UPDATE idempotency_keys SET status = $4, shows = $6,"
    " answer = CASE WHEN NOT EXISTS (SELECT FROM unnest($6) u (id)"
    " JOIN executions e ON e.id = u.id JOIN projects j ON j.id = e.executed_by"
    " WHERE NOT j.records_content) THEN $5 END"
    PROMPT_IDEMPOTENCY_ROW " AND holder = $3 AND status IS NULL"
    " RETURNING true",
    "uyuiyU", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_idempotency_release = {
    "DELETE FROM idempotency_keys" PROMPT_IDEMPOTENCY_ROW
    " AND holder = $3 AND status IS NULL RETURNING true",
    "uyu", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_idempotency_look = {
    "SELECT " PROMPT_IDEMPOTENCY_STATE
    " FROM unnest($1) WITH ORDINALITY u (id, n) ORDER BY u.n",
    "U", 1, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_idempotency_sweep = {
    "WITH old AS ("
    "SELECT user_id, key FROM idempotency_keys"
    " WHERE " PROMPT_IDEMPOTENCY_OLD("$2")
    " ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED), "
    "gone AS ("
    "DELETE FROM idempotency_keys k USING old o"
    " WHERE k.user_id = o.user_id AND k.key = o.key RETURNING true) "
    "SELECT count(*) FROM gone",
    "lz", 1, PROMPT_STATEMENT_COMMITS
};


/* whose row it is; with what is asked, and by whom */
#define prompt_as_key(key)                                                   \
    prompt_as_uuid((key)->user_id), prompt_as_text((key)->key)
#define prompt_as_asked(key)                                                 \
    prompt_as_key(key), prompt_as_text((key)->fingerprint),                  \
    prompt_as_uuid((key)->holder)


bool
prompt_idempotency_take(prompt_query_t *query, const prompt_idempotency_t *key,
    int64_t lease, prompt_maybe_t clock, prompt_maybe_t near)
{
    unsigned  count;

    count = query->count;

    if (prompt_append(query, PROMPT_STATEMENT_IDEMPOTENCY_EXPIRE,
                      prompt_as_key(key), prompt_as_maybe_time(clock))
        && prompt_append(query, PROMPT_STATEMENT_IDEMPOTENCY_INHERIT,
                         prompt_as_asked(key), prompt_as_int8(lease),
                         prompt_as_maybe_time(near))
        && prompt_append(query, PROMPT_STATEMENT_IDEMPOTENCY_TAKE,
                         prompt_as_asked(key), prompt_as_int8(lease))
        && prompt_append(query, PROMPT_STATEMENT_IDEMPOTENCY_READ,
                         prompt_as_asked(key)))
    {
        return true;
    }

    query->count = count;

    return false;
}


bool
prompt_idempotency_take_row(const prompt_rows_t *rows,
    prompt_idempotency_row_t *row)
{
    if (rows->count != 1) {
        return false;
    }

    row->mine = prompt_cell_bool(prompt_rows_cell(rows, 0, 0));
    row->same = prompt_cell_bool(prompt_rows_cell(rows, 0, 1));
    row->status = prompt_cell_maybe(prompt_rows_cell(rows, 0, 2));
    row->steps = prompt_cell_texts(prompt_rows_cell(rows, 0, 3));
    row->answer = prompt_rows_cell(rows, 0, 4);

    return true;
}


bool
prompt_idempotency_mark(prompt_query_t *query, const prompt_idempotency_t *key,
    prompt_str_t step)
{
    return prompt_append(query, PROMPT_STATEMENT_IDEMPOTENCY_MARK,
                         prompt_as_key(key), prompt_as_uuid(key->holder),
                         prompt_as_text(step));
}


bool
prompt_idempotency_renew(prompt_query_t *query,
    const prompt_idempotency_t *key, int64_t lease)
{
    return prompt_append(query, PROMPT_STATEMENT_IDEMPOTENCY_RENEW,
                         prompt_as_key(key), prompt_as_uuid(key->holder),
                         prompt_as_int8(lease));
}


bool
prompt_idempotency_finish(prompt_query_t *query,
    const prompt_idempotency_t *key, int32_t status, prompt_str_t answer,
    prompt_str_t shows)
{
    return prompt_append(query, PROMPT_STATEMENT_IDEMPOTENCY_FINISH,
                         prompt_as_key(key), prompt_as_uuid(key->holder),
                         prompt_as_int4(status), prompt_as_text(answer),
                         prompt_as_uuids(shows));
}


bool
prompt_idempotency_release(prompt_query_t *query,
    const prompt_idempotency_t *key)
{
    return prompt_append(query, PROMPT_STATEMENT_IDEMPOTENCY_RELEASE,
                         prompt_as_key(key), prompt_as_uuid(key->holder));
}


bool
prompt_idempotency_look(prompt_query_t *query, prompt_str_t ids)
{
    return prompt_append(query, PROMPT_STATEMENT_IDEMPOTENCY_LOOK,
                         prompt_as_uuids(ids));
}


bool
prompt_idempotency_sweep(prompt_query_t *query, int32_t most,
    prompt_maybe_t clock)
{
    return prompt_append(query, PROMPT_STATEMENT_IDEMPOTENCY_SWEEP,
                         prompt_as_int8(most), prompt_as_maybe_time(clock));
}
