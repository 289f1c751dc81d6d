/*
 * GraphQL over HTTP: see the drawing in ARCHITECTURE.md.
 */

#ifndef NGX_HTTP_PROMPT_GRAPHQL_H
#define NGX_HTTP_PROMPT_GRAPHQL_H

#include "http/ngx_http_prompt_request.h"


extern const ngx_http_prompt_protocol_t  ngx_http_prompt_graphql_protocol;

#endif /* NGX_HTTP_PROMPT_GRAPHQL_H */
