/*
 * A subscription of the GraphQL endpoint, as a client.
 */

#ifndef CTL_STREAM_H
#define CTL_STREAM_H

#include "ctl/api.h"


/* of an ExecutionResult */
#define CTL_RESULT_SELECTION                                                 \
    "{ output latencyMs tokenIn tokenCached tokenCacheWrite tokenOut"        \
    " tokenReasoning costUsd executionId versionUsed model"                  \
    " finishReason toolCalls { id name arguments } }"


/*
 * Sends a subscription, and gives the `data` of each of its events to event(),
 * with to.  False: it broke off, which was told; where there are errors the run
 * ends.
 */
bool ctl_stream(ctl_api_t *api, const char *document, const json_t *variables,
    void (*event)(const json_t *data, void *to), void *to);

/*
 * Executes a prompt as a stream, with the variables of executePromptStream;
 * what the model says is printed as it comes, unless JSON is wanted.  Gives
 * the ExecutionResult.
 */
json_t *ctl_stream_run(ctl_api_t *api, const json_t *variables);

#endif /* CTL_STREAM_H */
