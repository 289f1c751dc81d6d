/*
 * A socket that a library has opened, and closes.
 */

#include "io/ngx_http_prompt_socket.h"


ngx_connection_t *
ngx_http_prompt_socket_watch(ngx_socket_t fd, void *data,
    ngx_event_handler_pt read, ngx_event_handler_pt write, ngx_log_t *log)
{
    ngx_connection_t  *c;

    c = ngx_get_connection(fd, log);
    if (c == NULL) {
        return NULL;
    }

    c->shared = 1;                               /* the library closes it */
    c->data = data;
    c->log = log;
    c->read->log = log;
    c->write->log = log;
    c->read->handler = read;
    c->write->handler = write;
    c->log_error = NGX_ERROR_ERR;

    return c;
}


void
ngx_http_prompt_socket_unwatch(ngx_connection_t *c, ngx_uint_t flags)
{
    if (c->read->active || c->read->disabled) {
        (void) ngx_del_event(c->read, NGX_READ_EVENT, flags);
    }

    if (c->write->active || c->write->disabled) {
        (void) ngx_del_event(c->write, NGX_WRITE_EVENT, flags);
    }

    ngx_close_connection(c);
}


ngx_int_t
ngx_http_prompt_socket_want(ngx_event_t *ev, ngx_int_t event,
    ngx_uint_t wanted)
{
    if (wanted && !ev->active) {
        return ngx_add_event(ev, event, NGX_LEVEL_EVENT);
    }

    if (!wanted && ev->active) {
        return ngx_del_event(ev, event, 0);
    }

    return NGX_OK;
}
