/*
 * Job: the root fields of an operation that is being executed for somebody.
 *
 * Root fields of a query run side by side, those of a mutation one after the
 * other.  With the last of them the job ends.
 */

#ifndef NGX_HTTP_PROMPT_JOB_H
#define NGX_HTTP_PROMPT_JOB_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "graphql/execute/execute.h"
#include "prompt/messages.h"
#include "service/frame/answers.h"
#include "service/keys/keys.h"
#include "service/spans/trace.h"


typedef struct ngx_http_prompt_job_s     ngx_http_prompt_job_t;
typedef struct ngx_http_prompt_root_s    ngx_http_prompt_root_t;
typedef struct ngx_http_prompt_stream_s  ngx_http_prompt_stream_t;
typedef struct ngx_http_prompt_sink_s    ngx_http_prompt_sink_t;


/* bytes that an answer in the making may hold: its rows and what is written */
#define NGX_HTTP_PROMPT_ANSWER_MEMORY  (16 * 1024 * 1024)


/* what ends each event of job->said, a byte that no JSON has; bytes of all */
#define NGX_HTTP_PROMPT_SAID_END       0x1e
#define NGX_HTTP_PROMPT_SAID_MAX       (4 * 1024 * 1024)


/* extensions.code of errors */
extern const prompt_str_t  ngx_http_prompt_unauthenticated;
extern const prompt_str_t  ngx_http_prompt_forbidden;
extern const prompt_str_t  ngx_http_prompt_not_found;
extern const prompt_str_t  ngx_http_prompt_bad_user_input;
extern const prompt_str_t  ngx_http_prompt_internal_server_error;


/* what log_format may say of a request */
typedef struct {
    prompt_str_t  operation;         /* root field, or "multiple" */
    ngx_uint_t    number;            /* of it: ..._operation_e */
    ngx_uint_t    protocol;          /* ..._protocol_e */
    prompt_str_t  type;              /* query, …; where there is a collector */
    prompt_str_t  name;              /* of the operation; the same */
    prompt_str_t  error_code;        /* of the first error */
    prompt_str_t  model;
    prompt_str_t  cost_usd;
    int64_t       tokens_in;         /* -1: unknown */
    int64_t       tokens_out;
    int64_t       provider_ms;       /* -1: no provider was called */

    /* of the last execution that began; zero, and -1: none */
    u_char        prompt_id[16];
    u_char        execution_id[16];
    int64_t       version;
} ngx_http_prompt_log_t;


/*
 * What a protocol says of its operation beside the document and its variables:
 * of executePrompt, executePromptStream and renderPrompt.  What it points to
 * lives as long as the job's arena.
 */
typedef struct {
    prompt_messages_appended_t   appended;   /* in OpenAI's form */
    prompt_str_t                 label;      /* whose version is meant where
                                                neither version nor label is
                                                given, and it is set; absent:
                                                always the latest */
    prompt_str_t                 id;         /* of the execution; absent: a new
                                                one */
    prompt_str_t                 run_id;     /* which it is of; absent: none */
    unsigned                     capped:1;   /* that has a budget of its own */
    unsigned                     texts:1;    /* strings of the input are JSON
                                                where the schema wants no
                                                string */
    unsigned                     chance:1;   /* the subject is not what a
                                                split goes by */
    unsigned                     schema:1;   /* only a version that has an
                                                inputSchema is meant */
} ngx_http_prompt_beside_t;


/*
 * Lives as long as the request, in its pool; log is read when everything else
 * has been given back, so what it points to is static or in that pool.
 */
struct ngx_http_prompt_job_s {
    ngx_http_request_t            *request;
    prompt_arena_t                *arena;
    ngx_http_prompt_identity_t     identity;
    const uint8_t                 *key;          /* its SHA-256, to be looked up
                                                    again; NULL: it is not */
    const u_char                  *project;      /* with it; NULL: its own */
    const gql_plan_t              *plan;
    const prompt_json_t           *variables;    /* coerced */
    ngx_http_prompt_beside_t       beside;       /* set before it is run */
    gql_execution_t               *execution;

    const ngx_http_prompt_sink_t  *sink;         /* operation.h */
    void                          *caller;       /* what that is given */
    ngx_http_prompt_stream_t      *stream;       /* NULL: none is under way */

    /* who tells events that are no stream's: its client has read what there
       was; or reads nothing more.  NULL: nobody */
    void                         (*drained)(ngx_http_prompt_job_t *job,
                                            bool reads);

    /* all root fields are completed, or cut; the job may be gone afterwards */
    void                         (*end)(ngx_http_prompt_job_t *job);

    /* what hooks keep of it; NULL: nothing */
    struct ngx_http_prompt_once_s     *once;
    struct ngx_http_prompt_follow_s   *follow;

    ngx_http_prompt_claim_t        claim;        /* of its answer */
    ngx_array_t                   *executions;   /* that it made: ids; NULL:
                                                    none yet */
    prompt_str_t                   said;         /* of a stream that is told
                                                    again: events before the
                                                    last, each with its end;
                                                    absent: none */
    ngx_array_t                   *shows;        /* what has to be there for its
                                                    answer to be told again:
                                                    ids; the same */
    ngx_http_prompt_root_t        *roots;        /* one a root field */
    uint32_t                       started;
    uint32_t                       running;

    prompt_str_t                   model;        /* that is asked, in the
                                                    request's pool; absent: none
                                                    yet */
    ngx_http_prompt_log_t          log;
    ngx_http_prompt_trace_t        trace;        /* ..._trace_find() */

    char                           text[40];     /* of the leaf that is
                                                    being written */

    unsigned                       in_loop:1;    /* root fields are started */
    unsigned                       late:1;       /* key was looked up long ago:
                                                    once more before the first
                                                    root field of a mutation */
    unsigned                       full:1;       /* there was no room for what
                                                    is written */
    unsigned                       cut:1;        /* it ends for that, before
                                                    all are completed */
    unsigned                       secret:1;     /* the request's body is to be
                                                    wiped when it is over */
    unsigned                       persists:1;   /* it goes on without its
                                                    client: its answer is for
                                                    the next one, too */
    unsigned                       did:1;        /* a root field did something,
                                                    or may have */
    unsigned                       unkept:1;     /* but is not kept */
    unsigned                       unsettled:1;  /* nor is it known what was
                                                    done: its answer is for its
                                                    own client only */
};


/*
 * What a request of this one root field is in the metrics: of
 * ngx_http_prompt_operation_e.  Root fields are numbered through: Query's,
 * Mutation's, Subscription's.
 */
ngx_uint_t ngx_http_prompt_job_number(const gql_schema_t *schema,
    const gql_field_def_t *field);

/*
 * What is said of who may go on no more, as the look-up of their key ended;
 * absent: they may.  text: of the error.
 */
prompt_str_t ngx_http_prompt_job_ended(ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity, const char **text);

/* The scopes of who asks, by PROMPT_KEY_SCOPE_…: never 0. */
ngx_uint_t ngx_http_prompt_job_scopes(const ngx_http_prompt_job_t *job);

/*
 * Makes the root fields of job->plan; everything of the job above them is set.
 * NGX_ERROR: memory.
 */
ngx_int_t ngx_http_prompt_job_create(ngx_http_prompt_job_t *job);

/*
 * Starts the root fields that can be started, and ends the job when all are
 * completed.  job may be gone afterwards.
 */
void ngx_http_prompt_job_run(ngx_http_prompt_job_t *job);

/*
 * Goes on with the job after a callback from the event loop has done something
 * for it; the last thing that such a callback does.
 */
void ngx_http_prompt_job_resume(ngx_http_prompt_job_t *job);

/*
 * What is written waits for root fields that are not completed: claims it.  A
 * query that there is no room for ends, the next time that the job is run.
 */
void ngx_http_prompt_job_claim(ngx_http_prompt_job_t *job);

/* While something is waited for: a client that leaves ends the request. */
void ngx_http_prompt_watch_client(ngx_http_request_t *r);

/* The same, but for a job that goes on without its client. */
void ngx_http_prompt_job_watch(ngx_http_prompt_job_t *job);

/* It made this execution (16 bytes): an answer that is not sent names it. */
void ngx_http_prompt_job_executed(ngx_http_prompt_job_t *job, prompt_str_t id);

/* The request ends: what is in flight is left to itself. */
void ngx_http_prompt_job_detach(ngx_http_prompt_job_t *job);

#endif /* NGX_HTTP_PROMPT_JOB_H */
