/*
 * For the unit tests of validation rules: a schema, and documents that a rule
 * accepts, or refuses with errors as graphql-js words and places them.
 */

#ifndef PROMPT_T_UNIT_GRAPHQL_VALIDATE_H
#define PROMPT_T_UNIT_GRAPHQL_VALIDATE_H

#include <stdlib.h>

#include "graphql/syntax/parser.h"
#include "graphql.h"
#include "tap.h"


#define TEST_ARENA  (64 * 1024 * 1024)


static const char  test_sdl[] =
    "directive @onQuery on QUERY\n"
    "\n"
    "directive @onMutation on MUTATION\n"
    "\n"
    "directive @onSubscription on SUBSCRIPTION\n"
    "\n"
    "directive @onField on FIELD\n"
    "\n"
    "directive @onSpread on FRAGMENT_SPREAD\n"
    "\n"
    "directive @onInline on INLINE_FRAGMENT\n"
    "\n"
    "directive @onFragment on FRAGMENT_DEFINITION\n"
    "\n"
    "directive @onVariable on VARIABLE_DEFINITION\n"
    "\n"
    "directive @tag(name: String!, "
    "note: String @deprecated(reason: \"Say it.\")) repeatable on FIELD\n"
    "\n"
    "interface Named {\n"
    "  name(surname: Boolean): String\n"
    "}\n"
    "\n"
    "interface Living implements Named {\n"
    "  name(surname: Boolean): String\n"
    "  age: Int\n"
    "}\n"
    "\n"
    "type Dog implements Living & Named {\n"
    "  name(surname: Boolean): String\n"
    "  age: Int\n"
    "  nickname: String\n"
    "  barks: Boolean\n"
    "  knows(command: Command): Boolean\n"
    "  mother: Dog\n"
    "  owner: Person\n"
    "  size: Int\n"
    "}\n"
    "\n"
    "type Cat implements Living & Named {\n"
    "  name(surname: Boolean): String\n"
    "  age: Int\n"
    "  nickname: String\n"
    "  meows: Boolean\n"
    "  knows(command: Command!): Boolean\n"
    "  mother: Cat\n"
    "  size: Int!\n"
    "}\n"
    "\n"
    "type Person implements Named {\n"
    "  name(surname: Boolean): String\n"
    "  pets: [Pet!]\n"
    "  old: String @deprecated(reason: \"Use name.\")\n"
    "}\n"
    "\n"
    "union Pet = Dog | Cat\n"
    "\n"
    "union Anyone = Dog | Person\n"
    "\n"
    "enum Command {\n"
    "  SIT\n"
    "  HEEL\n"
    "  DOWN @deprecated(reason: \"Too rude.\")\n"
    "}\n"
    "\n"
    "scalar Any\n"
    "\n"
    "input Box {\n"
    "  width: Int!\n"
    "  height: Int = 1\n"
    "  tags: [String!]\n"
    "  inner: Box\n"
    "  colour: String @deprecated(reason: \"No colours.\")\n"
    "}\n"
    "\n"
    "input Choice @oneOf {\n"
    "  id: ID\n"
    "  name: String\n"
    "}\n"
    "\n"
    "type Query {\n"
    "  dog: Dog\n"
    "  cat: Cat\n"
    "  pet: Pet\n"
    "  living: Living\n"
    "  named: Named\n"
    "  person(id: ID!, old: Int @deprecated(reason: \"Gone.\")): Person\n"
    "  find(by: Choice!): Person\n"
    "  box(box: Box, boxes: [Box]): String\n"
    "  int(x: Int): Int\n"
    "  ints(x: [Int!]!): Int\n"
    "  float(x: Float): Float\n"
    "  string(x: String): String\n"
    "  boolean(x: Boolean): Boolean\n"
    "  id(x: ID): ID\n"
    "  command(x: Command): Boolean\n"
    "  any(x: Any): Any\n"
    "  required(a: Int!, b: Int!, c: Int! = 3): Int\n"
    "  nested(x: [[Int]]): Int\n"
    "}\n"
    "\n"
    "type Mutation {\n"
    "  bark: Boolean\n"
    "  meow: Boolean\n"
    "}\n"
    "\n"
    "type Subscription {\n"
    "  born: Dog\n"
    "  died: Dog\n"
    "}\n";

static prompt_arena_t  *test_arena;
static gql_schema_t    *test_schema;


static inline void
schema_open(void)
{
    gql_errors_t  errors;

    test_arena = prompt_arena_create(TEST_ARENA);
    gql_errors_init(&errors, test_arena, prompt_str_from(test_sdl), 0);
    test_schema = gql_schema_build(test_arena, prompt_str_from(test_sdl),
                                   &errors);

    if (!ok(test_schema != NULL && errors.count == 0, "the schema is sound")) {
        exit(1);
    }
}


static inline void
schema_close(void)
{
    prompt_arena_destroy(test_arena);
}


/* "line:column line:column: message", a line an error */
static inline prompt_str_t
errors_text(prompt_buf_t *buf, const gql_errors_t *errors)
{
    uint32_t            i;
    const gql_error_t  *error;

    for (error = errors->first; error != NULL; error = error->next) {
        for (i = 0; i < error->nlocations; i++) {
            prompt_buf_printf(buf, "%s%u:%u", i != 0 ? " " : "",
                              error->locations[i].line,
                              error->locations[i].column);
        }

        prompt_buf_literal(buf, ": ");
        prompt_buf_str(buf, error->message);

        if (error->next != NULL) {
            prompt_buf_char(buf, '\n');
        }
    }

    return prompt_buf_view(buf);
}


/* rule NULL: all of specifiedRules; returns the steps it took */
static inline uint64_t
validate_text(const char *rule, prompt_str_t document, uint32_t max,
    prompt_buf_t *out)
{
    uint64_t         steps;
    gql_errors_t     errors;
    prompt_str_t     name;
    prompt_arena_t  *arena, *scratch;
    gql_document_t  *parsed;

    steps = 0;
    name = prompt_str_from(rule);
    arena = prompt_arena_create(TEST_ARENA);
    scratch = prompt_arena_create(TEST_ARENA);

    gql_errors_init(&errors, arena, document, max);
    parsed = gql_parse(arena, document, 0, &errors);

    if (parsed != NULL
        && !gql_validate_counting(scratch, test_schema, parsed,
                                  rule != NULL ? &name : NULL, 1, &errors,
                                  &steps))
    {
        prompt_buf_literal(out, "no such rule");
    }

    (void) errors_text(out, &errors);

    if (errors.nomem) {
        prompt_buf_literal(out, "out of memory");
    }

    prompt_arena_destroy(scratch);
    prompt_arena_destroy(arena);

    return steps;
}


static inline void
valid(const char *rule, const char *name, const char *document)
{
    prompt_buf_t  buf;

    prompt_buf_init(&buf, TEST_ARENA);
    (void) validate_text(rule, prompt_str_from(document), 0, &buf);
    is_str(prompt_buf_view(&buf), "", name);
    prompt_buf_free(&buf);
}


static inline void
invalid(const char *rule, const char *name, const char *document,
    const char *errors)
{
    prompt_buf_t  buf;

    prompt_buf_init(&buf, TEST_ARENA);
    (void) validate_text(rule, prompt_str_from(document), 0, &buf);
    is_str(prompt_buf_view(&buf), errors, name);
    prompt_buf_free(&buf);
}

#endif /* PROMPT_T_UNIT_GRAPHQL_VALIDATE_H */
