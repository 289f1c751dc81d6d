/*
 * What the parts of the printer share: printer.c and printer_string.c.
 */

#ifndef GQL_PRINTER_IMPL_H
#define GQL_PRINTER_IMPL_H

#include "graphql/syntax/printer.h"


typedef struct {
    prompt_buf_t  *buf;
    unsigned       indent;           /* levels of two spaces */
} gql_printer_t;


#define gql_print_literal(p, literal)                                        \
    prompt_buf_literal((p)->buf, literal)

static inline void
gql_print_str(gql_printer_t *p, prompt_str_t s)
{
    prompt_buf_str(p->buf, s);
}

static inline void
gql_print_name(gql_printer_t *p, const gql_name_t *name)
{
    prompt_buf_str(p->buf, name->value);
}


/* Recursion is as deep as the parser let the nodes be. */
void gql_print_value_node(gql_printer_t *p, const gql_value_t *value);
void gql_print_type_node(gql_printer_t *p, const gql_type_node_t *type);

/* a line end, and the indentation of what follows */
void gql_print_newline(gql_printer_t *p);

void gql_print_string(gql_printer_t *p, prompt_str_t s);
void gql_print_block_string(gql_printer_t *p, prompt_str_t s);

#endif /* GQL_PRINTER_IMPL_H */
