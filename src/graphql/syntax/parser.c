/*
 * Parser: executable documents, and the ways in.
 *
 * A parser by recursive descent, a function a production, which looks one
 * token ahead (two behind a description).  Tokens are read as late as the
 * reference reads them, so that of two errors the same one is found.
 */

#include "graphql/syntax/parser_impl.h"


static gql_selection_set_t *gql_parser_selection_set(gql_parser_t *parser);
static void *gql_parser_selection(gql_parser_t *parser);
static void *gql_parser_field(gql_parser_t *parser);
static void *gql_parser_spread(gql_parser_t *parser);


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

        if (!gql_parser_optional_many(parser, GQL_TOKEN_PAREN_L,
                                      gql_parser_variable_definition,
                                      GQL_TOKEN_PAREN_R,
                                      &operation->variables)
            || !gql_parser_directives(parser, &operation->directives))
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

    if (!gql_parser_arguments(parser, &field->arguments)
        || !gql_parser_directives(parser, &field->directives))
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


/* what the name stands for, here and wherever else it is in the document */
static gql_fragment_ref_t *
gql_parser_fragment_ref(gql_parser_t *parser, const gql_name_t *name)
{
    gql_name_entry_t    *entry;
    gql_fragment_ref_t  *ref;

    entry = gql_names_add(&parser->fragments, name->value);

    if (entry != NULL && entry->value == NULL) {
        ref = prompt_arena_zalloc(parser->arena, sizeof(gql_fragment_ref_t));
        if (ref != NULL) {
            ref->id = entry->id;
            entry->value = ref;
        }
    }

    if (entry == NULL || entry->value == NULL) {
        parser->errors->nomem = true;
        return NULL;
    }

    return entry->value;
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
        || !gql_parser_directives(parser, &spread->directives))
    {
        return NULL;
    }

    spread->fragment = gql_parser_fragment_ref(parser, spread->name);
    if (spread->fragment == NULL) {
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

    if (!gql_parser_directives(parser, &fragment->directives)) {
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
    gql_fragment_ref_t         *ref;
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

    if (fragment->name == NULL
        || !gql_parser_expect_keyword(parser, prompt_str("on")))
    {
        return NULL;
    }

    fragment->type_condition = gql_parser_named_type(parser);

    if (fragment->type_condition == NULL
        || !gql_parser_directives(parser, &fragment->directives))
    {
        return NULL;
    }

    fragment->selection_set = gql_parser_selection_set(parser);
    if (fragment->selection_set == NULL) {
        return NULL;
    }

    ref = gql_parser_fragment_ref(parser, fragment->name);
    if (ref == NULL) {
        return NULL;
    }

    ref->definition = fragment;
    fragment->fragment = ref;

    return gql_parser_finish(parser, fragment);
}


/* documents (specification, 2.2) */

static bool
gql_parser_is_type_system(prompt_str_t keyword)
{
    size_t  i;

    static const prompt_str_t  keywords[] = {
        prompt_str_init("schema"), prompt_str_init("scalar"),
        prompt_str_init("type"), prompt_str_init("interface"),
        prompt_str_init("union"), prompt_str_init("enum"),
        prompt_str_init("input"), prompt_str_init("directive"),
    };

    for (i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
        if (prompt_str_eq(keyword, keywords[i])) {
            return true;
        }
    }

    return false;
}


/*
 * A definition or extension of the type system is none of a request (5.1.1,
 * "Executable Definitions"): the first one is the error of the document.
 */
static void *
gql_parser_not_executable(gql_parser_t *parser, prompt_str_t keyword)
{
    bool          found;
    uint32_t      start;
    gql_name_t   *name;
    gql_value_t  *description;
    gql_error_t  *error;

    start = parser->token.start;

    if (!gql_parser_description(parser, &description)
        || !gql_parser_optional_keyword(parser, prompt_str("extend"), &found))
    {
        return NULL;
    }

    keyword = parser->token.value;

    if (!gql_parser_is_type_system(keyword)) {
        (void) gql_parser_unexpected(parser, &parser->token);
        return NULL;
    }

    if (prompt_str_eq(keyword, prompt_str("schema"))) {
        error = gql_errors_add(parser->errors,
                               "The schema definition is not executable.");

    } else {
        if (!gql_parser_advance(parser)
            || !gql_parser_optional(parser, GQL_TOKEN_AT, &found))
        {
            return NULL;
        }

        name = gql_parser_name(parser);
        if (name == NULL) {
            return NULL;
        }

        error = gql_errors_add(parser->errors,
                               "The \"%.*s\" definition is not executable.",
                               gql_error_arg(name->value));
    }

    gql_error_at(parser->errors, error, start);

    return NULL;
}


/*
 * A definition that keyword, which is the current token or the one behind a
 * description, announces.
 */
static void *
gql_parser_definition_of(gql_parser_t *parser, const gql_token_t *keyword)
{
    bool                  described;
    prompt_str_t          message;
    gql_operation_type_t  operation;

    described = gql_parser_peek_description(parser);

    if (keyword->kind != GQL_TOKEN_NAME) {
        (void) gql_parser_unexpected(parser, keyword);
        return NULL;
    }

    if (gql_parser_is_type_system(keyword->value)) {
        return parser->type_system(parser, keyword->value);
    }

    if (gql_parser_is_operation_type(keyword->value, &operation)) {
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
        return parser->type_system(parser, keyword->value);
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


bool
gql_parser_init(gql_parser_t *parser, prompt_arena_t *arena,
    prompt_str_t source, uint32_t max_tokens, gql_errors_t *errors)
{
    memset(parser, 0, sizeof(gql_parser_t));

    parser->arena = arena;
    parser->errors = errors;
    parser->token.kind = GQL_TOKEN_SOF;
    parser->max_tokens = UINT32_MAX;
    parser->type_system = gql_parser_not_executable;
    gql_names_init(&parser->fragments, arena);

    if (max_tokens != 0) {
        parser->max_tokens = max_tokens == GQL_PARSER_NO_TOKENS ? 0
                                                                : max_tokens;
    }

    /* locations are counted in what is parsed */

    errors->source = source;
    errors->index = NULL;

    return gql_lexer_init(&parser->lexer, arena, source, errors);
}


gql_document_t *
gql_parser_document(gql_parser_t *parser)
{
    gql_document_t  *document;

    document = gql_parser_node(parser, sizeof(gql_document_t), GQL_DOCUMENT,
                               0);

    if (document == NULL
        || !gql_parser_many(parser, GQL_TOKEN_SOF, gql_parser_definition,
                            GQL_TOKEN_EOF, &document->definitions))
    {
        return NULL;
    }

    document->source = parser->lexer.source;
    document->nfragments = parser->fragments.count;
    document->tokens = parser->tokens;

    return gql_parser_finish(parser, document);
}


gql_document_t *
gql_parse(prompt_arena_t *arena, prompt_str_t source,
    uint32_t max_tokens, gql_errors_t *errors)
{
    gql_parser_t  parser;

    if (!gql_parser_init(&parser, arena, source, max_tokens, errors)) {
        return NULL;
    }

    return gql_parser_document(&parser);
}
