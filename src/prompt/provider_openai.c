/*
 * OpenAI's chat completions, and those who speak as it does.
 */

#include "prompt/provider_form.h"


void
prompt_provider_openai_request(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    prompt_str_t          name;
    const prompt_json_t  *value;

    prompt_provider_write_head(request, out);

    for (value = request->params->first; value != NULL; value = value->next) {
        name = value->name;

        if (prompt_str_eq(name, prompt_str("model"))) {
            continue;
        }

        if (prompt_str_eq(name, prompt_str("max_tokens"))) {
            name = prompt_provider_max_tokens(request);

            if (!prompt_str_eq(name, value->name)
                && prompt_json_get(request->params, name) != NULL)
            {
                continue;
            }
        }

        prompt_provider_write_member(out, name, value);
    }
}


/* false where there is no text: null, or something strange */
static bool
prompt_provider_read_text(prompt_provider_reader_t *reader)
{
    prompt_provider_forget(&reader->text);
    reader->text.found = true;

    switch (prompt_json_scan_type(&reader->scan)) {

    case PROMPT_JSON_STRING:
        prompt_provider_add(&reader->text,
                            prompt_provider_read_string(reader));
        return true;

    case PROMPT_JSON_ARRAY:
        prompt_provider_read_parts(reader);
        return true;

    case PROMPT_JSON_NULL:
        break;

    default:
        reader->text.strange = true;
    }

    prompt_json_scan_skip(&reader->scan);

    return false;
}


/* a message: its content, or why the model refused to write one */
static void
prompt_provider_read_message(prompt_provider_reader_t *reader)
{
    bool          has_content;
    prompt_str_t  name, refusal;

    prompt_provider_forget(&reader->text);

    if (!prompt_json_scan_object(&reader->scan)) {
        prompt_json_scan_skip(&reader->scan);
        return;
    }

    has_content = false;
    refusal = prompt_str_absent;
    reader->text.found = true;

    while (prompt_provider_member(reader, &name)) {

        if (prompt_str_eq(name, prompt_str("refusal"))) {
            refusal = prompt_provider_read_string(reader);

        } else if (prompt_str_eq(name, prompt_str("content"))) {
            has_content = prompt_provider_read_text(reader);

        } else {
            prompt_json_scan_skip(&reader->scan);
        }
    }

    if (!has_content && refusal.data != NULL) {
        prompt_provider_add(&reader->text, refusal);
    }
}


/* the first choice counts: n is refused in params */
void
prompt_provider_read_choices(prompt_provider_reader_t *reader)
{
    bool          first;
    prompt_str_t  name;

    prompt_provider_forget(&reader->text);

    if (!prompt_json_scan_array(&reader->scan)) {
        prompt_json_scan_skip(&reader->scan);
        return;
    }

    first = true;

    while (prompt_json_scan_element(&reader->scan)) {

        if (!first || !prompt_json_scan_object(&reader->scan)) {
            prompt_json_scan_skip(&reader->scan);
            first = false;
            continue;
        }

        first = false;

        while (prompt_provider_member(reader, &name)) {

            if (prompt_str_eq(name, prompt_str("message"))) {
                prompt_provider_read_message(reader);

            } else {
                prompt_json_scan_skip(&reader->scan);
            }
        }
    }
}


static void
prompt_provider_read_details(prompt_provider_reader_t *reader)
{
    prompt_str_t  name;

    reader->usage.cached = PROMPT_USAGE_UNKNOWN;

    if (!prompt_json_scan_object(&reader->scan)) {
        prompt_json_scan_skip(&reader->scan);
        return;
    }

    while (prompt_provider_member(reader, &name)) {

        if (prompt_str_eq(name, prompt_str("cached_tokens"))) {
            reader->usage.cached = prompt_provider_read_count(reader);

        } else {
            prompt_json_scan_skip(&reader->scan);
        }
    }
}


bool
prompt_provider_openai_usage(prompt_provider_reader_t *reader,
    prompt_str_t name)
{
    if (prompt_str_eq(name, prompt_str("prompt_tokens"))) {
        reader->usage.in = prompt_provider_read_count(reader);
        return true;
    }

    if (prompt_str_eq(name, prompt_str("completion_tokens"))) {
        reader->usage.out = prompt_provider_read_count(reader);
        return true;
    }

    if (prompt_str_eq(name, prompt_str("prompt_tokens_details"))) {
        prompt_provider_read_details(reader);
        return true;
    }

    return false;
}
