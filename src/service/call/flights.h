/*
 * Flights: how many calls a project has under way in this nginx, whose workers
 * count them in shared memory ("prompt_quota in_flight=").
 */

#ifndef NGX_HTTP_PROMPT_FLIGHTS_H
#define NGX_HTTP_PROMPT_FLIGHTS_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "prompt/flights.h"
#include "service/worker/worker.h"


/* The shared memory; while it is configured.  NULL: an error. */
ngx_shm_zone_t *ngx_http_prompt_flights_zone(ngx_conf_t *cf, void *tag);

/*
 * One more of the project, whose id has 16 bytes: what is given to the end of
 * it, or PROMPT_FLIGHTS_FULL where there are `most`.
 */
int32_t ngx_http_prompt_flights_begin(ngx_http_prompt_worker_t *worker,
    prompt_str_t project, int64_t most);

/* Ends it, once. */
void ngx_http_prompt_flights_end(ngx_http_prompt_worker_t *worker,
    int32_t *flight);

#endif /* NGX_HTTP_PROMPT_FLIGHTS_H */
