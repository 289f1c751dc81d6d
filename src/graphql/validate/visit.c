/*
 * Visit: one walk over a document, which knows the types it passes through.
 * See visit_impl.h.
 *
 * Recursion goes down the tree only, and is counted.  What TypeInfo pushes and
 * pops on stacks of its own is saved in the frames of that recursion.
 */

#include <stddef.h>

#include "graphql/validate/visit_impl.h"


/*
 * Where a node has its members: lists, and single nodes, which are lists of
 * one.  Both begin with a pointer to a node, so that an offset is all.
 */
_Static_assert(offsetof(gql_list_t, first) == 0, "a list begins with a node");

#define GQL_MEMBERS_MAX  4


/* graphql-js's QueryDocumentKeys; behind the last member stands 0 */
static const uint16_t
    gql_visit_members[GQL_KIND_COUNT][GQL_MEMBERS_MAX + 1] =
{
    [GQL_DOCUMENT] = { offsetof(gql_document_t, definitions) },

    [GQL_OPERATION_DEFINITION] = {
        offsetof(gql_operation_definition_t, variables),
        offsetof(gql_operation_definition_t, directives),
        offsetof(gql_operation_definition_t, selection_set) },

    [GQL_VARIABLE_DEFINITION] = {
        offsetof(gql_variable_definition_t, variable),
        offsetof(gql_variable_definition_t, type),
        offsetof(gql_variable_definition_t, default_value),
        offsetof(gql_variable_definition_t, directives) },

    [GQL_SELECTION_SET] = { offsetof(gql_selection_set_t, selections) },

    [GQL_FIELD] = {
        offsetof(gql_field_t, arguments),
        offsetof(gql_field_t, directives),
        offsetof(gql_field_t, selection_set) },

    [GQL_ARGUMENT] = { offsetof(gql_argument_t, value) },

    [GQL_FRAGMENT_SPREAD] = { offsetof(gql_fragment_spread_t, directives) },

    [GQL_INLINE_FRAGMENT] = {
        offsetof(gql_inline_fragment_t, type_condition),
        offsetof(gql_inline_fragment_t, directives),
        offsetof(gql_inline_fragment_t, selection_set) },

    [GQL_FRAGMENT_DEFINITION] = {
        offsetof(gql_fragment_definition_t, type_condition),
        offsetof(gql_fragment_definition_t, directives),
        offsetof(gql_fragment_definition_t, selection_set) },

    [GQL_LIST] = { offsetof(gql_value_t, items) },
    [GQL_OBJECT] = { offsetof(gql_value_t, items) },
    [GQL_OBJECT_FIELD] = { offsetof(gql_object_field_t, value) },

    [GQL_DIRECTIVE] = { offsetof(gql_directive_t, arguments) },

    [GQL_LIST_TYPE] = { offsetof(gql_type_node_t, of) },
    [GQL_NON_NULL_TYPE] = { offsetof(gql_type_node_t, of) },
};


/* nodes that change what is known, for themselves and what is below them */
#define GQL_KNOWN                                                            \
    (gql_kind_bit(GQL_OPERATION_DEFINITION)                                  \
     | gql_kind_bit(GQL_VARIABLE_DEFINITION)                                 \
     | gql_kind_bit(GQL_SELECTION_SET)                                       \
     | gql_kind_bit(GQL_FIELD)                                               \
     | gql_kind_bit(GQL_ARGUMENT)                                            \
     | gql_kind_bit(GQL_INLINE_FRAGMENT)                                     \
     | gql_kind_bit(GQL_FRAGMENT_DEFINITION)                                 \
     | gql_kind_bit(GQL_ENUM)                                                \
     | gql_kind_bit(GQL_LIST)                                                \
     | gql_kind_bit(GQL_OBJECT_FIELD)                                        \
     | gql_kind_bit(GQL_DIRECTIVE))


static void gql_visit_know(gql_visitor_t *visitor, const gql_node_t *node);
static void gql_visit_know_field(gql_visitor_t *visitor,
    const gql_field_t *field);
static void gql_visit_know_condition(gql_visitor_t *visitor,
    const gql_type_node_t *condition);
static void gql_visit_know_argument(gql_visitor_t *visitor,
    const gql_argument_t *argument);
static void gql_visit_know_variable(gql_visitor_t *visitor,
    const gql_variable_definition_t *variable);
static void gql_visit_know_input(gql_visitor_t *visitor,
    const gql_node_t *node);
static void gql_visit_push_input(gql_visitor_t *visitor,
    const gql_type_ref_t *type, const gql_input_value_t *def);


void
gql_visit(gql_visitor_t *visitor, const gql_node_t *node)
{
    bool                      known;
    const uint16_t           *member;
    gql_type_info_t           saved;
    const gql_node_t         *child;
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

    above = visitor->frame;

    frame.node = node;
    frame.parent = above;
    visitor->frame = &frame;
    visitor->depth++;

    known = gql_kind_is(node->kind, GQL_KNOWN);

    if (known) {
        saved = visitor->info;
        gql_visit_know(visitor, node);
    }

    if (visitor->enter(visitor, node)) {

        for (member = gql_visit_members[node->kind]; *member != 0; member++) {
            child = *(gql_node_t *const *) ((const char *) node + *member);

            for ( /* void */ ; child != NULL; child = child->next) {
                gql_visit(visitor, child);
            }
        }

        if (!visitor->stopped && visitor->leave != NULL) {
            visitor->leave(visitor, node);
        }
    }

    if (known) {
        visitor->info = saved;
    }

    visitor->depth--;
    visitor->frame = above;
}


const gql_input_value_t *
gql_argument_def(const gql_input_value_t *args, uint32_t nargs,
    prompt_str_t name)
{
    uint32_t  i;

    for (i = 0; i < nargs; i++) {
        if (prompt_str_eq(args[i].name, name)) {
            return &args[i];
        }
    }

    return NULL;
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
        gql_visit_know_variable(visitor,
                                (const gql_variable_definition_t *) node);
        break;

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
    gql_type_info_t          *info;
    const gql_input_value_t  *def;

    info = &visitor->info;
    def = NULL;

    if (info->directive != NULL) {
        def = gql_argument_def(info->directive->args, info->directive->nargs,
                               argument->name->value);

    } else if (info->field_def != NULL) {
        def = gql_argument_def(info->field_def->args, info->field_def->nargs,
                               argument->name->value);
    }

    info->argument = def;
    gql_visit_push_input(visitor, def != NULL ? def->type : NULL, def);
}


static void
gql_visit_know_variable(gql_visitor_t *visitor,
    const gql_variable_definition_t *variable)
{
    const gql_type_ref_t  *ref;

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
}


static void
gql_visit_know_input(gql_visitor_t *visitor, const gql_node_t *node)
{
    const gql_type_t         *type;
    const gql_type_ref_t     *ref;
    const gql_input_value_t  *def;

    switch (node->kind) {

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
