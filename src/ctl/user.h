/*
 * Users and projects, as arguments name them.  What is not there ends the run.
 */

#ifndef CTL_USER_H
#define CTL_USER_H

#include "ctl/postgres.h"
#include "store/user.h"


/* the id of the user with that address */
prompt_uuid_t ctl_user_find(ctl_postgres_t *pg, const char *email);

/* a project of several, by its id, or by a name that no other one has */
prompt_uuid_t ctl_project_find(ctl_postgres_t *pg, const char *name);

#endif /* CTL_USER_H */
