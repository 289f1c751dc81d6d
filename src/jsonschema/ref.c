/*
 * References: which compiled schema a $ref names (JSON Schema 2020-12 core,
 * 8.2; RFC 6901 for JSON pointers).
 *
 * A pointer is followed along the rules, not along the JSON text: so it can
 * only end where a schema stands that was checked like all others.
 */

#include "jsonschema/schema.h"

#include "base/hex.h"


prompt_str_t
prompt_schema_fragment(prompt_str_t fragment, char *scratch)
{
    size_t  i, n;

    n = 0;

    for (i = 0; i < fragment.len; i++) {
        scratch[n] = fragment.data[i];

        if (fragment.data[i] == '%' && fragment.len - i > 2
            && prompt_hex_digit(fragment.data[i + 1]) >= 0
            && prompt_hex_digit(fragment.data[i + 2]) >= 0)
        {
            scratch[n] = (char) (prompt_hex_digit(fragment.data[i + 1]) << 4
                                 | prompt_hex_digit(fragment.data[i + 2]));
            i += 2;
        }

        n++;
    }

    return prompt_str_of(scratch, n);
}


/* One segment of a pointer: %HH of the URI first, then ~1 and ~0. */
static prompt_str_t
prompt_schema_ref_decode(prompt_str_t segment, char *out)
{
    size_t  i, n, k;

    n = prompt_schema_fragment(segment, out).len;

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
prompt_schema_ref_segment(prompt_str_t *pointer, char *scratch,
    prompt_str_t *segment)
{
    size_t       len;
    const char  *slash;

    if (pointer->len == 0) {
        return false;
    }

    pointer->data++;
    pointer->len--;

    slash = pointer->len != 0 ? memchr(pointer->data, '/', pointer->len) : NULL;
    len = slash != NULL ? (size_t) (slash - pointer->data) : pointer->len;

    *segment = prompt_schema_ref_decode(prompt_str_of(pointer->data, len),
                                        scratch);
    pointer->data += len;
    pointer->len -= len;

    return true;
}


/* the index that a segment names, below count; count where it names none */
static size_t
prompt_schema_ref_index(prompt_str_t segment, size_t count)
{
    size_t  i, index;

    if (segment.len == 0 || segment.len > 9
        || (segment.len > 1 && segment.data[0] == '0'))
    {
        return count;
    }

    index = 0;

    for (i = 0; i < segment.len; i++) {
        if (segment.data[i] < '0' || segment.data[i] > '9') {
            return count;
        }

        index = index * 10 + (size_t) (segment.data[i] - '0');
    }

    return index < count ? index : count;
}


prompt_schema_t *
prompt_schema_at(prompt_schema_t *schema, prompt_str_t pointer,
    char *scratch)
{
    size_t                       i;
    prompt_str_t                 segment;
    const prompt_schema_rule_t  *rule;
    const prompt_json_member_t  *member;

    while (schema != NULL
           && prompt_schema_ref_segment(&pointer, scratch, &segment))
    {
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

            schema = rule->op != PROMPT_SCHEMA_REF
                     && rule->op != PROMPT_SCHEMA_DYNAMIC_REF ? rule->schema
                                                              : NULL;
            continue;
        }

        if (!prompt_schema_ref_segment(&pointer, scratch, &segment)) {
            return NULL;
        }

        if (rule->value->type == PROMPT_JSON_ARRAY) {
            i = prompt_schema_ref_index(segment, rule->value->count);
            schema = i < rule->value->count ? rule->schemas[i] : NULL;
            continue;
        }

        member = prompt_json_members_find(rule->index, rule->value->count,
                                          segment);
        schema = member != NULL ? rule->schemas[member->offset] : NULL;
    }

    return schema;
}
