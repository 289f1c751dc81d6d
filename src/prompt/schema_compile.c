/*
 * Compiling input schemas: every keyword is checked and becomes a rule.
 *
 * The functions that go down call each other no deeper than the JSON value is
 * nested, which the caller has limited.
 */

#include "prompt/schema.h"

#include <stdarg.h>
#include <stdio.h>


/*
 * How many schemas may be applied one within the other to one value (by
 * $ref, allOf, if and so on): what validation's recursion takes for one level
 * of the input.
 */
#define PROMPT_SCHEMA_MAX_HEIGHT  32


/* a reference to be resolved when all schemas are known */
typedef struct prompt_schema_pending_s  prompt_schema_pending_t;

struct prompt_schema_pending_s {
    prompt_schema_rule_t      *rule;
    prompt_str_t               field;
    prompt_schema_pending_t   *next;
};


typedef struct prompt_schema_anchor_s  prompt_schema_anchor_t;

struct prompt_schema_anchor_s {
    prompt_json_t             *name;
    prompt_schema_t           *schema;
    prompt_str_t               field;
    prompt_schema_anchor_t    *next;
};


typedef struct {
    prompt_arena_t            *arena;
    prompt_fault_t            *fault;
    prompt_schema_document_t   document;
    prompt_schema_pending_t   *pending;
    prompt_schema_anchor_t    *anchors;
    prompt_schema_t           *meta[PROMPT_SCHEMA_DRAFT_07 + 1];
    unsigned                   regex_room;
} prompt_schema_compiler_t;


static prompt_check_t prompt_schema_one(prompt_schema_compiler_t *compiler,
    const prompt_json_t *json, const prompt_path_t *path,
    prompt_schema_t **schema);


/* a fault where path stands */
static prompt_check_t __attribute__((format(printf, 3, 4)))
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


static prompt_path_t
prompt_schema_step(const prompt_path_t *parent, const prompt_json_t *child,
    size_t index)
{
    prompt_path_t  path;

    path.parent = parent;
    path.name = child->name;
    path.index = index;

    return path;
}


/* an object of anything: its members sorted by name */
static prompt_check_t
prompt_schema_sort(prompt_schema_compiler_t *compiler,
    prompt_schema_rule_t *rule)
{
    size_t                i;
    const prompt_json_t  *member;

    rule->index = prompt_arena_array(compiler->arena, rule->value->count,
                                     sizeof(prompt_json_member_t));
    if (rule->index == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    i = 0;

    for (member = rule->value->first; member != NULL; member = member->next) {
        rule->index[i].value = member;
        rule->index[i].offset = i;
        i++;
    }

    prompt_json_members_sort(rule->index, i);

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_schema_names(prompt_schema_compiler_t *compiler,
    const prompt_json_t *value, const prompt_path_t *path)
{
    size_t                 i, twice, bytes;
    prompt_path_t          step;
    prompt_json_unique_t   unique;
    const prompt_json_t   *name;

    if (value->type != PROMPT_JSON_ARRAY) {
        return prompt_schema_wrong(compiler, path,
                                   "must be an array of strings");
    }

    i = 0;

    for (name = value->first; name != NULL; name = name->next) {
        if (name->type != PROMPT_JSON_STRING) {
            step = prompt_schema_step(path, name, i);
            return prompt_schema_wrong(compiler, &step, "must be a string");
        }

        i++;
    }

    unique = prompt_json_unique(value, &twice, &bytes);

    if (unique == PROMPT_JSON_UNIQUE_NOMEM) {
        return PROMPT_CHECK_NOMEM;
    }

    if (unique == PROMPT_JSON_NOT_UNIQUE) {
        return prompt_schema_wrong(compiler, path,
                                   "must not name a property twice");
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_schema_types(prompt_schema_compiler_t *compiler,
    prompt_schema_rule_t *rule, const prompt_path_t *path)
{
    size_t                i;
    unsigned              bit;
    prompt_path_t         step;
    const prompt_json_t  *value, *name;

    value = rule->value;

    if (value->type == PROMPT_JSON_STRING) {
        rule->types = prompt_schema_type(value->text);

        if (rule->types == 0) {
            return prompt_schema_wrong(compiler, path,
                                       "must name a type of JSON Schema");
        }

        return PROMPT_CHECK_OK;
    }

    if (value->type != PROMPT_JSON_ARRAY || value->count == 0) {
        return prompt_schema_wrong(compiler, path, "must be the name of a "
                                   "type, or an array of them");
    }

    i = 0;

    for (name = value->first; name != NULL; name = name->next) {
        bit = name->type == PROMPT_JSON_STRING ? prompt_schema_type(name->text)
                                               : 0;
        step = prompt_schema_step(path, name, i++);

        if (bit == 0) {
            return prompt_schema_wrong(compiler, &step,
                                       "must name a type of JSON Schema");
        }

        if ((rule->types & bit) != 0) {
            return prompt_schema_wrong(compiler, &step,
                                       "must not repeat a type");
        }

        rule->types |= bit;
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_schema_number(prompt_schema_compiler_t *compiler,
    prompt_schema_rule_t *rule, prompt_schema_kind_t kind,
    const prompt_path_t *path)
{
    int64_t               n;
    const prompt_json_t  *value;

    value = rule->value;

    if (kind == PROMPT_SCHEMA_COUNT) {
        if (!prompt_json_integer(value, &n) || n < 0) {
            return prompt_schema_wrong(compiler, path,
                                       "must be an integer from 0");
        }

        rule->count = (uint64_t) n;
        return PROMPT_CHECK_OK;
    }

    if (value->type != PROMPT_JSON_NUMBER
        || !prompt_decimal_parse(value->text, &rule->number))
    {
        return prompt_schema_wrong(compiler, path, "must be a number");
    }

    if (kind != PROMPT_SCHEMA_DIVISOR) {
        return PROMPT_CHECK_OK;
    }

    if (rule->number.count == 0 || rule->number.negative) {
        return prompt_schema_wrong(compiler, path, "must be above 0");
    }

    if (rule->number.count > PROMPT_DECIMAL_DIVISOR_DIGITS) {
        return prompt_schema_wrong(compiler, path,
                                   "must not have more than %d digits",
                                   PROMPT_DECIMAL_DIVISOR_DIGITS);
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_schema_regex(prompt_schema_compiler_t *compiler, prompt_str_t pattern,
    prompt_regex_t **regex, const prompt_path_t *path)
{
    const char             *message;
    prompt_regex_status_t   status;

    status = prompt_regex_compile(compiler->arena, pattern,
                                  &compiler->regex_room, regex, &message);

    switch (status) {

    case PROMPT_REGEX_OK:
        return PROMPT_CHECK_OK;

    case PROMPT_REGEX_NOMEM:
        return PROMPT_CHECK_NOMEM;

    case PROMPT_REGEX_SYNTAX:
        return prompt_schema_wrong(compiler, path,
                                   "is no regular expression: %s", message);

    default:
        return prompt_schema_wrong(compiler, path,
                                   "is a regular expression that is not "
                                   "supported: %s", message);
    }
}


/* the regexes of patternProperties */
static prompt_check_t
prompt_schema_regexes(prompt_schema_compiler_t *compiler,
    prompt_schema_rule_t *rule, const prompt_path_t *path)
{
    size_t                i;
    prompt_path_t         step;
    prompt_check_t        rc;
    const prompt_json_t  *member;

    rule->regexes = prompt_arena_array(compiler->arena, rule->value->count,
                                       sizeof(prompt_regex_t *));
    if (rule->regexes == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    i = 0;

    for (member = rule->value->first; member != NULL; member = member->next) {
        step = prompt_schema_step(path, member, i);

        rc = prompt_schema_regex(compiler, member->name, &rule->regexes[i],
                                 &step);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        i++;
    }

    return PROMPT_CHECK_OK;
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
        rc = prompt_schema_regexes(compiler, rule, path);
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


/* a name that references may use for the schema */
static prompt_check_t
prompt_schema_add_anchor(prompt_schema_compiler_t *compiler,
    prompt_schema_t *schema, prompt_str_t name, const prompt_path_t *path)
{
    size_t                   i;
    prompt_schema_anchor_t  *anchor;

    for (i = 0; i < name.len; i++) {
        if (!((name.data[i] | 0x20) >= 'a' && (name.data[i] | 0x20) <= 'z')
            && name.data[i] != '_'
            && (i == 0 || !((name.data[i] >= '0' && name.data[i] <= '9')
                            || name.data[i] == '-' || name.data[i] == '.'
                            || name.data[i] == ':')))
        {
            break;
        }
    }

    if (i != name.len || name.len == 0) {
        return prompt_schema_wrong(compiler, path, "must begin with a letter "
                                   "and consist of letters, digits, \"-\", "
                                   "\"_\" and \".\"");
    }

    anchor = prompt_arena_zalloc(compiler->arena,
                                 sizeof(prompt_schema_anchor_t));
    if (anchor == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    anchor->name = prompt_json_new(compiler->arena, PROMPT_JSON_NULL);
    anchor->field = prompt_path_text(compiler->arena, path);

    if (anchor->name == NULL || anchor->field.data == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    anchor->name->name = name;
    anchor->schema = schema;
    anchor->next = compiler->anchors;
    compiler->anchors = anchor;
    compiler->document.nanchors++;

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_schema_identifier(prompt_schema_compiler_t *compiler,
    prompt_schema_t *schema, const prompt_json_t *value,
    const prompt_path_t *path)
{
    const char    *hash;
    prompt_str_t   id;

    if (value->type != PROMPT_JSON_STRING) {
        return prompt_schema_wrong(compiler, path, "must be a string");
    }

    id = value->text;
    hash = id.len != 0 ? memchr(id.data, '#', id.len) : NULL;

    if (compiler->document.draft == PROMPT_SCHEMA_DRAFT_07 && hash == id.data
        && id.len > 1)
    {
        return prompt_schema_add_anchor(compiler, schema,
                                        prompt_str_of(id.data + 1, id.len - 1),
                                        path);
    }

    if (hash != NULL && hash + 1 != id.data + id.len) {
        return prompt_schema_wrong(compiler, path,
                                   "must not have a fragment");
    }

    if (schema != compiler->document.root) {
        return prompt_schema_wrong(compiler, path, "is not supported but at "
                                   "the root of the schema");
    }

    compiler->document.id = id;

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_schema_check_dialect(prompt_schema_compiler_t *compiler,
    const prompt_json_t *value, const prompt_path_t *path)
{
    prompt_schema_draft_t  draft;

    draft = value->type == PROMPT_JSON_STRING
            ? prompt_schema_dialect(value->text) : 0;

    if (draft == 0) {
        return prompt_schema_wrong(compiler, path, "must be \"https://"
                                   "json-schema.org/draft/2020-12/schema\" or "
                                   "\"http://json-schema.org/draft-07/schema#"
                                   "\"");
    }

    if (draft != compiler->document.draft) {
        return prompt_schema_wrong(compiler, path, "must be the same within "
                                   "one schema");
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_schema_reference(prompt_schema_compiler_t *compiler,
    prompt_schema_rule_t *rule, const prompt_path_t *path)
{
    prompt_schema_pending_t  *pending;

    if (rule->value->type != PROMPT_JSON_STRING) {
        return prompt_schema_wrong(compiler, path, "must be a string");
    }

    pending = prompt_arena_zalloc(compiler->arena,
                                  sizeof(prompt_schema_pending_t));
    if (pending == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    pending->rule = rule;
    pending->field = prompt_path_text(compiler->arena, path);
    pending->next = compiler->pending;
    compiler->pending = pending;

    return pending->field.data != NULL ? PROMPT_CHECK_OK : PROMPT_CHECK_NOMEM;
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


/* Checks and compiles the value of a keyword. */
static prompt_check_t
prompt_schema_value(prompt_schema_compiler_t *compiler,
    prompt_schema_t *schema, prompt_schema_rule_t *rule,
    prompt_schema_kind_t kind, const prompt_path_t *path)
{
    const prompt_json_t  *value;

    value = rule->value;

    switch (kind) {

    case PROMPT_SCHEMA_ANY:
        rule->count = prompt_schema_weight(value);
        return PROMPT_CHECK_OK;

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
        if (value->type != PROMPT_JSON_STRING) {
            return prompt_schema_wrong(compiler, path, "must be a string");
        }

        rule->regexes = prompt_arena_array(compiler->arena, 1,
                                           sizeof(prompt_regex_t *));
        if (rule->regexes == NULL) {
            return PROMPT_CHECK_NOMEM;
        }

        return prompt_schema_regex(compiler, value->text, rule->regexes, path);

    case PROMPT_SCHEMA_ONE_OR_SEVERAL:
        if (value->type == PROMPT_JSON_ARRAY) {
            return prompt_schema_several(compiler, rule, kind, path);
        }

        /* fall through */

    case PROMPT_SCHEMA_ONE:
        return prompt_schema_one(compiler, value, path, &rule->schema);

    case PROMPT_SCHEMA_SEVERAL:
        return prompt_schema_several(compiler, rule, kind, path);

    case PROMPT_SCHEMA_MAP:
    case PROMPT_SCHEMA_NAMES_MAP:
    case PROMPT_SCHEMA_REGEX_MAP:
    case PROMPT_SCHEMA_DEPENDENCIES:
        return prompt_schema_map(compiler, rule, kind, path);

    case PROMPT_SCHEMA_DIALECT:
        return prompt_schema_check_dialect(compiler, value, path);

    case PROMPT_SCHEMA_IDENTIFIER:
        return prompt_schema_identifier(compiler, schema, value, path);

    case PROMPT_SCHEMA_ANCHOR:
        if (value->type != PROMPT_JSON_STRING) {
            return prompt_schema_wrong(compiler, path, "must be a string");
        }

        return prompt_schema_add_anchor(compiler, schema, value->text, path);

    case PROMPT_SCHEMA_REFERENCE:
        return prompt_schema_reference(compiler, rule, path);

    case PROMPT_SCHEMA_UNSUPPORTED:
        break;
    }

    return prompt_schema_wrong(compiler, path,
                               "is a keyword that is not supported");
}


static prompt_check_t
prompt_schema_rule(prompt_schema_compiler_t *compiler, prompt_schema_t *schema,
    const prompt_json_t *value, const prompt_path_t *path)
{
    prompt_path_t                   step;
    prompt_schema_rule_t           *rule;
    const prompt_schema_keyword_t  *keyword;

    keyword = prompt_schema_keyword(value->name, compiler->document.draft);
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

    step = prompt_schema_step(path, value, 0);

    return prompt_schema_value(compiler, schema, rule, keyword->kind, &step);
}


/*
 * In draft-07 a $ref stands alone: what stands beside it has no effect, but
 * for the definitions that others refer to.
 */
static bool
prompt_schema_beside_ref(prompt_schema_compiler_t *compiler,
    const prompt_json_t *json, const prompt_json_t *member)
{
    return compiler->document.draft == PROMPT_SCHEMA_DRAFT_07
           && prompt_json_get(json, prompt_str("$ref")) != NULL
           && !prompt_str_eq(member->name, prompt_str("$ref"))
           && !prompt_str_eq(member->name, prompt_str("definitions"))
           && !prompt_str_eq(member->name, prompt_str("$defs"))
           && !prompt_str_eq(member->name, prompt_str("$schema"));
}


static prompt_check_t
prompt_schema_one(prompt_schema_compiler_t *compiler,
    const prompt_json_t *json, const prompt_path_t *path,
    prompt_schema_t **out)
{
    prompt_check_t        rc;
    prompt_schema_t      *schema;
    const prompt_json_t  *member;

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

    if (compiler->document.root == NULL) {
        compiler->document.root = schema;
    }

    for (member = json->first; member != NULL; member = member->next) {
        if (prompt_schema_beside_ref(compiler, json, member)) {
            continue;
        }

        rc = prompt_schema_rule(compiler, schema, member, path);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_schema_sort_anchors(prompt_schema_compiler_t *compiler)
{
    size_t                     i, n;
    prompt_schema_anchor_t    *anchor;
    prompt_schema_document_t  *document;

    document = &compiler->document;
    n = document->nanchors;

    document->anchors = prompt_arena_array(compiler->arena, n,
                                           sizeof(prompt_json_member_t));
    document->anchored = prompt_arena_array(compiler->arena, n,
                                            sizeof(prompt_schema_t *));

    if (document->anchors == NULL || document->anchored == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    /* they were put in front of each other */

    i = n;

    for (anchor = compiler->anchors; anchor != NULL; anchor = anchor->next) {
        i--;
        document->anchors[i].value = anchor->name;
        document->anchors[i].offset = i;
        document->anchored[i] = anchor->schema;
    }

    prompt_json_members_sort(document->anchors, n);

    for (i = 1; i < n; i++) {
        if (prompt_str_eq(document->anchors[i].value->name,
                          document->anchors[i - 1].value->name))
        {
            return prompt_fault_set(compiler->arena, compiler->fault,
                                    compiler->anchors->field,
                                    "inputSchema has two anchors of the same "
                                    "name");
        }
    }

    return PROMPT_CHECK_OK;
}


/* the compiled meta-schema, read and compiled when it is first referred to */
static prompt_check_t
prompt_schema_get_meta(prompt_schema_compiler_t *compiler,
    prompt_schema_draft_t draft, prompt_schema_t **schema)
{
    prompt_check_t        rc;
    prompt_json_t        *json;
    prompt_json_error_t   error;

    if (compiler->meta[draft] == NULL) {
        json = prompt_json_read(compiler->arena, prompt_schema_meta(draft),
                                PROMPT_LIMIT_DEPTH, &error);
        if (json == NULL) {
            return PROMPT_CHECK_NOMEM;
        }

        rc = prompt_schema_compile(compiler->arena, json,
                                   &compiler->meta[draft], compiler->fault);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    *schema = compiler->meta[draft];

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_schema_resolve_one(prompt_schema_compiler_t *compiler,
    prompt_schema_pending_t *pending)
{
    prompt_str_t           reference, shown;
    prompt_schema_draft_t  draft;

    reference = pending->rule->value->text;

    switch (prompt_schema_resolve(&compiler->document, reference,
                                  &pending->rule->schema))
    {

    case PROMPT_SCHEMA_FOUND:
        return PROMPT_CHECK_OK;

    case PROMPT_SCHEMA_NOMEM:
        return PROMPT_CHECK_NOMEM;

    case PROMPT_SCHEMA_ELSEWHERE:
        draft = prompt_schema_dialect(reference);

        if (draft != 0) {
            return prompt_schema_get_meta(compiler, draft,
                                          &pending->rule->schema);
        }

        return prompt_fault_set(compiler->arena, compiler->fault,
                                pending->field,
                                "inputSchema must not refer to another "
                                "document");

    case PROMPT_SCHEMA_NOT_FOUND:
        break;
    }

    shown = prompt_fault_excerpt(compiler->arena, reference);
    if (shown.data == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    return prompt_fault_set(compiler->arena, compiler->fault, pending->field,
                            "inputSchema has no schema at \"%.*s\"",
                            prompt_str_arg(shown));
}


/*
 * How many schemas are applied one within the other to one value; above the
 * limit for one that applies itself to the same value, or too many.  Calls
 * itself no deeper than the limit.
 */
static unsigned
prompt_schema_measure(prompt_schema_t *schema, unsigned depth)
{
    size_t                       i;
    unsigned                     height, highest;
    const prompt_schema_rule_t  *rule;

    if (schema->height != 0) {
        return schema->height;
    }

    if (schema->open || depth > PROMPT_SCHEMA_MAX_HEIGHT) {
        return PROMPT_SCHEMA_MAX_HEIGHT + 1;
    }

    schema->open = true;
    highest = 0;

    for (rule = schema->first; rule != NULL; rule = rule->next) {

        switch (rule->op) {

        case PROMPT_SCHEMA_REF:
        case PROMPT_SCHEMA_NOT:
        case PROMPT_SCHEMA_IF:
        case PROMPT_SCHEMA_THEN:
        case PROMPT_SCHEMA_ELSE:
            height = prompt_schema_measure(rule->schema, depth + 1);
            highest = height > highest ? height : highest;
            break;

        case PROMPT_SCHEMA_ALL_OF:
        case PROMPT_SCHEMA_ANY_OF:
        case PROMPT_SCHEMA_ONE_OF:
        case PROMPT_SCHEMA_DEPENDENT_SCHEMAS:
        case PROMPT_SCHEMA_DEPENDENCY:
            for (i = 0; i < rule->value->count; i++) {
                if (rule->schemas[i] != NULL) {
                    height = prompt_schema_measure(rule->schemas[i],
                                                   depth + 1);
                    highest = height > highest ? height : highest;
                }
            }

            break;

        default:
            break;
        }

        if (highest > PROMPT_SCHEMA_MAX_HEIGHT) {
            return highest;
        }
    }

    schema->open = false;
    schema->height = highest + 1;

    return schema->height;
}


static prompt_check_t
prompt_schema_link(prompt_schema_compiler_t *compiler)
{
    prompt_check_t            rc;
    prompt_schema_pending_t  *pending;

    rc = prompt_schema_sort_anchors(compiler);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    for (pending = compiler->pending; pending != NULL; pending = pending->next)
    {
        rc = prompt_schema_resolve_one(compiler, pending);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    /* who applies itself to the same value does so by a reference */

    for (pending = compiler->pending; pending != NULL; pending = pending->next)
    {
        if (prompt_schema_measure(pending->rule->schema, 1)
            > PROMPT_SCHEMA_MAX_HEIGHT)
        {
            return prompt_fault_set(compiler->arena, compiler->fault,
                                    pending->field, "inputSchema refers to "
                                    "itself for the same value, or through "
                                    "too many schemas");
        }
    }

    if (prompt_schema_measure(compiler->document.root, 1)
        > PROMPT_SCHEMA_MAX_HEIGHT)
    {
        return prompt_fault_set(compiler->arena, compiler->fault,
                                prompt_str("inputSchema"), "inputSchema "
                                "applies too many schemas to one value");
    }

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_schema_compile(prompt_arena_t *arena, const prompt_json_t *json,
    prompt_schema_t **schema, prompt_fault_t *fault)
{
    prompt_path_t             path;
    prompt_check_t            rc;
    const prompt_json_t      *dialect;
    prompt_schema_compiler_t  compiler;

    memset(&compiler, 0, sizeof(compiler));
    compiler.arena = arena;
    compiler.fault = fault;
    compiler.document.draft = PROMPT_SCHEMA_2020_12;
    compiler.regex_room = PROMPT_LIMIT_REGEX;

    path.parent = NULL;
    path.name = prompt_str("inputSchema");
    path.index = 0;

    if (json->type != PROMPT_JSON_OBJECT) {
        return prompt_schema_wrong(&compiler, &path, "must be a JSON object");
    }

    dialect = prompt_json_get(json, prompt_str("$schema"));

    if (dialect != NULL && dialect->type == PROMPT_JSON_STRING
        && prompt_schema_dialect(dialect->text) != 0)
    {
        compiler.document.draft = prompt_schema_dialect(dialect->text);
    }

    rc = prompt_schema_one(&compiler, json, &path, schema);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    return prompt_schema_link(&compiler);
}
