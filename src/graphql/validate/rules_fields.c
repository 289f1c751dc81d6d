/*
 * Rules on single fields (specification, 5.3.1, 5.3.3): ScalarLeafs,
 * FieldsOnCorrectType.  How fields of one response go together is
 * overlapping.c's to say.
 */

#include "base/bisect.h"
#include "graphql/types/suggest.h"
#include "graphql/validate/validate_impl.h"


/*
 * Leaf Field Selections
 * https://spec.graphql.org/September2025/#sec-Leaf-Field-Selections
 *
 *     good:  { dog { barks } }
 *     bad:   { dog }
 *     bad:   { dog { barks { sinceWhen } } }
 */
static bool
scalar_leafs_field(gql_validation_t *v, const gql_node_t *node)
{
    prompt_str_t           name, text;
    const gql_field_t     *field;
    const gql_type_ref_t  *type;

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


const gql_rule_t  gql_rule_scalar_leafs = {
    .hooks = gql_rule_enter(GQL_FIELD, scalar_leafs_field)
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
fields_on_correct_type_field(gql_validation_t *v, const gql_node_t *node)
{
    prompt_str_t       name, suggestion;
    const gql_type_t  *type;

    type = v->info->parent_type;

    if (type == NULL || v->info->field_def != NULL) {
        return true;
    }

    name = ((const gql_field_t *) node)->name->value;
    suggestion = fields_on_correct_type_suggest(v, type, name);

    if (suggestion.len == 0 && (type->kind == GQL_TYPE_OBJECT
                                || type->kind == GQL_TYPE_INTERFACE))
    {
        suggestion = gql_suggest(v, name, &type->by_name);
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
    types = gql_validation_array(v, room, sizeof(suggested_type_t));
    names = gql_validation_array(v, room, sizeof(prompt_str_t));

    if (types == NULL || names == NULL) {
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
        prompt_bisect(low, high, middle,
                      fields_on_correct_type_compare(&type, &types[middle])
                      >= 0);
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


const gql_rule_t  gql_rule_fields_on_correct_type = {
    .hooks = gql_rule_enter(GQL_FIELD, fields_on_correct_type_field)
};
