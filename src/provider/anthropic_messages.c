/*
 * Messages as Anthropic takes them: blocks in place of parts, calls of tools
 * and their answers, and what the model has thought in front of what it said.
 */

#include "provider/anthropic.h"

#include "prompt/text.h"


/* members of the blocks of thinking, by their type: all are strings */
static const struct {
    prompt_str_t  type;
    const char   *members[3];
} prompt_anthropic_thoughts[] = {
    { prompt_str_init("thinking"),          { "thinking", "signature", NULL } },
    { prompt_str_init("redacted_thinking"), { "data", NULL, NULL } }
};


/* NULL: it is none */
static const char *const *
prompt_anthropic_thought(const prompt_json_t *block)
{
    size_t                i;
    const char *const    *member;
    const prompt_json_t  *value;

    value = prompt_json_get(block, prompt_str("type"));
    i = value != NULL && prompt_str_eq(value->text,
                                       prompt_anthropic_thoughts[1].type);

    if (value == NULL
        || !prompt_str_eq(value->text, prompt_anthropic_thoughts[i].type))
    {
        return NULL;
    }

    for (member = prompt_anthropic_thoughts[i].members;
         *member != NULL;
         member++)
    {
        value = prompt_json_get(block, prompt_str_from(*member));

        if (value == NULL || value->type != PROMPT_JSON_STRING) {
            return NULL;
        }
    }

    return prompt_anthropic_thoughts[i].members;
}


/* nothing else than thoughts: they come from whoever asks */
static bool
prompt_anthropic_opaque(const prompt_json_t *opaque)
{
    const prompt_json_t  *block;

    if (opaque == NULL) {
        return true;
    }

    for (block = opaque->first; block != NULL; block = block->next) {
        if (prompt_anthropic_thought(block) == NULL) {
            return false;
        }
    }

    return opaque->type == PROMPT_JSON_ARRAY;
}


/* empty ones are {} */
static bool
prompt_anthropic_arguments(prompt_str_t arguments)
{
    prompt_json_scan_t  scan;

    prompt_json_scan_init(&scan, arguments, PROMPT_LIMIT_DEPTH);

    if (arguments.len != 0
        && prompt_json_scan_type(&scan) != PROMPT_JSON_OBJECT)
    {
        return false;
    }

    prompt_json_scan_skip(&scan);

    return arguments.len == 0 || prompt_json_scan_end(&scan);
}


prompt_check_t
prompt_anthropic_check_messages(prompt_arena_t *arena,
    const prompt_provider_request_t *request, prompt_fault_t *fault)
{
    size_t                   i, n;
    prompt_str_t             field;
    const prompt_message_t  *message;

    for (i = 0; i < request->messages.count; i++) {
        message = &request->messages.list[i];

        for (n = 0; n < message->ncalls; n++) {
            if (!prompt_anthropic_arguments(message->calls[n].arguments)) {
                return prompt_text_fault(arena,
                           prompt_message_arguments_field(arena, message, n),
                           "must be a JSON object for the provider of this "
                           "model", fault);
            }
        }

        if (prompt_anthropic_opaque(prompt_provider_opaque(request, message))) {
            continue;
        }

        field = prompt_message_field(arena, message);

        if (field.data != NULL) {
            field = prompt_arena_printf(arena, "%.*s.provider.opaque",
                                        prompt_str_arg(field));
        }

        return prompt_text_fault(arena, field, "must be the blocks of thinking "
                                 "that an answer had", fault);
    }

    return PROMPT_CHECK_OK;
}


/* The beginning of another block of a list. */
static void
prompt_anthropic_block(const char *type, size_t *n, prompt_buf_t *out)
{
    prompt_buf_printf(out, "%c{\"type\":\"%s\"", (*n)++ == 0 ? '[' : ',', type);
}


static void
prompt_anthropic_image(prompt_str_t address, size_t *n, prompt_buf_t *out)
{
    prompt_str_t  type, data;

    prompt_anthropic_block("image", n, out);

    if (prompt_message_image(address, &type, &data) && data.data != NULL) {
        prompt_buf_literal(out, ",\"source\":{\"type\":\"base64\"");
        prompt_provider_write_text("media_type", type, out);
        prompt_provider_write_text("data", data, out);

    } else {
        prompt_buf_literal(out, ",\"source\":{\"type\":\"url\"");
        prompt_provider_write_text("url", address, out);
    }

    prompt_buf_literal(out, "}}");
}


static void
prompt_anthropic_texts(const prompt_message_t *message, size_t *n,
    prompt_buf_t *out)
{
    size_t                 i;
    prompt_message_part_t  part;

    for (i = 0; i == 0 || i < message->nparts; i++) {
        memset(&part, 0, sizeof(part));
        part.text = message->text;

        if (message->nparts != 0) {
            part = message->parts[i];
        }

        if (part.image.data != NULL) {
            prompt_anthropic_image(part.image, n, out);

        } else if (part.text.data != NULL) {
            prompt_anthropic_block("text", n, out);
            prompt_provider_write_text("text", part.text, out);
            prompt_buf_char(out, '}');
        }
    }
}


static void
prompt_anthropic_thinking(const prompt_json_t *opaque, size_t *n,
    prompt_buf_t *out)
{
    const char *const    *member;
    const prompt_json_t  *block;

    block = opaque != NULL ? opaque->first : NULL;

    for ( /* void */ ; block != NULL; block = block->next) {
        member = prompt_anthropic_thought(block);

        if (member == NULL) {
            continue;                      /* it was checked: there is none */
        }

        prompt_buf_char(out, (*n)++ == 0 ? '[' : ',');
        prompt_buf_literal(out, "{\"type\":");
        prompt_json_write_string(out, prompt_json_get(block,
                                                  prompt_str("type"))->text);

        for ( /* void */ ; *member != NULL; member++) {
            prompt_provider_write_text(*member,
                prompt_json_get(block, prompt_str_from(*member))->text, out);
        }

        prompt_buf_char(out, '}');
    }
}


static void
prompt_anthropic_calls(const prompt_message_t *message, size_t *n,
    prompt_buf_t *out)
{
    size_t                        i;
    const prompt_message_call_t  *call;

    for (i = 0; i < message->ncalls; i++) {
        call = &message->calls[i];

        prompt_anthropic_block("tool_use", n, out);
        prompt_provider_write_text("id", call->id, out);
        prompt_provider_write_text("name", call->name, out);
        prompt_buf_literal(out, ",\"input\":");
        prompt_buf_str(out, call->arguments.len != 0 ? call->arguments
                                                     : prompt_str("{}"));
        prompt_buf_char(out, '}');
    }
}


/* a text alone is a string, all else a list of blocks */
static void
prompt_anthropic_content(const prompt_message_t *message,
    const prompt_json_t *opaque, prompt_buf_t *out)
{
    size_t  n;

    n = 0;

    if (message->text.data != NULL && message->ncalls == 0 && opaque == NULL) {
        prompt_json_write_string(out, message->text);
        return;
    }

    prompt_anthropic_thinking(opaque, &n, out);

    if (message->text.data == NULL || message->text.len != 0) {
        prompt_anthropic_texts(message, &n, out);
    }

    prompt_anthropic_calls(message, &n, out);
    prompt_buf_str(out, n == 0 ? prompt_str("[]") : prompt_str("]"));
}


/* one that is a text is that; several, or parts, are a list of blocks */
static void
prompt_anthropic_system(const prompt_provider_request_t *request,
    size_t count, prompt_buf_t *out)
{
    size_t                   i, n;
    const prompt_message_t  *list;

    list = request->messages.list;
    n = 0;

    if (count == 0) {
        return;
    }

    prompt_provider_write_name(prompt_str("system"), out);

    if (count == 1) {
        prompt_anthropic_content(&list[0], NULL, out);
        return;
    }

    for (i = 0; i < count; i++) {
        prompt_anthropic_texts(&list[i], &n, out);
    }

    prompt_buf_char(out, ']');
}


/* Those that follow each other are one message; *i is the last of them. */
static void
prompt_anthropic_results(const prompt_messages_t *messages, size_t *i,
    prompt_buf_t *out)
{
    size_t                   n;
    const prompt_message_t  *message;

    n = 0;

    for ( ;; ) {
        message = &messages->list[*i];

        prompt_anthropic_block("tool_result", &n, out);
        prompt_provider_write_text("tool_use_id", message->call_id, out);
        prompt_buf_literal(out, ",\"content\":");
        prompt_anthropic_content(message, NULL, out);
        prompt_buf_char(out, '}');

        if (*i + 1 == messages->count || message[1].role != PROMPT_ROLE_TOOL) {
            break;
        }

        (*i)++;
    }

    prompt_buf_char(out, ']');
}


void
prompt_anthropic_write_messages(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    size_t                   i, first;
    const prompt_message_t  *message;

    first = prompt_provider_leading(request);

    prompt_buf_literal(out, "\"model\":");
    prompt_json_write_string(out, request->model);
    prompt_buf_literal(out, ",\"messages\":[");

    for (i = first; i < request->messages.count; i++) {
        message = &request->messages.list[i];

        prompt_buf_printf(out, "%s{\"role\":\"%s\",\"content\":",
                          i != first ? "," : "",
                          message->role == PROMPT_ROLE_ASSISTANT ? "assistant"
                                                                 : "user");

        if (message->role == PROMPT_ROLE_TOOL) {
            prompt_anthropic_results(&request->messages, &i, out);

        } else {
            prompt_anthropic_content(message,
                                     prompt_provider_opaque(request, message),
                                     out);
        }

        prompt_buf_char(out, '}');
    }

    prompt_buf_char(out, ']');

    prompt_anthropic_system(request, first, out);
}
