/*
 * Numbers as ECMAScript writes them: messages and introspection show them as
 * graphql-js does.
 */

#ifndef GQL_NUMBER_H
#define GQL_NUMBER_H

#include "base/json.h"


/* room for what gql_number_format() writes */
#define GQL_NUMBER_SIZE  PROMPT_JSON_DOUBLE_MAX


/*
 * Number::toString (ECMA-262, 6.1.6.1.20): the shortest digits that read back
 * as the same double, "Infinity", "NaN".  Returns the length.
 */
size_t gql_number_format(double value, char out[GQL_NUMBER_SIZE]);

/* the double nearest to a NUMBER; infinite where it is too large */
double gql_number_value(const prompt_json_t *number);

/* a finite number without a fraction */
bool gql_number_is_integer(double value);

#endif /* GQL_NUMBER_H */
