/*
 * Room for what a mutation makes of long lists that it was given: it is larger
 * than they are, so a worker makes it where it has room, as for an answer that
 * can be long; that of one mutation of a user at a time.
 */

#ifndef NGX_HTTP_PROMPT_ROOM_H
#define NGX_HTTP_PROMPT_ROOM_H

#include "service/frame/root.h"


/* Calls begin when there is room; else completes root, which does nothing. */
void ngx_http_prompt_room_wait(ngx_http_prompt_root_t *root,
    ngx_http_prompt_root_pt begin);

/* Gives it back; completes nothing. */
void ngx_http_prompt_room_leave(ngx_http_prompt_root_t *root);

#endif /* NGX_HTTP_PROMPT_ROOM_H */
