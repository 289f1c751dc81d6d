/*
 * JSON of promptctl: what comes in goes out, numbers above all.
 */

#include "ctl/json.h"

#include "tap.h"


/* NULL where it is no JSON; freed by nobody */
static const char *
written(const char *text, bool indented)
{
    json_t        *value;
    json_error_t   error;
    prompt_buf_t   buf;

    value = ctl_json_read(prompt_str_from(text), &error);
    if (value == NULL) {
        return NULL;
    }

    prompt_buf_init(&buf, CTL_JSON_MAX);
    ctl_json_write(&buf, value, indented);
    prompt_buf_char(&buf, '\0');
    json_decref(value);

    return buf.data;
}


static void
test_kept(void)
{
    size_t       i;
    const char  *text;

    static const char *const  kept[] = {
        "0", "-0", "0.10", "1e2", "-1.5E-3", "0.1", "1.0", "true", "null",
        "12345678901234567890123", "9223372036854775807",
        "-9223372036854775808", "18446744073709551615",
        "0.000000000000000000000000000000000000001",
        "[1,2.50,[],{},\"\",\"3\"]", "{\"b\":1,\"a\":{\"c\":0.70}}",
        "\"\\u0000\"", "\"\\u00005\"", "\"\\u0000\\u00005\"",
        "\"\\u001f\\u000b\\n\\\"\\\\u001F/\"", "{\"1\":\"2\",\"x\\\"3\":4}",
        "\"\xc3\xa9\xf0\x9f\x98\x80\x7f\""
    };

    for (i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
        text = written(kept[i], false);
        ok(text != NULL && strcmp(text, kept[i]) == 0, kept[i]);
        free((char *) text);
    }

    text = written(" {\"a\" : [1.0, {}],\n\"b\": []} ", true);
    ok(text != NULL && strcmp(text, "{\n  \"a\": [\n    1.0,\n    {}\n  ],\n"
                                    "  \"b\": []\n}") == 0, "indented");
    free((char *) text);
}


static void
test_refused(void)
{
    size_t         i;
    json_error_t   error;

    static const char *const  refused[] = {
        "", "[", "01", "1.", "-", ".5", "1e", "+1", "0x1", "1-2", "[1 2]",
        "[1.2.3]", "nul", "\"", "\"\\u00", "\"\\ud800\"", "\"\xff\"", "{1:2}",
        "{\"a\":1,\"a\":2}", "1 1", "[1]]"
    };

    for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        ok(written(refused[i], false) == NULL, refused[i]);
    }

    ok(ctl_json_read(prompt_str("{\n \"a\": 12, }"), &error) == NULL
       && error.line == 2 && error.column == 11, "where");
}


static void
test_values(void)
{
    json_t        *value;
    json_error_t   error;
    prompt_buf_t   buf;

    value = ctl_json_read(prompt_str("{\"n\": 9223372036854775807, \"f\": 1.5,"
                                     " \"t\": \"7\", \"z\": \"\\u00007\","
                                     " \"l\": []}"), &error);

    ok(ctl_integer(value, "n") == INT64_MAX, "64 bits");
    is_int(ctl_integer(value, "f"), 0, "no integer");
    is_int(ctl_integer(value, "t"), 0, "a text is none");
    is_int(ctl_integer(NULL, "n"), 0, "nothing");
    ok(prompt_str_eq(ctl_text(value, "t"), prompt_str("7")), "a text");
    ok(ctl_text(value, "n").data == NULL, "a number is none");
    ok(prompt_str_eq(ctl_number_of(json_object_get(value, "f")),
                     prompt_str("1.5")), "a number's text");
    ok(ctl_number_of(json_object_get(value, "z")).data == NULL,
       "a text is no number");
    ok(ctl_list(value, "l") != NULL && ctl_list(value, "t") == NULL, "a list");

    json_decref(value);

    prompt_buf_init(&buf, CTL_JSON_MAX);
    value = ctl_json_text(prompt_str("\0" "5"));
    ctl_json_write(&buf, value, false);
    ok(prompt_str_eq(prompt_buf_view(&buf), prompt_str("\"\\u00005\"")),
       "a text that begins with U+0000 is no number");
    prompt_buf_free(&buf);
    json_decref(value);
}


int
main(void)
{
    test_kept();
    test_refused();
    test_values();

    return done_testing();
}
