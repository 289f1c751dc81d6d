/*
 * Media types: which form of answer a client asks for, and what a JSON body
 * may call itself.
 */

#include "graphql_http/media.h"

#include "tap.h"


/* headers: one Accept header a line */
static gql_http_media_e
accepted(const char *headers)
{
    prompt_str_t        line;
    const char         *end;
    gql_http_accept_t   accept;

    gql_http_accept_init(&accept);

    while (*headers != '\0') {
        end = strchr(headers, '\n');
        line = end != NULL ? prompt_str_of(headers, (size_t) (end - headers))
                           : prompt_str_from(headers);

        gql_http_accept_add(&accept, line);
        headers += line.len + (end != NULL);
    }

    return gql_http_accept_choose(&accept);
}


#define NONE     GQL_HTTP_MEDIA_NONE
#define JSON     GQL_HTTP_MEDIA_JSON
#define GRAPHQL  GQL_HTTP_MEDIA_GRAPHQL
#define EVENTS   GQL_HTTP_MEDIA_EVENTS

#define J  "application/json"
#define G  "application/graphql-response+json"
#define E  "text/event-stream"


static void
test_accept(void)
{
    static const struct {
        const char        *headers;
        gql_http_media_e   want;
    } cases[] = {
        { "", JSON },
        { " , ,", JSON },
        { J, JSON },
        { G, GRAPHQL },
        { "APPLICATION/Graphql-Response+JSON", GRAPHQL },
        { "*/*", JSON },
        { "application/*", JSON },
        { "text/*", EVENTS },
        { "text/html, text/event-stream", EVENTS },
        { E, EVENTS },
        { E ", " J, EVENTS },
        { E ";q=0.9, " J, JSON },
        { E ", */*", EVENTS },
        { E ";q=0, text/*", NONE },
        { E ", multipart/mixed", EVENTS },
        { E ";charset=utf-8", EVENTS },
        { E ";charset=latin1", NONE },
        { "text/html\n" G, GRAPHQL },
        { "text/plain", NONE },
        { "*/json", NONE },
        { "application/problem+json", NONE },
        { "multipart/mixed;deferSpec=20220824", NONE },

        /* what Apollo Client 4, urql, Apollo Client 3 and a browser send */

        { G "," J ";q=0.9", GRAPHQL },
        { G ", application/graphql+json, " J ", text/event-stream, "
          "multipart/mixed", GRAPHQL },
        { G ", " J ", */*", GRAPHQL },
        { "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,"
          "*/*;q=0.8", JSON },

        /* quality, then closeness, then order */

        { J ", " G, JSON },
        { G ", " J, GRAPHQL },
        { J "\n" G, JSON },
        { J ";q=0.5, " G, GRAPHQL },
        { G ";q=0.5, " J ";q=0.501", JSON },
        { "*/*, " G, GRAPHQL },
        { "application/*;q=0.2, */*;q=0.9", JSON },
        { "*/*;q=0.9, " J ";q=0.1", GRAPHQL },
        { G ";q=0, */*", JSON },
        { J ";q=0, */*", GRAPHQL },
        { J ";q=0, " G ";q=0", NONE },
        { "*/*, " J ";q=0, " G ";q=0", NONE },
        { "*/*;q=0", NONE },
        { G ";q=0, " J ";q=0.1", JSON },
        { "*/*, " J ";q=0", GRAPHQL },
        { "*/*;q=0.1, " J ";q=0.2, application/*;q=0.9", GRAPHQL },
        { G ";q=0.8, application/*;q=0.9, */*", JSON },

        /* a quality that is none is 0 */

        { G ";q=1.001, " J ";q=0.1", JSON },
        { G ";q=0.1234, " J ";q=0.1", JSON },
        { G ";q=, " J ";q=0.1", JSON },
        { G ";q=2, " J ";q=0.1", JSON },
        { G ";q=0.x, " J ";q=0.1", JSON },
        { G ";q=high, " J ";q=0.1", JSON },
        { G ";q=1., " J ";q=0.9", GRAPHQL },
        { G ";Q=1.000, " J ";q=0.9", GRAPHQL },
        { G ";q=\"0.5\", " J ";q=0.4", GRAPHQL },

        /* parameters, quoted strings, white space, nonsense */

        { G "\t; charset = utf-8", NONE },
        { G ";charset=UTF-8", GRAPHQL },
        { G ";charset=\"utf8\"", GRAPHQL },
        { G ";charset=latin1", NONE },
        { G ";charset=latin1, " J, JSON },
        { "x/y;a=\",\\\"," G "\", " J, JSON },
        { "x/y;a=\"unclosed, " G, NONE },
        { "x/y;a=\"\\", NONE },
        { "x/y;a=\"" J, NONE },
        { "\t " G " \t; q=1 , " J " ; q=0.5", GRAPHQL },
        { J "; indent=4; q=0.5", JSON },
        { ", ," G ",,", GRAPHQL },
        { G " nonsense, " J, JSON },
        { "@@@", NONE },
        { "@@, " G, GRAPHQL },
        { G ";;q=0.1; ;, " J ";q=0.2", JSON },
        { G ";flag, " J ";q=0.2", JSON },
        { "\x80\xff, " G, GRAPHQL },
        { "application/json/, " G, GRAPHQL },
        { "application/jso, application/graphql-response+jso", NONE }
    };

    size_t  i;

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        is_int(accepted(cases[i].headers), cases[i].want, cases[i].headers);
    }
}


static void
test_content_type(void)
{
    static const char *const  json[] = {
        "application/json", "Application/JSON", " application/json ",
        "application/json;charset=utf-8", "application/json; charset=\"UTF-8\"",
        "application/json; charset=utf8", "application/json; x=y",
        "APPLICATION/JSON;CHARSET=UTF-8", "application/json; profile=\"x\"",
        "application/json;"
    };

    static const char *const  other[] = {
        "", "json", "application", "application/jsonp", "text/json",
        "text/plain", "application/graphql", "application/graphql+json",
        "application/*", "*/*", "application/json; charset=utf-16",
        "application/json, text/plain",
        "text/plain, application/json", "application/json x",
        "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
        "application/graphql-response+json"
    };

    size_t  i;

    for (i = 0; i < sizeof(json) / sizeof(json[0]); i++) {
        ok(gql_http_media_is_json(prompt_str_from(json[i])), json[i]);
    }

    for (i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
        ok(!gql_http_media_is_json(prompt_str_from(other[i])), other[i]);
    }
}


int
main(void)
{
    test_accept();
    test_content_type();

    is_str(gql_http_media_name(JSON), J, "the name of JSON");
    is_str(gql_http_media_name(GRAPHQL), G, "the name of GraphQL's own");

    return done_testing();
}
