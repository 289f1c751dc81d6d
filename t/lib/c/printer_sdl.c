/*
 * SDL as text: type system definitions and extensions.
 */

#include "printer.h"


/* of a field or directive definition */
static void
gql_print_argument_definitions(gql_printer_t *p, const gql_list_t *list)
{
    size_t  from;

    if (list->count == 0) {
        return;
    }

    from = gql_print_inline(p, list);

    if (gql_print_is_multiline(p, from)) {
        prompt_buf_truncate(p->buf, from);
        gql_print_lines(p, '(', list, ')');
    }
}


static void
gql_print_schema(gql_printer_t *p, const gql_schema_definition_t *schema)
{
    gql_print_description(p, schema->description);

    if (schema->node.kind == GQL_SCHEMA_EXTENSION) {
        gql_print_literal(p, "extend ");
    }

    gql_print_literal(p, "schema");
    gql_print_directives(p, &schema->directives);
    gql_print_block(p, &schema->operation_types);
}


static void
gql_print_root_type(gql_printer_t *p,
    const gql_operation_type_definition_t *root)
{
    gql_print_str(p, gql_print_operation_type(root->operation));
    gql_print_literal(p, ": ");
    gql_print_node(p, &root->type->node);
}


static void
gql_print_field_definition(gql_printer_t *p,
    const gql_field_definition_t *field)
{
    gql_print_description(p, field->description);
    gql_print_name(p, field->name);
    gql_print_argument_definitions(p, &field->arguments);
    gql_print_literal(p, ": ");
    gql_print_node(p, &field->type->node);
    gql_print_directives(p, &field->directives);
}


static void
gql_print_input_value(gql_printer_t *p,
    const gql_input_value_definition_t *input)
{
    gql_print_description(p, input->description);
    gql_print_name(p, input->name);
    gql_print_literal(p, ": ");
    gql_print_node(p, &input->type->node);

    if (input->default_value != NULL) {
        gql_print_literal(p, " = ");
        gql_print_node(p, &input->default_value->node);
    }

    gql_print_directives(p, &input->directives);
}


static void
gql_print_enum_value(gql_printer_t *p,
    const gql_enum_value_definition_t *value)
{
    gql_print_description(p, value->description);
    gql_print_name(p, value->name);
    gql_print_directives(p, &value->directives);
}


/* of the definition or extension of a type */
static prompt_str_t
gql_print_type_keyword(gql_kind_t kind)
{
    switch ((unsigned) kind) {

    case GQL_SCALAR_TYPE_DEFINITION:
        return prompt_str("scalar ");

    case GQL_OBJECT_TYPE_DEFINITION:
        return prompt_str("type ");

    case GQL_INTERFACE_TYPE_DEFINITION:
        return prompt_str("interface ");

    case GQL_UNION_TYPE_DEFINITION:
        return prompt_str("union ");

    case GQL_ENUM_TYPE_DEFINITION:
        return prompt_str("enum ");

    case GQL_INPUT_OBJECT_TYPE_DEFINITION:
        return prompt_str("input ");

    case GQL_SCALAR_TYPE_EXTENSION:
        return prompt_str("extend scalar ");

    case GQL_OBJECT_TYPE_EXTENSION:
        return prompt_str("extend type ");

    case GQL_INTERFACE_TYPE_EXTENSION:
        return prompt_str("extend interface ");

    case GQL_UNION_TYPE_EXTENSION:
        return prompt_str("extend union ");

    case GQL_ENUM_TYPE_EXTENSION:
        return prompt_str("extend enum ");

    default: /* GQL_INPUT_OBJECT_TYPE_EXTENSION */
        return prompt_str("extend input ");
    }
}


static void
gql_print_type_definition(gql_printer_t *p, const gql_type_definition_t *type)
{
    gql_print_description(p, type->description);
    gql_print_str(p, gql_print_type_keyword(type->node.kind));
    gql_print_name(p, type->name);

    if (type->interfaces.count != 0) {
        gql_print_literal(p, " implements ");
        gql_print_list(p, &type->interfaces, prompt_str(" & "));
    }

    gql_print_directives(p, &type->directives);

    if (type->types.count != 0) {
        gql_print_literal(p, " = ");
        gql_print_list(p, &type->types, prompt_str(" | "));
    }

    gql_print_block(p, &type->fields);
    gql_print_block(p, &type->values);
}


static void
gql_print_directive_definition(gql_printer_t *p,
    const gql_directive_definition_t *directive)
{
    gql_print_description(p, directive->description);
    gql_print_literal(p, "directive @");
    gql_print_name(p, directive->name);
    gql_print_argument_definitions(p, &directive->arguments);

    if (directive->repeatable) {
        gql_print_literal(p, " repeatable");
    }

    gql_print_literal(p, " on ");
    gql_print_list(p, &directive->locations, prompt_str(" | "));
}


void
gql_print_type_system(gql_printer_t *p, const gql_node_t *node)
{
    const void  *n;

    n = node;

    switch ((unsigned) node->kind) {

    case GQL_SCHEMA_DEFINITION:
    case GQL_SCHEMA_EXTENSION:
        gql_print_schema(p, n);
        break;

    case GQL_OPERATION_TYPE_DEFINITION:
        gql_print_root_type(p, n);
        break;

    case GQL_FIELD_DEFINITION:
        gql_print_field_definition(p, n);
        break;

    case GQL_INPUT_VALUE_DEFINITION:
        gql_print_input_value(p, n);
        break;

    case GQL_ENUM_VALUE_DEFINITION:
        gql_print_enum_value(p, n);
        break;

    case GQL_DIRECTIVE_DEFINITION:
        gql_print_directive_definition(p, n);
        break;

    default: /* definitions and extensions of types */
        gql_print_type_definition(p, n);
    }
}
