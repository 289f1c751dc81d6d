/*
 * Revocations: a deleted key is refused everywhere before its deletion is
 * answered.
 */

#include "service/keys_impl.h"


static void ngx_http_prompt_revoke_deleted(void *data,
    const ngx_http_prompt_redis_reply_t *reply);
static void ngx_http_prompt_revoke_unconfirmed(ngx_http_prompt_keys_t *keys);
static void ngx_http_prompt_revoke_waited(ngx_event_t *ev);
static void ngx_http_prompt_revoke_end(
    ngx_http_prompt_revocation_t *revocation);


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

    /*
     * Until every entry that may be there has run out: one that was filled a
     * moment ago lives for valid, one that is about to be filled has its
     * lease.  Redis may confirm at any time until then.
     */

    wait = keys->valid + PROMPT_KEY_CACHE_LEASE + PROMPT_KEY_CACHE_SLACK;

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
        ngx_http_prompt_redis_command(keys->redis, words, 3, wait,
                                      ngx_http_prompt_revoke_deleted,
                                      revocation);
    if (revocation->command == NULL) {
        ngx_http_prompt_revoke_unconfirmed(keys);
    }

    return NGX_OK;
}


static void
ngx_http_prompt_revoke_deleted(void *data,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_revocation_t  *revocation = data;

    revocation->command = NULL;

    if (reply->kind == NGX_HTTP_PROMPT_REDIS_INTEGER) {
        ngx_http_prompt_revoke_end(revocation);
        return;
    }

    ngx_http_prompt_revoke_unconfirmed(revocation->keys);
}


static void
ngx_http_prompt_revoke_unconfirmed(ngx_http_prompt_keys_t *keys)
{
    ngx_log_error(NGX_LOG_WARN, keys->log, 0,
                  "prompt: Redis did not confirm that a deleted key is "
                  "revoked: waiting until cached entries have expired");
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

    ngx_http_prompt_revocation_free(revocation);

    done(data);
}


void
ngx_http_prompt_revocation_free(ngx_http_prompt_revocation_t *revocation)
{
    if (revocation->command != NULL) {
        ngx_http_prompt_redis_detach(revocation->command);
    }

    ngx_http_prompt_timer_stop(&revocation->timer);

    ngx_queue_remove(&revocation->queue);
    ngx_free(revocation);
}
