/*
 * OpenAI's API over stored prompts: what prompt_openai makes of a location
 * (README.md).
 */

#ifndef NGX_HTTP_PROMPT_OPENAI_H
#define NGX_HTTP_PROMPT_OPENAI_H

#include "http/ngx_http_prompt_request.h"


extern const ngx_http_prompt_protocol_t  ngx_http_prompt_openai_protocol;

#endif /* NGX_HTTP_PROMPT_OPENAI_H */
