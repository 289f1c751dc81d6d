/*
 * Statements and queries as data: what src/store describes and src/io sends.
 *
 * All parameters and all results are in PostgreSQL's binary format, except
 * where a statement casts (numeric travels as text).
 */

#ifndef PROMPT_STORE_QUERY_H
#define PROMPT_STORE_QUERY_H

#include <stddef.h>

#include "base/arena.h"
#include "store/actor.h"


#define PROMPT_STORE_MAX_PARAMS      48
#define PROMPT_STORE_MAX_STATEMENTS  16       /* in one query */
#define PROMPT_STORE_MAX_ROWS        16       /* in one statement */

/*
 * Columns of a resource: a bit each.  What is above them is for families of
 * statements (statement.c).
 */
typedef uint64_t  prompt_mask_t;

#define PROMPT_COLUMNS_MAX           56
#define PROMPT_MASK_BIT              UINT64_C(1)
#define PROMPT_MASK_ALL(resource)                                            \
    ((PROMPT_MASK_BIT << (resource)->ncolumns) - 1)


/* what a statement does to the data */
typedef enum {
    PROMPT_STATEMENT_READS = 0,      /* nothing: it may be sent again */
    PROMPT_STATEMENT_WRITES,         /* its commit does not wait for the disk */
    PROMPT_STATEMENT_COMMITS         /* its commit waits for the disk */
} prompt_statement_effect_t;


/*
 * A statement.  Lives as long as the process (static, or made once by the
 * store's registry).  id is dense and unique among all statements of the
 * process: a connection remembers by it what it has prepared.
 */
typedef struct {
    unsigned      id;
    const char   *name;              /* of the prepared statement */
    const char   *sql;
    unsigned      nparams;
    const uint32_t  *types;          /* nparams OIDs */
    unsigned      ncolumns;
    prompt_mask_t  columns;           /* mask of the optional ones it reads */
    prompt_statement_effect_t  effect;

    /*
     * Not 0: it does for up to so many rows what another one does for one
     * (prompt_statement_many()), and has its parameters as often, one row
     * after the other.  Of those rows for which the other one would have
     * answered one it answers the first parameter, 16 bytes; where it has
     * further columns, the other one's answer, which begins with that.
     */
    unsigned      rows;

    /* bytes that PostgreSQL keeps while it is prepared, about */
    size_t        weight;

    /*
     * for each parameter 0, or 1 + a prompt_actor_member_e, which it is bound
     * from; NULL: none is
     */
    const uint8_t  *by;
} prompt_statement_t;


/* a parameter: data NULL is SQL NULL */
typedef struct {
    const char   *data;
    size_t        len;
} prompt_param_t;


/* a statement with its parameters bound; all of it lives in one arena */
typedef struct {
    const prompt_statement_t  *statement;
    prompt_param_t            *params;     /* as many as it has */
} prompt_bound_t;


/*
 * How long a query may hold its connection, and so what may stand behind it
 * there.  What only reads and is neither is short: a few rows by an index.
 */
typedef enum {
    PROMPT_QUERY_SHORT = 0,          /* writes are told by their statements */
    PROMPT_QUERY_ROW,                /* of what only reads: one row by its key,
                                        with what is below it, so that it may
                                        wait for others alike */
    PROMPT_QUERY_LONG                /* many rows, or many looked at */
} prompt_query_length_t;


/*
 * What is sent as one pipeline with one Sync: an implicit transaction.  The
 * results come as one set of rows a statement, in this order.
 */
typedef struct {
    prompt_arena_t   *arena;

    prompt_query_length_t  length;

    bool              unconditional; /* it is sent, and waited for, also where
                                        its owner has left meanwhile */

    bool              alone;         /* what writes shares no transaction */

    /* 16 bytes each, or absent; who sends the query keeps copies */
    prompt_str_t      locks;         /* id of the row that it locks: one query
                                        a worker is in flight for each */
    prompt_str_t      order;         /* of a row that others change, too:
                                        those in one transaction take theirs
                                        in this order, descending, as
                                        prompt_remove() does */
    prompt_str_t      owner;         /* the user it is for: LONG ones of
                                        several users take turns */

    /*
     * 0: sets of rows are read as a whole, the statements bound their size.
     * Else they are read row by row and kept compactly, and the query fails
     * as too long where they need more bytes than this.  A query that writes
     * is read as a whole in any case.
     */
    size_t            budget;

    const prompt_actor_t  *actor;    /* on whose behalf; while statements are
                                        appended.  NULL: nobody's */

    const void       *log;           /* for whom src/io debugs it: a log of
                                        nginx's, which is copied; or NULL */

    unsigned          count;
    prompt_bound_t    bound[PROMPT_STORE_MAX_STATEMENTS];
} prompt_query_t;


/*
 * A query without statements, in an arena of its own for at most limit bytes.
 * NULL when memory is short.
 */
static inline prompt_query_t *
prompt_query_create(size_t limit)
{
    prompt_arena_t  *arena;
    prompt_query_t  *query;

    arena = prompt_arena_create(limit);
    if (arena == NULL) {
        return NULL;
    }

    /* bound is written as far as count says */

    query = (prompt_query_t *) prompt_arena_alloc(arena,
                                                  sizeof(prompt_query_t));
    if (query == NULL) {
        prompt_arena_destroy(arena);
        return NULL;
    }

    memset(query, 0, offsetof(prompt_query_t, bound));
    query->arena = arena;

    return query;
}


/* for a query that was not sent; the task owns one that was */
static inline void
prompt_query_destroy(prompt_query_t *query)
{
    prompt_arena_destroy(query->arena);
}


/*
 * A set of rows as the store reads it, without libpq: io gives a cell
 * function.  A cell's data is NULL for SQL NULL, and lives as long as the
 * rows do.
 */
typedef struct prompt_rows_s  prompt_rows_t;

struct prompt_rows_s {
    void            *result;         /* io's: a PGresult, or a row store */
    unsigned         first;          /* where these begin in it */
    unsigned         count;
    prompt_str_t   (*cell)(const prompt_rows_t *rows, unsigned row,
                           unsigned column);
};


static inline prompt_str_t
prompt_rows_cell(const prompt_rows_t *rows, unsigned row, unsigned column)
{
    return rows->cell(rows, row, column);
}

#endif /* PROMPT_STORE_QUERY_H */
