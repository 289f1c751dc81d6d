/*
 * A schema, documents and variables for the unit tests of the GraphQL engine.
 *
 * State is static: include it in one file of a program only.
 */

#ifndef PROMPT_T_UNIT_GRAPHQL_FIXTURE_H
#define PROMPT_T_UNIT_GRAPHQL_FIXTURE_H

#include <stdlib.h>

#include "graphql/engine.h"
#include "graphql/execute/execute.h"
#include "graphql/execute/plan.h"
#include "graphql/syntax/parser.h"
#include "graphql/values/values.h"
#include "schema/schema_build.h"


#define FIXTURE_ARENA  (64 * 1024 * 1024)


static const char  fixture_sdl[] =
    "scalar JSON\n"
    "enum Color { RED GREEN BLUE }\n"
    "input Point { x: Int! y: Int = 2 tag: String color: Color }\n"
    "input Tree { value: Int children: [Tree!] point: Point }\n"
    "input One @oneOf { a: Int b: String }\n"
    "interface Node { id: ID! }\n"
    "union Thing = Human | Robot\n"
    "type Human implements Node {\n"
    "  id: ID! name: String! age: Int friends: [Human!]! best: Human\n"
    "  thing: Thing color: Color score: Float ok: Boolean data: JSON\n"
    "  grid: [[Int!]!] greet(name: String = \"you\", point: Point): String\n"
    "}\n"
    "type Robot implements Node { id: ID! serial: Int! owner: Human! }\n"
    "type Query {\n"
    "  me: Human! human(id: ID!): Human node(id: ID!): Node\n"
    "  things(first: Int = 10): [Thing!]! strings: [String]\n"
    "  int(v: Int): Int float(v: Float): Float string(v: String): String\n"
    "  boolean(v: Boolean): Boolean id(v: ID): ID color(v: Color): Color\n"
    "  json(v: JSON): JSON point(v: Point): String tree(v: Tree): String\n"
    "  all: [Human] must: [Human!] page(first: Int): [Human]\n"
    "  list(v: [Int!]): String lists(v: [[Int]]): String one(v: One): String\n"
    "}\n"
    "type Mutation { first: Int! second: Int! third: String }\n";


static prompt_arena_t  *fixture_schema_arena;
static gql_schema_t    *fixture_schema;
static prompt_arena_t  *fixture_arena;
static gql_errors_t     fixture_errors;


/* Ends the program: what comes after could not be tested. */
static inline void
fixture_die(const char *why)
{
    fprintf(stderr, "# %s\n", why);
    exit(2);
}


static inline void
fixture_init(void)
{
    gql_errors_t  errors;

    fixture_schema_arena = prompt_arena_create(FIXTURE_ARENA);
    if (fixture_schema_arena == NULL) {
        fixture_die("no memory");
    }

    gql_errors_init(&errors, fixture_schema_arena, prompt_str(""), 0);

    fixture_schema = gql_schema_build(fixture_schema_arena,
                                      prompt_str_from(fixture_sdl), &errors);
    if (fixture_schema == NULL) {
        fixture_die(errors.first != NULL ? errors.first->message.data
                                         : "no schema");
    }
}


/* a new arena for what comes, and no errors */
static inline void
fixture_reset(size_t limit)
{
    prompt_arena_destroy(fixture_arena);

    fixture_arena = prompt_arena_create(limit);
    if (fixture_arena == NULL) {
        fixture_die("no memory");
    }

    gql_errors_init(&fixture_errors, fixture_arena, prompt_str(""), 0);
}


static inline void
fixture_done(void)
{
    prompt_arena_destroy(fixture_arena);
    prompt_arena_destroy(fixture_schema_arena);
}


static inline gql_document_t *
fixture_parse(const char *text)
{
    fixture_errors.source = prompt_str_from(text);

    return gql_parse(fixture_arena, fixture_errors.source, 0,
                     &fixture_errors);
}


/* the only operation of a document */
static inline const gql_operation_definition_t *
fixture_operation(const gql_document_t *document)
{
    return gql_document_operation(document, prompt_str_absent,
                                  &fixture_errors);
}


static inline prompt_json_t *
fixture_json(const char *text)
{
    prompt_json_error_t  error;

    return prompt_json_read(fixture_arena, prompt_str_from(text), 64, &error);
}


/* a value as text; absent for NULL */
static inline prompt_str_t
fixture_text(const prompt_json_t *value)
{
    prompt_buf_t  buf;
    prompt_str_t  text;

    if (value == NULL) {
        return prompt_str_absent;
    }

    prompt_buf_init(&buf, FIXTURE_ARENA);
    prompt_json_write(&buf, value);
    text = prompt_arena_copy(fixture_arena, prompt_buf_view(&buf));
    prompt_buf_free(&buf);

    return text;
}


/* the message of an error, from 0; absent where there are not so many */
static inline prompt_str_t
fixture_message(const gql_errors_t *errors, unsigned n)
{
    const gql_error_t  *error;

    for (error = errors->first; error != NULL && n > 0; n--) {
        error = error->next;
    }

    return error != NULL ? error->message : prompt_str_absent;
}

#endif /* PROMPT_T_UNIT_GRAPHQL_FIXTURE_H */
