/*
 * The forms of providers, for provider*.c alone.
 */

#ifndef PROMPT_PROMPT_PROVIDER_FORM_H
#define PROMPT_PROMPT_PROVIDER_FORM_H

#include "prompt/provider.h"


/* text that comes in parts */
typedef struct {
    bool           found;            /* the place of the text was there */
    bool           strange;          /* and had something else in it */
    prompt_str_t   only;             /* as long as it is one part */
    prompt_buf_t   parts;            /* from the second part on: all */
} prompt_provider_text_t;


/*
 * What one walk through an answer collects.  What comes a second time begins
 * afresh, so that the last counts.
 */
typedef struct {
    prompt_arena_t            *arena;
    prompt_json_scan_t         scan;
    prompt_provider_format_t   format;
    bool                       error;    /* `error` is there and not null */
    bool                       quota;    /* it says that time will not help */
    prompt_provider_text_t     text;
    prompt_usage_t             usage;
    int64_t                    created;  /* anthropic: cache_creation */
} prompt_provider_reader_t;


/* a token count that is there and is none of 0 to 2,147,483,647 */
#define PROMPT_PROVIDER_BAD_COUNT  (-2)


/* Requests, to an empty object: all members, without the braces. */
void prompt_provider_openai_request(const prompt_provider_request_t *request,
    prompt_buf_t *out);
void prompt_provider_anthropic_request(
    const prompt_provider_request_t *request, prompt_buf_t *out);

/*
 * A member of params under another name, after a comma; and params themselves,
 * without those that the service writes.
 */
void prompt_provider_write_member(prompt_buf_t *out, prompt_str_t name,
    const prompt_json_t *value);

/* "model":…,"messages":[…], common to both */
void prompt_provider_write_head(const prompt_provider_request_t *request,
    prompt_buf_t *out);

/* the name that max_tokens goes under */
prompt_str_t prompt_provider_max_tokens(
    const prompt_provider_request_t *request);


/*
 * Members of an answer, each of which reads the value that comes next.
 * openai_usage and anthropic_usage read one member of `usage`; false (nothing
 * consumed) where its name is none of theirs.
 */
void prompt_provider_read_choices(prompt_provider_reader_t *reader);
void prompt_provider_read_content(prompt_provider_reader_t *reader);
bool prompt_provider_openai_usage(prompt_provider_reader_t *reader,
    prompt_str_t name);
bool prompt_provider_anthropic_usage(prompt_provider_reader_t *reader,
    prompt_str_t name);

/*
 * The next member of an object; its name without escapes, so that a name that
 * is written in two ways is one.  False at the end, or an error.
 */
bool prompt_provider_member(prompt_provider_reader_t *reader,
    prompt_str_t *name);

/* A string that comes next; absent where it is anything else. */
prompt_str_t prompt_provider_read_string(prompt_provider_reader_t *reader);

/* A token count; UNKNOWN for null, BAD_COUNT for what is none. */
int64_t prompt_provider_read_count(prompt_provider_reader_t *reader);

/*
 * Parts of a text: an array of objects, those of type "text" (or
 * "output_text") with a string `text`.  Other types are passed over.
 */
void prompt_provider_read_parts(prompt_provider_reader_t *reader);

/* Adds a part; forgets all, as if there had been no text. */
void prompt_provider_add(prompt_provider_text_t *text, prompt_str_t part);
void prompt_provider_forget(prompt_provider_text_t *text);

/*
 * The answer as JSON that can be read: half surrogates, U+0000 and what is no
 * UTF-8 become U+FFFD.  body itself where there is none of that; absent when
 * memory is short.
 */
prompt_str_t prompt_provider_mend(prompt_arena_t *arena, prompt_str_t body);

#endif /* PROMPT_PROMPT_PROVIDER_FORM_H */
