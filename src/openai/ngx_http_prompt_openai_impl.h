/*
 * Inside prompt_openai: what its files know of each other (README.md).  Nobody
 * else includes this header.
 */

#ifndef NGX_HTTP_PROMPT_OPENAI_IMPL_H
#define NGX_HTTP_PROMPT_OPENAI_IMPL_H

#include "base/uuid.h"
#include "http/ngx_http_prompt_event_stream.h"
#include "openai/ngx_http_prompt_openai.h"
#include "prompt/named.h"


/* an execution's id as OpenAI's ids have it: without hyphens */
#define NGX_HTTP_PROMPT_OPENAI_ID  32

/* bytes that an answer may have: its text stands in it up to five times */
#define NGX_HTTP_PROMPT_OPENAI_ANSWER  (96 * 1024 * 1024)

/* what appended messages are called by faults, before these are translated */
#define NGX_HTTP_PROMPT_OPENAI_MESSAGES  "messages"
#define NGX_HTTP_PROMPT_OPENAI_ITEMS     "items"

/* of a message that is made of instructions */
#define NGX_HTTP_PROMPT_OPENAI_NO_ITEM   ((uint32_t) -1)


/* documents, planned when the configuration is read */
typedef enum {
    NGX_HTTP_PROMPT_OPENAI_RUN = 0,
    NGX_HTTP_PROMPT_OPENAI_RUN_STREAM,
    NGX_HTTP_PROMPT_OPENAI_MODELS,
    NGX_HTTP_PROMPT_OPENAI_MODEL,
    NGX_HTTP_PROMPT_OPENAI_TEMPLATE,
    NGX_HTTP_PROMPT_OPENAI_PRODUCTION,
    NGX_HTTP_PROMPT_OPENAI_DOCUMENTS
} ngx_http_prompt_openai_document_e;

struct ngx_http_prompt_openai_s {
    const ngx_http_prompt_compiled_t
                  *documents[NGX_HTTP_PROMPT_OPENAI_DOCUMENTS];
};


/* what came of an execution: JSON as the answer has it; absent: null */
typedef struct {
    prompt_str_t    id;              /* the text within the quotes */
    prompt_str_t    model;
    prompt_str_t    finish;          /* the text within the quotes */
    prompt_str_t    in;
    prompt_str_t    cached;
    prompt_str_t    cache_write;
    prompt_str_t    out;
    prompt_str_t    reasoning;
    prompt_str_t    cost;
    prompt_str_t    latency;
    prompt_str_t    version;
    prompt_str_t    content;         /* of the message, as are these */
    prompt_str_t    calls;
    prompt_str_t    provider;
    prompt_str_t    refusal;         /* in the place of content */
    unsigned        cut:1;           /* by the limit of tokens */
    unsigned        filtered:1;
} ngx_http_prompt_openai_result_t;


/* an error of OpenAI's API */
typedef struct {
    ngx_uint_t      status;
    prompt_str_t    message;
    const char     *type;            /* NULL: what the status stands for, */
    const char     *code;            /* as this */
    prompt_str_t    param;           /* absent: none */
    prompt_str_t    execution;       /* its id, as text; absent: none */
    int64_t         retry_after;     /* s; < 0: not said */
    unsigned        final:1;         /* who asks again may pay again */
} ngx_http_prompt_openai_error_t;


typedef struct ngx_http_prompt_openai_request_s
    ngx_http_prompt_openai_request_t;

/* what stands behind the location's name */
typedef struct {
    prompt_str_t                         path;
    ngx_uint_t                           method;
    const char                          *allow;
    const char                          *scope;
    ngx_uint_t                           named;     /* a name follows */
    ngx_http_prompt_openai_document_e    document;

    /*
     * Sets the variables and all else of a request.  NGX_DECLINED: it is at
     * fault, rq->fault says why; NGX_ERROR: memory.
     */
    ngx_int_t  (*read)(ngx_http_prompt_openai_request_t *rq);

    /* Writes what came of an execution; NULL: it is none. */
    void       (*write)(ngx_http_prompt_openai_request_t *rq,
                        const ngx_http_prompt_openai_result_t *result,
                        prompt_buf_t *out);

    /* Writes what was looked up: text.  NGX_DECLINED: that has errors. */
    ngx_int_t  (*list)(ngx_http_prompt_openai_request_t *rq,
                       prompt_str_t text, prompt_buf_t *out);

    /* a stream: what is before its first text, at one, and at its end */
    const ngx_http_prompt_event_form_t  *form;
    void       (*begin)(ngx_http_prompt_openai_request_t *rq,
                        prompt_str_t model, prompt_buf_t *out);
    ngx_int_t  (*delta)(ngx_http_prompt_openai_request_t *rq,
                        prompt_str_t text);
    void       (*end)(ngx_http_prompt_openai_request_t *rq,
                      const ngx_http_prompt_openai_result_t *result,
                      prompt_buf_t *out);
    void       (*fail)(ngx_http_prompt_openai_request_t *rq,
                       const ngx_http_prompt_openai_error_t *error,
                       prompt_buf_t *out);
} ngx_http_prompt_openai_route_t;


/*
 * A request; in r->pool, as is what it points to where nothing else is said.
 */
struct ngx_http_prompt_openai_request_s {
    ngx_http_prompt_ctx_t                 *ctx;
    const ngx_http_prompt_openai_route_t  *route;
    prompt_str_t                           name;      /* behind the path */
    ngx_http_prompt_openai_document_e      document;
    time_t                                 created;
    char                                   id[NGX_HTTP_PROMPT_OPENAI_ID];

    /* until it is run, in the job's arena */
    const prompt_json_t                   *body;
    prompt_json_t                         *variables;
    prompt_json_t                         *overrides;
    ngx_http_prompt_openai_error_t         fault;

    /* where what faults name comes from */
    const char                            *prompt_at;
    const char                            *input_at;
    const char                            *subject_at;
    uint32_t                              *items;     /* of each message */
    size_t                                 nitems;

    /* of responses */
    prompt_str_t                           echo;      /* members, JSON */
    prompt_str_t                           model;     /* a JSON string */
    ngx_uint_t                             sequence;  /* of the next event */

    /* of a stream of chat completions: what stands around each delta */
    prompt_str_t                           head;
    prompt_str_t                           tail;

    unsigned                               stream:1;
    unsigned                               usage:1;   /* is told in a stream */
    unsigned                               begun:1;   /* something was told */
    unsigned                               said:1;    /* text was */
    unsigned                               identified:1;   /* x-request-id */
};


/* ..._request.c: bodies of chat completions and of responses */
ngx_int_t ngx_http_prompt_openai_read_chat(
    ngx_http_prompt_openai_request_t *rq);
ngx_int_t ngx_http_prompt_openai_read_response(
    ngx_http_prompt_openai_request_t *rq);

/* Returns NGX_DECLINED: param, a format, is at fault; message is static. */
ngx_int_t ngx_http_prompt_openai_wrong(ngx_http_prompt_openai_request_t *rq,
    const char *message, const char *param, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * ..._params.c: members of a body that are neither prompt nor messages, each
 * by the table; and what a response says of them again: rq->echo.
 */
ngx_int_t ngx_http_prompt_openai_params(ngx_http_prompt_openai_request_t *rq,
    ngx_uint_t responses);
ngx_int_t ngx_http_prompt_openai_echo(ngx_http_prompt_openai_request_t *rq);

/* what responses call a member of params; absent: the same */
prompt_str_t ngx_http_prompt_openai_param(prompt_str_t name);

/*
 * ..._items.c: input of responses as messages, an ARRAY in the job's arena,
 * behind instructions (NULL: none); NULL: there are none.
 */
ngx_int_t ngx_http_prompt_openai_items(ngx_http_prompt_openai_request_t *rq,
    const prompt_json_t *instructions, const prompt_json_t *input,
    prompt_json_t **messages);

/* ..._result.c: false: text is no execution's answer without errors */
bool ngx_http_prompt_openai_result(prompt_str_t text,
    ngx_http_prompt_openai_result_t *result);

/* a call of a tool: JSON strings */
typedef struct {
    prompt_str_t    id;
    prompt_str_t    name;
    prompt_str_t    arguments;
} ngx_http_prompt_openai_call_t;

/*
 * Those of a result, one after the other: scan begins zeroed.  False: there is
 * no other one.
 */

bool ngx_http_prompt_openai_call(const ngx_http_prompt_openai_result_t *result,
    prompt_json_scan_t *scan, ngx_http_prompt_openai_call_t *call);

/* The value that stands next in scan, as it is. */
prompt_str_t ngx_http_prompt_openai_raw(prompt_json_scan_t *scan);

/* rq->id, of the text of an execution's id */
void ngx_http_prompt_openai_take_id(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t text);

/* What a result has beside OpenAI's members: `"execution":{…}`. */
void ngx_http_prompt_openai_execution(
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out);

/* ..._chat.c, ..._responses.c: see the route */
extern const ngx_http_prompt_event_form_t  ngx_http_prompt_openai_chat_events;
extern const ngx_http_prompt_event_form_t
    ngx_http_prompt_openai_response_events;

void ngx_http_prompt_openai_chat(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out);
void ngx_http_prompt_openai_chat_begin(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t model, prompt_buf_t *out);
ngx_int_t ngx_http_prompt_openai_chat_delta(
    ngx_http_prompt_openai_request_t *rq, prompt_str_t text);
void ngx_http_prompt_openai_chat_end(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out);
void ngx_http_prompt_openai_chat_fail(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_error_t *error, prompt_buf_t *out);

void ngx_http_prompt_openai_response(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out);
void ngx_http_prompt_openai_response_begin(
    ngx_http_prompt_openai_request_t *rq, prompt_str_t model,
    prompt_buf_t *out);
ngx_int_t ngx_http_prompt_openai_response_delta(
    ngx_http_prompt_openai_request_t *rq, prompt_str_t text);
void ngx_http_prompt_openai_response_end(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out);
void ngx_http_prompt_openai_response_fail(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_error_t *error, prompt_buf_t *out);

/* ..._stream.c: the operation's events, and the end of a stream */
ngx_int_t ngx_http_prompt_openai_event(void *caller,
    const prompt_str_t *pieces, size_t n);
void ngx_http_prompt_openai_writable(void *caller);

/*
 * The last event, or an error in the place of the stream: rc is what
 * ngx_http_finalize_request() wants.  What out has is taken over.
 */
void ngx_http_prompt_openai_stream_end(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result);
void ngx_http_prompt_openai_stream_fail(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_error_t *error);

/* ..._models.c: models, one of them, and what LiteLLM asks for */
ngx_int_t ngx_http_prompt_openai_read_models(
    ngx_http_prompt_openai_request_t *rq);
ngx_int_t ngx_http_prompt_openai_read_model(
    ngx_http_prompt_openai_request_t *rq);
ngx_int_t ngx_http_prompt_openai_read_template(
    ngx_http_prompt_openai_request_t *rq);
ngx_int_t ngx_http_prompt_openai_models(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t text, prompt_buf_t *out);
ngx_int_t ngx_http_prompt_openai_model(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t text, prompt_buf_t *out);
ngx_int_t ngx_http_prompt_openai_template(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t text, prompt_buf_t *out);

/* ..._errors.c */

/* What GraphQL's errors mean here, in arena; NGX_ERROR: memory. */
ngx_int_t ngx_http_prompt_openai_error_of(ngx_http_prompt_openai_request_t *rq,
    prompt_arena_t *arena, const prompt_json_t *answer,
    ngx_http_prompt_openai_error_t *error);

/* What an operation's refusal means here. */
void ngx_http_prompt_openai_error_refused(
    const ngx_http_prompt_refusal_t *refusal,
    ngx_http_prompt_openai_error_t *error);

/* Sends it with its status; returns as the protocol's error() does. */
ngx_int_t ngx_http_prompt_openai_error_send(ngx_http_prompt_ctx_t *ctx,
    const ngx_http_prompt_openai_error_t *error);

/* Writes `{"error":{…}}`. */
void ngx_http_prompt_openai_error_write(
    const ngx_http_prompt_openai_error_t *error, prompt_buf_t *out);

/* what a type and a code are, where the error does not say them */
const char *ngx_http_prompt_openai_error_type(
    const ngx_http_prompt_openai_error_t *error);
const char *ngx_http_prompt_openai_error_code(
    const ngx_http_prompt_openai_error_t *error);

/* of the protocol's row */
ngx_int_t ngx_http_prompt_openai_error(ngx_http_prompt_ctx_t *ctx,
    ngx_uint_t status, prompt_str_t code, prompt_str_t message);
ngx_buf_t *ngx_http_prompt_openai_status_body(ngx_http_request_t *r,
    ngx_uint_t status);

/*
 * Adds x-request-id, unless it is there: an execution's id, else (absent)
 * $request_id.  NGX_ERROR: memory.
 */
ngx_int_t ngx_http_prompt_openai_identify(ngx_http_prompt_ctx_t *ctx,
    prompt_str_t id);

#endif /* NGX_HTTP_PROMPT_OPENAI_IMPL_H */
