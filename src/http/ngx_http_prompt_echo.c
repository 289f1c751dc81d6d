/*
 * prompt_echo: a stand-in for a model provider.
 *
 * Speaks the OpenAI chat completions form: it answers with the text of the
 * last message that it was sent and counts tokens as words between white
 * space.  It reads its request as a provider would, and refuses what one would
 * refuse, with errors of the same form.  For demonstrations and tests, where no
 * provider is to be paid.
 */

#include "http/ngx_http_prompt_locations.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "http/ngx_http_prompt_response.h"
#include "http/ngx_http_prompt_params.h"


#define NGX_HTTP_PROMPT_ECHO_MEMORY  (64 * 1024 * 1024)
#define NGX_HTTP_PROMPT_ECHO_DEPTH   64


static void ngx_http_prompt_echo_body(ngx_http_request_t *r);
static ngx_uint_t ngx_http_prompt_echo_answer(prompt_arena_t *arena,
    prompt_str_t request, prompt_buf_t *out);
static void ngx_http_prompt_echo_refuse(prompt_buf_t *out,
    const char *message);
static ngx_uint_t ngx_http_prompt_echo_asked(const prompt_json_t *messages);
static ngx_uint_t ngx_http_prompt_echo_words(prompt_str_t text);


ngx_int_t
ngx_http_prompt_echo_handler(ngx_http_request_t *r)
{
    ngx_int_t  rc;

    if (r->method != NGX_HTTP_POST) {
        return NGX_HTTP_NOT_ALLOWED;
    }

    rc = ngx_http_read_client_request_body(r, ngx_http_prompt_echo_body);

    if (rc >= NGX_HTTP_SPECIAL_RESPONSE) {
        return rc;
    }

    return NGX_DONE;
}


static void
ngx_http_prompt_echo_body(ngx_http_request_t *r)
{
    ngx_int_t        rc;
    ngx_str_t        request;
    ngx_uint_t       status;
    prompt_buf_t     out;
    prompt_arena_t  *arena;

    rc = ngx_http_prompt_params_body(r, &request);

    if (rc != NGX_OK) {
        ngx_http_finalize_request(r, rc == NGX_ERROR
                                     ? NGX_HTTP_INTERNAL_SERVER_ERROR : rc);
        return;
    }

    arena = prompt_arena_create(NGX_HTTP_PROMPT_ECHO_MEMORY);

    if (arena == NULL) {
        ngx_http_finalize_request(r, NGX_HTTP_INTERNAL_SERVER_ERROR);
        return;
    }

    prompt_buf_init(&out, NGX_HTTP_PROMPT_ECHO_MEMORY);

    status = ngx_http_prompt_echo_answer(arena, ngx_http_prompt_str(&request),
                                         &out);

    rc = ngx_http_prompt_send_text(r, status, "application/json", &out);

    prompt_buf_free(&out);
    prompt_arena_destroy(arena);

    ngx_http_finalize_request(r, rc);
}


static ngx_uint_t
ngx_http_prompt_echo_answer(prompt_arena_t *arena, prompt_str_t request,
    prompt_buf_t *out)
{
    ngx_uint_t            words, asked;
    prompt_json_t        *body, *model, *messages, *content;
    prompt_json_error_t   error;

    body = prompt_json_read(arena, request, NGX_HTTP_PROMPT_ECHO_DEPTH,
                            &error);

    if (body == NULL || body->type != PROMPT_JSON_OBJECT) {
        ngx_http_prompt_echo_refuse(out, "The body must be a JSON object.");
        return NGX_HTTP_BAD_REQUEST;
    }

    model = prompt_json_get(body, prompt_str("model"));

    if (model == NULL || model->type != PROMPT_JSON_STRING) {
        ngx_http_prompt_echo_refuse(out, "\"model\" must be a string.");
        return NGX_HTTP_BAD_REQUEST;
    }

    messages = prompt_json_get(body, prompt_str("messages"));

    if (messages == NULL || messages->type != PROMPT_JSON_ARRAY
        || messages->count == 0)
    {
        ngx_http_prompt_echo_refuse(out, "\"messages\" must be a list.");
        return NGX_HTTP_BAD_REQUEST;
    }

    content = prompt_json_get(messages->last, prompt_str("content"));

    if (content == NULL || content->type != PROMPT_JSON_STRING) {
        ngx_http_prompt_echo_refuse(out, "\"content\" must be a string.");
        return NGX_HTTP_BAD_REQUEST;
    }

    words = ngx_http_prompt_echo_words(content->text);
    asked = ngx_http_prompt_echo_asked(messages);

    prompt_buf_literal(out, "{\"id\":\"chatcmpl-echo\",\"object\":"
                            "\"chat.completion\",\"created\":");
    prompt_buf_int(out, ngx_time());
    prompt_buf_literal(out, ",\"model\":");
    prompt_json_write_string(out, model->text);
    prompt_buf_literal(out, ",\"choices\":[{\"index\":0,\"message\":{\"role\":"
                            "\"assistant\",\"content\":");
    prompt_json_write_string(out, content->text);
    prompt_buf_literal(out, "},\"finish_reason\":\"stop\"}],\"usage\":{"
                            "\"prompt_tokens\":");
    prompt_buf_int(out, asked);
    prompt_buf_literal(out, ",\"completion_tokens\":");
    prompt_buf_int(out, words);
    prompt_buf_literal(out, ",\"total_tokens\":");
    prompt_buf_int(out, asked + words);
    prompt_buf_literal(out, "}}");

    return NGX_HTTP_OK;
}


/* the words of all messages */
static ngx_uint_t
ngx_http_prompt_echo_asked(const prompt_json_t *messages)
{
    ngx_uint_t            words;
    const prompt_json_t  *message, *content;

    words = 0;

    for (message = messages->first; message != NULL; message = message->next) {
        content = prompt_json_get(message, prompt_str("content"));

        if (content != NULL && content->type == PROMPT_JSON_STRING) {
            words += ngx_http_prompt_echo_words(content->text);
        }
    }

    return words;
}


static void
ngx_http_prompt_echo_refuse(prompt_buf_t *out, const char *message)
{
    prompt_buf_literal(out, "{\"error\":{\"message\":");
    prompt_json_write_string(out, prompt_str_from(message));
    prompt_buf_literal(out, ",\"type\":\"invalid_request_error\",\"param\":"
                            "null,\"code\":null}}");
}


static ngx_uint_t
ngx_http_prompt_echo_words(prompt_str_t text)
{
    size_t      i;
    ngx_uint_t  words, inside;

    words = 0;
    inside = 0;

    for (i = 0; i < text.len; i++) {

        if (text.data[i] == ' '
            || (text.data[i] >= '\t' && text.data[i] <= '\r'))
        {
            inside = 0;

        } else if (!inside) {
            inside = 1;
            words++;
        }
    }

    return words;
}
