/*
 * Models, which are stored prompts and what their labels name; and what
 * LiteLLM fetches of a prompt to run it by itself.
 */

#include "openai/ngx_http_prompt_openai_impl.h"

#include "base/time.h"
#include "base/utf8.h"


/* memory to read a prompt's version */
#define NGX_HTTP_PROMPT_OPENAI_VERSION  (128 * 1024 * 1024)

/* levels of an answer */
#define NGX_HTTP_PROMPT_OPENAI_DEPTH    256


/* of a prompt, or of who owns it: JSON strings as the answer has them */
typedef struct {
    prompt_str_t    name;
    prompt_str_t    created;
    prompt_str_t    email;
    const char     *before;          /* this one in a list */
} ngx_http_prompt_openai_entry_t;


static ngx_int_t ngx_http_prompt_openai_read_name(
    ngx_http_prompt_openai_request_t *rq, prompt_str_t text,
    const char *param);
static ngx_int_t ngx_http_prompt_openai_entries(prompt_str_t text,
    prompt_str_t suffix, prompt_buf_t *out);
static void ngx_http_prompt_openai_entry_read(prompt_json_scan_t *scan,
    ngx_http_prompt_openai_entry_t *entry, prompt_str_t owner,
    prompt_buf_t *out);
static void ngx_http_prompt_openai_entry(
    ngx_http_prompt_openai_entry_t *entry, prompt_str_t suffix,
    prompt_str_t owner, prompt_buf_t *out);
static void ngx_http_prompt_openai_template_write(
    ngx_http_prompt_openai_request_t *rq, const prompt_json_t *version,
    prompt_buf_t *out);
static void ngx_http_prompt_openai_template_params(
    const prompt_json_t *params, prompt_buf_t *out);
static void ngx_http_prompt_openai_template_message(
    const prompt_json_t *message, ngx_uint_t *n, prompt_buf_t *out);


ngx_int_t
ngx_http_prompt_openai_read_models(ngx_http_prompt_openai_request_t *rq)
{
    rq->document = NGX_HTTP_PROMPT_OPENAI_MODELS;

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_openai_read_model(ngx_http_prompt_openai_request_t *rq)
{
    rq->document = NGX_HTTP_PROMPT_OPENAI_MODEL;

    return ngx_http_prompt_openai_read_name(rq, rq->name, "model");
}


/* LiteLLM says neither label nor version but in the id. */

ngx_int_t
ngx_http_prompt_openai_read_template(ngx_http_prompt_openai_request_t *rq)
{
    u_char              *from, *to, *last;
    ngx_int_t            rc;
    ngx_str_t            arg;
    ngx_http_request_t  *r;

    r = rq->ctx->op.job.request;

    if (ngx_http_arg(r, (u_char *) "prompt_id", 9, &arg) != NGX_OK) {
        return ngx_http_prompt_openai_wrong(rq, "must name a stored prompt",
                                            "prompt_id");
    }

    to = ngx_pnalloc(r->pool, arg.len + 1);
    if (to == NULL) {
        return NGX_ERROR;
    }

    from = arg.data;
    last = to;
    ngx_unescape_uri(&last, &from, arg.len, 0);

    rq->name = prompt_str_of((char *) to, last - to);
    rc = ngx_http_prompt_openai_read_name(rq, rq->name, "prompt_id");

    rq->document =
        prompt_json_get(rq->variables, prompt_str("version")) == NULL
        && prompt_json_get(rq->variables, prompt_str("label")) == NULL
        ? NGX_HTTP_PROMPT_OPENAI_PRODUCTION : NGX_HTTP_PROMPT_OPENAI_TEMPLATE;

    return rc;
}


static ngx_int_t
ngx_http_prompt_openai_read_name(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t text, const char *param)
{
    prompt_named_t  named;

    rq->prompt_at = param;
    rq->input_at = param;

    if (!prompt_utf8_valid(text) || memchr(text.data, '\0', text.len) != NULL)
    {
        return ngx_http_prompt_openai_wrong(rq, "must be UTF-8", "%s", param);
    }

    prompt_named(text, &named);

    if (!prompt_named_set(&named, rq->ctx->op.job.arena, rq->variables)) {
        return NGX_ERROR;
    }

    /* promptByName has another word for it */

    rq->variables->first->name = prompt_str("name");

    return NGX_OK;
}


/* {"data":{"me":{…},"prompts":[{…}]}}, or "promptByName":{…} */

static ngx_int_t
ngx_http_prompt_openai_entries(prompt_str_t text, prompt_str_t suffix,
    prompt_buf_t *out)
{
    prompt_str_t                     name, owner;
    prompt_json_scan_t               scan;
    ngx_http_prompt_openai_entry_t   entry, me;

    ngx_memzero(&entry, sizeof(ngx_http_prompt_openai_entry_t));
    ngx_memzero(&me, sizeof(ngx_http_prompt_openai_entry_t));

    entry.before = "";
    prompt_json_scan_init(&scan, text, NGX_HTTP_PROMPT_OPENAI_DEPTH);

    if (!prompt_json_scan_object(&scan)
        || !prompt_json_scan_member(&scan, &name)
        || !prompt_json_scan_object(&scan)
        || !prompt_json_scan_member(&scan, &name)
        || !prompt_json_scan_object(&scan))
    {
        return NGX_DECLINED;
    }

    ngx_http_prompt_openai_entry_read(&scan, &me, prompt_str_absent, out);
    owner = me.name.len > 4 ? me.name : me.email;

    if (!prompt_json_scan_member(&scan, &name)) {
        return NGX_DECLINED;
    }

    if (prompt_json_scan_object(&scan)) {
        ngx_http_prompt_openai_entry_read(&scan, &entry, prompt_str_absent,
                                          out);
        ngx_http_prompt_openai_entry(&entry, suffix, owner, out);

    } else if (prompt_json_scan_array(&scan)) {

        while (prompt_json_scan_element(&scan)
               && prompt_json_scan_object(&scan))
        {
            ngx_http_prompt_openai_entry_read(&scan, &entry, owner, out);
        }

    } else {
        return NGX_DECLINED;
    }

    /* the end of data; behind it there may be errors */

    return prompt_json_scan_member(&scan, &name)
           || prompt_json_scan_member(&scan, &name)
           ? NGX_DECLINED
           : scan.error.status != PROMPT_JSON_OK ? NGX_ERROR : NGX_OK;
}


/*
 * An object's members; with owner, those of a prompt in a list, whose labels
 * come last and are entries, too.
 */

static void
ngx_http_prompt_openai_entry_read(prompt_json_scan_t *scan,
    ngx_http_prompt_openai_entry_t *entry, prompt_str_t owner,
    prompt_buf_t *out)
{
    prompt_str_t  name, value;

    while (prompt_json_scan_member(scan, &name)) {

        if (owner.data != NULL && prompt_str_eq(name, prompt_str("labels"))
            && prompt_json_scan_array(scan))
        {
            ngx_http_prompt_openai_entry(entry, prompt_str_absent, owner, out);

            while (prompt_json_scan_element(scan)
                   && prompt_json_scan_object(scan))
            {
                while (prompt_json_scan_member(scan, &name)) {
                    value = ngx_http_prompt_openai_raw(scan);
                    ngx_http_prompt_openai_entry(entry,
                        prompt_str_of(value.data + 1,
                                      value.len > 2 ? value.len - 2 : 0),
                        owner, out);
                }
            }

            continue;
        }

        value = ngx_http_prompt_openai_raw(scan);

        if (prompt_str_eq(name, prompt_str("name"))) {
            entry->name = value;

        } else if (prompt_str_eq(name, prompt_str("createdAt"))) {
            entry->created = value;

        } else if (prompt_str_eq(name, prompt_str("email"))) {
            entry->email = value;
        }
    }
}


/* Names, labels and numbers have nothing that JSON would escape. */

static void
ngx_http_prompt_openai_entry(ngx_http_prompt_openai_entry_t *entry,
    prompt_str_t suffix, prompt_str_t owner, prompt_buf_t *out)
{
    int64_t  us;

    if (entry->name.len < 2 || entry->created.len < 2
        || !prompt_time_parse(prompt_str_of(entry->created.data + 1,
                                            entry->created.len - 2), &us))
    {
        return;
    }

    prompt_buf_str(out, prompt_str_from(entry->before));
    prompt_buf_literal(out, "{\"id\":");
    prompt_buf_append(out, entry->name.data, entry->name.len - 1);

    if (suffix.len != 0) {
        prompt_buf_char(out, '@');
        prompt_buf_str(out, suffix);
    }

    prompt_buf_literal(out, "\",\"object\":\"model\",\"created\":");
    prompt_buf_int(out, us / 1000000);
    prompt_buf_literal(out, ",\"owned_by\":");
    prompt_buf_str(out, owner);
    prompt_buf_char(out, '}');

    entry->before = ",";
}


ngx_int_t
ngx_http_prompt_openai_models(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t text, prompt_buf_t *out)
{
    ngx_int_t  rc;

    (void) rq;

    prompt_buf_literal(out, "{\"object\":\"list\",\"data\":[");
    rc = ngx_http_prompt_openai_entries(text, prompt_str_absent, out);
    prompt_buf_literal(out, "]}");

    return rc;
}


/* What stands behind the name was found, so it is as it is stored. */

ngx_int_t
ngx_http_prompt_openai_model(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t text, prompt_buf_t *out)
{
    size_t          len;
    prompt_named_t  named;

    prompt_named(rq->name, &named);
    len = named.version != 0 || named.label.data != NULL ? named.name.len + 1
                                                         : rq->name.len;

    return ngx_http_prompt_openai_entries(text,
                                          prompt_str_of(rq->name.data + len,
                                                        rq->name.len - len),
                                          out);
}


/* Where no version was named, production may not be set: no error then. */

ngx_int_t
ngx_http_prompt_openai_template(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t text, prompt_buf_t *out)
{
    ngx_int_t             rc;
    prompt_arena_t       *arena;
    prompt_json_error_t   error;
    const prompt_json_t  *prompt, *version;

    arena = prompt_arena_create(NGX_HTTP_PROMPT_OPENAI_VERSION);
    prompt = arena != NULL
             ? prompt_json_read(arena, text, NGX_HTTP_PROMPT_OPENAI_DEPTH,
                                &error)
             : NULL;

    if (prompt == NULL) {
        prompt_arena_destroy(arena);
        return NGX_ERROR;
    }

    rc = NGX_DECLINED;
    prompt = prompt_json_get(prompt_json_get(prompt, prompt_str("data")),
                             prompt_str("promptByName"));
    version = prompt_json_get(prompt, prompt_str("production"));

    if (version == NULL || version->type != PROMPT_JSON_OBJECT) {
        version = prompt_json_get(prompt, prompt_str("version"));
    }

    if (version != NULL && version->type == PROMPT_JSON_OBJECT) {
        ngx_http_prompt_openai_template_write(rq, version, out);
        rq->ctx->op.job.log.error_code = prompt_str_absent;
        rc = NGX_OK;
    }

    prompt_arena_destroy(arena);

    return rc;
}


static void
ngx_http_prompt_openai_template_write(ngx_http_prompt_openai_request_t *rq,
    const prompt_json_t *version, prompt_buf_t *out)
{
    ngx_uint_t            n;
    const prompt_json_t  *message, *content;

    content = prompt_json_get(version, prompt_str("content"));
    message = prompt_json_get(version, prompt_str("messages"))->first;
    n = 0;

    prompt_buf_literal(out, "{\"prompt_id\":");
    prompt_json_write_string(out, rq->name);
    prompt_buf_literal(out, ",\"prompt_template\":[");

    for ( /* void */ ; message != NULL; message = message->next) {
        ngx_http_prompt_openai_template_message(message, &n, out);
    }

    if (content->text.len != 0 || n == 0) {
        prompt_buf_str(out, n != 0 ? prompt_str(",") : prompt_str(""));
        prompt_buf_literal(out, "{\"role\":\"user\",\"content\":");
        prompt_json_write(out, content);
        prompt_buf_char(out, '}');
    }

    prompt_buf_literal(out, "],");
    ngx_http_prompt_openai_template_params(
                      prompt_json_get(version, prompt_str("params")), out);
}


static void
ngx_http_prompt_openai_template_params(const prompt_json_t *params,
    prompt_buf_t *out)
{
    const char           *before;
    const prompt_json_t  *model, *member;

    model = prompt_json_get(params, prompt_str("model"));
    prompt_buf_literal(out, "\"prompt_template_model\":");

    if (model != NULL) {
        prompt_json_write(out, model);

    } else {
        prompt_buf_literal(out, "null");
    }

    prompt_buf_literal(out, ",\"prompt_template_optional_params\":{");
    before = "";

    for (member = params->first; member != NULL; member = member->next) {

        if (member != model
            && !prompt_str_eq(member->name, prompt_str("fallbacks")))
        {
            prompt_buf_str(out, prompt_str_from(before));
            prompt_json_write_string(out, member->name);
            prompt_buf_char(out, ':');
            prompt_json_write(out, member);
            before = ",";
        }
    }

    prompt_buf_literal(out, "}}");
}


/*
 * Its pictures are parts behind its text.  What has no text, a placeholder or
 * calls of tools, is nothing that LiteLLM would fill in.
 */

static void
ngx_http_prompt_openai_template_message(const prompt_json_t *message,
    ngx_uint_t *n, prompt_buf_t *out)
{
    ngx_uint_t            i;
    const prompt_json_t  *role, *content, *image;

    role = prompt_json_get(message, prompt_str("role"));
    content = prompt_json_get(message, prompt_str("content"));
    image = prompt_json_get(message, prompt_str("images"))->first;

    if (role->type != PROMPT_JSON_STRING
        || content->type != PROMPT_JSON_STRING)
    {
        return;
    }

    prompt_buf_str(out, (*n)++ != 0 ? prompt_str(",") : prompt_str(""));
    prompt_buf_literal(out, "{\"role\":\"");

    for (i = 0; i < role->text.len; i++) {
        prompt_buf_char(out, (char) ngx_tolower(role->text.data[i]));
    }

    prompt_buf_literal(out, "\",\"content\":");

    if (image == NULL) {
        prompt_json_write(out, content);
        prompt_buf_char(out, '}');
        return;
    }

    prompt_buf_literal(out, "[{\"type\":\"text\",\"text\":");
    prompt_json_write(out, content);

    for ( /* void */ ; image != NULL; image = image->next) {
        prompt_buf_literal(out, "},{\"type\":\"image_url\",\"image_url\":"
                                "{\"url\":");
        prompt_json_write(out, image);
        prompt_buf_char(out, '}');
    }

    prompt_buf_literal(out, "}]}");
}
