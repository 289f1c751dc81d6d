/*
 * The names by which the SDL's rules know a table of names: see names.h.
 */

#ifndef GQL_TABLE_H
#define GQL_TABLE_H

#include "graphql/syntax/names.h"


typedef gql_names_t  gql_table_t;

#define gql_table_create(arena, expected)  gql_names_create(arena)
#define gql_table_set                      gql_names_set
#define gql_table_get                      gql_names_get

#endif /* GQL_TABLE_H */
