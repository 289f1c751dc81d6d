/*
 * Operation: the only door through which a protocol has something done.
 *
 * Who speaks a protocol knows who asks (an identity), has a document, and
 * wants to be told the answer:
 *
 *     init       the request that it is done for, and who is told
 *     prepare    a document's text, or compiled: one that was planned when
 *                the configuration was read
 *     plan       its variables; what they lack is an error with its place
 *     allowed    whether the identity's scopes are enough
 *     run        waits for room, calls the hooks, runs the root fields
 *
 * and is told once: answered, refused, or failed; before that, of a
 * subscription, its events.  Nothing here knows which protocol that is.
 *
 * What an operation owns outside of the request's pool goes in three steps,
 * however the request ends.  release(): the answer is written, and all but its
 * bytes is given back, since a client may take long to read it.  leave(): the
 * request ends, and cancels what is in flight.  free(): the bytes go, with the
 * pool: HTTP/2 keeps a frame that is partly sent, of a stream that was reset,
 * beyond the request's cleanup.  They may go before, piece by piece, as they
 * are sent.
 */

#ifndef NGX_HTTP_PROMPT_OPERATION_H
#define NGX_HTTP_PROMPT_OPERATION_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "graphql/engine.h"
#include "service/frame/job.h"


/* bytes of one answer */
#define NGX_HTTP_PROMPT_MAX_RESPONSE   NGX_HTTP_PROMPT_ANSWER_MEMORY

/* plans that a worker keeps */
#define NGX_HTTP_PROMPT_CACHE_ENTRIES  1024
#define NGX_HTTP_PROMPT_CACHE_BYTES    (32 * 1024 * 1024)


typedef struct ngx_http_prompt_operation_s  ngx_http_prompt_operation_t;


/* why an operation is not run, or its answer not told */
typedef struct {
    ngx_uint_t      status;          /* what HTTP has for it */
    prompt_str_t    code;            /* extensions.code */
    prompt_str_t    message;         /* static */
    const char     *retry_after;     /* seconds, static; NULL: not said */
    unsigned        begun:1;         /* something may have been done */
} ngx_http_prompt_refusal_t;


/* who is told; caller: as it was given */
struct ngx_http_prompt_sink_s {

    /* the answer, JSON, is in op->pieces: op->invalid, op->replayed */
    void          (*answered)(void *caller);
    void          (*refused)(void *caller,
                             const ngx_http_prompt_refusal_t *refusal);

    /* memory was short: nothing can be said */
    void          (*failed)(void *caller);

    /*
     * Events of a subscription before its last one, which is the answer.
     * event takes a copy of one, as pieces; none: the answer begins.
     * NGX_AGAIN: it was taken, and further ones are to wait until
     * ngx_http_prompt_stream_drained().  NGX_ERROR: the client can be told
     * nothing more.  writable: its connection has an event.
     */
    ngx_int_t     (*event)(void *caller, const prompt_str_t *pieces, size_t n);
    void          (*writable)(void *caller);

    /*
     * An operation of r, a request that nobody has made (errand.h), with the
     * document by which prompts are executed.  NULL: memory.
     */
    struct ngx_http_prompt_operation_s *(*inner)(ngx_http_request_t *r);
};


/* a document that was planned when the configuration was read */
typedef struct ngx_http_prompt_compiled_s {
    prompt_str_t                       document;
    gql_prepared_t                    *prepared;
    const gql_operation_definition_t  *definition;
} ngx_http_prompt_compiled_t;


/* Zeroed, and in the pool of its request. */
struct ngx_http_prompt_operation_s {
    ngx_http_prompt_job_t              job;

    /* what its caller sets before it is run */
    prompt_str_t                       document;     /* its text */
    prompt_str_t                       name;         /* operationName, or
                                                        absent */
    prompt_str_t                       once_key;     /* Idempotency-Key */
    prompt_str_t                       token;        /* of what its client has
                                                        seen: Prompt-Position */
    size_t                             more;         /* bytes that its caller
                                                        has of it beside the
                                                        pieces, at any time */

    const ngx_http_prompt_compiled_t  *compiled;     /* NULL: prepared is its
                                                        own */
    gql_prepared_t                    *prepared;
    const gql_operation_definition_t  *definition;   /* until release() */
    const prompt_json_t               *given;        /* variables, as they
                                                        came; NULL: none */

    /* the answer: in r->pool, each to be given back with free() */
    prompt_str_t                      *pieces;
    size_t                             npieces;

    ngx_uint_t                         hook;         /* the next */
    unsigned                           ends:1;       /* of which the end is
                                                        called, not begin */
    unsigned                           changes:1;    /* it asks for more than a
                                                        look */
    unsigned                           invalid:1;    /* the answer has errors
                                                        and no data */
    unsigned                           replayed:1;   /* it tells of what an
                                                        earlier one has done */
    unsigned                           detached:1;   /* nothing is in flight */
};


/*
 * For the configuration, when its schema is bound: makes pmcf->engine, whose
 * plans all workers begin with.
 */
ngx_int_t ngx_http_prompt_operation_configure(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf);

/*
 * A document of the module's own, planned: NULL, and a message in the log,
 * where schema.graphql does not have what it asks for.  It has one operation,
 * without @skip and @include.  In cf->pool; text is static.
 */
ngx_http_prompt_compiled_t *ngx_http_prompt_operation_compile(ngx_conf_t *cf,
    const char *text);


void ngx_http_prompt_operation_init(ngx_http_prompt_operation_t *op,
    ngx_http_request_t  *r, const ngx_http_prompt_sink_t *sink, void *caller);

/*
 * Parses and validates op->document within limits, or finds that done; finds
 * the operation op->name.  job.arena is set.  NGX_ERROR: errors say why not.
 */
ngx_int_t ngx_http_prompt_operation_prepare(ngx_http_prompt_operation_t *op,
    const gql_limits_t *limits, gql_errors_t *errors);

/* The same for a document that was planned: always there. */
void ngx_http_prompt_operation_take(ngx_http_prompt_operation_t *op,
    const ngx_http_prompt_compiled_t *compiled);

/*
 * Its variables (NULL: none), an object in job.arena, and its plan.
 * NGX_ERROR: errors say why they do not fit, or there is no plan.
 */
ngx_int_t ngx_http_prompt_operation_plan(ngx_http_prompt_operation_t *op,
    const prompt_json_t *variables, gql_errors_t *errors);

/* Whether job.identity may: NGX_DECLINED, its scopes are not enough. */
ngx_int_t ngx_http_prompt_operation_allowed(
    const ngx_http_prompt_operation_t *op);

/* Runs it.  The last thing that a caller does: it may be told at once. */
void ngx_http_prompt_operation_run(ngx_http_prompt_operation_t *op);

/*
 * Instead of running it: what prepare and plan have found is the answer.
 * code: of errors that have none.
 */
void ngx_http_prompt_operation_invalid(ngx_http_prompt_operation_t *op,
    const gql_errors_t *errors, prompt_str_t code);

/* Instead of running it, or of its answer. */
void ngx_http_prompt_operation_refuse(ngx_http_prompt_operation_t *op,
    const ngx_http_prompt_refusal_t *refusal);

/*
 * The answer in words of its protocol: text takes the place of the pieces,
 * which are freed.  Takes over text, of malloc().  NGX_ERROR: memory, or text
 * failed; the pieces are as they were.
 */
ngx_int_t ngx_http_prompt_operation_rewrite(ngx_http_prompt_operation_t *op,
    prompt_buf_t *text);

/*
 * The answer as a value, read from its pieces, in arena; NULL: memory.
 */
const prompt_json_t *ngx_http_prompt_operation_value(
    const ngx_http_prompt_operation_t *op, prompt_arena_t *arena);

/*
 * The answer as one text: its only piece, as long as that is there, or a copy
 * in arena; absent: memory.
 */
prompt_str_t ngx_http_prompt_operation_text(
    const ngx_http_prompt_operation_t *op, prompt_arena_t *arena);


/* For hooks: what was waited for is there.  From the event loop only. */
void ngx_http_prompt_operation_go_on(ngx_http_prompt_operation_t *op);

/* For hooks: op->pieces is the answer; nothing is run. */
void ngx_http_prompt_operation_answered(ngx_http_prompt_operation_t *op);


/* See above; again does no harm. */
void ngx_http_prompt_operation_release(ngx_http_prompt_operation_t *op);
void ngx_http_prompt_operation_leave(ngx_http_prompt_operation_t *op);
void ngx_http_prompt_operation_free(ngx_http_prompt_operation_t *op);

#endif /* NGX_HTTP_PROMPT_OPERATION_H */
