/*
 * Splits: what may be set, and who has which slot.
 */

#include "prompt/split.h"

#include "base/sha256.h"
#include "prompt/text.h"


/* a ratio beyond is a mistake */
#define PROMPT_GUARD_RATIO  1000.0


static prompt_check_t prompt_split_sum(prompt_arena_t *arena,
    const prompt_json_t *split, int64_t version, prompt_fault_t *fault);
static const prompt_json_t *prompt_split_find(const prompt_json_t *split,
    int64_t version);
static int64_t prompt_split_number(const prompt_json_t *object,
    prompt_str_t name);
static const prompt_json_t *prompt_guard_given(const prompt_json_t *guard,
    prompt_str_t name);
static prompt_check_t prompt_guard_ratio(prompt_arena_t *arena,
    const prompt_json_t *guard, prompt_str_t name, prompt_str_t field,
    prompt_buf_t *out, prompt_fault_t *fault);
static prompt_check_t prompt_guard_permille(prompt_arena_t *arena,
    const prompt_json_t *guard, prompt_buf_t *out, prompt_fault_t *fault);
static prompt_check_t prompt_split_text(prompt_arena_t *arena,
    prompt_buf_t *buf, prompt_str_t *text);


prompt_check_t
prompt_split_check(prompt_arena_t *arena, const prompt_json_t *split,
    int64_t version, prompt_str_t *text, prompt_fault_t *fault)
{
    prompt_buf_t          buf;
    prompt_check_t        rc;
    const prompt_json_t  *arm;

    *text = prompt_str_absent;

    if (split == NULL || split->first == NULL) {
        return PROMPT_CHECK_OK;
    }

    rc = prompt_split_sum(arena, split, version, fault);

    if (rc != PROMPT_CHECK_OK || split->first->next == NULL) {
        return rc;
    }

    prompt_buf_init(&buf, 1024);
    prompt_buf_char(&buf, '[');

    for (arm = split->first; arm != NULL; arm = arm->next) {
        prompt_buf_printf(&buf, "%s{\"version\":%ld,\"permille\":%ld}",
                          arm == split->first ? "" : ",",
                          (long) prompt_split_number(arm,
                                                     prompt_str("version")),
                          (long) prompt_split_number(arm,
                                                     prompt_str("permille")));
    }

    prompt_buf_char(&buf, ']');

    return prompt_split_text(arena, &buf, text);
}


static prompt_check_t
prompt_split_sum(prompt_arena_t *arena, const prompt_json_t *split,
    int64_t version, prompt_fault_t *fault)
{
    int64_t               number, permille, sum, most, named;
    unsigned              count;
    const prompt_json_t  *arm;

    sum = 0;
    most = -1;
    named = 0;
    count = 0;

    for (arm = split->first; arm != NULL; arm = arm->next) {
        number = prompt_split_number(arm, prompt_str("version"));
        permille = prompt_split_number(arm, prompt_str("permille"));

        if (++count > PROMPT_SPLIT_MOST) {
            return prompt_fault_set(arena, fault, prompt_str("split"),
                                    "split has at most %d versions.",
                                    PROMPT_SPLIT_MOST);
        }

        if (permille < 0 || permille > PROMPT_SPLIT_SLOTS) {
            return prompt_fault_set(arena, fault, prompt_str("split.permille"),
                                    "permille must be 0 to %d.",
                                    PROMPT_SPLIT_SLOTS);
        }

        if (prompt_split_find(split, number) != arm) {
            return prompt_fault_set(arena, fault, prompt_str("split.version"),
                                    "split has version %ld twice.",
                                    (long) number);
        }

        sum += permille;

        if (permille > most) {
            most = permille;
            named = number;
        }
    }

    if (sum != PROMPT_SPLIT_SLOTS) {
        return prompt_fault_set(arena, fault, prompt_str("split"),
                                "The shares of a split are together %d "
                                "permille, not %ld.", PROMPT_SPLIT_SLOTS,
                                (long) sum);
    }

    if (named != version) {
        return prompt_fault_set(arena, fault, prompt_str("version"),
                                "version is the one of the split that has "
                                "most, the first of equals: %ld.",
                                (long) named);
    }

    return PROMPT_CHECK_OK;
}


/* the first one of that version, which there is */

static const prompt_json_t *
prompt_split_find(const prompt_json_t *split, int64_t version)
{
    const prompt_json_t  *arm;

    arm = split->first;

    while (prompt_split_number(arm, prompt_str("version")) != version) {
        arm = arm->next;
    }

    return arm;
}


/* 0 for what is no integer */

static int64_t
prompt_split_number(const prompt_json_t *object, prompt_str_t name)
{
    int64_t               value;
    const prompt_json_t  *number;

    number = prompt_guard_given(object, name);

    return number != NULL && prompt_json_integer(number, &value) ? value : 0;
}


/* NULL: it is not there, or null */

static const prompt_json_t *
prompt_guard_given(const prompt_json_t *guard, prompt_str_t name)
{
    const prompt_json_t  *value;

    value = prompt_json_get(guard, name);

    return value == NULL || value->type != PROMPT_JSON_NUMBER ? NULL : value;
}


prompt_check_t
prompt_guard_check(prompt_arena_t *arena, const prompt_json_t *guard,
    bool split, prompt_str_t *text, prompt_fault_t *fault)
{
    int64_t         least;
    prompt_buf_t    buf;
    prompt_check_t  rc;

    *text = prompt_str_absent;

    if (guard == NULL) {
        return PROMPT_CHECK_OK;
    }

    if (!split) {
        return prompt_fault_set(arena, fault, prompt_str("guard"),
                                "A guard goes with a split of two versions or "
                                "more.");
    }

    least = prompt_split_number(guard, prompt_str("minExecutions"));

    if (least < 1 || least > PROMPT_GUARD_RUNS) {
        return prompt_fault_set(arena, fault,
                                prompt_str("guard.minExecutions"),
                                "minExecutions must be 1 to %d: a guard looks "
                                "at so many of a version's last executions.",
                                PROMPT_GUARD_RUNS);
    }

    prompt_buf_init(&buf, 1024);
    prompt_buf_printf(&buf, "{\"minExecutions\":%ld", (long) least);

    rc = prompt_guard_permille(arena, guard, &buf, fault);

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_guard_ratio(arena, guard, prompt_str("maxLatencyRatio"),
                                prompt_str("guard.maxLatencyRatio"), &buf,
                                fault);
    }

    if (rc == PROMPT_CHECK_OK) {
        rc = prompt_guard_ratio(arena, guard, prompt_str("maxCostRatio"),
                                prompt_str("guard.maxCostRatio"), &buf, fault);
    }

    if (rc == PROMPT_CHECK_OK
        && memchr(buf.data, ',', buf.len) == NULL)
    {
        rc = prompt_fault_set(arena, fault, prompt_str("guard"),
                              "A guard has one bound at least: "
                              "maxFailurePermille, maxLatencyRatio or "
                              "maxCostRatio.");
    }

    if (rc != PROMPT_CHECK_OK) {
        prompt_buf_free(&buf);
        return rc;
    }

    prompt_buf_char(&buf, '}');

    return prompt_split_text(arena, &buf, text);
}


static prompt_check_t
prompt_guard_permille(prompt_arena_t *arena, const prompt_json_t *guard,
    prompt_buf_t *out, prompt_fault_t *fault)
{
    int64_t  most;

    if (prompt_guard_given(guard, prompt_str("maxFailurePermille")) == NULL) {
        return PROMPT_CHECK_OK;
    }

    most = prompt_split_number(guard, prompt_str("maxFailurePermille"));

    if (most < 0 || most >= PROMPT_SPLIT_SLOTS) {
        return prompt_fault_set(arena, fault,
                                prompt_str("guard.maxFailurePermille"),
                                "maxFailurePermille must be 0 to %d.",
                                PROMPT_SPLIT_SLOTS - 1);
    }

    prompt_buf_printf(out, ",\"maxFailurePermille\":%ld", (long) most);

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_guard_ratio(prompt_arena_t *arena, const prompt_json_t *guard,
    prompt_str_t name, prompt_str_t field, prompt_buf_t *out,
    prompt_fault_t *fault)
{
    double                ratio;
    const prompt_json_t  *value;

    value = prompt_guard_given(guard, name);

    if (value == NULL) {
        return PROMPT_CHECK_OK;
    }

    if (!prompt_json_double(value, &ratio) || ratio < 1.0
        || ratio > PROMPT_GUARD_RATIO)
    {
        return prompt_fault_set(arena, fault, field,
                                "%.*s must be 1 to %g.", prompt_str_arg(name),
                                PROMPT_GUARD_RATIO);
    }

    prompt_buf_printf(out, ",\"%.*s\":", prompt_str_arg(name));
    prompt_json_write_double(out, ratio);

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_split_text(prompt_arena_t *arena, prompt_buf_t *buf, prompt_str_t *text)
{
    *text = buf->status == PROMPT_BUF_OK
            ? prompt_arena_copy(arena, prompt_buf_view(buf))
            : prompt_str_absent;

    prompt_buf_free(buf);

    return text->data != NULL ? PROMPT_CHECK_OK : PROMPT_CHECK_NOMEM;
}


uint32_t
prompt_split_slot(prompt_str_t salt, prompt_str_t subject)
{
    uint8_t          hash[PROMPT_SHA256_LEN];
    prompt_sha256_t  sha;

    prompt_sha256_init(&sha);
    prompt_sha256_update(&sha, salt);
    prompt_sha256_update(&sha, subject);
    prompt_sha256_final(&sha, hash);

    return ((uint32_t) hash[0] << 24 | (uint32_t) hash[1] << 16
            | (uint32_t) hash[2] << 8 | hash[3]) % PROMPT_SPLIT_SLOTS;
}


bool
prompt_split_version(const prompt_json_t *split, prompt_str_t salt,
    prompt_str_t slots, prompt_str_t subject, int32_t *version)
{
    int64_t               number;
    const prompt_json_t  *arm;

    if (slots.len != PROMPT_SPLIT_SLOTS) {
        return false;
    }

    arm = prompt_json_at(split,
                 (unsigned char) slots.data[prompt_split_slot(salt, subject)]);

    if (arm == NULL) {
        return false;
    }

    number = prompt_split_number(arm, prompt_str("version"));
    *version = (int32_t) number;

    return number > 0 && number <= INT32_MAX;
}
