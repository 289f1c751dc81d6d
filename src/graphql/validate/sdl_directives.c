/*
 * SDL rules about directives where they are used (specification, 5.7, 5.4).
 */

#include "graphql/validate/sdl_rules.h"
#include "graphql/types/suggest.h"


/*
 * KnownDirectivesRule (5.7.1, 5.7.2): a directive that is used is defined,
 * for that place.
 *
 *     good:  type A { a: Int @deprecated }
 *     bad:   type A @deprecated { a: Int @unknown }
 */
void
gql_sdl_known_directives(gql_sdl_t *sdl, const gql_directive_t *directive,
    gql_directive_location_t location)
{
    gql_error_t                *error;
    prompt_str_t                name, where;
    const gql_sdl_directive_t  *def;

    name = directive->name->value;
    def = gql_table_get(sdl->directives, name);

    if (def == NULL) {
        error = gql_errors_add(sdl->errors, "Unknown directive \"@%.*s\".",
                               gql_error_arg(name));
        gql_sdl_error_at(sdl, error, &directive->node, NULL);
        return;
    }

    if ((def->locations & (1u << location)) == 0) {
        where = gql_directive_location_name(location);

        error = gql_errors_add(sdl->errors, "Directive \"@%.*s\" may not be "
                               "used on %.*s.", gql_error_arg(name),
                               gql_error_arg(where));
        gql_sdl_error_at(sdl, error, &directive->node, NULL);
    }
}


/*
 * UniqueDirectivesPerLocationRule (5.7.3): a directive that is not repeatable
 * stands once at a place; a type and its extensions are one place, as are the
 * schema and its own.
 *
 *     good:  type A { a: Int @deprecated b: Int @deprecated }
 *     bad:   type A { a: Int @deprecated @deprecated }
 */
void
gql_sdl_unique_directives_per_location(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives)
{
    gql_error_t                *error;
    gql_table_t                *here, **seen;
    prompt_str_t                name;
    const gql_directive_t      *directive, *known;
    const gql_sdl_directive_t  *def;

    if (directives == NULL || directives->count == 0) {
        return;
    }

    here = NULL;
    seen = &here;

    if (node->kind == GQL_SCHEMA_DEFINITION
        || node->kind == GQL_SCHEMA_EXTENSION)
    {
        seen = &sdl->schema_directives;

    } else if (gql_sdl_is_definition(node->kind)
               || gql_sdl_is_extension(node->kind))
    {
        name = ((const gql_type_definition_t *) node)->name->value;

        here = gql_sdl_table(sdl, &sdl->type_directives, name);
        if (here == NULL) {
            return;
        }
    }

    gql_list_each (directive, directives) {
        name = directive->name->value;
        def = gql_table_get(sdl->directives, name);

        if (def == NULL || def->repeatable) {
            continue;
        }

        known = gql_table_get(*seen, name);

        if (known != NULL) {
            error = gql_errors_add(sdl->errors, "The directive \"@%.*s\" can "
                                   "only be used once at this location.",
                                   gql_error_arg(name));
            gql_sdl_error_at(sdl, error, &known->node, &directive->node);
            continue;
        }

        if (!gql_sdl_remember(sdl, seen, name, directive)) {
            return;
        }
    }
}


static prompt_str_t
gql_sdl_suggest_argument(gql_sdl_t *sdl, const gql_sdl_directive_t *def,
    prompt_str_t name)
{
    uint32_t       i;
    prompt_str_t  *options;

    options = prompt_arena_array(sdl->arena, def->nargs,
                                 sizeof(prompt_str_t));
    if (options == NULL) {
        gql_sdl_nomem(sdl);
        return prompt_str("");
    }

    for (i = 0; i < def->nargs; i++) {
        options[i] = def->args[i].name;
    }

    return gql_did_you_mean(sdl->errors, sdl->arena, prompt_str_absent, name,
                            options, def->nargs);
}


/*
 * KnownArgumentNamesOnDirectivesRule (5.4.1): a directive has the arguments
 * that are given to it.
 *
 *     good:  type A { a: Int @deprecated(reason: "old") }
 *     bad:   type A { a: Int @deprecated(why: "old") }
 */
void
gql_sdl_known_argument_names_on_directives(gql_sdl_t *sdl,
    const gql_directive_t *directive, gql_directive_location_t location)
{
    gql_error_t                *error;
    prompt_str_t                name, hint;
    const gql_argument_t       *argument;
    const gql_sdl_directive_t  *def;

    (void) location;

    def = gql_table_get(sdl->directives, directive->name->value);
    if (def == NULL) {
        return;
    }

    gql_list_each (argument, &directive->arguments) {
        name = argument->name->value;

        if (gql_table_get(def->table, name) != NULL) {
            continue;
        }

        hint = gql_sdl_suggest_argument(sdl, def, name);

        error = gql_errors_add(sdl->errors, "Unknown argument \"%.*s\" on "
                               "directive \"@%.*s\".%.*s",
                               gql_error_arg(name),
                               gql_error_arg(directive->name->value),
                               gql_error_arg(hint));
        gql_sdl_error_at(sdl, error, &argument->node, NULL);
    }
}


/* The names of the arguments that a directive is given. */
static bool
gql_sdl_given(gql_sdl_t *sdl, const gql_directive_t *directive,
    gql_table_t **names)
{
    const gql_argument_t  *argument;

    gql_list_each (argument, &directive->arguments) {
        if (!gql_sdl_remember(sdl, names, argument->name->value, argument)) {
            return false;
        }
    }

    return true;
}


/*
 * ProvidedRequiredArgumentsOnDirectivesRule (5.4.3): what a directive requires
 * is given.
 *
 *     good:  scalar A @specifiedBy(url: "https://example.com/a")
 *     bad:   scalar A @specifiedBy
 */
void
gql_sdl_provided_required_arguments_on_directives(gql_sdl_t *sdl,
    const gql_directive_t *directive, gql_directive_location_t location)
{
    uint32_t                    i;
    gql_error_t                *error;
    gql_table_t                *names;
    const gql_sdl_arg_t        *arg;
    const gql_sdl_directive_t  *def;

    (void) location;

    def = gql_table_get(sdl->directives, directive->name->value);
    names = NULL;

    if (def == NULL || !gql_sdl_given(sdl, directive, &names)) {
        return;
    }

    for (i = 0; i < def->nrequired; i++) {
        arg = def->required[i];

        if (gql_table_get(names, arg->name) != NULL) {
            continue;
        }

        error = gql_errors_add(sdl->errors, "Directive \"@%.*s\" argument "
                               "\"%.*s\" of type \"%.*s\" is required, but it "
                               "was not provided.",
                               gql_error_arg(directive->name->value),
                               gql_error_arg(arg->name),
                               gql_error_arg(arg->type));
        gql_sdl_error_at(sdl, error, &directive->node, NULL);
    }
}
