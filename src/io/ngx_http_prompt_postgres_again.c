/*
 * What is done again: tasks that go back to their queue, and of transactions
 * that PostgreSQL rolled back, what failed by no fault of its own.  README.md
 * has the reasons.
 */

#include "io/ngx_http_prompt_postgres_impl.h"
#include "io/ngx_http_prompt_ratelog.h"
#include "store/statement.h"


/* how often a task is done again because of others */
#define POSTGRES_TRIES    4

/* how long a statement goes without a name that was of no use */
#define POSTGRES_UNNAMED  60000                  /* ms */


static ngx_uint_t ngx_http_prompt_postgres_wanted(
    const ngx_http_prompt_postgres_task_t *task);
static ngx_uint_t ngx_http_prompt_postgres_has(
    const ngx_http_prompt_postgres_task_t *task, const char *states);
static ngx_uint_t ngx_http_prompt_postgres_is_row(
    const ngx_http_prompt_postgres_task_t *task);
static ngx_uint_t ngx_http_prompt_postgres_is_conflict(
    const ngx_http_prompt_postgres_task_t *task);
static ngx_uint_t ngx_http_prompt_postgres_is_stale(
    ngx_http_prompt_postgres_connection_t *pc,
    const ngx_http_prompt_postgres_task_t *task);
static ngx_uint_t ngx_http_prompt_postgres_is_lost(
    const ngx_http_prompt_postgres_task_t *task);
static void ngx_http_prompt_postgres_back(
    ngx_http_prompt_postgres_task_t *task);
static void ngx_http_prompt_postgres_unname(ngx_http_prompt_postgres_t *pool,
    unsigned id);


ngx_int_t
ngx_http_prompt_postgres_retry(ngx_http_prompt_postgres_task_t *task)
{
    if (task->retried || !ngx_http_prompt_postgres_wanted(task)) {
        return NGX_DECLINED;
    }

    task->retried = 1;
    ngx_http_prompt_postgres_back(task);

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_postgres_again(ngx_http_prompt_postgres_task_t *task)
{
    if (task->tries == POSTGRES_TRIES
        || !ngx_http_prompt_postgres_wanted(task))
    {
        return NGX_DECLINED;
    }

    task->tries++;

    if (!task->reads && task->class != POSTGRES_LONG && !task->apart) {
        task->class = POSTGRES_ALONE;
    }

    ngx_http_prompt_postgres_back(task);

    return NGX_OK;
}


static void
ngx_http_prompt_postgres_back(ngx_http_prompt_postgres_task_t *task)
{
    ngx_http_prompt_postgres_clear(task);

    task->connection = NULL;
    task->prepares = 0;
    task->step = 0;
    task->outcome = POSTGRES_OUTCOME_OPEN;
    task->joined = 0;
    task->follows = 0;
    task->many = NULL;
    task->discarded = 0;

    task->pool->stats.retries++;
    ngx_http_prompt_postgres_requeue(task);
}


ngx_uint_t
ngx_http_prompt_postgres_undone(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t **tasks, ngx_uint_t n,
    ngx_http_prompt_postgres_task_t *failed)
{
    ngx_int_t                  rc;
    ngx_uint_t                 i, left, again, apart, own, stale, renewed;
    ngx_uint_t                 conflict;
    const prompt_statement_t  *st;

    conflict = ngx_http_prompt_postgres_is_conflict(failed);
    again = n > 1 || conflict;
    stale = ngx_http_prompt_postgres_is_stale(pc, failed);
    renewed = stale && ngx_http_prompt_postgres_renew(pc) == NGX_OK;
    apart = ngx_http_prompt_postgres_is_row(failed);
    left = n;

    /* what a read is refused for by itself, it would be again */

    own = failed->class == POSTGRES_READS && failed->many == NULL
          && !stale && !conflict;

    if (failed->outcome == POSTGRES_OUTCOME_UNPREPARED) {

        if (!pc->skewed
            && ngx_http_prompt_postgres_has(failed, POSTGRES_TWICE))
        {
            ngx_http_prompt_postgres_unprepared(pc->pool, POSTGRES_TWICE);
        }

        pc->skewed = 1;
    }

    /* it was its name, and others may have theirs in flight yet */

    if (pc->pool->nameless && stale) {
        again = 1;
    }

    if (stale && (failed->retried || !renewed)
        && ngx_http_prompt_postgres_is_lost(failed))
    {
        st = failed->many != NULL
             ? failed->many
             : failed->query->bound[failed->result.failed].statement;

        ngx_http_prompt_postgres_unname(pc->pool, st->id);
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_POSTGRES_UNNAMED,
                                prompt_str_absent, &pc->pool->log,
                                "postgresql: a pooler keeps prepared "
                                "statements that are of no use any more: they "
                                "are sent without a name for a minute; its "
                                "connections should be made anew (RECONNECT)");
        again = 1;
    }

    /*
     * What several ends propose is refused for another reason than that a row
     * is gone, by a CHECK of the operator's for instance: it may be so for all
     */

    if (apart && failed->class == POSTGRES_COMMITS
        && !ngx_http_prompt_postgres_has(failed, PROMPT_STATEMENT_GONE))
    {
        ngx_http_prompt_postgres_unname(pc->pool, failed->many->id);
    }

    /* from the last to the first, as each goes in front of its like */

    for (i = n; i-- != 0; /* void */) {

        if (own && tasks[i] == failed) {
            rc = NGX_DECLINED;

        } else if (again) {
            tasks[i]->apart = apart && !tasks[i]->apart;
            rc = ngx_http_prompt_postgres_again(tasks[i]);

        } else {
            rc = renewed ? ngx_http_prompt_postgres_retry(tasks[i])
                         : NGX_DECLINED;
        }

        if (rc != NGX_OK) {
            tasks[--left] = tasks[i];
        }
    }

    for (i = left; i < n; i++) {
        tasks[i - left] = tasks[i];
    }

    return n - left;
}


/* whether its SQLSTATE is one of those, with a space between two */
static ngx_uint_t
ngx_http_prompt_postgres_has(const ngx_http_prompt_postgres_task_t *task,
    const char *states)
{
    return task->result.sqlstate[0] != '\0'
           && ngx_strstr(states, task->result.sqlstate) != NULL;
}


/*
 * Whether a statement for several was refused for what is in one of its rows
 * (class 22, data exception, or 23, integrity constraint violation), which the
 * statement for that row may well do, or answer that there is nothing to be
 * done.  So nobody makes others go alone by what becomes of a row of his.
 */
static ngx_uint_t
ngx_http_prompt_postgres_is_row(const ngx_http_prompt_postgres_task_t *task)
{
    return task->many != NULL
           && (ngx_strncmp(task->result.sqlstate, "22", 2) == 0
               || ngx_strncmp(task->result.sqlstate, "23", 2) == 0);
}


/* A deadlock, or a conflict: whoever won is through by now. */
static ngx_uint_t
ngx_http_prompt_postgres_is_conflict(
    const ngx_http_prompt_postgres_task_t *task)
{
    /* what replay is in conflict with goes to the other pool */

    return !task->pool->reader
           && ngx_http_prompt_postgres_has(task, "40P01 40001");
}


/*
 * A prepared statement that is not there (a pooler gave us another server), is
 * there already, or is out of date after a migration; or a server that turned
 * read-only, as after a switchover.  It may go well on a connection made
 * afresh.
 */
static ngx_uint_t
ngx_http_prompt_postgres_is_stale(ngx_http_prompt_postgres_connection_t *pc,
    const ngx_http_prompt_postgres_task_t *task)
{
    return task->outcome == POSTGRES_OUTCOME_UNPREPARED
           || ngx_http_prompt_postgres_has(task, "26000 42P05 25006")
           || (ngx_http_prompt_postgres_has(task, "0A000")
               && pc->pool->conf->prepare != NGX_HTTP_PROMPT_PREPARE_OFF);
}


/*
 * Whether it was the name of a statement, which was prepared, that was of no
 * use.  A pooler that prepares under names of its own goes on with its own,
 * whatever connection it is asked over.
 */
static ngx_uint_t
ngx_http_prompt_postgres_is_lost(const ngx_http_prompt_postgres_task_t *task)
{
    return task->outcome != POSTGRES_OUTCOME_UNPREPARED
           && ngx_http_prompt_postgres_prepares(task->pool)
           && task->query != NULL
           && task->result.failed < task->statements
           && ngx_http_prompt_postgres_has(task, "26000 0A000");
}


/*
 * It is of no use, and making the connection afresh was none either: for a
 * while it is sent without a name.
 */
static void
ngx_http_prompt_postgres_unname(ngx_http_prompt_postgres_t *pool, unsigned id)
{
    if (id >= NGX_HTTP_PROMPT_POSTGRES_MAX_STATEMENTS) {
        return;
    }

    if (pool->unnamed_until == 0) {
        pool->unnamed_until = ngx_current_msec + POSTGRES_UNNAMED;
    }

    pool->unnamed[id / 8] |= 1 << id % 8;
}


ngx_uint_t
ngx_http_prompt_postgres_is_unnamed(ngx_http_prompt_postgres_t *pool,
    unsigned id)
{
    if (pool->unnamed_until == 0) {
        return 0;
    }

    if ((ngx_msec_int_t) (pool->unnamed_until - ngx_current_msec) <= 0) {
        pool->unnamed_until = 0;
        ngx_memzero(pool->unnamed, sizeof(pool->unnamed));

        return 0;
    }

    return id < NGX_HTTP_PROMPT_POSTGRES_MAX_STATEMENTS
           && (pool->unnamed[id / 8] & (1 << id % 8));
}


/* whether somebody waits for it yet, so that it may be sent again */
static ngx_uint_t
ngx_http_prompt_postgres_wanted(const ngx_http_prompt_postgres_task_t *task)
{
    /* the owner of what only reads has another pool, which need not wait */

    return task->state != POSTGRES_TASK_LATE
           && task->database == task->pool->database
           && !(task->pool->reader && task->pool->up == 0)
           && (task->owner == POSTGRES_OWNER_WAITS
               || task->query->unconditional);
}
