/*
 * Which model a version runs on.
 */

#include "conf/ngx_http_prompt_models_conf.h"


const ngx_http_prompt_model_conf_t *
ngx_http_prompt_find_model(const ngx_http_prompt_main_conf_t *pmcf,
    prompt_str_t name)
{
    ngx_uint_t                           i;
    const ngx_http_prompt_model_conf_t  *model, *best;

    best = NULL;
    model = pmcf->models.elts;

    for (i = 0; i < pmcf->models.nelts; i++) {

        if (model[i].pattern.len > name.len
            || ngx_memcmp(model[i].pattern.data, name.data,
                          model[i].pattern.len)
               != 0)
        {
            continue;
        }

        if (!model[i].prefix) {

            if (model[i].pattern.len == name.len) {
                return &model[i];
            }

            continue;
        }

        if (best == NULL || model[i].pattern.len > best->pattern.len) {
            best = &model[i];
        }
    }

    return best;
}
