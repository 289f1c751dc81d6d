/*
 * URIs as references: the examples of RFC 3986, 5.4, and what has no limit in
 * it.
 */

#include "jsonschema/uri.h"

#include "tap.h"


static void
resolve(const char *base, const char *reference, const char *want)
{
    char          out[PROMPT_URI_MAX], title[300];
    prompt_uri_t  uri;

    prompt_uri_split(prompt_str_from(reference), &uri);
    (void) snprintf(title, sizeof(title), "\"%.100s\" from \"%.100s\"",
                    reference, base);

    is_str(prompt_uri_resolve(prompt_str_from(base), &uri, out), want, title);
}


static void
test_examples(void)
{
    size_t  i;

    static const char *const  cases[][2] = {
        { "g:h", "g:h" },
        { "g", "http://a/b/c/g" },
        { "./g", "http://a/b/c/g" },
        { "g/", "http://a/b/c/g/" },
        { "/g", "http://a/g" },
        { "//g", "http://g" },
        { "?y", "http://a/b/c/d;p?y" },
        { "g?y", "http://a/b/c/g?y" },
        { "#s", "http://a/b/c/d;p?q" },
        { "g#s", "http://a/b/c/g" },
        { "g?y#s", "http://a/b/c/g?y" },
        { ";x", "http://a/b/c/;x" },
        { "g;x", "http://a/b/c/g;x" },
        { "", "http://a/b/c/d;p?q" },
        { ".", "http://a/b/c/" },
        { "./", "http://a/b/c/" },
        { "..", "http://a/b/" },
        { "../", "http://a/b/" },
        { "../g", "http://a/b/g" },
        { "../..", "http://a/" },
        { "../../", "http://a/" },
        { "../../g", "http://a/g" },
        { "../../../g", "http://a/g" },
        { "../../../../g", "http://a/g" },
        { "/./g", "http://a/g" },
        { "/../g", "http://a/g" },
        { "g.", "http://a/b/c/g." },
        { ".g", "http://a/b/c/.g" },
        { "g..", "http://a/b/c/g.." },
        { "..g", "http://a/b/c/..g" },
        { "./../g", "http://a/b/g" },
        { "./g/.", "http://a/b/c/g/" },
        { "g/./h", "http://a/b/c/g/h" },
        { "g/../h", "http://a/b/c/h" },
        { "g;x=1/./y", "http://a/b/c/g;x=1/y" },
        { "g;x=1/../y", "http://a/b/c/y" },
        { "g?y/./x", "http://a/b/c/g?y/./x" },
        { "g?y/../x", "http://a/b/c/g?y/../x" },
        { "http:g", "http:g" }
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        resolve("http://a/b/c/d;p?q", cases[i][0], cases[i][1]);
    }
}


static void
test_others(void)
{
    char  text[PROMPT_URI_MAX + 10];

    resolve("", "", "");
    resolve("", "a", "a");
    resolve("", "../a", "a");
    resolve("", "/..", "/");
    resolve("", ".", "");
    resolve("", "..", "");
    resolve("a", "b", "b");
    resolve("a/b", "c", "a/c");
    resolve("http://h", "b", "http://h/b");
    resolve("urn:uuid:1", "#a", "urn:uuid:1");
    resolve("urn:uuid:1", "b", "urn:b");
    resolve("http://h/a?q", "", "http://h/a?q");
    resolve("http://h/a", "?", "http://h/a?");
    resolve("http://h/a", "1a:b", "http://h/1a:b");

    memset(text, 'x', sizeof(text));
    text[PROMPT_URI_MAX] = '\0';
    resolve("", text, text);
    resolve("a:b", text, NULL);

    memset(text, '/', sizeof(text));
    text[PROMPT_URI_MAX + 1] = '\0';
    resolve("", text + 1, text + 1);
    resolve("", text, NULL);
}


int
main(void)
{
    test_examples();
    test_others();

    return done_testing();
}
