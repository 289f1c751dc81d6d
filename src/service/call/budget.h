/*
 * Budgets of calls: the most that what is asked may cost is reserved with the
 * start of the execution, and what it did cost settles that with its end
 * (store/budget.h).  Here is how much that is, and what is told.
 */

#ifndef NGX_HTTP_PROMPT_BUDGET_H
#define NGX_HTTP_PROMPT_BUDGET_H

#include "service/call/call.h"
#include "store/budget.h"


/*
 * Makes ask->reserved the most that it may cost, whichever of its models
 * answers: all of them must have prices, and a bound of what they answer.
 */
prompt_check_t ngx_http_prompt_budget_most(prompt_arena_t *arena,
    ngx_http_prompt_ask_t *ask, prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/* Of its n-th model that alone; makes ask->request what that is asked. */
prompt_check_t ngx_http_prompt_budget_bounded(prompt_arena_t *arena,
    ngx_http_prompt_ask_t *ask, ngx_uint_t n, prompt_fault_t *fault)
    PROMPT_WARN_UNUSED;

/* Completes root, as a budget has no room for what was to be reserved. */
void ngx_http_prompt_budget_refuse(ngx_http_prompt_root_t *root,
    const prompt_budget_refusal_t *refusal, prompt_str_t reserved);

/* An end was written: tells the log what its row says of budgets. */
void ngx_http_prompt_budget_settled(ngx_http_prompt_worker_t *worker,
    const prompt_rows_t *rows);

#endif /* NGX_HTTP_PROMPT_BUDGET_H */
