/*
 * Usage in an answer: counts of tokens, and what no price is for.
 */

#include "provider/provider_impl.h"


void
prompt_provider_read_count(prompt_provider_reader_t *reader, void *to)
{
    int64_t        *count = to;
    prompt_json_t  *value;

    switch (prompt_json_scan_type(&reader->scan)) {

    case PROMPT_JSON_NULL:
        *count = PROMPT_USAGE_UNKNOWN;
        break;

    case PROMPT_JSON_NUMBER:
        value = prompt_json_scan_value(&reader->scan, reader->arena);

        if (value == NULL || !prompt_json_integer(value, count)
            || *count < 0 || *count > PROMPT_USAGE_COUNT_MAX)
        {
            *count = PROMPT_USAGE_BAD;
        }

        return;

    default:
        *count = PROMPT_USAGE_BAD;
    }

    prompt_json_scan_skip(&reader->scan);
}


/* Whether a scalar, as it is written, is neither null, false, "" nor 0. */
static bool
provider_is_some(prompt_str_t text)
{
    size_t  i;

    if (text.len == 0 || (text.data[0] != '-'
                          && (text.data[0] < '0' || text.data[0] > '9')))
    {
        return !prompt_str_eq(text, prompt_str("null"))
               && !prompt_str_eq(text, prompt_str("false"))
               && !prompt_str_eq(text, prompt_str("\"\""));
    }

    for (i = 0; i < text.len && (text.data[i] | 0x20) != 'e'; i++) {
        if (text.data[i] >= '1' && text.data[i] <= '9') {
            return true;
        }
    }

    return false;
}


/* Whether there is anything in a value; its depth has a limit. */
static bool
provider_is_any(prompt_provider_reader_t *reader)
{
    bool                  any;
    const char           *start;
    prompt_str_t          name;
    prompt_json_type_t    type;
    prompt_json_scan_t   *scan;

    any = false;
    scan = &reader->scan;
    type = prompt_json_scan_type(scan);

    if (type == PROMPT_JSON_OBJECT || type == PROMPT_JSON_ARRAY) {
        (void) (prompt_json_scan_object(scan) || prompt_json_scan_array(scan));

        while (type == PROMPT_JSON_OBJECT ? prompt_json_scan_member(scan, &name)
                                          : prompt_json_scan_element(scan))
        {
            any = provider_is_any(reader) || any;
        }

        return any;
    }

    start = scan->pos;
    prompt_json_scan_skip(scan);

    return provider_is_some(prompt_str_of(start, (size_t) (scan->pos - start)));
}


void
prompt_provider_read_more(prompt_provider_reader_t *reader, void *to)
{
    int64_t  *more = to;

    if (provider_is_any(reader)) {
        *more = 1;
    }
}


void
prompt_provider_read_usual(prompt_provider_reader_t *reader, const char *words)
{
    prompt_str_t  text;

    if (prompt_json_scan_type(&reader->scan) == PROMPT_JSON_NULL) {
        prompt_json_scan_skip(&reader->scan);
        return;
    }

    prompt_provider_read_string(reader, &text);

    if (!prompt_provider_allows(prompt_str_from(words), text)) {
        reader->counts.more = 1;
    }
}


void
prompt_provider_read_usage(prompt_provider_reader_t *reader, void *to)
{
    size_t                   i;
    int64_t                 *now, *earlier;
    prompt_usage_counts_t    before, *counts = to;

    before = *counts;
    prompt_usage_none(counts);
    counts->more = before.more;

    if (prompt_provider_read_object(reader, reader->format->usage)) {
        reader->used = true;
    }

    if (reader->stream == NULL) {
        return;
    }

    now = (int64_t *) counts;
    earlier = (int64_t *) &before;

    for (i = 0; i < PROMPT_USAGE_COUNTS; i++) {
        if (now[i] == PROMPT_USAGE_UNKNOWN) {
            now[i] = earlier[i];
        }
    }

    /* what is counted is paid for, though nothing was said yet */

    if (counts->reasoning > 0) {
        reader->stream->thought = true;
    }
}
