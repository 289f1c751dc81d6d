/*
 * Streams of executions.
 *
 * The operation is executed once for each event (specification, 6.2.3.2), by
 * the plan and the variables of the job; its last event is the job's own
 * execution, which the call completes as it does for executePrompt.
 */

#include "service/call/stream.h"

#include "service/frame/operation.h"
#include "service/frame/service.h"


/* bytes of text in one event: longer ones become several */
#define NGX_HTTP_PROMPT_DELTA_MAX     (64 * 1024)

/*
 * Memory of one event, and what it may have as JSON.  Aliases and escapes make
 * it long: what does not fit is told in smaller events, down to these bytes.
 */
#define NGX_HTTP_PROMPT_EVENT_MEMORY  (1024 * 1024)
#define NGX_HTTP_PROMPT_DELTA_MIN     16


static ngx_int_t ngx_http_prompt_stream_piece(void *data, prompt_str_t piece);
static ngx_int_t ngx_http_prompt_stream_status(
    prompt_provider_stream_status_t status);
static void ngx_http_prompt_stream_writable(void *data);
static void ngx_http_prompt_stream_left(void *data);
static ngx_int_t ngx_http_prompt_stream_text(ngx_http_prompt_stream_t *stream,
    prompt_str_t text);
static ngx_int_t ngx_http_prompt_stream_noted(void *caller,
    const prompt_str_t *pieces, size_t n);
static ngx_int_t ngx_http_prompt_stream_execute(ngx_http_prompt_job_t *job,
    prompt_arena_t *arena, void *event, size_t memory);


const ngx_http_prompt_provider_stream_t  ngx_http_prompt_stream_handlers = {
    ngx_http_prompt_stream_piece,
    ngx_http_prompt_stream_writable,
    ngx_http_prompt_stream_left
};


static const ngx_http_prompt_sink_t  ngx_http_prompt_stream_notes = {
    .event = ngx_http_prompt_stream_noted
};


ngx_uint_t
ngx_http_prompt_streams(const ngx_http_prompt_root_t *root)
{
    return root->job->plan->operation->operation == GQL_SUBSCRIPTION;
}


ngx_http_prompt_stream_t *
ngx_http_prompt_stream_create(ngx_http_prompt_root_t *root,
    prompt_arena_t *arena, const prompt_provider_format_t *format,
    size_t limit)
{
    ngx_http_prompt_stream_t  *stream;

    stream = prompt_arena_zalloc(arena, sizeof(ngx_http_prompt_stream_t));

    if (stream != NULL) {
        stream->root = root;
        stream->most = NGX_HTTP_PROMPT_DELTA_MAX;
        prompt_provider_stream_init(&stream->reader, format, limit);
    }

    return stream;
}


void
ngx_http_prompt_stream_begin(ngx_http_prompt_stream_t *stream,
    ngx_http_prompt_provider_call_t *call)
{
    ngx_http_prompt_job_t  *job;

    stream->call = call;

    job = stream->root->job;
    job->stream = stream;

    if (job->sink->event(job->caller, NULL, 0) == NGX_ERROR) {
        ngx_http_prompt_stream_abandon(job);
    }
}


void
ngx_http_prompt_stream_free(ngx_http_prompt_stream_t *stream)
{
    ngx_http_prompt_stream_left(stream);
    stream->call = NULL;

    prompt_provider_stream_free(&stream->reader);
}


/* bytes of the answer, with whatever events are complete in them */
static ngx_int_t
ngx_http_prompt_stream_piece(void *data, prompt_str_t piece)
{
    ngx_http_prompt_stream_t  *stream = data;

    ngx_int_t                        rc, shown;
    const char                      *pos, *end;
    prompt_provider_stream_status_t  status;

    pos = piece.data;
    end = piece.data + piece.len;
    rc = NGX_OK;

    for ( ;; ) {
        status = prompt_provider_stream_read(&stream->reader, &pos, end);

        if (status != PROMPT_PROVIDER_STREAM_TEXT) {
            break;
        }

        shown = ngx_http_prompt_stream_text(stream, stream->reader.text);

        if (rc != NGX_ABORT) {
            rc = shown;
        }
    }

    if (status != PROMPT_PROVIDER_STREAM_MORE) {
        rc = ngx_http_prompt_stream_status(status);
    }

    return rc;
}


static ngx_int_t
ngx_http_prompt_stream_status(prompt_provider_stream_status_t status)
{
    switch (status) {

    case PROMPT_PROVIDER_STREAM_END:
        return NGX_DONE;

    case PROMPT_PROVIDER_STREAM_LIMIT:
        return NGX_ERROR;

    default:
        return NGX_DECLINED;
    }
}


/* NGX_AGAIN: the client does not read so fast; NGX_ABORT: it has gone */
static ngx_int_t
ngx_http_prompt_stream_text(ngx_http_prompt_stream_t *stream,
    prompt_str_t text)
{
    size_t                              len;
    ngx_int_t                           rc;
    ngx_http_prompt_execution_event_t   event;

    rc = NGX_OK;

    while (text.len != 0 && stream->root != NULL) {
        len = text.len;

        if (len > stream->most) {
            len = stream->most;

            /* a character stays whole */

            while (((unsigned char) text.data[len] & 0xc0) == 0x80) {
                len--;
            }
        }

        event.delta = prompt_str_of(text.data, len);
        event.result = NULL;

        rc = ngx_http_prompt_stream_event(stream->root->job, &event,
                                          NGX_HTTP_PROMPT_EVENT_MEMORY);

        if (rc == NGX_DECLINED && len > NGX_HTTP_PROMPT_DELTA_MIN) {
            stream->most = ngx_max(len / 2, NGX_HTTP_PROMPT_DELTA_MIN);
            continue;
        }

        if (rc == NGX_ERROR || rc == NGX_DECLINED) {
            ngx_http_prompt_stream_left(stream);
            break;
        }

        text.data += len;
        text.len -= len;
    }

    if (rc == NGX_DECLINED) {
        stream->lost = 1;
        return NGX_OK;
    }

    return rc == NGX_ERROR ? NGX_ABORT : rc;
}


ngx_int_t
ngx_http_prompt_stream_event(ngx_http_prompt_job_t *job, void *event,
    size_t memory)
{
    ngx_int_t        rc;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(memory);

    if (arena == NULL) {
        return NGX_DECLINED;
    }

    rc = ngx_http_prompt_stream_execute(job, arena, event, memory);

    prompt_arena_destroy(arena);

    return rc;
}


static ngx_int_t
ngx_http_prompt_stream_execute(ngx_http_prompt_job_t *job,
    prompt_arena_t *arena, void *event, size_t memory)
{
    size_t               n;
    ngx_int_t            rc;
    gql_result_t         result;
    gql_execution_t     *execution;
    const prompt_str_t  *pieces;

    execution = gql_execution_create(arena, job->plan, job->variables,
                                     &ngx_http_prompt_resolver, job,
                                     memory);
    if (execution == NULL) {
        return NGX_DECLINED;
    }

    result.kind = GQL_RESULT_OBJECT;
    result.u.object.handle = event;
    result.u.object.type = NULL;

    gql_execution_complete(execution, 0, &result);

    n = gql_execution_finish(execution, ngx_http_prompt_internal_server_error,
                             &pieces);

    rc = n != 0 && !gql_execution_aborted(execution)
         ? job->sink->event(job->caller, pieces, n) : NGX_DECLINED;

    gql_execution_destroy(execution);

    return rc;
}


/* As it is told to a client, in as few events as there can be. */
void
ngx_http_prompt_stream_note(ngx_http_prompt_job_t *job, prompt_str_t text)
{
    u_char                        *copy;
    prompt_buf_t                   said;
    ngx_http_prompt_root_t         root;
    ngx_http_prompt_stream_t       stream;
    void                          *caller;
    const ngx_http_prompt_sink_t  *sink;

    ngx_memzero(&root, sizeof(ngx_http_prompt_root_t));
    ngx_memzero(&stream, sizeof(ngx_http_prompt_stream_t));
    prompt_buf_init(&said, NGX_HTTP_PROMPT_SAID_MAX);

    root.job = job;
    stream.root = &root;
    stream.most = ngx_max(text.len, 1);

    sink = job->sink;
    caller = job->caller;
    job->sink = &ngx_http_prompt_stream_notes;
    job->caller = &said;

    (void) ngx_http_prompt_stream_text(&stream, text);

    job->sink = sink;
    job->caller = caller;

    copy = stream.root != NULL && said.status == PROMPT_BUF_OK
           ? ngx_pnalloc(job->request->pool, said.len) : NULL;

    if (copy == NULL) {
        job->unkept = 1;

    } else if (said.len != 0) {
        ngx_memcpy(copy, said.data, said.len);
        job->said = prompt_str_of((char *) copy, said.len);
    }

    prompt_buf_free(&said);
}


static ngx_int_t
ngx_http_prompt_stream_noted(void *caller, const prompt_str_t *pieces,
    size_t n)
{
    size_t         i;
    prompt_buf_t  *said = caller;

    for (i = 0; i < n; i++) {
        prompt_buf_str(said, pieces[i]);
    }

    prompt_buf_char(said, NGX_HTTP_PROMPT_SAID_END);

    return said->status == PROMPT_BUF_OK ? NGX_OK : NGX_ERROR;
}


static void
ngx_http_prompt_stream_writable(void *data)
{
    ngx_http_prompt_stream_t  *stream = data;

    ngx_http_prompt_job_t  *job;

    if (stream->root != NULL) {
        job = stream->root->job;
        job->sink->writable(job->caller);
    }
}


static void
ngx_http_prompt_stream_left(void *data)
{
    ngx_http_prompt_stream_t  *stream = data;

    ngx_http_prompt_job_t  *job;

    if (stream->root != NULL) {
        job = stream->root->job;

        if (job->stream == stream) {
            job->stream = NULL;
        }

        stream->root = NULL;
    }
}


void
ngx_http_prompt_stream_drained(ngx_http_prompt_job_t *job)
{
    if (job->drained != NULL) {
        job->drained(job, true);

    } else if (job->stream != NULL && job->stream->call != NULL) {
        ngx_http_prompt_provider_resume(job->stream->call);
    }
}


void
ngx_http_prompt_stream_abandon(ngx_http_prompt_job_t *job)
{
    ngx_http_prompt_stream_t  *stream;

    stream = job->stream;

    if (job->drained != NULL) {
        job->drained(job, false);

    } else if (stream != NULL) {
        ngx_http_prompt_stream_left(stream);

        if (stream->call != NULL) {
            ngx_http_prompt_provider_abandon(stream->call);
        }
    }
}


bool
ngx_http_prompt_stream_answer(ngx_http_prompt_stream_t *stream,
    prompt_arena_t *arena, const prompt_provider_format_t *format,
    const ngx_http_prompt_provider_result_t *result,
    prompt_provider_answer_t *answer)
{
    unsigned  status;

    status = (unsigned) result->status;

    if (stream == NULL || status < NGX_HTTP_OK
        || status >= NGX_HTTP_SPECIAL_RESPONSE)
    {
        return prompt_provider_answer(arena, format, status, result->body,
                                      answer);
    }

    if (!prompt_provider_stream_answer(&stream->reader, arena, status,
                                       answer))
    {
        return false;
    }

    /* one that came whole */

    if (answer->outcome == PROMPT_PROVIDER_DONE
        && stream->reader.form == PROMPT_PROVIDER_STREAM_WHOLE)
    {
        (void) ngx_http_prompt_stream_text(stream, answer->output);
    }

    return true;
}


bool
ngx_http_prompt_stream_said(const ngx_http_prompt_stream_t *stream)
{
    return stream->reader.output.len != 0 || stream->reader.ntools != 0
           || stream->reader.thought;
}


bool
ngx_http_prompt_stream_whole(const ngx_http_prompt_stream_t *stream,
    const ngx_http_prompt_provider_result_t *result)
{
    return stream != NULL && !result->aborted
           && result->end == NGX_HTTP_PROMPT_PROVIDER_TRUNCATED
           && prompt_provider_stream_whole(&stream->reader);
}


/* One JSON value is no stream, and is not asked for again. */
bool
ngx_http_prompt_stream_broke(const ngx_http_prompt_stream_t *stream,
    const ngx_http_prompt_provider_result_t *result)
{
    const prompt_provider_stream_t  *reader;

    reader = &stream->reader;

    if (!result->began || reader->form == PROMPT_PROVIDER_STREAM_WHOLE
        || ngx_http_prompt_stream_said(stream))
    {
        return false;
    }

    switch (result->end) {

    case NGX_HTTP_PROMPT_PROVIDER_TRUNCATED:
        return true;

    case NGX_HTTP_PROMPT_PROVIDER_COMPLETE:
        return reader->found && !prompt_provider_stream_whole(reader)
               && (reader->status == PROMPT_PROVIDER_STREAM_MORE
                   || (reader->status == PROMPT_PROVIDER_STREAM_FAILED
                       && reader->outcome == PROMPT_PROVIDER_FAILED));

    default:
        return false;
    }
}


void
ngx_http_prompt_stream_rest(const ngx_http_prompt_stream_t *stream,
    prompt_arena_t *arena, prompt_execution_run_t *run, prompt_usage_t *usage)
{
    prompt_str_t    text;
    prompt_usage_t  known;

    if (stream == NULL) {
        return;
    }

    prompt_provider_stream_rest(&stream->reader, &text, &known);

    if (text.data != NULL) {
        run->output = prompt_arena_copy(arena, text);
    }

    if (usage != NULL) {
        *usage = known;
    }
}
