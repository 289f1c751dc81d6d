/*
 * JSON (RFC 8259): exact values, a reader and a writer.
 *
 * A value is carried from the request to the database and back as it was
 * sent: members in their order, strings decoded but unchanged, numbers as the
 * text that was sent.  A common JSON library does not promise that (it turns
 * 0.1 into a double and writes that), and it builds a tree of all that a
 * hostile sender cares to send.  Hence this one.
 *
 * The same tree carries what GraphQL coerces (variables, arguments).
 */

#ifndef PROMPT_BASE_JSON_H
#define PROMPT_BASE_JSON_H

#include "base/arena.h"
#include "base/buf.h"


typedef enum {
    PROMPT_JSON_NULL = 0,
    PROMPT_JSON_BOOLEAN,
    PROMPT_JSON_NUMBER,
    PROMPT_JSON_STRING,
    PROMPT_JSON_ARRAY,
    PROMPT_JSON_OBJECT
} prompt_json_type_t;


typedef struct prompt_json_s  prompt_json_t;

/*
 * A value.  All of it lives in the arena it was read or built in; string and
 * number text may point into the source.  Members and elements are a linked
 * list in their order.
 */
struct prompt_json_s {
    prompt_json_type_t   type;
    bool                 boolean;    /* BOOLEAN */
    uint32_t             count;      /* ARRAY, OBJECT: elements or members */
    prompt_str_t         text;       /* NUMBER: as sent; STRING: decoded */
    prompt_str_t         name;       /* where it is a member: its name */
    prompt_json_t       *first;      /* ARRAY, OBJECT */
    prompt_json_t       *last;
    prompt_json_t       *next;       /* sibling */
};


typedef enum {
    PROMPT_JSON_OK = 0,
    PROMPT_JSON_SYNTAX,              /* not JSON, or not UTF-8 */
    PROMPT_JSON_DEPTH,               /* nested deeper than max_depth */
    PROMPT_JSON_DUPLICATE,           /* a member twice in one object */
    PROMPT_JSON_SURROGATE,           /* \ud800 alone: no Unicode text */
    PROMPT_JSON_NOMEM,               /* memory, or the arena's limit */
    PROMPT_JSON_VALUES               /* more than max_values */
} prompt_json_status_t;


typedef struct {
    prompt_json_status_t  status;
    size_t                offset;    /* of the byte where it went wrong */
    const char           *message;   /* static; English, for people */
} prompt_json_error_t;


/*
 * Reads the one value that text consists of, white space around it allowed.
 * Strings are validated as UTF-8 and may contain U+0000 (callers refuse it
 * where it must not be: prompt_json_find_nul()).  Recursion is bounded by
 * max_depth (a scalar has depth 0, [] depth 1).
 * Returns NULL and fills *error on failure.
 */
prompt_json_t *prompt_json_read(prompt_arena_t *arena, prompt_str_t text,
    unsigned max_depth, prompt_json_error_t *error) PROMPT_WARN_UNUSED;

/*
 * The same for at most so many values, those within others included: two bytes
 * of text ("1,") are 80 bytes and some work in a tree.
 */
prompt_json_t *prompt_json_read_bounded(prompt_arena_t *arena,
    prompt_str_t text, unsigned max_depth, uint32_t max_values,
    prompt_json_error_t *error) PROMPT_WARN_UNUSED;

/* line and column (from 1, in characters) of an offset, for messages */
void prompt_json_position(prompt_str_t text, size_t offset, unsigned *line,
    unsigned *column);


/* Builders: NULL when the arena is exhausted. */
prompt_json_t *prompt_json_new(prompt_arena_t *arena, prompt_json_type_t type)
    PROMPT_WARN_UNUSED;
prompt_json_t *prompt_json_new_string(prompt_arena_t *arena, prompt_str_t s)
    PROMPT_WARN_UNUSED;                                   /* does not copy s */
prompt_json_t *prompt_json_new_integer(prompt_arena_t *arena, int64_t n)
    PROMPT_WARN_UNUSED;

/*
 * Appends value, which must not be in another container, to an ARRAY, or to
 * an OBJECT under name (not copied; the caller sees to it that it is new).
 */
void prompt_json_append(prompt_json_t *array, prompt_json_t *value);
void prompt_json_set(prompt_json_t *object, prompt_str_t name,
    prompt_json_t *value);

/* The same with a new value; false: the arena is exhausted. */
bool prompt_json_set_string(prompt_json_t *object, prompt_arena_t *arena,
    const char *name, prompt_str_t s) PROMPT_WARN_UNUSED;
bool prompt_json_set_integer(prompt_json_t *object, prompt_arena_t *arena,
    const char *name, int64_t n) PROMPT_WARN_UNUSED;

/* A deep copy that shares nothing with value but the arena. */
prompt_json_t *prompt_json_copy(prompt_arena_t *arena,
    const prompt_json_t *value) PROMPT_WARN_UNUSED;


/* The member of that name, or NULL (also where object is NULL or no OBJECT) */
prompt_json_t *prompt_json_get(const prompt_json_t *object, prompt_str_t name);

/* The element, from 0, or NULL. */
prompt_json_t *prompt_json_at(const prompt_json_t *array, size_t index);

/*
 * The value of a NUMBER as an integer: true where its value is an integer of
 * 64 bits (1, 1.0, 1e2), without any rounding.
 */
bool prompt_json_integer(const prompt_json_t *number, int64_t *out);

/* The nearest double; false where that is infinite. */
bool prompt_json_double(const prompt_json_t *number, double *out);

/*
 * Whether the number can be kept: an integer (no point, no exponent) within
 * 64 bits (signed), or a fraction whose nearest double is finite and not 0
 * where the number is not 0.
 */
bool prompt_json_number_exact(const prompt_json_t *number);

/*
 * Equality as JSON Schema wants it: numbers by value (1 equals 1.0), objects
 * regardless of order.
 */
bool prompt_json_equal(const prompt_json_t *a, const prompt_json_t *b);

/*
 * Whether no two elements of an ARRAY are equal; in n log n steps, whatever
 * they are.  Where two are, *twice is the index of the second.  *bytes is a
 * measure of the work it took.
 */
typedef enum {
    PROMPT_JSON_UNIQUE = 0,
    PROMPT_JSON_NOT_UNIQUE,
    PROMPT_JSON_UNIQUE_NOMEM
} prompt_json_unique_t;

prompt_json_unique_t prompt_json_unique(const prompt_json_t *array,
    size_t *twice, size_t *bytes) PROMPT_WARN_UNUSED;

/* the first string or member name that contains U+0000, or NULL */
const prompt_json_t *prompt_json_find_nul(const prompt_json_t *value);


/* Writer: compact, "/" and characters outside ASCII as they are. */
void prompt_json_write(prompt_buf_t *buf, const prompt_json_t *value);
void prompt_json_write_string(prompt_buf_t *buf, prompt_str_t s); /* quoted */

/* shortest text that reads back as the same double; "null" if not finite */
void prompt_json_write_double(prompt_buf_t *buf, double value);

/*
 * The same of a finite number, as ECMAScript has it where that is asked for:
 * 1e-7 and 1e+21, not 0.0000001 and 1e21.  Returns how many bytes there are.
 */
#define PROMPT_JSON_DOUBLE_MAX  32

size_t prompt_json_format_double(double value, bool script,
    char out[PROMPT_JSON_DOUBLE_MAX]);


/*
 * Pull reader: walks a text that is not worth a tree (a provider's answer of
 * several MiB) without allocating.  Used as
 *
 *     prompt_json_scan_init(&scan, text, max_depth);
 *     if (prompt_json_scan_object(&scan)) {
 *         while (prompt_json_scan_member(&scan, &name)) {
 *             if (name is wanted) ... prompt_json_scan_value() ...
 *             else prompt_json_scan_skip(&scan);
 *         }
 *     }
 *     if (scan.error.status != PROMPT_JSON_OK) ...
 *
 * Any error is sticky and ends every loop.  Each value must be consumed by
 * exactly one of the calls.
 */
typedef struct {
    const char           *pos;
    const char           *start;
    const char           *end;
    unsigned              depth;
    unsigned              max_depth;
    uint32_t              values;    /* that a tree may still have */
    bool                  first;     /* no member or element read yet */
    prompt_json_error_t   error;
} prompt_json_scan_t;

void prompt_json_scan_init(prompt_json_scan_t *scan, prompt_str_t text,
    unsigned max_depth);

/* what comes next, without consuming it; NULL type at an error */
prompt_json_type_t prompt_json_scan_type(prompt_json_scan_t *scan);

/* Enter the container that comes next; false (nothing consumed) if another. */
bool prompt_json_scan_object(prompt_json_scan_t *scan);
bool prompt_json_scan_array(prompt_json_scan_t *scan);

/*
 * The next member, its raw name (between the quotes, escapes not decoded), or
 * element; false at the end of the container, which is then left, or at an
 * error.
 */
bool prompt_json_scan_member(prompt_json_scan_t *scan, prompt_str_t *raw_name);
bool prompt_json_scan_element(prompt_json_scan_t *scan);

/* Reads the value that comes next into a tree; NULL at an error. */
prompt_json_t *prompt_json_scan_value(prompt_json_scan_t *scan,
    prompt_arena_t *arena) PROMPT_WARN_UNUSED;

/* Passes over the value that comes next, checking that it is JSON. */
void prompt_json_scan_skip(prompt_json_scan_t *scan);

/* After the outermost value: true where only white space is left. */
bool prompt_json_scan_end(prompt_json_scan_t *scan);

#endif /* PROMPT_BASE_JSON_H */
