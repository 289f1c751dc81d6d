/*
 * The Redis of a worker: one server, a cluster, or one behind Sentinel.
 *
 * The caller gives a command and says which of its words is the key; where
 * that lives, and where it has moved to, is found out here.  A server that is
 * away refuses at once, as in ngx_http_prompt_redis.h, and what the directive
 * says is the only thing that differs.  README.md has the picture.
 */

#ifndef NGX_HTTP_PROMPT_REDIS_SERVERS_H
#define NGX_HTTP_PROMPT_REDIS_SERVERS_H

#include "io/ngx_http_prompt_redis.h"


typedef struct ngx_http_prompt_redis_servers_s
    ngx_http_prompt_redis_servers_t;

/* a command on its way, to one server after the other where it must */
typedef struct ngx_http_prompt_redis_call_s  ngx_http_prompt_redis_call_t;


/*
 * For init_process.  conf must live as long as the worker.  Returns NULL only
 * where memory is short; whether anything answers shows later.
 */
ngx_http_prompt_redis_servers_t *ngx_http_prompt_redis_servers_create(
    ngx_cycle_t *cycle, ngx_http_prompt_redis_conf_t *conf)
    PROMPT_WARN_UNUSED;

/* For exit_process: callbacks are not called.  NULL is allowed. */
void ngx_http_prompt_redis_servers_close(
    ngx_http_prompt_redis_servers_t *servers);

/*
 * For a worker that quits, as often as keep changes, and now and then: closes
 * the connections when no call is under way, unless keep is set, with which
 * they are made again.  Commands are refused meanwhile.  Not from inside a
 * callback of its own.
 */
void ngx_http_prompt_redis_servers_quit(
    ngx_http_prompt_redis_servers_t *servers, ngx_uint_t keep);

/*
 * Sends a command, as ngx_http_prompt_redis_command() does: words are copied
 * where they may be needed again, done() is called once and never from inside
 * this call, at the latest after timeout (0: the configured one).  key is the
 * place of the key among the words; several keys of a command share a hash
 * tag.  NULL, and done is never called, where nobody takes it.
 */
ngx_http_prompt_redis_call_t *ngx_http_prompt_redis_servers_command(
    ngx_http_prompt_redis_servers_t *servers, const prompt_str_t *words,
    ngx_uint_t n, ngx_uint_t key, ngx_msec_t timeout,
    ngx_http_prompt_redis_done_pt done, void *data) PROMPT_WARN_UNUSED;

/*
 * The same for a command that may be repeated, whose first word is followed
 * by its keys, such as DEL, and that shall outlive a fail-over: INTEGER is
 * answered only when every replica that the master has at this moment has it,
 * too.  Until timeout it is begun anew, at whoever is master then; what was
 * begun by then is waited for, some 4 s at most.  Where a slot is half-way
 * between two nodes it is done key by key, the last one first.
 */
ngx_http_prompt_redis_call_t *ngx_http_prompt_redis_servers_durable(
    ngx_http_prompt_redis_servers_t *servers, const prompt_str_t *words,
    ngx_uint_t n, ngx_msec_t timeout, ngx_http_prompt_redis_done_pt done,
    void *data) PROMPT_WARN_UNUSED;

/*
 * The owner goes away: done is not called any more, and call must not be used
 * again.  What was sent is done all the same; it is not sent elsewhere.
 */
void ngx_http_prompt_redis_servers_detach(ngx_http_prompt_redis_call_t *call);

/* the configured limit of a command, ms */
ngx_msec_t ngx_http_prompt_redis_servers_timeout(
    ngx_http_prompt_redis_servers_t *servers);

/* whether a command for some key would be sent now */
ngx_uint_t ngx_http_prompt_redis_servers_up(
    ngx_http_prompt_redis_servers_t *servers);

/* of all servers together; up: at least one */
void ngx_http_prompt_redis_servers_stats(
    ngx_http_prompt_redis_servers_t *servers,
    ngx_http_prompt_redis_stats_t *stats);

#endif /* NGX_HTTP_PROMPT_REDIS_SERVERS_H */
