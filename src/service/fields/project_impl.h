/*
 * Projects: reading them, for all root fields that show one.
 */

#ifndef NGX_HTTP_PROMPT_PROJECT_IMPL_H
#define NGX_HTTP_PROMPT_PROJECT_IMPL_H

#include "service/fields/fields.h"
#include "service/frame/arguments.h"
#include "store/project.h"


/* Notes in field->data what is selected below Project: a compile hook. */
bool ngx_http_prompt_projects_compile(gql_plan_t *plan,
    gql_plan_field_t *field);

/*
 * Appends to query what root's field shows of the project of that id, or where
 * it is absent of all of the caller's.  False: root was completed.
 */
bool ngx_http_prompt_projects_ask(ngx_http_prompt_root_t *root,
    prompt_query_t *query, prompt_str_t id) PROMPT_WARN_UNUSED;

/* Completes root with the project whose sets of rows begin at that number. */
void ngx_http_prompt_projects_show(ngx_http_prompt_root_t *root,
    ngx_uint_t first);

/* Reads the project of that id and completes root with it. */
void ngx_http_prompt_projects_answer(ngx_http_prompt_root_t *root,
    prompt_str_t id);

/* transferPrompt */
void ngx_http_prompt_transfer(ngx_http_prompt_root_t *root);

/* Project.usage: asks for it, and reads a row of it. */
bool ngx_http_prompt_usage_ask(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_projects_t *of,
    const gql_plan_field_t *field) PROMPT_WARN_UNUSED;
void ngx_http_prompt_usage_read(const prompt_rows_t *rows, unsigned row,
    void *item);

/* a slot: of a role's number, at .offset, its name */
ngx_http_prompt_resolve_t  ngx_http_prompt_slot_role;

#endif /* NGX_HTTP_PROMPT_PROJECT_IMPL_H */
