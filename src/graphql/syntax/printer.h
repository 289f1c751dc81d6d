/*
 * Printer: abstract syntax back to text, as graphql-js's print() does it.
 */

#ifndef GQL_PRINTER_H
#define GQL_PRINTER_H

#include "base/buf.h"
#include "graphql/syntax/ast.h"


/* Any node of ast.h. */
void gql_print(prompt_buf_t *buf, const gql_node_t *node);

#endif /* GQL_PRINTER_H */
