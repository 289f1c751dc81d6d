/*
 * Validation rules that are not of the specification, but come with
 * graphql-js: NoDeprecatedCustomRule, NoSchemaIntrospectionCustomRule.
 */

#include "graphql/validate/validate_impl.h"


/*
 * No deprecated fields, arguments, input fields, enum values
 *
 *     good:  { normalField }
 *     bad:   { deprecatedField }
 */
static bool
no_deprecated_field(gql_validation_t *v, void *state, const gql_node_t *node)
{
    const gql_field_def_t  *def;

    (void) state;

    def = v->info->field_def;

    if (def != NULL && def->deprecation_reason.data != NULL) {
        gql_refuse_at(v, node, "The field %.*s.%.*s is deprecated. %.*s",
                      gql_error_arg(v->info->parent_type->name),
                      gql_error_arg(def->name),
                      gql_error_arg(def->deprecation_reason));
    }

    return true;
}


static bool
no_deprecated_argument(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    const gql_input_value_t  *def;

    (void) state;

    def = v->info->argument;

    if (def == NULL || def->deprecation_reason.data == NULL) {
        return true;
    }

    if (v->info->directive != NULL) {
        gql_refuse_at(v, node, "Directive \"@%.*s\" argument \"%.*s\" is "
                      "deprecated. %.*s",
                      gql_error_arg(v->info->directive->name),
                      gql_error_arg(def->name),
                      gql_error_arg(def->deprecation_reason));

    } else {
        gql_refuse_at(v, node, "Field \"%.*s.%.*s\" argument \"%.*s\" is "
                      "deprecated. %.*s",
                      gql_error_arg(v->info->parent_type->name),
                      gql_error_arg(v->info->field_def->name),
                      gql_error_arg(def->name),
                      gql_error_arg(def->deprecation_reason));
    }

    return true;
}


static bool
no_deprecated_input_field(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    const gql_type_t         *type;
    const gql_input_value_t  *def;

    (void) state;

    type = gql_ref_named_or_null(v->info->parent_input_type);

    if (type == NULL || type->kind != GQL_TYPE_INPUT_OBJECT) {
        return true;
    }

    def = gql_type_input_field(type,
                           ((const gql_object_field_t *) node)->name->value);

    if (def != NULL && def->deprecation_reason.data != NULL) {
        gql_refuse_at(v, node, "The input field %.*s.%.*s is deprecated. "
                      "%.*s", gql_error_arg(type->name),
                      gql_error_arg(def->name),
                      gql_error_arg(def->deprecation_reason));
    }

    return true;
}


static bool
no_deprecated_enum_value(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    const gql_type_t        *type;
    const gql_enum_value_t  *def;

    (void) state;

    def = v->info->enum_value;

    if (def != NULL && def->deprecation_reason.data != NULL) {
        type = gql_ref_named(v->info->input_type);

        gql_refuse_at(v, node, "The enum value \"%.*s.%.*s\" is deprecated. "
                      "%.*s", gql_error_arg(type->name),
                      gql_error_arg(def->name),
                      gql_error_arg(def->deprecation_reason));
    }

    return true;
}


static const gql_rule_hook_t  no_deprecated_hooks[] = {
    { GQL_FIELD, no_deprecated_field, NULL },
    { GQL_ARGUMENT, no_deprecated_argument, NULL },
    { GQL_OBJECT_FIELD, no_deprecated_input_field, NULL },
    { GQL_ENUM, no_deprecated_enum_value, NULL },
};

const gql_rule_t  gql_rule_no_deprecated = {
    prompt_str_init("NoDeprecatedCustomRule"),
    0,
    NULL,
    gql_rule_hooks(no_deprecated_hooks)
};


/*
 * No introspection
 *
 *     good:  { dog { __typename } }
 *     bad:   { __schema { queryType { name } } }
 */
static bool
no_schema_introspection_field(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    prompt_str_t       name;
    const gql_type_t  *type;

    (void) state;

    type = gql_ref_named_or_null(v->info->type);

    if (type != NULL && type->introspection) {
        name = ((const gql_field_t *) node)->name->value;

        gql_refuse_at(v, node, "GraphQL introspection has been disabled, but "
                      "the requested query contained the field \"%.*s\".",
                      gql_error_arg(name));
    }

    return true;
}


static const gql_rule_hook_t  no_schema_introspection_hooks[] = {
    { GQL_FIELD, no_schema_introspection_field, NULL },
};

const gql_rule_t  gql_rule_no_schema_introspection = {
    prompt_str_init("NoSchemaIntrospectionCustomRule"),
    0,
    NULL,
    gql_rule_hooks(no_schema_introspection_hooks)
};
