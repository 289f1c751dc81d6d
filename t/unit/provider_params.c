/*
 * Params by the tables of the formats: what is known, translated, refused and
 * allowed; what is sent of it; and docs/api.md, which has the tables.
 *
 * With an argument it prints the table of docs/api.md.
 */

#include "prompt/params.h"
#include "provider/provider_impl.h"

#include "tap.h"


#define openai     (&prompt_provider_openai)
#define anthropic  (&prompt_provider_anthropic)


static prompt_arena_t           *arena;
static prompt_provider_rules_t   rules;


static prompt_json_t *
json(const char *text)
{
    prompt_json_t        *value;
    prompt_json_error_t   error;

    value = prompt_json_read(arena, prompt_str_from(text), 64, &error);

    if (value == NULL) {
        diag("%s: %s", text, error.message);
        value = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    }

    return value;
}


/* want: what is wrong, as it is said; NULL: nothing */
static void
checks(const prompt_provider_format_t *format, const char *params,
    const char *want)
{
    prompt_check_t  rc;
    prompt_fault_t  fault;

    fault.message = prompt_str_absent;

    rc = prompt_provider_check_params(arena, format, &rules,
                                      prompt_str("params"), json(params),
                                      &fault);
    is_str(fault.message, want, params);
    ok((rc == PROMPT_CHECK_OK) == (want == NULL), "and so is the result");
}


/* the field of a fault, of any format and place */
static void
field(const prompt_provider_format_t *format, const char *at,
    const char *params, const char *want)
{
    prompt_fault_t  fault;

    fault.field = prompt_str_absent;

    (void) !prompt_provider_check_params(arena, format, &rules,
                                         prompt_str_from(at), json(params),
                                         &fault);
    is_str(fault.field, want, params);
}


/* what is sent of params, behind the messages */
static void
writes(const prompt_provider_format_t *format, const char *params,
    const char *schema, const char *want)
{
    prompt_buf_t                out;
    prompt_str_t                text;
    prompt_message_t            message;
    prompt_provider_request_t   request;

    memset(&request, 0, sizeof(request));
    memset(&message, 0, sizeof(message));

    message.role = PROMPT_ROLE_USER;
    message.text = prompt_str("a");

    request.format = format;
    request.params = prompt_params_choice(arena, json(params), 0);
    request.output_schema = schema != NULL ? json(schema) : NULL;
    request.model = prompt_str("m");
    request.messages.list = &message;
    request.messages.count = 1;
    request.max_tokens_as = rules.max_tokens_as;
    request.max_tokens = rules.max_tokens;

    prompt_buf_init(&out, PROMPT_LIMIT_REQUEST);
    prompt_provider_request(&request, &out);
    prompt_buf_char(&out, '\0');

    text = prompt_str_from(strstr(out.data, "}]") + 2);
    is_str(text, want, params);
    prompt_buf_free(&out);
}


#define ALLOW  " is sent only where the operator allows it: leave it out, or " \
               "have the provider's prompt_provider say allow="


static void
test_rules(void)
{
    checks(openai, "{\"model\":\"m\",\"temperature\":2,\"seed\":1,\"stop\":[],"
           "\"verbosity\":\"low\",\"logit_bias\":{},\"fallbacks\":[]}", NULL);
    checks(openai, "{\"top_k\":null,\"nonsense\":null}", NULL);
    checks(openai, "{\"nonsense\":1}", "params.nonsense" ALLOW "nonsense");
    checks(openai, "{\"top_k\":1}", "params.top_k" ALLOW "top_k");
    checks(openai, "{\"store\":false}", "params.store" ALLOW "store");
    checks(openai, "{\"thinking\":{}}", "params.thinking" ALLOW "thinking");
    checks(anthropic, "{\"mcp_servers\":[]}",
           "params.mcp_servers" ALLOW "mcp_servers");
    checks(anthropic, "{\"seed\":1}", "params.seed means nothing to this "
           "model's provider: leave it out; its format is anthropic");
    field(anthropic, "params.fallbacks.2", "{\"top_p\":1,\"logit_bias\":{}}",
          "params.fallbacks.2.logit_bias");
    checks(anthropic, "{\"top_p\":1,\"top_k\":5,\"system\":\"s\",\"thinking\":"
           "{},\"cache_control\":{},\"metadata\":{}}", NULL);

    rules.allow = prompt_str("min_p,top_k,store");
    checks(openai, "{\"top_k\":1,\"min_p\":0.1,\"store\":true}", NULL);
    checks(openai, "{\"top\":1}", "params.top" ALLOW "top");
    checks(openai, "{\"\":1}", "params." ALLOW "");
    rules.allow = prompt_str("seed");
    field(anthropic, "params", "{\"seed\":1}", "params.seed");
    rules.allow = prompt_str_absent;
}


static void
test_allows(void)
{
    prompt_str_t  list;

    list = prompt_str("a,bc,d");

    ok(prompt_provider_allows(list, prompt_str("a"))
       && prompt_provider_allows(list, prompt_str("bc"))
       && prompt_provider_allows(list, prompt_str("d")), "each name of a list");
    ok(!prompt_provider_allows(list, prompt_str("b"))
       && !prompt_provider_allows(list, prompt_str("a,bc"))
       && !prompt_provider_allows(list, prompt_str(""))
       && !prompt_provider_allows(prompt_str_absent, prompt_str("a")),
       "and no other");
}


static void
test_values(void)
{
    field(anthropic, "params", "{\"temperature\":1.01}", "params.temperature");
    field(anthropic, "params", "{\"temperature\":1}", NULL);
    field(anthropic, "params", "{\"stop\":[\"a\",1]}", "params.stop");
    field(anthropic, "params", "{\"stop\":{}}", "params.stop");
    field(anthropic, "params", "{\"stop\":[\"a\",\"b\"]}", NULL);
    field(anthropic, "params", "{\"stop\":\"a\"}", NULL);
    field(anthropic, "params", "{\"reasoning_effort\":\"none\"}",
          "params.reasoning_effort");
    field(anthropic, "params", "{\"reasoning_effort\":\"low,medium\"}",
          "params.reasoning_effort");
    field(anthropic, "params", "{\"reasoning_effort\":\"max\"}", NULL);
    field(anthropic, "params", "{\"parallel_tool_calls\":0}",
          "params.parallel_tool_calls");
    field(anthropic, "params", "{\"output_config\":[]}",
          "params.output_config");
    field(anthropic, "params", "{\"response_format\":{\"type\":"
          "\"json_object\"}}", "params.response_format");
    field(anthropic, "params", "{\"response_format\":{\"type\":"
          "\"json_schema\",\"json_schema\":{\"schema\":1}}}",
          "params.response_format");
    field(anthropic, "params", "{\"tool_choice\":{}}", "params.tool_choice");
    field(anthropic, "params", "{\"tool_choice\":{\"type\":\"function\"}}",
          "params.tool_choice");
    field(anthropic, "params", "{\"tools\":[{\"type\":\"custom\",\"custom\":"
          "{\"name\":\"f\"}}]}", "params.tools");
}


/* tools that the provider runs itself */
static void
test_tools(void)
{
    checks(openai, "{\"tools\":[{\"type\":\"function\",\"function\":{}},"
           "{\"type\":\"custom\"},5]}", NULL);
    checks(openai, "{\"tools\":[{\"type\":\"mcp\"}]}",
           "params.tools" ALLOW "mcp");
    checks(anthropic, "{\"tools\":[{\"name\":\"f\"},{\"function\":{}}]}", NULL);
    checks(anthropic, "{\"tools\":[{\"type\":\"web_search_20250305\",\"name\":"
           "\"web_search\"}]}", "params.tools" ALLOW "web_search_20250305");
    checks(openai, "{\"tools\":[{\"functionDeclarations\":[],"
           "\"googleSearch\":{}}]}", "params.tools" ALLOW "googleSearch");
    checks(openai, "{\"tools\":[{\"type\":\"function\",\"googleSearch\":{}}]}",
           "params.tools" ALLOW "googleSearch");
    checks(openai, "{\"tools\":[{\"name\":\"f\",\"googleSearch\":{}}]}",
           "params.tools" ALLOW "googleSearch");

    rules.allow = prompt_str("web_search_20250305,googleSearch");
    field(anthropic, "params", "{\"tools\":[{\"type\":\"web_search_20250305\"},"
          "{\"googleSearch\":{}}]}", NULL);
    rules.allow = prompt_str_absent;
}


static void
test_max_tokens(void)
{
    const char  *more;

    more = "params.max_completion_tokens must not be greater than the "
           "max_tokens of the model's provider, 100";

    field(openai, "params", "{\"max_completion_tokens\":0}",
          "params.max_completion_tokens");
    field(anthropic, "params", "{\"max_completion_tokens\":\"5\"}",
          "params.max_completion_tokens");

    rules.max_tokens = 100;
    rules.max_tokens_as = prompt_str("most");
    field(openai, "params", "{\"max_tokens\":100}", NULL);
    field(openai, "params", "{\"max_tokens\":101}", "params.max_tokens");
    field(openai, "params", "{\"most\":101}", "params.most");
    field(openai, "params", "{\"most\":1}", NULL);
    checks(openai, "{\"max_completion_tokens\":101}", more);
    checks(anthropic, "{\"max_completion_tokens\":101}", more);
    rules.max_tokens_as = prompt_str_absent;

    writes(openai, "{}", NULL, ",\"max_tokens\":100}");
    writes(openai, "{\"max_tokens\":null}", NULL, ",\"max_tokens\":100}");
    writes(openai, "{\"max_completion_tokens\":5}", NULL,
           ",\"max_completion_tokens\":5}");
    writes(anthropic, "{}", NULL, ",\"max_tokens\":100}");
    writes(anthropic, "{\"max_completion_tokens\":5}", NULL,
           ",\"max_tokens\":5}");
    rules.max_tokens_as = prompt_str("most");
    writes(openai, "{}", NULL, ",\"most\":100}");
    writes(openai, "{\"most\":7}", NULL, ",\"most\":7}");
    rules.max_tokens_as = prompt_str_absent;
    rules.max_tokens = 0;

    writes(openai, "{}", NULL, "}");
    writes(anthropic, "{\"max_completion_tokens\":5,\"max_tokens\":6}", NULL,
           ",\"max_tokens\":6}");
}


#define MAX   ",\"max_tokens\":4096"
#define TOOL  "\"tools\":[{\"name\":\"f\"}]"


static void
test_written(void)
{
    writes(openai, "{\"stop\":null,\"stream_options\":{\"a\":1},\"seed\":1}",
           NULL, ",\"seed\":1}");
    writes(openai, "{}", "{\"type\":\"object\"}", ",\"response_format\":"
           "{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"output\","
           "\"schema\":{\"type\":\"object\"}}}}");

    writes(anthropic, "{\"reasoning_effort\":\"low\"}", NULL,
           MAX ",\"output_config\":{\"effort\":\"low\"}}");
    writes(anthropic, "{\"reasoning_effort\":\"low\",\"output_config\":"
           "{\"effort\":\"max\",\"x\":1}}", NULL,
           MAX ",\"output_config\":{\"effort\":\"max\",\"x\":1}}");
    writes(anthropic, "{\"output_config\":{}}", NULL, MAX "}");
    writes(anthropic, "{\"response_format\":{\"type\":\"json_schema\","
           "\"json_schema\":{\"schema\":{\"a\":1}}}}", NULL,
           MAX ",\"output_config\":{\"format\":{\"type\":\"json_schema\","
           "\"schema\":{\"a\":1}}}}");
    writes(anthropic, "{\"reasoning_effort\":\"high\",\"output_config\":"
           "{\"x\":2}}", "{\"b\":2}",
           MAX ",\"output_config\":{\"format\":{\"type\":"
           "\"json_schema\",\"schema\":{\"b\":2}},\"effort\":\"high\","
           "\"x\":2}}");
    writes(anthropic, "{\"response_format\":{\"type\":\"json_schema\","
           "\"json_schema\":{\"schema\":{\"a\":1}}},\"output_config\":"
           "{\"format\":1}}", NULL, MAX ",\"output_config\":{\"format\":1}}");
    writes(anthropic, "{\"response_format\":{\"type\":\"text\"}}", NULL,
           MAX "}");

    writes(anthropic, "{\"parallel_tool_calls\":false}", NULL, MAX "}");
    writes(anthropic, "{\"parallel_tool_calls\":true," TOOL "}", NULL,
           MAX "," TOOL "}");
    writes(anthropic, "{\"parallel_tool_calls\":false," TOOL "}", NULL,
           MAX "," TOOL ",\"tool_choice\":{\"type\":\"auto\","
           "\"disable_parallel_tool_use\":true}}");
    writes(anthropic, "{\"parallel_tool_calls\":false," TOOL ",\"tool_choice\":"
           "{\"type\":\"any\",\"disable_parallel_tool_use\":false}}", NULL,
           MAX "," TOOL ",\"tool_choice\":{\"type\":\"any\","
           "\"disable_parallel_tool_use\":false}}");
    writes(anthropic, "{\"parallel_tool_calls\":false," TOOL ",\"tool_choice\":"
           "\"none\"}", NULL,
           MAX "," TOOL ",\"tool_choice\":{\"type\":\"none\"}}");
    writes(anthropic, "{\"stop\":\"a\",\"stop_sequences\":[\"b\"]}", NULL,
           MAX ",\"stop_sequences\":[\"b\"]}");
}


/* The tables, as docs/api.md has them. */

static const prompt_provider_format_t *const  formats[] = {
    &prompt_provider_openai, &prompt_provider_responses,
    &prompt_provider_anthropic, &prompt_provider_gemini
};

#define FORMATS  (sizeof(formats) / sizeof(formats[0]))


/* the next name of a row's list of them; false: there is none */
static bool
next_name(const prompt_provider_param_t *param, prompt_str_t *name)
{
    const char  *end, *comma;

    end = param->name.data + param->name.len;
    name->data = name->data == NULL ? param->name.data
                                    : name->data + name->len + 1;

    if (name->data >= end) {
        return false;
    }

    comma = memchr(name->data, ',', (size_t) (end - name->data));
    name->len = (size_t) ((comma != NULL ? comma : end) - name->data);

    return true;
}


static void
table_cell(const prompt_provider_param_t *param, prompt_buf_t *out)
{
    if (param == NULL || param->rule == PROMPT_PARAM_ALLOWED) {
        prompt_buf_literal(out, " `allow=` |");

    } else if (param->rule == PROMPT_PARAM_REFUSED) {
        prompt_buf_literal(out, " refused |");

    } else if (param->as.data == NULL
               && prompt_str_eq(param->group, param->name))
    {
        prompt_buf_literal(out, " passed |");        /* into it others go */

    } else if (param->as.data != NULL || param->group.data != NULL) {
        prompt_buf_printf(out, " as `%.*s%s%.*s` |",
                          prompt_str_arg(param->group),
                          param->group.data != NULL ? "." : "",
                          prompt_str_arg(param->as.data != NULL
                                         ? param->as : param->name));
    } else {
        prompt_buf_literal(out, " passed |");
    }
}


static void
table_row(size_t format, prompt_str_t name, prompt_buf_t *out)
{
    size_t  i;

    for (i = 0; i < format; i++) {
        if (prompt_provider_param(formats[i]->params, name) != NULL) {
            return;                                  /* it has one already */
        }
    }

    prompt_buf_printf(out, "\n| `%.*s` |", prompt_str_arg(name));

    for (i = 0; i < FORMATS; i++) {
        table_cell(prompt_provider_param(formats[i]->params, name), out);
    }
}


static void
table(prompt_buf_t *out)
{
    size_t                          n;
    prompt_str_t                    name;
    const prompt_provider_param_t  *param;

    prompt_buf_literal(out, "| `params` |");

    for (n = 0; n < FORMATS; n++) {
        prompt_buf_printf(out, " `%.*s` |", prompt_str_arg(formats[n]->name));
    }

    prompt_buf_literal(out, "\n| --- |");

    for (n = 0; n < FORMATS; n++) {
        prompt_buf_literal(out, " --- |");
    }

    for (n = 0; n < FORMATS; n++) {
        for (param = formats[n]->params; param->name.data != NULL; param++) {
            name = prompt_str_absent;

            while (next_name(param, &name)) {
                table_row(n, name, out);
            }
        }
    }

    prompt_buf_char(out, '\n');
}


static void
test_documented(void)
{
    FILE          *file;
    char          *text;
    size_t         len;
    prompt_buf_t   want;

    text = calloc(1, 1024 * 1024);
    file = fopen("docs/api.md", "r");

    if (text == NULL || file == NULL) {
        ok(false, "docs/api.md is there");
        return;
    }

    len = fread(text, 1, 1024 * 1024 - 1, file);
    fclose(file);

    prompt_buf_init(&want, 65536);
    table(&want);
    prompt_buf_char(&want, '\0');

    ok(len != 0 && strstr(text, want.data) != NULL,
       "docs/api.md has the tables: build/unit/provider_params print");

    prompt_buf_free(&want);
    free(text);
}


/* each name once: the second would never be found */
static void
test_once(void)
{
    bool                            once;
    size_t                          n, more;
    const char                     *rest;
    prompt_str_t                    name;
    const prompt_provider_param_t  *param;

    once = true;

#define count_one(name)  + 1

    ok(FORMATS == 0 PROMPT_PROVIDER_FORMATS(count_one), "formats: all of them");

#undef count_one

    for (n = 0; n < FORMATS; n++) {
        for (param = formats[n]->params; param->name.data != NULL; param++) {
            name = prompt_str_absent;

            while (next_name(param, &name)) {
                rest = name.data + name.len;
                more = (size_t) (param->name.data + param->name.len - rest);

                once = once && prompt_provider_param(formats[n]->params, name)
                               == param
                       && !prompt_provider_allows(prompt_str_of(rest, more),
                                                  name);
            }
        }
    }

    ok(once, "no table has a member twice");
}


/* the most tokens that may come out, and go in */
static void
most(const prompt_provider_format_t *format, const char *params,
    const char *as, int64_t max_tokens, int64_t want)
{
    prompt_provider_request_t  request;

    memset(&request, 0, sizeof(request));
    request.format = format;
    request.params = json(params);
    request.max_tokens_as = prompt_str_from(as);
    request.max_tokens = max_tokens;

    is_int(prompt_provider_most_out(&request), want, params);
}


static void
test_most(void)
{
    size_t                     i;
    int64_t                    tokens, plain;
    prompt_buf_t               body;
    prompt_message_t           message;
    prompt_message_part_t      parts[2];
    prompt_provider_request_t  request;

    static const char *const  images[] = {
        "https://example.com/a.png",
        "data:image/png;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    };

    most(openai, "{}", "", 0, 0);
    most(openai, "{}", "", 50, 50);
    most(anthropic, "{}", "", 0, 4096);
    most(openai, "{\"max_tokens\": 7}", "", 50, 7);
    most(openai, "{\"max_tokens\": 7, \"max_completion_tokens\": 9}", "", 50,
         9);
    most(openai, "{\"max_tokens\": null}", "", 50, 50);
    most(openai, "{\"most\": 8}", "most", 50, 8);
    most(openai, "{\"max_tokens\": 7, \"n\": 3}", "", 0, 21);
    most(openai, "{\"max_tokens\": 9000000000}", "", 0, 2147483647);

    memset(&request, 0, sizeof(request));
    memset(&message, 0, sizeof(message));
    memset(parts, 0, sizeof(parts));

    request.format = openai;
    request.params = json("{\"max_tokens\": 7}");
    request.messages.list = &message;
    request.messages.count = 1;
    message.role = PROMPT_ROLE_USER;
    message.text = prompt_str("Hello");

    prompt_buf_init(&body, 65536);
    prompt_provider_request(&request, &body);
    ok(prompt_provider_most_in(&request, &tokens), "what goes in");
    is_int(tokens, (int64_t) body.len, "is its bytes");
    prompt_buf_free(&body);

    message.text = prompt_str_absent;
    message.parts = parts;
    message.nparts = 2;
    parts[0].text = prompt_str("Hello");

    for (i = 0; i < 2; i++) {
        parts[1].image = prompt_str_from(images[i]);

        prompt_buf_init(&body, 65536);
        prompt_provider_request(&request, &body);
        plain = (int64_t) body.len - (i == 1 ? 32 : 0);
        prompt_buf_free(&body);

        ok(prompt_provider_most_in(&request, &tokens), "with a picture");
        is_int(tokens, plain + PROMPT_PROVIDER_IMAGE_TOKENS, images[i]);
    }
}


int
main(int argc, char **argv)
{
    prompt_buf_t  out;

    (void) argv;

    if (argc > 1) {
        prompt_buf_init(&out, 65536);
        table(&out);
        fwrite(out.data, 1, out.len, stdout);
        prompt_buf_free(&out);
        return 0;
    }

    arena = prompt_arena_create(16 * 1024 * 1024);

    test_rules();
    test_allows();
    test_values();
    test_tools();
    test_max_tokens();
    test_most();
    test_written();
    test_once();
    test_documented();

    prompt_arena_destroy(arena);

    return done_testing();
}
