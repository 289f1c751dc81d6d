/*
 * Schema: what becomes of SDL, look-ups and relations, and short memory.
 */

#include "graphql/syntax/parser.h"
#include "graphql.h"
#include "tap.h"


#define ARENA  (512 << 20)


typedef struct {
    const char  *name;
    const char  *sdl;
    const char  *errors;
} schema_case_t;


/* SDL that gives no schema */
static const schema_case_t  build_cases[] = {
    {
        "a syntax error",
        "type Query {",
        "Syntax Error: Expected Name, found <EOF>. (1:13)"
    },
    {
        "a type that is not there",
        "type Query { a: B }",
        "Unknown type: \"B\". (1:17)"
    },
    {
        "a reason that is no string",
        "type Query { a: Int @deprecated(reason: 5) }",
        "Argument \"reason\" has invalid value 5. (1:41)"
    },
    {
        "a URL that is null",
        "scalar A @specifiedBy(url: null)",
        "Argument \"url\" of non-null type \"String!\" must not be null. "
        "(1:28)"
    },
    {
        "a default value that needs itself",
        "input A { b: A = {} }",
        "Invalid circular reference. The default value of \"b\" references "
        "itself. (1:18)"
    },
    {
        "a default value that needs itself by way of others",
        "input A { b: [B] = [{ d: null }] }\n"
        "input B { c: A = {} d: Int }",
        "Invalid circular reference. The default value of \"c\" references "
        "itself. (2:18)"
    }
};


/* errors as text: message, then (line:column) for each location */
static const char *
text_of(const gql_errors_t *errors)
{
    uint32_t            i;
    size_t              n;
    const gql_error_t  *error;
    static char         text[16384];

    n = 0;
    text[0] = '\0';

    for (error = errors->first; error != NULL; error = error->next) {
        n += (size_t) snprintf(text + n, sizeof(text) - n, "%s%.*s",
                               error == errors->first ? "" : "\n",
                               prompt_str_arg(error->message));

        for (i = 0; i < error->nlocations && n < sizeof(text); i++) {
            n += (size_t) snprintf(text + n, sizeof(text) - n, " (%u:%u)",
                                   error->locations[i].line,
                                   error->locations[i].column);
        }

        if (n >= sizeof(text)) {
            break;
        }
    }

    return text;
}


static gql_schema_t *
build(prompt_arena_t *arena, prompt_str_t sdl, gql_errors_t *errors)
{
    gql_errors_init(errors, arena, sdl, 0);

    return gql_schema_build(arena, sdl, errors);
}


static void
test_refused(void)
{
    size_t           i;
    gql_schema_t    *schema;
    gql_errors_t     errors;
    prompt_arena_t  *arena;

    for (i = 0; i < sizeof(build_cases) / sizeof(build_cases[0]); i++) {
        arena = prompt_arena_create(ARENA);
        schema = build(arena, prompt_str_from(build_cases[i].sdl), &errors);

        ok(schema == NULL, build_cases[i].name);
        is_str(prompt_str_from(text_of(&errors)), build_cases[i].errors,
               build_cases[i].name);

        prompt_arena_destroy(arena);
    }
}


static void
is_types(const gql_schema_t *schema, const char *want, const char *name)
{
    char      text[1024];
    size_t    n;
    uint32_t  i;

    n = 0;

    for (i = 0; i < schema->ntypes && n < sizeof(text); i++) {
        n += (size_t) snprintf(text + n, sizeof(text) - n, "%s%.*s",
                               i == 0 ? "" : " ",
                               prompt_str_arg(schema->types[i]->name));
    }

    is_str(prompt_str_from(text), want, name);
}


/* the order of introspection, as graphql-js has it */
static void
test_order(void)
{
    gql_schema_t    *schema;
    gql_errors_t     errors;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(ARENA);

    schema = build(arena, prompt_str("scalar B type Query { a(x: Float): A }"
                                     " type A { b: B c: ID! }"), &errors);

    if (ok(schema != NULL, "three types")) {
        is_types(schema, "B Query Float A ID Boolean String __Schema __Type "
                 "__TypeKind __Field __InputValue __EnumValue __Directive "
                 "__DirectiveLocation", "types as they are defined, built-in "
                 "ones where they are first used");
        ok(gql_schema_type(schema, prompt_str("Int")) == NULL,
           "a built-in type that nothing uses is not there");
    }

    schema = build(arena, prompt_str("type Query { a: String } scalar Int "
                                     "scalar String"), &errors);

    if (ok(schema != NULL, "built-in scalars by name")) {
        is_types(schema, "Query Int String Boolean __Schema __Type __TypeKind "
                 "__Field __InputValue __EnumValue __Directive "
                 "__DirectiveLocation", "a built-in name stands where it is "
                 "defined");
        is_int(gql_schema_type(schema, prompt_str("Int"))->scalar,
               GQL_SCALAR_INT, "and is the built-in scalar");
    }

    prompt_arena_destroy(arena);
}


static void
test_directives(void)
{
    uint32_t                    i;
    gql_schema_t               *schema;
    gql_errors_t                errors;
    prompt_arena_t             *arena;
    const gql_directive_def_t  *directive;

    static const char *const  names[] = {
        "b", "skip", "a", "include", "deprecated", "specifiedBy", "oneOf"
    };

    arena = prompt_arena_create(ARENA);

    schema = build(arena, prompt_str(
        "directive @b(x: Int = 1) repeatable on FIELD | QUERY "
        "directive @skip on FIELD directive @a on OBJECT "
        "type Query @a { a: Int }"), &errors);

    if (!ok(schema != NULL, "directives of its own")
        || !is_int(schema->ndirectives, 7, "and those of the standard"))
    {
        prompt_arena_destroy(arena);
        return;
    }

    for (i = 0; i < 7; i++) {
        is_str(schema->directives[i]->name, names[i],
               "own directives first, then those it lacks");
    }

    directive = gql_schema_directive(schema, prompt_str("b"));

    ok(directive == schema->directives[0], "a directive by name");
    ok(directive->repeatable, "it is repeatable");
    is_int(directive->locations, 1u << GQL_ON_FIELD | 1u << GQL_ON_QUERY,
           "its locations as bits");
    is_int(directive->nlocations, 2, "and by name");
    is_str(directive->location_names[0], "FIELD", "in their order");
    is_str(directive->args[0].default_coerced->text, "1",
           "the default value of its argument");
    is_int(gql_schema_directive(schema, prompt_str("skip"))->nargs, 0,
           "a standard directive may be defined anew");
    ok(gql_schema_directive(schema, prompt_str("c")) == NULL,
       "a directive that is not there");

    is_int(gql_directive_location(prompt_str("INPUT_FIELD_DEFINITION")),
           GQL_ON_INPUT_FIELD_DEFINITION, "a location by name");
    is_int(gql_directive_location(prompt_str("FIELDS")), GQL_ON_COUNT,
           "a location that is not there");
    is_str(gql_directive_location_name(GQL_ON_DIRECTIVE_DEFINITION),
           "DIRECTIVE_DEFINITION", "the name of a location");

    prompt_arena_destroy(arena);
}


static const char  members[] =
    "\"\"\"\nthe service\n\"\"\"\n"
    "schema { query: Root } extend schema { mutation: Change }\n"
    "\"a root\" type Root implements Node { id: ID! "
    "  \"a field\" a(b: [In!]! = [{}], \"an arg\" c: Color = RED, d: Date "
    "    @deprecated): [Root!] @deprecated(reason: \"gone\")\n"
    "  u: Thing }\n"
    "extend type Root implements Named { name: String @deprecated }\n"
    "interface Node { id: ID! }\n"
    "interface Named implements Node { id: ID! name: String }\n"
    "type Change { id: ID! x(bad: Int = \"no\", none: Int = null): Int }\n"
    "union Thing = Root extend union Thing = Change\n"
    "enum Color { \"red\" RED } extend enum Color { BLUE @deprecated }\n"
    "input In { p: Int = 3 q: In r: [Float] = 1 }"
    " extend input In { s: Color = BLUE }\n"
    "input Choice @oneOf { a: Int b: Int } extend type Root { v(i: Choice):"
    " Int }\n"
    "scalar Date @specifiedBy(url: \"https://example.com/date\")\n";


static void
test_members(const gql_schema_t *schema)
{
    const gql_type_t         *type, *in;
    const gql_field_def_t    *field;
    const gql_input_value_t  *arg;

    is_str(schema->description, "the service", "the schema's description");
    is_str(schema->query->name, "Root", "the root of queries");
    is_str(schema->mutation->name, "Change", "a root by extension");
    ok(schema->subscription == NULL, "no root of subscriptions");
    ok(gql_schema_root(schema, GQL_MUTATION) == schema->mutation,
       "a root by operation");

    type = schema->query;

    is_str(type->description, "a root", "a type's description");
    is_int(type->nfields, 5, "fields of the definition and its extensions");
    is_str(type->fields[3].name, "name", "in their order");
    is_int(type->ninterfaces, 2, "interfaces likewise");
    is_str(type->interfaces[1]->name, "Named", "in their order");

    field = gql_type_field(type, prompt_str("a"));

    if (!ok(field == &type->fields[1], "a field by name")) {
        return;
    }

    ok(field->parent == type, "it knows its type");
    is_str(field->description, "a field", "its description");
    is_str(field->deprecation_reason, "gone", "why it is deprecated");
    is_str(field->type->text, "[Root!]", "its type as text");
    is_str(field->type->of->text, "Root!", "what the list is of");
    is_str(field->type->of->of->text, "Root", "what that is of");
    ok(field->type->of->of == &type->ref, "plain uses are shared");
    ok(gql_ref_named(field->type) == type, "its named type");
    is_int(field->nargs, 3, "its arguments");
    is_str(gql_type_field(type, prompt_str("name"))->deprecation_reason,
           "No longer supported", "a reason where none is given");
    is_str(gql_type_field(type, prompt_str("u"))->deprecation_reason, NULL,
           "none where it is not deprecated");

    arg = &field->args[0];

    is_str(arg->type->text, "[In!]!", "an argument's type");
    is_int(arg->default_coerced->type, PROMPT_JSON_ARRAY, "its default");
    is_int(arg->default_coerced->first->count, 3,
           "defaults of the input object are filled in");
    is_str(prompt_json_get(arg->default_coerced->first,
                           prompt_str("p"))->text, "3", "with their value");
    is_str(field->args[1].description, "an arg", "an argument's description");
    is_str(field->args[1].default_coerced->text, "RED", "an enum value");
    ok(field->args[2].default_coerced == NULL, "no default");
    is_str(field->args[2].deprecation_reason, "No longer supported",
           "a deprecated argument");

    field = gql_type_field(schema->mutation, prompt_str("x"));

    ok(field->args[0].default_coerced == NULL,
       "a default that is no value of its type is none");
    is_int(field->args[1].default_coerced->type, PROMPT_JSON_NULL,
           "a default of null is one");

    in = gql_schema_type(schema, prompt_str("In"));

    is_int(in->ninput_fields, 4, "fields of an input object");
    ok(gql_type_input_field(in, prompt_str("s")) == &in->input_fields[3],
       "one by name");
    is_int(gql_type_input_field(in, prompt_str("r"))->default_coerced->type,
           PROMPT_JSON_ARRAY, "one item for a list is a list of one");
    ok(!in->one_of, "an ordinary input object");
    ok(gql_schema_type(schema, prompt_str("Choice"))->one_of,
       "one that takes one of its fields");

    type = gql_schema_type(schema, prompt_str("Color"));

    is_int(type->nvalues, 2, "values of an enum and its extension");
    ok(gql_type_enum_value(type, prompt_str("BLUE")) == &type->values[1],
       "one by name");
    is_str(type->values[0].description, "red", "its description");
    is_str(type->values[1].deprecation_reason, "No longer supported",
           "a deprecated value");

    type = gql_schema_type(schema, prompt_str("Date"));

    is_int(type->scalar, GQL_SCALAR_CUSTOM, "a scalar of its own");
    is_str(type->specified_by_url, "https://example.com/date",
           "where it is specified");

    ok(gql_type_field(type, prompt_str("a")) == NULL
       && gql_type_input_field(type, prompt_str("a")) == NULL
       && gql_type_enum_value(type, prompt_str("a")) == NULL,
       "a scalar has no members");
    ok(gql_schema_type(schema, prompt_str("Nothing")) == NULL,
       "a type that is not there");
}


static void
test_meta_fields(const gql_schema_t *schema)
{
    const gql_type_t  *thing;

    thing = gql_schema_type(schema, prompt_str("Thing"));

    ok(gql_schema_field(schema, thing, prompt_str("__typename"))
       == schema->typename_field, "__typename of a union");
    ok(gql_schema_field(schema, schema->query, prompt_str("__schema"))
       == schema->schema_field, "__schema of the root of queries");
    is_str(gql_schema_field(schema, schema->query,
                            prompt_str("__type"))->args[0].type->text,
           "String!", "__type takes a name");
    ok(gql_schema_field(schema, schema->mutation, prompt_str("__schema"))
       == NULL, "__schema of no other root");
    ok(gql_schema_field(schema, gql_schema_type(schema, prompt_str("Date")),
                        prompt_str("__typename")) == NULL,
       "__typename of no scalar");
    ok(gql_schema_field(schema, schema->query, prompt_str("id"))
       == &schema->query->fields[0], "a field of its own");
    ok(gql_schema_field(schema, thing, prompt_str("id")) == NULL,
       "a union has none");
}


static prompt_arena_t  *ref_arena;


static const gql_type_ref_t *
ref_of(const gql_schema_t *schema, const char *text)
{
    gql_errors_t      errors;
    gql_type_node_t  *node;

    gql_errors_init(&errors, ref_arena, prompt_str_from(text), 0);

    node = gql_parse_type(ref_arena, prompt_str_from(text), 0, &errors);
    if (node == NULL) {
        return NULL;
    }

    return gql_schema_type_from_ast(schema, ref_arena, node);
}


static void
test_relations(const gql_schema_t *schema)
{
    const gql_type_t  *root, *change, *node, *named, *thing, *date;

    is_str(ref_of(schema, " [ [ Root ! ] ! , ] ")->text, "[[Root!]!]",
           "a type as it is printed");
    is_str(ref_of(schema, "[[Root!]!]")->of->of->of->text, "Root!",
           "and what is inside of it");
    ok(ref_of(schema, "[Nothing]") == NULL, "a type that is not there");
    ok(ref_of(schema, "Root") == &schema->query->ref,
       "a plain use takes no memory");

    root = schema->query;
    change = schema->mutation;
    node = gql_schema_type(schema, prompt_str("Node"));
    named = gql_schema_type(schema, prompt_str("Named"));
    thing = gql_schema_type(schema, prompt_str("Thing"));
    date = gql_schema_type(schema, prompt_str("Date"));

    is_int(node->npossible, 1, "objects that implement an interface");
    ok(node->possible[0] == root, "without the interfaces that do");
    is_int(thing->npossible, 2, "members of a union");
    ok(thing->possible[1] == change, "in their order");
    ok(root->npossible == 1 && root->possible[0] == root,
       "an object is what it can be");

    ok(gql_type_is_sub_type(node, named), "an interface under another");
    ok(gql_type_is_sub_type(thing, root), "a member of a union");
    ok(!gql_type_is_sub_type(node, change), "an object that does not");
    ok(!gql_type_is_sub_type(root, root), "an object is nothing's super type");

    ok(gql_types_overlap(root, root), "a type overlaps itself");
    ok(gql_types_overlap(node, thing) && gql_types_overlap(thing, node),
       "an interface and a union that share an object");
    ok(gql_types_overlap(root, thing) && gql_types_overlap(thing, root),
       "an object and its union");
    ok(!gql_types_overlap(change, node), "an object and an interface");
    ok(!gql_types_overlap(change, root), "two objects");
    ok(!gql_types_overlap(date, root), "a scalar");
}


static void
test_schema(void)
{
    gql_schema_t    *schema;
    gql_errors_t     errors;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(ARENA);

    schema = build(arena, prompt_str_from(members), &errors);

    ref_arena = arena;

    if (ok(schema != NULL, "a schema with one of everything")) {
        test_members(schema);
        test_meta_fields(schema);
        test_relations(schema);

    } else {
        diag("%s", text_of(&errors));
    }

    prompt_arena_destroy(arena);
}


/*
 * An arena of every size up to one that is enough: each allocation is refused
 * once.  There is a schema, or short memory is said.
 */
static void
test_memory(void)
{
    bool             enough, sound;
    size_t           limit;
    gql_schema_t    *schema;
    gql_errors_t     errors;
    prompt_arena_t  *arena;

    enough = false;
    sound = true;

    for (limit = 0; !enough && limit < ARENA; limit += 16) {
        arena = prompt_arena_create(limit);
        if (arena == NULL) {
            continue;
        }

        schema = build(arena, prompt_str_from(members), &errors);

        if (schema != NULL) {
            enough = true;

        } else {
            sound = sound && errors.nomem && errors.count == 0;
        }

        prompt_arena_destroy(arena);
    }

    ok(enough, "some memory is enough for a schema");
    ok(sound, "with less memory there is none, and memory is said short");
}


int
main(void)
{
    test_refused();
    test_order();
    test_directives();
    test_schema();
    test_memory();

    return done_testing();
}
