/*
 * The directive prompt_mcp: what it says beside its location.
 */

#include "conf/ngx_http_prompt_conf.h"
#include "conf/ngx_http_prompt_parameters.h"

#include "base/utf8.h"


static const ngx_http_prompt_parameter_t  ngx_http_prompt_mcp_parameters[] =
{
    { ngx_string("instructions"), &ngx_http_prompt_text,
      offsetof(ngx_http_prompt_loc_conf_t, instructions), NULL, NULL, NULL,
      "a text for models, such as \"instructions=Prompts of our support.\"" },

    ngx_http_prompt_no_parameter("")
};


ngx_int_t
ngx_http_prompt_conf_mcp(ngx_conf_t *cf, ngx_http_prompt_loc_conf_t *plcf)
{
    ngx_str_t  *text;

    if (ngx_http_prompt_parameters(cf, 1, ngx_http_prompt_mcp_parameters, plcf)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    text = &plcf->instructions;

    if (!prompt_utf8_valid(prompt_str_of((char *) text->data, text->len))) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "parameter \"instructions\" of \"prompt_mcp\" is "
                           "not UTF-8");
        return NGX_ERROR;
    }

    /* MCP, "Cancellation": who closes a stream has cancelled the request */

    plcf->stops = 1;

    return NGX_OK;
}
