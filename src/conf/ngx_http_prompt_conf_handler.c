/*
 * The handler of a location: who sets it, who else did, who inherits it.
 */

#include "conf/ngx_http_prompt_conf.h"


char *
ngx_http_prompt_conf_handler(ngx_conf_t *cf, ngx_http_prompt_loc_conf_t *plcf,
    ngx_http_handler_pt handler)
{
    ngx_str_t                 *arg;
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    if (clcf->handler == handler) {
        return "is duplicate";
    }

    if (clcf->handler != NULL) {
        return "conflicts with another handler of the same location: give "
               "each a location of its own";
    }

    arg = cf->args->elts;

    clcf->handler = handler;

    plcf->handler = handler;
    plcf->directive = arg[0];
    plcf->file = cf->conf_file->file.name;
    plcf->line = cf->conf_file->line;

    return NGX_CONF_OK;
}


char *
ngx_http_prompt_conf_location(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    return ngx_http_prompt_conf_handler(cf, conf,
                                        (ngx_http_handler_pt) cmd->post);
}


char *
ngx_http_prompt_conf_check_handler(ngx_conf_t *cf,
    ngx_http_prompt_loc_conf_t *plcf)
{
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    if (plcf->handler == NULL || plcf->handler == clcf->handler) {
        return NGX_CONF_OK;
    }

    ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                  "\"%V\" conflicts with another handler of location \"%V\", "
                  "such as proxy_pass: give each a location of its own, in "
                  "%V:%ui", &plcf->directive, &clcf->name, &plcf->file,
                  plcf->line);

    return NGX_CONF_ERROR;
}


void
ngx_http_prompt_conf_inherit_handler(ngx_conf_t *cf,
    const ngx_http_prompt_loc_conf_t *parent,
    ngx_http_prompt_loc_conf_t *plcf)
{
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    if (!clcf->noname || clcf->handler != NULL || parent->handler == NULL) {
        return;
    }

    clcf->handler = parent->handler;

    plcf->handler = parent->handler;
    plcf->directive = parent->directive;
    plcf->file = parent->file;
    plcf->line = parent->line;
    plcf->protocol = parent->protocol;
    plcf->stops = parent->stops;
    plcf->instructions = parent->instructions;
    plcf->console = parent->console;
    plcf->session = parent->session;
    plcf->dashboard = parent->dashboard;
}
