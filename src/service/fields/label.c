/*
 * Labels: setPromptLabel, removePromptLabel, and the fields of PromptLabel and
 * PromptLabelMove.
 */

#include "service/fields/fields.h"

#include "prompt/name.h"
#include "prompt/split.h"
#include "service/frame/arguments.h"
#include "service/tree/tree.h"


static void ngx_http_prompt_set_label(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_set_label_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_remove_label(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_remove_label_done(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_label_split(ngx_http_prompt_root_t *root,
    prompt_label_t *label) PROMPT_WARN_UNUSED;
static ngx_http_prompt_resolve_t  ngx_http_prompt_resolve_guard;
static bool ngx_http_prompt_move_id(ngx_http_prompt_root_t *root,
    prompt_str_t prompt_id, prompt_str_t *move) PROMPT_WARN_UNUSED;


#define label(member)                                                        \
    .resource = &prompt_label_resource,                                      \
    .offset = offsetof(prompt_label_t, member)

#define move(member)                                                         \
    .resource = &prompt_move_resource,                                       \
    .offset = offsetof(prompt_label_move_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_label_fields[] = {

    { .type = "Mutation", .name = "setPromptLabel",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .compile = ngx_http_prompt_compile_people,
      .start = ngx_http_prompt_set_label },

    { .type = "Mutation", .name = "removePromptLabel",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .start = ngx_http_prompt_remove_label },

    { .type = "PromptLabel", .name = "label", label(label) },
    { .type = "PromptLabel", .name = "version", label(version) },
    { .type = "PromptLabel", .name = "split",
      .scope = PROMPT_KEY_SCOPE_ANY, label(split) },
    { .type = "PromptLabel", .name = "guard",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_guard },
    { .type = "PromptLabel", .name = "setBy",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_person,
      .offset = offsetof(ngx_http_prompt_label_node_t, by) },
    { .type = "PromptLabel", .name = "setAt", label(set_at) },

    { .type = "PromptLabelMove", .name = "id", move(id) },
    { .type = "PromptLabelMove", .name = "label", move(label) },
    { .type = "PromptLabelMove", .name = "version", move(version) },
    { .type = "PromptLabelMove", .name = "previousVersion",
      move(previous_version) },
    { .type = "PromptLabelMove", .name = "split",
      .scope = PROMPT_KEY_SCOPE_ANY, move(split) },
    { .type = "PromptLabelMove", .name = "reason", move(reason) },
    { .type = "PromptLabelMove", .name = "movedBy",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_person,
      .offset = offsetof(ngx_http_prompt_move_node_t, by) },
    { .type = "PromptLabelMove", .name = "movedAt", move(moved_at) },

    { .type = "LabelSplit", .name = "version",
      .resolve = ngx_http_prompt_slot_member_number },
    { .type = "LabelSplit", .name = "permille",
      .resolve = ngx_http_prompt_slot_member_number },

    { .type = "LabelGuard", .name = "maxFailurePermille",
      .resolve = ngx_http_prompt_slot_member_number },
    { .type = "LabelGuard", .name = "maxLatencyRatio",
      .resolve = ngx_http_prompt_slot_member_number },
    { .type = "LabelGuard", .name = "maxCostRatio",
      .resolve = ngx_http_prompt_slot_member_number },
    { .type = "LabelGuard", .name = "minExecutions",
      .resolve = ngx_http_prompt_slot_member_number },

    { .type = NULL }
};


static void
ngx_http_prompt_set_label(ngx_http_prompt_root_t *root)
{
    bool                  bound;
    prompt_str_t          caller, move;
    prompt_fault_t        fault;
    prompt_query_t       *query;
    prompt_label_t       *label;

    label = ngx_http_prompt_root_data(root, sizeof(prompt_label_t));
    if (label == NULL) {
        return;
    }

    caller = ngx_http_prompt_caller(root);
    label->label = ngx_http_prompt_root_text(root, "label");

    if (!ngx_http_prompt_root_id(root, "promptId", "Prompt", &label->prompt_id)
        || !ngx_http_prompt_passed(root,
                                   prompt_label(root->job->arena, label->label,
                                                &fault),
                                   &fault)
        || !ngx_http_prompt_label_split(root, label)
        || !ngx_http_prompt_move_id(root, label->prompt_id, &move))
    {
        return;
    }

    if (ngx_http_prompt_root_begin(root, &query)) {
        query->locks = label->prompt_id;
        bound = prompt_label_set(query, caller, label, move,
                                 PROMPT_LIMIT_LABELS)
                && (root->field->data == NULL
                    || prompt_user_of_project(query, caller));

        ngx_http_prompt_root_send(root, bound, ngx_http_prompt_set_label_done);
    }
}


/* which version, or several, and what guards these */
static bool
ngx_http_prompt_label_split(ngx_http_prompt_root_t *root,
    prompt_label_t *label)
{
    int64_t               version;
    prompt_arena_t       *arena;
    prompt_check_t        rc;
    prompt_fault_t        fault;
    const prompt_json_t  *value;

    arena = root->job->arena;
    value = ngx_http_prompt_root_argument(root, "version");

    /* Int!: an integer of 32 bits */

    if (value != NULL && prompt_json_integer(value, &version)) {
        label->version = (int32_t) version;
    }

    rc = prompt_split_check(arena,
                            ngx_http_prompt_root_argument(root, "split"),
                            label->version, &label->split.cell, &fault);

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_guard_check(arena,
                                ngx_http_prompt_root_argument(root, "guard"),
                                label->split.cell.data != NULL,
                                &label->guard.cell, &fault);
    }

    return ngx_http_prompt_passed(root, rc, &fault);
}


static void
ngx_http_prompt_set_label_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t                   id, number;
    prompt_outcome_t               outcome;
    const prompt_rows_t           *rows;
    ngx_http_prompt_people_t       people;
    ngx_http_prompt_label_node_t   node;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    ngx_memzero(&node, sizeof(ngx_http_prompt_label_node_t));

    rows = root->result->rows;
    id = ngx_http_prompt_root_text(root, "promptId");
    node.record = *(prompt_label_t *) root->data;
    outcome = prompt_label_set_row(&rows[PROMPT_LABEL_STATEMENTS - 1],
                                   &node.record);

    if (outcome == PROMPT_OUTCOME_PROTECTED) {
        ngx_http_prompt_fail_protected(root, node.record.label);
        return;
    }

    if (outcome == PROMPT_OUTCOME_NO_VERSION) {
        number = prompt_arena_printf(root->job->arena, "%d",
                                     (int) node.record.version);
        ngx_http_prompt_root_error(root,
                   ngx_http_prompt_no_number(root->job, number, id));
        return;
    }

    if (outcome == PROMPT_OUTCOME_TOO_MANY) {
        ngx_http_prompt_root_wrong(root, "label",
                                   "A prompt has at most %d labels: remove one "
                                   "first.", PROMPT_LIMIT_LABELS);
        return;
    }

    if (!ngx_http_prompt_outcome_done(root, outcome, id)) {
        return;
    }

    ngx_http_prompt_people_init(&people, root, PROMPT_LABEL_STATEMENTS);

    node.by.people = &people;
    node.by.id = &node.record.set_by;
    node.by.owner = &people.project;

    ngx_http_prompt_root_object(root, &node);
}


static void
ngx_http_prompt_remove_label(ngx_http_prompt_root_t *root)
{
    prompt_str_t     id, move, label;
    prompt_query_t  *query;

    label = ngx_http_prompt_root_text(root, "label");

    if (!ngx_http_prompt_root_id(root, "promptId", "Prompt", &id)
        || !ngx_http_prompt_move_id(root, id, &move))
    {
        return;
    }

    if (ngx_http_prompt_root_begin(root, &query)) {
        query->locks = id;
        ngx_http_prompt_root_send(root,
                             prompt_label_remove(query, id,
                                                 ngx_http_prompt_caller(root),
                                                 label, move),
                             ngx_http_prompt_remove_label_done);
    }
}


static void
ngx_http_prompt_remove_label_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t          id;
    prompt_outcome_t      outcome;
    const prompt_rows_t  *rows;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    rows = root->result->rows;
    id = ngx_http_prompt_root_text(root, "promptId");
    outcome = prompt_outcome_row(&rows[PROMPT_LABEL_STATEMENTS - 1]);

    if (outcome == PROMPT_OUTCOME_PROTECTED) {
        ngx_http_prompt_fail_protected(root,
                                       ngx_http_prompt_root_text(root,
                                                                 "label"));
        return;
    }

    if (outcome == PROMPT_OUTCOME_NO_LABEL) {
        ngx_http_prompt_root_error(root,
                   ngx_http_prompt_no_label(root->job,
                           ngx_http_prompt_root_text(root, "label"), id));
        return;
    }

    if (ngx_http_prompt_outcome_done(root, outcome, id)) {
        ngx_http_prompt_root_true(root);
    }
}


/* an object as it is stored, or null */
static void
ngx_http_prompt_resolve_guard(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_http_prompt_label_node_t  *node = parent;

    (void) job;
    (void) field;

    node->record.guard.item = node->record.guard.cell;

    if (node->record.guard.cell.data != NULL) {
        ngx_http_prompt_result_object(&node->record.guard, out);
    }
}


/*
 * There is not always a move: what a request that is done once tells of is the
 * prompt, and not the move's id.
 */
static bool
ngx_http_prompt_move_id(ngx_http_prompt_root_t *root, prompt_str_t prompt_id,
    prompt_str_t *move)
{
    if (!ngx_http_prompt_new_id(root, move)) {
        return false;
    }

    root->id = prompt_id;

    return true;
}
