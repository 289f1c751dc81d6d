/*
 * Signing in and out.
 *
 *   e-mail ──► the account's row ──► its password, in a thread ──► a session
 *     │               │ trusted                                       ▲
 *     │               └───────────────────────────────────────────────┘
 *     └─► refused, where too many were wrong and nobody is known there
 *
 *   invitation ──► is there ──► a password, made in a thread
 *                          ──► an account, a member, a session
 *
 * Whether there is an account nobody is told, by words or by time: without one
 * a password is compared with nothing, which takes as long.
 */

#ifndef NGX_HTTP_PROMPT_SIGN_IN_H
#define NGX_HTTP_PROMPT_SIGN_IN_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "prompt/key.h"
#include "service/keys/ending.h"
#include "service/people/passwords.h"
#include "service/worker/send.h"
#include "service/worker/worker.h"


typedef enum {
    NGX_HTTP_PROMPT_SIGNED = 0,          /* in, or out */
    NGX_HTTP_PROMPT_SIGN_WRONG,          /* password, or no such account */
    NGX_HTTP_PROMPT_SIGN_UNKNOWN,        /* trusted, and there is no account;
                                            or there was no such session */
    NGX_HTTP_PROMPT_SIGN_UNINVITED,      /* there is no such invitation */
    NGX_HTTP_PROMPT_SIGN_TAKEN,          /* invited, and there is an account */
    NGX_HTTP_PROMPT_SIGN_LIMITED,        /* too many wrong ones: wait */
    NGX_HTTP_PROMPT_SIGN_UNAVAILABLE     /* overloaded, or no database */
} ngx_http_prompt_sign_e;


/* Told once, from the event loop.  Posted requests are run after it. */
typedef void (*ngx_http_prompt_sign_pt)(void *data,
    ngx_http_prompt_sign_e how);


/* Lives as long as the request. */
typedef struct {
    ngx_http_request_t                    *request;
    const ngx_http_prompt_session_conf_t  *conf;
    ngx_http_prompt_sign_pt                done;
    void                                  *data;

    ngx_http_prompt_sign_e                 refused;      /* at once: why */

    /* SIGNED: what the cookie says, and whose it is; LIMITED: s */
    char                                   secret[PROMPT_KEY_LEN];
    prompt_uuid_t                          user_id;
    prompt_uuid_t                          session_id;
    uint32_t                               wait;

    ngx_http_prompt_worker_t              *worker;
    ngx_http_prompt_sent_t                 query;
    ngx_http_prompt_password_t            *password;     /* not sent, or not
                                                            done yet */
    prompt_str_t                           email;
    ngx_http_prompt_guess_t                guess;
    ngx_uint_t                             tries;
    const char                            *why;  /* it is UNAVAILABLE */
    char                                   stored[PROMPT_PASSWORD_TEXT];
    size_t                                 stored_len;   /* what is verified */
    char                                   network[
                                               NGX_HTTP_PROMPT_NETWORK_LEN];
    size_t                                 network_len;
    prompt_str_t                           name;     /* of an account that is
                                                        made, or absent */
    uint8_t                                invitation[PROMPT_KEY_HASH_LEN];
    ngx_uint_t                             before;   /* statements before the
                                                        session's */
    unsigned                               trusted:1;
    unsigned                               verifying:1;  /* it was sent */
    unsigned                               invited:1;    /* makes an account */
} ngx_http_prompt_sign_in_t;


/*
 * Begins to sign in; the members in front are set, and email lives as long.
 * password: absent where somebody trusted says who it is.  NGX_DECLINED: it is
 * refused without asking anybody; NGX_ERROR: memory.  Then done is not called.
 */
ngx_int_t ngx_http_prompt_sign_in(ngx_http_prompt_sign_in_t *sign_in,
    prompt_str_t email, prompt_str_t password);

/*
 * The same for who was invited and has no account: makes one of the e-mail that
 * was invited, with the name (absent: none) and password, which are sound.
 */
ngx_int_t ngx_http_prompt_sign_up(ngx_http_prompt_sign_in_t *sign_in,
    prompt_str_t token, prompt_str_t name, prompt_str_t password);

/* The request goes away: done is not called. */
void ngx_http_prompt_sign_in_cancel(ngx_http_prompt_sign_in_t *sign_in);


/*
 * One that is ended; where its request goes away it goes on without, by
 * ngx_http_prompt_ending_leave().
 */
typedef struct {
    ngx_http_prompt_ending_t  ending;        /* of its request; first */
    ngx_http_prompt_sign_pt   done;
    void                     *data;
    uint8_t                   hash[PROMPT_KEY_HASH_LEN];
    u_char                    user_id[PROMPT_UUID_LEN];
    unsigned                  found:1;       /* it is known whose it was */
} ngx_http_prompt_sign_out_t;

/*
 * Ends the session of that hash, everywhere: done is told when no request is
 * let in with it any more.  NULL: memory, done is not called.
 */
ngx_http_prompt_sign_out_t *ngx_http_prompt_sign_out(ngx_http_request_t *r,
    const uint8_t *hash, ngx_http_prompt_sign_pt done, void *data);

#endif /* NGX_HTTP_PROMPT_SIGN_IN_H */
