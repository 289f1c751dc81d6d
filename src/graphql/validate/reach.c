/*
 * What operations reach through fragments: spreads, fragments, variables.
 *
 * Everything is found out once and remembered.  The order in which fragments
 * are found is that of graphql-js, since errors come in it: of a selection
 * set its own spreads first, then those of its nested sets from the last to
 * the first; of fragments breadth first.
 */

#include <stdlib.h>

#include "graphql/validate/validate_impl.h"


typedef struct gql_pending_s  gql_pending_t;

struct gql_pending_s {
    const gql_selection_set_t  *set;
    gql_pending_t              *below;
};


/* fragments of one search, linked by gql_fragment_t.queued */
typedef struct {
    gql_fragment_t  *first;
    gql_fragment_t  *last;
} gql_queue_t;


static bool gql_spreads_look(gql_validation_t *v, gql_spreads_t *spreads,
    gql_pending_t **top, const gql_selection_set_t *set);
static bool gql_spreads_push(gql_validation_t *v, gql_pending_t **top,
    const gql_selection_set_t *set);
static bool gql_usages_enter(gql_visitor_t *visitor, const gql_node_t *node);
static bool gql_reach_direct(gql_validation_t *v, gql_reach_t *reach,
    gql_queue_t *queue, const gql_operation_definition_t **operations,
    uint32_t n);
static int gql_reach_compare(const void *a, const void *b);
static gql_reach_t *gql_reach_known(gql_validation_t *v,
    const gql_reach_t *reach, uint64_t hash);
static uint64_t gql_reach_hash(gql_fragment_t *const *fragments, uint32_t n);
static bool gql_reach_all(gql_validation_t *v, gql_reach_t *reach,
    gql_queue_t *queue);
static bool gql_reach_queue(gql_validation_t *v, gql_queue_t *queue,
    gql_fragment_t *fragment);
static bool gql_reach_count_usages(gql_validation_t *v, gql_reach_t *reach);


const gql_spreads_t *
gql_spreads_in(gql_validation_t *v, const gql_selection_set_t *set)
{
    gql_pending_t  *top, *pending;
    gql_spreads_t  *spreads;

    spreads = gql_memo_find(&v->spreads, set);
    if (spreads != NULL) {
        return spreads;
    }

    top = NULL;
    spreads = gql_validation_array(v, 1, sizeof(gql_spreads_t));

    if (spreads == NULL || !gql_spreads_push(v, &top, set)) {
        return NULL;
    }

    while (top != NULL) {
        pending = top;
        top = pending->below;

        if (!gql_spreads_look(v, spreads, &top, pending->set)) {
            return NULL;
        }
    }

    return gql_validation_put(v, &v->spreads, set, spreads) ? spreads : NULL;
}


static bool
gql_spreads_look(gql_validation_t *v, gql_spreads_t *spreads,
    gql_pending_t **top, const gql_selection_set_t *set)
{
    const gql_node_t           *node;
    const gql_selection_set_t  *nested;

    gql_list_each(node, &set->selections) {
        v->steps++;

        if (node->kind != GQL_FRAGMENT_SPREAD) {
            nested = gql_node_selection_set(node);

            if (nested != NULL && !gql_spreads_push(v, top, nested)) {
                return false;
            }

            continue;
        }

        spreads->spreads = gql_validation_room(v, spreads->spreads,
                                               spreads->count, sizeof(void *));
        if (spreads->spreads == NULL) {
            return false;
        }

        spreads->spreads[spreads->count++] =
                                        (const gql_fragment_spread_t *) node;
    }

    return true;
}


static bool
gql_spreads_push(gql_validation_t *v, gql_pending_t **top,
    const gql_selection_set_t *set)
{
    gql_pending_t  *pending;

    pending = gql_validation_array(v, 1, sizeof(gql_pending_t));
    if (pending == NULL) {
        return false;
    }

    pending->set = set;
    pending->below = *top;
    *top = pending;

    return true;
}


const gql_usages_t *
gql_usages_of(gql_validation_t *v, const gql_node_t *node)
{
    gql_usages_t   *usages;
    gql_visitor_t   visitor;

    usages = gql_memo_find(&v->usages, node);
    if (usages != NULL) {
        return usages;
    }

    usages = gql_validation_array(v, 1, sizeof(gql_usages_t));
    if (usages == NULL) {
        return NULL;
    }

    memset(&visitor, 0, sizeof(gql_visitor_t));

    visitor.schema = v->schema;
    visitor.arena = v->arena;
    visitor.enter = gql_usages_enter;
    visitor.data = usages;

    gql_visit(&visitor, node);

    if (visitor.too_deep) {
        gql_validation_abort(v, GQL_VISIT_MAX_DEPTH,
                             "levels of nesting");
        return NULL;
    }

    if (visitor.stopped) {
        gql_validation_nomem(v);
        return NULL;
    }

    return gql_validation_put(v, &v->usages, node, usages) ? usages : NULL;
}


static bool
gql_usages_enter(gql_visitor_t *visitor, const gql_node_t *node)
{
    gql_usage_t            *usage;
    gql_usages_t           *usages;
    const gql_type_info_t  *info;

    if (node->kind != GQL_VARIABLE) {
        return node->kind != GQL_VARIABLE_DEFINITION;
    }

    usage = prompt_arena_alloc(visitor->arena, sizeof(gql_usage_t));
    if (usage == NULL) {
        visitor->stopped = true;
        return false;
    }

    info = &visitor->info;
    usages = visitor->data;

    usage->node = (const gql_value_t *) node;
    usage->type = info->input_type;
    usage->parent_type = info->parent_input_type;
    usage->has_default = info->input_def != NULL
                         && gql_input_has_default(info->input_def);
    usage->next = NULL;

    prompt_link(usages, usage, next);
    usages->count++;

    return true;
}


gql_reach_t *
gql_reach(gql_validation_t *v, const gql_operation_definition_t **operations,
    uint32_t n)
{
    uint64_t      hash;
    gql_queue_t   queue;
    gql_reach_t  *reach, *known;

    reach = gql_validation_array(v, 1, sizeof(gql_reach_t));
    if (reach == NULL) {
        return NULL;
    }

    memset(&queue, 0, sizeof(gql_queue_t));

    if (!gql_reach_direct(v, reach, &queue, operations, n)) {
        return NULL;
    }

    hash = gql_reach_hash(reach->direct, reach->ndirect);

    known = gql_reach_known(v, reach, hash);
    if (known != NULL) {
        return known;
    }

    if (!gql_spend(v, reach->ndirect) || !gql_reach_all(v, reach, &queue)) {
        return NULL;
    }

    reach->next = (gql_reach_t *) gql_memo_get(&v->reaches, hash);

    if (!gql_memo_put(&v->reaches, hash, (uintptr_t) reach)) {
        gql_validation_nomem(v);
        return NULL;
    }

    return reach;
}


/* what the operations spread themselves: queued as found, direct sorted */
static bool
gql_reach_direct(gql_validation_t *v, gql_reach_t *reach, gql_queue_t *queue,
    const gql_operation_definition_t **operations, uint32_t n)
{
    uint32_t              i, j;
    gql_fragment_t       *fragment;
    const gql_spreads_t  *spreads;

    v->mark++;

    for (i = 0; i < n; i++) {
        spreads = gql_spreads_in(v, operations[i]->selection_set);
        if (spreads == NULL) {
            return false;
        }

        for (j = 0; j < spreads->count; j++) {
            fragment = gql_fragment_of(v, spreads->spreads[j]->fragment);

            if (!gql_reach_queue(v, queue, fragment)) {
                continue;
            }

            reach->direct = gql_validation_room(v, reach->direct,
                                                reach->ndirect,
                                                sizeof(gql_fragment_t *));
            if (reach->direct == NULL) {
                return false;
            }

            reach->direct[reach->ndirect++] = fragment;
        }
    }

    if (reach->ndirect > 1) {
        qsort(reach->direct, reach->ndirect, sizeof(gql_fragment_t *),
              gql_reach_compare);
    }

    return true;
}


static int
gql_reach_compare(const void *a, const void *b)
{
    const gql_fragment_t  *first, *second;

    first = *(gql_fragment_t *const *) a;
    second = *(gql_fragment_t *const *) b;

    return first->id < second->id ? -1 : first->id > second->id;
}


static gql_reach_t *
gql_reach_known(gql_validation_t *v, const gql_reach_t *reach, uint64_t hash)
{
    gql_reach_t  *known;

    known = (gql_reach_t *) gql_memo_get(&v->reaches, hash);

    for ( /* void */ ; known != NULL; known = known->next) {
        if (known->ndirect == reach->ndirect
            && (reach->ndirect == 0
                || memcmp(known->direct, reach->direct,
                          reach->ndirect * sizeof(gql_fragment_t *)) == 0))
        {
            return known;
        }
    }

    return NULL;
}


static uint64_t
gql_reach_hash(gql_fragment_t *const *fragments, uint32_t n)
{
    uint32_t  i;
    uint64_t  h;

    h = n;

    for (i = 0; i < n; i++) {
        h = (h ^ gql_memo_address(fragments[i])) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }

    return h;
}


/*
 * Breadth first from the direct ones, which stand in the queue already; names
 * that nothing defines are looked at, but not kept.
 */
static bool
gql_reach_all(gql_validation_t *v, gql_reach_t *reach, gql_queue_t *queue)
{
    uint32_t              i;
    gql_fragment_t       *fragment;
    const gql_spreads_t  *spreads;

    for (fragment = queue->first; fragment != NULL; fragment = fragment->queued)
    {
        if (fragment->definition == NULL) {
            continue;
        }

        reach->fragments = gql_validation_room(v, reach->fragments,
                                               reach->nfragments,
                                               sizeof(gql_fragment_t *));
        if (reach->fragments == NULL) {
            return false;
        }

        reach->fragments[reach->nfragments++] = fragment;
        spreads = gql_spreads_in(v, fragment->definition->selection_set);

        if (spreads == NULL || !gql_spend(v, spreads->count)) {
            return false;
        }

        for (i = 0; i < spreads->count; i++) {
            (void) gql_reach_queue(v, queue,
                       gql_fragment_of(v, spreads->spreads[i]->fragment));
        }
    }

    return true;
}


/* Puts a fragment into the queue, once a search. */
static bool
gql_reach_queue(gql_validation_t *v, gql_queue_t *queue,
    gql_fragment_t *fragment)
{
    if (fragment->mark == v->mark) {
        return false;
    }

    fragment->mark = v->mark;
    fragment->queued = NULL;

    prompt_link(queue, fragment, queued);

    return true;
}


gql_reach_t *
gql_reach_usages(gql_validation_t *v,
    const gql_operation_definition_t *operation)
{
    gql_reach_t  *reach;

    reach = gql_memo_find(&v->reach_of, operation);
    if (reach != NULL) {
        return reach;
    }

    reach = gql_reach(v, &operation, 1);

    if (reach == NULL
        || !gql_reach_count_usages(v, reach)
        || !gql_spend(v, reach->nusages)
        || gql_usages_of(v, &operation->node) == NULL
        || !gql_validation_put(v, &v->reach_of, operation, reach))
    {
        return NULL;
    }

    return reach;
}


static bool
gql_reach_count_usages(gql_validation_t *v, gql_reach_t *reach)
{
    uint32_t             i, count;
    const gql_usages_t  *usages;

    if (reach->has_usages) {
        return true;
    }

    if (!gql_spend(v, reach->nfragments)) {
        return false;
    }

    count = 0;

    for (i = 0; i < reach->nfragments; i++) {
        usages = gql_usages_of(v, &reach->fragments[i]->definition->node);

        if (usages == NULL || !gql_spend(v, usages->count)) {
            return false;
        }

        count += usages->count;
    }

    reach->nusages = count;
    reach->has_usages = true;

    return true;
}
