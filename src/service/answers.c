/*
 * Answers: see the header.
 *
 * While all of them together are within one user's part, which is nearly
 * always, nobody looks for the user.
 */

#include "service/answers.h"

#include "io/ngx_http_prompt_timer.h"
#include "io/ngx_http_prompt_trouble.h"


/* a user who claims something; malloc() */
struct ngx_http_prompt_reader_s {
    ngx_http_prompt_hashed_t    hashed;      /* the id, with zeros behind it */
    ngx_http_prompt_answers_t  *answers;
    size_t                      bytes;
    ngx_uint_t                  claims;
    ngx_queue_t                 waiting;     /* claims, the oldest first */
    ngx_uint_t                  nwaiting;
    ngx_queue_t                 queue;       /* in answers->waiting */
};


/* a claim that waits; malloc() */
struct ngx_http_prompt_waiting_s {
    ngx_queue_t                 queue;
    ngx_http_prompt_claim_t    *claim;
    size_t                      n;
    size_t                      spare;
    ngx_http_prompt_claim_pt    done;
    void                       *data;
    ngx_http_prompt_timer_t     late;
};


static ngx_uint_t ngx_http_prompt_answers_fits(
    const ngx_http_prompt_answers_t *answers,
    const ngx_http_prompt_reader_t *reader,
    const ngx_http_prompt_claim_t *claim, size_t n, size_t spare);
static ngx_http_prompt_reader_t *ngx_http_prompt_answers_reader(
    ngx_http_prompt_answers_t *answers, const u_char user_id[16],
    ngx_uint_t make);
static void ngx_http_prompt_answers_resize(ngx_http_prompt_answers_t *answers,
    ngx_http_prompt_claim_t *claim, size_t n);
static void ngx_http_prompt_answers_release(ngx_http_prompt_claim_t *claim);
static void ngx_http_prompt_answers_event(ngx_event_t *ev);
static void ngx_http_prompt_answers_late(ngx_event_t *ev);
static void ngx_http_prompt_answers_done(ngx_http_prompt_waiting_t *waiting,
    ngx_uint_t granted);


void
ngx_http_prompt_answers_init(ngx_http_prompt_answers_t *answers, size_t limit,
    ngx_http_prompt_metrics_t *metrics, ngx_log_t *log)
{
    answers->limit = limit;
    answers->metrics = metrics;

    ngx_http_prompt_hash_tree_init(&answers->readers, &answers->sentinel);
    ngx_queue_init(&answers->waiting);

    answers->event.data = answers;
    answers->event.handler = ngx_http_prompt_answers_event;
    answers->event.log = log;
}


ngx_uint_t
ngx_http_prompt_answers_room(ngx_http_prompt_answers_t *answers,
    const ngx_http_prompt_claim_t *claim, const u_char user_id[16], size_t n,
    size_t spare)
{
    if (answers->total + n + spare
        <= answers->limit / NGX_HTTP_PROMPT_ANSWERS_SHARE)
    {
        return 1;
    }

    return ngx_http_prompt_answers_fits(answers,
                   ngx_http_prompt_answers_reader(answers, user_id, 0), claim,
                   n, spare);
}


static ngx_uint_t
ngx_http_prompt_answers_fits(const ngx_http_prompt_answers_t *answers,
    const ngx_http_prompt_reader_t *reader,
    const ngx_http_prompt_claim_t *claim, size_t n, size_t spare)
{
    size_t  own, all;

    own = n + (reader != NULL ? reader->bytes : 0) - claim->bytes;
    all = n + answers->total - claim->bytes;

    return own <= answers->limit / NGX_HTTP_PROMPT_ANSWERS_FLOOR
           || (own + spare <= answers->limit / NGX_HTTP_PROMPT_ANSWERS_SHARE
               && all + spare <= answers->limit);
}


/* NULL: claims nothing, or memory where it was to be made */

static ngx_http_prompt_reader_t *
ngx_http_prompt_answers_reader(ngx_http_prompt_answers_t *answers,
    const u_char user_id[16], ngx_uint_t make)
{
    uint8_t                    hash[PROMPT_SHA256_LEN];
    ngx_http_prompt_reader_t  *reader;

    ngx_memzero(hash, sizeof(hash));
    ngx_memcpy(hash, user_id, 16);

    reader = (ngx_http_prompt_reader_t *)
             ngx_http_prompt_hash_tree_find(&answers->readers, hash);

    if (reader != NULL || !make) {
        return reader;
    }

    reader = calloc(1, sizeof(ngx_http_prompt_reader_t));
    if (reader == NULL) {
        return NULL;
    }

    reader->answers = answers;
    ngx_queue_init(&reader->waiting);
    ngx_http_prompt_hash_tree_add(&answers->readers, &reader->hashed, hash);

    return reader;
}


ngx_int_t
ngx_http_prompt_answers_set(ngx_http_prompt_answers_t *answers,
    ngx_http_prompt_claim_t *claim, const u_char user_id[16], size_t n)
{
    if (claim->bytes == n) {
        return NGX_OK;
    }

    if (claim->reader == NULL) {
        claim->reader = ngx_http_prompt_answers_reader(answers, user_id, 1);

        if (claim->reader == NULL) {
            return NGX_ERROR;
        }

        claim->reader->claims++;
    }

    ngx_http_prompt_answers_resize(answers, claim, n);

    return NGX_OK;
}


/* Of a claim that has its reader. */

static void
ngx_http_prompt_answers_resize(ngx_http_prompt_answers_t *answers,
    ngx_http_prompt_claim_t *claim, size_t n)
{
    size_t  before;

    before = claim->bytes;

    claim->reader->bytes += n - before;
    answers->total += n - before;
    claim->bytes = n;

    if (n == 0) {
        ngx_http_prompt_answers_release(claim);
    }

    if (n < before && !ngx_queue_empty(&answers->waiting)
        && !answers->event.posted)
    {
        ngx_post_event(&answers->event, &ngx_posted_next_events);
    }
}


/* It has nothing and does not wait: its reader may go. */

static void
ngx_http_prompt_answers_release(ngx_http_prompt_claim_t *claim)
{
    ngx_http_prompt_reader_t  *reader;

    reader = claim->reader;

    if (claim->bytes != 0 || claim->waiting != NULL || reader == NULL) {
        return;
    }

    claim->reader = NULL;

    if (--reader->claims == 0) {
        ngx_rbtree_delete(&reader->answers->readers, &reader->hashed.node);
        free(reader);
    }
}


ngx_int_t
ngx_http_prompt_answers_reserve(ngx_http_prompt_answers_t *answers,
    ngx_http_prompt_claim_t *claim, const u_char user_id[16], size_t n,
    size_t spare, ngx_msec_t limit, ngx_http_prompt_claim_pt done, void *data)
{
    ngx_http_prompt_reader_t   *reader;
    ngx_http_prompt_waiting_t  *waiting;

    if (ngx_http_prompt_answers_room(answers, claim, user_id, n, spare)) {
        return ngx_http_prompt_answers_set(answers, claim, user_id, n);
    }

    reader = claim->reader;

    if (reader == NULL) {
        reader = ngx_http_prompt_answers_reader(answers, user_id, 1);
    }

    if (reader == NULL) {
        return NGX_ERROR;
    }

    if (reader->nwaiting >= NGX_HTTP_PROMPT_ANSWERS_WAITING) {
        return NGX_BUSY;
    }

    waiting = calloc(1, sizeof(ngx_http_prompt_waiting_t));

    if (claim->reader == NULL) {
        claim->reader = reader;
        reader->claims++;
    }

    if (waiting == NULL) {
        ngx_http_prompt_answers_release(claim);
        return NGX_ERROR;
    }

    waiting->claim = claim;
    waiting->n = n;
    waiting->spare = spare;
    waiting->done = done;
    waiting->data = data;
    claim->waiting = waiting;

    if (reader->nwaiting++ == 0) {
        ngx_queue_insert_tail(&answers->waiting, &reader->queue);
    }

    ngx_queue_insert_tail(&reader->waiting, &waiting->queue);

    ngx_http_prompt_timer_init(&waiting->late, ngx_http_prompt_answers_late,
                               waiting, answers->event.log);
    ngx_add_timer(&waiting->late.event, limit);

    return NGX_AGAIN;
}


void
ngx_http_prompt_answers_leave(ngx_http_prompt_claim_t *claim)
{
    ngx_http_prompt_reader_t   *reader;
    ngx_http_prompt_waiting_t  *waiting;

    reader = claim->reader;
    waiting = claim->waiting;

    if (waiting == NULL) {
        return;
    }

    ngx_http_prompt_timer_stop(&waiting->late);
    ngx_queue_remove(&waiting->queue);

    if (--reader->nwaiting == 0) {
        ngx_queue_remove(&reader->queue);
    }

    claim->waiting = NULL;
    free(waiting);

    ngx_http_prompt_answers_release(claim);
}


void
ngx_http_prompt_answers_free(ngx_http_prompt_claim_t *claim)
{
    ngx_http_prompt_answers_leave(claim);

    if (claim->bytes != 0) {
        ngx_http_prompt_answers_resize(claim->reader->answers, claim, 0);
    }
}


/*
 * Each user of whom something waits is looked at once; where one was served
 * all are again, in the next turn of the event loop.
 */

static void
ngx_http_prompt_answers_event(ngx_event_t *ev)
{
    ngx_uint_t                  n;
    ngx_queue_t                *q;
    ngx_http_prompt_reader_t   *reader;
    ngx_http_prompt_answers_t  *answers;
    ngx_http_prompt_waiting_t  *waiting;

    answers = ev->data;
    n = 0;

    for (q = ngx_queue_head(&answers->waiting);
         q != ngx_queue_sentinel(&answers->waiting);
         q = ngx_queue_next(q))
    {
        n++;
    }

    while (n-- != 0 && !ngx_queue_empty(&answers->waiting)) {

        q = ngx_queue_head(&answers->waiting);
        reader = ngx_queue_data(q, ngx_http_prompt_reader_t, queue);

        ngx_queue_remove(q);
        ngx_queue_insert_tail(&answers->waiting, q);

        waiting = ngx_queue_data(ngx_queue_head(&reader->waiting),
                                 ngx_http_prompt_waiting_t, queue);

        if (!ngx_http_prompt_answers_fits(answers, reader, waiting->claim,
                                          waiting->n, waiting->spare))
        {
            continue;
        }

        if (!ev->posted) {
            ngx_post_event(ev, &ngx_posted_next_events);
        }

        ngx_http_prompt_answers_resize(answers, waiting->claim, waiting->n);
        ngx_http_prompt_answers_done(waiting, 1);
    }
}


static void
ngx_http_prompt_answers_late(ngx_event_t *ev)
{
    ngx_http_prompt_answers_done(ngx_http_prompt_timer_owner(ev), 0);
}


/* What is told may be the end of anything. */

static void
ngx_http_prompt_answers_done(ngx_http_prompt_waiting_t *waiting,
    ngx_uint_t granted)
{
    void                       *data;
    ngx_http_prompt_claim_pt    done;
    ngx_http_prompt_answers_t  *answers;

    data = waiting->data;
    done = waiting->done;
    answers = waiting->claim->reader->answers;

    if (granted) {
        ngx_http_prompt_metrics_add(answers->metrics,
                                    NGX_HTTP_PROMPT_COUNT_ANSWERS_WAITED, 1);
    }

    ngx_http_prompt_answers_leave(waiting->claim);

    done(data, granted);
}


void
ngx_http_prompt_answers_refused(ngx_http_prompt_answers_t *answers,
    ngx_log_t *log)
{
    ngx_http_prompt_metrics_add(answers->metrics,
                                NGX_HTTP_PROMPT_COUNT_ANSWERS_REFUSED, 1);

    ngx_http_prompt_trouble(NGX_HTTP_PROMPT_TROUBLE_ANSWERS, prompt_str_absent,
                            log, "prompt: no room for an answer: %uL bytes "
                            "are not taken by clients (prompt_limits answers)",
                            (uint64_t) answers->total);
}
