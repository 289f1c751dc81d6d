/*
 * The fields of ProjectUsage.
 */

#include "service/fields/project_impl.h"


static ngx_http_prompt_resolve_t  ngx_http_prompt_resolve_bytes;


#define usage(member)                                                        \
    .resolve = ngx_http_prompt_slot_int,                                     \
    .offset = offsetof(prompt_project_usage_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_project_usage_fields[] = {

    { .type = "ProjectUsage", .name = "prompts", usage(prompts) },
    { .type = "ProjectUsage", .name = "versions", usage(versions) },
    { .type = "ProjectUsage", .name = "keys", usage(keys) },
    { .type = "ProjectUsage", .name = "members", usage(members) },
    { .type = "ProjectUsage", .name = "bytes",
      .resolve = ngx_http_prompt_resolve_bytes },
    { .type = "ProjectUsage", .name = "inFlight", usage(in_flight) },

    { .type = NULL }
};


static void
ngx_http_prompt_resolve_bytes(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    prompt_project_usage_t  *usage = parent;

    out->kind = GQL_RESULT_DOUBLE;
    out->u.number = usage->bytes;
}


bool
ngx_http_prompt_usage_ask(ngx_http_prompt_root_t *root, prompt_query_t *query,
    const prompt_projects_t *of, const gql_plan_field_t *field)
{
    return ngx_http_prompt_root_bound(root, prompt_project_usage(query, of));
}


void
ngx_http_prompt_usage_read(const prompt_rows_t *rows, unsigned row, void *item)
{
    prompt_project_usage_row(rows, row, item);
}
