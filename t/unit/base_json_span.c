/*
 * Spans: values of a JSON text as they stand there.
 */

#include "base/json_span.h"
#include "tap.h"


static void
test_members(void)
{
    const prompt_str_t  text = prompt_str(
        " { \"a\" : [1, {\"b\":2}] ,\"b\":\"x\\\"y\", \"c\":null,\"b\":3 } ");

    is_str(prompt_json_span(text, "a"), "[1, {\"b\":2}]", "a value as it is");
    is_str(prompt_json_span(prompt_str("{\"a\":1,\"b\":\"x\\\"\"}"), "b"),
           "\"x\\\"\"", "a string, with its quotes");
    is_str(prompt_json_span(prompt_str("{\"b\":1,\"b\":2}"), "b"), "1",
           "the first of its name");
    ok(prompt_json_span(prompt_str("{\"a\":{\"b\":1}}"), "b").data == NULL,
       "not what is further down");
    ok(prompt_json_span(prompt_str("{}"), "b").data == NULL, "none");
    ok(prompt_json_span(prompt_str("[\"b\"]"), "b").data == NULL, "an array");
    ok(prompt_json_span(prompt_str(""), "b").data == NULL, "nothing");
    ok(prompt_json_span(prompt_str_absent, "b").data == NULL, "absent");
    ok(prompt_json_span(prompt_str("{\"a\":1"), "b").data == NULL, "half");
    ok(prompt_json_span(prompt_str("{\"a\":1 2,\"b\":1}"), "b").data == NULL,
       "none behind what is no JSON");
    ok(prompt_json_span(prompt_str("{\"b\":tru}"), "b").data == NULL,
       "nor that itself");
}


static void
test_walk(void)
{
    unsigned            n;
    prompt_str_t        name, value;
    prompt_json_scan_t  scan;

    prompt_json_span_begin(&scan, prompt_str("[1,[2,3],{\"a\":4}]"));

    for (n = 0; prompt_json_span_next(&scan, NULL, &value); n++) { /* void */ }

    is_int(n, 3, "elements");
    is_str(value, "{\"a\":4}", "the last");
    is_int(scan.depth, 0, "at the end");

    prompt_json_span_begin(&scan, prompt_str("{\"a\\u0041\":[]}"));
    ok(prompt_json_span_next(&scan, &name, &value), "a member");
    is_str(name, "a\\u0041", "whose name is as it is written");
    is_str(value, "[]", "its value");
    ok(!prompt_json_span_next(&scan, &name, &value), "no more");
    ok(!prompt_json_span_next(&scan, &name, &value), "nor then");

    prompt_json_span_begin(&scan, prompt_str("{\"a\":1}"));
    ok(!prompt_json_span_next(&scan, NULL, &value), "an object has none");
    prompt_json_span_begin(&scan, prompt_str("[1]"));
    ok(!prompt_json_span_next(&scan, &name, &value), "an array no members");
    prompt_json_span_begin(&scan, prompt_str("7"));
    ok(!prompt_json_span_next(&scan, NULL, &value), "a number neither");
    prompt_json_span_begin(&scan, prompt_str_absent);
    ok(!prompt_json_span_next(&scan, NULL, &value), "nor nothing");
}


static void
test_words(void)
{
    prompt_buf_t  buf;

    ok(prompt_json_span_is(prompt_str("\"a\""), "\"a\""), "it is this");
    ok(!prompt_json_span_is(prompt_str_absent, "null"), "absent is not null");
    ok(prompt_json_span_set(prompt_str("0")), "a value");
    ok(!prompt_json_span_set(prompt_str("null")), "null is none");
    ok(!prompt_json_span_set(prompt_str_absent), "nor what is absent");

    is_str(prompt_json_span_inner(prompt_str("\"a\"")), "a", "within quotes");
    ok(prompt_json_span_inner(prompt_str("\"\"")).data != NULL, "empty");
    ok(prompt_json_span_inner(prompt_str("12")).data == NULL, "no string");
    ok(prompt_json_span_inner(prompt_str("\"")).data == NULL, "a quote");

    prompt_buf_init(&buf, 100);
    prompt_json_span_comma(&buf);
    prompt_buf_literal(&buf, "[");
    prompt_json_span_comma(&buf);
    prompt_buf_literal(&buf, "{");
    prompt_json_span_comma(&buf);
    prompt_buf_literal(&buf, "}");
    prompt_json_span_comma(&buf);
    is_str(prompt_buf_view(&buf), "[{},", "commas");
    prompt_buf_free(&buf);
}


static void
test_match(void)
{
    prompt_str_t        values[128];
    prompt_json_scan_t  scan;

    memset(values, 0, sizeof(values));
    values['n'] = prompt_str("x");
    prompt_json_scan_init(&scan, prompt_str("{\"a\":\"x$y\",\"b\":null,"
                                            "\"c\":[{\"d\":[]},2]}"), 8);

    ok(prompt_json_span_match(&scan, "{\"a\":$a,", values), "the beginning");
    is_str(values['a'], "\"x$y\"", "its value");
    ok(!prompt_json_span_match(&scan, "\"b\":$b,\"C\":", values), "another");
    ok(prompt_json_span_match(&scan, "\"b\":$n,\"c\":$c", values),
       "where the other one was tried");
    ok(values['n'].data == NULL, "null is absent");
    is_str(values['c'], "[{\"d\":[]},2]", "a container");
    ok(!prompt_json_span_match(&scan, "}]", values), "more than there is");
    ok(prompt_json_span_match(&scan, "}", values), "the end");
    ok(!prompt_json_span_match(&scan, "$a", values), "no value there");

    prompt_json_scan_init(&scan, prompt_str("{\"a\":tru}"), 8);
    ok(!prompt_json_span_match(&scan, "{\"a\":$a}", values), "no JSON");
    prompt_json_scan_init(&scan, prompt_str("[[[1]]]"), 2);
    ok(!prompt_json_span_match(&scan, "$a", values), "too deep");
    prompt_json_scan_init(&scan, prompt_str_absent, 8);
    ok(!prompt_json_span_match(&scan, "{", values), "nothing");
}


int
main(void)
{
    test_members();
    test_walk();
    test_match();
    test_words();

    return done_testing();
}
