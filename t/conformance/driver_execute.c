/*
 * Conformance driver: documents to be executed, with a resolver that looks up
 * response paths in the question's "resolved":
 *
 *     {"hero.friends[0].name": {"v": "Luke"}, …}
 *
 * where {v} is a value, {object: TYPE} an object, {list: N} a list of N whose
 * elements have entries of their own, {notList} what should have been a list,
 * {error, errorExtensions} an error, {arguments} the arguments of the field;
 * what has no entry is null.  Whatever stands where an object belongs is one:
 * its fields have entries of their own, too.
 */

#include "driver.h"
#include "graphql/engine.h"
#include "graphql/execute/execute.h"
#include "graphql/execute/plan.h"
#include "graphql/values/values.h"
#include "graphql.h"


typedef struct {
    driver_question_t    *q;
    const prompt_json_t  *resolved;
    gql_execution_t      *execution;
} driver_execution_t;


/* what is handed out as the handle of an object or of a list */
typedef struct {
    prompt_str_t           path;
    const gql_type_ref_t  *item;     /* of a list: the type of its elements */
    const prompt_json_t   *values;   /* of a list that stands in a {v}: it */
} driver_handle_t;


static const prompt_json_t *
driver_member(const prompt_json_t *entry, const char *name)
{
    return prompt_json_get(entry, prompt_str_from(name));
}


/* the number of elements that an entry says, as JSON; NULL: it says none */
static const prompt_json_t *
driver_list(const prompt_json_t *entry)
{
    const prompt_json_t  *count;

    count = driver_member(entry, "list");

    return count != NULL && count->type == PROMPT_JSON_NUMBER ? count : NULL;
}


static driver_handle_t *
driver_handle(driver_execution_t *d, prompt_str_t path)
{
    driver_handle_t  *handle;

    handle = prompt_arena_zalloc(d->q->arena, sizeof(driver_handle_t));

    if (handle != NULL) {
        handle->path = path;
    }

    return handle;
}


static prompt_str_t
driver_item_path(driver_execution_t *d, prompt_str_t path, uint32_t index)
{
    return prompt_arena_printf(d->q->arena, "%.*s[%u]", prompt_str_arg(path),
                               index);
}


/* what a resolver's Error is as a value */
static prompt_json_t *
driver_error_value(driver_execution_t *d, const prompt_json_t *entry)
{
    prompt_json_t        *object;
    const prompt_json_t  *extensions;

    object = prompt_json_new(d->q->arena, PROMPT_JSON_OBJECT);
    extensions = driver_member(entry, "errorExtensions");

    if (object != NULL && extensions != NULL
        && extensions->type != PROMPT_JSON_NULL)
    {
        prompt_json_set(object, prompt_str("extensions"),
                        prompt_json_copy(d->q->arena, extensions));
    }

    return object;
}


/* an entry as a value: for a place where neither list nor object belongs */
static prompt_json_t *
driver_value(driver_execution_t *d, prompt_str_t path)
{
    uint32_t              i, n;
    prompt_json_t        *value;
    const prompt_json_t  *entry, *member;

    entry = prompt_json_get(d->resolved, path);

    if (driver_member(entry, "error") != NULL) {
        return driver_error_value(d, entry);
    }

    if (driver_list(entry) != NULL) {
        value = prompt_json_new(d->q->arena, PROMPT_JSON_ARRAY);
        n = driver_number(entry, "list");

        for (i = 0; i < n && value != NULL; i++) {
            prompt_json_append(value,
                               driver_value(d, driver_item_path(d, path, i)));
        }

        return value;
    }

    member = driver_member(entry, "object");

    if (member != NULL && member->text.len != 0) {
        value = prompt_json_new(d->q->arena, PROMPT_JSON_OBJECT);
        prompt_json_set(value, prompt_str("__typename"),
                        prompt_json_copy(d->q->arena, member));
        return value;
    }

    member = driver_member(entry, "v");

    if (member == NULL) {
        member = driver_member(entry, "notList");
    }

    return member != NULL ? prompt_json_copy(d->q->arena, member)
                          : prompt_json_new(d->q->arena, PROMPT_JSON_NULL);
}


/*
 * What a resolver returned, list or object or neither, for a type.  Fields of
 * an object are looked up by their paths, whatever it is.
 */
static void
driver_returned(driver_execution_t *d, const gql_plan_field_t *field,
    const gql_type_ref_t *type, prompt_str_t path, const prompt_json_t *value,
    gql_result_t *out)
{
    driver_handle_t  *handle;

    if (type->kind == GQL_REF_NON_NULL) {
        type = type->of;
    }

    /* what belongs in a list and is none: any kind but a list says so */

    if (type->kind == GQL_REF_LIST && value->type != PROMPT_JSON_ARRAY
        && value->type != PROMPT_JSON_NULL)
    {
        out->kind = GQL_RESULT_BOOLEAN;
        out->u.boolean = false;
        return;
    }

    if (value->type != PROMPT_JSON_ARRAY || type->kind != GQL_REF_LIST) {
        gql_result_of_json(d->execution, field, gql_ref_named(type), value,
                           out);

        if (out->kind == GQL_RESULT_OBJECT) {
            out->u.object.handle = driver_handle(d, path);
        }

        return;
    }

    handle = driver_handle(d, path);
    if (handle == NULL) {
        return;
    }

    handle->item = type->of;
    handle->values = value;

    out->kind = GQL_RESULT_LIST;
    out->u.list.handle = handle;
    out->u.list.count = value->count;
}


static void
driver_error(driver_execution_t *d, const prompt_json_t *entry,
    gql_result_t *out)
{
    const prompt_json_t  *message, *extensions;

    message = driver_member(entry, "error");
    extensions = driver_member(entry, "errorExtensions");

    out->kind = GQL_RESULT_ERROR;
    out->u.error = gql_execution_error(d->execution, prompt_str_absent,
                                       prompt_str_absent, "%.*s",
                                       prompt_str_arg(message->text));

    if (extensions != NULL && extensions->count != 0) {
        out->u.error->extra = extensions;
    }
}


static void
driver_resolve(driver_execution_t *d, const gql_plan_field_t *field,
    const gql_type_ref_t *type, prompt_str_t path, gql_result_t *out)
{
    driver_handle_t       *handle;
    const prompt_json_t   *entry;
    const gql_type_ref_t  *nullable;

    out->kind = GQL_RESULT_NULL;

    entry = prompt_json_get(d->resolved, path);
    if (entry == NULL) {
        return;
    }

    if (driver_member(entry, "error") != NULL) {
        driver_error(d, entry, out);
        return;
    }

    nullable = type->kind == GQL_REF_NON_NULL ? type->of : type;

    if (driver_list(entry) == NULL
        || nullable->kind != GQL_REF_LIST)
    {
        driver_returned(d, field, type, path, driver_value(d, path), out);
        return;
    }

    handle = driver_handle(d, path);
    if (handle == NULL) {
        return;
    }

    handle->item = nullable->of;

    out->kind = GQL_RESULT_LIST;
    out->u.list.handle = handle;
    out->u.list.count = driver_number(entry, "list");
}


/* {arguments}: the field returns its arguments, as they were coerced */
static void
driver_resolve_field(driver_execution_t *d, const gql_plan_field_t *field,
    prompt_str_t path, const prompt_json_t *arguments, gql_result_t *out)
{
    if (driver_member(prompt_json_get(d->resolved, path), "arguments")
        != NULL)
    {
        gql_result_of_json(d->execution, field,
                           gql_ref_named(field->def->type), arguments, out);
        return;
    }

    driver_resolve(d, field, field->def->type, path, out);
}


static void
driver_field(gql_execution_t *execution, void *data,
    const gql_plan_field_t *field, void *parent,
    const prompt_json_t *arguments, gql_result_t *out)
{
    prompt_str_t         path;
    driver_handle_t     *up;
    driver_execution_t  *d;

    (void) execution;

    d = data;
    up = parent;

    path = prompt_arena_printf(d->q->arena, "%.*s.%.*s",
                               prompt_str_arg(up->path),
                               prompt_str_arg(field->key));

    driver_resolve_field(d, field, path, arguments, out);
}


static void
driver_item(gql_execution_t *execution, void *data,
    const gql_plan_field_t *field, void *list, uint32_t index,
    gql_result_t *out)
{
    prompt_str_t         path;
    driver_handle_t     *up;
    driver_execution_t  *d;

    (void) execution;

    d = data;
    up = list;

    path = driver_item_path(d, up->path, index);

    if (up->values == NULL) {
        driver_resolve(d, field, up->item, path, out);
        return;
    }

    driver_returned(d, field, up->item, path,
                    prompt_json_at(up->values, index), out);
}


static const gql_resolver_t  driver_resolver = {
    driver_field,
    driver_item,
    NULL
};


/* Completes the root fields, in their order. */
static void
driver_run(driver_execution_t *d, const gql_plan_t *plan)
{
    uint32_t                 i;
    gql_step_t               step;
    gql_error_t             *error;
    gql_result_t             result;
    const prompt_json_t     *arguments;
    const gql_plan_field_t  *field;

    for (i = 0; i < plan->root->nfields; i++) {
        if (gql_execution_aborted(d->execution)) {
            return;
        }

        field = &plan->root->fields[i];
        result.kind = GQL_RESULT_NULL;

        if (!gql_field_is_meta(field)) {
            arguments = gql_execution_arguments(d->execution, field, &error);

            if (arguments == NULL) {
                result.kind = GQL_RESULT_ERROR;
                result.u.error = error;

            } else {
                driver_resolve_field(d, field, field->key, arguments,
                                     &result);
            }
        }

        /* one item at a time: wherever it pauses, the answer is the same */

        gql_execution_pace(d->execution, 1, SIZE_MAX);
        step = gql_execution_begin(d->execution, i, &result);

        while (step == GQL_STEP_PAUSED) {
            step = gql_execution_go_on(d->execution, i);
        }
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


/* what the reference wants of variables before it looks at the operation */
static bool
driver_are_variables(driver_question_t *q, const prompt_json_t *given)
{
    if (given == NULL || given->type == PROMPT_JSON_NULL
        || given->type == PROMPT_JSON_ARRAY
        || given->type == PROMPT_JSON_OBJECT)
    {
        return true;
    }

    prompt_buf_literal(q->out, ",\"errors\":[{\"message\":\"driver: Variables "
                       "must be provided as an Object where each property is "
                       "a variable value. Perhaps look to see if an unparsed "
                       "JSON string was provided.\"}]");
    return false;
}


void
driver_execute(driver_question_t *q)
{
    gql_plan_t                        *plan;
    gql_errors_t                       errors;
    gql_schema_t                      *schema;
    prompt_json_t                     *variables;
    gql_document_t                    *document;
    const prompt_json_t               *given;
    const gql_operation_definition_t  *operation;

    schema = driver_schema(q, driver_source(q, "schema"));
    if (schema == NULL) {
        return;
    }

    document = driver_document(q, driver_source(q, "document"));

    given = prompt_json_get(q->ask, prompt_str("variables"));

    if (document == NULL || !driver_are_variables(q, given)) {
        return;
    }

    (void) driver_take_definitions(document);

    gql_errors_init(&errors, q->arena, document->source, 0);

    operation = gql_document_operation(document,
                                       driver_text(q, "operationName"),
                                       &errors);
    if (operation == NULL) {
        driver_refuse(q, &errors);
        return;
    }

    variables = gql_coerce_variables(q->arena, schema, operation, given,
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
