/*
 * A long list of prompts, written part by part.
 *
 * A hundred thousand rows take a good part of a second to become JSON.  Their
 * operation gives up the event loop every few milliseconds, so that the
 * worker's other requests do not wait for it.
 */

#include "service/tree.h"


/* rows that are written in one go: about a millisecond */
#define NGX_HTTP_PROMPT_PART_ROWS  500


typedef struct {
    ngx_http_prompt_operation_t  *op;
    ngx_http_prompt_tree_t       *tree;
    ngx_uint_t                    size;      /* of a part, in prompts */
    ngx_event_t                   event;
} ngx_http_prompt_parts_t;


static ngx_uint_t ngx_http_prompt_parts_next(ngx_http_prompt_parts_t *parts);
static void ngx_http_prompt_parts_handler(ngx_event_t *ev);
static void ngx_http_prompt_parts_detach(void *data);


void
ngx_http_prompt_tree_complete(ngx_http_prompt_operation_t *op)
{
    ngx_uint_t                rows;
    ngx_http_prompt_parts_t  *parts;

    parts = prompt_arena_zalloc(op->job->arena,
                                sizeof(ngx_http_prompt_parts_t));
    if (parts == NULL) {
        ngx_http_prompt_operation_fail_nomem(op);
        return;
    }

    parts->op = op;
    parts->tree = ngx_http_prompt_tree_open(op, 0, NULL);

    if (parts->tree == NULL) {
        ngx_http_prompt_operation_fail_nomem(op);
        return;
    }

    /* prompts with as many rows as they have on the average */

    rows = ngx_http_prompt_tree_rows(parts->tree);

    parts->size = ngx_http_prompt_tree_left(parts->tree);

    if (rows > NGX_HTTP_PROMPT_PART_ROWS) {
        parts->size = parts->size * NGX_HTTP_PROMPT_PART_ROWS / rows;
        parts->size = ngx_max(parts->size, 1);
    }

    if (!ngx_http_prompt_parts_next(parts)) {
        return;
    }

    parts->event.data = parts;
    parts->event.handler = ngx_http_prompt_parts_handler;
    parts->event.log = op->job->request->connection->log;

    op->data = parts;
    op->detach = ngx_http_prompt_parts_detach;

    ngx_post_event(&parts->event, &ngx_posted_next_events);
}


/* 0: that was all, or an error, and the operation is completed */

static ngx_uint_t
ngx_http_prompt_parts_next(ngx_http_prompt_parts_t *parts)
{
    gql_result_t             result;
    ngx_http_prompt_list_t  *list;

    list = ngx_http_prompt_tree_next(parts->tree, parts->size);

    if (list == NULL) {
        ngx_http_prompt_operation_fail_too_long(parts->op);
        return 0;
    }

    ngx_http_prompt_result_list(list, &result);

    return ngx_http_prompt_operation_part(parts->op, &result,
                             ngx_http_prompt_tree_left(parts->tree) == 0);
}


static void
ngx_http_prompt_parts_handler(ngx_event_t *ev)
{
    ngx_http_prompt_job_t    *job;
    ngx_http_prompt_parts_t  *parts;

    parts = ev->data;
    job = parts->op->job;

    if (ngx_http_prompt_parts_next(parts)) {
        ngx_post_event(&parts->event, &ngx_posted_next_events);
        return;
    }

    ngx_http_prompt_operation_resume(job);
}


static void
ngx_http_prompt_parts_detach(void *data)
{
    ngx_http_prompt_parts_t  *parts = data;

    if (parts->event.posted) {
        ngx_delete_posted_event(&parts->event);
    }
}
