/*
 * Prompts: prompts/list, prompts/get, completion/complete.
 *
 * What is listed is the version that is meant where none is named: the one of
 * the label production, else the latest.
 */

#include "mcp/ngx_http_prompt_mcp_impl.h"

#include "base/scan.h"
#include "base/uuid.h"
#include "prompt/name.h"


/* prompts of a page */
#define PROMPT_MCP_PAGE       50

/* of a schema so much is looked at: properties, names of required ones */
#define PROMPT_MCP_ARGUMENTS  256
#define PROMPT_MCP_REQUIRED   1024

/* values of a completion ("CompleteResult") */
#define PROMPT_MCP_VALUES     100


/* of a prompt; as it is written in its schema */
typedef struct {
    prompt_str_t    name;
    prompt_str_t    description;
    bool            required;
} prompt_mcp_argument_t;


/* A cursor is the id of the last prompt of the page before. */

ngx_int_t
prompt_mcp_page(prompt_mcp_call_t *call, prompt_json_t *variables)
{
    prompt_uuid_t         id;
    prompt_arena_t       *arena;
    const prompt_json_t  *cursor;

    arena = call->ctx->op.job.arena;
    cursor = prompt_json_get(call->params, prompt_str("cursor"));

    if (cursor != NULL && (cursor->type != PROMPT_JSON_STRING
                           || !prompt_uuid_parse(cursor->text, &id)))
    {
        return prompt_mcp_invalid(call, "\"params.cursor\" must be one that a "
                                        "page had.");
    }

    /* one more says whether there is another page */

    return prompt_json_set_integer(variables, arena, "first",
                                   PROMPT_MCP_PAGE + 1)
           && (cursor == NULL
               || prompt_json_set_string(variables, arena, "after",
                                         cursor->text))
           ? NGX_OK : NGX_ERROR;
}


static prompt_str_t
prompt_mcp_version(prompt_str_t prompt)
{
    prompt_str_t  version;

    version = prompt_json_span(prompt, "set");

    return prompt_json_span_set(version) ? version
                                         : prompt_json_span(prompt, "other");
}


void
prompt_mcp_list(prompt_mcp_call_t *call, prompt_str_t value, const char *name,
    void (*write)(prompt_mcp_call_t *call, prompt_str_t prompt,
    prompt_str_t version, prompt_buf_t *buf), prompt_buf_t *buf)
{
    ngx_uint_t          n;
    prompt_str_t        prompt, version, last;
    prompt_uuid_t       id;
    prompt_json_scan_t  scan;

    prompt_mcp_begin(call, buf);
    prompt_buf_printf(buf, "\"%s\":[", name);

    last = prompt_str_absent;
    prompt_json_span_begin(&scan, value);

    for (n = 0; prompt_json_span_next(&scan, NULL, &prompt); n++) {

        if (n == PROMPT_MCP_PAGE) {
            break;
        }

        last = prompt_json_span(prompt, "id");
        version = prompt_mcp_version(prompt);

        /* a name that has the form of an id cannot be asked for */

        if (prompt_json_span_set(version)
            && !prompt_uuid_parse(prompt_json_span_inner(
                                      prompt_json_span(prompt, "name")), &id))
        {
            write(call, prompt, version, buf);
        }
    }

    prompt_buf_char(buf, ']');

    if (scan.depth != 0) {
        prompt_buf_literal(buf, ",\"nextCursor\":");
        prompt_buf_str(buf, last);
    }

    prompt_mcp_end(call, NULL, value, buf);
}


void
prompt_mcp_describe(prompt_str_t prompt, const char *what, prompt_buf_t *buf)
{
    prompt_str_t  name, description;

    name = prompt_json_span_inner(prompt_json_span(prompt, "name"));
    description = prompt_json_span_inner(prompt_json_span(prompt,
                                                          "description"));

    prompt_json_span_comma(buf);
    prompt_buf_printf(buf, "{\"name\":\"%.*s\",\"description\":\"",
                      prompt_str_arg(name));

    if (description.len != 0) {
        prompt_buf_printf(buf, "%.*s\"", prompt_str_arg(description));

    } else {
        prompt_buf_printf(buf, "%s \\\"%.*s\\\".\"", what,
                          prompt_str_arg(name));
    }
}


/* The properties of a schema, of which each part is walked through once. */
static ngx_uint_t
prompt_mcp_arguments(prompt_str_t schema, prompt_mcp_argument_t *arguments)
{
    ngx_uint_t          i, n, names;
    prompt_str_t        one;
    prompt_json_scan_t  scan;

    prompt_json_span_begin(&scan, prompt_json_span(schema, "properties"));

    for (n = 0; n < PROMPT_MCP_ARGUMENTS
                && prompt_json_span_next(&scan, &arguments[n].name, &one); n++)
    {
        arguments[n].description =
            prompt_json_span_inner(prompt_json_span(one, "description"));
        arguments[n].required = false;
    }

    prompt_json_span_begin(&scan, prompt_json_span(schema, "required"));

    for (names = 0; names < PROMPT_MCP_REQUIRED
                    && prompt_json_span_next(&scan, NULL, &one); names++)
    {
        one = prompt_json_span_inner(one);

        for (i = 0; i < n; i++) {
            arguments[i].required |= prompt_str_eq(arguments[i].name, one);
        }
    }

    return n;
}


/* Its arguments are the properties of its schema. */
static void
prompt_mcp_prompt(prompt_mcp_call_t *call, prompt_str_t prompt,
    prompt_str_t version, prompt_buf_t *buf)
{
    ngx_uint_t              i, n;
    prompt_mcp_argument_t  *one, arguments[PROMPT_MCP_ARGUMENTS];

    (void) call;

    prompt_mcp_describe(prompt, "The stored prompt", buf);
    prompt_buf_literal(buf, ",\"arguments\":[");

    n = prompt_mcp_arguments(prompt_json_span(version, "inputSchema"),
                             arguments);

    for (i = 0; i < n; i++) {
        one = &arguments[i];

        prompt_json_span_comma(buf);
        prompt_buf_printf(buf, "{\"name\":\"%.*s\"%s%.*s%s,\"required\":%s}",
                          prompt_str_arg(one->name),
                          one->description.len != 0
                          ? ",\"description\":\"" : "",
                          prompt_str_arg(one->description),
                          one->description.len != 0 ? "\"" : "",
                          one->required ? "true" : "false");
    }

    prompt_buf_literal(buf, "]}");
}


void
prompt_mcp_prompts(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_buf_t *buf)
{
    prompt_mcp_list(call, value, "prompts", prompt_mcp_prompt, buf);
}


/* An id might be one of somebody's public prompt: those are not here. */
static ngx_int_t
prompt_mcp_named(prompt_mcp_call_t *call, const prompt_json_t *from,
    prompt_named_t *named)
{
    prompt_uuid_t         id;
    const prompt_json_t  *name;

    name = prompt_mcp_string(from, "name");

    if (name == NULL) {
        return prompt_mcp_invalid(call, "\"name\" must be a string.");
    }

    prompt_named(name->text, named);

    return prompt_uuid_parse(named->name, &id)
           ? prompt_mcp_invalid(call, "There is no such prompt.") : NGX_OK;
}


ngx_int_t
prompt_mcp_target(prompt_mcp_call_t *call, prompt_named_t *named,
    prompt_json_t *variables)
{
    ngx_int_t                  rc;
    prompt_json_t             *input;
    prompt_arena_t            *arena;
    const prompt_json_t       *given, *member;
    ngx_http_prompt_beside_t  *beside;

    arena = call->ctx->op.job.arena;
    beside = &call->ctx->op.job.beside;
    beside->label = prompt_str(PROMPT_NAMED_DEFAULT);

    rc = prompt_mcp_named(call, call->params, named);
    if (rc != NGX_OK) {
        return rc;
    }

    given = prompt_json_get(call->params, prompt_str("arguments"));
    member = given != NULL && beside->texts ? given->first : NULL;

    while (member != NULL && member->type == PROMPT_JSON_STRING) {
        member = member->next;
    }

    if (member != NULL || (given != NULL && given->type != PROMPT_JSON_OBJECT))
    {
        return prompt_mcp_invalid(call, beside->texts
                   ? "\"arguments\" must be an object of strings."
                   : "\"arguments\" must be an object.");
    }

    input = given != NULL ? prompt_json_copy(arena, given)
                          : prompt_json_new(arena, PROMPT_JSON_OBJECT);

    if (input == NULL || !prompt_named_set(named, arena, variables)) {
        return NGX_ERROR;
    }

    prompt_json_set(variables, prompt_str("input"), input);

    return NGX_OK;
}


ngx_int_t
prompt_mcp_get(prompt_mcp_call_t *call, prompt_json_t *variables)
{
    prompt_named_t  named;

    call->ctx->op.job.beside.texts = 1;

    return prompt_mcp_target(call, &named, variables);
}


/* A message whose content is a text, JSON. */
static void
prompt_mcp_text(const char *role, prompt_str_t text, prompt_buf_t *buf)
{
    prompt_json_span_comma(buf);
    prompt_buf_printf(buf, "{\"role\":\"%s\",\"content\":{\"type\":\"text\","
                      "\"text\":%.*s}}", role, prompt_str_arg(text));
}


/* data:TYPE;base64,DATA; or an address, which is the client's to follow */
static void
prompt_mcp_image(const char *role, prompt_str_t image, prompt_buf_t *buf)
{
    prompt_str_t  data, type;

    data = prompt_json_span_inner(image);
    prompt_json_span_comma(buf);
    prompt_buf_printf(buf, "{\"role\":\"%s\",\"content\":{\"type\":\"", role);

    if (prompt_scan_word(&data, prompt_str("data:"))
        && prompt_scan_split(&data, ';', &type)
        && prompt_scan_word(&data, prompt_str("base64,")))
    {
        prompt_buf_printf(buf, "image\",\"mimeType\":\"%.*s\",\"data\":\"",
                          prompt_str_arg(type));
        prompt_buf_str(buf, data);
        prompt_buf_literal(buf, "\"}}");

    } else {
        prompt_buf_printf(buf, "resource_link\",\"name\":\"image\",\"uri\":"
                          "%.*s}}", prompt_str_arg(image));
    }
}


/*
 * A message of MCP is of user or assistant, and has one content: one with
 * several parts is several, and what is of neither is the user's.
 */
static void
prompt_mcp_parts(prompt_str_t message, prompt_buf_t *buf)
{
    const char         *role;
    prompt_str_t        content, part;
    prompt_buf_t        call;
    prompt_json_scan_t  images, calls;

    role = prompt_json_span_is(prompt_json_span(message, "role"),
                               "\"assistant\"") ? "assistant" : "user";
    content = prompt_json_span(message, "content");

    prompt_json_span_begin(&images, prompt_json_span(message, "images"));
    prompt_json_span_begin(&calls, prompt_json_span(message, "toolCalls"));

    if (content.len > sizeof("\"\"") - 1) {
        prompt_mcp_text(role, content, buf);
    }

    while (prompt_json_span_next(&images, NULL, &part)) {
        prompt_mcp_image(role, part, buf);
    }

    while (prompt_json_span_next(&calls, NULL, &part)) {
        prompt_buf_init(&call, 6 * part.len + sizeof("\"\""));
        prompt_json_write_string(&call, part);
        prompt_mcp_text(role, prompt_buf_view(&call), buf);
        prompt_buf_free(&call);
    }
}


void
prompt_mcp_got(prompt_mcp_call_t *call, prompt_str_t value, prompt_buf_t *buf)
{
    prompt_str_t        message;
    prompt_json_scan_t  scan;

    prompt_mcp_begin(call, buf);
    prompt_buf_literal(buf, "\"messages\":[");

    prompt_json_span_begin(&scan, prompt_json_span(value, "messages"));

    while (prompt_json_span_next(&scan, NULL, &message)) {
        prompt_mcp_parts(message, buf);
    }

    prompt_buf_char(buf, ']');
    prompt_mcp_end(call, NULL, value, buf);
}


ngx_int_t
prompt_mcp_complete(prompt_mcp_call_t *call, prompt_json_t *variables)
{
    ngx_int_t             rc;
    prompt_check_t        check;
    prompt_fault_t        fault;
    prompt_named_t        named;
    const prompt_json_t  *ref, *type, *argument, *name, *value;

    ref = prompt_json_get(call->params, prompt_str("ref"));
    type = prompt_mcp_string(ref, "type");
    argument = prompt_json_get(call->params, prompt_str("argument"));
    name = prompt_mcp_string(argument, "name");
    value = prompt_mcp_string(argument, "value");

    if (name == NULL || value == NULL || type == NULL
        || !prompt_str_eq(type->text, prompt_str("ref/prompt")))
    {
        return prompt_mcp_invalid(call, "\"params\" must have a \"ref\" of "
                                  "type \"ref/prompt\", and an \"argument\" "
                                  "with strings \"name\" and \"value\".");
    }

    rc = prompt_mcp_named(call, ref, &named);
    if (rc != NGX_OK) {
        return rc;
    }

    check = prompt_name(call->ctx->op.job.arena, named.name, &named.name,
                        &fault);
    if (check == PROMPT_CHECK_FAULT) {
        return prompt_mcp_invalid(call, "There is no such prompt.");
    }

    call->exact = named.version != 0 || named.label.data != NULL;
    call->argument = prompt_mcp_copy(call, name);
    call->begins = prompt_mcp_copy(call, value);

    return check == PROMPT_CHECK_OK
           && call->argument.data != NULL && call->begins.data != NULL
           && prompt_named_set(&named, call->ctx->op.job.arena, variables)
           ? NGX_OK : NGX_ERROR;
}


/* What a property may be, one by one: scan is at an array, or at nothing. */
static void
prompt_mcp_values(prompt_str_t schema, prompt_str_t argument,
    prompt_json_scan_t *scan)
{
    prompt_str_t        name, one, property, values;
    prompt_json_scan_t  properties;

    property = prompt_str_absent;
    prompt_json_span_begin(&properties, prompt_json_span(schema, "properties"));

    while (property.data == NULL
           && prompt_json_span_next(&properties, &name, &one))
    {
        if (prompt_str_eq(name, prompt_json_span_inner(argument))) {
            property = one;
        }
    }

    values = prompt_json_span(property, "enum");

    if (values.data == NULL
        && prompt_json_span_is(prompt_json_span(property, "type"),
                               "\"boolean\""))
    {
        values = prompt_str("[true,false]");
    }

    prompt_json_span_begin(scan, values);
}


void
prompt_mcp_completed(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_buf_t *buf)
{
    unsigned            total;
    prompt_str_t        version, one;
    prompt_json_scan_t  scan;

    version = call->exact ? prompt_json_span(value, "other")
                          : prompt_mcp_version(value);

    prompt_mcp_values(prompt_json_span(version, "inputSchema"), call->argument,
                      &scan);

    prompt_mcp_begin(call, buf);
    prompt_buf_literal(buf, "\"completion\":{\"values\":[");

    total = 0;

    while (prompt_json_span_next(&scan, NULL, &one)) {

        if (one.data[0] == '"') {
            one = prompt_json_span_inner(one);

        } else if (one.data[0] == '{' || one.data[0] == '['
                   || prompt_json_span_is(one, "null"))
        {
            continue;
        }

        if (!prompt_scan_begins(one, prompt_json_span_inner(call->begins))) {
            continue;
        }

        if (total++ < PROMPT_MCP_VALUES) {
            prompt_json_span_comma(buf);
            prompt_buf_printf(buf, "\"%.*s\"", prompt_str_arg(one));
        }
    }

    prompt_buf_printf(buf, "],\"total\":%u,\"hasMore\":%s}", total,
                      total > PROMPT_MCP_VALUES ? "true" : "false");
    prompt_mcp_end(call, NULL, value, buf);
}
