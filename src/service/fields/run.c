/*
 * Runs: run, and the fields of Run, RunArm, RunCell and RunEvent.
 *
 * A run comes with its prompt and dataset in one row; cells are sets of rows of
 * their own, one for each time that they are selected, and their executions
 * others.
 */

#include "service/fields/run_impl.h"


#define NGX_HTTP_PROMPT_CELLS_PAGE  100


static void ngx_http_prompt_run(ngx_http_prompt_root_t *root);
static ngx_http_prompt_runs_t *ngx_http_prompt_runs_make(
    ngx_http_prompt_root_t *root);
static void ngx_http_prompt_runs_ask(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_runs_cells(ngx_http_prompt_root_t *root,
    ngx_http_prompt_runs_t *runs, prompt_query_t *query) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_runs_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_run_flat(const gql_plan_field_t *field,
    ngx_http_prompt_run_below_t *below);
static ngx_http_prompt_resolve_t
    ngx_http_prompt_resolve_cells,
    ngx_http_prompt_resolve_cell_item;


#define column(member)                                                       \
    .resource = &prompt_runs_resource,                                       \
    .offset = offsetof(prompt_runs_t, member)

#define cell(member)                                                         \
    .resource = &prompt_cells_resource,                                      \
    .offset = offsetof(prompt_cells_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_run_fields[] = {

    { .type = "Query", .name = "run",
      .scope = PROMPT_KEY_SCOPE_READ,
      .standby = true,
      .compile = ngx_http_prompt_run_compile,
      .start = ngx_http_prompt_run },

    { .type = "Mutation", .name = "createRun",
      .scope = PROMPT_KEY_SCOPE_WRITE|PROMPT_KEY_SCOPE_EXECUTE,
      .compile = ngx_http_prompt_run_compile,
      .start = ngx_http_prompt_create_run },

    { .type = "Mutation", .name = "updateRun",
      .scope = PROMPT_KEY_SCOPE_WRITE|PROMPT_KEY_SCOPE_EXECUTE,
      .compile = ngx_http_prompt_run_compile,
      .start = ngx_http_prompt_update_run },

    { .type = "Mutation", .name = "cancelRun",
      .scope = PROMPT_KEY_SCOPE_WRITE|PROMPT_KEY_SCOPE_EXECUTE,
      .compile = ngx_http_prompt_run_compile,
      .start = ngx_http_prompt_cancel_run },

    { .type = "Subscription", .name = "watchRun",
      .scope = PROMPT_KEY_SCOPE_WRITE|PROMPT_KEY_SCOPE_EXECUTE,
      .compile = ngx_http_prompt_watch_compile,
      .start = ngx_http_prompt_watch_run },

    { .type = "Run", .name = "id", column(id) },
    { .type = "Run", .name = "dataset",
      .scope = PROMPT_KEY_SCOPE_READ,
      .resolve = ngx_http_prompt_slot_pointer,
      .offset = offsetof(ngx_http_prompt_run_node_t, dataset) },
    { .type = "Run", .name = "prompt",
      .scope = PROMPT_KEY_SCOPE_READ,
      .resolve = ngx_http_prompt_slot_pointer,
      .offset = offsetof(ngx_http_prompt_run_node_t, prompt) },
    { .type = "Run", .name = "state", column(state) },
    { .type = "Run", .name = "arms",
      .scope = PROMPT_KEY_SCOPE_ANY, column(arms) },
    { .type = "Run", .name = "repetitions", column(repetitions) },
    { .type = "Run", .name = "costCapUsd", column(cost_cap_usd) },
    { .type = "Run", .name = "costUsd", column(cost_usd) },
    { .type = "Run", .name = "done", column(done) },
    { .type = "Run", .name = "total", column(total) },
    { .type = "Run", .name = "createdAt", column(created_at) },
    { .type = "Run", .name = "finishedAt", column(finished_at) },
    { .type = "Run", .name = "cells",
      .scope = PROMPT_KEY_SCOPE_READ,
      .resolve = ngx_http_prompt_resolve_cells },

    { .type = "RunArm", .name = "version",
      .resolve = ngx_http_prompt_slot_member_number },
    { .type = "RunArm", .name = "model",
      .resolve = ngx_http_prompt_slot_member },
    { .type = "RunArm", .name = "done",
      .resolve = ngx_http_prompt_slot_member_number },
    { .type = "RunArm", .name = "failed",
      .resolve = ngx_http_prompt_slot_member_number },
    { .type = "RunArm", .name = "costUsd",
      .resolve = ngx_http_prompt_slot_member },
    { .type = "RunArm", .name = "latencyP50Ms",
      .resolve = ngx_http_prompt_slot_member_number },
    { .type = "RunArm", .name = "scores",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_member_objects,
      .offset = offsetof(ngx_http_prompt_run_node_t, scores)
                - offsetof(ngx_http_prompt_run_node_t, record.arms) },

    { .type = "ScoreSummary", .name = "name",
      .resolve = ngx_http_prompt_slot_member },
    { .type = "ScoreSummary", .name = "count",
      .resolve = ngx_http_prompt_slot_member_number },
    { .type = "ScoreSummary", .name = "mean",
      .resolve = ngx_http_prompt_slot_member_number },
    { .type = "ScoreSummary", .name = "min",
      .resolve = ngx_http_prompt_slot_member_number },
    { .type = "ScoreSummary", .name = "max",
      .resolve = ngx_http_prompt_slot_member_number },

    { .type = "RunCell", .name = "id", cell(id) },
    { .type = "RunCell", .name = "item",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_cell_item },
    { .type = "RunCell", .name = "version", cell(version) },
    { .type = "RunCell", .name = "repetition", cell(repetition) },
    { .type = "RunCell", .name = "execution",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_pointer,
      .offset = offsetof(ngx_http_prompt_cell_node_t, execution) },
    { .type = "RunCell", .name = "error", cell(error) },
    { .type = "RunCell", .name = "scores",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_objects,
      .offset = offsetof(ngx_http_prompt_cell_node_t, scored.record.scores) },

    { .type = "RunEvent", .name = "cell",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_pointer,
      .offset = offsetof(ngx_http_prompt_run_event_t, cell) },
    { .type = "RunEvent", .name = "run",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_pointer,
      .offset = offsetof(ngx_http_prompt_run_event_t, run) },

    { .type = NULL }
};

#undef column
#undef cell


static bool
ngx_http_prompt_run_is(const gql_plan_field_t *field, const char *name)
{
    return !gql_field_is_meta(field)
           && prompt_str_eq(field->def->name, prompt_str_from(name));
}


bool
ngx_http_prompt_run_compile(gql_plan_t *plan, gql_plan_field_t *field)
{
    ngx_http_prompt_run_below_t  *below;

    below = prompt_arena_zalloc(plan->arena,
                                sizeof(ngx_http_prompt_run_below_t));
    field->data = below;

    return below != NULL
           && ngx_http_prompt_run_project(plan, field->selections[0], false,
                                          below);
}


bool
ngx_http_prompt_run_project(gql_plan_t *plan,
    const gql_plan_selection_t *selection, bool listed,
    ngx_http_prompt_run_below_t *below)
{
    uint32_t           i;
    ngx_uint_t        *number;
    gql_plan_field_t  *child;

    below->cells = prompt_arena_array(plan->arena, selection->nfields,
                                      sizeof(gql_plan_field_t *));
    if (below->cells == NULL) {
        return false;
    }

    for (i = 0; i < selection->nfields; i++) {
        child = &selection->fields[i];

        below->arms |= ngx_http_prompt_run_is(child, "arms");

        if (ngx_http_prompt_run_is(child, "prompt")
            || ngx_http_prompt_run_is(child, "dataset"))
        {
            ngx_http_prompt_run_flat(child, below);
        }

        if (!ngx_http_prompt_run_is(child, "cells")) {
            continue;
        }

        if (listed) {
            below->refused = child->def->name;
            continue;
        }

        number = prompt_arena_alloc(plan->arena, sizeof(ngx_uint_t));
        if (number == NULL) {
            return false;
        }

        *number = below->ncells;
        child->data = number;
        below->cells[below->ncells++] = child;

        ngx_http_prompt_run_project_cell(child->selections[0], below);
    }

    return true;
}


/* of the prompt and the dataset only what is in their rows */
static void
ngx_http_prompt_run_flat(const gql_plan_field_t *field,
    ngx_http_prompt_run_below_t *below)
{
    uint32_t                        i;
    const gql_plan_field_t         *child;
    const ngx_http_prompt_field_t  *entry;

    for (i = 0; i < field->selections[0]->nfields; i++) {
        child = &field->selections[0]->fields[i];
        entry = gql_field_is_meta(child) ? NULL : child->def->data;

        if (ngx_http_prompt_is_person(child)) {
            below->people = true;

        } else if (entry != NULL && entry->column == NULL) {
            below->refused = child->def->name;
        }
    }
}


void
ngx_http_prompt_run_project_cell(const gql_plan_selection_t *selection,
    ngx_http_prompt_run_below_t *below)
{
    uint32_t                              i, n;
    const gql_plan_field_t               *child;
    const gql_plan_selection_t           *scores;
    ngx_http_prompt_project_execution_t   execution;

    for (i = 0; i < selection->nfields; i++) {
        child = &selection->fields[i];

        if (ngx_http_prompt_run_is(child, "execution")) {
            ngx_http_prompt_project_execution(&execution, child);

            below->execution.columns |= execution.columns;
            below->execution.large += execution.large;
            below->people |= execution.people || execution.creator;

            if (execution.refused.data != NULL) {
                below->refused = execution.refused;
            }
        }

        if (ngx_http_prompt_run_is(child, "scores")) {
            scores = child->selections[0];
            below->execution.columns |= prompt_bit(&prompt_execution_resource,
                                                   prompt_execution_t, scores);

            for (n = 0; n < scores->nfields; n++) {
                below->people |= ngx_http_prompt_is_person(&scores->fields[n]);
            }
        }
    }
}


bool
ngx_http_prompt_run_may(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_run_below_t *below)
{
    return below->refused.data == NULL
           || ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
                  below->refused,
                  "\"%.*s\" cannot be selected there, below a run: ask "
                  "\"prompt\", \"dataset\" or \"run\" for it.",
                  prompt_str_arg(below->refused));
}


/* run */
static void
ngx_http_prompt_run(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_runs_t  *runs;

    runs = ngx_http_prompt_runs_make(root);

    if (runs != NULL
        && ngx_http_prompt_root_id(root, "id", "Run", &runs->id))
    {
        ngx_http_prompt_read_other(root, runs, runs->below->ncells != 0,
                                   ngx_http_prompt_runs_ask);
    }
}


void
ngx_http_prompt_run_changed(ngx_http_prompt_root_t *root, prompt_str_t id)
{
    ngx_http_prompt_runs_t  *runs;

    runs = ngx_http_prompt_runs_make(root);

    if (runs != NULL) {
        runs->id = id;
        ngx_http_prompt_read_other_changed(root, runs,
                                           ngx_http_prompt_runs_ask);
    }
}


/* NULL: root was completed */
static ngx_http_prompt_runs_t *
ngx_http_prompt_runs_make(ngx_http_prompt_root_t *root)
{
    prompt_arena_t                     *arena;
    ngx_http_prompt_runs_t             *runs;
    const ngx_http_prompt_run_below_t  *below;

    below = root->field->data;
    arena = root->job->arena;

    if (!ngx_http_prompt_run_may(root, below)) {
        return NULL;
    }

    runs = prompt_arena_zalloc(arena, sizeof(ngx_http_prompt_runs_t));

    if (runs != NULL) {
        runs->cells = prompt_arena_zalloc(arena, below->ncells
                                          * sizeof(ngx_http_prompt_cells_t)
                                          + 1);
    }

    if (runs == NULL || runs->cells == NULL) {
        (void) ngx_http_prompt_root_fail_nomem(root);
        return NULL;
    }

    runs->below = below;
    runs->project_id = ngx_http_prompt_caller(root);

    return runs;
}


static void
ngx_http_prompt_runs_ask(ngx_http_prompt_root_t *root)
{
    bool                     bound;
    prompt_query_t          *query;
    ngx_http_prompt_runs_t  *runs;

    runs = ngx_http_prompt_other(root);

    if (!ngx_http_prompt_other_query(root, &query)) {
        return;
    }

    bound = prompt_snapshot(query)
            && prompt_run_allowed(query, runs->project_id, runs->id)
            && prompt_run_read(query, runs->project_id, runs->id,
                               runs->below->arms)
            && prompt_user_of_project(query, runs->project_id);

    if (ngx_http_prompt_root_bound(root, bound)
        && ngx_http_prompt_runs_cells(root, runs, query))
    {
        ngx_http_prompt_root_send(root, true, ngx_http_prompt_runs_done);
    }
}


static bool
ngx_http_prompt_runs_cells(ngx_http_prompt_root_t *root,
    ngx_http_prompt_runs_t *runs, prompt_query_t *query)
{
    ngx_uint_t            i;
    prompt_str_t          after;
    const prompt_json_t  *arguments;
    prompt_run_cells_t    of;

    if (query->count + 2 * runs->below->ncells > PROMPT_STORE_MAX_STATEMENTS) {
        return ngx_http_prompt_root_wrong(root, "cells",
                   "Cells are selected %lu times below one field; at most %d "
                   "are allowed.", (unsigned long) runs->below->ncells,
                   (PROMPT_STORE_MAX_STATEMENTS - 4) / 2);
    }

    ngx_memzero(&of, sizeof(prompt_run_cells_t));

    of.project_id = runs->project_id;
    of.run_id = runs->id;

    for (i = 0; i < runs->below->ncells; i++) {

        if (!ngx_http_prompt_nested_arguments(root, runs->below->cells[i],
                                              &arguments)
            || !ngx_http_prompt_argument_page(root, arguments, "RunCell",
                                              NGX_HTTP_PROMPT_CELLS_PAGE,
                                              &of.first, &after))
        {
            return false;
        }

        of.above = after.data != NULL ? prompt_cell_number(after) : 0;

        if (!ngx_http_prompt_root_bound(root,
                 ngx_http_prompt_run_cells_query(runs, &runs->cells[i], query,
                                                 &of)))
        {
            return false;
        }
    }

    return true;
}


bool
ngx_http_prompt_run_cells_query(ngx_http_prompt_runs_t *runs,
    ngx_http_prompt_cells_t *cells, prompt_query_t *query,
    const prompt_run_cells_t *of)
{
    cells->runs = runs;
    cells->list.item = ngx_http_prompt_run_cell;
    cells->number = query->count;
    cells->next = 0;

    return prompt_run_cells(query, of)
           && prompt_run_executions(query, of, runs->below->execution.columns);
}


static void
ngx_http_prompt_runs_done(ngx_http_prompt_root_t *root)
{
    ngx_uint_t               i;
    gql_result_t             result;
    prompt_outcome_t         outcome;
    const prompt_rows_t     *rows;
    ngx_http_prompt_runs_t  *runs;

    if (!ngx_http_prompt_other_succeeded(root)) {
        return;
    }

    runs = ngx_http_prompt_other(root);
    rows = root->result->rows;
    outcome = prompt_dataset_seen_row(&rows[1]);

    if (outcome == PROMPT_OUTCOME_DONE && rows[2].count == 0) {
        outcome = PROMPT_OUTCOME_NOT_FOUND;
    }

    if (!ngx_http_prompt_run_done(root, outcome,
                                  ngx_http_prompt_root_text(root, "id")))
    {
        return;
    }

    runs->result = root->result;
    runs->query = root->query;
    ngx_http_prompt_people_init(&runs->people, root, 3);
    ngx_http_prompt_run_node(&rows[2], 0, false, NULL, &runs->people,
                             &runs->node);
    runs->node.runs = runs;

    for (i = 0; i < runs->below->ncells; i++) {
        if (!ngx_http_prompt_run_cells_open(runs, &runs->cells[i],
                                            root->job->arena))
        {
            (void) ngx_http_prompt_root_fail_nomem(root);
            return;
        }
    }

    ngx_http_prompt_result_object(&runs->node, &result);
    ngx_http_prompt_write_other(root, &result);
}


void
ngx_http_prompt_run_node(const prompt_rows_t *rows, unsigned row, bool listed,
    void *dataset, ngx_http_prompt_people_t *people,
    ngx_http_prompt_run_node_t *node)
{
    prompt_run_row_t  read;

    prompt_run_row(rows, row, listed, &read);

    node->record = read.run;
    node->own = read.dataset;
    node->dataset = listed ? dataset : &node->own;
    node->runs = NULL;
    node->prompt = read.prompt.id.data != NULL ? &node->node : NULL;

    ngx_memzero(&node->node, sizeof(ngx_http_prompt_prompt_node_t));

    node->node.record = read.prompt;
    node->node.by.people = people;
    node->node.by.id = &node->node.record.created_by;
    node->node.by.owner = &node->node.record.owner_id;
}


bool
ngx_http_prompt_run_cells_open(ngx_http_prompt_runs_t *runs,
    ngx_http_prompt_cells_t *cells, prompt_arena_t *arena)
{
    ngx_uint_t                         i, set;
    const prompt_rows_t               *rows;
    ngx_http_prompt_execution_node_t  *node;

    set = cells->number + 1;
    rows = &runs->result->rows[set];

    cells->list.count = runs->result->rows[cells->number].count;
    cells->nexecutions = rows->count;
    cells->executions = prompt_arena_zalloc(arena, rows->count
                                 * sizeof(ngx_http_prompt_execution_node_t)
                                 + 1);
    if (cells->executions == NULL) {
        return false;
    }

    for (i = 0; i < rows->count; i++) {
        node = &cells->executions[i];

        prompt_execution_row(runs->query->bound[set].statement, rows,
                             (unsigned) i, &node->record);

        node->by.people = &runs->people;
        node->by.id = &node->record.user_id;
        node->by.owner = &runs->people.project;
        node->by.nobody = &node->record.id;

        if (runs->node.prompt != NULL
            && prompt_str_eq(node->record.prompt_id,
                             runs->node.record.prompt_id))
        {
            node->prompt = runs->node.prompt;
        }
    }

    return true;
}


void *
ngx_http_prompt_run_cell(ngx_http_prompt_list_t *list)
{
    int                           order;
    ngx_uint_t                    low, high, middle;
    ngx_http_prompt_cells_t      *cells;
    ngx_http_prompt_cell_node_t  *node;

    cells = (ngx_http_prompt_cells_t *) list;
    node = &cells->node;

    prompt_run_cell_row(&cells->runs->result->rows[cells->number],
                        cells->next++, &node->record, &node->item);

    node->execution = NULL;
    low = 0;
    high = node->record.execution_id.data != NULL ? cells->nexecutions : 0;

    while (low < high) {
        middle = (low + high) / 2;
        order = prompt_str_cmp(cells->executions[middle].record.id,
                               node->record.execution_id);
        if (order == 0) {
            node->execution = &cells->executions[middle];
            break;
        }

        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }

    ngx_memzero(&node->scored, sizeof(ngx_http_prompt_execution_node_t));

    if (node->execution != NULL) {
        node->scored = *node->execution;
    }

    return node;
}


static void
ngx_http_prompt_resolve_cells(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_http_prompt_run_node_t  *node = parent;

    if (node->runs != NULL) {
        ngx_http_prompt_result_list(
            &node->runs->cells[*(ngx_uint_t *) field->data].list, out);
    }
}


static void
ngx_http_prompt_resolve_cell_item(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_http_prompt_cell_node_t  *node = parent;

    if (node->item.id.data != NULL) {
        ngx_http_prompt_result_object(&node->item, out);
    }
}


bool
ngx_http_prompt_run_done(ngx_http_prompt_root_t *root,
    prompt_outcome_t outcome, prompt_str_t id)
{
    switch (outcome) {

    case PROMPT_OUTCOME_NOT_FOUND:
        return ngx_http_prompt_fail_not_found(root, "Run", id);

    case PROMPT_OUTCOME_FORBIDDEN:
        return ngx_http_prompt_root_fail(root, ngx_http_prompt_forbidden,
                   prompt_str_absent, "The run with id \"%.*s\" is another "
                   "project's.", prompt_str_arg(id));

    case PROMPT_OUTCOME_NO_CAP:
        return ngx_http_prompt_root_wrong(root, "costCapUsd",
                   "The run was made without a bound of its cost, and gets "
                   "none.");

    default:
        return ngx_http_prompt_outcome_done(root, outcome, id);
    }
}
