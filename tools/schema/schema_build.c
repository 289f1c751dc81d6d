/*
 * Building a schema from SDL: names first, then members, then their order.
 *
 * As in graphql-js a type may be used before it is defined, so all types are
 * made by name before any member is.  Then come members in the order in which
 * graphql-js makes them (scalars and enums, directives, the rest), so that of
 * several errors the same one is found.  Default values come last: they look
 * at the members of input objects.
 *
 * The built-in part (introspection, scalars, directives) goes the same way,
 * before the SDL's own, from gql_introspection_sdl.
 */

#include <stdlib.h>

#include "schema/introspect_sdl.h"
#include "schema/parser_sdl.h"
#include "schema/schema_build_impl.h"


static const struct {
    prompt_str_t  name;
    gql_scalar_t  scalar;
} gql_build_scalars[] = {
    { prompt_str_init("Int"), GQL_SCALAR_INT },
    { prompt_str_init("Float"), GQL_SCALAR_FLOAT },
    { prompt_str_init("String"), GQL_SCALAR_STRING },
    { prompt_str_init("Boolean"), GQL_SCALAR_BOOLEAN },
    { prompt_str_init("ID"), GQL_SCALAR_ID }
};


bool
gql_build_nomem(gql_build_t *build)
{
    build->errors->nomem = true;

    return false;
}


static int
gql_build_compare(const void *a, const void *b)
{
    return gql_index_compare(**(const prompt_str_t *const *) a,
                             **(const prompt_str_t *const *) b);
}


bool
gql_build_index_of(gql_build_t *build, gql_index_t *index,
    const void *pointers, uint32_t n)
{
    const prompt_str_t  **names;

    names = prompt_arena_array(build->arena, n, sizeof(prompt_str_t *));
    if (names == NULL) {
        return gql_build_nomem(build);
    }

    if (n != 0) {
        memcpy(names, pointers, n * sizeof(prompt_str_t *));
        qsort(names, n, sizeof(prompt_str_t *), gql_build_compare);
    }

    index->names = names;
    index->count = n;

    return true;
}


bool
gql_build_index(gql_build_t *build, gql_index_t *index, const void *items,
    uint32_t n, size_t size)
{
    uint32_t      i;
    const void  **pointers;

    pointers = prompt_arena_array(build->arena, n, sizeof(void *));
    if (pointers == NULL) {
        return gql_build_nomem(build);
    }

    for (i = 0; i < n; i++) {
        pointers[i] = (const char *) items + i * size;
    }

    return gql_build_index_of(build, index, pointers, n);
}


const gql_type_t *
gql_build_named(gql_build_t *build, const gql_name_t *name)
{
    gql_error_t       *error;
    const gql_type_t  *type;

    type = gql_names_get(&build->names, name->value);

    if (type == NULL) {
        error = gql_errors_add(build->errors, "Unknown type: \"%.*s\".",
                               prompt_str_arg(name->value));
        gql_error_at(build->errors, error, name->node.start);
    }

    return type;
}


static gql_type_kind_t
gql_build_kind(gql_kind_t kind)
{
    switch ((unsigned) kind) {

    case GQL_OBJECT_TYPE_DEFINITION:
        return GQL_TYPE_OBJECT;

    case GQL_INTERFACE_TYPE_DEFINITION:
        return GQL_TYPE_INTERFACE;

    case GQL_UNION_TYPE_DEFINITION:
        return GQL_TYPE_UNION;

    case GQL_ENUM_TYPE_DEFINITION:
        return GQL_TYPE_ENUM;

    case GQL_INPUT_OBJECT_TYPE_DEFINITION:
        return GQL_TYPE_INPUT_OBJECT;

    default:
        return GQL_TYPE_SCALAR;
    }
}


/* A type without members yet, under its name. */
static bool
gql_build_shell(gql_build_t *build, const gql_type_definition_t *definition)
{
    size_t             i;
    gql_type_t        *type;
    gql_build_type_t  *bt;

    bt = &build->types[build->ntypes++];
    bt->definition = definition;
    bt->builtin = build->builtin;

    type = &bt->type;
    type->kind = gql_build_kind(definition->node.kind);
    type->name = definition->name->value;
    type->ref.kind = GQL_REF_NAMED;
    type->ref.type = type;
    type->ref.text = type->name;

    if (build->builtin) {

        if (type->kind == GQL_TYPE_SCALAR) {
            for (i = 0;
                 i < sizeof(gql_build_scalars) / sizeof(gql_build_scalars[0]);
                 i++)
            {
                if (prompt_str_eq(type->name, gql_build_scalars[i].name)) {
                    type->scalar = gql_build_scalars[i].scalar;
                }
            }

        } else {
            type->introspection = true;
        }
    }

    if (!gql_names_set(&build->names, type->name, type)) {
        return gql_build_nomem(build);
    }

    return true;
}


/* The type of the SDL that a node extends; NULL where it is no extension. */
static gql_build_type_t *
gql_build_extended(gql_build_t *build, const gql_node_t *node)
{
    gql_build_type_t  *bt;

    if (!gql_kind_is(node->kind, GQL_TYPE_EXTENSIONS)) {
        return NULL;
    }

    bt = gql_names_get(&build->names,
                       ((const gql_type_definition_t *) node)->name->value);

    /* extensions of built-in types have no effect, as in graphql-js */

    return bt != NULL && !bt->builtin ? bt : NULL;
}


/* Hangs extensions onto the types, in their order. */
static bool
gql_build_extensions(gql_build_t *build, const gql_document_t *document)
{
    uint32_t           i;
    gql_node_t        *node;
    gql_build_type_t  *bt;

    gql_list_each (node, &document->definitions) {
        bt = gql_build_extended(build, node);

        if (bt != NULL) {
            bt->nextensions++;
        }
    }

    for (i = build->nbuiltin; i < build->ntypes; i++) {
        bt = &build->types[i];

        bt->extensions = prompt_arena_array(build->arena, bt->nextensions,
                                            sizeof(*bt->extensions));
        if (bt->extensions == NULL) {
            return gql_build_nomem(build);
        }

        bt->nextensions = 0;
    }

    gql_list_each (node, &document->definitions) {
        bt = gql_build_extended(build, node);

        if (bt != NULL) {
            bt->extensions[bt->nextensions++] =
                (const gql_type_definition_t *) node;
        }
    }

    return true;
}


/* Types without members, for every definition but those of built-in names. */
static bool
gql_build_shells(gql_build_t *build, const gql_document_t *document)
{
    gql_node_t                   *node;
    const gql_type_definition_t  *definition;

    gql_list_each (node, &document->definitions) {

        if (node->kind == GQL_SCHEMA_DEFINITION) {
            build->definition = (const gql_schema_definition_t *) node;
        }

        if (!gql_kind_is(node->kind, GQL_TYPE_DEFINITIONS)) {
            continue;
        }

        definition = (const gql_type_definition_t *) node;

        if (gql_names_get(&build->names, definition->name->value) == NULL
            && !gql_build_shell(build, definition))
        {
            return false;
        }
    }

    return gql_build_extensions(build, document);
}


/* Directives of a document, appended to list. */
static bool
gql_build_directives(gql_build_t *build, const gql_document_t *document,
    gql_directive_def_t **list, uint32_t *n)
{
    gql_node_t           *node;
    gql_directive_def_t  *directive;

    gql_list_each (node, &document->definitions) {

        if (node->kind != GQL_DIRECTIVE_DEFINITION) {
            continue;
        }

        directive = gql_build_directive(build,
                                    (const gql_directive_definition_t *) node);
        if (directive == NULL) {
            return false;
        }

        list[(*n)++] = directive;
    }

    return true;
}


/* Members of the types from first on, and of the document's directives. */
static bool
gql_build_members(gql_build_t *build, const gql_document_t *document,
    uint32_t first, gql_directive_def_t **directives, uint32_t *ndirectives)
{
    uint32_t     i, n;
    gql_node_t  *node;

    for (i = first; i < build->ntypes; i++) {
        if (!gql_build_eager(build, &build->types[i])) {
            return false;
        }
    }

    if (!gql_build_directives(build, document, directives, ndirectives)) {
        return false;
    }

    for (i = first; i < build->ntypes; i++) {
        if (!gql_build_lazy(build, &build->types[i])) {
            return false;
        }
    }

    n = 0;

    gql_list_each (node, &document->definitions) {
        if (node->kind == GQL_DIRECTIVE_DEFINITION
            && !gql_build_directive_defaults(build, directives[n++],
                            (const gql_directive_definition_t *) node))
        {
            return false;
        }
    }

    for (i = first; i < build->ntypes; i++) {
        if (!gql_build_type_defaults(build, &build->types[i])) {
            return false;
        }
    }

    return true;
}


static void
gql_build_count(const gql_document_t *document, uint32_t *types,
    uint32_t *directives)
{
    gql_node_t  *node;

    gql_list_each (node, &document->definitions) {
        *types += gql_kind_is(node->kind, GQL_TYPE_DEFINITIONS);
        *directives += node->kind == GQL_DIRECTIVE_DEFINITION;
    }
}


/*
 * Parses what the engine itself brings.  Its text is right, so that nothing
 * but memory can fail; errors then say so.
 */
static gql_document_t *
gql_build_parse_builtin(gql_build_t *build)
{
    gql_errors_t     errors;
    gql_document_t  *document;

    gql_errors_init(&errors, build->arena, gql_introspection_sdl, 1);

    document = gql_parse_sdl(build->arena, gql_introspection_sdl, 0, &errors);
    if (document == NULL) {
        (void) gql_build_nomem(build);
    }

    return document;
}


/* The built-in types and directives; room for more types of the SDL. */
static bool
gql_build_builtin(gql_build_t *build, const gql_document_t *builtin,
    uint32_t more)
{
    uint32_t              i, ntypes, ndirectives;
    gql_directive_def_t  *directive;

    ntypes = 0;
    ndirectives = 0;
    gql_build_count(builtin, &ntypes, &ndirectives);

    gql_names_init(&build->names, build->arena);
    build->types = prompt_arena_array(build->arena, (size_t) ntypes + more,
                                      sizeof(gql_build_type_t));
    build->standard = prompt_arena_array(build->arena, ndirectives,
                                         sizeof(gql_directive_def_t *));

    if (build->types == NULL || build->standard == NULL) {
        return gql_build_nomem(build);
    }

    build->builtin = true;

    if (!gql_build_shells(build, builtin)
        || !gql_build_members(build, builtin, 0, build->standard,
                              &build->nstandard))
    {
        return false;
    }

    build->builtin = false;
    build->nbuiltin = build->ntypes;

    for (i = 0; i < build->nstandard; i++) {
        directive = build->standard[i];

        if (prompt_str_eq(directive->name, prompt_str("deprecated"))) {
            build->deprecated = directive;

        } else if (prompt_str_eq(directive->name,
                                 prompt_str("specifiedBy")))
        {
            build->specified_by = directive;

        } else if (prompt_str_eq(directive->name, prompt_str("skip"))) {
            build->schema->skip = directive;

        } else if (prompt_str_eq(directive->name, prompt_str("include"))) {
            build->schema->include = directive;
        }
    }

    return true;
}


/* The SDL's own part, checked already; the built-in part is there. */
static bool
gql_build_document(gql_build_t *build, const gql_document_t *document,
    uint32_t ntypes, uint32_t ndirectives)
{
    uint32_t               n;
    gql_build_type_t     **defined;
    gql_directive_def_t  **directives;

    n = 0;
    build->document = document;

    directives = prompt_arena_array(build->arena,
                                    (size_t) ndirectives + build->nstandard,
                                    sizeof(gql_directive_def_t *));
    defined = prompt_arena_array(build->arena, ntypes,
                                 sizeof(gql_build_type_t *));
    if (directives == NULL || defined == NULL) {
        return gql_build_nomem(build);
    }

    if (!gql_build_shells(build, document)
        || !gql_build_members(build, document, build->nbuiltin,
                              directives, &n)
        || !gql_build_roots(build)
        || !gql_build_all_directives(build,
                                     (const gql_directive_def_t **) directives,
                                     n))
    {
        return false;
    }

    if (build->definition != NULL && build->definition->description != NULL) {
        build->schema->description = build->definition->description->text;
    }

    return gql_build_order(build, defined,
                           gql_build_defined(build, document, defined))
           && gql_build_finish(build);
}


static bool
gql_build_init(gql_build_t *build, prompt_arena_t *arena,
    gql_errors_t *errors)
{
    memset(build, 0, sizeof(gql_build_t));

    build->arena = arena;
    build->errors = errors;

    build->schema = prompt_arena_zalloc(arena, sizeof(gql_schema_t));
    if (build->schema == NULL) {
        return gql_build_nomem(build);
    }

    return true;
}


gql_schema_t *
gql_schema_build(prompt_arena_t *arena, prompt_str_t sdl,
    gql_errors_t *errors)
{
    uint32_t         ntypes, ndirectives;
    gql_build_t      build;
    gql_document_t  *builtin, *document;

    if (!gql_build_init(&build, arena, errors)) {
        return NULL;
    }

    sdl = prompt_arena_copy(arena, sdl);
    if (sdl.data == NULL) {
        errors->nomem = true;
        return NULL;
    }

    document = gql_parse_sdl(arena, sdl, 0, errors);
    if (document == NULL) {
        return NULL;
    }

    builtin = gql_build_parse_builtin(&build);
    if (builtin == NULL) {
        return NULL;
    }

    ntypes = 0;
    ndirectives = 0;
    gql_build_count(document, &ntypes, &ndirectives);

    if (!gql_build_builtin(&build, builtin, ntypes)
        || !gql_build_document(&build, document, ntypes, ndirectives))
    {
        return NULL;
    }

    return build.schema;
}
