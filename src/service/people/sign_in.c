/*
 * Signing in.
 */

#include "service/people/sign_in.h"

#include "base/random.h"
#include "base/utf8.h"
#include "io/ngx_http_prompt_ratelog.h"
#include "service/keys/keys.h"
#include "service/people/passwords.h"
#include "store/member.h"
#include "store/session.h"


/* where what is stored changes while a password is verified */
#define NGX_HTTP_PROMPT_SIGN_IN_TRIES   4


static ngx_uint_t ngx_http_prompt_sign_in_refused(
    ngx_http_prompt_sign_in_t *sign_in);
static void ngx_http_prompt_sign_in_begin(ngx_http_prompt_sign_in_t *sign_in,
    prompt_str_t account);
static void ngx_http_prompt_sign_up_asked(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static ngx_int_t ngx_http_prompt_sign_in_ask(
    ngx_http_prompt_sign_in_t *sign_in);
static void ngx_http_prompt_sign_in_run(ngx_http_prompt_sign_in_t *sign_in,
    prompt_str_t stored);
static void ngx_http_prompt_sign_in_forget(
    ngx_http_prompt_sign_in_t *sign_in);
static void ngx_http_prompt_sign_in_account(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_sign_in_asked(ngx_http_prompt_sign_in_t *sign_in,
    const prompt_account_t *account);
static void ngx_http_prompt_sign_in_verified(void *data,
    ngx_http_prompt_password_t *task, ngx_http_prompt_password_e how);
static void ngx_http_prompt_sign_in_create(ngx_http_prompt_sign_in_t *sign_in,
    prompt_str_t made);
static bool ngx_http_prompt_sign_in_bind(ngx_http_prompt_sign_in_t *sign_in,
    prompt_query_t *query, prompt_str_t made);
static prompt_str_t ngx_http_prompt_sign_in_agent(prompt_arena_t *arena,
    ngx_http_request_t *r);
static void ngx_http_prompt_sign_in_created(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_sign_in_crowd(ngx_http_prompt_sign_in_t *sign_in,
    const prompt_rows_t *rows);
static void ngx_http_prompt_sign_in_crowd_gone(void *data);
static void ngx_http_prompt_sign_in_told(ngx_http_prompt_sign_in_t *sign_in,
    ngx_http_prompt_sign_e how);
static void ngx_http_prompt_sign_in_log(ngx_http_prompt_sign_in_t *sign_in,
    ngx_http_prompt_sign_e how);


ngx_int_t
ngx_http_prompt_sign_in(ngx_http_prompt_sign_in_t *sign_in,
    prompt_str_t email, prompt_str_t password)
{
    ngx_http_prompt_sign_in_begin(sign_in, email);

    sign_in->email = email;
    sign_in->trusted = password.data == NULL;

    if (!sign_in->trusted) {

        if (ngx_http_prompt_guessing_strange(sign_in->worker->guesses,
                                             &sign_in->guess)
            && ngx_http_prompt_sign_in_refused(sign_in))
        {
            ngx_http_prompt_sign_in_log(sign_in, sign_in->refused);
            return NGX_DECLINED;
        }

        sign_in->password =
            ngx_http_prompt_password_create(sign_in->worker->passwords,
                                            password, prompt_str_absent);
        if (sign_in->password == NULL) {
            return NGX_ERROR;
        }
    }

    if (ngx_http_prompt_sign_in_ask(sign_in) != NGX_OK) {
        ngx_http_prompt_sign_in_cancel(sign_in);
        return NGX_ERROR;
    }

    return NGX_OK;
}


/* account: what a guess is counted for, beside the address. */
static void
ngx_http_prompt_sign_in_begin(ngx_http_prompt_sign_in_t *sign_in,
    prompt_str_t account)
{
    sign_in->worker = ngx_http_prompt_get_worker(sign_in->request);
    sign_in->why = "memory is short";
    sign_in->network_len = ngx_http_prompt_guessing_network(
                                               sign_in->request->connection,
                                               sign_in->network);

    ngx_http_prompt_guessing_of(sign_in->worker->guesses, &sign_in->guess,
                                account,
                                prompt_str_of(sign_in->network,
                                              sign_in->network_len));
}


ngx_int_t
ngx_http_prompt_sign_up(ngx_http_prompt_sign_in_t *sign_in,
    prompt_str_t token, prompt_str_t name, prompt_str_t password)
{
    bool             bound;
    prompt_query_t  *query;

    ngx_http_prompt_sign_in_begin(sign_in, token);

    sign_in->invited = 1;
    sign_in->name = name;
    sign_in->refused = NGX_HTTP_PROMPT_SIGN_UNINVITED;

    if (!prompt_key_valid(token, PROMPT_INVITATION)
        || ngx_http_prompt_sign_in_refused(sign_in))
    {
        ngx_http_prompt_sign_in_log(sign_in, sign_in->refused);
        return NGX_DECLINED;
    }

    prompt_key_hash(token, sign_in->invitation);

    sign_in->password =
        ngx_http_prompt_password_new(sign_in->worker->passwords, password);

    if (sign_in->password == NULL) {
        return NGX_ERROR;
    }

    query = ngx_http_prompt_send_create();
    bound = query != NULL
            && prompt_invitation_ask(query,
                                     prompt_str_of((char *) sign_in->invitation,
                                                   PROMPT_KEY_HASH_LEN));

    if (ngx_http_prompt_send_query(&sign_in->query, sign_in->worker->postgres,
                                   query, bound, 0,
                                   ngx_http_prompt_sign_up_asked, sign_in)
        != NGX_OK)
    {
        ngx_http_prompt_sign_in_cancel(sign_in);
        return NGX_ERROR;
    }

    return NGX_OK;
}


/* What there is no invitation for is a guess, of the address. */
static void
ngx_http_prompt_sign_up_asked(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_sign_in_t  *sign_in = data;

    ngx_shm_zone_t    *guesses;
    ngx_connection_t  *c;

    c = sign_in->request->connection;
    guesses = sign_in->worker->guesses;

    if (result->status != NGX_HTTP_PROMPT_POSTGRES_OK) {
        sign_in->why = "the invitation could not be read";
        ngx_http_prompt_sign_in_told(sign_in,
                                     NGX_HTTP_PROMPT_SIGN_UNAVAILABLE);

    } else if (result->rows[0].count != 0) {
        ngx_http_prompt_sign_in_run(sign_in, prompt_str_absent);

    } else {

        if (ngx_http_prompt_guessing_begin(guesses, &sign_in->guess,
                                           &sign_in->wait)
            == PROMPT_GUESSES_FREE)
        {
            ngx_http_prompt_guessing_end(guesses, &sign_in->guess, 1);
        }

        ngx_http_prompt_sign_in_told(sign_in, NGX_HTTP_PROMPT_SIGN_UNINVITED);
    }

    ngx_http_run_posted_requests(c);
}


/* Whether its password will not be looked at, and why. */
static ngx_uint_t
ngx_http_prompt_sign_in_refused(ngx_http_prompt_sign_in_t *sign_in)
{
    if (ngx_http_prompt_guessing_look(sign_in->worker->guesses,
                                      &sign_in->guess, &sign_in->wait)
        == PROMPT_GUESSES_FULL)
    {
        sign_in->refused = NGX_HTTP_PROMPT_SIGN_LIMITED;
        return 1;
    }

    if (!sign_in->guess.known
        && ngx_http_prompt_passwords_full(sign_in->worker->passwords))
    {
        sign_in->why = "too many are waiting";
        sign_in->refused = NGX_HTTP_PROMPT_SIGN_UNAVAILABLE;
        return 1;
    }

    return 0;
}


static ngx_int_t
ngx_http_prompt_sign_in_ask(ngx_http_prompt_sign_in_t *sign_in)
{
    bool             bound;
    prompt_query_t  *query;

    sign_in->tries++;

    query = ngx_http_prompt_send_create();
    bound = query != NULL
            && prompt_session_ask(query, sign_in->email,
                                  prompt_str_of(sign_in->network,
                                                sign_in->network_len));

    return ngx_http_prompt_send_query(&sign_in->query,
                                      sign_in->worker->postgres, query, bound,
                                      0, ngx_http_prompt_sign_in_account,
                                      sign_in);
}


void
ngx_http_prompt_sign_in_cancel(ngx_http_prompt_sign_in_t *sign_in)
{
    ngx_http_prompt_send_leave(&sign_in->query);
    ngx_http_prompt_sign_in_forget(sign_in);
}


/* the password, wherever it is */
static void
ngx_http_prompt_sign_in_forget(ngx_http_prompt_sign_in_t *sign_in)
{
    if (sign_in->password == NULL) {
        return;
    }

    if (sign_in->verifying) {
        ngx_http_prompt_password_detach(sign_in->password);
    } else {
        ngx_http_prompt_password_free(sign_in->password);
    }

    sign_in->password = NULL;
    sign_in->verifying = 0;
}


static void
ngx_http_prompt_sign_in_account(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_sign_in_t  *sign_in = data;

    ngx_connection_t  *c;
    prompt_account_t   account;

    c = sign_in->request->connection;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK
        && result->rows[0].count == 1)
    {
        prompt_account_row(&result->rows[0], 0, &account);
        ngx_http_prompt_sign_in_asked(sign_in, &account);

    } else {
        sign_in->why = "the account could not be read";
        ngx_http_prompt_sign_in_told(sign_in,
                                     NGX_HTTP_PROMPT_SIGN_UNAVAILABLE);
    }

    ngx_http_run_posted_requests(c);
}


static void
ngx_http_prompt_sign_in_asked(ngx_http_prompt_sign_in_t *sign_in,
    const prompt_account_t *account)
{
    if (account->id.len == PROMPT_UUID_LEN) {
        ngx_memcpy(sign_in->user_id.bytes, account->id.data, PROMPT_UUID_LEN);
    }

    if (sign_in->trusted) {

        if (account->id.len != PROMPT_UUID_LEN) {
            ngx_http_prompt_sign_in_told(sign_in,
                                         NGX_HTTP_PROMPT_SIGN_UNKNOWN);
            return;
        }

        ngx_http_prompt_sign_in_create(sign_in, prompt_str_absent);
        return;
    }

    sign_in->stored_len = ngx_min(account->password.len,
                                  sizeof(sign_in->stored));

    if (sign_in->stored_len != 0) {
        ngx_memcpy(sign_in->stored, account->password.data,
                   sign_in->stored_len);
    }

    ngx_http_prompt_guessing_told(sign_in->worker->guesses, &sign_in->guess,
                                  account->known, account->visited);

    if (ngx_http_prompt_sign_in_refused(sign_in)) {
        ngx_http_prompt_sign_in_told(sign_in, sign_in->refused);
        return;
    }

    ngx_http_prompt_sign_in_run(sign_in, account->password);
}


static void
ngx_http_prompt_sign_in_run(ngx_http_prompt_sign_in_t *sign_in,
    prompt_str_t stored)
{
    ngx_http_prompt_password_t  *task;

    task = sign_in->password;
    sign_in->verifying = 1;

    if (ngx_http_prompt_password_run(task, stored, &sign_in->guess,
                                     ngx_http_prompt_sign_in_verified, sign_in)
        != NGX_OK)
    {
        sign_in->password = NULL;
        sign_in->verifying = 0;
        sign_in->why = "too many are waiting";
        ngx_http_prompt_sign_in_told(sign_in,
                                     NGX_HTTP_PROMPT_SIGN_UNAVAILABLE);
    }
}


static void
ngx_http_prompt_sign_in_verified(void *data, ngx_http_prompt_password_t *task,
    ngx_http_prompt_password_e how)
{
    ngx_http_prompt_sign_in_t  *sign_in = data;

    ngx_connection_t  *c;

    c = sign_in->request->connection;
    sign_in->password = NULL;
    sign_in->verifying = 0;

    switch (how) {

    case NGX_HTTP_PROMPT_PASSWORD_RIGHT:

        /* in case it is hashed anew by somebody else meanwhile */

        if (!sign_in->invited
            && sign_in->tries < NGX_HTTP_PROMPT_SIGN_IN_TRIES)
        {
            sign_in->password = ngx_http_prompt_password_again(task);
        }

        ngx_http_prompt_sign_in_create(sign_in, task->made[0] != '\0'
                                                ? prompt_str_from(task->made)
                                                : prompt_str_absent);
        break;

    case NGX_HTTP_PROMPT_PASSWORD_WRONG:
        ngx_http_prompt_sign_in_told(sign_in, NGX_HTTP_PROMPT_SIGN_WRONG);
        break;

    case NGX_HTTP_PROMPT_PASSWORD_LIMITED:
        sign_in->wait = task->wait;
        ngx_http_prompt_sign_in_told(sign_in, NGX_HTTP_PROMPT_SIGN_LIMITED);
        break;

    case NGX_HTTP_PROMPT_PASSWORD_LATE:
    case NGX_HTTP_PROMPT_PASSWORD_FAILED:
        sign_in->why = how == NGX_HTTP_PROMPT_PASSWORD_LATE
                       ? "it took too long"
                       : "a password could not be verified";
        ngx_http_prompt_sign_in_told(sign_in,
                                     NGX_HTTP_PROMPT_SIGN_UNAVAILABLE);
        break;
    }

    ngx_http_run_posted_requests(c);
}


/* made: the password as it is to be stored from now on, or absent */
static void
ngx_http_prompt_sign_in_create(ngx_http_prompt_sign_in_t *sign_in,
    prompt_str_t made)
{
    bool             bound;
    prompt_query_t  *query;

    query = ngx_http_prompt_send_create();
    bound = query != NULL
            && ngx_http_prompt_sign_in_bind(sign_in, query, made);

    if (ngx_http_prompt_send_query(&sign_in->query, sign_in->worker->postgres,
                                   query, bound, 0,
                                   ngx_http_prompt_sign_in_created, sign_in)
        != NGX_OK)
    {
        ngx_http_prompt_sign_in_told(sign_in,
                                     NGX_HTTP_PROMPT_SIGN_UNAVAILABLE);
    }
}


static bool
ngx_http_prompt_sign_in_bind(ngx_http_prompt_sign_in_t *sign_in,
    prompt_query_t *query, prompt_str_t made)
{
    uint8_t              random[PROMPT_KEY_RANDOM_LEN];
    uint8_t              hash[PROMPT_KEY_HASH_LEN];
    prompt_str_t         stored, user_id;
    ngx_connection_t    *c;
    prompt_session_t     session;

    if (!prompt_random(random, sizeof(random))) {
        return false;
    }

    c = sign_in->request->connection;

    prompt_key_make(random, PROMPT_SESSION, sign_in->secret);
    prompt_key_hash(prompt_str_of(sign_in->secret, PROMPT_KEY_LEN), hash);

    if (!prompt_random(random, PROMPT_UUID_RANDOM_LEN)) {
        return false;
    }

    prompt_uuid_make(&sign_in->worker->uuid, ngx_http_prompt_now_ms(), random,
                     &sign_in->session_id);

    if (sign_in->invited) {

        if (!prompt_random(random, PROMPT_UUID_RANDOM_LEN)) {
            return false;
        }

        prompt_uuid_make(&sign_in->worker->uuid, ngx_http_prompt_now_ms(),
                         random, &sign_in->user_id);
    }

    explicit_bzero(random, sizeof(random));

    user_id = prompt_str_of((char *) sign_in->user_id.bytes, PROMPT_UUID_LEN);

    ngx_memzero(&session, sizeof(prompt_session_t));

    session.id = prompt_str_of((char *) sign_in->session_id.bytes,
                               PROMPT_UUID_LEN);
    session.user_id = user_id;
    session.hash = prompt_str_of((char *) hash, sizeof(hash));
    session.address = ngx_http_prompt_str(&c->addr_text);
    session.network = prompt_str_of(sign_in->network, sign_in->network_len);
    session.user_agent = ngx_http_prompt_sign_in_agent(query->arena,
                                                       sign_in->request);
    session.lifetime = sign_in->conf->lifetime;
    session.idle = sign_in->conf->idle;

    stored = sign_in->trusted
             ? prompt_str_absent
             : prompt_str_of(sign_in->stored, sign_in->stored_len);

    if (sign_in->invited) {

        if (!prompt_member_sign_up(query,
                                   prompt_str_of((char *) sign_in->invitation,
                                                 PROMPT_KEY_HASH_LEN),
                                   user_id, sign_in->name, made))
        {
            return false;
        }

    } else if (made.data != NULL
               && !prompt_session_password(query, user_id, stored, made))
    {
        return false;
    }

    if (made.data != NULL) {
        stored = made;
    }

    sign_in->before = query->count;

    return prompt_session_create(query, &session, stored)
           && prompt_session_crowd(query, user_id);
}


/* What a browser calls itself, as text, cut: anybody can write it. */
static prompt_str_t
ngx_http_prompt_sign_in_agent(prompt_arena_t *arena, ngx_http_request_t *r)
{
    char        *out;
    size_t       n;
    uint32_t     cp;
    const char  *p, *last;

    if (r->headers_in.user_agent == NULL) {
        return prompt_str_absent;
    }

    p = (char *) r->headers_in.user_agent->value.data;
    last = p + r->headers_in.user_agent->value.len;

    out = prompt_arena_alloc(arena, PROMPT_SESSION_AGENT * 4);
    if (out == NULL) {
        return prompt_str_absent;
    }

    n = 0;

    while (p < last && n + 4 <= PROMPT_SESSION_AGENT) {
        cp = prompt_utf8_next(&p, last);

        if (cp == PROMPT_UTF8_INVALID || cp < 0x20 || cp == 0x7f) {
            cp = '?';
        }

        n += prompt_utf8_encode(cp, out + n);
    }

    return prompt_str_of(out, n);
}


static void
ngx_http_prompt_sign_in_created(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_sign_in_t  *sign_in = data;

    ngx_uint_t               n, again;
    ngx_connection_t        *c;
    ngx_http_prompt_sign_e   how;

    c = sign_in->request->connection;
    n = sign_in->before;
    how = NGX_HTTP_PROMPT_SIGN_UNAVAILABLE;
    sign_in->why = "the session could not be stored";
    again = 0;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {

        /* none: another password is stored by now, or no account */

        if (result->rows[n].count == 1) {
            how = NGX_HTTP_PROMPT_SIGNED;
            ngx_http_prompt_guessing_forget(sign_in->worker->guesses,
                                            &sign_in->guess);

        } else if (sign_in->invited) {
            how = prompt_member_signed_up(result->rows)
                  == PROMPT_OUTCOME_MEMBER ? NGX_HTTP_PROMPT_SIGN_TAKEN
                                           : NGX_HTTP_PROMPT_SIGN_UNINVITED;
            ngx_memzero(&sign_in->user_id, sizeof(prompt_uuid_t));

        } else {
            again = sign_in->password != NULL;
        }

        ngx_http_prompt_sign_in_crowd(sign_in, &result->rows[n + 1]);
    }

    if (!again || ngx_http_prompt_sign_in_ask(sign_in) != NGX_OK) {
        ngx_http_prompt_sign_in_told(sign_in, how);
        ngx_http_run_posted_requests(c);
    }
}


/* Of very many sessions the oldest made room: nobody waits for their end. */
static void
ngx_http_prompt_sign_in_crowd(ngx_http_prompt_sign_in_t *sign_in,
    const prompt_rows_t *rows)
{
    unsigned      row;
    prompt_str_t  hash;

    for (row = 0; row < rows->count; row++) {
        hash = prompt_rows_cell(rows, row, 0);

        if (hash.len == PROMPT_KEY_HASH_LEN) {
            (void) ngx_http_prompt_keys_revoke(sign_in->worker->keys,
                                       (const uint8_t *) hash.data,
                                       ngx_http_prompt_sign_in_crowd_gone,
                                       sign_in->worker);
        }
    }
}


static void
ngx_http_prompt_sign_in_crowd_gone(void *data)
{
}


static void
ngx_http_prompt_sign_in_told(ngx_http_prompt_sign_in_t *sign_in,
    ngx_http_prompt_sign_e how)
{
    ngx_http_prompt_sign_in_forget(sign_in);
    ngx_http_prompt_sign_in_log(sign_in, how);

    sign_in->done(sign_in->data, how);
}


/*
 * For operators and what they watch logs with; nginx adds the client's
 * address.  No e-mail: whoever mistakes the fields writes a password there.
 */
static void
ngx_http_prompt_sign_in_log(ngx_http_prompt_sign_in_t *sign_in,
    ngx_http_prompt_sign_e how)
{
    char                       id[PROMPT_UUID_TEXT_LEN];
    ngx_log_t                 *log;
    ngx_uint_t                 known;
    ngx_http_prompt_worker_t  *worker;

    static const prompt_uuid_t  none;

    worker = sign_in->worker;
    log = sign_in->request->connection->log;

    known = ngx_memcmp(sign_in->user_id.bytes, none.bytes, PROMPT_UUID_LEN)
            != 0;
    prompt_uuid_format(&sign_in->user_id, id);

    switch (how) {

    case NGX_HTTP_PROMPT_SIGNED:
        ngx_http_prompt_metrics_add(worker->metrics,
                                    NGX_HTTP_PROMPT_COUNT_SIGNED_IN, 1);
        ngx_log_error(NGX_LOG_INFO, log, 0, "prompt: user %*s signed in",
                      sizeof(id), id);
        break;

    case NGX_HTTP_PROMPT_SIGN_WRONG:
    case NGX_HTTP_PROMPT_SIGN_UNKNOWN:
    case NGX_HTTP_PROMPT_SIGN_UNINVITED:
    case NGX_HTTP_PROMPT_SIGN_TAKEN:
        ngx_http_prompt_metrics_add(worker->metrics,
                                    NGX_HTTP_PROMPT_COUNT_SIGN_IN_WRONG, 1);
        ngx_log_error(NGX_LOG_NOTICE, log, 0,
                      "prompt: sign-in failed: %s%*s",
                      known ? "wrong password of user "
                      : how == NGX_HTTP_PROMPT_SIGN_TAKEN
                        ? "there is such an account"
                        : sign_in->invited ? "no such invitation"
                                           : "no such account",
                      known ? sizeof(id) : (size_t) 0, id);
        break;

    case NGX_HTTP_PROMPT_SIGN_LIMITED:
        ngx_http_prompt_metrics_add(worker->metrics,
                                    NGX_HTTP_PROMPT_COUNT_SIGN_IN_LIMITED, 1);
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_SIGN_IN_LIMITED,
                                prompt_str_absent, log,
                                "prompt: sign-in refused: too many wrong "
                                "passwords, for %uD s from now",
                                sign_in->wait);
        break;

    case NGX_HTTP_PROMPT_SIGN_UNAVAILABLE:
        ngx_http_prompt_metrics_add(worker->metrics,
                                    NGX_HTTP_PROMPT_COUNT_SIGN_IN_ERRORS, 1);
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_SIGN_IN_FAILED,
                                prompt_str_absent, log,
                                "prompt: somebody could not sign in: %s",
                                sign_in->why);
        break;
    }
}
