/*
 * Errors, as all formats have them: codes, words, and Google's details.
 */

#include "provider/provider_impl.h"

#include "base/utf8.h"
#include "prompt/text.h"


/* codes of errors about our credentials, by name or as a status */
#define PROMPT_PROVIDER_KEY_CODES                                             \
    "401,403,invalid_api_key,authentication_error,permission_error,"          \
    "UNAUTHENTICATED,PERMISSION_DENIED"

/* the longest wait that is taken for one, in ms */
#define PROMPT_PROVIDER_RETRY_MAX  (24 * 60 * 60 * 1000)


/* to int64_t, ms: "31s", also with a fraction; UNKNOWN where it is none */
static void
provider_read_delay(prompt_provider_reader_t *reader, void *to)
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


static const prompt_provider_member_t  provider_violation[] = {
    prompt_provider_string("quotaId", part_text),
    prompt_provider_no_member
};


/* a quota of the day is not there again in a moment */
static void
provider_read_violation(prompt_provider_reader_t *reader)
{
    size_t  i;

    reader->part_text = prompt_str_absent;
    (void) prompt_provider_read_object(reader, provider_violation);

    for (i = 0; i + 6 <= reader->part_text.len; i++) {
        if (memcmp(reader->part_text.data + i, "PerDay", 6) == 0) {
            reader->details.code = true;
        }
    }
}


static const prompt_provider_member_t  provider_detail[] = {
    prompt_provider_string("reason", reason),
    prompt_provider_array("violations", provider_read_violation),
    prompt_provider_member("retryDelay", provider_read_delay, retry),
    prompt_provider_no_member
};


static void
provider_read_google(prompt_provider_reader_t *reader)
{
    reader->reason = prompt_str_absent;

    (void) prompt_provider_read_object(reader, provider_detail);

    if (prompt_str_eq(reader->reason, prompt_str("API_KEY_INVALID"))) {
        reader->no_key = true;
    }
}


void
prompt_provider_read_code(prompt_provider_reader_t *reader, void *to)
{
    bool           *quota = to;
    prompt_str_t    code;
    prompt_json_t  *value;

    code = prompt_str_absent;

    if (prompt_json_scan_type(&reader->scan) == PROMPT_JSON_NUMBER) {
        value = prompt_json_scan_value(&reader->scan, reader->arena);

        if (value != NULL) {
            code = value->text;
        }

    } else {
        prompt_provider_read_string(reader, &code);
    }

    reader->no_key = reader->no_key
                     || prompt_provider_allows(
                            prompt_str(PROMPT_PROVIDER_KEY_CODES), code);

    *quota = prompt_provider_allows(prompt_str("insufficient_quota,"
                                               "billing_error,"
                                               "enforced_spend_limit_reached"),
                                    code);
}


#define provider_code(name, field)                                            \
    prompt_provider_member(name, prompt_provider_read_code, field)

static const prompt_provider_member_t  provider_details[] = {
    provider_code("code", details.code),
    provider_code("type", details.type),
    provider_code("error_code", details.error_code),
    prompt_provider_no_member
};


/* an object, or Google's list of them */
static void
provider_read_details(prompt_provider_reader_t *reader, void *to)
{
    (void) to;

    if (prompt_json_scan_type(&reader->scan) == PROMPT_JSON_ARRAY) {
        (void) prompt_provider_read_array(reader, provider_read_google);

    } else {
        (void) prompt_provider_read_object(reader, provider_details);
    }
}


static const prompt_provider_member_t  provider_error[] = {
    provider_code("code", codes.code),
    provider_code("type", codes.type),
    provider_code("error_code", codes.error_code),
    provider_code("status", codes.status),
    prompt_provider_member("details", provider_read_details, details),
    prompt_provider_string("message", said),
    prompt_provider_no_member
};


void
prompt_provider_read_error(prompt_provider_reader_t *reader, void *to)
{
    bool  *error = to;

    *error = prompt_json_scan_type(&reader->scan) != PROMPT_JSON_NULL;

    memset(&reader->codes, 0, sizeof(prompt_provider_codes_t));
    memset(&reader->details, 0, sizeof(prompt_provider_codes_t));

    if (prompt_json_scan_type(&reader->scan) == PROMPT_JSON_STRING) {
        prompt_provider_read_string(reader, &reader->said);
        return;
    }

    (void) prompt_provider_read_object(reader, provider_error);
}


static const prompt_provider_member_t  provider_fault[] = {
    prompt_provider_string("msg", said),
    prompt_provider_string("message", said),
    prompt_provider_no_member
};


/* of FastAPI: a text, an object, or a list of faults, of which the first */
static void
provider_read_detail(prompt_provider_reader_t *reader, void *to)
{
    switch (prompt_json_scan_type(&reader->scan)) {

    case PROMPT_JSON_ARRAY:
        (void) prompt_provider_read_first(reader, provider_fault);
        break;

    case PROMPT_JSON_OBJECT:
        (void) prompt_provider_read_object(reader, provider_fault);
        break;

    default:
        prompt_provider_read_string(reader, to);
    }
}


const prompt_provider_member_t  prompt_provider_failure[] = {
    prompt_provider_member("error", prompt_provider_read_error, error),
    prompt_provider_member("detail", provider_read_detail, said),
    prompt_provider_string("message", said),
    prompt_provider_no_member
};


void
prompt_provider_said(prompt_str_t said, prompt_buf_t *out)
{
    size_t       left;
    const char  *p, *start, *end;

    if (said.len == 0) {
        return;
    }

    p = said.data;
    end = p + said.len;
    left = PROMPT_LIMIT_SAID;

    while (p < end) {
        start = p;

        if (prompt_text_is_control(prompt_utf8_next(&p, end))) {
            prompt_buf_char(out, ' ');
            left--;

        } else if ((size_t) (p - start) <= left) {
            prompt_buf_append(out, start, (size_t) (p - start));
            left -= (size_t) (p - start);

        } else {
            return;
        }

        if (left == 0) {
            return;
        }
    }
}


bool
prompt_provider_quota(const prompt_provider_reader_t *reader)
{
    return reader->codes.code || reader->codes.type
           || reader->codes.error_code || reader->details.code
           || reader->details.type || reader->details.error_code;
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
