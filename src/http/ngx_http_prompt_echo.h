/*
 * prompt_echo: a stand-in for a model provider.
 *
 * Speaks the OpenAI chat completions form: it answers with the text of the
 * last message that it was sent and counts tokens as words between white
 * space.  For demonstrations and tests, where no provider is to be paid.
 */

#ifndef NGX_HTTP_PROMPT_ECHO_H
#define NGX_HTTP_PROMPT_ECHO_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* The directive's handler: makes the location a provider. */
char *ngx_http_prompt_echo(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

#endif /* NGX_HTTP_PROMPT_ECHO_H */
