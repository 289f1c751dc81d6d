/*
 * Rules on arguments of fields and directives (specification, 5.4):
 * KnownArgumentNames, ProvidedRequiredArguments.  What an argument's value may
 * be is rules_values.c's to say.
 */

#include "graphql/validate/validate_impl.h"


/*
 * Argument Names
 * https://spec.graphql.org/September2025/#sec-Argument-Names
 *
 *     good:  { dog { isHouseTrained(atOtherHomes: true) } }
 *     bad:   { dog { isHouseTrained(unknown: true) } }
 *     bad:   { dog @include(unless: true) { name } }
 */
static bool
known_argument_names_argument(gql_validation_t *v, const gql_node_t *node)
{
    prompt_str_t            name, hint;
    const gql_field_def_t  *def;

    def = v->info->field_def;

    if (v->info->argument != NULL || def == NULL
        || v->info->parent_type == NULL)
    {
        return true;
    }

    name = ((const gql_argument_t *) node)->name->value;
    hint = gql_suggest_argument(v, name, def->args, def->nargs);

    gql_refuse_at(v, node,
                  "Unknown argument \"%.*s\" on field \"%.*s.%.*s\".%.*s",
                  gql_error_arg(name),
                  gql_error_arg(v->info->parent_type->name),
                  gql_error_arg(def->name),
                  gql_error_arg(hint));

    return true;
}


static bool
known_argument_names_directive(gql_validation_t *v, const gql_node_t *node)
{
    prompt_str_t                name, hint;
    const gql_argument_t       *argument;
    const gql_directive_t      *directive;
    const gql_directive_def_t  *def;

    directive = (const gql_directive_t *) node;

    def = v->info->directive;
    if (def == NULL) {
        return false;
    }

    gql_list_each(argument, &directive->arguments) {
        name = argument->name->value;

        if (gql_argument_def(def->args, def->nargs, name) != NULL) {
            continue;
        }

        hint = gql_suggest_argument(v, name, def->args, def->nargs);

        gql_refuse_at(v, argument,
                      "Unknown argument \"%.*s\" on directive \"@%.*s\".%.*s",
                      gql_error_arg(name),
                      gql_error_arg(directive->name->value),
                      gql_error_arg(hint));

        if (v->stopped) {
            break;
        }
    }

    /* arguments of directives are done, none is a field's */

    return false;
}


const gql_rule_t  gql_rule_known_argument_names = {
    .hooks = {
        { gql_kind_bit(GQL_DIRECTIVE), known_argument_names_directive, NULL },
        { gql_kind_bit(GQL_ARGUMENT), known_argument_names_argument, NULL },
    }
};


/*
 * Required Arguments
 * https://spec.graphql.org/September2025/#sec-Required-Arguments
 *
 *     good:  { prompt(id: "1") { name } }
 *     bad:   { prompt { name } }
 *     bad:   { dog @include { name } }
 *
 * When the node is left, so that errors below it come first.
 */
static void required_arguments(gql_validation_t *v, const gql_node_t *node,
    const char *what, prompt_str_t name, const gql_list_t *given,
    const gql_input_value_t *args, uint32_t nargs);


static void
provided_required_arguments_field(gql_validation_t *v, const gql_node_t *node)
{
    const gql_field_def_t  *def;

    def = v->info->field_def;

    if (def != NULL) {
        required_arguments(v, node, "Field \"", def->name,
                           &((const gql_field_t *) node)->arguments,
                           def->args, def->nargs);
    }
}


static void
provided_required_arguments_directive(gql_validation_t *v,
    const gql_node_t *node)
{
    const gql_directive_def_t  *def;

    def = v->info->directive;

    if (def != NULL) {
        required_arguments(v, node, "Directive \"@", def->name,
                           &((const gql_directive_t *) node)->arguments,
                           def->args, def->nargs);
    }
}


static void
required_arguments(gql_validation_t *v, const gql_node_t *node,
    const char *what, prompt_str_t name, const gql_list_t *given,
    const gql_input_value_t *args, uint32_t nargs)
{
    uint32_t                  i;
    const gql_input_value_t  *arg;

    for (i = 0; i < nargs && !v->stopped; i++) {
        arg = &args[i];

        if (!gql_input_is_required(arg)
            || gql_argument_value(given, arg->name) != NULL)
        {
            continue;
        }

        gql_refuse_at(v, node, "%s%.*s\" argument \"%.*s\" of type \"%.*s\" "
                      "is required, but it was not provided.", what,
                      gql_error_arg(name), gql_error_arg(arg->name),
                      gql_error_arg(arg->type->text));
    }
}


const gql_rule_t  gql_rule_provided_required_arguments = {
    .hooks = {
        { gql_kind_bit(GQL_FIELD), NULL, provided_required_arguments_field },
        { gql_kind_bit(GQL_DIRECTIVE), NULL,
          provided_required_arguments_directive },
    }
};
