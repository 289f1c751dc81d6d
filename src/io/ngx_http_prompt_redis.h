/*
 * Redis on nginx's event loop: one connection a worker, pipelined.
 *
 * The caller never sees hiredis nor its life cycle.  It gives a command and a
 * function that is told how it ended; a command is refused at once while
 * Redis is not there, so that the caller goes on without it and nobody waits
 * for a server that is away.  README.md says why it is built like this.
 */

#ifndef NGX_HTTP_PROMPT_REDIS_H
#define NGX_HTTP_PROMPT_REDIS_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/str.h"
#include "conf/ngx_http_prompt_conf_redis.h"


#define NGX_HTTP_PROMPT_REDIS_MAX_PENDING  10000      /* commands in flight */
#define NGX_HTTP_PROMPT_REDIS_MAX_WORDS    8          /* of a command */


typedef enum {
    NGX_HTTP_PROMPT_REDIS_NIL = 0,
    NGX_HTTP_PROMPT_REDIS_STRING,    /* text */
    NGX_HTTP_PROMPT_REDIS_STATUS,    /* text, such as "OK" */
    NGX_HTTP_PROMPT_REDIS_INTEGER,   /* integer */
    NGX_HTTP_PROMPT_REDIS_ERROR,     /* text: Redis refused; nothing was done */
    NGX_HTTP_PROMPT_REDIS_ARRAY,     /* array, of hiredis */
    NGX_HTTP_PROMPT_REDIS_OTHER,     /* a kind that no command here wants */
    NGX_HTTP_PROMPT_REDIS_TIMEOUT,   /* sent, no answer in time */
    NGX_HTTP_PROMPT_REDIS_LOST       /* sent, and the connection broke */
} ngx_http_prompt_redis_kind_e;


/* The outcome of a command; valid only while the callback runs. */
typedef struct {
    ngx_http_prompt_redis_kind_e  kind;
    prompt_str_t                  text;
    int64_t                       integer;
    const struct redisReply      *array;     /* NULL: it is none */
} ngx_http_prompt_redis_reply_t;


/* no answer: what the command did, or whether it was done, is not known */
#define ngx_http_prompt_redis_unknown(reply)                                 \
    ((reply)->kind >= NGX_HTTP_PROMPT_REDIS_TIMEOUT)


/* its kind, for the debug log */
static ngx_inline const char *
ngx_http_prompt_redis_kind(const ngx_http_prompt_redis_reply_t *reply)
{
    static const char *const  kinds[] = {
        "nil", "string", "status", "integer", "error", "array",
        "another kind", "no answer in time", "connection lost"
    };

    return kinds[reply->kind];
}


typedef struct ngx_http_prompt_redis_s          ngx_http_prompt_redis_t;
typedef struct ngx_http_prompt_redis_command_s  ngx_http_prompt_redis_command_t;

/*
 * Told once how a command ended; it is gone when it returns.
 * It runs on the event loop below no request: who writes to one calls
 * ngx_http_run_posted_requests() last.
 */
typedef void (*ngx_http_prompt_redis_done_pt)(void *data,
    const ngx_http_prompt_redis_reply_t *reply);


/* Counted since the worker began; up is a gauge. */
typedef struct {
    uint64_t      commands;          /* sent */
    uint64_t      refused;           /* not connected, or too many in flight */
    uint64_t      timeouts;
    uint64_t      lost;
    uint64_t      errors;            /* Redis answered with an error */
    uint64_t      connects;          /* connections that became ready */
    uint64_t      failures;          /* connections that failed or broke */
    ngx_uint_t    in_flight;
    unsigned      up:1;
} ngx_http_prompt_redis_stats_t;


/*
 * Starts connecting; for init_process of a worker (never the master, nor the
 * cache helpers).  conf must live as long as the worker.  Returns NULL only
 * where memory is short.  A connection that fails or breaks is made again
 * after a pause that doubles from 50 ms to 1 s, with jitter.
 */
ngx_http_prompt_redis_t *ngx_http_prompt_redis_create(ngx_cycle_t *cycle,
    ngx_http_prompt_redis_conf_t *conf) PROMPT_WARN_UNUSED;

/*
 * For exit_process: closes the connection.  Callbacks of commands in flight
 * are not called.  NULL is allowed.
 */
void ngx_http_prompt_redis_close(ngx_http_prompt_redis_t *redis);

/*
 * Ends all that is in flight, as lost, and the connection, before it is
 * closed.  Not from inside a callback of its own.
 */
void ngx_http_prompt_redis_end(ngx_http_prompt_redis_t *redis);

/*
 * Sends a command of n words, at most NGX_HTTP_PROMPT_REDIS_MAX_WORDS, which
 * are copied.  done(data, …) is
 * called once, from the event loop and never from inside this call, at the
 * latest after timeout (0: the configured one).  Returns NULL, and done is
 * never called, where the command was not sent: no connection, the oldest
 * command is overdue, too many are in flight, or memory is short.
 */
ngx_http_prompt_redis_command_t *ngx_http_prompt_redis_command(
    ngx_http_prompt_redis_t *redis, const prompt_str_t *words, ngx_uint_t n,
    ngx_msec_t timeout, ngx_http_prompt_redis_done_pt done, void *data)
    PROMPT_WARN_UNUSED;

/*
 * The owner goes away: done is not called any more, and command must not be
 * used again.  The command itself runs on.
 */
void ngx_http_prompt_redis_detach(ngx_http_prompt_redis_command_t *command);

/* whether a command would be sent now */
ngx_uint_t ngx_http_prompt_redis_up(ngx_http_prompt_redis_t *redis);

void ngx_http_prompt_redis_stats(ngx_http_prompt_redis_t *redis,
    ngx_http_prompt_redis_stats_t *stats);

#endif /* NGX_HTTP_PROMPT_REDIS_H */
