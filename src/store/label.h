/*
 * Labels: names of versions, and their moves.
 *
 * Functions that read or change append statements to the query; false: memory
 * is short, or the query is full.  Views in rows live as long as the rows.
 *
 * A change is two statements: the first holds the prompt, so that the second,
 * which finds, checks and does, sees all that was done before.  What it did and
 * that it did stand in the same transaction.  A label that the project protects
 * (PROMPT_PROTECTED) is changed by those alone who may.
 */

#ifndef PROMPT_STORE_LABEL_H
#define PROMPT_STORE_LABEL_H

#include "store/column.h"
#include "store/outcome.h"
#include "store/range.h"


typedef struct {
    prompt_str_t    prompt_id;         /* 16 bytes */
    prompt_str_t    label;
    int32_t         version;           /* of a split the one with most */
    int64_t         set_at;            /* time */
    prompt_str_t    set_by;            /* 16 bytes; absent: whose personal
                                          project the prompt is in */
    prompt_objects_t  split;           /* {version, permille}; absent: none */
    prompt_objects_t  guard;           /* an object; absent: none */
} prompt_label_t;


typedef struct {
    prompt_str_t    prompt_id;         /* 16 bytes */
    prompt_str_t    id;                /* 16 bytes */
    prompt_str_t    label;
    prompt_maybe_t  version;           /* unknown: it was removed */
    prompt_maybe_t  previous_version;  /* unknown: it was not set */
    int64_t         moved_at;          /* time: later than that before it */
    prompt_str_t    moved_by;          /* as set_by; its own id: nobody */
    prompt_objects_t  split;           /* from then on; absent: none */
    prompt_str_t    reason;            /* why a guard moved it; absent: none */
} prompt_label_move_t;


/* How a version of a split does, beside what the label's `version` does. */
typedef struct {
    prompt_str_t    prompt_id;         /* 16 bytes */
    prompt_str_t    owner_id;          /* 16 bytes */
    prompt_str_t    name;              /* the prompt's */
    prompt_str_t    label;             /* absent: there are more of them */
    int64_t         split_at;          /* time: since when */
    int64_t         least;             /* of runs: the guard, and its bounds */
    prompt_maybe_t  max_failure;       /* in permille */
    double          max_latency;       /* 0: none */
    double          max_cost;          /* 0: none */
    int32_t         version;
    int32_t         arm;               /* the version that the figures are of */
    int64_t         runs;
    int64_t         failed;
    int64_t         timed;             /* whose latency is known */
    int64_t         slower;            /* than maxLatencyRatio allows */
    int64_t         priced;            /* whose cost is known */
    double          mean;              /* US dollars */
    double          variance;
    int64_t         base_timed;        /* the same of `version` */
    int64_t         base_priced;
    double          base_mean;
    double          base_variance;
} prompt_label_figures_t;


/* their columns */
extern const prompt_resource_t  prompt_label_resource;
extern const prompt_resource_t  prompt_move_resource;


/*
 * The labels of the range's prompts with the columns of mask, in the order of
 * the prompts (id descending), ascending within each.  None of prompts that
 * the caller may not read.
 */
bool prompt_label_read(prompt_query_t *query, const prompt_range_t *range,
    prompt_mask_t mask) PROMPT_WARN_UNUSED;

/*
 * Of each of the range's prompts the last `first` moves before that with the
 * id `after` (absent: all; of another prompt: none), in the order of the
 * prompts, newest first within each.
 */
bool prompt_label_moves(prompt_query_t *query, const prompt_range_t *range,
    prompt_mask_t mask, uint32_t first, prompt_str_t after) PROMPT_WARN_UNUSED;


/* What holds the prompt: the first of them. */
bool prompt_label_lock(prompt_query_t *query, prompt_str_t id,
    prompt_str_t caller) PROMPT_WARN_UNUSED;

/*
 * Makes a label of the caller's prompt name a version, or those of a split;
 * move: a new id.  Where it does already nothing is changed, nor added to the
 * moves.  NO_VERSION: label->version is the first that is not there.
 * NOT_FOUND, FORBIDDEN, PROTECTED, NO_VERSION, TOO_MANY (the prompt has `most`
 * others) or DONE.
 */
bool prompt_label_set(prompt_query_t *query, prompt_str_t caller,
    const prompt_label_t *label, prompt_str_t move, uint32_t most)
    PROMPT_WARN_UNUSED;

/*
 * Removes a label of the caller's prompt.
 * NOT_FOUND, FORBIDDEN, PROTECTED, NO_LABEL or DONE.
 */
bool prompt_label_remove(prompt_query_t *query, prompt_str_t id,
    prompt_str_t caller, prompt_str_t label, prompt_str_t move)
    PROMPT_WARN_UNUSED;

/*
 * Takes a version of a split its share, which `version` gets, for a reason;
 * move: a new id.  Its row is true; there is none where the split is not that
 * of figures->split_at, or the version has no share.
 */
bool prompt_label_guard(prompt_query_t *query,
    const prompt_label_figures_t *figures, prompt_str_t move,
    prompt_str_t reason) PROMPT_WARN_UNUSED;

/*
 * A step of the sweep over labels with guards: figures of some, a row each.
 * It needs no clock, as it deletes nothing and gives nothing up.
 */
bool prompt_label_sweep(prompt_query_t *query, int32_t most,
    prompt_maybe_t clock) PROMPT_WARN_UNUSED;
void prompt_label_sweep_row(const prompt_rows_t *rows, unsigned row,
    prompt_label_figures_t *figures);


/* how many statements a change is; the rows of the last one say the outcome */
#define PROMPT_LABEL_STATEMENTS  2

/*
 * The outcome of prompt_label_set(); where it is DONE, label->set_at is when
 * the label was set, and set_by who did, which may have been before.
 */
prompt_outcome_t prompt_label_set_row(const prompt_rows_t *rows,
    prompt_label_t *label);

#endif /* PROMPT_STORE_LABEL_H */
