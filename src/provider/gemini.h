/*
 * What the format gemini is made of, for provider_gemini*.c alone.
 */

#ifndef PROMPT_PROVIDER_GEMINI_H
#define PROMPT_PROVIDER_GEMINI_H

#include "provider/provider_impl.h"


extern const prompt_provider_member_t  prompt_gemini_answer[];
extern const prompt_provider_member_t  prompt_gemini_usage[];

/* format->read, format->event */
void prompt_gemini_read(prompt_provider_reader_t *reader);
void prompt_gemini_event(prompt_provider_reader_t *reader);

/* whether the model counts what it thinks in tokens, and signs nothing */
bool prompt_gemini_counts(const prompt_provider_request_t *request);

#endif /* PROMPT_PROVIDER_GEMINI_H */
