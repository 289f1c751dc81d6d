/*
 * The audit log: who changed what, and what was refused.
 *
 * Changes add their rows themselves (PROMPT_AUDIT in statement_impl.h).  Rows
 * are never changed, and outlive what they are about.
 */

#ifndef PROMPT_STORE_AUDIT_H
#define PROMPT_STORE_AUDIT_H

#include "store/column.h"
#include "store/user.h"


/* A row; all of it views the rows that were read. */
typedef struct {
    prompt_str_t   id;
    int64_t        at;
    prompt_str_t   key_id;           /* these may be absent: */
    prompt_str_t   address;
    prompt_str_t   action;           /* (not this one) */
    prompt_str_t   subject;
    prompt_str_t   subject_id;
    prompt_str_t   subject_name;
    prompt_str_t   detail;           /* JSON */
    prompt_str_t   trace_id;
} prompt_audit_t;

extern const prompt_resource_t  prompt_audit_resource;


/* which rows: those from lower on and below upper, the newest first */
typedef struct {
    prompt_str_t   project_id;
    prompt_str_t   lower;            /* ids, never absent */
    prompt_str_t   upper;
    prompt_str_t   actor_id;         /* absent: any */
    prompt_str_t   action;
    prompt_str_t   subject_id;
    uint32_t       first;
} prompt_audit_page_t;


/* The rows, and whose deed each is: user->id is absent where unknown. */
bool prompt_audit_read(prompt_query_t *query,
    const prompt_audit_page_t *page) PROMPT_WARN_UNUSED;
void prompt_audit_row(const prompt_rows_t *rows, unsigned row,
    prompt_audit_t *audit, prompt_user_t *user);

/*
 * Adds a row of the actor's, whose detail is JSON, or absent: for what is no
 * statement of the store's.  ..._refused(): unless there is one of that actor
 * and action that is less than a minute old.
 */
bool prompt_audit_add(prompt_query_t *query, const prompt_audit_t *what)
    PROMPT_WARN_UNUSED;
bool prompt_audit_refused(prompt_query_t *query, const prompt_audit_t *what)
    PROMPT_WARN_UNUSED;


/*
 * For promptctl, as texts: rows from the id $1 on, of the project $2 or (NULL)
 * of all, the oldest first, each a JSON object; its detail as a text, unless
 * $3.  How many are below the id $1, and their deletion, where months went
 * before: these as prompt_prune_…_sql of executions have them.
 */
extern const char  prompt_audit_all_sql[];
extern const char  prompt_audit_count_sql[];
extern const char  prompt_audit_month_sql[];
extern const char  prompt_audit_drop_sql[];
extern const char  prompt_audit_delete_sql[];

#endif /* PROMPT_STORE_AUDIT_H */
