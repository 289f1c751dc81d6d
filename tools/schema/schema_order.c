/*
 * The end of building a schema: roots, directives, the order of types, and
 * which objects an interface stands for.
 */

#include "schema/schema_build_impl.h"


static void gql_build_place(gql_build_t *build, gql_build_type_t *bt);


static void
gql_build_reach(gql_build_t *build, const gql_type_t *type)
{
    if (type != NULL && !gql_build_of(type)->placed) {
        gql_build_place(build, gql_build_of(type));
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

    type = &bt->type;
    bt->placed = true;
    build->order[build->schema->ntypes++] = type;

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


uint32_t
gql_build_defined(gql_build_t *build, const gql_document_t *document,
    gql_build_type_t **list)
{
    uint32_t     n;
    gql_node_t  *node;

    n = 0;

    gql_list_each (node, &document->definitions) {
        if (gql_kind_is(node->kind, GQL_TYPE_DEFINITIONS)) {
            list[n++] = gql_names_get(&build->names,
                        ((const gql_type_definition_t *) node)->name->value);
        }
    }

    return n;
}


bool
gql_build_order(gql_build_t *build, gql_build_type_t **defined, uint32_t n)
{
    uint32_t                    i, j;
    gql_schema_t               *schema;
    const gql_directive_def_t  *directive;

    schema = build->schema;

    build->order = prompt_arena_array(build->arena, build->ntypes,
                                      sizeof(gql_type_t *));
    if (build->order == NULL) {
        return gql_build_nomem(build);
    }

    schema->types = (const gql_type_t *const *) build->order;

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

    gql_build_reach(build, gql_names_get(&build->names,
                                         prompt_str("__Schema")));

    return true;
}


static bool
gql_build_operation_types(gql_build_t *build,
    const gql_schema_definition_t *node)
{
    gql_schema_t                           *schema;
    const gql_type_t                       *type;
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


bool
gql_build_roots(gql_build_t *build)
{
    gql_node_t    *node;
    gql_type_t    *type;
    gql_schema_t  *schema;

    schema = build->schema;

    gql_list_each (node, &build->document->definitions) {
        if ((node->kind == GQL_SCHEMA_DEFINITION
             || node->kind == GQL_SCHEMA_EXTENSION)
            && !gql_build_operation_types(build,
                                   (const gql_schema_definition_t *) node))
        {
            return false;
        }
    }

    if (build->definition != NULL) {
        return true;
    }

    type = gql_names_get(&build->names, prompt_str("Query"));
    schema->query = type != NULL ? type : schema->query;

    type = gql_names_get(&build->names, prompt_str("Mutation"));
    schema->mutation = type != NULL ? type : schema->mutation;

    type = gql_names_get(&build->names, prompt_str("Subscription"));
    schema->subscription = type != NULL ? type : schema->subscription;

    return true;
}


bool
gql_build_all_directives(gql_build_t *build,
    const gql_directive_def_t **directives, uint32_t n)
{
    uint32_t  i, j, own;

    own = n;

    for (i = 0; i < build->nstandard; i++) {

        for (j = 0; j < own; j++) {
            if (prompt_str_eq(directives[j]->name, build->standard[i]->name)) {
                break;
            }
        }

        if (j == own) {
            directives[n++] = build->standard[i];
        }
    }

    build->schema->directives = directives;
    build->schema->ndirectives = n;

    return gql_build_index_of(build, &build->schema->directives_by_name,
                              directives, n);
}


/* Objects behind the interfaces that they implement, in the schema's order. */
static bool
gql_build_possible(gql_build_t *build)
{
    int                 pass;
    uint32_t            i, j;
    gql_type_t         *type, *interface;
    const gql_type_t  **possible;

    for (pass = 0; pass < 2; pass++) {

        for (i = 0; i < build->schema->ntypes; i++) {
            type = build->order[i];

            if (type->kind != GQL_TYPE_OBJECT) {
                continue;
            }

            for (j = 0; j < type->ninterfaces; j++) {
                interface = &gql_build_of(type->interfaces[j])->type;

                if (interface->kind != GQL_TYPE_INTERFACE) {
                    continue;
                }

                if (pass == 1) {
                    possible = (const gql_type_t **) (uintptr_t)
                               interface->possible;
                    possible[interface->npossible] = type;
                }

                interface->npossible++;
            }
        }

        for (i = 0; pass == 0 && i < build->schema->ntypes; i++) {
            type = build->order[i];

            if (type->kind != GQL_TYPE_OBJECT
                && type->kind != GQL_TYPE_INTERFACE)
            {
                continue;
            }

            if (type->kind == GQL_TYPE_OBJECT) {
                type->npossible = 1;
            }

            possible = prompt_arena_array(build->arena, type->npossible,
                                          sizeof(gql_type_t *));
            if (possible == NULL) {
                return gql_build_nomem(build);
            }

            if (type->kind == GQL_TYPE_OBJECT) {
                possible[0] = type;

            } else {
                type->npossible = 0;
            }

            type->possible = possible;
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

    type = gql_names_get(&build->names, name);

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
    type = gql_names_get(&build->names, prompt_str("__Type"));

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


bool
gql_build_finish(gql_build_t *build)
{
    return gql_build_index_of(build, &build->schema->by_name,
                              build->schema->types, build->schema->ntypes)
           && gql_build_possible(build)
           && gql_build_meta_fields(build);
}
