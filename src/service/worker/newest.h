/*
 * The newest execution there is, and so an id that is above all of them.
 *
 * Executions are asked for newest first.  Asked for below the highest id that
 * can be, PostgreSQL opens the months that are made ahead, too, of which none
 * has a row.  The clock alone does not tell which these are: ids are made by
 * the clocks of hosts, and what was made by one that is far ahead is shown as
 * well.  So each worker in which executions are read asks for the newest now
 * and then, and the bound is a day above that, above its own clock, and above
 * the ids it has made.  Who does not know, or not lately, has none.
 *
 * So what another worker makes with a clock that is more than a day ahead of
 * both is not seen for NGX_HTTP_PROMPT_NEWEST_VALID at most, and then is.
 */

#ifndef NGX_HTTP_PROMPT_NEWEST_H
#define NGX_HTTP_PROMPT_NEWEST_H

#include "conf/ngx_http_prompt_conf.h"
#include "io/ngx_http_prompt_timer.h"
#include "service/worker/send.h"
#include "store/value.h"


#define NGX_HTTP_PROMPT_NEWEST_PAUSE  1000   /* ms until it is asked for */
#define NGX_HTTP_PROMPT_NEWEST_AGAIN  10000  /* ms until it is again */
#define NGX_HTTP_PROMPT_NEWEST_VALID  30000  /* ms that an answer counts */


typedef struct {
    ngx_uint_t                        known;
    ngx_msec_t                        asked; /* for what is known */
    ngx_msec_t                        sent;  /* what is in flight */
    int64_t                           time;  /* of the newest id; 0: none */
    bool                              older; /* there are, than {lately} */
    ngx_http_prompt_timer_t           timer;
    ngx_http_prompt_sent_t            sending;
} ngx_http_prompt_newest_t;


/* For init_process; exit_process stops the timer. */
void ngx_http_prompt_newest_init(ngx_http_prompt_worker_t *worker);

/*
 * For whoever reads executions from the newest on: an id above all of them,
 * which is put into id; absent where none is known.
 */
prompt_str_t ngx_http_prompt_newest_above(ngx_http_prompt_worker_t *worker,
    char id[PROMPT_UUID_LEN]);

/* Whether there may be any that are older than the last months ({lately}). */
bool ngx_http_prompt_newest_older(const ngx_http_prompt_worker_t *worker);

#endif /* NGX_HTTP_PROMPT_NEWEST_H */
