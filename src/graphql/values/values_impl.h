/*
 * Coercion of JSON to an input type, while variables are coerced.
 */

#ifndef GQL_VALUES_IMPL_H
#define GQL_VALUES_IMPL_H

#include "graphql/syntax/ast.h"
#include "graphql/syntax/error.h"
#include "graphql/types/schema.h"


/*
 * Of a variable whose default is no value of its type, which validation
 * refuses.  To graphql-js it is there, but undefined: null where that is
 * asked, no value where one is needed.
 */
#define gql_value_is_undefined(value)                                        \
    ((value)->type == PROMPT_JSON_NULL && (value)->boolean)


/* what is said of values that are none of a scalar, before they are shown */
#define GQL_NO_INT      "Int cannot represent non-integer value: "
#define GQL_NO_INT32    "Int cannot represent non 32-bit signed integer value: "
#define GQL_NO_FLOAT    "Float cannot represent non numeric value: "
#define GQL_NO_STRING   "String cannot represent a non string value: "
#define GQL_NO_BOOLEAN  "Boolean cannot represent a non boolean value: "


/* one request's variables, looked at one after the other */
typedef struct {
    prompt_arena_t                   *arena;
    gql_errors_t                     *errors;
    const gql_variable_definition_t  *variable;  /* that is looked at */
    uint32_t                          count;     /* errors so far */
    bool                              stop;      /* too many, or no memory */
} gql_coercion_t;


/*
 * The value that c->variable has at path (whose root is the variable's name),
 * coerced; NULL with errors added, or with stop set.
 */
prompt_json_t *gql_coerce_input(gql_coercion_t *c, const prompt_json_t *value,
    const gql_type_ref_t *type, const gql_path_t *path);

/*
 * A new error at c->variable, with a message of pieces that is cut as that of
 * any error.  NULL, and stop, when there are too many.
 */
gql_error_t *gql_coerce_error(gql_coercion_t *c, const prompt_str_t *pieces,
    size_t n);

/*
 * What is wrong with a value of an enum, in the arena: a name that it does not
 * have (what is NULL), or what else it is, as "non-string".
 */
prompt_str_t gql_enum_message(const gql_errors_t *errors,
    prompt_arena_t *arena, const gql_type_t *type, prompt_str_t shown,
    const char *what);

/* Memory is short: says so to the errors, and stops. */
void gql_coerce_nomem(gql_coercion_t *c);

#endif /* GQL_VALUES_IMPL_H */
