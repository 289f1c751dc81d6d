/*
 * Providers: roles, tools, and why a model ended, in each format.
 */

#include "provider/provider.h"

#include "tap.h"


static prompt_arena_t  *arena;

/* of the answers that follow */
static const prompt_provider_format_t  *format = &prompt_provider_openai;


static prompt_json_t *
json(prompt_str_t text)
{
    prompt_json_t        *value;
    prompt_json_error_t   error;

    value = prompt_json_read(arena, text, 64, &error);

    if (value == NULL) {
        diag("%.*s: %s", prompt_str_arg(text), error.message);
    }

    return value;
}


/* want: "finish calls", "-" for what is absent */
static void
ends(const char *body, const char *want)
{
    prompt_buf_t              text;
    prompt_provider_answer_t  got;

    prompt_buf_init(&text, 1 << 20);

    if (prompt_provider_answer(arena, format, 200, prompt_str_from(body),
                               &got))
    {
        prompt_buf_str(&text, got.finish.data != NULL ? got.finish
                                                      : prompt_str("-"));
        prompt_buf_char(&text, ' ');
        prompt_buf_str(&text, got.tool_calls.data != NULL ? got.tool_calls
                                                          : prompt_str("-"));
    }

    is_str(prompt_buf_view(&text), want, body);
    prompt_buf_free(&text);
}

#define CHOICE(members)  "{\"choices\":[{" members "}]}"
#define MESSAGE(members)  CHOICE("\"message\":{" members "}")
#define FUNCTION(members)  "{\"id\":\"1\",\"function\":{" members "}}"
#define CALL(id, name, arguments)                                            \
    "{\"id\":\"" id "\",\"name\":\"" name "\",\"arguments\":\"" arguments   \
    "\"}"


static void
test_ends(void)
{
    ends(MESSAGE(""), "- -");
    ends(CHOICE("\"finish_reason\":null,\"message\":{}"), "- -");
    ends(CHOICE("\"finish_reason\":5,\"message\":{}"), "- -");
    ends(CHOICE("\"finish_reason\":\"\",\"message\":{}"), "- -");
    ends(CHOICE("\"finish_reason\":\"len\\u0067th\",\"message\":{}"),
         "length -");
    ends(CHOICE("\"finish_reason\":\"a\",\"message\":{},"
                "\"finish_reason\":\"b\"") , "b -");
    ends("{\"choices\":[{\"message\":{},\"finish_reason\":\"a\"},"
         "{\"message\":{},\"finish_reason\":\"b\"}]}", "a -");
    ends("{\"choices\":[{\"message\":{},\"finish_reason\":\"a\"}],"
         "\"choices\":[{\"message\":{}}]}", "- -");
    ends("{\"error\":{},\"choices\":[{\"message\":{},"
         "\"finish_reason\":\"a\"}]}", "- -");
}


static void
test_tool_calls(void)
{
    ends(MESSAGE("\"tool_calls\":[]"), "- -");
    ends(MESSAGE("\"tool_calls\":null"), "- -");
    ends(MESSAGE("\"tool_calls\":{}"), "- -");
    ends(MESSAGE("\"tool_calls\":[5,{},{\"id\":\"1\"},"
                 FUNCTION("\"arguments\":\"{}\"") "]"), "- -");
    ends(MESSAGE("\"content\":null,\"tool_calls\":["
                 FUNCTION("\"arguments\":\"{\\\"a\\\": 1\",\"name\":\"f\"") ","
                 "{\"function\":{\"name\":\"g\"},\"id\":5}]"),
         "- [" CALL("1", "f", "{\\\"a\\\": 1") "," CALL("", "g", "") "]");
    ends(MESSAGE("\"tool_calls\":["
                 FUNCTION("\"name\":\"f\",\"arguments\":"
                          "{ \"a b\" : [ 1, \"\\\\ \\\" \" ]\n}") "]"),
         "- [" CALL("1", "f", "{\\\"a b\\\":[1,\\\"\\\\\\\\ \\\\\\\" \\\"]}")
         "]");
    ends(MESSAGE("\"tool_calls\":[{\"id\":\"1\",\"type\":\"custom\","
                 "\"custom\":{\"name\":\"f\",\"input\":\"x y\"}}]"),
         "- [" CALL("1", "f", "x y") "]");
    ends(MESSAGE("\"tool_calls\":[" FUNCTION("\"name\":\"f\"") "],"
                 "\"tool_calls\":[" FUNCTION("\"name\":\"g\"") "]"),
         "- [" CALL("1", "g", "") "]");
    ends("{\"choices\":[{\"message\":{\"tool_calls\":["
         FUNCTION("\"name\":\"f\"") "]},\"message\":{}}]}", "- -");
    ends("{\"choices\":[{\"message\":{}},{\"message\":{\"tool_calls\":["
         FUNCTION("\"name\":\"f\"") "]}}]}", "- -");
}


static void
test_anthropic_ends(void)
{
    format = &prompt_provider_anthropic;

    ends("{\"content\":[],\"stop_reason\":\"end_turn\"}", "end_turn -");
    ends("{\"stop_reason\":\"tool_use\",\"content\":[{\"type\":\"text\","
         "\"text\":\"a\"},{\"type\":\"tool_use\",\"id\":\"1\",\"name\":"
         "\"f\",\"input\": { \"a\" : \"b c\" }},{\"input\":{},\"name\":"
         "\"g\",\"type\":\"tool_use\"},{\"type\":\"server_tool_use\","
         "\"name\":\"h\"},{\"type\":\"tool_use\"}]}",
         "tool_use [" CALL("1", "f", "{\\\"a\\\":\\\"b c\\\"}") ","
         CALL("", "g", "{}") "]");
    ends("{\"content\":[{\"type\":\"tool_use\",\"name\":\"g\"}],"
         "\"content\":[]}", "- -");
    format = &prompt_provider_openai;
}


/* messages as they are written, or "field: message" */
static void
writes(const prompt_provider_format_t *form, const char *roles,
    const char *params, const char *want)
{
    size_t                      n;
    prompt_buf_t                out;
    prompt_fault_t              fault;
    prompt_message_t            list[8];
    prompt_provider_rules_t     rules;
    prompt_provider_request_t   call;

    memset(&call, 0, sizeof(call));
    memset(list, 0, sizeof(list));
    memset(&rules, 0, sizeof(rules));

    for (n = 0; roles[n] != '\0'; n++) {
        list[n].role = roles[n] == 'S' ? PROMPT_ROLE_SYSTEM
                       : roles[n] == 'A' ? PROMPT_ROLE_ASSISTANT
                       : PROMPT_ROLE_USER;
        list[n].text = prompt_str_of(&"0\"2345678"[n], 1);
        list[n].index = n;
    }

    call.format = form;
    call.params = json(prompt_str_from(params));
    call.model = prompt_str("m");
    call.messages.list = list;
    call.messages.count = n;

    prompt_buf_init(&out, PROMPT_LIMIT_REQUEST);

    if (prompt_provider_check_params(arena, form, &rules, prompt_str("params"),
                                     call.params, &fault)
        == PROMPT_CHECK_OK
        && prompt_provider_check(arena, &call, &fault) == PROMPT_CHECK_OK)
    {
        prompt_provider_request(&call, &out);

    } else {
        prompt_buf_str(&out, fault.field);
    }

    is_str(prompt_buf_view(&out), want, params);
    prompt_buf_free(&out);
}

#define SAYS(role, text)  "{\"role\":\"" role "\",\"content\":\"" text "\"}"
#define MAX  ",\"max_tokens\":4096}"


static void
test_roles(void)
{
    const prompt_provider_format_t  *claude;

    claude = &prompt_provider_anthropic;

    writes(&prompt_provider_openai, "SUSAU", "{}",
           "{\"model\":\"m\",\"messages\":[" SAYS("system", "0") ","
           SAYS("user", "\\\"") "," SAYS("system", "2") ","
           SAYS("assistant", "3") "," SAYS("user", "4") "]}");
    writes(claude, "SU", "{}", "{\"model\":\"m\",\"messages\":["
           SAYS("user", "\\\"") "],\"system\":\"0\"" MAX);
    writes(claude, "SSUU", "{}", "{\"model\":\"m\",\"messages\":["
           SAYS("user", "2") "," SAYS("user", "3") "],\"system\":"
           "[{\"type\":\"text\",\"text\":\"0\"},"
           "{\"type\":\"text\",\"text\":\"\\\"\"}]" MAX);
    writes(claude, "U", "{\"system\":\"s\"}", "{\"model\":\"m\","
           "\"messages\":[" SAYS("user", "0") "],\"max_tokens\":4096,"
           "\"system\":\"s\"}");
    writes(claude, "SU", "{\"system\":\"s\"}", "params.system");
    writes(claude, "SUSU", "{}", "messages.2");
}


#define ASKS(members)                                                        \
    "{\"model\":\"m\",\"messages\":[" SAYS("user", "0")                     \
    "],\"max_tokens\":4096" members "}"


static void
test_tools(void)
{
    const prompt_provider_format_t  *claude;

    claude = &prompt_provider_anthropic;

    writes(claude, "U", "{\"tools\":null,\"tool_choice\":null,"
           "\"response_format\":null}", ASKS(""));
    writes(claude, "U", "{\"tools\":[]}", ASKS(",\"tools\":[]"));
    writes(claude, "U", "{\"tools\":5}", "params.tools");
    writes(claude, "U", "{\"tools\":[5]}", "params.tools");
    writes(claude, "U", "{\"tools\":[{\"type\":\"function\",\"function\":"
           "{\"name\":\"f\",\"description\":null,\"strict\":true,"
           "\"parameters\":{\"x\":1.0}}},{\"function\":{}}]}",
           ASKS(",\"tools\":[{\"name\":\"f\",\"input_schema\":{\"x\":1.0},"
                "\"strict\":true},{\"function\":{}}]"));
    writes(claude, "U", "{\"tool_choice\":\"auto\"}",
           ASKS(",\"tool_choice\":{\"type\":\"auto\"}"));
    writes(claude, "U", "{\"tool_choice\":\"none\"}",
           ASKS(",\"tool_choice\":{\"type\":\"none\"}"));
    writes(claude, "U", "{\"tool_choice\":\"required\"}",
           ASKS(",\"tool_choice\":{\"type\":\"any\"}"));
    writes(claude, "U", "{\"tool_choice\":{\"type\":\"function\","
           "\"function\":{\"name\":\"f\"}}}",
           ASKS(",\"tool_choice\":{\"type\":\"tool\",\"name\":\"f\"}"));
    writes(claude, "U", "{\"tool_choice\":{\"type\":\"any\"}}",
           ASKS(",\"tool_choice\":{\"type\":\"any\"}"));
    writes(claude, "U", "{\"tool_choice\":\"any\"}", "params.tool_choice");
    writes(claude, "U", "{\"response_format\":{\"type\":\"text\"}}", ASKS(""));
    writes(claude, "U", "{\"response_format\":{\"type\":\"json_schema\"}}",
           "params.response_format");
    writes(claude, "U", "{\"response_format\":\"json\"}",
           "params.response_format");
}


/* texts within texts: what is longest is twice as long as the answer */
static void
test_long_calls(void)
{
    size_t                     i;
    prompt_buf_t               body;
    prompt_arena_t            *own;
    prompt_provider_answer_t   answer;

    own = prompt_arena_create(64 * 1024 * 1024);
    prompt_buf_init(&body, PROMPT_LIMIT_ANSWER_MAX);
    prompt_buf_literal(&body, "{\"content\":[{\"type\":\"tool_use\",\"id\":"
                       "\"a\",\"name\":\"b\",\"input\":[\"");

    for (i = body.len + 10; i < PROMPT_LIMIT_ANSWER_MAX; i += 2) {
        prompt_buf_literal(&body, "\\\"");
    }

    prompt_buf_literal(&body, "\"]}]}");

    ok(prompt_provider_answer(own, &prompt_provider_anthropic, 200,
                              prompt_buf_view(&body), &answer),
       "an answer as long as one may be, all of it a call");
    ok(answer.tool_calls.len > 2 * PROMPT_LIMIT_ANSWER_MAX - 100, "is whole");

    prompt_buf_free(&body);
    prompt_arena_destroy(own);
}


int
main(void)
{
    arena = prompt_arena_create(64 * 1024 * 1024);

    test_ends();
    test_tool_calls();
    test_anthropic_ends();
    test_roles();
    test_tools();
    test_long_calls();

    prompt_arena_destroy(arena);

    return done_testing();
}
