/*
 * What the validation rules share: errors, budgets, text for messages.  See
 * validate_impl.h; what concerns fragments and variables is in reach.c.
 */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "graphql/syntax/printer.h"
#include "graphql/types/suggest.h"
#include "graphql/validate/validate.h"
#include "graphql/validate/validate_impl.h"


static void gql_refuse_list(gql_validation_t *v, const uint32_t *offsets,
    size_t n, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));
static void gql_validation_fragments(gql_validation_t *v);


bool
gql_validation_init(gql_validation_t *v, prompt_arena_t *arena,
    const gql_schema_t *schema, const gql_document_t *document,
    gql_errors_t *errors)
{
    memset(v, 0, sizeof(gql_validation_t));

    v->arena = arena;
    v->schema = schema;
    v->document = document;
    v->errors = errors;
    v->before = errors->last;
    v->nbefore = errors->count;
    v->comparisons = GQL_VALIDATE_COMPARISONS;
    v->fragment_work = GQL_VALIDATE_FRAGMENT_WORK;
    v->info = &v->visitor.info;

    v->visitor.schema = schema;
    v->visitor.arena = arena;

    gql_memo_init(&v->spreads, arena);
    gql_memo_init(&v->usages, arena);
    gql_memo_init(&v->reach_of, arena);
    gql_memo_init(&v->reaches, arena);

    gql_validation_fragments(v);

    return !v->stopped;
}


/* of definitions with the same name the last one counts */
static void
gql_validation_fragments(gql_validation_t *v)
{
    uint32_t                          i;
    gql_fragment_t                   *fragment;
    const gql_node_t                 *node;
    const gql_fragment_definition_t  *definition;

    v->fragments = gql_validation_array(v, v->document->nfragments,
                                        sizeof(gql_fragment_t));
    if (v->fragments == NULL) {
        return;
    }

    for (i = 0; i < v->document->nfragments; i++) {
        v->fragments[i].id = i;
    }

    gql_list_each(node, &v->document->definitions) {
        if (node->kind != GQL_FRAGMENT_DEFINITION) {
            continue;
        }

        definition = (const gql_fragment_definition_t *) node;
        fragment = gql_fragment_of(v, definition->fragment);

        fragment->name = definition->name->value;
        fragment->definition = definition;
        fragment->type = gql_schema_type(v->schema,
                                     definition->type_condition->name->value);
    }
}


void
gql_refuse(gql_validation_t *v, const uint32_t *offsets, size_t n,
    const char *format, ...)
{
    va_list  args;

    if (v->stopped) {
        return;
    }

    va_start(args, format);
    gql_refuse_list(v, offsets, n, format, args);
    va_end(args);
}


static void
gql_refuse_list(gql_validation_t *v, const uint32_t *offsets, size_t n,
    const char *format, va_list args)
{
    int           len;
    char         *text;
    va_list       copy;
    prompt_str_t  message;

    va_copy(copy, args);
    len = vsnprintf(NULL, 0, format, copy);
    va_end(copy);

    text = len < 0 ? NULL : prompt_arena_alloc(v->arena, (size_t) len + 1);
    if (text == NULL) {
        gql_validation_nomem(v);
        return;
    }

    (void) vsnprintf(text, (size_t) len + 1, format, args);

    message = prompt_str_of(text, (size_t) len);
    gql_refuse_pieces(v, offsets, n, &message, 1);
}


void
gql_refuse_pieces(gql_validation_t *v, const uint32_t *offsets, size_t n,
    const prompt_str_t *pieces, size_t npieces)
{
    size_t        i;
    gql_error_t  *error;

    if (v->stopped) {
        return;
    }

    if (v->errors->count >= v->max_errors) {
        v->stopped = true;
        v->visitor.stopped = true;

        (void) gql_errors_add(v->errors, "Too many validation errors, "
                              "error limit reached. Validation aborted.");
        return;
    }

    error = gql_errors_add_pieces(v->errors, pieces, npieces);

    for (i = 0; i < n; i++) {
        gql_error_at(v->errors, error, offsets[i]);
    }

    if (v->errors->nomem) {
        gql_validation_nomem(v);

    } else if (v->errors->full) {
        v->stopped = true;
        v->visitor.stopped = true;
    }
}


void
gql_refuse_all(gql_validation_t *v, uint32_t offset, const char *format, ...)
{
    va_list        args;
    gql_errors_t  *errors;

    if (v->stopped) {
        return;
    }

    errors = v->errors;
    errors->last = v->before;
    errors->count = v->nbefore;

    if (v->before != NULL) {
        v->before->next = NULL;

    } else {
        errors->first = NULL;
    }

    /* what is thrown there, not reported, no limit of errors holds back */

    v->max_errors = errors->count + 1;

    va_start(args, format);
    gql_refuse_list(v, &offset, 1, format, args);
    va_end(args);

    v->stopped = true;
    v->visitor.stopped = true;
}


void
gql_validation_abort(gql_validation_t *v, uint32_t budget, const char *what)
{
    if (v->stopped) {
        return;
    }

    v->stopped = true;
    v->visitor.stopped = true;

    if (v->explains) {
        (void) gql_errors_add(v->errors, "Document is too complex: it needs "
                              "more than %" PRIu32 " %s to be validated.",
                              budget, what);
        return;
    }

    (void) gql_errors_add(v->errors, "Validation aborted.");
}


void
gql_validation_nomem(gql_validation_t *v)
{
    v->stopped = true;
    v->visitor.stopped = true;
    v->errors->nomem = true;
}


void *
gql_validation_array(gql_validation_t *v, size_t count, size_t size)
{
    void  *array;

    array = prompt_arena_array(v->arena, count, size);

    if (array == NULL) {
        gql_validation_nomem(v);
    }

    return array;
}


void *
gql_validation_room(gql_validation_t *v, const void *array, size_t count,
    size_t size)
{
    void  *larger;

    larger = prompt_arena_room(v->arena, array, count, size);

    if (larger == NULL) {
        gql_validation_nomem(v);
    }

    return larger;
}


bool
gql_validation_put(gql_validation_t *v, gql_memo_t *memo, const void *key,
    const void *value)
{
    if (gql_memo_put(memo, gql_memo_address(key), (uintptr_t) value)) {
        return true;
    }

    gql_validation_nomem(v);

    return false;
}


gql_name_entry_t *
gql_validation_name(gql_validation_t *v, gql_names_t *names, prompt_str_t name)
{
    gql_name_entry_t  *entry;

    entry = gql_names_add(names, name);

    if (entry == NULL) {
        gql_validation_nomem(v);
    }

    return entry;
}


bool
gql_spend(gql_validation_t *v, uint32_t cost)
{
    if (v->stopped) {
        return false;
    }

    v->steps += cost;

    if (cost > (uint32_t) v->fragment_work) {
        v->fragment_work = 0;
        gql_validation_abort(v, GQL_VALIDATE_FRAGMENT_WORK,
                             "steps through fragments");
        return false;
    }

    v->fragment_work -= (int32_t) cost;

    return true;
}


bool
gql_descend(gql_validation_t *v, unsigned cost)
{
    if (v->depth + cost > GQL_VALIDATE_MAX_DEPTH) {
        gql_validation_abort(v, GQL_VALIDATE_MAX_DEPTH, "levels of nesting");
        return false;
    }

    v->depth += cost;

    return true;
}


prompt_str_t
gql_printed(gql_validation_t *v, const gql_node_t *node)
{
    prompt_buf_t  buf;
    prompt_str_t  text;

    /* escapes take up to six bytes for one; so does a printed "\u…" */

    prompt_buf_init(&buf, v->document->source.len * 6 + 64);
    gql_print(&buf, node);

    text = prompt_arena_take(v->arena, &buf);

    if (text.data == NULL) {
        gql_validation_nomem(v);
        return prompt_str("");
    }

    return text;
}


prompt_str_t
gql_suggest(gql_validation_t *v, prompt_str_t input,
    const gql_index_t *options)
{
    return gql_did_you_mean(v->errors, v->arena, prompt_str_absent, input,
                            options);
}


prompt_str_t
gql_suggest_argument(gql_validation_t *v, prompt_str_t input,
    const gql_input_value_t *args, uint32_t nargs)
{
    uint32_t              i;
    gql_index_t           options;
    const prompt_str_t  **names;

    names = gql_validation_array(v, nargs, sizeof(prompt_str_t *));
    if (names == NULL) {
        return prompt_str("");
    }

    for (i = 0; i < nargs; i++) {
        names[i] = &args[i].name;
    }

    options.names = names;
    options.count = nargs;

    return gql_suggest(v, input, &options);
}
