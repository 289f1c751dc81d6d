/*
 * Fuzz target: documents against the service's schema.
 *
 * What parses is printed, parsed and printed again, which must give the same
 * text; it is validated; and what is valid is compiled and executed with
 * values made up.
 */

#include <stdlib.h>

#include "graphql/engine.h"
#include "graphql/execute/execute.h"
#include "graphql/execute/plan.h"
#include "graphql/service_schema.h"
#include "graphql/syntax/parser.h"
#include "graphql/validate/validate.h"
#include "graphql/values/values.h"
#include "graphql.h"


#define FUZZ_ARENA  ((size_t) 64 << 20)


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
fuzz_print(const gql_document_t *document)
{
    gql_errors_t     errors;
    prompt_buf_t     first, second;
    gql_document_t  *again;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(FUZZ_ARENA);
    prompt_buf_init(&first, FUZZ_ARENA);
    prompt_buf_init(&second, FUZZ_ARENA);

    gql_print_document(&first, &document->node);

    gql_errors_init(&errors, arena, prompt_str_absent, 0);
    again = gql_parse(arena, prompt_buf_view(&first), 0, &errors);

    if (again == NULL && !errors.nomem) {
        abort();
    }

    if (again != NULL) {
        gql_print_document(&second, &again->node);

        if (!prompt_str_eq(prompt_buf_view(&first),
                           prompt_buf_view(&second)))
        {
            abort();
        }
    }

    prompt_buf_free(&first);
    prompt_buf_free(&second);
    prompt_arena_destroy(arena);
}


/* what a field returns, from its number: nulls, errors and values of a kind */
static void
fuzz_result(gql_execution_t *execution, const gql_plan_field_t *field,
    bool item, gql_result_t *out)
{
    const gql_type_t  *type;

    type = gql_ref_named(field->def->type);

    if (field->id % 7 == 3) {
        return;
    }

    if (field->id % 11 == 5) {
        out->kind = GQL_RESULT_ERROR;
        out->u.error = gql_execution_error(execution, prompt_str("CODE"),
                                           prompt_str("field"), "no %u",
                                           field->id);
        return;
    }

    if (!item && (field->def->type->kind == GQL_REF_LIST
                  || (field->def->type->kind == GQL_REF_NON_NULL
                      && field->def->type->of->kind == GQL_REF_LIST)))
    {
        out->kind = GQL_RESULT_LIST;
        out->u.list.handle = execution;
        out->u.list.count = field->id % 3;
        return;
    }

    if (gql_type_is_composite(type)) {
        out->kind = GQL_RESULT_OBJECT;
        out->u.object.handle = execution;
        out->u.object.type = NULL;
        return;
    }

    out->kind = field->id % 2 ? GQL_RESULT_STRING : GQL_RESULT_INTEGER;

    if (out->kind == GQL_RESULT_STRING) {
        out->u.text = prompt_str("GENERAL");

    } else {
        out->u.integer = field->id;
    }
}


static void
fuzz_field(gql_execution_t *execution, void *data,
    const gql_plan_field_t *field, void *parent,
    const prompt_json_t *arguments, gql_result_t *out)
{
    (void) data;
    (void) arguments;

    if (parent != execution) {
        abort();
    }

    fuzz_result(execution, field, false, out);
}


static void
fuzz_item(gql_execution_t *execution, void *data,
    const gql_plan_field_t *field, void *list, uint32_t index,
    gql_result_t *out)
{
    (void) data;
    (void) index;

    if (list != execution) {
        abort();
    }

    fuzz_result(execution, field, true, out);
}


static const gql_resolver_t  fuzz_resolver = {
    fuzz_field, fuzz_item, NULL
};


static void
fuzz_run(prompt_arena_t *arena, const gql_plan_t *plan,
    const prompt_json_t *variables)
{
    size_t               n;
    uint32_t             i;
    gql_error_t         *error;
    gql_result_t         result;
    gql_execution_t     *execution;
    const prompt_str_t  *pieces;

    execution = gql_execution_create(arena, plan, variables, &fuzz_resolver,
                                     NULL, 1 << 20);
    if (execution == NULL) {
        return;
    }

    for (i = 0; i < plan->root->nfields; i++) {
        result.kind = GQL_RESULT_NULL;

        if (!gql_field_is_meta(&plan->root->fields[i])) {
            if (gql_execution_arguments(execution, &plan->root->fields[i],
                                        &error) == NULL)
            {
                result.kind = GQL_RESULT_ERROR;
                result.u.error = error;

            } else {
                fuzz_result(execution, &plan->root->fields[i], false,
                            &result);
            }
        }

        gql_execution_complete(execution, i, &result);
    }

    n = gql_execution_finish(execution, prompt_str("DEFAULT"), &pieces);
    (void) n;

    gql_execution_destroy(execution);
}


static void
fuzz_execute(prompt_arena_t *arena, const gql_document_t *document)
{
    gql_plan_t                        *plan;
    gql_node_t                        *node;
    gql_errors_t                       errors;
    prompt_json_t                     *variables;
    const gql_operation_definition_t  *operation;

    gql_list_each(node, &document->definitions) {
        if (node->kind != GQL_OPERATION_DEFINITION) {
            continue;
        }

        operation = (const gql_operation_definition_t *) node;
        gql_errors_init(&errors, arena, document->source, 0);

        variables = gql_coerce_variables(arena, &gql_service_schema,
                                         operation, NULL, &errors);
        if (variables == NULL) {
            continue;
        }

        plan = gql_plan_compile(arena, &gql_service_schema, document, operation,
                                variables, &errors);
        if (plan != NULL) {
            fuzz_run(arena, plan, variables);
        }
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gql_errors_t     errors;
    prompt_buf_t     buf;
    prompt_str_t     source;
    gql_document_t  *document;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(FUZZ_ARENA);
    source = prompt_str_of((const char *) data, size);

    gql_errors_init(&errors, arena, source, 0);
    document = gql_parse(arena, source, 0, &errors);

    if (document != NULL) {
        fuzz_print(document);

        if (!gql_validate(arena, &gql_service_schema, document, NULL, 0,
                          &errors))
        {
            abort();
        }

    } else if (errors.count != 1 && !errors.nomem) {
        abort();
    }

    prompt_buf_init(&buf, FUZZ_ARENA);
    gql_errors_write(&buf, &errors, prompt_str("BAD_USER_INPUT"));
    prompt_buf_free(&buf);

    if (document != NULL && errors.count == 0 && !errors.nomem) {
        fuzz_execute(arena, document);
    }

    prompt_arena_destroy(arena);

    return 0;
}
