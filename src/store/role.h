/*
 * Roles: what a member of a project may, as the database has them.  A key may
 * what its maker may at each moment, and of that what its scopes allow.
 */

#ifndef PROMPT_STORE_ROLE_H
#define PROMPT_STORE_ROLE_H

#include "base/str.h"


/* each may what those before it may */
typedef enum {
    PROMPT_ROLE_NONE = 0,            /* no member, or not any more */
    PROMPT_ROLE_VIEWER,
    PROMPT_ROLE_EDITOR,
    PROMPT_ROLE_ADMIN,
    PROMPT_ROLE_OWNER
} prompt_role_e;


/* in SQL: the name of a role that is a number; NULL of none */
#define PROMPT_ROLE_NAME(role)                                               \
    "(ARRAY['VIEWER', 'EDITOR', 'ADMIN', 'OWNER'])[" role "]"


/* The scopes (PROMPT_KEY_SCOPE_…) that a role has at most. */
unsigned prompt_role_scopes(prompt_role_e role);

/* "VIEWER" and so on, and the role of such a name; "NONE" for no role's. */
const char *prompt_role_text(prompt_role_e role);
prompt_role_e prompt_role_of(prompt_str_t name);

#endif /* PROMPT_STORE_ROLE_H */
