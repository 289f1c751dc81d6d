/*
 * Files that nginx.conf names: they are read with it, as a worker may not be
 * allowed to.
 */

#ifndef NGX_HTTP_PROMPT_CONF_FILE_H
#define NGX_HTTP_PROMPT_CONF_FILE_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/arena.h"


/*
 * The whole of a file that has from `least` to `most` bytes (MiB), in arena,
 * or, where that is NULL, in cf->pool.  Its name ends with NUL.  NGX_DECLINED:
 * it is not there; NGX_BUSY: there is no memory for it; NGX_ERROR: logged.
 */
ngx_int_t ngx_http_prompt_conf_file(ngx_conf_t *cf, ngx_str_t *name,
    size_t least, size_t most, prompt_arena_t *arena, ngx_str_t *text);

#endif /* NGX_HTTP_PROMPT_CONF_FILE_H */
