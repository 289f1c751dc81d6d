/*
 * OTLP in JSON, by jansson.
 *
 * Its mapping is that of Protocol Buffers, with two differences: ids are
 * hexadecimal, and enums are numbers.  64-bit integers are strings.
 */

#include "trace/otlp.h"

#include "base/digits.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>


/* of the memory that an answer may take while it is read */
#define PROMPT_OTLP_ANSWER       (64 * 1024)

#define PROMPT_OTLP_DELAY        1000            /* ms */
#define PROMPT_OTLP_DELAY_MAX    60000
#define PROMPT_OTLP_AFTER_MAX    300             /* s */
#define PROMPT_OTLP_JITTER       5

#define PROMPT_OTLP_ERROR        2               /* STATUS_CODE_ERROR */

/* digits that a double is written with: what was 0.1 stays so */
#define PROMPT_OTLP_DIGITS       15


static json_t *prompt_otlp_resource(const prompt_otlp_resource_t *resource);
static json_t *prompt_otlp_scope(const prompt_otlp_resource_t *resource);
static json_t *prompt_otlp_span(const prompt_span_t *span);
static json_t *prompt_otlp_status(const prompt_span_t *span);
static json_t *prompt_otlp_attributes(const prompt_span_t *span);
static json_t *prompt_otlp_attribute(const char *name, json_t *value);
static json_t *prompt_otlp_value(const prompt_attribute_t *attribute);
static json_t *prompt_otlp_number(prompt_str_t text);
static json_t *prompt_otlp_texts(prompt_str_t text);
static json_t *prompt_otlp_any(const char *kind, json_t *value);
static json_t *prompt_otlp_string(prompt_str_t text);
static json_t *prompt_otlp_id(const uint8_t *id, size_t len);
static json_t *prompt_otlp_integer(int64_t n);
static json_t *prompt_otlp_time(int64_t ms);
static json_t *prompt_otlp_list(json_t *item);


char *
prompt_otlp_request(const prompt_otlp_resource_t *resource,
    const prompt_span_queue_t *queue, unsigned n, size_t *len)
{
    int       rc;
    char     *text;
    json_t   *root, *spans;
    unsigned  i;

    spans = json_array();
    rc = spans != NULL ? 0 : -1;

    for (i = 0; i < n && rc == 0; i++) {
        rc = json_array_append_new(spans,
                            prompt_otlp_span(prompt_span_queue_at(queue, i)));
    }

    if (rc != 0) {
        json_decref(spans);
        return NULL;
    }

    /* what is NULL among values makes the whole NULL; all are taken over */

    root = json_pack("{s:o, s:o}", "scope", prompt_otlp_scope(resource),
                     "spans", spans);
    root = json_pack("{s:o, s:o}", "resource", prompt_otlp_resource(resource),
                     "scopeSpans", prompt_otlp_list(root));
    root = json_pack("{s:o}", "resourceSpans", prompt_otlp_list(root));

    if (root == NULL) {
        return NULL;
    }

    text = json_dumps(root, JSON_COMPACT
                            | JSON_REAL_PRECISION(PROMPT_OTLP_DIGITS));
    json_decref(root);

    *len = text != NULL ? strlen(text) : 0;

    return text;
}


static json_t *
prompt_otlp_resource(const prompt_otlp_resource_t *resource)
{
    json_t  *service, *host, *pid;

    service = prompt_otlp_any("stringValue",
                              prompt_otlp_string(resource->service));
    host = prompt_otlp_any("stringValue", prompt_otlp_string(resource->host));
    pid = prompt_otlp_any("intValue", prompt_otlp_integer(resource->pid));

    return json_pack("{s:[o, o, o]}", "attributes",
                     prompt_otlp_attribute("service.name", service),
                     prompt_otlp_attribute("host.name", host),
                     prompt_otlp_attribute("process.pid", pid));
}


static json_t *
prompt_otlp_scope(const prompt_otlp_resource_t *resource)
{
    return json_pack("{s:s, s:s}", "name", "ngx_http_prompt_module",
                     "version", resource->version);
}


static json_t *
prompt_otlp_span(const prompt_span_t *span)
{
    json_t  *object;

    static const uint8_t  none[PROMPT_SPAN_ID_LEN];

    object = json_pack("{s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o}",
                       "traceId", prompt_otlp_id(span->trace_id,
                                                 PROMPT_TRACE_ID_LEN),
                       "spanId", prompt_otlp_id(span->span_id,
                                                PROMPT_SPAN_ID_LEN),
                       "name", prompt_otlp_string(span->name),
                       "kind", (int) span->kind,
                       "startTimeUnixNano", prompt_otlp_time(span->start_ms),
                       "endTimeUnixNano", prompt_otlp_time(span->end_ms),
                       "attributes", prompt_otlp_attributes(span),
                       "status", prompt_otlp_status(span));

    if (object == NULL
        || memcmp(span->parent_id, none, PROMPT_SPAN_ID_LEN) == 0)
    {
        return object;
    }

    if (json_object_set_new(object, "parentSpanId",
                            prompt_otlp_id(span->parent_id,
                                           PROMPT_SPAN_ID_LEN))
        != 0)
    {
        json_decref(object);
        return NULL;
    }

    return object;
}


static json_t *
prompt_otlp_status(const prompt_span_t *span)
{
    if (!span->failed) {
        return json_object();
    }

    if (span->message.data == NULL) {
        return json_pack("{s:i}", "code", PROMPT_OTLP_ERROR);
    }

    return json_pack("{s:i, s:o}", "code", PROMPT_OTLP_ERROR,
                     "message", prompt_otlp_string(span->message));
}


static json_t *
prompt_otlp_attributes(const prompt_span_t *span)
{
    json_t    *list, *value;
    unsigned   i;

    list = json_array();

    for (i = 0; i < span->nattributes && list != NULL; i++) {
        value = prompt_otlp_value(&span->attributes[i]);

        if (json_array_append_new(list,
                       prompt_otlp_attribute(span->attributes[i].name, value))
            != 0)
        {
            json_decref(list);
            return NULL;
        }
    }

    return list;
}


static json_t *
prompt_otlp_attribute(const char *name, json_t *value)
{
    return json_pack("{s:s, s:o}", "key", name, "value", value);
}


static json_t *
prompt_otlp_value(const prompt_attribute_t *attribute)
{
    switch (attribute->kind) {

    case PROMPT_ATTRIBUTE_INTEGER:
        return prompt_otlp_any("intValue",
                               prompt_otlp_integer(attribute->integer));

    case PROMPT_ATTRIBUTE_NUMBER:
        return prompt_otlp_number(attribute->text);

    case PROMPT_ATTRIBUTE_TEXTS:
        return prompt_otlp_texts(attribute->text);

    default:
        return prompt_otlp_any("stringValue",
                               prompt_otlp_string(attribute->text));
    }
}


/* what no double can hold stays the text it is */

static json_t *
prompt_otlp_number(prompt_str_t text)
{
    char    digits[PROMPT_SPAN_TEXT + 1];
    double  value;

    if (text.len > PROMPT_SPAN_TEXT) {
        return prompt_otlp_any("stringValue", prompt_otlp_string(text));
    }

    memcpy(digits, text.data, text.len);
    digits[text.len] = '\0';

    value = strtod(digits, NULL);

    return isfinite(value)
           ? prompt_otlp_any("doubleValue", json_real(value))
           : prompt_otlp_any("stringValue", prompt_otlp_string(text));
}


static json_t *
prompt_otlp_texts(prompt_str_t text)
{
    size_t       len;
    json_t      *list, *value;
    const char  *end;

    list = json_array();

    while (list != NULL && text.len != 0) {
        end = memchr(text.data, '\0', text.len);
        len = end != NULL ? (size_t) (end - text.data) : text.len;

        value = prompt_otlp_any("stringValue",
                         prompt_otlp_string(prompt_str_of(text.data, len)));

        if (json_array_append_new(list, value) != 0) {
            json_decref(list);
            return NULL;
        }

        if (end == NULL) {
            break;
        }

        text.data += len + 1;
        text.len -= len + 1;
    }

    return prompt_otlp_any("arrayValue", json_pack("{s:o}", "values", list));
}


/* an AnyValue */

static json_t *
prompt_otlp_any(const char *kind, json_t *value)
{
    return json_pack("{s:o}", kind, value);
}


/* A path may be any bytes: of what is no UTF-8, ASCII is left. */

static json_t *
prompt_otlp_string(prompt_str_t text)
{
    char    *copy;
    size_t   i;
    json_t  *string;

    if (text.len == 0) {
        return json_string("");
    }

    if (prompt_utf8_valid(text)) {
        return json_stringn(text.data, text.len);
    }

    copy = malloc(text.len);
    if (copy == NULL) {
        return NULL;
    }

    for (i = 0; i < text.len; i++) {
        copy[i] = (unsigned char) text.data[i] < 0x80 ? text.data[i] : '?';
    }

    string = json_stringn(copy, text.len);
    free(copy);

    return string;
}


/* 16 bytes at most */

static json_t *
prompt_otlp_id(const uint8_t *id, size_t len)
{
    char  text[2 * PROMPT_TRACE_ID_LEN];

    (void) prompt_hex_write(text, id, len);

    return json_stringn(text, 2 * len);
}


static json_t *
prompt_otlp_integer(int64_t n)
{
    char  text[24];

    (void) snprintf(text, sizeof(text), "%" PRId64, n);

    return json_string(text);
}


/* nanoseconds */

static json_t *
prompt_otlp_time(int64_t ms)
{
    return prompt_otlp_integer(ms * 1000000);
}


static json_t *
prompt_otlp_list(json_t *item)
{
    return json_pack("[o]", item);
}


uint64_t
prompt_otlp_rejected(prompt_str_t answer, char *why, size_t size)
{
    size_t       i;
    json_t      *root, *partial, *spans;
    uint64_t     rejected;
    long long    n;
    const char  *text;

    why[0] = '\0';

    if (answer.len == 0 || answer.len > PROMPT_OTLP_ANSWER) {
        return 0;
    }

    root = json_loadb(answer.data, answer.len, 0, NULL);
    partial = json_object_get(root, "partialSuccess");
    spans = json_object_get(partial, "rejectedSpans");

    n = json_is_string(spans) ? strtoll(json_string_value(spans), NULL, 10)
                              : (long long) json_integer_value(spans);
    rejected = n > 0 ? (uint64_t) n : 0;

    text = json_string_value(json_object_get(partial, "errorMessage"));

    for (i = 0; text != NULL && text[i] != '\0' && i + 1 < size; i++) {
        why[i] = text[i] >= 0x20 && text[i] < 0x7f ? text[i] : '?';
        why[i + 1] = '\0';
    }

    json_decref(root);

    return rejected;
}


bool
prompt_otlp_may_retry(unsigned status)
{
    return status == 429 || status == 502 || status == 503 || status == 504;
}


uint32_t
prompt_otlp_delay(unsigned failures, int64_t retry_after, uint32_t random)
{
    uint32_t  delay, jitter;

    if (retry_after > 0) {
        return (uint32_t) (retry_after < PROMPT_OTLP_AFTER_MAX
                           ? retry_after : PROMPT_OTLP_AFTER_MAX) * 1000;
    }

    delay = PROMPT_OTLP_DELAY_MAX;

    if (failures < 6) {
        delay = PROMPT_OTLP_DELAY << failures;
    }

    jitter = delay / PROMPT_OTLP_JITTER;

    return delay - jitter + random % (2 * jitter + 1);
}
