/*
 * CollectFields (specification 6.3.2), and what @skip and @include decide.
 *
 * Recursion is bounded by GQL_PLAN_MAX_FRAGMENTS.
 */

#include "graphql/execute/plan_impl.h"
#include "graphql/syntax/selection.h"
#include "graphql/values/values.h"


/* of planning: a response key found, and one that is new */
#define GQL_PLAN_COST_KEY      1
#define GQL_PLAN_COST_NEW_KEY  3


static bool gql_plan_collect_field(gql_planner_t *p, const gql_field_t *field,
    uint32_t base);
static gql_plan_entry_t *gql_plan_entry(gql_planner_t *p, prompt_str_t key,
    uint32_t base);
static bool gql_plan_goes_on(gql_planner_t *p, const gql_node_t *selection);
static bool gql_plan_included(gql_planner_t *p, const gql_list_t *directives);
static bool gql_plan_condition(gql_planner_t *p, const gql_list_t *directives,
    const gql_directive_def_t *def, bool otherwise);


bool
gql_plan_collect(gql_planner_t *p, const gql_type_t *type,
    const gql_selection_set_t *set, uint32_t base, unsigned depth)
{
    bool               ok;
    const gql_node_t  *node;

    if (depth >= GQL_PLAN_MAX_FRAGMENTS) {
        return gql_planner_too_deep(p, "fragments", GQL_PLAN_MAX_FRAGMENTS);
    }

    gql_list_each (node, &set->selections) {
        if (!gql_planner_spend(p, 1)) {
            return false;
        }

        ok = true;

        if (!gql_plan_goes_on(p, node)) {
            /* void */

        } else if (node->kind == GQL_FIELD) {
            ok = gql_plan_collect_field(p, (const gql_field_t *) node, base);

        } else if (gql_schema_applies(p->plan->schema,
                                      gql_selection_condition(node), type))
        {
            ok = gql_plan_collect(p, type, gql_selection_below(node), base,
                                  depth + 1);
        }

        if (!ok || p->invalid != NULL || p->failed) {
            return false;
        }
    }

    return true;
}


static bool
gql_plan_collect_field(gql_planner_t *p, const gql_field_t *field,
    uint32_t base)
{
    gql_plan_node_t   *node;
    gql_plan_entry_t  *entry;

    p->nodes = gql_planner_grow(p, p->nodes, p->nnodes, &p->max_nodes,
                                sizeof(gql_plan_node_t));
    if (p->nodes == NULL) {
        return false;
    }

    entry = gql_plan_entry(p, gql_field_key(field), base);
    if (entry == NULL) {
        return false;
    }

    node = &p->nodes[p->nnodes];
    node->field = field;
    node->next = GQL_PLAN_NONE;

    if (entry->count == 0) {
        entry->first = p->nnodes;

    } else {
        p->nodes[entry->last].next = p->nnodes;
    }

    entry->last = p->nnodes++;
    entry->count++;

    return true;
}


/* the entry of a key in this collection, made where there is none */
static gql_plan_entry_t *
gql_plan_entry(gql_planner_t *p, prompt_str_t key, uint32_t base)
{
    gql_plan_entry_t  *entry;
    gql_name_entry_t  *name;

    name = gql_names_add(&p->keys, key);
    if (name == NULL) {
        (void) gql_planner_nomem(p);
        return NULL;
    }

    if (name->mark == p->collection) {
        return gql_planner_spend(p, GQL_PLAN_COST_KEY)
               ? &p->entries[base + (uintptr_t) name->value] : NULL;
    }

    if (!gql_planner_spend(p, GQL_PLAN_COST_NEW_KEY)) {
        return NULL;
    }

    p->entries = gql_planner_grow(p, p->entries, p->nentries,
                                  &p->max_entries, sizeof(gql_plan_entry_t));
    if (p->entries == NULL) {
        return NULL;
    }

    name->mark = p->collection;
    name->value = (void *) (uintptr_t) (p->nentries - base);

    entry = &p->entries[p->nentries++];
    entry->key = key;
    entry->count = 0;

    return entry;
}


/*
 * Whether a selection is to be looked at: its conditions say so, and it is no
 * spread of what is not there, or was collected before.
 */
static bool
gql_plan_goes_on(gql_planner_t *p, const gql_node_t *selection)
{
    bool                       included;
    const gql_fragment_ref_t  *fragment;

    if (selection->kind != GQL_FRAGMENT_SPREAD) {
        return gql_plan_included(p, gql_node_directives(selection));
    }

    fragment = ((const gql_fragment_spread_t *) selection)->fragment;

    if (p->visited[fragment->id] == p->collection) {
        return false;
    }

    /* of an unknown one conditions are evaluated, too, for their errors */

    included = gql_plan_included(p, gql_node_directives(selection));

    if (!included || fragment->definition == NULL) {
        return false;
    }

    p->visited[fragment->id] = p->collection;

    return true;
}


/* what @skip and @include say; false also with p->invalid or p->failed */
static bool
gql_plan_included(gql_planner_t *p, const gql_list_t *directives)
{
    if (directives->first == NULL) {
        return true;
    }

    return !gql_plan_condition(p, directives, p->plan->schema->skip, false)
           && p->invalid == NULL && !p->failed
           && gql_plan_condition(p, directives, p->plan->schema->include, true)
           && p->invalid == NULL && !p->failed;
}


/* "if" of the first directive of def's name */
static bool
gql_plan_condition(gql_planner_t *p, const gql_list_t *directives,
    const gql_directive_def_t *def, bool otherwise)
{
    gql_errors_t            errors;
    prompt_json_t          *arguments;
    const prompt_json_t    *condition;
    const gql_argument_t   *argument;
    const gql_directive_t  *directive;

    gql_list_each (directive, directives) {
        if (prompt_str_eq(directive->name->value, def->name)) {
            break;
        }
    }

    if (directive == NULL) {
        return otherwise;
    }

    argument = (const gql_argument_t *) directive->arguments.first;

    if (directive->arguments.count == 1
        && argument->value->node.kind == GQL_BOOLEAN
        && prompt_str_eq(argument->name->value, prompt_str("if")))
    {
        return argument->value->boolean;
    }

    gql_errors_init(&errors, p->plan->arena, p->plan->document->source, 0);

    arguments = gql_coerce_arguments(p->plan->arena, def->args, def->nargs,
                                     &directive->node, &directive->arguments,
                                     p->variables, &errors);

    if (errors.nomem) {
        gql_planner_nomem(p);
        return otherwise;
    }

    if (arguments == NULL) {
        p->invalid = errors.first;
        return otherwise;
    }

    condition = prompt_json_get(arguments, prompt_str("if"));

    if (condition == NULL || condition->type != PROMPT_JSON_BOOLEAN) {
        return otherwise;
    }

    return condition->boolean;
}
