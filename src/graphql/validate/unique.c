/*
 * Names that are there more than once, found and reported.
 *
 * graphql-js reports them in two ways: most rules report a name where it comes
 * again, with the place where it was first (gql_unique_first()); rules on
 * lists report each name once, with all its places (gql_refuse_duplicates()).
 */

#include "graphql/validate/validate_impl.h"


/* so many names are compared each with each before a table is worth it */
#define GQL_NAMES_FEW  16


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
static bool duplicates_differ(const gql_validation_t *v,
    const gql_list_t *list);
static void duplicates_report(gql_validation_t *v,
    const gql_name_entry_t *entry, const char *what);


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

    entry = gql_validation_name(v, &unique->names, name);
    if (entry == NULL) {
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


/* a variable's definition, or an argument */
static void
duplicate_set(const gql_validation_t *v, duplicate_t *item,
    const gql_node_t *node)
{
    const gql_name_t   *name;
    const gql_value_t  *variable;

    if (node->kind != GQL_VARIABLE_DEFINITION) {
        name = ((const gql_argument_t *) node)->name;
        item->name = name->value;
        item->offset = name->node.start;
        return;
    }

    /* "$", ignored characters, the name: the name is what text views */

    variable = ((const gql_variable_definition_t *) node)->variable;
    item->name = variable->text;
    item->offset = (uint32_t) (variable->text.data - v->document->source.data);
}


/* whether a list is short, and certainly has no name twice */
static bool
duplicates_differ(const gql_validation_t *v, const gql_list_t *list)
{
    uint32_t           i, n;
    duplicate_t        item;
    prompt_str_t       names[GQL_NAMES_FEW];
    const gql_node_t  *node;

    if (list->count > GQL_NAMES_FEW) {
        return false;
    }

    n = 0;

    gql_list_each(node, list) {
        duplicate_set(v, &item, node);

        for (i = 0; i < n; i++) {
            if (prompt_str_eq(names[i], item.name)) {
                return false;
            }
        }

        names[n++] = item.name;
    }

    return true;
}


void
gql_refuse_duplicates(gql_validation_t *v, const gql_list_t *list,
    const char *what)
{
    duplicate_t       *item, *first;
    gql_names_t        names;
    const gql_node_t  *node;
    gql_name_entry_t  *entry;

    if (list->count < 2 || duplicates_differ(v, list)) {
        return;
    }

    item = gql_validation_array(v, list->count, sizeof(duplicate_t));
    if (item == NULL) {
        return;
    }

    gql_names_init(&names, v->arena);

    /* those of the same name together, and counted */

    gql_list_each(node, list) {
        duplicate_set(v, item, node);

        entry = gql_validation_name(v, &names, item->name);
        if (entry == NULL) {
            return;
        }

        if (entry->mark++ == 0) {
            entry->value = item;

        } else {
            first = entry->value;
            first->last->same = item;
        }

        first = entry->value;
        first->last = item++;
    }

    /* in the order of their first places */

    for (entry = names.first;
         entry != NULL && !v->stopped;
         entry = entry->next)
    {
        if (entry->mark > 1) {
            duplicates_report(v, entry, what);
        }
    }
}


static void
duplicates_report(gql_validation_t *v, const gql_name_entry_t *entry,
    const char *what)
{
    uint32_t            n, *offsets;
    const duplicate_t  *item;

    offsets = gql_validation_array(v, entry->mark, sizeof(uint32_t));
    if (offsets == NULL) {
        return;
    }

    n = 0;

    for (item = entry->value; item != NULL; item = item->same) {
        offsets[n++] = item->offset;
    }

    gql_refuse(v, offsets, n, "There can be only one %s%.*s\".", what,
               gql_error_arg(entry->name));
}
