/*
 * The directive prompt_postgres: what libpq makes of the connection string,
 * the host names in it resolved, and the module's own parameters.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include <libpq-fe.h>

#include "conf/ngx_http_prompt_parameters.h"
#include "io/ngx_http_prompt_postgres.h"


typedef struct {
    const char   *host;              /* lists as libpq has them, or NULL */
    const char   *hostaddr;
    const char   *port;
} ngx_http_prompt_postgres_lists_t;


typedef struct {
    const char   *keyword;
    const char   *values;            /* a space between two */
} ngx_http_prompt_postgres_choice_t;


#define NGX_HTTP_PROMPT_POSTGRES_EXAMPLE                                     \
    "\"host=localhost dbname=prompt user=prompt_app\""


static char *ngx_http_prompt_postgres_parse(ngx_conf_t *cf,
    ngx_http_prompt_postgres_conf_t *conf, ngx_str_t *conninfo);
static ngx_int_t ngx_http_prompt_postgres_options(ngx_conf_t *cf,
    ngx_http_prompt_postgres_conf_t *conf, PQconninfoOption *options,
    ngx_http_prompt_postgres_lists_t *lists);
static ngx_int_t ngx_http_prompt_postgres_settings(ngx_conf_t *cf,
    ngx_http_prompt_postgres_conf_t *conf);
static ngx_int_t ngx_http_prompt_postgres_choose(ngx_conf_t *cf,
    PQconninfoOption *option);
static ngx_int_t ngx_http_prompt_postgres_option(
    ngx_http_prompt_postgres_conf_t *conf, const char *name,
    const char *value);
static void ngx_http_prompt_postgres_complain(ngx_conf_t *cf,
    ngx_str_t *conninfo, char *error);
static ngx_int_t ngx_http_prompt_postgres_hosts(ngx_conf_t *cf,
    ngx_http_prompt_postgres_conf_t *conf,
    ngx_http_prompt_postgres_lists_t *lists);
static ngx_uint_t ngx_http_prompt_postgres_numeric(ngx_str_t *addr);
static ngx_int_t ngx_http_prompt_postgres_resolve(ngx_conf_t *cf,
    ngx_array_t *hosts, ngx_str_t *name, const char *port);
static ngx_int_t ngx_http_prompt_postgres_host(ngx_array_t *hosts,
    const char *host, const char *hostaddr, const char *port);
static ngx_array_t *ngx_http_prompt_postgres_split(ngx_conf_t *cf,
    const char *list);


static const ngx_http_prompt_parameter_t
    ngx_http_prompt_postgres_parameters[] =
{
    { ngx_string("connections"), ngx_http_prompt_parameter_number,
      offsetof(ngx_http_prompt_postgres_conf_t, connections),
      1, NGX_HTTP_PROMPT_POSTGRES_MAX_CONNECTIONS,
      "a whole number from 1 to 64, such as \"connections=4\"" },

    { ngx_string("connect_timeout"), ngx_http_prompt_parameter_msec,
      offsetof(ngx_http_prompt_postgres_conf_t, connect_timeout),
      1, NGX_HTTP_PROMPT_POSTGRES_MAX_TIMEOUT,
      "a time from 1ms to 1h, such as \"connect_timeout=5s\"" },

    { ngx_string("timeout"), ngx_http_prompt_parameter_msec,
      offsetof(ngx_http_prompt_postgres_conf_t, timeout),
      1, NGX_HTTP_PROMPT_POSTGRES_MAX_TIMEOUT,
      "a time from 1ms to 1h, such as \"timeout=5s\"" },

    { ngx_string("queue"), ngx_http_prompt_parameter_number,
      offsetof(ngx_http_prompt_postgres_conf_t, queue),
      0, NGX_HTTP_PROMPT_POSTGRES_MAX_QUEUE,
      "a whole number from 0 to 1000000, such as \"queue=1024\"" },

    { ngx_string("prepare"), ngx_http_prompt_parameter_flag,
      offsetof(ngx_http_prompt_postgres_conf_t, prepare), 0, 0,
      "\"prepare=on\" or \"prepare=off\"" },

    ngx_http_prompt_no_parameter("; a connection string with spaces wants "
                                 "quotes")
};


/* what libpq itself would only refuse when it connects */
static const ngx_http_prompt_postgres_choice_t
    ngx_http_prompt_postgres_choices[] =
{
    { "sslmode",
      "disable allow prefer require verify-ca verify-full" },
    { "target_session_attrs",
      "any read-write read-only primary standby prefer-standby" },
    { NULL, NULL }
};


char *
ngx_http_prompt_postgres_conf(ngx_conf_t *cf,
    ngx_http_prompt_postgres_conf_t *conf)
{
    ngx_str_t  *value;

    value = cf->args->elts;

    conf->connections = NGX_HTTP_PROMPT_POSTGRES_CONNECTIONS;
    conf->queue = NGX_HTTP_PROMPT_POSTGRES_QUEUE;
    conf->connect_timeout = NGX_HTTP_PROMPT_POSTGRES_CONNECT_TIMEOUT;
    conf->timeout = NGX_HTTP_PROMPT_POSTGRES_TIMEOUT;
    conf->prepare = 1;
    conf->own_options = "";

    if (ngx_http_prompt_postgres_parse(cf, conf, &value[1]) != NGX_CONF_OK) {
        return NGX_CONF_ERROR;
    }

    if (ngx_http_prompt_parameters(cf, 2, ngx_http_prompt_postgres_parameters,
                                   conf)
        != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    return ngx_http_prompt_postgres_settings(cf, conf) == NGX_OK
           ? NGX_CONF_OK : NGX_CONF_ERROR;
}


/*
 * What a session needs so that nothing holds it for ever, as options of the
 * connection.  Those of the operator come behind and so win.
 *
 * A lock is waited for longer than PostgreSQL takes to find a deadlock, where
 * the time allows for it; then the change is refused, not lost.
 */
static ngx_int_t
ngx_http_prompt_postgres_settings(ngx_conf_t *cf,
    ngx_http_prompt_postgres_conf_t *conf)
{
    u_char      *text;
    size_t       len;
    ngx_msec_t   limit;

    static const char  format[] =
        "-c plan_cache_mode=force_generic_plan -c jit=off "
        "-c statement_timeout=%M -c lock_timeout=%M "
        "-c client_connection_check_interval=%M "
        "-c idle_in_transaction_session_timeout=%M %s%Z";

    limit = conf->timeout - ngx_http_prompt_postgres_margin(conf->timeout);
    conf->statement_timeout = limit;

    len = sizeof(format) + 4 * NGX_INT_T_LEN + ngx_strlen(conf->own_options);

    text = ngx_pnalloc(cf->pool, len);
    if (text == NULL) {
        return NGX_ERROR;
    }

    (void) ngx_sprintf(text, format, limit,
                       ngx_min(ngx_max(limit / 2, 1), 2000),
                       ngx_min(limit, 1000), ngx_max(conf->timeout, 1000),
                       conf->own_options);

    conf->settings = (const char *) text;

    return NGX_OK;
}


static char *
ngx_http_prompt_postgres_parse(ngx_conf_t *cf,
    ngx_http_prompt_postgres_conf_t *conf, ngx_str_t *conninfo)
{
    char                              *error;
    ngx_int_t                          rc;
    PQconninfoOption                  *options;
    ngx_http_prompt_postgres_lists_t   lists;

    if (strspn((const char *) conninfo->data, " \t\r\n") == conninfo->len) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "the connection string of \"prompt_postgres\" is "
                           "empty: write for example "
                           NGX_HTTP_PROMPT_POSTGRES_EXAMPLE);
        return NGX_CONF_ERROR;
    }

    options = PQconninfoParse((const char *) conninfo->data, &error);

    if (options == NULL) {
        ngx_http_prompt_postgres_complain(cf, conninfo, error);
        PQfreemem(error);
        return NGX_CONF_ERROR;
    }

    rc = ngx_http_prompt_postgres_options(cf, conf, options, &lists);

    if (rc == NGX_OK) {
        rc = ngx_http_prompt_postgres_hosts(cf, conf, &lists);
    }

    PQconninfoFree(options);

    return rc == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}


static ngx_int_t
ngx_http_prompt_postgres_options(ngx_conf_t *cf,
    ngx_http_prompt_postgres_conf_t *conf, PQconninfoOption *options,
    ngx_http_prompt_postgres_lists_t *lists)
{
    ngx_int_t          n;
    ngx_str_t          own;
    PQconninfoOption  *option;

    ngx_memzero(lists, sizeof(ngx_http_prompt_postgres_lists_t));

    if (ngx_array_init(&conf->options, cf->pool, 8, sizeof(ngx_keyval_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    for (option = options; option->keyword != NULL; option++) {

        if (option->val == NULL) {
            continue;
        }

        if (ngx_strcmp(option->keyword, "host") == 0) {
            lists->host = option->val;
            continue;
        }

        if (ngx_strcmp(option->keyword, "hostaddr") == 0) {
            lists->hostaddr = option->val;
            continue;
        }

        if (ngx_strcmp(option->keyword, "port") == 0) {
            lists->port = option->val;
            continue;
        }

        if (ngx_strcmp(option->keyword, "options") == 0) {

            own.data = (u_char *) option->val;
            own.len = ngx_strlen(option->val) + 1;

            conf->own_options = (char *) ngx_pstrdup(cf->pool, &own);

            if (conf->own_options == NULL) {
                return NGX_ERROR;
            }

            continue;
        }

        if (ngx_strcmp(option->keyword, "service") == 0) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "\"prompt_postgres\" knows no service files: "
                               "write what the service stands for instead, "
                               "such as " NGX_HTTP_PROMPT_POSTGRES_EXAMPLE);
            return NGX_ERROR;
        }

        if (ngx_strcmp(option->keyword, "connect_timeout") == 0) {

            /* seconds; libpq itself looks at it only where it blocks */

            n = ngx_atoi((u_char *) option->val, ngx_strlen(option->val));

            if (n == NGX_ERROR || n > 3600) {
                ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                                   "invalid \"connect_timeout\" in the "
                                   "connection string of \"prompt_postgres\":"
                                   " write whole seconds from 1 to 3600");
                return NGX_ERROR;
            }

            /* 0: libpq's word for its default, which would be no limit */

            if (n != 0) {
                conf->connect_timeout = (ngx_msec_t) n * 1000;
            }

            continue;
        }

        if (ngx_strcmp(option->keyword, "client_encoding") == 0
            || ngx_strcmp(option->keyword, "gssencmode") == 0
            || ngx_strcmp(option->keyword, "fallback_application_name") == 0)
        {
            continue;
        }

        if (ngx_http_prompt_postgres_choose(cf, option) != NGX_OK
            || ngx_http_prompt_postgres_option(conf, option->keyword,
                                               option->val)
               != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    if (ngx_http_prompt_postgres_option(conf, "client_encoding", "UTF8")
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    /* its negotiation would block */

    if (ngx_http_prompt_postgres_option(conf, "gssencmode", "disable")
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_prompt_postgres_option(conf, "fallback_application_name",
                                           "nginx");
}


static ngx_int_t
ngx_http_prompt_postgres_choose(ngx_conf_t *cf, PQconninfoOption *option)
{
    size_t                                    len;
    const char                               *p;
    const ngx_http_prompt_postgres_choice_t  *choice;

    for (choice = ngx_http_prompt_postgres_choices;
         choice->keyword != NULL;
         choice++)
    {
        if (ngx_strcmp(option->keyword, choice->keyword) == 0) {
            break;
        }
    }

    if (choice->keyword == NULL) {
        return NGX_OK;
    }

    for (p = choice->values; *p != '\0'; p += strspn(p, " ")) {

        len = strcspn(p, " ");

        if (len == ngx_strlen(option->val)
            && ngx_strncmp(p, option->val, len) == 0)
        {
            return NGX_OK;
        }

        p += len;
    }

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid value \"%s\" of \"%s\" in the connection "
                       "string of \"prompt_postgres\": write one of %s",
                       option->val, choice->keyword, choice->values);

    return NGX_ERROR;
}


static ngx_int_t
ngx_http_prompt_postgres_option(ngx_http_prompt_postgres_conf_t *conf,
    const char *name, const char *value)
{
    size_t         len;
    ngx_keyval_t  *kv;

    kv = ngx_array_push(&conf->options);
    if (kv == NULL) {
        return NGX_ERROR;
    }

    len = ngx_strlen(name);

    kv->key.data = ngx_pnalloc(conf->options.pool, len + 1);
    if (kv->key.data == NULL) {
        return NGX_ERROR;
    }

    kv->key.len = len;
    ngx_memcpy(kv->key.data, name, len + 1);

    len = ngx_strlen(value);

    kv->value.data = ngx_pnalloc(conf->options.pool, len + 1);
    if (kv->value.data == NULL) {
        return NGX_ERROR;
    }

    kv->value.len = len;
    ngx_memcpy(kv->value.data, value, len + 1);

    return NGX_OK;
}


/*
 * libpq repeats parts of the string in its messages, in quotes, and a
 * password can be among them ("password=two words").
 */
static void
ngx_http_prompt_postgres_complain(ngx_conf_t *cf, ngx_str_t *conninfo,
    char *error)
{
    char        *p, *q;
    ngx_uint_t   secret, quoted;

    secret = ngx_strstr(conninfo->data, "pass") != NULL
             || ngx_strstr(conninfo->data, "://") != NULL
             || ngx_strchr(conninfo->data, '@') != NULL;

    quoted = 0;
    q = error;

    for (p = error; *p != '\0' && *p != '\n'; p++) {

        if (*p == '"') {
            quoted = !quoted;

            if (quoted && secret) {
                *q++ = '.';
                *q++ = '.';
            }
        }

        if (!quoted || !secret) {
            if (*p != '"' || !secret) {
                *q++ = *p;
            }
        }
    }

    *q = '\0';

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid connection string of \"prompt_postgres\": %s; "
                       "write for example " NGX_HTTP_PROMPT_POSTGRES_EXAMPLE
                       ", or a URI", error);
}


/*
 * host, hostaddr and port are lists of one length (or a single port), of
 * which either of the first two may be missing.
 */
static ngx_int_t
ngx_http_prompt_postgres_hosts(ngx_conf_t *cf,
    ngx_http_prompt_postgres_conf_t *conf,
    ngx_http_prompt_postgres_lists_t *lists)
{
    ngx_int_t     port;
    ngx_str_t    *host, *hostaddr, *ports;
    ngx_uint_t    i, n;
    const char   *number;
    ngx_array_t  *names, *addrs, *numbers, *hosts;

    names = ngx_http_prompt_postgres_split(cf, lists->host);
    addrs = ngx_http_prompt_postgres_split(cf, lists->hostaddr);
    numbers = ngx_http_prompt_postgres_split(cf, lists->port);
    hosts = ngx_array_create(cf->pool, 2,
                             sizeof(ngx_http_prompt_postgres_host_t));

    if (names == NULL || addrs == NULL || numbers == NULL || hosts == NULL) {
        return NGX_ERROR;
    }

    n = ngx_max(names->nelts, addrs->nelts);
    n = ngx_max(n, 1);

    if ((names->nelts != 0 && names->nelts != n)
        || (addrs->nelts != 0 && addrs->nelts != n)
        || (numbers->nelts > 1 && numbers->nelts != n))
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid connection string of \"prompt_postgres\":"
                           " hosts, addresses and ports differ in number; "
                           "write one port, or as many as hosts");
        return NGX_ERROR;
    }

    host = names->elts;
    hostaddr = addrs->elts;
    ports = numbers->elts;

    for (i = 0; i < numbers->nelts; i++) {
        port = ngx_atoi(ports[i].data, ports[i].len);

        if (ports[i].len != 0 && (port < 1 || port > 65535)) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "invalid port \"%V\" in the connection string "
                               "of \"prompt_postgres\": write a number from "
                               "1 to 65535, such as \"port=5432\"",
                               &ports[i]);
            return NGX_ERROR;
        }
    }

    for (i = 0; i < n; i++) {

        number = "";

        if (numbers->nelts != 0) {
            number = (char *) ports[numbers->nelts == 1 ? 0 : i].data;
        }

        if (addrs->nelts != 0 && hostaddr[i].len != 0) {

            if (!ngx_http_prompt_postgres_numeric(&hostaddr[i])) {
                ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                                   "invalid address \"%V\" in the connection "
                                   "string of \"prompt_postgres\": write "
                                   "numbers, such as \"hostaddr=10.0.0.5\", or "
                                   "a name in \"host\"", &hostaddr[i]);
                return NGX_ERROR;
            }

            if (ngx_http_prompt_postgres_host(hosts,
                           names->nelts != 0 ? (char *) host[i].data : "",
                           (char *) hostaddr[i].data, number)
                != NGX_OK)
            {
                return NGX_ERROR;
            }

            continue;
        }

        if (names->nelts == 0 || host[i].len == 0
            || host[i].data[0] == '/' || host[i].data[0] == '@')
        {
            if (ngx_http_prompt_postgres_host(hosts,
                           names->nelts != 0 ? (char *) host[i].data : "",
                           "", number)
                != NGX_OK)
            {
                return NGX_ERROR;
            }

            continue;
        }

        if (ngx_http_prompt_postgres_resolve(cf, hosts, &host[i], number)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    conf->hosts = hosts->elts;
    conf->nhosts = hosts->nelts;

    return NGX_OK;
}


/* as libpq will read it, a zone in it included */

static ngx_uint_t
ngx_http_prompt_postgres_numeric(ngx_str_t *addr)
{
    struct addrinfo  hints, *res;

    ngx_memzero(&hints, sizeof(struct addrinfo));
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICHOST;

    if (getaddrinfo((char *) addr->data, NULL, &hints, &res) != 0) {
        return 0;
    }

    freeaddrinfo(res);

    return 1;
}


static ngx_int_t
ngx_http_prompt_postgres_resolve(ngx_conf_t *cf, ngx_array_t *hosts,
    ngx_str_t *name, const char *port)
{
    size_t      len;
    u_char     *text;
    ngx_url_t   u;
    ngx_uint_t  i;

    ngx_memzero(&u, sizeof(ngx_url_t));

    u.url = *name;
    u.host = *name;

    if (ngx_inet_resolve_host(cf->pool, &u) != NGX_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "%s: \"%V\" in the connection string of "
                           "\"prompt_postgres\"; write a name that resolves, "
                           "or an address",
                           u.err != NULL ? u.err : "cannot resolve", name);
        return NGX_ERROR;
    }

    for (i = 0; i < u.naddrs; i++) {

        text = ngx_pnalloc(cf->pool, NGX_SOCKADDR_STRLEN + 1);
        if (text == NULL) {
            return NGX_ERROR;
        }

        len = ngx_sock_ntop(u.addrs[i].sockaddr, u.addrs[i].socklen, text,
                            NGX_SOCKADDR_STRLEN, 0);
        text[len] = '\0';

        if (ngx_http_prompt_postgres_host(hosts, (char *) name->data,
                                          (char *) text, port)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_postgres_host(ngx_array_t *hosts, const char *host,
    const char *hostaddr, const char *port)
{
    ngx_http_prompt_postgres_host_t  *h;

    h = ngx_array_push(hosts);
    if (h == NULL) {
        return NGX_ERROR;
    }

    h->host = host;
    h->hostaddr = hostaddr;
    h->port = port;

    return NGX_OK;
}


/* The elements of a comma-separated list, each ending with NUL. */
static ngx_array_t *
ngx_http_prompt_postgres_split(ngx_conf_t *cf, const char *list)
{
    size_t        len;
    ngx_str_t    *s;
    ngx_array_t  *a;

    a = ngx_array_create(cf->pool, 2, sizeof(ngx_str_t));
    if (a == NULL || list == NULL) {
        return a;
    }

    for ( ;; ) {
        len = strcspn(list, ",");

        s = ngx_array_push(a);
        if (s == NULL) {
            return NULL;
        }

        s->data = ngx_pnalloc(cf->pool, len + 1);
        if (s->data == NULL) {
            return NULL;
        }

        ngx_memcpy(s->data, list, len);
        s->data[len] = '\0';
        s->len = len;

        if (list[len] == '\0') {
            return a;
        }

        list += len + 1;
    }
}
