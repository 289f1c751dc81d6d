/*
 * Anthropic's messages.
 */

#include "prompt/provider_impl.h"


#define PROMPT_PROVIDER_MAX_TOKENS  4096     /* required there */


static void
prompt_provider_anthropic_stop(const prompt_json_t *stop, prompt_buf_t *out)
{
    if (stop->type == PROMPT_JSON_ARRAY) {
        prompt_json_write(out, stop);
        return;
    }

    prompt_buf_char(out, '[');
    prompt_json_write(out, stop);
    prompt_buf_char(out, ']');
}


static const prompt_provider_param_t  prompt_provider_anthropic_params[] = {

    { prompt_str_init("stop"), prompt_str_init("stop_sequences"),
      prompt_provider_anthropic_stop },

    prompt_provider_no_param
};


static void
prompt_provider_anthropic_write(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    prompt_str_t  max_tokens;

    prompt_provider_write_head(request, out);

    max_tokens = prompt_provider_max_tokens(request);

    if (prompt_json_get(request->params, max_tokens) == NULL
        && prompt_json_get(request->params, prompt_str("max_tokens")) == NULL)
    {
        prompt_provider_write_name(max_tokens, out);
        prompt_buf_int(out, PROMPT_PROVIDER_MAX_TOKENS);
    }

    prompt_provider_write_params(request, prompt_provider_anthropic_params,
                                 out);
}


static void
prompt_provider_anthropic_content(prompt_provider_reader_t *reader, void *to)
{
    prompt_provider_text_t  *text = to;

    prompt_provider_forget(text);

    text->found = prompt_provider_read_parts(reader, text);
}


static const prompt_provider_member_t  prompt_provider_anthropic_answer[] = {
    prompt_provider_member("content", prompt_provider_anthropic_content, text),
    prompt_provider_member("usage", prompt_provider_read_usage, usage),
    prompt_provider_member("error", prompt_provider_read_error, error),
    prompt_provider_no_member
};


static const prompt_provider_member_t  prompt_provider_anthropic_usage[] = {
    prompt_provider_member("input_tokens", prompt_provider_read_count,
                           usage.in),
    prompt_provider_member("output_tokens", prompt_provider_read_count,
                           usage.out),
    prompt_provider_member("cache_read_input_tokens",
                           prompt_provider_read_count, usage.cached),
    prompt_provider_member("cache_creation_input_tokens",
                           prompt_provider_read_count, created),
    prompt_provider_no_member
};


/* a location that sets the header itself overrides this one */
const prompt_provider_format_t  prompt_provider_anthropic = {
    .header = prompt_str_init("anthropic-version"),
    .header_value = prompt_str_init("2023-06-01"),
    .write = prompt_provider_anthropic_write,
    .answer = prompt_provider_anthropic_answer,
    .usage = prompt_provider_anthropic_usage,
    .cached_apart = true
};
