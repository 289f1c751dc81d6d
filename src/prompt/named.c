/*
 * Prompts as protocols beside GraphQL name them: see the header.
 */

#include "prompt/named.h"


/* absent or empty: neither */
static void
prompt_named_read(prompt_str_t text, int32_t *version, prompt_str_t *label)
{
    size_t   i;
    int64_t  n;

    n = 0;

    for (i = 0; i < text.len; i++) {

        if (text.data[i] < '0' || text.data[i] > '9') {
            *label = text;
            return;
        }

        if (n < INT32_MAX) {
            n = n * 10 + (text.data[i] - '0');
        }
    }

    /* versions begin with 1, and end before the last number there is */

    *version = text.len == 0 ? 0
               : n == 0 || n > INT32_MAX ? INT32_MAX : (int32_t) n;
}


void
prompt_named(prompt_str_t text, prompt_named_t *named)
{
    size_t  at;

    named->name = text;
    named->label = prompt_str_absent;
    named->version = 0;

    at = text.len != 0 && memchr(text.data, '@', text.len) != NULL
         ? text.len : 0;

    for ( /* void */ ; at > 0; at--) {

        if (text.data[at - 1] == '@') {
            named->name = prompt_str_of(text.data, at - 1);
            prompt_named_read(prompt_str_of(text.data + at, text.len - at),
                              &named->version, &named->label);
            break;
        }
    }
}


bool
prompt_named_version(prompt_str_t text, prompt_named_t *named)
{
    int32_t       version;
    prompt_str_t  label;

    version = 0;
    label = prompt_str_absent;

    prompt_named_read(text, &version, &label);

    if (named->version == 0 && named->label.data == NULL) {
        named->version = version;
        named->label = label;
        return true;
    }

    if (named->label.data == NULL || label.data == NULL) {
        return named->version == version && named->label.data == label.data;
    }

    return named->version == version && prompt_str_eq(named->label, label);
}


bool
prompt_named_set(const prompt_named_t *named, prompt_arena_t *arena,
    prompt_json_t *variables)
{
    return prompt_json_set_string(variables, arena, "promptId", named->name)
           && (named->version == 0
               || prompt_json_set_integer(variables, arena, "version",
                                          named->version))
           && (named->label.data == NULL
               || prompt_json_set_string(variables, arena, "label",
                                         named->label));
}
