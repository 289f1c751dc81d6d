/*
 * An answer as a message, which may be put behind a history as it is.
 */

#include "provider/provider_impl.h"


/* before id, name and arguments, which every call has in this order */
static const char *const  provider_message_before[] = {
    "{\"id\":", ",\"type\":\"function\",\"function\":{\"name\":",
    ",\"arguments\":"
};


static void
provider_message_call(prompt_json_scan_t *scan, prompt_buf_t *out)
{
    size_t         i;
    const char    *start;
    prompt_str_t   name;

    for (i = 0; prompt_json_scan_member(scan, &name) && i < 3; i++) {
        (void) prompt_json_scan_type(scan);       /* stands at the value now */
        start = scan->pos;
        prompt_json_scan_skip(scan);

        prompt_buf_str(out, prompt_str_from(provider_message_before[i]));
        prompt_buf_append(out, start, (size_t) (scan->pos - start));
    }

    prompt_buf_literal(out, "}}");
}


void
prompt_provider_answer_message(const prompt_provider_answer_t *answer,
    prompt_str_t format, prompt_buf_t *out)
{
    size_t              n;
    prompt_json_scan_t  scan;

    prompt_buf_literal(out, "{\"role\":\"assistant\",\"content\":");

    if (answer->output.len != 0 || answer->tool_calls.data == NULL) {
        prompt_json_write_string(out, answer->output);
    } else {
        prompt_buf_literal(out, "null");
    }

    if (answer->tool_calls.data != NULL) {
        prompt_json_scan_init(&scan, answer->tool_calls, PROMPT_LIMIT_DEPTH);
        prompt_buf_literal(out, ",\"tool_calls\":[");
        n = 0;

        if (prompt_json_scan_array(&scan)) {
            while (prompt_json_scan_element(&scan)
                   && prompt_json_scan_object(&scan))
            {
                prompt_buf_str(out, n++ == 0 ? prompt_str("")
                                             : prompt_str(","));
                provider_message_call(&scan, out);
            }
        }

        prompt_buf_char(out, ']');
    }

    if (answer->opaque.data != NULL) {
        prompt_buf_literal(out, ",\"provider\":{\"format\":");
        prompt_json_write_string(out, format);
        prompt_buf_literal(out, ",\"opaque\":");
        prompt_buf_str(out, answer->opaque);
        prompt_buf_char(out, '}');
    }

    prompt_buf_char(out, '}');
}
