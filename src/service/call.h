/*
 * Call: a prompt that is ready to run is sent to its provider, and what comes
 * of it is recorded and answered.
 */

#ifndef NGX_HTTP_PROMPT_CALL_H
#define NGX_HTTP_PROMPT_CALL_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "prompt/provider.h"
#include "service/root.h"
#include "service/worker.h"
#include "store/execution.h"


/*
 * Runs what was rendered: input is the JSON text of the values, request what
 * the provider is asked, model who that is.  Completes root, now or later.
 * What is given needs to live only during the call.
 */
void ngx_http_prompt_call_run(ngx_http_prompt_root_t *root,
    const prompt_execution_target_t *target, prompt_str_t input,
    const prompt_provider_request_t *request,
    const ngx_http_prompt_model_conf_t *model);

#endif /* NGX_HTTP_PROMPT_CALL_H */
