/*
 * Fuzz target: SDL, as a schema and as an extension of the service's schema.
 *
 * What builds is checked for sound types, and what is sound is asked the
 * whole introspection query, whose answer must have no errors but those of
 * default values that no literal can show (1e999 is one).
 */

#include <stdlib.h>

#include "graphql/engine.h"
#include "graphql/execute/execute.h"
#include "graphql/execute/plan.h"
#include "graphql/syntax/parser.h"
#include "graphql/schema_build.h"
#include "graphql/validate/validate.h"
#include "graphql/values/values.h"
#include "prompt/sdl_text.h"


#define FUZZ_ARENA  ((size_t) 64 << 20)


static const char  fuzz_introspection[] =
    "{__schema{description queryType{name} mutationType{name} "
    "subscriptionType{name} types{...T} directives{name description "
    "isRepeatable locations args(includeDeprecated:true){...I}}}} "
    "fragment T on __Type{kind name description specifiedByURL isOneOf "
    "fields(includeDeprecated:true){name description "
    "args(includeDeprecated:true){...I} type{...R} isDeprecated "
    "deprecationReason} inputFields(includeDeprecated:true){...I} "
    "interfaces{...R} enumValues(includeDeprecated:true){name description "
    "isDeprecated deprecationReason} possibleTypes{...R}} "
    "fragment I on __InputValue{name description type{...R} defaultValue "
    "isDeprecated deprecationReason} "
    "fragment R on __Type{kind name ofType{kind name ofType{kind name "
    "ofType{kind name ofType{kind name}}}}}";

static gql_schema_t  *fuzz_base;


int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    gql_errors_t     errors;
    prompt_str_t     sdl;
    prompt_arena_t  *arena;

    (void) argc;
    (void) argv;

    arena = prompt_arena_create(FUZZ_ARENA);
    sdl = prompt_str_of(prompt_sdl_text, prompt_sdl_text_len);

    gql_errors_init(&errors, arena, sdl, 0);
    fuzz_base = gql_schema_build(arena, sdl, &errors);

    if (fuzz_base == NULL) {
        abort();
    }

    return 0;
}


static bool
fuzz_only_defaults(const gql_errors_t *errors)
{
    const gql_error_t  *error;

    for (error = errors->first; error != NULL; error = error->next) {
        if (error->path == NULL
            || !prompt_str_eq(error->path->key, prompt_str("defaultValue")))
        {
            return false;
        }
    }

    return true;
}


static void
fuzz_introspect(prompt_arena_t *arena, const gql_schema_t *schema)
{
    size_t            n;
    gql_plan_t       *plan;
    prompt_str_t      source;
    gql_errors_t      errors;
    prompt_json_t    *variables;
    gql_document_t   *document;
    gql_execution_t  *execution;

    static const gql_resolver_t  none;
    const prompt_str_t          *pieces;

    source = prompt_str(fuzz_introspection);

    gql_errors_init(&errors, arena, source, 0);

    document = gql_parse(arena, source, 0, &errors);
    variables = prompt_json_new(arena, PROMPT_JSON_OBJECT);

    if (document == NULL || variables == NULL) {
        return;
    }

    plan = gql_plan_compile(arena, schema, document,
                            gql_document_operation(document,
                                                   prompt_str_absent,
                                                   &errors),
                            variables, &errors);
    if (plan == NULL) {
        return;
    }

    execution = gql_execution_create(arena, plan, variables, &none, NULL,
                                     FUZZ_ARENA);
    if (execution == NULL) {
        return;
    }

    gql_execution_complete(execution, 0, NULL);
    n = gql_execution_finish(execution, prompt_str_absent, &pieces);

    if (n != 0 && !prompt_arena_exhausted(arena)
        && !fuzz_only_defaults(gql_execution_errors(execution)))
    {
        abort();
    }

    gql_execution_destroy(execution);
}


static void
fuzz_build(prompt_str_t sdl)
{
    gql_errors_t     errors;
    prompt_buf_t     buf;
    gql_schema_t    *schema;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(FUZZ_ARENA);
    gql_errors_init(&errors, arena, sdl, 0);

    schema = gql_schema_build(arena, sdl, &errors);

    if (schema == NULL && errors.count == 0 && !errors.nomem) {
        abort();
    }

    if (schema != NULL) {
        gql_schema_validate(schema, &errors);
    }

    prompt_buf_init(&buf, FUZZ_ARENA);
    gql_errors_write(&buf, &errors, prompt_str_absent);
    prompt_buf_free(&buf);

    if (schema != NULL && errors.count == 0 && !errors.nomem) {
        fuzz_introspect(arena, schema);
    }

    prompt_arena_destroy(arena);
}


static void
fuzz_extend(prompt_str_t sdl)
{
    gql_errors_t     errors;
    gql_document_t  *document;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(FUZZ_ARENA);
    gql_errors_init(&errors, arena, sdl, 0);

    document = gql_parse(arena, sdl, 0, &errors);

    if (document != NULL) {
        (void) gql_validate_sdl(arena, fuzz_base, document, NULL, 0, &errors);
    }

    prompt_arena_destroy(arena);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    prompt_str_t  sdl;

    sdl = prompt_str_of((const char *) data, size);

    fuzz_build(sdl);
    fuzz_extend(sdl);

    return 0;
}
