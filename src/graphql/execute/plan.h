/*
 * Plan: an operation of a validated document, compiled (specification 6.3).
 *
 * Fields are collected and merged once: fragments are gone, response keys are
 * escaped, definitions resolved, arguments without variables coerced.  What
 * @skip and @include decide is part of the plan: an operation has one plan
 * for each outcome of its conditions (see gql_conditions()), so that nothing
 * is left to decide while rows are written.
 *
 * A plan never changes once it is compiled, and lives in one arena together
 * with whatever the embedder's compile hook adds to it.
 */

#ifndef GQL_PLAN_H
#define GQL_PLAN_H

#include "graphql/syntax/ast.h"
#include "graphql/syntax/depth.h"
#include "graphql/syntax/error.h"
#include "graphql/types/schema.h"


typedef struct gql_plan_field_s      gql_plan_field_t;
typedef struct gql_plan_selection_s  gql_plan_selection_t;


/* who resolves a field */
typedef enum {
    GQL_PLAN_FIELD = 0,              /* the embedder */
    GQL_PLAN_TYPENAME,               /* __typename */
    GQL_PLAN_SCHEMA,                 /* __schema, __type */
    GQL_PLAN_INTROSPECTION           /* a field of __Schema, __Type, … */
} gql_plan_field_kind_t;


/* what is selected on one object type, merged, in the order of the answer */
struct gql_plan_selection_s {
    const gql_type_t     *type;
    gql_plan_field_t     *fields;
    uint32_t              nfields;
    const gql_error_t    *invalid;   /* a condition that cannot be evaluated
                                        (null for "if"): the error of whoever
                                        completes this selection; or NULL */
};


struct gql_plan_field_s {
    prompt_str_t                  key;        /* response key */
    prompt_str_t                  json_key;   /* "\"key\":"; the byte before
                                                 it is a comma */
    gql_plan_field_kind_t         kind;
    const gql_type_t             *owner;      /* the type it is selected on */
    const gql_field_def_t        *def;
    const gql_plan_field_t       *parent;     /* NULL: a root field */
    uint32_t                      id;         /* dense: 0 … plan->nfields - 1 */

    const gql_field_t            *node;       /* the first of its nodes */
    uint32_t                     *offsets;    /* of all its nodes, in order */
    uint32_t                      noffsets;

    const prompt_json_t          *arguments;  /* coerced; NULL where they need
                                                 variables or are invalid */

    /*
     * Composite types: one selection for each possible object type, in the
     * order of gql_type_t.possible; otherwise none.
     */
    gql_plan_selection_t        **selections;
    uint32_t                      nselections;

    const void                   *introspect; /* its resolver, where it is of
                                                 GQL_PLAN_INTROSPECTION */
    void                         *data;       /* the embedder's */
};


typedef struct {
    prompt_arena_t                    *arena;
    const gql_schema_t                *schema;
    const gql_document_t              *document;
    const gql_operation_definition_t  *operation;
    gql_plan_selection_t              *root;
    uint32_t                           nfields;    /* in the whole plan */
} gql_plan_t;


/*
 * Collects the names of the variables that the conditions (@skip, @include)
 * of an operation use, through fragments, in document order, each once.
 * Returns how many, or -1 when memory is short.
 */
int gql_conditions(prompt_arena_t *arena, const gql_document_t *document,
    const gql_operation_definition_t *operation, prompt_str_t **names);

/*
 * Compiles.  variables: coerced variables; only those of gql_conditions()
 * are looked at.  NULL when the arena gives out (errors->nomem), or with an
 * error added where the operation is nested too deeply, or makes more work
 * than its size can excuse (fragments that multiply each other).
 */
gql_plan_t *gql_plan_compile(prompt_arena_t *arena,
    const gql_schema_t *schema, const gql_document_t *document,
    const gql_operation_definition_t *operation,
    const prompt_json_t *variables, gql_errors_t *errors) PROMPT_WARN_UNUSED;

/* the selection of a composite field on an object type; NULL: not possible */
const gql_plan_selection_t *gql_plan_selection(const gql_plan_field_t *field,
    const gql_type_t *type);

#endif /* GQL_PLAN_H */
