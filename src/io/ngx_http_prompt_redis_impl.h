/*
 * Inside Redis: what commands and connection know of each other.
 *
 * The socket is nginx's own; of hiredis only the protocol is used (its
 * formatter and its reader), which is the same in 0.14 and 1.x.  Its
 * asynchronous contexts would bring a second owner of the socket, a life
 * cycle that differs between versions, and an assert() on answers nobody
 * asked for.  README.md has the states.  Nobody else includes this header.
 */

#ifndef NGX_HTTP_PROMPT_REDIS_IMPL_H
#define NGX_HTTP_PROMPT_REDIS_IMPL_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>
#include <ngx_event_connect.h>

#include <hiredis/hiredis.h>

#include "base/buf.h"
#include "io/ngx_http_prompt_names.h"
#include "io/ngx_http_prompt_redis.h"
#include "io/ngx_http_prompt_state.h"
#include "io/ngx_http_prompt_timer.h"


/*
 * The life of a connection.
 *
 *    WAITING ──► CONNECTING ──► HANDSHAKE ──► READY ──► DRAINING
 *       ▲            │              │           │           │
 *       └────────────┴──────────────┴───────────┴───────────┘
 */
typedef enum {
    REDIS_WAITING = 0,               /* timer: try again */
    REDIS_CONNECTING,                /* timer: give up */
    REDIS_HANDSHAKE,                 /* timer: give up */
    REDIS_READY,                     /* timer, while late: give up */
    REDIS_DRAINING                   /* the same; it takes no new command, and
                                        is made again when all are answered */
} ngx_http_prompt_redis_state_e;

#define ngx_http_prompt_redis_is_up(redis)  ((redis)->state >= REDIS_READY)


/*
 * A command in flight, in the order sent.  It stays here until its answer
 * comes, however late: only so answers and commands stay in step.
 */
struct ngx_http_prompt_redis_command_s {
    ngx_http_prompt_redis_t          *redis;
    void                             *data;
    ngx_http_prompt_redis_done_pt     done;      /* NULL: nobody waits */

    unsigned                          late:1;
    ngx_http_prompt_timer_t           timer;
    ngx_http_prompt_redis_command_t  *next;
};


struct ngx_http_prompt_redis_s {
    ngx_http_prompt_redis_conf_t      *conf;
    ngx_connection_t                  *connection;
    redisReader                       *reader;

    ngx_http_prompt_redis_state_e      state;
    ngx_http_prompt_timer_t            timer;      /* of the state */
    ngx_msec_t                         patience;   /* before giving up */

    ngx_uint_t                         addr;       /* next to be tried */
    ngx_uint_t                         attempts;   /* failed since it was
                                                      ready */
    ngx_uint_t                         handshake;  /* answers still to come */
    ngx_uint_t                         late;       /* in flight, overdue */

    prompt_buf_t                       out;
    size_t                             sent;       /* of out */
    ngx_http_prompt_redis_command_t   *first;      /* in flight, as sent */
    ngx_http_prompt_redis_command_t  **last;

    ngx_http_prompt_names_t           *names;      /* to be looked up where it
                                                      fails; or NULL */
    ngx_peer_connection_t              peer;
    ngx_sockaddr_t                     sockaddr;   /* its own */
    ngx_log_t                          log;
    ngx_log_t                          quiet;      /* alerts only */

    ngx_http_prompt_redis_stats_t      stats;
};


/* whose fault it is */
static ngx_inline prompt_str_t
ngx_http_prompt_redis_name(const ngx_http_prompt_redis_conf_t *conf)
{
    return prompt_str_of((char *) conf->name.data, conf->name.len);
}


/* The connection, as commands see it. */

/* The one place where the state changes. */
void ngx_http_prompt_redis_become(ngx_http_prompt_redis_t *redis,
    ngx_http_prompt_redis_state_e state);

/* Begins an attempt; what becomes of it shows in the state. */
void ngx_http_prompt_redis_connect(ngx_http_prompt_redis_t *redis);

/*
 * The connection is of no use any more: ends what is in flight and tries
 * again later.  reason is for the log.
 */
void ngx_http_prompt_redis_break(ngx_http_prompt_redis_t *redis,
    const char *reason);

/*
 * There are other addresses in conf: a connection that leads to none of them
 * drains, and is made again.
 */
void ngx_http_prompt_redis_move(ngx_http_prompt_redis_t *redis);

/* whether an address is one of conf's */
ngx_uint_t ngx_http_prompt_redis_has_addr(
    const ngx_http_prompt_redis_conf_t *conf, struct sockaddr *sockaddr,
    socklen_t socklen);

/* Closes it, and stops the timer: it waits. */
void ngx_http_prompt_redis_disconnect(ngx_http_prompt_redis_t *redis);

/* An answer of the handshake; returns what is wrong, or NULL. */
const char *ngx_http_prompt_redis_greeted(
    ngx_http_prompt_redis_t *redis, redisReply *reply);

/* whether an answer to ROLE is a master's */
ngx_uint_t ngx_http_prompt_redis_master(const redisReply *role);

void ngx_http_prompt_redis_timer_handler(ngx_event_t *ev);


/* Commands, as the connection sees them. */

/* Adds a command to what is to be sent. */
ngx_int_t ngx_http_prompt_redis_append(ngx_http_prompt_redis_t *redis,
    const prompt_str_t *words, ngx_uint_t n);

/* As ngx_http_prompt_redis_command(), right behind ASKING; or neither. */
ngx_http_prompt_redis_command_t *ngx_http_prompt_redis_asking(
    ngx_http_prompt_redis_t *redis, const prompt_str_t *words, ngx_uint_t n,
    ngx_msec_t timeout, ngx_http_prompt_redis_done_pt done, void *data)
    PROMPT_WARN_UNUSED;

/* Hands out the answers that are whole; returns what is wrong, or NULL. */
const char *ngx_http_prompt_redis_replies(
    ngx_http_prompt_redis_t *redis);

/*
 * Of a command that was taken out of the list: tells the owner if there is
 * one, and frees it.
 */
void ngx_http_prompt_redis_finish(ngx_http_prompt_redis_command_t *command,
    const ngx_http_prompt_redis_reply_t *reply);

#endif /* NGX_HTTP_PROMPT_REDIS_IMPL_H */
