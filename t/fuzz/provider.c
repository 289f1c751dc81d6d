/*
 * Fuzz target: answers of providers, and requests with any params.  The first
 * byte chooses the status, and by its highest bits the format.
 */

#include "provider/provider.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "prompt/params.h"


#define fuzz_format(name)  &prompt_provider_##name,

static const prompt_provider_format_t *const  formats[] = {
    PROMPT_PROVIDER_FORMATS(fuzz_format)
};

/* by the highest bits */
#define FORMAT(byte)                                                         \
    formats[((byte) >> 5) % (sizeof(formats) / sizeof(formats[0]))]


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static bool
fuzz_text(prompt_str_t text)
{
    return text.data == NULL
           || (prompt_utf8_valid(text)
               && memchr(text.data, '\0', text.len) == NULL);
}


/* what is stored: objects of three strings, which can be read back */
static bool
fuzz_calls(prompt_arena_t *arena, prompt_str_t calls)
{
    prompt_json_t        *list, *call;
    prompt_json_error_t   error;

    if (calls.data == NULL) {
        return true;
    }

    list = prompt_json_read(arena, calls, 2, &error);

    if (list == NULL || list->type != PROMPT_JSON_ARRAY || list->count == 0) {
        return list == NULL && error.status == PROMPT_JSON_NOMEM;
    }

    for (call = list->first; call != NULL; call = call->next) {
        if (call->count != 3 || call->first->type != PROMPT_JSON_STRING
            || call->first->next->type != PROMPT_JSON_STRING
            || call->last->type != PROMPT_JSON_STRING)
        {
            return false;
        }
    }

    return true;
}


/* what goes to clients as it is */
static bool
fuzz_json(prompt_str_t text)
{
    prompt_json_scan_t  scan;

    if (text.data == NULL) {
        return true;
    }

    prompt_json_scan_init(&scan, text, PROMPT_LIMIT_ANSWER_DEPTH + 1);
    prompt_json_scan_skip(&scan);

    return prompt_json_scan_end(&scan);
}


/* any sound params: what is written is JSON, or a fault has a field */
static void
fuzz_request(prompt_arena_t *arena, const prompt_provider_format_t *format,
    prompt_str_t text)
{
    prompt_buf_t               out;
    prompt_fault_t             fault;
    prompt_json_error_t        error;
    prompt_provider_request_t  request;

    static const prompt_message_call_t  calls[] = {
        { prompt_str_init("a"), prompt_str_init("f"), prompt_str_init("") }
    };

    static const prompt_message_part_t  parts[] = {
        { .text = prompt_str_init("\"") },
        { .image = prompt_str_init("data:image/png;base64,AA") }
    };

    prompt_message_t  messages[] = {
        { .role = PROMPT_ROLE_SYSTEM, .text = prompt_str_init("s") },
        { .role = PROMPT_ROLE_ASSISTANT, .text = prompt_str_init("\"\n"),
          .calls = calls, .ncalls = 1 },
        { .role = PROMPT_ROLE_TOOL, .text = prompt_str_init("r"),
          .call_id = prompt_str_init("a") },
        { .role = PROMPT_ROLE_USER, .parts = parts, .nparts = 2 }
    };

    memset(&request, 0, sizeof(request));
    request.format = format;
    request.model = prompt_str("m");
    request.messages.list = messages;
    request.messages.count = sizeof(messages) / sizeof(messages[0]);
    request.params = prompt_json_read(arena, text, PROMPT_LIMIT_DEPTH, &error);

    /* anybody may send anything as what a provider gave */

    messages[1].provider = request.params;

    if (request.params == NULL
        || prompt_params_check(arena, request.params, &fault)
           != PROMPT_CHECK_OK)
    {
        return;
    }

    switch (prompt_provider_check(arena, &request, &fault)) {

    case PROMPT_CHECK_OK:
        break;

    case PROMPT_CHECK_FAULT:
        if (fault.field.len == 0) {
            abort();
        }

        return;

    default:
        return;
    }

    prompt_buf_init(&out, PROMPT_LIMIT_REQUEST);
    prompt_provider_request(&request, &out);

    if (out.status == PROMPT_BUF_OK
        && prompt_json_read(arena, prompt_buf_view(&out),
                            PROMPT_LIMIT_DEPTH + 4, &error) == NULL
        && error.status != PROMPT_JSON_NOMEM)
    {
        abort();
    }

    prompt_buf_free(&out);
}


static bool
fuzz_count(int64_t count)
{
    return count == PROMPT_USAGE_UNKNOWN
           || (count >= 0 && count <= PROMPT_LIMIT_TOKENS);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned                         status;
    prompt_arena_t                  *arena;
    prompt_provider_answer_t         answer;
    const prompt_provider_format_t  *format;

    static const unsigned  statuses[] = { 200, 200, 200, 429, 500, 400, 0 };

    if (size == 0) {
        return 0;
    }

    arena = prompt_arena_create(64 * 1024 * 1024);
    status = statuses[(data[0] & 0x1f) % (sizeof(statuses)
                                          / sizeof(statuses[0]))];
    format = FORMAT(data[0]);

    if (arena != NULL
        && prompt_provider_answer(arena, format, status,
                                  prompt_str_of((const char *) data + 1,
                                                size - 1), &answer))
    {
        if (!fuzz_count(answer.usage.in) || !fuzz_count(answer.usage.out)
            || !fuzz_count(answer.usage.cached)
            || !fuzz_count(prompt_usage_written(&answer.usage))
            || answer.usage.cached + prompt_usage_written(&answer.usage)
               > answer.usage.in
            || answer.usage.reasoning > answer.usage.out
            || (answer.outcome == PROMPT_PROVIDER_DONE)
               != (answer.output.data != NULL)
            || !fuzz_text(answer.output) || !fuzz_text(answer.finish)
            || !fuzz_text(answer.tool_calls) || !fuzz_text(answer.opaque)
            || !fuzz_calls(arena, answer.tool_calls)
            || !fuzz_json(answer.opaque))
        {
            abort();
        }
    }

    if (arena != NULL) {
        fuzz_request(arena, format, prompt_str_of((const char *) data + 1,
                                                  size - 1));
    }

    prompt_arena_destroy(arena);

    return 0;
}
