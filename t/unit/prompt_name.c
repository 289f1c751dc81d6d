/*
 * Names: the examples of the rules, the edges, and that converting twice is
 * converting once.
 */

#include "prompt/name.h"

#include "tap.h"


static prompt_arena_t  *arena;


/* want == NULL: refused */
static void
is_name(prompt_str_t given, const char *want, const char *title)
{
    prompt_str_t    name, again;
    prompt_check_t  rc;
    prompt_fault_t  fault;

    name = prompt_str_absent;
    rc = prompt_name(arena, given, &name, &fault);

    if (want == NULL) {
        ok(rc == PROMPT_CHECK_FAULT
           && prompt_str_eq(fault.field, prompt_str("name")), title);
        return;
    }

    if (is_str(name, want, title)) {
        rc = prompt_name(arena, name, &again, &fault);

        if (rc != PROMPT_CHECK_OK || !prompt_str_eq(name, again)) {
            ok(false, "and again");
        }
    }
}

#define name(given, want)  is_name(prompt_str(given), want, given " -> " want)


static void
test_names(void)
{
    name("myPrompt", "my-prompt");
    name("HTTPServer", "http-server");
    name("gpt4Prompt", "gpt4-prompt");
    name("My Prompt", "my-prompt");
    name("my_prompt", "my-prompt");
    name("  --my...prompt!!  ", "my-prompt");
    name("already-kebab-case", "already-kebab-case");
    name("A", "a");
    name("AB", "ab");
    name("ABc", "a-bc");
    name("aB", "a-b");
    name("parseXMLDocument", "parse-xml-document");
    name("v2", "v2");
    name("2Fast2Furious", "2-fast2-furious");
    name("iOS", "i-os");
    name("Caf\xc3\xa9 M\xc3\xa9lange", "caf\xc3\xa9-m\xc3\xa9lange");
    name("\xc3\x84PFEL", "\xc3\xa4pfel");
    name("stra\xc3\x9f" "eNord", "stra\xc3\x9f" "e-nord");
    name("\xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82"
         "\xd0\x9c\xd0\xb8\xd1\x80",
         "\xd0\xbf\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82-"
         "\xd0\xbc\xd0\xb8\xd1\x80");
    name("\xe4\xb8\xad\xe6\x96\x87 prompt", "\xe4\xb8\xad\xe6\x96\x87-prompt");
    name("x\xf0\x9f\x99\x82y", "x-y");
    name("aH\xe2\x85\x85T", "a-h\xe2\x85\x85t");
    name("a\xd9\xa3" "B", "a\xd9\xa3-b");

    is_name(prompt_str(""), NULL, "nothing");
    is_name(prompt_str_absent, NULL, "absent");
    is_name(prompt_str(" -_-!\xf0\x9f\x99\x82"), NULL, "nothing is left");
    is_name(prompt_str("a\0b"), NULL, "U+0000");
}


static void
test_length(void)
{
    char            text[2000];
    size_t          i;
    prompt_str_t    name;
    prompt_fault_t  fault;

    memset(text, 'a', sizeof(text));
    is_int(prompt_name(arena, prompt_str_of(text, 128), &name, &fault),
           PROMPT_CHECK_OK, "128 characters");
    is_name(prompt_str_of(text, 129), NULL, "129 are too many");

    memset(text, ' ', sizeof(text));
    text[1000] = 'x';
    is_name(prompt_str_of(text, sizeof(text)), "x",
            "only what is left is counted");

    for (i = 0; i < 256; i += 2) {
        memcpy(text + i, "\xc3\x84", 2);
    }

    is_int(prompt_name(arena, prompt_str_of(text, 256), &name, &fault),
           PROMPT_CHECK_OK, "characters, not bytes");
    is_int(name.len, 256, "of which there are twice as many");
}


int
main(void)
{
    arena = prompt_arena_create(1024 * 1024);

    test_names();
    test_length();

    prompt_arena_destroy(arena);

    return done_testing();
}
