/*
 * Rendering: renderPrompt, and the fields of RenderedPrompt and
 * RenderedMessage.
 */

#include "service/fields/execution_impl.h"

#include "service/fields/fields.h"
#include "service/frame/arguments.h"


typedef struct {
    prompt_str_t             role;
    prompt_str_t             content;
    ngx_http_prompt_list_t   images;
    prompt_objects_t         tool_calls;
    prompt_str_t             tool_call_id;
} ngx_http_prompt_rendered_message_t;


typedef struct {
    int32_t                  version;
    ngx_http_prompt_list_t   messages;
    prompt_str_t             params;
    prompt_str_t             model;
} ngx_http_prompt_rendered_t;


static void ngx_http_prompt_render_start(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_render_done(ngx_http_prompt_root_t *root);
static prompt_check_t ngx_http_prompt_render_whole(
    ngx_http_prompt_root_t *root, const ngx_http_prompt_ask_t *ask,
    ngx_http_prompt_rendered_t *rendered) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_render_message(prompt_arena_t *arena,
    const prompt_message_t *message, ngx_http_prompt_rendered_message_t *out);
static bool ngx_http_prompt_render_parts(prompt_arena_t *arena,
    const prompt_message_t *message, ngx_http_prompt_rendered_message_t *out);
static bool ngx_http_prompt_render_calls(prompt_arena_t *arena,
    const prompt_message_t *message, ngx_http_prompt_rendered_message_t *out);
static bool ngx_http_prompt_render_keep(prompt_arena_t *arena,
    prompt_buf_t *buf, prompt_str_t *text);


#define rendered(member)                                                     \
    .offset = offsetof(ngx_http_prompt_rendered_t, member)

#define message(member)                                                      \
    .offset = offsetof(ngx_http_prompt_rendered_message_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_render_fields[] = {

    { .type = "Query", .name = "renderPrompt",
      .scope = PROMPT_KEY_SCOPE_READ,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_render_start },

    { .type = "RenderedPrompt", .name = "version",
      .resolve = ngx_http_prompt_slot_int, rendered(version) },
    { .type = "RenderedPrompt", .name = "messages",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_list, rendered(messages) },
    { .type = "RenderedPrompt", .name = "params",
      .resolve = ngx_http_prompt_slot_json, rendered(params) },
    { .type = "RenderedPrompt", .name = "model",
      .resolve = ngx_http_prompt_slot_text, rendered(model) },

    { .type = "RenderedMessage", .name = "role",
      .resolve = ngx_http_prompt_slot_text, message(role) },
    { .type = "RenderedMessage", .name = "content",
      .resolve = ngx_http_prompt_slot_text, message(content) },
    { .type = "RenderedMessage", .name = "images",
      .resolve = ngx_http_prompt_slot_list, message(images) },
    { .type = "RenderedMessage", .name = "toolCalls",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_objects, message(tool_calls) },
    { .type = "RenderedMessage", .name = "toolCallId",
      .resolve = ngx_http_prompt_slot_text, message(tool_call_id) },

    { .type = NULL }
};

#undef rendered
#undef message


/* It is read: what the worker has of it nobody would verify. */
static void
ngx_http_prompt_render_start(ngx_http_prompt_root_t *root)
{
    if (ngx_http_prompt_target_question(root)) {
        ngx_http_prompt_target_read(root, ngx_http_prompt_render_done);
    }
}


static void
ngx_http_prompt_render_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t                 input;
    prompt_check_t               rc;
    prompt_fault_t               fault;
    ngx_http_prompt_ask_t        ask;
    ngx_http_prompt_rendered_t   rendered;

    if (!ngx_http_prompt_target_found(root, &ask)) {
        return;
    }

    rc = ngx_http_prompt_render(root, &ask, &input, &fault);

    if (rc == PROMPT_CHECK_OK) {
        rc = ngx_http_prompt_render_whole(root, &ask, &rendered);
    }

    if (ngx_http_prompt_passed(root, rc, &fault)) {
        ngx_http_prompt_root_object(root, &rendered);
    }

    /* what the fault names may stand in the target */

    prompt_buf_free(&ask.text);
}


static prompt_check_t
ngx_http_prompt_render_whole(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_ask_t *ask, ngx_http_prompt_rendered_t *rendered)
{
    size_t                               i;
    const prompt_target_t               *target;
    const prompt_messages_t             *messages;
    ngx_http_prompt_rendered_message_t  *list;

    target = ask->ref->target;
    messages = &ask->request.messages;

    list = prompt_arena_array(root->job->arena, messages->count,
                              sizeof(ngx_http_prompt_rendered_message_t));
    if (list == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    for (i = 0; i < messages->count; i++) {
        if (!ngx_http_prompt_render_message(root->job->arena,
                                            &messages->list[i], &list[i]))
        {
            return PROMPT_CHECK_NOMEM;
        }
    }

    ngx_memzero(rendered, sizeof(ngx_http_prompt_rendered_t));

    rendered->version = target->row.version;
    rendered->params = target->row.params;
    rendered->model = ngx_http_prompt_model_of(root->job->request,
                                               target->params);
    rendered->messages.first = (char *) list;
    rendered->messages.size = sizeof(ngx_http_prompt_rendered_message_t);
    rendered->messages.count = (uint32_t) messages->count;

    return PROMPT_CHECK_OK;
}


static bool
ngx_http_prompt_render_message(prompt_arena_t *arena,
    const prompt_message_t *message, ngx_http_prompt_rendered_message_t *out)
{
    ngx_memzero(out, sizeof(ngx_http_prompt_rendered_message_t));

    out->role = prompt_role_name(message->role);
    out->content = message->text.data != NULL ? message->text
                                              : prompt_str("");
    out->tool_call_id = message->call_id;
    out->images.size = sizeof(prompt_str_t);
    out->images.strings = 1;

    return ngx_http_prompt_render_parts(arena, message, out)
           && ngx_http_prompt_render_calls(arena, message, out);
}


/* texts are joined; pictures are a list */
static bool
ngx_http_prompt_render_parts(prompt_arena_t *arena,
    const prompt_message_t *message, ngx_http_prompt_rendered_message_t *out)
{
    size_t         i;
    prompt_buf_t   text;
    prompt_str_t  *images;

    if (message->nparts == 0) {
        return true;
    }

    images = prompt_arena_array(arena, message->nparts, sizeof(prompt_str_t));
    if (images == NULL) {
        return false;
    }

    out->images.first = (char *) images;

    prompt_buf_init(&text, PROMPT_LIMIT_RENDERED);
    prompt_buf_str(&text, out->content);

    for (i = 0; i < message->nparts; i++) {

        if (message->parts[i].text.data != NULL) {
            prompt_buf_str(&text, message->parts[i].text);
        } else {
            images[out->images.count++] = message->parts[i].image;
        }
    }

    return ngx_http_prompt_render_keep(arena, &text, &out->content);
}


static bool
ngx_http_prompt_render_calls(prompt_arena_t *arena,
    const prompt_message_t *message, ngx_http_prompt_rendered_message_t *out)
{
    size_t                        i;
    prompt_buf_t                  json;
    const prompt_message_call_t  *call;

    if (message->ncalls == 0) {
        return true;
    }

    prompt_buf_init(&json, PROMPT_LIMIT_REQUEST);

    for (i = 0; i < message->ncalls; i++) {
        call = &message->calls[i];

        prompt_buf_char(&json, i == 0 ? '[' : ',');
        prompt_buf_literal(&json, "{\"id\":");
        prompt_json_write_string(&json, call->id);
        prompt_buf_literal(&json, ",\"name\":");
        prompt_json_write_string(&json, call->name);
        prompt_buf_literal(&json, ",\"arguments\":");
        prompt_json_write_string(&json, call->arguments);
        prompt_buf_char(&json, '}');
    }

    prompt_buf_char(&json, ']');

    return ngx_http_prompt_render_keep(arena, &json, &out->tool_calls.cell);
}


/* Makes it a text in the arena.  False: memory. */
static bool
ngx_http_prompt_render_keep(prompt_arena_t *arena, prompt_buf_t *buf,
    prompt_str_t *text)
{
    *text = buf->status == PROMPT_BUF_OK
            ? prompt_arena_copy(arena, prompt_buf_view(buf))
            : prompt_str_absent;

    prompt_buf_free(buf);

    return text->data != NULL;
}
