/*
 * Introspection of __Type (specification, 4.2.2).
 *
 * A parent is a gql_type_ref_t, since wrappers are types here: a wrapper has
 * its kind and what it wraps, and everything else is null.
 */

#include "graphql/execute/introspect_impl.h"


/* what a reference names; NULL where it is a wrapper */
static const gql_type_t *
gql_introspect_named(gql_introspect_t *in)
{
    const gql_type_ref_t  *ref = in->parent;

    return ref->kind == GQL_REF_NAMED ? ref->type : NULL;
}


static bool
gql_introspect_has_fields(const gql_type_t *type)
{
    return type != NULL && (type->kind == GQL_TYPE_OBJECT
                            || type->kind == GQL_TYPE_INTERFACE);
}


static void
gql_introspect_kind(gql_introspect_t *in, size_t offset)
{
    const gql_type_ref_t  *ref = in->parent;

    static const prompt_str_t  kinds[] = {
        prompt_str_init("SCALAR"),
        prompt_str_init("OBJECT"),
        prompt_str_init("INTERFACE"),
        prompt_str_init("UNION"),
        prompt_str_init("ENUM"),
        prompt_str_init("INPUT_OBJECT")
    };

    (void) offset;

    switch (ref->kind) {

    case GQL_REF_NAMED:
        gql_introspect_string(in, kinds[ref->type->kind]);
        break;

    case GQL_REF_LIST:
        gql_introspect_string(in, prompt_str("LIST"));
        break;

    case GQL_REF_NON_NULL:
        gql_introspect_string(in, prompt_str("NON_NULL"));
        break;
    }
}


static void
gql_introspect_of_type(gql_introspect_t *in, size_t offset)
{
    const gql_type_ref_t  *ref = in->parent;

    (void) offset;

    if (ref->kind != GQL_REF_NAMED) {
        gql_introspect_object(in, ref->of);
    }
}


/* name, description, specifiedByURL */
static void
gql_introspect_type_text(gql_introspect_t *in, size_t offset)
{
    const char  *type = (const char *) gql_introspect_named(in);

    if (type != NULL) {
        gql_introspect_string(in, *(const prompt_str_t *) (type + offset));
    }
}


static void
gql_introspect_type_fields(gql_introspect_t *in, size_t offset)
{
    const gql_type_t  *type = gql_introspect_named(in);

    (void) offset;

    if (gql_introspect_has_fields(type)) {
        gql_introspect_members(in, type->fields, sizeof(gql_field_def_t),
                               offsetof(gql_field_def_t, deprecation_reason),
                               type->nfields);
    }
}


static void
gql_introspect_interfaces(gql_introspect_t *in, size_t offset)
{
    const gql_type_t  *type = gql_introspect_named(in);

    (void) offset;

    if (gql_introspect_has_fields(type)) {
        gql_introspect_list(in, GQL_INTROSPECT_TYPES, type->interfaces,
                            sizeof(gql_type_t *), type->ninterfaces);
    }
}


static void
gql_introspect_possible_types(gql_introspect_t *in, size_t offset)
{
    const gql_type_t  *type = gql_introspect_named(in);

    (void) offset;

    if (type != NULL && gql_type_is_abstract(type)) {
        gql_introspect_list(in, GQL_INTROSPECT_TYPES, type->possible,
                            sizeof(gql_type_t *), type->npossible);
    }
}


static void
gql_introspect_enum_values(gql_introspect_t *in, size_t offset)
{
    const gql_type_t  *type = gql_introspect_named(in);

    (void) offset;

    if (type != NULL && type->kind == GQL_TYPE_ENUM) {
        gql_introspect_members(in, type->values, sizeof(gql_enum_value_t),
                               offsetof(gql_enum_value_t, deprecation_reason),
                               type->nvalues);
    }
}


static void
gql_introspect_input_fields(gql_introspect_t *in, size_t offset)
{
    const gql_type_t  *type = gql_introspect_named(in);

    (void) offset;

    if (type != NULL && type->kind == GQL_TYPE_INPUT_OBJECT) {
        gql_introspect_input_values(in, type->input_fields,
                                    type->ninput_fields);
    }
}


static void
gql_introspect_one_of(gql_introspect_t *in, size_t offset)
{
    const gql_type_t  *type = gql_introspect_named(in);

    (void) offset;

    if (type != NULL && type->kind == GQL_TYPE_INPUT_OBJECT) {
        gql_introspect_boolean(in, type->one_of);
    }
}


const gql_introspect_field_t  gql_introspect_types[] = {
    gql_introspect_by("kind", gql_introspect_kind),
    gql_introspect_at("name", gql_introspect_type_text, gql_type_t, name),
    gql_introspect_by("ofType", gql_introspect_of_type),
    gql_introspect_at("description", gql_introspect_type_text, gql_type_t,
                      description),
    gql_introspect_at("specifiedByURL", gql_introspect_type_text, gql_type_t,
                      specified_by_url),
    gql_introspect_by("fields", gql_introspect_type_fields),
    gql_introspect_by("interfaces", gql_introspect_interfaces),
    gql_introspect_by("possibleTypes", gql_introspect_possible_types),
    gql_introspect_by("enumValues", gql_introspect_enum_values),
    gql_introspect_by("inputFields", gql_introspect_input_fields),
    gql_introspect_by("isOneOf", gql_introspect_one_of),
    gql_introspect_end
};
