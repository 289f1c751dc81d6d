/*
 * Validation rules that look at single fields (specification, 5.3.1, 5.3.3):
 * ScalarLeafs, FieldsOnCorrectType, MaxIntrospectionDepth.  How fields of one
 * response go together is overlapping.c's to say.
 */

#include "graphql/types/suggest.h"
#include "graphql/validate/validate_context.h"


/*
 * Leaf Field Selections
 * https://spec.graphql.org/September2025/#sec-Leaf-Field-Selections
 *
 *     good:  { dog { barks } }
 *     bad:   { dog }
 *     bad:   { dog { barks { sinceWhen } } }
 */
static bool
scalar_leafs_field(gql_validation_t *v, void *state, const gql_node_t *node)
{
    prompt_str_t           name, text;
    const gql_field_t     *field;
    const gql_type_ref_t  *type;

    (void) state;

    field = (const gql_field_t *) node;
    type = v->info->type;

    if (type == NULL) {
        return true;
    }

    name = field->name->value;
    text = type->text;

    if (gql_type_is_leaf(gql_ref_named(type))) {
        if (field->selection_set != NULL) {
            gql_refuse_at(v, field->selection_set,
                          "Field \"%.*s\" must not have a selection since "
                          "type \"%.*s\" has no subfields.",
                          gql_error_arg(name), gql_error_arg(text));
        }

    } else if (field->selection_set == NULL) {
        gql_refuse_at(v, field, "Field \"%.*s\" of type \"%.*s\" must have a "
                      "selection of subfields. Did you mean \"%.*s { ... }\"?",
                      gql_error_arg(name), gql_error_arg(text),
                      gql_error_arg(name));

    } else if (field->selection_set->selections.count == 0) {
        gql_refuse_at(v, field, "Field \"%.*s\" of type \"%.*s\" must have at "
                      "least one field selected.", gql_error_arg(name),
                      gql_error_arg(text));
    }

    return true;
}


static const gql_rule_hook_t  scalar_leafs_hooks[] = {
    { GQL_FIELD, scalar_leafs_field, NULL },
};

const gql_rule_t  gql_rule_scalar_leafs = {
    prompt_str_init("ScalarLeafsRule"),
    0,
    NULL,
    gql_rule_hooks(scalar_leafs_hooks)
};


/*
 * Field Selections
 * https://spec.graphql.org/September2025/#sec-Field-Selections
 *
 *     good:  { dog { name } }
 *     bad:   { dog { meowVolume } }
 */

/* a type on which the field exists, and how often it was met */
typedef struct {
    const gql_type_t  *type;
    uint32_t           uses;
} suggested_type_t;


static prompt_str_t fields_on_correct_type_suggest(gql_validation_t *v,
    const gql_type_t *type, prompt_str_t name);
static size_t fields_on_correct_type_count(suggested_type_t *types, size_t n,
    const gql_type_t *type);
static void fields_on_correct_type_sort(suggested_type_t *types, size_t n);
static size_t fields_on_correct_type_run(suggested_type_t *types, size_t n);
static int fields_on_correct_type_compare(const suggested_type_t *first,
    const suggested_type_t *second);


static bool
fields_on_correct_type_field(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    prompt_str_t       name, suggestion;
    const gql_type_t  *type;

    (void) state;

    type = v->info->parent_type;

    if (type == NULL || v->info->field_def != NULL) {
        return true;
    }

    name = ((const gql_field_t *) node)->name->value;
    suggestion = fields_on_correct_type_suggest(v, type, name);

    if (suggestion.len == 0 && (type->kind == GQL_TYPE_OBJECT
                                || type->kind == GQL_TYPE_INTERFACE))
    {
        suggestion = gql_suggest_fields(v, name, type->fields, type->nfields);
    }

    gql_refuse_at(v, node, "Cannot query field \"%.*s\" on type \"%.*s\".%.*s",
                  gql_error_arg(name), gql_error_arg(type->name),
                  gql_error_arg(suggestion));

    return true;
}


/*
 * Types below an abstract one that have the field: those met most often
 * first, then interfaces before what implements them, then by name.
 */
static prompt_str_t
fields_on_correct_type_suggest(gql_validation_t *v, const gql_type_t *type,
    prompt_str_t name)
{
    size_t             k, n, room;
    uint32_t           i, j;
    prompt_str_t      *names;
    suggested_type_t  *types;
    const gql_type_t  *possible;

    if (!gql_type_is_abstract(type)) {
        return prompt_str("");
    }

    room = v->schema->ntypes;
    types = prompt_arena_array(v->arena, room, sizeof(suggested_type_t));
    names = prompt_arena_array(v->arena, room, sizeof(prompt_str_t));

    if (types == NULL || names == NULL) {
        gql_validation_nomem(v);
        return prompt_str("");
    }

    n = 0;

    for (i = 0; i < type->npossible; i++) {
        possible = type->possible[i];

        if (gql_type_field(possible, name) == NULL) {
            continue;
        }

        n = fields_on_correct_type_count(types, n, possible);

        for (j = 0; j < possible->ninterfaces; j++) {
            if (gql_type_field(possible->interfaces[j], name) != NULL) {
                n = fields_on_correct_type_count(types, n,
                                                 possible->interfaces[j]);
            }
        }
    }

    fields_on_correct_type_sort(types, n);

    for (k = 0; k < n; k++) {
        names[k] = types[k].type->name;
    }

    return gql_did_you_mean_list(v->errors, v->arena,
                                 prompt_str("to use an inline fragment on"),
                                 names, n);
}


/* returns how many types there are then */
static size_t
fields_on_correct_type_count(suggested_type_t *types, size_t n,
    const gql_type_t *type)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        if (types[i].type == type) {
            types[i].uses++;
            return n;
        }
    }

    types[n].type = type;
    types[n].uses = 1;

    return n + 1;
}


/*
 * The order is none in the strict sense (of three types the first may come
 * before the second, that before the third, and the third before the first),
 * so the way of sorting shows: this is the one of V8 for short arrays.  What
 * is in order at the beginning stays, the others are inserted by bisection.
 */
static void
fields_on_correct_type_sort(suggested_type_t *types, size_t n)
{
    size_t            i, low, high, middle;
    suggested_type_t  type;

    for (i = fields_on_correct_type_run(types, n); i < n; i++) {
        type = types[i];
        low = 0;
        high = i;

        while (low < high) {
            middle = low + (high - low) / 2;

            if (fields_on_correct_type_compare(&type, &types[middle]) < 0) {
                high = middle;

            } else {
                low = middle + 1;
            }
        }

        memmove(&types[low + 1], &types[low],
                (i - low) * sizeof(suggested_type_t));
        types[low] = type;
    }
}


/* how many are in order at the beginning; turned round where descending */
static size_t
fields_on_correct_type_run(suggested_type_t *types, size_t n)
{
    bool              descending;
    size_t            i, run;
    suggested_type_t  type;

    if (n < 2) {
        return n;
    }

    descending = fields_on_correct_type_compare(&types[1], &types[0]) < 0;

    for (run = 2; run < n; run++) {
        if ((fields_on_correct_type_compare(&types[run], &types[run - 1]) < 0)
            != descending)
        {
            break;
        }
    }

    for (i = 0; descending && i < run / 2; i++) {
        type = types[i];
        types[i] = types[run - 1 - i];
        types[run - 1 - i] = type;
    }

    return run;
}


static int
fields_on_correct_type_compare(const suggested_type_t *first,
    const suggested_type_t *second)
{
    if (first->uses != second->uses) {
        return first->uses > second->uses ? -1 : 1;
    }

    if (first->type->kind == GQL_TYPE_INTERFACE
        && gql_type_is_sub_type(first->type, second->type))
    {
        return -1;
    }

    if (second->type->kind == GQL_TYPE_INTERFACE
        && gql_type_is_sub_type(second->type, first->type))
    {
        return 1;
    }

    return gql_natural_compare(first->type->name, second->type->name);
}


static const gql_rule_hook_t  fields_on_correct_type_hooks[] = {
    { GQL_FIELD, fields_on_correct_type_field, NULL },
};

const gql_rule_t  gql_rule_fields_on_correct_type = {
    prompt_str_init("FieldsOnCorrectTypeRule"),
    0,
    NULL,
    gql_rule_hooks(fields_on_correct_type_hooks)
};


/*
 * MaxIntrospectionDepth: not of the specification, but recommended by
 * graphql-js.  Lists of introspection may be nested twice.
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
    unsigned         depth;          /* of recursion */
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
    in->fragments = prompt_arena_array(v->arena, v->document->nfragments,
                                       sizeof(introspected_t));

    return in->fragments != NULL;
}


static bool
max_introspection_depth_field(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    prompt_str_t      name;
    introspection_t  *in;

    in = state;
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
    const gql_field_t          *field;
    const gql_node_t           *child;
    const gql_selection_set_t  *set;

    v->steps++;

    switch (node->kind) {

    case GQL_FRAGMENT_SPREAD:
        return introspection_spread_exceeds(v, in,
                               (const gql_fragment_spread_t *) node, lists);

    case GQL_FIELD:
        field = (const gql_field_t *) node;
        set = field->selection_set;

        if (introspection_is_list(field->name->value)
            && ++lists >= MAX_LISTS_DEPTH)
        {
            return true;
        }

        break;

    case GQL_INLINE_FRAGMENT:
        set = ((const gql_inline_fragment_t *) node)->selection_set;
        break;

    default: /* GQL_FRAGMENT_DEFINITION */
        set = ((const gql_fragment_definition_t *) node)->selection_set;
        break;
    }

    if (set == NULL) {
        return false;
    }

    if (in->depth >= GQL_VALIDATE_MAX_RECURSION) {
        gql_validation_abort(v, GQL_VALIDATE_MAX_RECURSION,
                             "levels of nesting");
        return false;
    }

    in->depth++;
    exceeds = false;

    gql_list_each(child, &set->selections) {
        exceeds = introspection_exceeds(v, in, child, lists);

        if (exceeds || v->stopped) {
            break;
        }
    }

    in->depth--;

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


static const gql_rule_hook_t  max_introspection_depth_hooks[] = {
    { GQL_FIELD, max_introspection_depth_field, NULL },
};

const gql_rule_t  gql_rule_max_introspection_depth = {
    prompt_str_init("MaxIntrospectionDepthRule"),
    sizeof(introspection_t),
    max_introspection_depth_init,
    gql_rule_hooks(max_introspection_depth_hooks)
};
