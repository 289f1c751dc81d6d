/*
 * Compiling schemas: whom references lead to, and what that may not be.
 */

#include "jsonschema/compiler_impl.h"
#include "jsonschema/uri.h"

#include "base/bisect.h"
#include "base/link.h"

#include <stdlib.h>


/*
 * How many schemas may be applied one within the other to one value (by
 * $ref, allOf, if and so on): what validation's recursion takes for one level
 * of the input.
 */
#define PROMPT_JSONSCHEMA_MAX_HEIGHT  32


/* the path of a value below another, or of that itself; absent: not there */
static prompt_str_t
prompt_jsonschema_find_path(prompt_arena_t *arena, const prompt_json_t *value,
    const prompt_json_t *wanted, const prompt_path_t *path)
{
    size_t                i;
    prompt_str_t          text;
    prompt_path_t         step;
    const prompt_json_t  *child;

    if (value == wanted) {
        return prompt_path_text(arena, path);
    }

    i = 0;
    text = prompt_str_absent;

    for (child = value->first; child != NULL && text.data == NULL;
         child = child->next)
    {
        step = prompt_jsonschema_step(path, child, i++);
        text = prompt_jsonschema_find_path(arena, child, wanted, &step);
    }

    return text;
}


prompt_str_t
prompt_jsonschema_path_of(prompt_jsonschema_compiler_t *compiler,
    const prompt_json_t *value)
{
    return prompt_jsonschema_find_path(compiler->arena, compiler->json, value,
                                       &compiler->root);
}


/* a fault of a value of the document, whose path is looked for only now */
static prompt_check_t
prompt_jsonschema_fault(prompt_jsonschema_compiler_t *compiler,
    const prompt_json_t *value, const char *message, prompt_str_t shown)
{
    prompt_str_t  field;

    field = prompt_jsonschema_path_of(compiler, value);
    shown = prompt_fault_excerpt(compiler->arena, shown);

    if (field.data == NULL || shown.data == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    return prompt_fault_set(compiler->arena, compiler->fault, field,
                            "%.*s %s%s%.*s%s",
                            prompt_str_arg(compiler->root.name), message,
                            shown.len != 0 ? " \"" : "",
                            prompt_str_arg(shown),
                            shown.len != 0 ? "\"" : "");
}


/* The resources of the document by their URIs. */
static prompt_check_t
prompt_jsonschema_sort_resources(prompt_jsonschema_compiler_t *compiler)
{
    uint32_t                       i, n;
    prompt_json_t                 *key;
    const prompt_json_t           *id;
    prompt_jsonschema_resource_t  *resource;

    n = compiler->nresources;
    compiler->nuris = n;

    compiler->uris = prompt_arena_array(compiler->arena, n,
                                        sizeof(prompt_json_member_t));
    compiler->by_index = prompt_arena_array(compiler->arena, n,
                                        sizeof(prompt_jsonschema_resource_t *));
    key = prompt_arena_array(compiler->arena, n, sizeof(prompt_json_t));

    if (compiler->uris == NULL || compiler->by_index == NULL || key == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    for (resource = compiler->resources.first; resource != NULL;
         resource = resource->next)
    {
        i = resource->index;
        key[i].name = resource->uri;
        compiler->uris[i].value = &key[i];
        compiler->uris[i].offset = i;
        compiler->by_index[i] = resource;
    }

    prompt_json_members_sort(compiler->uris, n);

    for (i = 1; i < n; i++) {
        if (prompt_str_eq(compiler->uris[i].value->name,
                          compiler->uris[i - 1].value->name))
        {
            id = compiler->by_index[compiler->uris[i].offset]->id;
            return prompt_jsonschema_fault(compiler, id,
                                           "has two schemas with the same $id",
                                           prompt_str(""));
        }
    }

    return PROMPT_CHECK_OK;
}


/* One of the meta-schemas' documents, compiled when it is first asked for. */
static prompt_check_t
prompt_jsonschema_get_meta(prompt_jsonschema_compiler_t *compiler,
    prompt_str_t uri, prompt_jsonschema_resource_t **resource)
{
    size_t                           i;
    prompt_check_t                   rc;
    prompt_json_t                   *json;
    prompt_jsonschema_t             *root;
    prompt_json_error_t              error;
    const prompt_jsonschema_meta_t  *meta;

    for (i = 0; i < PROMPT_JSONSCHEMA_METAS; i++) {
        if (prompt_str_eq(prompt_jsonschema_metas[i].uri, uri)
            || (prompt_jsonschema_metas[i].draft == PROMPT_JSONSCHEMA_DRAFT_07
                && prompt_jsonschema_dialect(uri)
                   == PROMPT_JSONSCHEMA_DRAFT_07))
        {
            break;
        }
    }

    if (i == PROMPT_JSONSCHEMA_METAS) {
        return PROMPT_CHECK_OK;
    }

    meta = &prompt_jsonschema_metas[i];

    if (compiler->metas[i] == NULL) {
        json = prompt_json_read(compiler->arena, meta->text,
                                PROMPT_JSONSCHEMA_MAX_NESTING, &error);
        if (json == NULL) {
            return PROMPT_CHECK_NOMEM;
        }

        rc = prompt_jsonschema_document(compiler, json, meta->draft, meta->uri,
                                        &root);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        compiler->metas[i] = root->resource;
    }

    *resource = compiler->metas[i];

    return PROMPT_CHECK_OK;
}


/* The resource that a reference leads to; *resource: where it stands. */
static prompt_check_t
prompt_jsonschema_lead(prompt_jsonschema_compiler_t *compiler,
    const prompt_uri_t *reference, prompt_jsonschema_resource_t **resource)
{
    char                         text[PROMPT_URI_MAX];
    prompt_str_t                 uri;
    const prompt_json_member_t  *member;

    if (reference->scheme.data == NULL && reference->authority.data == NULL
        && reference->path.len == 0 && reference->query.data == NULL)
    {
        return PROMPT_CHECK_OK;
    }

    uri = prompt_uri_resolve((*resource)->uri, reference, text);

    if (uri.data == NULL || uri.len > compiler->uri_work) {
        return prompt_fault_set(compiler->arena, compiler->fault,
                                compiler->root.name, "%.*s refers to URIs "
                                "that are too long, one by itself or all "
                                "together",
                                prompt_str_arg(compiler->root.name));
    }

    compiler->uri_work -= uri.len;
    *resource = NULL;

    member = prompt_json_members_find(compiler->uris, compiler->nuris, uri);

    if (member != NULL) {
        *resource = compiler->by_index[member->offset];
        return PROMPT_CHECK_OK;
    }

    return prompt_jsonschema_get_meta(compiler, uri, resource);
}


/*
 * Finds the resources that references lead to, and what pointers lead to in
 * them; schemas that are compiled on the way have references, too.
 */
static prompt_check_t
prompt_jsonschema_lead_all(prompt_jsonschema_compiler_t *compiler)
{
    prompt_uri_t                  uri;
    prompt_check_t                rc;
    prompt_jsonschema_pending_t  *pending;

    while (compiler->pending != NULL) {
        pending = compiler->pending;
        compiler->pending = pending->next;

        prompt_uri_split(pending->rule->value->text, &uri);
        pending->fragment = uri.fragment;

        rc = prompt_jsonschema_lead(compiler, &uri, &pending->resource);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        if (pending->resource == NULL) {
            return prompt_jsonschema_fault(compiler, pending->rule->value,
                                           "must not refer to another "
                                           "document:",
                                           pending->rule->value->text);
        }

        if (pending->fragment.len != 0 && pending->fragment.data[0] == '/') {
            rc = prompt_jsonschema_point(compiler, pending->resource,
                                         pending->fragment,
                                         &pending->rule->schema);
            if (rc != PROMPT_CHECK_OK) {
                return rc;
            }
        }

        pending->next = NULL;
        prompt_link(&compiler->found, pending, next);
    }

    return PROMPT_CHECK_OK;
}


/* Sorts the names, those of the same resource next to each other. */
static prompt_check_t
prompt_jsonschema_sort_names(prompt_jsonschema_compiler_t *compiler)
{
    size_t                       i, n;
    prompt_json_member_t        *keys;
    prompt_jsonschema_named_t   *named, **all;
    prompt_jsonschema_anchor_t  *anchor;

    n = compiler->nnames;
    keys = prompt_arena_array(compiler->arena, n, sizeof(prompt_json_member_t));
    compiler->keys = keys;
    all = prompt_arena_array(compiler->arena, n,
                             sizeof(prompt_jsonschema_named_t *));
    compiler->anchors = prompt_arena_array(compiler->arena, n,
                                           sizeof(prompt_jsonschema_anchor_t));

    if (keys == NULL || all == NULL || compiler->anchors == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    i = n;

    for (named = compiler->names; named != NULL; named = named->next) {
        i--;
        all[i] = named;
        keys[i].value = &named->key;
        keys[i].offset = named->anchor.resource->index * n + i;
    }

    prompt_json_members_sort(keys, n);

    for (i = 0; i < n; i++) {
        anchor = &compiler->anchors[i];
        *anchor = all[keys[i].offset % n]->anchor;

        if (i == 0 || anchor[-1].resource != anchor->resource
            || !prompt_str_eq(anchor[-1].name, anchor->name))
        {
            continue;
        }

        /* $anchor and $dynamicAnchor of one schema may be the same */

        if (anchor[-1].schema != anchor->schema) {
            return prompt_jsonschema_fault(compiler, anchor->value, "has two "
                                           "anchors with the same name",
                                           prompt_str(""));
        }

        anchor->dynamic = anchor->dynamic || anchor[-1].dynamic;
        anchor[-1].dynamic = anchor->dynamic;
    }

    return PROMPT_CHECK_OK;
}


/* the first anchor of that name and of that resource or a later one */
static size_t
prompt_jsonschema_find_name(const prompt_jsonschema_compiler_t *compiler,
    prompt_str_t name, uint32_t resource)
{
    size_t                low, high, middle;
    prompt_json_t         key;
    prompt_json_member_t  wanted;

    memset(&key, 0, sizeof(key));
    key.name = name;
    wanted.value = &key;
    wanted.offset = resource * compiler->nnames;
    wanted.hash = 0;

    low = 0;
    high = compiler->nnames;
    prompt_bisect(low, high, middle,
                  prompt_json_members_cmp(&compiler->keys[middle], &wanted)
                  < 0);

    return low;
}


/*
 * A name as a fragment.  That of a $dynamicRef which is dynamic where it leads
 * to may be any other of that name once values are validated.
 */
static void
prompt_jsonschema_resolve_name(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_pending_t *pending, prompt_str_t name)
{
    size_t                       first, n;
    prompt_jsonschema_anchor_t  *anchor;

    first = prompt_jsonschema_find_name(compiler, name,
                                        pending->resource->index);

    if (first == compiler->nnames) {
        return;
    }

    anchor = &compiler->anchors[first];

    if (anchor->resource != pending->resource
        || !prompt_str_eq(anchor->name, name))
    {
        return;
    }

    pending->rule->schema = anchor->schema;

    if (pending->rule->op != PROMPT_JSONSCHEMA_DYNAMIC_REF
        || !anchor->dynamic)
    {
        return;
    }

    first = prompt_jsonschema_find_name(compiler, name, 0);

    for (n = first; n < compiler->nnames; n++) {
        if (!prompt_str_eq(compiler->anchors[n].name, name)) {
            break;
        }
    }

    pending->rule->of.anchors = &compiler->anchors[first];
    pending->rule->count = n - first;
}


static prompt_check_t
prompt_jsonschema_resolve(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_pending_t *pending)
{
    char          *scratch;
    prompt_str_t   fragment;

    fragment = pending->fragment;

    if (fragment.len == 0) {
        pending->rule->schema = pending->resource->root;

    } else if (fragment.data[0] != '/') {
        scratch = malloc(fragment.len);
        if (scratch == NULL) {
            return PROMPT_CHECK_NOMEM;
        }

        fragment = prompt_jsonschema_fragment(fragment, scratch);
        prompt_jsonschema_resolve_name(compiler, pending, fragment);
        free(scratch);
    }

    if (pending->rule->schema == NULL) {
        return prompt_jsonschema_fault(compiler, pending->rule->value,
                                       "has no schema at",
                                       pending->rule->value->text);
    }

    return PROMPT_CHECK_OK;
}


/*
 * How many schemas are applied one within the other to one value; above the
 * limit for one that applies itself to the same value, or too many.  Of a
 * $dynamicRef it looks at the schema that is meant where there is no other:
 * what others lead to is bounded when values are validated.  Calls itself no
 * deeper than the limit.
 */
static unsigned
prompt_jsonschema_measure(prompt_jsonschema_t *schema, unsigned depth)
{
    size_t                           i;
    unsigned                         height, highest;
    const prompt_jsonschema_rule_t  *rule;

    if (schema->height != 0) {
        return schema->height;
    }

    if (schema->open || depth > PROMPT_JSONSCHEMA_MAX_HEIGHT) {
        return PROMPT_JSONSCHEMA_MAX_HEIGHT + 1;
    }

    schema->open = true;
    highest = 0;

    for (rule = schema->first; rule != NULL; rule = rule->next) {

        switch (rule->op) {

        case PROMPT_JSONSCHEMA_REF:
        case PROMPT_JSONSCHEMA_DYNAMIC_REF:
        case PROMPT_JSONSCHEMA_NOT:
        case PROMPT_JSONSCHEMA_IF:
        case PROMPT_JSONSCHEMA_THEN:
        case PROMPT_JSONSCHEMA_ELSE:
            height = prompt_jsonschema_measure(rule->schema, depth + 1);
            highest = height > highest ? height : highest;
            break;

        case PROMPT_JSONSCHEMA_ALL_OF:
        case PROMPT_JSONSCHEMA_ANY_OF:
        case PROMPT_JSONSCHEMA_ONE_OF:
        case PROMPT_JSONSCHEMA_DEPENDENT_SCHEMAS:
        case PROMPT_JSONSCHEMA_DEPENDENCY:
            for (i = 0; i < rule->value->count; i++) {
                if (rule->schemas[i] != NULL) {
                    height = prompt_jsonschema_measure(rule->schemas[i],
                                                       depth + 1);
                    highest = height > highest ? height : highest;
                }
            }

            break;

        default:
            break;
        }

        if (highest > PROMPT_JSONSCHEMA_MAX_HEIGHT) {
            return highest;
        }
    }

    schema->open = false;
    schema->height = highest + 1;

    return schema->height;
}


prompt_check_t
prompt_jsonschema_link(prompt_jsonschema_compiler_t *compiler)
{
    prompt_check_t                rc;
    prompt_jsonschema_pending_t  *pending;

    rc = prompt_jsonschema_sort_resources(compiler);

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_jsonschema_lead_all(compiler);
    }

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_jsonschema_sort_names(compiler);
    }

    for (pending = compiler->found.first;
         pending != NULL && rc == PROMPT_CHECK_OK;
         pending = pending->next)
    {
        rc = prompt_jsonschema_resolve(compiler, pending);
    }

    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    /* who applies itself to the same value does so by a reference */

    for (pending = compiler->found.first; pending != NULL;
         pending = pending->next)
    {
        if (prompt_jsonschema_measure(pending->rule->schema, 1)
            > PROMPT_JSONSCHEMA_MAX_HEIGHT)
        {
            return prompt_jsonschema_fault(compiler, pending->rule->value,
                                           "refers to itself for the same "
                                           "value, or through too many schemas",
                                           prompt_str(""));
        }
    }

    if (prompt_jsonschema_measure(compiler->resources.first->root, 1)
        > PROMPT_JSONSCHEMA_MAX_HEIGHT)
    {
        return prompt_jsonschema_fault(compiler, compiler->json, "applies too "
                                       "many schemas to one value",
                                       prompt_str(""));
    }

    compiler->resources.first->scopes = compiler->dynamic
                                        ? compiler->nresources : 0;

    return PROMPT_CHECK_OK;
}
