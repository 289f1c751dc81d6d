/*
 * Results of promptctl: JSON for scripts, aligned columns for people.
 */

#ifndef CTL_OUTPUT_H
#define CTL_OUTPUT_H

#include "base/buf.h"
#include "base/json.h"
#include "base/uuid.h"
#include "ctl/ctl.h"


#define CTL_OUTPUT_MAX   ((size_t) 1024 * 1024 * 1024)
#define CTL_TABLE_WIDTH  8                   /* columns at most */


/* a JSON text in the making; commas come by themselves */
typedef struct {
    prompt_buf_t  buf;
    bool          comma;                     /* before the next value */
} ctl_output_t;


void ctl_output_init(ctl_output_t *out);

/* '{' or '[', and '}' or ']' */
void ctl_output_begin(ctl_output_t *out, char open);
void ctl_output_end(ctl_output_t *out, char close);

/* the name of the member whose value comes next */
void ctl_output_name(ctl_output_t *out, const char *name);

void ctl_output_string(ctl_output_t *out, prompt_str_t s);   /* absent: null */
void ctl_output_int(ctl_output_t *out, int64_t n);
void ctl_output_bool(ctl_output_t *out, bool value);
void ctl_output_json(ctl_output_t *out, const prompt_json_t *value);

/* 16 bytes; µs since 1970, *known or null */
void ctl_output_uuid(ctl_output_t *out, prompt_str_t id);
void ctl_output_time(ctl_output_t *out, bool known, int64_t time);

/* Prints it as one line and frees it; returns an exit status. */
int ctl_output_print(ctl_output_t *out);


/* lines of cells, printed in columns as wide as their widest cell */
typedef struct ctl_table_line_s  ctl_table_line_t;

struct ctl_table_line_s {
    prompt_str_t        cells[CTL_TABLE_WIDTH];
    ctl_table_line_t   *next;
};

typedef struct {
    prompt_arena_t     *arena;
    unsigned            width;
    ctl_table_line_t   *first;
    ctl_table_line_t   *last;
    bool                failed;
} ctl_table_t;


/* titles: width of them */
void ctl_table_init(ctl_table_t *table, prompt_arena_t *arena,
    unsigned width, const char *const *titles);

/*
 * A line of as many views as the table is wide.  Cells are copied, control
 * characters shown as "?": nothing that is stored moves a terminal's cursor.
 */
void ctl_table_line(ctl_table_t *table, const prompt_str_t *cells);

/* Prints it; returns an exit status. */
int ctl_table_print(ctl_table_t *table);

/* texts of an id and of a time, in the arena; absent where memory is short */
prompt_str_t ctl_uuid_text(prompt_arena_t *arena, prompt_str_t id);
prompt_str_t ctl_time_text(prompt_arena_t *arena, int64_t time);

/*
 * Text that others wrote: byte for byte into a file or pipe, but on a
 * terminal without the characters that control it.
 */
void ctl_print(prompt_str_t text);

#endif /* CTL_OUTPUT_H */
