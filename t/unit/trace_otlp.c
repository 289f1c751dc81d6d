/*
 * Spans in their queue, what is sent of them, and what is done about answers.
 */

#include "trace/otlp.h"

#include <stdlib.h>

#include "tap.h"


static void
test_queue(void)
{
    unsigned             i;
    char                *text;
    prompt_span_t        span;
    prompt_span_queue_t  queue;

    ok(prompt_span_queue_init(&queue, 3), "a queue of three");

    memset(&span, 0, sizeof(span));
    span.name = prompt_str("one");
    prompt_span_text(&span, "a", prompt_str_absent);
    is_int(span.nattributes, 0, "what is absent is no attribute");

    for (i = 0; i < 3; i++) {
        span.start_ms = i;
        ok(prompt_span_queue_put(&queue, &span), "put");
    }

    ok(!prompt_span_queue_put(&queue, &span), "it is full");
    prompt_span_queue_drop(&queue, 2);
    span.start_ms = 3;
    ok(prompt_span_queue_put(&queue, &span), "and round");
    is_int(queue.count, 2, "two");
    is_int(prompt_span_queue_at(&queue, 0)->start_ms, 2, "the third");
    is_int(prompt_span_queue_at(&queue, 1)->start_ms, 3, "the fourth");
    is_str(prompt_span_queue_at(&queue, 1)->name, "one", "with its name");
    is_int(prompt_span_queue_fit(&queue, 9, 1), 1, "one fits always");
    is_int(prompt_span_queue_fit(&queue, 9, 1024 * 1024), 2, "both");
    is_int(prompt_span_queue_fit(&queue, 1, 1024 * 1024), 1, "at most");
    prompt_span_queue_drop(&queue, 9);
    ok(queue.count == 0 && queue.bytes == 0, "empty");
    prompt_span_queue_free(&queue);

    ok(prompt_span_queue_init(&queue, 10000), "a queue of many");
    text = calloc(1, 64 * 1024);
    memset(&span, 0, sizeof(span));
    prompt_span_whole(&span, "c", PROMPT_ATTRIBUTE_TEXT,
                      prompt_str_of(text, 64 * 1024));

    for (i = 0; prompt_span_queue_put(&queue, &span); i++) {
        /* void */
    }

    ok(i > 250 && i < 256 && queue.bytes <= PROMPT_SPAN_QUEUE_BYTES,
       "bounded in bytes, too");
    prompt_span_queue_free(&queue);
    ok(!prompt_span_queue_put(&queue, &span), "nothing goes into none");
    free(text);

    for (i = 0; i < PROMPT_SPAN_ATTRIBUTES + 3; i++) {
        prompt_span_integer(&span, "i", i);
    }

    is_int(span.nattributes, PROMPT_SPAN_ATTRIBUTES, "so many attributes");
}


static void
test_cut(void)
{
    is_str(prompt_span_cut(prompt_str("abc"), 3), "abc", "it fits");
    is_str(prompt_span_cut(prompt_str("abcd"), 3), "abc", "cut");
    is_str(prompt_span_cut(prompt_str("ab\xc3\xa4"), 3), "ab",
           "not within a character");
    is_str(prompt_span_cut(prompt_str("\xf0\x9f\x98\x80"), 3), "",
           "nor at its beginning");
    ok(prompt_span_cut(prompt_str_absent, 3).data == NULL, "absent");
}


static void
test_request(void)
{
    char                    *text;
    size_t                   len;
    prompt_span_t            span;
    prompt_span_queue_t      queue;
    prompt_otlp_resource_t   resource;

    resource.service = prompt_str("prompt");
    resource.host = prompt_str("host");
    resource.pid = 7;
    resource.version = "1";

    ok(prompt_span_queue_init(&queue, 4), "a queue");

    memset(&span, 0, sizeof(span));
    memset(span.trace_id, 0xab, sizeof(span.trace_id));
    memset(span.span_id, 0x01, sizeof(span.span_id));
    span.kind = PROMPT_SPAN_SERVER;
    span.start_ms = 1700000000123;
    span.end_ms = 1700000000124;
    span.name = prompt_str("query me");
    prompt_span_text(&span, "p", prompt_str("/\xff\xc3"));
    prompt_span_integer(&span, "i", -5);
    prompt_span_number(&span, "n", prompt_str("0.000165"));
    prompt_span_whole(&span, "l", PROMPT_ATTRIBUTE_TEXTS,
                      prompt_str_of("a\0b\0", 4));
    ok(prompt_span_queue_put(&queue, &span), "put");

    memset(&span, 0, sizeof(span));
    memset(span.parent_id, 0x02, sizeof(span.parent_id));
    span.kind = PROMPT_SPAN_CLIENT;
    span.name = prompt_str("chat \"m\"");
    span.failed = true;
    span.message = prompt_str("no");
    prompt_span_number(&span, "n", prompt_str("1e999"));
    ok(prompt_span_queue_put(&queue, &span), "put");

    text = prompt_otlp_request(&resource, &queue, 2, &len);
    is_str(prompt_str_from(text),
        "{\"resourceSpans\":[{\"resource\":{\"attributes\":["
        "{\"key\":\"service.name\",\"value\":{\"stringValue\":\"prompt\"}},"
        "{\"key\":\"host.name\",\"value\":{\"stringValue\":\"host\"}},"
        "{\"key\":\"process.pid\",\"value\":{\"intValue\":\"7\"}}]},"
        "\"scopeSpans\":[{\"scope\":{\"name\":\"ngx_http_prompt_module\","
        "\"version\":\"1\"},\"spans\":["
        "{\"traceId\":\"abababababababababababababababab\","
        "\"spanId\":\"0101010101010101\",\"name\":\"query me\",\"kind\":2,"
        "\"startTimeUnixNano\":\"1700000000123000000\","
        "\"endTimeUnixNano\":\"1700000000124000000\",\"attributes\":["
        "{\"key\":\"p\",\"value\":{\"stringValue\":\"/??\"}},"
        "{\"key\":\"i\",\"value\":{\"intValue\":\"-5\"}},"
        "{\"key\":\"n\",\"value\":{\"doubleValue\":0.000165}},"
        "{\"key\":\"l\",\"value\":{\"arrayValue\":{\"values\":["
        "{\"stringValue\":\"a\"},{\"stringValue\":\"b\"}]}}}],"
        "\"status\":{}},"
        "{\"traceId\":\"00000000000000000000000000000000\","
        "\"spanId\":\"0000000000000000\",\"name\":\"chat \\\"m\\\"\","
        "\"kind\":3,\"startTimeUnixNano\":\"0\",\"endTimeUnixNano\":\"0\","
        "\"attributes\":[{\"key\":\"n\",\"value\":{\"stringValue\":"
        "\"1e999\"}}],\"status\":{\"code\":2,\"message\":\"no\"},"
        "\"parentSpanId\":\"0202020202020202\"}]}]}]}",
        "what is sent");
    ok(text != NULL && len == strlen(text), "its length");
    is_int(queue.count, 2, "they stay");

    free(text);
    prompt_span_queue_free(&queue);
}


static void
test_answer(void)
{
    char      why[16];
    unsigned  i, delay;

    is_int(prompt_otlp_rejected(prompt_str("{}"), why, sizeof(why)), 0,
           "all were taken");
    is_int(prompt_otlp_rejected(prompt_str("{\"partialSuccess\":{\"rejectedSpan"
               "s\":\"5\",\"errorMessage\":\"too\\nlate, all of them\"}}"),
               why, sizeof(why)),
           5, "five were not");
    is_str(prompt_str_from(why), "too?late, all o", "why, in short");
    is_int(prompt_otlp_rejected(prompt_str("{\"partialSuccess\":{\"rejectedSpan"
                                           "s\":2}}"), why, sizeof(why)),
           2, "as a number");
    is_str(prompt_str_from(why), "", "it does not say why");

    {
        static const char  *bad[] = {
            "", "x", "[", "[]", "null", "{\"partialSuccess\":1}",
            "{\"partialSuccess\":{\"rejectedSpans\":-1}}",
            "{\"partialSuccess\":{\"rejectedSpans\":[]}}"
        };

        for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
            is_int(prompt_otlp_rejected(prompt_str_from(bad[i]), why,
                                        sizeof(why)), 0, bad[i]);
        }
    }

    ok(prompt_otlp_may_retry(429) && prompt_otlp_may_retry(502)
       && prompt_otlp_may_retry(503) && prompt_otlp_may_retry(504),
       "again");
    ok(!prompt_otlp_may_retry(400) && !prompt_otlp_may_retry(500)
       && !prompt_otlp_may_retry(404) && !prompt_otlp_may_retry(307)
       && !prompt_otlp_may_retry(200), "not again");

    is_int(prompt_otlp_delay(3, 7, 1), 7000, "as the collector wishes");
    is_int(prompt_otlp_delay(3, 1000000, 1), 300000, "but not for ever");

    for (i = 0; i < 40; i++) {
        delay = i < 6 ? 1000U << i : 60000;

        if (prompt_otlp_delay(i, 0, 0) != delay - delay / 5
            || prompt_otlp_delay(i, -1, 2 * (delay / 5)) != delay + delay / 5)
        {
            break;
        }
    }

    is_int(i, 40, "doubling, a minute at most, by chance a fifth off");
}


int
main(void)
{
    test_queue();
    test_cut();
    test_request();
    test_answer();

    return done_testing();
}
