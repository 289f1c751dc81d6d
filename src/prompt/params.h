/*
 * Params: the configuration of the model.
 *
 * `model`, `temperature` and `max_tokens` are the service's; `messages`,
 * `prompt`, `input`, `stream` and `n` are refused, since the service says these
 * itself; `fallbacks` are params for other models, which are asked where the
 * first one fails; everything else is for the format of the provider to know
 * (prompt_provider_check_params()).  What is null is as if it were not there,
 * and in a fallback takes away what params have.
 */

#ifndef PROMPT_PROMPT_PARAMS_H
#define PROMPT_PROMPT_PARAMS_H

#include "base/fault.h"
#include "prompt/limits.h"


/*
 * Checks params before they are stored, and again before they are used.
 * Fault: field `params` where it is no object, else `params.model`,
 * `params.fallbacks.0.model` and so on.
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

/* how many fallbacks checked params have, PROMPT_LIMIT_FALLBACKS at most */
unsigned prompt_params_fallbacks(const prompt_json_t *params);

/*
 * What a provider gets of checked params: choice 0 is the first, choice n the
 * n-th fallback, whose members replace those of params.  Without nulls.  Params
 * themselves where they have no fallbacks, nor nulls; else an object whose
 * values are shared with them.  NULL: memory.
 */
const prompt_json_t *prompt_params_choice(prompt_arena_t *arena,
    const prompt_json_t *params, unsigned choice) PROMPT_WARN_UNUSED;

/*
 * Params (an object) with the members of overrides (an object) in place of its
 * own, and without those that are null there; values are shared with both.
 * NULL: memory.
 */
const prompt_json_t *prompt_params_override(prompt_arena_t *arena,
    const prompt_json_t *params, const prompt_json_t *overrides)
    PROMPT_WARN_UNUSED;

#endif /* PROMPT_PROMPT_PARAMS_H */
