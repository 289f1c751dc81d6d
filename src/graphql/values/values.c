/*
 * Coercion of the variables of a request (specification 6.1.2), with the
 * messages of graphql-js.
 */

#include "graphql/values/values.h"
#include "graphql/syntax/names.h"
#include "graphql/syntax/printer.h"
#include "graphql/values/values_impl.h"


/* from so many members and variables on, members are found by a table */
#define GQL_VALUES_INDEX_MIN  16


static bool gql_given_index(gql_names_t *wanted,
    const gql_operation_definition_t *operation, const prompt_json_t *given);
static prompt_json_t *gql_coerce_variable(gql_coercion_t *c,
    const gql_schema_t *schema, const prompt_json_t *given);
static void gql_coerce_absent(gql_coercion_t *c, const gql_type_ref_t *type,
    const prompt_json_t *given);
static prompt_json_t *gql_coerce_default(gql_coercion_t *c,
    const gql_type_ref_t *type);
static const gql_type_ref_t *gql_coerce_type(gql_coercion_t *c,
    const gql_schema_t *schema);


prompt_json_t *
gql_coerce_variables(prompt_arena_t *arena, const gql_schema_t *schema,
    const gql_operation_definition_t *operation, const prompt_json_t *given,
    gql_errors_t *errors)
{
    bool                              indexed;
    gql_names_t                       wanted;
    prompt_json_t                    *object, *value;
    gql_coercion_t                    c;
    const prompt_json_t              *member;
    const gql_variable_definition_t  *variable;

    memset(&c, 0, sizeof(c));
    c.arena = arena;
    c.errors = errors;

    indexed = given != NULL && given->type == PROMPT_JSON_OBJECT
              && given->count >= GQL_VALUES_INDEX_MIN
              && operation->variables.count >= GQL_VALUES_INDEX_MIN;

    gql_names_init(&wanted, arena);
    object = prompt_json_new(arena, PROMPT_JSON_OBJECT);

    if (object == NULL
        || (indexed && !gql_given_index(&wanted, operation, given)))
    {
        errors->nomem = true;
        return NULL;
    }

    gql_list_each (variable, &operation->variables) {
        member = indexed ? gql_names_get(&wanted, variable->variable->text)
                         : prompt_json_get(given, variable->variable->text);

        c.variable = variable;
        value = gql_coerce_variable(&c, schema, member);

        if (c.stop) {
            break;
        }

        if (value != NULL) {
            prompt_json_set(object, variable->variable->text, value);
        }
    }

    return c.stop || c.count != 0 ? NULL : object;
}


/* what is given for each variable that is wanted */
static bool
gql_given_index(gql_names_t *wanted,
    const gql_operation_definition_t *operation, const prompt_json_t *given)
{
    gql_name_entry_t                 *entry;
    const prompt_json_t              *member;
    const gql_variable_definition_t  *variable;

    gql_list_each (variable, &operation->variables) {
        if (gql_names_add(wanted, variable->variable->text) == NULL) {
            return false;
        }
    }

    for (member = given->first; member != NULL; member = member->next) {
        entry = gql_names_find(wanted, member->name);

        if (entry != NULL && entry->value == NULL) {
            entry->value = (void *) (uintptr_t) member;
        }
    }

    return true;
}


/* the value of c->variable, or NULL: none, or an error (c->count), or stop */
static prompt_json_t *
gql_coerce_variable(gql_coercion_t *c, const gql_schema_t *schema,
    const prompt_json_t *given)
{
    gql_path_t                        root;
    const gql_type_ref_t             *type;
    const gql_variable_definition_t  *def;

    def = c->variable;

    type = gql_coerce_type(c, schema);
    if (type == NULL) {
        return NULL;
    }

    if (given == NULL && def->default_value != NULL) {
        return gql_coerce_default(c, type);
    }

    if (given == NULL && type->kind != GQL_REF_NON_NULL) {
        return NULL;
    }

    if (type->kind == GQL_REF_NON_NULL
        && (given == NULL || given->type == PROMPT_JSON_NULL))
    {
        gql_coerce_absent(c, type, given);
        return NULL;
    }

    root = (gql_path_t) { NULL, def->variable->text, 0 };

    return gql_coerce_input(c, given, type, &root);
}


/* c->variable must be there, and is null, or not given at all */
static void
gql_coerce_absent(gql_coercion_t *c, const gql_type_ref_t *type,
    const prompt_json_t *given)
{
    const prompt_str_t  message[] = {
        prompt_str("Variable \"$"),
        c->variable->variable->text,
        given == NULL ? prompt_str("\" of required type \"")
                      : prompt_str("\" of non-null type \""),
        type->text,
        given == NULL ? prompt_str("\" was not provided.")
                      : prompt_str("\" must not be null.")
    };

    (void) gql_coerce_error(c, message, 5);
}


static prompt_json_t *
gql_coerce_default(gql_coercion_t *c, const gql_type_ref_t *type)
{
    bool            nomem;
    prompt_json_t  *value;

    nomem = false;
    value = gql_value_from_ast(c->arena, c->variable->default_value, type,
                               NULL, &nomem);

    if (value == NULL && !nomem) {
        value = prompt_json_new(c->arena, PROMPT_JSON_NULL);
        nomem = value == NULL;

        if (!nomem) {
            value->boolean = true;   /* gql_value_is_undefined() */
        }
    }

    if (nomem) {
        gql_coerce_nomem(c);
    }

    return value;
}


/* the type of c->variable, or NULL with an error where it is no input type */
static const gql_type_ref_t *
gql_coerce_type(gql_coercion_t *c, const gql_schema_t *schema)
{
    prompt_buf_t            buf;
    gql_error_t            *error;
    prompt_str_t            message[5];
    const gql_type_ref_t   *type;

    type = gql_schema_type_from_ast(schema, c->arena, c->variable->type);

    if (type != NULL && gql_type_is_input(gql_ref_named(type))) {
        return type;
    }

    if (type == NULL
        && gql_schema_type(schema, gql_type_node_name(c->variable->type))
           != NULL)
    {
        gql_coerce_nomem(c);
        return NULL;
    }

    prompt_buf_init(&buf, SIZE_MAX);
    gql_print(&buf, &c->variable->type->node);

    message[0] = prompt_str("Variable \"$");
    message[1] = c->variable->variable->text;
    message[2] = prompt_str("\" expected value of type \"");
    message[3] = prompt_buf_view(&buf);
    message[4] = prompt_str("\" which cannot be used as an input type.");

    error = gql_coerce_error(c, message, 5);
    prompt_buf_free(&buf);

    if (error == NULL) {
        return NULL;
    }

    /* the type, not the variable, is what is wrong */

    error->locations = NULL;
    error->nlocations = 0;
    gql_error_at(c->errors, error, c->variable->type->node.start);

    return NULL;
}


gql_error_t *
gql_coerce_error(gql_coercion_t *c, const prompt_str_t *pieces, size_t n)
{
    gql_error_t  *error;

    if (c->stop) {
        return NULL;
    }

    if (c->count == GQL_VALUES_MAX_ERRORS) {
        gql_errors_add(c->errors, "Too many errors processing variables, "
                       "error limit reached. Execution aborted.");
        c->stop = true;
        return NULL;
    }

    error = gql_errors_add_pieces(c->errors, pieces, n);
    if (error == NULL) {
        c->stop = true;
        return NULL;
    }

    c->count++;
    gql_error_at(c->errors, error, c->variable->node.start);

    return error;
}


void
gql_coerce_nomem(gql_coercion_t *c)
{
    c->errors->nomem = true;
    c->stop = true;
}
