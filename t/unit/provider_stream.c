/*
 * Streams of providers: the recorded ones (t/fixtures/providers), cut at every
 * place, and others of our own.
 */

#include "provider/stream.h"

#include <stdlib.h>

#include "tap.h"


#define FIXTURES  "t/fixtures/providers/"
#define LIMIT     (64 * 1024)


static prompt_arena_t  *arena;


static prompt_str_t
read_file(const char *path)
{
    char    *data;
    FILE    *file;
    size_t   len;

    file = fopen(path, "rb");
    if (file == NULL) {
        return prompt_str_absent;
    }

    data = prompt_arena_alloc(arena, 1 << 20);
    len = data != NULL ? fread(data, 1, 1 << 20, file) : 0;
    (void) fclose(file);

    return prompt_str_of(data, len);
}


/*
 * Reads a stream in pieces of size bytes; the answer as "outcome
 * in/cached/out finish output", and all text that was shown in *shown.
 */
static prompt_str_t
run(const prompt_provider_format_t *format, prompt_str_t text, size_t size,
    prompt_buf_t *shown)
{
    size_t                           at, n, i;
    bool                             done;
    prompt_buf_t                     out;
    const char                      *pos, *end;
    prompt_str_t                     copy;
    prompt_provider_answer_t         got;
    prompt_provider_stream_t         stream;
    prompt_provider_stream_status_t  status;

    prompt_provider_stream_init(&stream, format, LIMIT);
    prompt_buf_init(shown, LIMIT);
    prompt_buf_init(&out, LIMIT);
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

    done = prompt_provider_stream_answer(&stream, arena, 200, &got);

    if (!done) {
        prompt_buf_printf(&out, "none %d", (int) stream.status);

    } else {
        prompt_buf_printf(&out, "%d %lld/%lld/%lld %.*s %.*s",
                          (int) got.outcome, (long long) got.usage.in,
                          (long long) got.usage.cached,
                          (long long) got.usage.out,
                          prompt_str_arg(prompt_buf_view(&stream.finish)),
                          prompt_str_arg(got.output));
    }

    for (i = 0; i < stream.ntools; i++) {
        prompt_buf_printf(&out, " [%.*s %.*s %.*s]",
            prompt_str_arg(prompt_buf_view(&stream.tools[i].id)),
            prompt_str_arg(prompt_buf_view(&stream.tools[i].name)),
            prompt_str_arg(prompt_buf_view(&stream.tools[i].arguments)));
    }

    copy = prompt_arena_copy(arena, prompt_buf_view(&out));

    prompt_buf_free(&out);
    prompt_provider_stream_free(&stream);

    return copy;
}


/* the same in pieces of every size */
static void
stream(const prompt_provider_format_t *format, prompt_str_t text,
    const char *want, const char *shown, const char *title)
{
    bool          same;
    size_t        size;
    prompt_str_t  got;
    prompt_buf_t  all;

    same = true;

    for (size = 1; size <= text.len && same; size++) {
        got = run(format, text, size, &all);

        same = prompt_str_eq(got, prompt_str_from(want))
               && prompt_str_eq(prompt_buf_view(&all), prompt_str_from(shown));

        if (!same) {
            diag("in pieces of %zu: %.*s, shown: %.*s", size,
                 prompt_str_arg(got), prompt_str_arg(prompt_buf_view(&all)));
        }

        prompt_buf_free(&all);
    }

    ok(same, title);
}


static void
fixture(const prompt_provider_format_t *format, const char *file,
    const char *want, const char *shown)
{
    prompt_str_t  name, text;

    name = prompt_arena_printf(arena, FIXTURES "%s", file);
    text = read_file(name.data);

    if (text.data == NULL) {
        skip(1, file);
        return;
    }

    stream(format, text, want, shown, file);
}


#define DELTA(text)                                                          \
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text        \
    "\"}}]}\n\n"

#define DONE  "data: [DONE]\n\n"


static void
test_fixtures(void)
{
    fixture(&prompt_provider_openai, "openai/chat.stream.sse",
            "0 29/0/3 stop nginx serves pages.", "nginx serves pages.");
    fixture(&prompt_provider_openai, "openai/chat.stream.no-usage.sse",
            "0 -1/-1/-1 stop nginx serves pages.", "nginx serves pages.");
    fixture(&prompt_provider_openai, "openai/chat.stream.error.sse",
            "6 -1/-1/-1  ", "ng");
    fixture(&prompt_provider_openai, "compat/vllm.stream.error.sse",
            "6 -1/-1/-1  ", "");
    fixture(&prompt_provider_openai, "openai/responses.stream.sse",
            "7 -1/-1/-1  ", "");
    fixture(&prompt_provider_openai, "gemini/stream.sse",
            "7 -1/-1/-1  ", "");
    fixture(&prompt_provider_responses, "openai/responses.stream.sse",
            "0 29/0/6 completed nginx serves web pages.",
            "nginx serves web pages.");
    fixture(&prompt_provider_responses, "openai/responses.stream.error.sse",
            "6 -1/-1/-1  ", "nginx");
    fixture(&prompt_provider_gemini, "gemini/stream.sse",
            "0 17/-1/3 STOP nginx serves.", "nginx serves.");
    fixture(&prompt_provider_anthropic, "anthropic/messages.stream.sse",
            "0 27/0/5 end_turn nginx serves.", "nginx serves.");
    fixture(&prompt_provider_anthropic, "anthropic/messages.stream.error.sse",
            "6 27/0/-1  ", "nginx");
    fixture(&prompt_provider_anthropic, "openai/chat.stream.sse",
            "7 -1/-1/-1  ", "");
    fixture(&prompt_provider_openai, "anthropic/messages.stream.sse",
            "7 -1/-1/-1  ", "");
}


static void
test_openai(void)
{
    stream(&prompt_provider_openai, prompt_str(DELTA("a") ": x\r\n"
           DELTA("\\u00fc") "event: x\nid: 3\n" DELTA("\xf0\x9f\x90\x98")
           DONE DELTA("b")), "0 -1/-1/-1  a\xc3\xbc\xf0\x9f\x90\x98",
           "a\xc3\xbc\xf0\x9f\x90\x98", "nothing behind the end counts");
    stream(&prompt_provider_openai, prompt_str(DELTA("a")),
           "7 -1/-1/-1  ", "a", "without an end");
    stream(&prompt_provider_openai, prompt_str("data: [DONE]\n"),
           "7 -1/-1/-1  ", "", "an end that is not complete");
    stream(&prompt_provider_openai, prompt_str("data: {\"choices\":[]}\n\n"
           DONE), "7 -1/-1/-1  ", "", "no answer at all");
    stream(&prompt_provider_openai, prompt_str(DELTA("a") "data: {\n\n" DONE),
           "7 -1/-1/-1  ", "a", "an event that is no JSON");
    stream(&prompt_provider_openai, prompt_str(DELTA("a") "data: 3\n\n" DONE),
           "7 -1/-1/-1  ", "a", "an event that is no object");
    stream(&prompt_provider_openai, prompt_str(DELTA("a") "data:\n\n" DONE),
           "0 -1/-1/-1  a", "a", "an event without data");
    stream(&prompt_provider_openai, prompt_str(DELTA("a\\u0000b\\ud800")
           DONE), "0 -1/-1/-1  a\xef\xbf\xbd" "b\xef\xbf\xbd",
           "a\xef\xbf\xbd" "b\xef\xbf\xbd", "text that is none is mended");
    stream(&prompt_provider_openai, prompt_str("event: error\ndata: x\n\n"),
           "6 -1/-1/-1  ", "", "an event that is an error");
    stream(&prompt_provider_openai, prompt_str(DELTA("a")
           "data: {\"error\":null,\"choices\":[{\"delta\":{},"
           "\"finish_reason\":\"length\"}],\"usage\":{\"prompt_tokens\":1,"
           "\"completion_tokens\":2}}\n\n"
           "data: {\"usage\":null}\n\n" DONE),
           "0 1/-1/2 length a", "a", "usage that stays");
    stream(&prompt_provider_openai, prompt_str("data: {\"choices\":[{"
           "\"delta\":{\"refusal\":\"I \"}}]}\n\n"
           "data: {\"choices\":[{\"delta\":{\"refusal\":\"won't\"}}]}\n\n"
           DONE), "0 -1/-1/-1  I won't", "I won't", "a refusal");
    stream(&prompt_provider_openai, prompt_str("data: {\"choices\":[{"
           "\"delta\":{\"content\":3}}]}\n\n" DONE), "7 -1/-1/-1  ", "",
           "content of another kind");
}


/* one that was not asked for must not become part of the text */
static void
test_choices(void)
{
#define CHOICE(index, text)                                                  \
    "{\"delta\":{\"content\":\"" text "\"},\"index\":" index "}"
#define CHUNK(choices)  "data: {\"choices\":[" choices "]}\n\n"

    stream(&prompt_provider_openai, prompt_str(CHUNK(CHOICE("0", "a"))
           CHUNK(CHOICE("1", "x")) CHUNK(CHOICE("0", "b"))
           CHUNK("{\"index\":1,\"finish_reason\":\"length\"}")
           CHUNK("{\"index\":0,\"finish_reason\":\"stop\"}")
           DONE), "0 -1/-1/-1 stop ab", "ab", "two choices by turns");
    stream(&prompt_provider_openai, prompt_str(
           CHUNK(CHOICE("0", "a") "," CHOICE("1", "x"))
           CHUNK(CHOICE("1", "x") "," CHOICE("0", "b") "," CHOICE("2", "x"))
           DONE), "0 -1/-1/-1  ab", "ab", "in any order");
    stream(&prompt_provider_openai, prompt_str(CHUNK(CHOICE("1", "a"))
           CHUNK(CHOICE("0", "x")) CHUNK(CHOICE("1", "b")) DONE),
           "0 -1/-1/-1  ab", "ab", "the first, whatever its number");
    stream(&prompt_provider_openai, prompt_str(
           CHUNK("{\"delta\":{\"content\":\"a\"}}")
           CHUNK(CHOICE("null", "b")) CHUNK(CHOICE("\"x\"", "c"))
           CHUNK("3") CHUNK("null") DONE),
           "0 -1/-1/-1  abc", "abc", "without a number, and what is none");
    stream(&prompt_provider_openai, prompt_str(CHUNK(CHOICE("0", "a"))
           CHUNK("{\"index\":1,\"delta\":{\"tool_calls\":[{\"index\":0,"
           "\"id\":\"x\",\"function\":{\"name\":\"x\"}}]}}") DONE),
           "0 -1/-1/-1  a", "a", "tools of another choice");
}


/* usage that some give with every chunk is the last one's */
static void
test_counts(void)
{
#define USED(rest, in, out)                                                  \
    "data: {\"choices\":[" rest "],\"usage\":{\"prompt_tokens\":" in ","       \
    "\"completion_tokens\":" out "}}\n\n"

    stream(&prompt_provider_openai, prompt_str(
           USED(CHOICE("0", "a"), "5", "1") USED(CHOICE("0", "b"), "5", "2")),
           "7 5/-1/-1  ", "ab", "broken off: nobody knows how many more");
    stream(&prompt_provider_openai, prompt_str(
           USED(CHOICE("0", "a"), "5", "1") USED(CHOICE("0", "b"), "5", "2")
           DONE), "0 5/-1/2  ab", "ab", "the last one");
    stream(&prompt_provider_openai, prompt_str(CHUNK(CHOICE("0", "a"))
           CHUNK("{\"index\":0,\"finish_reason\":\"stop\"}")
           USED("", "5", "2")), "0 5/-1/2 stop a", "a",
           "all but the end: it is whole");
    stream(&prompt_provider_openai, prompt_str(
           USED(CHOICE("0", "a"), "5", "1") USED("", "-5", "99999999999")
           DONE), "0 -1/-1/-1  a", "a", "the last one is none");
    stream(&prompt_provider_openai, prompt_str(
           USED(CHOICE("0", "a"), "5", "1") USED("", "1.5", "\"7\"")
           DONE), "0 -1/-1/-1  a", "a", "nor in another type");
}


static void
test_tools(void)
{
#define TOOL(rest)                                                           \
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[" rest "]}}]}\n\n"

    stream(&prompt_provider_openai, prompt_str(
           TOOL("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\","
                "\"arguments\":\"\"}}")
           TOOL("{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"g\","
                "\"arguments\":\"{\"}}")
           TOOL("{\"index\":0,\"function\":{\"arguments\":\"[1\"}},"
                "{\"index\":1,\"function\":{\"arguments\":\"}\"}}")
           TOOL("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\","
                "\"arguments\":\"]\"}}")
           DONE), "0 -1/-1/-1   [a f [1]] [b g {}]", "",
           "calls of tools by their number");

    stream(&prompt_provider_openai, prompt_str(
           TOOL("{\"id\":\"a\",\"function\":{\"name\":\"f\","
                "\"arguments\":\"1\"}},"
                "{\"id\":\"b\",\"function\":{\"name\":\"f\","
                "\"arguments\":\"2\"}}")
           TOOL("{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"g\","
                "\"arguments\":\"\"}}")
           TOOL("{\"index\":0,\"id\":\"d\",\"function\":{"
                "\"arguments\":\"3\"}}")
           DONE), "0 -1/-1/-1   [a f 1] [b f 2] [c g 3]", "",
           "or by their ids, where they have one number");

    stream(&prompt_provider_anthropic, prompt_str(
           "data: {\"type\":\"message_start\"}\n\n"
           "data: {\"type\":\"content_block_start\",\"index\":1,"
           "\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\","
           "\"name\":\"f\",\"input\":{}}}\n\n"
           "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":"
           "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"a\\\"\"}}"
           "\n\n"
           "data: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":"
           "{\"type\":\"input_json_delta\",\"partial_json\":\"x\"}}\n\n"
           "data: {\"delta\":{\"type\":\"input_json_delta\","
           "\"partial_json\":\":1}\"},\"index\":1,"
           "\"type\":\"content_block_delta\"}\n\n"
           "data: {\"type\":\"message_stop\"}\n\n"),
           "0 -1/-1/-1   [t f {\"a\":1}]", "", "in Anthropic's form");
}


/* finish and calls as an answer has them, "-" for what is absent */
static void
answers(const prompt_provider_format_t *format, prompt_str_t text,
    const char *want, const char *name)
{
    prompt_buf_t              out;
    const char               *pos;
    prompt_provider_answer_t  got;
    prompt_provider_stream_t  stream;

    prompt_provider_stream_init(&stream, format, LIMIT);
    prompt_buf_init(&out, LIMIT);
    pos = text.data;

    while (prompt_provider_stream_read(&stream, &pos, text.data + text.len)
           == PROMPT_PROVIDER_STREAM_TEXT) { /* void */ }

    if (prompt_provider_stream_answer(&stream, arena, 200, &got)) {
        prompt_buf_str(&out, got.finish.data != NULL ? got.finish
                                                     : prompt_str("-"));
        prompt_buf_char(&out, ' ');
        prompt_buf_str(&out, got.tool_calls.data != NULL ? got.tool_calls
                                                         : prompt_str("-"));
    }

    is_str(prompt_buf_view(&out), want, name);

    prompt_buf_free(&out);
    prompt_provider_stream_free(&stream);
}


static void
test_answers(void)
{
#define FINISH(word)                                                         \
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":" word "}]}\n\n"
#define X16  "xxxxxxxxxxxxxxxx"
#define X128  X16 X16 X16 X16 X16 X16 X16 X16
#define BLOCK(index, input)                                                  \
    "data: {\"type\":\"content_block_start\",\"index\":" index ","            \
    "\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\","               \
    "\"name\":\"f\",\"input\":" input "}}\n\n"

    answers(&prompt_provider_openai, prompt_str(DELTA("a") DONE), "- -",
            "neither");
    answers(&prompt_provider_openai, prompt_str(FINISH("\"stop\"")
            FINISH("null") FINISH("\"\"") DONE), "stop -",
            "a word, and nothing after it");
    answers(&prompt_provider_openai, prompt_str(FINISH("\"" X128 "\"")
            FINISH("\"" X128 "x\"") DONE), X128 " -", "a word too long");
    answers(&prompt_provider_openai, prompt_str(
            TOOL("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\","
                 "\"arguments\":\"{\\\"\"}}")
            TOOL("{\"index\":1,\"function\":{\"name\":\"g\"}}")
            TOOL("{\"index\":2,\"function\":{\"arguments\":\"1\"}}")
            TOOL("{\"index\":3,\"custom\":{\"name\":\"h\","
                 "\"input\":\"text\"}}")
            TOOL("{\"index\":0,\"function\":{\"arguments\":\"b\\\":1}\"}}")
            FINISH("\"tool_calls\"") DONE),
            "tool_calls [{\"id\":\"a\",\"name\":\"f\",\"arguments\":"
            "\"{\\\"b\\\":1}\"},{\"id\":\"\",\"name\":\"g\","
            "\"arguments\":\"\"},{\"id\":\"\",\"name\":\"h\","
            "\"arguments\":\"text\"}]", "calls, but for one without a name");
    answers(&prompt_provider_openai, prompt_str(DELTA("a") FINISH("\"stop\"")),
            "- -", "not of one that failed");
    answers(&prompt_provider_anthropic, prompt_str(
            "data: {\"type\":\"message_start\"}\n\n"
            BLOCK("0", "{}") BLOCK("1", "{ \"a\": 1 }") BLOCK("2", "{}")
            "data: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":"
            "{\"type\":\"input_json_delta\",\"partial_json\":\"[]\"}}\n\n"
            "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
            "\"tool_use\"}}\n\n"
            "data: {\"type\":\"message_stop\"}\n\n"),
            "tool_use [{\"id\":\"t\",\"name\":\"f\",\"arguments\":\"{}\"},"
            "{\"id\":\"t\",\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\"},"
            "{\"id\":\"t\",\"name\":\"f\",\"arguments\":\"[]\"}]",
            "arguments at the start of a block, or after it");
}


static void
test_limits(void)
{
    char                             line[1024];
    size_t                           i;
    const char                      *pos;
    prompt_provider_stream_t         s;
    prompt_provider_stream_status_t  status;

    prompt_provider_stream_init(&s, &prompt_provider_openai, LIMIT);
    memset(line, 'x', sizeof(line));
    memcpy(line, "data: ", 6);
    status = PROMPT_PROVIDER_STREAM_MORE;

    for (i = 0; i < 2 * LIMIT / sizeof(line)
                && status == PROMPT_PROVIDER_STREAM_MORE; i++)
    {
        pos = line;
        status = prompt_provider_stream_read(&s, &pos, line + sizeof(line));
    }

    is_int(status, PROMPT_PROVIDER_STREAM_LIMIT, "a line without an end");
    prompt_provider_stream_free(&s);

    prompt_provider_stream_init(&s, &prompt_provider_openai, LIMIT);
    line[0] = ':';
    status = PROMPT_PROVIDER_STREAM_MORE;

    for (i = 0; i < 10000 && status == PROMPT_PROVIDER_STREAM_MORE; i++) {
        pos = line;
        status = prompt_provider_stream_read(&s, &pos, line + sizeof(line));
    }

    is_int(status, PROMPT_PROVIDER_STREAM_MORE, "a comment without an end");
    ok(s.events.values.cap == 0, "takes no memory");
    prompt_provider_stream_free(&s);

    prompt_provider_stream_init(&s, &prompt_provider_openai, LIMIT);
    status = PROMPT_PROVIDER_STREAM_TEXT;

    for (i = 0; i < 2 * LIMIT && status == PROMPT_PROVIDER_STREAM_TEXT; i++) {
        pos = DELTA("0123456789");
        status = prompt_provider_stream_read(&s, &pos, pos + strlen(pos));
    }

    is_int(status, PROMPT_PROVIDER_STREAM_LIMIT, "text without an end");
    is_int((long) i, LIMIT / 10 + 1, "up to the limit");
    prompt_provider_stream_free(&s);
}


static void
test_whole(void)
{
    prompt_str_t  want;

    want = prompt_str("\n {\"choices\":[{\"message\":{\"content\":\"hi\"}}],"
                      "\"usage\":{\"prompt_tokens\":1,"
                      "\"completion_tokens\":2}}");

    stream(&prompt_provider_openai, want, "0 1/-1/2  hi", "",
           "an answer that comes whole");
    stream(&prompt_provider_openai, prompt_str("{\"choices\""),
           "7 -1/-1/-1  ", "", "a part of one");
    stream(&prompt_provider_openai, prompt_str("{\"error\":{}}"),
           "6 -1/-1/-1  ", "", "an error");
    stream(&prompt_provider_openai, prompt_str("<html>\n\n"),
           "7 -1/-1/-1  ", "", "something else");
}


/* what an answer points to outlives its stream */
static void
test_copies(void)
{
    bool                      done;
    const char               *pos;
    prompt_str_t              whole;
    prompt_provider_answer_t  got;
    prompt_provider_stream_t  stream;

    whole = prompt_str("{\"choices\":[{\"message\":{\"content\":\"hi\"},"
                       "\"finish_reason\":\"stop\"}]}");
    pos = whole.data;

    prompt_provider_stream_init(&stream, &prompt_provider_openai, LIMIT);
    done = prompt_provider_stream_read(&stream, &pos, whole.data + whole.len)
           == PROMPT_PROVIDER_STREAM_MORE
           && prompt_provider_stream_answer(&stream, arena, 200, &got);

    memset(stream.whole.data, 'x', stream.whole.len);
    prompt_provider_stream_free(&stream);

    ok(done, "an answer that comes whole");
    is_str(got.output, "hi", "its text is a copy");
    is_str(got.finish, "stop", "so is its word");
}


static void
test_requests(void)
{
    prompt_buf_t               out;
    prompt_message_t           message;
    prompt_json_error_t        error;
    prompt_provider_request_t  call;

    memset(&call, 0, sizeof(call));
    memset(&message, 0, sizeof(message));
    message.role = PROMPT_ROLE_USER;
    message.text = prompt_str("x");
    call.format = &prompt_provider_openai;
    call.model = prompt_str("m");
    call.messages.list = &message;
    call.messages.count = 1;
    call.stream = true;
    call.params = prompt_json_read(arena, prompt_str("{\"seed\":1}"), 9,
                                   &error);

    prompt_buf_init(&out, LIMIT);
    prompt_provider_request(&call, &out);
    is_str(prompt_buf_view(&out), "{\"model\":\"m\",\"messages\":[{\"role\":"
           "\"user\",\"content\":\"x\"}],\"stream\":true,\"stream_options\":"
           "{\"include_usage\":true},\"seed\":1}", "a stream with its usage");
    prompt_buf_free(&out);

    call.params = prompt_json_read(arena, prompt_str("{\"stream_options\":"
                                   "{\"include_usage\":false,\"a\":1}}"), 9,
                                   &error);
    prompt_provider_request(&call, &out);
    is_str(prompt_buf_view(&out), "{\"model\":\"m\",\"messages\":[{\"role\":"
           "\"user\",\"content\":\"x\"}],\"stream\":true,\"stream_options\":"
           "{\"include_usage\":true,\"a\":1}}", "beside options of params");
    prompt_buf_free(&out);

    call.format = &prompt_provider_anthropic;
    call.params = prompt_json_read(arena, prompt_str("{}"), 9, &error);
    prompt_provider_request(&call, &out);
    is_str(prompt_buf_view(&out), "{\"model\":\"m\",\"messages\":[{\"role\":"
           "\"user\",\"content\":\"x\"}],\"stream\":true,"
           "\"max_tokens\":4096}", "in Anthropic's form");
    prompt_buf_free(&out);
}


int
main(void)
{
    arena = prompt_arena_create(1024 * 1024 * 1024);

    test_fixtures();
    test_openai();
    test_choices();
    test_counts();
    test_tools();
    test_answers();
    test_limits();
    test_whole();
    test_copies();
    test_requests();

    prompt_arena_destroy(arena);

    return done_testing();
}
