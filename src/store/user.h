/*
 * Users: accounts that keys and prompts belong to.
 *
 * Each function appends one statement to the query; false: memory is short,
 * or the query is full.  All rows are read by prompt_user_row().
 */

#ifndef PROMPT_STORE_USER_H
#define PROMPT_STORE_USER_H

#include "store/column.h"
#include "store/range.h"


typedef struct {
    prompt_str_t  id;                /* 16 bytes */
    prompt_str_t  email;
    prompt_str_t  name;              /* absent: none */
    int64_t       created_at;
    prompt_maybe_t  disabled_at;     /* time; unknown: it is not */
} prompt_user_t;


/* what became of something that a user leaves */
typedef struct {
    prompt_str_t  what;              /* absent: hash alone counts */
    prompt_str_t  hash;              /* to be revoked: 32 bytes, or absent */
    prompt_str_t  project;           /* of prompt_user_leave(): its name */
} prompt_user_left_t;


/*
 * What two e-mails have in common that are one: ASCII is folded, and nothing
 * else, so that no locale makes another's of an address.
 */
#define PROMPT_EMAIL(text)  "lower(" text " COLLATE \"C\")"


/* its columns */
extern const prompt_resource_t  prompt_user_resource;


/* one row or none */
bool prompt_user_by_id(prompt_query_t *query, prompt_str_t id)
    PROMPT_WARN_UNUSED;

/* in any case (ASCII); one row or none */
bool prompt_user_by_email(prompt_query_t *query, prompt_str_t email)
    PROMPT_WARN_UNUSED;

/*
 * All who are or were members of a project, for prompt_user_find().  Of a
 * range: of the projects of its prompts, as far as the caller may read them,
 * and of the caller's.
 */
bool prompt_user_of_project(prompt_query_t *query, prompt_str_t project)
    PROMPT_WARN_UNUSED;
bool prompt_user_of_range(prompt_query_t *query, const prompt_range_t *range)
    PROMPT_WARN_UNUSED;

/* Adds a user; one row, or none where the e-mail is taken.  name or absent. */
bool prompt_user_add(prompt_query_t *query, prompt_str_t id,
    prompt_str_t email, prompt_str_t name) PROMPT_WARN_UNUSED;

/* all users, oldest first */
bool prompt_user_list(prompt_query_t *query) PROMPT_WARN_UNUSED;

/*
 * Disables a user and ends sessions and keys, with those that were made by
 * these; keep: keys of projects of several pass to the first OWNER who stays.
 * prompt_user_left_row() each: "session", "key" (ended) or "kept".
 */
bool prompt_user_disable(prompt_query_t *query, prompt_str_t id, bool keep)
    PROMPT_WARN_UNUSED;

/* One row, or none where the user was deleted.  What has ended stays so. */
bool prompt_user_enable(prompt_query_t *query, prompt_str_t id)
    PROMPT_WARN_UNUSED;

/*
 * One who is disabled leaves a project of several; heir, or absent, becomes
 * its OWNER where there is none.  No row where there is no such project, else
 * prompt_user_left_row(), the first: "left", "given", or "held", where somebody
 * must be OWNER.
 */
bool prompt_user_leave(prompt_query_t *query, prompt_str_t id,
    prompt_str_t heir) PROMPT_WARN_UNUSED;

void prompt_user_left_row(const prompt_rows_t *rows, unsigned row,
    prompt_user_left_t *left);

/*
 * What promptctl deletes a user with, by text.  Parameters: the user, of steps
 * the place ("" at first), and of prompts the heir, or NULL.  owns: names of
 * projects that would be without an OWNER; bury: whether it was done; steps:
 * the next place, and how much was done.
 */
extern const char  prompt_user_owns_sql[];
extern const char  prompt_user_prompts_sql[];
extern const char  prompt_user_executions_sql[];
extern const char  prompt_user_traces_sql[];
extern const char  prompt_user_bury_sql[];

void prompt_user_row(const prompt_rows_t *rows, unsigned row,
    prompt_user_t *user);

/*
 * The user of that id among rows whose ids ascend; one who is not there was
 * deleted, and has an e-mail that says so.
 */
void prompt_user_find(const prompt_rows_t *rows, prompt_str_t id,
    prompt_user_t *user);

#endif /* PROMPT_STORE_USER_H */
