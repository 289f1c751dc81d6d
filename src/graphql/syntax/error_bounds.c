/*
 * How much of what strangers send comes back to them in an error.
 */

#include "graphql/syntax/error.h"


const gql_error_bounds_t  gql_error_bounds = {
    .message = 4096,
    .value = 1000,
    .locations = 100
};
