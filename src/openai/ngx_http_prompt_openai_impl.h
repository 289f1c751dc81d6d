/*
 * Inside prompt_openai: what its files know of each other (README.md).  Nobody
 * else includes this header.
 */

#ifndef NGX_HTTP_PROMPT_OPENAI_IMPL_H
#define NGX_HTTP_PROMPT_OPENAI_IMPL_H

#include "openai/ngx_http_prompt_openai.h"

#include "base/json_span.h"
#include "http/ngx_http_prompt_event_stream.h"
#include "prompt/named.h"


/*
 * Bytes that an answer may have: its text stands in it up to five times, and
 * what goes back to a provider three times, as a string of JSON.
 */
#define OPENAI_ANSWER  (128 * 1024 * 1024)

/* bytes of a param that is named */
#define OPENAI_PARAM   1024

/*
 * Bytes that a response repeats of the request, which are more than those that
 * what is sent of it may have; two of its events at once fit in a stream.
 */
#define OPENAI_ECHO    (PROMPT_LIMIT_RENDERED + 1024 * 1024)

/* of templates: up to z */
#define OPENAI_LETTERS  ('z' + 1)

/* levels of what is read of an answer */
#define OPENAI_DEPTH   (PROMPT_LIMIT_ANSWER_DEPTH + 8)


/* documents, planned when the configuration is read */
typedef enum {
    OPENAI_RUN = 0,
    OPENAI_RUN_PLAIN,                /* without further variables */
    OPENAI_STREAM,
    OPENAI_MODELS,
    OPENAI_MODEL,
    OPENAI_VERSION,
    OPENAI_PRODUCTION
} openai_document_e;


typedef struct openai_request_s  openai_request_t;

/* an error of OpenAI's API */
typedef struct {
    ngx_uint_t      status;
    prompt_str_t    message;
    const char     *type;            /* NULL: what the status stands for, */
    const char     *code;            /* as this */
    prompt_str_t    param;           /* absent: none */
    prompt_str_t    execution;       /* its id; absent: none */
    prompt_str_t    retry_after;     /* s; absent: not said */
    unsigned        final:1;         /* who asks again may pay again */
} openai_error_t;


/* how executions are answered: writers of rq->v */
typedef struct {
    ngx_http_prompt_event_form_t    events;
    const char                     *usage;
    void                          (*whole)(openai_request_t *rq,
                                           prompt_buf_t *out);
    void                          (*begin)(openai_request_t *rq,
                                           prompt_buf_t *out);

    /* what stands before its text */
    void                          (*delta)(openai_request_t *rq,
                                           prompt_buf_t *out);
    void                          (*end)(openai_request_t *rq,
                                         prompt_buf_t *out);
    void                          (*fail)(openai_request_t *rq,
                                          const openai_error_t *error,
                                          prompt_buf_t *out);
} openai_form_t;


/* what stands behind the location's name */
typedef struct {
    prompt_str_t          path;
    ngx_uint_t            method;
    const char           *allow;
    const char           *scope;
    const openai_form_t  *form;      /* of executions; NULL: looked up */

    /* Sets the variables and all else of a request, or its fault. */
    void                (*read)(openai_request_t *rq);
} openai_route_t;


/* A request; in r->pool, as is what it points to where nothing else is said. */
struct openai_request_s {
    ngx_http_prompt_ctx_t  *ctx;
    const openai_route_t   *route;
    prompt_str_t            name;    /* behind models/, or in the query */
    openai_document_e       document;

    /* until it is run, in the job's arena */
    const prompt_json_t    *body;
    prompt_json_t          *variables;
    prompt_json_t          *overrides;
    openai_error_t          fault;   /* status 0: none */

    /* what the body calls it: the prompt, its input, on whose behalf */
    const char             *prompt_at;
    const char             *input_at;
    const char             *subject_at;
    uint32_t               *items;   /* of each message, which item it was;
                                        NULL: they are the body's own */
    size_t                  nitems;

    prompt_str_t            id;      /* of the execution; absent: none yet */
    prompt_str_t           *v;       /* what templates call by a letter */
    u_char                  now[NGX_TIME_T_LEN];
    ngx_uint_t              sequence;  /* of the next event */

    unsigned                stream:1;
    unsigned                usage:1;       /* is told in a stream */
    unsigned                begun:1;       /* something was told */
    unsigned                said:1;        /* text was */
    unsigned                refused:1;     /* that text is a refusal */
    unsigned                cut:1;         /* by the limit of tokens */
    unsigned                filtered:1;
    unsigned                identified:1;  /* x-request-id is there */
    unsigned                nomem:1;       /* nothing is told but that */
};


/* ..._request.c: bodies, and the parts that variables are made of */
void openai_read_chat(openai_request_t *rq);
void openai_read_response(openai_request_t *rq);

/* Notes what is wrong, unless something is: "PARAM MESSAGE". */
void openai_wrong(openai_request_t *rq, const char *message,
    const char *param, ...) __attribute__((format(printf, 3, 4)));

/* as much of a param as is told */
prompt_str_t openai_short(prompt_str_t param);

/* NULL where memory is short, which is noted; put() shares what value has. */
prompt_json_t *openai_new(openai_request_t *rq, prompt_json_type_t type);
prompt_json_t *openai_put(openai_request_t *rq, prompt_json_t *container,
    const char *name, const prompt_json_t *value);
void openai_put_text(openai_request_t *rq, prompt_json_t *object,
    const char *name, prompt_str_t text);

/* The text that a member is, absent where it is null or at fault. */
prompt_str_t openai_text(openai_request_t *rq, const prompt_json_t *object,
    const char *name, const char *at);

/* the member, NULL where it is null */
static inline const prompt_json_t *
openai_get(const prompt_json_t *object, const char *name)
{
    object = prompt_json_get(object, prompt_str_from(name));

    return object != NULL && object->type != PROMPT_JSON_NULL ? object : NULL;
}


/* whether it is this text */
static inline bool
openai_is(const prompt_json_t *value, const char *word)
{
    return value != NULL && value->type == PROMPT_JSON_STRING
           && prompt_str_eq(value->text, prompt_str_from(word));
}


/* ..._params.c: all other members of a body; what a response repeats of it */
void openai_params(openai_request_t *rq);
void openai_echo(openai_request_t *rq);

/* what responses call a member of params */
prompt_str_t openai_param(prompt_str_t name);

/* ..._items.c: instructions and input of responses, as messages; NULL: none */
prompt_json_t *openai_items(openai_request_t *rq);

/* ..._answer.c: false: text is no execution's answer without errors */
bool openai_result(openai_request_t *rq, prompt_str_t text);

/* rq->id, and rq->v['i'], without hyphens */
void openai_take_id(openai_request_t *rq, prompt_str_t text);

/* Reads the next call into rq->v; scan begins zeroed.  False: no other one. */
bool openai_call(openai_request_t *rq, prompt_json_scan_t *scan);

/*
 * Appends template with $x replaced by rq->v['x'], null where that is absent.
 * made(): the same as text in r->pool, absent where memory is short.
 */
void openai_write(const openai_request_t *rq, const char *template,
    prompt_buf_t *out);
prompt_str_t openai_made(openai_request_t *rq, const char *template);
prompt_str_t openai_kept(openai_request_t *rq, prompt_buf_t *text);

extern const openai_form_t  openai_chat;
extern const openai_form_t  openai_responses;

/* ..._stream.c: the operation's events */
ngx_int_t openai_event(void *caller, const prompt_str_t *pieces, size_t n);

/* ..._models.c */
void openai_read_models(openai_request_t *rq);
void openai_read_model(openai_request_t *rq);
void openai_read_template(openai_request_t *rq);

/*
 * Writes what was looked up; false: there are errors in its place, or memory is
 * short.  What it needs is in arena.
 */
bool openai_looked_up(openai_request_t *rq, prompt_arena_t *arena,
    prompt_buf_t *out);

/* ..._errors.c: what GraphQL's errors mean, in arena; a refusal; an answer */
void openai_error_of(openai_request_t *rq, prompt_arena_t *arena,
    const prompt_json_t *answer, openai_error_t *error);
ngx_int_t openai_error_send(ngx_http_prompt_ctx_t *ctx,
    const openai_error_t *error);
void openai_error_write(const openai_error_t *error, prompt_buf_t *out);
const char *openai_error_type(const openai_error_t *error);

/* of the protocol's row */
ngx_int_t openai_error(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message);
ngx_buf_t *openai_status_body(ngx_http_request_t *r, ngx_uint_t status);

/*
 * Adds x-request-id, unless it is there: an execution's id, else (absent)
 * $request_id.  NGX_ERROR: memory.
 */
ngx_int_t openai_identify(ngx_http_prompt_ctx_t *ctx, prompt_str_t id);

#endif /* NGX_HTTP_PROMPT_OPENAI_IMPL_H */
