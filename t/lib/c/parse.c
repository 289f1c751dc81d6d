/*
 * A value or a type alone: the service has them in documents only.
 */

#include "graphql/syntax/parser_impl.h"
#include "graphql.h"


static void *
gql_parse_alone(prompt_arena_t *arena, prompt_str_t source,
    uint32_t max_tokens, gql_errors_t *errors, gql_parse_item_pt item)
{
    void          *node;
    gql_parser_t   parser;

    if (!gql_parser_init(&parser, arena, source, max_tokens, errors)
        || !gql_parser_expect(&parser, GQL_TOKEN_SOF))
    {
        return NULL;
    }

    node = item(&parser);

    if (node == NULL || !gql_parser_expect(&parser, GQL_TOKEN_EOF)) {
        return NULL;
    }

    /* cppcheck-suppress returnDanglingLifetime ; the node is the arena's */
    return node;
}


gql_value_t *
gql_parse_value(prompt_arena_t *arena, prompt_str_t source,
    uint32_t max_tokens, gql_errors_t *errors)
{
    return gql_parse_alone(arena, source, max_tokens, errors, gql_parser_value);
}


gql_value_t *
gql_parse_const_value(prompt_arena_t *arena, prompt_str_t source,
    uint32_t max_tokens, gql_errors_t *errors)
{
    return gql_parse_alone(arena, source, max_tokens, errors,
                           gql_parser_const_value);
}


static void *
gql_parse_type_item(gql_parser_t *parser)
{
    return gql_parser_type(parser);
}


gql_type_node_t *
gql_parse_type(prompt_arena_t *arena, prompt_str_t source,
    uint32_t max_tokens, gql_errors_t *errors)
{
    return gql_parse_alone(arena, source, max_tokens, errors,
                           gql_parse_type_item);
}
