/*
 * Columns: from rows to records, from records to parameters.
 */

#include "base/uuid.h"
#include "store/column.h"


const prompt_column_t *
prompt_column_at(const prompt_resource_t *resource, size_t offset)
{
    unsigned  i;

    for (i = 0; i < resource->ncolumns; i++) {
        if (resource->columns[i].offset == offset) {
            return &resource->columns[i];
        }
    }

    return NULL;
}


prompt_mask_t
prompt_columns_with(const prompt_resource_t *resource, unsigned flags)
{
    unsigned       i;
    prompt_mask_t  mask;

    mask = 0;

    for (i = 0; i < resource->ncolumns; i++) {
        if (resource->columns[i].flags & flags) {
            mask |= PROMPT_MASK_BIT << i;
        }
    }

    return mask;
}


prompt_mask_t
prompt_columns_without(const prompt_resource_t *resource, unsigned flags)
{
    return PROMPT_MASK_ALL(resource)
           & ~prompt_columns_with(resource, flags);
}


static int64_t
prompt_column_of_id(const prompt_resource_t *resource, const void *record)
{
    const prompt_column_t  *column;

    for (column = resource->columns;
         (column->flags & PROMPT_COLUMN_ID) == 0;
         column++)
    {
        /* void */
    }

    return prompt_id_time(*(const prompt_str_t *)
                          ((const char *) record + column->offset));
}


static void
prompt_column_read(const prompt_column_t *column, prompt_str_t cell,
    void *member)
{
    switch (column->kind) {

    case PROMPT_KIND_TEXTS:
        *(prompt_texts_t *) member = prompt_cell_texts(cell);
        return;

    case PROMPT_KIND_OBJECTS:
        *(prompt_objects_t *) member = (prompt_objects_t) { .cell = cell };
        return;

    case PROMPT_KIND_BOOL:
        *(bool *) member = prompt_cell_bool(cell);
        return;

    case PROMPT_KIND_INT:

        if (column->flags & PROMPT_COLUMN_NULLABLE) {
            *(prompt_maybe_t *) member = prompt_cell_maybe(cell);
            return;
        }

        *(int32_t *) member = (int32_t) prompt_cell_int(cell);
        return;

    case PROMPT_KIND_TIME:

        if (column->flags & PROMPT_COLUMN_NULLABLE) {
            *(prompt_maybe_t *) member = prompt_cell_maybe_time(cell);
            return;
        }

        *(int64_t *) member = prompt_cell_time(cell);
        return;

    default:
        *(prompt_str_t *) member = cell;
    }
}


unsigned
prompt_columns_read(const prompt_resource_t *resource, prompt_mask_t mask,
    const prompt_rows_t *rows, unsigned row, unsigned cell, void *record)
{
    const prompt_column_t  *column;

    for (column = resource->columns; mask != 0; column++, mask >>= 1) {

        if ((mask & 1) == 0) {
            continue;
        }

        if (column->flags & PROMPT_COLUMN_OF_ID) {
            *(int64_t *) (void *) ((char *) record + column->offset) =
                prompt_column_of_id(resource, record);
            continue;
        }

        prompt_column_read(column, prompt_rows_cell(rows, row, cell++),
                           (char *) record + column->offset);
    }

    return cell;
}


/* absent is SQL NULL: what must not be null is refused by PostgreSQL */
static void
prompt_column_bind(prompt_bind_t *bind, const prompt_column_t *column,
    const void *member)
{
    switch (column->kind) {

    case PROMPT_KIND_UUID:

        if (column->flags & PROMPT_COLUMN_NULLABLE) {
            prompt_bind_maybe_uuid(bind, *(const prompt_str_t *) member);
        } else {
            prompt_bind_uuid(bind, *(const prompt_str_t *) member);
        }

        return;

    case PROMPT_KIND_TEXTS:

        if ((column->flags & PROMPT_COLUMN_NULLABLE)
            && ((const prompt_texts_t *) member)->cell.data == NULL)
        {
            prompt_bind_text(bind, prompt_str_absent);
            return;
        }

        prompt_bind_texts(bind, member);
        return;

    case PROMPT_KIND_OBJECTS:
        prompt_bind_text(bind, ((const prompt_objects_t *) member)->cell);
        return;

    case PROMPT_KIND_BOOL:
        prompt_bind_bool(bind, *(const bool *) member);
        return;

    case PROMPT_KIND_INT:

        if (column->flags & PROMPT_COLUMN_NULLABLE) {
            prompt_bind_maybe_int4(bind, *(const prompt_maybe_t *) member);
            return;
        }

        prompt_bind_int4(bind, *(const int32_t *) member);
        return;

    case PROMPT_KIND_TIME:

        if (column->flags & PROMPT_COLUMN_NULLABLE) {
            prompt_bind_maybe_time(bind, *(const prompt_maybe_t *) member);
            return;
        }

        prompt_bind_time(bind, *(const int64_t *) member);
        return;

    default:
        prompt_bind_text(bind, *(const prompt_str_t *) member);
    }
}


void
prompt_columns_bind(prompt_bind_t *bind, const prompt_resource_t *resource,
    prompt_mask_t mask, const void *record)
{
    const prompt_column_t  *column;

    for (column = resource->columns; mask != 0; column++, mask >>= 1) {

        if (mask & 1) {
            prompt_column_bind(bind, column,
                               (const char *) record + column->offset);
        }
    }
}


/*
 * What can be null has a parameter before its own that says whether it is
 * given; of the others SQL NULL says that they are not.
 */
void
prompt_columns_bind_change(prompt_bind_t *bind,
    const prompt_resource_t *resource, prompt_mask_t given, const void *record)
{
    bool                    is_given;
    unsigned                i;
    const prompt_column_t  *column;

    for (i = 0; i < resource->ncolumns; i++) {
        column = &resource->columns[i];
        is_given = (given >> i) & 1;

        if ((column->flags & PROMPT_COLUMN_CHANGE) == 0) {
            continue;
        }

        if (column->flags & PROMPT_COLUMN_NULLABLE) {
            prompt_bind_bool(bind, is_given);
        }

        if (is_given) {
            prompt_column_bind(bind, column,
                               (const char *) record + column->offset);
        } else {
            prompt_bind_null(bind);
        }
    }
}


static void
prompt_column_write_texts(prompt_texts_t texts, prompt_buf_t *out)
{
    uint32_t  i;

    prompt_buf_char(out, '[');

    for (i = 0; i < texts.count; i++) {

        if (i != 0) {
            prompt_buf_char(out, ',');
        }

        prompt_json_write_string(out, prompt_texts_item(&texts, i));
    }

    prompt_buf_char(out, ']');
}


static void
prompt_column_write_int(const prompt_column_t *column, const void *member,
    prompt_buf_t *out)
{
    const prompt_maybe_t  *maybe;

    if ((column->flags & PROMPT_COLUMN_NULLABLE) == 0) {
        prompt_buf_printf(out, "%d", *(const int32_t *) member);
        return;
    }

    maybe = member;

    if (maybe->known) {
        prompt_buf_printf(out, "%lld", (long long) maybe->value);

    } else {
        prompt_buf_literal(out, "null");
    }
}


/* What is absent is null; JSON is written as it stands. */
static void
prompt_column_write(const prompt_column_t *column, const void *member,
    prompt_buf_t *out)
{
    char           id[PROMPT_UUID_TEXT_LEN];
    prompt_str_t   text;
    prompt_uuid_t  uuid;

    if (column->kind == PROMPT_KIND_BOOL) {
        prompt_buf_str(out, *(const bool *) member ? prompt_str("true")
                                                   : prompt_str("false"));
        return;
    }

    if (column->kind == PROMPT_KIND_TEXTS) {
        prompt_column_write_texts(*(const prompt_texts_t *) member, out);
        return;
    }

    if (column->kind == PROMPT_KIND_INT) {
        prompt_column_write_int(column, member, out);
        return;
    }

    text = *(const prompt_str_t *) member;

    if (text.data == NULL) {
        prompt_buf_literal(out, "null");

    } else if (column->kind == PROMPT_KIND_TEXT) {
        prompt_json_write_string(out, text);

    } else if (column->kind == PROMPT_KIND_UUID) {
        memcpy(uuid.bytes, text.data, sizeof(uuid.bytes));
        prompt_uuid_format(&uuid, id);
        prompt_json_write_string(out, prompt_str_of(id, sizeof(id)));

    } else {
        prompt_buf_str(out, text);
    }
}


void
prompt_columns_write(const prompt_resource_t *resource, prompt_mask_t mask,
    const void *record, prompt_buf_t *out)
{
    const prompt_column_t  *column;

    for (column = resource->columns; mask != 0; column++, mask >>= 1) {

        if (mask & 1) {
            prompt_buf_printf(out, ",\"%s\":", column->name);
            prompt_column_write(column, (const char *) record + column->offset,
                                out);
        }
    }
}


bool
prompt_columns_keep(const prompt_resource_t *resource, prompt_arena_t *arena,
    void *record)
{
    char                   *member;
    unsigned                i;
    prompt_str_t           *text;
    const prompt_column_t  *column;

    for (i = 0; i < resource->ncolumns; i++) {
        column = &resource->columns[i];
        member = (char *) record + column->offset;

        if (column->kind > PROMPT_KIND_TEXTS) {
            continue;                  /* no views */
        }

        text = column->kind == PROMPT_KIND_TEXTS
               ? &((prompt_texts_t *) member)->cell
               : (prompt_str_t *) member;

        if (text->data == NULL) {
            continue;
        }

        *text = prompt_arena_copy(arena, *text);

        if (text->data == NULL) {
            return false;
        }
    }

    return true;
}
