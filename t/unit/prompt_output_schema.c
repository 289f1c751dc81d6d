/*
 * Output schemas: what a model said, and what is wrong with it.
 */

#include "prompt/schema.h"

#include "failing_malloc.h"
#include "tap.h"


static prompt_arena_t  *arena;


/* errors: JSON of the list */
static void
validates(const char *schema, prompt_str_t output, const char *value,
    const char *errors)
{
    prompt_buf_t     list;
    prompt_output_t  out;

    if (!prompt_output_schema_validate(arena, prompt_str_from(schema), output,
                                       &out))
    {
        ok(false, "there is memory");
        return;
    }

    prompt_buf_init(&list, 65536);
    prompt_json_write(&list, out.errors);
    is_str(prompt_buf_view(&list), errors, errors);
    is_str(out.json, value, "and its value");
    prompt_buf_free(&list);
}

#define says(schema, output, value, errors)                                  \
    validates(schema, prompt_str(output), value, errors)


static void
test_outputs(void)
{
    says("{}", " {\"a\" : [1.0, \"\\u0041\"]}\n", "{\"a\":[1.0,\"A\"]}", "[]");
    says("{\"type\":\"object\"}", "5", "5",
         "[\"output must be of type object\"]");
    says("{}", "", NULL, "[\"output is not JSON\"]");
    says("{}", "```json\n{}\n```", NULL, "[\"output is not JSON\"]");
    says("{}", "{\"a\":1,\"a\":2}", NULL, "[\"output is not JSON\"]");
    says("{\"properties\":{\"input\":{\"type\":\"string\"},\"b\":"
         "{\"minimum\":3}},\"required\":[\"c\"]}", "{\"input\":1,\"b\":2}",
         "{\"input\":1,\"b\":2}",
         "[\"input must be of type string\",\"b must not be below 3\","
         "\"c is required\"]");
    says("{\"const\":\"x\"}", "\"\\ud800\\u0000\"",
         "\"\xef\xbf\xbd\xef\xbf\xbd\"",
         "[\"output must be the one allowed value\"]");
    says("{\"additionalProperties\":false}", "{\"\\u0000\":1}",
         "{\"\xef\xbf\xbd\":1}", "[\"\xef\xbf\xbd is not allowed\"]");
    says("not JSON", "1", NULL, "[\"output could not be validated\"]");
    says("{\"$ref\":\"#\"}", "1", NULL, "[\"output could not be validated\"]");
}


static char *
made(const char *unit, size_t count)
{
    char    *text;
    size_t   i, len;

    len = strlen(unit);
    text = malloc(len * count + 1);

    for (i = 0; text != NULL && i < count; i++) {
        memcpy(text + i * len, unit, len + 1);
    }

    return text;
}


/* what is bounded */
static void
test_bounds(void)
{
    char                 *text;
    size_t                bytes;
    prompt_output_t       out;
    const prompt_json_t  *error;

    text = made("[", 100);
    validates("{}", prompt_str_of(text, 100), NULL,
              "[\"output is nested too deeply\"]");
    free(text);

    text = made(",1", PROMPT_LIMIT_OUTPUT_VALUES + 1);
    text[0] = '[';
    validates("{}", prompt_str_of(text, 2 * PROMPT_LIMIT_OUTPUT_VALUES + 2),
              NULL, "[\"output is too large to be validated\"]");
    free(text);

    text = made("a", PROMPT_LIMIT_OUTPUT + 1);
    validates("{}", prompt_str_of(text, PROMPT_LIMIT_OUTPUT + 1), NULL,
              "[\"output is too large to be validated\"]");
    text[0] = text[PROMPT_LIMIT_OUTPUT - 1] = '"';
    ok(prompt_output_schema_validate(arena, prompt_str("{\"const\":\"x\"}"),
                                     prompt_str_of(text, PROMPT_LIMIT_OUTPUT),
                                     &out)
       && out.json.len == PROMPT_LIMIT_OUTPUT && out.errors->count == 1,
       "as large as one may be");
    free(text);

    ok(prompt_output_schema_validate(arena,
           prompt_str("{\"items\":{\"enum\":[\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                      "\",\"b\"]}}"),
           prompt_str("[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]"),
           &out), "many errors");
    bytes = 0;

    for (error = out.errors->first; error != NULL; error = error->next) {
        bytes += error->text.len;
    }

    ok(out.errors->count == PROMPT_LIMIT_OUTPUT_ERRORS
       && bytes <= PROMPT_LIMIT_OUTPUT_ERRORS * PROMPT_LIMIT_OUTPUT_ERROR,
       "are bounded, and so is each");
}


/* steps that would take long */
static void
test_steps(void)
{
    char             *items;
    unsigned          i;
    prompt_buf_t      schema;
    prompt_output_t   out;

    prompt_buf_init(&schema, 1024 * 1024);
    prompt_buf_literal(&schema, "{\"items\":{\"allOf\":[{}");

    for (i = 0; i < 1000; i++) {
        prompt_buf_literal(&schema, ",{\"type\":\"number\"}");
    }

    prompt_buf_literal(&schema, "]}}");
    prompt_buf_char(&schema, '\0');

    items = made(",1", 10001);
    items[0] = '[';
    items[20000] = ']';

    ok(prompt_output_schema_validate(arena, prompt_str_from(schema.data),
                                     prompt_str_of(items, 20001), &out)
       && out.errors->count == 1
       && prompt_str_eq(out.errors->first->text,
                        prompt_str("output is too large to be validated")),
       "steps are bounded");

    prompt_buf_free(&schema);
    free(items);
}


static void
test_schemas(void)
{
    prompt_json_t        *schema;
    prompt_fault_t        fault;
    prompt_json_error_t   error;

    schema = prompt_json_read(arena, prompt_str("{\"properties\":{\"a\":"
                              "{\"type\":\"text\"}}}"), 9, &error);
    is_int(prompt_schema_check(arena, schema, prompt_str("outputSchema"),
                               &fault),
           PROMPT_CHECK_FAULT, "a schema that is none");
    is_str(fault.field, "outputSchema.properties.a.type", "says where");

    schema = prompt_json_read(arena, prompt_str("{\"$ref\":\"#/x\"}"), 9,
                              &error);
    is_int(prompt_schema_check(arena, schema, prompt_str("outputSchema"),
                               &fault),
           PROMPT_CHECK_FAULT, "a reference to nothing");
    is_str(fault.message, "outputSchema has no schema at \"#/x\"",
           "and whose it is");

    schema = prompt_json_read(arena, prompt_str("[]"), 9, &error);
    is_int(prompt_schema_check(arena, schema, prompt_str("outputSchema"),
                               &fault),
           PROMPT_CHECK_FAULT, "no object");
    is_str(fault.field, "outputSchema", "says so");
}


/* whether memory was enough */
static bool
once(void)
{
    bool             done;
    prompt_arena_t  *own;
    prompt_output_t  out;

    own = prompt_arena_create(1024 * 1024);

    done = own != NULL
           && prompt_output_schema_validate(own,
                  prompt_str("{\"pattern\":\"a*\",\"type\":\"array\"}"),
                  prompt_str("\"\\u0000\""), &out)
           && out.json.data != NULL && out.errors->count == 1;

    prompt_arena_destroy(own);

    return done;
}


/* It is validated, or memory is short, and nothing is left. */
static void
test_memory(void)
{
    bool           done, leaks;
    unsigned long  at;

    ok(once(), "memory is enough");        /* arenas keep blocks for others */

    if (!failing_malloc_works()) {
        skip(2, "malloc is the sanitizer's");
        return;
    }

    done = leaks = false;

    for (at = 1; !done && at < 1000; at++) {
        failing_malloc_reset(at);
        done = once();
        leaks = leaks || failing_malloc_blocks != 0;
    }

    failing_malloc_reset(0);

    ok(done && at > 3, "short of it, that is said");
    ok(!leaks, "and nothing is leaked");
}


int
main(void)
{
    arena = prompt_arena_create(64 * 1024 * 1024);

    test_memory();
    test_outputs();
    test_bounds();
    test_steps();
    test_schemas();

    prompt_arena_destroy(arena);

    return done_testing();
}
