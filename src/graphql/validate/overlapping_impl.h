/*
 * Fields of one response: what overlapping.c (the rule), overlapping_fields.c
 * (the fields of selection sets) and overlapping_conflicts.c (what is said of
 * those that do not go together) share.
 */

#ifndef GQL_OVERLAPPING_IMPL_H
#define GQL_OVERLAPPING_IMPL_H

#include "graphql/validate/validate_impl.h"


typedef struct gql_overlap_s        gql_overlap_t;
typedef struct gql_overlap_set_s    gql_overlap_set_t;
typedef struct gql_overlap_group_s  gql_overlap_group_t;
typedef struct gql_overlap_field_s  gql_overlap_field_t;

typedef struct gql_conflict_level_s  gql_conflict_level_t;
typedef struct gql_conflict_found_s  gql_conflict_found_t;


/* an argument, or a field of an object */
typedef struct {
    prompt_str_t               name;
    const gql_value_t         *node;
    uint32_t                   value;        /* see overlap_value_id() */
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

    gql_names_t                keys;         /* response keys; mark: the set
                                                that value, a group, is of */
    gql_names_t                values;       /* values as text: their id */
    gql_memo_t                 value_ids;    /* by node: id + 1 */
    gql_memo_t                 sets;         /* by selection set */
    uint32_t                   nsets;

    gql_pairs_t                compared;     /* (set, set) */
    gql_pairs_t                with_fragment;/* (set, fragment) */
    gql_pairs_t                fragments;    /* (fragment, fragment) */

    gql_conflict_level_t      *levels;       /* made so far */
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


/* as in graphql-js: no message is longer for longer documents */
#define GQL_CONFLICT_MAX_TEXT    1000     /* of a name, and of a reason */
#define GQL_CONFLICT_MAX_PLACES  20       /* on either side */


/* why two fields conflict, as pieces of text, and where, on either side */
typedef struct {
    prompt_str_t               pieces[8];
    uint32_t                   npieces;
    const uint32_t            *places[2];
    uint32_t                   nplaces[2];
} gql_conflict_t;


/*
 * A depth of nested fields: the conflicts among what is below two fields,
 * put together into one of these two.  A level serves one pair of fields at a
 * time, and is used again.
 */
struct gql_conflict_level_s {
    bool                       any;
    size_t                     len;           /* of text */
    char                       text[GQL_CONFLICT_MAX_TEXT + sizeof("...")];
    uint32_t                   places[2][GQL_CONFLICT_MAX_PLACES];
    uint32_t                   nplaces[2];
    gql_conflict_level_t      *below;         /* NULL: not yet needed */
};


/* a conflict in the selection set at hand, to be reported when it is done */
struct gql_conflict_found_s {
    prompt_str_t               message;
    uint32_t                  *places;
    uint32_t                   nplaces;
    gql_conflict_found_t      *next;
};


/* where conflicts go: into a level, or, where that is NULL, into a list */
typedef struct {
    gql_conflict_level_t      *level;
    gql_conflict_found_t      *first;
    gql_conflict_found_t      *last;
    uint32_t                   count;
    uint32_t                   max;           /* more are not kept */
} gql_conflict_sink_t;


/* A conflict of two fields themselves; its reason follows in pieces. */
void gql_conflict_start(gql_conflict_t *conflict, const gql_overlap_field_t *a,
    const gql_overlap_field_t *b);
void gql_conflict_piece(gql_conflict_t *conflict, prompt_str_t piece);
void gql_conflict_name(gql_conflict_t *conflict, prompt_str_t name);

/* Puts a conflict of fields with this response key where it goes. */
void gql_conflict_put(gql_overlap_t *o, gql_conflict_sink_t *sink,
    prompt_str_t key, const gql_conflict_t *conflict);

/* *level, made where there is none; NULL: memory is short, o->v stopped */
gql_conflict_level_t *gql_conflict_level(gql_overlap_t *o,
    gql_conflict_level_t **level) PROMPT_WARN_UNUSED;

/*
 * A level for what is below two fields: opened, sink of their conflicts, and
 * closed.  False where there were none.  *conflict views the level.
 */
void gql_conflict_open(gql_conflict_level_t *level,
    const gql_overlap_field_t *a, const gql_overlap_field_t *b);
bool gql_conflict_close(gql_conflict_level_t *level,
    gql_conflict_t *conflict);

#endif /* GQL_OVERLAPPING_IMPL_H */
