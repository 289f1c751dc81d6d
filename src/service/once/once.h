/*
 * Once: an operation whose request carries an Idempotency-Key.
 *
 * Its row in PostgreSQL (store/idempotency.h) is taken before the first root
 * field starts, and held by a lease that is renewed.  Each change says in its
 * own transaction that it was made, and fails where the row is not held any
 * more.  So who takes over a row that was left finds in it all that was done
 * and, what is not in it, undone for good:
 *
 *     nothing in it        the job is done as if it were the first
 *     something in it      nothing is done; each root field is completed with
 *                          an error that says what is known of it
 *
 * The job goes on without its client, since its answer is kept for the next.
 * Where it is known to have done nothing, the row is deleted instead.
 *
 * Of mutations and subscriptions: what a stream has said is kept in front of
 * its last event, put together.
 */

#ifndef NGX_HTTP_PROMPT_ONCE_H
#define NGX_HTTP_PROMPT_ONCE_H

#include "service/frame/hook.h"


#define NGX_HTTP_PROMPT_ONCE_KEY_MAX  255                /* characters */


/* of an operation that has a key (op->once_key): what is done for it */
extern const ngx_http_prompt_hook_t  ngx_http_prompt_once_hook;


/* Whether a key has the form of one: 1 to 255 visible ASCII characters. */
ngx_uint_t ngx_http_prompt_once_is_key(prompt_str_t key);

#endif /* NGX_HTTP_PROMPT_ONCE_H */
