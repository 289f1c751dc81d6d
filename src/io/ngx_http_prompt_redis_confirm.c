/*
 * Whether what a master has done outlives it: ROLE says how many replicas it
 * has, WAIT how many of them have come as far.
 *
 * Only those count that are connected now.  One that is not has its entries
 * from before, and they run out; who makes it a master meanwhile, so that the
 * master and the link to it were lost within that time, brings them back for
 * what is left of it (docs/directives.md, prompt_redis).
 */

#include "io/ngx_http_prompt_redis_servers_impl.h"


/* of WAIT, in ms: it holds up what is behind it on its connection */
#define REDIS_CONFIRM          "500"
#define REDIS_CONFIRM_TIMEOUT  2000


static void ngx_http_prompt_redis_confirm_ask(
    ngx_http_prompt_redis_call_t *call, const prompt_str_t *words,
    ngx_uint_t n, ngx_http_prompt_redis_done_pt done);
static void ngx_http_prompt_redis_confirm_role(void *data,
    const ngx_http_prompt_redis_reply_t *reply);
static void ngx_http_prompt_redis_confirm_replicas(void *data,
    const ngx_http_prompt_redis_reply_t *reply);


void
ngx_http_prompt_redis_confirm(ngx_http_prompt_redis_call_t *call)
{
    prompt_str_t  word;

    word = prompt_str("ROLE");

    ngx_http_prompt_redis_confirm_ask(call, &word, 1,
                                      ngx_http_prompt_redis_confirm_role);
}


/*
 * On the connection of the command itself, on which nothing else can have
 * come between: it was answered just now.
 */
static void
ngx_http_prompt_redis_confirm_ask(ngx_http_prompt_redis_call_t *call,
    const prompt_str_t *words, ngx_uint_t n,
    ngx_http_prompt_redis_done_pt done)
{
    call->command = ngx_http_prompt_redis_command(call->node->durable, words,
                                                  n, REDIS_CONFIRM_TIMEOUT,
                                                  done, call);
    if (call->command == NULL) {
        ngx_http_prompt_redis_call_again(call);
    }
}


static void
ngx_http_prompt_redis_confirm_role(void *data,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_redis_call_t  *call = data;

    u_char                         number[NGX_INT64_LEN];
    const redisReply              *role, *replicas;
    prompt_str_t                   words[3];

    call->command = NULL;
    role = reply->array;

    if (role == NULL || !ngx_http_prompt_redis_master(role)
        || role->elements < 3 || role->element[2]->type != REDIS_REPLY_ARRAY)
    {
        ngx_http_prompt_redis_call_again(call);
        return;
    }

    replicas = role->element[2];

    if (replicas->elements == 0) {
        ngx_http_prompt_redis_call_confirmed(call);
        return;
    }

    call->replicas = replicas->elements;

    words[0] = prompt_str("WAIT");
    words[1] = prompt_str_of((char *) number,
                             ngx_sprintf(number, "%uz", replicas->elements)
                             - number);
    words[2] = prompt_str(REDIS_CONFIRM);

    ngx_http_prompt_redis_confirm_ask(call, words, 3,
                                      ngx_http_prompt_redis_confirm_replicas);
}


static void
ngx_http_prompt_redis_confirm_replicas(void *data,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_redis_call_t  *call = data;

    call->command = NULL;

    if (reply->kind != NGX_HTTP_PROMPT_REDIS_INTEGER
        || reply->integer < (int64_t) call->replicas)
    {
        ngx_http_prompt_redis_call_again(call);
        return;
    }

    ngx_http_prompt_redis_call_confirmed(call);
}
