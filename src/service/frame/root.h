/*
 * Root field: one that runs, and what the files of the fields call for it.
 *
 * The contract of completion.  A root field is completed once, with its value
 * or an error, and not touched afterwards.  A function that is given one is
 * of one of three kinds:
 *
 *     bool, PROMPT_WARN_UNUSED   may complete it.  True: go on.  False: it
 *                                was completed, return at once.  What is found
 *                                comes by out parameters.
 *     void                       takes it over and completes it, now or later:
 *                                the last thing that its caller does.
 *     all others                 never complete it, whatever they return; one
 *                                that is void says so.
 */

#ifndef NGX_HTTP_PROMPT_ROOT_H
#define NGX_HTTP_PROMPT_ROOT_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/uuid.h"
#include "io/ngx_http_prompt_postgres.h"
#include "service/frame/job.h"


typedef void (*ngx_http_prompt_root_pt)(ngx_http_prompt_root_t *root);


/* a query of a root field that is set aside, with its rows; zeroed: none */
typedef struct {
    prompt_query_t                           *query;
    ngx_http_prompt_postgres_task_t          *task;
    const ngx_http_prompt_postgres_result_t  *result;
} ngx_http_prompt_root_saved_t;


/* A root field that runs.  Lives in the request's arena. */
struct ngx_http_prompt_root_s {
    ngx_http_prompt_job_t                    *job;
    const gql_plan_field_t                   *field;
    uint32_t                                  index;     /* of the root field */
    const prompt_json_t                      *arguments; /* coerced */
    prompt_str_t                              id;        /* of what it makes,
                                                            16 bytes; absent:
                                                            not made yet */
    prompt_str_t                              marked;    /* the id that a row
                                                            of an
                                                            Idempotency-Key has
                                                            for it; or absent */

    /* the query being made, in flight, or whose rows are being read */
    prompt_query_t                           *query;
    ngx_http_prompt_postgres_task_t          *task;      /* NULL: not sent */
    const ngx_http_prompt_postgres_result_t  *result;    /* NULL: in flight */
    ngx_http_prompt_root_pt                   done;

    /*
     * The field's own.  detach, where it is set, is called once: when the
     * root field was completed, or its request ends before.
     */
    void                                     *data;
    void                                    (*detach)(void *data);

    /*
     * Faults (BAD_USER_INPUT) name what is wrong within this.  Of a field that
     * checks many things they do not complete root: they are added to the list,
     * of {field, message}, and the field completes root with them.
     */
    prompt_str_t                              within;
    prompt_json_t                            *faults;    /* NULL: as ever */

    prompt_actor_t                            actor;     /* of its queries:
                                                            arguments.h */
    prompt_uuid_t                             audit_id;  /* the actor's */
    prompt_position_t                         shown;     /* by a standby */
    ngx_msec_t                                sent;
    ngx_uint_t                                tries;     /* …outcome_anew() */

    unsigned                                  idle:1;    /* its error is known
                                                            to be all: it did
                                                            nothing */
    unsigned                                  standby:1; /* the query's */
    unsigned                                  primary:1; /* no standby is asked
                                                            any more */
    unsigned                                  is_long:1; /* its turn: one of a
                                                            request at a time */
};


/*
 * A query to be filled by the store, in an arena of its own; it is root's.
 * False: memory.
 */
bool ngx_http_prompt_root_begin(ngx_http_prompt_root_t *root,
    prompt_query_t **query) PROMPT_WARN_UNUSED;

/* True where bound is; false: the store lacked memory. */
bool ngx_http_prompt_root_bound(ngx_http_prompt_root_t *root,
    bool bound) PROMPT_WARN_UNUSED;

/*
 * Sends the query that was begun, where bound is true.  done takes root over
 * when it ended, whichever way, with root->result: it completes root or begins
 * another query.
 */
void ngx_http_prompt_root_send(ngx_http_prompt_root_t *root, bool bound,
    ngx_http_prompt_root_pt done);

/*
 * Frees the query and its rows; for one that goes on without them.  Completes
 * nothing.
 */
void ngx_http_prompt_root_release(ngx_http_prompt_root_t *root);

/*
 * The query, whose rows were read, and the one that was set aside change
 * places; either may be none.  Completes nothing.
 */
void ngx_http_prompt_root_swap(ngx_http_prompt_root_t *root,
    ngx_http_prompt_root_saved_t *saved);

/*
 * True where the query succeeded.  Otherwise the log says why, and the error
 * what the client may know.
 */
bool ngx_http_prompt_root_succeeded(ngx_http_prompt_root_t *root)
    PROMPT_WARN_UNUSED;

/*
 * The same for what was asked on its behalf: completes it, where result is not
 * OK.  settled: nothing came of it, whatever became of the query.
 */
void ngx_http_prompt_root_refuse(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_postgres_result_t *result, bool settled);

/*
 * Whether the database is still the one that let the request in; false:
 * completes it.  What is not sent by root_send() asks before.
 */
bool ngx_http_prompt_root_is_here(ngx_http_prompt_root_t *root)
    PROMPT_WARN_UNUSED;

/* what completes it at once, with a value */
void ngx_http_prompt_root_complete(ngx_http_prompt_root_t *root,
    const gql_result_t *result);

void ngx_http_prompt_root_object(ngx_http_prompt_root_t *root, void *handle);
void ngx_http_prompt_root_true(ngx_http_prompt_root_t *root);

/* and with an error: false, so that who asks for a bool returns at once */
bool ngx_http_prompt_root_fail(ngx_http_prompt_root_t *root, prompt_str_t code,
    prompt_str_t field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void ngx_http_prompt_root_error(ngx_http_prompt_root_t *root,
    gql_error_t *error);
bool ngx_http_prompt_root_fail_nomem(ngx_http_prompt_root_t *root);

/* what a check of the subject has found */
bool ngx_http_prompt_root_fail_fault(ngx_http_prompt_root_t *root,
    const prompt_fault_t *fault);

/* BAD_USER_INPUT of a field; INTERNAL_SERVER_ERROR */
#define ngx_http_prompt_root_wrong(root, field, ...)                         \
    ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,          \
                              prompt_str(field), __VA_ARGS__)
#define ngx_http_prompt_root_broken(root, ...)                               \
    ngx_http_prompt_root_fail(root, ngx_http_prompt_internal_server_error,   \
                              prompt_str_absent, __VA_ARGS__)

/* and with the faults that were added, of which there is one at least */
void ngx_http_prompt_root_fail_faults(ngx_http_prompt_root_t *root);

/* the rows of a query with a budget were more; says what to ask for */
bool ngx_http_prompt_root_fail_too_long(ngx_http_prompt_root_t *root);

/*
 * It shows what has this id (16 bytes; absent: nothing): an answer that is kept
 * is so as long as that is there.
 */
void ngx_http_prompt_root_shows(const ngx_http_prompt_root_t *root,
    prompt_str_t id);

/*
 * A step of what completes it (gql_execution_begin() and the like) was taken.
 * False: it was the last one.
 */
bool ngx_http_prompt_root_stepped(ngx_http_prompt_root_t *root,
    gql_step_t step) PROMPT_WARN_UNUSED;

/* For the job, when its request ends, whether completed or not. */
void ngx_http_prompt_root_detach(ngx_http_prompt_root_t *root);

#endif /* NGX_HTTP_PROMPT_ROOT_H */
