/*
 * Messages as Anthropic takes them: blocks in place of parts, calls of tools
 * and their answers, and what the model has thought in front of what it said.
 */

#include "provider/anthropic.h"

#include "prompt/text.h"


/* the members of a block of thinking, all strings; NULL: it is none */
static const char *const *
prompt_anthropic_thought(const prompt_json_t *block)
{
    const char *const  *members, *const  *member;

    static const char *const  shown[] = { "thinking", "signature", NULL };
    static const char *const  hidden[] = { "data", NULL };

    members = prompt_provider_is(block, "thinking") ? shown
              : prompt_provider_is(block, "redacted_thinking") ? hidden : NULL;

    for (member = members; member != NULL && *member != NULL; member++) {
        if (prompt_provider_text_of(block, *member).data == NULL) {
            return NULL;
        }
    }

    return members;
}


/* nothing else than thoughts: they come from whoever asks */
prompt_check_t
prompt_anthropic_check(prompt_arena_t *arena,
    const prompt_provider_request_t *request, const prompt_message_t *message,
    prompt_fault_t *fault)
{
    const prompt_json_t  *opaque, *block;

    opaque = prompt_provider_opaque(request, message);
    block = opaque != NULL ? opaque->first : NULL;

    while (block != NULL && prompt_anthropic_thought(block) != NULL) {
        block = block->next;
    }

    return block == NULL
           && (opaque == NULL || opaque->type == PROMPT_JSON_ARRAY)
           ? PROMPT_CHECK_OK
           : prompt_text_fault(arena,
                               prompt_message_field(arena, message,
                                                    ".provider.opaque",
                                                    ".provider.opaque"),
                               "must be the blocks of thinking that an answer "
                               "had", fault);
}


/* The beginning of another block of a list. */
static void
prompt_anthropic_block(const char *type, prompt_buf_t *out)
{
    prompt_provider_write_next(out);
    prompt_buf_printf(out, "{\"type\":\"%s\"", type);
}


static void
prompt_anthropic_image(const prompt_message_part_t *part, prompt_buf_t *out)
{
    prompt_str_t  type, data;

    prompt_anthropic_block("image", out);

    if (prompt_message_image(part->image, &type, &data) && data.data != NULL) {
        prompt_buf_literal(out, ",\"source\":{\"type\":\"base64\"");
        prompt_provider_write_text("media_type", type, out);
        prompt_provider_write_text("data", data, out);

    } else {
        prompt_buf_literal(out, ",\"source\":{\"type\":\"url\"");
        prompt_provider_write_text("url", part->image, out);
    }

    prompt_buf_literal(out, "}}");
}


/* a text, or parts */
static void
prompt_anthropic_texts(const prompt_message_t *message, prompt_buf_t *out)
{
    if (message->text.data != NULL) {
        prompt_provider_write_part("text", "text", message->text,
                                   prompt_str_absent, out);
    }

    prompt_provider_write_parts(message, "text", prompt_anthropic_image, out);
}


static void
prompt_anthropic_thinking(const prompt_json_t *opaque, prompt_buf_t *out)
{
    const char *const    *member;
    const prompt_json_t  *block;

    block = opaque != NULL ? opaque->first : NULL;

    for ( /* void */ ; block != NULL; block = block->next) {
        member = prompt_anthropic_thought(block);

        if (member == NULL) {
            continue;                      /* it was checked: there is none */
        }

        prompt_provider_write_next(out);
        prompt_buf_char(out, '{');
        prompt_provider_write_member(block, "type", "type", out);

        for ( /* void */ ; *member != NULL; member++) {
            prompt_provider_write_member(block, *member, *member, out);
        }

        prompt_buf_char(out, '}');
    }
}


/* a text alone is a string, all else a list of blocks */
static void
prompt_anthropic_content(const prompt_message_t *message,
    const prompt_json_t *opaque, prompt_buf_t *out)
{
    size_t                        i;
    const prompt_message_call_t  *call;

    if (message->text.data != NULL && message->ncalls == 0 && opaque == NULL) {
        prompt_json_write_string(out, message->text);
        return;
    }

    prompt_buf_char(out, '[');
    prompt_anthropic_thinking(opaque, out);

    if (message->text.data == NULL || message->text.len != 0) {
        prompt_anthropic_texts(message, out);
    }

    for (i = 0; i < message->ncalls; i++) {
        call = &message->calls[i];

        prompt_anthropic_block("tool_use", out);
        prompt_provider_write_text("id", call->id, out);
        prompt_provider_write_text("name", call->name, out);
        prompt_buf_literal(out, ",\"input\":");
        prompt_buf_str(out, call->arguments.len != 0 ? call->arguments
                                                     : prompt_str("{}"));
        prompt_buf_char(out, '}');
    }

    prompt_buf_char(out, ']');
}


/* one that is a text is that; several, or parts, are a list of blocks */
static void
prompt_anthropic_system(const prompt_provider_request_t *request,
    size_t count, prompt_buf_t *out)
{
    size_t                   i;
    const prompt_message_t  *list;

    list = request->messages.list;

    if (count == 0) {
        return;
    }

    prompt_provider_write_name(prompt_str("system"), out);

    if (count == 1) {
        prompt_anthropic_content(&list[0], NULL, out);
        return;
    }

    prompt_buf_char(out, '[');

    for (i = 0; i < count; i++) {
        prompt_anthropic_texts(&list[i], out);
    }

    prompt_buf_char(out, ']');
}


static void
prompt_anthropic_result(const prompt_message_t *message, prompt_buf_t *out)
{
    prompt_anthropic_block("tool_result", out);
    prompt_provider_write_text("tool_use_id", message->call_id, out);
    prompt_buf_literal(out, ",\"content\":");
    prompt_anthropic_content(message, NULL, out);
    prompt_buf_char(out, '}');
}


/* results that follow each other are one message */
void
prompt_anthropic_write_messages(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    size_t                   first;
    const prompt_message_t  *message, *end;

    first = prompt_provider_leading(request);
    end = request->messages.list + request->messages.count;

    prompt_provider_write_text("model", request->model, out);
    prompt_buf_literal(out, ",\"messages\":[");

    for (message = request->messages.list + first; message < end; message++) {
        prompt_provider_write_next(out);
        prompt_buf_printf(out, "{\"role\":\"%s\",\"content\":",
                          message->role == PROMPT_ROLE_ASSISTANT ? "assistant"
                                                                 : "user");

        if (message->role != PROMPT_ROLE_TOOL) {
            prompt_anthropic_content(message,
                                     prompt_provider_opaque(request, message),
                                     out);

        } else {
            prompt_buf_char(out, '[');
            prompt_anthropic_result(message, out);

            while (message + 1 < end && message[1].role == PROMPT_ROLE_TOOL) {
                prompt_anthropic_result(++message, out);
            }

            prompt_buf_char(out, ']');
        }

        prompt_buf_char(out, '}');
    }

    prompt_buf_char(out, ']');

    prompt_anthropic_system(request, first, out);
}
