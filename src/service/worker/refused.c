/*
 * What was refused, as the audit log has it.
 */

#include "service/worker/refused.h"

#include "base/sha256.h"
#include "io/ngx_http_prompt_ratelog.h"
#include "service/worker/send.h"
#include "service/worker/worker.h"


#define NGX_HTTP_PROMPT_REFUSED_AGAIN  60000                 /* ms */


static ngx_uint_t ngx_http_prompt_refused_lately(
    ngx_http_prompt_worker_t *worker, const prompt_actor_t *actor);
static void ngx_http_prompt_refused_sent(void *data,
    const ngx_http_prompt_postgres_result_t *result);


void
ngx_http_prompt_refused_tell(ngx_http_prompt_worker_t *worker,
    const prompt_actor_t *actor, const prompt_audit_t *what,
    prompt_str_t code, prompt_str_t reason)
{
    bool             bound;
    prompt_uuid_t    id;
    prompt_actor_t   who;
    prompt_audit_t   row;
    prompt_query_t  *query;

    if (ngx_http_prompt_refused_lately(worker, actor)
        || !ngx_http_prompt_worker_id(worker, &id))
    {
        return;
    }

    query = ngx_http_prompt_send_create();
    if (query == NULL) {
        return;
    }

    who = *actor;
    who.audit_id = prompt_str_of((char *) id.bytes, PROMPT_UUID_LEN);

    row = *what;
    row.detail = prompt_arena_printf(query->arena,
                                     "{\"code\":\"%.*s\",\"reason\":\"%.*s\"}",
                                     prompt_str_arg(code),
                                     prompt_str_arg(reason));

    query->unconditional = true;
    query->actor = &who;
    bound = row.detail.data != NULL && prompt_audit_refused(query, &row);
    query->actor = NULL;

    (void) ngx_http_prompt_send_query(NULL, worker->postgres, query, bound, 0,
                                      ngx_http_prompt_refused_sent, worker);
}


/*
 * Whether it was told a moment ago, or cannot be; else it is noted as told.
 * Where no place is free, who has signed in takes the oldest one: what they
 * were refused elsewhere hides nothing, and the database looks again.  Others
 * are addresses, of which anybody has any number.
 */
static ngx_uint_t
ngx_http_prompt_refused_lately(ngx_http_prompt_worker_t *worker,
    const prompt_actor_t *actor)
{
    uint8_t                           hash[PROMPT_SHA256_LEN];
    ngx_uint_t                        i;
    prompt_sha256_t                   ctx;
    ngx_http_prompt_refused_place_t  *set, *place, *found, *oldest;

    prompt_sha256_init(&ctx);
    prompt_sha256_update(&ctx, actor->project_id);
    prompt_sha256_update(&ctx, prompt_str("/"));
    prompt_sha256_update(&ctx, actor->action);
    prompt_sha256_update(&ctx, prompt_str("/"));
    prompt_sha256_update(&ctx, actor->user_id.data != NULL ? actor->user_id
                                                           : actor->address);
    prompt_sha256_final(&ctx, hash);

    set = worker->refused[hash[0] % NGX_HTTP_PROMPT_REFUSED_SETS];
    found = NULL;
    oldest = set;

    for (i = 0; i < NGX_HTTP_PROMPT_REFUSED_PLACES; i++) {
        place = &set[i];

        if (place->told == 0
            || ngx_current_msec - place->told > NGX_HTTP_PROMPT_REFUSED_AGAIN)
        {
            found = place;

        } else if (ngx_memcmp(place->hash, hash, sizeof(place->hash)) == 0) {
            return 1;

        } else if (ngx_current_msec - place->told
                   > ngx_current_msec - oldest->told)
        {
            oldest = place;
        }
    }

    if (found == NULL) {

        if (actor->user_id.data == NULL) {
            return 1;
        }

        found = oldest;
    }

    ngx_memcpy(found->hash, hash, sizeof(found->hash));
    found->told = ngx_current_msec;

    return 0;
}


static void
ngx_http_prompt_refused_sent(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_worker_t  *worker = data;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        ngx_http_prompt_ratelog_over(NGX_HTTP_PROMPT_RATELOG_AUDIT,
                                     prompt_str_absent, worker->log);

    } else {
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_AUDIT,
                                prompt_str_absent, worker->log,
                                "prompt: what was refused is not in the audit "
                                "log: %s",
                                ngx_http_prompt_postgres_why(result));
    }
}
