/*
 * Rules that want names to be unique: of operations, fragments, variables,
 * arguments and input fields in a document (specification, 5.2.2.1, 5.5.1.1,
 * 5.8.1, 5.4.2, 5.6.3), of types, their members and directives in SDL (3.3 to
 * 3.13).  Who finds them is unique.c.
 */

#include "graphql/validate/validate_impl.h"


/*
 * Operation Name Uniqueness
 * https://spec.graphql.org/September2025/#sec-Operation-Name-Uniqueness
 *
 *     good:  query A { a }  query B { b }
 *     bad:   query A { a }  query A { b }
 *
 * Fragment Name Uniqueness
 * https://spec.graphql.org/September2025/#sec-Fragment-Name-Uniqueness
 *
 *     good:  { ...A }  fragment A on T { a }  fragment B on T { b }
 *     bad:   { ...A }  fragment A on T { a }  fragment A on T { b }
 */
static bool
unique_definition(gql_validation_t *v, void *state, const gql_node_t *node)
{
    const gql_name_t  *name;
    const gql_node_t  *first;

    name = node->kind == GQL_OPERATION_DEFINITION
           ? ((const gql_operation_definition_t *) node)->name
           : ((const gql_fragment_definition_t *) node)->name;

    if (name == NULL) {
        return true;
    }

    first = gql_unique_first(v, state, 0, name->value, &name->node);

    if (first != NULL) {
        gql_refuse_two(v, first, name,
                       "There can be only one %s named \"%.*s\".",
                       node->kind == GQL_OPERATION_DEFINITION
                       ? "operation" : "fragment",
                       gql_error_arg(name->value));
    }

    return true;
}


const gql_rule_t  gql_rule_unique_operation_names = {
    .name = prompt_str_init("UniqueOperationNamesRule"),
    .state_size = sizeof(gql_unique_t),
    .init = gql_unique_init,
    .hooks = {
        { gql_kind_bit(GQL_OPERATION_DEFINITION), unique_definition, NULL },
    }
};

const gql_rule_t  gql_rule_unique_fragment_names = {
    .name = prompt_str_init("UniqueFragmentNamesRule"),
    .state_size = sizeof(gql_unique_t),
    .init = gql_unique_init,
    .hooks = {
        { gql_kind_bit(GQL_FRAGMENT_DEFINITION), unique_definition, NULL },
    }
};


/*
 * Variable Uniqueness
 * https://spec.graphql.org/September2025/#sec-Variable-Uniqueness
 *
 *     good:  query Q($a: Int, $b: Int) { f(a: $a, b: $b) }
 *     bad:   query Q($a: Int, $a: Int) { f(a: $a) }
 */
static bool
unique_variable_names_operation(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    static const prompt_str_t  words[] = {
        prompt_str_init("There can be only one variable named \"$"),
        prompt_str_init("\"."),
    };

    (void) state;

    gql_refuse_duplicates(v,
                      &((const gql_operation_definition_t *) node)->variables,
                      words, 2);

    return true;
}


const gql_rule_t  gql_rule_unique_variable_names = {
    .name = prompt_str_init("UniqueVariableNamesRule"),
    .hooks = {
        { gql_kind_bit(GQL_OPERATION_DEFINITION),
          unique_variable_names_operation, NULL },
    }
};


/*
 * Argument Uniqueness
 * https://spec.graphql.org/September2025/#sec-Argument-Uniqueness
 *
 *     good:  { f(a: 1, b: 2) }
 *     bad:   { f(a: 1, a: 2) }
 */
static bool
unique_argument_names_enter(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    static const prompt_str_t  words[] = {
        prompt_str_init("There can be only one argument named \""),
        prompt_str_init("\"."),
    };

    (void) state;

    gql_refuse_duplicates(v, node->kind == GQL_FIELD
                             ? &((const gql_field_t *) node)->arguments
                             : &((const gql_directive_t *) node)->arguments,
                          words, 2);

    return true;
}


const gql_rule_t  gql_rule_unique_argument_names = {
    .name = prompt_str_init("UniqueArgumentNamesRule"),
    .hooks = {
        { gql_kind_bit(GQL_FIELD) | gql_kind_bit(GQL_DIRECTIVE),
          unique_argument_names_enter, NULL },
    }
};


/*
 * Input Object Field Uniqueness
 * https://spec.graphql.org/September2025/#sec-Input-Object-Field-Uniqueness
 *
 *     good:  { f(a: { x: 1, y: { x: 1 } }) }
 *     bad:   { f(a: { x: 1, x: 2 }) }
 */
static bool
unique_input_field_names_field(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    const gql_name_t   *name;
    const gql_node_t   *first;
    const gql_value_t  *object;

    name = ((const gql_object_field_t *) node)->name;
    object = (const gql_value_t *) v->visitor.frame->parent->node;

    if (object->items.count == 1) {
        return true;
    }

    first = gql_unique_first(v, state, object->node.start, name->value,
                             &name->node);
    if (first != NULL) {
        gql_refuse_two(v, first, name,
                       "There can be only one input field named \"%.*s\".",
                       gql_error_arg(name->value));
    }

    return true;
}


const gql_rule_t  gql_rule_unique_input_field_names = {
    .name = prompt_str_init("UniqueInputFieldNamesRule"),
    .state_size = sizeof(gql_unique_t),
    .init = gql_unique_init,
    .hooks = {
        { gql_kind_bit(GQL_OBJECT_FIELD), unique_input_field_names_field,
          NULL },
    }
};


/*
 * UniqueTypeNames (3.3): types have names of their own.
 *
 *     good:  type A { a: Int } type B { a: Int }
 *     bad:   type A { a: Int } scalar A
 */
static bool
unique_type_names_type(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    const gql_name_t  *name;
    const gql_node_t  *first;

    name = ((const gql_type_definition_t *) node)->name;

    if (gql_schema_type(v->schema, name->value) != NULL) {
        gql_refuse_at(v, name, "Type \"%.*s\" already exists in the schema. "
                      "It cannot also be defined in this type definition.",
                      gql_error_arg(name->value));
        return true;
    }

    first = gql_unique_first(v, state, 0, name->value, &name->node);

    if (first != NULL) {
        gql_refuse_two(v, first, name,
                       "There can be only one type named \"%.*s\".",
                       gql_error_arg(name->value));
    }

    return true;
}


const gql_rule_t  gql_rule_unique_type_names = {
    .name = prompt_str_init("UniqueTypeNamesRule"),
    .state_size = sizeof(gql_unique_t),
    .init = gql_unique_init,
    .hooks = { { GQL_TYPE_DEFINITIONS, unique_type_names_type, NULL } }
};


/*
 * UniqueDirectiveNames (3.13): directives have names of their own.
 *
 *     good:  directive @a on FIELD directive @b on FIELD
 *     bad:   directive @a on FIELD directive @a on QUERY
 */
static bool
unique_directive_names_directive(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    const gql_name_t  *name;
    const gql_node_t  *first;

    name = ((const gql_directive_definition_t *) node)->name;

    if (gql_schema_directive(v->schema, name->value) != NULL) {
        gql_refuse_at(v, name, "Directive \"@%.*s\" already exists in the "
                      "schema. It cannot be redefined.",
                      gql_error_arg(name->value));
        return true;
    }

    first = gql_unique_first(v, state, 0, name->value, &name->node);

    if (first != NULL) {
        gql_refuse_two(v, first, name,
                       "There can be only one directive named \"@%.*s\".",
                       gql_error_arg(name->value));
    }

    return true;
}


const gql_rule_t  gql_rule_unique_directive_names = {
    .name = prompt_str_init("UniqueDirectiveNamesRule"),
    .state_size = sizeof(gql_unique_t),
    .init = gql_unique_init,
    .hooks = {
        { gql_kind_bit(GQL_DIRECTIVE_DEFINITION),
          unique_directive_names_directive, NULL },
    }
};


/* whether the schema has that member in a type which the document extends */
static bool
member_exists(const gql_type_t *type, const gql_node_t *member,
    prompt_str_t name)
{
    if (type == NULL) {
        return false;
    }

    if (member->kind == GQL_ENUM_VALUE_DEFINITION) {
        return gql_type_enum_value(type, name) != NULL;
    }

    return gql_type_field(type, name) != NULL
           || gql_type_input_field(type, name) != NULL;
}


/*
 * UniqueEnumValueNames (3.9): an enum has each value once.
 *
 *     good:  enum E { A } extend enum E { B }
 *     bad:   enum E { A } extend enum E { A }
 *
 * UniqueFieldDefinitionNames (3.6, 3.7, 3.10): a type has each field once.
 *
 *     good:  type A { a: Int } extend type A { b: Int }
 *     bad:   type A { a: Int a: Int }
 *
 * A type and its extensions count as one.
 */
static bool
unique_members(gql_validation_t *v, void *state,
    const gql_type_definition_t *part, const gql_list_t *members,
    const char *what)
{
    prompt_str_t             type;
    const gql_name_t        *name;
    const gql_node_t        *member, *first;
    const gql_type_t        *existing;
    const gql_name_entry_t  *entry;

    if (members->count == 0) {
        return true;
    }

    type = part->name->value;
    entry = gql_names_find(&v->types, type);
    existing = gql_schema_type(v->schema, type);

    if (existing == NULL && entry->mark == 1 && gql_names_differ(v, members)) {
        return true;
    }

    gql_list_each(member, members) {
        name = gql_name_of(member);

        if (member_exists(existing, member, name->value)) {
            gql_refuse_at(v, name, "%s \"%.*s.%.*s\" already exists in the "
                          "schema. It cannot also be defined in this type "
                          "extension.", what, gql_error_arg(type),
                          gql_error_arg(name->value));
            continue;
        }

        first = gql_unique_first(v, state, gql_unique_type(entry),
                                 name->value, &name->node);
        if (first != NULL) {
            gql_refuse_two(v, first, name,
                           "%s \"%.*s.%.*s\" can only be defined once.", what,
                           gql_error_arg(type), gql_error_arg(name->value));
        }

        if (v->stopped) {
            break;
        }
    }

    return true;
}


static bool
unique_enum_values(gql_validation_t *v, void *state, const gql_node_t *node)
{
    const gql_type_definition_t  *part;

    part = (const gql_type_definition_t *) node;

    return unique_members(v, state, part, &part->values, "Enum value");
}


static bool
unique_fields(gql_validation_t *v, void *state, const gql_node_t *node)
{
    const gql_type_definition_t  *part;

    part = (const gql_type_definition_t *) node;

    return unique_members(v, state, part, &part->fields, "Field");
}


const gql_rule_t  gql_rule_unique_enum_value_names = {
    .name = prompt_str_init("UniqueEnumValueNamesRule"),
    .state_size = sizeof(gql_unique_t),
    .init = gql_unique_init,
    .hooks = {
        { GQL_TYPE_DEFINITIONS | GQL_TYPE_EXTENSIONS, unique_enum_values,
          NULL },
    }
};

const gql_rule_t  gql_rule_unique_field_definition_names = {
    .name = prompt_str_init("UniqueFieldDefinitionNamesRule"),
    .state_size = sizeof(gql_unique_t),
    .init = gql_unique_init,
    .hooks = {
        { GQL_TYPE_DEFINITIONS | GQL_TYPE_EXTENSIONS, unique_fields, NULL },
    }
};


/*
 * UniqueArgumentDefinitionNames (3.6.1, 3.13): a field or directive has each
 * argument once.
 *
 *     good:  type A { a(b: Int, c: Int): Int }
 *     bad:   type A { a(b: Int, b: Int): Int }
 */
static bool
unique_arguments_of_type(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    const gql_node_t              *member;
    const gql_type_definition_t   *type;
    const gql_field_definition_t  *field;

    (void) state;

    type = (const gql_type_definition_t *) node;

    gql_list_each(member, &type->fields) {
        if (member->kind != GQL_FIELD_DEFINITION) {
            break;
        }

        field = (const gql_field_definition_t *) member;

        gql_refuse_duplicates(v, &field->arguments,
            (const prompt_str_t[]) { prompt_str("Argument \""),
                                     type->name->value, prompt_str("."),
                                     field->name->value, prompt_str("("),
                                     prompt_str(":)\" can only be defined "
                                                "once.") },
            6);
    }

    return true;
}


static bool
unique_arguments_of_directive(gql_validation_t *v, void *state,
    const gql_node_t *node)
{
    const gql_directive_definition_t  *directive;

    (void) state;

    directive = (const gql_directive_definition_t *) node;

    gql_refuse_duplicates(v, &directive->arguments,
        (const prompt_str_t[]) { prompt_str("Argument \"@"),
                                 directive->name->value, prompt_str("("),
                                 prompt_str(":)\" can only be defined "
                                            "once.") },
        4);

    return true;
}


const gql_rule_t  gql_rule_unique_argument_definition_names = {
    .name = prompt_str_init("UniqueArgumentDefinitionNamesRule"),
    .hooks = {
        { gql_kind_bit(GQL_DIRECTIVE_DEFINITION),
          unique_arguments_of_directive, NULL },
        { GQL_TYPE_DEFINITIONS | GQL_TYPE_EXTENSIONS,
          unique_arguments_of_type, NULL },
    }
};
