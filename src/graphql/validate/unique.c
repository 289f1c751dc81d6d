/*
 * Names that are there more than once, found and reported.
 *
 * graphql-js reports them in two ways: most rules report a name where it comes
 * again, with the place where it was first (gql_unique_first()); rules on
 * lists report each name once, with all its places (gql_refuse_duplicates()).
 */

#include "graphql/validate/validate_impl.h"


/* so many names are compared each with each before a table is worth it */
#define GQL_DUPLICATES_SMALL  8


/* a name in a list, and where it stands */
typedef struct duplicate_s  duplicate_t;

struct duplicate_s {
    prompt_str_t   name;
    uint32_t       offset;
    duplicate_t   *same;             /* the next of that name */
    duplicate_t   *last;             /* of that name; of the first of them */
};


static void duplicate_set(const gql_validation_t *v, duplicate_t *item,
    const gql_node_t *node);
static bool duplicates_any(const duplicate_t *items, uint32_t n);
static void duplicates_report(gql_validation_t *v, duplicate_t *items,
    uint32_t n, const prompt_str_t *words, size_t nwords);
static void duplicates_report_one(gql_validation_t *v,
    const duplicate_t *first, uint32_t count, const prompt_str_t *words,
    size_t nwords);


bool
gql_unique_init(gql_validation_t *v, void *state)
{
    gql_unique_t  *unique;

    unique = state;

    gql_names_init(&unique->names, v->arena);
    gql_memo_init(&unique->first, v->arena);

    return true;
}


const gql_node_t *
gql_unique_first(gql_validation_t *v, gql_unique_t *unique, uint32_t place,
    prompt_str_t name, const gql_node_t *node)
{
    uint64_t           key;
    uintptr_t          first;
    gql_name_entry_t  *entry;

    entry = gql_names_add(&unique->names, name);
    if (entry == NULL) {
        gql_validation_nomem(v);
        return NULL;
    }

    /* one place alone needs no pairs */

    if (place == 0) {
        first = (uintptr_t) entry->value;

        if (first == 0) {
            entry->value = (void *) (uintptr_t) node;
        }

        return (const gql_node_t *) first;
    }

    key = gql_memo_pair(place, entry->id);
    first = gql_memo_get(&unique->first, key);

    if (first == 0 && !gql_memo_put(&unique->first, key, (uintptr_t) node)) {
        gql_validation_nomem(v);
    }

    return (const gql_node_t *) first;
}


uint32_t
gql_unique_type(gql_validation_t *v, const gql_type_definition_t *part)
{
    gql_name_entry_t  *entry;

    entry = gql_names_add(&v->parts, part->name->value);
    if (entry == NULL) {
        gql_validation_nomem(v);
        return 0;
    }

    if (entry->value == NULL) {
        entry->value = (void *) (uintptr_t) part;
    }

    return ((const gql_type_definition_t *) entry->value)->node.start;
}


const gql_name_t *
gql_name_of(const gql_node_t *node)
{
    switch (node->kind) {

    case GQL_ARGUMENT:
        return ((const gql_argument_t *) node)->name;

    case GQL_FIELD_DEFINITION:
        return ((const gql_field_definition_t *) node)->name;

    case GQL_ENUM_VALUE_DEFINITION:
        return ((const gql_enum_value_definition_t *) node)->name;

    default: /* GQL_INPUT_VALUE_DEFINITION */
        return ((const gql_input_value_definition_t *) node)->name;
    }
}


/* variables, arguments, or their definitions */
static void
duplicate_set(const gql_validation_t *v, duplicate_t *item,
    const gql_node_t *node)
{
    const gql_name_t   *name;
    const gql_value_t  *variable;

    if (node->kind != GQL_VARIABLE_DEFINITION) {
        name = gql_name_of(node);
        item->name = name->value;
        item->offset = name->node.start;
        return;
    }

    /* "$", ignored characters, the name: the name is what text views */

    variable = ((const gql_variable_definition_t *) node)->variable;
    item->name = variable->text;
    item->offset = (uint32_t) (variable->text.data - v->document->source.data);
}


void
gql_refuse_duplicates(gql_validation_t *v, const gql_list_t *list,
    const prompt_str_t *words, size_t nwords)
{
    uint32_t           n;
    duplicate_t       *items, small[GQL_DUPLICATES_SMALL];
    const gql_node_t  *node;

    if (list->count < 2) {
        return;
    }

    items = small;

    if (list->count > GQL_DUPLICATES_SMALL) {
        items = prompt_arena_array(v->arena, list->count, sizeof(duplicate_t));
        if (items == NULL) {
            gql_validation_nomem(v);
            return;
        }
    }

    n = 0;

    gql_list_each(node, list) {
        duplicate_set(v, &items[n++], node);
    }

    if (n > GQL_DUPLICATES_SMALL || duplicates_any(items, n)) {
        duplicates_report(v, items, n, words, nwords);
    }
}


static bool
duplicates_any(const duplicate_t *items, uint32_t n)
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
duplicates_report(gql_validation_t *v, duplicate_t *items, uint32_t n,
    const prompt_str_t *words, size_t nwords)
{
    uint32_t           i;
    duplicate_t       *first;
    gql_names_t        names;
    gql_name_entry_t  *entry;

    gql_names_init(&names, v->arena);

    for (i = 0; i < n; i++) {
        entry = gql_names_add(&names, items[i].name);
        if (entry == NULL) {
            gql_validation_nomem(v);
            return;
        }

        if (entry->mark++ == 0) {
            entry->value = &items[i];

        } else {
            first = entry->value;
            first->last->same = &items[i];
        }

        first = entry->value;
        first->last = &items[i];
        items[i].same = NULL;
    }

    for (entry = names.first; entry != NULL; entry = entry->next) {
        if (entry->mark > 1) {
            duplicates_report_one(v, entry->value, entry->mark, words, nwords);
        }

        if (v->stopped) {
            break;
        }
    }
}


static void
duplicates_report_one(gql_validation_t *v, const duplicate_t *first,
    uint32_t count, const prompt_str_t *words, size_t nwords)
{
    size_t              i;
    uint32_t            n, *offsets;
    prompt_str_t        pieces[8];
    const duplicate_t  *item;

    offsets = prompt_arena_array(v->arena, count, sizeof(uint32_t));
    if (offsets == NULL) {
        gql_validation_nomem(v);
        return;
    }

    n = 0;

    for (item = first; item != NULL; item = item->same) {
        offsets[n++] = item->offset;
    }

    for (i = 0; i < nwords - 1; i++) {
        pieces[i] = words[i];
    }

    pieces[nwords - 1] = first->name;
    pieces[nwords] = words[nwords - 1];

    gql_refuse_pieces(v, offsets, count, pieces, nwords + 1);
}
