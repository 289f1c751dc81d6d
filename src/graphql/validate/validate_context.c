/*
 * What the validation rules share: errors, the budget, duplicates, text for
 * messages.  See validate_context.h; what concerns fragments and variables is
 * in validate_reach.c.
 */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "graphql/syntax/printer.h"
#include "graphql/types/suggest.h"
#include "graphql/validate/validate.h"
#include "graphql/validate/validate_context.h"


/* so many names are compared each with each before a table is worth it */
#define GQL_DUPLICATES_SMALL  8


/* the places of one name */
typedef struct {
    uint32_t  first;                 /* index of a gql_named_t */
    uint32_t  last;
    uint32_t  count;
} gql_duplicate_t;


static void gql_refuse_list(gql_validation_t *v, const uint32_t *offsets,
    size_t n, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));
static bool gql_validation_definitions(gql_validation_t *v);
static void gql_validation_fragment(gql_validation_t *v,
    const gql_fragment_definition_t *definition);
static bool gql_validation_define(gql_names_t *names, const gql_name_t *name,
    const gql_node_t *node);
static bool gql_duplicates_any(const gql_named_t *items, uint32_t n);
static void gql_duplicates_report(gql_validation_t *v,
    const gql_named_t *items, uint32_t n, const char *prefix);
static void gql_duplicates_report_one(gql_validation_t *v,
    const gql_named_t *items, const uint32_t *next,
    const gql_duplicate_t *duplicate, const char *prefix);


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
    bool                               ok;
    uint32_t                           i;
    const gql_node_t                  *node;
    const gql_type_definition_t       *type;
    const gql_directive_definition_t  *directive;

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

        switch (node->kind) {

        case GQL_FRAGMENT_DEFINITION:
            gql_validation_fragment(v,
                                   (const gql_fragment_definition_t *) node);
            break;

        case GQL_SCALAR_TYPE_DEFINITION:
        case GQL_OBJECT_TYPE_DEFINITION:
        case GQL_INTERFACE_TYPE_DEFINITION:
        case GQL_UNION_TYPE_DEFINITION:
        case GQL_ENUM_TYPE_DEFINITION:
        case GQL_INPUT_OBJECT_TYPE_DEFINITION:
            type = (const gql_type_definition_t *) node;
            ok = gql_validation_define(&v->types, type->name, node);
            break;

        case GQL_DIRECTIVE_DEFINITION:
            directive = (const gql_directive_definition_t *) node;
            ok = gql_validation_define(&v->directives, directive->name, node);
            break;

        default:
            break;
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
gql_validation_define(gql_names_t *names, const gql_name_t *name,
    const gql_node_t *node)
{
    gql_name_entry_t  *entry;

    entry = gql_names_add(names, name->value);
    if (entry == NULL) {
        return false;
    }

    entry->value = (void *) (uintptr_t) node;

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


void
gql_refuse_duplicates(gql_validation_t *v, const gql_list_t *list,
    gql_named_t (*get)(const gql_validation_t *v, const gql_node_t *node),
    const char *prefix)
{
    uint32_t           n;
    gql_named_t       *items, small[GQL_DUPLICATES_SMALL];
    const gql_node_t  *node;

    if (list->count < 2) {
        return;
    }

    items = small;

    if (list->count > GQL_DUPLICATES_SMALL) {
        items = prompt_arena_array(v->arena, list->count, sizeof(gql_named_t));
        if (items == NULL) {
            gql_validation_nomem(v);
            return;
        }
    }

    n = 0;

    gql_list_each(node, list) {
        items[n++] = get(v, node);
    }

    if (n > GQL_DUPLICATES_SMALL || gql_duplicates_any(items, n)) {
        gql_duplicates_report(v, items, n, prefix);
    }
}


static bool
gql_duplicates_any(const gql_named_t *items, uint32_t n)
{
    uint32_t  i, j;

    for (i = 1; i < n; i++) {
        for (j = 0; j < i; j++) {
            if (prompt_str_eq(items[i].name, items[j].name)) {
                return true;
            }
        }
    }

    return false;
}


/* names in the order of their first places */
static void
gql_duplicates_report(gql_validation_t *v, const gql_named_t *items,
    uint32_t n, const char *prefix)
{
    uint32_t           i, *next;
    gql_names_t        names;
    gql_duplicate_t   *duplicate;
    gql_name_entry_t  *entry;

    gql_names_init(&names, v->arena);

    next = prompt_arena_array(v->arena, n, sizeof(uint32_t));
    duplicate = prompt_arena_array(v->arena, n, sizeof(gql_duplicate_t));

    if (next == NULL || duplicate == NULL) {
        gql_validation_nomem(v);
        return;
    }

    for (i = 0; i < n; i++) {
        entry = gql_names_add(&names, items[i].name);
        if (entry == NULL) {
            gql_validation_nomem(v);
            return;
        }

        if (duplicate[entry->id].count++ == 0) {
            duplicate[entry->id].first = i;

        } else {
            next[duplicate[entry->id].last] = i;
        }

        duplicate[entry->id].last = i;
    }

    for (i = 0; i < names.count && !v->stopped; i++) {
        if (duplicate[i].count > 1) {
            gql_duplicates_report_one(v, items, next, &duplicate[i], prefix);
        }
    }
}


static void
gql_duplicates_report_one(gql_validation_t *v, const gql_named_t *items,
    const uint32_t *next, const gql_duplicate_t *duplicate,
    const char *prefix)
{
    uint32_t      i, item, *offsets;
    prompt_str_t  name;

    offsets = prompt_arena_array(v->arena, duplicate->count, sizeof(uint32_t));
    if (offsets == NULL) {
        gql_validation_nomem(v);
        return;
    }

    item = duplicate->first;

    for (i = 0; i < duplicate->count; i++) {
        offsets[i] = items[item].offset;
        item = next[item];
    }

    name = items[duplicate->first].name;

    gql_refuse(v, offsets, duplicate->count, "%s%.*s\".", prefix,
               gql_error_arg(name));
}


uint32_t
gql_variable_name_offset(const gql_validation_t *v,
    const gql_value_t *variable)
{
    /* "$", ignored characters, the name: the name is what text views */

    return (uint32_t) (variable->text.data - v->document->source.data);
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
gql_suggest_inputs(gql_validation_t *v, prompt_str_t input,
    const gql_input_value_t *inputs, uint32_t n)
{
    uint32_t       i;
    prompt_str_t  *names;

    names = prompt_arena_array(v->arena, n, sizeof(prompt_str_t));
    if (names == NULL) {
        gql_validation_nomem(v);
        return prompt_str("");
    }

    for (i = 0; i < n; i++) {
        names[i] = inputs[i].name;
    }

    return gql_did_you_mean(v->errors, v->arena, prompt_str_absent, input,
                            names, n);
}


prompt_str_t
gql_suggest_fields(gql_validation_t *v, prompt_str_t input,
    const gql_field_def_t *fields, uint32_t n)
{
    uint32_t       i;
    prompt_str_t  *names;

    names = prompt_arena_array(v->arena, n, sizeof(prompt_str_t));
    if (names == NULL) {
        gql_validation_nomem(v);
        return prompt_str("");
    }

    for (i = 0; i < n; i++) {
        names[i] = fields[i].name;
    }

    return gql_did_you_mean(v->errors, v->arena, prompt_str_absent, input,
                            names, n);
}
