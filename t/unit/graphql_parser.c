/*
 * Parser: the shape of what it makes, the words of what it refuses, its
 * limits, and what happens when memory gives out.
 */

#include <stdlib.h>

#include "graphql/syntax/parser.h"
#include "graphql.h"
#include "tap.h"


#define ARENA  (64 << 20)


typedef struct {
    const char  *source;
    const char  *message;            /* behind "Syntax Error: " */
    unsigned     line;
    unsigned     column;
} error_case_t;


static const error_case_t  errors[] = {
    { "", "Unexpected <EOF>.", 1, 1 },
    { "{", "Expected Name, found <EOF>.", 1, 2 },
    { "{}", "Expected Name, found \"}\".", 1, 2 },
    { "\n      { ...MissingOn }\n      fragment MissingOn Type",
      "Expected \"on\", found Name \"Type\".", 3, 26 },
    { "{ field: {} }", "Expected Name, found \"{\".", 1, 10 },
    { "notAnOperation Foo { field }",
      "Unexpected Name \"notAnOperation\".", 1, 1 },
    { "...", "Unexpected \"...\".", 1, 1 },
    { "{ \"\"", "Expected Name, found String \"\".", 1, 3 },
    { "query Foo($x: Complex = { a: { b: [ $var ] } }) { field }",
      "Unexpected variable \"$var\" in constant value.", 1, 37 },
    { "query ($x: T = $) { a }", "Unexpected \"$\".", 1, 16 },
    { "fragment on on on { on }", "Unexpected Name \"on\".", 1, 10 },
    { "fragment \"on\" on T { a }", "Unexpected String \"on\".", 1, 10 },
    { "{ ...on }", "Expected Name, found \"}\".", 1, 9 },
    { "\"d\" { a }", "Unexpected description, descriptions are not supported "
      "on shorthand queries.", 1, 1 },
    { "\"d\" extend type T { a: B }", "Unexpected description, only GraphQL "
      "definitions support descriptions.", 1, 1 },
    { "\"d\" 1", "Unexpected Int \"1\".", 1, 5 },
    { "enum E { \"d\" \"true\" }", "String \"true\" is reserved and cannot be "
      "used for an enum value.", 1, 14 },
    { "enum E { null }", "Name \"null\" is reserved and cannot be used for an "
      "enum value.", 1, 10 },
    { "extend type T", "Unexpected <EOF>.", 1, 14 },
    { "extend foo", "Unexpected Name \"foo\".", 1, 8 },
    { "schema { test: A }", "Unexpected Name \"test\".", 1, 10 },
    { "union U = |", "Expected Name, found <EOF>.", 1, 12 },
    { "type A implements & { a: B }", "Expected Name, found \"{\".", 1, 21 },
    { "directive @a on FOO", "Unexpected Name \"FOO\".", 1, 17 },
    { "directive @a on constructor",
      "Unexpected Name \"constructor\".", 1, 17 },
    { "fragment a($v: T) on B { c }", "Expected \"on\", found \"(\".", 1, 11 }
};


static void
test_errors(void)
{
    char             message[256];
    size_t           i;
    gql_errors_t     list;
    prompt_arena_t  *arena;

    for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        arena = prompt_arena_create(ARENA);
        gql_errors_init(&list, arena, prompt_str_absent, 0);

        ok(gql_parse_sdl(arena, prompt_str_from(errors[i].source), 0, &list)
           == NULL, errors[i].message);

        if (is_int(list.count, 1, "  one error")) {
            snprintf(message, sizeof(message), "Syntax Error: %s",
                     errors[i].message);
            is_str(list.first->message, message, "  its words");
            is_int(list.first->locations[0].line, errors[i].line,
                   "  its line");
            is_int(list.first->locations[0].column, errors[i].column,
                   "  its column");
        }

        prompt_arena_destroy(arena);
    }
}


/* what a request may not have: the first of it is the error */
static void
test_not_executable(void)
{
    size_t           i;
    gql_errors_t     list;
    prompt_arena_t  *arena;

    static const error_case_t  cases[] = {
        { "type T { a: Int } { me { id } }",
          "The \"T\" definition is not executable.", 1, 1 },
        { "{ a }\n \"\"\"d\"\"\" type T { a: Int } scalar S",
          "The \"T\" definition is not executable.", 2, 2 },
        { "{ a } extend input I @a",
          "The \"I\" definition is not executable.", 1, 7 },
        { "directive @x on FIELD",
          "The \"x\" definition is not executable.", 1, 1 },
        { "schema { query: Q }",
          "The schema definition is not executable.", 1, 1 },
        { "extend schema @a",
          "The schema definition is not executable.", 1, 1 },
        { "enum", "Syntax Error: Expected Name, found <EOF>.", 1, 5 },
        { "extend", "Syntax Error: Unexpected <EOF>.", 1, 7 },
        { "extend query { a }",
          "Syntax Error: Unexpected Name \"query\".", 1, 8 },
        { "type { a: Int }",
          "Syntax Error: Expected Name, found \"{\".", 1, 6 },
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        arena = prompt_arena_create(ARENA);
        gql_errors_init(&list, arena, prompt_str_absent, 0);

        ok(gql_parse(arena, prompt_str_from(cases[i].source), 0, &list)
           == NULL, cases[i].source);

        if (is_int(list.count, 1, "  one error")) {
            is_str(list.first->message, cases[i].message, "  its words");
            is_int(list.first->locations[0].line, cases[i].line,
                   "  its line");
            is_int(list.first->locations[0].column, cases[i].column,
                   "  its column");
        }

        prompt_arena_destroy(arena);
    }
}


static void
test_shape(void)
{
    gql_field_t                 *field;
    gql_value_t                 *value;
    gql_errors_t                 list;
    gql_document_t              *document;
    prompt_arena_t              *arena;
    gql_argument_t              *argument;
    gql_operation_definition_t  *op;

    arena = prompt_arena_create(ARENA);
    gql_errors_init(&list, arena, prompt_str_absent, 0);

    document = gql_parse(arena,
                         prompt_str("  \"d\" mutation M($v: [T!] = [1]) @d {\n"
                                    "  x: f(a: {k: [$v, \"s\"]}) { ...F }\n"
                                    "} fragment F on T { id } "), 0, &list);

    if (!ok(document != NULL, "a document")) {
        return;
    }

    is_int(document->definitions.count, 2, "has two definitions");
    is_int(document->tokens, 47, "and so many tokens");
    is_int(document->node.start, 0, "from its start");
    is_int(document->node.end, 98, "to its end");

    op = (gql_operation_definition_t *) document->definitions.first;
    is_int(op->node.kind, GQL_OPERATION_DEFINITION, "an operation");
    is_int(op->operation, GQL_MUTATION, "a mutation");
    is_int(op->node.start, 2, "begins at its description");
    is_int(op->node.end, 74, "ends at its brace");
    is_str(op->description->text, "d", "described");
    is_str(op->name->value, "M", "named");
    is_int(op->variables.count, 1, "with a variable");
    is_int(op->directives.count, 1, "and a directive");
    ok(!op->shorthand, "written in full");

    field = (gql_field_t *) op->selection_set->selections.first;
    is_str(field->alias->value, "x", "alias");
    is_str(field->name->value, "f", "name");

    argument = (gql_argument_t *) field->arguments.first;
    is_int(argument->value->node.kind, GQL_OBJECT, "an object");
    value = ((gql_object_field_t *) argument->value->items.first)->value;
    is_int(value->node.kind, GQL_LIST, "a list in it");
    is_int(value->items.count, 2, "of two");
    is_str(((gql_value_t *) value->items.first)->text, "v", "a variable");
    is_str(((gql_value_t *) value->items.last)->text, "s", "a string");

    is_int(document->definitions.last->kind, GQL_FRAGMENT_DEFINITION,
           "a fragment");
    is_int(document->definitions.last->end, 97, "ends before the blank");

    prompt_arena_destroy(arena);
}


static void
test_alone(void)
{
    gql_value_t      *value;
    gql_errors_t      list;
    prompt_arena_t   *arena;
    gql_type_node_t  *type;

    arena = prompt_arena_create(ARENA);
    gql_errors_init(&list, arena, prompt_str_absent, 0);

    value = gql_parse_value(arena, prompt_str("[$a true null X]"), 0,
                            &list);
    ok(value != NULL && value->items.count == 4
       && ((gql_value_t *) value->items.first->next)->boolean,
       "a value alone");

    ok(gql_parse_const_value(arena, prompt_str("[$a]"), 0, &list) == NULL,
       "a constant has no variables");
    is_str(list.last->message, "Syntax Error: Unexpected variable \"$a\" in "
           "constant value.", "  its words");

    type = gql_parse_type(arena, prompt_str("[A!]!"), 0, &list);
    ok(type != NULL && type->node.kind == GQL_NON_NULL_TYPE
       && type->of->node.kind == GQL_LIST_TYPE
       && type->of->of->node.kind == GQL_NON_NULL_TYPE
       && type->of->of->of->node.kind == GQL_NAMED_TYPE, "a type alone");

    ok(gql_parse_type(arena, prompt_str("A B"), 0, &list) == NULL,
       "and nothing behind it");

    prompt_arena_destroy(arena);
}


/* n times text, then the rest */
static prompt_str_t
repeat(const char *first, const char *text, size_t n, const char *last)
{
    char    *p, *start;
    size_t   i, len;

    len = strlen(text);
    start = malloc(strlen(first) + len * n + strlen(last) + 1);
    p = stpcpy(start, first);

    for (i = 0; i < n; i++) {
        p = stpcpy(p, text);
    }

    p = stpcpy(p, last);

    return prompt_str_of(start, (size_t) (p - start));
}


static void
test_depth(void)
{
    size_t           i;
    gql_errors_t     list;
    prompt_str_t     source;
    prompt_arena_t  *arena;

    static const struct {
        const char  *first;
        const char  *text;
        const char  *last;
        const char  *name;
    } deep[] = {
        { "", "{a", "", "selection sets" },
        { "{", "...{", "", "inline fragments" },
        { "{a(b:", "[", "", "lists" },
        { "{a(b:", "{c:", "", "objects" },
        { "query($a:", "[", "", "types" },
        { "type T{a:", "[", "", "types in SDL" },
        { "input T{a:B=", "[", "", "defaults in SDL" },
        { "{a(b:", "[{c:", "", "lists and objects" }
    };

    for (i = 0; i < sizeof(deep) / sizeof(deep[0]); i++) {
        arena = prompt_arena_create(ARENA);
        gql_errors_init(&list, arena, prompt_str_absent, 0);

        source = repeat(deep[i].first, deep[i].text, 20000, deep[i].last);

        ok(gql_parse_sdl(arena, source, 0, &list) == NULL, deep[i].name);

        if (is_int(list.count, 1, "  too deep")) {
            is_str(list.first->message, "Syntax Error: Document is nested "
                   "deeper than 512 levels. Parsing aborted.", "  its words");
        }

        free((void *) source.data);
        prompt_arena_destroy(arena);
    }
}


/* Appends a selection and lists in its argument, n deep. */
static void
nested(prompt_buf_t *buf, unsigned n)
{
    unsigned  i;

    prompt_buf_literal(buf, "a(b:");

    for (i = 0; i < 2 * n; i++) {
        prompt_buf_char(buf, i < n ? '[' : ']');
    }

    prompt_buf_char(buf, ')');
}


/* What was left counts no more. */
static void
test_depth_left(unsigned last, uint32_t column)
{
    prompt_buf_t     text;
    gql_errors_t     list;
    gql_document_t  *document;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(ARENA);
    gql_errors_init(&list, arena, prompt_str_absent, 0);
    prompt_buf_init(&text, ARENA);

    prompt_buf_char(&text, '{');
    nested(&text, GQL_PARSER_MAX_DEPTH - 1);
    nested(&text, last);
    prompt_buf_char(&text, '}');

    document = gql_parse(arena, prompt_buf_view(&text), 0, &list);

    if (ok((document == NULL) == (column != 0),
           column != 0 ? "one level more than allowed, in the second field"
                       : "as many levels as are allowed, in both")
        && document == NULL)
    {
        is_int(list.last->locations[0].column, column,
               "  where it is too deep");
    }

    prompt_buf_free(&text);
    prompt_arena_destroy(arena);
}


static void
test_tokens(void)
{
    gql_errors_t     list;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(ARENA);
    gql_errors_init(&list, arena, prompt_str_absent, 0);

    ok(gql_parse(arena, prompt_str("{ a }"), 3, &list) != NULL,
       "as many tokens as are allowed");
    ok(gql_parse(arena, prompt_str("{ a }"), 2, &list) == NULL, "one more");
    is_str(list.last->message, "Syntax Error: Document contains more that 2 "
           "tokens. Parsing aborted.", "  its words");

    prompt_arena_destroy(arena);
}


/* Every limit of memory: a document, or nomem. */
static void
test_memory(void)
{
    bool             fine, done;
    size_t           limit;
    unsigned         failed;
    gql_errors_t     list;
    prompt_str_t     source;
    prompt_arena_t  *arena;

    source = prompt_str("\"d\" query Q(\"e\" $v: [T!]! = {a: [1 2.5 \"\\n\"]}) "
                        "@d(x: $v) { a: b(c: $v) @e { ...F ... on T { d } } }"
                        "fragment F on T @d { x }"
                        "\"\"\"d\"\"\" schema @d { query: Q }"
                        "scalar S @a type T implements A & B @c { "
                        "\"f\" f(\"a\" a: I = true): [X!] @d }"
                        "interface I { a: B } union U = | A | B "
                        "enum E { A @d B } input N { a: B = C }"
                        "directive @d(a: B) repeatable on QUERY | FIELD "
                        "extend schema @d extend scalar S @d extend type T "
                        "{ a: B } extend union U = C extend enum E { C } "
                        "extend input N { b: C } extend interface I @d");
    fine = true;
    failed = 0;
    done = false;

    for (limit = 16; limit < 65536; limit += 16) {
        arena = prompt_arena_create(limit);
        if (arena == NULL) {
            failed++;
            continue;
        }

        gql_errors_init(&list, arena, source, 0);

        done = gql_parse_sdl(arena, source, 0, &list) != NULL;
        fine = fine && done == !list.nomem && list.count == 0;
        failed += done ? 0 : 1;

        prompt_arena_destroy(arena);
    }

    ok(fine && done && failed > 100, "short memory is told at every limit");
}


int
main(void)
{
    test_errors();
    test_not_executable();
    test_shape();
    test_alone();
    test_depth();
    test_depth_left(GQL_PARSER_MAX_DEPTH - 1, 0);
    test_depth_left(GQL_PARSER_MAX_DEPTH,
                    (uint32_t) strlen("{a(b:") + 2 * (GQL_PARSER_MAX_DEPTH - 1)
                    + (uint32_t) strlen(")a(b:") + GQL_PARSER_MAX_DEPTH);
    test_tokens();
    test_memory();

    return done_testing();
}
