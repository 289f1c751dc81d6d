/*
 * Sessions and passwords: people who sign in.
 *
 * A session is a row of api_keys with another kind: it has a hash, scopes and
 * an expiry as keys have, and is looked up as they are (api_key.h).  Beside
 * that it ends when it was not used for a while.  An ended one stays for 31
 * days: it says from where its user has signed in.
 *
 * Functions that read or change append one statement to the query; false:
 * memory is short, or the query is full.  Views in rows live as long as the
 * rows.
 */

#ifndef PROMPT_STORE_SESSION_H
#define PROMPT_STORE_SESSION_H

#include "store/api_key.h"


/* sessions of one account that may live; the oldest one makes room */
#define PROMPT_SESSIONS_MAX   256

/* characters of what a browser calls itself */
#define PROMPT_SESSION_AGENT  512


/* an account, as who signs in must know it */
typedef struct {
    prompt_str_t  id;                /* 16 bytes; absent: there is none */
    prompt_str_t  email;
    prompt_str_t  name;              /* absent: none */
    prompt_str_t  password;          /* Argon2id; absent: none */
    bool          known;             /* has signed in from that network */
    bool          visited;           /* or somebody has */
} prompt_account_t;


/* a session as a list shows it, and what is given to create one */
typedef struct {
    prompt_str_t  id;                /* 16 bytes */
    prompt_str_t  user_id;           /* 16 bytes; created: given */
    prompt_str_t  hash;              /* 32 bytes; created: given */
    int64_t       created_at;
    int64_t       last_seen_at;
    int64_t       expires_at;        /* not given: lifetime is */
    prompt_str_t  address;           /* absent: unknown */
    prompt_str_t  network;           /* what of it names a network; given */
    prompt_str_t  user_agent;        /* absent: unknown */
    prompt_str_t  trusted;           /* who was said to begin it, 16 bytes;
                                        absent: nobody said; given */
    int64_t       lifetime;          /* s; given */
    int64_t       idle;              /* s; given */
} prompt_session_t;


/* columns of a session that are shown */
extern const prompt_resource_t  prompt_session_resource;


/*
 * The account of an e-mail, in any case (ASCII), unless it is disabled: always
 * one row.
 */
bool prompt_session_ask(prompt_query_t *query, prompt_str_t email,
    prompt_str_t network) PROMPT_WARN_UNUSED;

/* the account of an id: one row, or none */
bool prompt_session_ask_again(prompt_query_t *query, prompt_str_t user_id,
    prompt_str_t network) PROMPT_WARN_UNUSED;

void prompt_account_row(const prompt_rows_t *rows, unsigned row,
    prompt_account_t *account);

/*
 * Creates a session, unless the account is disabled, or its password is not
 * any more the one that was verified (absent: none was asked for).  One row, or
 * none.
 */
bool prompt_session_create(prompt_query_t *query,
    const prompt_session_t *session, prompt_str_t password)
    PROMPT_WARN_UNUSED;

/* Ends what an account has beyond PROMPT_SESSIONS_MAX; a row each: its hash. */
bool prompt_session_crowd(prompt_query_t *query, prompt_str_t user_id)
    PROMPT_WARN_UNUSED;

/* user and session: one row of prompt_session_show_row(), or none */
bool prompt_session_show(prompt_query_t *query, prompt_str_t id,
    prompt_str_t user_id) PROMPT_WARN_UNUSED;
bool prompt_session_show_row(const prompt_rows_t *rows,
    prompt_account_t *account, prompt_session_t *session) PROMPT_WARN_UNUSED;

/* The user's sessions that live, newest first, at most PROMPT_SESSIONS_MAX. */
bool prompt_session_list(prompt_query_t *query, prompt_str_t user_id)
    PROMPT_WARN_UNUSED;
void prompt_session_row(const prompt_rows_t *rows, unsigned row,
    prompt_session_t *session);

/*
 * Ends the session of that hash; one that has ended stays so.  Its id and user,
 * in both cases, in as many rows as it has names in the caches: after the
 * commit these are to be revoked.
 */
bool prompt_session_end(prompt_query_t *query, prompt_str_t hash)
    PROMPT_WARN_UNUSED;
bool prompt_session_end_row(const prompt_rows_t *rows, prompt_str_t *id,
    prompt_str_t *user_id) PROMPT_WARN_UNUSED;
prompt_str_t prompt_session_end_hash(const prompt_rows_t *rows, unsigned row);

/*
 * Ends the user's sessions but one (absent: all), where the account has that
 * password (absent: whatever it has).  A row each, for those also that have
 * ended within the time that a cache may know of them: so what was cut off
 * between commit and revocation is revoked by the next one.
 */
bool prompt_session_end_others(prompt_query_t *query, prompt_str_t user_id,
    prompt_str_t id, prompt_str_t password) PROMPT_WARN_UNUSED;

/* its hash, 32 bytes, or absent; *lived: it has not ended before */
prompt_str_t prompt_session_end_others_row(const prompt_rows_t *rows,
    unsigned row, bool *lived);

/*
 * Sets the password where the account still has the old one; one row where
 * that was so, else none.  An operator sets it whatever there was.
 */
bool prompt_session_password(prompt_query_t *query, prompt_str_t user_id,
    prompt_str_t old, prompt_str_t password) PROMPT_WARN_UNUSED;
bool prompt_session_password_any(prompt_query_t *query, prompt_str_t user_id,
    prompt_str_t password) PROMPT_WARN_UNUSED;

/* Deletes rows of 31 days ago, at most so many: prompt_swept_row(). */
bool prompt_session_sweep(prompt_query_t *query, int32_t most,
    prompt_maybe_t clock) PROMPT_WARN_UNUSED;

#endif /* PROMPT_STORE_SESSION_H */
