/*
 * Messages: checked when a version is created.
 */

#include "prompt/messages_impl.h"

#include "base/base62.h"
#include "prompt/text.h"


/* as the API and the columns say it, and as providers and histories do */
static const struct {
    prompt_str_t  name;
    prompt_str_t  sent;
} prompt_roles[] = {
    { prompt_str_init("SYSTEM"),    prompt_str_init("system") },
    { prompt_str_init("USER"),      prompt_str_init("user") },
    { prompt_str_init("ASSISTANT"), prompt_str_init("assistant") },
    { prompt_str_init("TOOL"),      prompt_str_init("tool") },
    { prompt_str_init(""),          prompt_str_init("developer") }
};

#define PROMPT_ROLES  (sizeof(prompt_roles) / sizeof(prompt_roles[0]))


prompt_str_t
prompt_role_name(prompt_role_t role)
{
    return prompt_roles[role].sent;
}


bool
prompt_messages_role(prompt_str_t text, bool sent, prompt_role_t *role)
{
    size_t  i;

    for (i = 0; i < PROMPT_ROLES; i++) {
        if (text.len != 0
            && prompt_str_eq(text, sent ? prompt_roles[i].sent
                                        : prompt_roles[i].name))
        {
            *role = (prompt_role_t) i;
            return true;
        }
    }

    return false;
}


prompt_str_t
prompt_messages_member(const prompt_json_t *object, const char *name)
{
    const prompt_json_t  *member;

    member = prompt_json_get(object, prompt_str_from(name));

    if (member == NULL || member->type == PROMPT_JSON_NULL) {
        return prompt_str_absent;
    }

    return member->text.len != 0 ? member->text : prompt_str("");
}


static bool
prompt_image_starts(prompt_str_t address, prompt_str_t with)
{
    return address.len > with.len
           && memcmp(address.data, with.data, with.len) == 0;
}


bool
prompt_message_image(prompt_str_t address, prompt_str_t *type,
    prompt_str_t *data)
{
    char                       c;
    size_t                     i;
    static const prompt_str_t  starts[] = {
        prompt_str_init("https://"),
        prompt_str_init("data:image/png;base64,"),
        prompt_str_init("data:image/jpeg;base64,"),
        prompt_str_init("data:image/gif;base64,"),
        prompt_str_init("data:image/webp;base64,")
    };

    *type = prompt_str_absent;
    *data = prompt_str_absent;
    i = 0;

    while (!prompt_image_starts(address, starts[i])) {
        if (++i == sizeof(starts) / sizeof(starts[0])) {
            return false;
        }
    }

    if (i != 0) {
        *data = prompt_str_of(address.data + starts[i].len,
                              address.len - starts[i].len);
        *type = prompt_str_of(address.data + sizeof("data:") - 1,
                              starts[i].len - sizeof("data:;base64,") + 1);
    }

    for (i = 0; i < address.len; i++) {
        c = address.data[i];

        if (data->data == NULL || &address.data[i] < data->data
            ? (unsigned char) c <= ' ' || c == 0x7f
            : prompt_base62_digit(c) < 0 && c != '+' && c != '/' && c != '=')
        {
            return false;
        }
    }

    return true;
}


static const prompt_json_t *
prompt_messages_list(const prompt_json_t *object, const char *name)
{
    const prompt_json_t  *list;

    list = prompt_json_get(object, prompt_str_from(name));

    return list != NULL && list->type == PROMPT_JSON_ARRAY && list->count != 0
           ? list : NULL;
}


prompt_messages_entry_t
prompt_messages_entry(const prompt_json_t *message)
{
    prompt_messages_entry_t  entry;

    entry.role = prompt_messages_member(message, "role");
    entry.content = prompt_messages_member(message, "content");
    entry.placeholder = prompt_messages_member(message, "placeholder");
    entry.call_id = prompt_messages_member(message, "toolCallId");
    entry.images = prompt_messages_list(message, "images");
    entry.calls = prompt_messages_list(message, "toolCalls");

    return entry;
}


/* the field of a message's member, such as `messages.2.content` */
static prompt_str_t
prompt_messages_field(prompt_arena_t *arena, size_t index, const char *member)
{
    return prompt_arena_printf(arena, "messages.%zu%s", index, member);
}


/* what is wrong with which of its members; NULL: nothing */
static const char *
prompt_messages_form(const prompt_messages_entry_t *entry, const char **member)
{
    bool           given, said;
    prompt_role_t  role;

    given = prompt_messages_role(entry->role, false, &role);
    said = entry->content.data != NULL || entry->calls != NULL;
    *member = "";

    if (said == (entry->placeholder.data != NULL)) {
        return "must have either role and content, or placeholder";
    }

    *member = ".role";

    if (given != said) {
        return said ? "must be given with content"
                    : "must not be given with placeholder";
    }

    *member = ".images";

    if (entry->images != NULL && (!given || role != PROMPT_ROLE_USER)) {
        return "is for role USER alone";
    }

    *member = ".toolCalls";

    if (entry->calls != NULL && (!given || role != PROMPT_ROLE_ASSISTANT)) {
        return "is for role ASSISTANT alone";
    }

    *member = ".toolCallId";

    if ((given && role == PROMPT_ROLE_TOOL) != (entry->call_id.data != NULL)) {
        return "must be given with role TOOL, and with no other";
    }

    return NULL;
}


typedef prompt_check_t (*prompt_messages_text_pt)(prompt_arena_t *arena,
    prompt_str_t text, prompt_str_t field, prompt_fault_t *fault);


static prompt_check_t
prompt_messages_check_word(prompt_arena_t *arena, prompt_str_t word,
    prompt_str_t field, prompt_fault_t *fault)
{
    return prompt_text_bytes(arena, word, field, PROMPT_LIMIT_CONTENT, fault);
}


static prompt_check_t
prompt_messages_check_name(prompt_arena_t *arena, prompt_str_t name,
    prompt_str_t field, prompt_fault_t *fault)
{
    return name.len == 0
           ? prompt_text_fault(arena, field, "must not be empty", fault)
           : prompt_text_characters(arena, name, field, PROMPT_LIMIT_NAME,
                                    fault);
}


/* one that is there */
static prompt_check_t
prompt_messages_check_text(prompt_arena_t *arena, prompt_str_t text,
    prompt_str_t field, prompt_messages_text_pt check, prompt_fault_t *fault)
{
    if (field.data == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    return text.data != NULL ? check(arena, text, field, fault)
                             : PROMPT_CHECK_OK;
}


static const char *const  prompt_messages_call[] = {
    "id", "name", "arguments", NULL
};


/* pictures, which are templates, or calls, which are objects */
static prompt_check_t
prompt_messages_check_list(prompt_arena_t *arena, const prompt_json_t *list,
    prompt_str_t field, prompt_fault_t *fault)
{
    size_t                n;
    prompt_check_t        rc;
    const char *const    *member;
    const prompt_json_t  *value;

    if (list == NULL || field.data == NULL) {
        return list == NULL ? PROMPT_CHECK_OK : PROMPT_CHECK_NOMEM;
    }

    if (list->count > PROMPT_LIMIT_CALLS) {
        return prompt_fault_set(arena, fault, field, "%.*s must not be more "
                                "than %d", prompt_str_arg(field),
                                PROMPT_LIMIT_CALLS);
    }

    rc = PROMPT_CHECK_OK;
    n = 0;

    for (value = list->first; rc == PROMPT_CHECK_OK && value != NULL; n++) {

        if (value->type == PROMPT_JSON_STRING) {
            rc = prompt_messages_check_text(arena, value->text,
                     prompt_arena_printf(arena, "%.*s.%zu",
                                         prompt_str_arg(field), n),
                     prompt_template_check, fault);
        }

        for (member = prompt_messages_call;
             rc == PROMPT_CHECK_OK && *member != NULL;
             member++)
        {
            rc = prompt_messages_check_text(arena,
                     prompt_messages_member(value, *member),
                     prompt_arena_printf(arena, "%.*s.%zu.%s",
                                         prompt_str_arg(field), n, *member),
                     prompt_messages_check_word, fault);
        }

        value = value->next;
    }

    return rc;
}


static prompt_check_t
prompt_messages_check_one(prompt_arena_t *arena,
    const prompt_messages_entry_t *entry, size_t index, prompt_fault_t *fault)
{
    const char      *words, *member;
    prompt_check_t   rc;

    words = prompt_messages_form(entry, &member);

    if (words != NULL) {
        return prompt_text_fault(arena,
                                 prompt_messages_field(arena, index, member),
                                 words, fault);
    }

    rc = prompt_messages_check_text(arena, entry->placeholder,
             prompt_messages_field(arena, index, ".placeholder"),
             prompt_messages_check_name, fault);

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_messages_check_text(arena, entry->content,
                 prompt_messages_field(arena, index, ".content"),
                 prompt_template_check, fault);
    }

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_messages_check_text(arena, entry->call_id,
                 prompt_messages_field(arena, index, ".toolCallId"),
                 prompt_messages_check_word, fault);
    }

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_messages_check_list(arena, entry->images,
                 prompt_messages_field(arena, index, ".images"), fault);
    }

    return rc == PROMPT_CHECK_OK
           ? prompt_messages_check_list(arena, entry->calls,
                 prompt_messages_field(arena, index, ".toolCalls"), fault)
           : rc;
}


/*
 * Always in the same way, so that equal ones are equal texts: members in this
 * order, without those that are null or empty arrays.
 */
static void
prompt_messages_write(const prompt_json_t *value, prompt_buf_t *out)
{
    size_t                i, start;
    const prompt_json_t  *part;

    static const char *const  members[] = {
        "placeholder", "role", "content", "images", "toolCalls", "toolCallId",
        "id", "name", "arguments"
    };

    if (value->type == PROMPT_JSON_ARRAY) {

        for (part = value->first; part != NULL; part = part->next) {
            prompt_buf_char(out, part == value->first ? '[' : ',');
            prompt_messages_write(part, out);
        }

        prompt_buf_char(out, ']');
        return;
    }

    if (value->type != PROMPT_JSON_OBJECT) {
        prompt_json_write_string(out, value->text);
        return;
    }

    prompt_buf_char(out, '{');
    start = out->len;

    for (i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        part = prompt_json_get(value, prompt_str_from(members[i]));

        if (part != NULL && part->type != PROMPT_JSON_NULL
            && (part->type != PROMPT_JSON_ARRAY || part->count != 0))
        {
            prompt_buf_printf(out, "%s\"%s\":", out->len != start ? "," : "",
                              members[i]);
            prompt_messages_write(part, out);
        }
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

    index = 0;

    for (message = value->first; message != NULL; message = message->next) {
        entry = prompt_messages_entry(message);

        rc = prompt_messages_check_one(arena, &entry, index++, fault);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    prompt_buf_init(&out, PROMPT_LIMIT_MESSAGES);
    prompt_messages_write(value, &out);

    if (out.status == PROMPT_BUF_LIMIT) {
        rc = prompt_fault_set(arena, fault, prompt_str("messages"),
                              "messages must not be longer than %d bytes of "
                              "JSON together", PROMPT_LIMIT_MESSAGES);

    } else {
        *text = out.status == PROMPT_BUF_OK
                ? prompt_arena_copy(arena, prompt_buf_view(&out))
                : prompt_str_absent;
        rc = text->data != NULL ? PROMPT_CHECK_OK : PROMPT_CHECK_NOMEM;
    }

    prompt_buf_free(&out);

    return rc;
}
