/*
 * Histories: messages of the input, in the form of OpenAI's chat.  Nothing of
 * them is expanded or copied.
 */

#include "prompt/messages_impl.h"

#include "base/path.h"
#include "prompt/text.h"


/* what an object of a history has: a message, a part, or a call of a tool */
typedef struct {
    prompt_str_t           role;
    prompt_str_t           type;
    prompt_str_t           refusal;
    prompt_str_t           call_id;
    prompt_str_t           name;
    prompt_message_part_t  part;
    prompt_message_call_t  call;
    const prompt_json_t   *content;
    const prompt_json_t   *calls;
    const prompt_json_t   *provider;
} prompt_history_object_t;


/*
 * A member that is read: a text, which counts towards the limit of all, a
 * word, an object by its members, or any value.
 */
typedef struct prompt_history_member_s  prompt_history_member_t;

struct prompt_history_member_s {
    prompt_str_t                        name;
    enum { TEXT, WORD, VALUE, OBJECT }  kind;
    bool                                needed;   /* a string */
    size_t                              offset;
    const prompt_history_member_t      *members;
};

#define member(name, kind, needed, field)                                     \
    { prompt_str_init(name), kind, needed,                                    \
      offsetof(prompt_history_object_t, field), NULL }
#define object(name, members)                                                 \
    { prompt_str_init(name), OBJECT, false, 0, members }
#define no_member  { { NULL, 0 }, VALUE, false, 0, NULL }

static const prompt_history_member_t  prompt_history_message[] = {
    member("role", WORD, false, role),
    member("content", VALUE, false, content),
    member("name", TEXT, false, name),
    member("tool_calls", VALUE, false, calls),
    member("tool_call_id", TEXT, false, call_id),
    member("refusal", TEXT, false, refusal),
    member("provider", VALUE, false, provider),
    no_member
};

static const prompt_history_member_t  prompt_history_image[] = {
    member("url", TEXT, true, part.image),
    member("detail", TEXT, false, part.detail),
    no_member
};

static const prompt_history_member_t  prompt_history_part[] = {
    member("type", WORD, true, type),
    member("text", TEXT, false, part.text),
    object("image_url", prompt_history_image),
    no_member
};

static const prompt_history_member_t  prompt_history_function[] = {
    member("name", TEXT, true, call.name),
    member("arguments", TEXT, true, call.arguments),
    no_member
};

static const prompt_history_member_t  prompt_history_call[] = {
    member("id", TEXT, true, call.id),
    member("type", WORD, false, type),
    object("function", prompt_history_function),
    no_member
};

#undef member
#undef object
#undef no_member


static prompt_check_t
prompt_history_fault(prompt_messages_render_t *all, const prompt_path_t *path,
    const char *words)
{
    return prompt_text_fault(all->render.arena,
                             prompt_path_text(all->render.arena, path), words,
                             all->render.fault);
}


/* the same of a member */
static prompt_check_t
prompt_history_wrong(prompt_messages_render_t *all, const prompt_path_t *path,
    const char *member, const char *words)
{
    prompt_path_t  last;

    last = (prompt_path_t) { path, prompt_str_from(member), 0 };

    return prompt_history_fault(all, &last, words);
}


static prompt_check_t
prompt_history_string(prompt_messages_render_t *all, const prompt_path_t *path,
    const prompt_json_t *value, bool counts, prompt_str_t *text)
{
    if (value->type != PROMPT_JSON_STRING) {
        return prompt_history_fault(all, path, "must be a string");
    }

    *text = value->text.len != 0 ? value->text : prompt_str("");

    return counts ? prompt_template_take(&all->render, *text)
                  : PROMPT_CHECK_OK;
}


/* What is null is not there.  Calls itself as deep as the tables are. */
static prompt_check_t
prompt_history_read(prompt_messages_render_t *all, const prompt_path_t *path,
    const prompt_json_t *value, const prompt_history_member_t *members,
    prompt_history_object_t *to)
{
    void                           *at;
    prompt_path_t                   last;
    prompt_check_t                  rc;
    const prompt_json_t            *given;
    const prompt_history_member_t  *member;

    if (value->type != PROMPT_JSON_OBJECT) {
        return prompt_history_fault(all, path, "must be an object");
    }

    for (given = value->first; given != NULL; given = given->next) {
        last = (prompt_path_t) { path, given->name, 0 };
        member = members;
        rc = PROMPT_CHECK_OK;

        while (member->name.data != NULL
               && !prompt_str_eq(member->name, given->name))
        {
            member++;
        }

        at = (char *) to + member->offset;

        if (given->type == PROMPT_JSON_NULL) {
            continue;

        } else if (member->name.data == NULL) {
            rc = prompt_history_fault(all, &last, "is no part of a message");

        } else if (member->kind == OBJECT) {
            rc = prompt_history_read(all, &last, given, member->members, to);

        } else if (member->kind == VALUE) {
            *(const prompt_json_t **) at = given;

        } else {
            rc = prompt_history_string(all, &last, given, member->kind == TEXT,
                                       at);
        }

        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    for (member = members; member->name.data != NULL; member++) {
        at = (char *) to + member->offset;

        if (member->needed && ((prompt_str_t *) at)->data == NULL) {
            last = (prompt_path_t) { path, member->name, 0 };
            return prompt_history_fault(all, &last, "must be a string");
        }
    }

    return PROMPT_CHECK_OK;
}


/* a text or a picture, the next one of the message */
static prompt_check_t
prompt_history_take_part(prompt_messages_render_t *all,
    const prompt_path_t *path, const prompt_history_object_t *read,
    prompt_message_t *message)
{
    bool          image;
    prompt_str_t  type, data;

    image = prompt_str_eq(read->type, prompt_str("image_url"));

    if (image && message->role != PROMPT_ROLE_USER) {
        return prompt_history_wrong(all, path, "type", "must be \"text\": "
                                    "pictures are for role user alone");
    }

    if (!image && !prompt_str_eq(read->type, prompt_str("text"))) {
        return prompt_history_wrong(all, path, "type",
                                    "must be \"text\" or \"image_url\"");
    }

    if ((read->part.text.data != NULL) == image
        || (read->part.image.data != NULL) != image)
    {
        return prompt_history_fault(all, path, "must have what its type says, "
                                    "text or image_url, and not the other");
    }

    if (image && !prompt_message_image(read->part.image, &type, &data)) {
        return prompt_history_wrong(all, path, "image_url.url",
                                    PROMPT_MESSAGES_IMAGE);
    }

    ((prompt_message_part_t *) message->parts)[message->nparts++] = read->part;

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_history_take_call(prompt_messages_render_t *all,
    const prompt_path_t *path, const prompt_history_object_t *read,
    prompt_message_t *message)
{
    if (read->type.data != NULL
        && !prompt_str_eq(read->type, prompt_str("function")))
    {
        return prompt_history_wrong(all, path, "type", "must be \"function\"");
    }

    if (read->call.name.data == NULL) {
        return prompt_history_wrong(all, path, "function", "must be an object");
    }

    ((prompt_message_call_t *) message->calls)[message->ncalls++] = read->call;

    return PROMPT_CHECK_OK;
}


/* an array of a message's, whose elements count as messages do */
typedef struct {
    const char                     *name;
    const char                     *words;    /* if it is none */
    size_t                          max;
    size_t                          size;     /* of what an element becomes */
    size_t                          offset;   /* of these in the message */
    const prompt_history_member_t  *members;
    prompt_check_t                (*take)(prompt_messages_render_t *all,
                                          const prompt_path_t *path,
                                          const prompt_history_object_t *read,
                                          prompt_message_t *message);
} prompt_history_list_t;

#define PROMPT_HISTORY_CONTENT                                                \
    "must be a string, an array of parts, or, beside tool_calls, null"

static const prompt_history_list_t  prompt_history_parts = {
    "content", PROMPT_HISTORY_CONTENT, PROMPT_LIMIT_CONVERSATION,
    sizeof(prompt_message_part_t), offsetof(prompt_message_t, parts),
    prompt_history_part, prompt_history_take_part
};

static const prompt_history_list_t  prompt_history_calls = {
    "tool_calls", "must be an array of at most 128 calls of tools",
    PROMPT_LIMIT_CALLS, sizeof(prompt_message_call_t),
    offsetof(prompt_message_t, calls), prompt_history_call,
    prompt_history_take_call
};


static prompt_check_t
prompt_history_array(prompt_messages_render_t *all, const prompt_path_t *at,
    const prompt_json_t *array, const prompt_history_list_t *list,
    prompt_message_t *message)
{
    void                     *made;
    prompt_path_t             path, element;
    prompt_check_t            rc;
    const prompt_json_t      *value;
    prompt_history_object_t   read;

    path = (prompt_path_t) { at, prompt_str_from(list->name), 0 };
    element = (prompt_path_t) { &path, prompt_str_absent, 0 };

    if (array->type != PROMPT_JSON_ARRAY || array->count > list->max) {
        return prompt_history_fault(all, &path, list->words);
    }

    if (array->count == 0) {
        return PROMPT_CHECK_OK;
    }

    if (!prompt_messages_fit(all, 1 + array->count)) {
        return prompt_history_fault(all, &path, PROMPT_MESSAGES_MANY);
    }

    all->pieces += array->count;
    made = prompt_arena_alloc(all->render.arena, array->count * list->size);

    if (made == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    *(const void **) (void *) ((char *) message + list->offset) = made;

    for (value = array->first; value != NULL; value = value->next) {
        memset(&read, 0, sizeof(read));
        rc = prompt_history_read(all, &element, value, list->members, &read);

        if (rc == PROMPT_CHECK_OK) {
            rc = list->take(all, &element, &read, message);
        }

        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        element.index++;
    }

    return PROMPT_CHECK_OK;
}


/* {format, opaque}, which counts as it would be sent */
static prompt_check_t
prompt_history_provider(prompt_messages_render_t *all, const prompt_path_t *at,
    const prompt_json_t *value)
{
    size_t                len;
    prompt_buf_t          text;
    prompt_buf_status_t   status;
    const prompt_json_t  *format;

    format = prompt_json_get(value, prompt_str("format"));

    if (format == NULL || format->type != PROMPT_JSON_STRING) {
        return prompt_history_wrong(all, at, "provider", "must be as an answer "
                                    "had it: an object with format and opaque");
    }

    prompt_buf_init(&text, all->render.out->limit);
    prompt_json_write(&text, value);
    status = text.status;
    len = status == PROMPT_BUF_LIMIT ? SIZE_MAX : text.len;
    prompt_buf_free(&text);

    return status == PROMPT_BUF_NOMEM
           ? PROMPT_CHECK_NOMEM
           : prompt_template_take(&all->render, prompt_str_of("", len));
}


/* what only messages of one role have */
static prompt_check_t
prompt_history_roles(prompt_messages_render_t *all, const prompt_path_t *at,
    const prompt_history_object_t *read, prompt_role_t role)
{
    const char  *member;

    member = read->calls != NULL ? "tool_calls"
             : read->refusal.data != NULL ? "refusal"
             : read->provider != NULL ? "provider" : NULL;

    if (member != NULL && role != PROMPT_ROLE_ASSISTANT) {
        return prompt_history_wrong(all, at, member,
                                    "is for role assistant alone");
    }

    if ((role == PROMPT_ROLE_TOOL) != (read->call_id.data != NULL)) {
        return prompt_history_wrong(all, at, "tool_call_id",
                                    role == PROMPT_ROLE_TOOL
                                    ? "must be given with role tool"
                                    : "is for role tool alone");
    }

    return PROMPT_CHECK_OK;
}


/* a string, parts, or, beside calls and in place of a refusal, nothing */
static prompt_check_t
prompt_history_content(prompt_messages_render_t *all, const prompt_path_t *at,
    const prompt_history_object_t *read, prompt_message_t *message)
{
    prompt_path_t         path;
    prompt_check_t        rc;
    const prompt_json_t  *content;

    content = read->content;
    path = (prompt_path_t) { at, prompt_str("content"), 0 };
    rc = PROMPT_CHECK_OK;

    if (content != NULL && content->type == PROMPT_JSON_STRING) {
        rc = prompt_history_string(all, &path, content, true, &message->text);

    } else if (content != NULL && content->count != 0) {
        rc = prompt_history_array(all, at, content, &prompt_history_parts,
                                  message);

    } else if (content != NULL
               || (message->ncalls == 0 && read->refusal.data == NULL))
    {
        rc = prompt_history_fault(all, &path, PROMPT_HISTORY_CONTENT);
    }

    if (rc != PROMPT_CHECK_OK || read->refusal.data == NULL) {
        return rc;
    }

    if (message->text.len != 0 || message->nparts != 0) {
        return prompt_history_wrong(all, at, "refusal",
                                    "must not be given beside content");
    }

    message->text = read->refusal;
    message->refusal = true;

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_history_take(prompt_messages_render_t *all, const prompt_path_t *at,
    const prompt_json_t *value, prompt_message_t *message)
{
    prompt_check_t            rc;
    prompt_history_object_t   read;

    if (value->type != PROMPT_JSON_OBJECT) {
        return prompt_history_fault(all, at,
                                    "must be an object with role and content");
    }

    memset(&read, 0, sizeof(read));

    rc = prompt_history_read(all, at, value, prompt_history_message, &read);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    if (!prompt_messages_role(read.role, true, &message->role)) {
        return prompt_history_wrong(all, at, "role",
                                    "must be \"system\", \"developer\", "
                                    "\"user\", \"assistant\" or \"tool\"");
    }

    message->call_id = read.call_id;
    message->name = read.name;
    message->provider = read.provider;

    rc = prompt_history_roles(all, at, &read, message->role);

    if (rc == PROMPT_CHECK_OK && read.calls != NULL) {
        rc = prompt_history_array(all, at, read.calls, &prompt_history_calls,
                                  message);
    }

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_history_content(all, at, &read, message);
    }

    return rc == PROMPT_CHECK_OK && read.provider != NULL
           ? prompt_history_provider(all, at, read.provider) : rc;
}


prompt_check_t
prompt_messages_history(prompt_messages_render_t *all, prompt_str_t name)
{
    prompt_check_t        rc;
    const prompt_json_t  *history;

    rc = prompt_template_input(&all->render, name, &history);

    return rc != PROMPT_CHECK_OK || history == NULL
           || history->type == PROMPT_JSON_NULL
           ? rc : prompt_messages_append(all, name, history);
}


prompt_check_t
prompt_messages_append(prompt_messages_render_t *all, prompt_str_t name,
    const prompt_json_t *history)
{
    prompt_path_t         input, path, element;
    prompt_check_t        rc;
    prompt_message_t     *message;
    const prompt_json_t  *value;

    input = (prompt_path_t) { NULL, prompt_str(""), 0 };
    path = (prompt_path_t) { &input, name, 0 };
    element = (prompt_path_t) { &path, prompt_str_absent, 0 };

    if (history->type != PROMPT_JSON_ARRAY) {
        return prompt_history_fault(all, &path, "must be an array of messages");
    }

    if (!prompt_messages_fit(all, history->count)) {
        return prompt_history_fault(all, &path, PROMPT_MESSAGES_MANY);
    }

    if (!prompt_messages_reserve(all, history->count)) {
        return PROMPT_CHECK_NOMEM;
    }

    for (value = history->first; value != NULL; value = value->next) {

        if (!prompt_messages_fit(all, 1)) {
            return prompt_history_fault(all, &path, PROMPT_MESSAGES_MANY);
        }

        message = &all->list[all->count];
        memset(message, 0, sizeof(*message));
        message->history = name;
        message->index = element.index;

        rc = prompt_history_take(all, &element, value, message);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        all->count++;
        element.index++;
    }

    return PROMPT_CHECK_OK;
}
