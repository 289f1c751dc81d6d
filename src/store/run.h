/*
 * Runs of versions on datasets, and their cells: a version, an item and a
 * repetition each.
 *
 * Functions append statements to the query; false: memory is short, or the
 * query is full.  Views in rows live as long as the rows.  A run belongs to the
 * project that has its dataset.
 */

#ifndef PROMPT_STORE_RUN_H
#define PROMPT_STORE_RUN_H

#include "store/dataset.h"
#include "store/execution.h"
#include "store/prompt.h"


typedef struct {
    prompt_str_t      id;            /* 16 bytes */
    prompt_str_t      dataset_id;    /* 16 bytes */
    prompt_str_t      prompt_id;     /* 16 bytes */
    prompt_str_t      state;         /* READY, RUNNING, DONE, CANCELLED,
                                        OVER_COST */
    int32_t           repetitions;
    prompt_str_t      cost_cap_usd;  /* decimal text; absent: none */
    prompt_str_t      cost_usd;      /* decimal text */
    int32_t           done;          /* cells */
    int32_t           total;
    int32_t           seq;           /* of the cell that was done last */
    int64_t           created_at;
    prompt_maybe_t    finished_at;
    prompt_objects_t  arms;          /* absent where not asked for */
} prompt_runs_t;


typedef struct {
    prompt_str_t      id;            /* 16 bytes, its number in it */
    int32_t           seq;           /* 0: it is not done */
    int32_t           version;
    int32_t           repetition;
    prompt_str_t      execution_id;  /* 16 bytes; absent: none */
    prompt_str_t      error;         /* absent: none but the execution's */
} prompt_cells_t;


extern const prompt_resource_t  prompt_runs_resource;
extern const prompt_resource_t  prompt_cells_resource;


/* a row of a run, as it is read: prompt.id and dataset.id may be absent */
typedef struct {
    prompt_runs_t     run;
    prompt_record_t   prompt;
    prompt_dataset_t  dataset;
} prompt_run_row_t;


/* NOT_FOUND, FORBIDDEN or DONE: prompt_dataset_seen_row() */
bool prompt_run_allowed(prompt_query_t *query, prompt_str_t project,
    prompt_str_t id) PROMPT_WARN_UNUSED;

/* One run, with its prompt, where the project may read that, and dataset. */
bool prompt_run_read(prompt_query_t *query, prompt_str_t project,
    prompt_str_t id, bool arms) PROMPT_WARN_UNUSED;

/*
 * In the order of the datasets so many runs of each below one (absent: from the
 * newest on), without the dataset.
 */
bool prompt_run_list(prompt_query_t *query, const prompt_datasets_t *of,
    bool arms, uint32_t first, prompt_str_t after) PROMPT_WARN_UNUSED;

void prompt_run_row(const prompt_rows_t *rows, unsigned row, bool listed,
    prompt_run_row_t *read);


/* cells of a run: so many above a number, or above what was done last */
typedef struct {
    prompt_str_t  project_id;        /* 16 bytes */
    prompt_str_t  run_id;            /* 16 bytes */
    bool          told;              /* by seq */
    int32_t       above;
    uint32_t      first;
} prompt_run_cells_t;

/* The cells, each with its item: by their numbers, or as they were done. */
bool prompt_run_cells(prompt_query_t *query, const prompt_run_cells_t *of)
    PROMPT_WARN_UNUSED;
void prompt_run_cell_row(const prompt_rows_t *rows, unsigned row,
    prompt_cells_t *cell, prompt_dataset_item_t *item);

/* Their executions, id ascending: prompt_execution_row(). */
bool prompt_run_executions(prompt_query_t *query,
    const prompt_run_cells_t *of, prompt_mask_t mask) PROMPT_WARN_UNUSED;

/* the number that is in the id of a cell */
int32_t prompt_cell_number(prompt_str_t id);


typedef struct {
    prompt_str_t  id;                /* 16 bytes, a new one */
    prompt_str_t  project_id;        /* 16 bytes */
    prompt_str_t  dataset_id;        /* 16 bytes */
    prompt_str_t  prompt_id;         /* 16 bytes */
    prompt_str_t  versions;          /* JSON text: numbers */
    uint32_t      nversions;
    uint32_t      repetitions;
    prompt_str_t  cap_usd;           /* decimal text; absent: none */
    uint32_t      most;              /* cells */
} prompt_run_make_t;

/*
 * Which of these versions there are: rows that begin with DONE or FORBIDDEN,
 * then number, params (NULL where there is none), and whether it has an output
 * schema; no row where the prompt is not there.
 */
bool prompt_run_versions(prompt_query_t *query, prompt_str_t project,
    prompt_str_t prompt_id, prompt_str_t versions) PROMPT_WARN_UNUSED;

/*
 * Makes a run of what was seen to be there: DONE, NOT_FOUND and FORBIDDEN of
 * the dataset, TOO_MANY (cells, or none), ROOM, BYTES.
 */
bool prompt_run_make(prompt_query_t *query, const prompt_run_make_t *make)
    PROMPT_WARN_UNUSED;

/* DONE, NOT_FOUND, FORBIDDEN; of a cap NO_CAP */
bool prompt_run_update(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project, prompt_str_t cap_usd) PROMPT_WARN_UNUSED;
bool prompt_run_cancel(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project) PROMPT_WARN_UNUSED;


/* what who watches does at once: prompt_run_step() of the database */
typedef struct {
    prompt_str_t  run_id;            /* 16 bytes */
    prompt_str_t  project_id;        /* 16 bytes */
    prompt_str_t  holder;            /* 16 bytes: who watches */
    int32_t       concurrency;
    bool          over;
    prompt_str_t  ids;               /* 16 bytes each */
    prompt_str_t  back;              /* JSON text; absent: nothing */
    prompt_str_t  scored;            /* the same */
} prompt_run_step_t;

bool prompt_run_step(prompt_query_t *query, const prompt_run_step_t *step)
    PROMPT_WARN_UNUSED;

/* a cell that it has now; number 0: how the run is */
typedef struct {
    int32_t       number;
    prompt_str_t  state;             /* as above, never RUNNING */
    int32_t       seq;
    int32_t       taken;
    int32_t       version;
    prompt_str_t  input;             /* JSON text; absent: the item is gone */
    prompt_str_t  expected;          /* the same; absent: nothing is */
    prompt_str_t  execution_id;
    prompt_str_t  status;            /* of an execution that is over; absent:
                                        it is to be made */
    prompt_str_t  output;
    prompt_str_t  cost_usd;
    int64_t       latency_ms;        /* below 0: unknown */
    prompt_str_t  model;
} prompt_run_cell_t;

void prompt_run_step_row(const prompt_rows_t *rows, unsigned row,
    prompt_run_cell_t *cell);

#endif /* PROMPT_STORE_RUN_H */
