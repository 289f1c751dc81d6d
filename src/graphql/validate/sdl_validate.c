/*
 * Validation of SDL: the list of rules, and the walk that calls them.
 *
 * The walk goes through every node in graphql-js's order, executable
 * definitions included (validateSDL() looks at those too).  Its recursion is
 * bounded by the depth of the document, which the parser has limited.
 */

#include "graphql/validate/sdl_rules.h"
#include "graphql/validate/validate.h"


/* specifiedSDLRules of graphql-js, in its order */
static const gql_sdl_rule_t  gql_sdl_rules[] = {

    { .name = prompt_str_init("LoneSchemaDefinitionRule"),
      .enter = gql_sdl_lone_schema_definition },

    { .name = prompt_str_init("UniqueOperationTypesRule"),
      .enter = gql_sdl_unique_operation_types },

    { .name = prompt_str_init("UniqueTypeNamesRule"),
      .enter = gql_sdl_unique_type_names },

    { .name = prompt_str_init("UniqueEnumValueNamesRule"),
      .enter = gql_sdl_unique_enum_value_names },

    { .name = prompt_str_init("UniqueFieldDefinitionNamesRule"),
      .enter = gql_sdl_unique_field_definition_names },

    { .name = prompt_str_init("UniqueArgumentDefinitionNamesRule"),
      .enter = gql_sdl_unique_argument_definition_names },

    { .name = prompt_str_init("UniqueDirectiveNamesRule"),
      .enter = gql_sdl_unique_directive_names },

    { .name = prompt_str_init("KnownTypeNamesRule"),
      .named_type = gql_sdl_known_type_names },

    { .name = prompt_str_init("KnownDirectivesRule"),
      .directive = gql_sdl_known_directives },

    { .name = prompt_str_init("UniqueDirectivesPerLocationRule"),
      .enter = gql_sdl_unique_directives_per_location },

    { .name = prompt_str_init("PossibleTypeExtensionsRule"),
      .enter = gql_sdl_possible_type_extensions },

    { .name = prompt_str_init("KnownArgumentNamesOnDirectivesRule"),
      .directive = gql_sdl_known_argument_names_on_directives },

    { .name = prompt_str_init("UniqueArgumentNamesRule"),
      .enter = gql_sdl_unique_argument_names,
      .directive = gql_sdl_unique_directive_argument_names },

    { .name = prompt_str_init("UniqueInputFieldNamesRule"),
      .object_field = gql_sdl_unique_input_field_names },

    { .name = prompt_str_init("ProvidedRequiredArgumentsOnDirectivesRule"),
      .directive_leave = gql_sdl_provided_required_arguments_on_directives }
};

#define GQL_SDL_RULES  (sizeof(gql_sdl_rules) / sizeof(gql_sdl_rules[0]))


typedef struct {
    gql_sdl_t              sdl;
    const gql_sdl_rule_t  *rules[GQL_SDL_RULES];   /* those that are wanted */
    size_t                 nrules;
} gql_sdl_walk_t;


static void gql_sdl_walk_selections(gql_sdl_walk_t *walk,
    const gql_selection_set_t *set);


static void
gql_sdl_walk_enter(gql_sdl_walk_t *walk, const gql_node_t *node,
    const gql_list_t *directives)
{
    size_t  i;

    for (i = 0; i < walk->nrules; i++) {
        if (walk->rules[i]->enter != NULL) {
            walk->rules[i]->enter(&walk->sdl, node, directives);
        }
    }
}


static void
gql_sdl_walk_type(gql_sdl_walk_t *walk, const gql_type_node_t *node)
{
    size_t  i;

    if (node == NULL) {
        return;
    }

    while (node->node.kind != GQL_NAMED_TYPE) {
        node = node->of;
    }

    for (i = 0; i < walk->nrules; i++) {
        if (walk->rules[i]->named_type != NULL) {
            walk->rules[i]->named_type(&walk->sdl, node);
        }
    }
}


static void
gql_sdl_walk_types(gql_sdl_walk_t *walk, const gql_list_t *types)
{
    const gql_type_node_t  *type;

    gql_list_each (type, types) {
        gql_sdl_walk_type(walk, type);
    }
}


static void
gql_sdl_walk_value(gql_sdl_walk_t *walk, const gql_value_t *value)
{
    size_t                     i;
    gql_table_t               *known;
    const gql_value_t         *item;
    const gql_object_field_t  *field;

    if (value == NULL) {
        return;
    }

    if (value->node.kind == GQL_LIST) {
        gql_list_each (item, &value->items) {
            gql_sdl_walk_value(walk, item);
        }
    }

    if (value->node.kind != GQL_OBJECT) {
        return;
    }

    known = NULL;

    gql_list_each (field, &value->items) {

        for (i = 0; i < walk->nrules; i++) {
            if (walk->rules[i]->object_field != NULL) {
                walk->rules[i]->object_field(&walk->sdl, &known, field);
            }
        }

        gql_sdl_walk_value(walk, field->value);
    }
}


static void
gql_sdl_walk_arguments(gql_sdl_walk_t *walk, const gql_list_t *arguments)
{
    const gql_argument_t  *argument;

    gql_list_each (argument, arguments) {
        gql_sdl_walk_value(walk, argument->value);
    }
}


static void
gql_sdl_walk_directives(gql_sdl_walk_t *walk, const gql_list_t *directives,
    gql_directive_location_t location)
{
    size_t                  i;
    const gql_directive_t  *directive;

    gql_list_each (directive, directives) {

        for (i = 0; i < walk->nrules; i++) {
            if (walk->rules[i]->directive != NULL) {
                walk->rules[i]->directive(&walk->sdl, directive, location);
            }
        }

        gql_sdl_walk_arguments(walk, &directive->arguments);

        for (i = 0; i < walk->nrules; i++) {
            if (walk->rules[i]->directive_leave != NULL) {
                walk->rules[i]->directive_leave(&walk->sdl, directive,
                                                location);
            }
        }
    }
}


static void
gql_sdl_walk_input_values(gql_sdl_walk_t *walk, const gql_list_t *values,
    gql_directive_location_t location)
{
    const gql_input_value_definition_t  *value;

    gql_list_each (value, values) {
        gql_sdl_walk_enter(walk, &value->node, &value->directives);
        gql_sdl_walk_type(walk, value->type);
        gql_sdl_walk_value(walk, value->default_value);
        gql_sdl_walk_directives(walk, &value->directives, location);
    }
}


static void
gql_sdl_walk_fields(gql_sdl_walk_t *walk, const gql_list_t *fields)
{
    const gql_field_definition_t  *field;

    gql_list_each (field, fields) {
        gql_sdl_walk_enter(walk, &field->node, &field->directives);
        gql_sdl_walk_input_values(walk, &field->arguments,
                                  GQL_ON_ARGUMENT_DEFINITION);
        gql_sdl_walk_type(walk, field->type);
        gql_sdl_walk_directives(walk, &field->directives,
                                GQL_ON_FIELD_DEFINITION);
    }
}


static void
gql_sdl_walk_enum_values(gql_sdl_walk_t *walk, const gql_list_t *values)
{
    const gql_enum_value_definition_t  *value;

    gql_list_each (value, values) {
        gql_sdl_walk_enter(walk, &value->node, &value->directives);
        gql_sdl_walk_directives(walk, &value->directives, GQL_ON_ENUM_VALUE);
    }
}


/* A definition or an extension of a type. */
static void
gql_sdl_walk_type_definition(gql_sdl_walk_t *walk,
    const gql_type_definition_t *definition)
{
    gql_directive_location_t  location;

    gql_sdl_walk_enter(walk, &definition->node, &definition->directives);
    gql_sdl_walk_types(walk, &definition->interfaces);

    switch (definition->node.kind) {

    case GQL_OBJECT_TYPE_DEFINITION:
    case GQL_OBJECT_TYPE_EXTENSION:
        location = GQL_ON_OBJECT;
        break;

    case GQL_INTERFACE_TYPE_DEFINITION:
    case GQL_INTERFACE_TYPE_EXTENSION:
        location = GQL_ON_INTERFACE;
        break;

    case GQL_UNION_TYPE_DEFINITION:
    case GQL_UNION_TYPE_EXTENSION:
        location = GQL_ON_UNION;
        break;

    case GQL_ENUM_TYPE_DEFINITION:
    case GQL_ENUM_TYPE_EXTENSION:
        location = GQL_ON_ENUM;
        break;

    case GQL_INPUT_OBJECT_TYPE_DEFINITION:
    case GQL_INPUT_OBJECT_TYPE_EXTENSION:
        location = GQL_ON_INPUT_OBJECT;
        break;

    default:
        location = GQL_ON_SCALAR;
        break;
    }

    gql_sdl_walk_directives(walk, &definition->directives, location);

    switch (definition->node.kind) {

    case GQL_INPUT_OBJECT_TYPE_DEFINITION:
        gql_sdl_walk_input_values(walk, &definition->fields,
                                  GQL_ON_INPUT_FIELD_DEFINITION);
        break;

    case GQL_INPUT_OBJECT_TYPE_EXTENSION:

        /* graphql-js takes the fields of an extension for arguments */

        gql_sdl_walk_input_values(walk, &definition->fields,
                                  GQL_ON_ARGUMENT_DEFINITION);
        break;

    default:
        gql_sdl_walk_fields(walk, &definition->fields);
        gql_sdl_walk_types(walk, &definition->types);
        gql_sdl_walk_enum_values(walk, &definition->values);
        break;
    }
}


static void
gql_sdl_walk_schema(gql_sdl_walk_t *walk,
    const gql_schema_definition_t *schema)
{
    const gql_operation_type_definition_t  *operation;

    gql_sdl_walk_enter(walk, &schema->node, &schema->directives);
    gql_sdl_walk_directives(walk, &schema->directives, GQL_ON_SCHEMA);

    gql_list_each (operation, &schema->operation_types) {
        gql_sdl_walk_type(walk, operation->type);
    }
}


static void
gql_sdl_walk_selection(gql_sdl_walk_t *walk, const gql_node_t *node)
{
    const gql_field_t            *field;
    const gql_inline_fragment_t  *inline_fragment;
    const gql_fragment_spread_t  *spread;

    switch (node->kind) {

    case GQL_FIELD:
        field = (const gql_field_t *) node;
        gql_sdl_walk_enter(walk, node, &field->directives);
        gql_sdl_walk_arguments(walk, &field->arguments);
        gql_sdl_walk_directives(walk, &field->directives, GQL_ON_FIELD);
        gql_sdl_walk_selections(walk, field->selection_set);
        break;

    case GQL_FRAGMENT_SPREAD:
        spread = (const gql_fragment_spread_t *) node;
        gql_sdl_walk_enter(walk, node, &spread->directives);
        gql_sdl_walk_directives(walk, &spread->directives,
                                GQL_ON_FRAGMENT_SPREAD);
        break;

    case GQL_INLINE_FRAGMENT:
        inline_fragment = (const gql_inline_fragment_t *) node;
        gql_sdl_walk_enter(walk, node, &inline_fragment->directives);
        gql_sdl_walk_type(walk, inline_fragment->type_condition);
        gql_sdl_walk_directives(walk, &inline_fragment->directives,
                                GQL_ON_INLINE_FRAGMENT);
        gql_sdl_walk_selections(walk, inline_fragment->selection_set);
        break;

    default:
        break;
    }
}


static void
gql_sdl_walk_selections(gql_sdl_walk_t *walk, const gql_selection_set_t *set)
{
    const gql_node_t  *node;

    if (set == NULL) {
        return;
    }

    gql_list_each (node, &set->selections) {
        gql_sdl_walk_selection(walk, node);
    }
}


static void
gql_sdl_walk_variables(gql_sdl_walk_t *walk, const gql_list_t *variables)
{
    const gql_variable_definition_t  *variable;

    gql_list_each (variable, variables) {
        gql_sdl_walk_enter(walk, &variable->node, &variable->directives);
        gql_sdl_walk_type(walk, variable->type);
        gql_sdl_walk_value(walk, variable->default_value);
        gql_sdl_walk_directives(walk, &variable->directives,
                                GQL_ON_VARIABLE_DEFINITION);
    }
}


static void
gql_sdl_walk_operation(gql_sdl_walk_t *walk,
    const gql_operation_definition_t *operation)
{
    static const gql_directive_location_t  locations[] = {
        GQL_ON_QUERY, GQL_ON_MUTATION, GQL_ON_SUBSCRIPTION
    };

    gql_sdl_walk_enter(walk, &operation->node, &operation->directives);
    gql_sdl_walk_variables(walk, &operation->variables);
    gql_sdl_walk_directives(walk, &operation->directives,
                            locations[operation->operation]);
    gql_sdl_walk_selections(walk, operation->selection_set);
}


static void
gql_sdl_walk_fragment(gql_sdl_walk_t *walk,
    const gql_fragment_definition_t *fragment)
{
    gql_sdl_walk_enter(walk, &fragment->node, &fragment->directives);
    gql_sdl_walk_type(walk, fragment->type_condition);
    gql_sdl_walk_directives(walk, &fragment->directives,
                            GQL_ON_FRAGMENT_DEFINITION);
    gql_sdl_walk_selections(walk, fragment->selection_set);
}


static void
gql_sdl_walk_definition(gql_sdl_walk_t *walk, const gql_node_t *node)
{
    const gql_directive_definition_t  *directive;

    walk->sdl.type_system = node->kind != GQL_OPERATION_DEFINITION
                            && node->kind != GQL_FRAGMENT_DEFINITION;

    switch (node->kind) {

    case GQL_OPERATION_DEFINITION:
        gql_sdl_walk_operation(walk,
                               (const gql_operation_definition_t *) node);
        break;

    case GQL_FRAGMENT_DEFINITION:
        gql_sdl_walk_fragment(walk, (const gql_fragment_definition_t *) node);
        break;

    case GQL_SCHEMA_DEFINITION:
    case GQL_SCHEMA_EXTENSION:
        gql_sdl_walk_schema(walk, (const gql_schema_definition_t *) node);
        break;

    case GQL_DIRECTIVE_DEFINITION:
        directive = (const gql_directive_definition_t *) node;
        gql_sdl_walk_enter(walk, node, NULL);
        gql_sdl_walk_input_values(walk, &directive->arguments,
                                  GQL_ON_ARGUMENT_DEFINITION);
        break;

    default:
        gql_sdl_walk_type_definition(walk,
                                     (const gql_type_definition_t *) node);
        break;
    }
}


/* Runs walk->rules; directives are those known beside the document's own. */
static void
gql_sdl_run(gql_sdl_walk_t *walk, prompt_arena_t *scratch,
    const gql_document_t *document, const gql_schema_t *base,
    gql_directive_def_t *const *directives, uint32_t ndirectives,
    gql_errors_t *errors)
{
    const gql_node_t  *node;

    walk->sdl.arena = scratch;
    walk->sdl.document = document;
    walk->sdl.base = base;
    walk->sdl.errors = errors;

    if (!gql_sdl_collect(&walk->sdl, directives, ndirectives)) {
        return;
    }

    gql_list_each (node, &document->definitions) {

        if (errors->nomem || errors->full) {
            return;
        }

        gql_sdl_walk_definition(walk, node);
    }
}


static void
gql_sdl_walk_all_rules(gql_sdl_walk_t *walk)
{
    memset(walk, 0, sizeof(gql_sdl_walk_t));

    while (walk->nrules < GQL_SDL_RULES) {
        walk->rules[walk->nrules] = &gql_sdl_rules[walk->nrules];
        walk->nrules++;
    }
}


static const gql_sdl_rule_t *
gql_sdl_rule(prompt_str_t name)
{
    size_t  i;

    for (i = 0; i < GQL_SDL_RULES; i++) {
        if (prompt_str_eq(gql_sdl_rules[i].name, name)) {
            return &gql_sdl_rules[i];
        }
    }

    return NULL;
}


static bool
gql_sdl_walk_has(const gql_sdl_walk_t *walk, const gql_sdl_rule_t *rule)
{
    size_t  i;

    for (i = 0; i < walk->nrules; i++) {
        if (walk->rules[i] == rule) {
            return true;
        }
    }

    return false;
}


bool
gql_validate_sdl(prompt_arena_t *scratch, const gql_schema_t *schema,
    const gql_document_t *document, const prompt_str_t *rules, size_t nrules,
    gql_errors_t *errors)
{
    size_t                 i;
    gql_sdl_walk_t         walk;
    const gql_sdl_rule_t  *rule;

    memset(&walk, 0, sizeof(gql_sdl_walk_t));

    if (rules == NULL) {
        gql_sdl_walk_all_rules(&walk);
        nrules = 0;
    }

    for (i = 0; i < nrules; i++) {
        rule = gql_sdl_rule(rules[i]);
        if (rule == NULL) {
            return false;
        }

        if (!gql_sdl_walk_has(&walk, rule)) {
            walk.rules[walk.nrules++] = rule;
        }
    }

    gql_sdl_run(&walk, scratch, document,
                schema->ntypes != 0 ? schema : NULL, schema->directives,
                schema->ndirectives, errors);

    return true;
}
