/*
 * Datasets and their items: inputs to run versions on, and what is wanted of
 * the outputs.
 *
 * Functions append statements to the query; false: memory is short, or the
 * query is full.  Views in rows live as long as the rows.  A change is one
 * statement, whose row begins with an outcome; what it adds is counted as bytes
 * of the project (statement_impl.h: ROOM, and nothing was done).
 *
 * Items never change, and come in the order in which they were added.
 */

#ifndef PROMPT_STORE_DATASET_H
#define PROMPT_STORE_DATASET_H

#include "base/buf.h"
#include "store/column.h"
#include "store/outcome.h"


typedef struct {
    prompt_str_t  id;                /* 16 bytes */
    prompt_str_t  project_id;        /* 16 bytes */
    prompt_str_t  name;
    prompt_str_t  description;       /* absent: none */
    prompt_str_t  checks;            /* JSON text (prompt/checks.h) */
    int32_t       item_count;
    int64_t       created_at;
} prompt_dataset_t;


typedef struct {
    prompt_str_t  dataset_id;        /* 16 bytes */
    prompt_str_t  id;                /* 16 bytes */
    prompt_str_t  input;             /* JSON text */
    prompt_str_t  expected;          /* JSON text; absent: none */
    prompt_str_t  metadata;          /* JSON text; absent: none */
    prompt_str_t  execution_id;      /* 16 bytes; absent: made of none */
} prompt_dataset_item_t;


/* their columns */
extern const prompt_resource_t  prompt_dataset_resource;
extern const prompt_resource_t  prompt_dataset_item_resource;


/* which of a project: one, or so many below an id, the newest first */
typedef struct {
    prompt_str_t  project_id;        /* 16 bytes */
    prompt_str_t  id;                /* 16 bytes; absent: as follows */
    prompt_str_t  after;             /* 16 bytes; absent: from the newest on */
    uint32_t      first;             /* 0: all */
} prompt_datasets_t;


/* Whether the one of that id may be read: for prompt_dataset_seen_row(). */
bool prompt_dataset_seen(prompt_query_t *query, const prompt_datasets_t *of)
    PROMPT_WARN_UNUSED;

/* NOT_FOUND, FORBIDDEN or DONE */
prompt_outcome_t prompt_dataset_seen_row(const prompt_rows_t *rows);

/*
 * The datasets; and in their order of each the first so many items behind one
 * (absent: from the beginning on).
 */
bool prompt_dataset_read(prompt_query_t *query, const prompt_datasets_t *of)
    PROMPT_WARN_UNUSED;
bool prompt_dataset_items(prompt_query_t *query, const prompt_datasets_t *of,
    uint32_t first, prompt_str_t after) PROMPT_WARN_UNUSED;

void prompt_dataset_row(const prompt_rows_t *rows, unsigned row,
    prompt_dataset_t *dataset);
void prompt_dataset_item_row(const prompt_rows_t *rows, unsigned row,
    prompt_dataset_item_t *item);


/*
 * Creates one of dataset->project_id, which has no more than `most`: DONE,
 * NAME_TAKEN, TOO_MANY, ROOM, BYTES.
 */
bool prompt_dataset_create(prompt_query_t *query,
    const prompt_dataset_t *dataset, uint32_t most) PROMPT_WARN_UNUSED;

/*
 * Changes what is given: DONE, NOT_FOUND, FORBIDDEN, ROOM, BYTES; a name that
 * is taken is an error, PROMPT_SQL_DUPLICATE.
 */
bool prompt_dataset_update(prompt_query_t *query, prompt_mask_t given,
    const prompt_dataset_t *dataset) PROMPT_WARN_UNUSED;

/* Hides it; its items go in steps (prompt_sweep()).  As above. */
bool prompt_dataset_delete(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project) PROMPT_WARN_UNUSED;


/* Items that are to be added; the list is the caller's to make and to free. */
typedef struct {
    prompt_str_t  dataset_id;        /* 16 bytes */
    prompt_str_t  project_id;        /* 16 bytes */
    uint32_t      most;              /* of a dataset */
    uint32_t      count;
    size_t        bytes;
    prompt_buf_t  list;
} prompt_dataset_add_t;

/* One more of the list; whether memory was short that says. */
void prompt_dataset_add_item(prompt_dataset_add_t *add,
    const prompt_dataset_item_t *item);

/* Adds them: DONE, NOT_FOUND, FORBIDDEN, TOO_MANY, ROOM, BYTES. */
bool prompt_dataset_add(prompt_query_t *query,
    const prompt_dataset_add_t *add) PROMPT_WARN_UNUSED;

/*
 * Adds an item with input and metadata of an execution, item->execution_id,
 * that the project has paid for: the same, or NO_EXECUTION, NOT_PAID, NO_INPUT
 * (*recorded: whether the project has contents recorded).
 */
bool prompt_dataset_add_execution(prompt_query_t *query, prompt_str_t project,
    const prompt_dataset_item_t *item, uint32_t most) PROMPT_WARN_UNUSED;
prompt_outcome_t prompt_dataset_added_row(const prompt_rows_t *rows,
    prompt_dataset_item_t *item, bool *recorded);

/* Removes those of the ids that the project has: one row, how many. */
bool prompt_dataset_remove(prompt_query_t *query, prompt_str_t ids,
    prompt_str_t project) PROMPT_WARN_UNUSED;

#endif /* PROMPT_STORE_DATASET_H */
