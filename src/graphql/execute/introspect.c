/*
 * Introspection: the fields of __Schema, __Type and the others, resolved from
 * the type system as graphql-js resolves them.
 *
 * Parents are the things themselves: a gql_schema_t, a gql_type_ref_t for
 * __Type (wrappers are types here), and so on.  A list points into the type
 * system, too, unless deprecated members have to be left out.
 */

#include "graphql/execute/introspect_impl.h"
#include "graphql/values/inspect.h"
#include "graphql/values/values.h"


/* bytes of one printed default value */
#define GQL_INTROSPECT_MAX_DEFAULT  (16 * 1024 * 1024)


void
gql_introspect_string(gql_introspect_t *in, prompt_str_t s)
{
    if (s.data != NULL) {
        in->out->kind = GQL_RESULT_STRING;
        in->out->u.text = s;
    }
}


void
gql_introspect_boolean(gql_introspect_t *in, bool value)
{
    in->out->kind = GQL_RESULT_BOOLEAN;
    in->out->u.boolean = value;
}


void
gql_introspect_object(gql_introspect_t *in, const void *object)
{
    if (object != NULL) {
        in->out->kind = GQL_RESULT_OBJECT;
        in->out->u.object.handle = (void *) object;
        in->out->u.object.type = NULL;
    }
}


static void
gql_introspect_type(gql_introspect_t *in, const gql_type_t *type)
{
    if (type != NULL) {
        gql_introspect_object(in, &type->ref);
    }
}


static void
gql_introspect_nomem(gql_introspect_t *in)
{
    in->out->kind = GQL_RESULT_ERROR;
    in->out->u.error = gql_execution_error(in->execution, prompt_str_absent,
                                           prompt_str_absent,
                                           "Memory is short.");
}


void
gql_introspect_list(gql_introspect_t *in, gql_introspect_kind_t kind,
    const void *base, size_t size, uint32_t count)
{
    gql_introspect_list_t  *list;

    list = prompt_arena_alloc(gql_execution_arena(in->execution),
                              sizeof(gql_introspect_list_t));
    if (list == NULL) {
        gql_introspect_nomem(in);
        return;
    }

    list->kind = kind;
    list->base = base;
    list->size = size;

    in->out->kind = GQL_RESULT_LIST;
    in->out->u.list.handle = list;
    in->out->u.list.count = count;
}


static bool
gql_introspect_include_deprecated(gql_introspect_t *in)
{
    const prompt_json_t  *value;

    value = prompt_json_get(in->arguments, prompt_str("includeDeprecated"));

    return value != NULL && value->type == PROMPT_JSON_BOOLEAN
           && value->boolean;
}


void
gql_introspect_members(gql_introspect_t *in, const void *base, size_t size,
    size_t reason, uint32_t count)
{
    uint32_t             i, kept;
    const char          *member;
    const void         **members;
    const prompt_str_t  *text;

    kept = 0;

    for (i = 0; i < count; i++) {
        text = (const void *) ((const char *) base + i * size + reason);
        kept += text->data == NULL;
    }

    if (kept == count || gql_introspect_include_deprecated(in)) {
        gql_introspect_list(in, GQL_INTROSPECT_OBJECTS, base, size, count);
        return;
    }

    members = prompt_arena_array(gql_execution_arena(in->execution), kept,
                                 sizeof(void *));
    if (members == NULL) {
        gql_introspect_nomem(in);
        return;
    }

    kept = 0;

    for (i = 0; i < count; i++) {
        member = (const char *) base + i * size;
        text = (const void *) (member + reason);

        if (text->data == NULL) {
            members[kept++] = member;
        }
    }

    gql_introspect_list(in, GQL_INTROSPECT_POINTERS, members, sizeof(void *),
                        kept);
}


void
gql_introspect_input_values(gql_introspect_t *in,
    const gql_input_value_t *values, uint32_t count)
{
    gql_introspect_members(in, values, sizeof(gql_input_value_t),
                           offsetof(gql_input_value_t, deprecation_reason),
                           count);
}


/* Fields that are members of their parents as they stand. */

static void
gql_introspect_text(gql_introspect_t *in, size_t offset)
{
    const char  *parent = in->parent;

    gql_introspect_string(in, *(const prompt_str_t *) (parent + offset));
}


/* isDeprecated: whether there is a reason */
static void
gql_introspect_has_text(gql_introspect_t *in, size_t offset)
{
    const char          *parent = in->parent;
    const prompt_str_t  *text;

    text = (const prompt_str_t *) (parent + offset);

    gql_introspect_boolean(in, text->data != NULL);
}


static void
gql_introspect_flag(gql_introspect_t *in, size_t offset)
{
    const char  *parent = in->parent;

    gql_introspect_boolean(in, *(const bool *) (parent + offset));
}


static void
gql_introspect_ref(gql_introspect_t *in, size_t offset)
{
    const char  *parent = in->parent;

    gql_introspect_object(in,
                          *(const gql_type_ref_t *const *) (parent + offset));
}


static void
gql_introspect_root_type(gql_introspect_t *in, size_t offset)
{
    const char  *parent = in->parent;

    gql_introspect_type(in, *(gql_type_t *const *) (parent + offset));
}


/* __Schema */

static void
gql_introspect_all_types(gql_introspect_t *in, size_t offset)
{
    const gql_schema_t  *schema = in->parent;

    (void) offset;

    gql_introspect_list(in, GQL_INTROSPECT_TYPES, schema->types,
                        sizeof(gql_type_t *), schema->ntypes);
}


static void
gql_introspect_all_directives(gql_introspect_t *in, size_t offset)
{
    const gql_schema_t  *schema = in->parent;

    (void) offset;

    /* none is deprecated: the grammar has no directives on them */

    gql_introspect_list(in, GQL_INTROSPECT_POINTERS, schema->directives,
                        sizeof(gql_directive_def_t *), schema->ndirectives);
}


/* __Field */

static void
gql_introspect_field_args(gql_introspect_t *in, size_t offset)
{
    const gql_field_def_t  *field = in->parent;

    (void) offset;

    gql_introspect_input_values(in, field->args, field->nargs);
}


/* __InputValue */

/* whether astFromValue() of graphql-js makes a literal of a leaf */
static bool
gql_introspect_leaf_has_literal(const prompt_json_t *value)
{
    double  number;

    return value->type != PROMPT_JSON_ARRAY
           && value->type != PROMPT_JSON_OBJECT
           && (value->type != PROMPT_JSON_NUMBER
               || prompt_json_double(value, &number));
}


/*
 * The first part of a default value that has no literal, and its type:
 * graphql-js cannot turn what a custom scalar makes of a list or an object
 * back into one, nor a number that is infinite to it.  The literal that the
 * value was made of bounds the depth.
 */
static const prompt_json_t *
gql_introspect_no_literal(const prompt_json_t *value,
    const gql_type_ref_t *ref, const gql_type_t **type)
{
    const prompt_json_t      *item, *found;
    const gql_input_value_t  *field;

    if (ref->kind == GQL_REF_NON_NULL) {
        ref = ref->of;
    }

    if (value->type == PROMPT_JSON_NULL) {
        return NULL;
    }

    if (ref->kind == GQL_REF_NAMED
        && ref->type->kind != GQL_TYPE_INPUT_OBJECT)
    {
        *type = ref->type;
        return gql_introspect_leaf_has_literal(value) ? NULL : value;
    }

    for (item = value->first; item != NULL; item = item->next) {

        if (ref->kind == GQL_REF_LIST) {
            found = gql_introspect_no_literal(item, ref->of, type);

        } else {
            field = gql_type_input_field(ref->type, item->name);
            found = field != NULL
                    ? gql_introspect_no_literal(item, field->type, type)
                    : NULL;
        }

        if (found != NULL) {
            return found;
        }
    }

    return NULL;
}


static void
gql_introspect_default_value(gql_introspect_t *in, size_t offset)
{
    bool                      printed;
    prompt_buf_t              buf;
    prompt_str_t              text;
    prompt_arena_t           *arena;
    const gql_type_t         *type;
    const prompt_json_t      *part;
    const gql_input_value_t  *value = in->parent;

    (void) offset;

    if (value->default_coerced == NULL) {
        return;
    }

    arena = gql_execution_arena(in->execution);
    type = NULL;

    part = gql_introspect_no_literal(value->default_coerced, value->type,
                                     &type);

    if (part != NULL) {
        text = gql_inspect(arena, part);

        in->out->kind = GQL_RESULT_ERROR;
        in->out->u.error = gql_execution_error(in->execution,
                               prompt_str_absent, prompt_str_absent,
                               type->scalar == GQL_SCALAR_FLOAT
                               ? "Float cannot represent non numeric value: "
                                 "%.*s"
                               : "Cannot convert value to AST: %.*s.",
                               prompt_str_arg(text));
        return;
    }

    prompt_buf_init(&buf, GQL_INTROSPECT_MAX_DEFAULT);

    printed = gql_print_value(&buf, value->default_coerced, value->type);
    text = prompt_arena_copy(arena, prompt_buf_view(&buf));

    if (buf.status != PROMPT_BUF_OK || text.data == NULL) {
        gql_introspect_nomem(in);

    } else if (printed) {
        gql_introspect_string(in, text);
    }

    prompt_buf_free(&buf);
}


/* __Directive */

static void
gql_introspect_locations(gql_introspect_t *in, size_t offset)
{
    const gql_directive_def_t  *directive = in->parent;

    (void) offset;

    gql_introspect_list(in, GQL_INTROSPECT_STRINGS, directive->location_names,
                        sizeof(prompt_str_t), directive->nlocations);
}


static void
gql_introspect_directive_args(gql_introspect_t *in, size_t offset)
{
    const gql_directive_def_t  *directive = in->parent;

    (void) offset;

    gql_introspect_input_values(in, directive->args, directive->nargs);
}


static void
gql_introspect_false(gql_introspect_t *in, size_t offset)
{
    (void) offset;

    gql_introspect_boolean(in, false);
}


static void
gql_introspect_null(gql_introspect_t *in, size_t offset)
{
    (void) offset;

    in->out->kind = GQL_RESULT_NULL;
}


static const gql_introspect_field_t  gql_introspect_schema[] = {
    gql_introspect_at("description", gql_introspect_text, gql_schema_t,
                      description),
    gql_introspect_by("types", gql_introspect_all_types),
    gql_introspect_at("queryType", gql_introspect_root_type, gql_schema_t,
                      query),
    gql_introspect_at("mutationType", gql_introspect_root_type, gql_schema_t,
                      mutation),
    gql_introspect_at("subscriptionType", gql_introspect_root_type,
                      gql_schema_t, subscription),
    gql_introspect_by("directives", gql_introspect_all_directives),
    gql_introspect_end
};


static const gql_introspect_field_t  gql_introspect_fields[] = {
    gql_introspect_at("name", gql_introspect_text, gql_field_def_t, name),
    gql_introspect_at("description", gql_introspect_text, gql_field_def_t,
                      description),
    gql_introspect_by("args", gql_introspect_field_args),
    gql_introspect_at("type", gql_introspect_ref, gql_field_def_t, type),
    gql_introspect_at("isDeprecated", gql_introspect_has_text,
                      gql_field_def_t, deprecation_reason),
    gql_introspect_at("deprecationReason", gql_introspect_text,
                      gql_field_def_t, deprecation_reason),
    gql_introspect_end
};


static const gql_introspect_field_t  gql_introspect_values[] = {
    gql_introspect_at("name", gql_introspect_text, gql_input_value_t, name),
    gql_introspect_at("description", gql_introspect_text, gql_input_value_t,
                      description),
    gql_introspect_at("type", gql_introspect_ref, gql_input_value_t, type),
    gql_introspect_by("defaultValue", gql_introspect_default_value),
    gql_introspect_at("isDeprecated", gql_introspect_has_text,
                      gql_input_value_t, deprecation_reason),
    gql_introspect_at("deprecationReason", gql_introspect_text,
                      gql_input_value_t, deprecation_reason),
    gql_introspect_end
};


static const gql_introspect_field_t  gql_introspect_enum[] = {
    gql_introspect_at("name", gql_introspect_text, gql_enum_value_t, name),
    gql_introspect_at("description", gql_introspect_text, gql_enum_value_t,
                      description),
    gql_introspect_at("isDeprecated", gql_introspect_has_text,
                      gql_enum_value_t, deprecation_reason),
    gql_introspect_at("deprecationReason", gql_introspect_text,
                      gql_enum_value_t, deprecation_reason),
    gql_introspect_end
};


static const gql_introspect_field_t  gql_introspect_directive[] = {
    gql_introspect_at("name", gql_introspect_text, gql_directive_def_t, name),
    gql_introspect_at("description", gql_introspect_text, gql_directive_def_t,
                      description),
    gql_introspect_at("isRepeatable", gql_introspect_flag,
                      gql_directive_def_t, repeatable),
    gql_introspect_by("locations", gql_introspect_locations),
    gql_introspect_by("args", gql_introspect_directive_args),
    gql_introspect_by("isDeprecated", gql_introspect_false),
    gql_introspect_by("deprecationReason", gql_introspect_null),
    gql_introspect_end
};


static const struct {
    prompt_str_t                   type;
    const gql_introspect_field_t  *fields;
} gql_introspect_tables[] = {
    { prompt_str_init("__Type"), gql_introspect_types },
    { prompt_str_init("__Field"), gql_introspect_fields },
    { prompt_str_init("__InputValue"), gql_introspect_values },
    { prompt_str_init("__EnumValue"), gql_introspect_enum },
    { prompt_str_init("__Directive"), gql_introspect_directive },
    { prompt_str_init("__Schema"), gql_introspect_schema }
};


void
gql_introspect_root(gql_execution_t *execution, const gql_plan_field_t *field,
    const prompt_json_t *arguments, gql_result_t *out)
{
    gql_introspect_t      in;
    const gql_schema_t   *schema;
    const prompt_json_t  *name;

    in.execution = execution;
    in.parent = NULL;
    in.arguments = arguments;
    in.out = out;

    schema = gql_execution_plan(execution)->schema;

    if (field->def == schema->schema_field) {
        gql_introspect_object(&in, schema);
        return;
    }

    name = prompt_json_get(arguments, prompt_str("name"));

    if (name != NULL && name->type == PROMPT_JSON_STRING) {
        gql_introspect_type(&in, gql_schema_type(schema, name->text));
    }
}


const void *
gql_introspect_bind(const gql_field_def_t *def)
{
    size_t                         i;
    const gql_introspect_field_t  *entry;

    for (i = 0;
         i < sizeof(gql_introspect_tables) / sizeof(gql_introspect_tables[0]);
         i++)
    {
        if (!prompt_str_eq(def->parent->name, gql_introspect_tables[i].type)) {
            continue;
        }

        for (entry = gql_introspect_tables[i].fields;
             entry->resolve != NULL;
             entry++)
        {
            if (prompt_str_eq(def->name, entry->name)) {
                return entry;
            }
        }
    }

    return NULL;
}


void
gql_introspect_field(gql_execution_t *execution,
    const gql_plan_field_t *field, void *parent,
    const prompt_json_t *arguments, gql_result_t *out)
{
    gql_introspect_t               in;
    const gql_introspect_field_t  *entry;

    in.execution = execution;
    in.parent = parent;
    in.arguments = arguments;
    in.out = out;

    if (parent == NULL) {

        /* an object of the embedder's: nothing is known of it, no reason */

        if (prompt_str_eq(field->def->name, prompt_str("isDeprecated"))) {
            gql_introspect_boolean(&in, false);
        }

        return;
    }

    entry = field->introspect;

    if (entry != NULL) {
        entry->resolve(&in, entry->offset);
    }
}


void
gql_introspect_item(gql_execution_t *execution, const gql_plan_field_t *field,
    void *list, uint32_t index, gql_result_t *out)
{
    const char             *element;
    gql_introspect_t        in;
    gql_introspect_list_t  *items = list;

    (void) field;

    in.execution = execution;
    in.parent = NULL;
    in.arguments = NULL;
    in.out = out;

    element = items->base + (size_t) index * items->size;

    switch (items->kind) {

    case GQL_INTROSPECT_OBJECTS:
        gql_introspect_object(&in, element);
        break;

    case GQL_INTROSPECT_POINTERS:
        gql_introspect_object(&in, *(const void *const *) element);
        break;

    case GQL_INTROSPECT_TYPES:
        gql_introspect_type(&in, *(const gql_type_t *const *) element);
        break;

    case GQL_INTROSPECT_STRINGS:
        gql_introspect_string(&in, *(const prompt_str_t *) element);
        break;
    }
}
