/*
 * Default values of arguments and input fields, coerced.
 *
 * An object as a default takes in the defaults of its type's fields, so those
 * have to be coerced before; hence the walk from type to type, and the look
 * for types that would need themselves.  The walk follows graphql-js's
 * valueFromAST(), which stops at the first part that is no value: what stands
 * behind it leads nowhere.
 */

#include "graphql/values/values.h"
#include "schema/schema_build_impl.h"


typedef enum {
    GQL_DEFAULT_VALUE = 0,
    GQL_DEFAULT_NONE,                /* the literal is no value of its type */
    GQL_DEFAULT_FAILED               /* an error was added, or nomem is set */
} gql_default_t;


/* the default value that is looked at, and how deep its parts go */
typedef struct {
    gql_build_t              *build;
    const gql_input_value_t  *at;
    const gql_value_t        *node;
    unsigned                  depth;
} gql_default_walk_t;


static gql_default_t gql_default_value(gql_default_walk_t *walk,
    const gql_value_t *node, const gql_type_ref_t *ref);
static bool gql_default_input_object(gql_build_t *build, gql_build_type_t *bt,
    const gql_default_walk_t *from);


/* value has node as its default, NULL: none */
static bool
gql_default_coerce(gql_build_t *build, const gql_input_value_t *value,
    const gql_value_t *node, unsigned depth)
{
    bool                  nomem;
    const prompt_json_t  *coerced;
    gql_default_walk_t    walk;

    if (node == NULL) {
        return true;
    }

    walk.build = build;
    walk.at = value;
    walk.node = node;
    walk.depth = depth;

    switch (gql_default_value(&walk, node, value->type)) {

    case GQL_DEFAULT_VALUE:
        break;

    case GQL_DEFAULT_NONE:

        /* as in graphql-js, what is no value of its type is no default */

        return true;

    case GQL_DEFAULT_FAILED:
        return false;
    }

    nomem = false;
    coerced = gql_value_from_ast(build->arena, node, value->type, NULL,
                                 &nomem);

    /* the arguments and fields that are built are ours */

    ((gql_input_value_t *) (uintptr_t) value)->default_coerced = coerced;

    return !nomem || gql_build_nomem(build);
}


static gql_default_t
gql_default_nomem(gql_default_walk_t *walk)
{
    (void) gql_build_nomem(walk->build);

    return GQL_DEFAULT_FAILED;
}


static gql_default_t
gql_default_list(gql_default_walk_t *walk, const gql_value_t *node,
    const gql_type_ref_t *of)
{
    gql_default_t       found;
    const gql_value_t  *item;

    if (node->node.kind != GQL_LIST) {
        return gql_default_value(walk, node, of);
    }

    gql_list_each (item, &node->items) {
        found = gql_default_value(walk, item, of);

        if (found != GQL_DEFAULT_VALUE) {
            return found;
        }
    }

    return GQL_DEFAULT_VALUE;
}


/* The members of an object literal by name; of several the last counts. */
static bool
gql_default_members(gql_default_walk_t *walk, const gql_value_t *node,
    gql_names_t *members)
{
    gql_object_field_t  *member;

    gql_names_init(members, walk->build->arena);

    gql_list_each (member, &node->items) {
        if (!gql_names_set(members, member->name->value, member)) {
            return false;
        }
    }

    return true;
}


static gql_default_t
gql_default_object(gql_default_walk_t *walk, const gql_value_t *node,
    const gql_type_t *type)
{
    uint32_t                   i;
    gql_names_t                members;
    gql_default_t              found;
    const gql_input_value_t   *field;
    const gql_object_field_t  *member;

    if (node->node.kind != GQL_OBJECT) {
        return GQL_DEFAULT_NONE;
    }

    if (!gql_default_input_object(walk->build, gql_build_of(type), walk)) {
        return GQL_DEFAULT_FAILED;
    }

    if (!gql_default_members(walk, node, &members)) {
        return gql_default_nomem(walk);
    }

    for (i = 0; i < type->ninput_fields; i++) {
        field = &type->input_fields[i];
        member = gql_names_get(&members, field->name);

        if (member == NULL) {

            if (field->default_coerced == NULL
                && field->type->kind == GQL_REF_NON_NULL)
            {
                return GQL_DEFAULT_NONE;
            }

            continue;
        }

        found = gql_default_value(walk, member->value, field->type);

        if (found != GQL_DEFAULT_VALUE) {
            return found;
        }
    }

    return GQL_DEFAULT_VALUE;
}


static gql_default_t
gql_default_leaf(gql_default_walk_t *walk, const gql_value_t *node,
    const gql_type_t *type)
{
    bool  nomem;

    nomem = false;

    if (gql_value_from_ast(walk->build->arena, node, &type->ref, NULL,
                           &nomem) != NULL)
    {
        return GQL_DEFAULT_VALUE;
    }

    return nomem ? gql_default_nomem(walk) : GQL_DEFAULT_NONE;
}


/*
 * Recursion is bounded: each step into a literal or a type counts against
 * GQL_BUILD_MAX_DEFAULTS, which is looked at where one leads to the other,
 * and a literal or a type alone is no deeper than the parser allows.
 */
static gql_default_t
gql_default_value(gql_default_walk_t *walk, const gql_value_t *node,
    const gql_type_ref_t *ref)
{
    gql_default_t  found;

    if (node->node.kind == GQL_NULL) {
        return ref->kind == GQL_REF_NON_NULL ? GQL_DEFAULT_NONE
                                             : GQL_DEFAULT_VALUE;
    }

    if (ref->kind == GQL_REF_NON_NULL) {
        ref = ref->of;
    }

    walk->depth++;

    if (ref->kind == GQL_REF_LIST) {
        found = gql_default_list(walk, node, ref->of);

    } else if (ref->type->kind == GQL_TYPE_INPUT_OBJECT) {
        found = gql_default_object(walk, node, ref->type);

    } else if (gql_type_is_leaf(ref->type)) {
        found = gql_default_leaf(walk, node, ref->type);

    } else {

        /* no value is one of an output type; in graphql-js no place is told */

        (void) gql_errors_add(walk->build->errors,
                              "Unexpected input type: %.*s",
                              gql_error_arg(ref->type->name));
        found = GQL_DEFAULT_FAILED;
    }

    walk->depth--;

    return found;
}


/* The defaults of an input object's fields; from: the one that leads here. */
static bool
gql_default_input_object(gql_build_t *build, gql_build_type_t *bt,
    const gql_default_walk_t *from)
{
    uint32_t                             i, n;
    unsigned                             depth;
    gql_error_t                         *error;
    const gql_type_definition_t         *part;
    const gql_input_value_definition_t  *node;

    if (bt->defaults == GQL_DEFAULTS_DONE) {
        return true;
    }

    depth = from != NULL ? from->depth : 0;

    if (from != NULL
        && (bt->defaults == GQL_DEFAULTS_BUSY
            || depth > GQL_BUILD_MAX_DEFAULTS))
    {
        error = gql_errors_add(build->errors,
                               "Invalid circular reference. The default value "
                               "of \"%.*s\" references itself.",
                               prompt_str_arg(from->at->name));
        gql_error_at(build->errors, error,
                     from->node->node.start);

        return false;
    }

    bt->defaults = GQL_DEFAULTS_BUSY;

    n = 0;

    gql_build_each_part (part, i, bt) {
        gql_list_each (node, &part->fields) {
            if (!gql_default_coerce(build, &bt->type.input_fields[n++],
                                    node->default_value, depth + 1))
            {
                return false;
            }
        }
    }

    bt->defaults = GQL_DEFAULTS_DONE;

    return true;
}


static bool
gql_default_arguments(gql_build_t *build, const gql_input_value_t *args,
    const gql_list_t *arguments)
{
    const gql_input_value_definition_t  *node;

    gql_list_each (node, arguments) {
        if (!gql_default_coerce(build, args++, node->default_value, 0)) {
            return false;
        }
    }

    return true;
}


bool
gql_build_type_defaults(gql_build_t *build, gql_build_type_t *bt)
{
    uint32_t                       i, n;
    const gql_type_definition_t   *part;
    const gql_field_definition_t  *node;

    if (bt->type.kind == GQL_TYPE_INPUT_OBJECT) {
        return gql_default_input_object(build, bt, NULL);
    }

    n = 0;

    gql_build_each_part (part, i, bt) {
        gql_list_each (node, &part->fields) {
            if (!gql_default_arguments(build, bt->type.fields[n++].args,
                                       &node->arguments))
            {
                return false;
            }
        }
    }

    return true;
}


bool
gql_build_directive_defaults(gql_build_t *build,
    const gql_directive_def_t *directive,
    const gql_directive_definition_t *node)
{
    return gql_default_arguments(build, directive->args, &node->arguments);
}
