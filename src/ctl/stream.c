/*
 * A subscription of the GraphQL endpoint: events are read while they come.
 */

#include "ctl/stream.h"

#include "base/event_stream.h"
#include "ctl/output.h"

#include <stdio.h>


/* memory of one event as a tree, for each byte, and besides */
#define CTL_STREAM_TREE  ((size_t) 64 * 1024 * 1024)


typedef struct {
    ctl_api_t              *api;
    prompt_event_stream_t   events;
    prompt_buf_t            text;        /* of an answer that is no stream */
    prompt_json_t          *result;
    char                    last;        /* character that was printed */
    bool                    failed;      /* and a message was printed */
    bool                    complete;
} ctl_stream_t;


static int ctl_stream_end(ctl_stream_t *stream, long status);
static size_t ctl_stream_receive(char *data, size_t size, size_t n,
    void *to);
static void ctl_stream_event(ctl_stream_t *stream);
static void ctl_stream_next(ctl_stream_t *stream, const prompt_json_t *next);
static void ctl_stream_print(ctl_stream_t *stream, prompt_str_t delta);
static void ctl_stream_fail(ctl_stream_t *stream, const char *message);


int
ctl_stream_run(ctl_api_t *api, prompt_json_t *variables,
    prompt_json_t **result)
{
    int           rc;
    long          status;
    ctl_stream_t  stream;
    prompt_buf_t  body;

    memset(&stream, 0, sizeof(stream));
    stream.api = api;
    stream.last = '\n';
    prompt_event_stream_init(&stream.events, CTL_API_ANSWER);
    prompt_buf_init(&stream.text, CTL_API_ANSWER);

    rc = ctl_api_body(&body, "subscription ($id: ID!, $input: JSON!,"
                      " $version: Int, $label: String) {"
                      " executePromptStream(promptId: $id, input: $input,"
                      " version: $version, label: $label) { delta result {"
                      " output latencyMs tokenIn tokenOut costUsd executionId"
                      " versionUsed model finishReason"
                      " toolCalls { id name arguments } } } }", variables);

    if (rc == CTL_OK) {
        rc = ctl_api_send(api, prompt_buf_view(&body), ctl_stream_receive,
                          &stream, &status);
    }

    if (rc == CTL_OK) {
        rc = ctl_stream_end(&stream, status);
    }

    if (stream.last != '\n') {
        (void) fputc('\n', stdout);
    }

    *result = stream.result;

    prompt_buf_free(&body);
    prompt_buf_free(&stream.text);
    prompt_event_stream_free(&stream.events);

    return rc;
}


static int
ctl_stream_end(ctl_stream_t *stream, long status)
{
    int             rc;
    prompt_str_t    text;
    prompt_json_t  *data, *errors;

    if (stream->failed) {
        return CTL_FAILED;
    }

    if (stream->complete && stream->result != NULL) {
        return CTL_OK;
    }

    if (stream->text.len == 0) {
        ctl_error("the stream ended before its result");
        return CTL_FAILED;
    }

    text = prompt_arena_copy(stream->api->ctl->arena,
                             prompt_buf_view(&stream->text));
    if (text.data == NULL) {
        return ctl_no_memory();
    }

    rc = ctl_api_read(stream->api, text, status, &data, &errors);

    if (rc == CTL_OK && errors != NULL) {
        ctl_api_errors(errors);

    } else if (rc == CTL_OK) {
        ctl_error("the answer is no stream");
    }

    return CTL_FAILED;
}


static size_t
ctl_stream_receive(char *data, size_t size, size_t n, void *to)
{
    ctl_stream_t  *stream = to;

    const char                    *pos, *end;
    prompt_event_stream_status_e   status;

    pos = data;
    end = data + size * n;

    /* an HTTP error is JSON; no line of a stream begins so */

    if (stream->text.len != 0 || *pos == '{') {
        prompt_buf_append(&stream->text, pos, size * n);
        return stream->text.status == PROMPT_BUF_OK ? size * n : 0;
    }

    do {
        status = prompt_event_stream_read(&stream->events, &pos, end);

        if (status == PROMPT_EVENT_STREAM_EVENT) {
            ctl_stream_event(stream);

        } else if (status != PROMPT_EVENT_STREAM_MORE) {
            return 0;
        }

    } while (status == PROMPT_EVENT_STREAM_EVENT && !ferror(stdout));

    /* anything but all of it ends the transfer */

    return ferror(stdout) ? 0 : size * n;
}


static void
ctl_stream_event(ctl_stream_t *stream)
{
    prompt_json_t        *next;
    prompt_arena_t       *arena;
    prompt_json_error_t   error;

    if (prompt_str_eq(stream->events.name, prompt_str("complete"))) {
        stream->complete = true;
        return;
    }

    if (!prompt_str_eq(stream->events.name, prompt_str("next"))) {
        return;
    }

    arena = prompt_arena_create(CTL_STREAM_TREE + 4 * stream->events.data.len);
    next = arena != NULL
           ? prompt_json_read(arena, stream->events.data, CTL_API_DEPTH,
                              &error)
           : NULL;

    if (next != NULL) {
        ctl_stream_next(stream, next);

    } else {
        ctl_stream_fail(stream, "an event of the stream cannot be read");
    }

    prompt_arena_destroy(arena);
}


static void
ctl_stream_next(ctl_stream_t *stream, const prompt_json_t *next)
{
    prompt_str_t          delta;
    const prompt_json_t  *event, *errors, *result;

    errors = ctl_member(next, "errors");

    if (errors != NULL && errors->type == PROMPT_JSON_ARRAY) {

        /* behind what was said, on a line of its own */

        ctl_stream_print(stream, stream->last != '\n' ? prompt_str("\n")
                                                      : prompt_str(""));
        ctl_api_errors(errors);
        stream->failed = true;
        return;
    }

    event = ctl_member(ctl_member(next, "data"), "executePromptStream");
    delta = ctl_text(event, "delta");
    result = ctl_member(event, "result");

    if (delta.data != NULL) {
        ctl_stream_print(stream, delta);
    }

    if (result != NULL && result->type == PROMPT_JSON_OBJECT) {
        stream->result = prompt_json_copy(stream->api->ctl->arena, result);

        if (stream->result == NULL) {
            ctl_stream_fail(stream, "memory is short");
        }
    }
}


static void
ctl_stream_print(ctl_stream_t *stream, prompt_str_t delta)
{
    if (delta.len == 0 || stream->api->ctl->json) {
        return;
    }

    ctl_print(delta);
    (void) fflush(stdout);

    stream->last = delta.data[delta.len - 1];
}


static void
ctl_stream_fail(ctl_stream_t *stream, const char *message)
{
    if (!stream->failed) {
        ctl_error("%s", message);
        stream->failed = true;
    }
}
