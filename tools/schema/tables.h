/*
 * A schema as C: the tables that the engine looks things up in.
 */

#ifndef SCHEMA_TABLES_H
#define SCHEMA_TABLES_H

#include <stdio.h>

#include "graphql/types/schema.h"


/*
 * Writes the definition of "const gql_schema_t symbol", which header declares.
 * The same schema gives the same text on any machine.  False: memory is short;
 * what cannot be written is out's to know (ferror()).
 */
bool tables_write(FILE *out, prompt_arena_t *arena, const gql_schema_t *schema,
    const char *symbol, const char *header) PROMPT_WARN_UNUSED;

#endif /* SCHEMA_TABLES_H */
