/*
 * Conversations: what versions and histories have beside texts (pictures, calls
 * of tools, their answers, thoughts), as each format sends it, and answers as
 * messages that go on with them.
 *
 * Texts here have ' where JSON has ".
 */

#include "provider/stream.h"

#include <stdlib.h>

#include "tap.h"


static prompt_arena_t  *arena;

static const prompt_provider_format_t *const  openai = &prompt_provider_openai;
static const prompt_provider_format_t *const  claude =
    &prompt_provider_anthropic;


static prompt_str_t
quoted(const char *text)
{
    char    *copy;
    size_t   i, len;

    len = strlen(text);
    copy = prompt_arena_alloc(arena, len + 1);

    for (i = 0; i <= len; i++) {
        copy[i] = text[i] == '\'' ? '"' : text[i];
    }

    return prompt_str_of(copy, len);
}


static prompt_json_t *
json(const char *text)
{
    prompt_json_t        *value;
    prompt_json_error_t   error;

    value = prompt_json_read(arena, quoted(text), 64, &error);

    if (value == NULL) {
        diag("%s: %s", text, error.message);
        value = prompt_json_new(arena, PROMPT_JSON_ARRAY);
    }

    return value;
}


/* the field of a fault, or what is stored */
static void
stores(const char *messages, const char *want)
{
    prompt_str_t    text;
    prompt_check_t  rc;
    prompt_fault_t  fault;

    rc = prompt_messages_check(arena, json(messages), &text, &fault);

    is_str(rc == PROMPT_CHECK_FAULT ? fault.field : text,
           quoted(want).data, messages);
}


static void
test_versions(void)
{
    stores("[{'role':'USER','content':'a','images':[],'toolCalls':null}]",
           "[{'role':'USER','content':'a'}]");
    stores("[{'images':['{{a}}','https://b/'],'content':'','role':'USER'}]",
           "[{'role':'USER','content':'','images':['{{a}}','https://b/']}]");
    stores("[{'role':'ASSISTANT','toolCalls':[{'arguments':'{}','name':'f',"
           "'id':'1'},{'id':'','name':'g','arguments':'x'}]},"
           "{'role':'TOOL','toolCallId':'1','content':'{{a}}'}]",
           "[{'role':'ASSISTANT','toolCalls':[{'id':'1','name':'f',"
           "'arguments':'{}'},{'id':'','name':'g','arguments':'x'}]},"
           "{'role':'TOOL','content':'{{a}}','toolCallId':'1'}]");

    stores("[{'role':'SYSTEM','content':'','images':['x']}]",
           "messages.0.images");
    stores("[{'placeholder':'x','images':['x']}]", "messages.0.images");
    stores("[{'role':'USER','images':['x']}]", "messages.0");
    stores("[{'role':'USER','content':'','images':['x','{{']}]",
           "messages.0.images.1");
    stores("[{'role':'USER','toolCalls':[{'id':'','name':'','arguments':''}]}]",
           "messages.0.toolCalls");
    stores("[{'toolCalls':[{'id':'','name':'','arguments':''}]}]",
           "messages.0.role");
    stores("[{'role':'ASSISTANT','toolCalls':[{'id':'','name':'\\u0000',"
           "'arguments':''}]}]", "messages.0.toolCalls.0.name");
    stores("[{'role':'TOOL','content':'x'}]", "messages.0.toolCallId");
    stores("[{'role':'USER','content':'x','toolCallId':'1'}]",
           "messages.0.toolCallId");
    stores("[{'role':'TOOL','toolCallId':'1'}]", "messages.0");
    stores("[{'role':'TOOL','content':'x','toolCallId':'\\u0000'}]",
           "messages.0.toolCallId");
}


/* the request's messages and what follows, or "field: message" */
static void
asks(const prompt_provider_format_t *format, const char *messages,
    const char *input, const char *want)
{
    prompt_buf_t                texts, out;
    prompt_check_t              rc;
    prompt_fault_t              fault;
    prompt_provider_request_t   request;

    memset(&request, 0, sizeof(request));
    prompt_buf_init(&texts, PROMPT_LIMIT_RENDERED);
    prompt_buf_init(&out, PROMPT_LIMIT_REQUEST);

    request.format = format;
    request.params = json("{'max_tokens':1}");
    request.model = prompt_str("m");

    rc = prompt_messages_render(arena, json(messages), prompt_str("{{q}}"),
                                json(input), json("{'properties':{'q':{}}}"),
                                NULL, &texts, &request.messages, &fault);

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_provider_check(arena, &request, &fault);
    }

    if (rc == PROMPT_CHECK_OK) {
        prompt_provider_request(&request, &out);
    } else {
        prompt_buf_str(&out, fault.field);
    }

    is_str(prompt_buf_view(&out), quoted(want).data, input);

    prompt_buf_free(&texts);
    prompt_buf_free(&out);
}

#define HISTORY  "[{'placeholder':'h'}]"
#define INPUT(messages)  "{'q':'go','h':[" messages "]}"
#define TOOLED(messages)  "{'h':[" messages "]}"

#define OPENAI(messages)                                                     \
    "{'model':'m','messages':[" messages "],'max_tokens':1}"
#define CLAUDE(messages, more)                                               \
    "{'model':'m','messages':[" messages "]" more ",'max_tokens':1}"
#define GO  ",{'role':'user','content':'go'}"

#define CALL(id, name, arguments)                                            \
    "{'id':'" id "','type':'function','function':{'name':'" name            \
    "','arguments':'" arguments "'}}"
#define CALLS(calls)  "{'role':'assistant','content':null,'tool_calls':["   \
    calls "]}"
#define ANSWER(id, text)                                                     \
    "{'role':'tool','content':'" text "','tool_call_id':'" id "'}"
#define USE(id, name, input)                                                 \
    "{'type':'tool_use','id':'" id "','name':'" name "','input':" input "}"
#define RESULT(id, text)                                                     \
    "{'type':'tool_result','tool_use_id':'" id "','content':'" text "'}"


static void
test_tools(void)
{
    asks(openai, HISTORY,
         TOOLED(CALLS(CALL("1", "f", "{}") "," CALL("2", "g", "")) ","
                ANSWER("2", "b") "," ANSWER("1", "a")),
         OPENAI(CALLS(CALL("1", "f", "{}") "," CALL("2", "g", "")) ","
                ANSWER("2", "b") "," ANSWER("1", "a")));
    asks(claude, HISTORY,
         TOOLED(CALLS(CALL("1", "f", "{ }") "," CALL("2", "g", "")) ","
                ANSWER("2", "b") "," ANSWER("1", "a")),
         CLAUDE("{'role':'assistant','content':[" USE("1", "f", "{ }") ","
                USE("2", "g", "{}") "]},{'role':'user','content':["
                RESULT("2", "b") "," RESULT("1", "a") "]}", ""));

    /* the content is behind them where there is one, and calls behind text */

    asks(claude, HISTORY,
         INPUT("{'role':'assistant','content':'hm','tool_calls':["
               CALL("1", "f", "{}") "]},{'role':'tool','tool_call_id':'1',"
               "'content':[{'type':'text','text':'a'},{'type':'text',"
               "'text':'b'}]}"),
         CLAUDE("{'role':'assistant','content':[{'type':'text','text':'hm'},"
                USE("1", "f", "{}") "]},{'role':'user','content':["
                "{'type':'tool_result','tool_use_id':'1','content':["
                "{'type':'text','text':'a'},{'type':'text','text':'b'}]}]}"
                GO, ""));

    /* of a version */

    asks(claude, "[{'role':'ASSISTANT','toolCalls':[{'id':'1','name':'f',"
         "'arguments':'{}'}]},{'role':'TOOL','toolCallId':'1','content':"
         "'{{a}}'}]", "{'q':'go','a':'x'}",
         CLAUDE("{'role':'assistant','content':[" USE("1", "f", "{}") "]},"
                "{'role':'user','content':[" RESULT("1", "x") "]}" GO, ""));
    asks(openai, "[{'role':'ASSISTANT','content':'','toolCalls':[{'id':'1',"
         "'name':'{{f}}','arguments':'{}'}]},{'placeholder':'h'}]",
         INPUT(ANSWER("1", "x")),
         OPENAI("{'role':'assistant','content':'','tool_calls':["
                CALL("1", "{{f}}", "{}") "]}," ANSWER("1", "x") GO));

    /* some give no ids */

    asks(openai, HISTORY,
         TOOLED(CALLS(CALL("", "f", "") "," CALL("", "g", "")) ","
                ANSWER("", "a") "," ANSWER("", "b")),
         OPENAI(CALLS(CALL("", "f", "") "," CALL("", "g", "")) ","
                ANSWER("", "a") "," ANSWER("", "b")));
    asks(openai, HISTORY, INPUT("{'role':'assistant','content':'x',"
         "'tool_calls':[]}"),
         OPENAI("{'role':'assistant','content':'x'}" GO));
}


static void
test_pairs(void)
{
    asks(openai, HISTORY, INPUT(ANSWER("1", "x")), "h.0.tool_call_id");
    asks(openai, HISTORY, INPUT(CALLS(CALL("1", "f", ""))), "h.0.tool_calls");
    asks(openai, HISTORY, INPUT(CALLS(CALL("1", "f", "")) ","
         ANSWER("2", "x")), "h.1.tool_call_id");
    asks(openai, HISTORY, INPUT(CALLS(CALL("1", "f", "")) ","
         ANSWER("1", "x") "," ANSWER("1", "x")), "h.2.tool_call_id");
    asks(openai, HISTORY, INPUT(CALLS(CALL("1", "f", "") ","
         CALL("2", "g", "")) "," ANSWER("1", "x")), "h.0.tool_calls");
    asks(openai, HISTORY, TOOLED(CALLS(CALL("1", "f", "") ","
         CALL("2", "g", "")) "," ANSWER("1", "x")), "h.0.tool_calls");
    asks(openai, HISTORY, INPUT(CALLS(CALL("1", "f", "")) ","
         "{'role':'user','content':''}," ANSWER("1", "x")),
         "h.0.tool_calls");
    asks(openai, "[{'role':'TOOL','toolCallId':'1','content':''}]", "{}",
         "messages.0.toolCallId");
    asks(openai, "[{'role':'ASSISTANT','toolCalls':[{'id':'1','name':'f',"
         "'arguments':''}]}]", "{}", "messages.0.toolCalls");
}


static void
test_ill_formed(void)
{
#define ONE(message, field)  asks(openai, HISTORY, INPUT(message), field)
#define ASSISTANT(members)  "{'role':'assistant','content':null," members "}"

    ONE("{'role':'assistant','content':null}", "h.0.content");
    ONE("{'role':'user'}", "h.0.content");
    ONE("{'role':'user','content':[]}", "h.0.content");
    ONE("{'role':'user','content':{}}", "h.0.content");
    ONE("{'role':'user','content':{'a':1}}", "h.0.content");
    ONE("{'role':'user','content':5}", "h.0.content");
    ONE("{'role':'user','content':[{}]}", "h.0.content.0.type");
    ONE("{'role':'user','content':[{'type':'x'}]}", "h.0.content.0.type");
    ONE("{'role':'user','content':[{'type':'text','text':''},"
        "{'type':'text'}]}", "h.0.content.1");
    ONE("{'role':'user','content':[{'type':'text','text':'','image_url':"
        "{'url':'https://a/'}}]}", "h.0.content.0");
    ONE("{'role':'user','content':[{'type':'image_url'}]}", "h.0.content.0");
    ONE("{'role':'user','content':[{'type':'image_url','image_url':'x'}]}",
        "h.0.content.0.image_url");
    ONE("{'role':'user','content':[{'type':'image_url','image_url':{}}]}",
        "h.0.content.0.image_url.url");
    ONE("{'role':'user','content':[{'type':'image_url','image_url':{'url':"
        "'https://a/','detail':5}}]}", "h.0.content.0.image_url.detail");
    ONE("{'role':'system','content':[{'type':'image_url','image_url':{'url':"
        "'https://a/'}}]}", "h.0.content.0.type");
    ONE("{'role':'user','content':'','tool_calls':[" CALL("1", "f", "") "]}",
        "h.0.tool_calls");
    ONE("{'role':'user','content':'','tool_call_id':'1'}",
        "h.0.tool_call_id");
    ONE("{'role':'tool','content':''}", "h.0.tool_call_id");
    ONE("{'role':'user','content':'','refusal':'no'}", "h.0.refusal");
    ONE("{'role':'user','content':'','provider':{'format':'x'}}",
        "h.0.provider");
    ONE(ASSISTANT("'tool_calls':{}"), "h.0.tool_calls");
    ONE(ASSISTANT("'tool_calls':[5]"), "h.0.tool_calls.0");
    ONE(ASSISTANT("'tool_calls':[{'id':'1'}]"), "h.0.tool_calls.0.function");
    ONE(ASSISTANT("'tool_calls':[{'function':{'name':'','arguments':''}}]"),
        "h.0.tool_calls.0.id");
    ONE(ASSISTANT("'tool_calls':[{'id':'','function':{'name':''}}]"),
        "h.0.tool_calls.0.function.arguments");
    ONE(ASSISTANT("'tool_calls':[{'id':'','function':{'name':5}}]"),
        "h.0.tool_calls.0.function.name");
    ONE(ASSISTANT("'tool_calls':[{'id':'','type':'x','function':{'name':'',"
                  "'arguments':''}}]"), "h.0.tool_calls.0.type");
    ONE(ASSISTANT("'tool_calls':[{'id':'','index':0,'function':{'name':'',"
                  "'arguments':''}}]"), "h.0.tool_calls.0.index");
    ONE("{'role':'assistant','content':'x','refusal':'no'}", "h.0.refusal");
    ONE("{'role':'assistant','content':'x','provider':'x'}", "h.0.provider");
    ONE("{'role':'assistant','content':'x','provider':{'format':5}}",
        "h.0.provider");

    /* arguments are JSON for some */

    asks(claude, HISTORY, TOOLED(CALLS(CALL("1", "f", "{") ) ","
         ANSWER("1", "x")), "h.0.tool_calls.0.function.arguments");
    asks(claude, HISTORY, TOOLED(CALLS(CALL("1", "f", "{},1") ) ","
         ANSWER("1", "x")), "h.0.tool_calls.0.function.arguments");
    asks(claude, "[{'role':'ASSISTANT','toolCalls':[{'id':'1','name':'f',"
         "'arguments':'[]'}]},{'role':'TOOL','toolCallId':'1','content':''}]",
         "{}", "messages.0.toolCalls.0.arguments");
}


#define PIXEL  "data:image/png;base64,iVBORw0KGgo="
#define PICTURE(url)  "{'type':'image_url','image_url':{'url':'" url "'}}"


static void
test_pictures(void)
{
    asks(openai, HISTORY, INPUT("{'role':'user','name':'n','content':["
         "{'type':'text','text':'a'},{'type':'image_url','image_url':{'url':"
         "'https://a/','detail':'low'}}," PICTURE(PIXEL) "]}"),
         OPENAI("{'role':'user','content':[{'type':'text','text':'a'},"
                "{'type':'image_url','image_url':{'url':'https://a/',"
                "'detail':'low'}}," PICTURE(PIXEL) "],'name':'n'}" GO));
    asks(claude, HISTORY, INPUT("{'role':'user','name':'n','content':["
         PICTURE("https://a/b?c") "," PICTURE(PIXEL) "]}"),
         CLAUDE("{'role':'user','content':[{'type':'image','source':{'type':"
                "'url','url':'https://a/b?c'}},{'type':'image','source':"
                "{'type':'base64','media_type':'image/png','data':"
                "'iVBORw0KGgo='}}]}" GO, ""));

    /* of a version: templates; no empty text */

    asks(openai, "[{'role':'USER','content':'see {{n}}','images':["
         "'https://{{n}}/','{{p}}']},{'role':'USER','content':'','images':["
         "'{{p}}']}]", "{'q':'go','n':'a','p':'" PIXEL "'}",
         OPENAI("{'role':'user','content':[{'type':'text','text':'see a'},"
                PICTURE("https://a/") "," PICTURE(PIXEL) "]},"
                "{'role':'user','content':[" PICTURE(PIXEL) "]}" GO));
    asks(openai, "[{'role':'USER','content':'','images':['https://a/',"
         "'{{p}}']}]", "{'p':'http://a/'}", "messages.0.images.1");
}


static void
test_addresses(void)
{
    size_t                    i;
    prompt_str_t              type, data;
    static const char *const  bad[] = {
        "", "https://", "http://a/", "HTTPS://a/", "https:a", "file:///a",
        "https://a/ b", "https://a/\n", "https://a/\x7f", "//a/", "a",
        "data:image/png;base64,", "data:image/svg+xml;base64,AA==",
        "data:image/png,AA==", "data:text/html;base64,AA==",
        "data:image/png;base64,A\"", "data:image/png;base64,A A",
        "data:image/png;base64,A_-", " https://a/", "javascript:1"
    };

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ok(!prompt_message_image(prompt_str_from(bad[i]), &type, &data),
           bad[i]);
    }

    ok(prompt_message_image(prompt_str("https://a"), &type, &data)
       && type.data == NULL && data.data == NULL, "an address");
    ok(prompt_message_image(prompt_str("data:image/webp;base64,A+/="), &type,
                            &data), "a picture itself");
    is_str(type, "image/webp", "its type");
    is_str(data, "A+/=", "its data");
    ok(prompt_message_image(prompt_str("data:image/gif;base64,AA"), &type,
                            &data)
       && prompt_message_image(prompt_str("data:image/jpeg;base64,AA"), &type,
                               &data), "other types");
}


static void
test_systems(void)
{
    asks(openai, HISTORY, INPUT("{'role':'developer','content':'a'},"
         "{'role':'user','content':'b'},{'role':'developer','content':'c'}"),
         OPENAI("{'role':'developer','content':'a'},{'role':'user',"
                "'content':'b'},{'role':'developer','content':'c'}" GO));
    asks(claude, HISTORY, INPUT("{'role':'developer','content':'a'},"
         "{'role':'system','content':[{'type':'text','text':'b'},"
         "{'type':'text','text':'c'}]}"),
         CLAUDE("{'role':'user','content':'go'}", ",'system':["
                "{'type':'text','text':'a'},{'type':'text','text':'b'},"
                "{'type':'text','text':'c'}]"));
    asks(claude, HISTORY, INPUT("{'role':'system','content':["
         "{'type':'text','text':'b'}]}"),
         CLAUDE("{'role':'user','content':'go'}",
                ",'system':[{'type':'text','text':'b'}]"));
    asks(claude, HISTORY, INPUT("{'role':'user','content':'b'},"
         "{'role':'developer','content':'c'}"), "h.1");

    asks(openai, HISTORY, INPUT("{'role':'assistant','content':'',"
         "'refusal':'no'}"),
         OPENAI("{'role':'assistant','content':null,'refusal':'no'}" GO));
    asks(claude, HISTORY, INPUT("{'role':'assistant','refusal':'no'}"),
         CLAUDE("{'role':'assistant','content':'no'}" GO, ""));
}


#define THOUGHT  "{'type':'thinking','thinking':'a\\n','signature':'s='}"
#define HIDDEN   "{'type':'redacted_thinking','data':'d='}"
#define GIVEN(format, blocks)                                                \
    "'provider':{'format':'" format "','opaque':[" blocks "]}"


static void
test_thoughts(void)
{
    asks(claude, HISTORY, TOOLED("{'role':'assistant','content':null,"
         "'tool_calls':[" CALL("1", "f", "{}") "],"
         GIVEN("anthropic", THOUGHT "," HIDDEN) "}," ANSWER("1", "x")),
         CLAUDE("{'role':'assistant','content':[" THOUGHT "," HIDDEN ","
                USE("1", "f", "{}") "]},{'role':'user','content':["
                RESULT("1", "x") "]}", ""));
    asks(claude, HISTORY, INPUT("{'role':'assistant','content':'x',"
         GIVEN("anthropic", THOUGHT) "}"),
         CLAUDE("{'role':'assistant','content':[" THOUGHT ",{'type':'text',"
                "'text':'x'}]}" GO, ""));

    /* of another format; and what is no thought goes nowhere */

    asks(claude, HISTORY, INPUT("{'role':'assistant','content':'x',"
         GIVEN("gemini", THOUGHT) "}"),
         CLAUDE("{'role':'assistant','content':'x'}" GO, ""));
    asks(openai, HISTORY, INPUT("{'role':'assistant','content':'x',"
         GIVEN("anthropic", THOUGHT) "}"),
         OPENAI("{'role':'assistant','content':'x'}" GO));
    asks(claude, HISTORY, INPUT("{'role':'assistant','content':'x',"
         GIVEN("anthropic", "{'type':'thinking','thinking':'a',"
               "'signature':'s','x':1}") "}"),
         CLAUDE("{'role':'assistant','content':[{'type':'thinking',"
                "'thinking':'a','signature':'s'},{'type':'text','text':'x'}]}"
                GO, ""));

#define FORGED(block)                                                        \
    asks(claude, HISTORY, INPUT("{'role':'assistant','content':'x',"         \
         GIVEN("anthropic", block) "}"), "h.0.provider.opaque")

    FORGED("{'type':'document','source':{}}");
    FORGED("{'type':'thinking','thinking':'a'}");
    FORGED("{'type':'thinking','thinking':'a','signature':{}}");
    FORGED(THOUGHT ",{'type':'redacted_thinking','data':5}");
    FORGED("5");
    FORGED("{'type':5}");
    asks(claude, HISTORY, INPUT("{'role':'assistant','content':'x',"
         "'provider':{'format':'anthropic','opaque':{'type':'x'}}}"),
         "h.0.provider.opaque");
}


static void
is_message(const prompt_provider_answer_t *answer,
    const prompt_provider_format_t *format, const char *want, const char *name)
{
    prompt_buf_t  out;

    prompt_buf_init(&out, 1 << 20);
    prompt_provider_answer_message(answer, format->name, &out);
    is_str(prompt_buf_view(&out), quoted(want).data, name);
    prompt_buf_free(&out);
}


/* an answer that came whole, as a message */
static void
says(const prompt_provider_format_t *format, const char *body,
    const char *want)
{
    prompt_provider_answer_t  answer;

    if (!prompt_provider_answer(arena, format, 200, quoted(body), &answer)) {
        memset(&answer, 0, sizeof(answer));
    }

    is_message(&answer, format, want, body);
}


static void
test_messages(void)
{
    says(openai, "{'choices':[{'message':{'content':'a\\u0007'}}]}",
         "{'role':'assistant','content':'a\\u0007'}");
    says(openai, "{'choices':[{'message':{'content':''}}]}",
         "{'role':'assistant','content':''}");
    says(openai, "{'choices':[{'message':{'content':null,'tool_calls':["
         CALL("1", "f", "{\\'") "," CALL("2", "g", "") "]}}]}",
         CALLS(CALL("1", "f", "{\\'") "," CALL("2", "g", "")));
    says(claude, "{'content':[" THOUGHT "," HIDDEN ",{'type':'text','text':"
         "'hm'}," USE("1", "f", "{'a':1}") "]}",
         "{'role':'assistant','content':'hm','tool_calls':["
         CALL("1", "f", "{\\'a\\':1}") "],"
         GIVEN("anthropic", THOUGHT "," HIDDEN) "}");
    says(claude, "{'content':[" THOUGHT "],'content':[{'type':'thinking',"
         "'thinking':'no signature'},{'type':'redacted_thinking'},"
         "{'type':'new','thinking':'a','signature':'s','data':'d'}]}",
         "{'role':'assistant','content':''}");
}


#define EVENT(type, members)  "data:{'type':'" type "'" members "}\n\n"
#define START(block)  EVENT("content_block_start", ",'content_block':" block)
#define DELTA(type, member)                                                  \
    EVENT("content_block_delta", ",'delta':{'type':'" type "'," member "}")
#define STOP  EVENT("content_block_stop", "")
#define THINKING  "{'type':'thinking','thinking':'','signature':''}"


/* the same of a stream, cut into pieces of that size */
static void
streams(const char *body, size_t size, const char *want)
{
    const char                *pos, *end;
    prompt_str_t               text;
    prompt_provider_answer_t   answer;
    prompt_provider_stream_t   stream;

    text = quoted(body);
    prompt_provider_stream_init(&stream, claude, 1 << 20);

    while (text.len != 0) {
        pos = text.data;
        end = pos + (size < text.len ? size : text.len);
        text.len -= (size_t) (end - pos);
        text.data = end;

        while (prompt_provider_stream_read(&stream, &pos, end)
               == PROMPT_PROVIDER_STREAM_TEXT) { /* void */ }
    }

    memset(&answer, 0, sizeof(answer));
    ok(prompt_provider_stream_answer(&stream, arena, 200, &answer)
       && answer.outcome == PROMPT_PROVIDER_DONE, "a stream");
    is_message(&answer, claude, want, body);
    prompt_provider_stream_free(&stream);
}


static void
test_streams(void)
{
    size_t                    i;
    static const char *const  body =
        EVENT("message_start", "")
        START(THINKING)
        DELTA("thinking_delta", "'thinking':'a'")
        DELTA("thinking_delta", "'thinking':'\\n'")
        DELTA("signature_delta", "'signature':'s'")
        DELTA("signature_delta", "'signature':'='")
        STOP START(HIDDEN) STOP
        START("{'type':'text','text':''}")
        DELTA("text_delta", "'text':'hm'") STOP
        START("{'type':'tool_use','id':'1','name':'f','input':{}}")
        DELTA("input_json_delta", "'partial_json':'{\\'a\\''")
        DELTA("input_json_delta", "'partial_json':':1}'") STOP
        EVENT("message_stop", "");

    for (i = 1; i < strlen(body); i += 1 + i / 8) {
        streams(body, i, "{'role':'assistant','content':'hm','tool_calls':["
                CALL("1", "f", "{\\'a\\':1}") "],"
                GIVEN("anthropic", THOUGHT "," HIDDEN) "}");
    }

    /* what does not belong to a thought, and one that does not end */

    streams(EVENT("message_start", "") STOP
            DELTA("thinking_delta", "'thinking':'a'")
            START(THINKING) DELTA("thinking_delta", "'thinking':'b'")
            START("{'type':'redacted_thinking'}")
            EVENT("message_stop", ""), 4096,
            "{'role':'assistant','content':''}");
}


/* what counts towards the limits, also of what is given twice */
static void
test_limits(void)
{
    char              *text;
    size_t             i, n;
    prompt_buf_t       out, history;
    prompt_check_t     rc;
    prompt_fault_t     fault;
    prompt_messages_t  all;

    static const char *const  counted[] = {
        "{'role':'user','content':'%s'}",
        "{'role':'user','content':'','name':'%s'}",
        "{'role':'user','content':[{'type':'text','text':'%s'}]}",
        "{'role':'user','content':[{'type':'image_url','image_url':{'url':"
            "'https://%s'}}]}",
        "{'role':'assistant','content':null,'refusal':'%s'}",
        "{'role':'assistant','content':'','provider':{'format':'x','y':'%s'}}",
        "{'role':'assistant','tool_calls':[{'id':'','function':{'name':'f',"
            "'arguments':'%s'}}]},{'role':'tool','content':'',"
            "'tool_call_id':''}",
        "{'role':'assistant','tool_calls':[{'id':'','function':{'name':'%s',"
            "'arguments':''}}]},{'role':'tool','content':'',"
            "'tool_call_id':''}"
    };

    text = malloc(PROMPT_LIMIT_RENDERED + 1);

    for (i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
        for (n = 100; n <= 500; n += 400) {
            prompt_buf_init(&history, PROMPT_LIMIT_RENDERED);
            prompt_buf_literal(&history, "{'q':'','h':[");
            memset(text, 'x', n);
            text[n] = '\0';
            prompt_buf_printf(&history, counted[i], text);
            prompt_buf_literal(&history, "]}");
            prompt_buf_char(&history, '\0');

            prompt_buf_init(&out, 500);
            rc = prompt_messages_render(arena, json("[{'placeholder':'h'},"
                                        "{'placeholder':'h'}]"),
                                        prompt_str("{{q}}"),
                                        json(history.data), NULL, NULL, &out,
                                        &all, &fault);
            is_int(rc, n == 100 ? PROMPT_CHECK_OK : PROMPT_CHECK_FAULT,
                   counted[i]);
            prompt_buf_free(&out);
            prompt_buf_free(&history);
        }
    }

    free(text);
}


/* n empty parts, twice */
static void
parts(unsigned n, const char *want)
{
    unsigned       i;
    prompt_buf_t   input;

    prompt_buf_init(&input, PROMPT_LIMIT_RENDERED);
    prompt_buf_literal(&input, "{'q':'','h':[{'role':'user','content':[");

    for (i = 0; i < n; i++) {
        prompt_buf_printf(&input, "%s{'type':'text','text':''}",
                          i != 0 ? "," : "");
    }

    prompt_buf_literal(&input, "]}]}");
    prompt_buf_char(&input, '\0');

    asks(openai, "[{'placeholder':'h'},{'placeholder':'h'}]", input.data,
         want);

    prompt_buf_free(&input);
}


/* the longest request there may be is sent */
static void
test_longest(void)
{
    size_t                      i, n;
    prompt_buf_t                body;
    prompt_message_t           *list;
    prompt_message_call_t      *calls;
    prompt_provider_request_t   request;

    parts(40000, "h.0.content");

    n = PROMPT_LIMIT_CONVERSATION / 3;
    list = calloc(2 * n, sizeof(*list));
    calls = calloc(n, sizeof(*calls));

    for (i = 0; i < n; i++) {
        calls[i].id = calls[i].name = calls[i].arguments = prompt_str("");
        list[2 * i].role = PROMPT_ROLE_ASSISTANT;
        list[2 * i].text = list[2 * i + 1].text = prompt_str("");
        list[2 * i].calls = &calls[i];
        list[2 * i].ncalls = 1;
        list[2 * i + 1].role = PROMPT_ROLE_TOOL;
        list[2 * i + 1].call_id = prompt_str("");
    }

    memset(&request, 0, sizeof(request));
    request.params = json("{}");
    request.messages.list = list;
    request.messages.count = 2 * n;

    for (i = 0; i < 2; i++) {
        request.format = i == 0 ? openai : claude;
        prompt_buf_init(&body, PROMPT_LIMIT_REQUEST
                               - 6 * PROMPT_LIMIT_RENDERED);
        prompt_provider_request(&request, &body);
        is_int(body.status, PROMPT_BUF_OK, "as many messages as may be");
        prompt_buf_free(&body);
    }

    free(list);
    free(calls);
}


int
main(void)
{
    arena = prompt_arena_create(256 * 1024 * 1024);

    test_versions();
    test_tools();
    test_pairs();
    test_ill_formed();
    test_pictures();
    test_addresses();
    test_systems();
    test_thoughts();
    test_messages();
    test_streams();
    test_limits();
    test_longest();

    prompt_arena_destroy(arena);

    return done_testing();
}
