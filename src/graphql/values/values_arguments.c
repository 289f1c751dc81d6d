/*
 * Coercion of arguments (specification 6.4.1), with the messages of
 * graphql-js.
 */

#include "graphql/values/values.h"
#include "graphql/values/inspect.h"
#include "graphql/syntax/printer.h"


/* of a message that shows a literal */
#define GQL_ARGUMENT_MAX_MESSAGE  (64 * 1024)


static bool gql_coerce_argument(prompt_arena_t *arena, prompt_json_t *object,
    const gql_input_value_t *def, const gql_node_t *node,
    const gql_value_t *value, const prompt_json_t *variables,
    gql_errors_t *errors);
static void gql_argument_invalid(const gql_input_value_t *def,
    const gql_value_t *value, gql_errors_t *errors);


prompt_json_t *
gql_coerce_arguments(prompt_arena_t *arena, const gql_input_value_t *defs,
    uint32_t ndefs, const gql_node_t *node, const gql_list_t *arguments,
    const prompt_json_t *variables, gql_errors_t *errors)
{
    uint32_t            i;
    prompt_json_t      *object;
    const gql_value_t  *value;

    object = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    if (object == NULL) {
        errors->nomem = true;
        return NULL;
    }

    for (i = 0; i < ndefs; i++) {
        value = gql_argument_value(arguments, defs[i].name);

        if (!gql_coerce_argument(arena, object, &defs[i], node, value,
                                 variables, errors))
        {
            if (errors->last != NULL) {
                errors->last->of_request = true;
            }

            return NULL;
        }
    }

    return object;
}


/*
 * No value: none is given (value is NULL), or that of a variable that has
 * none.  The default, or nothing, or an error at node.
 */
static bool
gql_argument_missing(prompt_arena_t *arena, prompt_json_t *object,
    const gql_input_value_t *def, const gql_node_t *node,
    const gql_value_t *value, gql_errors_t *errors)
{
    gql_error_t    *error;
    prompt_json_t  *by_default;

    if (def->default_coerced != NULL) {
        by_default = gql_value_share(arena, def->default_coerced);

        if (by_default == NULL) {
            errors->nomem = true;
            return false;
        }

        prompt_json_set(object, def->name, by_default);
    }

    if (def->default_coerced != NULL || def->type->kind != GQL_REF_NON_NULL) {
        return true;
    }

    if (value == NULL) {
        error = gql_errors_add(errors, "Argument \"%.*s\" of required type "
                               "\"%.*s\" was not provided.",
                               gql_error_arg(def->name),
                               gql_error_arg(def->type->text));

    } else {
        error = gql_errors_add(errors, "Argument \"%.*s\" of required "
                               "type \"%.*s\" was provided the variable "
                               "\"$%.*s\" which was not provided a "
                               "runtime value.",
                               gql_error_arg(def->name),
                               gql_error_arg(def->type->text),
                               gql_error_arg(value->text));
    }

    gql_error_at(errors, error, node->start);

    return false;
}


/* Sets one argument; false with an error added. */
static bool
gql_coerce_argument(prompt_arena_t *arena, prompt_json_t *object,
    const gql_input_value_t *def, const gql_node_t *node,
    const gql_value_t *value, const prompt_json_t *variables,
    gql_errors_t *errors)
{
    bool                  is_null, nomem;
    gql_error_t          *error;
    prompt_json_t        *coerced;
    const prompt_json_t  *variable;

    if (value == NULL) {
        return gql_argument_missing(arena, object, def, node, NULL, errors);
    }

    is_null = value->node.kind == GQL_NULL;

    if (value->node.kind == GQL_VARIABLE) {
        variable = prompt_json_get(variables, value->text);

        if (variable == NULL) {
            return gql_argument_missing(arena, object, def, &value->node,
                                        value, errors);
        }

        is_null = variable->type == PROMPT_JSON_NULL;
    }

    if (is_null && def->type->kind == GQL_REF_NON_NULL) {
        error = gql_errors_add(errors, "Argument \"%.*s\" of non-null type "
                               "\"%.*s\" must not be null.",
                               gql_error_arg(def->name),
                               gql_error_arg(def->type->text));
        gql_error_at(errors, error, value->node.start);
        return false;
    }

    nomem = false;
    coerced = gql_value_from_ast(arena, value, def->type, variables,
                                 &nomem);
    if (nomem) {
        errors->nomem = true;
        return false;
    }

    if (coerced == NULL) {
        gql_argument_invalid(def, value, errors);
        return false;
    }

    prompt_json_set(object, def->name, coerced);

    return true;
}


static void
gql_argument_invalid(const gql_input_value_t *def, const gql_value_t *value,
    gql_errors_t *errors)
{
    prompt_buf_t  text, shown;
    prompt_str_t  literal;

    prompt_buf_init(&text, GQL_ARGUMENT_MAX_MESSAGE);
    prompt_buf_init(&shown, GQL_ARGUMENT_MAX_MESSAGE);

    gql_print(&text, &value->node);
    gql_inspect_text(&shown, prompt_buf_view(&text));
    literal = prompt_buf_view(&shown);

    gql_error_at(errors,
                 gql_errors_add(errors,
                                "Argument \"%.*s\" has invalid value %.*s.",
                                gql_error_arg(def->name),
                                gql_error_arg(literal)),
                 value->node.start);

    errors->nomem = errors->nomem || shown.status == PROMPT_BUF_NOMEM;

    prompt_buf_free(&text);
    prompt_buf_free(&shown);
}


prompt_json_t *
gql_value_share(prompt_arena_t *arena, const prompt_json_t *value)
{
    prompt_json_t  *node;

    node = prompt_arena_alloc(arena, sizeof(prompt_json_t));
    if (node == NULL) {
        return NULL;
    }

    *node = *value;
    node->next = NULL;
    node->name = prompt_str_absent;

    return node;
}
