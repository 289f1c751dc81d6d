/*
 * The directives prompt_provider, prompt_model and prompt_default_model, and
 * which model a version runs on.
 */

#include "conf/ngx_http_prompt_conf.h"
#include "prompt/params.h"


static char *ngx_http_prompt_conf_provider_uri(ngx_conf_t *cf,
    ngx_http_prompt_provider_conf_t *provider, ngx_str_t *uri);
static ngx_int_t ngx_http_prompt_conf_set_format(ngx_str_t *value,
    void *field, const ngx_http_prompt_parameter_t *parameter);
static char *ngx_http_prompt_conf_pattern(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf, ngx_http_prompt_model_conf_t *model);
static char *ngx_http_prompt_conf_prices(ngx_conf_t *cf,
    ngx_http_prompt_model_conf_t *model);
static ngx_uint_t ngx_http_prompt_conf_any_price(
    const prompt_prices_t *prices);
static ngx_int_t ngx_http_prompt_conf_set_price(ngx_str_t *value,
    void *field, const ngx_http_prompt_parameter_t *parameter);
static ngx_int_t ngx_http_prompt_conf_set_name(ngx_str_t *value,
    void *field, const ngx_http_prompt_parameter_t *parameter);
static ngx_int_t ngx_http_prompt_conf_set_names(ngx_str_t *value,
    void *field, const ngx_http_prompt_parameter_t *parameter);
static ngx_http_prompt_provider_conf_t *ngx_http_prompt_conf_find_provider(
    ngx_http_prompt_main_conf_t *pmcf, ngx_str_t *name);


static const ngx_http_prompt_kind_t  ngx_http_prompt_conf_format = {
    ngx_http_prompt_conf_set_format, NULL, "the name of a format", 0, 0
};

static const ngx_http_prompt_kind_t  ngx_http_prompt_conf_price = {
    ngx_http_prompt_conf_set_price, NULL, "a price", 0, 0
};

static const ngx_http_prompt_kind_t  ngx_http_prompt_conf_name = {
    ngx_http_prompt_conf_set_name, NULL, "a name", 0, 0
};

static const ngx_http_prompt_kind_t  ngx_http_prompt_conf_names = {
    ngx_http_prompt_conf_set_names, NULL, "names with commas between them", 0, 0
};


static const ngx_http_prompt_parameter_t
    ngx_http_prompt_provider_parameters[] =
{
    { ngx_string("format"), &ngx_http_prompt_conf_format,
      offsetof(ngx_http_prompt_provider_conf_t, format),
      "openai", NULL, NULL, PROMPT_PROVIDER_ADVICE },

    { ngx_string("timeout"), &ngx_http_prompt_msec,
      offsetof(ngx_http_prompt_provider_conf_t, timeout),
      "60s", "1ms", "1h", NULL },

    { ngx_string("retries"), &ngx_http_prompt_number,
      offsetof(ngx_http_prompt_provider_conf_t, retries),
      "0", "0", "5", NULL },

    { ngx_string("max_answer"), &ngx_http_prompt_size,
      offsetof(ngx_http_prompt_provider_conf_t, max_answer),
      "8m", "1k", "16m", NULL },

    { ngx_string("allow"), &ngx_http_prompt_conf_names,
      offsetof(ngx_http_prompt_provider_conf_t, allow), NULL, NULL, NULL,
      "params that the provider is sent beside those of its format, not ones "
      "that the service sets itself, such as \"allow=top_k,min_p\"" },

    { ngx_string("max_tokens"), &ngx_http_prompt_number,
      offsetof(ngx_http_prompt_provider_conf_t, max_tokens),
      NULL, "1", "2147483647", NULL },

    { ngx_string("error_text"), &ngx_http_prompt_flag,
      offsetof(ngx_http_prompt_provider_conf_t, error_text),
      "on", NULL, NULL, "\"error_text=on\" or \"error_text=off\"" },

    ngx_http_prompt_no_parameter("")
};


#define price(name, member, example)                                         \
    { ngx_string(name), &ngx_http_prompt_conf_price,                         \
      offsetof(ngx_http_prompt_model_conf_t, member), NULL, NULL, NULL,      \
      "US dollars per million tokens as a plain decimal, at most 9 digits "  \
      "before and 12 after the point, such as \"" name "=" example "\"" }

static const ngx_http_prompt_parameter_t  ngx_http_prompt_model_parameters[] =
{
    { ngx_string("provider"), &ngx_http_prompt_text,
      offsetof(ngx_http_prompt_model_conf_t, provider_name), NULL, "1", NULL,
      "the name of a prompt_provider, such as \"provider=openai\"" },

    price("input", prices.input, "0.15"),
    price("output", prices.output, "0.60"),
    price("cached_input", prices.cached_input, "0.075"),
    price("cache_write", prices.cache_write, "3.75"),
    price("cache_write_1h", prices.cache_write_1h, "6"),

    { ngx_string("long_from"), &ngx_http_prompt_number,
      offsetof(ngx_http_prompt_model_conf_t, long_from),
      NULL, "1", "2147483647", "tokens of input from 1 to 2147483647, from "
      "which on the long prices count, such as \"long_from=200001\"" },

    price("long_input", long_prices.input, "6"),
    price("long_output", long_prices.output, "22.50"),
    price("long_cached_input", long_prices.cached_input, "0.60"),

    { ngx_string("max_tokens_as"), &ngx_http_prompt_conf_name,
      offsetof(ngx_http_prompt_model_conf_t, max_tokens_as), NULL, NULL, NULL,
      "the provider's name for the parameter, not one that the service sets "
      "itself, such as \"max_tokens_as=max_completion_tokens\"" },

    ngx_http_prompt_no_parameter("")
};


char *
ngx_http_prompt_conf_provider(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    ngx_str_t                        *arg;
    ngx_http_prompt_provider_conf_t  *provider;

    arg = cf->args->elts;

    if (arg[1].len == 0) {
        return "has an empty name: write one, such as \"openai\", then the "
               "internal location that proxies to the provider";
    }

    if (ngx_http_prompt_conf_find_provider(pmcf, &arg[1]) != NULL) {
        return ngx_http_prompt_conf_wrong(cf,
                   "duplicate provider \"%V\" of \"prompt_provider\": give it "
                   "another name", &arg[1]);
    }

    provider = ngx_array_push(&pmcf->providers);
    if (provider == NULL) {
        return NGX_CONF_ERROR;
    }

    ngx_memzero(provider, sizeof(ngx_http_prompt_provider_conf_t));

    provider->name = arg[1];
    provider->file = cf->conf_file->file.name;
    provider->line = cf->conf_file->line;

    ngx_http_prompt_parameters_default(ngx_http_prompt_provider_parameters,
                                       provider);

    if (ngx_http_prompt_conf_provider_uri(cf, provider, &arg[2]) != NGX_CONF_OK
        || ngx_http_prompt_parameters(cf, 3,
                                      ngx_http_prompt_provider_parameters,
                                      provider)
           != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


static char *
ngx_http_prompt_conf_provider_uri(ngx_conf_t *cf,
    ngx_http_prompt_provider_conf_t *provider, ngx_str_t *uri)
{
    u_char  *p;

    if (uri->len == 0 || uri->data[0] != '/') {
        return ngx_http_prompt_conf_wrong(cf,
                   "\"%V\" of \"prompt_provider\" is not the URI of a "
                   "location: write the name, then the internal location that "
                   "proxies to the provider, such as \"/_provider/openai\"",
                   uri);
    }

    provider->uri = *uri;

    p = ngx_strlchr(uri->data, uri->data + uri->len, '?');

    if (p != NULL) {
        provider->args.data = p + 1;
        provider->args.len = uri->data + uri->len - p - 1;
        provider->uri.len = p - uri->data;
    }

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_http_prompt_conf_set_format(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    const prompt_provider_format_t  **format = field;

    *format = prompt_provider_format(ngx_http_prompt_str(value));

    return *format != NULL ? NGX_OK : NGX_ERROR;
}


char *
ngx_http_prompt_conf_model(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    ngx_http_prompt_model_conf_t  *model;

    model = ngx_array_push(&pmcf->models);
    if (model == NULL) {
        return NGX_CONF_ERROR;
    }

    ngx_memzero(model, sizeof(ngx_http_prompt_model_conf_t));

    model->file = cf->conf_file->file.name;
    model->line = cf->conf_file->line;

    /* prompt_price_given(): none is */

    ngx_memset(&model->prices, 0xff, sizeof(prompt_prices_t));
    ngx_memset(&model->long_prices, 0xff, sizeof(prompt_prices_t));

    if (ngx_http_prompt_conf_pattern(cf, pmcf, model) != NGX_CONF_OK
        || ngx_http_prompt_parameters(cf, 2, ngx_http_prompt_model_parameters,
                                      model)
           != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    if (model->provider_name.len == 0) {
        return ngx_http_prompt_conf_wrong(cf,
                   "model \"%V%s\" of \"prompt_model\" has no provider: add "
                   "\"provider=NAME\" with the name of a prompt_provider",
                   &model->pattern, model->prefix ? "*" : "");
    }

    return ngx_http_prompt_conf_prices(cf, model);
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
        return ngx_http_prompt_conf_wrong(cf,
                   "\"prompt_model\" names no model: write it first, such as "
                   "\"gpt-4o-mini\" or \"gpt-*\"");
    }

    if (model->pattern.data[model->pattern.len - 1] == '*') {
        model->pattern.len--;
        model->prefix = 1;
    }

    if (ngx_strlchr(model->pattern.data,
                    model->pattern.data + model->pattern.len, '*')
        != NULL)
    {
        return ngx_http_prompt_conf_wrong(cf,
                   "invalid pattern \"%V\" of \"prompt_model\": a \"*\" can "
                   "only stand at the end, such as \"gpt-*\"", &arg[1]);
    }

    other = pmcf->models.elts;

    for (i = 0; i < pmcf->models.nelts - 1; i++) {

        if (other[i].prefix == model->prefix
            && other[i].pattern.len == model->pattern.len
            && ngx_strncmp(other[i].pattern.data, model->pattern.data,
                           model->pattern.len)
               == 0)
        {
            return ngx_http_prompt_conf_wrong(cf,
                       "duplicate model \"%V\" of \"prompt_model\": the other "
                       "one is in %V:%ui", &arg[1], &other[i].file,
                       other[i].line);
        }
    }

    return NGX_CONF_OK;
}


/* Input and output go together, and all others with them. */
static char *
ngx_http_prompt_conf_prices(ngx_conf_t *cf,
    ngx_http_prompt_model_conf_t *model)
{
    ngx_uint_t        any;
    prompt_prices_t  *prices, *longer;

    prices = &model->prices;
    longer = &model->long_prices;

    model->priced = prompt_price_given(&prices->input)
                    && prompt_price_given(&prices->output);

    any = model->long_from != 0 || ngx_http_prompt_conf_any_price(longer);

    if (!model->priced && (any || ngx_http_prompt_conf_any_price(prices))) {
        return ngx_http_prompt_conf_wrong(cf,
                   "model \"%V%s\" of \"prompt_model\" has half a price: "
                   "\"input=USD\" and \"output=USD\" go together (US dollars "
                   "for a million tokens)", &model->pattern,
                   model->prefix ? "*" : "");
    }

    if (any && (model->long_from == 0 || !prompt_price_given(&longer->input)
                || !prompt_price_given(&longer->output)))
    {
        return ngx_http_prompt_conf_wrong(cf,
                   "model \"%V%s\" of \"prompt_model\" has half of its long "
                   "prices: \"long_from=TOKENS\", \"long_input=USD\" and "
                   "\"long_output=USD\" go together (US dollars for a million "
                   "tokens)", &model->pattern, model->prefix ? "*" : "");
    }

    if (!prompt_price_given(&prices->cached_input)) {
        prices->cached_input = prices->input;
    }

    return NGX_CONF_OK;
}


static ngx_uint_t
ngx_http_prompt_conf_any_price(const prompt_prices_t *prices)
{
    return prompt_price_given(&prices->input)
           || prompt_price_given(&prices->output)
           || prompt_price_given(&prices->cached_input)
           || prompt_price_given(&prices->cache_write)
           || prompt_price_given(&prices->cache_write_1h);
}


static ngx_int_t
ngx_http_prompt_conf_set_price(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    return prompt_price_parse(ngx_http_prompt_str(value),
                              field)
           ? NGX_OK : NGX_ERROR;
}


/* what the service sends itself would come twice */
static ngx_int_t
ngx_http_prompt_conf_set_name(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    prompt_str_t  *name = field;

    *name = ngx_http_prompt_str(value);

    return name->len != 0 && !prompt_params_taken(*name) ? NGX_OK : NGX_ERROR;
}


static ngx_int_t
ngx_http_prompt_conf_set_names(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    u_char        *p, *end, *last;
    ngx_str_t      name;
    prompt_str_t   each;

    last = value->data + value->len;

    for (p = value->data; p <= last; p = end + 1) {

        end = ngx_strlchr(p, last, ',');
        end = end != NULL ? end : last;

        name.data = p;
        name.len = end - p;

        if (ngx_http_prompt_conf_set_name(&name, &each, parameter) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    *(prompt_str_t *) field = ngx_http_prompt_str(value);

    return NGX_OK;
}


char *
ngx_http_prompt_conf_default_model(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    ngx_str_t  *arg;

    if (pmcf->default_model.data != NULL) {
        return "is duplicate";
    }

    arg = cf->args->elts;

    if (arg[1].len == 0 || ngx_strchr(arg[1].data, '*') != NULL) {
        return ngx_http_prompt_conf_wrong(cf,
                   "\"%V\" of \"prompt_default_model\" is not a model: write "
                   "the full name of one, such as \"gpt-4o-mini\"", &arg[1]);
    }

    pmcf->default_model = arg[1];
    pmcf->default_model_file = cf->conf_file->file.name;
    pmcf->default_model_line = cf->conf_file->line;

    return NGX_CONF_OK;
}


ngx_int_t
ngx_http_prompt_conf_check_models(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf)
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
            return NGX_ERROR;
        }
    }

    name = pmcf->default_model;

    if (pmcf->endpoints != 0 && name.len != 0
        && ngx_http_prompt_find_model(pmcf, ngx_http_prompt_str(&name))
           == NULL)
    {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                      "prompt_default_model \"%V\" is served by no provider: "
                      "add \"prompt_model %V provider=NAME;\" to the http "
                      "block, or name a model that is there, in %V:%ui", &name,
                      &name, &pmcf->default_model_file,
                      pmcf->default_model_line);
        return NGX_ERROR;
    }

    return NGX_OK;
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


const ngx_http_prompt_model_conf_t *
ngx_http_prompt_find_model(const ngx_http_prompt_main_conf_t *pmcf,
    prompt_str_t name)
{
    ngx_uint_t                           i;
    const ngx_http_prompt_model_conf_t  *model, *best;

    best = NULL;
    model = pmcf->models.elts;

    for (i = 0; i < pmcf->models.nelts; i++) {

        if (model[i].pattern.len > name.len
            || ngx_memcmp(model[i].pattern.data, name.data,
                          model[i].pattern.len)
               != 0)
        {
            continue;
        }

        if (!model[i].prefix) {

            if (model[i].pattern.len == name.len) {
                return &model[i];
            }

            continue;
        }

        if (best == NULL || model[i].pattern.len > best->pattern.len) {
            best = &model[i];
        }
    }

    return best;
}
