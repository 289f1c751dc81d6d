/*
 * A subscription of the GraphQL endpoint, as a client.
 */

#ifndef CTL_STREAM_H
#define CTL_STREAM_H

#include "ctl/api.h"


/*
 * Executes a prompt as a stream, with the variables of executePromptStream;
 * what the model says is printed as it comes, unless JSON is wanted.  *result
 * is the ExecutionResult, in the run's arena.  Returns an exit status, after a
 * message where it is not CTL_OK.
 */
int ctl_stream_run(ctl_api_t *api, prompt_json_t *variables,
    prompt_json_t **result) PROMPT_WARN_UNUSED;

#endif /* CTL_STREAM_H */
