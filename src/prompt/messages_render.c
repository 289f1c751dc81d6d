/*
 * Messages: what a provider gets of a version and an input.
 */

#include "prompt/messages_impl.h"

#include <stdio.h>

#include "base/path.h"
#include "prompt/text.h"


bool
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


/* out has one text at a time, and so much less room for others */
static prompt_check_t
prompt_messages_expand(prompt_messages_render_t *all, prompt_str_t content,
    prompt_str_t *text)
{
    prompt_buf_t    *out;
    prompt_check_t   rc;

    out = all->render.out;

    rc = prompt_template_add(&all->render, content);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    *text = prompt_arena_copy(all->render.arena, prompt_buf_view(out));
    prompt_buf_truncate(out, 0);

    return text->data != NULL ? prompt_template_take(&all->render, *text)
                              : PROMPT_CHECK_NOMEM;
}


/* behind the text, where that is not empty */
static prompt_check_t
prompt_messages_images(prompt_messages_render_t *all,
    const prompt_json_t *images, prompt_message_t *message)
{
    size_t                  n;
    prompt_str_t            type, data;
    prompt_check_t          rc;
    const prompt_json_t    *image;
    prompt_message_part_t  *part;

    n = 0;
    part = prompt_arena_zalloc(all->render.arena,
                               (images->count + 1) * sizeof(*part));
    if (part == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    message->parts = part;

    if (message->text.len != 0) {
        part++->text = message->text;
    }

    message->text = prompt_str_absent;

    for (image = images->first; image != NULL; image = image->next) {
        rc = prompt_messages_expand(all, image->text, &part->image);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        if (!prompt_message_image(part++->image, &type, &data)) {
            return prompt_text_fault(all->render.arena,
                       prompt_arena_printf(all->render.arena,
                                           "messages.%zu.images.%zu",
                                           message->index, n),
                       PROMPT_MESSAGES_IMAGE, all->render.fault);
        }

        n++;
    }

    message->nparts = (size_t) (part - message->parts);

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_messages_calls(prompt_messages_render_t *all,
    const prompt_json_t *calls, prompt_message_t *message)
{
    prompt_check_t          rc;
    const prompt_json_t    *value;
    prompt_message_call_t  *call;

    call = prompt_arena_alloc(all->render.arena, calls->count * sizeof(*call));
    if (call == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    message->calls = call;
    message->ncalls = calls->count;
    rc = PROMPT_CHECK_OK;

    for (value = calls->first;
         rc == PROMPT_CHECK_OK && value != NULL;
         value = value->next)
    {
        call->id = prompt_messages_member(value, "id");
        call->name = prompt_messages_member(value, "name");
        call->arguments = prompt_messages_member(value, "arguments");

        rc = prompt_template_take(&all->render,
                                  prompt_str_of("", call->id.len
                                                    + call->name.len
                                                    + call->arguments.len));
        call++;
    }

    return rc;
}


static prompt_check_t
prompt_messages_template(prompt_messages_render_t *all,
    const prompt_messages_entry_t *entry, prompt_role_t role, size_t index)
{
    size_t             pieces;
    prompt_check_t     rc;
    prompt_message_t  *message;

    pieces = (entry->images != NULL ? 1 + entry->images->count : 0)
             + (entry->calls != NULL ? entry->calls->count : 0);

    if (!prompt_messages_fit(all, 1 + pieces)) {
        return prompt_fault_set(all->render.arena, all->render.fault,
                                prompt_str("input"),
                                "the prompt must not be more than %d messages",
                                PROMPT_LIMIT_CONVERSATION);
    }

    if (!prompt_messages_reserve(all, 1)) {
        return PROMPT_CHECK_NOMEM;
    }

    all->pieces += pieces;
    message = &all->list[all->count++];
    memset(message, 0, sizeof(*message));
    message->role = role;
    message->index = index;
    message->call_id = entry->call_id;

    rc = prompt_template_take(&all->render, entry->call_id);

    if (rc == PROMPT_CHECK_OK && entry->content.data != NULL) {
        rc = prompt_messages_expand(all, entry->content, &message->text);
    }

    if (rc == PROMPT_CHECK_OK && entry->images != NULL) {
        rc = prompt_messages_images(all, entry->images, message);
    }

    return rc == PROMPT_CHECK_OK && entry->calls != NULL
           ? prompt_messages_calls(all, entry->calls, message) : rc;
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

        if (entry.content.data != NULL || entry.calls != NULL) {

            if (!prompt_messages_role(entry.role, false, &role)) {
                role = PROMPT_ROLE_USER;
            }

            rc = prompt_messages_template(all, &entry, role, index);

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


/* The last of the texts: behind answers of tools, and before others, none. */
static prompt_check_t
prompt_messages_content(prompt_messages_render_t *all, prompt_str_t content,
    bool last)
{
    prompt_check_t           rc;
    prompt_messages_entry_t  entry;

    memset(&entry, 0, sizeof(entry));
    entry.content = content.data != NULL ? content : prompt_str("");

    rc = prompt_messages_template(all, &entry, PROMPT_ROLE_USER, 0);

    if (rc == PROMPT_CHECK_OK && all->list[all->count - 1].text.len == 0
        && (!last
            || (all->count > 1
                && all->list[all->count - 2].role == PROMPT_ROLE_TOOL)))
    {
        all->count--;
    }

    return rc;
}


/*
 * As providers want it: behind the calls of a message their answers, each of
 * another one, and then what else there is.  A format may send the name of the
 * call along with its answer.
 */
static prompt_check_t
prompt_messages_pair(prompt_messages_render_t *all)
{
    bool                     answered[PROMPT_LIMIT_CALLS];
    size_t                   i, n, open;
    prompt_check_t           rc;
    const prompt_message_t  *message, *asks;

    memset(answered, 0, sizeof(answered));
    asks = NULL;
    open = 0;

    for (i = 0; i < all->count; i++) {
        message = &all->list[i];

        if (message->role != PROMPT_ROLE_TOOL) {

            if (open != 0) {
                break;
            }

            asks = message;
            open = message->ncalls;
            memset(answered, 0, sizeof(answered));
            continue;
        }

        n = 0;

        while (asks != NULL && n < asks->ncalls
               && (answered[n] || !prompt_str_eq(asks->calls[n].id,
                                                 message->call_id)))
        {
            n++;
        }

        if (asks == NULL || n == asks->ncalls) {
            return prompt_text_fault(all->render.arena,
                       prompt_message_field(all->render.arena, message,
                                            ".toolCallId", ".tool_call_id"),
                       "must be the id of a call that the assistant's message "
                       "before it made, and that is not answered yet",
                       all->render.fault);
        }

        answered[n] = true;
        open--;

        rc = prompt_template_take(&all->render, asks->calls[n].name);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    return open == 0
           ? PROMPT_CHECK_OK
           : prompt_text_fault(all->render.arena,
                 prompt_message_field(all->render.arena, asks, ".toolCalls",
                                      ".tool_calls"),
                 "must all be answered by messages of role tool that follow",
                 all->render.fault);
}


prompt_check_t
prompt_messages_render(prompt_arena_t *arena, const prompt_json_t *stored,
    prompt_str_t content, const prompt_json_t *input,
    const prompt_json_t *schema, const prompt_messages_appended_t *appended,
    prompt_buf_t *out, prompt_messages_t *messages, prompt_fault_t *fault)
{
    bool                       last;
    prompt_check_t             rc;
    prompt_messages_render_t   all;

    last = appended == NULL || appended->list == NULL
           || (appended->list->type == PROMPT_JSON_ARRAY
               && appended->list->count == 0);

    memset(&all, 0, sizeof(all));
    prompt_template_begin(&all.render, arena, input, schema, out, fault);

    rc = stored != NULL ? prompt_messages_stored(&all, stored)
                        : PROMPT_CHECK_OK;

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_messages_content(&all, content, last);
    }

    if (rc == PROMPT_CHECK_OK && !last) {
        rc = prompt_messages_append(&all, appended->place, appended->list);
    }

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_messages_pair(&all);
    }

    messages->list = all.list;
    messages->count = all.count;

    return rc;
}


prompt_str_t
prompt_message_field(prompt_arena_t *arena, const prompt_message_t *message,
    const char *version, const char *history)
{
    bool           own;
    prompt_str_t   field;
    prompt_path_t  input, list, element;

    own = message->history.data == NULL;
    input = (prompt_path_t) { NULL, prompt_str(""), 0 };
    list = (prompt_path_t) { &input, own ? prompt_str("messages")
                                         : message->history, 0 };
    element = (prompt_path_t) { &list, prompt_str_absent, message->index };
    field = prompt_path_text(arena, &element);

    return field.data == NULL
           ? field : prompt_arena_printf(arena, "%.*s%s", prompt_str_arg(field),
                                         own ? version : history);
}


prompt_str_t
prompt_message_arguments_field(prompt_arena_t *arena,
    const prompt_message_t *message, size_t call)
{
    char  version[64], history[64];

    (void) snprintf(version, sizeof(version), ".toolCalls.%zu.arguments", call);
    (void) snprintf(history, sizeof(history),
                    ".tool_calls.%zu.function.arguments", call);

    return prompt_message_field(arena, message, version, history);
}
