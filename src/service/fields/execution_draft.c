/*
 * Drafts: what is executed without being saved, in the place of a version.
 */

#include "service/fields/execution_impl.h"
#include "service/fields/fields.h"
#include "service/frame/arguments.h"


bool
ngx_http_prompt_draft_read(ngx_http_prompt_root_t *root,
    prompt_execution_target_t *draft)
{
    prompt_version_t  version;

    ngx_memzero(&version, sizeof(prompt_version_t));

    root->within = prompt_str("draft.");

    if (!ngx_http_prompt_version_read(root,
             ngx_http_prompt_root_argument(root, "draft"), &version))
    {
        return false;
    }

    root->within = prompt_str_absent;

    draft->content = version.content;
    draft->params = version.params;
    draft->input_schema = version.input_schema;
    draft->output_schema = version.output_schema;
    draft->messages = version.messages.cell;

    return true;
}


/* All else is the input's; params are looked at behind it. */
bool
ngx_http_prompt_draft_is_wrong(const ngx_http_prompt_ask_t *ask,
    prompt_str_t field)
{
    return (ask->nchoices != 0 && field.len >= 6
            && ngx_memcmp(field.data, "params", 6) == 0)
           || (field.len >= 9 && ngx_memcmp(field.data, "messages.", 9) == 0);
}


/* Of others' prompts nobody executes anything but their versions. */
prompt_outcome_t
ngx_http_prompt_draft_found(ngx_http_prompt_root_t *root,
    prompt_outcome_t outcome, const prompt_execution_target_t *draft,
    prompt_execution_target_t *row)
{
    prompt_str_t  prompt_id, owner_id;

    if (outcome != PROMPT_OUTCOME_NO_VERSION) {
        return outcome;
    }

    prompt_id = row->prompt_id;
    owner_id = row->owner_id;

    *row = *draft;

    row->prompt_id = prompt_id;
    row->owner_id = owner_id;

    return prompt_str_eq(owner_id, ngx_http_prompt_caller(root))
           ? PROMPT_OUTCOME_DONE : PROMPT_OUTCOME_FORBIDDEN;
}
