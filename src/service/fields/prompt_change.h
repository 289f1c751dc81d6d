/*
 * Changes of prompts: the root fields createPrompt, updatePrompt, forkPrompt
 * and deletePrompt.
 */

#ifndef NGX_HTTP_PROMPT_PROMPT_CHANGE_H
#define NGX_HTTP_PROMPT_PROMPT_CHANGE_H

#include "service/frame/root.h"


/* starts of root fields */
void ngx_http_prompt_create(ngx_http_prompt_root_t *root);
void ngx_http_prompt_update(ngx_http_prompt_root_t *root);
void ngx_http_prompt_fork(ngx_http_prompt_root_t *root);  /* prompt_fork.c */
void ngx_http_prompt_delete(ngx_http_prompt_root_t *root);

/*
 * Appends to a change that was bound, or not for lack of memory, the reads of
 * what is selected of the prompt: they are of the same transaction.
 */
bool ngx_http_prompt_change_read(ngx_http_prompt_root_t *root,
    prompt_query_t *query, bool bound, prompt_str_t id) PROMPT_WARN_UNUSED;

/* the same, and sends it */
void ngx_http_prompt_change_send(ngx_http_prompt_root_t *root,
    prompt_query_t *query, bool bound, prompt_str_t id,
    ngx_http_prompt_root_pt done);

/* Completes it with what came of the change (prompt_changed_row()). */
void ngx_http_prompt_changed_done(ngx_http_prompt_root_t *root);

#endif /* NGX_HTTP_PROMPT_PROMPT_CHANGE_H */
