/*
 * SDL rules about names inside of definitions: of types that are used, of
 * arguments and members that are given (specification, 5.4.2, 5.5.1.2, 5.6.3).
 */

#include "graphql/validate/sdl_rules.h"


/*
 * KnownTypeNamesRule (5.5.1.2): a type that is used is defined.
 *
 *     good:  type A { a: B } scalar B
 *     bad:   type A { a: B }
 */
void
gql_sdl_known_type_names(gql_sdl_t *sdl, const gql_type_node_t *node)
{
    gql_error_t   *error;
    prompt_str_t   name, hint;

    name = node->name->value;

    if (gql_table_get(sdl->types, name) != NULL
        || (sdl->base != NULL && gql_schema_type(sdl->base, name) != NULL)
        || (sdl->type_system && gql_sdl_is_builtin(name)))
    {
        return;
    }

    hint = gql_sdl_suggest_type(sdl, name, sdl->type_system);

    error = gql_errors_add(sdl->errors, "Unknown type \"%.*s\".%.*s",
                           gql_error_arg(name), gql_error_arg(hint));
    gql_sdl_error_at(sdl, error, &node->node, NULL);
}


static const gql_name_t *
gql_sdl_argument_name(const gql_node_t *node)
{
    return ((const gql_argument_t *) node)->name;
}


static gql_error_t *
gql_sdl_report_duplicate(gql_sdl_t *sdl, const void *data,
    const gql_name_t *name)
{
    (void) data;

    return gql_errors_add(sdl->errors, "There can be only one argument named "
                          "\"%.*s\".", gql_error_arg(name->value));
}


/*
 * UniqueArgumentNamesRule (5.4.2): an argument is given once, to a field …
 *
 *     good:  { a(b: 1, c: 2) }
 *     bad:   { a(b: 1, b: 2) }
 */
void
gql_sdl_unique_argument_names(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives)
{
    (void) directives;

    if (node->kind == GQL_FIELD) {
        gql_sdl_unique(sdl, &((const gql_field_t *) node)->arguments,
                       gql_sdl_argument_name, gql_sdl_report_duplicate, NULL);
    }
}


/*
 * … or to a directive.
 *
 *     good:  type A { a: Int @deprecated(reason: "old") }
 *     bad:   type A { a: Int @deprecated(reason: "old", reason: "new") }
 */
void
gql_sdl_unique_directive_argument_names(gql_sdl_t *sdl,
    const gql_directive_t *directive, gql_directive_location_t location)
{
    (void) location;

    gql_sdl_unique(sdl, &directive->arguments, gql_sdl_argument_name,
                   gql_sdl_report_duplicate, NULL);
}


/*
 * UniqueInputFieldNamesRule (5.6.3): an object value has each member once.
 *
 *     good:  input A { a: B = { c: 1, d: 2 } }
 *     bad:   input A { a: B = { c: 1, c: 2 } }
 */
void
gql_sdl_unique_input_field_names(gql_sdl_t *sdl, gql_table_t **known,
    const gql_object_field_t *field)
{
    gql_error_t       *error;
    const gql_name_t  *first;

    first = gql_table_get(*known, field->name->value);

    if (first != NULL) {
        error = gql_errors_add(sdl->errors, "There can be only one input "
                               "field named \"%.*s\".",
                               gql_error_arg(field->name->value));
        gql_sdl_error_at(sdl, error, &first->node, &field->name->node);
        return;
    }

    (void) gql_sdl_remember(sdl, known, field->name->value, field->name);
}
