/*
 * Spans: what was done, from when to when, and for whom; and the queue in
 * which they wait to be sent.
 *
 * A span is made on the stack, of views.  Putting it into the queue copies it
 * into one piece of memory; that is all that a request spends on it.
 */

#ifndef PROMPT_TRACE_SPAN_H
#define PROMPT_TRACE_SPAN_H

#include "trace/traceparent.h"


#define PROMPT_SPAN_ATTRIBUTES  32
#define PROMPT_SPAN_TEXT        256             /* bytes of a text */
#define PROMPT_SPAN_CONTENT     (64 * 1024)     /* of what a model was sent, or
                                                   said */

/* of a queue, whatever the number of spans that it may have */
#define PROMPT_SPAN_QUEUE_BYTES  (16 * 1024 * 1024)


/* as OTLP numbers them */
typedef enum {
    PROMPT_SPAN_SERVER = 2,
    PROMPT_SPAN_CLIENT = 3
} prompt_span_kind_t;


typedef enum {
    PROMPT_ATTRIBUTE_TEXT = 0,
    PROMPT_ATTRIBUTE_INTEGER,
    PROMPT_ATTRIBUTE_NUMBER,         /* text: a JSON number */
    PROMPT_ATTRIBUTE_TEXTS           /* text: each is ended by NUL */
} prompt_attribute_kind_t;


typedef struct {
    const char               *name;  /* static */
    prompt_attribute_kind_t   kind;
    int64_t                   integer;
    prompt_str_t              text;
} prompt_attribute_t;


typedef struct {
    uint8_t              trace_id[PROMPT_TRACE_ID_LEN];
    uint8_t              span_id[PROMPT_SPAN_ID_LEN];
    uint8_t              parent_id[PROMPT_SPAN_ID_LEN];   /* zero: none */
    prompt_span_kind_t   kind;
    bool                 failed;
    int64_t              start_ms;   /* since 1970 */
    int64_t              end_ms;
    prompt_str_t         name;
    prompt_str_t         message;    /* why it failed; absent: not said */
    unsigned             nattributes;
    prompt_attribute_t   attributes[PROMPT_SPAN_ATTRIBUTES];
} prompt_span_t;


/*
 * Adds an attribute, unless the text is absent, or there are too many.  Texts
 * are cut between characters where they are longer than PROMPT_SPAN_TEXT.
 */
void prompt_span_text(prompt_span_t *span, const char *name,
    prompt_str_t text);
void prompt_span_integer(prompt_span_t *span, const char *name, int64_t n);
void prompt_span_number(prompt_span_t *span, const char *name,
    prompt_str_t text);

/* the same of what has a limit of its own: it is not cut */
void prompt_span_whole(prompt_span_t *span, const char *name,
    prompt_attribute_kind_t kind, prompt_str_t text);

/* The beginning of a text, at most so many bytes, not within a character. */
prompt_str_t prompt_span_cut(prompt_str_t text, size_t max);


/* First in, first out. */
typedef struct {
    prompt_span_t  **spans;          /* each malloc()ed, with all it has */
    unsigned         max;
    unsigned         first;
    unsigned         count;
    size_t           bytes;
} prompt_span_queue_t;


/* A queue of at most max spans, and ..._QUEUE_BYTES; false: memory. */
bool prompt_span_queue_init(prompt_span_queue_t *queue, unsigned max)
    PROMPT_WARN_UNUSED;

/* Frees what is in it, and the queue. */
void prompt_span_queue_free(prompt_span_queue_t *queue);

/* Puts a copy in.  False: it is full, or memory is short. */
bool prompt_span_queue_put(prompt_span_queue_t *queue,
    const prompt_span_t *span) PROMPT_WARN_UNUSED;

/* The one at place i, from 0 to count - 1. */
const prompt_span_t *prompt_span_queue_at(const prompt_span_queue_t *queue,
    unsigned i);

/* How many of the first ones, max at most, have no more bytes; 1 at least. */
unsigned prompt_span_queue_fit(const prompt_span_queue_t *queue, unsigned max,
    size_t bytes);

/* Frees the first n. */
void prompt_span_queue_drop(prompt_span_queue_t *queue, unsigned n);

#endif /* PROMPT_TRACE_SPAN_H */
