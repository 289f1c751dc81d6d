/*
 * Which variables decide what a plan looks like: gql_conditions() of plan.h.
 *
 * Fragments wait in a queue instead of being entered, so that recursion goes
 * no deeper than the parser allowed.
 */

#include "graphql/execute/name_table.h"
#include "graphql/execute/plan.h"

#include <stdlib.h>


typedef struct {
    const gql_fragment_definition_t  **queue;
    uint32_t                           head;
    uint32_t                           tail;
    gql_name_table_t                   fragments;   /* not in the queue yet:
                                                       their number */
    const gql_fragment_definition_t  **all;
    bool                              *queued;

    gql_name_table_t                   seen;
    prompt_str_t                      *names;
    uint32_t                           nnames;
    uint32_t                           max_names;
    bool                               nomem;
} gql_conditions_t;


static bool gql_conditions_fragments(gql_conditions_t *c,
    const gql_document_t *document);
static void gql_conditions_walk(gql_conditions_t *c,
    const gql_selection_set_t *set);
static void gql_conditions_spread(gql_conditions_t *c, prompt_str_t name);
static void gql_conditions_directives(gql_conditions_t *c,
    const gql_list_t *directives);
static void gql_conditions_add(gql_conditions_t *c, prompt_str_t name);


int
gql_conditions(prompt_arena_t *arena, const gql_document_t *document,
    const gql_operation_definition_t *operation, prompt_str_t **names)
{
    int               n;
    gql_conditions_t  c;

    memset(&c, 0, sizeof(c));
    gql_name_table_init(&c.fragments);
    gql_name_table_init(&c.seen);

    n = -1;

    if (gql_conditions_fragments(&c, document)) {
        gql_conditions_walk(&c, operation->selection_set);

        while (c.head < c.tail && !c.nomem) {
            gql_conditions_walk(&c, c.queue[c.head++]->selection_set);
        }

        *names = prompt_arena_array(arena, c.nnames, sizeof(prompt_str_t));

        if (!c.nomem && *names != NULL) {
            n = (int) c.nnames;

            if (n != 0) {
                memcpy(*names, c.names, c.nnames * sizeof(prompt_str_t));
            }
        }
    }

    gql_name_table_free(&c.fragments);
    gql_name_table_free(&c.seen);
    free(c.queue);
    free(c.all);
    free(c.queued);
    free(c.names);

    return n;
}


static bool
gql_conditions_fragments(gql_conditions_t *c, const gql_document_t *document)
{
    uint32_t                          n;
    gql_node_t                       *node;
    const gql_fragment_definition_t  *fragment;

    n = 0;

    gql_list_each (node, &document->definitions) {
        n += node->kind == GQL_FRAGMENT_DEFINITION;
    }

    if (n == 0) {
        return true;
    }

    c->queue = calloc(n, sizeof(gql_fragment_definition_t *));
    c->all = calloc(n, sizeof(gql_fragment_definition_t *));
    c->queued = calloc(n, sizeof(bool));

    if (c->queue == NULL || c->all == NULL || c->queued == NULL) {
        return false;
    }

    n = 0;

    gql_list_each (node, &document->definitions) {
        if (node->kind != GQL_FRAGMENT_DEFINITION) {
            continue;
        }

        fragment = (const gql_fragment_definition_t *) node;
        c->all[n] = fragment;

        if (!gql_name_table_put(&c->fragments, fragment->name->value, n++)) {
            return false;
        }
    }

    return true;
}


static void
gql_conditions_walk(gql_conditions_t *c, const gql_selection_set_t *set)
{
    gql_node_t             *node;
    gql_field_t            *field;
    gql_inline_fragment_t  *inlined;
    gql_fragment_spread_t  *spread;

    gql_list_each (node, &set->selections) {
        switch (node->kind) {

        case GQL_FIELD:
            field = (gql_field_t *) node;
            gql_conditions_directives(c, &field->directives);

            if (field->selection_set != NULL) {
                gql_conditions_walk(c, field->selection_set);
            }

            break;

        case GQL_INLINE_FRAGMENT:
            inlined = (gql_inline_fragment_t *) node;
            gql_conditions_directives(c, &inlined->directives);
            gql_conditions_walk(c, inlined->selection_set);
            break;

        default:  /* GQL_FRAGMENT_SPREAD */
            spread = (gql_fragment_spread_t *) node;
            gql_conditions_directives(c, &spread->directives);
            gql_conditions_spread(c, spread->name->value);
            break;
        }
    }
}


static void
gql_conditions_spread(gql_conditions_t *c, prompt_str_t name)
{
    uint32_t  i;

    if (gql_name_table_find(&c->fragments, name, &i) && !c->queued[i]) {
        c->queued[i] = true;
        c->queue[c->tail++] = c->all[i];
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
            if (argument->value->node.kind == GQL_VARIABLE) {
                gql_conditions_add(c, argument->value->text);
            }
        }
    }
}


static void
gql_conditions_add(gql_conditions_t *c, prompt_str_t name)
{
    uint32_t       i, max;
    prompt_str_t  *names;

    if (c->nomem || gql_name_table_find(&c->seen, name, &i)) {
        return;
    }

    if (c->nnames == c->max_names) {
        max = c->max_names != 0 ? c->max_names * 2 : 8;

        names = realloc(c->names, max * sizeof(prompt_str_t));
        if (names == NULL) {
            c->nomem = true;
            return;
        }

        c->names = names;
        c->max_names = max;
    }

    if (!gql_name_table_put(&c->seen, name, c->nnames)) {
        c->nomem = true;
        return;
    }

    c->names[c->nnames++] = name;
}
