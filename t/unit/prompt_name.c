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


/* what is written above, below and around letters belongs to them */

static void
test_marks(void)
{
    is_name(prompt_str("\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8\xe0\xa5\x8d\xe0"
                       "\xa4"
                       "\xa6\xe0\xa5\x80 \xe0\xa4\x85\xe0\xa4\xa8\xe0\xa5"
                       "\x81\xe0"
                       "\xa4\xb5\xe0\xa4\xbe\xe0\xa4\xa6"),
            "\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8\xe0\xa5\x8d\xe0\xa4"
            "\xa6\xe0\xa5\x80-\xe0\xa4\x85\xe0\xa4\xa8\xe0\xa5\x81\xe0"
            "\xa4\xb5\xe0\xa4\xbe\xe0\xa4\xa6",
            "Devanagari");
    is_name(prompt_str("\xe0\xae\xa4\xe0\xae\xae\xe0\xae\xbf\xe0\xae\xb4\xe0"
                       "\xaf"
                       "\x8d \xe0\xae\xae\xe0\xaf\x8a\xe0\xae\xb4\xe0\xae"
                       "\xbf"),
            "\xe0\xae\xa4\xe0\xae\xae\xe0\xae\xbf\xe0\xae\xb4\xe0\xaf"
            "\x8d-\xe0\xae\xae\xe0\xaf\x8a\xe0\xae\xb4\xe0\xae\xbf",
            "Tamil");
    is_name(prompt_str("\xe0\xb8\xa0\xe0\xb8\xb2\xe0\xb8\xa9\xe0\xb8\xb2\xe0"
                       "\xb9"
                       "\x84\xe0\xb8\x97\xe0\xb8\xa2 \xe0\xb8\x97\xe0\xb8"
                       "\xb5\xe0"
                       "\xb9\x88\xe0\xb8\x99\xe0\xb8\xb5\xe0\xb9\x88"),
            "\xe0\xb8\xa0\xe0\xb8\xb2\xe0\xb8\xa9\xe0\xb8\xb2\xe0\xb9"
            "\x84\xe0\xb8\x97\xe0\xb8\xa2-\xe0\xb8\x97\xe0\xb8\xb5\xe0"
            "\xb9\x88\xe0\xb8\x99\xe0\xb8\xb5\xe0\xb9\x88",
            "Thai");
    is_name(prompt_str("\xe0\xa6\xac\xe0\xa6\xbe\xe0\xa6\x82\xe0\xa6\xb2\xe0"
                       "\xa6"
                       "\xbe\xe0\xa7\xa8"),
            "\xe0\xa6\xac\xe0\xa6\xbe\xe0\xa6\x82\xe0\xa6\xb2\xe0\xa6"
            "\xbe\xe0\xa7\xa8",
            "Bengali and a digit");
    is_name(prompt_str("\xd7\xa9\xd6\xb8\xd7\x81\xd7\x9c\xd7\x95\xd6\xb9\xd7"
                       "\x9d"),
            "\xd7\xa9\xd6\xb8\xd7\x81\xd7\x9c\xd7\x95\xd6\xb9\xd7\x9d",
            "Hebrew with points");
    is_name(prompt_str("Tie\xcc\x82\xcc\x81ng Vie\xcc\x82\xcc\xa3t"),
            "tie\xcc\x82\xcc\x81ng-vie\xcc\x82\xcc\xa3t",
            "Vietnamese, decomposed");
    is_name(prompt_str("HTTPE\xcc\x81toile"),
            "http-e\xcc\x81toile",
            "a capital with a mark in front of a small letter");
    is_name(prompt_str("cafe\xcc\x81" "E\xcc\x81toile"),
            "cafe\xcc\x81-e\xcc\x81toile",
            "a capital with a mark behind a small letter");
    is_name(prompt_str("E\xcc\x81" "E\xcc\x80"),
            "e\xcc\x81" "e\xcc\x80",
            "capitals with marks");
    is_name(prompt_str("\xcc\x81" "abc"),
            "abc",
            "a leading mark");
    is_name(prompt_str("a-\xcc\x81" "b \xcc\x88" "c"),
            "a-b-c",
            "marks behind what is no letter");
    is_name(prompt_str("abc\xcc\x81"),
            "abc\xcc\x81",
            "a mark at the end");
    is_name(prompt_str("1\xef\xb8\x8f\xe2\x83\xa3" "2\xef\xb8\x8f\xe2\x83"
                       "\xa3"),
            "1-2",
            "a key cap");
    is_name(prompt_str("a\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb" "b"
                       "\xe2\x9d"
                       "\xa4\xef\xb8\x8f" "c"),
            "a-b-c",
            "a sequence of emoji");
    is_name(prompt_str("\xe2\x9d\xa4\xef\xb8\x8f x"),
            "x",
            "emoji alone with a letter");
    is_name(prompt_str("\xcc\x81 \xe2\x9d\xa4\xef\xb8"
                       "\x8f"), NULL, "marks alone");
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

    /* marks are characters: 'a' and one of them, 64 times, and one more */

    for (i = 0; i < 195; i += 3) {
        memcpy(text + i, "a\xcc\x81", 3);
    }

    is_int(prompt_name(arena, prompt_str_of(text, 192), &name, &fault),
           PROMPT_CHECK_OK, "64 letters with their marks");
    is_name(prompt_str_of(text, 195), NULL, "65 are too many");

    for (i = 1; i < 1999; i += 2) {
        memcpy(text + i, "\xcc\x81", 2);
    }

    is_name(prompt_str_of(text, 1999), NULL, "as are 999 marks of one");
}


/* the first that is none, and the last that is one, in each way */

static void
test_labels(void)
{
    char            c, text[65];
    bool            first, other;
    unsigned        i;
    prompt_fault_t  fault;

    memset(text, 'a', sizeof(text));

    is_int(prompt_label(arena, prompt_str_of(text, 64), &fault),
           PROMPT_CHECK_OK, "a label of 64");
    is_int(prompt_label(arena, prompt_str_of(text, 65), &fault),
           PROMPT_CHECK_FAULT, "one more is too many");
    is_int(prompt_label(arena, prompt_str_of(text, 0), &fault),
           PROMPT_CHECK_FAULT, "none is too few");

    for (i = 0; i < 256; i++) {
        c = (char) i;
        first = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        other = first || c == '.' || c == '_' || c == '-';

        text[0] = c;
        text[1] = 'a';

        if (prompt_label(arena, prompt_str_of(text, 2), &fault)
            != (first ? PROMPT_CHECK_OK : PROMPT_CHECK_FAULT))
        {
            break;
        }

        text[0] = 'a';
        text[1] = c;

        if (prompt_label(arena, prompt_str_of(text, 2), &fault)
            != (other ? PROMPT_CHECK_OK : PROMPT_CHECK_FAULT))
        {
            break;
        }
    }

    is_int(i, 256, "of these bytes, and no others");
    is_int(prompt_label(arena, prompt_str("latest"), &fault),
           PROMPT_CHECK_FAULT, "nor the one that means the latest");
    is_int(prompt_label(arena, prompt_str("latest2"), &fault),
           PROMPT_CHECK_OK, "which another may begin with");
    ok(prompt_str_eq(fault.field, prompt_str("label")), "by its field");
}


int
main(void)
{
    arena = prompt_arena_create(1024 * 1024);

    test_names();
    test_marks();
    test_length();
    test_labels();

    prompt_arena_destroy(arena);

    return done_testing();
}
