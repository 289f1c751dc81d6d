/*
 * Cookies and origins.
 */

#include "graphql_http/cookie.h"
#include "graphql_http/origin.h"

#include "tap.h"


static void
test_cookie(void)
{
    size_t             i;
    gql_http_cookie_t  cookie;

    static const struct {
        const char  *header;
        unsigned     count;
        const char  *value;
    } cases[] = {
        { "s=1", 1, "1" },
        { "a=0; s=1; b=2", 1, "1" },
        { " s = 1 ", 1, "1" },
        { "s=\"1\"", 1, "1" },
        { "s=\"", 1, "\"" },
        { "s=", 1, "" },
        { "s=1=2", 1, "1=2" },
        { "s=1; s=2", 2, "1" },
        { "s=1;s=2;;;s=3", 3, "1" },
        { "S=1", 0, NULL },
        { "xs=1", 0, NULL },
        { "sx=1", 0, NULL },
        { "s", 0, NULL },
        { "", 0, NULL },
        { ";", 0, NULL },
        { "a=s=1", 0, NULL }
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        gql_http_cookie_init(&cookie, prompt_str("s"));
        gql_http_cookie_add(&cookie, prompt_str_from(cases[i].header));

        is_int(cookie.count, cases[i].count, cases[i].header);

        if (cases[i].value != NULL) {
            is_str(cookie.value, cases[i].value, "value");
        }
    }

    gql_http_cookie_init(&cookie, prompt_str("s"));
    gql_http_cookie_add(&cookie, prompt_str("s=1"));
    gql_http_cookie_add(&cookie, prompt_str("s=2"));
    is_int(cookie.count, 2, "two headers");
}


static void
test_origin(void)
{
    size_t  i;

    static const struct {
        const char         *site;
        const char         *origin;
        bool                tls;
        const char         *host;
        gql_http_origin_e   is;
    } cases[] = {
        { NULL, NULL, false, "a", GQL_HTTP_ORIGIN_UNSAID },
        { "same-origin", NULL, false, "a", GQL_HTTP_ORIGIN_SAME },
        { "same-origin", "http://b", false, "a", GQL_HTTP_ORIGIN_SAME },
        { "same-site", NULL, false, "a", GQL_HTTP_ORIGIN_OTHER },
        { "cross-site", "http://a", false, "a", GQL_HTTP_ORIGIN_OTHER },
        { "none", NULL, false, "a", GQL_HTTP_ORIGIN_OTHER },
        { "", NULL, false, "a", GQL_HTTP_ORIGIN_OTHER },
        { "Same-Origin", NULL, false, "a", GQL_HTTP_ORIGIN_OTHER },
        { NULL, "http://a", false, "a", GQL_HTTP_ORIGIN_SAME },
        { NULL, "HTTP://A", false, "a", GQL_HTTP_ORIGIN_SAME },
        { NULL, "http://a:80", false, "a", GQL_HTTP_ORIGIN_SAME },
        { NULL, "http://a", false, "a:80", GQL_HTTP_ORIGIN_SAME },
        { NULL, "http://a:8080", false, "a:8080", GQL_HTTP_ORIGIN_SAME },
        { NULL, "https://a", true, "a:443", GQL_HTTP_ORIGIN_SAME },
        { NULL, "http://[::1]:80", false, "[::1]", GQL_HTTP_ORIGIN_SAME },
        { NULL, "http://a:443", true, "a", GQL_HTTP_ORIGIN_OTHER },
        { NULL, "http://a", true, "a", GQL_HTTP_ORIGIN_OTHER },
        { NULL, "https://a", false, "a", GQL_HTTP_ORIGIN_OTHER },
        { NULL, "http://a:443", false, "a", GQL_HTTP_ORIGIN_OTHER },
        { NULL, "http://a:8080", false, "a", GQL_HTTP_ORIGIN_OTHER },
        { NULL, "http://ab", false, "a", GQL_HTTP_ORIGIN_OTHER },
        { NULL, "http://a/", false, "a", GQL_HTTP_ORIGIN_OTHER },
        { NULL, "http://x@a", false, "a", GQL_HTTP_ORIGIN_OTHER },
        { NULL, "http://", false, "", GQL_HTTP_ORIGIN_OTHER },
        { NULL, "http://:80", false, ":80", GQL_HTTP_ORIGIN_SAME },
        { NULL, "null", false, "a", GQL_HTTP_ORIGIN_OTHER },
        { NULL, "", false, "a", GQL_HTTP_ORIGIN_OTHER },
        { NULL, "http://a", false, NULL, GQL_HTTP_ORIGIN_OTHER }
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        is_int(gql_http_origin(prompt_str_from(cases[i].site),
                               prompt_str_from(cases[i].origin), cases[i].tls,
                               prompt_str_from(cases[i].host)),
               cases[i].is,
               cases[i].origin != NULL ? cases[i].origin : "Sec-Fetch-Site");
    }
}


int
main(void)
{
    test_cookie();
    test_origin();

    return done_testing();
}
