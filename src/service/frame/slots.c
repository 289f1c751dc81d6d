/*
 * Slots: resolvers of fields that stand as they are in a record.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/digits.h"
#include "base/time.h"
#include "base/uuid.h"
#include "service/frame/service.h"


static void *
ngx_http_prompt_slot(void *parent, const gql_plan_field_t *field)
{
    const ngx_http_prompt_field_t  *entry;

    entry = field->def->data;

    return (char *) parent + entry->offset;
}


static void
ngx_http_prompt_slot_string(gql_result_kind_t kind, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    prompt_str_t  *text;

    text = ngx_http_prompt_slot(parent, field);

    if (text->data != NULL) {
        out->kind = kind;
        out->u.text = *text;
    }
}


/* The len bytes from the second one of job->text on: none needs an escape. */
static void
ngx_http_prompt_slot_quoted(ngx_http_prompt_job_t *job, size_t len,
    gql_result_t *out)
{
    job->text[0] = '"';
    job->text[len + 1] = '"';

    out->kind = GQL_RESULT_JSON_TEXT;
    out->u.text = prompt_str_of(job->text, len + 2);
}


static void
ngx_http_prompt_slot_moment(ngx_http_prompt_job_t *job, int64_t time,
    gql_result_t *out)
{
    prompt_time_format(time, job->text + 1);
    ngx_http_prompt_slot_quoted(job, PROMPT_TIME_TEXT_LEN, out);
}


static void
ngx_http_prompt_slot_uuid(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    prompt_str_t   *id;
    prompt_uuid_t   uuid;

    id = ngx_http_prompt_slot(parent, field);

    if (id->len != sizeof(uuid.bytes)) {
        return;
    }

    ngx_memcpy(uuid.bytes, id->data, sizeof(uuid.bytes));
    prompt_uuid_format(&uuid, job->text + 1);
    ngx_http_prompt_slot_quoted(job, PROMPT_UUID_TEXT_LEN, out);
}


/* bytes, up to 20, as hexadecimal digits */
static void
ngx_http_prompt_slot_hex(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    char          *last;
    prompt_str_t  *bytes;

    bytes = ngx_http_prompt_slot(parent, field);

    if (bytes->len == 0 || bytes->len > sizeof(job->text) / 2) {
        return;
    }

    last = prompt_hex_write(job->text, (const uint8_t *) bytes->data,
                            bytes->len);

    out->kind = GQL_RESULT_STRING;
    out->u.text = prompt_str_of(job->text, (size_t) (last - job->text));
}


void
ngx_http_prompt_slot_text(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_http_prompt_slot_string(GQL_RESULT_STRING, parent, field, out);
}


void
ngx_http_prompt_slot_json(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_http_prompt_slot_string(GQL_RESULT_JSON_TEXT, parent, field, out);
}


void
ngx_http_prompt_slot_boolean(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    bool  *value;

    value = ngx_http_prompt_slot(parent, field);

    out->kind = GQL_RESULT_BOOLEAN;
    out->u.boolean = *value;
}


void
ngx_http_prompt_slot_int(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    int32_t  *value;

    value = ngx_http_prompt_slot(parent, field);

    out->kind = GQL_RESULT_INTEGER;
    out->u.integer = *value;
}


void
ngx_http_prompt_slot_maybe_int(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    prompt_maybe_t  *value;

    value = ngx_http_prompt_slot(parent, field);

    if (value->known) {
        out->kind = GQL_RESULT_INTEGER;
        out->u.integer = value->value;
    }
}


void
ngx_http_prompt_slot_time(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    int64_t  *time;

    time = ngx_http_prompt_slot(parent, field);

    ngx_http_prompt_slot_moment(job, *time, out);
}


static void
ngx_http_prompt_slot_maybe_time(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    prompt_maybe_t  *time;

    time = ngx_http_prompt_slot(parent, field);

    if (time->known) {
        ngx_http_prompt_slot_moment(job, time->value, out);
    }
}


static void
ngx_http_prompt_slot_texts(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    prompt_texts_t  *texts;

    texts = ngx_http_prompt_slot(parent, field);

    if (texts->cell.data == NULL
        && field->def->type->kind != GQL_REF_NON_NULL)
    {
        return;
    }

    out->kind = GQL_RESULT_LIST;
    out->u.list.handle = texts;
    out->u.list.count = texts->count;
}


/* absent is null where the field may be, else an empty list */
void
ngx_http_prompt_slot_objects(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    prompt_objects_t  *objects;

    objects = ngx_http_prompt_slot(parent, field);

    if (objects->cell.data == NULL
        && field->def->type->kind != GQL_REF_NON_NULL)
    {
        return;
    }

    out->kind = GQL_RESULT_LIST;
    out->u.list.handle = objects;
    out->u.list.count = prompt_objects_begin(objects);
}


void
ngx_http_prompt_slot_member(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    prompt_str_t  text;

    text = prompt_objects_member(parent, field->def->name);

    if (text.data != NULL) {
        out->kind = GQL_RESULT_JSON_TEXT;
        out->u.text = text;
    }
}


void
ngx_http_prompt_slot_member_number(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    prompt_json_t  number;

    ngx_memzero(&number, sizeof(prompt_json_t));

    number.type = PROMPT_JSON_NUMBER;
    number.text = prompt_objects_member(parent, field->def->name);

    if (number.text.data == NULL) {
        return;
    }

    if (prompt_json_integer(&number, &out->u.integer)) {
        out->kind = GQL_RESULT_INTEGER;

    } else if (prompt_json_double(&number, &out->u.number)) {
        out->kind = GQL_RESULT_DOUBLE;
    }
}


/* names of values are stored without escapes */
void
ngx_http_prompt_slot_member_enum(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    prompt_str_t  text;

    text = prompt_objects_member(parent, field->def->name);

    if (text.len > 2) {
        out->kind = GQL_RESULT_STRING;
        out->u.text = prompt_str_of(text.data + 1, text.len - 2);
    }
}


/* a list as it stands there; absent is an empty one */
void
ngx_http_prompt_slot_member_texts(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    prompt_str_t  text;

    text = prompt_objects_member(parent, field->def->name);

    if (text.data == NULL) {
        text = prompt_str("[]");
    }

    if (text.data[0] == '[') {
        out->kind = GQL_RESULT_JSON_TEXT;
        out->u.text = text;
    }
}


/* objects within the object, which are walked before the next one is */
void
ngx_http_prompt_slot_member_objects(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    prompt_objects_t  *objects;

    objects = ngx_http_prompt_slot(parent, field);
    objects->cell = prompt_objects_member(parent, field->def->name);

    if (objects->cell.data != NULL) {
        out->kind = GQL_RESULT_LIST;
        out->u.list.handle = objects;
        out->u.list.count = prompt_objects_begin(objects);
    }
}


void
ngx_http_prompt_slot_bind(ngx_http_prompt_field_t *field)
{
    ngx_http_prompt_resolve_t  *resolve;

    static ngx_http_prompt_resolve_t *const  slots[] = {
        [PROMPT_KIND_UUID] = ngx_http_prompt_slot_uuid,
        [PROMPT_KIND_BYTES] = ngx_http_prompt_slot_hex,
        [PROMPT_KIND_TEXT] = ngx_http_prompt_slot_text,
        [PROMPT_KIND_JSON] = ngx_http_prompt_slot_json,
        [PROMPT_KIND_DECIMAL] = ngx_http_prompt_slot_text,
        [PROMPT_KIND_OBJECTS] = ngx_http_prompt_slot_objects,
        [PROMPT_KIND_TEXTS] = ngx_http_prompt_slot_texts,
        [PROMPT_KIND_BOOL] = ngx_http_prompt_slot_boolean,
        [PROMPT_KIND_INT] = ngx_http_prompt_slot_int,
        [PROMPT_KIND_TIME] = ngx_http_prompt_slot_time
    };

    resolve = slots[field->column->kind];

    /* what is absent is so by its value, but in these */

    if (field->column->flags & PROMPT_COLUMN_NULLABLE) {
        resolve = resolve == ngx_http_prompt_slot_int
                  ? ngx_http_prompt_slot_maybe_int
                  : resolve == ngx_http_prompt_slot_time
                    ? ngx_http_prompt_slot_maybe_time : resolve;
    }

    field->resolve = resolve;
}


void
ngx_http_prompt_slot_list(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_http_prompt_result_list(ngx_http_prompt_slot(parent, field), out);
}


void
ngx_http_prompt_slot_object(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_http_prompt_result_object(ngx_http_prompt_slot(parent, field), out);
}


void
ngx_http_prompt_slot_pointer(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    void  **pointer;

    pointer = ngx_http_prompt_slot(parent, field);

    if (*pointer != NULL) {
        ngx_http_prompt_result_object(*pointer, out);
    }
}


void
ngx_http_prompt_result_list(ngx_http_prompt_list_t *list, gql_result_t *out)
{
    out->kind = list->written != NULL ? GQL_RESULT_LIST_NOTED
                                      : GQL_RESULT_LIST;
    out->u.list.handle = list;
    out->u.list.count = list->count;
}
