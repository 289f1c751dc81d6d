/*
 * Messages of a version: what may be stored, what a provider gets of it, and
 * what stands for a placeholder.
 */

#include "prompt/messages.h"

#include <stdlib.h>

#include "tap.h"


static prompt_arena_t  *arena;


static prompt_json_t *
json(const char *text)
{
    prompt_json_t        *value;
    prompt_json_error_t   error;

    value = prompt_json_read(arena, prompt_str_from(text), 64, &error);

    if (value == NULL) {
        diag("%s: %s", text, error.message);
        value = prompt_json_new(arena, PROMPT_JSON_ARRAY);
    }

    return value;
}


/* "field: message", or what is stored */
static void
check(const char *messages, const char *want)
{
    prompt_buf_t    out;
    prompt_str_t    text;
    prompt_check_t  rc;
    prompt_fault_t  fault;

    prompt_buf_init(&out, 4096);

    rc = prompt_messages_check(arena, json(messages), &text, &fault);

    if (rc == PROMPT_CHECK_FAULT) {
        prompt_buf_printf(&out, "%.*s: %.*s", prompt_str_arg(fault.field),
                          prompt_str_arg(fault.message));

    } else {
        prompt_buf_str(&out, text);
    }

    is_str(prompt_buf_view(&out), want, messages);
    prompt_buf_free(&out);
}


static void
test_check(void)
{
    check("[]", "");
    check("[{\"role\":\"SYSTEM\",\"content\":\"be {{x}}\"},"
          "{\"placeholder\":\"history\"}]",
          "[{\"role\":\"SYSTEM\",\"content\":\"be {{x}}\"},"
          "{\"placeholder\":\"history\"}]");
    check("[{\"content\":\"\",\"role\":\"USER\",\"placeholder\":null}]",
          "[{\"role\":\"USER\",\"content\":\"\"}]");
    check("[{}]", "messages.0: messages.0 must have either role and content, "
          "or placeholder");
    check("[{\"role\":\"USER\",\"content\":\"\",\"placeholder\":\"x\"}]",
          "messages.0: messages.0 must have either role and content, or "
          "placeholder");
    check("[{\"role\":\"USER\"}]", "messages.0: messages.0 must have either "
          "role and content, or placeholder");
    check("[{\"placeholder\":\"x\"},{\"content\":\"x\"}]",
          "messages.1.role: messages.1.role must be given with content");
    check("[{\"role\":\"USER\",\"placeholder\":\"x\"}]",
          "messages.0.role: messages.0.role must not be given with "
          "placeholder");
    check("[{\"placeholder\":\"\"}]", "messages.0.placeholder: "
          "messages.0.placeholder must not be empty");
    check("[{\"role\":\"USER\",\"content\":\"a\\n b{{{\"}]",
          "messages.0.content: messages.0.content has an error at line 2, "
          "column 3: \"{{{\" is not allowed");
    check("[{\"role\":\"USER\",\"content\":\"a\\u0000\"}]",
          "messages.0.content: messages.0.content must not contain U+0000");
}


static void
test_limits(void)
{
    unsigned        i;
    char           *text;
    prompt_str_t    stored;
    prompt_json_t  *list, *message;
    prompt_fault_t  fault;

    text = malloc(PROMPT_LIMIT_CONTENT + 1);
    memset(text, 'x', PROMPT_LIMIT_CONTENT + 1);

    list = prompt_json_new(arena, PROMPT_JSON_ARRAY);
    message = json("{\"role\":\"USER\"}");
    prompt_json_set(message, prompt_str("content"),
                    prompt_json_new_string(arena,
                               prompt_str_of(text, PROMPT_LIMIT_CONTENT + 1)));
    prompt_json_append(list, message);

    ok(prompt_messages_check(arena, list, &stored, &fault)
       == PROMPT_CHECK_FAULT, "more than 1 MiB");
    is_str(fault.field, "messages.0.content", "of which message");

    message->last->text.len--;
    is_int(prompt_messages_check(arena, list, &stored, &fault),
           PROMPT_CHECK_OK, "1 MiB");

    for (i = 1; i < 8; i++) {
        prompt_json_append(list, prompt_json_copy(arena, message));
    }

    ok(prompt_messages_check(arena, list, &stored, &fault)
       == PROMPT_CHECK_FAULT, "eight of them");
    is_str(fault.field, "messages", "too many together");

    list = prompt_json_new(arena, PROMPT_JSON_ARRAY);

    for (i = 0; i < 256; i++) {
        prompt_json_append(list, json("{\"placeholder\":\"x\"}"));
    }

    is_int(prompt_messages_check(arena, list, &stored, &fault),
           PROMPT_CHECK_OK, "256");
    prompt_json_append(list, json("{\"placeholder\":\"x\"}"));
    ok(prompt_messages_check(arena, list, &stored, &fault)
       == PROMPT_CHECK_FAULT, "257");
    is_str(fault.field, "messages", "field");

    free(text);
}


static const char *const  roles[] = { "S", "U", "A", "T", "D" };


/*
 * "S:text|U:text", or "field: message"; appended: NULL, or what stands behind,
 * "more"; max: of all texts together
 */
static void
render_behind(const char *messages, const char *content, const char *input,
    const char *more, size_t max, const char *want)
{
    size_t                       i;
    prompt_buf_t                 out, texts;
    prompt_check_t               rc;
    prompt_fault_t               fault;
    prompt_messages_t            all;
    const prompt_message_t      *message;
    prompt_messages_appended_t   appended;

    appended.list = more != NULL ? json(more) : NULL;
    appended.place = prompt_str("more");

    prompt_buf_init(&out, 4096);
    prompt_buf_init(&texts, max);

    rc = prompt_messages_render(arena, json(messages),
                                prompt_str_from(content), json(input), NULL,
                                &appended, &texts, &all, &fault);

    if (rc == PROMPT_CHECK_FAULT) {
        prompt_buf_printf(&out, "%.*s: %.*s", prompt_str_arg(fault.field),
                          prompt_str_arg(fault.message));

    } else if (rc == PROMPT_CHECK_OK) {

        for (i = 0; i < all.count; i++) {
            message = &all.list[i];
            prompt_buf_printf(&out, "%s%s:%.*s", i == 0 ? "" : "|",
                              roles[message->role],
                              prompt_str_arg(message->text));
        }
    }

    is_str(prompt_buf_view(&out), want, more != NULL ? more : input);

    prompt_buf_free(&texts);
    prompt_buf_free(&out);
}


static void
render(const char *messages, const char *content, const char *input,
    size_t max, const char *want)
{
    render_behind(messages, content, input, NULL, max, want);
}

#define SYSTEM   "{\"role\":\"SYSTEM\",\"content\":\"be {{tone}}\"}"
#define HISTORY  "{\"placeholder\":\"history\"}"
#define ANSWER   "{\"role\":\"ASSISTANT\",\"content\":\"\"}"


static void
test_render(void)
{
    render("[]", "{{x}}", "{\"x\":1}", 100, "U:1");
    render("[" SYSTEM "," HISTORY "," ANSWER "]", "{{x}}",
           "{\"x\":1,\"tone\":\"kind\"}", 100, "S:be kind|A:|U:1");
    render("[" SYSTEM "," HISTORY "]", "{{x}}",
           "{\"x\":1,\"tone\":\"kind\",\"history\":null}", 100,
           "S:be kind|U:1");
    render("[" SYSTEM "," HISTORY "]", "{{x}}",
           "{\"x\":\"{{tone}}\",\"tone\":\"\",\"history\":"
           "[{\"role\":\"user\",\"content\":\"{{x}}\"},"
           "{\"content\":\"\\\\{{\",\"role\":\"assistant\"},"
           "{\"role\":\"system\",\"content\":\"\"}]}", 100,
           "S:be |U:{{x}}|A:\\{{|S:|U:{{tone}}");
    render("[" HISTORY "," HISTORY "]", "",
           "{\"history\":[{\"role\":\"user\",\"content\":\"a\"}]}", 100,
           "U:a|U:a|U:");
    render("[" SYSTEM "]", "", "{}", 100,
           "tone: no value for the placeholder {{tone}}");
}


#define NO_CONTENT(field)                                                     \
    field ": " field " must be a string, an array of parts, or, beside "      \
    "tool_calls, null"


static void
test_history(void)
{
    render("[" HISTORY "]", "", "{\"history\":\"x\"}", 100,
           "history: history must be an array of messages");
    render("[" HISTORY "]", "", "{\"history\":[1]}", 100,
           "history.0: history.0 must be an object with role and content");
    render("[" HISTORY "]", "",
           "{\"history\":[{\"role\":\"user\",\"content\":\"\"},"
           "{\"role\":\"USER\",\"content\":\"\"}]}", 100,
           "history.1.role: history.1.role must be \"system\", "
           "\"developer\", \"user\", \"assistant\" or \"tool\"");
    render("[" HISTORY "]", "", "{\"history\":[{\"role\":\"user\"}]}", 100,
           NO_CONTENT("history.0.content"));
    render("[" HISTORY "]", "",
           "{\"history\":[{\"role\":\"user\",\"content\":[\"x\"]}]}", 100,
           "history.0.content.0: history.0.content.0 must be an object");
    render("[" HISTORY "]", "",
           "{\"history\":[{\"role\":\"user\",\"content\":\"\",\"name\":1}]}",
           100, "history.0.name: history.0.name must be a string");
    render("[" HISTORY "]", "",
           "{\"history\":[{\"role\":\"user\",\"content\":\"\",\"nose\":1}]}",
           100, "history.0.nose: history.0.nose is no part of a message");
    /* libraries give answers back with such ones */
    render("[" HISTORY "]", "x",
           "{\"history\":[{\"role\":\"user\",\"content\":\"\",\"nose\":null}]}",
           100, "U:|U:x");
}


static void
test_together(void)
{
    const char  *limit;

    limit = "input: the rendered prompt must not be longer than 8 bytes";

    render("[" SYSTEM "]", "1234", "{\"tone\":\"x\"}", 8, "S:be x|U:1234");
    render("[" SYSTEM "]", "12345", "{\"tone\":\"x\"}", 8, limit);
    render("[" HISTORY "," SYSTEM "]", "",
           "{\"tone\":\"x\",\"history\":"
           "[{\"role\":\"user\",\"content\":\"1234\"}]}", 8,
           "U:1234|S:be x|U:");
    render("[" HISTORY "," SYSTEM "]", "",
           "{\"tone\":\"x\",\"history\":"
           "[{\"role\":\"user\",\"content\":\"12345\"}]}", 8, limit);
    render("[" SYSTEM "," HISTORY "]", "",
           "{\"tone\":\"x\",\"history\":"
           "[{\"role\":\"user\",\"content\":\"12345\"}]}", 8, limit);
}


/* short messages many times over: nobody could have a use for them */
static void
test_many(void)
{
    unsigned           i;
    prompt_buf_t       texts;
    prompt_json_t     *history, *input, *before;
    prompt_fault_t     fault;
    prompt_messages_t  all;

    history = prompt_json_new(arena, PROMPT_JSON_ARRAY);

    for (i = 0; i < 1000; i++) {
        prompt_json_append(history, json("{\"role\":\"user\","
                                         "\"content\":\"\"}"));
    }

    input = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    prompt_json_set(input, prompt_str("history"), history);
    before = prompt_json_new(arena, PROMPT_JSON_ARRAY);

    for (i = 0; i < 66; i++) {
        prompt_json_append(before, json(HISTORY));
    }

    prompt_buf_init(&texts, 100);
    ok(prompt_messages_render(arena, before, prompt_str(""), input, NULL, NULL,
                              &texts, &all, &fault) == PROMPT_CHECK_FAULT,
       "too many messages");
    is_str(fault.field, "history", "of which input");
    prompt_buf_free(&texts);
}


/* n empty messages as the input "history", and a placeholder after another */
static prompt_check_t
long_history(unsigned n, const char *messages, prompt_fault_t *fault,
    prompt_messages_t *all)
{
    unsigned        i;
    prompt_buf_t    texts;
    prompt_json_t  *history, *input, *message;
    prompt_check_t  rc;

    history = prompt_json_new(arena, PROMPT_JSON_ARRAY);
    message = json("{\"role\":\"user\",\"content\":\"\"}");

    for (i = 0; i < n; i++) {
        prompt_json_append(history, prompt_json_copy(arena, message));
    }

    input = json("{\"tone\":\"\"}");
    prompt_json_set(input, prompt_str("history"), history);

    prompt_buf_init(&texts, 100);
    rc = prompt_messages_render(arena, json(messages), prompt_str(""), input,
                                NULL, NULL, &texts, all, fault);
    prompt_buf_free(&texts);

    return rc;
}


/* what is no history counts, too, and what comes after the last that fits */
static void
test_most(void)
{
    prompt_fault_t     fault;
    prompt_messages_t  all;

    is_int(long_history(PROMPT_LIMIT_CONVERSATION - 1, "[" HISTORY "]",
                        &fault, &all), PROMPT_CHECK_OK, "as many as may be");
    is_int(all.count, PROMPT_LIMIT_CONVERSATION, "with the content");

    is_int(long_history(PROMPT_LIMIT_CONVERSATION, "[" HISTORY "]", &fault,
                        &all), PROMPT_CHECK_FAULT, "the content is too much");
    is_str(fault.field, "input", "because of the input");

    is_int(long_history(PROMPT_LIMIT_CONVERSATION, "[" HISTORY "," SYSTEM ","
                        HISTORY "]", &fault, &all), PROMPT_CHECK_FAULT,
           "a message too much does not make room for a history");
}


/* looking for histories takes steps, as looking for values does */
static void
test_steps(void)
{
    unsigned           i;
    prompt_buf_t       texts;
    prompt_json_t     *input, *before;
    prompt_fault_t     fault;
    prompt_messages_t  all;

    input = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    before = prompt_json_new(arena, PROMPT_JSON_ARRAY);

    for (i = 0; i < 10000; i++) {
        prompt_json_set(input, prompt_arena_printf(arena, "x%u", i),
                        prompt_json_new_integer(arena, 1));
    }

    for (i = 0; i < PROMPT_LIMIT_MESSAGE_COUNT; i++) {
        prompt_json_append(before, json(HISTORY));
    }

    prompt_buf_init(&texts, 100);
    is_int(prompt_messages_render(arena, before, prompt_str(""), input, NULL,
                                  NULL, &texts, &all, &fault),
           PROMPT_CHECK_FAULT, "many histories in a large input");
    is_str(fault.message, "input is too large for so many placeholders",
           "are refused");
    prompt_buf_free(&texts);
}


#define CALLS(id)                                                             \
    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"" id  \
    "\",\"type\":\"function\",\"function\":{\"name\":\"f\","               \
    "\"arguments\":\"{}\"}}]}"
#define ANSWERS(id)                                                           \
    "{\"role\":\"tool\",\"tool_call_id\":\"" id "\",\"content\":\"r\"}"
#define USER  "{\"role\":\"user\",\"content\":\"{{x}}\"}"


/* what stands behind all: nothing of it is expanded */
static void
test_appended(void)
{
    render_behind("[" SYSTEM "]", "hello", "{\"tone\":\"x\"}",
                  "[" USER ",{\"role\":\"developer\",\"content\":\"d\"}]",
                  100, "S:be x|U:hello|U:{{x}}|D:d");
    render_behind("[" HISTORY "]", "b",
                  "{\"history\":[{\"role\":\"user\",\"content\":\"a\"}]}",
                  "[" USER "]", 100, "U:a|U:b|U:{{x}}");
    render_behind("[]", "b", "{}", "[]", 100, "U:b");

    /* an empty content is no message then */

    render_behind("[]", "", "{}", NULL, 100, "U:");
    render_behind("[]", "", "{}", "[" USER "]", 100, "U:{{x}}");
    render_behind("[" SYSTEM "]", "", "{\"tone\":\"\"}", "[" USER "]", 100,
                  "S:be |U:{{x}}");

    /* calls of tools, and what answers them */

    render_behind("[]", "q", "{}", "[" CALLS("c") "," ANSWERS("c") "]", 100,
                  "U:q|A:|T:r");
    render_behind("[]", "q", "{}", "[" ANSWERS("c") "]", 100,
                  "more.0.tool_call_id: more.0.tool_call_id must be the id of "
                  "a call that the assistant's message before it made, and "
                  "that is not answered yet");
    render_behind("[]", "q", "{}", "[" CALLS("c") "," ANSWERS("d") "]", 100,
                  "more.1.tool_call_id: more.1.tool_call_id must be the id of "
                  "a call that the assistant's message before it made, and "
                  "that is not answered yet");

    /* faults, each with its path */

    render_behind("[]", "q", "{}", "{}", 100,
                  "more: more must be an array of messages");
    render_behind("[]", "q", "{}", "[" USER ",3]", 100, "more.1: more.1 must "
                  "be an object with role and content");
    render_behind("[]", "q", "{}", "[{\"role\":\"x\",\"content\":\"\"}]",
                  100, "more.0.role: more.0.role must be \"system\", "
                  "\"developer\", \"user\", \"assistant\" or \"tool\"");
    render_behind("[]", "q", "{}", "[{\"role\":\"user\",\"content\":"
                  "[{\"type\":\"text\",\"text\":1}]}]", 100,
                  "more.0.content.0.text: more.0.content.0.text must be a "
                  "string");
    render_behind("[]", "12345", "{}", "[" USER "]", 8,
                  "input: the rendered prompt must not be longer than 8 "
                  "bytes");
}

#undef CALLS
#undef ANSWERS
#undef USER


static void
test_fields(void)
{
    prompt_message_t  message;

    memset(&message, 0, sizeof(message));
    message.index = 3;
    is_str(prompt_message_field(arena, &message, ".toolCalls",
                                ".tool_calls"),
           "messages.3.toolCalls", "a version's");
    message.history = prompt_str("past");
    is_str(prompt_message_field(arena, &message, ".toolCalls",
                                ".tool_calls"),
           "past.3.tool_calls", "an input's");
    is_str(prompt_role_name(PROMPT_ROLE_ASSISTANT), "assistant", "a role");
}


int
main(void)
{
    arena = prompt_arena_create(256 * 1024 * 1024);

    test_check();
    test_limits();
    test_render();
    test_history();
    test_together();
    test_many();
    test_most();
    test_steps();
    test_appended();
    test_fields();

    prompt_arena_destroy(arena);

    return done_testing();
}
