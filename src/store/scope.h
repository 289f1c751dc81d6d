/*
 * Scope: which prompts a root field is about, and for whom.
 *
 * The root's statement and those of the nested levels (versions, executions,
 * createdBy) are all derived from the same scope, so that they can be sent as
 * one pipeline, without waiting for the root's rows.
 *
 * Each statement sees the database at its own moment, so that prompts may come
 * and go between root and nested level, unless prompt_snapshot() went first.
 * Rows of all levels come in the same order, prompt id descending, so a walk
 * side by side that skips what has no counterpart joins them.
 */

#ifndef PROMPT_STORE_SCOPE_H
#define PROMPT_STORE_SCOPE_H

#include "store/value.h"


typedef enum {
    PROMPT_SCOPE_ID = 0,             /* the prompt of that id, any owner's */
    PROMPT_SCOPE_NAME,               /* the caller's own of that name */
    PROMPT_SCOPE_LIST                /* the caller's own, newest first */
} prompt_scope_kind_t;


typedef struct {
    prompt_scope_kind_t  kind;
    prompt_str_t         caller;     /* the user's id, 16 bytes */
    prompt_str_t         id;         /* ID: 16 bytes */
    prompt_str_t         name;       /* NAME: as stored (kebab-case) */

    /* LIST: absent or 0 where not given */
    uint32_t             first;
    prompt_str_t         after;      /* 16 bytes: ids below it */
    prompt_str_t         category;   /* GENERAL, … */
    prompt_str_t         search;     /* text, no pattern; any case */
} prompt_scope_t;


/*
 * Before all others of a query that only reads: they then see the database at
 * one moment, as if they were one statement.  Has no rows.  False: memory is
 * short, or the query is not empty.
 */
bool prompt_snapshot(prompt_query_t *query) PROMPT_WARN_UNUSED;

/*
 * Whether it went first.  The query's transaction must then begin with it:
 * nothing may be prepared before it in the same one.
 */
bool prompt_snapshot_first(const prompt_query_t *query);

/*
 * For the store's own use: which of the four statements of a family serves
 * the scope (0 by id, 1 by name, 2 all of the caller's, 3 a page of them),
 * and its parameters:
 *
 *     by id:    $1 id, $2 caller
 *     by name:  $1 caller, $2 name
 *     all:      $1 caller
 *     page:     $1 caller, $2 after, $3 category, $4 search, $5 first
 */
unsigned prompt_scope_index(const prompt_scope_t *scope);
void prompt_scope_bind(prompt_bind_t *bind, const prompt_scope_t *scope);

/* an id that rows must be below (absent: none), a LIMIT (0: none) */
void prompt_bind_id_below(prompt_bind_t *bind, prompt_str_t after);
void prompt_bind_limit(prompt_bind_t *bind, uint32_t first);

/*
 * "FROM prompts p WHERE …" of a page.  The owner's range stands as it does so
 * that only the index that begins with the owner has this order: with that of
 * the ids, a page would be looked for among everybody's newer prompts.
 */
#define PROMPT_SCOPE_PAGE_SQL                                                \
    "FROM prompts p WHERE p.owner_id >= $1"                                  \
    " AND (p.owner_id, p.id) < ($1, $2) AND p.state = 0"                     \
    " AND ($3::text IS NULL OR p.category = $3)"                             \
    " AND ($4::text IS NULL"                                                 \
    " OR strpos(prompt_fold(p.name), prompt_fold($4)) > 0"                   \
    " OR strpos(prompt_fold(p.description), prompt_fold($4)) > 0)"           \
    " ORDER BY p.owner_id DESC, p.id DESC LIMIT $5"

/*
 * Of a level below all prompts of $1, which does not look at their rows: that
 * the prompt is not hidden.  There is hardly ever one.
 */
#define PROMPT_SCOPE_SHOWN_SQL(id)                                           \
    id " <> ALL (ARRAY(SELECT h.id FROM prompts h"                           \
    " WHERE h.owner_id = $1 AND h.state <> 0))"

#endif /* PROMPT_STORE_SCOPE_H */
