/*
 * Events of a stream of Anthropic's messages.
 */

#include "prompt/provider_event.h"


static const prompt_provider_member_t  prompt_provider_anthropic_begun[] = {
    prompt_provider_event_member("usage", prompt_provider_event_usage,
                                 reader.usage),
    prompt_provider_no_member
};


static void
prompt_provider_anthropic_message(prompt_provider_reader_t *reader, void *to)
{
    (void) to;

    (void) prompt_provider_read_object(reader,
                                       prompt_provider_anthropic_begun);
}


/* of a block that starts, and of what is added to one */
static const prompt_provider_member_t  prompt_provider_anthropic_part[] = {
    prompt_provider_event_member("type", prompt_provider_read_string,
                                 part_type),
    prompt_provider_event_member("text", prompt_provider_read_string,
                                 part_text),
    prompt_provider_event_member("id", prompt_provider_read_string, tool_id),
    prompt_provider_event_member("name", prompt_provider_read_string,
                                 tool_name),
    prompt_provider_event_member("partial_json", prompt_provider_read_string,
                                 tool_arguments),
    prompt_provider_event_member("input", prompt_provider_read_arguments,
                                 tool_input),
    prompt_provider_event_member("thinking", prompt_provider_event_thought,
                                 stream),
    prompt_provider_event_member("data", prompt_provider_event_thought,
                                 stream),
    prompt_provider_event_member("stop_reason", prompt_provider_read_string,
                                 finish),
    prompt_provider_no_member
};


static void
prompt_provider_anthropic_add(prompt_provider_reader_t *reader, void *to)
{
    (void) to;

    (void) prompt_provider_read_object(reader, prompt_provider_anthropic_part);
}


const prompt_provider_member_t  prompt_provider_anthropic_events[] = {
    prompt_provider_event_member("type", prompt_provider_read_string, type),
    prompt_provider_event_member("index", prompt_provider_read_count,
                                 tool_index),
    prompt_provider_event_member("message", prompt_provider_anthropic_message,
                                 stream),
    prompt_provider_event_member("content_block",
                                 prompt_provider_anthropic_add, stream),
    prompt_provider_event_member("delta", prompt_provider_anthropic_add,
                                 stream),
    prompt_provider_event_member("usage", prompt_provider_event_usage,
                                 reader.usage),
    prompt_provider_event_member("error", prompt_provider_read_error,
                                 reader.error),
    prompt_provider_no_member
};


static bool
prompt_provider_anthropic_is(prompt_str_t text, const char *name)
{
    return prompt_str_eq(text, prompt_str_from(name));
}


/* Blocks of other kinds, and events that are new, are passed over. */
void
prompt_provider_anthropic_event(prompt_provider_event_t *event)
{
    prompt_provider_stream_t  *stream;

    stream = event->stream;

    if (event->type.data == NULL) {
        prompt_provider_event_fail(event, PROMPT_PROVIDER_UNREADABLE);

    } else if (prompt_provider_anthropic_is(event->type, "message_start")) {
        stream->found = true;

    } else if (prompt_provider_anthropic_is(event->type,
                                            "content_block_start")
               || prompt_provider_anthropic_is(event->type,
                                               "content_block_delta"))
    {
        if (prompt_provider_anthropic_is(event->part_type, "text")
            || prompt_provider_anthropic_is(event->part_type, "text_delta"))
        {
            prompt_provider_event_text(event, event->part_text);

        } else if (prompt_provider_anthropic_is(event->part_type, "tool_use")
                   || (prompt_provider_anthropic_is(event->part_type,
                                                    "input_json_delta")
                       && prompt_provider_event_has_tool(event)))
        {
            prompt_provider_event_tool(event);
        }

    } else if (prompt_provider_anthropic_is(event->type, "message_delta")) {

        /* the count at the start is not the last one */

        stream->counted = true;
        prompt_provider_event_finish(event);

    } else if (prompt_provider_anthropic_is(event->type, "message_stop")) {
        prompt_provider_event_end(event);
    }
}
