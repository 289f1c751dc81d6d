/*
 * Directive locations: where in a document a directive may stand.  The parser
 * knows their names (specification, 3.13), and so does the type system.
 */

#ifndef GQL_DIRECTIVE_LOCATION_H
#define GQL_DIRECTIVE_LOCATION_H

#include "base/str.h"


/* __DirectiveLocation, in the order of the specification */
typedef enum {
    GQL_ON_QUERY = 0,
    GQL_ON_MUTATION,
    GQL_ON_SUBSCRIPTION,
    GQL_ON_FIELD,
    GQL_ON_FRAGMENT_DEFINITION,
    GQL_ON_FRAGMENT_SPREAD,
    GQL_ON_INLINE_FRAGMENT,
    GQL_ON_VARIABLE_DEFINITION,
    GQL_ON_SCHEMA,
    GQL_ON_SCALAR,
    GQL_ON_OBJECT,
    GQL_ON_FIELD_DEFINITION,
    GQL_ON_ARGUMENT_DEFINITION,
    GQL_ON_INTERFACE,
    GQL_ON_UNION,
    GQL_ON_ENUM,
    GQL_ON_ENUM_VALUE,
    GQL_ON_INPUT_OBJECT,
    GQL_ON_INPUT_FIELD_DEFINITION,
    GQL_ON_DIRECTIVE_DEFINITION,

    GQL_ON_COUNT
} gql_directive_location_t;


/* the name of a __DirectiveLocation: "FIELD_DEFINITION" */
prompt_str_t gql_directive_location_name(gql_directive_location_t location);

#endif /* GQL_DIRECTIVE_LOCATION_H */
