/*
 * forkPrompt.
 *
 * A small prompt is copied by one statement.  For a large one that statement
 * only makes a copy without versions, which nobody sees; they follow in
 * steps, and the last statement shows the copy.  Whatever happens before that
 * (a failure, a client that leaves, too long a time) gives the copy up: so
 * nothing was changed, also where it is not known what became of a step.
 */

#include "service/fields/prompt_change.h"

#include "base/random.h"
#include "io/ngx_http_prompt_ratelog.h"
#include "service/frame/arguments.h"
#include "service/upkeep/removal.h"
#include "service/worker/worker.h"


/* how often a fork tries another suffix where its name is taken */
#define NGX_HTTP_PROMPT_FORK_TRIES  8

/* all steps together; a copy that is left over is removed later than that */
#define NGX_HTTP_PROMPT_FORK_TIME   60000                    /* ms */


/* a fork, between its tries and steps */
typedef struct {
    ngx_http_prompt_worker_t  *worker;
    prompt_str_t               caller;       /* 16 bytes each */
    prompt_str_t               id;           /* of the original */
    prompt_str_t               copy;
    ngx_uint_t                 tries;
    int32_t                    last;         /* version that was copied */
    ngx_msec_t                 until;
} ngx_http_prompt_fork_t;


static void ngx_http_prompt_fork_try(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_fork_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_fork_step(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_fork_step_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_fork_end(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_fork_end_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_fork_gone(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_fork_failed(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_fork_abandon(void *data);
static bool ngx_http_prompt_fork_suffix(char out[PROMPT_FORK_SUFFIX_LEN]);


void
ngx_http_prompt_fork(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_fork_t  *fork;

    fork = ngx_http_prompt_root_data(root, sizeof(ngx_http_prompt_fork_t));
    if (fork == NULL) {
        return;
    }

    fork->worker = ngx_http_prompt_get_worker(root->job->request);
    fork->caller = ngx_http_prompt_caller(root);

    if (ngx_http_prompt_root_id(root, "id", "Prompt", &fork->id)) {
        ngx_http_prompt_fork_try(root);
    }
}


static void
ngx_http_prompt_fork_try(ngx_http_prompt_root_t *root)
{
    char                     suffix[PROMPT_FORK_SUFFIX_LEN];
    prompt_query_t          *query;
    ngx_http_prompt_fork_t  *fork;

    fork = root->data;
    fork->tries++;

    if (!ngx_http_prompt_new_id(root, &fork->copy)) {
        return;
    }

    if (!ngx_http_prompt_fork_suffix(suffix)) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    if (ngx_http_prompt_root_begin(root, &query)) {
        query->locks = fork->copy;

        if (ngx_http_prompt_change_read(root, query,
                        prompt_fork(query, fork->id, fork->caller, fork->copy,
                                    prompt_str_of(suffix, sizeof(suffix))),
                        fork->copy))
        {
            /* who leaves now gives up the copy behind this statement */

            root->detach = ngx_http_prompt_fork_abandon;

            ngx_http_prompt_root_send(root, true, ngx_http_prompt_fork_done);
        }
    }
}


static void
ngx_http_prompt_fork_done(ngx_http_prompt_root_t *root)
{
    prompt_outcome_t         outcome;
    ngx_http_prompt_fork_t  *fork;

    fork = root->data;
    outcome = PROMPT_OUTCOME_BROKEN;

    root->detach = NULL;

    if (ngx_http_prompt_outcome_anew(root)) {
        ngx_http_prompt_fork_try(root);
        return;
    }

    if (root->result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        outcome = prompt_outcome_row(&root->result->rows[0]);
    }

    root->actor.anew = false;

    if (outcome == PROMPT_OUTCOME_NAME_TAKEN
        && fork->tries < NGX_HTTP_PROMPT_FORK_TRIES)
    {
        ngx_http_prompt_fork_try(root);

    } else if (outcome == PROMPT_OUTCOME_MORE) {
        fork->until = ngx_current_msec + NGX_HTTP_PROMPT_FORK_TIME;
        root->detach = ngx_http_prompt_fork_abandon;
        ngx_http_prompt_fork_step(root);

    } else {
        ngx_http_prompt_changed_done(root);
    }
}


static void
ngx_http_prompt_fork_step(ngx_http_prompt_root_t *root)
{
    bool                     bound;
    prompt_query_t          *query;
    ngx_http_prompt_fork_t  *fork;

    fork = root->data;
    if (ngx_http_prompt_root_begin(root, &query)) {
        bound = prompt_fork_step(query, fork->id, fork->caller, fork->copy,
                                 fork->last);

        query->length = PROMPT_QUERY_LONG;

        ngx_http_prompt_root_send(root, bound, ngx_http_prompt_fork_step_done);
    }
}


static void
ngx_http_prompt_fork_step_done(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_fork_t  *fork;

    fork = root->data;

    if (root->result->status != NGX_HTTP_PROMPT_POSTGRES_OK) {
        ngx_http_prompt_fork_failed(root);
        return;
    }

    switch (prompt_fork_step_row(&root->result->rows[0], &fork->last)) {

    case PROMPT_OUTCOME_DONE:
        ngx_http_prompt_fork_end(root);
        return;

    case PROMPT_OUTCOME_MORE:
        break;

    default:
        ngx_http_prompt_fork_gone(root);
        return;
    }

    if ((ngx_msec_int_t) (ngx_current_msec - fork->until) < 0) {
        ngx_http_prompt_fork_step(root);
        return;
    }

    ngx_http_prompt_root_broken(root,
               "Copying the prompt took too long. Nothing was changed.");
}


static void
ngx_http_prompt_fork_end(ngx_http_prompt_root_t *root)
{
    prompt_query_t          *query;
    ngx_http_prompt_fork_t  *fork;

    fork = root->data;
    if (ngx_http_prompt_root_begin(root, &query)) {
        ngx_http_prompt_change_send(root, query,
                                    prompt_fork_end(query, fork->id,
                                                    fork->caller,
                                                    fork->copy),
                                    fork->copy,
                                    ngx_http_prompt_fork_end_done);
    }
}


static void
ngx_http_prompt_fork_end_done(ngx_http_prompt_root_t *root)
{
    bool  ok;

    ok = root->result->status == NGX_HTTP_PROMPT_POSTGRES_OK;

    if (ok && prompt_outcome_row(&root->result->rows[0]) != PROMPT_OUTCOME_DONE)
    {
        ngx_http_prompt_fork_gone(root);
        return;
    }

    /* it is there for everybody to see, or may be */

    if (ok || root->result->unknown) {
        root->detach = NULL;
    }

    ngx_http_prompt_changed_done(root);
}


/* The original was deleted meanwhile: as if it had been before. */
static void
ngx_http_prompt_fork_gone(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_fail_not_found(root, "Prompt",
                                   ngx_http_prompt_root_text(root, "id"));
}


/* Whether the step was done is not known, nor does it matter. */
static void
ngx_http_prompt_fork_failed(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_POSTGRES_ANSWER,
                            prompt_str_absent,
                            root->job->request->connection->log,
                            "prompt: PostgreSQL did not copy the versions of a "
                            "prompt: %s",
                            ngx_http_prompt_postgres_why(root->result));

    ngx_http_prompt_root_broken(root,
               "The database could not copy the prompt. Nothing was changed.");
}


/*
 * The fork is over, and its copy is not shown.  Set from the statement on that
 * makes the copy until the one that shows it.
 */
static void
ngx_http_prompt_fork_abandon(void *data)
{
    ngx_http_prompt_fork_t  *fork = data;

    ngx_http_prompt_removal_abandon(fork->worker, fork->caller, fork->copy);
}


/* six of [a-z0-9]; a byte of 252 and more would prefer some of them */
static bool
ngx_http_prompt_fork_suffix(char out[PROMPT_FORK_SUFFIX_LEN])
{
    uint8_t     random[64];
    ngx_uint_t  i, n;

    static const char  digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";

    if (!prompt_random(random, sizeof(random))) {
        return false;
    }

    n = 0;

    for (i = 0; i < sizeof(random) && n < PROMPT_FORK_SUFFIX_LEN; i++) {
        if (random[i] < 252) {
            out[n++] = digits[random[i] % 36];
        }
    }

    return n == PROMPT_FORK_SUFFIX_LEN;
}
