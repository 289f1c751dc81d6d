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


typedef struct {
    const char   *name;
    ngx_uint_t   *value;
} ngx_http_prompt_limit_t;


static ngx_int_t ngx_http_prompt_conf_seconds(ngx_conf_t *cf, ngx_str_t *arg,
    size_t skip, time_t *value);
static ngx_uint_t ngx_http_prompt_conf_named(ngx_str_t *arg, const char *name,
    ngx_str_t *value);
static char *ngx_http_prompt_conf_price(ngx_conf_t *cf, ngx_str_t *arg,
    ngx_str_t *value, prompt_price_t *price);
static char *ngx_http_prompt_conf_model_prices(ngx_conf_t *cf,
    ngx_http_prompt_model_conf_t *model, ngx_uint_t seen);
static ngx_http_prompt_provider_conf_t *ngx_http_prompt_conf_find_provider(
    ngx_http_prompt_main_conf_t *pmcf, ngx_str_t *name);


#define NGX_HTTP_PROMPT_PRICE_INPUT   0x1
#define NGX_HTTP_PROMPT_PRICE_OUTPUT  0x2
#define NGX_HTTP_PROMPT_PRICE_CACHED  0x4


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

    ngx_str_t   *arg, value;
    ngx_uint_t   i;

    (void) cmd;

    if (pmcf->key_valid != NGX_CONF_UNSET
        || pmcf->key_unknown != NGX_CONF_UNSET)
    {
        return "is duplicate";
    }

    arg = cf->args->elts;

    for (i = 1; i < cf->args->nelts; i++) {

        if (ngx_http_prompt_conf_named(&arg[i], "valid=", &value)) {

            if (ngx_http_prompt_conf_seconds(cf, &arg[i], sizeof("valid=") - 1,
                                             &pmcf->key_valid)
                != NGX_OK)
            {
                return NGX_CONF_ERROR;
            }

            if (pmcf->key_valid > NGX_HTTP_PROMPT_KEY_MAX_VALID) {
                ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                                   "\"%V\" is too long: a deleted key must be "
                                   "refused everywhere within 60s, so write at "
                                   "most \"valid=60s\"", &arg[i]);
                return NGX_CONF_ERROR;
            }

            continue;
        }

        if (ngx_http_prompt_conf_named(&arg[i], "unknown=", &value)) {

            if (ngx_http_prompt_conf_seconds(cf, &arg[i],
                                             sizeof("unknown=") - 1,
                                             &pmcf->key_unknown)
                != NGX_OK)
            {
                return NGX_CONF_ERROR;
            }

            if (pmcf->key_unknown > NGX_HTTP_PROMPT_KEY_MAX_VALID) {
                ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                                   "\"%V\" is too long: write at most "
                                   "\"unknown=60s\"", &arg[i]);
                return NGX_CONF_ERROR;
            }

            continue;
        }

        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid parameter \"%V\": prompt_key_cache takes "
                           "\"valid=TIME\" and \"unknown=TIME\"", &arg[i]);
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


char *
ngx_http_prompt_conf_provider(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    u_char                           *p;
    ngx_str_t                        *arg, value;
    ngx_int_t                         timeout;
    ngx_uint_t                        i;
    ngx_http_prompt_provider_conf_t  *provider;

    (void) cmd;

    arg = cf->args->elts;

    if (arg[1].len == 0) {
        return "has an empty name";
    }

    if (ngx_http_prompt_conf_find_provider(pmcf, &arg[1]) != NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "duplicate provider \"%V\"", &arg[1]);
        return NGX_CONF_ERROR;
    }

    if (arg[2].len == 0 || arg[2].data[0] != '/') {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" is not the URI of a location: write the "
                           "internal location that proxies to the provider, "
                           "such as \"/_provider/%V\"", &arg[2], &arg[1]);
        return NGX_CONF_ERROR;
    }

    provider = ngx_array_push(&pmcf->providers);
    if (provider == NULL) {
        return NGX_CONF_ERROR;
    }

    ngx_memzero(provider, sizeof(ngx_http_prompt_provider_conf_t));

    provider->name = arg[1];
    provider->uri = arg[2];
    provider->format = PROMPT_PROVIDER_OPENAI;
    provider->timeout = NGX_HTTP_PROMPT_PROVIDER_TIMEOUT;

    p = ngx_strlchr(provider->uri.data, provider->uri.data + provider->uri.len,
                    '?');
    if (p != NULL) {
        provider->args.data = p + 1;
        provider->args.len = provider->uri.data + provider->uri.len - p - 1;
        provider->uri.len = p - provider->uri.data;
    }

    for (i = 3; i < cf->args->nelts; i++) {

        if (ngx_http_prompt_conf_named(&arg[i], "format=", &value)) {

            if (value.len == sizeof("openai") - 1
                && ngx_strncmp(value.data, "openai", value.len) == 0)
            {
                provider->format = PROMPT_PROVIDER_OPENAI;
                continue;
            }

            if (value.len == sizeof("anthropic") - 1
                && ngx_strncmp(value.data, "anthropic", value.len) == 0)
            {
                provider->format = PROMPT_PROVIDER_ANTHROPIC;
                continue;
            }

            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "unknown format \"%V\": write "
                               "\"format=openai\" or \"format=anthropic\"",
                               &value);
            return NGX_CONF_ERROR;
        }

        if (ngx_http_prompt_conf_named(&arg[i], "timeout=", &value)) {

            timeout = ngx_parse_time(&value, 0);

            if (timeout == NGX_ERROR || timeout == 0
                || timeout > NGX_HTTP_PROMPT_PROVIDER_MAX_TIMEOUT)
            {
                ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                                   "invalid time \"%V\": write a time from "
                                   "\"timeout=1ms\" to \"timeout=1h\"",
                                   &value);
                return NGX_CONF_ERROR;
            }

            provider->timeout = (ngx_msec_t) timeout;
            continue;
        }

        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid parameter \"%V\": prompt_provider takes "
                           "\"format=openai|anthropic\" and \"timeout=TIME\"",
                           &arg[i]);
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


char *
ngx_http_prompt_conf_model(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    char                          *rv;
    ngx_str_t                     *arg, value;
    ngx_uint_t                     i, seen;
    ngx_http_prompt_model_conf_t  *model, *other;

    (void) cmd;

    arg = cf->args->elts;

    if (arg[1].len == 0) {
        return "has an empty name";
    }

    model = ngx_array_push(&pmcf->models);
    if (model == NULL) {
        return NGX_CONF_ERROR;
    }

    ngx_memzero(model, sizeof(ngx_http_prompt_model_conf_t));

    model->pattern = arg[1];
    model->file = cf->conf_file->file.name;
    model->line = cf->conf_file->line;

    if (model->pattern.data[model->pattern.len - 1] == '*') {
        model->pattern.len--;
        model->prefix = 1;
    }

    if (ngx_strlchr(model->pattern.data,
                    model->pattern.data + model->pattern.len, '*')
        != NULL)
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid pattern \"%V\": a \"*\" can only stand at "
                           "the end", &arg[1]);
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
                               "duplicate model \"%V\"", &arg[1]);
            return NGX_CONF_ERROR;
        }
    }

    seen = 0;

    for (i = 2; i < cf->args->nelts; i++) {

        if (ngx_http_prompt_conf_named(&arg[i], "provider=", &value)) {
            model->provider_name = value;
            continue;
        }

        if (ngx_http_prompt_conf_named(&arg[i], "max_tokens_as=", &value)) {

            if (value.len == 0) {
                ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                                   "\"%V\" names no parameter: write for "
                                   "example \"max_tokens_as="
                                   "max_completion_tokens\"", &arg[i]);
                return NGX_CONF_ERROR;
            }

            model->max_tokens_as = prompt_str_of((char *) value.data,
                                                 value.len);
            continue;
        }

        if (ngx_http_prompt_conf_named(&arg[i], "input=", &value)) {
            seen |= NGX_HTTP_PROMPT_PRICE_INPUT;
            rv = ngx_http_prompt_conf_price(cf, &arg[i], &value,
                                            &model->prices.input);

        } else if (ngx_http_prompt_conf_named(&arg[i], "output=", &value)) {
            seen |= NGX_HTTP_PROMPT_PRICE_OUTPUT;
            rv = ngx_http_prompt_conf_price(cf, &arg[i], &value,
                                            &model->prices.output);

        } else if (ngx_http_prompt_conf_named(&arg[i], "cached_input=",
                                              &value))
        {
            seen |= NGX_HTTP_PROMPT_PRICE_CACHED;
            rv = ngx_http_prompt_conf_price(cf, &arg[i], &value,
                                            &model->prices.cached_input);

        } else {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "invalid parameter \"%V\": prompt_model takes "
                               "\"provider=NAME\", \"input=USD\", "
                               "\"output=USD\", \"cached_input=USD\" and "
                               "\"max_tokens_as=NAME\"", &arg[i]);
            return NGX_CONF_ERROR;
        }

        if (rv != NGX_CONF_OK) {
            return rv;
        }
    }

    if (model->provider_name.len == 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "model \"%V\" has no provider: add "
                           "\"provider=NAME\" with the name of a "
                           "prompt_provider", &arg[1]);
        return NGX_CONF_ERROR;
    }

    return ngx_http_prompt_conf_model_prices(cf, model, seen);
}


static char *
ngx_http_prompt_conf_model_prices(ngx_conf_t *cf,
    ngx_http_prompt_model_conf_t *model, ngx_uint_t seen)
{
    if (seen == 0) {
        return NGX_CONF_OK;
    }

    if (!(seen & NGX_HTTP_PROMPT_PRICE_INPUT)
        || !(seen & NGX_HTTP_PROMPT_PRICE_OUTPUT))
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "model \"%V%s\" has half a price: \"input=USD\" "
                           "and \"output=USD\" go together (US dollars for a "
                           "million tokens)", &model->pattern,
                           model->prefix ? "*" : "");
        return NGX_CONF_ERROR;
    }

    if (!(seen & NGX_HTTP_PROMPT_PRICE_CACHED)) {
        model->prices.cached_input = model->prices.input;
    }

    model->priced = 1;

    return NGX_CONF_OK;
}


static char *
ngx_http_prompt_conf_price(ngx_conf_t *cf, ngx_str_t *arg, ngx_str_t *value,
    prompt_price_t *price)
{
    if (!prompt_price_parse(prompt_str_of((char *) value->data, value->len),
                            price))
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid price in \"%V\": write US dollars for a "
                           "million tokens as a plain decimal, such as "
                           "\"0.15\" (at most 9 digits before and 12 after "
                           "the point)", arg);
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


char *
ngx_http_prompt_conf_graphql(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_loc_conf_t  *plcf = conf;

    ngx_http_core_loc_conf_t     *clcf;
    ngx_http_prompt_main_conf_t  *pmcf;

    (void) cmd;

    if (plcf->graphql != NGX_CONF_UNSET) {
        return "is duplicate";
    }

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    if (clcf->handler != NULL) {
        return "conflicts with another handler of the same location";
    }

    pmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_prompt_module);

    if (pmcf->endpoints++ == 0) {
        pmcf->endpoint_file = cf->conf_file->file.name;
        pmcf->endpoint_line = cf->conf_file->line;
    }

    plcf->graphql = 1;
    clcf->handler = ngx_http_prompt_handler;

    return NGX_CONF_OK;
}


char *
ngx_http_prompt_conf_limits(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_loc_conf_t  *plcf = conf;

    ngx_int_t                 n;
    ngx_str_t                *arg, value;
    ngx_uint_t                i;
    ngx_http_prompt_limit_t  *limit;

    ngx_http_prompt_limit_t  limits[] = {
        { "tokens=", &plcf->tokens },
        { "depth=", &plcf->depth },
        { "aliases=", &plcf->aliases },
        { "root_fields=", &plcf->root_fields },
        { "mutation_fields=", &plcf->mutation_fields },
        { "directives=", &plcf->directives },
        { "complexity=", &plcf->complexity },
        { NULL, NULL }
    };

    (void) cmd;

    arg = cf->args->elts;

    for (i = 1; i < cf->args->nelts; i++) {

        for (limit = limits; limit->name != NULL; limit++) {
            if (ngx_http_prompt_conf_named(&arg[i], limit->name, &value)) {
                break;
            }
        }

        if (limit->name == NULL) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "invalid parameter \"%V\": prompt_limits takes "
                               "\"tokens=N\", \"depth=N\", \"aliases=N\", "
                               "\"root_fields=N\", \"mutation_fields=N\", "
                               "\"directives=N\" and \"complexity=N\"",
                               &arg[i]);
            return NGX_CONF_ERROR;
        }

        if (*limit->value != NGX_CONF_UNSET_UINT) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "\"%s\" is duplicate", limit->name);
            return NGX_CONF_ERROR;
        }

        n = ngx_atoi(value.data, value.len);

        if (n == NGX_ERROR || n == 0 || n > 1000000000) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "invalid limit \"%V\": write a whole number "
                               "from 1 to 1000000000", &arg[i]);
            return NGX_CONF_ERROR;
        }

        *limit->value = n;
    }

    return NGX_CONF_OK;
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
                      "block, for the location in %V:%ui", &name, &name,
                      &pmcf->endpoint_file, pmcf->endpoint_line);
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


static ngx_int_t
ngx_http_prompt_conf_seconds(ngx_conf_t *cf, ngx_str_t *arg, size_t skip,
    time_t *value)
{
    time_t     seconds;
    ngx_str_t  text;

    text.data = arg->data + skip;
    text.len = arg->len - skip;

    seconds = ngx_parse_time(&text, 1);

    /* NGX_ERROR, too */
    if (seconds < 1) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid time in \"%V\": write whole seconds, such "
                           "as \"10s\"", arg);
        return NGX_ERROR;
    }

    *value = seconds;

    return NGX_OK;
}


/* "name=value": whether arg is of that name; its value */

static ngx_uint_t
ngx_http_prompt_conf_named(ngx_str_t *arg, const char *name, ngx_str_t *value)
{
    size_t  len;

    len = ngx_strlen(name);

    if (arg->len < len || ngx_strncmp(arg->data, name, len) != 0) {
        return 0;
    }

    value->data = arg->data + len;
    value->len = arg->len - len;

    return 1;
}
