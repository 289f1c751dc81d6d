/*
 * Fields of one response: what overlapping.c (the rule) and
 * overlapping_fields.c (the fields of selection sets) share.
 */

#ifndef GQL_OVERLAPPING_H
#define GQL_OVERLAPPING_H

#include "graphql/validate_context.h"


typedef struct gql_overlap_s        gql_overlap_t;
typedef struct gql_overlap_set_s    gql_overlap_set_t;
typedef struct gql_overlap_group_s  gql_overlap_group_t;
typedef struct gql_overlap_field_s  gql_overlap_field_t;


/* an argument with what its value is, see gql_overlap_value_id() */
typedef struct {
    prompt_str_t               name;
    uint32_t                   value;
} gql_overlap_argument_t;


/* a field in a selection set */
struct gql_overlap_field_s {
    const gql_field_t         *node;
    const gql_type_t          *parent_type;  /* NULL: unknown */
    const gql_field_def_t     *def;          /* NULL: unknown, or __… */
    bool                       simple;       /* neither arguments nor fields */

    /* as written, and by name, of the same name the last one */
    bool                       has_arguments;
    gql_overlap_argument_t    *arguments;
    gql_overlap_argument_t    *sorted;
    uint32_t                   nsorted;

    gql_overlap_field_t       *next;         /* of the same response key */
};


/* the fields of a selection set that have the same response key */
struct gql_overlap_group_s {
    prompt_str_t               key;
    uint32_t                   id;           /* of the key */
    gql_overlap_field_t       *first;
    gql_overlap_field_t       *last;
    gql_overlap_group_t       *next;
};


/*
 * A selection set on a type: its fields, those of inline fragments among
 * them, and the fragments that it spreads.
 */
struct gql_overlap_set_s {
    uint32_t                   id;
    const gql_type_t          *type;         /* NULL: unknown */
    gql_overlap_group_t       *first;        /* in document order */
    gql_overlap_group_t       *last;
    uint32_t                   ngroups;
    gql_fragment_t           **fragments;    /* in document order */
    uint32_t                   nfragments;
    gql_overlap_group_t      **table;        /* by key; made when asked for */
    uint32_t                   mask;
    gql_overlap_set_t         *next;         /* the same set on another type */
};


/* what the run over a document remembers */
struct gql_overlap_s {
    gql_validation_t          *v;
    int32_t                    budget;       /* left */
    unsigned                   depth;        /* of recursion */

    gql_names_t                keys;         /* response keys; mark: the set
                                                that value, a group, is of */
    gql_names_t                values;       /* values as text: their id */
    gql_memo_t                 value_ids;    /* by node: id + 1 */
    gql_memo_t                 sets;         /* by selection set */
    uint32_t                   nsets;

    gql_pairs_t                compared;     /* (set, set) */
    gql_pairs_t                with_fragment;/* (set, fragment) */
    gql_pairs_t                fragments;    /* (fragment, fragment) */

    struct overlap_level_s    *levels;       /* overlapping.c's */
};


/* Each returns NULL or false where the run is stopped: memory, or too deep. */

/* the fields of a selection set on a type */
gql_overlap_set_t *gql_overlap_collect(gql_overlap_t *o,
    const gql_type_t *type, const gql_selection_set_t *set);

/* those of a fragment that is defined, on its type */
gql_overlap_set_t *gql_overlap_collect_fragment(gql_overlap_t *o,
    gql_fragment_t *fragment);

/* the group of a response key in a set; *group is NULL where there is none */
bool gql_overlap_find(gql_overlap_t *o, gql_overlap_set_t *set, uint32_t id,
    gql_overlap_group_t **group);

/* Readies the arguments of a field for comparison. */
bool gql_overlap_arguments(gql_overlap_t *o, gql_overlap_field_t *field);

/* the last argument of that name, or NULL */
const gql_overlap_argument_t *gql_overlap_argument(
    const gql_overlap_field_t *field, prompt_str_t name);

#endif /* GQL_OVERLAPPING_H */
