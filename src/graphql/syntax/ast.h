/*
 * Abstract syntax of executable GraphQL documents (specification, September
 * 2025, appendix B, "Grammar Summary").
 *
 * Each node begins with gql_node_t.  Nodes are made by the parser in one
 * arena and never change afterwards.  A list is linked by gql_node_t.next in
 * the order of the source.  Names of kinds and members are those of
 * graphql-js, so that whoever knows one knows the other.
 */

#ifndef GQL_AST_H
#define GQL_AST_H

#include "base/str.h"


typedef enum {
    GQL_NAME = 0,

    GQL_DOCUMENT,
    GQL_OPERATION_DEFINITION,
    GQL_VARIABLE_DEFINITION,
    GQL_SELECTION_SET,
    GQL_FIELD,
    GQL_ARGUMENT,
    GQL_FRAGMENT_SPREAD,
    GQL_INLINE_FRAGMENT,
    GQL_FRAGMENT_DEFINITION,

    GQL_VARIABLE,
    GQL_INT,
    GQL_FLOAT,
    GQL_STRING,
    GQL_BOOLEAN,
    GQL_NULL,
    GQL_ENUM,
    GQL_LIST,
    GQL_OBJECT,
    GQL_OBJECT_FIELD,

    GQL_DIRECTIVE,

    GQL_NAMED_TYPE,
    GQL_LIST_TYPE,
    GQL_NON_NULL_TYPE,

    GQL_KIND_COUNT
} gql_kind_t;


/* sets of kinds */
_Static_assert(GQL_KIND_COUNT <= 64, "a set of kinds has 64 bits");

#define gql_kind_bit(kind)  (UINT64_C(1) << (kind))

static inline bool
gql_kind_is(gql_kind_t kind, uint64_t set)
{
    return (set >> kind & 1) != 0;
}


typedef struct gql_node_s  gql_node_t;

struct gql_node_s {
    gql_kind_t   kind;
    uint32_t     start;              /* byte offsets of the source, [start, */
    uint32_t     end;                /*   end) */
    gql_node_t  *next;               /* sibling in a list; NULL: none */
};


typedef struct {
    gql_node_t  *first;              /* NULL: empty */
    gql_node_t  *last;
    uint32_t     count;
} gql_list_t;


#define gql_list_each(item, list)                                            \
    for ((item) = (void *) (list)->first;                                    \
         (item) != NULL;                                                     \
         (item) = (void *) ((gql_node_t *) (item))->next)


typedef struct gql_value_s                gql_value_t;
typedef struct gql_type_node_s            gql_type_node_t;
typedef struct gql_selection_set_s        gql_selection_set_t;
typedef struct gql_fragment_definition_s  gql_fragment_definition_t;


typedef struct {
    gql_node_t    node;
    prompt_str_t  value;             /* points into the source */
} gql_name_t;


/* VARIABLE … OBJECT */
struct gql_value_s {
    gql_node_t    node;
    prompt_str_t  text;              /* VARIABLE: name without $; INT, FLOAT,
                                        ENUM: as written; STRING: the value,
                                        decoded */
    bool          boolean;           /* BOOLEAN */
    bool          block;             /* STRING: """ … """ */
    gql_list_t    items;             /* LIST: gql_value_t; OBJECT:
                                        gql_object_field_t */
};


typedef struct {
    gql_node_t    node;
    gql_name_t   *name;
    gql_value_t  *value;
} gql_object_field_t;


typedef gql_object_field_t  gql_argument_t;


/* NAMED_TYPE, LIST_TYPE, NON_NULL_TYPE */
struct gql_type_node_s {
    gql_node_t        node;
    gql_name_t       *name;          /* NAMED_TYPE */
    gql_type_node_t  *of;            /* the others */
};


typedef struct {
    gql_node_t   node;
    gql_name_t  *name;
    gql_list_t   arguments;          /* gql_argument_t */
} gql_directive_t;


struct gql_selection_set_s {
    gql_node_t  node;
    gql_list_t  selections;          /* gql_field_t, gql_fragment_spread_t,
                                        gql_inline_fragment_t */
};


typedef struct {
    gql_node_t            node;
    gql_name_t           *alias;     /* NULL: none */
    gql_name_t           *name;
    gql_list_t            arguments;
    gql_list_t            directives;
    gql_selection_set_t  *selection_set;   /* NULL: none */
} gql_field_t;


/*
 * What the name of a fragment stands for: one for each name that a document
 * defines or spreads.  Whoever remembers something of fragments keeps it in
 * an array by id, of gql_document_t.nfragments elements.
 */
typedef struct {
    uint32_t                          id;
    const gql_fragment_definition_t  *definition;  /* the last of that name;
                                                      NULL: none */
} gql_fragment_ref_t;


typedef struct {
    gql_node_t                 node;
    gql_name_t                *name;
    const gql_fragment_ref_t  *fragment;
    gql_list_t                 directives;
} gql_fragment_spread_t;


typedef struct {
    gql_node_t            node;
    gql_type_node_t      *type_condition;  /* NULL: none */
    gql_list_t            directives;
    gql_selection_set_t  *selection_set;
} gql_inline_fragment_t;


typedef struct {
    gql_node_t        node;
    gql_value_t      *description;   /* STRING, or NULL */
    gql_value_t      *variable;      /* VARIABLE */
    gql_type_node_t  *type;
    gql_value_t      *default_value; /* NULL: none */
    gql_list_t        directives;
} gql_variable_definition_t;


typedef enum {
    GQL_QUERY = 0,
    GQL_MUTATION,
    GQL_SUBSCRIPTION
} gql_operation_type_t;


typedef struct {
    gql_node_t             node;
    gql_value_t           *description;    /* STRING, or NULL */
    gql_operation_type_t   operation;
    bool                   shorthand;      /* "{ … }" without a keyword */
    gql_name_t            *name;           /* NULL: anonymous */
    gql_list_t             variables;      /* gql_variable_definition_t */
    gql_list_t             directives;
    gql_selection_set_t   *selection_set;
} gql_operation_definition_t;


struct gql_fragment_definition_s {
    gql_node_t                 node;
    gql_value_t               *description;
    gql_name_t                *name;
    const gql_fragment_ref_t  *fragment;   /* of its name */
    gql_type_node_t           *type_condition;
    gql_list_t                 directives;
    gql_selection_set_t       *selection_set;
};


typedef struct {
    gql_node_t     node;
    prompt_str_t   source;           /* the text; outlives the document */
    gql_list_t     definitions;
    uint32_t       nfragments;       /* names of them: ids are below this */
    uint32_t       tokens;           /* how many were read */
} gql_document_t;


/*
 * The selection set below an operation, a fragment, a field (NULL: none) or
 * an inline fragment; NULL for a fragment spread.
 */
static inline const gql_selection_set_t *
gql_node_selection_set(const gql_node_t *node)
{
    switch (node->kind) {

    case GQL_FIELD:
        return ((const gql_field_t *) node)->selection_set;

    case GQL_INLINE_FRAGMENT:
        return ((const gql_inline_fragment_t *) node)->selection_set;

    case GQL_FRAGMENT_DEFINITION:
        return ((const gql_fragment_definition_t *) node)->selection_set;

    case GQL_OPERATION_DEFINITION:
        return ((const gql_operation_definition_t *) node)->selection_set;

    default:
        return NULL;
    }
}


/* the value of an argument or field, the last one of that name; NULL: none */
static inline const gql_value_t *
gql_argument_value(const gql_list_t *arguments, prompt_str_t name)
{
    const gql_value_t     *value;
    const gql_argument_t  *argument;

    value = NULL;

    gql_list_each(argument, arguments) {
        if (prompt_str_eq(argument->name->value, name)) {
            value = argument->value;
        }
    }

    return value;
}


/* the name within a type */
static inline prompt_str_t
gql_type_node_name(const gql_type_node_t *type)
{
    while (type->node.kind != GQL_NAMED_TYPE) {
        type = type->of;
    }

    return type->name->value;
}


/* the directives of a definition, of a variable's, or of a selection */
static inline const gql_list_t *
gql_node_directives(const gql_node_t *node)
{
    switch (node->kind) {

    case GQL_FIELD:
        return &((const gql_field_t *) node)->directives;

    case GQL_FRAGMENT_SPREAD:
        return &((const gql_fragment_spread_t *) node)->directives;

    case GQL_INLINE_FRAGMENT:
        return &((const gql_inline_fragment_t *) node)->directives;

    case GQL_VARIABLE_DEFINITION:
        return &((const gql_variable_definition_t *) node)->directives;

    case GQL_FRAGMENT_DEFINITION:
        return &((const gql_fragment_definition_t *) node)->directives;

    default: /* GQL_OPERATION_DEFINITION */
        return &((const gql_operation_definition_t *) node)->directives;
    }
}

#endif /* GQL_AST_H */
