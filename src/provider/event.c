/*
 * What the formats do with an event of a stream: text, calls of tools, the
 * word for the end.
 */

#include "provider/provider_impl.h"

#include <stdlib.h>

#include "base/utf8.h"


/* what stands where half a character was */
#define PROMPT_PROVIDER_HALF  "\xef\xbf\xbd"

/* whose half it is */
#define PROMPT_PROVIDER_HALF_OUTPUT  (-1)


/* A buffer could not take what was appended to it. */
void
prompt_provider_stream_failed(prompt_provider_stream_t *stream,
    prompt_buf_status_t status)
{
    if (status != PROMPT_BUF_OK) {
        stream->status = status == PROMPT_BUF_LIMIT
                         ? PROMPT_PROVIDER_STREAM_LIMIT
                         : PROMPT_PROVIDER_STREAM_NOMEM;
    }
}


void
prompt_provider_stream_fail(prompt_provider_stream_t *stream,
    prompt_provider_outcome_t outcome)
{
    if (stream->status == PROMPT_PROVIDER_STREAM_MORE) {
        stream->status = PROMPT_PROVIDER_STREAM_FAILED;
        stream->outcome = outcome;
    }
}


void
prompt_provider_event_fail(prompt_provider_reader_t *reader)
{
    prompt_provider_stream_t  *stream;

    stream = reader->stream;
    stream->found = true;

    /* what is said of our credentials may repeat them */

    if (stream->error.len == 0 && !reader->no_key) {
        prompt_provider_said(reader->said, &stream->error);
    }

    prompt_provider_stream_fail(stream, PROMPT_PROVIDER_FAILED);
    prompt_provider_stream_failed(stream, stream->error.status);
}


void
prompt_provider_event_begin(prompt_provider_reader_t *reader)
{
    reader->stream->found = true;
}


void
prompt_provider_event_end(prompt_provider_reader_t *reader)
{
    if (reader->stream->status == PROMPT_PROVIDER_STREAM_MORE) {
        reader->stream->status = PROMPT_PROVIDER_STREAM_END;
    }
}


/* Text and arguments have one limit together. */
void
prompt_provider_stream_add(prompt_provider_stream_t *stream, prompt_buf_t *to,
    prompt_str_t text)
{
    if (text.len > stream->limit - stream->size) {
        stream->status = PROMPT_PROVIDER_STREAM_LIMIT;
        return;
    }

    prompt_buf_str(to, text);
    stream->size += text.len;

    prompt_provider_stream_failed(stream, to->status);
}


/* Whether a text ends, or begins, with half a character. */
static bool
provider_stream_is_half(prompt_str_t text, bool end)
{
    return text.len >= 3
           && memcmp(text.data + (end ? text.len - 3 : 0),
                     PROMPT_PROVIDER_HALF, 3) == 0;
}


/*
 * Adds text whose last event may have ended, and which itself may end, with
 * half a character: that waits for the other one.
 */
static void
provider_stream_add(prompt_provider_reader_t *reader, prompt_buf_t *to,
    prompt_str_t text, int64_t of)
{
    char                       whole[4];
    size_t                     len;
    prompt_provider_stream_t  *stream;

    stream = reader->stream;

    if (text.len != 0 && stream->high != 0 && stream->high_of == of) {

        if (reader->low != 0 && provider_stream_is_half(text, false)) {
            len = prompt_utf8_encode(0x10000 + ((stream->high - 0xd800) << 10)
                                     + (reader->low - 0xdc00), whole);
            text = prompt_str_of(text.data + 3, text.len - 3);
            prompt_provider_stream_add(stream, to, prompt_str_of(whole, len));

        } else {
            prompt_provider_stream_add(stream, to,
                                       prompt_str(PROMPT_PROVIDER_HALF));
        }

        stream->high = 0;
    }

    if (reader->high != 0 && stream->high == 0
        && provider_stream_is_half(text, true))
    {
        stream->high = reader->high;
        stream->high_of = of;
        text.len -= 3;
    }

    prompt_provider_stream_add(stream, to, text);
}


/* What the output has from there on is new. */
static void
provider_stream_show(prompt_provider_stream_t *stream, size_t from)
{
    if (stream->output.len != from) {
        stream->text = prompt_str_of(stream->output.data + from,
                                     stream->output.len - from);
    }
}


/* There is no other half: it is over. */
void
prompt_provider_stream_end(prompt_provider_stream_t *stream)
{
    size_t  before;

    if (stream->high != 0 && stream->high_of == PROMPT_PROVIDER_HALF_OUTPUT) {
        before = stream->output.len - stream->text.len;
        stream->high = 0;

        prompt_provider_stream_add(stream, &stream->output,
                                   prompt_str(PROMPT_PROVIDER_HALF));
        provider_stream_show(stream, before);
    }
}


void
prompt_provider_event_text(prompt_provider_reader_t *reader, prompt_str_t text)
{
    size_t                     before;
    prompt_provider_stream_t  *stream;

    stream = reader->stream;
    before = stream->output.len - stream->text.len;

    provider_stream_add(reader, &stream->output, text,
                        PROMPT_PROVIDER_HALF_OUTPUT);
    provider_stream_show(stream, before);
}


void
prompt_provider_event_part(prompt_provider_reader_t *reader)
{
    if (reader->part_text.len != 0) {
        reader->stream->said = true;
        prompt_provider_event_text(reader, reader->part_text);
    }
}


void
prompt_provider_event_refusal(prompt_provider_reader_t *reader,
    prompt_str_t text)
{
    if (!reader->stream->said && text.len != 0) {
        reader->stream->refused = true;
        prompt_provider_event_text(reader, text);
    }
}


void
prompt_provider_event_finish(prompt_provider_reader_t *reader)
{
    prompt_buf_t  *finish;

    if (reader->finish.len != 0 && reader->finish.len <= PROMPT_LIMIT_FINISH) {
        finish = &reader->stream->finish;

        prompt_buf_truncate(finish, 0);
        prompt_buf_str(finish, reader->finish);
        prompt_provider_stream_failed(reader->stream, finish->status);
    }
}


void
prompt_provider_event_last(prompt_provider_reader_t *reader)
{
    reader->stream->counted = reader->stream->counted || reader->used;
    prompt_provider_event_finish(reader);
}


static prompt_provider_stream_tool_t *
provider_stream_find(const prompt_provider_stream_t *stream, int64_t index)
{
    size_t  i;

    for (i = stream->ntools; i-- > 0; /* void */ ) {
        if (stream->tools[i].index == index) {
            return &stream->tools[i];
        }
    }

    return NULL;
}


/*
 * Whether an event begins another call under the same number: some give all of
 * them none, or 0.  An id alone says nothing, some make one for each part; nor
 * does a name that comes again, unless there is nothing more to come.
 */
static bool
provider_stream_another(const prompt_provider_stream_tool_t *tool,
    const prompt_provider_tool_t *part)
{
    if (tool->name.len == 0 || part->name.len == 0) {
        return false;
    }

    if (tool->id.len != 0 && part->id.len != 0) {
        return !prompt_str_eq(prompt_buf_view(&tool->id), part->id);
    }

    return tool->whole
           || !prompt_str_eq(prompt_buf_view(&tool->name), part->name);
}


/* Looks for the end of the object that arguments are, as they come. */
static void
provider_stream_follow(prompt_provider_stream_tool_t *tool, prompt_str_t part)
{
    char    c;
    size_t  i;

    for (i = 0; i < part.len; i++) {
        c = part.data[i];

        if (tool->escaped) {
            tool->escaped = 0;

        } else if (c == '"') {
            tool->quoted = !tool->quoted;

        } else if (tool->quoted) {
            tool->escaped = (c == '\\');

        } else if (c == '{' || c == '[') {
            tool->depth++;

        } else if ((c == '}' || c == ']') && tool->depth != 0) {
            tool->depth--;
            tool->whole = (tool->depth == 0);
        }
    }
}


/* NULL: the status says why */
static prompt_provider_stream_tool_t *
provider_stream_tool(prompt_provider_stream_t *stream,
    const prompt_provider_tool_t *part)
{
    prompt_provider_stream_tool_t  *tool;

    tool = provider_stream_find(stream, part->index);

    if (tool != NULL && !provider_stream_another(tool, part)) {
        return tool;
    }

    if (stream->ntools == PROMPT_PROVIDER_TOOLS_MAX) {
        prompt_provider_stream_fail(stream, PROMPT_PROVIDER_UNREADABLE);
        return NULL;
    }

    tool = realloc(stream->tools, (stream->ntools + 1) * sizeof(*tool));

    if (tool == NULL) {
        stream->status = PROMPT_PROVIDER_STREAM_NOMEM;
        return NULL;
    }

    stream->tools = tool;
    tool = &stream->tools[stream->ntools++];
    memset(tool, 0, sizeof(*tool));
    tool->index = part->index;

    prompt_buf_init(&tool->id, stream->limit);
    prompt_buf_init(&tool->name, stream->limit);
    prompt_buf_init(&tool->arguments, stream->limit);
    prompt_buf_init(&tool->input, stream->limit);

    return tool;
}


void
prompt_provider_event_tool(prompt_provider_reader_t *reader)
{
    prompt_provider_stream_t       *stream;
    const prompt_provider_tool_t   *part;
    prompt_provider_stream_tool_t  *tool;

    stream = reader->stream;
    part = &reader->tool;
    tool = provider_stream_tool(stream, part);

    if (tool == NULL) {
        return;
    }

    /* some repeat id and name with each part of the arguments */

    if (tool->id.len == 0) {
        prompt_provider_stream_add(stream, &tool->id, part->id);
    }

    if (tool->name.len == 0) {
        prompt_provider_stream_add(stream, &tool->name, part->name);
    }

    if (tool->input.len == 0 && tool->arguments.len == 0) {
        prompt_provider_stream_add(stream, &tool->input, part->input);
    }

    provider_stream_add(reader, &tool->arguments, part->arguments,
                        tool - stream->tools);
    provider_stream_follow(tool, part->arguments);
}


void
prompt_provider_event_more(prompt_provider_reader_t *reader)
{
    if (provider_stream_find(reader->stream, reader->tool.index) != NULL) {
        prompt_provider_event_tool(reader);
    }
}
