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

#include "graphql/schema_build.h"
#include "graphql/introspect.h"
#include "graphql/parser.h"


/* what checking the SDL may take for its own tables, freed afterwards */
#define GQL_SDL_SCRATCH  (256 * 1024 * 1024)


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


gql_type_t *
gql_build_named(gql_build_t *build, const gql_name_t *name)
{
    gql_type_t   *type;
    gql_error_t  *error;

    type = gql_table_get(build->names, name->value);

    if (type == NULL) {
        error = gql_errors_add(build->errors, "Unknown type: \"%.*s\".",
                               prompt_str_arg(name->value));
        gql_error_at(build->errors, error, name->node.start);
    }

    return type;
}


static bool
gql_build_is_definition(gql_kind_t kind)
{
    return kind >= GQL_SCALAR_TYPE_DEFINITION
           && kind <= GQL_INPUT_OBJECT_TYPE_DEFINITION
           && kind != GQL_FIELD_DEFINITION
           && kind != GQL_INPUT_VALUE_DEFINITION
           && kind != GQL_ENUM_VALUE_DEFINITION;
}


static gql_type_kind_t
gql_build_kind(gql_kind_t kind)
{
    switch (kind) {

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

    type = prompt_arena_zalloc(build->arena, sizeof(gql_type_t));
    if (type == NULL) {
        return gql_build_nomem(build);
    }

    type->kind = gql_build_kind(definition->node.kind);
    type->name = definition->name->value;
    type->index = build->ntypes;
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

    } else {
        type->ast = definition;
    }

    bt = &build->types[build->ntypes++];
    bt->type = type;
    bt->definition = definition;
    bt->builtin = build->builtin;

    if (!gql_table_set(build->names, type->name, type)) {
        return gql_build_nomem(build);
    }

    return true;
}


/* The type of the SDL that a node extends; NULL where it is no extension. */
static gql_type_t *
gql_build_extended(gql_build_t *build, const gql_node_t *node)
{
    gql_type_t  *type;

    if (node->kind < GQL_SCALAR_TYPE_EXTENSION
        || node->kind > GQL_INPUT_OBJECT_TYPE_EXTENSION)
    {
        return NULL;
    }

    type = gql_table_get(build->names,
                         ((const gql_type_definition_t *) node)->name->value);

    /* extensions of built-in types have no effect, as in graphql-js */

    return type != NULL && type->ast != NULL ? type : NULL;
}


/* Hangs extensions onto the types and the schema, in their order. */
static bool
gql_build_extensions(gql_build_t *build, const gql_document_t *document)
{
    uint32_t       i;
    gql_node_t    *node;
    gql_type_t    *type;
    gql_schema_t  *schema;

    schema = build->schema;

    gql_list_each (node, &document->definitions) {
        type = gql_build_extended(build, node);

        if (type != NULL) {
            type->nextensions++;

        } else if (node->kind == GQL_SCHEMA_EXTENSION) {
            schema->nextensions++;
        }
    }

    schema->extensions = prompt_arena_array(build->arena, schema->nextensions,
                                            sizeof(*schema->extensions));
    if (schema->extensions == NULL) {
        return gql_build_nomem(build);
    }

    schema->nextensions = 0;

    for (i = build->nbuiltin; i < build->ntypes; i++) {
        type = build->types[i].type;

        if (type->nextensions == 0) {
            continue;
        }

        type->extensions = prompt_arena_array(build->arena, type->nextensions,
                                              sizeof(*type->extensions));
        if (type->extensions == NULL) {
            return gql_build_nomem(build);
        }

        type->nextensions = 0;
    }

    gql_list_each (node, &document->definitions) {
        type = gql_build_extended(build, node);

        if (type != NULL) {
            type->extensions[type->nextensions++] =
                (const gql_type_definition_t *) node;

        } else if (node->kind == GQL_SCHEMA_EXTENSION) {
            schema->extensions[schema->nextensions++] =
                (const gql_schema_definition_t *) node;
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
            build->schema->ast = (const gql_schema_definition_t *) node;
        }

        if (!gql_build_is_definition(node->kind)) {
            continue;
        }

        definition = (const gql_type_definition_t *) node;

        if (gql_table_get(build->names, definition->name->value) == NULL
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
    uint32_t  i;

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

    for (i = 0; i < *ndirectives; i++) {
        if (!gql_build_directive_defaults(build, directives[i])) {
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
        *types += gql_build_is_definition(node->kind);
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

    document = gql_parse(build->arena, gql_introspection_sdl, NULL, &errors);
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

    build->names = gql_table_create(build->arena, (size_t) ntypes + more);
    build->types = prompt_arena_array(build->arena, (size_t) ntypes + more,
                                      sizeof(gql_build_type_t));
    build->standard = prompt_arena_array(build->arena, ndirectives,
                                         sizeof(gql_directive_def_t *));

    if (build->names == NULL || build->types == NULL
        || build->standard == NULL)
    {
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
        }
    }

    return true;
}


static void gql_build_place(gql_build_t *build, gql_build_type_t *bt);


static void
gql_build_reach(gql_build_t *build, const gql_type_t *type)
{
    if (type != NULL && !build->types[type->index].placed) {
        gql_build_place(build, &build->types[type->index]);
    }
}


static void
gql_build_reach_ref(gql_build_t *build, const gql_type_ref_t *ref)
{
    gql_build_reach(build, gql_ref_named(ref));
}


/*
 * Appends a type to the schema's order, and behind it what it brings in.
 * What the SDL defines counts as placed from the start (its turn comes by
 * itself), so that this goes down into built-in types only.
 */
static void
gql_build_place(gql_build_t *build, gql_build_type_t *bt)
{
    uint32_t          i, j;
    gql_type_t       *type;
    gql_field_def_t  *field;

    type = bt->type;
    bt->placed = true;
    build->schema->types[build->schema->ntypes++] = type;

    if (type->kind == GQL_TYPE_UNION) {
        for (i = 0; i < type->npossible; i++) {
            gql_build_reach(build, type->possible[i]);
        }
    }

    for (i = 0; i < type->ninterfaces; i++) {
        gql_build_reach(build, type->interfaces[i]);
    }

    for (i = 0; i < type->nfields; i++) {
        field = &type->fields[i];
        gql_build_reach_ref(build, field->type);

        for (j = 0; j < field->nargs; j++) {
            gql_build_reach_ref(build, field->args[j].type);
        }
    }

    for (i = 0; i < type->ninput_fields; i++) {
        gql_build_reach_ref(build, type->input_fields[i].type);
    }
}


/* The types that a document defines, in its order; built-in names included. */
static uint32_t
gql_build_defined(gql_build_t *build, const gql_document_t *document,
    gql_build_type_t **list)
{
    uint32_t     n;
    gql_node_t  *node;
    gql_type_t  *type;

    n = 0;

    gql_list_each (node, &document->definitions) {
        if (gql_build_is_definition(node->kind)) {
            type = gql_table_get(build->names,
                        ((const gql_type_definition_t *) node)->name->value);
            list[n++] = &build->types[type->index];
        }
    }

    return n;
}


/*
 * The order of introspection: the SDL's types as they are defined, each
 * followed by the built-in types that it is the first to use; then those that
 * roots and directives use, and introspection's own.
 */
static bool
gql_build_order(gql_build_t *build, gql_build_type_t **defined, uint32_t n)
{
    uint32_t              i, j;
    gql_schema_t         *schema;
    gql_directive_def_t  *directive;

    schema = build->schema;

    schema->types = prompt_arena_array(build->arena, build->ntypes,
                                       sizeof(gql_type_t *));
    if (schema->types == NULL) {
        return gql_build_nomem(build);
    }

    for (i = 0; i < n; i++) {
        defined[i]->placed = true;
    }

    for (i = 0; i < n; i++) {
        gql_build_place(build, defined[i]);
    }

    gql_build_reach(build, schema->query);
    gql_build_reach(build, schema->mutation);
    gql_build_reach(build, schema->subscription);

    for (i = 0; i < schema->ndirectives; i++) {
        directive = schema->directives[i];

        for (j = 0; j < directive->nargs; j++) {
            gql_build_reach_ref(build, directive->args[j].type);
        }
    }

    gql_build_reach(build, gql_table_get(build->names,
                                         prompt_str("__Schema")));

    return true;
}


static bool
gql_build_operation_types(gql_build_t *build,
    const gql_schema_definition_t *node)
{
    gql_type_t                             *type;
    gql_schema_t                           *schema;
    const gql_operation_type_definition_t  *operation;

    schema = build->schema;

    gql_list_each (operation, &node->operation_types) {

        type = gql_build_named(build, operation->type->name);
        if (type == NULL) {
            return false;
        }

        switch (operation->operation) {

        case GQL_QUERY:
            schema->query = type;
            break;

        case GQL_MUTATION:
            schema->mutation = type;
            break;

        case GQL_SUBSCRIPTION:
            schema->subscription = type;
            break;
        }
    }

    return true;
}


/* Root types: as "schema" says, or, where there is none, by their names. */
static bool
gql_build_roots(gql_build_t *build)
{
    uint32_t       i;
    gql_type_t    *type;
    gql_schema_t  *schema;

    schema = build->schema;

    if (schema->ast != NULL && !gql_build_operation_types(build, schema->ast)) {
        return false;
    }

    for (i = 0; i < schema->nextensions; i++) {
        if (!gql_build_operation_types(build, schema->extensions[i])) {
            return false;
        }
    }

    if (schema->ast != NULL) {
        return true;
    }

    type = gql_table_get(build->names, prompt_str("Query"));
    schema->query = type != NULL ? type : schema->query;

    type = gql_table_get(build->names, prompt_str("Mutation"));
    schema->mutation = type != NULL ? type : schema->mutation;

    type = gql_table_get(build->names, prompt_str("Subscription"));
    schema->subscription = type != NULL ? type : schema->subscription;

    return true;
}


/* Behind the directives of the SDL come the standard ones that it lacks. */
static bool
gql_build_all_directives(gql_build_t *build)
{
    uint32_t              i, own;
    gql_schema_t         *schema;
    gql_directive_def_t  *directive;

    schema = build->schema;
    own = schema->ndirectives;

    schema->directive_table = gql_table_create(build->arena,
                                         (size_t) own + build->nstandard);
    if (schema->directive_table == NULL) {
        return gql_build_nomem(build);
    }

    for (i = 0; i < own + build->nstandard; i++) {

        if (i < own) {
            directive = schema->directives[i];

        } else {
            directive = build->standard[i - own];

            if (gql_schema_directive(schema, directive->name) != NULL) {
                continue;
            }

            schema->directives[schema->ndirectives++] = directive;
        }

        if (!gql_table_set(schema->directive_table, directive->name,
                           directive))
        {
            return gql_build_nomem(build);
        }
    }

    return true;
}


/* Objects behind the interfaces that they implement, in the schema's order. */
static bool
gql_build_possible(gql_build_t *build)
{
    int            pass;
    uint32_t       i, j;
    gql_type_t    *type, *interface;
    gql_schema_t  *schema;

    schema = build->schema;

    for (pass = 0; pass < 2; pass++) {

        for (i = 0; i < schema->ntypes; i++) {
            type = schema->types[i];

            if (type->kind != GQL_TYPE_OBJECT) {
                continue;
            }

            for (j = 0; j < type->ninterfaces; j++) {
                interface = type->interfaces[j];

                if (interface->kind != GQL_TYPE_INTERFACE) {
                    continue;
                }

                if (pass == 1) {
                    interface->possible[interface->npossible] = type;
                }

                interface->npossible++;
            }
        }

        for (i = 0; pass == 0 && i < schema->ntypes; i++) {
            type = schema->types[i];

            if (type->kind != GQL_TYPE_OBJECT
                && type->kind != GQL_TYPE_INTERFACE)
            {
                continue;
            }

            if (type->kind == GQL_TYPE_OBJECT) {
                type->npossible = 1;
            }

            type->possible = prompt_arena_array(build->arena, type->npossible,
                                                sizeof(gql_type_t *));
            if (type->possible == NULL) {
                return gql_build_nomem(build);
            }

            if (type->kind == GQL_TYPE_OBJECT) {
                type->possible[0] = type;

            } else {
                type->npossible = 0;
            }
        }
    }

    return true;
}


/* "T!" of a built-in type */
static const gql_type_ref_t *
gql_build_non_null(gql_build_t *build, prompt_str_t name)
{
    gql_type_t      *type;
    gql_type_ref_t  *ref;

    type = gql_table_get(build->names, name);

    ref = prompt_arena_zalloc(build->arena, sizeof(gql_type_ref_t));
    if (ref == NULL) {
        return NULL;
    }

    ref->kind = GQL_REF_NON_NULL;
    ref->of = &type->ref;
    ref->text = prompt_arena_printf(build->arena, "%.*s!",
                                    prompt_str_arg(name));

    return ref->text.data != NULL ? ref : NULL;
}


/* __typename, __schema and __type, which no type lists among its fields */
static bool
gql_build_meta_fields(gql_build_t *build)
{
    gql_type_t            *type;
    gql_field_def_t       *fields;
    gql_input_value_t     *name;
    const gql_type_ref_t  *string, *schema;

    fields = prompt_arena_array(build->arena, 3, sizeof(gql_field_def_t));
    name = prompt_arena_zalloc(build->arena, sizeof(gql_input_value_t));
    string = gql_build_non_null(build, prompt_str("String"));
    schema = gql_build_non_null(build, prompt_str("__Schema"));
    type = gql_table_get(build->names, prompt_str("__Type"));

    if (fields == NULL || name == NULL || string == NULL || schema == NULL) {
        return gql_build_nomem(build);
    }

    name->name = prompt_str("name");
    name->type = string;

    fields[0].name = prompt_str("__typename");
    fields[0].description = prompt_str("The name of the current Object type "
                                       "at runtime.");
    fields[0].type = string;

    fields[1].name = prompt_str("__schema");
    fields[1].description = prompt_str("Access the current type schema of "
                                       "this server.");
    fields[1].type = schema;

    fields[2].name = prompt_str("__type");
    fields[2].description = prompt_str("Request the type information of a "
                                       "single type.");
    fields[2].type = &type->ref;
    fields[2].args = name;
    fields[2].nargs = 1;

    build->schema->typename_field = &fields[0];
    build->schema->schema_field = &fields[1];
    build->schema->type_field = &fields[2];

    return true;
}


/* Names to types, once their order stands; only these are the schema's. */
static bool
gql_build_finish(gql_build_t *build)
{
    uint32_t       i;
    gql_schema_t  *schema;

    schema = build->schema;

    schema->table = gql_table_create(build->arena, schema->ntypes);
    if (schema->table == NULL) {
        return gql_build_nomem(build);
    }

    for (i = 0; i < schema->ntypes; i++) {
        schema->types[i]->index = i;

        if (!gql_table_set(schema->table, schema->types[i]->name,
                           schema->types[i]))
        {
            return gql_build_nomem(build);
        }
    }

    return gql_build_possible(build) && gql_build_meta_fields(build);
}


/* The SDL's own part, checked already; the built-in part is there. */
static bool
gql_build_document(gql_build_t *build, const gql_document_t *document,
    uint32_t ntypes, uint32_t ndirectives)
{
    gql_schema_t       *schema;
    gql_build_type_t  **defined;

    schema = build->schema;

    schema->directives = prompt_arena_array(build->arena,
                                       (size_t) ndirectives + build->nstandard,
                                       sizeof(gql_directive_def_t *));
    defined = prompt_arena_array(build->arena, ntypes,
                                 sizeof(gql_build_type_t *));
    if (schema->directives == NULL || defined == NULL) {
        return gql_build_nomem(build);
    }

    if (!gql_build_shells(build, document)
        || !gql_build_members(build, document, build->nbuiltin,
                              schema->directives, &schema->ndirectives)
        || !gql_build_roots(build)
        || !gql_build_all_directives(build))
    {
        return false;
    }

    if (schema->ast != NULL && schema->ast->description != NULL) {
        schema->description = schema->ast->description->text;
    }

    return gql_build_order(build, defined,
                           gql_build_defined(build, document, defined))
           && gql_build_finish(build);
}


/* The SDL rules, whose own memory is given back at once. */
static bool
gql_build_check(gql_build_t *build, const gql_document_t *document)
{
    uint32_t         before;
    prompt_arena_t  *scratch;

    scratch = prompt_arena_create(GQL_SDL_SCRATCH);
    if (scratch == NULL) {
        return gql_build_nomem(build);
    }

    before = build->errors->count;

    gql_sdl_check(scratch, document, NULL, build->standard, build->nstandard,
                  GQL_SDL_ALL_RULES, build->errors);

    prompt_arena_destroy(scratch);

    return build->errors->count == before && !build->errors->nomem;
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

    build->schema->arena = arena;

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

    build.schema->sdl = prompt_arena_copy(arena, sdl);
    if (build.schema->sdl.data == NULL) {
        errors->nomem = true;
        return NULL;
    }

    errors->source = build.schema->sdl;

    document = gql_parse(arena, build.schema->sdl, NULL, errors);
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
        || !gql_build_check(&build, document)
        || !gql_build_document(&build, document, ntypes, ndirectives))
    {
        return NULL;
    }

    return build.schema;
}


gql_schema_t *
gql_schema_builtin(prompt_arena_t *arena, gql_errors_t *errors)
{
    gql_build_t      build;
    gql_document_t  *builtin;

    if (!gql_build_init(&build, arena, errors)) {
        return NULL;
    }

    builtin = gql_build_parse_builtin(&build);
    if (builtin == NULL || !gql_build_builtin(&build, builtin, 0)) {
        return NULL;
    }

    build.schema->directives = build.standard;
    build.schema->ndirectives = build.nstandard;

    return build.schema;
}
