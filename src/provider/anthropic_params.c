/*
 * Params in Anthropic's words: its table, and what OpenAI's names become.
 */

#include "provider/provider_impl.h"


/* a function in OpenAI's form; what is in another form passes through */
static void
provider_anthropic_tool(prompt_buf_t *out, const prompt_json_t *tool)
{
    const prompt_json_t  *function;

    function = prompt_provider_get(tool, "function");

    if (prompt_provider_get(function, "name") == NULL) {
        prompt_json_write(out, tool);
        return;
    }

    prompt_buf_char(out, '{');
    prompt_provider_write_function(function, "input_schema", out);

    if (prompt_provider_get(function, "parameters") == NULL) {
        prompt_buf_literal(out, ",\"input_schema\":{\"type\":\"object\"}");
    }

    prompt_provider_write_member(function, "strict", "strict", out);
    prompt_buf_char(out, '}');
}


/* text is what it is anyway */
static void
provider_anthropic_format(const prompt_provider_request_t *request,
    const prompt_json_t *format, prompt_buf_t *out)
{
    const prompt_json_t  *schema;

    (void) request;

    schema = prompt_provider_get(format, "json_schema.schema");

    if (schema != NULL && !prompt_provider_is(format, "text")) {
        prompt_buf_literal(out, "{\"type\":\"json_schema\",\"schema\":");
        prompt_json_write(out, schema);
        prompt_buf_char(out, '}');
    }
}


/* without its end; whether one tool at a time may be asked for in it */
static bool
provider_anthropic_choice(const prompt_json_t *choice, prompt_buf_t *out)
{
    prompt_str_t                     type;
    const prompt_json_t             *name;
    const prompt_provider_choice_t  *known;

    known = prompt_provider_choice(choice);
    name = prompt_provider_get(choice, "function.name");
    type = known != NULL ? known->anthropic
                         : prompt_provider_text_of(choice, "type");
    prompt_buf_char(out, '{');

    if (name != NULL) {
        prompt_provider_write_text("type", prompt_str("tool"), out);
        prompt_provider_write_name(prompt_str("name"), out);
        prompt_json_write(out, name);
        return true;
    }

    if (known != NULL) {
        prompt_provider_write_text("type", type, out);
    } else {
        prompt_provider_write_members(choice, NULL, out);
    }

    return !prompt_str_eq(type, prompt_str("none"))
           && prompt_provider_get(choice, "disable_parallel_tool_use") == NULL;
}


/* parallel_tool_calls is a part of tool_choice, and means nothing without */
void
prompt_anthropic_write_choice(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    bool                  single;
    const prompt_json_t  *choice, *parallel;

    static const prompt_json_t  automatic = {
        .type = PROMPT_JSON_STRING, .text = prompt_str_init("auto")
    };

    choice = prompt_provider_get(request->params, "tool_choice");
    parallel = prompt_provider_get(request->params, "parallel_tool_calls");
    single = parallel != NULL && parallel->type == PROMPT_JSON_BOOLEAN
             && !parallel->boolean
             && prompt_provider_get(request->params, "tools") != NULL;

    if (choice == NULL && !single) {
        return;
    }

    prompt_provider_write_name(prompt_str("tool_choice"), out);

    if (provider_anthropic_choice(choice != NULL ? choice : &automatic, out)
        && single)
    {
        prompt_buf_literal(out, ",\"disable_parallel_tool_use\":true");
    }

    prompt_buf_char(out, '}');
}


/* What values must be: those that other values stand for, or are bounded. */

static const char *
provider_anthropic_wrong_temperature(const prompt_json_t *value)
{
    double  number;

    return prompt_json_double(value, &number) && number <= 1
           ? NULL : "must not be greater than 1 for this model's provider";
}


static const char *
provider_anthropic_wrong_stop(const prompt_json_t *value)
{
    const prompt_json_t  *text;

    text = value->type == PROMPT_JSON_ARRAY ? value->first : value;

    while (text != NULL && text->type == PROMPT_JSON_STRING) {
        text = text == value ? NULL : text->next;
    }

    return text == NULL ? NULL : "must be a string or an array of strings";
}


static const char *
provider_anthropic_wrong_tools(const prompt_json_t *value)
{
    const prompt_json_t  *tool;

    tool = value->type == PROMPT_JSON_ARRAY ? value->first : value;

    while (tool != NULL && tool != value && tool->type == PROMPT_JSON_OBJECT
           && prompt_provider_get(tool, "custom") == NULL)
    {
        tool = tool->next;
    }

    return tool == NULL ? NULL : "must be an array of functions for this "
                                 "model's provider";
}


static const char *
provider_anthropic_wrong_choice(const prompt_json_t *value)
{
    prompt_str_t          type;
    const prompt_json_t  *name;

    if (value->type == PROMPT_JSON_STRING) {
        return prompt_provider_choice(value) != NULL
               ? NULL : "must be \"auto\", \"none\", \"required\" or an "
                        "object for this model's provider";
    }

    type = prompt_provider_text_of(value, "type");
    name = prompt_provider_get(value, "function.name");

    return type.data != NULL
           && (name != NULL
               ? name->type == PROMPT_JSON_STRING
               : prompt_provider_allows(prompt_str("auto,any,tool,none"),
                                        type))
           ? NULL : "must name a function, or be of type auto, any, tool or "
                    "none for this model's provider";
}


static const char *
provider_anthropic_wrong_parallel(const prompt_json_t *value)
{
    return value->type == PROMPT_JSON_BOOLEAN ? NULL : "must be a boolean";
}


static const char *
provider_anthropic_wrong_effort(const prompt_json_t *value)
{
    return value->type == PROMPT_JSON_STRING
           && prompt_provider_allows(prompt_str("low,medium,high,xhigh,max"),
                                     value->text)
           ? NULL : "must be \"low\", \"medium\", \"high\", \"xhigh\" or "
                    "\"max\" for this model's provider";
}


/* JSON of no form cannot be asked for */
static const char *
provider_anthropic_wrong_format(const prompt_json_t *value)
{
    const prompt_json_t  *schema;

    schema = prompt_provider_get(value, "json_schema.schema");

    return prompt_provider_is(value, "text")
           || (prompt_provider_is(value, "json_schema") && schema != NULL
               && schema->type == PROMPT_JSON_OBJECT)
           ? NULL : "must be of type text, or json_schema with a schema, for "
                    "this model's provider";
}


#define CONFIG  "output_config"

const prompt_provider_param_t  prompt_anthropic_params[] = {
    { .name = prompt_str_init("temperature"),
      .wrong = provider_anthropic_wrong_temperature },
    prompt_provider_rule("top_p,top_k", KNOWN),
    { .name = prompt_str_init("max_tokens"), .bound = true },
    { .name = prompt_str_init("max_completion_tokens"), .bound = true,
      .as = prompt_str_init("max_tokens") },
    { .name = prompt_str_init("stop"),
      .as = prompt_str_init("stop_sequences"),
      .each = prompt_json_write,
      .wrong = provider_anthropic_wrong_stop },
    prompt_provider_rule("stop_sequences,system", KNOWN),
    { .name = prompt_str_init("reasoning_effort"),
      .as = prompt_str_init("effort"), .group = prompt_str_init(CONFIG),
      .wrong = provider_anthropic_wrong_effort },
    { .name = prompt_str_init("response_format"),
      .as = prompt_str_init("format"), .group = prompt_str_init(CONFIG),
      .write = provider_anthropic_format,
      .wrong = provider_anthropic_wrong_format },
    prompt_provider_group(CONFIG),
    { .name = prompt_str_init("tools"),
      .each = provider_anthropic_tool,
      .wrong = provider_anthropic_wrong_tools },
    { .name = prompt_str_init("tool_choice"), .rule = PROMPT_PARAM_APART,
      .wrong = provider_anthropic_wrong_choice },
    { .name = prompt_str_init("parallel_tool_calls"),
      .as = prompt_str_init("disable_parallel_tool_use"),
      .group = prompt_str_init("tool_choice"), .rule = PROMPT_PARAM_APART,
      .wrong = provider_anthropic_wrong_parallel },
    prompt_provider_rule("thinking,cache_control,metadata", KNOWN),
    prompt_provider_rule("seed,frequency_penalty,presence_penalty,logit_bias,"
                         "logprobs,top_logprobs,verbosity,functions,"
                         "function_call,stream_options,prompt_cache_key,"
                         "prompt_cache_retention,safety_identifier,user,audio,"
                         "modalities,prediction,store,web_search_options",
                         REFUSED),
    prompt_provider_rule("container,context_management,inference_geo,"
                         "mcp_servers,output_format,service_tier,speed,"
                         "user_profile_id", ALLOWED),
    prompt_provider_no_param
};
