/*
 * Equality of JSON values, as JSON Schema defines it (2020-12 core, 4.2.2).
 */

#include "base/decimal.h"
#include "base/json_members.h"

#include <stdlib.h>


static bool
prompt_json_equal_unordered(const prompt_json_t *a, const prompt_json_t *b)
{
    bool                         same;
    const prompt_json_t         *member, *other;
    prompt_json_member_t        *members;
    const prompt_json_member_t  *found;

    /* short of memory it is slower, not wrong */

    members = calloc(b->count, sizeof(prompt_json_member_t));

    if (members != NULL) {
        prompt_json_members_of(b, members);
    }

    same = true;

    for (member = a->first; member != NULL && same; member = member->next) {

        if (members != NULL) {
            found = prompt_json_members_find(members, b->count, member->name);
            other = found != NULL ? found->value : NULL;

        } else {
            other = prompt_json_get(b, member->name);
        }

        same = other != NULL && prompt_json_equal(member, other);
    }

    free(members);

    return same;
}


static bool
prompt_json_equal_numbers(const prompt_json_t *a, const prompt_json_t *b)
{
    prompt_decimal_t  x, y;

    return prompt_str_eq(a->text, b->text)
           || (prompt_decimal_parse(a->text, &x)
               && prompt_decimal_parse(b->text, &y)
               && prompt_decimal_cmp(&x, &y) == 0);
}


bool
prompt_json_equal(const prompt_json_t *a, const prompt_json_t *b)
{
    const prompt_json_t  *x, *y;

    if (a->type != b->type || a->count != b->count) {
        return false;
    }

    switch (a->type) {

    case PROMPT_JSON_NULL:
        return true;

    case PROMPT_JSON_BOOLEAN:
        return a->boolean == b->boolean;

    case PROMPT_JSON_NUMBER:
        return prompt_json_equal_numbers(a, b);

    case PROMPT_JSON_STRING:
        return prompt_str_eq(a->text, b->text);

    case PROMPT_JSON_ARRAY:
        for (x = a->first, y = b->first; x != NULL; x = x->next, y = y->next) {
            if (!prompt_json_equal(x, y)) {
                return false;
            }
        }

        return true;

    default: /* PROMPT_JSON_OBJECT */

        /* as a rule both have their members in the same order */

        for (x = a->first, y = b->first; x != NULL; x = x->next, y = y->next) {
            if (!prompt_str_eq(x->name, y->name)) {
                return prompt_json_equal_unordered(a, b);
            }
        }

        for (x = a->first, y = b->first; x != NULL; x = x->next, y = y->next) {
            if (!prompt_json_equal(x, y)) {
                return false;
            }
        }

        return true;
    }
}
