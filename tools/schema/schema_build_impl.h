/*
 * What building a schema is made of: names (schema_build.c), members
 * (schema_members.c), default values (schema_defaults.c) and the order of it
 * all (schema_order.c).
 */

#ifndef SCHEMA_BUILD_IMPL_H
#define SCHEMA_BUILD_IMPL_H

#include "graphql/syntax/names.h"
#include "schema/schema_build.h"
#include "schema/sdl_ast.h"


/* nesting of default values, also from one input object to the next */
#define GQL_BUILD_MAX_DEFAULTS  1024


typedef enum {
    GQL_DEFAULTS_NEW = 0,
    GQL_DEFAULTS_BUSY,               /* being coerced: a cycle comes back */
    GQL_DEFAULTS_DONE
} gql_defaults_t;


/* a type on its way, and the nodes that it is made of */
typedef struct {
    gql_type_t                     type;       /* first: gql_build_of() */
    const gql_type_definition_t   *definition;
    const gql_type_definition_t  **extensions; /* in their order */
    uint32_t                       nextensions;
    bool                           builtin;
    bool                           placed;     /* in the schema's order */
    gql_defaults_t                 defaults;
} gql_build_type_t;


/* one schema being built: types holds the built-in ones, then the SDL's */
typedef struct {
    prompt_arena_t                *arena;
    gql_schema_t                  *schema;
    gql_errors_t                  *errors;

    const gql_schema_definition_t  *definition;  /* of the schema, or NULL */
    const gql_document_t          *document;   /* its extensions are there */

    gql_names_t                    names;      /* to gql_build_type_t */
    gql_build_type_t              *types;
    uint32_t                       ntypes;
    uint32_t                       nbuiltin;
    gql_type_t                   **order;      /* schema->types */

    gql_directive_def_t          **standard;   /* the built-in directives */
    uint32_t                       nstandard;
    const gql_directive_def_t     *deprecated; /* NULL: not built yet */
    const gql_directive_def_t     *specified_by;

    bool                           builtin;    /* the built-in part's turn */
} gql_build_t;


/* Puts a value in place of what was there; false: the arena gave out. */
static inline bool PROMPT_WARN_UNUSED
gql_names_set(gql_names_t *names, prompt_str_t name, void *value)
{
    gql_name_entry_t  *entry;

    entry = gql_names_add(names, name);

    if (entry == NULL) {
        return false;
    }

    entry->value = value;

    return true;
}


static inline gql_build_type_t *
gql_build_of(const gql_type_t *type)
{
    return (gql_build_type_t *) (uintptr_t) type;
}


/* node number i of a type: its definition, then its extensions */
static inline const gql_type_definition_t *
gql_build_part(const gql_build_type_t *bt, uint32_t i)
{
    if (i == 0) {
        return bt->definition;
    }

    return i <= bt->nextensions ? bt->extensions[i - 1] : NULL;
}


#define gql_build_each_part(part, i, bt)                                     \
    for ((i) = 0; ((part) = gql_build_part(bt, i)) != NULL; (i)++)


/*
 * Members of types, of the built-in part or of the SDL's (build->builtin).
 * All return false with an error added, or errors->nomem set.
 */
bool gql_build_eager(gql_build_t *build, gql_build_type_t *bt)
    PROMPT_WARN_UNUSED;                        /* SCALAR, ENUM */
bool gql_build_lazy(gql_build_t *build, gql_build_type_t *bt)
    PROMPT_WARN_UNUSED;                        /* the other kinds */
bool gql_build_type_defaults(gql_build_t *build, gql_build_type_t *bt)
    PROMPT_WARN_UNUSED;

gql_directive_def_t *gql_build_directive(gql_build_t *build,
    const gql_directive_definition_t *node) PROMPT_WARN_UNUSED;
bool gql_build_directive_defaults(gql_build_t *build,
    const gql_directive_def_t *directive,
    const gql_directive_definition_t *node) PROMPT_WARN_UNUSED;

/*
 * The types that a document defines, in its order, built-in names included;
 * list has room for all of them.  Returns how many.
 */
uint32_t gql_build_defined(gql_build_t *build, const gql_document_t *document,
    gql_build_type_t **list);

/*
 * The steps after members are there, in this order; directives are those of
 * the SDL, with room for the standard ones.
 *
 * Roots: as "schema" says, or, where there is none, by their names.
 * Directives: behind those of the SDL come the standard ones that it lacks.
 * Order, which introspection shows: the SDL's types as they are defined, each
 * followed by the built-in types that it is the first to use; then those that
 * roots and directives use, and introspection's own.
 * Finish: indices, names to types, possible types, __typename and so on.
 */
bool gql_build_roots(gql_build_t *build) PROMPT_WARN_UNUSED;
bool gql_build_all_directives(gql_build_t *build,
    const gql_directive_def_t **directives, uint32_t n) PROMPT_WARN_UNUSED;
bool gql_build_order(gql_build_t *build, gql_build_type_t **defined,
    uint32_t n) PROMPT_WARN_UNUSED;
bool gql_build_finish(gql_build_t *build) PROMPT_WARN_UNUSED;

/* things that begin with their names, n of them of size bytes, by name */
bool gql_build_index(gql_build_t *build, gql_index_t *index,
    const void *items, uint32_t n, size_t size) PROMPT_WARN_UNUSED;
/* the same from pointers to them */
bool gql_build_index_of(gql_build_t *build, gql_index_t *index,
    const void *pointers, uint32_t n) PROMPT_WARN_UNUSED;

/* the type that a name stands for; NULL with an error added */
const gql_type_t *gql_build_named(gql_build_t *build, const gql_name_t *name)
    PROMPT_WARN_UNUSED;

/* false, and errors->nomem is set */
bool gql_build_nomem(gql_build_t *build);

#endif /* SCHEMA_BUILD_IMPL_H */
