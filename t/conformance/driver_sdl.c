/*
 * Conformance driver: definitions of a type system among executable ones.  The
 * engine refuses them where it reads; graphql-js does when it validates.
 */

#include <stddef.h>

#include "driver.h"


#define DRIVER_MEMBERS  4

/* where a definition has its members, in the order of the text */
#define DRIVER_TYPE                                                          \
    { offsetof(gql_type_definition_t, directives),                           \
      offsetof(gql_type_definition_t, fields),                               \
      offsetof(gql_type_definition_t, values) }


static const uint16_t  driver_members[GQL_SDL_KIND_COUNT][DRIVER_MEMBERS] = {
    [GQL_SCHEMA_DEFINITION] = {
        offsetof(gql_schema_definition_t, directives) },
    [GQL_SCHEMA_EXTENSION] = {
        offsetof(gql_schema_definition_t, directives) },

    [GQL_SCALAR_TYPE_DEFINITION] = DRIVER_TYPE,
    [GQL_OBJECT_TYPE_DEFINITION] = DRIVER_TYPE,
    [GQL_INTERFACE_TYPE_DEFINITION] = DRIVER_TYPE,
    [GQL_UNION_TYPE_DEFINITION] = DRIVER_TYPE,
    [GQL_ENUM_TYPE_DEFINITION] = DRIVER_TYPE,
    [GQL_INPUT_OBJECT_TYPE_DEFINITION] = DRIVER_TYPE,
    [GQL_SCALAR_TYPE_EXTENSION] = DRIVER_TYPE,
    [GQL_OBJECT_TYPE_EXTENSION] = DRIVER_TYPE,
    [GQL_INTERFACE_TYPE_EXTENSION] = DRIVER_TYPE,
    [GQL_UNION_TYPE_EXTENSION] = DRIVER_TYPE,
    [GQL_ENUM_TYPE_EXTENSION] = DRIVER_TYPE,
    [GQL_INPUT_OBJECT_TYPE_EXTENSION] = DRIVER_TYPE,

    [GQL_FIELD_DEFINITION] = {
        offsetof(gql_field_definition_t, arguments),
        offsetof(gql_field_definition_t, directives) },
    [GQL_INPUT_VALUE_DEFINITION] = {
        offsetof(gql_input_value_definition_t, directives) },
    [GQL_ENUM_VALUE_DEFINITION] = {
        offsetof(gql_enum_value_definition_t, directives) },
    [GQL_DIRECTIVE_DEFINITION] = {
        offsetof(gql_directive_definition_t, arguments) },
};


static void
driver_append(gql_list_t *list, gql_node_t *node)
{
    if (list->last != NULL) {
        list->last->next = node;

    } else {
        list->first = node;
    }

    list->last = node;
    list->count++;
    node->next = NULL;
}


gql_list_t
driver_take_definitions(gql_document_t *document)
{
    gql_list_t   kept, taken;
    gql_node_t  *node, *next;

    memset(&kept, 0, sizeof(gql_list_t));
    memset(&taken, 0, sizeof(gql_list_t));

    for (node = document->definitions.first; node != NULL; node = next) {
        next = node->next;
        driver_append(node->kind < GQL_KIND_COUNT ? &kept : &taken, node);
    }

    document->definitions = kept;

    return taken;
}


void
driver_refuse_definitions(const gql_list_t *definitions, gql_errors_t *errors)
{
    gql_error_t       *error;
    prompt_str_t       name;
    const gql_node_t  *node;

    gql_list_each (node, definitions) {
        if (node->kind == GQL_SCHEMA_DEFINITION
            || node->kind == GQL_SCHEMA_EXTENSION)
        {
            error = gql_errors_add(errors, "The schema definition is not "
                                   "executable.");

        } else {
            name = node->kind == GQL_DIRECTIVE_DEFINITION
                   ? ((const gql_directive_definition_t *) node)->name->value
                   : ((const gql_type_definition_t *) node)->name->value;

            error = gql_errors_add(errors, "The \"%.*s\" definition is not "
                                   "executable.", gql_error_arg(name));
        }

        gql_error_at(errors, error, node->start);
    }
}


void
driver_refuse_directives(const gql_schema_t *schema,
    const gql_list_t *definitions, gql_errors_t *errors)
{
    gql_error_t       *error;
    prompt_str_t       name;
    const uint16_t    *member;
    const gql_node_t  *node;

    gql_list_each (node, definitions) {

        if (node->kind == GQL_DIRECTIVE) {
            name = ((const gql_directive_t *) node)->name->value;

            if (gql_schema_directive(schema, name) == NULL) {
                error = gql_errors_add(errors, "Unknown directive \"@%.*s\".",
                                       gql_error_arg(name));
                gql_error_at(errors, error, node->start);
            }

            continue;
        }

        for (member = driver_members[node->kind]; *member != 0; member++) {
            driver_refuse_directives(schema,
                                     (const void *) ((const char *) node
                                                     + *member), errors);
        }
    }
}
