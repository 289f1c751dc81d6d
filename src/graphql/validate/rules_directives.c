/*
 * Directives: those that a document may use, and the rules KnownDirectives and
 * UniqueDirectivesPerLocation (specification, 5.7).  What their arguments may
 * be is rules_arguments.c's to say.
 *
 * A directive that the document itself defines is known as if it were one of
 * the schema, and goes first, as in graphql-js.
 */

#include "graphql/validate/validate_impl.h"


/* of arguments that the document defines no more is asked than that */
static const gql_type_ref_t  gql_required = { .kind = GQL_REF_NON_NULL };
static const gql_type_ref_t  gql_optional = { .kind = GQL_REF_NAMED };


static bool gql_define_arguments(gql_directive_def_t *def, gql_names_t *names,
    const gql_list_t *arguments, bool required);


bool
gql_define_directive(gql_validation_t *v,
    const gql_directive_definition_t *definition)
{
    gql_names_t                names;
    const gql_name_t          *name;
    gql_name_entry_t          *entry;
    gql_directive_def_t       *def;
    gql_directive_location_t   location;

    entry = gql_names_add(&v->directives, definition->name->value);
    def = prompt_arena_zalloc(v->arena, sizeof(gql_directive_def_t));

    if (entry == NULL || def == NULL) {
        return false;
    }

    def->name = entry->name;
    def->repeatable = definition->repeatable;

    gql_list_each(name, &definition->locations) {
        location = gql_directive_location(name->value);

        if (location != GQL_ON_COUNT) {
            def->locations |= 1u << location;
        }
    }

    entry->value = def;

    gql_names_init(&names, v->arena);
    def->args = prompt_arena_array(v->arena, definition->arguments.count,
                                   sizeof(gql_input_value_t));

    return def->args != NULL
           && gql_define_arguments(def, &names, &definition->arguments, true)
           && gql_define_arguments(def, &names, &definition->arguments, false);
}


/*
 * The arguments that are required, or the others.  Of required ones of the
 * same name the first has the place, and the last is the argument.
 */
static bool
gql_define_arguments(gql_directive_def_t *def, gql_names_t *names,
    const gql_list_t *arguments, bool required)
{
    gql_name_entry_t                    *entry;
    gql_input_value_t                   *arg;
    const gql_input_value_definition_t  *node;

    gql_list_each(node, arguments) {
        if (required != (node->type->node.kind == GQL_NON_NULL_TYPE
                         && node->default_value == NULL))
        {
            continue;
        }

        entry = gql_names_add(names, node->name->value);
        if (entry == NULL) {
            return false;
        }

        arg = &def->args[entry->id];
        arg->name = entry->name;

        if (required || arg->type == NULL) {
            arg->type = required ? &gql_required : &gql_optional;
            arg->ast = node;
        }
    }

    def->nargs = names->count;

    return true;
}


bool
gql_add_directive(gql_validation_t *v, const gql_directive_def_t *def)
{
    gql_name_entry_t  *entry;

    entry = gql_names_add(&v->directives, def->name);
    if (entry == NULL) {
        gql_validation_nomem(v);
        return false;
    }

    if (entry->value == NULL) {
        entry->value = (void *) (uintptr_t) def;
    }

    return true;
}


const gql_directive_def_t *
gql_known_directive(const gql_validation_t *v, prompt_str_t name)
{
    const gql_name_entry_t  *entry;

    entry = gql_names_find(&v->directives, name);

    return entry != NULL ? entry->value
                         : gql_schema_directive(v->schema, name);
}


/*
 * Directives Are Defined, Directives Are in Valid Locations
 * https://spec.graphql.org/September2025/#sec-Directives-Are-Defined
 * https://spec.graphql.org/September2025/#sec-Directives-Are-in-Valid-Locations
 *
 *     good:  { dog @include(if: true) { name } }
 *     bad:   { dog @unknown { name } }
 *     bad:   query @include(if: true) { dog { name } }
 *     bad:   type A @deprecated { a: Int }
 */
static gql_directive_location_t known_directives_location(
    const gql_visit_frame_t *applied);


static bool
known_directives_directive(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    prompt_str_t                name, where;
    const gql_directive_def_t  *def;
    gql_directive_location_t    location;

    (void) state;

    name = ((const gql_directive_t *) node)->name->value;
    def = gql_known_directive(v, name);

    if (def == NULL) {
        gql_refuse_at(v, node, "Unknown directive \"@%.*s\".",
                      gql_error_arg(name));
        return true;
    }

    location = known_directives_location(v->visitor.frame->parent);

    if ((def->locations & 1u << location) == 0) {
        where = gql_directive_location_name(location);

        gql_refuse_at(v, node,
                      "Directive \"@%.*s\" may not be used on %.*s.",
                      gql_error_arg(name),
                      gql_error_arg(where));
    }

    return true;
}


/* the place of what a directive is applied to */
static gql_directive_location_t
known_directives_location(const gql_visit_frame_t *applied)
{
    const gql_node_t  *node;

    static const gql_directive_location_t  operations[] = {
        GQL_ON_QUERY, GQL_ON_MUTATION, GQL_ON_SUBSCRIPTION
    };

    static const gql_directive_location_t  locations[GQL_KIND_COUNT] = {
        [GQL_VARIABLE_DEFINITION] = GQL_ON_VARIABLE_DEFINITION,
        [GQL_FIELD] = GQL_ON_FIELD,
        [GQL_FRAGMENT_SPREAD] = GQL_ON_FRAGMENT_SPREAD,
        [GQL_INLINE_FRAGMENT] = GQL_ON_INLINE_FRAGMENT,
        [GQL_FRAGMENT_DEFINITION] = GQL_ON_FRAGMENT_DEFINITION,
        [GQL_SCHEMA_DEFINITION] = GQL_ON_SCHEMA,
        [GQL_SCHEMA_EXTENSION] = GQL_ON_SCHEMA,
        [GQL_SCALAR_TYPE_DEFINITION] = GQL_ON_SCALAR,
        [GQL_SCALAR_TYPE_EXTENSION] = GQL_ON_SCALAR,
        [GQL_OBJECT_TYPE_DEFINITION] = GQL_ON_OBJECT,
        [GQL_OBJECT_TYPE_EXTENSION] = GQL_ON_OBJECT,
        [GQL_FIELD_DEFINITION] = GQL_ON_FIELD_DEFINITION,
        [GQL_INPUT_VALUE_DEFINITION] = GQL_ON_ARGUMENT_DEFINITION,
        [GQL_INTERFACE_TYPE_DEFINITION] = GQL_ON_INTERFACE,
        [GQL_INTERFACE_TYPE_EXTENSION] = GQL_ON_INTERFACE,
        [GQL_UNION_TYPE_DEFINITION] = GQL_ON_UNION,
        [GQL_UNION_TYPE_EXTENSION] = GQL_ON_UNION,
        [GQL_ENUM_TYPE_DEFINITION] = GQL_ON_ENUM,
        [GQL_ENUM_TYPE_EXTENSION] = GQL_ON_ENUM,
        [GQL_ENUM_VALUE_DEFINITION] = GQL_ON_ENUM_VALUE,
        [GQL_INPUT_OBJECT_TYPE_DEFINITION] = GQL_ON_INPUT_OBJECT,
        [GQL_INPUT_OBJECT_TYPE_EXTENSION] = GQL_ON_INPUT_OBJECT,
    };

    node = applied->node;

    if (node->kind == GQL_OPERATION_DEFINITION) {
        return operations[((const gql_operation_definition_t *) node)
                                                               ->operation];
    }

    /* graphql-js takes the fields of an extension for arguments */

    if (node->kind == GQL_INPUT_VALUE_DEFINITION
        && applied->parent->node->kind == GQL_INPUT_OBJECT_TYPE_DEFINITION)
    {
        return GQL_ON_INPUT_FIELD_DEFINITION;
    }

    return locations[node->kind];
}


const gql_rule_t  gql_rule_known_directives = {
    .name = prompt_str_init("KnownDirectivesRule"),
    .hooks = {
        { gql_kind_bit(GQL_DIRECTIVE), known_directives_directive, NULL },
    }
};


/*
 * Directives Are Unique per Location
 * https://spec.graphql.org/September2025/
 *                                     #sec-Directives-Are-Unique-per-Location
 *
 *     good:  { a @skip(if: $x) @include(if: $y) }
 *     bad:   { a @skip(if: $x) @skip(if: $y) }
 *
 * The definition of a type and its extensions are one place, as are those of
 * the schema.
 */
static bool
unique_directives_enter(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    uint32_t                    place;
    const gql_node_t           *first;
    const gql_list_t           *directives;
    const gql_directive_t      *directive;
    const gql_directive_def_t  *def;

    directives = gql_node_directives(node);

    if (directives->count == 0) {
        return true;
    }

    if (gql_kind_is(node->kind, GQL_TYPE_DEFINITIONS | GQL_TYPE_EXTENSIONS)) {
        place = gql_unique_type(gql_names_find(&v->types,
                     ((const gql_type_definition_t *) node)->name->value));

    } else if (node->kind == GQL_SCHEMA_DEFINITION
               || node->kind == GQL_SCHEMA_EXTENSION)
    {
        place = UINT32_MAX;

    } else if (directives->count > 1) {
        place = node->start;

    } else {
        return true;
    }

    gql_list_each(directive, directives) {
        def = gql_known_directive(v, directive->name->value);

        if (def == NULL || def->repeatable) {
            continue;
        }

        first = gql_unique_first(v, state, place, directive->name->value,
                                 &directive->node);
        if (first != NULL) {
            gql_refuse_two(v, first, directive, "The directive \"@%.*s\" can "
                           "only be used once at this location.",
                           gql_error_arg(directive->name->value));
        }

        if (v->stopped) {
            break;
        }
    }

    return true;
}


const gql_rule_t  gql_rule_unique_directives_per_location = {
    .name = prompt_str_init("UniqueDirectivesPerLocationRule"),
    .state_size = sizeof(gql_unique_t),
    .init = gql_unique_init,
    .hooks = {
        { gql_kind_bit(GQL_OPERATION_DEFINITION)
          | gql_kind_bit(GQL_VARIABLE_DEFINITION)
          | gql_kind_bit(GQL_FIELD)
          | gql_kind_bit(GQL_FRAGMENT_SPREAD)
          | gql_kind_bit(GQL_INLINE_FRAGMENT)
          | gql_kind_bit(GQL_FRAGMENT_DEFINITION)
          | gql_kind_bit(GQL_SCHEMA_DEFINITION)
          | gql_kind_bit(GQL_SCHEMA_EXTENSION)
          | gql_kind_bit(GQL_FIELD_DEFINITION)
          | gql_kind_bit(GQL_INPUT_VALUE_DEFINITION)
          | gql_kind_bit(GQL_ENUM_VALUE_DEFINITION)
          | GQL_TYPE_DEFINITIONS | GQL_TYPE_EXTENSIONS,
          unique_directives_enter, NULL },
    }
};
