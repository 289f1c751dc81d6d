/*
 * Fuzz target: headers that say who a request is from, cookies and origins.
 * The first byte says how the rest is cut.
 */

#include <stdlib.h>

#include "graphql_http/cookie.h"
#include "graphql_http/origin.h"
#include "prompt/key.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
fuzz_within(prompt_str_t part, prompt_str_t whole)
{
    if (part.data != NULL
        && (part.data < whole.data
            || part.data + part.len > whole.data + whole.len))
    {
        abort();
    }
}


static void
fuzz_cookie(prompt_str_t text)
{
    uint8_t            hash[PROMPT_KEY_HASH_LEN];
    gql_http_cookie_t  cookie;

    gql_http_cookie_init(&cookie, prompt_str("prompt_session"));
    gql_http_cookie_add(&cookie, text);

    if ((cookie.count == 0) != (cookie.value.data == NULL)) {
        abort();
    }

    fuzz_within(cookie.value, text);

    if (cookie.count == 1 && prompt_key_valid(cookie.value, PROMPT_SESSION)) {

        if (prompt_key_valid(cookie.value, PROMPT_KEY)) {
            abort();
        }

        prompt_key_hash(cookie.value, hash);
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t        cut;
    prompt_str_t  text, origin, host;

    if (size == 0) {
        return 0;
    }

    text = prompt_str_of((const char *) data + 1, size - 1);
    cut = text.len * data[0] / 256;

    fuzz_cookie(text);

    origin = prompt_str_of(text.data, cut);
    host = prompt_str_of(text.data + cut, text.len - cut);

    /* what is the same one way is not with another scheme */

    if (gql_http_origin(prompt_str_absent, origin, false, host)
            == GQL_HTTP_ORIGIN_SAME
        && gql_http_origin(prompt_str_absent, origin, true, host)
           == GQL_HTTP_ORIGIN_SAME)
    {
        abort();
    }

    if (gql_http_origin(host, origin, false, host) == GQL_HTTP_ORIGIN_SAME
        && !prompt_str_eq(host, prompt_str("same-origin")))
    {
        abort();
    }

    return 0;
}
