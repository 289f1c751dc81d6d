/*
 * The directives prompt_quota, what a project may have, and prompt_record, what
 * is kept of its executions: their parameters, each with its default.
 */

#include "conf/ngx_http_prompt_conf.h"


static const ngx_http_prompt_parameter_t  ngx_http_prompt_quota_parameters[] =
{
    { ngx_string("prompts"), &ngx_http_prompt_number,
      offsetof(ngx_http_prompt_quota_conf_t, prompts), "10000", "0",
      "1000000000", NULL },

    { ngx_string("versions"), &ngx_http_prompt_number,
      offsetof(ngx_http_prompt_quota_conf_t, versions), "10000", "0",
      "1000000000", NULL },

    { ngx_string("keys"), &ngx_http_prompt_number,
      offsetof(ngx_http_prompt_quota_conf_t, keys), "100", "0",
      "10000", NULL },

    { ngx_string("members"), &ngx_http_prompt_number,
      offsetof(ngx_http_prompt_quota_conf_t, members), "1000", "0",
      "1000000000", NULL },

    { ngx_string("bytes"), &ngx_http_prompt_size,
      offsetof(ngx_http_prompt_quota_conf_t, bytes), "1g", "0", NULL, NULL },

    { ngx_string("in_flight"), &ngx_http_prompt_number,
      offsetof(ngx_http_prompt_quota_conf_t, in_flight), "1000", "0",
      "1000000000", NULL },

    ngx_http_prompt_no_parameter("")
};


static const ngx_http_prompt_parameter_t  ngx_http_prompt_record_parameters[] =
{
    { ngx_string("input"), &ngx_http_prompt_flag,
      offsetof(ngx_http_prompt_record_conf_t, input), "on", NULL, NULL, NULL },

    { ngx_string("output"), &ngx_http_prompt_flag,
      offsetof(ngx_http_prompt_record_conf_t, output), "on", NULL, NULL, NULL },

    ngx_http_prompt_no_parameter("")
};


/* All fields of both are words. */
static void
ngx_http_prompt_conf_merge_words(const ngx_http_prompt_parameter_t *row,
    const void *outer, void *conf)
{
    ngx_int_t  *word;
    ngx_str_t   value;

    for ( /* void */ ; row->name.len != 0; row++) {
        word = (ngx_int_t *) ((u_char *) conf + row->offset);

        if (*word == NGX_CONF_UNSET) {
            *word = *(const ngx_int_t *) ((const u_char *) outer + row->offset);
        }

        if (*word == NGX_CONF_UNSET) {
            value.data = (u_char *) row->value;
            value.len = ngx_strlen(row->value);
            (void) row->kind->set(&value, word, row);
        }
    }
}


char *
ngx_http_prompt_conf_quota(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    return ngx_http_prompt_parameters(cf, 1, ngx_http_prompt_quota_parameters,
                                      (u_char *) conf + cmd->offset)
           == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}


char *
ngx_http_prompt_conf_record(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    return ngx_http_prompt_parameters(cf, 1, ngx_http_prompt_record_parameters,
                                      (u_char *) conf + cmd->offset)
           == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}


void
ngx_http_prompt_conf_merge_project(const ngx_http_prompt_loc_conf_t *prev,
    ngx_http_prompt_loc_conf_t *conf)
{
    ngx_http_prompt_conf_merge_words(ngx_http_prompt_quota_parameters,
                                     &prev->quota, &conf->quota);
    ngx_http_prompt_conf_merge_words(ngx_http_prompt_record_parameters,
                                     &prev->record, &conf->record);
}
