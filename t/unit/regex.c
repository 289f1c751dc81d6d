/*
 * Regular expressions: what matches, what is refused, and that time is linear.
 */

#include "regex/regex.h"

#include <stdlib.h>
#include <time.h>

#include "tap.h"


static prompt_arena_t  *arena;


static prompt_regex_context_t
fresh(unsigned room)
{
    prompt_regex_context_t  context;

    memset(&context, 0, sizeof(context));
    context.arena = arena;
    context.room = room;

    return context;
}


static void
match(const char *pattern, const char *text, bool want)
{
    char                    title[200];
    unsigned                steps;
    const char             *message;
    prompt_regex_t         *regex;
    prompt_regex_status_t   status;
    prompt_regex_context_t  context;

    context = fresh(10000);
    steps = 1000000;
    (void) snprintf(title, sizeof(title), "/%s/u on \"%s\"", pattern, text);

    status = prompt_regex_compile(&context, prompt_str_from(pattern), &regex,
                                  &message);

    if (status != PROMPT_REGEX_OK) {
        diag("%s", message);
    }

    ok(status == PROMPT_REGEX_OK
       && prompt_regex_match(regex, prompt_str_from(text), &steps) == want,
       title);
}


static void
refused(const char *pattern, prompt_regex_status_t want)
{
    const char              *message;
    prompt_regex_t          *regex;
    prompt_regex_context_t   context;

    context = fresh(10000);
    is_int(prompt_regex_compile(&context, prompt_str_from(pattern), &regex,
                                &message), want, pattern);
}


static void
test_matches(void)
{
    match("", "", true);
    match("", "anything", true);
    match("b", "abc", true);
    match("^b", "abc", false);
    match("b$", "abc", false);
    match("^abc$", "abc", true);
    match("^abc$", "abc\n", false);
    match("a.c", "a\nc", false);
    match("a.c", "a\xf0\x9f\x99\x82" "c", true);
    match("^.$", "\xf0\x9f\x99\x82", true);
    match("a|b|cd", "xcdx", true);
    match("^(a|b|)c$", "c", true);
    match("^(?:a|b)+$", "abab", true);
    match("^(?<word>a)b$", "ab", true);
    match("^a*$", "", true);
    match("^a+$", "", false);
    match("^a?b$", "b", true);
    match("^a??b$", "ab", true);
    match("^a{2}$", "aa", true);
    match("^a{2}$", "aaa", false);
    match("^a{2,}$", "aaaaa", true);
    match("^a{2,3}$", "aaaa", false);
    match("^a{0}$", "", true);
    match("^a{0,2}?$", "aa", true);
    match("^(a{1,2}){2}$", "aaaa", true);
    match("^(a{1,2}){2}$", "aaaaa", false);
    match("^(a*)*$", "aaaa", true);
    match("^(a*)*b$", "aaaa", false);
    match("^(|a)+$", "aaa", true);
    match("^[abc]$", "b", true);
    match("^[^abc]$", "b", false);
    match("^[^abc]$", "\n", true);
    match("^[a-c-]$", "-", true);
    match("^[]$", "a", false);
    match("^[^]$", "\n", true);
    match("^[\\]\\-]$", "]", true);
    match("^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$", "a.b@c-d.org", true);
    match("^[\\d\\s]+$", "1 2\t3", true);
    match("^[^\\d]$", "5", false);
    match("^\\D\\S\\W$", "ab!", true);
    match("^\\w$", "\xc3\xa4", false);
    match("^\\d$", "\xd9\xa3", false);
    match("^\\s$", "\xef\xbb\xbf", true);
    match("^\\p{L}+$", "\xc3\xa4\xe4\xb8\xad", true);
    match("^\\p{Lu}\\p{Ll}$", "\xc3\x84\xc3\xb6", true);
    match("^\\P{L}$", "1", true);
    match("^[\\p{Nd}_]$", "\xd9\xa3", true);
    match("^\\x41\\u0042\\u{1F642}\\cA\\0$", "AB\xf0\x9f\x99\x82\x01", false);
    match("^\\x41\\u0042\\u{1F642}\\cA$", "AB\xf0\x9f\x99\x82\x01", true);
    match("^\\ud83d\\ude42$", "\xf0\x9f\x99\x82", true);
    match("^\\t\\n\\v\\f\\r$", "\t\n\v\f\r", true);
    match("\\bfoo\\b", "a foo b", true);
    match("\\bfoo\\b", "afoo", false);
    match("\\Boo", "foo", true);
    match("^\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/$",
          "^$\\.*+?()[]{}|/", true);
    match("^\\-\\_\\@$", "-_@", true);
    match("a^b", "a^b", false);
    match("(^a|b$)", "xxb", true);
}


static void
test_properties(void)
{
    match("^\\p{Lt}$", "\xc7\x85", true);
    match("^\\p{Lu}$", "\xc7\x85", false);
    match("^\\p{LC}\\p{Cased_Letter}$", "aA", true);
    match("^\\p{gc=Nd}\\p{General_Category=Decimal_Number}$", "1\xd9\xa3",
          true);
    match("^\\p{digit}+$", "\xe0\xa7\xaa\xe0\xa7\xa8", true);
    match("^\\p{punct}\\p{cntrl}\\p{Sc}$", "!\x01\xe2\x82\xac", true);
    match("^\\p{Script=Greek}\\p{sc=Grek}$", "\xce\xb1\xce\xa9", true);
    match("^\\P{Script=Greek}$", "\xce\xb1", false);
    match("^[^\\p{Script=Greek}]$", "a", true);
    match("^[\\P{Lu}]$", "A", false);
    match("^\\p{sc=Hira}$", "\xe3\x83\xbc", false);
    match("^\\p{scx=Hira}\\p{Script_Extensions=Hiragana}$",
          "\xe3\x83\xbc\xe3\x81\x82", true);
    match("^\\p{scx=Tagbanwa}$", "\xe1\x9d\xa0", true);
    match("^\\p{Emoji}\\p{Emoji_Presentation}\\p{ExtPict}$",
          "1\xf0\x9f\x99\x82\xf0\x9f\x99\x82", true);
    match("^\\p{Any}\\p{ASCII}\\p{Assigned}$", "\xf4\x8f\xbf\xbf" "aa",
          true);
    match("^\\p{ASCII}$", "\xc3\xa4", false);
    match("^\\p{Assigned}$", "\xcd\xb8", false);
    match("^\\p{Cn}$", "\xcd\xb8", true);
    match("^\\p{ID_Start}\\p{IDC}$", "a1", true);
    match("^\\p{XIDS}$", "1", false);
    match("^\\p{White_Space}\\p{space}$", " \xc2\x85", true);
    match("^\\p{Alphabetic}\\p{Uppercase}\\p{Lower}$", "aAa", true);
    match("^\\p{Ideographic}\\p{UIdeo}$", "\xe4\xb8\xad\xe4\xb8\xad",
          true);
    match("^\\p{Hex_Digit}\\p{AHex}$", "\xef\xbc\xa1" "F", true);
    match("^\\p{Changes_When_NFKC_Casefolded}$", "\xef\xbf\xb0", true);
    match("^\\p{Co}$", "\xf4\x8f\xbf\xbd", true);
    match("^\\p{Cn}$", "\xf4\x8f\xbf\xbf", true);
}


/* text: what is a regular expression, whether it can be compiled or not */
static void
test_check(void)
{
    size_t  i;

    static const struct {
        const char             *pattern;
        prompt_regex_status_t   status;
    } cases[] = {
        { "", PROMPT_REGEX_OK },
        { "([abc])+\\s+$", PROMPT_REGEX_OK },
        { "^(abc]", PROMPT_REGEX_SYNTAX },
        { "(a)\\1", PROMPT_REGEX_OK },
        { "\\1(a)", PROMPT_REGEX_OK },
        { "(a)\\2", PROMPT_REGEX_SYNTAX },
        { "(?:a)\\1", PROMPT_REGEX_SYNTAX },
        { "\\99999999999999999999", PROMPT_REGEX_SYNTAX },
        { "(?<n>a)\\k<n>", PROMPT_REGEX_OK },
        { "\\k<n>(?<n>a)\\1", PROMPT_REGEX_OK },
        { "(?<n>a)\\k<m>", PROMPT_REGEX_SYNTAX },
        { "(?<n>a)\\k", PROMPT_REGEX_SYNTAX },
        { "(?<$\xc3\xa4\\u{61}1>a)", PROMPT_REGEX_OK },
        { "(?=a)(?!b)(?<=c)(?<!d)e", PROMPT_REGEX_OK },
        { "(?=a)*", PROMPT_REGEX_SYNTAX },
        { "(?=(a)", PROMPT_REGEX_SYNTAX },
        { "\\a", PROMPT_REGEX_SYNTAX },
        { "\\Z", PROMPT_REGEX_SYNTAX },
        { "\\p{Greek}", PROMPT_REGEX_SYNTAX },
        { "\\p{Script=Greek}", PROMPT_REGEX_OK }
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        is_int(prompt_regex_check(prompt_str_from(cases[i].pattern)),
               cases[i].status, cases[i].pattern);
    }
}


static void
test_refused(void)
{
    refused("(", PROMPT_REGEX_SYNTAX);
    refused(")", PROMPT_REGEX_SYNTAX);
    refused("[", PROMPT_REGEX_SYNTAX);
    refused("[a", PROMPT_REGEX_SYNTAX);
    refused("[b-a]", PROMPT_REGEX_SYNTAX);
    refused("[\\d-z]", PROMPT_REGEX_SYNTAX);
    refused("*", PROMPT_REGEX_SYNTAX);
    refused("a**", PROMPT_REGEX_SYNTAX);
    refused("^*", PROMPT_REGEX_SYNTAX);
    refused("a{2,1}", PROMPT_REGEX_SYNTAX);
    refused("a{", PROMPT_REGEX_SYNTAX);
    refused("a{x}", PROMPT_REGEX_SYNTAX);
    refused("}", PROMPT_REGEX_SYNTAX);
    refused("]", PROMPT_REGEX_SYNTAX);
    refused("\\", PROMPT_REGEX_SYNTAX);
    refused("\\q", PROMPT_REGEX_SYNTAX);
    refused("\\x4", PROMPT_REGEX_SYNTAX);
    refused("\\u12", PROMPT_REGEX_SYNTAX);
    refused("\\u{110000}", PROMPT_REGEX_SYNTAX);
    refused("\\u{}", PROMPT_REGEX_SYNTAX);
    refused("\\c1", PROMPT_REGEX_SYNTAX);
    refused("\\01", PROMPT_REGEX_SYNTAX);
    refused("\\p", PROMPT_REGEX_SYNTAX);
    refused("(?", PROMPT_REGEX_SYNTAX);
    refused("(?<a", PROMPT_REGEX_SYNTAX);
    refused("(?i)a", PROMPT_REGEX_SYNTAX);
    refused("\xff", PROMPT_REGEX_SYNTAX);
    refused("(a)\\1", PROMPT_REGEX_UNSUPPORTED);
    refused("(?<a>b)\\k<a>", PROMPT_REGEX_UNSUPPORTED);
    refused("(?=a)", PROMPT_REGEX_UNSUPPORTED);
    refused("(?!a)", PROMPT_REGEX_UNSUPPORTED);
    refused("(?<=a)", PROMPT_REGEX_UNSUPPORTED);
    refused("(?<!a)", PROMPT_REGEX_UNSUPPORTED);
    refused("(?<a>a)(?<a>b)", PROMPT_REGEX_SYNTAX);
    refused("(?<1>a)", PROMPT_REGEX_SYNTAX);
    refused("(?<>a)", PROMPT_REGEX_SYNTAX);
    refused("[\\1]", PROMPT_REGEX_SYNTAX);
    refused("[\\B]", PROMPT_REGEX_SYNTAX);
    refused("\\p{Greek}", PROMPT_REGEX_SYNTAX);
    refused("\\p{greek}", PROMPT_REGEX_SYNTAX);
    refused("\\p{sc=Hrkt}", PROMPT_REGEX_SYNTAX);
    refused("\\p{sc=L}", PROMPT_REGEX_SYNTAX);
    refused("\\p{gc=ASCII}", PROMPT_REGEX_SYNTAX);
    refused("\\p{gc=Greek}", PROMPT_REGEX_SYNTAX);
    refused("\\p{Lu=}", PROMPT_REGEX_SYNTAX);
    refused("\\p{=Lu}", PROMPT_REGEX_SYNTAX);
    refused("\\p{}", PROMPT_REGEX_SYNTAX);
    refused("\\p{ Lu}", PROMPT_REGEX_SYNTAX);
    refused("a{10001}", PROMPT_REGEX_TOO_LARGE);
    refused("(a{1000}){1000}", PROMPT_REGEX_TOO_LARGE);
    refused("((((a{99}){99}){99}){99}){99}", PROMPT_REGEX_TOO_LARGE);
}


static void
test_time(void)
{
    char                   *text;
    size_t                  i;
    clock_t                 start;
    unsigned                steps;
    const char             *message;
    prompt_regex_t         *regex;
    prompt_regex_status_t   status;
    prompt_regex_context_t  context;

    start = clock();

    /* nothing, ten thousand times ten thousand times */

    match("^((((){10000}){10000}){10000}){10000}$", "", true);

    text = malloc(100001);
    memset(text, 'a', 100000);
    text[100000] = '\0';

    for (i = 0; i < 60; i++) {
        memcpy(text + i * 2, "a?", 2);
    }

    memset(text + 120, 'a', 60);
    text[180] = '\0';
    match(text, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                "aaaaaaaaaa", true);

    context = fresh(10000);
    steps = 2000000;
    memset(text, 'a', 100000);

    status = prompt_regex_compile(&context, prompt_str("^(a|aa|a*)*b$"),
                                  &regex, &message);
    ok(status == PROMPT_REGEX_OK
       && !prompt_regex_match(regex, prompt_str_of(text, 100000), &steps)
       && steps > 0, "100,000 characters, no match");

    status = prompt_regex_compile(&context, prompt_str("(.{1,1000}){1,3}x"),
                                  &regex, &message);
    ok(status == PROMPT_REGEX_OK
       && !prompt_regex_match(regex, prompt_str_of(text, 100000), &steps)
       && steps == 0, "steps run out");

    ok(within(start, 2), "in bounded time");
    free(text);
}


int
main(void)
{
    arena = prompt_arena_create(64 * 1024 * 1024);

    test_matches();
    test_properties();
    test_check();
    test_refused();
    test_time();

    prompt_arena_destroy(arena);

    return done_testing();
}
