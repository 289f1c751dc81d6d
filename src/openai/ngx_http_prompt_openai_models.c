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


/* what all models of a prompt have behind their ids; owner: JSON */
static void
openai_model_tail(prompt_str_t created, prompt_str_t owner, prompt_buf_t *tail)
{
    int64_t  us;

    if (!prompt_time_parse(created, &us)) {
        us = 0;
    }

    prompt_buf_truncate(tail, 0);
    prompt_buf_printf(tail, "\",\"object\":\"model\",\"created\":%lld,"
                      "\"owned_by\":%.*s}", (long long) (us / 1000000),
                      prompt_str_arg(owner));
}


/* names, labels and numbers have nothing that JSON would escape */
static void
openai_model(prompt_str_t name, prompt_str_t suffix, const prompt_buf_t *tail,
    prompt_buf_t *out)
{
    prompt_json_span_comma(out);
    prompt_buf_literal(out, "{\"id\":\"");
    prompt_buf_str(out, name);

    if (suffix.len != 0) {
        prompt_buf_char(out, '@');
        prompt_buf_str(out, suffix);
    }

    prompt_buf_str(out, prompt_buf_view(tail));
}


/* the prompts of a list, and their labels: a prompt's name, time, a label */
static bool
openai_models_list(openai_request_t *rq, prompt_json_scan_t *scan,
    prompt_str_t owner, prompt_buf_t *tail, prompt_buf_t *out)
{
    prompt_str_t  *v;

    v = rq->v;

    while (prompt_json_span_match(scan, "{\"name\":$a,\"createdAt\":$b,"
                                  "\"labels\":[", v))
    {
        v['a'] = prompt_json_span_inner(v['a']);
        openai_model_tail(prompt_json_span_inner(v['b']), owner, tail);
        openai_model(v['a'], prompt_str(""), tail, out);

        while (prompt_json_span_match(scan, "{\"label\":$l}", v)) {
            openai_model(v['a'], prompt_json_span_inner(v['l']), tail, out);
            (void) prompt_json_span_match(scan, ",", v);
        }

        if (!prompt_json_span_match(scan, "]},", v)) {
            (void) prompt_json_span_match(scan, "]}", v);
            break;
        }
    }

    return prompt_json_span_match(scan, "]}}", v);
}


/*
 * By templates, in one pass and without a tree: prompts and their labels are as
 * many as their owner likes.
 */
static bool
openai_models_write(openai_request_t *rq, prompt_str_t text, prompt_buf_t *out)
{
    bool                 done;
    prompt_str_t        *v, owner;
    prompt_buf_t         tail;
    prompt_named_t       named;
    prompt_json_scan_t   scan;

    v = rq->v;
    prompt_json_scan_init(&scan, text, OPENAI_DEPTH);

    if (!prompt_json_span_match(&scan, "{\"data\":{\"project\":{\"name\":$n},",
                                v))
    {
        return false;
    }

    owner = v['n'];
    prompt_buf_init(&tail, OPENAI_ANSWER);

    if (rq->document == OPENAI_MODELS) {
        prompt_buf_literal(out, "{\"object\":\"list\",\"data\":[");
        done = prompt_json_span_match(&scan, "\"prompts\":[", v)
               && openai_models_list(rq, &scan, owner, &tail, out);
        prompt_buf_literal(out, "]}");

    } else {
        done = prompt_json_span_match(&scan, "\"promptByName\":{\"name\":$a,"
                                      "\"createdAt\":$b,\"version\":$w}}}", v);

        openai_model_tail(prompt_json_span_inner(v['b']), owner, &tail);
        prompt_named(rq->name, &named);
        named.name.len += rq->name.len > named.name.len;      /* its @ */

        openai_model(prompt_json_span_inner(v['a']),
                     prompt_str_of(rq->name.data + named.name.len,
                                   rq->name.len - named.name.len), &tail, out);
    }

    rq->nomem |= tail.status != PROMPT_BUF_OK;
    prompt_buf_free(&tail);

    return done;
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
openai_looked_up(openai_request_t *rq, prompt_arena_t *arena,
    prompt_buf_t *out)
{
    prompt_str_t                  text;
    const prompt_json_t          *answer, *prompt, *version;
    ngx_http_prompt_operation_t  *op;

    op = &rq->ctx->op;

    if (rq->document < OPENAI_VERSION) {
        text = ngx_http_prompt_operation_text(op, arena);

        return text.data != NULL && openai_models_write(rq, text, out);
    }

    answer = ngx_http_prompt_operation_value(op, arena);
    prompt = openai_get(openai_get(answer, "data"), "promptByName");
    version = openai_get(prompt, "version");

    if (rq->document == OPENAI_PRODUCTION) {

        /* that it is not set is no error */

        if (openai_get(prompt, "production") != NULL) {
            version = openai_get(prompt, "production");
        }

        op->job.log.error_code = version != NULL ? prompt_str_absent
                                                 : op->job.log.error_code;

    } else if (openai_get(answer, "errors") != NULL) {
        return false;
    }

    if (version != NULL) {
        openai_template_write(rq, version, out);
    }

    return version != NULL;
}
