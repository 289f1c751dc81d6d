/*
 * API keys as the database knows them: by the SHA-256 of the key.  Sessions
 * are keys of another kind (session.h): they are found by their hash as keys
 * are, and no other statement here sees them.
 *
 * Functions that read or change append one statement to the query; false:
 * memory is short, or the query is full.  Views in rows live as long as the
 * rows.
 */

#ifndef PROMPT_STORE_API_KEY_H
#define PROMPT_STORE_API_KEY_H

#include "store/column.h"
#include "store/role.h"


#define PROMPT_API_KEY_HASH_LEN  32

/* scopes, as bits; none: all that the key's user may */
#define PROMPT_KEY_SCOPE_READ        0x1
#define PROMPT_KEY_SCOPE_WRITE       0x2
#define PROMPT_KEY_SCOPE_EXECUTE     0x4
#define PROMPT_KEY_SCOPE_KEYS        0x8
#define PROMPT_KEY_SCOPE_SESSION     0x10    /* every session's, no key's */
#define PROMPT_KEY_SCOPE_ANY         0x20    /* every key's and session's */
#define PROMPT_KEY_SCOPE_ADMIN       0x40
#define PROMPT_KEY_SCOPE_PROMOTE     0x80    /* protected labels */

/* what a key can have */
#define PROMPT_KEY_SCOPE_ALL                                                 \
    (PROMPT_KEY_SCOPE_READ|PROMPT_KEY_SCOPE_WRITE|PROMPT_KEY_SCOPE_EXECUTE   \
     |PROMPT_KEY_SCOPE_KEYS|PROMPT_KEY_SCOPE_ADMIN|PROMPT_KEY_SCOPE_PROMOTE)


/* what authentication needs */
typedef struct {
    prompt_str_t    id;              /* 16 bytes */
    prompt_str_t    user_id;         /* 16 bytes */
    prompt_str_t    project_id;      /* 16 bytes */
    prompt_role_e   role;            /* of the user there */
    unsigned        scopes;          /* PROMPT_KEY_SCOPE_…, 0: all a key may */
    prompt_maybe_t  expires_at;      /* time; unknown: never */
} prompt_api_key_auth_t;


/* what a list shows, and what is given to create one */
typedef struct {
    prompt_str_t    id;              /* 16 bytes */
    prompt_str_t    user_id;         /* 16 bytes; created: given */
    prompt_str_t    project_id;      /* the same; absent: the personal one */
    prompt_str_t    hash;            /* 32 bytes; created: given */
    prompt_str_t    name;
    prompt_str_t    hint;
    unsigned        scopes;          /* PROMPT_KEY_SCOPE_…, 0: all */
    int64_t         created_at;
    prompt_maybe_t  expires_at;      /* time; unknown: never */
    prompt_maybe_t  last_used_at;    /* a minute old at most */
} prompt_api_key_t;


/* its columns */
extern const prompt_resource_t  prompt_api_key_resource;


/*
 * The key or session of that hash, unless deleted: one row or none.  project:
 * in which a session acts; absent: in the one that the row has, as keys do.
 * Whether it has expired is for the caller, who knows the time, to decide.
 */
bool prompt_api_key_by_hash(prompt_query_t *query, prompt_str_t hash,
    prompt_str_t project) PROMPT_WARN_UNUSED;
void prompt_api_key_auth_row(const prompt_rows_t *rows, unsigned row,
    prompt_api_key_auth_t *key);

/* The project's keys, newest first, expired ones too, deleted ones not. */
bool prompt_api_key_list(prompt_query_t *query, prompt_str_t project)
    PROMPT_WARN_UNUSED;

/* Creates a key; one row, as in the list; none where user_id is no member. */
bool prompt_api_key_create(prompt_query_t *query,
    const prompt_api_key_t *key) PROMPT_WARN_UNUSED;

/* a row of the list, or of what was created */
void prompt_api_key_row(const prompt_rows_t *rows, unsigned row,
    prompt_api_key_t *key);

/*
 * Marks a key of the project's as deleted; already deleted ones stay so.  One
 * row, its hash, in both cases; none where the project never had such a key.
 * After the commit, the hash is to be revoked in Redis.
 */
bool prompt_api_key_delete(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project) PROMPT_WARN_UNUSED;

/* the same for an operator: any user's key */
bool prompt_api_key_delete_any(prompt_query_t *query, prompt_str_t id)
    PROMPT_WARN_UNUSED;

/* the hash, 32 bytes; absent where there is no row */
prompt_str_t prompt_api_key_delete_row(const prompt_rows_t *rows);

/*
 * Notes that keys and sessions were used now: their ids, 16 bytes each.  Where
 * that was noted less than 20 s ago nothing is written.  No row.
 */
bool prompt_api_key_used(prompt_query_t *query, prompt_str_t ids)
    PROMPT_WARN_UNUSED;

#endif /* PROMPT_STORE_API_KEY_H */
