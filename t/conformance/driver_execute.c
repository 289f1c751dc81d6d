/*
 * Conformance driver: documents to be executed, with a resolver that looks up
 * response paths in the question's "resolved":
 *
 *     {"hero.friends[0].name": {"v": "Luke"}, …}
 *
 * where {v} is a value, {object: TYPE} an object, {list: N} a list of N whose
 * elements have entries of their own, {notList} what should have been a list,
 * {error, errorExtensions} an error; what has no entry is null.
 */

#include "driver.h"
#include "graphql/engine.h"
#include "graphql/execute.h"
#include "graphql/plan.h"
#include "graphql/values.h"


typedef struct {
    driver_question_t    *q;
    const prompt_json_t  *resolved;
    gql_execution_t      *execution;
} driver_execution_t;


static const prompt_json_t *
driver_member(const prompt_json_t *entry, const char *name)
{
    return prompt_json_get(entry, prompt_str_from(name));
}


/* a copy of a path that is handed out as the handle of an object or list */
static prompt_str_t *
driver_handle(driver_execution_t *d, prompt_str_t path)
{
    prompt_str_t  *handle;

    handle = prompt_arena_alloc(d->q->arena, sizeof(prompt_str_t));

    if (handle != NULL) {
        *handle = path;
    }

    return handle;
}


/*
 * {object: TYPE}: a type that the schema does not have is said as a value
 * says it, by __typename, and the engine finds that it is none.
 */
static void
driver_object(driver_execution_t *d, const gql_plan_field_t *field,
    prompt_str_t path, const prompt_json_t *name, gql_result_t *out)
{
    const gql_plan_t  *plan;
    prompt_json_t     *object, *type;

    out->kind = GQL_RESULT_OBJECT;
    out->u.object.handle = driver_handle(d, path);
    out->u.object.type = NULL;

    if (!gql_type_is_abstract(gql_ref_named(field->def->type))) {
        return;
    }

    plan = gql_execution_plan(d->execution);
    out->u.object.type = gql_schema_type(plan->schema, name->text);

    if (out->u.object.type != NULL) {
        return;
    }

    object = prompt_json_new(d->q->arena, PROMPT_JSON_OBJECT);
    type = prompt_json_new_string(d->q->arena, name->text);

    if (object != NULL && type != NULL) {
        prompt_json_set(object, prompt_str("__typename"), type);
        out->kind = GQL_RESULT_JSON;
        out->u.json = object;
    }
}


static void
driver_resolve(driver_execution_t *d, const gql_plan_field_t *field,
    prompt_str_t path, gql_result_t *out)
{
    const prompt_json_t  *entry, *member;

    out->kind = GQL_RESULT_NULL;

    entry = prompt_json_get(d->resolved, path);
    if (entry == NULL) {
        return;
    }

    member = driver_member(entry, "error");

    if (member != NULL) {
        out->kind = GQL_RESULT_ERROR;
        out->u.error = gql_execution_error(d->execution, prompt_str_absent,
                                           prompt_str_absent, "%.*s",
                                           prompt_str_arg(member->text));
        out->u.error->extra = driver_member(entry, "errorExtensions");
        return;
    }

    member = driver_member(entry, "list");

    if (member != NULL) {
        out->kind = GQL_RESULT_LIST;
        out->u.list.handle = driver_handle(d, path);
        out->u.list.count = driver_number(entry, "list");
        return;
    }

    member = driver_member(entry, "object");

    if (member != NULL) {
        driver_object(d, field, path, member, out);
        return;
    }

    member = driver_member(entry, "v");

    if (member == NULL) {
        member = driver_member(entry, "notList");
    }

    if (member != NULL) {
        out->kind = GQL_RESULT_JSON;
        out->u.json = member;
    }
}


static void
driver_field(gql_execution_t *execution, void *data,
    const gql_plan_field_t *field, void *parent,
    const prompt_json_t *arguments, gql_result_t *out)
{
    prompt_str_t         path, *up;
    driver_execution_t  *d;

    (void) execution;
    (void) arguments;

    d = data;
    up = parent;

    path = prompt_arena_printf(d->q->arena, "%.*s.%.*s", prompt_str_arg(*up),
                               prompt_str_arg(field->key));

    driver_resolve(d, field, path, out);
}


static void
driver_item(gql_execution_t *execution, void *data,
    const gql_plan_field_t *field, void *list, uint32_t index,
    gql_result_t *out)
{
    prompt_str_t         path, *up;
    driver_execution_t  *d;

    (void) execution;

    d = data;
    up = list;

    path = prompt_arena_printf(d->q->arena, "%.*s[%u]", prompt_str_arg(*up),
                               index);

    driver_resolve(d, field, path, out);
}


static const gql_resolver_t  driver_resolver = {
    driver_field,
    driver_item
};


/* Completes the root fields, in their order. */
static void
driver_run(driver_execution_t *d, const gql_plan_t *plan)
{
    uint32_t                 i;
    gql_error_t             *error;
    gql_result_t             result;
    const gql_plan_field_t  *field;

    for (i = 0; i < plan->root->nfields; i++) {
        if (gql_execution_aborted(d->execution)) {
            return;
        }

        field = &plan->root->fields[i];
        result.kind = GQL_RESULT_NULL;

        if (!gql_field_is_meta(field)) {
            if (gql_execution_arguments(d->execution, field, &error) == NULL) {
                result.kind = GQL_RESULT_ERROR;
                result.u.error = error;

            } else {
                driver_resolve(d, field, field->key, &result);
            }
        }

        gql_execution_complete(d->execution, i, &result);
    }
}


/* ,"result":{"errors":[…]}: a request that was not executed */
static void
driver_refuse(driver_question_t *q, const gql_errors_t *errors)
{
    prompt_buf_literal(q->out, ",\"result\":{\"errors\":");
    gql_errors_write(q->out, errors, prompt_str_absent);
    prompt_buf_char(q->out, '}');
}


static void
driver_execute_plan(driver_question_t *q, const gql_plan_t *plan,
    const prompt_json_t *variables)
{
    size_t               i, n;
    driver_execution_t   d;
    const prompt_str_t  *pieces;

    d.q = q;
    d.resolved = prompt_json_get(q->ask, prompt_str("resolved"));
    d.execution = gql_execution_create(q->arena, plan, variables,
                                       &driver_resolver, &d, DRIVER_ARENA);
    if (d.execution == NULL) {
        driver_skip(q, "memory");
        return;
    }

    driver_run(&d, plan);

    prompt_buf_literal(q->out, ",\"result\":");

    n = gql_execution_finish(d.execution, prompt_str_absent, &pieces);

    for (i = 0; i < n; i++) {
        prompt_buf_str(q->out, pieces[i]);
    }

    gql_execution_destroy(d.execution);
}


void
driver_execute(driver_question_t *q)
{
    gql_plan_t                        *plan;
    gql_errors_t                       errors;
    gql_schema_t                      *schema;
    prompt_json_t                     *variables;
    gql_document_t                    *document;
    const gql_operation_definition_t  *operation;

    schema = driver_schema(q, driver_source(q, "schema"));
    if (schema == NULL) {
        return;
    }

    document = driver_document(q, driver_source(q, "document"));
    if (document == NULL) {
        return;
    }

    gql_errors_init(&errors, q->arena, document->source, 0);

    operation = gql_document_operation(document,
                                       driver_text(q, "operationName"),
                                       &errors);
    if (operation == NULL) {
        driver_refuse(q, &errors);
        return;
    }

    variables = gql_coerce_variables(q->arena, schema, operation,
                                     prompt_json_get(q->ask,
                                                     prompt_str("variables")),
                                     &errors);
    if (variables == NULL) {
        driver_refuse(q, &errors);
        return;
    }

    plan = gql_plan_compile(q->arena, schema, document, operation, variables,
                            &errors);
    if (plan == NULL) {
        driver_refuse(q, &errors);
        return;
    }

    driver_execute_plan(q, plan, variables);
}
