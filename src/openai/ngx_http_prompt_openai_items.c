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
    openai_request_t  *rq;
    prompt_json_t     *messages;
    prompt_json_t     *open;         /* of the assistant's, still to be added;
                                        NULL: none */
    uint32_t           begun;        /* the item that it began with */
    uint32_t           n;            /* the item */
    size_t             opaque;       /* bytes that were read of reasoning */
} openai_items_t;


static const struct {
    const char     *type;
    const char     *member;          /* what it has */
    const char     *as;              /* the type of a chat's part; NULL: it is
                                        the message's */
} openai_parts[] = {
    { "input_text", "text", "text" }, { "output_text", "text", "text" },
    { "text", "text", "text" }, { "input_image", "image_url", "image_url" },
    { "refusal", "refusal", NULL }
};

#define OPENAI_PARTS  (sizeof(openai_parts) / sizeof(openai_parts[0]))


static void
openai_add(openai_items_t *items, prompt_json_t *message, uint32_t item)
{
    if (openai_put(items->rq, items->messages, NULL, message) != NULL) {
        items->rq->items[items->rq->nitems++] = item;
    }
}


/* The assistant has said it; what only goes back to a provider is nothing. */
static void
openai_close(openai_items_t *items)
{
    if (items->open != NULL
        && (openai_get(items->open, "content") != NULL
            || openai_get(items->open, "refusal") != NULL
            || openai_get(items->open, "tool_calls") != NULL))
    {
        openai_add(items, items->open, items->begun);
    }

    items->open = NULL;
}


static prompt_json_t *
openai_message(openai_items_t *items, prompt_str_t role)
{
    prompt_json_t  *message;

    message = openai_new(items->rq, PROMPT_JSON_OBJECT);
    openai_put_text(items->rq, message, "role", role);

    return message;
}


/* the assistant's message; another one where that has such a member */
static prompt_json_t *
openai_opened(openai_items_t *items, const char *member)
{
    if (openai_get(items->open, member) != NULL) {
        openai_close(items);
    }

    if (items->open == NULL) {
        items->begun = items->n;
        items->open = openai_message(items, prompt_str("assistant"));
    }

    return items->open;
}


/* a member of the item that must be a text */
static prompt_str_t
openai_item_text(openai_items_t *items, const prompt_json_t *item,
    const char *name)
{
    const prompt_json_t  *value;

    value = openai_get(item, name);

    if (value == NULL || value->type != PROMPT_JSON_STRING) {
        openai_wrong(items->rq, "must be a string", "input[%u].%s", items->n,
                     name);
        return prompt_str("");
    }

    return value->text;
}


static void
openai_part(openai_items_t *items, const char *at, const prompt_json_t *part,
    unsigned n, prompt_json_t *message, prompt_json_t *parts)
{
    size_t                i;
    prompt_json_t        *made, *image;
    openai_request_t     *rq;
    const prompt_json_t  *type, *text;

    rq = items->rq;
    type = openai_get(part, "type");

    i = 0;

    while (i < OPENAI_PARTS && !openai_is(type, openai_parts[i].type)) {
        i++;
    }

    if (i == OPENAI_PARTS) {
        openai_wrong(rq, "must be \"input_text\", \"output_text\", "
                     "\"input_image\" or \"refusal\"", "input[%u].%s[%u].type",
                     items->n, at, n);
        return;
    }

    text = openai_get(part, openai_parts[i].member);

    if (text == NULL || text->type != PROMPT_JSON_STRING) {
        openai_wrong(rq, "must be a string: files are not kept here",
                     "input[%u].%s[%u].%s", items->n, at, n,
                     openai_parts[i].member);
        return;
    }

    if (openai_parts[i].as == NULL) {

        if (openai_get(message, "refusal") == NULL) {
            openai_put(rq, message, "refusal", text);
        }

        return;
    }

    made = openai_new(rq, PROMPT_JSON_OBJECT);
    openai_put_text(rq, made, "type", prompt_str_from(openai_parts[i].as));

    if (strcmp(openai_parts[i].as, "text") == 0) {
        openai_put(rq, made, "text", text);

    } else {
        image = openai_new(rq, PROMPT_JSON_OBJECT);
        openai_put(rq, image, "url", text);

        if (openai_get(part, "detail") != NULL) {
            openai_put(rq, image, "detail", openai_get(part, "detail"));
        }

        openai_put(rq, made, "image_url", image);
    }

    openai_put(rq, parts, NULL, made);
}


/* what a message or a tool says: a text, or parts */
static void
openai_content(openai_items_t *items, const prompt_json_t *item,
    const char *at, prompt_json_t *message)
{
    unsigned              n;
    prompt_json_t        *parts;
    const prompt_json_t  *value, *part;

    value = openai_get(item, at);

    if (value != NULL && value->type == PROMPT_JSON_STRING) {
        openai_put(items->rq, message, "content", value);
        return;
    }

    if (value == NULL || value->type != PROMPT_JSON_ARRAY
        || value->count == 0)
    {
        openai_wrong(items->rq, "must be a string or an array of parts",
                     "input[%u].%s", items->n, at);
        return;
    }

    parts = openai_new(items->rq, PROMPT_JSON_ARRAY);

    for (n = 0, part = value->first; part != NULL; n++, part = part->next) {
        openai_part(items, at, part, n, message, parts);
    }

    if (parts != NULL && parts->count != 0) {
        openai_put(items->rq, message, "content", parts);
    }
}


static void
openai_item_message(openai_items_t *items, const prompt_json_t *item)
{
    prompt_str_t    role;
    prompt_json_t  *message;

    role = openai_item_text(items, item, "role");

    if (prompt_str_eq(role, prompt_str("assistant"))) {
        openai_content(items, item, "content",
                       openai_opened(items, openai_get(items->open, "refusal")
                                            != NULL ? "refusal" : "content"));
        return;
    }

    if (!prompt_str_eq(role, prompt_str("user"))
        && !prompt_str_eq(role, prompt_str("system"))
        && !prompt_str_eq(role, prompt_str("developer")))
    {
        openai_wrong(items->rq, "must be \"user\", \"system\", \"developer\" "
                     "or \"assistant\"", "input[%u].role", items->n);
    }

    openai_close(items);

    message = openai_message(items, role);
    openai_content(items, item, "content", message);
    openai_add(items, message, items->n);
}


static void
openai_item_call(openai_items_t *items, const prompt_json_t *item)
{
    prompt_json_t     *message, *calls, *call, *function;
    openai_request_t  *rq;

    rq = items->rq;
    message = openai_opened(items, "");
    call = openai_new(rq, PROMPT_JSON_OBJECT);
    function = openai_new(rq, PROMPT_JSON_OBJECT);
    calls = prompt_json_get(message, prompt_str("tool_calls"));

    if (calls == NULL) {
        calls = openai_put(rq, message, "tool_calls",
                           openai_new(rq, PROMPT_JSON_ARRAY));
    }

    openai_put_text(rq, call, "id", openai_item_text(items, item, "call_id"));
    openai_put_text(rq, call, "type", prompt_str("function"));
    openai_put_text(rq, function, "name",
                    openai_item_text(items, item, "name"));
    openai_put_text(rq, function, "arguments",
                    openai_item_text(items, item, "arguments"));
    openai_put(rq, call, "function", function);
    openai_put(rq, calls, NULL, call);
}


static void
openai_item_output(openai_items_t *items, const prompt_json_t *item)
{
    prompt_json_t  *message;

    openai_close(items);

    message = openai_message(items, prompt_str("tool"));
    openai_put_text(items->rq, message, "tool_call_id",
                    openai_item_text(items, item, "call_id"));
    openai_content(items, item, "output", message);
    openai_add(items, message, items->n);
}


/*
 * What ..._responses.c has written there is the message's; another server's
 * is of no use here, and passed over.
 */
static void
openai_item_reasoning(openai_items_t *items, const prompt_json_t *item)
{
    prompt_json_t        *provider;
    prompt_json_error_t   error;
    const prompt_json_t  *text;

    text = openai_get(item, "encrypted_content");

    if (text == NULL || text->text.len == 0 || text->text.data[0] != '{') {
        return;
    }

    items->opaque += text->text.len;

    if (items->opaque > PROMPT_LIMIT_RENDERED) {
        openai_wrong(items->rq, "makes the input longer than it may be",
                     "input[%u].encrypted_content", items->n);
        return;
    }

    provider = prompt_json_read_bounded(items->rq->ctx->op.job.arena,
                                        text->text, PROMPT_LIMIT_DEPTH,
                                        GQL_HTTP_PARAMS_VALUES, &error);

    if (provider != NULL) {
        openai_put(items->rq, openai_opened(items, "provider"), "provider",
                   provider);
    }
}


static void
openai_item(openai_items_t *items, const prompt_json_t *item)
{
    size_t                i;
    const prompt_json_t  *type;

    static const struct {
        const char  *type;
        void       (*read)(openai_items_t *items, const prompt_json_t *item);
    } kinds[] = {
        { "message", openai_item_message },
        { "function_call", openai_item_call },
        { "function_call_output", openai_item_output },
        { "reasoning", openai_item_reasoning }
    };

    if (item->type != PROMPT_JSON_OBJECT) {
        openai_wrong(items->rq, "must be an object", "input[%u]", items->n);
        return;
    }

    type = openai_get(item, "type");

    for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (type == NULL || openai_is(type, kinds[i].type)) {
            kinds[i].read(items, item);
            return;
        }
    }

    openai_wrong(items->rq, "must be \"message\", \"function_call\", "
                 "\"function_call_output\" or \"reasoning\"", "input[%u].type",
                 items->n);
}


prompt_json_t *
openai_items(openai_request_t *rq)
{
    prompt_json_t        *message;
    openai_items_t        items;
    const prompt_json_t  *input, *item;

    ngx_memzero(&items, sizeof(openai_items_t));
    input = openai_get(rq->body, "input");

    items.rq = rq;
    items.messages = openai_new(rq, PROMPT_JSON_ARRAY);

    rq->items = ngx_palloc(rq->ctx->op.job.request->pool,
                           ((input != NULL ? input->count : 0) + 2)
                           * sizeof(uint32_t));
    rq->nomem |= rq->items == NULL;

    if (openai_get(rq->body, "instructions") != NULL) {
        message = openai_message(&items, prompt_str("system"));
        openai_put_text(rq, message, "content",
                        openai_text(rq, rq->body, "instructions", ""));
        openai_add(&items, message, UINT32_MAX);
    }

    if (input != NULL && input->type == PROMPT_JSON_STRING) {
        message = openai_message(&items, prompt_str("user"));
        openai_put(rq, message, "content", input);
        openai_add(&items, message, 0);

    } else if (input != NULL && input->type != PROMPT_JSON_ARRAY) {
        openai_wrong(rq, "must be a string or an array of items", "input");
    }

    for (item = input != NULL ? input->first : NULL;
         item != NULL && rq->fault.status == 0 && !rq->nomem;
         item = item->next)
    {
        openai_item(&items, item);
        items.n++;
    }

    openai_close(&items);

    return items.messages != NULL && items.messages->count != 0
           ? items.messages : NULL;
}
