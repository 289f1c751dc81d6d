/*
 * Sessions of who has signed in: sessions, endSessions, changePassword, and
 * the fields of Session.
 */

#include "service/fields/fields.h"

#include "io/ngx_http_prompt_ratelog.h"
#include "service/fields/root_ending.h"
#include "service/frame/arguments.h"
#include "service/people/passwords.h"
#include "service/worker/worker.h"
#include "store/session.h"


/* a session as its resolvers see it */
typedef struct {
    prompt_session_t                  record;
    bool                              current;
} ngx_http_prompt_session_node_t;


/* a password that is being verified; in the request's arena */
typedef struct {
    ngx_http_prompt_root_t           *root;
    ngx_http_prompt_password_t       *task;  /* NULL: not under way */
    char                              stored[PROMPT_PASSWORD_TEXT];
    size_t                            stored_len;
} ngx_http_prompt_change_t;


/* sessions that are being ended */
typedef struct {
    ngx_http_prompt_root_ending_t     own;       /* first */
    int32_t                           count;
    unsigned                          change:1;  /* and a password changed */
} ngx_http_prompt_sessions_end_t;


static void ngx_http_prompt_sessions(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_sessions_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_end_sessions(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_change_password(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_change_may(ngx_http_prompt_root_t *root)
    PROMPT_WARN_UNUSED;
static void ngx_http_prompt_change_asked(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_change_verify(ngx_http_prompt_root_t *root,
    ngx_http_prompt_change_t *change, const prompt_account_t *account,
    prompt_str_t network);
static void ngx_http_prompt_change_detach(void *data);
static void ngx_http_prompt_change_verified(void *data,
    ngx_http_prompt_password_t *task, ngx_http_prompt_password_e how);
static void ngx_http_prompt_change_refuse(ngx_http_prompt_root_t *root,
    ngx_http_prompt_password_e how, uint32_t wait);
static void ngx_http_prompt_change_overloaded(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_sessions_end(ngx_http_prompt_root_t *root,
    prompt_str_t stored, prompt_str_t made);
static ngx_int_t ngx_http_prompt_sessions_read(
    ngx_http_prompt_ending_t *ending, const prompt_rows_t *rows,
    prompt_str_t *hashes);
static void ngx_http_prompt_sessions_ended(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_sessions_not_ended(ngx_http_prompt_root_t *root);


static const ngx_http_prompt_root_ending_kind_t
    ngx_http_prompt_sessions_ending =
{
    ngx_http_prompt_sessions_read,
    ngx_http_prompt_sessions_ended,
    ngx_http_prompt_sessions_not_ended,
    "The change was made, but the server ran out of memory before it could "
    "remove other sessions from the caches: end them again."
};


#define column(member)                                                       \
    .resource = &prompt_session_resource,                                    \
    .offset = offsetof(prompt_session_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_session_fields[] = {

    { .type = "Query", .name = "sessions",
      .scope = PROMPT_KEY_SCOPE_SESSION,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_sessions },

    { .type = "Mutation", .name = "changePassword",
      .scope = PROMPT_KEY_SCOPE_SESSION,
      .start = ngx_http_prompt_change_password },

    { .type = "Mutation", .name = "endSessions",
      .scope = PROMPT_KEY_SCOPE_SESSION,
      .repeatable = true,
      .start = ngx_http_prompt_end_sessions },

    { .type = "Session", .name = "id", column(id) },
    { .type = "Session", .name = "createdAt", column(created_at) },
    { .type = "Session", .name = "lastSeenAt", column(last_seen_at) },
    { .type = "Session", .name = "address", column(address) },
    { .type = "Session", .name = "userAgent", column(user_agent) },

    { .type = "Session", .name = "current",
      .resolve = ngx_http_prompt_slot_boolean,
      .offset = offsetof(ngx_http_prompt_session_node_t, current) },

    { .type = NULL }
};


/* sessions */
static void
ngx_http_prompt_sessions(ngx_http_prompt_root_t *root)
{
    prompt_query_t  *query;

    if (ngx_http_prompt_root_begin(root, &query)) {
        ngx_http_prompt_root_send(root,
                             prompt_session_list(query,
                                                 ngx_http_prompt_person(root)),
                             ngx_http_prompt_sessions_done);
    }
}


static void
ngx_http_prompt_sessions_done(ngx_http_prompt_root_t *root)
{
    unsigned                         row;
    prompt_str_t                     own;
    gql_result_t                     result;
    const prompt_rows_t             *rows;
    ngx_http_prompt_list_t           list;
    ngx_http_prompt_session_node_t  *nodes;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    rows = &root->result->rows[0];
    own = prompt_str_of((char *) root->job->identity.key_id, PROMPT_UUID_LEN);

    nodes = prompt_arena_array(root->job->arena, rows->count,
                               sizeof(ngx_http_prompt_session_node_t));
    if (nodes == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    for (row = 0; row < rows->count; row++) {
        prompt_session_row(rows, row, &nodes[row].record);
        nodes[row].current = prompt_str_eq(nodes[row].record.id, own);
    }

    ngx_memzero(&list, sizeof(ngx_http_prompt_list_t));

    list.first = (char *) nodes;
    list.size = sizeof(ngx_http_prompt_session_node_t);
    list.count = rows->count;

    ngx_http_prompt_result_list(&list, &result);
    ngx_http_prompt_root_complete(root, &result);
}


/* endSessions */
static void
ngx_http_prompt_end_sessions(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_sessions_end(root, prompt_str_absent, prompt_str_absent);
}


/*
 * changePassword: the account's row, the old password in a thread, which makes
 * the new one as well, then both changes at once: password and sessions.
 */
static void
ngx_http_prompt_change_password(ngx_http_prompt_root_t *root)
{
    size_t           len;
    char             network[NGX_HTTP_PROMPT_NETWORK_LEN];
    prompt_query_t  *query;

    root->job->secret = 1;

    if (!ngx_http_prompt_change_may(root)
        || !ngx_http_prompt_root_begin(root, &query))
    {
        return;
    }

    len = ngx_http_prompt_guessing_network(root->job->request->connection,
                                           network);

    /* nothing is changed by it that an Idempotency-Key would have to know */

    query->length = PROMPT_QUERY_LONG;

    ngx_http_prompt_root_send(root,
               prompt_session_ask_again(query, ngx_http_prompt_person(root),
                                        prompt_str_of(network, len)),
               ngx_http_prompt_change_asked);
}


static bool
ngx_http_prompt_change_may(ngx_http_prompt_root_t *root)
{
    prompt_str_t                  wanted;
    ngx_http_prompt_worker_t     *worker;
    ngx_http_prompt_main_conf_t  *pmcf;

    worker = ngx_http_prompt_get_worker(root->job->request);
    pmcf = ngx_http_get_module_main_conf(root->job->request,
                                         ngx_http_prompt_module);

    if (worker->passwords != NULL && !pmcf->passwords) {
        return ngx_http_prompt_root_wrong(root, "old",
                   "Nobody signs in with a password here: there is none to be "
                   "changed.");
    }

    if (worker->passwords == NULL) {
        return ngx_http_prompt_root_broken(root,
                   "Passwords cannot be changed on this server: nobody signs "
                   "in here.");
    }

    wanted = ngx_http_prompt_root_text(root, "new");

    if (!prompt_password_valid(wanted)) {
        return ngx_http_prompt_root_wrong(root, "new",
                   "\"new\" must have %d to %d bytes.", PROMPT_PASSWORD_MIN,
                   PROMPT_PASSWORD_MAX);
    }

    return true;
}


static void
ngx_http_prompt_change_asked(ngx_http_prompt_root_t *root)
{
    size_t                     len;
    char                       network[NGX_HTTP_PROMPT_NETWORK_LEN];
    prompt_account_t           account;
    ngx_http_prompt_change_t  *change;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    ngx_memzero(&account, sizeof(prompt_account_t));

    if (root->result->rows[0].count == 1) {
        prompt_account_row(&root->result->rows[0], 0, &account);
    }

    if (account.password.data == NULL) {
        ngx_http_prompt_root_wrong(root, "old",
                   "The account has no password: an operator sets one with "
                   "\"promptctl user password\".");
        return;
    }

    change = prompt_arena_zalloc(root->job->arena,
                                 sizeof(ngx_http_prompt_change_t));
    if (change == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    change->root = root;
    change->stored_len = ngx_min(account.password.len,
                                 sizeof(change->stored));
    ngx_memcpy(change->stored, account.password.data, change->stored_len);

    root->data = change;
    root->detach = ngx_http_prompt_change_detach;

    len = ngx_http_prompt_guessing_network(root->job->request->connection,
                                           network);

    ngx_http_prompt_change_verify(root, change, &account,
                                  prompt_str_of(network, len));
}


static void
ngx_http_prompt_change_verify(ngx_http_prompt_root_t *root,
    ngx_http_prompt_change_t *change, const prompt_account_t *account,
    prompt_str_t network)
{
    ngx_http_prompt_guess_t      guess;
    ngx_http_prompt_worker_t    *worker;
    ngx_http_prompt_password_t  *task;

    worker = ngx_http_prompt_get_worker(root->job->request);

    task = ngx_http_prompt_password_create(worker->passwords,
                   ngx_http_prompt_root_text(root, "old"),
                   ngx_http_prompt_root_text(root, "new"));
    if (task == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    ngx_http_prompt_guessing_of(worker->guesses, &guess, account->email,
                                network);
    ngx_http_prompt_guessing_told(worker->guesses, &guess, account->known,
                                  account->visited);

    if (ngx_http_prompt_password_run(task, account->password, &guess,
                                     ngx_http_prompt_change_verified, change)
        != NGX_OK)
    {
        ngx_http_prompt_change_overloaded(root);
        return;
    }

    change->task = task;
}


static void
ngx_http_prompt_change_detach(void *data)
{
    ngx_http_prompt_change_t  *change = data;

    if (change->task != NULL) {
        ngx_http_prompt_password_detach(change->task);
        change->task = NULL;
    }
}


static void
ngx_http_prompt_change_verified(void *data, ngx_http_prompt_password_t *task,
    ngx_http_prompt_password_e how)
{
    ngx_http_prompt_change_t  *change = data;

    uint32_t                 wait;
    ngx_http_prompt_job_t   *job;
    ngx_http_prompt_root_t  *root;

    root = change->root;
    job = root->job;
    change->task = NULL;

    if (how == NGX_HTTP_PROMPT_PASSWORD_RIGHT) {
        ngx_http_prompt_sessions_end(root,
                                     prompt_str_of(change->stored,
                                                   change->stored_len),
                                     prompt_str_from(task->made));

    } else {
        /* the task is not to be touched where it was late */

        wait = how == NGX_HTTP_PROMPT_PASSWORD_LIMITED ? task->wait : 0;

        ngx_http_prompt_change_refuse(root, how, wait);
    }

    ngx_http_prompt_job_resume(job);
}


static void
ngx_http_prompt_change_refuse(ngx_http_prompt_root_t *root,
    ngx_http_prompt_password_e how, uint32_t wait)
{
    ngx_log_t                 *log;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_get_worker(root->job->request);
    log = root->job->request->connection->log;

    switch (how) {

    case NGX_HTTP_PROMPT_PASSWORD_WRONG:
        ngx_http_prompt_metrics_add(worker->metrics,
                                    NGX_HTTP_PROMPT_COUNT_SIGN_IN_WRONG, 1);
        ngx_log_error(NGX_LOG_NOTICE, log, 0,
                      "prompt: a password was not changed: the old one is "
                      "wrong");
        ngx_http_prompt_root_wrong(root, "old",
                                   "\"old\" is not your password.");
        break;

    case NGX_HTTP_PROMPT_PASSWORD_LIMITED:
        ngx_http_prompt_metrics_add(worker->metrics,
                                    NGX_HTTP_PROMPT_COUNT_SIGN_IN_LIMITED, 1);
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_SIGN_IN_LIMITED,
                                prompt_str_absent, log,
                                "prompt: a password was not changed: too many "
                                "wrong passwords, for %uD s from now", wait);
        ngx_http_prompt_root_wrong(root, "old",
                                   "Too many wrong passwords: try again in %u "
                                   "seconds.", (unsigned) wait);
        break;

    default:
        ngx_http_prompt_change_overloaded(root);
        break;
    }
}


static void
ngx_http_prompt_change_overloaded(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_root_broken(root,
                                "The service is overloaded; try again later. "
                                "Nothing was changed.");
}


/*
 * Ends all sessions but the caller's own.  made: the password that is stored
 * with it in place of the old one, or absent.
 */
static void
ngx_http_prompt_sessions_end(ngx_http_prompt_root_t *root, prompt_str_t stored,
    prompt_str_t made)
{
    bool                             bound;
    prompt_str_t                     caller, own;
    prompt_query_t                  *query;
    ngx_http_prompt_sessions_end_t  *end;

    /* a password was hashed meanwhile */

    if (!ngx_http_prompt_root_is_here(root)) {
        return;
    }

    end = ngx_http_prompt_root_ending_create(root,
                                         &ngx_http_prompt_sessions_ending,
                                         sizeof(ngx_http_prompt_sessions_end_t),
                                         &query);
    if (end == NULL) {
        return;
    }

    end->change = made.data != NULL;

    caller = ngx_http_prompt_person(root);
    own = prompt_str_of((char *) root->job->identity.key_id, PROMPT_UUID_LEN);

    bound = (made.data == NULL
             || prompt_session_password(query, caller, stored, made))
            && prompt_session_end_others(query, caller, own, made);

    ngx_http_prompt_root_ending_send(root, end, query, bound,
                                     prompt_str_absent);
}


static ngx_int_t
ngx_http_prompt_sessions_read(ngx_http_prompt_ending_t *ending,
    const prompt_rows_t *rows, prompt_str_t *hashes)
{
    bool                             lived;
    char                            *p;
    unsigned                         row;
    prompt_str_t                     hash;
    ngx_http_prompt_sessions_end_t  *end;

    end = (ngx_http_prompt_sessions_end_t *) ending;

    /* the first row is the password's */

    if (end->change && rows++->count != 1) {
        return NGX_DECLINED;
    }

    p = prompt_arena_alloc(ending->arena, (size_t) rows->count
                                          * PROMPT_API_KEY_HASH_LEN + 1);
    if (p == NULL) {
        return NGX_ERROR;
    }

    *hashes = prompt_str_of(p, 0);

    for (row = 0; row < rows->count; row++) {
        hash = prompt_session_end_others_row(rows, row, &lived);

        if (hash.data != NULL) {
            ngx_memcpy(p + hashes->len, hash.data, PROMPT_API_KEY_HASH_LEN);
            hashes->len += PROMPT_API_KEY_HASH_LEN;
            end->count += lived;
        }
    }

    return NGX_OK;
}


static void
ngx_http_prompt_sessions_ended(ngx_http_prompt_root_t *root)
{
    gql_result_t                     count;
    ngx_http_prompt_sessions_end_t  *end = root->data;

    if (end->change) {
        ngx_http_prompt_root_true(root);
        return;
    }

    count.kind = GQL_RESULT_INTEGER;
    count.u.integer = end->count;
    ngx_http_prompt_root_complete(root, &count);
}


static void
ngx_http_prompt_sessions_not_ended(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_root_wrong(root, "old",
                               "The password was changed meanwhile.");
}
