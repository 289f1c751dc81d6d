/*
 * Timers, and the time; how long to wait before something is tried again.
 *
 * Debug logs of nginx take what a timer's event points to for a connection,
 * and read its descriptor.  So it points to the timer, which begins like one,
 * and the timer points to its owner.
 */

#ifndef NGX_HTTP_PROMPT_TIMER_H
#define NGX_HTTP_PROMPT_TIMER_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>


typedef struct {
    void          *owner;
    void          *unused[2];
    ngx_socket_t   fd;               /* -1 */
    ngx_event_t    event;
} ngx_http_prompt_timer_t;


/* handler gets the event; log lives as long as the timer */
static ngx_inline void
ngx_http_prompt_timer_init(ngx_http_prompt_timer_t *timer,
    ngx_event_handler_pt handler, void *owner, ngx_log_t *log)
{
    timer->owner = owner;
    timer->fd = (ngx_socket_t) -1;
    timer->event.data = timer;
    timer->event.handler = handler;
    timer->event.log = log;
}


/* in a handler: whose timer it is */
static ngx_inline void *
ngx_http_prompt_timer_owner(const ngx_event_t *ev)
{
    return ((ngx_http_prompt_timer_t *) ev->data)->owner;
}


/* where it runs */
static ngx_inline void
ngx_http_prompt_timer_stop(ngx_http_prompt_timer_t *timer)
{
    if (timer->event.timer_set) {
        ngx_del_timer(&timer->event);
    }
}


/* from ms to twice as long: who does it at the same moment does not again */
static ngx_inline ngx_msec_t
ngx_http_prompt_jitter(ngx_msec_t ms)
{
    return ms + (ngx_msec_t) ngx_random() % (ms + 1);
}


/* how long to wait after the n-th failure in a row, from 0: 50 ms to 1 s */
static ngx_inline ngx_msec_t
ngx_http_prompt_backoff(ngx_uint_t n)
{
    return ngx_min((ngx_msec_t) 50 << ngx_min(n, 5), 1000);
}


/* milliseconds since 1970, of nginx's clock */
static ngx_inline int64_t
ngx_http_prompt_now_ms(void)
{
    ngx_time_t  *tp;

    tp = ngx_timeofday();

    return (int64_t) tp->sec * 1000 + tp->msec;
}

#endif /* NGX_HTTP_PROMPT_TIMER_H */
