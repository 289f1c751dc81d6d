/*
 * Event stream: reading text/event-stream (HTML, 9.2.5 and 9.2.6) as it comes,
 * in pieces that may be cut anywhere.
 *
 * Comments, ids and times to wait are passed over and take no memory, however
 * long they are; an event's data and name may together have `limit` bytes.
 */

#ifndef PROMPT_BASE_EVENT_STREAM_H
#define PROMPT_BASE_EVENT_STREAM_H

#include "base/buf.h"


typedef enum {
    PROMPT_EVENT_STREAM_MORE = 0,    /* all was read; no event is complete */
    PROMPT_EVENT_STREAM_EVENT,       /* one is: look at it, and go on */
    PROMPT_EVENT_STREAM_LIMIT,       /* an event is too large: it is over */
    PROMPT_EVENT_STREAM_NOMEM
} prompt_event_stream_status_e;


/* where in a line the next byte is */
typedef enum {
    PROMPT_EVENT_STREAM_MARK = 0,    /* within a byte order mark, or not */
    PROMPT_EVENT_STREAM_NAME,        /* of the field */
    PROMPT_EVENT_STREAM_COLON,       /* behind it: one space is left out */
    PROMPT_EVENT_STREAM_VALUE,
    PROMPT_EVENT_STREAM_PAST         /* of a line that nobody needs */
} prompt_event_stream_place_e;


typedef struct {
    /* the event that is complete; views that live until the next read */
    prompt_str_t                  name;      /* empty: "message" */
    prompt_str_t                  data;

    prompt_event_stream_place_e   place;
    size_t                        limit;
    prompt_buf_t                  names;     /* the value of `event` */
    prompt_buf_t                  values;    /* of `data`, a line each */
    prompt_buf_t                 *value;     /* of this line; NULL: unknown */
    char                          field[5];  /* its name, so far */
    unsigned                      nfield;
    unsigned                      nmark;     /* bytes of the mark, so far */
    unsigned                      cr:1;      /* a line feed belongs to it */
    unsigned                      has_data:1;
    unsigned                      complete:1;
    unsigned                      failed:1;
} prompt_event_stream_t;


/* limit: bytes of an event */
void prompt_event_stream_init(prompt_event_stream_t *stream, size_t limit);

/* Gives back its memory; it may be initialized again. */
void prompt_event_stream_free(prompt_event_stream_t *stream);

/*
 * Reads from *pos up to end, or up to the end of the next event, and moves
 * *pos there.  What the stream ends in the middle of is no event.  After
 * LIMIT and NOMEM every call says so again.
 */
prompt_event_stream_status_e prompt_event_stream_read(
    prompt_event_stream_t *stream, const char **pos, const char *end)
    PROMPT_WARN_UNUSED;

#endif /* PROMPT_BASE_EVENT_STREAM_H */
