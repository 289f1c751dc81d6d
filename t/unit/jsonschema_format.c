/*
 * Formats: what the official suite (jsonschema_suite.c) does not ask, and that
 * no text takes long.
 */

#include "jsonschema/format.h"

#include <stdlib.h>
#include <time.h>

#include "tap.h"


static const struct {
    const char  *format;
    const char  *text;
    bool         want;
} cases[] = {
    { "no-such-format", "", true },

    { "date", "0000-01-01", true },
    { "date", "1900-02-29", false },
    { "date", "2000-02-29", true },
    { "date", "2000-00-01", false },
    { "date", "2000-01-00", false },
    { "date", "2000-01-01 ", false },
    { "date", "", false },
    { "time", "00:00:00.Z", false },
    { "time", "00:00:00+00", false },
    { "time", "23:59:60.9-00:00", true },
    { "date-time", "2000-01-01 00:00:00Z", false },
    { "date-time", "2000-01-01T00:00:00", false },
    { "duration", "P1Y2M3DT4H5M6S", true },
    { "duration", "P1Y3D", false },
    { "duration", "PT1H6S", false },
    { "duration", "P1M2D", true },
    { "duration", "P1.5D", false },
    { "duration", "p1D", false },
    { "duration", "P-1D", false },
    { "duration", "PT", false },
    { "duration", "P1DT", false },

    { "email", "a@b", true },
    { "email", "@b", false },
    { "email", "a@", false },
    { "email", "a", false },
    { "email", "a@b@c", false },
    { "email", "a b@c", false },
    { "email", "\"a\\\"b\"@c", true },
    { "email", "\"a\"b\"@c", false },
    { "email", "\"a@c", false },
    { "email", "a@[IPv6:1::2]", true },
    { "email", "a@[IPv6:1.2.3.4]", false },
    { "email", "a@[tag:any]", true },
    { "email", "a@[:any]", false },
    { "email", "a@[]", false },
    { "email", "a@b.", false },
    { "email", "\xc3\xa4@b", false },
    { "idn-email", "\xc3\xa4@b.\xc3\xb6", true },
    { "idn-email", "\"\xc3\xa4 \"@b", true },

    { "hostname", "", false },
    { "hostname", "a", true },
    { "hostname", "1.2", true },
    { "hostname", ".", false },
    { "hostname", "a..b", false },
    { "hostname", "a.", false },
    { "ipv4", "1.2.3.4.", false },
    { "ipv4", ".1.2.3.4", false },
    { "ipv4", "0.0.0.0", true },
    { "ipv4", "00.0.0.0", false },
    { "ipv4", "1.2.3.256", false },
    { "ipv4", "1.2.3.4444", false },
    { "ipv6", "", false },
    { "ipv6", ":", false },
    { "ipv6", ":::", false },
    { "ipv6", "1::", true },
    { "ipv6", "::1::", false },
    { "ipv6", "1:2:3:4:5:6:7::", true },
    { "ipv6", "::2:3:4:5:6:7:8", true },
    { "ipv6", "1:2:3:4:5:6:7:8::", false },
    { "ipv6", "1:2:3:4::5:6:7:8", false },
    { "ipv6", "1:2:3:4:5:6:1.2.3.4", true },
    { "ipv6", "1:2:3:4:5:6:7:1.2.3.4", false },
    { "ipv6", "::1:2:3:4:5:1.2.3.4", true },
    { "ipv6", "::1:2:3:4:5:6:1.2.3.4", false },
    { "ipv6", "1:2:3:4:5:1.2.3.4", false },

    { "uri", "a:", true },
    { "uri", "a:b", true },
    { "uri", "1a:b", false },
    { "uri", "a b:c", false },
    { "uri", "a://", true },
    { "uri", "a://h:80/", true },
    { "uri", "a://h:/", true },
    { "uri", "a://h:x/", false },
    { "uri", "a://u:p@h", true },
    { "uri", "a://u@v@h", false },
    { "uri", "a://[::1]:80", true },
    { "uri", "a://[::1]x", false },
    { "uri", "a://[::1", false },
    { "uri", "a://[v1.a:b]", true },
    { "uri", "a://[v.a]", false },
    { "uri", "a://[1.2.3.4]", false },
    { "uri", "a:%4", false },
    { "uri", "a:%zz", false },
    { "uri", "a:b?c?/#d?/", true },
    { "uri", "a:b#c#d", false },
    { "uri", "a:b[", false },
    { "uri", "a:\xc3\xa4", false },
    { "iri", "a:\xc3\xa4", true },
    { "iri", "a:\xee\x80\x80", false },
    { "iri", "a:?\xee\x80\x80", true },
    { "iri", "a:\xef\xbf\xbf", false },
    { "iri", "a:\xc2\x85", false },
    { "uri-reference", "", true },
    { "uri-reference", "a:b/c", true },
    { "uri-reference", "1:b", false },
    { "uri-reference", "./1:b", true },
    { "uri-reference", "//h:x", false },
    { "iri-reference", "\xc3\xa4", true },
    { "uri-template", "", true },
    { "uri-template", "{+a,b*,c:3}{?d.e,f_%41}", true },
    { "uri-template", "{}", false },
    { "uri-template", "{a", false },
    { "uri-template", "a}", false },
    { "uri-template", "{a,}", false },
    { "uri-template", "{a..b}", false },
    { "uri-template", "{.a.}", false },
    { "uri-template", "{a:0}", false },
    { "uri-template", "{a:10000}", false },
    { "uri-template", "{a:1*}", false },
    { "uri-template", "{-a}", false },
    { "uri-template", "%4", false },
    { "uri-template", "a b", false },

    { "json-pointer", "", true },
    { "json-pointer", "/~", false },
    { "relative-json-pointer", "0", true },
    { "relative-json-pointer", "", false },
    { "relative-json-pointer", "0-1/a", true },
    { "relative-json-pointer", "1+2#", true },
    { "relative-json-pointer", "1+0#", false },
    { "relative-json-pointer", "1+#", false },
    { "relative-json-pointer", "1a", false },
    { "regex", "(?=a)\\1", false },
    { "regex", "(?=(a))\\1", true }
};


static void
test_time(void)
{
    char             *text;
    bool              nomem;
    size_t            i, k;
    clock_t           start;
    prompt_format_t   format;

    static const char *const  begins[] = {
        "a:", "a://", "\"", "a@", "{", "P", "0", "http://h/%41", "["
    };

    enum { LENGTH = 1 << 20 };

    text = malloc(LENGTH);
    start = clock();

    for (i = 0; text != NULL && i < sizeof(begins) / sizeof(begins[0]); i++) {
        for (k = 0; k < 4; k++) {
            memset(text, "a:1%"[k], LENGTH);
            memcpy(text, begins[i], strlen(begins[i]));

            for (format = PROMPT_FORMAT_DATE_TIME;
                 format <= PROMPT_FORMAT_REGEX; format++)
            {
                (void) prompt_format_matches(format,
                                             prompt_str_of(text, LENGTH),
                                             &nomem);
            }
        }
    }

    free(text);
    ok(within(start, 10), "long texts, in bounded time");
}


int
main(void)
{
    char             title[300];
    bool             nomem;
    size_t           i;
    prompt_format_t  format;

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        format = prompt_format(prompt_str_from(cases[i].format));
        nomem = false;

        (void) snprintf(title, sizeof(title), "\"%s\" is %s %s", cases[i].text,
                        cases[i].want ? "a" : "no", cases[i].format);
        ok(prompt_format_matches(format, prompt_str_from(cases[i].text),
                                 &nomem) == cases[i].want && !nomem, title);
    }

    nomem = false;
    ok(!prompt_format_matches(PROMPT_FORMAT_HOSTNAME, prompt_str_absent,
                              &nomem), "no text at all");
    ok(prompt_format_matches(PROMPT_FORMAT_URI_TEMPLATE, prompt_str_absent,
                             &nomem), "which may be a template");

    test_time();

    return done_testing();
}
