/*
 * Datasets: what the files of their fields share.
 */

#ifndef NGX_HTTP_PROMPT_DATASET_IMPL_H
#define NGX_HTTP_PROMPT_DATASET_IMPL_H

#include "service/fields/fields.h"
#include "service/frame/arguments.h"
#include "store/dataset.h"


/* createDataset, updateDataset, deleteDataset */
void ngx_http_prompt_create_dataset(ngx_http_prompt_root_t *root);
void ngx_http_prompt_update_dataset(ngx_http_prompt_root_t *root);
void ngx_http_prompt_delete_dataset(ngx_http_prompt_root_t *root);

/* Reads what was selected of a dataset that was changed, and completes root. */
void ngx_http_prompt_dataset_changed(ngx_http_prompt_root_t *root,
    prompt_str_t id);

/*
 * True where outcome is DONE, else NOT_FOUND or FORBIDDEN of the dataset id, or
 * of a quota, or too many items.
 */
bool ngx_http_prompt_dataset_done(ngx_http_prompt_root_t *root,
    prompt_outcome_t outcome, prompt_str_t id) PROMPT_WARN_UNUSED;

#endif /* NGX_HTTP_PROMPT_DATASET_IMPL_H */
