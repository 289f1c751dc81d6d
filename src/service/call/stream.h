/*
 * Stream: what a provider says, handed on while it says it, as events of the
 * subscription executePromptStream.
 *
 * It lives in the arena of its call's recording, since the call goes on when
 * the client has left; then it only reads.
 */

#ifndef NGX_HTTP_PROMPT_STREAM_H
#define NGX_HTTP_PROMPT_STREAM_H

#include "io/ngx_http_prompt_provider.h"
#include "provider/stream.h"
#include "service/frame/root.h"
#include "store/execution.h"


/* an ExecutionEvent: one of both */
typedef struct {
    prompt_str_t             delta;
    prompt_execution_run_t  *result;
} ngx_http_prompt_execution_event_t;


/* an attempt to get an answer from a provider */
struct ngx_http_prompt_stream_s {
    ngx_http_prompt_root_t             *root;  /* NULL: the client has left */
    ngx_http_prompt_provider_call_t    *call;  /* NULL: not begun, or told */
    prompt_provider_stream_t            reader;
    ngx_http_prompt_execution_event_t   last;  /* with the result */
    size_t                              most;  /* text of one event */
    unsigned                            lost:1;/* memory was short: there is
                                                  text that the client did not
                                                  get */
};


/* for a call of a provider, with the stream as its data */
extern const ngx_http_prompt_provider_stream_t
    ngx_http_prompt_stream_handlers;

/* Whether a root field is executePromptStream. */
ngx_uint_t ngx_http_prompt_streams(const ngx_http_prompt_root_t *root);

/* A new stream in arena, of an answer of at most limit bytes; NULL: memory. */
ngx_http_prompt_stream_t *ngx_http_prompt_stream_create(
    ngx_http_prompt_root_t *root, prompt_arena_t *arena,
    const prompt_provider_format_t *format, size_t limit);

/* The provider is being asked: the answer to the client begins. */
void ngx_http_prompt_stream_begin(ngx_http_prompt_stream_t *stream,
    ngx_http_prompt_provider_call_t *call);

/*
 * What came of a call that ended with an answer, whole or as a stream; stream
 * is NULL where none was asked for.  Text that was not handed on yet is now.
 * False: memory.
 */
bool ngx_http_prompt_stream_answer(ngx_http_prompt_stream_t *stream,
    prompt_arena_t *arena, const prompt_provider_format_t *format,
    const ngx_http_prompt_provider_result_t *result,
    prompt_provider_answer_t *answer) PROMPT_WARN_UNUSED;

/*
 * What a call that failed has brought: its text so far becomes the output of
 * run, a copy in arena.  stream and usage may be NULL.
 */
void ngx_http_prompt_stream_rest(const ngx_http_prompt_stream_t *stream,
    prompt_arena_t *arena, prompt_execution_run_t *run,
    prompt_usage_t *usage);

/* Whether a stream that broke off has broken nothing. */
bool ngx_http_prompt_stream_whole(const ngx_http_prompt_stream_t *stream,
    const ngx_http_prompt_provider_result_t *result);

/* Whether the model has said something: it is not asked again then. */
bool ngx_http_prompt_stream_said(const ngx_http_prompt_stream_t *stream);

/* Whether a stream broke off, or told of an error, before the model did. */
bool ngx_http_prompt_stream_broke(const ngx_http_prompt_stream_t *stream,
    const ngx_http_prompt_provider_result_t *result);

/*
 * An event of a subscription, whatever its type: executed by the job's plan,
 * within so many bytes, and told.  NGX_OK; NGX_AGAIN and NGX_ERROR as the sink
 * has it; NGX_DECLINED: memory, or it is longer.
 */
ngx_int_t ngx_http_prompt_stream_event(ngx_http_prompt_job_t *job,
    void *event, size_t memory);

/*
 * Of a stream that may be told again: text becomes what is told before its
 * last event, job->said.  Where memory is short, or it is too long, the job's
 * answer is not kept.
 */
void ngx_http_prompt_stream_note(ngx_http_prompt_job_t *job,
    prompt_str_t text);

/* Gives back its memory; root is not written to by it any more. */
void ngx_http_prompt_stream_free(ngx_http_prompt_stream_t *stream);

/* The client of a job reads again; or can be told nothing more. */
void ngx_http_prompt_stream_drained(ngx_http_prompt_job_t *job);
void ngx_http_prompt_stream_abandon(ngx_http_prompt_job_t *job);

#endif /* NGX_HTTP_PROMPT_STREAM_H */
