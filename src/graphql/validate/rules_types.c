/*
 * Rules on the types that a document names (specification, 5.5.1.2, 5.5.1.3,
 * 5.8.2, and 3.4.3 of SDL): KnownTypeNames, FragmentsOnCompositeTypes,
 * VariablesAreInputTypes, PossibleTypeExtensions.
 */

#include "graphql/types/suggest.h"
#include "graphql/validate/validate_impl.h"


/* scalars and introspection types: no SDL needs to define them */
static const prompt_str_t  gql_standard_types[] = {
    prompt_str_init("String"),
    prompt_str_init("Int"),
    prompt_str_init("Float"),
    prompt_str_init("Boolean"),
    prompt_str_init("ID"),
    prompt_str_init("__Schema"),
    prompt_str_init("__Directive"),
    prompt_str_init("__DirectiveLocation"),
    prompt_str_init("__Type"),
    prompt_str_init("__Field"),
    prompt_str_init("__InputValue"),
    prompt_str_init("__EnumValue"),
    prompt_str_init("__TypeKind"),
};

#define GQL_STANDARD_TYPES                                                   \
    (sizeof(gql_standard_types) / sizeof(gql_standard_types[0]))


static bool type_is_standard(prompt_str_t name);
static bool type_options(gql_validation_t *v);
static bool known_type_names_in_sdl(const gql_validation_t *v);


static bool
type_is_standard(prompt_str_t name)
{
    size_t  i;

    for (i = 0; i < GQL_STANDARD_TYPES; i++) {
        if (prompt_str_eq(name, gql_standard_types[i])) {
            return true;
        }
    }

    return false;
}


static bool
type_is_defined(const gql_validation_t *v, prompt_str_t name)
{
    const gql_name_entry_t  *entry;

    if (gql_schema_type(v->schema, name) != NULL) {
        return true;
    }

    entry = gql_names_find(&v->types, name);

    return entry != NULL && entry->value != NULL;
}


/*
 * " Did you mean …?" from the types of schema and document; standard: from
 * those that every schema has, too.
 */
static prompt_str_t
suggest_type(gql_validation_t *v, prompt_str_t name, bool standard)
{
    uint32_t  skip, n;

    if (v->options == NULL && !type_options(v)) {
        gql_validation_nomem(v);
        return prompt_str("");
    }

    skip = standard ? 0 : v->nstandard;
    n = v->noptions - skip;

    return gql_did_you_mean(v->errors, v->arena, &v->suggestions,
                            prompt_str_absent, name, v->options + skip, n);
}


/* each name once: those of the standard that are nowhere else come first */
static bool
type_options(gql_validation_t *v)
{
    uint32_t                 i, n;
    const gql_name_entry_t  *entry;

    v->options = prompt_arena_array(v->arena, GQL_STANDARD_TYPES
                                              + (size_t) v->schema->ntypes
                                              + v->types.count,
                                    sizeof(prompt_str_t));
    if (v->options == NULL) {
        return false;
    }

    n = 0;

    for (i = 0; i < GQL_STANDARD_TYPES; i++) {
        if (!type_is_defined(v, gql_standard_types[i])) {
            v->options[n++] = gql_standard_types[i];
        }
    }

    v->nstandard = n;

    for (i = 0; i < v->schema->ntypes; i++) {
        v->options[n++] = v->schema->types[i]->name;
    }

    for (entry = v->types.first; entry != NULL; entry = entry->next) {
        if (entry->value != NULL
            && gql_schema_type(v->schema, entry->name) == NULL)
        {
            v->options[n++] = entry->name;
        }
    }

    v->noptions = n;

    return true;
}


/*
 * Fragment Spread Type Existence
 * https://spec.graphql.org/September2025/#sec-Fragment-Spread-Type-Existence
 *
 *     good:  { dog { ... on Dog { name } } }
 *     bad:   { dog { ... on NotInSchema { name } } }
 *     bad:   type A { a: NotInSchema }
 *
 * Types that the document itself defines are known, and in definitions of the
 * type system those of the standard.
 */
static bool
known_type_names_named_type(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    bool          sdl;
    prompt_str_t  name, hint;

    (void) state;

    name = ((const gql_type_node_t *) node)->name->value;

    if (type_is_defined(v, name)) {
        return true;
    }

    sdl = known_type_names_in_sdl(v);

    if (sdl && type_is_standard(name)) {
        return true;
    }

    hint = suggest_type(v, name, sdl);

    gql_refuse_at(v, node, "Unknown type \"%.*s\".%.*s", gql_error_arg(name),
                  gql_error_arg(hint));

    return true;
}


/* whether the definition that the walk is in is one of the type system */
static bool
known_type_names_in_sdl(const gql_validation_t *v)
{
    const gql_visit_frame_t  *frame;

    for (frame = v->visitor.frame; frame != NULL; frame = frame->parent) {
        if (frame->parent != NULL && frame->parent->node->kind == GQL_DOCUMENT)
        {
            return frame->node->kind >= GQL_SCHEMA_DEFINITION;
        }
    }

    return false;
}


const gql_rule_t  gql_rule_known_type_names = {
    .name = prompt_str_init("KnownTypeNamesRule"),
    .hooks = {
        { gql_kind_bit(GQL_NAMED_TYPE), known_type_names_named_type, NULL },
    }
};


/*
 * Fragments on Object, Interface or Union Types
 * https://spec.graphql.org/September2025/
 *                          #sec-Fragments-on-Object-Interface-or-Union-Types
 *
 *     good:  fragment F on Dog { name }
 *     bad:   fragment F on Boolean { bad }
 */
static bool
fragments_on_composite_types_inline(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    const gql_type_t       *type;
    const gql_type_node_t  *condition;

    (void) state;

    condition = ((const gql_inline_fragment_t *) node)->type_condition;
    if (condition == NULL) {
        return true;
    }

    type = gql_schema_type(v->schema, condition->name->value);

    if (type != NULL && !gql_type_is_composite(type)) {
        gql_refuse_at(v, condition, "Fragment cannot condition on non "
                      "composite type \"%.*s\".", gql_error_arg(type->name));
    }

    return true;
}


static bool
fragments_on_composite_types_fragment(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    const gql_type_t                 *type;
    const gql_fragment_definition_t  *fragment;

    (void) state;

    fragment = (const gql_fragment_definition_t *) node;
    type = gql_schema_type(v->schema, fragment->type_condition->name->value);

    if (type != NULL && !gql_type_is_composite(type)) {
        gql_refuse_at(v, fragment->type_condition,
                      "Fragment \"%.*s\" cannot condition on non composite "
                      "type \"%.*s\".", gql_error_arg(fragment->name->value),
                      gql_error_arg(type->name));
    }

    return true;
}


const gql_rule_t  gql_rule_fragments_on_composite_types = {
    .name = prompt_str_init("FragmentsOnCompositeTypesRule"),
    .hooks = {
        { gql_kind_bit(GQL_INLINE_FRAGMENT),
          fragments_on_composite_types_inline, NULL },
        { gql_kind_bit(GQL_FRAGMENT_DEFINITION),
          fragments_on_composite_types_fragment, NULL },
    }
};


/*
 * Variables Are Input Types
 * https://spec.graphql.org/September2025/#sec-Variables-Are-Input-Types
 *
 *     good:  query Q($a: [String!]) { field(a: $a) }
 *     bad:   query Q($a: Dog) { field(a: $a) }
 */
static bool
variables_are_input_types_variable(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    prompt_str_t                      text;
    const gql_type_t                 *type;
    const gql_type_node_t            *inner;
    const gql_variable_definition_t  *variable;

    (void) state;

    variable = (const gql_variable_definition_t *) node;
    inner = variable->type;

    while (inner->node.kind != GQL_NAMED_TYPE) {
        inner = inner->of;
    }

    type = gql_schema_type(v->schema, inner->name->value);

    if (type != NULL && !gql_type_is_input(type)) {
        text = gql_printed(v, &variable->type->node);

        gql_refuse_at(v, variable->type,
                      "Variable \"$%.*s\" cannot be non-input type \"%.*s\".",
                      gql_error_arg(variable->variable->text),
                      gql_error_arg(text));
    }

    return true;
}


const gql_rule_t  gql_rule_variables_are_input_types = {
    .name = prompt_str_init("VariablesAreInputTypesRule"),
    .hooks = {
        { gql_kind_bit(GQL_VARIABLE_DEFINITION),
          variables_are_input_types_variable, NULL },
    }
};


/*
 * PossibleTypeExtensions (3.4.3 and so on): what is extended is there, and of
 * the same kind.
 *
 *     good:  type A { a: Int } extend type A { b: Int }
 *     bad:   type A { a: Int } extend enum A { B }
 */

/* what a type is, as it is defined, extended, and called */
static const struct {
    gql_kind_t   definition;
    gql_kind_t   extension;
    const char  *name;
} gql_type_kinds[] = {
    [GQL_TYPE_SCALAR] = { GQL_SCALAR_TYPE_DEFINITION,
                          GQL_SCALAR_TYPE_EXTENSION, "scalar" },
    [GQL_TYPE_OBJECT] = { GQL_OBJECT_TYPE_DEFINITION,
                          GQL_OBJECT_TYPE_EXTENSION, "object" },
    [GQL_TYPE_INTERFACE] = { GQL_INTERFACE_TYPE_DEFINITION,
                             GQL_INTERFACE_TYPE_EXTENSION, "interface" },
    [GQL_TYPE_UNION] = { GQL_UNION_TYPE_DEFINITION,
                         GQL_UNION_TYPE_EXTENSION, "union" },
    [GQL_TYPE_ENUM] = { GQL_ENUM_TYPE_DEFINITION,
                        GQL_ENUM_TYPE_EXTENSION, "enum" },
    [GQL_TYPE_INPUT_OBJECT] = { GQL_INPUT_OBJECT_TYPE_DEFINITION,
                                GQL_INPUT_OBJECT_TYPE_EXTENSION,
                                "input object" },
};


static gql_type_kind_t
type_kind_of(const gql_node_t *node)
{
    unsigned  i;

    for (i = 0; gql_type_kinds[i].definition != node->kind
                && gql_type_kinds[i].extension != node->kind; i++)
    {
        /* void */
    }

    return (gql_type_kind_t) i;
}


static bool
possible_type_extensions_extension(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    prompt_str_t       hint;
    gql_type_kind_t    kind;
    const gql_name_t  *name;
    const gql_node_t  *definition;
    const gql_type_t  *existing;

    (void) state;

    name = ((const gql_type_definition_t *) node)->name;
    definition = gql_names_find(&v->types, name->value)->value;
    existing = gql_schema_type(v->schema, name->value);

    if (definition == NULL && existing == NULL) {
        hint = suggest_type(v, name->value, false);

        gql_refuse_at(v, name, "Cannot extend type \"%.*s\" because it is not "
                      "defined.%.*s", gql_error_arg(name->value),
                      gql_error_arg(hint));
        return true;
    }

    kind = type_kind_of(node);

    if (kind == (definition != NULL ? type_kind_of(definition)
                                    : existing->kind))
    {
        return true;
    }

    if (definition != NULL) {
        gql_refuse_two(v, definition, node,
                       "Cannot extend non-%s type \"%.*s\".",
                       gql_type_kinds[kind].name, gql_error_arg(name->value));

    } else {
        gql_refuse_at(v, node, "Cannot extend non-%s type \"%.*s\".",
                      gql_type_kinds[kind].name, gql_error_arg(name->value));
    }

    return true;
}


const gql_rule_t  gql_rule_possible_type_extensions = {
    .name = prompt_str_init("PossibleTypeExtensionsRule"),
    .hooks = {
        { GQL_TYPE_EXTENSIONS, possible_type_extensions_extension, NULL },
    }
};
