/*
 * Validation: the table of rules, and running them.
 *
 * The rules themselves are in rules_*.c and overlapping.c, grouped by what
 * they look at.  One walk serves all: at each node every rule that looks at
 * such nodes is called in the order of the table, which is why errors come in
 * the order of graphql-js.
 */

#include "graphql/validate/validate.h"
#include "graphql/validate/validate_impl.h"


#define GQL_RULE_ENTRY(name)  &gql_rule_##name,

const gql_rule_t *const  gql_specified_rules[GQL_SPECIFIED_RULES] = {
    GQL_RULES(GQL_RULE_ENTRY)
};


/* rules that one run may have */
#define GQL_RULES_MAX        64

/* calls of all rules for a document of usual kinds */
#define GQL_CALLS            64


/* a rule in a run */
typedef struct {
    const gql_rule_t       *rule;
    void                   *state;
    const gql_node_t       *over;    /* what it passes over just now */
} gql_running_t;


/* a hook, in the order of the rules: for nodes of one kind, in or out */
typedef struct gql_call_s  gql_call_t;

struct gql_call_s {
    gql_running_t          *running;
    const gql_rule_hook_t  *hook;
    gql_call_t             *next;
};


typedef struct {
    gql_call_t             *first;
    gql_call_t             *last;
} gql_calls_t;


typedef struct {
    gql_validation_t        v;
    gql_running_t           running[GQL_RULES_MAX];
    size_t                  nrunning;
    size_t                  nover;   /* rules that pass over a node */
    gql_calls_t             enter[GQL_KIND_COUNT];
    gql_calls_t             leave[GQL_KIND_COUNT];
    gql_call_t             *free;    /* taken from the arena by so many */
    size_t                  nfree;
} gql_run_t;


static void gql_run(gql_run_t *run);
static bool gql_run_rule(gql_run_t *run, gql_running_t *running);
static bool gql_run_hook(gql_run_t *run, gql_running_t *running,
    const gql_rule_hook_t *hook);
static bool gql_run_call(gql_run_t *run, gql_calls_t *calls,
    gql_running_t *running, const gql_rule_hook_t *hook);
static bool gql_run_enter(gql_visitor_t *visitor, const gql_node_t *node);
static void gql_run_leave(gql_visitor_t *visitor, const gql_node_t *node);


void
gql_validate_within(prompt_arena_t *scratch, const gql_schema_t *schema,
    const gql_document_t *document, uint32_t comparisons, bool introspection,
    gql_errors_t *errors)
{
    uint32_t  before;

    static const gql_rule_t *const  no_introspection[] = {
        &gql_rule_no_schema_introspection
    };

    before = errors->count;

    (void) gql_validate_rules(scratch, schema, document, gql_specified_rules,
                              GQL_SPECIFIED_RULES, comparisons, errors);

    if (errors->count == before && !introspection) {
        (void) gql_validate_rules(scratch, schema, document, no_introspection,
                                  1, comparisons, errors);
    }
}


uint64_t
gql_validate_rules(prompt_arena_t *scratch, const gql_schema_t *schema,
    const gql_document_t *document, const gql_rule_t *const *rules, size_t n,
    uint32_t comparisons, gql_errors_t *errors)
{
    size_t      i;
    uint32_t    max;
    gql_run_t  *run;

    run = prompt_arena_zalloc(scratch, sizeof(gql_run_t));

    if (run == NULL || n > GQL_RULES_MAX) {
        errors->nomem = true;
        return 0;
    }

    if (!gql_validation_init(&run->v, scratch, schema, document, errors)) {
        return 0;
    }

    if (comparisons != 0) {
        run->v.comparisons = comparisons;
        run->v.explains = true;
    }

    for (i = 0; i < n; i++) {
        run->running[i].rule = rules[i];
    }

    run->nrunning = n;

    /* one more error than the limit: the one that says so */

    max = errors->max;
    run->v.max_errors = max == GQL_VALIDATE_NO_ERRORS ? 0
                        : max != 0 ? max : GQL_VALIDATE_MAX_ERRORS;
    errors->max = run->v.max_errors + 1;

    gql_run(run);

    errors->max = max;
    errors->full = max != 0 && errors->count >= max;

    return run->v.steps;
}


static void
gql_run(gql_run_t *run)
{
    size_t  i;

    for (i = 0; i < run->nrunning; i++) {
        if (!gql_run_rule(run, &run->running[i])) {
            gql_validation_nomem(&run->v);
            return;
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
gql_run_rule(gql_run_t *run, gql_running_t *running)
{
    size_t             i;
    const gql_rule_t  *rule;

    rule = running->rule;
    running->state = prompt_arena_zalloc(run->v.arena, rule->state_size);

    if (running->state == NULL
        || (rule->init != NULL && !rule->init(&run->v, running->state)))
    {
        return false;
    }

    for (i = 0; i < GQL_RULE_HOOKS && rule->hooks[i].kinds != 0; i++) {
        if (!gql_run_hook(run, running, &rule->hooks[i])) {
            return false;
        }
    }

    return true;
}


static bool
gql_run_hook(gql_run_t *run, gql_running_t *running,
    const gql_rule_hook_t *hook)
{
    int       kind;
    uint64_t  kinds;

    /* the lowest bit is a kind, and what is left are the others */

    for (kinds = hook->kinds; kinds != 0; kinds &= kinds - 1) {
        kind = __builtin_ctzll(kinds);

        if (hook->enter != NULL
            && !gql_run_call(run, &run->enter[kind], running, hook))
        {
            return false;
        }

        if (hook->leave != NULL
            && !gql_run_call(run, &run->leave[kind], running, hook))
        {
            return false;
        }
    }

    return true;
}


static bool
gql_run_call(gql_run_t *run, gql_calls_t *calls, gql_running_t *running,
    const gql_rule_hook_t *hook)
{
    gql_call_t  *call;

    if (run->nfree == 0) {
        run->free = prompt_arena_alloc(run->v.arena,
                                       GQL_CALLS * sizeof(gql_call_t));
        if (run->free == NULL) {
            return false;
        }

        run->nfree = GQL_CALLS;
    }

    call = run->free++;
    run->nfree--;

    call->running = running;
    call->hook = hook;
    call->next = NULL;

    prompt_link(calls, call, next);

    return true;
}


static bool
gql_run_enter(gql_visitor_t *visitor, const gql_node_t *node)
{
    gql_run_t   *run;
    gql_call_t  *call;

    run = visitor->data;
    run->v.steps++;

    for (call = run->enter[node->kind].first; call != NULL; call = call->next)
    {
        if (call->running->over != NULL) {
            continue;
        }

        run->v.state = call->running->state;

        if (!call->hook->enter(&run->v, node)) {
            call->running->over = node;
            run->nover++;
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

    for (call = run->leave[node->kind].first; call != NULL; call = call->next)
    {
        if (call->running->over != NULL) {
            continue;
        }

        run->v.state = call->running->state;
        call->hook->leave(&run->v, node);

        if (run->v.stopped) {
            return;
        }
    }

    if (run->nover == 0) {
        return;
    }

    for (call = run->enter[node->kind].first; call != NULL; call = call->next)
    {
        if (call->running->over == node) {
            call->running->over = NULL;
            run->nover--;
        }
    }
}
