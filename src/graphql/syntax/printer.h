/*
 * Values and types as text, for messages and introspection: as graphql-js's
 * print() does it.
 */

#ifndef GQL_PRINTER_H
#define GQL_PRINTER_H

#include "base/buf.h"
#include "graphql/syntax/ast.h"


/* Any value, constant or not, or any type. */
void gql_print(prompt_buf_t *buf, const gql_node_t *node);

#endif /* GQL_PRINTER_H */
