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
#include "jsonschema/format.h"
#include "regex/regex.h"


/* violations that are listed */
#define PROMPT_SCHEMA_MAX_VIOLATIONS  20

/* instructions that all regular expressions of one schema become */
#define PROMPT_SCHEMA_MAX_REGEX       20000

/*
 * Bytes of all URIs that schemas of one document are given, and of those that
 * its references name
 */
#define PROMPT_SCHEMA_MAX_URIS        (256 * 1024)
#define PROMPT_SCHEMA_MAX_LOOKS       (4 * 1024 * 1024)

/*
 * Places below members that are no keywords which references may name, and how
 * many members are looked at for them.
 */
#define PROMPT_SCHEMA_MAX_LATE        200
#define PROMPT_SCHEMA_MAX_LATE_WORK   1000000

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
    PROMPT_SCHEMA_DYNAMIC_ANCHOR,
    PROMPT_SCHEMA_REFERENCE,
    PROMPT_SCHEMA_VOCABULARY,        /* object of booleans, under URIs */
    PROMPT_SCHEMA_FORM               /* of `format` */
} prompt_schema_kind_t;


/* What a rule does; what has no such function says NONE. */
typedef enum {
    PROMPT_SCHEMA_NONE = 0,
    PROMPT_SCHEMA_REF,
    PROMPT_SCHEMA_DYNAMIC_REF,
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
    PROMPT_SCHEMA_FORMAT,
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
    PROMPT_SCHEMA_NOT,
    PROMPT_SCHEMA_UNEVALUATED_ITEMS,
    PROMPT_SCHEMA_UNEVALUATED_PROPERTIES
} prompt_schema_op_t;


typedef struct {
    prompt_str_t          name;
    unsigned              drafts;    /* where it is a keyword */
    prompt_schema_kind_t  kind;
    prompt_schema_op_t    op;
} prompt_schema_keyword_t;


typedef struct prompt_schema_s           prompt_schema_t;
typedef struct prompt_schema_rule_s      prompt_schema_rule_t;
typedef struct prompt_schema_resource_s  prompt_schema_resource_t;


/*
 * A schema that has a URI of its own ($id), and what stands below it: names
 * are its own, and references are relative to it.  A document is the first.
 */
struct prompt_schema_resource_s {
    prompt_str_t                    uri;     /* no fragment; may be empty */
    prompt_schema_draft_t           draft;
    prompt_schema_t                *root;
    const prompt_json_t            *id;      /* what named it, or NULL */
    uint32_t                        index;   /* from 0: the document is that */
    uint32_t                        scopes;  /* of the document: how many there
                                                are; 0: nobody asks, there is
                                                no $dynamicRef */
    prompt_schema_resource_t       *next;
};


/* what a name stands for in a resource */
typedef struct {
    prompt_str_t                    name;
    const prompt_json_t            *value;   /* of the keyword */
    prompt_schema_resource_t       *resource;
    prompt_schema_t                *schema;
    bool                            dynamic; /* $dynamicAnchor */
} prompt_schema_anchor_t;


struct prompt_schema_rule_s {
    prompt_schema_op_t              op;
    const prompt_json_t            *value;   /* whose name is the keyword's */
    uint64_t                        count;   /* COUNT; weight of ENUM, CONST;
                                                of anchors */
    prompt_schema_t                *schema;  /* ONE, REFERENCE */
    prompt_schema_t               **schemas; /* SEVERAL, MAP: one for each
                                                element or member of value;
                                                NULL: names instead */
    prompt_json_member_t           *index;   /* MAP: members of value, sorted;
                                                offset: which of schemas */

    union {
        unsigned                    types;   /* TYPES: a bit each */
        prompt_format_t             format;  /* FORM */
        prompt_decimal_t            number;  /* NUMBER, DIVISOR */
        prompt_regex_t            **regexes; /* REGEX: one; REGEX_MAP: as
                                                schemas */
        prompt_schema_anchor_t     *anchors; /* DYNAMIC_REF: those of the name
                                                in all resources */
    } of;

    prompt_schema_rule_t           *next;
};


struct prompt_schema_s {
    const prompt_json_t            *json;    /* OBJECT or BOOLEAN */
    prompt_schema_resource_t       *resource;
    prompt_schema_rule_t           *first;
    prompt_schema_rule_t           *last;
    unsigned                        height;  /* of schemas applied to the same
                                                value; 0: not yet known */
    bool                            open;    /* being measured */
    bool                            rest;    /* has unevaluated... */
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

/*
 * What a reference to a meta-schema, or to one of the documents it consists
 * of, finds.
 */
typedef struct {
    prompt_str_t           uri;
    prompt_schema_draft_t  draft;
    prompt_str_t           text;
} prompt_schema_meta_t;

#define PROMPT_SCHEMA_METAS  10

extern const prompt_schema_meta_t  prompt_schema_metas[PROMPT_SCHEMA_METAS];


/*
 * Compiles json, whose nesting the caller has limited.  Fault: the field is
 * `inputSchema` followed by the path of what is wrong.
 */
prompt_check_t prompt_schema_compile(prompt_arena_t *arena,
    const prompt_json_t *json, prompt_schema_t **schema,
    prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/* A fragment without its %HH; scratch has room for as much. */
prompt_str_t prompt_schema_fragment(prompt_str_t fragment, char *scratch);

#endif /* PROMPT_JSONSCHEMA_SCHEMA_H */
