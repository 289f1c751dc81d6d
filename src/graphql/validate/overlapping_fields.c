/*
 * Fields of selection sets, as OverlappingFieldsCanBeMerged compares them:
 * grouped by response key, each set once.  Arguments are compared by numbers:
 * values that are the same have the same one, however large they are.
 */

#include <stdlib.h>

#include "base/bisect.h"
#include "graphql/validate/overlapping_impl.h"


/* a value while it is written as text */
typedef struct {
    gql_overlap_t  *o;
    prompt_buf_t    buf;
    unsigned        depth;
} overlap_text_t;


static bool overlap_collect_into(gql_overlap_t *o, gql_overlap_set_t *set,
    const gql_type_t *type, const gql_selection_set_t *selections);
static bool overlap_collect_field(gql_overlap_t *o, gql_overlap_set_t *set,
    const gql_type_t *type, const gql_field_t *node);
static bool overlap_collect_spread(gql_overlap_t *o, gql_overlap_set_t *set,
    const gql_fragment_spread_t *spread);
static gql_overlap_group_t *overlap_group(gql_overlap_t *o,
    gql_overlap_set_t *set, prompt_str_t key);
static bool overlap_index(gql_overlap_t *o, gql_overlap_set_t *set);
static uint32_t overlap_slot(uint32_t id, uint32_t mask);
static int overlap_argument_compare(const void *a, const void *b);
static bool overlap_value_id(gql_overlap_t *o, const gql_value_t *value,
    uint32_t *id);
static void overlap_text(overlap_text_t *t, const gql_value_t *value);
static void overlap_text_object(overlap_text_t *t, const gql_value_t *value);
static void overlap_text_str(overlap_text_t *t, char kind, prompt_str_t s);


gql_overlap_set_t *
gql_overlap_collect(gql_overlap_t *o, const gql_type_t *type,
    const gql_selection_set_t *set)
{
    gql_overlap_set_t  *made, *known;

    known = gql_memo_find(&o->sets, set);

    for (made = known; made != NULL; made = made->next) {
        if (made->type == type) {
            return made;
        }
    }

    made = gql_validation_array(o->v, 1, sizeof(gql_overlap_set_t));
    if (made == NULL) {
        return NULL;
    }

    made->id = ++o->nsets;
    made->type = type;
    made->next = known;

    return overlap_collect_into(o, made, type, set)
           && gql_validation_put(o->v, &o->sets, set, made) ? made : NULL;
}


gql_overlap_set_t *
gql_overlap_collect_fragment(gql_overlap_t *o, gql_fragment_t *fragment)
{
    return gql_overlap_collect(o, fragment->type,
                               fragment->definition->selection_set);
}


static bool
overlap_collect_into(gql_overlap_t *o, gql_overlap_set_t *set,
    const gql_type_t *type, const gql_selection_set_t *selections)
{
    bool                    ok;
    const gql_node_t       *node;
    const gql_type_t       *inner;
    const gql_type_node_t  *condition;

    if (!gql_descend(o->v, 1)) {
        return false;
    }

    ok = true;

    gql_list_each(node, &selections->selections) {
        o->v->steps++;

        switch (node->kind) {

        case GQL_FIELD:
            ok = overlap_collect_field(o, set, type,
                                       (const gql_field_t *) node);
            break;

        case GQL_FRAGMENT_SPREAD:
            ok = overlap_collect_spread(o, set,
                                        (const gql_fragment_spread_t *) node);
            break;

        default:

            /* of the same level; those of an unknown type are of no type */

            condition = gql_selection_condition(node);
            inner = condition != NULL
                    ? gql_schema_type(o->v->schema, condition->name->value)
                    : type;
            ok = overlap_collect_into(o, set, inner,
                                      gql_node_selection_set(node));
            break;
        }

        if (!ok) {
            break;
        }
    }

    o->v->depth--;

    return ok;
}


static bool
overlap_collect_field(gql_overlap_t *o, gql_overlap_set_t *set,
    const gql_type_t *type, const gql_field_t *node)
{
    gql_overlap_field_t  *field;
    gql_overlap_group_t  *group;

    group = overlap_group(o, set, gql_field_key(node));
    field = gql_validation_array(o->v, 1, sizeof(gql_overlap_field_t));

    if (group == NULL || field == NULL) {
        return false;
    }

    field->node = node;
    field->parent_type = type;
    field->simple = node->arguments.count == 0 && node->selection_set == NULL;

    if (type != NULL) {
        field->def = gql_type_field(type, node->name->value);
    }

    prompt_link(group, field, next);

    return true;
}


/* each fragment once */
static bool
overlap_collect_spread(gql_overlap_t *o, gql_overlap_set_t *set,
    const gql_fragment_spread_t *spread)
{
    gql_fragment_t  *fragment;

    fragment = gql_fragment_of(o->v, spread->fragment);

    /* a set is one of this run: the rule may be asked for more than once */

    if (fragment->collected == set) {
        return true;
    }

    fragment->collected = set;
    set->fragments = gql_validation_room(o->v, set->fragments, set->nfragments,
                                         sizeof(gql_fragment_t *));
    if (set->fragments == NULL) {
        return false;
    }

    set->fragments[set->nfragments++] = fragment;

    return true;
}


/* the group of a key, made where there is none; NULL: the run is stopped */
static gql_overlap_group_t *
overlap_group(gql_overlap_t *o, gql_overlap_set_t *set, prompt_str_t key)
{
    gql_name_entry_t     *entry;
    gql_overlap_group_t  *group;

    entry = gql_validation_name(o->v, &o->keys, key);
    if (entry == NULL) {
        return NULL;
    }

    if (entry->mark == set->id) {
        return entry->value;
    }

    group = gql_validation_array(o->v, 1, sizeof(gql_overlap_group_t));
    if (group == NULL) {
        return NULL;
    }

    group->key = key;
    group->id = entry->id;

    entry->mark = set->id;
    entry->value = group;

    prompt_link(set, group, next);
    set->ngroups++;

    return group;
}


bool
gql_overlap_find(gql_overlap_t *o, gql_overlap_set_t *set, uint32_t id,
    gql_overlap_group_t **group)
{
    uint32_t  i;

    *group = NULL;

    if (set->ngroups == 0) {
        return true;
    }

    if (set->table == NULL && !overlap_index(o, set)) {
        return false;
    }

    for (i = overlap_slot(id, set->mask);
         set->table[i] != NULL;
         i = (i + 1) & set->mask)
    {
        if (set->table[i]->id == id) {
            *group = set->table[i];
            break;
        }
    }

    return true;
}


/* at most half full */
static bool
overlap_index(gql_overlap_t *o, gql_overlap_set_t *set)
{
    uint32_t              i, n;
    gql_overlap_group_t  *group;

    for (n = 4; n < set->ngroups * 2; n *= 2) {
        /* void */
    }

    set->table = gql_validation_array(o->v, n, sizeof(gql_overlap_group_t *));
    if (set->table == NULL) {
        return false;
    }

    set->mask = n - 1;

    for (group = set->first; group != NULL; group = group->next) {
        for (i = overlap_slot(group->id, set->mask);
             set->table[i] != NULL;
             i = (i + 1) & set->mask)
        {
            /* void */
        }

        set->table[i] = group;
    }

    return true;
}


/* ids are dense, but those of one set may be any of them */
static uint32_t
overlap_slot(uint32_t id, uint32_t mask)
{
    return (id * 0x9e3779b1u ^ id >> 7) & mask;
}


bool
gql_overlap_arguments(gql_overlap_t *o, gql_overlap_field_t *field)
{
    uint32_t               i, k, n;
    const gql_argument_t  *argument;

    if (field->has_arguments) {
        return true;
    }

    n = field->node->arguments.count;

    field->arguments = gql_validation_array(o->v, n,
                                            sizeof(gql_overlap_argument_t));
    field->sorted = gql_validation_array(o->v, n,
                                         sizeof(gql_overlap_argument_t));

    if (field->arguments == NULL || field->sorted == NULL) {
        return false;
    }

    i = 0;

    gql_list_each(argument, &field->node->arguments) {
        field->arguments[i].name = argument->name->value;

        if (!overlap_value_id(o, argument->value, &field->arguments[i].value))
        {
            return false;
        }

        i++;
    }

    field->has_arguments = true;

    memcpy(field->sorted, field->arguments,
           n * sizeof(gql_overlap_argument_t));
    qsort(field->sorted, n, sizeof(gql_overlap_argument_t),
          overlap_argument_compare);

    /* of the same name, which are in their order, the last one stays */

    k = 0;

    for (i = 1; i < n; i++) {
        if (!prompt_str_eq(field->sorted[i].name, field->sorted[k].name)) {
            k++;
        }

        field->sorted[k] = field->sorted[i];
    }

    field->nsorted = k + 1;

    return true;
}


/* names are views of the source: of the same name the first stands before */
static int
overlap_argument_compare(const void *a, const void *b)
{
    int                            rc;
    const gql_overlap_argument_t  *first, *second;

    first = a;
    second = b;

    rc = prompt_str_cmp(first->name, second->name);
    if (rc != 0) {
        return rc;
    }

    return first->name.data < second->name.data
           ? -1 : first->name.data > second->name.data;
}


const gql_overlap_argument_t *
gql_overlap_argument(const gql_overlap_field_t *field, prompt_str_t name)
{
    uint32_t  low, high, middle;

    low = 0;
    high = field->nsorted;
    prompt_bisect(low, high, middle,
                  prompt_str_cmp(field->sorted[middle].name, name) < 0);

    return low < field->nsorted && prompt_str_eq(field->sorted[low].name, name)
           ? &field->sorted[low] : NULL;
}


static bool
overlap_value_id(gql_overlap_t *o, const gql_value_t *value, uint32_t *id)
{
    uintptr_t          known;
    prompt_str_t       text;
    overlap_text_t     t;
    gql_name_entry_t  *entry;

    known = gql_memo_get(&o->value_ids, gql_memo_address(value));
    if (known != 0) {
        *id = (uint32_t) (known - 1);
        return true;
    }

    t.o = o;
    t.depth = 0;

    /* a few bytes for each token, and the tokens' own */

    prompt_buf_init(&t.buf, o->v->document->source.len * 16 + 64);
    overlap_text(&t, value);

    text = prompt_str_absent;
    entry = NULL;

    if (t.buf.status == PROMPT_BUF_OK) {
        entry = gql_names_find(&o->values, prompt_buf_view(&t.buf));

        if (entry == NULL) {
            text = prompt_arena_copy(o->v->arena, prompt_buf_view(&t.buf));
        }
    }

    prompt_buf_free(&t.buf);

    if (text.data != NULL) {
        entry = gql_names_add(&o->values, text);
    }

    if (entry == NULL
        || !gql_memo_put(&o->value_ids, gql_memo_address(value),
                         (uintptr_t) entry->id + 1))
    {
        gql_validation_nomem(o->v);
        return false;
    }

    *id = entry->id;

    return true;
}


/*
 * Text that is the same for values that are the same, whatever the order of
 * their fields, and for no others: kind, length, bytes; or kind, count, items.
 */
static void
overlap_text(overlap_text_t *t, const gql_value_t *value)
{
    const gql_value_t  *item;

    if (t->depth >= GQL_VISIT_MAX_DEPTH) {
        t->buf.status = PROMPT_BUF_LIMIT;
        return;
    }

    t->depth++;

    switch (value->node.kind) {

    case GQL_VARIABLE:
        overlap_text_str(t, '$', value->text);
        break;

    case GQL_INT:
        overlap_text_str(t, 'i', value->text);
        break;

    case GQL_FLOAT:
        overlap_text_str(t, 'f', value->text);
        break;

    case GQL_STRING:
        overlap_text_str(t, value->block ? 'b' : 's', value->text);
        break;

    case GQL_ENUM:
        overlap_text_str(t, 'e', value->text);
        break;

    case GQL_BOOLEAN:
        prompt_buf_char(&t->buf, value->boolean ? 'T' : 'F');
        break;

    case GQL_LIST:
        prompt_buf_char(&t->buf, '[');
        prompt_buf_int(&t->buf, value->items.count);

        gql_list_each(item, &value->items) {
            overlap_text(t, item);
        }

        break;

    case GQL_OBJECT:
        overlap_text_object(t, value);
        break;

    default: /* GQL_NULL */
        prompt_buf_char(&t->buf, 'n');
        break;
    }

    t->depth--;
}


static void
overlap_text_object(overlap_text_t *t, const gql_value_t *value)
{
    uint32_t                     i;
    gql_overlap_argument_t      *fields;
    const gql_object_field_t    *field;

    fields = prompt_arena_array(t->o->v->arena, value->items.count,
                                sizeof(gql_overlap_argument_t));
    if (fields == NULL) {
        t->buf.status = PROMPT_BUF_NOMEM;
        return;
    }

    i = 0;

    gql_list_each(field, &value->items) {
        fields[i].name = field->name->value;
        fields[i++].node = field->value;
    }

    if (i > 1) {
        qsort(fields, i, sizeof(gql_overlap_argument_t),
              overlap_argument_compare);
    }

    prompt_buf_char(&t->buf, '{');
    prompt_buf_int(&t->buf, value->items.count);

    for (i = 0; i < value->items.count; i++) {
        overlap_text_str(t, ':', fields[i].name);
        overlap_text(t, fields[i].node);
    }
}


static void
overlap_text_str(overlap_text_t *t, char kind, prompt_str_t s)
{
    prompt_buf_char(&t->buf, kind);
    prompt_buf_int(&t->buf, (int64_t) s.len);
    prompt_buf_char(&t->buf, ' ');
    prompt_buf_str(&t->buf, s);
}
