/*
 * Inside an import: what its making (prompt_import.c) and what is said of it
 * (prompt_import_answer.c) know of each other.  Nobody else includes this
 * header.
 */

#ifndef NGX_HTTP_PROMPT_PROMPT_IMPORT_IMPL_H
#define NGX_HTTP_PROMPT_PROMPT_IMPORT_IMPL_H

#include "service/tree/tree.h"
#include "store/import.h"


/* faults that are told */
#define NGX_HTTP_PROMPT_IMPORT_FAULTS  20


/* lives in the request's pool, its lists until PostgreSQL has answered */
typedef struct {
    ngx_http_prompt_list_t   list;           /* of changes */
    const prompt_rows_t     *answer;         /* which has them */
    prompt_import_t          rows;

    const prompt_json_t     *prompt;         /* to be looked at next, and */
    const prompt_json_t     *version;        /* of the one before */
    uint32_t                 count;          /* of those looked at */
    uint32_t                 place;          /* of the version */
    int32_t                  previous;
    size_t                   bytes;          /* of what was looked at */
    prompt_str_t            *names;          /* as they are stored */
    prompt_str_t             now;
    ngx_uint_t               tries;
    unsigned                 statement;      /* index of what answers */

    unsigned                 next;           /* row */
    int32_t                  created;
    int32_t                  changed;
    int32_t                  deleted;

    struct {                                 /* the change that is written */
        prompt_str_t         prompt;
        prompt_str_t         what;
        prompt_maybe_t       version;
        prompt_str_t         label;
    } change;
} ngx_http_prompt_import_t;


/* Where the next fault is: a prompt, or of its list an item.  False: memory. */
bool ngx_http_prompt_import_within(ngx_http_prompt_root_t *root,
    uint32_t prompt, const char *list, uint32_t place) PROMPT_WARN_UNUSED;

/* Completes root with the faults that import->answer has. */
void ngx_http_prompt_import_faults(ngx_http_prompt_root_t *root,
    ngx_http_prompt_import_t *import);

/* The prompts that the changes name are shown by the answer: once_shows(). */
void ngx_http_prompt_import_shows(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_import_t *import);

/* How many prompts are created, changed, deleted, by import->answer. */
void ngx_http_prompt_import_count(ngx_http_prompt_import_t *import);

/*
 * The next change.  The list may be asked for more than once, one time after
 * the other.
 */
void *ngx_http_prompt_import_item(ngx_http_prompt_list_t *list);

#endif /* NGX_HTTP_PROMPT_PROMPT_IMPORT_IMPL_H */
