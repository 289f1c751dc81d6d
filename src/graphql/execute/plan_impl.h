/*
 * Compiling plans, from the inside: what plan.c and plan_collect.c share.
 */

#ifndef GQL_PLAN_IMPL_H
#define GQL_PLAN_IMPL_H

#include "graphql/execute/plan.h"
#include "graphql/syntax/names.h"


/* the end of a list of nodes */
#define GQL_PLAN_NONE  UINT32_MAX


/* a response key, and the nodes that it stands for */
typedef struct {
    prompt_str_t  key;
    uint32_t      first;             /* in nodes */
    uint32_t      last;
    uint32_t      count;
} gql_plan_entry_t;


typedef struct {
    const gql_field_t  *field;
    uint32_t            next;        /* of the same key, or GQL_PLAN_NONE */
} gql_plan_node_t;


/* a plan while it is compiled; what is allocated here goes when it is done */
typedef struct {
    gql_plan_t                        *plan;
    const prompt_json_t               *variables;
    gql_errors_t                      *errors;

    prompt_arena_t                    *scratch;     /* keys, visited */
    uint32_t                          *visited;     /* by fragment: the last
                                                       collection with it */
    gql_names_t                        keys;        /* mark: the same; value:
                                                       number of its entry */

    uint32_t                           collection;  /* number of this one */
    gql_error_t                       *invalid;     /* of this collection */

    gql_plan_entry_t                  *entries;
    uint32_t                           nentries;
    uint32_t                           max_entries;
    gql_plan_node_t                   *nodes;
    uint32_t                           nnodes;
    uint32_t                           max_nodes;

    uint64_t                           work;      /* left */
    bool                               failed;    /* error or nomem said */
} gql_planner_t;


/*
 * CollectFields: pushes the fields that a selection set selects on an object
 * type; base is where the entries of this collection begin.  False where it
 * ends early, with p->invalid or p->failed.
 */
bool gql_plan_collect(gql_planner_t *p, const gql_type_t *type,
    const gql_selection_set_t *set, uint32_t base, unsigned depth);

/* Memory is short: false, and p->failed. */
bool gql_planner_nomem(gql_planner_t *p);

/* An error: what may be at most max deep.  False, and p->failed. */
bool gql_planner_too_deep(gql_planner_t *p, const char *what, unsigned max);

/* So much work: false, with an error, where there was too much. */
bool gql_planner_spend(gql_planner_t *p, unsigned cost);

/*
 * Room for one more element behind n; NULL when memory is short (the array is
 * freed then).
 */
void *gql_planner_grow(gql_planner_t *p, void *array, uint32_t n,
    uint32_t *max, size_t size);

#endif /* GQL_PLAN_IMPL_H */
