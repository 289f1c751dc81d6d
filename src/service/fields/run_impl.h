/*
 * Runs: what the files of their fields share: reading (run.c), changes
 * (run_change.c), watching (run_watch.c) and what is done of a cell
 * (run_cell.c).
 */

#ifndef NGX_HTTP_PROMPT_RUN_IMPL_H
#define NGX_HTTP_PROMPT_RUN_IMPL_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "prompt/checks.h"
#include "service/fields/dataset_impl.h"
#include "service/frame/errand.h"
#include "service/tree/tree.h"
#include "store/run.h"


/* what a selection asks for of runs; in the plan */
typedef struct {
    const gql_plan_field_t              **cells;     /* `cells` fields */
    ngx_uint_t                            ncells;
    ngx_http_prompt_project_execution_t   execution; /* of all cells */
    bool                                  arms;
    bool                                  people;
    prompt_str_t                          refused;   /* absent: nothing */
} ngx_http_prompt_run_below_t;

/* listed: below a dataset, where there are no cells.  False: memory. */
bool ngx_http_prompt_run_project(gql_plan_t *plan,
    const gql_plan_selection_t *selection, bool listed,
    ngx_http_prompt_run_below_t *below) PROMPT_WARN_UNUSED;
void ngx_http_prompt_run_project_cell(const gql_plan_selection_t *selection,
    ngx_http_prompt_run_below_t *below);

/* True where nothing was refused. */
bool ngx_http_prompt_run_may(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_run_below_t *below) PROMPT_WARN_UNUSED;

/* a compile hook of root fields that return Run */
bool ngx_http_prompt_run_compile(gql_plan_t *plan, gql_plan_field_t *field);


typedef struct ngx_http_prompt_runs_s  ngx_http_prompt_runs_t;

typedef struct {
    prompt_runs_t                   record;  /* first */
    prompt_objects_t                scores;  /* of the arm that is written */
    ngx_http_prompt_runs_t         *runs;    /* NULL: it has no cells */
    void                           *dataset; /* record and more */
    ngx_http_prompt_prompt_node_t  *prompt;  /* NULL: gone */
    ngx_http_prompt_prompt_node_t   node;    /* which that is */
    prompt_dataset_t                own;     /* likewise, or not */
} ngx_http_prompt_run_node_t;

typedef struct {
    prompt_cells_t                     record;   /* first */
    prompt_dataset_item_t              item;     /* id absent: gone */
    ngx_http_prompt_execution_node_t  *execution;    /* NULL: none */
    ngx_http_prompt_execution_node_t   scored;   /* the same, for scores */
} ngx_http_prompt_cell_node_t;

/* cells of one `cells` field, or that are told */
typedef struct {
    ngx_http_prompt_list_t             list;     /* first: what item() gets */
    ngx_http_prompt_runs_t            *runs;
    ngx_uint_t                         number;   /* of its set of rows */
    unsigned                           next;
    ngx_http_prompt_execution_node_t  *executions;   /* by their ids */
    ngx_uint_t                         nexecutions;
    ngx_http_prompt_cell_node_t        node;
} ngx_http_prompt_cells_t;

/* a run on its way to an answer, with its cells */
struct ngx_http_prompt_runs_s {
    const ngx_http_prompt_run_below_t        *below;
    const ngx_http_prompt_postgres_result_t  *result;
    const prompt_query_t                     *query;
    prompt_str_t                              project_id;
    prompt_str_t                              id;
    ngx_http_prompt_people_t                  people;
    ngx_http_prompt_run_node_t                node;
    ngx_http_prompt_cells_t                  *cells;     /* in its order */
};

/* The row of one; below a dataset it is that, and listed. */
void ngx_http_prompt_run_node(const prompt_rows_t *rows, unsigned row,
    bool listed, void *dataset, ngx_http_prompt_people_t *people,
    ngx_http_prompt_run_node_t *node);

/* Appends the statements for a set of cells. */
bool ngx_http_prompt_run_cells_query(ngx_http_prompt_runs_t *runs,
    ngx_http_prompt_cells_t *cells, prompt_query_t *query,
    const prompt_run_cells_t *of) PROMPT_WARN_UNUSED;

/* Its rows are there; in the arena.  False: memory. */
bool ngx_http_prompt_run_cells_open(ngx_http_prompt_runs_t *runs,
    ngx_http_prompt_cells_t *cells, prompt_arena_t *arena) PROMPT_WARN_UNUSED;

/* The next of them. */
void *ngx_http_prompt_run_cell(ngx_http_prompt_list_t *list);

/* Reads what was selected of a run that was changed, and completes root. */
void ngx_http_prompt_run_changed(ngx_http_prompt_root_t *root,
    prompt_str_t id);

/* True where outcome is DONE, else the error of the run id. */
bool ngx_http_prompt_run_done(ngx_http_prompt_root_t *root,
    prompt_outcome_t outcome, prompt_str_t id) PROMPT_WARN_UNUSED;


/* createRun, updateRun, cancelRun, watchRun */
void ngx_http_prompt_create_run(ngx_http_prompt_root_t *root);
void ngx_http_prompt_update_run(ngx_http_prompt_root_t *root);
void ngx_http_prompt_cancel_run(ngx_http_prompt_root_t *root);
void ngx_http_prompt_watch_run(ngx_http_prompt_root_t *root);
bool ngx_http_prompt_watch_compile(gql_plan_t *plan, gql_plan_field_t *field);

/* an event: RunEvent */
typedef struct {
    ngx_http_prompt_cell_node_t  *cell;
    ngx_http_prompt_run_node_t   *run;
} ngx_http_prompt_run_event_t;


/* what all cells that a watch has in hand know of it */
typedef struct {
    ngx_http_prompt_errands_t    *errands;
    ngx_http_prompt_identity_t    identity;
    ngx_http_prompt_worker_t     *worker;
    prompt_checks_t               checks;
    char                          run_id[PROMPT_UUID_LEN];
    char                          prompt_id[PROMPT_UUID_TEXT_LEN];
    bool                          capped;
} ngx_http_prompt_run_work_t;

typedef enum {
    NGX_HTTP_PROMPT_CELL_DONE = 0,
    NGX_HTTP_PROMPT_CELL_OPEN,       /* nothing was done */
    NGX_HTTP_PROMPT_CELL_UNKNOWN,    /* what was is to be looked at */
    NGX_HTTP_PROMPT_CELL_RUNS
} ngx_http_prompt_cell_e;

/* why one is open again */
typedef enum {
    NGX_HTTP_PROMPT_CELL_LATER = 0,  /* for now */
    NGX_HTTP_PROMPT_CELL_OVER,       /* the run has no room for it */
    NGX_HTTP_PROMPT_CELL_REFUSED     /* what is said holds for all */
} ngx_http_prompt_cell_why_e;

/* A cell in hand; in an arena of its own, which holds it. */
typedef struct ngx_http_prompt_cell_s  ngx_http_prompt_cell_t;

struct ngx_http_prompt_cell_s {
    ngx_queue_t                   queue;
    ngx_queue_t                   checks;    /* in line for the next */
    prompt_arena_t               *arena;
    ngx_http_prompt_run_work_t   *work;
    void                        (*done)(ngx_http_prompt_cell_t *cell);
    void                         *data;
    prompt_run_cell_t             of;        /* views in the arena */
    prompt_checked_t              checked;
    uint32_t                      check;     /* the next */

    /* what became of it */
    ngx_http_prompt_cell_e        what;
    ngx_http_prompt_cell_why_e    why;
    bool                          failed;
    prompt_str_t                  error;     /* absent: none */
    prompt_str_t                  code;      /* of a refusal */
    prompt_buf_t                  costs;     /* JSON texts, each with a comma
                                                in front */
    prompt_buf_t                  scores;    /* objects of `scored`, likewise */
};

/*
 * Does a cell, a copy of what `of` views: done is called once, perhaps from
 * inside.  NULL: memory.
 */
ngx_http_prompt_cell_t *ngx_http_prompt_cell_create(
    ngx_http_prompt_run_work_t *work, const prompt_run_cell_t *of,
    void (*done)(ngx_http_prompt_cell_t *cell), void *data);
void ngx_http_prompt_cell_run(ngx_http_prompt_cell_t *cell);
void ngx_http_prompt_cell_free(ngx_http_prompt_cell_t *cell);

#endif /* NGX_HTTP_PROMPT_RUN_IMPL_H */
