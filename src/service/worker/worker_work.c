/*
 * The work of a worker: requests and recordings, which one that quits waits
 * for, and their ids.
 */

#include "service/worker/worker.h"


static void ngx_http_prompt_worker_served(void *data);


ngx_int_t
ngx_http_prompt_worker_serve(ngx_http_request_t *r)
{
    ngx_http_cleanup_t        *cln;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_get_worker(r);

    if (worker == NULL) {
        return NGX_OK;
    }

    cln = ngx_http_cleanup_add(r, 0);
    if (cln == NULL) {
        return NGX_ERROR;
    }

    cln->handler = ngx_http_prompt_worker_served;
    cln->data = worker;

    ngx_http_prompt_worker_work(worker, 1);

    return NGX_OK;
}


static void
ngx_http_prompt_worker_served(void *data)
{
    ngx_http_prompt_worker_work(data, -1);
}


void
ngx_http_prompt_worker_work(ngx_http_prompt_worker_t *worker, ngx_int_t n)
{
    worker->work += n;

    /* not from here: connections may be among the callers */

    if (ngx_exiting && worker->watch == NULL && worker->work <= 1) {
        ngx_post_event(&worker->counter.event, &ngx_posted_events);
    }
}


bool
ngx_http_prompt_worker_id(ngx_http_prompt_worker_t *worker, prompt_uuid_t *id)
{
    uint8_t  random[PROMPT_UUID_RANDOM_LEN];

    if (!prompt_random_from(&worker->random, random, sizeof(random))) {
        return false;
    }

    prompt_uuid_make(&worker->uuid, ngx_http_prompt_now_ms(), random, id);

    return true;
}


void
ngx_http_prompt_worker_quotas(ngx_http_request_t *r, prompt_quota_t *quota)
{
    ngx_http_prompt_loc_conf_t    *plcf;
    ngx_http_prompt_quota_conf_t  *conf;

    plcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_module);
    conf = &plcf->quota;

    quota->prompts = conf->prompts != 0 ? conf->prompts : PROMPT_QUOTA_NONE;
    quota->versions = conf->versions != 0 ? conf->versions : PROMPT_QUOTA_NONE;
    quota->keys = conf->keys != 0 ? conf->keys : PROMPT_QUOTA_NONE;
    quota->members = conf->members != 0 ? conf->members : PROMPT_QUOTA_NONE;
    quota->bytes = conf->bytes != 0 ? conf->bytes : PROMPT_QUOTA_NONE;
    quota->in_flight = conf->in_flight != 0 ? conf->in_flight
                                            : PROMPT_QUOTA_NONE;
}
