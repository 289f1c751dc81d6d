/*
 * Results that are trees: the service has rows, tests have JSON.
 */

#include "graphql.h"

#include <math.h>

#include "graphql/execute/execute_impl.h"
#include "graphql/values/inspect.h"
#include "graphql/values/number.h"
#include "number_parse.h"


static const char *const  gql_leaf_errors[] = {
    [GQL_SCALAR_INT] = "Int cannot represent non-integer value: ",
    [GQL_SCALAR_FLOAT] = "Float cannot represent non numeric value: ",
    [GQL_SCALAR_STRING] = "String cannot represent value: ",
    [GQL_SCALAR_BOOLEAN] = "Boolean cannot represent a non boolean value: ",
    [GQL_SCALAR_ID] = "ID cannot represent value: "
};


static void
gql_result_error(gql_execution_t *e, gql_result_t *out, prompt_str_t message)
{
    out->kind = GQL_RESULT_ERROR;
    out->u.error = gql_execution_error(e, prompt_str_absent, prompt_str_absent,
                                       "%.*s", prompt_str_arg(message));
}


/* Number() of a result; false where that is NaN, or there is none */
static bool
gql_result_number(const gql_result_t *result, double *out)
{
    switch (result->kind) {

    case GQL_RESULT_BOOLEAN:
        *out = result->u.boolean;
        return true;

    case GQL_RESULT_INTEGER:
        *out = (double) result->u.integer;
        return true;

    case GQL_RESULT_DOUBLE:
        *out = result->u.number;
        return !isnan(*out);

    case GQL_RESULT_STRING:
        return result->u.text.len != 0
               && gql_number_parse(result->u.text, out);

    default:
        return false;
    }
}


static void
gql_result_to_int(gql_execution_t *e, gql_result_t *out)
{
    double        number;
    prompt_str_t  shown;

    if (!gql_result_number(out, &number) || !gql_number_is_integer(number)) {
        return;
    }

    if (number <= INT32_MAX && number >= INT32_MIN) {
        out->kind = GQL_RESULT_INTEGER;
        out->u.integer = (int64_t) number;
        return;
    }

    shown = gql_inspect_result(e, out);
    gql_result_error(e, out, prompt_arena_printf(gql_execution_arena(e),
                     "Int cannot represent non 32-bit signed integer value: "
                     "%.*s", prompt_str_arg(shown)));
}


/* what String() makes of a number or a boolean; absent: there is none */
static prompt_str_t
gql_result_text(gql_execution_t *e, const gql_result_t *result)
{
    if (result->kind == GQL_RESULT_BOOLEAN
        || result->kind == GQL_RESULT_INTEGER
        || (result->kind == GQL_RESULT_DOUBLE && isfinite(result->u.number)))
    {
        return gql_inspect_result(e, result);
    }

    return prompt_str_absent;
}


void
gql_result_serialize(gql_execution_t *e, const gql_type_t *type,
    gql_result_t *out)
{
    double        number;
    prompt_str_t  text;

    if (type->kind != GQL_TYPE_SCALAR) {
        return;
    }

    switch (type->scalar) {

    case GQL_SCALAR_INT:
        gql_result_to_int(e, out);
        break;

    case GQL_SCALAR_FLOAT:
        if (out->kind != GQL_RESULT_INTEGER && gql_result_number(out, &number)
            && isfinite(number))
        {
            out->kind = GQL_RESULT_DOUBLE;
            out->u.number = number;
        }

        break;

    case GQL_SCALAR_BOOLEAN:
        if (out->kind != GQL_RESULT_STRING && gql_result_number(out, &number)
            && isfinite(number))
        {
            out->kind = GQL_RESULT_BOOLEAN;
            out->u.boolean = number != 0;
        }

        break;

    case GQL_SCALAR_ID:
        if (out->kind == GQL_RESULT_BOOLEAN
            || (out->kind == GQL_RESULT_DOUBLE
                && !gql_number_is_integer(out->u.number)))
        {
            return;
        }

        /* fall through */

    case GQL_SCALAR_STRING:
    case GQL_SCALAR_CUSTOM:
        text = gql_result_text(e, out);

        if (text.data != NULL) {
            out->kind = type->scalar == GQL_SCALAR_CUSTOM
                        ? GQL_RESULT_JSON_TEXT : GQL_RESULT_STRING;
            out->u.text = text;
        }

        break;
    }
}


/* a list or an object where a leaf belongs */
static void
gql_result_of_tree(gql_execution_t *e, const gql_type_t *type,
    const prompt_json_t *value, gql_result_t *out)
{
    prompt_buf_t     buf;
    prompt_str_t     shown;
    prompt_arena_t  *arena;

    arena = gql_execution_arena(e);
    shown = gql_inspect(arena, value);

    if (type->kind == GQL_TYPE_ENUM) {
        gql_result_error(e, out, prompt_arena_printf(arena,
                         "Enum \"%.*s\" cannot represent value: %.*s",
                         prompt_str_arg(type->name), prompt_str_arg(shown)));
        return;
    }

    if (type->scalar != GQL_SCALAR_CUSTOM) {
        gql_result_error(e, out, prompt_arena_printf(arena, "%s%.*s",
                         gql_leaf_errors[type->scalar],
                         prompt_str_arg(shown)));
        return;
    }

    prompt_buf_init(&buf, SIZE_MAX);
    prompt_json_write(&buf, value);

    out->kind = GQL_RESULT_JSON_TEXT;
    out->u.text = prompt_arena_copy(arena, prompt_buf_view(&buf));

    prompt_buf_free(&buf);
}


static void
gql_result_of_leaf(gql_execution_t *e, const gql_type_t *type,
    const prompt_json_t *value, gql_result_t *out)
{
    switch (value->type) {

    case PROMPT_JSON_BOOLEAN:
        out->kind = GQL_RESULT_BOOLEAN;
        out->u.boolean = value->boolean;
        break;

    case PROMPT_JSON_NUMBER:
        if (prompt_json_integer(value, &out->u.integer)) {
            out->kind = GQL_RESULT_INTEGER;

        } else {
            out->kind = GQL_RESULT_DOUBLE;
            out->u.number = gql_number_value(value);
        }

        break;

    case PROMPT_JSON_STRING:
        out->kind = GQL_RESULT_STRING;
        out->u.text = value->text;
        break;

    default:
        gql_result_of_tree(e, type, value, out);
        return;
    }

    gql_result_serialize(e, type, out);
}


/* the type that __typename says; the engine finds what is wrong with it */
static void
gql_result_of_abstract(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_t *type, const prompt_json_t *value, gql_result_t *out)
{
    prompt_arena_t       *arena;
    const prompt_json_t  *name;

    arena = gql_execution_arena(e);
    name = prompt_json_get(value, prompt_str("__typename"));

    if (name == NULL || name->type == PROMPT_JSON_NULL) {
        return;
    }

    if (name->type != PROMPT_JSON_STRING) {
        gql_result_error(e, out, prompt_arena_printf(arena,
                         "Abstract type \"%.*s\" must resolve to an Object "
                         "type at runtime for field \"%.*s.%.*s\" with value "
                         "%.*s, received \"%.*s\".",
                         prompt_str_arg(type->name),
                         prompt_str_arg(field->owner->name),
                         prompt_str_arg(field->def->name),
                         prompt_str_arg(gql_inspect(arena, value)),
                         prompt_str_arg(gql_inspect(arena, name))));
        return;
    }

    out->u.object.type = gql_schema_type(gql_execution_plan(e)->schema,
                                         name->text);

    if (out->u.object.type == NULL) {
        gql_result_error(e, out, prompt_arena_printf(arena,
                         "Abstract type \"%.*s\" was resolved to a type "
                         "\"%.*s\" that does not exist inside the schema.",
                         prompt_str_arg(type->name),
                         prompt_str_arg(name->text)));
    }
}


void
gql_result_of_json(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_t *type, const prompt_json_t *value, gql_result_t *out)
{
    out->kind = GQL_RESULT_NULL;

    if (value == NULL || value->type == PROMPT_JSON_NULL) {
        return;
    }

    if (gql_type_is_leaf(type)) {
        gql_result_of_leaf(e, type, value, out);
        return;
    }

    out->kind = GQL_RESULT_OBJECT;
    out->u.object.handle = (void *) value;
    out->u.object.type = NULL;

    if (gql_type_is_abstract(type)) {
        gql_result_of_abstract(e, field, type, value, out);
    }
}
