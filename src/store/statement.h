/*
 * All statements of the store, and those made on demand.
 *
 * Ids are dense: 0 to PROMPT_STATEMENT_MAX - 1, so a connection can remember
 * in a bitmap what it has prepared.  There are
 *
 *   - fixed statements: text and all are static;
 *   - shapes: statements that read only the columns a selection asks for.
 *     Each combination of columns that comes up is made once and kept for the
 *     life of the process, up to PROMPT_STATEMENT_VARIANTS of them; from then
 *     on, a new combination gets the statement with all columns.  A client
 *     that goes through all combinations so costs a bounded amount of memory,
 *     here and in PostgreSQL.
 *
 * What was made is the only state of the store, one a process; no threads.
 */

#ifndef PROMPT_STORE_STATEMENT_H
#define PROMPT_STORE_STATEMENT_H

#include "store/query.h"


#define PROMPT_STATEMENT_VARIANTS  256


typedef enum {
    PROMPT_STATEMENT_SCHEMA_VERSION = 0,
    PROMPT_STATEMENT_SNAPSHOT,
    PROMPT_STATEMENT_API_KEY_BY_HASH,
    PROMPT_STATEMENT_API_KEY_LIST,
    PROMPT_STATEMENT_API_KEY_CREATE,
    PROMPT_STATEMENT_API_KEY_DELETE,
    PROMPT_STATEMENT_API_KEY_DELETE_ANY,
    PROMPT_STATEMENT_USER_BY_ID,
    PROMPT_STATEMENT_USER_BY_EMAIL,
    PROMPT_STATEMENT_USER_OF_PROMPT,
    PROMPT_STATEMENT_USER_ADD,
    PROMPT_STATEMENT_USER_LIST,
    PROMPT_STATEMENT_PROMPT_CREATE,
    PROMPT_STATEMENT_PROMPT_UPDATE,
    PROMPT_STATEMENT_PROMPT_FORK,
    PROMPT_STATEMENT_PROMPT_FORK_STEP,
    PROMPT_STATEMENT_PROMPT_FORK_END,
    PROMPT_STATEMENT_PROMPT_FORK_ABANDON,
    PROMPT_STATEMENT_PROMPT_DELETE,
    PROMPT_STATEMENT_PROMPT_REMOVE,
    PROMPT_STATEMENT_PROMPT_SWEEP,
    PROMPT_STATEMENT_PROMPT_SEARCH,
    PROMPT_STATEMENT_VERSION_CREATE,
    PROMPT_STATEMENT_EXECUTION_TARGET,
    PROMPT_STATEMENT_EXECUTION_START,
    PROMPT_STATEMENT_EXECUTION_FINISH,
    PROMPT_STATEMENT_EXECUTION_SWEEP,
    PROMPT_STATEMENT_FIXED
} prompt_statement_id_t;


/* SOME: not all versions of each prompt */
typedef enum {
    PROMPT_SHAPE_PROMPT_BY_ID = 0,
    PROMPT_SHAPE_PROMPT_BY_NAME,
    PROMPT_SHAPE_PROMPT_ALL,
    PROMPT_SHAPE_PROMPT_PAGE,
    PROMPT_SHAPE_PROMPT_IDS,
    PROMPT_SHAPE_VERSION_BY_ID,
    PROMPT_SHAPE_VERSION_BY_NAME,
    PROMPT_SHAPE_VERSION_ALL,
    PROMPT_SHAPE_VERSION_PAGE,
    PROMPT_SHAPE_VERSION_IDS,
    PROMPT_SHAPE_VERSION_SOME_BY_ID,
    PROMPT_SHAPE_VERSION_SOME_BY_NAME,
    PROMPT_SHAPE_VERSION_SOME_PAGE,
    PROMPT_SHAPE_VERSION_SOME_IDS,
    PROMPT_SHAPE_EXECUTION_BY_ID,
    PROMPT_SHAPE_EXECUTION_BY_NAME,
    PROMPT_SHAPE_EXECUTION_ALL,
    PROMPT_SHAPE_EXECUTION_PAGE,
    PROMPT_SHAPE_EXECUTION_IDS,
    PROMPT_SHAPE_EXECUTION_SOME_BY_ID,
    PROMPT_SHAPE_EXECUTION_SOME_BY_NAME,
    PROMPT_SHAPE_EXECUTION_SOME_PAGE,
    PROMPT_SHAPE_EXECUTION_SOME_IDS,
    PROMPT_SHAPE_COUNT
} prompt_shape_id_t;


#define PROMPT_STATEMENT_MAX                                                 \
    (PROMPT_STATEMENT_FIXED + PROMPT_SHAPE_COUNT + PROMPT_STATEMENT_VARIANTS)


/*
 * A statement with columns to choose from:
 *
 *     SELECT <always>[, <column> for each bit of the mask] <tail>
 */
typedef struct {
    const char         *name;
    const char         *always;      /* columns that are always read */
    unsigned            nalways;
    const char *const  *columns;     /* in the order of the bits from 0 */
    unsigned            ncolumns;    /* at most 16 */
    uint32_t            guarded;     /* mask of those that may be left out */
    const char         *tail;
    unsigned            nparams;
    const uint32_t     *types;
} prompt_shape_t;


/*
 * The statement of that shape for the columns of mask, made where it is new.
 * Its `columns` member says which columns it has: at least those asked for.
 * NULL when memory is short.
 */
const prompt_statement_t *prompt_statement_shape(prompt_shape_id_t id,
    uint32_t mask) PROMPT_WARN_UNUSED;

/* a fixed statement, by PROMPT_STATEMENT_… */
const prompt_statement_t *prompt_statement_fixed(prompt_statement_id_t id);

/* the statement of any id, or NULL where none was made for it (yet) */
const prompt_statement_t *prompt_statement_by_id(unsigned id);

/* mask of the columns of its result of which values may be left out */
uint32_t prompt_statement_guarded(const prompt_statement_t *statement);

/* Frees what was made; for the end of the process. */
void prompt_statement_free_all(void);

#endif /* PROMPT_STORE_STATEMENT_H */
