/*
 * Keys: look-ups, and revocations.
 *
 * What is in flight for a key belongs to the worker and not to a request:
 * requests wait in its queues and may leave at any time.
 */

#include "service/keys_impl.h"

#include "base/random.h"
#include "prompt/key.h"
#include "store/api_key.h"
#include "store/key_cache.h"


/* parameters of the query for a key */
#define NGX_HTTP_PROMPT_KEY_MEMORY  (64 * 1024)


typedef struct ngx_http_prompt_flight_s  ngx_http_prompt_flight_t;


struct ngx_http_prompt_lookup_s {
    ngx_queue_t                     queue;
    ngx_http_request_t             *request;
    ngx_msec_t                      start;
    ngx_http_prompt_known_pt    done;
    void                           *data;
};


/* A key that is being looked up; the node's key is the hash's beginning. */
struct ngx_http_prompt_flight_s {
    ngx_rbtree_node_t               node;
    uint8_t                         hash[PROMPT_KEY_HASH_LEN];
    ngx_http_prompt_keys_t         *keys;
    ngx_queue_t                     waiting;   /* for this look-up */
    ngx_queue_t                     next;      /* for the one after it */
    ngx_http_prompt_redis_op_t     *command;
    ngx_http_prompt_postgres_op_t  *query;
    ngx_msec_t                      start;
    char                            token[PROMPT_KEY_CACHE_TOKEN];
    unsigned                        leased:1;  /* the entry may be written */
};


static ngx_http_prompt_flight_t *ngx_http_prompt_flight_find(
    ngx_http_prompt_keys_t *keys, const uint8_t *hash);
static void ngx_http_prompt_flight_insert(ngx_rbtree_node_t *temp,
    ngx_rbtree_node_t *node, ngx_rbtree_node_t *sentinel);
static void ngx_http_prompt_flight_begin(ngx_http_prompt_flight_t *flight);
static void ngx_http_prompt_flight_entry(void *data,
    const ngx_http_prompt_redis_reply_t *reply);
static void ngx_http_prompt_flight_lease(ngx_http_prompt_flight_t *flight);
static void ngx_http_prompt_flight_leased(void *data,
    const ngx_http_prompt_redis_reply_t *reply);
static void ngx_http_prompt_flight_row(ngx_http_prompt_flight_t *flight);
static ngx_msec_t ngx_http_prompt_flight_time(
    ngx_http_prompt_flight_t *flight);
static void ngx_http_prompt_flight_row_done(void *data,
    ngx_http_prompt_postgres_op_t *query,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_flight_fill(ngx_http_prompt_flight_t *flight,
    const prompt_key_cache_entry_t *entry);
static void ngx_http_prompt_flight_filled(void *data,
    const ngx_http_prompt_redis_reply_t *reply);
static void ngx_http_prompt_flight_known(ngx_http_prompt_flight_t *flight,
    const prompt_key_cache_entry_t *entry);
static void ngx_http_prompt_flight_end(ngx_http_prompt_flight_t *flight,
    ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity);

static void ngx_http_prompt_flight_tell(ngx_queue_t *queue,
    ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity);
static void ngx_http_prompt_queue_move(ngx_queue_t *from, ngx_queue_t *to);


static int64_t ngx_http_prompt_keys_now(void);


ngx_http_prompt_keys_t *
ngx_http_prompt_keys_create(ngx_cycle_t *cycle, ngx_http_prompt_redis_t *redis,
    ngx_http_prompt_postgres_t *postgres, ngx_http_prompt_metrics_t *metrics,
    ngx_str_t *prefix, time_t valid, time_t unknown)
{
    ngx_http_prompt_keys_t  *keys;

    keys = ngx_pcalloc(cycle->pool, sizeof(ngx_http_prompt_keys_t));
    if (keys == NULL) {
        return NULL;
    }

    keys->redis = redis;
    keys->postgres = postgres;
    keys->metrics = metrics;
    keys->prefix = prompt_str_of((char *) prefix->data, prefix->len);
    keys->valid = (ngx_msec_t) valid * 1000;
    keys->unknown = (ngx_msec_t) unknown * 1000;
    keys->log = cycle->log;

    ngx_rbtree_init(&keys->lookups, &keys->sentinel,
                    ngx_http_prompt_flight_insert);
    ngx_queue_init(&keys->revocations);

    return keys;
}


void
ngx_http_prompt_keys_destroy(ngx_http_prompt_keys_t *keys)
{
    ngx_queue_t                   *q;
    ngx_rbtree_node_t             *node;
    ngx_http_prompt_flight_t      *flight;
    ngx_http_prompt_revocation_t  *revocation;

    if (keys == NULL) {
        return;
    }

    while (keys->lookups.root != &keys->sentinel) {
        node = keys->lookups.root;
        flight = (ngx_http_prompt_flight_t *) node;

        if (flight->command != NULL) {
            ngx_http_prompt_redis_detach(flight->command);
        }

        if (flight->query != NULL) {
            ngx_http_prompt_postgres_detach(flight->query);
        }

        ngx_rbtree_delete(&keys->lookups, node);
        ngx_free(flight);
    }

    while (!ngx_queue_empty(&keys->revocations)) {
        q = ngx_queue_head(&keys->revocations);
        revocation = ngx_queue_data(q, ngx_http_prompt_revocation_t, queue);

        if (revocation->command != NULL) {
            ngx_http_prompt_redis_detach(revocation->command);
        }

        if (revocation->timer.timer_set) {
            ngx_del_timer(&revocation->timer);
        }

        ngx_queue_remove(q);
        ngx_free(revocation);
    }
}


ngx_http_prompt_lookup_t *
ngx_http_prompt_keys_lookup(ngx_http_prompt_keys_t *keys,
    ngx_http_request_t *r, const uint8_t *hash, ngx_http_prompt_known_pt done,
    void *data)
{
    ngx_http_prompt_flight_t  *flight;
    ngx_http_prompt_lookup_t  *lookup;

    lookup = ngx_palloc(r->pool, sizeof(ngx_http_prompt_lookup_t));
    if (lookup == NULL) {
        return NULL;
    }

    lookup->request = r;
    lookup->start = ngx_current_msec;
    lookup->done = done;
    lookup->data = data;

    flight = ngx_http_prompt_flight_find(keys, hash);

    if (flight != NULL) {
        ngx_queue_insert_tail(&flight->next, &lookup->queue);
        return lookup;
    }

    flight = ngx_calloc(sizeof(ngx_http_prompt_flight_t), keys->log);
    if (flight == NULL) {
        return NULL;
    }

    flight->keys = keys;
    ngx_memcpy(flight->hash, hash, PROMPT_KEY_HASH_LEN);
    ngx_memcpy(&flight->node.key, hash, sizeof(flight->node.key));

    ngx_queue_init(&flight->waiting);
    ngx_queue_init(&flight->next);
    ngx_queue_insert_tail(&flight->waiting, &lookup->queue);

    ngx_rbtree_insert(&keys->lookups, &flight->node);

    ngx_http_prompt_flight_begin(flight);

    if (flight->command == NULL && flight->query == NULL) {
        ngx_rbtree_delete(&keys->lookups, &flight->node);
        ngx_free(flight);
        return NULL;
    }

    return lookup;
}


void
ngx_http_prompt_keys_cancel(ngx_http_prompt_lookup_t *lookup)
{
    ngx_queue_remove(&lookup->queue);
}


static ngx_http_prompt_flight_t *
ngx_http_prompt_flight_find(ngx_http_prompt_keys_t *keys, const uint8_t *hash)
{
    ngx_int_t                  rc;
    ngx_rbtree_key_t           key;
    ngx_rbtree_node_t         *node;
    ngx_http_prompt_flight_t  *flight;

    ngx_memcpy(&key, hash, sizeof(key));

    node = keys->lookups.root;

    while (node != &keys->sentinel) {

        if (key != node->key) {
            node = key < node->key ? node->left : node->right;
            continue;
        }

        flight = (ngx_http_prompt_flight_t *) node;

        rc = ngx_memcmp(hash, flight->hash, PROMPT_KEY_HASH_LEN);

        if (rc == 0) {
            return flight;
        }

        node = rc < 0 ? node->left : node->right;
    }

    return NULL;
}


static void
ngx_http_prompt_flight_insert(ngx_rbtree_node_t *temp,
    ngx_rbtree_node_t *node, ngx_rbtree_node_t *sentinel)
{
    ngx_rbtree_node_t         **p;
    ngx_http_prompt_flight_t   *a, *b;

    for ( ;; ) {

        if (node->key != temp->key) {
            p = node->key < temp->key ? &temp->left : &temp->right;

        } else {
            a = (ngx_http_prompt_flight_t *) node;
            b = (ngx_http_prompt_flight_t *) temp;

            p = ngx_memcmp(a->hash, b->hash, PROMPT_KEY_HASH_LEN) < 0
                ? &temp->left : &temp->right;
        }

        if (*p == sentinel) {
            break;
        }

        temp = *p;
    }

    *p = node;
    node->parent = temp;
    node->left = sentinel;
    node->right = sentinel;
    ngx_rbt_red(node);
}


/*
 * Sets command or query, which will call back; neither where memory is too
 * short even for the query.
 */

static void
ngx_http_prompt_flight_begin(ngx_http_prompt_flight_t *flight)
{
    char                     name[PROMPT_KEY_CACHE_MAX_NAME];
    size_t                   argvlen[4];
    u_char                   end[NGX_INT_T_LEN];
    const char              *argv[4];
    ngx_http_prompt_keys_t  *keys;

    keys = flight->keys;
    flight->leased = 0;
    flight->start = ngx_current_msec;

    if (keys->redis != NULL) {
        argv[0] = "GETRANGE";
        argvlen[0] = 8;
        argv[1] = name;
        argvlen[1] = prompt_key_cache_entry_name(name, keys->prefix,
                                                 flight->hash);
        argv[2] = "0";
        argvlen[2] = 1;
        argv[3] = (char *) end;
        argvlen[3] = ngx_sprintf(end, "%d", PROMPT_KEY_CACHE_MAX_ENTRY) - end;

        flight->command = ngx_http_prompt_redis_command(keys->redis, 4, argv,
                                             argvlen, 0,
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
        && prompt_key_cache_decode(reply->text, flight->hash, &entry))
    {
        ngx_http_prompt_metrics_add(flight->keys->metrics,
                                    NGX_HTTP_PROMPT_COUNT_KEY_HITS, 1);
        ngx_http_prompt_flight_known(flight, &entry);
        return;
    }

    if (!ngx_http_prompt_redis_unknown(reply)) {
        ngx_http_prompt_flight_lease(flight);

        if (flight->command != NULL) {
            return;
        }
    }

    /* Redis is away or slow: PostgreSQL knows as well */

    ngx_http_prompt_flight_row(flight);

    if (flight->query == NULL) {
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
    ngx_msec_t   limit, elapsed;
    char         name[PROMPT_KEY_CACHE_MAX_NAME];
    size_t       argvlen[5];
    u_char       lease[NGX_INT_T_LEN];
    uint8_t      random[16];
    const char  *argv[5];

    limit = ngx_http_prompt_redis_timeout(flight->keys->redis);
    elapsed = ngx_current_msec - flight->start;

    if (elapsed >= limit || !prompt_random(random, sizeof(random))) {
        return;
    }

    prompt_key_cache_token(flight->token, random);

    argv[0] = "SET";
    argvlen[0] = 3;
    argv[1] = name;
    argvlen[1] = prompt_key_cache_lease_name(name, flight->keys->prefix,
                                             flight->hash);
    argv[2] = flight->token;
    argvlen[2] = PROMPT_KEY_CACHE_TOKEN;
    argv[3] = "PX";
    argvlen[3] = 2;
    argv[4] = (char *) lease;
    argvlen[4] = ngx_sprintf(lease, "%d", PROMPT_KEY_CACHE_LEASE) - lease;

    flight->command = ngx_http_prompt_redis_command(flight->keys->redis, 5,
                                             argv, argvlen, limit - elapsed,
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

    ngx_http_prompt_flight_row(flight);

    if (flight->query == NULL) {
        ngx_http_prompt_flight_end(flight, NGX_HTTP_PROMPT_KEY_UNAVAILABLE,
                                   NULL);
    }
}


/* Sets query, which will call back, unless memory is short. */

static void
ngx_http_prompt_flight_row(ngx_http_prompt_flight_t *flight)
{
    prompt_str_t     hash;
    prompt_query_t  *query;

    query = prompt_query_create(NGX_HTTP_PROMPT_KEY_MEMORY);
    if (query == NULL) {
        return;
    }

    hash = prompt_str_of((char *) flight->hash, PROMPT_KEY_HASH_LEN);

    if (prompt_api_key_by_hash(query, hash)) {
        flight->query =
            ngx_http_prompt_postgres_query(flight->keys->postgres, query,
                                           ngx_http_prompt_flight_time(flight),
                                           0, ngx_http_prompt_flight_row_done,
                                           flight);
    }

    if (flight->query == NULL) {
        prompt_query_destroy(query);
    }
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
    ngx_http_prompt_postgres_op_t *query,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_flight_t  *flight = data;

    ngx_uint_t                answered;
    prompt_api_key_auth_t     key;
    prompt_key_cache_entry_t  entry;

    flight->query = NULL;

    ngx_memzero(&entry, sizeof(prompt_key_cache_entry_t));

    answered = result->status == NGX_HTTP_PROMPT_POSTGRES_OK;

    if (answered && result->rows[0].count != 0) {
        prompt_api_key_auth_row(&result->rows[0], 0, &key);

        if (key.id.len == sizeof(entry.key_id)
            && key.user_id.len == sizeof(entry.user_id))
        {
            entry.known = true;
            entry.scopes = key.scopes;
            ngx_memcpy(entry.key_id, key.id.data, sizeof(entry.key_id));
            ngx_memcpy(entry.user_id, key.user_id.data,
                       sizeof(entry.user_id));

            /* down to a whole millisecond: never longer than it holds */

            if (key.expires_at.known) {
                entry.expires_at = key.expires_at.value / 1000;
            }
        }
    }

    ngx_http_prompt_postgres_free(query);

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


/* Nobody waits for it: where it fails the next look-up is a miss. */

static void
ngx_http_prompt_flight_fill(ngx_http_prompt_flight_t *flight,
    const prompt_key_cache_entry_t *entry)
{
    char                     name[PROMPT_KEY_CACHE_MAX_NAME];
    char                     lease[PROMPT_KEY_CACHE_MAX_NAME];
    char                     text[PROMPT_KEY_CACHE_MAX_ENTRY];
    size_t                   argvlen[8];
    u_char                   live[NGX_INT64_LEN];
    int64_t                  ms, left;
    const char              *argv[8];
    ngx_http_prompt_keys_t  *keys;

    prompt_key_cache_entry_t  refusal;

    keys = flight->keys;

    ms = entry->known ? (int64_t) keys->valid : (int64_t) keys->unknown;

    if (entry->expires_at != 0) {
        left = entry->expires_at - ngx_http_prompt_keys_now();

        if (left > 0) {
            ms = ngx_min(ms, left);

        } else {

            /* a key that has expired is refused like one that never was */

            ngx_memzero(&refusal, sizeof(prompt_key_cache_entry_t));
            entry = &refusal;
            ms = (int64_t) keys->unknown;
        }
    }

    argv[0] = "EVAL";
    argvlen[0] = 4;
    argv[1] = prompt_key_cache_fill_script;
    argvlen[1] = ngx_strlen(prompt_key_cache_fill_script);
    argv[2] = "2";
    argvlen[2] = 1;
    argv[3] = name;
    argvlen[3] = prompt_key_cache_entry_name(name, keys->prefix,
                                             flight->hash);
    argv[4] = lease;
    argvlen[4] = prompt_key_cache_lease_name(lease, keys->prefix,
                                             flight->hash);
    argv[5] = flight->token;
    argvlen[5] = PROMPT_KEY_CACHE_TOKEN;
    argv[6] = text;
    argvlen[6] = prompt_key_cache_encode(text, flight->hash, entry);
    argv[7] = (char *) live;
    argvlen[7] = ngx_sprintf(live, "%L", ms) - live;

    if (ngx_http_prompt_redis_command(keys->redis, 8, argv, argvlen, 0,
                                      ngx_http_prompt_flight_filled, keys)
        == NULL)
    {
        ngx_log_debug0(NGX_LOG_DEBUG_HTTP, keys->log, 0,
                       "prompt: key cache not filled");
    }
}


static void
ngx_http_prompt_flight_filled(void *data,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_keys_t  *keys = data;

    if (reply->kind == NGX_HTTP_PROMPT_REDIS_ERROR) {
        ngx_log_error(NGX_LOG_WARN, keys->log, 0,
                      "prompt: Redis refused a script of the key cache: %*s",
                      reply->text.len, reply->text.data);
    }
}


static void
ngx_http_prompt_flight_known(ngx_http_prompt_flight_t *flight,
    const prompt_key_cache_entry_t *entry)
{
    ngx_http_prompt_identity_t  identity;

    if (!entry->known
        || (entry->expires_at != 0
            && entry->expires_at <= ngx_http_prompt_keys_now()))
    {
        ngx_http_prompt_flight_end(flight, NGX_HTTP_PROMPT_KEY_REFUSED, NULL);
        return;
    }

    ngx_memcpy(identity.user_id, entry->user_id, sizeof(identity.user_id));
    ngx_memcpy(identity.key_id, entry->key_id, sizeof(identity.key_id));
    identity.scopes = entry->scopes;

    ngx_http_prompt_flight_end(flight, NGX_HTTP_PROMPT_KEY_KNOWN, &identity);
}


/*
 * Starts the next look-up before those who waited for this one are told: who
 * comes meanwhile must find it in flight.
 */

static void
ngx_http_prompt_flight_end(ngx_http_prompt_flight_t *flight,
    ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity)
{
    ngx_queue_t  told, failed;

    ngx_queue_init(&told);
    ngx_queue_init(&failed);

    ngx_http_prompt_queue_move(&flight->waiting, &told);
    ngx_http_prompt_queue_move(&flight->next, &flight->waiting);

    if (!ngx_queue_empty(&flight->waiting)) {
        ngx_http_prompt_flight_begin(flight);
    }

    if (flight->command == NULL && flight->query == NULL) {

        /* nobody waits, or memory is short */

        ngx_http_prompt_queue_move(&flight->waiting, &failed);

        ngx_rbtree_delete(&flight->keys->lookups, &flight->node);
        ngx_free(flight);
    }

    ngx_http_prompt_flight_tell(&told, result, identity);
    ngx_http_prompt_flight_tell(&failed, NGX_HTTP_PROMPT_KEY_UNAVAILABLE,
                                NULL);
}


/* A request that is told may end others, which then leave the queue. */

static void
ngx_http_prompt_flight_tell(ngx_queue_t *queue,
    ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity)
{
    ngx_queue_t               *q;
    ngx_connection_t          *c;
    ngx_http_prompt_lookup_t  *lookup;

    while (!ngx_queue_empty(queue)) {
        q = ngx_queue_head(queue);
        ngx_queue_remove(q);

        lookup = ngx_queue_data(q, ngx_http_prompt_lookup_t, queue);
        c = lookup->request->connection;

        lookup->done(lookup->data, result, identity);

        ngx_http_run_posted_requests(c);
    }
}


/* Moves all elements of one queue to an empty one. */

static void
ngx_http_prompt_queue_move(ngx_queue_t *from, ngx_queue_t *to)
{
    if (!ngx_queue_empty(from)) {
        ngx_queue_add(to, from);
        ngx_queue_init(from);
    }
}


/* milliseconds since 1970 */

static int64_t
ngx_http_prompt_keys_now(void)
{
    ngx_time_t  *tp;

    tp = ngx_timeofday();

    return (int64_t) tp->sec * 1000 + tp->msec;
}
