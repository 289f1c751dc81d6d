/*
 * Inside a call: what its beginning (call_begin.c), its life (call.c), its
 * attempts (attempt.c), the words for what failed (call_failure.c), what the
 * log is told of it (call_ratelog.c) and its span (call_span.c) know of each
 * other.  Nobody else includes this header.
 */

#ifndef NGX_HTTP_PROMPT_CALL_IMPL_H
#define NGX_HTTP_PROMPT_CALL_IMPL_H

#include "io/ngx_http_prompt_provider.h"
#include "prompt/price.h"
#include "service/call/call.h"
#include "service/call/recording.h"
#include "service/call/stream.h"
#include "trace/span.h"


/* An execution from the call of its provider on; lives in the recording. */
typedef struct {
    ngx_http_prompt_root_t              *root;   /* NULL: the client has left */
    ngx_http_prompt_recording_t         *recording;
    const ngx_http_prompt_model_conf_t  *model;  /* which is asked */
    ngx_http_prompt_stream_t            *stream; /* of this attempt; NULL: the
                                                    answer comes as a whole */
    prompt_usage_t                       usage;
    prompt_str_t                         failure;   /* absent: it succeeded */
    prompt_str_t                         schema;    /* of the output, JSON text;
                                                       absent: none */

    prompt_provider_answer_t             answer;    /* of this attempt, where it
                                                       was read */
    int64_t                              retry_after;   /* s; < 0: not said */
    unsigned                             read:1;
    unsigned                             unread:1;  /* memory was short */
    unsigned                             blames:1;  /* the failure is the
                                                       provider's */
    unsigned                             retryable:1;   /* and asking again may
                                                           help */
    unsigned                             late:1;    /* it was out of time */
    unsigned                             reached:1; /* somebody may have got a
                                                       request */
    unsigned                             unheard:1; /* and was not waited for
                                                       to the end: it may have
                                                       been paid for */

    prompt_target_question_t            *question;  /* the request's */
    ngx_http_prompt_ask_t                ask;
    ngx_uint_t                           choice;    /* of these, now */
    ngx_uint_t                           retries;   /* of it, so far */
    ngx_msec_t                           start;
    ngx_msec_t                           since;     /* that is asked */
    unsigned                             last:1;    /* nobody else will be
                                                       asked: what was for that
                                                       is gone */

    /* its own; and what providers are told, where run.trace_id is there */
    uint8_t                              span_id[PROMPT_SPAN_ID_LEN];
    char                                 traceparent[PROMPT_TRACEPARENT_LEN];
    prompt_span_t                       *span;      /* NULL: nobody wants it */

    char                                 cost[PROMPT_PRICE_COST_MAX];
    char                                 prices[sizeof(prompt_prices_t)
                                                / sizeof(prompt_price_t)]
                                               [PROMPT_PRICE_MAX];
} ngx_http_prompt_call_t;


/* when a provider has answered, or will not; data: the call */
void ngx_http_prompt_call_answered(void *data,
    const ngx_http_prompt_provider_result_t *result);


/*
 * Asks the first one (attempt.c).  Where memory is short NGX_ERROR, and nobody
 * was asked.
 */
ngx_int_t ngx_http_prompt_attempt_first(ngx_http_prompt_call_t *call);

/*
 * Tries once more after this result, or asks the next one: NGX_OK, and
 * ngx_http_prompt_call_answered() is called again.  NGX_DECLINED: the result
 * is the call's.
 */
ngx_int_t ngx_http_prompt_attempt_next(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);

/* The call is over, or nobody else will be asked: frees what was for that. */
void ngx_http_prompt_attempt_last(ngx_http_prompt_call_t *call);


/* Whether the attempt is one that may be repeated with the same provider. */
bool ngx_http_prompt_attempt_may_retry(
    const ngx_http_prompt_provider_result_t *result);

/*
 * Reads the answer of an attempt that is COMPLETE, once: call->answer.  False:
 * memory.
 */
bool ngx_http_prompt_call_answer(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);


/* What failed, for the client and the row (call_failure.c); never absent. */
prompt_str_t ngx_http_prompt_call_failure(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);

/* Notes whose failure it is, what the provider said, and what may help. */
void ngx_http_prompt_call_blame(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);

/*
 * What an error of a call that failed has in its extensions, beside what all
 * have.  NULL: memory.
 */
prompt_json_t *ngx_http_prompt_call_reason(const ngx_http_prompt_call_t *call);

/*
 * What the log is told of an attempt, of the provider that it asked
 * (call_ratelog.c): a failure as it was answered; that all is well, or that an
 * answer says nothing, when it was read.
 */
void ngx_http_prompt_call_ratelog(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);
void ngx_http_prompt_call_ratelog_over(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);


/*
 * The span of an execution (prompt_otlp), by the conventions of OpenTelemetry
 * for generative AI.
 *
 * The call begins: notes what only the request has, where its trace is sampled
 * and there is a collector.  Where memory is short there will be no span.
 */
void ngx_http_prompt_call_span_begin(ngx_http_prompt_call_t *call);

/* It is over: its run says how it ended.  Puts the span into the queue. */
void ngx_http_prompt_call_span_end(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);

#endif /* NGX_HTTP_PROMPT_CALL_IMPL_H */
