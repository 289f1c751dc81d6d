/*
 * OpenAI's chat completions, and those who speak as it does.
 */

#include "prompt/provider_event.h"


/* usage comes at the end of a stream where it is asked for */
static void
prompt_provider_openai_options(const prompt_json_t *options, prompt_buf_t *out)
{
    const prompt_json_t  *option;

    prompt_buf_literal(out, "{\"include_usage\":true");

    option = options != NULL && options->type == PROMPT_JSON_OBJECT
             ? options->first : NULL;

    for ( /* void */ ; option != NULL; option = option->next) {

        if (!prompt_str_eq(option->name, prompt_str("include_usage"))) {
            prompt_provider_write_name(option->name, out);
            prompt_json_write(out, option);
        }
    }

    prompt_buf_char(out, '}');
}


static const prompt_provider_param_t  prompt_provider_openai_stream[] = {

    { prompt_str_init("stream_options"), prompt_str_init("stream_options"),
      prompt_provider_openai_options },

    prompt_provider_no_param
};


static void
prompt_provider_openai_write(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    const prompt_json_t  *options;

    prompt_provider_write_head(request, 0, out);

    if (!request->stream) {
        prompt_provider_write_params(request, NULL, out);
        return;
    }

    prompt_buf_literal(out, ",\"stream\":true");

    options = prompt_json_get(request->params, prompt_str("stream_options"));

    if (options == NULL || options->type == PROMPT_JSON_NULL) {
        prompt_buf_literal(out, ",\"stream_options\":");
        prompt_provider_openai_options(NULL, out);
    }

    prompt_provider_write_params(request, prompt_provider_openai_stream, out);
}


void
prompt_provider_openai_content(prompt_provider_reader_t *reader, void *to)
{
    prompt_str_t             string;
    prompt_provider_text_t  *text = to;

    prompt_provider_forget(text);
    text->found = true;
    reader->content = true;

    switch (prompt_json_scan_type(&reader->scan)) {

    case PROMPT_JSON_STRING:
        prompt_provider_read_string(reader, &string);
        prompt_provider_add(text, string);
        return;

    case PROMPT_JSON_ARRAY:
        (void) prompt_provider_read_parts(reader, text);
        return;

    case PROMPT_JSON_NULL:
        break;

    default:
        text->strange = true;
    }

    reader->content = false;
    prompt_json_scan_skip(&reader->scan);
}


static const prompt_provider_member_t  prompt_provider_openai_function[] = {
    prompt_provider_member("name", prompt_provider_read_string, tool.name),
    prompt_provider_member("arguments", prompt_provider_read_arguments,
                           tool.arguments),
    prompt_provider_member("input", prompt_provider_read_arguments,
                           tool.arguments),
    prompt_provider_no_member
};


static void
prompt_provider_openai_called(prompt_provider_reader_t *reader, void *to)
{
    prompt_provider_tool_t  *tool = to;

    tool->name = prompt_str_absent;
    tool->arguments = prompt_str_absent;

    (void) prompt_provider_read_object(reader,
                                       prompt_provider_openai_function);
}


/* custom: a tool that takes text instead of JSON */
static const prompt_provider_member_t  prompt_provider_openai_call[] = {
    prompt_provider_member("id", prompt_provider_read_string, tool.id),
    prompt_provider_member("function", prompt_provider_openai_called, tool),
    prompt_provider_member("custom", prompt_provider_openai_called, tool),
    prompt_provider_no_member
};


static void
prompt_provider_openai_calls(prompt_provider_reader_t *reader, void *to)
{
    (void) to;

    prompt_provider_forget_tools(reader);

    if (!prompt_json_scan_array(&reader->scan)) {
        prompt_json_scan_skip(&reader->scan);
        return;
    }

    while (prompt_json_scan_element(&reader->scan)) {
        memset(&reader->tool, 0, sizeof(reader->tool));

        if (prompt_provider_read_object(reader, prompt_provider_openai_call)) {
            prompt_provider_add_tool(reader);
        }
    }
}


static const prompt_provider_member_t  prompt_provider_openai_message[] = {
    prompt_provider_member("content", prompt_provider_openai_content, text),
    prompt_provider_member("tool_calls", prompt_provider_openai_calls, calls),
    prompt_provider_member("refusal", prompt_provider_read_string, refusal),
    prompt_provider_no_member
};


/* its content, or why the model refused to write one */
static void
prompt_provider_openai_said(prompt_provider_reader_t *reader, void *to)
{
    prompt_provider_text_t  *text = to;

    prompt_provider_forget(text);

    prompt_provider_forget_tools(reader);

    reader->content = false;
    reader->refusal = prompt_str_absent;

    if (!prompt_provider_read_object(reader, prompt_provider_openai_message)) {
        return;
    }

    text->found = true;

    if (!reader->content) {
        prompt_provider_add(text, reader->refusal);
    }
}


static const prompt_provider_member_t  prompt_provider_openai_choice[] = {
    prompt_provider_member("message", prompt_provider_openai_said, text),
    prompt_provider_member("finish_reason", prompt_provider_read_string,
                           finish),
    prompt_provider_no_member
};


/* the first choice counts: n is refused in params */
static void
prompt_provider_openai_choices(prompt_provider_reader_t *reader, void *to)
{
    prompt_provider_forget(to);
    prompt_provider_forget_tools(reader);
    reader->finish = prompt_str_absent;

    if (!prompt_json_scan_array(&reader->scan)) {
        prompt_json_scan_skip(&reader->scan);
        return;
    }

    if (!prompt_json_scan_element(&reader->scan)) {
        return;
    }

    (void) prompt_provider_read_object(reader, prompt_provider_openai_choice);

    while (prompt_json_scan_element(&reader->scan)) {
        prompt_json_scan_skip(&reader->scan);
    }
}


static const prompt_provider_member_t  prompt_provider_openai_details[] = {
    prompt_provider_member("cached_tokens", prompt_provider_read_count,
                           usage.cached),
    prompt_provider_no_member
};


static void
prompt_provider_openai_cached(prompt_provider_reader_t *reader, void *to)
{
    int64_t  *cached = to;

    *cached = PROMPT_USAGE_UNKNOWN;

    (void) prompt_provider_read_object(reader, prompt_provider_openai_details);
}


static const prompt_provider_member_t  prompt_provider_openai_answer[] = {
    prompt_provider_member("choices", prompt_provider_openai_choices, text),
    prompt_provider_member("usage", prompt_provider_read_usage, usage),
    prompt_provider_member("error", prompt_provider_read_error, error),
    prompt_provider_no_member
};


static const prompt_provider_member_t  prompt_provider_openai_usage[] = {
    prompt_provider_member("prompt_tokens", prompt_provider_read_count,
                           usage.in),
    prompt_provider_member("completion_tokens", prompt_provider_read_count,
                           usage.out),
    prompt_provider_member("prompt_tokens_details",
                           prompt_provider_openai_cached, usage.cached),
    prompt_provider_no_member
};


const prompt_provider_format_t  prompt_provider_openai = {
    .write = prompt_provider_openai_write,
    .answer = prompt_provider_openai_answer,
    .usage = prompt_provider_openai_usage,
    .events = prompt_provider_openai_events,
    .event = prompt_provider_openai_event,
    .done = prompt_str_init("[DONE]")
};
