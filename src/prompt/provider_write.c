/*
 * What the formats have in common in writing a request.
 */

#include "prompt/provider_impl.h"


size_t
prompt_provider_leading(const prompt_provider_request_t *request)
{
    size_t  n;

    n = 0;

    while (n < request->messages.count
           && prompt_provider_is_system(&request->messages.list[n]))
    {
        n++;
    }

    return n;
}


const prompt_json_t *
prompt_provider_opaque(const prompt_provider_request_t *request,
    const prompt_message_t *message)
{
    const prompt_json_t  *format;

    format = prompt_json_get(message->provider, prompt_str("format"));

    return format != NULL && format->type == PROMPT_JSON_STRING
           && prompt_str_eq(format->text, request->format->name)
           ? prompt_json_get(message->provider, prompt_str("opaque")) : NULL;
}


/* a text, null or parts, as OpenAI's chat has them */
static void
prompt_provider_write_content(const prompt_message_t *message,
    prompt_buf_t *out)
{
    size_t                        i;
    const prompt_message_part_t  *part;

    if (message->nparts == 0) {
        if (message->text.data != NULL && !message->refusal) {
            prompt_json_write_string(out, message->text);
        } else {
            prompt_buf_literal(out, "null");
        }

        return;
    }

    for (i = 0; i < message->nparts; i++) {
        part = &message->parts[i];
        prompt_buf_char(out, i == 0 ? '[' : ',');

        if (part->text.data != NULL) {
            prompt_buf_literal(out, "{\"type\":\"text\",\"text\":");
            prompt_json_write_string(out, part->text);
            prompt_buf_char(out, '}');
            continue;
        }

        prompt_buf_literal(out, "{\"type\":\"image_url\",\"image_url\":"
                           "{\"url\":");
        prompt_json_write_string(out, part->image);
        prompt_provider_write_text("detail", part->detail, out);
        prompt_buf_literal(out, "}}");
    }

    prompt_buf_char(out, ']');
}


static void
prompt_provider_write_message(const prompt_message_t *message,
    prompt_buf_t *out)
{
    size_t                        i;
    const prompt_message_call_t  *call;

    prompt_buf_literal(out, "{\"role\":");
    prompt_json_write_string(out, prompt_role_name(message->role));
    prompt_buf_literal(out, ",\"content\":");
    prompt_provider_write_content(message, out);

    prompt_provider_write_text("name", message->name, out);
    prompt_provider_write_text("tool_call_id", message->call_id, out);
    prompt_provider_write_text("refusal", message->refusal
                                          ? message->text : prompt_str_absent,
                               out);

    for (i = 0; i < message->ncalls; i++) {
        call = &message->calls[i];

        prompt_buf_str(out, i == 0 ? prompt_str(",\"tool_calls\":[")
                                   : prompt_str(","));
        prompt_buf_literal(out, "{\"id\":");
        prompt_json_write_string(out, call->id);
        prompt_buf_literal(out, ",\"type\":\"function\",\"function\":"
                           "{\"name\":");
        prompt_json_write_string(out, call->name);
        prompt_provider_write_text("arguments", call->arguments, out);
        prompt_buf_literal(out, "}}");
    }

    prompt_buf_str(out, message->ncalls != 0 ? prompt_str("]}")
                                             : prompt_str("}"));
}


void
prompt_provider_write_head(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    size_t  i;

    prompt_buf_literal(out, "\"model\":");
    prompt_json_write_string(out, request->model);
    prompt_buf_literal(out, ",\"messages\":[");

    for (i = 0; i < request->messages.count; i++) {

        if (i != 0) {
            prompt_buf_char(out, ',');
        }

        prompt_provider_write_message(&request->messages.list[i], out);
    }

    prompt_buf_char(out, ']');
}


prompt_str_t
prompt_provider_max_tokens(const prompt_provider_request_t *request)
{
    return request->max_tokens_as.len != 0 ? request->max_tokens_as
                                           : prompt_str("max_tokens");
}


void
prompt_provider_write_name(prompt_str_t name, prompt_buf_t *out)
{
    prompt_buf_char(out, ',');
    prompt_json_write_string(out, name);
    prompt_buf_char(out, ':');
}


void
prompt_provider_write_text(const char *name, prompt_str_t text,
    prompt_buf_t *out)
{
    if (text.data != NULL) {
        prompt_provider_write_name(prompt_str_from(name), out);
        prompt_json_write_string(out, text);
    }
}


/* how a member is written in another way; NULL: as it is */
static const prompt_provider_param_t *
prompt_provider_special(const prompt_provider_param_t *special,
    prompt_str_t name)
{
    while (special != NULL && special->name.data != NULL) {

        if (prompt_str_eq(special->name, name)) {
            return special;
        }

        special++;
    }

    return NULL;
}


void
prompt_provider_write_params(const prompt_provider_request_t *request,
    const prompt_provider_param_t *special, prompt_buf_t *out)
{
    prompt_str_t                    name;
    const prompt_json_t            *value;
    const prompt_provider_param_t  *other;

    for (value = request->params->first; value != NULL; value = value->next) {

        name = value->name;
        other = prompt_provider_special(special, name);

        if (other != NULL && other->as.data != NULL) {
            name = other->as;

        } else if (prompt_str_eq(name, prompt_str("max_tokens"))) {
            name = prompt_provider_max_tokens(request);
        }

        if (prompt_str_eq(name, prompt_str("model"))
            || (other != NULL && other->rule == PROMPT_PARAM_REFUSED)
            || (other != NULL && value->type == PROMPT_JSON_NULL)
            || (!prompt_str_eq(name, value->name)
                && prompt_json_get(request->params, name) != NULL))
        {
            continue;
        }

        prompt_provider_write_name(name, out);

        if (other != NULL && other->write != NULL) {
            other->write(value, out);

        } else {
            prompt_json_write(out, value);
        }
    }
}
