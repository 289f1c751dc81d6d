/*
 * Which variables decide what a plan looks like: gql_conditions() of plan.h.
 *
 * Fragments wait in a queue instead of being entered, so that recursion goes
 * no deeper than the parser allowed.
 */

#include "graphql/execute/plan.h"
#include "graphql/syntax/names.h"


typedef struct {
    const gql_fragment_definition_t  **queue;
    uint32_t                           head;
    uint32_t                           tail;
    bool                              *queued;     /* by fragment */

    gql_names_t                        names;      /* of variables */
    bool                               nomem;
} gql_conditions_t;


static int gql_conditions_names(const gql_conditions_t *c,
    prompt_arena_t *arena, prompt_str_t **names);
static void gql_conditions_walk(gql_conditions_t *c,
    const gql_selection_set_t *set);
static void gql_conditions_directives(gql_conditions_t *c,
    const gql_list_t *directives);


int
gql_conditions(prompt_arena_t *arena, const gql_document_t *document,
    const gql_operation_definition_t *operation, prompt_str_t **names)
{
    int               n;
    prompt_arena_t   *scratch;
    gql_conditions_t  c;

    /* what is taken is in proportion to the document */

    scratch = prompt_arena_create(SIZE_MAX);
    if (scratch == NULL) {
        return -1;
    }

    memset(&c, 0, sizeof(c));
    gql_names_init(&c.names, scratch);

    n = -1;

    c.queue = prompt_arena_array(scratch, document->nfragments,
                                 sizeof(gql_fragment_definition_t *));
    c.queued = prompt_arena_array(scratch, document->nfragments, sizeof(bool));

    if (c.queue != NULL && c.queued != NULL) {
        gql_conditions_walk(&c, operation->selection_set);

        while (c.head < c.tail && !c.nomem) {
            gql_conditions_walk(&c, c.queue[c.head++]->selection_set);
        }

        n = gql_conditions_names(&c, arena, names);
    }

    prompt_arena_destroy(scratch);

    return n;
}


static int
gql_conditions_names(const gql_conditions_t *c, prompt_arena_t *arena,
    prompt_str_t **names)
{
    const gql_name_entry_t  *entry;

    *names = prompt_arena_array(arena, c->names.count, sizeof(prompt_str_t));

    if (c->nomem || *names == NULL) {
        return -1;
    }

    for (entry = c->names.first; entry != NULL; entry = entry->next) {
        (*names)[entry->id] = entry->name;
    }

    return (int) c->names.count;
}


static void
gql_conditions_walk(gql_conditions_t *c, const gql_selection_set_t *set)
{
    const gql_node_t           *node;
    const gql_fragment_ref_t   *fragment;
    const gql_selection_set_t  *below;

    gql_list_each (node, &set->selections) {
        gql_conditions_directives(c, gql_node_directives(node));

        if (node->kind == GQL_FRAGMENT_SPREAD) {
            fragment = ((const gql_fragment_spread_t *) node)->fragment;

            if (fragment->definition != NULL && !c->queued[fragment->id]) {
                c->queued[fragment->id] = true;
                c->queue[c->tail++] = fragment->definition;
            }

            continue;
        }

        below = gql_node_selection_set(node);

        if (below != NULL) {
            gql_conditions_walk(c, below);
        }
    }
}


static void
gql_conditions_directives(gql_conditions_t *c, const gql_list_t *directives)
{
    const gql_argument_t   *argument;
    const gql_directive_t  *directive;

    gql_list_each (directive, directives) {
        if (!prompt_str_eq(directive->name->value, prompt_str("skip"))
            && !prompt_str_eq(directive->name->value, prompt_str("include")))
        {
            continue;
        }

        gql_list_each (argument, &directive->arguments) {
            if (argument->value->node.kind == GQL_VARIABLE
                && gql_names_add(&c->names, argument->value->text) == NULL)
            {
                c->nomem = true;
            }
        }
    }
}
