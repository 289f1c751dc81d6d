/*
 * An event of a provider's stream, for provider_stream.c and the formats'
 * files provider_NAME_event.c alone.
 */

#ifndef PROMPT_PROMPT_PROVIDER_EVENT_H
#define PROMPT_PROMPT_PROVIDER_EVENT_H

#include "prompt/provider_impl.h"
#include "prompt/provider_stream.h"


/*
 * What one walk through an event collects.  The members of JSON come in any
 * order, so a format looks at what was collected when the walk is over.
 */
typedef struct prompt_provider_event_s  prompt_provider_event_t;

struct prompt_provider_event_s {
    prompt_provider_reader_t    reader;      /* first: members are read by it */
    prompt_provider_stream_t   *stream;
    prompt_str_t                type;        /* of the event */
    prompt_str_t                finish;
    int64_t                     index;       /* of a choice */
    bool                        used;        /* it has usage */

    prompt_str_t                part_type;
    prompt_str_t                part_text;
    prompt_str_t                tool_id;
    prompt_str_t                tool_name;
    prompt_str_t                tool_arguments;
    prompt_str_t                tool_input;  /* all of them */
    int64_t                     tool_index;
    bool                        nomem;
};


#define prompt_provider_event_member(name, read, field)                       \
    { prompt_str_init(name), read, offsetof(prompt_provider_event_t, field) }


/*
 * Reads the usage that an event has: what it does not name stays as the
 * events before had it, and so does all of it where there is none.
 */
void prompt_provider_event_usage(prompt_provider_reader_t *reader, void *to);

/*
 * Notes that the model has begun, by a value that is passed over: reasoning or
 * audio that is not empty.
 */
void prompt_provider_event_thought(prompt_provider_reader_t *reader, void *to);

/* Adds to the text of the answer. */
void prompt_provider_event_text(prompt_provider_event_t *event,
    prompt_str_t text);

/* What finishes the answer; empty and absent ones are passed over. */
void prompt_provider_event_finish(prompt_provider_event_t *event);

/* Adds what is known of a tool to that of tool_index. */
void prompt_provider_event_tool(prompt_provider_event_t *event);

/* whether the tool of tool_index has begun */
bool prompt_provider_event_has_tool(const prompt_provider_event_t *event);

/* The end; or a failure, and why. */
void prompt_provider_event_end(prompt_provider_event_t *event);
void prompt_provider_event_fail(prompt_provider_event_t *event,
    prompt_provider_outcome_t outcome);


/* one function and one table a format */

void prompt_provider_openai_event(prompt_provider_event_t *event);
void prompt_provider_anthropic_event(prompt_provider_event_t *event);

extern const prompt_provider_member_t  prompt_provider_openai_events[];
extern const prompt_provider_member_t  prompt_provider_anthropic_events[];

#endif /* PROMPT_PROMPT_PROVIDER_EVENT_H */
