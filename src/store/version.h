/*
 * Versions of prompts: reading by scope, adding.  Nothing changes a version.
 *
 * Functions that read or change append one statement to the query; false:
 * memory is short, or the query is full.  Views in rows live as long as the
 * rows.
 */

#ifndef PROMPT_STORE_VERSION_H
#define PROMPT_STORE_VERSION_H

#include "store/outcome.h"
#include "store/scope.h"


/* columns beside prompt_id and version, which are always read */
#define PROMPT_VERSION_ID            0x01
#define PROMPT_VERSION_CONTENT       0x02
#define PROMPT_VERSION_PARAMS        0x04
#define PROMPT_VERSION_INPUT_SCHEMA  0x08
#define PROMPT_VERSION_CREATED_AT    0x10
#define PROMPT_VERSION_ALL           0x1f


typedef struct {
    prompt_str_t  prompt_id;         /* 16 bytes */
    int32_t       version;
    prompt_str_t  id;                /* 16 bytes */
    prompt_str_t  content;
    prompt_str_t  params;            /* JSON text, as sent */
    prompt_str_t  input_schema;      /* JSON text, as sent; absent: none */
    int64_t       created_at;
} prompt_version_t;


/* a version to be added; ids: 16 bytes */
typedef struct {
    prompt_str_t  id;
    prompt_str_t  prompt_id;
    prompt_str_t  content;
    prompt_str_t  params;            /* JSON text */
    prompt_str_t  input_schema;      /* JSON text; absent: none */
} prompt_version_new_t;


/*
 * The versions of the scope's prompts with the columns of mask, in the order
 * of the prompts (id descending), ascending by version within each.  None of
 * prompts that the caller may not read.  versions: NULL for all of them.
 */
bool prompt_version_read(prompt_query_t *query, const prompt_scope_t *scope,
    const prompt_versions_t *versions, uint32_t mask) PROMPT_WARN_UNUSED;

/* as prompt_row() */
void prompt_version_row(const prompt_statement_t *statement,
    const prompt_rows_t *rows, unsigned row, prompt_version_t *version);

/*
 * Adds a version with the next number; the prompt's updated_at moves.
 * Numbers run 1, 2, 3 … without gap or repeat under any concurrency: the
 * number is taken by an UPDATE of the prompt's row, and given back with it.
 * NOT_FOUND, FORBIDDEN or DONE.
 */
bool prompt_version_create(prompt_query_t *query, prompt_str_t caller,
    const prompt_version_new_t *version) PROMPT_WARN_UNUSED;

/*
 * The outcome; where it is DONE, *version is filled with the number and the
 * time.  Its other members stay as they are: they are what was sent.
 */
prompt_outcome_t prompt_version_created_row(const prompt_rows_t *rows,
    prompt_version_t *version);

#endif /* PROMPT_STORE_VERSION_H */
