/*
 * Answers: see the header.
 *
 * While all of them together are within one user's part, which is nearly
 * always, nobody looks for the user.
 */

#include "service/frame/answers.h"

#include "io/ngx_http_prompt_timer.h"
#include "io/ngx_http_prompt_ratelog.h"


/*
 * A credential that claims something, or the user whose it is; malloc().  The
 * user's has the sums of its credentials', and those of them that wait.
 */
struct ngx_http_prompt_reader_s {
    ngx_http_prompt_hashed_t    hashed;      /* ids of user and credential; of
                                                a user, zeros for the second */
    ngx_http_prompt_answers_t  *answers;
    ngx_http_prompt_reader_t   *user;        /* NULL: it is one */
    size_t                      bytes;
    size_t                      most;        /* with what is reserved */
    ngx_uint_t                  claims;      /* of a user: credentials */
    ngx_queue_t                 waiting;     /* claims, the oldest first */
    ngx_uint_t                  nwaiting;
    ngx_queue_t                 queue;       /* in answers->waiting */
};


/* a claim that waits; malloc() */
struct ngx_http_prompt_waiting_s {
    ngx_queue_t                 queue;
    ngx_http_prompt_claim_t    *claim;
    size_t                      spare;
    size_t                      reserved;
    ngx_msec_t                  since;
    ngx_http_prompt_claim_pt    done;
    void                       *data;
    ngx_http_prompt_timer_t     late;
};


static ngx_uint_t ngx_http_prompt_answers_fits(
    const ngx_http_prompt_answers_t *answers,
    const ngx_http_prompt_reader_t *reader,
    const ngx_http_prompt_reader_t *user,
    const ngx_http_prompt_claim_t *claim, size_t n, size_t spare);
static ngx_uint_t ngx_http_prompt_answers_reservable(
    const ngx_http_prompt_answers_t *answers,
    const ngx_http_prompt_reader_t *user,
    const ngx_http_prompt_claim_t *claim, size_t reserved);
static ngx_inline size_t ngx_http_prompt_answers_most(
    const ngx_http_prompt_claim_t *claim);
static ngx_http_prompt_reader_t *ngx_http_prompt_answers_find(
    const ngx_http_prompt_answers_t *answers, const u_char user_id[16],
    const u_char *key_id);
static ngx_http_prompt_reader_t *ngx_http_prompt_answers_make(
    ngx_http_prompt_answers_t *answers, const u_char user_id[16],
    const u_char *key_id);
static ngx_int_t ngx_http_prompt_answers_enter(
    ngx_http_prompt_answers_t *answers, ngx_http_prompt_claim_t *claim,
    const ngx_http_prompt_identity_t *who);
static void ngx_http_prompt_answers_hash(uint8_t hash[PROMPT_SHA256_LEN],
    const u_char user_id[16], const u_char *key_id);
static void ngx_http_prompt_answers_drop(ngx_http_prompt_reader_t *reader);
static void ngx_http_prompt_answers_resize(ngx_http_prompt_answers_t *answers,
    ngx_http_prompt_claim_t *claim, size_t n, size_t reserved);
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
    const ngx_http_prompt_claim_t *claim, const ngx_http_prompt_identity_t *who,
    size_t n, size_t spare)
{
    if (answers->total + n + spare
        <= answers->limit / NGX_HTTP_PROMPT_ANSWERS_SHARE)
    {
        return 1;
    }

    return ngx_http_prompt_answers_fits(answers,
                   ngx_http_prompt_answers_find(answers, who->user_id,
                                                who->key_id),
                   ngx_http_prompt_answers_find(answers, who->user_id, NULL),
                   claim, n, spare);
}


ngx_uint_t
ngx_http_prompt_answers_open(ngx_http_prompt_answers_t *answers,
    const ngx_http_prompt_claim_t *claim, const ngx_http_prompt_identity_t *who)
{
    return ngx_http_prompt_answers_room(answers, claim, who, claim->bytes,
                   answers->limit / NGX_HTTP_PROMPT_ANSWERS_FLOOR / 2);
}


/* reader, user: NULL where they claim nothing */
static ngx_uint_t
ngx_http_prompt_answers_fits(const ngx_http_prompt_answers_t *answers,
    const ngx_http_prompt_reader_t *reader,
    const ngx_http_prompt_reader_t *user, const ngx_http_prompt_claim_t *claim,
    size_t n, size_t spare)
{
    size_t  all, credential, floor, own, share;

    floor = answers->limit / NGX_HTTP_PROMPT_ANSWERS_FLOOR;
    share = answers->limit / NGX_HTTP_PROMPT_ANSWERS_SHARE;

    credential = n + (reader != NULL ? reader->bytes : 0) - claim->bytes;
    own = n + (user != NULL ? user->bytes : 0) - claim->bytes;
    all = n + answers->total - claim->bytes;

    if (credential + ngx_min(spare, floor / 2) <= floor && own <= 2 * share) {
        return 1;
    }

    return own + spare <= share && all + spare <= answers->limit;
}


/* What can be long finds no room later that short answers have taken. */
static ngx_uint_t
ngx_http_prompt_answers_reservable(const ngx_http_prompt_answers_t *answers,
    const ngx_http_prompt_reader_t *user, const ngx_http_prompt_claim_t *claim,
    size_t reserved)
{
    size_t  all, own;

    own = reserved - ngx_http_prompt_answers_most(claim);
    all = own + answers->most;
    own += user != NULL ? user->most : 0;

    return own <= answers->limit / NGX_HTTP_PROMPT_ANSWERS_SHARE
           && all <= answers->limit;
}


static ngx_inline size_t
ngx_http_prompt_answers_most(const ngx_http_prompt_claim_t *claim)
{
    return ngx_max(claim->bytes, claim->reserved);
}


/* key_id: NULL, the user's.  NULL: claims nothing */
static ngx_http_prompt_reader_t *
ngx_http_prompt_answers_find(const ngx_http_prompt_answers_t *answers,
    const u_char user_id[16], const u_char *key_id)
{
    uint8_t  hash[PROMPT_SHA256_LEN];

    ngx_http_prompt_answers_hash(hash, user_id, key_id);

    return (ngx_http_prompt_reader_t *)
           ngx_http_prompt_hash_tree_find(&answers->readers, hash);
}


static void
ngx_http_prompt_answers_hash(uint8_t hash[PROMPT_SHA256_LEN],
    const u_char user_id[16], const u_char *key_id)
{
    ngx_memzero(hash, PROMPT_SHA256_LEN);
    ngx_memcpy(hash, user_id, 16);

    if (key_id != NULL) {
        ngx_memcpy(hash + 16, key_id, 16);
    }
}


/* The same, made where there is none.  NULL: memory */
static ngx_http_prompt_reader_t *
ngx_http_prompt_answers_make(ngx_http_prompt_answers_t *answers,
    const u_char user_id[16], const u_char *key_id)
{
    uint8_t                    hash[PROMPT_SHA256_LEN];
    ngx_http_prompt_reader_t  *reader;

    reader = ngx_http_prompt_answers_find(answers, user_id, key_id);

    if (reader != NULL) {
        return reader;
    }

    reader = calloc(1, sizeof(ngx_http_prompt_reader_t));
    if (reader == NULL) {
        return NULL;
    }

    reader->answers = answers;
    ngx_queue_init(&reader->waiting);
    ngx_http_prompt_answers_hash(hash, user_id, key_id);
    ngx_http_prompt_hash_tree_add(&answers->readers, &reader->hashed, hash);

    return reader;
}


/* The claim gets its reader. */
static ngx_int_t
ngx_http_prompt_answers_enter(ngx_http_prompt_answers_t *answers,
    ngx_http_prompt_claim_t *claim, const ngx_http_prompt_identity_t *who)
{
    ngx_http_prompt_reader_t  *reader, *user;

    if (claim->reader != NULL) {
        return NGX_OK;
    }

    user = ngx_http_prompt_answers_make(answers, who->user_id, NULL);
    if (user == NULL) {
        return NGX_ERROR;
    }

    reader = ngx_http_prompt_answers_make(answers, who->user_id, who->key_id);
    if (reader == NULL) {
        ngx_http_prompt_answers_drop(user);
        return NGX_ERROR;
    }

    if (reader->user == NULL) {
        reader->user = user;
        user->claims++;
    }

    reader->claims++;
    claim->reader = reader;

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_answers_set(ngx_http_prompt_answers_t *answers,
    ngx_http_prompt_claim_t *claim, const ngx_http_prompt_identity_t *who,
    size_t n, size_t reserved)
{
    if (claim->bytes == n && claim->reserved == reserved) {
        return NGX_OK;
    }

    if (ngx_http_prompt_answers_enter(answers, claim, who) != NGX_OK) {
        return NGX_ERROR;
    }

    ngx_http_prompt_answers_resize(answers, claim, n, reserved);

    return NGX_OK;
}


/* Of a claim that has its reader. */
static void
ngx_http_prompt_answers_resize(ngx_http_prompt_answers_t *answers,
    ngx_http_prompt_claim_t *claim, size_t n, size_t reserved)
{
    size_t                     before, bytes, most;
    ngx_http_prompt_reader_t  *user;

    user = claim->reader->user;
    before = ngx_http_prompt_answers_most(claim);
    bytes = n - claim->bytes;
    claim->bytes = n;
    claim->reserved = reserved;
    most = ngx_http_prompt_answers_most(claim);

    claim->reader->bytes += bytes;
    user->bytes += bytes;
    answers->total += bytes;
    user->most += most - before;
    answers->most += most - before;

    if (most == 0) {
        ngx_http_prompt_answers_release(claim);
    }

    if (most < before && !ngx_queue_empty(&answers->waiting)
        && !answers->event.posted)
    {
        ngx_post_event(&answers->event, &ngx_posted_next_events);
    }
}


/* It has nothing and does not wait: its reader may go. */
static void
ngx_http_prompt_answers_release(ngx_http_prompt_claim_t *claim)
{
    ngx_http_prompt_reader_t  *reader, *user;

    reader = claim->reader;

    if (ngx_http_prompt_answers_most(claim) != 0 || claim->waiting != NULL
        || reader == NULL)
    {
        return;
    }

    claim->reader = NULL;
    user = reader->user;

    if (--reader->claims == 0) {
        ngx_http_prompt_answers_drop(reader);
        user->claims--;
    }

    ngx_http_prompt_answers_drop(user);
}


/* Where nothing is claimed by it. */
static void
ngx_http_prompt_answers_drop(ngx_http_prompt_reader_t *reader)
{
    if (reader->claims == 0) {
        ngx_rbtree_delete(&reader->answers->readers, &reader->hashed.node);
        free(reader);
    }
}


ngx_int_t
ngx_http_prompt_answers_reserve(ngx_http_prompt_answers_t *answers,
    ngx_http_prompt_claim_t *claim, const ngx_http_prompt_identity_t *who,
    size_t spare, size_t reserved, ngx_msec_t limit,
    ngx_http_prompt_claim_pt done, void *data)
{
    ngx_http_prompt_reader_t   *user;
    ngx_http_prompt_waiting_t  *waiting;

    if (reserved == 0
        && ngx_http_prompt_answers_room(answers, claim, who, claim->bytes,
                                        spare))
    {
        return ngx_http_prompt_answers_set(answers, claim, who, claim->bytes,
                                           0);
    }

    user = ngx_http_prompt_answers_find(answers, who->user_id, NULL);

    if (reserved != 0
        && ngx_http_prompt_answers_reservable(answers, user, claim, reserved))
    {
        return ngx_http_prompt_answers_set(answers, claim, who, claim->bytes,
                                           reserved);
    }

    if (claim->waited >= limit) {
        return NGX_BUSY;
    }

    if (user != NULL && user->nwaiting >= NGX_HTTP_PROMPT_ANSWERS_WAITING) {
        return NGX_BUSY;
    }

    if (ngx_http_prompt_answers_enter(answers, claim, who) != NGX_OK) {
        return NGX_ERROR;
    }

    waiting = calloc(1, sizeof(ngx_http_prompt_waiting_t));

    if (waiting == NULL) {
        ngx_http_prompt_answers_release(claim);
        return NGX_ERROR;
    }

    user = claim->reader->user;

    waiting->claim = claim;
    waiting->spare = spare;
    waiting->reserved = reserved;
    waiting->since = ngx_current_msec;
    waiting->done = done;
    waiting->data = data;
    claim->waiting = waiting;

    if (user->nwaiting++ == 0) {
        ngx_queue_insert_tail(&answers->waiting, &user->queue);
    }

    ngx_queue_insert_tail(&user->waiting, &waiting->queue);

    ngx_http_prompt_timer_init(&waiting->late, ngx_http_prompt_answers_late,
                               waiting, answers->event.log);
    ngx_add_timer(&waiting->late.event, limit - claim->waited);

    return NGX_AGAIN;
}


void
ngx_http_prompt_answers_leave(ngx_http_prompt_claim_t *claim)
{
    ngx_http_prompt_reader_t   *user;
    ngx_http_prompt_waiting_t  *waiting;

    waiting = claim->waiting;

    if (waiting == NULL) {
        return;
    }

    user = claim->reader->user;

    ngx_http_prompt_timer_stop(&waiting->late);
    ngx_queue_remove(&waiting->queue);

    if (--user->nwaiting == 0) {
        ngx_queue_remove(&user->queue);
    }

    claim->waited += ngx_current_msec - waiting->since;
    claim->waiting = NULL;
    free(waiting);

    ngx_http_prompt_answers_release(claim);
}


void
ngx_http_prompt_answers_free(ngx_http_prompt_claim_t *claim)
{
    ngx_http_prompt_answers_leave(claim);

    if (ngx_http_prompt_answers_most(claim) != 0) {
        ngx_http_prompt_answers_resize(claim->reader->answers, claim, 0, 0);
    }
}


/*
 * Each user of whom something waits is looked at once; where one was served
 * all are again, in the next round of the event loop.
 */
static void
ngx_http_prompt_answers_event(ngx_event_t *ev)
{
    ngx_uint_t                  n;
    ngx_queue_t                *q;
    ngx_http_prompt_claim_t    *claim;
    ngx_http_prompt_reader_t   *user;
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
        user = ngx_queue_data(q, ngx_http_prompt_reader_t, queue);

        ngx_queue_remove(q);
        ngx_queue_insert_tail(&answers->waiting, q);

        waiting = ngx_queue_data(ngx_queue_head(&user->waiting),
                                 ngx_http_prompt_waiting_t, queue);

        claim = waiting->claim;

        if (!(waiting->reserved != 0
              ? ngx_http_prompt_answers_reservable(answers, user, claim,
                                                   waiting->reserved)
              : ngx_http_prompt_answers_fits(answers, claim->reader, user,
                                             claim, claim->bytes,
                                             waiting->spare)))
        {
            continue;
        }

        if (!ev->posted) {
            ngx_post_event(ev, &ngx_posted_next_events);
        }

        ngx_http_prompt_answers_resize(answers, claim, claim->bytes,
                                       waiting->reserved);
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

    ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_ANSWERS, prompt_str_absent,
                            log, "prompt: no room for an answer: %uL bytes "
                            "are not taken by clients (prompt_limits answers)",
                            (uint64_t) answers->total);
}
