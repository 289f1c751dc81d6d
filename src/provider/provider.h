/*
 * Providers: what is sent to them, and what they answer.
 *
 * Bytes in, bytes out: how they get there is the business of src/io.
 */

#ifndef PROMPT_PROVIDER_PROVIDER_H
#define PROMPT_PROVIDER_PROVIDER_H

#include "base/json.h"
#include "prompt/limits.h"
#include "prompt/messages.h"
#include "prompt/usage.h"


/*
 * The formats.  format(NAME) is the struct prompt_provider_NAME, which
 * NAME.c defines; `prompt_provider … format=NAME` chooses it.  A new
 * one needs a line here and its file, and no other code.
 */
#define PROMPT_PROVIDER_FORMATS(format)                                       \
    format(openai)                   /* chat completions */                   \
    format(responses)                /* OpenAI's other API */                 \
    format(anthropic)                /* messages */                           \
    format(gemini)                   /* generateContent */


typedef struct prompt_provider_format_s  prompt_provider_format_t;

/* members of an answer, types of events, what reads both, members of params:
   provider_impl.h */
typedef struct prompt_provider_member_s  prompt_provider_member_t;
typedef struct prompt_provider_type_s    prompt_provider_type_t;
typedef struct prompt_provider_reader_s  prompt_provider_reader_t;
typedef struct prompt_provider_param_s   prompt_provider_param_t;


typedef struct {
    const prompt_provider_format_t  *format;
    const prompt_json_t             *params;         /* checked */
    const prompt_json_t             *output_schema;  /* NULL: none */
    prompt_str_t                     model;          /* what the call names */
    prompt_messages_t                messages;       /* rendered */
    prompt_str_t                     max_tokens_as;  /* the provider's name of
                                                        it; absent: that */
    int64_t                          max_tokens;     /* where params name none;
                                                        0: none is sent */
    bool                             stream;         /* the answer is to come
                                                        as one */
} prompt_provider_request_t;


/* What an operator lets a version ask of a provider's model. */
typedef struct {
    prompt_str_t   allow;            /* NAME,…: params, and tools of its own,
                                        that are sent beside those known */
    prompt_str_t   max_tokens_as;    /* as in a request */
    int64_t        max_tokens;       /* at most that; 0: no bound */
} prompt_provider_rules_t;


/*
 * What a provider is sent, and what it answers.  Whoever has configured a
 * provider knows its format, and passes it in wherever something of it is
 * read: what an answer looks like decides nothing.
 */
struct prompt_provider_format_s {
    prompt_str_t   name;             /* prompt_provider … format=NAME */
    prompt_str_t   system;           /* its name in traces: the values of
                                        gen_ai.provider.name */
    prompt_str_t   header;           /* of each request; absent: none needed */
    prompt_str_t   header_value;

    /*
     * What this format has no words for in a message, as
     * prompt_provider_check(); NULL: it has words for all.
     */
    prompt_check_t  (*check)(prompt_arena_t *arena,
                             const prompt_provider_request_t *request,
                             const prompt_message_t *message,
                             prompt_fault_t *fault);

    prompt_str_t   path;             /* of the call; where the model is in it,
                                        as its next segment, that ends so: */
    prompt_str_t   whole;            /* of an answer that comes whole, */
    prompt_str_t   streamed;         /* and of a stream */

    /* Appends the members of the request's body, without the braces. */
    void         (*write)(const prompt_provider_request_t *request,
                          prompt_buf_t *out);

    /* What is known of params, up to one without a name. */
    const prompt_provider_param_t   *params;

    int64_t        max_tokens;       /* where nobody names one; 0: none sent */

    /*
     * An answer that comes whole; what its members come to when all are read,
     * or NULL; the member that holds the usage.
     */
    const prompt_provider_member_t  *answer;
    void         (*read)(prompt_provider_reader_t *reader);
    const prompt_provider_member_t  *usage;

    /*
     * A stream: the members of an event, and what is done with what they were:
     * by its type, which every event then has, or by a function; data that is
     * no event but says that the stream is complete.
     */
    const prompt_provider_member_t  *events;
    const prompt_provider_type_t  *types;
    void         (*event)(prompt_provider_reader_t *reader);
    prompt_str_t   done;             /* absent: an event says so, or the end
                                        of the body behind a finish */

    bool           cached_apart;     /* cached input, both read and written, is
                                        counted beside the input, not in it */
    bool           reasoning_apart;  /* reasoning beside the output, not in
                                        it; what else the total has is none */
    bool           parsed;           /* arguments of calls are JSON objects,
                                        not texts */
    prompt_str_t   instructions;     /* what system and developer messages
                                        become, a member of params: there are
                                        none behind the first other one;
                                        absent: they are messages */
};


typedef enum {
    PROMPT_PROVIDER_DONE = 0,
    PROMPT_PROVIDER_REFUSED,         /* the request: 400, 404, 413, 422, … */
    PROMPT_PROVIDER_AUTH,            /* our credentials: 401, 403 */
    PROMPT_PROVIDER_RATE,            /* 429 */
    PROMPT_PROVIDER_QUOTA,           /* 402, or 429 that time does not heal */
    PROMPT_PROVIDER_OVERLOADED,      /* 529 */
    PROMPT_PROVIDER_FAILED,          /* 5xx, 3xx, an error under 200 */
    PROMPT_PROVIDER_UNREADABLE       /* 2xx, but no answer that we know */
} prompt_provider_outcome_t;


typedef struct {
    prompt_provider_outcome_t  outcome;
    prompt_str_t               output;   /* DONE: what the model said, may be
                                            empty; else absent */
    prompt_str_t               finish;   /* DONE: why it ended, in the
                                            provider's own word; absent:
                                            unknown */
    prompt_str_t               tool_calls;   /* DONE: JSON, an array of {id,
                                            name, arguments}, all strings;
                                            absent: none */
    prompt_str_t               opaque;   /* DONE: JSON, what is to go back with
                                            the answer to the same format
                                            (blocks of thinking, signatures), a
                                            list; absent: nothing */
    prompt_usage_t             usage;    /* also where not DONE: what was paid
                                            for */
    prompt_str_t               message;  /* not DONE: what failed, for the
                                            client and the row; none of the
                                            provider's own words */
    prompt_str_t               said;     /* not DONE: the provider's words, at
                                            most PROMPT_LIMIT_SAID bytes;
                                            absent: none */
} prompt_provider_answer_t;


#define prompt_provider_declare(name)                                         \
    extern const prompt_provider_format_t  prompt_provider_##name;

PROMPT_PROVIDER_FORMATS(prompt_provider_declare)

#undef prompt_provider_declare

/* The format of that name; NULL: there is none. */
const prompt_provider_format_t *prompt_provider_format(prompt_str_t name);

/* "format=openai" or "format=…", in quotes, for whoever wrote another */
#define prompt_provider_advise(name)  " or \"format=" #name "\""
#define PROMPT_PROVIDER_ADVICE                                                \
    (&PROMPT_PROVIDER_FORMATS(prompt_provider_advise)[sizeof(" or ") - 1])

/* Whether a list of names, with commas between them, has that one. */
bool prompt_provider_allows(prompt_str_t allow, prompt_str_t name);

/*
 * The member of params by which some format is told what the output is to look
 * like, which a schema of the version does, too; absent: none.
 */
prompt_str_t prompt_provider_output_form(const prompt_json_t *params);

/*
 * Whether params, checked ones of one choice (prompt_params_choice()), are all
 * known to the format, or allowed, and have values that it can say.  at: where
 * they stand, `params` or `params.fallbacks.0`.  Faults: fields `params.NAME`,
 * `params.fallbacks.0.NAME`.
 */
prompt_check_t prompt_provider_check_params(prompt_arena_t *arena,
    const prompt_provider_format_t *format,
    const prompt_provider_rules_t *rules, prompt_str_t at,
    const prompt_json_t *params, prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/*
 * Whether the format can say what is asked, of params that it knows.  Faults
 * name the message or the member of params that it cannot.
 *
 *   - anthropic: a system message behind another one; system messages beside
 *     params.system;
 *   - gemini: the same of system messages and of params.systemInstruction;
 *     pictures that are elsewhere; calls whose arguments are no JSON object,
 *     and answers to calls that are not there.
 */
prompt_check_t prompt_provider_check(prompt_arena_t *arena,
    const prompt_provider_request_t *request, prompt_fault_t *fault)
    PROMPT_WARN_UNUSED;

/*
 * Appends the body of the request, JSON, to out, which the caller made with
 * the limit PROMPT_LIMIT_REQUEST; its status tells.  Members of params are
 * written by the format's table, null ones left out, but:
 *
 *   - model is the one given here, in front, followed by messages;
 *   - max_tokens goes under max_tokens_as, unless params has a member of that
 *     name; where params have none of its names, max_tokens of the request is
 *     sent;
 *   - output_schema is sent as what the format calls structured output;
 *   - anthropic: system messages become system, a text, or a list of them
 *     where they are several.  max_tokens is 4096 where nobody says one.  What
 *     tools and tool_choice have in another form than OpenAI's passes through;
 *   - a stream is asked for by stream; openai: with the usage at its end, by
 *     stream_options, beside what params has there; gemini: by the URI;
 *   - responses, gemini: what their tables say goes where they say.
 */
void prompt_provider_request(const prompt_provider_request_t *request,
    prompt_buf_t *out);

/*
 * The most tokens that the answer can have: what params ask for, else
 * max_tokens, else what the format has; 0: nothing bounds it.
 */
int64_t prompt_provider_most_out(const prompt_provider_request_t *request);

/*
 * The most tokens that the request can be: none has less than a byte of its
 * body; but a picture has more than its address, and is taken for as many as
 * any model of the formats counts for one of whatever size.  False: memory, or
 * it is too long to be sent.
 */
#define PROMPT_PROVIDER_IMAGE_TOKENS  50000

bool prompt_provider_most_in(const prompt_provider_request_t *request,
    int64_t *tokens) PROMPT_WARN_UNUSED;

/*
 * Appends the path of the call and its arguments: $prompt_call_uri.  The model
 * in it is one segment, percent-encoded.
 */
void prompt_provider_uri(const prompt_provider_request_t *request,
    prompt_buf_t *out);

/* Appends a text as one segment of a path, percent-encoded. */
void prompt_provider_segment(prompt_str_t text, prompt_buf_t *out);

/*
 * Reads an answer that came whole, in this format; any other is UNREADABLE, and
 * its usage unknown: the price would be guessed.  Of members that come twice
 * the last counts.  Text is taken over as it is, but half surrogates, what is
 * no UTF-8, and U+0000, which the database cannot hold, become U+FFFD.
 * The output may point into body or the arena; finish and tool_calls are in
 * the arena.  False when memory is short.
 */
bool prompt_provider_answer(prompt_arena_t *arena,
    const prompt_provider_format_t *format, unsigned status, prompt_str_t body,
    prompt_provider_answer_t *answer) PROMPT_WARN_UNUSED;

/* An error is no longer: how long a body may be that is asked for a delay. */
#define PROMPT_PROVIDER_ERROR_MAX  (64 * 1024)

/* ms to wait, as the body of an error says it; UNKNOWN: it does not */
int64_t prompt_provider_retry_delay(const prompt_provider_format_t *format,
    prompt_str_t body);

/*
 * Appends the answer, which is DONE and came in that format, as a message of a
 * history: {role, content}, tool_calls where there are some, and provider,
 * {format, opaque}, where something is to go back.  Its output, tool_calls and
 * opaque count.
 */
void prompt_provider_answer_message(const prompt_provider_answer_t *answer,
    prompt_str_t format, prompt_buf_t *out);

#endif /* PROMPT_PROVIDER_PROVIDER_H */
