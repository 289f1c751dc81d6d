/*
 * A subscription of the GraphQL endpoint: events are read while they come.
 */

#include "ctl/stream.h"

#include "base/event_stream.h"
#include "ctl/output.h"

#include <stdio.h>


typedef struct {
    prompt_event_stream_t   events;
    prompt_buf_t            text;        /* of an answer that is no stream */
    void                  (*event)(const json_t *data, void *to);
    void                   *to;
    bool                    complete;
} ctl_stream_t;


/* what a model says */
typedef struct {
    const ctl_t            *ctl;
    json_t                 *result;
} ctl_said_t;


static void ctl_stream_line(void);
static void ctl_stream_said(const json_t *data, void *to);
static void ctl_stream_end(const ctl_stream_t *stream, long status);
static size_t ctl_stream_receive(char *data, size_t size, size_t n,
    void *to);
static void ctl_stream_event(ctl_stream_t *stream);


/* a line that was not ended yet; one stream is printed at a time */
static char  ctl_stream_last = '\n';


bool
ctl_stream(ctl_api_t *api, const char *document, const json_t *variables,
    void (*event)(const json_t *data, void *to), void *to)
{
    long          status;
    ctl_stream_t  stream;

    memset(&stream, 0, sizeof(stream));
    stream.event = event;
    stream.to = to;
    prompt_event_stream_init(&stream.events, CTL_API_ANSWER);
    prompt_buf_init(&stream.text, CTL_API_ANSWER);

    status = ctl_api_send(api, document, variables, ctl_stream_receive,
                          &stream);

    ctl_stream_line();

    if (!stream.complete) {
        ctl_stream_end(&stream, status);
    }

    prompt_buf_free(&stream.text);
    prompt_event_stream_free(&stream.events);

    return stream.complete;
}


json_t *
ctl_stream_run(ctl_api_t *api, const json_t *variables)
{
    bool        complete;
    ctl_said_t  said;

    said.ctl = api->ctl;
    said.result = NULL;

    complete = ctl_stream(api, "subscription ($id: ID!, $input: JSON!,"
                          " $version: Int, $label: String) {"
                          " executePromptStream(promptId: $id, input: $input,"
                          " version: $version, label: $label) { delta result "
                          CTL_RESULT_SELECTION " } }", variables,
                          ctl_stream_said, &said);

    if (!complete) {
        ctl_give_up();
    }

    if (said.result == NULL) {
        ctl_fail("the stream ended before its result");
    }

    return said.result;
}


/* Messages stand behind what was said, on a line of their own. */
static void
ctl_stream_line(void)
{
    if (ctl_stream_last != '\n') {
        (void) fputc('\n', stdout);
        ctl_stream_last = '\n';
    }
}


/* Says why it is not whole. */
static void
ctl_stream_end(const ctl_stream_t *stream, long status)
{
    json_t  *errors;

    if (status == 0) {
        return;
    }

    if (stream->text.len == 0) {
        ctl_error("the stream ended before its result");
        return;
    }

    (void) ctl_api_read(prompt_buf_view(&stream->text), status, &errors);

    if (errors == NULL) {
        ctl_fail("the answer is no stream");
    }

    ctl_api_errors(errors);
    ctl_give_up();
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
    json_t        *next, *errors;
    json_error_t   error;

    if (prompt_str_eq(stream->events.name, prompt_str("complete"))) {
        stream->complete = true;
        return;
    }

    if (!prompt_str_eq(stream->events.name, prompt_str("next"))) {
        return;
    }

    next = ctl_json_read(stream->events.data, &error);

    if (next == NULL) {
        ctl_stream_line();
        ctl_fail("an event of the stream cannot be read");
    }

    errors = ctl_list(next, "errors");

    if (errors != NULL) {
        ctl_stream_line();
        ctl_api_errors(errors);
        ctl_give_up();
    }

    stream->event(json_object_get(next, "data"), stream->to);
    json_decref(next);
}


static void
ctl_stream_said(const json_t *data, void *to)
{
    json_t        *event, *result;
    ctl_said_t    *said = to;
    prompt_str_t   delta;

    event = json_object_get(data, "executePromptStream");
    result = json_object_get(event, "result");
    delta = ctl_text(event, "delta");

    if (delta.len != 0 && !said->ctl->json) {
        ctl_print(delta);
        (void) fflush(stdout);
        ctl_stream_last = delta.data[delta.len - 1];
    }

    if (json_is_object(result)) {
        json_decref(said->result);
        said->result = json_incref(result);
    }
}
