/*
 * Events of a stream of OpenAI's chat completions.
 */

#include "prompt/provider_event.h"


static void prompt_provider_openai_tools(prompt_provider_reader_t *reader,
    void *to);


static const prompt_provider_member_t  prompt_provider_openai_delta_members[] =
{
    prompt_provider_event_member("content", prompt_provider_openai_content,
                                 reader.text),
    prompt_provider_event_member("refusal", prompt_provider_read_string,
                                 reader.refusal),
    prompt_provider_event_member("tool_calls", prompt_provider_openai_tools,
                                 stream),
    prompt_provider_event_member("reasoning_content",
                                 prompt_provider_event_thought, stream),
    prompt_provider_event_member("reasoning", prompt_provider_event_thought,
                                 stream),
    prompt_provider_event_member("reasoning_details",
                                 prompt_provider_event_thought, stream),
    prompt_provider_event_member("audio", prompt_provider_event_thought,
                                 stream),
    prompt_provider_no_member
};


static void
prompt_provider_openai_delta(prompt_provider_reader_t *reader, void *to)
{
    (void) to;

    (void) prompt_provider_read_object(reader,
                                       prompt_provider_openai_delta_members);
}


static const prompt_provider_member_t  prompt_provider_openai_call_members[] =
{
    prompt_provider_event_member("name", prompt_provider_read_string,
                                 tool_name),
    prompt_provider_event_member("arguments", prompt_provider_read_arguments,
                                 tool_arguments),
    prompt_provider_event_member("input", prompt_provider_read_arguments,
                                 tool_arguments),
    prompt_provider_no_member
};


static void
prompt_provider_openai_call(prompt_provider_reader_t *reader, void *to)
{
    (void) to;

    (void) prompt_provider_read_object(reader,
                                       prompt_provider_openai_call_members);
}


static const prompt_provider_member_t  prompt_provider_openai_tool_members[] =
{
    prompt_provider_event_member("index", prompt_provider_read_count,
                                 tool_index),
    prompt_provider_event_member("id", prompt_provider_read_string, tool_id),
    prompt_provider_event_member("function", prompt_provider_openai_call,
                                 stream),
    prompt_provider_event_member("custom", prompt_provider_openai_call,
                                 stream),
    prompt_provider_no_member
};


/* parts of the calls of tools, each with the number of its call */
static void
prompt_provider_openai_tools(prompt_provider_reader_t *reader, void *to)
{
    prompt_provider_event_t  *event;

    (void) to;

    event = (prompt_provider_event_t *) reader;

    if (!prompt_json_scan_array(&reader->scan)) {
        prompt_json_scan_skip(&reader->scan);
        return;
    }

    while (prompt_json_scan_element(&reader->scan)) {
        event->tool_index = 0;
        event->tool_id = prompt_str_absent;
        event->tool_name = prompt_str_absent;
        event->tool_arguments = prompt_str_absent;

        if (prompt_provider_read_object(reader,
                                        prompt_provider_openai_tool_members))
        {
            prompt_provider_event_tool(event);
        }
    }
}


static const prompt_provider_member_t
    prompt_provider_openai_choice_members[] =
{
    prompt_provider_event_member("delta", prompt_provider_openai_delta,
                                 stream),
    prompt_provider_event_member("finish_reason", prompt_provider_read_string,
                                 finish),
    prompt_provider_no_member
};


static const prompt_provider_member_t  prompt_provider_openai_number[] = {
    prompt_provider_event_member("index", prompt_provider_read_count, index),
    prompt_provider_no_member
};


/*
 * Whether the next element is of the choice that the stream began with; its
 * number may stand behind its text, so it is read twice.
 */
static bool
prompt_provider_openai_is_choice(prompt_provider_event_t *event)
{
    prompt_json_scan_t         before;
    prompt_provider_stream_t  *stream;

    stream = event->stream;
    before = event->reader.scan;
    event->index = PROMPT_USAGE_UNKNOWN;

    if (!prompt_provider_read_object(&event->reader,
                                     prompt_provider_openai_number))
    {
        return false;
    }

    if (event->index < 0) {
        event->index = 0;
    }

    if (!stream->found) {
        stream->choice = event->index;
    }

    if (event->index != stream->choice
        || event->reader.scan.error.status != PROMPT_JSON_OK)
    {
        return false;
    }

    event->reader.scan = before;

    return true;
}


/* One choice counts, the first: n is refused in params. */
static void
prompt_provider_openai_choices(prompt_provider_reader_t *reader, void *to)
{
    bool                      read;
    prompt_provider_event_t  *event;

    (void) to;

    event = (prompt_provider_event_t *) reader;
    read = false;

    if (!prompt_json_scan_array(&reader->scan)) {
        prompt_json_scan_skip(&reader->scan);
        return;
    }

    while (prompt_json_scan_element(&reader->scan)) {

        if (read) {
            prompt_json_scan_skip(&reader->scan);

        } else if (prompt_provider_openai_is_choice(event)) {
            event->stream->found = true;
            read = prompt_provider_read_object(reader,
                                       prompt_provider_openai_choice_members);
        }
    }
}


/* null in all chunks but one */
static void
prompt_provider_openai_used(prompt_provider_reader_t *reader, void *to)
{
    prompt_provider_event_usage(reader, to);

    ((prompt_provider_event_t *) reader)->used = true;
}


const prompt_provider_member_t  prompt_provider_openai_events[] = {
    prompt_provider_event_member("choices", prompt_provider_openai_choices,
                                 stream),
    prompt_provider_event_member("usage", prompt_provider_openai_used,
                                 reader.usage),
    prompt_provider_event_member("error", prompt_provider_read_error,
                                 reader.error),
    prompt_provider_no_member
};


/* a refusal stands in the place of content, or there is none */
void
prompt_provider_openai_event(prompt_provider_event_t *event)
{
    prompt_provider_text_t    *text;
    prompt_provider_stream_t  *stream;

    stream = event->stream;
    text = &event->reader.text;

    stream->said = stream->said || text->only.len != 0 || text->parts.len != 0;

    prompt_provider_event_text(event, text->only);
    prompt_provider_event_text(event, prompt_buf_view(&text->parts));

    if (!stream->said && event->reader.refusal.len != 0) {
        prompt_provider_event_text(event, event->reader.refusal);
    }

    prompt_provider_event_finish(event);

    /* some count as they go: a count is the last one when the text is over */

    stream->counted = stream->counted
                      || (event->used && stream->finish.len != 0);
}
