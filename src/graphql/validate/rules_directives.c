/*
 * Validation rules that look at directives (specification, 5.7):
 * KnownDirectives, UniqueDirectivesPerLocation.  Directives that the document
 * itself defines are known, too, as in graphql-js.
 */

#include "graphql/validate/validate_impl.h"


static const gql_directive_definition_t *directive_defined(
    const gql_validation_t *v, prompt_str_t name);


/* the document's own definition of a directive, which goes first, or NULL */
static const gql_directive_definition_t *
directive_defined(const gql_validation_t *v, prompt_str_t name)
{
    const gql_name_entry_t  *entry;

    entry = gql_names_find(&v->directives, name);

    return entry != NULL ? entry->value : NULL;
}


/*
 * Directives Are Defined, Directives Are in Valid Locations
 * https://spec.graphql.org/September2025/#sec-Directives-Are-Defined
 * https://spec.graphql.org/September2025/#sec-Directives-Are-in-Valid-Locations
 *
 *     good:  { dog @include(if: true) { name } }
 *     bad:   { dog @unknown { name } }
 *     bad:   query @include(if: true) { dog { name } }
 */
static gql_directive_location_t known_directives_location(
    const gql_visit_frame_t *applied);
static gql_directive_location_t known_directives_input_location(
    const gql_visit_frame_t *applied);
static bool known_directives_allowed(const gql_directive_definition_t *defined,
    const gql_directive_def_t *def, gql_directive_location_t location);


static bool
known_directives_directive(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    prompt_str_t                       name;
    const gql_directive_def_t         *def;
    gql_directive_location_t           location;
    const gql_directive_definition_t  *defined;

    (void) state;

    name = ((const gql_directive_t *) node)->name->value;

    def = gql_schema_directive(v->schema, name);
    defined = directive_defined(v, name);

    if (def == NULL && defined == NULL) {
        gql_refuse_at(v, node, "Unknown directive \"@%.*s\".",
                      gql_error_arg(name));
        return true;
    }

    location = known_directives_location(v->visitor.frame->parent);

    if (!known_directives_allowed(defined, def, location)) {
        gql_refuse_at(v, node,
                      "Directive \"@%.*s\" may not be used on %.*s.",
                      gql_error_arg(name),
                      gql_error_arg(gql_directive_location_name(location)));
    }

    return true;
}


/* the place of what a directive is applied to */
static gql_directive_location_t
known_directives_location(const gql_visit_frame_t *applied)
{
    switch (applied->node->kind) {

    case GQL_OPERATION_DEFINITION:

        switch (((const gql_operation_definition_t *) applied->node)
                    ->operation)
        {
        case GQL_MUTATION:
            return GQL_ON_MUTATION;
        case GQL_SUBSCRIPTION:
            return GQL_ON_SUBSCRIPTION;
        default:
            return GQL_ON_QUERY;
        }

    case GQL_FIELD:
        return GQL_ON_FIELD;
    case GQL_FRAGMENT_SPREAD:
        return GQL_ON_FRAGMENT_SPREAD;
    case GQL_INLINE_FRAGMENT:
        return GQL_ON_INLINE_FRAGMENT;
    case GQL_FRAGMENT_DEFINITION:
        return GQL_ON_FRAGMENT_DEFINITION;
    case GQL_VARIABLE_DEFINITION:
        return GQL_ON_VARIABLE_DEFINITION;
    case GQL_SCHEMA_DEFINITION:
    case GQL_SCHEMA_EXTENSION:
        return GQL_ON_SCHEMA;
    case GQL_SCALAR_TYPE_DEFINITION:
    case GQL_SCALAR_TYPE_EXTENSION:
        return GQL_ON_SCALAR;
    case GQL_OBJECT_TYPE_DEFINITION:
    case GQL_OBJECT_TYPE_EXTENSION:
        return GQL_ON_OBJECT;
    case GQL_FIELD_DEFINITION:
        return GQL_ON_FIELD_DEFINITION;
    case GQL_INTERFACE_TYPE_DEFINITION:
    case GQL_INTERFACE_TYPE_EXTENSION:
        return GQL_ON_INTERFACE;
    case GQL_UNION_TYPE_DEFINITION:
    case GQL_UNION_TYPE_EXTENSION:
        return GQL_ON_UNION;
    case GQL_ENUM_TYPE_DEFINITION:
    case GQL_ENUM_TYPE_EXTENSION:
        return GQL_ON_ENUM;
    case GQL_ENUM_VALUE_DEFINITION:
        return GQL_ON_ENUM_VALUE;
    case GQL_INPUT_OBJECT_TYPE_DEFINITION:
    case GQL_INPUT_OBJECT_TYPE_EXTENSION:
        return GQL_ON_INPUT_OBJECT;
    case GQL_INPUT_VALUE_DEFINITION:
        return known_directives_input_location(applied);
    default:
        return GQL_ON_DIRECTIVE_DEFINITION;
    }
}


/* a field of an input object's definition, or else an argument */
static gql_directive_location_t
known_directives_input_location(const gql_visit_frame_t *applied)
{
    if (applied->parent != NULL
        && applied->parent->node->kind == GQL_INPUT_OBJECT_TYPE_DEFINITION)
    {
        return GQL_ON_INPUT_FIELD_DEFINITION;
    }

    return GQL_ON_ARGUMENT_DEFINITION;
}


static bool
known_directives_allowed(const gql_directive_definition_t *defined,
    const gql_directive_def_t *def, gql_directive_location_t location)
{
    const gql_name_t  *name;

    if (defined == NULL) {
        return (def->locations & 1u << location) != 0;
    }

    gql_list_each(name, &defined->locations) {
        if (prompt_str_eq(name->value, gql_directive_location_name(location)))
        {
            return true;
        }
    }

    return false;
}


static const gql_rule_hook_t  known_directives_hooks[] = {
    { GQL_DIRECTIVE, known_directives_directive, NULL },
};

const gql_rule_t  gql_rule_known_directives = {
    prompt_str_init("KnownDirectivesRule"),
    0,
    NULL,
    gql_rule_hooks(known_directives_hooks)
};


/*
 * Directives Are Unique per Location
 * https://spec.graphql.org/September2025/
 *                                     #sec-Directives-Are-Unique-per-Location
 *
 *     good:  { a @skip(if: $x) @include(if: $y) }
 *     bad:   { a @skip(if: $x) @skip(if: $y) }
 *
 * The definition of a type and its extensions are one place.
 */
typedef struct {
    gql_names_t  names;              /* of directives: id, and mark: 1 where
                                        repeatable or unknown, 2 where not */
    gql_names_t  types;              /* value: the number of its place */
    gql_memo_t   seen;               /* (place, directive): the first one */
    uint32_t     places;             /* the last number given out */
} unique_directives_t;

/* the schema and its extensions */
#define UNIQUE_DIRECTIVES_SCHEMA  0

#define UNIQUE_DIRECTIVES_MANY    1
#define UNIQUE_DIRECTIVES_ONCE    2


static const gql_list_t *unique_directives_list(const gql_node_t *node);
static bool unique_directives_place(unique_directives_t *u,
    const gql_node_t *node, uint32_t *place);
static bool unique_directives_type_place(unique_directives_t *u,
    const gql_name_t *name, uint32_t *place);
static bool unique_directives_look(gql_validation_t *v,
    unique_directives_t *u, uint32_t place, const gql_directive_t *directive);
static uint32_t unique_directives_kind(const gql_validation_t *v,
    prompt_str_t name);


static bool
unique_directives_init(gql_validation_t *v, void *state)
{
    unique_directives_t  *u;

    u = state;

    gql_names_init(&u->names, v->arena);
    gql_names_init(&u->types, v->arena);
    gql_memo_init(&u->seen, v->arena);

    return true;
}


static bool
unique_directives_enter(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    uint32_t                place;
    const gql_list_t       *directives;
    unique_directives_t    *u;
    const gql_directive_t  *directive;

    u = state;
    directives = unique_directives_list(node);

    if (directives->count == 0) {
        return true;
    }

    if (!unique_directives_place(u, node, &place)) {
        gql_validation_nomem(v);
        return true;
    }

    gql_list_each(directive, directives) {
        if (!unique_directives_look(v, u, place, directive)) {
            break;
        }
    }

    return true;
}


static const gql_list_t *
unique_directives_list(const gql_node_t *node)
{
    switch (node->kind) {

    case GQL_OPERATION_DEFINITION:
        return &((const gql_operation_definition_t *) node)->directives;
    case GQL_VARIABLE_DEFINITION:
        return &((const gql_variable_definition_t *) node)->directives;
    case GQL_FIELD:
        return &((const gql_field_t *) node)->directives;
    case GQL_FRAGMENT_SPREAD:
        return &((const gql_fragment_spread_t *) node)->directives;
    case GQL_INLINE_FRAGMENT:
        return &((const gql_inline_fragment_t *) node)->directives;
    case GQL_FRAGMENT_DEFINITION:
        return &((const gql_fragment_definition_t *) node)->directives;
    case GQL_SCHEMA_DEFINITION:
    case GQL_SCHEMA_EXTENSION:
        return &((const gql_schema_definition_t *) node)->directives;
    case GQL_FIELD_DEFINITION:
        return &((const gql_field_definition_t *) node)->directives;
    case GQL_INPUT_VALUE_DEFINITION:
        return &((const gql_input_value_definition_t *) node)->directives;
    case GQL_ENUM_VALUE_DEFINITION:
        return &((const gql_enum_value_definition_t *) node)->directives;
    default:
        return &((const gql_type_definition_t *) node)->directives;
    }
}


/* false: memory is short */
static bool
unique_directives_place(unique_directives_t *u, const gql_node_t *node,
    uint32_t *place)
{
    switch (node->kind) {

    case GQL_SCHEMA_DEFINITION:
    case GQL_SCHEMA_EXTENSION:
        *place = UNIQUE_DIRECTIVES_SCHEMA;
        return true;

    case GQL_OPERATION_DEFINITION:
    case GQL_VARIABLE_DEFINITION:
    case GQL_FIELD:
    case GQL_FRAGMENT_SPREAD:
    case GQL_INLINE_FRAGMENT:
    case GQL_FRAGMENT_DEFINITION:
    case GQL_FIELD_DEFINITION:
    case GQL_INPUT_VALUE_DEFINITION:
    case GQL_ENUM_VALUE_DEFINITION:
        *place = ++u->places;
        return true;

    default:
        return unique_directives_type_place(u,
                         ((const gql_type_definition_t *) node)->name, place);
    }
}


static bool
unique_directives_type_place(unique_directives_t *u, const gql_name_t *name,
    uint32_t *place)
{
    gql_name_entry_t  *entry;

    entry = gql_names_add(&u->types, name->value);
    if (entry == NULL) {
        return false;
    }

    if (entry->mark == 0) {
        entry->mark = ++u->places;
    }

    *place = entry->mark;

    return true;
}


static bool
unique_directives_look(gql_validation_t *v, unique_directives_t *u,
    uint32_t place, const gql_directive_t *directive)
{
    uint64_t           key;
    uintptr_t          first;
    prompt_str_t       name;
    gql_name_entry_t  *entry;

    name = directive->name->value;

    entry = gql_names_add(&u->names, name);
    if (entry == NULL) {
        gql_validation_nomem(v);
        return false;
    }

    if (entry->mark == 0) {
        entry->mark = unique_directives_kind(v, name);
    }

    if (entry->mark == UNIQUE_DIRECTIVES_MANY) {
        return true;
    }

    key = gql_memo_pair(place, entry->id);
    first = gql_memo_get(&u->seen, key);

    if (first != 0) {
        gql_refuse_two(v, first, directive, "The directive \"@%.*s\" can only "
                       "be used once at this location.",
                       gql_error_arg(name));

        return !v->stopped;
    }

    if (!gql_memo_put(&u->seen, key, (uintptr_t) directive)) {
        gql_validation_nomem(v);
        return false;
    }

    return true;
}


static uint32_t
unique_directives_kind(const gql_validation_t *v, prompt_str_t name)
{
    bool                               repeatable;
    const gql_directive_def_t         *def;
    const gql_directive_definition_t  *defined;

    def = gql_schema_directive(v->schema, name);
    defined = directive_defined(v, name);

    if (defined != NULL) {
        repeatable = defined->repeatable;

    } else {
        repeatable = def == NULL || def->repeatable;
    }

    return repeatable ? UNIQUE_DIRECTIVES_MANY : UNIQUE_DIRECTIVES_ONCE;
}


static const gql_rule_hook_t  unique_directives_hooks[] = {
    { GQL_OPERATION_DEFINITION, unique_directives_enter, NULL },
    { GQL_VARIABLE_DEFINITION, unique_directives_enter, NULL },
    { GQL_FIELD, unique_directives_enter, NULL },
    { GQL_FRAGMENT_SPREAD, unique_directives_enter, NULL },
    { GQL_INLINE_FRAGMENT, unique_directives_enter, NULL },
    { GQL_FRAGMENT_DEFINITION, unique_directives_enter, NULL },
    { GQL_SCHEMA_DEFINITION, unique_directives_enter, NULL },
    { GQL_SCALAR_TYPE_DEFINITION, unique_directives_enter, NULL },
    { GQL_OBJECT_TYPE_DEFINITION, unique_directives_enter, NULL },
    { GQL_FIELD_DEFINITION, unique_directives_enter, NULL },
    { GQL_INPUT_VALUE_DEFINITION, unique_directives_enter, NULL },
    { GQL_INTERFACE_TYPE_DEFINITION, unique_directives_enter, NULL },
    { GQL_UNION_TYPE_DEFINITION, unique_directives_enter, NULL },
    { GQL_ENUM_TYPE_DEFINITION, unique_directives_enter, NULL },
    { GQL_ENUM_VALUE_DEFINITION, unique_directives_enter, NULL },
    { GQL_INPUT_OBJECT_TYPE_DEFINITION, unique_directives_enter, NULL },
    { GQL_SCHEMA_EXTENSION, unique_directives_enter, NULL },
    { GQL_SCALAR_TYPE_EXTENSION, unique_directives_enter, NULL },
    { GQL_OBJECT_TYPE_EXTENSION, unique_directives_enter, NULL },
    { GQL_INTERFACE_TYPE_EXTENSION, unique_directives_enter, NULL },
    { GQL_UNION_TYPE_EXTENSION, unique_directives_enter, NULL },
    { GQL_ENUM_TYPE_EXTENSION, unique_directives_enter, NULL },
    { GQL_INPUT_OBJECT_TYPE_EXTENSION, unique_directives_enter, NULL },
};

const gql_rule_t  gql_rule_unique_directives_per_location = {
    prompt_str_init("UniqueDirectivesPerLocationRule"),
    sizeof(unique_directives_t),
    unique_directives_init,
    gql_rule_hooks(unique_directives_hooks)
};
