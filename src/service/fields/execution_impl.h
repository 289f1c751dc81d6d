/*
 * Versions that are asked for, with an input: what executing them (execution.c,
 * execution_prepare.c) and rendering them (render.c) have in common.
 */

#ifndef NGX_HTTP_PROMPT_EXECUTION_IMPL_H
#define NGX_HTTP_PROMPT_EXECUTION_IMPL_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/fault.h"
#include "service/call/call.h"


/*
 * Makes root->data what the arguments promptId, version, label and subject ask
 * for (prompt_target_question_t), and a new id root->id.
 */
bool ngx_http_prompt_target_question(ngx_http_prompt_root_t *root)
    PROMPT_WARN_UNUSED;

/* Reads it; done asks whether it was found. */
void ngx_http_prompt_target_read(ngx_http_prompt_root_t *root,
    ngx_http_prompt_root_pt done);
bool ngx_http_prompt_target_found(ngx_http_prompt_root_t *root,
    ngx_http_prompt_ask_t *ask) PROMPT_WARN_UNUSED;

/* Makes its messages of the argument input: ask->request.messages. */
prompt_check_t ngx_http_prompt_render(ngx_http_prompt_root_t *root,
    ngx_http_prompt_ask_t *ask, prompt_str_t *input_text,
    prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/* The same, with notes, params and the models that are asked: all of ask. */
prompt_check_t ngx_http_prompt_prepare(ngx_http_prompt_root_t *root,
    ngx_http_prompt_ask_t *ask, prompt_str_t *input_text,
    prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/*
 * Whether all models that params may have asked have prices, and a bound of
 * what they answer.  schema: there is an output schema.
 */
prompt_check_t ngx_http_prompt_priced(ngx_http_prompt_root_t *root,
    const prompt_json_t *params, bool schema, prompt_fault_t *fault)
    PROMPT_WARN_UNUSED;

/*
 * Reads the argument draft, which is refused where a version of it would be
 * (execution_draft.c); puts it in the place of the version that was not found,
 * where the prompt is the caller's own; and whether a fault in that field is
 * the draft's, and not the input's.
 */
bool ngx_http_prompt_draft_read(ngx_http_prompt_root_t *root,
    prompt_execution_target_t *draft) PROMPT_WARN_UNUSED;
prompt_outcome_t ngx_http_prompt_draft_found(ngx_http_prompt_root_t *root,
    prompt_outcome_t outcome, const prompt_execution_target_t *draft,
    prompt_execution_target_t *row);
bool ngx_http_prompt_draft_is_wrong(const ngx_http_prompt_ask_t *ask,
    prompt_str_t field);

#endif /* NGX_HTTP_PROMPT_EXECUTION_IMPL_H */
