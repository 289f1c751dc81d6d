/*
 * Budgets of calls.
 */

#include "service/call/budget.h"

#include "base/decimal.h"
#include "service/frame/arguments.h"


static prompt_check_t ngx_http_prompt_budget_choice(prompt_arena_t *arena,
    ngx_http_prompt_ask_t *ask, ngx_uint_t n, prompt_buf_t *body,
    prompt_fault_t *fault) PROMPT_WARN_UNUSED;
static prompt_check_t ngx_http_prompt_budget_wrong(prompt_arena_t *arena,
    const ngx_http_prompt_choice_t *choice, const char *member,
    const char *message, prompt_fault_t *fault) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_budget_is_more(prompt_str_t a, prompt_str_t b);
static prompt_json_t *ngx_http_prompt_budget_reason(prompt_arena_t *arena,
    const prompt_budget_refusal_t *refusal);
static const char *ngx_http_prompt_budget_name(
    const prompt_budget_refusal_t *refusal);
static bool ngx_http_prompt_budget_of_run(
    const prompt_budget_refusal_t *refusal);


prompt_check_t
ngx_http_prompt_budget_most(prompt_arena_t *arena, ngx_http_prompt_ask_t *ask,
    prompt_fault_t *fault)
{
    ngx_uint_t      n;
    prompt_buf_t    first, other;
    prompt_check_t  rc;

    rc = PROMPT_CHECK_OK;
    ask->reserved = prompt_str_absent;
    prompt_buf_init(&first, PROMPT_LIMIT_REQUEST);

    for (n = 0; n < ask->nchoices && rc == PROMPT_CHECK_OK; n++) {
        prompt_buf_init(&other, PROMPT_LIMIT_REQUEST);

        rc = ngx_http_prompt_budget_choice(arena, ask, n,
                                           n == 0 ? &first : &other, fault);
        prompt_buf_free(&other);
    }

    if (rc != PROMPT_CHECK_OK) {
        prompt_buf_free(&first);
        return rc;
    }

    ask->body = prompt_buf_release(&first);

    return PROMPT_CHECK_OK;
}


/* Makes ask->reserved what that choice may cost, where that is more. */
static prompt_check_t
ngx_http_prompt_budget_choice(prompt_arena_t *arena,
    ngx_http_prompt_ask_t *ask, ngx_uint_t n, prompt_buf_t *body,
    prompt_fault_t *fault)
{
    char                                 text[PROMPT_PRICE_COST_MAX];
    int64_t                              in, out;
    prompt_str_t                         most;
    prompt_check_t                       rc;
    const ngx_http_prompt_model_conf_t  *conf;

    rc = ngx_http_prompt_budget_bounded(arena, ask, n, fault);

    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    conf = ask->choices[n].conf;
    out = prompt_provider_most_out(&ask->request);
    in = prompt_provider_most_in(&ask->request, body);

    if (body->status != PROMPT_BUF_OK) {
        return PROMPT_CHECK_NOMEM;
    }

    most = prompt_price_most(&conf->prices, &conf->long_prices,
                             conf->long_from, in, out, text);

    if (n == 0 || ngx_http_prompt_budget_is_more(most, ask->reserved)) {
        ask->reserved = prompt_arena_copy(arena, most);
    }

    return ask->reserved.data != NULL ? PROMPT_CHECK_OK : PROMPT_CHECK_NOMEM;
}


prompt_check_t
ngx_http_prompt_budget_bounded(prompt_arena_t *arena,
    ngx_http_prompt_ask_t *ask, ngx_uint_t n, prompt_fault_t *fault)
{
    const ngx_http_prompt_choice_t  *choice;

    ngx_http_prompt_ask_choice(ask, n);

    choice = &ask->choices[n];

    if (!choice->conf->priced) {
        return ngx_http_prompt_budget_wrong(arena, choice, "model",
                   "There is a budget, and this model has no price: the "
                   "operator gives it one by \"input\" and \"output\" of "
                   "its prompt_model.", fault);
    }

    if (prompt_provider_most_out(&ask->request) == 0) {
        return ngx_http_prompt_budget_wrong(arena, choice, "max_tokens",
                   "There is a budget, and nothing says how much this model "
                   "may answer: set \"max_tokens\", or the operator sets "
                   "that of its prompt_provider.", fault);
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
ngx_http_prompt_budget_wrong(prompt_arena_t *arena,
    const ngx_http_prompt_choice_t *choice, const char *member,
    const char *message, prompt_fault_t *fault)
{
    prompt_str_t  field;

    field = prompt_arena_printf(arena, "%.*s.%s", prompt_str_arg(choice->at),
                                member);

    return field.data != NULL
           ? prompt_fault_set(arena, fault, field, "%s", message)
           : PROMPT_CHECK_NOMEM;
}


static bool
ngx_http_prompt_budget_is_more(prompt_str_t a, prompt_str_t b)
{
    prompt_decimal_t  x, y;

    return prompt_decimal_parse(a, &x) && prompt_decimal_parse(b, &y)
           && prompt_decimal_cmp(&x, &y) > 0;
}


void
ngx_http_prompt_budget_refuse(ngx_http_prompt_root_t *root,
    const prompt_budget_refusal_t *refusal, prompt_str_t reserved)
{
    gql_error_t  *error;

    if (refusal->per.data == NULL) {

        /* it was not asked for all of it */

        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    ngx_http_prompt_metrics_add(
        ngx_http_prompt_get_worker(root->job->request)->metrics,
        NGX_HTTP_PROMPT_COUNT_BUDGET_REFUSALS, 1);

    error = gql_execution_error(root->job->execution,
                                ngx_http_prompt_forbidden, prompt_str_absent,
                                "The call may cost up to %.*s USD, which the "
                                "%s budget of %.*s USD does not have left.",
                                prompt_str_arg(reserved),
                                ngx_http_prompt_budget_name(refusal),
                                prompt_str_arg(refusal->limit_usd));

    error->extra = ngx_http_prompt_budget_reason(root->job->arena, refusal);

    ngx_http_prompt_root_error(root, error);
}


static const char *
ngx_http_prompt_budget_name(const prompt_budget_refusal_t *refusal)
{
    if (prompt_str_eq(refusal->per, prompt_str("DAY"))) {
        return refusal->of_key ? "API key's daily" : "project's daily";
    }

    if (prompt_str_eq(refusal->per, prompt_str("MONTH"))) {
        return refusal->of_key ? "API key's monthly" : "project's monthly";
    }

    return ngx_http_prompt_budget_of_run(refusal) ? "run's"
           : refusal->of_key ? "API key's total" : "project's total";
}


static bool
ngx_http_prompt_budget_of_run(const prompt_budget_refusal_t *refusal)
{
    return prompt_str_eq(refusal->per, prompt_str("RUN"));
}


/* NULL: memory */
static prompt_json_t *
ngx_http_prompt_budget_reason(prompt_arena_t *arena,
    const prompt_budget_refusal_t *refusal)
{
    char           *text;
    prompt_json_t  *extra, *reason, *resets;

    extra = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    reason = prompt_json_new_string(arena,
                                    ngx_http_prompt_budget_of_run(refusal)
                                    ? prompt_str("RUN_COST")
                                    : prompt_str("BUDGET_EXCEEDED"));
    resets = prompt_json_new(arena, PROMPT_JSON_NULL);

    if (refusal->resets_at.known) {
        text = prompt_arena_alloc(arena, PROMPT_TIME_TEXT_LEN);

        if (text == NULL) {
            return NULL;
        }

        prompt_time_format(refusal->resets_at.value, text);
        resets = prompt_json_new_string(arena,
                               prompt_str_of(text, PROMPT_TIME_TEXT_LEN));
    }

    if (extra == NULL || reason == NULL || resets == NULL) {
        return NULL;
    }

    prompt_json_set(extra, prompt_str("reason"), reason);
    prompt_json_set(extra, prompt_str("resetsAt"), resets);

    return extra;
}


void
ngx_http_prompt_budget_settled(ngx_http_prompt_worker_t *worker,
    const prompt_rows_t *rows)
{
    prompt_str_t  warning;

    warning = rows->count != 0 ? prompt_budget_warning(rows)
                               : prompt_str_absent;

    if (warning.data == NULL) {
        return;
    }

    ngx_http_prompt_metrics_add(worker->metrics,
                                NGX_HTTP_PROMPT_COUNT_BUDGET_WARNINGS, 1);

    /* once a period: the database has noted that it was told */

    ngx_log_error(NGX_LOG_NOTICE, worker->log, 0,
                  "prompt: a budget is nearly spent: %*s", warning.len,
                  warning.data);
}
