/*
 * OTLP (OpenTelemetry protocol) in JSON: what a collector is sent, and what
 * it answers.
 */

#ifndef PROMPT_TRACE_OTLP_H
#define PROMPT_TRACE_OTLP_H

#include "trace/span.h"


/* who sends */
typedef struct {
    prompt_str_t  service;           /* service.name */
    prompt_str_t  host;              /* host.name */
    int64_t       pid;
    const char   *version;           /* of the module */
} prompt_otlp_resource_t;


/*
 * The body of an export of the first n spans of a queue, which stay there:
 * free()d by the caller, *len bytes.  NULL: memory.
 */
char *prompt_otlp_request(const prompt_otlp_resource_t *resource,
    const prompt_span_queue_t *queue, unsigned n, size_t *len)
    PROMPT_WARN_UNUSED;

/*
 * What an answer with status 200 says of spans that the collector did not
 * take: how many, 0 where it says nothing or cannot be read; and why, at most
 * size - 1 bytes of printable ASCII, ended by NUL.
 */
uint64_t prompt_otlp_rejected(prompt_str_t answer, char *why, size_t size);

/* Whether the same body is sent again after an answer with this status. */
bool prompt_otlp_may_retry(unsigned status);

/*
 * How long to wait before it is, in ms: retry_after, in seconds, where it is
 * above 0, but not more than 5 minutes; else a second, doubled with each
 * failure before, a minute at most, and up to a fifth more or less, by random.
 */
uint32_t prompt_otlp_delay(unsigned failures, int64_t retry_after,
    uint32_t random);

#endif /* PROMPT_TRACE_OTLP_H */
