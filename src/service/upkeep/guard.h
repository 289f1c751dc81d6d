/*
 * Guards of splits: what is done about a version whose figures pass a bound.
 *
 * It loses its share to the label's `version`, which is a move, a row in the
 * audit log, a line in the error log and one in the metrics: one of each, as
 * the statement does it once.  What passes a bound and is the label's `version`
 * itself is only told.
 */

#ifndef NGX_HTTP_PROMPT_GUARD_H
#define NGX_HTTP_PROMPT_GUARD_H

#include "service/worker/worker.h"


/*
 * What a step of the sweep found (prompt_label_sweep()); whether the next one
 * is to follow at once.
 */
bool ngx_http_prompt_guard_look(ngx_http_prompt_worker_t *worker,
    const prompt_rows_t *rows);

#endif /* NGX_HTTP_PROMPT_GUARD_H */
