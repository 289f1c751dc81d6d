/*
 * The tables that the build makes of schema.graphql: by name and by
 * introspection they say what the schema says that is built from it here.
 */

#include "graphql/engine.h"
#include "graphql/execute/execute.h"
#include "graphql/service_schema.h"
#include "graphql.h"
#include "tap.h"


#define ARENA  (64 << 20)


static const char  introspection[] =
    "{ __schema { description queryType { ...R } mutationType { ...R } "
    "subscriptionType { ...R } types { ...T } directives { name description "
    "isRepeatable locations args(includeDeprecated: true) { ...I } } } } "
    "fragment T on __Type { kind name description specifiedByURL isOneOf "
    "fields(includeDeprecated: true) { name description "
    "args(includeDeprecated: true) { ...I } type { ...R } isDeprecated "
    "deprecationReason } inputFields(includeDeprecated: true) { ...I } "
    "interfaces { ...R } enumValues(includeDeprecated: true) { name "
    "description isDeprecated deprecationReason } possibleTypes { ...R } } "
    "fragment I on __InputValue { name description type { ...R } "
    "defaultValue isDeprecated deprecationReason } "
    "fragment R on __Type { kind name ofType { kind name ofType { kind name "
    "ofType { kind name ofType { kind name } } } } }";


static const gql_limits_t  limits = { .introspection = true };


static void
answer(prompt_arena_t *arena, const gql_schema_t *schema, prompt_buf_t *out)
{
    size_t               i, n;
    gql_engine_t        *engine;
    gql_errors_t         errors;
    prompt_json_t       *variables;
    gql_prepared_t      *prepared;
    gql_execution_t     *execution;
    const gql_plan_t    *plan;
    const prompt_str_t  *pieces;

    static const gql_resolver_t  none;

    gql_errors_init(&errors, arena, prompt_str(""), 0);

    engine = gql_engine_create(schema, 1, ARENA, NULL, NULL);
    variables = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    prepared = gql_prepare(engine, &limits, prompt_str(introspection),
                           &errors);
    plan = prepared != NULL
           ? gql_prepared_plan(prepared,
                               gql_prepared_operation(prepared,
                                                      prompt_str_absent,
                                                      &errors),
                               variables, &errors)
           : NULL;

    if (!ok(plan != NULL, "introspection is prepared")) {
        return;
    }

    execution = gql_execution_create(arena, plan, variables, &none, NULL,
                                     ARENA);
    gql_execution_complete(execution, 0, NULL);

    n = gql_execution_finish(execution, prompt_str_absent, &pieces);

    for (i = 0; i < n; i++) {
        prompt_buf_str(out, pieces[i]);
    }

    gql_execution_destroy(execution);
    gql_prepared_release(prepared);
    gql_engine_destroy(engine);
}


static void
test_names(void)
{
    bool                found;
    uint32_t            i, n;
    const gql_type_t   *type;

    const gql_schema_t  *schema = &gql_service_schema;

    found = true;

    for (i = 0; i < schema->ntypes; i++) {
        type = schema->types[i];
        found = found && gql_schema_type(schema, type->name) == type
                && type->ref.type == type;

        for (n = 0; n < type->nfields; n++) {
            found = found && type->fields[n].parent == type
                    && gql_type_field(type, type->fields[n].name)
                       == &type->fields[n];
        }

        for (n = 0; n < type->nvalues; n++) {
            found = found && gql_type_enum_value(type, type->values[n].name)
                             == &type->values[n];
        }

        for (n = 0; n < type->ninput_fields; n++) {
            found = found
                    && gql_type_input_field(type, type->input_fields[n].name)
                       == &type->input_fields[n];
        }
    }

    for (i = 0; i < schema->ndirectives; i++) {
        found = found
                && gql_schema_directive(schema, schema->directives[i]->name)
                   == schema->directives[i];
    }

    ok(found, "everything is found by its name");
    ok(gql_schema_type(schema, prompt_str("Promp")) == NULL
       && gql_schema_type(schema, prompt_str("")) == NULL
       && gql_type_field(schema->query, prompt_str("zzzzzz")) == NULL,
       "and nothing else");
    ok(gql_schema_directive(schema, prompt_str("skip")) == schema->skip
       && gql_schema_directive(schema, prompt_str("include"))
          == schema->include, "conditions");
    ok(gql_schema_field(schema, schema->query, prompt_str("__type"))
       == schema->type_field
       && gql_schema_field(schema, schema->query, prompt_str("__typename"))
          == schema->typename_field, "fields that no type lists");
}


static void
test_answers(void)
{
    FILE            *file;
    size_t           n;
    gql_errors_t     errors;
    prompt_buf_t     tables, built;
    gql_schema_t    *schema;
    prompt_arena_t  *arena;

    static char  sdl[256 * 1024];

    file = fopen("schema.graphql", "r");
    if (file == NULL) {
        skip(4, "schema.graphql is in the root of the repository");
        return;
    }

    n = fread(sdl, 1, sizeof(sdl), file);
    (void) fclose(file);

    arena = prompt_arena_create(ARENA);
    gql_errors_init(&errors, arena, prompt_str(""), 0);
    schema = gql_schema_build(arena, prompt_str_of(sdl, n), &errors);

    if (ok(schema != NULL, "the API's schema is built")) {
        prompt_buf_init(&tables, ARENA);
        prompt_buf_init(&built, ARENA);

        answer(arena, &gql_service_schema, &tables);
        answer(arena, schema, &built);

        ok(tables.len > 50000 && prompt_str_eq(prompt_buf_view(&tables),
                                               prompt_buf_view(&built)),
           "the same answer to the whole introspection query");

        prompt_buf_free(&tables);
        prompt_buf_free(&built);
    }

    prompt_arena_destroy(arena);
}


int
main(void)
{
    test_names();
    test_answers();

    return done_testing();
}
