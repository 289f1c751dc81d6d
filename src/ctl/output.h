/*
 * Results of promptctl: JSON for scripts, aligned columns for people.
 */

#ifndef CTL_OUTPUT_H
#define CTL_OUTPUT_H

#include "base/uuid.h"
#include "ctl/json.h"


#define CTL_LIST_COLUMNS  8                  /* at most */


/*
 * A column of a list, made of what its rows are as JSON: a text, a number, a
 * boolean ("yes" or "no"), or texts, all of which are shown.
 */
typedef struct {
    const char  *title;
    const char  *member;
    const char  *below;                      /* a member of that member, of a
                                                list of its last; or NULL */
    const char  *none;                       /* for what is absent, null or
                                                empty; NULL: "-" */
} ctl_column_t;

/* rows that come one by one, for --json as a text, else as cells */
typedef struct {
    const ctl_t         *ctl;
    const ctl_column_t  *columns;
    size_t               width;              /* columns */
    prompt_str_t        *cells;
    size_t               ncells;
    size_t               room;
    prompt_buf_t         json;
} ctl_list_t;


/* columns: ended by one without title */
void ctl_list_begin(ctl_list_t *list, const ctl_t *ctl,
    const ctl_column_t *columns);

/*
 * Cells are copied, control characters shown as "?": nothing that is stored
 * moves a terminal's cursor.
 */
void ctl_list_add(ctl_list_t *list, const json_t *row);

/* Prints all of it, in columns as wide as their widest cell. */
void ctl_list_print(ctl_list_t *list);


/* Prints a value as one line, and gives it back. */
void ctl_print_json(json_t *value);

/*
 * Text that others wrote: byte for byte into a file or pipe, but on a
 * terminal without the characters that control it.
 */
void ctl_print(prompt_str_t text);


/* the text of an id, in the arena */
prompt_str_t ctl_uuid_text(prompt_arena_t *arena, prompt_str_t id);

/*
 * Which versions a label has, with the run's arena: its number, or where they
 * share it 3=900 4=100, in thousandths.  The label has version and split.
 */
prompt_str_t ctl_label_shares(const ctl_t *ctl, const json_t *label);

/* µs since 1970 as a text, or null where they are not known */
json_t *ctl_json_time(bool known, int64_t time);

#endif /* CTL_OUTPUT_H */
