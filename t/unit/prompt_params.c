/*
 * Params, and text and JSON values as they may be stored.
 */

#include "prompt/params.h"
#include "prompt/text.h"

#include "tap.h"


static prompt_arena_t  *arena;


static prompt_json_t *
json(const char *text)
{
    prompt_json_t        *value;
    prompt_json_error_t   error;

    value = prompt_json_read(arena, prompt_str_from(text), 200, &error);

    if (value == NULL) {
        diag("%s: %s", text, error.message);
        value = prompt_json_new(arena, PROMPT_JSON_NULL);
    }

    return value;
}


/* field == NULL: accepted */
static void
params(const char *text, const char *field)
{
    prompt_check_t  rc;
    prompt_fault_t  fault;

    fault.field = prompt_str_absent;
    rc = prompt_params_check(arena, json(text), &fault);

    is_str(fault.field, field, text);

    if ((rc == PROMPT_CHECK_OK) != (field == NULL)) {
        ok(false, "result and field");
    }
}


/* what a provider gets of params by that choice */
static void
choice(const char *text, unsigned n, const char *want)
{
    prompt_buf_t          buf;
    const prompt_json_t  *value;

    value = prompt_params_choice(arena, json(text), n);

    if (value == NULL) {
        ok(false, want);
        return;
    }

    prompt_buf_init(&buf, 4096);
    prompt_json_write(&buf, value);
    is_str(prompt_buf_view(&buf), want, want);
    prompt_buf_free(&buf);
}


static void
test_choices(void)
{
    const char  *text;

    text = "{\"model\":\"a\",\"top_p\":1,\"fallbacks\":[{\"model\":\"b\"},"
           "{\"seed\":7,\"top_p\":0.5,\"model\":\"c\"}],\"stop\":[\"x\"]}";

    ok(prompt_params_fallbacks(json(text)) == 2, "two fallbacks");
    ok(prompt_params_fallbacks(json("{}")) == 0, "none");
    ok(prompt_params_fallbacks(json("{\"fallbacks\":[]}")) == 0, "none");

    choice("{\"model\":\"a\"}", 0, "{\"model\":\"a\"}");
    choice("{\"fallbacks\":[]}", 0, "{}");
    choice(text, 0, "{\"model\":\"a\",\"top_p\":1,\"stop\":[\"x\"]}");
    choice(text, 1, "{\"top_p\":1,\"stop\":[\"x\"],\"model\":\"b\"}");
    choice(text, 2, "{\"stop\":[\"x\"],\"seed\":7,\"top_p\":0.5,"
                    "\"model\":\"c\"}");
    choice("{\"model\":\"a\",\"stop\":\"x\",\"seed\":null,\"fallbacks\":"
           "[{\"stop\":null,\"model\":\"a\"}]}", 1,
           "{\"model\":\"a\"}");
    choice("{\"seed\":null,\"stop\":\"x\"}", 0, "{\"stop\":\"x\"}");
    choice("{\"seed\":1,\"fallbacks\":null}", 0, "{\"seed\":1}");
}


/* members on both sides, of which each fallback has some */
static void
test_many_members(void)
{
    unsigned              i;
    prompt_buf_t          buf;
    prompt_json_t        *params, *fallback;
    const prompt_json_t  *merged;

    params = json("{\"model\":\"a\",\"fallbacks\":[{\"model\":\"b\"}]}");
    fallback = params->last->first;

    for (i = 0; i < 5000; i++) {
        prompt_json_set(params, prompt_arena_printf(arena, "m%u", i),
                        prompt_json_new_integer(arena, 1));

        if (i % 2 == 0) {
            prompt_json_set(fallback, prompt_arena_printf(arena, "m%u", i),
                            prompt_json_new_integer(arena, 2));
        }
    }

    merged = prompt_params_choice(arena, params, 1);

    if (merged == NULL) {
        ok(false, "5,000 members");
        return;
    }

    is_int(merged->count, 5001, "each once");
    prompt_buf_init(&buf, 100000);
    prompt_json_write(&buf, prompt_json_get(merged, prompt_str("m4998")));
    prompt_json_write(&buf, prompt_json_get(merged, prompt_str("m4999")));
    is_str(prompt_buf_view(&buf), "21", "the fallback's where it has one");
    prompt_buf_free(&buf);
}


static void
test_params(void)
{
    params("{}", NULL);
    params("{\"model\":\"gpt-4o-mini\",\"temperature\":0.7,"
           "\"max_tokens\":100}", NULL);
    params("{\"temperature\":0}", NULL);
    params("{\"temperature\":2.0}", NULL);
    params("{\"temperature\":2e0,\"max_tokens\":1.0}", NULL);
    params("{\"top_p\":\"whatever\",\"stop\":[1],\"seed\":null}", NULL);
    params("{\"max_completion_tokens\":5,\"response_format\":{}}", NULL);

    params("[]", "params");
    params("null", "params");
    params("{\"model\":1}", "params.model");
    params("{\"model\":null}", "params.model");
    params("{\"model\":\"\"}", "params.model");
    params("{\"temperature\":\"1\"}", "params.temperature");
    params("{\"temperature\":2.0000000000000000001}", "params.temperature");
    params("{\"temperature\":-0.1}", "params.temperature");
    params("{\"temperature\":null,\"max_tokens\":null,\"fallbacks\":null}",
           NULL);
    params("{\"fallbacks\":[{\"model\":\"b\",\"temperature\":null}]}", NULL);
    params("{\"stream\":null}", "params.stream");
    params("{\"max_tokens\":0}", "params.max_tokens");
    params("{\"max_tokens\":-5}", "params.max_tokens");
    params("{\"max_tokens\":1.5}", "params.max_tokens");
    params("{\"max_tokens\":\"5\"}", "params.max_tokens");
    params("{\"max_tokens\":true}", "params.max_tokens");
    params("{\"max_tokens\":99999999999999999999}", "params.max_tokens");
    params("{\"messages\":[]}", "params.messages");
    params("{\"prompt\":\"x\"}", "params.prompt");
    params("{\"input\":\"x\"}", "params.input");
    params("{\"stream\":false}", "params.stream");
    params("{\"n\":1}", "params.n");

    params("{\"fallbacks\":[]}", NULL);
    params("{\"model\":\"a\",\"fallbacks\":[{\"model\":\"b\"},"
           "{\"model\":\"c\",\"temperature\":2,\"top_p\":\"x\"},"
           "{\"model\":\"d\"},{\"model\":\"e\"}]}", NULL);
    params("{\"fallbacks\":[{\"model\":null}]}", "params.fallbacks.0.model");
    params("{\"fallbacks\":{}}", "params.fallbacks");
    params("{\"fallbacks\":\"b\"}", "params.fallbacks");
    params("{\"fallbacks\":[{\"model\":\"1\"},{\"model\":\"2\"},"
           "{\"model\":\"3\"},{\"model\":\"4\"},{\"model\":\"5\"}]}",
           "params.fallbacks");
    params("{\"fallbacks\":[\"b\"]}", "params.fallbacks.0");
    params("{\"fallbacks\":[{}]}", "params.fallbacks.0.model");
    params("{\"fallbacks\":[{\"model\":\"b\"},{\"model\":1}]}",
           "params.fallbacks.1.model");
    params("{\"fallbacks\":[{\"model\":\"b\",\"temperature\":3}]}",
           "params.fallbacks.0.temperature");
    params("{\"fallbacks\":[{\"model\":\"b\",\"max_tokens\":0}]}",
           "params.fallbacks.0.max_tokens");
    params("{\"fallbacks\":[{\"model\":\"b\",\"messages\":[]}]}",
           "params.fallbacks.0.messages");
    params("{\"fallbacks\":[{\"model\":\"b\",\"stream\":true}]}",
           "params.fallbacks.0.stream");
    params("{\"fallbacks\":[{\"model\":\"b\",\"fallbacks\":[]}]}",
           "params.fallbacks.0.fallbacks");
    params("{\"stream\":true,\"model\":1}", "params.stream");

    is_str(prompt_params_model(json("{\"model\":\"m\"}")), "m", "model");
    is_str(prompt_params_model(json("{}")), NULL, "no model");
    is_str(prompt_params_model(json("{\"model\":1}")), NULL, "not a string");
}


/* field == NULL: accepted */
static void
value(const char *text, const char *field)
{
    prompt_str_t    out;
    prompt_fault_t  fault;

    fault.field = prompt_str_absent;
    out = prompt_str_absent;

    if (prompt_text_json(arena, json(text), prompt_str("params"), 40, &out,
                         &fault)
        == PROMPT_CHECK_OK)
    {
        is_str(out, text, text);
        return;
    }

    is_str(fault.field, field, text);
}


static void
test_json(void)
{
    char    deep[200], field[200];
    size_t  i;

    value("{\"a\":[1,0.1,\"x\"],\"b\":null}", NULL);
    value("{\"a\":[1,2,99999999999999999999]}", "params.a.2");
    value("{\"a\":{\"b\":1e400}}", "params.a.b");
    value("{\"a\":\"x\\u0000\"}", "params.a");
    value("{\"a\\u0000\":1}", "params");
    value("\"0123456789012345678901234567890123456789\"", "params");
    value("1e999", "params");

    memset(deep, '[', 65);
    memset(deep + 65, ']', 65);
    deep[130] = '\0';

    memcpy(field, "params", 7);

    for (i = 0; i < 64; i++) {
        memcpy(field + 6 + 2 * i, ".0", 3);
    }

    value(deep, field);
}


static void
test_text(void)
{
    prompt_fault_t  fault;

    is_int(prompt_text_bytes(arena, prompt_str("abcd"), prompt_str("content"),
                             4, &fault), PROMPT_CHECK_OK, "4 bytes");
    is_int(prompt_text_bytes(arena, prompt_str("abcde"), prompt_str("content"),
                             4, &fault), PROMPT_CHECK_FAULT, "5 bytes");
    is_str(fault.message, "content must not be longer than 4 bytes",
           "says why");
    is_int(prompt_text_characters(arena, prompt_str("\xc3\xa4\xc3\xb6"),
                                  prompt_str("description"), 2, &fault),
           PROMPT_CHECK_OK, "2 characters");
    is_int(prompt_text_characters(arena, prompt_str("\xc3\xa4\xc3\xb6x"),
                                  prompt_str("description"), 2, &fault),
           PROMPT_CHECK_FAULT, "3 characters");
    is_int(prompt_text_bytes(arena, prompt_str("a\0b"), prompt_str("content"),
                             4, &fault), PROMPT_CHECK_FAULT, "U+0000");
    is_str(fault.message, "content must not contain U+0000", "says why");
    is_int(prompt_text_bytes(arena, prompt_str("a\xff" "b"),
                             prompt_str("content"), 4, &fault),
           PROMPT_CHECK_FAULT, "no UTF-8");
    is_int(prompt_text_bytes(arena, prompt_str(""), prompt_str("content"),
                             4, &fault), PROMPT_CHECK_OK, "empty");
}


/* message == NULL: accepted */
static void
label(prompt_str_t text, const char *message)
{
    prompt_check_t  rc;
    prompt_fault_t  fault;

    fault.message = prompt_str_absent;
    rc = prompt_text_label(arena, text, prompt_str("name"), 8, &fault);

    is_str(fault.message, message, message != NULL ? message : text.data);

    if ((rc == PROMPT_CHECK_OK) != (message == NULL)) {
        ok(false, "result and message");
    }
}


static void
test_labels(void)
{
    label(prompt_str("a"), NULL);
    label(prompt_str(" a b "), NULL);
    label(prompt_str("\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb"), NULL);
    label(prompt_str("12345678"), NULL);
    label(prompt_str("123456789"),
          "name must not be longer than 8 characters");

    label(prompt_str(""), "name must not be empty or blank");
    label(prompt_str("   "), "name must not be empty or blank");
    label(prompt_str("\xc2\xa0\xe3\x80\x80"),
          "name must not be empty or blank");
    label(prompt_str("\xe2\x80\x8b\xef\xbb\xbf"),
          "name must not be empty or blank");

    label(prompt_str("a\0b"), "name must not contain U+0000");
    label(prompt_str("a\nb"),
          "name must not contain the control character U+000A");
    label(prompt_str("\t"),
          "name must not contain the control character U+0009");
    label(prompt_str("a\033[2J"),
          "name must not contain the control character U+001B");
    label(prompt_str("\x7f"),
          "name must not contain the control character U+007F");
    label(prompt_str("a\xc2\x85"),
          "name must not contain the control character U+0085");
    label(prompt_str("a\xe2\x80\xa8"),
          "name must not contain the control character U+2028");
    label(prompt_str("\xe2\x80\xae" "a"),
          "name must not contain the control character U+202E");
    label(prompt_str("\xff"), "name must be valid UTF-8");
}


static void
test_faults(void)
{
    char             text[3000];
    prompt_str_t     shown;
    prompt_fault_t   fault;
    prompt_arena_t  *small;

    memset(text, 'x', sizeof(text));
    text[0] = '\0';
    memcpy(text + 998, "\xf0\x9f\x99\x82", 4);
    text[0] = 'y';
    text[2999] = '\0';

    is_int(prompt_fault_set(arena, &fault, prompt_str("f"), "%s", text),
           PROMPT_CHECK_FAULT, "a long message");
    is_int(fault.message.len, 998, "is cut between characters");

    shown = prompt_fault_excerpt(arena, prompt_str_of(text, 65));
    is_int(shown.len, 64 + 3, "an excerpt of 64 characters");
    shown = prompt_fault_excerpt(arena, prompt_str_of(text, 64));
    is_int(shown.len, 64, "what is short is shown whole");

    small = prompt_arena_create(64);
    is_int(prompt_fault_set(small, &fault, prompt_str("f"), "%s", text),
           PROMPT_CHECK_NOMEM, "no memory for the message");
    prompt_arena_destroy(small);
}


static void
test_taken(void)
{
    ok(prompt_params_taken(prompt_str("model")), "the service sets model");
    ok(prompt_params_taken(prompt_str("messages")), "and messages");
    ok(!prompt_params_taken(prompt_str("max_tokens")), "not max_tokens");
    ok(!prompt_params_taken(prompt_str("max_completion_tokens")),
       "nor what it does not know");
}


int
main(void)
{
    arena = prompt_arena_create(4 * 1024 * 1024);

    test_params();
    test_choices();
    test_many_members();
    test_taken();
    test_json();
    test_text();
    test_labels();
    test_faults();

    prompt_arena_destroy(arena);

    return done_testing();
}
