/*
 * Type validation: whether the types of a schema are sound in themselves
 * (specification, section 3, "Type Validation"), in the order and words of
 * graphql-js's validateSchema().  Interfaces have a file of their own.
 */

#include "graphql/types/schema_validate_impl.h"


void
gql_schema_error_at(gql_schema_check_t *check, gql_error_t *error,
    const void *node)
{
    if (node != NULL) {
        gql_error_at(check->errors, error,
                     ((const gql_node_t *) node)->start);
    }
}


/* At a type's definition and its extensions. */
void
gql_schema_error_at_type(gql_schema_check_t *check, gql_error_t *error,
    const gql_type_t *type)
{
    uint32_t  i;

    gql_schema_error_at(check, error, type->ast);

    for (i = 0; i < type->nextensions; i++) {
        gql_schema_error_at(check, error, type->extensions[i]);
    }
}


bool
gql_schema_is_required(const gql_input_value_t *value)
{
    return value->type->kind == GQL_REF_NON_NULL
           && value->default_coerced == NULL;
}


/* @deprecated on an argument or input field, and the type it stands with. */
static void
gql_schema_error_at_deprecated(gql_schema_check_t *check, gql_error_t *error,
    const gql_input_value_t *value)
{
    const gql_directive_t  *directive;

    if (value->ast == NULL) {
        return;
    }

    gql_list_each (directive, &value->ast->directives) {
        if (prompt_str_eq(directive->name->value, prompt_str("deprecated"))) {
            gql_schema_error_at(check, error, directive);
            break;
        }
    }

    gql_schema_error_at(check, error, value->ast->type);
}


/* The type of an argument or input field; NULL where it is built in. */
static const gql_type_node_t *
gql_schema_value_type(const gql_input_value_t *value)
{
    return value->ast != NULL ? value->ast->type : NULL;
}


static void
gql_schema_check_name(gql_schema_check_t *check, prompt_str_t name,
    const void *node)
{
    gql_error_t  *error;

    if (name.len < 2 || name.data[0] != '_' || name.data[1] != '_') {
        return;
    }

    error = gql_errors_add(check->errors, "Name \"%.*s\" must not begin with "
                           "\"__\", which is reserved by GraphQL "
                           "introspection.", prompt_str_arg(name));
    gql_schema_error_at(check, error, node);
}


/* The first operation type node of an operation, in definition order. */
static const gql_type_node_t *
gql_schema_operation_node(const gql_schema_t *schema,
    gql_operation_type_t operation)
{
    uint32_t                                i;
    const gql_schema_definition_t          *node;
    const gql_operation_type_definition_t  *item;

    for (i = 0; i <= schema->nextensions; i++) {
        node = i == 0 ? schema->ast : schema->extensions[i - 1];

        if (node == NULL) {
            continue;
        }

        gql_list_each (item, &node->operation_types) {
            if (item->operation == operation) {
                return item->type;
            }
        }
    }

    return NULL;
}


static void
gql_schema_check_root(gql_schema_check_t *check, const gql_type_t *type,
    gql_operation_type_t operation, const char *name, const char *condition)
{
    gql_error_t  *error;
    const void   *node;

    if (type == NULL || type->kind == GQL_TYPE_OBJECT) {
        return;
    }

    error = gql_errors_add(check->errors, "%s root type must be Object type%s,"
                           " it cannot be %.*s.", name, condition,
                           prompt_str_arg(type->name));

    node = gql_schema_operation_node(check->schema, operation);
    gql_schema_error_at(check, error, node != NULL ? node : type->ast);
}


static void
gql_schema_check_roots(gql_schema_check_t *check)
{
    gql_error_t         *error;
    const gql_schema_t  *schema;

    schema = check->schema;

    if (schema->query == NULL) {
        error = gql_errors_add(check->errors,
                               "Query root type must be provided.");
        gql_schema_error_at(check, error, schema->ast);
    }

    gql_schema_check_root(check, schema->query, GQL_QUERY, "Query", "");
    gql_schema_check_root(check, schema->mutation, GQL_MUTATION, "Mutation",
                          " if provided");
    gql_schema_check_root(check, schema->subscription, GQL_SUBSCRIPTION,
                          "Subscription", " if provided");
}


static void
gql_schema_check_directive(gql_schema_check_t *check,
    const gql_directive_def_t *directive)
{
    uint32_t                  i;
    gql_error_t              *error;
    const gql_input_value_t  *arg;

    gql_schema_check_name(check, directive->name, directive->ast);

    for (i = 0; i < directive->nargs; i++) {
        arg = &directive->args[i];

        gql_schema_check_name(check, arg->name, arg->ast);

        if (!gql_type_is_input(gql_ref_named(arg->type))) {
            error = gql_errors_add(check->errors, "The type of @%.*s(%.*s:) "
                                   "must be Input Type but got: %.*s.",
                                   prompt_str_arg(directive->name),
                                   prompt_str_arg(arg->name),
                                   prompt_str_arg(arg->type->text));
            gql_schema_error_at(check, error, arg->ast);
        }

        if (gql_schema_is_required(arg)
            && arg->deprecation_reason.data != NULL)
        {
            error = gql_errors_add(check->errors, "Required argument "
                                   "@%.*s(%.*s:) cannot be deprecated.",
                                   prompt_str_arg(directive->name),
                                   prompt_str_arg(arg->name));
            gql_schema_error_at_deprecated(check, error, arg);
        }
    }
}


static void
gql_schema_check_arg(gql_schema_check_t *check, const gql_type_t *type,
    const gql_field_def_t *field, const gql_input_value_t *arg)
{
    gql_error_t  *error;

    gql_schema_check_name(check, arg->name, arg->ast);

    if (!gql_type_is_input(gql_ref_named(arg->type))) {
        error = gql_errors_add(check->errors, "The type of %.*s.%.*s(%.*s:) "
                               "must be Input Type but got: %.*s.",
                               prompt_str_arg(type->name),
                               prompt_str_arg(field->name),
                               prompt_str_arg(arg->name),
                               prompt_str_arg(arg->type->text));
        gql_schema_error_at(check, error, gql_schema_value_type(arg));
    }

    if (gql_schema_is_required(arg) && arg->deprecation_reason.data != NULL) {
        error = gql_errors_add(check->errors, "Required argument %.*s.%.*s"
                               "(%.*s:) cannot be deprecated.",
                               prompt_str_arg(type->name),
                               prompt_str_arg(field->name),
                               prompt_str_arg(arg->name));
        gql_schema_error_at_deprecated(check, error, arg);
    }
}


static void
gql_schema_check_fields(gql_schema_check_t *check, const gql_type_t *type)
{
    uint32_t                i, j;
    gql_error_t            *error;
    const gql_field_def_t  *field;

    if (type->nfields == 0) {
        error = gql_errors_add(check->errors, "Type %.*s must define one or "
                               "more fields.", prompt_str_arg(type->name));
        gql_schema_error_at_type(check, error, type);
    }

    for (i = 0; i < type->nfields; i++) {
        field = &type->fields[i];

        gql_schema_check_name(check, field->name, field->ast);

        if (gql_ref_named(field->type)->kind == GQL_TYPE_INPUT_OBJECT) {
            error = gql_errors_add(check->errors, "The type of %.*s.%.*s must "
                                   "be Output Type but got: %.*s.",
                                   prompt_str_arg(type->name),
                                   prompt_str_arg(field->name),
                                   prompt_str_arg(field->type->text));
            gql_schema_error_at(check, error,
                                field->ast != NULL ? field->ast->type : NULL);
        }

        for (j = 0; j < field->nargs; j++) {
            gql_schema_check_arg(check, type, field, &field->args[j]);
        }
    }
}


/* At every place where a union names a member. */
static void
gql_schema_error_at_member(gql_schema_check_t *check, gql_error_t *error,
    const gql_type_t *type, prompt_str_t name)
{
    uint32_t                      i;
    const gql_type_node_t        *node;
    const gql_type_definition_t  *part;

    for (i = 0; i <= type->nextensions; i++) {
        part = i == 0 ? type->ast : type->extensions[i - 1];

        if (part == NULL) {
            continue;
        }

        gql_list_each (node, &part->types) {
            if (prompt_str_eq(node->name->value, name)) {
                gql_schema_error_at(check, error, node);
            }
        }
    }
}


static void
gql_schema_check_union(gql_schema_check_t *check, const gql_type_t *type)
{
    uint32_t           i;
    gql_error_t       *error;
    const gql_type_t  *member;

    if (type->npossible == 0) {
        error = gql_errors_add(check->errors, "Union type %.*s must define "
                               "one or more member types.",
                               prompt_str_arg(type->name));
        gql_schema_error_at_type(check, error, type);
    }

    for (i = 0; i < type->npossible; i++) {
        member = type->possible[i];

        if (check->seen[member->index] == type) {
            error = gql_errors_add(check->errors, "Union type %.*s can only "
                                   "include type %.*s once.",
                                   prompt_str_arg(type->name),
                                   prompt_str_arg(member->name));
            gql_schema_error_at_member(check, error, type, member->name);
            continue;
        }

        check->seen[member->index] = type;

        if (member->kind != GQL_TYPE_OBJECT) {
            error = gql_errors_add(check->errors, "Union type %.*s can only "
                                   "include Object types, it cannot include "
                                   "%.*s.", prompt_str_arg(type->name),
                                   prompt_str_arg(member->name));
            gql_schema_error_at_member(check, error, type, member->name);
        }
    }
}


static void
gql_schema_check_enum(gql_schema_check_t *check, const gql_type_t *type)
{
    uint32_t      i;
    gql_error_t  *error;

    if (type->nvalues == 0) {
        error = gql_errors_add(check->errors, "Enum type %.*s must define one "
                               "or more values.", prompt_str_arg(type->name));
        gql_schema_error_at_type(check, error, type);
    }

    for (i = 0; i < type->nvalues; i++) {
        gql_schema_check_name(check, type->values[i].name,
                              type->values[i].ast);
    }
}


static void
gql_schema_check_one_of(gql_schema_check_t *check, const gql_type_t *type,
    const gql_input_value_t *field)
{
    gql_error_t  *error;

    if (field->type->kind == GQL_REF_NON_NULL) {
        error = gql_errors_add(check->errors, "OneOf input field %.*s.%.*s "
                               "must be nullable.",
                               prompt_str_arg(type->name),
                               prompt_str_arg(field->name));
        gql_schema_error_at(check, error, gql_schema_value_type(field));
    }

    if (field->default_coerced != NULL) {
        error = gql_errors_add(check->errors, "OneOf input field %.*s.%.*s "
                               "cannot have a default value.",
                               prompt_str_arg(type->name),
                               prompt_str_arg(field->name));
        gql_schema_error_at(check, error, field->ast);
    }
}


static void
gql_schema_check_input_fields(gql_schema_check_t *check,
    const gql_type_t *type)
{
    uint32_t                  i;
    gql_error_t              *error;
    const gql_input_value_t  *field;

    if (type->ninput_fields == 0) {
        error = gql_errors_add(check->errors, "Input Object type %.*s must "
                               "define one or more fields.",
                               prompt_str_arg(type->name));
        gql_schema_error_at_type(check, error, type);
    }

    for (i = 0; i < type->ninput_fields; i++) {
        field = &type->input_fields[i];

        gql_schema_check_name(check, field->name, field->ast);

        if (!gql_type_is_input(gql_ref_named(field->type))) {
            error = gql_errors_add(check->errors, "The type of %.*s.%.*s must "
                                   "be Input Type but got: %.*s.",
                                   prompt_str_arg(type->name),
                                   prompt_str_arg(field->name),
                                   prompt_str_arg(field->type->text));
            gql_schema_error_at(check, error, gql_schema_value_type(field));
        }

        if (gql_schema_is_required(field)
            && field->deprecation_reason.data != NULL)
        {
            error = gql_errors_add(check->errors, "Required input field "
                                   "%.*s.%.*s cannot be deprecated.",
                                   prompt_str_arg(type->name),
                                   prompt_str_arg(field->name));
            gql_schema_error_at_deprecated(check, error, field);
        }

        if (type->one_of) {
            gql_schema_check_one_of(check, type, field);
        }
    }
}


/* The input object that a field cannot do without; NULL: none. */
static const gql_type_t *
gql_schema_required_object(const gql_input_value_t *field)
{
    const gql_type_ref_t  *ref;

    ref = field->type;

    if (ref->kind != GQL_REF_NON_NULL || ref->of->kind != GQL_REF_NAMED
        || ref->of->type->kind != GQL_TYPE_INPUT_OBJECT)
    {
        return NULL;
    }

    return ref->of->type;
}


static void
gql_schema_report_cycle(gql_schema_check_t *check, const gql_type_t *type,
    uint32_t from, uint32_t depth)
{
    uint32_t                  i;
    gql_error_t              *error;
    prompt_buf_t              path;
    prompt_str_t              text;
    const gql_input_value_t  *field;

    prompt_buf_init(&path, GQL_SCHEMA_MAX_PATH);

    for (i = from; i < depth; i++) {
        field = check->path[i].field;

        if (i > from) {
            prompt_buf_char(&path, '.');
        }

        prompt_buf_str(&path, field->name);
    }

    if (path.status != PROMPT_BUF_OK) {
        prompt_buf_free(&path);
        check->errors->nomem = true;
        return;
    }

    text = prompt_buf_view(&path);

    error = gql_errors_add(check->errors, "Cannot reference Input Object "
                           "\"%.*s\" within itself through a series of "
                           "non-null fields: \"%.*s\".",
                           prompt_str_arg(type->name), prompt_str_arg(text));

    prompt_buf_free(&path);

    for (i = from; i < depth; i++) {
        gql_schema_error_at(check, error, check->path[i].field->ast);
    }
}


/*
 * Input objects that need themselves: no value of theirs ends.  Depth first
 * over the fields that must be there, each type once; path is the way down.
 */
static void
gql_schema_check_cycles(gql_schema_check_t *check, const gql_type_t *start)
{
    uint32_t                  depth;
    const gql_type_t         *type;
    gql_schema_step_t        *step;
    const gql_input_value_t  *field;

    if (check->place[start->index] != 0) {
        return;
    }

    depth = 1;
    check->path[0].type = start;
    check->path[0].next = 0;
    check->place[start->index] = 1;

    while (depth > 0) {
        step = &check->path[depth - 1];

        if (step->next == step->type->ninput_fields) {
            check->place[step->type->index] = GQL_SCHEMA_LEFT;
            depth--;
            continue;
        }

        field = &step->type->input_fields[step->next++];

        type = gql_schema_required_object(field);
        if (type == NULL) {
            continue;
        }

        step->field = field;

        if (check->place[type->index] == GQL_SCHEMA_LEFT) {
            continue;
        }

        if (check->place[type->index] != 0) {
            gql_schema_report_cycle(check, type, check->place[type->index] - 1,
                                    depth);
            continue;
        }

        check->path[depth].type = type;
        check->path[depth].next = 0;
        check->place[type->index] = ++depth;
    }
}


static void
gql_schema_check_type(gql_schema_check_t *check, const gql_type_t *type)
{
    if (!type->introspection) {
        gql_schema_check_name(check, type->name, type->ast);
    }

    switch (type->kind) {

    case GQL_TYPE_OBJECT:
    case GQL_TYPE_INTERFACE:
        gql_schema_check_fields(check, type);
        gql_schema_check_interfaces(check, type);
        break;

    case GQL_TYPE_UNION:
        gql_schema_check_union(check, type);
        break;

    case GQL_TYPE_ENUM:
        gql_schema_check_enum(check, type);
        break;

    case GQL_TYPE_INPUT_OBJECT:
        gql_schema_check_input_fields(check, type);
        gql_schema_check_cycles(check, type);
        break;

    case GQL_TYPE_SCALAR:
        break;
    }
}


void
gql_schema_validate(const gql_schema_t *schema, gql_errors_t *errors)
{
    uint32_t            i;
    gql_schema_check_t  check;

    errors->source = schema->sdl;

    check.schema = schema;
    check.errors = errors;
    check.listed = prompt_arena_array(errors->arena, schema->ntypes,
                                      sizeof(*check.listed));
    check.seen = prompt_arena_array(errors->arena, schema->ntypes,
                                    sizeof(*check.seen));
    check.place = prompt_arena_array(errors->arena, schema->ntypes,
                                     sizeof(*check.place));
    check.path = prompt_arena_array(errors->arena, schema->ntypes,
                                    sizeof(*check.path));

    if (check.listed == NULL || check.seen == NULL || check.place == NULL
        || check.path == NULL)
    {
        errors->nomem = true;
        return;
    }

    gql_schema_check_roots(&check);

    for (i = 0; i < schema->ndirectives; i++) {
        gql_schema_check_directive(&check, schema->directives[i]);
    }

    for (i = 0; i < schema->ntypes && !errors->full && !errors->nomem; i++) {
        gql_schema_check_type(&check, schema->types[i]);
    }
}
