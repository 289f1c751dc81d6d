/*
 * Fuzz target: JSON as the variables of an operation that has one of every
 * kind of input type.
 *
 * What is coerced once must be coerced again, to the same values; and however
 * little memory there is, there is an answer.
 */

#include <stdlib.h>

#include "graphql/syntax/parser.h"
#include "graphql/values/values.h"
#include "schema/schema_build.h"


#define FUZZ_ARENA  (8 * 1024 * 1024)


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static const char  fuzz_sdl[] =
    "scalar JSON enum Color { RED GREEN BLUE } "
    "input Point { x: Int! y: Int = 2 tag: String color: Color = RED } "
    "input Tree { value: Float children: [Tree!] point: Point id: ID "
    "grid: [[Int!]] = [[1]] data: JSON ok: Boolean } "
    "input One @oneOf { a: Int b: String c: Point } "
    "type Query { a: Int }";

static const char  fuzz_document[] =
    "query ($i: Int, $f: Float, $s: String = \"x\", $b: Boolean, $d: ID, "
    "$c: Color = GREEN, $j: JSON, $p: Point = {x: 1}, $t: Tree, $o: One, "
    "$li: [Int!], $ll: [[Color]], $lp: [Point!]! = [{x: 2}], $n: Unknown) "
    "{ a }";


static prompt_arena_t                    *fuzz_memory;
static gql_schema_t                      *fuzz_schema;
static const gql_document_t              *fuzz_parsed;
static const gql_operation_definition_t  *fuzz_operation;


static void
fuzz_init(void)
{
    gql_errors_t  errors;

    fuzz_memory = prompt_arena_create(FUZZ_ARENA);
    gql_errors_init(&errors, fuzz_memory, prompt_str_absent, 0);

    fuzz_schema = gql_schema_build(fuzz_memory, prompt_str_from(fuzz_sdl),
                                   &errors);
    fuzz_parsed = gql_parse(fuzz_memory, prompt_str_from(fuzz_document), 0,
                            &errors);

    if (fuzz_schema == NULL || fuzz_parsed == NULL) {
        abort();
    }

    fuzz_operation = (const gql_operation_definition_t *)
                         fuzz_parsed->definitions.first;
}


/* the values, or NULL; there must be a reason for NULL, and none else */
static prompt_json_t *
fuzz_coerce(prompt_arena_t *arena, const prompt_json_t *given)
{
    gql_error_t    *error;
    gql_errors_t    errors;
    prompt_buf_t    buf;
    prompt_json_t  *values;

    gql_errors_init(&errors, arena, prompt_str_from(fuzz_document), 0);
    values = gql_coerce_variables(arena, fuzz_schema, fuzz_operation, given,
                                  &errors);

    if ((values == NULL) == (errors.count == 0 && !errors.nomem)
        || errors.count > GQL_VALUES_MAX_ERRORS + 1)
    {
        abort();
    }

    prompt_buf_init(&buf, FUZZ_ARENA);
    gql_errors_write(&buf, &errors, prompt_str_absent);
    prompt_buf_free(&buf);

    for (error = errors.first; error != NULL; error = error->next) {
        if (error->message.len == 0 && !errors.nomem) {
            abort();
        }
    }

    return values;
}


/* one variable alone: its value is the same when it is coerced again */
static void
fuzz_twice(prompt_arena_t *arena, const prompt_json_t *given,
    prompt_str_t name)
{
    gql_errors_t                      errors;
    prompt_json_t                    *values, *copy, *again;
    gql_operation_definition_t        operation;
    gql_variable_definition_t         alone;
    const gql_variable_definition_t  *definition;

    gql_list_each (definition, &fuzz_operation->variables) {
        if (prompt_str_eq(definition->variable->text, name)) {
            break;
        }
    }

    if (definition == NULL) {
        return;
    }

    alone = *definition;
    alone.node.next = NULL;

    operation = *fuzz_operation;
    operation.variables.first = &alone.node;
    operation.variables.last = &alone.node;
    operation.variables.count = 1;

    gql_errors_init(&errors, arena, prompt_str_from(fuzz_document), 0);

    values = gql_coerce_variables(arena, fuzz_schema, &operation, given,
                                  &errors);
    copy = values != NULL ? prompt_json_copy(arena, values) : NULL;

    if (copy == NULL) {
        return;
    }

    again = gql_coerce_variables(arena, fuzz_schema, &operation, copy,
                                 &errors);

    if (again == NULL ? !errors.nomem : !prompt_json_equal(values, again)) {
        abort();
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t              limit;
    prompt_str_t          text;
    prompt_json_t        *given, *member;
    prompt_arena_t       *arena, *small;
    prompt_json_error_t   error;

    if (fuzz_memory == NULL) {
        fuzz_init();
    }

    arena = prompt_arena_create(FUZZ_ARENA);
    if (arena == NULL) {
        return 0;
    }

    text = prompt_str_of((const char *) data, size);
    given = prompt_json_read(arena, text, 64, &error);

    if (given == NULL || given->type != PROMPT_JSON_OBJECT) {
        prompt_arena_destroy(arena);
        return 0;
    }

    /* $n is of no type, so there is always an error, or nothing is given */

    (void) fuzz_coerce(arena, given);

    limit = 512 + prompt_str_hash(text) % 16384;
    small = prompt_arena_create(limit);

    if (small != NULL) {
        (void) fuzz_coerce(small, given);
        prompt_arena_destroy(small);
    }

    /* one variable after the other, without $n */

    for (member = given->first; member != NULL; member = member->next) {
        fuzz_twice(arena, given, member->name);
    }

    prompt_arena_destroy(arena);

    return 0;
}
