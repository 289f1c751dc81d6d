/*
 * Params in Google's words: what OpenAI's names become.
 */

#include "provider/gemini.h"


/* functions in OpenAI's form are one tool; others pass through */
static void
provider_gemini_tools(const prompt_provider_request_t *request,
    const prompt_json_t *tools, prompt_buf_t *out)
{
    bool                  any;
    const prompt_json_t  *tool, *function;

    (void) request;

    any = false;
    prompt_buf_char(out, '[');

    for (tool = tools->first; tool != NULL; tool = tool->next) {
        function = prompt_provider_get(tool, "function");

        if (function != NULL) {
            prompt_buf_str(out, any ? prompt_str(",{")
                                : prompt_str("{\"functionDeclarations\":[{"));
            prompt_provider_write_function(function, "parametersJsonSchema",
                                           out);
            prompt_buf_char(out, '}');
            any = true;
        }
    }

    prompt_buf_str(out, any ? prompt_str("]}") : prompt_str(""));

    for (tool = tools->first; tool != NULL; tool = tool->next) {

        if (prompt_provider_get(tool, "function") == NULL) {
            prompt_provider_write_next(out);
            prompt_json_write(out, tool);
        }
    }

    prompt_buf_char(out, ']');
}


static void
provider_gemini_choice(const prompt_provider_request_t *request,
    const prompt_json_t *choice, prompt_buf_t *out)
{
    prompt_str_t                     name;
    const prompt_provider_choice_t  *known;

    (void) request;

    known = prompt_provider_choice(choice);
    name = prompt_provider_text_of(choice, "function.name");

    prompt_buf_literal(out, "{\"functionCallingConfig\":{");
    prompt_provider_write_text("mode", known != NULL ? known->gemini
                                                     : prompt_str("ANY"), out);

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
    return prompt_provider_choice(choice) != NULL
           || prompt_provider_text_of(choice, "function.name").data != NULL
           ? NULL : "must be \"auto\", \"none\", \"required\" or a function";
}


/* the type of what is to come, and, where there is one, its schema */
static void
provider_gemini_format(const prompt_provider_request_t *request,
    const prompt_json_t *format, prompt_buf_t *out)
{
    (void) request;

    if (prompt_provider_is(format, "text")) {
        prompt_buf_literal(out, "\"text/plain\"");
        return;
    }

    prompt_buf_literal(out, "\"application/json\"");
    prompt_provider_write_member(format, "json_schema.schema",
                                 "responseJsonSchema", out);
}


static const char *
provider_gemini_wrong_format(const prompt_json_t *format)
{
    return prompt_provider_allows(prompt_str("text,json_object,json_schema"),
                                  prompt_provider_text_of(format, "type"))
           ? NULL : "must have a type: \"text\", \"json_object\" or "
                    "\"json_schema\"";
}


/* what OpenAI's words for an effort are: a level, and before that tokens */
typedef struct {
    prompt_str_t  effort;
    prompt_str_t  level;
    const char   *budget;
} provider_gemini_effort_t;

static const provider_gemini_effort_t  provider_gemini_efforts[] = {
    { prompt_str_init("none"),    prompt_str_init("minimal"), "0" },
    { prompt_str_init("minimal"), prompt_str_init("minimal"), "1024" },
    { prompt_str_init("low"),     prompt_str_init("low"),     "1024" },
    { prompt_str_init("medium"),  prompt_str_init("medium"),  "8192" },
    { prompt_str_init("high"),    prompt_str_init("high"),    "24576" }
};


/* NULL: there is no such one */
static const provider_gemini_effort_t *
provider_gemini_effort_of(const prompt_json_t *effort)
{
    size_t  i;

    for (i = 0; effort->type == PROMPT_JSON_STRING && i < 5; i++) {
        if (prompt_str_eq(effort->text, provider_gemini_efforts[i].effort)) {
            return &provider_gemini_efforts[i];
        }
    }

    return NULL;
}


/* Models of the second generation count what they think in tokens. */
bool
prompt_gemini_counts(const prompt_provider_request_t *request)
{
    return request->model.len >= 8
           && memcmp(request->model.data, "gemini-2", 8) == 0;
}


static void
provider_gemini_effort(const prompt_provider_request_t *request,
    const prompt_json_t *effort, prompt_buf_t *out)
{
    const provider_gemini_effort_t  *known;

    known = provider_gemini_effort_of(effort);

    if (prompt_gemini_counts(request)) {
        prompt_buf_printf(out, "{\"thinkingBudget\":%s}",
                          known != NULL ? known->budget : "-1");
        return;
    }

    prompt_buf_char(out, '{');
    prompt_provider_write_text("thinkingLevel", known != NULL ? known->level
                                                              : effort->text,
                               out);
    prompt_buf_char(out, '}');
}


static const char *
provider_gemini_wrong_effort(const prompt_json_t *effort)
{
    return provider_gemini_effort_of(effort) != NULL
           ? NULL : "must be \"none\", \"minimal\", \"low\", \"medium\" or "
                    "\"high\"";
}


/* what has no name of OpenAI's, and neither bills nor answers otherwise */
static const char *
provider_gemini_wrong_config(const prompt_json_t *config)
{
    const prompt_json_t  *value;

    if (config->type != PROMPT_JSON_OBJECT) {
        return "must be an object";
    }

    for (value = config->first; value != NULL; value = value->next) {

        if (!prompt_provider_allows(prompt_str("logprobs,mediaResolution,"
                                               "responseJsonSchema,"
                                               "responseLogprobs,"
                                               "responseMimeType,"
                                               "responseSchema,"
                                               "thinkingConfig,topK"),
                                    value->name))
        {
            return "has a member that goes by another name, such as "
                   "temperature beside it, or is not sent";
        }
    }

    return NULL;
}


#define CONFIG  "generationConfig"
#define MOST    prompt_str_init("maxOutputTokens")

const prompt_provider_param_t  prompt_gemini_params[] = {
    prompt_provider_goes("temperature", "temperature", CONFIG),
    prompt_provider_goes("top_p", "topP", CONFIG),
    prompt_provider_goes("top_k", "topK", CONFIG),
    { .name = prompt_str_init("max_tokens"), .as = MOST,
      .group = prompt_str_init(CONFIG), .bound = true },
    { .name = prompt_str_init("max_completion_tokens"), .as = MOST,
      .group = prompt_str_init(CONFIG), .bound = true },
    prompt_provider_goes("seed", "seed", CONFIG),
    prompt_provider_goes("presence_penalty", "presencePenalty", CONFIG),
    prompt_provider_goes("frequency_penalty", "frequencyPenalty", CONFIG),
    prompt_provider_goes("logprobs", "responseLogprobs", CONFIG),
    prompt_provider_goes("top_logprobs", "logprobs", CONFIG),

    { .name = prompt_str_init("stop"),
      .as = prompt_str_init("stopSequences"),
      .group = prompt_str_init(CONFIG),
      .each = prompt_json_write },
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

    { .name = prompt_str_init("tools"), .write = provider_gemini_tools },
    { .name = prompt_str_init("tool_choice"),
      .as = prompt_str_init("toolConfig"),
      .write = provider_gemini_choice,
      .wrong = provider_gemini_wrong_choice },
    prompt_provider_rule("toolConfig,safetySettings,systemInstruction", KNOWN),
    prompt_provider_rule("cachedContent,labels,serviceTier,store", ALLOWED),
    prompt_provider_rule("audio,contents,function_call,functions,logit_bias,"
                         "metadata,modalities,parallel_tool_calls,prediction,"
                         "service_tier,user,verbosity,web_search_options",
                         REFUSED),
    prompt_provider_no_param
};

#undef CONFIG
#undef MOST
