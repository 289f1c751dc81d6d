/*
 * A socket that a library has opened, and closes: libpq's, libcurl's.  The
 * event loop only watches it.
 */

#ifndef NGX_HTTP_PROMPT_SOCKET_H
#define NGX_HTTP_PROMPT_SOCKET_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>


/*
 * A connection whose events go to the handlers, with data; nothing is waited
 * for yet.  NULL: nginx has no connection left.
 */
ngx_connection_t *ngx_http_prompt_socket_watch(ngx_socket_t fd, void *data,
    ngx_event_handler_pt read, ngx_event_handler_pt write, ngx_log_t *log);

/*
 * Takes it out of the event loop, and leaves it to the library.  flags: 0, or
 * NGX_CLOSE_EVENT where it is closed next.
 */
void ngx_http_prompt_socket_unwatch(ngx_connection_t *c, ngx_uint_t flags);

/* Waits for an event, NGX_READ_EVENT or NGX_WRITE_EVENT, or does not. */
ngx_int_t ngx_http_prompt_socket_want(ngx_event_t *ev, ngx_int_t event,
    ngx_uint_t wanted);

#endif /* NGX_HTTP_PROMPT_SOCKET_H */
