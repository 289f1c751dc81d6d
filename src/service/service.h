/*
 * Service: what each field of the API does.
 *
 * A root field becomes an operation: it reads its arguments, checks them,
 * starts a query, and completes its part of the answer when the rows are
 * there.  Root fields of a query run side by side, those of a mutation one
 * after the other.  The other fields are resolved from what the root's
 * operation brought.
 *
 * Every field of schema.graphql has one entry in a table of the file of its
 * resource; ngx_http_prompt_service_bind() refuses a schema and tables that
 * do not match.
 */

#ifndef NGX_HTTP_PROMPT_SERVICE_H
#define NGX_HTTP_PROMPT_SERVICE_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/fault.h"
#include "graphql/execute/execute.h"
#include "io/ngx_http_prompt_postgres.h"
#include "service/worker.h"
#include "store/api_key.h"


typedef struct ngx_http_prompt_job_s        ngx_http_prompt_job_t;
typedef struct ngx_http_prompt_operation_s  ngx_http_prompt_operation_t;
typedef struct ngx_http_prompt_field_s      ngx_http_prompt_field_t;


/* bytes that an answer in the making may hold: its rows and what is written */
#define NGX_HTTP_PROMPT_ANSWER_MEMORY  (16 * 1024 * 1024)


/* SPEC's five codes */
extern const prompt_str_t  ngx_http_prompt_unauthenticated;
extern const prompt_str_t  ngx_http_prompt_forbidden;
extern const prompt_str_t  ngx_http_prompt_not_found;
extern const prompt_str_t  ngx_http_prompt_bad_user_input;
extern const prompt_str_t  ngx_http_prompt_internal_server_error;


/* what log_format may say of a request */
typedef struct {
    prompt_str_t  operation;         /* root field, or "multiple" */
    prompt_str_t  error_code;        /* of the first error */
    prompt_str_t  model;
    prompt_str_t  cost_usd;
    int64_t       tokens_in;         /* -1: unknown */
    int64_t       tokens_out;
    int64_t       provider_ms;       /* -1: no provider was called */
} ngx_http_prompt_log_t;


/*
 * An operation of a document that is being executed for somebody: what
 * src/http hands to the service.  Lives as long as the request, in its pool;
 * log is read when everything else has been given back, so what it points to
 * is static or in that pool.
 */
struct ngx_http_prompt_job_s {
    ngx_http_request_t            *request;
    prompt_arena_t                *arena;
    ngx_http_prompt_identity_t     identity;
    const gql_plan_t              *plan;
    gql_execution_t               *execution;

    /* called when all root fields are completed; the job may then be gone */
    void                         (*finish)(ngx_http_prompt_job_t *job);

    ngx_http_prompt_operation_t   *operations;   /* one a root field */
    uint32_t                       started;
    uint32_t                       running;

    ngx_http_prompt_log_t          log;

    char                           text[40];     /* of the leaf that is
                                                    being written */

    unsigned                       in_loop:1;    /* operations are started */
};


typedef void (*ngx_http_prompt_operation_pt)(ngx_http_prompt_operation_t *op);


/* A root field that runs.  Lives in the request's arena. */
struct ngx_http_prompt_operation_s {
    ngx_http_prompt_job_t                    *job;
    const gql_plan_field_t                   *field;
    uint32_t                                  index;     /* of the root field */
    const prompt_json_t                      *arguments; /* coerced */

    /* the query in flight, or the one whose rows are being read */
    ngx_http_prompt_postgres_op_t            *query;
    const prompt_query_t                     *statements;
    const ngx_http_prompt_postgres_result_t  *result;    /* NULL: in flight */
    ngx_http_prompt_operation_pt              done;

    void                                     *data;      /* the field's own */
    void                                    (*detach)(void *data);

    unsigned                                  completed:1;
    unsigned                                  is_long:1; /* its turn: one of a
                                                            request at a time */
};


/*
 * Checks what an input has for a field, a value that is not null and stands in
 * member already, and may put another there: a name in kebab-case, a JSON
 * value as text.
 */
typedef prompt_check_t (*ngx_http_prompt_check_pt)(prompt_arena_t *arena,
    const prompt_json_t *value, void *member, prompt_fault_t *fault);


/*
 * What implements a field.  Root fields have start, and compile where their
 * selection decides about statements.  Of the others those that stand in a
 * record name its member: the store's table of columns says all else, and
 * resolve and column follow from it when the field is bound.  The rest have
 * resolve, and offset where that is a slot.
 */
struct ngx_http_prompt_field_s {
    const char  *type;
    const char  *name;

    /*
     * What a key needs: PROMPT_KEY_SCOPE_…; 0: any key may.  Fields below a
     * root have their own where they show more than what the root is about.
     */
    ngx_uint_t   scope;

    /* root fields */
    bool       (*compile)(gql_plan_t *plan, gql_plan_field_t *field);
    void       (*start)(ngx_http_prompt_operation_t *op);

    /* other fields */
    const prompt_resource_t    *resource;    /* the parent begins with its
                                                record */
    size_t                      offset;      /* of the member */
    ngx_http_prompt_check_pt    check;       /* of inputs, or NULL */
    void                      (*resolve)(ngx_http_prompt_job_t *job,
                                         void *parent,
                                         const gql_plan_field_t *field,
                                         gql_result_t *out);
    const prompt_column_t      *column;      /* set when it is bound */
};


/* the tables, each ended by an entry without type */
extern ngx_http_prompt_field_t  ngx_http_prompt_prompt_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_version_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_execution_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_user_fields[];
extern ngx_http_prompt_field_t  ngx_http_prompt_api_key_fields[];

extern const gql_resolver_t  ngx_http_prompt_resolver;


/*
 * A list as a resolver gives it: count elements of size bytes from first, or
 * as item() gives one after the other.
 */
typedef struct ngx_http_prompt_list_s  ngx_http_prompt_list_t;

struct ngx_http_prompt_list_s {
    char        *first;
    size_t       size;
    uint32_t     count;
    unsigned     strings:1;          /* elements are prompt_str_t */
    void      *(*item)(ngx_http_prompt_list_t *list);
};


/*
 * Binds the tables to a schema.  NGX_ERROR, and a message in the log, where
 * a field of the schema has no entry or an entry no field.
 */
ngx_int_t ngx_http_prompt_service_bind(gql_schema_t *schema, ngx_log_t *log);

/* the compile hook of the engine: gql_compile_pt */
bool ngx_http_prompt_service_compile(void *data, gql_plan_t *plan);

/* the scopes that a plan needs: its root fields and all below, together */
ngx_uint_t ngx_http_prompt_service_scopes(const gql_plan_t *plan);

/*
 * Makes the operations of job->plan; everything of the job above operations
 * is set.  NGX_ERROR: memory.
 */
ngx_int_t ngx_http_prompt_service_create(ngx_http_prompt_job_t *job);

/*
 * Starts what can be started, and finishes the request when all is done.
 * job may be gone afterwards.
 */
void ngx_http_prompt_service_run(ngx_http_prompt_job_t *job);

/* While something is waited for: a client that leaves ends the request. */
void ngx_http_prompt_watch_client(ngx_http_request_t *r);

/* The request ends: leaves queries in flight to themselves. */
void ngx_http_prompt_service_detach(ngx_http_prompt_job_t *job);


/* For the fields. */

/*
 * A query to be filled by the store, in an arena of its own.  NULL where
 * memory is short; the operation is then completed with an error.
 */
prompt_query_t *ngx_http_prompt_operation_begin(
    ngx_http_prompt_operation_t *op) PROMPT_WARN_UNUSED;

/*
 * Sends it, or, where bound is false (the store lacked memory), completes the
 * operation with an error.  done is called when it ended, whichever way, with
 * op->result; it completes the operation or begins another query.
 * finish: the query is sent even when the client leaves meanwhile.
 */
void ngx_http_prompt_operation_send(ngx_http_prompt_operation_t *op,
    prompt_query_t *query, bool bound, ngx_uint_t finish,
    ngx_http_prompt_operation_pt done);

/* Frees the rows that were read; for an operation that goes on without them. */
void ngx_http_prompt_operation_release(ngx_http_prompt_operation_t *op);

/*
 * True where the query succeeded.  Otherwise logs why, completes the
 * operation with an error that says what the client may know, and returns
 * false.
 */
bool ngx_http_prompt_operation_succeeded(ngx_http_prompt_operation_t *op)
    PROMPT_WARN_UNUSED;

/*
 * Goes on with the request after a callback from the event loop has done
 * something for it; the last thing that such a callback does.
 */
void ngx_http_prompt_operation_resume(ngx_http_prompt_job_t *job);

/* Completes: each operation exactly once. */
void ngx_http_prompt_operation_complete(ngx_http_prompt_operation_t *op,
    const gql_result_t *result);

/*
 * A step of what completes op (gql_execution_begin() and the like) was taken;
 * with the last one the operation is completed.
 */
void ngx_http_prompt_operation_stepped(ngx_http_prompt_operation_t *op,
    gql_step_t step);

void ngx_http_prompt_operation_object(ngx_http_prompt_operation_t *op,
    void *handle);
void ngx_http_prompt_operation_true(ngx_http_prompt_operation_t *op);
void ngx_http_prompt_operation_fail(ngx_http_prompt_operation_t *op,
    prompt_str_t code, prompt_str_t field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void ngx_http_prompt_operation_fail_nomem(ngx_http_prompt_operation_t *op);

/* the rows of a query with a budget were more; says what to ask for */
void ngx_http_prompt_operation_fail_too_long(ngx_http_prompt_operation_t *op);

/*
 * Slots: resolvers of fields that stand as they are in a record, at .offset
 * of parent.  What is absent or unknown there becomes null.
 */
void ngx_http_prompt_slot_text(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out);   /* prompt_str_t */
void ngx_http_prompt_slot_list(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out);   /* ..._list_t */
void ngx_http_prompt_slot_object(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out);   /* the record itself */
void ngx_http_prompt_slot_pointer(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out);   /* a pointer to it */

/* Makes field->resolve the slot for what its column holds. */
void ngx_http_prompt_slot_bind(ngx_http_prompt_field_t *field);

/* a list as a result */
void ngx_http_prompt_result_list(ngx_http_prompt_list_t *list,
    gql_result_t *out);

#endif /* NGX_HTTP_PROMPT_SERVICE_H */
