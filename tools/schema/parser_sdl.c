/*
 * Parser: type system definitions and extensions (specification, section 3).
 *
 * Definitions of types differ only in their keyword and in what follows the
 * name, so a table says both, and an extension is read as its definition is.
 */

#include "graphql/syntax/parser_impl.h"
#include "schema/parser_sdl.h"


typedef enum {
    GQL_BODY_NONE = 0,
    GQL_BODY_FIELDS,
    GQL_BODY_INPUT_FIELDS,
    GQL_BODY_MEMBERS,
    GQL_BODY_VALUES
} gql_body_t;


typedef struct {
    prompt_str_t  keyword;
    gql_kind_t    definition;
    gql_kind_t    extension;
    bool          interfaces;
    gql_body_t    body;
} gql_type_form_t;


static const gql_type_form_t  gql_type_forms[] = {
    { prompt_str_init("scalar"), GQL_SCALAR_TYPE_DEFINITION,
      GQL_SCALAR_TYPE_EXTENSION, false, GQL_BODY_NONE },
    { prompt_str_init("type"), GQL_OBJECT_TYPE_DEFINITION,
      GQL_OBJECT_TYPE_EXTENSION, true, GQL_BODY_FIELDS },
    { prompt_str_init("interface"), GQL_INTERFACE_TYPE_DEFINITION,
      GQL_INTERFACE_TYPE_EXTENSION, true, GQL_BODY_FIELDS },
    { prompt_str_init("union"), GQL_UNION_TYPE_DEFINITION,
      GQL_UNION_TYPE_EXTENSION, false, GQL_BODY_MEMBERS },
    { prompt_str_init("enum"), GQL_ENUM_TYPE_DEFINITION,
      GQL_ENUM_TYPE_EXTENSION, false, GQL_BODY_VALUES },
    { prompt_str_init("input"), GQL_INPUT_OBJECT_TYPE_DEFINITION,
      GQL_INPUT_OBJECT_TYPE_EXTENSION, false, GQL_BODY_INPUT_FIELDS }
};


#define gql_count(array)  (sizeof(array) / sizeof((array)[0]))


static void *gql_parser_schema(gql_parser_t *parser, bool extension);
static void *gql_parser_directive_definition(gql_parser_t *parser);
static void *gql_parser_type_definition(gql_parser_t *parser,
    const gql_type_form_t *form, bool extension);


static const gql_type_form_t *
gql_parser_type_form(prompt_str_t keyword)
{
    size_t  i;

    for (i = 0; i < gql_count(gql_type_forms); i++) {
        if (prompt_str_eq(gql_type_forms[i].keyword, keyword)) {
            return &gql_type_forms[i];
        }
    }

    return NULL;
}


static void *
gql_parser_extension(gql_parser_t *parser)
{
    gql_token_t             keyword;
    const gql_token_t      *ahead;
    const gql_type_form_t  *form;

    ahead = gql_parser_lookahead(parser);
    if (ahead == NULL) {
        return NULL;
    }

    keyword = *ahead;

    if (keyword.kind == GQL_TOKEN_NAME) {
        form = gql_parser_type_form(keyword.value);

        if (form != NULL) {
            return gql_parser_type_definition(parser, form, true);
        }

        if (prompt_str_eq(keyword.value, prompt_str("schema"))) {
            return gql_parser_schema(parser, true);
        }
    }

    (void) gql_parser_unexpected(parser, &keyword);

    return NULL;
}


static void *
gql_parser_sdl(gql_parser_t *parser, prompt_str_t keyword)
{
    const gql_type_form_t  *form;

    if (prompt_str_eq(keyword, prompt_str("extend"))) {
        return gql_parser_extension(parser);
    }

    if (prompt_str_eq(keyword, prompt_str("schema"))) {
        return gql_parser_schema(parser, false);
    }

    form = gql_parser_type_form(keyword);

    return form != NULL ? gql_parser_type_definition(parser, form, false)
                        : gql_parser_directive_definition(parser);
}


gql_document_t *
gql_parse_sdl(prompt_arena_t *arena, prompt_str_t source,
    uint32_t max_tokens, gql_errors_t *errors)
{
    gql_parser_t  parser;

    if (!gql_parser_init(&parser, arena, source, max_tokens, errors)) {
        return NULL;
    }

    parser.type_system = gql_parser_sdl;

    return gql_parser_document(&parser);
}


/* item | item, with or without a delimiter before */
static bool
gql_parser_delimited(gql_parser_t *parser, gql_token_kind_t delimiter,
    gql_parse_item_pt item, gql_list_t *list)
{
    bool   more;
    void  *node;

    if (!gql_parser_optional(parser, delimiter, &more)) {
        return false;
    }

    do {
        node = item(parser);
        if (node == NULL) {
            return false;
        }

        gql_list_append(list, node);

        if (!gql_parser_optional(parser, delimiter, &more)) {
            return false;
        }

    } while (more);

    return true;
}


/* "extend type" or, with or without a description, "type" */
static bool
gql_parser_head(gql_parser_t *parser, prompt_str_t keyword, bool extension,
    gql_value_t **description)
{
    bool  ok;

    if (extension) {
        ok = gql_parser_expect_keyword(parser, prompt_str("extend"));

    } else {
        ok = gql_parser_description(parser, description);
    }

    return ok && gql_parser_expect_keyword(parser, keyword);
}


/* 3.3 */

static void *
gql_parser_root_type(gql_parser_t *parser)
{
    gql_operation_type_definition_t  *root;

    root = gql_parser_node(parser, sizeof(gql_operation_type_definition_t),
                           GQL_OPERATION_TYPE_DEFINITION, parser->token.start);

    if (root == NULL
        || !gql_parser_operation_type(parser, &root->operation)
        || !gql_parser_expect(parser, GQL_TOKEN_COLON))
    {
        return NULL;
    }

    root->type = gql_parser_named_type(parser);
    if (root->type == NULL) {
        return NULL;
    }

    return gql_parser_finish(parser, root);
}


static void *
gql_parser_schema(gql_parser_t *parser, bool extension)
{
    bool                      ok;
    gql_schema_definition_t  *schema;

    schema = gql_parser_node(parser, sizeof(gql_schema_definition_t),
                             extension ? GQL_SCHEMA_EXTENSION
                                       : GQL_SCHEMA_DEFINITION,
                             parser->token.start);

    if (schema == NULL
        || !gql_parser_head(parser, prompt_str("schema"), extension,
                            &schema->description)
        || !gql_parser_const_directives(parser, &schema->directives))
    {
        return NULL;
    }

    if (extension) {
        ok = gql_parser_optional_many(parser, GQL_TOKEN_BRACE_L,
                                      gql_parser_root_type, GQL_TOKEN_BRACE_R,
                                      &schema->operation_types);

    } else {
        ok = gql_parser_many(parser, GQL_TOKEN_BRACE_L, gql_parser_root_type,
                             GQL_TOKEN_BRACE_R, &schema->operation_types);
    }

    if (!ok) {
        return NULL;
    }

    if (schema->directives.count == 0 && schema->operation_types.count == 0) {
        (void) gql_parser_unexpected(parser, &parser->token);
        return NULL;
    }

    return gql_parser_finish(parser, schema);
}


/* fields, arguments and input fields (3.6, 3.6.1, 3.10) */

static void *
gql_parser_input_value(gql_parser_t *parser)
{
    bool                           found;
    gql_input_value_definition_t  *input;

    input = gql_parser_node(parser, sizeof(gql_input_value_definition_t),
                            GQL_INPUT_VALUE_DEFINITION, parser->token.start);

    if (input == NULL
        || !gql_parser_description(parser, &input->description))
    {
        return NULL;
    }

    input->name = gql_parser_name(parser);

    if (input->name == NULL || !gql_parser_expect(parser, GQL_TOKEN_COLON)) {
        return NULL;
    }

    input->type = gql_parser_type(parser);

    if (input->type == NULL
        || !gql_parser_optional(parser, GQL_TOKEN_EQUALS, &found))
    {
        return NULL;
    }

    if (found) {
        input->default_value = gql_parser_const_value(parser);
        if (input->default_value == NULL) {
            return NULL;
        }
    }

    if (!gql_parser_const_directives(parser, &input->directives)) {
        return NULL;
    }

    return gql_parser_finish(parser, input);
}


static bool
gql_parser_argument_definitions(gql_parser_t *parser, gql_list_t *list)
{
    return gql_parser_optional_many(parser, GQL_TOKEN_PAREN_L,
                                    gql_parser_input_value, GQL_TOKEN_PAREN_R,
                                    list);
}


static void *
gql_parser_field_definition(gql_parser_t *parser)
{
    gql_field_definition_t  *field;

    field = gql_parser_node(parser, sizeof(gql_field_definition_t),
                            GQL_FIELD_DEFINITION, parser->token.start);

    if (field == NULL
        || !gql_parser_description(parser, &field->description))
    {
        return NULL;
    }

    field->name = gql_parser_name(parser);

    if (field->name == NULL
        || !gql_parser_argument_definitions(parser, &field->arguments)
        || !gql_parser_expect(parser, GQL_TOKEN_COLON))
    {
        return NULL;
    }

    field->type = gql_parser_type(parser);

    if (field->type == NULL
        || !gql_parser_const_directives(parser, &field->directives))
    {
        return NULL;
    }

    return gql_parser_finish(parser, field);
}


/* 3.9: any name but true, false and null */
static gql_name_t *
gql_parser_enum_value_name(gql_parser_t *parser)
{
    prompt_str_t  pieces[4];

    if (prompt_str_eq(parser->token.value, prompt_str("true"))
        || prompt_str_eq(parser->token.value, prompt_str("false"))
        || prompt_str_eq(parser->token.value, prompt_str("null")))
    {
        pieces[0] = gql_token_kind_name(parser->token.kind);
        pieces[1] = prompt_str(" \"");
        pieces[2] = parser->token.value;
        pieces[3] = prompt_str("\" is reserved and cannot be used for an enum "
                               "value.");

        (void) gql_syntax_error(parser->errors, parser->token.start,
                                pieces, 4);
        return NULL;
    }

    return gql_parser_name(parser);
}


static void *
gql_parser_enum_value(gql_parser_t *parser)
{
    gql_enum_value_definition_t  *value;

    value = gql_parser_node(parser, sizeof(gql_enum_value_definition_t),
                            GQL_ENUM_VALUE_DEFINITION, parser->token.start);

    if (value == NULL
        || !gql_parser_description(parser, &value->description))
    {
        return NULL;
    }

    value->name = gql_parser_enum_value_name(parser);

    if (value->name == NULL
        || !gql_parser_const_directives(parser, &value->directives))
    {
        return NULL;
    }

    return gql_parser_finish(parser, value);
}


/* 3.5 to 3.10 */

static bool
gql_parser_interfaces(gql_parser_t *parser, gql_list_t *list)
{
    bool  found;

    if (!gql_parser_optional_keyword(parser, prompt_str("implements"),
                                     &found))
    {
        return false;
    }

    return !found || gql_parser_delimited(parser, GQL_TOKEN_AMP,
                                          gql_parser_named_type, list);
}


static bool
gql_parser_type_body(gql_parser_t *parser, gql_body_t body,
    gql_type_definition_t *type)
{
    bool  found;

    switch (body) {

    case GQL_BODY_FIELDS:
        return gql_parser_optional_many(parser, GQL_TOKEN_BRACE_L,
                                        gql_parser_field_definition,
                                        GQL_TOKEN_BRACE_R, &type->fields);

    case GQL_BODY_INPUT_FIELDS:
        return gql_parser_optional_many(parser, GQL_TOKEN_BRACE_L,
                                        gql_parser_input_value,
                                        GQL_TOKEN_BRACE_R, &type->fields);

    case GQL_BODY_VALUES:
        return gql_parser_optional_many(parser, GQL_TOKEN_BRACE_L,
                                        gql_parser_enum_value,
                                        GQL_TOKEN_BRACE_R, &type->values);

    case GQL_BODY_MEMBERS:
        if (!gql_parser_optional(parser, GQL_TOKEN_EQUALS, &found)) {
            return false;
        }

        return !found || gql_parser_delimited(parser, GQL_TOKEN_PIPE,
                                              gql_parser_named_type,
                                              &type->types);

    default: /* GQL_BODY_NONE */
        return true;
    }
}


static void *
gql_parser_type_definition(gql_parser_t *parser, const gql_type_form_t *form,
    bool extension)
{
    gql_type_definition_t  *type;

    type = gql_parser_node(parser, sizeof(gql_type_definition_t),
                           extension ? form->extension : form->definition,
                           parser->token.start);

    if (type == NULL
        || !gql_parser_head(parser, form->keyword, extension,
                            &type->description))
    {
        return NULL;
    }

    type->name = gql_parser_name(parser);

    if (type->name == NULL
        || (form->interfaces
            && !gql_parser_interfaces(parser, &type->interfaces))
        || !gql_parser_const_directives(parser, &type->directives)
        || !gql_parser_type_body(parser, form->body, type))
    {
        return NULL;
    }

    if (extension
        && type->interfaces.count == 0 && type->directives.count == 0
        && type->fields.count == 0 && type->types.count == 0
        && type->values.count == 0)
    {
        (void) gql_parser_unexpected(parser, &parser->token);
        return NULL;
    }

    return gql_parser_finish(parser, type);
}


/* 3.13 */

gql_directive_location_t
gql_directive_location(prompt_str_t name)
{
    gql_directive_location_t  location;

    location = GQL_ON_QUERY;

    while (location < GQL_ON_COUNT
           && !prompt_str_eq(name, gql_directive_location_name(location)))
    {
        location++;
    }

    return location;
}


static void *
gql_parser_directive_location(gql_parser_t *parser)
{
    gql_name_t   *name;
    gql_token_t   token;

    token = parser->token;

    name = gql_parser_name(parser);
    if (name == NULL) {
        return NULL;
    }

    if (gql_directive_location(name->value) != GQL_ON_COUNT) {
        return name;
    }

    (void) gql_parser_unexpected(parser, &token);

    return NULL;
}


static void *
gql_parser_directive_definition(gql_parser_t *parser)
{
    gql_directive_definition_t  *directive;

    directive = gql_parser_node(parser, sizeof(gql_directive_definition_t),
                                GQL_DIRECTIVE_DEFINITION,
                                parser->token.start);

    if (directive == NULL
        || !gql_parser_head(parser, prompt_str("directive"), false,
                            &directive->description)
        || !gql_parser_expect(parser, GQL_TOKEN_AT))
    {
        return NULL;
    }

    directive->name = gql_parser_name(parser);

    if (directive->name == NULL
        || !gql_parser_argument_definitions(parser, &directive->arguments)
        || !gql_parser_optional_keyword(parser, prompt_str("repeatable"),
                                        &directive->repeatable)
        || !gql_parser_expect_keyword(parser, prompt_str("on"))
        || !gql_parser_delimited(parser, GQL_TOKEN_PIPE,
                                 gql_parser_directive_location,
                                 &directive->locations))
    {
        return NULL;
    }

    return gql_parser_finish(parser, directive);
}
