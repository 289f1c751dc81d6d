/*
 * A key that is being looked up: Redis, a lease, PostgreSQL, and what is
 * written back.
 */

#include "service/keys/keys_impl.h"

#include "base/random.h"
#include "io/ngx_http_prompt_ratelog.h"
#include "store/api_key.h"


static void ngx_http_prompt_flight_entry(void *data,
    const ngx_http_prompt_redis_reply_t *reply);
static void ngx_http_prompt_flight_lease(ngx_http_prompt_flight_t *flight);
static void ngx_http_prompt_flight_leased(void *data,
    const ngx_http_prompt_redis_reply_t *reply);
static void ngx_http_prompt_flight_row(ngx_http_prompt_flight_t *flight);
static ngx_msec_t ngx_http_prompt_flight_time(
    ngx_http_prompt_flight_t *flight);
static void ngx_http_prompt_flight_row_done(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_flight_read(const prompt_rows_t *rows,
    prompt_key_cache_entry_t *entry);
static void ngx_http_prompt_flight_fill(ngx_http_prompt_flight_t *flight,
    const prompt_key_cache_entry_t *entry);
static void ngx_http_prompt_flight_filled(void *data,
    const ngx_http_prompt_redis_reply_t *reply);
static void ngx_http_prompt_flight_known(ngx_http_prompt_flight_t *flight,
    const prompt_key_cache_entry_t *entry);
static prompt_str_t ngx_http_prompt_flight_number(int64_t number,
    u_char out[NGX_INT64_LEN]);


/*
 * Sets command or query, which will call back; neither where memory is too
 * short even for the query.
 */
void
ngx_http_prompt_flight_begin(ngx_http_prompt_flight_t *flight)
{
    char                     name[PROMPT_KEY_CACHE_MAX_NAME];
    u_char                   end[NGX_INT64_LEN];
    prompt_str_t             words[4];
    ngx_http_prompt_keys_t  *keys;

    keys = flight->keys;
    flight->leased = 0;
    flight->start = ngx_current_msec;
    flight->database = keys->database;

    if (keys->redis != NULL && keys->database != 0) {
        words[0] = prompt_str("GETRANGE");
        words[1] = ngx_http_prompt_keys_entry(keys, flight->hashed.hash, name);
        words[2] = prompt_str("0");
        words[3] = ngx_http_prompt_flight_number(PROMPT_KEY_CACHE_MAX_ENTRY,
                                                 end);

        flight->command =
            ngx_http_prompt_redis_servers_command(keys->redis, words, 4, 1, 0,
                                                  ngx_http_prompt_flight_entry,
                                                  flight);
        if (flight->command != NULL) {
            return;
        }
    }

    ngx_http_prompt_flight_row(flight);
}


static void
ngx_http_prompt_flight_entry(void *data,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_flight_t  *flight = data;

    prompt_key_cache_entry_t  entry;

    flight->command = NULL;

    if (reply->kind == NGX_HTTP_PROMPT_REDIS_STRING
        && flight->database == flight->keys->database
        && prompt_key_cache_decode(reply->text, flight->hashed.hash, &entry))
    {
        ngx_http_prompt_metrics_add(flight->keys->metrics,
                                    NGX_HTTP_PROMPT_COUNT_KEY_HITS, 1);

        ngx_log_debug0(NGX_LOG_DEBUG_HTTP, ngx_http_prompt_flight_log(flight),
                       0, "prompt key: found in cache");

        ngx_http_prompt_flight_known(flight, &entry);
        return;
    }

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, ngx_http_prompt_flight_log(flight), 0,
                   "prompt key: not in cache, Redis: %s",
                   ngx_http_prompt_redis_kind(reply));

    if (!ngx_http_prompt_redis_unknown(reply)) {
        ngx_http_prompt_flight_lease(flight);

        if (flight->command != NULL) {
            return;
        }
    }

    /* Redis is away or slow: PostgreSQL knows as well */

    ngx_http_prompt_flight_row(flight);

    if (flight->query.task == NULL) {
        ngx_http_prompt_flight_end(flight, NGX_HTTP_PROMPT_KEY_UNAVAILABLE,
                                   NULL);
    }
}


/*
 * Sets command, which will call back, unless Redis does not take it, or has
 * used up its time: that is for both commands of a look-up together.
 */
static void
ngx_http_prompt_flight_lease(ngx_http_prompt_flight_t *flight)
{
    char          name[PROMPT_KEY_CACHE_MAX_NAME];
    u_char        lease[NGX_INT64_LEN];
    uint8_t       random[16];
    ngx_msec_t    limit, elapsed;
    prompt_str_t  words[5];

    limit = ngx_http_prompt_redis_servers_timeout(flight->keys->redis);
    elapsed = ngx_current_msec - flight->start;

    if (elapsed >= limit || !prompt_random(random, sizeof(random))) {
        return;
    }

    prompt_key_cache_token(flight->token, random);

    words[0] = prompt_str("SET");
    words[1] = ngx_http_prompt_keys_lease(flight->keys, flight->hashed.hash,
                                          name);
    words[2] = prompt_str_of(flight->token, PROMPT_KEY_CACHE_TOKEN);
    words[3] = prompt_str("PX");
    words[4] = ngx_http_prompt_flight_number(PROMPT_KEY_CACHE_LEASE, lease);

    flight->command =
        ngx_http_prompt_redis_servers_command(flight->keys->redis, words, 5, 1,
                                              limit - elapsed,
                                              ngx_http_prompt_flight_leased,
                                              flight);
}


static void
ngx_http_prompt_flight_leased(void *data,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_flight_t  *flight = data;

    flight->command = NULL;
    flight->leased = (reply->kind == NGX_HTTP_PROMPT_REDIS_STATUS);

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, ngx_http_prompt_flight_log(flight), 0,
                   "prompt key: lease, Redis: %s",
                   ngx_http_prompt_redis_kind(reply));

    ngx_http_prompt_flight_row(flight);

    if (flight->query.task == NULL) {
        ngx_http_prompt_flight_end(flight, NGX_HTTP_PROMPT_KEY_UNAVAILABLE,
                                   NULL);
    }
}


/* Sets query, which will call back, unless memory is short. */
static void
ngx_http_prompt_flight_row(ngx_http_prompt_flight_t *flight)
{
    bool             bound;
    prompt_str_t     hash, project;
    prompt_query_t  *query;

    hash = prompt_str_of((char *) flight->key, sizeof(flight->key));
    project = flight->acting ? prompt_str_of((char *) flight->project,
                                             sizeof(flight->project))
                             : prompt_str_absent;

    query = ngx_http_prompt_send_create();
    bound = query != NULL && prompt_api_key_by_hash(query, hash, project);

    if (bound) {
        query->length = PROMPT_QUERY_ROW;
        query->log = ngx_http_prompt_flight_log(flight);
    }

    (void) ngx_http_prompt_send_query(&flight->query, flight->keys->postgres,
                                      query, bound,
                                      ngx_http_prompt_flight_time(flight),
                                      ngx_http_prompt_flight_row_done, flight);
}


/*
 * How long the row may take: a request that has waited for the look-up before
 * is answered within the time of one.  The first in the queue is the oldest.
 */
static ngx_msec_t
ngx_http_prompt_flight_time(ngx_http_prompt_flight_t *flight)
{
    ngx_msec_t                 limit, waited;
    ngx_queue_t               *q;
    ngx_http_prompt_lookup_t  *lookup;

    limit = ngx_http_prompt_postgres_timeout(flight->keys->postgres);

    if (ngx_queue_empty(&flight->waiting)) {
        return limit;
    }

    q = ngx_queue_head(&flight->waiting);
    lookup = ngx_queue_data(q, ngx_http_prompt_lookup_t, queue);

    waited = flight->start - lookup->start;

    return waited < limit ? limit - waited : 1;
}


static void
ngx_http_prompt_flight_row_done(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_flight_t  *flight = data;

    ngx_uint_t                answered;
    prompt_key_cache_entry_t  entry;

    /* a row of the database before says nothing of this one */

    answered = result->status == NGX_HTTP_PROMPT_POSTGRES_OK
               && (flight->database == 0
                   || flight->database == flight->keys->database);

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, ngx_http_prompt_flight_log(flight), 0,
                   "prompt key: row, %s", !answered ? "no answer"
                   : result->rows[0].count != 0 ? "found" : "none");

    if (answered) {
        ngx_http_prompt_flight_read(&result->rows[0], &entry);

    } else {
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_POSTGRES_ANSWER,
                                prompt_str_absent, flight->keys->log,
                                "prompt: keys cannot be checked, PostgreSQL "
                                "did not answer: %s",
                                ngx_http_prompt_postgres_why(result));
    }

    ngx_http_prompt_metrics_add(flight->keys->metrics,
                                answered ? NGX_HTTP_PROMPT_COUNT_KEY_MISSES
                                         : NGX_HTTP_PROMPT_COUNT_KEY_ERRORS,
                                1);

    if (!answered) {
        ngx_http_prompt_flight_end(flight, NGX_HTTP_PROMPT_KEY_UNAVAILABLE,
                                   NULL);
        return;
    }

    if (flight->leased) {
        ngx_http_prompt_flight_fill(flight, &entry);
    }

    ngx_http_prompt_flight_known(flight, &entry);
}


/* What the row says; where there is none the key is unknown. */
static void
ngx_http_prompt_flight_read(const prompt_rows_t *rows,
    prompt_key_cache_entry_t *entry)
{
    prompt_api_key_auth_t  key;

    ngx_memzero(entry, sizeof(prompt_key_cache_entry_t));

    if (rows->count == 0) {
        return;
    }

    prompt_api_key_auth_row(rows, 0, &key);

    if (key.id.len != sizeof(entry->key_id)
        || key.user_id.len != sizeof(entry->user_id)
        || key.project_id.len != sizeof(entry->project_id))
    {
        return;
    }

    entry->known = true;
    entry->scopes = key.scopes;
    ngx_memcpy(entry->key_id, key.id.data, sizeof(entry->key_id));
    ngx_memcpy(entry->user_id, key.user_id.data, sizeof(entry->user_id));
    ngx_memcpy(entry->project_id, key.project_id.data,
               sizeof(entry->project_id));
    entry->role = (uint8_t) key.role;
    entry->budgets = key.budgets;

    if (key.trusted.len == sizeof(entry->trusted)) {
        ngx_memcpy(entry->trusted, key.trusted.data, sizeof(entry->trusted));
    }

    /* down to a whole millisecond: never longer than it holds; 0 is never */

    if (key.expires_at.known) {
        entry->expires_at = ngx_max(key.expires_at.value / 1000, 1);
    }
}


/* Nobody waits for it: where it fails the next look-up is a miss. */
static void
ngx_http_prompt_flight_fill(ngx_http_prompt_flight_t *flight,
    const prompt_key_cache_entry_t *entry)
{
    char                       name[PROMPT_KEY_CACHE_MAX_NAME];
    char                       lease[PROMPT_KEY_CACHE_MAX_NAME];
    char                       text[PROMPT_KEY_CACHE_MAX_ENTRY];
    u_char                     live[NGX_INT64_LEN];
    int64_t                    ms;
    prompt_str_t               words[8];
    ngx_http_prompt_keys_t    *keys;
    prompt_key_cache_entry_t   refusal;

    keys = flight->keys;

    ms = entry->known ? (int64_t) keys->valid : (int64_t) keys->unknown;

    if (entry->expires_at != 0) {
        ms = ngx_min(ms, entry->expires_at - ngx_http_prompt_now_ms());
    }

    if (ms <= 0) {

        /* a key that has expired is refused like one that never was */

        ngx_memzero(&refusal, sizeof(prompt_key_cache_entry_t));
        entry = &refusal;
        ms = (int64_t) keys->unknown;
    }

    words[0] = prompt_str("EVAL");
    words[1] = prompt_str_from(prompt_key_cache_fill_script);
    words[2] = prompt_str("2");
    words[3] = ngx_http_prompt_keys_entry(keys, flight->hashed.hash, name);
    words[4] = ngx_http_prompt_keys_lease(keys, flight->hashed.hash, lease);
    words[5] = prompt_str_of(flight->token, PROMPT_KEY_CACHE_TOKEN);
    words[6] = prompt_str_of(text,
                             prompt_key_cache_encode(text, flight->hashed.hash,
                                                     entry));
    words[7] = ngx_http_prompt_flight_number(ms, live);

    if (ngx_http_prompt_redis_servers_command(keys->redis, words, 8, 3, 0,
                                              ngx_http_prompt_flight_filled,
                                              keys)
        == NULL)
    {
        ngx_log_debug0(NGX_LOG_DEBUG_HTTP, ngx_http_prompt_flight_log(flight),
                       0, "prompt key: not kept in cache");
    }
}


static void
ngx_http_prompt_flight_filled(void *data,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_keys_t  *keys = data;

    if (reply->kind == NGX_HTTP_PROMPT_REDIS_ERROR) {
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_REDIS_SCRIPT,
                                prompt_str_absent, keys->log,
                                "prompt: Redis refused a script of the key "
                                "cache, keys are looked up in PostgreSQL: %*s",
                                ngx_min(reply->text.len, 256),
                                reply->text.data);
    }
}


static void
ngx_http_prompt_flight_known(ngx_http_prompt_flight_t *flight,
    const prompt_key_cache_entry_t *entry)
{
    ngx_http_prompt_identity_t  identity;

    if (!entry->known
        || (entry->expires_at != 0
            && entry->expires_at <= ngx_http_prompt_now_ms())
        || (entry->role == PROMPT_ROLE_NONE
            && (entry->scopes & PROMPT_KEY_SCOPE_SESSION) == 0))
    {
        ngx_http_prompt_flight_end(flight, NGX_HTTP_PROMPT_KEY_REFUSED, NULL);
        return;
    }

    ngx_memcpy(identity.user_id, entry->user_id, sizeof(identity.user_id));
    ngx_memcpy(identity.project_id, entry->project_id,
               sizeof(identity.project_id));
    identity.role = (prompt_role_e) entry->role;
    identity.budgets = entry->budgets;
    ngx_memcpy(identity.key_id, entry->key_id, sizeof(identity.key_id));
    ngx_memcpy(identity.trusted, entry->trusted, sizeof(identity.trusted));
    identity.scopes = entry->scopes;
    identity.expires_at = entry->expires_at;
    identity.database = flight->keys->database;

    ngx_http_prompt_flight_end(flight, NGX_HTTP_PROMPT_KEY_KNOWN, &identity);
}


static prompt_str_t
ngx_http_prompt_flight_number(int64_t number, u_char out[NGX_INT64_LEN])
{
    return prompt_str_of((char *) out, ngx_sprintf(out, "%L", number) - out);
}
