/*
 * The service's type system: tables that the build makes of schema.graphql
 * (tools/schema).
 */

#ifndef GQL_SERVICE_SCHEMA_H
#define GQL_SERVICE_SCHEMA_H

#include "graphql/types/schema.h"


extern const gql_schema_t  gql_service_schema;

#endif /* GQL_SERVICE_SCHEMA_H */
