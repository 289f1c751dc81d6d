/*
 * The buffer: growth, the limit to the byte, sticky failure.
 */

#include "base/buf.h"

#include <stdlib.h>

#include "tap.h"


static void
test_growth(void)
{
    size_t        i;
    prompt_buf_t  buf;

    prompt_buf_init(&buf, 1 << 20);
    is_str(prompt_buf_view(&buf), "", "empty at birth");

    for (i = 0; i < 100000; i++) {
        prompt_buf_char(&buf, (char) ('a' + i % 26));
    }

    is_int(buf.len, 100000, "100,000 characters");
    is_int(buf.data[77777], 'a' + 77777 % 26, "in their places");

    prompt_buf_truncate(&buf, 3);
    prompt_buf_truncate(&buf, 9);
    is_str(prompt_buf_view(&buf), "abc", "truncated, never beyond");

    prompt_buf_literal(&buf, "-");
    prompt_buf_int(&buf, 0);
    prompt_buf_char(&buf, ' ');
    prompt_buf_int(&buf, INT64_MIN);
    prompt_buf_char(&buf, ' ');
    prompt_buf_int(&buf, INT64_MAX);
    prompt_buf_str(&buf, prompt_str_absent);
    prompt_buf_printf(&buf, " %s", "end");
    is_str(prompt_buf_view(&buf),
           "abc-0 -9223372036854775808 9223372036854775807 end", "appends");

    prompt_buf_free(&buf);
    is_str(prompt_buf_view(&buf), "", "empty after free");
    prompt_buf_str(&buf, prompt_str("again"));
    is_str(prompt_buf_view(&buf), "again", "and usable again");
    prompt_buf_free(&buf);
}


static void
test_limit(void)
{
    prompt_buf_t  buf;

    prompt_buf_init(&buf, 5);
    prompt_buf_printf(&buf, "%s", "12345");
    is_str(prompt_buf_view(&buf), "12345", "printf up to the limit");
    is_int(buf.status, PROMPT_BUF_OK, "is no failure");

    prompt_buf_char(&buf, '6');
    is_int(buf.status, PROMPT_BUF_LIMIT, "one more is");
    prompt_buf_truncate(&buf, 0);
    prompt_buf_char(&buf, '1');
    is_int(buf.len, 0, "failure is sticky");
    is_int(buf.status, PROMPT_BUF_LIMIT, "and keeps its cause");
    is_str(prompt_buf_release(&buf), NULL, "nothing to release");

    is_int(buf.status, PROMPT_BUF_OK, "released: as at birth");
    prompt_buf_append(&buf, "123456", 6);
    is_int(buf.len, 0, "never a half append");
    prompt_buf_free(&buf);

    prompt_buf_init(&buf, 0);
    prompt_buf_str(&buf, prompt_str(""));
    is_int(buf.status, PROMPT_BUF_OK, "nothing fits into nothing");
    prompt_buf_char(&buf, 'x');
    is_int(buf.status, PROMPT_BUF_LIMIT, "something does not");
    prompt_buf_free(&buf);

    prompt_buf_init(&buf, SIZE_MAX);
    ok(!prompt_buf_reserve(&buf, SIZE_MAX), "no wrap at SIZE_MAX");
    prompt_buf_free(&buf);
}


static void
test_release(void)
{
    prompt_buf_t  buf;
    prompt_str_t  bytes;

    prompt_buf_init(&buf, 100);

    bytes = prompt_buf_release(&buf);
    is_str(bytes, "", "release of the empty buffer is not absent");
    free((void *) bytes.data);

    prompt_buf_literal(&buf, "bytes");
    bytes = prompt_buf_release(&buf);
    is_str(bytes, "bytes", "release");
    is_int(buf.len, 0, "empty afterwards");
    free((void *) bytes.data);
}


int
main(void)
{
    test_growth();
    test_limit();
    test_release();

    return done_testing();
}
