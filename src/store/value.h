/*
 * Values on their way to PostgreSQL and back, in its binary formats.
 *
 * Binding: one prompt_bind_t fills one statement's parameters in their order.
 * Failure is sticky, so that one look at prompt_bind_end() tells.
 *
 * Everything bound is copied into query->arena.  A query may outlive the
 * request it was made for; nothing of the caller's has to.
 *
 * A time is, in the whole store, what base/time.h says: microseconds since
 * 1970.
 */

#ifndef PROMPT_STORE_VALUE_H
#define PROMPT_STORE_VALUE_H

#include "base/json.h"
#include "base/time.h"
#include "store/query.h"


/* object ids of PostgreSQL's types: fixed by PostgreSQL for good */
#define PROMPT_OID_BOOL         16
#define PROMPT_OID_BYTEA        17
#define PROMPT_OID_INT8         20
#define PROMPT_OID_INT4         23
#define PROMPT_OID_TEXT         25
#define PROMPT_OID_JSON         114
#define PROMPT_OID_TEXTS        1009
#define PROMPT_OID_TIMESTAMPTZ  1184
#define PROMPT_OID_UUID         2950
#define PROMPT_OID_UUIDS        2951

#define PROMPT_UUID_LEN         16


/* a number that may be unknown (SQL NULL) */
typedef struct {
    bool     known;
    int64_t  value;
} prompt_maybe_t;

#define prompt_maybe_unknown  ((prompt_maybe_t) { false, 0 })

static inline prompt_maybe_t
prompt_maybe(int64_t value)
{
    return (prompt_maybe_t) { true, value };
}

/*
 * An array of texts, in PostgreSQL's binary format.  Zeroed, it is empty; or
 * NULL, where that may be.
 * They are wanted one after the other: next is where the item `index` begins,
 * relative to the first.
 */
typedef struct {
    prompt_str_t  cell;
    uint32_t      count;
    uint32_t      index;
    size_t        next;
} prompt_texts_t;


/*
 * An array of objects as JSON text.  They are wanted one after the other: item
 * is the one that was given last, next where the one behind it begins.
 */
typedef struct {
    prompt_str_t  cell;              /* absent: SQL NULL */
    prompt_str_t  item;
    size_t        next;
} prompt_objects_t;


typedef struct {
    prompt_query_t  *query;
    prompt_bound_t  *bound;          /* NULL once something failed */
    unsigned         n;              /* parameters bound so far */
} prompt_bind_t;


/* A NULL statement is a failure, too: its maker may have lacked memory. */
void prompt_bind_begin(prompt_bind_t *bind, prompt_query_t *query,
    const prompt_statement_t *statement);

void prompt_bind_null(prompt_bind_t *bind);
void prompt_bind_bool(prompt_bind_t *bind, bool value);
void prompt_bind_int4(prompt_bind_t *bind, int32_t value);
void prompt_bind_int8(prompt_bind_t *bind, int64_t value);
void prompt_bind_time(prompt_bind_t *bind, int64_t time);

/* 16 bytes; anything else, absent too, is a failure */
void prompt_bind_uuid(prompt_bind_t *bind, prompt_str_t id);

/* the same, but absent is SQL NULL */
void prompt_bind_maybe_uuid(prompt_bind_t *bind, prompt_str_t id);

/* the time in a UUIDv7 */
void prompt_bind_id_time(prompt_bind_t *bind, prompt_str_t id);

/* an array of them: 16 bytes each */
void prompt_bind_uuids(prompt_bind_t *bind, prompt_str_t ids);

/* text, json, bytea; absent is SQL NULL */
void prompt_bind_text(prompt_bind_t *bind, prompt_str_t text);

/* unknown is SQL NULL; an int4 beyond 32 bits is a failure */
void prompt_bind_maybe_int4(prompt_bind_t *bind, prompt_maybe_t value);
void prompt_bind_maybe_int8(prompt_bind_t *bind, prompt_maybe_t value);
void prompt_bind_maybe_time(prompt_bind_t *bind, prompt_maybe_t time);

/* an array of texts; an empty one where it is zeroed */
void prompt_bind_texts(prompt_bind_t *bind, const prompt_texts_t *texts);

/*
 * Appends the statement to the query.  False, and the query is as before,
 * where memory is short, the query is full, or a value did not fit.
 */
bool prompt_bind_end(prompt_bind_t *bind) PROMPT_WARN_UNUSED;


/*
 * Decoding.  SQL NULL is 0, false, or unknown; so is a cell of a width that
 * no number has.  Text and uuid cells are taken as they are.
 */
int64_t prompt_cell_int(prompt_str_t cell);
double prompt_cell_double(prompt_str_t cell);    /* float8 */
bool prompt_cell_bool(prompt_str_t cell);
prompt_maybe_t prompt_cell_maybe(prompt_str_t cell);

/* The infinities are PROMPT_TIME_MIN and PROMPT_TIME_MAX. */
int64_t prompt_cell_time(prompt_str_t cell);
prompt_maybe_t prompt_cell_maybe_time(prompt_str_t cell);

/* The time in a UUIDv7, its first 48 bits; 0 for what is no UUID. */
int64_t prompt_id_time(prompt_str_t id);

/* What is no array of one dimension of texts without nulls is empty. */
prompt_texts_t prompt_cell_texts(prompt_str_t cell);

/* the text of that index, which is below count */
prompt_str_t prompt_texts_item(prompt_texts_t *texts, uint32_t index);

/* Makes *texts the strings of a list, in the arena.  False: memory. */
bool prompt_texts_of(prompt_arena_t *arena, const prompt_json_t *list,
    prompt_texts_t *texts) PROMPT_WARN_UNUSED;

/*
 * How many objects there are, and the first is the next one.  What is no array
 * of objects is empty, or ends early.
 */
uint32_t prompt_objects_begin(prompt_objects_t *objects);

/* Makes item the next object; absent: that is none, or there is no more. */
void prompt_objects_next(prompt_objects_t *objects);

/* The JSON text of a member of item; absent where there is none, or null. */
prompt_str_t prompt_objects_member(const prompt_objects_t *objects,
    prompt_str_t name);

#endif /* PROMPT_STORE_VALUE_H */
