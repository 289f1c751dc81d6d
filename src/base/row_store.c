/*
 * The row store: blocks with cells from the front and, from the back, where
 * each row begins.
 *
 * Blocks grow from 4 to 64 KiB, so that few rows take little; a row that does
 * not fit has a block of its own.  A block that is full is cut to what is in
 * it, so that rows of any size use up a budget for what they are.
 */

#include "base/row_store.h"

#include "base/bisect.h"

#include <stdlib.h>


#define ROW_BLOCK_MIN   4096
#define ROW_BLOCK_MAX   65536
#define ROW_BLOCKS_MIN  8

#define row_block_data(block)     ((char *) ((block) + 1))
#define row_block_starts(block)                                              \
    ((uint32_t *) (void *) ((char *) (block) + (block)->size))


/* its rows begin at starts[-1], starts[-2], … of its data */
typedef struct {
    size_t        size;              /* a multiple of 4, of all of it */
    size_t        used;              /* of its data */
    unsigned      first;             /* the number of its first row */
    unsigned      count;
} row_block_t;


struct prompt_row_store_s {
    prompt_row_budget_t   *budget;
    unsigned               columns;
    unsigned               count;

    row_block_t          **blocks;   /* those before head are freed */
    size_t                 head;
    size_t                 nblocks;
    size_t                 capacity;
    size_t                 next;     /* size of the next block */
    row_block_t           *last;     /* that rows are added to, or NULL */

    /* the cell that is read next, where cells are read front to back */
    size_t                 block;
    unsigned               row;
    unsigned               column;
    const char            *cell;     /* NULL: none was read yet */
};


static prompt_row_status_t row_block_add(prompt_row_store_t *store,
    size_t size);
static prompt_row_status_t row_blocks_grow(prompt_row_store_t *store);
static prompt_row_status_t row_take(prompt_row_budget_t *budget, size_t size);
static void row_block_cut(prompt_row_store_t *store);
static bool row_find(prompt_row_store_t *store, unsigned row);


prompt_row_status_t
prompt_row_store_create(prompt_row_store_t **store, unsigned columns,
    prompt_row_budget_t *budget)
{
    prompt_row_status_t  status;

    *store = NULL;

    status = row_take(budget, sizeof(prompt_row_store_t));
    if (status != PROMPT_ROW_OK) {
        return status;
    }

    *store = calloc(1, sizeof(prompt_row_store_t));
    if (*store == NULL) {
        budget->held -= sizeof(prompt_row_store_t);
        return PROMPT_ROW_NOMEM;
    }

    (*store)->budget = budget;
    (*store)->columns = columns;
    (*store)->next = ROW_BLOCK_MIN;

    return PROMPT_ROW_OK;
}


void
prompt_row_store_destroy(prompt_row_store_t *store)
{
    size_t  i;

    if (store == NULL) {
        return;
    }

    for (i = store->head; i < store->nblocks; i++) {
        store->budget->held -= store->blocks[i]->size;
        free(store->blocks[i]);
    }

    store->budget->held -= store->capacity * sizeof(row_block_t *)
                           + sizeof(prompt_row_store_t);
    free(store->blocks);
    free(store);
}


prompt_row_status_t
prompt_row_store_add(prompt_row_store_t *store, size_t size)
{
    row_block_t          *block;
    prompt_row_status_t   status;

    /* far beyond what PostgreSQL sends as a row; keeps sums from overflow */

    if (size > UINT32_MAX || store->count == UINT32_MAX) {
        return PROMPT_ROW_LIMIT;
    }

    size += store->columns * sizeof(int32_t);

    block = store->last;

    if (block == NULL
        || block->size - sizeof(row_block_t) - block->used
           - block->count * sizeof(uint32_t)
           < size + sizeof(uint32_t))
    {
        status = row_block_add(store, size);
        if (status != PROMPT_ROW_OK) {
            return status;
        }
    }

    block = store->last;
    block->count++;
    row_block_starts(block)[-(ptrdiff_t) block->count] = (uint32_t)
                                                         block->used;
    store->count++;

    return PROMPT_ROW_OK;
}


void
prompt_row_store_cell(prompt_row_store_t *store, prompt_str_t cell)
{
    char         *p;
    int32_t       len;
    row_block_t  *block;

    block = store->last;
    p = row_block_data(block) + block->used;
    len = cell.data != NULL ? (int32_t) cell.len : -1;

    memcpy(p, &len, sizeof(len));
    block->used += sizeof(len);

    if (len > 0) {
        memcpy(p + sizeof(len), cell.data, (size_t) len);
        block->used += (size_t) len;
    }
}


unsigned
prompt_row_store_count(const prompt_row_store_t *store)
{
    return store->count;
}


prompt_str_t
prompt_row_store_read(prompt_row_store_t *store, unsigned row,
    unsigned column)
{
    int32_t      len;
    const char  *cell;

    if (column >= store->columns) {
        return prompt_str_absent;
    }

    if ((store->cell == NULL || row != store->row || column < store->column)
        && !row_find(store, row))
    {
        return prompt_str_absent;
    }

    for ( ;; ) {
        cell = store->cell;
        memcpy(&len, cell, sizeof(len));

        if (store->column >= column) {
            break;
        }

        store->cell = cell + sizeof(len) + (len > 0 ? (size_t) len : 0);
        store->column++;
    }

    return len < 0 ? prompt_str_absent
                   : prompt_str_of(cell + sizeof(len), (size_t) len);
}


void
prompt_row_store_drop(prompt_row_store_t *store, unsigned upto)
{
    row_block_t  *block;

    while (store->head < store->nblocks) {
        block = store->blocks[store->head];

        if (upto < block->first + block->count) {
            return;
        }

        if (block == store->last) {
            store->last = NULL;
        }

        store->cell = NULL;
        store->budget->held -= block->size;
        store->blocks[store->head++] = NULL;
        free(block);
    }
}


/*
 * A new block, in which size bytes fit: as large as it is the turn of, or
 * where the budget has no more than that, just large enough.
 */
static prompt_row_status_t
row_block_add(prompt_row_store_t *store, size_t size)
{
    size_t                least, want;
    row_block_t          *block;
    prompt_row_status_t   status;

    row_block_cut(store);

    least = sizeof(row_block_t) + size + sizeof(uint32_t);
    least = (least + sizeof(uint32_t) - 1) & ~(sizeof(uint32_t) - 1);
    want = store->next > least ? store->next : least;

    status = row_blocks_grow(store);

    if (status == PROMPT_ROW_OK) {
        status = row_take(store->budget, want);

        if (status != PROMPT_ROW_OK && want > least) {
            want = least;
            status = row_take(store->budget, want);
        }
    }

    if (status != PROMPT_ROW_OK) {
        return status;
    }

    block = malloc(want);
    if (block == NULL) {
        store->budget->held -= want;
        return PROMPT_ROW_NOMEM;
    }

    block->size = want;
    block->used = 0;
    block->first = store->count;
    block->count = 0;

    store->last = block;
    store->blocks[store->nblocks++] = block;

    if (store->next < ROW_BLOCK_MAX) {
        store->next *= 2;
    }

    return PROMPT_ROW_OK;
}


/* Room for one more pointer to a block. */
static prompt_row_status_t
row_blocks_grow(prompt_row_store_t *store)
{
    size_t                 capacity, more;
    row_block_t          **blocks;
    prompt_row_status_t    status;

    if (store->nblocks < store->capacity) {
        return PROMPT_ROW_OK;
    }

    capacity = store->capacity != 0 ? store->capacity * 2 : ROW_BLOCKS_MIN;
    more = (capacity - store->capacity) * sizeof(row_block_t *);

    status = row_take(store->budget, more);
    if (status != PROMPT_ROW_OK) {
        return status;
    }

    blocks = realloc(store->blocks, capacity * sizeof(row_block_t *));
    if (blocks == NULL) {
        store->budget->held -= more;
        return PROMPT_ROW_NOMEM;
    }

    store->blocks = blocks;
    store->capacity = capacity;

    return PROMPT_ROW_OK;
}


static prompt_row_status_t
row_take(prompt_row_budget_t *budget, size_t size)
{
    if (budget->held > budget->limit || size > budget->limit - budget->held) {
        return PROMPT_ROW_LIMIT;
    }

    budget->held += size;

    return PROMPT_ROW_OK;
}


/* The last block takes no more rows: gives back what they left of it. */
static void
row_block_cut(prompt_row_store_t *store)
{
    char         *starts;
    size_t        index, size;
    row_block_t  *block, *cut;

    block = store->last;

    if (block == NULL) {
        return;
    }

    index = block->count * sizeof(uint32_t);
    starts = (char *) row_block_starts(block) - index;

    size = sizeof(row_block_t) + block->used + index;
    size = (size + sizeof(uint32_t) - 1) & ~(sizeof(uint32_t) - 1);

    store->budget->held -= block->size - size;

    memmove((char *) block + size - index, starts, index);
    block->size = size;

    /* who reads while rows are added finds the cell again */

    store->cell = NULL;

    cut = realloc(block, size);

    if (cut != NULL) {
        store->last = cut;
        store->blocks[store->nblocks - 1] = cut;
    }
}


/* Goes to the first cell of a row; false where it was dropped, or never was. */
static bool
row_find(prompt_row_store_t *store, unsigned row)
{
    size_t              i, low, high;
    const row_block_t  *block;

    if (row >= store->count || store->head == store->nblocks
        || row < store->blocks[store->head]->first)
    {
        return false;
    }

    low = store->head;
    high = store->nblocks;

    /* mostly the one of the last row, or the one behind it */

    for (i = store->block; i < high && i - store->block < 2; i++) {

        if (i >= low && store->blocks[i]->first <= row) {
            low = i;
        }
    }

    if (row - store->blocks[low]->first < store->blocks[low]->count) {
        high = low + 1;
    }

    low++;
    prompt_bisect(low, high, i, store->blocks[i]->first <= row);
    block = store->blocks[--low];

    store->block = low;
    store->row = row;
    store->column = 0;
    store->cell = row_block_data(block)
                  + row_block_starts(block)[-(ptrdiff_t)
                                            (row - block->first + 1)];

    return true;
}
