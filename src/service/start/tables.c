/*
 * What stands above the frame: the fields of all resources, and what hooks
 * into operations.
 */

#include "service/start/start.h"

#include "service/fields/fields.h"
#include "service/once/once.h"
#include "service/standby/standby.h"


ngx_http_prompt_field_t *const  ngx_http_prompt_tables[] = {
    ngx_http_prompt_prompt_fields,
    ngx_http_prompt_version_fields,
    ngx_http_prompt_label_fields,
    ngx_http_prompt_import_fields,
    ngx_http_prompt_execution_fields,
    ngx_http_prompt_render_fields,
    ngx_http_prompt_log_fields,
    ngx_http_prompt_score_fields,
    ngx_http_prompt_dataset_fields,
    ngx_http_prompt_dataset_item_fields,
    ngx_http_prompt_run_fields,
    ngx_http_prompt_statistics_fields,
    ngx_http_prompt_user_fields,
    ngx_http_prompt_api_key_fields,
    ngx_http_prompt_session_fields,
    ngx_http_prompt_project_fields,
    ngx_http_prompt_budget_fields,
    ngx_http_prompt_project_usage_fields,
    ngx_http_prompt_member_fields,
    ngx_http_prompt_audit_fields,
    ngx_http_prompt_model_fields,
    NULL
};


/* An answer is kept before it is told that there is one. */
const ngx_http_prompt_hook_t *const  ngx_http_prompt_hooks[] = {
    &ngx_http_prompt_once_hook,
    &ngx_http_prompt_standby_hook,
    NULL
};
