/*
 * Limits of one document.  See limits.h.
 *
 * A selection set is measured from below; what a fragment measures is kept.
 * Sums do not overflow: they stop at a number beyond any limit.
 */

#include <inttypes.h>

#include "graphql/limits.h"
#include "graphql/syntax/depth.h"
#include "graphql/syntax/names.h"
#include "graphql/syntax/selection.h"


/* no count goes beyond */
#define LIMITS_MANY           UINT32_MAX
#define LIMITS_COMPLEX        UINT64_C(999999999999999)


/* what a selection set asks for */
typedef struct {
    uint32_t                          depth;
    uint32_t                          aliases;
    uint32_t                          root_fields;   /* keys may be equal */
    uint64_t                          complexity;
} limits_measure_t;


/* what is remembered of a fragment */
typedef struct {
    limits_measure_t                  measure;
    bool                              begun;
    bool                              done;
    uint32_t                          operation;     /* that counted its keys */
} limits_fragment_t;


typedef struct {
    prompt_arena_t                   *arena;
    const gql_limits_t               *limits;
    const gql_schema_t               *schema;
    const gql_document_t             *document;
    gql_errors_t                     *errors;
    limits_fragment_t                *fragments;     /* by id */
    unsigned                          depth;         /* of recursion */
    uint32_t                          operation;     /* number of it, from 1 */

    uint32_t                          directives;
    uint32_t                          excess;        /* offset of the first
                                                        directive too many */
} limits_t;


static void limits_directives(limits_t *l, const gql_list_t *directives);
static void limits_directives_in(limits_t *l, const gql_selection_set_t *set);
static void limits_check_directives(limits_t *l);
static bool limits_check_operation(limits_t *l,
    const gql_operation_definition_t *operation);
static void limits_measure_set(limits_t *l, const gql_selection_set_t *set,
    const gql_type_t *type, limits_measure_t *measure);
static void limits_measure_field(limits_t *l, const gql_field_t *field,
    const gql_type_t *type, limits_measure_t *measure);
static void limits_measure_spread(limits_t *l,
    const gql_fragment_spread_t *spread, limits_measure_t *measure);
static void limits_measure_below(limits_t *l, const gql_node_t *selection,
    const gql_type_t *type, limits_measure_t *measure);
static uint64_t limits_list(const gql_field_t *field,
    const gql_field_def_t *def);
static const gql_input_value_t *limits_list_argument(
    const gql_field_def_t *def);
static uint64_t limits_list_bounded(int64_t n);
static uint64_t limits_list_literal(const gql_value_t *value);
static uint64_t limits_list_default(const gql_input_value_t *argument);
static uint32_t limits_root_fields(limits_t *l,
    const gql_operation_definition_t *operation, uint32_t at_most);
static bool limits_root_keys(limits_t *l, gql_names_t *keys,
    const gql_selection_set_t *set);
static bool limits_root_goes_on(limits_t *l, const gql_node_t *selection);
static uint32_t limits_add(uint32_t a, uint32_t b);
static uint64_t limits_grow(uint64_t sum, uint64_t factor, uint64_t value);
static void limits_exceeded(limits_t *l,
    const gql_operation_definition_t *operation, const char *limit,
    uint32_t max, const char *unit, const char *found, uint64_t value);


void
gql_limits_check(prompt_arena_t *arena, const gql_limits_t *limits,
    const gql_schema_t *schema, const gql_document_t *document,
    gql_errors_t *errors)
{
    limits_t                           l;
    const gql_node_t                  *node;
    const gql_operation_definition_t  *operation;

    memset(&l, 0, sizeof(limits_t));

    l.arena = arena;
    l.limits = limits;
    l.schema = schema;
    l.document = document;
    l.errors = errors;
    l.fragments = prompt_arena_array(arena, document->nfragments,
                                     sizeof(limits_fragment_t));
    if (l.fragments == NULL) {
        errors->nomem = true;
        return;
    }

    limits_check_directives(&l);

    gql_list_each(node, &document->definitions) {
        if (node->kind != GQL_OPERATION_DEFINITION) {
            continue;
        }

        operation = (const gql_operation_definition_t *) node;
        l.operation++;

        if (!limits_check_operation(&l, operation)) {
            return;
        }
    }
}


static void
limits_check_directives(limits_t *l)
{
    gql_error_t                      *error;
    const gql_node_t                 *node;
    const gql_variable_definition_t  *variable;

    if (l->limits->directives == 0) {
        return;
    }

    gql_list_each(node, &l->document->definitions) {

        if (node->kind == GQL_OPERATION_DEFINITION) {
            gql_list_each(variable,
                     &((const gql_operation_definition_t *) node)->variables)
            {
                limits_directives(l, &variable->directives);
            }
        }

        limits_directives(l, gql_node_directives(node));
        limits_directives_in(l, gql_node_selection_set(node));
    }

    if (l->directives > l->limits->directives) {
        error = gql_errors_add(l->errors, "The document exceeds the limit of "
                               "%" PRIu32 " directives: it has %" PRIu32 ".",
                               l->limits->directives, l->directives);
        gql_error_at(l->errors, error, l->excess);
    }
}


static void
limits_directives(limits_t *l, const gql_list_t *directives)
{
    const gql_node_t  *directive;

    gql_list_each(directive, directives) {
        if (l->directives == l->limits->directives) {
            l->excess = directive->start;
        }

        l->directives = limits_add(l->directives, 1);
    }
}


/* in a definition: what it spreads is in definitions of its own */
static void
limits_directives_in(limits_t *l, const gql_selection_set_t *set)
{
    const gql_node_t           *node;
    const gql_selection_set_t  *below;

    gql_list_each(node, &set->selections) {
        limits_directives(l, gql_node_directives(node));

        below = gql_node_selection_set(node);

        if (below != NULL) {
            limits_directives_in(l, below);
        }
    }
}


/* false: it exceeds a limit, or memory is short */
static bool
limits_check_operation(limits_t *l,
    const gql_operation_definition_t *operation)
{
    uint32_t             before, max, root_fields;
    const gql_type_t    *type;
    const gql_limits_t  *limits;
    limits_measure_t     measure;

    limits = l->limits;
    before = l->errors->count;
    type = gql_schema_root(l->schema, operation->operation);

    memset(&measure, 0, sizeof(limits_measure_t));
    limits_measure_set(l, operation->selection_set, type, &measure);

    if (limits->depth != 0 && measure.depth > limits->depth) {
        limits_exceeded(l, operation, "the depth limit of", limits->depth, "",
                        "its depth is", measure.depth);
    }

    if (limits->aliases != 0 && measure.aliases > limits->aliases) {
        limits_exceeded(l, operation, "the limit of", limits->aliases,
                        " aliases", "it has", measure.aliases);
    }

    max = operation->operation == GQL_MUTATION ? limits->mutation_fields
                                               : limits->root_fields;

    if (max != 0 && measure.root_fields > max) {
        root_fields = limits_root_fields(l, operation, max);

        if (root_fields > max) {
            limits_exceeded(l, operation, "the limit of", max,
                            operation->operation == GQL_MUTATION
                            ? " root fields of a mutation" : " root fields",
                            "it has", root_fields);
        }
    }

    if (limits->complexity != 0 && measure.complexity > limits->complexity) {
        limits_exceeded(l, operation, "the complexity limit of",
                        limits->complexity, "", "its complexity is",
                        measure.complexity);
    }

    return l->errors->count == before && !l->errors->nomem;
}


/* Adds what a selection set on a type, which may be NULL, asks for. */
static void
limits_measure_set(limits_t *l, const gql_selection_set_t *set,
    const gql_type_t *type, limits_measure_t *measure)
{
    const gql_node_t  *node;

    if (l->depth >= GQL_VALIDATE_MAX_DEPTH) {
        measure->depth = LIMITS_MANY;
        return;
    }

    l->depth++;

    gql_list_each(node, &set->selections) {

        switch (node->kind) {

        case GQL_FIELD:
            limits_measure_field(l, (const gql_field_t *) node, type, measure);
            break;

        case GQL_FRAGMENT_SPREAD:
            limits_measure_spread(l, (const gql_fragment_spread_t *) node,
                                  measure);
            break;

        default:
            limits_measure_below(l, node, type, measure);
            break;
        }
    }

    l->depth--;
}


/* what a fragment on a type selects */
static void
limits_measure_below(limits_t *l, const gql_node_t *selection,
    const gql_type_t *type, limits_measure_t *measure)
{
    const gql_type_node_t  *condition;

    condition = gql_selection_condition(selection);

    if (condition != NULL) {
        type = gql_schema_type(l->schema, condition->name->value);
    }

    limits_measure_set(l, gql_selection_below(selection), type, measure);
}


static void
limits_measure_field(limits_t *l, const gql_field_t *field,
    const gql_type_t *type, limits_measure_t *measure)
{
    uint32_t                depth;
    limits_measure_t        below;
    const gql_type_t       *child;
    const gql_field_def_t  *def;

    def = type != NULL ? gql_schema_field(l->schema, type, field->name->value)
                       : NULL;
    child = def != NULL ? gql_ref_named(def->type) : NULL;

    memset(&below, 0, sizeof(limits_measure_t));

    if (field->selection_set != NULL) {
        limits_measure_set(l, field->selection_set, child, &below);
    }

    depth = limits_add(below.depth, 1);
    if (measure->depth < depth) {
        measure->depth = depth;
    }

    measure->root_fields = limits_add(measure->root_fields, 1);
    measure->aliases = limits_add(measure->aliases,
                                  limits_add(below.aliases,
                                             field->alias != NULL));

    measure->complexity = limits_grow(measure->complexity, 1, 1);
    measure->complexity = limits_grow(measure->complexity,
                                      limits_list(field, def),
                                      below.complexity);
}


static void
limits_measure_spread(limits_t *l, const gql_fragment_spread_t *spread,
    limits_measure_t *measure)
{
    limits_fragment_t  *fragment;

    fragment = &l->fragments[spread->fragment->id];

    /* unknown, or within itself: no document that is executed has either */

    if (spread->fragment->definition == NULL
        || (fragment->begun && !fragment->done))
    {
        return;
    }

    if (!fragment->begun) {
        fragment->begun = true;
        limits_measure_below(l, &spread->node, NULL, &fragment->measure);
        fragment->done = true;
    }

    if (measure->depth < fragment->measure.depth) {
        measure->depth = fragment->measure.depth;
    }

    measure->root_fields = limits_add(measure->root_fields,
                                      fragment->measure.root_fields);
    measure->aliases = limits_add(measure->aliases,
                                  fragment->measure.aliases);
    measure->complexity = limits_grow(measure->complexity, 1,
                                      fragment->measure.complexity);
}


/* how often what is below a field is to be counted */
static uint64_t
limits_list(const gql_field_t *field, const gql_field_def_t *def)
{
    const gql_value_t        *given;
    const gql_input_value_t  *argument;

    if (def == NULL
        || (def->type->kind == GQL_REF_NON_NULL
            ? def->type->of->kind : def->type->kind) != GQL_REF_LIST
        || gql_ref_named(def->type)->introspection)
    {
        return 1;
    }

    argument = limits_list_argument(def);
    if (argument == NULL) {
        return GQL_LIMITS_LIST;
    }

    given = gql_argument_value(&field->arguments, argument->name);

    if (given != NULL && given->node.kind == GQL_INT) {
        return limits_list_literal(given);
    }

    return given != NULL && given->node.kind == GQL_VARIABLE
           ? GQL_LIMITS_LIST_VARIABLE : limits_list_default(argument);
}


static const gql_input_value_t *
limits_list_argument(const gql_field_def_t *def)
{
    size_t    i;
    uint32_t  k;

    static const prompt_str_t  names[] = {
        prompt_str_init("first"),
        prompt_str_init("last"),
        prompt_str_init("limit"),
    };

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        for (k = 0; k < def->nargs; k++) {
            if (prompt_str_eq(def->args[k].name, names[i])) {
                return &def->args[k];
            }
        }
    }

    return NULL;
}


/* 1 to GQL_LIMITS_LIST_MAX: what is beyond, resolvers refuse */
static uint64_t
limits_list_bounded(int64_t n)
{
    if (n < 1) {
        return 1;
    }

    return n < GQL_LIMITS_LIST_MAX ? (uint64_t) n : GQL_LIMITS_LIST_MAX;
}


static uint64_t
limits_list_literal(const gql_value_t *value)
{
    int64_t        n;
    prompt_json_t  number;

    number.type = PROMPT_JSON_NUMBER;
    number.text = value->text;

    if (!prompt_json_integer(&number, &n)) {
        n = value->text.data[0] == '-' ? 1 : GQL_LIMITS_LIST_MAX;
    }

    return limits_list_bounded(n);
}


static uint64_t
limits_list_default(const gql_input_value_t *argument)
{
    int64_t  n;

    if (argument->default_coerced == NULL
        || argument->default_coerced->type != PROMPT_JSON_NUMBER
        || !prompt_json_integer(argument->default_coerced, &n))
    {
        return GQL_LIMITS_LIST;
    }

    return limits_list_bounded(n);
}


/*
 * The different response keys at the root.  Only where there are more fields
 * than that may be, so that many operations with the same fragments are not
 * looked through each time.
 */
static uint32_t
limits_root_fields(limits_t *l, const gql_operation_definition_t *operation,
    uint32_t at_most)
{
    gql_names_t  keys;

    gql_names_init(&keys, l->arena);

    if (!limits_root_keys(l, &keys, operation->selection_set)) {
        l->errors->nomem = true;
        return at_most;
    }

    return keys.count;
}


static bool
limits_root_keys(limits_t *l, gql_names_t *keys,
    const gql_selection_set_t *set)
{
    bool               ok;
    const gql_node_t  *node;

    if (l->depth >= GQL_VALIDATE_MAX_DEPTH) {
        return true;
    }

    l->depth++;
    ok = true;

    gql_list_each(node, &set->selections) {

        if (node->kind == GQL_FIELD) {
            ok = gql_names_add(keys, gql_field_key((const gql_field_t *) node))
                 != NULL;

        } else if (limits_root_goes_on(l, node)) {
            ok = limits_root_keys(l, keys, gql_selection_below(node));
        }

        if (!ok) {
            break;
        }
    }

    l->depth--;

    return ok;
}


/* into a fragment once an operation */
static bool
limits_root_goes_on(limits_t *l, const gql_node_t *selection)
{
    limits_fragment_t         *fragment;
    const gql_fragment_ref_t  *ref;

    if (selection->kind != GQL_FRAGMENT_SPREAD) {
        return true;
    }

    ref = ((const gql_fragment_spread_t *) selection)->fragment;
    fragment = &l->fragments[ref->id];

    if (ref->definition == NULL || fragment->operation == l->operation) {
        return false;
    }

    fragment->operation = l->operation;

    return true;
}


static uint32_t
limits_add(uint32_t a, uint32_t b)
{
    return a > LIMITS_MANY - b ? LIMITS_MANY : a + b;
}


/* sum + factor * value */
static uint64_t
limits_grow(uint64_t sum, uint64_t factor, uint64_t value)
{
    if (value > (LIMITS_COMPLEX - sum) / factor) {
        return LIMITS_COMPLEX;
    }

    return sum + factor * value;
}


static void
limits_exceeded(limits_t *l, const gql_operation_definition_t *operation,
    const char *limit, uint32_t max, const char *unit, const char *found,
    uint64_t value)
{
    gql_error_t  *error;

    if (operation->name != NULL) {
        error = gql_errors_add(l->errors, "Operation \"%.*s\" exceeds %s "
                               "%" PRIu32 "%s: %s %" PRIu64 ".",
                               gql_error_arg(operation->name->value), limit,
                               max, unit, found, value);

    } else {
        error = gql_errors_add(l->errors, "The anonymous operation exceeds %s "
                               "%" PRIu32 "%s: %s %" PRIu64 ".", limit, max,
                               unit, found, value);
    }

    gql_error_at(l->errors, error, operation->node.start);
}
