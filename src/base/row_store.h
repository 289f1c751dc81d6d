/*
 * Row store: a set of rows as they come, compactly, and given back from the
 * front as they were read.
 *
 * Rows are added at the end and kept in blocks: the cells of a row one behind
 * the other, each with its length in front.  What several stores take together
 * is bounded by the budget that they share.  Not shared between threads.
 */

#ifndef PROMPT_BASE_ROW_STORE_H
#define PROMPT_BASE_ROW_STORE_H

#include "base/str.h"


typedef struct prompt_row_store_s  prompt_row_store_t;


/* All that stores hold, the index of their rows and themselves included. */
typedef struct {
    size_t    limit;                 /* bytes */
    size_t    held;
} prompt_row_budget_t;


typedef enum {
    PROMPT_ROW_OK = 0,
    PROMPT_ROW_LIMIT,                /* the budget is used up */
    PROMPT_ROW_NOMEM
} prompt_row_status_t;


/*
 * An empty store in *store, for rows of so many columns.  budget must live as
 * long.  The caller destroys it.  *store is NULL where the status is not OK.
 */
prompt_row_status_t prompt_row_store_create(prompt_row_store_t **store,
    unsigned columns, prompt_row_budget_t *budget) PROMPT_WARN_UNUSED;

/* Gives everything back to the budget; NULL is allowed. */
void prompt_row_store_destroy(prompt_row_store_t *store);

/*
 * A row with room for size bytes of cells.  Its cells are then given one after
 * the other, as many as there are columns, and no more than size bytes in all.
 * Where the status is not OK the store is as it was.
 */
prompt_row_status_t prompt_row_store_add(prompt_row_store_t *store,
    size_t size) PROMPT_WARN_UNUSED;

/* The next cell of the row that was added last: a copy; absent is NULL. */
void prompt_row_store_cell(prompt_row_store_t *store, prompt_str_t cell);

/* how many rows were added */
unsigned prompt_row_store_count(const prompt_row_store_t *store);

/*
 * A cell, valid until its row is dropped; absent for NULL, and where there is
 * none.  Cheapest where rows, and cells in them, are read front to back: then
 * it depends on neither how many rows there are nor how many columns.
 */
prompt_str_t prompt_row_store_read(prompt_row_store_t *store, unsigned row,
    unsigned column);

/*
 * The rows before upto are not read any more: frees the blocks that hold only
 * such.  The rows behind keep their numbers and places.
 */
void prompt_row_store_drop(prompt_row_store_t *store, unsigned upto);

#endif /* PROMPT_BASE_ROW_STORE_H */
