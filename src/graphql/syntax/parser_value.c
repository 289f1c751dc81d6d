/*
 * Parser: what both grammars are made of: names, types, values, arguments and
 * directives (specification, 2.6, 2.9, 2.11, 2.12).
 */

#include "graphql/syntax/parser_impl.h"


gql_name_t *
gql_parser_name(gql_parser_t *parser)
{
    gql_name_t    *name;
    gql_token_t    token;

    token = parser->token;

    if (!gql_parser_expect(parser, GQL_TOKEN_NAME)) {
        return NULL;
    }

    name = gql_parser_node(parser, sizeof(gql_name_t), GQL_NAME, token.start);
    if (name == NULL) {
        return NULL;
    }

    name->value = token.value;

    return gql_parser_finish(parser, name);
}


static gql_value_t *
gql_parser_string(gql_parser_t *parser)
{
    gql_token_t   token;
    gql_value_t  *value;

    token = parser->token;

    if (!gql_parser_advance(parser)) {
        return NULL;
    }

    value = gql_parser_node(parser, sizeof(gql_value_t), GQL_STRING,
                            token.start);
    if (value == NULL) {
        return NULL;
    }

    value->text = token.value;
    value->block = token.kind == GQL_TOKEN_BLOCK_STRING;

    return gql_parser_finish(parser, value);
}


bool
gql_parser_description(gql_parser_t *parser, gql_value_t **description)
{
    if (!gql_parser_peek_description(parser)) {
        return true;
    }

    *description = gql_parser_string(parser);

    return *description != NULL;
}


bool
gql_parser_is_operation_type(prompt_str_t keyword,
    gql_operation_type_t *operation)
{
    unsigned  i;

    static const prompt_str_t  keywords[] = {
        [GQL_QUERY] = prompt_str_init("query"),
        [GQL_MUTATION] = prompt_str_init("mutation"),
        [GQL_SUBSCRIPTION] = prompt_str_init("subscription")
    };

    for (i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
        if (prompt_str_eq(keyword, keywords[i])) {
            *operation = (gql_operation_type_t) i;
            return true;
        }
    }

    return false;
}


bool
gql_parser_operation_type(gql_parser_t *parser,
    gql_operation_type_t *operation)
{
    gql_token_t  token;

    token = parser->token;

    return gql_parser_expect(parser, GQL_TOKEN_NAME)
           && (gql_parser_is_operation_type(token.value, operation)
               || gql_parser_unexpected(parser, &token));
}


/* types (specification, 2.11) */

void *
gql_parser_named_type(gql_parser_t *parser)
{
    gql_type_node_t  *type;

    type = gql_parser_node(parser, sizeof(gql_type_node_t), GQL_NAMED_TYPE,
                           parser->token.start);
    if (type == NULL) {
        return NULL;
    }

    type->name = gql_parser_name(parser);
    if (type->name == NULL) {
        return NULL;
    }

    return gql_parser_finish(parser, type);
}


static gql_type_node_t *
gql_parser_list_type(gql_parser_t *parser)
{
    gql_type_node_t  *type;

    type = gql_parser_node(parser, sizeof(gql_type_node_t), GQL_LIST_TYPE,
                           parser->token.start);

    if (type == NULL
        || !gql_parser_enter(parser)
        || !gql_parser_expect(parser, GQL_TOKEN_BRACKET_L))
    {
        return NULL;
    }

    type->of = gql_parser_type(parser);

    if (type->of == NULL || !gql_parser_expect(parser, GQL_TOKEN_BRACKET_R)) {
        return NULL;
    }

    gql_parser_leave(parser);

    return gql_parser_finish(parser, type);
}


gql_type_node_t *
gql_parser_type(gql_parser_t *parser)
{
    bool              non_null;
    gql_type_node_t  *type, *of;

    if (gql_parser_peek(parser, GQL_TOKEN_BRACKET_L)) {
        of = gql_parser_list_type(parser);

    } else {
        of = gql_parser_named_type(parser);
    }

    if (of == NULL
        || !gql_parser_optional(parser, GQL_TOKEN_BANG, &non_null))
    {
        return NULL;
    }

    if (!non_null) {
        return of;
    }

    type = gql_parser_node(parser, sizeof(gql_type_node_t), GQL_NON_NULL_TYPE,
                           of->node.start);
    if (type == NULL) {
        return NULL;
    }

    type->of = of;

    return gql_parser_finish(parser, type);
}


/* values (specification, 2.9) */

gql_value_t *
gql_parser_variable(gql_parser_t *parser)
{
    gql_name_t   *name;
    gql_value_t  *value;

    value = gql_parser_node(parser, sizeof(gql_value_t), GQL_VARIABLE,
                            parser->token.start);

    if (value == NULL || !gql_parser_expect(parser, GQL_TOKEN_DOLLAR)) {
        return NULL;
    }

    name = gql_parser_name(parser);
    if (name == NULL) {
        return NULL;
    }

    value->text = name->value;

    return gql_parser_finish(parser, value);
}


/* a variable where only constants may stand: always NULL */
static gql_value_t *
gql_parser_const_variable(gql_parser_t *parser)
{
    gql_token_t   dollar;
    prompt_str_t  pieces[3];

    dollar = parser->token;

    if (!gql_parser_expect(parser, GQL_TOKEN_DOLLAR)) {
        return NULL;
    }

    if (gql_parser_peek(parser, GQL_TOKEN_NAME)) {
        pieces[0] = prompt_str("Unexpected variable \"$");
        pieces[1] = parser->token.value;
        pieces[2] = prompt_str("\" in constant value.");

        (void) gql_syntax_error(parser->errors, dollar.start, pieces, 3);
        return NULL;
    }

    (void) gql_parser_unexpected(parser, &dollar);

    return NULL;
}


/* INT, FLOAT, BOOLEAN, NULL, ENUM: one token */
static gql_value_t *
gql_parser_scalar(gql_parser_t *parser)
{
    gql_kind_t    kind;
    gql_token_t   token;
    gql_value_t  *value;

    token = parser->token;

    if (!gql_parser_advance(parser)) {
        return NULL;
    }

    if (token.kind == GQL_TOKEN_INT) {
        kind = GQL_INT;

    } else if (token.kind == GQL_TOKEN_FLOAT) {
        kind = GQL_FLOAT;

    } else if (prompt_str_eq(token.value, prompt_str("true"))
               || prompt_str_eq(token.value, prompt_str("false")))
    {
        kind = GQL_BOOLEAN;

    } else if (prompt_str_eq(token.value, prompt_str("null"))) {
        kind = GQL_NULL;

    } else {
        kind = GQL_ENUM;
    }

    value = gql_parser_node(parser, sizeof(gql_value_t), kind, token.start);
    if (value == NULL) {
        return NULL;
    }

    value->text = token.value;
    value->boolean = kind == GQL_BOOLEAN && token.value.data[0] == 't';

    return gql_parser_finish(parser, value);
}


/* a field of an object, or an argument */
static void *
gql_parser_pair(gql_parser_t *parser, gql_kind_t kind)
{
    gql_object_field_t  *field;

    field = gql_parser_node(parser, sizeof(gql_object_field_t), kind,
                            parser->token.start);
    if (field == NULL) {
        return NULL;
    }

    field->name = gql_parser_name(parser);

    if (field->name == NULL || !gql_parser_expect(parser, GQL_TOKEN_COLON)) {
        return NULL;
    }

    field->value = gql_parser_value(parser);
    if (field->value == NULL) {
        return NULL;
    }

    return gql_parser_finish(parser, field);
}


static void *
gql_parser_object_field(gql_parser_t *parser)
{
    return gql_parser_pair(parser, GQL_OBJECT_FIELD);
}


/* LIST, OBJECT */
static gql_value_t *
gql_parser_items_of(gql_parser_t *parser, gql_kind_t kind,
    gql_token_kind_t open, gql_parse_item_pt item, gql_token_kind_t close)
{
    gql_value_t  *value;

    value = gql_parser_node(parser, sizeof(gql_value_t), kind,
                            parser->token.start);

    if (value == NULL
        || !gql_parser_enter(parser)
        || !gql_parser_any(parser, open, item, close, &value->items))
    {
        return NULL;
    }

    gql_parser_leave(parser);

    return gql_parser_finish(parser, value);
}


void *
gql_parser_value(gql_parser_t *parser)
{
    switch (parser->token.kind) {

    case GQL_TOKEN_BRACKET_L:
        return gql_parser_items_of(parser, GQL_LIST, GQL_TOKEN_BRACKET_L,
                                   gql_parser_value, GQL_TOKEN_BRACKET_R);

    case GQL_TOKEN_BRACE_L:
        return gql_parser_items_of(parser, GQL_OBJECT, GQL_TOKEN_BRACE_L,
                                   gql_parser_object_field,
                                   GQL_TOKEN_BRACE_R);

    case GQL_TOKEN_STRING:
    case GQL_TOKEN_BLOCK_STRING:
        return gql_parser_string(parser);

    case GQL_TOKEN_INT:
    case GQL_TOKEN_FLOAT:
    case GQL_TOKEN_NAME:
        return gql_parser_scalar(parser);

    case GQL_TOKEN_DOLLAR:
        return parser->constant ? gql_parser_const_variable(parser)
                                : gql_parser_variable(parser);

    default:
        (void) gql_parser_unexpected(parser, &parser->token);
        return NULL;
    }
}


void *
gql_parser_const_value(gql_parser_t *parser)
{
    gql_value_t  *value;

    parser->constant = true;
    value = gql_parser_value(parser);
    parser->constant = false;

    return value;
}


/* arguments and directives (specification, 2.6, 2.12) */

static void *
gql_parser_argument(gql_parser_t *parser)
{
    return gql_parser_pair(parser, GQL_ARGUMENT);
}


bool
gql_parser_arguments(gql_parser_t *parser, gql_list_t *list)
{
    return gql_parser_optional_many(parser, GQL_TOKEN_PAREN_L,
                                    gql_parser_argument, GQL_TOKEN_PAREN_R,
                                    list);
}


bool
gql_parser_directives(gql_parser_t *parser, gql_list_t *list)
{
    gql_directive_t  *directive;

    while (gql_parser_peek(parser, GQL_TOKEN_AT)) {
        directive = gql_parser_node(parser, sizeof(gql_directive_t),
                                    GQL_DIRECTIVE, parser->token.start);

        if (directive == NULL || !gql_parser_advance(parser)) {
            return false;
        }

        directive->name = gql_parser_name(parser);

        if (directive->name == NULL
            || !gql_parser_arguments(parser, &directive->arguments))
        {
            return false;
        }

        gql_list_append(list, gql_parser_finish(parser, directive));
    }

    return true;
}


bool
gql_parser_const_directives(gql_parser_t *parser, gql_list_t *list)
{
    bool  ok;

    parser->constant = true;
    ok = gql_parser_directives(parser, list);
    parser->constant = false;

    return ok;
}
