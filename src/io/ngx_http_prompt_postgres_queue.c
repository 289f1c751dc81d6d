/*
 * Where tasks wait for a connection, and who is next.  README.md has the
 * reasons.
 *
 * There is a queue for each class.  A task that wants a row which
 * another one has, or, where it takes long, whose user has another one in the
 * queue already, stands in a line behind that one instead, so that nothing is
 * searched when a connection becomes free.
 */

#include "io/ngx_http_prompt_postgres_impl.h"
#include "store/range.h"


/*
 * Short reads are at home on the first few connections, where several in a
 * pipeline cost less than each on its own, until those have that much more to
 * do than the others.
 */
#define POSTGRES_HOME  4                         /* connections */
#define POSTGRES_AWAY  4                         /* reads */

/*
 * Reads under one Sync, of rows and of trees (a row and what is below it):
 * each is answered with the last of them.  After a tree took longer than slow,
 * each goes by itself for a pause.
 */
#define POSTGRES_ROWS   16
#define POSTGRES_TREES  4
#define POSTGRES_SLOW   100                      /* ms */
#define POSTGRES_PAUSE  1000                     /* ms */

#define POSTGRES_LOCK  offsetof(ngx_http_prompt_postgres_task_t, lock)
#define POSTGRES_TURN  offsetof(ngx_http_prompt_postgres_task_t, turn)

#define ngx_http_prompt_postgres_line(task, offset)                          \
    ((ngx_http_prompt_postgres_line_t *) ((u_char *) (task) + (offset)))


static ngx_http_prompt_postgres_class_e ngx_http_prompt_postgres_classify(
    ngx_http_prompt_postgres_task_t *task);
static ngx_uint_t ngx_http_prompt_postgres_is_patient(
    const ngx_http_prompt_postgres_task_t *task);
static ngx_uint_t ngx_http_prompt_postgres_is_older(const ngx_queue_t *q,
    const ngx_http_prompt_postgres_task_t *task);
static void ngx_http_prompt_postgres_push(
    ngx_http_prompt_postgres_task_t *task);
static ngx_int_t ngx_http_prompt_postgres_line_up(ngx_rbtree_t *lines,
    ngx_http_prompt_postgres_task_t *task, size_t offset);
static void ngx_http_prompt_postgres_line_open(ngx_rbtree_t *lines,
    ngx_http_prompt_postgres_task_t *task, size_t offset);
static ngx_http_prompt_postgres_task_t *ngx_http_prompt_postgres_line_leave(
    ngx_rbtree_t *lines, ngx_http_prompt_postgres_task_t *task, size_t offset);
static void ngx_http_prompt_postgres_sort(
    ngx_http_prompt_postgres_task_t **tasks, ngx_uint_t n);
static ngx_uint_t ngx_http_prompt_postgres_most(
    const ngx_http_prompt_postgres_connection_t *pc,
    const ngx_http_prompt_postgres_task_t *task);
static ngx_http_prompt_postgres_task_t *ngx_http_prompt_postgres_first(
    ngx_http_prompt_postgres_t *pool, ngx_http_prompt_postgres_class_e class,
    ngx_http_prompt_postgres_connection_t **pc);
static ngx_http_prompt_postgres_connection_t *
    ngx_http_prompt_postgres_for_read(ngx_http_prompt_postgres_t *pool);
static ngx_http_prompt_postgres_connection_t *
    ngx_http_prompt_postgres_to_hold(ngx_http_prompt_postgres_t *pool,
    ngx_http_prompt_postgres_class_e class);
static ngx_uint_t ngx_http_prompt_postgres_depth(
    const ngx_http_prompt_postgres_t *pool);


void
ngx_http_prompt_postgres_queue_init(ngx_http_prompt_postgres_t *pool)
{
    ngx_uint_t  i;

    for (i = 0; i < POSTGRES_CLASSES; i++) {
        ngx_queue_init(&pool->waiting[i]);
    }

    ngx_rbtree_init(&pool->locks, &pool->sentinel,
                    ngx_str_rbtree_insert_value);
    ngx_rbtree_init(&pool->turns, &pool->sentinel,
                    ngx_str_rbtree_insert_value);
}


void
ngx_http_prompt_postgres_queue_task(ngx_http_prompt_postgres_task_t *task)
{
    prompt_query_t  *query;

    query = task->query;

    ngx_queue_init(&task->lock.behind);
    ngx_queue_init(&task->turn.behind);

    /* what these point to may be gone before the task is over */

    if (query->locks.data != NULL && query->locks.len == POSTGRES_KEY_LEN) {
        ngx_memcpy(task->lock.key, query->locks.data, POSTGRES_KEY_LEN);
        task->lock.place = POSTGRES_LINE_WAITING;
    }

    ngx_memzero(task->order, POSTGRES_KEY_LEN);

    if (query->order.data != NULL && query->order.len == POSTGRES_KEY_LEN) {
        ngx_memcpy(task->order, query->order.data, POSTGRES_KEY_LEN);
    }

    task->class = ngx_http_prompt_postgres_classify(task);
    task->tree = prompt_snapshot_first(query);

    if (query->owner.data != NULL && query->owner.len == POSTGRES_KEY_LEN) {
        ngx_memcpy(task->turn.key, query->owner.data, POSTGRES_KEY_LEN);
        task->turn.place = task->class == POSTGRES_LONG
                           ? POSTGRES_LINE_WAITING : POSTGRES_LINE_NONE;
    }
}


static ngx_http_prompt_postgres_class_e
ngx_http_prompt_postgres_classify(ngx_http_prompt_postgres_task_t *task)
{
    ngx_uint_t                  i;
    prompt_query_t             *query;
    prompt_statement_effect_t   effect, most;

    query = task->query;
    most = PROMPT_STATEMENT_READS;

    for (i = 0; i < query->count; i++) {
        effect = query->bound[i].statement->effect;
        most = ngx_max(most, effect);
    }

    task->reads = (most == PROMPT_STATEMENT_READS);

    if (query->length == PROMPT_QUERY_LONG) {
        return POSTGRES_LONG;
    }

    if (task->reads) {
        return POSTGRES_READS;
    }

    if (task->lock.place != POSTGRES_LINE_NONE || query->alone) {
        return POSTGRES_ALONE;
    }

    return most == PROMPT_STATEMENT_COMMITS ? POSTGRES_COMMITS
                                            : POSTGRES_STARTS;
}


void
ngx_http_prompt_postgres_enqueue(ngx_http_prompt_postgres_task_t *task)
{
    ngx_http_prompt_postgres_t  *pool;

    pool = task->pool;

    pool->stats.queued++;
    pool->stats.waiting[task->class]++;

    if (ngx_http_prompt_postgres_line_up(&pool->locks, task, POSTGRES_LOCK)
        == NGX_OK)
    {
        ngx_http_prompt_postgres_push(task);
    }

    pool->patient += ngx_http_prompt_postgres_is_patient(task);
}


/* whether it takes long, or stands behind another's row */
static ngx_uint_t
ngx_http_prompt_postgres_is_patient(
    const ngx_http_prompt_postgres_task_t *task)
{
    return task->state == POSTGRES_TASK_BLOCKED || task->class == POSTGRES_LONG;
}


/* nobody has its row: to the others of its class */
static void
ngx_http_prompt_postgres_push(ngx_http_prompt_postgres_task_t *task)
{
    if (ngx_http_prompt_postgres_line_up(&task->pool->turns, task,
                                         POSTGRES_TURN)
        == NGX_OK)
    {
        ngx_queue_insert_tail(&task->pool->waiting[task->class], &task->queue);
    }
}


void
ngx_http_prompt_postgres_requeue(ngx_http_prompt_postgres_task_t *task)
{
    ngx_queue_t  *q, *waiting;

    ngx_http_prompt_postgres_task_become(task, POSTGRES_TASK_QUEUED);
    task->pool->stats.queued++;
    task->pool->stats.waiting[task->class]++;
    task->pool->patient += ngx_http_prompt_postgres_is_patient(task);

    /*
     * It has its row yet, and had its turn; but where one batch after the
     * other is undone, those of the next ones are not to pass it.  Most are
     * the oldest there are.
     */

    waiting = &task->pool->waiting[task->class];
    q = ngx_queue_head(waiting);

    if (q != waiting && ngx_http_prompt_postgres_is_older(q, task)) {

        for (q = waiting;
             !ngx_http_prompt_postgres_is_older(ngx_queue_prev(q), task);
             q = ngx_queue_prev(q))
        { /* void */ }
    }

    ngx_queue_insert_tail(q, &task->queue);
}


/* whether the one at q came before it */
static ngx_uint_t
ngx_http_prompt_postgres_is_older(const ngx_queue_t *q,
    const ngx_http_prompt_postgres_task_t *task)
{
    const ngx_http_prompt_postgres_task_t  *other;

    other = ngx_queue_data(q, ngx_http_prompt_postgres_task_t, queue);

    return (ngx_msec_int_t) (other->start - task->start) < 0;
}


void
ngx_http_prompt_postgres_dequeue(ngx_http_prompt_postgres_task_t *task)
{
    ngx_http_prompt_postgres_t       *pool;
    ngx_http_prompt_postgres_task_t  *next;

    pool = task->pool;

    ngx_queue_remove(&task->queue);
    pool->stats.queued--;
    pool->stats.waiting[task->class]--;

    pool->patient -= ngx_http_prompt_postgres_is_patient(task);

    next = ngx_http_prompt_postgres_line_leave(&pool->turns, task,
                                               POSTGRES_TURN);

    if (next != NULL) {
        ngx_queue_insert_tail(&pool->waiting[next->class], &next->queue);
    }
}


void
ngx_http_prompt_postgres_unlock(ngx_http_prompt_postgres_task_t *task)
{
    ngx_http_prompt_postgres_t       *pool;
    ngx_http_prompt_postgres_task_t  *next;

    pool = task->pool;

    next = ngx_http_prompt_postgres_line_leave(&pool->locks, task,
                                               POSTGRES_LOCK);

    if (next == NULL) {
        return;
    }

    pool->patient -= (next->class != POSTGRES_LONG);

    ngx_http_prompt_postgres_push(next);
}


ngx_uint_t
ngx_http_prompt_postgres_queue_full(ngx_http_prompt_postgres_task_t *task)
{
    ngx_http_prompt_postgres_t  *pool;

    pool = task->pool;

    return pool->stats.queued > pool->conf->queue
           || (ngx_http_prompt_postgres_is_patient(task)
               && pool->patient > (pool->conf->queue + 1) / 2);
}


/*
 * NGX_OK: it is the first of its key, or has none.  NGX_BUSY: it stands
 * behind the one that is.
 */
static ngx_int_t
ngx_http_prompt_postgres_line_up(ngx_rbtree_t *lines,
    ngx_http_prompt_postgres_task_t *task, size_t offset)
{
    uint32_t                          hash;
    ngx_str_t                         key;
    ngx_str_node_t                   *node;
    ngx_http_prompt_postgres_line_t  *line, *first;

    line = ngx_http_prompt_postgres_line(task, offset);

    if (line->place == POSTGRES_LINE_NONE) {
        return NGX_OK;
    }

    key.len = POSTGRES_KEY_LEN;
    key.data = line->key;
    hash = ngx_murmur_hash2(key.data, key.len);

    node = ngx_str_rbtree_lookup(lines, &key, hash);

    if (node == NULL) {
        ngx_http_prompt_postgres_line_open(lines, task, offset);
        return NGX_OK;
    }

    first = (ngx_http_prompt_postgres_line_t *)
                ((u_char *) node - offsetof(ngx_http_prompt_postgres_line_t,
                                            node));

    ngx_http_prompt_postgres_task_become(task, POSTGRES_TASK_BLOCKED);
    ngx_queue_insert_tail(&first->behind, &task->queue);

    return NGX_BUSY;
}


static void
ngx_http_prompt_postgres_line_open(ngx_rbtree_t *lines,
    ngx_http_prompt_postgres_task_t *task, size_t offset)
{
    ngx_http_prompt_postgres_line_t  *line;

    line = ngx_http_prompt_postgres_line(task, offset);

    line->node.str.len = POSTGRES_KEY_LEN;
    line->node.str.data = line->key;
    line->node.node.key = ngx_murmur_hash2(line->key, POSTGRES_KEY_LEN);
    line->place = POSTGRES_LINE_GRANTED;

    ngx_rbtree_insert(lines, &line->node.node);
}


/*
 * The first of a line leaves it.  Returns the one that is first now, in no
 * list, or NULL.
 */
static ngx_http_prompt_postgres_task_t *
ngx_http_prompt_postgres_line_leave(ngx_rbtree_t *lines,
    ngx_http_prompt_postgres_task_t *task, size_t offset)
{
    ngx_queue_t                      *q;
    ngx_http_prompt_postgres_task_t  *next;
    ngx_http_prompt_postgres_line_t  *line, *successor;

    line = ngx_http_prompt_postgres_line(task, offset);

    if (line->place != POSTGRES_LINE_GRANTED) {
        return NULL;
    }

    line->place = POSTGRES_LINE_NONE;
    ngx_rbtree_delete(lines, &line->node.node);

    if (ngx_queue_empty(&line->behind)) {
        return NULL;
    }

    q = ngx_queue_head(&line->behind);
    next = ngx_queue_data(q, ngx_http_prompt_postgres_task_t, queue);
    ngx_queue_remove(&next->queue);

    ngx_http_prompt_postgres_task_become(next, POSTGRES_TASK_QUEUED);
    ngx_http_prompt_postgres_line_open(lines, next, offset);

    if (!ngx_queue_empty(&line->behind)) {
        successor = ngx_http_prompt_postgres_line(next, offset);
        ngx_queue_add(&successor->behind, &line->behind);
        ngx_queue_init(&line->behind);
    }

    return next;
}


ngx_http_prompt_postgres_task_t *
ngx_http_prompt_postgres_next(ngx_http_prompt_postgres_t *pool,
    ngx_http_prompt_postgres_connection_t **pc)
{
    ngx_uint_t                         i, behind;
    ngx_http_prompt_postgres_task_t   *task;
    ngx_http_prompt_postgres_class_e   class;

    /* short reads first, where others can be sent behind them */

    behind = ngx_http_prompt_postgres_depth(pool) > 1;

    if (behind) {
        task = ngx_http_prompt_postgres_first(pool, POSTGRES_READS, pc);

        if (task != NULL) {
            return task;
        }
    }

    /* the classes in turn, so that none keeps another waiting */

    class = pool->held;

    for (i = 0; i < POSTGRES_CLASSES; i++) {
        class = (class + 1) % POSTGRES_CLASSES;

        if (behind && class == POSTGRES_READS) {
            continue;
        }

        task = ngx_http_prompt_postgres_first(pool, class, pc);

        if (task != NULL) {
            pool->held = class;
            return task;
        }
    }

    return NULL;
}


/* The first of a class, if any waits and there is a connection for it. */
static ngx_http_prompt_postgres_task_t *
ngx_http_prompt_postgres_first(ngx_http_prompt_postgres_t *pool,
    ngx_http_prompt_postgres_class_e class,
    ngx_http_prompt_postgres_connection_t **pc)
{
    ngx_queue_t  *waiting;

    waiting = &pool->waiting[class];

    if (ngx_queue_empty(waiting)) {
        return NULL;
    }

    *pc = class == POSTGRES_READS
          ? ngx_http_prompt_postgres_for_read(pool)
          : ngx_http_prompt_postgres_to_hold(pool, class);

    return *pc != NULL ? ngx_queue_data(ngx_queue_head(waiting),
                                        ngx_http_prompt_postgres_task_t, queue)
                       : NULL;
}


ngx_uint_t
ngx_http_prompt_postgres_batched(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task,
    ngx_http_prompt_postgres_task_t **tasks)
{
    ngx_uint_t                        n, most;
    ngx_msec_t                        limit;
    ngx_queue_t                      *waiting;
    ngx_http_prompt_postgres_task_t  *next;

    tasks[0] = task;
    n = 1;

    if (!ngx_http_prompt_postgres_joins(task)) {
        return n;
    }

    waiting = &task->pool->waiting[task->class];
    most = ngx_http_prompt_postgres_most(pc, task);

    while (n < most && !ngx_queue_empty(waiting)) {
        next = ngx_queue_data(ngx_queue_head(waiting),
                              ngx_http_prompt_postgres_task_t, queue);

        if (!ngx_http_prompt_postgres_joins(next)
            || next->tree != task->tree
            || next->apart != task->apart
            || next->database != task->database)
        {
            break;
        }

        /* the first one's limit must not be too long for it */

        if (ngx_http_prompt_postgres_limit(next, &limit) != NGX_OK
            || (limit != 0 && (task->limit == 0 || limit < task->limit)))
        {
            break;
        }

        ngx_http_prompt_postgres_dequeue(next);
        next->limit = task->limit;
        tasks[n++] = next;
    }

    ngx_http_prompt_postgres_sort(tasks, n);

    return n;
}


/* How many may be under one Sync with it. */
static ngx_uint_t
ngx_http_prompt_postgres_most(const ngx_http_prompt_postgres_connection_t *pc,
    const ngx_http_prompt_postgres_task_t *task)
{
    ngx_uint_t  most;

    if (task->class != POSTGRES_READS) {
        return POSTGRES_COMPANY;
    }

    most = POSTGRES_ROWS;

    if (task->tree) {
        most = pc->pool->slow != 0
               && (ngx_msec_int_t) (pc->pool->slow - ngx_current_msec) > 0
               ? 1 : POSTGRES_TREES;
    }

    return ngx_min(most, NGX_HTTP_PROMPT_POSTGRES_DEPTH - pc->in_flight);
}


void
ngx_http_prompt_postgres_took(const ngx_http_prompt_postgres_task_t *task)
{
    if (task->tree && task->class == POSTGRES_READS
        && ngx_current_msec - task->sent > POSTGRES_SLOW)
    {
        task->pool->slow = ngx_current_msec + POSTGRES_PAUSE;
    }
}


/*
 * By their rows, descending; those without one last.  Transactions that take
 * rows in one direction do not wait for each other in a circle.
 */
static void
ngx_http_prompt_postgres_sort(ngx_http_prompt_postgres_task_t **tasks,
    ngx_uint_t n)
{
    ngx_uint_t                        i, j;
    ngx_http_prompt_postgres_task_t  *task;

    for (i = 1; i < n; i++) {
        task = tasks[i];

        for (j = i; j != 0; j--) {
            if (ngx_memcmp(tasks[j - 1]->order, task->order, POSTGRES_KEY_LEN)
                >= 0)
            {
                break;
            }

            tasks[j] = tasks[j - 1];
        }

        tasks[j] = task;
    }
}


ngx_uint_t
ngx_http_prompt_postgres_joins(const ngx_http_prompt_postgres_task_t *task)
{
    switch (task->class) {

    case POSTGRES_COMMITS:
    case POSTGRES_STARTS:
        return 1;

    case POSTGRES_READS:

        /* one that was sent before may be what broke a batch */

        return task->query->length == PROMPT_QUERY_ROW
               && (task->statements == 1
                   || task->tree)
               && task->rows != POSTGRES_ROWS_STORED
               && task->tries == 0 && !task->retried;

    default:
        return 0;
    }
}


/* The connection with least to do that has room for a short read. */
static ngx_http_prompt_postgres_connection_t *
ngx_http_prompt_postgres_for_read(ngx_http_prompt_postgres_t *pool)
{
    ngx_uint_t                              i, load, least;
    ngx_http_prompt_postgres_connection_t  *pc, *best;

    best = NULL;
    least = 0;

    for (i = 0; i < pool->conf->connections; i++) {
        pc = &pool->connections[i];

        if (!ngx_http_prompt_postgres_usable(pc)
            || pc->in_flight >= ngx_http_prompt_postgres_depth(pool))
        {
            continue;
        }

        load = pc->in_flight + (i < POSTGRES_HOME ? 0 : POSTGRES_AWAY);

        if (best == NULL || load < least) {
            best = pc;
            least = load;
        }
    }

    return best;
}


/*
 * The connection for what keeps it for itself: one with nothing in flight
 * where there is any, from the end that reads do not prefer.  The last one
 * that is usable is left to short reads, unless it is all that long ones
 * leave.  DEPTH does not count here, or a stream of short reads would leave no
 * room.
 */
static ngx_http_prompt_postgres_connection_t *
ngx_http_prompt_postgres_to_hold(ngx_http_prompt_postgres_t *pool,
    ngx_http_prompt_postgres_class_e class)
{
    ngx_uint_t                              i, n, usable, others;
    ngx_http_prompt_postgres_connection_t  *pc, *best;

    n = pool->conf->connections;

    if (class == POSTGRES_LONG && pool->longs >= ngx_max(1, n / 4)) {
        return NULL;
    }

    best = NULL;
    usable = 0;

    for (i = 0; i < n; i++) {
        pc = &pool->connections[i];

        if (!ngx_http_prompt_postgres_usable(pc)) {
            continue;
        }

        usable++;

        if (pc->in_flight != 0 && ngx_http_prompt_postgres_depth(pool) == 1) {
            continue;
        }

        if (best == NULL || pc->in_flight <= best->in_flight) {
            best = pc;
        }
    }

    /* of two, a long one has one: a change is not to wait for its end */

    others = class == POSTGRES_LONG ? pool->up : pool->up - pool->longs;

    if (usable == 1 && others > 1) {
        return NULL;
    }

    return best;
}


/*
 * How many transactions a connection may have in flight before a read is sent
 * behind them.  A pooler that prepares no statements sees that one has begun
 * by its Sync alone: the answer to the one before it, which comes in between,
 * makes it give the server, and half a transaction with it, to somebody else.
 */
static ngx_uint_t
ngx_http_prompt_postgres_depth(const ngx_http_prompt_postgres_t *pool)
{
    return ngx_http_prompt_postgres_prepares(pool)
           ? NGX_HTTP_PROMPT_POSTGRES_DEPTH : 1;
}
