/*
 * For the targets that send whole requests: a document and its variables all
 * the way through the engine over schema.graphql, prepared, planned, executed
 * with values that a resolver makes up, and the answer read back.
 *
 * The engine stays from input to input, so that its cache is used as well.
 * State is static: include it in one file of a program only.
 */

#ifndef PROMPT_T_FUZZ_ENGINE_H
#define PROMPT_T_FUZZ_ENGINE_H

#include <stdlib.h>

#include "graphql/engine.h"
#include "graphql/execute/execute.h"
#include "graphql/service_schema.h"
#include "graphql/values/values.h"


#define FUZZ_ARENA     (16 * 1024 * 1024)
#define FUZZ_RESPONSE  (256 * 1024)
#define FUZZ_VALUES    20000


/* limits that are found by their pointer */
static const gql_limits_t  fuzz_limits[2] = {
    { .introspection = true },
    { .tokens = 2000, .depth = 12, .aliases = 50, .root_fields = 20,
      .complexity = 5000, .introspection = false },
};

static prompt_arena_t  *fuzz_memory;
static gql_engine_t    *fuzz_engine;


/* of one input: what the values are made of */
typedef struct {
    uint32_t   seed;
    unsigned   left;
} fuzz_values_t;


static void
fuzz_init(void)
{
    fuzz_memory = prompt_arena_create(FUZZ_ARENA);
    fuzz_engine = gql_engine_create(&gql_service_schema, 16, 1024 * 1024, NULL,
                                    NULL);
    if (fuzz_engine == NULL) {
        abort();
    }
}


static void
fuzz_wrong(fuzz_values_t *values, uint32_t n, gql_result_t *out)
{
    switch (n % 6) {

    case 0:
        out->kind = GQL_RESULT_STRING;
        out->u.text = prompt_str("?");
        break;

    case 1:
        out->kind = GQL_RESULT_DOUBLE;
        out->u.number = n * 0.125;
        break;

    case 2:
        out->kind = GQL_RESULT_INTEGER;
        out->u.integer = (int64_t) n << 32;
        break;

    case 3:
        out->kind = GQL_RESULT_BOOLEAN;
        out->u.boolean = n & 8;
        break;

    case 4:
        out->kind = GQL_RESULT_OBJECT;
        out->u.object.handle = values;
        out->u.object.type = NULL;
        break;

    default:
        break;
    }
}


static void
fuzz_value(gql_execution_t *e, fuzz_values_t *values,
    const gql_plan_field_t *field, unsigned depth, gql_result_t *out)
{
    uint32_t               n;
    unsigned               i;
    const gql_type_ref_t  *type;

    if (values->left == 0) {
        return;
    }

    values->left--;
    values->seed = values->seed * 1664525 + 1013904223;
    n = values->seed >> 16;

    type = field->def->type;

    for (i = 0; type->kind != GQL_REF_NAMED; /* void */ ) {
        if (type->kind == GQL_REF_LIST && i++ == depth) {
            break;
        }

        type = type->of;
    }

    /* one in sixteen is what it must not be */

    if (n % 16 == 0) {
        fuzz_wrong(values, n >> 4, out);

    } else if (n % 64 == 1) {
        out->kind = GQL_RESULT_ERROR;
        out->u.error = gql_execution_error(e, prompt_str("NOT_FOUND"),
                                           prompt_str_absent, "none");

    } else if (type->kind == GQL_REF_LIST) {
        out->kind = GQL_RESULT_LIST;
        out->u.list.handle = values;
        out->u.list.count = n % 4;

    } else if (gql_type_is_composite(type->type)) {
        out->kind = GQL_RESULT_OBJECT;
        out->u.object.handle = values;
        out->u.object.type = NULL;

    } else if (type->type->kind == GQL_TYPE_ENUM) {
        out->kind = GQL_RESULT_STRING;
        out->u.text = type->type->values[n % type->type->nvalues].name;

    } else if (type->type->scalar == GQL_SCALAR_INT) {
        out->kind = GQL_RESULT_INTEGER;
        out->u.integer = n;

    } else if (type->type->scalar == GQL_SCALAR_BOOLEAN) {
        out->kind = GQL_RESULT_BOOLEAN;
        out->u.boolean = n & 1;

    } else {
        out->kind = GQL_RESULT_STRING;
        out->u.text = prompt_str("text \"\\\n\x01 \xf0\x9f\x98\x80");
    }
}


static void
fuzz_field(gql_execution_t *e, void *data, const gql_plan_field_t *field,
    void *parent, const prompt_json_t *arguments, gql_result_t *out)
{
    if (arguments == NULL || arguments->type != PROMPT_JSON_OBJECT
        || parent == NULL)
    {
        abort();
    }

    fuzz_value(e, data, field, 0, out);
}


static void
fuzz_item(gql_execution_t *e, void *data, const gql_plan_field_t *field,
    void *list, uint32_t index, gql_result_t *out)
{
    (void) list;
    (void) index;

    fuzz_value(e, data, field, 1, out);
}


static const gql_resolver_t  fuzz_resolver = {
    fuzz_field, fuzz_item, NULL
};


/* The answer is JSON, and has what an answer must have. */
static void
fuzz_check(prompt_arena_t *arena, gql_execution_t *e)
{
    size_t               i, n;
    prompt_buf_t         buf;
    prompt_json_t       *answer, *data, *errors;
    const prompt_str_t  *pieces;
    prompt_json_error_t  error;

    n = gql_execution_finish(e, prompt_str("INTERNAL_SERVER_ERROR"), &pieces);
    if (n == 0) {
        return;
    }

    prompt_buf_init(&buf, SIZE_MAX);

    for (i = 0; i < n; i++) {
        prompt_buf_str(&buf, pieces[i]);
    }

    answer = prompt_json_read(arena, prompt_buf_view(&buf), 4000, &error);

    if (answer == NULL) {
        if (error.status != PROMPT_JSON_NOMEM
            && error.status != PROMPT_JSON_DEPTH)
        {
            abort();
        }

    } else {
        data = prompt_json_get(answer, prompt_str("data"));
        errors = prompt_json_get(answer, prompt_str("errors"));

        if (data == NULL
            || (data->type == PROMPT_JSON_NULL) != gql_execution_aborted(e)
            || (errors != NULL ? errors->count : 0)
               > gql_execution_errors(e)->count
            || (data->type == PROMPT_JSON_NULL && errors == NULL))
        {
            abort();
        }
    }

    prompt_buf_free(&buf);
}


static void
fuzz_execute(prompt_arena_t *arena, const gql_plan_t *plan,
    const prompt_json_t *variables, uint32_t seed)
{
    uint32_t                 i;
    gql_error_t             *error;
    gql_result_t             result;
    fuzz_values_t            values;
    gql_execution_t         *e;
    const gql_plan_field_t  *field;
    const prompt_json_t     *arguments;

    values.seed = seed;
    values.left = FUZZ_VALUES;

    e = gql_execution_create(arena, plan, variables, &fuzz_resolver, &values,
                             FUZZ_RESPONSE);
    if (e == NULL) {
        return;
    }

    for (i = 0; i < plan->root->nfields && !gql_execution_aborted(e); i++) {
        field = &plan->root->fields[i];
        memset(&result, 0, sizeof(result));

        if (!gql_field_is_meta(field)) {
            arguments = gql_execution_arguments(e, field, &error);

            if (arguments != NULL) {
                fuzz_field(e, &values, field, &values, arguments, &result);

            } else {
                result.kind = GQL_RESULT_ERROR;
                result.u.error = error;
            }
        }

        gql_execution_complete(e, i, &result);
    }

    fuzz_check(arena, e);
    gql_execution_destroy(e);
}


/*
 * text: the document; operation: absent for the only one; given: the values
 * of the variables, an OBJECT or NULL.
 */
static void
fuzz_request(prompt_arena_t *arena, prompt_str_t text, prompt_str_t operation,
    const prompt_json_t *given)
{
    uint32_t                           hash;
    gql_errors_t                       errors;
    prompt_json_t                     *variables;
    gql_prepared_t                    *prepared;
    const gql_plan_t                  *plan;
    const gql_operation_definition_t  *definition;

    if (fuzz_engine == NULL) {
        fuzz_init();
    }

    hash = prompt_str_hash(text);
    gql_errors_init(&errors, arena, text, 0);

    prepared = gql_prepare(fuzz_engine, &fuzz_limits[hash & 1], text, &errors);

    if (prepared == NULL) {
        if (errors.count == 0 && !errors.nomem) {
            abort();
        }

        return;
    }

    definition = gql_prepared_operation(prepared, operation, &errors);

    variables = definition != NULL
                ? gql_coerce_variables(arena, &gql_service_schema,
                                       definition, given, &errors)
                : NULL;

    plan = variables != NULL
           ? gql_prepared_plan(prepared, definition, variables, &errors)
           : NULL;

    if (plan != NULL) {
        fuzz_execute(arena, plan, variables, hash);

    } else if (errors.count == 0 && !errors.nomem) {
        abort();
    }

    gql_prepared_release(prepared);
}

#endif /* PROMPT_T_FUZZ_ENGINE_H */
