/*
 * The pull reader: walks, skips, and fails where the reader fails.
 */

#include "base/json.h"

#include <stdlib.h>

#include "tap.h"


#define ARENA  (1024 * 1024)


static void
test_walk(void)
{
    int                  members, elements;
    prompt_str_t         name, text;
    prompt_json_t       *value;
    prompt_arena_t      *arena;
    prompt_json_scan_t   scan;

    arena = prompt_arena_create(ARENA);

    text = prompt_str(" {\"a\": {\"x\":[1,[2]],\"y\":null}, \"b\" :"
                      "[1, \"2\", {}, [] , true], \"c\\n\":\"t\\u0041\"} ");
    prompt_json_scan_init(&scan, text, 16);

    members = 0;
    elements = 0;
    value = NULL;

    ok(prompt_json_scan_type(&scan) == PROMPT_JSON_OBJECT, "type");
    ok(!prompt_json_scan_array(&scan), "an object is no array");
    ok(prompt_json_scan_object(&scan), "enters");

    while (prompt_json_scan_member(&scan, &name)) {
        members++;

        if (prompt_str_eq(name, prompt_str("b"))
            && prompt_json_scan_array(&scan))
        {
            while (prompt_json_scan_element(&scan)) {
                elements++;
                prompt_json_scan_skip(&scan);
            }

        } else if (prompt_str_eq(name, prompt_str("c\\n"))) {
            value = prompt_json_scan_value(&scan, arena);

        } else {
            prompt_json_scan_skip(&scan);
        }
    }

    is_int(members, 3, "members");
    is_int(elements, 5, "elements");
    is_str(value != NULL ? value->text : prompt_str_absent, "tA", "a value");
    ok(prompt_json_scan_end(&scan), "and the end");

    prompt_arena_destroy(arena);
}


static prompt_json_error_t
skipped(prompt_str_t text, unsigned max_depth)
{
    prompt_json_scan_t  scan;

    prompt_json_scan_init(&scan, text, max_depth);
    prompt_json_scan_skip(&scan);
    (void) prompt_json_scan_end(&scan);

    return scan.error;
}


static void
test_skip(void)
{
    size_t                i, n;
    bool                  agree;
    char                 *big;
    prompt_arena_t       *arena;
    prompt_json_error_t   error;

    static const prompt_str_t  texts[] = {
        prompt_str_init("[]"), prompt_str_init("{}"), prompt_str_init("[[]]"),
        prompt_str_init("[{}]"), prompt_str_init("{\"a\":[]}"),
        prompt_str_init("[{},{}]"), prompt_str_init("[[],[{\"a\":[1]}],2]"),
        prompt_str_init("{\"a\":{\"b\":{\"c\":[{}]}},\"d\":1}"),
        prompt_str_init("[}"), prompt_str_init("{]"), prompt_str_init("[{]}"),
        prompt_str_init("[1,{\"a\":[}]"), prompt_str_init("{\"a\":[1}"),
        prompt_str_init("[[1]"), prompt_str_init("[1]]"),
        prompt_str_init("{\"a\":1,}"), prompt_str_init("[1,]"),
        prompt_str_init("tru"), prompt_str_init("{\"a\" 1}"),
        prompt_str_init("[\"\xff\"]"), prompt_str_init("[1e]"),
        prompt_str_init("{\"a\":[{},[],{\"b\":{}}],\"c\":[[[]]]}"),
        prompt_str_init("{,}"), prompt_str_init("[-]"), prompt_str_init("")
    };

    arena = prompt_arena_create(ARENA);
    agree = true;

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        (void) !prompt_json_read(arena, texts[i], 16, &error);

        if (error.status != skipped(texts[i], 16).status
            || error.offset != skipped(texts[i], 16).offset)
        {
            agree = false;
            diag("differ on %.*s", prompt_str_arg(texts[i]));
        }
    }

    ok(agree, "passing over fails where reading fails");
    prompt_arena_destroy(arena);

    is_int(skipped(prompt_str("\"\\ud800\""), 1).status, PROMPT_JSON_OK,
           "what is passed over may be no Unicode text");

    n = 1000000;
    big = malloc(2 * n);
    memset(big, '[', n);
    memset(big + n, ']', n);

    is_int(skipped(prompt_str_of(big + n - 64, 128), 64).status,
           PROMPT_JSON_OK, "64 levels");
    is_int(skipped(prompt_str_of(big + n - 65, 130), 64).status,
           PROMPT_JSON_DEPTH, "65 levels");
    is_int(skipped(prompt_str_of(big + n - 1024, 2048), ~0u).status,
           PROMPT_JSON_OK, "1024 levels");
    is_int(skipped(prompt_str_of(big, 2 * n), ~0u).status,
           PROMPT_JSON_DEPTH, "a million levels");
    free(big);
}


static void
test_sticky(void)
{
    unsigned             n;
    prompt_str_t         name;
    prompt_arena_t      *arena;
    prompt_json_scan_t   scan;

    prompt_json_scan_init(&scan, prompt_str("{\"a\":1 \"b\":2}"), 16);
    ok(prompt_json_scan_object(&scan), "enters");

    for (n = 0; prompt_json_scan_member(&scan, &name) && n < 100; n++) {
        prompt_json_scan_skip(&scan);
    }

    is_int(n, 1, "an error ends the loop");
    is_int(scan.error.status, PROMPT_JSON_SYNTAX, "and stays");
    is_int(scan.error.offset, 7, "with its place");
    ok(!prompt_json_scan_object(&scan) && !prompt_json_scan_array(&scan)
       && !prompt_json_scan_element(&scan) && !prompt_json_scan_end(&scan),
       "everything fails from then on");

    arena = prompt_arena_create(ARENA);
    ok(prompt_json_scan_value(&scan, arena) == NULL, "reading too");
    prompt_arena_destroy(arena);

    prompt_json_scan_init(&scan, prompt_str("[1]"), 16);
    ok(prompt_json_scan_array(&scan), "enters");
    (void) prompt_json_scan_element(&scan);
    ok(prompt_json_scan_type(&scan) == PROMPT_JSON_NUMBER, "a number");
    ok(prompt_json_scan_type(&scan) == PROMPT_JSON_NUMBER, "not consumed");
    prompt_json_scan_skip(&scan);
    ok(!prompt_json_scan_element(&scan) && prompt_json_scan_end(&scan),
       "to the end");
}


int
main(void)
{
    test_walk();
    test_skip();
    test_sticky();

    return done_testing();
}
