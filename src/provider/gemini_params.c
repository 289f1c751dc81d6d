/*
 * Params in Google's words: what OpenAI's names become.
 */

#include "provider/gemini.h"


static void
provider_gemini_word(const prompt_json_t *word, prompt_buf_t *out)
{
    prompt_json_write(out, word);
}


static void
provider_gemini_stop(const prompt_json_t *stop, prompt_buf_t *out)
{
    prompt_provider_write_each(stop, out, provider_gemini_word);
}


/* a function in OpenAI's form, without the braces around all of them */
static void
provider_gemini_function(const prompt_json_t *function, prompt_buf_t *out)
{
    prompt_buf_char(out, '{');
    prompt_provider_write_member(function, "name", "name", out);
    prompt_provider_write_member(function, "description", "description", out);
    prompt_provider_write_member(function, "parameters",
                                 "parametersJsonSchema", out);
    prompt_buf_char(out, '}');
}


/* functions in OpenAI's form are one tool; others pass through */
static void
provider_gemini_tools(const prompt_json_t *tools, prompt_buf_t *out)
{
    bool                  any;
    const prompt_json_t  *tool, *function;

    any = false;
    prompt_buf_char(out, '[');

    for (tool = tools->first; tool != NULL; tool = tool->next) {
        function = prompt_json_get(tool, prompt_str("function"));

        if (function != NULL) {
            if (any) {
                prompt_buf_char(out, ',');
            } else {
                prompt_buf_literal(out, "{\"functionDeclarations\":[");
            }

            provider_gemini_function(function, out);
            any = true;
        }
    }

    if (any) {
        prompt_buf_literal(out, "]}");
    }

    for (tool = tools->first; tool != NULL; tool = tool->next) {

        if (prompt_json_get(tool, prompt_str("function")) == NULL) {
            if (any) {
                prompt_buf_char(out, ',');
            }

            prompt_json_write(out, tool);
            any = true;
        }
    }

    prompt_buf_char(out, ']');
}


static const struct {
    prompt_str_t  name;              /* OpenAI's */
    prompt_str_t  mode;
} provider_gemini_modes[] = {
    { prompt_str_init("auto"),     prompt_str_init("AUTO") },
    { prompt_str_init("none"),     prompt_str_init("NONE") },
    { prompt_str_init("required"), prompt_str_init("ANY") }
};


/* absent: there is no such choice */
static prompt_str_t
provider_gemini_mode(const prompt_json_t *choice)
{
    size_t  i;

    for (i = 0; choice->type == PROMPT_JSON_STRING && i < 3; i++) {
        if (prompt_str_eq(choice->text, provider_gemini_modes[i].name)) {
            return provider_gemini_modes[i].mode;
        }
    }

    return prompt_str_absent;
}


/* of the function that is to be called; absent: any */
static prompt_str_t
provider_gemini_chosen(const prompt_json_t *choice)
{
    const prompt_json_t  *function;

    function = prompt_json_get(choice, prompt_str("function"));

    return prompt_provider_text_of(function, "name");
}


static void
provider_gemini_choice(const prompt_json_t *choice, prompt_buf_t *out)
{
    prompt_str_t  mode, name;

    mode = provider_gemini_mode(choice);
    name = provider_gemini_chosen(choice);

    prompt_buf_literal(out, "{\"functionCallingConfig\":{");
    prompt_provider_write_text("mode", mode.data != NULL ? mode
                                                         : prompt_str("ANY"),
                               out);

    if (name.data != NULL) {
        prompt_buf_literal(out, ",\"allowedFunctionNames\":[");
        prompt_json_write_string(out, name);
        prompt_buf_char(out, ']');
    }

    prompt_buf_literal(out, "}}");
}


static const char *
provider_gemini_wrong_choice(const prompt_json_t *choice)
{
    return provider_gemini_mode(choice).data != NULL
           || provider_gemini_chosen(choice).data != NULL
           ? NULL : "must be \"auto\", \"none\", \"required\" or a function";
}


/* the type of what is to come, and, where there is one, its schema */
static void
provider_gemini_format(const prompt_json_t *format, prompt_buf_t *out)
{
    const prompt_json_t  *schema;

    schema = prompt_json_get(format, prompt_str("json_schema"));

    if (prompt_str_eq(prompt_provider_text_of(format, "type"),
                      prompt_str("text")))
    {
        prompt_buf_literal(out, "\"text/plain\"");
        return;
    }

    prompt_buf_literal(out, "\"application/json\"");
    prompt_provider_write_member(schema, "schema", "responseJsonSchema", out);
}


static const char *
provider_gemini_wrong_format(const prompt_json_t *format)
{
    prompt_str_t  type;

    type = prompt_provider_text_of(format, "type");

    return prompt_str_eq(type, prompt_str("text"))
           || prompt_str_eq(type, prompt_str("json_object"))
           || prompt_str_eq(type, prompt_str("json_schema"))
           ? NULL : "must have a type: \"text\", \"json_object\" or "
                    "\"json_schema\"";
}


/* what OpenAI's words for an effort are: a level, and before that tokens */
static const struct {
    prompt_str_t  effort;
    prompt_str_t  level;
    const char   *budget;
} provider_gemini_efforts[] = {
    { prompt_str_init("none"),    prompt_str_init("minimal"), "0" },
    { prompt_str_init("minimal"), prompt_str_init("minimal"), "1024" },
    { prompt_str_init("low"),     prompt_str_init("low"),     "1024" },
    { prompt_str_init("medium"),  prompt_str_init("medium"),  "8192" },
    { prompt_str_init("high"),    prompt_str_init("high"),    "24576" }
};

#define PROVIDER_GEMINI_EFFORTS  5


/* PROVIDER_GEMINI_EFFORTS: there is no such one */
static size_t
provider_gemini_effort_of(const prompt_json_t *effort)
{
    size_t  i;

    i = 0;

    while (i < PROVIDER_GEMINI_EFFORTS
           && (effort->type != PROMPT_JSON_STRING
               || !prompt_str_eq(effort->text,
                                 provider_gemini_efforts[i].effort)))
    {
        i++;
    }

    return i;
}


static void
provider_gemini_effort(const prompt_json_t *effort, prompt_buf_t *out)
{
    size_t  i;

    i = provider_gemini_effort_of(effort);

    prompt_buf_literal(out, "{\"thinkingLevel\":");
    prompt_json_write_string(out, i < PROVIDER_GEMINI_EFFORTS
                                  ? provider_gemini_efforts[i].level
                                  : effort->text);
    prompt_buf_char(out, '}');
}


static void
provider_gemini_budget(const prompt_json_t *effort, prompt_buf_t *out)
{
    size_t  i;

    i = provider_gemini_effort_of(effort);

    prompt_buf_printf(out, "{\"thinkingBudget\":%s}",
                      i < PROVIDER_GEMINI_EFFORTS
                      ? provider_gemini_efforts[i].budget : "-1");
}


static const char *
provider_gemini_wrong_effort(const prompt_json_t *effort)
{
    return provider_gemini_effort_of(effort) < PROVIDER_GEMINI_EFFORTS
           ? NULL : "must be \"none\", \"minimal\", \"low\", \"medium\" or "
                    "\"high\"";
}


/* what has no name of OpenAI's, and neither bills nor answers otherwise */
static const char *
provider_gemini_wrong_config(const prompt_json_t *config)
{
    size_t                i;
    const prompt_json_t  *value;

    static const char *const  known[] = {
        "logprobs", "mediaResolution", "responseJsonSchema",
        "responseLogprobs", "responseMimeType", "responseSchema",
        "thinkingConfig", "topK"
    };

    if (config->type != PROMPT_JSON_OBJECT) {
        return "must be an object";
    }

    for (value = config->first; value != NULL; value = value->next) {

        for (i = 0; !prompt_str_eq(value->name, prompt_str_from(known[i])); i++)
        {
            if (i + 1 == sizeof(known) / sizeof(known[0])) {
                return "has a member that goes by another name, such as "
                       "temperature beside it, or is not sent";
            }
        }
    }

    return NULL;
}


#define CONFIG  "generationConfig"

const prompt_provider_param_t  prompt_gemini_params[] = {
    prompt_provider_goes("temperature", "temperature", CONFIG),
    prompt_provider_goes("top_p", "topP", CONFIG),
    prompt_provider_goes("top_k", "topK", CONFIG),
    prompt_provider_goes("max_tokens", "maxOutputTokens", CONFIG),
    prompt_provider_goes("max_completion_tokens", "maxOutputTokens", CONFIG),
    prompt_provider_goes("seed", "seed", CONFIG),
    prompt_provider_goes("presence_penalty", "presencePenalty", CONFIG),
    prompt_provider_goes("frequency_penalty", "frequencyPenalty", CONFIG),
    prompt_provider_goes("logprobs", "responseLogprobs", CONFIG),
    prompt_provider_goes("top_logprobs", "logprobs", CONFIG),

    { .name = prompt_str_init("stop"),
      .as = prompt_str_init("stopSequences"),
      .group = prompt_str_init(CONFIG),
      .write = provider_gemini_stop },
    { .name = prompt_str_init("response_format"),
      .as = prompt_str_init("responseMimeType"),
      .group = prompt_str_init(CONFIG),
      .write = provider_gemini_format,
      .wrong = provider_gemini_wrong_format },
    { .name = prompt_str_init("reasoning_effort"),
      .as = prompt_str_init("thinkingConfig"),
      .group = prompt_str_init(CONFIG),
      .write = provider_gemini_effort,
      .wrong = provider_gemini_wrong_effort },
    { .name = prompt_str_init(CONFIG),
      .group = prompt_str_init(CONFIG),
      .wrong = provider_gemini_wrong_config },

    { .name = prompt_str_init("tools"),
      .write = provider_gemini_tools },
    { .name = prompt_str_init("tool_choice"),
      .as = prompt_str_init("toolConfig"),
      .write = provider_gemini_choice,
      .wrong = provider_gemini_wrong_choice },
    prompt_provider_rule("toolConfig", KNOWN),
    prompt_provider_rule("safetySettings", KNOWN),
    prompt_provider_rule("systemInstruction", KNOWN),

    prompt_provider_rule("cachedContent", ALLOWED),
    prompt_provider_rule("labels", ALLOWED),
    prompt_provider_rule("serviceTier", ALLOWED),
    prompt_provider_rule("store", ALLOWED),

    prompt_provider_rule("audio", REFUSED),
    prompt_provider_rule("contents", REFUSED),
    prompt_provider_rule("function_call", REFUSED),
    prompt_provider_rule("functions", REFUSED),
    prompt_provider_rule("logit_bias", REFUSED),
    prompt_provider_rule("metadata", REFUSED),
    prompt_provider_rule("modalities", REFUSED),
    prompt_provider_rule("parallel_tool_calls", REFUSED),
    prompt_provider_rule("prediction", REFUSED),
    prompt_provider_rule("service_tier", REFUSED),
    prompt_provider_rule("user", REFUSED),
    prompt_provider_rule("verbosity", REFUSED),
    prompt_provider_rule("web_search_options", REFUSED),
    prompt_provider_no_param
};

#undef CONFIG


/* Models of the second generation count what they think in tokens. */
bool
prompt_gemini_counts(const prompt_provider_request_t *request)
{
    return request->model.len >= 8
           && memcmp(request->model.data, "gemini-2", 8) == 0;
}


void
prompt_gemini_write_params(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    size_t                   i;
    prompt_provider_param_t  params[sizeof(prompt_gemini_params)
                                    / sizeof(prompt_gemini_params[0])];

    memcpy(params, prompt_gemini_params, sizeof(params));

    for (i = 0; params[i].name.data != NULL; i++) {
        if (params[i].write == provider_gemini_effort
            && prompt_gemini_counts(request))
        {
            params[i].write = provider_gemini_budget;
        }
    }

    prompt_provider_write_all(request, params, out);
}
