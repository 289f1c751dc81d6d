/*
 * Call: a prompt that is ready to run is sent to its provider, and what comes
 * of it is recorded and answered.
 */

#ifndef NGX_HTTP_PROMPT_CALL_H
#define NGX_HTTP_PROMPT_CALL_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "provider/provider.h"
#include "service/frame/root.h"
#include "service/worker/worker.h"
#include "store/target_cache.h"


/* a model that may be asked */
typedef struct {
    const ngx_http_prompt_model_conf_t  *conf;     /* NULL: none serves it */
    const prompt_json_t                 *params;   /* for its provider */
    prompt_str_t                         model;    /* absent: none is named */
    prompt_str_t                         at;       /* `params`, or a fallback */
} ngx_http_prompt_choice_t;


/* a reference to a target, in the request's pool; NULL: no more */
typedef struct {
    prompt_target_t                     *target;
} ngx_http_prompt_ref_t;


/* What is asked, and of whom, one after the other until one answers. */
typedef struct {
    ngx_http_prompt_ref_t               *ref;      /* until nobody else will be
                                                      asked, or the request
                                                      ends */

    /* who reads the target, where it turns out not to be the answer any more */
    ngx_http_prompt_root_pt              read;
    bool                                 kept;     /* it was not read for this
                                                      execution */

    prompt_provider_request_t            request;  /* what a choice says is set
                                                      when it is asked */
    prompt_buf_t                         text;     /* request points into it */
    prompt_str_t                         appended; /* JSON text; absent: no
                                                      messages came with it */
    prompt_str_t                         subject;  /* noted with it; absent:
                                                      nothing */
    prompt_str_t                         metadata; /* JSON text; the same */
    prompt_str_t                         reserved; /* the most that it costs, US
                                                      dollars; absent: there is
                                                      no budget */
    ngx_uint_t                           nchoices; /* 1 or more */
    ngx_http_prompt_choice_t             choices[1 + PROMPT_LIMIT_FALLBACKS];
} ngx_http_prompt_ask_t;


/* the model that params name, or that of the service; absent: there is none */
prompt_str_t ngx_http_prompt_model_of(ngx_http_request_t *r,
    const prompt_json_t *params);

/*
 * Makes *choice what params (checked) say of their n-th choice, 0 being the
 * first model, and checks them against the format of its provider, where it has
 * one.  schema: there is an output schema.  It lives in the arena, and shares
 * values with params.
 */
prompt_check_t ngx_http_prompt_choose(ngx_http_request_t *r,
    prompt_arena_t *arena, const prompt_json_t *params, bool schema,
    ngx_uint_t n, ngx_http_prompt_choice_t *choice, prompt_fault_t *fault)
    PROMPT_WARN_UNUSED;

/*
 * Takes the reference to the target: the request has it from now on.
 * NGX_ERROR: memory.
 */
ngx_int_t ngx_http_prompt_ask_init(ngx_http_prompt_root_t *root,
    ngx_http_prompt_ask_t *ask, prompt_target_t *target);

/* Nobody else will be asked: gives back target and text.  May be repeated. */
void ngx_http_prompt_ask_end(ngx_http_prompt_ask_t *ask);

/* Whether nobody is asked before its row is known to be there. */
static ngx_inline bool
ngx_http_prompt_ask_waits(const ngx_http_prompt_ask_t *ask)
{
    return ask->kept || ask->reserved.data != NULL;
}

/* Makes ask->request what its choice n is asked; the messages stay. */
void ngx_http_prompt_ask_choice(ngx_http_prompt_ask_t *ask, ngx_uint_t n);

/*
 * Runs what was rendered: input is the JSON text of the values; root->data is
 * the question (prompt_target_question_t).  Completes root, now or later.
 * Takes over what ask holds, and copies it; what that points to lives in the
 * root's arena or in the target.
 */
void ngx_http_prompt_call_run(ngx_http_prompt_root_t *root, prompt_str_t input,
    ngx_http_prompt_ask_t *ask);

#endif /* NGX_HTTP_PROMPT_CALL_H */
