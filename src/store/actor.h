/*
 * Actor: on whose behalf a query is sent, and within which bounds.  What a
 * statement wants of it stands in its text as {by NAME} and becomes a
 * parameter, which is bound from query->actor behind everybody's back: so no
 * function of a resource has to hand it on.
 */

#ifndef PROMPT_STORE_ACTOR_H
#define PROMPT_STORE_ACTOR_H

#include "base/str.h"


/* id, name in texts, letter of its type (statement_impl.h), member */
#define PROMPT_ACTOR_MEMBERS(member)                                         \
    member(USER, "user", 'u', user_id)                                       \
    member(AUTHOR, "author", 'u', author)                                    \
    member(PROJECT, "project", 'u', project_id)                              \
    member(KEY, "key", 'u', key_id)                                          \
    member(ADDRESS, "address", 't', address)                                 \
    member(TRACE, "trace", 'y', trace_id)                                    \
    member(ACTION, "action", 't', action)                                    \
    member(AUDIT, "audit", 'u', audit_id)                                    \
    member(ADMIN, "admin", 'b', admin)                                       \
    member(OWNER, "owner", 'b', owner)                                       \
    member(PROMOTES, "promotes", 'b', promotes)


/* texts are absent where there is none; ids: 16 bytes */
typedef struct {
    prompt_str_t  user_id;           /* the person */
    prompt_str_t  author;            /* the same; absent in their personal
                                        project: what rows have of it */
    prompt_str_t  project_id;
    prompt_str_t  key_id;            /* absent: in a session */
    prompt_str_t  address;
    prompt_str_t  trace_id;
    prompt_str_t  action;            /* the root field, or a command */
    prompt_str_t  audit_id;          /* of the row in the audit log: one of its
                                        changes */
    bool          admin;             /* ADMIN of the project, or OWNER */
    bool          owner;             /* OWNER */
    bool          promotes;          /* may move protected labels */
} prompt_actor_t;


#define PROMPT_ACTOR_ID(id, name, letter, member)  PROMPT_ACTOR_##id,

typedef enum {
    PROMPT_ACTOR_MEMBERS(PROMPT_ACTOR_ID)
    PROMPT_ACTOR_COUNT
} prompt_actor_member_e;

#endif /* PROMPT_STORE_ACTOR_H */
