/*
 * Checks of datasets: applied to outputs.
 */

#define _GNU_SOURCE                  /* memmem(), which is linear */

#include "prompt/checks.h"

#include "base/decimal.h"
#include "jsonschema/validate.h"


/* NULL where it is no JSON, or too large; and where memory is short */
static const prompt_json_t *
prompt_checked_read(prompt_checked_t *of, prompt_str_t text, bool *nomem)
{
    prompt_json_t        *value;
    prompt_json_error_t   error;

    if (text.data == NULL || text.len > PROMPT_LIMIT_OUTPUT) {
        return NULL;
    }

    value = prompt_json_read_bounded(of->arena, text, PROMPT_LIMIT_DEPTH,
                                     PROMPT_LIMIT_OUTPUT_VALUES, &error);

    *nomem |= value == NULL && error.status == PROMPT_JSON_NOMEM;

    return value;
}


static const prompt_json_t *
prompt_checked_output(prompt_checked_t *of, bool *nomem)
{
    if (!of->output_read) {
        of->output_json = prompt_checked_read(of, of->output, nomem);
        of->output_read = !*nomem;
    }

    return of->output_json;
}


/* what the check compares with, or NULL */
static const prompt_json_t *
prompt_checked_value(const prompt_checks_one_t *check, prompt_checked_t *of,
    bool *nomem)
{
    if (check->value != NULL) {
        return check->value;
    }

    if (!of->expected_read) {
        of->expected_json = prompt_checked_read(of, of->expected, nomem);
        of->expected_read = !*nomem;
    }

    return of->expected_json;
}


/* an element is a number without superfluous zeros */
static const prompt_json_t *
prompt_checked_element(const prompt_json_t *array, prompt_str_t name)
{
    size_t  i, index;

    if (name.len > 9 || (name.len > 1 && name.data[0] == '0')) {
        return NULL;
    }

    index = 0;

    for (i = 0; i < name.len; i++) {

        if (name.data[i] < '0' || name.data[i] > '9') {
            return NULL;
        }

        index = index * 10 + (size_t) (name.data[i] - '0');
    }

    return prompt_json_at(array, index);
}


/* what is looked at, as JSON; NULL: it is none, or has no such member */
static const prompt_json_t *
prompt_checked_json(const prompt_checks_one_t *check, prompt_checked_t *of,
    bool *nomem)
{
    const char           *p, *end, *dot;
    prompt_str_t          name;
    const prompt_json_t  *value;

    value = prompt_checked_output(of, nomem);

    if (check->path.data == NULL) {
        return value;
    }

    p = check->path.data;
    end = p + check->path.len;

    while (p < end && value != NULL) {
        dot = memchr(p, '.', (size_t) (end - p));
        name = prompt_str_of(p, (size_t) ((dot != NULL ? dot : end) - p));
        p += name.len + 1;

        value = value->type == PROMPT_JSON_ARRAY
                ? prompt_checked_element(value, name)
                : prompt_json_get(value, name);
    }

    return value;
}


/* the text of a value, which may be in buf, to be freed; absent: of none */
static prompt_str_t
prompt_checked_text(const prompt_json_t *value, prompt_buf_t *buf, bool *nomem)
{
    prompt_buf_init(buf, 6 * PROMPT_LIMIT_OUTPUT);

    if (value == NULL || value->type == PROMPT_JSON_STRING) {
        return value != NULL ? value->text : prompt_str_absent;
    }

    prompt_json_write(buf, value);

    if (buf->status != PROMPT_BUF_OK) {
        *nomem = true;
        return prompt_str_absent;
    }

    return prompt_buf_view(buf);
}


/* what is looked at, as text, likewise */
static prompt_str_t
prompt_checked_looked(const prompt_checks_one_t *check, prompt_checked_t *of,
    prompt_buf_t *buf, bool *nomem)
{
    prompt_str_t  text;

    text = prompt_checked_text(check->path.data == NULL
                               ? NULL : prompt_checked_json(check, of, nomem),
                               buf, nomem);

    return check->path.data == NULL ? of->output : text;
}


static bool
prompt_checks_is_text(const prompt_checks_one_t *check, prompt_checked_t *of,
    bool *nomem)
{
    bool          passed;
    prompt_buf_t  looked, wanted;
    prompt_str_t  text, want;

    text = prompt_checked_looked(check, of, &looked, nomem);
    want = prompt_checked_text(prompt_checked_value(check, of, nomem), &wanted,
                               nomem);

    passed = text.data != NULL && want.data != NULL
             && (check->type == PROMPT_CHECKS_EQUALS
                 ? prompt_str_eq(text, want)
                 : want.len != 0
                   && memmem(text.data, text.len, want.data, want.len)
                      != NULL);

    prompt_buf_free(&looked);
    prompt_buf_free(&wanted);

    return passed;
}


static bool
prompt_checks_is_json(const prompt_checks_one_t *check, prompt_checked_t *of,
    bool *nomem)
{
    const prompt_json_t  *value, *want;

    value = prompt_checked_json(check, of, nomem);
    want = prompt_checked_value(check, of, nomem);

    return value != NULL && want != NULL && prompt_json_equal(value, want);
}


static bool
prompt_checks_matches(const prompt_checks_one_t *check, prompt_checked_t *of,
    bool *nomem)
{
    bool          passed;
    unsigned      steps;
    prompt_buf_t  looked;
    prompt_str_t  text;

    steps = PROMPT_LIMIT_STEPS;
    text = prompt_checked_looked(check, of, &looked, nomem);

    passed = text.data != NULL
             && prompt_regex_match(check->regex, text, &steps) && steps != 0;

    prompt_buf_free(&looked);

    return passed;
}


static bool
prompt_checks_is_sound(const prompt_checks_one_t *check, prompt_checked_t *of,
    bool *nomem)
{
    bool                           sound;
    const prompt_json_t           *value;
    prompt_jsonschema_validator_t  validator;

    value = prompt_checked_json(check, of, nomem);

    if (value == NULL) {
        return false;
    }

    sound = prompt_jsonschema_validate(&validator, of->arena, check->schema,
                                       value, prompt_str("output"),
                                       PROMPT_LIMIT_STEPS);

    *nomem |= validator.stop == PROMPT_JSONSCHEMA_NO_MEMORY;

    return sound && validator.stop == PROMPT_JSONSCHEMA_GOES_ON;
}


static bool
prompt_checks_is_cheap(const prompt_checks_one_t *check,
    const prompt_checked_t *of)
{
    prompt_decimal_t  cost, most;

    return of->cost_usd.data != NULL
           && prompt_decimal_parse(of->cost_usd, &cost)
           && prompt_decimal_parse(check->usd, &most)
           && prompt_decimal_cmp(&cost, &most) <= 0;
}


prompt_score_t
prompt_checks_score(const prompt_checks_one_t *check, prompt_checked_t *of)
{
    bool  passed, nomem;

    nomem = false;

    switch (check->type) {

    case PROMPT_CHECKS_EQUALS:
    case PROMPT_CHECKS_CONTAINS:
        passed = prompt_checks_is_text(check, of, &nomem);
        break;

    case PROMPT_CHECKS_JSON_EQUALS:
        passed = prompt_checks_is_json(check, of, &nomem);
        break;

    case PROMPT_CHECKS_REGEX:
        passed = prompt_checks_matches(check, of, &nomem);
        break;

    case PROMPT_CHECKS_JSON_SCHEMA:
        passed = prompt_checks_is_sound(check, of, &nomem);
        break;

    case PROMPT_CHECKS_MAX_COST:
        passed = prompt_checks_is_cheap(check, of);
        break;

    case PROMPT_CHECKS_MAX_LATENCY:
        passed = of->latency_ms >= 0 && of->latency_ms <= check->ms;
        break;

    default:
        return PROMPT_SCORE_JUDGE;
    }

    return nomem ? PROMPT_SCORE_NOMEM
                 : passed ? PROMPT_SCORE_1 : PROMPT_SCORE_0;
}
