/*
 * The connection string of prompt_postgres and prompt_postgres_read, for these
 * directives only.
 */

#ifndef NGX_HTTP_PROMPT_CONNINFO_H
#define NGX_HTTP_PROMPT_CONNINFO_H

#include "conf/ngx_http_prompt_conf_postgres.h"
#include "conf/ngx_http_prompt_parameters.h"


#define NGX_HTTP_PROMPT_CONNINFO_EXAMPLE                                     \
    "\"host=localhost dbname=prompt user=prompt_app\""


/* What a connection string is read into. */
typedef struct {
    ngx_conf_t                       *cf;
    ngx_http_prompt_postgres_conf_t  *conf;

    /* as long as libpq's options: lists as it has them, or NULL */
    const char                       *host;
    const char                       *hostaddr;
    const char                       *port;
    const char                       *options;   /* the operator's */
} ngx_http_prompt_conninfo_t;


/*
 * Both are NGX_ERROR where something is wrong, which is logged.  The first
 * reads conninfo as libpq does; the second, for its own use, makes conf->hosts
 * from the three lists.
 */
ngx_int_t ngx_http_prompt_conninfo(ngx_conf_t *cf,
    ngx_http_prompt_postgres_conf_t *conf, ngx_str_t *conninfo);
ngx_int_t ngx_http_prompt_conninfo_hosts(
    const ngx_http_prompt_conninfo_t *ci);

/*
 * What is wrong with a file that a keyword names, and what to do, for a
 * message; NULL: nothing, as far as can be seen.  secret: libpq takes it only
 * where others cannot read it.
 */
const char *ngx_http_prompt_conninfo_unreadable(ngx_conf_t *cf,
    const char *keyword, const char *value, ngx_uint_t secret);

#endif /* NGX_HTTP_PROMPT_CONNINFO_H */
