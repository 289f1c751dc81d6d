/*
 * Printer: what is printed is what was parsed, in the reference's layout.
 */

#include "graphql/syntax/parser.h"
#include "graphql/syntax/printer.h"
#include "graphql.h"
#include "tap.h"


#define ARENA  (1 << 20)

#define LONG_NAME  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"


typedef struct {
    const char  *source;
    const char  *printed;
} print_case_t;


static const print_case_t  documents[] = {
    { "query{a}", "{\n  a\n}" },
    { "query Q{a}", "query Q {\n  a\n}" },
    { "mutation{a}", "mutation {\n  a\n}" },
    { "subscription S @d{a}", "subscription S @d {\n  a\n}" },
    { "query@d{a}", "query @d {\n  a\n}" },
    { "query($v:[T!]!=1@d,$w:X){a}",
      "query ($v: [T!]! = 1 @d, $w: X) {\n  a\n}" },
    { "\"d\" query Q(\"e\" $v:T){a}",
      "\"d\"\nquery Q(\n\"e\"\n$v: T\n) {\n  a\n}" },
    { "{a:b(c:1,d:-2.5e3)@e(f:$g){h{i}}}",
      "{\n  a: b(c: 1, d: -2.5e3) @e(f: $g) {\n    h {\n      i\n    }\n  }"
      "\n}" },
    { "{...F@a ...on T{b} ...@c{d} ...{e}} fragment F on T@x{y}",
      "{\n  ...F @a\n  ... on T {\n    b\n  }\n  ... @c {\n    d\n  }\n"
      "  ... {\n    e\n  }\n}\n\nfragment F on T @x {\n  y\n}" },
    { "{a(b:[],c:{},d:[1 true null X \"s\"],e:{f:{g:[[]]}})}",
      "{\n  a(b: [], c: {}, d: [1, true, null, X, \"s\"], "
      "e: {f: {g: [[]]}})\n}" },

    /* 80 columns from the name to the closing bracket, and one more */
    { "{f(" LONG_NAME ":1,bbbbbbbbbbbbbbbbbbbbbbbbbbbbb:2)}",
      "{\n  f(" LONG_NAME ": 1, bbbbbbbbbbbbbbbbbbbbbbbbbbbbb: 2)\n}" },
    { "{ff(" LONG_NAME ":1,bbbbbbbbbbbbbbbbbbbbbbbbbbbbb:2)}",
      "{\n  ff(\n    " LONG_NAME ": 1\n    bbbbbbbbbbbbbbbbbbbbbbbbbbbbb: 2"
      "\n  )\n}" },

    /* strings */
    { "{a(b:\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u007f\\u0085\\u00e9\")}",
      "{\n  a(b: \"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u007F\\u0085\xc3\xa9\")"
      "\n}" },
    { "{a(b:\"\"\"x\"\"\")}", "{\n  a(b: \"\"\"x\"\"\")\n}" },
    { "{a(b:\"\"\"x\ny\"\"\")}",
      "{\n  a(b: \"\"\"\n  x\n  y\n  \"\"\")\n}" },
    { "{a(b:\"\"\"q\\\"\"\"\"\"\")}",
      "{\n  a(b: \"\"\"\n  q\\\"\"\"\n  \"\"\")\n}" },
    { "{a(b:\"\"\"s\\\n\"\"\")}", "{\n  a(b: \"\"\"\n  s\\\n  \"\"\")\n}" },
    { "{a(b:\"\"\" x\"\"\")}", "{\n  a(b: \"\"\" x\"\"\")\n}" },
    { "{a(b:\"\"\"\"\"\")}", "{\n  a(b: \"\"\"\"\"\")\n}" },

    /* the type system */
    { "schema@d{query:Q mutation:M}",
      "schema @d {\n  query: Q\n  mutation: M\n}" },
    { "\"d\"scalar S@a", "\"d\"\nscalar S @a" },
    { "type T implements&A&B@c{\"f\"f(a:I=true,b:C):[X!]!@d} type U",
      "type T implements A & B @c {\n  \"f\"\n  f(a: I = true, b: C): [X!]! "
      "@d\n}\n\ntype U" },
    { "type T{f(\"a\"a:I):X}",
      "type T {\n  f(\n    \"a\"\n    a: I\n  ): X\n}" },
    { "interface I implements J{a:B}",
      "interface I implements J {\n  a: B\n}" },
    { "union U@d=|A|B union V", "union U @d = A | B\n\nunion V" },
    { "enum E@d{\"a\"A B@c}", "enum E @d {\n  \"a\"\n  A\n  B @c\n}" },
    { "input N@d{a:B=[C]@e}", "input N @d {\n  a: B = [C] @e\n}" },
    { "directive@d(a:B)repeatable on|QUERY|FIELD",
      "directive @d(a: B) repeatable on QUERY | FIELD" },
    { "extend schema@d extend scalar S@d extend type T{a:B} "
      "extend interface I@d extend union U=C extend enum E{C} "
      "extend input N{b:C}",
      "extend schema @d\n\nextend scalar S @d\n\nextend type T {\n  a: B\n}"
      "\n\nextend interface I @d\n\nextend union U = C\n\n"
      "extend enum E {\n  C\n}\n\nextend input N {\n  b: C\n}" }
};


static void
test_documents(void)
{
    char             name[32];
    size_t           i;
    gql_errors_t     list;
    prompt_buf_t     buf;
    gql_document_t  *document;
    prompt_arena_t  *arena;

    for (i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
        arena = prompt_arena_create(ARENA);
        gql_errors_init(&list, arena, prompt_str_absent, 0);
        prompt_buf_init(&buf, ARENA);

        snprintf(name, sizeof(name), "document %zu", i);

        document = gql_parse_sdl(arena, prompt_str_from(documents[i].source),
                                 0, &list);

        if (ok(document != NULL, name)) {
            gql_print_document(&buf, &document->node);
            is_str(prompt_buf_view(&buf), documents[i].printed,
                   "  printed");
        }

        prompt_buf_free(&buf);
        prompt_arena_destroy(arena);
    }
}


static void
test_nodes(void)
{
    gql_errors_t     list;
    prompt_buf_t     buf;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(ARENA);
    gql_errors_init(&list, arena, prompt_str_absent, 0);
    prompt_buf_init(&buf, ARENA);

    gql_print(&buf, &gql_parse_value(arena, prompt_str("{a:[$b]}"),
                                     0, &list)->node);
    is_str(prompt_buf_view(&buf), "{a: [$b]}", "a value");

    prompt_buf_truncate(&buf, 0);
    gql_print(&buf, &gql_parse_type(arena, prompt_str("[ A ! ] !"),
                                    0, &list)->node);
    is_str(prompt_buf_view(&buf), "[A!]!", "a type");

    prompt_buf_free(&buf);
    prompt_arena_destroy(arena);
}


/* A buffer too small at every size says so and stays whole. */
static void
test_limits(void)
{
    bool             fine;
    size_t           limit, len;
    gql_errors_t     list;
    prompt_buf_t     buf;
    gql_document_t  *document;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(ARENA);
    gql_errors_init(&list, arena, prompt_str_absent, 0);

    document = gql_parse_sdl(arena,
                             prompt_str("query Q(\"d\" $v:T){f(" LONG_NAME
                                        ":1,bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb:"
                                        "\"\"\"x\ny\"\"\")"
                                        "{a(b:\"\\u0001\")}}"
                                        "type T{f(\"a\"a:I):X}"), 0, &list);

    prompt_buf_init(&buf, ARENA);
    gql_print_document(&buf, &document->node);
    len = buf.len;
    prompt_buf_free(&buf);

    fine = true;

    for (limit = 0; limit < len; limit++) {
        prompt_buf_init(&buf, limit);
        gql_print_document(&buf, &document->node);
        fine = fine && buf.status == PROMPT_BUF_LIMIT;
        prompt_buf_free(&buf);
    }

    ok(fine && len != 0, "a full buffer is told at every limit");

    prompt_arena_destroy(arena);
}


int
main(void)
{
    test_documents();
    test_nodes();
    test_limits();

    return done_testing();
}
