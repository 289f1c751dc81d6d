/*
 * Messages: what a version has before its content, and what a provider gets.
 *
 * Each is either a template with a role, or a placeholder, which stands for
 * the messages that the input has under that name.
 */

#ifndef PROMPT_PROMPT_MESSAGES_H
#define PROMPT_PROMPT_MESSAGES_H

#include "base/fault.h"
#include "prompt/limits.h"


typedef enum {
    PROMPT_ROLE_SYSTEM = 0,
    PROMPT_ROLE_USER,
    PROMPT_ROLE_ASSISTANT,
    PROMPT_ROLE_TOOL,                /* what a tool has answered */
    PROMPT_ROLE_DEVELOPER            /* of a history alone */
} prompt_role_t;


/* a piece of a message: text, or the address of a picture */
typedef struct {
    prompt_str_t    text;            /* absent: a picture */
    prompt_str_t    image;           /* https:, or data:image/…;base64, */
    prompt_str_t    detail;          /* of a picture, how closely it is looked
                                        at: OpenAI's word; absent: not said */
} prompt_message_part_t;


/* a call of a tool that the model asked for */
typedef struct {
    prompt_str_t    id;
    prompt_str_t    name;
    prompt_str_t    arguments;       /* as the model wrote them: JSON text */
} prompt_message_call_t;


/* a message as a provider gets it, and where it came from */
typedef struct {
    prompt_role_t   role;
    bool            refusal;         /* ASSISTANT: text says why it refused */
    prompt_str_t    text;            /* absent: it has none, but calls; or it
                                        is in parts */
    const prompt_message_part_t  *parts;   /* in their order; NULL: text */
    size_t          nparts;
    const prompt_message_call_t  *calls;   /* ASSISTANT; NULL: none */
    size_t          ncalls;
    prompt_str_t    call_id;         /* TOOL: of the call that it answers */
    prompt_str_t    name;            /* of who speaks; absent: none */
    const prompt_json_t  *provider;  /* ASSISTANT: what a provider gave along
                                        as {format, opaque}: the latter is
                                        prompt_provider_answer_t.opaque of that
                                        format; NULL: nothing */
    prompt_str_t    history;         /* the input's member; absent: none */
    size_t          index;           /* among the version's messages, or in
                                        the history; of the content: none */
} prompt_message_t;


/*
 * All of them in their order; the last one is the content, unless that is
 * empty behind what a tool has answered, or others are appended.  Behind each
 * message with calls stand the answers of tools, each with the call_id of
 * another of these calls, and nowhere else.
 */
typedef struct {
    const prompt_message_t  *list;
    size_t                   count;
} prompt_messages_t;


/* messages that come behind those of a version, as a history has them */
typedef struct {
    const prompt_json_t     *list;   /* NULL: none; anything but an ARRAY is a
                                        fault */
    prompt_str_t             place;  /* what faults call it */
} prompt_messages_appended_t;


/* system, user, assistant, tool, developer: as OpenAI's chat says it */
prompt_str_t prompt_role_name(prompt_role_t role);

/*
 * Checks what a version is to have: value is an ARRAY of {role, content,
 * images, toolCalls, toolCallId, placeholder}, as GraphQL's types let it pass.
 * *text is what is stored of it: JSON in the arena, absent where there are
 * none.  Faults: field `messages.N…`, from 0; of a template with line and
 * column.
 */
prompt_check_t prompt_messages_check(prompt_arena_t *arena,
    const prompt_json_t *value, prompt_str_t *text, prompt_fault_t *fault)
    PROMPT_WARN_UNUSED;

/*
 * Renders what is stored (an ARRAY, or NULL: none) and the content, as
 * prompt_template_add() does, a text at a time in out; *messages are in the
 * arena.  Of a history no text is copied or expanded.  Behind all of it stands
 * what is appended (NULL: nothing); then content that is empty is no message.
 * Faults: as those of a template; of a history with the path in it; field
 * `input` where all texts together are beyond the limit of out.
 */
prompt_check_t prompt_messages_render(prompt_arena_t *arena,
    const prompt_json_t *stored, prompt_str_t content,
    const prompt_json_t *input, const prompt_json_t *schema,
    const prompt_messages_appended_t *appended, prompt_buf_t *out,
    prompt_messages_t *messages, prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/*
 * Whether an address is of a picture that may be sent: https:, or
 * data:image/…;base64, of PNG, JPEG, GIF, WebP.  *type (`image/png`) and *data
 * are what is in the latter, absent for the former.
 */
bool prompt_message_image(prompt_str_t address, prompt_str_t *type,
    prompt_str_t *data);

/*
 * The field that names a message in a fault, `messages.2`, `history.0`, and
 * what stands behind it where that is of a version, or of a history.
 */
prompt_str_t prompt_message_field(prompt_arena_t *arena,
    const prompt_message_t *message, const char *version, const char *history)
    PROMPT_WARN_UNUSED;

/*
 * The field of a call's arguments: `messages.2.toolCalls.0.arguments`,
 * `history.0.tool_calls.0.function.arguments`.
 */
prompt_str_t prompt_message_arguments_field(prompt_arena_t *arena,
    const prompt_message_t *message, size_t call) PROMPT_WARN_UNUSED;

#endif /* PROMPT_PROMPT_MESSAGES_H */
