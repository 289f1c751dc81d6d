/*
 * The directive prompt_redis: where the cache of API keys is.
 */

#ifndef NGX_HTTP_PROMPT_CONF_REDIS_H
#define NGX_HTTP_PROMPT_CONF_REDIS_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/redis_setup.h"
#include "conf/ngx_http_prompt_conf_names.h"


typedef enum {
    NGX_HTTP_PROMPT_REDIS_SINGLE = PROMPT_REDIS_SINGLE,
    NGX_HTTP_PROMPT_REDIS_CLUSTER = PROMPT_REDIS_CLUSTER,
    NGX_HTTP_PROMPT_REDIS_SENTINEL = PROMPT_REDIS_SENTINEL
} ngx_http_prompt_redis_setup_e;


/*
 * What "prompt_redis" says.  All of it lives in the pool of the
 * configuration.  A host name is resolved while the configuration is read, and
 * then looked up again.
 */
typedef struct {
    ngx_str_t     name;              /* the address as written, for messages */
    ngx_addr_t   *addrs;             /* tried in turn; NULL: not configured;
                                        of a cluster: some of its nodes, or
                                        the Sentinels */
    ngx_uint_t    naddrs;
    ngx_uint_t   *places;            /* of each, the place of its host among
                                        the names, from 1; 0: it is none */
    ngx_http_prompt_names_conf_t  names;
    ngx_str_t     master;            /* the name that Sentinel knows it by */
    ngx_str_t     sentinel_password; /* empty: none; never logged */
    ngx_uint_t    db;
    ngx_str_t     user;              /* empty: none */
    ngx_str_t     password;          /* empty: none; never logged */
    ngx_str_t     prefix;            /* of every key */
    ngx_msec_t    timeout;           /* of a command */

    ngx_http_prompt_redis_setup_e  kind;

    ngx_atomic_t  *next;             /* when workers may connect again, for all
                                        of them; NULL: at any time */
    ngx_atomic_t  *server;           /* where a name led to last, as a hash,
                                        and since when, ms: of all of them;
                                        NULL: nobody notes it */

    unsigned      must_be_master:1;  /* or it is of no use */
} ngx_http_prompt_redis_conf_t;


/*
 * Handler of "prompt_redis ADDRESS [NAME=VALUE ...]", which fills an
 * ngx_http_prompt_redis_conf_t at cmd->offset of conf.  Returns what a
 * directive does; a message does not show the password.
 */
char *ngx_http_prompt_conf_redis(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);

#endif /* NGX_HTTP_PROMPT_CONF_REDIS_H */
