/*
 * Signing in: the session that is made, and the account where it comes first.
 */

#include "service/people/sign_in_impl.h"

#include "base/random.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "service/keys/keys.h"
#include "store/member.h"
#include "store/session.h"
#include "store/user.h"


static bool ngx_http_prompt_sign_in_bind(ngx_http_prompt_sign_in_t *sign_in,
    prompt_query_t *query, prompt_str_t made);
static bool ngx_http_prompt_sign_in_append(ngx_http_prompt_sign_in_t *sign_in,
    prompt_query_t *query, const prompt_session_t *session, prompt_str_t made);
static prompt_str_t ngx_http_prompt_sign_in_agent(prompt_arena_t *arena,
    ngx_http_request_t *r);
static void ngx_http_prompt_sign_in_created(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static ngx_http_prompt_sign_e ngx_http_prompt_sign_in_invited(
    ngx_http_prompt_sign_in_t *sign_in, prompt_outcome_t outcome);
static void ngx_http_prompt_sign_in_crowd(ngx_http_prompt_sign_in_t *sign_in,
    const prompt_rows_t *rows);
static void ngx_http_prompt_sign_in_crowd_gone(void *data);


void
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
    bool                 bound;
    u_char               trusted[16];
    uint8_t              random[PROMPT_KEY_RANDOM_LEN];
    uint8_t              hash[PROMPT_KEY_HASH_LEN];
    prompt_uuid_t        id;
    prompt_actor_t       actor;
    ngx_connection_t    *c;
    prompt_session_t     session;

    if (!prompt_random(random, sizeof(random))) {
        return false;
    }

    c = sign_in->request->connection;

    prompt_key_make(random, PROMPT_SESSION, sign_in->secret);
    prompt_key_hash(prompt_str_of(sign_in->secret, PROMPT_KEY_LEN), hash);

    explicit_bzero(random, sizeof(random));

    if (!ngx_http_prompt_worker_id(sign_in->worker, &sign_in->session_id)
        || ((sign_in->adding || sign_in->invited)
            && !ngx_http_prompt_worker_id(sign_in->worker, &sign_in->user_id)))
    {
        return false;
    }

    ngx_memzero(&session, sizeof(prompt_session_t));

    session.id = prompt_str_of((char *) sign_in->session_id.bytes,
                               PROMPT_UUID_LEN);
    session.user_id = prompt_str_of((char *) sign_in->user_id.bytes,
                                    PROMPT_UUID_LEN);
    session.hash = prompt_str_of((char *) hash, sizeof(hash));
    session.address = ngx_http_prompt_str(&c->addr_text);
    session.network = prompt_str_of(sign_in->network, sign_in->network_len);
    session.user_agent = ngx_http_prompt_sign_in_agent(query->arena,
                                                       sign_in->request);
    session.lifetime = sign_in->conf->lifetime;
    session.idle = sign_in->conf->idle;

    if (sign_in->trusted) {
        ngx_http_prompt_sign_in_trusts(sign_in->conf, sign_in->email, trusted);
        session.trusted = prompt_str_of((char *) trusted, sizeof(trusted));
    }

    ngx_http_prompt_sign_actor(&actor, sign_in->request, "signIn", &id,
                               &sign_in->user_id);
    query->actor = &actor;

    bound = ngx_http_prompt_sign_in_append(sign_in, query, &session, made);

    query->actor = NULL;

    return bound;
}


/* what comes in front of the session, it, and those that make room */
static bool
ngx_http_prompt_sign_in_append(ngx_http_prompt_sign_in_t *sign_in,
    prompt_query_t *query, const prompt_session_t *session, prompt_str_t made)
{
    prompt_str_t  stored, user_id;

    user_id = session->user_id;

    if (sign_in->adding && !prompt_user_add(query, user_id, sign_in->email,
                                            prompt_str_absent))
    {
        return false;
    }

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

    return prompt_session_create(query, session, stored)
           && prompt_session_crowd(query, user_id);
}


void
ngx_http_prompt_sign_actor(prompt_actor_t *actor, ngx_http_request_t *r,
    const char *action, prompt_uuid_t *id, const prompt_uuid_t *user_id)
{
    *actor = prompt_actor_nobody;
    ngx_http_prompt_worker_quotas(r, &actor->quota);

    actor->address = ngx_http_prompt_str(&r->connection->addr_text);
    actor->action = prompt_str_from(action);

    if (ngx_http_prompt_worker_id(ngx_http_prompt_get_worker(r), id)) {
        actor->audit_id = prompt_str_of((char *) id->bytes, PROMPT_UUID_LEN);
    }

    if (user_id != NULL) {
        actor->user_id = prompt_str_of((const char *) user_id->bytes,
                                       PROMPT_UUID_LEN);
        actor->project_id = actor->user_id;
    }
}


/*
 * By which variable, since others may know nothing of it, and the e-mail, as
 * it identifies an account.
 */
void
ngx_http_prompt_sign_in_trusts(const ngx_http_prompt_session_conf_t *conf,
    prompt_str_t email, u_char out[16])
{
    char             lower[64];
    size_t           i, n;
    uint8_t          hash[PROMPT_SHA256_LEN];
    prompt_sha256_t  sha;

    prompt_sha256_init(&sha);
    prompt_sha256_update(&sha, ngx_http_prompt_str(&conf->trusted));
    prompt_sha256_final(&sha, hash);
    ngx_memcpy(out, hash, NGX_HTTP_PROMPT_TRUSTED_BY);

    prompt_sha256_init(&sha);

    while (email.len != 0) {
        n = ngx_min(email.len, sizeof(lower));

        for (i = 0; i < n; i++) {
            lower[i] = ngx_tolower(email.data[i]);
        }

        prompt_sha256_update(&sha, prompt_str_of(lower, n));
        email.data += n;
        email.len -= n;
    }

    prompt_sha256_final(&sha, hash);
    ngx_memcpy(out + NGX_HTTP_PROMPT_TRUSTED_BY, hash,
               16 - NGX_HTTP_PROMPT_TRUSTED_BY);
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

        /*
         * none: another password is stored by now, or no account; or one that
         * was to be added is there by now, or is disabled
         */

        if (result->rows[n].count == 1) {
            how = NGX_HTTP_PROMPT_SIGNED;
            ngx_http_prompt_guessing_forget(sign_in->worker->guesses,
                                            &sign_in->guess);

        } else if (sign_in->invited) {
            how = ngx_http_prompt_sign_in_invited(sign_in,
                              prompt_member_signed_up(result->rows));
            ngx_memzero(&sign_in->user_id, sizeof(prompt_uuid_t));

        } else {
            how = sign_in->trusted ? NGX_HTTP_PROMPT_SIGN_UNKNOWN : how;
            again = sign_in->password != NULL || sign_in->adding;
            sign_in->added = sign_in->adding;
        }

        ngx_http_prompt_sign_in_crowd(sign_in, &result->rows[n + 1]);
    }

    if (!again || ngx_http_prompt_sign_in_ask(sign_in) != NGX_OK) {
        ngx_http_prompt_sign_in_told(sign_in, how);
        ngx_http_run_posted_requests(c);
    }
}


/* why who was invited has no account */
static ngx_http_prompt_sign_e
ngx_http_prompt_sign_in_invited(ngx_http_prompt_sign_in_t *sign_in,
    prompt_outcome_t outcome)
{
    switch (outcome) {

    case PROMPT_OUTCOME_MEMBER:
        return NGX_HTTP_PROMPT_SIGN_TAKEN;

    case PROMPT_OUTCOME_MEMBERS:
        sign_in->why = "the project has as many members as its quota";
        return NGX_HTTP_PROMPT_SIGN_UNAVAILABLE;

    default:
        return NGX_HTTP_PROMPT_SIGN_UNINVITED;
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
