/*
 * The directive prompt_postgres: where the database is.
 */

#ifndef NGX_HTTP_PROMPT_CONF_POSTGRES_H
#define NGX_HTTP_PROMPT_CONF_POSTGRES_H

#include "conf/ngx_http_prompt_conf_names.h"


/* how much earlier than a task's time is over PostgreSQL gives up, ms */
#define ngx_http_prompt_postgres_margin(timeout)                             \
    ngx_min((timeout) / 10, 500)


/* A host to connect to, its name resolved; strings end with NUL. */
typedef struct {
    const char   *host;              /* name or directory, for TLS and log */
    const char   *hostaddr;          /* numeric; "" for a socket directory */
    const char   *port;              /* "" for the default */
    ngx_uint_t    place;             /* of host among the names, from 1; those
                                        of one stand together; 0: it is none */
} ngx_http_prompt_postgres_host_t;


/* Whether statements are prepared. */
typedef enum {
    NGX_HTTP_PROMPT_PREPARE_OFF = 0,
    NGX_HTTP_PROMPT_PREPARE_ON,      /* where no pooler is found that has no
                                        names of its own for them */
    NGX_HTTP_PROMPT_PREPARE_SESSION  /* nothing is asked: a connection stays
                                        with one server */
} ngx_http_prompt_prepare_e;


/*
 * What "prompt_postgres" says.  All of it lives in the pool of the
 * configuration.  Host names are resolved while the configuration is read, and
 * then looked up again: libpq would block the worker for it.
 */
typedef struct {
    ngx_array_t   options;           /* ngx_keyval_t, NUL-terminated, without
                                        host, hostaddr and port */
    ngx_http_prompt_postgres_host_t  *hosts;
    ngx_uint_t    nhosts;
    ngx_http_prompt_names_conf_t  names;
    ngx_uint_t    connections;       /* of a worker; 0: not configured */
    ngx_uint_t    queue;             /* tasks waiting for a connection; LONG
                                        ones, and those that wait for a row of
                                        others: half as many */
    ngx_msec_t    connect_timeout;
    ngx_msec_t    timeout;           /* of a task, waiting included */
    ngx_uint_t    prepare;           /* NGX_HTTP_PROMPT_PREPARE_... */

    const char   *own_options;       /* "options" of the operator, or "" */
    const char   *settings;          /* "options" of the module, then those */
    ngx_msec_t    statement_timeout; /* as settings say */
} ngx_http_prompt_postgres_conf_t;


/* What "prompt_postgres_read" says: of servers that only read. */
typedef struct {
    ngx_http_prompt_postgres_conf_t  postgres;   /* what is not given is
                                                    prompt_postgres's; without
                                                    hosts: not configured */
    ngx_msec_t                       max_lag;
    ngx_str_t                        file;       /* where it stands */
    ngx_uint_t                       line;
} ngx_http_prompt_postgres_read_conf_t;


/*
 * Handler of "prompt_postgres CONNINFO [NAME=VALUE ...]", which fills an
 * ngx_http_prompt_postgres_conf_t at cmd->offset of conf.  CONNINFO is parsed
 * by libpq; client_encoding, gssencmode and fallback_application_name are set
 * by the module, and so are some settings of the session, in front of the
 * operator's own "options".  Returns what a directive does; a message does
 * not show a password.
 */
char *ngx_http_prompt_conf_postgres(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);

/* The same of "prompt_postgres_read CONNINFO [NAME=VALUE ...]". */
char *ngx_http_prompt_conf_postgres_read(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);

/*
 * When both were read: what the second one takes from the first.  NGX_ERROR:
 * no memory.
 */
ngx_int_t ngx_http_prompt_conf_postgres_read_init(ngx_conf_t *cf,
    ngx_http_prompt_postgres_read_conf_t *conf,
    const ngx_http_prompt_postgres_conf_t *primary);

#endif /* NGX_HTTP_PROMPT_CONF_POSTGRES_H */
