/*
 * Type validation of interfaces (specification, 3.6 and 3.7, "Type
 * Validation", IsValidImplementation): whoever implements one has its fields,
 * with their arguments, and implements what it implements.
 */

#include "graphql/types/schema_validate_impl.h"


/* At every place where a type names an interface. */
static void
gql_schema_error_at_implements(gql_schema_check_t *check, gql_error_t *error,
    const gql_type_t *type, const gql_type_t *interface)
{
    uint32_t                      i;
    const gql_type_node_t        *node;
    const gql_type_definition_t  *part;

    for (i = 0; i <= type->nextensions; i++) {
        part = i == 0 ? type->ast : type->extensions[i - 1];

        if (part == NULL) {
            continue;
        }

        gql_list_each (node, &part->interfaces) {
            if (prompt_str_eq(node->name->value, interface->name)) {
                gql_schema_error_at(check, error, node);
            }
        }
    }
}


static const gql_input_value_t *
gql_schema_find_arg(const gql_field_def_t *field, prompt_str_t name)
{
    uint32_t  i;

    for (i = 0; i < field->nargs; i++) {
        if (prompt_str_eq(field->args[i].name, name)) {
            return &field->args[i];
        }
    }

    return NULL;
}


static const gql_type_node_t *
gql_schema_field_type(const gql_field_def_t *field)
{
    return field->ast != NULL ? field->ast->type : NULL;
}


static const gql_type_node_t *
gql_schema_arg_type(const gql_input_value_t *arg)
{
    return arg->ast != NULL ? arg->ast->type : NULL;
}


/* An argument of the interface's field is there, of the same type. */
static void
gql_schema_check_implemented_arg(gql_schema_check_t *check,
    const gql_type_t *type, const gql_type_t *interface,
    const gql_field_def_t *field, const gql_input_value_t *wanted)
{
    gql_error_t              *error;
    const gql_input_value_t  *arg;

    arg = gql_schema_find_arg(field, wanted->name);

    if (arg == NULL) {
        error = gql_errors_add(check->errors, "Interface field argument "
                               "%.*s.%.*s(%.*s:) expected but %.*s.%.*s does "
                               "not provide it.",
                               prompt_str_arg(interface->name),
                               prompt_str_arg(field->name),
                               prompt_str_arg(wanted->name),
                               prompt_str_arg(type->name),
                               prompt_str_arg(field->name));
        gql_schema_error_at(check, error, wanted->ast);
        gql_schema_error_at(check, error, field->ast);
        return;
    }

    if (gql_ref_equal(wanted->type, arg->type)) {
        return;
    }

    error = gql_errors_add(check->errors, "Interface field argument %.*s.%.*s"
                           "(%.*s:) expects type %.*s but %.*s.%.*s(%.*s:) is "
                           "type %.*s.", prompt_str_arg(interface->name),
                           prompt_str_arg(field->name),
                           prompt_str_arg(wanted->name),
                           prompt_str_arg(wanted->type->text),
                           prompt_str_arg(type->name),
                           prompt_str_arg(field->name),
                           prompt_str_arg(wanted->name),
                           prompt_str_arg(arg->type->text));
    gql_schema_error_at(check, error, gql_schema_arg_type(wanted));
    gql_schema_error_at(check, error, gql_schema_arg_type(arg));
}


/* A field of the interface is there, of the same type or one below it. */
static void
gql_schema_check_implemented_field(gql_schema_check_t *check,
    const gql_type_t *type, const gql_type_t *interface,
    const gql_field_def_t *wanted)
{
    uint32_t                  i;
    gql_error_t              *error;
    const gql_field_def_t    *field;
    const gql_input_value_t  *arg;

    field = gql_type_field(type, wanted->name);

    if (field == NULL) {
        error = gql_errors_add(check->errors, "Interface field %.*s.%.*s "
                               "expected but %.*s does not provide it.",
                               prompt_str_arg(interface->name),
                               prompt_str_arg(wanted->name),
                               prompt_str_arg(type->name));
        gql_schema_error_at(check, error, wanted->ast);
        gql_schema_error_at_type(check, error, type);
        return;
    }

    if (!gql_ref_is_sub_type(field->type, wanted->type)) {
        error = gql_errors_add(check->errors, "Interface field %.*s.%.*s "
                               "expects type %.*s but %.*s.%.*s is type "
                               "%.*s.", prompt_str_arg(interface->name),
                               prompt_str_arg(wanted->name),
                               prompt_str_arg(wanted->type->text),
                               prompt_str_arg(type->name),
                               prompt_str_arg(wanted->name),
                               prompt_str_arg(field->type->text));
        gql_schema_error_at(check, error, gql_schema_field_type(wanted));
        gql_schema_error_at(check, error, gql_schema_field_type(field));
    }

    for (i = 0; i < wanted->nargs; i++) {
        gql_schema_check_implemented_arg(check, type, interface, field,
                                         &wanted->args[i]);
    }

    for (i = 0; i < field->nargs; i++) {
        arg = &field->args[i];

        if (!gql_schema_is_required(arg)
            || gql_schema_find_arg(wanted, arg->name) != NULL)
        {
            continue;
        }

        error = gql_errors_add(check->errors, "Object field %.*s.%.*s "
                               "includes required argument %.*s that is "
                               "missing from the Interface field %.*s.%.*s.",
                               prompt_str_arg(type->name),
                               prompt_str_arg(field->name),
                               prompt_str_arg(arg->name),
                               prompt_str_arg(interface->name),
                               prompt_str_arg(wanted->name));
        gql_schema_error_at(check, error, arg->ast);
        gql_schema_error_at(check, error, wanted->ast);
    }
}


/* What an interface implements, its implementer says to implement, too. */
static void
gql_schema_check_ancestors(gql_schema_check_t *check, const gql_type_t *type,
    const gql_type_t *interface)
{
    uint32_t           i;
    gql_error_t       *error;
    const gql_type_t  *ancestor;

    for (i = 0; i < interface->ninterfaces; i++) {
        ancestor = interface->interfaces[i];

        if (check->listed[ancestor->index] == type) {
            continue;
        }

        if (ancestor == type) {
            error = gql_errors_add(check->errors, "Type %.*s cannot implement "
                                   "%.*s because it would create a circular "
                                   "reference.", prompt_str_arg(type->name),
                                   prompt_str_arg(interface->name));

        } else {
            error = gql_errors_add(check->errors, "Type %.*s must implement "
                                   "%.*s because it is implemented by %.*s.",
                                   prompt_str_arg(type->name),
                                   prompt_str_arg(ancestor->name),
                                   prompt_str_arg(interface->name));
        }

        gql_schema_error_at_implements(check, error, interface, ancestor);
        gql_schema_error_at_implements(check, error, type, interface);
    }
}


void
gql_schema_check_interfaces(gql_schema_check_t *check, const gql_type_t *type)
{
    uint32_t           i, j;
    gql_error_t       *error;
    const gql_type_t  *interface;

    for (i = 0; i < type->ninterfaces; i++) {
        check->listed[type->interfaces[i]->index] = type;
    }

    for (i = 0; i < type->ninterfaces; i++) {
        interface = type->interfaces[i];

        if (interface->kind != GQL_TYPE_INTERFACE) {
            error = gql_errors_add(check->errors, "Type %.*s must only "
                                   "implement Interface types, it cannot "
                                   "implement %.*s.",
                                   prompt_str_arg(type->name),
                                   prompt_str_arg(interface->name));
            gql_schema_error_at_implements(check, error, type, interface);
            continue;
        }

        if (interface == type) {
            error = gql_errors_add(check->errors, "Type %.*s cannot implement "
                                   "itself because it would create a circular "
                                   "reference.", prompt_str_arg(type->name));
            gql_schema_error_at_implements(check, error, type, interface);
            continue;
        }

        if (check->seen[interface->index] == type) {
            error = gql_errors_add(check->errors, "Type %.*s can only "
                                   "implement %.*s once.",
                                   prompt_str_arg(type->name),
                                   prompt_str_arg(interface->name));
            gql_schema_error_at_implements(check, error, type, interface);
            continue;
        }

        check->seen[interface->index] = type;

        gql_schema_check_ancestors(check, type, interface);

        for (j = 0; j < interface->nfields; j++) {
            gql_schema_check_implemented_field(check, type, interface,
                                               &interface->fields[j]);
        }
    }
}
