/*
 * Rules on variables and their uses (specification, 5.8):
 * NoUndefinedVariables, NoUnusedVariables, VariablesInAllowedPosition.  What
 * an operation uses through fragments is found once for all of them, see
 * reach.c.
 */

#include "graphql/validate/validate_impl.h"


/*
 * A use of a variable that an operation reaches, and the entry of its name
 * among the variables that the operation defines, or NULL.
 */
typedef void (*variable_usage_pt)(gql_validation_t *v,
    const gql_operation_definition_t *operation, const gql_usage_t *usage,
    gql_name_entry_t *defined);


static bool each_usage(gql_validation_t *v, const gql_node_t *node,
    variable_usage_pt look);
static bool variables_define(gql_validation_t *v,
    const gql_operation_definition_t *operation);


/* its own first, then those of fragments in the order they are reached */
static bool
each_usage(gql_validation_t *v, const gql_node_t *node, variable_usage_pt look)
{
    uint32_t                           i;
    const gql_reach_t                 *reach;
    const gql_usage_t                 *usage;
    const gql_usages_t                *usages;
    const gql_operation_definition_t  *operation;

    operation = (const gql_operation_definition_t *) node;
    reach = gql_reach_usages(v, operation);

    if (reach == NULL || !variables_define(v, operation)) {
        return false;
    }

    usages = gql_usages_of(v, node);

    for (i = 0; /* void */ ; i++) {
        if (usages == NULL) {
            return false;
        }

        for (usage = usages->first; usage != NULL; usage = usage->next) {
            v->steps++;
            look(v, operation, usage,
                 gql_names_find(&v->variables, usage->node->text));

            if (v->stopped) {
                return false;
            }
        }

        if (i == reach->nfragments) {
            return true;
        }

        usages = gql_usages_of(v, &reach->fragments[i]->definition->node);
    }
}


/* of definitions with the same name the last one counts */
static bool
variables_define(gql_validation_t *v,
    const gql_operation_definition_t *operation)
{
    gql_name_entry_t           *entry;
    gql_variable_definition_t  *variable;

    if (v->variables_of == operation) {
        return true;
    }

    gql_names_init(&v->variables, v->arena);
    v->variables_of = operation;

    gql_list_each(variable, &operation->variables) {
        entry = gql_validation_name(v, &v->variables,
                                    variable->variable->text);
        if (entry == NULL) {
            return false;
        }

        entry->value = variable;
    }

    return true;
}


/*
 * All Variable Uses Defined
 * https://spec.graphql.org/September2025/#sec-All-Variable-Uses-Defined
 *
 *     good:  query Q($a: Int) { f(a: $a) }
 *     bad:   query Q { f(a: $a) }
 */
static void
no_undefined_variables_usage(gql_validation_t *v,
    const gql_operation_definition_t *operation, const gql_usage_t *usage,
    gql_name_entry_t *defined)
{
    prompt_str_t  name;

    name = usage->node->text;

    if (defined != NULL) {
        return;
    }

    if (operation->name != NULL) {
        gql_refuse_two(v, usage->node, operation, "Variable \"$%.*s\" is not "
                       "defined by operation \"%.*s\".", gql_error_arg(name),
                       gql_error_arg(operation->name->value));

    } else {
        gql_refuse_two(v, usage->node, operation,
                       "Variable \"$%.*s\" is not defined.",
                       gql_error_arg(name));
    }
}


static void
no_undefined_variables_leave(gql_validation_t *v, const gql_node_t *node)
{
    (void) each_usage(v, node, no_undefined_variables_usage);
}


const gql_rule_t  gql_rule_no_undefined_variables = {
    .hooks = gql_rule_leave(GQL_OPERATION_DEFINITION,
                            no_undefined_variables_leave)
};


/*
 * All Variables Used
 * https://spec.graphql.org/September2025/#sec-All-Variables-Used
 *
 *     good:  query Q($a: Int) { f(a: $a) }
 *     bad:   query Q($a: Int, $b: Int) { f(a: $a) }
 */
static void
no_unused_variables_usage(gql_validation_t *v,
    const gql_operation_definition_t *operation, const gql_usage_t *usage,
    gql_name_entry_t *defined)
{
    (void) v;
    (void) operation;
    (void) usage;

    if (defined != NULL) {
        defined->mark = 1;
    }
}


static void
no_unused_variables_leave(gql_validation_t *v, const gql_node_t *node)
{
    prompt_str_t                       name;
    const gql_variable_definition_t   *variable;
    const gql_operation_definition_t  *operation;

    operation = (const gql_operation_definition_t *) node;

    if (!each_usage(v, node, no_unused_variables_usage)) {
        return;
    }

    gql_list_each(variable, &operation->variables) {
        name = variable->variable->text;

        if (gql_names_find(&v->variables, name)->mark != 0) {
            continue;
        }

        if (operation->name != NULL) {
            gql_refuse_at(v, variable, "Variable \"$%.*s\" is never used in "
                          "operation \"%.*s\".", gql_error_arg(name),
                          gql_error_arg(operation->name->value));

        } else {
            gql_refuse_at(v, variable, "Variable \"$%.*s\" is never used.",
                          gql_error_arg(name));
        }
    }
}


const gql_rule_t  gql_rule_no_unused_variables = {
    .hooks = gql_rule_leave(GQL_OPERATION_DEFINITION,
                            no_unused_variables_leave)
};


/*
 * All Variable Usages Are Allowed
 * https://spec.graphql.org/September2025/#sec-All-Variable-Usages-Are-Allowed
 *
 *     good:  query Q($a: Boolean!) { f(nullable: $a) }
 *     bad:   query Q($a: Boolean) { f(nonNull: $a) }
 *
 * Types of variables are compared as they are written, so that none need be
 * made: a type may be wrapped hundreds of times, and used as often.
 */
static bool
variable_is_sub_type(const gql_type_node_t *sub, const gql_type_t *type,
    const gql_type_ref_t *super)
{
    for ( ;; ) {

        if (super->kind == GQL_REF_NON_NULL) {
            if (sub->node.kind != GQL_NON_NULL_TYPE) {
                return false;
            }

            super = super->of;
            sub = sub->of;

        } else if (sub->node.kind == GQL_NON_NULL_TYPE) {
            sub = sub->of;

        } else if (super->kind == GQL_REF_LIST) {
            if (sub->node.kind != GQL_LIST_TYPE) {
                return false;
            }

            super = super->of;
            sub = sub->of;

        } else if (sub->node.kind == GQL_LIST_TYPE) {
            return false;

        } else {
            break;
        }
    }

    /* positions of values have input types, none of which is abstract */

    return type == super->type;
}


static bool
variable_is_allowed(const gql_variable_definition_t *variable,
    const gql_type_t *type, const gql_usage_t *usage)
{
    bool  has_default;

    if (usage->type->kind == GQL_REF_NON_NULL
        && variable->type->node.kind != GQL_NON_NULL_TYPE)
    {
        has_default = variable->default_value != NULL
                      && variable->default_value->node.kind != GQL_NULL;

        if (!has_default && !usage->has_default) {
            return false;
        }

        return variable_is_sub_type(variable->type, type, usage->type->of);
    }

    return variable_is_sub_type(variable->type, type, usage->type);
}


static void
variables_in_allowed_position_usage(gql_validation_t *v,
    const gql_operation_definition_t *operation, const gql_usage_t *usage,
    gql_name_entry_t *defined)
{
    prompt_str_t                      name, text;
    const gql_type_t                 *type, *parent;
    const gql_variable_definition_t  *variable;

    (void) operation;

    if (defined == NULL || usage->type == NULL) {
        return;
    }

    name = usage->node->text;
    variable = defined->value;
    type = gql_schema_type(v->schema, gql_type_node_name(variable->type));

    if (type != NULL && !variable_is_allowed(variable, type, usage)) {
        text = gql_printed(v, &variable->type->node);

        gql_refuse_two(v, variable, usage->node,
                       "Variable \"$%.*s\" of type \"%.*s\" used in position "
                       "expecting type \"%.*s\".", gql_error_arg(name),
                       gql_error_arg(text),
                       gql_error_arg(usage->type->text));
    }

    parent = usage->parent_type != NULL
             && usage->parent_type->kind == GQL_REF_NAMED
             ? usage->parent_type->type : NULL;

    if (parent != NULL && parent->kind == GQL_TYPE_INPUT_OBJECT
        && parent->one_of && type != NULL
        && variable->type->node.kind != GQL_NON_NULL_TYPE)
    {
        text = gql_printed(v, &variable->type->node);

        gql_refuse_two(v, variable, usage->node,
                       "Variable \"$%.*s\" is of type \"%.*s\" but must be "
                       "non-nullable to be used for OneOf Input Object "
                       "\"%.*s\".", gql_error_arg(name),
                       gql_error_arg(text),
                       gql_error_arg(parent->name));
    }
}


static void
variables_in_allowed_position_leave(gql_validation_t *v,
    const gql_node_t *node)
{
    (void) each_usage(v, node, variables_in_allowed_position_usage);
}


const gql_rule_t  gql_rule_variables_in_allowed_position = {
    .hooks = gql_rule_leave(GQL_OPERATION_DEFINITION,
                            variables_in_allowed_position_leave)
};
