/*
 * Errors of a request, in the form of the GraphQL specification, 7.1.2.
 */

#ifndef GQL_ERROR_H
#define GQL_ERROR_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "graphql/syntax/source.h"


/*
 * What one error may take and show, whatever a document is made of: an
 * operation with a name of 1 MB and a hundred errors is 100 MB otherwise.
 */
typedef struct {
    size_t    message;               /* bytes; a longer one is cut */
    size_t    value;                 /* bytes of a value or name within it */
    uint32_t  locations;
    bool      halves;                /* half of a character is shown as such,
                                        which is no UTF-8, not as U+FFFD */
} gql_error_bounds_t;

/* who is linked with another one, as no stranger talks to it, has that */
extern const gql_error_bounds_t  gql_error_bounds;

/*
 * For "%.*s": printf reads all that it is given, so it is not given more than
 * is worth reading.  s is evaluated twice, hence nothing but what has an
 * address: what a function returns has a variable first.
 */
#define GQL_ERROR_MAX_TEXT       65536

#define gql_error_arg(s)  gql_error_arg_len(&(s)), (&(s))->data

static inline int
gql_error_arg_len(const prompt_str_t *s)
{
    return s->len < GQL_ERROR_MAX_TEXT ? (int) s->len : GQL_ERROR_MAX_TEXT;
}


typedef struct gql_path_s  gql_path_t;

/* A response path, innermost first: a key, or an index where key is absent */
struct gql_path_s {
    const gql_path_t  *parent;       /* NULL at the root field */
    prompt_str_t       key;
    uint32_t           index;
};


typedef struct gql_error_s  gql_error_t;

struct gql_error_s {
    gql_error_t          *next;
    prompt_str_t          message;
    gql_location_t       *locations; /* NULL: none */
    uint32_t              nlocations;
    const gql_path_t     *path;      /* NULL: none */
    prompt_str_t          code;      /* extensions.code; absent: default */
    bool                  of_request; /* no code, and the request's fault:
                                        an argument, an operation */
    prompt_str_t          field;     /* extensions.field; absent: none */
    const prompt_json_t  *extra;     /* further members of extensions, an
                                        OBJECT, or NULL */
};


/*
 * A list of errors with its limit.  All memory is the arena's; when the arena
 * gives out, nomem is set and the error is lost: look at it at the end.
 */
typedef struct {
    prompt_arena_t  *arena;
    prompt_str_t     source;         /* what locations are counted in */
    gql_error_t     *first;
    gql_error_t     *last;
    uint32_t         count;
    uint32_t         max;            /* 0: no limit */
    bool             full;           /* one more than max was wanted: stop
                                        looking */
    bool             nomem;
    bool             discreet;       /* set by who reads them out: messages
                                        suggest no names of the schema */

    gql_source_index_t  *index;      /* private: places in source */
} gql_errors_t;


void gql_errors_init(gql_errors_t *errors, prompt_arena_t *arena,
    prompt_str_t source, uint32_t max);

/*
 * Adds an error with a message made by printf and returns it, to be completed
 * by the caller, or NULL (nomem, or full).
 */
gql_error_t *gql_errors_add(gql_errors_t *errors, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The same with a message made of pieces, which may contain any byte (U+0000
 * too, which ends a "%s").
 */
gql_error_t *gql_errors_add_pieces(gql_errors_t *errors,
    const prompt_str_t *pieces, size_t n);

/*
 * Adds the location of a byte offset of the source, unless there are as many
 * as there may be; error may be NULL.
 */
void gql_error_at(gql_errors_t *errors, gql_error_t *error, uint32_t offset);

/*
 * Writes one error as a JSON object: message, locations, path, extensions.
 * default_code stands in for an absent code; absent itself: where the error
 * has neither code, field nor extra, no extensions are written.
 */
void gql_error_write(prompt_buf_t *buf, const gql_error_t *error,
    prompt_str_t default_code);

/* Writes all as a JSON array. */
void gql_errors_write(prompt_buf_t *buf, const gql_errors_t *errors,
    prompt_str_t default_code);

#endif /* GQL_ERROR_H */
