/*
 * Params in the words of OpenAI's responses: what those of its chat become.
 */

#include "provider/responses.h"


/* a function in chat's form; what is in another form passes through */
static void
provider_responses_tool(const prompt_json_t *tool, prompt_buf_t *out)
{
    const prompt_json_t  *value, *function;

    function = prompt_json_get(tool, prompt_str("function"));

    if (function == NULL) {
        prompt_json_write(out, tool);
        return;
    }

    prompt_buf_literal(out, "{\"type\":\"function\"");
    prompt_provider_write_member(function, "name", "name", out);
    prompt_provider_write_member(function, "description", "description", out);
    prompt_provider_write_member(function, "parameters", "parameters", out);

    /* left out it is true there, and false in chat */

    value = prompt_json_get(function, prompt_str("strict"));
    prompt_provider_write_name(prompt_str("strict"), out);

    if (value != NULL && value->type == PROMPT_JSON_BOOLEAN && value->boolean)
    {
        prompt_buf_literal(out, "true}");

    } else {
        prompt_buf_literal(out, "false}");
    }
}


static void
provider_responses_tools(const prompt_json_t *tools, prompt_buf_t *out)
{
    prompt_provider_write_each(tools, out, provider_responses_tool);
}


/* a name, or a function in chat's form */
static void
provider_responses_choice(const prompt_json_t *choice, prompt_buf_t *out)
{
    const prompt_json_t  *function;

    function = prompt_json_get(choice, prompt_str("function"));

    if (function == NULL) {
        prompt_json_write(out, choice);
        return;
    }

    prompt_buf_literal(out, "{\"type\":\"function\"");
    prompt_provider_write_member(function, "name", "name", out);
    prompt_buf_char(out, '}');
}


/* what chat has in json_schema stands beside the type */
static void
provider_responses_format(const prompt_json_t *format, prompt_buf_t *out)
{
    const prompt_json_t  *value;

    value = prompt_json_get(format, prompt_str("json_schema"));

    if (value == NULL || value->type != PROMPT_JSON_OBJECT) {
        prompt_json_write(out, format);
        return;
    }

    prompt_buf_char(out, '{');
    prompt_provider_write_member(format, "type", "type", out);

    for (value = value->first; value != NULL; value = value->next) {
        prompt_provider_write_name(value->name, out);
        prompt_json_write(out, value);
    }

    prompt_buf_char(out, '}');
}


const prompt_provider_param_t  prompt_responses_params[] = {
    prompt_provider_rule("temperature", KNOWN),
    prompt_provider_rule("top_p", KNOWN),
    prompt_provider_rule("max_output_tokens", KNOWN),
    { .name = prompt_str_init("max_tokens"),
      .as = prompt_str_init("max_output_tokens") },
    { .name = prompt_str_init("max_completion_tokens"),
      .as = prompt_str_init("max_output_tokens") },
    prompt_provider_rule("instructions", KNOWN),
    prompt_provider_rule("include", KNOWN),
    prompt_provider_rule("parallel_tool_calls", KNOWN),
    prompt_provider_rule("top_logprobs", KNOWN),
    prompt_provider_rule("truncation", KNOWN),
    prompt_provider_rule("stream_options", KNOWN),
    prompt_provider_rule("prompt_cache_key", KNOWN),
    prompt_provider_rule("prompt_cache_retention", KNOWN),
    prompt_provider_rule("safety_identifier", KNOWN),
    prompt_provider_rule("user", KNOWN),

    { .name = prompt_str_init("tools"),
      .write = provider_responses_tools },
    { .name = prompt_str_init("tool_choice"),
      .write = provider_responses_choice },

    { .name = prompt_str_init("response_format"),
      .as = prompt_str_init("format"),
      .group = prompt_str_init("text"),
      .write = provider_responses_format },
    prompt_provider_goes("verbosity", "verbosity", "text"),
    { .name = prompt_str_init("text"),
      .group = prompt_str_init("text"),
      .wrong = prompt_provider_wrong_object },

    prompt_provider_goes("reasoning_effort", "effort", "reasoning"),
    { .name = prompt_str_init("reasoning"),
      .group = prompt_str_init("reasoning"),
      .wrong = prompt_provider_wrong_object },

    prompt_provider_rule("background", ALLOWED),
    prompt_provider_rule("context_management", ALLOWED),
    prompt_provider_rule("conversation", ALLOWED),
    prompt_provider_rule("max_tool_calls", ALLOWED),
    prompt_provider_rule("metadata", ALLOWED),
    prompt_provider_rule("previous_response_id", ALLOWED),
    prompt_provider_rule("service_tier", ALLOWED),
    prompt_provider_rule("store", ALLOWED),

    prompt_provider_rule("audio", REFUSED),
    prompt_provider_rule("frequency_penalty", REFUSED),
    prompt_provider_rule("function_call", REFUSED),
    prompt_provider_rule("functions", REFUSED),
    prompt_provider_rule("logit_bias", REFUSED),
    prompt_provider_rule("logprobs", REFUSED),
    prompt_provider_rule("modalities", REFUSED),
    prompt_provider_rule("prediction", REFUSED),
    prompt_provider_rule("presence_penalty", REFUSED),
    prompt_provider_rule("seed", REFUSED),
    prompt_provider_rule("stop", REFUSED),
    prompt_provider_rule("top_k", REFUSED),
    prompt_provider_rule("web_search_options", REFUSED),
    prompt_provider_no_param
};


/* those that store nothing say what they thought to whoever asks for it */
static void
provider_responses_include(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    const prompt_json_t  *effort, *reasoning;

    effort = prompt_json_get(request->params, prompt_str("reasoning_effort"));
    reasoning = prompt_json_get(request->params, prompt_str("reasoning"));

    /* a model that does not reason refuses it */

    if (((effort != NULL && effort->type != PROMPT_JSON_NULL)
         || (reasoning != NULL && reasoning->type != PROMPT_JSON_NULL))
        && prompt_json_get(request->params, prompt_str("include")) == NULL)
    {
        prompt_buf_literal(out, ",\"include\":["
                           "\"reasoning.encrypted_content\"]");
    }
}


void
prompt_responses_write_params(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    provider_responses_include(request, out);
    prompt_provider_write_all(request, prompt_responses_params, out);
}
