/*
 * Trace Context (W3C, level 1): the headers traceparent and tracestate, by
 * which a request says what trace it is a part of.
 *
 * What comes from a client is not trusted: what is not exactly as the
 * specification says is taken for none, and a new trace is begun.
 */

#ifndef PROMPT_TRACE_TRACEPARENT_H
#define PROMPT_TRACE_TRACEPARENT_H

#include "base/str.h"


#define PROMPT_TRACE_ID_LEN      16
#define PROMPT_SPAN_ID_LEN       8
#define PROMPT_TRACEPARENT_LEN   55  /* 00-TRACE-SPAN-FLAGS, without NUL */

/* of a tracestate: bytes that are passed on, and members that it may have */
#define PROMPT_TRACESTATE_MAX      512
#define PROMPT_TRACESTATE_MEMBERS  32


typedef struct {
    uint8_t  trace_id[PROMPT_TRACE_ID_LEN];
    uint8_t  parent_id[PROMPT_SPAN_ID_LEN];  /* zero: the trace begins here */
    bool     sampled;
} prompt_trace_context_t;


/*
 * Reads a traceparent.  Version 00 has nothing behind the flags, later ones may
 * have more; ff is none, and neither is an id of zeros.  False: it is invalid,
 * and *context is undefined.
 */
bool prompt_traceparent_read(prompt_str_t text,
    prompt_trace_context_t *context) PROMPT_WARN_UNUSED;

/* version 00; returns behind it */
char *prompt_traceparent_write(char out[PROMPT_TRACEPARENT_LEN],
    const uint8_t trace_id[PROMPT_TRACE_ID_LEN],
    const uint8_t span_id[PROMPT_SPAN_ID_LEN], bool sampled);


/* The headers tracestate of a request, which are one list. */
typedef struct {
    char      text[PROMPT_TRACESTATE_MAX];
    size_t    len;
    unsigned  members;               /* also those that are not kept */
    bool      full;                  /* what follows is not kept */
    bool      invalid;
} prompt_tracestate_t;

/* adds a header to what begins zeroed */
void prompt_tracestate_add(prompt_tracestate_t *state, prompt_str_t text);

/*
 * What is passed on: the members in their order, from the newest on as many as
 * have room.  Absent where there are none, or one of all is ill-formed.
 */
prompt_str_t prompt_tracestate_text(const prompt_tracestate_t *state);

#endif /* PROMPT_TRACE_TRACEPARENT_H */
