/*
 * Roles: what a member of a project may, as the database has them.  A key may
 * what its maker may at each moment, and of that what its scopes allow.
 */

#ifndef PROMPT_STORE_ROLE_H
#define PROMPT_STORE_ROLE_H


/* each may what those before it may */
typedef enum {
    PROMPT_ROLE_NONE = 0,            /* no member, or not any more */
    PROMPT_ROLE_VIEWER,
    PROMPT_ROLE_EDITOR,
    PROMPT_ROLE_ADMIN,
    PROMPT_ROLE_OWNER
} prompt_role_e;


/* The scopes (PROMPT_KEY_SCOPE_…) that a role has at most. */
unsigned prompt_role_scopes(prompt_role_e role);

#endif /* PROMPT_STORE_ROLE_H */
