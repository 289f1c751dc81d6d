/*
 * What the files of this room share: a call, which is one JSON-RPC request and
 * what becomes of it, and a method.
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


/* revisions; eras: the latest has no initialize, those before begin with it */
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


typedef struct prompt_mcp_call_s  prompt_mcp_call_t;

/*
 * Reads params, sets variables of the document.  NGX_OK; NGX_DECLINED, and the
 * fault; NGX_ERROR: memory.
 */
typedef ngx_int_t prompt_mcp_ask_t(prompt_mcp_call_t *call,
    prompt_json_t *variables);

/* Writes the answer; value: what the document has answered, or absent. */
typedef void prompt_mcp_write_t(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_buf_t *buf);

/* The same with an error of it; false: it is one of JSON-RPC. */
typedef bool prompt_mcp_failed_t(prompt_mcp_call_t *call, prompt_str_t error,
    prompt_buf_t *buf);


typedef struct {
    prompt_str_t                name;
    unsigned                    eras:2;
    unsigned                    named:1;     /* has the header Mcp-Name */
    unsigned                    list:1;      /* a client keeps it: no time */
    unsigned                    executes:1;  /* of the scopes a key may have:
                                                execute, not read */
    unsigned                    document;    /* an index, 0: none */
    unsigned                    stream;      /* with a progressToken */
    prompt_mcp_ask_t           *ask;
    prompt_mcp_write_t         *write;
    prompt_mcp_failed_t        *failed;      /* NULL: none */
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
    unsigned                    exact;       /* the same: a version is named */
    ngx_uint_t                  era;
    ngx_uint_t                  progress;    /* events so far */

    /* a fault: why it is refused; data: JSON, absent: none */
    ngx_uint_t                  status;
    ngx_int_t                   code;        /* 0: the status says */
    prompt_str_t                message;
    prompt_str_t                data;
};


/* ..._mcp.c: the method that is wanted, in the era; NULL: there is none */
const prompt_mcp_method_t *prompt_mcp_method(const prompt_mcp_call_t *call);


/*
 * ..._mcp_rpc.c: a message in.  NGX_OK: a request; NGX_DONE: a notification;
 * NGX_DECLINED: neither, and the fault; NGX_ERROR: memory.
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

/* An error; call may be NULL; message, data: JSON; no data: absent. */
void prompt_mcp_error(const prompt_mcp_call_t *call, ngx_int_t code,
    prompt_str_t message, prompt_str_t data, prompt_buf_t *buf);

/* What an operation has answered, as the method says it. */
void prompt_mcp_answer(prompt_mcp_call_t *call, prompt_str_t answer,
    prompt_buf_t *buf);

prompt_mcp_write_t  prompt_mcp_server, prompt_mcp_ping;


/*
 * ..._mcp_transport.c: the handler; era and method of a request, and whether
 * the key may, which return as ask() does.
 */
ngx_int_t prompt_mcp_accept(ngx_http_prompt_ctx_t *ctx);
ngx_int_t prompt_mcp_era(prompt_mcp_call_t *call);
ngx_int_t prompt_mcp_allowed(prompt_mcp_call_t *call);


/*
 * ..._mcp_prompts.c.  list: a page of prompts, as the member `name`; write is
 * given each with its version, and may pass it over; describe: its first
 * members.  target: what params name, and their arguments.
 */
void prompt_mcp_list(prompt_mcp_call_t *call, prompt_str_t value,
    const char *name, void (*write)(prompt_mcp_call_t *call,
    prompt_str_t prompt, prompt_str_t version, prompt_buf_t *buf),
    prompt_buf_t *buf);
void prompt_mcp_describe(prompt_str_t prompt, const char *what,
    prompt_buf_t *buf);
ngx_int_t prompt_mcp_target(prompt_mcp_call_t *call, prompt_named_t *named,
    prompt_json_t *variables);

prompt_mcp_ask_t    prompt_mcp_page, prompt_mcp_get, prompt_mcp_complete;
prompt_mcp_write_t  prompt_mcp_prompts, prompt_mcp_got, prompt_mcp_completed;


/* ..._mcp_tools.c; event: of a sink */
prompt_mcp_ask_t     prompt_mcp_run;
prompt_mcp_write_t   prompt_mcp_tools, prompt_mcp_ran;
prompt_mcp_failed_t  prompt_mcp_run_failed;

ngx_int_t prompt_mcp_event(void *caller, const prompt_str_t *pieces, size_t n);

#endif /* NGX_HTTP_PROMPT_MCP_IMPL_H */
