/*
 * Numbers as ECMAScript writes them.
 */

#include "graphql/values/number.h"

#include <math.h>
#include <stdio.h>


size_t
gql_number_format(double value, char out[GQL_NUMBER_SIZE])
{
    if (isnan(value)) {
        return (size_t) snprintf(out, GQL_NUMBER_SIZE, "NaN");
    }

    if (isinf(value)) {
        return (size_t) snprintf(out, GQL_NUMBER_SIZE, "%sInfinity",
                                 value < 0 ? "-" : "");
    }

    /* zero has no sign */

    return prompt_json_format_double(value != 0 ? value : 0, true, out);
}


double
gql_number_value(const prompt_json_t *number)
{
    double  value;

    if (prompt_json_double(number, &value)) {
        return value;
    }

    return number->text.len != 0 && number->text.data[0] == '-' ? -INFINITY
                                                                : INFINITY;
}


bool
gql_number_is_integer(double value)
{
    return isfinite(value) && trunc(value) == value;
}
