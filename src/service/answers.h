/*
 * Answers: the bytes of them that a worker has in memory, because they are
 * being made or because nobody has read them yet, in all and of each user.
 *
 * Clients say how fast they read, and over HTTP/2 a byte at a time on a
 * hundred streams of a connection, so it is the sum that is bounded.  What can
 * be long is made when there is room for it; until then it waits, and users
 * take part in what becomes free one after the other.
 *
 * Keys and sessions of a user are one here: who has many is not given more.
 */

#ifndef NGX_HTTP_PROMPT_ANSWERS_H
#define NGX_HTTP_PROMPT_ANSWERS_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>

#include "metrics/metrics.h"
#include "service/hash_tree.h"


/* the part of it all that one user may have */
#define NGX_HTTP_PROMPT_ANSWERS_SHARE    4

/* the part that a user may have whatever others do */
#define NGX_HTTP_PROMPT_ANSWERS_FLOOR    1024

/* what a client is told then */
#define NGX_HTTP_PROMPT_ANSWERS_FULL                                         \
    "Too many bytes of answers were not taken by their clients: read them, "  \
    "ask for less at once, or try again later."

/* claims of a user that wait */
#define NGX_HTTP_PROMPT_ANSWERS_WAITING  256


typedef struct ngx_http_prompt_reader_s   ngx_http_prompt_reader_t;
typedef struct ngx_http_prompt_waiting_s  ngx_http_prompt_waiting_t;


/* granted: there is room; else time is over */
typedef void (*ngx_http_prompt_claim_pt)(void *data, ngx_uint_t granted);


/* a worker's; zeroed before init */
typedef struct {
    size_t                      limit;
    size_t                      total;
    ngx_rbtree_t                readers;     /* users, who claim something */
    ngx_rbtree_node_t           sentinel;
    ngx_queue_t                 waiting;     /* those of whom claims wait */
    ngx_event_t                 event;       /* something became free */
    ngx_http_prompt_metrics_t  *metrics;
} ngx_http_prompt_answers_t;


/* what one answer claims; in the job, zeroed: nothing */
typedef struct {
    size_t                      bytes;
    ngx_http_prompt_reader_t   *reader;      /* NULL: nothing */
    ngx_http_prompt_waiting_t  *waiting;     /* NULL: it does not wait */
} ngx_http_prompt_claim_t;


void ngx_http_prompt_answers_init(ngx_http_prompt_answers_t *answers,
    size_t limit, ngx_http_prompt_metrics_t *metrics, ngx_log_t *log);

/*
 * Whether there is room for a claim of n bytes in place of what it has, and
 * beyond it for as many as spare.
 */
ngx_uint_t ngx_http_prompt_answers_room(ngx_http_prompt_answers_t *answers,
    const ngx_http_prompt_claim_t *claim, const u_char user_id[16], size_t n,
    size_t spare);

/*
 * Sets what is claimed, room or not.  NGX_ERROR: memory, and nothing was
 * changed; never where it is no more than before.
 */
ngx_int_t ngx_http_prompt_answers_set(ngx_http_prompt_answers_t *answers,
    ngx_http_prompt_claim_t *claim, const u_char user_id[16], size_t n);

/*
 * Claims n bytes where there is room for them and spare ones.  NGX_OK: it has
 * them; NGX_AGAIN: done is told, from the event loop and within limit, unless
 * leave() comes before; NGX_BUSY: too many of the user's wait; NGX_ERROR:
 * memory.
 */
ngx_int_t ngx_http_prompt_answers_reserve(ngx_http_prompt_answers_t *answers,
    ngx_http_prompt_claim_t *claim, const u_char user_id[16], size_t n,
    size_t spare, ngx_msec_t limit, ngx_http_prompt_claim_pt done,
    void *data);

/* It waits no more, and it claims nothing any more; again does no harm. */
void ngx_http_prompt_answers_leave(ngx_http_prompt_claim_t *claim);
void ngx_http_prompt_answers_free(ngx_http_prompt_claim_t *claim);

/* One was refused, because there was no room: counts, and tells the log. */
void ngx_http_prompt_answers_refused(ngx_http_prompt_answers_t *answers,
    ngx_log_t *log);

#endif /* NGX_HTTP_PROMPT_ANSWERS_H */
