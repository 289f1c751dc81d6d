/*
 * Compiling input schemas: what schemas are called, and whom they refer to.
 */

#include "jsonschema/compiler.h"


/*
 * How many schemas may be applied one within the other to one value (by
 * $ref, allOf, if and so on): what validation's recursion takes for one level
 * of the input.
 */
#define PROMPT_SCHEMA_MAX_HEIGHT  32


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


prompt_check_t
prompt_schema_anchor(prompt_schema_compiler_t *compiler,
    prompt_schema_t *schema, const prompt_json_t *value,
    const prompt_path_t *path)
{
    if (value->type != PROMPT_JSON_STRING) {
        return prompt_schema_wrong(compiler, path, "must be a string");
    }

    return prompt_schema_add_anchor(compiler, schema, value->text, path);
}


prompt_check_t
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


prompt_check_t
prompt_schema_dialect_check(prompt_schema_compiler_t *compiler,
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


prompt_check_t
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


/* a fault of the anchor with that index */
static prompt_check_t
prompt_schema_anchor_twice(prompt_schema_compiler_t *compiler, size_t index)
{
    size_t                   i;
    prompt_schema_anchor_t  *anchor;

    /* they were put in front of each other */

    i = compiler->document.nanchors - 1;

    for (anchor = compiler->anchors; anchor != NULL; anchor = anchor->next) {
        if (i-- == index) {
            break;
        }
    }

    return prompt_fault_set(compiler->arena, compiler->fault,
                            anchor != NULL ? anchor->field
                                           : prompt_str("inputSchema"),
                            "inputSchema has two anchors of the same name");
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
            return prompt_schema_anchor_twice(compiler,
                                              document->anchors[i].offset);
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
                                PROMPT_SCHEMA_MAX_NESTING, &error);
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


prompt_check_t
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
