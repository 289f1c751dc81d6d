/*
 * CollectFields (specification 6.3.2), and what @skip and @include decide.
 *
 * Recursion is bounded by GQL_PLAN_MAX_FRAGMENTS.
 */

#include "graphql/execute/plan_impl.h"
#include "graphql/values/values.h"


static bool gql_plan_collect_field(gql_planner_t *p, const gql_field_t *field,
    uint32_t base);
static const gql_fragment_definition_t *gql_plan_spread(gql_planner_t *p,
    const gql_fragment_spread_t *spread);
static bool gql_plan_applies(const gql_schema_t *schema,
    const gql_type_node_t *condition, const gql_type_t *type);
static bool gql_plan_included(gql_planner_t *p, const gql_list_t *directives);
static bool gql_plan_condition(gql_planner_t *p, const gql_list_t *directives,
    const gql_directive_def_t *def, bool otherwise);


bool
gql_plan_collect(gql_planner_t *p, const gql_type_t *type,
    const gql_selection_set_t *set, uint32_t base, unsigned depth)
{
    gql_node_t                       *node;
    const gql_inline_fragment_t      *inlined;
    const gql_fragment_definition_t  *fragment;

    if (depth >= GQL_PLAN_MAX_FRAGMENTS) {
        return gql_planner_too_deep(p, "fragments", GQL_PLAN_MAX_FRAGMENTS);
    }

    gql_list_each (node, &set->selections) {
        if (!gql_planner_spend(p)) {
            return false;
        }

        switch (node->kind) {

        case GQL_FIELD:
            if (gql_plan_included(p, &((gql_field_t *) node)->directives)
                && !gql_plan_collect_field(p, (gql_field_t *) node, base))
            {
                return false;
            }

            break;

        case GQL_INLINE_FRAGMENT:
            inlined = (const gql_inline_fragment_t *) node;

            if (gql_plan_included(p, &inlined->directives)
                && gql_plan_applies(p->plan->schema, inlined->type_condition,
                                    type)
                && !gql_plan_collect(p, type, inlined->selection_set, base,
                                     depth + 1))
            {
                return false;
            }

            break;

        default:  /* GQL_FRAGMENT_SPREAD */
            fragment = gql_plan_spread(p, (gql_fragment_spread_t *) node);

            if (fragment != NULL
                && gql_plan_applies(p->plan->schema, fragment->type_condition,
                                    type)
                && !gql_plan_collect(p, type, fragment->selection_set, base,
                                     depth + 1))
            {
                return false;
            }

            break;
        }

        if (p->invalid != NULL || p->failed) {
            return false;
        }
    }

    return true;
}


static bool
gql_plan_collect_field(gql_planner_t *p, const gql_field_t *field,
    uint32_t base)
{
    uint32_t           i;
    prompt_str_t       key;
    gql_plan_node_t   *node;
    gql_plan_entry_t  *entry;

    p->nodes = gql_planner_grow(p, p->nodes, p->nnodes, &p->max_nodes,
                                sizeof(gql_plan_node_t));
    if (p->nodes == NULL) {
        return false;
    }

    node = &p->nodes[p->nnodes];
    node->field = field;
    node->next = GQL_PLAN_NONE;

    key = field->alias != NULL ? field->alias->value : field->name->value;

    if (gql_name_table_find(&p->keys, key, &i)) {
        entry = &p->entries[base + i];
        p->nodes[entry->last].next = p->nnodes;

    } else {
        p->entries = gql_planner_grow(p, p->entries, p->nentries,
                                      &p->max_entries,
                                      sizeof(gql_plan_entry_t));
        if (p->entries == NULL) {
            return false;
        }

        if (!gql_name_table_put(&p->keys, key, p->nentries - base)) {
            return gql_planner_nomem(p);
        }

        entry = &p->entries[p->nentries++];
        entry->key = key;
        entry->first = p->nnodes;
        entry->count = 0;
    }

    entry->last = p->nnodes++;
    entry->count++;

    return true;
}


/* the fragment that is to be spread here; NULL: none, or not again */

static const gql_fragment_definition_t *
gql_plan_spread(gql_planner_t *p, const gql_fragment_spread_t *spread)
{
    uint32_t  i;

    if (!gql_name_table_find(&p->names, spread->name->value, &i)) {

        /* conditions are evaluated all the same, for their errors */

        (void) gql_plan_included(p, &spread->directives);
        return NULL;
    }

    if (p->visited[i] == p->collection
        || !gql_plan_included(p, &spread->directives))
    {
        return NULL;
    }

    p->visited[i] = p->collection;

    return p->fragments[i];
}


/* DoesFragmentTypeApply */

static bool
gql_plan_applies(const gql_schema_t *schema, const gql_type_node_t *condition,
    const gql_type_t *type)
{
    const gql_type_t  *wanted;

    if (condition == NULL) {
        return true;
    }

    wanted = gql_schema_type(schema, condition->name->value);

    if (wanted == NULL) {
        return false;
    }

    return wanted == type
           || (gql_type_is_abstract(wanted)
               && gql_type_is_sub_type(wanted, type));
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
