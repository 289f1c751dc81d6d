/*
 * Event stream: see event_stream.h.  A line is read byte by byte up to its
 * colon, and its value by runs up to the end of the line.
 */

#include "base/event_stream.h"


static bool event_stream_mark(prompt_event_stream_t *stream, char c);
static void event_stream_name(prompt_event_stream_t *stream, char c);
static void event_stream_field(prompt_event_stream_t *stream);
static const char *event_stream_value(prompt_event_stream_t *stream,
    const char *p, const char *end);
static void event_stream_append(prompt_event_stream_t *stream, const char *p,
    size_t len);
static bool event_stream_line(prompt_event_stream_t *stream);
static prompt_event_stream_status_e event_stream_status(
    prompt_event_stream_t *stream);


void
prompt_event_stream_init(prompt_event_stream_t *stream, size_t limit)
{
    memset(stream, 0, sizeof(*stream));
    stream->limit = limit;
    prompt_buf_init(&stream->names, limit);
    prompt_buf_init(&stream->values, limit);
}


void
prompt_event_stream_free(prompt_event_stream_t *stream)
{
    prompt_buf_free(&stream->names);
    prompt_buf_free(&stream->values);
}


prompt_event_stream_status_e
prompt_event_stream_read(prompt_event_stream_t *stream, const char **pos,
    const char *end)
{
    char         c;
    const char  *p;

    /* what was shown is forgotten */

    if (stream->complete) {
        stream->complete = 0;
        prompt_buf_truncate(&stream->names, 0);
        prompt_buf_truncate(&stream->values, 0);
    }

    p = *pos;

    while (p < end && !stream->complete && !stream->failed) {

        if (stream->place == PROMPT_EVENT_STREAM_VALUE
            || stream->place == PROMPT_EVENT_STREAM_PAST)
        {
            p = event_stream_value(stream, p, end);

            if (p == end) {
                break;
            }
        }

        c = *p;

        if (c == '\n' && stream->cr) {
            stream->cr = 0;
            p++;
            continue;
        }

        stream->cr = c == '\r';

        if (stream->place == PROMPT_EVENT_STREAM_MARK
            && event_stream_mark(stream, c))
        {
            p++;
            continue;
        }

        if (c == '\n' || c == '\r') {
            stream->complete = event_stream_line(stream);

        } else if (stream->place == PROMPT_EVENT_STREAM_COLON) {
            stream->place = PROMPT_EVENT_STREAM_VALUE;

            /* what is no space belongs to the value: it is looked at again */
            p -= c != ' ';

        } else {
            event_stream_name(stream, c);
        }

        p++;
    }

    *pos = p;

    return event_stream_status(stream);
}


/*
 * A byte order mark in front is passed over.  A part of one is not valid
 * UTF-8, so it is the beginning of a line that nobody knows.
 */
static bool
event_stream_mark(prompt_event_stream_t *stream, char c)
{
    static const char  mark[] = "\xef\xbb\xbf";

    if (c == mark[stream->nmark]) {
        stream->nmark++;

        if (stream->nmark == 3) {
            stream->place = PROMPT_EVENT_STREAM_NAME;
        }

        return true;
    }

    stream->place = stream->nmark == 0 ? PROMPT_EVENT_STREAM_NAME
                                       : PROMPT_EVENT_STREAM_PAST;

    return false;
}


/* a byte of the field's name, or the colon behind it */
static void
event_stream_name(prompt_event_stream_t *stream, char c)
{
    if (stream->place != PROMPT_EVENT_STREAM_NAME) {
        return;
    }

    if (c == ':') {
        event_stream_field(stream);
        stream->place = stream->value != NULL ? PROMPT_EVENT_STREAM_COLON
                                              : PROMPT_EVENT_STREAM_PAST;

    } else if (stream->nfield < sizeof(stream->field)) {
        stream->field[stream->nfield++] = c;

    } else {
        stream->place = PROMPT_EVENT_STREAM_PAST;
    }
}


/* The name is complete: whose value follows. */
static void
event_stream_field(prompt_event_stream_t *stream)
{
    prompt_str_t  field;

    field = prompt_str_of(stream->field, stream->nfield);
    stream->value = NULL;

    if (prompt_str_eq(field, prompt_str("data"))) {
        stream->value = &stream->values;

        if (stream->has_data) {
            event_stream_append(stream, "\n", 1);
        }

        stream->has_data = 1;

    } else if (prompt_str_eq(field, prompt_str("event"))) {
        stream->value = &stream->names;
        prompt_buf_truncate(&stream->names, 0);
    }
}


/* the bytes up to the end of the line, or of what is there; returns behind */
static const char *
event_stream_value(prompt_event_stream_t *stream, const char *p,
    const char *end)
{
    size_t       len;
    const char  *cr, *lf;

    lf = memchr(p, '\n', (size_t) (end - p));
    end = lf != NULL ? lf : end;
    cr = memchr(p, '\r', (size_t) (end - p));
    end = cr != NULL ? cr : end;

    len = (size_t) (end - p);

    if (stream->place == PROMPT_EVENT_STREAM_VALUE) {
        event_stream_append(stream, p, len);
    }

    return end;
}


/* name and data together are within the limit */
static void
event_stream_append(prompt_event_stream_t *stream, const char *p, size_t len)
{
    if (len > stream->limit - stream->names.len - stream->values.len) {
        stream->value->status = PROMPT_BUF_LIMIT;
    }

    prompt_buf_append(stream->value, p, len);

    stream->failed = stream->value->status != PROMPT_BUF_OK;
}


/* The line is at its end; true: it was empty, and an event is complete. */
static bool
event_stream_line(prompt_event_stream_t *stream)
{
    bool  empty;

    empty = stream->place == PROMPT_EVENT_STREAM_NAME && stream->nfield == 0;

    /* a name alone is a field with an empty value */

    if (stream->place == PROMPT_EVENT_STREAM_NAME) {
        event_stream_field(stream);
    }

    stream->place = PROMPT_EVENT_STREAM_NAME;
    stream->nfield = 0;
    stream->value = NULL;

    if (!empty || stream->failed) {
        return false;
    }

    if (!stream->has_data) {
        prompt_buf_truncate(&stream->names, 0);
        return false;
    }

    stream->has_data = 0;
    stream->name = prompt_buf_view(&stream->names);
    stream->data = prompt_buf_view(&stream->values);

    return true;
}


static prompt_event_stream_status_e
event_stream_status(prompt_event_stream_t *stream)
{
    if (stream->complete) {
        return PROMPT_EVENT_STREAM_EVENT;
    }

    if (!stream->failed) {
        return PROMPT_EVENT_STREAM_MORE;
    }

    return stream->names.status == PROMPT_BUF_NOMEM
           || stream->values.status == PROMPT_BUF_NOMEM
           ? PROMPT_EVENT_STREAM_NOMEM : PROMPT_EVENT_STREAM_LIMIT;
}
