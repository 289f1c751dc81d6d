/*
 * Service: what each field of the API does.
 *
 * A root field reads its arguments, checks them, starts a query, and completes
 * its part of the answer when the rows are there (root.h).  The other fields
 * are resolved from what it brought.
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
#include "service/frame/root.h"
#include "store/api_key.h"


typedef struct ngx_http_prompt_field_s  ngx_http_prompt_field_t;


/*
 * Checks what an input has for a field, a value that is not null.  Texts,
 * lists of texts, numbers and booleans stand in member already, and the check
 * may put another there: a name in kebab-case.  All else is the check's to put
 * there, a JSON value as text, say: without a check it is lost.
 */
typedef prompt_check_t ngx_http_prompt_check_t(
    const ngx_http_prompt_field_t *field, prompt_arena_t *arena,
    const prompt_json_t *value, void *member, prompt_fault_t *fault);


/* Gives the value of a field of parent; what out is not set to is null. */
typedef void ngx_http_prompt_resolve_t(ngx_http_prompt_job_t *job,
    void *parent, const gql_plan_field_t *field, gql_result_t *out);


/*
 * What implements a field.  Root fields have start, and, where there is a
 * selection, compile.  Of the others those that stand in a
 * record name its member: the store's table of columns says all else, and
 * resolve and column follow from it when the field is bound.  The rest have
 * resolve, and offset where that is a slot.
 */
struct ngx_http_prompt_field_s {
    const char  *type;
    const char  *name;

    /*
     * What a key needs: PROMPT_KEY_SCOPE_…; ..._SESSION: none does, only who
     * has signed in.  Root fields say it, and fields below that have a
     * selection: ..._ANY where every key will do, and where they show no more
     * than what the root is about.
     */
    ngx_uint_t   scope;

    /* 0, or by what else a key may ask for what it made itself, and no more */
    ngx_uint_t   own;

    /* done twice it is as if once: one that was cut off is done again */
    bool         repeatable;

    /* a root field that a standby may answer */
    bool         standby;

    /* one that every role may ask for: its statement looks at the role */
    bool         any_role;

    /* root fields */
    bool       (*compile)(gql_plan_t *plan, gql_plan_field_t *field);
    void       (*start)(ngx_http_prompt_root_t *root);

    /* other fields */
    const prompt_resource_t    *resource;    /* the parent begins with its
                                                record */
    size_t                      offset;      /* of the member */
    ngx_http_prompt_check_t    *check;       /* of inputs, or NULL */
    size_t                      most;        /* characters or bytes: the
                                                check's */
    ngx_http_prompt_resolve_t  *resolve;     /* NULL: what the column has */
    const prompt_column_t      *column;      /* set when it is bound */
};


extern const gql_resolver_t  ngx_http_prompt_resolver;


/*
 * A list as a resolver gives it: count elements of size bytes from first, or
 * as item() gives one after the other.  written, where it is set, is told the
 * text that became of it.
 */
typedef struct ngx_http_prompt_list_s  ngx_http_prompt_list_t;

struct ngx_http_prompt_list_s {
    char        *first;
    size_t       size;
    uint32_t     count;
    unsigned     strings:1;          /* elements are prompt_str_t */
    void      *(*item)(ngx_http_prompt_list_t *list);
    void       (*written)(ngx_http_prompt_list_t *list,
                          const gql_plan_field_t *field, prompt_str_t text);
};


/*
 * Binds tables, up to NULL, to a schema; each is ended by an entry without
 * type.  NGX_ERROR, and a message in the log, where
 * a field of the schema has no entry or an entry no field, and where an entry
 * leaves open who may ask for it, what compiles, starts or resolves it, or how
 * long what it reads or takes may be.
 */
ngx_int_t ngx_http_prompt_service_bind(const gql_schema_t *schema,
    ngx_http_prompt_field_t *const *tables, ngx_log_t *log);

/* a root field's compile where no statement depends on its selection */
bool ngx_http_prompt_compile_whole(gql_plan_t *plan, gql_plan_field_t *field);

/* the compile hook of the engine: gql_compile_pt */
bool ngx_http_prompt_service_compile(void *data, gql_plan_t *plan);

/*
 * the scopes that a plan needs: its root fields and all below, together; and
 * those of one root field.  has: of who asks, for what is their own
 */
ngx_uint_t ngx_http_prompt_service_scopes(const gql_plan_t *plan,
    ngx_uint_t has);
ngx_uint_t ngx_http_prompt_field_scopes(const gql_plan_field_t *field,
    ngx_uint_t has);

/*
 * Slots: resolvers of fields that stand as they are in a record, at .offset
 * of parent.  What is absent or unknown there becomes null.
 */
ngx_http_prompt_resolve_t
    ngx_http_prompt_slot_text,       /* prompt_str_t */
    ngx_http_prompt_slot_json,       /* JSON text of one */
    ngx_http_prompt_slot_boolean,    /* bool */
    ngx_http_prompt_slot_int,        /* int32_t */
    ngx_http_prompt_slot_maybe_int,  /* prompt_maybe_t */
    ngx_http_prompt_slot_time,       /* int64_t */
    ngx_http_prompt_slot_list,       /* ..._list_t */
    ngx_http_prompt_slot_object,     /* the record itself */
    ngx_http_prompt_slot_pointer,    /* a pointer to it */
    ngx_http_prompt_slot_objects,    /* prompt_objects_t */
    /* of an object of PROMPT_KIND_OBJECTS, under the field's name: */
    ngx_http_prompt_slot_member,          /* a string */
    ngx_http_prompt_slot_member_number,
    ngx_http_prompt_slot_member_enum,     /* of an enum type */
    ngx_http_prompt_slot_member_texts,    /* of strings */
    ngx_http_prompt_slot_member_objects;  /* of objects, which are walked in
                                             the slot, a prompt_objects_t of
                                             its own */

/* Makes field->resolve the slot for what its column holds. */
void ngx_http_prompt_slot_bind(ngx_http_prompt_field_t *field);

/* an object, and a list, as a result */
static ngx_inline void
ngx_http_prompt_result_object(void *handle, gql_result_t *out)
{
    out->kind = GQL_RESULT_OBJECT;
    out->u.object.handle = handle;
    out->u.object.type = NULL;
}

void ngx_http_prompt_result_list(ngx_http_prompt_list_t *list,
    gql_result_t *out);

#endif /* NGX_HTTP_PROMPT_SERVICE_H */
