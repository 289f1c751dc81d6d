/*
 * Reads from servers that follow the primary (prompt_postgres_read), so that
 * whoever has written reads what they wrote.
 *
 * Before a change is answered, its position in the write-ahead log is asked
 * for and put into Redis under the user's name: the mark.  A read asks Redis
 * for the mark of its user after it came, and a standby how far it is before
 * it looks: where the standby has not come to the mark, its rows are thrown
 * away and the primary is asked.
 *
 * What Redis cannot be asked or believed for stands on time.  No standby is
 * read that has not come to where the primary was max_lag ago, by what this
 * worker has noted of the primary.  So a change whose mark could not be stored
 * is answered max_lag later, when it needs none any more; and where Redis may
 * have lost marks (it was away, or another server took its place), standbys
 * are not read for max_lag.  A user without a mark reads the primary and gets
 * one: it may have been lost, or never was there.
 *
 * A fail-over begins a timeline.  Only a standby that is known to be on that
 * of the primary is read: it has all of the older ones that is left.
 */

#ifndef NGX_HTTP_PROMPT_STANDBY_H
#define NGX_HTTP_PROMPT_STANDBY_H

#include "conf/ngx_http_prompt_conf.h"
#include "service/root.h"


/* of a worker */
typedef struct ngx_http_prompt_standby_s  ngx_http_prompt_standby_t;


/*
 * For init_process, when worker has its primary and its Redis.  NULL: memory
 * is short.
 */
ngx_http_prompt_standby_t *ngx_http_prompt_standby_create(
    ngx_http_prompt_worker_t *worker, ngx_cycle_t *cycle,
    ngx_http_prompt_main_conf_t *pmcf);

/* For exit_process, before those are closed; NULL is allowed. */
void ngx_http_prompt_standby_close(ngx_http_prompt_standby_t *standby);

/*
 * The primary has another database than before: standbys are asked anew which
 * they have.  NULL is allowed.
 */
void ngx_http_prompt_standby_forget(ngx_http_prompt_standby_t *standby);

/* For a worker that quits: nothing is read from standbys any more. */
void ngx_http_prompt_standby_quit(ngx_http_prompt_standby_t *standby);

/* how many connections are ready; 0 where standby is NULL */
ngx_uint_t ngx_http_prompt_standby_up(
    const ngx_http_prompt_standby_t *standby);

/*
 * Before a job is run: asks for the mark of its user, where it reads what a
 * standby may be asked.  job->follow.token: what its client has seen before.
 * NGX_AGAIN: job_run() is called when that is known; NGX_DECLINED: nothing is
 * to be waited for.
 */
ngx_int_t ngx_http_prompt_standby_begin(ngx_http_prompt_job_t *job);

/*
 * Before the answer of a job that may have changed anything: tells all hosts.
 * Where a client that has a token was shown what the primary has, asks for the
 * next token.  NGX_AGAIN: done(job) is called when that is done, NGX_DECLINED:
 * nothing is to be told or asked.
 */
ngx_int_t ngx_http_prompt_standby_tell(ngx_http_prompt_job_t *job,
    void (*done)(ngx_http_prompt_job_t *job));

/* The request ends: nobody is called. */
void ngx_http_prompt_standby_leave(ngx_http_prompt_job_t *job);

/* The same as tell(), for a change that nobody waits for. */
void ngx_http_prompt_standby_note(ngx_http_prompt_worker_t *worker,
    const uint8_t *user);

/* The token for the client, or absent; it lives in r->pool. */
prompt_str_t ngx_http_prompt_standby_token(ngx_http_prompt_job_t *job);


/* A root field's query, as root.c sees it. */

/*
 * The pool that a root field's query goes to first, and its limit; NULL: the
 * primary.
 */
ngx_http_prompt_postgres_t *ngx_http_prompt_standby_pool(
    ngx_http_prompt_root_t *root, ngx_msec_t *limit);

/*
 * NGX_OK: what a standby answered is to be shown.  NGX_DECLINED: the primary
 * is to be asked, by this query and all further ones of the root field.
 * Completes nothing.
 */
ngx_int_t ngx_http_prompt_standby_answered(ngx_http_prompt_root_t *root);

#endif /* NGX_HTTP_PROMPT_STANDBY_H */
