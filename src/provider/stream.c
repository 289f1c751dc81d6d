/*
 * Streams of providers: what the formats have in common.
 */

#include "provider/provider_impl.h"

#include <stdlib.h>


/* memory of one event: its text without escapes, and what surrounds it */
#define PROMPT_PROVIDER_EVENT_MEMORY(size)  (8 * (size) + 64 * 1024)


void
prompt_provider_stream_init(prompt_provider_stream_t *stream,
    const prompt_provider_format_t *format, size_t limit)
{
    memset(stream, 0, sizeof(*stream));

    stream->format = format;
    stream->limit = limit;
    prompt_usage_none(&stream->counts);

    prompt_event_stream_init(&stream->events, limit);
    prompt_buf_init(&stream->output, limit);
    prompt_buf_init(&stream->finish, PROMPT_LIMIT_FINISH);
    prompt_buf_init(&stream->error, PROMPT_LIMIT_SAID);
    prompt_buf_init(&stream->whole, limit);
    prompt_buf_init(&stream->thinking, limit);
    prompt_buf_init(&stream->signature, limit);
    prompt_buf_init(&stream->opaque, PROMPT_PROVIDER_CALLS_MAX);
}


void
prompt_provider_stream_free(prompt_provider_stream_t *stream)
{
    size_t  i;

    for (i = 0; i < stream->ntools; i++) {
        prompt_buf_free(&stream->tools[i].id);
        prompt_buf_free(&stream->tools[i].name);
        prompt_buf_free(&stream->tools[i].arguments);
        prompt_buf_free(&stream->tools[i].input);
    }

    free(stream->tools);
    stream->tools = NULL;
    stream->ntools = 0;

    prompt_event_stream_free(&stream->events);
    prompt_buf_free(&stream->output);
    prompt_buf_free(&stream->finish);
    prompt_buf_free(&stream->error);
    prompt_buf_free(&stream->whole);
    prompt_buf_free(&stream->thinking);
    prompt_buf_free(&stream->signature);
    prompt_buf_free(&stream->opaque);
}


static void
provider_stream_whole(prompt_provider_stream_t *stream, const char **pos,
    const char *end)
{
    prompt_buf_append(&stream->whole, *pos, (size_t) (end - *pos));
    *pos = end;

    prompt_provider_stream_failed(stream, stream->whole.status);
}


/* No line of a stream begins as a JSON value does. */
static void
provider_stream_form(prompt_provider_stream_t *stream, const char **pos,
    const char *end)
{
    while (*pos < end
           && (**pos == ' ' || **pos == '\t' || **pos == '\r'
               || **pos == '\n'))
    {
        (*pos)++;
    }

    if (*pos < end) {
        stream->form = **pos == '{' || **pos == '['
                       ? PROMPT_PROVIDER_STREAM_WHOLE
                       : PROMPT_PROVIDER_STREAM_EVENTS;
    }
}


/* Types that are new, of events and of their parts, are passed over. */
static void
provider_stream_typed(prompt_provider_reader_t *reader)
{
    const prompt_provider_type_t  *type;

    if (reader->type.data == NULL) {
        prompt_provider_stream_fail(reader->stream, PROMPT_PROVIDER_UNREADABLE);
        return;
    }

    for (type = reader->format->types; type->take != NULL; type++) {

        if (prompt_str_eq(prompt_str_from(type->type), reader->type)
            && (type->part == NULL
                || prompt_str_eq(prompt_str_from(type->part),
                                 reader->part_type)))
        {
            type->take(reader);
            return;
        }
    }
}


/* The walk is over: what it found becomes part of the stream. */
static void
provider_stream_take(prompt_provider_reader_t *reader, bool is_json)
{
    prompt_provider_stream_t  *stream;

    stream = reader->stream;

    if (reader->error
        || prompt_str_eq(stream->events.name, prompt_str("error")))
    {
        prompt_provider_event_fail(reader);
        return;
    }

    if (!is_json || reader->text.strange) {
        prompt_provider_stream_fail(stream, PROMPT_PROVIDER_UNREADABLE);
        return;
    }

    stream->counts = reader->counts;

    if (stream->format->types != NULL) {
        provider_stream_typed(reader);

    } else {
        stream->format->event(reader);
    }
}


static void
provider_stream_walk(prompt_provider_stream_t *stream, prompt_arena_t *arena,
    prompt_str_t data)
{
    bool                      is_json;
    prompt_provider_reader_t  reader;

    prompt_provider_begin(&reader, arena, stream->format, stream->limit);
    reader.stream = stream;
    reader.counts = stream->counts;

    is_json = prompt_provider_walk(&reader, data, stream->format->events);

    if (reader.scan.error.status == PROMPT_JSON_NOMEM
        || reader.text.parts.status == PROMPT_BUF_NOMEM)
    {
        stream->status = PROMPT_PROVIDER_STREAM_NOMEM;

    } else if (reader.text.parts.status == PROMPT_BUF_LIMIT) {
        stream->status = PROMPT_PROVIDER_STREAM_LIMIT;      /* by mending */

    } else {
        provider_stream_take(&reader, is_json);
        prompt_provider_stream_failed(stream, stream->opaque.status);
    }

    prompt_buf_free(&reader.text.parts);
}


static void
provider_stream_event(prompt_provider_stream_t *stream)
{
    prompt_str_t     data;
    prompt_arena_t  *arena;

    data = stream->events.data;

    while (data.len != 0 && (*data.data == ' ' || *data.data == '\n')) {
        data.data++;
        data.len--;
    }

    if (data.len == 0) {
        return;                            /* an event that keeps alive */
    }

    if (stream->format->done.data != NULL
        && prompt_str_eq(data, stream->format->done))
    {
        stream->counted = true;
        stream->status = PROMPT_PROVIDER_STREAM_END;
        return;
    }

    arena = prompt_arena_create(PROMPT_PROVIDER_EVENT_MEMORY(data.len));

    if (arena == NULL) {
        stream->status = PROMPT_PROVIDER_STREAM_NOMEM;
        return;
    }

    provider_stream_walk(stream, arena, data);

    prompt_arena_destroy(arena);
}


prompt_provider_stream_status_t
prompt_provider_stream_read(prompt_provider_stream_t *stream,
    const char **pos, const char *end)
{
    if (stream->form == PROMPT_PROVIDER_STREAM_UNKNOWN) {
        provider_stream_form(stream, pos, end);
    }

    if (stream->form == PROMPT_PROVIDER_STREAM_WHOLE) {
        provider_stream_whole(stream, pos, end);
        return stream->status;
    }

    stream->text = prompt_str_absent;

    while (*pos < end && stream->status == PROMPT_PROVIDER_STREAM_MORE) {

        switch (prompt_event_stream_read(&stream->events, pos, end)) {

        case PROMPT_EVENT_STREAM_MORE:
            return stream->status;

        case PROMPT_EVENT_STREAM_EVENT:
            provider_stream_event(stream);

            if (stream->status == PROMPT_PROVIDER_STREAM_END) {
                prompt_provider_stream_end(stream);
            }

            break;

        case PROMPT_EVENT_STREAM_LIMIT:
            stream->status = PROMPT_PROVIDER_STREAM_LIMIT;
            break;

        case PROMPT_EVENT_STREAM_NOMEM:
            stream->status = PROMPT_PROVIDER_STREAM_NOMEM;
            break;
        }

        /* what failed in this event has no text that anybody may see */

        if (stream->text.len != 0
            && stream->status <= PROMPT_PROVIDER_STREAM_END)
        {
            return PROMPT_PROVIDER_STREAM_TEXT;
        }
    }

    return stream->status;
}


static void
provider_stream_usage(const prompt_provider_stream_t *stream,
    prompt_usage_t *usage)
{
    prompt_provider_usage(stream->format, &stream->counts, usage);

    if (!stream->counted) {
        usage->out = PROMPT_USAGE_UNKNOWN;
        usage->reasoning = PROMPT_USAGE_UNKNOWN;
    }
}


/* One that came whole; its text may point into what goes with the stream. */
static bool
provider_stream_answer(const prompt_provider_stream_t *stream,
    prompt_arena_t *arena, unsigned status, prompt_provider_answer_t *answer)
{
    if (!prompt_provider_answer(arena, stream->format, status,
                                prompt_buf_view(&stream->whole), answer))
    {
        return false;
    }

    if (answer->outcome != PROMPT_PROVIDER_DONE) {
        return true;
    }

    answer->output = prompt_arena_copy(arena, answer->output);

    return answer->output.data != NULL;
}


static bool
provider_stream_calls(const prompt_provider_stream_t *stream,
    prompt_arena_t *arena, prompt_str_t *calls)
{
    bool                                  done;
    size_t                                i;
    prompt_buf_t                          out;
    prompt_provider_tool_t                call;
    const prompt_provider_stream_tool_t  *tool;

    prompt_buf_init(&out, PROMPT_PROVIDER_CALLS_MAX);

    for (i = 0; i < stream->ntools; i++) {
        tool = &stream->tools[i];

        call.id = prompt_buf_view(&tool->id);
        call.name = tool->name.len != 0 ? prompt_buf_view(&tool->name)
                                        : prompt_str_absent;
        call.arguments = prompt_buf_view(&tool->arguments);
        call.input = prompt_buf_view(&tool->input);

        prompt_provider_write_tool(&call, &out);
    }

    done = prompt_provider_list(arena, &out, calls);

    prompt_buf_free(&out);

    return done;
}


/* text, word and tools, as an answer that comes whole has them */
static bool
provider_stream_done(const prompt_provider_stream_t *stream,
    prompt_arena_t *arena, prompt_provider_answer_t *answer)
{
    answer->output = prompt_arena_copy(arena, prompt_buf_view(&stream->output));

    return answer->output.data != NULL
           && prompt_provider_finish(arena, stream->refused && !stream->said,
                                     prompt_buf_view(&stream->finish),
                                     &answer->finish)
           && prompt_provider_list(arena, &stream->opaque, &answer->opaque)
           && provider_stream_calls(stream, arena, &answer->tool_calls);
}


bool
prompt_provider_stream_whole(const prompt_provider_stream_t *stream)
{
    return stream->status == PROMPT_PROVIDER_STREAM_MORE && stream->found
           && stream->counted && stream->finish.len != 0;
}


bool
prompt_provider_stream_answer(const prompt_provider_stream_t *stream,
    prompt_arena_t *arena, unsigned status, prompt_provider_answer_t *answer)
{
    if (stream->status >= PROMPT_PROVIDER_STREAM_LIMIT) {
        return false;
    }

    if (stream->form == PROMPT_PROVIDER_STREAM_WHOLE) {
        return provider_stream_answer(stream, arena, status, answer);
    }

    memset(answer, 0, sizeof(*answer));
    provider_stream_usage(stream, &answer->usage);
    answer->outcome = PROMPT_PROVIDER_UNREADABLE;

    if (stream->status == PROMPT_PROVIDER_STREAM_FAILED) {
        answer->outcome = stream->outcome;

    } else if ((stream->status == PROMPT_PROVIDER_STREAM_END && stream->found)
               || prompt_provider_stream_whole(stream))
    {
        answer->outcome = PROMPT_PROVIDER_DONE;

        if (!provider_stream_done(stream, arena, answer)) {
            return false;
        }

    } else if (stream->found) {
        answer->message = prompt_arena_printf(arena, "the provider's answer "
                                              "with status %u is incomplete: "
                                              "its stream ended early",
                                              status);
        return answer->message.data != NULL;
    }

    answer->message = prompt_provider_message(arena, answer->outcome, status);

    if (stream->error.len != 0) {
        answer->said = prompt_arena_copy(arena,
                                         prompt_buf_view(&stream->error));

        if (answer->said.data == NULL) {
            return false;
        }
    }

    return answer->message.data != NULL;
}


void
prompt_provider_stream_rest(const prompt_provider_stream_t *stream,
    prompt_str_t *text, prompt_usage_t *usage)
{
    *text = prompt_str_absent;

    if (stream->output.len != 0) {
        *text = prompt_buf_view(&stream->output);
    }

    provider_stream_usage(stream, usage);
}
