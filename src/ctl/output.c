/*
 * Results of promptctl: JSON and columns.
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/time.h"
#include "base/utf8.h"
#include "ctl/output.h"
#include "prompt/text.h"


static void ctl_list_cell(ctl_list_t *list, prompt_str_t text);
static prompt_str_t ctl_list_text(const ctl_t *ctl, const json_t *row,
    const ctl_column_t *column);
static void ctl_list_columns(const ctl_list_t *list);
static void ctl_print_line(prompt_str_t text);


void
ctl_list_begin(ctl_list_t *list, const ctl_t *ctl, const ctl_column_t *columns)
{
    memset(list, 0, sizeof(ctl_list_t));

    list->ctl = ctl;
    list->columns = columns;

    prompt_buf_init(&list->json, CTL_JSON_MAX);
    prompt_buf_char(&list->json, '[');

    for ( /* void */ ; columns->title != NULL; columns++, list->width++) {
        ctl_list_cell(list, prompt_str_from(columns->title));
    }
}


void
ctl_list_add(ctl_list_t *list, const json_t *row)
{
    prompt_str_t         text;
    const ctl_column_t  *column;

    if (list->ctl->json) {

        if (list->json.len != 1) {
            prompt_buf_char(&list->json, ',');
        }

        ctl_json_write(&list->json, row, false);
        return;
    }

    for (column = list->columns; column->title != NULL; column++) {
        text = ctl_list_text(list->ctl, row, column);

        if (text.len == 0) {
            text = prompt_str_from(column->none != NULL ? column->none : "-");
        }

        ctl_list_cell(list, text);
    }
}


static void
ctl_list_cell(ctl_list_t *list, prompt_str_t text)
{
    if (list->ncells == list->room) {
        list->room = list->room != 0 ? 2 * list->room : 1024;
        list->cells = realloc(list->cells, list->room * sizeof(prompt_str_t));

        if (list->cells == NULL) {
            ctl_no_memory();
        }
    }

    text = ctl_copy(list->ctl, text);
    list->cells[list->ncells++] = ctl_shown((char *) text.data, text, "");
}


static prompt_str_t
ctl_list_text(const ctl_t *ctl, const json_t *row, const ctl_column_t *column)
{
    size_t        i;
    json_t       *value, *item;
    prompt_str_t  text;

    value = json_object_get(row, column->member);

    if (column->below != NULL) {

        if (json_is_array(value)) {
            value = json_array_get(value, json_array_size(value) - 1);
        }

        value = json_object_get(value, column->below);
    }

    if (json_is_boolean(value)) {
        return json_is_true(value) ? prompt_str("yes") : prompt_str("no");
    }

    if (json_is_integer(value)) {
        return ctl_printf(ctl, "%lld", (long long) json_integer_value(value));
    }

    if (!json_is_array(value)) {
        text = ctl_number_of(value);

        return text.data != NULL ? text : ctl_text_of(value);
    }

    text = prompt_str("");

    json_array_foreach(value, i, item) {
        text = ctl_printf(ctl, "%s%s%.*s", text.data, i != 0 ? "," : "",
                          prompt_str_arg(ctl_text_of(item)));
    }

    return text;
}


void
ctl_list_print(ctl_list_t *list)
{
    if (list->ctl->json) {
        prompt_buf_char(&list->json, ']');
        ctl_print_line(prompt_buf_view(&list->json));

    } else {
        ctl_list_columns(list);
    }

    prompt_buf_free(&list->json);
    free(list->cells);
}


static void
ctl_list_columns(const ctl_list_t *list)
{
    size_t        i, len, column;
    size_t        widths[CTL_LIST_COLUMNS];
    prompt_str_t  cell;

    memset(widths, 0, sizeof(widths));

    for (i = 0; i < list->ncells; i++) {
        column = i % list->width;
        len = prompt_utf8_length(list->cells[i]);
        widths[column] = len > widths[column] ? len : widths[column];
    }

    for (i = 0; i < list->ncells; i++) {
        column = i % list->width;
        cell = list->cells[i];

        (void) fwrite(cell.data, 1, cell.len, stdout);

        if (column == list->width - 1) {
            (void) fputc('\n', stdout);

        } else {
            len = widths[column] - prompt_utf8_length(cell) + 2;
            (void) printf("%*s", (int) len, "");
        }
    }
}


void
ctl_print_json(json_t *value)
{
    prompt_buf_t  buf;

    prompt_buf_init(&buf, CTL_JSON_MAX);
    ctl_json_write(&buf, value, false);
    ctl_print_line(prompt_buf_view(&buf));

    prompt_buf_free(&buf);
    json_decref(value);
}


/*
 * JSON escapes what is below U+0020 anyway; on a terminal the other characters
 * that control it, all of which are within strings, are escaped as well.
 */
static void
ctl_print_line(prompt_str_t text)
{
    uint32_t     c;
    const char  *p, *end, *start;

    if (!isatty(STDOUT_FILENO)) {
        (void) fwrite(text.data, 1, text.len, stdout);
        (void) fputc('\n', stdout);
        return;
    }

    p = text.data;
    end = p + text.len;

    while (p < end) {
        start = p;
        c = prompt_utf8_next(&p, end);

        if (c < 0x10000 && prompt_text_is_control(c)) {
            (void) printf("\\u%04x", (unsigned) c);
            continue;
        }

        (void) fwrite(start, 1, (size_t) (p - start), stdout);
    }

    (void) fputc('\n', stdout);
}


void
ctl_print(prompt_str_t text)
{
    char          *copy;
    prompt_str_t   shown;

    if (text.len == 0) {
        return;
    }

    if (!isatty(STDOUT_FILENO)) {
        (void) fwrite(text.data, 1, text.len, stdout);
        return;
    }

    copy = malloc(text.len);
    if (copy == NULL) {
        ctl_no_memory();
    }

    shown = ctl_shown(copy, text, "\n\t");
    (void) fwrite(shown.data, 1, shown.len, stdout);

    free(copy);
}


prompt_str_t
ctl_uuid_text(prompt_arena_t *arena, prompt_str_t id)
{
    char           text[PROMPT_UUID_TEXT_LEN];
    prompt_uuid_t  uuid;

    if (id.len != sizeof(uuid.bytes)) {
        return prompt_str("-");
    }

    memcpy(uuid.bytes, id.data, sizeof(uuid.bytes));
    prompt_uuid_format(&uuid, text);

    id = prompt_arena_copy(arena, prompt_str_of(text, sizeof(text)));

    if (id.data == NULL) {
        ctl_no_memory();
    }

    return id;
}


json_t *
ctl_json_time(bool known, int64_t time)
{
    char  text[PROMPT_TIME_TEXT_LEN];

    prompt_time_format(time, text);

    return ctl_json_text(known ? prompt_str_of(text, sizeof(text))
                               : prompt_str_absent);
}
