/*
 * What the format responses is made of, for provider_responses*.c alone.
 */

#ifndef PROMPT_PROVIDER_RESPONSES_H
#define PROMPT_PROVIDER_RESPONSES_H

#include "provider/provider_impl.h"


extern const prompt_provider_param_t  prompt_responses_params[];

void prompt_responses_write_params(const prompt_provider_request_t *request,
    prompt_buf_t *out);

#endif /* PROMPT_PROVIDER_RESPONSES_H */
