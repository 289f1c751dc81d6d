/*
 * Parser: what every production is made of: the current token, nodes, lists,
 * and the errors that speak of tokens.
 */

#include <stdio.h>

#include "base/link.h"
#include "graphql/syntax/parser_impl.h"


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

    if (parser->tokens > parser->max_tokens) {
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
    prompt_link(list, node, next);
    list->count++;
}


bool
gql_parser_enter(gql_parser_t *parser)
{
    if (parser->depth == GQL_PARSER_MAX_DEPTH) {
        return gql_parser_limit(parser,
                                prompt_str("Document is nested deeper than "),
                                GQL_PARSER_MAX_DEPTH,
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
