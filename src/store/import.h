/*
 * Imports: many prompts with their versions and labels at once.
 *
 * All of it is rows of JSON, which one statement takes apart, compares with
 * what is there, and does where nothing is wrong.  It answers in either case:
 * with what it does, or would do, and with what is wrong.
 */

#ifndef PROMPT_STORE_IMPORT_H
#define PROMPT_STORE_IMPORT_H

#include "store/label.h"
#include "store/prompt.h"
#include "store/version.h"


/* what a row of the answer tells; from FAULT on nothing is changed */
typedef enum {
    PROMPT_IMPORT_CREATE = 0,
    PROMPT_IMPORT_UPDATE,
    PROMPT_IMPORT_VERSION,
    PROMPT_IMPORT_LABEL,
    PROMPT_IMPORT_DELETE,
    PROMPT_IMPORT_FAULT,
    PROMPT_IMPORT_TWICE = PROMPT_IMPORT_FAULT,
                                     /* other: the first prompt of that name */
    PROMPT_IMPORT_COPYING,           /* the name is that of a copy that is
                                        being made */
    PROMPT_IMPORT_DIFFERS,           /* text: the column of the version */
    PROMPT_IMPORT_GAP,               /* other: the last version before it */
    PROMPT_IMPORT_NO_VERSION,        /* of a label */
    PROMPT_IMPORT_LABEL_TWICE,
    PROMPT_IMPORT_LABELS,            /* a prompt has too many */
    PROMPT_IMPORT_DELETIONS,         /* there are too many */
    PROMPT_IMPORT_PROTECTED,         /* text: a label that would be moved, or
                                        deleted, and is for others to move;
                                        before all other faults */
    PROMPT_IMPORT_PROMPTS_QUOTA,
    PROMPT_IMPORT_BYTES_QUOTA,
    PROMPT_IMPORT_VERSIONS_QUOTA
} prompt_import_kind_t;


/* A row of the answer; text and id view the row. */
typedef struct {
    prompt_import_kind_t  kind;
    int32_t               prompt;    /* its place, from 0 */
    int32_t               place;     /* of version or label in its list */
    prompt_maybe_t        version;
    int32_t               other;
    prompt_str_t          text;      /* label, column, name of what is
                                        deleted; or absent */
    prompt_str_t          id;        /* of a prompt that has it then: 16 bytes,
                                        or absent */
} prompt_import_row_t;


/* of what is imported, a JSON array each */
typedef enum {
    PROMPT_IMPORT_NAMES = 0,         /* of the prompts */
    PROMPT_IMPORT_PROMPTS,
    PROMPT_IMPORT_VERSIONS,
    PROMPT_IMPORT_LABELS_SET,
    PROMPT_IMPORT_LISTS
} prompt_import_list_t;


/* What is imported.  Lists are the caller's to make, empty, and to free. */
typedef struct {
    prompt_buf_t  lists[PROMPT_IMPORT_LISTS];
    uint32_t      counts[PROMPT_IMPORT_LISTS];
    uint32_t      max_labels;        /* of a prompt */
    uint32_t      max_deletions;
    bool          dry;               /* it only answers */
    bool          deletes;           /* prompts that are not named */
} prompt_import_t;


/*
 * Add a row.  given: mask of the columns that a prompt which is there is to
 * get; place: of a version or label in the list of the last prompt; previous:
 * the version before it there, or 0; move: a new id.
 */
void prompt_import_prompt(prompt_import_t *import, prompt_mask_t given,
    const prompt_record_t *prompt);
void prompt_import_version(prompt_import_t *import, uint32_t place,
    int32_t previous, const prompt_version_t *version);
void prompt_import_label(prompt_import_t *import, uint32_t place,
    const prompt_label_t *label, prompt_str_t move);

/* There are no more rows; whether memory was short the lists say. */
void prompt_import_end(prompt_import_t *import);

/*
 * All of it, for its owner; now: an id with the time.  Unless it is dry it is
 * two statements, of which the first holds the prompts.  A prompt that somebody
 * else creates meanwhile makes it fail as a DUPLICATE: then it is to be done
 * again.  Its answer is that of statement *rows.
 */
bool prompt_import(prompt_query_t *query, prompt_str_t owner,
    const prompt_import_t *import, prompt_str_t now, unsigned *rows)
    PROMPT_WARN_UNUSED;

/* Rows come in the order of prompts, faults before all others. */
void prompt_import_row(const prompt_rows_t *rows, unsigned row,
    prompt_import_row_t *out);

#endif /* PROMPT_STORE_IMPORT_H */
