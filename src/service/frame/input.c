/*
 * Inputs: what the schema has coerced already becomes a record.
 */

#include "service/frame/input.h"

#include "prompt/text.h"
#include "service/frame/arguments.h"


static bool ngx_http_prompt_input_is(const ngx_http_prompt_field_t *field,
    const char *type, unsigned flags);
static bool ngx_http_prompt_input_nulls(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_field_t *fields, const char *type,
    const prompt_json_t *input) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_input_value(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_field_t *field, const prompt_json_t *value,
    void *member) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_input_read(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_field_t *fields, const char *type, unsigned flags,
    const prompt_json_t *input, void *record, prompt_mask_t *given)
    PROMPT_WARN_UNUSED;


static bool
ngx_http_prompt_input_is(const ngx_http_prompt_field_t *field,
    const char *type, unsigned flags)
{
    return field->column != NULL && (field->column->flags & flags) != 0
           && ngx_strcmp(field->type, type) == 0;
}


static bool
ngx_http_prompt_input_nulls(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_field_t *fields, const char *type,
    const prompt_json_t *input)
{
    prompt_str_t                    name;
    const ngx_http_prompt_field_t  *field;

    for (field = fields; field->type != NULL; field++) {

        if (!ngx_http_prompt_input_is(field, type, PROMPT_COLUMN_CHANGE)
            || (field->column->flags & PROMPT_COLUMN_NULLABLE))
        {
            continue;
        }

        name = prompt_str_from(field->name);

        if (ngx_http_prompt_argument_is_null(input, name)) {
            return ngx_http_prompt_root_fail(root,
                       ngx_http_prompt_bad_user_input, name,
                       "\"%.*s\" must not be null; leave it out to keep what "
                       "there is.", prompt_str_arg(name));
        }
    }

    return true;
}


/* A value of JSON is its check's to write, which knows how long it may be. */
static bool
ngx_http_prompt_input_value(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_field_t *field, const prompt_json_t *value,
    void *member)
{
    int64_t          number;
    prompt_arena_t  *arena;
    prompt_fault_t   fault;

    arena = root->job->arena;

    switch (field->column->kind) {

    case PROMPT_KIND_TEXT:
        *(prompt_str_t *) member = value->text;
        break;

    case PROMPT_KIND_BOOL:
        *(bool *) member = value->boolean;
        break;

    case PROMPT_KIND_TEXTS:

        if (!prompt_texts_of(arena, value, member)) {
            return ngx_http_prompt_root_fail_nomem(root);
        }

        break;

    case PROMPT_KIND_INT:

        if (!prompt_json_integer(value, &number)) {
            break;                     /* not what the schema lets pass */
        }

        if (field->column->flags & PROMPT_COLUMN_NULLABLE) {
            *(prompt_maybe_t *) member = prompt_maybe(number);
        } else {
            *(int32_t *) member = (int32_t) number;
        }

        break;

    default:
        break;
    }

    return field->check == NULL
           || ngx_http_prompt_passed(root,
                                     field->check(field, arena, value, member,
                                                  &fault),
                                     &fault);
}


static bool
ngx_http_prompt_input_read(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_field_t *fields, const char *type, unsigned flags,
    const prompt_json_t *input, void *record, prompt_mask_t *given)
{
    const prompt_json_t            *value;
    const ngx_http_prompt_field_t  *field;

    *given = 0;

    for (field = fields; field->type != NULL; field++) {

        if (!ngx_http_prompt_input_is(field, type, flags)) {
            continue;
        }

        value = prompt_json_get(input, prompt_str_from(field->name));

        if (value == NULL) {
            continue;
        }

        *given |= prompt_column_bit(field->resource, field->column);

        if (value->type != PROMPT_JSON_NULL
            && !ngx_http_prompt_input_value(root, field, value,
                                            (char *) record + field->offset))
        {
            return false;
        }
    }

    return true;
}


bool
ngx_http_prompt_input_create(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_field_t *fields, const char *type,
    const prompt_json_t *input, void *record)
{
    prompt_mask_t  given;

    return ngx_http_prompt_input_read(root, fields, type, PROMPT_COLUMN_CREATE,
                                      input, record, &given);
}


bool
ngx_http_prompt_input_change(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_field_t *fields, const char *type,
    const prompt_json_t *input, void *record, prompt_mask_t *given)
{
    return ngx_http_prompt_input_nulls(root, fields, type, input)
           && ngx_http_prompt_input_read(root, fields, type,
                                         PROMPT_COLUMN_CHANGE, input, record,
                                         given);
}


prompt_check_t
ngx_http_prompt_check_label(const ngx_http_prompt_field_t *field,
    prompt_arena_t *arena, const prompt_json_t *value, void *member,
    prompt_fault_t *fault)
{
    return prompt_text_label(arena, value->text, prompt_str_from(field->name),
                             field->most, fault);
}


prompt_check_t
ngx_http_prompt_check_characters(const ngx_http_prompt_field_t *field,
    prompt_arena_t *arena, const prompt_json_t *value, void *member,
    prompt_fault_t *fault)
{
    return prompt_text_characters(arena, value->text,
                                  prompt_str_from(field->name), field->most,
                                  fault);
}


prompt_check_t
ngx_http_prompt_check_json(const ngx_http_prompt_field_t *field,
    prompt_arena_t *arena, const prompt_json_t *value, void *member,
    prompt_fault_t *fault)
{
    return prompt_text_json(arena, value, prompt_str_from(field->name),
                            field->most, member, fault);
}
