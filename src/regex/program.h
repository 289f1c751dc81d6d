/*
 * Regular expressions as programs, for this directory alone.
 */

#ifndef PROMPT_REGEX_PROGRAM_H
#define PROMPT_REGEX_PROGRAM_H

#include "regex/property.h"


/* what a set may contain beside ranges */
typedef enum {
    PROMPT_REGEX_RANGE = 0,
    PROMPT_REGEX_DIGIT,              /* \d */
    PROMPT_REGEX_WORD,               /* \w */
    PROMPT_REGEX_SPACE,              /* \s */
    PROMPT_REGEX_PROPERTY            /* \p{...} */
} prompt_regex_class_t;


typedef struct prompt_regex_item_s  prompt_regex_item_t;

struct prompt_regex_item_s {
    prompt_regex_class_t          class;
    bool                          negated;
    uint32_t                      first;     /* RANGE */
    uint32_t                      last;
    const prompt_regex_ranges_t  *property;
    prompt_regex_item_t          *next;
};


typedef struct {
    bool                   negated;
    unsigned               weight;   /* what looking at it takes */
    prompt_regex_item_t   *items;
} prompt_regex_set_t;


typedef enum {
    PROMPT_REGEX_CHAR = 0,           /* one character */
    PROMPT_REGEX_ANY,                /* all but line ends */
    PROMPT_REGEX_SET,
    PROMPT_REGEX_SPLIT,              /* goes on at x and at y */
    PROMPT_REGEX_JUMP,               /* goes on at x */
    PROMPT_REGEX_START,              /* ^ */
    PROMPT_REGEX_END,                /* $ */
    PROMPT_REGEX_BOUNDARY,           /* \b */
    PROMPT_REGEX_NO_BOUNDARY,        /* \B */
    PROMPT_REGEX_MATCH
} prompt_regex_op_t;


typedef struct {
    prompt_regex_op_t          op;
    uint32_t                   x;    /* CHAR: the character */
    uint32_t                   y;
    const prompt_regex_set_t  *set;
} prompt_regex_instruction_t;


struct prompt_regex_s {
    prompt_regex_instruction_t  *program;
    uint32_t                     count;

    /* room for a match */
    uint32_t                    *now;        /* threads at this character */
    uint32_t                    *then;       /* and at the next one */
    uint32_t                    *stack;      /* twice count, and one */
    uint32_t                    *mark;       /* generation last added in */
    uint32_t                     generation;
};


/* an expression taken apart */
typedef enum {
    PROMPT_REGEX_NODE_ONE = 0,       /* instruction: CHAR to NO_BOUNDARY */
    PROMPT_REGEX_NODE_SEQUENCE,      /* children one behind the other */
    PROMPT_REGEX_NODE_CHOICE,        /* one of the children */
    PROMPT_REGEX_NODE_REPEAT         /* the child min to max times */
} prompt_regex_node_type_t;


typedef struct prompt_regex_node_s  prompt_regex_node_t;

struct prompt_regex_node_s {
    prompt_regex_node_type_t     type;
    prompt_regex_instruction_t   one;
    uint32_t                     min;
    uint32_t                     max;        /* PROMPT_REGEX_UNBOUNDED */
    prompt_regex_node_t         *first;
    prompt_regex_node_t         *last;
    prompt_regex_node_t         *next;       /* sibling */
};

#define PROMPT_REGEX_UNBOUNDED  UINT32_MAX


/*
 * The tree of a pattern; takes from the context's room what stands in
 * brackets.  check: only whether it is one; the tree is good for nothing.
 */
prompt_regex_status_t prompt_regex_parse(prompt_regex_context_t *context,
    prompt_str_t pattern, bool check, prompt_regex_node_t **node,
    const char **message) PROMPT_WARN_UNUSED;

#endif /* PROMPT_REGEX_PROGRAM_H */
