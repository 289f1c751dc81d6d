/*
 * What the validation rules share: a run over one document, its errors, and
 * what is found out about fragments and variables once for all rules.
 *
 * Private to the floor.  A rule is a table of functions for the kinds of nodes
 * it looks at; validate.c calls them, for every node in the order of the
 * rules, so that errors come in the order of graphql-js.
 *
 * Cost.  Each rule is linear in the document, but for what goes through
 * fragments: that is paid for from a budget, as graphql-js does it
 * (spendFragmentWork), and a document that uses it up is refused with
 * "Validation aborted.", or in words of its own where v->explains.
 */

#ifndef GQL_VALIDATE_IMPL_H
#define GQL_VALIDATE_IMPL_H

#include "base/arena.h"
#include "base/link.h"
#include "graphql/syntax/ast.h"
#include "graphql/syntax/error.h"
#include "graphql/syntax/names.h"
#include "graphql/syntax/selection.h"
#include "graphql/validate/memo.h"
#include "graphql/types/schema.h"
#include "graphql/validate/visit_impl.h"


/* graphql-js's budget for work that goes through fragments */
#define GQL_VALIDATE_FRAGMENT_WORK  50000

typedef struct gql_validation_s  gql_validation_t;
typedef struct gql_fragment_s    gql_fragment_t;


/* spreads in a selection set, nested selection sets included */
typedef struct {
    const gql_fragment_spread_t  **spreads;  /* in graphql-js's order */
    uint32_t                       count;
} gql_spreads_t;


/* a use of a variable in an operation or fragment */
typedef struct gql_usage_s  gql_usage_t;

struct gql_usage_s {
    const gql_value_t        *node;          /* VARIABLE */
    const gql_type_ref_t     *type;          /* of the position, or NULL */
    const gql_type_ref_t     *parent_type;
    bool                      has_default;   /* the position has */
    gql_usage_t              *next;
};


typedef struct {
    gql_usage_t  *first;
    gql_usage_t  *last;
    uint32_t      count;
} gql_usages_t;


/* What the rules remember of a fragment that the document defines or spreads */
struct gql_fragment_s {
    prompt_str_t                      name;         /* where it is defined */
    uint32_t                          id;           /* gql_fragment_ref_t's */
    const gql_fragment_definition_t  *definition;   /* NULL: unknown */
    const gql_type_t                 *type;         /* of its condition */
    uint32_t                          mark;         /* of gql_reach(), with */
    gql_fragment_t                   *queued;       /*   the next one found */
    const void                       *collected;    /* into, by overlapping.c */
};


/* what an operation, or several, reach through spreads */
typedef struct gql_reach_s  gql_reach_t;

struct gql_reach_s {
    gql_fragment_t  **direct;        /* in the order of id */
    uint32_t          ndirect;
    gql_fragment_t  **fragments;     /* defined ones, as they are found */
    uint32_t          nfragments;
    bool              has_usages;
    uint32_t          nusages;       /* of all its fragments */
    gql_reach_t      *next;
};


struct gql_validation_s {
    prompt_arena_t         *arena;
    const gql_schema_t     *schema;
    const gql_document_t   *document;
    gql_errors_t           *errors;
    gql_error_t            *before;         /* the last one not of this run */
    uint32_t                nbefore;
    uint32_t                max_errors;     /* as a count of errors */
    bool                    stopped;        /* no rule need go on */

    void                   *state;          /* of the rule that is called */
    gql_visitor_t           visitor;
    const gql_type_info_t  *info;           /* the visitor's */

    bool                    explains;       /* what it aborts for */
    uint32_t                comparisons;    /* budget of overlapping.c */
    int32_t                 fragment_work;  /* left */
    unsigned                depth;          /* of recursion of rules */
    uint64_t                steps;          /* of rules that loop, for tests */

    gql_fragment_t         *fragments;      /* by id */
    gql_names_t             variables;      /* of one operation; value:
                                               gql_variable_definition_t */
    const gql_operation_definition_t
                          *variables_of;    /* that operation */
    gql_memo_t              spreads;        /* by selection set */
    gql_memo_t              usages;         /* by operation, or fragment */
    gql_memo_t              reaches;        /* by what they start with */
    gql_memo_t              reach_of;       /* by operation */
    uint32_t                mark;           /* the last one given out */
};


typedef bool (*gql_rule_enter_pt)(gql_validation_t *v, const gql_node_t *node);
typedef void (*gql_rule_leave_pt)(gql_validation_t *v, const gql_node_t *node);


typedef struct {
    uint64_t           kinds;        /* a set */
    gql_rule_enter_pt  enter;        /* NULL: none; false: this rule does not
                                        look at what is below */
    gql_rule_leave_pt  leave;        /* NULL: none */
} gql_rule_hook_t;


/* the hooks of no rule are more */
#define GQL_RULE_HOOKS  5

typedef struct {
    size_t             state_size;   /* zeroed before init */
    bool             (*init)(gql_validation_t *v, void *state);
                                     /* NULL: none; false: memory is short */
    gql_rule_hook_t    hooks[GQL_RULE_HOOKS];  /* of no kinds: none */
} gql_rule_t;

/* of a rule with one hook, for nodes of one kind */
#define gql_rule_enter(kind, enter)  { { gql_kind_bit(kind), enter, NULL } }
#define gql_rule_leave(kind, leave)  { { gql_kind_bit(kind), NULL, leave } }


/*
 * graphql-js's specifiedRules, in their order, but for the one of the parser,
 * and where they are
 */
#define GQL_RULES(rule)                                                      \
    rule(unique_operation_names)                 /* rules_names.c */         \
    rule(lone_anonymous_operation)               /* rules_operations.c */    \
    rule(single_field_subscriptions)                                         \
    rule(known_type_names)                       /* rules_types.c */         \
    rule(fragments_on_composite_types)                                       \
    rule(variables_are_input_types)                                          \
    rule(scalar_leafs)                           /* rules_fields.c */        \
    rule(fields_on_correct_type)                                             \
    rule(unique_fragment_names)                  /* rules_names.c */         \
    rule(known_fragment_names)                   /* rules_fragments.c */     \
    rule(no_unused_fragments)                                                \
    rule(possible_fragment_spreads)                                          \
    rule(no_fragment_cycles)                                                 \
    rule(unique_variable_names)                  /* rules_names.c */         \
    rule(no_undefined_variables)                 /* rules_variables.c */     \
    rule(no_unused_variables)                                                \
    rule(known_directives)                       /* rules_directives.c */    \
    rule(unique_directives_per_location)                                     \
    rule(known_argument_names)                   /* rules_arguments.c */     \
    rule(unique_argument_names)                  /* rules_names.c */         \
    rule(values_of_correct_type)                 /* rules_values.c */        \
    rule(provided_required_arguments)            /* rules_arguments.c */     \
    rule(variables_in_allowed_position)          /* rules_variables.c */     \
    rule(overlapping_fields_can_be_merged)       /* overlapping.c */         \
    rule(unique_input_field_names)               /* rules_names.c */         \
    rule(max_introspection_depth)                /* rules_introspection.c */

#define GQL_RULE_DECLARE(name)  extern const gql_rule_t  gql_rule_##name;

GQL_RULES(GQL_RULE_DECLARE)
GQL_RULE_DECLARE(no_schema_introspection)        /* rules_introspection.c */

#define GQL_SPECIFIED_RULES  26

extern const gql_rule_t *const  gql_specified_rules[GQL_SPECIFIED_RULES];

/*
 * Runs rules over a document, in this order; comparisons is as for
 * gql_validate_within(), 0: graphql-js's budget, and its words.  Returns how
 * many steps it took: nodes entered, fields and fragments compared, variables
 * looked at.
 */
uint64_t gql_validate_rules(prompt_arena_t *scratch,
    const gql_schema_t *schema, const gql_document_t *document,
    const gql_rule_t *const *rules, size_t n, uint32_t comparisons,
    gql_errors_t *errors);

/* Readies v for a document; false where memory is short. */
bool gql_validation_init(gql_validation_t *v, prompt_arena_t *arena,
    const gql_schema_t *schema, const gql_document_t *document,
    gql_errors_t *errors);

/*
 * Reports an error at byte offsets of the source, in the given order.  Stops
 * the run when there were max_errors already.
 */
void gql_refuse(gql_validation_t *v, const uint32_t *offsets, size_t n,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* the same with a message of pieces, for text that may contain U+0000 */
void gql_refuse_pieces(gql_validation_t *v, const uint32_t *offsets, size_t n,
    const prompt_str_t *pieces, size_t npieces);

/* the same for one node, and for two */
#define gql_refuse_at(v, at, ...)                                            \
    gql_refuse(v, (const uint32_t[]) { ((const gql_node_t *) (at))->start }, \
               1, __VA_ARGS__)
#define gql_refuse_two(v, a, b, ...)                                         \
    gql_refuse(v, (const uint32_t[]) { ((const gql_node_t *) (a))->start,    \
                                       ((const gql_node_t *) (b))->start },  \
               2, __VA_ARGS__)

/* Reports an error in place of all there were, and stops. */
void gql_refuse_all(gql_validation_t *v, uint32_t offset, const char *format,
    ...) __attribute__((format(printf, 3, 4)));

/*
 * Stops: a budget is used up ("Validation aborted.", or what it was of), or
 * the memory.
 */
void gql_validation_abort(gql_validation_t *v, uint32_t budget,
    const char *what);
void gql_validation_nomem(gql_validation_t *v);

/*
 * An array of zeroed elements, one with room for another (prompt_arena_room()),
 * what is remembered under an address, and the entry of a name.  NULL, false:
 * memory is short, v is stopped.
 */
void *gql_validation_array(gql_validation_t *v, size_t count, size_t size);
void *gql_validation_room(gql_validation_t *v, const void *array, size_t count,
    size_t size);
bool gql_validation_put(gql_validation_t *v, gql_memo_t *memo,
    const void *key, const void *value);
gql_name_entry_t *gql_validation_name(gql_validation_t *v, gql_names_t *names,
    prompt_str_t name);

/* Takes from the budget for fragments; false: it is used up, v is stopped. */
bool gql_spend(gql_validation_t *v, uint32_t cost);

/*
 * Deeper in a recursion; the caller takes cost from v->depth again.  False:
 * too deep, v is stopped.
 */
bool gql_descend(gql_validation_t *v, unsigned cost);

/* the fragment that a definition is of, or that a spread names */
static inline gql_fragment_t *
gql_fragment_of(const gql_validation_t *v, const gql_fragment_ref_t *ref)
{
    return &v->fragments[ref->id];
}

/* Each returns NULL where v is stopped. */
const gql_spreads_t *gql_spreads_in(gql_validation_t *v,
    const gql_selection_set_t *set);
/* the uses of variables in an operation or fragment itself */
const gql_usages_t *gql_usages_of(gql_validation_t *v, const gql_node_t *node);

/*
 * The fragments that these operations reach, in graphql-js's order.  Asked
 * for the same fragments to start with it gives the same answer for nothing.
 */
gql_reach_t *gql_reach(gql_validation_t *v,
    const gql_operation_definition_t **operations, uint32_t n);

/*
 * What an operation reaches, for who looks at the variable usages there:
 * those of the operation itself (gql_usages_of()), then those of each
 * fragment.  Pays for them.
 */
gql_reach_t *gql_reach_usages(gql_validation_t *v,
    const gql_operation_definition_t *operation);


/*
 * Names at places: what was there first.  The state of a rule, or a part of
 * it.  A place is a number: the offset where a node starts that has names, or
 * 0 where the document has.
 */
typedef struct {
    gql_names_t  names;
    gql_memo_t   first;              /* (place, name) */
} gql_unique_t;

bool gql_unique_init(gql_validation_t *v, void *state);

/*
 * The node that has the name at that place already; NULL: none, node from now
 * on, or v is stopped.
 */
const gql_node_t *gql_unique_first(gql_validation_t *v, gql_unique_t *unique,
    uint32_t place, prompt_str_t name, const gql_node_t *node);

/*
 * Reports each name that stands more than once in a list of variables or
 * arguments, with all its places.  what: "argument named \"", the name follows.
 */
void gql_refuse_duplicates(gql_validation_t *v, const gql_list_t *list,
    const char *what);

/* printed text of a node, for messages; "" where memory is short */
prompt_str_t gql_printed(gql_validation_t *v, const gql_node_t *node);

/* " Did you mean …?": from things by name, and from arguments */
prompt_str_t gql_suggest(gql_validation_t *v, prompt_str_t input,
    const gql_index_t *options);
prompt_str_t gql_suggest_argument(gql_validation_t *v, prompt_str_t input,
    const gql_input_value_t *args, uint32_t nargs);

#endif /* GQL_VALIDATE_IMPL_H */
