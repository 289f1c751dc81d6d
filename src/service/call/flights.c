/*
 * Flights: the table in shared memory, and its lock.
 */

#include "service/call/flights.h"


#define NGX_HTTP_PROMPT_FLIGHTS_ROWS  256


static ngx_int_t ngx_http_prompt_flights_init(ngx_shm_zone_t *zone,
    void *data);
static bool ngx_http_prompt_flights_alive(uint32_t process);


ngx_shm_zone_t *
ngx_http_prompt_flights_zone(ngx_conf_t *cf, void *tag)
{
    size_t           size;
    ngx_shm_zone_t  *zone;

    static ngx_str_t  name = ngx_string("ngx_http_prompt_flights");

    /* and the slab's own bookkeeping */

    size = prompt_flights_size(NGX_HTTP_PROMPT_FLIGHTS_ROWS);
    size += size / 32 + 16 * ngx_pagesize;

    zone = ngx_shared_memory_add(cf, &name, size, tag);

    if (zone != NULL) {
        zone->init = ngx_http_prompt_flights_init;
    }

    return zone;
}


static ngx_int_t
ngx_http_prompt_flights_init(ngx_shm_zone_t *zone, void *data)
{
    size_t             size;
    ngx_slab_pool_t   *shpool;
    prompt_flights_t  *flights;

    if (ngx_http_prompt_zone_kept(zone, data)) {
        return NGX_OK;
    }

    shpool = (ngx_slab_pool_t *) zone->shm.addr;

    size = prompt_flights_size(NGX_HTTP_PROMPT_FLIGHTS_ROWS);

    flights = ngx_slab_alloc(shpool, size);
    if (flights == NULL) {
        return NGX_ERROR;
    }

    prompt_flights_init(flights, NGX_HTTP_PROMPT_FLIGHTS_ROWS);

    shpool->data = flights;
    zone->data = flights;

    return NGX_OK;
}


int32_t
ngx_http_prompt_flights_begin(ngx_http_prompt_worker_t *worker,
    prompt_str_t project, int64_t most)
{
    int32_t           flight;
    ngx_slab_pool_t  *shpool;

    if (most >= PROMPT_QUOTA_NONE || project.len != PROMPT_FLIGHTS_KEY) {
        return PROMPT_FLIGHTS_NONE;
    }

    shpool = (ngx_slab_pool_t *) worker->flights->shm.addr;

    ngx_shmtx_lock(&shpool->mutex);

    flight = prompt_flights_begin(worker->flights->data,
                                  (const uint8_t *) project.data,
                                  (uint32_t) ngx_pid, (uint64_t) most,
                                  ngx_http_prompt_flights_alive);

    ngx_shmtx_unlock(&shpool->mutex);

    return flight;
}


void
ngx_http_prompt_flights_end(ngx_http_prompt_worker_t *worker, int32_t *flight)
{
    ngx_slab_pool_t  *shpool;

    if (*flight < 0) {
        return;
    }

    shpool = (ngx_slab_pool_t *) worker->flights->shm.addr;

    ngx_shmtx_lock(&shpool->mutex);
    prompt_flights_end(worker->flights->data, *flight);
    ngx_shmtx_unlock(&shpool->mutex);

    *flight = PROMPT_FLIGHTS_NONE;
}


static bool
ngx_http_prompt_flights_alive(uint32_t process)
{
    return kill((pid_t) process, 0) == 0 || ngx_errno != NGX_ESRCH;
}
