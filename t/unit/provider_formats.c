/*
 * Providers: the formats responses and gemini, requests, answers, streams; and
 * what formats have in common in streams as they are.
 */

#include "provider/stream.h"

#include <stdlib.h>

#include "tap.h"


#define LIMIT  (64 * 1024)


static prompt_arena_t  *arena;

/* of what follows */
static const prompt_provider_format_t  *format = &prompt_provider_responses;


static prompt_json_t *
json(const char *text)
{
    prompt_json_t        *value;
    prompt_json_error_t   error;

    value = prompt_json_read(arena, prompt_str_from(text), 64, &error);

    if (value == NULL) {
        diag("%s: %s", text, error.message);
    }

    return value;
}


/* what is written, or the field of the fault */
static prompt_str_t
written(const prompt_message_t *list, size_t count, const char *params,
    const char *schema, bool streamed)
{
    prompt_buf_t                out;
    prompt_str_t                copy;
    prompt_fault_t              fault;
    prompt_provider_rules_t     rules;
    prompt_provider_request_t   call;

    memset(&call, 0, sizeof(call));
    memset(&rules, 0, sizeof(rules));
    call.format = format;
    call.params = json(params);
    call.model = prompt_str("m");
    call.messages.list = list;
    call.messages.count = count;
    call.stream = streamed;

    if (schema != NULL) {
        call.output_schema = json(schema);
    }

    if (prompt_provider_check_params(arena, format, &rules,
                                     prompt_str("params"), call.params, &fault)
        != PROMPT_CHECK_OK
        || prompt_provider_check(arena, &call, &fault) != PROMPT_CHECK_OK)
    {
        return fault.field;
    }

    prompt_buf_init(&out, PROMPT_LIMIT_REQUEST);
    prompt_provider_request(&call, &out);
    copy = prompt_arena_copy(arena, prompt_buf_view(&out));

    ok(prompt_json_read(arena, copy, 64, &(prompt_json_error_t) { 0 }) != NULL,
       "JSON is written");
    prompt_buf_free(&out);

    return copy;
}


/* of one message, "hi" */
static void
params(const char *text, const char *schema, const char *want)
{
    prompt_buf_t      all;
    prompt_str_t      got;
    prompt_message_t  message;

    memset(&message, 0, sizeof(message));
    message.role = PROMPT_ROLE_USER;
    message.text = prompt_str("hi");

    prompt_buf_init(&all, LIMIT);

    if (want[0] == '+') {
        prompt_buf_str(&all, format == &prompt_provider_responses
            ? prompt_str("{\"model\":\"m\",\"input\":[{\"role\":\"user\","
                         "\"content\":\"hi\"}],\"store\":false")
            : prompt_str("{\"contents\":[{\"role\":\"user\",\"parts\":["
                         "{\"text\":\"hi\"}]}]"));
        want++;
    }

    prompt_buf_str(&all, prompt_str_from(want));
    prompt_buf_char(&all, '\0');

    got = written(&message, 1, text, schema, false);
    is_str(got, all.data, text);
    prompt_buf_free(&all);
}


static void
test_responses_params(void)
{
    format = &prompt_provider_responses;

    params("{}", NULL, "+}");
    params("{\"model\":\"x\",\"temperature\":0.20,\"top_p\":null}", NULL,
           "+,\"temperature\":0.20}");
    params("{\"max_tokens\":5,\"max_completion_tokens\":6}", NULL,
           "+,\"max_output_tokens\":5}");
    params("{\"max_tokens\":5,\"max_output_tokens\":6}", NULL,
           "+,\"max_output_tokens\":6}");
    params("{\"reasoning_effort\":\"low\",\"verbosity\":\"low\"}", NULL,
           "+,\"include\":[\"reasoning.encrypted_content\"],"
           "\"text\":{\"verbosity\":\"low\"},"
           "\"reasoning\":{\"effort\":\"low\"}}");
    params("{\"reasoning_effort\":\"low\",\"reasoning\":{\"effort\":\"high\","
           "\"summary\":\"auto\"},\"include\":[]}", NULL,
           "+,\"include\":[],\"reasoning\":{\"effort\":\"high\","
           "\"summary\":\"auto\"}}");
    params("{\"text\":{\"verbosity\":\"high\"},\"response_format\":"
           "{\"type\":\"json_object\"}}", NULL,
           "+,\"text\":{\"format\":{\"type\":\"json_object\"},"
           "\"verbosity\":\"high\"}}");
    params("{\"response_format\":{\"type\":\"json_schema\",\"json_schema\":"
           "{\"name\":\"n\",\"strict\":true,\"schema\":{}}}}", NULL,
           "+,\"text\":{\"format\":{\"type\":\"json_schema\",\"name\":\"n\","
           "\"strict\":true,\"schema\":{}}}}");
    params("{\"seed\":null}", "{\"type\":\"object\"}",
           "+,\"text\":{\"format\":{\"type\":\"json_schema\","
           "\"name\":\"output\",\"schema\":{\"type\":\"object\"}}}}");
    params("{\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\","
           "\"description\":null,\"parameters\":{\"x\":1.0}}},"
           "{\"type\":\"function\",\"function\":{\"name\":\"g\","
           "\"strict\":true}},{\"type\":\"custom\",\"name\":\"h\"}],"
           "\"tool_choice\":{\"type\":\"function\",\"function\":"
           "{\"name\":\"f\"}},\"parallel_tool_calls\":false}", NULL,
           "+,\"tools\":[{\"type\":\"function\",\"name\":\"f\","
           "\"parameters\":{\"x\":1.0},\"strict\":false},"
           "{\"type\":\"function\",\"name\":\"g\",\"strict\":true},"
           "{\"type\":\"custom\",\"name\":\"h\"}],"
           "\"tool_choice\":{\"type\":\"function\",\"name\":\"f\"},"
           "\"parallel_tool_calls\":false}");
    params("{\"tool_choice\":\"required\",\"tools\":[]}", NULL,
           "+,\"tool_choice\":\"required\",\"tools\":[]}");

    params("{\"stop\":\"x\"}", NULL, "params.stop");
    params("{\"seed\":1}", NULL, "params.seed");
    params("{\"text\":\"x\"}", NULL, "params.text");
    params("{\"background\":true}", NULL, "params.background");
    params("{\"store\":true}", NULL, "params.store");
    params("{\"tools\":[{\"type\":\"web_search\"}]}", NULL, "params.tools");
    params("{\"unheard\":1}", NULL, "params.unheard");
}


static void
test_gemini_params(void)
{
#define CONFIG(members)  "+,\"generationConfig\":{" members "}}"

    format = &prompt_provider_gemini;

    params("{}", NULL, "+}");
    params("{\"temperature\":0.2,\"top_p\":0.5,\"top_k\":3,\"seed\":1,"
           "\"max_completion_tokens\":5,\"stop\":\"x\"}", NULL,
           CONFIG("\"temperature\":0.2,\"topP\":0.5,\"topK\":3,\"seed\":1,"
                  "\"maxOutputTokens\":5,\"stopSequences\":[\"x\"]"));
    params("{\"stop\":[\"x\",\"y\"],\"presence_penalty\":1,"
           "\"frequency_penalty\":2}", NULL,
           CONFIG("\"stopSequences\":[\"x\",\"y\"],\"presencePenalty\":1,"
                  "\"frequencyPenalty\":2"));
    params("{\"stop\":[]}", NULL, CONFIG("\"stopSequences\":[]"));
    params("{\"top_k\":3,\"generationConfig\":{\"topK\":4,"
           "\"mediaResolution\":\"MEDIA_RESOLUTION_LOW\"}}", NULL,
           CONFIG("\"topK\":4,\"mediaResolution\":\"MEDIA_RESOLUTION_LOW\""));
    params("{\"reasoning_effort\":\"high\"}", NULL,
           CONFIG("\"thinkingConfig\":{\"thinkingLevel\":\"high\"}"));
    params("{\"response_format\":{\"type\":\"json_object\"}}", NULL,
           CONFIG("\"responseMimeType\":\"application/json\""));
    params("{\"response_format\":{\"type\":\"text\"}}", NULL,
           CONFIG("\"responseMimeType\":\"text/plain\""));
    params("{}", "{\"type\":\"object\"}",
           CONFIG("\"responseMimeType\":\"application/json\","
                  "\"responseJsonSchema\":{\"type\":\"object\"}"));
    params("{\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\","
           "\"strict\":true,\"parameters\":{\"x\":1.0}}},"
           "{\"functionDeclarations\":[]},"
           "{\"type\":\"function\",\"function\":{\"name\":\"g\"}}],"
           "\"tool_choice\":\"required\"}", NULL,
           "+,\"tools\":[{\"functionDeclarations\":[{\"name\":\"f\","
           "\"parametersJsonSchema\":{\"x\":1.0}},{\"name\":\"g\"}]},"
           "{\"functionDeclarations\":[]}],"
           "\"toolConfig\":{\"functionCallingConfig\":{\"mode\":\"ANY\"}}}");
    params("{\"tool_choice\":{\"function\":{\"name\":\"f\"}},\"tools\":[]}",
           NULL, "+,\"toolConfig\":{\"functionCallingConfig\":{\"mode\":"
           "\"ANY\",\"allowedFunctionNames\":[\"f\"]}},\"tools\":[]}");
    params("{\"safetySettings\":[]}", NULL, "+,\"safetySettings\":[]}");

    params("{\"tool_choice\":\"any\"}", NULL, "params.tool_choice");
    params("{\"reasoning_effort\":\"extreme\"}", NULL,
           "params.reasoning_effort");
    params("{\"response_format\":{\"type\":\"xml\"}}", NULL,
           "params.response_format");
    params("{\"generationConfig\":{\"candidateCount\":2}}", NULL,
           "params.generationConfig");
    params("{\"generationConfig\":{\"maxOutputTokens\":2}}", NULL,
           "params.generationConfig");
    params("{\"tools\":[{\"googleSearch\":{}}]}", NULL, "params.tools");
    params("{\"parallel_tool_calls\":true}", NULL,
           "params.parallel_tool_calls");
    params("{\"cachedContent\":\"x\"}", NULL, "params.cachedContent");
}


/* a conversation with tools, pictures, and what an answer gave along */
#define SYSTEM     { .role = PROMPT_ROLE_SYSTEM, .text = S("be") }
#define DEVELOPER  { .role = PROMPT_ROLE_DEVELOPER, .text = S("brief") }
#define S(text)    prompt_str_init(text)
#define PIXEL      "data:image/png;base64,iVBO"

static const prompt_message_part_t  parts[] = {
    { .text = S("what is \"it\"?") },
    { .image = S(PIXEL) }
};

static const prompt_message_part_t  elsewhere[] = {
    { .image = S("https://example.com/a.png") }
};

static const prompt_message_call_t  calls[] = {
    { S("a"), S("f"), S("{\"x\": 1}") },
    { S("b"), S("g"), S("") }
};

static const prompt_message_call_t  strange[] = {
    { S("a"), S("f"), S("[1]") }
};


static void
test_responses_messages(void)
{
    prompt_message_t  list[] = {
        SYSTEM,
        { .role = PROMPT_ROLE_USER, .parts = parts, .nparts = 2 },
        { .role = PROMPT_ROLE_ASSISTANT, .text = S("so"), .calls = calls,
          .ncalls = 2 },
        { .role = PROMPT_ROLE_TOOL, .text = S("12"), .call_id = S("b") },
        DEVELOPER,
        { .role = PROMPT_ROLE_USER, .text = S("go on") }
    };

#define BACK  "{\"format\":\"responses\",\"opaque\":["

    format = &prompt_provider_responses;

    is_str(written(list, 6, "{}", NULL, true),
           "{\"model\":\"m\",\"input\":["
           "{\"role\":\"system\",\"content\":\"be\"},"
           "{\"role\":\"user\",\"content\":[{\"type\":\"input_text\","
           "\"text\":\"what is \\\"it\\\"?\"},{\"type\":\"input_image\","
           "\"image_url\":\"" PIXEL "\"}]},"
           "{\"role\":\"assistant\",\"content\":\"so\"},"
           "{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"f\","
           "\"arguments\":\"{\\\"x\\\": 1}\"},"
           "{\"type\":\"function_call\",\"call_id\":\"b\",\"name\":\"g\","
           "\"arguments\":\"\"},"
           "{\"type\":\"function_call_output\",\"call_id\":\"b\","
           "\"output\":\"12\"},"
           "{\"role\":\"developer\",\"content\":\"brief\"},"
           "{\"role\":\"user\",\"content\":\"go on\"}],"
           "\"store\":false,\"stream\":true}", "a conversation, as items");

    list[2].provider = json(BACK "{\"type\":\"reasoning\",\"id\":\"r\","
                            "\"encrypted_content\":\"e\"},"
                            "\"call\",{\"type\":\"message\"},3,\"message\","
                            "{\"type\":\"reasoning\",\"id\":\"rs_theirs\"},"
                            "{\"type\":\"reasoning\",\"id\":\"s\","
                            "\"encrypted_content\":\"e\"},\"call\","
                            "\"call\"]}");
    is_str(written(&list[2], 1, "{}", NULL, false),
           "{\"model\":\"m\",\"input\":["
           "{\"type\":\"reasoning\",\"id\":\"r\",\"encrypted_content\":\"e\"},"
           "{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"f\","
           "\"arguments\":\"{\\\"x\\\": 1}\"},"
           "{\"role\":\"assistant\",\"content\":\"so\"},"
           "{\"type\":\"reasoning\",\"id\":\"s\",\"encrypted_content\":\"e\"},"
           "{\"type\":\"function_call\",\"call_id\":\"b\",\"name\":\"g\","
           "\"arguments\":\"\"}],\"store\":false}",
           "reasoning goes back where it stood, and nothing else does");

    list[2].provider = json("{\"format\":\"openai\",\"opaque\":["
                            "{\"type\":\"reasoning\"}]}");
    list[2].ncalls = 0;
    is_str(written(&list[2], 1, "{}", NULL, false),
           "{\"model\":\"m\",\"input\":[{\"role\":\"assistant\","
           "\"content\":\"so\"}],\"store\":false}",
           "what another format gave does not");
}


static void
test_gemini_messages(void)
{
    prompt_message_t  list[] = {
        SYSTEM, DEVELOPER,
        { .role = PROMPT_ROLE_USER, .parts = parts, .nparts = 2 },
        { .role = PROMPT_ROLE_ASSISTANT, .calls = calls, .ncalls = 2 },
        { .role = PROMPT_ROLE_TOOL, .text = S("12"), .call_id = S("b") },
        { .role = PROMPT_ROLE_TOOL, .text = S("{\"y\":2}"),
          .call_id = S("a") },
        { .role = PROMPT_ROLE_USER, .text = S("go on"), .history = S("h"),
          .index = 7 }
    };

    format = &prompt_provider_gemini;

#define RESULTS                                                              \
    "{\"role\":\"user\",\"parts\":["                                         \
    "{\"functionResponse\":{\"name\":\"g\",\"response\":{\"output\":"        \
    "\"12\"}}},{\"functionResponse\":{\"name\":\"f\",\"response\":"          \
    "{\"y\":2}}}]}"
#define CALLED(first, second)                                                \
    "{\"functionCall\":{\"name\":\"f\",\"args\":{\"x\": 1}}" first "},"      \
    "{\"functionCall\":{\"name\":\"g\",\"args\":{}}" second "}"

    is_str(written(list, 7, "{}", NULL, true),
           "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":"
           "\"what is \\\"it\\\"?\"},{\"inlineData\":{\"mimeType\":"
           "\"image/png\",\"data\":\"iVBO\"}}]},"
           "{\"role\":\"model\",\"parts\":["
           CALLED(",\"thoughtSignature\":\"skip_thought_signature_validator\"",
                  "") "]}," RESULTS ","
           "{\"role\":\"user\",\"parts\":[{\"text\":\"go on\"}]}],"
           "\"systemInstruction\":{\"parts\":[{\"text\":\"be\"},"
           "{\"text\":\"brief\"}]}}", "a conversation, with tools");

    list[3].text = prompt_str("so");
    list[3].provider = json("{\"format\":\"gemini\",\"opaque\":["
                            "{\"signature\":\"T\"},"
                            "{\"signature\":\"U\",\"call\":1},"
                            "{\"signature\":5,\"call\":2},{}]}");
    is_str(written(&list[3], 3, "{}", NULL, true),
           "{\"contents\":[{\"role\":\"model\",\"parts\":[{\"text\":\"so\"},"
           CALLED("", ",\"thoughtSignature\":\"U\"") "]}," RESULTS "]}",
           "signatures go back to their calls");

    list[3].ncalls = 0;
    list[3].provider = json("{\"format\":\"gemini\",\"opaque\":["
                            "{\"signature\":\"T\"}]}");
    is_str(written(&list[3], 1, "{}", NULL, true),
           "{\"contents\":[{\"role\":\"model\",\"parts\":[{\"text\":\"so\","
           "\"thoughtSignature\":\"T\"}]}]}", "and to their text");

    is_str(written(&list[4], 1, "{}", NULL, true), "messages.0",
           "a result of a call that is not there");

    list[6].parts = elsewhere;
    list[6].nparts = 1;
    is_str(written(&list[6], 1, "{}", NULL, true), "h.7",
           "a picture that is elsewhere");

    list[6].nparts = 0;
    list[6].role = PROMPT_ROLE_DEVELOPER;
    is_str(written(&list[5], 2, "{}", NULL, true), "h.7",
           "a late instruction");

    list[6].role = PROMPT_ROLE_ASSISTANT;
    list[6].calls = strange;
    list[6].ncalls = 1;
    is_str(written(&list[6], 1, "{}", NULL, true),
           "h.7.tool_calls.0.function.arguments",
           "arguments that are no object");

    is_str(written(list, 3, "{\"systemInstruction\":{}}", NULL, true),
           "params.systemInstruction", "two instructions");
}


static void
test_uris(void)
{
    size_t                     i;
    prompt_buf_t               out;
    prompt_provider_request_t  call;

    static const struct {
        const prompt_provider_format_t  *format;
        const char                      *model;
        bool                             stream;
        const char                      *want;
    } cases[] = {
        { &prompt_provider_openai, "gpt", true, "/v1/chat/completions" },
        { &prompt_provider_responses, "gpt", false, "/v1/responses" },
        { &prompt_provider_anthropic, "claude", false, "/v1/messages" },
        { &prompt_provider_gemini, "gemini-2.5-flash", true,
          "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse" },
        { &prompt_provider_gemini, "a/../b:c?d\r\n%\xc3\xa4", false,
          "/v1beta/models/a%2F..%2Fb%3Ac%3Fd%0D%0A%25%C3%A4"
          ":generateContent" }
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        memset(&call, 0, sizeof(call));
        call.format = cases[i].format;
        call.model = prompt_str_from(cases[i].model);
        call.stream = cases[i].stream;

        prompt_buf_init(&out, LIMIT);
        prompt_provider_uri(&call, &out);
        is_str(prompt_buf_view(&out), cases[i].want, cases[i].want);
        prompt_buf_free(&out);
    }
}


/* a budget in place of a level */
static void
test_budget(void)
{
    prompt_buf_t               out;
    prompt_message_t           message;
    prompt_provider_request_t  call;

    memset(&message, 0, sizeof(message));
    message.role = PROMPT_ROLE_ASSISTANT;
    message.calls = calls;
    message.ncalls = 2;

    memset(&call, 0, sizeof(call));
    call.format = &prompt_provider_gemini;
    call.model = prompt_str("gemini-2.5-flash");
    call.max_tokens = 100;
    call.params = json("{\"reasoning_effort\":\"none\"}");
    call.messages.list = &message;
    call.messages.count = 1;

    prompt_buf_init(&out, LIMIT);
    prompt_provider_request(&call, &out);
    is_str(prompt_buf_view(&out), "{\"contents\":[{\"role\":\"model\","
           "\"parts\":[" CALLED("", "") "]}],\"generationConfig\":{"
           "\"maxOutputTokens\":100,"
           "\"thinkingConfig\":{\"thinkingBudget\":0}}}",
           "a model that counts what it thinks");
    prompt_buf_free(&out);

    call.format = &prompt_provider_responses;
    prompt_provider_request(&call, &out);
    ok(memcmp(out.data + out.len - 24, "\"max_output_tokens\":100,", 24) != 0,
       "the most that may be asked for");
    prompt_buf_free(&out);
}


/* outcome, in/cached/out/reasoning, finish|output|calls|opaque */
static prompt_str_t
described(const prompt_provider_answer_t *got)
{
    size_t              i;
    prompt_str_t        text;
    const prompt_str_t  members[] = {
        got->finish, got->output, got->tool_calls, got->opaque
    };

    text = prompt_arena_printf(arena, "%d %lld/%lld/%lld/%lld%s ",
                               (int) got->outcome, (long long) got->usage.in,
                               (long long) got->usage.cached,
                               (long long) got->usage.out,
                               (long long) got->usage.reasoning,
                               got->usage.more && got->usage.in >= 0
                               ? "+" : "");

    for (i = 0; got->outcome == PROMPT_PROVIDER_DONE && i < 4; i++) {
        text = prompt_arena_printf(arena, "%.*s%s%.*s", prompt_str_arg(text),
                                   i != 0 ? "|" : "",
                                   prompt_str_arg(members[i]));
    }

    return text;
}


static void
answer(unsigned status, const char *body, const char *want)
{
    prompt_provider_answer_t  got;

    if (!prompt_provider_answer(arena, format, status, prompt_str_from(body),
                                &got))
    {
        ok(false, body);
        return;
    }

    is_str(described(&got), want, body);
}


static prompt_str_t
streamed(prompt_str_t text, size_t size, prompt_buf_t *shown)
{
    size_t                           at, n;
    prompt_str_t                     copy;
    const char                      *pos, *end;
    prompt_provider_answer_t         got;
    prompt_provider_stream_t         stream;
    prompt_provider_stream_status_t  status;

    prompt_provider_stream_init(&stream, format, LIMIT);
    status = PROMPT_PROVIDER_STREAM_MORE;

    for (at = 0; at < text.len && status <= PROMPT_PROVIDER_STREAM_TEXT;
         at += n)
    {
        n = text.len - at < size ? text.len - at : size;
        pos = text.data + at;
        end = pos + n;

        do {
            status = prompt_provider_stream_read(&stream, &pos, end);

            if (status == PROMPT_PROVIDER_STREAM_TEXT) {
                prompt_buf_str(shown, stream.text);
            }

        } while (status == PROMPT_PROVIDER_STREAM_TEXT);
    }

    copy = prompt_str("none");

    if (prompt_provider_stream_answer(&stream, arena, 200, &got)) {
        copy = described(&got);
    }

    prompt_provider_stream_free(&stream);

    return copy;
}


/* in pieces of every size */
static void
stream(const char *text, const char *want, const char *shown,
    const char *title)
{
    bool          same;
    size_t        size;
    prompt_str_t  all, got;
    prompt_buf_t  out;

    same = true;
    all = prompt_str_from(text);

    for (size = 1; size <= all.len && same; size++) {
        prompt_buf_init(&out, LIMIT);
        got = streamed(all, size, &out);

        same = prompt_str_eq(got, prompt_str_from(want))
               && prompt_str_eq(prompt_buf_view(&out), prompt_str_from(shown));

        if (!same) {
            diag("in pieces of %zu: %.*s, shown: %.*s", size,
                 prompt_str_arg(got), prompt_str_arg(prompt_buf_view(&out)));
        }

        prompt_buf_free(&out);
    }

    ok(same, title);
}


#define MESSAGE(content)  "{\"content\":[" content "],\"type\":\"message\"}"
#define OUTPUT_TEXT(text)                                                    \
    "{\"type\":\"output_text\",\"text\":\"" text "\",\"annotations\":[],"    \
    "\"logprobs\":[{\"text\":\"no\"}]}"
#define REASONING                                                            \
    "{\"type\":\"reasoning\", \"id\":\"r\",\"summary\":[{\"type\":"          \
    "\"summary_text\",\"text\":\"no\"}],\"encrypted_content\":\"x y\"}"
#define KEPT                                                                 \
    "{\"type\":\"reasoning\",\"id\":\"r\",\"summary\":[{\"type\":"           \
    "\"summary_text\",\"text\":\"no\"}],\"encrypted_content\":\"x y\"}"
#define FUNCTION(id, name, arguments)                                        \
    "{\"type\":\"function_call\",\"id\":\"i\",\"call_id\":\"" id "\","       \
    "\"name\":\"" name "\",\"arguments\":\"" arguments "\"}"
#define CALL(id, name, arguments)                                            \
    "{\"id\":\"" id "\",\"name\":\"" name "\",\"arguments\":\"" arguments   \
    "\"}"


static void
test_responses_answers(void)
{
    format = &prompt_provider_responses;

    answer(200, "{\"status\":\"completed\",\"output\":[],\"error\":null}",
           "0 -1/-1/-1/-1 completed|||");
    answer(200, "{\"output\":[{\"type\":\"reasoning\",\"content\":[{\"type\":"
           "\"reasoning_text\",\"text\":\"no\"}]}," MESSAGE(OUTPUT_TEXT("a") ","
           OUTPUT_TEXT("b")) "," MESSAGE(OUTPUT_TEXT("c")) "],"
           "\"status\":\"completed\",\"usage\":{\"input_tokens\":9,"
           "\"output_tokens\":5,\"input_tokens_details\":{\"cached_tokens\":4},"
           "\"output_tokens_details\":{\"reasoning_tokens\":3}}}",
           "0 9/4/5/3 completed|abc||");
    answer(200, "{\"output\":[" REASONING "," FUNCTION("a", "f", "{}") ","
           MESSAGE(OUTPUT_TEXT("b")) "],\"status\":\"completed\"}",
           "0 -1/-1/-1/-1 completed|b|[" CALL("a", "f", "{}") "]|["
           KEPT ",\"call\",\"message\"]");
    answer(200, "{\"output\":[{\"type\":\"custom_tool_call\",\"call_id\":"
           "\"a\",\"name\":\"f\",\"input\":\"x y\"},"
           "{\"type\":\"web_search_call\",\"name\":\"g\"},5],"
           "\"status\":\"completed\"}",
           "0 -1/-1/-1/-1 completed||[" CALL("a", "f", "x y") "]|");
    answer(200, "{\"usage\":{\"input_tokens\":1,\"output_tokens\":1},"
           "\"output\":[{\"type\":\"web_search_call\"}],"
           "\"status\":\"completed\"}", "0 1/-1/1/-1+ completed|||");
    answer(200, "{\"usage\":{\"input_tokens\":1,\"output_tokens\":1},"
           "\"service_tier\":\"flex\",\"output\":[],"
           "\"status\":\"completed\"}", "0 1/-1/1/-1+ completed|||");
    answer(200, "{\"incomplete_details\":{\"reason\":\"max_output_tokens\"},"
           "\"output\":[" MESSAGE(OUTPUT_TEXT("a")) "],"
           "\"status\":\"incomplete\"}",
           "0 -1/-1/-1/-1 max_output_tokens|a||");
    answer(200, "{\"output\":[" MESSAGE("{\"type\":\"refusal\",\"refusal\":"
           "\"I won't\"}") "],\"status\":\"completed\"}",
           "0 -1/-1/-1/-1 refusal|I won't||");
    answer(200, "{\"output\":[" MESSAGE(OUTPUT_TEXT("a")) "],\"output\":["
           MESSAGE(OUTPUT_TEXT("b")) "],\"status\":\"completed\"}",
           "0 -1/-1/-1/-1 completed|b||");

    answer(200, "{\"status\":\"failed\",\"output\":[],\"error\":null}",
           "6 -1/-1/-1/-1 ");
    answer(200, "{\"status\":\"failed\",\"output\":[],\"error\":{\"code\":"
           "\"server_error\"},\"usage\":{\"input_tokens\":9,"
           "\"output_tokens\":1}}", "6 9/-1/1/-1 ");
    answer(200, "{\"status\":\"queued\",\"output\":[]}", "7 -1/-1/-1/-1 ");
    answer(200, "{\"output\":{}}", "7 -1/-1/-1/-1 ");
    answer(200, "{\"output\":[" MESSAGE("5") "]}", "7 -1/-1/-1/-1 ");
    answer(200, "{\"choices\":[{\"message\":{\"content\":\"a\"}}]}",
           "7 -1/-1/-1/-1 ");
    answer(429, "{\"error\":{\"type\":\"insufficient_quota\"}}",
           "4 -1/-1/-1/-1 ");
}


#define EVENT(type, rest)                                                    \
    "event: " type "\ndata: {\"type\":\"" type "\"" rest "}\n\n"
#define CREATED                                                              \
    EVENT("response.created", ",\"response\":{\"status\":\"in_progress\","   \
          "\"error\":null,\"usage\":null}")
#define TEXT_DELTA(text)                                                     \
    EVENT("response.output_text.delta", ",\"output_index\":1,\"delta\":\""   \
          text "\"")
#define ITEM(what, index, item)                                              \
    EVENT("response.output_item." what, ",\"item\":" item                    \
          ",\"output_index\":" index)
#define COMPLETED                                                            \
    EVENT("response.completed", ",\"response\":{\"usage\":{"                 \
          "\"input_tokens\":9,\"output_tokens\":5,\"input_tokens_details\":" \
          "{\"cached_tokens\":4},\"output_tokens_details\":"                 \
          "{\"reasoning_tokens\":3}},\"output\":[" MESSAGE(OUTPUT_TEXT("x")) \
          "],\"status\":\"completed\"}")


static void
test_responses_streams(void)
{
    format = &prompt_provider_responses;

    stream(CREATED ITEM("added", "0", "{\"type\":\"message\"}")
           TEXT_DELTA("a") EVENT("response.unheard", ",\"x\":1")
           TEXT_DELTA("b") EVENT("response.output_text.done",
                                 ",\"text\":\"ab\"")
           ITEM("done", "0", MESSAGE(OUTPUT_TEXT("ab"))) COMPLETED
           TEXT_DELTA("c"), "0 9/4/5/3 completed|ab||", "ab", "a text");

    stream(CREATED ITEM("added", "0", "{\"type\":\"reasoning\"}")
           EVENT("response.reasoning_summary_text.delta", ",\"delta\":\"no\"")
           ITEM("done", "0", REASONING)
           ITEM("added", "1", FUNCTION("a", "f", ""))
           ITEM("added", "2", FUNCTION("b", "g", ""))
           EVENT("response.function_call_arguments.delta",
                 ",\"delta\":\"{\\\"x\",\"output_index\":1")
           EVENT("response.function_call_arguments.delta",
                 ",\"delta\":\"\\\":1}\",\"output_index\":1")
           EVENT("response.function_call_arguments.delta",
                 ",\"delta\":\"no\",\"output_index\":7")
           ITEM("done", "1", FUNCTION("a", "f", "{\\\"x\\\":1}"))
           ITEM("done", "2", FUNCTION("b", "g", "{}"))
           COMPLETED, "0 9/4/5/3 completed||["
           CALL("a", "f", "{\\\"x\\\":1}") "," CALL("b", "g", "{}")
           "]|[" KEPT ",\"call\",\"call\"]", "",
           "reasoning and calls, with arguments in parts or at the end");

    stream(CREATED EVENT("response.refusal.delta", ",\"delta\":\"I \"")
           EVENT("response.refusal.delta", ",\"delta\":\"won't\"")
           EVENT("response.completed", ",\"response\":{\"status\":"
                 "\"completed\"}"),
           "0 -1/-1/-1/-1 refusal|I won't||", "I won't", "a refusal");
    stream(CREATED TEXT_DELTA("a") EVENT("response.incomplete",
           ",\"response\":{\"status\":\"incomplete\",\"incomplete_details\":"
           "{\"reason\":\"content_filter\"}}"),
           "0 -1/-1/-1/-1 content_filter|a||", "a", "one that is incomplete");
    stream(CREATED TEXT_DELTA("a") EVENT("response.failed",
           ",\"response\":{\"status\":\"failed\",\"error\":{\"code\":\"x\"}}"),
           "6 -1/-1/-1/-1 ", "a", "one that failed");
    stream(CREATED TEXT_DELTA("a") "data: {\"type\":\"error\",\"code\":"
           "\"x\"}\n\n", "6 -1/-1/-1/-1 ", "a", "an error without a name");
    stream(CREATED TEXT_DELTA("a"), "7 -1/-1/-1/-1 ", "a", "without an end");
    stream(CREATED TEXT_DELTA("\\ud83d") TEXT_DELTA("\\ude00") COMPLETED,
           "0 9/4/5/3 completed|\xf0\x9f\x98\x80||", "\xf0\x9f\x98\x80",
           "a character in two events");
}


#define CANDIDATE(parts, rest)                                               \
    "{\"candidates\":[{\"content\":{\"parts\":[" parts "],\"role\":"         \
    "\"model\"}" rest "}],\"usageMetadata\":{\"promptTokenCount\":9,"        \
    "\"cachedContentTokenCount\":4,\"candidatesTokenCount\":2,"              \
    "\"thoughtsTokenCount\":3,\"totalTokenCount\":14}}"
#define STOP  ",\"finishReason\":\"STOP\""


static void
test_gemini_answers(void)
{
    format = &prompt_provider_gemini;

    answer(200, CANDIDATE("{\"text\":\"a\"},{\"text\":\"no\",\"thought\":true}"
           ",{\"text\":\"b\"}", STOP), "0 9/4/5/3 STOP|ab||");
    answer(200, CANDIDATE("{\"text\":\"a\",\"thoughtSignature\":\"T\"},"
           "{\"functionCall\":{\"name\":\"f\",\"args\":{ \"x\": 1 }},"
           "\"thoughtSignature\":\"U\\\"\"},{\"functionCall\":{\"id\":\"i\","
           "\"name\":\"g\"}}", STOP),
           "0 9/4/5/3 STOP|a|[" CALL("call_0", "f", "{\\\"x\\\":1}") ","
           CALL("i", "g", "{}") "]|[{\"signature\":\"T\"},"
           "{\"signature\":\"U\\\"\",\"call\":0}]");
    answer(200, "{\"candidates\":[{\"content\":{\"role\":\"model\"},"
           "\"finishReason\":\"MAX_TOKENS\"}],\"usageMetadata\":{"
           "\"promptTokenCount\":9,\"thoughtsTokenCount\":3,"
           "\"totalTokenCount\":12}}", "0 9/-1/3/3 MAX_TOKENS|||");
    answer(200, "{\"candidates\":[{\"finishReason\":\"SAFETY\"}]}",
           "0 -1/-1/-1/-1 SAFETY|||");
    answer(200, "{\"promptFeedback\":{\"blockReason\":\"OTHER\"},"
           "\"usageMetadata\":{\"promptTokenCount\":9,"
           "\"totalTokenCount\":9}}", "0 9/-1/0/-1 OTHER|||");
    answer(200, "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}"
           "],\"usageMetadata\":{\"promptTokenCount\":9,"
           "\"toolUsePromptTokenCount\":5,\"candidatesTokenCount\":2,"
           "\"totalTokenCount\":99}}", "0 14/-1/2/-1 |a||");
    answer(200, "{\"candidates\":[{}],\"usageMetadata\":{\"promptTokenCount\":"
           "9,\"candidatesTokenCount\":2,\"promptTokensDetails\":["
           "{\"modality\":\"TEXT\",\"tokenCount\":8},{\"modality\":\"IMAGE\","
           "\"tokenCount\":1}]}}", "0 9/-1/2/-1 |||");
    answer(200, "{\"candidates\":[{}],\"usageMetadata\":{\"promptTokenCount\":"
           "9,\"candidatesTokenCount\":2,\"promptTokensDetails\":["
           "{\"modality\":\"AUDIO\",\"tokenCount\":1}]}}",
           "0 9/-1/2/-1+ |||");
    answer(200, "{\"candidates\":[{}],\"usageMetadata\":{\"promptTokenCount\":"
           "9,\"candidatesTokenCount\":2,\"candidatesTokensDetails\":["
           "{\"modality\":\"IMAGE\",\"tokenCount\":1}]}}",
           "0 9/-1/2/-1+ |||");
    answer(200, "{\"candidates\":[{\"groundingMetadata\":{\"a\":1}}],"
           "\"usageMetadata\":{\"promptTokenCount\":9,"
           "\"candidatesTokenCount\":2}}", "0 9/-1/2/-1+ |||");
    answer(200, "{\"candidates\":[{\"content\":{\"parts\":[{\"inlineData\":"
           "{\"data\":\"x\"}},{\"executableCode\":{}}]}},5]}",
           "0 -1/-1/-1/-1 |||");

    answer(200, "{\"candidates\":[]}", "7 -1/-1/-1/-1 ");
    answer(200, "{\"candidates\":[5]}", "7 -1/-1/-1/-1 ");
    answer(200, CANDIDATE("5", ""), "7 9/4/5/3 ");
    answer(200, "[" CANDIDATE("{\"text\":\"a\"}", STOP) "]", "7 9/4/5/3 ");
    answer(200, "[{\"error\":{\"code\":500}}]", "6 -1/-1/-1/-1 ");
    answer(400, "{\"error\":{\"details\":[{\"reason\":\"API_KEY_INVALID\"}]}}",
           "2 -1/-1/-1/-1 ");
    answer(400, "{\"error\":{\"details\":[{\"reason\":\"x\"}]}}",
           "1 -1/-1/-1/-1 ");
    answer(429, "[{\"error\":{\"details\":[{\"violations\":[{\"quotaId\":"
           "\"RequestsPerDayPerProject\"}]}]}}]", "4 -1/-1/-1/-1 ");
    answer(429, "[{\"error\":{\"details\":[{\"violations\":[{\"quotaId\":"
           "\"RequestsPerMinute\"}]}]}}]", "3 -1/-1/-1/-1 ");
}


static void
test_gemini_streams(void)
{
#define CHUNK(json)  "data: " json "\r\n\r\n"

    format = &prompt_provider_gemini;

    stream(CHUNK("{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"no\","
                 "\"thought\":true}]}}]}")
           CHUNK("{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}"
                 "}],\"usageMetadata\":{\"promptTokenCount\":9,"
                 "\"candidatesTokenCount\":1}}")
           CHUNK("{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"b\"},"
                 "{\"functionCall\":{\"name\":\"f\",\"args\":{\"x\":1}},"
                 "\"thoughtSignature\":\"T\"}]}}]}")
           CHUNK("{\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":"
                 "{\"name\":\"f\",\"args\":{}}}]}}]}")
           CHUNK(CANDIDATE("{\"text\":\"\",\"thoughtSignature\":\"U\"}", STOP)),
           "0 9/4/5/3 STOP|ab|[" CALL("call_0", "f", "{\\\"x\\\":1}") ","
           CALL("call_1", "f", "{}") "]|[{\"signature\":\"T\","
           "\"call\":0},{\"signature\":\"U\"}]", "ab",
           "text, calls of one name, signatures");

    stream(CHUNK("{\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}"),
           "0 -1/-1/-1/-1 SAFETY|||", "", "a prompt that is refused");
    stream(CHUNK("{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}"
                 "}]}"), "7 -1/-1/-1/-1 ", "a", "without an end");
    stream(CHUNK("{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}"
                 "}]}") CHUNK("{\"error\":{\"code\":503}}"),
           "6 -1/-1/-1/-1 ", "a", "an error in the middle");
    stream("[{\"error\":{\"code\":503}}]", "6 -1/-1/-1/-1 ", "",
           "an error that is no stream");
}


/* the same for all: chat has the most of it */
static void
test_streams(void)
{
#define CHOICE(members)  "data: {\"choices\":[{" members "}]}\n\n"
#define SAID(text)  CHOICE("\"delta\":{\"content\":\"" text "\"}")
#define TOOL(members)                                                        \
    CHOICE("\"delta\":{\"tool_calls\":[{\"index\":0," members "}]}")
#define USED  "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,"        \
              "\"completion_tokens\":2}}\n\n"
#define ENDS  CHOICE("\"delta\":{},\"finish_reason\":\"stop\"")
#define DONE  "data: [DONE]\n\n"
#define FFFD  "\xef\xbf\xbd"

    format = &prompt_provider_openai;

    stream(SAID("a\\ud83d") SAID("\\ude00b") DONE,
           "0 -1/-1/-1/-1 |a\xf0\x9f\x98\x80" "b||", "a\xf0\x9f\x98\x80" "b",
           "halves of a character are joined");
    stream(SAID("\\ud83d") SAID("") SAID("\\ude00") DONE,
           "0 -1/-1/-1/-1 |\xf0\x9f\x98\x80||", "\xf0\x9f\x98\x80",
           "also over an event without text");
    stream(SAID("a\\ud83d") SAID("b\\ude00") DONE,
           "0 -1/-1/-1/-1 |a" FFFD "b" FFFD "||", "a" FFFD "b" FFFD,
           "those that do not meet are none");
    stream(SAID("a\\ud83d") SAID("\\ud83d") SAID("\\ude00") DONE,
           "0 -1/-1/-1/-1 |a" FFFD "\xf0\x9f\x98\x80||",
           "a" FFFD "\xf0\x9f\x98\x80", "two that begin, one that ends");
    stream(SAID("a\\ud83d") DONE, "0 -1/-1/-1/-1 |a" FFFD "||", "a" FFFD,
           "one at the end");
    stream(SAID("\\ude00") DONE, "0 -1/-1/-1/-1 |" FFFD "||", FFFD,
           "one at the start");
    stream(TOOL("\"function\":{\"name\":\"f\",\"arguments\":\"{\\ud83d\"}")
           TOOL("\"function\":{\"arguments\":\"\\ude00}\"}") DONE,
           "0 -1/-1/-1/-1 ||[" CALL("", "f", "{\xf0\x9f\x98\x80}") "]|", "",
           "in arguments, too");

    stream(SAID("a") ENDS USED, "0 5/-1/2/-1 stop|a||", "a",
           "all but the end mark");
    stream(SAID("a") ENDS, "7 -1/-1/-1/-1 ", "a", "not without the count");
    stream(SAID("a") USED, "7 5/-1/-1/-1 ", "a", "nor without the word");

    stream(CHOICE("\"delta\":{\"refusal\":\"I \"}")
           CHOICE("\"delta\":{\"refusal\":\"won't\"}") ENDS USED DONE,
           "0 5/-1/2/-1 refusal|I won't||", "I won't",
           "a refusal says so at the end");
    stream(CHOICE("\"delta\":{\"audio\":{\"transcript\":\"no\"}}")
           CHOICE("\"delta\":{\"content\":\"a\",\"annotations\":[{\"text\":"
                  "\"no\"}]},\"logprobs\":{\"content\":[{\"token\":\"no\"}]}")
           CHOICE("\"delta\":{\"content\":[{\"type\":\"thinking\","
                  "\"thinking\":[{\"type\":\"text\",\"text\":\"no\"}]},"
                  "{\"type\":\"text\",\"text\":\"b\"}]}") DONE,
           "0 -1/-1/-1/-1 |ab||", "ab", "what is beside text is none");

    stream(TOOL("\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}")
           TOOL("\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"x\"}")
           TOOL("\"function\":{\"name\":\"f\",\"arguments\":\"}\\\":1}\"}")
           TOOL("\"function\":{\"name\":\"g\",\"arguments\":\"[\"}")
           TOOL("\"function\":{\"name\":\"h\"}") DONE,
           "0 -1/-1/-1/-1 ||[" CALL("", "f", "{}") ","
           CALL("", "f", "{\\\"x}\\\":1}") "," CALL("", "g", "[") ","
           CALL("", "h", "") "]|", "",
           "calls that share a number: told by names, and by what is whole");
    stream(TOOL("\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":"
                "\"{}\"}")
           TOOL("\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":"
                "\"\"}") DONE,
           "0 -1/-1/-1/-1 ||[" CALL("a", "f", "{}") "]|", "",
           "one that says its id again");

    format = &prompt_provider_anthropic;

    stream("data: {\"type\":\"message_start\",\"message\":{\"usage\":{"
           "\"input_tokens\":5}}}\n\n"
           "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
           "\"end_turn\"},\"usage\":{\"output_tokens\":2}}\n\n",
           "0 5/-1/2/-1 end_turn|||", "", "Anthropic's without its end mark");
}


/* what has begun is not asked for again */
static void
test_begun(void)
{
    size_t                    i;
    const char               *pos;
    prompt_provider_stream_t  s;

    static const struct {
        const prompt_provider_format_t  *format;
        const char                      *text;
        bool                             begun;
    } cases[] = {
        { &prompt_provider_openai, CHOICE("\"delta\":{\"role\":"
          "\"assistant\",\"content\":\"\",\"reasoning\":\"\"}"), false },
        { &prompt_provider_openai, CHOICE("\"delta\":{\"audio\":{\"id\":"
          "\"x\"}}"), true },
        { &prompt_provider_openai, CHOICE("\"delta\":{\"reasoning\":\"x\"}"),
          true },
        { &prompt_provider_openai, CHOICE("\"delta\":{\"refusal\":\"x\"}"),
          true },
        { &prompt_provider_openai, TOOL("\"id\":\"x\""), true },
        { &prompt_provider_responses, CREATED, false },
        { &prompt_provider_responses,
          ITEM("added", "0", "{\"type\":\"message\"}"), false },
        { &prompt_provider_responses,
          ITEM("added", "0", "{\"type\":\"reasoning\"}"), true },
        { &prompt_provider_responses, EVENT("response.audio.delta",
          ",\"delta\":\"x\""), true },
        { &prompt_provider_responses,
          ITEM("added", "0", FUNCTION("a", "f", "")), true },
        { &prompt_provider_gemini, CHUNK("{\"usageMetadata\":{}}"), false },
        { &prompt_provider_gemini, CHUNK(CANDIDATE("{\"text\":\"x\","
          "\"thought\":true}", "")), true },
        { &prompt_provider_gemini, CHUNK(CANDIDATE("{\"inlineData\":"
          "{\"data\":\"x\"}}", "")), true },
        { &prompt_provider_gemini, CHUNK(CANDIDATE("{\"functionCall\":"
          "{\"name\":\"x\"}}", "")), true }
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prompt_provider_stream_init(&s, cases[i].format, LIMIT);
        pos = cases[i].text;

        ok(prompt_provider_stream_read(&s, &pos, pos + strlen(pos))
           <= PROMPT_PROVIDER_STREAM_TEXT
           && (s.output.len != 0 || s.ntools != 0 || s.thought)
              == cases[i].begun, cases[i].text);
        prompt_provider_stream_free(&s);
    }
}


static void
test_delays(void)
{
    size_t  i;

    static const struct {
        const char  *delay;
        int64_t      want;
    } cases[] = {
        { "\"31s\"", 31000 },
        { "\"1051.337247485s\"", 1051337 },
        { "\"0.05s\"", 50 },
        { "\"99999999999999999999s\"", 99999999999 },
        { "\"\"", -1 },
        { "\"soon\"", -1 },
        { "31", -1 },
        { "null", -1 }
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prompt_str_t  body;

        body = prompt_arena_printf(arena, "[{\"error\":{\"details\":[{},"
                                   "{\"retryDelay\":%s}]}}]",
                                   cases[i].delay);
        ok(cases[i].want == 99999999999
           ? prompt_provider_retry_delay(&prompt_provider_gemini, body)
             >= 24 * 60 * 60 * 1000
           : prompt_provider_retry_delay(&prompt_provider_gemini, body)
             == cases[i].want, cases[i].delay);
    }

    is_int(prompt_provider_retry_delay(&prompt_provider_openai,
                                       prompt_str("no JSON")), -1, "no JSON");
}


/* short of memory at every allocation in turn */
static void
test_memory(void)
{
    bool                       sound, done;
    size_t                     limit, i;
    prompt_arena_t            *small;
    prompt_provider_answer_t   got;

    static const struct {
        const prompt_provider_format_t  *format;
        const char                      *body;
    } cases[] = {
        { &prompt_provider_responses, "{\"output\":[" REASONING ","
          FUNCTION("a", "f", "{\\u0000}") "," MESSAGE(OUTPUT_TEXT("b")) "],"
          "\"status\":\"completed\"}" },
        { &prompt_provider_gemini, CANDIDATE("{\"text\":\"a\\u0000\","
          "\"thoughtSignature\":\"T\"},{\"functionCall\":{\"name\":\"f\","
          "\"args\":{ \"x\": 1 }},\"thoughtSignature\":\"U\"}", STOP) }
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        sound = true;
        done = false;

        for (limit = 0; limit < 40000 && !done; limit += 16) {
            small = prompt_arena_create(limit);
            done = prompt_provider_answer(small, cases[i].format, 200,
                                          prompt_str_from(cases[i].body),
                                          &got);
            sound = sound && (!done || got.outcome == PROMPT_PROVIDER_DONE);
            prompt_arena_destroy(small);
        }

        ok(sound && done, "short of memory at every allocation in turn");
    }
}


int
main(void)
{
    arena = prompt_arena_create(1024 * 1024 * 1024);

    test_responses_params();
    test_gemini_params();
    test_responses_messages();
    test_gemini_messages();
    test_uris();
    test_budget();
    test_responses_answers();
    test_responses_streams();
    test_gemini_answers();
    test_gemini_streams();
    test_streams();
    test_begun();
    test_delays();
    test_memory();

    prompt_arena_destroy(arena);

    return done_testing();
}
