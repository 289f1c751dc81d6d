/*
 * Validation of executable documents (specification, section 5): the table of
 * rules, and running them.
 *
 * The rules themselves are in validate_*.c and overlapping.c, grouped by what
 * they look at.  One walk serves all: at each node every rule that looks at
 * such nodes is called in the order of the table, which is why errors come in
 * the order of graphql-js.
 */

#include "graphql/validate/validate.h"
#include "graphql/validate/validate_impl.h"


/* graphql-js's specifiedRules, in their order; then what may be asked for */
static const gql_rule_t *const  gql_rules[] = {
    &gql_rule_executable_definitions,
    &gql_rule_unique_operation_names,
    &gql_rule_lone_anonymous_operation,
    &gql_rule_single_field_subscriptions,
    &gql_rule_known_type_names,
    &gql_rule_fragments_on_composite_types,
    &gql_rule_variables_are_input_types,
    &gql_rule_scalar_leafs,
    &gql_rule_fields_on_correct_type,
    &gql_rule_unique_fragment_names,
    &gql_rule_known_fragment_names,
    &gql_rule_no_unused_fragments,
    &gql_rule_possible_fragment_spreads,
    &gql_rule_no_fragment_cycles,
    &gql_rule_unique_variable_names,
    &gql_rule_no_undefined_variables,
    &gql_rule_no_unused_variables,
    &gql_rule_known_directives,
    &gql_rule_unique_directives_per_location,
    &gql_rule_known_argument_names,
    &gql_rule_unique_argument_names,
    &gql_rule_values_of_correct_type,
    &gql_rule_provided_required_arguments,
    &gql_rule_variables_in_allowed_position,
    &gql_rule_overlapping_fields_can_be_merged,
    &gql_rule_unique_input_field_names,
    &gql_rule_max_introspection_depth,

    &gql_rule_no_deprecated,
    &gql_rule_no_schema_introspection,
};

#define GQL_RULES_SPECIFIED  27
#define GQL_RULES_ALL        (sizeof(gql_rules) / sizeof(gql_rules[0]))

/* rules that one run may be asked for */
#define GQL_RULES_MAX        64


/* a rule in a run */
typedef struct {
    const gql_rule_t       *rule;
    void                   *state;
    const gql_node_t       *over;    /* what it passes over just now */
} gql_running_t;


/* the hooks of one kind of node, in the order of the rules */
typedef struct gql_call_s  gql_call_t;

struct gql_call_s {
    gql_running_t          *running;
    const gql_rule_hook_t  *hook;
    gql_call_t             *next;
};


typedef struct {
    gql_validation_t        v;
    gql_running_t           running[GQL_RULES_MAX];
    size_t                  nrunning;
    gql_call_t             *calls[GQL_KIND_COUNT];
    gql_call_t            **last[GQL_KIND_COUNT];
} gql_run_t;


static void gql_run(gql_run_t *run);
static bool gql_run_choose(gql_run_t *run, const prompt_str_t *rules,
    size_t nrules);
static const gql_rule_t *gql_run_rule(prompt_str_t name);
static void gql_run_start(gql_run_t *run);
static bool gql_run_hook(gql_run_t *run, gql_running_t *running,
    const gql_rule_hook_t *hook);
static bool gql_run_enter(gql_visitor_t *visitor, const gql_node_t *node);
static void gql_run_leave(gql_visitor_t *visitor, const gql_node_t *node);


bool
gql_validate(prompt_arena_t *scratch, const gql_schema_t *schema,
    const gql_document_t *document, const prompt_str_t *rules, size_t nrules,
    gql_errors_t *errors)
{
    uint64_t  steps;

    return gql_validate_counting(scratch, schema, document, rules, nrules,
                                 errors, &steps);
}


bool
gql_validate_counting(prompt_arena_t *scratch, const gql_schema_t *schema,
    const gql_document_t *document, const prompt_str_t *rules, size_t nrules,
    gql_errors_t *errors, uint64_t *steps)
{
    gql_run_t  *run;

    *steps = 0;

    run = prompt_arena_zalloc(scratch, sizeof(gql_run_t));
    if (run == NULL) {
        errors->nomem = true;
        return true;
    }

    if (!gql_run_choose(run, rules, nrules)) {
        return false;
    }

    if (gql_validation_init(&run->v, scratch, schema, document, errors)) {
        gql_run(run);
        *steps = run->v.steps;
    }

    return true;
}


void
gql_validate_within(prompt_arena_t *scratch, const gql_schema_t *schema,
    const gql_document_t *document, uint32_t comparisons,
    gql_errors_t *errors)
{
    gql_run_t  *run;

    run = prompt_arena_zalloc(scratch, sizeof(gql_run_t));
    if (run == NULL) {
        errors->nomem = true;
        return;
    }

    (void) gql_run_choose(run, NULL, 0);

    if (gql_validation_init(&run->v, scratch, schema, document, errors)) {
        run->v.comparisons = comparisons;
        run->v.explains = true;
        gql_run(run);
    }
}


static void
gql_run(gql_run_t *run)
{
    uint32_t       max;
    gql_errors_t  *errors;

    /* one more than the limit: the error that says so */

    errors = run->v.errors;
    max = errors->max;

    if (max == GQL_VALIDATE_NO_ERRORS) {
        run->v.max_errors = 0;

    } else {
        run->v.max_errors = max != 0 ? max : GQL_VALIDATE_MAX_ERRORS;
    }

    errors->max = run->v.max_errors + 1;

    gql_run_start(run);

    errors->max = max;
    errors->full = max != 0 && errors->count >= max;
}


/* false: there is no such rule */
static bool
gql_run_choose(gql_run_t *run, const prompt_str_t *rules, size_t nrules)
{
    size_t             i;
    const gql_rule_t  *rule;

    if (rules == NULL) {
        nrules = GQL_RULES_SPECIFIED;
    }

    if (nrules > GQL_RULES_MAX) {
        return false;
    }

    for (i = 0; i < nrules; i++) {
        rule = rules == NULL ? gql_rules[i] : gql_run_rule(rules[i]);
        if (rule == NULL) {
            return false;
        }

        run->running[i].rule = rule;
    }

    run->nrunning = nrules;

    return true;
}


static const gql_rule_t *
gql_run_rule(prompt_str_t name)
{
    size_t  i;

    for (i = 0; i < GQL_RULES_ALL; i++) {
        if (prompt_str_eq(gql_rules[i]->name, name)) {
            return gql_rules[i];
        }
    }

    return NULL;
}


static void
gql_run_start(gql_run_t *run)
{
    size_t             i, k;
    gql_running_t     *running;
    const gql_rule_t  *rule;

    for (i = 0; i < run->nrunning; i++) {
        running = &run->running[i];
        rule = running->rule;

        running->state = prompt_arena_zalloc(run->v.arena, rule->state_size);

        if (running->state == NULL
            || (rule->init != NULL && !rule->init(&run->v, running->state)))
        {
            gql_validation_nomem(&run->v);
            return;
        }

        for (k = 0; k < rule->nhooks; k++) {
            if (!gql_run_hook(run, running, &rule->hooks[k])) {
                gql_validation_nomem(&run->v);
                return;
            }
        }
    }

    run->v.visitor.enter = gql_run_enter;
    run->v.visitor.leave = gql_run_leave;
    run->v.visitor.data = run;

    gql_visit(&run->v.visitor, &run->v.document->node);

    if (run->v.visitor.too_deep) {
        gql_validation_abort(&run->v, GQL_VISIT_MAX_DEPTH,
                             "levels of nesting");
    }
}


static bool
gql_run_hook(gql_run_t *run, gql_running_t *running,
    const gql_rule_hook_t *hook)
{
    gql_call_t    *call;
    gql_call_t  ***last;

    call = prompt_arena_alloc(run->v.arena, sizeof(gql_call_t));
    if (call == NULL) {
        return false;
    }

    call->running = running;
    call->hook = hook;
    call->next = NULL;

    last = &run->last[hook->kind];

    if (*last == NULL) {
        *last = &run->calls[hook->kind];
    }

    **last = call;
    *last = &call->next;

    return true;
}


static bool
gql_run_enter(gql_visitor_t *visitor, const gql_node_t *node)
{
    gql_run_t   *run;
    gql_call_t  *call;

    run = visitor->data;
    run->v.steps++;

    for (call = run->calls[node->kind]; call != NULL; call = call->next) {
        if (call->running->over != NULL || call->hook->enter == NULL) {
            continue;
        }

        if (!call->hook->enter(&run->v, call->running->state, node)) {
            call->running->over = node;
        }

        if (run->v.stopped) {
            return false;
        }
    }

    return true;
}


static void
gql_run_leave(gql_visitor_t *visitor, const gql_node_t *node)
{
    gql_run_t   *run;
    gql_call_t  *call;

    run = visitor->data;

    for (call = run->calls[node->kind]; call != NULL; call = call->next) {
        if (call->running->over == node) {
            call->running->over = NULL;
            continue;
        }

        if (call->running->over != NULL || call->hook->leave == NULL) {
            continue;
        }

        call->hook->leave(&run->v, call->running->state, node);

        if (run->v.stopped) {
            return;
        }
    }
}
