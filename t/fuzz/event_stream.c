/*
 * Fuzz target: event streams.  The first byte says where the rest is cut; the
 * events are those of the uncut text.
 */

#include "base/event_stream.h"

#include <stdlib.h>


#define LIMIT  64


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
fuzz_read(prompt_buf_t *out, const char *text, size_t len, size_t piece)
{
    size_t                        at, n;
    const char                   *p, *end;
    prompt_event_stream_t         stream;
    prompt_event_stream_status_e  status;

    prompt_event_stream_init(&stream, LIMIT);

    for (at = 0; at < len; at += n) {
        n = len - at < piece ? len - at : piece;
        p = text + at;
        end = p + n;

        do {
            status = prompt_event_stream_read(&stream, &p, end);

            if (status == PROMPT_EVENT_STREAM_EVENT) {
                if (stream.name.len + stream.data.len > LIMIT) {
                    abort();
                }

                prompt_buf_int(out, (int64_t) stream.name.len);
                prompt_buf_str(out, stream.name);
                prompt_buf_int(out, (int64_t) stream.data.len);
                prompt_buf_str(out, stream.data);
            }

        } while (status == PROMPT_EVENT_STREAM_EVENT);

        if (status == PROMPT_EVENT_STREAM_MORE && p != end) {
            abort();
        }
    }

    prompt_event_stream_free(&stream);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char    *text;
    prompt_buf_t   whole, cut;

    if (size < 2) {
        return 0;
    }

    text = (const char *) data + 1;
    size--;

    prompt_buf_init(&whole, SIZE_MAX);
    prompt_buf_init(&cut, SIZE_MAX);

    fuzz_read(&whole, text, size, size);
    fuzz_read(&cut, text, size, 1 + data[0] % 16);

    if (!prompt_str_eq(prompt_buf_view(&whole), prompt_buf_view(&cut))) {
        abort();
    }

    prompt_buf_free(&whole);
    prompt_buf_free(&cut);

    return 0;
}
