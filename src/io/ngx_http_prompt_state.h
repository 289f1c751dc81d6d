/*
 * The states of what lives on the event loop: calls, commands, tasks,
 * connections.
 *
 * Each kind of thing has an enum, with the moves that are allowed drawn where
 * it is defined; beside the one function that changes the state stands the
 * same as a table.
 */

#ifndef NGX_HTTP_PROMPT_STATE_H
#define NGX_HTTP_PROMPT_STATE_H

#include <ngx_config.h>
#include <ngx_core.h>


/* a state as a bit, for the table */
#define ngx_http_prompt_after(state)  (1 << (state))


typedef struct {
    const char        *what;         /* "a call of a provider" */
    const ngx_uint_t  *after;        /* of each state, as bits, those that it
                                        may follow */
} ngx_http_prompt_moves_t;


/* whether it may; where it may not, that is an alert in the log */
ngx_uint_t ngx_http_prompt_may_move(const ngx_http_prompt_moves_t *moves,
    ngx_uint_t from, ngx_uint_t to, ngx_log_t *log);

#endif /* NGX_HTTP_PROMPT_STATE_H */
