/*
 * Scores of executions: scoreExecution, removeScore, and the fields of Score.
 *
 * An execution has them as a list of objects in a column, and so has the answer
 * to scoreExecution.
 */

#include "service/fields/fields.h"

#include "prompt/text.h"
#include "service/frame/arguments.h"
#include "service/tree/tree.h"
#include "store/score.h"


static void ngx_http_prompt_score(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_score_read(ngx_http_prompt_root_t *root,
    prompt_scoring_t *score) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_score_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_remove_score(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_remove_score_done(ngx_http_prompt_root_t *root);
static ngx_http_prompt_resolve_t  ngx_http_prompt_resolve_score;


ngx_http_prompt_field_t  ngx_http_prompt_score_fields[] = {

    { .type = "Mutation", .name = "scoreExecution",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .compile = ngx_http_prompt_compile_people,
      .start = ngx_http_prompt_score },

    { .type = "Mutation", .name = "removeScore",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .start = ngx_http_prompt_remove_score },

    { .type = "Score", .name = "id",
      .resolve = ngx_http_prompt_slot_member },
    { .type = "Score", .name = "name",
      .resolve = ngx_http_prompt_slot_member },
    { .type = "Score", .name = "value",
      .resolve = ngx_http_prompt_resolve_score },
    { .type = "Score", .name = "comment",
      .resolve = ngx_http_prompt_slot_member },
    { .type = "Score", .name = "source",
      .resolve = ngx_http_prompt_slot_member_enum },
    { .type = "Score", .name = "createdBy",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_member_person,
      .offset = offsetof(ngx_http_prompt_execution_node_t, by)
                - offsetof(ngx_http_prompt_execution_node_t, record.scores) },
    { .type = "Score", .name = "createdAt",
      .resolve = ngx_http_prompt_slot_member },

    { .type = NULL }
};


/* scoreExecution */
static void
ngx_http_prompt_score(ngx_http_prompt_root_t *root)
{
    bool              bound;
    prompt_str_t      caller;
    prompt_query_t   *query;
    prompt_scoring_t  score;

    ngx_memzero(&score, sizeof(prompt_scoring_t));

    if (!ngx_http_prompt_score_read(root, &score)) {
        return;
    }

    if (ngx_http_prompt_root_begin(root, &query)) {
        query->locks = score.execution_id;
        caller = ngx_http_prompt_caller(root);
        bound = prompt_score_set(query, caller, &score, PROMPT_LIMIT_SCORES)
                && (root->field->data == NULL
                    || prompt_user_of_project(query, caller));

        ngx_http_prompt_root_send(root, bound, ngx_http_prompt_score_done);
    }
}


static bool
ngx_http_prompt_score_read(ngx_http_prompt_root_t *root,
    prompt_scoring_t *score)
{
    char                 *text;
    double                value;
    prompt_arena_t       *arena;
    prompt_fault_t        fault;
    const prompt_json_t  *given;

    arena = root->job->arena;
    given = ngx_http_prompt_root_argument(root, "value");

    score->name = ngx_http_prompt_root_text(root, "name");
    score->comment = ngx_http_prompt_root_text(root, "comment");

    if (!ngx_http_prompt_root_id(root, "executionId", "Execution",
                                 &score->execution_id)
        || !ngx_http_prompt_passed(root,
                   prompt_text_label(arena, score->name, prompt_str("name"),
                                     PROMPT_LIMIT_SCORE_NAME, &fault),
                   &fault)
        || !ngx_http_prompt_passed(root,
                   prompt_text_characters(arena, score->comment,
                                          prompt_str("comment"),
                                          PROMPT_LIMIT_SCORE_COMMENT, &fault),
                   &fault)
        || !ngx_http_prompt_new_id(root, &score->id))
    {
        return false;
    }

    /* Float!: a number */

    text = prompt_arena_alloc(arena, PROMPT_JSON_DOUBLE_MAX);
    if (text == NULL) {
        return ngx_http_prompt_root_fail_nomem(root);
    }

    if (given == NULL || !prompt_json_double(given, &value)) {
        return ngx_http_prompt_root_wrong(root, "value",
                                          "\"value\" must be a number.");
    }

    score->value = prompt_str_of(text,
                                 prompt_json_format_double(value, false, text));

    return true;
}


static void
ngx_http_prompt_score_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t                      id;
    prompt_outcome_t                  outcome;
    const prompt_rows_t              *rows;
    ngx_http_prompt_people_t          people;
    ngx_http_prompt_execution_node_t  node;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    ngx_memzero(&node, sizeof(ngx_http_prompt_execution_node_t));

    rows = root->result->rows;
    id = ngx_http_prompt_root_text(root, "executionId");
    outcome = prompt_score_set_row(&rows[0], &node.record.scores);

    switch (outcome) {

    case PROMPT_OUTCOME_DONE:
        break;

    case PROMPT_OUTCOME_NOT_FOUND:
        (void) ngx_http_prompt_fail_not_found(root, "Execution", id);
        return;

    case PROMPT_OUTCOME_TOO_MANY:
        (void) ngx_http_prompt_root_wrong(root, "name",
                   "An execution has at most %d scores: remove one first.",
                   PROMPT_LIMIT_SCORES);
        return;

    default:
        (void) ngx_http_prompt_root_fail(root, ngx_http_prompt_forbidden,
                   prompt_str_absent, "The execution with id \"%.*s\" is "
                   "another project's.", prompt_str_arg(id));
        return;
    }

    ngx_http_prompt_people_init(&people, root, 1);
    node.by.people = &people;

    (void) prompt_objects_begin(&node.record.scores);
    prompt_objects_next(&node.record.scores);

    ngx_http_prompt_root_object(root, &node.record.scores);
}


static void
ngx_http_prompt_remove_score(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_change_id(root, "Score", prompt_score_remove,
                              ngx_http_prompt_remove_score_done);
}


static void
ngx_http_prompt_remove_score_done(ngx_http_prompt_root_t *root)
{
    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    if (root->result->rows[0].count == 0) {
        (void) ngx_http_prompt_fail_not_found(root, "Score",
                                       ngx_http_prompt_root_text(root, "id"));
        return;
    }

    ngx_http_prompt_root_true(root);
}


static void
ngx_http_prompt_resolve_score(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    prompt_json_t  number;

    ngx_memzero(&number, sizeof(prompt_json_t));

    number.type = PROMPT_JSON_NUMBER;
    number.text = prompt_objects_member(parent, field->def->name);

    if (number.text.data != NULL
        && prompt_json_double(&number, &out->u.number))
    {
        out->kind = GQL_RESULT_DOUBLE;
    }
}
