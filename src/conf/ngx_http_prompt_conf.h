/*
 * Directives: their handlers, and what a location says.
 */

#ifndef NGX_HTTP_PROMPT_CONF_H
#define NGX_HTTP_PROMPT_CONF_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "conf/ngx_http_prompt_models_conf.h"
#include "graphql/engine.h"
#include "http/ngx_http_prompt_console.h"
#include "http/ngx_http_prompt_documents.h"


#define NGX_HTTP_PROMPT_PROVIDER_TIMEOUT  60000              /* ms */
#define NGX_HTTP_PROMPT_PROVIDER_MAX_TIMEOUT  (60 * 60 * 1000)

#define NGX_HTTP_PROMPT_KEY_VALID         10                 /* s */
#define NGX_HTTP_PROMPT_KEY_UNKNOWN       5                  /* s */
#define NGX_HTTP_PROMPT_KEY_MAX_VALID     60                 /* s */

#define NGX_HTTP_PROMPT_SCHEMA_MEMORY     (4 * 1024 * 1024)


typedef struct {
    ngx_flag_t                         graphql;
    ngx_flag_t                         introspection;
    ngx_uint_t                         tokens;
    ngx_uint_t                         depth;
    ngx_uint_t                         aliases;
    ngx_uint_t                         root_fields;
    ngx_uint_t                         mutation_fields;
    ngx_uint_t                         directives;
    ngx_uint_t                         complexity;
    ngx_http_prompt_documents_t       *documents; /* NULL: none */
    gql_limits_t                       limits;    /* of the above, merged */
    ngx_http_prompt_console_t         *console;   /* NULL: not a console */

    ngx_http_handler_pt                handler;   /* of ours; NULL: none */
    ngx_str_t                          directive; /* which set it, and where */
    ngx_str_t                          file;
    ngx_uint_t                         line;
} ngx_http_prompt_loc_conf_t;


/* the handlers of the directives that take more than a value */
char *ngx_http_prompt_conf_postgres(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_redis(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_key_cache(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_provider(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_model(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_default_model(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_graphql(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_limits(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);

/*
 * The handler of a location, which can have one only.  One of another module
 * that comes later in the location is found when that is merged, by
 * ngx_http_prompt_conf_check_handler().  Both return what a directive does.
 */
char *ngx_http_prompt_conf_handler(ngx_conf_t *cf,
    ngx_http_prompt_loc_conf_t *plcf, ngx_http_handler_pt handler);
char *ngx_http_prompt_conf_check_handler(ngx_conf_t *cf,
    ngx_http_prompt_loc_conf_t *plcf);

/*
 * limit_except and if are locations of their own, which nginx enters instead
 * of the one they stand in: such a one is what that is, unless another module
 * has put its handler there.  For merging, when plcf's own handler is known.
 */
void ngx_http_prompt_conf_inherit_handler(ngx_conf_t *cf,
    const ngx_http_prompt_loc_conf_t *parent,
    ngx_http_prompt_loc_conf_t *plcf);

/*
 * What can only be said when all directives were read: that what is named
 * exists, and what is needed is there.
 */
char *ngx_http_prompt_conf_check(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf);

#endif /* NGX_HTTP_PROMPT_CONF_H */
