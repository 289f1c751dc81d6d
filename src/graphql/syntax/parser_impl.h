/*
 * What the parts of the parser share: parser.c (documents), parser_value.c
 * (names, types, values, directives) and parser_core.c (tokens, nodes, lists).
 *
 * Functions return NULL or false once an error is added; whoever sees that
 * returns at once.
 */

#ifndef GQL_PARSER_IMPL_H
#define GQL_PARSER_IMPL_H

#include "graphql/syntax/lexer.h"
#include "graphql/syntax/names.h"
#include "graphql/syntax/parser.h"


typedef struct gql_parser_s  gql_parser_t;

struct gql_parser_s {
    gql_lexer_t      lexer;
    prompt_arena_t  *arena;
    gql_errors_t    *errors;

    gql_token_t      token;          /* what is looked at */
    gql_token_t      ahead;          /* the one behind it, where has_ahead */
    bool             has_ahead;
    uint32_t         last_end;       /* end of the token before */

    uint32_t         tokens;
    uint32_t         max_tokens;     /* UINT32_MAX: no limit */
    uint32_t         depth;
    bool             constant;       /* no variable may stand here */

    gql_names_t      fragments;      /* value: gql_fragment_ref_t */

    /*
     * What reads a definition or extension of the type system from the current
     * token on, by its keyword ("type", "extend"): it is refused, unless who
     * has initialized the parser puts something else here.
     */
    void          *(*type_system)(gql_parser_t *parser, prompt_str_t keyword);
};


/* parses one element of a list */
typedef void *(*gql_parse_item_pt)(gql_parser_t *parser);


/*
 * A parser at the start of source, its first token not yet read; max_tokens
 * as for gql_parse().
 */
bool gql_parser_init(gql_parser_t *parser, prompt_arena_t *arena,
    prompt_str_t source, uint32_t max_tokens, gql_errors_t *errors);

/* the document that the parser is at the start of: gql_parse() */
gql_document_t *gql_parser_document(gql_parser_t *parser);


/* tokens */

bool gql_parser_advance(gql_parser_t *parser);
/* the token behind the current one; NULL: an error */
const gql_token_t *gql_parser_lookahead(gql_parser_t *parser);
bool gql_parser_expect(gql_parser_t *parser, gql_token_kind_t kind);
bool gql_parser_expect_keyword(gql_parser_t *parser, prompt_str_t keyword);

/* Passes over the token where it is there: *found. */
bool gql_parser_optional(gql_parser_t *parser, gql_token_kind_t kind,
    bool *found);
bool gql_parser_optional_keyword(gql_parser_t *parser, prompt_str_t keyword,
    bool *found);

/* "Unexpected …" at a token; always false */
bool gql_parser_unexpected(gql_parser_t *parser, const gql_token_t *token);

static inline bool
gql_parser_peek(const gql_parser_t *parser, gql_token_kind_t kind)
{
    return parser->token.kind == kind;
}

static inline bool
gql_parser_peek_description(const gql_parser_t *parser)
{
    return parser->token.kind == GQL_TOKEN_STRING
           || parser->token.kind == GQL_TOKEN_BLOCK_STRING;
}


/* nodes */

/* a zeroed node of size bytes that begins at byte start */
void *gql_parser_node(gql_parser_t *parser, size_t size, gql_kind_t kind,
    uint32_t start);
/* Ends the node at the last token; returns it. */
void *gql_parser_finish(gql_parser_t *parser, void *node);
void gql_list_append(gql_list_t *list, void *node);

/* one more level of nesting, or an error */
bool gql_parser_enter(gql_parser_t *parser);
void gql_parser_leave(gql_parser_t *parser);


/* lists: open item* close, open item+ close, (open item+ close)? */

bool gql_parser_any(gql_parser_t *parser, gql_token_kind_t open,
    gql_parse_item_pt item, gql_token_kind_t close, gql_list_t *list);
bool gql_parser_many(gql_parser_t *parser, gql_token_kind_t open,
    gql_parse_item_pt item, gql_token_kind_t close, gql_list_t *list);
bool gql_parser_optional_many(gql_parser_t *parser, gql_token_kind_t open,
    gql_parse_item_pt item, gql_token_kind_t close, gql_list_t *list);


/* names, types, values, arguments and directives */

gql_name_t *gql_parser_name(gql_parser_t *parser);
/* *description stays NULL where there is none */
bool gql_parser_description(gql_parser_t *parser, gql_value_t **description);
void *gql_parser_value(gql_parser_t *parser);
void *gql_parser_const_value(gql_parser_t *parser);
gql_value_t *gql_parser_variable(gql_parser_t *parser);
bool gql_parser_arguments(gql_parser_t *parser, gql_list_t *list);
bool gql_parser_directives(gql_parser_t *parser, gql_list_t *list);
bool gql_parser_const_directives(gql_parser_t *parser, gql_list_t *list);
gql_type_node_t *gql_parser_type(gql_parser_t *parser);
void *gql_parser_named_type(gql_parser_t *parser);
bool gql_parser_is_operation_type(prompt_str_t keyword,
    gql_operation_type_t *operation);
bool gql_parser_operation_type(gql_parser_t *parser,
    gql_operation_type_t *operation);

#endif /* GQL_PARSER_IMPL_H */
