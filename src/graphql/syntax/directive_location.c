/*
 * Directive locations: their names.
 */

#include "graphql/syntax/directive_location.h"


static const prompt_str_t  gql_directive_locations[GQL_ON_COUNT] = {
    prompt_str_init("QUERY"),
    prompt_str_init("MUTATION"),
    prompt_str_init("SUBSCRIPTION"),
    prompt_str_init("FIELD"),
    prompt_str_init("FRAGMENT_DEFINITION"),
    prompt_str_init("FRAGMENT_SPREAD"),
    prompt_str_init("INLINE_FRAGMENT"),
    prompt_str_init("VARIABLE_DEFINITION"),
    prompt_str_init("SCHEMA"),
    prompt_str_init("SCALAR"),
    prompt_str_init("OBJECT"),
    prompt_str_init("FIELD_DEFINITION"),
    prompt_str_init("ARGUMENT_DEFINITION"),
    prompt_str_init("INTERFACE"),
    prompt_str_init("UNION"),
    prompt_str_init("ENUM"),
    prompt_str_init("ENUM_VALUE"),
    prompt_str_init("INPUT_OBJECT"),
    prompt_str_init("INPUT_FIELD_DEFINITION"),
    prompt_str_init("DIRECTIVE_DEFINITION"),
};


prompt_str_t
gql_directive_location_name(gql_directive_location_t location)
{
    return gql_directive_locations[location];
}
