/*
 * Rules of SDL on the schema itself (specification, 3.3).
 */

#include "graphql/validate/validate_impl.h"


/*
 * LoneSchemaDefinition (3.3): a document defines the schema at most once, and
 * not at all where it extends one.
 *
 *     good:  schema { query: Q }
 *     bad:   schema { query: Q } schema { query: R }
 */
static bool
lone_schema_definition_schema(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    uint32_t            *count;
    const gql_schema_t  *schema;

    count = state;
    schema = v->schema;

    if (schema->ast != NULL || schema->query != NULL
        || schema->mutation != NULL || schema->subscription != NULL)
    {
        gql_refuse_at(v, node, "Cannot define a new schema within a schema "
                               "extension.");

    } else if ((*count)++ > 0) {
        gql_refuse_at(v, node, "Must provide only one schema definition.");
    }

    return true;
}


const gql_rule_t  gql_rule_lone_schema_definition = {
    .name = prompt_str_init("LoneSchemaDefinitionRule"),
    .state_size = sizeof(uint32_t),
    .hooks = {
        { gql_kind_bit(GQL_SCHEMA_DEFINITION), lone_schema_definition_schema,
          NULL },
    }
};


/*
 * UniqueOperationTypes (3.3.1): each operation has one root type.
 *
 *     good:  schema { query: Q } extend schema { mutation: M }
 *     bad:   schema { query: Q query: R }
 */
static bool
unique_operation_types_schema(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    const char                             *name;
    const gql_node_t                      **first;
    const gql_schema_definition_t          *schema;
    const gql_operation_type_definition_t  *item;

    static const char *const  names[] = {
        "query", "mutation", "subscription"
    };

    schema = (const gql_schema_definition_t *) node;

    gql_list_each(item, &schema->operation_types) {
        name = names[item->operation];
        first = (const gql_node_t **) state + item->operation;

        if (gql_schema_root(v->schema, item->operation) != NULL) {
            gql_refuse_at(v, item, "Type for %s already defined in the "
                          "schema. It cannot be redefined.", name);

        } else if (*first != NULL) {
            gql_refuse_two(v, *first, item,
                           "There can be only one %s type in schema.", name);

        } else {
            *first = &item->node;
        }
    }

    return true;
}


const gql_rule_t  gql_rule_unique_operation_types = {
    .name = prompt_str_init("UniqueOperationTypesRule"),
    .state_size = (GQL_SUBSCRIPTION + 1) * sizeof(gql_node_t *),
    .hooks = {
        { gql_kind_bit(GQL_SCHEMA_DEFINITION)
          | gql_kind_bit(GQL_SCHEMA_EXTENSION),
          unique_operation_types_schema, NULL },
    }
};
