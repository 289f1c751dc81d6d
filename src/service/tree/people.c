/*
 * People: who did what rows tell of.
 */

#include "service/tree/people.h"


static bool ngx_http_prompt_people_below(const gql_plan_field_t *field);


void
ngx_http_prompt_resolve_person(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    const prompt_str_t             *id;
    const ngx_http_prompt_by_t     *by;
    const ngx_http_prompt_field_t  *entry;

    entry = field->def->data;
    by = (ngx_http_prompt_by_t *) (void *) ((char *) parent + entry->offset);
    id = by->id->data != NULL ? by->id : by->owner;

    if (by->nobody == NULL || !prompt_str_eq(*id, *by->nobody)) {
        prompt_user_find(by->people->rows, *id, &by->people->user);
        ngx_http_prompt_result_object(&by->people->user, out);
    }
}


void
ngx_http_prompt_resolve_member_person(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    prompt_str_t                    text;
    prompt_uuid_t                   id;
    const ngx_http_prompt_by_t     *by;
    const ngx_http_prompt_field_t  *entry;

    entry = field->def->data;
    by = (ngx_http_prompt_by_t *) (void *) ((char *) parent + entry->offset);
    text = prompt_objects_member(parent, field->def->name);

    /* between quotes */

    if (text.len == PROMPT_UUID_TEXT_LEN + 2
        && prompt_uuid_parse(prompt_str_of(text.data + 1,
                                           PROMPT_UUID_TEXT_LEN), &id))
    {
        ngx_memcpy(by->people->id, id.bytes, PROMPT_UUID_LEN);
        prompt_user_find(by->people->rows,
                         prompt_str_of(by->people->id, PROMPT_UUID_LEN),
                         &by->people->user);
        ngx_http_prompt_result_object(&by->people->user, out);
    }
}


bool
ngx_http_prompt_compile_people(gql_plan_t *plan, gql_plan_field_t *field)
{
    if (ngx_http_prompt_people_below(field)) {
        field->data = field;
    }

    return true;
}


/* Calls itself as deep as a plan is nested (GQL_PLAN_MAX_DEPTH). */
static bool
ngx_http_prompt_people_below(const gql_plan_field_t *field)
{
    uint32_t                     i, n;
    const gql_plan_selection_t  *selection;

    for (n = 0; n < field->nselections; n++) {
        selection = field->selections[n];

        for (i = 0; i < selection->nfields; i++) {

            if (ngx_http_prompt_is_person(&selection->fields[i])
                || ngx_http_prompt_people_below(&selection->fields[i]))
            {
                return true;
            }
        }
    }

    return false;
}
