/*
 * The parser of regular expressions: what parse.c and class.c share.
 */

#ifndef PROMPT_REGEX_PARSER_IMPL_H
#define PROMPT_REGEX_PARSER_IMPL_H

#include "regex/program.h"


/* the name of a group, or one that a back reference has */
typedef struct prompt_regex_name_s  prompt_regex_name_t;

struct prompt_regex_name_s {
    prompt_str_t            text;
    prompt_regex_name_t    *next;
};


typedef struct {
    prompt_arena_t          *arena;
    prompt_regex_context_t  *context;
    bool                     check;      /* for its form alone */
    const char              *pos;
    const char              *end;
    unsigned                 depth;
    unsigned                 groups;     /* that capture */
    unsigned                 highest;    /* that a \1 names */
    unsigned                 nnames;
    prompt_regex_name_t     *names;
    prompt_regex_name_t     *references;
    prompt_regex_status_t    status;
    const char              *message;
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

/*
 * The name of a group, behind the <, up to the >; into *list.  twice: where it
 * may be there already.
 */
bool prompt_regex_name(prompt_regex_parser_t *parser, bool twice,
    prompt_regex_name_t **list);

/* behind \u: HHHH, a pair of surrogates, or {H...} */
bool prompt_regex_code_point(prompt_regex_parser_t *parser, uint32_t *cp);

/* What stands behind a [, up to the ]. */
prompt_regex_node_t *prompt_regex_set(prompt_regex_parser_t *parser);

/* What stands behind a backslash, outside brackets. */
prompt_regex_node_t *prompt_regex_escaped(prompt_regex_parser_t *parser);

#endif /* PROMPT_REGEX_PARSER_IMPL_H */
