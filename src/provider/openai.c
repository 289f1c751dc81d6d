/*
 * OpenAI's chat completions, and those who speak as it does.
 */

#include "provider/provider_impl.h"


/* what servers that speak as OpenAI does have besides is for allow= */
static const prompt_provider_param_t  provider_openai_params[] = {
    prompt_provider_rule("temperature,top_p", KNOWN),
    prompt_provider_rule("top_k", ALLOWED),
    { .name = prompt_str_init("max_tokens"), .bound = true },
    { .name = prompt_str_init("max_completion_tokens"), .bound = true },
    prompt_provider_rule("stop,seed,frequency_penalty,presence_penalty,"
                         "logit_bias,logprobs,top_logprobs,reasoning_effort,"
                         "verbosity,response_format,tools,tool_choice,"
                         "parallel_tool_calls,functions,function_call", KNOWN),
    prompt_provider_rule("stream_options", APART),
    prompt_provider_rule("prompt_cache_key,prompt_cache_retention,"
                         "safety_identifier,user", KNOWN),
    prompt_provider_rule("audio,metadata,modalities,prediction,service_tier,"
                         "store,web_search_options", ALLOWED),
    prompt_provider_no_param
};


static void
provider_openai_image(const prompt_message_part_t *part, prompt_buf_t *out)
{
    prompt_provider_write_next(out);
    prompt_buf_literal(out, "{\"type\":\"image_url\",\"image_url\":{");
    prompt_provider_write_text("url", part->image, out);
    prompt_provider_write_text("detail", part->detail, out);
    prompt_buf_literal(out, "}}");
}


static void
provider_openai_write_call(const prompt_message_call_t *call, prompt_buf_t *out)
{
    prompt_provider_write_next(out);
    prompt_buf_char(out, '{');
    prompt_provider_write_text("id", call->id, out);
    prompt_buf_literal(out, ",\"type\":\"function\",\"function\":{");
    prompt_provider_write_text("name", call->name, out);
    prompt_provider_write_text("arguments", call->arguments, out);
    prompt_buf_literal(out, "}}");
}


static void
provider_openai_write_message(const prompt_message_t *message,
    prompt_buf_t *out)
{
    size_t  i;

    prompt_provider_write_next(out);
    prompt_buf_literal(out, "{\"role\":");
    prompt_json_write_string(out, prompt_role_name(message->role));

    if (message->refusal) {
        prompt_buf_literal(out, ",\"content\":null");
    } else {
        prompt_provider_write_content("content", message, "text",
                                      provider_openai_image, out);
    }

    prompt_provider_write_text("name", message->name, out);
    prompt_provider_write_text("tool_call_id", message->call_id, out);

    if (message->refusal) {
        prompt_provider_write_text("refusal", message->text, out);
    }

    for (i = 0; i < message->ncalls; i++) {
        if (i == 0) {
            prompt_buf_literal(out, ",\"tool_calls\":[");
        }

        provider_openai_write_call(&message->calls[i], out);
    }

    prompt_buf_str(out, i != 0 ? prompt_str("]}") : prompt_str("}"));
}


static void
provider_openai_write(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    size_t  i;

    prompt_buf_literal(out, "\"model\":");
    prompt_json_write_string(out, request->model);
    prompt_buf_literal(out, ",\"messages\":[");

    for (i = 0; i < request->messages.count; i++) {
        provider_openai_write_message(&request->messages.list[i], out);
    }

    prompt_buf_char(out, ']');

    /* usage comes at the end of a stream where it is asked for */

    if (request->stream) {
        prompt_buf_literal(out, ",\"stream\":true,\"stream_options\":"
                           "{\"include_usage\":true");
        prompt_provider_write_members(prompt_provider_get(request->params,
                                                          "stream_options"),
                                      "include_usage", out);
        prompt_buf_char(out, '}');
    }

    prompt_provider_write_params(request, out);
}


/* a string or parts; null is none */
static void
provider_openai_content(prompt_provider_reader_t *reader, void *to)
{
    prompt_str_t             string;
    prompt_provider_text_t  *text = to;

    prompt_provider_forget_text(text);

    switch (prompt_json_scan_type(&reader->scan)) {

    case PROMPT_JSON_STRING:
        prompt_provider_read_string(reader, &string);
        prompt_provider_add(text, string);
        return;

    case PROMPT_JSON_ARRAY:
        (void) prompt_provider_read_array(reader, prompt_provider_read_part);
        return;

    default:
        text->strange = prompt_json_scan_type(&reader->scan)
                        != PROMPT_JSON_NULL;
        prompt_json_scan_skip(&reader->scan);
    }
}


/* custom: a tool that takes text instead of JSON */
static const prompt_provider_member_t  provider_openai_call[] = {
    prompt_provider_count("index", tool.index),
    prompt_provider_string("id", tool.id),
    prompt_provider_string("function.name", tool.name),
    prompt_provider_member("function.arguments", prompt_provider_read_arguments,
                           tool.arguments),
    prompt_provider_string("custom.name", tool.name),
    prompt_provider_member("custom.input", prompt_provider_read_arguments,
                           tool.arguments),
    prompt_provider_no_member
};


static void
provider_openai_tool(prompt_provider_reader_t *reader)
{
    memset(&reader->tool, 0, sizeof(reader->tool));

    if (prompt_provider_read_object(reader, provider_openai_call)) {
        prompt_provider_add_tool(reader);
    }
}


/* in a stream, parts of the calls of tools, each with the number of its call */
static void
provider_openai_tools(prompt_provider_reader_t *reader, void *to)
{
    prompt_buf_t  *calls = to;

    prompt_buf_free(calls);
    (void) prompt_provider_read_array(reader, provider_openai_tool);
}


/* and in a stream what is added to it */
static const prompt_provider_member_t  provider_openai_message[] = {
    prompt_provider_member("content", provider_openai_content, text),
    prompt_provider_member("tool_calls", provider_openai_tools, calls),
    prompt_provider_string("refusal", refusal),
    prompt_provider_thought("reasoning_content"),
    prompt_provider_thought("reasoning"),
    prompt_provider_thought("reasoning_details"),
    prompt_provider_thought("audio"),
    prompt_provider_more("annotations"),             /* what was searched */
    prompt_provider_no_member
};


static void
provider_openai_said(prompt_provider_reader_t *reader, void *to)
{
    prompt_provider_text_t  *text = to;

    prompt_provider_forget(reader);
    text->found = prompt_provider_read_object(reader, provider_openai_message);
}


static const prompt_provider_member_t  provider_openai_choice[] = {
    prompt_provider_member("message", provider_openai_said, text),
    prompt_provider_string("finish_reason", finish),
    prompt_provider_no_member
};


static const prompt_provider_member_t  provider_openai_chunk[] = {
    prompt_provider_object("delta", provider_openai_message),
    prompt_provider_string("finish_reason", finish),
    prompt_provider_no_member
};


static const prompt_provider_member_t  provider_openai_number[] = {
    prompt_provider_count("index", index),
    prompt_provider_no_member
};


/*
 * Whether the next element is of the choice that the stream began with; its
 * number may stand behind its text, so it is read twice.
 */
static bool
provider_openai_is_choice(prompt_provider_reader_t *reader)
{
    prompt_json_scan_t         before;
    prompt_provider_stream_t  *stream;

    stream = reader->stream;
    before = reader->scan;
    reader->index = PROMPT_USAGE_UNKNOWN;

    if (!prompt_provider_read_object(reader, provider_openai_number)) {
        return false;
    }

    if (reader->index < 0) {
        reader->index = 0;
    }

    if (!stream->found) {
        stream->choice = reader->index;
    }

    if (reader->index != stream->choice
        || reader->scan.error.status != PROMPT_JSON_OK)
    {
        return false;
    }

    reader->scan = before;

    return true;
}


/* One choice counts, the first: n is refused in params. */
static void
provider_openai_choices(prompt_provider_reader_t *reader, void *to)
{
    bool  read;

    (void) to;

    if (reader->stream == NULL) {
        prompt_provider_forget(reader);
        reader->finish = prompt_str_absent;

        (void) prompt_provider_read_first(reader, provider_openai_choice);
        return;
    }

    read = false;

    if (!prompt_json_scan_array(&reader->scan)) {
        prompt_json_scan_skip(&reader->scan);
        return;
    }

    while (prompt_json_scan_element(&reader->scan)) {

        if (read) {
            prompt_json_scan_skip(&reader->scan);

        } else if (provider_openai_is_choice(reader)) {
            reader->stream->found = true;
            read = prompt_provider_read_object(reader, provider_openai_chunk);
        }
    }
}


/* and what others have, each in its own way: caches, searches, tools, fees */
static const prompt_provider_member_t  provider_openai_usage[] = {
    prompt_provider_count("prompt_tokens", counts.in),
    prompt_provider_count("completion_tokens", counts.out),
    prompt_provider_count("total_tokens", counts.total),
    prompt_provider_count("prompt_tokens_details.cached_tokens", counts.cached),
    prompt_provider_count("prompt_tokens_details.cache_write_tokens",
                          counts.cache_write),
    prompt_provider_more("prompt_tokens_details.audio_tokens"),
    prompt_provider_more("prompt_tokens_details.image_tokens"),
    prompt_provider_more("prompt_tokens_details.video_tokens"),
    prompt_provider_count("completion_tokens_details.reasoning_tokens",
                          counts.reasoning),
    prompt_provider_more("completion_tokens_details.audio_tokens"),
    prompt_provider_more("completion_tokens_details.image_tokens"),
    prompt_provider_count("prompt_cache_hit_tokens", counts.cached_also),
    prompt_provider_count("num_cached_tokens", counts.cached_also),
    prompt_provider_count("cached_tokens", counts.cached_also),
    prompt_provider_usual("service_tier", PROMPT_PROVIDER_TIERS),
    prompt_provider_more("prompt_audio_seconds"),
    prompt_provider_more("server_tool_use"),
    prompt_provider_more("server_side_tool_usage_details"),
    prompt_provider_more("num_server_side_tools_used"),
    prompt_provider_more("num_sources_used"),
    prompt_provider_more("num_search_queries"),
    prompt_provider_more("citation_tokens"),
    prompt_provider_more("is_byok"),
    prompt_provider_no_member
};


/* of an event, too: usage is null in all of them but one */
static const prompt_provider_member_t  provider_openai_answer[] = {
    prompt_provider_member("choices", provider_openai_choices, text),
    prompt_provider_member("usage", prompt_provider_read_usage, counts),
    prompt_provider_usual("service_tier", PROMPT_PROVIDER_TIERS),
    prompt_provider_member("error", prompt_provider_read_error, error),
    prompt_provider_no_member
};


/* a refusal stands in the place of content, or there is none */
static void
provider_openai_event(prompt_provider_reader_t *reader)
{
    prompt_provider_text_t    *text;
    prompt_provider_stream_t  *stream;

    stream = reader->stream;
    text = &reader->text;

    stream->said = stream->said || text->only.len != 0 || text->parts.len != 0;

    prompt_provider_event_text(reader, text->only);
    prompt_provider_event_text(reader, prompt_buf_view(&text->parts));

    prompt_provider_event_refusal(reader, reader->refusal);

    prompt_provider_event_finish(reader);

    /* some count as they go: a count is the last one when the text is over */

    stream->counted = stream->counted
                      || (reader->used && stream->finish.len != 0);
}


const prompt_provider_format_t  prompt_provider_openai = {
    .name = prompt_str_init("openai"),
    .system = prompt_str_init("openai"),
    .path = prompt_str_init("/v1/chat/completions"),
    .write = provider_openai_write,
    .params = provider_openai_params,
    .answer = provider_openai_answer,
    .usage = provider_openai_usage,
    .events = provider_openai_answer,
    .event = provider_openai_event,
    .done = prompt_str_init("[DONE]")
};
