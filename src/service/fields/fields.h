/*
 * Fields: the tables of all resources, a file each.
 */

#ifndef NGX_HTTP_PROMPT_FIELDS_H
#define NGX_HTTP_PROMPT_FIELDS_H

#include "service/frame/service.h"
#include "store/version.h"


/* the tables, each ended by an entry without type */
extern ngx_http_prompt_field_t  ngx_http_prompt_prompt_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_version_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_label_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_import_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_execution_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_render_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_log_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_score_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_dataset_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_dataset_item_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_run_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_statistics_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_user_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_api_key_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_session_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_project_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_budget_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_project_usage_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_member_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_audit_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_model_fields[];

/*
 * Reads and checks what an input of createPromptVersion or importPrompts says
 * of a version, also against the providers of its models.
 */
bool ngx_http_prompt_version_read(ngx_http_prompt_root_t *root,
    const prompt_json_t *input, prompt_version_t *version) PROMPT_WARN_UNUSED;

#endif /* NGX_HTTP_PROMPT_FIELDS_H */
