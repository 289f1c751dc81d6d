/*
 * What the error log is told of calls: which provider failed, how, and what an
 * operator can do about it.  It has no word of what was asked or answered.
 *
 * nginx has a line of its own, with the reason, where it could not reach one;
 * once this has told of it, calls are quiet until it is over.
 */

#include "service/call/call_impl.h"

#include "base/uuid.h"
#include "io/ngx_http_prompt_ratelog.h"


static bool ngx_http_prompt_call_is_read(
    const ngx_http_prompt_provider_result_t *result);
static bool ngx_http_prompt_call_is_asked_wrong(
    const ngx_http_prompt_provider_result_t *result);
static const char *ngx_http_prompt_call_advice(
    const ngx_http_prompt_provider_result_t *result);
static void ngx_http_prompt_call_tell(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result,
    ngx_http_prompt_ratelog_e kind, prompt_str_t words);


void
ngx_http_prompt_call_ratelog(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    switch (result->end) {

    case NGX_HTTP_PROMPT_PROVIDER_CANCELLED:
    case NGX_HTTP_PROMPT_PROVIDER_CUT:
    case NGX_HTTP_PROMPT_PROVIDER_NOT_MADE:

        /* not the provider's doing */

        return;

    default:
        break;
    }

    if (result->aborted || ngx_http_prompt_call_is_read(result)) {
        return;
    }

    ngx_http_prompt_call_tell(call, result,
                              ngx_http_prompt_call_is_asked_wrong(result)
                              ? NGX_HTTP_PROMPT_RATELOG_PROVIDER_REFUSED
                              : NGX_HTTP_PROMPT_RATELOG_PROVIDER,
                              ngx_http_prompt_call_failure(call, result));
}


void
ngx_http_prompt_call_ratelog_over(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    const ngx_http_prompt_provider_conf_t  *provider;

    if (result->aborted || !ngx_http_prompt_call_is_read(result)) {
        return;
    }

    if (call->failure.data != NULL) {
        ngx_http_prompt_call_tell(call, result,
                   NGX_HTTP_PROMPT_RATELOG_PROVIDER,
                   prompt_str("Its answer could not be read, or reports an "
                              "error."));
        return;
    }

    provider = call->model->provider;

    ngx_http_prompt_ratelog_over(NGX_HTTP_PROMPT_RATELOG_PROVIDER,
                                 prompt_str_of((char *) provider->name.data,
                                               provider->name.len),
                                 call->recording->worker->log);
}


/* whether it has an answer that says what became of it when it was read */
static bool
ngx_http_prompt_call_is_read(const ngx_http_prompt_provider_result_t *result)
{
    return result->end == NGX_HTTP_PROMPT_PROVIDER_COMPLETE
           && result->status >= NGX_HTTP_OK
           && result->status < NGX_HTTP_SPECIAL_RESPONSE;
}


/* by whoever wrote the prompt, that is; others' calls are answered */
static bool
ngx_http_prompt_call_is_asked_wrong(
    const ngx_http_prompt_provider_result_t *result)
{
    return result->end == NGX_HTTP_PROMPT_PROVIDER_COMPLETE
           && (result->status == NGX_HTTP_BAD_REQUEST
               || result->status == NGX_HTTP_REQUEST_ENTITY_TOO_LARGE
               || result->status == 422);
}


static const char *
ngx_http_prompt_call_advice(const ngx_http_prompt_provider_result_t *result)
{
    switch (result->end) {

    case NGX_HTTP_PROMPT_PROVIDER_TOO_LARGE:
        return " See max_answer= of \"prompt_provider\".";

    case NGX_HTTP_PROMPT_PROVIDER_TIMED_OUT:
        return " See timeout= of \"prompt_provider\".";

    default:
        break;
    }

    if (!result->answered) {
        return " See the lines of nginx, and the provider's location.";
    }

    switch (result->status) {

    case NGX_HTTP_UNAUTHORIZED:
    case NGX_HTTP_FORBIDDEN:
        return " See the key that the provider's location sends.";

    case NGX_HTTP_NOT_FOUND:
        return " See the URI of the provider's location, and the names of "
               "models.";

    case NGX_HTTP_TOO_MANY_REQUESTS:
        return " It is asked more than it allows, or than was paid for.";

    default:
        return "";
    }
}


static void
ngx_http_prompt_call_tell(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result,
    ngx_http_prompt_ratelog_e kind, prompt_str_t words)
{
    char                                    id[PROMPT_UUID_TEXT_LEN];
    char                                    user[PROMPT_UUID_TEXT_LEN];
    prompt_uuid_t                           uuid;
    const ngx_http_prompt_provider_conf_t  *provider;

    provider = call->model->provider;

    ngx_memcpy(uuid.bytes, call->recording->run.id.data, sizeof(uuid.bytes));
    prompt_uuid_format(&uuid, id);

    ngx_memcpy(uuid.bytes, call->recording->run.caller.data,
               sizeof(uuid.bytes));
    prompt_uuid_format(&uuid, user);

    ngx_http_prompt_ratelog(kind, prompt_str_of((char *) provider->name.data,
                                                provider->name.len),
                            call->recording->worker->log,
                            "prompt: provider \"%V\", execution %*s of user "
                            "%*s: %*s%s", &provider->name, sizeof(id), id,
                            sizeof(user), user, words.len, words.data,
                            ngx_http_prompt_call_advice(result));
}
