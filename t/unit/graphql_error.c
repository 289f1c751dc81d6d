/*
 * Errors: the list with its limit, and the JSON of one error.
 */

#include <stdlib.h>

#include "base/utf8.h"
#include "graphql/syntax/error.h"
#include "tap.h"


#define ARENA        (1 << 20)
#define MAX_MESSAGE  gql_error_bounds.message


static void
is_json(const gql_error_t *error, prompt_str_t code, const char *json,
    const char *name)
{
    prompt_buf_t  buf;

    prompt_buf_init(&buf, ARENA);
    gql_error_write(&buf, error, code);
    is_str(prompt_buf_view(&buf), json, name);
    prompt_buf_free(&buf);
}


static void
test_members(void)
{
    gql_path_t       root, list, leaf;
    gql_error_t     *error;
    gql_errors_t     errors;
    prompt_json_t   *extra;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(ARENA);
    gql_errors_init(&errors, arena, prompt_str("{ a\n  \xc3\xa9 b }"), 0);

    error = gql_errors_add(&errors, "No \"%s\"\n.", "b");
    is_json(error, prompt_str_absent, "{\"message\":\"No \\\"b\\\"\\n.\"}",
            "a message alone");
    is_json(error, prompt_str("C"), "{\"message\":\"No \\\"b\\\"\\n.\","
            "\"extensions\":{\"code\":\"C\"}}", "and the default code");

    gql_error_at(&errors, error, 9);
    gql_error_at(&errors, error, 0);
    gql_error_at(&errors, error, 99);
    is_json(error, prompt_str_absent, "{\"message\":\"No \\\"b\\\"\\n.\","
            "\"locations\":[{\"line\":2,\"column\":5},"
            "{\"line\":1,\"column\":1},{\"line\":2,\"column\":8}]}",
            "locations in the order they came");

    error = gql_errors_add(&errors, "x");

    root = (gql_path_t) { NULL, prompt_str("a\""), 0 };
    list = (gql_path_t) { &root, prompt_str_absent, 7 };
    leaf = (gql_path_t) { &list, prompt_str("b"), 0 };

    error->path = &leaf;
    error->field = prompt_str("name");
    is_json(error, prompt_str_absent, "{\"message\":\"x\","
            "\"path\":[\"a\\\"\",7,\"b\"],"
            "\"extensions\":{\"field\":\"name\"}}", "a path and a field");

    error->path = NULL;
    error->code = prompt_str("OWN");
    extra = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    prompt_json_set(extra, prompt_str("n"), prompt_json_new_integer(arena, 1));
    prompt_json_set(extra, prompt_str("b"),
                    prompt_json_new(arena, PROMPT_JSON_BOOLEAN));
    error->extra = extra;
    is_json(error, prompt_str("C"), "{\"message\":\"x\",\"extensions\":{"
            "\"code\":\"OWN\",\"field\":\"name\",\"n\":1,\"b\":false}}",
            "all that extensions can have");

    prompt_arena_destroy(arena);
}


/* longer than what is taken at once */
static void
test_path(void)
{
    char          want[1024], *p;
    unsigned      i;
    gql_path_t    path[100];
    gql_error_t   error;

    memset(&error, 0, sizeof(gql_error_t));
    error.message = prompt_str("m");

    p = want + sprintf(want, "{\"message\":\"m\",\"path\":[");

    for (i = 0; i < 100; i++) {
        path[i].parent = i != 0 ? &path[i - 1] : NULL;
        path[i].key = prompt_str_absent;
        path[i].index = i;

        p += sprintf(p, "%s%u", i != 0 ? "," : "", i);
    }

    sprintf(p, "]}");

    error.path = &path[99];
    is_json(&error, prompt_str_absent, want, "a long path, from its start");
}


static void
test_list(void)
{
    size_t           i;
    bool             fine;
    prompt_buf_t     buf;
    gql_errors_t     errors;
    prompt_arena_t  *arena;
    prompt_str_t     pieces[3];

    arena = prompt_arena_create(ARENA);
    gql_errors_init(&errors, arena, prompt_str(""), 2);
    prompt_buf_init(&buf, ARENA);

    gql_errors_write(&buf, &errors, prompt_str_absent);
    is_str(prompt_buf_view(&buf), "[]", "none");

    pieces[0] = prompt_str("a");
    pieces[1] = prompt_str_of("\0", 1);
    pieces[2] = prompt_str("");

    ok(gql_errors_add_pieces(&errors, pieces, 3) != NULL
       && gql_errors_add(&errors, "two") != NULL, "as many as may be");
    ok(!errors.full, "are not too many");
    ok(gql_errors_add(&errors, "three") == NULL && errors.full
       && errors.count == 2 && !errors.nomem, "one more is");

    gql_error_at(&errors, NULL, 0);

    prompt_buf_truncate(&buf, 0);
    gql_errors_write(&buf, &errors, prompt_str_absent);
    is_str(prompt_buf_view(&buf),
           "[{\"message\":\"a\\u0000\"},{\"message\":\"two\"}]", "two");

    prompt_buf_free(&buf);
    prompt_arena_destroy(arena);

    fine = true;

    for (i = 16; i < 4096; i += 16) {
        arena = prompt_arena_create(i);
        if (arena == NULL) {
            continue;
        }

        gql_errors_init(&errors, arena, prompt_str("abc"), 0);
        gql_error_at(&errors, gql_errors_add(&errors, "%s", "message"), 1);

        fine = fine && (errors.nomem
                        || (errors.count == 1
                            && errors.first->nlocations == 1));
        prompt_arena_destroy(arena);
    }

    ok(fine, "short memory is told at every limit");
}


/* whatever a document is made of */
static void
test_large(void)
{
    char            *text;
    size_t           i;
    gql_error_t     *error;
    gql_errors_t     errors;
    prompt_str_t     message, pieces[2];
    prompt_arena_t  *arena;

    arena = prompt_arena_create(64 * ARENA);
    text = prompt_arena_alloc(arena, ARENA);
    gql_errors_init(&errors, arena, prompt_str("{"), 0);

    memset(text, 'x', ARENA);

    error = gql_errors_add(&errors, "%.*s", (int) MAX_MESSAGE, text);
    ok(error->message.len == MAX_MESSAGE, "a message as it may be");

    error = gql_errors_add(&errors, "Start %.*s end.", ARENA, text);
    message = error->message;

    ok(message.len == MAX_MESSAGE, "a longer one is cut");
    ok(memcmp(message.data, "Start x", 7) == 0, "not at its start");
    is_str(prompt_str_of(message.data + message.len - 4, 4), "x\u2026",
           "but at its end");
    ok(message.data[message.len] == '\0', "with a NUL behind");

    /* no character is cut in two, wherever the cuts are */

    for (i = 0; i + 4 <= ARENA; i += 4) {
        memcpy(text + i, "\U0001f600", 4);
    }

    for (i = 0; i < 4; i++) {
        pieces[0] = prompt_str_of("abc", i);
        pieces[1] = prompt_str_of(text, ARENA / 2 + (i & 1) * 4);
        error = gql_errors_add_pieces(&errors, pieces, 2);

        ok(error->message.len <= MAX_MESSAGE
           && error->message.len > MAX_MESSAGE - 8
           && prompt_utf8_valid(error->message), "between characters");
    }

    for (i = 0; i < 1000; i++) {
        gql_error_at(&errors, error, 0);
    }

    ok(error->nlocations == gql_error_bounds.locations, "so many locations");

    prompt_arena_destroy(arena);
}


static void
test_memory(void)
{
    char            *text;
    gql_errors_t     errors;
    prompt_str_t     pieces[2];
    prompt_arena_t  *arena;

    text = malloc(ARENA);
    memset(text, 'x', ARENA);

    arena = prompt_arena_create(MAX_MESSAGE / 2);
    gql_errors_init(&errors, arena, prompt_str("{"), 0);

    ok(gql_errors_add(&errors, "%.*s", ARENA, text) == NULL && errors.nomem,
       "too little memory for a message");

    pieces[0] = prompt_str("Start ");
    pieces[1] = prompt_str_of(text, ARENA);
    errors.nomem = false;

    ok(gql_errors_add_pieces(&errors, pieces, 2) == NULL && errors.nomem,
       "and for its pieces");

    is_str(gql_errors_add_pieces(&errors, pieces, 0)->message, "",
           "but not for none");

    prompt_arena_destroy(arena);
    free(text);
}


int
main(void)
{
    test_members();
    test_path();
    test_large();
    test_memory();
    test_list();

    return done_testing();
}
