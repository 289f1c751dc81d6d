/*
 * Abstract syntax of type systems (specification, section 3), beside that of
 * executable documents.
 */

#ifndef SCHEMA_SDL_AST_H
#define SCHEMA_SDL_AST_H

#include "graphql/syntax/ast.h"


/* further values of gql_kind_t */
#define gql_sdl_kind(n)  ((gql_kind_t) (GQL_KIND_COUNT + (n)))

#define GQL_SCHEMA_DEFINITION             gql_sdl_kind(0)
#define GQL_OPERATION_TYPE_DEFINITION     gql_sdl_kind(1)
#define GQL_SCALAR_TYPE_DEFINITION        gql_sdl_kind(2)
#define GQL_OBJECT_TYPE_DEFINITION        gql_sdl_kind(3)
#define GQL_FIELD_DEFINITION              gql_sdl_kind(4)
#define GQL_INPUT_VALUE_DEFINITION        gql_sdl_kind(5)
#define GQL_INTERFACE_TYPE_DEFINITION     gql_sdl_kind(6)
#define GQL_UNION_TYPE_DEFINITION         gql_sdl_kind(7)
#define GQL_ENUM_TYPE_DEFINITION          gql_sdl_kind(8)
#define GQL_ENUM_VALUE_DEFINITION         gql_sdl_kind(9)
#define GQL_INPUT_OBJECT_TYPE_DEFINITION  gql_sdl_kind(10)
#define GQL_DIRECTIVE_DEFINITION          gql_sdl_kind(11)
#define GQL_SCHEMA_EXTENSION              gql_sdl_kind(12)
#define GQL_SCALAR_TYPE_EXTENSION         gql_sdl_kind(13)
#define GQL_OBJECT_TYPE_EXTENSION         gql_sdl_kind(14)
#define GQL_INTERFACE_TYPE_EXTENSION      gql_sdl_kind(15)
#define GQL_UNION_TYPE_EXTENSION          gql_sdl_kind(16)
#define GQL_ENUM_TYPE_EXTENSION           gql_sdl_kind(17)
#define GQL_INPUT_OBJECT_TYPE_EXTENSION   gql_sdl_kind(18)
#define GQL_SDL_KIND_COUNT                gql_sdl_kind(19)


/* sets of kinds */
_Static_assert(GQL_SDL_KIND_COUNT <= 64, "a set of kinds has 64 bits");

#define GQL_TYPE_DEFINITIONS                                                 \
    (gql_kind_bit(GQL_SCALAR_TYPE_DEFINITION)                                \
     | gql_kind_bit(GQL_OBJECT_TYPE_DEFINITION)                              \
     | gql_kind_bit(GQL_INTERFACE_TYPE_DEFINITION)                           \
     | gql_kind_bit(GQL_UNION_TYPE_DEFINITION)                               \
     | gql_kind_bit(GQL_ENUM_TYPE_DEFINITION)                                \
     | gql_kind_bit(GQL_INPUT_OBJECT_TYPE_DEFINITION))

#define GQL_TYPE_EXTENSIONS                                                  \
    (gql_kind_bit(GQL_SCALAR_TYPE_EXTENSION)                                 \
     | gql_kind_bit(GQL_OBJECT_TYPE_EXTENSION)                               \
     | gql_kind_bit(GQL_INTERFACE_TYPE_EXTENSION)                            \
     | gql_kind_bit(GQL_UNION_TYPE_EXTENSION)                                \
     | gql_kind_bit(GQL_ENUM_TYPE_EXTENSION)                                 \
     | gql_kind_bit(GQL_INPUT_OBJECT_TYPE_EXTENSION))


typedef struct {
    gql_node_t             node;
    gql_operation_type_t   operation;
    gql_type_node_t       *type;
} gql_operation_type_definition_t;


typedef struct {
    gql_node_t         node;
    gql_value_t       *description;
    gql_name_t        *name;
    gql_type_node_t   *type;
    gql_value_t       *default_value;
    gql_list_t         directives;
} gql_input_value_definition_t;


typedef struct {
    gql_node_t         node;
    gql_value_t       *description;
    gql_name_t        *name;
    gql_list_t         arguments;    /* gql_input_value_definition_t */
    gql_type_node_t   *type;
    gql_list_t         directives;
} gql_field_definition_t;


typedef struct {
    gql_node_t     node;
    gql_value_t   *description;
    gql_name_t    *name;
    gql_list_t     directives;
} gql_enum_value_definition_t;


/*
 * SCALAR … INPUT_OBJECT type definitions and their extensions: the members
 * that a kind does not have are empty.
 */
typedef struct {
    gql_node_t     node;
    gql_value_t   *description;      /* NULL on extensions */
    gql_name_t    *name;
    gql_list_t     interfaces;       /* gql_type_node_t: OBJECT, INTERFACE */
    gql_list_t     directives;
    gql_list_t     fields;           /* gql_field_definition_t: OBJECT,
                                        INTERFACE; gql_input_value_definition_t:
                                        INPUT_OBJECT */
    gql_list_t     types;            /* gql_type_node_t: UNION members */
    gql_list_t     values;           /* gql_enum_value_definition_t: ENUM */
} gql_type_definition_t;


/* SCHEMA_DEFINITION and SCHEMA_EXTENSION */
typedef struct {
    gql_node_t     node;
    gql_value_t   *description;
    gql_list_t     directives;
    gql_list_t     operation_types;  /* gql_operation_type_definition_t */
} gql_schema_definition_t;


typedef struct {
    gql_node_t     node;
    gql_value_t   *description;
    gql_name_t    *name;
    gql_list_t     arguments;        /* gql_input_value_definition_t */
    bool           repeatable;
    gql_list_t     locations;        /* gql_name_t */
} gql_directive_definition_t;

#endif /* SCHEMA_SDL_AST_H */
