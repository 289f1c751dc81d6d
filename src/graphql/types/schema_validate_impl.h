/*
 * Type validation in two files: schema_validate.c, and schema_interfaces.c for
 * what concerns interfaces.
 */

#ifndef GQL_SCHEMA_VALIDATE_IMPL_H
#define GQL_SCHEMA_VALIDATE_IMPL_H

#include "graphql/types/schema.h"


/* bytes of a path that a message about a cycle may name */
#define GQL_SCHEMA_MAX_PATH  (1024 * 1024)

/* in place: the type was looked at, and left */
#define GQL_SCHEMA_LEFT      0xffffffffu


/* a step on the way through input objects */
typedef struct {
    const gql_type_t         *type;
    uint32_t                  next;            /* field to look at */
    const gql_input_value_t  *field;           /* the one gone down by */
} gql_schema_step_t;


typedef struct {
    const gql_schema_t       *schema;
    gql_errors_t             *errors;

    /*
     * by gql_type_t.index: the last type that has this one among its
     * interfaces, and the last one whose list was found to have it
     */
    const gql_type_t        **listed;
    const gql_type_t        **seen;

    /* by gql_type_t.index: 0, or 1 + the place in path, or GQL_SCHEMA_LEFT */
    uint32_t                 *place;
    gql_schema_step_t        *path;
} gql_schema_check_t;


/* at a node, or nowhere where it is NULL (built in) */
void gql_schema_error_at(gql_schema_check_t *check, gql_error_t *error,
    const void *node);

/* at a type's definition and its extensions */
void gql_schema_error_at_type(gql_schema_check_t *check, gql_error_t *error,
    const gql_type_t *type);

/* whether an argument or input field must be given */
bool gql_schema_is_required(const gql_input_value_t *value);

/* that an object or interface implements what it says it does */
void gql_schema_check_interfaces(gql_schema_check_t *check,
    const gql_type_t *type);

#endif /* GQL_SCHEMA_VALIDATE_IMPL_H */
