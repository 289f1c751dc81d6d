/*
 * Input of responses as messages of chat completions.
 *
 * Items that a model has said, its text, its calls of tools and what goes back
 * to its provider, become one message as long as they follow each other, since
 * that is what they were.  Which item a message begins with is noted for what
 * is found wrong with it later.
 */

#include "openai/ngx_http_prompt_openai_impl.h"


/* what is being made */
typedef struct {
    ngx_http_prompt_openai_request_t  *rq;
    prompt_arena_t                    *arena;
    prompt_json_t                     *messages;
    prompt_json_t                     *open;     /* of the assistant's, still
                                                    to be added; NULL: none */
    uint32_t                           begun;    /* the item that it began
                                                    with */
    uint32_t                           n;        /* the item */
    unsigned                           nomem:1;
} ngx_http_prompt_openai_items_t;


typedef struct {
    const char     *type;
    ngx_int_t     (*take)(ngx_http_prompt_openai_items_t *items,
                          const prompt_json_t *item);
} ngx_http_prompt_openai_item_t;


static ngx_int_t ngx_http_prompt_openai_item(
    ngx_http_prompt_openai_items_t *items, const prompt_json_t *item);
static ngx_int_t ngx_http_prompt_openai_item_message(
    ngx_http_prompt_openai_items_t *items, const prompt_json_t *item);
static ngx_int_t ngx_http_prompt_openai_item_call(
    ngx_http_prompt_openai_items_t *items, const prompt_json_t *item);
static ngx_int_t ngx_http_prompt_openai_item_output(
    ngx_http_prompt_openai_items_t *items, const prompt_json_t *item);
static ngx_int_t ngx_http_prompt_openai_item_reasoning(
    ngx_http_prompt_openai_items_t *items, const prompt_json_t *item);
static ngx_int_t ngx_http_prompt_openai_part(
    ngx_http_prompt_openai_items_t *items, const char *at,
    const prompt_json_t *part, unsigned n, prompt_json_t *message,
    prompt_json_t *parts);


static const ngx_http_prompt_openai_item_t  ngx_http_prompt_openai_item_kinds[]
    =
{
    { "message", ngx_http_prompt_openai_item_message },
    { "function_call", ngx_http_prompt_openai_item_call },
    { "function_call_output", ngx_http_prompt_openai_item_output },
    { "reasoning", ngx_http_prompt_openai_item_reasoning },
    { NULL, NULL }
};


/* Builders: what there is no memory for is noted, and NULL. */

static prompt_json_t *
ngx_http_prompt_openai_new(ngx_http_prompt_openai_items_t *items,
    prompt_json_type_t type)
{
    prompt_json_t  *value;

    value = prompt_json_new(items->arena, type);
    items->nomem |= value == NULL;

    return value;
}


static void
ngx_http_prompt_openai_put(ngx_http_prompt_openai_items_t *items,
    prompt_json_t *object, const char *name, prompt_json_t *value)
{
    items->nomem |= object == NULL || value == NULL;

    if (!items->nomem) {
        prompt_json_set(object, prompt_str_from(name), value);
    }
}


static void
ngx_http_prompt_openai_put_text(ngx_http_prompt_openai_items_t *items,
    prompt_json_t *object, const char *name, prompt_str_t text)
{
    ngx_http_prompt_openai_put(items, object, name,
                               prompt_json_new_string(items->arena, text));
}


static void
ngx_http_prompt_openai_add(ngx_http_prompt_openai_items_t *items,
    prompt_json_t *message, uint32_t item)
{
    if (!items->nomem) {
        items->rq->items[items->rq->nitems++] = item;
        prompt_json_append(items->messages, message);
    }
}


/* The assistant has said it; what only goes back to a provider is nothing. */

static void
ngx_http_prompt_openai_close(ngx_http_prompt_openai_items_t *items)
{
    prompt_json_t  *open;

    open = items->open;
    items->open = NULL;

    if (open != NULL
        && (prompt_json_get(open, prompt_str("content")) != NULL
            || prompt_json_get(open, prompt_str("refusal")) != NULL
            || prompt_json_get(open, prompt_str("tool_calls")) != NULL))
    {
        ngx_http_prompt_openai_add(items, open, items->begun);
    }
}


static prompt_json_t *
ngx_http_prompt_openai_message_of(ngx_http_prompt_openai_items_t *items,
    prompt_str_t role)
{
    prompt_json_t  *message;

    message = ngx_http_prompt_openai_new(items, PROMPT_JSON_OBJECT);
    ngx_http_prompt_openai_put_text(items, message, "role", role);

    return message;
}


/* the assistant's message; another one where that has such a member */

static prompt_json_t *
ngx_http_prompt_openai_opened(ngx_http_prompt_openai_items_t *items,
    const char *member)
{
    if (items->open != NULL && member != NULL
        && (prompt_json_get(items->open, prompt_str_from(member)) != NULL
            || prompt_json_get(items->open, prompt_str("refusal")) != NULL))
    {
        ngx_http_prompt_openai_close(items);
    }

    if (items->open == NULL) {
        items->begun = items->n;
        items->open = ngx_http_prompt_openai_message_of(items,
                                                     prompt_str("assistant"));
    }

    return items->open;
}


ngx_int_t
ngx_http_prompt_openai_items(ngx_http_prompt_openai_request_t *rq,
    const prompt_json_t *instructions, const prompt_json_t *input,
    prompt_json_t **messages)
{
    size_t                           count;
    ngx_int_t                        rc;
    prompt_json_t                   *message;
    const prompt_json_t             *item;
    ngx_http_prompt_openai_items_t   items;

    ngx_memzero(&items, sizeof(ngx_http_prompt_openai_items_t));

    *messages = NULL;
    rc = NGX_OK;
    count = input != NULL && input->type == PROMPT_JSON_ARRAY ? input->count
                                                              : 0;

    items.rq = rq;
    items.arena = rq->ctx->op.job.arena;
    items.messages = ngx_http_prompt_openai_new(&items, PROMPT_JSON_ARRAY);

    rq->items = ngx_palloc(rq->ctx->op.job.request->pool,
                           (count + 2) * sizeof(uint32_t));
    if (rq->items == NULL) {
        return NGX_ERROR;
    }

    if (instructions != NULL && instructions->type != PROMPT_JSON_NULL) {

        if (instructions->type != PROMPT_JSON_STRING) {
            return ngx_http_prompt_openai_wrong(rq, "must be a string",
                                                "instructions");
        }

        message = ngx_http_prompt_openai_message_of(&items,
                                                    prompt_str("system"));
        ngx_http_prompt_openai_put_text(&items, message, "content",
                                        instructions->text);
        ngx_http_prompt_openai_add(&items, message,
                                   NGX_HTTP_PROMPT_OPENAI_NO_ITEM);
    }

    if (input != NULL && input->type == PROMPT_JSON_STRING) {
        message = ngx_http_prompt_openai_message_of(&items,
                                                    prompt_str("user"));
        ngx_http_prompt_openai_put_text(&items, message, "content",
                                        input->text);
        ngx_http_prompt_openai_add(&items, message, 0);

    } else if (input != NULL && input->type != PROMPT_JSON_NULL
               && input->type != PROMPT_JSON_ARRAY)
    {
        return ngx_http_prompt_openai_wrong(rq, "must be a string or an array "
                                            "of items", "input");
    }

    for (item = count != 0 ? input->first : NULL;
         item != NULL && rc == NGX_OK && !items.nomem;
         item = item->next)
    {
        rc = ngx_http_prompt_openai_item(&items, item);
        items.n++;
    }

    if (rc != NGX_OK) {
        return rc;
    }

    ngx_http_prompt_openai_close(&items);

    if (items.nomem) {
        return NGX_ERROR;
    }

    *messages = items.messages->count != 0 ? items.messages : NULL;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_openai_item(ngx_http_prompt_openai_items_t *items,
    const prompt_json_t *item)
{
    const prompt_json_t                  *type;
    const ngx_http_prompt_openai_item_t  *kind;

    if (item->type != PROMPT_JSON_OBJECT) {
        return ngx_http_prompt_openai_wrong(items->rq, "must be an object",
                                            "input[%u]", items->n);
    }

    type = prompt_json_get(item, prompt_str("type"));

    if (type == NULL || type->type == PROMPT_JSON_NULL) {
        return ngx_http_prompt_openai_item_message(items, item);
    }

    for (kind = ngx_http_prompt_openai_item_kinds; kind->type != NULL; kind++)
    {
        if (prompt_str_eq(type->text, prompt_str_from(kind->type))) {
            return kind->take(items, item);
        }
    }

    return ngx_http_prompt_openai_wrong(items->rq, "must be \"message\", "
                                        "\"function_call\", "
                                        "\"function_call_output\" or "
                                        "\"reasoning\"", "input[%u].type",
                                        items->n);
}


/* a member that must be a text */

static ngx_int_t
ngx_http_prompt_openai_item_text(ngx_http_prompt_openai_items_t *items,
    const prompt_json_t *item, const char *name, prompt_str_t *text)
{
    const prompt_json_t  *value;

    value = prompt_json_get(item, prompt_str_from(name));

    if (value == NULL || value->type != PROMPT_JSON_STRING) {
        return ngx_http_prompt_openai_wrong(items->rq, "must be a string",
                                            "input[%u].%s", items->n, name);
    }

    *text = value->text;

    return NGX_OK;
}


/* what a message or a tool says: a text, or parts; value may be NULL */

static ngx_int_t
ngx_http_prompt_openai_content(ngx_http_prompt_openai_items_t *items,
    const char *at, const prompt_json_t *value, prompt_json_t *message)
{
    unsigned              n;
    ngx_int_t             rc;
    prompt_json_t        *parts;
    const prompt_json_t  *part;

    if (value != NULL && value->type == PROMPT_JSON_STRING) {
        ngx_http_prompt_openai_put_text(items, message, "content",
                                        value->text);
        return NGX_OK;
    }

    if (value == NULL || value->type != PROMPT_JSON_ARRAY
        || value->count == 0)
    {
        return ngx_http_prompt_openai_wrong(items->rq, "must be a string or "
                                            "an array of parts",
                                            "input[%u].%s", items->n, at);
    }

    parts = ngx_http_prompt_openai_new(items, PROMPT_JSON_ARRAY);
    n = 0;

    for (part = value->first; part != NULL && parts != NULL;
         part = part->next)
    {
        rc = ngx_http_prompt_openai_part(items, at, part, n++, message, parts);
        if (rc != NGX_OK) {
            return rc;
        }
    }

    if (parts != NULL && parts->count != 0) {
        ngx_http_prompt_openai_put(items, message, "content", parts);
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_openai_part(ngx_http_prompt_openai_items_t *items,
    const char *at, const prompt_json_t *part, unsigned n,
    prompt_json_t *message, prompt_json_t *parts)
{
    ngx_uint_t            i;
    prompt_json_t        *made, *image;
    const prompt_json_t  *type, *text, *detail;

    static const struct {
        const char  *type;
        const char  *member;
        const char  *as;
    } kinds[] = {
        { "input_text", "text", "text" },
        { "output_text", "text", "text" },
        { "text", "text", "text" },
        { "input_image", "image_url", "image_url" },
        { "refusal", "refusal", NULL }
    };

    type = prompt_json_get(part, prompt_str("type"));

    for (i = 0; type != NULL && type->type == PROMPT_JSON_STRING && i < 5;
         i++)
    {
        if (prompt_str_eq(type->text, prompt_str_from(kinds[i].type))) {
            break;
        }
    }

    if (type == NULL || type->type != PROMPT_JSON_STRING || i == 5) {
        return ngx_http_prompt_openai_wrong(items->rq, "must be "
                                            "\"input_text\", \"output_text\", "
                                            "\"input_image\" or \"refusal\"",
                                            "input[%u].%s[%u].type", items->n,
                                            at, n);
    }

    text = prompt_json_get(part, prompt_str_from(kinds[i].member));

    if (text == NULL || text->type != PROMPT_JSON_STRING) {
        return ngx_http_prompt_openai_wrong(items->rq, "must be a string: "
                                            "files are not kept here",
                                            "input[%u].%s[%u].%s", items->n,
                                            at, n, kinds[i].member);
    }

    if (kinds[i].as == NULL) {

        if (prompt_json_get(message, prompt_str("refusal")) == NULL) {
            ngx_http_prompt_openai_put_text(items, message, "refusal",
                                            text->text);
        }

        return NGX_OK;
    }

    made = ngx_http_prompt_openai_new(items, PROMPT_JSON_OBJECT);
    ngx_http_prompt_openai_put_text(items, made, "type",
                                    prompt_str_from(kinds[i].as));

    if (i != 3) {
        ngx_http_prompt_openai_put_text(items, made, "text", text->text);

    } else {
        image = ngx_http_prompt_openai_new(items, PROMPT_JSON_OBJECT);
        ngx_http_prompt_openai_put_text(items, image, "url", text->text);
        detail = prompt_json_get(part, prompt_str("detail"));

        if (detail != NULL && detail->type == PROMPT_JSON_STRING) {
            ngx_http_prompt_openai_put_text(items, image, "detail",
                                            detail->text);
        }

        ngx_http_prompt_openai_put(items, made, "image_url", image);
    }

    if (!items->nomem) {
        prompt_json_append(parts, made);
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_openai_item_message(ngx_http_prompt_openai_items_t *items,
    const prompt_json_t *item)
{
    ngx_int_t       rc;
    prompt_str_t    role;
    prompt_json_t  *message;

    rc = ngx_http_prompt_openai_item_text(items, item, "role", &role);
    if (rc != NGX_OK) {
        return rc;
    }

    if (prompt_str_eq(role, prompt_str("assistant"))) {
        message = ngx_http_prompt_openai_opened(items, "content");

    } else {

        if (!prompt_str_eq(role, prompt_str("user"))
            && !prompt_str_eq(role, prompt_str("system"))
            && !prompt_str_eq(role, prompt_str("developer")))
        {
            return ngx_http_prompt_openai_wrong(items->rq, "must be "
                                                "\"user\", \"system\", "
                                                "\"developer\" or "
                                                "\"assistant\"",
                                                "input[%u].role", items->n);
        }

        ngx_http_prompt_openai_close(items);
        message = ngx_http_prompt_openai_message_of(items, role);
    }

    rc = ngx_http_prompt_openai_content(items, "content",
                                        prompt_json_get(item,
                                                        prompt_str("content")),
                                        message);

    if (rc == NGX_OK && message != items->open) {
        ngx_http_prompt_openai_add(items, message, items->n);
    }

    return rc;
}


static ngx_int_t
ngx_http_prompt_openai_item_call(ngx_http_prompt_openai_items_t *items,
    const prompt_json_t *item)
{
    ngx_int_t       rc;
    prompt_str_t    id, name, arguments;
    prompt_json_t  *message, *calls, *call, *function;

    rc = ngx_http_prompt_openai_item_text(items, item, "call_id", &id);

    if (rc == NGX_OK) {
        rc = ngx_http_prompt_openai_item_text(items, item, "name", &name);
    }

    if (rc == NGX_OK) {
        rc = ngx_http_prompt_openai_item_text(items, item, "arguments",
                                              &arguments);
    }

    if (rc != NGX_OK) {
        return rc;
    }

    message = ngx_http_prompt_openai_opened(items, NULL);
    calls = prompt_json_get(message, prompt_str("tool_calls"));

    if (calls == NULL) {
        calls = ngx_http_prompt_openai_new(items, PROMPT_JSON_ARRAY);
        ngx_http_prompt_openai_put(items, message, "tool_calls", calls);
    }

    call = ngx_http_prompt_openai_new(items, PROMPT_JSON_OBJECT);
    function = ngx_http_prompt_openai_new(items, PROMPT_JSON_OBJECT);

    ngx_http_prompt_openai_put_text(items, call, "id", id);
    ngx_http_prompt_openai_put_text(items, call, "type",
                                    prompt_str("function"));
    ngx_http_prompt_openai_put_text(items, function, "name", name);
    ngx_http_prompt_openai_put_text(items, function, "arguments", arguments);
    ngx_http_prompt_openai_put(items, call, "function", function);

    if (!items->nomem) {
        prompt_json_append(calls, call);
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_openai_item_output(ngx_http_prompt_openai_items_t *items,
    const prompt_json_t *item)
{
    ngx_int_t       rc;
    prompt_str_t    id;
    prompt_json_t  *message;

    rc = ngx_http_prompt_openai_item_text(items, item, "call_id", &id);
    if (rc != NGX_OK) {
        return rc;
    }

    ngx_http_prompt_openai_close(items);

    message = ngx_http_prompt_openai_message_of(items, prompt_str("tool"));
    ngx_http_prompt_openai_put_text(items, message, "tool_call_id", id);

    rc = ngx_http_prompt_openai_content(items, "output",
                                        prompt_json_get(item,
                                                        prompt_str("output")),
                                        message);

    if (rc == NGX_OK) {
        ngx_http_prompt_openai_add(items, message, items->n);
    }

    return rc;
}


/*
 * What ..._responses.c has written there is the message's; another server's
 * is of no use here, and passed over.
 */

static ngx_int_t
ngx_http_prompt_openai_item_reasoning(ngx_http_prompt_openai_items_t *items,
    const prompt_json_t *item)
{
    prompt_json_t        *provider;
    prompt_json_error_t   error;
    const prompt_json_t  *text;

    text = prompt_json_get(item, prompt_str("encrypted_content"));

    if (text == NULL || text->type != PROMPT_JSON_STRING
        || text->text.len == 0 || text->text.data[0] != '{')
    {
        return NGX_OK;
    }

    provider = prompt_json_read_bounded(items->arena, text->text,
                                        PROMPT_LIMIT_DEPTH,
                                        GQL_HTTP_PARAMS_VALUES, &error);

    if (provider == NULL) {
        items->nomem |= error.status == PROMPT_JSON_NOMEM;

    } else {
        ngx_http_prompt_openai_put(items,
                             ngx_http_prompt_openai_opened(items, "provider"),
                             "provider", provider);
    }

    return NGX_OK;
}
