/*
 * The connections to PostgreSQL of a worker that quits, which may take hours.
 */

#include "io/ngx_http_prompt_postgres_impl.h"


void
ngx_http_prompt_postgres_quit(ngx_http_prompt_postgres_t *pool,
    ngx_uint_t keep)
{
    ngx_uint_t                              i;
    ngx_http_prompt_postgres_connection_t  *pc, *kept;

    ngx_http_prompt_names_stop(pool->names);

    pool->quits = 1;
    pool->keep = keep;
    kept = NULL;

    /* the one that has most to do, else one that is about to be ready */

    for (i = 0; keep && i < pool->conf->connections; i++) {
        pc = &pool->connections[i];

        if (pc->state != POSTGRES_DRAINING && !pc->broken
            && (kept == NULL || pc->state > kept->state
                || (pc->state == kept->state
                    && pc->in_flight > kept->in_flight)))
        {
            kept = pc;
        }
    }

    for (i = 0; i < pool->conf->connections; i++) {
        pc = &pool->connections[i];

        if (pc != kept) {
            ngx_http_prompt_postgres_retire(pc, "not needed any more");
        }
    }

    ngx_http_prompt_postgres_rest(pool);
}


void
ngx_http_prompt_postgres_rest(ngx_http_prompt_postgres_t *pool)
{
    ngx_uint_t                              i, needed;
    ngx_http_prompt_postgres_connection_t  *pc, *next;

    needed = pool->keep || pool->stats.queued != 0;
    next = NULL;

    for (i = 0; i < pool->conf->connections; i++) {
        pc = &pool->connections[i];

        if (pc->state != POSTGRES_WAITING) {
            needed = needed && pc->state == POSTGRES_DRAINING;

        } else if (next == NULL || pc->timer.event.timer_set) {
            next = pc;
        }
    }

    for (i = 0; i < pool->conf->connections; i++) {
        pc = &pool->connections[i];

        if (pc->state == POSTGRES_WAITING && (pc != next || !needed)) {
            ngx_http_prompt_timer_stop(&pc->timer);
        }
    }

    if (needed && next != NULL && !next->timer.event.timer_set) {
        pool->down = ngx_current_msec;
        ngx_add_timer(&next->timer.event, 0);
    }
}
