/*
 * Numbers as ECMAScript reads them: what graphql-js makes of strings that a
 * resolver returns for a number.
 */

#ifndef PROMPT_T_LIB_NUMBER_PARSE_H
#define PROMPT_T_LIB_NUMBER_PARSE_H

#include "base/str.h"


/*
 * StringToNumber (ECMA-262, 7.1.4.1.1): white space around it is allowed,
 * hexadecimal, octal, binary, "Infinity"; nothing at all is 0.  False where
 * that is NaN, and for text of more than 255 bytes.
 */
bool gql_number_parse(prompt_str_t text, double *out);

#endif /* PROMPT_T_LIB_NUMBER_PARSE_H */
