/*
 * Bodies: which prompt is meant, its input, and what stands behind its own
 * messages.  All else is for ..._params.c.
 */

#include "openai/ngx_http_prompt_openai_impl.h"


static ngx_int_t ngx_http_prompt_openai_read(
    ngx_http_prompt_openai_request_t *rq, ngx_uint_t responses);
static ngx_int_t ngx_http_prompt_openai_text(
    ngx_http_prompt_openai_request_t *rq, const prompt_json_t *object,
    const char *name, const char *param, prompt_str_t *text);
static ngx_int_t ngx_http_prompt_openai_named(
    ngx_http_prompt_openai_request_t *rq, prompt_named_t *named);
static ngx_int_t ngx_http_prompt_openai_prompt(
    ngx_http_prompt_openai_request_t *rq, const prompt_json_t *prompt,
    prompt_named_t *named, const prompt_json_t **input);
static ngx_int_t ngx_http_prompt_openai_input(
    ngx_http_prompt_openai_request_t *rq, const prompt_json_t *given);
static ngx_int_t ngx_http_prompt_openai_variable(
    ngx_http_prompt_openai_request_t *rq, const prompt_json_t *value,
    prompt_json_t *input);
static ngx_int_t ngx_http_prompt_openai_streams(
    ngx_http_prompt_openai_request_t *rq);


ngx_int_t
ngx_http_prompt_openai_wrong(ngx_http_prompt_openai_request_t *rq,
    const char *message, const char *param, ...)
{
    va_list          args;
    prompt_str_t     text;
    prompt_arena_t  *arena;

    arena = rq->ctx->op.job.arena;

    va_start(args, param);
    text = prompt_arena_vprintf(arena, param, args);
    va_end(args);

    rq->fault.status = NGX_HTTP_BAD_REQUEST;
    rq->fault.retry_after = -1;
    rq->fault.param = text;
    rq->fault.message = prompt_arena_printf(arena, "%.*s %s",
                                            prompt_str_arg(text), message);

    return text.data != NULL && rq->fault.message.data != NULL
           ? NGX_DECLINED : NGX_ERROR;
}


ngx_int_t
ngx_http_prompt_openai_read_chat(ngx_http_prompt_openai_request_t *rq)
{
    ngx_int_t             rc;
    const prompt_json_t  *messages;

    rc = ngx_http_prompt_openai_read(rq, 0);
    if (rc != NGX_OK) {
        return rc;
    }

    messages = prompt_json_get(rq->body, prompt_str("messages"));

    if (messages == NULL || messages->type == PROMPT_JSON_NULL) {
        return NGX_OK;
    }

    if (messages->type != PROMPT_JSON_ARRAY) {
        return ngx_http_prompt_openai_wrong(rq, "must be an array", "messages");
    }

    if (messages->count != 0) {
        rq->ctx->op.job.beside.appended.list = messages;
        rq->ctx->op.job.beside.appended.place =
            prompt_str(NGX_HTTP_PROMPT_OPENAI_MESSAGES);
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_openai_read_response(ngx_http_prompt_openai_request_t *rq)
{
    ngx_int_t             rc;
    prompt_json_t        *messages;
    const prompt_json_t  *instructions, *input;

    rc = ngx_http_prompt_openai_read(rq, 1);
    if (rc != NGX_OK) {
        return rc;
    }

    input = prompt_json_get(rq->body, prompt_str("input"));
    instructions = prompt_json_get(rq->body, prompt_str("instructions"));

    rc = ngx_http_prompt_openai_items(rq, instructions, input, &messages);
    if (rc != NGX_OK) {
        return rc;
    }

    if (messages != NULL) {
        rq->ctx->op.job.beside.appended.list = messages;
        rq->ctx->op.job.beside.appended.place =
            prompt_str(NGX_HTTP_PROMPT_OPENAI_ITEMS);
    }

    return ngx_http_prompt_openai_echo(rq);
}


/* what both have */

static ngx_int_t
ngx_http_prompt_openai_read(ngx_http_prompt_openai_request_t *rq,
    ngx_uint_t responses)
{
    ngx_int_t               rc;
    prompt_arena_t         *arena;
    prompt_named_t          named;
    const prompt_json_t    *prompt, *input;
    ngx_http_prompt_job_t  *job;

    job = &rq->ctx->op.job;
    arena = job->arena;

    if (rq->body->type != PROMPT_JSON_OBJECT) {
        return ngx_http_prompt_openai_wrong(rq, "must be a JSON object",
                                            "body");
    }

    rq->overrides = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    if (rq->overrides == NULL) {
        return NGX_ERROR;
    }

    job->beside.label = prompt_str(PROMPT_NAMED_DEFAULT);
    job->beside.texts = 1;

    rq->input_at = "prompt_variables";
    input = prompt_json_get(rq->body, prompt_str("prompt_variables"));
    prompt = responses ? prompt_json_get(rq->body, prompt_str("prompt"))
                       : NULL;

    rc = prompt != NULL && prompt->type != PROMPT_JSON_NULL
         ? ngx_http_prompt_openai_prompt(rq, prompt, &named, &input)
         : ngx_http_prompt_openai_named(rq, &named);

    if (rc == NGX_OK) {
        rc = prompt_named_set(&named, arena, rq->variables)
             ? ngx_http_prompt_openai_input(rq, input) : NGX_ERROR;
    }

    if (rc == NGX_OK) {
        rc = ngx_http_prompt_openai_streams(rq);
    }

    if (rc == NGX_OK) {
        rc = ngx_http_prompt_openai_params(rq, responses);
    }

    if (rc == NGX_OK && rq->overrides->count != 0) {
        prompt_json_set(rq->variables, prompt_str("overrides"),
                        rq->overrides);
    }

    return rc;
}


/* a text, or absent; param: what a fault is called before the name */

static ngx_int_t
ngx_http_prompt_openai_text(ngx_http_prompt_openai_request_t *rq,
    const prompt_json_t *object, const char *name, const char *param,
    prompt_str_t *text)
{
    const prompt_json_t  *value;

    value = prompt_json_get(object, prompt_str_from(name));
    *text = prompt_str_absent;

    if (value == NULL || value->type == PROMPT_JSON_NULL) {
        return NGX_OK;
    }

    if (value->type != PROMPT_JSON_STRING) {
        return ngx_http_prompt_openai_wrong(rq, "must be a string", "%s%s",
                                            param, name);
    }

    *text = value->text;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_openai_override_model(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t model)
{
    prompt_json_t  *value;

    value = prompt_json_new_string(rq->ctx->op.job.arena, model);

    if (value != NULL) {
        prompt_json_set(rq->overrides, prompt_str("model"), value);
    }

    return value != NULL ? NGX_OK : NGX_ERROR;
}


/*
 * The model is the prompt; or, as LiteLLM sends it, prompt_id is, and a model
 * that says something else is the one to be asked.
 */

static ngx_int_t
ngx_http_prompt_openai_named(ngx_http_prompt_openai_request_t *rq,
    prompt_named_t *named)
{
    ngx_uint_t      i;
    prompt_str_t    model, id, text;
    prompt_named_t  meant;

    static const char *const  names[] = { "prompt_version", "prompt_label" };

    if (ngx_http_prompt_openai_text(rq, rq->body, "model", "", &model)
        != NGX_OK
        || ngx_http_prompt_openai_text(rq, rq->body, "prompt_id", "", &id)
           != NGX_OK)
    {
        return NGX_DECLINED;
    }

    rq->prompt_at = id.data != NULL ? "prompt_id" : "model";

    if (id.data == NULL && model.data == NULL) {
        return ngx_http_prompt_openai_wrong(rq, "must name a stored prompt: "
                                            "NAME, NAME@label or NAME@number",
                                            "model");
    }

    prompt_named(id.data != NULL ? id : model, named);

    if (id.data != NULL && model.data != NULL) {
        prompt_named(model, &meant);

        if (!prompt_str_eq(meant.name, named->name)) {

            if (ngx_http_prompt_openai_override_model(rq, model) != NGX_OK) {
                return NGX_ERROR;
            }

        } else if ((meant.version != 0 || meant.label.data != NULL)
                   && !prompt_named_version(
                          prompt_str_of(model.data + meant.name.len + 1,
                                        model.len - meant.name.len - 1),
                          named))
        {
            return ngx_http_prompt_openai_wrong(rq, "names another version "
                                                "than prompt_id", "model");
        }
    }

    for (i = 0; i < 2; i++) {

        if (names[i] == NULL
            || ngx_http_prompt_openai_text(rq, rq->body, names[i], "", &text)
               != NGX_OK)
        {
            return NGX_DECLINED;
        }

        if (text.data != NULL && !prompt_named_version(text, named)) {
            return ngx_http_prompt_openai_wrong(rq, "names another version "
                                                "than what stands beside it",
                                                "%s", names[i]);
        }
    }

    return NGX_OK;
}


/* {id, version, variables}; a model beside it is the one to be asked */

static ngx_int_t
ngx_http_prompt_openai_prompt(ngx_http_prompt_openai_request_t *rq,
    const prompt_json_t *prompt, prompt_named_t *named,
    const prompt_json_t **input)
{
    prompt_str_t          id, version, model;
    const prompt_json_t  *member, *variables;

    rq->prompt_at = "prompt.id";

    if (prompt->type != PROMPT_JSON_OBJECT) {
        return ngx_http_prompt_openai_wrong(rq, "must be an object with id",
                                            "prompt");
    }

    for (member = prompt->first; member != NULL; member = member->next) {

        if (!prompt_str_eq(member->name, prompt_str("id"))
            && !prompt_str_eq(member->name, prompt_str("version"))
            && !prompt_str_eq(member->name, prompt_str("variables")))
        {
            return ngx_http_prompt_openai_wrong(rq, "is no part of a prompt",
                                                "prompt.%.*s",
                                                prompt_str_arg(member->name));
        }
    }

    if (ngx_http_prompt_openai_text(rq, prompt, "id", "prompt.", &id)
        != NGX_OK
        || ngx_http_prompt_openai_text(rq, prompt, "version", "prompt.",
                                       &version)
           != NGX_OK
        || ngx_http_prompt_openai_text(rq, rq->body, "model", "", &model)
           != NGX_OK)
    {
        return NGX_DECLINED;
    }

    if (id.data == NULL) {
        return ngx_http_prompt_openai_wrong(rq, "must be a string",
                                            "prompt.id");
    }

    prompt_named(id, named);

    if (version.data != NULL && !prompt_named_version(version, named)) {
        return ngx_http_prompt_openai_wrong(rq, "names another version than "
                                            "prompt.id", "prompt.version");
    }

    variables = prompt_json_get(prompt, prompt_str("variables"));

    if (variables != NULL && variables->type != PROMPT_JSON_NULL) {

        if (*input != NULL && (*input)->type != PROMPT_JSON_NULL) {
            return ngx_http_prompt_openai_wrong(rq, "must not be given beside "
                                                "prompt.variables",
                                                "prompt_variables");
        }

        rq->input_at = "prompt.variables";
        *input = variables;
    }

    return model.data == NULL
           ? NGX_OK : ngx_http_prompt_openai_override_model(rq, model);
}


/* Variables of OpenAI's prompts have their types; of LiteLLM's, none. */

static ngx_int_t
ngx_http_prompt_openai_input(ngx_http_prompt_openai_request_t *rq,
    const prompt_json_t *given)
{
    ngx_int_t             rc;
    prompt_json_t        *input;
    const prompt_json_t  *value;

    input = prompt_json_new(rq->ctx->op.job.arena, PROMPT_JSON_OBJECT);
    if (input == NULL) {
        return NGX_ERROR;
    }

    if (given != NULL && given->type != PROMPT_JSON_NULL
        && given->type != PROMPT_JSON_OBJECT)
    {
        return ngx_http_prompt_openai_wrong(rq, "must be an object", "%s",
                                            rq->input_at);
    }

    for (value = given != NULL ? given->first : NULL;
         value != NULL;
         value = value->next)
    {
        rc = ngx_http_prompt_openai_variable(rq, value, input);
        if (rc != NGX_OK) {
            return rc;
        }
    }

    prompt_json_set(rq->variables, prompt_str("input"), input);

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_openai_variable(ngx_http_prompt_openai_request_t *rq,
    const prompt_json_t *value, prompt_json_t *input)
{
    ngx_uint_t            i;
    prompt_str_t          name;
    prompt_json_t        *copy;
    const prompt_json_t  *type, *text;

    static const struct {
        prompt_str_t  type;
        prompt_str_t  member;
    } kinds[] = {
        { prompt_str_init("input_text"), prompt_str_init("text") },
        { prompt_str_init("input_image"), prompt_str_init("image_url") },
        { prompt_str_init("input_file"), prompt_str_init("") }
    };

    name = value->name;
    type = ngx_strcmp(rq->input_at, "prompt.variables") == 0
           ? prompt_json_get(value, prompt_str("type")) : NULL;

    for (i = 0; type != NULL && type->type == PROMPT_JSON_STRING && i < 3;
         i++)
    {
        if (!prompt_str_eq(type->text, kinds[i].type)) {
            continue;
        }

        text = prompt_json_get(value, kinds[i].member);

        if (text == NULL || text->type != PROMPT_JSON_STRING) {
            return ngx_http_prompt_openai_wrong(rq, "must be a text or the "
                                                "address of a picture: files "
                                                "are not kept here",
                                                "%s.%.*s", rq->input_at,
                                                prompt_str_arg(name));
        }

        value = text;
        break;
    }

    copy = prompt_arena_alloc(rq->ctx->op.job.arena, sizeof(prompt_json_t));
    if (copy == NULL) {
        return NGX_ERROR;
    }

    *copy = *value;
    copy->next = NULL;
    prompt_json_set(input, name, copy);

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_openai_streams(ngx_http_prompt_openai_request_t *rq)
{
    const prompt_json_t  *stream, *options, *option;

    stream = prompt_json_get(rq->body, prompt_str("stream"));
    options = prompt_json_get(rq->body, prompt_str("stream_options"));

    if (stream != NULL && stream->type != PROMPT_JSON_NULL) {

        if (stream->type != PROMPT_JSON_BOOLEAN) {
            return ngx_http_prompt_openai_wrong(rq, "must be a boolean",
                                                "stream");
        }

        rq->stream = stream->boolean;
    }

    rq->document = rq->stream ? NGX_HTTP_PROMPT_OPENAI_RUN_STREAM
                              : NGX_HTTP_PROMPT_OPENAI_RUN;

    if (options == NULL || options->type == PROMPT_JSON_NULL) {
        return NGX_OK;
    }

    if (options->type != PROMPT_JSON_OBJECT) {
        return ngx_http_prompt_openai_wrong(rq, "must be an object",
                                            "stream_options");
    }

    for (option = options->first; option != NULL; option = option->next) {

        if (option->type != PROMPT_JSON_BOOLEAN
            && option->type != PROMPT_JSON_NULL)
        {
            return ngx_http_prompt_openai_wrong(rq, "must be a boolean",
                                                "stream_options.%.*s",
                                                prompt_str_arg(option->name));
        }

        if (prompt_str_eq(option->name, prompt_str("include_usage"))) {
            rq->usage = option->type == PROMPT_JSON_BOOLEAN
                        && option->boolean;

        } else if (!prompt_str_eq(option->name,
                                  prompt_str("include_obfuscation")))
        {
            return ngx_http_prompt_openai_wrong(rq, "is not known",
                                                "stream_options.%.*s",
                                                prompt_str_arg(option->name));
        }
    }

    return NGX_OK;
}
