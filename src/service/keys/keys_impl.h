/*
 * What keys.c, key_flight.c and revocation.c share, and nobody else needs to
 * know.
 */

#ifndef NGX_HTTP_PROMPT_KEYS_IMPL_H
#define NGX_HTTP_PROMPT_KEYS_IMPL_H

#include "io/ngx_http_prompt_timer.h"
#include "prompt/key.h"
#include "service/worker/hash_tree.h"
#include "service/worker/send.h"
#include "service/keys/keys.h"
#include "store/key_cache.h"


struct ngx_http_prompt_keys_s {
    ngx_http_prompt_redis_servers_t  *redis;
    ngx_http_prompt_postgres_t       *postgres;
    ngx_http_prompt_metrics_t        *metrics;
    prompt_str_t                      prefix;    /* the operator's */
    uint64_t                          database;  /* 0: not known yet */
    size_t                            own_len;
    char                              own[PROMPT_KEY_CACHE_MAX_OWN];
    ngx_msec_t                        valid;
    ngx_msec_t                        unknown;
    ngx_rbtree_t                      lookups;
    ngx_rbtree_node_t                 sentinel;
    ngx_queue_t                       revocations;
    ngx_queue_t                       batches;   /* of revocations */
    ngx_log_t                        *log;
};


/* a revocation that is not over yet */
typedef struct {
    ngx_http_prompt_keys_t           *keys;
    ngx_http_prompt_redis_call_t     *command;
    void                             *data;
    ngx_http_prompt_revoked_pt        done;
    ngx_http_prompt_timer_t           timer;
    ngx_queue_t                       queue;
} ngx_http_prompt_revocation_t;


/* several, of which a part goes on at a time */
typedef struct {
    ngx_http_prompt_keys_t           *keys;
    void                             *data;
    ngx_http_prompt_revoked_pt        done;
    ngx_http_prompt_timer_t           timer; /* memory was short for some */
    ngx_queue_t                       queue;
    size_t                            n;
    size_t                            next;
    size_t                            running;
    unsigned                          in_loop:1;
    uint8_t                           hashes[];
} ngx_http_prompt_revocations_t;


typedef struct ngx_http_prompt_flight_s  ngx_http_prompt_flight_t;


/* a request that waits */
struct ngx_http_prompt_lookup_s {
    ngx_queue_t                     queue;
    ngx_http_request_t             *request;
    ngx_msec_t                      start;
    ngx_http_prompt_known_pt        done;
    void                           *data;
};


/* A key that is being looked up. */
struct ngx_http_prompt_flight_s {
    ngx_http_prompt_hashed_t          hashed;    /* its name in the caches */
    uint8_t                           key[PROMPT_KEY_HASH_LEN];
    u_char                            project[16];
    ngx_http_prompt_keys_t           *keys;
    ngx_queue_t                       waiting;   /* for this look-up */
    ngx_queue_t                       next;      /* for the one after it */
    ngx_http_prompt_redis_call_t     *command;
    ngx_http_prompt_sent_t            query;
    ngx_msec_t                        start;
    uint64_t                          database;  /* when it began */
    char                              token[PROMPT_KEY_CACHE_TOKEN];
    unsigned                          acting:1;  /* in the project */
    unsigned                          leased:1;  /* the entry may be written */
};


/* whose debug lines a look-up has: those of the one who waits longest */
static ngx_inline ngx_log_t *
ngx_http_prompt_flight_log(const ngx_http_prompt_flight_t *flight)
{
    ngx_http_prompt_lookup_t  *lookup;

    if (ngx_queue_empty(&flight->waiting)) {
        return flight->keys->log;
    }

    lookup = ngx_queue_data(ngx_queue_head(&flight->waiting),
                            ngx_http_prompt_lookup_t, queue);

    return lookup->request->connection->log;
}


/* the name of the entry or the lease of a hash in Redis; out holds it */
static ngx_inline prompt_str_t
ngx_http_prompt_keys_entry(const ngx_http_prompt_keys_t *keys,
    const uint8_t *hash, char out[PROMPT_KEY_CACHE_MAX_NAME])
{
    return prompt_str_of(out, prompt_key_cache_entry_name(out,
                                          ngx_http_prompt_keys_prefix(keys),
                                          hash));
}


static ngx_inline prompt_str_t
ngx_http_prompt_keys_lease(const ngx_http_prompt_keys_t *keys,
    const uint8_t *hash, char out[PROMPT_KEY_CACHE_MAX_NAME])
{
    return prompt_str_of(out, prompt_key_cache_lease_name(out,
                                          ngx_http_prompt_keys_prefix(keys),
                                          hash));
}


/* Forgets a revocation; nobody is told.  (revocation.c) */
void ngx_http_prompt_revocation_free(ngx_http_prompt_revocation_t *revocation);

/*
 * Begins a look-up.  Sets command or query, which will call back; neither
 * where memory is too short even for the query.  (key_flight.c)
 */
void ngx_http_prompt_flight_begin(ngx_http_prompt_flight_t *flight);

/* It is over: those who waited are told, and the next one begins.  (keys.c) */
void ngx_http_prompt_flight_end(ngx_http_prompt_flight_t *flight,
    ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity);

#endif /* NGX_HTTP_PROMPT_KEYS_IMPL_H */
