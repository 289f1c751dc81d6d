/*
 * Compiling schemas: every keyword is checked and becomes a rule.
 *
 * The functions that go down call each other no deeper than the JSON value is
 * nested, which the caller has limited.
 */

#include "jsonschema/compiler.h"

#include <stdarg.h>
#include <stdio.h>


prompt_check_t
prompt_schema_wrong(prompt_schema_compiler_t *compiler,
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


prompt_path_t
prompt_schema_step(const prompt_path_t *parent, const prompt_json_t *child,
    size_t index)
{
    prompt_path_t  path;

    path.parent = parent;
    path.name = child->name;
    path.index = index;

    return path;
}


/* the schemas that are the elements or members of the rule's value */
static prompt_check_t
prompt_schema_children(prompt_schema_compiler_t *compiler,
    prompt_schema_rule_t *rule, prompt_schema_kind_t kind,
    const prompt_path_t *path)
{
    size_t                i;
    prompt_path_t         step;
    prompt_check_t        rc;
    const prompt_json_t  *child;

    rule->schemas = prompt_arena_array(compiler->arena, rule->value->count,
                                       sizeof(prompt_schema_t *));
    if (rule->schemas == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    i = 0;

    for (child = rule->value->first; child != NULL; child = child->next) {
        step = prompt_schema_step(path, child, i);

        rc = kind == PROMPT_SCHEMA_DEPENDENCIES
             && child->type == PROMPT_JSON_ARRAY
             ? prompt_schema_names(compiler, child, &step)
             : prompt_schema_one(compiler, child, &step, &rule->schemas[i]);

        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        i++;
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_schema_map(prompt_schema_compiler_t *compiler,
    prompt_schema_rule_t *rule, prompt_schema_kind_t kind,
    const prompt_path_t *path)
{
    size_t                i;
    prompt_path_t         step;
    prompt_check_t        rc;
    const prompt_json_t  *member;

    if (rule->value->type != PROMPT_JSON_OBJECT) {
        return prompt_schema_wrong(compiler, path, "must be an object");
    }

    rc = prompt_schema_sort(compiler, rule);

    if (rc == PROMPT_CHECK_OK && kind == PROMPT_SCHEMA_REGEX_MAP) {
        rc = prompt_schema_patterns(compiler, rule, path);
    }

    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    if (kind != PROMPT_SCHEMA_NAMES_MAP) {
        return prompt_schema_children(compiler, rule, kind, path);
    }

    i = 0;

    for (member = rule->value->first; member != NULL; member = member->next) {
        step = prompt_schema_step(path, member, i++);

        rc = prompt_schema_names(compiler, member, &step);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_schema_several(prompt_schema_compiler_t *compiler,
    prompt_schema_rule_t *rule, prompt_schema_kind_t kind,
    const prompt_path_t *path)
{
    if (rule->value->type != PROMPT_JSON_ARRAY) {
        return prompt_schema_wrong(compiler, path,
                                   "must be an array of schemas");
    }

    if (rule->value->count == 0 && kind == PROMPT_SCHEMA_SEVERAL) {
        return prompt_schema_wrong(compiler, path, "must not be empty");
    }

    return prompt_schema_children(compiler, rule, kind, path);
}


/* what comparing with a value takes: its parts, and its text */
static uint64_t
prompt_schema_weight(const prompt_json_t *value)
{
    uint64_t              weight;
    const prompt_json_t  *child;

    weight = 1 + value->text.len / 64;

    for (child = value->first; child != NULL; child = child->next) {
        weight += 1 + prompt_schema_weight(child);
    }

    return weight;
}


/* the value of a keyword that has no schemas below it */
static prompt_check_t
prompt_schema_plain_value(prompt_schema_compiler_t *compiler,
    prompt_schema_rule_t *rule, prompt_schema_kind_t kind,
    const prompt_path_t *path)
{
    const prompt_json_t  *value;

    value = rule->value;

    switch (kind) {

    case PROMPT_SCHEMA_ANY:
        rule->count = prompt_schema_weight(value);
        return PROMPT_CHECK_OK;

    case PROMPT_SCHEMA_FORM:
        if (value->type == PROMPT_JSON_STRING) {
            rule->of.format = prompt_format(value->text);
        }

        /* fall through */

    case PROMPT_SCHEMA_STRING:
        return value->type == PROMPT_JSON_STRING ? PROMPT_CHECK_OK
               : prompt_schema_wrong(compiler, path, "must be a string");

    case PROMPT_SCHEMA_BOOLEAN:
        return value->type == PROMPT_JSON_BOOLEAN ? PROMPT_CHECK_OK
               : prompt_schema_wrong(compiler, path, "must be true or false");

    case PROMPT_SCHEMA_LIST:
        rule->count = prompt_schema_weight(value);
        return value->type == PROMPT_JSON_ARRAY ? PROMPT_CHECK_OK
               : prompt_schema_wrong(compiler, path, "must be an array");

    case PROMPT_SCHEMA_NUMBER:
    case PROMPT_SCHEMA_DIVISOR:
    case PROMPT_SCHEMA_COUNT:
        return prompt_schema_number(compiler, rule, kind, path);

    case PROMPT_SCHEMA_TYPES:
        return prompt_schema_types(compiler, rule, path);

    case PROMPT_SCHEMA_NAMES:
        return prompt_schema_names(compiler, value, path);

    case PROMPT_SCHEMA_REGEX:
        return prompt_schema_pattern(compiler, rule, path);

    case PROMPT_SCHEMA_DIALECT:
        return prompt_schema_dialect_check(compiler, value, path);

    case PROMPT_SCHEMA_REFERENCE:
        return prompt_schema_reference(compiler, rule, path);

    case PROMPT_SCHEMA_VOCABULARY:
        return prompt_schema_vocabulary(compiler, value, path);

    default:     /* PROMPT_SCHEMA_IDENTIFIER: looked at before all others */
        return PROMPT_CHECK_OK;
    }
}


/* Checks and compiles the value of a keyword. */
static prompt_check_t
prompt_schema_value(prompt_schema_compiler_t *compiler,
    prompt_schema_t *schema, prompt_schema_rule_t *rule,
    prompt_schema_kind_t kind, const prompt_path_t *path)
{
    switch (kind) {

    case PROMPT_SCHEMA_ONE_OR_SEVERAL:
        if (rule->value->type == PROMPT_JSON_ARRAY) {
            return prompt_schema_several(compiler, rule, kind, path);
        }

        /* fall through */

    case PROMPT_SCHEMA_ONE:
        return prompt_schema_one(compiler, rule->value, path, &rule->schema);

    case PROMPT_SCHEMA_SEVERAL:
        return prompt_schema_several(compiler, rule, kind, path);

    case PROMPT_SCHEMA_MAP:
    case PROMPT_SCHEMA_NAMES_MAP:
    case PROMPT_SCHEMA_REGEX_MAP:
    case PROMPT_SCHEMA_DEPENDENCIES:
        return prompt_schema_map(compiler, rule, kind, path);

    case PROMPT_SCHEMA_ANCHOR:
    case PROMPT_SCHEMA_DYNAMIC_ANCHOR:
        return prompt_schema_anchor(compiler, schema, rule->value,
                                    kind == PROMPT_SCHEMA_DYNAMIC_ANCHOR,
                                    path);

    default:
        return prompt_schema_plain_value(compiler, rule, kind, path);
    }
}


static prompt_check_t
prompt_schema_rule(prompt_schema_compiler_t *compiler, prompt_schema_t *schema,
    const prompt_json_t *value, const prompt_path_t *path)
{
    prompt_path_t                   step;
    prompt_schema_rule_t           *rule;
    const prompt_schema_keyword_t  *keyword;

    keyword = prompt_schema_keyword(value->name, compiler->resource->draft);
    if (keyword == NULL) {
        return PROMPT_CHECK_OK;              /* an annotation */
    }

    rule = prompt_arena_zalloc(compiler->arena, sizeof(prompt_schema_rule_t));
    if (rule == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    rule->op = keyword->op;
    rule->value = value;

    if (schema->last != NULL) {
        schema->last->next = rule;

    } else {
        schema->first = rule;
    }

    schema->last = rule;
    schema->rest = schema->rest
                   || rule->op == PROMPT_SCHEMA_UNEVALUATED_ITEMS
                   || rule->op == PROMPT_SCHEMA_UNEVALUATED_PROPERTIES;

    step = prompt_schema_step(path, value, 0);

    return prompt_schema_value(compiler, schema, rule, keyword->kind, &step);
}


/*
 * In draft-07 a $ref stands alone: what stands beside it has no effect, but
 * for the definitions that others refer to.
 */
static bool
prompt_schema_beside_ref(const prompt_json_t *member)
{
    return !prompt_str_eq(member->name, prompt_str("$ref"))
           && !prompt_str_eq(member->name, prompt_str("definitions"))
           && !prompt_str_eq(member->name, prompt_str("$defs"))
           && !prompt_str_eq(member->name, prompt_str("$schema"));
}


/* all keywords of a schema, which is its own resource or within one */
static prompt_check_t
prompt_schema_rules(prompt_schema_compiler_t *compiler, prompt_schema_t *schema,
    const prompt_path_t *path)
{
    bool                  alone;
    prompt_check_t        rc;
    const prompt_json_t  *member;

    alone = compiler->resource->draft == PROMPT_SCHEMA_DRAFT_07
            && prompt_json_get(schema->json, prompt_str("$ref")) != NULL;

    for (member = schema->json->first; member != NULL; member = member->next) {
        if (alone && prompt_schema_beside_ref(member)) {
            continue;
        }

        rc = prompt_schema_rule(compiler, schema, member, path);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_schema_one(prompt_schema_compiler_t *compiler,
    const prompt_json_t *json, const prompt_path_t *path,
    prompt_schema_t **out)
{
    prompt_check_t             rc;
    prompt_schema_t           *schema;
    prompt_schema_resource_t  *around;

    if (json->type != PROMPT_JSON_OBJECT && json->type != PROMPT_JSON_BOOLEAN) {
        return prompt_schema_wrong(compiler, path, "must be a schema: an "
                                   "object, or true or false");
    }

    schema = prompt_arena_zalloc(compiler->arena, sizeof(prompt_schema_t));
    if (schema == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    schema->json = json;
    *out = schema;

    around = compiler->resource;

    if (around->root == NULL) {
        around->root = schema;       /* of a document */
    }

    rc = prompt_schema_enter(compiler, schema, path);

    if (rc == PROMPT_CHECK_OK) {
        schema->resource = compiler->resource;
        rc = prompt_schema_rules(compiler, schema, path);
    }

    compiler->resource = around;

    return rc;
}


prompt_check_t
prompt_schema_document(prompt_schema_compiler_t *compiler,
    const prompt_json_t *json, prompt_schema_draft_t draft, prompt_str_t uri,
    prompt_schema_t **schema)
{
    prompt_path_t              path;
    prompt_schema_resource_t  *resource;

    resource = prompt_arena_zalloc(compiler->arena,
                                   sizeof(prompt_schema_resource_t));
    if (resource == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    resource->uri = uri;
    resource->draft = draft;
    resource->index = compiler->nresources++;

    if (compiler->last != NULL) {
        compiler->last->next = resource;

    } else {
        compiler->resources = resource;
    }

    compiler->last = resource;
    compiler->resource = resource;

    path.parent = NULL;
    path.name = prompt_str("inputSchema");
    path.index = 0;

    return prompt_schema_one(compiler, json, &path, schema);
}


prompt_check_t
prompt_schema_compile(prompt_arena_t *arena, const prompt_json_t *json,
    prompt_schema_t **schema, prompt_fault_t *fault)
{
    prompt_check_t             rc;
    const prompt_json_t       *dialect;
    prompt_schema_draft_t      draft;
    prompt_schema_compiler_t   compiler;

    memset(&compiler, 0, sizeof(compiler));
    compiler.arena = arena;
    compiler.fault = fault;
    compiler.json = json;
    compiler.uri_room = PROMPT_SCHEMA_MAX_URIS;
    compiler.uri_work = PROMPT_SCHEMA_MAX_LOOKS;
    compiler.late_work = PROMPT_SCHEMA_MAX_LATE_WORK;
    compiler.regexes.arena = arena;
    compiler.regexes.room = PROMPT_SCHEMA_MAX_REGEX;

    dialect = prompt_json_get(json, prompt_str("$schema"));

    draft = dialect != NULL && dialect->type == PROMPT_JSON_STRING
            ? prompt_schema_dialect(dialect->text) : 0;

    if (draft == 0) {
        draft = PROMPT_SCHEMA_2020_12;
    }

    rc = prompt_schema_document(&compiler, json, draft, prompt_str(""),
                                schema);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    return prompt_schema_link(&compiler);
}
