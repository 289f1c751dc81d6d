/*
 * Providers: requests as they must look, answers of every form that was
 * recorded (t/fixtures/providers), and hostile ones of our own.
 */

#define _GNU_SOURCE              /* memmem() */

#include "provider/provider.h"

#include <stdlib.h>
#include <time.h>

#include "tap.h"


#define FIXTURES  "t/fixtures/providers"


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


/* the one message that a version without others has */
static prompt_messages_t
only(prompt_str_t text)
{
    static prompt_message_t  message;

    message.role = PROMPT_ROLE_USER;
    message.text = text;

    return (prompt_messages_t) { &message, 1 };
}


static void
request(const prompt_provider_format_t *form, const char *params,
    const char *max_tokens_as, const char *want)
{
    prompt_buf_t               out;
    prompt_provider_request_t  call;

    memset(&call, 0, sizeof(call));
    call.format = form;
    call.params = json(prompt_str_from(params));
    call.model = prompt_str("m");
    call.messages = only(prompt_str("say \"hi\"\n"));
    call.max_tokens_as = prompt_str_from(max_tokens_as);

    prompt_buf_init(&out, PROMPT_LIMIT_REQUEST);
    prompt_provider_request(&call, &out);
    is_str(prompt_buf_view(&out), want, params);
    prompt_buf_free(&out);
}


#define HEAD                                                                 \
    "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":"         \
    "\"say \\\"hi\\\"\\n\"}]"


static void
test_formats(void)
{
    ok(prompt_provider_format(prompt_str("openai")) == &prompt_provider_openai,
       "a format by its name");
    ok(prompt_provider_format(prompt_str("anthropic"))
       == &prompt_provider_anthropic, "another one");
    ok(prompt_provider_format(prompt_str("OpenAI")) == NULL
       && prompt_provider_format(prompt_str_absent) == NULL, "no format");
    ok(strncmp(PROMPT_PROVIDER_ADVICE, "\"format=openai\" or \"format=", 27)
       == 0, "what there is");
}


static void
test_requests(void)
{
    request(&prompt_provider_openai, "{}", NULL, HEAD "}");
    request(&prompt_provider_openai,
            "{\"model\":\"other\",\"temperature\":0.70,"
            "\"max_tokens\":5,\"stop\":\"x\",\"logit_bias\":{\"1\":-1}}", NULL,
            HEAD ",\"temperature\":0.70,\"max_tokens\":5,\"stop\":\"x\","
            "\"logit_bias\":{\"1\":-1}}");
    request(&prompt_provider_openai, "{\"max_tokens\":5,\"seed\":1}",
            "max_completion_tokens",
            HEAD ",\"max_completion_tokens\":5,\"seed\":1}");
    request(&prompt_provider_openai,
            "{\"max_tokens\":5,\"max_completion_tokens\":6}",
            "max_completion_tokens", HEAD ",\"max_completion_tokens\":6}");
    request(&prompt_provider_openai, "{\"max_tokens\":5}", "max_tokens",
            HEAD ",\"max_tokens\":5}");

    request(&prompt_provider_anthropic, "{}", NULL,
            HEAD ",\"max_tokens\":4096}");
    request(&prompt_provider_anthropic, "{\"max_tokens\":5,\"model\":\"x\","
            "\"temperature\":1}", NULL,
            HEAD ",\"max_tokens\":5,\"temperature\":1}");
    request(&prompt_provider_anthropic, "{\"stop\":\"x\"}", NULL,
            HEAD ",\"max_tokens\":4096,\"stop_sequences\":[\"x\"]}");
    request(&prompt_provider_anthropic, "{\"stop\":[\"x\",\"y\"]}", NULL,
            HEAD ",\"max_tokens\":4096,\"stop_sequences\":[\"x\",\"y\"]}");
    request(&prompt_provider_anthropic, "{\"stop\":null}", NULL,
            HEAD ",\"max_tokens\":4096}");
    request(&prompt_provider_anthropic,
            "{\"stop\":\"x\",\"stop_sequences\":[\"z\"]}", NULL,
            HEAD ",\"max_tokens\":4096,\"stop_sequences\":[\"z\"]}");
    request(&prompt_provider_anthropic, "{\"max_tokens\":5}", "limit",
            HEAD ",\"limit\":5}");
    request(&prompt_provider_anthropic, "{\"max_tokens\":5,\"limit\":6}",
            "limit", HEAD ",\"limit\":6}");
}


static void
test_request_limit(void)
{
    char                       *text;
    prompt_buf_t                out;
    prompt_provider_request_t   call;

    /* the longest text, every byte of which becomes six */

    text = malloc(PROMPT_LIMIT_RENDERED);
    memset(text, 1, PROMPT_LIMIT_RENDERED);

    memset(&call, 0, sizeof(call));
    call.format = &prompt_provider_openai;
    call.params = json(prompt_str("{}"));
    call.model = prompt_str("m");
    call.messages = only(prompt_str_of(text, PROMPT_LIMIT_RENDERED));

    prompt_buf_init(&out, PROMPT_LIMIT_REQUEST);
    prompt_provider_request(&call, &out);
    is_int(out.status, PROMPT_BUF_OK, "the longest request fits");
    prompt_buf_free(&out);
    free(text);
}


/* want: "outcome in/cached/out output", numbers as they are */
static void
answer(unsigned status, prompt_str_t body, const char *want, const char *title)
{
    prompt_buf_t              text;
    prompt_provider_answer_t  got;

    prompt_buf_init(&text, 1 << 20);

    if (prompt_provider_answer(arena, format, status, body, &got)) {
        prompt_buf_printf(&text, "%d %lld/%lld/%lld", got.outcome,
                          (long long) got.usage.in,
                          (long long) got.usage.cached,
                          (long long) got.usage.out);

        if (got.output.data != NULL) {
            prompt_buf_char(&text, ' ');
            prompt_buf_str(&text, got.output);
        }

        if ((got.outcome == PROMPT_PROVIDER_DONE) != (got.message.len == 0)) {
            ok(false, "what failed has a message");
        }
    }

    is_str(prompt_buf_view(&text), want, title);
    prompt_buf_free(&text);
}

#define answers(status, body, want)                                          \
    answer(status, prompt_str(body), want, body)


static void
test_answers(void)
{
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\\u0000b\"}}]}",
            "0 -1/-1/-1 a\xef\xbf\xbd" "b");
    answers(200, "{\"choices\":[{\"message\":{}}]}", "0 -1/-1/-1 ");
    answers(200, "{\"choices\":[{\"message\":{\"content\":null,"
            "\"refusal\":\"no\"}}]}", "0 -1/-1/-1 no");
    answers(200, "{\"choices\":[{\"message\":{\"refusal\":\"no\","
            "\"content\":\"yes\"}}]}", "0 -1/-1/-1 yes");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"1\"}},"
            "{\"message\":{\"content\":\"2\"}}]}", "0 -1/-1/-1 1");
    answers(200, "{\"choices\":[{\"message\":{\"content\":[{\"type\":\"text\","
            "\"text\":\"a\"},{\"text\":\"b\",\"type\":\"output_text\"},"
            "{\"type\":\"image\",\"text\":\"no\"},{\"type\":\"text\","
            "\"text\":\"c\"}]}}]}", "0 -1/-1/-1 abc");
    answers(200, "{\"choices\":[{\"message\":{\"content\":5}}]}",
            "7 -1/-1/-1");
    answers(200, "{\"choices\":[{\"message\":\"text\"}]}", "7 -1/-1/-1");
    answers(200, "{\"choices\":[{\"text\":\"legacy\"}]}", "7 -1/-1/-1");
    answers(200, "{\"choices\":[],\"usage\":{\"prompt_tokens\":1,"
            "\"completion_tokens\":2}}", "7 1/-1/2");
    answers(200, "{\"choices\":[5]}", "7 -1/-1/-1");
    answers(200, "{\"choices\":{}}", "7 -1/-1/-1");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\"}}]} x",
            "7 -1/-1/-1");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\"}}],"
            "\"error\":null}", "0 -1/-1/-1 a");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\"}}],"
            "\"error\":{}}", "6 -1/-1/-1");

    answers(200, "{\"usage\":{\"prompt_tokens\":0,\"completion_tokens\":0},"
            "\"choices\":[{\"message\":{\"content\":\"a\"}}]}", "0 0/-1/0 a");
    answers(200, "{\"usage\":{\"prompt_tokens\":2147483647,"
            "\"completion_tokens\":2147483648,\"prompt_tokens_details\":{"
            "\"cached_tokens\":7}},\"choices\":[{\"message\":{}}]}",
            "0 2147483647/7/-1 ");
    answers(200, "{\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":1.0,"
            "\"prompt_tokens_details\":{\"cached_tokens\":6}},"
            "\"choices\":[{\"message\":{}}]}", "0 5/-1/1 ");
    answers(200, "{\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":1,"
            "\"prompt_tokens_details\":null},\"choices\":[]}",
            "7 5/-1/1");
    answers(200, "{\"usage\":[1],\"choices\":[{\"message\":{}}]}",
            "0 -1/-1/-1 ");

    answers(200, "", "7 -1/-1/-1");
    answers(200, "data: {}\n\n", "7 -1/-1/-1");
    answers(204, "", "7 -1/-1/-1");
    answers(301, "", "6 -1/-1/-1");
    answers(0, "", "6 -1/-1/-1");
    answers(100, "", "6 -1/-1/-1");
    answers(400, "{}", "1 -1/-1/-1");
    answers(402, "{}", "4 -1/-1/-1");
    answers(429, "{\"error\":{\"code\":\"insufficient_quota\"}}",
            "4 -1/-1/-1");
    answers(429, "not JSON", "3 -1/-1/-1");
    answers(529, "{}", "5 -1/-1/-1");
    answers(599, "{}", "6 -1/-1/-1");
    answers(500, "{\"choices\":[{\"message\":{\"content\":\"a\"}}]}",
            "6 -1/-1/-1");
}


static void
test_anthropic(void)
{
    format = &prompt_provider_anthropic;

    answers(200, "{\"content\":[]}", "0 -1/-1/-1 ");
    answers(200, "{\"content\":\"text\"}", "7 -1/-1/-1");
    answers(200, "{\"content\":[{\"type\":\"thinking\",\"thinking\":\"t\"},"
            "{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\","
            "\"text\":\"b\"}],\"usage\":{\"input_tokens\":1,"
            "\"cache_creation_input_tokens\":2,\"cache_read_input_tokens\":4,"
            "\"output_tokens\":8}}", "0 7/4/8 ab");
    answers(200, "{\"content\":[],\"usage\":{\"input_tokens\":1,"
            "\"cache_creation_input_tokens\":null,\"output_tokens\":8}}",
            "0 1/-1/8 ");
    answers(200, "{\"content\":[],\"usage\":{\"input_tokens\":1,"
            "\"cache_read_input_tokens\":-4,\"output_tokens\":8}}",
            "0 -1/-1/8 ");
    answers(200, "{\"content\":[],\"usage\":{\"input_tokens\":2147483647,"
            "\"cache_read_input_tokens\":1,\"output_tokens\":8}}",
            "0 -1/-1/8 ");

    format = &prompt_provider_openai;
}


/* an answer in the form that the location was not configured for */
static void
test_other_form(void)
{
    answers(200, "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}],"
            "\"usage\":{\"input_tokens\":1,\"output_tokens\":2}}",
            "7 -1/-1/-1");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\"}}],"
            "\"content\":[{\"type\":\"text\",\"text\":\"b\"}],\"usage\":{"
            "\"prompt_tokens\":1,\"input_tokens\":5,\"output_tokens\":2}}",
            "0 1/-1/-1 a");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\"}}],"
            "\"usage\":{\"input_tokens\":1,\"output_tokens\":2,"
            "\"cache_read_input_tokens\":4}}", "0 -1/-1/-1 a");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\"}}],"
            "\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2,"
            "\"cache_read_input_tokens\":4,"
            "\"cache_creation_input_tokens\":4}}", "0 9/-1/2 a");

    format = &prompt_provider_anthropic;

    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\"}}],"
            "\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}",
            "7 -1/-1/-1");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\"}}],"
            "\"content\":[{\"type\":\"text\",\"text\":\"b\"}],\"usage\":{"
            "\"prompt_tokens\":1,\"input_tokens\":5,\"output_tokens\":2}}",
            "0 5/-1/2 b");
    answers(200, "{\"content\":[],\"usage\":{\"prompt_tokens\":9,"
            "\"completion_tokens\":2}}", "0 -1/-1/-1 ");
    answers(200, "{\"content\":[],\"usage\":{\"input_tokens\":9,"
            "\"output_tokens\":2,\"prompt_tokens_details\":{"
            "\"cached_tokens\":4}}}", "0 9/-1/2 ");

    format = &prompt_provider_openai;
}


/* of members that come twice the last counts; nothing is joined */
static void
test_twice(void)
{
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\","
            "\"content\":\"b\"}}]}", "0 -1/-1/-1 b");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\","
            "\"c\\u006fntent\":\"b\"}}]}", "0 -1/-1/-1 b");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\","
            "\"content\":null}}]}", "0 -1/-1/-1 ");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\","
            "\"refusal\":\"no\",\"content\":null}}]}", "0 -1/-1/-1 no");
    answers(200, "{\"choices\":[{\"message\":{\"content\":5,"
            "\"content\":\"b\"}}]}", "0 -1/-1/-1 b");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\","
            "\"content\":5}}]}", "7 -1/-1/-1");
    answers(200, "{\"choices\":[{\"message\":{\"content\":["
            "{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\","
            "\"text\":\"b\"}],\"content\":[{\"type\":\"text\","
            "\"text\":\"c\"},{\"type\":\"text\",\"text\":\"d\"}]}}]}",
            "0 -1/-1/-1 cd");
    answers(200, "{\"choices\":[{\"message\":{\"content\":["
            "{\"type\":\"text\",\"text\":\"a\",\"text\":\"b\"},"
            "{\"type\":\"image\",\"type\":\"text\",\"text\":\"c\"},"
            "{\"type\":\"text\",\"type\":\"image\",\"text\":\"d\"}]}}]}",
            "0 -1/-1/-1 bc");
    answers(200, "{\"choices\":[{\"message\":{\"refusal\":\"a\","
            "\"refusal\":\"b\"}}]}", "0 -1/-1/-1 b");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\"},"
            "\"message\":{\"content\":\"b\"}}]}", "0 -1/-1/-1 b");
    answers(200, "{\"choices\":[{\"message\":5,"
            "\"message\":{\"content\":\"b\"}}]}", "0 -1/-1/-1 b");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\"},"
            "\"message\":5}]}", "7 -1/-1/-1");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\"}}],"
            "\"choices\":[{\"message\":{\"content\":\"b\"}}]}",
            "0 -1/-1/-1 b");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\"}}],"
            "\"choices\":[]}", "7 -1/-1/-1");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\"}}],"
            "\"error\":{},\"error\":null}", "0 -1/-1/-1 a");
    answers(200, "{\"choices\":[{\"message\":{\"content\":\"a\"}}],"
            "\"error\":null,\"error\":{}}", "6 -1/-1/-1");
    answers(429, "{\"error\":{\"code\":\"insufficient_quota\"},"
            "\"error\":{\"code\":\"x\"}}", "3 -1/-1/-1");
    answers(429, "{\"error\":{\"code\":\"insufficient_quota\","
            "\"code\":\"x\"}}", "3 -1/-1/-1");
    answers(429, "{\"error\":{\"code\":\"insufficient_quota\","
            "\"type\":\"x\",\"details\":{\"code\":\"x\"}}}",
            "4 -1/-1/-1");

    answers(200, "{\"usage\":{\"prompt_tokens\":1,\"prompt_tokens\":2,"
            "\"completion_tokens\":3,\"completion_tokens\":4},"
            "\"choices\":[{\"message\":{}}]}", "0 2/-1/4 ");
    answers(200, "{\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":3},"
            "\"usage\":{\"prompt_tokens\":2},"
            "\"choices\":[{\"message\":{}}]}", "0 2/-1/-1 ");
    answers(200, "{\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":3},"
            "\"usage\":null,\"choices\":[{\"message\":{}}]}",
            "0 -1/-1/-1 ");
    answers(200, "{\"usage\":{\"prompt_tokens\":9,\"prompt_tokens_details\":"
            "{\"cached_tokens\":1,\"cached_tokens\":2},"
            "\"completion_tokens\":3},\"choices\":[{\"message\":{}}]}",
            "0 9/2/3 ");
    answers(200, "{\"usage\":{\"prompt_tokens\":9,\"prompt_tokens_details\":"
            "{\"cached_tokens\":1},\"prompt_tokens_details\":{},"
            "\"completion_tokens\":3},\"choices\":[{\"message\":{}}]}",
            "0 9/-1/3 ");

    format = &prompt_provider_anthropic;

    answers(200, "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}],"
            "\"content\":[{\"type\":\"text\",\"text\":\"b\"}]}",
            "0 -1/-1/-1 b");
    answers(200, "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}],"
            "\"content\":null}", "7 -1/-1/-1");
    answers(200, "{\"content\":[5],\"content\":[]}", "0 -1/-1/-1 ");
    answers(200, "{\"content\":[],\"usage\":{\"input_tokens\":1,"
            "\"cache_creation_input_tokens\":2,"
            "\"cache_read_input_tokens\":4,\"output_tokens\":8},"
            "\"usage\":{\"input_tokens\":1,\"output_tokens\":9}}",
            "0 1/-1/9 ");
    answers(200, "{\"content\":[],\"usage\":{\"input_tokens\":1,"
            "\"input_tokens\":2,\"cache_creation_input_tokens\":3,"
            "\"cache_creation_input_tokens\":4,"
            "\"cache_read_input_tokens\":5,\"cache_read_input_tokens\":6,"
            "\"output_tokens\":7,\"output_tokens\":8}}", "0 12/6/8 ");

    format = &prompt_provider_openai;
}


#define FFFD  "\xef\xbf\xbd"

/* content: what stands between the quotes */
static void
mended(const char *content, size_t len, const char *want, const char *title)
{
    prompt_buf_t  body;

    prompt_buf_init(&body, 1 << 20);
    prompt_buf_literal(&body, "{\"usage\":{\"prompt_tokens\":5,"
                       "\"completion_tokens\":7},\"choices\":[{\"message\":"
                       "{\"content\":\"");
    prompt_buf_append(&body, content, len);
    prompt_buf_literal(&body, "\"}}]}");

    answer(200, prompt_buf_view(&body), want, title);
    prompt_buf_free(&body);
}

#define texts(content, want)                                                 \
    mended(content, sizeof(content) - 1, "0 5/-1/7 " want, content)


/* text that is none does not cost what was paid for */
static void
test_text(void)
{
    texts("a\\u0000b", "a" FFFD "b");
    texts("a\0b", "a" FFFD "b");
    texts("a\\ud800b", "a" FFFD "b");
    texts("a\\uDFFFb", "a" FFFD "b");
    texts("\\ud800", FFFD);
    texts("\\ud83d\\ude00", "\xf0\x9f\x98\x80");
    texts("\\ud83d\\ud83d\\ude00", FFFD "\xf0\x9f\x98\x80");
    texts("\\ude00\\ud83d", FFFD FFFD);
    texts("\\ud83d\\n", FFFD "\n");
    texts("\\ud83d\\\\", FFFD "\\");
    texts("\\\\ud800", "\\ud800");
    texts("\\\\\\ud800", "\\" FFFD);
    texts("\\\"\\u0000", "\"" FFFD);
    texts("a\xff" "b", "a" FFFD "b");
    texts("\xed\xa0\x80", FFFD FFFD FFFD);
    texts("\xc3", FFFD);
    texts("\xf0\x9f\x98", FFFD FFFD FFFD);
    texts("\xc0\x80", FFFD FFFD);
    texts("\xff\\ud800\\u0000\xc3\xa4", FFFD FFFD FFFD "\xc3\xa4");

    /* what is none, at each place among bytes that are looked at together */

    texts("abcdefgh" "\xff" "bcdefgh", "abcdefgh" FFFD "bcdefgh");
    texts("a\0cdefghijklmnop\xff", "a" FFFD "cdefghijklmnop" FFFD);
    texts("ab\xff" "defghijklmnop", "ab" FFFD "defghijklmnop");
    texts("abc\0efghijklmnop", "abc" FFFD "efghijklmnop");
    texts("abcd\xffghijklmnop", "abcd" FFFD "ghijklmnop");
    texts("abcde\\u0000ghijklmnop", "abcde" FFFD "ghijklmnop");
    texts("abcdef\0hijklmnop", "abcdef" FFFD "hijklmnop");
    texts("abcdefg\\udc00ijklmnop", "abcdefg" FFFD "ijklmnop");

    answers(200, "{\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":7},"
            "\"id\":\"\xff\\udc00\",\"\xff\":1,"
            "\"choices\":[{\"message\":{\"content\":\"a\"}}]}",
            "0 5/-1/7 a");

    /* an escape that is none is not one of ours */

    mended("\\ud80", 5, "7 5/-1/7", "half an escape");
    mended("\\u", 2, "7 5/-1/7", "none at all");
}


static void
test_messages(void)
{
    prompt_provider_answer_t  got;

    ok(prompt_provider_answer(arena, format, 529, prompt_str("{}"), &got),
       "an overloaded provider");
    is_str(got.message, "the provider refused the request with status 529: "
           "it is overloaded", "its status is named");

    ok(prompt_provider_answer(arena, format, 201, prompt_str("{}"), &got),
       "an answer of nothing");
    is_str(got.message, "the provider's answer with status 201 could not be "
           "read", "its status is named");

    ok(prompt_provider_answer(arena, format, 200,
                              prompt_str("{\"error\":{}}"), &got),
       "an error that is none by its status");
    is_str(got.message, "the provider reported an error with status 200",
           "its status is named");
}


static void
test_hostile(void)
{
    char          *text;
    size_t         n;
    clock_t        start;
    prompt_buf_t   buf;

    start = clock();

    n = 1000000;
    text = malloc(2 * n);
    memset(text, '[', n);
    memset(text + n, ']', n);
    answer(200, prompt_str_of(text, 2 * n), "7 -1/-1/-1", "a million brackets");

    memcpy(text, "{\"a\":", 5);
    answer(200, prompt_str_of(text, 2 * n), "7 -1/-1/-1", "within a member");
    free(text);

    /* as many parts as there is room for */

    prompt_buf_init(&buf, PROMPT_LIMIT_ANSWER);
    prompt_buf_literal(&buf, "{\"content\":[");
    format = &prompt_provider_anthropic;

    while (buf.len < PROMPT_LIMIT_ANSWER - 100) {
        prompt_buf_literal(&buf, "{\"type\":\"text\",\"text\":\"x\"},");
    }

    prompt_buf_literal(&buf, "{}],\"usage\":");
    memset(buf.data + buf.len - 9, ' ', 9);
    answer(200, prompt_buf_view(&buf), "7 -1/-1/-1", "8 MiB of parts, cut");
    prompt_buf_free(&buf);
    format = &prompt_provider_openai;

    /* each of 8 MiB is wrong, and becomes three */

    text = malloc(PROMPT_LIMIT_ANSWER);
    memset(text, 0xff, PROMPT_LIMIT_ANSWER);
    answer(200, prompt_str_of(text, PROMPT_LIMIT_ANSWER), "7 -1/-1/-1",
           "8 MiB of bytes that are no text");
    free(text);

    ok(within(start, 3), "in linear time");
}


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


static int64_t
count_of(const prompt_json_t *expect, prompt_str_t name)
{
    int64_t               n;
    const prompt_json_t  *value;

    value = prompt_json_get(expect, name);

    return value != NULL && prompt_json_integer(value, &n)
           ? n : PROMPT_USAGE_UNKNOWN;
}


/* the kinds of index.json, in the order of our outcomes */
static bool
same_kind(prompt_str_t kind, prompt_provider_outcome_t outcome)
{
    static const char  *kinds[] = {
        "", "bad_request", "provider_auth", "rate_limited", "quota",
        "overloaded", "provider_error", "provider_error"
    };

    return prompt_str_eq(kind, prompt_str_from(kinds[outcome]));
}


static const prompt_provider_format_t *
format_of(prompt_str_t file)
{
    if (memmem(file.data, file.len, "anthropic/", 10) != NULL
        || memmem(file.data, file.len, "messages", 8) != NULL)
    {
        return &prompt_provider_anthropic;
    }

    if (memmem(file.data, file.len, "responses", 9) != NULL) {
        return &prompt_provider_responses;
    }

    return memmem(file.data, file.len, "gemini/", 7) != NULL
           && memmem(file.data, file.len, "compat", 6) == NULL
           ? &prompt_provider_gemini : &prompt_provider_openai;
}


static void
test_fixture(const prompt_json_t *entry)
{
    int64_t                          status, cached;
    prompt_str_t                     file, path, body, class;
    const prompt_json_t             *expect, *output;
    prompt_provider_answer_t         got;
    const prompt_provider_format_t  *form;

    file = prompt_json_get(entry, prompt_str("file"))->text;
    form = format_of(file);
    expect = prompt_json_get(entry, prompt_str("expect"));
    path = prompt_arena_printf(arena, FIXTURES "/%.*s", prompt_str_arg(file));
    body = read_file(path.data);

    if (expect == NULL || body.data == NULL
        || !prompt_json_integer(prompt_json_get(entry, prompt_str("status")),
                                &status)
        || !prompt_provider_answer(arena, form, (unsigned) status, body,
                                   &got))
    {
        return;
    }

    class = prompt_json_get(expect, prompt_str("class"))->text;

    if (prompt_str_eq(class, prompt_str("no crash"))) {
        ok(true, path.data);
        return;
    }

    /* a stream is no answer that comes whole */

    if (memmem(file.data, file.len, ".sse", 4) != NULL) {
        ok(got.outcome == PROMPT_PROVIDER_UNREADABLE
           || got.outcome == PROMPT_PROVIDER_FAILED, path.data);
        return;
    }

    if (prompt_str_eq(class, prompt_str("error"))) {

        /* one that is overloaded says so by 503 as by 529 */

        ok(same_kind(prompt_json_get(expect, prompt_str("kind"))->text,
                     got.outcome)
           || (status == 503 && got.outcome == PROMPT_PROVIDER_FAILED),
           path.data);
        return;
    }

    output = prompt_json_get(expect, prompt_str("output"));
    cached = count_of(expect, prompt_str("cachedIn"));

    if (!ok(got.outcome == PROMPT_PROVIDER_DONE
            && prompt_str_eq(got.output, output->text)
            && got.usage.in == count_of(expect, prompt_str("tokenIn"))
            && got.usage.out == count_of(expect, prompt_str("tokenOut"))
            && (cached == PROMPT_USAGE_UNKNOWN || got.usage.cached == cached),
            path.data))
    {
        diag("outcome %d, %lld (%lld) in, %lld out, %.*s", got.outcome,
             (long long) got.usage.in, (long long) got.usage.cached,
             (long long) got.usage.out, prompt_str_arg(got.output));
    }
}


static void
test_fixtures(void)
{
    prompt_str_t          text;
    const prompt_json_t  *index, *entry;

    text = read_file(FIXTURES "/index.json");

    if (text.data == NULL) {
        skip(1, "no " FIXTURES);
        return;
    }

    index = json(text);

    for (entry = index->first; entry != NULL; entry = entry->next) {
        test_fixture(entry);
    }
}


/* none of the provider's words may come to a client */
static void
test_redaction(void)
{
    prompt_provider_answer_t  got;

    ok(prompt_provider_answer(arena, format, 401,
           prompt_str("{\"error\":{\"message\":"
           "\"Incorrect API key provided: sk-LEAKME\",\"code\":\"sk-LEAKME\"}"
           "}"), &got)
       && memmem(got.message.data, got.message.len, "LEAKME", 6) == NULL,
       "the key stays here");
    is_str(got.message, "the provider refused the service's credentials with "
           "status 401", "what is said instead");
}


/* the words that an error of this status and body is kept with */
static void
said(unsigned status, const char *body, const char *want, const char *name)
{
    prompt_provider_answer_t  got;

    if (ok(prompt_provider_answer(arena, format, status,
                                  prompt_str_from(body), &got), name))
    {
        is_str(got.said, want, name);
    }
}


/* what a provider says, in all the forms in which it does */
static void
test_said(void)
{
    char                      *text;
    size_t                     n;
    prompt_provider_answer_t   got;

    said(400, "{\"error\":{\"message\":\"why\",\"code\":1}}", "why",
         "an object");
    said(500, "{\"error\":\"why\"}", "why", "a text");
    said(400, "{\"object\":\"error\",\"message\":\"why\"}", "why", "flat");
    said(422, "{\"detail\":\"why\"}", "why", "a detail");
    said(422, "{\"detail\":[{\"loc\":[\"a\"],\"msg\":\"why\"},{\"msg\":"
         "\"b\"}]}", "why", "the first of several");
    said(422, "{\"detail\":{\"message\":\"why\"}}", "why", "within it");
    said(429, " [{\"error\":{\"message\":\"why\"}},{}]", "why", "a list");
    said(200, "{\"error\":{\"message\":\"why\"}}", "why", "under 200");
    said(400, "{\"error\":{\"message\":\"a\\u0000\\u001b[2J\\u009b\\u202e\"}}",
         "a" FFFD " [2J  ", "what a terminal would obey");

    said(401, "{\"error\":{\"message\":\"key sk-LEAKME\"}}", NULL, "401");
    said(403, "{\"error\":\"key sk-LEAKME\"}", NULL, "403");
    said(400, "{\"error\":{\"message\":7}}", NULL, "a number");
    said(400, "{\"error\":null,\"detail\":[]}", NULL, "nothing");
    said(400, "<html>", NULL, "no JSON");
    said(400, "[]", NULL, "an empty list");
    said(200, "{\"choices\":[{\"message\":{\"content\":\"a\"}}],"
         "\"message\":\"b\",\"detail\":\"c\"}", NULL, "a success");

    n = 5000;
    text = malloc(n + 64);
    n = (size_t) sprintf(text, "{\"error\":\"a%*s\"}", (int) n, "");

    for (char *p = text + 11; p < text + n - 3; p += 2) {
        memcpy(p, "\xc3\xa9", 2);
    }

    ok(prompt_provider_answer(arena, format, 500, prompt_str_of(text, n), &got)
       && got.said.len == PROMPT_LIMIT_SAID - 1
       && memcmp(got.said.data + got.said.len - 2, "\xc3\xa9", 2) == 0,
       "at most 1 KiB, of whole characters");
    free(text);
}


static void
test_memory(void)
{
    bool                       sound, done;
    size_t                     limit;
    prompt_arena_t            *small;
    prompt_provider_answer_t   got;

    sound = true;
    done = false;

    for (limit = 0; limit < 20000 && !done; limit += 16) {
        small = prompt_arena_create(limit);
        done = prompt_provider_answer(small, &prompt_provider_anthropic, 200,
                   prompt_str("{\"content\":["
                   "{\"type\":\"text\",\"text\":\"\\u0000\"},{\"type\":"
                   "\"text\",\"text\":\"b\"}],\"usage\":{\"input_tokens\":1,"
                   "\"output_tokens\":2}}"), &got);
        sound = sound && (!done || got.outcome == PROMPT_PROVIDER_DONE);
        prompt_arena_destroy(small);
    }

    ok(sound && done, "short of memory at every allocation in turn");
}


int
main(void)
{
    arena = prompt_arena_create(1024 * 1024 * 1024);

    test_formats();
    test_requests();
    test_request_limit();
    test_answers();
    test_anthropic();
    test_other_form();
    test_twice();
    test_text();
    test_messages();
    test_hostile();
    test_fixtures();
    test_redaction();
    test_said();
    test_memory();

    prompt_arena_destroy(arena);

    return done_testing();
}
