/*
 * Params: the configuration of the model.
 */

#include "prompt/params.h"

#include "base/decimal.h"
#include "base/json_members.h"
#include "base/utf8.h"
#include "prompt/text.h"


/* a number of limits.h in a message */
#define prompt_params_text_of(number)  #number
#define prompt_params_text(limit)      prompt_params_text_of(limit)


/* what is wrong with a value; NULL: nothing */
typedef const char *(*prompt_params_wrong_pt)(const prompt_json_t *value);


static const char *
prompt_params_wrong_model(const prompt_json_t *value)
{
    if (value->type != PROMPT_JSON_STRING || value->text.len == 0) {
        return "must be a non-empty string";
    }

    if (prompt_utf8_length(value->text) > PROMPT_LIMIT_MODEL) {
        return "must not be longer than "
               prompt_params_text(PROMPT_LIMIT_MODEL) " characters";
    }

    /* each is a way elsewhere where a path has it as a segment */

    return prompt_str_eq(value->text, prompt_str("."))
           || prompt_str_eq(value->text, prompt_str(".."))
           ? "must not be \".\" or \"..\"" : NULL;
}


static const char *
prompt_params_wrong_temperature(const prompt_json_t *value)
{
    prompt_decimal_t  number, max;

    return value->type == PROMPT_JSON_NUMBER
           && prompt_decimal_parse(value->text, &number)
           && prompt_decimal_parse(prompt_str("2"), &max)
           && !number.negative && prompt_decimal_cmp(&number, &max) <= 0
           ? NULL : "must be a number from 0 to 2";
}


static const char *
prompt_params_wrong_max_tokens(const prompt_json_t *value)
{
    int64_t  n;

    return prompt_json_integer(value, &n) && n > 0
           ? NULL : "must be a positive integer";
}


static const char *
prompt_params_wrong_fallbacks(const prompt_json_t *value)
{
    return value->type == PROMPT_JSON_ARRAY
           && value->count <= PROMPT_LIMIT_FALLBACKS
           ? NULL : "must be an array of at most "
                    prompt_params_text(PROMPT_LIMIT_FALLBACKS) " objects";
}


static const char *
prompt_params_refuse(const prompt_json_t *value)
{
    (void) value;

    return "is set by the service and must not be given";
}


typedef struct {
    prompt_str_t            name;
    prompt_params_wrong_pt  wrong;
} prompt_params_known_t;

static const prompt_params_known_t  prompt_params_table[] = {

    { prompt_str_init("model"),       prompt_params_wrong_model },
    { prompt_str_init("temperature"), prompt_params_wrong_temperature },
    { prompt_str_init("max_tokens"),  prompt_params_wrong_max_tokens },

    { prompt_str_init("messages"),    prompt_params_refuse },
    { prompt_str_init("prompt"),      prompt_params_refuse },
    { prompt_str_init("input"),       prompt_params_refuse },
    { prompt_str_init("stream"),      prompt_params_refuse },
    { prompt_str_init("n"),           prompt_params_refuse },

    { prompt_str_init("fallbacks"),   prompt_params_wrong_fallbacks }
};


/* how the parameter is checked, or NULL: it is the provider's */
static prompt_params_wrong_pt
prompt_params_find(prompt_str_t name)
{
    size_t  i;

    for (i = 0; i < sizeof(prompt_params_table)
                    / sizeof(prompt_params_table[0]); i++)
    {
        if (prompt_str_eq(name, prompt_params_table[i].name)) {
            return prompt_params_table[i].wrong;
        }
    }

    return NULL;
}


/* null takes away what may be left out */
static bool
prompt_params_is_none(prompt_params_wrong_pt wrong, const prompt_json_t *value)
{
    return value->type == PROMPT_JSON_NULL
           && wrong != prompt_params_wrong_model
           && wrong != prompt_params_refuse;
}


/* at: where they stand, "params" or "params.fallbacks.0" */
static prompt_check_t
prompt_params_check_members(prompt_arena_t *arena, prompt_str_t at,
    const prompt_json_t *params, bool fallback, prompt_fault_t *fault)
{
    const char              *words;
    const prompt_json_t     *value;
    prompt_params_wrong_pt   wrong;

    for (value = params->first; value != NULL; value = value->next) {
        wrong = prompt_params_find(value->name);

        if (wrong == NULL || prompt_params_is_none(wrong, value)) {
            continue;
        }

        if (fallback && wrong == prompt_params_wrong_fallbacks) {
            wrong = prompt_params_refuse;
        }

        words = wrong(value);

        if (words != NULL) {
            return prompt_text_fault(arena,
                       prompt_arena_printf(arena, "%.*s.%.*s",
                                           prompt_str_arg(at),
                                           prompt_str_arg(value->name)),
                       words, fault);
        }
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_params_check_fallback(prompt_arena_t *arena,
    const prompt_json_t *fallback, unsigned n, prompt_fault_t *fault)
{
    prompt_str_t  at;

    at = prompt_arena_printf(arena, "params.fallbacks.%u", n);
    if (at.data == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    if (fallback->type != PROMPT_JSON_OBJECT) {
        return prompt_text_fault(arena, at, "must be a JSON object", fault);
    }

    if (prompt_json_get(fallback, prompt_str("model")) == NULL) {
        return prompt_text_fault(arena,
                                 prompt_arena_printf(arena, "%.*s.model",
                                                     prompt_str_arg(at)),
                                 "must be a non-empty string", fault);
    }

    return prompt_params_check_members(arena, at, fallback, true, fault);
}


prompt_check_t
prompt_params_check(prompt_arena_t *arena, const prompt_json_t *params,
    prompt_fault_t *fault)
{
    unsigned              n;
    prompt_check_t        rc;
    const prompt_json_t  *fallback;

    if (params->type != PROMPT_JSON_OBJECT) {
        return prompt_fault_set(arena, fault, prompt_str("params"),
                                "params must be a JSON object");
    }

    rc = prompt_params_check_members(arena, prompt_str("params"), params, false,
                                     fault);
    fallback = prompt_json_at(prompt_json_get(params, prompt_str("fallbacks")),
                              0);

    for (n = 0; rc == PROMPT_CHECK_OK && fallback != NULL; n++) {
        rc = prompt_params_check_fallback(arena, fallback, n, fault);
        fallback = fallback->next;
    }

    return rc;
}


bool
prompt_params_taken(prompt_str_t name)
{
    prompt_params_wrong_pt  wrong;

    wrong = prompt_params_find(name);

    return wrong != NULL && wrong != prompt_params_wrong_max_tokens;
}


prompt_str_t
prompt_params_model(const prompt_json_t *params)
{
    const prompt_json_t  *model;

    model = prompt_json_get(params, prompt_str("model"));

    return model != NULL && model->type == PROMPT_JSON_STRING
           ? model->text : prompt_str_absent;
}


unsigned
prompt_params_fallbacks(const prompt_json_t *params)
{
    const prompt_json_t  *fallbacks;

    fallbacks = prompt_json_get(params, prompt_str("fallbacks"));

    return fallbacks != NULL ? fallbacks->count : 0;
}


/* a member of another object; false: memory */
static bool
prompt_params_share(prompt_arena_t *arena, prompt_json_t *merged,
    const prompt_json_t *value)
{
    prompt_json_t  *copy;

    copy = prompt_arena_alloc(arena, sizeof(prompt_json_t));
    if (copy == NULL) {
        return false;
    }

    *copy = *value;
    copy->next = NULL;

    prompt_json_set(merged, value->name, copy);

    return true;
}


/* what a choice has no use for */
static bool
prompt_params_is_spare(const prompt_json_t *value)
{
    return value->type == PROMPT_JSON_NULL
           || prompt_str_eq(value->name, prompt_str("fallbacks"));
}


/*
 * Params with the members of others, but nulls, in place of its own; choice:
 * without what one has no use for.  NULL: memory.  There can be thousands on
 * both sides.
 */
static const prompt_json_t *
prompt_params_merge(prompt_arena_t *arena, const prompt_json_t *params,
    const prompt_json_t *others, bool choice)
{
    prompt_json_t         *merged;
    const prompt_json_t   *value;
    prompt_json_member_t  *sorted;

    merged = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    sorted = prompt_arena_alloc(arena, (others->count + 1) * sizeof(*sorted));

    if (merged == NULL || sorted == NULL) {
        return NULL;
    }

    prompt_json_members_of(others, sorted);

    for (value = params->first; value != NULL; value = value->next) {

        if ((choice && prompt_params_is_spare(value))
            || prompt_json_members_find(sorted, others->count, value->name)
               != NULL)
        {
            continue;
        }

        if (!prompt_params_share(arena, merged, value)) {
            return NULL;
        }
    }

    for (value = others->first; value != NULL; value = value->next) {

        if (value->type != PROMPT_JSON_NULL
            && !prompt_params_share(arena, merged, value))
        {
            return NULL;
        }
    }

    return merged;
}


const prompt_json_t *
prompt_params_override(prompt_arena_t *arena, const prompt_json_t *params,
    const prompt_json_t *overrides)
{
    return prompt_params_merge(arena, params, overrides, false);
}


const prompt_json_t *
prompt_params_choice(prompt_arena_t *arena, const prompt_json_t *params,
    unsigned choice)
{
    const prompt_json_t  *value, *fallback;

    static const prompt_json_t  none = { .type = PROMPT_JSON_OBJECT };

    value = params->first;

    while (value != NULL && !prompt_params_is_spare(value)) {
        value = value->next;
    }

    if (value == NULL) {
        return params;
    }

    fallback = choice == 0
               ? NULL
               : prompt_json_at(prompt_json_get(params,
                                                prompt_str("fallbacks")),
                                choice - 1);

    return prompt_params_merge(arena, params,
                               fallback != NULL ? fallback : &none, true);
}
