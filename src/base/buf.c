/*
 * Buffer: see buf.h.  One byte more than the capacity is allocated, so that
 * printf's NUL has its place also where the text ends at the limit.
 */

#include "base/buf.h"
#include "base/digits.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>


#define PROMPT_BUF_MIN    256

/* below that it grows four times at once: most answers are a few KB */
#define PROMPT_BUF_SMALL  (8 * 1024)


void
prompt_buf_init(prompt_buf_t *buf, size_t limit)
{
    buf->data = NULL;
    buf->len = 0;
    buf->cap = 0;
    buf->limit = limit < SIZE_MAX ? limit : SIZE_MAX - 1;
    buf->status = PROMPT_BUF_OK;
}


void
prompt_buf_free(prompt_buf_t *buf)
{
    free(buf->data);
    prompt_buf_init(buf, buf->limit);
}


prompt_str_t
prompt_buf_release(prompt_buf_t *buf)
{
    prompt_str_t  bytes;

    /* also what is empty has bytes to free, so that it is not absent */

    if (buf->status == PROMPT_BUF_OK && buf->data == NULL) {
        buf->data = malloc(1);
    }

    if (buf->status != PROMPT_BUF_OK || buf->data == NULL) {
        prompt_buf_free(buf);
        return prompt_str_absent;
    }

    bytes = prompt_str_of(buf->data, buf->len);
    prompt_buf_init(buf, buf->limit);

    return bytes;
}


bool
prompt_buf_reserve(prompt_buf_t *buf, size_t n)
{
    char    *data;
    size_t   cap, want, times;

    if (buf->status != PROMPT_BUF_OK) {
        return false;
    }

    if (n > buf->limit - buf->len) {
        buf->status = PROMPT_BUF_LIMIT;
        return false;
    }

    want = buf->len + n;

    if (want <= buf->cap && buf->data != NULL) {
        return true;
    }

    times = buf->cap < PROMPT_BUF_SMALL ? 4 : 2;
    cap = buf->cap < buf->limit / times ? buf->cap * times : buf->limit;

    if (cap < PROMPT_BUF_MIN) {
        cap = buf->limit < PROMPT_BUF_MIN ? buf->limit : PROMPT_BUF_MIN;
    }

    if (cap < want) {
        cap = want;
    }

    data = realloc(buf->data, cap + 1);
    if (data == NULL) {
        buf->status = PROMPT_BUF_NOMEM;
        return false;
    }

    buf->data = data;
    buf->cap = cap;

    return true;
}


void
prompt_buf_int(prompt_buf_t *buf, int64_t n)
{
    char      text[20], *p;
    uint64_t  rest;

    p = text + sizeof(text);
    rest = n < 0 ? - (uint64_t) n : (uint64_t) n;

    for (/* void */; rest >= 100; rest /= 100) {
        p -= 2;
        (void) prompt_decimal_write_pair(p, (unsigned) (rest % 100));
    }

    if (rest >= 10) {
        p -= 2;
        (void) prompt_decimal_write_pair(p, (unsigned) rest);

    } else {
        *--p = (char) ('0' + rest);
    }

    if (n < 0) {
        *--p = '-';
    }

    prompt_buf_append(buf, p, (size_t) (text + sizeof(text) - p));
}


void
prompt_buf_printf(prompt_buf_t *buf, const char *format, ...)
{
    int      n;
    va_list  args;

    va_start(args, format);
    n = vsnprintf(NULL, 0, format, args);
    va_end(args);

    if (n < 0) {
        if (buf->status == PROMPT_BUF_OK) {
            buf->status = PROMPT_BUF_NOMEM;
        }

        return;
    }

    if (!prompt_buf_reserve(buf, (size_t) n)) {
        return;
    }

    va_start(args, format);
    (void) vsnprintf(buf->data + buf->len, (size_t) n + 1, format, args);
    va_end(args);

    buf->len += (size_t) n;
}


void
prompt_buf_truncate(prompt_buf_t *buf, size_t len)
{
    if (len < buf->len) {
        buf->len = len;
    }
}
