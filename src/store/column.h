/*
 * Columns: what PostgreSQL has of a resource, and where a record has it.
 *
 * Each resource has one table of them, beside its statements.  From it come
 * what statements select, return, insert and change (statement.h), how rows
 * become records, and what the resolvers of the service need to know.  A
 * column is known by the offset of its member in the record; its bit in
 * masks is its place in the table.
 */

#ifndef PROMPT_STORE_COLUMN_H
#define PROMPT_STORE_COLUMN_H

#include <stddef.h>

#include "store/value.h"


/* what a column holds, and the type of its member */
typedef enum {
    PROMPT_KIND_UUID = 0,            /* prompt_str_t, 16 bytes */
    PROMPT_KIND_BYTES,               /* prompt_str_t */
    PROMPT_KIND_TEXT,                /* prompt_str_t */
    PROMPT_KIND_JSON,                /* prompt_str_t: JSON text, as sent */
    PROMPT_KIND_DECIMAL,             /* prompt_str_t: plain decimal text */
    PROMPT_KIND_OBJECTS,             /* prompt_objects_t: JSON text */
    PROMPT_KIND_TEXTS,               /* prompt_texts_t */
    PROMPT_KIND_BOOL,                /* bool; never NULL */
    PROMPT_KIND_INT,                 /* int32_t; nullable: prompt_maybe_t */
    PROMPT_KIND_TIME                 /* int64_t; nullable: prompt_maybe_t */
} prompt_kind_t;


/* flags of a column */
#define PROMPT_COLUMN_NULLABLE  0x01
#define PROMPT_COLUMN_SHORT     0x02 /* a few KB at most, whoever writes it */
#define PROMPT_COLUMN_LARGE     0x04 /* a first attempt may leave it out; TEXT
                                        or JSON */
#define PROMPT_COLUMN_PRIVATE   0x08 /* for the one who ran it */
#define PROMPT_COLUMN_UNREAD    0x10 /* only ever written */
#define PROMPT_COLUMN_CREATE    0x20 /* given when the row is made */
#define PROMPT_COLUMN_CHANGE    0x40 /* what changes the row can change it */
#define PROMPT_COLUMN_COPY      0x80 /* a fork has the original's */
#define PROMPT_COLUMN_START     0x100 /* of an execution that starts */
#define PROMPT_COLUMN_CALLER    0x200 /* differs from caller to caller: of what
                                        changes return it is no part */
#define PROMPT_COLUMN_ID        0x400 /* UUIDv7, in which its time is */
#define PROMPT_COLUMN_BESIDE    0x1000 /* LARGE, and read where the column
                                        before it is: so there are half as many
                                        statements */
#define PROMPT_COLUMN_CONTENT   0x2000 /* of an execution: is only stored where
                                          operator and project have it so; of
                                          its end or else of its input */
#define PROMPT_COLUMN_MADE      0x4000 /* of a family: made by its expression
                                          alone, which leaves it out itself */
#define PROMPT_COLUMN_OF_ID     0x800 /* TIME, not null: known where the id
                                        is, and not read for itself */


typedef struct {
    const char     *name;
    size_t          offset;          /* in the record */
    prompt_kind_t   kind;
    unsigned        flags;
    const char     *select;          /* NULL, or of what is no column of the
                                        table an expression; @ is the caller */
} prompt_column_t;

/* name and offset of a member that is called as its column is */
#define prompt_column(record, member)  #member, offsetof(record, member)

/* a column of the table, of a PROMPT_KIND_… */
#define prompt_column_is(record, member, kind, flags)                        \
    { prompt_column(record, member), PROMPT_KIND_##kind, flags, NULL }


typedef struct prompt_resource_s {
    const char             *name;    /* in the texts of statements */
    char                    alias;   /* of its table in families */
    const prompt_column_t  *columns;
    unsigned                ncolumns;    /* at most PROMPT_COLUMNS_MAX */
} prompt_resource_t;

/* a bit each in masks: more do not compile */
#define prompt_columns_count(table)  (sizeof(table) / sizeof((table)[0]))
#define prompt_columns(table)                                                \
    table, prompt_columns_count(table)                                       \
           + 0 * sizeof(char [1 - 2 * (prompt_columns_count(table)           \
                                       > PROMPT_COLUMNS_MAX)])


/* the column of the member at offset, or NULL */
const prompt_column_t *prompt_column_at(const prompt_resource_t *resource,
    size_t offset);

/* whether what it holds has no length of its own: it is LARGE or SHORT */
static inline bool
prompt_column_is_long(const prompt_column_t *column)
{
    return column->kind == PROMPT_KIND_BYTES || column->kind == PROMPT_KIND_TEXT
           || column->kind == PROMPT_KIND_JSON
           || column->kind == PROMPT_KIND_OBJECTS
           || column->kind == PROMPT_KIND_TEXTS;
}

/* the bit of a column */
#define prompt_column_bit(resource, column)                                  \
    (PROMPT_MASK_BIT << ((column) - (resource)->columns))

/* the bit of the column of a member that there is */
#define prompt_bit(resource, record, member)                                 \
    prompt_column_bit(resource, prompt_column_at(resource,                   \
                                                 offsetof(record, member)))

/* mask of the columns that have one of the flags, or none of them */
prompt_mask_t prompt_columns_with(const prompt_resource_t *resource,
    unsigned flags);
prompt_mask_t prompt_columns_without(const prompt_resource_t *resource,
    unsigned flags);

/* mask of those that are read at all and not LARGE */
#define prompt_columns_small(resource)                                       \
    prompt_columns_without(resource, PROMPT_COLUMN_UNREAD|PROMPT_COLUMN_LARGE)

/*
 * mask of those that changes return, and of these that are not given to them;
 * the record that these are read into has the id that was given
 */
#define PROMPT_COLUMN_SILENT  (PROMPT_COLUMN_UNREAD|PROMPT_COLUMN_CALLER)
#define PROMPT_COLUMN_GIVEN   (PROMPT_COLUMN_SILENT|PROMPT_COLUMN_CREATE)

#define prompt_columns_returned(resource)                                    \
    prompt_columns_without(resource, PROMPT_COLUMN_SILENT)
#define prompt_columns_made(resource)                                        \
    prompt_columns_without(resource, PROMPT_COLUMN_GIVEN)

/*
 * Reads the columns of mask, which stand in the row from cell number `cell`
 * on, into their members of record; the other members stay as they are.
 * For the time in the id there is no cell: it is taken from the record's id.
 * Returns the number of the cell behind them.
 */
unsigned prompt_columns_read(const prompt_resource_t *resource,
    prompt_mask_t mask, const prompt_rows_t *rows, unsigned row, unsigned cell,
    void *record);

/* all that are returned, and how many cells they have */
#define prompt_columns_read_returned(resource, rows, row, cell, record)      \
    prompt_columns_read(resource, prompt_columns_returned(resource), rows,   \
                        row, cell, record)
#define prompt_columns_cells(resource)                                       \
    ((unsigned) __builtin_popcountll(prompt_columns_without(resource,        \
                               PROMPT_COLUMN_SILENT|PROMPT_COLUMN_OF_ID)))

/*
 * Binds the columns of mask from the record, as its CREATE or CHANGE wants
 * them: for each column one parameter.
 */
void prompt_columns_bind(prompt_bind_t *bind,
    const prompt_resource_t *resource, prompt_mask_t mask, const void *record);

/*
 * Binds all that can be changed: those of given from the record, the others
 * so that they stay as they are.
 */
void prompt_columns_bind_change(prompt_bind_t *bind,
    const prompt_resource_t *resource, prompt_mask_t given, const void *record);

/*
 * Writes the columns of mask as members of a JSON object, each behind a comma:
 * what json_to_recordset() takes apart again by {resource record}.
 */
void prompt_columns_write(const prompt_resource_t *resource, prompt_mask_t mask,
    const void *record, prompt_buf_t *out);

/* Makes what the record views copies in the arena.  False: memory. */
bool prompt_columns_keep(const prompt_resource_t *resource,
    prompt_arena_t *arena, void *record) PROMPT_WARN_UNUSED;

#endif /* PROMPT_STORE_COLUMN_H */
