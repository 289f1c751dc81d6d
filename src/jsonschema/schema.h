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
#define PROMPT_JSONSCHEMA_MAX_VIOLATIONS  20

/* instructions that all regular expressions of one schema become */
#define PROMPT_JSONSCHEMA_MAX_REGEX   20000

/*
 * Bytes of all URIs that schemas of one document are given, and of those that
 * its references name
 */
#define PROMPT_JSONSCHEMA_MAX_URIS    (256 * 1024)
#define PROMPT_JSONSCHEMA_MAX_LOOKS   (4 * 1024 * 1024)

/*
 * Places below members that are no keywords which references may name, and how
 * many members are looked at for them.
 */
#define PROMPT_JSONSCHEMA_MAX_LATE       200
#define PROMPT_JSONSCHEMA_MAX_LATE_WORK  1000000

/* nesting of the schema's JSON value, which the caller sees to */
#define PROMPT_JSONSCHEMA_MAX_NESTING  64


typedef enum {
    PROMPT_JSONSCHEMA_2020_12 = 1,
    PROMPT_JSONSCHEMA_DRAFT_07 = 2
} prompt_jsonschema_draft_t;


/* what a keyword's value must look like */
typedef enum {
    PROMPT_JSONSCHEMA_ANY = 0,
    PROMPT_JSONSCHEMA_STRING,
    PROMPT_JSONSCHEMA_BOOLEAN,
    PROMPT_JSONSCHEMA_LIST,          /* any array */
    PROMPT_JSONSCHEMA_NUMBER,
    PROMPT_JSONSCHEMA_DIVISOR,       /* number above 0, of limited length */
    PROMPT_JSONSCHEMA_COUNT,         /* integer from 0 */
    PROMPT_JSONSCHEMA_TYPES,         /* name of a type, or several */
    PROMPT_JSONSCHEMA_NAMES,         /* array of different strings */
    PROMPT_JSONSCHEMA_NAMES_MAP,     /* object of those */
    PROMPT_JSONSCHEMA_REGEX,
    PROMPT_JSONSCHEMA_ONE,             /* a schema */
    PROMPT_JSONSCHEMA_SEVERAL,         /* array of at least one */
    PROMPT_JSONSCHEMA_MAP,             /* object of schemas */
    PROMPT_JSONSCHEMA_REGEX_MAP,       /* the same, under patterns */
    PROMPT_JSONSCHEMA_ONE_OR_SEVERAL,  /* items of draft-07 */
    PROMPT_JSONSCHEMA_DEPENDENCIES,    /* object of schemas or of names */
    PROMPT_JSONSCHEMA_DIALECT,         /* $schema */
    PROMPT_JSONSCHEMA_IDENTIFIER,      /* $id */
    PROMPT_JSONSCHEMA_ANCHOR,        /* $anchor and $dynamicAnchor */
    PROMPT_JSONSCHEMA_REFERENCE,
    PROMPT_JSONSCHEMA_VOCABULARY,    /* object of booleans, under URIs */
    PROMPT_JSONSCHEMA_FORM           /* of `format` */
} prompt_jsonschema_kind_t;


/* What other rules and functions ask a rule for; NONE: nobody does. */
typedef enum {
    PROMPT_JSONSCHEMA_NONE = 0,
    PROMPT_JSONSCHEMA_REF,
    PROMPT_JSONSCHEMA_DYNAMIC_REF,
    PROMPT_JSONSCHEMA_MAXIMUM,
    PROMPT_JSONSCHEMA_EXCLUSIVE_MAXIMUM,
    PROMPT_JSONSCHEMA_MINIMUM,
    PROMPT_JSONSCHEMA_EXCLUSIVE_MINIMUM,
    PROMPT_JSONSCHEMA_MOST,          /* maxLength, maxItems, maxProperties */
    PROMPT_JSONSCHEMA_PREFIX_ITEMS,
    PROMPT_JSONSCHEMA_ITEMS,
    PROMPT_JSONSCHEMA_MAX_CONTAINS,
    PROMPT_JSONSCHEMA_MIN_CONTAINS,
    PROMPT_JSONSCHEMA_REQUIRED,
    PROMPT_JSONSCHEMA_PROPERTIES,
    PROMPT_JSONSCHEMA_PATTERN_PROPERTIES,
    PROMPT_JSONSCHEMA_DEPENDENT_SCHEMAS,
    PROMPT_JSONSCHEMA_DEPENDENCY,
    PROMPT_JSONSCHEMA_IF,
    PROMPT_JSONSCHEMA_THEN,
    PROMPT_JSONSCHEMA_ELSE,
    PROMPT_JSONSCHEMA_ALL_OF,
    PROMPT_JSONSCHEMA_ANY_OF,
    PROMPT_JSONSCHEMA_ONE_OF,
    PROMPT_JSONSCHEMA_NOT,
    PROMPT_JSONSCHEMA_UNEVALUATED_ITEMS,
    PROMPT_JSONSCHEMA_UNEVALUATED_PROPERTIES
} prompt_jsonschema_op_t;


typedef struct prompt_jsonschema_s            prompt_jsonschema_t;
typedef struct prompt_jsonschema_rule_s       prompt_jsonschema_rule_t;
typedef struct prompt_jsonschema_resource_s   prompt_jsonschema_resource_t;
typedef struct prompt_jsonschema_frame_s      prompt_jsonschema_frame_t;
typedef struct prompt_jsonschema_validator_s  prompt_jsonschema_validator_t;


/*
 * What rules do: whether the frame's instance, of a type that the rule looks
 * at, passes.
 */
typedef bool prompt_jsonschema_check_t(
    prompt_jsonschema_validator_t *validator, prompt_jsonschema_frame_t *frame,
    const prompt_jsonschema_rule_t *rule);


typedef struct {
    prompt_str_t                name;
    unsigned                    drafts;  /* where it is a keyword */
    prompt_jsonschema_kind_t    kind;
    prompt_jsonschema_op_t      op;
    unsigned                    types;   /* of values that it looks at */
    prompt_jsonschema_check_t  *check;   /* NULL: nothing */
} prompt_jsonschema_keyword_t;


/*
 * A schema that has a URI of its own ($id), and what stands below it: names
 * are its own, and references are relative to it.  A document is the first.
 */
struct prompt_jsonschema_resource_s {
    prompt_str_t                    uri;     /* no fragment; may be empty */
    prompt_jsonschema_draft_t       draft;
    prompt_jsonschema_t            *root;
    const prompt_json_t            *id;      /* what named it, or NULL */
    uint32_t                        index;   /* from 0: the document is that */
    uint32_t                        scopes;  /* of the document: how many there
                                                are; 0: nobody asks, there is
                                                no $dynamicRef */
    prompt_jsonschema_resource_t   *next;
};


/* what a name stands for in a resource */
typedef struct {
    prompt_str_t                    name;
    const prompt_json_t            *value;   /* of the keyword */
    prompt_jsonschema_resource_t   *resource;
    prompt_jsonschema_t            *schema;
    bool                            dynamic; /* $dynamicAnchor */
} prompt_jsonschema_anchor_t;


struct prompt_jsonschema_rule_s {
    prompt_jsonschema_op_t          op;      /* the keyword's */
    const prompt_jsonschema_keyword_t
                                   *keyword;
    const prompt_json_t            *value;   /* whose name is the keyword's */
    uint64_t                        count;   /* COUNT; weight of ENUM, CONST;
                                                of anchors */
    prompt_jsonschema_t            *schema;  /* ONE, REFERENCE */
    prompt_jsonschema_t           **schemas; /* SEVERAL, MAP: one for each
                                                element or member of value;
                                                NULL: names instead */
    prompt_json_member_t           *index;   /* MAP: members of value, sorted;
                                                offset: which of schemas */

    union {
        unsigned                     types;   /* TYPES: a bit each */
        prompt_format_t              format;  /* FORM */
        prompt_decimal_t             number;  /* NUMBER, DIVISOR */
        prompt_regex_t             **regexes; /* REGEX: one; REGEX_MAP: as
                                                 schemas */
        prompt_jsonschema_anchor_t  *anchors; /* DYNAMIC_REF: those of the name
                                                 in all resources */
    } of;

    prompt_jsonschema_rule_t       *next;
};


struct prompt_jsonschema_s {
    const prompt_json_t            *json;    /* OBJECT or BOOLEAN */
    prompt_jsonschema_resource_t   *resource;
    prompt_jsonschema_rule_t       *first;
    prompt_jsonschema_rule_t       *last;
    unsigned                        height;  /* of schemas applied to the same
                                                value; 0: not yet known */
    bool                            open;    /* being measured */
    bool                            rest;    /* has unevaluated... */
};


/* one bit for each type that `type` can name */
#define PROMPT_JSONSCHEMA_TYPE_INTEGER  (1u << 6)
#define prompt_jsonschema_type_bit(json_type)  (1u << (json_type))


/* the rule that does op, or NULL; a schema has no more rules than keywords */
static inline const prompt_jsonschema_rule_t *
prompt_jsonschema_find(const prompt_jsonschema_t *schema,
                       prompt_jsonschema_op_t op)
{
    const prompt_jsonschema_rule_t  *rule;

    for (rule = schema->first; rule != NULL; rule = rule->next) {
        if (rule->op == op) {
            break;
        }
    }

    return rule;
}


/* The keyword of that name in that draft, or NULL. */
const prompt_jsonschema_keyword_t *prompt_jsonschema_keyword(prompt_str_t name,
    prompt_jsonschema_draft_t draft);

/* the bit of a type's name; 0: there is none */
unsigned prompt_jsonschema_type(prompt_str_t name);
/* the name of a bit */
prompt_str_t prompt_jsonschema_type_name(unsigned bit);

/* which meta-schema a URI names; 0: none.  An empty fragment is allowed. */
prompt_jsonschema_draft_t prompt_jsonschema_dialect(prompt_str_t uri);

/*
 * What a reference to a meta-schema, or to one of the documents it consists
 * of, finds.
 */
typedef struct {
    prompt_str_t               uri;
    prompt_jsonschema_draft_t  draft;
    prompt_str_t               text;
} prompt_jsonschema_meta_t;

#define PROMPT_JSONSCHEMA_METAS  10

extern const prompt_jsonschema_meta_t
    prompt_jsonschema_metas[PROMPT_JSONSCHEMA_METAS];


/*
 * Compiles json, whose nesting the caller has limited.  Fault: the field is
 * name (`inputSchema`) followed by the path of what is wrong.
 */
prompt_check_t prompt_jsonschema_compile(prompt_arena_t *arena,
    const prompt_json_t *json, prompt_str_t name, prompt_jsonschema_t **schema,
    prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/* The same into the context's arena, for several that share its room. */
prompt_check_t prompt_jsonschema_compile_beside(
    prompt_regex_context_t *regexes, const prompt_json_t *json,
    prompt_str_t name, prompt_jsonschema_t **schema, prompt_fault_t *fault)
    PROMPT_WARN_UNUSED;

/*
 * The index that a segment of a path names: 0, or digits that do not begin with
 * it, at most nine; false: it names none.
 */
bool prompt_jsonschema_index(prompt_str_t segment, size_t *index);

/* A fragment without its %HH; scratch has room for as much. */
prompt_str_t prompt_jsonschema_fragment(prompt_str_t fragment, char *scratch);

#endif /* PROMPT_JSONSCHEMA_SCHEMA_H */
