/*
 * Validation rules that look at arguments of fields and directives
 * (specification, 5.4): KnownArgumentNames, UniqueArgumentNames,
 * ProvidedRequiredArguments.  What an argument's value may be is
 * rules_values.c's to say.
 */

#include "graphql/types/suggest.h"
#include "graphql/validate/validate_impl.h"


static const gql_directive_definition_t *argument_directive_defined(
    const gql_validation_t *v, prompt_str_t name);
static const gql_list_t *arguments_of(const gql_node_t *node);
static gql_named_t unique_argument_names_get(const gql_validation_t *v,
    const gql_node_t *node);


/* the document's own definition of a directive, which goes first, or NULL */
static const gql_directive_definition_t *
argument_directive_defined(const gql_validation_t *v, prompt_str_t name)
{
    const gql_name_entry_t  *entry;

    entry = gql_names_find(&v->directives, name);

    return entry != NULL ? entry->value : NULL;
}


/* FIELD or DIRECTIVE */
static const gql_list_t *
arguments_of(const gql_node_t *node)
{
    return node->kind == GQL_FIELD ? &((const gql_field_t *) node)->arguments
                           : &((const gql_directive_t *) node)->arguments;
}


/*
 * Argument Names
 * https://spec.graphql.org/September2025/#sec-Argument-Names
 *
 *     good:  { dog { isHouseTrained(atOtherHomes: true) } }
 *     bad:   { dog { isHouseTrained(unknown: true) } }
 *     bad:   { dog @include(unless: true) { name } }
 */
static bool known_argument_names_defined(
    const gql_directive_definition_t *defined, prompt_str_t name);
static prompt_str_t known_argument_names_suggest(gql_validation_t *v,
    const gql_directive_definition_t *defined, prompt_str_t name);
static bool known_argument_names_has(const gql_directive_def_t *def,
    prompt_str_t name);


static bool
known_argument_names_argument(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    prompt_str_t            name;
    const gql_field_def_t  *def;

    (void) state;

    def = v->info->field_def;

    if (v->info->argument != NULL || def == NULL
        || v->info->parent_type == NULL)
    {
        return true;
    }

    name = ((const gql_argument_t *) node)->name->value;

    gql_refuse_at(v, node,
                  "Unknown argument \"%.*s\" on field \"%.*s.%.*s\".%.*s",
                  gql_error_arg(name),
                  gql_error_arg(v->info->parent_type->name),
                  gql_error_arg(def->name),
                  gql_error_arg(gql_suggest_inputs(v, name, def->args,
                                                    def->nargs)));

    return true;
}


static bool
known_argument_names_directive(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    prompt_str_t                       name, suggestion;
    const gql_argument_t              *argument;
    const gql_directive_t             *directive;
    const gql_directive_def_t         *def;
    const gql_directive_definition_t  *defined;

    (void) state;

    directive = (const gql_directive_t *) node;

    def = gql_schema_directive(v->schema, directive->name->value);
    defined = argument_directive_defined(v, directive->name->value);

    if (def == NULL && defined == NULL) {
        return false;
    }

    gql_list_each(argument, &directive->arguments) {
        name = argument->name->value;

        if (defined != NULL ? known_argument_names_defined(defined, name)
                            : known_argument_names_has(def, name))
        {
            continue;
        }

        suggestion = defined != NULL
                     ? known_argument_names_suggest(v, defined, name)
                     : gql_suggest_inputs(v, name, def->args, def->nargs);

        gql_refuse_at(v, argument,
                      "Unknown argument \"%.*s\" on directive \"@%.*s\".%.*s",
                      gql_error_arg(name),
                      gql_error_arg(directive->name->value),
                      gql_error_arg(suggestion));

        if (v->stopped) {
            break;
        }
    }

    /* arguments of directives are done, none is a field's */

    return false;
}


static bool
known_argument_names_has(const gql_directive_def_t *def, prompt_str_t name)
{
    uint32_t  i;

    for (i = 0; i < def->nargs; i++) {
        if (prompt_str_eq(def->args[i].name, name)) {
            return true;
        }
    }

    return false;
}


static bool
known_argument_names_defined(const gql_directive_definition_t *defined,
    prompt_str_t name)
{
    const gql_input_value_definition_t  *argument;

    gql_list_each(argument, &defined->arguments) {
        if (prompt_str_eq(argument->name->value, name)) {
            return true;
        }
    }

    return false;
}


static prompt_str_t
known_argument_names_suggest(gql_validation_t *v,
    const gql_directive_definition_t *defined, prompt_str_t name)
{
    size_t                               n;
    prompt_str_t                        *names;
    const gql_input_value_definition_t  *argument;

    names = prompt_arena_array(v->arena, defined->arguments.count,
                               sizeof(prompt_str_t));
    if (names == NULL) {
        gql_validation_nomem(v);
        return prompt_str("");
    }

    n = 0;

    gql_list_each(argument, &defined->arguments) {
        names[n++] = argument->name->value;
    }

    return gql_did_you_mean(v->errors, v->arena, prompt_str_absent, name,
                            names, n);
}


static const gql_rule_hook_t  known_argument_names_hooks[] = {
    { GQL_DIRECTIVE, known_argument_names_directive, NULL },
    { GQL_ARGUMENT, known_argument_names_argument, NULL },
};

const gql_rule_t  gql_rule_known_argument_names = {
    prompt_str_init("KnownArgumentNamesRule"),
    0,
    NULL,
    gql_rule_hooks(known_argument_names_hooks)
};


/*
 * Argument Uniqueness
 * https://spec.graphql.org/September2025/#sec-Argument-Uniqueness
 *
 *     good:  { f(a: 1, b: 2) }
 *     bad:   { f(a: 1, a: 2) }
 */
static bool
unique_argument_names_enter(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    (void) state;

    gql_refuse_duplicates(v, arguments_of(node), unique_argument_names_get,
                          "There can be only one argument named \"");

    return true;
}


static gql_named_t
unique_argument_names_get(const gql_validation_t *v, const gql_node_t *node)
{
    gql_named_t        named;
    const gql_name_t  *name;

    (void) v;

    name = ((const gql_argument_t *) node)->name;

    named.name = name->value;
    named.offset = name->node.start;

    return named;
}


static const gql_rule_hook_t  unique_argument_names_hooks[] = {
    { GQL_FIELD, unique_argument_names_enter, NULL },
    { GQL_DIRECTIVE, unique_argument_names_enter, NULL },
};

const gql_rule_t  gql_rule_unique_argument_names = {
    prompt_str_init("UniqueArgumentNamesRule"),
    0,
    NULL,
    gql_rule_hooks(unique_argument_names_hooks)
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
static bool argument_is_provided(const gql_list_t *arguments,
    prompt_str_t name);
static void required_arguments_of_directive(gql_validation_t *v,
    const gql_directive_t *directive, const gql_directive_def_t *def);
static void required_arguments_of_definition(gql_validation_t *v,
    const gql_directive_t *directive,
    const gql_directive_definition_t *defined);


static void
provided_required_arguments_field(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    uint32_t                  i;
    const gql_field_t        *field;
    const gql_field_def_t    *def;
    const gql_input_value_t  *arg;

    (void) state;

    field = (const gql_field_t *) node;
    def = v->info->field_def;

    if (def == NULL) {
        return;
    }

    for (i = 0; i < def->nargs; i++) {
        arg = &def->args[i];

        if (gql_input_is_required(arg)
            && !argument_is_provided(&field->arguments, arg->name))
        {
            gql_refuse_at(v, field, "Field \"%.*s\" argument \"%.*s\" of type "
                          "\"%.*s\" is required, but it was not provided.",
                          gql_error_arg(def->name),
                          gql_error_arg(arg->name),
                          gql_error_arg(arg->type->text));
        }
    }
}


static bool
argument_is_provided(const gql_list_t *arguments, prompt_str_t name)
{
    const gql_argument_t  *argument;

    gql_list_each(argument, arguments) {
        if (prompt_str_eq(argument->name->value, name)) {
            return true;
        }
    }

    return false;
}


static void
provided_required_arguments_directive(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    const gql_directive_t             *directive;
    const gql_directive_def_t         *def;
    const gql_directive_definition_t  *defined;

    (void) state;

    directive = (const gql_directive_t *) node;

    defined = argument_directive_defined(v, directive->name->value);
    if (defined != NULL) {
        required_arguments_of_definition(v, directive, defined);
        return;
    }

    def = gql_schema_directive(v->schema, directive->name->value);
    if (def != NULL) {
        required_arguments_of_directive(v, directive, def);
    }
}


static void
required_arguments_of_directive(gql_validation_t *v,
    const gql_directive_t *directive, const gql_directive_def_t *def)
{
    uint32_t                  i;
    const gql_input_value_t  *arg;

    for (i = 0; i < def->nargs; i++) {
        arg = &def->args[i];

        if (gql_input_is_required(arg)
            && !argument_is_provided(&directive->arguments, arg->name))
        {
            gql_refuse_at(v, directive,
                          "Directive \"@%.*s\" argument \"%.*s\" of type "
                          "\"%.*s\" is required, but it was not provided.",
                          gql_error_arg(def->name),
                          gql_error_arg(arg->name),
                          gql_error_arg(arg->type->text));
        }
    }
}


/* of a directive that the document defines, which makes it invalid anyway */
static void
required_arguments_of_definition(gql_validation_t *v,
    const gql_directive_t *directive,
    const gql_directive_definition_t *defined)
{
    const gql_input_value_definition_t  *arg;

    gql_list_each(arg, &defined->arguments) {
        if (arg->type->node.kind != GQL_NON_NULL_TYPE
            || arg->default_value != NULL
            || argument_is_provided(&directive->arguments, arg->name->value))
        {
            continue;
        }

        gql_refuse_at(v, directive,
                      "Directive \"@%.*s\" argument \"%.*s\" of type \"%.*s\" "
                      "is required, but it was not provided.",
                      gql_error_arg(directive->name->value),
                      gql_error_arg(arg->name->value),
                      gql_error_arg(gql_printed(v, &arg->type->node)));

        if (v->stopped) {
            break;
        }
    }
}


static const gql_rule_hook_t  provided_required_arguments_hooks[] = {
    { GQL_FIELD, NULL, provided_required_arguments_field },
    { GQL_DIRECTIVE, NULL, provided_required_arguments_directive },
};

const gql_rule_t  gql_rule_provided_required_arguments = {
    prompt_str_init("ProvidedRequiredArgumentsRule"),
    0,
    NULL,
    gql_rule_hooks(provided_required_arguments_hooks)
};
