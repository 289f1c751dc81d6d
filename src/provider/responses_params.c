/*
 * Params in the words of OpenAI's responses: what those of its chat become.
 */

#include "provider/provider_impl.h"


/* a function in chat's form; what is in another form passes through */
static void
provider_responses_tool(prompt_buf_t *out, const prompt_json_t *tool)
{
    const prompt_json_t  *strict, *function;

    function = prompt_provider_get(tool, "function");

    if (function == NULL) {
        prompt_json_write(out, tool);
        return;
    }

    prompt_buf_literal(out, "{\"type\":\"function\"");
    prompt_provider_write_function(function, "parameters", out);

    /* left out it is true there, and false in chat */

    strict = prompt_provider_get(function, "strict");
    prompt_buf_str(out, strict != NULL && strict->boolean
                        ? prompt_str(",\"strict\":true}")
                        : prompt_str(",\"strict\":false}"));
}


/* a name, or a function in chat's form */
static void
provider_responses_choice(const prompt_provider_request_t *request,
    const prompt_json_t *choice, prompt_buf_t *out)
{
    (void) request;

    if (prompt_provider_get(choice, "function") == NULL) {
        prompt_json_write(out, choice);
        return;
    }

    prompt_buf_literal(out, "{\"type\":\"function\"");
    prompt_provider_write_member(choice, "function.name", "name", out);
    prompt_buf_char(out, '}');
}


/* what chat has in json_schema stands beside the type */
static void
provider_responses_format(const prompt_provider_request_t *request,
    const prompt_json_t *format, prompt_buf_t *out)
{
    const prompt_json_t  *schema;

    (void) request;

    schema = prompt_provider_get(format, "json_schema");

    if (schema == NULL || schema->type != PROMPT_JSON_OBJECT) {
        prompt_json_write(out, format);
        return;
    }

    prompt_buf_char(out, '{');
    prompt_provider_write_member(format, "type", "type", out);
    prompt_provider_write_members(schema, NULL, out);
    prompt_buf_char(out, '}');
}


#define MOST  prompt_str_init("max_output_tokens")

const prompt_provider_param_t  prompt_responses_params[] = {
    prompt_provider_rule("temperature,top_p", KNOWN),
    { .name = MOST, .bound = true },
    { .name = prompt_str_init("max_tokens"), .as = MOST, .bound = true },
    { .name = prompt_str_init("max_completion_tokens"), .as = MOST,
      .bound = true },
    prompt_provider_rule("instructions,include,parallel_tool_calls,"
                         "top_logprobs,truncation,stream_options,"
                         "prompt_cache_key,prompt_cache_retention,"
                         "safety_identifier,user", KNOWN),

    { .name = prompt_str_init("tools"), .each = provider_responses_tool },
    { .name = prompt_str_init("tool_choice"),
      .write = provider_responses_choice },

    { .name = prompt_str_init("response_format"),
      .as = prompt_str_init("format"), .group = prompt_str_init("text"),
      .write = provider_responses_format },
    prompt_provider_goes("verbosity", "verbosity", "text"),
    prompt_provider_group("text"),

    prompt_provider_goes("reasoning_effort", "effort", "reasoning"),
    prompt_provider_group("reasoning"),

    prompt_provider_rule("background,context_management,conversation,"
                         "max_tool_calls,metadata,previous_response_id,"
                         "service_tier,store", ALLOWED),
    prompt_provider_rule("audio,frequency_penalty,function_call,functions,"
                         "logit_bias,logprobs,modalities,prediction,"
                         "presence_penalty,seed,stop,top_k,web_search_options",
                         REFUSED),
    prompt_provider_no_param
};

#undef MOST
