/*
 * Streams of providers: an answer that is read as it comes, in pieces that
 * may be cut anywhere.
 *
 *     prompt_provider_stream_init(&stream, format, limit);
 *     for each piece of the body:
 *         while (... = prompt_provider_stream_read(&stream, &pos, end)) ...
 *     at the end of the body: prompt_provider_stream_answer()
 *     prompt_provider_stream_free(&stream);
 *
 * A provider that was asked for a stream may answer with one JSON value all
 * the same: that is kept, and read at the end.
 */

#ifndef PROMPT_PROVIDER_STREAM_H
#define PROMPT_PROVIDER_STREAM_H

#include "base/event_stream.h"
#include "provider/provider.h"


/* calls of tools in one answer */
#define PROMPT_PROVIDER_TOOLS_MAX  128


typedef enum {
    PROMPT_PROVIDER_STREAM_MORE = 0,   /* all was read */
    PROMPT_PROVIDER_STREAM_TEXT,       /* there is text: look, and go on */
    PROMPT_PROVIDER_STREAM_END,        /* it said that it is complete */
    PROMPT_PROVIDER_STREAM_FAILED,     /* nothing more can come of it */
    PROMPT_PROVIDER_STREAM_LIMIT,      /* the same: it is too large */
    PROMPT_PROVIDER_STREAM_NOMEM       /* the same */
} prompt_provider_stream_status_t;


/* a call of a tool; absent where the model left it out */
typedef struct {
    prompt_buf_t   id;
    prompt_buf_t   name;
    prompt_buf_t   arguments;        /* as the model wrote them */
    prompt_buf_t   input;            /* in their place, where there are none */
    int64_t        index;
    unsigned       depth;            /* of the JSON that the arguments are */
    unsigned       quoted:1;         /* they are within a string of it */
    unsigned       escaped:1;        /* behind a backslash */
    unsigned       whole:1;          /* they are an object */
} prompt_provider_stream_tool_t;


typedef enum {
    PROMPT_PROVIDER_STREAM_UNKNOWN = 0,
    PROMPT_PROVIDER_STREAM_EVENTS,
    PROMPT_PROVIDER_STREAM_WHOLE     /* one JSON value */
} prompt_provider_stream_form_t;


typedef struct {
    prompt_str_t                      text;    /* TEXT: what came, not empty;
                                                  until the next read */
    prompt_buf_t                      output;  /* all of it so far */
    prompt_buf_t                      finish;  /* the provider's word */
    prompt_buf_t                      error;   /* FAILED: its words */
    prompt_provider_stream_tool_t    *tools;   /* in the order they began */
    size_t                            ntools;

    const prompt_provider_format_t   *format;
    size_t                            limit;
    size_t                            size;    /* of output and tools */
    prompt_provider_stream_form_t     form;
    prompt_provider_stream_status_t   status;  /* END and above: stays */
    prompt_provider_outcome_t         outcome; /* FAILED: why */
    prompt_event_stream_t             events;
    prompt_buf_t                      whole;

    prompt_buf_t                      opaque;  /* JSON, without its end: what
                                                  is to go back */
    prompt_buf_t                      thinking;   /* of what is thought now */
    prompt_buf_t                      signature;

    prompt_usage_counts_t             counts;  /* so far */
    int64_t                           choice;  /* whose text it is */
    unsigned                          counted:1;  /* the output is, at last */
    unsigned                          found:1;    /* an answer has begun */
    unsigned                          thought:1;  /* the model has, by what is
                                                     no text: it is paid for */
    unsigned                          said:1;     /* text, not a refusal */
    unsigned                          refused:1;  /* a refusal, and no text */

    uint32_t                          high;       /* half a character that
                                                     waits; 0: none */
    int64_t                           high_of;    /* of the call of that
                                                     number; else of the
                                                     output */
    unsigned                          thinks:1;   /* thinking has begun */
} prompt_provider_stream_t;


/* limit: bytes of text and of arguments together, and of one event */
void prompt_provider_stream_init(prompt_provider_stream_t *stream,
    const prompt_provider_format_t *format, size_t limit);

/* Gives back its memory. */
void prompt_provider_stream_free(prompt_provider_stream_t *stream);

/*
 * Reads from *pos up to end, or up to the next text, and moves *pos there.
 * After END and what is below it every call says so again.
 */
prompt_provider_stream_status_t prompt_provider_stream_read(
    prompt_provider_stream_t *stream, const char **pos, const char *end)
    PROMPT_WARN_UNUSED;

/*
 * Whether all has come but the end: it is known why the model finished, and
 * what it took.  A connection that breaks then has broken nothing.
 */
bool prompt_provider_stream_whole(const prompt_provider_stream_t *stream);

/*
 * What came of a body that was read up to its end, under a status of 2xx; of
 * one that is not whole without the end of its stream, UNREADABLE.  What it
 * points to is a copy in arena.  False when memory is short.
 */
bool prompt_provider_stream_answer(const prompt_provider_stream_t *stream,
    prompt_arena_t *arena, unsigned status, prompt_provider_answer_t *answer)
    PROMPT_WARN_UNUSED;

/*
 * What is known of one that broke off: its text so far, a view, absent where
 * there is none, and its usage as far as that is certain.
 */
void prompt_provider_stream_rest(const prompt_provider_stream_t *stream,
    prompt_str_t *text, prompt_usage_t *usage);

#endif /* PROMPT_PROVIDER_STREAM_H */
