/*
 * Bodies: which prompt is meant, its input, and what stands behind its own
 * messages.  All else is for ..._params.c.
 *
 * What is wrong, and that memory is short, is noted in the request; who reads
 * on meanwhile makes what nobody uses.
 */

#include "openai/ngx_http_prompt_openai_impl.h"

#include "base/utf8.h"


prompt_str_t
openai_short(prompt_str_t param)
{
    if (param.len > OPENAI_PARAM) {
        param.len = prompt_utf8_whole(param.data, OPENAI_PARAM);
    }

    return param;
}


void
openai_wrong(openai_request_t *rq, const char *message, const char *param, ...)
{
    va_list          args;
    prompt_arena_t  *arena;

    if (rq->fault.status != 0) {
        return;
    }

    arena = rq->ctx->op.job.arena;

    va_start(args, param);
    rq->fault.param = openai_short(prompt_arena_vprintf(arena, param, args));
    va_end(args);

    rq->fault.status = NGX_HTTP_BAD_REQUEST;
    rq->fault.message = prompt_arena_printf(arena, "%.*s %s",
                                            prompt_str_arg(rq->fault.param),
                                            message);
    rq->nomem |= rq->fault.message.data == NULL;
}


prompt_json_t *
openai_new(openai_request_t *rq, prompt_json_type_t type)
{
    prompt_json_t  *value;

    value = prompt_json_new(rq->ctx->op.job.arena, type);
    rq->nomem |= value == NULL;

    return value;
}


prompt_json_t *
openai_put(openai_request_t *rq, prompt_json_t *container, const char *name,
    const prompt_json_t *value)
{
    prompt_json_t  *copy;

    copy = prompt_arena_alloc(rq->ctx->op.job.arena, sizeof(prompt_json_t));
    rq->nomem |= copy == NULL || container == NULL || value == NULL;

    if (rq->nomem) {
        return NULL;
    }

    *copy = *value;
    copy->next = NULL;

    if (container->type == PROMPT_JSON_ARRAY) {
        prompt_json_append(container, copy);

    } else {
        prompt_json_set(container, name != NULL ? prompt_str_from(name)
                                                : value->name, copy);
    }

    return copy;
}


void
openai_put_text(openai_request_t *rq, prompt_json_t *object, const char *name,
    prompt_str_t text)
{
    openai_put(rq, object, name,
               prompt_json_new_string(rq->ctx->op.job.arena, text));
}


prompt_str_t
openai_text(openai_request_t *rq, const prompt_json_t *object,
    const char *name, const char *at)
{
    object = openai_get(object, name);

    if (object != NULL && object->type == PROMPT_JSON_STRING) {
        return object->text;
    }

    if (object != NULL) {
        openai_wrong(rq, "must be a string", "%s%s", at, name);
    }

    return prompt_str_absent;
}


/*
 * The model is the prompt; or, as LiteLLM sends it, prompt_id is, and a model
 * that says something else is the one to be asked.
 */
static prompt_str_t
openai_named(openai_request_t *rq, prompt_named_t *named)
{
    prompt_str_t    model, id, version, label;
    prompt_named_t  meant;

    model = openai_text(rq, rq->body, "model", "");
    id = openai_text(rq, rq->body, "prompt_id", "");
    version = openai_text(rq, rq->body, "prompt_version", "");
    label = openai_text(rq, rq->body, "prompt_label", "");

    rq->prompt_at = id.data != NULL ? "prompt_id" : "model";

    if (id.data == NULL && model.data == NULL) {
        openai_wrong(rq, "must name a stored prompt: NAME, NAME@label or "
                     "NAME@number", "model");
    }

    prompt_named(id.data != NULL ? id : model, named);

    if (id.data == NULL) {
        model = prompt_str_absent;
    }

    prompt_named(model, &meant);

    if (prompt_str_eq(meant.name, named->name)) {

        if (model.len > meant.name.len
            && !prompt_named_version(
                                prompt_str_of(model.data + meant.name.len + 1,
                                              model.len - meant.name.len - 1),
                                named))
        {
            openai_wrong(rq, "names another version than prompt_id", "model");
        }

        model = prompt_str_absent;
    }

    if ((version.data != NULL && !prompt_named_version(version, named))
        || (label.data != NULL && !prompt_named_version(label, named)))
    {
        openai_wrong(rq, "names another version than what stands beside it",
                     version.data != NULL ? "prompt_version" : "prompt_label");
    }

    return model;
}


/* {id, version, variables}; a model beside it is the one to be asked */
static prompt_str_t
openai_prompt(openai_request_t *rq, const prompt_json_t *prompt,
    prompt_named_t *named, const prompt_json_t **input)
{
    prompt_str_t          id, version;
    const prompt_json_t  *member;

    rq->prompt_at = "prompt.id";

    if (prompt->type != PROMPT_JSON_OBJECT) {
        openai_wrong(rq, "must be an object with id", "prompt");
    }

    for (member = prompt->first; member != NULL; member = member->next) {

        if (!prompt_str_eq(member->name, prompt_str("id"))
            && !prompt_str_eq(member->name, prompt_str("version"))
            && !prompt_str_eq(member->name, prompt_str("variables")))
        {
            openai_wrong(rq, "is no part of a prompt", "prompt.%.*s",
                         prompt_str_arg(member->name));
        }
    }

    id = openai_text(rq, prompt, "id", "prompt.");
    version = openai_text(rq, prompt, "version", "prompt.");

    if (id.data == NULL) {
        openai_wrong(rq, "must be a string", "prompt.id");
    }

    prompt_named(id, named);

    if (version.data != NULL && !prompt_named_version(version, named)) {
        openai_wrong(rq, "names another version than prompt.id",
                     "prompt.version");
    }

    if (openai_get(prompt, "variables") != NULL) {

        if (*input != NULL) {
            openai_wrong(rq, "must not be given beside prompt.variables",
                         "prompt_variables");
        }

        rq->input_at = "prompt.variables";
        *input = openai_get(prompt, "variables");
    }

    return openai_text(rq, rq->body, "model", "");
}


/* Variables of OpenAI's prompts have their types; of LiteLLM's, none. */
static void
openai_input(openai_request_t *rq, const prompt_json_t *given, bool typed)
{
    prompt_json_t        *input, *put;
    const prompt_json_t  *value, *type;

    input = openai_new(rq, PROMPT_JSON_OBJECT);

    if (given != NULL && given->type != PROMPT_JSON_OBJECT) {
        openai_wrong(rq, "must be an object", "%s", rq->input_at);
    }

    for (value = given != NULL ? given->first : NULL;
         value != NULL;
         value = value->next)
    {
        type = typed ? openai_get(value, "type") : NULL;
        type = openai_is(type, "input_text") ? openai_get(value, "text")
               : openai_is(type, "input_image")
               ? openai_get(value, "image_url")
               : openai_is(type, "input_file") ? NULL : value;

        if (type == NULL
            || (type != value && type->type != PROMPT_JSON_STRING))
        {
            openai_wrong(rq, "must have a text or the address of a picture: "
                         "files are not kept here", "%s.%.*s", rq->input_at,
                         prompt_str_arg(value->name));
            return;
        }

        put = openai_put(rq, input, NULL, type);

        if (put != NULL) {
            put->name = value->name;
        }
    }

    openai_put(rq, rq->variables, "input", input);
}


static bool
openai_boolean(openai_request_t *rq, const prompt_json_t *object,
    const char *name, const char *at)
{
    object = openai_get(object, name);

    if (object != NULL && object->type != PROMPT_JSON_BOOLEAN) {
        openai_wrong(rq, "must be a boolean", "%s%s", at, name);
    }

    return object != NULL && object->boolean;
}


static void
openai_streams(openai_request_t *rq)
{
    const prompt_json_t  *options;

    options = openai_get(rq->body, "stream_options");

    if (options != NULL && options->type != PROMPT_JSON_OBJECT) {
        openai_wrong(rq, "must be an object", "stream_options");
    }

    rq->stream = openai_boolean(rq, rq->body, "stream", "");
    rq->usage = openai_boolean(rq, options, "include_usage",
                               "stream_options.");
    rq->document = rq->stream ? OPENAI_STREAM : OPENAI_RUN;
}


/* what both have */
static void
openai_read(openai_request_t *rq)
{
    bool                       typed;
    prompt_str_t               model;
    prompt_named_t             named;
    const prompt_json_t       *prompt, *input;
    ngx_http_prompt_beside_t  *beside;

    if (rq->body->type != PROMPT_JSON_OBJECT) {
        openai_wrong(rq, "must be a JSON object", "body");
    }

    beside = &rq->ctx->op.job.beside;
    beside->label = prompt_str(PROMPT_NAMED_DEFAULT);
    beside->texts = 1;

    rq->overrides = openai_new(rq, PROMPT_JSON_OBJECT);
    rq->input_at = "prompt_variables";
    input = openai_get(rq->body, "prompt_variables");
    prompt = rq->route->form == &openai_responses
             ? openai_get(rq->body, "prompt") : NULL;

    model = prompt != NULL ? openai_prompt(rq, prompt, &named, &input)
                           : openai_named(rq, &named);
    typed = prompt != NULL && input == openai_get(prompt, "variables");

    if (!prompt_named_set(&named, rq->ctx->op.job.arena, rq->variables)) {
        rq->nomem = 1;
        return;
    }

    if (model.data != NULL) {
        openai_put_text(rq, rq->overrides, "model", model);
    }

    openai_input(rq, input, typed);
    openai_streams(rq);
    openai_params(rq);

    if (rq->overrides != NULL && rq->overrides->count != 0) {
        openai_put(rq, rq->variables, "overrides", rq->overrides);
    }
}


void
openai_read_chat(openai_request_t *rq)
{
    const prompt_json_t       *messages;
    ngx_http_prompt_beside_t  *beside;

    openai_read(rq);

    beside = &rq->ctx->op.job.beside;
    messages = openai_get(rq->body, "messages");

    if (messages != NULL && messages->type != PROMPT_JSON_ARRAY) {
        openai_wrong(rq, "must be an array", "messages");
    }

    beside->appended.place = prompt_str("messages");
    beside->appended.list = messages != NULL && messages->count != 0 ? messages
                                                                     : NULL;
}


void
openai_read_response(openai_request_t *rq)
{
    ngx_http_prompt_beside_t  *beside;

    openai_read(rq);

    beside = &rq->ctx->op.job.beside;
    beside->appended.place = prompt_str("items");
    beside->appended.list = openai_items(rq);

    openai_echo(rq);
}
