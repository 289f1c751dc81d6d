/*
 * Members of a body by a table: what changes nothing, what must be as it is
 * anyway, what has another name in params.  All that is not in it overrides
 * params under its own name, and the table of the provider's format decides.
 * README.md has the table in words.
 */

#include "openai/ngx_http_prompt_openai_impl.h"


#define CHAT       1
#define RESPONSES  2
#define BOTH       (CHAT|RESPONSES)


typedef struct openai_param_s  openai_param_t;

struct openai_param_s {
    prompt_str_t    name;
    ngx_uint_t      apis;

    /* NULL: read elsewhere, or at fault; false: it goes under its own name */
    bool          (*take)(openai_request_t *rq, const openai_param_t *param,
                          const prompt_json_t *value);
    const char     *word;            /* the usual value, or another name */
    const char     *why;             /* it must have that one */
    prompt_json_type_t  type;        /* that it must be; null: any */
};


/* what a response says of the request, and where that says nothing */
static const char *const  openai_echoes[][2] = {
    { "instructions", "null" }, { "max_output_tokens", "null" },
    { "max_tool_calls", "null" }, { "metadata", "{}" },
    { "parallel_tool_calls", "true" },
    { "reasoning", "{\"effort\":null,\"summary\":null}" },
    { "safety_identifier", "null" }, { "temperature", "null" },
    { "text", "{\"format\":{\"type\":\"text\"}}" },
    { "tool_choice", "\"auto\"" }, { "tools", "[]" }, { "top_p", "null" },
    { "user", "null" }
};


/* why NULL: another value is passed on */
static bool
openai_take_usual(openai_request_t *rq, const openai_param_t *param,
    const prompt_json_t *value)
{
    prompt_str_t  text;

    text = value->type == PROMPT_JSON_BOOLEAN
           ? prompt_str_from(value->boolean ? "true" : "false")
           : value->text;

    if (text.len != 0 && prompt_str_eq(text, prompt_str_from(param->word))) {
        return true;
    }

    if (param->why != NULL) {
        openai_wrong(rq, param->why, "%s", param->name.data);
    }

    return param->why != NULL;
}


/*
 * The other name of the same limit, which is word, is taken away; where both
 * are given they must say the same.
 */
static bool
openai_take_limit(openai_request_t *rq, const openai_param_t *param,
    const prompt_json_t *value)
{
    const prompt_json_t  *other;

    other = openai_get(rq->body, param->word);

    if (other != NULL && !prompt_json_equal(other, value)) {
        openai_wrong(rq, "says something else than what stands beside it",
                     "%s", param->name.data);
    }

    if (other != NULL && prompt_str_eq(param->name, prompt_str("max_tokens")))
    {
        return true;
    }

    openai_put(rq, rq->overrides, param->word,
               openai_new(rq, PROMPT_JSON_NULL));

    return false;
}


static bool
openai_take_output_limit(openai_request_t *rq, const openai_param_t *param,
    const prompt_json_t *value)
{
    openai_put(rq, rq->overrides, "max_tokens", value);
    openai_put(rq, rq->overrides, param->word,
               openai_new(rq, PROMPT_JSON_NULL));

    return true;
}


static bool
openai_take_modalities(openai_request_t *rq, const openai_param_t *param,
    const prompt_json_t *value)
{
    if (value->type != PROMPT_JSON_ARRAY || value->count != 1
        || !openai_is(value->first, "text"))
    {
        openai_wrong(rq, "must be [\"text\"]", "%s", param->name.data);
    }

    return true;
}


static bool
openai_take_metadata(openai_request_t *rq, const openai_param_t *param,
    const prompt_json_t *value)
{
    openai_put(rq, rq->variables, param->name.data, value);

    return true;
}


static bool
openai_take_subject(openai_request_t *rq, const openai_param_t *param,
    const prompt_json_t *value)
{
    prompt_str_t          text;
    const prompt_json_t  *subject;

    text = openai_text(rq, rq->body, param->name.data, "");
    subject = openai_get(rq->variables, "subject");

    if (subject != NULL && !prompt_str_eq(subject->text, text)) {
        openai_wrong(rq, "says something else than what stands beside it",
                     "%s", param->name.data);
    }

    /* splits go by users: others are for the provider's purposes */

    if (subject == NULL) {
        rq->ctx->op.job.beside.chance =
                          !prompt_str_eq(param->name, prompt_str("user"));
        rq->subject_at = param->name.data;
        openai_put(rq, rq->variables, "subject", value);
    }

    return true;
}


/* What goes back to a provider is always told. */
static bool
openai_take_include(openai_request_t *rq, const openai_param_t *param,
    const prompt_json_t *value)
{
    unsigned              i;
    const prompt_json_t  *element;

    (void) param;

    for (i = 0, element = value->first; element != NULL;
         i++, element = element->next)
    {
        if (!openai_is(element, "reasoning.encrypted_content")) {
            openai_wrong(rq, "is not told here: only "
                         "reasoning.encrypted_content is", "include[%u]", i);
        }
    }

    return true;
}


/*
 * {type, name, …} of responses as {type, as: {name, …}} of chat, where it is of
 * that type and is not so already.
 */
static const prompt_json_t *
openai_deeper(openai_request_t *rq, const prompt_json_t *value,
    const char *type)
{
    prompt_json_t        *outer, *inner;
    const prompt_json_t  *member;

    if (!openai_is(openai_get(value, "type"), type)
        || openai_get(value, type) != NULL)
    {
        return value;
    }

    outer = openai_new(rq, PROMPT_JSON_OBJECT);
    inner = openai_new(rq, PROMPT_JSON_OBJECT);

    for (member = value->first; member != NULL; member = member->next) {

        if (member->type != PROMPT_JSON_NULL) {
            openai_put(rq, prompt_str_eq(member->name, prompt_str("type"))
                           ? outer : inner, NULL, member);
        }
    }

    openai_put(rq, outer, type, inner);

    return outer;
}


/* text: {format, verbosity}; reasoning: {effort}, whose summary is not told */
static bool
openai_take_object(openai_request_t *rq, const openai_param_t *param,
    const prompt_json_t *value)
{
    bool                  text;
    prompt_str_t          name;
    const prompt_json_t  *member;

    text = prompt_str_eq(param->name, prompt_str("text"));

    for (member = value->first; member != NULL; member = member->next) {
        name = member->name;

        if (member->type == PROMPT_JSON_NULL
            || (!text && (prompt_str_eq(name, prompt_str("summary"))
                          || prompt_str_eq(name,
                                           prompt_str("generate_summary")))))
        {
            continue;
        }

        if (text && prompt_str_eq(name, prompt_str("format"))) {

            if (!openai_is(openai_get(member, "type"), "text")) {
                openai_put(rq, rq->overrides, param->word,
                           openai_deeper(rq, member, "json_schema"));
            }

        } else if (!text && prompt_str_eq(name, prompt_str("effort"))) {
            openai_put(rq, rq->overrides, param->word, member);

        } else if (text && prompt_str_eq(name, prompt_str("verbosity"))) {
            openai_put(rq, rq->overrides, "verbosity", member);

        } else {
            openai_wrong(rq, "is not known", "%s.%.*s", param->name.data,
                         prompt_str_arg(name));
        }
    }

    return true;
}


/* what is no array is tool_choice */
static bool
openai_take_tools(openai_request_t *rq, const openai_param_t *param,
    const prompt_json_t *value)
{
    prompt_json_t        *tools;
    const prompt_json_t  *tool;

    tools = openai_put(rq, rq->overrides, param->name.data,
                       value->type != PROMPT_JSON_ARRAY
                       ? openai_deeper(rq, value, "function")
                       : openai_new(rq, PROMPT_JSON_ARRAY));

    for (tool = value->type == PROMPT_JSON_ARRAY ? value->first : NULL;
         tool != NULL;
         tool = tool->next)
    {
        openai_put(rq, tools, NULL, openai_deeper(rq, tool, "function"));
    }

    return true;
}


#define elsewhere(name, apis)                                                 \
    { prompt_str_init(name), apis, NULL, NULL, NULL, PROMPT_JSON_NULL }
#define usual(name, apis, word, why)                                          \
    { prompt_str_init(name), apis, openai_take_usual, word, why,              \
      PROMPT_JSON_NULL }
#define renamed(name, as)                                                     \
    { prompt_str_init(name), RESPONSES, NULL, as,                             \
      "must not be given: it is " as, PROMPT_JSON_NULL }
#define take(name, apis, how, word, type)                                     \
    { prompt_str_init(name), apis, openai_take_##how, word, NULL,             \
      PROMPT_JSON_##type }

static const openai_param_t  openai_table[] = {
    elsewhere("model", BOTH), elsewhere("messages", CHAT),
    elsewhere("input", RESPONSES), elsewhere("prompt", RESPONSES),
    elsewhere("instructions", RESPONSES), elsewhere("prompt_id", BOTH),
    elsewhere("prompt_version", BOTH), elsewhere("prompt_label", BOTH),
    elsewhere("prompt_variables", BOTH), elsewhere("stream", BOTH),
    elsewhere("stream_options", BOTH), elsewhere("store", BOTH),

    usual("n", BOTH, "1", "must be 1: a prompt has one answer"),
    usual("logprobs", BOTH, "false", "must be false: it is not told"),
    usual("top_logprobs", BOTH, "0", "must be 0: they are not told"),
    usual("audio", BOTH, "", "must not be given: answers are text"),
    usual("functions", BOTH, "", "must not be given: they are tools"),
    usual("function_call", BOTH, "", "must not be given: it is tool_choice"),
    usual("background", RESPONSES, "false", "must be false: an answer is for "
          "who waits for it"),
    usual("previous_response_id", RESPONSES, "", "must not be given: "
          "responses are not kept to go on from, give all items as input"),
    usual("conversation", RESPONSES, "", "must not be given: conversations "
          "are not kept, give all items as input"),
    renamed("max_tokens", "max_output_tokens"),
    renamed("max_completion_tokens", "max_output_tokens"),
    renamed("reasoning_effort", "reasoning.effort"),
    renamed("response_format", "text.format"),
    renamed("verbosity", "text.verbosity"),

    usual("service_tier", BOTH, "auto", NULL),
    usual("service_tier", BOTH, "default", NULL),
    usual("truncation", RESPONSES, "disabled", NULL),

    take("modalities", BOTH, modalities, NULL, NULL),
    take("metadata", BOTH, metadata, NULL, NULL),
    take("user", BOTH, subject, NULL, NULL),
    take("safety_identifier", BOTH, subject, NULL, NULL),
    take("max_tokens", CHAT, limit, "max_completion_tokens", NULL),
    take("max_completion_tokens", CHAT, limit, "max_tokens", NULL),
    take("max_output_tokens", RESPONSES, output_limit,
         "max_completion_tokens", NULL),
    take("include", RESPONSES, include, NULL, ARRAY),
    take("text", RESPONSES, object, "response_format", OBJECT),
    take("reasoning", RESPONSES, object, "reasoning_effort", OBJECT),
    take("tools", RESPONSES, tools, NULL, ARRAY),
    take("tool_choice", RESPONSES, tools, NULL, NULL)
};

#undef elsewhere
#undef usual
#undef renamed
#undef take


prompt_str_t
openai_param(prompt_str_t name)
{
    size_t  i;

    for (i = 0; i < sizeof(openai_table) / sizeof(openai_table[0]); i++) {
        if (openai_table[i].take == NULL && openai_table[i].word != NULL
            && prompt_str_eq(name, openai_table[i].name))
        {
            return prompt_str_from(openai_table[i].word);
        }
    }

    return name;
}


void
openai_params(openai_request_t *rq)
{
    size_t                 i;
    bool                   taken;
    ngx_uint_t             api;
    const prompt_json_t   *value;
    const openai_param_t  *param;

    api = rq->route->form == &openai_chat ? CHAT : RESPONSES;

    for (value = rq->body->first;
         value != NULL && rq->fault.status == 0 && !rq->nomem;
         value = value->next)
    {
        taken = value->type == PROMPT_JSON_NULL;

        for (i = 0; !taken && i < sizeof(openai_table) / sizeof(*param); i++) {
            param = &openai_table[i];

            if ((param->apis & api) == 0
                || !prompt_str_eq(param->name, value->name))
            {
                continue;
            }

            if (param->type != PROMPT_JSON_NULL && param->type != value->type) {
                openai_wrong(rq, param->type == PROMPT_JSON_ARRAY
                                 ? "must be an array" : "must be an object",
                             "%s", param->name.data);
            }

            if (param->take == NULL && param->why != NULL) {
                openai_wrong(rq, param->why, "%s", param->name.data);
            }

            taken = param->take == NULL || param->take(rq, param, value);
        }

        if (!taken) {
            openai_put(rq, rq->overrides, NULL, value);
        }
    }
}


/* In r->pool, as the body is gone when a response is written. */
void
openai_echo(openai_request_t *rq)
{
    size_t                i;
    prompt_buf_t          out;
    const prompt_json_t  *value;

    prompt_buf_init(&out, OPENAI_ANSWER);
    prompt_buf_literal(&out, ",\"background\":false,"
                       "\"previous_response_id\":null,\"store\":false,"
                       "\"service_tier\":\"default\",\"top_logprobs\":0,"
                       "\"truncation\":\"disabled\"");

    for (i = 0; i < sizeof(openai_echoes) / sizeof(openai_echoes[0]); i++) {
        value = openai_get(rq->body, openai_echoes[i][0]);
        prompt_buf_printf(&out, ",\"%s\":", openai_echoes[i][0]);

        if (value != NULL) {
            prompt_json_write(&out, value);

        } else {
            prompt_buf_str(&out, prompt_str_from(openai_echoes[i][1]));
        }
    }

    if (out.len > OPENAI_ECHO) {
        openai_wrong(rq, "is more than a response can repeat", "body");
    }

    rq->v['e'] = openai_kept(rq, &out);
}
