/*
 * Spans on their way to a collector.
 *
 *               interval is over, or
 *               a batch is full            taken, or refused
 *     IDLE ──────────────────────► SENDING ─────────────────► IDLE
 *                                   │   ▲
 *        to be sent again: 503, … ──▼   │ pause is over
 *                                  PAUSING ── for 5 minutes ─► IDLE, dropped
 *
 * A batch stays in the queue until it is known what became of it, so that what
 * comes on top finds it full when a collector is away.  While there is
 * something in the queue a timer ticks that is not cancelable: a worker that
 * is told to quit sends what it holds, and gives up after a while.
 */

#include "service/spans/otlp.h"

#include "io/ngx_http_prompt_post.h"
#include "io/ngx_http_prompt_timer.h"
#include "trace/otlp.h"


/* of one export */
#define NGX_HTTP_PROMPT_OTLP_BATCH    256
#define NGX_HTTP_PROMPT_OTLP_BYTES    (1024 * 1024)

#define NGX_HTTP_PROMPT_OTLP_TICK     250        /* ms */
#define NGX_HTTP_PROMPT_OTLP_GIVE_UP  300000     /* ms, of a batch */
#define NGX_HTTP_PROMPT_OTLP_LINGER   3000       /* ms, of who quits */
#define NGX_HTTP_PROMPT_OTLP_SILENCE  300000     /* ms, between log lines */

#define NGX_HTTP_PROMPT_OTLP_VERSION  "1"


typedef enum {
    NGX_HTTP_PROMPT_OTLP_IDLE = 0,
    NGX_HTTP_PROMPT_OTLP_SENDING,
    NGX_HTTP_PROMPT_OTLP_PAUSING
} ngx_http_prompt_otlp_state_e;


struct ngx_http_prompt_otlp_s {
    const ngx_http_prompt_otlp_conf_t  *conf;
    ngx_http_prompt_metrics_t          *metrics;
    ngx_http_prompt_post_t             *post;
    ngx_log_t                          *log;
    prompt_otlp_resource_t              resource;

    ngx_http_prompt_otlp_state_e        state;
    prompt_span_queue_t                 queue;
    ngx_http_prompt_timer_t             tick;
    ngx_msec_t                          since;   /* the first one waits */

    unsigned                            batch;   /* first ones, in body */
    char                               *body;    /* NULL: IDLE */
    size_t                              len;
    ngx_msec_t                          begun;   /* it was sent first */
    ngx_msec_t                          next;    /* PAUSING: until then */
    unsigned                            failures;    /* one after the other */

    ngx_msec_t                          linger;  /* of who quits; 0: does not */
    ngx_msec_t                          said;    /* the last line of the log */
    uint64_t                            dropped; /* since that */
    unsigned                            quiet:1; /* there was a line */
    unsigned                            away:1;  /* and it is not over */
};


static void ngx_http_prompt_otlp_tick(ngx_event_t *ev);
static ngx_uint_t ngx_http_prompt_otlp_due(ngx_http_prompt_otlp_t *otlp);
static ngx_uint_t ngx_http_prompt_otlp_lingered(ngx_http_prompt_otlp_t *otlp);
static void ngx_http_prompt_otlp_wait(ngx_http_prompt_otlp_t *otlp,
    ngx_msec_t ms);
static void ngx_http_prompt_otlp_begin(ngx_http_prompt_otlp_t *otlp);
static void ngx_http_prompt_otlp_send(ngx_http_prompt_otlp_t *otlp);
static void ngx_http_prompt_otlp_posted(void *data,
    const ngx_http_prompt_posted_t *posted);
static void ngx_http_prompt_otlp_taken(ngx_http_prompt_otlp_t *otlp,
    const ngx_http_prompt_posted_t *posted);
static void ngx_http_prompt_otlp_pause(ngx_http_prompt_otlp_t *otlp,
    int64_t retry_after);
static void ngx_http_prompt_otlp_end(ngx_http_prompt_otlp_t *otlp);
static void ngx_http_prompt_otlp_drop(ngx_http_prompt_otlp_t *otlp,
    ngx_http_prompt_count_e count, uint64_t n);
static ngx_uint_t ngx_http_prompt_otlp_loud(ngx_http_prompt_otlp_t *otlp);
static void ngx_http_prompt_otlp_failed(ngx_http_prompt_otlp_t *otlp,
    const ngx_http_prompt_posted_t *posted, ngx_uint_t again);
static void ngx_http_prompt_otlp_give_up(ngx_http_prompt_otlp_t *otlp);


ngx_http_prompt_otlp_t *
ngx_http_prompt_otlp_create(ngx_cycle_t *cycle,
    const ngx_http_prompt_otlp_conf_t *conf,
    ngx_http_prompt_metrics_t *metrics)
{
    ngx_http_prompt_otlp_t  *otlp;

    otlp = ngx_pcalloc(cycle->pool, sizeof(ngx_http_prompt_otlp_t));
    if (otlp == NULL) {
        return NULL;
    }

    otlp->conf = conf;
    otlp->metrics = metrics;
    otlp->log = cycle->log;

    otlp->resource.service = ngx_http_prompt_str(&conf->service);
    otlp->resource.host = ngx_http_prompt_str(&cycle->hostname);
    otlp->resource.pid = ngx_pid;
    otlp->resource.version = NGX_HTTP_PROMPT_OTLP_VERSION;

    ngx_http_prompt_timer_init(&otlp->tick, ngx_http_prompt_otlp_tick, otlp,
                               cycle->log);

    if (!prompt_span_queue_init(&otlp->queue, (unsigned) conf->queue)) {
        return NULL;
    }

    otlp->post = ngx_http_prompt_post_create(cycle, conf);

    if (otlp->post == NULL) {
        prompt_span_queue_free(&otlp->queue);
        return NULL;
    }

    return otlp;
}


void
ngx_http_prompt_otlp_destroy(ngx_http_prompt_otlp_t *otlp)
{
    if (otlp == NULL) {
        return;
    }

    ngx_http_prompt_otlp_give_up(otlp);
    ngx_http_prompt_timer_stop(&otlp->tick);
    ngx_http_prompt_post_destroy(otlp->post);
    prompt_span_queue_free(&otlp->queue);
}


void
ngx_http_prompt_otlp_quit(ngx_http_prompt_otlp_t *otlp)
{
    ngx_http_prompt_post_quit(otlp->post);
}


ngx_uint_t
ngx_http_prompt_otlp_content(const ngx_http_prompt_otlp_t *otlp)
{
    return otlp != NULL && otlp->conf->content;
}


void
ngx_http_prompt_otlp_put(ngx_http_prompt_otlp_t *otlp,
    const prompt_span_t *span)
{
    if (!prompt_span_queue_put(&otlp->queue, span)) {
        ngx_http_prompt_otlp_drop(otlp, NGX_HTTP_PROMPT_COUNT_OTLP_FULL, 1);

        if (!otlp->away && ngx_http_prompt_otlp_loud(otlp)) {
            ngx_log_error(NGX_LOG_WARN, otlp->log, 0,
                          "prompt: spans come faster than the collector of "
                          "\"prompt_otlp\" takes them: %uL dropped",
                          otlp->dropped);
            otlp->dropped = 0;
        }

        return;
    }

    if (otlp->queue.count == 1) {
        otlp->since = ngx_current_msec;
    }

    if (otlp->state == NGX_HTTP_PROMPT_OTLP_IDLE
        && otlp->queue.count == NGX_HTTP_PROMPT_OTLP_BATCH)
    {
        ngx_http_prompt_otlp_wait(otlp, 0);

    } else if (!otlp->tick.event.timer_set) {
        ngx_http_prompt_otlp_wait(otlp, NGX_HTTP_PROMPT_OTLP_TICK);
    }
}


static void
ngx_http_prompt_otlp_wait(ngx_http_prompt_otlp_t *otlp, ngx_msec_t ms)
{
    ngx_http_prompt_timer_stop(&otlp->tick);
    ngx_add_timer(&otlp->tick.event, ngx_min(ms, otlp->conf->interval));
}


/* What there is to do now; and when to look again. */
static void
ngx_http_prompt_otlp_tick(ngx_event_t *ev)
{
    ngx_http_prompt_otlp_t  *otlp;

    otlp = ngx_http_prompt_timer_owner(ev);

    if (ngx_http_prompt_otlp_lingered(otlp)) {
        ngx_http_prompt_otlp_give_up(otlp);
        return;
    }

    if (otlp->state == NGX_HTTP_PROMPT_OTLP_IDLE
        && ngx_http_prompt_otlp_due(otlp))
    {
        ngx_http_prompt_otlp_begin(otlp);

    } else if (otlp->state == NGX_HTTP_PROMPT_OTLP_PAUSING
               && (otlp->linger != 0
                   || (ngx_msec_int_t) (ngx_current_msec - otlp->next) >= 0))
    {
        ngx_http_prompt_otlp_send(otlp);
    }

    if (otlp->queue.count != 0) {
        ngx_http_prompt_otlp_wait(otlp, NGX_HTTP_PROMPT_OTLP_TICK);
    }
}


static ngx_uint_t
ngx_http_prompt_otlp_due(ngx_http_prompt_otlp_t *otlp)
{
    return otlp->queue.count != 0
           && (otlp->queue.count >= NGX_HTTP_PROMPT_OTLP_BATCH
               || otlp->queue.bytes >= NGX_HTTP_PROMPT_OTLP_BYTES
               || otlp->linger != 0
               || ngx_current_msec - otlp->since >= otlp->conf->interval);
}


/* whether the worker is to quit, and has tried to empty it for long enough */
static ngx_uint_t
ngx_http_prompt_otlp_lingered(ngx_http_prompt_otlp_t *otlp)
{
    if ((!ngx_exiting && !ngx_quit) || otlp->queue.count == 0) {
        return 0;
    }

    if (otlp->linger == 0) {
        otlp->linger = ngx_current_msec + NGX_HTTP_PROMPT_OTLP_LINGER;
        return 0;
    }

    return (ngx_msec_int_t) (ngx_current_msec - otlp->linger) >= 0;
}


/* Where memory is short it is tried at the next tick. */
static void
ngx_http_prompt_otlp_begin(ngx_http_prompt_otlp_t *otlp)
{
    otlp->batch = prompt_span_queue_fit(&otlp->queue,
                                        NGX_HTTP_PROMPT_OTLP_BATCH,
                                        NGX_HTTP_PROMPT_OTLP_BYTES);
    otlp->body = prompt_otlp_request(&otlp->resource, &otlp->queue,
                                     otlp->batch, &otlp->len);

    if (otlp->body != NULL) {
        otlp->begun = ngx_current_msec;
        ngx_http_prompt_otlp_send(otlp);
    }
}


static void
ngx_http_prompt_otlp_send(ngx_http_prompt_otlp_t *otlp)
{
    if (ngx_http_prompt_post_send(otlp->post, otlp->body, otlp->len,
                                  ngx_http_prompt_otlp_posted, otlp)
        == NGX_OK)
    {
        otlp->state = NGX_HTTP_PROMPT_OTLP_SENDING;
        return;
    }

    otlp->failures++;
    ngx_http_prompt_otlp_pause(otlp, 0);
}


static void
ngx_http_prompt_otlp_posted(void *data,
    const ngx_http_prompt_posted_t *posted)
{
    ngx_http_prompt_otlp_t  *otlp = data;

    if (posted->status >= 200 && posted->status < 300) {
        ngx_http_prompt_otlp_taken(otlp, posted);

    } else if (posted->status != 0
               && !prompt_otlp_may_retry((unsigned) posted->status))
    {
        ngx_http_prompt_otlp_drop(otlp, NGX_HTTP_PROMPT_COUNT_OTLP_REFUSED,
                                  otlp->batch);
        ngx_http_prompt_otlp_failed(otlp, posted, 0);
        ngx_http_prompt_otlp_end(otlp);

    } else if (ngx_current_msec - otlp->begun
               >= NGX_HTTP_PROMPT_OTLP_GIVE_UP)
    {
        ngx_http_prompt_otlp_drop(otlp, NGX_HTTP_PROMPT_COUNT_OTLP_AWAY,
                                  otlp->batch);
        ngx_http_prompt_otlp_failed(otlp, posted, 1);
        ngx_http_prompt_otlp_end(otlp);

    } else {
        ngx_http_prompt_otlp_failed(otlp, posted, 1);
        ngx_http_prompt_otlp_pause(otlp, posted->retry_after);

        /* who quits does not wait for what is not there */

        if (posted->status == 0 && otlp->linger != 0) {
            ngx_http_prompt_otlp_give_up(otlp);
            return;
        }
    }

    /* more of them may be waiting, or a worker for the end */

    if (otlp->queue.count != 0) {
        ngx_http_prompt_otlp_wait(otlp, otlp->state
                                        == NGX_HTTP_PROMPT_OTLP_IDLE
                                        ? 0 : NGX_HTTP_PROMPT_OTLP_TICK);
    }
}


static void
ngx_http_prompt_otlp_taken(ngx_http_prompt_otlp_t *otlp,
    const ngx_http_prompt_posted_t *posted)
{
    char      why[200];
    uint64_t  rejected;

    rejected = prompt_otlp_rejected(posted->answer, why, sizeof(why));
    rejected = ngx_min(rejected, otlp->batch);

    if (otlp->away) {
        ngx_log_error(NGX_LOG_NOTICE, otlp->log, 0,
                      "prompt: the collector of \"prompt_otlp\" takes spans "
                      "again, %uL were dropped", otlp->dropped);
        otlp->away = 0;
        otlp->quiet = 0;
        otlp->dropped = 0;
    }

    otlp->failures = 0;

    ngx_http_prompt_metrics_add(otlp->metrics,
                                NGX_HTTP_PROMPT_COUNT_OTLP_SENT,
                                otlp->batch - rejected);
    ngx_http_prompt_otlp_drop(otlp, NGX_HTTP_PROMPT_COUNT_OTLP_REFUSED,
                              rejected);

    if (rejected != 0 && ngx_http_prompt_otlp_loud(otlp)) {
        ngx_log_error(NGX_LOG_WARN, otlp->log, 0,
                      "prompt: the collector of \"prompt_otlp\" rejected %uL "
                      "of %ud spans: \"%s\"", rejected, otlp->batch, why);
    }

    ngx_http_prompt_otlp_end(otlp);
}


static void
ngx_http_prompt_otlp_pause(ngx_http_prompt_otlp_t *otlp, int64_t retry_after)
{
    otlp->state = NGX_HTTP_PROMPT_OTLP_PAUSING;
    otlp->next = ngx_current_msec
                 + prompt_otlp_delay(otlp->failures != 0 ? otlp->failures - 1
                                                         : 0,
                                     retry_after, (uint32_t) ngx_random());
}


/* It is known what became of the batch. */
static void
ngx_http_prompt_otlp_end(ngx_http_prompt_otlp_t *otlp)
{
    free(otlp->body);
    otlp->body = NULL;

    prompt_span_queue_drop(&otlp->queue, otlp->batch);
    otlp->batch = 0;
    otlp->since = ngx_current_msec;
    otlp->state = NGX_HTTP_PROMPT_OTLP_IDLE;

    /* who quits may have requests that end much later */

    if (otlp->queue.count == 0) {
        otlp->linger = 0;
    }
}


static void
ngx_http_prompt_otlp_drop(ngx_http_prompt_otlp_t *otlp,
    ngx_http_prompt_count_e count, uint64_t n)
{
    otlp->dropped += n;
    ngx_http_prompt_metrics_add(otlp->metrics, count, n);
}


/* Whether a line may be written: one in five minutes. */
static ngx_uint_t
ngx_http_prompt_otlp_loud(ngx_http_prompt_otlp_t *otlp)
{
    if (otlp->quiet
        && ngx_current_msec - otlp->said < NGX_HTTP_PROMPT_OTLP_SILENCE)
    {
        return 0;
    }

    otlp->quiet = 1;
    otlp->said = ngx_current_msec;

    return 1;
}


/* No address, header or answer is said. */
static void
ngx_http_prompt_otlp_failed(ngx_http_prompt_otlp_t *otlp,
    const ngx_http_prompt_posted_t *posted, ngx_uint_t again)
{
    otlp->failures++;

    if (!otlp->away) {
        otlp->away = 1;
        otlp->quiet = 0;
    }

    if (!ngx_http_prompt_otlp_loud(otlp)) {
        return;
    }

    if (posted->status == 0) {
        ngx_log_error(NGX_LOG_ERR, otlp->log, 0,
                      "prompt: the collector of \"prompt_otlp\" cannot be "
                      "reached (%s): %ud spans wait, %uL were dropped",
                      posted->failure, otlp->queue.count, otlp->dropped);
        return;
    }

    ngx_log_error(NGX_LOG_ERR, otlp->log, 0,
                  "prompt: the collector of \"prompt_otlp\" answered with "
                  "status %ui, %s: %ud spans wait, %uL were dropped",
                  posted->status, again ? "and is asked again"
                                        : "which refuses them: look at its "
                                          "URL and \"header=\"",
                  otlp->queue.count, otlp->dropped);
}


/* The worker ends: what waits is dropped. */
static void
ngx_http_prompt_otlp_give_up(ngx_http_prompt_otlp_t *otlp)
{
    ngx_http_prompt_post_cancel(otlp->post);

    if (otlp->queue.count != 0) {
        ngx_log_error(NGX_LOG_WARN, otlp->log, 0,
                      "prompt: the worker process ends before the collector "
                      "of \"prompt_otlp\" took %ud spans: they are dropped",
                      otlp->queue.count);
        ngx_http_prompt_otlp_drop(otlp, NGX_HTTP_PROMPT_COUNT_OTLP_AWAY,
                                  otlp->queue.count);
    }

    otlp->batch = otlp->queue.count;
    ngx_http_prompt_otlp_end(otlp);
}
