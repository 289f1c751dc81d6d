/*
 * Inside the format of Anthropic: its messages, for anthropic.c.
 */

#ifndef PROMPT_PROVIDER_ANTHROPIC_H
#define PROMPT_PROVIDER_ANTHROPIC_H

#include "provider/provider_impl.h"


/* format->check: what comes back of an answer is what answers have. */
prompt_check_t prompt_anthropic_check(prompt_arena_t *arena,
    const prompt_provider_request_t *request, const prompt_message_t *message,
    prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/* "model":…,"messages":[…], and "system" where there are such */
void prompt_anthropic_write_messages(const prompt_provider_request_t *request,
    prompt_buf_t *out);

#endif /* PROMPT_PROVIDER_ANTHROPIC_H */
