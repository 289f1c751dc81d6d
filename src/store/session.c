/*
 * Sessions and passwords: their statements.
 */

#include "store/session.h"
#include "store/clock.h"
#include "store/statement_impl.h"
#include "store/user.h"


#define PROMPT_SESSION_LIVES                                                 \
    "deleted_at IS NULL AND expires_at > now()"                              \
    " AND last_used_at + idle > now()"

/* begun in the network $2, not long ago */
#define PROMPT_SESSION_THERE                                                 \
    "k.kind = 'session' AND k.network = $2"                                  \
    " AND k.created_at > now() - interval '30 days'"

/* of a user u; known there, and whether anybody is */
#define PROMPT_ACCOUNT_COLUMNS                                               \
    "u.id, u.email, u.name, u.password,"                                     \
    " EXISTS (SELECT FROM api_keys k WHERE k.user_id = u.id"                 \
    " AND " PROMPT_SESSION_THERE "),"                                        \
    " EXISTS (SELECT FROM api_keys k WHERE " PROMPT_SESSION_THERE ")"


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_session_t, member, kind, flags)

static const prompt_column_t  prompt_session_columns[] = {
    column(id, UUID, PROMPT_COLUMN_ID),
    column(created_at, TIME, PROMPT_COLUMN_OF_ID),
    { "last_used_at", offsetof(prompt_session_t, last_seen_at),
      PROMPT_KIND_TIME, 0, NULL },
    column(address, TEXT, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE),
    column(user_agent, TEXT, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE)
};

#undef column

const prompt_resource_t  prompt_session_resource = {
    "session", 'k', prompt_columns(prompt_session_columns)
};


/*
 * A row of its own where there is no account: nothing tells by its absence.
 * One that is disabled is none.
 */
const prompt_source_t  prompt_sql_session_ask = {
    "SELECT " PROMPT_ACCOUNT_COLUMNS
    " FROM (VALUES ($1)) asked (email)"
    " LEFT JOIN users u"
    " ON " PROMPT_EMAIL("u.email") " = " PROMPT_EMAIL("asked.email")
    " AND u.disabled_at IS NULL",
    "tt", 6, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_session_ask_again = {
    "SELECT " PROMPT_ACCOUNT_COLUMNS
    " FROM users u WHERE u.id = $1",
    "ut", 6, PROMPT_STATEMENT_READS
};


/*
 * The lock waits for a change of the password, or the end of the account, that
 * is under way, and makes one that comes wait: that ends the session which
 * this begins.
 */
const prompt_source_t  prompt_sql_session_create = {
    "WITH account AS ("
    "SELECT id FROM users"
    " WHERE id = $3 AND disabled_at IS NULL"
    " AND ($10 IS NULL OR password = $10) FOR SHARE), "
    "c AS ("
    "INSERT INTO api_keys (created_at, id, user_id, hash, name, hint, scopes,"
    " kind, last_used_at, expires_at, idle, address, network, user_agent,"
    " trusted) "
    "SELECT $1, $2, id, $4, 'session', '', 31, 'session', now(),"
    " now() + $5::float8 * interval '1 second',"
    " $6::float8 * interval '1 second', $7, $8, $9, $11 FROM account"
    " RETURNING id, user_id), "
    PROMPT_AUDIT_OF("user_id", "user_id", "'Session', id, NULL, NULL FROM c")
    "SELECT id FROM c",
    "zuuylltttty", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_session_crowd = {
    "WITH c AS ("
    "UPDATE api_keys SET deleted_at = now() WHERE id IN ("
    "SELECT id FROM api_keys WHERE user_id = $1 AND kind = 'session'"
    " AND " PROMPT_SESSION_LIVES
    " ORDER BY id DESC OFFSET $2 FOR UPDATE SKIP LOCKED) RETURNING hash) "
    "SELECT prompt_session_hashes(c.hash, $1) FROM c",
    "ul", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_session_show = {
    "SELECT u.id, u.email, u.name, k.id, k.expires_at"
    " FROM api_keys k JOIN users u ON u.id = k.user_id"
    " WHERE k.id = $1 AND k.user_id = $2 AND k.kind = 'session'",
    "uu", 5, PROMPT_STATEMENT_READS
};


/* by time, which no index has: else those that are over would be read, too */
const prompt_source_t  prompt_sql_session_list = {
    "SELECT {session select k} FROM api_keys k"
    " WHERE user_id = $1 AND kind = 'session' AND " PROMPT_SESSION_LIVES
    " ORDER BY created_at DESC, id DESC LIMIT $2",
    "ul", 0, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_session_end = {
    "WITH c AS ("
    "UPDATE api_keys SET deleted_at = least(deleted_at, now())"
    " WHERE hash = $1 AND kind = 'session' RETURNING id, user_id, deleted_at), "
    PROMPT_AUDIT_OF("user_id", "user_id",
                    "'Session', id, NULL, NULL FROM c WHERE deleted_at = now()")
    "SELECT c.id, c.user_id, prompt_session_hashes($1, c.user_id) FROM c",
    "y", 3, PROMPT_STATEMENT_COMMITS
};


/*
 * 70 s: longer than an entry and a lease live.  What was over an hour ago is
 * in no cache, whatever a host's clock says: accounts that never sign out have
 * very many of these.
 */
const prompt_source_t  prompt_sql_session_end_others = {
    "WITH others AS ("
    "SELECT id, " PROMPT_SESSION_LIVES " AS lived FROM api_keys"
    " WHERE user_id = $1 AND kind = 'session'"
    " AND ($2 IS NULL OR id <> $2)"
    " AND coalesce(deleted_at, now()) > now() - interval '70 seconds'"
    " AND expires_at > now() - interval '1 hour'"
    " AND last_used_at + idle > now() - interval '1 hour'"
    " AND ($3 IS NULL OR EXISTS (SELECT FROM users"
    " WHERE id = $1 AND password = $3)) ORDER BY id FOR UPDATE), "
    "c AS ("
    "UPDATE api_keys k SET deleted_at = least(k.deleted_at, now())"
    " FROM others WHERE k.id = others.id RETURNING k.hash, others.lived), "
    PROMPT_AUDIT_OF("{by user}", "{by user}",
                    "'User', $1, NULL, json_build_object('sessions', count(*))"
                    " FROM c WHERE lived AND $3 IS NULL HAVING count(*) > 0")
    "SELECT h, c.lived AND h = c.hash"
    " FROM c CROSS JOIN prompt_session_hashes(c.hash, $1) h",
    "uut", 2, PROMPT_STATEMENT_COMMITS
};


/* not where signing in hashes it anew: it is the same then */
#define PROMPT_SESSION_PASSWORD                                              \
    PROMPT_AUDIT_OF("id", "{by user}", "'User', id, email, NULL FROM c"      \
                    " WHERE {by action} <> 'signIn'")

const prompt_source_t  prompt_sql_session_password = {
    "WITH c AS ("
    "UPDATE users SET password = $3 WHERE id = $1 AND password = $2"
    " RETURNING id, email), "
    PROMPT_SESSION_PASSWORD
    "SELECT true FROM c",
    "utt", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_session_password_any = {
    "WITH c AS ("
    "UPDATE users SET password = $2 WHERE id = $1 RETURNING id, email), "
    PROMPT_SESSION_PASSWORD
    "SELECT true FROM c",
    "ut", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_session_sweep = {
    "SELECT CASE WHEN " PROMPT_CLOCK_STEADY("$2")
    " THEN prompt_sessions_sweep($1) ELSE 0 END",
    "iz", 1, PROMPT_STATEMENT_COMMITS
};


bool
prompt_session_ask(prompt_query_t *query, prompt_str_t email,
    prompt_str_t network)
{
    return prompt_append(query, PROMPT_STATEMENT_SESSION_ASK,
                         prompt_as_text(email), prompt_as_text(network));
}


bool
prompt_session_ask_again(prompt_query_t *query, prompt_str_t user_id,
    prompt_str_t network)
{
    return prompt_append(query, PROMPT_STATEMENT_SESSION_ASK_AGAIN,
                         prompt_as_uuid(user_id), prompt_as_text(network));
}


void
prompt_account_row(const prompt_rows_t *rows, unsigned row,
    prompt_account_t *account)
{
    account->id = prompt_rows_cell(rows, row, 0);
    account->email = prompt_rows_cell(rows, row, 1);
    account->name = prompt_rows_cell(rows, row, 2);
    account->password = prompt_rows_cell(rows, row, 3);
    account->known = prompt_cell_bool(prompt_rows_cell(rows, row, 4));
    account->visited = prompt_cell_bool(prompt_rows_cell(rows, row, 5));
}


bool
prompt_session_create(prompt_query_t *query, const prompt_session_t *session,
    prompt_str_t password)
{
    if (session->hash.len != PROMPT_API_KEY_HASH_LEN) {
        return false;
    }

    return prompt_append(query, PROMPT_STATEMENT_SESSION_CREATE,
                         prompt_as_id_time(session->id),
                         prompt_as_uuid(session->id),
                         prompt_as_uuid(session->user_id),
                         prompt_as_text(session->hash),
                         prompt_as_int8(session->lifetime),
                         prompt_as_int8(session->idle),
                         prompt_as_text(session->address),
                         prompt_as_text(session->network),
                         prompt_as_text(session->user_agent),
                         prompt_as_text(password),
                         prompt_as_text(session->trusted));
}


bool
prompt_session_crowd(prompt_query_t *query, prompt_str_t user_id)
{
    return prompt_append(query, PROMPT_STATEMENT_SESSION_CROWD,
                         prompt_as_uuid(user_id),
                         prompt_as_int8(PROMPT_SESSIONS_MAX));
}


bool
prompt_session_show(prompt_query_t *query, prompt_str_t id,
    prompt_str_t user_id)
{
    return prompt_append(query, PROMPT_STATEMENT_SESSION_SHOW,
                         prompt_as_uuid(id), prompt_as_uuid(user_id));
}


bool
prompt_session_show_row(const prompt_rows_t *rows, prompt_account_t *account,
    prompt_session_t *session)
{
    if (rows->count != 1) {
        return false;
    }

    memset(account, 0, sizeof(prompt_account_t));
    memset(session, 0, sizeof(prompt_session_t));

    account->id = prompt_rows_cell(rows, 0, 0);
    account->email = prompt_rows_cell(rows, 0, 1);
    account->name = prompt_rows_cell(rows, 0, 2);
    session->id = prompt_rows_cell(rows, 0, 3);
    session->created_at = prompt_id_time(session->id);
    session->expires_at = prompt_cell_time(prompt_rows_cell(rows, 0, 4));

    return true;
}


bool
prompt_session_list(prompt_query_t *query, prompt_str_t user_id)
{
    return prompt_append(query, PROMPT_STATEMENT_SESSION_LIST,
                         prompt_as_uuid(user_id),
                         prompt_as_int8(PROMPT_SESSIONS_MAX));
}


void
prompt_session_row(const prompt_rows_t *rows, unsigned row,
    prompt_session_t *session)
{
    memset(session, 0, sizeof(prompt_session_t));

    prompt_columns_read_returned(&prompt_session_resource, rows, row, 0,
                                 session);
}


bool
prompt_session_end(prompt_query_t *query, prompt_str_t hash)
{
    return prompt_append(query, PROMPT_STATEMENT_SESSION_END,
                         prompt_as_text(hash));
}


bool
prompt_session_end_row(const prompt_rows_t *rows, prompt_str_t *id,
    prompt_str_t *user_id)
{
    if (rows->count == 0) {
        return false;
    }

    *id = prompt_rows_cell(rows, 0, 0);
    *user_id = prompt_rows_cell(rows, 0, 1);

    return true;
}


prompt_str_t
prompt_session_end_hash(const prompt_rows_t *rows, unsigned row)
{
    prompt_str_t  hash;

    hash = prompt_rows_cell(rows, row, 2);

    return hash.len == PROMPT_API_KEY_HASH_LEN ? hash : prompt_str("");
}


bool
prompt_session_end_others(prompt_query_t *query, prompt_str_t user_id,
    prompt_str_t id, prompt_str_t password)
{
    return prompt_append(query, PROMPT_STATEMENT_SESSION_END_OTHERS,
                         prompt_as_uuid(user_id), prompt_as_maybe_uuid(id),
                         prompt_as_text(password));
}


prompt_str_t
prompt_session_end_others_row(const prompt_rows_t *rows, unsigned row,
    bool *lived)
{
    prompt_str_t  hash;

    hash = prompt_rows_cell(rows, row, 0);
    *lived = prompt_cell_bool(prompt_rows_cell(rows, row, 1));

    return hash.len == PROMPT_API_KEY_HASH_LEN ? hash : prompt_str_absent;
}


bool
prompt_session_password(prompt_query_t *query, prompt_str_t user_id,
    prompt_str_t old, prompt_str_t password)
{
    return prompt_append(query, PROMPT_STATEMENT_SESSION_PASSWORD,
                         prompt_as_uuid(user_id), prompt_as_text(old),
                         prompt_as_text(password));
}


bool
prompt_session_password_any(prompt_query_t *query, prompt_str_t user_id,
    prompt_str_t password)
{
    return prompt_append(query, PROMPT_STATEMENT_SESSION_PASSWORD_ANY,
                         prompt_as_uuid(user_id), prompt_as_text(password));
}


bool
prompt_session_sweep(prompt_query_t *query, int32_t most,
    prompt_maybe_t clock)
{
    return prompt_append(query, PROMPT_STATEMENT_SESSION_SWEEP,
                         prompt_as_int4(most), prompt_as_maybe_time(clock));
}
