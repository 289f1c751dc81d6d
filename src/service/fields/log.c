/*
 * The log: executions and execution.
 *
 * A page, the prompts of its executions and people come with one pipeline, as
 * of one moment.  What may be large is read in its turn.
 */

#include "service/fields/fields.h"

#include "prompt/price.h"
#include "prompt/text.h"
#include "service/frame/arguments.h"
#include "service/tree/tree.h"
#include "service/worker/worker.h"
#include "store/log.h"


#define NGX_HTTP_PROMPT_LOG_PAGE  50


/* executions on their way to an answer; in the request's arena */
typedef struct {
    ngx_http_prompt_list_t            list;  /* first: what item() gets */
    ngx_http_prompt_root_t           *root;
    prompt_log_t                      log;
    ngx_http_prompt_times_t           times;

    const prompt_statement_t         *statement;
    const prompt_rows_t              *rows;
    unsigned                          next;
    ngx_uint_t                        number;    /* of the set of rows */
    ngx_http_prompt_prompt_node_t    *prompts;
    ngx_uint_t                        nprompts;
    ngx_http_prompt_people_t          people;
    ngx_http_prompt_execution_node_t  node;
} ngx_http_prompt_page_t;


static bool ngx_http_prompt_log_compile(gql_plan_t *plan,
    gql_plan_field_t *field);
static void ngx_http_prompt_executions(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_execution(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_delete_execution(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_delete_execution_done(ngx_http_prompt_root_t *root);
static ngx_http_prompt_page_t *ngx_http_prompt_log_create(
    ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_log_filters(ngx_http_prompt_root_t *root,
    prompt_log_t *log) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_log_notes(ngx_http_prompt_root_t *root,
    prompt_log_t *log) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_log_scores(ngx_http_prompt_root_t *root,
    prompt_log_t *log) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_log_value(ngx_http_prompt_root_t *root,
    const char *name, prompt_str_t *value) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_log_usd(ngx_http_prompt_root_t *root,
    const char *name, prompt_str_t *usd) PROMPT_WARN_UNUSED;
static prompt_maybe_t ngx_http_prompt_log_ms(ngx_http_prompt_root_t *root,
    const char *name);
static bool ngx_http_prompt_log_looks(const prompt_log_t *log);
static bool ngx_http_prompt_log_version(ngx_http_prompt_root_t *root,
    prompt_log_t *log) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_log_statuses(ngx_http_prompt_root_t *root,
    prompt_log_t *log) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_log_times(ngx_http_prompt_root_t *root,
    ngx_http_prompt_page_t *page) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_log_ask(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_log_done(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_log_open(ngx_http_prompt_root_t *root,
    ngx_http_prompt_page_t *page, ngx_uint_t set) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_log_prompts(ngx_http_prompt_root_t *root,
    ngx_http_prompt_page_t *page, ngx_uint_t set) PROMPT_WARN_UNUSED;
static ngx_http_prompt_prompt_node_t *ngx_http_prompt_log_prompt(
    const ngx_http_prompt_page_t *page, prompt_str_t id);
static void *ngx_http_prompt_log_item(ngx_http_prompt_list_t *list);


ngx_http_prompt_field_t  ngx_http_prompt_log_fields[] = {

    { .type = "Query", .name = "executions",
      .scope = PROMPT_KEY_SCOPE_READ,
      .standby = true,
      .compile = ngx_http_prompt_log_compile,
      .start = ngx_http_prompt_executions },

    { .type = "Query", .name = "execution",
      .scope = PROMPT_KEY_SCOPE_READ,
      .own = PROMPT_KEY_SCOPE_EXECUTE,
      .standby = true,
      .compile = ngx_http_prompt_log_compile,
      .start = ngx_http_prompt_execution },

    { .type = "Mutation", .name = "deleteExecution",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .start = ngx_http_prompt_delete_execution },

    { .type = NULL }
};


static bool
ngx_http_prompt_log_compile(gql_plan_t *plan, gql_plan_field_t *field)
{
    ngx_http_prompt_project_execution_t  *proj;

    proj = prompt_arena_zalloc(plan->arena,
                               sizeof(ngx_http_prompt_project_execution_t));
    if (proj == NULL) {
        return false;
    }

    ngx_http_prompt_project_execution(proj, field);
    field->data = proj;

    return true;
}


/* executions */
static void
ngx_http_prompt_executions(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_page_t                     *page;
    const ngx_http_prompt_project_execution_t  *proj;

    proj = root->field->data;

    page = ngx_http_prompt_log_create(root);

    if (page != NULL
        && ngx_http_prompt_log_filters(root, &page->log)
        && ngx_http_prompt_log_times(root, page))
    {
        ngx_http_prompt_read_other(root, page,
                                   proj->large != 0
                                   || ngx_http_prompt_log_looks(&page->log),
                                   ngx_http_prompt_log_ask);
    }
}


/* execution */
static void
ngx_http_prompt_execution(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_page_t                     *page;
    const ngx_http_prompt_project_execution_t  *proj;

    proj = root->field->data;

    page = ngx_http_prompt_log_create(root);

    if (page != NULL
        && ngx_http_prompt_root_id(root, "id", "Execution", &page->log.id))
    {
        if ((ngx_http_prompt_job_scopes(root->job) & PROMPT_KEY_SCOPE_READ)
            == 0)
        {
            page->log.key_id = prompt_str_of(
                                       (char *) root->job->identity.key_id,
                                       PROMPT_UUID_LEN);
        }

        ngx_http_prompt_read_other(root, page, proj->large != 0,
                                   ngx_http_prompt_log_ask);
    }
}


/* NULL: that was told */
static ngx_http_prompt_page_t *
ngx_http_prompt_log_create(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_page_t                     *page;
    const ngx_http_prompt_project_execution_t  *proj;

    proj = root->field->data;

    if (!ngx_http_prompt_project_allowed(root, proj->refused)) {
        return NULL;
    }

    page = prompt_arena_zalloc(root->job->arena,
                               sizeof(ngx_http_prompt_page_t));
    if (page == NULL) {
        (void) ngx_http_prompt_root_fail_nomem(root);
        return NULL;
    }

    page->root = root;
    page->list.item = ngx_http_prompt_log_item;
    page->log.caller = ngx_http_prompt_caller(root);

    return page;
}


static bool
ngx_http_prompt_log_filters(ngx_http_prompt_root_t *root, prompt_log_t *log)
{
    log->model = ngx_http_prompt_root_text(root, "model");
    log->label = ngx_http_prompt_root_text(root, "label");
    log->min_latency_ms = ngx_http_prompt_log_ms(root, "minLatencyMs");
    log->max_latency_ms = ngx_http_prompt_log_ms(root, "maxLatencyMs");

    return ngx_http_prompt_log_notes(root, log)
           && ngx_http_prompt_log_scores(root, log)
           && ngx_http_prompt_log_usd(root, "minCostUsd", &log->min_cost_usd)
           && ngx_http_prompt_log_usd(root, "maxCostUsd", &log->max_cost_usd)
           && (ngx_http_prompt_root_argument(root, "promptId") == NULL
               || ngx_http_prompt_root_id(root, "promptId", "Prompt",
                                          &log->prompt_id))
           && ngx_http_prompt_log_version(root, log)
           && ngx_http_prompt_log_statuses(root, log);
}


/* What is noted is text, and there is something of it. */
static bool
ngx_http_prompt_log_notes(ngx_http_prompt_root_t *root, prompt_log_t *log)
{
    prompt_fault_t        fault;
    const prompt_json_t  *metadata;

    log->subject = ngx_http_prompt_root_text(root, "subject");
    metadata = ngx_http_prompt_root_argument(root, "metadata");

    if (metadata == NULL) {
        return true;
    }

    if (metadata->type == PROMPT_JSON_OBJECT && metadata->first == NULL) {
        return ngx_http_prompt_root_wrong(root, "metadata",
                                          "\"metadata\" must not be empty.");
    }

    return ngx_http_prompt_passed(root,
                   prompt_text_metadata(root->job->arena, metadata,
                                        prompt_str("metadata"),
                                        &log->metadata, &fault),
                   &fault);
}


/* Values are of scores of one name. */
static bool
ngx_http_prompt_log_scores(ngx_http_prompt_root_t *root, prompt_log_t *log)
{
    log->score = ngx_http_prompt_root_text(root, "score");

    return ngx_http_prompt_log_value(root, "minScore", &log->min_score)
           && ngx_http_prompt_log_value(root, "maxScore", &log->max_score)
           && (log->score.data != NULL
               || (log->min_score.data == NULL && log->max_score.data == NULL)
               || ngx_http_prompt_root_wrong(root, "score",
                         "\"minScore\" and \"maxScore\" can only be given "
                         "together with \"score\"."));
}


static bool
ngx_http_prompt_log_value(ngx_http_prompt_root_t *root, const char *name,
    prompt_str_t *value)
{
    char                 *text;
    double                number;
    const prompt_json_t  *given;

    given = ngx_http_prompt_argument(root->arguments, prompt_str_from(name));

    /* Float: a number */

    if (given == NULL || !prompt_json_double(given, &number)) {
        return true;
    }

    text = prompt_arena_alloc(root->job->arena, PROMPT_JSON_DOUBLE_MAX);
    if (text == NULL) {
        return ngx_http_prompt_root_fail_nomem(root);
    }

    *value = prompt_str_of(text,
                           prompt_json_format_double(number, false, text));

    return true;
}


static bool
ngx_http_prompt_log_usd(ngx_http_prompt_root_t *root, const char *name,
    prompt_str_t *usd)
{
    prompt_price_t  price;

    *usd = ngx_http_prompt_argument_text(root->arguments,
                                         prompt_str_from(name));

    return usd->data == NULL || prompt_price_parse(*usd, &price)
           || ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
                      prompt_str_from(name), "\"%s\" must be a plain decimal "
                      "such as \"0.50\", with at most 9 digits before the "
                      "point and 12 behind it.", name);
}


/* Int: an integer of 32 bits */
static prompt_maybe_t
ngx_http_prompt_log_ms(ngx_http_prompt_root_t *root, const char *name)
{
    prompt_maybe_t        ms;
    const prompt_json_t  *value;

    ms = prompt_maybe_unknown;
    value = ngx_http_prompt_argument(root->arguments, prompt_str_from(name));

    if (value != NULL) {
        ms.known = prompt_json_integer(value, &ms.value);
    }

    return ms;
}


/* For what stands in no list thousands may be looked at. */
static bool
ngx_http_prompt_log_looks(const prompt_log_t *log)
{
    return log->subject.data != NULL || log->metadata.data != NULL
           || log->score.data != NULL || log->min_cost_usd.data != NULL
           || log->max_cost_usd.data != NULL || log->min_latency_ms.known
           || log->max_latency_ms.known;
}


/* Numbers are of one prompt. */
static bool
ngx_http_prompt_log_version(ngx_http_prompt_root_t *root, prompt_log_t *log)
{
    const prompt_json_t  *value;

    value = ngx_http_prompt_root_argument(root, "version");

    if (value == NULL) {
        return true;
    }

    if (log->prompt_id.data == NULL) {
        return ngx_http_prompt_root_wrong(root, "version",
                   "\"version\" can only be given together with \"promptId\".");
    }

    log->version.known = prompt_json_integer(value, &log->version.value);

    return true;
}


static bool
ngx_http_prompt_log_statuses(ngx_http_prompt_root_t *root, prompt_log_t *log)
{
    size_t                i;
    const prompt_json_t  *list, *value;

    static const char *const  known[] = {
        "running", "succeeded", "failed", "cancelled", "lost", NULL
    };

    list = ngx_http_prompt_root_argument(root, "status");

    if (list == NULL) {
        return true;
    }

    for (value = list->first; value != NULL; value = value->next) {

        for (i = 0; known[i] != NULL; i++) {
            if (prompt_str_eq(value->text, prompt_str_from(known[i]))) {
                break;
            }
        }

        if (known[i] == NULL) {
            return ngx_http_prompt_root_wrong(root, "status",
                       "\"status\" must be running, succeeded, failed, "
                       "cancelled or lost.");
        }
    }

    if (list->first == NULL) {
        return ngx_http_prompt_root_wrong(root, "status",
                                          "\"status\" must not be empty.");
    }

    if (!prompt_texts_of(root->job->arena, list, &log->statuses)) {
        return ngx_http_prompt_root_fail_nomem(root);
    }

    return true;
}


/* The page is a range of ids, as these begin with the time. */
static bool
ngx_http_prompt_log_times(ngx_http_prompt_root_t *root,
    ngx_http_prompt_page_t *page)
{
    prompt_str_t               above;
    ngx_http_prompt_worker_t  *worker;

    if (!ngx_http_prompt_argument_times(root, "Execution",
                                        NGX_HTTP_PROMPT_LOG_PAGE,
                                        &page->times))
    {
        return false;
    }

    page->log.first = page->times.first;
    page->log.lower = prompt_str_of(page->times.lower, PROMPT_UUID_LEN);
    page->log.upper = prompt_str_of(page->times.upper, PROMPT_UUID_LEN);

    if (page->times.open) {
        worker = ngx_http_prompt_get_worker(root->job->request);
        above = ngx_http_prompt_newest_above(worker, page->times.upper);

        if (above.data != NULL) {
            page->log.upper = above;
        }
    }

    return true;
}


static void
ngx_http_prompt_log_ask(ngx_http_prompt_root_t *root)
{
    bool                                        bound;
    prompt_mask_t                               columns;
    prompt_query_t                             *query;
    const prompt_log_t                         *log;
    const ngx_http_prompt_project_execution_t  *proj;

    proj = root->field->data;
    columns = proj->prompt_columns
              | prompt_bit(&prompt_prompt_resource, prompt_record_t, owner_id);
    log = &((ngx_http_prompt_page_t *) ngx_http_prompt_other(root))->log;

    if (!ngx_http_prompt_other_query(root, &query)) {
        return;
    }

    bound = prompt_snapshot(query)
            && ((log->id.data == NULL && log->prompt_id.data == NULL)
                || prompt_log_allowed(query, log))
            && prompt_log_read(query, log, proj->columns)
            && (!proj->prompt
                || prompt_log_prompts(query, log, columns))
            && (proj->creator
                ? prompt_log_people(query, log)
                : !proj->people || prompt_user_of_project(query, log->caller));

    ngx_http_prompt_root_send(root, bound, ngx_http_prompt_log_done);
}


static void
ngx_http_prompt_log_done(ngx_http_prompt_root_t *root)
{
    ngx_uint_t               set;
    gql_result_t             result;
    prompt_str_t             id;
    prompt_outcome_t         outcome;
    ngx_http_prompt_page_t  *page;

    if (!ngx_http_prompt_other_succeeded(root)) {
        return;
    }

    page = ngx_http_prompt_other(root);
    set = 1;                                                /* the snapshot */

    if (page->log.id.data != NULL) {
        outcome = prompt_log_allowed_row(&root->result->rows[set++]);
        id = ngx_http_prompt_root_text(root, "id");

        if (outcome == PROMPT_OUTCOME_NOT_FOUND) {
            ngx_http_prompt_fail_not_found(root, "Execution", id);
            return;
        }

        if (outcome == PROMPT_OUTCOME_FORBIDDEN) {
            ngx_http_prompt_root_fail(root, ngx_http_prompt_forbidden,
                                      prompt_str_absent,
                                      "You do not have access to the "
                                      "execution with id \"%.*s\".",
                                      prompt_str_arg(id));
            return;
        }

    } else if (page->log.prompt_id.data != NULL
               && !ngx_http_prompt_outcome_done(root,
                       prompt_log_allowed_row(&root->result->rows[set++]),
                       ngx_http_prompt_root_text(root, "promptId")))
    {
        return;
    }

    if (!ngx_http_prompt_log_open(root, page, set)) {
        return;
    }

    if (page->log.id.data == NULL) {
        ngx_http_prompt_result_list(&page->list, &result);

    } else {
        ngx_http_prompt_result_object(ngx_http_prompt_log_item(&page->list),
                                      &result);
    }

    ngx_http_prompt_write_other(root, &result);
}


static bool
ngx_http_prompt_log_open(ngx_http_prompt_root_t *root,
    ngx_http_prompt_page_t *page, ngx_uint_t set)
{
    const ngx_http_prompt_project_execution_t  *proj;

    proj = root->field->data;

    page->number = set;
    page->statement = root->query->bound[set].statement;
    page->rows = &root->result->rows[set];
    page->list.count = page->rows->count;

    ngx_http_prompt_people_init(&page->people, root, set + 1 + proj->prompt);

    page->node.by.people = &page->people;
    page->node.by.id = &page->node.record.user_id;
    page->node.by.owner = &page->people.project;
    page->node.by.nobody = &page->node.record.id;

    return !proj->prompt || ngx_http_prompt_log_prompts(root, page, set + 1);
}


static bool
ngx_http_prompt_log_prompts(ngx_http_prompt_root_t *root,
    ngx_http_prompt_page_t *page, ngx_uint_t set)
{
    unsigned                        i;
    const prompt_rows_t            *rows;
    ngx_http_prompt_prompt_node_t  *prompt;

    rows = &root->result->rows[set];

    page->nprompts = rows->count;
    page->prompts = prompt_arena_array(root->job->arena, page->nprompts,
                                       sizeof(ngx_http_prompt_prompt_node_t));
    if (page->prompts == NULL) {
        return ngx_http_prompt_root_fail_nomem(root);
    }

    for (i = 0; i < page->nprompts; i++) {
        prompt = &page->prompts[i];

        prompt_row(root->query->bound[set].statement, rows, i, &prompt->record);

        prompt->by.people = &page->people;
        prompt->by.id = &prompt->record.created_by;
        prompt->by.owner = &prompt->record.owner_id;
    }

    return true;
}


/* ids descend */
static ngx_http_prompt_prompt_node_t *
ngx_http_prompt_log_prompt(const ngx_http_prompt_page_t *page, prompt_str_t id)
{
    int         order;
    ngx_uint_t  low, high, middle;

    low = 0;
    high = page->nprompts;

    while (low < high) {
        middle = (low + high) / 2;
        order = prompt_str_cmp(page->prompts[middle].record.id, id);

        if (order == 0) {
            return &page->prompts[middle];
        }

        if (order > 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }

    return NULL;
}


static void *
ngx_http_prompt_log_item(ngx_http_prompt_list_t *list)
{
    ngx_http_prompt_page_t  *page;
    ngx_http_prompt_root_t  *root;
    prompt_execution_t      *record;

    page = (ngx_http_prompt_page_t *) list;
    root = page->root;

    /* those before it were written */

    if (root->query->budget != 0) {
        ngx_http_prompt_postgres_drop_rows(root->task, page->number,
                                           page->next);
    }

    record = &page->node.record;
    prompt_execution_row(page->statement, page->rows, page->next++, record);
    page->node.prompt = ngx_http_prompt_log_prompt(page,
                                                   record->prompt_id);

    return &page->node;
}


/* deleteExecution */
static void
ngx_http_prompt_delete_execution(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_change_id(root, "Execution", prompt_execution_delete,
                              ngx_http_prompt_delete_execution_done);
}


static void
ngx_http_prompt_delete_execution_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t      id;
    prompt_outcome_t  outcome;

    id = ngx_http_prompt_root_text(root, "id");

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    outcome = prompt_outcome_row(&root->result->rows[0]);

    switch (outcome) {

    case PROMPT_OUTCOME_DONE:
        ngx_http_prompt_root_true(root);
        return;

    case PROMPT_OUTCOME_NOT_FOUND:
        (void) ngx_http_prompt_fail_not_found(root, "Execution", id);
        return;

    case PROMPT_OUTCOME_RUNNING:
        (void) ngx_http_prompt_root_wrong(root, "id",
                   "The execution with id \"%.*s\" runs: it can be deleted "
                   "when it has ended.", prompt_str_arg(id));
        return;

    default:
        (void) ngx_http_prompt_root_fail(root, ngx_http_prompt_forbidden,
                   prompt_str_absent, "The execution with id \"%.*s\" is "
                   "another project's.", prompt_str_arg(id));
    }
}
