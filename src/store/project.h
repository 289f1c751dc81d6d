/*
 * Projects: what prompts, executions and keys belong to, and what is read of
 * them: members and invitations (member.h changes these).
 *
 * Functions that read or change append statements to the query; false: memory
 * is short, or the query is full.
 */

#ifndef PROMPT_STORE_PROJECT_H
#define PROMPT_STORE_PROJECT_H

#include "store/outcome.h"
#include "store/role.h"
#include "store/user.h"


/* projects of a user, of which lists have no more */
#define PROMPT_PROJECTS_MAX  1000


typedef struct {
    prompt_str_t    id;              /* 16 bytes */
    prompt_str_t    name;
    bool            personal;
    int32_t         role;            /* prompt_role_e, of who asks */
    int64_t         created_at;
    prompt_texts_t  protected_labels;
    bool            records_content;
} prompt_project_t;


typedef struct {
    prompt_user_t   user;
    int32_t         role;            /* prompt_role_e */
    int64_t         since;
} prompt_member_t;


typedef struct {
    prompt_str_t    id;              /* 16 bytes */
    prompt_str_t    email;
    int32_t         role;            /* prompt_role_e */
    int64_t         created_at;
    int64_t         expires_at;
    prompt_str_t    hash;            /* 32 bytes; created: given */
    prompt_user_t   by;
} prompt_invitation_t;


/* their columns */
extern const prompt_resource_t  prompt_project_resource;
extern const prompt_resource_t  prompt_invitation_resource;


/* which projects: those of which a user is a member, or of them one */
typedef struct {
    int32_t         prompts;
    int32_t         versions;
    int32_t         keys;
    int32_t         members;
    double          bytes;           /* of versions, datasets */
    int32_t         in_flight;       /* executions that run */
} prompt_project_usage_t;


typedef struct {
    prompt_str_t    user_id;         /* 16 bytes */
    prompt_str_t    id;              /* 16 bytes; absent: all */
} prompt_projects_t;


/*
 * The projects, the personal one first, then the newest.  In the order of
 * these, a statement each: so many members of each project, behind a user
 * (absent: the first); invitations that are open, where the user may see them.
 */
bool prompt_project_read(prompt_query_t *query, const prompt_projects_t *of)
    PROMPT_WARN_UNUSED;
bool prompt_project_members(prompt_query_t *query, const prompt_projects_t *of,
    uint32_t first, prompt_str_t after) PROMPT_WARN_UNUSED;
bool prompt_project_invitations(prompt_query_t *query,
    const prompt_projects_t *of) PROMPT_WARN_UNUSED;

/*
 * Budgets: the project's, then those of keys, by key.  Behind the columns of
 * one are those of whoever made its key, then the key's.
 */
bool prompt_project_budgets(prompt_query_t *query,
    const prompt_projects_t *of) PROMPT_WARN_UNUSED;
/* how much each has of what quotas bound */
bool prompt_project_usage(prompt_query_t *query, const prompt_projects_t *of)
    PROMPT_WARN_UNUSED;
void prompt_project_usage_row(const prompt_rows_t *rows, unsigned row,
    prompt_project_usage_t *usage);

/* a row of each; of what is in a project the first cell is its id */
void prompt_project_row(const prompt_rows_t *rows, unsigned row,
    prompt_project_t *project);
void prompt_project_member_row(const prompt_rows_t *rows, unsigned row,
    prompt_member_t *member);
void prompt_project_invitation_row(const prompt_rows_t *rows, unsigned row,
    prompt_invitation_t *invitation);

/*
 * Creates a project with its OWNER; an outcome: TOO_MANY, where the user has
 * PROMPT_PROJECTS_MAX.
 */
bool prompt_project_create(prompt_query_t *query, prompt_str_t id,
    prompt_str_t name, prompt_str_t owner) PROMPT_WARN_UNUSED;

/* Changes the project; no row: it has been deleted. */
bool prompt_project_update(prompt_query_t *query, prompt_str_t id,
    prompt_mask_t given, const prompt_project_t *project) PROMPT_WARN_UNUSED;

/*
 * Moves a prompt of one project to another, by a user who is EDITOR there or
 * more, with versions, labels and moves.  What was executed stays with who
 * paid; that it is of another owner now is noted in steps (prompt_sweep()).
 * audit: the id of what the other project's audit log has of it.
 * Rows: an outcome (ELSEWHERE, PROTECTED), and the prompt, by
 * prompt_changed_row(); a name that is taken there is an error,
 * PROMPT_SQL_DUPLICATE.
 */
#define PROMPT_TRANSFER_STATEMENTS  2

bool prompt_transfer(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project, prompt_str_t to, prompt_str_t by,
    prompt_str_t audit) PROMPT_WARN_UNUSED;

/* for operators: all that are of several, or of that id or name */
typedef struct {
    prompt_project_t  project;       /* protected labels and role are not */
    int64_t           members;
    prompt_str_t      owners;        /* e-mails, with commas */
} prompt_project_summary_t;

bool prompt_project_list(prompt_query_t *query, prompt_str_t which)
    PROMPT_WARN_UNUSED;
void prompt_project_list_row(const prompt_rows_t *rows, unsigned row,
    prompt_project_summary_t *summary);

#endif /* PROMPT_STORE_PROJECT_H */
