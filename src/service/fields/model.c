/*
 * Models: what the configuration says of them.
 */

#include "service/fields/fields.h"

#include "conf/ngx_http_prompt_conf.h"


typedef struct {
    prompt_str_t   name;
    prompt_str_t   provider;
    prompt_str_t   format;
    prompt_str_t   input_usd;
    prompt_str_t   output_usd;
    char           prices[2][PROMPT_PRICE_MAX];
} ngx_http_prompt_model_t;


static void ngx_http_prompt_models(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_model_read(prompt_arena_t *arena,
    const ngx_http_prompt_model_conf_t *conf, ngx_http_prompt_model_t *model);


#define model(member)                                                        \
    .resolve = ngx_http_prompt_slot_text,                                    \
    .offset = offsetof(ngx_http_prompt_model_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_model_fields[] = {

    { .type = "Query", .name = "models",
      .scope = PROMPT_KEY_SCOPE_READ,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_models },

    { .type = "Model", .name = "name", model(name) },
    { .type = "Model", .name = "provider", model(provider) },
    { .type = "Model", .name = "format", model(format) },
    { .type = "Model", .name = "inputUsd", model(input_usd) },
    { .type = "Model", .name = "outputUsd", model(output_usd) },

    { .type = NULL }
};

#undef model


static void
ngx_http_prompt_models(ngx_http_prompt_root_t *root)
{
    ngx_uint_t                           i;
    gql_result_t                         result;
    prompt_arena_t                      *arena;
    ngx_http_prompt_list_t              *list;
    ngx_http_prompt_model_t             *models;
    ngx_http_prompt_main_conf_t         *pmcf;
    const ngx_http_prompt_model_conf_t  *conf;

    pmcf = ngx_http_get_module_main_conf(root->job->request,
                                         ngx_http_prompt_module);
    arena = root->job->arena;
    conf = pmcf->models.elts;

    list = prompt_arena_zalloc(arena, sizeof(ngx_http_prompt_list_t));
    models = prompt_arena_array(arena, pmcf->models.nelts,
                                sizeof(ngx_http_prompt_model_t));

    if (list == NULL || models == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    for (i = 0; i < pmcf->models.nelts; i++) {

        if (!ngx_http_prompt_model_read(arena, &conf[i], &models[i])) {
            ngx_http_prompt_root_fail_nomem(root);
            return;
        }
    }

    list->first = (char *) models;
    list->size = sizeof(ngx_http_prompt_model_t);
    list->count = (uint32_t) pmcf->models.nelts;

    ngx_http_prompt_result_list(list, &result);
    ngx_http_prompt_root_complete(root, &result);
}


/* False: memory. */
static bool
ngx_http_prompt_model_read(prompt_arena_t *arena,
    const ngx_http_prompt_model_conf_t *conf, ngx_http_prompt_model_t *model)
{
    model->name = prompt_arena_printf(arena, "%.*s%s", (int) conf->pattern.len,
                                      (char *) conf->pattern.data,
                                      conf->prefix ? "*" : "");
    model->provider = ngx_http_prompt_str(&conf->provider_name);
    model->format = conf->provider->format->name;
    model->input_usd = prompt_price_format(&conf->prices.input,
                                           model->prices[0]);
    model->output_usd = prompt_price_format(&conf->prices.output,
                                            model->prices[1]);

    return model->name.data != NULL;
}
