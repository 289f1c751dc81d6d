/*
 * Params: the configuration of the model.
 *
 * `model`, `temperature` and `max_tokens` are the service's; `messages`,
 * `prompt`, `input`, `stream`, `n` and `fallbacks` are refused, since the
 * service says these itself; everything else is the provider's and passes
 * through.
 */

#ifndef PROMPT_PROMPT_PARAMS_H
#define PROMPT_PROMPT_PARAMS_H

#include "base/fault.h"
#include "prompt/limits.h"


/*
 * Checks params before they are stored, and again before they are used.
 * Fault: field `params` where it is no object, else `params.model` and so on.
 * Depth, size and exactness are the caller's to check (prompt_text_json()).
 */
prompt_check_t prompt_params_check(prompt_arena_t *arena,
    const prompt_json_t *params, prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/*
 * Whether the service itself gives the parameter a meaning, so that none of
 * the provider's may come under that name; `max_tokens` may, as itself.
 */
bool prompt_params_taken(prompt_str_t name);

/* the model that checked params name; absent: none */
prompt_str_t prompt_params_model(const prompt_json_t *params);

#endif /* PROMPT_PROMPT_PARAMS_H */
