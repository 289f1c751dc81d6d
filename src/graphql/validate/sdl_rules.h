/*
 * The SDL rules among themselves: what they share, and where each stands.
 *
 * One walk over the document (sdl_validate.c) calls every rule at every place
 * that it looks at, in the order of the list of rules, as graphql-js's
 * visitInParallel() does: hence the order of errors.
 */

#ifndef GQL_SDL_RULES_H
#define GQL_SDL_RULES_H

#include "graphql/schema_build.h"
#include "graphql/types/table.h"


/* an argument of a directive, from a schema or from the document */
typedef struct {
    prompt_str_t             name;
    prompt_str_t             type;             /* as printed; absent unless
                                                  it is required */
} gql_sdl_arg_t;


/* a directive that the document may use */
typedef struct {
    uint32_t                 locations;        /* bits 1 << GQL_ON_… */
    bool                     repeatable;
    gql_sdl_arg_t           *args;
    uint32_t                 nargs;
    gql_sdl_arg_t          **required;         /* those that must be given */
    uint32_t                 nrequired;
    gql_table_t             *table;            /* names to gql_sdl_arg_t */
} gql_sdl_directive_t;


typedef struct {
    prompt_arena_t          *arena;            /* nothing in it outlives the
                                                  walk */
    const gql_document_t    *document;
    const gql_schema_t      *base;             /* NULL: none */
    gql_errors_t            *errors;

    gql_table_t             *types;            /* what the document defines:
                                                  to gql_type_definition_t */
    gql_table_t             *directives;       /* to gql_sdl_directive_t */
    bool                     type_system;      /* the walk is in a definition
                                                  of the type system */

    /* names to suggest; the built-in ones first, made when first needed */
    prompt_str_t            *options;
    uint32_t                 noptions;
    uint32_t                 suggestions;    /* options that errors may still
                                                be compared with */
    uint32_t                 nbuiltin;

    /* what has been seen so far, by rule */
    uint32_t                 nschemas;
    const gql_node_t        *operations[GQL_SUBSCRIPTION + 1];
    gql_table_t             *type_names;       /* to gql_name_t */
    gql_table_t             *directive_names;  /* to gql_name_t */
    gql_table_t             *enum_values;      /* types to tables of names */
    gql_table_t             *fields;           /* the same */
    gql_table_t             *type_directives;  /* types to tables of
                                                  directives */
    gql_table_t             *schema_directives;
} gql_sdl_t;


/* A rule: what it does where.  Members that are NULL are of no interest. */
typedef struct {
    prompt_str_t  name;

    /* a definition, or any other node with directives */
    void  (*enter)(gql_sdl_t *sdl, const gql_node_t *node,
                   const gql_list_t *directives);

    /* a name where a type is used */
    void  (*named_type)(gql_sdl_t *sdl, const gql_type_node_t *node);

    /* a directive, before and after what is in it */
    void  (*directive)(gql_sdl_t *sdl, const gql_directive_t *directive,
                       gql_directive_location_t location);
    void  (*directive_leave)(gql_sdl_t *sdl, const gql_directive_t *directive,
                             gql_directive_location_t location);

    /* a member of an object value; known: the names of its members so far */
    void  (*object_field)(gql_sdl_t *sdl, gql_table_t **known,
                          const gql_object_field_t *field);
} gql_sdl_rule_t;


/* memory is short: says so, and ends the walk */
void gql_sdl_nomem(gql_sdl_t *sdl);

/* what is under key in *table, which is made when it is first needed */
bool gql_sdl_remember(gql_sdl_t *sdl, gql_table_t **table, prompt_str_t key,
    const void *value);

/* the table under key in *outer; NULL when memory is short */
gql_table_t *gql_sdl_table(gql_sdl_t *sdl, gql_table_t **outer,
    prompt_str_t key);

/* an error at one or two places; b may be NULL */
void gql_sdl_error_at(gql_sdl_t *sdl, gql_error_t *error, const gql_node_t *a,
    const gql_node_t *b);

/*
 * Reports, by means of report(), each name that stands more than once in a
 * list, once; name() gives that of a node.
 */
void gql_sdl_unique(gql_sdl_t *sdl, const gql_list_t *list,
    const gql_name_t *(*name)(const gql_node_t *node),
    gql_error_t *(*report)(gql_sdl_t *sdl, const void *data,
                           const gql_name_t *name),
    const void *data);

/*
 * Fills types and directives before the walk: what the document defines may
 * be used before it is defined.  directives are those known beside its own.
 */
bool gql_sdl_collect(gql_sdl_t *sdl, gql_directive_def_t *const *directives,
    uint32_t ndirectives);

/*
 * " Did you mean …" for the name of a type; builtin: among those of the
 * standard too.
 */
prompt_str_t gql_sdl_suggest_type(gql_sdl_t *sdl, prompt_str_t name,
    bool builtin);

/* whether every schema has a type of that name */
bool gql_sdl_is_builtin(prompt_str_t name);

bool gql_sdl_is_definition(gql_kind_t kind);   /* of a type */
bool gql_sdl_is_extension(gql_kind_t kind);    /* of a type */


/* sdl_definitions.c */
void gql_sdl_lone_schema_definition(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives);
void gql_sdl_unique_operation_types(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives);
void gql_sdl_unique_type_names(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives);
void gql_sdl_unique_directive_names(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives);
void gql_sdl_possible_type_extensions(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives);

/* sdl_members.c */
void gql_sdl_unique_enum_value_names(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives);
void gql_sdl_unique_field_definition_names(gql_sdl_t *sdl,
    const gql_node_t *node, const gql_list_t *directives);
void gql_sdl_unique_argument_definition_names(gql_sdl_t *sdl,
    const gql_node_t *node, const gql_list_t *directives);

/* sdl_directives.c */
void gql_sdl_known_directives(gql_sdl_t *sdl,
    const gql_directive_t *directive, gql_directive_location_t location);
void gql_sdl_unique_directives_per_location(gql_sdl_t *sdl,
    const gql_node_t *node, const gql_list_t *directives);
void gql_sdl_known_argument_names_on_directives(gql_sdl_t *sdl,
    const gql_directive_t *directive, gql_directive_location_t location);
void gql_sdl_provided_required_arguments_on_directives(gql_sdl_t *sdl,
    const gql_directive_t *directive, gql_directive_location_t location);

/* sdl_values.c */
void gql_sdl_known_type_names(gql_sdl_t *sdl, const gql_type_node_t *node);
void gql_sdl_unique_argument_names(gql_sdl_t *sdl, const gql_node_t *node,
    const gql_list_t *directives);
void gql_sdl_unique_directive_argument_names(gql_sdl_t *sdl,
    const gql_directive_t *directive, gql_directive_location_t location);
void gql_sdl_unique_input_field_names(gql_sdl_t *sdl, gql_table_t **known,
    const gql_object_field_t *field);

#endif /* GQL_SDL_RULES_H */
