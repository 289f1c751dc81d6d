/*
 * Leaf values in the answer (specification 3.5, "Result Coercion").
 *
 * A resolver gives what the type is made of; anything else is refused in the
 * words of graphql-js, which would turn some of it into the type.
 */

#include "graphql/execute/execute_impl.h"
#include "graphql/values/inspect.h"
#include "graphql/values/number.h"

#include <inttypes.h>
#include <math.h>


static gql_done_t gql_serialize_fail(gql_execution_t *e,
    const gql_plan_field_t *field, const gql_type_t *type,
    const gql_result_t *result, const gql_path_t *path);


gql_done_t
gql_serialize(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_t *type, const gql_result_t *result,
    const gql_path_t *path)
{
    if (type->kind == GQL_TYPE_ENUM) {
        if (result->kind != GQL_RESULT_STRING
            || gql_type_enum_value(type, result->u.text) == NULL)
        {
            return gql_serialize_fail(e, field, type, result, path);
        }

        gql_put_literal(e->buf, "\"");
        gql_put(e->buf, result->u.text.data, result->u.text.len);
        gql_put_literal(e->buf, "\"");

        return GQL_DONE;
    }

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
        if (type->scalar == GQL_SCALAR_FLOAT
            || (type->scalar == GQL_SCALAR_INT
                && result->u.integer <= INT32_MAX
                && result->u.integer >= INT32_MIN))
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

    case GQL_RESULT_DOUBLE:
        if (type->scalar == GQL_SCALAR_FLOAT && isfinite(result->u.number)) {
            prompt_json_write_double(e->buf, result->u.number);
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

    return gql_serialize_fail(e, field, type, result, path);
}


static gql_done_t
gql_serialize_fail(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_t *type, const gql_result_t *result,
    const gql_path_t *path)
{
    const char    *message;
    prompt_str_t   shown;

    static const char *const  messages[] = {
        [GQL_SCALAR_CUSTOM] = "Custom scalar cannot represent value: ",
        [GQL_SCALAR_INT] = "Int cannot represent non-integer value: ",
        [GQL_SCALAR_FLOAT] = "Float cannot represent non numeric value: ",
        [GQL_SCALAR_STRING] = "String cannot represent value: ",
        [GQL_SCALAR_BOOLEAN] =
            "Boolean cannot represent a non boolean value: ",
        [GQL_SCALAR_ID] = "ID cannot represent value: "
    };

    shown = gql_inspect_result(e, result);

    if (type->kind == GQL_TYPE_ENUM) {
        return gql_failf(e, field, path,
                         "Enum \"%.*s\" cannot represent value: %.*s",
                         prompt_str_arg(type->name), prompt_str_arg(shown));
    }

    message = messages[type->scalar];

    if (type->scalar == GQL_SCALAR_INT && result->kind == GQL_RESULT_INTEGER) {
        message = "Int cannot represent non 32-bit signed integer value: ";
    }

    return gql_failf(e, field, path, "%s%.*s", message,
                     prompt_str_arg(shown));
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
