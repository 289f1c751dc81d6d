/*
 * Members of a body by a table: what is passed over because it changes nothing,
 * what must be as it is anyway, what has another name in params.  All that is
 * not in it overrides params under its own name, and the table of the
 * provider's format decides.  README.md has the table in words.
 */

#include "openai/ngx_http_prompt_openai_impl.h"


#define CHAT       1
#define RESPONSES  2
#define BOTH       (CHAT|RESPONSES)


typedef struct ngx_http_prompt_openai_param_s  ngx_http_prompt_openai_param_t;

struct ngx_http_prompt_openai_param_s {
    prompt_str_t    name;
    ngx_uint_t      apis;

    /* value is not null; NULL: it is read elsewhere, or changes nothing */
    ngx_int_t     (*take)(ngx_http_prompt_openai_request_t *rq,
                          const ngx_http_prompt_openai_param_t *param,
                          const prompt_json_t *value);
    const char     *word;            /* the usual value, or another name */
    const char     *why;             /* it must have that one */
};


static ngx_int_t ngx_http_prompt_openai_take_usual(
    ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value);
static ngx_int_t ngx_http_prompt_openai_take_as(
    ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value);
static ngx_int_t ngx_http_prompt_openai_take_limit(
    ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value);
static ngx_int_t ngx_http_prompt_openai_take_metadata(
    ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value);
static ngx_int_t ngx_http_prompt_openai_take_subject(
    ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value);
static ngx_int_t ngx_http_prompt_openai_take_modalities(
    ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value);
static ngx_int_t ngx_http_prompt_openai_take_include(
    ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value);
static ngx_int_t ngx_http_prompt_openai_take_text(
    ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value);
static ngx_int_t ngx_http_prompt_openai_take_reasoning(
    ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value);
static ngx_int_t ngx_http_prompt_openai_take_tools(
    ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value);
static ngx_int_t ngx_http_prompt_openai_take_choice(
    ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value);


#define read(name, apis)                                                      \
    { prompt_str_init(name), apis, NULL, NULL, NULL }
#define usual(name, apis, word, why)                                          \
    { prompt_str_init(name), apis, ngx_http_prompt_openai_take_usual, word,   \
      why }
#define take(name, apis, how, word)                                           \
    { prompt_str_init(name), apis, ngx_http_prompt_openai_take_##how, word,   \
      NULL }

static const ngx_http_prompt_openai_param_t  ngx_http_prompt_openai_params_of[]
    =
{
    read("model", BOTH),
    read("messages", CHAT),
    read("input", RESPONSES),
    read("prompt", RESPONSES),
    read("prompt_id", BOTH),
    read("prompt_version", BOTH),
    read("prompt_label", BOTH),
    read("prompt_variables", BOTH),
    read("instructions", RESPONSES),
    read("stream", BOTH),
    read("stream_options", BOTH),
    read("store", BOTH),

    take("metadata", BOTH, metadata, NULL),
    take("user", BOTH, subject, NULL),
    take("safety_identifier", BOTH, subject, NULL),

    usual("n", CHAT, "1", "must be 1: a prompt has one answer"),
    usual("logprobs", CHAT, "false", "must be false: probabilities are not "
          "told"),
    usual("top_logprobs", BOTH, "0", "must be 0: probabilities are not told"),
    usual("audio", CHAT, "", "must not be given: answers are text"),
    usual("functions", CHAT, "", "must not be given: they are tools"),
    usual("function_call", CHAT, "", "must not be given: it is tool_choice"),
    usual("background", RESPONSES, "false", "must be false: an answer is for "
          "who waits for it"),
    usual("previous_response_id", RESPONSES, "", "must not be given: "
          "responses are not kept to go on from, give all items as input"),
    usual("conversation", RESPONSES, "", "must not be given: conversations "
          "are not kept, give all items as input"),
    usual("service_tier", BOTH, "auto", NULL),
    usual("service_tier", BOTH, "default", NULL),
    usual("truncation", RESPONSES, "disabled", NULL),

    usual("max_tokens", RESPONSES, "", "must not be given: it is "
          "max_output_tokens"),
    usual("max_completion_tokens", RESPONSES, "", "must not be given: it is "
          "max_output_tokens"),
    usual("reasoning_effort", RESPONSES, "", "must not be given: it is "
          "reasoning.effort"),
    usual("response_format", RESPONSES, "", "must not be given: it is "
          "text.format"),
    usual("verbosity", RESPONSES, "", "must not be given: it is "
          "text.verbosity"),

    take("modalities", CHAT, modalities, NULL),
    take("max_tokens", CHAT, limit, "max_completion_tokens"),
    take("max_completion_tokens", CHAT, limit, "max_tokens"),
    take("max_output_tokens", RESPONSES, as, "max_tokens"),
    take("include", RESPONSES, include, NULL),
    take("text", RESPONSES, text, "response_format"),
    take("reasoning", RESPONSES, reasoning, "reasoning_effort"),
    take("tools", RESPONSES, tools, NULL),
    take("tool_choice", RESPONSES, choice, NULL),

    { { NULL, 0 }, 0, NULL, NULL, NULL }
};

#undef read
#undef usual
#undef take


/* what responses call members of params, and what they say where none is */
static const struct {
    prompt_str_t    param;
    prompt_str_t    as;
} ngx_http_prompt_openai_names[] = {
    { prompt_str_init("response_format"), prompt_str_init("text.format") },
    { prompt_str_init("verbosity"), prompt_str_init("text.verbosity") },
    { prompt_str_init("reasoning_effort"),
      prompt_str_init("reasoning.effort") },
    { prompt_str_init("max_tokens"), prompt_str_init("max_output_tokens") }
};

static const struct {
    const char     *name;
    const char     *none;
} ngx_http_prompt_openai_echoes[] = {
    { "instructions", "null" },
    { "max_output_tokens", "null" },
    { "max_tool_calls", "null" },
    { "metadata", "{}" },
    { "parallel_tool_calls", "true" },
    { "reasoning", "{\"effort\":null,\"summary\":null}" },
    { "safety_identifier", "null" },
    { "temperature", "null" },
    { "text", "{\"format\":{\"type\":\"text\"}}" },
    { "tool_choice", "\"auto\"" },
    { "tools", "[]" },
    { "top_p", "null" },
    { "user", "null" }
};


prompt_str_t
ngx_http_prompt_openai_param(prompt_str_t name)
{
    ngx_uint_t  i;

    for (i = 0; i < sizeof(ngx_http_prompt_openai_names)
                    / sizeof(ngx_http_prompt_openai_names[0]); i++)
    {
        if (prompt_str_eq(name, ngx_http_prompt_openai_names[i].param)) {
            return ngx_http_prompt_openai_names[i].as;
        }
    }

    return prompt_str_absent;
}


/* into the overrides, where it is not yet; shares what value has */

static ngx_int_t
ngx_http_prompt_openai_override(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t name, const prompt_json_t *value)
{
    prompt_json_t  *copy;

    if (value == NULL) {
        return NGX_ERROR;
    }

    copy = prompt_arena_alloc(rq->ctx->op.job.arena, sizeof(prompt_json_t));
    if (copy == NULL) {
        return NGX_ERROR;
    }

    *copy = *value;
    copy->next = NULL;
    prompt_json_set(rq->overrides, name, copy);

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_openai_params(ngx_http_prompt_openai_request_t *rq,
    ngx_uint_t responses)
{
    ngx_int_t                              rc;
    ngx_uint_t                             api;
    const prompt_json_t                   *value;
    const ngx_http_prompt_openai_param_t  *param;

    api = responses ? RESPONSES : CHAT;

    for (value = rq->body->first; value != NULL; value = value->next) {

        if (value->type == PROMPT_JSON_NULL) {
            continue;
        }

        for (param = ngx_http_prompt_openai_params_of;
             param->name.data != NULL;
             param++)
        {
            if ((param->apis & api) == 0
                || !prompt_str_eq(param->name, value->name))
            {
                continue;
            }

            rc = param->take != NULL ? param->take(rq, param, value) : NGX_OK;

            if (rc == NGX_AGAIN) {
                continue;            /* another line, or its own name */
            }

            if (rc != NGX_OK) {
                return rc;
            }

            break;
        }

        if (param->name.data == NULL
            && ngx_http_prompt_openai_override(rq, value->name, value)
               != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/* why NULL: another value is passed on */

static ngx_int_t
ngx_http_prompt_openai_take_usual(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value)
{
    prompt_str_t  text;

    text = value->type == PROMPT_JSON_BOOLEAN
           ? prompt_str_from(value->boolean ? "true" : "false")
           : value->type == PROMPT_JSON_STRING
             || value->type == PROMPT_JSON_NUMBER
           ? value->text : prompt_str("{}");

    if (text.len != 0 && prompt_str_eq(text, prompt_str_from(param->word))) {
        return NGX_OK;
    }

    return param->why == NULL
           ? NGX_AGAIN
           : ngx_http_prompt_openai_wrong(rq, param->why, "%.*s",
                                          prompt_str_arg(param->name));
}


static ngx_int_t
ngx_http_prompt_openai_take_as(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value)
{
    prompt_json_t  *none;

    none = prompt_json_new(rq->ctx->op.job.arena, PROMPT_JSON_NULL);

    return ngx_http_prompt_openai_override(rq, prompt_str_from(param->word),
                                           value)
           == NGX_OK
           ? ngx_http_prompt_openai_override(rq,
                                 prompt_str("max_completion_tokens"), none)
           : NGX_ERROR;
}


/* The other name of the same limit must not stand beside it. */

static ngx_int_t
ngx_http_prompt_openai_take_limit(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value)
{
    prompt_str_t          other;
    const prompt_json_t  *given;

    other = prompt_str_from(param->word);
    given = prompt_json_get(rq->body, other);

    if (given != NULL && given->type != PROMPT_JSON_NULL) {

        if (!prompt_json_equal(given, value)) {
            return ngx_http_prompt_openai_wrong(rq, "says something else than "
                                                "what stands beside it", "%.*s",
                                                prompt_str_arg(param->name));
        }

        if (prompt_str_eq(param->name, prompt_str("max_tokens"))) {
            return NGX_OK;
        }
    }

    given = prompt_json_new(rq->ctx->op.job.arena, PROMPT_JSON_NULL);

    return ngx_http_prompt_openai_override(rq, other, given) == NGX_OK
           ? NGX_AGAIN : NGX_ERROR;
}


static ngx_int_t
ngx_http_prompt_openai_take_metadata(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value)
{
    prompt_json_t  *copy;

    copy = prompt_arena_alloc(rq->ctx->op.job.arena, sizeof(prompt_json_t));
    if (copy == NULL) {
        return NGX_ERROR;
    }

    *copy = *value;
    copy->next = NULL;
    prompt_json_set(rq->variables, param->name, copy);

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_openai_take_subject(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value)
{
    prompt_json_t  *subject;

    if (value->type != PROMPT_JSON_STRING) {
        return ngx_http_prompt_openai_wrong(rq, "must be a string", "%.*s",
                                            prompt_str_arg(param->name));
    }

    subject = prompt_json_get(rq->variables, prompt_str("subject"));

    if (subject != NULL) {
        return prompt_str_eq(subject->text, value->text)
               ? NGX_OK
               : ngx_http_prompt_openai_wrong(rq, "says something else than "
                                              "what stands beside it", "%.*s",
                                              prompt_str_arg(param->name));
    }

    rq->subject_at = param->name.data;
    subject = prompt_json_new_string(rq->ctx->op.job.arena, value->text);

    if (subject == NULL) {
        return NGX_ERROR;
    }

    prompt_json_set(rq->variables, prompt_str("subject"), subject);

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_openai_take_modalities(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value)
{
    (void) param;

    return value->type == PROMPT_JSON_ARRAY && value->count == 1
           && prompt_str_eq(value->first->text, prompt_str("text"))
           ? NGX_OK
           : ngx_http_prompt_openai_wrong(rq, "must be [\"text\"]: answers "
                                          "are text", "modalities");
}


/* What goes back to a provider is always told. */

static ngx_int_t
ngx_http_prompt_openai_take_include(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value)
{
    unsigned              i;
    const prompt_json_t  *element;

    if (value->type != PROMPT_JSON_ARRAY) {
        return ngx_http_prompt_openai_wrong(rq, "must be an array", "include");
    }

    (void) param;
    i = 0;

    for (element = value->first; element != NULL; element = element->next) {

        if (!prompt_str_eq(element->text,
                           prompt_str("reasoning.encrypted_content")))
        {
            return ngx_http_prompt_openai_wrong(rq, "is not told here: only "
                                                "reasoning.encrypted_content "
                                                "is", "include[%u]", i);
        }

        i++;
    }

    return NGX_OK;
}


/* An object whose members are known by two names; the second may be NULL. */

static ngx_int_t
ngx_http_prompt_openai_members(ngx_http_prompt_openai_request_t *rq,
    const prompt_json_t *value, const char *first, const char *const *others)
{
    prompt_str_t          name;
    ngx_uint_t            i;
    const prompt_json_t  *member;

    name = value->name;

    if (value->type != PROMPT_JSON_OBJECT) {
        return ngx_http_prompt_openai_wrong(rq, "must be an object", "%.*s",
                                            prompt_str_arg(name));
    }

    for (member = value->first; member != NULL; member = member->next) {

        for (i = 0; others[i] != NULL; i++) {
            if (prompt_str_eq(member->name, prompt_str_from(others[i]))) {
                break;
            }
        }

        if (others[i] == NULL
            && !prompt_str_eq(member->name, prompt_str_from(first)))
        {
            return ngx_http_prompt_openai_wrong(rq, "is not known",
                                                "%.*s.%.*s",
                                                prompt_str_arg(name),
                                                prompt_str_arg(member->name));
        }
    }

    return NGX_OK;
}


/*
 * The members of value below another object: {type, name, …} of responses is
 * {type, as: {name, …}} of chat.  NULL: memory.
 */

static prompt_json_t *
ngx_http_prompt_openai_deeper(prompt_arena_t *arena,
    const prompt_json_t *value, const char *as)
{
    prompt_json_t        *outer, *inner, *copy;
    const prompt_json_t  *member;

    outer = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    inner = prompt_json_new(arena, PROMPT_JSON_OBJECT);

    if (outer == NULL || inner == NULL) {
        return NULL;
    }

    for (member = value->first; member != NULL; member = member->next) {

        if (member->type == PROMPT_JSON_NULL) {
            continue;
        }

        copy = prompt_arena_alloc(arena, sizeof(prompt_json_t));
        if (copy == NULL) {
            return NULL;
        }

        *copy = *member;
        copy->next = NULL;
        prompt_json_set(prompt_str_eq(member->name, prompt_str("type"))
                        ? outer : inner, member->name, copy);
    }

    prompt_json_set(outer, prompt_str_from(as), inner);

    return outer;
}


/* whether value is an object of that type */

static bool
ngx_http_prompt_openai_typed(const prompt_json_t *value, const char *type)
{
    const prompt_json_t  *member;

    member = prompt_json_get(value, prompt_str("type"));

    return member != NULL && member->type == PROMPT_JSON_STRING
           && prompt_str_eq(member->text, prompt_str_from(type));
}


static ngx_int_t
ngx_http_prompt_openai_take_text(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value)
{
    ngx_int_t             rc;
    const prompt_json_t  *format, *verbosity;

    static const char *const  others[] = { "verbosity", NULL };

    rc = ngx_http_prompt_openai_members(rq, value, "format", others);
    if (rc != NGX_OK) {
        return rc;
    }

    format = prompt_json_get(value, prompt_str("format"));
    verbosity = prompt_json_get(value, prompt_str("verbosity"));

    if (verbosity != NULL && verbosity->type != PROMPT_JSON_NULL
        && ngx_http_prompt_openai_override(rq, verbosity->name, verbosity)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    /* text is what there is without a format */

    if (format == NULL || format->type == PROMPT_JSON_NULL
        || ngx_http_prompt_openai_typed(format, "text"))
    {
        return NGX_OK;
    }

    if (ngx_http_prompt_openai_typed(format, "json_schema")) {
        format = ngx_http_prompt_openai_deeper(rq->ctx->op.job.arena, format,
                                               "json_schema");
    }

    return ngx_http_prompt_openai_override(rq, prompt_str_from(param->word),
                                           format);
}


/* A summary of what the model thought is not told: there may be none. */

static ngx_int_t
ngx_http_prompt_openai_take_reasoning(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value)
{
    ngx_int_t             rc;
    const prompt_json_t  *effort;

    static const char *const  others[] = {
        "summary", "generate_summary", NULL
    };

    rc = ngx_http_prompt_openai_members(rq, value, "effort", others);
    effort = prompt_json_get(value, prompt_str("effort"));

    if (rc != NGX_OK || effort == NULL || effort->type == PROMPT_JSON_NULL) {
        return rc;
    }

    return ngx_http_prompt_openai_override(rq, prompt_str_from(param->word),
                                           effort);
}


static ngx_int_t
ngx_http_prompt_openai_take_tools(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value)
{
    prompt_json_t        *tools, *tool;
    prompt_arena_t       *arena;
    const prompt_json_t  *given;

    if (value->type != PROMPT_JSON_ARRAY) {
        return ngx_http_prompt_openai_wrong(rq, "must be an array", "tools");
    }

    arena = rq->ctx->op.job.arena;
    tools = prompt_json_new(arena, PROMPT_JSON_ARRAY);

    for (given = value->first; tools != NULL && given != NULL;
         given = given->next)
    {
        if (ngx_http_prompt_openai_typed(given, "function")
            && prompt_json_get(given, prompt_str("function")) == NULL)
        {
            tool = ngx_http_prompt_openai_deeper(arena, given, "function");

        } else {
            tool = prompt_arena_alloc(arena, sizeof(prompt_json_t));

            if (tool != NULL) {
                *tool = *given;
                tool->next = NULL;
            }
        }

        if (tool == NULL) {
            return NGX_ERROR;
        }

        prompt_json_append(tools, tool);
    }

    return ngx_http_prompt_openai_override(rq, param->name, tools);
}


static ngx_int_t
ngx_http_prompt_openai_take_choice(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_param_t *param, const prompt_json_t *value)
{
    if (ngx_http_prompt_openai_typed(value, "function")
        && prompt_json_get(value, prompt_str("function")) == NULL)
    {
        value = ngx_http_prompt_openai_deeper(rq->ctx->op.job.arena, value,
                                              "function");
    }

    return ngx_http_prompt_openai_override(rq, param->name, value);
}


/* In r->pool, as the body is gone when a response is written. */

ngx_int_t
ngx_http_prompt_openai_echo(ngx_http_prompt_openai_request_t *rq)
{
    char                 *copy;
    ngx_uint_t            i;
    prompt_buf_t          out;
    prompt_str_t          name;
    const prompt_json_t  *value;

    prompt_buf_init(&out, NGX_HTTP_PROMPT_OPENAI_ANSWER);
    prompt_buf_literal(&out, ",\"background\":false,"
                             "\"previous_response_id\":null,"
                             "\"service_tier\":\"default\",\"store\":false,"
                             "\"top_logprobs\":0,\"truncation\":\"disabled\"");

    for (i = 0; i < sizeof(ngx_http_prompt_openai_echoes)
                    / sizeof(ngx_http_prompt_openai_echoes[0]); i++)
    {
        name = prompt_str_from(ngx_http_prompt_openai_echoes[i].name);
        value = prompt_json_get(rq->body, name);

        prompt_buf_literal(&out, ",\"");
        prompt_buf_str(&out, name);
        prompt_buf_literal(&out, "\":");

        if (value != NULL && value->type != PROMPT_JSON_NULL) {
            prompt_json_write(&out, value);

        } else {
            prompt_buf_str(&out, prompt_str_from(
                                     ngx_http_prompt_openai_echoes[i].none));
        }
    }

    copy = out.status == PROMPT_BUF_OK
           ? ngx_pnalloc(rq->ctx->op.job.request->pool, out.len) : NULL;

    if (copy != NULL) {
        ngx_memcpy(copy, out.data, out.len);
        rq->echo = prompt_str_of(copy, out.len);
    }

    prompt_buf_free(&out);

    return copy != NULL ? NGX_OK : NGX_ERROR;
}
