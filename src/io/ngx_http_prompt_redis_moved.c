/*
 * Where else a command is to go, as servers of a cluster answer: MOVED, ASK,
 * TRYAGAIN.
 */

#include "io/ngx_http_prompt_redis_servers_impl.h"


#define REDIS_MAX_MOVES  16
#define REDIS_SHUT       2000                    /* ms */


static ngx_uint_t ngx_http_prompt_redis_is_shut(
    ngx_http_prompt_redis_call_t *call);


ngx_uint_t
ngx_http_prompt_redis_call_moved(ngx_http_prompt_redis_call_t *call,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_uint_t                        place;
    prompt_str_t                      host;
    prompt_redis_redirect_t           redirect;
    ngx_http_prompt_redis_servers_t  *servers;
    u_char                            text[NGX_SOCKADDR_STRLEN];

    servers = call->servers;

    prompt_redis_redirect(reply->text, &redirect);

    if (redirect.turn == PROMPT_REDIS_STAYS
        || call->moves++ >= REDIS_MAX_MOVES
        || servers->nparked >= NGX_HTTP_PROMPT_REDIS_MAX_PARKED)
    {
        return 0;
    }

    if (redirect.turn == PROMPT_REDIS_ASK && !call->durable
        && ngx_http_prompt_redis_is_shut(call))
    {
        return 0;
    }

    if (redirect.turn == PROMPT_REDIS_AGAIN) {

        /*
         * A node has some keys of a command, and the other node the rest.
         * What can be repeated is done key by key, the last one first: whoever
         * fills the cache writes an entry only with the lease, which stands
         * behind it.
         */

        if (call->durable && call->single == 0 && call->n >= 3) {
            call->single = call->n - 1;
            call->moves = 0;
            ngx_http_prompt_redis_call_go(call);

        } else {
            ngx_http_prompt_redis_call_park(call);
        }

        return 1;
    }

    host = redirect.host;

    if (host.len == 0) {
        host = prompt_str_of((char *) text,
                             ngx_sock_ntop(call->node->addr.sockaddr,
                                           call->node->addr.socklen, text,
                                           sizeof(text), 0));
    }

    place = ngx_http_prompt_redis_node(servers, host, redirect.port);

    if (place == NGX_HTTP_PROMPT_REDIS_NO_NODE) {
        return 0;
    }

    /* the next map says whether it belongs there */

    servers->nodes[place]->seen = servers->map;

    if (redirect.turn == PROMPT_REDIS_ASK) {
        call->way = REDIS_CALL_ASK;
        call->ask = place;

    } else {
        call->way = REDIS_CALL_BY_MAP;
        servers->slots[redirect.slot] = (uint16_t) place;
        servers->stale = 1;
        ngx_http_prompt_redis_servers_wake(servers, 1);
    }

    ngx_http_prompt_redis_call_go(call);

    return 1;
}


void
ngx_http_prompt_redis_shut(ngx_http_prompt_redis_call_t *call)
{
    ngx_http_prompt_redis_shut_t     *shut;
    ngx_http_prompt_redis_servers_t  *servers;

    servers = call->servers;

    if (call->way == REDIS_CALL_BY_MAP || ngx_http_prompt_redis_is_shut(call)) {
        return;
    }

    shut = &servers->shut[servers->nshut++ % NGX_HTTP_PROMPT_REDIS_SHUT];

    shut->slot = call->slot;
    shut->until = ngx_current_msec + REDIS_SHUT;
}


static ngx_uint_t
ngx_http_prompt_redis_is_shut(ngx_http_prompt_redis_call_t *call)
{
    ngx_uint_t                        i, n;
    ngx_http_prompt_redis_shut_t     *shut;
    ngx_http_prompt_redis_servers_t  *servers;

    servers = call->servers;
    n = ngx_min(servers->nshut, NGX_HTTP_PROMPT_REDIS_SHUT);

    for (i = 0; i < n; i++) {
        shut = &servers->shut[i];

        if (shut->slot == call->slot
            && (ngx_msec_int_t) (shut->until - ngx_current_msec) > 0)
        {
            return 1;
        }
    }

    return 0;
}
