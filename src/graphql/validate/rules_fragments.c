/*
 * Rules on fragments (specification, 5.5): KnownFragmentNames,
 * NoUnusedFragments, PossibleFragmentSpreads, NoFragmentCycles.
 */

#include "graphql/validate/validate_impl.h"


/*
 * Fragment Spread Target Defined
 * https://spec.graphql.org/September2025/#sec-Fragment-Spread-Target-Defined
 *
 *     good:  { ...A }  fragment A on T { a }
 *     bad:   { ...UndefinedFragment }
 */
static bool
known_fragment_names_spread(gql_validation_t *v, const gql_node_t *node)
{
    const gql_name_t             *name;
    const gql_fragment_spread_t  *spread;

    spread = (const gql_fragment_spread_t *) node;
    name = spread->name;

    if (spread->fragment->definition == NULL) {
        gql_refuse_at(v, name, "Unknown fragment \"%.*s\".",
                      gql_error_arg(name->value));
    }

    return true;
}


const gql_rule_t  gql_rule_known_fragment_names = {
    .hooks = gql_rule_enter(GQL_FRAGMENT_SPREAD, known_fragment_names_spread)
};


/*
 * Fragments Must Be Used
 * https://spec.graphql.org/September2025/#sec-Fragments-Must-Be-Used
 *
 *     good:  { ...A }  fragment A on T { a }
 *     bad:   { a }  fragment A on T { a }
 */
static void
no_unused_fragments_document(gql_validation_t *v, const gql_node_t *node)
{
    bool                                *used;
    uint32_t                             i, n;
    gql_reach_t                         *reach;
    const gql_node_t                    *definition;
    const gql_document_t                *document;
    const gql_fragment_definition_t     *fragment;
    const gql_operation_definition_t   **operations;

    document = (const gql_document_t *) node;
    n = 0;

    operations = gql_validation_array(v, document->definitions.count,
                                      sizeof(void *));
    used = gql_validation_array(v, document->nfragments, sizeof(bool));

    if (operations == NULL || used == NULL) {
        return;
    }

    gql_list_each(definition, &document->definitions) {
        if (definition->kind == GQL_OPERATION_DEFINITION) {
            operations[n++] = (const gql_operation_definition_t *) definition;
        }
    }

    reach = gql_reach(v, operations, n);
    if (reach == NULL) {
        return;
    }

    for (i = 0; i < reach->nfragments; i++) {
        used[reach->fragments[i]->id] = true;
    }

    gql_list_each(definition, &document->definitions) {
        if (definition->kind == GQL_FRAGMENT_DEFINITION) {
            fragment = (const gql_fragment_definition_t *) definition;

            if (!used[fragment->fragment->id]) {
                gql_refuse_at(v, definition, "Fragment \"%.*s\" is never "
                              "used.", gql_error_arg(fragment->name->value));
            }
        }
    }
}


const gql_rule_t  gql_rule_no_unused_fragments = {
    .hooks = gql_rule_leave(GQL_DOCUMENT, no_unused_fragments_document)
};


/*
 * Fragment Spread Is Possible
 * https://spec.graphql.org/September2025/#sec-Fragment-Spread-Is-Possible
 *
 *     good:  fragment F on Dog { ... on Pet { name } }
 *     bad:   fragment F on Cat { ... on Dog { barkVolume } }
 */
static bool
possible_fragment_spreads_enter(gql_validation_t *v, const gql_node_t *node)
{
    const gql_type_t      *type, *parent;
    const gql_fragment_t  *fragment;

    fragment = NULL;

    if (node->kind == GQL_FRAGMENT_SPREAD) {
        fragment = gql_fragment_of(v,
                            ((const gql_fragment_spread_t *) node)->fragment);
        type = fragment->type;

    } else {

        /* both are named types where they are composite at all */

        type = v->info->type != NULL && v->info->type->kind == GQL_REF_NAMED
               ? v->info->type->type : NULL;
    }

    parent = v->info->parent_type;

    if (type == NULL || parent == NULL || !gql_type_is_composite(type)
        || gql_types_overlap(type, parent))
    {
        return true;
    }

    if (fragment != NULL) {
        gql_refuse_at(v, node, "Fragment \"%.*s\" cannot be spread here as "
                      "objects of type \"%.*s\" can never be of type "
                      "\"%.*s\".", gql_error_arg(fragment->name),
                      gql_error_arg(parent->name),
                      gql_error_arg(type->name));

    } else {
        gql_refuse_at(v, node, "Fragment cannot be spread here as objects of "
                      "type \"%.*s\" can never be of type \"%.*s\".",
                      gql_error_arg(parent->name),
                      gql_error_arg(type->name));
    }

    return true;
}


const gql_rule_t  gql_rule_possible_fragment_spreads = {
    .hooks = {
        { gql_kind_bit(GQL_INLINE_FRAGMENT)
          | gql_kind_bit(GQL_FRAGMENT_SPREAD),
          possible_fragment_spreads_enter, NULL },
    }
};


/*
 * Fragment Spreads Must Not Form Cycles
 * https://spec.graphql.org/September2025/
 *                                  #sec-Fragment-spreads-must-not-form-cycles
 *
 *     good:  fragment A on T { ...B }  fragment B on T { b }
 *     bad:   fragment A on T { ...B }  fragment B on T { ...A }
 *
 * A search in depth that goes into each fragment once and reports every
 * spread that leads back to where the search is.  It keeps its path in an
 * array, so that no chain of fragments, however long, takes stack.
 */
typedef struct cycle_step_s  cycle_step_t;

/* a fragment on the path, and the spread of it that the search goes into */
struct cycle_step_s {
    gql_fragment_t       *fragment;
    const gql_spreads_t  *spreads;
    uint32_t              next;      /* spread to look at next */
};


typedef struct {
    bool                 *visited;   /* by fragment id */
    uint32_t             *place;     /* by fragment id: on the path, from 1 */
    cycle_step_t         *path;
    uint32_t              length;
} cycles_t;


static void no_fragment_cycles_step(gql_validation_t *v, cycles_t *c);
static void no_fragment_cycles_push(gql_validation_t *v, cycles_t *c,
    gql_fragment_t *fragment, const gql_selection_set_t *set);
static void no_fragment_cycles_report(gql_validation_t *v, const cycles_t *c,
    uint32_t from);


/* room for all fragments */
static bool
no_fragment_cycles_init(gql_validation_t *v, void *state)
{
    uint32_t   n;
    cycles_t  *c;

    c = state;
    n = v->document->nfragments;

    c->visited = gql_validation_array(v, n, sizeof(bool));
    c->place = gql_validation_array(v, n, sizeof(uint32_t));
    c->path = gql_validation_array(v, n, sizeof(cycle_step_t));

    return c->visited != NULL && c->place != NULL && c->path != NULL;
}


static bool
no_fragment_cycles_fragment(gql_validation_t *v, const gql_node_t *node)
{
    cycles_t                         *c;
    gql_fragment_t                   *fragment;
    const gql_fragment_definition_t  *definition;

    c = v->state;
    definition = (const gql_fragment_definition_t *) node;
    fragment = gql_fragment_of(v, definition->fragment);

    if (c->visited[fragment->id]) {
        return true;
    }

    /*
     * Where a name is defined twice graphql-js searches the definition at
     * hand, and so marks the name as done.
     */

    no_fragment_cycles_push(v, c, fragment, definition->selection_set);

    while (c->length != 0 && !v->stopped) {
        no_fragment_cycles_step(v, c);
    }

    return true;
}


/* Looks at the next spread of the innermost fragment, or leaves that. */
static void
no_fragment_cycles_step(gql_validation_t *v, cycles_t *c)
{
    cycle_step_t                 *step;
    gql_fragment_t               *fragment;
    const gql_fragment_spread_t  *spread;

    v->steps++;
    step = &c->path[c->length - 1];

    if (step->next == step->spreads->count) {
        c->place[step->fragment->id] = 0;
        c->length--;
        return;
    }

    spread = step->spreads->spreads[step->next++];
    fragment = gql_fragment_of(v, spread->fragment);

    if (c->place[fragment->id] != 0) {
        no_fragment_cycles_report(v, c, c->place[fragment->id] - 1);
        return;
    }

    if (fragment->definition != NULL && !c->visited[fragment->id]) {
        no_fragment_cycles_push(v, c, fragment,
                                fragment->definition->selection_set);
    }
}


/* where there is anything to search in it */
static void
no_fragment_cycles_push(gql_validation_t *v, cycles_t *c,
    gql_fragment_t *fragment, const gql_selection_set_t *set)
{
    cycle_step_t         *step;
    const gql_spreads_t  *spreads;

    spreads = gql_spreads_in(v, set);
    if (spreads == NULL) {
        return;
    }

    c->visited[fragment->id] = true;
    c->place[fragment->id] = c->length + 1;

    step = &c->path[c->length++];
    step->fragment = fragment;
    step->spreads = spreads;
    step->next = 0;
}


/*
 * The cycle goes through the spreads of the path from that place on.  Paid
 * for: there may be many cycles, and each may be long.
 */
static void
no_fragment_cycles_report(gql_validation_t *v, const cycles_t *c,
    uint32_t from)
{
    uint32_t                      i, n, *offsets;
    prompt_str_t                 *pieces;
    const cycle_step_t           *step;
    const gql_fragment_spread_t  *spread;

    n = c->length - from;

    if (!gql_spend(v, n)) {
        return;
    }

    offsets = gql_validation_array(v, n, sizeof(uint32_t));
    pieces = gql_validation_array(v, 2 * (size_t) n + 2,
                                  sizeof(prompt_str_t));

    if (offsets == NULL || pieces == NULL) {
        return;
    }

    /* the last spread is of the fragment itself, those before it the way */

    pieces[0] = prompt_str("Cannot spread fragment \"");
    pieces[1] = c->path[from].fragment->name;
    pieces[2] = n == 1 ? prompt_str("\" within itself.")
                       : prompt_str("\" within itself via \"");

    for (i = 0; i < n; i++) {
        step = &c->path[from + i];
        spread = step->spreads->spreads[step->next - 1];
        offsets[i] = spread->node.start;

        if (i + 1 < n) {
            pieces[3 + 2 * i] = spread->name->value;
            pieces[4 + 2 * i] = i + 2 < n ? prompt_str("\", \"")
                                          : prompt_str("\".");
        }
    }

    gql_refuse_pieces(v, offsets, n, pieces, 2 * (size_t) n + 1);
}


const gql_rule_t  gql_rule_no_fragment_cycles = {
    .state_size = sizeof(cycles_t),
    .init = no_fragment_cycles_init,
    .hooks = gql_rule_enter(GQL_FRAGMENT_DEFINITION,
                            no_fragment_cycles_fragment)
};
