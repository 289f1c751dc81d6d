/*
 * The parameters of a request, from bodies and URLs: what is taken, what is
 * ignored, and in which words the rest is refused.
 */

#include "graphql_http/params.h"

#include "tap.h"


#define TEST_ARENA  (256 * 1024)


typedef gql_http_params_e (*reader_pt)(prompt_arena_t *arena,
    prompt_str_t text, gql_http_params_t *params, prompt_str_t *message);


static prompt_arena_t     *arena;
static gql_http_params_t   params;


static const char *
shown(prompt_str_t s)
{
    return s.data == NULL ? "(absent)"
                          : prompt_arena_printf(arena, "%.*s%c",
                                                prompt_str_arg(s), '\0').data;
}


static const char *
shown_json(const prompt_json_t *value)
{
    prompt_buf_t  buf;
    const char   *text;

    if (value == NULL) {
        return "(none)";
    }

    prompt_buf_init(&buf, TEST_ARENA);
    prompt_json_write(&buf, value);
    text = shown(prompt_buf_view(&buf));
    prompt_buf_free(&buf);

    return text;
}


/* "query|document id|operation|variables|extensions", or the message */
static void
check(reader_pt reader, const char *text, const char *want)
{
    prompt_str_t        message;
    gql_http_params_e   rc;

    if (arena != NULL) {
        prompt_arena_destroy(arena);
    }

    arena = prompt_arena_create(TEST_ARENA);

    rc = reader(arena, prompt_str_from(text), &params, &message);

    if (rc == GQL_HTTP_PARAMS_OK) {
        ok(message.data == NULL, "no message");
        message = prompt_arena_printf(arena, "%s|%s|%s|%s|%s",
                                      shown(params.query),
                                      shown(params.document_id),
                                      shown(params.operation_name),
                                      shown_json(params.variables),
                                      shown_json(params.extensions));
    }

    is_str(message, want, want);
}


#define body(text, want)  check(gql_http_params_body, text, want)
#define url(text, want)   check(gql_http_params_url, text, want)

#define NOTHING  "(absent)|(absent)|(absent)|(none)|(none)"


static void
test_body(void)
{
    body("{}", NOTHING);
    body("{\"query\":null,\"operationName\":null,\"variables\":null,"
         "\"extensions\":null,\"id\":null}", NOTHING);
    body("{\"Query\":\"{a}\",\"x\":[{}],\"\":1}", NOTHING);
    body(" {\"query\":\"\"} ", "|(absent)|(absent)|(none)|(none)");

    body("{\"query\":\"{a}\",\"operationName\":\"O\","
         "\"variables\":{\"b\":[1.50,null]},\"extensions\":{}}",
         "{a}|(absent)|O|{\"b\":[1.50,null]}|{}");
    body("{\"query\":\"\\u007ba\\u007d\"}",
         "{a}|(absent)|(absent)|(none)|(none)");
    body("{\"operationName\":\"\"}", "(absent)|(absent)||(none)|(none)");

    body("{\"documentId\":\"d\",\"id\":\"i\"}",
         "(absent)|d|(absent)|(none)|(none)");
    body("{\"documentId\":7,\"id\":\"i\"}",
         "(absent)|i|(absent)|(none)|(none)");
    body("{\"id\":7}", NOTHING);
}


static void
test_body_refused(void)
{
    body("", "The request body is not valid JSON: unexpected end "
         "at line 1, column 1.");
    body("{\n  \"query\": {a}\n}", "The request body is not valid JSON: "
         "unexpected character at line 2, column 13.");
    body("{\"a\":1,\"a\":2}", "The request body is not valid JSON: duplicate "
         "member at line 1, column 8.");
    body("[]", "Batched requests are not supported: the request body must be "
         "one JSON object.");
    body("\"{a}\"", "The request body must be a JSON object.");
    body("null", "The request body must be a JSON object.");
    body("{\"query\":1}", "\"query\" must be a string.");
    body("{\"query\":{}}", "\"query\" must be a string.");
    body("{\"operationName\":false}", "\"operationName\" must be a string.");
    body("{\"variables\":[]}", "\"variables\" must be a JSON object.");
    body("{\"variables\":\"{}\"}", "\"variables\" must be a JSON object.");
    body("{\"extensions\":0}", "\"extensions\" must be a JSON object.");
}


static void
test_url(void)
{
    url("", NOTHING);
    url("&&=&=x&%", NOTHING);
    url("QUERY=%7Ba%7D", NOTHING);
    url("query", "|(absent)|(absent)|(none)|(none)");
    url("query=%7ba+b%7D%2B", "{a b}+|(absent)|(absent)|(none)|(none)");
    url("qu%65ry=a=b", "a=b|(absent)|(absent)|(none)|(none)");
    url("query=1&query=2", "1|(absent)|(absent)|(none)|(none)");
    url("query=%e2%82%ac", "\xe2\x82\xac|(absent)|(absent)|(none)|(none)");
    url("operationName=&variables=&extensions=", NOTHING);
    url("variables=null&extensions=%7B%22a%22:1%7D",
        "(absent)|(absent)|(absent)|(none)|{\"a\":1}");
    url("id=i&documentId=d", "(absent)|d|(absent)|(none)|(none)");
    url("id=i&operationName=O", "(absent)|i|O|(none)|(none)");

    /* a broken name is another name */

    url("query%=1&%ff=2&%zz", NOTHING);
}


static void
test_url_refused(void)
{
    url("query=%", "The URL parameter \"query\" is not percent-encoded "
        "UTF-8.");
    url("query=%7", "The URL parameter \"query\" is not percent-encoded "
        "UTF-8.");
    url("id=%g0", "The URL parameter \"id\" is not percent-encoded UTF-8.");
    url("operationName=%ff", "The URL parameter \"operationName\" is not "
        "percent-encoded UTF-8.");
    url("variables=%ed%a0%80", "The URL parameter \"variables\" is not "
        "percent-encoded UTF-8.");
    url("variables=%7B", "The URL parameter \"variables\" is not valid JSON: "
        "unexpected end at line 1, column 2.");
    url("variables=1", "\"variables\" must be a JSON object.");
    url("extensions=[]", "\"extensions\" must be a JSON object.");
}


/* With too little memory each reader says just that. */
static void
test_memory(reader_pt reader, const char *text)
{
    size_t              size;
    unsigned            wrong, enough;
    prompt_str_t        message;
    gql_http_params_e   rc;

    wrong = 0;
    enough = 0;

    for (size = 64; size < 8192; size += 16) {
        prompt_arena_destroy(arena);
        arena = prompt_arena_create(size);

        rc = reader(arena, prompt_str_from(text), &params, &message);

        enough += (rc == GQL_HTTP_PARAMS_REFUSED);
        wrong += (rc == GQL_HTTP_PARAMS_OK
                  || (rc == GQL_HTTP_PARAMS_REFUSED) != (message.data != NULL));
    }

    is_int(wrong, 0, "little memory is told");
    ok(enough != 0, "and then there is enough");
}


int
main(void)
{
    test_body();
    test_body_refused();
    test_url();
    test_url_refused();

    test_memory(gql_http_params_body,
                "{\"query\":\"{a}\",\"variables\":{\"a\":1},\"extensions\":0}");
    test_memory(gql_http_params_url,
                "query=%7Ba%7D&variables=%7B%22a%22:[1,2]%7D&extensions=1");

    prompt_arena_destroy(arena);

    return done_testing();
}
