/*
 * Visit: one walk over a document, which knows the types it passes through.
 *
 * Nodes are entered and left in the order of graphql-js's visitor (its
 * QueryDocumentKeys), less names and descriptions, which no rule looks at.
 * What graphql-js's TypeInfo knows at a node stands in gql_type_info_t.
 */

#ifndef GQL_VISIT_IMPL_H
#define GQL_VISIT_IMPL_H

#include "base/arena.h"
#include "graphql/syntax/ast.h"
#include "graphql/syntax/depth.h"
#include "graphql/types/schema.h"


/* What is known at a node; NULL where the document names nothing known */
typedef struct {
    const gql_type_ref_t       *type;              /* of the field */
    const gql_type_t           *parent_type;       /* composite */
    const gql_field_def_t      *field_def;
    const gql_type_ref_t       *input_type;        /* of the value */
    const gql_type_ref_t       *parent_input_type;
    const gql_input_value_t    *input_def;         /* whose default counts */
    const gql_directive_def_t  *directive;
    const gql_input_value_t    *argument;
    const gql_enum_value_t     *enum_value;
} gql_type_info_t;


/* the nodes above a node, innermost first */
typedef struct gql_visit_frame_s  gql_visit_frame_t;

struct gql_visit_frame_s {
    const gql_node_t         *node;
    const gql_visit_frame_t  *parent;              /* NULL at the root */
};


typedef struct gql_visitor_s  gql_visitor_t;

struct gql_visitor_s {
    const gql_schema_t       *schema;
    prompt_arena_t           *arena;               /* for wrapped types */

    /*
     * enter returns false: what is below is passed over, and leave is not
     * called.  leave may be NULL.
     */
    bool                    (*enter)(gql_visitor_t *visitor,
                                     const gql_node_t *node);
    void                    (*leave)(gql_visitor_t *visitor,
                                     const gql_node_t *node);
    void                     *data;                /* the caller's */

    gql_type_info_t           info;
    const gql_visit_frame_t  *frame;               /* of the current node */
    unsigned                  depth;
    bool                      stopped;             /* set it to end the walk */
    bool                      too_deep;
};


/*
 * Walks over node and what is below it.  The caller has zeroed the visitor
 * and set schema, arena, enter, leave and data.
 */
void gql_visit(gql_visitor_t *visitor, const gql_node_t *node);

/* the argument of that name; NULL: there is none */
const gql_input_value_t *gql_argument_def(const gql_input_value_t *args,
    uint32_t nargs, prompt_str_t name);

/* whether an argument or input field has a default value */
static inline bool
gql_input_has_default(const gql_input_value_t *input)
{
    return input->default_coerced != NULL;
}

/* graphql-js's isRequiredArgument() and isRequiredInputField() */
static inline bool
gql_input_is_required(const gql_input_value_t *input)
{
    return input->type->kind == GQL_REF_NON_NULL
           && !gql_input_has_default(input);
}

/* graphql-js's getNullableType(); NULL for NULL */
static inline const gql_type_ref_t *
gql_ref_nullable(const gql_type_ref_t *ref)
{
    return ref != NULL && ref->kind == GQL_REF_NON_NULL ? ref->of : ref;
}

/* the named type of ref; NULL for NULL */
static inline const gql_type_t *
gql_ref_named_or_null(const gql_type_ref_t *ref)
{
    return ref != NULL ? gql_ref_named(ref) : NULL;
}

#endif /* GQL_VISIT_IMPL_H */
