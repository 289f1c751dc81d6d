/*
 * Rules by their names, each alone or some of them: the service runs all.
 */

#include "graphql/validate/validate_impl.h"
#include "graphql.h"


/* rules_deprecated.c */
extern const gql_rule_t  gql_rule_no_deprecated;


static const struct {
    prompt_str_t       name;
    const gql_rule_t  *rule;
} gql_named_rules[] = {
#define gql_named(name, rule)  { prompt_str_init(name), &gql_rule_##rule }
    gql_named("UniqueOperationNamesRule", unique_operation_names),
    gql_named("LoneAnonymousOperationRule", lone_anonymous_operation),
    gql_named("SingleFieldSubscriptionsRule", single_field_subscriptions),
    gql_named("KnownTypeNamesRule", known_type_names),
    gql_named("FragmentsOnCompositeTypesRule", fragments_on_composite_types),
    gql_named("VariablesAreInputTypesRule", variables_are_input_types),
    gql_named("ScalarLeafsRule", scalar_leafs),
    gql_named("FieldsOnCorrectTypeRule", fields_on_correct_type),
    gql_named("UniqueFragmentNamesRule", unique_fragment_names),
    gql_named("KnownFragmentNamesRule", known_fragment_names),
    gql_named("NoUnusedFragmentsRule", no_unused_fragments),
    gql_named("PossibleFragmentSpreadsRule", possible_fragment_spreads),
    gql_named("NoFragmentCyclesRule", no_fragment_cycles),
    gql_named("UniqueVariableNamesRule", unique_variable_names),
    gql_named("NoUndefinedVariablesRule", no_undefined_variables),
    gql_named("NoUnusedVariablesRule", no_unused_variables),
    gql_named("KnownDirectivesRule", known_directives),
    gql_named("UniqueDirectivesPerLocationRule",
              unique_directives_per_location),
    gql_named("KnownArgumentNamesRule", known_argument_names),
    gql_named("UniqueArgumentNamesRule", unique_argument_names),
    gql_named("ValuesOfCorrectTypeRule", values_of_correct_type),
    gql_named("ProvidedRequiredArgumentsRule", provided_required_arguments),
    gql_named("VariablesInAllowedPositionRule",
              variables_in_allowed_position),
    gql_named("OverlappingFieldsCanBeMergedRule",
              overlapping_fields_can_be_merged),
    gql_named("UniqueInputFieldNamesRule", unique_input_field_names),
    gql_named("MaxIntrospectionDepthRule", max_introspection_depth),
    gql_named("NoDeprecatedCustomRule", no_deprecated),
    gql_named("NoSchemaIntrospectionCustomRule", no_schema_introspection),
#undef gql_named
};

#define GQL_NAMED_RULES                                                      \
    (sizeof(gql_named_rules) / sizeof(gql_named_rules[0]))

#define GQL_CHOSEN_MAX  64


bool
gql_validate_counting(prompt_arena_t *scratch, const gql_schema_t *schema,
    const gql_document_t *document, const prompt_str_t *rules, size_t nrules,
    gql_errors_t *errors, uint64_t *steps)
{
    size_t             i, k;
    const gql_rule_t  *chosen[GQL_CHOSEN_MAX];

    *steps = 0;

    if (rules == NULL) {
        *steps = gql_validate_rules(scratch, schema, document,
                                    gql_specified_rules, GQL_SPECIFIED_RULES,
                                    0, errors);
        return true;
    }

    if (nrules > GQL_CHOSEN_MAX) {
        return false;
    }

    for (i = 0; i < nrules; i++) {
        for (k = 0; k < GQL_NAMED_RULES; k++) {
            if (prompt_str_eq(gql_named_rules[k].name, rules[i])) {
                break;
            }
        }

        if (k == GQL_NAMED_RULES) {
            return false;
        }

        chosen[i] = gql_named_rules[k].rule;
    }

    *steps = gql_validate_rules(scratch, schema, document, chosen, nrules, 0,
                                errors);
    return true;
}


bool
gql_validate(prompt_arena_t *scratch, const gql_schema_t *schema,
    const gql_document_t *document, const prompt_str_t *rules, size_t nrules,
    gql_errors_t *errors)
{
    uint64_t  steps;

    return gql_validate_counting(scratch, schema, document, rules, nrules,
                                 errors, &steps);
}
