/*
 * Inside the format of Anthropic: its messages, for anthropic.c.
 */

#ifndef PROMPT_PROVIDER_ANTHROPIC_H
#define PROMPT_PROVIDER_ANTHROPIC_H

#include "provider/provider_impl.h"


/*
 * Whether there are words for the messages: arguments of calls are objects, and
 * what comes back of an answer is what answers have.
 */
prompt_check_t prompt_anthropic_check_messages(prompt_arena_t *arena,
    const prompt_provider_request_t *request, prompt_fault_t *fault)
    PROMPT_WARN_UNUSED;

/* "model":…,"messages":[…], and "system" where there are such */
void prompt_anthropic_write_messages(const prompt_provider_request_t *request,
    prompt_buf_t *out);

#endif /* PROMPT_PROVIDER_ANTHROPIC_H */
