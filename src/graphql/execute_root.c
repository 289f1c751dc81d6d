/*
 * Root fields: each has a buffer of its own, which its value fills at once,
 * or, where it is a long list, part by part.  What they may hold is counted
 * together.
 */

#include "graphql/execute_impl.h"
#include "graphql/introspect.h"


static void gql_root_complete(gql_execution_t *e, uint32_t i,
    const gql_result_t *value);
static void gql_root_open(gql_execution_t *e, uint32_t i, size_t limit);
static gql_done_t gql_root_value(gql_execution_t *e,
    const gql_plan_field_t *field, const gql_result_t *value);
static bool gql_root_items(gql_execution_t *e, gql_root_t *root,
    const gql_plan_field_t *field, const gql_result_t *part);
static void gql_root_failed(gql_execution_t *e, const gql_plan_field_t *field);
static void gql_root_end(gql_execution_t *e, uint32_t i, bool done);
static void gql_root_overflow(gql_execution_t *e, uint32_t i);
static gql_error_t *gql_root_too_long(gql_execution_t *e,
    const gql_plan_field_t *field);
static void gql_execution_abort(gql_execution_t *e);


void
gql_execution_complete(gql_execution_t *e, uint32_t i,
    const gql_result_t *value)
{
    gql_root_t  *root;

    if (e->aborted || i >= e->plan->root->nfields || e->roots[i].done) {
        return;
    }

    root = &e->roots[i];

    e->bytes -= root->counted;
    root->counted = 0;
    prompt_buf_free(&root->buf);

    gql_root_complete(e, i, value);
    gql_root_end(e, i, true);
}


bool
gql_execution_part(gql_execution_t *e, uint32_t i, const gql_result_t *part,
    bool last)
{
    bool                     sound;
    size_t                   left;
    gql_root_t              *root;
    const gql_plan_field_t  *field;

    if (e->aborted || i >= e->plan->root->nfields || e->roots[i].done) {
        return false;
    }

    root = &e->roots[i];
    field = &e->plan->root->fields[i];
    left = e->max_response > e->bytes ? e->max_response - e->bytes : 0;

    if (!root->open) {
        root->open = true;
        gql_root_open(e, i, left);
        gql_put_literal(e->buf, "[");
    }

    e->root = i;
    e->buf = &root->buf;
    root->buf.limit = root->counted + left;

    sound = gql_root_items(e, root, field, part);

    if (sound && last) {
        gql_put_literal(e->buf, "]");
    }

    gql_root_end(e, i, last || !sound || root->buf.status != PROMPT_BUF_OK);

    return !root->done && !e->aborted;
}


/* False where an error became the field's value. */

static bool
gql_root_items(gql_execution_t *e, gql_root_t *root,
    const gql_plan_field_t *field, const gql_result_t *part)
{
    uint32_t               i;
    gql_path_t             path, place;
    gql_result_t           item;
    const gql_type_ref_t  *type;

    type = field->def->type;

    if (type->kind == GQL_REF_NON_NULL) {
        type = type->of;
    }

    path.parent = NULL;
    path.key = field->key;
    path.index = 0;

    place.parent = &path;
    place.key = prompt_str_absent;

    for (i = 0; i < part->u.list.count; i++) {
        place.index = root->items++;

        if (place.index != 0) {
            gql_put_literal(e->buf, ",");
        }

        item.kind = GQL_RESULT_NULL;
        e->resolver->item(e, e->data, field, part->u.list.handle, i, &item);

        if (gql_complete(e, field, type->of, &item, &place) != GQL_DONE) {
            gql_root_failed(e, field);
            return false;
        }

        if (e->buf->status != PROMPT_BUF_OK) {
            break;
        }
    }

    return true;
}


/* The error that is pending takes the place of the whole list. */

static void
gql_root_failed(gql_execution_t *e, const gql_plan_field_t *field)
{
    gql_report(e);

    if (field->def->type->kind == GQL_REF_NON_NULL) {
        gql_execution_abort(e);
        return;
    }

    prompt_buf_free(e->buf);
    gql_root_open(e, e->root, SIZE_MAX);
    gql_put_literal(e->buf, "null");
}


/* Something was written for a root field; done: all of it. */

static void
gql_root_end(gql_execution_t *e, uint32_t i, bool done)
{
    gql_root_t  *root;

    root = &e->roots[i];
    root->done = done;

    if (root->buf.status != PROMPT_BUF_OK && !e->aborted) {
        gql_root_overflow(e, i);
    }

    e->buf = NULL;
    e->bytes += root->buf.len - root->counted;
    root->counted = root->buf.len;
}


static void
gql_root_complete(gql_execution_t *e, uint32_t i, const gql_result_t *value)
{
    size_t  left;

    left = e->max_response > e->bytes ? e->max_response - e->bytes : 0;

    gql_root_open(e, i, left);

    if (gql_root_value(e, &e->plan->root->fields[i], value) == GQL_FAILED) {
        gql_report(e);
        gql_execution_abort(e);
    }
}


/* {"data":{"key": or ,"key": */

static void
gql_root_open(gql_execution_t *e, uint32_t i, size_t limit)
{
    const gql_plan_field_t  *field;

    field = &e->plan->root->fields[i];

    e->root = i;
    e->buf = &e->roots[i].buf;
    prompt_buf_init(e->buf, limit);

    if (i == 0) {
        gql_put_literal(e->buf, "{\"data\":{");
        gql_put(e->buf, field->json_key.data, field->json_key.len);

    } else {
        gql_put(e->buf, field->json_key.data - 1, field->json_key.len + 1);
    }
}


static gql_done_t
gql_root_value(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_result_t *value)
{
    gql_path_t            path;
    gql_error_t          *error;
    gql_result_t          result;
    const prompt_json_t  *arguments;

    path.parent = NULL;
    path.key = field->key;
    path.index = 0;

    error = NULL;
    result.kind = GQL_RESULT_NULL;

    if (field->kind == GQL_PLAN_TYPENAME) {
        result.kind = GQL_RESULT_STRING;
        result.u.text = field->owner->name;

    } else if (field->kind != GQL_PLAN_FIELD) {
        arguments = gql_execution_arguments(e, field, &error);

        if (arguments != NULL) {
            gql_introspect_root(e, field, arguments, &result);

        } else {
            result.kind = GQL_RESULT_ERROR;
            result.u.error = error;
        }

    } else if (value != NULL) {
        result = *value;
    }

    return gql_complete(e, field, field->def->type, &result, &path);
}


/*
 * The buffer of a root field has no room, or no memory: its value becomes an
 * error.
 */

static void
gql_root_overflow(gql_execution_t *e, uint32_t i)
{
    gql_path_t               path;
    gql_root_t              *root;
    const gql_plan_field_t  *field;

    root = &e->roots[i];
    field = &e->plan->root->fields[i];

    path.parent = NULL;
    path.key = field->key;
    path.index = 0;

    e->root = i;
    e->buf = &root->buf;

    if (root->buf.status == PROMPT_BUF_LIMIT) {
        gql_fail(e, field, &path, gql_root_too_long(e, field));
    } else {
        gql_fail(e, field, &path, &e->nomem);
    }

    gql_root_failed(e, field);
}


/* the request's own fault: it would get this again and again */

static gql_error_t *
gql_root_too_long(gql_execution_t *e, const gql_plan_field_t *field)
{
    uint32_t      i;
    const char   *advice;
    gql_error_t  *error;

    advice = "ask for less";

    for (i = 0; i < field->def->nargs; i++) {
        if (prompt_str_eq(field->def->args[i].name, prompt_str("first"))) {
            advice = "ask for it page by page, with \"first\" and \"after\"";
        }
    }

    error = gql_execution_error(e, prompt_str_absent, prompt_str_absent,
                                "The answer would be larger than %zu bytes: "
                                "%s.", e->max_response, advice);

    if (error != &e->nomem) {
        error->of_request = true;
    }

    return error;
}


static void
gql_execution_abort(gql_execution_t *e)
{
    uint32_t  i;

    e->aborted = true;

    for (i = 0; i < e->plan->root->nfields; i++) {
        prompt_buf_free(&e->roots[i].buf);
    }
}
