/*
 * Introspection: the fields of __Schema, __Type and the others, resolved from
 * the type system as graphql-js resolves them.
 *
 * Parents are the things themselves: a gql_schema_t, a gql_type_ref_t for
 * __Type (wrappers are types here, which have their kind and what they wrap,
 * everything else being null), and so on.  A list points into the type system,
 * too, unless deprecated members have to be left out.
 */

#include "graphql/execute/introspect.h"
#include "graphql/values/inspect.h"
#include "graphql/values/values.h"


/* bytes of one printed default value */
#define GQL_INTROSPECT_MAX_DEFAULT  (16 * 1024 * 1024)


/* what a list is made of */
typedef enum {
    GQL_INTROSPECT_OBJECTS = 0,      /* the elements themselves */
    GQL_INTROSPECT_POINTERS,         /* pointers to them */
    GQL_INTROSPECT_TYPES,            /* gql_type_t * */
    GQL_INTROSPECT_STRINGS           /* prompt_str_t */
} gql_introspect_kind_t;


typedef struct {
    gql_introspect_kind_t  kind;
    const char            *base;
    size_t                 size;     /* of an element */
} gql_introspect_list_t;


typedef struct gql_introspect_s  gql_introspect_t;

/* A field: what resolves it, and where in its parent it stands. */
typedef struct {
    prompt_str_t            name;
    void                  (*resolve)(gql_introspect_t *in, const void *member);
    size_t                  offset;
    unsigned                kinds;   /* of types that have it, a set; 0: not of
                                        a type, but of what refers to one */
    gql_introspect_kind_t   list;    /* of a list: what of, where its count */
    size_t                  count;   /*   stands, and the size of an element */
    size_t                  size;
    size_t                  reason;  /* where an element has the reason why it
                                        is deprecated; SIZE_MAX: nowhere */
} gql_introspect_field_t;


struct gql_introspect_s {
    gql_execution_t               *execution;
    const gql_introspect_field_t  *field;
    const char                    *parent;
    const prompt_json_t           *arguments;
    gql_result_t                  *out;
};


#define gql_introspect_by(field, with)                                       \
    .name = prompt_str_init(field), .resolve = with

#define gql_introspect_at(field, with, type, member)                         \
    gql_introspect_by(field, with), .offset = offsetof(type, member)

/* n pointers, or strings, which outlive the execution */
#define gql_introspect_each(field, type, member, n, what)                    \
    gql_introspect_at(field, gql_introspect_list, type, member),             \
    .list = (what), .count = offsetof(type, n), .reason = SIZE_MAX,            \
    .size = (what) == GQL_INTROSPECT_STRINGS ? sizeof(prompt_str_t)          \
                                             : sizeof(void *)

/* the same, less those that are deprecated, unless they are asked for */
#define gql_introspect_some(field, type, member, n, element)                 \
    gql_introspect_at(field, gql_introspect_list, type, member),             \
    .list = GQL_INTROSPECT_OBJECTS, .count = offsetof(type, n),              \
    .size = sizeof(element), .reason = offsetof(element, deprecation_reason)

/* what most things have, and those that can be deprecated */
#define gql_introspect_named(type)                                           \
    { gql_introspect_at("name", gql_introspect_text, type, name) },          \
    { gql_introspect_at("description", gql_introspect_text, type,            \
                        description) }
#define gql_introspect_deprecable(type)                                      \
    gql_introspect_named(type),                                              \
    { gql_introspect_at("isDeprecated", gql_introspect_has_text, type,       \
                        deprecation_reason) },                               \
    { gql_introspect_at("deprecationReason", gql_introspect_text, type,      \
                        deprecation_reason) }

#define GQL_INTROSPECT_OF(kind)  (1u << GQL_TYPE_##kind)
#define GQL_INTROSPECT_OF_ALL    (GQL_INTROSPECT_OF(INPUT_OBJECT) * 2 - 1)


/* What a field gives; an absent string and a NULL pointer give null. */
static void
gql_introspect_string(gql_introspect_t *in, prompt_str_t s)
{
    if (s.data != NULL) {
        in->out->kind = GQL_RESULT_STRING;
        in->out->u.text = s;
    }
}


static void
gql_introspect_boolean(gql_introspect_t *in, bool value)
{
    in->out->kind = GQL_RESULT_BOOLEAN;
    in->out->u.boolean = value;
}


static void
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


/* Fields that are members of their parents as they stand. */

static void
gql_introspect_text(gql_introspect_t *in, const void *member)
{
    gql_introspect_string(in, *(const prompt_str_t *) member);
}


/* isDeprecated: whether there is a reason */
static void
gql_introspect_has_text(gql_introspect_t *in, const void *member)
{
    gql_introspect_boolean(in, ((const prompt_str_t *) member)->data != NULL);
}


static void
gql_introspect_flag(gql_introspect_t *in, const void *member)
{
    gql_introspect_boolean(in, *(const bool *) member);
}


static void
gql_introspect_ref(gql_introspect_t *in, const void *member)
{
    gql_introspect_object(in, *(const gql_type_ref_t *const *) member);
}


static void
gql_introspect_root_type(gql_introspect_t *in, const void *member)
{
    gql_introspect_type(in, *(gql_type_t *const *) member);
}


/* of a directive, which is never deprecated: the grammar has no such thing */
static void
gql_introspect_false(gql_introspect_t *in, const void *member)
{
    (void) member;

    gql_introspect_boolean(in, false);
}


static void
gql_introspect_list(gql_introspect_t *in, const void *member)
{
    bool                    all;
    uint32_t                i, n, count;
    const char             *element;
    const void            **kept;
    prompt_arena_t         *arena;
    const prompt_str_t     *text;
    const prompt_json_t    *asked;
    gql_introspect_list_t  *list;

    arena = gql_execution_arena(in->execution);
    asked = prompt_json_get(in->arguments, prompt_str("includeDeprecated"));
    all = in->field->reason == SIZE_MAX
          || (asked != NULL && asked->type == PROMPT_JSON_BOOLEAN
              && asked->boolean);

    count = *(const uint32_t *) (const void *) (in->parent + in->field->count);
    list = prompt_arena_alloc(arena, sizeof(gql_introspect_list_t));
    kept = prompt_arena_array(arena, all ? 0 : count, sizeof(void *));

    if (list == NULL || kept == NULL) {
        gql_introspect_nomem(in);
        return;
    }

    list->kind = in->field->list;
    list->size = in->field->size;
    memcpy(&list->base, member, sizeof(void *));

    if (!all) {
        n = 0;

        for (i = 0; i < count; i++) {
            element = list->base + i * list->size;
            text = (const void *) (element + in->field->reason);

            if (text->data == NULL) {
                kept[n++] = element;
            }
        }

        count = n;
        list->kind = GQL_INTROSPECT_POINTERS;
        list->base = (const char *) kept;
        list->size = sizeof(void *);
    }

    in->out->kind = GQL_RESULT_LIST;
    in->out->u.list.handle = list;
    in->out->u.list.count = count;
}


/* __Type */

static void
gql_introspect_type_kind(gql_introspect_t *in, const void *member)
{
    const gql_type_ref_t  *ref = member;

    static const prompt_str_t  kinds[] = {
        prompt_str_init("SCALAR"),
        prompt_str_init("OBJECT"),
        prompt_str_init("INTERFACE"),
        prompt_str_init("UNION"),
        prompt_str_init("ENUM"),
        prompt_str_init("INPUT_OBJECT")
    };

    gql_introspect_string(in, ref->kind == GQL_REF_LIST ? prompt_str("LIST")
                              : ref->kind == GQL_REF_NON_NULL
                                ? prompt_str("NON_NULL")
                                : kinds[ref->type->kind]);
}


static void
gql_introspect_of_type(gql_introspect_t *in, const void *member)
{
    const gql_type_ref_t  *ref = member;

    if (ref->kind != GQL_REF_NAMED) {
        gql_introspect_object(in, ref->of);
    }
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
gql_introspect_default_value(gql_introspect_t *in, const void *member)
{
    bool                      printed;
    prompt_buf_t              buf;
    prompt_str_t              text;
    prompt_arena_t           *arena;
    const gql_type_t         *type;
    const prompt_json_t      *part;
    const gql_input_value_t  *value = member;

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
    text = prompt_arena_take(arena, &buf);

    if (text.data == NULL) {
        gql_introspect_nomem(in);

    } else if (printed) {
        gql_introspect_string(in, text);
    }
}


static const gql_introspect_field_t  gql_introspect_schema[] = {
    { gql_introspect_at("description", gql_introspect_text, gql_schema_t,
                        description) },
    { gql_introspect_each("types", gql_schema_t, types, ntypes,
                          GQL_INTROSPECT_TYPES) },
    { gql_introspect_at("queryType", gql_introspect_root_type, gql_schema_t,
                        query) },
    { gql_introspect_at("mutationType", gql_introspect_root_type, gql_schema_t,
                        mutation) },
    { gql_introspect_at("subscriptionType", gql_introspect_root_type,
                        gql_schema_t, subscription) },
    { gql_introspect_each("directives", gql_schema_t, directives, ndirectives,
                          GQL_INTROSPECT_POINTERS) },
    { .resolve = NULL }
};


static const gql_introspect_field_t  gql_introspect_types[] = {
    { gql_introspect_by("kind", gql_introspect_type_kind) },
    { gql_introspect_at("name", gql_introspect_text, gql_type_t, name),
      .kinds = GQL_INTROSPECT_OF_ALL },
    { gql_introspect_by("ofType", gql_introspect_of_type) },
    { gql_introspect_at("description", gql_introspect_text, gql_type_t,
                        description), .kinds = GQL_INTROSPECT_OF_ALL },
    { gql_introspect_at("specifiedByURL", gql_introspect_text, gql_type_t,
                        specified_by_url), .kinds = GQL_INTROSPECT_OF_ALL },
    { gql_introspect_some("fields", gql_type_t, fields, nfields,
                          gql_field_def_t),
      .kinds = GQL_INTROSPECT_OF(OBJECT) | GQL_INTROSPECT_OF(INTERFACE) },
    { gql_introspect_each("interfaces", gql_type_t, interfaces, ninterfaces,
                          GQL_INTROSPECT_TYPES),
      .kinds = GQL_INTROSPECT_OF(OBJECT) | GQL_INTROSPECT_OF(INTERFACE) },
    { gql_introspect_each("possibleTypes", gql_type_t, possible, npossible,
                          GQL_INTROSPECT_TYPES),
      .kinds = GQL_INTROSPECT_OF(INTERFACE) | GQL_INTROSPECT_OF(UNION) },
    { gql_introspect_some("enumValues", gql_type_t, values, nvalues,
                          gql_enum_value_t), .kinds = GQL_INTROSPECT_OF(ENUM) },
    { gql_introspect_some("inputFields", gql_type_t, input_fields,
                          ninput_fields, gql_input_value_t),
      .kinds = GQL_INTROSPECT_OF(INPUT_OBJECT) },
    { gql_introspect_at("isOneOf", gql_introspect_flag, gql_type_t, one_of),
      .kinds = GQL_INTROSPECT_OF(INPUT_OBJECT) },
    { .resolve = NULL }
};


static const gql_introspect_field_t  gql_introspect_fields[] = {
    gql_introspect_deprecable(gql_field_def_t),
    { gql_introspect_some("args", gql_field_def_t, args, nargs,
                          gql_input_value_t) },
    { gql_introspect_at("type", gql_introspect_ref, gql_field_def_t, type) },
    { .resolve = NULL }
};


static const gql_introspect_field_t  gql_introspect_values[] = {
    gql_introspect_deprecable(gql_input_value_t),
    { gql_introspect_at("type", gql_introspect_ref, gql_input_value_t, type) },
    { gql_introspect_by("defaultValue", gql_introspect_default_value) },
    { .resolve = NULL }
};


static const gql_introspect_field_t  gql_introspect_enum[] = {
    gql_introspect_deprecable(gql_enum_value_t),
    { .resolve = NULL }
};


/* its deprecationReason is null, as is all that is in no table */
static const gql_introspect_field_t  gql_introspect_directive[] = {
    gql_introspect_named(gql_directive_def_t),
    { gql_introspect_at("isRepeatable", gql_introspect_flag,
                        gql_directive_def_t, repeatable) },
    { gql_introspect_each("locations", gql_directive_def_t, location_names,
                          nlocations, GQL_INTROSPECT_STRINGS) },
    { gql_introspect_some("args", gql_directive_def_t, args, nargs,
                          gql_input_value_t) },
    { gql_introspect_by("isDeprecated", gql_introspect_false) },
    { .resolve = NULL }
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
    gql_introspect_t      in = { .out = out };
    const gql_schema_t   *schema;
    const prompt_json_t  *name;

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
    gql_introspect_t       in = { execution, field->introspect, parent,
                                  arguments, out };
    const gql_type_ref_t  *ref;

    if (parent == NULL) {

        /* an object of the embedder's: nothing is known of it, no reason */

        if (prompt_str_eq(field->def->name, prompt_str("isDeprecated"))) {
            gql_introspect_boolean(&in, false);
        }

        return;
    }

    if (in.field == NULL) {
        return;
    }

    if (in.field->kinds != 0) {
        ref = parent;

        if (ref->kind != GQL_REF_NAMED
            || (in.field->kinds & 1u << ref->type->kind) == 0)
        {
            return;
        }

        in.parent = (const char *) ref->type;
    }

    in.field->resolve(&in, in.parent + in.field->offset);
}


void
gql_introspect_item(gql_execution_t *execution, const gql_plan_field_t *field,
    void *list, uint32_t index, gql_result_t *out)
{
    const char             *element;
    gql_introspect_t        in = { .out = out };
    gql_introspect_list_t  *items = list;

    (void) execution;
    (void) field;

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
