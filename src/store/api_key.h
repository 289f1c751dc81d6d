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
#include "store/outcome.h"
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

/* their names, up to one without bits, in the order in which they are shown */
typedef struct {
    prompt_str_t  name;
    unsigned      bit;
} prompt_key_scope_t;

#define PROMPT_KEY_SCOPES  6

extern const prompt_key_scope_t  prompt_key_scopes[PROMPT_KEY_SCOPES + 1];

/* the scope of that name; 0: there is none */
unsigned prompt_key_scope(prompt_str_t name);

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
    bool            budgets;         /* there are some, of it or the project */
    prompt_str_t    trusted;         /* of a session: who was said to begin it,
                                        16 bytes; absent: nobody said */
} prompt_api_key_auth_t;


/* what a list shows, and what is given to create one */
typedef struct {
    prompt_str_t    id;              /* 16 bytes */
    prompt_str_t    user_id;         /* 16 bytes; created: given */
    prompt_str_t    project_id;      /* the same; absent: the personal one */
    prompt_str_t    parent_id;       /* the key that made it; absent: none;
                                        created: the actor's */
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

/*
 * The project's `first` keys with ids below `after` (absent: all), newest
 * first, expired ones too, deleted ones not; where the actor is no ADMIN those
 * of their own making.
 */
bool prompt_api_key_list(prompt_query_t *query, prompt_str_t project,
    uint32_t first, prompt_str_t after) PROMPT_WARN_UNUSED;

/*
 * For an operator: all keys of a user's making, in the same order.  Each row
 * ends with the name of its project.
 */
bool prompt_api_key_list_any(prompt_query_t *query, prompt_str_t user_id)
    PROMPT_WARN_UNUSED;
prompt_str_t prompt_api_key_project(const prompt_rows_t *rows, unsigned row);

/* For an operator: projects of the user's, by id or name; their ids. */
bool prompt_api_key_projects(prompt_query_t *query, prompt_str_t user_id,
    prompt_str_t project) PROMPT_WARN_UNUSED;

/*
 * Keys of a project: when a member leaves, or a budget comes, the caches are
 * told of all, which must not be more than that can be done with.  Some more
 * come to be where they are made at once.
 */
#define PROMPT_KEYS_MAX  1000

/*
 * Creates a key; a row as in the list where it is DONE.  NOT_FOUND where the
 * key that makes it, or one that this was made with, is deleted, or the maker
 * may not be here; TOO_MANY.
 */
bool prompt_api_key_create(prompt_query_t *query,
    const prompt_api_key_t *key) PROMPT_WARN_UNUSED;
prompt_outcome_t prompt_api_key_made(const prompt_rows_t *rows);

/* a row of the list, or of what was created */
void prompt_api_key_row(const prompt_rows_t *rows, unsigned row,
    prompt_api_key_t *key);

/*
 * Marks a key of the project's as deleted, and all that were made with it, and
 * with these; already deleted ones stay so.  project: absent for an operator,
 * to whom any user's key is.
 *
 * These are two statements: the first holds the key, and with it waits for keys
 * that are made with it just now.  NOT_FOUND (the project never had such a
 * key), FORBIDDEN (it is of another's making, and the actor no ADMIN) or DONE.
 * Then the rows of the second are hashes, that of the key itself in any case:
 * after the commit they are to be revoked in Redis.
 */
bool prompt_api_key_delete(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project) PROMPT_WARN_UNUSED;
prompt_outcome_t prompt_api_key_delete_row(const prompt_rows_t *rows);

/*
 * The hashes, one behind the other, in the arena; absent: memory is short.
 * rows: those of both statements.
 */
prompt_str_t prompt_api_key_hashes(const prompt_rows_t *rows,
    prompt_arena_t *arena);

/*
 * Notes that keys and sessions were used now: their ids, 16 bytes each.  Where
 * that was noted less than 20 s ago nothing is written.  No row.
 */
bool prompt_api_key_used(prompt_query_t *query, prompt_str_t ids)
    PROMPT_WARN_UNUSED;

#endif /* PROMPT_STORE_API_KEY_H */
