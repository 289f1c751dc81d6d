/*
 * Introspection (specification, section 4): resolves the fields of __Schema,
 * __Type and the others from the type system.
 */

#ifndef GQL_INTROSPECT_H
#define GQL_INTROSPECT_H

#include "graphql/execute/execute.h"


/*
 * The value of the root fields __schema and __type.  arguments: coerced, for
 * __type.
 */
void gql_introspect_root(gql_execution_t *execution,
    const gql_plan_field_t *field, const prompt_json_t *arguments,
    gql_result_t *out);

/*
 * What resolves a field below them, for gql_plan_field_t.introspect, so that no
 * name is looked up when it is executed.
 */
const void *gql_introspect_bind(const gql_field_def_t *def);

/* the resolver of every field below them: same form as gql_resolver_t */
void gql_introspect_field(gql_execution_t *execution,
    const gql_plan_field_t *field, void *parent,
    const prompt_json_t *arguments, gql_result_t *out);
void gql_introspect_item(gql_execution_t *execution,
    const gql_plan_field_t *field, void *list, uint32_t index,
    gql_result_t *out);

#endif /* GQL_INTROSPECT_H */
