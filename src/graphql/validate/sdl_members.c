/*
 * SDL rules about the members of a type: values, fields, arguments
 * (specification, 3.6 to 3.10, 3.13).  A type and its extensions count as one.
 */

#include "graphql/validate/sdl_rules.h"


/*
 * UniqueEnumValueNamesRule (3.9): an enum has each value once.
 *
 *     good:  enum E { A } extend enum E { B }
 *     bad:   enum E { A } extend enum E { A }
 */
void
gql_sdl_unique_enum_value_names(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives)
{
    gql_error_t                        *error;
    gql_table_t                        *names;
    prompt_str_t                        type;
    const gql_name_t                   *name, *known;
    const gql_type_t                   *existing;
    const gql_type_definition_t        *definition;
    const gql_enum_value_definition_t  *value;

    (void) directives;

    if (node->kind != GQL_ENUM_TYPE_DEFINITION
        && node->kind != GQL_ENUM_TYPE_EXTENSION)
    {
        return;
    }

    definition = (const gql_type_definition_t *) node;
    type = definition->name->value;
    existing = sdl->base != NULL ? gql_schema_type(sdl->base, type) : NULL;

    names = gql_sdl_table(sdl, &sdl->enum_values, type);
    if (names == NULL) {
        return;
    }

    gql_list_each (value, &definition->values) {
        name = value->name;

        if (existing != NULL
            && gql_type_enum_value(existing, name->value) != NULL)
        {
            error = gql_errors_add(sdl->errors, "Enum value \"%.*s.%.*s\" "
                                   "already exists in the schema. It cannot "
                                   "also be defined in this type extension.",
                                   gql_error_arg(type),
                                   gql_error_arg(name->value));
            gql_sdl_error_at(sdl, error, &name->node, NULL);
            continue;
        }

        known = gql_table_get(names, name->value);

        if (known != NULL) {
            error = gql_errors_add(sdl->errors, "Enum value \"%.*s.%.*s\" can "
                                   "only be defined once.",
                                   gql_error_arg(type),
                                   gql_error_arg(name->value));
            gql_sdl_error_at(sdl, error, &known->node, &name->node);
            continue;
        }

        if (!gql_sdl_remember(sdl, &names, name->value, name)) {
            return;
        }
    }
}


static bool
gql_sdl_has_field(const gql_type_t *type, prompt_str_t name)
{
    return type != NULL
           && (gql_type_field(type, name) != NULL
               || gql_type_input_field(type, name) != NULL);
}


/* The name of a field of any kind: of an output type or an input object. */
static const gql_name_t *
gql_sdl_field_name(const gql_node_t *node)
{
    if (node->kind == GQL_FIELD_DEFINITION) {
        return ((const gql_field_definition_t *) node)->name;
    }

    return ((const gql_input_value_definition_t *) node)->name;
}


/*
 * UniqueFieldDefinitionNamesRule (3.6, 3.7, 3.10): a type has each field once.
 *
 *     good:  type A { a: Int } extend type A { b: Int }
 *     bad:   type A { a: Int a: Int }
 */
void
gql_sdl_unique_field_definition_names(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives)
{
    gql_error_t                  *error;
    gql_table_t                  *names;
    prompt_str_t                  type;
    const gql_name_t             *name, *known;
    const gql_node_t             *field;
    const gql_type_t             *existing;
    const gql_type_definition_t  *definition;

    (void) directives;

    if (!gql_sdl_is_definition(node->kind)
        && !gql_sdl_is_extension(node->kind))
    {
        return;
    }

    definition = (const gql_type_definition_t *) node;

    if (definition->fields.count == 0) {
        return;
    }

    type = definition->name->value;
    existing = sdl->base != NULL ? gql_schema_type(sdl->base, type) : NULL;

    names = gql_sdl_table(sdl, &sdl->fields, type);
    if (names == NULL) {
        return;
    }

    gql_list_each (field, &definition->fields) {
        name = gql_sdl_field_name(field);

        if (gql_sdl_has_field(existing, name->value)) {
            error = gql_errors_add(sdl->errors, "Field \"%.*s.%.*s\" already "
                                   "exists in the schema. It cannot also be "
                                   "defined in this type extension.",
                                   gql_error_arg(type),
                                   gql_error_arg(name->value));
            gql_sdl_error_at(sdl, error, &name->node, NULL);
            continue;
        }

        known = gql_table_get(names, name->value);

        if (known != NULL) {
            error = gql_errors_add(sdl->errors, "Field \"%.*s.%.*s\" can only "
                                   "be defined once.", gql_error_arg(type),
                                   gql_error_arg(name->value));
            gql_sdl_error_at(sdl, error, &known->node, &name->node);
            continue;
        }

        if (!gql_sdl_remember(sdl, &names, name->value, name)) {
            return;
        }
    }
}


typedef struct {
    prompt_str_t  type;              /* absent: a directive */
    prompt_str_t  member;
} gql_sdl_parent_t;


static gql_error_t *
gql_sdl_report_argument(gql_sdl_t *sdl, const void *data,
    const gql_name_t *name)
{
    const gql_sdl_parent_t  *parent;

    parent = data;

    if (parent->type.data == NULL) {
        return gql_errors_add(sdl->errors, "Argument \"@%.*s(%.*s:)\" can "
                              "only be defined once.",
                              gql_error_arg(parent->member),
                              gql_error_arg(name->value));
    }

    return gql_errors_add(sdl->errors, "Argument \"%.*s.%.*s(%.*s:)\" can "
                          "only be defined once.",
                          gql_error_arg(parent->type),
                          gql_error_arg(parent->member),
                          gql_error_arg(name->value));
}


/*
 * UniqueArgumentDefinitionNamesRule (3.6.1, 3.13): a field or directive has
 * each argument once.
 *
 *     good:  type A { a(b: Int, c: Int): Int }
 *     bad:   type A { a(b: Int, b: Int): Int }
 */
void
gql_sdl_unique_argument_definition_names(gql_sdl_t *sdl,
    const gql_node_t *node, const gql_list_t *directives)
{
    gql_sdl_parent_t                   parent;
    const gql_type_definition_t       *type;
    const gql_field_definition_t      *field;
    const gql_directive_definition_t  *directive;

    (void) directives;

    switch (node->kind) {

    case GQL_DIRECTIVE_DEFINITION:
        directive = (const gql_directive_definition_t *) node;
        parent.type = prompt_str_absent;
        parent.member = directive->name->value;

        gql_sdl_unique(sdl, &directive->arguments, gql_sdl_field_name,
                       gql_sdl_report_argument, &parent);
        break;

    case GQL_OBJECT_TYPE_DEFINITION:
    case GQL_OBJECT_TYPE_EXTENSION:
    case GQL_INTERFACE_TYPE_DEFINITION:
    case GQL_INTERFACE_TYPE_EXTENSION:
        type = (const gql_type_definition_t *) node;
        parent.type = type->name->value;

        gql_list_each (field, &type->fields) {
            parent.member = field->name->value;

            gql_sdl_unique(sdl, &field->arguments, gql_sdl_field_name,
                           gql_sdl_report_argument, &parent);
        }

        break;

    default:
        break;
    }
}
