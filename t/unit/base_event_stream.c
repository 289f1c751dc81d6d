/*
 * Event streams: the same events wherever the text is cut, and nothing takes
 * more memory than it may.
 */

#include "base/event_stream.h"

#include <stdlib.h>

#include "failing_malloc.h"
#include "tap.h"


/* what is read of text in pieces of size bytes, as name|data; each */
static void
events_of(prompt_buf_t *out, prompt_str_t text, size_t size, size_t limit)
{
    size_t                        at, n;
    const char                   *p, *end;
    prompt_event_stream_t         stream;
    prompt_event_stream_status_e  status;

    prompt_event_stream_init(&stream, limit);
    status = PROMPT_EVENT_STREAM_MORE;

    for (at = 0; at < text.len && status < PROMPT_EVENT_STREAM_LIMIT; at += n) {
        n = text.len - at < size ? text.len - at : size;
        p = text.data + at;
        end = p + n;

        while (p < end) {
            status = prompt_event_stream_read(&stream, &p, end);

            if (status != PROMPT_EVENT_STREAM_EVENT) {
                break;
            }

            prompt_buf_str(out, stream.name);
            prompt_buf_char(out, '|');
            prompt_buf_str(out, stream.data);
            prompt_buf_char(out, ';');
        }
    }

    if (status == PROMPT_EVENT_STREAM_LIMIT) {
        prompt_buf_literal(out, "limit");
    }

    if (status == PROMPT_EVENT_STREAM_NOMEM) {
        prompt_buf_literal(out, "nomem");
    }

    prompt_event_stream_free(&stream);
}


static void
is_events(prompt_str_t text, const char *want, size_t limit)
{
    bool          same;
    size_t        size;
    prompt_buf_t  whole, cut;

    prompt_buf_init(&whole, 1 << 20);
    events_of(&whole, text, text.len + 1, limit);
    is_str(prompt_buf_view(&whole), want, want);

    same = true;

    for (size = 1; size < 12; size++) {
        prompt_buf_init(&cut, 1 << 20);
        events_of(&cut, text, size, limit);
        same = same && prompt_str_eq(prompt_buf_view(&cut),
                                     prompt_buf_view(&whole));
        prompt_buf_free(&cut);
    }

    ok(same, "the same in pieces");
    prompt_buf_free(&whole);
}

#define events(text, want)  is_events(prompt_str(text), want, 1000)


static void
test_events(void)
{
    events("data: a\n\n", "|a;");
    events("data:a\n\ndata:  b\n\n", "|a;| b;");
    events("data: a\r\n\r\ndata: b\r\rdata: c\n\r\n", "|a;|b;|c;");
    events("data: a\ndata: b\ndata\ndata:\n\n", "|a\nb\n\n;");
    events("event: x\ndata: a\n\ndata: b\n\n", "x|a;|b;");
    events("event: x\nevent: yy\ndata: a\n\n", "yy|a;");
    events("event: lost\n\ndata: a\n\n", "|a;");
    events("data\n\n", "|;");
    events("data:\n\n", "|;");
    events(": ping\n\n:\n: data: no\ndata: a\n\n", "|a;");
    events("id: 7\nretry: 10\ndata: a\nunknown: b\ndatax: c\ndat: d\n"
           "eventful: e\n\n", "|a;");
    events("data: {\"a\":\"b: c\"}\n\n", "|{\"a\":\"b: c\"};");
    events("\xef\xbb\xbf" "data: a\n\n\xef\xbb\xbf" "data: b\n\n", "|a;");
    events("\xef\xbb" "data: a\ndata: b\n\n", "|b;");
    events("\n\n\r\n\rdata: a\n\n", "|a;");
    events("data: a\n", "");
    events("data: a", "");
    events("", "");
    events(" data: a\n\n", "");
    events("Data: a\n\n", "");
}


static void
test_limits(void)
{
    size_t        i;
    prompt_buf_t  text, out;

    is_events(prompt_str("data: 12345\n\ndata: 123456\n\n"), "|12345;limit",
              5);
    is_events(prompt_str("data: 12\ndata: 34\n\ndata: 12\ndata: 345\n\n"),
              "|12\n34;limit", 5);
    is_events(prompt_str("event: abc\ndata: 12\n\nevent: abc\ndata: 123\n\n"),
              "abc|12;limit", 5);
    is_events(prompt_str("data: 12345\ndata\nevent\n\n"), "limit", 5);

    /* what nobody needs may be of any length */

    prompt_buf_init(&text, 1 << 22);
    prompt_buf_char(&text, ':');

    for (i = 0; i < 300000; i++) {
        prompt_buf_literal(&text, "comment");
    }

    prompt_buf_literal(&text, "\nid: ");

    for (i = 0; i < 100000; i++) {
        prompt_buf_literal(&text, "id");
    }

    prompt_buf_literal(&text, "\ndata: a\n\n");

    prompt_buf_init(&out, 1000);
    events_of(&out, prompt_buf_view(&text), 4096, 5);
    is_str(prompt_buf_view(&out), "|a;", "long comments and ids");
    prompt_buf_free(&out);
    prompt_buf_free(&text);
}


static void
test_memory(void)
{
    prompt_buf_t  out;

    if (!failing_malloc_works()) {
        skip(1, "memory cannot be made to fail here");
        return;
    }

    prompt_buf_init(&out, 1000);
    prompt_buf_literal(&out, "-");

    failing_malloc_reset(1);
    events_of(&out, prompt_str("data: a\n\n"), 100, 1000);
    failing_malloc_reset(0);

    is_str(prompt_buf_view(&out), "-nomem", "memory is short");
    prompt_buf_free(&out);
}


int
main(void)
{
    test_events();
    test_limits();
    test_memory();

    return done_testing();
}
