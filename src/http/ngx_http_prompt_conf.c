/*
 * The directives that take more than a value.
 *
 * Every message says what is wrong and what to write instead; nginx adds the
 * file and the line.  What refers to something else (a model to its provider)
 * is checked when all has been read, so that the order in the file does not
 * matter, and is then reported with the line where it stands.
 */

#include "http/ngx_http_prompt_conf.h"

#include "http/ngx_http_prompt_request.h"
#include "http/ngx_http_prompt_routes.h"
#include "io/ngx_http_prompt_parameters.h"
#include "prompt/params.h"


typedef struct {
    prompt_price_t  price;
    ngx_uint_t      given;
} ngx_http_prompt_given_price_t;


typedef struct {
    ngx_str_t                      provider;
    ngx_str_t                      max_tokens_as;
    ngx_http_prompt_given_price_t  input;
    ngx_http_prompt_given_price_t  output;
    ngx_http_prompt_given_price_t  cached_input;
} ngx_http_prompt_model_args_t;


static ngx_int_t ngx_http_prompt_conf_set_format(ngx_str_t *value,
    void *field, const ngx_http_prompt_parameter_t *parameter);
static ngx_int_t ngx_http_prompt_conf_set_price(ngx_str_t *value,
    void *field, const ngx_http_prompt_parameter_t *parameter);
static ngx_int_t ngx_http_prompt_conf_set_name(ngx_str_t *value,
    void *field, const ngx_http_prompt_parameter_t *parameter);
static ngx_int_t ngx_http_prompt_conf_set_limit(ngx_str_t *value,
    void *field, const ngx_http_prompt_parameter_t *parameter);
static char *ngx_http_prompt_conf_pattern(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf, ngx_http_prompt_model_conf_t *model);
static char *ngx_http_prompt_conf_model_args(ngx_conf_t *cf,
    ngx_http_prompt_model_conf_t *model, ngx_http_prompt_model_args_t *args);
static ngx_http_prompt_provider_conf_t *ngx_http_prompt_conf_find_provider(
    ngx_http_prompt_main_conf_t *pmcf, ngx_str_t *name);


#define NGX_HTTP_PROMPT_PRICE_ADVICE                                         \
    "US dollars for a million tokens as a plain decimal, at most 9 digits "  \
    "before and 12 after the point, such as "

#define NGX_HTTP_PROMPT_LIMIT_ADVICE                                         \
    "a whole number from 1 to 1000000000, such as "


static const ngx_http_prompt_parameter_t
    ngx_http_prompt_key_cache_parameters[] =
{
    { ngx_string("valid"), ngx_http_prompt_parameter_sec,
      offsetof(ngx_http_prompt_main_conf_t, key_valid),
      1, NGX_HTTP_PROMPT_KEY_MAX_VALID,
      "whole seconds from 1s to 60s, such as \"valid=10s\": a deleted key "
      "must be refused everywhere within that time" },

    { ngx_string("unknown"), ngx_http_prompt_parameter_sec,
      offsetof(ngx_http_prompt_main_conf_t, key_unknown),
      1, NGX_HTTP_PROMPT_KEY_MAX_VALID,
      "whole seconds from 1s to 60s, such as \"unknown=5s\"" },

    ngx_http_prompt_no_parameter("")
};


static const ngx_http_prompt_parameter_t
    ngx_http_prompt_provider_parameters[] =
{
    { ngx_string("format"), ngx_http_prompt_conf_set_format,
      offsetof(ngx_http_prompt_provider_conf_t, format), 0, 0,
      PROMPT_PROVIDER_ADVICE },

    { ngx_string("timeout"), ngx_http_prompt_parameter_msec,
      offsetof(ngx_http_prompt_provider_conf_t, timeout),
      1, NGX_HTTP_PROMPT_PROVIDER_MAX_TIMEOUT,
      "a time from 1ms to 1h, such as \"timeout=60s\"" },

    ngx_http_prompt_no_parameter("")
};


static const ngx_http_prompt_parameter_t  ngx_http_prompt_model_parameters[] =
{
    { ngx_string("provider"), ngx_http_prompt_parameter_text,
      offsetof(ngx_http_prompt_model_args_t, provider),
      1, NGX_MAX_INT32_VALUE, "the name of a prompt_provider, such as "
      "\"provider=openai\"" },

    { ngx_string("input"), ngx_http_prompt_conf_set_price,
      offsetof(ngx_http_prompt_model_args_t, input), 0, 0,
      NGX_HTTP_PROMPT_PRICE_ADVICE "\"input=0.15\"" },

    { ngx_string("output"), ngx_http_prompt_conf_set_price,
      offsetof(ngx_http_prompt_model_args_t, output), 0, 0,
      NGX_HTTP_PROMPT_PRICE_ADVICE "\"output=0.60\"" },

    { ngx_string("cached_input"), ngx_http_prompt_conf_set_price,
      offsetof(ngx_http_prompt_model_args_t, cached_input), 0, 0,
      NGX_HTTP_PROMPT_PRICE_ADVICE "\"cached_input=0.075\"" },

    { ngx_string("max_tokens_as"), ngx_http_prompt_conf_set_name,
      offsetof(ngx_http_prompt_model_args_t, max_tokens_as), 0, 0,
      "the provider's name of the parameter, which is none that the service "
      "sets itself, such as \"max_tokens_as=max_completion_tokens\"" },

    ngx_http_prompt_no_parameter("")
};


static const ngx_http_prompt_parameter_t  ngx_http_prompt_limits_parameters[] =
{
    { ngx_string("tokens"), ngx_http_prompt_conf_set_limit,
      offsetof(ngx_http_prompt_loc_conf_t, tokens), 1, 1000000000,
      NGX_HTTP_PROMPT_LIMIT_ADVICE "\"tokens=10000\"" },

    { ngx_string("depth"), ngx_http_prompt_conf_set_limit,
      offsetof(ngx_http_prompt_loc_conf_t, depth), 1, 1000000000,
      NGX_HTTP_PROMPT_LIMIT_ADVICE "\"depth=20\"" },

    { ngx_string("aliases"), ngx_http_prompt_conf_set_limit,
      offsetof(ngx_http_prompt_loc_conf_t, aliases), 1, 1000000000,
      NGX_HTTP_PROMPT_LIMIT_ADVICE "\"aliases=30\"" },

    { ngx_string("root_fields"), ngx_http_prompt_conf_set_limit,
      offsetof(ngx_http_prompt_loc_conf_t, root_fields), 1, 1000000000,
      NGX_HTTP_PROMPT_LIMIT_ADVICE "\"root_fields=15\"" },

    { ngx_string("mutation_fields"), ngx_http_prompt_conf_set_limit,
      offsetof(ngx_http_prompt_loc_conf_t, mutation_fields), 1, 1000000000,
      NGX_HTTP_PROMPT_LIMIT_ADVICE "\"mutation_fields=5\"" },

    { ngx_string("directives"), ngx_http_prompt_conf_set_limit,
      offsetof(ngx_http_prompt_loc_conf_t, directives), 1, 1000000000,
      NGX_HTTP_PROMPT_LIMIT_ADVICE "\"directives=100\"" },

    { ngx_string("complexity"), ngx_http_prompt_conf_set_limit,
      offsetof(ngx_http_prompt_loc_conf_t, complexity), 1, 1000000000,
      NGX_HTTP_PROMPT_LIMIT_ADVICE "\"complexity=250000\"" },

    ngx_http_prompt_no_parameter("")
};


char *
ngx_http_prompt_conf_postgres(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    (void) cmd;

    if (pmcf->postgres.connections != 0) {
        return "is duplicate";
    }

    return ngx_http_prompt_postgres_conf(cf, &pmcf->postgres);
}


char *
ngx_http_prompt_conf_redis(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    (void) cmd;

    if (pmcf->redis.addrs != NULL) {
        return "is duplicate";
    }

    return ngx_http_prompt_redis_conf(cf, &pmcf->redis);
}


char *
ngx_http_prompt_conf_key_cache(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    (void) cmd;

    if (pmcf->key_valid != NGX_CONF_UNSET
        || pmcf->key_unknown != NGX_CONF_UNSET)
    {
        return "is duplicate";
    }

    return ngx_http_prompt_parameters(cf, 1,
                                      ngx_http_prompt_key_cache_parameters,
                                      pmcf)
           == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}


char *
ngx_http_prompt_conf_provider(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    u_char                           *p;
    ngx_str_t                        *arg;
    ngx_http_prompt_provider_conf_t  *provider;

    (void) cmd;

    arg = cf->args->elts;

    if (arg[1].len == 0) {
        return "has an empty name";
    }

    if (ngx_http_prompt_conf_find_provider(pmcf, &arg[1]) != NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "duplicate provider \"%V\" of \"prompt_provider\": "
                           "give it another name", &arg[1]);
        return NGX_CONF_ERROR;
    }

    if (arg[2].len == 0 || arg[2].data[0] != '/') {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" of \"prompt_provider\" is not the URI of a "
                           "location: write the name, then the internal "
                           "location that proxies to the provider, such as "
                           "\"/_provider/openai\"", &arg[2]);
        return NGX_CONF_ERROR;
    }

    provider = ngx_array_push(&pmcf->providers);
    if (provider == NULL) {
        return NGX_CONF_ERROR;
    }

    ngx_memzero(provider, sizeof(ngx_http_prompt_provider_conf_t));

    provider->name = arg[1];
    provider->uri = arg[2];
    provider->format = &prompt_provider_openai;
    provider->timeout = NGX_HTTP_PROMPT_PROVIDER_TIMEOUT;
    provider->file = cf->conf_file->file.name;
    provider->line = cf->conf_file->line;

    p = ngx_strlchr(provider->uri.data, provider->uri.data + provider->uri.len,
                    '?');
    if (p != NULL) {
        provider->args.data = p + 1;
        provider->args.len = provider->uri.data + provider->uri.len - p - 1;
        provider->uri.len = p - provider->uri.data;
    }

    return ngx_http_prompt_parameters(cf, 3,
                                      ngx_http_prompt_provider_parameters,
                                      provider)
           == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}


static ngx_int_t
ngx_http_prompt_conf_set_format(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    const prompt_provider_format_t  **format = field;

    (void) parameter;

    *format = prompt_provider_format(prompt_str_of((char *) value->data,
                                                   value->len));

    return *format != NULL ? NGX_OK : NGX_ERROR;
}


char *
ngx_http_prompt_conf_model(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    ngx_http_prompt_model_args_t   args;
    ngx_http_prompt_model_conf_t  *model;

    (void) cmd;

    model = ngx_array_push(&pmcf->models);
    if (model == NULL) {
        return NGX_CONF_ERROR;
    }

    ngx_memzero(model, sizeof(ngx_http_prompt_model_conf_t));
    ngx_memzero(&args, sizeof(ngx_http_prompt_model_args_t));

    model->file = cf->conf_file->file.name;
    model->line = cf->conf_file->line;

    if (ngx_http_prompt_conf_pattern(cf, pmcf, model) != NGX_CONF_OK
        || ngx_http_prompt_parameters(cf, 2, ngx_http_prompt_model_parameters,
                                      &args)
           != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    return ngx_http_prompt_conf_model_args(cf, model, &args);
}


/* model is the last of all models */

static char *
ngx_http_prompt_conf_pattern(ngx_conf_t *cf, ngx_http_prompt_main_conf_t *pmcf,
    ngx_http_prompt_model_conf_t *model)
{
    ngx_str_t                     *arg;
    ngx_uint_t                     i;
    ngx_http_prompt_model_conf_t  *other;

    arg = cf->args->elts;

    model->pattern = arg[1];

    if (arg[1].len == 0 || ngx_strncmp(arg[1].data, "provider=", 9) == 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"prompt_model\" names no model: write it first, "
                           "such as \"gpt-4o-mini\" or \"gpt-*\"");
        return NGX_CONF_ERROR;
    }

    if (model->pattern.data[model->pattern.len - 1] == '*') {
        model->pattern.len--;
        model->prefix = 1;
    }

    if (ngx_strlchr(model->pattern.data,
                    model->pattern.data + model->pattern.len, '*')
        != NULL)
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid pattern \"%V\" of \"prompt_model\": a "
                           "\"*\" can only stand at the end, such as "
                           "\"gpt-*\"", &arg[1]);
        return NGX_CONF_ERROR;
    }

    other = pmcf->models.elts;

    for (i = 0; i < pmcf->models.nelts - 1; i++) {

        if (other[i].prefix == model->prefix
            && other[i].pattern.len == model->pattern.len
            && ngx_strncmp(other[i].pattern.data, model->pattern.data,
                           model->pattern.len)
               == 0)
        {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "duplicate model \"%V\" of \"prompt_model\": "
                               "the other one stands in %V:%ui", &arg[1],
                               &other[i].file, other[i].line);
            return NGX_CONF_ERROR;
        }
    }

    return NGX_CONF_OK;
}


static char *
ngx_http_prompt_conf_model_args(ngx_conf_t *cf,
    ngx_http_prompt_model_conf_t *model, ngx_http_prompt_model_args_t *args)
{
    ngx_str_t  *arg;

    arg = cf->args->elts;

    if (args->provider.len == 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "model \"%V\" of \"prompt_model\" has no provider:"
                           " add \"provider=NAME\" with the name of a "
                           "prompt_provider", &arg[1]);
        return NGX_CONF_ERROR;
    }

    model->provider_name = args->provider;

    if (args->max_tokens_as.len != 0) {
        model->max_tokens_as =
            prompt_str_of((char *) args->max_tokens_as.data,
                          args->max_tokens_as.len);
    }

    if (!args->input.given && !args->output.given && !args->cached_input.given)
    {
        return NGX_CONF_OK;
    }

    if (!args->input.given || !args->output.given) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "model \"%V\" of \"prompt_model\" has half a "
                           "price: \"input=USD\" and \"output=USD\" go "
                           "together (US dollars for a million tokens)",
                           &arg[1]);
        return NGX_CONF_ERROR;
    }

    model->prices.input = args->input.price;
    model->prices.output = args->output.price;
    model->prices.cached_input = args->cached_input.given
                                 ? args->cached_input.price
                                 : args->input.price;
    model->priced = 1;

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_http_prompt_conf_set_price(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    ngx_http_prompt_given_price_t  *given = field;

    (void) parameter;

    if (!prompt_price_parse(prompt_str_of((char *) value->data, value->len),
                            &given->price))
    {
        return NGX_ERROR;
    }

    given->given = 1;

    return NGX_OK;
}


/* what the service sends itself would come twice */

static ngx_int_t
ngx_http_prompt_conf_set_name(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    ngx_str_t  *name = field;

    (void) parameter;

    if (value->len == 0
        || prompt_params_taken(prompt_str_of((char *) value->data,
                                             value->len)))
    {
        return NGX_ERROR;
    }

    *name = *value;

    return NGX_OK;
}


char *
ngx_http_prompt_conf_default_model(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    ngx_str_t  *arg;

    (void) cmd;

    if (pmcf->default_model.data != NULL) {
        return "is duplicate";
    }

    arg = cf->args->elts;

    if (arg[1].len == 0 || ngx_strchr(arg[1].data, '*') != NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" of \"prompt_default_model\" is no model: "
                           "write the whole name of one, such as "
                           "\"gpt-4o-mini\"", &arg[1]);
        return NGX_CONF_ERROR;
    }

    pmcf->default_model = arg[1];
    pmcf->default_model_file = cf->conf_file->file.name;
    pmcf->default_model_line = cf->conf_file->line;

    return NGX_CONF_OK;
}


char *
ngx_http_prompt_conf_graphql(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_loc_conf_t  *plcf = conf;

    char                         *rv;
    ngx_http_prompt_main_conf_t  *pmcf;

    (void) cmd;

    rv = ngx_http_prompt_conf_handler(cf, plcf, ngx_http_prompt_handler);
    if (rv != NGX_CONF_OK) {
        return rv;
    }

    pmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_prompt_module);

    if (pmcf->endpoints++ == 0) {
        pmcf->endpoint_file = plcf->file;
        pmcf->endpoint_line = plcf->line;
    }

    plcf->graphql = 1;

    return ngx_http_prompt_routes_expect(cf, pmcf);
}


char *
ngx_http_prompt_conf_limits(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    (void) cmd;

    return ngx_http_prompt_parameters(cf, 1, ngx_http_prompt_limits_parameters,
                                      conf)
           == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}


/* several directives of one level may name different limits */

static ngx_int_t
ngx_http_prompt_conf_set_limit(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    ngx_uint_t  *limit = field;

    if (*limit != NGX_CONF_UNSET_UINT) {
        return NGX_BUSY;
    }

    return ngx_http_prompt_parameter_number(value, field, parameter);
}


char *
ngx_http_prompt_conf_check(ngx_conf_t *cf, ngx_http_prompt_main_conf_t *pmcf)
{
    ngx_str_t                      name;
    ngx_uint_t                     i;
    ngx_http_prompt_model_conf_t  *model;

    model = pmcf->models.elts;

    for (i = 0; i < pmcf->models.nelts; i++) {

        model[i].provider =
            ngx_http_prompt_conf_find_provider(pmcf, &model[i].provider_name);

        if (model[i].provider == NULL) {
            ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                          "unknown provider \"%V\" of model \"%V%s\": declare "
                          "it with \"prompt_provider %V /URI;\" in %V:%ui",
                          &model[i].provider_name, &model[i].pattern,
                          model[i].prefix ? "*" : "",
                          &model[i].provider_name, &model[i].file,
                          model[i].line);
            return NGX_CONF_ERROR;
        }
    }

    if (pmcf->endpoints == 0) {
        return NGX_CONF_OK;
    }

    if (pmcf->postgres.connections == 0) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                      "\"prompt_graphql\" needs a database: add "
                      "\"prompt_postgres CONNINFO;\" to the http block, for "
                      "the location in %V:%ui", &pmcf->endpoint_file,
                      pmcf->endpoint_line);
        return NGX_CONF_ERROR;
    }

    name = pmcf->default_model;

    if (name.len != 0
        && ngx_http_prompt_find_model(pmcf,
                               prompt_str_of((char *) name.data, name.len))
           == NULL)
    {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                      "prompt_default_model \"%V\" is served by no provider: "
                      "add \"prompt_model %V provider=NAME;\" to the http "
                      "block, or name a model that is there, in %V:%ui", &name,
                      &name, &pmcf->default_model_file,
                      pmcf->default_model_line);
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


static ngx_http_prompt_provider_conf_t *
ngx_http_prompt_conf_find_provider(ngx_http_prompt_main_conf_t *pmcf,
    ngx_str_t *name)
{
    ngx_uint_t                        i;
    ngx_http_prompt_provider_conf_t  *provider;

    provider = pmcf->providers.elts;

    for (i = 0; i < pmcf->providers.nelts; i++) {

        if (provider[i].name.len == name->len
            && ngx_strncmp(provider[i].name.data, name->data, name->len) == 0)
        {
            return &provider[i];
        }
    }

    return NULL;
}
