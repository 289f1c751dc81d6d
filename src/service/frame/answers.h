/*
 * Answers: the bytes of them that a worker has in memory, because they are
 * being made or because nobody has read them yet, in all and of each user.
 *
 * Clients say how fast they read, and over HTTP/2 a byte at a time on a
 * hundred streams of a connection, so it is the sum that is bounded.  What can
 * be long is made when there is room for it; until then it waits, and users
 * take part in what becomes free one after the other.
 *
 * What a user may have is for all keys and sessions of theirs: who has many is
 * not given more.  But each of them (a credential) has room for short answers
 * whatever the others do, so that who has lost a key can delete it.
 */

#ifndef NGX_HTTP_PROMPT_ANSWERS_H
#define NGX_HTTP_PROMPT_ANSWERS_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>

#include "metrics/metrics.h"
#include "service/worker/hash_tree.h"
#include "service/keys/keys.h"


/* the part of it all that one user may have */
#define NGX_HTTP_PROMPT_ANSWERS_SHARE    4

/*
 * The part that a credential may have whatever others do, while all of the
 * user's have no more than twice the user's part.  A request begins where half
 * of it is left.
 */
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
typedef struct ngx_http_prompt_answers_s {
    size_t                      limit;
    size_t                      total;
    size_t                      most;        /* with what is reserved */
    ngx_rbtree_t                readers;     /* credentials that claim
                                                something, and their users */
    ngx_rbtree_node_t           sentinel;
    ngx_queue_t                 waiting;     /* users of whom claims wait */
    ngx_event_t                 event;       /* something became free */
    ngx_http_prompt_metrics_t  *metrics;
} ngx_http_prompt_answers_t;


/* what one answer claims; in the job, zeroed: nothing */
typedef struct {
    size_t                      bytes;       /* that there are */
    size_t                      reserved;    /* that there may be, while it is
                                                made; 0: no more */
    ngx_http_prompt_reader_t   *reader;      /* a credential; NULL: nothing */
    ngx_http_prompt_waiting_t  *waiting;     /* NULL: it does not wait */
    ngx_msec_t                  waited;      /* so far, in all */
} ngx_http_prompt_claim_t;


void ngx_http_prompt_answers_init(ngx_http_prompt_answers_t *answers,
    size_t limit, ngx_http_prompt_metrics_t *metrics, ngx_log_t *log);

/*
 * Whether there is room for a claim of n bytes in place of what it has, and
 * beyond it for as many as spare: of a credential that has little, for short
 * answers.
 */
ngx_uint_t ngx_http_prompt_answers_room(ngx_http_prompt_answers_t *answers,
    const ngx_http_prompt_claim_t *claim,
    const ngx_http_prompt_identity_t *who, size_t n, size_t spare);

/*
 * Sets what is claimed, room or not: n bytes, and reserved ones in their place
 * where that is more.  NGX_ERROR: memory, and nothing was changed; never where
 * it is no more than before.
 */
ngx_int_t ngx_http_prompt_answers_set(ngx_http_prompt_answers_t *answers,
    ngx_http_prompt_claim_t *claim, const ngx_http_prompt_identity_t *who,
    size_t n, size_t reserved);

/*
 * Where there is room for spare bytes more, or, if reserved is not 0, beside
 * all that others have reserved for so many, it has those.  NGX_OK: there is;
 * NGX_AGAIN: done is told, from the event loop and within limit, unless
 * leave() comes before; NGX_BUSY: too many of the user's wait, or this one has
 * waited for limit already; NGX_ERROR: memory.
 */
ngx_int_t ngx_http_prompt_answers_reserve(ngx_http_prompt_answers_t *answers,
    ngx_http_prompt_claim_t *claim, const ngx_http_prompt_identity_t *who,
    size_t spare, size_t reserved, ngx_msec_t limit,
    ngx_http_prompt_claim_pt done, void *data);

/*
 * Whether something may be begun that a claim's answer is to tell of, without
 * more spare than a short answer needs.
 */
ngx_uint_t ngx_http_prompt_answers_open(ngx_http_prompt_answers_t *answers,
    const ngx_http_prompt_claim_t *claim,
    const ngx_http_prompt_identity_t *who);

/* It waits no more, and it claims nothing any more; again does no harm. */
void ngx_http_prompt_answers_leave(ngx_http_prompt_claim_t *claim);
void ngx_http_prompt_answers_free(ngx_http_prompt_claim_t *claim);

/* One was refused, because there was no room: counts, and tells the log. */
void ngx_http_prompt_answers_refused(ngx_http_prompt_answers_t *answers,
    ngx_log_t *log);

#endif /* NGX_HTTP_PROMPT_ANSWERS_H */
