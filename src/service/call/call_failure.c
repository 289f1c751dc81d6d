/*
 * The words for a call that failed.  They say what failed, with the status
 * where there was one, and repeat nothing of the provider's.
 */

#include "service/call/call_impl.h"


static prompt_str_t ngx_http_prompt_call_words(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);
static prompt_str_t ngx_http_prompt_call_own(prompt_arena_t *arena,
    const ngx_http_prompt_provider_result_t *result);
static prompt_str_t ngx_http_prompt_call_too_large(
    ngx_http_prompt_call_t *call, unsigned status);
static prompt_json_t *ngx_http_prompt_call_boolean(prompt_arena_t *arena,
    bool is);
static bool ngx_http_prompt_call_tell(prompt_json_t *extra, const char *name,
    prompt_json_t *value);


prompt_str_t
ngx_http_prompt_call_failure(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    prompt_str_t  reason;

    reason = ngx_http_prompt_call_words(call, result);

    return reason.data != NULL ? reason
                               : prompt_str("The call failed, and the server "
                                            "is out of memory.");
}


/* what failed, with the status where there was one; absent: no memory */
static prompt_str_t
ngx_http_prompt_call_words(ngx_http_prompt_call_t *call,
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
 * one where the location refused (limit_req, return), or failed while it asked.
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

    if (result->answered) {
        return prompt_arena_printf(arena, "The model provider failed with "
                                   "status %u.", status);
    }

    return result->reached
           ? prompt_arena_printf(arena, "The model provider was asked, and not "
                                 "heard: its location answered with status "
                                 "%u.", status)
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


void
ngx_http_prompt_call_blame(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    ngx_uint_t               complete;
    prompt_execution_run_t  *run;

    run = &call->recording->run;
    complete = (result->end == NGX_HTTP_PROMPT_PROVIDER_COMPLETE);
    call->retry_after = -1;

    if (result->aborted || call->unread
        || result->end == NGX_HTTP_PROMPT_PROVIDER_CANCELLED
        || result->end == NGX_HTTP_PROMPT_PROVIDER_CUT
        || result->end == NGX_HTTP_PROMPT_PROVIDER_NOT_MADE)
    {
        return;
    }

    call->blames = 1;
    call->late = result->end == NGX_HTTP_PROMPT_PROVIDER_TIMED_OUT
                 || (!result->answered
                     && result->status == NGX_HTTP_GATEWAY_TIME_OUT);

    if (result->answered && result->status != 0) {
        run->provider_status = prompt_maybe((int64_t) result->status);
    }

    if (complete && call->model->provider->error_text) {
        run->provider_message = call->answer.said;
    }

    call->retryable = result->end == NGX_HTTP_PROMPT_PROVIDER_TIMED_OUT
                      ? !result->began
                      : ngx_http_prompt_attempt_may_retry(result)
                        && !(complete && call->answer.outcome
                                         == PROMPT_PROVIDER_QUOTA);

    if (call->retryable
        && result->retry_after != NGX_HTTP_PROMPT_PROVIDER_NO_DATE)
    {
        call->retry_after = result->retry_after / 1000
                            + (result->retry_after % 1000 != 0);
    }
}


prompt_json_t *
ngx_http_prompt_call_reason(const ngx_http_prompt_call_t *call)
{
    bool                           ok;
    prompt_json_t                 *extra;
    prompt_arena_t                *arena;
    const prompt_execution_run_t  *run;

    run = &call->recording->run;
    arena = call->root->job->arena;
    extra = prompt_json_new(arena, PROMPT_JSON_OBJECT);

    if (extra == NULL || !call->blames) {
        return extra;
    }

    ok = ngx_http_prompt_call_tell(extra, "reason",
              prompt_json_new_string(arena, prompt_str("PROVIDER")));

    if (run->provider_status.known) {
        ok &= ngx_http_prompt_call_tell(extra, "providerStatus",
                  prompt_json_new_integer(arena, run->provider_status.value));
    }

    ok &= ngx_http_prompt_call_tell(extra, "retryable",
              ngx_http_prompt_call_boolean(arena, call->retryable));

    if (call->late) {
        ok &= ngx_http_prompt_call_tell(extra, "timedOut",
                  ngx_http_prompt_call_boolean(arena, true));
    }

    if (call->retry_after >= 0) {
        ok &= ngx_http_prompt_call_tell(extra, "retryAfter",
                  prompt_json_new_integer(arena, call->retry_after));
    }

    return ok ? extra : NULL;
}


static prompt_json_t *
ngx_http_prompt_call_boolean(prompt_arena_t *arena, bool is)
{
    prompt_json_t  *value;

    value = prompt_json_new(arena, PROMPT_JSON_BOOLEAN);

    if (value != NULL) {
        value->boolean = is;
    }

    return value;
}


/* False: there is no value, as memory is short. */
static bool
ngx_http_prompt_call_tell(prompt_json_t *extra, const char *name,
    prompt_json_t *value)
{
    if (value == NULL) {
        return false;
    }

    prompt_json_set(extra, prompt_str_from(name), value);

    return true;
}
