/*
 * Revocations: a deleted key is refused everywhere before its deletion is
 * answered.
 */

#include "service/keys/keys_impl.h"

#include "io/ngx_http_prompt_ratelog.h"


/*
 * Of several, so many are told to Redis at once.  Where it is away they all
 * wait for the same time: only what is beyond that waits for longer.
 */
#define NGX_HTTP_PROMPT_REVOKED_AT_ONCE  1000


static ngx_msec_t ngx_http_prompt_revoke_time(
    const ngx_http_prompt_keys_t *keys);
static void ngx_http_prompt_revoke_some(
    ngx_http_prompt_revocations_t *revocations);
static void ngx_http_prompt_revoked_one(void *data);
static void ngx_http_prompt_revoked_by_time(ngx_event_t *ev);
static void ngx_http_prompt_revoke_deleted(void *data,
    const ngx_http_prompt_redis_reply_t *reply);
static void ngx_http_prompt_revoke_unconfirmed(ngx_http_prompt_keys_t *keys);
static void ngx_http_prompt_revoke_waited(ngx_event_t *ev);
static void ngx_http_prompt_revoke_end(
    ngx_http_prompt_revocation_t *revocation);


/*
 * Until every entry that may be there has run out: one that was filled a
 * moment ago lives for valid, one that is about to be filled has its lease.
 */
static ngx_msec_t
ngx_http_prompt_revoke_time(const ngx_http_prompt_keys_t *keys)
{
    return keys->valid + PROMPT_KEY_CACHE_LEASE + PROMPT_KEY_CACHE_SLACK;
}


ngx_int_t
ngx_http_prompt_keys_revoke(ngx_http_prompt_keys_t *keys, const uint8_t *hash,
    ngx_http_prompt_revoked_pt done, void *data)
{
    char                           entry[PROMPT_KEY_CACHE_MAX_NAME];
    char                           lease[PROMPT_KEY_CACHE_MAX_NAME];
    ngx_msec_t                     wait;
    prompt_str_t                   words[3];
    ngx_http_prompt_revocation_t  *revocation;

    if (keys->redis == NULL) {

        /* no cache: the next look-up reads the row */

        done(data);
        return NGX_OK;
    }

    revocation = ngx_calloc(sizeof(ngx_http_prompt_revocation_t), keys->log);

    if (revocation == NULL) {
        return NGX_ERROR;
    }

    /* Redis may confirm at any time until then */

    wait = ngx_http_prompt_revoke_time(keys);

    revocation->keys = keys;
    revocation->done = done;
    revocation->data = data;

    ngx_http_prompt_timer_init(&revocation->timer,
                               ngx_http_prompt_revoke_waited, revocation,
                               keys->log);
    ngx_add_timer(&revocation->timer.event, wait);

    ngx_queue_insert_tail(&keys->revocations, &revocation->queue);

    words[0] = prompt_str("DEL");
    words[1] = ngx_http_prompt_keys_entry(keys, hash, entry);
    words[2] = ngx_http_prompt_keys_lease(keys, hash, lease);

    revocation->command =
        ngx_http_prompt_redis_servers_durable(keys->redis, words, 3, wait,
                                              ngx_http_prompt_revoke_deleted,
                                              revocation);
    ngx_log_debug4(NGX_LOG_DEBUG_HTTP, keys->log, 0,
                   "prompt revocation: begins, hash %02xd%02xd%02xd..., at "
                   "most %M ms", hash[0], hash[1], hash[2], wait);

    if (revocation->command == NULL) {
        ngx_http_prompt_revoke_unconfirmed(keys);
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_keys_revoke_all(ngx_http_prompt_keys_t *keys,
    const uint8_t *hashes, size_t n, ngx_http_prompt_revoked_pt done,
    void *data)
{
    ngx_http_prompt_revocations_t  *revocations;

    revocations = ngx_calloc(sizeof(ngx_http_prompt_revocations_t)
                             + n * PROMPT_KEY_HASH_LEN, keys->log);
    if (revocations == NULL) {
        return NGX_ERROR;
    }

    revocations->keys = keys;
    revocations->done = done;
    revocations->data = data;
    revocations->n = n;

    ngx_http_prompt_timer_init(&revocations->timer,
                               ngx_http_prompt_revoked_by_time, revocations,
                               keys->log);

    if (n != 0) {
        ngx_memcpy(revocations->hashes, hashes, n * PROMPT_KEY_HASH_LEN);
    }

    ngx_queue_insert_tail(&keys->batches, &revocations->queue);

    ngx_http_prompt_revoke_some(revocations);

    return NGX_OK;
}


/*
 * Where memory is short for one, its entry runs out by itself, and that is
 * waited for.
 */
static void
ngx_http_prompt_revoke_some(ngx_http_prompt_revocations_t *revocations)
{
    void                        *data;
    const uint8_t               *hash;
    ngx_http_prompt_revoked_pt   done;

    revocations->in_loop = 1;

    while (revocations->next < revocations->n
           && revocations->running < NGX_HTTP_PROMPT_REVOKED_AT_ONCE)
    {
        hash = revocations->hashes + revocations->next * PROMPT_KEY_HASH_LEN;

        revocations->running++;

        if (ngx_http_prompt_keys_revoke(revocations->keys, hash,
                                        ngx_http_prompt_revoked_one,
                                        revocations)
            != NGX_OK)
        {
            revocations->running--;

            ngx_http_prompt_timer_stop(&revocations->timer);
            ngx_add_timer(&revocations->timer.event,
                          ngx_http_prompt_revoke_time(revocations->keys));
        }

        revocations->next++;
    }

    revocations->in_loop = 0;

    if (revocations->running != 0 || revocations->timer.event.timer_set) {
        return;
    }

    done = revocations->done;
    data = revocations->data;

    ngx_queue_remove(&revocations->queue);
    ngx_free(revocations);

    done(data);
}


static void
ngx_http_prompt_revoked_one(void *data)
{
    ngx_http_prompt_revocations_t  *revocations = data;

    revocations->running--;

    if (!revocations->in_loop) {
        ngx_http_prompt_revoke_some(revocations);
    }
}


static void
ngx_http_prompt_revoked_by_time(ngx_event_t *ev)
{
    ngx_http_prompt_revoke_some(ngx_http_prompt_timer_owner(ev));
}


static void
ngx_http_prompt_revoke_deleted(void *data,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_revocation_t  *revocation = data;

    revocation->command = NULL;

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, revocation->keys->log, 0,
                   "prompt revocation: Redis: %s",
                   ngx_http_prompt_redis_kind(reply));

    if (reply->kind == NGX_HTTP_PROMPT_REDIS_INTEGER) {
        ngx_http_prompt_revoke_end(revocation);
        return;
    }

    ngx_http_prompt_revoke_unconfirmed(revocation->keys);
}


static void
ngx_http_prompt_revoke_unconfirmed(ngx_http_prompt_keys_t *keys)
{
    ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_REVOCATION,
                            prompt_str_absent, keys->log,
                            "prompt: Redis did not confirm that a deleted key "
                            "is revoked: waiting until cached entries have "
                            "expired");
}


static void
ngx_http_prompt_revoke_waited(ngx_event_t *ev)
{
    ngx_http_prompt_revoke_end(ngx_http_prompt_timer_owner(ev));
}


static void
ngx_http_prompt_revoke_end(ngx_http_prompt_revocation_t *revocation)
{
    void                        *data;
    ngx_http_prompt_revoked_pt   done;

    done = revocation->done;
    data = revocation->data;

    ngx_log_debug0(NGX_LOG_DEBUG_HTTP, revocation->keys->log, 0,
                   "prompt revocation: over");

    ngx_http_prompt_revocation_free(revocation);

    done(data);
}


void
ngx_http_prompt_revocation_free(ngx_http_prompt_revocation_t *revocation)
{
    if (revocation->command != NULL) {
        ngx_http_prompt_redis_servers_detach(revocation->command);
    }

    ngx_http_prompt_timer_stop(&revocation->timer);

    ngx_queue_remove(&revocation->queue);
    ngx_free(revocation);
}
