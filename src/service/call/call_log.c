/*
 * What log variables show of a call.
 */

#include "service/call/call_log.h"


static prompt_str_t ngx_http_prompt_call_copy(ngx_pool_t *pool,
    prompt_str_t text);


void
ngx_http_prompt_call_log(ngx_http_prompt_job_t *job,
    const prompt_execution_run_t *run, const prompt_usage_t *usage,
    ngx_msec_t duration)
{
    ngx_pool_t             *pool;
    ngx_http_prompt_log_t  *log;

    pool = job->request->pool;
    log = &job->log;

    log->tokens_in = usage->in;
    log->tokens_out = usage->out;
    log->provider_ms = (int64_t) duration;
    log->model = ngx_http_prompt_call_copy(pool, run->model);
    log->cost_usd = ngx_http_prompt_call_copy(pool, run->cost_usd);
}


/*
 * Absent stays absent; so is a copy for which there is no memory.  A user
 * chose the model's name, and an operator may put it into a header or a log
 * that escapes nothing: control characters become question marks.
 */

static prompt_str_t
ngx_http_prompt_call_copy(ngx_pool_t *pool, prompt_str_t text)
{
    size_t   i;
    u_char  *copy;

    if (text.data == NULL) {
        return prompt_str_absent;
    }

    copy = ngx_pnalloc(pool, text.len);
    if (copy == NULL) {
        return prompt_str_absent;
    }

    for (i = 0; i < text.len; i++) {
        copy[i] = (u_char) text.data[i];

        if (copy[i] < 0x20 || copy[i] == 0x7f) {
            copy[i] = '?';
        }
    }

    return prompt_str_of((char *) copy, text.len);
}
