/*
 * Completion (specification 6.4.3): one walk over plan and values that writes
 * the answer.
 *
 * A value is written straight behind what is there.  When it turns out that
 * it cannot be (an error, null where null must not be), the walk goes back up
 * to the next place that may be null, cuts off what was written since, and
 * writes null there.  Errors come out in the order in which graphql-js finds
 * them with resolvers that do not wait.
 *
 * Objects and lists that are being written are frames of a stack of the
 * module's own rather than of C's, so that the walk can be left between two
 * items of any list and taken up again.  The stack is as deep as
 * GQL_PLAN_MAX_DEPTH and the nesting of list types allow.
 */

#include "graphql/execute/execute_impl.h"
#include "graphql/execute/introspect.h"


static gql_done_t gql_walk_object(gql_execution_t *e, gql_frame_t *frame);
static gql_done_t gql_walk_list(gql_execution_t *e, gql_frame_t *frame);
static void gql_walk_written(gql_execution_t *e, const gql_frame_t *frame);
static bool gql_walk_pauses(gql_execution_t *e);
static bool gql_walk_unwind(gql_execution_t *e);
static gql_done_t gql_complete_null(gql_execution_t *e,
    const gql_type_ref_t *type, gql_done_t done, size_t mark);
static gql_done_t gql_complete_value(gql_execution_t *e,
    const gql_plan_field_t *field, const gql_type_ref_t *type,
    const gql_result_t *result, const gql_path_t *path);
static gql_done_t gql_complete_list(gql_execution_t *e,
    const gql_plan_field_t *field, const gql_type_ref_t *type,
    const gql_result_t *result, const gql_path_t *path);
static gql_done_t gql_complete_composite(gql_execution_t *e,
    const gql_plan_field_t *field, const gql_type_ref_t *ref,
    const gql_result_t *result, const gql_path_t *path);
static const gql_plan_selection_t *gql_complete_abstract(gql_execution_t *e,
    const gql_plan_field_t *field, const gql_type_t *type,
    const gql_result_t *result, const gql_path_t *path);
static gql_done_t gql_complete_field(gql_execution_t *e,
    const gql_plan_field_t *field, void *parent, const gql_path_t *up);


gql_done_t
gql_walk(gql_execution_t *e)
{
    gql_done_t    done;
    gql_frame_t  *frame;

    while ((frame = e->walk->top) != NULL) {

        done = frame->kind == GQL_FRAME_OBJECT ? gql_walk_object(e, frame)
                                               : gql_walk_list(e, frame);

        if (done == GQL_PAUSED || done == GQL_WANTED) {
            return done;
        }

        if (done == GQL_FAILED && !gql_walk_unwind(e)) {
            return GQL_FAILED;
        }
    }

    return GQL_DONE;
}


/* Until its end, or the first value that has values of its own, or fails. */
static gql_done_t
gql_walk_object(gql_execution_t *e, gql_frame_t *frame)
{
    gql_done_t               done;
    const gql_plan_field_t  *child;

    while (frame->next < frame->selection->nfields) {
        child = &frame->selection->fields[frame->next];

        /* the comma stands before the key already */

        gql_put(e->buf, child->json_key.data - (frame->next != 0),
                child->json_key.len + (frame->next != 0));

        frame->next++;

        done = gql_complete_field(e, child, frame->handle, &frame->path);

        if (done != GQL_DONE) {
            return done;
        }
    }

    gql_put_literal(e->buf, "}");
    e->walk->top = frame->up;

    return GQL_DONE;
}


static gql_done_t
gql_walk_list(gql_execution_t *e, gql_frame_t *frame)
{
    uint32_t      index;
    gql_done_t    done;
    gql_path_t    place;
    gql_result_t  item;

    place.parent = &frame->path;
    place.key = prompt_str_absent;

    /* of an answer that is too long already nothing more is wanted */

    while (frame->next < frame->count && e->buf->status == PROMPT_BUF_OK) {

        if (gql_walk_pauses(e)) {
            return GQL_PAUSED;
        }

        if (frame->next != 0) {
            gql_put_literal(e->buf, ",");
        }

        place.index = frame->next++;
        index = place.index - frame->base;
        item.kind = GQL_RESULT_NULL;

        if (frame->field->kind == GQL_PLAN_FIELD) {
            e->resolver->item(e, e->data, frame->field, frame->handle, index,
                              &item);
        } else {
            gql_introspect_item(e, frame->field, frame->handle, index, &item);
        }

        done = gql_complete(e, frame->field, frame->of, &item, &place);

        if (done != GQL_DONE) {
            return done;
        }
    }

    if (frame->more && e->buf->status == PROMPT_BUF_OK) {
        return GQL_WANTED;
    }

    gql_put_literal(e->buf, "]");
    e->walk->top = frame->up;

    if (frame->noted) {
        gql_walk_written(e, frame);
    }

    return GQL_DONE;
}


/* What began in a piece that is full is let go: another time it may not. */
static void
gql_walk_written(gql_execution_t *e, const gql_frame_t *frame)
{
    size_t  start;

    if (e->buf->status != PROMPT_BUF_OK || frame->mark < e->walk->before
        || e->errors.count != frame->errors || e->errors.nomem)
    {
        return;
    }

    start = frame->mark - e->walk->before;

    e->resolver->written(e->data, frame->field, frame->handle,
                         prompt_str_of(e->buf->data + start,
                                       e->buf->len - start));
}


/* Before an item: whether enough was written in one go. */
static bool
gql_walk_pauses(gql_execution_t *e)
{
    if (e->buf->len >= GQL_PIECE_FULL) {
        gql_root_piece(e);
    }

    if (e->paced == 0) {
        return false;
    }

    if (e->left == 0
        || e->walk->before + e->buf->len - e->began >= e->pace_bytes)
    {
        return true;
    }

    e->left--;

    return false;
}


/* The error that is pending goes up to where null may be; false: nowhere. */
static bool
gql_walk_unwind(gql_execution_t *e)
{
    gql_frame_t  *frame;

    while ((frame = e->walk->top) != NULL) {
        e->walk->top = frame->up;

        if (frame->type->kind != GQL_REF_NON_NULL) {
            gql_report(e);
            gql_root_cut(e, frame->mark);
            gql_put_literal(e->buf, "null");
            return true;
        }
    }

    return false;
}


gql_frame_t *
gql_frame_push(gql_execution_t *e, gql_frame_kind_t kind,
    const gql_plan_field_t *field, const gql_type_ref_t *type,
    const gql_path_t *path)
{
    gql_frame_t  *frame, *top;

    top = e->walk->top;
    frame = top != NULL ? top->down : e->walk->frames;

    if (frame == NULL) {
        frame = prompt_arena_alloc(e->arena, sizeof(gql_frame_t));
        if (frame == NULL) {
            e->pending = &e->nomem;
            return NULL;
        }

        frame->up = top;
        frame->down = NULL;

        if (top != NULL) {
            top->down = frame;
        } else {
            e->walk->frames = frame;
        }
    }

    frame->kind = kind;
    frame->field = field;
    frame->type = type;
    frame->path = *path;
    frame->mark = gql_root_mark(e);
    frame->next = 0;

    e->walk->top = frame;

    return frame;
}


gql_done_t
gql_complete(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_ref_t *type, const gql_result_t *result,
    const gql_path_t *path)
{
    size_t      mark;
    gql_done_t  done;

    mark = gql_root_mark(e);

    done = gql_complete_value(e, field, type, result, path);

    if (done == GQL_DONE || done == GQL_ENTERED) {
        return done;
    }

    return gql_complete_null(e, type, done, mark);
}


/* Of what is null, or failed: null, where the type lets it be. */
static gql_done_t
gql_complete_null(gql_execution_t *e, const gql_type_ref_t *type,
    gql_done_t done, size_t mark)
{
    if (done == GQL_FAILED) {
        if (type->kind == GQL_REF_NON_NULL) {
            return GQL_FAILED;
        }

        gql_report(e);
        gql_root_cut(e, mark);
    }

    gql_put_literal(e->buf, "null");

    return GQL_DONE;
}


static gql_done_t
gql_complete_value(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_ref_t *type, const gql_result_t *result,
    const gql_path_t *path)
{
    const gql_type_ref_t  *value;

    if (result->kind == GQL_RESULT_ERROR) {
        return gql_fail(e, field, path, result->u.error);
    }

    if (result->kind == GQL_RESULT_NULL) {
        if (type->kind != GQL_REF_NON_NULL) {
            return GQL_NOTHING;
        }

        return gql_failf(e, field, path, "Cannot return null for "
                         "non-nullable field %.*s.%.*s.",
                         prompt_str_arg(field->owner->name),
                         prompt_str_arg(field->def->name));
    }

    value = type->kind == GQL_REF_NON_NULL ? type->of : type;

    if (value->kind == GQL_REF_LIST) {
        return gql_complete_list(e, field, type, result, path);
    }

    if (gql_type_is_leaf(value->type)) {
        return gql_serialize(e, field, value->type, result, path);
    }

    return gql_complete_composite(e, field, type, result, path);
}


static gql_done_t
gql_complete_list(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_ref_t *type, const gql_result_t *result,
    const gql_path_t *path)
{
    gql_frame_t  *frame;

    if (result->kind == GQL_RESULT_JSON_TEXT) {
        gql_put(e->buf, result->u.text.data, result->u.text.len);
        return GQL_DONE;
    }

    if (result->kind != GQL_RESULT_LIST
        && result->kind != GQL_RESULT_LIST_NOTED)
    {
        return gql_failf(e, field, path, "Expected Iterable, but did not "
                         "find one for field \"%.*s.%.*s\".",
                         prompt_str_arg(field->owner->name),
                         prompt_str_arg(field->def->name));
    }

    frame = gql_frame_push(e, GQL_FRAME_LIST, field, type, path);
    if (frame == NULL) {
        return GQL_FAILED;
    }

    frame->of = type->kind == GQL_REF_NON_NULL ? type->of->of : type->of;
    frame->handle = result->u.list.handle;
    frame->count = result->u.list.count;
    frame->base = 0;
    frame->more = false;
    frame->noted = result->kind == GQL_RESULT_LIST_NOTED;
    frame->errors = e->errors.count;

    gql_put_literal(e->buf, "[");

    return GQL_ENTERED;
}


static gql_done_t
gql_complete_composite(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_ref_t *ref, const gql_result_t *result,
    const gql_path_t *path)
{
    gql_frame_t                 *frame;
    prompt_str_t                 shown;
    const gql_type_t            *type;
    const gql_plan_selection_t  *selection;

    type = ref->kind == GQL_REF_NON_NULL ? ref->of->type : ref->type;

    if (type->kind == GQL_TYPE_OBJECT) {
        selection = field->selections[0];

        if (result->kind != GQL_RESULT_OBJECT
            || (result->u.object.type != NULL
                && result->u.object.type != type))
        {
            shown = gql_inspect_result(e, result);

            return gql_failf(e, field, path,
                             "Expected value of type \"%.*s\" but got: %.*s.",
                             prompt_str_arg(type->name),
                             prompt_str_arg(shown));
        }

    } else {
        selection = gql_complete_abstract(e, field, type, result, path);

        if (selection == NULL) {
            return GQL_FAILED;
        }
    }

    if (selection->invalid != NULL) {
        return gql_fail(e, field, path, selection->invalid);
    }

    frame = gql_frame_push(e, GQL_FRAME_OBJECT, field, ref, path);
    if (frame == NULL) {
        return GQL_FAILED;
    }

    frame->selection = selection;

    if (field->kind == GQL_PLAN_FIELD && selection->type->introspection) {

        /* what the embedder has is no handle of the engine's */

        frame->handle = NULL;

    } else {
        frame->handle = result->u.object.handle;
    }

    gql_put_literal(e->buf, "{");

    return GQL_ENTERED;
}


/*
 * The selection on the type that a value of an abstract type has, or NULL
 * with an error pending.
 */
static const gql_plan_selection_t *
gql_complete_abstract(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_type_t *type, const gql_result_t *result,
    const gql_path_t *path)
{
    const gql_type_t            *runtime;
    const gql_plan_selection_t  *selection;

    runtime = result->kind == GQL_RESULT_OBJECT ? result->u.object.type : NULL;

    if (runtime == NULL) {
        gql_failf(e, field, path, "Abstract type \"%.*s\" must resolve to an "
                  "Object type at runtime for field \"%.*s.%.*s\". Either "
                  "the \"%.*s\" type should provide a \"resolveType\" "
                  "function or each possible type should provide an "
                  "\"isTypeOf\" function.", prompt_str_arg(type->name),
                  prompt_str_arg(field->owner->name),
                  prompt_str_arg(field->def->name),
                  prompt_str_arg(type->name));
        return NULL;
    }

    if (runtime->kind != GQL_TYPE_OBJECT) {
        gql_failf(e, field, path, "Abstract type \"%.*s\" was resolved to a "
                  "non-object type \"%.*s\".", prompt_str_arg(type->name),
                  prompt_str_arg(runtime->name));
        return NULL;
    }

    selection = gql_plan_selection(field, runtime);

    if (selection == NULL) {
        gql_failf(e, field, path, "Runtime Object type \"%.*s\" is not a "
                  "possible type for \"%.*s\".",
                  prompt_str_arg(runtime->name), prompt_str_arg(type->name));
    }

    return selection;
}


static gql_done_t
gql_complete_field(gql_execution_t *e, const gql_plan_field_t *field,
    void *parent, const gql_path_t *up)
{
    size_t                 mark;
    gql_done_t             done;
    gql_path_t             path;
    gql_error_t           *error;
    gql_result_t           result;
    const prompt_json_t   *arguments;
    const gql_type_ref_t  *type, *value;

    if (field->kind == GQL_PLAN_TYPENAME) {
        gql_put_literal(e->buf, "\"");
        gql_put(e->buf, field->owner->name.data, field->owner->name.len);
        gql_put_literal(e->buf, "\"");
        return GQL_DONE;
    }

    path = (gql_path_t) { up, field->key, 0 };

    error = NULL;
    result.kind = GQL_RESULT_NULL;
    arguments = field->arguments;

    if (arguments == NULL) {
        arguments = gql_execution_arguments(e, field, &error);
    }

    if (arguments == NULL) {
        result.kind = GQL_RESULT_ERROR;
        result.u.error = error;

    } else if (field->kind == GQL_PLAN_FIELD) {
        e->resolver->field(e, e->data, field, parent, arguments, &result);

    } else if (field->kind == GQL_PLAN_SCHEMA) {

        /* the query type may be met again further down */

        gql_introspect_root(e, field, arguments, &result);

    } else {
        gql_introspect_field(e, field, parent, arguments, &result);
    }

    type = field->def->type;
    value = type->kind == GQL_REF_NON_NULL ? type->of : type;

    if (result.kind == GQL_RESULT_NULL || result.kind == GQL_RESULT_ERROR
        || value->kind == GQL_REF_LIST || !gql_type_is_leaf(value->type))
    {
        return gql_complete(e, field, type, &result, &path);
    }

    /* nearly all fields: a leaf that has a value */

    mark = gql_root_mark(e);
    done = gql_serialize(e, field, value->type, &result, &path);

    return done == GQL_DONE ? GQL_DONE
                            : gql_complete_null(e, type, done, mark);
}
