/*
 * Rules on directives (specification, 5.7): KnownDirectives and
 * UniqueDirectivesPerLocation.  What their arguments may be is
 * rules_arguments.c's to say.
 */

#include "graphql/validate/validate_impl.h"


/*
 * Directives Are Defined, Directives Are in Valid Locations
 * https://spec.graphql.org/September2025/#sec-Directives-Are-Defined
 * https://spec.graphql.org/September2025/#sec-Directives-Are-in-Valid-Locations
 *
 *     good:  { dog @include(if: true) { name } }
 *     bad:   { dog @unknown { name } }
 *     bad:   query @include(if: true) { dog { name } }
 */
static gql_directive_location_t known_directives_location(
    const gql_node_t *node);


static bool
known_directives_directive(gql_validation_t *v, const gql_node_t *node)
{
    prompt_str_t                name, where;
    const gql_directive_def_t  *def;
    gql_directive_location_t    location;

    name = ((const gql_directive_t *) node)->name->value;
    def = v->info->directive;

    if (def == NULL) {
        gql_refuse_at(v, node, "Unknown directive \"@%.*s\".",
                      gql_error_arg(name));
        return true;
    }

    location = known_directives_location(v->visitor.frame->parent->node);

    if ((def->locations & 1u << location) == 0) {
        where = gql_directive_location_name(location);

        gql_refuse_at(v, node,
                      "Directive \"@%.*s\" may not be used on %.*s.",
                      gql_error_arg(name),
                      gql_error_arg(where));
    }

    return true;
}


/* the place of what a directive is applied to */
static gql_directive_location_t
known_directives_location(const gql_node_t *node)
{
    static const gql_directive_location_t  operations[] = {
        GQL_ON_QUERY, GQL_ON_MUTATION, GQL_ON_SUBSCRIPTION
    };

    static const gql_directive_location_t  locations[GQL_KIND_COUNT] = {
        [GQL_VARIABLE_DEFINITION] = GQL_ON_VARIABLE_DEFINITION,
        [GQL_FIELD] = GQL_ON_FIELD,
        [GQL_FRAGMENT_SPREAD] = GQL_ON_FRAGMENT_SPREAD,
        [GQL_INLINE_FRAGMENT] = GQL_ON_INLINE_FRAGMENT,
        [GQL_FRAGMENT_DEFINITION] = GQL_ON_FRAGMENT_DEFINITION,
    };

    if (node->kind == GQL_OPERATION_DEFINITION) {
        return operations[((const gql_operation_definition_t *) node)
                                                               ->operation];
    }

    return locations[node->kind];
}


const gql_rule_t  gql_rule_known_directives = {
    .hooks = gql_rule_enter(GQL_DIRECTIVE, known_directives_directive)
};


/*
 * Directives Are Unique per Location
 * https://spec.graphql.org/September2025/
 *                                     #sec-Directives-Are-Unique-per-Location
 *
 *     good:  { a @skip(if: $x) @include(if: $y) }
 *     bad:   { a @skip(if: $x) @skip(if: $y) }
 */
static bool
unique_directives_enter(gql_validation_t *v, const gql_node_t *node)
{
    const gql_node_t           *first;
    const gql_list_t           *directives;
    const gql_directive_t      *directive;
    const gql_directive_def_t  *def;

    directives = gql_node_directives(node);

    if (directives->count < 2) {
        return true;
    }

    gql_list_each(directive, directives) {
        def = gql_schema_directive(v->schema, directive->name->value);

        if (def == NULL || def->repeatable) {
            continue;
        }

        first = gql_unique_first(v, v->state, node->start,
                                 directive->name->value,
                                 &directive->node);
        if (first != NULL) {
            gql_refuse_two(v, first, directive, "The directive \"@%.*s\" can "
                           "only be used once at this location.",
                           gql_error_arg(directive->name->value));
        }

        if (v->stopped) {
            break;
        }
    }

    return true;
}


const gql_rule_t  gql_rule_unique_directives_per_location = {
    .state_size = sizeof(gql_unique_t),
    .init = gql_unique_init,
    .hooks = {
        { gql_kind_bit(GQL_OPERATION_DEFINITION)
          | gql_kind_bit(GQL_VARIABLE_DEFINITION)
          | gql_kind_bit(GQL_FIELD)
          | gql_kind_bit(GQL_FRAGMENT_SPREAD)
          | gql_kind_bit(GQL_INLINE_FRAGMENT)
          | gql_kind_bit(GQL_FRAGMENT_DEFINITION),
          unique_directives_enter, NULL },
    }
};
