/*
 * Prompts: reading by range, creating, updating, forking, deleting.
 *
 * Functions that read or change append one statement to the query; false:
 * memory is short, or the query is full.  Views in rows live as long as the
 * rows.  Each change is one statement: what it found and what it did cannot
 * fall apart.
 */

#ifndef PROMPT_STORE_PROMPT_H
#define PROMPT_STORE_PROMPT_H

#include "store/column.h"
#include "store/outcome.h"
#include "store/range.h"


#define PROMPT_FORK_SUFFIX_LEN     6

/* a fork of more versions or bytes, as they are stored, is made in steps */
#define PROMPT_FORK_VERSIONS       32
#define PROMPT_FORK_BYTES          (4 * 1024 * 1024)    /* in a step, too */
#define PROMPT_FORK_STEP           500                  /* versions */

/* a deletion's own step: at least so many rows; a step's time */
#define PROMPT_REMOVE_ROWS         200
#define PROMPT_REMOVE_TIME         20                   /* ms */


typedef struct {
    prompt_str_t  id;                /* 16 bytes */
    bool          allowed;           /* the caller may read it */
    prompt_str_t  name;
    prompt_str_t  description;       /* absent: none */
    prompt_str_t  category;
    bool          is_public;
    int64_t       created_at;
    int64_t       updated_at;
    int32_t       last_version;      /* the highest number, of all there are */
    prompt_str_t  owner_id;          /* 16 bytes */
    prompt_str_t  created_by;        /* 16 bytes; absent: whose personal project
                                        owner_id is */
} prompt_record_t;


/* its columns */
extern const prompt_resource_t  prompt_prompt_resource;


/*
 * The prompts of the range with the columns of mask, id descending, which
 * is newest first.
 *
 * By id: no row is NOT_FOUND, a row that is not `allowed` is FORBIDDEN, and its
 * columns are not for the caller.
 */
bool prompt_read(prompt_query_t *query, const prompt_range_t *range,
    prompt_mask_t mask) PROMPT_WARN_UNUSED;

/*
 * A row of prompt_read(); statement is the one of the query that the rows
 * belong to.  Members of columns that it does not have stay as they are.
 */
static inline void
prompt_row(const prompt_statement_t *statement, const prompt_rows_t *rows,
    unsigned row, prompt_record_t *prompt)
{
    prompt_columns_read(&prompt_prompt_resource, statement->columns, rows, row,
                        0, prompt);
}


/*
 * Looks at the next `limit` prompts of a LIST, from range->after on: which
 * hold the text (no pattern, in any case) in name or description.  A row for
 * each that was looked at, newest first; true where it was found in.
 */
bool prompt_search(prompt_query_t *query, const prompt_range_t *range,
    prompt_str_t text, uint32_t limit) PROMPT_WARN_UNUSED;
bool prompt_search_row(const prompt_rows_t *rows, unsigned row,
    prompt_str_t *id);


/*
 * Creates a prompt without versions, of those columns that can be given then.
 * NAME_TAKEN or DONE.
 */
bool prompt_create(prompt_query_t *query, const prompt_record_t *prompt)
    PROMPT_WARN_UNUSED;

/*
 * Changes those columns of given that can be changed; updated_at moves.
 * NOT_FOUND, FORBIDDEN or DONE; a name that the owner has already is an error
 * of the statement (PROMPT_SQL_DUPLICATE).
 */
bool prompt_update(prompt_query_t *query, prompt_str_t id,
    prompt_str_t caller, prompt_mask_t given, const prompt_record_t *prompt)
    PROMPT_WARN_UNUSED;

/*
 * Copies a prompt with all its versions: private, the caller's, new_id its
 * id, its name the original's (cut so that it fits) and "-fork-" and suffix.
 * The versions get ids of their own, made by PostgreSQL: how many they are is
 * known there only.  NOT_FOUND, FORBIDDEN, NAME_TAKEN (try another suffix),
 * DONE or MORE.
 *
 * MORE: the prompt is large.  The copy has no version yet and nobody sees it.
 * Steps copy the versions above *last (0 at first); while there are MORE, they
 * move it on.  After the last one (DONE) the end shows the copy, if all of it
 * is there.  NOT_FOUND of either: the original is gone, or the copy.  A copy
 * that is not to be shown any more is abandoned, else that is done for it
 * after five minutes: prompt_sweep().  A step is a query of its own: it turns
 * off waiting for the disk.
 */
bool prompt_fork(prompt_query_t *query, prompt_str_t id, prompt_str_t caller,
    prompt_str_t new_id, prompt_str_t suffix) PROMPT_WARN_UNUSED;
bool prompt_fork_step(prompt_query_t *query, prompt_str_t id,
    prompt_str_t caller, prompt_str_t new_id, int32_t last)
    PROMPT_WARN_UNUSED;
bool prompt_fork_end(prompt_query_t *query, prompt_str_t id,
    prompt_str_t caller, prompt_str_t new_id) PROMPT_WARN_UNUSED;
bool prompt_fork_abandon(prompt_query_t *query, prompt_str_t caller,
    prompt_str_t new_id) PROMPT_WARN_UNUSED;

prompt_outcome_t prompt_fork_step_row(const prompt_rows_t *rows,
    int32_t *last);

/*
 * The outcome of prompt_create(), prompt_update(), prompt_fork() and
 * prompt_fork_end(); where it is DONE the prompt as it is now, all columns.
 */
prompt_outcome_t prompt_changed_row(const prompt_rows_t *rows,
    prompt_record_t *prompt);

/* where the removal of a prompt has come to: zeroed, it begins with any */
typedef struct {
    bool     known;
    char     id[PROMPT_UUID_LEN];
    int32_t  version;
    char     execution[PROMPT_UUID_LEN];
} prompt_removal_t;


typedef enum {
    PROMPT_REMOVED_NONE = 0,         /* nothing is to be removed, or others
                                        are at it */
    PROMPT_REMOVED_SOME,             /* go on from *removal */
    PROMPT_REMOVED_ALL               /* of one prompt: there may be another */
} prompt_removed_t;


/* Where the outcome of prompt_update() is PROTECTED the label that is. */
prompt_str_t prompt_update_label(const prompt_rows_t *rows);

/*
 * Deletes a prompt, its versions and their executions.
 * NOT_FOUND, FORBIDDEN, PROTECTED (*label is one of it that is) or DONE.
 *
 * These are three statements: the first holds it, from the second on nobody
 * sees it, and the third removes its rows, so far as that does not take long.
 * What it leaves is removed by prompt_sweep(), step by step, by whoever calls
 * it.  rows: those of all three.
 */
bool prompt_delete(prompt_query_t *query, prompt_str_t id,
    prompt_str_t caller) PROMPT_WARN_UNUSED;
prompt_outcome_t prompt_delete_row(const prompt_rows_t *rows,
    prompt_str_t *label);

/* of the three, the one that prompt_removed_row() reads */
#define PROMPT_DELETE_REMOVED  2

/*
 * A step of the removal of what was deleted, and of copies that were never
 * shown.
 */
bool prompt_sweep(prompt_query_t *query, const prompt_removal_t *removal)
    PROMPT_WARN_UNUSED;

/* of prompt_sweep(), and of the last statement of prompt_delete() */
prompt_removed_t prompt_removed_row(const prompt_rows_t *rows,
    prompt_removal_t *removal);

#endif /* PROMPT_STORE_PROMPT_H */
