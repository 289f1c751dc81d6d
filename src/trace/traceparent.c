/*
 * Trace Context: reading and writing traceparent and tracestate.
 */

#include "trace/traceparent.h"

#include "base/digits.h"


/* where the parts of a traceparent begin */
#define PROMPT_TRACEPARENT_TRACE  3
#define PROMPT_TRACEPARENT_SPAN   36
#define PROMPT_TRACEPARENT_FLAGS  53

#define PROMPT_TRACE_SAMPLED      0x01

/* of a key of tracestate: as a whole, and of a tenant and its system */
#define PROMPT_TRACESTATE_KEY     256
#define PROMPT_TRACESTATE_TENANT  241
#define PROMPT_TRACESTATE_SYSTEM  14
#define PROMPT_TRACESTATE_VALUE   256


static prompt_str_t prompt_trace_trim(prompt_str_t text);
static bool prompt_trace_hex(const char *text, uint8_t *out, size_t len);
static bool prompt_trace_zero(const uint8_t *id, size_t len);
static void prompt_tracestate_member(prompt_tracestate_t *state,
    prompt_str_t member);
static bool prompt_tracestate_valid(prompt_str_t member);
static bool prompt_tracestate_key(prompt_str_t key);
static bool prompt_tracestate_name(prompt_str_t name, size_t max, bool digit);
static bool prompt_tracestate_value(prompt_str_t value);


bool
prompt_traceparent_read(prompt_str_t text, prompt_trace_context_t *context)
{
    uint8_t  version, flags;

    text = prompt_trace_trim(text);

    if (text.len < PROMPT_TRACEPARENT_LEN
        || !prompt_trace_hex(text.data, &version, 1)
        || version == 0xff
        || text.data[PROMPT_TRACEPARENT_TRACE - 1] != '-'
        || text.data[PROMPT_TRACEPARENT_SPAN - 1] != '-'
        || text.data[PROMPT_TRACEPARENT_FLAGS - 1] != '-')
    {
        return false;
    }

    if (text.len > PROMPT_TRACEPARENT_LEN
        && (version == 0 || text.data[PROMPT_TRACEPARENT_LEN] != '-'))
    {
        return false;
    }

    if (!prompt_trace_hex(text.data + PROMPT_TRACEPARENT_TRACE,
                          context->trace_id, PROMPT_TRACE_ID_LEN)
        || !prompt_trace_hex(text.data + PROMPT_TRACEPARENT_SPAN,
                             context->parent_id, PROMPT_SPAN_ID_LEN)
        || !prompt_trace_hex(text.data + PROMPT_TRACEPARENT_FLAGS, &flags, 1)
        || prompt_trace_zero(context->trace_id, PROMPT_TRACE_ID_LEN)
        || prompt_trace_zero(context->parent_id, PROMPT_SPAN_ID_LEN))
    {
        return false;
    }

    context->sampled = (flags & PROMPT_TRACE_SAMPLED) != 0;

    return true;
}


char *
prompt_traceparent_write(char out[PROMPT_TRACEPARENT_LEN],
    const uint8_t trace_id[PROMPT_TRACE_ID_LEN],
    const uint8_t span_id[PROMPT_SPAN_ID_LEN], bool sampled)
{
    char  *p;

    p = out;
    *p++ = '0';
    *p++ = '0';
    *p++ = '-';
    p = prompt_hex_write(p, trace_id, PROMPT_TRACE_ID_LEN);
    *p++ = '-';
    p = prompt_hex_write(p, span_id, PROMPT_SPAN_ID_LEN);
    *p++ = '-';
    *p++ = '0';
    *p++ = sampled ? '1' : '0';

    return p;
}


/* without the white space around it */
static prompt_str_t
prompt_trace_trim(prompt_str_t text)
{
    while (text.len != 0 && (text.data[0] == ' ' || text.data[0] == '\t')) {
        text.data++;
        text.len--;
    }

    while (text.len != 0 && (text.data[text.len - 1] == ' '
                             || text.data[text.len - 1] == '\t'))
    {
        text.len--;
    }

    return text;
}


/* len bytes of lower-case digits */
static bool
prompt_trace_hex(const char *text, uint8_t *out, size_t len)
{
    int     high, low;
    size_t  i;

    for (i = 0; i < 2 * len; i++) {
        if (text[i] >= 'A' && text[i] <= 'F') {
            return false;
        }
    }

    for (i = 0; i < len; i++) {
        high = prompt_hex_digit(text[2 * i]);
        low = prompt_hex_digit(text[2 * i + 1]);

        if (high < 0 || low < 0) {
            return false;
        }

        out[i] = (uint8_t) (high << 4 | low);
    }

    return true;
}


static bool
prompt_trace_zero(const uint8_t *id, size_t len)
{
    size_t  i;

    for (i = 0; i < len; i++) {
        if (id[i] != 0) {
            return false;
        }
    }

    return true;
}


void
prompt_tracestate_add(prompt_tracestate_t *state, prompt_str_t text)
{
    size_t        len;
    const char   *comma;
    prompt_str_t  member;

    while (text.data != NULL && !state->invalid) {
        comma = text.len != 0 ? memchr(text.data, ',', text.len) : NULL;
        len = comma != NULL ? (size_t) (comma - text.data) : text.len;
        member = prompt_trace_trim(prompt_str_of(text.data, len));

        if (member.len != 0) {
            prompt_tracestate_member(state, member);
        }

        if (comma == NULL) {
            return;
        }

        text.data += len + 1;
        text.len -= len + 1;
    }
}


prompt_str_t
prompt_tracestate_text(const prompt_tracestate_t *state)
{
    if (state->invalid || state->len == 0) {
        return prompt_str_absent;
    }

    return prompt_str_of(state->text, state->len);
}


static void
prompt_tracestate_member(prompt_tracestate_t *state, prompt_str_t member)
{
    size_t  comma;

    state->members++;

    if (state->members > PROMPT_TRACESTATE_MEMBERS
        || !prompt_tracestate_valid(member))
    {
        state->invalid = true;
        return;
    }

    comma = state->len != 0;

    if (state->full || member.len + comma > sizeof(state->text) - state->len) {
        state->full = true;
        return;
    }

    if (comma) {
        state->text[state->len++] = ',';
    }

    memcpy(state->text + state->len, member.data, member.len);
    state->len += member.len;
}


static bool
prompt_tracestate_valid(prompt_str_t member)
{
    size_t       len;
    const char  *equals;

    equals = memchr(member.data, '=', member.len);
    if (equals == NULL) {
        return false;
    }

    len = (size_t) (equals - member.data);

    return prompt_tracestate_key(prompt_str_of(member.data, len))
           && prompt_tracestate_value(prompt_str_of(equals + 1,
                                                    member.len - len - 1));
}


/* NAME, or TENANT@SYSTEM */
static bool
prompt_tracestate_key(prompt_str_t key)
{
    size_t       len;
    const char  *at;

    at = key.len != 0 ? memchr(key.data, '@', key.len) : NULL;

    if (at == NULL) {
        return prompt_tracestate_name(key, PROMPT_TRACESTATE_KEY, true);
    }

    len = (size_t) (at - key.data);

    return prompt_tracestate_name(prompt_str_of(key.data, len),
                                  PROMPT_TRACESTATE_TENANT, true)
           && prompt_tracestate_name(prompt_str_of(at + 1, key.len - len - 1),
                                     PROMPT_TRACESTATE_SYSTEM, false);
}


/* digit: it may begin with one, as from level 2 on any but a system does */
static bool
prompt_tracestate_name(prompt_str_t name, size_t max, bool digit)
{
    char    c;
    size_t  i;

    if (name.len == 0 || name.len > max) {
        return false;
    }

    for (i = 0; i < name.len; i++) {
        c = name.data[i];

        if (c >= 'a' && c <= 'z') {
            continue;
        }

        if (c >= '0' && c <= '9') {
            if (i != 0 || digit) {
                continue;
            }

            return false;
        }

        if (i == 0 || (c != '_' && c != '-' && c != '*' && c != '/')) {
            return false;
        }
    }

    return true;
}


/* printable ASCII; there is no comma in it, and no space at its end */
static bool
prompt_tracestate_value(prompt_str_t value)
{
    size_t  i;

    if (value.len == 0 || value.len > PROMPT_TRACESTATE_VALUE) {
        return false;
    }

    for (i = 0; i < value.len; i++) {
        if (value.data[i] < 0x20 || value.data[i] > 0x7e
            || value.data[i] == '=')
        {
            return false;
        }
    }

    return true;
}
