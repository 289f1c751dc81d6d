/*
 * Visit: one walk over a document, which knows the types it passes through.
 * See visit.h.
 *
 * Recursion goes down the tree only, and is counted.  What TypeInfo pushes and
 * pops on stacks of its own is saved in the frames of that recursion.
 */

#include "graphql/validate/visit.h"


static void gql_visit_list(gql_visitor_t *visitor, const gql_list_t *list);
static void gql_visit_optional(gql_visitor_t *visitor, const void *node);
static void gql_visit_executable(gql_visitor_t *visitor,
    const gql_node_t *node);
static void gql_visit_value(gql_visitor_t *visitor, const gql_node_t *node);
static void gql_visit_type_system(gql_visitor_t *visitor,
    const gql_node_t *node);
static void gql_visit_type_definition(gql_visitor_t *visitor,
    const gql_type_definition_t *def);
static void gql_visit_know(gql_visitor_t *visitor, const gql_node_t *node);
static void gql_visit_know_field(gql_visitor_t *visitor,
    const gql_field_t *field);
static void gql_visit_know_condition(gql_visitor_t *visitor,
    const gql_type_node_t *condition);
static void gql_visit_know_argument(gql_visitor_t *visitor,
    const gql_argument_t *argument);
static void gql_visit_know_input(gql_visitor_t *visitor,
    const gql_node_t *node);
static void gql_visit_push_input(gql_visitor_t *visitor,
    const gql_type_ref_t *type, const gql_input_value_t *def);


void
gql_visit(gql_visitor_t *visitor, const gql_node_t *node)
{
    gql_type_info_t           saved;
    gql_visit_frame_t         frame;
    const gql_visit_frame_t  *above;

    if (visitor->stopped) {
        return;
    }

    if (visitor->depth >= GQL_VISIT_MAX_DEPTH) {
        visitor->too_deep = true;
        visitor->stopped = true;
        return;
    }

    saved = visitor->info;
    above = visitor->frame;

    frame.node = node;
    frame.parent = above;
    visitor->frame = &frame;
    visitor->depth++;

    gql_visit_know(visitor, node);

    if (visitor->enter(visitor, node)) {
        if (node->kind < GQL_VARIABLE || node->kind == GQL_DIRECTIVE) {
            gql_visit_executable(visitor, node);

        } else if (node->kind < GQL_SCHEMA_DEFINITION) {
            gql_visit_value(visitor, node);

        } else {
            gql_visit_type_system(visitor, node);
        }

        if (!visitor->stopped && visitor->leave != NULL) {
            visitor->leave(visitor, node);
        }
    }

    visitor->depth--;
    visitor->frame = above;
    visitor->info = saved;
}


static void
gql_visit_list(gql_visitor_t *visitor, const gql_list_t *list)
{
    const gql_node_t  *node;

    gql_list_each(node, list) {
        gql_visit(visitor, node);
    }
}


static void
gql_visit_optional(gql_visitor_t *visitor, const void *node)
{
    if (node != NULL) {
        gql_visit(visitor, node);
    }
}


/* documents, operations, fragments, selections, arguments and directives */
static void
gql_visit_executable(gql_visitor_t *visitor, const gql_node_t *node)
{
    const gql_field_t                 *field;
    const gql_inline_fragment_t       *inlined;
    const gql_fragment_definition_t   *fragment;
    const gql_variable_definition_t   *variable;
    const gql_operation_definition_t  *operation;

    switch (node->kind) {

    case GQL_DOCUMENT:
        gql_visit_list(visitor, &((const gql_document_t *) node)->definitions);
        break;

    case GQL_OPERATION_DEFINITION:
        operation = (const gql_operation_definition_t *) node;
        gql_visit_list(visitor, &operation->variables);
        gql_visit_list(visitor, &operation->directives);
        gql_visit_optional(visitor, operation->selection_set);
        break;

    case GQL_VARIABLE_DEFINITION:
        variable = (const gql_variable_definition_t *) node;
        gql_visit_optional(visitor, variable->variable);
        gql_visit_optional(visitor, variable->type);
        gql_visit_optional(visitor, variable->default_value);
        gql_visit_list(visitor, &variable->directives);
        break;

    case GQL_SELECTION_SET:
        gql_visit_list(visitor,
                       &((const gql_selection_set_t *) node)->selections);
        break;

    case GQL_FIELD:
        field = (const gql_field_t *) node;
        gql_visit_list(visitor, &field->arguments);
        gql_visit_list(visitor, &field->directives);
        gql_visit_optional(visitor, field->selection_set);
        break;

    case GQL_ARGUMENT:
        gql_visit_optional(visitor, ((const gql_argument_t *) node)->value);
        break;

    case GQL_FRAGMENT_SPREAD:
        gql_visit_list(visitor,
                       &((const gql_fragment_spread_t *) node)->directives);
        break;

    case GQL_INLINE_FRAGMENT:
        inlined = (const gql_inline_fragment_t *) node;
        gql_visit_optional(visitor, inlined->type_condition);
        gql_visit_list(visitor, &inlined->directives);
        gql_visit_optional(visitor, inlined->selection_set);
        break;

    case GQL_FRAGMENT_DEFINITION:
        fragment = (const gql_fragment_definition_t *) node;
        gql_visit_optional(visitor, fragment->type_condition);
        gql_visit_list(visitor, &fragment->directives);
        gql_visit_optional(visitor, fragment->selection_set);
        break;

    case GQL_DIRECTIVE:
        gql_visit_list(visitor, &((const gql_directive_t *) node)->arguments);
        break;

    default:
        break;
    }
}


/* values and types */
static void
gql_visit_value(gql_visitor_t *visitor, const gql_node_t *node)
{
    switch (node->kind) {

    case GQL_LIST:
    case GQL_OBJECT:
        gql_visit_list(visitor, &((const gql_value_t *) node)->items);
        break;

    case GQL_OBJECT_FIELD:
        gql_visit_optional(visitor,
                           ((const gql_object_field_t *) node)->value);
        break;

    case GQL_LIST_TYPE:
    case GQL_NON_NULL_TYPE:
        gql_visit_optional(visitor, ((const gql_type_node_t *) node)->of);
        break;

    default:
        break;
    }
}


static void
gql_visit_type_system(gql_visitor_t *visitor, const gql_node_t *node)
{
    const gql_field_definition_t        *field;
    const gql_schema_definition_t       *schema;
    const gql_input_value_definition_t  *input;

    switch (node->kind) {

    case GQL_SCHEMA_DEFINITION:
    case GQL_SCHEMA_EXTENSION:
        schema = (const gql_schema_definition_t *) node;
        gql_visit_list(visitor, &schema->directives);
        gql_visit_list(visitor, &schema->operation_types);
        break;

    case GQL_OPERATION_TYPE_DEFINITION:
        gql_visit_optional(visitor,
                     ((const gql_operation_type_definition_t *) node)->type);
        break;

    case GQL_FIELD_DEFINITION:
        field = (const gql_field_definition_t *) node;
        gql_visit_list(visitor, &field->arguments);
        gql_visit_optional(visitor, field->type);
        gql_visit_list(visitor, &field->directives);
        break;

    case GQL_INPUT_VALUE_DEFINITION:
        input = (const gql_input_value_definition_t *) node;
        gql_visit_optional(visitor, input->type);
        gql_visit_optional(visitor, input->default_value);
        gql_visit_list(visitor, &input->directives);
        break;

    case GQL_ENUM_VALUE_DEFINITION:
        gql_visit_list(visitor,
                       &((const gql_enum_value_definition_t *) node)
                                                               ->directives);
        break;

    case GQL_DIRECTIVE_DEFINITION:
        gql_visit_list(visitor,
                       &((const gql_directive_definition_t *) node)
                                                               ->arguments);
        break;

    default:
        gql_visit_type_definition(visitor,
                                  (const gql_type_definition_t *) node);
        break;
    }
}


/* what a kind does not have is empty */
static void
gql_visit_type_definition(gql_visitor_t *visitor,
    const gql_type_definition_t *def)
{
    gql_visit_list(visitor, &def->interfaces);
    gql_visit_list(visitor, &def->directives);
    gql_visit_list(visitor, &def->fields);
    gql_visit_list(visitor, &def->types);
    gql_visit_list(visitor, &def->values);
}


/* graphql-js's TypeInfo.enter() */
static void
gql_visit_know(gql_visitor_t *visitor, const gql_node_t *node)
{
    const gql_type_t  *type;
    gql_type_info_t   *info;

    info = &visitor->info;

    switch (node->kind) {

    case GQL_SELECTION_SET:
        type = gql_ref_named_or_null(info->type);
        info->parent_type = type != NULL && gql_type_is_composite(type)
                            ? type : NULL;
        break;

    case GQL_FIELD:
        gql_visit_know_field(visitor, (const gql_field_t *) node);
        break;

    case GQL_DIRECTIVE:
        info->directive = gql_schema_directive(visitor->schema,
                             ((const gql_directive_t *) node)->name->value);
        break;

    case GQL_OPERATION_DEFINITION:
        type = gql_schema_root(visitor->schema,
                   ((const gql_operation_definition_t *) node)->operation);
        info->type = type != NULL ? &type->ref : NULL;
        break;

    case GQL_INLINE_FRAGMENT:
        gql_visit_know_condition(visitor,
                     ((const gql_inline_fragment_t *) node)->type_condition);
        break;

    case GQL_FRAGMENT_DEFINITION:
        gql_visit_know_condition(visitor,
                 ((const gql_fragment_definition_t *) node)->type_condition);
        break;

    case GQL_ARGUMENT:
        gql_visit_know_argument(visitor, (const gql_argument_t *) node);
        break;

    case GQL_VARIABLE_DEFINITION:
    case GQL_LIST:
    case GQL_OBJECT_FIELD:
    case GQL_ENUM:
        gql_visit_know_input(visitor, node);
        break;

    default:
        break;
    }
}


static void
gql_visit_know_field(gql_visitor_t *visitor, const gql_field_t *field)
{
    gql_type_info_t  *info;

    info = &visitor->info;
    info->field_def = NULL;

    if (info->parent_type != NULL) {
        info->field_def = gql_schema_field(visitor->schema, info->parent_type,
                                           field->name->value);
    }

    info->type = info->field_def != NULL ? info->field_def->type : NULL;
}


static void
gql_visit_know_condition(gql_visitor_t *visitor,
    const gql_type_node_t *condition)
{
    const gql_type_t  *type;

    if (condition != NULL) {
        type = gql_schema_type(visitor->schema, condition->name->value);

    } else {
        type = gql_ref_named_or_null(visitor->info.type);
    }

    if (type != NULL && type->kind == GQL_TYPE_INPUT_OBJECT) {
        type = NULL;
    }

    visitor->info.type = type != NULL ? &type->ref : NULL;
}


static void
gql_visit_know_argument(gql_visitor_t *visitor,
    const gql_argument_t *argument)
{
    uint32_t                  i, nargs;
    gql_type_info_t          *info;
    const gql_input_value_t  *args, *def;

    info = &visitor->info;
    args = NULL;
    nargs = 0;
    def = NULL;

    if (info->directive != NULL) {
        args = info->directive->args;
        nargs = info->directive->nargs;

    } else if (info->field_def != NULL) {
        args = info->field_def->args;
        nargs = info->field_def->nargs;
    }

    for (i = 0; i < nargs; i++) {
        if (prompt_str_eq(args[i].name, argument->name->value)) {
            def = &args[i];
            break;
        }
    }

    info->argument = def;
    gql_visit_push_input(visitor, def != NULL ? def->type : NULL, def);
}


static void
gql_visit_know_input(gql_visitor_t *visitor, const gql_node_t *node)
{
    const gql_type_t                 *type;
    const gql_type_ref_t             *ref;
    const gql_input_value_t          *def;
    const gql_variable_definition_t  *variable;

    switch (node->kind) {

    case GQL_VARIABLE_DEFINITION:
        variable = (const gql_variable_definition_t *) node;
        ref = NULL;

        /* the type is asked for by values only, and costs memory */
        if (variable->default_value != NULL) {
            ref = gql_schema_type_from_ast(visitor->schema, visitor->arena,
                                           variable->type);
            if (ref != NULL && !gql_type_is_input(gql_ref_named(ref))) {
                ref = NULL;
            }
        }

        gql_visit_push_input(visitor, ref, NULL);
        break;

    case GQL_LIST:
        ref = gql_ref_nullable(visitor->info.input_type);
        if (ref != NULL && ref->kind == GQL_REF_LIST) {
            ref = ref->of;
        }

        gql_visit_push_input(visitor, ref, NULL);
        break;

    case GQL_OBJECT_FIELD:
        type = gql_ref_named_or_null(visitor->info.input_type);
        def = NULL;

        if (type != NULL && type->kind == GQL_TYPE_INPUT_OBJECT) {
            def = gql_type_input_field(type,
                         ((const gql_object_field_t *) node)->name->value);
        }

        gql_visit_push_input(visitor, def != NULL ? def->type : NULL, def);
        break;

    default: /* GQL_ENUM */
        type = gql_ref_named_or_null(visitor->info.input_type);
        visitor->info.enum_value = NULL;

        if (type != NULL && type->kind == GQL_TYPE_ENUM) {
            visitor->info.enum_value = gql_type_enum_value(type,
                                       ((const gql_value_t *) node)->text);
        }

        break;
    }
}


static void
gql_visit_push_input(gql_visitor_t *visitor, const gql_type_ref_t *type,
    const gql_input_value_t *def)
{
    visitor->info.parent_input_type = visitor->info.input_type;
    visitor->info.input_type = type;
    visitor->info.input_def = def;
}
