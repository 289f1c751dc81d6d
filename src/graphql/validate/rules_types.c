/*
 * Validation rules that look at the types a document names (specification,
 * 5.5.1.2, 5.5.1.3, 5.8.2): KnownTypeNames, FragmentsOnCompositeTypes,
 * VariablesAreInputTypes.
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


static bool known_type_names_in_sdl(const gql_validation_t *v);
static bool known_type_names_standard(prompt_str_t name);
static prompt_str_t known_type_names_suggest(gql_validation_t *v,
    prompt_str_t name, bool sdl);


/*
 * Fragment Spread Type Existence
 * https://spec.graphql.org/September2025/#sec-Fragment-Spread-Type-Existence
 *
 *     good:  { dog { ... on Dog { name } } }
 *     bad:   { dog { ... on NotInSchema { name } } }
 *
 * Of variables, too.  Types that the document itself defines are known.
 */
static bool
known_type_names_named_type(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    bool          sdl;
    prompt_str_t  name;

    (void) state;

    name = ((const gql_type_node_t *) node)->name->value;

    if (gql_schema_type(v->schema, name) != NULL
        || gql_names_find(&v->types, name) != NULL)
    {
        return true;
    }

    sdl = known_type_names_in_sdl(v);

    if (sdl && known_type_names_standard(name)) {
        return true;
    }

    gql_refuse_at(v, node, "Unknown type \"%.*s\".%.*s", gql_error_arg(name),
                  gql_error_arg(known_type_names_suggest(v, name, sdl)));

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


static bool
known_type_names_standard(prompt_str_t name)
{
    size_t  i;

    for (i = 0; i < GQL_STANDARD_TYPES; i++) {
        if (prompt_str_eq(name, gql_standard_types[i])) {
            return true;
        }
    }

    return false;
}


static prompt_str_t
known_type_names_suggest(gql_validation_t *v, prompt_str_t name, bool sdl)
{
    size_t                   i, n;
    prompt_str_t            *names;
    const gql_name_entry_t  *entry;

    names = prompt_arena_array(v->arena, v->schema->ntypes + v->types.count
                                         + GQL_STANDARD_TYPES,
                               sizeof(prompt_str_t));
    if (names == NULL) {
        gql_validation_nomem(v);
        return prompt_str("");
    }

    n = 0;

    for (i = 0; sdl && i < GQL_STANDARD_TYPES; i++) {
        if (gql_schema_type(v->schema, gql_standard_types[i]) == NULL) {
            names[n++] = gql_standard_types[i];
        }
    }

    for (i = 0; i < v->schema->ntypes; i++) {
        names[n++] = v->schema->types[i]->name;
    }

    for (entry = v->types.first; entry != NULL; entry = entry->next) {
        if (gql_schema_type(v->schema, entry->name) == NULL
            && !(sdl && known_type_names_standard(entry->name)))
        {
            names[n++] = entry->name;
        }
    }

    return gql_did_you_mean(v->errors, v->arena, prompt_str_absent, name,
                            names, n);
}


static const gql_rule_hook_t  known_type_names_hooks[] = {
    { GQL_NAMED_TYPE, known_type_names_named_type, NULL },
};

const gql_rule_t  gql_rule_known_type_names = {
    prompt_str_init("KnownTypeNamesRule"),
    0,
    NULL,
    gql_rule_hooks(known_type_names_hooks)
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


static const gql_rule_hook_t  fragments_on_composite_types_hooks[] = {
    { GQL_INLINE_FRAGMENT, fragments_on_composite_types_inline, NULL },
    { GQL_FRAGMENT_DEFINITION, fragments_on_composite_types_fragment, NULL },
};

const gql_rule_t  gql_rule_fragments_on_composite_types = {
    prompt_str_init("FragmentsOnCompositeTypesRule"),
    0,
    NULL,
    gql_rule_hooks(fragments_on_composite_types_hooks)
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
        gql_refuse_at(v, variable->type,
                      "Variable \"$%.*s\" cannot be non-input type \"%.*s\".",
                      gql_error_arg(variable->variable->text),
                      gql_error_arg(gql_printed(v, &variable->type->node)));
    }

    return true;
}


static const gql_rule_hook_t  variables_are_input_types_hooks[] = {
    { GQL_VARIABLE_DEFINITION, variables_are_input_types_variable, NULL },
};

const gql_rule_t  gql_rule_variables_are_input_types = {
    prompt_str_init("VariablesAreInputTypesRule"),
    0,
    NULL,
    gql_rule_hooks(variables_are_input_types_hooks)
};
