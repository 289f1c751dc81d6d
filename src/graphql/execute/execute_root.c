/*
 * Root fields: each has pieces of its own, which its value fills in one go or
 * step by step.  What they may hold is counted together.
 */

#include "graphql/execute/execute_impl.h"
#include "graphql/execute/introspect.h"

#include <stdlib.h>


static gql_step_t gql_root_walk(gql_execution_t *e, uint32_t i, bool paced);
static void gql_root_enter(gql_execution_t *e, uint32_t i);
static void gql_root_open(gql_execution_t *e, uint32_t i);
static gql_done_t gql_root_value(gql_execution_t *e,
    const gql_plan_field_t *field, const gql_result_t *value);
static gql_step_t gql_root_end(gql_execution_t *e, uint32_t i,
    gql_done_t done);
static void gql_root_overflow(gql_execution_t *e, uint32_t i);
static void gql_root_pages(const gql_plan_field_t *field, prompt_buf_t *text,
    unsigned *n);
static void gql_execution_abort(gql_execution_t *e);


/* lists that an error names as ones that have pages */
#define GQL_ROOT_MAX_PAGES  4


void
gql_execution_pace(gql_execution_t *e, uint32_t items, size_t bytes)
{
    e->pace_items = items;
    e->pace_bytes = bytes;
}


void
gql_execution_complete(gql_execution_t *e, uint32_t i,
    const gql_result_t *value)
{
    uint32_t    items;
    gql_step_t  step;

    items = e->pace_items;
    e->pace_items = 0;

    step = gql_execution_begin(e, i, value);
    (void) step;                             /* without a pace: DONE */

    e->pace_items = items;
}


gql_step_t
gql_execution_begin(gql_execution_t *e, uint32_t i, const gql_result_t *value)
{
    gql_done_t  done;

    if (e->aborted || i >= e->plan->root->nfields || e->roots[i].done) {
        return GQL_STEP_DONE;
    }

    gql_root_enter(e, i);
    gql_root_open(e, i);

    done = gql_root_value(e, &e->plan->root->fields[i], value);

    return done == GQL_ENTERED ? gql_root_walk(e, i, e->pace_items != 0)
                               : gql_root_end(e, i, done);
}


gql_step_t
gql_execution_part(gql_execution_t *e, uint32_t i, const gql_result_t *part,
    bool last)
{
    gql_done_t    done;
    gql_root_t   *root;
    gql_frame_t  *frame;

    /* a list that has no items yet */

    const gql_result_t  none = { .kind = GQL_RESULT_LIST };

    if (e->aborted || i >= e->plan->root->nfields || e->roots[i].done) {
        return GQL_STEP_DONE;
    }

    root = &e->roots[i];

    if (root->top == NULL) {
        gql_root_enter(e, i);
        gql_root_open(e, i);

        done = gql_root_value(e, &e->plan->root->fields[i], &none);

        if (done != GQL_ENTERED) {
            return gql_root_end(e, i, done);
        }
    }

    frame = root->top;
    frame->base = frame->count;
    frame->count += part->u.list.count;
    frame->handle = part->u.list.handle;
    frame->more = !last;

    return gql_root_walk(e, i, true);
}


gql_step_t
gql_execution_go_on(gql_execution_t *e, uint32_t i)
{
    if (e->aborted || i >= e->plan->root->nfields || e->roots[i].done) {
        return GQL_STEP_DONE;
    }

    return gql_root_walk(e, i, true);
}


static gql_step_t
gql_root_walk(gql_execution_t *e, uint32_t i, bool paced)
{
    gql_root_enter(e, i);

    e->paced = paced && e->pace_items != 0;
    e->left = e->pace_items;
    e->began = gql_root_mark(e);

    return gql_root_end(e, i, gql_walk(e));
}


/* What follows is about root field i, and how much it may have by now. */
static void
gql_root_enter(gql_execution_t *e, uint32_t i)
{
    size_t       left;
    gql_root_t  *root;

    root = &e->roots[i];
    left = e->max_response > e->bytes ? e->max_response - e->bytes : 0;

    root->limit = root->counted + left;
    root->buf.limit = root->limit - root->before;

    e->root = i;
    e->walk = root;
    e->buf = &root->buf;
}


/* {"data":{"key": or ,"key": in place of what was written */
static void
gql_root_open(gql_execution_t *e, uint32_t i)
{
    gql_root_t              *root;
    const gql_plan_field_t  *field;

    root = &e->roots[i];
    field = &e->plan->root->fields[i];

    gql_root_free(root);
    e->bytes -= root->counted;
    root->counted = 0;

    prompt_buf_init(&root->buf, root->limit);

    if (i == 0) {
        gql_put_literal(e->buf, "{\"data\":{");
        gql_put(e->buf, field->json_key.data, field->json_key.len);

    } else {
        gql_put(e->buf, field->json_key.data - 1, field->json_key.len + 1);
    }
}


void
gql_root_free(gql_root_t *root)
{
    while (root->pieces != NULL) {
        free(root->pieces->data);
        root->pieces = root->pieces->before;
    }

    root->before = 0;
    root->top = NULL;
    prompt_buf_free(&root->buf);
}


void
gql_root_piece(gql_execution_t *e)
{
    char         *data;
    size_t        size;
    gql_root_t   *root;
    gql_piece_t  *piece;

    root = e->walk;

    if (root->buf.status != PROMPT_BUF_OK) {
        return;
    }

    piece = prompt_arena_alloc(e->arena, sizeof(gql_piece_t));
    if (piece == NULL) {
        return;                              /* it grows where it is, then */
    }

    piece->data = root->buf.data;
    piece->len = root->buf.len;
    piece->cap = root->buf.cap;

    if (piece->cap > GQL_PIECE_SIZE) {
        data = realloc(piece->data, piece->len + 1);

        if (data != NULL) {
            piece->data = data;
            piece->cap = piece->len;
        }
    }

    piece->before = root->pieces;
    root->pieces = piece;
    root->before += piece->len;

    prompt_buf_init(&root->buf, root->limit - root->before);

    size = root->buf.limit < GQL_PIECE_SIZE ? root->buf.limit
                                            : GQL_PIECE_SIZE;

    (void) prompt_buf_reserve(&root->buf, size);
}


void
gql_root_cut(gql_execution_t *e, size_t mark)
{
    gql_root_t           *root;
    gql_piece_t          *piece;
    prompt_buf_status_t   status;

    root = e->walk;

    while (mark < root->before) {
        piece = root->pieces;
        status = root->buf.status;

        prompt_buf_free(&root->buf);

        root->pieces = piece->before;
        root->before -= piece->len;

        root->buf.data = piece->data;
        root->buf.len = piece->len;
        root->buf.cap = piece->cap;
        root->buf.limit = root->limit - root->before;
        root->buf.status = status;
    }

    prompt_buf_truncate(&root->buf, mark - root->before);
}


/* Something was written for a root field. */
static gql_step_t
gql_root_end(gql_execution_t *e, uint32_t i, gql_done_t done)
{
    gql_root_t  *root;

    root = &e->roots[i];

    if (done == GQL_FAILED) {
        gql_report(e);
        gql_execution_abort(e);

    } else if (root->buf.status != PROMPT_BUF_OK) {
        gql_root_overflow(e, i);
        done = GQL_DONE;
    }

    e->bytes += gql_root_mark(e) - root->counted;
    root->counted = gql_root_mark(e);
    root->done = done != GQL_PAUSED && done != GQL_WANTED;

    e->walk = NULL;
    e->buf = NULL;

    return done == GQL_PAUSED ? GQL_STEP_PAUSED
           : done == GQL_WANTED ? GQL_STEP_WANTED : GQL_STEP_DONE;
}


static gql_done_t
gql_root_value(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_result_t *value)
{
    gql_path_t            path = { NULL, field->key, 0 };
    gql_error_t          *error;
    gql_result_t          result;
    const prompt_json_t  *arguments;

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
    gql_error_t             *error;
    const gql_plan_field_t  *field;

    field = &e->plan->root->fields[i];
    error = e->roots[i].buf.status == PROMPT_BUF_LIMIT
            ? gql_execution_too_long(e, field) : &e->nomem;

    path = (gql_path_t) { NULL, field->key, 0 };

    (void) gql_fail(e, field, &path, error);
    gql_report(e);

    if (field->def->type->kind == GQL_REF_NON_NULL) {
        gql_execution_abort(e);
        return;
    }

    e->roots[i].limit = SIZE_MAX;
    gql_root_open(e, i);
    gql_put_literal(e->buf, "null");
}


gql_error_t *
gql_execution_too_long(gql_execution_t *e, const gql_plan_field_t *field)
{
    unsigned              n;
    gql_error_t          *error;
    prompt_buf_t          text;
    prompt_json_t        *extra, *reason;
    const prompt_json_t  *spent;

    prompt_buf_init(&text, SIZE_MAX);
    n = 0;

    gql_root_pages(field, &text, &n);

    spent = e->roots[field - e->plan->root->fields].spent;

    error = gql_execution_error(e, prompt_str_absent,
                                n != 0 ? prompt_str("first")
                                       : prompt_str_absent,
                                "%s answer would be larger than %zu bytes: "
                                "%s%.*s.",
                                spent != NULL ? "It was done, but its"
                                : gql_execution_serial(e)
                                  ? "The change was made, but its" : "The",
                                e->max_response,
                                spent != NULL
                                ? "do not ask for it again, but for what it "
                                  "did, by its id, and less at once"
                                : n != 0 ? "ask for fewer fields, or page by "
                                           "page: " : "ask for less",
                                prompt_str_arg(prompt_buf_view(&text)));
    prompt_buf_free(&text);

    if (error == &e->nomem) {
        return error;
    }

    error->of_request = true;

    /* without memory for them it is an error all the same */

    extra = spent != NULL ? prompt_json_copy(e->arena, spent)
                          : prompt_json_new(e->arena, PROMPT_JSON_OBJECT);
    reason = prompt_json_new_string(e->arena, prompt_str("TOO_LARGE"));

    if (extra != NULL && reason != NULL) {
        prompt_json_set(extra, prompt_str("reason"), reason);
        error->extra = extra;
    }

    return error;
}


/* the lists of a selection that have pages, as "versions(first: …)" */
static void
gql_root_pages(const gql_plan_field_t *field, prompt_buf_t *text, unsigned *n)
{
    uint32_t                     i;
    const gql_plan_selection_t  *selection;

    for (i = 0; i < field->def->nargs && *n < GQL_ROOT_MAX_PAGES; i++) {
        if (prompt_str_eq(field->def->args[i].name, prompt_str("first"))) {
            prompt_buf_printf(text, "%s%.*s(first: \xe2\x80\xa6, after: "
                              "\xe2\x80\xa6)", (*n)++ != 0 ? ", " : "",
                              prompt_str_arg(field->def->name));
        }
    }

    if (field->nselections == 0) {
        return;
    }

    selection = field->selections[0];

    for (i = 0; i < selection->nfields && *n < GQL_ROOT_MAX_PAGES; i++) {
        if (selection->fields[i].kind == GQL_PLAN_FIELD) {
            gql_root_pages(&selection->fields[i], text, n);
        }
    }
}


static void
gql_execution_abort(gql_execution_t *e)
{
    uint32_t  i;

    e->aborted = true;

    for (i = 0; i < e->plan->root->nfields; i++) {
        gql_root_free(&e->roots[i]);
    }
}
