/*
 * OTLP in JSON.
 *
 * Its mapping is that of Protocol Buffers, with two differences: ids are
 * hexadecimal, and enums are numbers.  64-bit integers are strings.
 */

#include "trace/otlp.h"

#include "base/json.h"
#include "base/scan.h"
#include "base/utf8.h"


/* of an answer that is read: its bytes, its values, and what they may take */
#define PROMPT_OTLP_ANSWER       (64 * 1024)
#define PROMPT_OTLP_VALUES       1000
#define PROMPT_OTLP_MEMORY       (256 * 1024)
#define PROMPT_OTLP_DEPTH        20

#define PROMPT_OTLP_DELAY        1000            /* ms */
#define PROMPT_OTLP_DELAY_MAX    60000
#define PROMPT_OTLP_AFTER_MAX    300             /* s */
#define PROMPT_OTLP_JITTER       5


static void prompt_otlp_attributes(prompt_buf_t *buf,
    const prompt_attribute_t *attributes, unsigned n);
static void prompt_otlp_value(prompt_buf_t *buf,
    const prompt_attribute_t *attribute);
static void prompt_otlp_number(prompt_buf_t *buf, prompt_str_t text);
static void prompt_otlp_texts(prompt_buf_t *buf, prompt_str_t text);
static void prompt_otlp_text(prompt_buf_t *buf, prompt_str_t text);
static void prompt_otlp_span(prompt_buf_t *buf, const prompt_span_t *span);
static void prompt_otlp_string(prompt_buf_t *buf, prompt_str_t text);
static void prompt_otlp_id(prompt_buf_t *buf, const char *name,
    const uint8_t *id, size_t len);
static void prompt_otlp_integer(prompt_buf_t *buf, const char *name, int64_t n);


char *
prompt_otlp_request(const prompt_otlp_resource_t *resource,
    const prompt_span_queue_t *queue, unsigned n, size_t *len)
{
    unsigned            i;
    prompt_buf_t        buf;
    prompt_attribute_t  attributes[3] = {
        { .name = "service.name", .kind = PROMPT_ATTRIBUTE_TEXT,
          .text = resource->service },
        { .name = "host.name", .kind = PROMPT_ATTRIBUTE_TEXT,
          .text = resource->host },
        { .name = "process.pid", .kind = PROMPT_ATTRIBUTE_INTEGER,
          .integer = resource->pid }
    };

    prompt_buf_init(&buf, SIZE_MAX);

    prompt_buf_literal(&buf, "{\"resourceSpans\":[{\"resource\":{");
    prompt_otlp_attributes(&buf, attributes, 3);
    prompt_buf_literal(&buf, "},\"scopeSpans\":[{\"scope\":{\"name\":"
                             "\"ngx_http_prompt_module\",\"version\":");
    prompt_json_write_string(&buf, prompt_str_from(resource->version));
    prompt_buf_literal(&buf, "},\"spans\":[");

    for (i = 0; i < n; i++) {
        if (i != 0) {
            prompt_buf_char(&buf, ',');
        }

        prompt_otlp_span(&buf, prompt_span_queue_at(queue, i));
    }

    prompt_buf_literal(&buf, "]}]}]}");
    *len = buf.len;
    prompt_buf_char(&buf, '\0');

    return (char *) prompt_buf_release(&buf).data;
}


/* "attributes": a list of {key, value} */
static void
prompt_otlp_attributes(prompt_buf_t *buf, const prompt_attribute_t *attributes,
    unsigned n)
{
    unsigned  i;

    prompt_buf_literal(buf, "\"attributes\":[");

    for (i = 0; i < n; i++) {
        prompt_buf_str(buf, i == 0 ? prompt_str("{\"key\":")
                                   : prompt_str(",{\"key\":"));
        prompt_json_write_string(buf, prompt_str_from(attributes[i].name));
        prompt_buf_literal(buf, ",\"value\":");
        prompt_otlp_value(buf, &attributes[i]);
        prompt_buf_char(buf, '}');
    }

    prompt_buf_char(buf, ']');
}


/* an AnyValue */
static void
prompt_otlp_value(prompt_buf_t *buf, const prompt_attribute_t *attribute)
{
    switch (attribute->kind) {

    case PROMPT_ATTRIBUTE_INTEGER:
        prompt_buf_char(buf, '{');
        prompt_otlp_integer(buf, "intValue", attribute->integer);
        prompt_buf_char(buf, '}');
        break;

    case PROMPT_ATTRIBUTE_NUMBER:
        prompt_otlp_number(buf, attribute->text);
        break;

    case PROMPT_ATTRIBUTE_TEXTS:
        prompt_otlp_texts(buf, attribute->text);
        break;

    default:
        prompt_otlp_text(buf, attribute->text);
    }
}


/* what no double can hold stays the text it is */
static void
prompt_otlp_number(prompt_buf_t *buf, prompt_str_t text)
{
    double         value;
    prompt_json_t  number;

    number.type = PROMPT_JSON_NUMBER;
    number.text = text;

    if (!prompt_json_double(&number, &value)) {
        prompt_otlp_text(buf, text);
        return;
    }

    prompt_buf_literal(buf, "{\"doubleValue\":");
    prompt_buf_str(buf, text);
    prompt_buf_char(buf, '}');
}


/* each ended by NUL */
static void
prompt_otlp_texts(prompt_buf_t *buf, prompt_str_t text)
{
    prompt_str_t  one;

    prompt_buf_literal(buf, "{\"arrayValue\":{\"values\":[");

    while (text.len != 0) {
        (void) prompt_scan_split(&text, '\0', &one);
        prompt_otlp_text(buf, one);

        if (text.len != 0) {
            prompt_buf_char(buf, ',');
        }
    }

    prompt_buf_literal(buf, "]}}");
}


static void
prompt_otlp_text(prompt_buf_t *buf, prompt_str_t text)
{
    prompt_buf_literal(buf, "{\"stringValue\":");
    prompt_otlp_string(buf, text);
    prompt_buf_char(buf, '}');
}


static void
prompt_otlp_span(prompt_buf_t *buf, const prompt_span_t *span)
{
    static const uint8_t  none[PROMPT_SPAN_ID_LEN];

    prompt_buf_char(buf, '{');
    prompt_otlp_id(buf, "traceId", span->trace_id, PROMPT_TRACE_ID_LEN);
    prompt_buf_char(buf, ',');
    prompt_otlp_id(buf, "spanId", span->span_id, PROMPT_SPAN_ID_LEN);
    prompt_buf_literal(buf, ",\"name\":");
    prompt_otlp_string(buf, span->name);
    prompt_buf_literal(buf, ",\"kind\":");
    prompt_buf_int(buf, (int) span->kind);

    prompt_buf_char(buf, ',');
    prompt_otlp_integer(buf, "startTimeUnixNano", span->start_ms * 1000000);
    prompt_buf_char(buf, ',');
    prompt_otlp_integer(buf, "endTimeUnixNano", span->end_ms * 1000000);
    prompt_buf_char(buf, ',');
    prompt_otlp_attributes(buf, span->attributes, span->nattributes);

    prompt_buf_literal(buf, ",\"status\":{");

    if (span->failed) {
        prompt_buf_literal(buf, "\"code\":2");         /* STATUS_CODE_ERROR */

        if (span->message.data != NULL) {
            prompt_buf_literal(buf, ",\"message\":");
            prompt_otlp_string(buf, span->message);
        }
    }

    prompt_buf_char(buf, '}');

    if (memcmp(span->parent_id, none, PROMPT_SPAN_ID_LEN) != 0) {
        prompt_buf_char(buf, ',');
        prompt_otlp_id(buf, "parentSpanId", span->parent_id,
                       PROMPT_SPAN_ID_LEN);
    }

    prompt_buf_char(buf, '}');
}


/* A path may be any bytes: of what is no UTF-8, ASCII is left. */
static void
prompt_otlp_string(prompt_buf_t *buf, prompt_str_t text)
{
    size_t  i;

    i = buf->len;
    prompt_json_write_string(buf, text);

    if (prompt_utf8_valid(text)) {
        return;
    }

    for ( /* void */ ; i < buf->len; i++) {
        if ((unsigned char) buf->data[i] >= 0x80) {
            buf->data[i] = '?';
        }
    }
}


/* a member; 16 bytes at most */
static void
prompt_otlp_id(prompt_buf_t *buf, const char *name, const uint8_t *id,
    size_t len)
{
    char  text[2 * PROMPT_TRACE_ID_LEN];

    (void) prompt_hex_write(text, id, len);
    prompt_buf_printf(buf, "\"%s\":\"%.*s\"", name, (int) (2 * len), text);
}


static void
prompt_otlp_integer(prompt_buf_t *buf, const char *name, int64_t n)
{
    prompt_buf_printf(buf, "\"%s\":\"%lld\"", name, (long long) n);
}


uint64_t
prompt_otlp_rejected(prompt_str_t answer, char *why, size_t size)
{
    size_t                i;
    int64_t               rejected;
    prompt_str_t          text;
    prompt_json_t        *root, *spans;
    prompt_arena_t       *arena;
    prompt_json_error_t   error;
    const prompt_json_t  *partial, *message;

    why[0] = '\0';
    rejected = 0;

    if (answer.len > PROMPT_OTLP_ANSWER) {
        return 0;
    }

    arena = prompt_arena_create(PROMPT_OTLP_MEMORY);
    if (arena == NULL) {
        return 0;
    }

    root = prompt_json_read_bounded(arena, answer, PROMPT_OTLP_DEPTH,
                                    PROMPT_OTLP_VALUES, &error);
    partial = prompt_json_get(root, prompt_str("partialSuccess"));
    spans = prompt_json_get(partial, prompt_str("rejectedSpans"));
    message = prompt_json_get(partial, prompt_str("errorMessage"));

    if (spans != NULL) {
        spans->type = spans->type == PROMPT_JSON_STRING ? PROMPT_JSON_NUMBER
                                                        : spans->type;
        (void) prompt_json_integer(spans, &rejected);
    }

    text = message != NULL && message->type == PROMPT_JSON_STRING
           ? message->text : prompt_str("");

    for (i = 0; i < text.len && i + 1 < size; i++) {
        why[i] = text.data[i] >= 0x20 && text.data[i] < 0x7f ? text.data[i]
                                                             : '?';
        why[i + 1] = '\0';
    }

    prompt_arena_destroy(arena);

    return rejected > 0 ? (uint64_t) rejected : 0;
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
