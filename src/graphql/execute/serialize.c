/*
 * Leaf values in the answer (specification 3.5, "Result Coercion"): what
 * serialize() of graphql-js's scalars and enums does, with its messages.
 */

#include "graphql/execute/execute_impl.h"
#include "graphql/values/inspect.h"
#include "graphql/values/number.h"

#include <inttypes.h>
#include <math.h>


static gql_done_t gql_serialize_general(gql_execution_t *e,
    const gql_plan_field_t *field, const gql_type_t *type,
    const gql_result_t *result, const gql_path_t *path);
static bool gql_serialize_enum(prompt_buf_t *buf, const gql_type_t *type,
    const gql_result_t *result);
static bool gql_serialize_custom(prompt_buf_t *buf,
    const gql_result_t *result);
static bool gql_serialize_int(prompt_buf_t *buf, const gql_result_t *result,
    const char **message);
static bool gql_serialize_float(prompt_buf_t *buf,
    const gql_result_t *result);
static bool gql_serialize_string(prompt_buf_t *buf,
    const gql_result_t *result);
static bool gql_serialize_boolean(prompt_buf_t *buf,
    const gql_result_t *result);
static bool gql_serialize_id(prompt_buf_t *buf, const gql_result_t *result);
static bool gql_serialize_number(const gql_result_t *result, double *out);


/* what is of the type already: nearly everything */

gql_done_t
gql_serialize(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_t *type, const gql_result_t *result,
    const gql_path_t *path)
{
    if (type->kind == GQL_TYPE_SCALAR) {
        switch (result->kind) {

        case GQL_RESULT_STRING:
            if (type->scalar == GQL_SCALAR_STRING
                || type->scalar == GQL_SCALAR_ID
                || type->scalar == GQL_SCALAR_CUSTOM)
            {
                prompt_json_write_string(e->buf, result->u.text);
                return GQL_DONE;
            }

            break;

        case GQL_RESULT_INTEGER:
            if (type->scalar == GQL_SCALAR_INT
                && result->u.integer <= INT32_MAX
                && result->u.integer >= INT32_MIN)
            {
                prompt_buf_int(e->buf, result->u.integer);
                return GQL_DONE;
            }

            break;

        case GQL_RESULT_BOOLEAN:
            if (type->scalar == GQL_SCALAR_BOOLEAN) {
                if (result->u.boolean) {
                    gql_put_literal(e->buf, "true");
                } else {
                    gql_put_literal(e->buf, "false");
                }

                return GQL_DONE;
            }

            break;

        case GQL_RESULT_JSON_TEXT:
            if (type->scalar == GQL_SCALAR_CUSTOM
                || ((type->scalar == GQL_SCALAR_STRING
                     || type->scalar == GQL_SCALAR_ID)
                    && result->u.text.len != 0
                    && result->u.text.data[0] == '"'))
            {
                gql_put(e->buf, result->u.text.data, result->u.text.len);
                return GQL_DONE;
            }

            break;

        default:
            break;
        }
    }

    return gql_serialize_general(e, field, type, result, path);
}


static gql_done_t
gql_serialize_general(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_t *type, const gql_result_t *result,
    const gql_path_t *path)
{
    bool          ok;
    const char   *message;
    prompt_str_t  shown;

    if (type->kind == GQL_TYPE_ENUM) {
        if (gql_serialize_enum(e->buf, type, result)) {
            return GQL_DONE;
        }

        shown = gql_inspect_result(e, result);

        return gql_failf(e, field, path,
                         "Enum \"%.*s\" cannot represent value: %.*s",
                         prompt_str_arg(type->name), prompt_str_arg(shown));
    }

    switch (type->scalar) {

    case GQL_SCALAR_INT:
        ok = gql_serialize_int(e->buf, result, &message);
        break;

    case GQL_SCALAR_FLOAT:
        message = "Float cannot represent non numeric value: ";
        ok = gql_serialize_float(e->buf, result);
        break;

    case GQL_SCALAR_STRING:
        message = "String cannot represent value: ";
        ok = gql_serialize_string(e->buf, result);
        break;

    case GQL_SCALAR_BOOLEAN:
        message = "Boolean cannot represent a non boolean value: ";
        ok = gql_serialize_boolean(e->buf, result);
        break;

    case GQL_SCALAR_ID:
        message = "ID cannot represent value: ";
        ok = gql_serialize_id(e->buf, result);
        break;

    default:  /* GQL_SCALAR_CUSTOM */
        message = "Custom scalar cannot represent value: ";
        ok = gql_serialize_custom(e->buf, result);
        break;
    }

    if (ok) {
        return GQL_DONE;
    }

    shown = gql_inspect_result(e, result);

    return gql_failf(e, field, path, "%s%.*s", message,
                     prompt_str_arg(shown));
}


static bool
gql_serialize_enum(prompt_buf_t *buf, const gql_type_t *type,
    const gql_result_t *result)
{
    if (result->kind != GQL_RESULT_STRING
        || gql_type_enum_value(type, result->u.text) == NULL)
    {
        return false;
    }

    gql_put_literal(buf, "\"");
    gql_put(buf, result->u.text.data, result->u.text.len);
    gql_put_literal(buf, "\"");

    return true;
}


static bool
gql_serialize_custom(prompt_buf_t *buf, const gql_result_t *result)
{
    switch (result->kind) {

    case GQL_RESULT_BOOLEAN:
        prompt_buf_str(buf, result->u.boolean ? prompt_str("true")
                                              : prompt_str("false"));
        return true;

    case GQL_RESULT_INTEGER:
        prompt_buf_int(buf, result->u.integer);
        return true;

    case GQL_RESULT_DOUBLE:
        prompt_json_write_double(buf, result->u.number);
        return true;

    default:
        return false;
    }
}


static bool
gql_serialize_int(prompt_buf_t *buf, const gql_result_t *result,
    const char **message)
{
    double  number;

    *message = "Int cannot represent non-integer value: ";

    if (result->kind == GQL_RESULT_STRING && result->u.text.len == 0) {
        return false;
    }

    if (!gql_serialize_number(result, &number)
        || !gql_number_is_integer(number))
    {
        return false;
    }

    if (number > INT32_MAX || number < INT32_MIN) {
        *message = "Int cannot represent non 32-bit signed integer value: ";
        return false;
    }

    prompt_buf_int(buf, (int64_t) number);

    return true;
}


static bool
gql_serialize_float(prompt_buf_t *buf, const gql_result_t *result)
{
    double  number;

    if (result->kind == GQL_RESULT_STRING && result->u.text.len == 0) {
        return false;
    }

    if (!gql_serialize_number(result, &number) || !isfinite(number)) {
        return false;
    }

    if (result->kind == GQL_RESULT_INTEGER) {
        prompt_buf_int(buf, result->u.integer);

    } else {
        prompt_json_write_double(buf, number);
    }

    return true;
}


static bool
gql_serialize_string(prompt_buf_t *buf, const gql_result_t *result)
{
    char    text[GQL_NUMBER_SIZE];
    size_t  n;

    switch (result->kind) {

    case GQL_RESULT_STRING:
        prompt_json_write_string(buf, result->u.text);
        return true;

    case GQL_RESULT_BOOLEAN:
        prompt_buf_str(buf, result->u.boolean ? prompt_str("\"true\"")
                                              : prompt_str("\"false\""));
        return true;

    case GQL_RESULT_INTEGER:
        gql_put_literal(buf, "\"");
        prompt_buf_int(buf, result->u.integer);
        gql_put_literal(buf, "\"");
        return true;

    case GQL_RESULT_DOUBLE:
        if (!isfinite(result->u.number)) {
            return false;
        }

        n = gql_number_format(result->u.number, text);
        gql_put_literal(buf, "\"");
        gql_put(buf, text, n);
        gql_put_literal(buf, "\"");
        return true;

    default:
        return false;
    }
}


static bool
gql_serialize_boolean(prompt_buf_t *buf, const gql_result_t *result)
{
    bool  value;

    switch (result->kind) {

    case GQL_RESULT_BOOLEAN:
        value = result->u.boolean;
        break;

    case GQL_RESULT_INTEGER:
        value = result->u.integer != 0;
        break;

    case GQL_RESULT_DOUBLE:
        if (!isfinite(result->u.number)) {
            return false;
        }

        value = result->u.number != 0;
        break;

    default:
        return false;
    }

    prompt_buf_str(buf, value ? prompt_str("true") : prompt_str("false"));

    return true;
}


static bool
gql_serialize_id(prompt_buf_t *buf, const gql_result_t *result)
{
    if (result->kind == GQL_RESULT_DOUBLE
        && !gql_number_is_integer(result->u.number))
    {
        return false;
    }

    return result->kind != GQL_RESULT_BOOLEAN
           && gql_serialize_string(buf, result);
}


/* Number() of a result; false where that is NaN, or there is none */

static bool
gql_serialize_number(const gql_result_t *result, double *out)
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
        return gql_number_parse(result->u.text, out);

    default:
        return false;
    }
}


prompt_str_t
gql_inspect_result(gql_execution_t *e, const gql_result_t *result)
{
    char           text[GQL_NUMBER_SIZE];
    size_t         n;
    prompt_str_t   shown;
    prompt_json_t  value;

    memset(&value, 0, sizeof(value));

    switch (result->kind) {

    case GQL_RESULT_NULL:
        return prompt_str("null");

    case GQL_RESULT_BOOLEAN:
        return result->u.boolean ? prompt_str("true") : prompt_str("false");

    case GQL_RESULT_INTEGER:
        shown = prompt_arena_printf(e->arena, "%" PRId64, result->u.integer);
        break;

    case GQL_RESULT_DOUBLE:
        n = gql_number_format(result->u.number, text);
        shown = prompt_arena_copy(e->arena, prompt_str_of(text, n));
        break;

    case GQL_RESULT_STRING:
    case GQL_RESULT_JSON_TEXT:
        value.type = PROMPT_JSON_STRING;
        value.text = result->u.text;
        shown = gql_inspect(e->arena, &value);
        break;

    case GQL_RESULT_LIST:
    case GQL_RESULT_LIST_NOTED:
        return prompt_str("[Array]");

    case GQL_RESULT_OBJECT:
        if (result->u.object.type == NULL) {
            return prompt_str("[Object]");
        }

        shown = prompt_arena_printf(e->arena, "{ __typename: \"%.*s\" }",
                              prompt_str_arg(result->u.object.type->name));
        break;

    default:  /* GQL_RESULT_ERROR */
        return result->u.error->message;
    }

    return shown.data != NULL ? shown : prompt_str("");
}
