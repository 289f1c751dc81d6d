/*
 * Anthropic's messages.
 */

#include "provider/anthropic.h"


static void
provider_anthropic_write(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    prompt_anthropic_write_messages(request, out);

    if (request->stream) {
        prompt_buf_literal(out, ",\"stream\":true");
    }

    prompt_provider_write_params(request, out);
    prompt_anthropic_write_choice(request, out);
}


/* the block of a thought, as the next request has it */
static void
provider_anthropic_think(const prompt_provider_thought_t *thought,
    prompt_buf_t *out)
{
    prompt_buf_str(out, out->len == 0 ? prompt_str("[{\"type\":")
                                      : prompt_str(",{\"type\":"));

    if (thought->data.data != NULL) {
        prompt_buf_literal(out, "\"redacted_thinking\"");
        prompt_provider_write_text("data", thought->data, out);

    } else {
        prompt_buf_literal(out, "\"thinking\"");
        prompt_provider_write_text("thinking", thought->text, out);
        prompt_provider_write_text("signature", thought->signature, out);
    }

    prompt_buf_char(out, '}');
}


static void
provider_anthropic_read_block(prompt_provider_reader_t *reader)
{
    prompt_provider_thought_t  *thought;

    thought = &reader->thinking;
    prompt_provider_read_part(reader);

    if (prompt_provider_is_part(reader, "thinking")
        && thought->text.data != NULL && thought->signature.data != NULL)
    {
        thought->data = prompt_str_absent;
        provider_anthropic_think(thought, &reader->opaque);

    } else if (prompt_provider_is_part(reader, "redacted_thinking")
               && thought->data.data != NULL)
    {
        provider_anthropic_think(thought, &reader->opaque);
    }
}


static void
provider_anthropic_content(prompt_provider_reader_t *reader, void *to)
{
    prompt_provider_text_t  *text = to;

    prompt_provider_forget(reader);

    text->found = prompt_provider_read_array(reader,
                                             provider_anthropic_read_block);
}


static const prompt_provider_member_t  provider_anthropic_answer[] = {
    prompt_provider_member("content", provider_anthropic_content, text),
    prompt_provider_string("stop_reason", finish),
    prompt_provider_member("usage", prompt_provider_read_usage, counts),
    prompt_provider_member("error", prompt_provider_read_error, error),
    prompt_provider_more("container"),
    prompt_provider_no_member
};


static const prompt_provider_member_t  provider_anthropic_iteration[] = {
    prompt_provider_usual("type", "message"),
    prompt_provider_no_member
};


/* what was sampled beside the message is in none of the other counts */
static void
provider_anthropic_each(prompt_provider_reader_t *reader)
{
    (void) prompt_provider_read_object(reader, provider_anthropic_iteration);
}


/* models that know no places say so */
static const prompt_provider_member_t  provider_anthropic_usage[] = {
    prompt_provider_count("input_tokens", counts.in),
    prompt_provider_count("output_tokens", counts.out),
    prompt_provider_count("cache_read_input_tokens", counts.cached),
    prompt_provider_count("cache_creation_input_tokens", counts.cache_write),
    prompt_provider_count("cache_creation.ephemeral_5m_input_tokens",
                          counts.cache_write_5m),
    prompt_provider_count("cache_creation.ephemeral_1h_input_tokens",
                          counts.cache_write_1h),
    prompt_provider_count("output_tokens_details.thinking_tokens",
                          counts.reasoning),
    prompt_provider_usual("service_tier", PROMPT_PROVIDER_TIERS),
    prompt_provider_usual("speed", "standard"),
    prompt_provider_usual("inference_geo", "global,not_available"),
    prompt_provider_more("server_tool_use"),
    prompt_provider_array("iterations", provider_anthropic_each),
    prompt_provider_no_member
};


/* delta: what is added to a block, or to the message */
static const prompt_provider_member_t  provider_anthropic_events[] = {
    prompt_provider_string("type", type),
    prompt_provider_count("index", tool.index),
    prompt_provider_member("message.usage", prompt_provider_read_usage, counts),
    prompt_provider_more("message.container"),
    prompt_provider_object("content_block", prompt_provider_part),
    prompt_provider_string("delta.type", part_type),
    prompt_provider_string("delta.text", part_text),
    prompt_provider_string("delta.partial_json", tool.arguments),
    prompt_provider_member("delta.thinking", prompt_provider_read_thinking,
                           thinking.text),
    prompt_provider_string("delta.signature", thinking.signature),
    prompt_provider_string("delta.stop_reason", finish),
    prompt_provider_more("delta.container"),
    prompt_provider_member("usage", prompt_provider_read_usage, counts),
    prompt_provider_member("error", prompt_provider_read_error, error),
    prompt_provider_no_member
};


/* A thought goes on. */
static void
provider_anthropic_thinks(prompt_provider_reader_t *reader)
{
    prompt_provider_stream_t  *stream;

    stream = reader->stream;

    if (stream->thinks) {
        prompt_provider_stream_add(stream, &stream->thinking,
                                   reader->thinking.text);
        prompt_provider_stream_add(stream, &stream->signature,
                                   reader->thinking.signature);
    }
}


static void
provider_anthropic_begins(prompt_provider_reader_t *reader)
{
    prompt_buf_truncate(&reader->stream->thinking, 0);
    prompt_buf_truncate(&reader->stream->signature, 0);
    reader->stream->thinks = true;

    provider_anthropic_thinks(reader);
}


/* A hidden one is whole. */
static void
provider_anthropic_hides(prompt_provider_reader_t *reader)
{
    if (reader->thinking.data.data != NULL) {
        provider_anthropic_think(&reader->thinking, &reader->stream->opaque);
    }
}


static void
provider_anthropic_ends(prompt_provider_reader_t *reader)
{
    prompt_provider_stream_t   *stream;
    prompt_provider_thought_t   thought;

    stream = reader->stream;

    if (stream->thinks) {
        thought.text = prompt_buf_view(&stream->thinking);
        thought.signature = prompt_buf_view(&stream->signature);
        thought.data = prompt_str_absent;

        provider_anthropic_think(&thought, &stream->opaque);
    }

    stream->thinks = false;
}


/* the count at the start is not the last one */
static const prompt_provider_type_t  provider_anthropic_types[] = {

    { "message_start", NULL, prompt_provider_event_begin },

    { "content_block_start", "text", prompt_provider_event_part },
    { "content_block_start", "tool_use", prompt_provider_event_tool },

    { "content_block_start", "thinking", provider_anthropic_begins },
    { "content_block_start", "redacted_thinking",
      provider_anthropic_hides },

    { "content_block_delta", "text_delta", prompt_provider_event_part },
    { "content_block_delta", "input_json_delta", prompt_provider_event_more },
    { "content_block_delta", "thinking_delta",
      provider_anthropic_thinks },
    { "content_block_delta", "signature_delta",
      provider_anthropic_thinks },

    { "content_block_stop", NULL, provider_anthropic_ends },

    { "message_delta", NULL, prompt_provider_event_last },
    { "message_stop", NULL, prompt_provider_event_end },

    prompt_provider_no_type
};


/* a location that sets the header itself overrides this one */
const prompt_provider_format_t  prompt_provider_anthropic = {
    .name = prompt_str_init("anthropic"),
    .system = prompt_str_init("anthropic"),
    .header = prompt_str_init("anthropic-version"),
    .header_value = prompt_str_init("2023-06-01"),
    .check = prompt_anthropic_check,
    .path = prompt_str_init("/v1/messages"),
    .write = provider_anthropic_write,
    .params = prompt_anthropic_params,
    .max_tokens = 4096,                  /* required there */
    .answer = provider_anthropic_answer,
    .usage = provider_anthropic_usage,
    .events = provider_anthropic_events,
    .types = provider_anthropic_types,
    .cached_apart = true,
    .parsed = true,
    .instructions = prompt_str_init("system")
};
