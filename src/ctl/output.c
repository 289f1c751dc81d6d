/*
 * Results of promptctl: JSON and tables.
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/time.h"
#include "base/utf8.h"
#include "ctl/output.h"
#include "prompt/text.h"


static void ctl_output_comma(ctl_output_t *out);
static void ctl_output_write(prompt_str_t text);
static prompt_str_t ctl_table_cell(prompt_arena_t *arena, prompt_str_t text);


void
ctl_output_init(ctl_output_t *out)
{
    prompt_buf_init(&out->buf, CTL_OUTPUT_MAX);
    out->comma = false;
}


static void
ctl_output_comma(ctl_output_t *out)
{
    if (out->comma) {
        prompt_buf_char(&out->buf, ',');
    }

    out->comma = true;
}


void
ctl_output_begin(ctl_output_t *out, char open)
{
    ctl_output_comma(out);
    prompt_buf_char(&out->buf, open);
    out->comma = false;
}


void
ctl_output_end(ctl_output_t *out, char close)
{
    prompt_buf_char(&out->buf, close);
    out->comma = true;
}


void
ctl_output_name(ctl_output_t *out, const char *name)
{
    ctl_output_comma(out);
    prompt_json_write_string(&out->buf, prompt_str_from(name));
    prompt_buf_char(&out->buf, ':');
    out->comma = false;
}


void
ctl_output_string(ctl_output_t *out, prompt_str_t s)
{
    ctl_output_comma(out);

    if (s.data == NULL) {
        prompt_buf_literal(&out->buf, "null");
        return;
    }

    prompt_json_write_string(&out->buf, s);
}


void
ctl_output_int(ctl_output_t *out, int64_t n)
{
    ctl_output_comma(out);
    prompt_buf_int(&out->buf, n);
}


void
ctl_output_bool(ctl_output_t *out, bool value)
{
    ctl_output_comma(out);
    prompt_buf_str(&out->buf, value ? prompt_str("true")
                                    : prompt_str("false"));
}


void
ctl_output_json(ctl_output_t *out, const prompt_json_t *value)
{
    ctl_output_comma(out);
    prompt_json_write(&out->buf, value);
}


void
ctl_output_uuid(ctl_output_t *out, prompt_str_t id)
{
    char           text[PROMPT_UUID_TEXT_LEN];
    prompt_uuid_t  uuid;

    if (id.len != sizeof(uuid.bytes)) {
        ctl_output_string(out, prompt_str_absent);
        return;
    }

    memcpy(uuid.bytes, id.data, sizeof(uuid.bytes));
    prompt_uuid_format(&uuid, text);
    ctl_output_string(out, prompt_str_of(text, sizeof(text)));
}


void
ctl_output_time(ctl_output_t *out, bool known, int64_t time)
{
    char  text[PROMPT_TIME_TEXT_LEN];

    if (!known) {
        ctl_output_string(out, prompt_str_absent);
        return;
    }

    prompt_time_format(time, text);
    ctl_output_string(out, prompt_str_of(text, sizeof(text)));
}


int
ctl_output_print(ctl_output_t *out)
{
    int  rc;

    rc = CTL_OK;

    if (out->buf.status != PROMPT_BUF_OK) {
        rc = ctl_no_memory();

    } else {
        ctl_output_write(prompt_buf_view(&out->buf));
        (void) fputc('\n', stdout);
    }

    prompt_buf_free(&out->buf);

    return rc;
}


/*
 * JSON escapes what is below U+0020 anyway; on a terminal the other characters
 * that control it, all of which are within strings, are escaped as well.
 */

static void
ctl_output_write(prompt_str_t text)
{
    uint32_t     c;
    const char  *p, *end, *start;

    if (!isatty(STDOUT_FILENO)) {
        (void) fwrite(text.data, 1, text.len, stdout);
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
}


void
ctl_table_init(ctl_table_t *table, prompt_arena_t *arena, unsigned width,
    const char *const *titles)
{
    unsigned      i;
    prompt_str_t  cells[CTL_TABLE_WIDTH];

    memset(table, 0, sizeof(ctl_table_t));

    table->arena = arena;
    table->width = width;

    for (i = 0; i < width; i++) {
        cells[i] = prompt_str_from(titles[i]);
    }

    ctl_table_line(table, cells);
}


void
ctl_table_line(ctl_table_t *table, const prompt_str_t *cells)
{
    unsigned           i;
    ctl_table_line_t  *line;

    line = prompt_arena_zalloc(table->arena, sizeof(ctl_table_line_t));
    if (line == NULL) {
        table->failed = true;
        return;
    }

    for (i = 0; i < table->width; i++) {
        line->cells[i] = ctl_table_cell(table->arena, cells[i]);

        if (line->cells[i].data == NULL) {
            table->failed = true;
            return;
        }
    }

    if (table->last == NULL) {
        table->first = line;
    } else {
        table->last->next = line;
    }

    table->last = line;
}


/* a copy without control characters; "-" for absent and empty ones */

static prompt_str_t
ctl_table_cell(prompt_arena_t *arena, prompt_str_t text)
{
    char  *copy;

    if (text.len == 0) {
        return prompt_str("-");
    }

    copy = prompt_arena_alloc(arena, text.len);

    return copy != NULL ? ctl_shown(copy, text, "") : prompt_str_absent;
}


int
ctl_table_print(ctl_table_t *table)
{
    size_t             len;
    size_t             widths[CTL_TABLE_WIDTH];
    unsigned           i;
    ctl_table_line_t  *line;

    if (table->failed) {
        return ctl_no_memory();
    }

    memset(widths, 0, sizeof(widths));

    for (line = table->first; line != NULL; line = line->next) {
        for (i = 0; i < table->width; i++) {
            len = prompt_utf8_length(line->cells[i]);
            widths[i] = len > widths[i] ? len : widths[i];
        }
    }

    for (line = table->first; line != NULL; line = line->next) {

        for (i = 0; i < table->width; i++) {
            len = prompt_utf8_length(line->cells[i]);

            (void) fwrite(line->cells[i].data, 1, line->cells[i].len, stdout);

            if (i + 1 < table->width) {
                (void) printf("%*s", (int) (widths[i] - len + 2), "");
            }
        }

        (void) fputc('\n', stdout);
    }

    return CTL_OK;
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

    return prompt_arena_copy(arena, prompt_str_of(text, sizeof(text)));
}


prompt_str_t
ctl_time_text(prompt_arena_t *arena, int64_t time)
{
    char  text[PROMPT_TIME_TEXT_LEN];

    prompt_time_format(time, text);

    return prompt_arena_copy(arena, prompt_str_of(text, sizeof(text)));
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
        (void) ctl_no_memory();
        return;
    }

    shown = ctl_shown(copy, text, "\n\t");
    (void) fwrite(shown.data, 1, shown.len, stdout);

    free(copy);
}
