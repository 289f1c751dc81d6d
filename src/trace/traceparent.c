/*
 * Trace Context: reading and writing traceparent and tracestate.
 */

#include "trace/traceparent.h"

#include "base/scan.h"


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


static bool prompt_trace_hex(const char *text, uint8_t *out, size_t len);
static bool prompt_trace_zero(const uint8_t *id, size_t len);
static void prompt_tracestate_member(prompt_tracestate_t *state,
    prompt_str_t member);
static bool prompt_tracestate_key(prompt_str_t key);
static bool prompt_tracestate_name(prompt_str_t name, size_t max, bool digit);
static bool prompt_tracestate_value(prompt_str_t value);


bool
prompt_traceparent_read(prompt_str_t text, prompt_trace_context_t *context)
{
    uint8_t  version, flags;

    text = prompt_scan_trim(text);

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


/* len bytes of lower-case digits */
static bool
prompt_trace_hex(const char *text, uint8_t *out, size_t len)
{
    size_t  i;

    for (i = 0; i < 2 * len; i++) {
        if (text[i] >= 'A' && text[i] <= 'F') {
            return false;
        }
    }

    return prompt_hex_read(&text, out, len);
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
    bool          more;
    prompt_str_t  member;

    do {
        more = prompt_scan_split(&text, ',', &member);
        member = prompt_scan_trim(member);

        if (member.len != 0) {
            prompt_tracestate_member(state, member);
        }

    } while (more && !state->invalid);
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
    size_t        comma;
    prompt_str_t  key, value;

    state->members++;
    value = member;

    if (state->members > PROMPT_TRACESTATE_MEMBERS
        || !prompt_scan_split(&value, '=', &key)
        || !prompt_tracestate_key(key) || !prompt_tracestate_value(value))
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


/* NAME, or TENANT@SYSTEM */
static bool
prompt_tracestate_key(prompt_str_t key)
{
    prompt_str_t  tenant;

    if (!prompt_scan_split(&key, '@', &tenant)) {
        return prompt_tracestate_name(tenant, PROMPT_TRACESTATE_KEY, true);
    }

    return prompt_tracestate_name(tenant, PROMPT_TRACESTATE_TENANT, true)
           && prompt_tracestate_name(key, PROMPT_TRACESTATE_SYSTEM, false);
}


/* digit: it may begin with one, as from level 2 on any but a system does */
static bool
prompt_tracestate_name(prompt_str_t name, size_t max, bool digit)
{
    char    c;
    size_t  i;

    for (i = 0; i < name.len; i++) {
        c = name.data[i];

        if (!(c >= 'a' && c <= 'z')
            && !(prompt_scan_is_digit(c) && (i != 0 || digit))
            && (i == 0 || (c != '_' && c != '-' && c != '*' && c != '/')))
        {
            return false;
        }
    }

    return name.len != 0 && name.len <= max;
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
