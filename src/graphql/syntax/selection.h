/*
 * Selections: what stands in a selection set, whichever of the three kinds it
 * is (specification, 2.5).  Whoever walks over selection sets asks here for
 * what is below.
 *
 *     gql_list_each(selection, &set->selections) {
 *         … gql_node_directives(selection) …
 *         below = gql_selection_below(selection);
 */

#ifndef GQL_SELECTION_H
#define GQL_SELECTION_H

#include "graphql/syntax/ast.h"


/* the key of a field in the answer */
static inline prompt_str_t
gql_field_key(const gql_field_t *field)
{
    return field->alias != NULL ? field->alias->value : field->name->value;
}


/* the fragment that a spread names; NULL: none, or no spread */
static inline const gql_fragment_definition_t *
gql_selection_fragment(const gql_node_t *selection)
{
    return selection->kind == GQL_FRAGMENT_SPREAD
           ? ((const gql_fragment_spread_t *) selection)->fragment->definition
           : NULL;
}


/*
 * The children of a selection, those of a spread being its fragment's; NULL:
 * none.  Spreads may lead in circles.
 */
static inline const gql_selection_set_t *
gql_selection_below(const gql_node_t *selection)
{
    const gql_fragment_definition_t  *fragment;

    fragment = gql_selection_fragment(selection);

    return gql_node_selection_set(fragment != NULL ? &fragment->node
                                                   : selection);
}


/* the type that the children are selected on; NULL: no other one, or a field */
static inline const gql_type_node_t *
gql_selection_condition(const gql_node_t *selection)
{
    const gql_fragment_definition_t  *fragment;

    switch (selection->kind) {

    case GQL_FIELD:
        return NULL;

    case GQL_FRAGMENT_SPREAD:
        fragment = gql_selection_fragment(selection);
        return fragment != NULL ? fragment->type_condition : NULL;

    default: /* GQL_INLINE_FRAGMENT */
        return ((const gql_inline_fragment_t *) selection)->type_condition;
    }
}

#endif /* GQL_SELECTION_H */
