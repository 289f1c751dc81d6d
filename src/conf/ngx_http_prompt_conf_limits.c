/*
 * The directive prompt_limits: its parameters, each with its default.
 *
 * The introspection queries of the usual tools (GraphiQL, Apollo, code
 * generators: getIntrospectionQuery() with nine levels of ofType) have some
 * 350 tokens, a depth of 15, neither aliases nor directives, one root field
 * and a complexity below 500; what people write by hand is smaller.
 */

#include "conf/ngx_http_prompt_conf.h"


static const ngx_http_prompt_parameter_t  ngx_http_prompt_limits_parameters[] =
{
    /*
     * 10,000 are read in about a millisecond, and hold any document that a
     * client library makes; every other work on a document grows with them
     */
    { ngx_string("tokens"), &ngx_http_prompt_limit,
      offsetof(gql_limits_t, tokens), "10000", "1", "1000000000", NULL },

    /* 15 for introspection, and some; the deepest of schema.graphql is 4 */
    { ngx_string("depth"), &ngx_http_prompt_limit,
      offsetof(gql_limits_t, depth), "20", "1", "1000000000", NULL },

    /*
     * aliases ask for one thing many times over, by other arguments: the way
     * to try many keys, or to make one request as dear as a thousand
     */
    { ngx_string("aliases"), &ngx_http_prompt_limit,
      offsetof(gql_limits_t, aliases), "30", "1", "1000000000", NULL },

    /* each has a pipeline to the database, side by side with the others */
    { ngx_string("root_fields"), &ngx_http_prompt_limit,
      offsetof(gql_limits_t, root_fields), "15", "1", "1000000000", NULL },

    /* each is a transaction, or a call of a provider, one after the other */
    { ngx_string("mutation_fields"), &ngx_http_prompt_limit,
      offsetof(gql_limits_t, mutation_fields), "5", "1", "1000000000", NULL },

    /* @skip and @include, mostly; every condition may double the plans */
    { ngx_string("directives"), &ngx_http_prompt_limit,
      offsetof(gql_limits_t, directives), "100", "1", "1000000000", NULL },

    /*
     * about so many values in an answer; all of one's prompts with all
     * versions and a hundred executions of each, every field of them, is
     * 131,000 as graphql/limits.h counts
     */
    { ngx_string("complexity"), &ngx_http_prompt_limit,
      offsetof(gql_limits_t, complexity), "250000", "1", "1000000000", NULL },

    /* one user may have a quarter, which one answer must fit into */
    { ngx_string("answers"), &ngx_http_prompt_limit_size,
      offsetof(ngx_http_prompt_limits_conf_t, answers), "256m", "64m", "4095m",
      NULL },

    ngx_http_prompt_no_parameter("")
};


char *
ngx_http_prompt_conf_limits(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_limits_conf_t  *limits;

    limits = (ngx_http_prompt_limits_conf_t *) ((u_char *) conf + cmd->offset);

    if (ngx_http_prompt_parameters(cf, 1, ngx_http_prompt_limits_parameters,
                                   limits)
        != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    if (limits->answers != 0 && cf->cmd_type != NGX_HTTP_MAIN_CONF) {
        return ngx_http_prompt_conf_wrong(cf,
                   "parameter \"answers\" of \"prompt_limits\" is of a worker "
                   "as a whole: write it in \"http\"");
    }

    return NGX_CONF_OK;
}


void
ngx_http_prompt_conf_merge_limits(const ngx_http_prompt_limits_conf_t *outer,
    ngx_http_prompt_limits_conf_t *limits)
{
    uint32_t                           *limit;
    ngx_http_prompt_limits_conf_t       merged;
    const ngx_http_prompt_parameter_t  *row;

    merged = *outer;
    ngx_http_prompt_parameters_default(ngx_http_prompt_limits_parameters,
                                       &merged);

    for (row = ngx_http_prompt_limits_parameters; row->name.len != 0; row++) {

        limit = (uint32_t *) ((u_char *) limits + row->offset);

        if (*limit == 0) {
            *limit = *(uint32_t *) ((u_char *) &merged + row->offset);
        }
    }
}


const gql_limits_t *
ngx_http_prompt_conf_share_limits(ngx_http_prompt_main_conf_t *pmcf,
    const gql_limits_t *limits)
{
    ngx_uint_t            i;
    const gql_limits_t  **shared;

    shared = pmcf->limits.elts;

    for (i = 0; i < pmcf->limits.nelts; i++) {

        if (ngx_memcmp(shared[i], limits, sizeof(gql_limits_t)) == 0) {
            return shared[i];
        }
    }

    shared = ngx_array_push(&pmcf->limits);
    if (shared == NULL) {
        return NULL;
    }

    *shared = limits;

    return limits;
}
