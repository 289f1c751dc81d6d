/*
 * Execution: root fields, errors, and the answer as a whole.
 *
 * Each root field has pieces of its own, so that they may come in any order
 * and the answer needs no copy: the first one begins with {"data":{, the
 * others with a comma, and what closes the answer, errors included, is the
 * last piece.
 */

#include "graphql/execute/execute_impl.h"
#include "graphql/values/values.h"

#include <stdarg.h>
#include <string.h>


static void gql_error_insert(gql_execution_t *e, gql_error_t *error,
    uint32_t root);
static gql_path_t *gql_path_copy(gql_execution_t *e, const gql_path_t *path);
static bool gql_pieces_room(gql_execution_t *e);
static size_t gql_pieces_of(gql_execution_t *e, const gql_root_t *root,
    size_t count);
static bool gql_error_locate(gql_execution_t *e, gql_error_t *error,
    const gql_plan_field_t *field);


gql_execution_t *
gql_execution_create(prompt_arena_t *arena, const gql_plan_t *plan,
    const prompt_json_t *variables, const gql_resolver_t *resolver,
    void *data, size_t max_response)
{
    uint32_t          i, n;
    gql_error_t      *error;
    gql_execution_t  *e;

    e = prompt_arena_zalloc(arena, sizeof(gql_execution_t));
    if (e == NULL) {
        return NULL;
    }

    e->arena = arena;
    e->plan = plan;
    e->variables = variables;
    e->resolver = resolver;
    e->data = data;
    e->max_response = max_response;
    e->nomem.message = prompt_str("Memory is short.");

    gql_errors_init(&e->errors, arena, plan->document->source, 0);

    n = plan->root->nfields;

    e->roots = prompt_arena_array(arena, n, sizeof(gql_root_t));
    e->pieces = prompt_arena_array(arena, (size_t) n + 1,
                                   sizeof(prompt_str_t));

    if (e->roots == NULL || e->pieces == NULL) {
        return NULL;
    }

    for (i = 0; i < n; i++) {
        prompt_buf_init(&e->roots[i].buf, max_response);
    }

    prompt_buf_init(&e->tail, SIZE_MAX);

    if (plan->root->invalid != NULL) {
        error = prompt_arena_alloc(arena, sizeof(gql_error_t));
        if (error == NULL) {
            return NULL;
        }

        *error = *plan->root->invalid;
        error->next = NULL;

        e->errors.first = error;
        e->errors.last = error;
        e->errors.count = 1;
        e->aborted = true;
    }

    return e;
}


void
gql_execution_destroy(gql_execution_t *e)
{
    uint32_t  i;

    if (e == NULL) {
        return;
    }

    for (i = 0; i < e->plan->root->nfields; i++) {
        gql_root_free(&e->roots[i]);
    }

    prompt_buf_free(&e->tail);
}


prompt_arena_t *
gql_execution_arena(const gql_execution_t *e)
{
    return e->arena;
}


const gql_plan_t *
gql_execution_plan(const gql_execution_t *e)
{
    return e->plan;
}


bool
gql_execution_serial(const gql_execution_t *e)
{
    return e->plan->operation->operation == GQL_MUTATION;
}


bool
gql_execution_aborted(const gql_execution_t *e)
{
    return e->aborted;
}


const gql_errors_t *
gql_execution_errors(const gql_execution_t *e)
{
    return &e->errors;
}


size_t
gql_execution_bytes(const gql_execution_t *e)
{
    return e->bytes;
}


bool
gql_field_is_meta(const gql_plan_field_t *field)
{
    return field->kind != GQL_PLAN_FIELD;
}


const prompt_json_t *
gql_execution_arguments(gql_execution_t *e, const gql_plan_field_t *field,
    gql_error_t **error)
{
    gql_errors_t          errors;
    const prompt_json_t  *arguments;

    if (field->arguments != NULL) {
        return field->arguments;
    }

    if (e->arguments == NULL) {
        e->arguments = prompt_arena_array(e->arena, e->plan->nfields,
                                          sizeof(prompt_json_t *));
        if (e->arguments == NULL) {
            *error = &e->nomem;
            return NULL;
        }
    }

    if (e->arguments[field->id] != NULL) {
        return e->arguments[field->id];
    }

    gql_errors_init(&errors, e->arena, e->plan->document->source, 0);

    arguments = gql_coerce_arguments(e->arena, field->def->args,
                                     field->def->nargs, &field->node->node,
                                     &field->node->arguments, e->variables,
                                     &errors);

    if (arguments == NULL) {
        *error = errors.first != NULL && !errors.nomem ? errors.first
                                                       : &e->nomem;
        return NULL;
    }

    e->arguments[field->id] = arguments;

    return arguments;
}


gql_error_t *
gql_execution_error(gql_execution_t *e, prompt_str_t code, prompt_str_t field,
    const char *format, ...)
{
    va_list       args;
    gql_error_t  *error;
    prompt_str_t  message;

    va_start(args, format);
    message = prompt_arena_vprintf(e->arena, format, args);
    va_end(args);

    error = prompt_arena_zalloc(e->arena, sizeof(gql_error_t));

    if (error == NULL || message.data == NULL) {
        return &e->nomem;
    }

    error->message = message;
    error->code = code;
    error->field = field;

    return error;
}


void
gql_execution_spent(gql_execution_t *e, uint32_t i, const prompt_json_t *of)
{
    e->roots[i].spent = of;
}


gql_done_t
gql_fail(gql_execution_t *e, const gql_plan_field_t *field,
    const gql_path_t *path, const gql_error_t *error)
{
    gql_error_t  *copy;

    copy = prompt_arena_alloc(e->arena, sizeof(gql_error_t));

    if (copy != NULL) {
        *copy = *error;
        copy->next = NULL;
        copy->path = gql_path_copy(e, path);

        if (copy->extra == NULL) {
            copy->extra = e->roots[e->root].spent;
        }

        if (copy->path == NULL
            || (copy->nlocations == 0 && !gql_error_locate(e, copy, field)))
        {
            copy = NULL;
        }
    }

    e->pending = copy != NULL ? copy : &e->nomem;

    return GQL_FAILED;
}


void
gql_report(gql_execution_t *e)
{
    gql_error_t  *error;

    error = e->pending;
    e->pending = NULL;

    /* the one error that is there without memory is reported once */

    if (error != &e->nomem || !e->errors.nomem) {
        e->errors.nomem = e->errors.nomem || error == &e->nomem;
        gql_error_insert(e, error, e->root);
    }
}


/* behind the errors of the same root field and of those before it */
static void
gql_error_insert(gql_execution_t *e, gql_error_t *error, uint32_t root)
{
    uint32_t      i;
    gql_error_t  *before;

    if (root >= e->last_root) {
        before = e->errors.last;
        e->last_root = root;

    } else {
        before = NULL;

        for (i = root + 1; i-- > 0 && before == NULL; /* void */ ) {
            before = e->roots[i].last;
        }
    }

    if (before != NULL) {
        error->next = before->next;
        before->next = error;

    } else {
        error->next = e->errors.first;
        e->errors.first = error;
    }

    if (error->next == NULL) {
        e->errors.last = error;
    }

    e->roots[root].last = error;
    e->errors.count++;
}


static gql_path_t *
gql_path_copy(gql_execution_t *e, const gql_path_t *path)
{
    gql_path_t        *nodes;
    uint32_t           i, n;
    const gql_path_t  *p;

    n = 0;

    for (p = path; p != NULL; p = p->parent) {
        n++;
    }

    nodes = prompt_arena_array(e->arena, n, sizeof(gql_path_t));
    if (nodes == NULL) {
        return NULL;
    }

    i = 0;

    for (p = path; p != NULL; p = p->parent) {
        nodes[i] = *p;
        nodes[i].parent = p->parent != NULL ? &nodes[i + 1] : NULL;
        i++;
    }

    return nodes;
}


/* Lines and columns of a field's nodes, counted once for all its errors. */
static bool
gql_error_locate(gql_execution_t *e, gql_error_t *error,
    const gql_plan_field_t *field)
{
    uint32_t         i, n;
    gql_location_t  *locations;

    if (e->locations == NULL) {
        e->places = gql_source_index(e->arena, e->plan->document->source);
        e->locations = prompt_arena_array(e->arena, e->plan->nfields,
                                          sizeof(gql_location_t *));
        if (e->locations == NULL) {
            return false;
        }
    }

    if (e->places == NULL) {
        return false;
    }

    n = field->noffsets < gql_error_bounds.locations
        ? field->noffsets : gql_error_bounds.locations;
    locations = e->locations[field->id];

    if (locations == NULL) {
        locations = prompt_arena_array(e->arena, n, sizeof(gql_location_t));
        if (locations == NULL) {
            return false;
        }

        for (i = 0; i < n; i++) {
            locations[i] = gql_source_index_location(e->places,
                                                     field->offsets[i]);
        }

        e->locations[field->id] = locations;
    }

    error->locations = locations;
    error->nlocations = n;

    return true;
}


void
gql_execution_request_code(gql_execution_t *e, prompt_str_t code)
{
    e->request_code = code;
}


size_t
gql_execution_finish(gql_execution_t *e, prompt_str_t default_code,
    const prompt_str_t **pieces)
{
    size_t              count;
    uint32_t            i, n;
    const gql_error_t  *error;

    n = e->plan->root->nfields;
    count = 0;

    for (i = 0; i < n; i++) {
        gql_execution_complete(e, i, NULL);
    }

    prompt_buf_free(&e->tail);

    if (!gql_pieces_room(e)) {
        return 0;
    }

    if (e->aborted) {
        prompt_buf_literal(&e->tail, "{\"data\":null");

    } else {
        for (i = 0; i < n; i++) {
            if (e->roots[i].buf.status != PROMPT_BUF_OK) {
                return 0;
            }

            count = gql_pieces_of(e, &e->roots[i], count);
        }

        if (n == 0) {
            prompt_buf_literal(&e->tail, "{\"data\":{");
        }

        prompt_buf_char(&e->tail, '}');
    }

    for (error = e->errors.first; error != NULL; error = error->next) {
        prompt_buf_str(&e->tail, error == e->errors.first
                                 ? prompt_str(",\"errors\":[")
                                 : prompt_str(","));
        gql_error_write(&e->tail, error,
                        error->of_request && e->request_code.data != NULL
                        ? e->request_code : default_code);

        /* nobody reads more of them than the answer may have bytes */

        if (e->tail.len > e->max_response) {
            break;
        }
    }

    if (e->errors.first != NULL) {
        prompt_buf_char(&e->tail, ']');
    }

    prompt_buf_char(&e->tail, '}');

    e->pieces[count++] = prompt_buf_view(&e->tail);
    e->npieces = count;
    *pieces = e->pieces;

    return e->tail.status == PROMPT_BUF_OK ? count : 0;
}


void
gql_execution_take(gql_execution_t *e, prompt_str_t *pieces)
{
    uint32_t  i;

    memcpy(pieces, e->pieces, e->npieces * sizeof(prompt_str_t));

    /* what was taken is forgotten, not freed */

    for (i = 0; i < e->plan->root->nfields && !e->aborted; i++) {
        e->roots[i].pieces = NULL;
        prompt_buf_init(&e->roots[i].buf, e->max_response);
    }

    prompt_buf_init(&e->tail, SIZE_MAX);
}


/* more pieces than root fields are made by long answers only */
static bool
gql_pieces_room(gql_execution_t *e)
{
    size_t              n;
    uint32_t            i;
    const gql_piece_t  *piece;

    n = 0;

    for (i = 0; i < e->plan->root->nfields; i++) {
        for (piece = e->roots[i].pieces; piece != NULL; piece = piece->before)
        {
            n++;
        }
    }

    if (n == 0) {
        return true;
    }

    e->pieces = prompt_arena_array(e->arena, n + i + 1, sizeof(prompt_str_t));

    return e->pieces != NULL;
}


/* Those of a root field, in their order; returns how many there are by now. */
static size_t
gql_pieces_of(gql_execution_t *e, const gql_root_t *root, size_t count)
{
    size_t              n;
    const gql_piece_t  *piece;

    n = count;

    for (piece = root->pieces; piece != NULL; piece = piece->before) {
        n++;
    }

    count = n;

    for (piece = root->pieces; piece != NULL; piece = piece->before) {
        e->pieces[--n] = prompt_str_of(piece->data, piece->len);
    }

    e->pieces[count] = prompt_buf_view(&root->buf);

    return count + 1;
}
