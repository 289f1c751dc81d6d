/*
 * Anthropic's messages.
 */

#include "prompt/provider_form.h"


#define PROMPT_PROVIDER_MAX_TOKENS  4096     /* required there */


/* "stop" as a list, under its name there */
static void
prompt_provider_write_stop(prompt_buf_t *out, const prompt_json_t *stop)
{
    if (stop->type == PROMPT_JSON_NULL) {
        return;
    }

    if (stop->type == PROMPT_JSON_ARRAY) {
        prompt_provider_write_member(out, prompt_str("stop_sequences"), stop);
        return;
    }

    prompt_buf_literal(out, ",\"stop_sequences\":[");
    prompt_json_write(out, stop);
    prompt_buf_char(out, ']');
}


void
prompt_provider_anthropic_request(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    prompt_str_t          max_tokens;
    const prompt_json_t  *value, *given;

    prompt_provider_write_head(request, out);

    /* whoever gives the provider's own name means it */

    max_tokens = prompt_provider_max_tokens(request);
    given = prompt_json_get(request->params, max_tokens);

    if (given == NULL) {
        given = prompt_json_get(request->params, prompt_str("max_tokens"));
    }

    if (given != NULL) {
        prompt_provider_write_member(out, max_tokens, given);

    } else {
        prompt_buf_char(out, ',');
        prompt_json_write_string(out, max_tokens);
        prompt_buf_char(out, ':');
        prompt_buf_int(out, PROMPT_PROVIDER_MAX_TOKENS);
    }

    for (value = request->params->first; value != NULL; value = value->next) {

        if (prompt_str_eq(value->name, prompt_str("model"))
            || prompt_str_eq(value->name, prompt_str("max_tokens"))
            || prompt_str_eq(value->name, max_tokens))
        {
            continue;
        }

        if (!prompt_str_eq(value->name, prompt_str("stop"))) {
            prompt_provider_write_member(out, value->name, value);

        } else if (prompt_json_get(request->params,
                                   prompt_str("stop_sequences")) == NULL)
        {
            prompt_provider_write_stop(out, value);
        }
    }
}


void
prompt_provider_read_content(prompt_provider_reader_t *reader)
{
    prompt_provider_forget(&reader->text);

    if (prompt_json_scan_type(&reader->scan) != PROMPT_JSON_ARRAY) {
        prompt_json_scan_skip(&reader->scan);
        return;
    }

    reader->text.found = true;
    prompt_provider_read_parts(reader);
}


bool
prompt_provider_anthropic_usage(prompt_provider_reader_t *reader,
    prompt_str_t name)
{
    if (prompt_str_eq(name, prompt_str("input_tokens"))) {
        reader->usage.in = prompt_provider_read_count(reader);
        return true;
    }

    if (prompt_str_eq(name, prompt_str("output_tokens"))) {
        reader->usage.out = prompt_provider_read_count(reader);
        return true;
    }

    if (prompt_str_eq(name, prompt_str("cache_read_input_tokens"))) {
        reader->usage.cached = prompt_provider_read_count(reader);
        return true;
    }

    if (prompt_str_eq(name, prompt_str("cache_creation_input_tokens"))) {
        reader->created = prompt_provider_read_count(reader);
        return true;
    }

    return false;
}
