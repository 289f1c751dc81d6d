/*
 * OpenAI's API over stored prompts: what prompt_openai makes of a location
 * (README.md).
 */

#ifndef NGX_HTTP_PROMPT_OPENAI_H
#define NGX_HTTP_PROMPT_OPENAI_H

#include "http/ngx_http_prompt_request.h"


extern const ngx_http_prompt_protocol_t  ngx_http_prompt_openai_protocol;

/*
 * Plans the documents of the protocol, when the engine is there: pmcf->openai.
 * NGX_ERROR: logged.
 */
ngx_int_t ngx_http_prompt_openai_configure(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf);

#endif /* NGX_HTTP_PROMPT_OPENAI_H */
