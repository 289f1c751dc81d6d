/*
 * Roles.
 */

#include "store/api_key.h"


/* What anybody may in a project: who has signed in, or has a key. */
#define ROLE_ANY     (PROMPT_KEY_SCOPE_SESSION|PROMPT_KEY_SCOPE_ANY)

#define ROLE_VIEWER  (ROLE_ANY|PROMPT_KEY_SCOPE_READ)

#define ROLE_EDITOR                                                          \
    (ROLE_VIEWER|PROMPT_KEY_SCOPE_WRITE|PROMPT_KEY_SCOPE_EXECUTE             \
     |PROMPT_KEY_SCOPE_KEYS)

#define ROLE_ADMIN                                                           \
    (ROLE_EDITOR|PROMPT_KEY_SCOPE_ADMIN|PROMPT_KEY_SCOPE_PROMOTE)


static const char *const  prompt_role_names[] = {
    "NONE", "VIEWER", "EDITOR", "ADMIN", "OWNER"
};


unsigned
prompt_role_scopes(prompt_role_e role)
{
    static const unsigned  scopes[] = {
        0, ROLE_VIEWER, ROLE_EDITOR, ROLE_ADMIN, ROLE_ADMIN
    };

    return role < sizeof(scopes) / sizeof(scopes[0]) ? scopes[role] : 0;
}


const char *
prompt_role_text(prompt_role_e role)
{
    return prompt_role_names[role <= PROMPT_ROLE_OWNER ? role : 0];
}


prompt_role_e
prompt_role_of(prompt_str_t name)
{
    unsigned  role;

    for (role = PROMPT_ROLE_OWNER; role > 0; role--) {
        if (prompt_str_eq(name, prompt_str_from(prompt_role_names[role]))) {
            break;
        }
    }

    return (prompt_role_e) role;
}
