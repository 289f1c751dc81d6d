/*
 * The end of keys and sessions: their rows are marked and committed, then what
 * is cached of them is revoked, and only then whoever asked is told.  It stands
 * on its own feet: who leaves in between does not keep them alive in the
 * caches.
 */

#ifndef NGX_HTTP_PROMPT_ENDING_H
#define NGX_HTTP_PROMPT_ENDING_H

#include "service/worker/worker.h"


typedef enum {
    NGX_HTTP_PROMPT_ENDED = 0,       /* nobody is let in with them any more */
    NGX_HTTP_PROMPT_ENDED_NONE,      /* none was marked */
    NGX_HTTP_PROMPT_ENDED_CACHED     /* they were, and memory was short then */
} ngx_http_prompt_ended_e;


/* Lives in its query's arena, at the beginning of what its maker has there. */
typedef struct ngx_http_prompt_ending_s  ngx_http_prompt_ending_t;

struct ngx_http_prompt_ending_s {
    void                             *owner;     /* NULL: has left */

    /*
     * Which were marked, by the rows of a query that succeeded: their hashes,
     * one behind the other.  NGX_DECLINED: none; NGX_ERROR: memory.
     */
    ngx_int_t                       (*read)(ngx_http_prompt_ending_t *ending,
                                            const prompt_rows_t *rows,
                                            prompt_str_t *hashes);

    /* while there is an owner; result: what the query came to, or NULL */
    void                            (*done)(ngx_http_prompt_ending_t *ending,
                              ngx_http_prompt_ended_e how,
                              const ngx_http_prompt_postgres_result_t *result);

    prompt_arena_t                   *arena;
    ngx_http_prompt_worker_t         *worker;
    ngx_http_prompt_postgres_task_t  *task;
};


/* size: of all that is there, zeroed; query is to be filled.  NULL: memory. */
ngx_http_prompt_ending_t *ngx_http_prompt_ending_create(
    ngx_http_prompt_worker_t *worker, size_t size, prompt_query_t **query);

/* The query is filled, where bound is true.  NGX_ERROR: memory; all is gone. */
ngx_int_t ngx_http_prompt_ending_send(ngx_http_prompt_ending_t *ending,
    prompt_query_t *query, bool bound);

/* The owner leaves. */
void ngx_http_prompt_ending_leave(void *data);

#endif /* NGX_HTTP_PROMPT_ENDING_H */
