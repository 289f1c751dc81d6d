/*
 * Execution from the inside: what execute*.c, complete.c and serialize.c
 * share.
 */

#ifndef GQL_EXECUTE_IMPL_H
#define GQL_EXECUTE_IMPL_H

#include "graphql/execute.h"


/* a root field */
typedef struct {
    prompt_buf_t   buf;              /* what it adds to the answer */
    gql_error_t   *last;             /* of its errors, in the common list */
    size_t         counted;          /* of buf, in the execution's bytes */
    uint32_t       items;            /* of a list that comes in parts */
    bool           open;             /* such a list was begun */
    bool           done;
} gql_root_t;


struct gql_execution_s {
    prompt_arena_t          *arena;
    const gql_plan_t        *plan;
    const prompt_json_t     *variables;
    const gql_resolver_t    *resolver;
    void                    *data;
    size_t                   max_response;

    gql_root_t              *roots;
    size_t                   bytes;         /* of the roots so far */
    bool                     aborted;
    gql_errors_t             errors;        /* in the order of the roots */
    uint32_t                 last_root;     /* the last one with errors */
    gql_error_t              nomem;         /* where none can be made */
    prompt_str_t             request_code;  /* absent: the default */

    /* by the id of a field; each NULL until the first is wanted */
    const prompt_json_t    **arguments;
    gql_source_index_t      *places;     /* of the document, for locations */
    gql_location_t         **locations;

    prompt_buf_t             tail;
    prompt_str_t            *pieces;

    /* while a root field is completed */
    uint32_t                 root;
    prompt_buf_t            *buf;           /* its own */
    gql_error_t             *pending;       /* on its way up */
};


typedef enum {
    GQL_DONE = 0,                    /* a value was written */
    GQL_NOTHING,                     /* null: nothing was written */
    GQL_FAILED                       /* e->pending; what was written is void */
} gql_done_t;


/*
 * Completes a value as a nullable or non-null thing of its own (a field, an
 * element): writes null for errors that stop here.  GQL_DONE or GQL_FAILED.
 */
gql_done_t gql_complete(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_ref_t *type, const gql_result_t *result,
    const gql_path_t *path);

/* Writes a leaf value (specification 3.5, "Result Coercion"). */
gql_done_t gql_serialize(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_t *type, const gql_result_t *result,
    const gql_path_t *path);

/* a result as messages show it */
prompt_str_t gql_inspect_result(gql_execution_t *e,
    const gql_result_t *result);

/*
 * Makes an error pending, with path and locations where it has none yet:
 * GQL_FAILED.  error is copied.
 */
gql_done_t gql_fail(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_path_t *path, const gql_error_t *error);

/* the same with an error made by printf */
#define gql_failf(e, field, path, ...)                                       \
    gql_fail(e, field, path,                                                 \
             gql_execution_error(e, prompt_str_absent, prompt_str_absent,    \
                                 __VA_ARGS__))

/* Puts the pending error into the list, under a root field. */
void gql_report(gql_execution_t *e);


/* prompt_buf_append() where there is room: most of an answer's bytes */

static inline void
gql_put(prompt_buf_t *buf, const char *data, size_t len)
{
    if (buf->data != NULL && buf->cap - buf->len >= len) {
        memcpy(buf->data + buf->len, data, len);
        buf->len += len;
        return;
    }

    prompt_buf_append(buf, data, len);
}

#define gql_put_literal(buf, literal)                                        \
    gql_put(buf, literal, sizeof(literal) - 1)

#endif /* GQL_EXECUTE_IMPL_H */
