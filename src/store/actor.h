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
    member(PROMOTES, "promotes", 'b', promotes)                              \
    member(INPUT, "input", 'b', input)                                       \
    member(OUTPUT, "output", 'b', output)                                    \
    member(ANEW, "anew", 'b', anew)                                          \
    member(QUOTA_PROMPTS, "quota_prompts", 'l', quota.prompts)               \
    member(QUOTA_VERSIONS, "quota_versions", 'l', quota.versions)            \
    member(QUOTA_KEYS, "quota_keys", 'l', quota.keys)                        \
    member(QUOTA_MEMBERS, "quota_members", 'l', quota.members)               \
    member(QUOTA_BYTES, "quota_bytes", 'l', quota.bytes)


/* what a project may have: prompt_quota; without a bound PROMPT_QUOTA_NONE */
#define PROMPT_QUOTA_NONE  (INT64_C(1) << 60)

typedef struct {
    int64_t  prompts;
    int64_t  versions;               /* of a prompt */
    int64_t  keys;
    int64_t  members;
    int64_t  bytes;                  /* of versions, datasets */
    int64_t  in_flight;              /* executions under way */
} prompt_quota_t;


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
    bool          input;             /* contents of executions are recorded */
    bool          output;
    bool          anew;              /* room of the project may be shared out
                                        anew: the query is alone */
    prompt_quota_t  quota;
} prompt_actor_t;

/* who is nobody in a project, such as the operator: without quotas */
extern const prompt_actor_t  prompt_actor_nobody;


#define PROMPT_ACTOR_ID(id, name, letter, member)  PROMPT_ACTOR_##id,

typedef enum {
    PROMPT_ACTOR_MEMBERS(PROMPT_ACTOR_ID)
    PROMPT_ACTOR_COUNT
} prompt_actor_member_e;

#endif /* PROMPT_STORE_ACTOR_H */
