/*
 * Members of types: fields, arguments, values, and what the directives
 * @deprecated, @specifiedBy and @oneOf say about them.
 *
 * A definition and its extensions are one list here, in that order.
 */

#include "graphql/values/values.h"
#include "schema/parser_sdl.h"
#include "schema/schema_build_impl.h"


static prompt_str_t
gql_build_description(const gql_value_t *description)
{
    if (description == NULL) {
        return prompt_str_absent;
    }

    return description->text.data != NULL ? description->text : prompt_str("");
}


static const gql_directive_t *
gql_build_find_directive(const gql_list_t *directives, prompt_str_t name)
{
    const gql_directive_t  *directive;

    gql_list_each (directive, directives) {
        if (prompt_str_eq(directive->name->value, name)) {
            return directive;
        }
    }

    return NULL;
}


/*
 * The text that a directive carries in one of its arguments; absent where it
 * is not there, or says null.
 */
static bool
gql_build_directive_text(gql_build_t *build, const gql_list_t *directives,
    const gql_directive_def_t *def, const char *argument, prompt_str_t *out)
{
    prompt_json_t          *arguments, *value;
    const gql_directive_t  *directive;

    *out = prompt_str_absent;

    if (def == NULL) {
        return true;
    }

    directive = gql_build_find_directive(directives, def->name);
    if (directive == NULL) {
        return true;
    }

    arguments = gql_coerce_arguments(build->arena, def->args, def->nargs,
                                     &directive->node, &directive->arguments,
                                     NULL, build->errors);
    if (arguments == NULL) {
        return false;
    }

    value = prompt_json_get(arguments, prompt_str_from(argument));

    if (value != NULL && value->type == PROMPT_JSON_STRING) {
        *out = value->text.data != NULL ? value->text : prompt_str("");
    }

    return true;
}


static bool
gql_build_deprecation(gql_build_t *build, const gql_list_t *directives,
    prompt_str_t *out)
{
    return gql_build_directive_text(build, directives, build->deprecated,
                                    "reason", out);
}


static const gql_type_ref_t *
gql_build_ref(gql_build_t *build, const gql_type_node_t *node)
{
    const gql_type_t       *type;
    const gql_type_ref_t   *ref;
    const gql_type_node_t  *inner;

    for (inner = node; inner->node.kind != GQL_NAMED_TYPE; inner = inner->of) {
        /* void */
    }

    type = gql_build_named(build, inner->name);
    if (type == NULL) {
        return NULL;
    }

    ref = gql_type_ref_make(build->arena, type, node);
    if (ref == NULL) {
        (void) gql_build_nomem(build);
    }

    return ref;
}


/* An argument or a field of an input object, its default value aside. */
static bool
gql_build_input_value(gql_build_t *build, gql_input_value_t *value,
    const gql_input_value_definition_t *node)
{
    value->name = node->name->value;
    value->description = gql_build_description(node->description);

    value->type = gql_build_ref(build, node->type);
    if (value->type == NULL) {
        return false;
    }

    return gql_build_deprecation(build, &node->directives,
                                 &value->deprecation_reason);
}


static bool
gql_build_args(gql_build_t *build, const gql_list_t *arguments,
    const gql_input_value_t **args, uint32_t *nargs)
{
    gql_input_value_t                   *list;
    const gql_input_value_definition_t  *node;

    if (arguments->count == 0) {
        return true;
    }

    list = prompt_arena_array(build->arena, arguments->count,
                              sizeof(gql_input_value_t));
    if (list == NULL) {
        return gql_build_nomem(build);
    }

    *args = list;

    gql_list_each (node, arguments) {
        if (!gql_build_input_value(build, &list[(*nargs)++], node)) {
            return false;
        }
    }

    return true;
}


static bool
gql_build_enum(gql_build_t *build, gql_build_type_t *bt)
{
    uint32_t                            i, n;
    gql_type_t                         *type;
    gql_enum_value_t                   *values, *value;
    const gql_type_definition_t        *part;
    const gql_enum_value_definition_t  *node;

    type = &bt->type;
    n = 0;

    gql_build_each_part (part, i, bt) {
        n += part->values.count;
    }

    values = prompt_arena_array(build->arena, n, sizeof(gql_enum_value_t));
    if (values == NULL) {
        return gql_build_nomem(build);
    }

    type->values = values;

    gql_build_each_part (part, i, bt) {

        gql_list_each (node, &part->values) {
            value = &values[type->nvalues++];
            value->name = node->name->value;
            value->description = gql_build_description(node->description);

            if (!gql_build_deprecation(build, &node->directives,
                                       &value->deprecation_reason))
            {
                return false;
            }
        }
    }

    return gql_build_index(build, &type->by_name, values, n,
                           sizeof(gql_enum_value_t));
}


bool
gql_build_eager(gql_build_t *build, gql_build_type_t *bt)
{
    gql_type_t  *type;

    type = &bt->type;
    type->description = gql_build_description(bt->definition->description);

    switch (type->kind) {

    case GQL_TYPE_SCALAR:

        /* only the definition counts: buildSchema() ignores extensions */

        return gql_build_directive_text(build, &bt->definition->directives,
                                        build->specified_by, "url",
                                        &type->specified_by_url);

    case GQL_TYPE_ENUM:
        return gql_build_enum(build, bt);

    case GQL_TYPE_INPUT_OBJECT:
        type->one_of = gql_build_find_directive(&bt->definition->directives,
                                                prompt_str("oneOf")) != NULL;
        return true;

    default:
        return true;
    }
}


/* Names of types, as interfaces or members, of all parts of a type. */
static bool
gql_build_type_list(gql_build_t *build, gql_build_type_t *bt, size_t member,
    const gql_type_t *const **list, uint32_t *count)
{
    uint32_t                      i, n;
    const gql_list_t             *nodes;
    const gql_type_t            **types;
    const gql_type_node_t        *node;
    const gql_type_definition_t  *part;

    n = 0;

    gql_build_each_part (part, i, bt) {
        nodes = (const gql_list_t *) ((const char *) part + member);
        n += nodes->count;
    }

    types = prompt_arena_array(build->arena, n, sizeof(gql_type_t *));
    if (types == NULL) {
        return gql_build_nomem(build);
    }

    *list = types;

    gql_build_each_part (part, i, bt) {
        nodes = (const gql_list_t *) ((const char *) part + member);

        gql_list_each (node, nodes) {
            types[*count] = gql_build_named(build, node->name);

            if (types[(*count)++] == NULL) {
                return false;
            }
        }
    }

    return true;
}


static bool
gql_build_field(gql_build_t *build, gql_type_t *type, gql_field_def_t *field,
    const gql_field_definition_t *node)
{
    field->name = node->name->value;
    field->description = gql_build_description(node->description);
    field->parent = type;

    field->type = gql_build_ref(build, node->type);
    if (field->type == NULL) {
        return false;
    }

    return gql_build_args(build, &node->arguments, &field->args,
                          &field->nargs)
           && gql_build_deprecation(build, &node->directives,
                                    &field->deprecation_reason);
}


static bool
gql_build_fields(gql_build_t *build, gql_build_type_t *bt)
{
    uint32_t                       i, n;
    gql_type_t                    *type;
    const gql_type_definition_t   *part;
    const gql_field_definition_t  *node;

    type = &bt->type;
    n = 0;

    if (!gql_build_type_list(build, bt,
                             offsetof(gql_type_definition_t, interfaces),
                             &type->interfaces, &type->ninterfaces))
    {
        return false;
    }

    gql_build_each_part (part, i, bt) {
        n += part->fields.count;
    }

    type->fields = prompt_arena_array(build->arena, n,
                                      sizeof(gql_field_def_t));
    if (type->fields == NULL) {
        return gql_build_nomem(build);
    }

    gql_build_each_part (part, i, bt) {

        gql_list_each (node, &part->fields) {
            if (!gql_build_field(build, type, &type->fields[type->nfields++],
                                 node))
            {
                return false;
            }
        }
    }

    return gql_build_index(build, &type->by_name, type->fields, n,
                           sizeof(gql_field_def_t));
}


static bool
gql_build_union(gql_build_t *build, gql_build_type_t *bt)
{
    gql_type_t  *type;

    type = &bt->type;

    return gql_build_type_list(build, bt,
                               offsetof(gql_type_definition_t, types),
                               &type->possible, &type->npossible)
           && gql_build_index_of(build, &type->by_name, type->possible,
                                 type->npossible);
}


static bool
gql_build_input_object(gql_build_t *build, gql_build_type_t *bt)
{
    uint32_t                             i, n;
    gql_type_t                          *type;
    gql_input_value_t                   *fields;
    const gql_type_definition_t         *part;
    const gql_input_value_definition_t  *node;

    type = &bt->type;
    n = 0;

    gql_build_each_part (part, i, bt) {
        n += part->fields.count;
    }

    fields = prompt_arena_array(build->arena, n, sizeof(gql_input_value_t));
    if (fields == NULL) {
        return gql_build_nomem(build);
    }

    type->input_fields = fields;

    gql_build_each_part (part, i, bt) {

        gql_list_each (node, &part->fields) {
            if (!gql_build_input_value(build, &fields[type->ninput_fields++],
                                       node))
            {
                return false;
            }
        }
    }

    return gql_build_index(build, &type->by_name, fields, n,
                           sizeof(gql_input_value_t));
}


bool
gql_build_lazy(gql_build_t *build, gql_build_type_t *bt)
{
    switch (bt->type.kind) {

    case GQL_TYPE_OBJECT:
    case GQL_TYPE_INTERFACE:
        return gql_build_fields(build, bt);

    case GQL_TYPE_UNION:
        return gql_build_union(build, bt);

    case GQL_TYPE_INPUT_OBJECT:
        return gql_build_input_object(build, bt);

    default:
        return true;
    }
}


gql_directive_def_t *
gql_build_directive(gql_build_t *build,
    const gql_directive_definition_t *node)
{
    prompt_str_t              *names;
    const gql_name_t          *name;
    gql_directive_def_t       *directive;
    gql_directive_location_t   location;

    directive = prompt_arena_zalloc(build->arena, sizeof(gql_directive_def_t));
    if (directive == NULL) {
        (void) gql_build_nomem(build);
        return NULL;
    }

    directive->name = node->name->value;
    directive->description = gql_build_description(node->description);
    directive->repeatable = node->repeatable;

    names = prompt_arena_array(build->arena, node->locations.count,
                               sizeof(prompt_str_t));
    if (names == NULL) {
        (void) gql_build_nomem(build);
        return NULL;
    }

    directive->location_names = names;

    gql_list_each (name, &node->locations) {
        location = gql_directive_location(name->value);

        if (location != GQL_ON_COUNT) {
            directive->locations |= 1u << location;
        }

        names[directive->nlocations++] = name->value;
    }

    if (!gql_build_args(build, &node->arguments, &directive->args,
                        &directive->nargs))
    {
        return NULL;
    }

    return directive;
}
