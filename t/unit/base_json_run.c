/*
 * Strings of JSON are looked at by blocks: each byte in each place of them is
 * written and read as one byte at a time would do it.
 */

#include "base/digits.h"
#include "base/json.h"
#include "base/json_run.h"

#include <stdio.h>

#include "tap.h"


#define LEN  48


static bool
naive_ends(unsigned char c, bool high)
{
    return c < 0x20 || c == '"' || c == '\\' || (high && c >= 0x80);
}


/* each byte at each place of each length, behind one that may mislead it */
static void
test_runs(void)
{
    char      text[LEN];
    bool      right[2];
    size_t    len, at, want;
    unsigned  c, next;

    right[0] = right[1] = true;

    for (len = 1; len <= LEN; len++) {
        for (at = 0; at < len; at++) {
            for (c = 0; c < 256; c++) {
                memset(text, 'x', sizeof(text));
                text[at] = (char) c;

                /* where a borrow from the byte before would show */
                next = at % 2 ? 0x20 : '"' + 1;

                if (at + 1 < len) {
                    text[at + 1] = (char) next;
                }

                want = naive_ends((unsigned char) c, false) ? at : len;
                right[0] = right[0]
                           && prompt_json_run(text, len, PROMPT_JSON_ANY)
                              == want;

                want = naive_ends((unsigned char) c, true) ? at : len;
                right[1] = right[1]
                           && prompt_json_run(text, len, PROMPT_JSON_ASCII)
                              == want;
            }
        }
    }

    ok(right[0], "runs of any bytes end where they are to end");
    ok(right[1], "runs of ASCII end where they are to end");
    ok(prompt_json_run("", 0, PROMPT_JSON_ANY) == 0, "no byte");
}


/* what one byte at a time makes of text */
static size_t
naive_write(char *out, const char *text, size_t len)
{
    char    *p;
    size_t   i;

    static const char  escapes[] = "\bb\tt\nn\ff\rr\"\"\\\\";

    p = out;
    *p++ = '"';

    for (i = 0; i < len; i++) {
        const char  *e;

        for (e = escapes; *e != '\0' && *e != text[i]; e += 2) { /* void */ }

        if (*e != '\0') {
            *p++ = '\\';
            *p++ = e[1];

        } else if ((unsigned char) text[i] < 0x20) {
            p += sprintf(p, "\\u%04x", (unsigned) text[i]);

        } else {
            *p++ = text[i];
        }
    }

    *p++ = '"';

    return (size_t) (p - out);
}


/* what is written is what one byte at a time writes, and is read again */
static void
test_round(void)
{
    char                  text[200], want[1300];
    bool                  written, read;
    size_t                len, i, n;
    uint32_t              random;
    prompt_buf_t          buf;
    prompt_str_t          got;
    prompt_json_t        *value;
    prompt_arena_t       *arena;
    prompt_json_error_t   error;

    static const char  some[] = "\n\"\\\x01\x1f /ab~\x7f";

    written = read = true;
    random = 12345;
    arena = prompt_arena_create(64 * 1024 * 1024);

    for (i = 0; i < 20000; i++) {
        len = i % sizeof(text);

        for (n = 0; n < len; n++) {
            random = random * 1664525 + 1013904223;
            text[n] = (random >> 24) % 8 == 0
                      ? some[(random >> 16) % (sizeof(some) - 1)] : 'x';
        }

        prompt_buf_init(&buf, sizeof(want));
        prompt_json_write_string(&buf, prompt_str_of(text, len));
        got = prompt_buf_view(&buf);
        n = naive_write(want, text, len);

        written = written && prompt_str_eq(got, prompt_str_of(want, n));

        value = prompt_json_read(arena, got, 8, &error);
        read = read && value != NULL
               && prompt_str_eq(value->text, prompt_str_of(text, len));

        prompt_buf_free(&buf);
    }

    ok(written, "strings are written as one byte at a time is");
    ok(read, "and read again");

    prompt_arena_destroy(arena);
}


static void
test_digits(void)
{
    int          c, value;
    bool         right;
    char         text[8];
    uint8_t      byte;
    const char  *at;
    unsigned     n;

    static const char  digits[] = "0123456789abcdefABCDEF";

    right = true;

    for (c = -1; c < 300; c++) {
        at = c > 0 && c < 256 ? strchr(digits, c) : NULL;
        value = at == NULL ? -1 : (int) (at - digits);
        right = right
                && prompt_hex_digit(c) == (value > 15 ? value - 6 : value);
    }

    ok(right, "the value of each character as a digit");

    for (n = 0; n < 256; n++) {
        byte = (uint8_t) n;
        (void) sprintf(text, "%02x", n);
        at = text;
        right = right && prompt_hex_write(text + 3, &byte, 1) == text + 5
                && memcmp(text + 3, at, 2) == 0;
    }

    for (n = 0; n < 100; n++) {
        (void) sprintf(text, "%02u", n);
        right = right && prompt_decimal_write_pair(text + 3, n) == text + 5
                && memcmp(text + 3, text, 2) == 0;
    }

    ok(right, "pairs of digits");
}


int
main(void)
{
    test_runs();
    test_round();
    test_digits();

    return done_testing();
}
