/*
 * What is long is read by one field of a request at a time, and when the
 * worker has room for the answer.
 */

#include "service/tree/tree_read.h"

#include "service/worker/worker.h"


static void ngx_http_prompt_read_granted(void *data, ngx_uint_t granted);
static void ngx_http_prompt_read_refuse(ngx_http_prompt_reading_t *reading);


void
ngx_http_prompt_read_wait(ngx_http_prompt_reading_t *reading)
{
    uint32_t                i;
    ngx_http_prompt_job_t  *job;

    job = reading->root->job;

    ngx_http_prompt_root_release(reading->root);

    reading->range.max_rows = 0;
    reading->range.max_bytes = 0;

    /* what was learnt of its owner was of another moment */

    if (!reading->changed) {
        reading->range.own = false;
    }

    for (i = 0; i < job->started; i++) {
        if (job->roots[i].is_long) {
            reading->waits = 1;
            return;
        }
    }

    ngx_http_prompt_read_reserve(reading);
}


void
ngx_http_prompt_read_reserve(ngx_http_prompt_reading_t *reading)
{
    size_t                      n;
    ngx_int_t                   rc;
    ngx_http_prompt_job_t      *job;
    ngx_http_prompt_worker_t   *worker;
    ngx_http_prompt_answers_t  *answers;

    job = reading->root->job;
    worker = ngx_http_prompt_get_worker(job->request);
    answers = worker->answers;

    reading->root->is_long = 1;

    /* what it may become: those that begin at once find room in the end */

    n = ngx_min(NGX_HTTP_PROMPT_ANSWER_MEMORY,
                answers->limit / NGX_HTTP_PROMPT_ANSWERS_SHARE / 2);

    /* reserved for the field before, or written: waiting gives nothing back */

    if (ngx_max(job->claim.bytes, job->claim.reserved) >= n) {
        ngx_http_prompt_read_long(reading);
        return;
    }

    rc = ngx_http_prompt_answers_reserve(answers, &job->claim, &job->identity,
                         0, n,
                         ngx_http_prompt_postgres_timeout(worker->postgres),
                         ngx_http_prompt_read_granted, reading);

    switch (rc) {

    case NGX_OK:
        ngx_http_prompt_read_long(reading);
        break;

    case NGX_AGAIN:
        break;

    case NGX_BUSY:
        ngx_http_prompt_read_refuse(reading);
        break;

    default:
        ngx_http_prompt_root_fail_nomem(reading->root);
    }
}


static void
ngx_http_prompt_read_granted(void *data, ngx_uint_t granted)
{
    ngx_http_prompt_reading_t  *reading = data;

    ngx_http_prompt_job_t  *job;

    job = reading->root->job;

    if (granted) {
        ngx_http_prompt_read_long(reading);

    } else {
        ngx_http_prompt_read_refuse(reading);
    }

    ngx_http_prompt_job_resume(job);
}


static void
ngx_http_prompt_read_refuse(ngx_http_prompt_reading_t *reading)
{
    ngx_http_request_t  *r;

    r = reading->root->job->request;

    ngx_http_prompt_answers_refused(
        ngx_http_prompt_get_worker(r)->answers, r->connection->log);

    ngx_http_prompt_root_fail(reading->root,
                              ngx_http_prompt_internal_server_error,
                              prompt_str_absent, "%s%s",
                              reading->changed
                              ? "The change was made, but what was selected "
                                "of it could not be read. " : "",
                              NGX_HTTP_PROMPT_ANSWERS_FULL);
}


void
ngx_http_prompt_read_pass(ngx_http_prompt_job_t *job)
{
    uint32_t                    i;
    ngx_http_prompt_reading_t  *other;
    ngx_http_prompt_root_t     *root;

    for (i = 0; i < job->started; i++) {
        root = &job->roots[i];

        if (root->detach != ngx_http_prompt_read_detach) {
            continue;
        }

        other = root->data;

        if (other->waits) {
            root->is_long = 1;
            ngx_http_prompt_read_next(other);
            return;
        }
    }
}
