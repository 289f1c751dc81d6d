/*
 * Templates: what is well-formed, where errors are, what is rendered.
 */

#include "prompt/template.h"

#include <stdlib.h>
#include <time.h>

#include "tap.h"


static prompt_arena_t  *arena;


static prompt_json_t *
json(const char *text)
{
    prompt_json_t        *value;
    prompt_json_error_t   error;

    if (text == NULL) {
        return NULL;
    }

    value = prompt_json_read(arena, prompt_str_from(text), 200, &error);

    if (value == NULL) {
        diag("%s: %s", text, error.message);
        value = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    }

    return value;
}


/* a template alone */
static prompt_check_t
rendered(prompt_str_t content, const prompt_json_t *input,
    const prompt_json_t *schema, prompt_buf_t *out, prompt_fault_t *fault)
{
    prompt_template_render_t  render;

    prompt_template_begin(&render, arena, input, schema, out, fault);

    return prompt_template_add(&render, content);
}


/* message == NULL: well-formed */
static void
check(prompt_str_t content, const char *message, const char *title)
{
    prompt_check_t  rc;
    prompt_fault_t  fault;

    fault.message = prompt_str_absent;
    rc = prompt_template_check(arena, content, prompt_str("content"), &fault);

    is_str(fault.message, message, title);

    if ((rc == PROMPT_CHECK_OK) != (message == NULL)
        || (message != NULL
            && !prompt_str_eq(fault.field, prompt_str("content"))))
    {
        ok(false, "result and field");
    }
}

#define sound(content)  check(prompt_str(content), NULL, content)
#define error_at(content, where)                                             \
    check(prompt_str(content), "content has an error at " where, content)


static void
test_check(void)
{
    sound("");
    sound("text");
    sound("{{name}}");
    sound("{{ name }}{{\tname\n}}");
    sound("{{customer.email}} {{tags.0}}");
    sound("{ { } }} { a } \\ {");
    sound("}}{{a}}}}");
    sound("\\{{ and \\{{{ and \\{{x}}");
    sound("{{\xc3\xa4.\xe4\xb8\xad}}");
    sound("{{a-b_c$#@!/\\}}");
    sound("{{\xe3\x80\x80" "a\xc2\xa0}}");

    error_at("{{}}", "line 1, column 1: placeholder without a name");
    error_at("{{  }}", "line 1, column 1: placeholder without a name");
    error_at("{{{a}}}", "line 1, column 1: \"{{{\" is not allowed");
    error_at("x{{a", "line 1, column 2: unclosed placeholder");
    error_at("x{{", "line 1, column 2: unclosed placeholder");
    error_at("x{{a }", "line 1, column 2: ill-formed placeholder");
    error_at("x{{a ", "line 1, column 2: unclosed placeholder");
    error_at("{{a b}}", "line 1, column 1: ill-formed placeholder");
    error_at("{{a.}}", "line 1, column 1: ill-formed placeholder");
    error_at("{{.a}}", "line 1, column 1: ill-formed placeholder");
    error_at("{{a..b}}", "line 1, column 1: ill-formed placeholder");
    error_at("{{a{b}}", "line 1, column 1: ill-formed placeholder");
    error_at("{{a}b}}", "line 1, column 1: ill-formed placeholder");
    error_at("{{a {{b}}", "line 1, column 1: ill-formed placeholder");
    error_at("{{a .b}}", "line 1, column 1: ill-formed placeholder");
    error_at("\xc3\xa4\r\n\xf0\x9f\x99\x82 {{ok}} {{}}",
             "line 2, column 10: placeholder without a name");
    error_at("a\rb\nc{{", "line 3, column 2: unclosed placeholder");

    check(prompt_str("a\0"), "content must not contain U+0000", "U+0000");
    check(prompt_str("a\xff"), "content must be valid UTF-8", "UTF-8");
}


static void
test_sizes(void)
{
    char     *text;
    clock_t   start;
    size_t    i;

    text = malloc(PROMPT_LIMIT_CONTENT + 1);
    memset(text, '{', PROMPT_LIMIT_CONTENT + 1);

    for (i = 0; i < PROMPT_LIMIT_CONTENT; i += 2) {
        text[i] = 'x';
    }

    start = clock();
    check(prompt_str_of(text, PROMPT_LIMIT_CONTENT), NULL,
          "1 MiB of single braces");

    memset(text, '\\', PROMPT_LIMIT_CONTENT);
    check(prompt_str_of(text, PROMPT_LIMIT_CONTENT), NULL,
          "1 MiB of backslashes");

    memset(text + 2, 'a', PROMPT_LIMIT_CONTENT - 2);
    memcpy(text, "{{", 2);
    check(prompt_str_of(text, PROMPT_LIMIT_CONTENT),
          "content has an error at line 1, column 1: unclosed placeholder",
          "1 MiB of a placeholder");

    check(prompt_str_of(text, PROMPT_LIMIT_CONTENT + 1),
          "content must not be longer than 1048576 bytes", "a byte more");
    ok(within(start, 1), "in linear time");

    free(text);
}


/* field == NULL: want is the text; else the fault's field, want its message */
static void
render(const char *content, const char *input, const char *schema,
    const char *field, const char *want)
{
    prompt_buf_t    out;
    prompt_check_t  rc;
    prompt_fault_t  fault;

    prompt_buf_init(&out, PROMPT_LIMIT_RENDERED);

    rc = rendered(prompt_str_from(content), json(input), json(schema), &out,
                  &fault);

    if (field == NULL) {
        is_str(rc == PROMPT_CHECK_OK ? prompt_buf_view(&out)
                                     : prompt_str_absent, want, content);

    } else if (rc == PROMPT_CHECK_FAULT) {
        is_str(fault.field, field, content);
        is_str(fault.message, want, want);

    } else {
        ok(false, content);
    }

    prompt_buf_free(&out);
}


static void
test_render(void)
{
    render("", "{}", NULL, NULL, "");
    render("Hello, {{name}}!", "{\"name\":\"Ann\"}", NULL, NULL,
           "Hello, Ann!");
    render("{{ name }}{{name}}", "{\"name\":\"A\"}", NULL, NULL, "AA");
    render("{{a.b}} {{c.0}} {{c.1.d}}", "{\"a\":{\"b\":1},\"c\":[2,{\"d\":3}]}",
           NULL, NULL, "1 2 3");
    render("{{n}} {{t}} {{o}} {{a}} {{x}}",
           "{\"n\":null,\"t\":true,\"o\":{\"k\": \"v\"},\"a\":[1, 2],"
           "\"x\":0.10}", NULL, NULL,
           "null true {\"k\":\"v\"} [1,2] 0.10");
    render("{{s}}", "{\"s\":\"\\\"q\\\" \\n {{s}} \\\\{{\"}", NULL, NULL,
           "\"q\" \n {{s}} \\{{");
    render("\\{{name}} \\{{{name}}", "{}", NULL, NULL, "{{name}} {{{name}}");
    render("\\{{{{name}}", "{\"name\":\"x\"}", NULL, NULL, "{{x");
    render("a}} { b }{c}", "{}", NULL, NULL, "a}} { b }{c}");
    render("{{a}}}", "{\"a\":1}", NULL, NULL, "1}");
    render("{{0}}", "{\"0\":\"zero\"}", NULL, NULL, "zero");
    render("{{c.00}}", "{\"c\":[1]}", NULL, "c.00",
           "no value for the placeholder {{c.00}}");
    render("{{c.1}}", "{\"c\":[1]}", NULL, "c.1",
           "no value for the placeholder {{c.1}}");
    render("{{c.99999999999999999999}}", "{\"c\":[1]}", NULL,
           "c.99999999999999999999", "no value for the placeholder "
           "{{c.99999999999999999999}}");
    render("{{c.-1}}", "{\"c\":[1]}", NULL, "c.-1",
           "no value for the placeholder {{c.-1}}");
    render("{{a.b}}", "{\"a\":\"text\"}", NULL, "a.b",
           "no value for the placeholder {{a.b}}");
    render("{{ a }}", "{}", NULL, "a", "no value for the placeholder {{a}}");
}


static void
test_defaults(void)
{
    static const char  *schema =
        "{\"type\":\"object\",\"required\":[\"must\"],\"properties\":{"
        "\"must\":{\"type\":\"string\"},"
        "\"may\":{\"type\":\"string\"},"
        "\"tone\":{\"default\":\"kind\"},"
        "\"list\":{\"default\":[1,\"a\"]},"
        "\"none\":{\"default\":null},"
        "\"customer\":{\"properties\":{\"email\":{\"default\":\"e\"},"
        "\"phone\":{},\"id\":{}},\"required\":[\"id\"]},"
        "\"ref\":{\"$ref\":\"#/$defs/d\"},"
        "\"rows\":{\"items\":{\"properties\":{\"n\":{\"default\":7}}}}"
        "},\"$defs\":{\"d\":{\"default\":\"by ref\"}},"
        "\"allOf\":[{\"properties\":{\"all\":{\"default\":\"of\"},"
        "\"late\":{}},\"required\":[\"late\"]},{\"$ref\":\"#/$defs/d\"}]}";

    render("[{{may}}]", "{}", schema, NULL, "[]");
    render("[{{tone}}]", "{}", schema, NULL, "[kind]");
    render("[{{tone}}]", "{\"tone\":\"rude\"}", schema, NULL, "[rude]");
    render("[{{tone}}]", "{\"tone\":null}", schema, NULL, "[null]");
    render("[{{list}}]", "{}", schema, NULL, "[[1,\"a\"]]");
    render("[{{none}}]", "{}", schema, NULL, "[null]");
    render("[{{customer.email}}]", "{}", schema, NULL, "[e]");
    render("[{{customer.email}}]", "{\"customer\":{}}", schema, NULL, "[e]");
    render("[{{customer.phone}}]", "{\"customer\":{}}", schema, NULL, "[]");
    render("{{customer.id}}", "{}", schema, "customer.id",
           "no value for the placeholder {{customer.id}}");
    render("[{{ref}}]", "{}", schema, NULL, "[by ref]");
    render("[{{rows.0.n}}]", "{\"rows\":[{}]}", schema, NULL, "[7]");
    render("{{rows.0}}", "{\"rows\":[]}", schema, "rows.0",
           "no value for the placeholder {{rows.0}}");
    render("[{{all}}]", "{}", schema, NULL, "[of]");
    render("{{late}}", "{}", schema, "late",
           "no value for the placeholder {{late}}");
    render("{{must}}", "{}", schema, "must",
           "no value for the placeholder {{must}}");
    render("{{other}}", "{}", schema, "other",
           "no value for the placeholder {{other}}");
    render("{{may.deep}}", "{}", schema, "may.deep",
           "no value for the placeholder {{may.deep}}");
}


/* what an absent object or array would be serves what is below it */

static void
test_nested_defaults(void)
{
    static const char  *schema =
        "{\"properties\":{"
        "\"a\":{\"type\":\"object\",\"default\":{\"x\":\"of a\",\"y\":[1,"
        "{\"z\":\"deep\"}],\"n\":null},\"properties\":{\"w\":{}}},"
        "\"own\":{\"default\":{\"x\":\"outer\",\"v\":\"v\"},\"properties\":"
        "{\"x\":{\"default\":\"inner\"}}},"
        "\"list\":{\"default\":[[\"0.0\"],\"1\"],\"items\":{\"properties\":"
        "{\"n\":{\"default\":7}}}},"
        "\"o\":{\"default\":{\"p\":{\"q\":\"by o\",\"r\":\"by o\"}},"
        "\"properties\":{\"p\":{\"default\":{\"q\":\"by p\"}}}},"
        "\"r\":{\"$ref\":\"#/$defs/d\"},"
        "\"all\":{\"allOf\":[{\"title\":\"t\"},{\"default\":{\"x\":\"of\"}}]},"
        "\"both\":{\"type\":\"string\"},"
        "\"down\":{\"properties\":{\"x\":{\"$ref\":\"#/$defs/d\"}}},"
        "\"tree\":{\"$ref\":\"#/$defs/tree\"}"
        "},\"allOf\":[{\"properties\":{\"both\":{\"default\":\"other\"}}},"
        "{\"properties\":{\"down\":{\"properties\":{\"y\":{\"default\":"
        "\"y\"}},\"required\":[\"x\"]}}}],"
        "\"$defs\":{\"d\":{\"default\":{\"k\":\"by ref\"}},"
        "\"tree\":{\"properties\":{\"l\":{\"$ref\":\"#/$defs/tree\"},"
        "\"v\":{\"default\":\"leaf\"}}}}}";

    render("{{a.x}}", "{}", schema, NULL, "of a");
    render("{{a.y}} {{a.y.0}} {{a.y.1.z}}", "{}", schema, NULL,
           "[1,{\"z\":\"deep\"}] 1 deep");
    render("{{a.n}}", "{}", schema, NULL, "null");
    render("[{{a.w}}]", "{}", schema, NULL, "[]");
    render("{{a.y.7}}", "{}", schema, "a.y.7",
           "no value for the placeholder {{a.y.7}}");
    render("{{a.y.01}}", "{}", schema, "a.y.01",
           "no value for the placeholder {{a.y.01}}");
    render("{{a.x.deeper}}", "{}", schema, "a.x.deeper",
           "no value for the placeholder {{a.x.deeper}}");

    /* of what is there no default counts */

    render("{{a.x}}", "{\"a\":{}}", schema, "a.x",
           "no value for the placeholder {{a.x}}");
    render("{{a.x}}", "{\"a\":null}", schema, "a.x",
           "no value for the placeholder {{a.x}}");
    render("{{list.1}}", "{\"list\":[0]}", schema, "list.1",
           "no value for the placeholder {{list.1}}");
    render("{{o.p.q}} {{o.p.r}}", "{\"o\":{\"p\":{\"r\":1}}}", schema,
           "o.p.q", "no value for the placeholder {{o.p.q}}");

    /* the property's own first, then the nearest */

    render("{{own.x}} {{own.v}} {{own}}", "{}", schema, NULL,
           "inner v {\"x\":\"outer\",\"v\":\"v\"}");
    render("{{own.x}}", "{\"own\":{}}", schema, NULL, "inner");
    render("{{o.p.q}} {{o.p.r}}", "{}", schema, NULL, "by p by o");
    render("{{o.p.q}}", "{\"o\":{}}", schema, NULL, "by p");
    render("{{list.0.0}} {{list.1}} {{list.5.n}}", "{}", schema, NULL,
           "0.0 1 7");

    /* references, allOf, and one property in several places */

    render("{{r.k}} {{all.x}}", "{}", schema, NULL, "by ref of");
    render("{{both}}", "{}", schema, NULL, "other");
    render("{{down.x.k}} {{down.y}}", "{}", schema, NULL, "by ref y");
    render("{{down.x.k}} {{down.y}}", "{\"down\":{}}", schema, NULL,
           "by ref y");
    render("{{tree.l.l.l.v}}", "{\"tree\":{\"l\":{}}}", schema, NULL,
           "leaf");
    render("{{down.x.none}}", "{}", schema, "down.x.none",
           "no value for the placeholder {{down.x.none}}");
}


/* a path as long as a template may be, below a schema that goes on as long */

static void
test_long_path(void)
{
    size_t           i;
    clock_t          start;
    prompt_buf_t     content, out;
    prompt_check_t   rc;
    prompt_fault_t   fault;

    prompt_buf_init(&content, PROMPT_LIMIT_CONTENT);
    prompt_buf_init(&out, PROMPT_LIMIT_RENDERED);
    prompt_buf_literal(&content, "{{l");

    for (i = 0; i < 500000; i++) {
        prompt_buf_literal(&content, ".l");
    }

    prompt_buf_literal(&content, "}}");

    start = clock();
    rc = rendered(prompt_buf_view(&content), json("{}"),
                  json("{\"properties\":{\"l\":{\"$ref\":\"#\"}},"
                       "\"default\":{\"l\":{\"l\":1}}}"), &out, &fault);
    ok(rc != PROMPT_CHECK_NOMEM && out.len == 0,
       "a path of 500,000 segments has no value");
    ok(within(start, 2), "soon");

    prompt_buf_free(&content);
    prompt_buf_free(&out);
}


static void
test_limits(void)
{
    char            *big;
    clock_t          start;
    size_t           i;
    prompt_buf_t     content, input, out;
    prompt_check_t   rc;
    prompt_fault_t   fault;

    /* a path of 1 MB is no field */

    big = malloc(1024 * 1024);
    memset(big, 'x', 1024 * 1024);
    memcpy(big, "{{", 2);
    memcpy(big + 1024 * 1024 - 2, "}}", 2);
    prompt_buf_init(&out, PROMPT_LIMIT_RENDERED);
    rc = rendered(prompt_str_of(big, 1024 * 1024), json("{}"), NULL, &out,
                  &fault);
    ok(rc == PROMPT_CHECK_FAULT && fault.field.len == 1003
       && memcmp(fault.field.data + 997, "xxx\u2026", 6) == 0,
       "a long placeholder, cut for its field");
    prompt_buf_free(&out);
    free(big);

    /* five times a MiB is beyond the limit of 4 */

    big = malloc(1024 * 1024 + 20);
    memset(big, 'x', 1024 * 1024 + 20);
    memcpy(big, "{\"a\":\"", 6);
    memcpy(big + 1024 * 1024 + 6, "\"}", 3);
    render("{{a}}{{a}}{{a}}{{a}}{{a}}", big, NULL, "input",
           "the rendered prompt must not be longer than 4194304 bytes");
    free(big);

    /* many placeholders for the last of many members */

    prompt_buf_init(&content, PROMPT_LIMIT_CONTENT);
    prompt_buf_init(&input, 1024 * 1024);
    prompt_buf_init(&out, PROMPT_LIMIT_RENDERED);
    prompt_buf_char(&input, '{');

    for (i = 0; i < 20000; i++) {
        prompt_buf_literal(&content, "{{z}}");
        prompt_buf_printf(&input, "\"m%zu\":0,", i);
    }

    prompt_buf_literal(&input, "\"z\":1}");
    prompt_buf_char(&input, '\0');

    start = clock();
    rc = rendered(prompt_buf_view(&content), json(input.data), NULL, &out,
                  &fault);
    is_int(rc, PROMPT_CHECK_FAULT, "too much work is refused");
    ok(within(start, 1), "soon");

    prompt_buf_free(&content);
    prompt_buf_free(&input);
    prompt_buf_free(&out);
}


int
main(void)
{
    arena = prompt_arena_create(64 * 1024 * 1024);

    test_check();
    test_sizes();
    test_render();
    test_defaults();
    test_nested_defaults();
    test_long_path();
    test_limits();

    prompt_arena_destroy(arena);

    return done_testing();
}
