/*
 * Messages: checked when a version is created, rendered when it is executed.
 */

#include "prompt/messages.h"

#include "base/path.h"
#include "prompt/template.h"
#include "prompt/text.h"


typedef struct {
    prompt_template_render_t   render;
    prompt_message_t          *list;
    size_t                     count;
    size_t                     max;
} prompt_messages_render_t;


/* a message as the API gives it, and as it is stored; absent: not there */
typedef struct {
    prompt_str_t   role;
    prompt_str_t   content;
    prompt_str_t   placeholder;
} prompt_messages_entry_t;


/* as the API and the columns say it, and as providers and histories do */
static const struct {
    prompt_str_t  name;
    prompt_str_t  sent;
} prompt_roles[] = {
    { prompt_str_init("SYSTEM"),    prompt_str_init("system") },
    { prompt_str_init("USER"),      prompt_str_init("user") },
    { prompt_str_init("ASSISTANT"), prompt_str_init("assistant") },
    { prompt_str_init("TOOL"),      prompt_str_init("tool") },
    { prompt_str_init("DEVELOPER"), prompt_str_init("developer") }
};

#define PROMPT_ROLES  3


prompt_str_t
prompt_role_name(prompt_role_t role)
{
    return prompt_roles[role].sent;
}


/* the text of a member that is there and not null */
static prompt_str_t
prompt_messages_member(const prompt_json_t *object, const char *name)
{
    const prompt_json_t  *member;

    member = prompt_json_get(object, prompt_str_from(name));

    if (member == NULL || member->type == PROMPT_JSON_NULL) {
        return prompt_str_absent;
    }

    return member->text.len != 0 ? member->text : prompt_str("");
}


static prompt_messages_entry_t
prompt_messages_entry(const prompt_json_t *message)
{
    prompt_messages_entry_t  entry;

    entry.role = prompt_messages_member(message, "role");
    entry.content = prompt_messages_member(message, "content");
    entry.placeholder = prompt_messages_member(message, "placeholder");

    return entry;
}


/* the field of a message's member, such as `messages.2.content` */
static prompt_str_t
prompt_messages_field(prompt_arena_t *arena, size_t index, const char *member)
{
    return prompt_arena_printf(arena, "messages.%zu%s", index, member);
}


/* exactly one of content and placeholder, and a role for one of them */
static prompt_check_t
prompt_messages_check_form(prompt_arena_t *arena,
    const prompt_messages_entry_t *entry, size_t index, prompt_fault_t *fault)
{
    bool         role, content;
    const char  *member, *words;

    role = entry->role.data != NULL;
    content = entry->content.data != NULL;

    if (content == (entry->placeholder.data != NULL)) {
        member = "";
        words = "must have either role and content, or placeholder";

    } else if (role != content) {
        member = ".role";
        words = content ? "must be given with content"
                        : "must not be given with placeholder";

    } else {
        return PROMPT_CHECK_OK;
    }

    return prompt_text_fault(arena, prompt_messages_field(arena, index, member),
                             words, fault);
}


static prompt_check_t
prompt_messages_check_one(prompt_arena_t *arena,
    const prompt_messages_entry_t *entry, size_t index, prompt_fault_t *fault)
{
    prompt_str_t    field;
    prompt_check_t  rc;

    rc = prompt_messages_check_form(arena, entry, index, fault);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    field = prompt_messages_field(arena, index,
                                  entry->content.data != NULL
                                  ? ".content" : ".placeholder");
    if (field.data == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    if (entry->content.data != NULL) {
        return prompt_template_check(arena, entry->content, field, fault);
    }

    if (entry->placeholder.len == 0) {
        return prompt_text_fault(arena, field, "must not be empty", fault);
    }

    return prompt_text_characters(arena, entry->placeholder, field,
                                  PROMPT_LIMIT_NAME, fault);
}


static void
prompt_messages_write(const prompt_messages_entry_t *entry, prompt_buf_t *out)
{
    if (entry->content.data == NULL) {
        prompt_buf_literal(out, "{\"placeholder\":");
        prompt_json_write_string(out, entry->placeholder);

    } else {
        prompt_buf_literal(out, "{\"role\":");
        prompt_json_write_string(out, entry->role);
        prompt_buf_literal(out, ",\"content\":");
        prompt_json_write_string(out, entry->content);
    }

    prompt_buf_char(out, '}');
}


prompt_check_t
prompt_messages_check(prompt_arena_t *arena, const prompt_json_t *value,
    prompt_str_t *text, prompt_fault_t *fault)
{
    size_t                    index;
    prompt_buf_t              out;
    prompt_check_t            rc;
    const prompt_json_t      *message;
    prompt_messages_entry_t   entry;

    *text = prompt_str_absent;

    if (value->count == 0) {
        return PROMPT_CHECK_OK;
    }

    if (value->count > PROMPT_LIMIT_MESSAGE_COUNT) {
        return prompt_fault_set(arena, fault, prompt_str("messages"),
                                "there must not be more than %d messages",
                                PROMPT_LIMIT_MESSAGE_COUNT);
    }

    prompt_buf_init(&out, PROMPT_LIMIT_MESSAGES);
    rc = PROMPT_CHECK_OK;
    index = 0;

    for (message = value->first; message != NULL; message = message->next) {
        entry = prompt_messages_entry(message);

        rc = prompt_messages_check_one(arena, &entry, index, fault);
        if (rc != PROMPT_CHECK_OK) {
            break;
        }

        prompt_buf_char(&out, index++ == 0 ? '[' : ',');
        prompt_messages_write(&entry, &out);
    }

    prompt_buf_char(&out, ']');

    if (rc == PROMPT_CHECK_OK && out.status == PROMPT_BUF_LIMIT) {
        rc = prompt_fault_set(arena, fault, prompt_str("messages"),
                              "messages must not be longer than %d bytes of "
                              "JSON together", PROMPT_LIMIT_MESSAGES);

    } else if (rc == PROMPT_CHECK_OK) {
        *text = out.status == PROMPT_BUF_OK
                ? prompt_arena_copy(arena, prompt_buf_view(&out))
                : prompt_str_absent;
        rc = text->data != NULL ? PROMPT_CHECK_OK : PROMPT_CHECK_NOMEM;
    }

    prompt_buf_free(&out);

    return rc;
}


/* so that the count never exceeds what a provider may get */
static prompt_check_t
prompt_messages_fit(prompt_messages_render_t *all)
{
    if (all->count < PROMPT_LIMIT_CONVERSATION) {
        return PROMPT_CHECK_OK;
    }

    return prompt_fault_set(all->render.arena, all->render.fault,
                            prompt_str("input"),
                            "the prompt must not be more than %d messages",
                            PROMPT_LIMIT_CONVERSATION);
}


/* Makes room for n more.  The old list stays in the arena. */
static bool
prompt_messages_reserve(prompt_messages_render_t *all, size_t n)
{
    size_t             max;
    prompt_message_t  *list;

    if (n <= all->max - all->count) {
        return true;
    }

    max = all->count + n > 2 * all->max ? all->count + n : 2 * all->max;

    list = prompt_arena_alloc(all->render.arena,
                              max * sizeof(prompt_message_t));
    if (list == NULL) {
        return false;
    }

    if (all->count != 0) {
        memcpy(list, all->list, all->count * sizeof(prompt_message_t));
    }

    all->list = list;
    all->max = max;

    return true;
}


/* its text is that many bytes of out: where they are is known at the end */
static prompt_check_t
prompt_messages_template(prompt_messages_render_t *all, prompt_str_t content,
    prompt_role_t role, size_t index)
{
    size_t             start;
    prompt_check_t     rc;
    prompt_message_t  *message;

    rc = prompt_messages_fit(all);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    if (!prompt_messages_reserve(all, 1)) {
        return PROMPT_CHECK_NOMEM;
    }

    start = all->render.out->len;

    rc = prompt_template_add(&all->render, content);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    message = &all->list[all->count++];
    memset(message, 0, sizeof(*message));
    message->role = role;
    message->text = prompt_str_of(NULL, all->render.out->len - start);
    message->history = prompt_str_absent;
    message->index = index;

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_history_fault(prompt_messages_render_t *all, prompt_str_t name,
    const size_t *index, prompt_str_t member, const char *words)
{
    prompt_path_t  input, history, element, last, *path;

    input = (prompt_path_t) { NULL, prompt_str(""), 0 };
    history = (prompt_path_t) { &input, name, 0 };
    path = &history;

    if (index != NULL) {
        element = (prompt_path_t) { path, prompt_str_absent, *index };
        path = &element;
    }

    if (member.data != NULL) {
        last = (prompt_path_t) { path, member, 0 };
        path = &last;
    }

    return prompt_text_fault(all->render.arena,
                             prompt_path_text(all->render.arena, path), words,
                             all->render.fault);
}


/* False: it is none of these. */
static bool
prompt_messages_role(prompt_str_t text, bool sent, prompt_role_t *role)
{
    unsigned  i;

    for (i = 0; i < PROMPT_ROLES; i++) {
        if (prompt_str_eq(text, sent ? prompt_roles[i].sent
                                     : prompt_roles[i].name))
        {
            *role = (prompt_role_t) i;
            return true;
        }
    }

    return false;
}


static prompt_check_t
prompt_history_message(prompt_messages_render_t *all, prompt_str_t name,
    const prompt_json_t *value, size_t index)
{
    prompt_message_t     *message;
    const prompt_json_t  *role, *content, *member;

    message = &all->list[all->count];
    memset(message, 0, sizeof(*message));

    if (value->type != PROMPT_JSON_OBJECT) {
        return prompt_history_fault(all, name, &index, prompt_str_absent,
                                    "must be an object with role and content");
    }

    role = prompt_json_get(value, prompt_str("role"));

    if (role == NULL || role->type != PROMPT_JSON_STRING
        || !prompt_messages_role(role->text, true, &message->role))
    {
        return prompt_history_fault(all, name, &index, prompt_str("role"),
                                    "must be \"system\", \"user\" or "
                                    "\"assistant\"");
    }

    content = prompt_json_get(value, prompt_str("content"));

    if (content == NULL || content->type != PROMPT_JSON_STRING) {
        return prompt_history_fault(all, name, &index, prompt_str("content"),
                                    "must be a string");
    }

    for (member = value->first; member != NULL; member = member->next) {
        if (!prompt_str_eq(member->name, prompt_str("role"))
            && member != content)
        {
            return prompt_history_fault(all, name, &index, member->name,
                                        "is no part of a message");
        }
    }

    message->text = content->text;
    message->history = name;
    message->index = index;
    all->count++;

    return prompt_template_take(&all->render, content->text);
}


static prompt_check_t
prompt_messages_history(prompt_messages_render_t *all, prompt_str_t name)
{
    size_t                index;
    prompt_check_t        rc;
    const prompt_json_t  *history, *value;

    rc = prompt_template_input(&all->render, name, &history);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    if (history == NULL || history->type == PROMPT_JSON_NULL) {
        return PROMPT_CHECK_OK;
    }

    if (history->type != PROMPT_JSON_ARRAY) {
        return prompt_history_fault(all, name, NULL, prompt_str_absent,
                                    "must be an array of messages");
    }

    if (history->count > PROMPT_LIMIT_CONVERSATION - all->count) {
        return prompt_history_fault(all, name, NULL, prompt_str_absent,
                                    "makes the prompt too many messages");
    }

    if (!prompt_messages_reserve(all, history->count)) {
        return PROMPT_CHECK_NOMEM;
    }

    index = 0;

    for (value = history->first; value != NULL; value = value->next) {

        rc = prompt_history_message(all, name, value, index++);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_messages_stored(prompt_messages_render_t *all,
    const prompt_json_t *stored)
{
    size_t                    index;
    prompt_role_t             role;
    prompt_check_t            rc;
    const prompt_json_t      *message;
    prompt_messages_entry_t   entry;

    index = 0;

    for (message = stored->first; message != NULL; message = message->next) {
        entry = prompt_messages_entry(message);
        rc = PROMPT_CHECK_OK;

        if (entry.content.data != NULL) {
            role = PROMPT_ROLE_USER;
            (void) prompt_messages_role(entry.role, false, &role);
            rc = prompt_messages_template(all, entry.content, role, index);

        } else if (entry.placeholder.data != NULL) {
            rc = prompt_messages_history(all, entry.placeholder);
        }

        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        index++;
    }

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_messages_render(prompt_arena_t *arena, const prompt_json_t *stored,
    prompt_str_t content, const prompt_json_t *input,
    const prompt_json_t *schema, prompt_buf_t *out,
    prompt_messages_t *messages, prompt_fault_t *fault)
{
    size_t                     i;
    const char                *text;
    prompt_check_t             rc;
    prompt_message_t          *message;
    prompt_messages_render_t   all;

    memset(&all, 0, sizeof(all));
    prompt_template_begin(&all.render, arena, input, schema, out, fault);

    rc = stored != NULL ? prompt_messages_stored(&all, stored)
                        : PROMPT_CHECK_OK;

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_messages_template(&all, content, PROMPT_ROLE_USER, 0);
    }

    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    text = prompt_buf_view(out).data;

    for (i = 0; i < all.count; i++) {
        message = &all.list[i];

        if (message->history.data == NULL) {
            message->text.data = text;
            text += message->text.len;
        }
    }

    messages->list = all.list;
    messages->count = all.count;

    return PROMPT_CHECK_OK;
}


prompt_str_t
prompt_message_field(prompt_arena_t *arena, const prompt_message_t *message)
{
    prompt_path_t  input, history, element;

    input = (prompt_path_t) { NULL, prompt_str(""), 0 };
    history = (prompt_path_t) { &input, message->history.data != NULL
                                        ? message->history
                                        : prompt_str("messages"), 0 };
    element = (prompt_path_t) { &history, prompt_str_absent, message->index };

    return prompt_path_text(arena, &element);
}
