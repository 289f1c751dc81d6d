/*
 * Coercion of what a request sends (specification 3.5, "Input Coercion"):
 * coerceInputValue() and parseValue() of graphql-js.
 *
 * Recursion is bounded by the nesting of types and of the JSON text, and both
 * have their limits where they are read.
 */

#include "graphql/values/values_impl.h"
#include "graphql/values/inspect.h"
#include "graphql/values/number.h"
#include "graphql/types/suggest.h"
#include "graphql/values/values.h"


static prompt_json_t *gql_coerce_list(gql_coercion_t *c,
    const prompt_json_t *value, const gql_type_ref_t *type,
    const gql_path_t *path);
static prompt_json_t *gql_coerce_object(gql_coercion_t *c,
    const prompt_json_t *value, const gql_type_t *type,
    const gql_path_t *path);
static prompt_json_t *gql_coerce_field(gql_coercion_t *c,
    const prompt_json_t *value, const gql_input_value_t *field,
    const gql_path_t *path);
static void gql_coerce_unknown_field(gql_coercion_t *c,
    const prompt_json_t *value, const prompt_json_t *member,
    const gql_type_t *type, const gql_path_t *path);
static prompt_json_t *gql_coerce_leaf(gql_coercion_t *c,
    const prompt_json_t *value, const gql_type_t *type,
    const gql_path_t *path);
static prompt_json_t *gql_coerce_int(gql_coercion_t *c,
    const prompt_json_t *value, const gql_path_t *path);
static prompt_json_t *gql_coerce_id(gql_coercion_t *c,
    const prompt_json_t *value, const gql_path_t *path);
static prompt_json_t *gql_coerce_enum(gql_coercion_t *c,
    const prompt_json_t *value, const gql_type_t *type,
    const gql_path_t *path);
static prompt_json_t *gql_coerce_made(gql_coercion_t *c, prompt_json_t *value);
static void gql_coerce_refuse(gql_coercion_t *c, const prompt_json_t *value,
    const gql_path_t *path, const char *reason);
static void gql_coerce_fail(gql_coercion_t *c, const prompt_json_t *value,
    const gql_path_t *path, prompt_str_t reason);
static void gql_coerce_path(prompt_buf_t *buf, const gql_path_t *path);


prompt_json_t *
gql_coerce_input(gql_coercion_t *c, const prompt_json_t *value,
    const gql_type_ref_t *type, const gql_path_t *path)
{
    if (type->kind == GQL_REF_NON_NULL) {
        if (value->type == PROMPT_JSON_NULL) {
            gql_coerce_fail(c, value, path, prompt_arena_printf(c->arena,
                                "Expected non-nullable type \"%.*s\" not to "
                                "be null.", prompt_str_arg(type->text)));
            return NULL;
        }

        type = type->of;
    }

    if (value->type == PROMPT_JSON_NULL) {
        return gql_coerce_made(c, prompt_json_new(c->arena, PROMPT_JSON_NULL));
    }

    if (type->kind == GQL_REF_LIST) {
        return gql_coerce_list(c, value, type->of, path);
    }

    if (type->type->kind == GQL_TYPE_INPUT_OBJECT) {
        return gql_coerce_object(c, value, type->type, path);
    }

    return gql_coerce_leaf(c, value, type->type, path);
}


static prompt_json_t *
gql_coerce_list(gql_coercion_t *c, const prompt_json_t *value,
    const gql_type_ref_t *type, const gql_path_t *path)
{
    gql_path_t            place;
    prompt_json_t        *list, *item;
    const prompt_json_t  *given;

    list = gql_coerce_made(c, prompt_json_new(c->arena, PROMPT_JSON_ARRAY));
    if (list == NULL) {
        return NULL;
    }

    if (value->type != PROMPT_JSON_ARRAY) {
        item = gql_coerce_input(c, value, type, path);

        if (item != NULL) {
            prompt_json_append(list, item);
        }

        return list;
    }

    place = (gql_path_t) { path, prompt_str_absent, 0 };

    for (given = value->first; given != NULL && !c->stop;
         given = given->next)
    {
        item = gql_coerce_input(c, given, type, &place);

        if (item != NULL) {
            prompt_json_append(list, item);
        }

        place.index++;
    }

    return list;
}


static prompt_json_t *
gql_coerce_object(gql_coercion_t *c, const prompt_json_t *value,
    const gql_type_t *type, const gql_path_t *path)
{
    uint32_t                  i, keys;
    gql_path_t                place;
    prompt_json_t            *object, *item;
    const prompt_json_t      *member, *null;
    const gql_input_value_t  *field;

    if (value->type != PROMPT_JSON_OBJECT) {
        gql_coerce_fail(c, value, path, prompt_arena_printf(c->arena,
                            "Expected type \"%.*s\" to be an object.",
                            prompt_str_arg(type->name)));
        return NULL;
    }

    object = gql_coerce_made(c, prompt_json_new(c->arena, PROMPT_JSON_OBJECT));
    if (object == NULL) {
        return NULL;
    }

    keys = 0;
    null = NULL;

    for (i = 0; i < type->ninput_fields && !c->stop; i++) {
        field = &type->input_fields[i];
        member = prompt_json_get(value, field->name);
        item = gql_coerce_field(c, value, field, path);

        if (item != NULL) {
            prompt_json_set(object, field->name, item);
        }

        if (member != NULL || field->default_coerced != NULL) {
            if (keys++ == 0 && item != NULL && item->type == PROMPT_JSON_NULL)
            {
                null = item;
            }
        }
    }

    for (member = value->first; member != NULL && !c->stop;
         member = member->next)
    {
        if (gql_type_input_field(type, member->name) == NULL) {
            gql_coerce_unknown_field(c, value, member, type, path);
        }
    }

    if (type->one_of && keys != 1) {
        gql_coerce_fail(c, value, path, prompt_arena_printf(c->arena,
                            "Exactly one key must be specified for OneOf "
                            "type \"%.*s\".", prompt_str_arg(type->name)));
    }

    if (type->one_of && null != NULL) {
        place = (gql_path_t) { path, null->name, 0 };
        gql_coerce_fail(c, null, &place, prompt_arena_printf(c->arena,
                            "Field \"%.*s\" must be non-null.",
                            prompt_str_arg(null->name)));
    }

    return object;
}


/* a field of an input object; NULL: none, or an error */
static prompt_json_t *
gql_coerce_field(gql_coercion_t *c, const prompt_json_t *value,
    const gql_input_value_t *field, const gql_path_t *path)
{
    gql_path_t            place = { path, field->name, 0 };
    const prompt_json_t  *member;

    member = prompt_json_get(value, field->name);

    if (member != NULL) {
        return gql_coerce_input(c, member, field->type, &place);
    }

    if (field->default_coerced != NULL) {
        return gql_coerce_made(c, gql_value_share(c->arena,
                                                  field->default_coerced));
    }

    if (field->type->kind == GQL_REF_NON_NULL) {
        gql_coerce_fail(c, value, path, prompt_arena_printf(c->arena,
                            "Field \"%.*s\" of required type \"%.*s\" was not "
                            "provided.", prompt_str_arg(field->name),
                            prompt_str_arg(field->type->text)));
    }

    return NULL;
}


static void
gql_coerce_unknown_field(gql_coercion_t *c, const prompt_json_t *value,
    const prompt_json_t *member, const gql_type_t *type,
    const gql_path_t *path)
{
    prompt_str_t  hint;
    prompt_buf_t  buf;

    if (c->stop) {
        return;
    }

    hint = gql_did_you_mean(c->errors, c->arena, prompt_str_absent,
                            member->name, &type->by_name);

    prompt_buf_init(&buf, SIZE_MAX);

    prompt_buf_literal(&buf, "Field \"");
    gql_inspect_text(&buf, member->name);
    prompt_buf_literal(&buf, "\" is not defined by type \"");
    prompt_buf_str(&buf, type->name);
    prompt_buf_literal(&buf, "\".");
    prompt_buf_str(&buf, hint);

    gql_coerce_fail(c, value, path, prompt_arena_take(c->arena, &buf));
}


static prompt_json_t *
gql_coerce_leaf(gql_coercion_t *c, const prompt_json_t *value,
    const gql_type_t *type, const gql_path_t *path)
{
    bool         fits;
    double       number;
    const char  *expected;

    if (type->kind == GQL_TYPE_ENUM) {
        return gql_coerce_enum(c, value, type, path);
    }

    expected = "";
    fits = true;

    switch (type->scalar) {

    case GQL_SCALAR_INT:
        return gql_coerce_int(c, value, path);

    case GQL_SCALAR_ID:
        return gql_coerce_id(c, value, path);

    case GQL_SCALAR_FLOAT:
        fits = value->type == PROMPT_JSON_NUMBER
               && prompt_json_double(value, &number);
        expected = GQL_NO_FLOAT;
        break;

    case GQL_SCALAR_STRING:
        fits = value->type == PROMPT_JSON_STRING;
        expected = GQL_NO_STRING;
        break;

    case GQL_SCALAR_BOOLEAN:
        fits = value->type == PROMPT_JSON_BOOLEAN;
        expected = GQL_NO_BOOLEAN;
        break;

    case GQL_SCALAR_CUSTOM:
        break;
    }

    if (!fits) {
        gql_coerce_refuse(c, value, path, expected);
        return NULL;
    }

    return gql_coerce_made(c, gql_value_share(c->arena, value));
}


static prompt_json_t *
gql_coerce_int(gql_coercion_t *c, const prompt_json_t *value,
    const gql_path_t *path)
{
    double  number;

    if (value->type != PROMPT_JSON_NUMBER
        || !gql_number_is_integer(gql_number_value(value)))
    {
        gql_coerce_refuse(c, value, path, GQL_NO_INT);
        return NULL;
    }

    number = gql_number_value(value);

    if (number < INT32_MIN || number > INT32_MAX) {
        gql_coerce_refuse(c, value, path, GQL_NO_INT32);
        return NULL;
    }

    return gql_coerce_made(c, prompt_json_new_integer(c->arena,
                                                      (int64_t) number));
}


/*
 * A number becomes its digits: all of them, where graphql-js rounds what has
 * more than 15 of them.
 */
static prompt_json_t *
gql_coerce_id(gql_coercion_t *c, const prompt_json_t *value,
    const gql_path_t *path)
{
    char          text[GQL_NUMBER_SIZE];
    double        number;
    int64_t       integer;
    prompt_str_t  digits;

    if (value->type == PROMPT_JSON_STRING) {
        return gql_coerce_made(c, gql_value_share(c->arena, value));
    }

    if (value->type != PROMPT_JSON_NUMBER
        || !gql_number_is_integer(gql_number_value(value)))
    {
        gql_coerce_refuse(c, value, path, "ID cannot represent value: ");
        return NULL;
    }

    if (prompt_json_integer(value, &integer)) {
        digits = prompt_arena_printf(c->arena, "%lld", (long long) integer);

    } else if (memchr(value->text.data, '.', value->text.len) == NULL
               && memchr(value->text.data, 'e', value->text.len) == NULL
               && memchr(value->text.data, 'E', value->text.len) == NULL)
    {
        digits = value->text;

    } else {
        number = gql_number_value(value);
        digits = prompt_arena_copy(c->arena, prompt_str_of(text,
                                        gql_number_format(number, text)));
    }

    return gql_coerce_made(c, digits.data != NULL
                              ? prompt_json_new_string(c->arena, digits)
                              : NULL);
}


static prompt_json_t *
gql_coerce_enum(gql_coercion_t *c, const prompt_json_t *value,
    const gql_type_t *type, const gql_path_t *path)
{
    prompt_str_t  shown;

    if (value->type != PROMPT_JSON_STRING) {
        shown = gql_inspect(c->arena, value);

    } else if (gql_type_enum_value(type, value->text) != NULL) {
        return gql_coerce_made(c, gql_value_share(c->arena, value));

    } else {
        shown = value->text;
    }

    if (shown.data == NULL) {
        gql_coerce_nomem(c);
        return NULL;
    }

    gql_coerce_fail(c, value, path,
                    gql_enum_message(c->errors, c->arena, type, shown,
                                     value->type == PROMPT_JSON_STRING
                                     ? NULL : "non-string"));
    return NULL;
}


/* what was made of a value; NULL: memory is short */
static prompt_json_t *
gql_coerce_made(gql_coercion_t *c, prompt_json_t *value)
{
    if (value == NULL) {
        gql_coerce_nomem(c);
    }

    return value;
}


/* reason: to be followed by the value */
static void
gql_coerce_refuse(gql_coercion_t *c, const prompt_json_t *value,
    const gql_path_t *path, const char *reason)
{
    prompt_str_t  shown;

    shown = gql_inspect(c->arena, value);

    gql_coerce_fail(c, value, path,
                    prompt_arena_printf(c->arena, "%s%.*s", reason,
                                        prompt_str_arg(shown)));
}


/* Variable "$a" got invalid value {} at "a.b[0]"; reason */
static void
gql_coerce_fail(gql_coercion_t *c, const prompt_json_t *value,
    const gql_path_t *path, prompt_str_t reason)
{
    prompt_buf_t  buf;
    prompt_str_t  shown, message;

    if (c->stop) {
        return;
    }

    shown = gql_inspect(c->arena, value);

    prompt_buf_init(&buf, SIZE_MAX);

    prompt_buf_literal(&buf, "Variable \"$");
    gql_inspect_text(&buf, c->variable->variable->text);
    prompt_buf_literal(&buf, "\" got invalid value ");
    prompt_buf_str(&buf, shown);

    if (path->parent != NULL) {
        prompt_buf_literal(&buf, " at \"");
        gql_coerce_path(&buf, path);
        prompt_buf_char(&buf, '"');
    }

    prompt_buf_literal(&buf, "; ");
    prompt_buf_str(&buf, reason);

    if (shown.data == NULL || reason.data == NULL
        || buf.status == PROMPT_BUF_NOMEM)
    {
        gql_coerce_nomem(c);

    } else {
        message = prompt_buf_view(&buf);
        (void) gql_coerce_error(c, &message, 1);
    }

    prompt_buf_free(&buf);
}


/* its root is the name of the variable, which may be as long as the document */
static void
gql_coerce_path(prompt_buf_t *buf, const gql_path_t *path)
{
    if (path->parent == NULL) {
        gql_inspect_text(buf, path->key);
        return;
    }

    gql_coerce_path(buf, path->parent);

    if (path->key.data != NULL) {
        prompt_buf_char(buf, '.');
        prompt_buf_str(buf, path->key);

    } else {
        prompt_buf_printf(buf, "[%u]", (unsigned) path->index);
    }
}
