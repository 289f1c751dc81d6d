/*
 * Inputs: from the members of an input object to those of a record, by the
 * table of fields that the record's resolvers have, too.
 */

#ifndef NGX_HTTP_PROMPT_INPUT_H
#define NGX_HTTP_PROMPT_INPUT_H

#include "service/frame/service.h"


/*
 * Reads the columns of a type that are given when a row is created into
 * record.  Members that are absent or null leave it as it is.  False: one is
 * wrong, and the root field was completed with the error.
 */
bool ngx_http_prompt_input_create(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_field_t *fields, const char *type,
    const prompt_json_t *input, void *record) PROMPT_WARN_UNUSED;

/*
 * The same of those that can be changed; *given gets the bits of the columns
 * whose members are there.  Null clears what can be null, and is wrong for
 * the others.
 */
bool ngx_http_prompt_input_change(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_field_t *fields, const char *type,
    const prompt_json_t *input, void *record, prompt_mask_t *given)
    PROMPT_WARN_UNUSED;

/* as prompt/text.h has them: at most so many characters, or bytes of JSON */
ngx_http_prompt_check_t
    ngx_http_prompt_check_label,
    ngx_http_prompt_check_characters,
    ngx_http_prompt_check_json;

#endif /* NGX_HTTP_PROMPT_INPUT_H */
