/*
 * Compiling schemas: what they are called, and that they refer to others.
 */

#include "jsonschema/compiler_impl.h"
#include "jsonschema/uri.h"

#include "base/scan.h"


/* a name that references may use for the schema */
static prompt_check_t
prompt_jsonschema_add_name(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_t *schema, const prompt_json_t *value, prompt_str_t name,
    bool dynamic, const prompt_path_t *path)
{
    prompt_jsonschema_named_t  *named;

    if (compiler->below) {
        return PROMPT_CHECK_OK;      /* below no keyword it says nothing */
    }

    if (name.len == 0
        || (!prompt_scan_is_alpha(name.data[0]) && name.data[0] != '_')
        || !prompt_scan_all(name, "_-.:"))
    {
        return prompt_jsonschema_wrong(compiler, path,
                                       "must begin with a letter and consist "
                                       "of letters, digits, \"-\", \"_\" and "
                                       "\".\"");
    }

    named = prompt_arena_zalloc(compiler->arena,
                                sizeof(prompt_jsonschema_named_t));
    if (named == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    named->anchor.name = name;
    named->anchor.value = value;
    named->anchor.resource = compiler->resource;
    named->anchor.schema = schema;
    named->anchor.dynamic = dynamic;
    named->key.name = name;
    named->next = compiler->names;
    compiler->names = named;
    compiler->nnames++;

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_jsonschema_anchor(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    bool  dynamic;

    dynamic = prompt_str_eq(rule->value->name, prompt_str("$dynamicAnchor"));

    return prompt_jsonschema_add_name(compiler, compiler->schema, rule->value,
                                      rule->value->text, dynamic, path);
}


prompt_jsonschema_draft_t
prompt_jsonschema_draft(const prompt_json_t *json,
    prompt_jsonschema_draft_t around)
{
    const prompt_json_t       *dialect;
    prompt_jsonschema_draft_t  draft;

    dialect = prompt_json_get(json, prompt_str("$schema"));

    draft = dialect != NULL && dialect->type == PROMPT_JSON_STRING
            ? prompt_jsonschema_dialect(dialect->text) : 0;

    return draft != 0 ? draft : around;
}


/* the resource that begins with the schema; that of a document is there */
static prompt_check_t
prompt_jsonschema_add_resource(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_t *schema, const prompt_json_t *id, prompt_str_t uri)
{
    prompt_jsonschema_resource_t  *resource;

    resource = compiler->resource;

    if (schema != resource->root) {
        resource = prompt_jsonschema_new_resource(compiler,
                       prompt_jsonschema_draft(schema->json, resource->draft),
                       uri);
        if (resource == NULL) {
            return PROMPT_CHECK_NOMEM;
        }

        resource->root = schema;
    }

    resource->uri = uri;
    resource->id = id;

    return PROMPT_CHECK_OK;
}


/* the URI of an $id, in the arena; absent with *rc where it cannot be kept */
static prompt_str_t
prompt_jsonschema_id_uri(prompt_jsonschema_compiler_t *compiler,
    const prompt_uri_t *id, const prompt_path_t *path, prompt_check_t *rc)
{
    char          text[PROMPT_URI_MAX];
    prompt_str_t  uri;

    uri = prompt_uri_resolve(compiler->resource->uri, id, text);

    if (uri.data == NULL || uri.len > compiler->uri_room) {
        *rc = prompt_jsonschema_wrong(compiler, path, "is too long, by itself "
                                      "or together with others of this "
                                      "schema");
        return prompt_str_absent;
    }

    compiler->uri_room -= uri.len;
    uri = prompt_arena_copy(compiler->arena, uri);
    *rc = uri.data != NULL ? PROMPT_CHECK_OK : PROMPT_CHECK_NOMEM;

    return uri;
}


prompt_check_t
prompt_jsonschema_enter(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_t *schema, const prompt_path_t *path)
{
    bool                  old;
    prompt_uri_t          id;
    prompt_str_t          uri;
    prompt_path_t         step;
    prompt_check_t        rc;
    const prompt_json_t  *value;

    value = prompt_json_get(schema->json, prompt_str("$id"));

    if (value == NULL || compiler->below) {
        return PROMPT_CHECK_OK;
    }

    old = prompt_jsonschema_draft(schema->json, compiler->resource->draft)
          == PROMPT_JSONSCHEMA_DRAFT_07;

    if (old && prompt_json_get(schema->json, prompt_str("$ref")) != NULL) {
        return PROMPT_CHECK_OK;      /* it stands beside a $ref */
    }

    step = prompt_jsonschema_step(path, value, 0);

    if (value->type != PROMPT_JSON_STRING) {
        return prompt_jsonschema_wrong(compiler, &step, "must be a string");
    }

    prompt_uri_split(value->text, &id);

    if (id.fragment.len != 0 && !old) {
        return prompt_jsonschema_wrong(compiler, &step,
                                       "must not have a fragment");
    }

    /* a fragment alone names a schema within its resource */

    if (id.scheme.data != NULL || id.authority.data != NULL
        || id.path.len != 0 || id.query.data != NULL)
    {
        uri = prompt_jsonschema_id_uri(compiler, &id, &step, &rc);

        if (rc == PROMPT_CHECK_OK) {
            rc = prompt_jsonschema_add_resource(compiler, schema, value, uri);
        }

        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    /* in draft-07 a name, or, to no avail, a pointer */

    if (id.fragment.len != 0 && id.fragment.data[0] != '/') {
        return prompt_jsonschema_add_name(compiler, schema, value, id.fragment,
                                          false, &step);
    }

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_jsonschema_dialect_check(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    prompt_jsonschema_draft_t  draft;

    draft = rule->value->type == PROMPT_JSON_STRING
            ? prompt_jsonschema_dialect(rule->value->text) : 0;

    if (draft == 0) {
        return prompt_jsonschema_wrong(compiler, path, "must be \"https://"
                                       "json-schema.org/draft/2020-12/schema\""
                                       " or \"http://"
                                       "json-schema.org/draft-07/schema#\"");
    }

    return draft == compiler->resource->draft ? PROMPT_CHECK_OK
           : prompt_jsonschema_wrong(compiler, path, "must be the same within "
                                     "one schema, except in those with an $id "
                                     "of their own");
}


prompt_check_t
prompt_jsonschema_reference(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    prompt_jsonschema_pending_t  *pending;

    (void) path;

    pending = prompt_arena_zalloc(compiler->arena,
                                  sizeof(prompt_jsonschema_pending_t));
    if (pending == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    pending->rule = rule;
    pending->resource = compiler->resource;
    pending->next = compiler->pending;
    compiler->pending = pending;
    compiler->dynamic = compiler->dynamic
                        || rule->op == PROMPT_JSONSCHEMA_DYNAMIC_REF;

    return PROMPT_CHECK_OK;
}
