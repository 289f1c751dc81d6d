/*
 * Reading what is no prompt, by the steps and turns of those that are: what
 * asks for it, and what it brought, are its owner's.
 */

#include "service/tree/tree_read.h"


void
ngx_http_prompt_read_other(ngx_http_prompt_root_t *root, void *other,
    bool is_long, ngx_http_prompt_root_pt ask)
{
    ngx_http_prompt_reading_t  *reading;

    if (!ngx_http_prompt_reading_create(root, &reading)) {
        return;
    }

    reading->other = other;
    reading->ask = ask;

    if (is_long) {
        ngx_http_prompt_read_wait(reading);
        return;
    }

    ask(root);
}


void
ngx_http_prompt_read_other_changed(ngx_http_prompt_root_t *root, void *other,
    ngx_http_prompt_root_pt ask)
{
    ngx_http_prompt_reading_t  *reading;

    root->job->did = 1;

    if (ngx_http_prompt_reading_create(root, &reading)) {
        reading->other = other;
        reading->ask = ask;
        reading->changed = 1;

        ngx_http_prompt_read_wait(reading);
    }
}


void
ngx_http_prompt_other_later(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_reading_t  *reading;

    reading = root->data;
    reading->later = 1;

    ngx_http_prompt_read_next(reading);
}


void *
ngx_http_prompt_other(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_reading_t  *reading;

    reading = root->data;

    return reading->other;
}


bool
ngx_http_prompt_other_query(ngx_http_prompt_root_t *root,
    prompt_query_t **query)
{
    size_t  written;

    if (!root->is_long) {
        return ngx_http_prompt_root_begin(root, query);
    }

    written = gql_execution_bytes(root->job->execution);

    if (written >= NGX_HTTP_PROMPT_ANSWER_MEMORY) {
        return ngx_http_prompt_root_fail_too_long(root);
    }

    if (!ngx_http_prompt_long_query(root->data, query)) {
        return false;
    }

    (*query)->budget = NGX_HTTP_PROMPT_ANSWER_MEMORY - written;

    return true;
}


bool
ngx_http_prompt_other_succeeded(ngx_http_prompt_root_t *root)
{
    return ngx_http_prompt_window_succeeded(root->data);
}


void
ngx_http_prompt_write_other(ngx_http_prompt_root_t *root,
    const gql_result_t *result)
{
    gql_step_t        step;
    gql_execution_t  *execution;

    execution = root->job->execution;

    step = result->kind == GQL_RESULT_LIST
           ? gql_execution_part(execution, root->index, result, true)
           : gql_execution_begin(execution, root->index, result);

    ngx_http_prompt_read_stepped(root->data, step);
}
