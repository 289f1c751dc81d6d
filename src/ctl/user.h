/*
 * Users, for the commands that take an e-mail address.
 */

#ifndef CTL_USER_H
#define CTL_USER_H

#include "ctl/postgres.h"
#include "store/user.h"


/*
 * The id of the user with that address.  Returns an exit status, after a
 * message where it is not CTL_OK.
 */
int ctl_user_find(ctl_t *ctl, ctl_postgres_t *pg, const char *email,
    prompt_uuid_t *id) PROMPT_WARN_UNUSED;

#endif /* CTL_USER_H */
