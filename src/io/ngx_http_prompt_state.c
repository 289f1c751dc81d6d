/*
 * The states of what lives on the event loop.
 */

#include "io/ngx_http_prompt_state.h"


ngx_uint_t
ngx_http_prompt_may_move(const ngx_http_prompt_moves_t *moves, ngx_uint_t from,
    ngx_uint_t to, ngx_log_t *log)
{
    if (moves->after[to] & ngx_http_prompt_after(from)) {
        return 1;
    }

    ngx_log_error(NGX_LOG_ALERT, log, 0,
                  "prompt: %s goes from state %ui to %ui", moves->what, from,
                  to);

    return 0;
}
