/*
 * Keys: look-ups, and revocations.
 *
 * What is in flight for a key belongs to the worker and not to a request:
 * requests wait in its queues and may leave at any time.
 */

#include "service/keys/keys_impl.h"

#include "base/spare.h"


static void ngx_http_prompt_flight_tell(ngx_queue_t *queue,
    ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity);
static void ngx_http_prompt_queue_move(ngx_queue_t *from, ngx_queue_t *to);


static prompt_spare_t  ngx_http_prompt_flight_spare;


ngx_http_prompt_keys_t *
ngx_http_prompt_keys_create(ngx_cycle_t *cycle,
    ngx_http_prompt_redis_servers_t *redis,
    ngx_http_prompt_postgres_t *postgres, ngx_http_prompt_metrics_t *metrics,
    ngx_str_t *prefix, time_t valid, time_t unknown, uint64_t database)
{
    ngx_http_prompt_keys_t  *keys;

    keys = ngx_pcalloc(cycle->pool, sizeof(ngx_http_prompt_keys_t));
    if (keys == NULL) {
        return NULL;
    }

    keys->redis = redis;
    keys->postgres = postgres;
    keys->metrics = metrics;
    keys->prefix = ngx_http_prompt_str(prefix);
    keys->valid = (ngx_msec_t) valid * 1000;
    keys->unknown = (ngx_msec_t) unknown * 1000;
    keys->log = cycle->log;

    ngx_http_prompt_keys_enter(keys, database);

    ngx_http_prompt_hash_tree_init(&keys->lookups, &keys->sentinel);
    ngx_queue_init(&keys->revocations);
    ngx_queue_init(&keys->batches);

    return keys;
}


void
ngx_http_prompt_keys_destroy(ngx_http_prompt_keys_t *keys)
{
    ngx_queue_t                    *q;
    ngx_rbtree_node_t              *node;
    ngx_http_prompt_flight_t       *flight;
    ngx_http_prompt_revocation_t   *revocation;
    ngx_http_prompt_revocations_t  *revocations;

    if (keys == NULL) {
        return;
    }

    while (keys->lookups.root != &keys->sentinel) {
        node = keys->lookups.root;
        flight = (ngx_http_prompt_flight_t *) node;

        if (flight->command != NULL) {
            ngx_http_prompt_redis_servers_detach(flight->command);
        }

        ngx_http_prompt_send_leave(&flight->query);

        ngx_rbtree_delete(&keys->lookups, node);
        prompt_spare_give(&ngx_http_prompt_flight_spare, flight);
    }

    while (!ngx_queue_empty(&keys->revocations)) {
        q = ngx_queue_head(&keys->revocations);
        revocation = ngx_queue_data(q, ngx_http_prompt_revocation_t, queue);

        ngx_http_prompt_revocation_free(revocation);
    }

    while (!ngx_queue_empty(&keys->batches)) {
        q = ngx_queue_head(&keys->batches);
        revocations = ngx_queue_data(q, ngx_http_prompt_revocations_t, queue);

        ngx_http_prompt_timer_stop(&revocations->timer);
        ngx_queue_remove(q);
        ngx_free(revocations);
    }

    prompt_spare_free(&ngx_http_prompt_flight_spare);
}


ngx_http_prompt_lookup_t *
ngx_http_prompt_keys_lookup(ngx_http_prompt_keys_t *keys,
    ngx_http_request_t *r, const uint8_t *hash, const u_char *project,
    ngx_http_prompt_known_pt done, void *data)
{
    uint8_t                    name[PROMPT_KEY_HASH_LEN];
    ngx_http_prompt_flight_t  *flight;
    ngx_http_prompt_lookup_t  *lookup;

    if (project != NULL) {
        prompt_key_cache_acting(hash, project, name);
    } else {
        ngx_memcpy(name, hash, sizeof(name));
    }

    lookup = ngx_palloc(r->pool, sizeof(ngx_http_prompt_lookup_t));
    if (lookup == NULL) {
        return NULL;
    }

    lookup->request = r;
    lookup->start = ngx_current_msec;
    lookup->done = done;
    lookup->data = data;

    flight = (ngx_http_prompt_flight_t *)
                 ngx_http_prompt_hash_tree_find(&keys->lookups, name);

    ngx_log_debug4(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "prompt key: looked up, hash %02xd%02xd%02xd...%s", hash[0],
                   hash[1], hash[2],
                   flight != NULL ? ", behind another request" : "");

    if (flight != NULL) {
        ngx_queue_insert_tail(&flight->next, &lookup->queue);
        return lookup;
    }

    flight = prompt_spare_take(&ngx_http_prompt_flight_spare,
                               sizeof(ngx_http_prompt_flight_t));
    if (flight == NULL) {
        return NULL;
    }

    ngx_memzero(flight, sizeof(ngx_http_prompt_flight_t));

    flight->keys = keys;
    ngx_memcpy(flight->key, hash, sizeof(flight->key));

    if (project != NULL) {
        flight->acting = 1;
        ngx_memcpy(flight->project, project, sizeof(flight->project));
    }

    ngx_queue_init(&flight->waiting);
    ngx_queue_init(&flight->next);
    ngx_queue_insert_tail(&flight->waiting, &lookup->queue);

    ngx_http_prompt_hash_tree_add(&keys->lookups, &flight->hashed, name);

    ngx_http_prompt_flight_begin(flight);

    if (flight->command == NULL && flight->query.task == NULL) {
        ngx_rbtree_delete(&keys->lookups, &flight->hashed.node);
        prompt_spare_give(&ngx_http_prompt_flight_spare, flight);
        return NULL;
    }

    return lookup;
}


void
ngx_http_prompt_keys_cancel(ngx_http_prompt_lookup_t *lookup)
{
    ngx_queue_remove(&lookup->queue);
}


/*
 * Starts the next look-up before those who waited for this one are told: who
 * comes meanwhile must find it in flight.
 */
void
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

    if (flight->command == NULL && flight->query.task == NULL) {

        /* nobody waits, or memory is short */

        ngx_http_prompt_queue_move(&flight->waiting, &failed);

        ngx_rbtree_delete(&flight->keys->lookups, &flight->hashed.node);
        prompt_spare_give(&ngx_http_prompt_flight_spare, flight);
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

        ngx_log_debug1(NGX_LOG_DEBUG_HTTP, c->log, 0, "prompt key: %s",
                       result == NGX_HTTP_PROMPT_KEY_KNOWN ? "known"
                       : result == NGX_HTTP_PROMPT_KEY_REFUSED ? "refused"
                       : "not checked, the database did not answer");

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


void
ngx_http_prompt_keys_enter(ngx_http_prompt_keys_t *keys, uint64_t database)
{
    keys->database = database;
    keys->own_len = prompt_key_cache_prefix(keys->own, keys->prefix, database);
}


uint64_t
ngx_http_prompt_keys_database(const ngx_http_prompt_keys_t *keys)
{
    return keys->database;
}


prompt_str_t
ngx_http_prompt_keys_prefix(const ngx_http_prompt_keys_t *keys)
{
    return prompt_str_of((char *) keys->own, keys->own_len);
}
