/*
 * The words for a call that failed.  They say what failed, with the status
 * where there was one, and repeat nothing of the provider's.
 */

#include "service/call/call_impl.h"


static prompt_str_t ngx_http_prompt_call_reason(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);
static prompt_str_t ngx_http_prompt_call_own(prompt_arena_t *arena,
    const ngx_http_prompt_provider_result_t *result);
static prompt_str_t ngx_http_prompt_call_too_large(
    ngx_http_prompt_call_t *call, unsigned status);


prompt_str_t
ngx_http_prompt_call_failure(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    prompt_str_t  reason;

    reason = ngx_http_prompt_call_reason(call, result);

    return reason.data != NULL ? reason
                               : prompt_str("The call failed, and the server "
                                            "is out of memory.");
}


/* what failed, with the status where there was one; absent: no memory */

static prompt_str_t
ngx_http_prompt_call_reason(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    unsigned         status;
    unsigned long    timeout;
    prompt_arena_t  *arena;

    arena = call->recording->arena;
    status = (unsigned) result->status;
    timeout = (unsigned long) call->model->provider->timeout;

    if (result->end == NGX_HTTP_PROMPT_PROVIDER_TIMED_OUT) {
        return result->answered && status != 0
               ? prompt_arena_printf(arena, "The model provider timed out: its "
                                     "answer with status %u was not complete "
                                     "within %lu ms.", status, timeout)
               : prompt_arena_printf(arena, "The model provider timed out: "
                                     "no answer within %lu ms.", timeout);
    }

    if (result->end == NGX_HTTP_PROMPT_PROVIDER_CANCELLED) {
        return prompt_str("The client disconnected, and the call was "
                          "cancelled.");
    }

    if (result->aborted || result->end == NGX_HTTP_PROMPT_PROVIDER_CUT) {
        return prompt_str("The call was cut off: the server ended the "
                          "request.");
    }

    switch (result->end) {

    case NGX_HTTP_PROMPT_PROVIDER_TOO_LARGE:
        return ngx_http_prompt_call_too_large(call, status);

    case NGX_HTTP_PROMPT_PROVIDER_NOT_MADE:
        return prompt_str("The call was not made: the server is out of "
                          "memory.");

    case NGX_HTTP_PROMPT_PROVIDER_INTERIM:
        return prompt_arena_printf(arena, "The model provider sent an interim "
                                   "answer, status %u, before the answer "
                                   "itself, which was not read.", status);

    case NGX_HTTP_PROMPT_PROVIDER_TRUNCATED:
        return prompt_arena_printf(arena, "The model provider's answer with "
                                   "status %u is incomplete: the connection "
                                   "broke.", status);

    case NGX_HTTP_PROMPT_PROVIDER_REFUSED:
        return prompt_str("The model provider's answer was refused: it tried "
                          "to redirect the server.");

    default:
        return ngx_http_prompt_call_own(arena, result);
    }
}


/*
 * What nginx itself says in place of the provider: 502 and 504 where it asked
 * in vain, the provider's status where the location intercepts errors, another
 * one where the location refused (limit_req, return).
 */

static prompt_str_t
ngx_http_prompt_call_own(prompt_arena_t *arena,
    const ngx_http_prompt_provider_result_t *result)
{
    unsigned  status;

    status = (unsigned) result->status;

    if (status == NGX_HTTP_GATEWAY_TIME_OUT) {
        return prompt_str("The model provider timed out: nginx stopped "
                          "waiting, status 504.");
    }

    if (status == 0 || status == NGX_HTTP_BAD_GATEWAY) {
        return result->answered
               ? prompt_str("The model provider's answer could not be read "
                            "by nginx, status 502.")
               : prompt_str("The model provider could not be reached.");
    }

    return result->answered
           ? prompt_arena_printf(arena, "The model provider failed with "
                                 "status %u.", status)
           : prompt_arena_printf(arena, "The model provider was not asked: "
                                 "its location answered with status %u.",
                                 status);
}


static prompt_str_t
ngx_http_prompt_call_too_large(ngx_http_prompt_call_t *call, unsigned status)
{
    size_t       size;
    const char  *unit;

    size = call->model->provider->max_answer;
    unit = "bytes";

    if (size % (1024 * 1024) == 0) {
        size /= 1024 * 1024;
        unit = "MiB";

    } else if (size % 1024 == 0) {
        size /= 1024;
        unit = "KiB";
    }

    return prompt_arena_printf(call->recording->arena, "The model provider's "
                               "answer with status %u is larger than %zu %s.",
                               status, size, unit);
}
