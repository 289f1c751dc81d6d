/*
 * Fuzz target: streams of providers.  The first byte chooses the format and
 * the size of the pieces; what is shown must be the output, however it is cut.
 */

#include "provider/stream.h"

#include <stdlib.h>

#include "base/utf8.h"


#define LIMIT  4096


#define fuzz_format(name)  &prompt_provider_##name,

static const prompt_provider_format_t *const  formats[] = {
    PROMPT_PROVIDER_FORMATS(fuzz_format)
};

/* by the highest bits */
#define FORMAT(byte)                                                         \
    formats[((byte) >> 5) % (sizeof(formats) / sizeof(formats[0]))]


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


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

    return prompt_json_scan_end(&scan) && prompt_utf8_valid(text);
}


static void
fuzz_answer(const prompt_provider_stream_t *stream, prompt_str_t shown)
{
    prompt_arena_t            *arena;
    prompt_provider_answer_t   answer;

    arena = prompt_arena_create(16 * 1024 * 1024);

    if (arena != NULL
        && prompt_provider_stream_answer(stream, arena, 200, &answer)
        && answer.outcome == PROMPT_PROVIDER_DONE
        && (!prompt_utf8_valid(answer.output)
            || !fuzz_json(answer.opaque)
            || !fuzz_json(answer.tool_calls)
            || (stream->form != PROMPT_PROVIDER_STREAM_WHOLE
                && !prompt_str_eq(answer.output, shown))))
    {
        abort();
    }

    prompt_arena_destroy(arena);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t                           n, at;
    const char                      *pos, *end;
    prompt_buf_t                     shown;
    prompt_provider_stream_t         stream;
    prompt_provider_stream_status_t  status;

    if (size == 0) {
        return 0;
    }

    n = (data[0] & 0x1f) + 1;

    prompt_buf_init(&shown, LIMIT);
    prompt_provider_stream_init(&stream, FORMAT(data[0]), LIMIT);

    for (at = 1; at < size; at += n) {
        pos = (const char *) data + at;
        end = size - at < n ? (const char *) data + size : pos + n;

        do {
            status = prompt_provider_stream_read(&stream, &pos, end);

            if (status == PROMPT_PROVIDER_STREAM_TEXT) {

                if (stream.text.len == 0) {
                    abort();
                }

                prompt_buf_str(&shown, stream.text);
            }

        } while (status == PROMPT_PROVIDER_STREAM_TEXT);
    }

    fuzz_answer(&stream, prompt_buf_view(&shown));

    prompt_buf_free(&shown);
    prompt_provider_stream_free(&stream);

    return 0;
}
