/*
 * Whose a prompt is: known before it is read, and learnt from its row.
 */

#include "service/tree/tree_impl.h"

#include "service/tree/tree_read.h"
#include "service/worker/worker.h"


void
ngx_http_prompt_owner_known(ngx_http_prompt_reading_t *reading)
{
    prompt_range_t            *range;
    ngx_http_prompt_worker_t  *worker;

    range = &reading->range;
    worker = ngx_http_prompt_get_worker(reading->root->job->request);

    range->own = range->kind == PROMPT_RANGE_ID
                 && ngx_http_prompt_owners_know(&worker->owners, range->id,
                                                range->caller);
}


bool
ngx_http_prompt_owner_learnt(ngx_http_prompt_reading_t *reading)
{
    prompt_record_t                      prompt;
    ngx_http_prompt_worker_t            *worker;
    const ngx_http_prompt_projection_t  *proj;

    proj = reading->root->field->data;

    if (reading->range.kind != PROMPT_RANGE_ID || proj->nexecutions == 0
        || ngx_http_prompt_tree_count(reading->tree) == 0)
    {
        return true;
    }

    worker = ngx_http_prompt_get_worker(reading->root->job->request);

    ngx_http_prompt_tree_record(reading->tree, 0, &prompt);
    ngx_http_prompt_owners_note(&worker->owners, prompt.id, prompt.owner_id,
                                worker->log);

    if (!reading->range.own
        || prompt_str_eq(prompt.owner_id, reading->range.caller))
    {
        return true;
    }

    reading->range.own = false;

    return false;
}
