/*
 * Conformance driver: errors as graphql-js has them, nothing left out.  This
 * takes the place of src/graphql/syntax/error_bounds.c in the library.
 */

#include "driver.h"


const gql_error_bounds_t  gql_error_bounds = {
    .message = DRIVER_ARENA,
    .value = DRIVER_ARENA,
    .locations = UINT32_MAX,
    .halves = true
};
