/*
 * NoDeprecatedCustomRule, which is not of the specification, but comes with
 * graphql-js.  The service does not run it.
 */

#include "graphql/validate/validate_impl.h"


extern const gql_rule_t  gql_rule_no_deprecated;


/*
 * No deprecated fields, arguments, input fields, enum values
 *
 *     good:  { normalField }
 *     bad:   { deprecatedField }
 */
static bool
no_deprecated_field(gql_validation_t *v, const gql_node_t *node)
{
    const gql_field_def_t  *def;

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
no_deprecated_argument(gql_validation_t *v, const gql_node_t *node)
{
    const gql_input_value_t  *def;

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
no_deprecated_input_field(gql_validation_t *v, const gql_node_t *node)
{
    const gql_type_t         *type;
    const gql_input_value_t  *def;

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
no_deprecated_enum_value(gql_validation_t *v, const gql_node_t *node)
{
    const gql_type_t        *type;
    const gql_enum_value_t  *def;

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


const gql_rule_t  gql_rule_no_deprecated = {
    .hooks = {
        { gql_kind_bit(GQL_FIELD), no_deprecated_field, NULL },
        { gql_kind_bit(GQL_ARGUMENT), no_deprecated_argument, NULL },
        { gql_kind_bit(GQL_OBJECT_FIELD), no_deprecated_input_field, NULL },
        { gql_kind_bit(GQL_ENUM), no_deprecated_enum_value, NULL },
    }
};
