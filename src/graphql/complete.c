/*
 * Completion (specification 6.4.3): one walk over plan and values that writes
 * the answer.
 *
 * A value is written straight behind what is there.  When it turns out that
 * it cannot be (an error, null where null must not be), the walk goes back up
 * to the next place that may be null, cuts off what was written since, and
 * writes null there.  Errors come out in the order in which graphql-js finds
 * them with resolvers that do not wait.
 *
 * Recursion is bounded by GQL_PLAN_MAX_DEPTH and the nesting of list types.
 */

#include "graphql/execute_impl.h"
#include "graphql/inspect.h"
#include "graphql/introspect.h"


static gql_done_t gql_complete_value(gql_execution_t *e,
    const gql_plan_field_t *field, const gql_type_ref_t *type,
    const gql_result_t *result, const gql_path_t *path);
static gql_done_t gql_complete_list(gql_execution_t *e,
    const gql_plan_field_t *field, const gql_type_ref_t *type,
    const gql_result_t *result, const gql_path_t *path);
static gql_done_t gql_complete_json_list(gql_execution_t *e,
    const gql_plan_field_t *field, const gql_type_ref_t *type,
    const prompt_json_t *list, const gql_path_t *path);
static gql_done_t gql_complete_composite(gql_execution_t *e,
    const gql_plan_field_t *field, const gql_type_t *type,
    const gql_result_t *result, const gql_path_t *path);
static const gql_plan_selection_t *gql_complete_abstract(gql_execution_t *e,
    const gql_plan_field_t *field, const gql_type_t *type,
    const gql_result_t *result, const gql_path_t *path);
static const gql_plan_selection_t *gql_complete_runtime_type(
    gql_execution_t *e, const gql_plan_field_t *field, const gql_type_t *type,
    const gql_type_t *runtime, const gql_path_t *path);
static gql_done_t gql_complete_object(gql_execution_t *e,
    const gql_plan_field_t *field, const gql_plan_selection_t *selection,
    void *handle, const gql_path_t *path);
static gql_done_t gql_complete_field(gql_execution_t *e,
    const gql_plan_field_t *field, void *parent, const gql_path_t *up);


gql_done_t
gql_complete(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_ref_t *type, const gql_result_t *result,
    const gql_path_t *path)
{
    size_t      mark;
    gql_done_t  done;

    mark = e->buf->len;

    done = gql_complete_value(e, field, type, result, path);

    if (done == GQL_DONE) {
        return GQL_DONE;
    }

    if (done == GQL_FAILED) {
        if (type->kind == GQL_REF_NON_NULL) {
            return GQL_FAILED;
        }

        gql_report(e);
        prompt_buf_truncate(e->buf, mark);
    }

    gql_put_literal(e->buf, "null");

    return GQL_DONE;
}


static gql_done_t
gql_complete_value(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_ref_t *type, const gql_result_t *result,
    const gql_path_t *path)
{
    if (result->kind == GQL_RESULT_ERROR) {
        return gql_fail(e, field, path, result->u.error);
    }

    if (result->kind == GQL_RESULT_NULL
        || (result->kind == GQL_RESULT_JSON
            && result->u.json->type == PROMPT_JSON_NULL))
    {
        if (type->kind != GQL_REF_NON_NULL) {
            return GQL_NOTHING;
        }

        return gql_failf(e, field, path, "Cannot return null for "
                         "non-nullable field %.*s.%.*s.",
                         prompt_str_arg(field->owner->name),
                         prompt_str_arg(field->def->name));
    }

    if (type->kind == GQL_REF_NON_NULL) {
        type = type->of;
    }

    if (type->kind == GQL_REF_LIST) {
        return gql_complete_list(e, field, type->of, result, path);
    }

    if (gql_type_is_leaf(type->type)) {
        return gql_serialize(e, field, type->type, result, path);
    }

    return gql_complete_composite(e, field, type->type, result, path);
}


static gql_done_t
gql_complete_list(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_ref_t *type, const gql_result_t *result,
    const gql_path_t *path)
{
    gql_path_t    place;
    gql_result_t  item;

    if (result->kind == GQL_RESULT_JSON
        && result->u.json->type == PROMPT_JSON_ARRAY)
    {
        return gql_complete_json_list(e, field, type, result->u.json, path);
    }

    if (result->kind != GQL_RESULT_LIST) {
        return gql_failf(e, field, path, "Expected Iterable, but did not "
                         "find one for field \"%.*s.%.*s\".",
                         prompt_str_arg(field->owner->name),
                         prompt_str_arg(field->def->name));
    }

    place.parent = path;
    place.key = prompt_str_absent;

    gql_put_literal(e->buf, "[");

    for (place.index = 0; place.index < result->u.list.count; place.index++) {
        if (place.index != 0) {
            gql_put_literal(e->buf, ",");
        }

        item.kind = GQL_RESULT_NULL;

        if (field->kind == GQL_PLAN_FIELD) {
            e->resolver->item(e, e->data, field, result->u.list.handle,
                              place.index, &item);
        } else {
            gql_introspect_item(e, field, result->u.list.handle, place.index,
                                &item);
        }

        if (gql_complete(e, field, type, &item, &place) != GQL_DONE) {
            return GQL_FAILED;
        }

        /* of an answer that is too long already nothing more is wanted */

        if (e->buf->status != PROMPT_BUF_OK) {
            break;
        }
    }

    gql_put_literal(e->buf, "]");

    return GQL_DONE;
}


static gql_done_t
gql_complete_json_list(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_ref_t *type, const prompt_json_t *list,
    const gql_path_t *path)
{
    gql_path_t            place;
    gql_result_t          item;
    const prompt_json_t  *element;

    place.parent = path;
    place.key = prompt_str_absent;
    place.index = 0;

    gql_put_literal(e->buf, "[");

    for (element = list->first; element != NULL; element = element->next) {
        if (place.index != 0) {
            gql_put_literal(e->buf, ",");
        }

        item.kind = GQL_RESULT_JSON;
        item.u.json = element;

        if (gql_complete(e, field, type, &item, &place) != GQL_DONE) {
            return GQL_FAILED;
        }

        if (e->buf->status != PROMPT_BUF_OK) {
            break;
        }

        place.index++;
    }

    gql_put_literal(e->buf, "]");

    return GQL_DONE;
}


static gql_done_t
gql_complete_composite(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_t *type, const gql_result_t *result,
    const gql_path_t *path)
{
    void                        *handle;
    const gql_plan_selection_t  *selection;

    if (type->kind == GQL_TYPE_OBJECT) {
        selection = field->selections[0];

        if ((result->kind != GQL_RESULT_OBJECT
             && result->kind != GQL_RESULT_JSON)
            || (result->kind == GQL_RESULT_OBJECT
                && result->u.object.type != NULL
                && result->u.object.type != type))
        {
            return gql_failf(e, field, path,
                             "Expected value of type \"%.*s\" but got: %.*s.",
                             prompt_str_arg(type->name),
                             prompt_str_arg(gql_inspect_result(e, result)));
        }

    } else {
        selection = gql_complete_abstract(e, field, type, result, path);

        if (selection == NULL) {
            return GQL_FAILED;
        }
    }

    if (field->kind == GQL_PLAN_FIELD && selection->type->introspection) {

        /* what the embedder has is no handle of the engine's */

        handle = NULL;

    } else {
        handle = result->kind == GQL_RESULT_OBJECT ? result->u.object.handle
                                                   : (void *) result->u.json;
    }

    return gql_complete_object(e, field, selection, handle, path);
}


/*
 * The selection on the type that a value of an abstract type has, or NULL
 * with an error pending.
 */

static const gql_plan_selection_t *
gql_complete_abstract(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_t *type, const gql_result_t *result,
    const gql_path_t *path)
{
    const gql_type_t     *runtime;
    const prompt_json_t  *name;

    if (result->kind == GQL_RESULT_OBJECT && result->u.object.type != NULL) {
        return gql_complete_runtime_type(e, field, type,
                                         result->u.object.type, path);
    }

    name = NULL;

    if (result->kind == GQL_RESULT_JSON) {
        name = prompt_json_get(result->u.json, prompt_str("__typename"));
    }

    if (name == NULL || name->type == PROMPT_JSON_NULL) {
        gql_failf(e, field, path, "Abstract type \"%.*s\" must resolve to an "
                  "Object type at runtime for field \"%.*s.%.*s\". Either "
                  "the \"%.*s\" type should provide a \"resolveType\" "
                  "function or each possible type should provide an "
                  "\"isTypeOf\" function.", prompt_str_arg(type->name),
                  prompt_str_arg(field->owner->name),
                  prompt_str_arg(field->def->name),
                  prompt_str_arg(type->name));
        return NULL;
    }

    if (name->type != PROMPT_JSON_STRING) {
        gql_failf(e, field, path, "Abstract type \"%.*s\" must resolve to an "
                  "Object type at runtime for field \"%.*s.%.*s\" with value "
                  "%.*s, received \"%.*s\".", prompt_str_arg(type->name),
                  prompt_str_arg(field->owner->name),
                  prompt_str_arg(field->def->name),
                  prompt_str_arg(gql_inspect_result(e, result)),
                  prompt_str_arg(gql_inspect(e->arena, name, false)));
        return NULL;
    }

    runtime = gql_schema_type(e->plan->schema, name->text);

    if (runtime == NULL) {
        gql_failf(e, field, path, "Abstract type \"%.*s\" was resolved to a "
                  "type \"%.*s\" that does not exist inside the schema.",
                  prompt_str_arg(type->name), prompt_str_arg(name->text));
        return NULL;
    }

    return gql_complete_runtime_type(e, field, type, runtime, path);
}


static const gql_plan_selection_t *
gql_complete_runtime_type(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_t *type, const gql_type_t *runtime,
    const gql_path_t *path)
{
    const gql_plan_selection_t  *selection;

    if (runtime->kind != GQL_TYPE_OBJECT) {
        gql_failf(e, field, path, "Abstract type \"%.*s\" was resolved to a "
                  "non-object type \"%.*s\".", prompt_str_arg(type->name),
                  prompt_str_arg(runtime->name));
        return NULL;
    }

    selection = gql_plan_selection(field, runtime);

    if (selection == NULL) {
        gql_failf(e, field, path, "Runtime Object type \"%.*s\" is not a "
                  "possible type for \"%.*s\".",
                  prompt_str_arg(runtime->name), prompt_str_arg(type->name));
    }

    return selection;
}


static gql_done_t
gql_complete_object(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_plan_selection_t *selection, void *handle,
    const gql_path_t *path)
{
    uint32_t                 i;
    const gql_plan_field_t  *child;

    if (selection->invalid != NULL) {
        return gql_fail(e, field, path, selection->invalid);
    }

    gql_put_literal(e->buf, "{");

    for (i = 0; i < selection->nfields; i++) {
        child = &selection->fields[i];

        /* the comma stands before the key already */

        gql_put(e->buf, child->json_key.data - (i != 0),
                child->json_key.len + (i != 0));

        if (gql_complete_field(e, child, handle, path) != GQL_DONE) {
            return GQL_FAILED;
        }
    }

    gql_put_literal(e->buf, "}");

    return GQL_DONE;
}


static gql_done_t
gql_complete_field(gql_execution_t *e, const gql_plan_field_t *field,
    void *parent, const gql_path_t *up)
{
    gql_path_t            path;
    gql_error_t          *error;
    gql_result_t          result;
    const prompt_json_t  *arguments;

    if (field->kind == GQL_PLAN_TYPENAME) {
        gql_put_literal(e->buf, "\"");
        gql_put(e->buf, field->owner->name.data, field->owner->name.len);
        gql_put_literal(e->buf, "\"");
        return GQL_DONE;
    }

    path.parent = up;
    path.key = field->key;
    path.index = 0;

    error = NULL;
    result.kind = GQL_RESULT_NULL;
    arguments = field->arguments;

    if (arguments == NULL) {
        arguments = gql_execution_arguments(e, field, &error);
    }

    if (arguments == NULL) {
        result.kind = GQL_RESULT_ERROR;
        result.u.error = error;

    } else if (field->kind == GQL_PLAN_FIELD) {
        e->resolver->field(e, e->data, field, parent, arguments, &result);

    } else if (field->kind == GQL_PLAN_SCHEMA) {

        /* the query type may be met again further down */

        gql_introspect_root(e, field, arguments, &result);

    } else {
        gql_introspect_field(e, field, parent, arguments, &result);
    }

    return gql_complete(e, field, field->def->type, &result, &path);
}
