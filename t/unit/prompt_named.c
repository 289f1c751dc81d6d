/*
 * Names with a label or a number behind them, and strings of an input that are
 * read as JSON.
 */

#include "prompt/schema.h"
#include "prompt/named.h"

#include "tap.h"


static prompt_arena_t  *arena;


static void
is_named(const char *text, const char *name, const char *label,
    int32_t version)
{
    prompt_named_t  named;

    prompt_named(prompt_str_from(text), &named);

    ok(prompt_str_eq(named.name, prompt_str_from(name))
       && (label == NULL ? named.label.data == NULL
                         : prompt_str_eq(named.label, prompt_str_from(label)))
       && named.version == version, text);
}


static void
test_named(void)
{
    prompt_named_t  named;

    is_named("greet", "greet", NULL, 0);
    is_named("greet@", "greet", NULL, 0);
    is_named("", "", NULL, 0);
    is_named("@", "", NULL, 0);
    is_named("greet@production", "greet", "production", 0);
    is_named("greet@3", "greet", NULL, 3);
    is_named("greet@0003", "greet", NULL, 3);
    is_named("greet@3a", "greet", "3a", 0);
    is_named("a@b@c", "a@b", "c", 0);
    is_named("greet@0", "greet", NULL, INT32_MAX);
    is_named("greet@2147483647", "greet", NULL, INT32_MAX);
    is_named("greet@99999999999999999999999999", "greet", NULL, INT32_MAX);

    prompt_named(prompt_str("greet@3"), &named);
    ok(prompt_named_version(prompt_str("3"), &named), "twice the same number");
    ok(!prompt_named_version(prompt_str("4"), &named), "another number");
    ok(!prompt_named_version(prompt_str("x"), &named), "a label beside it");

    prompt_named(prompt_str("greet"), &named);
    ok(prompt_named_version(prompt_str("stable"), &named)
       && prompt_str_eq(named.label, prompt_str("stable")), "by itself");
    ok(prompt_named_version(prompt_str("stable"), &named), "and again");
    ok(!prompt_named_version(prompt_str("canary"), &named), "another label");
}


static void
is_set(const char *text, const char *want)
{
    prompt_buf_t     out;
    prompt_json_t   *variables;
    prompt_named_t   named;

    prompt_named(prompt_str_from(text), &named);
    variables = prompt_json_new(arena, PROMPT_JSON_OBJECT);

    prompt_buf_init(&out, 1024);

    if (ok(prompt_named_set(&named, arena, variables), text)) {
        prompt_json_write(&out, variables);
        is_str(prompt_buf_view(&out), want, want);
    }

    prompt_buf_free(&out);
}


static const prompt_json_t *
json(const char *text)
{
    prompt_json_error_t  error;

    return prompt_json_read(arena, prompt_str_from(text), 64, &error);
}


static void
is_read(const char *schema, const char *input, const char *want)
{
    prompt_buf_t          out;
    prompt_check_t        rc;
    prompt_fault_t        fault;
    const prompt_json_t  *read;

    read = NULL;
    rc = prompt_input_schema_read(arena, schema != NULL ? json(schema) : NULL,
                                  json(input), &read, &fault);

    prompt_buf_init(&out, 4096);

    if (rc == PROMPT_CHECK_OK) {
        prompt_json_write(&out, read);
    }

    is_str(prompt_buf_view(&out), want, input);

    prompt_buf_free(&out);
}


static void
test_read(void)
{
    size_t                i;
    prompt_buf_t          many;
    prompt_fault_t        fault;
    const prompt_json_t  *read;

    static const char  schema[] =
        "{\"properties\":{\"n\":{\"type\":\"number\"},"
        "\"i\":{\"type\":\"integer\"},\"b\":{\"type\":\"boolean\"},"
        "\"a\":{\"type\":\"array\"},\"o\":{\"type\":[\"object\",\"null\"]},"
        "\"s\":{\"type\":\"string\"},\"sn\":{\"type\":[\"string\",\"number\"]},"
        "\"any\":{}}}";

    is_read(schema, "{\"n\":\"1.5\",\"i\":\"7\",\"b\":\"true\"}",
            "{\"n\":1.5,\"i\":7,\"b\":true}");
    is_read(schema, "{\"a\":\"[1,2]\",\"o\":\"{\\\"x\\\":1}\"}",
            "{\"a\":[1,2],\"o\":{\"x\":1}}");
    is_read(schema, "{\"s\":\"1\",\"sn\":\"1\",\"any\":\"1\",\"other\":\"1\"}",
            "{\"s\":\"1\",\"sn\":\"1\",\"any\":\"1\",\"other\":\"1\"}");
    is_read(schema, "{\"n\":\"one\",\"b\":\"1\",\"a\":\"{}\",\"n2\":2}",
            "{\"n\":\"one\",\"b\":\"1\",\"a\":\"{}\",\"n2\":2}");
    is_read(schema, "{\"n\":3,\"a\":[\"1\"]}", "{\"n\":3,\"a\":[\"1\"]}");
    is_read(NULL, "{\"n\":\"1\"}", "{\"n\":\"1\"}");
    is_read("{\"type\":\"object\"}", "{\"n\":\"1\"}", "{\"n\":\"1\"}");
    is_read(schema, "[\"1\"]", "[\"1\"]");

    prompt_buf_init(&many, 64 * 1024);
    prompt_buf_char(&many, '{');

    for (i = 0; i <= PROMPT_LIMIT_VARIABLES; i++) {
        prompt_buf_printf(&many, "%s\"m%zu\":\"1\"", i != 0 ? "," : "", i);
    }

    prompt_buf_literal(&many, "}");
    prompt_buf_char(&many, '\0');

    is_int(prompt_input_schema_read(arena, json(schema), json(many.data),
                                    &read, &fault),
           PROMPT_CHECK_FAULT, "too many members");
    is_str(fault.field, "input", "of the input");

    prompt_buf_free(&many);

    /* of all its strings */

    prompt_buf_init(&many, 1024 * 1024);
    prompt_buf_literal(&many, "{\"a\":\"[");

    for (i = 0; i < PROMPT_LIMIT_INPUT_VALUES - 2; i++) {
        prompt_buf_literal(&many, "1,");
    }

    prompt_buf_literal(&many, "1]\",\"n\":\"2\"}");
    prompt_buf_char(&many, '\0');

    is_int(prompt_input_schema_read(arena, json(schema), json(many.data),
                                    &read, &fault),
           PROMPT_CHECK_FAULT, "too many values");
    is_str(fault.field, "input", "of the input");

    memcpy(many.data + many.len - sizeof("\"n\":\"2\"}"),
           "\"s\":\"2\"}", sizeof("\"s\":\"2\"}") - 1);

    is_int(prompt_input_schema_read(arena, json(schema), json(many.data),
                                    &read, &fault),
           PROMPT_CHECK_OK, "as many as there may be");

    prompt_buf_free(&many);
}


int
main(void)
{
    arena = prompt_arena_create(64 * 1024 * 1024);

    test_named();

    is_set("greet", "{\"promptId\":\"greet\"}");
    is_set("greet@2", "{\"promptId\":\"greet\",\"version\":2}");
    is_set("greet@x", "{\"promptId\":\"greet\",\"label\":\"x\"}");

    test_read();

    prompt_arena_destroy(arena);

    return done_testing();
}
