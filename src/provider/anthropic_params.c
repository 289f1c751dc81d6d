/*
 * Params in Anthropic's words: its table, and what OpenAI's names become.
 */

#include "provider/provider_impl.h"


static void
prompt_provider_anthropic_stop(const prompt_json_t *stop, prompt_buf_t *out)
{
    if (stop->type == PROMPT_JSON_ARRAY) {
        prompt_json_write(out, stop);
        return;
    }

    prompt_buf_char(out, '[');
    prompt_json_write(out, stop);
    prompt_buf_char(out, ']');
}


static void
prompt_provider_anthropic_member(const prompt_json_t *from, const char *name,
    const char *as, prompt_buf_t *out)
{
    const prompt_json_t  *value;

    value = prompt_json_get(from, prompt_str_from(name));

    if (value != NULL && value->type != PROMPT_JSON_NULL) {
        prompt_provider_write_name(prompt_str_from(as), out);
        prompt_json_write(out, value);
    }
}


/* a function in OpenAI's form; what is in another form passes through */
static void
prompt_provider_anthropic_tool(const prompt_json_t *tool, prompt_buf_t *out)
{
    const prompt_json_t  *function, *name;

    function = prompt_json_get(tool, prompt_str("function"));
    name = prompt_json_get(function, prompt_str("name"));

    if (name == NULL) {
        prompt_json_write(out, tool);
        return;
    }

    prompt_buf_literal(out, "{\"name\":");
    prompt_json_write(out, name);
    prompt_provider_anthropic_member(function, "description", "description",
                                     out);

    if (prompt_json_get(function, prompt_str("parameters")) != NULL) {
        prompt_provider_anthropic_member(function, "parameters",
                                         "input_schema", out);

    } else {
        prompt_buf_literal(out, ",\"input_schema\":{\"type\":\"object\"}");
    }

    prompt_provider_anthropic_member(function, "strict", "strict", out);
    prompt_buf_char(out, '}');
}


static void
prompt_provider_anthropic_tools(const prompt_json_t *tools, prompt_buf_t *out)
{
    const prompt_json_t  *tool;

    if (tools->type != PROMPT_JSON_ARRAY) {
        prompt_json_write(out, tools);
        return;
    }

    prompt_buf_char(out, '[');

    for (tool = tools->first; tool != NULL; tool = tool->next) {

        if (tool != tools->first) {
            prompt_buf_char(out, ',');
        }

        prompt_provider_anthropic_tool(tool, out);
    }

    prompt_buf_char(out, ']');
}


/* the type that an object says; absent: none */
static prompt_str_t
prompt_provider_anthropic_type(const prompt_json_t *value)
{
    const prompt_json_t  *type;

    type = prompt_json_get(value, prompt_str("type"));

    return type != NULL && type->type == PROMPT_JSON_STRING
           ? type->text : prompt_str_absent;
}


/* OpenAI's names of a choice, and Anthropic's types of it */
static const struct {
    prompt_str_t  name;
    prompt_str_t  type;
} prompt_provider_anthropic_choices[] = {
    { prompt_str_init("auto"),     prompt_str_init("auto") },
    { prompt_str_init("none"),     prompt_str_init("none") },
    { prompt_str_init("required"), prompt_str_init("any") }
};


/* absent: there is no such choice */
static prompt_str_t
prompt_provider_anthropic_choice_type(prompt_str_t name)
{
    size_t  i;

    for (i = 0; i < sizeof(prompt_provider_anthropic_choices)
                    / sizeof(prompt_provider_anthropic_choices[0]); i++)
    {
        if (prompt_str_eq(name, prompt_provider_anthropic_choices[i].name)) {
            return prompt_provider_anthropic_choices[i].type;
        }
    }

    return prompt_str_absent;
}


/*
 * An object without its end, and without a member of that name (NULL: with
 * all); what stands before the next member.
 */
static const char *
prompt_provider_anthropic_members(const prompt_json_t *object,
    const char *without, prompt_buf_t *out)
{
    const char           *before;
    const prompt_json_t  *member;

    before = "{";

    for (member = object != NULL ? object->first : NULL;
         member != NULL;
         member = member->next)
    {
        if (without == NULL
            || !prompt_str_eq(member->name, prompt_str_from(without)))
        {
            prompt_buf_printf(out, "%s", before);
            prompt_json_write_string(out, member->name);
            prompt_buf_char(out, ':');
            prompt_json_write(out, member);
            before = ",";
        }
    }

    return before;
}


/* without its end; closed: it may not be told to call one tool at a time */
static void
prompt_provider_anthropic_choice(const prompt_json_t *choice,
    prompt_buf_t *out, bool *closed)
{
    prompt_str_t          type;
    const prompt_json_t  *name;

    if (choice == NULL || choice->type == PROMPT_JSON_STRING) {
        type = prompt_provider_anthropic_choice_type(
                   choice != NULL ? choice->text : prompt_str("auto"));
        *closed = prompt_str_eq(type, prompt_str("none"));

        prompt_buf_literal(out, "{\"type\":");
        prompt_json_write_string(out, type);
        return;
    }

    name = prompt_json_get(prompt_json_get(choice, prompt_str("function")),
                           prompt_str("name"));
    *closed = false;

    if (name != NULL) {
        prompt_buf_literal(out, "{\"type\":\"tool\",\"name\":");
        prompt_json_write(out, name);
        return;
    }

    (void) prompt_provider_anthropic_members(choice, NULL, out);

    *closed = prompt_json_get(choice, prompt_str("disable_parallel_tool_use"))
              != NULL
              || prompt_str_eq(prompt_provider_anthropic_type(choice),
                               prompt_str("none"));
}


/* parallel_tool_calls is a part of tool_choice, and means nothing without */
static void
prompt_provider_anthropic_choose(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    bool                  single, closed;
    const prompt_json_t  *choice, *parallel;

    choice = prompt_json_get(request->params, prompt_str("tool_choice"));
    parallel = prompt_json_get(request->params,
                               prompt_str("parallel_tool_calls"));
    single = parallel != NULL && parallel->type == PROMPT_JSON_BOOLEAN
             && !parallel->boolean
             && prompt_json_get(request->params, prompt_str("tools")) != NULL;

    if (choice != NULL ? choice->type == PROMPT_JSON_NULL : !single) {
        return;
    }

    prompt_provider_write_name(prompt_str("tool_choice"), out);
    prompt_provider_anthropic_choice(choice, out, &closed);

    if (single && !closed) {
        prompt_buf_literal(out, ",\"disable_parallel_tool_use\":true");
    }

    prompt_buf_char(out, '}');
}


/* what structured output is to be: the version's schema, or that of params */
static const prompt_json_t *
prompt_provider_anthropic_schema(const prompt_provider_request_t *request)
{
    const prompt_json_t  *format;

    if (request->output_schema != NULL) {
        return request->output_schema;
    }

    format = prompt_json_get(request->params, prompt_str("response_format"));

    if (prompt_str_eq(prompt_provider_anthropic_type(format),
                      prompt_str("text")))
    {
        return NULL;
    }

    return prompt_json_get(prompt_json_get(format, prompt_str("json_schema")),
                           prompt_str("schema"));
}


/* output_config: that of params, with what is said of it by other names */
static void
prompt_provider_anthropic_config(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    const char           *before;
    const prompt_json_t  *config, *effort, *schema;

    config = prompt_json_get(request->params, prompt_str("output_config"));
    effort = prompt_json_get(request->params, prompt_str("reasoning_effort"));
    schema = prompt_provider_anthropic_schema(request);

    if (config == NULL && effort == NULL && schema == NULL) {
        return;
    }

    prompt_provider_write_name(prompt_str("output_config"), out);
    before = prompt_provider_anthropic_members(config, schema != NULL
                                                       ? "format" : NULL, out);

    if (effort != NULL && prompt_json_get(config, prompt_str("effort")) == NULL)
    {
        prompt_buf_printf(out, "%s\"effort\":", before);
        prompt_json_write(out, effort);
        before = ",";
    }

    if (schema != NULL) {
        prompt_buf_printf(out, "%s\"format\":{\"type\":\"json_schema\","
                          "\"schema\":", before);
        prompt_json_write(out, schema);
        prompt_buf_char(out, '}');
        before = "";
    }

    prompt_buf_printf(out, "%s}", before[0] == '{' ? before : "");
}


/* What values must be: those that other values stand for, or are bounded. */

static const char *
prompt_provider_anthropic_wrong_temperature(const prompt_json_t *value)
{
    double  number;

    return prompt_json_double(value, &number) && number <= 1
           ? NULL : "must not be greater than 1 for this model's provider";
}


static const char *
prompt_provider_anthropic_wrong_stop(const prompt_json_t *value)
{
    const prompt_json_t  *text;

    text = value->type == PROMPT_JSON_ARRAY ? value->first : value;

    while (text != NULL && text->type == PROMPT_JSON_STRING) {
        text = text == value ? NULL : text->next;
    }

    return text == NULL ? NULL : "must be a string or an array of strings";
}


static const char *
prompt_provider_anthropic_wrong_tools(const prompt_json_t *value)
{
    const prompt_json_t  *tool;

    tool = value->type == PROMPT_JSON_ARRAY ? value->first : value;

    while (tool != NULL && tool != value && tool->type == PROMPT_JSON_OBJECT
           && prompt_json_get(tool, prompt_str("custom")) == NULL)
    {
        tool = tool->next;
    }

    return tool == NULL ? NULL : "must be an array of functions for this "
                                 "model's provider";
}


static const char *
prompt_provider_anthropic_wrong_choice(const prompt_json_t *value)
{
    prompt_str_t          type;
    const prompt_json_t  *name;

    if (value->type == PROMPT_JSON_STRING) {
        return prompt_provider_anthropic_choice_type(value->text).data != NULL
               ? NULL : "must be \"auto\", \"none\", \"required\" or an "
                        "object for this model's provider";
    }

    type = prompt_provider_anthropic_type(value);
    name = prompt_json_get(prompt_json_get(value, prompt_str("function")),
                           prompt_str("name"));

    return type.data != NULL
           && (name != NULL
               ? name->type == PROMPT_JSON_STRING
               : prompt_provider_allows(prompt_str("auto,any,tool,none"),
                                        type))
           ? NULL : "must name a function, or be of type auto, any, tool or "
                    "none for this model's provider";
}


static const char *
prompt_provider_anthropic_wrong_parallel(const prompt_json_t *value)
{
    return value->type == PROMPT_JSON_BOOLEAN ? NULL : "must be a boolean";
}


static const char *
prompt_provider_anthropic_wrong_effort(const prompt_json_t *value)
{
    return value->type == PROMPT_JSON_STRING
           && prompt_provider_allows(prompt_str("low,medium,high,xhigh,max"),
                                     value->text)
           ? NULL : "must be \"low\", \"medium\", \"high\", \"xhigh\" or "
                    "\"max\" for this model's provider";
}


static const char *
prompt_provider_anthropic_wrong_config(const prompt_json_t *value)
{
    return value->type == PROMPT_JSON_OBJECT ? NULL : "must be an object";
}


/* text is what it is anyway; JSON of no form cannot be asked for */
static const char *
prompt_provider_anthropic_wrong_format(const prompt_json_t *value)
{
    prompt_str_t          type;
    const prompt_json_t  *schema;

    type = prompt_provider_anthropic_type(value);
    schema = prompt_json_get(prompt_json_get(value, prompt_str("json_schema")),
                             prompt_str("schema"));

    if (prompt_str_eq(type, prompt_str("text"))
        || (prompt_str_eq(type, prompt_str("json_schema")) && schema != NULL
            && schema->type == PROMPT_JSON_OBJECT))
    {
        return NULL;
    }

    return "must be of type text, or json_schema with a schema, for this "
           "model's provider";
}


#define param(name, as, group, write, rule, wrong)                            \
    { prompt_str_init(name), as, group, write, PROMPT_PARAM_##rule,           \
      prompt_provider_anthropic_wrong_##wrong }

#define SAME      { NULL, 0 }
#define AS(name)  prompt_str_init(name)

const prompt_provider_param_t  prompt_provider_anthropic_params[] = {
    param("temperature", SAME, SAME, NULL, KNOWN, temperature),
    prompt_provider_rule("top_p", KNOWN),
    prompt_provider_rule("top_k", KNOWN),
    prompt_provider_rule("max_tokens", KNOWN),
    { .name = prompt_str_init("max_completion_tokens"),
      .as = prompt_str_init("max_tokens") },
    param("stop", AS("stop_sequences"), SAME, prompt_provider_anthropic_stop,
          KNOWN, stop),
    prompt_provider_rule("stop_sequences", KNOWN),
    prompt_provider_rule("system", KNOWN),
    param("reasoning_effort", AS("effort"), AS("output_config"), NULL, APART,
          effort),
    param("response_format", AS("format"), AS("output_config"), NULL, APART,
          format),
    param("output_config", SAME, SAME, NULL, APART, config),
    param("tools", SAME, SAME, prompt_provider_anthropic_tools, KNOWN, tools),
    param("tool_choice", SAME, SAME, NULL, APART, choice),
    param("parallel_tool_calls", AS("disable_parallel_tool_use"),
          AS("tool_choice"), NULL, APART, parallel),
    prompt_provider_rule("thinking", KNOWN),
    prompt_provider_rule("cache_control", KNOWN),
    prompt_provider_rule("metadata", KNOWN),

    prompt_provider_rule("seed", REFUSED),
    prompt_provider_rule("frequency_penalty", REFUSED),
    prompt_provider_rule("presence_penalty", REFUSED),
    prompt_provider_rule("logit_bias", REFUSED),
    prompt_provider_rule("logprobs", REFUSED),
    prompt_provider_rule("top_logprobs", REFUSED),
    prompt_provider_rule("verbosity", REFUSED),
    prompt_provider_rule("functions", REFUSED),
    prompt_provider_rule("function_call", REFUSED),
    prompt_provider_rule("stream_options", REFUSED),
    prompt_provider_rule("prompt_cache_key", REFUSED),
    prompt_provider_rule("prompt_cache_retention", REFUSED),
    prompt_provider_rule("safety_identifier", REFUSED),
    prompt_provider_rule("user", REFUSED),
    prompt_provider_rule("audio", REFUSED),
    prompt_provider_rule("modalities", REFUSED),
    prompt_provider_rule("prediction", REFUSED),
    prompt_provider_rule("store", REFUSED),
    prompt_provider_rule("web_search_options", REFUSED),

    prompt_provider_rule("container", ALLOWED),
    prompt_provider_rule("context_management", ALLOWED),
    prompt_provider_rule("inference_geo", ALLOWED),
    prompt_provider_rule("mcp_servers", ALLOWED),
    prompt_provider_rule("output_format", ALLOWED),
    prompt_provider_rule("service_tier", ALLOWED),
    prompt_provider_rule("speed", ALLOWED),
    prompt_provider_rule("user_profile_id", ALLOWED),
    prompt_provider_no_param
};

#undef param
#undef SAME
#undef AS


void
prompt_provider_anthropic_write_params(
    const prompt_provider_request_t *request, prompt_buf_t *out)
{
    prompt_provider_write_params(request, prompt_provider_anthropic_params,
                                 out);
    prompt_provider_anthropic_choose(request, out);
    prompt_provider_anthropic_config(request, out);
}
