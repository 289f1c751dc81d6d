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


/* a model that may be asked */
typedef struct {
    const ngx_http_prompt_model_conf_t  *conf;
    const prompt_json_t                 *params;   /* for its provider */
    prompt_str_t                         model;
} ngx_http_prompt_choice_t;


/* What is asked, and of whom, one after the other until one answers. */
typedef struct {
    prompt_provider_request_t            request;  /* what a choice says is set
                                                      when it is asked */
    prompt_buf_t                         text;     /* request points into it */
    ngx_uint_t                           nchoices; /* 1 or more */
    ngx_http_prompt_choice_t             choices[1 + PROMPT_LIMIT_FALLBACKS];
} ngx_http_prompt_ask_t;


/* Makes ask->request what its choice n is asked; the messages stay. */
void ngx_http_prompt_ask_choice(ngx_http_prompt_ask_t *ask, ngx_uint_t n);

/*
 * Runs what was rendered: input is the JSON text of the values.  Completes
 * root, now or later.  Takes what ask->text holds.  ask itself needs to live
 * only during the call; what it and target point to lives in the root's arena
 * or in the rows of its query, which are given back when nobody else will be
 * asked.
 */
void ngx_http_prompt_call_run(ngx_http_prompt_root_t *root,
    const prompt_execution_target_t *target, prompt_str_t input,
    const ngx_http_prompt_ask_t *ask);

#endif /* NGX_HTTP_PROMPT_CALL_H */
