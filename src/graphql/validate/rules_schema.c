/*
 * SDL rules about definitions as a whole: schema, types, directives
 * (specification, 3.3 to 3.13).
 */

#include "graphql/validate/sdl_rules.h"


/*
 * LoneSchemaDefinitionRule (3.3): a document defines the schema at most once,
 * and not at all where it extends one.
 *
 *     good:  schema { query: Q }
 *     bad:   schema { query: Q } schema { query: R }
 */
void
gql_sdl_lone_schema_definition(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives)
{
    gql_error_t         *error;
    const gql_schema_t  *base;

    (void) directives;

    if (node->kind != GQL_SCHEMA_DEFINITION) {
        return;
    }

    base = sdl->base;

    if (base != NULL
        && (base->ast != NULL || base->query != NULL
            || base->mutation != NULL || base->subscription != NULL))
    {
        error = gql_errors_add(sdl->errors, "Cannot define a new schema "
                               "within a schema extension.");
        gql_sdl_error_at(sdl, error, node, NULL);
        return;
    }

    if (sdl->nschemas++ > 0) {
        error = gql_errors_add(sdl->errors,
                               "Must provide only one schema definition.");
        gql_sdl_error_at(sdl, error, node, NULL);
    }
}


/*
 * UniqueOperationTypesRule (3.3.1): each operation has one root type.
 *
 *     good:  schema { query: Q } extend schema { mutation: M }
 *     bad:   schema { query: Q query: R }
 */
void
gql_sdl_unique_operation_types(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives)
{
    const char                             *name;
    gql_error_t                            *error;
    gql_operation_type_t                    operation;
    const gql_schema_definition_t          *schema;
    const gql_operation_type_definition_t  *item;

    static const char *const  names[] = {
        "query", "mutation", "subscription"
    };

    (void) directives;

    if (node->kind != GQL_SCHEMA_DEFINITION
        && node->kind != GQL_SCHEMA_EXTENSION)
    {
        return;
    }

    schema = (const gql_schema_definition_t *) node;

    gql_list_each (item, &schema->operation_types) {
        operation = item->operation;
        name = names[operation];

        if (sdl->base != NULL
            && gql_schema_root(sdl->base, operation) != NULL)
        {
            error = gql_errors_add(sdl->errors, "Type for %s already defined "
                                   "in the schema. It cannot be redefined.",
                                   name);
            gql_sdl_error_at(sdl, error, &item->node, NULL);

        } else if (sdl->operations[operation] != NULL) {
            error = gql_errors_add(sdl->errors, "There can be only one %s "
                                   "type in schema.", name);
            gql_sdl_error_at(sdl, error, sdl->operations[operation],
                             &item->node);

        } else {
            sdl->operations[operation] = &item->node;
        }
    }
}


/*
 * UniqueTypeNamesRule (3.3): types have names of their own.
 *
 *     good:  type A { a: Int } type B { a: Int }
 *     bad:   type A { a: Int } scalar A
 */
void
gql_sdl_unique_type_names(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives)
{
    gql_error_t       *error;
    const gql_name_t  *name, *known;

    (void) directives;

    if (!gql_sdl_is_definition(node->kind)) {
        return;
    }

    name = ((const gql_type_definition_t *) node)->name;

    if (sdl->base != NULL
        && gql_schema_type(sdl->base, name->value) != NULL)
    {
        error = gql_errors_add(sdl->errors, "Type \"%.*s\" already exists in "
                               "the schema. It cannot also be defined in this "
                               "type definition.",
                               gql_error_arg(name->value));
        gql_sdl_error_at(sdl, error, &name->node, NULL);
        return;
    }

    known = gql_table_get(sdl->type_names, name->value);

    if (known != NULL) {
        error = gql_errors_add(sdl->errors, "There can be only one type named "
                               "\"%.*s\".", gql_error_arg(name->value));
        gql_sdl_error_at(sdl, error, &known->node, &name->node);
        return;
    }

    (void) gql_sdl_remember(sdl, &sdl->type_names, name->value, name);
}


/*
 * UniqueDirectiveNamesRule (3.13): directives have names of their own.
 *
 *     good:  directive @a on FIELD directive @b on FIELD
 *     bad:   directive @a on FIELD directive @a on QUERY
 */
void
gql_sdl_unique_directive_names(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives)
{
    gql_error_t       *error;
    const gql_name_t  *name, *known;

    (void) directives;

    if (node->kind != GQL_DIRECTIVE_DEFINITION) {
        return;
    }

    name = ((const gql_directive_definition_t *) node)->name;

    if (sdl->base != NULL
        && gql_schema_directive(sdl->base, name->value) != NULL)
    {
        error = gql_errors_add(sdl->errors, "Directive \"@%.*s\" already "
                               "exists in the schema. It cannot be redefined.",
                               gql_error_arg(name->value));
        gql_sdl_error_at(sdl, error, &name->node, NULL);
        return;
    }

    known = gql_table_get(sdl->directive_names, name->value);

    if (known != NULL) {
        error = gql_errors_add(sdl->errors, "There can be only one directive "
                               "named \"@%.*s\".",
                               gql_error_arg(name->value));
        gql_sdl_error_at(sdl, error, &known->node, &name->node);
        return;
    }

    (void) gql_sdl_remember(sdl, &sdl->directive_names, name->value, name);
}


/* The kind of extension for a type of the schema, and what people call it. */
static gql_kind_t
gql_sdl_extension_kind(const gql_type_t *type)
{
    static const gql_kind_t  kinds[] = {
        GQL_SCALAR_TYPE_EXTENSION,
        GQL_OBJECT_TYPE_EXTENSION,
        GQL_INTERFACE_TYPE_EXTENSION,
        GQL_UNION_TYPE_EXTENSION,
        GQL_ENUM_TYPE_EXTENSION,
        GQL_INPUT_OBJECT_TYPE_EXTENSION
    };

    return kinds[type->kind];
}


static gql_kind_t
gql_sdl_definition_extension_kind(gql_kind_t kind)
{
    switch (kind) {

    case GQL_OBJECT_TYPE_DEFINITION:
        return GQL_OBJECT_TYPE_EXTENSION;

    case GQL_INTERFACE_TYPE_DEFINITION:
        return GQL_INTERFACE_TYPE_EXTENSION;

    case GQL_UNION_TYPE_DEFINITION:
        return GQL_UNION_TYPE_EXTENSION;

    case GQL_ENUM_TYPE_DEFINITION:
        return GQL_ENUM_TYPE_EXTENSION;

    case GQL_INPUT_OBJECT_TYPE_DEFINITION:
        return GQL_INPUT_OBJECT_TYPE_EXTENSION;

    default:
        return GQL_SCALAR_TYPE_EXTENSION;
    }
}


static const char *
gql_sdl_kind_name(gql_kind_t extension)
{
    switch (extension) {

    case GQL_OBJECT_TYPE_EXTENSION:
        return "object";

    case GQL_INTERFACE_TYPE_EXTENSION:
        return "interface";

    case GQL_UNION_TYPE_EXTENSION:
        return "union";

    case GQL_ENUM_TYPE_EXTENSION:
        return "enum";

    case GQL_INPUT_OBJECT_TYPE_EXTENSION:
        return "input object";

    default:
        return "scalar";
    }
}


/*
 * PossibleTypeExtensionsRule (3.4.3 and so on): what is extended is there,
 * and of the same kind.
 *
 *     good:  type A { a: Int } extend type A { b: Int }
 *     bad:   type A { a: Int } extend enum A { B }
 */
void
gql_sdl_possible_type_extensions(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives)
{
    gql_kind_t                    expected;
    prompt_str_t                  hint;
    gql_error_t                  *error;
    const gql_name_t             *name;
    const gql_type_t             *existing;
    const gql_type_definition_t  *definition;

    (void) directives;

    if (!gql_sdl_is_extension(node->kind)) {
        return;
    }

    name = ((const gql_type_definition_t *) node)->name;
    definition = gql_table_get(sdl->types, name->value);
    existing = sdl->base != NULL ? gql_schema_type(sdl->base, name->value)
                                 : NULL;

    if (definition == NULL && existing == NULL) {
        hint = gql_sdl_suggest_type(sdl, name->value, false);

        error = gql_errors_add(sdl->errors, "Cannot extend type \"%.*s\" "
                               "because it is not defined.%.*s",
                               gql_error_arg(name->value),
                               gql_error_arg(hint));
        gql_sdl_error_at(sdl, error, &name->node, NULL);
        return;
    }

    expected = definition != NULL
               ? gql_sdl_definition_extension_kind(definition->node.kind)
               : gql_sdl_extension_kind(existing);

    if (node->kind == expected) {
        return;
    }

    error = gql_errors_add(sdl->errors, "Cannot extend non-%s type \"%.*s\".",
                           gql_sdl_kind_name(node->kind),
                           gql_error_arg(name->value));

    if (definition != NULL) {
        gql_sdl_error_at(sdl, error, &definition->node, node);

    } else {
        gql_sdl_error_at(sdl, error, node, NULL);
    }
}
