/*
 * The rule on values (specification, 5.6): ValuesOfCorrectType.
 */

#include "graphql/validate/validate_impl.h"
#include "graphql/values/values.h"


/*
 * Values of Correct Type
 * https://spec.graphql.org/September2025/#sec-Values-of-Correct-Type
 *
 *     good:  { f(int: 1, list: ["a"], object: { required: true }) }
 *     bad:   { f(int: "1") }
 *     bad:   { f(object: {}) }
 *
 * Also: Input Object Field Names, Input Object Required Fields, and that a
 * OneOf Input Object has exactly one field, which is not null.
 */
static void values_check_leaf(gql_validation_t *v, const gql_value_t *value);
static void values_report_expected(gql_validation_t *v,
    const gql_value_t *value);
static void values_check_fields(gql_validation_t *v, const gql_value_t *object,
    const gql_type_t *type);
static void values_check_one_of(gql_validation_t *v,
    const gql_value_t *object, const gql_type_t *type);


static bool
values_of_correct_type_list(gql_validation_t *v, const gql_node_t *node)
{
    const gql_type_ref_t  *type;

    /* the walk is at the items' type already */

    type = gql_ref_nullable(v->info->parent_input_type);

    if (type != NULL && type->kind == GQL_REF_LIST) {
        return true;
    }

    values_check_leaf(v, (const gql_value_t *) node);

    return false;
}


static bool
values_of_correct_type_object(gql_validation_t *v, const gql_node_t *node)
{
    const gql_type_t   *type;
    const gql_value_t  *object;

    object = (const gql_value_t *) node;
    type = gql_ref_named_or_null(v->info->input_type);

    if (type == NULL || type->kind != GQL_TYPE_INPUT_OBJECT) {
        values_check_leaf(v, object);
        return false;
    }

    values_check_fields(v, object, type);

    if (type->one_of) {
        values_check_one_of(v, object, type);
    }

    return true;
}


static void
values_check_fields(gql_validation_t *v, const gql_value_t *object,
    const gql_type_t *type)
{
    bool                      *given;
    uint32_t                   i;
    const gql_input_value_t   *field;
    const gql_object_field_t  *item;

    given = gql_validation_array(v, type->ninput_fields, sizeof(bool));
    if (given == NULL) {
        return;
    }

    gql_list_each(item, &object->items) {
        field = gql_type_input_field(type, item->name->value);

        if (field != NULL) {
            given[field - type->input_fields] = true;
        }
    }

    for (i = 0; i < type->ninput_fields; i++) {
        field = &type->input_fields[i];

        if (!given[i] && gql_input_is_required(field)) {
            gql_refuse_at(v, object, "Field \"%.*s.%.*s\" of required type "
                          "\"%.*s\" was not provided.",
                          gql_error_arg(type->name),
                          gql_error_arg(field->name),
                          gql_error_arg(field->type->text));
        }
    }
}


static void
values_check_one_of(gql_validation_t *v, const gql_value_t *object,
    const gql_type_t *type)
{
    prompt_str_t               name;
    const gql_object_field_t  *item, *last;

    last = (const gql_object_field_t *) object->items.first;

    /* names, not fields, are counted; of the same name the last one counts */

    gql_list_each(item, &object->items) {
        if (!prompt_str_eq(item->name->value, last->name->value)) {
            last = NULL;
            break;
        }

        last = item;
    }

    if (last == NULL) {
        gql_refuse_at(v, object, "OneOf Input Object \"%.*s\" must specify "
                      "exactly one key.", gql_error_arg(type->name));
        return;
    }

    if (last->value->node.kind == GQL_NULL) {
        name = last->name->value;

        gql_refuse_at(v, object, "Field \"%.*s.%.*s\" must be non-null.",
                      gql_error_arg(type->name), gql_error_arg(name));
    }
}


static bool
values_of_correct_type_field(gql_validation_t *v, const gql_node_t *node)
{
    prompt_str_t       name, hint;
    const gql_type_t  *type;

    type = gql_ref_named_or_null(v->info->parent_input_type);

    if (v->info->input_type == NULL && type != NULL
        && type->kind == GQL_TYPE_INPUT_OBJECT)
    {
        name = ((const gql_object_field_t *) node)->name->value;
        hint = gql_suggest(v, name, &type->by_name);

        gql_refuse_at(v, node,
                      "Field \"%.*s\" is not defined by type \"%.*s\".%.*s",
                      gql_error_arg(name), gql_error_arg(type->name),
                      gql_error_arg(hint));
    }

    return true;
}


static bool
values_of_correct_type_null(gql_validation_t *v, const gql_node_t *node)
{
    if (v->info->input_type != NULL
        && v->info->input_type->kind == GQL_REF_NON_NULL)
    {
        values_report_expected(v, (const gql_value_t *) node);
    }

    return true;
}


static bool
values_of_correct_type_leaf(gql_validation_t *v, const gql_node_t *node)
{
    values_check_leaf(v, (const gql_value_t *) node);

    return true;
}


/* scalars and enums say themselves what they accept */
static void
values_check_leaf(gql_validation_t *v, const gql_value_t *value)
{
    prompt_str_t       message;
    prompt_json_t     *coerced;
    const gql_type_t  *type;

    type = gql_ref_named_or_null(v->info->input_type);

    if (type == NULL) {
        return;
    }

    if (!gql_type_is_leaf(type)) {
        values_report_expected(v, value);
        return;
    }

    if (gql_leaf_parse_literal(v->errors, v->arena, type, value, &coerced,
                               &message)) {
        return;
    }

    if (prompt_arena_exhausted(v->arena)) {
        gql_validation_nomem(v);

    } else if (message.data != NULL) {
        gql_refuse_pieces(v, &value->node.start, 1, &message, 1);

    } else {
        values_report_expected(v, value);
    }
}


static void
values_report_expected(gql_validation_t *v, const gql_value_t *value)
{
    prompt_str_t  pieces[] = {
        prompt_str_init("Expected value of type \""),
        v->info->input_type->text,
        prompt_str_init("\", found "),
        gql_printed(v, &value->node),
        prompt_str_init("."),
    };

    gql_refuse_pieces(v, &value->node.start, 1, pieces,
                      sizeof(pieces) / sizeof(pieces[0]));
}


const gql_rule_t  gql_rule_values_of_correct_type = {
    .hooks = {
        { gql_kind_bit(GQL_LIST), values_of_correct_type_list, NULL },
        { gql_kind_bit(GQL_OBJECT), values_of_correct_type_object, NULL },
        { gql_kind_bit(GQL_OBJECT_FIELD), values_of_correct_type_field, NULL },
        { gql_kind_bit(GQL_NULL), values_of_correct_type_null, NULL },
        { gql_kind_bit(GQL_ENUM) | gql_kind_bit(GQL_INT)
          | gql_kind_bit(GQL_FLOAT) | gql_kind_bit(GQL_STRING)
          | gql_kind_bit(GQL_BOOLEAN),
          values_of_correct_type_leaf, NULL },
    }
};
