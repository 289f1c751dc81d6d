/*
 * JSON: what is read comes back as it was; what is none is refused with its
 * place; nothing hostile costs more than its length.
 */

#include "base/json_members.h"

#include <stdlib.h>
#include <time.h>

#include "failing_malloc.h"
#include "json_depth.h"
#include "tap.h"


#define ARENA  (64 * 1024 * 1024)


static prompt_json_error_t  error;


/* text, read and written again; the status' number where it is refused */
static void
is_read(prompt_str_t text, const char *want, const char *name)
{
    prompt_buf_t     buf;
    prompt_json_t   *value;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(ARENA);
    prompt_buf_init(&buf, 1 << 20);

    value = prompt_json_read(arena, text, 64, &error);

    if (value == NULL) {
        prompt_buf_printf(&buf, "%d at %zu", error.status, error.offset);

    } else {
        prompt_json_write(&buf, value);
    }

    is_str(prompt_buf_view(&buf), want, name);

    prompt_buf_free(&buf);
    prompt_arena_destroy(arena);
}

#define reads(text, want, name)  is_read(prompt_str(text), want, name)
#define same(text)               reads(text, text, "same: " text)


static void
test_values(void)
{
    same("null");
    same("true");
    same("false");
    same("0");
    same("-0");
    same("0.1");
    same("1E+2");
    same("-12.50e-3");
    same("123456789012345678901234567890");
    same("\"\"");
    same("\"a/b\"");
    same("[]");
    same("{}");
    same("[1,\"2\",[3],{\"b\":1,\"a\":2}]");
    reads(" { \"a\" :\t[ 1 ,\r\n2 ] } ", "{\"a\":[1,2]}", "white space");
    reads("\"\\u0041\\/\\b\\f\\n\\r\\t\\\\\\\"\"",
          "\"A/\\b\\f\\n\\r\\t\\\\\\\"\"", "escapes");
    reads("\"\\ud83d\\ude42 \xf0\x9f\x99\x82 \\u00e9\"",
          "\"\xf0\x9f\x99\x82 \xf0\x9f\x99\x82 \xc3\xa9\"", "beyond the BMP");
    reads("\"\\u0000\\u001F\x7f\"", "\"\\u0000\\u001f\x7f\"", "controls");
    reads("{\"\\u0061\":1}", "{\"a\":1}", "an escaped name");
}


static void
test_refused(void)
{
    reads("", "1 at 0", "nothing");
    reads("  ", "1 at 2", "white space alone");
    reads("nul", "1 at 0", "a part of a word");
    reads("nullx", "1 at 4", "more than a word");
    reads("01", "1 at 1", "leading zero");
    reads("-", "1 at 1", "minus alone");
    reads("+1", "1 at 0", "plus");
    reads("1.", "1 at 2", "point without digits");
    reads(".5", "1 at 0", "no digit before the point");
    reads("1e", "1 at 2", "exponent without digits");
    reads("1e+", "1 at 3", "exponent with a sign alone");
    reads("0x10", "1 at 1", "hexadecimal");
    reads("NaN", "1 at 0", "NaN");
    reads("[1,]", "1 at 3", "comma before ]");
    reads("[,1]", "1 at 1", "comma after [");
    reads("[1 2]", "1 at 3", "no comma");
    reads("[1", "1 at 2", "unclosed array");
    reads("[1}", "1 at 2", "closed by the other bracket");
    reads("{\"a\":1,}", "1 at 7", "comma before }");
    reads("{\"a\"}", "1 at 4", "no colon");
    reads("{a:1}", "1 at 1", "a name without quotes");
    reads("{1:1}", "1 at 1", "a number for a name");
    reads("{\"a\":}", "1 at 5", "no value");
    reads("'a'", "1 at 0", "apostrophes");
    reads("\"a", "1 at 2", "unterminated string");
    reads("\"\\", "1 at 1", "ends in an escape");
    reads("\"\\x\"", "1 at 1", "no such escape");
    reads("\"\\u12g4\"", "1 at 1", "bad hexadecimal digits");
    reads("\"\\u12", "1 at 1", "too few of them");
    reads("\"a\nb\"", "1 at 2", "a raw line end in a string");
    reads("\"a\0b\"", "1 at 2", "a raw NUL in a string");
    reads("\"\xff\"", "1 at 1", "no UTF-8");
    reads("\"\xed\xa0\x80\"", "1 at 1", "a surrogate in UTF-8");
    reads("\"\xc0\x80\"", "1 at 1", "an overlong form");
    reads("\"\xe2\x82\"", "1 at 1", "cut off");
    reads("\xef\xbb\xbf" "1", "1 at 0", "a byte order mark");
    reads("1 /* c */", "1 at 2", "a comment");
    reads("\"\\ud800\"", "4 at 1", "a high surrogate alone");
    reads("\"x\\udc00\"", "4 at 2", "a low one");
    reads("\"\\ud800\\u0041\"", "4 at 1", "a high one before a letter");
    reads("\"\\ud800\\ud800\"", "4 at 1", "two high ones");
    reads("{\"\\udfff\":1}", "4 at 2", "in a name");
    is_read(prompt_str_absent, "1 at 0", "an absent text");
}


static void
test_depth(void)
{
    char             text[200];
    char            *big;
    size_t           n;
    prompt_arena_t  *arena;
    prompt_json_t   *value;

    arena = prompt_arena_create(ARENA);

    memset(text, '[', 100);
    memset(text + 64, ']', 64);
    value = prompt_json_read(arena, prompt_str_of(text, 128), 64, &error);
    ok(value != NULL, "64 levels");
    is_int(value != NULL ? prompt_json_depth(value) : 0, 64, "as deep");

    memset(text, '[', 65);
    memset(text + 65, ']', 65);
    value = prompt_json_read(arena, prompt_str_of(text, 130), 64, &error);
    ok(value == NULL, "65 levels");
    is_int(error.status, PROMPT_JSON_DEPTH, "are too deep");
    is_int(error.offset, 64, "there");

    value = prompt_json_read(arena, prompt_str("1"), 0, &error);
    ok(value != NULL && prompt_json_depth(value) == 0, "a scalar is flat");
    value = prompt_json_read(arena, prompt_str("[]"), 0, &error);
    ok(value == NULL, "[] is not");

    n = 1000000;
    big = malloc(2 * n);
    memset(big, '[', n);
    memset(big + n, ']', n);
    value = prompt_json_read(arena, prompt_str_of(big, 2 * n), 64, &error);
    is_int(error.status, PROMPT_JSON_DEPTH, "a million brackets");
    value = prompt_json_read(arena, prompt_str_of(big, 2 * n), ~0u, &error);
    ok(value == NULL && error.status == PROMPT_JSON_DEPTH,
       "whatever limit is asked for");
    free(big);

    prompt_arena_destroy(arena);
}


static void
test_bounded(void)
{
    prompt_arena_t  *arena;
    prompt_json_t   *value;

    arena = prompt_arena_create(ARENA);

    value = prompt_json_read_bounded(arena, prompt_str("[{\"a\":1},2]"), 64, 4,
                                     &error);
    ok(value != NULL, "four values where four may be");

    value = prompt_json_read_bounded(arena, prompt_str("[{\"a\":1},2,3]"), 64,
                                     4, &error);
    ok(value == NULL && error.status == PROMPT_JSON_VALUES
       && error.offset == 11, "five are refused, at the fifth");

    prompt_arena_destroy(arena);
}


static void
test_duplicates_unhashed(void)
{
    size_t                       i;
    prompt_json_t                values[100];
    prompt_json_member_t         members[100];
    const prompt_json_member_t  *found;

    static const char  names[] = "abcdefghijklmnopqrstuvwxyz0123456789"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.,;:#+*!";

    memset(values, 0, sizeof(values));

    for (i = 0; i < 100; i++) {
        values[i].name = prompt_str_of(names + i % 70 % 65, 1 + i / 70);
        members[i].value = &values[i];
        members[i].offset = i * 7;
        members[i].hash = prompt_str_hash_seeded(values[i].name, i % 3);
    }

    if (failing_malloc_works()) {
        failing_malloc_reset(1);
        found = prompt_json_members_twice(members, 100);
        failing_malloc_reset(0);

        ok(found != NULL && found->offset == 65 * 7,
           "the first of several, with no memory for a table");
    }

    for (i = 0; i < 100; i++) {
        values[i].name = prompt_str_of(names, i);
        members[i].value = &values[i];
        members[i].offset = i;
        members[i].hash = 1;
    }

    ok(prompt_json_members_twice(members, 66) == NULL,
       "none, where all hashes are equal");

    values[60].name = prompt_str("");
    values[61].name = prompt_str("a");
    found = prompt_json_members_twice(members, 66);
    ok(found != NULL && found->value == &values[60], "the first of several");
}


static void
test_duplicates(void)
{
    char              name[32];
    clock_t           start;
    unsigned          i;
    prompt_buf_t      buf;
    prompt_arena_t   *arena;
    prompt_json_t    *value;

    reads("{\"a\":1,\"a\":2}", "3 at 7", "twice the same name");
    reads("{\"a\":1,\"\\u0061\":2}", "3 at 7", "once escaped");
    reads("{\"\":1,\"\":2}", "3 at 6", "empty names");
    reads("[{\"a\":1},{\"a\":1}]", "[{\"a\":1},{\"a\":1}]",
          "in two objects it is none");
    reads("{\"a\":{\"a\":1},\"b\":{\"a\":{\"a\":0}}}",
          "{\"a\":{\"a\":1},\"b\":{\"a\":{\"a\":0}}}", "nor in nested ones");
    reads("{\"a\":1,\"b\":{\"c\":1,\"c\":1},\"a\":2}", "3 at 18",
          "the inner object ends first");
    reads("{\"q\":1,\"w\":2,\"e\":3,\"r\":4,\"t\":5,\"z\":6,\"u\":7,\"i\":8,"
          "\"o\":9,\"p\":0,\"a\":1,\"s\":2,\"d\":3,\"s\":4,\"q\":5,\"q\":6}",
          "3 at 79", "the first of several, in an object of many");

    arena = prompt_arena_create(ARENA);
    prompt_buf_init(&buf, ARENA);
    prompt_buf_char(&buf, '{');

    for (i = 0; i < 200000; i++) {
        (void) snprintf(name, sizeof(name), "\"%u\":0,",
                        (unsigned) (i * 2654435761u));
        prompt_buf_str(&buf, prompt_str_from(name));
    }

    prompt_buf_literal(&buf, "\"last\":0}");

    start = clock();
    value = prompt_json_read(arena, prompt_buf_view(&buf), 64, &error);
    ok(value != NULL && value->count == 200001, "200,001 members");
    ok(within(start, 5), "in no quadratic time");

    prompt_buf_truncate(&buf, buf.len - 1);
    prompt_buf_literal(&buf, ",\"0\":1}");
    value = prompt_json_read(arena, prompt_buf_view(&buf), 64, &error);
    ok(value == NULL && error.status == PROMPT_JSON_DUPLICATE
       && error.offset == buf.len - 6, "and one twice");

    prompt_buf_free(&buf);
    prompt_arena_destroy(arena);
}


static void
test_arena_limits(void)
{
    bool             sound;
    size_t           limit;
    prompt_json_t   *value;
    prompt_arena_t  *arena;
    prompt_str_t     text;

    text = prompt_str("{\"a\\n\":[1,2,\"x\\ty\",{\"b\":null}],\"c\":\"d\"}");
    sound = true;
    value = NULL;

    for (limit = 0; limit < 3000; limit += 8) {
        arena = prompt_arena_create(limit);
        value = prompt_json_read(arena, text, 64, &error);
        sound = sound && ((value == NULL)
                          == (error.status == PROMPT_JSON_NOMEM))
                && (value != NULL || prompt_arena_exhausted(arena));
        sound = sound
                && (value == NULL || prompt_json_copy(arena, value) != NULL
                    || prompt_arena_exhausted(arena));
        prompt_arena_destroy(arena);
    }

    ok(sound, "short of memory at every allocation in turn");
    ok(value != NULL, "and enough in the end");
}


static void
test_access(void)
{
    prompt_json_t   *value, *copy, *array;
    prompt_buf_t     buf;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(ARENA);
    value = prompt_json_read(arena, prompt_str("{\"a\":[10,\"x\"],\"b\":true}"),
                             64, &error);

    ok(prompt_json_get(value, prompt_str("b"))->boolean, "get");
    ok(prompt_json_get(value, prompt_str("c")) == NULL, "get: not there");
    ok(prompt_json_get(NULL, prompt_str("c")) == NULL, "get: of nothing");

    array = prompt_json_get(value, prompt_str("a"));
    ok(prompt_json_get(array, prompt_str("a")) == NULL, "get: of an array");
    is_str(prompt_json_at(array, 1)->text, "x", "at");
    ok(prompt_json_at(array, 2) == NULL, "at: not there");
    ok(prompt_json_at(value, 0) == NULL, "at: of an object");
    is_str(array->name, "a", "a member knows its name");

    copy = prompt_json_copy(arena, value);
    prompt_json_append(prompt_json_get(copy, prompt_str("a")),
                       prompt_json_new_integer(arena, INT64_MIN));
    prompt_json_set(copy, prompt_str("s"),
                    prompt_json_new_string(arena, prompt_str("t")));
    prompt_json_set(copy, prompt_str("f"),
                    prompt_json_new(arena, PROMPT_JSON_BOOLEAN));
    prompt_json_set(copy, prompt_str("o"),
                    prompt_json_new(arena, PROMPT_JSON_OBJECT));

    prompt_buf_init(&buf, 1000);
    prompt_json_write(&buf, copy);
    is_str(prompt_buf_view(&buf),
           "{\"a\":[10,\"x\",-9223372036854775808],\"b\":true,\"s\":\"t\","
           "\"f\":false,\"o\":{}}", "a copy, and what was built onto it");
    is_int(array->count, 2, "leaves the original alone");
    prompt_buf_free(&buf);

    value = prompt_json_read(arena, prompt_str("[1,{\"a\":\"x\\u0000\"}]"), 64,
                             &error);
    is_str(prompt_json_find_nul(value)->name, "a", "NUL in a value");
    value = prompt_json_read(arena, prompt_str("[1,{\"a\\u0000\":2}]"), 64,
                             &error);
    is_str(prompt_json_find_nul(value)->text, "2", "NUL in a name");
    value = prompt_json_read(arena, prompt_str("[1,{\"a\":\"\"}]"), 64,
                             &error);
    ok(prompt_json_find_nul(value) == NULL, "no NUL");

    prompt_arena_destroy(arena);
}


static void
is_equal(const char *a, const char *b, bool want, const char *name)
{
    prompt_json_t   *x, *y;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(ARENA);
    x = prompt_json_read(arena, prompt_str_from(a), 64, &error);
    y = prompt_json_read(arena, prompt_str_from(b), 64, &error);
    ok(x != NULL && y != NULL && prompt_json_equal(x, y) == want
       && prompt_json_equal(y, x) == want, name);
    prompt_arena_destroy(arena);
}


static void
test_equal(void)
{
    is_equal("null", "null", true, "null");
    is_equal("null", "false", false, "null is not false");
    is_equal("0", "false", false, "0 is not false");
    is_equal("1", "1.0", true, "1 and 1.0");
    is_equal("100", "1e2", true, "100 and 1e2");
    is_equal("0", "-0.0e5", true, "0 and -0");
    is_equal("1", "-1", false, "1 and -1");
    is_equal("0.1", "0.10000000000000000000000000001", false,
             "a difference no double has");
    is_equal("12345678901234567890123", "12345678901234567890124", false,
             "large integers");
    is_equal("12345678901234567890123", "12345678901234567890123.000", true,
             "large integers with zeros");
    is_equal("\"1\"", "1", false, "a string is no number");
    is_equal("[1,2]", "[2,1]", false, "arrays have an order");
    is_equal("[1,2]", "[1,2,3]", false, "and a length");
    is_equal("{\"a\":1,\"b\":[2]}", "{\"b\":[2.0],\"a\":1}", true,
             "objects have no order");
    is_equal("{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false, "names");
    is_equal("{\"a\":1}", "{\"a\":2}", false, "values");
}


static prompt_json_t
number(const char *text)
{
    prompt_json_t  value;

    memset(&value, 0, sizeof(value));
    value.type = PROMPT_JSON_NUMBER;
    value.text = prompt_str_from(text);

    return value;
}


static void
is_integer(const char *text, bool integer, int64_t want)
{
    int64_t        n;
    prompt_json_t  value;

    n = 0;
    value = number(text);

    ok(prompt_json_integer(&value, &n) == integer && (!integer || n == want),
       text);
}


static void
is_double(const char *text, const char *want)
{
    double         d;
    prompt_buf_t   buf;
    prompt_json_t  value;

    d = 0;
    value = number(text);
    prompt_buf_init(&buf, 100);

    if (prompt_json_double(&value, &d)) {
        prompt_json_write_double(&buf, d);

    } else {
        prompt_buf_literal(&buf, "infinite");
    }

    is_str(prompt_buf_view(&buf), want, text);
    prompt_buf_free(&buf);
}


static void
is_exact(const char *text, bool want)
{
    prompt_json_t  value;

    value = number(text);
    ok(prompt_json_number_exact(&value) == want, text);
}


static void
test_numbers(void)
{
    char           text[2000];
    bool           round_trip;
    double         d, back;
    uint64_t       seed, bits;
    unsigned       i;
    prompt_buf_t   buf;
    prompt_json_t  value;

    is_integer("0", true, 0);
    is_integer("-0", true, 0);
    is_integer("0e99999999999999999999", true, 0);
    is_integer("9223372036854775807", true, INT64_MAX);
    is_integer("9223372036854775808", false, 0);
    is_integer("-9223372036854775808", true, INT64_MIN);
    is_integer("-9223372036854775809", false, 0);
    is_integer("18446744073709551616", false, 0);
    is_integer("99999999999999999999", false, 0);
    is_integer("1.0", true, 1);
    is_integer("1e2", true, 100);
    is_integer("1.5e1", true, 15);
    is_integer("1500e-2", true, 15);
    is_integer("1.5", false, 0);
    is_integer("15e-2", false, 0);
    is_integer("1e18", true, 1000000000000000000);
    is_integer("1e19", false, 0);
    is_integer("1e999999999999999999999", false, 0);
    is_integer("1e-999999999999999999999", false, 0);
    is_integer("0.0000001e7", true, 1);
    is_integer("1000000000000000000000000e-20", true, 10000);

    is_double("0", "0");
    is_double("-0", "-0");
    is_double("0.1", "0.1");
    is_double("100", "100");
    is_double("1e2", "100");
    is_double("123.456", "123.456");
    is_double("-1.5e-3", "-0.0015");
    is_double("1e-7", "0.0000001");
    is_double("1e-8", "1e-8");
    is_double("1e20", "100000000000000000000");
    is_double("1e21", "1e21");
    is_double("1.25e21", "1.25e21");
    is_double("0.1000000000000000055511151231257827", "0.1");
    is_double("0.30000000000000004", "0.30000000000000004");
    is_double("9007199254740993", "9007199254740992");
    is_double("1.7976931348623157e308", "1.7976931348623157e308");
    is_double("1.8e308", "infinite");
    is_double("1e400", "infinite");
    is_double("-1e99999999999", "infinite");
    is_double("5e-324", "5e-324");
    is_double("1e-400", "0");

    /* the middle between two doubles, and a last digit that lifts it */

    memset(text, '0', sizeof(text));
    memcpy(text, "9007199254740993.", 17);
    text[1500] = '\0';
    is_double(text, "9007199254740992");
    text[1499] = '1';
    is_double(text, "9007199254740994");

    is_exact("9223372036854775807", true);
    is_exact("9223372036854775808", false);
    is_exact("-9223372036854775808", true);
    is_exact("9223372036854775808.0", true);
    is_exact("0.1", true);
    is_exact("1e308", true);
    is_exact("1e309", false);
    is_exact("1e-400", false);
    is_exact("0e-400", true);
    is_exact("0.0", true);
    is_exact("-0", true);

    round_trip = true;
    seed = 1;
    prompt_buf_init(&buf, 100);

    for (i = 0; i < 20000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        bits = seed ^ seed >> 29;
        memcpy(&d, &bits, sizeof(d));

        prompt_buf_truncate(&buf, 0);
        prompt_json_write_double(&buf, d);

        if (prompt_str_eq(prompt_buf_view(&buf), prompt_str("null"))) {
            continue;
        }

        value.type = PROMPT_JSON_NUMBER;
        value.text = prompt_buf_view(&buf);
        round_trip = round_trip && prompt_json_double(&value, &back)
                     && memcmp(&back, &d, sizeof(d)) == 0;
    }

    prompt_buf_free(&buf);
    ok(round_trip, "20,000 doubles written and read again");
}


static void
test_position(void)
{
    unsigned  line, column;

    prompt_json_position(prompt_str("a\nb\r\n\xc3\xa9\xf0\x9f\x99\x82x"), 11,
                         &line, &column);
    is_int(line, 3, "line");
    is_int(column, 3, "column in characters");

    prompt_json_position(prompt_str("abc"), 99, &line, &column);
    is_int(column, 4, "never beyond the end");

    prompt_json_position(prompt_str_absent, 0, &line, &column);
    ok(line == 1 && column == 1, "of nothing");
}


static void
test_writer_limit(void)
{
    bool             sound;
    size_t           limit;
    prompt_buf_t     buf;
    prompt_json_t   *value;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(ARENA);
    value = prompt_json_read(arena, prompt_str("[{\"a\":\"\\u0001\"},-1.5]"),
                             64, &error);
    sound = true;

    for (limit = 0; limit <= 30; limit++) {
        prompt_buf_init(&buf, limit);
        prompt_json_write(&buf, value);
        sound = sound && (buf.status == PROMPT_BUF_OK) == (limit >= 21);
        prompt_buf_free(&buf);
    }

    ok(sound, "written whole or not at all");
    prompt_arena_destroy(arena);
}


int
main(void)
{
    test_values();
    test_refused();
    test_depth();
    test_bounded();
    test_duplicates();
    test_duplicates_unhashed();
    test_arena_limits();
    test_access();
    test_equal();
    test_numbers();
    test_position();
    test_writer_limit();

    return done_testing();
}
