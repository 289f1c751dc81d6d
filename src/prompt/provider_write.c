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
           && request->messages.list[n].role == PROMPT_ROLE_SYSTEM)
    {
        n++;
    }

    return n;
}


void
prompt_provider_write_head(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    size_t                   i, first;
    const prompt_message_t  *message;

    first = request->format->system_apart ? prompt_provider_leading(request)
                                          : 0;

    prompt_buf_literal(out, "\"model\":");
    prompt_json_write_string(out, request->model);
    prompt_buf_literal(out, ",\"messages\":[");

    for (i = first; i < request->messages.count; i++) {
        message = &request->messages.list[i];

        if (i != first) {
            prompt_buf_char(out, ',');
        }

        prompt_buf_literal(out, "{\"role\":");
        prompt_json_write_string(out, prompt_role_name(message->role));
        prompt_buf_literal(out, ",\"content\":");
        prompt_json_write_string(out, message->text);
        prompt_buf_char(out, '}');
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
    bool                            given;
    prompt_str_t                    name;
    const prompt_json_t            *value;
    const prompt_provider_param_t  *other;

    for (value = request->params->first; value != NULL; value = value->next) {

        name = value->name;
        other = prompt_provider_special(special, name);
        given = false;

        if (other != NULL && other->as.data != NULL) {
            name = other->as;
            given = prompt_json_get(request->params, name) != NULL;
        }

        if (prompt_str_eq(name, prompt_str("max_tokens"))) {
            name = prompt_provider_max_tokens(request);
        }

        if (prompt_str_eq(name, prompt_str("model"))
            || (other != NULL && other->rule >= PROMPT_PARAM_REFUSED)
            || value->type == PROMPT_JSON_NULL || given
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

    if (request->max_tokens > 0 && !prompt_provider_limited(request)) {
        prompt_provider_write_name(prompt_provider_max_tokens(request), out);
        prompt_buf_int(out, request->max_tokens);
    }
}
