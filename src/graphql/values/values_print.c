/*
 * Values as GraphQL text: astFromValue() of graphql-js, printed.
 *
 * Recursion is bounded by the nesting of the value and of the type.
 */

#include "graphql/values/values.h"
#include "graphql/values/number.h"
#include "graphql/syntax/printer.h"

#include "base/scan.h"


static bool gql_print_list(prompt_buf_t *buf, const prompt_json_t *value,
    const gql_type_ref_t *type);
static bool gql_print_object(prompt_buf_t *buf, const prompt_json_t *value,
    const gql_type_t *type);
static bool gql_print_leaf(prompt_buf_t *buf, const prompt_json_t *value,
    const gql_type_t *type);
static bool gql_print_number(prompt_buf_t *buf, const prompt_json_t *value,
    const gql_type_t *type);
static void gql_print_string(prompt_buf_t *buf, prompt_str_t text);
static bool gql_print_is_integer(prompt_str_t text);


bool
gql_print_value(prompt_buf_t *buf, const prompt_json_t *value,
    const gql_type_ref_t *type)
{
    if (type->kind == GQL_REF_NON_NULL) {
        return value->type != PROMPT_JSON_NULL
               && gql_print_value(buf, value, type->of);
    }

    if (value->type == PROMPT_JSON_NULL) {
        prompt_buf_literal(buf, "null");
        return true;
    }

    if (type->kind == GQL_REF_LIST) {
        if (value->type == PROMPT_JSON_ARRAY) {
            return gql_print_list(buf, value, type->of);
        }

        return gql_print_value(buf, value, type->of);
    }

    if (type->type->kind == GQL_TYPE_INPUT_OBJECT) {
        return gql_print_object(buf, value, type->type);
    }

    return gql_print_leaf(buf, value, type->type);
}


/* what cannot be printed is left out, as graphql-js does */
static bool
gql_print_list(prompt_buf_t *buf, const prompt_json_t *value,
    const gql_type_ref_t *type)
{
    bool                  first;
    size_t                mark;
    const prompt_json_t  *item;

    prompt_buf_char(buf, '[');
    first = true;

    for (item = value->first; item != NULL; item = item->next) {
        mark = buf->len;

        if (!first) {
            prompt_buf_literal(buf, ", ");
        }

        if (gql_print_value(buf, item, type)) {
            first = false;

        } else {
            prompt_buf_truncate(buf, mark);
        }
    }

    prompt_buf_char(buf, ']');

    return true;
}


static bool
gql_print_object(prompt_buf_t *buf, const prompt_json_t *value,
    const gql_type_t *type)
{
    bool                      first;
    size_t                    mark;
    uint32_t                  i;
    const prompt_json_t      *member;
    const gql_input_value_t  *field;

    if (value->type != PROMPT_JSON_OBJECT) {
        return false;
    }

    prompt_buf_char(buf, '{');
    first = true;

    for (i = 0; i < type->ninput_fields; i++) {
        field = &type->input_fields[i];
        member = prompt_json_get(value, field->name);

        if (member == NULL) {
            continue;
        }

        mark = buf->len;

        if (!first) {
            prompt_buf_literal(buf, ", ");
        }

        prompt_buf_str(buf, field->name);
        prompt_buf_literal(buf, ": ");

        if (gql_print_value(buf, member, field->type)) {
            first = false;

        } else {
            prompt_buf_truncate(buf, mark);
        }
    }

    prompt_buf_char(buf, '}');

    return true;
}


static bool
gql_print_leaf(prompt_buf_t *buf, const prompt_json_t *value,
    const gql_type_t *type)
{
    if (type->kind == GQL_TYPE_ENUM) {
        if (value->type != PROMPT_JSON_STRING
            || gql_type_enum_value(type, value->text) == NULL)
        {
            return false;
        }

        prompt_buf_str(buf, value->text);
        return true;
    }

    switch (value->type) {

    case PROMPT_JSON_BOOLEAN:
        if (type->scalar != GQL_SCALAR_CUSTOM
            && type->scalar != GQL_SCALAR_BOOLEAN)
        {
            return false;
        }

        prompt_buf_str(buf, value->boolean ? prompt_str("true")
                                           : prompt_str("false"));
        return true;

    case PROMPT_JSON_NUMBER:
        return gql_print_number(buf, value, type);

    case PROMPT_JSON_STRING:
        if (type->scalar == GQL_SCALAR_ID && gql_print_is_integer(value->text))
        {
            prompt_buf_str(buf, value->text);
            return true;
        }

        if (type->scalar != GQL_SCALAR_CUSTOM
            && type->scalar != GQL_SCALAR_STRING
            && type->scalar != GQL_SCALAR_ID)
        {
            return false;
        }

        gql_print_string(buf, value->text);
        return true;

    default:

        /* of a custom scalar; graphql-js has no literal for it either */

        return false;
    }
}


static bool
gql_print_number(prompt_buf_t *buf, const prompt_json_t *value,
    const gql_type_t *type)
{
    char    text[GQL_NUMBER_SIZE];
    double  number;
    size_t  n;

    number = gql_number_value(value);

    switch (type->scalar) {

    case GQL_SCALAR_INT:
        if (!gql_number_is_integer(number) || number < INT32_MIN
            || number > INT32_MAX)
        {
            return false;
        }

        break;

    case GQL_SCALAR_FLOAT:
    case GQL_SCALAR_CUSTOM:
        if (!prompt_json_double(value, &number)) {
            return false;
        }

        break;

    default:
        return false;
    }

    n = gql_number_format(number, text);
    prompt_buf_append(buf, text, n);

    return true;
}


static void
gql_print_string(prompt_buf_t *buf, prompt_str_t text)
{
    gql_value_t  node;

    memset(&node, 0, sizeof(node));
    node.node.kind = GQL_STRING;
    node.text = text;

    gql_print(buf, &node.node);
}


/* an IntValue of the grammar */
static bool
gql_print_is_integer(prompt_str_t text)
{
    (void) prompt_scan_char(&text, '-');

    return (prompt_scan_char(&text, '0') || prompt_scan_digits(&text) != 0)
           && text.len == 0;
}
