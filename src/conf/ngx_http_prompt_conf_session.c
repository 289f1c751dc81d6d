/*
 * The directive prompt_session.
 */

#include "conf/ngx_http_prompt_conf.h"


static ngx_uint_t ngx_http_prompt_session_word(ngx_conf_t *cf,
    const char *word);
static ngx_int_t ngx_http_prompt_session_announce(ngx_conf_t *cf,
    ngx_http_prompt_session_conf_t *scf);
static ngx_int_t ngx_http_prompt_session_check(ngx_conf_t *cf,
    ngx_http_prompt_session_conf_t *scf);
static ngx_uint_t ngx_http_prompt_session_of_client(const ngx_str_t *name);


/* what a client says of itself; with "_" at the end: all that begin so */
static const char *const  ngx_http_prompt_session_client[] = {
    "http_", "arg_", "cookie_", "args", "query_string", "is_args", "uri",
    "document_uri", "request_uri", "request", "request_method",
    "request_body", "request_body_file", "ssl_server_name",
    "proxy_add_x_forwarded_for", "request_filename", "host",
    "content_type", "content_length", "fastcgi_script_name",
    "fastcgi_path_info", NULL
};


/*
 * idle: it is looked at once a minute; password: its default is for "trusted",
 * without which it is on
 */
static const ngx_http_prompt_parameter_t
    ngx_http_prompt_session_parameters[] =
{
    { ngx_string("lifetime"), &ngx_http_prompt_sec,
      offsetof(ngx_http_prompt_session_conf_t, lifetime),
      "12h", "5m", "30d", NULL },

    { ngx_string("idle"), &ngx_http_prompt_sec,
      offsetof(ngx_http_prompt_session_conf_t, idle),
      "2h", "5m", "30d", NULL },

    { ngx_string("trusted"), &ngx_http_prompt_text,
      offsetof(ngx_http_prompt_session_conf_t, trusted), NULL, NULL, NULL,
      "a variable that has the e-mail of who was let in, such as "
      "\"trusted=$remote_user\"" },

    { ngx_string("create"), &ngx_http_prompt_flag,
      offsetof(ngx_http_prompt_session_conf_t, create), "off", NULL, NULL,
      NULL },

    { ngx_string("password"), &ngx_http_prompt_flag,
      offsetof(ngx_http_prompt_session_conf_t, passwords), "off", NULL, NULL,
      NULL },

    ngx_http_prompt_no_parameter(" and the word \"insecure\"")
};


char *
ngx_http_prompt_conf_session(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_loc_conf_t  *plcf = conf;

    char                            *rv;
    ngx_http_prompt_main_conf_t     *pmcf;
    ngx_http_prompt_session_conf_t  *scf;

    rv = ngx_http_prompt_conf_location(cf, cmd, conf);
    if (rv != NGX_CONF_OK) {
        return rv;
    }

    scf = ngx_pcalloc(cf->pool, sizeof(ngx_http_prompt_session_conf_t));
    if (scf == NULL) {
        return NGX_CONF_ERROR;
    }

    scf->insecure = ngx_http_prompt_session_word(cf, "insecure");

    ngx_http_prompt_parameters_default(ngx_http_prompt_session_parameters,
                                       scf);
    scf->passwords = NGX_CONF_UNSET;

    if (ngx_http_prompt_parameters(cf, 1, ngx_http_prompt_session_parameters,
                                   scf)
        != NGX_OK
        || ngx_http_prompt_session_check(cf, scf) != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    pmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_prompt_module);

    if (pmcf->sessions++ == 0) {
        pmcf->session_file = plcf->file;
        pmcf->session_line = plcf->line;
    }

    pmcf->insecure |= scf->insecure;
    pmcf->passwords |= scf->passwords;
    plcf->session = scf;

    if (scf->trusted.len != 0
        && ngx_http_prompt_session_announce(cf, scf) != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

#if (NGX_THREADS)

    pmcf->threads = ngx_thread_pool_add(cf, NULL);

    return pmcf->threads != NULL ? NGX_CONF_OK : NGX_CONF_ERROR;

#else

    return "needs an nginx with threads, in which passwords are hashed: build "
           "it with \"--with-threads\"";

#endif
}


/*
 * Endpoints look whether sessions are still of who is trusted: all locations of
 * the server inherit which ones there are.
 */
static ngx_int_t
ngx_http_prompt_session_announce(ngx_conf_t *cf,
    ngx_http_prompt_session_conf_t *scf)
{
    ngx_http_core_srv_conf_t         *cscf;
    ngx_http_prompt_loc_conf_t       *plcf;
    ngx_http_prompt_session_conf_t  **session;

    cscf = ngx_http_conf_get_module_srv_conf(cf, ngx_http_core_module);
    plcf = cscf->ctx->loc_conf[ngx_http_prompt_module.ctx_index];

    if (plcf->trusted == NULL) {
        plcf->trusted = ngx_array_create(cf->pool, 1, sizeof(void *));

        if (plcf->trusted == NULL) {
            return NGX_ERROR;
        }
    }

    session = ngx_array_push(plcf->trusted);
    if (session == NULL) {
        return NGX_ERROR;
    }

    *session = scf;

    return NGX_OK;
}


/* Takes a word out of the arguments that stands without "=". */
static ngx_uint_t
ngx_http_prompt_session_word(ngx_conf_t *cf, const char *word)
{
    ngx_str_t   *arg;
    ngx_uint_t   i, n, found;

    arg = cf->args->elts;
    found = 0;
    n = 1;

    for (i = 1; i < cf->args->nelts; i++) {

        if (ngx_strcmp(arg[i].data, word) == 0) {
            found = 1;
        } else {
            arg[n++] = arg[i];
        }
    }

    cf->args->nelts = n;

    return found;
}


static ngx_int_t
ngx_http_prompt_session_check(ngx_conf_t *cf,
    ngx_http_prompt_session_conf_t *scf)
{
    ngx_str_t  name;

    if (scf->idle > scf->lifetime) {
        return ngx_http_prompt_conf_error(cf,
                   "\"prompt_session\" ends a session that is not used later "
                   "than any: write an \"idle=\" that is not above "
                   "\"lifetime=\"");
    }

    if (scf->passwords == NGX_CONF_UNSET) {
        scf->passwords = scf->trusted.len == 0;
    }

    if (scf->trusted.len == 0) {
        return scf->passwords && !scf->create
               ? NGX_OK
               : ngx_http_prompt_conf_error(cf,
                   "\"%s\" of \"prompt_session\" is for who comes without a "
                   "password: write \"trusted=\" with a variable that has the "
                   "e-mail of who was let in, too",
                   scf->create ? "create=on" : "password=off");
    }

    name.data = scf->trusted.data + 1;
    name.len = scf->trusted.len - 1;

    if (name.len == 0 || scf->trusted.data[0] != '$'
        || strspn((char *) name.data, "abcdefghijklmnopqrstuvwxyz"
                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
           != name.len)
    {
        return ngx_http_prompt_conf_error(cf,
                   "\"trusted=\" of \"prompt_session\" is no variable: write "
                   "one that has the e-mail of who was let in, such as "
                   "\"trusted=$remote_user\"");
    }

    if (ngx_http_prompt_session_of_client(&name)) {
        return ngx_http_prompt_conf_error(cf,
                   "\"trusted=%V\" of \"prompt_session\" lets clients say "
                   "themselves who they are: write a variable that this server "
                   "sets, such as \"trusted=$email\" after \"auth_request_set "
                   "$email $upstream_http_x_email\"", &scf->trusted);
    }

    scf->variable = ngx_http_get_variable_index(cf, &name);

    return scf->variable != NGX_ERROR ? NGX_OK : NGX_ERROR;
}


/* Names of variables are the same in any case. */
static ngx_uint_t
ngx_http_prompt_session_of_client(const ngx_str_t *name)
{
    size_t              len;
    const char *const  *of;

    for (of = ngx_http_prompt_session_client; *of != NULL; of++) {
        len = ngx_strlen(*of);

        if (name->len >= len
            && ngx_strncasecmp(name->data, (u_char *) *of, len) == 0
            && (name->len == len || (*of)[len - 1] == '_'))
        {
            return 1;
        }
    }

    return 0;
}
