/*
 * What log variables show of a call.
 */

#ifndef NGX_HTTP_PROMPT_CALL_LOG_H
#define NGX_HTTP_PROMPT_CALL_LOG_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "prompt/usage.h"
#include "service/frame/job.h"
#include "store/execution.h"


/*
 * Notes model, tokens, cost and duration for the log of job's request: copies
 * in its pool, since it is logged when all else has gone.
 */
void ngx_http_prompt_call_log(ngx_http_prompt_job_t *job,
    const prompt_execution_run_t *run, const prompt_usage_t *usage,
    ngx_msec_t duration);

#endif /* NGX_HTTP_PROMPT_CALL_LOG_H */
