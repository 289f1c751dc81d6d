/*
 * What the parts of printing documents share: printer.c (executable ones)
 * and printer_sdl.c (the type system).
 */

#ifndef PROMPT_T_LIB_PRINTER_H
#define PROMPT_T_LIB_PRINTER_H

#include "graphql/syntax/printer_impl.h"
#include "graphql.h"


/* Any node.  Recursion is as deep as the parser let the nodes be. */
void gql_print_node(gql_printer_t *p, const gql_node_t *node);
void gql_print_list(gql_printer_t *p, const gql_list_t *list,
    prompt_str_t separator);
/* each on a line of its own, between open and close */
void gql_print_lines(gql_printer_t *p, char open, const gql_list_t *list,
    char close);
/* " {…}", or nothing */
void gql_print_block(gql_printer_t *p, const gql_list_t *list);
/* " @a @b" */
void gql_print_directives(gql_printer_t *p, const gql_list_t *directives);
/* and the line end behind it; nothing for NULL */
void gql_print_description(gql_printer_t *p, const gql_value_t *description);

/*
 * "(a, b)" without any indentation, to be looked at and perhaps truncated;
 * where in the buffer it begins is returned.
 */
size_t gql_print_inline(gql_printer_t *p, const gql_list_t *list);
/* does what was written behind from break into lines? */
bool gql_print_is_multiline(const gql_printer_t *p, size_t from);

prompt_str_t gql_print_operation_type(gql_operation_type_t operation);

/* a node of the type system */
void gql_print_type_system(gql_printer_t *p, const gql_node_t *node);

#endif /* PROMPT_T_LIB_PRINTER_H */
