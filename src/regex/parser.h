/*
 * The parser of regular expressions: what parse.c and class.c share.
 */

#ifndef PROMPT_REGEX_PARSER_H
#define PROMPT_REGEX_PARSER_H

#include "regex/program.h"


typedef struct {
    prompt_arena_t         *arena;
    const char             *pos;
    const char             *end;
    unsigned                depth;
    prompt_regex_status_t   status;
    const char             *message;
} prompt_regex_parser_t;


/* Keep the first error; return NULL. */
void *prompt_regex_fail(prompt_regex_parser_t *parser,
    prompt_regex_status_t status, const char *message);
void *prompt_regex_syntax(prompt_regex_parser_t *parser, const char *message);

/* c comes next; take: and is passed then */
bool prompt_regex_at(const prompt_regex_parser_t *parser, char c);
bool prompt_regex_take(prompt_regex_parser_t *parser, char c);

/* a node of one instruction */
prompt_regex_node_t *prompt_regex_one(prompt_regex_parser_t *parser,
    prompt_regex_op_t op, uint32_t x);

/* What stands behind a [, up to the ]. */
prompt_regex_node_t *prompt_regex_set(prompt_regex_parser_t *parser);

/* What stands behind a backslash, outside brackets. */
prompt_regex_node_t *prompt_regex_escaped(prompt_regex_parser_t *parser);

#endif /* PROMPT_REGEX_PARSER_H */
