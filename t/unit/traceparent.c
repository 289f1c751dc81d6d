/*
 * Trace Context: what is a traceparent, and what of tracestate goes on.
 */

#include "trace/traceparent.h"

#include "tap.h"


#define TRACE  "4bf92f3577b34da6a3ce929d0e0e4736"
#define SPAN   "00f067aa0ba902b7"


static bool
reads(const char *text)
{
    prompt_trace_context_t  context;

    return prompt_traceparent_read(prompt_str_from(text), &context);
}


static void
test_read(void)
{
    size_t                  i;
    char                    out[PROMPT_TRACEPARENT_LEN];
    prompt_trace_context_t  context;

    static const char  *good[] = {
        "00-" TRACE "-" SPAN "-01", "00-" TRACE "-" SPAN "-00",
        "00-" TRACE "-" SPAN "-ff", " 00-" TRACE "-" SPAN "-01\t",
        "01-" TRACE "-" SPAN "-01", "cc-" TRACE "-" SPAN "-01-what-follows",
        "fe-" TRACE "-" SPAN "-01-"
    };

    static const char  *bad[] = {
        "", "-", "00", "00-" TRACE "-" SPAN, "00-" TRACE "-" SPAN "-",
        "00-" TRACE "-" SPAN "-1", "00-" TRACE "-" SPAN "-01-",
        "00-" TRACE "-" SPAN "-01-00", "00-" TRACE "-" SPAN "-011",
        "ff-" TRACE "-" SPAN "-01", "0-" TRACE "-" SPAN "-01",
        "0g-" TRACE "-" SPAN "-01", "000-" TRACE "-" SPAN "-01",
        "cc-" TRACE "-" SPAN "-01.what", "cc-" TRACE "-" SPAN "-011",
        "00-4BF92f3577b34da6a3ce929d0e0e4736-" SPAN "-01",
        "00-" TRACE "-00F067aa0ba902b7-01", "00-" TRACE "-" SPAN "-0A",
        "0A-" TRACE "-" SPAN "-01",
        "00-00000000000000000000000000000000-" SPAN "-01",
        "00-" TRACE "-0000000000000000-01", "00_" TRACE "-" SPAN "-01",
        "00-" TRACE "_" SPAN "-01", "00-" TRACE "-" SPAN "_01",
        "00-.bf92f3577b34da6a3ce929d0e0e4736-" SPAN "-01",
        "00-" TRACE "-" SPAN "-.0", "00-" TRACE "-" SPAN "-01,00-" TRACE "-"
        SPAN "-01"
    };

    for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        ok(reads(good[i]), good[i]);
    }

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ok(!reads(bad[i]), bad[i]);
    }

    ok(!prompt_traceparent_read(prompt_str_absent, &context), "absent");

    ok(prompt_traceparent_read(prompt_str("00-" TRACE "-" SPAN "-03"),
                               &context)
       && context.sampled, "sampled, and a flag that nobody knows");
    ok(prompt_traceparent_write(out, context.trace_id, context.parent_id,
                                context.sampled)
       == out + sizeof(out), "it is as long as it is");
    is_str(prompt_str_of(out, sizeof(out)), "00-" TRACE "-" SPAN "-01",
           "the ids, and the flag that is known");

    ok(prompt_traceparent_read(prompt_str("00-" TRACE "-" SPAN "-fe"),
                               &context)
       && !context.sampled, "not sampled");
    (void) prompt_traceparent_write(out, context.trace_id, context.parent_id,
                                    context.sampled);
    is_str(prompt_str_of(out, sizeof(out)), "00-" TRACE "-" SPAN "-00",
           "not sampled, written");
}


/* headers, separated by line ends; "" where nothing is passed on */
static prompt_str_t
state(prompt_tracestate_t *of, const char *headers)
{
    size_t        len;
    const char   *end;
    prompt_str_t  text;

    memset(of, 0, sizeof(*of));

    for ( ;; ) {
        end = strchr(headers, '\n');
        len = end != NULL ? (size_t) (end - headers) : strlen(headers);
        prompt_tracestate_add(of, prompt_str_of(headers, len));

        if (end == NULL) {
            break;
        }

        headers = end + 1;
    }

    text = prompt_tracestate_text(of);

    return text.data != NULL ? text : prompt_str("");
}


/* n members of so many bytes each */
static void
members(char *out, unsigned n, size_t size)
{
    unsigned  i;

    for (i = 0; i < n; i++) {
        out += sprintf(out, "%sk%03u=", i != 0 ? "," : "", i);
        memset(out, 'v', size - 5);
        out += size - 5;
    }

    *out = '\0';
}


static void
test_state(void)
{
    size_t                i;
    char                  text[32 * 1024], name[300];
    prompt_str_t          kept;
    prompt_tracestate_t   of;

    static const struct {
        const char  *headers;
        const char  *wanted;
    } cases[] = {
        { "foo=1", "foo=1" },
        { "foo=1,bar=2", "foo=1,bar=2" },
        { " foo=1 \t,\t bar=2 ", "foo=1,bar=2" },
        { "foo=1\nbar=2", "foo=1,bar=2" },
        { "foo=1\n\nbar=2,", "foo=1,bar=2" },
        { ",,foo=1,,", "foo=1" },
        { "foo=1,foo=2", "foo=1,foo=2" },
        { "foo= 1 2", "foo= 1 2" },
        { "a-b_c*d/e0=~!", "a-b_c*d/e0=~!" },
        { "0tenant@sys=x", "0tenant@sys=x" },
        { "", "" }, { ",", "" }, { "foo", "" }, { "foo=", "" }, { "=1", "" },
        { "foo =1", "" }, { "Foo=1", "" }, { "foo=1=2", "" },
        { "foo@=1", "" }, { "@foo=1", "" }, { "foo@@bar=1", "" },
        { "foo@bar@baz=1", "" }, { "foo@0bar=1", "" }, { "-foo=1", "" },
        { "foo.bar=1", "" }, { "foo=1,bar", "" }, { "foo=1\nbar=\x01", "" },
        { "foo=\xc3\xa9", "" }, { "foo=\x7f", "" }
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        sprintf(name, "tracestate %zu", i);
        is_str(state(&of, cases[i].headers), cases[i].wanted, name);
    }

    members(text, 32, 16);
    ok(state(&of, text).len == 32 * 16 + 31 - 17 * 2,
       "32 members, of which 30 have room");
    members(text, 33, 10);
    is_str(state(&of, text), "", "33 members");

    members(text, 3, 200);
    kept = state(&of, text);
    ok(kept.len == 401 && memcmp(kept.data, text, 401) == 0,
       "of what has no room, nothing is kept, nor what follows");

    memset(name, 'k', sizeof(name));
    sprintf(text, "%.256s=1", name);
    ok(state(&of, text).len == 258, "a long key");
    sprintf(text, "%.257s=1", name);
    ok(state(&of, text).len == 0, "one that is too long");
    sprintf(text, "%.241s@%.14s=1", name, name);
    ok(state(&of, text).len == 258, "a tenant and a system");
    sprintf(text, "%.242s@%.14s=1", name, name);
    ok(state(&of, text).len == 0, "too long a tenant");
    sprintf(text, "%.1s@%.15s=1", name, name);
    ok(state(&of, text).len == 0, "too long a system");
    sprintf(text, "a=%.256s", name);
    ok(state(&of, text).len == 258, "a long value");
    sprintf(text, "a=%.257s", name);
    ok(state(&of, text).len == 0, "too long a value");
}


int
main(void)
{
    test_read();
    test_state();

    return done_testing();
}
