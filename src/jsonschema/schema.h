/*
 * Schemas in compiled form, for the files of this directory.
 *
 * A schema becomes a list of rules in the order of its text, each keyword one
 * rule, so that violations come in that order.  All of it lives in one arena
 * and points into the JSON value that it was compiled from.
 */

#ifndef PROMPT_JSONSCHEMA_SCHEMA_H
#define PROMPT_JSONSCHEMA_SCHEMA_H

#include "base/decimal.h"
#include "base/fault.h"
#include "base/json_members.h"
#include "base/path.h"
#include "regex/regex.h"


/* violations that are listed */
#define PROMPT_SCHEMA_MAX_VIOLATIONS  20

/* instructions that all regular expressions of one schema become */
#define PROMPT_SCHEMA_MAX_REGEX       20000

/* nesting of the schema's JSON value, which the caller sees to */
#define PROMPT_SCHEMA_MAX_NESTING     64


typedef enum {
    PROMPT_SCHEMA_2020_12 = 1,
    PROMPT_SCHEMA_DRAFT_07 = 2
} prompt_schema_draft_t;


/* what a keyword's value must look like */
typedef enum {
    PROMPT_SCHEMA_ANY = 0,
    PROMPT_SCHEMA_STRING,
    PROMPT_SCHEMA_BOOLEAN,
    PROMPT_SCHEMA_LIST,              /* any array */
    PROMPT_SCHEMA_NUMBER,
    PROMPT_SCHEMA_DIVISOR,           /* number above 0, of limited length */
    PROMPT_SCHEMA_COUNT,             /* integer from 0 */
    PROMPT_SCHEMA_TYPES,             /* name of a type, or several */
    PROMPT_SCHEMA_NAMES,             /* array of different strings */
    PROMPT_SCHEMA_NAMES_MAP,         /* object of those */
    PROMPT_SCHEMA_REGEX,
    PROMPT_SCHEMA_ONE,               /* a schema */
    PROMPT_SCHEMA_SEVERAL,           /* array of at least one */
    PROMPT_SCHEMA_MAP,               /* object of schemas */
    PROMPT_SCHEMA_REGEX_MAP,         /* the same, under patterns */
    PROMPT_SCHEMA_ONE_OR_SEVERAL,    /* items of draft-07 */
    PROMPT_SCHEMA_DEPENDENCIES,      /* object of schemas or of names */
    PROMPT_SCHEMA_DIALECT,           /* $schema */
    PROMPT_SCHEMA_IDENTIFIER,        /* $id */
    PROMPT_SCHEMA_ANCHOR,
    PROMPT_SCHEMA_REFERENCE,
    PROMPT_SCHEMA_UNSUPPORTED
} prompt_schema_kind_t;


/* What a rule does; what has no such function says NONE. */
typedef enum {
    PROMPT_SCHEMA_NONE = 0,
    PROMPT_SCHEMA_REF,
    PROMPT_SCHEMA_TYPE,
    PROMPT_SCHEMA_ENUM,
    PROMPT_SCHEMA_CONST,
    PROMPT_SCHEMA_MULTIPLE_OF,
    PROMPT_SCHEMA_MAXIMUM,
    PROMPT_SCHEMA_EXCLUSIVE_MAXIMUM,
    PROMPT_SCHEMA_MINIMUM,
    PROMPT_SCHEMA_EXCLUSIVE_MINIMUM,
    PROMPT_SCHEMA_MAX_LENGTH,
    PROMPT_SCHEMA_MIN_LENGTH,
    PROMPT_SCHEMA_PATTERN,
    PROMPT_SCHEMA_PREFIX_ITEMS,
    PROMPT_SCHEMA_ITEMS,
    PROMPT_SCHEMA_ADDITIONAL_ITEMS,
    PROMPT_SCHEMA_MAX_ITEMS,
    PROMPT_SCHEMA_MIN_ITEMS,
    PROMPT_SCHEMA_UNIQUE_ITEMS,
    PROMPT_SCHEMA_CONTAINS,
    PROMPT_SCHEMA_MAX_CONTAINS,
    PROMPT_SCHEMA_MIN_CONTAINS,
    PROMPT_SCHEMA_MAX_PROPERTIES,
    PROMPT_SCHEMA_MIN_PROPERTIES,
    PROMPT_SCHEMA_REQUIRED,
    PROMPT_SCHEMA_PROPERTIES,
    PROMPT_SCHEMA_PATTERN_PROPERTIES,
    PROMPT_SCHEMA_ADDITIONAL_PROPERTIES,
    PROMPT_SCHEMA_PROPERTY_NAMES,
    PROMPT_SCHEMA_DEPENDENT_REQUIRED,
    PROMPT_SCHEMA_DEPENDENT_SCHEMAS,
    PROMPT_SCHEMA_DEPENDENCY,
    PROMPT_SCHEMA_IF,
    PROMPT_SCHEMA_THEN,
    PROMPT_SCHEMA_ELSE,
    PROMPT_SCHEMA_ALL_OF,
    PROMPT_SCHEMA_ANY_OF,
    PROMPT_SCHEMA_ONE_OF,
    PROMPT_SCHEMA_NOT
} prompt_schema_op_t;


typedef struct {
    prompt_str_t          name;
    unsigned              drafts;    /* where it is a keyword */
    prompt_schema_kind_t  kind;
    prompt_schema_op_t    op;
} prompt_schema_keyword_t;


typedef struct prompt_schema_s       prompt_schema_t;
typedef struct prompt_schema_rule_s  prompt_schema_rule_t;

struct prompt_schema_rule_s {
    prompt_schema_op_t              op;
    const prompt_json_t            *value;   /* whose name is the keyword's */
    uint64_t                        count;   /* COUNT; weight of ENUM, CONST */
    unsigned                        types;   /* TYPES: a bit each */
    prompt_decimal_t                number;  /* NUMBER, DIVISOR */
    prompt_schema_t                *schema;  /* ONE, REFERENCE */
    prompt_schema_t               **schemas; /* SEVERAL, MAP: one for each
                                                element or member of value;
                                                NULL: names instead */
    prompt_json_member_t           *index;   /* MAP: members of value, sorted;
                                                offset: which of schemas */
    prompt_regex_t                **regexes; /* REGEX: one; REGEX_MAP: as
                                                schemas */
    prompt_schema_rule_t           *next;
};


struct prompt_schema_s {
    const prompt_json_t            *json;    /* OBJECT or BOOLEAN */
    prompt_schema_rule_t           *first;
    prompt_schema_rule_t           *last;
    unsigned                        height;  /* of schemas applied to the same
                                                value; 0: not yet known */
    bool                            open;    /* being measured */
};


/* one bit for each type that `type` can name */
#define PROMPT_SCHEMA_TYPE_INTEGER  (1u << 6)
#define prompt_schema_type_bit(json_type)  (1u << (json_type))


/* the rule that does op, or NULL; a schema has no more rules than keywords */
static inline const prompt_schema_rule_t *
prompt_schema_find(const prompt_schema_t *schema, prompt_schema_op_t op)
{
    const prompt_schema_rule_t  *rule;

    for (rule = schema->first; rule != NULL; rule = rule->next) {
        if (rule->op == op) {
            break;
        }
    }

    return rule;
}


/* The keyword of that name in that draft, or NULL. */
const prompt_schema_keyword_t *prompt_schema_keyword(prompt_str_t name,
    prompt_schema_draft_t draft);

/* the bit of a type's name; 0: there is none */
unsigned prompt_schema_type(prompt_str_t name);
/* the name of a bit */
prompt_str_t prompt_schema_type_name(unsigned bit);

/* which meta-schema a URI names; 0: none.  An empty fragment is allowed. */
prompt_schema_draft_t prompt_schema_dialect(prompt_str_t uri);

/* the text of a meta-schema, as one document without dynamic references */
prompt_str_t prompt_schema_meta(prompt_schema_draft_t draft);


/*
 * Compiles json, whose nesting the caller has limited.  Fault: as
 * prompt_input_schema_check().
 */
prompt_check_t prompt_schema_compile(prompt_arena_t *arena,
    const prompt_json_t *json, prompt_schema_t **schema,
    prompt_fault_t *fault) PROMPT_WARN_UNUSED;


/* What is found below compiled schemas, and where: for references. */
typedef struct {
    prompt_arena_t          *arena;
    prompt_schema_draft_t    draft;
    prompt_schema_t         *root;
    prompt_str_t             id;         /* of the root; absent: none */
    prompt_json_member_t    *anchors;    /* sorted; offset: index */
    prompt_schema_t        **anchored;
    size_t                   nanchors;
} prompt_schema_document_t;

typedef enum {
    PROMPT_SCHEMA_FOUND = 0,
    PROMPT_SCHEMA_NOT_FOUND,         /* nothing, or no schema, stands there */
    PROMPT_SCHEMA_ELSEWHERE,         /* in another document */
    PROMPT_SCHEMA_NOMEM
} prompt_schema_found_t;

/* The schema that a reference names within its own document. */
prompt_schema_found_t prompt_schema_resolve(
    const prompt_schema_document_t *document, prompt_str_t reference,
    prompt_schema_t **schema);

#endif /* PROMPT_JSONSCHEMA_SCHEMA_H */
