/*
 * Model Context Protocol over stored prompts: what prompt_mcp makes of a
 * location (README.md).
 */

#ifndef NGX_HTTP_PROMPT_MCP_H
#define NGX_HTTP_PROMPT_MCP_H

#include "http/ngx_http_prompt_request.h"


extern const ngx_http_prompt_protocol_t  ngx_http_prompt_mcp_protocol;

#endif /* NGX_HTTP_PROMPT_MCP_H */
