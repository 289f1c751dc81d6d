/*
 * Numbers as ECMAScript reads and writes them.
 *
 * Messages show numbers as graphql-js does, and results are converted between
 * numbers and strings by its rules, which are those of its language.
 */

#ifndef GQL_NUMBER_H
#define GQL_NUMBER_H

#include "base/json.h"


/* room for what gql_number_format() writes, its NUL included */
#define GQL_NUMBER_SIZE  32


/*
 * Number::toString (ECMA-262, 6.1.6.1.20): the shortest digits that read back
 * as the same double, "Infinity", "NaN".  Returns the length.
 */
size_t gql_number_format(double value, char out[GQL_NUMBER_SIZE]);

/*
 * StringToNumber (ECMA-262, 7.1.4.1.1): white space around it is allowed,
 * hexadecimal, octal, binary, "Infinity"; nothing at all is 0.  False where
 * that is NaN, and for text of more than 255 bytes.
 */
bool gql_number_parse(prompt_str_t text, double *out);

/* the double nearest to a NUMBER; infinite where it is too large */
double gql_number_value(const prompt_json_t *number);

/* a finite number without a fraction */
bool gql_number_is_integer(double value);

#endif /* GQL_NUMBER_H */
