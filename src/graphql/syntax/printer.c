/*
 * Printer: values and types.
 */

#include "graphql/syntax/printer_impl.h"


static void
gql_print_items(gql_printer_t *p, const gql_list_t *items)
{
    const gql_node_t          *item;
    const gql_object_field_t  *field;

    gql_list_each(item, items) {
        if (item != items->first) {
            gql_print_literal(p, ", ");
        }

        if (item->kind != GQL_OBJECT_FIELD) {
            gql_print_value_node(p, (const gql_value_t *) item);
            continue;
        }

        field = (const gql_object_field_t *) item;
        gql_print_name(p, field->name);
        gql_print_literal(p, ": ");
        gql_print_value_node(p, field->value);
    }
}


void
gql_print_value_node(gql_printer_t *p, const gql_value_t *value)
{
    switch (value->node.kind) {

    case GQL_VARIABLE:
        prompt_buf_char(p->buf, '$');
        gql_print_str(p, value->text);
        break;

    case GQL_STRING:
        if (value->block) {
            gql_print_block_string(p, value->text);

        } else {
            gql_print_string(p, value->text);
        }

        break;

    case GQL_BOOLEAN:
        gql_print_str(p, value->boolean ? prompt_str("true")
                                        : prompt_str("false"));
        break;

    case GQL_NULL:
        gql_print_literal(p, "null");
        break;

    case GQL_LIST:
        prompt_buf_char(p->buf, '[');
        gql_print_items(p, &value->items);
        prompt_buf_char(p->buf, ']');
        break;

    case GQL_OBJECT:
        prompt_buf_char(p->buf, '{');
        gql_print_items(p, &value->items);
        prompt_buf_char(p->buf, '}');
        break;

    default: /* GQL_INT, GQL_FLOAT, GQL_ENUM */
        gql_print_str(p, value->text);
    }
}


void
gql_print_type_node(gql_printer_t *p, const gql_type_node_t *type)
{
    switch (type->node.kind) {

    case GQL_LIST_TYPE:
        prompt_buf_char(p->buf, '[');
        gql_print_type_node(p, type->of);
        prompt_buf_char(p->buf, ']');
        break;

    case GQL_NON_NULL_TYPE:
        gql_print_type_node(p, type->of);
        prompt_buf_char(p->buf, '!');
        break;

    default: /* GQL_NAMED_TYPE */
        gql_print_name(p, type->name);
    }
}


void
gql_print(prompt_buf_t *buf, const gql_node_t *node)
{
    gql_printer_t  p;

    p.buf = buf;
    p.indent = 0;

    switch (node->kind) {

    case GQL_NAMED_TYPE:
    case GQL_LIST_TYPE:
    case GQL_NON_NULL_TYPE:
        gql_print_type_node(&p, (const gql_type_node_t *) node);
        break;

    default:
        gql_print_value_node(&p, (const gql_value_t *) node);
    }
}
