/*
 * The directives prompt_postgres and prompt_postgres_read: the module's own
 * parameters, and what the sessions are told.  The connection string is read in
 * ngx_http_prompt_conninfo.c.
 */

#include "conf/ngx_http_prompt_conninfo.h"
#include "conf/ngx_http_prompt_conf_postgres.h"


static ngx_int_t ngx_http_prompt_conf_set_prepare(ngx_str_t *value,
    void *field, const ngx_http_prompt_parameter_t *parameter);
static ngx_int_t ngx_http_prompt_postgres_settings(ngx_conf_t *cf,
    ngx_http_prompt_postgres_conf_t *conf, const char *more);


static const ngx_http_prompt_kind_t  ngx_http_prompt_conf_prepare = {
    ngx_http_prompt_conf_set_prepare, NULL, "what is prepared", 0, 0
};


/*
 * Each statement of a query sees what is there when it begins, unless the
 * query says otherwise: what a standby is asked for first, how far it is, is
 * true of what it shows then.
 */
static const char  ngx_http_prompt_postgres_read_settings[] =
    "-c default_transaction_isolation=read\\ committed";


static const ngx_http_prompt_parameter_t
    ngx_http_prompt_postgres_parameters[] =
{
    { ngx_string("connections"), &ngx_http_prompt_number,
      offsetof(ngx_http_prompt_postgres_conf_t, connections),
      "4", "1", "64", NULL },

    { ngx_string("connect_timeout"), &ngx_http_prompt_msec,
      offsetof(ngx_http_prompt_postgres_conf_t, connect_timeout),
      "5s", "1ms", "1h", NULL },

    { ngx_string("timeout"), &ngx_http_prompt_msec,
      offsetof(ngx_http_prompt_postgres_conf_t, timeout),
      "5s", "1ms", "1h", NULL },

    { ngx_string("queue"), &ngx_http_prompt_number,
      offsetof(ngx_http_prompt_postgres_conf_t, queue),
      "1024", "0", "1000000", NULL },

    { ngx_string("prepare"), &ngx_http_prompt_conf_prepare,
      offsetof(ngx_http_prompt_postgres_conf_t, prepare),
      "on", NULL, NULL, "\"prepare=on\", \"prepare=off\" or "
                        "\"prepare=session\"" },

    { ngx_string("resolve"), &ngx_http_prompt_msec,
      offsetof(ngx_http_prompt_postgres_conf_t, names.every),
      "30s", "1s", "1h", NULL },

    ngx_http_prompt_no_parameter("; a connection string with spaces wants "
                                 "quotes")
};


static const ngx_http_prompt_parameter_t
    ngx_http_prompt_postgres_read_parameters[] =
{
    { ngx_string("max_lag"), &ngx_http_prompt_msec,
      offsetof(ngx_http_prompt_postgres_read_conf_t, max_lag),
      "1s", "50ms", "1h", NULL },

    { ngx_string("connections"), &ngx_http_prompt_number,
      offsetof(ngx_http_prompt_postgres_read_conf_t, postgres.connections),
      NULL, "1", "64", NULL },

    ngx_http_prompt_no_parameter("; a connection string with spaces wants "
                                 "quotes")
};


char *
ngx_http_prompt_conf_postgres(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t                        *value;
    ngx_http_prompt_postgres_conf_t  *pcf;

    value = cf->args->elts;
    pcf = (void *) ((u_char *) conf + cmd->offset);

    if (pcf->connections != 0) {
        return "is duplicate";
    }

    ngx_http_prompt_parameters_default(ngx_http_prompt_postgres_parameters,
                                       pcf);

    if (ngx_http_prompt_conninfo(cf, pcf, &value[1]) != NGX_OK
        || ngx_http_prompt_parameters(cf, 2,
                                      ngx_http_prompt_postgres_parameters, pcf)
           != NGX_OK
        || ngx_http_prompt_postgres_settings(cf, pcf, "") != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


char *
ngx_http_prompt_conf_postgres_read(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf)
{
    ngx_str_t                             *value;
    ngx_http_prompt_postgres_read_conf_t  *rcf;

    value = cf->args->elts;
    rcf = (void *) ((u_char *) conf + cmd->offset);

    if (rcf->postgres.nhosts != 0) {
        return "is duplicate";
    }

    ngx_http_prompt_parameters_default(
                                    ngx_http_prompt_postgres_read_parameters,
                                    rcf);
    rcf->file = cf->conf_file->file.name;
    rcf->line = cf->conf_file->line;

    if (ngx_http_prompt_conninfo(cf, &rcf->postgres, &value[1]) != NGX_OK
        || ngx_http_prompt_parameters(cf, 2,
                                      ngx_http_prompt_postgres_read_parameters,
                                      rcf)
           != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_http_prompt_conf_set_prepare(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    ngx_uint_t  *prepare = field;

    ngx_uint_t  i;

    static const char  *values[] = {
        [NGX_HTTP_PROMPT_PREPARE_OFF] = "off",
        [NGX_HTTP_PROMPT_PREPARE_ON] = "on",
        [NGX_HTTP_PROMPT_PREPARE_SESSION] = "session"
    };

    for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        if (ngx_strcmp(value->data, values[i]) == 0) {
            *prepare = i;
            return NGX_OK;
        }
    }

    return NGX_ERROR;
}


ngx_int_t
ngx_http_prompt_conf_postgres_read_init(ngx_conf_t *cf,
    ngx_http_prompt_postgres_read_conf_t *conf,
    const ngx_http_prompt_postgres_conf_t *primary)
{
    ngx_http_prompt_postgres_conf_t  *pcf;

    pcf = &conf->postgres;

    if (pcf->connections == 0) {
        pcf->connections = primary->connections;
    }

    pcf->queue = primary->queue;
    pcf->connect_timeout = primary->connect_timeout;
    pcf->timeout = primary->timeout;
    pcf->prepare = primary->prepare;
    pcf->names.every = primary->names.every;

    return ngx_http_prompt_postgres_settings(cf, pcf,
                                       ngx_http_prompt_postgres_read_settings);
}


/*
 * What a session needs so that nothing holds it for ever, as options of the
 * connection.  Those of the operator come behind and so win; more is what they
 * must not change.
 *
 * Months of executions that are empty would else be read as they lie, which
 * costs nothing, and then all months sorted to find a page.
 *
 * A lock is waited for longer than PostgreSQL takes to find a deadlock, where
 * the time allows for it; then the change is refused, not lost.
 */
static ngx_int_t
ngx_http_prompt_postgres_settings(ngx_conf_t *cf,
    ngx_http_prompt_postgres_conf_t *conf, const char *more)
{
    u_char      *text;
    size_t       len;
    ngx_msec_t   limit;

    static const char  format[] =
        "-c plan_cache_mode=force_generic_plan -c jit=off "
        "-c enable_seqscan=off "
        "-c statement_timeout=%M -c lock_timeout=%M "
        "-c client_connection_check_interval=%M "
        "-c idle_in_transaction_session_timeout=%M %s %s%Z";

    limit = conf->timeout - ngx_http_prompt_postgres_margin(conf->timeout);
    conf->statement_timeout = limit;

    len = sizeof(format) + 4 * NGX_INT_T_LEN + ngx_strlen(more)
          + ngx_strlen(conf->own_options);

    text = ngx_pnalloc(cf->pool, len);
    if (text == NULL) {
        return NGX_ERROR;
    }

    (void) ngx_sprintf(text, format, limit,
                       ngx_min(ngx_max(limit / 2, 1), 2000),
                       ngx_min(limit, 1000), ngx_max(conf->timeout, 1000),
                       conf->own_options, more);

    conf->settings = (const char *) text;

    return NGX_OK;
}
