/*
 * Compiling schemas: every keyword is checked and becomes a rule.
 *
 * The functions that go down call each other no deeper than the JSON value is
 * nested, which the caller has limited.
 */

#include "jsonschema/compiler_impl.h"

#include "base/link.h"

#include <stdarg.h>
#include <stdio.h>


prompt_check_t
prompt_jsonschema_wrong(prompt_jsonschema_compiler_t *compiler,
    const prompt_path_t *path, const char *format, ...)
{
    char          text[500];
    va_list       args;
    prompt_str_t  field, name;

    va_start(args, format);
    (void) vsnprintf(text, sizeof(text), format, args);
    va_end(args);

    field = prompt_path_text(compiler->arena, path);
    name = prompt_fault_excerpt(compiler->arena, field);

    if (field.data == NULL || name.data == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    return prompt_fault_set(compiler->arena, compiler->fault, field,
                            "%.*s %s", prompt_str_arg(name), text);
}


/* what the values of each kind may be, and what is made of them */
#define ANY  ((1u << (PROMPT_JSON_OBJECT + 1)) - 1)

#define of_type(json_type, wrong, compile)                                   \
    { prompt_jsonschema_type_bit(PROMPT_JSON_ ## json_type), wrong, compile }

#define a_string(compile)  of_type(STRING, "must be a string", compile)
#define a_number(compile)  of_type(NUMBER, "must be a number", compile)
#define an_object(compile)  of_type(OBJECT, "must be an object", compile)
#define anything(compile)  { ANY, NULL, compile }


static const struct {
    unsigned                    types;           /* a bit each */
    const char                 *wrong;           /* of values of others */
    prompt_jsonschema_value_t  *compile;         /* NULL: nothing */
} prompt_jsonschema_kinds[] = {

    [PROMPT_JSONSCHEMA_ANY] = anything(prompt_jsonschema_weigh),
    [PROMPT_JSONSCHEMA_STRING] = a_string(NULL),
    [PROMPT_JSONSCHEMA_BOOLEAN] = of_type(BOOLEAN, "must be true or false",
                                          NULL),
    [PROMPT_JSONSCHEMA_LIST] = of_type(ARRAY, "must be an array",
                                       prompt_jsonschema_weigh),
    [PROMPT_JSONSCHEMA_NUMBER] = a_number(prompt_jsonschema_number),
    [PROMPT_JSONSCHEMA_DIVISOR] = a_number(prompt_jsonschema_divisor),
    [PROMPT_JSONSCHEMA_COUNT] = anything(prompt_jsonschema_non_negative),
    [PROMPT_JSONSCHEMA_TYPES] = anything(prompt_jsonschema_types),
    [PROMPT_JSONSCHEMA_NAMES] = anything(prompt_jsonschema_names),
    [PROMPT_JSONSCHEMA_NAMES_MAP] = an_object(prompt_jsonschema_names_map),
    [PROMPT_JSONSCHEMA_REGEX] = a_string(prompt_jsonschema_pattern),
    [PROMPT_JSONSCHEMA_ONE] = anything(prompt_jsonschema_schema),
    [PROMPT_JSONSCHEMA_SEVERAL] = of_type(ARRAY, "must be an array of schemas",
                                          prompt_jsonschema_several),
    [PROMPT_JSONSCHEMA_MAP] = an_object(prompt_jsonschema_map),
    [PROMPT_JSONSCHEMA_REGEX_MAP] = an_object(prompt_jsonschema_patterns),
    [PROMPT_JSONSCHEMA_ONE_OR_SEVERAL]
        = anything(prompt_jsonschema_one_or_several),
    [PROMPT_JSONSCHEMA_DEPENDENCIES] = an_object(prompt_jsonschema_map),
    [PROMPT_JSONSCHEMA_DIALECT] = anything(prompt_jsonschema_dialect_check),
    [PROMPT_JSONSCHEMA_IDENTIFIER] = anything(NULL),  /* looked at before */
    [PROMPT_JSONSCHEMA_ANCHOR] = a_string(prompt_jsonschema_anchor),
    [PROMPT_JSONSCHEMA_REFERENCE] = a_string(prompt_jsonschema_reference),
    [PROMPT_JSONSCHEMA_VOCABULARY] = an_object(prompt_jsonschema_vocabulary),
    [PROMPT_JSONSCHEMA_FORM] = a_string(prompt_jsonschema_form)
};


/* Checks and compiles the value of a keyword. */
static prompt_check_t
prompt_jsonschema_value(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, prompt_jsonschema_kind_t kind,
    const prompt_path_t *path)
{
    if ((prompt_jsonschema_kinds[kind].types
         & prompt_jsonschema_type_bit(rule->value->type)) == 0)
    {
        return prompt_jsonschema_wrong(compiler, path, "%s",
                                       prompt_jsonschema_kinds[kind].wrong);
    }

    return prompt_jsonschema_kinds[kind].compile != NULL
           ? prompt_jsonschema_kinds[kind].compile(compiler, rule, path)
           : PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_jsonschema_rule(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_t *schema, const prompt_json_t *value,
    const prompt_path_t *path)
{
    prompt_path_t                       step;
    prompt_jsonschema_rule_t           *rule;
    const prompt_jsonschema_keyword_t  *keyword;

    keyword = prompt_jsonschema_keyword(value->name, compiler->resource->draft);
    if (keyword == NULL) {
        return PROMPT_CHECK_OK;              /* an annotation */
    }

    rule = prompt_arena_zalloc(compiler->arena,
                               sizeof(prompt_jsonschema_rule_t));
    if (rule == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    rule->op = keyword->op;
    rule->keyword = keyword;
    rule->value = value;

    prompt_link(schema, rule, next);
    schema->rest = schema->rest
                   || rule->op == PROMPT_JSONSCHEMA_UNEVALUATED_ITEMS
                   || rule->op == PROMPT_JSONSCHEMA_UNEVALUATED_PROPERTIES;

    compiler->schema = schema;
    step = prompt_jsonschema_step(path, value, 0);

    return prompt_jsonschema_value(compiler, rule, keyword->kind, &step);
}


/*
 * In draft-07 a $ref stands alone: what stands beside it has no effect, but
 * for the definitions that others refer to.
 */
static bool
prompt_jsonschema_beside_ref(const prompt_json_t *member)
{
    return !prompt_str_eq(member->name, prompt_str("$ref"))
           && !prompt_str_eq(member->name, prompt_str("definitions"))
           && !prompt_str_eq(member->name, prompt_str("$defs"))
           && !prompt_str_eq(member->name, prompt_str("$schema"));
}


/* all keywords of a schema, which is its own resource or within one */
static prompt_check_t
prompt_jsonschema_rules(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_t *schema, const prompt_path_t *path)
{
    bool                  alone;
    prompt_check_t        rc;
    const prompt_json_t  *member;

    alone = compiler->resource->draft == PROMPT_JSONSCHEMA_DRAFT_07
            && prompt_json_get(schema->json, prompt_str("$ref")) != NULL;

    for (member = schema->json->first; member != NULL; member = member->next) {
        if (alone && prompt_jsonschema_beside_ref(member)) {
            continue;
        }

        rc = prompt_jsonschema_rule(compiler, schema, member, path);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_jsonschema_one(prompt_jsonschema_compiler_t *compiler,
    const prompt_json_t *json, const prompt_path_t *path,
    prompt_jsonschema_t **out)
{
    prompt_check_t                 rc;
    prompt_jsonschema_t           *schema;
    prompt_jsonschema_resource_t  *around;

    if (json->type != PROMPT_JSON_OBJECT && json->type != PROMPT_JSON_BOOLEAN) {
        return prompt_jsonschema_wrong(compiler, path, "must be a schema: an "
                                       "object, or true or false");
    }

    schema = prompt_arena_zalloc(compiler->arena, sizeof(prompt_jsonschema_t));
    if (schema == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    schema->json = json;
    *out = schema;

    around = compiler->resource;

    if (around->root == NULL) {
        around->root = schema;       /* of a document */
    }

    rc = prompt_jsonschema_enter(compiler, schema, path);

    if (rc == PROMPT_CHECK_OK) {
        schema->resource = compiler->resource;
        rc = prompt_jsonschema_rules(compiler, schema, path);
    }

    compiler->resource = around;

    return rc;
}


prompt_jsonschema_resource_t *
prompt_jsonschema_new_resource(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_draft_t draft, prompt_str_t uri)
{
    prompt_jsonschema_resource_t  *resource;

    resource = prompt_arena_zalloc(compiler->arena,
                                   sizeof(prompt_jsonschema_resource_t));
    if (resource == NULL) {
        return NULL;
    }

    resource->uri = uri;
    resource->draft = draft;
    resource->index = compiler->nresources++;

    prompt_link(&compiler->resources, resource, next);
    compiler->resource = resource;

    return resource;
}


prompt_check_t
prompt_jsonschema_document(prompt_jsonschema_compiler_t *compiler,
    const prompt_json_t *json, prompt_jsonschema_draft_t draft,
    prompt_str_t uri, prompt_jsonschema_t **schema)
{
    if (prompt_jsonschema_new_resource(compiler, draft, uri) == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    return prompt_jsonschema_one(compiler, json, &compiler->root, schema);
}


prompt_check_t
prompt_jsonschema_compile(prompt_arena_t *arena, const prompt_json_t *json,
    prompt_str_t name, prompt_jsonschema_t **schema, prompt_fault_t *fault)
{
    prompt_regex_context_t  regexes;

    memset(&regexes, 0, sizeof(regexes));
    regexes.arena = arena;
    regexes.room = PROMPT_JSONSCHEMA_MAX_REGEX;

    return prompt_jsonschema_compile_beside(&regexes, json, name, schema,
                                            fault);
}


prompt_check_t
prompt_jsonschema_compile_beside(prompt_regex_context_t *regexes,
    const prompt_json_t *json, prompt_str_t name, prompt_jsonschema_t **schema,
    prompt_fault_t *fault)
{
    prompt_check_t                rc;
    prompt_jsonschema_draft_t     draft;
    prompt_jsonschema_compiler_t  compiler;

    memset(&compiler, 0, sizeof(compiler));
    compiler.arena = regexes->arena;
    compiler.fault = fault;
    compiler.json = json;
    compiler.root.name = name;
    compiler.uri_room = PROMPT_JSONSCHEMA_MAX_URIS;
    compiler.uri_work = PROMPT_JSONSCHEMA_MAX_LOOKS;
    compiler.late_work = PROMPT_JSONSCHEMA_MAX_LATE_WORK;
    compiler.regexes = *regexes;

    draft = prompt_jsonschema_draft(json, PROMPT_JSONSCHEMA_2020_12);
    rc = prompt_jsonschema_document(&compiler, json, draft, prompt_str(""),
                                    schema);

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_jsonschema_link(&compiler);
    }

    regexes->room = compiler.regexes.room;

    return rc;
}
