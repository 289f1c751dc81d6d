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


/* at: where the params stand, "params" or "params.fallbacks.0" */
typedef prompt_check_t (*prompt_params_check_pt)(prompt_arena_t *arena,
    prompt_str_t at, const prompt_json_t *value, prompt_fault_t *fault);


static prompt_check_t prompt_params_check_fallbacks(prompt_arena_t *arena,
    prompt_str_t at, const prompt_json_t *value, prompt_fault_t *fault);


static prompt_check_t
prompt_params_wrong(prompt_arena_t *arena, prompt_str_t at, const char *name,
    const char *what, prompt_fault_t *fault)
{
    return prompt_text_fault(arena,
                             prompt_arena_printf(arena, "%.*s.%s",
                                                 prompt_str_arg(at), name),
                             what, fault);
}


static prompt_check_t
prompt_params_check_model(prompt_arena_t *arena, prompt_str_t at,
    const prompt_json_t *value, prompt_fault_t *fault)
{
    if (value->type != PROMPT_JSON_STRING || value->text.len == 0) {
        return prompt_params_wrong(arena, at, "model",
                                   "must be a non-empty string", fault);
    }

    /* it may become a segment of a path, which no encoding keeps it from */

    if (prompt_str_eq(value->text, prompt_str("."))
        || prompt_str_eq(value->text, prompt_str("..")))
    {
        return prompt_params_wrong(arena, at, "model",
                                   "must not be \".\" or \"..\"", fault);
    }

    if (prompt_utf8_length(value->text) > PROMPT_LIMIT_MODEL) {
        return prompt_params_wrong(arena, at, "model",
                                   "must not be longer than "
                                   prompt_params_text(PROMPT_LIMIT_MODEL)
                                   " characters", fault);
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_params_check_temperature(prompt_arena_t *arena, prompt_str_t at,
    const prompt_json_t *value, prompt_fault_t *fault)
{
    prompt_decimal_t  number, max;

    if (value->type == PROMPT_JSON_NUMBER
        && prompt_decimal_parse(value->text, &number)
        && prompt_decimal_parse(prompt_str("2"), &max)
        && !number.negative && prompt_decimal_cmp(&number, &max) <= 0)
    {
        return PROMPT_CHECK_OK;
    }

    return prompt_params_wrong(arena, at, "temperature",
                               "must be a number from 0 to 2", fault);
}


static prompt_check_t
prompt_params_check_max_tokens(prompt_arena_t *arena, prompt_str_t at,
    const prompt_json_t *value, prompt_fault_t *fault)
{
    int64_t  n;

    if (prompt_json_integer(value, &n) && n > 0) {
        return PROMPT_CHECK_OK;
    }

    return prompt_params_wrong(arena, at, "max_tokens",
                               "must be a positive integer", fault);
}


static prompt_check_t
prompt_params_refuse(prompt_arena_t *arena, prompt_str_t at,
    const prompt_json_t *value, prompt_fault_t *fault)
{
    return prompt_text_fault(arena,
                             prompt_arena_printf(arena, "%.*s.%.*s",
                                                 prompt_str_arg(at),
                                                 prompt_str_arg(value->name)),
                             "is set by the service and must not be given",
                             fault);
}


typedef struct {
    prompt_str_t            name;
    prompt_params_check_pt  check;
} prompt_params_known_t;

static const prompt_params_known_t  prompt_params_table[] = {

    { prompt_str_init("model"),       prompt_params_check_model },
    { prompt_str_init("temperature"), prompt_params_check_temperature },
    { prompt_str_init("max_tokens"),  prompt_params_check_max_tokens },

    { prompt_str_init("messages"),    prompt_params_refuse },
    { prompt_str_init("prompt"),      prompt_params_refuse },
    { prompt_str_init("input"),       prompt_params_refuse },
    { prompt_str_init("stream"),      prompt_params_refuse },
    { prompt_str_init("n"),           prompt_params_refuse },

    { prompt_str_init("fallbacks"),   prompt_params_check_fallbacks }
};


/* what is known of the parameter, or NULL: it is the provider's */
static const prompt_params_known_t *
prompt_params_find(prompt_str_t name)
{
    size_t  i;

    for (i = 0; i < sizeof(prompt_params_table)
                    / sizeof(prompt_params_table[0]); i++)
    {
        if (prompt_str_eq(name, prompt_params_table[i].name)) {
            return &prompt_params_table[i];
        }
    }

    return NULL;
}


/* null takes away what may be left out */
static bool
prompt_params_is_none(const prompt_params_known_t *known,
    const prompt_json_t *value)
{
    return value->type == PROMPT_JSON_NULL
           && known->check != prompt_params_check_model
           && known->check != prompt_params_refuse;
}


static prompt_check_t
prompt_params_check_members(prompt_arena_t *arena, prompt_str_t at,
    const prompt_json_t *params, prompt_fault_t *fault)
{
    prompt_check_t                rc;
    const prompt_json_t          *value;
    const prompt_params_known_t  *known;

    for (value = params->first; value != NULL; value = value->next) {
        known = prompt_params_find(value->name);

        if (known != NULL && !prompt_params_is_none(known, value)) {
            rc = known->check(arena, at, value, fault);
            if (rc != PROMPT_CHECK_OK) {
                return rc;
            }
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
        return prompt_params_wrong(arena, at, "model",
                                   "must be a non-empty string", fault);
    }

    return prompt_params_check_members(arena, at, fallback, fault);
}


static prompt_check_t
prompt_params_check_fallbacks(prompt_arena_t *arena, prompt_str_t at,
    const prompt_json_t *value, prompt_fault_t *fault)
{
    unsigned              n;
    prompt_check_t        rc;
    const prompt_json_t  *fallback;

    if (!prompt_str_eq(at, prompt_str("params"))) {
        return prompt_params_refuse(arena, at, value, fault);
    }

    if (value->type != PROMPT_JSON_ARRAY
        || value->count > PROMPT_LIMIT_FALLBACKS)
    {
        return prompt_params_wrong(arena, at, "fallbacks",
                                   "must be an array of at most "
                                   prompt_params_text(PROMPT_LIMIT_FALLBACKS)
                                   " objects", fault);
    }

    n = 0;

    for (fallback = value->first; fallback != NULL; fallback = fallback->next) {

        rc = prompt_params_check_fallback(arena, fallback, n, fault);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        n++;
    }

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_params_check(prompt_arena_t *arena, const prompt_json_t *params,
    prompt_fault_t *fault)
{
    if (params->type != PROMPT_JSON_OBJECT) {
        return prompt_fault_set(arena, fault, prompt_str("params"),
                                "params must be a JSON object");
    }

    return prompt_params_check_members(arena, prompt_str("params"), params,
                                       fault);
}


bool
prompt_params_taken(prompt_str_t name)
{
    const prompt_params_known_t  *known;

    known = prompt_params_find(name);

    return known != NULL && known->check != prompt_params_check_max_tokens;
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


/* there can be thousands on both sides */
static prompt_json_member_t *
prompt_params_sorted(prompt_arena_t *arena, const prompt_json_t *params)
{
    size_t                 i;
    const prompt_json_t   *value;
    prompt_json_member_t  *members;

    members = prompt_arena_zalloc(arena, (params->count + 1)
                                         * sizeof(prompt_json_member_t));
    if (members == NULL) {
        return NULL;
    }

    i = 0;

    for (value = params->first; value != NULL; value = value->next) {
        members[i++].value = value;
    }

    prompt_json_members_sort(members, params->count);

    return members;
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


/* all members but nulls and those that the n others have; false: memory */
static bool
prompt_params_merge(prompt_arena_t *arena, prompt_json_t *merged,
    const prompt_json_t *params, const prompt_json_member_t *others, size_t n)
{
    const prompt_json_t  *value;

    for (value = params->first; value != NULL; value = value->next) {

        if (value->type == PROMPT_JSON_NULL
            || prompt_str_eq(value->name, prompt_str("fallbacks"))
            || (n != 0
                && prompt_json_members_find(others, n, value->name) != NULL))
        {
            continue;
        }

        if (!prompt_params_share(arena, merged, value)) {
            return false;
        }
    }

    return true;
}


/* whether choice 0 is params as they are */
static bool
prompt_params_is_choice(const prompt_json_t *params)
{
    const prompt_json_t  *value;

    value = params->first;

    while (value != NULL && value->type != PROMPT_JSON_NULL
           && !prompt_str_eq(value->name, prompt_str("fallbacks")))
    {
        value = value->next;
    }

    return value == NULL;
}


const prompt_json_t *
prompt_params_override(prompt_arena_t *arena, const prompt_json_t *params,
    const prompt_json_t *overrides)
{
    prompt_json_t         *merged;
    const prompt_json_t   *value;
    prompt_json_member_t  *others;

    merged = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    others = prompt_params_sorted(arena, overrides);

    if (merged == NULL || others == NULL) {
        return NULL;
    }

    for (value = params->first; value != NULL; value = value->next) {

        if (prompt_json_members_find(others, overrides->count, value->name)
            == NULL
            && !prompt_params_share(arena, merged, value))
        {
            return NULL;
        }
    }

    for (value = overrides->first; value != NULL; value = value->next) {

        if (value->type != PROMPT_JSON_NULL
            && !prompt_params_share(arena, merged, value))
        {
            return NULL;
        }
    }

    return merged;
}


const prompt_json_t *
prompt_params_choice(prompt_arena_t *arena, const prompt_json_t *params,
    unsigned choice)
{
    size_t                 n;
    prompt_json_t         *merged;
    const prompt_json_t   *fallback, *fallbacks;
    prompt_json_member_t  *others;

    if (prompt_params_is_choice(params)) {
        return params;
    }

    fallbacks = prompt_json_get(params, prompt_str("fallbacks"));
    merged = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    fallback = choice == 0 ? NULL : prompt_json_at(fallbacks, choice - 1);
    others = NULL;
    n = 0;

    if (fallback != NULL) {
        others = prompt_params_sorted(arena, fallback);
        n = fallback->count;

        if (others == NULL) {
            return NULL;
        }
    }

    if (merged == NULL
        || !prompt_params_merge(arena, merged, params, others, n)
        || (fallback != NULL
            && !prompt_params_merge(arena, merged, fallback, NULL, 0)))
    {
        return NULL;
    }

    return merged;
}
