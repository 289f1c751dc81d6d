/*
 * Schema: look-ups by name and relations between types.
 *
 * Nothing here allocates, but gql_schema_type_from_ast(), which has to make
 * the wrappers that a document writes.
 */

#include "graphql/types/schema.h"

#include "base/bisect.h"


static const void *
gql_index_get(const gql_index_t *index, prompt_str_t name)
{
    uint32_t  low, high, middle;

    low = 0;
    high = index->count;
    prompt_bisect(low, high, middle,
                  gql_index_compare(*index->names[middle], name) < 0);

    return low < index->count && prompt_str_eq(*index->names[low], name)
           ? index->names[low] : NULL;
}


const gql_type_t *
gql_schema_type(const gql_schema_t *schema, prompt_str_t name)
{
    return gql_index_get(&schema->by_name, name);
}


const gql_directive_def_t *
gql_schema_directive(const gql_schema_t *schema, prompt_str_t name)
{
    return gql_index_get(&schema->directives_by_name, name);
}


gql_field_def_t *
gql_type_field(const gql_type_t *type, prompt_str_t name)
{
    if (type->kind != GQL_TYPE_OBJECT && type->kind != GQL_TYPE_INTERFACE) {
        return NULL;
    }

    return (gql_field_def_t *) (uintptr_t) gql_index_get(&type->by_name, name);
}


const gql_input_value_t *
gql_type_input_field(const gql_type_t *type, prompt_str_t name)
{
    return type->kind == GQL_TYPE_INPUT_OBJECT
           ? gql_index_get(&type->by_name, name) : NULL;
}


const gql_enum_value_t *
gql_type_enum_value(const gql_type_t *type, prompt_str_t name)
{
    return type->kind == GQL_TYPE_ENUM
           ? gql_index_get(&type->by_name, name) : NULL;
}


const gql_field_def_t *
gql_schema_field(const gql_schema_t *schema, const gql_type_t *parent,
    prompt_str_t name)
{
    if (name.len > 2 && name.data[0] == '_' && name.data[1] == '_') {

        if (parent == schema->query) {
            if (prompt_str_eq(name, schema->schema_field->name)) {
                return schema->schema_field;
            }

            if (prompt_str_eq(name, schema->type_field->name)) {
                return schema->type_field;
            }
        }

        if (gql_type_is_composite(parent)
            && prompt_str_eq(name, schema->typename_field->name))
        {
            return schema->typename_field;
        }
    }

    return gql_type_field(parent, name);
}


const gql_type_t *
gql_schema_root(const gql_schema_t *schema, gql_operation_type_t operation)
{
    switch (operation) {

    case GQL_QUERY:
        return schema->query;

    case GQL_MUTATION:
        return schema->mutation;

    case GQL_SUBSCRIPTION:
        return schema->subscription;
    }

    return NULL;
}


/* the printed length of a type, and how many wrappers are around its name */
static size_t
gql_type_text_len(const gql_type_node_t *node, size_t *wrappers)
{
    size_t  len, n;

    len = 0;

    for (n = 0; node->node.kind != GQL_NAMED_TYPE; n++) {
        len += node->node.kind == GQL_LIST_TYPE ? 2 : 1;
        node = node->of;
    }

    *wrappers = n;

    return len + node->name->value.len;
}


/* fills text, of exactly len bytes, from both ends: "[" … "]", … "!" */
static void
gql_type_text_fill(char *text, size_t len, const gql_type_node_t *node)
{
    char  *end;

    end = text + len;

    while (node->node.kind != GQL_NAMED_TYPE) {

        if (node->node.kind == GQL_LIST_TYPE) {
            *text++ = '[';
            *--end = ']';

        } else {
            *--end = '!';
        }

        node = node->of;
    }

    memcpy(text, node->name->value.data, node->name->value.len);
}


/*
 * All wrappers of one use share one text: that of what is inside is a part of
 * it, so that a type nested n times costs n, not n squared.
 */
const gql_type_ref_t *
gql_type_ref_make(prompt_arena_t *arena, const gql_type_t *type,
    const gql_type_node_t *node)
{
    char            *text;
    size_t           i, n, len;
    gql_type_ref_t  *refs;

    len = gql_type_text_len(node, &n);

    if (n == 0) {
        return &type->ref;
    }

    refs = prompt_arena_array(arena, n, sizeof(gql_type_ref_t));
    text = prompt_arena_alloc(arena, len);
    if (refs == NULL || text == NULL) {
        return NULL;
    }

    gql_type_text_fill(text, len, node);

    for (i = 0; i < n; i++, node = node->of) {
        refs[i].of = i + 1 < n ? &refs[i + 1] : &type->ref;
        refs[i].text = prompt_str_of(text, len);

        if (node->node.kind == GQL_LIST_TYPE) {
            refs[i].kind = GQL_REF_LIST;
            text++;
            len -= 2;

        } else {
            refs[i].kind = GQL_REF_NON_NULL;
            len--;
        }
    }

    return refs;
}


const gql_type_ref_t *
gql_schema_type_from_ast(const gql_schema_t *schema, prompt_arena_t *arena,
    const gql_type_node_t *node)
{
    const gql_type_t  *type;

    type = gql_schema_type(schema, gql_type_node_name(node));
    if (type == NULL) {
        return NULL;
    }

    return gql_type_ref_make(arena, type, node);
}


bool
gql_type_is_sub_type(const gql_type_t *abstract, const gql_type_t *sub)
{
    uint32_t  i;

    if (abstract->kind == GQL_TYPE_UNION) {
        return gql_index_get(&abstract->by_name, sub->name) != NULL;
    }

    if (abstract->kind == GQL_TYPE_INTERFACE) {
        for (i = 0; i < sub->ninterfaces; i++) {
            if (sub->interfaces[i] == abstract) {
                return true;
            }
        }
    }

    return false;
}


bool
gql_schema_applies(const gql_schema_t *schema,
    const gql_type_node_t *condition, const gql_type_t *type)
{
    const gql_type_t  *wanted;

    if (condition == NULL) {
        return true;
    }

    wanted = gql_schema_type(schema, condition->name->value);

    return wanted == type
           || (wanted != NULL && gql_type_is_abstract(wanted)
               && gql_type_is_sub_type(wanted, type));
}


bool
gql_types_overlap(const gql_type_t *a, const gql_type_t *b)
{
    uint32_t           i;
    const gql_type_t  *t;

    if (a == b) {
        return true;
    }

    if (!gql_type_is_abstract(a)) {
        t = a;
        a = b;
        b = t;
    }

    if (!gql_type_is_abstract(a)) {
        return false;
    }

    if (!gql_type_is_abstract(b)) {
        return gql_type_is_sub_type(a, b);
    }

    if (b->npossible < a->npossible) {
        t = a;
        a = b;
        b = t;
    }

    for (i = 0; i < a->npossible; i++) {
        if (gql_type_is_sub_type(b, a->possible[i])) {
            return true;
        }
    }

    return false;
}
