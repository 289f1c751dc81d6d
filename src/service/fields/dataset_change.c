/*
 * Datasets: createDataset, updateDataset and deleteDataset.
 */

#include "service/fields/dataset_impl.h"

#include "service/frame/input.h"
#include "service/upkeep/removal.h"
#include "service/worker/worker.h"
#include "store/sqlstate.h"


/* a change that is to be sent once more, maybe; in the request's arena */
typedef struct {
    prompt_dataset_t  record;
    prompt_mask_t     given;
} ngx_http_prompt_dataset_change_t;


static void ngx_http_prompt_create_dataset_send(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_create_dataset_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_update_dataset_send(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_update_dataset_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_dataset_name_taken(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_delete_dataset_done(ngx_http_prompt_root_t *root);


/* createDataset */
void
ngx_http_prompt_create_dataset(ngx_http_prompt_root_t *root)
{
    prompt_dataset_t  *dataset;

    dataset = ngx_http_prompt_root_data(root, sizeof(prompt_dataset_t));
    if (dataset == NULL) {
        return;
    }

    dataset->project_id = ngx_http_prompt_caller(root);
    dataset->checks = prompt_str("[]");              /* also for null */

    if (ngx_http_prompt_input_create(root, ngx_http_prompt_dataset_fields,
                                     "Dataset", root->arguments, dataset)
        && ngx_http_prompt_new_id(root, &dataset->id))
    {
        ngx_http_prompt_create_dataset_send(root);
    }
}


static void
ngx_http_prompt_create_dataset_send(ngx_http_prompt_root_t *root)
{
    prompt_query_t  *query;

    if (ngx_http_prompt_root_begin(root, &query)) {
        ngx_http_prompt_root_send(root,
                                  prompt_dataset_create(query, root->data,
                                                        PROMPT_LIMIT_DATASETS),
                                  ngx_http_prompt_create_dataset_done);
    }
}


static void
ngx_http_prompt_create_dataset_done(ngx_http_prompt_root_t *root)
{
    prompt_outcome_t   outcome;
    prompt_dataset_t  *dataset;

    if (ngx_http_prompt_outcome_anew(root)) {
        ngx_http_prompt_create_dataset_send(root);
        return;
    }

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    dataset = root->data;
    outcome = prompt_outcome_row(&root->result->rows[0]);

    if (outcome == PROMPT_OUTCOME_NAME_TAKEN) {
        ngx_http_prompt_dataset_name_taken(root);

    } else if (outcome == PROMPT_OUTCOME_TOO_MANY) {
        ngx_http_prompt_root_wrong(root, "name",
                                   "A project has at most %d datasets: delete "
                                   "one first.", PROMPT_LIMIT_DATASETS);

    } else if (ngx_http_prompt_dataset_done(root, outcome, prompt_str(""))) {
        ngx_http_prompt_dataset_changed(root, dataset->id);
    }
}


static void
ngx_http_prompt_dataset_name_taken(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_root_wrong(root, "name",
                               "The project already has a dataset with that "
                               "name.");
}


/* updateDataset */
void
ngx_http_prompt_update_dataset(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_dataset_change_t  *change;

    change = ngx_http_prompt_root_data(root,
                                     sizeof(ngx_http_prompt_dataset_change_t));
    if (change == NULL) {
        return;
    }

    change->record.project_id = ngx_http_prompt_caller(root);

    if (ngx_http_prompt_root_id(root, "id", "Dataset", &change->record.id)
        && ngx_http_prompt_input_change(root, ngx_http_prompt_dataset_fields,
                                        "Dataset", root->arguments,
                                        &change->record, &change->given))
    {
        ngx_http_prompt_update_dataset_send(root);
    }
}


static void
ngx_http_prompt_update_dataset_send(ngx_http_prompt_root_t *root)
{
    prompt_query_t                    *query;
    ngx_http_prompt_dataset_change_t  *change;

    change = root->data;

    if (ngx_http_prompt_root_begin(root, &query)) {
        query->locks = change->record.id;
        ngx_http_prompt_root_send(root,
                                  prompt_dataset_update(query, change->given,
                                                        &change->record),
                                  ngx_http_prompt_update_dataset_done);
    }
}


static void
ngx_http_prompt_update_dataset_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t                       state;
    ngx_http_prompt_dataset_change_t  *change;

    if (ngx_http_prompt_outcome_anew(root)) {
        ngx_http_prompt_update_dataset_send(root);
        return;
    }

    change = root->data;
    state = prompt_str_from(root->result->sqlstate);

    if (root->result->status == NGX_HTTP_PROMPT_POSTGRES_ERROR
        && prompt_sqlstate(state) == PROMPT_SQL_DUPLICATE)
    {
        ngx_http_prompt_dataset_name_taken(root);

    } else if (ngx_http_prompt_root_succeeded(root)
               && ngx_http_prompt_dataset_done(root,
                          prompt_outcome_row(&root->result->rows[0]),
                          ngx_http_prompt_root_text(root, "id")))
    {
        ngx_http_prompt_dataset_changed(root, change->record.id);
    }
}


/* deleteDataset */
void
ngx_http_prompt_delete_dataset(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_change_id(root, "Dataset", prompt_dataset_delete,
                              ngx_http_prompt_delete_dataset_done);
}


static void
ngx_http_prompt_delete_dataset_done(ngx_http_prompt_root_t *root)
{
    if (ngx_http_prompt_root_succeeded(root)
        && ngx_http_prompt_dataset_done(root,
                   prompt_outcome_row(&root->result->rows[0]),
                   ngx_http_prompt_root_text(root, "id")))
    {
        ngx_http_prompt_removal_begin(
            ngx_http_prompt_get_worker(root->job->request), NULL);
        ngx_http_prompt_root_true(root);
    }
}


bool
ngx_http_prompt_dataset_done(ngx_http_prompt_root_t *root,
    prompt_outcome_t outcome, prompt_str_t id)
{
    switch (outcome) {

    case PROMPT_OUTCOME_NOT_FOUND:
        return ngx_http_prompt_fail_not_found(root, "Dataset", id);

    case PROMPT_OUTCOME_FORBIDDEN:
        return ngx_http_prompt_root_fail(root, ngx_http_prompt_forbidden,
                   prompt_str_absent, "The dataset with id \"%.*s\" is another "
                   "project's.", prompt_str_arg(id));

    case PROMPT_OUTCOME_TOO_MANY:
        return ngx_http_prompt_root_wrong(root, "datasetId",
                   "A dataset has at most %d items.", PROMPT_LIMIT_ITEMS);

    default:
        return ngx_http_prompt_outcome_done(root, outcome, id);
    }
}
