/*
 * Parser: tokens to abstract syntax; executable documents, values, types.
 *
 * A parser by recursive descent, a function a production, which looks one
 * token ahead (two behind a description).  Tokens are read as late as the
 * reference reads them, so that of two errors the same one is found.
 */

#include <stdio.h>

#include "graphql/parser_impl.h"


static void *gql_parser_definition(gql_parser_t *parser);
static void *gql_parser_operation(gql_parser_t *parser);
static void *gql_parser_variable_definition(gql_parser_t *parser);
static gql_selection_set_t *gql_parser_selection_set(gql_parser_t *parser);
static void *gql_parser_selection(gql_parser_t *parser);
static void *gql_parser_field(gql_parser_t *parser);
static void *gql_parser_argument(gql_parser_t *parser);
static void *gql_parser_const_argument(gql_parser_t *parser);
static void *gql_parser_spread(gql_parser_t *parser);
static void *gql_parser_fragment(gql_parser_t *parser);
static gql_value_t *gql_parser_variable(gql_parser_t *parser);
static void *gql_parser_literal(gql_parser_t *parser, bool constant);
static bool gql_parser_directives(gql_parser_t *parser, bool constant,
    gql_list_t *list);


/* tokens */

/* room for "Name \"…\"" or "\"{\"" */
#define GQL_DESCRIPTION  4

static size_t
gql_parser_describe_kind(gql_token_kind_t kind, prompt_str_t *pieces)
{
    if (gql_token_is_punctuator(kind)) {
        pieces[0] = prompt_str("\"");
        pieces[1] = gql_token_kind_name(kind);
        pieces[2] = prompt_str("\"");

        return 3;
    }

    pieces[0] = gql_token_kind_name(kind);

    return 1;
}


static size_t
gql_parser_describe(const gql_token_t *token, prompt_str_t *pieces)
{
    if (token->value.data == NULL) {
        return gql_parser_describe_kind(token->kind, pieces);
    }

    pieces[0] = gql_token_kind_name(token->kind);
    pieces[1] = prompt_str(" \"");
    pieces[2] = token->value;
    pieces[3] = prompt_str("\"");

    return 4;
}


bool
gql_parser_unexpected(gql_parser_t *parser, const gql_token_t *token)
{
    size_t        n;
    prompt_str_t  pieces[GQL_DESCRIPTION + 2];

    pieces[0] = prompt_str("Unexpected ");
    n = 1 + gql_parser_describe(token, pieces + 1);
    pieces[n++] = prompt_str(".");

    return gql_syntax_error(parser->errors, token->start, pieces, n);
}


static bool
gql_parser_limit(gql_parser_t *parser, prompt_str_t before, uint32_t limit,
    prompt_str_t after)
{
    int           len;
    char          text[sizeof("4294967295")];
    prompt_str_t  pieces[3];

    len = snprintf(text, sizeof(text), "%u", (unsigned) limit);

    pieces[0] = before;
    pieces[1] = prompt_str_of(text, (size_t) len);
    pieces[2] = after;

    return gql_syntax_error(parser->errors, parser->token.start, pieces, 3);
}


bool
gql_parser_advance(gql_parser_t *parser)
{
    parser->last_end = parser->token.end;

    if (parser->has_ahead) {
        parser->token = parser->ahead;
        parser->has_ahead = false;

    } else if (!gql_lexer_next(&parser->lexer, &parser->token)) {
        return false;
    }

    if (parser->token.kind == GQL_TOKEN_EOF) {
        return true;
    }

    parser->tokens++;

    if (parser->max_tokens != 0 && parser->tokens > parser->max_tokens) {
        return gql_parser_limit(parser,
                                prompt_str("Document contains more that "),
                                parser->max_tokens,
                                prompt_str(" tokens. Parsing aborted."));
    }

    return true;
}


const gql_token_t *
gql_parser_lookahead(gql_parser_t *parser)
{
    if (!parser->has_ahead) {
        if (!gql_lexer_next(&parser->lexer, &parser->ahead)) {
            return NULL;
        }

        parser->has_ahead = true;
    }

    return &parser->ahead;
}


bool
gql_parser_expect(gql_parser_t *parser, gql_token_kind_t kind)
{
    size_t        n;
    prompt_str_t  pieces[2 * GQL_DESCRIPTION + 3];

    if (parser->token.kind == kind) {
        return gql_parser_advance(parser);
    }

    pieces[0] = prompt_str("Expected ");
    n = 1 + gql_parser_describe_kind(kind, pieces + 1);
    pieces[n++] = prompt_str(", found ");
    n += gql_parser_describe(&parser->token, pieces + n);
    pieces[n++] = prompt_str(".");

    return gql_syntax_error(parser->errors, parser->token.start, pieces, n);
}


static bool
gql_parser_at_keyword(const gql_parser_t *parser, prompt_str_t keyword)
{
    return parser->token.kind == GQL_TOKEN_NAME
           && prompt_str_eq(parser->token.value, keyword);
}


bool
gql_parser_expect_keyword(gql_parser_t *parser, prompt_str_t keyword)
{
    size_t        n;
    prompt_str_t  pieces[GQL_DESCRIPTION + 4];

    if (gql_parser_at_keyword(parser, keyword)) {
        return gql_parser_advance(parser);
    }

    pieces[0] = prompt_str("Expected \"");
    pieces[1] = keyword;
    pieces[2] = prompt_str("\", found ");
    n = 3 + gql_parser_describe(&parser->token, pieces + 3);
    pieces[n++] = prompt_str(".");

    return gql_syntax_error(parser->errors, parser->token.start, pieces, n);
}


bool
gql_parser_optional(gql_parser_t *parser, gql_token_kind_t kind, bool *found)
{
    *found = parser->token.kind == kind;

    return *found ? gql_parser_advance(parser) : true;
}


bool
gql_parser_optional_keyword(gql_parser_t *parser, prompt_str_t keyword,
    bool *found)
{
    *found = gql_parser_at_keyword(parser, keyword);

    return *found ? gql_parser_advance(parser) : true;
}


/* nodes */

void *
gql_parser_node(gql_parser_t *parser, size_t size, gql_kind_t kind,
    uint32_t start)
{
    gql_node_t  *node;

    node = prompt_arena_zalloc(parser->arena, size);
    if (node == NULL) {
        parser->errors->nomem = true;
        return NULL;
    }

    node->kind = kind;
    node->start = start;

    return node;
}


void *
gql_parser_finish(gql_parser_t *parser, void *node)
{
    ((gql_node_t *) node)->end = parser->last_end;

    return node;
}


void
gql_list_append(gql_list_t *list, void *node)
{
    if (list->last != NULL) {
        list->last->next = node;

    } else {
        list->first = node;
    }

    list->last = node;
    list->count++;
}


bool
gql_parser_enter(gql_parser_t *parser)
{
    if (parser->depth == parser->max_depth) {
        return gql_parser_limit(parser,
                                prompt_str("Document is nested deeper than "),
                                parser->max_depth,
                                prompt_str(" levels. Parsing aborted."));
    }

    parser->depth++;

    return true;
}


void
gql_parser_leave(gql_parser_t *parser)
{
    parser->depth--;
}


/* lists */

static bool
gql_parser_items(gql_parser_t *parser, gql_parse_item_pt item,
    gql_token_kind_t close, gql_list_t *list)
{
    bool   closed;
    void  *node;

    do {
        node = item(parser);
        if (node == NULL) {
            return false;
        }

        gql_list_append(list, node);

        if (!gql_parser_optional(parser, close, &closed)) {
            return false;
        }

    } while (!closed);

    return true;
}


bool
gql_parser_any(gql_parser_t *parser, gql_token_kind_t open,
    gql_parse_item_pt item, gql_token_kind_t close, gql_list_t *list)
{
    if (!gql_parser_expect(parser, open)) {
        return false;
    }

    if (gql_parser_peek(parser, close)) {
        return gql_parser_advance(parser);
    }

    return gql_parser_items(parser, item, close, list);
}


bool
gql_parser_many(gql_parser_t *parser, gql_token_kind_t open,
    gql_parse_item_pt item, gql_token_kind_t close, gql_list_t *list)
{
    return gql_parser_expect(parser, open)
           && gql_parser_items(parser, item, close, list);
}


bool
gql_parser_optional_many(gql_parser_t *parser, gql_token_kind_t open,
    gql_parse_item_pt item, gql_token_kind_t close, gql_list_t *list)
{
    if (!gql_parser_peek(parser, open)) {
        return true;
    }

    return gql_parser_many(parser, open, item, close, list);
}


bool
gql_parser_delimited(gql_parser_t *parser, gql_token_kind_t delimiter,
    gql_parse_item_pt item, gql_list_t *list)
{
    bool   more;
    void  *node;

    if (!gql_parser_optional(parser, delimiter, &more)) {
        return false;
    }

    do {
        node = item(parser);
        if (node == NULL) {
            return false;
        }

        gql_list_append(list, node);

        if (!gql_parser_optional(parser, delimiter, &more)) {
            return false;
        }

    } while (more);

    return true;
}


/* parts of both grammars */

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
gql_parser_operation_type(gql_parser_t *parser,
    gql_operation_type_t *operation)
{
    gql_token_t  token;

    token = parser->token;

    if (!gql_parser_expect(parser, GQL_TOKEN_NAME)) {
        return false;
    }

    if (prompt_str_eq(token.value, prompt_str("query"))) {
        *operation = GQL_QUERY;

    } else if (prompt_str_eq(token.value, prompt_str("mutation"))) {
        *operation = GQL_MUTATION;

    } else if (prompt_str_eq(token.value, prompt_str("subscription"))) {
        *operation = GQL_SUBSCRIPTION;

    } else {
        return gql_parser_unexpected(parser, &token);
    }

    return true;
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

static gql_value_t *
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


static void *
gql_parser_object_field_of(gql_parser_t *parser, bool constant)
{
    gql_object_field_t  *field;

    field = gql_parser_node(parser, sizeof(gql_object_field_t),
                            GQL_OBJECT_FIELD, parser->token.start);
    if (field == NULL) {
        return NULL;
    }

    field->name = gql_parser_name(parser);

    if (field->name == NULL || !gql_parser_expect(parser, GQL_TOKEN_COLON)) {
        return NULL;
    }

    field->value = gql_parser_literal(parser, constant);
    if (field->value == NULL) {
        return NULL;
    }

    return gql_parser_finish(parser, field);
}


static void *
gql_parser_object_field(gql_parser_t *parser)
{
    return gql_parser_object_field_of(parser, false);
}


static void *
gql_parser_const_object_field(gql_parser_t *parser)
{
    return gql_parser_object_field_of(parser, true);
}


static gql_value_t *
gql_parser_list(gql_parser_t *parser, bool constant)
{
    gql_value_t  *value;

    value = gql_parser_node(parser, sizeof(gql_value_t), GQL_LIST,
                            parser->token.start);

    if (value == NULL
        || !gql_parser_enter(parser)
        || !gql_parser_any(parser, GQL_TOKEN_BRACKET_L,
                           constant ? gql_parser_const_value
                                    : gql_parser_value,
                           GQL_TOKEN_BRACKET_R, &value->items))
    {
        return NULL;
    }

    gql_parser_leave(parser);

    return gql_parser_finish(parser, value);
}


static gql_value_t *
gql_parser_object(gql_parser_t *parser, bool constant)
{
    gql_value_t  *value;

    value = gql_parser_node(parser, sizeof(gql_value_t), GQL_OBJECT,
                            parser->token.start);

    if (value == NULL
        || !gql_parser_enter(parser)
        || !gql_parser_any(parser, GQL_TOKEN_BRACE_L,
                           constant ? gql_parser_const_object_field
                                    : gql_parser_object_field,
                           GQL_TOKEN_BRACE_R, &value->items))
    {
        return NULL;
    }

    gql_parser_leave(parser);

    return gql_parser_finish(parser, value);
}


static void *
gql_parser_literal(gql_parser_t *parser, bool constant)
{
    switch (parser->token.kind) {

    case GQL_TOKEN_BRACKET_L:
        return gql_parser_list(parser, constant);

    case GQL_TOKEN_BRACE_L:
        return gql_parser_object(parser, constant);

    case GQL_TOKEN_STRING:
    case GQL_TOKEN_BLOCK_STRING:
        return gql_parser_string(parser);

    case GQL_TOKEN_INT:
    case GQL_TOKEN_FLOAT:
    case GQL_TOKEN_NAME:
        return gql_parser_scalar(parser);

    case GQL_TOKEN_DOLLAR:
        return constant ? gql_parser_const_variable(parser)
                        : gql_parser_variable(parser);

    default:
        (void) gql_parser_unexpected(parser, &parser->token);
        return NULL;
    }
}


void *
gql_parser_value(gql_parser_t *parser)
{
    return gql_parser_literal(parser, false);
}


void *
gql_parser_const_value(gql_parser_t *parser)
{
    return gql_parser_literal(parser, true);
}


/* arguments and directives (specification, 2.6, 2.12) */

static void *
gql_parser_argument_of(gql_parser_t *parser, bool constant)
{
    gql_argument_t  *argument;

    argument = gql_parser_node(parser, sizeof(gql_argument_t), GQL_ARGUMENT,
                               parser->token.start);
    if (argument == NULL) {
        return NULL;
    }

    argument->name = gql_parser_name(parser);

    if (argument->name == NULL
        || !gql_parser_expect(parser, GQL_TOKEN_COLON))
    {
        return NULL;
    }

    argument->value = gql_parser_literal(parser, constant);
    if (argument->value == NULL) {
        return NULL;
    }

    return gql_parser_finish(parser, argument);
}


static void *
gql_parser_argument(gql_parser_t *parser)
{
    return gql_parser_argument_of(parser, false);
}


static void *
gql_parser_const_argument(gql_parser_t *parser)
{
    return gql_parser_argument_of(parser, true);
}


static bool
gql_parser_arguments(gql_parser_t *parser, bool constant, gql_list_t *list)
{
    return gql_parser_optional_many(parser, GQL_TOKEN_PAREN_L,
                                    constant ? gql_parser_const_argument
                                             : gql_parser_argument,
                                    GQL_TOKEN_PAREN_R, list);
}


static bool
gql_parser_directives(gql_parser_t *parser, bool constant, gql_list_t *list)
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
            || !gql_parser_arguments(parser, constant, &directive->arguments))
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
    return gql_parser_directives(parser, true, list);
}


/* operations and fragments (specification, 2.3 to 2.8) */

static void *
gql_parser_variable_definition(gql_parser_t *parser)
{
    bool                        found;
    gql_variable_definition_t  *variable;

    variable = gql_parser_node(parser, sizeof(gql_variable_definition_t),
                               GQL_VARIABLE_DEFINITION, parser->token.start);

    if (variable == NULL
        || !gql_parser_description(parser, &variable->description))
    {
        return NULL;
    }

    variable->variable = gql_parser_variable(parser);

    if (variable->variable == NULL
        || !gql_parser_expect(parser, GQL_TOKEN_COLON))
    {
        return NULL;
    }

    variable->type = gql_parser_type(parser);

    if (variable->type == NULL
        || !gql_parser_optional(parser, GQL_TOKEN_EQUALS, &found))
    {
        return NULL;
    }

    if (found) {
        variable->default_value = gql_parser_const_value(parser);
        if (variable->default_value == NULL) {
            return NULL;
        }
    }

    if (!gql_parser_const_directives(parser, &variable->directives)) {
        return NULL;
    }

    return gql_parser_finish(parser, variable);
}


static bool
gql_parser_variable_definitions(gql_parser_t *parser, gql_list_t *list)
{
    return gql_parser_optional_many(parser, GQL_TOKEN_PAREN_L,
                                    gql_parser_variable_definition,
                                    GQL_TOKEN_PAREN_R, list);
}


static void *
gql_parser_operation(gql_parser_t *parser)
{
    gql_operation_definition_t  *operation;

    operation = gql_parser_node(parser, sizeof(gql_operation_definition_t),
                                GQL_OPERATION_DEFINITION, parser->token.start);
    if (operation == NULL) {
        return NULL;
    }

    if (gql_parser_peek(parser, GQL_TOKEN_BRACE_L)) {
        operation->shorthand = true;
        operation->operation = GQL_QUERY;

    } else {
        if (!gql_parser_description(parser, &operation->description)
            || !gql_parser_operation_type(parser, &operation->operation))
        {
            return NULL;
        }

        if (gql_parser_peek(parser, GQL_TOKEN_NAME)) {
            operation->name = gql_parser_name(parser);
            if (operation->name == NULL) {
                return NULL;
            }
        }

        if (!gql_parser_variable_definitions(parser, &operation->variables)
            || !gql_parser_directives(parser, false, &operation->directives))
        {
            return NULL;
        }
    }

    operation->selection_set = gql_parser_selection_set(parser);
    if (operation->selection_set == NULL) {
        return NULL;
    }

    return gql_parser_finish(parser, operation);
}


static gql_selection_set_t *
gql_parser_selection_set(gql_parser_t *parser)
{
    gql_selection_set_t  *set;

    set = gql_parser_node(parser, sizeof(gql_selection_set_t),
                          GQL_SELECTION_SET, parser->token.start);

    if (set == NULL
        || !gql_parser_enter(parser)
        || !gql_parser_many(parser, GQL_TOKEN_BRACE_L, gql_parser_selection,
                            GQL_TOKEN_BRACE_R, &set->selections))
    {
        return NULL;
    }

    gql_parser_leave(parser);

    return gql_parser_finish(parser, set);
}


static void *
gql_parser_selection(gql_parser_t *parser)
{
    if (gql_parser_peek(parser, GQL_TOKEN_SPREAD)) {
        return gql_parser_spread(parser);
    }

    return gql_parser_field(parser);
}


static void *
gql_parser_field(gql_parser_t *parser)
{
    bool          aliased;
    gql_field_t  *field;

    field = gql_parser_node(parser, sizeof(gql_field_t), GQL_FIELD,
                            parser->token.start);
    if (field == NULL) {
        return NULL;
    }

    field->name = gql_parser_name(parser);

    if (field->name == NULL
        || !gql_parser_optional(parser, GQL_TOKEN_COLON, &aliased))
    {
        return NULL;
    }

    if (aliased) {
        field->alias = field->name;

        field->name = gql_parser_name(parser);
        if (field->name == NULL) {
            return NULL;
        }
    }

    if (!gql_parser_arguments(parser, false, &field->arguments)
        || !gql_parser_directives(parser, false, &field->directives))
    {
        return NULL;
    }

    if (gql_parser_peek(parser, GQL_TOKEN_BRACE_L)) {
        field->selection_set = gql_parser_selection_set(parser);
        if (field->selection_set == NULL) {
            return NULL;
        }
    }

    return gql_parser_finish(parser, field);
}


/* the name of a fragment, which is not "on" */
static gql_name_t *
gql_parser_fragment_name(gql_parser_t *parser)
{
    if (prompt_str_eq(parser->token.value, prompt_str("on"))) {
        (void) gql_parser_unexpected(parser, &parser->token);
        return NULL;
    }

    return gql_parser_name(parser);
}


static void *
gql_parser_fragment_spread(gql_parser_t *parser, uint32_t start)
{
    gql_fragment_spread_t  *spread;

    spread = gql_parser_node(parser, sizeof(gql_fragment_spread_t),
                             GQL_FRAGMENT_SPREAD, start);
    if (spread == NULL) {
        return NULL;
    }

    spread->name = gql_parser_fragment_name(parser);

    if (spread->name == NULL
        || !gql_parser_directives(parser, false, &spread->directives))
    {
        return NULL;
    }

    return gql_parser_finish(parser, spread);
}


static void *
gql_parser_spread(gql_parser_t *parser)
{
    bool                    conditional;
    uint32_t                start;
    gql_inline_fragment_t  *fragment;

    start = parser->token.start;

    if (!gql_parser_expect(parser, GQL_TOKEN_SPREAD)
        || !gql_parser_optional_keyword(parser, prompt_str("on"),
                                        &conditional))
    {
        return NULL;
    }

    if (!conditional && gql_parser_peek(parser, GQL_TOKEN_NAME)) {
        return gql_parser_fragment_spread(parser, start);
    }

    fragment = gql_parser_node(parser, sizeof(gql_inline_fragment_t),
                               GQL_INLINE_FRAGMENT, start);
    if (fragment == NULL) {
        return NULL;
    }

    if (conditional) {
        fragment->type_condition = gql_parser_named_type(parser);
        if (fragment->type_condition == NULL) {
            return NULL;
        }
    }

    if (!gql_parser_directives(parser, false, &fragment->directives)) {
        return NULL;
    }

    fragment->selection_set = gql_parser_selection_set(parser);
    if (fragment->selection_set == NULL) {
        return NULL;
    }

    return gql_parser_finish(parser, fragment);
}


static void *
gql_parser_fragment(gql_parser_t *parser)
{
    gql_fragment_definition_t  *fragment;

    fragment = gql_parser_node(parser, sizeof(gql_fragment_definition_t),
                               GQL_FRAGMENT_DEFINITION, parser->token.start);

    if (fragment == NULL
        || !gql_parser_description(parser, &fragment->description)
        || !gql_parser_expect_keyword(parser, prompt_str("fragment")))
    {
        return NULL;
    }

    fragment->name = gql_parser_fragment_name(parser);
    if (fragment->name == NULL) {
        return NULL;
    }

    if (parser->legacy_fragment_variables
        && !gql_parser_variable_definitions(parser, &fragment->variables))
    {
        return NULL;
    }

    if (!gql_parser_expect_keyword(parser, prompt_str("on"))) {
        return NULL;
    }

    fragment->type_condition = gql_parser_named_type(parser);

    if (fragment->type_condition == NULL
        || !gql_parser_directives(parser, false, &fragment->directives))
    {
        return NULL;
    }

    fragment->selection_set = gql_parser_selection_set(parser);
    if (fragment->selection_set == NULL) {
        return NULL;
    }

    return gql_parser_finish(parser, fragment);
}


/* documents (specification, 2.2) */

/*
 * A definition that keyword, which is the current token or the one behind a
 * description, announces.
 */
static void *
gql_parser_definition_of(gql_parser_t *parser, const gql_token_t *keyword)
{
    bool          described;
    prompt_str_t  message;

    described = gql_parser_peek_description(parser);

    if (keyword->kind != GQL_TOKEN_NAME) {
        (void) gql_parser_unexpected(parser, keyword);
        return NULL;
    }

    if (gql_parser_is_type_system(keyword->value)) {
        return gql_parser_type_system(parser, keyword->value);
    }

    if (prompt_str_eq(keyword->value, prompt_str("query"))
        || prompt_str_eq(keyword->value, prompt_str("mutation"))
        || prompt_str_eq(keyword->value, prompt_str("subscription")))
    {
        return gql_parser_operation(parser);
    }

    if (prompt_str_eq(keyword->value, prompt_str("fragment"))) {
        return gql_parser_fragment(parser);
    }

    if (described) {
        message = prompt_str("Unexpected description, only GraphQL "
                             "definitions support descriptions.");
        (void) gql_syntax_error(parser->errors, parser->token.start,
                                &message, 1);
        return NULL;
    }

    if (prompt_str_eq(keyword->value, prompt_str("extend"))) {
        return gql_parser_extension(parser);
    }

    (void) gql_parser_unexpected(parser, keyword);

    return NULL;
}


static void *
gql_parser_definition(gql_parser_t *parser)
{
    gql_token_t         keyword;
    prompt_str_t        message;
    const gql_token_t  *ahead;

    if (gql_parser_peek(parser, GQL_TOKEN_BRACE_L)) {
        return gql_parser_operation(parser);
    }

    keyword = parser->token;

    if (gql_parser_peek_description(parser)) {
        ahead = gql_parser_lookahead(parser);
        if (ahead == NULL) {
            return NULL;
        }

        keyword = *ahead;

        if (keyword.kind == GQL_TOKEN_BRACE_L) {
            message = prompt_str("Unexpected description, descriptions are "
                                 "not supported on shorthand queries.");
            (void) gql_syntax_error(parser->errors, parser->token.start,
                                    &message, 1);
            return NULL;
        }
    }

    return gql_parser_definition_of(parser, &keyword);
}


/* A parser at the start of source, its first token not yet read. */
static bool
gql_parser_init(gql_parser_t *parser, prompt_arena_t *arena,
    prompt_str_t source, const gql_parse_options_t *options,
    gql_errors_t *errors)
{
    memset(parser, 0, sizeof(gql_parser_t));

    parser->arena = arena;
    parser->errors = errors;
    parser->token.kind = GQL_TOKEN_SOF;
    parser->max_depth = GQL_PARSER_MAX_DEPTH;

    if (options != NULL) {
        parser->max_tokens = options->max_tokens;
        parser->legacy_fragment_variables =
                                      options->allow_legacy_fragment_variables;

        if (options->max_depth != 0) {
            parser->max_depth = options->max_depth;
        }
    }

    /* locations are counted in what is parsed */

    errors->source = source;

    return gql_lexer_init(&parser->lexer, arena, source, errors);
}


gql_document_t *
gql_parse(prompt_arena_t *arena, prompt_str_t source,
    const gql_parse_options_t *options, gql_errors_t *errors)
{
    gql_parser_t     parser;
    gql_document_t  *document;

    if (!gql_parser_init(&parser, arena, source, options, errors)) {
        return NULL;
    }

    document = gql_parser_node(&parser, sizeof(gql_document_t), GQL_DOCUMENT,
                               0);

    if (document == NULL
        || !gql_parser_many(&parser, GQL_TOKEN_SOF, gql_parser_definition,
                            GQL_TOKEN_EOF, &document->definitions))
    {
        return NULL;
    }

    document->source = source;
    document->tokens = parser.tokens;

    return gql_parser_finish(&parser, document);
}


/* a value or a type alone */
static void *
gql_parser_alone(prompt_arena_t *arena, prompt_str_t source,
    gql_errors_t *errors, gql_parse_item_pt item)
{
    void          *node;
    gql_parser_t   parser;

    if (!gql_parser_init(&parser, arena, source, NULL, errors)
        || !gql_parser_expect(&parser, GQL_TOKEN_SOF))
    {
        return NULL;
    }

    node = item(&parser);

    if (node == NULL || !gql_parser_expect(&parser, GQL_TOKEN_EOF)) {
        return NULL;
    }

    return node;
}


gql_value_t *
gql_parse_value(prompt_arena_t *arena, prompt_str_t source,
    gql_errors_t *errors)
{
    return gql_parser_alone(arena, source, errors, gql_parser_value);
}


gql_value_t *
gql_parse_const_value(prompt_arena_t *arena, prompt_str_t source,
    gql_errors_t *errors)
{
    return gql_parser_alone(arena, source, errors, gql_parser_const_value);
}


static void *
gql_parser_type_item(gql_parser_t *parser)
{
    return gql_parser_type(parser);
}


gql_type_node_t *
gql_parse_type(prompt_arena_t *arena, prompt_str_t source,
    gql_errors_t *errors)
{
    return gql_parser_alone(arena, source, errors, gql_parser_type_item);
}
