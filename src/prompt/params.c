/*
 * Params: the configuration of the model.
 */

#include "prompt/params.h"

#include "base/decimal.h"
#include "base/utf8.h"


typedef prompt_check_t (*prompt_params_check_pt)(prompt_arena_t *arena,
    const prompt_json_t *value, prompt_fault_t *fault);


static prompt_check_t prompt_params_check_model(prompt_arena_t *arena,
    const prompt_json_t *value, prompt_fault_t *fault);
static prompt_check_t prompt_params_check_temperature(prompt_arena_t *arena,
    const prompt_json_t *value, prompt_fault_t *fault);
static prompt_check_t prompt_params_check_max_tokens(prompt_arena_t *arena,
    const prompt_json_t *value, prompt_fault_t *fault);
static prompt_check_t prompt_params_refuse(prompt_arena_t *arena,
    const prompt_json_t *value, prompt_fault_t *fault);


static const struct {
    prompt_str_t            name;
    prompt_params_check_pt  check;
} prompt_params_table[] = {

    { prompt_str_init("model"),       prompt_params_check_model },
    { prompt_str_init("temperature"), prompt_params_check_temperature },
    { prompt_str_init("max_tokens"),  prompt_params_check_max_tokens },

    { prompt_str_init("messages"),    prompt_params_refuse },
    { prompt_str_init("prompt"),      prompt_params_refuse },
    { prompt_str_init("input"),       prompt_params_refuse },
    { prompt_str_init("stream"),      prompt_params_refuse },
    { prompt_str_init("n"),           prompt_params_refuse },
    { prompt_str_init("fallbacks"),   prompt_params_refuse }
};


static prompt_check_t
prompt_params_check_model(prompt_arena_t *arena, const prompt_json_t *value,
    prompt_fault_t *fault)
{
    if (value->type != PROMPT_JSON_STRING || value->text.len == 0) {
        return prompt_fault_set(arena, fault, prompt_str("params.model"),
                                "params.model must be a non-empty string");
    }

    if (prompt_utf8_length(value->text) > PROMPT_LIMIT_MODEL) {
        return prompt_fault_set(arena, fault, prompt_str("params.model"),
                                "params.model must not be longer than %d "
                                "characters", PROMPT_LIMIT_MODEL);
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_params_check_temperature(prompt_arena_t *arena,
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

    return prompt_fault_set(arena, fault, prompt_str("params.temperature"),
                            "params.temperature must be a number from 0 to 2");
}


static prompt_check_t
prompt_params_check_max_tokens(prompt_arena_t *arena,
    const prompt_json_t *value, prompt_fault_t *fault)
{
    int64_t  n;

    if (prompt_json_integer(value, &n) && n > 0) {
        return PROMPT_CHECK_OK;
    }

    return prompt_fault_set(arena, fault, prompt_str("params.max_tokens"),
                            "params.max_tokens must be a positive integer");
}


static prompt_check_t
prompt_params_refuse(prompt_arena_t *arena, const prompt_json_t *value,
    prompt_fault_t *fault)
{
    prompt_str_t  field;

    field = prompt_arena_printf(arena, "params.%.*s",
                                prompt_str_arg(value->name));
    if (field.data == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    return prompt_fault_set(arena, fault, field,
                            "%.*s is set by the service and must not be given",
                            prompt_str_arg(field));
}


prompt_check_t
prompt_params_check(prompt_arena_t *arena, const prompt_json_t *params,
    prompt_fault_t *fault)
{
    size_t                i;
    prompt_check_t        rc;
    const prompt_json_t  *value;

    if (params->type != PROMPT_JSON_OBJECT) {
        return prompt_fault_set(arena, fault, prompt_str("params"),
                                "params must be a JSON object");
    }

    for (value = params->first; value != NULL; value = value->next) {

        for (i = 0; i < sizeof(prompt_params_table)
                        / sizeof(prompt_params_table[0]); i++)
        {
            if (!prompt_str_eq(value->name, prompt_params_table[i].name)) {
                continue;
            }

            rc = prompt_params_table[i].check(arena, value, fault);
            if (rc != PROMPT_CHECK_OK) {
                return rc;
            }
        }
    }

    return PROMPT_CHECK_OK;
}


bool
prompt_params_taken(prompt_str_t name)
{
    size_t  i;

    for (i = 0; i < sizeof(prompt_params_table)
                    / sizeof(prompt_params_table[0]); i++)
    {
        if (prompt_str_eq(name, prompt_params_table[i].name)) {
            return prompt_params_table[i].check
                   != prompt_params_check_max_tokens;
        }
    }

    return false;
}


prompt_str_t
prompt_params_model(const prompt_json_t *params)
{
    const prompt_json_t  *model;

    model = prompt_json_get(params, prompt_str("model"));

    return model != NULL && model->type == PROMPT_JSON_STRING
           ? model->text : prompt_str_absent;
}
