/*
 * Introspection among its files: introspect.c, and introspect_type.c for
 * __Type.
 */

#ifndef GQL_INTROSPECT_IMPL_H
#define GQL_INTROSPECT_IMPL_H

#include "graphql/execute/introspect.h"


typedef enum {
    GQL_INTROSPECT_OBJECTS = 0,      /* the elements themselves */
    GQL_INTROSPECT_POINTERS,         /* pointers to them */
    GQL_INTROSPECT_TYPES,            /* gql_type_t * */
    GQL_INTROSPECT_STRINGS           /* prompt_str_t */
} gql_introspect_kind_t;


typedef struct {
    gql_introspect_kind_t  kind;
    const char            *base;
    size_t                 size;     /* of an element */
} gql_introspect_list_t;


typedef struct {
    gql_execution_t       *execution;
    const void            *parent;
    const prompt_json_t   *arguments;
    gql_result_t          *out;
} gql_introspect_t;


/* A field: what resolves it, and where in its parent it stands. */
typedef struct {
    prompt_str_t   name;
    void         (*resolve)(gql_introspect_t *in, size_t offset);
    size_t         offset;
} gql_introspect_field_t;


#define gql_introspect_at(name, resolve, type, member)                       \
    { prompt_str_init(name), resolve, offsetof(type, member) }

#define gql_introspect_by(name, resolve)                                     \
    { prompt_str_init(name), resolve, 0 }

#define gql_introspect_end                                                   \
    { prompt_str_init(""), NULL, 0 }


/* the fields of __Type */
extern const gql_introspect_field_t  gql_introspect_types[];


/* What a field gives; an absent string and a NULL pointer give null. */
void gql_introspect_string(gql_introspect_t *in, prompt_str_t s);
void gql_introspect_boolean(gql_introspect_t *in, bool value);
void gql_introspect_object(gql_introspect_t *in, const void *object);

/* count elements of size bytes, which outlive the execution */
void gql_introspect_list(gql_introspect_t *in, gql_introspect_kind_t kind,
    const void *base, size_t size, uint32_t count);

/*
 * The same without the deprecated ones, unless the argument includeDeprecated
 * asks for them; reason is where an element has its deprecation_reason.
 */
void gql_introspect_members(gql_introspect_t *in, const void *base,
    size_t size, size_t reason, uint32_t count);
void gql_introspect_input_values(gql_introspect_t *in,
    const gql_input_value_t *values, uint32_t count);

#endif /* GQL_INTROSPECT_IMPL_H */
