/*
 * The type system of a service (specification, section 3).
 *
 * A schema is made of its SDL by the build (tools/schema), as tables that
 * never change but for what the embedder hangs onto fields.  Order everywhere
 * is that of graphql-js's buildSchema(), which introspection shows.
 */

#ifndef GQL_SCHEMA_H
#define GQL_SCHEMA_H

#include "base/arena.h"
#include "base/json.h"
#include "graphql/syntax/ast.h"
#include "graphql/syntax/directive_location.h"
#include "graphql/syntax/error.h"


typedef struct gql_schema_s     gql_schema_t;
typedef struct gql_type_s       gql_type_t;
typedef struct gql_type_ref_s   gql_type_ref_t;
typedef struct gql_field_def_s  gql_field_def_t;


/* __TypeKind, less the two wrappers */
typedef enum {
    GQL_TYPE_SCALAR = 0,
    GQL_TYPE_OBJECT,
    GQL_TYPE_INTERFACE,
    GQL_TYPE_UNION,
    GQL_TYPE_ENUM,
    GQL_TYPE_INPUT_OBJECT
} gql_type_kind_t;


typedef enum {
    GQL_REF_NAMED = 0,
    GQL_REF_LIST,
    GQL_REF_NON_NULL
} gql_ref_kind_t;


/*
 * Things that begin with their names, found by them: sorted by length, then by
 * bytes.  The names are the schema's, so no choice of what is looked for makes
 * that slow.
 */
typedef struct {
    const prompt_str_t *const  *names;
    uint32_t                    count;
} gql_index_t;


/* A use of a type: T, [T], T! */
struct gql_type_ref_s {
    gql_ref_kind_t         kind;
    const gql_type_t      *type;     /* NAMED */
    const gql_type_ref_t  *of;       /* LIST, NON_NULL */
    prompt_str_t           text;     /* "[T!]!", for messages */
};


typedef enum {
    GQL_SCALAR_CUSTOM = 0,           /* any value passes through */
    GQL_SCALAR_INT,
    GQL_SCALAR_FLOAT,
    GQL_SCALAR_STRING,
    GQL_SCALAR_BOOLEAN,
    GQL_SCALAR_ID
} gql_scalar_t;


/* an argument, or a field of an input object */
typedef struct {
    prompt_str_t           name;
    prompt_str_t           description;        /* absent: none */
    const gql_type_ref_t  *type;
    const prompt_json_t   *default_coerced;    /* NULL: none */
    prompt_str_t           deprecation_reason; /* absent: not deprecated */
} gql_input_value_t;


struct gql_field_def_s {
    prompt_str_t           name;
    prompt_str_t           description;
    const gql_input_value_t  *args;
    uint32_t               nargs;
    const gql_type_ref_t  *type;
    prompt_str_t           deprecation_reason;
    const gql_type_t      *parent;   /* NULL: __typename and so on */
    void                  *data;     /* the embedder's: its resolver */
};


typedef struct {
    prompt_str_t           name;
    prompt_str_t           description;
    prompt_str_t           deprecation_reason;
} gql_enum_value_t;


struct gql_type_s {
    prompt_str_t              name;
    prompt_str_t              description;
    gql_type_kind_t           kind;
    bool                      introspection;     /* a type of section 4 */

    gql_scalar_t              scalar;            /* SCALAR */
    prompt_str_t              specified_by_url;  /* SCALAR; absent: none */

    gql_field_def_t          *fields;            /* OBJECT, INTERFACE */
    uint32_t                  nfields;
    const gql_type_t *const  *interfaces;        /* OBJECT, INTERFACE */
    uint32_t                  ninterfaces;

    /*
     * UNION: its members; INTERFACE: objects that implement it, in the
     * schema's order; OBJECT: itself alone
     */
    const gql_type_t *const  *possible;
    uint32_t                  npossible;

    const gql_enum_value_t   *values;            /* ENUM */
    uint32_t                  nvalues;

    const gql_input_value_t  *input_fields;      /* INPUT_OBJECT */
    uint32_t                  ninput_fields;
    bool                      one_of;            /* INPUT_OBJECT */

    gql_type_ref_t            ref;      /* the plain use of this type */
    gql_index_t               by_name;  /* fields, values or members; private */
};


typedef struct {
    prompt_str_t           name;
    prompt_str_t           description;
    bool                   repeatable;
    uint32_t               locations;          /* bits 1 << GQL_ON_… */
    const prompt_str_t    *location_names;     /* in the order of the SDL */
    uint32_t               nlocations;
    const gql_input_value_t  *args;
    uint32_t               nargs;
} gql_directive_def_t;


struct gql_schema_s {
    prompt_str_t                       description;
    const gql_type_t                  *query;    /* NULL: none */
    const gql_type_t                  *mutation;
    const gql_type_t                  *subscription;
    const gql_type_t *const           *types;    /* as introspection has them */
    uint32_t                           ntypes;
    const gql_directive_def_t *const  *directives;
    uint32_t                           ndirectives;
    gql_index_t                        by_name;  /* types; private */
    gql_index_t                        directives_by_name;  /* private */

    /* fields that every composite type, or the query type, has */
    const gql_field_def_t             *typename_field;  /* __typename */
    const gql_field_def_t             *schema_field;    /* __schema */
    const gql_field_def_t             *type_field;      /* __type */

    /* what they mean, whatever the SDL makes of their names */
    const gql_directive_def_t         *skip;
    const gql_directive_def_t         *include;
};


/* look-ups by name; NULL where there is none */
const gql_type_t *gql_schema_type(const gql_schema_t *schema,
    prompt_str_t name);
const gql_directive_def_t *gql_schema_directive(const gql_schema_t *schema,
    prompt_str_t name);
gql_field_def_t *gql_type_field(const gql_type_t *type, prompt_str_t name);
const gql_input_value_t *gql_type_input_field(const gql_type_t *type,
    prompt_str_t name);
const gql_enum_value_t *gql_type_enum_value(const gql_type_t *type,
    prompt_str_t name);

/*
 * The definition of a field on a composite type as a document may name it:
 * its own fields, __typename, and __schema and __type on the query type.
 */
const gql_field_def_t *gql_schema_field(const gql_schema_t *schema,
    const gql_type_t *parent, prompt_str_t name);

/*
 * The type that a type node speaks of, wrappers included; NULL where the name
 * is unknown (or memory is short).  New wrappers are taken from arena.
 */
const gql_type_ref_t *gql_schema_type_from_ast(const gql_schema_t *schema,
    prompt_arena_t *arena, const gql_type_node_t *node);

/*
 * The use of type that node writes around its name; plain uses share
 * type->ref.  NULL when the arena gives out.
 */
const gql_type_ref_t *gql_type_ref_make(prompt_arena_t *arena,
    const gql_type_t *type, const gql_type_node_t *node) PROMPT_WARN_UNUSED;

/* the root type of an operation; NULL where the schema has none */
const gql_type_t *gql_schema_root(const gql_schema_t *schema,
    gql_operation_type_t operation);

/* the order of an index, of names that are not empty */
static inline int
gql_index_compare(prompt_str_t a, prompt_str_t b)
{
    if (a.len != b.len) {
        return a.len < b.len ? -1 : 1;
    }

    /* most are told apart without a call */

    if (a.data[0] != b.data[0]) {
        return (unsigned char) a.data[0] - (unsigned char) b.data[0];
    }

    return memcmp(a.data, b.data, a.len);
}


/* predicates: specification 3.4, 5.5.2.3, 5.8.5 */
static inline const gql_type_t *
gql_ref_named(const gql_type_ref_t *ref)
{
    while (ref->kind != GQL_REF_NAMED) {
        ref = ref->of;
    }

    return ref->type;
}


static inline bool
gql_type_is_composite(const gql_type_t *t)
{
    return t->kind == GQL_TYPE_OBJECT || t->kind == GQL_TYPE_INTERFACE
           || t->kind == GQL_TYPE_UNION;
}


static inline bool
gql_type_is_abstract(const gql_type_t *t)
{
    return t->kind == GQL_TYPE_INTERFACE || t->kind == GQL_TYPE_UNION;
}


static inline bool
gql_type_is_leaf(const gql_type_t *t)
{
    return t->kind == GQL_TYPE_SCALAR || t->kind == GQL_TYPE_ENUM;
}


static inline bool
gql_type_is_input(const gql_type_t *t)
{
    return gql_type_is_leaf(t) || t->kind == GQL_TYPE_INPUT_OBJECT;
}

/* is sub a possible type of the abstract type, or an interface under it */
bool gql_type_is_sub_type(const gql_type_t *abstract, const gql_type_t *sub);

/* DoesFragmentTypeApply: condition (NULL: none) lets an object type in */
bool gql_schema_applies(const gql_schema_t *schema,
    const gql_type_node_t *condition, const gql_type_t *type);

/* graphql-js's doTypesOverlap() */
bool gql_types_overlap(const gql_type_t *a, const gql_type_t *b);

#endif /* GQL_SCHEMA_H */
