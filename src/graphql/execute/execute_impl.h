/*
 * Execution from the inside: what execute*.c, complete.c and serialize.c
 * share.
 */

#ifndef GQL_EXECUTE_IMPL_H
#define GQL_EXECUTE_IMPL_H

#include "graphql/execute/execute.h"


/*
 * An answer is written in pieces of about this size, so that a long one is
 * neither copied nor held twice while it grows.  A short one is one piece.
 */
#define GQL_PIECE_SIZE  (256 * 1024)
#define GQL_PIECE_FULL  (GQL_PIECE_SIZE - 16 * 1024)


/* a piece that is full; data is malloc()ed */
typedef struct gql_piece_s  gql_piece_t;

struct gql_piece_s {
    gql_piece_t   *before;
    char          *data;
    size_t         len;
    size_t         cap;
};


typedef enum {
    GQL_FRAME_OBJECT = 0,
    GQL_FRAME_LIST
} gql_frame_kind_t;


/* an object or a list that was begun */
typedef struct gql_frame_s  gql_frame_t;

struct gql_frame_s {
    gql_frame_t                 *up;         /* what it is in */
    gql_frame_t                 *down;       /* kept for what is in it */
    gql_frame_kind_t             kind;
    bool                         more;       /* LIST: a part will follow */
    bool                         noted;      /* LIST: it is to be written() */
    uint32_t                     errors;     /* LIST: before it */
    const gql_plan_field_t      *field;
    const gql_type_ref_t        *type;       /* its own, non-null or not */
    gql_path_t                   path;
    size_t                       mark;       /* where it begins */
    uint32_t                     next;       /* field or item */
    uint32_t                     count;      /* LIST */
    uint32_t                     base;       /* LIST: of this part */
    const gql_plan_selection_t  *selection;  /* OBJECT */
    const gql_type_ref_t        *of;         /* LIST: type of the items */
    void                        *handle;     /* the embedder's */
};


/* a root field */
typedef struct {
    prompt_buf_t   buf;              /* the end of what it adds to the answer */
    gql_piece_t   *pieces;           /* before it, the last one first */
    size_t         before;           /* bytes in them */
    size_t         limit;            /* bytes that it may have */
    gql_error_t   *last;             /* of its errors, in the common list */
    size_t         counted;          /* of its bytes, in the execution's */
    gql_frame_t   *top;              /* NULL: nothing is begun */
    gql_frame_t   *frames;           /* the first one, kept */
    const prompt_json_t
                  *spent;            /* NULL: unless it says so it did nothing
                                        that lasts */
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
    prompt_str_t            *pieces;        /* of the whole answer */
    size_t                   npieces;

    /* when the walk over a root field pauses */
    bool                     paced;
    uint32_t                 pace_items;    /* 0: never */
    size_t                   pace_bytes;
    uint32_t                 left;          /* items until the next pause */
    size_t                   began;         /* bytes at the last one */

    /* while a root field is completed */
    uint32_t                 root;
    gql_root_t              *walk;
    prompt_buf_t            *buf;           /* its own */
    gql_error_t             *pending;       /* on its way up */
};


typedef enum {
    GQL_DONE = 0,                    /* a value was written */
    GQL_NOTHING,                     /* null: nothing was written */
    GQL_FAILED,                      /* e->pending; what was written is void */
    GQL_ENTERED,                     /* begun: a frame is on the stack */
    GQL_PAUSED,                      /* the walk: enough for now */
    GQL_WANTED                       /* the walk: the next part of the list */
} gql_done_t;


/*
 * Completes a value as a nullable or non-null thing of its own (a field, an
 * element): writes null for errors that stop here.  GQL_DONE, GQL_FAILED, or,
 * for an object or a list, GQL_ENTERED: gql_walk() writes what is in it.
 */
gql_done_t gql_complete(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_ref_t *type, const gql_result_t *result,
    const gql_path_t *path);

/*
 * Writes what was begun under e->walk: GQL_DONE, GQL_FAILED (nothing up to the
 * root may be null), GQL_PAUSED or GQL_WANTED.
 */
gql_done_t gql_walk(gql_execution_t *e);

/* A frame on top of the others; its mark is here.  NULL: e->pending. */
gql_frame_t *gql_frame_push(gql_execution_t *e, gql_frame_kind_t kind,
    const gql_plan_field_t *field, const gql_type_ref_t *type,
    const gql_path_t *path);

/* Puts what is in e->buf behind the pieces that are full. */
void gql_root_piece(gql_execution_t *e);

/* Where e->walk has got to, in bytes, and back there. */
static inline size_t
gql_root_mark(const gql_execution_t *e)
{
    return e->walk->before + e->buf->len;
}

void gql_root_cut(gql_execution_t *e, size_t mark);

/* Frees what was written; nothing is begun any more. */
void gql_root_free(gql_root_t *root);

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
