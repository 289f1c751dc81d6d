/*
 * Rules on introspection, which are not of the specification, but come with
 * graphql-js: MaxIntrospectionDepth, NoSchemaIntrospectionCustomRule.
 */

#include "graphql/validate/validate_impl.h"


/*
 * Lists of introspection may be nested twice.
 *
 *     good:  { __type(name: "T") { fields { type { fields { name } } } } }
 *     bad:   { __type(name: "T") { fields { type { fields {
 *                type { fields { name } } } } } } }
 *
 * Each fragment remembers at which depths it was found to be in order, and at
 * which not, so that it is looked at three times at most for each root.
 */

#define MAX_LISTS_DEPTH  3

/* what is known of a fragment, depths plus one, 0: nothing */
typedef struct {
    uint32_t  checked;               /* greatest depth that was in order */
    uint32_t  exceeded;              /* smallest depth that was not */
    uint32_t  visited;               /* greatest depth since root */
    uint32_t  root;                  /* number of the root of visited */
} introspected_t;


typedef struct {
    introspected_t  *fragments;      /* by id */
    uint32_t         root;
} introspection_t;


static bool introspection_exceeds(gql_validation_t *v, introspection_t *in,
    const gql_node_t *node, uint32_t lists);
static bool introspection_spread_exceeds(gql_validation_t *v,
    introspection_t *in, const gql_fragment_spread_t *spread, uint32_t lists);
static bool introspection_is_list(prompt_str_t name);


static bool
max_introspection_depth_init(gql_validation_t *v, void *state)
{
    introspection_t  *in;

    in = state;
    in->fragments = gql_validation_array(v, v->document->nfragments,
                                         sizeof(introspected_t));

    return in->fragments != NULL;
}


static bool
max_introspection_depth_field(gql_validation_t *v, const gql_node_t *node)
{
    prompt_str_t      name;
    introspection_t  *in;

    in = v->state;
    name = ((const gql_field_t *) node)->name->value;

    if (!prompt_str_eq(name, prompt_str("__schema"))
        && !prompt_str_eq(name, prompt_str("__type")))
    {
        return true;
    }

    in->root++;

    if (introspection_exceeds(v, in, node, 0)) {
        gql_refuse_at(v, node, "Maximum introspection depth exceeded");
        return false;
    }

    return true;
}


static bool
introspection_exceeds(gql_validation_t *v, introspection_t *in,
    const gql_node_t *node, uint32_t lists)
{
    bool                        exceeds;
    const gql_node_t           *child;
    const gql_selection_set_t  *set;

    v->steps++;

    if (node->kind == GQL_FRAGMENT_SPREAD) {
        return introspection_spread_exceeds(v, in,
                               (const gql_fragment_spread_t *) node, lists);
    }

    if (node->kind == GQL_FIELD
        && introspection_is_list(((const gql_field_t *) node)->name->value)
        && ++lists >= MAX_LISTS_DEPTH)
    {
        return true;
    }

    set = gql_node_selection_set(node);

    if (set == NULL || !gql_descend(v, 1)) {
        return false;
    }

    exceeds = false;

    gql_list_each(child, &set->selections) {
        exceeds = introspection_exceeds(v, in, child, lists);

        if (exceeds || v->stopped) {
            break;
        }
    }

    v->depth--;

    return exceeds;
}


static bool
introspection_spread_exceeds(gql_validation_t *v, introspection_t *in,
    const gql_fragment_spread_t *spread, uint32_t lists)
{
    introspected_t                   *known;
    const gql_fragment_definition_t  *fragment;

    fragment = spread->fragment->definition;
    if (fragment == NULL) {
        return false;
    }

    known = &in->fragments[spread->fragment->id];

    if (known->exceeded != 0 && known->exceeded <= lists + 1) {
        return true;
    }

    if (known->root != in->root) {
        known->root = in->root;
        known->visited = 0;
    }

    if (known->visited >= lists + 1 || known->checked >= lists + 1) {
        return false;
    }

    known->visited = lists + 1;

    if (introspection_exceeds(v, in, &fragment->node, lists)) {
        known->exceeded = lists + 1;
        return true;
    }

    known->checked = lists + 1;

    return false;
}


static bool
introspection_is_list(prompt_str_t name)
{
    return prompt_str_eq(name, prompt_str("fields"))
           || prompt_str_eq(name, prompt_str("interfaces"))
           || prompt_str_eq(name, prompt_str("possibleTypes"))
           || prompt_str_eq(name, prompt_str("inputFields"));
}


const gql_rule_t  gql_rule_max_introspection_depth = {
    .state_size = sizeof(introspection_t),
    .init = max_introspection_depth_init,
    .hooks = gql_rule_enter(GQL_FIELD, max_introspection_depth_field)
};


/*
 * No introspection
 *
 *     good:  { dog { __typename } }
 *     bad:   { __schema { queryType { name } } }
 */
static bool
no_schema_introspection_field(gql_validation_t *v, const gql_node_t *node)
{
    prompt_str_t       name;
    const gql_type_t  *type;

    type = gql_ref_named_or_null(v->info->type);

    if (type != NULL && type->introspection) {
        name = ((const gql_field_t *) node)->name->value;

        gql_refuse_at(v, node, "GraphQL introspection has been disabled, but "
                      "the requested query contained the field \"%.*s\".",
                      gql_error_arg(name));
    }

    return true;
}


const gql_rule_t  gql_rule_no_schema_introspection = {
    .hooks = gql_rule_enter(GQL_FIELD, no_schema_introspection_field)
};
