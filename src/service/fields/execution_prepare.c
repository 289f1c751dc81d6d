/*
 * What is asked of a model, by a version that was found: everything that can be
 * wrong before a provider is asked.
 */

#include "service/fields/execution_impl.h"

#include "prompt/messages.h"
#include "prompt/params.h"
#include "prompt/schema.h"
#include "prompt/text.h"
#include "service/call/budget.h"
#include "service/call/stream.h"
#include "service/frame/arguments.h"


static prompt_check_t ngx_http_prompt_params(ngx_http_prompt_root_t *root,
    const prompt_json_t **params, prompt_fault_t *fault) PROMPT_WARN_UNUSED;
static prompt_check_t ngx_http_prompt_notes(ngx_http_prompt_root_t *root,
    ngx_http_prompt_ask_t *ask, prompt_fault_t *fault) PROMPT_WARN_UNUSED;
static prompt_check_t ngx_http_prompt_choose_models(
    ngx_http_prompt_root_t *root, const prompt_json_t *params,
    ngx_http_prompt_ask_t *ask, prompt_fault_t *fault) PROMPT_WARN_UNUSED;
static prompt_check_t ngx_http_prompt_check_choice(prompt_arena_t *arena,
    const ngx_http_prompt_choice_t *choice, prompt_fault_t *fault)
    PROMPT_WARN_UNUSED;


/*
 * Everything that can be wrong before the provider is asked: the input, the
 * schema, the template, what is noted of it, params, the models, what they
 * cost.
 */

prompt_check_t
ngx_http_prompt_prepare(ngx_http_prompt_root_t *root,
    ngx_http_prompt_ask_t *ask, prompt_str_t *input_text,
    prompt_fault_t *fault)
{
    prompt_check_t        rc;
    const prompt_json_t  *params;

    params = ask->ref->target->params;

    rc = ngx_http_prompt_render(root, ask, input_text, fault);

    if (rc == PROMPT_CHECK_OK) {
        rc = ngx_http_prompt_notes(root, ask, fault);
    }

    if (rc == PROMPT_CHECK_OK) {
        rc = ngx_http_prompt_params(root, &params, fault);
    }

    if (rc == PROMPT_CHECK_OK) {
        rc = ngx_http_prompt_choose_models(root, params, ask, fault);
    }

    if (rc == PROMPT_CHECK_OK
        && (root->job->identity.budgets || root->job->beside.capped))
    {
        rc = ngx_http_prompt_budget_most(root->job->arena, ask, fault);
    }

    return rc;
}


prompt_check_t
ngx_http_prompt_render(ngx_http_prompt_root_t *root, ngx_http_prompt_ask_t *ask,
    prompt_str_t *input_text, prompt_fault_t *fault)
{
    prompt_check_t                     rc;
    prompt_arena_t                    *arena;
    const prompt_json_t               *input;
    const prompt_target_t             *target;
    const prompt_messages_appended_t  *appended;

    arena = root->job->arena;
    target = ask->ref->target;
    appended = &root->job->beside.appended;
    input = prompt_json_get(root->arguments, prompt_str("input"));

    ask->request.stream = ngx_http_prompt_streams(root);

    rc = root->job->beside.texts
         ? prompt_input_schema_read(arena, target->schema, input, &input, fault)
         : PROMPT_CHECK_OK;

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_text_json(arena, input, prompt_str("input"),
                              PROMPT_LIMIT_RENDERED, input_text, fault);
    }

    if (rc == PROMPT_CHECK_OK && appended->list != NULL) {
        rc = prompt_text_json(arena, appended->list, appended->place,
                              PROMPT_LIMIT_RENDERED, &ask->appended, fault);
    }

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_input_schema_validate(arena, target->schema, input, fault);
    }

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_messages_render(arena, target->messages,
                                    target->row.content, input,
                                    target->schema, appended, &ask->text,
                                    &ask->request.messages, fault);
    }

    return rc;
}


/* what the caller notes of the execution: stored with it */
static prompt_check_t
ngx_http_prompt_notes(ngx_http_prompt_root_t *root, ngx_http_prompt_ask_t *ask,
    prompt_fault_t *fault)
{
    prompt_check_t        rc;
    prompt_arena_t       *arena;
    const prompt_json_t  *metadata;

    rc = PROMPT_CHECK_OK;
    arena = root->job->arena;

    ask->subject = ngx_http_prompt_argument_text(root->arguments,
                                                 prompt_str("subject"));
    metadata = ngx_http_prompt_argument(root->arguments,
                                        prompt_str("metadata"));

    if (ask->subject.data != NULL) {
        rc = prompt_text_characters(arena, ask->subject, prompt_str("subject"),
                                    PROMPT_LIMIT_SUBJECT, fault);
    }

    if (rc == PROMPT_CHECK_OK && metadata != NULL) {
        rc = prompt_text_metadata(arena, metadata, prompt_str("metadata"),
                                  &ask->metadata, fault);
    }

    return rc;
}


/* the version's, or with overrides; what is wrong in these is named `params` */
static prompt_check_t
ngx_http_prompt_params(ngx_http_prompt_root_t *root,
    const prompt_json_t **params, prompt_fault_t *fault)
{
    prompt_check_t        rc;
    prompt_arena_t       *arena;
    const prompt_json_t  *overrides;

    arena = root->job->arena;
    overrides = ngx_http_prompt_argument(root->arguments,
                                         prompt_str("overrides"));

    if (overrides != NULL && overrides->type != PROMPT_JSON_OBJECT) {
        return prompt_text_fault(arena, prompt_str("overrides"),
                                 "must be a JSON object", fault);
    }

    if (overrides != NULL) {
        *params = prompt_params_override(arena, *params, overrides);

        if (*params == NULL) {
            return PROMPT_CHECK_NOMEM;
        }

        rc = prompt_text_json(arena, *params, prompt_str("params"),
                              PROMPT_LIMIT_PARAMS, NULL, fault);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    return prompt_params_check(arena, *params, fault);
}


/*
 * The first model, and those that params name in case it fails.  What was
 * rendered must be such that the format of each has words for it.
 */
static prompt_check_t
ngx_http_prompt_choose_models(ngx_http_prompt_root_t *root,
    const prompt_json_t *params, ngx_http_prompt_ask_t *ask,
    prompt_fault_t *fault)
{
    ngx_uint_t                 n;
    prompt_arena_t            *arena;
    prompt_check_t             rc;
    ngx_http_prompt_choice_t  *choice;

    arena = root->job->arena;
    ask->request.output_schema = ask->ref->target->output_schema;
    ask->nchoices = 1 + prompt_params_fallbacks(params);

    for (n = 0; n < ask->nchoices; n++) {
        choice = &ask->choices[n];

        rc = ngx_http_prompt_choose(root->job->request, arena, params,
                                    ask->request.output_schema != NULL, n,
                                    choice, fault);

        if (rc == PROMPT_CHECK_OK) {
            rc = ngx_http_prompt_check_choice(arena, choice, fault);
        }

        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        ngx_http_prompt_ask_choice(ask, n);

        rc = prompt_provider_check(arena, &ask->request, fault);

        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    return PROMPT_CHECK_OK;
}


prompt_check_t
ngx_http_prompt_priced(ngx_http_prompt_root_t *root,
    const prompt_json_t *params, bool schema, prompt_fault_t *fault)
{
    ngx_uint_t              n;
    prompt_arena_t         *arena;
    prompt_check_t          rc;
    ngx_http_prompt_ask_t   ask;

    arena = root->job->arena;
    rc = PROMPT_CHECK_OK;

    ngx_memzero(&ask, sizeof(ngx_http_prompt_ask_t));
    ask.nchoices = 1 + prompt_params_fallbacks(params);

    for (n = 0; n < ask.nchoices && rc == PROMPT_CHECK_OK; n++) {
        rc = ngx_http_prompt_choose(root->job->request, arena, params, schema,
                                    n, &ask.choices[n], fault);

        if (rc == PROMPT_CHECK_OK) {
            rc = ngx_http_prompt_check_choice(arena, &ask.choices[n], fault);
        }

        if (rc == PROMPT_CHECK_OK) {
            rc = ngx_http_prompt_budget_bounded(arena, &ask, n, fault);
        }
    }

    return rc;
}


/* Each must have a model that somebody serves. */
static prompt_check_t
ngx_http_prompt_check_choice(prompt_arena_t *arena,
    const ngx_http_prompt_choice_t *choice, prompt_fault_t *fault)
{
    prompt_str_t  field;

    if (choice->conf != NULL) {
        return PROMPT_CHECK_OK;
    }

    field = prompt_arena_printf(arena, "%.*s.model",
                                prompt_str_arg(choice->at));

    if (field.data == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    if (choice->model.data == NULL) {
        return prompt_fault_set(arena, fault, field,
                                "The version's params name no model, "
                                "and the service has no default.");
    }

    return prompt_fault_set(arena, fault, field,
                            "No provider serves the model \"%.*s\".",
                            prompt_str_arg(choice->model));
}
