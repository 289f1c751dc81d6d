/*
 * References: which compiled schema a $ref names (JSON Schema 2020-12 core,
 * 8.2; RFC 6901 for JSON pointers).
 *
 * A pointer is followed along the rules, not along the JSON text: so it can
 * only end where a schema stands that was checked like all others.  Where it
 * goes on into a member that is no keyword, or one of values (examples), what
 * stands there is compiled now.
 */

#include "jsonschema/compiler_impl.h"

#include "base/scan.h"

#include <stdlib.h>


prompt_str_t
prompt_jsonschema_fragment(prompt_str_t fragment, char *scratch)
{
    size_t       n;
    const char  *p;

    for (n = 0; fragment.len != 0; n++) {
        p = fragment.data;

        if (prompt_scan_like(&fragment, "%xx")) {
            scratch[n] = (char) (prompt_hex_digit(p[1]) << 4
                                 | prompt_hex_digit(p[2]));

        } else {
            scratch[n] = *p;
            prompt_scan_skip(&fragment, 1);
        }
    }

    return prompt_str_of(scratch, n);
}


/* One segment of a pointer: %HH of the URI first, then ~1 and ~0. */
static prompt_str_t
prompt_jsonschema_ref_decode(prompt_str_t segment, char *out)
{
    size_t  i, n, k;

    n = prompt_jsonschema_fragment(segment, out).len;

    for (i = 0, k = 0; i < n; i++) {
        if (out[i] == '~' && i + 1 < n
            && (out[i + 1] == '0' || out[i + 1] == '1'))
        {
            out[k++] = out[++i] == '0' ? '~' : '/';
            continue;
        }

        out[k++] = out[i];
    }

    return prompt_str_of(out, k);
}


/* the next "/segment" of the pointer, decoded into scratch */
static bool
prompt_jsonschema_ref_segment(prompt_str_t *pointer, char *scratch,
    prompt_str_t *segment)
{
    prompt_str_t  rest;

    if (pointer->len == 0) {
        return false;
    }

    /* a slash stays: another segment begins with it */

    rest = prompt_str_of(pointer->data + 1, pointer->len - 1);
    (void) prompt_scan_split(&rest, '/', segment);
    prompt_scan_skip(pointer, 1 + segment->len);

    *segment = prompt_jsonschema_ref_decode(*segment, scratch);

    return true;
}


bool
prompt_jsonschema_index(prompt_str_t segment, size_t *index)
{
    size_t  i;

    if (segment.len > 9 || (segment.len > 1 && segment.data[0] == '0')) {
        return false;
    }

    *index = 0;

    for (i = 0; i < segment.len && prompt_scan_is_digit(segment.data[i]); i++) {
        *index = *index * 10 + (size_t) (segment.data[i] - '0');
    }

    return i == segment.len && i != 0;
}


/*
 * The schema at the pointer, or NULL: *near is then the last one on the way,
 * and *rest is the pointer from there.
 */
static prompt_jsonschema_t *
prompt_jsonschema_at(prompt_jsonschema_t *schema, prompt_str_t pointer,
    char *scratch, prompt_jsonschema_t **near, prompt_str_t *rest)
{
    size_t                           i;
    prompt_str_t                     segment;
    const prompt_jsonschema_rule_t  *rule;
    const prompt_json_member_t      *member;

    while (schema != NULL) {
        *near = schema;
        *rest = pointer;

        if (!prompt_jsonschema_ref_segment(&pointer, scratch, &segment)) {
            break;
        }

        for (rule = schema->first; rule != NULL; rule = rule->next) {
            if (prompt_str_eq(rule->value->name, segment)) {
                break;
            }
        }

        if (rule == NULL) {
            return NULL;
        }

        if (rule->schemas == NULL) {

            /* a $ref is no place: what it refers to stands elsewhere */

            schema = rule->op != PROMPT_JSONSCHEMA_REF
                     && rule->op != PROMPT_JSONSCHEMA_DYNAMIC_REF ? rule->schema
                                                                  : NULL;
            continue;
        }

        if (!prompt_jsonschema_ref_segment(&pointer, scratch, &segment)) {
            return NULL;
        }

        if (rule->value->type == PROMPT_JSON_ARRAY) {
            schema = prompt_jsonschema_index(segment, &i)
                     && i < rule->value->count ? rule->schemas[i] : NULL;
            continue;
        }

        member = prompt_json_members_find(rule->index, rule->value->count,
                                          segment);
        schema = member != NULL ? rule->schemas[member->offset] : NULL;
    }

    return schema;
}


/* the element or member that a segment names; takes from what may be done */
static const prompt_json_t *
prompt_jsonschema_ref_child(prompt_jsonschema_compiler_t *compiler,
    const prompt_json_t *value, prompt_str_t segment)
{
    size_t  index;

    if (value->count > compiler->late_work) {
        compiler->late_work = 0;
        return NULL;
    }

    compiler->late_work -= value->count;

    if (value->type == PROMPT_JSON_ARRAY) {
        return prompt_jsonschema_index(segment, &index)
               ? prompt_json_at(value, index) : NULL;
    }

    return prompt_json_get(value, segment);
}


/* whether a member may have anything in it: no keyword, or one of values */
static bool
prompt_jsonschema_ref_free(const prompt_jsonschema_t *near, prompt_str_t name)
{
    const prompt_jsonschema_keyword_t  *keyword;

    keyword = prompt_jsonschema_keyword(name, near->resource->draft);

    return keyword == NULL || keyword->kind == PROMPT_JSONSCHEMA_ANY
           || keyword->kind == PROMPT_JSONSCHEMA_LIST;
}


/* what stands at the pointer, which begins with such a member of the schema */
static const prompt_json_t *
prompt_jsonschema_ref_value(prompt_jsonschema_compiler_t *compiler,
    const prompt_jsonschema_t *near, prompt_str_t pointer, char *scratch)
{
    bool                  first;
    prompt_str_t          segment;
    const prompt_json_t  *value;

    first = true;
    value = near->json;

    while (value != NULL
           && prompt_jsonschema_ref_segment(&pointer, scratch, &segment))
    {
        if (first && !prompt_jsonschema_ref_free(near, segment)) {
            return NULL;
        }

        first = false;
        value = prompt_jsonschema_ref_child(compiler, value, segment);
    }

    return value != NULL && (value->type == PROMPT_JSON_OBJECT
                             || value->type == PROMPT_JSON_BOOLEAN)
           ? value : NULL;
}


/* The schema at a place that is no keyword's, compiled once. */
static prompt_check_t
prompt_jsonschema_ref_late(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_resource_t *resource, const prompt_json_t *value,
    prompt_jsonschema_t **schema)
{
    prompt_path_t              path;
    prompt_check_t             rc;
    prompt_jsonschema_late_t  *late;

    for (late = compiler->late; late != NULL; late = late->next) {
        if (late->value == value) {
            *schema = late->schema;
            return PROMPT_CHECK_OK;
        }
    }

    if (compiler->nlate++ == PROMPT_JSONSCHEMA_MAX_LATE) {
        return prompt_fault_set(compiler->arena, compiler->fault,
                                compiler->root.name, "%.*s refers to too many "
                                "places that are not below a keyword",
                                prompt_str_arg(compiler->root.name));
    }

    path = compiler->root;
    path.name = prompt_jsonschema_path_of(compiler, value);
    late = prompt_arena_zalloc(compiler->arena,
                               sizeof(prompt_jsonschema_late_t));

    if (late == NULL || path.name.data == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    compiler->resource = resource;
    compiler->below = true;

    rc = prompt_jsonschema_one(compiler, value, &path, &late->schema);

    compiler->below = false;
    late->value = value;
    late->next = compiler->late;
    compiler->late = late;
    *schema = late->schema;

    return rc;
}


prompt_check_t
prompt_jsonschema_point(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_resource_t *resource, prompt_str_t pointer,
    prompt_jsonschema_t **schema)
{
    char                 *scratch;
    prompt_str_t          rest;
    prompt_check_t        rc;
    prompt_jsonschema_t  *near;
    const prompt_json_t  *value;

    near = resource->root;
    rest = pointer;
    scratch = malloc(pointer.len + 1);
    if (scratch == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    rc = PROMPT_CHECK_OK;
    *schema = prompt_jsonschema_at(resource->root, pointer, scratch, &near,
                                   &rest);

    /* resources that come after those of the document are meta-schemas */

    if (*schema == NULL && resource->index < compiler->nuris) {
        value = prompt_jsonschema_ref_value(compiler, near, rest, scratch);

        if (value != NULL) {
            rc = prompt_jsonschema_ref_late(compiler, near->resource, value,
                                            schema);
        }
    }

    free(scratch);

    return rc;
}
