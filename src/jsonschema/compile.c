/*
 * Compiling schemas: every keyword is checked and becomes a rule.
 *
 * The functions that go down call each other no deeper than the JSON value is
 * nested, which the caller has limited.
 */

#include "jsonschema/compiler_impl.h"

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


prompt_path_t
prompt_jsonschema_step(const prompt_path_t *parent, const prompt_json_t *child,
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
prompt_jsonschema_children(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, prompt_jsonschema_kind_t kind,
    const prompt_path_t *path)
{
    size_t                i;
    prompt_path_t         step;
    prompt_check_t        rc;
    const prompt_json_t  *child;

    rule->schemas = prompt_arena_array(compiler->arena, rule->value->count,
                                       sizeof(prompt_jsonschema_t *));
    if (rule->schemas == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    i = 0;

    for (child = rule->value->first; child != NULL; child = child->next) {
        step = prompt_jsonschema_step(path, child, i);

        rc = kind == PROMPT_JSONSCHEMA_DEPENDENCIES
             && child->type == PROMPT_JSON_ARRAY
             ? prompt_jsonschema_names(compiler, child, &step)
             : prompt_jsonschema_one(compiler, child, &step, &rule->schemas[i]);

        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        i++;
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_jsonschema_map(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, prompt_jsonschema_kind_t kind,
    const prompt_path_t *path)
{
    size_t                i;
    prompt_path_t         step;
    prompt_check_t        rc;
    const prompt_json_t  *member;

    if (rule->value->type != PROMPT_JSON_OBJECT) {
        return prompt_jsonschema_wrong(compiler, path, "must be an object");
    }

    rc = prompt_jsonschema_sort(compiler, rule);

    if (rc == PROMPT_CHECK_OK && kind == PROMPT_JSONSCHEMA_REGEX_MAP) {
        rc = prompt_jsonschema_patterns(compiler, rule, path);
    }

    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    if (kind != PROMPT_JSONSCHEMA_NAMES_MAP) {
        return prompt_jsonschema_children(compiler, rule, kind, path);
    }

    i = 0;

    for (member = rule->value->first; member != NULL; member = member->next) {
        step = prompt_jsonschema_step(path, member, i++);

        rc = prompt_jsonschema_names(compiler, member, &step);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_jsonschema_several(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, prompt_jsonschema_kind_t kind,
    const prompt_path_t *path)
{
    if (rule->value->type != PROMPT_JSON_ARRAY) {
        return prompt_jsonschema_wrong(compiler, path,
                                       "must be an array of schemas");
    }

    if (rule->value->count == 0 && kind == PROMPT_JSONSCHEMA_SEVERAL) {
        return prompt_jsonschema_wrong(compiler, path, "must not be empty");
    }

    return prompt_jsonschema_children(compiler, rule, kind, path);
}


/* what comparing with a value takes: its parts, and its text */
static uint64_t
prompt_jsonschema_weight(const prompt_json_t *value)
{
    uint64_t              weight;
    const prompt_json_t  *child;

    weight = 1 + value->text.len / 64;

    for (child = value->first; child != NULL; child = child->next) {
        weight += 1 + prompt_jsonschema_weight(child);
    }

    return weight;
}


/* the value of a keyword that has no schemas below it */
static prompt_check_t
prompt_jsonschema_plain_value(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, prompt_jsonschema_kind_t kind,
    const prompt_path_t *path)
{
    const prompt_json_t  *value;

    value = rule->value;

    switch (kind) {

    case PROMPT_JSONSCHEMA_ANY:
        rule->count = prompt_jsonschema_weight(value);
        return PROMPT_CHECK_OK;

    case PROMPT_JSONSCHEMA_FORM:
        if (value->type == PROMPT_JSON_STRING) {
            rule->of.format = prompt_format(value->text);
        }

        /* fall through */

    case PROMPT_JSONSCHEMA_STRING:
        return value->type == PROMPT_JSON_STRING ? PROMPT_CHECK_OK
               : prompt_jsonschema_wrong(compiler, path, "must be a string");

    case PROMPT_JSONSCHEMA_BOOLEAN:
        return value->type == PROMPT_JSON_BOOLEAN ? PROMPT_CHECK_OK
               : prompt_jsonschema_wrong(compiler, path,
                                         "must be true or false");

    case PROMPT_JSONSCHEMA_LIST:
        rule->count = prompt_jsonschema_weight(value);
        return value->type == PROMPT_JSON_ARRAY ? PROMPT_CHECK_OK
               : prompt_jsonschema_wrong(compiler, path, "must be an array");

    case PROMPT_JSONSCHEMA_NUMBER:
    case PROMPT_JSONSCHEMA_DIVISOR:
    case PROMPT_JSONSCHEMA_COUNT:
        return prompt_jsonschema_number(compiler, rule, kind, path);

    case PROMPT_JSONSCHEMA_TYPES:
        return prompt_jsonschema_types(compiler, rule, path);

    case PROMPT_JSONSCHEMA_NAMES:
        return prompt_jsonschema_names(compiler, value, path);

    case PROMPT_JSONSCHEMA_REGEX:
        return prompt_jsonschema_pattern(compiler, rule, path);

    case PROMPT_JSONSCHEMA_DIALECT:
        return prompt_jsonschema_dialect_check(compiler, value, path);

    case PROMPT_JSONSCHEMA_REFERENCE:
        return prompt_jsonschema_reference(compiler, rule, path);

    case PROMPT_JSONSCHEMA_VOCABULARY:
        return prompt_jsonschema_vocabulary(compiler, value, path);

    default:     /* PROMPT_JSONSCHEMA_IDENTIFIER: looked at before all others */
        return PROMPT_CHECK_OK;
    }
}


/* Checks and compiles the value of a keyword. */
static prompt_check_t
prompt_jsonschema_value(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_t *schema, prompt_jsonschema_rule_t *rule,
    prompt_jsonschema_kind_t kind, const prompt_path_t *path)
{
    switch (kind) {

    case PROMPT_JSONSCHEMA_ONE_OR_SEVERAL:
        if (rule->value->type == PROMPT_JSON_ARRAY) {
            return prompt_jsonschema_several(compiler, rule, kind, path);
        }

        /* fall through */

    case PROMPT_JSONSCHEMA_ONE:
        return prompt_jsonschema_one(compiler, rule->value, path,
                                     &rule->schema);

    case PROMPT_JSONSCHEMA_SEVERAL:
        return prompt_jsonschema_several(compiler, rule, kind, path);

    case PROMPT_JSONSCHEMA_MAP:
    case PROMPT_JSONSCHEMA_NAMES_MAP:
    case PROMPT_JSONSCHEMA_REGEX_MAP:
    case PROMPT_JSONSCHEMA_DEPENDENCIES:
        return prompt_jsonschema_map(compiler, rule, kind, path);

    case PROMPT_JSONSCHEMA_ANCHOR:
    case PROMPT_JSONSCHEMA_DYNAMIC_ANCHOR:
        return prompt_jsonschema_anchor(compiler, schema, rule->value,
                                        kind
                                        == PROMPT_JSONSCHEMA_DYNAMIC_ANCHOR,
                                        path);

    default:
        return prompt_jsonschema_plain_value(compiler, rule, kind, path);
    }
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
    rule->value = value;

    if (schema->last != NULL) {
        schema->last->next = rule;

    } else {
        schema->first = rule;
    }

    schema->last = rule;
    schema->rest = schema->rest
                   || rule->op == PROMPT_JSONSCHEMA_UNEVALUATED_ITEMS
                   || rule->op == PROMPT_JSONSCHEMA_UNEVALUATED_PROPERTIES;

    step = prompt_jsonschema_step(path, value, 0);

    return prompt_jsonschema_value(compiler, schema, rule, keyword->kind,
                                   &step);
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


prompt_check_t
prompt_jsonschema_document(prompt_jsonschema_compiler_t *compiler,
    const prompt_json_t *json, prompt_jsonschema_draft_t draft,
    prompt_str_t uri, prompt_jsonschema_t **schema)
{
    prompt_path_t                  path;
    prompt_jsonschema_resource_t  *resource;

    resource = prompt_arena_zalloc(compiler->arena,
                                   sizeof(prompt_jsonschema_resource_t));
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

    return prompt_jsonschema_one(compiler, json, &path, schema);
}


prompt_check_t
prompt_jsonschema_compile(prompt_arena_t *arena, const prompt_json_t *json,
    prompt_jsonschema_t **schema, prompt_fault_t *fault)
{
    prompt_check_t                rc;
    const prompt_json_t          *dialect;
    prompt_jsonschema_draft_t     draft;
    prompt_jsonschema_compiler_t  compiler;

    memset(&compiler, 0, sizeof(compiler));
    compiler.arena = arena;
    compiler.fault = fault;
    compiler.json = json;
    compiler.uri_room = PROMPT_JSONSCHEMA_MAX_URIS;
    compiler.uri_work = PROMPT_JSONSCHEMA_MAX_LOOKS;
    compiler.late_work = PROMPT_JSONSCHEMA_MAX_LATE_WORK;
    compiler.regexes.arena = arena;
    compiler.regexes.room = PROMPT_JSONSCHEMA_MAX_REGEX;

    dialect = prompt_json_get(json, prompt_str("$schema"));

    draft = dialect != NULL && dialect->type == PROMPT_JSON_STRING
            ? prompt_jsonschema_dialect(dialect->text) : 0;

    if (draft == 0) {
        draft = PROMPT_JSONSCHEMA_2020_12;
    }

    rc = prompt_jsonschema_document(&compiler, json, draft, prompt_str(""),
                                    schema);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    return prompt_jsonschema_link(&compiler);
}
