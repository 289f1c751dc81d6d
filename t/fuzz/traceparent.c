/*
 * Fuzz target: traceparent and tracestate.  What is read is written the same
 * way, and what is passed on is read again as it is.
 */

#include <stdlib.h>

#include "trace/traceparent.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
fuzz_parent(prompt_str_t text)
{
    char                    out[PROMPT_TRACEPARENT_LEN];
    prompt_trace_context_t  context, again;

    if (!prompt_traceparent_read(text, &context)) {
        return;
    }

    if (prompt_traceparent_write(out, context.trace_id, context.parent_id,
                                 context.sampled)
            != out + sizeof(out)
        || !prompt_traceparent_read(prompt_str_of(out, sizeof(out)), &again)
        || memcmp(context.trace_id, again.trace_id, PROMPT_TRACE_ID_LEN) != 0
        || memcmp(context.parent_id, again.parent_id, PROMPT_SPAN_ID_LEN) != 0
        || context.sampled != again.sampled)
    {
        abort();
    }
}


/* what goes on is plain, short, and whole */
static void
fuzz_state(prompt_str_t text)
{
    size_t               i;
    prompt_str_t         kept, same;
    prompt_tracestate_t  state, again;

    memset(&state, 0, sizeof(state));
    memset(&again, 0, sizeof(again));

    prompt_tracestate_add(&state, text);
    kept = prompt_tracestate_text(&state);

    if (kept.data == NULL) {
        return;
    }

    for (i = 0; i < kept.len; i++) {
        if (kept.data[i] < 0x20 || kept.data[i] > 0x7e) {
            abort();
        }
    }

    prompt_tracestate_add(&again, kept);
    same = prompt_tracestate_text(&again);

    if (kept.len == 0 || kept.len > PROMPT_TRACESTATE_MAX
        || !prompt_str_eq(kept, same))
    {
        abort();
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    prompt_str_t  text;

    text = prompt_str_of((const char *) data, size);

    fuzz_parent(text);
    fuzz_state(text);

    return 0;
}
