/*
 * JSON pull reader: walks a text without allocating.
 */

#include "base/json_impl.h"


/*
 * Passing over a value takes one bit a level, in a place of this size; deeper
 * texts are refused whatever max_depth says.
 */
#define PROMPT_JSON_SKIP_DEPTH  1024


void
prompt_json_scan_init(prompt_json_scan_t *scan, prompt_str_t text,
    unsigned max_depth)
{
    scan->start = text.data != NULL ? text.data : "";
    scan->pos = scan->start;
    scan->end = scan->start + text.len;
    scan->depth = 0;
    scan->max_depth = max_depth < PROMPT_JSON_SKIP_DEPTH
                      ? max_depth : PROMPT_JSON_SKIP_DEPTH;
    scan->values = UINT32_MAX;
    scan->first = false;
    scan->error = (prompt_json_error_t) { PROMPT_JSON_OK, 0, "" };
}


prompt_json_type_t
prompt_json_scan_type(prompt_json_scan_t *scan)
{
    if (scan->error.status != PROMPT_JSON_OK) {
        return PROMPT_JSON_NULL;
    }

    prompt_json_lex_space(scan);

    if (scan->pos < scan->end) {

        switch (*scan->pos) {

        case '{':
            return PROMPT_JSON_OBJECT;

        case '[':
            return PROMPT_JSON_ARRAY;

        case '"':
            return PROMPT_JSON_STRING;

        case 't': case 'f':
            return PROMPT_JSON_BOOLEAN;

        case 'n':
            return PROMPT_JSON_NULL;

        case '-': case '0': case '1': case '2': case '3': case '4': case '5':
        case '6': case '7': case '8': case '9':
            return PROMPT_JSON_NUMBER;

        default:
            break;
        }
    }

    (void) prompt_json_unexpected(scan);

    return PROMPT_JSON_NULL;
}


static bool
prompt_json_scan_enter(prompt_json_scan_t *scan, prompt_json_type_t type)
{
    if (prompt_json_scan_type(scan) != type
        || scan->error.status != PROMPT_JSON_OK)
    {
        return false;
    }

    if (scan->depth == scan->max_depth) {
        return prompt_json_fail(scan, scan->pos, PROMPT_JSON_DEPTH,
                                "nested too deeply");
    }

    scan->pos++;
    scan->depth++;
    scan->first = true;

    return true;
}


bool
prompt_json_scan_object(prompt_json_scan_t *scan)
{
    return prompt_json_scan_enter(scan, PROMPT_JSON_OBJECT);
}


bool
prompt_json_scan_array(prompt_json_scan_t *scan)
{
    return prompt_json_scan_enter(scan, PROMPT_JSON_ARRAY);
}


/*
 * To the next member or element of the container that ends with close: past
 * the comma.  False at the end of the container, which is left, or an error.
 */
static bool
prompt_json_scan_next(prompt_json_scan_t *scan, char close)
{
    if (scan->error.status != PROMPT_JSON_OK || scan->depth == 0) {
        return false;
    }

    prompt_json_lex_space(scan);

    if (scan->pos < scan->end && *scan->pos == close) {
        scan->pos++;
        scan->depth--;
        scan->first = false;
        return false;
    }

    if (scan->first) {
        scan->first = false;
        return true;
    }

    if (scan->pos == scan->end || *scan->pos != ',') {
        return prompt_json_unexpected(scan);
    }

    scan->pos++;

    return true;
}


bool
prompt_json_scan_member(prompt_json_scan_t *scan, prompt_str_t *raw_name)
{
    bool  escaped;

    if (!prompt_json_scan_next(scan, '}')) {
        return false;
    }

    prompt_json_lex_space(scan);

    if (scan->pos == scan->end || *scan->pos != '"') {
        return prompt_json_unexpected(scan);
    }

    if (!prompt_json_lex_string(scan, raw_name, &escaped)) {
        return false;
    }

    prompt_json_lex_space(scan);

    if (scan->pos == scan->end || *scan->pos != ':') {
        return prompt_json_unexpected(scan);
    }

    scan->pos++;

    return true;
}


bool
prompt_json_scan_element(prompt_json_scan_t *scan)
{
    /* a value must follow: what is none fails where it is read */
    return prompt_json_scan_next(scan, ']');
}


void
prompt_json_scan_skip(prompt_json_scan_t *scan)
{
    bool                more, escaped;
    uint8_t             objects[PROMPT_JSON_SKIP_DEPTH / 8 + 1], bit;
    unsigned            base, depth;
    prompt_str_t        text;
    prompt_json_type_t  type;

    memset(objects, 0, sizeof(objects));
    base = scan->depth;

    for ( ;; ) {
        type = prompt_json_scan_type(scan);

        if (scan->error.status != PROMPT_JSON_OK) {
            return;
        }

        if (type == PROMPT_JSON_OBJECT || type == PROMPT_JSON_ARRAY) {
            if (!prompt_json_scan_enter(scan, type)) {
                return;
            }

            depth = scan->depth;
            bit = (uint8_t) (1u << depth % 8);

            if (type == PROMPT_JSON_OBJECT) {
                objects[depth / 8] |= bit;

            } else {
                objects[depth / 8] &= (uint8_t) ~bit;
            }

        } else if (!prompt_json_lex_scalar(scan, type, &text, &escaped)) {
            return;
        }

        /* leaves what is at its end, up to where a value comes next */

        more = false;

        while (scan->depth > base && !more) {
            depth = scan->depth;

            more = (objects[depth / 8] & 1u << depth % 8) != 0
                   ? prompt_json_scan_member(scan, &text)
                   : prompt_json_scan_element(scan);

            if (scan->error.status != PROMPT_JSON_OK) {
                return;
            }
        }

        if (!more) {
            return;
        }
    }
}


bool
prompt_json_scan_end(prompt_json_scan_t *scan)
{
    if (scan->error.status != PROMPT_JSON_OK) {
        return false;
    }

    prompt_json_lex_space(scan);

    if (scan->pos != scan->end) {
        return prompt_json_fail(scan, scan->pos, PROMPT_JSON_SYNTAX,
                                "unexpected text after the value");
    }

    return true;
}
