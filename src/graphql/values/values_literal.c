/*
 * Literals as values: valueFromAST(), valueFromASTUntyped() and parseLiteral()
 * of graphql-js.
 *
 * Recursion is bounded by the nesting that the parser allows.
 */

#include "graphql/values/values.h"
#include "graphql/values/values_impl.h"
#include "graphql/values/inspect.h"
#include "graphql/syntax/printer.h"
#include "graphql/types/suggest.h"


typedef struct {
    prompt_arena_t       *arena;
    const prompt_json_t  *variables;
    bool                 *nomem;
} gql_literal_t;


/* which literals are values of a scalar, and what is said of others */
static const struct {
    uint64_t     kinds;              /* a set */
    const char  *refused;            /* NULL: none are */
} gql_literal_scalars[] = {
    [GQL_SCALAR_CUSTOM] = { UINT64_MAX, NULL },
    [GQL_SCALAR_INT] = { gql_kind_bit(GQL_INT), GQL_NO_INT },
    [GQL_SCALAR_FLOAT] = { gql_kind_bit(GQL_INT) | gql_kind_bit(GQL_FLOAT),
                           GQL_NO_FLOAT },
    [GQL_SCALAR_STRING] = { gql_kind_bit(GQL_STRING), GQL_NO_STRING },
    [GQL_SCALAR_BOOLEAN] = { gql_kind_bit(GQL_BOOLEAN), GQL_NO_BOOLEAN },
    [GQL_SCALAR_ID] = {
        gql_kind_bit(GQL_STRING) | gql_kind_bit(GQL_INT),
        "ID cannot represent a non-string and non-integer value: " }
};


static prompt_json_t *gql_literal_value(gql_literal_t *l,
    const gql_value_t *node, const gql_type_ref_t *type);
static prompt_json_t *gql_literal_variable(gql_literal_t *l,
    const gql_value_t *node, const gql_type_ref_t *type);
static prompt_json_t *gql_literal_list(gql_literal_t *l,
    const gql_value_t *node, const gql_type_ref_t *type);
static prompt_json_t *gql_literal_object(gql_literal_t *l,
    const gql_value_t *node, const gql_type_t *type);
static prompt_json_t *gql_literal_leaf(gql_literal_t *l,
    const gql_value_t *node, const gql_type_t *type);
static prompt_json_t *gql_literal_int(gql_literal_t *l,
    const gql_value_t *node);
static prompt_json_t *gql_literal_untyped(gql_literal_t *l,
    const gql_value_t *node);
static prompt_json_t *gql_literal_text(gql_literal_t *l,
    prompt_json_type_t type, prompt_str_t text);
static prompt_json_t *gql_literal_new(gql_literal_t *l,
    prompt_json_type_t type);
static prompt_json_t *gql_literal_made(gql_literal_t *l,
    prompt_json_t *value);
static const prompt_json_t *gql_literal_lookup(const gql_literal_t *l,
    const gql_value_t *node);
static bool gql_literal_is_missing(const gql_literal_t *l,
    const gql_value_t *node);
static prompt_str_t gql_literal_message(const gql_errors_t *errors,
    prompt_arena_t *arena, const gql_type_t *type, const gql_value_t *node);


prompt_json_t *
gql_value_from_ast(prompt_arena_t *arena, const gql_value_t *node,
    const gql_type_ref_t *type, const prompt_json_t *variables, bool *nomem)
{
    gql_literal_t  l = { arena, variables, nomem };

    return gql_literal_value(&l, node, type);
}


bool
gql_leaf_parse_literal(const gql_errors_t *errors, prompt_arena_t *arena,
    const gql_type_t *type, const gql_value_t *node, prompt_json_t **out,
    prompt_str_t *message)
{
    bool            nomem = false;
    prompt_json_t  *value;
    gql_literal_t   l = { arena, NULL, &nomem };

    value = gql_literal_leaf(&l, node, type);

    if (value == NULL) {
        *message = nomem ? prompt_str_absent
                         : gql_literal_message(errors, arena, type, node);
        return false;
    }

    if (out != NULL) {
        *out = value;
    }

    return true;
}


/* type: NULL where any will do.  NULL: no value of the type, or nomem */
static prompt_json_t *
gql_literal_value(gql_literal_t *l, const gql_value_t *node,
    const gql_type_ref_t *type)
{
    prompt_json_t  *list, *item;

    if (node->node.kind == GQL_VARIABLE) {
        return gql_literal_variable(l, node, type);
    }

    if (type == NULL) {
        return gql_literal_untyped(l, node);
    }

    if (type->kind == GQL_REF_NON_NULL) {
        if (node->node.kind == GQL_NULL) {
            return NULL;
        }

        type = type->of;
    }

    if (node->node.kind == GQL_NULL) {
        return gql_literal_new(l, PROMPT_JSON_NULL);
    }

    if (type->kind == GQL_REF_LIST) {
        if (node->node.kind == GQL_LIST) {
            return gql_literal_list(l, node, type->of);
        }

        item = gql_literal_value(l, node, type->of);
        if (item == NULL) {
            return NULL;
        }

        list = gql_literal_new(l, PROMPT_JSON_ARRAY);
        if (list != NULL) {
            prompt_json_append(list, item);
        }

        return list;
    }

    if (type->type->kind == GQL_TYPE_INPUT_OBJECT) {
        return gql_literal_object(l, node, type->type);
    }

    return gql_literal_leaf(l, node, type->type);
}


/*
 * The value is taken as it is: validation has seen to it that the variable is
 * of a type that may stand here.
 */
static prompt_json_t *
gql_literal_variable(gql_literal_t *l, const gql_value_t *node,
    const gql_type_ref_t *type)
{
    const prompt_json_t  *value;

    value = gql_literal_lookup(l, node);

    if (value == NULL
        || (value->type == PROMPT_JSON_NULL && type != NULL
            && type->kind == GQL_REF_NON_NULL))
    {
        return NULL;
    }

    return gql_literal_made(l, gql_value_share(l->arena, value));
}


static prompt_json_t *
gql_literal_list(gql_literal_t *l, const gql_value_t *node,
    const gql_type_ref_t *type)
{
    prompt_json_t      *list, *item;
    const gql_value_t  *element;

    list = gql_literal_new(l, PROMPT_JSON_ARRAY);
    if (list == NULL) {
        return NULL;
    }

    gql_list_each (element, &node->items) {
        if (!gql_literal_is_missing(l, element)) {
            item = gql_literal_value(l, element, type);

        } else if (type != NULL && type->kind == GQL_REF_NON_NULL) {
            item = NULL;

        } else {
            item = gql_literal_new(l, PROMPT_JSON_NULL);
        }

        if (item == NULL) {
            return NULL;
        }

        prompt_json_append(list, item);
    }

    return list;
}


static prompt_json_t *
gql_literal_object(gql_literal_t *l, const gql_value_t *node,
    const gql_type_t *type)
{
    uint32_t                  i;
    prompt_json_t            *object, *item;
    const gql_value_t        *given;
    const gql_input_value_t  *field;

    if (node->node.kind != GQL_OBJECT) {
        return NULL;
    }

    object = gql_literal_new(l, PROMPT_JSON_OBJECT);
    if (object == NULL) {
        return NULL;
    }

    for (i = 0; i < type->ninput_fields; i++) {
        field = &type->input_fields[i];
        given = gql_argument_value(&node->items, field->name);

        if (given != NULL && !gql_literal_is_missing(l, given)) {
            item = gql_literal_value(l, given, field->type);

        } else if (field->default_coerced != NULL) {
            item = gql_value_share(l->arena, field->default_coerced);
            item = gql_literal_made(l, item);

        } else if (field->type->kind == GQL_REF_NON_NULL) {
            item = NULL;

        } else {
            continue;
        }

        if (item == NULL) {
            return NULL;
        }

        prompt_json_set(object, field->name, item);
    }

    if (type->one_of
        && (object->count != 1 || object->first->type == PROMPT_JSON_NULL))
    {
        return NULL;
    }

    return object;
}


/* parseLiteral(): NULL where it throws, or gives undefined */
static prompt_json_t *
gql_literal_leaf(gql_literal_t *l, const gql_value_t *node,
    const gql_type_t *type)
{
    gql_kind_t  kind;

    kind = node->node.kind;

    if (type->kind == GQL_TYPE_ENUM) {
        if (kind != GQL_ENUM
            || gql_type_enum_value(type, node->text) == NULL)
        {
            return NULL;
        }

        return gql_literal_text(l, PROMPT_JSON_STRING, node->text);
    }

    if (!gql_kind_is(kind, gql_literal_scalars[type->scalar].kinds)) {
        return NULL;
    }

    if (type->scalar == GQL_SCALAR_INT) {
        return gql_literal_int(l, node);
    }

    if (type->scalar == GQL_SCALAR_ID) {
        return gql_literal_text(l, PROMPT_JSON_STRING, node->text);
    }

    return gql_literal_untyped(l, node);
}


/* NULL also where it does not have 32 bits */
static prompt_json_t *
gql_literal_int(gql_literal_t *l, const gql_value_t *node)
{
    int64_t        value;
    prompt_json_t  number;

    number.type = PROMPT_JSON_NUMBER;
    number.text = node->text;

    if (!prompt_json_integer(&number, &value) || value < INT32_MIN
        || value > INT32_MAX)
    {
        return NULL;
    }

    return gql_literal_made(l, prompt_json_new_integer(l->arena, value));
}


static prompt_json_t *
gql_literal_untyped_object(gql_literal_t *l, const gql_value_t *node)
{
    prompt_json_t             *value, *item;
    const gql_object_field_t  *member;

    value = gql_literal_new(l, PROMPT_JSON_OBJECT);
    if (value == NULL) {
        return NULL;
    }

    gql_list_each (member, &node->items) {

        /* names are unique, as validation has it; undefined is left out */

        if (gql_literal_is_missing(l, member->value)) {
            continue;
        }

        item = gql_literal_value(l, member->value, NULL);
        if (item == NULL) {
            return NULL;
        }

        prompt_json_set(value, member->name->value, item);
    }

    return value;
}


static prompt_json_t *
gql_literal_untyped(gql_literal_t *l, const gql_value_t *node)
{
    prompt_json_t  *value;

    switch (node->node.kind) {

    case GQL_INT:
    case GQL_FLOAT:
        return gql_literal_text(l, PROMPT_JSON_NUMBER, node->text);

    case GQL_STRING:
    case GQL_ENUM:
        return gql_literal_text(l, PROMPT_JSON_STRING, node->text);

    case GQL_BOOLEAN:
        value = gql_literal_new(l, PROMPT_JSON_BOOLEAN);

        if (value != NULL) {
            value->boolean = node->boolean;
        }

        return value;

    case GQL_LIST:
        return gql_literal_list(l, node, NULL);

    case GQL_OBJECT:
        return gql_literal_untyped_object(l, node);

    default:
        return gql_literal_new(l, PROMPT_JSON_NULL);
    }
}


static prompt_json_t *
gql_literal_text(gql_literal_t *l, prompt_json_type_t type, prompt_str_t text)
{
    prompt_json_t  *value;

    value = gql_literal_new(l, type);

    if (value != NULL) {
        value->text = text;
    }

    return value;
}


static prompt_json_t *
gql_literal_new(gql_literal_t *l, prompt_json_type_t type)
{
    return gql_literal_made(l, prompt_json_new(l->arena, type));
}


/* NULL: memory is short */
static prompt_json_t *
gql_literal_made(gql_literal_t *l, prompt_json_t *value)
{
    if (value == NULL) {
        *l->nomem = true;
    }

    return value;
}


/* what a variable is, or NULL */
static const prompt_json_t *
gql_literal_lookup(const gql_literal_t *l, const gql_value_t *node)
{
    const prompt_json_t  *value;

    value = prompt_json_get(l->variables, node->text);

    return value != NULL && !gql_value_is_undefined(value) ? value : NULL;
}


static bool
gql_literal_is_missing(const gql_literal_t *l, const gql_value_t *node)
{
    return node->node.kind == GQL_VARIABLE
           && gql_literal_lookup(l, node) == NULL;
}


/* what parseLiteral() throws; absent where it gives undefined */
static prompt_str_t
gql_literal_message(const gql_errors_t *errors, prompt_arena_t *arena,
    const gql_type_t *type, const gql_value_t *node)
{
    const char    *text;
    prompt_buf_t   buf;
    prompt_str_t   message;

    prompt_buf_init(&buf, SIZE_MAX);

    if (type->kind == GQL_TYPE_ENUM) {
        gql_print(&buf, &node->node);
        message = gql_enum_message(errors, arena, type, prompt_buf_view(&buf),
                                   node->node.kind == GQL_ENUM ? NULL
                                                               : "non-enum");
        prompt_buf_free(&buf);
        return message;
    }

    text = type->scalar == GQL_SCALAR_INT && node->node.kind == GQL_INT
           ? GQL_NO_INT32 : gql_literal_scalars[type->scalar].refused;

    if (text == NULL) {
        return prompt_str_absent;
    }

    prompt_buf_printf(&buf, "%s", text);
    gql_print(&buf, &node->node);

    return prompt_arena_take(arena, &buf);
}


prompt_str_t
gql_enum_message(const gql_errors_t *errors, prompt_arena_t *arena,
    const gql_type_t *type, prompt_str_t shown, const char *what)
{
    prompt_buf_t  buf;

    prompt_buf_init(&buf, SIZE_MAX);

    if (what == NULL) {
        prompt_buf_literal(&buf, "Value \"");
        gql_inspect_text(&buf, shown);
        prompt_buf_literal(&buf, "\" does not exist in \"");
        prompt_buf_str(&buf, type->name);
        prompt_buf_literal(&buf, "\" enum.");

    } else {
        prompt_buf_literal(&buf, "Enum \"");
        prompt_buf_str(&buf, type->name);
        prompt_buf_printf(&buf, "\" cannot represent %s value: ", what);
        gql_inspect_text(&buf, shown);
        prompt_buf_char(&buf, '.');
    }

    prompt_buf_str(&buf, gql_did_you_mean(errors, arena,
                                          prompt_str("the enum value"), shown,
                                          &type->by_name));

    return prompt_arena_take(arena, &buf);
}
