/*
 * Members of projects, and invitations: what changes them.
 *
 * Whoever changes who may do what holds the project's row: so one OWNER stays
 * at least, whoever comes at the same moment.  Roles of who asks are looked at
 * in the statement, not taken from the cache.
 *
 * Each function appends the statements of one change, as many as are named;
 * false: memory is short, or the query is full.
 */

#ifndef PROMPT_STORE_MEMBER_H
#define PROMPT_STORE_MEMBER_H

#include "store/project.h"


/* invitations of a project that are open */
#define PROMPT_INVITATIONS_MAX  1000

/* of each change: the last one has what came of it */
#define PROMPT_MEMBER_STATEMENTS  2


/* what came of a change, and one hash that is to be revoked after the commit */
typedef struct {
    prompt_outcome_t  outcome;
    prompt_str_t      project_id;    /* 16 bytes, where it was changed */
    int64_t           since;         /* of the member */
    prompt_str_t      hash;          /* 32 bytes; absent: of this row none */
} prompt_membership_t;


/*
 * Gives a member another role; NONE: they leave, and the keys that they made
 * there end.  by: who does; absent: an operator, who may all.  A new member is
 * only what an operator makes.  Invitations that they made and had no more
 * right to end, too.
 */
bool prompt_member_set(prompt_query_t *query, prompt_str_t project,
    prompt_str_t user, prompt_role_e role, prompt_str_t by)
    PROMPT_WARN_UNUSED;

/* Makes the user a member, by the token's hash, which is then used up. */
bool prompt_member_accept(prompt_query_t *query, prompt_str_t hash,
    prompt_str_t user) PROMPT_WARN_UNUSED;

/*
 * Whether there is an invitation of that token's hash: one row, or none.  And
 * makes an account of its e-mail, and that a member: in three statements, of
 * which signed_up() says, by all their rows, that it did so; NOT_FOUND, or
 * MEMBER where there is such an account.
 */
bool prompt_invitation_ask(prompt_query_t *query, prompt_str_t hash)
    PROMPT_WARN_UNUSED;
bool prompt_member_sign_up(prompt_query_t *query, prompt_str_t hash,
    prompt_str_t user, prompt_str_t name, prompt_str_t password)
    PROMPT_WARN_UNUSED;
prompt_outcome_t prompt_member_signed_up(const prompt_rows_t *rows);

/*
 * Hides a project and all that is in it: members and keys end.  What it has is
 * removed by prompt_sweep().  key: with which it is asked for, or absent.
 */
bool prompt_project_delete(prompt_query_t *query, prompt_str_t id,
    prompt_str_t by, prompt_str_t acting, bool key) PROMPT_WARN_UNUSED;

/* one row at least */
void prompt_membership_row(const prompt_rows_t *rows, unsigned row,
    prompt_membership_t *membership);

/*
 * Invites: another invitation of that e-mail is replaced.  Outcome, and when it
 * expires; id, email, role and hash are given.
 */
bool prompt_member_invite(prompt_query_t *query, prompt_str_t project,
    const prompt_invitation_t *invitation, prompt_str_t by) PROMPT_WARN_UNUSED;
prompt_outcome_t prompt_member_invite_row(const prompt_rows_t *rows,
    int64_t *expires_at);

/* one statement: one row, or none where there is no such invitation */
bool prompt_member_uninvite(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project) PROMPT_WARN_UNUSED;

#endif /* PROMPT_STORE_MEMBER_H */
