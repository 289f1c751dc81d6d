/*
 * What the formats of providers are made of, for this room alone.
 */

#ifndef PROMPT_PROVIDER_PROVIDER_IMPL_H
#define PROMPT_PROVIDER_PROVIDER_IMPL_H

#include "provider/stream.h"


/* text that comes in parts */
typedef struct {
    bool           found;            /* the place of the text was there */
    bool           strange;          /* and had something else in it */
    prompt_str_t   only;             /* as long as it is one part */
    prompt_buf_t   parts;            /* from the second part on: all */
} prompt_provider_text_t;


/* a call of a tool, as it is read; in an event, what is added to one */
typedef struct {
    prompt_str_t   id;
    prompt_str_t   name;
    prompt_str_t   arguments;
    prompt_str_t   input;            /* in their place, where there are none */
    int64_t        index;            /* of an event: which call */
} prompt_provider_tool_t;


/* what the model has thought; or, where it hides that, the data of it */
typedef struct {
    prompt_str_t   text;
    prompt_str_t   signature;
    prompt_str_t   data;
} prompt_provider_thought_t;


/* codes of an error: whether each says that time will not help */
typedef struct {
    bool           code;
    bool           type;
    bool           error_code;
    bool           status;
} prompt_provider_codes_t;


/*
 * What one walk through an answer, or through an event of a stream, collects.
 * What comes a second time begins afresh, so that the last counts.  Members
 * come in any order: what they mean together is seen when the walk is over.
 */
struct prompt_provider_reader_s {
    prompt_arena_t                  *arena;
    const prompt_provider_format_t  *format;
    prompt_provider_stream_t        *stream;    /* NULL: it came whole */
    prompt_json_scan_t               scan;
    bool                             escaped;   /* there are backslashes */
    bool                             error;     /* is there and not null */
    prompt_provider_codes_t          codes;
    prompt_provider_codes_t          details;   /* the codes in them */
    prompt_str_t                     said;      /* of the error: its words */
    prompt_provider_text_t           text;
    prompt_usage_counts_t            counts;
    bool                             used;      /* the event has usage */

    prompt_str_t                     refusal;   /* in place of a text */
    prompt_str_t                     type;      /* of the event */
    prompt_str_t                     part_type;
    prompt_str_t                     part_text;
    prompt_str_t                     finish;
    int64_t                          index;     /* of a choice */
    prompt_provider_tool_t           tool;      /* that is being read */
    prompt_buf_t                     calls;     /* JSON, without the end */

    bool                             no_key;    /* the error is about our
                                                   credentials */
    int64_t                          retry;     /* ms, it says; or UNKNOWN */
    prompt_str_t                     reason;    /* beside finish, or for it */
    prompt_str_t                     item_type; /* of what has parts */
    prompt_str_t                     item;      /* of an event: its JSON */
    prompt_str_t                     secret;    /* that must go back */
    bool                             thought;   /* the part is no text */
    int64_t                          ncalls;
    uint32_t                         high;      /* half a character at the end
                                                   of a string; 0: none */
    uint32_t                         low;       /* at the start of one */
    prompt_provider_thought_t        thinking;  /* that is being read */
    prompt_buf_t                     opaque;    /* as calls; of a stream:
                                                   there */
};


/*
 * A member that is read, whatever it is; all others are passed over.  In a
 * name is the way to it: `usage.total` is the member total of the object
 * usage.
 */
struct prompt_provider_member_s {
    prompt_str_t                      name;

    /* How it is read: by a function, to the place in the reader, */
    void                            (*read)(prompt_provider_reader_t *reader,
                                            void *to);
    size_t                            offset;

    /* or each element of an array, */
    void                            (*each)(prompt_provider_reader_t *reader);

    /* or a string, which is billed as usual where it is one of these, */
    const char                       *words;

    /* or an object by its members. */
    const prompt_provider_member_t   *members;
};

#define prompt_provider_member(way, by, field)                                \
    { .name = prompt_str_init(way), .read = (by),                             \
      .offset = offsetof(prompt_provider_reader_t, field) }

#define prompt_provider_string(way, field)                                    \
    prompt_provider_member(way, prompt_provider_read_string, field)
#define prompt_provider_count(way, field)                                     \
    prompt_provider_member(way, prompt_provider_read_count, field)
#define prompt_provider_more(way)                                             \
    prompt_provider_member(way, prompt_provider_read_more, counts.more)
#define prompt_provider_thought(way)                                          \
    prompt_provider_member(way, prompt_provider_read_thought, scan)
#define prompt_provider_array(way, by)                                        \
    { .name = prompt_str_init(way), .each = (by) }
#define prompt_provider_usual(way, list)                                      \
    { .name = prompt_str_init(way), .words = (list) }
#define prompt_provider_object(way, table)                                    \
    { .name = prompt_str_init(way), .members = (table) }

#define prompt_provider_no_member  { .name = { NULL, 0 } }

/* words for tokens at their usual price, that formats share */
#define PROMPT_PROVIDER_TIERS  "default,auto,standard"


/*
 * What is done with an event of that type that has a part of that type; NULL:
 * whatever it has.
 */
struct prompt_provider_type_s {
    const char    *type;
    const char    *part;
    void         (*take)(prompt_provider_reader_t *reader);
};

#define prompt_provider_no_type  { NULL, NULL, NULL }


typedef enum {
    PROMPT_PARAM_KNOWN = 0,          /* what shapes the answer */
    PROMPT_PARAM_ALLOWED,            /* only where allow= names it: bills beside
                                        tokens, or reaches elsewhere */
    PROMPT_PARAM_REFUSED,            /* the format has no words for it */
    PROMPT_PARAM_APART               /* as KNOWN; format->write() writes it */
} prompt_param_rule_t;


/*
 * A member of params, under OpenAI's name of it or the format's own; or
 * several, with commas between their names, that have no more than a rule.
 *
 * What is not in a format's table is refused, unless allow= names it.
 */
struct prompt_provider_param_s {
    prompt_str_t             name;
    prompt_str_t             as;     /* where it goes; absent: the same name */
    prompt_str_t             group;  /* the object that it goes into; absent:
                                        the request itself */

    /*
     * Writes the value, nothing where it is not to be sent, or each of its
     * elements; NULL: as it is.
     */
    void                   (*write)(const prompt_provider_request_t *request,
                                    const prompt_json_t *value,
                                    prompt_buf_t *out);
    void                   (*each)(prompt_buf_t *out,
                                   const prompt_json_t *element);

    prompt_param_rule_t      rule;
    bool                     bound;  /* of the tokens of the output */

    /* What is wrong with the value: "must be …"; NULL: nothing. */
    const char            *(*wrong)(const prompt_json_t *value);
};

/* members that have no more to them than a rule */
#define prompt_provider_rule(names, by)                                       \
    { .name = prompt_str_init(names), .rule = PROMPT_PARAM_##by }

/* one that goes into a group, under another name */
#define prompt_provider_goes(names, other, into)                              \
    { .name = prompt_str_init(names), .as = prompt_str_init(other),           \
      .group = prompt_str_init(into) }

/* a group that params may have themselves */
#define prompt_provider_group(names)                                          \
    { .name = prompt_str_init(names), .group = prompt_str_init(names),        \
      .wrong = prompt_provider_wrong_object }

#define prompt_provider_no_param  { .name = { NULL, 0 } }


/* OpenAI's words for a choice of tools, and what they are to others */
typedef struct {
    prompt_str_t  name;
    prompt_str_t  anthropic;
    prompt_str_t  gemini;
} prompt_provider_choice_t;

/* NULL: it is none of these */
const prompt_provider_choice_t *prompt_provider_choice(
    const prompt_json_t *choice);


/*
 * Calls of tools are texts within others: each quote and each backslash gets
 * another one.
 */
#define PROMPT_PROVIDER_CALLS_MAX   (4 * PROMPT_LIMIT_ANSWER)


/* system and developer: what the model is to be and to do */
static inline bool
prompt_provider_is_system(const prompt_message_t *message)
{
    return message->role == PROMPT_ROLE_SYSTEM
           || message->role == PROMPT_ROLE_DEVELOPER;
}

/* Whether a text is an object as JSON has it. */
bool prompt_provider_is_object(prompt_str_t text);

/* how many system messages there are before all others */
size_t prompt_provider_leading(const prompt_provider_request_t *request);

/*
 * What an answer of this very format gave along with that message, to go back
 * with it (prompt_provider_answer_t.opaque), as whoever asks gave it back:
 * anything may be in it.  NULL: nothing.
 */
const prompt_json_t *prompt_provider_opaque(
    const prompt_provider_request_t *request, const prompt_message_t *message);

/* the first of what prompt_provider_keep() has put there; or NULL */
const prompt_json_t *prompt_provider_back(
    const prompt_provider_request_t *request, const prompt_message_t *message);

/* A comma, unless what follows is the first of an object or of an array. */
void prompt_provider_write_next(prompt_buf_t *out);

/* The name of a member, and what stands before and behind it. */
void prompt_provider_write_name(prompt_str_t name, prompt_buf_t *out);

/* A string as a member; absent: no member. */
void prompt_provider_write_text(const char *name, prompt_str_t text,
    prompt_buf_t *out);

/* That member of an object, under another name, unless it is null. */
void prompt_provider_write_member(const prompt_json_t *from, const char *name,
    const char *as, prompt_buf_t *out);

/* All members of an object, but for that one (NULL: all); of none nothing. */
void prompt_provider_write_members(const prompt_json_t *object,
    const char *without, prompt_buf_t *out);

/* Name, description and parameters, which go under that name, of a tool. */
void prompt_provider_write_function(const prompt_json_t *function,
    const char *parameters, prompt_buf_t *out);

/*
 * A part of a message, of that type (NULL: it has none), whose text or picture
 * goes under that name.
 */
void prompt_provider_write_part(const char *type, const char *name,
    prompt_str_t text, prompt_str_t detail, prompt_buf_t *out);

/* Writes the part that a picture is. */
typedef void (*prompt_provider_image_pt)(const prompt_message_part_t *part,
    prompt_buf_t *out);

/* The parts of a message, texts of that type; where it has none, nothing. */
void prompt_provider_write_parts(const prompt_message_t *message,
    const char *type, prompt_provider_image_pt image, prompt_buf_t *out);

/* A text, an array of parts, or null, as that member. */
void prompt_provider_write_content(const char *name,
    const prompt_message_t *message, const char *type,
    prompt_provider_image_pt image, prompt_buf_t *out);

/*
 * What is there and not null at the end of a way (`json_schema.schema`), or
 * NULL; where it is a string, its text, or absent.
 */
const prompt_json_t *prompt_provider_get(const prompt_json_t *object,
    const char *way);
prompt_str_t prompt_provider_text_of(const prompt_json_t *object,
    const char *way);

/* Whether the type that an object says is that. */
static inline bool
prompt_provider_is(const prompt_json_t *object, const char *type)
{
    return prompt_str_eq(prompt_provider_text_of(object, "type"),
                         prompt_str_from(type));
}

/* for tables: of a group that params may have themselves */
const char *prompt_provider_wrong_object(const prompt_json_t *value);

/* What a format's table has of a member; NULL: nothing. */
const prompt_provider_param_t *prompt_provider_param(
    const prompt_provider_param_t *table, prompt_str_t name);

/* The bound of the output's tokens in params, under whichever name; 0: none. */
int64_t prompt_provider_params_most(const prompt_provider_request_t *request);

/*
 * All members of params but the model, as the format's table says.  One that
 * would go under another name is left out where params have a member of that
 * name: whoever gives the provider's own name means it.  So is what is null, or
 * cannot be written, or is APART; and the second of two that go to one place.
 *
 * Those with a group are written as its members.  One that is a group itself
 * (its name is that of its group) is an object: what it has is written behind
 * them, and in their place.
 */
void prompt_provider_write_params(const prompt_provider_request_t *request,
    prompt_buf_t *out);

/* those of formats that have many (*_params.c) */
extern const prompt_provider_param_t  prompt_responses_params[];
extern const prompt_provider_param_t  prompt_anthropic_params[];
extern const prompt_provider_param_t  prompt_gemini_params[];

/* tool_choice of Anthropic's, which others are a part of */
void prompt_anthropic_write_choice(const prompt_provider_request_t *request,
    prompt_buf_t *out);


/*
 * A reader of what comes in that format; text.parts, which have that limit, are
 * to be freed, and so are the calls of one that came whole, which get a limit.
 */
void prompt_provider_begin(prompt_provider_reader_t *reader,
    prompt_arena_t *arena, const prompt_provider_format_t *format,
    size_t limit);

/*
 * Mends and reads an object, all of it.  False: it is none; where memory was
 * short scan.error says so.
 */
bool prompt_provider_walk(prompt_provider_reader_t *reader, prompt_str_t text,
    const prompt_provider_member_t *members) PROMPT_WARN_UNUSED;

/*
 * The members of an answer with another status than 2xx, whatever its format
 * and whoever wrote it: an error, the first of several, or a message by itself.
 */
extern const prompt_provider_member_t  prompt_provider_failure[];

/* Reads the members of an object; false (passed over): it is none. */
bool prompt_provider_read_object(prompt_provider_reader_t *reader,
    const prompt_provider_member_t *members);

/* Reads each element of an array; false (passed over): it is none. */
bool prompt_provider_read_array(prompt_provider_reader_t *reader,
    void (*read)(prompt_provider_reader_t *reader));

/* The members of its first element, an object; all others are passed over. */
bool prompt_provider_read_first(prompt_provider_reader_t *reader,
    const prompt_provider_member_t *members);

/* to prompt_str_t: a string; absent where it is anything else */
void prompt_provider_read_string(prompt_provider_reader_t *reader, void *to);

/*
 * to int64_t: a count, up to PROMPT_USAGE_COUNT_MAX; UNKNOWN for null, BAD for
 * what is none
 */
void prompt_provider_read_count(prompt_provider_reader_t *reader, void *to);

/*
 * to counts.more: what is billed beside tokens, or at another price than they
 * are.  That is anything but null, false, 0, "", and arrays and objects that
 * have nothing else in them.
 */
void prompt_provider_read_more(prompt_provider_reader_t *reader, void *to);

/*
 * The same of a string, to counts.more: what is neither null nor one of these
 * words, with commas between them.
 */
void prompt_provider_read_usual(prompt_provider_reader_t *reader,
    const char *words);

/*
 * to prompt_str_t: a string as it is; of anything else but null the JSON text
 * without white space around its parts, in the arena
 */
void prompt_provider_read_arguments(prompt_provider_reader_t *reader, void *to);

/*
 * to counts: by the format's table.  In an event, what it does not name stays
 * as the events before had it, and so does all of it where there is none.
 */
void prompt_provider_read_usage(prompt_provider_reader_t *reader, void *to);

/* to bool: whether it is the code of an empty account */
void prompt_provider_read_code(prompt_provider_reader_t *reader, void *to);

/* to error: as all formats have it */
void prompt_provider_read_error(prompt_provider_reader_t *reader, void *to);

/*
 * to nothing: a value that is passed over, reasoning or audio.  In a stream, if
 * it is not empty, the model has begun.
 */
void prompt_provider_read_thought(prompt_provider_reader_t *reader, void *to);

/* the same to prompt_str_t, where it is a string; else absent */
void prompt_provider_read_thinking(prompt_provider_reader_t *reader, void *to);

/*
 * A part of a text: an object, of type "text" (or "output_text") with a string
 * `text`; one of type "tool_use" is a call of a tool, one of type "refusal"
 * becomes reader->refusal.  Other types are passed over.
 */
extern const prompt_provider_member_t  prompt_provider_part[];

static inline bool
prompt_provider_is_part(const prompt_provider_reader_t *reader,
    const char *type)
{
    return prompt_str_eq(reader->part_type, prompt_str_from(type));
}

void prompt_provider_read_part(prompt_provider_reader_t *reader);

/*
 * reader->tool is complete: adds it, unless it has no name; in a stream, it is
 * a part of one.
 */
void prompt_provider_add_tool(prompt_provider_reader_t *reader);

/*
 * Adds JSON text to what has to go back with the answer, a list; whether there
 * is any.
 */
void prompt_provider_keep(prompt_provider_reader_t *reader, prompt_str_t json);
bool prompt_provider_keeps(prompt_provider_reader_t *reader);

/* JSON text without white space around its parts; absent: memory */
prompt_str_t prompt_provider_compact(prompt_arena_t *arena, prompt_str_t json);

/* Appends a call to a list of them, JSON without its end. */
void prompt_provider_write_tool(const prompt_provider_tool_t *tool,
    prompt_buf_t *calls);

/* A list, with its end, in the arena; absent: none.  False: memory. */
bool prompt_provider_list(prompt_arena_t *arena, const prompt_buf_t *items,
    prompt_str_t *text) PROMPT_WARN_UNUSED;

/*
 * The word for why it finished, in the arena; absent where there is none, or
 * it is too long.  False: memory.
 */
bool prompt_provider_finish(prompt_arena_t *arena, bool refused,
    prompt_str_t word, prompt_str_t *finish) PROMPT_WARN_UNUSED;

/*
 * Adds a part; forgets all, as if there had been no text; and, of an answer
 * that came whole, as if there had been none, calls and what is kept included.
 */
void prompt_provider_add(prompt_provider_text_t *text, prompt_str_t part);
void prompt_provider_forget_text(prompt_provider_text_t *text);
void prompt_provider_forget(prompt_provider_reader_t *reader);


/* A buffer could not take what was appended to it. */
void prompt_provider_stream_failed(prompt_provider_stream_t *stream,
    prompt_buf_status_t status);

/* Adds to a buffer of the stream, within the limit of all. */
void prompt_provider_stream_add(prompt_provider_stream_t *stream,
    prompt_buf_t *to, prompt_str_t text);

/* Nothing more can come of it, unless that is known. */
void prompt_provider_stream_fail(prompt_provider_stream_t *stream,
    prompt_provider_outcome_t outcome);

/* It is complete: half a character that waits for the other one is shown. */
void prompt_provider_stream_end(prompt_provider_stream_t *stream);


/* What format->types and format->event() do with an event of a stream. */

/* The answer has begun. */
void prompt_provider_event_begin(prompt_provider_reader_t *reader);

/* Adds to the text of the answer; part: that of the event's part. */
void prompt_provider_event_text(prompt_provider_reader_t *reader,
    prompt_str_t text);
void prompt_provider_event_part(prompt_provider_reader_t *reader);

/* Adds a refusal to it, unless the model has said something. */
void prompt_provider_event_refusal(prompt_provider_reader_t *reader,
    prompt_str_t text);

/*
 * Adds what is known of a tool to the call of its number; more: if that has
 * begun.
 */
void prompt_provider_event_tool(prompt_provider_reader_t *reader);
void prompt_provider_event_more(prompt_provider_reader_t *reader);

/*
 * What finishes the answer; empty and absent ones are passed over.  last: it
 * comes with the last count of tokens.
 */
void prompt_provider_event_finish(prompt_provider_reader_t *reader);
void prompt_provider_event_last(prompt_provider_reader_t *reader);

/* It reports an error. */
void prompt_provider_event_fail(prompt_provider_reader_t *reader);

/* The stream is complete. */
void prompt_provider_event_end(prompt_provider_reader_t *reader);


/*
 * The usage that was counted, by the rules of the format.  What depends on a
 * count that is BAD is unknown; parts that contradict are, and so is the cost.
 *
 *   - in: with what tools had in it, and with cached and written input where
 *     the format counts that apart;
 *   - what was written to a cache and is not told in parts was for minutes;
 *   - out: with what the total has above both, and with reasoning where it is
 *     more than out, as then it is none of it.  Where the format counts
 *     reasoning apart it is added, the total adds nothing, and an output that
 *     is not told is 0 if the total leaves nothing for it.
 */
void prompt_provider_usage(const prompt_provider_format_t *format,
    const prompt_usage_counts_t *counts, prompt_usage_t *usage);

/* what failed, for the client and the row; absent: no memory */
prompt_str_t prompt_provider_message(prompt_arena_t *arena,
    prompt_provider_outcome_t outcome, unsigned status);

/*
 * Appends the provider's words, at most PROMPT_LIMIT_SAID bytes of them, as
 * one line: what cannot be seen, or changes how others are, becomes a space.
 */
void prompt_provider_said(prompt_str_t said, prompt_buf_t *out);

/* Whether a code of the error says that time will not help. */
bool prompt_provider_quota(const prompt_provider_reader_t *reader);

#endif /* PROMPT_PROVIDER_PROVIDER_IMPL_H */
