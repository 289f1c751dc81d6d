/*
 * Users, for the commands that take an e-mail address.
 */

#ifndef CTL_USER_H
#define CTL_USER_H

#include "ctl/postgres.h"
#include "store/user.h"


/* the id of the user with that address */
prompt_uuid_t ctl_user_find(ctl_postgres_t *pg, const char *email);

#endif /* CTL_USER_H */
