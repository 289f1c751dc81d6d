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
#include "service/frame/hook.h"


/*
 * Of operations.  Before one is run that reads what a standby may be asked,
 * asks for the mark of its user; op->token is what its client has seen before.
 * Before the answer of one that may have changed anything tells all hosts;
 * where a client that has a token was shown what the primary has, asks for the
 * next token.
 */
extern const ngx_http_prompt_hook_t  ngx_http_prompt_standby_hook;


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
 * The token for the client of an operation that was answered, or absent; it
 * lives in r->pool.
 */
prompt_str_t ngx_http_prompt_standby_token(
    const ngx_http_prompt_operation_t *op);

#endif /* NGX_HTTP_PROMPT_STANDBY_H */
