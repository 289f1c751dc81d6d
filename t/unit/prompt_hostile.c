/*
 * Providers that mean harm, and params that mean to reach beyond allow=.
 */

#include "prompt/params.h"
#include "provider/stream.h"

#include <stdlib.h>

#include "tap.h"


#define LIMIT  (64 * 1024)


static prompt_arena_t  *arena;


static prompt_json_t *
json(prompt_str_t text)
{
    prompt_json_error_t  error;

    return prompt_json_read(arena, text, 64, &error);
}


/* a stream in one piece; false: none came of it */
static bool
stream(const prompt_provider_format_t *format, prompt_str_t text, size_t limit,
    prompt_provider_answer_t *answer)
{
    bool                             read;
    const char                      *pos, *end;
    prompt_provider_stream_t         reader;
    prompt_provider_stream_status_t  status;

    prompt_provider_stream_init(&reader, format, limit);

    pos = text.data;
    end = pos + text.len;

    do {
        status = prompt_provider_stream_read(&reader, &pos, end);
    } while (status == PROMPT_PROVIDER_STREAM_TEXT);

    memset(answer, 0, sizeof(*answer));
    read = prompt_provider_stream_answer(&reader, arena, 200, answer);
    prompt_provider_stream_free(&reader);

    return read;
}


/* what goes back is JSON, whatever stands beside an item */
static void
test_items(void)
{
    size_t                    i;
    prompt_str_t              text;
    prompt_provider_answer_t  answer;

    static const char *const  deltas[] = {
        "]},\\\"x\\\":[{", "\\\"0123456\\\\", "{", "7"
    };

    for (i = 0; i < sizeof(deltas) / sizeof(deltas[0]); i++) {
        text = prompt_arena_printf(arena,
                   "data: {\"type\":\"response.created\",\"response\":{}}\n\n"
                   "data: {\"type\":\"response.output_item.done\","
                   "\"output_index\":0,\"item\":{\"type\":\"reasoning\","
                   "\"encrypted_content\":\"e\"},\"delta\":\"%s\"}\n\n"
                   "data: {\"type\":\"response.completed\",\"response\":"
                   "{\"status\":\"completed\",\"usage\":{\"input_tokens\":1,"
                   "\"output_tokens\":1}}}\n\n", deltas[i]);

        ok(stream(&prompt_provider_responses, text, LIMIT, &answer)
           && answer.outcome == PROMPT_PROVIDER_DONE
           && (answer.opaque.data == NULL || json(answer.opaque) != NULL),
           "an item beside a delta: what goes back is JSON");

        if (answer.opaque.data != NULL) {
            is_str(answer.opaque, "[{\"type\":\"reasoning\","
                   "\"encrypted_content\":\"e\"}]", "and the item");
        }
    }
}


static prompt_check_t
checked(const prompt_provider_format_t *format, const char *params,
    prompt_buf_t *out)
{
    prompt_check_t              rc;
    prompt_fault_t              fault;
    prompt_provider_rules_t     rules;
    prompt_provider_request_t   request;

    static const prompt_message_t  message = {
        .role = PROMPT_ROLE_USER, .text = prompt_str_init("u")
    };

    memset(&rules, 0, sizeof(rules));
    memset(&request, 0, sizeof(request));
    request.format = format;
    request.model = prompt_str("m");
    request.params = json(prompt_str_from(params));
    request.messages.list = &message;
    request.messages.count = 1;

    rc = prompt_provider_check_params(arena, format, &rules,
                                      prompt_str("params"), request.params,
                                      &fault);

    if (rc == PROMPT_CHECK_OK) {
        prompt_provider_request(&request, out);
    }

    return rc;
}


/* tools of a provider are sent where allow= names them, in any shape */
static void
test_tools(void)
{
    size_t        i;
    prompt_buf_t  out;

    static const struct {
        const prompt_provider_format_t  *format;
        const char                      *params;
    } cases[] = {
        { &prompt_provider_responses,
          "{\"tools\":{\"type\":\"web_search\"}}" },
        { &prompt_provider_responses,
          "{\"tools\":{\"type\":\"mcp\",\"server_label\":\"x\","
          "\"server_url\":\"https://evil.example\"}}" },
        { &prompt_provider_gemini,
          "{\"tools\":{\"a\":{\"googleSearch\":{}}}}" },
        { &prompt_provider_anthropic,
          "{\"tools\":{\"type\":\"web_search_20250305\"}}" },
        { &prompt_provider_openai,
          "{\"tools\":{\"type\":\"web_search\"}}" }
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prompt_buf_init(&out, PROMPT_LIMIT_REQUEST);

        ok(checked(cases[i].format, cases[i].params, &out)
           == PROMPT_CHECK_FAULT, cases[i].params);

        if (out.len != 0) {
            diag("sent: %.*s", (int) out.len, out.data);
        }

        prompt_buf_free(&out);
    }
}


/* a text that gets longer by mending is too large, and not half an answer */
static void
test_longer(void)
{
    prompt_buf_t              text;
    prompt_provider_answer_t  answer;
    int                       i;

    prompt_buf_init(&text, 8 * 1024 * 1024);
    prompt_buf_literal(&text, "data: {\"candidates\":[{\"content\":{\"parts\":["
                       "{\"text\":\"begins\"},{\"text\":\"");

    for (i = 0; i < 6 * 1024 * 1024; i++) {
        prompt_buf_char(&text, '\xff');
    }

    prompt_buf_literal(&text, "\"}]},\"finishReason\":\"STOP\"}],"
                       "\"usageMetadata\":{\"promptTokenCount\":1,"
                       "\"candidatesTokenCount\":1}}\n\n");

    ok(!stream(&prompt_provider_gemini, prompt_buf_view(&text),
               PROMPT_LIMIT_ANSWER, &answer)
       || answer.outcome != PROMPT_PROVIDER_DONE,
       "half an answer is none");

    prompt_buf_free(&text);
}


/* what is said of our credentials may repeat them, whatever the status */
static void
test_credentials(void)
{
    size_t                    i, n;
    prompt_str_t              text;
    prompt_provider_answer_t  answer;

    static const prompt_provider_format_t *const  formats[] = {
        &prompt_provider_openai, &prompt_provider_responses,
        &prompt_provider_anthropic, &prompt_provider_gemini
    };

    static const char *const  errors[] = {
        "{\"message\":\"bad key sk-1\",\"code\":401}",
        "{\"message\":\"bad key sk-1\",\"code\":403}",
        "{\"message\":\"bad key sk-1\",\"code\":\"401\"}",
        "{\"code\":\"invalid_api_key\",\"message\":\"bad key sk-1\"}",
        "{\"type\":\"authentication_error\",\"message\":\"bad key sk-1\"}",
        "{\"type\":\"permission_error\",\"message\":\"bad key sk-1\"}",
        "{\"status\":\"UNAUTHENTICATED\",\"message\":\"bad key sk-1\"}",
        "{\"status\":\"PERMISSION_DENIED\",\"message\":\"bad key sk-1\"}"
    };

    for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        for (n = 0; n < sizeof(formats) / sizeof(formats[0]); n++) {
            text = prompt_arena_printf(arena, "{\"error\":%s}", errors[i]);

            ok(prompt_provider_answer(arena, formats[n], 200, text, &answer)
               && answer.outcome == PROMPT_PROVIDER_FAILED
               && answer.said.data == NULL, errors[i]);

            ok(prompt_provider_answer(arena, formats[n], 400, text, &answer)
               && answer.said.data == NULL, "with 400");

            text = prompt_arena_printf(arena, "data: {\"type\":\"error\","
                                       "\"error\":%s}\n\n", errors[i]);

            ok(stream(formats[n], text, LIMIT, &answer)
               && answer.outcome == PROMPT_PROVIDER_FAILED
               && answer.said.data == NULL, "of a stream");
        }
    }

    text = prompt_str("{\"error\":{\"message\":\"too long\",\"code\":400}}");

    ok(prompt_provider_answer(arena, formats[0], 200, text, &answer)
       && prompt_str_eq(answer.said, prompt_str("too long")), "other words");
}


/* usage null behind a count, and then the connection breaks */
static void
test_counted(void)
{
    prompt_provider_answer_t  answer;

    ok(stream(&prompt_provider_openai, prompt_str(
              "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"usage\":"
              "{\"prompt_tokens\":9,\"completion_tokens\":1}}\n\n"
              "data: {\"choices\":[{\"delta\":{\"content\":\"b\"},"
              "\"finish_reason\":\"stop\"}],\"usage\":null}\n\n"), LIMIT,
              &answer)
       && (answer.outcome != PROMPT_PROVIDER_DONE || answer.usage.out != 1),
       "null is no last count");
}


/* what has no text yet and is paid for is not asked for again */
static void
test_thought(void)
{
    size_t                    i;
    const char               *pos;
    prompt_provider_stream_t  reader;

    static const struct {
        const prompt_provider_format_t  *format;
        const char                      *text;
    } cases[] = {
        { &prompt_provider_gemini, "data: {\"usageMetadata\":{"
          "\"promptTokenCount\":9,\"thoughtsTokenCount\":500}}\n\n" },
        { &prompt_provider_openai, "data: {\"choices\":[],\"usage\":{"
          "\"completion_tokens\":500,\"completion_tokens_details\":{"
          "\"reasoning_tokens\":500}}}\n\n" }
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prompt_provider_stream_init(&reader, cases[i].format, LIMIT);
        pos = cases[i].text;

        ok(prompt_provider_stream_read(&reader, &pos, pos + strlen(pos))
           == PROMPT_PROVIDER_STREAM_MORE && reader.thought,
           "it has thought");
        prompt_provider_stream_free(&reader);
    }
}


/* a tool of the provider's is billed, though only its end is told */
static void
test_billed(void)
{
    prompt_provider_answer_t  answer;

    ok(stream(&prompt_provider_responses, prompt_str(
              "data: {\"type\":\"response.created\",\"response\":{}}\n\n"
              "data: {\"type\":\"response.output_item.done\","
              "\"output_index\":0,\"item\":{\"type\":\"web_search_call\"}}\n\n"
              "data: {\"type\":\"response.completed\",\"response\":"
              "{\"status\":\"completed\",\"usage\":{\"input_tokens\":1,"
              "\"output_tokens\":1}}}\n\n"), LIMIT, &answer)
       && answer.outcome == PROMPT_PROVIDER_DONE && answer.usage.more,
       "what a search costs is not known");
}


/* $prompt_call_model is one segment of a path, and not the one above it */
static void
test_model(void)
{
    prompt_fault_t  fault;

    ok(prompt_params_check(arena, json(prompt_str("{\"model\":\"..\"}")),
                           &fault) == PROMPT_CHECK_FAULT, "a model ..");
    ok(prompt_params_check(arena, json(prompt_str("{\"model\":\".\"}")),
                           &fault) == PROMPT_CHECK_FAULT, "a model .");
    ok(prompt_params_check(arena, json(prompt_str("{\"model\":\"a..b\"}")),
                           &fault) == PROMPT_CHECK_OK, "a model a..b");
}


int
main(void)
{
    arena = prompt_arena_create(256 * 1024 * 1024);

    test_items();
    test_tools();
    test_longer();
    test_credentials();
    test_counted();
    test_thought();
    test_billed();
    test_model();

    prompt_arena_destroy(arena);

    return done_testing();
}
