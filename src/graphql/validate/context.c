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
static bool gql_validation_definitions(gql_validation_t *v);
static void gql_validation_fragment(gql_validation_t *v,
    const gql_fragment_definition_t *definition);
static bool gql_validation_add_type(gql_validation_t *v,
    const gql_type_definition_t *part);


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
    v->suggestions = GQL_VALIDATE_SUGGESTIONS;
    v->info = &v->visitor.info;

    v->visitor.schema = schema;
    v->visitor.arena = arena;

    gql_names_init(&v->types, arena);
    gql_names_init(&v->directives, arena);
    gql_memo_init(&v->spreads, arena);
    gql_memo_init(&v->usages, arena);
    gql_memo_init(&v->reach_of, arena);
    gql_memo_init(&v->reaches, arena);

    if (!gql_validation_definitions(v)) {
        gql_validation_nomem(v);
        return false;
    }

    return true;
}


static bool
gql_validation_definitions(gql_validation_t *v)
{
    bool               ok;
    uint32_t           i;
    const gql_node_t  *node;

    v->kinds = gql_kind_bit(GQL_SCHEMA_DEFINITION) - 1;

    v->fragments = prompt_arena_array(v->arena, v->document->nfragments,
                                      sizeof(gql_fragment_t));
    if (v->fragments == NULL) {
        return false;
    }

    for (i = 0; i < v->document->nfragments; i++) {
        v->fragments[i].id = i;
    }

    gql_list_each(node, &v->document->definitions) {
        ok = true;

        if (node->kind >= GQL_SCHEMA_DEFINITION) {
            v->kinds = UINT64_MAX;
        }

        if (node->kind == GQL_FRAGMENT_DEFINITION) {
            gql_validation_fragment(v,
                                    (const gql_fragment_definition_t *) node);

        } else if (node->kind == GQL_DIRECTIVE_DEFINITION) {
            ok = gql_define_directive(v,
                                  (const gql_directive_definition_t *) node);

        } else if (gql_kind_is(node->kind,
                               GQL_TYPE_DEFINITIONS | GQL_TYPE_EXTENSIONS))
        {
            ok = gql_validation_add_type(v,
                                         (const gql_type_definition_t *) node);
        }

        if (!ok) {
            return false;
        }
    }

    return true;
}


/* of definitions with the same name the last one counts */
static void
gql_validation_fragment(gql_validation_t *v,
    const gql_fragment_definition_t *definition)
{
    gql_fragment_t  *fragment;

    fragment = gql_fragment_of(v, definition->fragment);

    fragment->name = definition->name->value;
    fragment->definition = definition;
    fragment->type = gql_schema_type(v->schema,
                                     definition->type_condition->name->value);
}


/* of definitions with the same name the last one counts */
static bool
gql_validation_add_type(gql_validation_t *v, const gql_type_definition_t *part)
{
    gql_name_entry_t  *entry;

    entry = gql_names_add(&v->types, part->name->value);
    if (entry == NULL) {
        return false;
    }

    entry->mark++;

    if (gql_kind_is(part->node.kind, GQL_TYPE_DEFINITIONS)) {
        entry->value = (void *) (uintptr_t) part;
    }

    return true;
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

    text = prompt_str_absent;

    if (buf.status == PROMPT_BUF_OK) {
        text = prompt_arena_copy(v->arena, prompt_buf_view(&buf));
    }

    prompt_buf_free(&buf);

    if (text.data == NULL) {
        gql_validation_nomem(v);
        return prompt_str("");
    }

    return text;
}


prompt_str_t
gql_suggest_names(gql_validation_t *v, prompt_str_t input, const void *items,
    uint32_t n, size_t size)
{
    uint32_t       i;
    prompt_str_t  *names;

    names = prompt_arena_array(v->arena, n, sizeof(prompt_str_t));
    if (names == NULL) {
        gql_validation_nomem(v);
        return prompt_str("");
    }

    for (i = 0; i < n; i++) {
        names[i] = *(const prompt_str_t *)
                                       ((const char *) items + i * size);
    }

    return gql_did_you_mean(v->errors, v->arena, &v->suggestions,
                            prompt_str_absent, input, names, n);
}
