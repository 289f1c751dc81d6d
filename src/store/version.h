/*
 * Versions of prompts: reading by range, adding.  Nothing changes a version.
 *
 * Functions that read or change append one statement to the query; false:
 * memory is short, or the query is full.  Views in rows live as long as the
 * rows.
 */

#ifndef PROMPT_STORE_VERSION_H
#define PROMPT_STORE_VERSION_H

#include "store/column.h"
#include "store/outcome.h"
#include "store/range.h"


typedef struct {
    prompt_str_t  prompt_id;         /* 16 bytes */
    int32_t       version;
    prompt_str_t  id;                /* 16 bytes */
    prompt_str_t  content;
    prompt_str_t  params;            /* JSON text, as sent */
    prompt_str_t  input_schema;      /* JSON text, as sent; absent: none */
    prompt_str_t  output_schema;     /* the same */
    prompt_str_t  note;              /* one line; absent: none */
    prompt_objects_t  messages;      /* prompt/messages.h; absent: none */
    prompt_objects_t  calls;         /* of the message that is given */
    int64_t       created_at;
    prompt_str_t  created_by;        /* as of prompts */
} prompt_version_t;


/* its columns */
extern const prompt_resource_t  prompt_version_resource;


/*
 * The versions of the range's prompts with the columns of mask, in the order
 * of the prompts (id descending), ascending by version within each.  None of
 * prompts that the caller may not read.  versions: NULL for all of them.
 */
bool prompt_version_read(prompt_query_t *query, const prompt_range_t *range,
    const prompt_versions_t *versions, prompt_mask_t mask) PROMPT_WARN_UNUSED;

/* as prompt_row() */
static inline void
prompt_version_row(const prompt_statement_t *statement,
    const prompt_rows_t *rows, unsigned row, prompt_version_t *version)
{
    prompt_columns_read(&prompt_version_resource, statement->columns, rows,
                        row, 0, version);
}


/*
 * Adds a version with the next number, whatever its own says; the prompt's
 * updated_at moves.
 * Numbers run 1, 2, 3 … without gap or repeat under any concurrency: the
 * number is taken by an UPDATE of the prompt's row, and given back with it.
 * NOT_FOUND, FORBIDDEN, DONE, ROOM, or a quota.  Its bytes are those of its
 * contents, which quotas count.
 */
size_t prompt_version_bytes(const prompt_version_t *version);
bool prompt_version_create(prompt_query_t *query, prompt_str_t caller,
    const prompt_version_t *version) PROMPT_WARN_UNUSED;

/*
 * The outcome; where it is DONE, *version is filled with the number, the time
 * and all else that was not given.
 */
prompt_outcome_t prompt_version_created_row(const prompt_rows_t *rows,
    prompt_version_t *version);

#endif /* PROMPT_STORE_VERSION_H */
