/*
 * Choices: which model is asked by params, and by each fallback in them, as
 * configured now.
 */

#include "service/call/call.h"

#include "prompt/params.h"
#include "prompt/text.h"


prompt_check_t
ngx_http_prompt_choose(ngx_http_request_t *r, prompt_arena_t *arena,
    const prompt_json_t *params, bool schema, ngx_uint_t n,
    ngx_http_prompt_choice_t *choice, prompt_fault_t *fault)
{
    prompt_str_t                  form;
    prompt_provider_rules_t       rules;
    ngx_http_prompt_main_conf_t  *pmcf;

    pmcf = ngx_http_get_module_main_conf(r, ngx_http_prompt_module);

    choice->at = n == 0 ? prompt_str("params")
                        : prompt_arena_printf(arena, "params.fallbacks.%u",
                                              (unsigned) n - 1);
    choice->params = prompt_params_choice(arena, params, (unsigned) n);

    if (choice->at.data == NULL || choice->params == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    choice->conf = NULL;
    choice->model = ngx_http_prompt_model_of(r, choice->params);

    form = schema ? prompt_provider_output_form(choice->params)
                  : prompt_str_absent;

    if (form.data != NULL) {
        return prompt_text_fault(arena,
                                 prompt_arena_printf(arena, "%.*s.%.*s",
                                                     prompt_str_arg(choice->at),
                                                     prompt_str_arg(form)),
                                 "must not be given beside outputSchema",
                                 fault);
    }

    if (choice->model.data != NULL) {
        choice->conf = ngx_http_prompt_find_model(pmcf, choice->model);
    }

    if (choice->conf == NULL) {
        return PROMPT_CHECK_OK;
    }

    rules.allow = choice->conf->provider->allow;
    rules.max_tokens = (int64_t) choice->conf->provider->max_tokens;
    rules.max_tokens_as = choice->conf->max_tokens_as;

    return prompt_provider_check_params(arena, choice->conf->provider->format,
                                        &rules, choice->at, choice->params,
                                        fault);
}


prompt_str_t
ngx_http_prompt_model_of(ngx_http_request_t *r, const prompt_json_t *params)
{
    prompt_str_t                  model;
    ngx_http_prompt_main_conf_t  *pmcf;

    pmcf = ngx_http_get_module_main_conf(r, ngx_http_prompt_module);

    model = prompt_params_model(params);

    return model.data != NULL || pmcf->default_model.len == 0
           ? model : prompt_str_of((char *) pmcf->default_model.data,
                                   pmcf->default_model.len);
}
