/*
 * Cells of runs: what is done of one.
 *
 *     run      executePrompt, as an errand; not where another one has left the
 *              cell with an execution that is over
 *     checks   of the dataset, one after the other, with all cells in turn, so
 *              many at once as others can wait for; a judge is asked as another
 *              errand, and the next check follows when it has answered
 *     done     its watch is told
 */

#include "service/fields/run_impl.h"

#include "base/utf8.h"
#include "base/uuid.h"
#include "service/worker/worker.h"


/* what a cell holds: input, output, and both as values */
#define NGX_HTTP_PROMPT_CELL_MEMORY  (64 * 1024 * 1024)

/* of what is told of it: scores with their comments */
#define NGX_HTTP_PROMPT_CELL_TEXT    (256 * 1024)

/* how long a worker checks before it looks after others; ms */
#define NGX_HTTP_PROMPT_CELL_CHECKS  10


static bool ngx_http_prompt_cell_keep(prompt_arena_t *arena,
    prompt_str_t *text);
static ngx_http_prompt_operation_t *ngx_http_prompt_cell_errand(
    ngx_http_prompt_cell_t *cell, ngx_http_prompt_errand_pt done);
static prompt_json_t *ngx_http_prompt_cell_variables(prompt_arena_t *arena,
    prompt_str_t prompt_id, int32_t version, prompt_str_t label,
    prompt_json_t *input);
static void ngx_http_prompt_cell_answered(void *data,
    ngx_http_prompt_operation_t *op);
static const prompt_json_t *ngx_http_prompt_cell_read(
    ngx_http_prompt_cell_t *cell, const ngx_http_prompt_operation_t *op,
    const prompt_json_t **error);
static void ngx_http_prompt_cell_refused(ngx_http_prompt_cell_t *cell,
    const prompt_json_t *error);
static bool ngx_http_prompt_cell_why(ngx_http_prompt_cell_t *cell,
    const prompt_json_t *error);
static void ngx_http_prompt_cell_succeeded(ngx_http_prompt_cell_t *cell);
static void ngx_http_prompt_cell_checks(ngx_http_prompt_cell_t *cell);
static void ngx_http_prompt_cell_checking(ngx_event_t *ev);
static ngx_msec_t ngx_http_prompt_cell_clock(void);
static bool ngx_http_prompt_cell_check(ngx_http_prompt_cell_t *cell)
    PROMPT_WARN_UNUSED;
static void ngx_http_prompt_cell_judge(ngx_http_prompt_cell_t *cell,
    const prompt_checks_one_t *check);
static prompt_json_t *ngx_http_prompt_cell_judged(prompt_arena_t *arena,
    const ngx_http_prompt_cell_t *cell);
static void ngx_http_prompt_cell_judgement(void *data,
    ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_cell_judges(ngx_http_prompt_cell_t *cell,
    const prompt_json_t *result);
static void ngx_http_prompt_cell_score(ngx_http_prompt_cell_t *cell,
    prompt_str_t name, double value, const prompt_json_t *comment,
    const char *source);
static void ngx_http_prompt_cell_cost(ngx_http_prompt_cell_t *cell,
    prompt_str_t cost);
static void ngx_http_prompt_cell_end(ngx_http_prompt_cell_t *cell,
    ngx_http_prompt_cell_e what);


/* cells of this worker with checks to do, and when it does them */
static ngx_queue_t  ngx_http_prompt_checked;
static ngx_event_t  ngx_http_prompt_checking;


ngx_http_prompt_cell_t *
ngx_http_prompt_cell_create(ngx_http_prompt_run_work_t *work,
    const prompt_run_cell_t *of, void (*done)(ngx_http_prompt_cell_t *cell),
    void *data)
{
    prompt_arena_t          *arena;
    ngx_http_prompt_cell_t  *cell;

    arena = prompt_arena_create(NGX_HTTP_PROMPT_CELL_MEMORY);
    if (arena == NULL) {
        return NULL;
    }

    cell = prompt_arena_zalloc(arena, sizeof(ngx_http_prompt_cell_t));

    if (cell != NULL) {
        cell->arena = arena;
        cell->work = work;
        cell->done = done;
        cell->data = data;
        cell->of = *of;
        cell->what = NGX_HTTP_PROMPT_CELL_RUNS;

        prompt_buf_init(&cell->costs, NGX_HTTP_PROMPT_CELL_TEXT);
        prompt_buf_init(&cell->scores, NGX_HTTP_PROMPT_CELL_TEXT);
    }

    if (cell == NULL
        || !ngx_http_prompt_cell_keep(arena, &cell->of.input)
        || !ngx_http_prompt_cell_keep(arena, &cell->of.expected)
        || !ngx_http_prompt_cell_keep(arena, &cell->of.execution_id)
        || !ngx_http_prompt_cell_keep(arena, &cell->of.status)
        || !ngx_http_prompt_cell_keep(arena, &cell->of.output)
        || !ngx_http_prompt_cell_keep(arena, &cell->of.cost_usd)
        || !ngx_http_prompt_cell_keep(arena, &cell->of.model))
    {
        prompt_arena_destroy(arena);
        return NULL;
    }

    return cell;
}


/* absent stays so */
static bool
ngx_http_prompt_cell_keep(prompt_arena_t *arena, prompt_str_t *text)
{
    if (text->data != NULL) {
        *text = prompt_arena_copy(arena, *text);
        return text->data != NULL;
    }

    return true;
}


void
ngx_http_prompt_cell_free(ngx_http_prompt_cell_t *cell)
{
    prompt_buf_free(&cell->costs);
    prompt_buf_free(&cell->scores);
    prompt_arena_destroy(cell->arena);
}


void
ngx_http_prompt_cell_run(ngx_http_prompt_cell_t *cell)
{
    prompt_json_t                *input;
    prompt_json_error_t           error;
    ngx_http_prompt_operation_t  *op;

    if (cell->of.status.data != NULL) {
        cell->failed = !prompt_str_eq(cell->of.status, prompt_str("succeeded"));
        ngx_http_prompt_cell_succeeded(cell);
        return;
    }

    op = ngx_http_prompt_cell_errand(cell, ngx_http_prompt_cell_answered);

    if (op == NULL) {
        ngx_http_prompt_cell_end(cell, NGX_HTTP_PROMPT_CELL_OPEN);
        return;
    }

    op->job.beside.id = cell->of.execution_id;
    input = prompt_json_read(op->job.arena, cell->of.input, PROMPT_LIMIT_DEPTH,
                             &error);

    ngx_http_prompt_errand_run(op,
        ngx_http_prompt_cell_variables(op->job.arena,
                                       prompt_str_of(cell->work->prompt_id,
                                                     PROMPT_UUID_TEXT_LEN),
                                       cell->of.version, prompt_str_absent,
                                       input));
}


/* by whom, and for what; NULL: memory, or connections */
static ngx_http_prompt_operation_t *
ngx_http_prompt_cell_errand(ngx_http_prompt_cell_t *cell,
    ngx_http_prompt_errand_pt done)
{
    ngx_http_prompt_operation_t  *op;

    op = ngx_http_prompt_errand_create(cell->work->errands, done, cell);

    if (op != NULL) {
        op->job.identity = cell->work->identity;
        op->job.beside.run_id = prompt_str_of(cell->work->run_id,
                                              PROMPT_UUID_LEN);
        op->job.beside.capped = cell->work->capped;

    } else {
        cell->error = prompt_str("The worker has no room for a call.");
        cell->why = NGX_HTTP_PROMPT_CELL_LATER;
    }

    return op;
}


/* of the protocol's document; NULL: memory, or there is no input */
static prompt_json_t *
ngx_http_prompt_cell_variables(prompt_arena_t *arena, prompt_str_t prompt_id,
    int32_t version, prompt_str_t label, prompt_json_t *input)
{
    prompt_json_t  *all;

    all = prompt_json_new(arena, PROMPT_JSON_OBJECT);

    if (all == NULL || input == NULL
        || !prompt_json_set_string(all, arena, "p", prompt_id)
        || (version != 0
            && !prompt_json_set_integer(all, arena, "v", version))
        || (label.data != NULL
            && !prompt_json_set_string(all, arena, "l", label)))
    {
        return NULL;
    }

    prompt_json_set(all, prompt_str("i"), input);

    return all;
}


static void
ngx_http_prompt_cell_answered(void *data, ngx_http_prompt_operation_t *op)
{
    ngx_http_prompt_cell_t  *cell = data;

    int64_t               latency;
    const prompt_json_t  *result, *error;

    result = ngx_http_prompt_cell_read(cell, op, &error);

    if (result != NULL) {
        cell->of.output = prompt_json_get(result, prompt_str("output"))->text;
        cell->of.model = prompt_json_get(result, prompt_str("model"))->text;
        cell->of.cost_usd =
            ngx_http_prompt_argument_text(result, prompt_str("costUsd"));

        if (prompt_json_integer(prompt_json_get(result,
                                                prompt_str("latencyMs")),
                                &latency))
        {
            cell->of.latency_ms = latency;
        }

        ngx_http_prompt_cell_succeeded(cell);

    } else if (error != NULL) {
        ngx_http_prompt_cell_refused(cell, error);

    } else {
        ngx_http_prompt_cell_end(cell, NGX_HTTP_PROMPT_CELL_UNKNOWN);
    }
}


/*
 * The result of its root field; NULL: an error, which is an OBJECT with
 * extensions, or that NULL, too, where nobody can say.
 */
static const prompt_json_t *
ngx_http_prompt_cell_read(ngx_http_prompt_cell_t *cell,
    const ngx_http_prompt_operation_t *op, const prompt_json_t **error)
{
    const prompt_json_t  *answer, *result;

    *error = NULL;
    answer = op != NULL ? ngx_http_prompt_operation_value(op, cell->arena)
                        : NULL;

    if (answer == NULL) {
        return NULL;
    }

    result = prompt_json_get(answer, prompt_str("errors"));

    if (result == NULL) {
        result = prompt_json_get(answer, prompt_str("data"));
        return result->first;
    }

    *error = result->first;

    if (*error != NULL
        && prompt_json_get(*error, prompt_str("extensions")) == NULL)
    {
        *error = NULL;
    }

    return NULL;
}


/*
 * There was an execution where the error names it: what became of it is in its
 * row.  What is wrong with the input is so for ever; all else may change.
 */
static void
ngx_http_prompt_cell_refused(ngx_http_prompt_cell_t *cell,
    const prompt_json_t *error)
{
    if (ngx_http_prompt_cell_why(cell, error)) {
        ngx_http_prompt_cell_end(cell, NGX_HTTP_PROMPT_CELL_UNKNOWN);

    } else if (prompt_str_eq(cell->code, ngx_http_prompt_bad_user_input)) {
        cell->failed = true;
        ngx_http_prompt_cell_end(cell, NGX_HTTP_PROMPT_CELL_DONE);

    } else {
        ngx_http_prompt_cell_end(cell, NGX_HTTP_PROMPT_CELL_OPEN);
    }
}


/* Notes why there is none; whether there is an execution all the same. */
static bool
ngx_http_prompt_cell_why(ngx_http_prompt_cell_t *cell,
    const prompt_json_t *error)
{
    prompt_str_t          reason;
    const prompt_json_t  *extensions;

    extensions = prompt_json_get(error, prompt_str("extensions"));
    reason = ngx_http_prompt_argument_text(extensions, prompt_str("reason"));

    if (prompt_json_get(extensions, prompt_str("executionId")) != NULL) {
        return true;
    }

    cell->error = ngx_http_prompt_argument_text(error, prompt_str("message"));
    cell->code = ngx_http_prompt_argument_text(extensions, prompt_str("code"));

    if (prompt_str_eq(reason, prompt_str("RUN_COST"))) {
        cell->why = NGX_HTTP_PROMPT_CELL_OVER;

    } else if (prompt_str_eq(cell->code, ngx_http_prompt_forbidden)
               && !prompt_str_eq(reason, prompt_str("QUOTA_EXCEEDED")))
    {
        cell->why = NGX_HTTP_PROMPT_CELL_REFUSED;

    } else {
        cell->why = NGX_HTTP_PROMPT_CELL_LATER;
    }

    return false;
}


/* or failed, and that is all there is */
static void
ngx_http_prompt_cell_succeeded(ngx_http_prompt_cell_t *cell)
{
    cell->checked.arena = cell->arena;
    cell->checked.output = cell->of.output;
    cell->checked.expected = cell->of.expected;
    cell->checked.cost_usd = cell->of.cost_usd;
    cell->checked.latency_ms = cell->of.latency_ms;

    if (cell->failed) {
        ngx_http_prompt_cell_end(cell, NGX_HTTP_PROMPT_CELL_DONE);
        return;
    }

    ngx_http_prompt_cell_checks(cell);
}


/* In turn with others. */
static void
ngx_http_prompt_cell_checks(ngx_http_prompt_cell_t *cell)
{
    if (cell->check == cell->work->checks.count) {
        ngx_http_prompt_cell_end(cell, NGX_HTTP_PROMPT_CELL_DONE);
        return;
    }

    if (ngx_http_prompt_checked.next == NULL) {
        ngx_queue_init(&ngx_http_prompt_checked);
        ngx_http_prompt_checking.handler = ngx_http_prompt_cell_checking;
        ngx_http_prompt_checking.log = ngx_cycle->log;
    }

    ngx_queue_insert_tail(&ngx_http_prompt_checked, &cell->checks);
    ngx_post_event(&ngx_http_prompt_checking, &ngx_posted_next_events);
}


static void
ngx_http_prompt_cell_checking(ngx_event_t *ev)
{
    ngx_msec_t               start;
    ngx_queue_t             *q;
    ngx_http_prompt_cell_t  *cell;

    start = ngx_http_prompt_cell_clock();

    while (!ngx_queue_empty(&ngx_http_prompt_checked)) {

        if (ngx_http_prompt_cell_clock() - start >= NGX_HTTP_PROMPT_CELL_CHECKS)
        {
            ngx_post_event(ev, &ngx_posted_next_events);
            return;
        }

        q = ngx_queue_head(&ngx_http_prompt_checked);
        ngx_queue_remove(q);
        cell = ngx_queue_data(q, ngx_http_prompt_cell_t, checks);

        if (ngx_http_prompt_cell_check(cell)) {
            ngx_http_prompt_cell_checks(cell);
        }
    }
}


/* as it is now: nginx's own stands still in a turn of the event loop */
static ngx_msec_t
ngx_http_prompt_cell_clock(void)
{
    struct timespec  now;

    (void) clock_gettime(CLOCK_MONOTONIC, &now);

    return (ngx_msec_t) now.tv_sec * 1000
           + (ngx_msec_t) now.tv_nsec / 1000000;
}


/* The next one; whether the one after it can be done now, or there is none. */
static bool
ngx_http_prompt_cell_check(ngx_http_prompt_cell_t *cell)
{
    prompt_score_t              score;
    const prompt_checks_one_t  *check;

    check = &cell->work->checks.list[cell->check++];

    /* of an output that was not recorded nothing is said */

    if (cell->of.output.data == NULL && check->type != PROMPT_CHECKS_MAX_COST
        && check->type != PROMPT_CHECKS_MAX_LATENCY)
    {
        return true;
    }

    score = prompt_checks_score(check, &cell->checked);

    switch (score) {

    case PROMPT_SCORE_JUDGE:
        ngx_http_prompt_cell_judge(cell, check);
        return false;

    case PROMPT_SCORE_NOMEM:
        ngx_http_prompt_cell_end(cell, NGX_HTTP_PROMPT_CELL_UNKNOWN);
        return false;

    case PROMPT_SCORE_0:
    case PROMPT_SCORE_1:
        break;
    }

    ngx_http_prompt_cell_score(cell, check->name, score == PROMPT_SCORE_1, NULL,
                               "CHECK");
    return true;
}


static void
ngx_http_prompt_cell_judge(ngx_http_prompt_cell_t *cell,
    const prompt_checks_one_t *check)
{
    ngx_http_prompt_operation_t  *op;

    op = ngx_http_prompt_cell_errand(cell, ngx_http_prompt_cell_judgement);

    if (op == NULL) {
        ngx_http_prompt_cell_end(cell, NGX_HTTP_PROMPT_CELL_UNKNOWN);
        return;
    }

    op->job.late = 1;

    ngx_http_prompt_errand_run(op,
        ngx_http_prompt_cell_variables(op->job.arena, check->prompt_id, 0,
                                       check->label,
                                       ngx_http_prompt_cell_judged(
                                           op->job.arena, cell)));
}


/* {input, output, expected}; NULL: memory */
static prompt_json_t *
ngx_http_prompt_cell_judged(prompt_arena_t *arena,
    const ngx_http_prompt_cell_t *cell)
{
    prompt_json_t        *all, *input, *expected;
    prompt_json_error_t   error;

    all = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    input = cell->of.input.data != NULL
            ? prompt_json_read(arena, cell->of.input, PROMPT_LIMIT_DEPTH,
                               &error)
            : prompt_json_new(arena, PROMPT_JSON_NULL);
    expected = cell->of.expected.data != NULL
               ? prompt_json_read(arena, cell->of.expected, PROMPT_LIMIT_DEPTH,
                                  &error)
               : prompt_json_new(arena, PROMPT_JSON_NULL);

    if (all == NULL || input == NULL || expected == NULL) {
        return NULL;
    }

    prompt_json_set(all, prompt_str("input"), input);

    if (!prompt_json_set_string(all, arena, "output",
                                cell->of.output))
    {
        return NULL;
    }

    prompt_json_set(all, prompt_str("expected"), expected);

    return all;
}


/*
 * What a judge does not say, or says in another form, is no score; nor is there
 * one of a judge that cannot be asked.  Where it only is not now the cell is
 * looked at once more; what judges have cost by then counts.
 */
static void
ngx_http_prompt_cell_judgement(void *data, ngx_http_prompt_operation_t *op)
{
    ngx_http_prompt_cell_t  *cell = data;

    const prompt_json_t  *result, *error;

    result = ngx_http_prompt_cell_read(cell, op, &error);

    if (result != NULL) {
        ngx_http_prompt_cell_judges(cell, result);

    } else if (error == NULL
               || (!ngx_http_prompt_cell_why(cell, error)
                   && !prompt_str_eq(cell->code, ngx_http_prompt_not_found)
                   && !prompt_str_eq(cell->code,
                                     ngx_http_prompt_bad_user_input)))
    {
        ngx_http_prompt_cell_end(cell, NGX_HTTP_PROMPT_CELL_UNKNOWN);
        return;
    }

    cell->error = prompt_str_absent;
    ngx_http_prompt_cell_checks(cell);
}


static void
ngx_http_prompt_cell_judges(ngx_http_prompt_cell_t *cell,
    const prompt_json_t *result)
{
    double                      value;
    prompt_json_error_t         error;
    const prompt_json_t        *said, *score;
    const prompt_checks_one_t  *check;

    check = &cell->work->checks.list[cell->check - 1];

    ngx_http_prompt_cell_cost(cell,
               ngx_http_prompt_argument_text(result, prompt_str("costUsd")));

    said = prompt_json_read_bounded(cell->arena,
                                    prompt_json_get(result,
                                                    prompt_str("output"))->text,
                                    PROMPT_LIMIT_DEPTH,
                                    PROMPT_LIMIT_OUTPUT_VALUES, &error);

    score = said != NULL && said->type == PROMPT_JSON_OBJECT
            ? prompt_json_get(said, prompt_str("score")) : NULL;

    if (score != NULL && prompt_json_double(score, &value)) {
        ngx_http_prompt_cell_score(cell, check->name, value,
                                   prompt_json_get(said,
                                                   prompt_str("comment")),
                                   "JUDGE");
    }
}


/* Where memory is short, or its id cannot be made, it is told without. */
static void
ngx_http_prompt_cell_score(ngx_http_prompt_cell_t *cell, prompt_str_t name,
    double value, const prompt_json_t *comment, const char *source)
{
    char            id[PROMPT_UUID_TEXT_LEN];
    prompt_buf_t   *out;
    prompt_str_t    words;
    prompt_uuid_t   made;

    if (!ngx_http_prompt_worker_id(cell->work->worker, &made)) {
        return;
    }

    out = &cell->scores;
    prompt_uuid_format(&made, id);

    prompt_buf_printf(out, ",{\"n\":%d,\"k\":\"%s\",\"i\":\"%.*s\",\"v\":",
                      (int) cell->of.number, source, (int) sizeof(id), id);
    prompt_json_write_double(out, value);
    prompt_buf_literal(out, ",\"s\":");
    prompt_json_write_string(out, name);

    if (comment != NULL && comment->type == PROMPT_JSON_STRING) {
        words = comment->text;
        words.len = strnlen(words.data, words.len);

        if (prompt_utf8_length(words) > PROMPT_LIMIT_SCORE_COMMENT) {
            words.len = prompt_utf8_whole(words.data,
                                          PROMPT_LIMIT_SCORE_COMMENT);
        }

        prompt_buf_literal(out, ",\"c\":");
        prompt_json_write_string(out, words);
    }

    prompt_buf_char(out, '}');
}


/* unknown ones are none */
static void
ngx_http_prompt_cell_cost(ngx_http_prompt_cell_t *cell, prompt_str_t cost)
{
    if (cost.data != NULL) {
        prompt_buf_printf(&cell->costs, ",\"%.*s\"", prompt_str_arg(cost));
    }
}


static void
ngx_http_prompt_cell_end(ngx_http_prompt_cell_t *cell,
    ngx_http_prompt_cell_e what)
{
    cell->what = what;

    if (what == NGX_HTTP_PROMPT_CELL_DONE) {
        ngx_http_prompt_cell_cost(cell, cell->of.cost_usd);
    }

    cell->done(cell);
}
