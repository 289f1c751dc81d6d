/*
 * Guards of splits: from figures to moves.
 */

#include "service/upkeep/guard.h"

#include "io/ngx_http_prompt_ratelog.h"
#include "service/worker/send.h"
#include "store/guard.h"


#define NGX_HTTP_PROMPT_GUARD_REASON  512


/* a move under way, in the arena of its query */
typedef struct {
    ngx_http_prompt_worker_t  *worker;
    prompt_uuid_t              move;
    prompt_uuid_t              audit;
    prompt_str_t               what;         /* to be told when it is done */
} ngx_http_prompt_guard_t;


static void ngx_http_prompt_guard_move(ngx_http_prompt_worker_t *worker,
    const prompt_label_figures_t *figures, prompt_str_t reason);
static bool ngx_http_prompt_guard_bind(ngx_http_prompt_guard_t *guard,
    prompt_query_t *query, const prompt_label_figures_t *figures,
    prompt_str_t reason);
static void ngx_http_prompt_guard_moved(void *data,
    const ngx_http_prompt_postgres_result_t *result);


bool
ngx_http_prompt_guard_look(ngx_http_prompt_worker_t *worker,
    const prompt_rows_t *rows)
{
    bool                     more;
    unsigned                 i;
    prompt_buf_t             reason;
    prompt_label_figures_t   figures;

    more = false;

    for (i = 0; i < rows->count; i++) {
        prompt_label_sweep_row(rows, i, &figures);

        if (figures.label.data == NULL) {
            more = true;
            continue;
        }

        prompt_buf_init(&reason, NGX_HTTP_PROMPT_GUARD_REASON);

        if (!prompt_guard_passed(&figures, &reason)) {
            prompt_buf_free(&reason);
            continue;
        }

        if (figures.arm != figures.version) {
            ngx_http_prompt_guard_move(worker, &figures,
                                       prompt_buf_view(&reason));
        } else {
            ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_GUARD,
                                    prompt_str_absent, worker->log,
                                    "prompt: version %D of the label \"%*s\" "
                                    "of the prompt \"%*s\" passes a bound of "
                                    "its guard, and has the most of its "
                                    "split: %*s", figures.version,
                                    figures.label.len, figures.label.data,
                                    figures.name.len, figures.name.data,
                                    reason.len, reason.data);
        }

        prompt_buf_free(&reason);
    }

    return more;
}


/* What fails is found again by the next round. */
static void
ngx_http_prompt_guard_move(ngx_http_prompt_worker_t *worker,
    const prompt_label_figures_t *figures, prompt_str_t reason)
{
    bool                      bound;
    prompt_query_t           *query;
    ngx_http_prompt_guard_t  *guard;

    query = ngx_http_prompt_send_create();
    if (query == NULL) {
        return;
    }

    guard = prompt_arena_alloc(query->arena, sizeof(ngx_http_prompt_guard_t));

    if (guard != NULL) {
        guard->worker = worker;
        guard->what = prompt_arena_printf(query->arena,
                             "%d its share of the label \"%.*s\" of the "
                             "prompt \"%.*s\": %.*s", (int) figures->arm,
                             prompt_str_arg(figures->label),
                             prompt_str_arg(figures->name),
                             prompt_str_arg(reason));
    }

    bound = guard != NULL && guard->what.data != NULL
            && ngx_http_prompt_guard_bind(guard, query, figures, reason);

    (void) ngx_http_prompt_send_query(NULL, worker->postgres, query, bound, 0,
                                      ngx_http_prompt_guard_moved, guard);
}


/* It is done for the project, by nobody. */
static bool
ngx_http_prompt_guard_bind(ngx_http_prompt_guard_t *guard,
    prompt_query_t *query, const prompt_label_figures_t *figures,
    prompt_str_t reason)
{
    bool             bound;
    prompt_actor_t   actor;

    if (!ngx_http_prompt_worker_id(guard->worker, &guard->move)
        || !ngx_http_prompt_worker_id(guard->worker, &guard->audit))
    {
        return false;
    }

    actor = prompt_actor_nobody;
    actor.project_id = figures->owner_id;
    actor.action = prompt_str("guard");
    actor.audit_id = prompt_str_of((char *) guard->audit.bytes,
                                   PROMPT_UUID_LEN);

    query->locks = prompt_arena_copy(query->arena, figures->prompt_id);
    query->actor = &actor;

    bound = query->locks.data != NULL
            && prompt_label_guard(query, figures,
                                  prompt_str_of((char *) guard->move.bytes,
                                                PROMPT_UUID_LEN), reason);
    query->actor = NULL;

    return bound;
}


/* Where another host did it there is no row. */
static void
ngx_http_prompt_guard_moved(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_guard_t  *guard = data;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK
        && result->rows[PROMPT_LABEL_STATEMENTS - 1].count != 0)
    {
        ngx_http_prompt_metrics_add(guard->worker->metrics,
                                    NGX_HTTP_PROMPT_COUNT_LABEL_GUARDS, 1);

        ngx_log_error(NGX_LOG_WARN, guard->worker->log, 0,
                      "prompt: a guard took version %*s", guard->what.len,
                      guard->what.data);
    }
}
