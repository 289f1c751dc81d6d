/*
 * Signing in and out over HTTP.
 *
 *   POST     {"email", "password"}, or {} where a proxy says who it is, or
 *            {"invitation", "name", "password"} where there is no account yet:
 *            204 and a cookie
 *   GET      who has signed in, or 401 and how one signs in
 *   DELETE   204; the session has ended
 *
 * Every answer is JSON, and for nobody in between to keep.
 */

#include "http/ngx_http_prompt_session.h"

#include "base/json.h"
#include "http/ngx_http_prompt_response.h"
#include "http/ngx_http_prompt_session_impl.h"
#include "prompt/text.h"


/* bytes of a body */
#define NGX_HTTP_PROMPT_SESSION_BODY   (16 * 1024)


static ngx_uint_t ngx_http_prompt_session_refused(ngx_http_request_t *r,
    prompt_str_t *message);
static void ngx_http_prompt_session_body(ngx_http_request_t *r);
static void ngx_http_prompt_session_post(ngx_http_prompt_ctx_t *ctx);
static ngx_int_t ngx_http_prompt_session_read(ngx_http_prompt_ctx_t *ctx,
    prompt_str_t *email, prompt_str_t *password, prompt_str_t *message);
static ngx_int_t ngx_http_prompt_session_invited(ngx_http_prompt_ctx_t *ctx,
    prompt_str_t name, prompt_str_t password, prompt_str_t *message);
static prompt_str_t ngx_http_prompt_session_text(const prompt_json_t *body,
    prompt_str_t name);
static ngx_int_t ngx_http_prompt_session_trusted(ngx_http_prompt_ctx_t *ctx,
    const prompt_json_t *body, prompt_str_t *email, prompt_str_t *message);
static void ngx_http_prompt_session_signed_in(void *data,
    ngx_http_prompt_sign_e how);
static void ngx_http_prompt_session_get(ngx_http_prompt_ctx_t *ctx);
static void ngx_http_prompt_session_known(void *data,
    ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity);
static void ngx_http_prompt_session_row(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_session_delete(ngx_http_prompt_ctx_t *ctx);
static void ngx_http_prompt_session_signed_out(void *data,
    ngx_http_prompt_sign_e how);


/* who signs in speaks none: errors have GraphQL's form */
const ngx_http_prompt_protocol_t  ngx_http_prompt_session_protocol = {
    .handler = ngx_http_prompt_session_handler,
    .error = ngx_http_prompt_session_error,
    .status_body = ngx_http_prompt_session_status_body
};


ngx_int_t
ngx_http_prompt_session_handler(ngx_http_request_t *r)
{
    ngx_int_t                    rc;
    ngx_uint_t                   status;
    prompt_str_t                 message;
    ngx_http_prompt_ctx_t       *ctx;
    ngx_http_prompt_session_t   *session;
    ngx_http_prompt_loc_conf_t  *plcf;

    ctx = ngx_http_prompt_get_ctx(r);
    session = ngx_pcalloc(r->pool, sizeof(ngx_http_prompt_session_t));

    if (ctx == NULL || session == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    plcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_module);

    session->conf = plcf->session;
    ctx->session = session;
    ctx->auth = NGX_HTTP_PROMPT_AUTH_SESSION;

    status = ngx_http_prompt_session_refused(r, &message);

    if (status != 0) {
        return ngx_http_prompt_refuse_early(ctx, status, message);
    }

    /* a password is not for the disk */

    r->request_body_in_single_buf = 1;
    r->request_body_in_file_only = 0;

    rc = ngx_http_read_client_request_body(r, ngx_http_prompt_session_body);

    if (rc >= NGX_HTTP_SPECIAL_RESPONSE) {
        return rc;
    }

    return NGX_DONE;
}


/*
 * What can be said before the body is read; 0: nothing.  Whoever has no cookie
 * yet and is no browser sends neither Sec-Fetch-Site nor Origin: that may sign
 * in.  A page of another site may not sign anybody in, nor out.
 */
static ngx_uint_t
ngx_http_prompt_session_refused(ngx_http_request_t *r, prompt_str_t *message)
{
    gql_http_origin_e  origin;

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD|NGX_HTTP_POST
                       |NGX_HTTP_DELETE)))
    {
        *message = prompt_str("A session is begun with POST, looked at with "
                              "GET, and ended with DELETE.");
        return NGX_HTTP_NOT_ALLOWED;
    }

    if (r->method == NGX_HTTP_POST
        && (!ngx_http_prompt_media_is_json(r)
            || ngx_http_prompt_media_is_encoded(r)))
    {
        *message = prompt_str("The request must have the header "
                              "\"Content-Type: application/json\", in UTF-8, "
                              "and must not be compressed.");
        return NGX_HTTP_UNSUPPORTED_MEDIA_TYPE;
    }

    if (r->headers_in.content_length_n > NGX_HTTP_PROMPT_SESSION_BODY) {
        *message = prompt_str("The request body is larger than this server "
                              "accepts.");
        return NGX_HTTP_REQUEST_ENTITY_TOO_LARGE;
    }

    origin = ngx_http_prompt_auth_origin(r);

    if (origin == GQL_HTTP_ORIGIN_OTHER
        || (origin == GQL_HTTP_ORIGIN_UNSAID && r->method == NGX_HTTP_DELETE))
    {
        *message = prompt_str("Unauthorized: only a page of this site may "
                              "sign in and out.");
        return NGX_HTTP_UNAUTHORIZED;
    }

    return 0;
}


static void
ngx_http_prompt_session_body(ngx_http_request_t *r)
{
    ngx_http_prompt_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_prompt_module);

    ctx->op.job.arena = prompt_arena_create(NGX_HTTP_PROMPT_SESSION_MEMORY);

    if (ctx->op.job.arena == NULL) {
        ngx_http_finalize_request(r, NGX_HTTP_INTERNAL_SERVER_ERROR);
        return;
    }

    r->write_event_handler = ngx_http_request_empty_handler;

    ngx_http_prompt_watch_client(r);

    switch (r->method) {

    case NGX_HTTP_POST:
        ngx_http_prompt_session_post(ctx);
        break;

    case NGX_HTTP_DELETE:
        ngx_http_prompt_session_delete(ctx);
        break;

    default:
        ngx_http_prompt_session_get(ctx);
        break;
    }
}


static void
ngx_http_prompt_session_post(ngx_http_prompt_ctx_t *ctx)
{
    ngx_int_t                   rc;
    prompt_str_t                email, password, message;
    ngx_http_request_t         *r;
    ngx_http_prompt_session_t  *session;

    session = ctx->session;
    r = ctx->op.job.request;
    message = prompt_str_absent;

    session->sign_in.request = r;
    session->sign_in.conf = session->conf;
    session->sign_in.done = ngx_http_prompt_session_signed_in;
    session->sign_in.data = ctx;

    rc = ngx_http_prompt_session_read(ctx, &email, &password, &message);

    if (rc == NGX_OK) {
        rc = session->token.data != NULL
             ? ngx_http_prompt_sign_up(&session->sign_in, session->token, email,
                                       password)
             : ngx_http_prompt_sign_in(&session->sign_in, email, password);
        session->signing_in = rc == NGX_OK;

        if (password.len != 0) {
            explicit_bzero((char *) password.data, password.len);
        }
    }

    ngx_http_prompt_params_wipe(r);

    if (rc == NGX_OK) {
        return;
    }

    if (rc == NGX_DECLINED) {
        ngx_http_prompt_session_signed_in(ctx, session->sign_in.refused);
        return;
    }

    if (rc == NGX_ERROR || rc == NGX_HTTP_INTERNAL_SERVER_ERROR) {
        ngx_http_finalize_request(r, NGX_HTTP_INTERNAL_SERVER_ERROR);
        return;
    }

    ngx_http_prompt_refuse(ctx, rc, message);
}


/*
 * An HTTP status, and the message that goes with it, where it is not NGX_OK.
 * Of who was invited email is the name.
 */
static ngx_int_t
ngx_http_prompt_session_read(ngx_http_prompt_ctx_t *ctx, prompt_str_t *email,
    prompt_str_t *password, prompt_str_t *message)
{
    ngx_int_t                   rc;
    ngx_str_t                   text;
    prompt_json_t              *body;
    prompt_json_error_t         error;
    ngx_http_prompt_session_t  *session;

    session = ctx->session;
    *email = prompt_str_absent;
    *password = prompt_str_absent;

    rc = ngx_http_prompt_params_body(ctx->op.job.request, &text);

    if (rc != NGX_OK || text.len > NGX_HTTP_PROMPT_SESSION_BODY) {
        *message = prompt_str("The request body is larger than this server "
                              "accepts.");
        return rc == NGX_ERROR ? NGX_HTTP_INTERNAL_SERVER_ERROR
                               : NGX_HTTP_REQUEST_ENTITY_TOO_LARGE;
    }

    body = prompt_json_read_bounded(ctx->op.job.arena,
                                    ngx_http_prompt_str(&text),
                                    4, 16, &error);

    if (body == NULL && error.status == PROMPT_JSON_NOMEM) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    if (body == NULL || body->type != PROMPT_JSON_OBJECT
        || prompt_json_find_nul(body) != NULL)
    {
        *message = prompt_str("The request body must be a JSON object.");
        return NGX_HTTP_BAD_REQUEST;
    }

    if (session->conf->trusted.len != 0
        && (body->count == 0 || !session->conf->passwords))
    {
        return ngx_http_prompt_session_trusted(ctx, body, email, message);
    }

    session->token = ngx_http_prompt_session_text(body,
                                                  prompt_str("invitation"));
    *password = ngx_http_prompt_session_text(body, prompt_str("password"));

    if (session->token.data != NULL) {
        *email = ngx_http_prompt_session_text(body, prompt_str("name"));
        rc = ngx_http_prompt_session_invited(ctx, *email, *password, message);

        if (rc != NGX_OK || email->data == NULL) {
            return rc;
        }

    } else {
        *email = ngx_http_prompt_session_text(body, prompt_str("email"));

        if (email->len == 0 || password->data == NULL
            || email->len > NGX_HTTP_PROMPT_EMAIL_LEN)
        {
            *message = prompt_str("The request body must have an \"email\" and "
                                  "a \"password\".");
            return NGX_HTTP_BAD_REQUEST;
        }
    }

    /* the body, of which it is a part, is wiped */

    *email = prompt_arena_copy(ctx->op.job.arena, *email);

    return email->data != NULL ? NGX_OK : NGX_HTTP_INTERNAL_SERVER_ERROR;
}


/* What there is of an account that is made: sound, or says why not. */
static ngx_int_t
ngx_http_prompt_session_invited(ngx_http_prompt_ctx_t *ctx, prompt_str_t name,
    prompt_str_t password, prompt_str_t *message)
{
    prompt_check_t  check;
    prompt_fault_t  fault;

    if (!prompt_password_valid(password)) {
        *message = prompt_str("The request body must have a \"password\" of 12 "
                              "to 1,024 bytes.");
        return NGX_HTTP_BAD_REQUEST;
    }

    if (name.data == NULL) {
        return NGX_OK;
    }

    check = prompt_text_label(ctx->op.job.arena, name, prompt_str("name"),
                              PROMPT_LIMIT_USER_NAME, &fault);

    if (check == PROMPT_CHECK_FAULT) {
        *message = fault.message;
        return NGX_HTTP_BAD_REQUEST;
    }

    return check == PROMPT_CHECK_OK ? NGX_OK : NGX_HTTP_INTERNAL_SERVER_ERROR;
}


/* a member that is a string, or absent */
static prompt_str_t
ngx_http_prompt_session_text(const prompt_json_t *body, prompt_str_t name)
{
    const prompt_json_t  *member;

    member = prompt_json_get(body, name);

    return member != NULL && member->type == PROMPT_JSON_STRING
           ? member->text : prompt_str_absent;
}


static ngx_int_t
ngx_http_prompt_session_trusted(ngx_http_prompt_ctx_t *ctx,
    const prompt_json_t *body, prompt_str_t *email, prompt_str_t *message)
{
    prompt_str_t                text;
    ngx_http_prompt_session_t  *session;
    ngx_http_variable_value_t  *vv;

    session = ctx->session;

    if (body->count != 0) {
        *message = prompt_str("Nobody signs in here with a password: the "
                              "request body must be {}.");
        return NGX_HTTP_BAD_REQUEST;
    }

    vv = ngx_http_get_flushed_variable(ctx->op.job.request,
                                       session->conf->variable);

    if (vv == NULL || vv->not_found || vv->len == 0) {
        *message = prompt_str("Unauthorized: nobody has said who you are.");
        return NGX_HTTP_UNAUTHORIZED;
    }

    text = ngx_http_prompt_str(vv);

    if (!prompt_text_is_email(ctx->op.job.arena, text)) {
        *message = prompt_str("What was said of who you are is no e-mail "
                              "address.");
        return NGX_HTTP_FORBIDDEN;
    }

    *email = text;

    return NGX_OK;
}


static void
ngx_http_prompt_session_signed_in(void *data, ngx_http_prompt_sign_e how)
{
    ngx_http_prompt_ctx_t  *ctx = data;

    char                       *wait;
    ngx_http_request_t         *r;
    ngx_http_prompt_session_t  *session;

    static const struct {
        ngx_uint_t              status;
        prompt_str_t            message;
    } refusals[] = {
        [NGX_HTTP_PROMPT_SIGN_WRONG] =
            { NGX_HTTP_UNAUTHORIZED,
              prompt_str_init("The e-mail address or the password is wrong.") },
        [NGX_HTTP_PROMPT_SIGN_UNKNOWN] =
            { NGX_HTTP_FORBIDDEN,
              prompt_str_init("There is no account for your e-mail address: "
                              "an operator makes one with \"promptctl user "
                              "add EMAIL\".") },
        [NGX_HTTP_PROMPT_SIGN_UNINVITED] =
            { NGX_HTTP_FORBIDDEN,
              prompt_str_init("There is no such invitation: it was accepted "
                              "or removed, or it has expired.") },
        [NGX_HTTP_PROMPT_SIGN_TAKEN] =
            { NGX_HTTP_CONFLICT,
              prompt_str_init("There is an account for the e-mail address that "
                              "was invited: sign in, then accept.") },
        [NGX_HTTP_PROMPT_SIGN_LIMITED] =
            { NGX_HTTP_TOO_MANY_REQUESTS,
              prompt_str_init("Too many wrong passwords: try again later.") },
        [NGX_HTTP_PROMPT_SIGN_UNAVAILABLE] =
            { NGX_HTTP_SERVICE_UNAVAILABLE,
              prompt_str_init("Nobody can sign in now; try again later.") }
    };

    session = ctx->session;
    session->signing_in = 0;
    r = ctx->op.job.request;

    if (how == NGX_HTTP_PROMPT_SIGNED) {
        ngx_memcpy(ctx->op.job.identity.user_id,
                   session->sign_in.user_id.bytes, PROMPT_UUID_LEN);
        ngx_memcpy(ctx->op.job.identity.key_id,
                   session->sign_in.session_id.bytes, PROMPT_UUID_LEN);

        ngx_http_finalize_request(r,
                  ngx_http_prompt_session_cookie(ctx, session->sign_in.secret)
                  == NGX_OK ? ngx_http_prompt_session_done(ctx)
                            : NGX_HTTP_INTERNAL_SERVER_ERROR);
        return;
    }

    if (how == NGX_HTTP_PROMPT_SIGN_LIMITED) {
        wait = ngx_pnalloc(r->pool, NGX_INT32_LEN + 1);

        if (wait != NULL) {
            *ngx_sprintf((u_char *) wait, "%uD", session->sign_in.wait) = '\0';
        }

        if (wait == NULL
            || ngx_http_prompt_add_header(r, "Retry-After", wait) != NGX_OK)
        {
            ngx_http_finalize_request(r, NGX_HTTP_INTERNAL_SERVER_ERROR);
            return;
        }
    }

    ngx_http_prompt_refuse(ctx, refusals[how].status, refusals[how].message);
}


static void
ngx_http_prompt_session_get(ngx_http_prompt_ctx_t *ctx)
{
    ngx_http_request_t  *r;

    r = ctx->op.job.request;

    if (ngx_http_prompt_auth_cookie(r, ctx->key) != NGX_OK) {
        ngx_http_prompt_session_known(ctx, NGX_HTTP_PROMPT_KEY_REFUSED, NULL);
        return;
    }

    ctx->lookup =
        ngx_http_prompt_keys_lookup(ngx_http_prompt_get_worker(r)->keys, r,
                                    ctx->key, NULL,
                                    ngx_http_prompt_session_known, ctx);
    if (ctx->lookup == NULL) {
        ngx_http_finalize_request(r, NGX_HTTP_INTERNAL_SERVER_ERROR);
    }
}


static void
ngx_http_prompt_session_known(void *data, ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity)
{
    ngx_http_prompt_ctx_t  *ctx = data;

    bool                        bound;
    prompt_query_t             *query;
    ngx_http_prompt_worker_t   *worker;
    ngx_http_prompt_session_t  *session;

    ctx->lookup = NULL;
    session = ctx->session;
    worker = ngx_http_prompt_get_worker(ctx->op.job.request);

    if (result == NGX_HTTP_PROMPT_KEY_KNOWN
        && ngx_http_prompt_auth_is_of(ctx->auth, identity))
    {
        ctx->op.job.identity = *identity;

        if (!ngx_http_prompt_auth_trusted(ctx->op.job.request, identity)) {
            ngx_http_prompt_distrust(ctx);
            return;
        }

        ngx_http_prompt_auth_used(ctx->op.job.request, identity);

        query = prompt_query_create(NGX_HTTP_PROMPT_SESSION_MEMORY);
        bound = query != NULL
                && prompt_session_show(query,
                         prompt_str_of((char *) identity->key_id,
                                       PROMPT_UUID_LEN),
                         prompt_str_of((char *) identity->user_id,
                                       PROMPT_UUID_LEN));

        if (bound) {
            query->log = ctx->op.job.request->connection->log;
        }

        if (ngx_http_prompt_send_query(&session->query, worker->postgres, query,
                                       bound, 0, ngx_http_prompt_session_row,
                                       ctx)
            == NGX_OK)
        {
            return;
        }

        result = NGX_HTTP_PROMPT_KEY_UNAVAILABLE;
    }

    if (result == NGX_HTTP_PROMPT_KEY_UNAVAILABLE) {
        ngx_http_prompt_refuse(ctx, NGX_HTTP_SERVICE_UNAVAILABLE,
                   prompt_str("The session could not be looked up; try again "
                              "later."));
        return;
    }

    ngx_http_prompt_refuse(ctx, NGX_HTTP_UNAUTHORIZED,
                           prompt_str("Nobody has signed in."));
}


static void
ngx_http_prompt_session_row(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_ctx_t  *ctx = data;

    ngx_int_t          rc;
    prompt_account_t   account;
    prompt_session_t   row;
    ngx_connection_t  *c;

    c = ctx->op.job.request->connection;

    if (result->status != NGX_HTTP_PROMPT_POSTGRES_OK) {
        ngx_http_prompt_session_known(ctx, NGX_HTTP_PROMPT_KEY_UNAVAILABLE,
                                      NULL);

    } else if (!prompt_session_show_row(&result->rows[0], &account, &row)) {
        ngx_http_prompt_session_known(ctx, NGX_HTTP_PROMPT_KEY_REFUSED, NULL);

    } else {
        rc = ngx_http_prompt_session_show(ctx, &account, &row);
        ngx_http_finalize_request(ctx->op.job.request, rc);
    }

    ngx_http_run_posted_requests(c);
}


/*
 * The row is asked at once, and not the cache whether there is a session: one
 * that has ended in the database, and may not everywhere yet, is ended again.
 */
static void
ngx_http_prompt_session_delete(ngx_http_prompt_ctx_t *ctx)
{
    ngx_http_request_t         *r;
    ngx_http_prompt_session_t  *session;

    session = ctx->session;
    r = ctx->op.job.request;

    if (ngx_http_prompt_auth_cookie(r, ctx->key) != NGX_OK) {
        ngx_http_prompt_session_signed_out(ctx, NGX_HTTP_PROMPT_SIGN_UNKNOWN);
        return;
    }

    session->sign_out =
        ngx_http_prompt_sign_out(r, ctx->key,
                                 ngx_http_prompt_session_signed_out, ctx);

    if (session->sign_out == NULL) {
        ngx_http_finalize_request(r, NGX_HTTP_INTERNAL_SERVER_ERROR);
    }
}


static void
ngx_http_prompt_session_signed_out(void *data, ngx_http_prompt_sign_e how)
{
    ngx_http_prompt_ctx_t  *ctx = data;

    ngx_http_request_t         *r;
    ngx_http_prompt_session_t  *session;

    session = ctx->session;
    r = ctx->op.job.request;

    if (session->sign_out != NULL) {

        if (session->sign_out->found) {
            ngx_memcpy(ctx->op.job.identity.user_id, session->sign_out->user_id,
                       PROMPT_UUID_LEN);
        }

        session->sign_out = NULL;
    }

    if (how == NGX_HTTP_PROMPT_SIGN_UNAVAILABLE) {
        ngx_http_prompt_refuse(ctx, NGX_HTTP_SERVICE_UNAVAILABLE,
                   prompt_str("It is not known whether the session has ended; "
                              "try again later."));
        return;
    }

    if (ngx_http_prompt_session_cookie(ctx, NULL) != NGX_OK) {
        ngx_http_finalize_request(r, NGX_HTTP_INTERNAL_SERVER_ERROR);
        return;
    }

    if (how == NGX_HTTP_PROMPT_SIGNED) {
        ngx_http_finalize_request(r, ngx_http_prompt_session_done(ctx));
        return;
    }

    ngx_http_prompt_refuse(ctx, NGX_HTTP_UNAUTHORIZED,
                           prompt_str("Nobody has signed in."));
}


void
ngx_http_prompt_session_leave(ngx_http_prompt_ctx_t *ctx)
{
    ngx_http_prompt_session_t  *session;

    session = ctx->session;

    if (session->signing_in) {
        session->signing_in = 0;
        ngx_http_prompt_sign_in_cancel(&session->sign_in);
    }

    if (session->sign_out != NULL) {
        ngx_http_prompt_ending_leave(session->sign_out);
        session->sign_out = NULL;
    }

    ngx_http_prompt_send_leave(&session->query);
}
