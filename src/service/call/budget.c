/*
 * Budgets of calls.
 */

#include "service/call/budget.h"

#include "base/decimal.h"
#include "service/frame/arguments.h"


static prompt_check_t ngx_http_prompt_budget_choice(prompt_arena_t *arena,
    const ngx_http_prompt_ask_t *ask, const ngx_http_prompt_choice_t *choice,
    char text[PROMPT_PRICE_COST_MAX], prompt_str_t *most,
    prompt_fault_t *fault) PROMPT_WARN_UNUSED;
static prompt_check_t ngx_http_prompt_budget_wrong(prompt_arena_t *arena,
    const ngx_http_prompt_choice_t *choice, const char *member,
    const char *message, prompt_fault_t *fault) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_budget_is_more(prompt_str_t a, prompt_str_t b);
static prompt_json_t *ngx_http_prompt_budget_reason(prompt_arena_t *arena,
    const prompt_budget_refusal_t *refusal);
static const char *ngx_http_prompt_budget_per(prompt_str_t per);


prompt_check_t
ngx_http_prompt_budget_most(prompt_arena_t *arena, ngx_http_prompt_ask_t *ask,
    prompt_fault_t *fault)
{
    char            text[PROMPT_PRICE_COST_MAX];
    ngx_uint_t      n;
    prompt_str_t    most;
    prompt_check_t  rc;

    ask->reserved = prompt_str_absent;
    most = prompt_str_absent;

    for (n = 0; n < ask->nchoices; n++) {
        ngx_http_prompt_ask_choice(ask, n);

        rc = ngx_http_prompt_budget_choice(arena, ask, &ask->choices[n], text,
                                           &most, fault);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        if (n == 0 || ngx_http_prompt_budget_is_more(most, ask->reserved)) {
            ask->reserved = prompt_arena_copy(arena, most);

            if (ask->reserved.data == NULL) {
                return PROMPT_CHECK_NOMEM;
            }
        }
    }

    return PROMPT_CHECK_OK;
}


/* what ask->request says, which is for that choice */

static prompt_check_t
ngx_http_prompt_budget_choice(prompt_arena_t *arena,
    const ngx_http_prompt_ask_t *ask, const ngx_http_prompt_choice_t *choice,
    char text[PROMPT_PRICE_COST_MAX], prompt_str_t *most, prompt_fault_t *fault)
{
    int64_t                              in, out;
    const ngx_http_prompt_model_conf_t  *conf;

    conf = choice->conf;
    out = prompt_provider_most_out(&ask->request);

    if (!conf->priced) {
        return ngx_http_prompt_budget_wrong(arena, choice, "model",
                   "There is a budget, and this model has no price: the "
                   "operator gives it one by \"input\" and \"output\" of "
                   "its prompt_model.", fault);
    }

    if (out == 0) {
        return ngx_http_prompt_budget_wrong(arena, choice, "max_tokens",
                   "There is a budget, and nothing says how much this model "
                   "may answer: set \"max_tokens\", or the operator sets "
                   "that of its prompt_provider.", fault);
    }

    if (!prompt_provider_most_in(&ask->request, &in)) {
        return PROMPT_CHECK_NOMEM;
    }

    *most = prompt_price_most(&conf->prices, &conf->long_prices,
                              conf->long_from, in, out, text);

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
                                "%s%s budget of %.*s USD does not have left.",
                                prompt_str_arg(reserved),
                                refusal->of_key ? "API key's " : "project's ",
                                ngx_http_prompt_budget_per(refusal->per),
                                prompt_str_arg(refusal->limit_usd));

    error->extra = ngx_http_prompt_budget_reason(root->job->arena, refusal);

    ngx_http_prompt_root_error(root, error);
}


static const char *
ngx_http_prompt_budget_per(prompt_str_t per)
{
    return prompt_str_eq(per, prompt_str("DAY")) ? "daily"
           : prompt_str_eq(per, prompt_str("MONTH")) ? "monthly" : "total";
}


/* NULL: memory */

static prompt_json_t *
ngx_http_prompt_budget_reason(prompt_arena_t *arena,
    const prompt_budget_refusal_t *refusal)
{
    char           *text;
    prompt_json_t  *extra, *reason, *resets;

    extra = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    reason = prompt_json_new_string(arena, prompt_str("BUDGET_EXCEEDED"));
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
