/*
 * Spans: see the header.
 */

#include "base/json_impl.h"
#include "base/json_span.h"


/* levels that are walked through */
#define PROMPT_JSON_SPAN_DEPTH  512


prompt_str_t
prompt_json_span(prompt_str_t object, const char *name)
{
    prompt_str_t        known, value, wanted;
    prompt_json_scan_t  scan;

    wanted = prompt_str_from(name);
    prompt_json_span_begin(&scan, object);

    while (prompt_json_span_next(&scan, &known, &value)) {
        if (prompt_str_eq(known, wanted)) {
            return value;
        }
    }

    return prompt_str_absent;
}


void
prompt_json_span_begin(prompt_json_scan_t *scan, prompt_str_t container)
{
    prompt_json_scan_init(scan, container, PROMPT_JSON_SPAN_DEPTH);

    if (!prompt_json_scan_array(scan)) {
        (void) prompt_json_scan_object(scan);
    }
}


/* The value that comes next; absent: it is no JSON. */
static prompt_str_t
prompt_json_span_take(prompt_json_scan_t *scan)
{
    bool                escaped;
    const char         *begin;
    prompt_str_t        text;
    prompt_json_type_t  type;

    type = prompt_json_scan_type(scan);           /* stands at the value now */
    begin = scan->pos;

    if (type == PROMPT_JSON_OBJECT || type == PROMPT_JSON_ARRAY) {
        prompt_json_scan_skip(scan);

    } else if (scan->error.status == PROMPT_JSON_OK) {
        (void) prompt_json_lex_scalar(scan, type, &text, &escaped);
    }

    return scan->error.status == PROMPT_JSON_OK
           ? prompt_str_of(begin, (size_t) (scan->pos - begin))
           : prompt_str_absent;
}


/* depth: 0 where nothing was entered, and at the end */
bool
prompt_json_span_next(prompt_json_scan_t *scan, prompt_str_t *name,
    prompt_str_t *value)
{
    /* an object has no elements: it was entered just now */

    if (scan->depth != 1
        || (name == NULL && scan->first && scan->pos[-1] == '{')
        || (name != NULL ? !prompt_json_scan_member(scan, name)
                         : !prompt_json_scan_element(scan)))
    {
        return false;
    }

    *value = prompt_json_span_take(scan);

    return value->data != NULL;
}


bool
prompt_json_span_match(prompt_json_scan_t *scan, const char *template,
    prompt_str_t *values)
{
    size_t         n;
    const char    *start, *mark;
    prompt_str_t   value;

    for (start = scan->pos; /* void */ ; template = mark + 2) {

        mark = strchr(template, '$');
        n = mark != NULL ? (size_t) (mark - template) : strlen(template);

        if ((size_t) (scan->end - scan->pos) < n
            || memcmp(scan->pos, template, n) != 0)
        {
            scan->pos = start;
            return false;
        }

        scan->pos += n;

        if (mark == NULL) {
            return true;
        }

        value = prompt_json_span_take(scan);

        if (value.data == NULL) {
            return false;
        }

        values[mark[1] & 0x7f] = value.data[0] != 'n' ? value
                                                      : prompt_str_absent;
    }
}


bool
prompt_json_span_is(prompt_str_t span, const char *json)
{
    return prompt_str_eq(span, prompt_str_from(json));
}


bool
prompt_json_span_set(prompt_str_t span)
{
    return span.data != NULL && !prompt_json_span_is(span, "null");
}


prompt_str_t
prompt_json_span_inner(prompt_str_t span)
{
    return span.len >= 2 && span.data[0] == '"'
           ? prompt_str_of(span.data + 1, span.len - 2) : prompt_str_absent;
}


void
prompt_json_span_comma(prompt_buf_t *buf)
{
    char  last;

    last = buf->len != 0 ? buf->data[buf->len - 1] : '[';

    if (last != '[' && last != '{') {
        prompt_buf_char(buf, ',');
    }
}
