/*
 * Execution: from resolved values and a plan to the JSON of the answer
 * (specification 6.3, 6.4 and 7).
 *
 * Who embeds the engine runs the root fields (side by side for a query, one
 * after the other for a mutation: gql_execution_serial()), with whatever
 * input and output that takes, and hands over each root value as it comes.
 * Everything below a root value is there by then, so completion is one walk
 * over the plan, which pulls values from the embedder's resolver and writes
 * JSON; there is no tree in between.  The walk can be taken in steps, and a
 * list at the root may come in parts.
 */

#ifndef GQL_EXECUTE_H
#define GQL_EXECUTE_H

#include "base/buf.h"
#include "graphql/execute/plan.h"


typedef struct gql_execution_s  gql_execution_t;


typedef enum {
    GQL_RESULT_NULL = 0,
    GQL_RESULT_BOOLEAN,
    GQL_RESULT_INTEGER,
    GQL_RESULT_DOUBLE,
    GQL_RESULT_STRING,               /* also enum values and IDs */
    GQL_RESULT_JSON_TEXT,            /* JSON text, trusted, custom scalars; a
                                        string, with its quotes: String, ID; a
                                        list as it was written() */
    GQL_RESULT_LIST,
    GQL_RESULT_LIST_NOTED,           /* the same; its text is written() */
    GQL_RESULT_OBJECT,
    GQL_RESULT_ERROR
} gql_result_kind_t;


/* What a resolver returns; what it points to lives until the execution ends */
typedef struct {
    gql_result_kind_t     kind;
    union {
        bool                  boolean;
        int64_t               integer;
        double                number;
        prompt_str_t          text;      /* STRING, JSON_TEXT */
        struct {
            void             *handle;    /* given to item() */
            uint32_t          count;
        } list;
        struct {
            void              *handle;   /* given to field() as parent */
            const gql_type_t  *type;     /* NULL: the field's own type, which
                                            is then an object type */
        } object;
        gql_error_t          *error;     /* gql_execution_error(); its path and
                                            location are set by the engine */
    } u;
} gql_result_t;


/*
 * The embedder's resolver.  The first two fill *out, which comes as NULL.
 * arguments are coerced, an OBJECT.  data is gql_execution_create()'s.
 *
 * written is told the text of a list that is NOTED, where it came out without
 * an error and in one piece; of the same selection on the same values it would
 * be the same again.  The text is gone afterwards.  It may be NULL where no
 * list is NOTED.
 */
typedef struct {
    void  (*field)(gql_execution_t *execution, void *data,
                   const gql_plan_field_t *field, void *parent,
                   const prompt_json_t *arguments, gql_result_t *out);
    void  (*item)(gql_execution_t *execution, void *data,
                  const gql_plan_field_t *field, void *list, uint32_t index,
                  gql_result_t *out);
    void  (*written)(void *data, const gql_plan_field_t *field, void *list,
                     prompt_str_t text);
} gql_resolver_t;


/*
 * A new execution in arena; plan, variables (coerced) and resolver outlive
 * it.  max_response: bytes of the whole answer; a root field beyond it gets
 * an error.  NULL when memory is short.
 */
gql_execution_t *gql_execution_create(prompt_arena_t *arena,
    const gql_plan_t *plan, const prompt_json_t *variables,
    const gql_resolver_t *resolver, void *data, size_t max_response)
    PROMPT_WARN_UNUSED;

/* Frees the answer's bytes, unless they were taken. */
void gql_execution_destroy(gql_execution_t *e);

prompt_arena_t *gql_execution_arena(const gql_execution_t *e);
const gql_plan_t *gql_execution_plan(const gql_execution_t *e);

/* whether root fields are to run one after the other (a mutation) */
bool gql_execution_serial(const gql_execution_t *e);

/* whether the engine answers a root field itself: __schema, __type, … */
bool gql_field_is_meta(const gql_plan_field_t *field);

/*
 * The coerced arguments of a field, an OBJECT (the plan's own where they are
 * constant).  NULL: invalid; *error is then what the field is to be completed
 * with (GQL_RESULT_ERROR).
 */
const prompt_json_t *gql_execution_arguments(gql_execution_t *e,
    const gql_plan_field_t *field, gql_error_t **error) PROMPT_WARN_UNUSED;

/*
 * An error for a result; code is a static string such as "NOT_FOUND"; field
 * (copied by nobody) may be absent.  Never NULL: when memory is short it is a
 * static error that says so.
 */
gql_error_t *gql_execution_error(gql_execution_t *e, prompt_str_t code,
    prompt_str_t field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/*
 * Completes root field number i of the plan (each exactly once, in any
 * order); value is ignored for meta fields and may be NULL there.
 * After an error of a mutation's non-null root field the rest need not be
 * run: gql_execution_aborted().
 */
void gql_execution_complete(gql_execution_t *e, uint32_t i,
    const gql_result_t *value);

/* how far a root field that is completed in steps has got */
typedef enum {
    GQL_STEP_DONE = 0,               /* complete, by its value or an error */
    GQL_STEP_PAUSED,                 /* gql_execution_go_on() takes it up */
    GQL_STEP_WANTED                  /* gql_execution_part() is to go on */
} gql_step_t;

/*
 * How long a step is: it ends before the next item of a list, at any depth,
 * once it wrote so many items or bytes.  items 0, as it is at first: never.
 */
void gql_execution_pace(gql_execution_t *e, uint32_t items, size_t bytes);

/*
 * gql_execution_complete() in steps.  Several root fields may be under way;
 * gql_execution_complete() may still end one that is, with an error in its
 * place.  PAUSED or DONE.
 */
gql_step_t gql_execution_begin(gql_execution_t *e, uint32_t i,
    const gql_result_t *value) PROMPT_WARN_UNUSED;

/*
 * The same for a root field whose value is a list that comes in parts: each
 * is a LIST of what follows the items before, and after the last one there
 * are none.  What a part points to may go once the next one is wanted.
 */
gql_step_t gql_execution_part(gql_execution_t *e, uint32_t i,
    const gql_result_t *part, bool last) PROMPT_WARN_UNUSED;

/* The next step of a root field that is PAUSED. */
gql_step_t gql_execution_go_on(gql_execution_t *e, uint32_t i)
    PROMPT_WARN_UNUSED;

/*
 * The error of a root field whose answer is too long: it says which lists of
 * the selection can be asked for page by page; its reason is TOO_LARGE.
 */
gql_error_t *gql_execution_too_long(gql_execution_t *e,
    const gql_plan_field_t *field);

/*
 * Root field i was done, and cannot be undone, whatever becomes of its answer:
 * of, an OBJECT that lives as long as the execution, are the members of
 * extensions by which what it did is found.  Errors of it that have none of
 * their own get them.
 */
void gql_execution_spent(gql_execution_t *e, uint32_t i,
    const prompt_json_t *of);

/* bytes of the answer so far */
size_t gql_execution_bytes(const gql_execution_t *e);

/* data is null already: a non-null root field failed */
bool gql_execution_aborted(const gql_execution_t *e);

/*
 * The code of errors that are the request's own fault and have none: arguments
 * that do not fit, an operation that the schema has not.  Without it they get
 * the default_code of gql_execution_finish().
 */
void gql_execution_request_code(gql_execution_t *e, prompt_str_t code);

/*
 * All root fields are completed (or execution is aborted): the whole answer,
 * {"data":…} with "errors" where there are some, as pieces that follow each
 * other; valid until gql_execution_destroy().  default_code as in
 * gql_errors_write().  Returns how many pieces, 0 when memory is short.
 */
size_t gql_execution_finish(gql_execution_t *e,
    prompt_str_t default_code, const prompt_str_t **pieces) PROMPT_WARN_UNUSED;

/*
 * Takes the answer's bytes out of the execution, which can then be destroyed
 * before they are: as many pieces as gql_execution_finish() said, each of
 * which the caller frees with free().
 */
void gql_execution_take(gql_execution_t *e, prompt_str_t *pieces);

/* the errors so far, for logging: the first one is what clients see first */
const gql_errors_t *gql_execution_errors(const gql_execution_t *e);

#endif /* GQL_EXECUTE_H */
