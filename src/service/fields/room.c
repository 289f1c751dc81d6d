/*
 * Room for what a mutation makes of long lists: a claim so large that a user
 * has room for one.
 */

#include "service/fields/room.h"

#include "service/worker/worker.h"


/* eighths of what a user may have: room for a second one there is not */
#define NGX_HTTP_PROMPT_ROOM_SHARE  5


/* who waits; in the request's arena */
typedef struct {
    ngx_http_prompt_root_t   *root;
    ngx_http_prompt_root_pt   begin;
} ngx_http_prompt_room_t;


static void ngx_http_prompt_room_granted(void *data, ngx_uint_t granted);
static void ngx_http_prompt_room_refuse(ngx_http_prompt_root_t *root);


void
ngx_http_prompt_room_wait(ngx_http_prompt_root_t *root,
    ngx_http_prompt_root_pt begin)
{
    size_t                      n;
    ngx_http_prompt_job_t      *job;
    ngx_http_prompt_room_t     *room;
    ngx_http_prompt_worker_t   *worker;
    ngx_http_prompt_answers_t  *answers;

    job = root->job;
    worker = ngx_http_prompt_get_worker(job->request);
    answers = worker->answers;

    room = prompt_arena_alloc(job->arena, sizeof(ngx_http_prompt_room_t));
    if (room == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    room->root = root;
    room->begin = begin;

    n = answers->limit / NGX_HTTP_PROMPT_ANSWERS_SHARE / 8
        * NGX_HTTP_PROMPT_ROOM_SHARE;

    switch (ngx_http_prompt_answers_reserve(answers, &job->claim,
                         &job->identity, 0, n,
                         ngx_http_prompt_postgres_timeout(worker->postgres),
                         ngx_http_prompt_room_granted, room))
    {
    case NGX_OK:
        begin(root);
        break;

    case NGX_AGAIN:
        break;

    case NGX_BUSY:
        ngx_http_prompt_room_refuse(root);
        break;

    default:
        ngx_http_prompt_root_fail_nomem(root);
    }
}


static void
ngx_http_prompt_room_granted(void *data, ngx_uint_t granted)
{
    ngx_http_prompt_room_t  *room = data;

    ngx_http_prompt_job_t  *job;

    job = room->root->job;

    if (granted) {
        room->begin(room->root);

    } else {
        ngx_http_prompt_room_refuse(room->root);
    }

    ngx_http_prompt_job_resume(job);
}


static void
ngx_http_prompt_room_refuse(ngx_http_prompt_root_t *root)
{
    ngx_http_request_t  *r;

    r = root->job->request;

    ngx_http_prompt_answers_refused(
        ngx_http_prompt_get_worker(r)->answers, r->connection->log);

    root->job->unsettled = 1;

    root->faults = NULL;
    ngx_http_prompt_root_broken(root,
               "There is no room for the %s beside others of yours and answers "
               "that were not taken by their clients: try again later.",
               prompt_str_eq(root->field->def->name,
                             prompt_str("importPrompts"))
               ? "import" : "items");
}


void
ngx_http_prompt_room_leave(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_job_t  *job;

    job = root->job;

    /* it is less than before, so that no memory is wanted */

    (void) ngx_http_prompt_answers_set(
               ngx_http_prompt_get_worker(job->request)->answers,
               &job->claim, &job->identity, job->claim.bytes, 0);
}
