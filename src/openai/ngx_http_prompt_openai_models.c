/*
 * Models, which are stored prompts and what their labels name; and what
 * LiteLLM fetches of a prompt to run it by itself.
 */

#include "openai/ngx_http_prompt_openai_impl.h"

#include "base/time.h"
#include "base/utf8.h"


static void
openai_read_name(openai_request_t *rq, prompt_str_t text, const char *param)
{
    prompt_named_t  named;

    rq->name = text;
    rq->prompt_at = param;
    rq->input_at = param;

    if (!prompt_utf8_valid(text) || memchr(text.data, '\0', text.len) != NULL)
    {
        openai_wrong(rq, "must be UTF-8", "%s", param);
        return;
    }

    prompt_named(text, &named);

    if (!prompt_named_set(&named, rq->ctx->op.job.arena, rq->variables)) {
        rq->nomem = 1;
        return;
    }

    /* promptByName has another word for it */

    rq->variables->first->name = prompt_str("name");
}


void
openai_read_models(openai_request_t *rq)
{
    rq->document = OPENAI_MODELS;
}


void
openai_read_model(openai_request_t *rq)
{
    rq->document = OPENAI_MODEL;
    openai_read_name(rq, rq->name, "model");
}


/* LiteLLM says neither label nor version but in the id. */

void
openai_read_template(openai_request_t *rq)
{
    u_char              *from, *to, *last;
    ngx_str_t            arg;
    ngx_http_request_t  *r;

    r = rq->ctx->op.job.request;

    if (ngx_http_arg(r, (u_char *) "prompt_id", 9, &arg) != NGX_OK) {
        openai_wrong(rq, "must name a stored prompt", "prompt_id");
        return;
    }

    to = ngx_pnalloc(r->pool, arg.len + 1);
    if (to == NULL) {
        rq->nomem = 1;
        return;
    }

    from = arg.data;
    last = to;
    ngx_unescape_uri(&last, &from, arg.len, 0);

    openai_read_name(rq, prompt_str_of((char *) to, last - to), "prompt_id");

    /* the default is two versions, of which one is taken */

    rq->document = openai_get(rq->variables, "version") == NULL
                   && openai_get(rq->variables, "label") == NULL
                   ? OPENAI_PRODUCTION : OPENAI_VERSION;
}


static void
openai_model(const prompt_json_t *prompt, prompt_str_t suffix,
    const prompt_json_t *owner, prompt_buf_t *out)
{
    int64_t       us;
    prompt_str_t  name;

    name = openai_get(prompt, "name")->text;

    if (!prompt_time_parse(openai_get(prompt, "createdAt")->text, &us)) {
        us = 0;
    }

    /* names, labels and numbers have nothing that JSON would escape */

    prompt_json_span_comma(out);
    prompt_buf_printf(out, "{\"id\":\"%.*s%s%.*s\",\"object\":\"model\","
                      "\"created\":%lld,\"owned_by\":", prompt_str_arg(name),
                      suffix.len != 0 ? "@" : "", prompt_str_arg(suffix),
                      (long long) (us / 1000000));
    prompt_json_write(out, owner);
    prompt_buf_char(out, '}');
}


static void
openai_models_write(openai_request_t *rq, const prompt_json_t *data,
    prompt_buf_t *out)
{
    prompt_named_t        named;
    const prompt_json_t  *prompt, *owner, *label;

    owner = openai_get(openai_get(data, "me"), "name");

    if (owner == NULL || owner->text.len == 0) {
        owner = openai_get(openai_get(data, "me"), "email");
    }

    prompt = openai_get(data, "promptByName");

    if (prompt != NULL) {
        prompt_named(rq->name, &named);
        openai_model(prompt, rq->name.len > named.name.len
                             ? prompt_str_of(rq->name.data + named.name.len + 1,
                                             rq->name.len - named.name.len - 1)
                             : prompt_str(""), owner, out);
        return;
    }

    prompt_buf_literal(out, "{\"object\":\"list\",\"data\":[");
    prompt = openai_get(data, "prompts")->first;

    for ( /* void */ ; prompt != NULL; prompt = prompt->next) {
        openai_model(prompt, prompt_str(""), owner, out);

        for (label = openai_get(prompt, "labels")->first;
             label != NULL;
             label = label->next)
        {
            openai_model(prompt, label->first->text, owner, out);
        }
    }

    prompt_buf_literal(out, "]}");
}


/*
 * Its pictures are parts behind its text.  What has no text, a placeholder or
 * calls of tools, is nothing that LiteLLM would fill in.
 */

static void
openai_template_message(const prompt_json_t *message, prompt_buf_t *out)
{
    prompt_str_t          role;
    const prompt_json_t  *content, *image;

    role = openai_get(message, "role")->text;
    content = openai_get(message, "content");
    image = openai_get(message, "images")->first;

    prompt_json_span_comma(out);
    prompt_buf_printf(out, "{\"role\":\"%s\",\"content\":",
                      prompt_str_eq(role, prompt_str("SYSTEM")) ? "system"
                      : prompt_str_eq(role, prompt_str("USER")) ? "user"
                      : prompt_str_eq(role, prompt_str("TOOL")) ? "tool"
                      : "assistant");

    if (image != NULL) {
        prompt_buf_literal(out, "[{\"type\":\"text\",\"text\":");
    }

    prompt_json_write(out, content);

    for ( /* void */ ; image != NULL; image = image->next) {
        prompt_buf_literal(out, "},{\"type\":\"image_url\",\"image_url\":"
                                "{\"url\":");
        prompt_json_write(out, image);
        prompt_buf_str(out, image->next != NULL ? prompt_str("}")
                                                : prompt_str("}}]"));
    }

    prompt_buf_char(out, '}');
}


static void
openai_template_write(openai_request_t *rq, const prompt_json_t *version,
    prompt_buf_t *out)
{
    size_t                begun;
    const prompt_json_t  *message, *content, *params, *member;

    content = openai_get(version, "content");
    params = openai_get(version, "params");

    prompt_buf_literal(out, "{\"prompt_id\":");
    prompt_json_write_string(out, rq->name);
    prompt_buf_literal(out, ",\"prompt_template\":[");
    begun = out->len;

    for (message = openai_get(version, "messages")->first;
         message != NULL;
         message = message->next)
    {
        if (openai_get(message, "content") != NULL) {
            openai_template_message(message, out);
        }
    }

    if (content->text.len != 0 || out->len == begun) {
        prompt_json_span_comma(out);
        prompt_buf_literal(out, "{\"role\":\"user\",\"content\":");
        prompt_json_write(out, content);
        prompt_buf_char(out, '}');
    }

    prompt_buf_literal(out, "],\"prompt_template_model\":");

    if (openai_get(params, "model") != NULL) {
        prompt_json_write(out, openai_get(params, "model"));

    } else {
        prompt_buf_literal(out, "null");
    }

    prompt_buf_literal(out, ",\"prompt_template_optional_params\":{");

    for (member = params->first; member != NULL; member = member->next) {

        if (!prompt_str_eq(member->name, prompt_str("model"))
            && !prompt_str_eq(member->name, prompt_str("fallbacks")))
        {
            prompt_json_span_comma(out);
            prompt_json_write_string(out, member->name);
            prompt_buf_char(out, ':');
            prompt_json_write(out, member);
        }
    }

    prompt_buf_literal(out, "}}");
}


bool
openai_looked_up(openai_request_t *rq, const prompt_json_t *answer,
    prompt_buf_t *out)
{
    const prompt_json_t  *data, *prompt, *version;

    data = openai_get(answer, "data");
    prompt = openai_get(data, "promptByName");
    version = openai_get(prompt, "version");

    if (rq->document == OPENAI_PRODUCTION
        && openai_get(prompt, "production") != NULL)
    {
        version = openai_get(prompt, "production");
    }

    if (rq->document == OPENAI_PRODUCTION && version != NULL) {
        rq->ctx->op.job.log.error_code = prompt_str_absent;

    } else if (openai_get(answer, "errors") != NULL
               || (rq->document != OPENAI_MODELS && prompt == NULL)
               || (rq->document >= OPENAI_VERSION && version == NULL))
    {
        return false;
    }

    if (rq->document >= OPENAI_VERSION) {
        openai_template_write(rq, version, out);

    } else {
        openai_models_write(rq, data, out);
    }

    return true;
}
