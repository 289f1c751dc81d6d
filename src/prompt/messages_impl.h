/*
 * Inside messages: what their check (messages.c), what is made of them
 * (messages_render.c) and histories (messages_history.c) know of each other.
 */

#ifndef PROMPT_PROMPT_MESSAGES_IMPL_H
#define PROMPT_PROMPT_MESSAGES_IMPL_H

#include "prompt/messages.h"
#include "prompt/template.h"


typedef struct {
    prompt_template_render_t   render;
    prompt_message_t          *list;
    size_t                     count;
    size_t                     max;
    size_t                     pieces;   /* of them: parts and calls */
} prompt_messages_render_t;


/* a message as the API gives it, and as it is stored; absent: not there */
typedef struct {
    prompt_str_t          role;
    prompt_str_t          content;
    prompt_str_t          placeholder;
    prompt_str_t          call_id;
    const prompt_json_t  *images;    /* ARRAYs that are not empty, or NULL */
    const prompt_json_t  *calls;
} prompt_messages_entry_t;

prompt_messages_entry_t prompt_messages_entry(const prompt_json_t *message);

/* the text of a member that is there and not null */
prompt_str_t prompt_messages_member(const prompt_json_t *object,
    const char *name);

/*
 * By its name as the API and the columns have it, or as providers and
 * histories do (sent).  False: there is no such role.
 */
bool prompt_messages_role(prompt_str_t text, bool sent, prompt_role_t *role)
    PROMPT_WARN_UNUSED;

/* Whether that many messages, parts and calls more are not too many. */
static inline bool
prompt_messages_fit(const prompt_messages_render_t *all, size_t n)
{
    return n <= PROMPT_LIMIT_CONVERSATION - all->count - all->pieces;
}

/* Makes room for n more messages.  The old list stays in the arena. */
bool prompt_messages_reserve(prompt_messages_render_t *all, size_t n)
    PROMPT_WARN_UNUSED;

/* Adds the messages that the input has under that name; those of history. */
prompt_check_t prompt_messages_history(prompt_messages_render_t *all,
    prompt_str_t name) PROMPT_WARN_UNUSED;
prompt_check_t prompt_messages_append(prompt_messages_render_t *all,
    prompt_str_t name, const prompt_json_t *history) PROMPT_WARN_UNUSED;

/* what is wrong with too many of them, and with an address of no picture */
#define PROMPT_MESSAGES_MANY  "makes the prompt too many messages"
#define PROMPT_MESSAGES_IMAGE                                                 \
    "must be an address: https://, or data:image/png;base64, (or jpeg, gif, " \
    "webp)"

#endif /* PROMPT_PROMPT_MESSAGES_IMPL_H */
