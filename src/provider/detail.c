/*
 * What Google says of an error beside its status and its message.
 */

#include "provider/provider_impl.h"


/* the longest wait that is taken for one, in ms */
#define PROMPT_PROVIDER_RETRY_MAX  (24 * 60 * 60 * 1000)


/* to int64_t, ms: "31s", also with a fraction; UNKNOWN where it is none */
static void
prompt_provider_read_delay(prompt_provider_reader_t *reader, void *to)
{
    size_t         i;
    int64_t        ms, unit, *delay = to;
    prompt_str_t   text;

    prompt_provider_read_string(reader, &text);

    ms = 0;
    unit = 1000;

    for (i = 0; i < text.len && unit != 0 && ms < PROMPT_PROVIDER_RETRY_MAX;
         i++)
    {
        if (text.data[i] == '.' && unit == 1000) {
            unit = 100;

        } else if (text.data[i] < '0' || text.data[i] > '9') {
            break;

        } else if (unit == 1000) {
            ms = 10 * ms + 1000 * (text.data[i] - '0');

        } else {
            ms += unit * (text.data[i] - '0');
            unit /= 10;
        }
    }

    *delay = i != 0 ? ms : PROMPT_USAGE_UNKNOWN;
}


static const prompt_provider_member_t  prompt_provider_violation[] = {
    prompt_provider_string("quotaId", part_text),
    prompt_provider_no_member
};


/* a quota of the day is not there again in a moment */
static void
prompt_provider_read_violation(prompt_provider_reader_t *reader)
{
    size_t  i;

    reader->part_text = prompt_str_absent;
    (void) prompt_provider_read_object(reader, prompt_provider_violation);

    for (i = 0; i + 6 <= reader->part_text.len; i++) {
        if (memcmp(reader->part_text.data + i, "PerDay", 6) == 0) {
            reader->details.code = true;
        }
    }
}


static void
prompt_provider_read_violations(prompt_provider_reader_t *reader, void *to)
{
    (void) to;

    (void) prompt_provider_read_array(reader, prompt_provider_read_violation);
}


static const prompt_provider_member_t  prompt_provider_detail[] = {
    prompt_provider_string("reason", reason),
    prompt_provider_member("violations", prompt_provider_read_violations,
                           details),
    prompt_provider_member("retryDelay", prompt_provider_read_delay, retry),
    prompt_provider_no_member
};


void
prompt_provider_read_google(prompt_provider_reader_t *reader)
{
    reader->reason = prompt_str_absent;

    (void) prompt_provider_read_object(reader, prompt_provider_detail);

    if (prompt_str_eq(reader->reason, prompt_str("API_KEY_INVALID"))) {
        reader->no_key = true;
    }
}


int64_t
prompt_provider_retry_delay(const prompt_provider_format_t *format,
    prompt_str_t body)
{
    int64_t                    delay;
    prompt_arena_t            *arena;
    prompt_provider_reader_t   reader;

    if (body.len == 0 || body.len > PROMPT_PROVIDER_ERROR_MAX) {
        return PROMPT_USAGE_UNKNOWN;
    }

    arena = prompt_arena_create(8 * PROMPT_PROVIDER_ERROR_MAX);
    if (arena == NULL) {
        return PROMPT_USAGE_UNKNOWN;
    }

    prompt_provider_begin(&reader, arena, format, PROMPT_PROVIDER_ERROR_MAX);
    prompt_buf_init(&reader.calls, PROMPT_PROVIDER_ERROR_MAX);
    prompt_buf_init(&reader.opaque, PROMPT_PROVIDER_ERROR_MAX);

    delay = prompt_provider_walk(&reader, body, format->answer)
            ? reader.retry : PROMPT_USAGE_UNKNOWN;

    prompt_buf_free(&reader.text.parts);
    prompt_buf_free(&reader.calls);
    prompt_buf_free(&reader.opaque);
    prompt_arena_destroy(arena);

    return delay;
}
