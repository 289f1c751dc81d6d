/*
 * What the files of this room share: a call, which is one JSON-RPC request and
 * what becomes of it, and the table of methods.
 *
 * A call is in the pool of its request, as is all that it points to, but for
 * params and the words of a fault: they go with the job's arena, when the
 * answer is there.  Answers of operations are not read into trees: what stands
 * in them as JSON goes on as JSON, in spans (base/json_span.h).
 */

#ifndef NGX_HTTP_PROMPT_MCP_IMPL_H
#define NGX_HTTP_PROMPT_MCP_IMPL_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/json_span.h"
#include "http/ngx_http_prompt_request.h"
#include "prompt/named.h"


/* revisions: MODERN has no initialize, LEGACY begin with it */
#define PROMPT_MCP_LATEST     "2026-07-28"
#define PROMPT_MCP_BEFORE     "2025-11-25"
#define PROMPT_MCP_OLDEST     "2025-06-18"

#define PROMPT_MCP_MODERN     1
#define PROMPT_MCP_LEGACY     2

/* codes of errors: JSON-RPC's, and of MCP's the last two */
#define PROMPT_MCP_PARSE      (-32700)
#define PROMPT_MCP_INVALID    (-32600)
#define PROMPT_MCP_NO_METHOD  (-32601)
#define PROMPT_MCP_PARAMS     (-32602)
#define PROMPT_MCP_FAILED     (-32603)
#define PROMPT_MCP_HEADER     (-32020)
#define PROMPT_MCP_VERSION    (-32022)

/* bytes of a result: a text may stand in it twice */
#define PROMPT_MCP_RESULT     (2 * NGX_HTTP_PROMPT_MAX_RESPONSE + 65536)


typedef struct prompt_mcp_call_s  prompt_mcp_call_t;


/* what methods ask: documents with one root field, "answer" */
typedef enum {
    PROMPT_MCP_NOTHING = 0,
    PROMPT_MCP_PROMPTS,
    PROMPT_MCP_TOOLS,
    PROMPT_MCP_RENDER,
    PROMPT_MCP_SCHEMA,
    PROMPT_MCP_RUN,
    PROMPT_MCP_STREAM,
    PROMPT_MCP_DOCUMENTS
} prompt_mcp_document_e;


typedef struct {
    prompt_str_t             name;
    unsigned                 eras:2;
    unsigned                 named:1;    /* has the header Mcp-Name */
    unsigned                 list:1;     /* its result is kept for no time */
    prompt_mcp_document_e    document;
    prompt_mcp_document_e    stream;     /* with a token for progress */
    const char              *scope;      /* that a key needs */

    /*
     * Reads params, sets variables of the document.  NGX_OK; NGX_DECLINED, and
     * the fault; NGX_ERROR: memory.
     */
    ngx_int_t              (*ask)(prompt_mcp_call_t *call,
                                  prompt_json_t *variables);

    /* writes the answer; value: a span of the root field's, absent: none */
    void                   (*write)(prompt_mcp_call_t *call,
                                    prompt_str_t value, prompt_buf_t *buf);

    /* the same with an error; false: it is one of JSON-RPC.  May be NULL */
    bool                   (*failed)(prompt_mcp_call_t *call,
                                     prompt_str_t error, prompt_buf_t *buf);
} prompt_mcp_method_t;


struct prompt_mcp_call_s {
    ngx_http_prompt_ctx_t      *ctx;
    const prompt_mcp_method_t  *method;
    const prompt_json_t        *params;      /* NULL: none */
    prompt_str_t                wanted;      /* the name of its method */
    prompt_str_t                id;          /* JSON */
    prompt_str_t                token;       /* JSON; absent: no progress */
    prompt_str_t                argument;    /* of a completion: JSON */
    prompt_str_t                begins;      /* the same */
    ngx_uint_t                  era;
    ngx_uint_t                  progress;    /* events so far */

    /* a fault: why it is refused */
    ngx_uint_t                  status;
    ngx_int_t                   code;        /* 0: the status says */
    prompt_str_t                message;
    prompt_str_t                data;        /* JSON; absent: none */

    unsigned                    exact:1;     /* a version is named */
};


/* ..._mcp_rpc.c: messages in, results and errors out */

/*
 * Reads a message.  NGX_OK: a request; NGX_DONE: a notification; NGX_DECLINED:
 * neither, and the fault; NGX_ERROR: memory.
 */
ngx_int_t prompt_mcp_message(prompt_mcp_call_t *call,
    const prompt_json_t *message);

/* Sets the fault; invalid: of params, with status 200.  NGX_DECLINED. */
ngx_int_t prompt_mcp_fault(prompt_mcp_call_t *call, ngx_uint_t status,
    ngx_int_t code, const char *message);
ngx_int_t prompt_mcp_invalid(prompt_mcp_call_t *call, const char *message);

/* The member of an object that is a STRING, or NULL. */
const prompt_json_t *prompt_mcp_string(const prompt_json_t *object,
    const char *name);

/* A scalar as JSON, in the request's pool; absent: memory. */
prompt_str_t prompt_mcp_copy(prompt_mcp_call_t *call,
    const prompt_json_t *value);

/*
 * What stands before and behind the members of a result.  meta: names of
 * members of value that go into _meta, up to NULL; NULL: none.
 */
void prompt_mcp_begin(const prompt_mcp_call_t *call, prompt_buf_t *buf);
void prompt_mcp_end(const prompt_mcp_call_t *call, const char *const *meta,
    prompt_str_t value, prompt_buf_t *buf);

/* An error; call: NULL, or with the data of its fault. */
void prompt_mcp_error(const prompt_mcp_call_t *call, ngx_int_t code,
    prompt_str_t message, prompt_buf_t *buf);

/* What an operation has answered, as the method says it. */
void prompt_mcp_answer(prompt_mcp_call_t *call, prompt_str_t answer,
    prompt_buf_t *buf);

void prompt_mcp_discover(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_buf_t *buf);
void prompt_mcp_initialize(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_buf_t *buf);
void prompt_mcp_ping(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_buf_t *buf);


/* ..._mcp_transport.c: methods of HTTP, headers, eras */

/* Before the body is read: NGX_OK, or what the handler returns. */
ngx_int_t prompt_mcp_accept(ngx_http_prompt_ctx_t *ctx);

/* The era and the method of a request; NGX_OK, NGX_DECLINED, NGX_ERROR. */
ngx_int_t prompt_mcp_era(prompt_mcp_call_t *call);

/* Whether the key may; returns as above. */
ngx_int_t prompt_mcp_allowed(prompt_mcp_call_t *call);


/* ..._mcp_methods.c */

/* The method that is wanted, in the era; NULL: there is none. */
const prompt_mcp_method_t *prompt_mcp_method(const prompt_mcp_call_t *call);

const ngx_http_prompt_compiled_t *prompt_mcp_document(ngx_http_request_t *r,
    prompt_mcp_document_e document);


/* ..._mcp_prompts.c */

ngx_int_t prompt_mcp_page(prompt_mcp_call_t *call, prompt_json_t *variables);
void prompt_mcp_prompts(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_buf_t *buf);
ngx_int_t prompt_mcp_get(prompt_mcp_call_t *call, prompt_json_t *variables);
void prompt_mcp_got(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_buf_t *buf);
ngx_int_t prompt_mcp_complete(prompt_mcp_call_t *call,
    prompt_json_t *variables);
void prompt_mcp_completed(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_buf_t *buf);

/*
 * A page of prompts, as the member `name` of a result: write is given each with
 * its version, and may pass it over.  describe: its first members.
 */
void prompt_mcp_list(prompt_mcp_call_t *call, prompt_str_t value,
    const char *name, void (*write)(prompt_mcp_call_t *call,
    prompt_str_t prompt, prompt_str_t version, prompt_buf_t *buf),
    prompt_buf_t *buf);
void prompt_mcp_describe(prompt_str_t prompt, const char *what,
    prompt_buf_t *buf);

/*
 * Takes a name (NULL: none was given) apart; sets variables of what params.name
 * names, and of params.arguments.  Returns as ask() does.
 */
ngx_int_t prompt_mcp_named(prompt_mcp_call_t *call, const prompt_json_t *name,
    prompt_named_t *named);
ngx_int_t prompt_mcp_target(prompt_mcp_call_t *call,
    const prompt_named_t *named, prompt_json_t *variables);


/* ..._mcp_tools.c */

void prompt_mcp_tools(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_buf_t *buf);
ngx_int_t prompt_mcp_run(prompt_mcp_call_t *call, prompt_json_t *variables);
void prompt_mcp_ran(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_buf_t *buf);
bool prompt_mcp_run_failed(prompt_mcp_call_t *call, prompt_str_t error,
    prompt_buf_t *buf);

/* of a sink: the event as notifications/progress */
ngx_int_t prompt_mcp_event(void *caller, const prompt_str_t *pieces, size_t n);

#endif /* NGX_HTTP_PROMPT_MCP_IMPL_H */
