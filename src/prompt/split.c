/*
 * Splits: what may be set, and who has which slot.
 */

#include "prompt/split.h"

#include "base/sha256.h"


typedef struct {
    prompt_str_t  name;
    prompt_str_t  field;
    double        least;
    double        most;
} prompt_guard_bound_t;

#define PROMPT_GUARD_BOUND(name, least, most)                                \
    { { name, sizeof(name) - 1 },                                            \
      { "guard." name, sizeof("guard." name) - 1 }, least, most }

/* the first one is how many executions there are to be */
static const prompt_guard_bound_t  prompt_guard_bounds[] = {
    PROMPT_GUARD_BOUND("minExecutions", 1, PROMPT_GUARD_RUNS),
    PROMPT_GUARD_BOUND("maxFailurePermille", 0, PROMPT_SPLIT_SLOTS - 1),
    PROMPT_GUARD_BOUND("maxLatencyRatio", 1, 1000),
    PROMPT_GUARD_BOUND("maxCostRatio", 1, 1000)
};

#define PROMPT_GUARD_NBOUNDS                                                 \
    (sizeof(prompt_guard_bounds) / sizeof(prompt_guard_bounds[0]))


static prompt_check_t prompt_split_write(prompt_arena_t *arena,
    const prompt_json_t *split, int64_t version, prompt_buf_t *out,
    prompt_fault_t *fault);
static prompt_check_t prompt_guard_write(prompt_arena_t *arena,
    const prompt_json_t *guard, prompt_buf_t *out, prompt_fault_t *fault);
static prompt_check_t prompt_split_text(prompt_arena_t *arena,
    prompt_check_t rc, prompt_buf_t *buf, prompt_str_t *text);


/* 0 for what is no integer */
static int64_t
prompt_split_number(const prompt_json_t *object, const char *name)
{
    int64_t               value;
    const prompt_json_t  *number;

    number = prompt_json_get(object, prompt_str_from(name));

    return number != NULL && number->type == PROMPT_JSON_NUMBER
           && prompt_json_integer(number, &value) ? value : 0;
}


prompt_check_t
prompt_split_check(prompt_arena_t *arena, const prompt_json_t *split,
    int64_t version, prompt_str_t *text, prompt_fault_t *fault)
{
    prompt_buf_t    buf;
    prompt_check_t  rc;

    *text = prompt_str_absent;

    if (split == NULL || split->count == 0) {
        return PROMPT_CHECK_OK;
    }

    if (split->count > PROMPT_SPLIT_MOST) {
        return prompt_fault_set(arena, fault, prompt_str("split"),
                                "split has at most %d versions.",
                                PROMPT_SPLIT_MOST);
    }

    prompt_buf_init(&buf, 1024);
    rc = prompt_split_write(arena, split, version, &buf, fault);
    rc = prompt_split_text(arena, rc, &buf, text);

    if (split->count == 1) {
        *text = prompt_str_absent;
    }

    return rc;
}


static prompt_check_t
prompt_split_write(prompt_arena_t *arena, const prompt_json_t *split,
    int64_t version, prompt_buf_t *out, prompt_fault_t *fault)
{
    int64_t               number, permille, sum, most, named;
    const prompt_json_t  *arm, *other;

    sum = 0;
    most = -1;
    named = 0;

    for (arm = split->first; arm != NULL; arm = arm->next) {
        number = prompt_split_number(arm, "version");
        permille = prompt_split_number(arm, "permille");

        if (permille < 0 || permille > PROMPT_SPLIT_SLOTS) {
            return prompt_fault_set(arena, fault, prompt_str("split.permille"),
                                    "permille must be 0 to %d.",
                                    PROMPT_SPLIT_SLOTS);
        }

        for (other = split->first; other != arm; other = other->next) {
            if (prompt_split_number(other, "version") == number) {
                return prompt_fault_set(arena, fault,
                                        prompt_str("split.version"),
                                        "split has version %ld twice.",
                                        (long) number);
            }
        }

        prompt_buf_printf(out, "%c{\"version\":%ld,\"permille\":%ld}",
                          arm == split->first ? '[' : ',', (long) number,
                          (long) permille);
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

    prompt_buf_char(out, ']');

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_guard_check(prompt_arena_t *arena, const prompt_json_t *guard,
    bool split, prompt_str_t *text, prompt_fault_t *fault)
{
    prompt_buf_t  buf;

    *text = prompt_str_absent;

    if (guard == NULL) {
        return PROMPT_CHECK_OK;
    }

    if (!split) {
        return prompt_fault_set(arena, fault, prompt_str("guard"),
                                "A guard goes with a split of two versions or "
                                "more.");
    }

    prompt_buf_init(&buf, 1024);

    return prompt_split_text(arena,
                             prompt_guard_write(arena, guard, &buf, fault),
                             &buf, text);
}


static prompt_check_t
prompt_guard_write(prompt_arena_t *arena, const prompt_json_t *guard,
    prompt_buf_t *out, prompt_fault_t *fault)
{
    double                       number;
    unsigned                     i, count;
    const prompt_json_t         *value;
    const prompt_guard_bound_t  *bound;

    count = 0;

    for (i = 0; i < PROMPT_GUARD_NBOUNDS; i++) {
        bound = &prompt_guard_bounds[i];
        value = prompt_json_get(guard, bound->name);

        if (value == NULL || value->type != PROMPT_JSON_NUMBER) {
            continue;
        }

        if (!prompt_json_double(value, &number) || number < bound->least
            || number > bound->most)
        {
            return prompt_fault_set(arena, fault, bound->field,
                                    "%.*s must be %g to %g.",
                                    prompt_str_arg(bound->name), bound->least,
                                    bound->most);
        }

        prompt_buf_printf(out, "%c\"%.*s\":", count++ == 0 ? '{' : ',',
                          prompt_str_arg(bound->name));
        prompt_json_write_double(out, number);
    }

    if (count < 2) {
        return prompt_fault_set(arena, fault, prompt_str("guard"),
                                "A guard has one bound at least: "
                                "maxFailurePermille, maxLatencyRatio or "
                                "maxCostRatio.");
    }

    prompt_buf_char(out, '}');

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_split_text(prompt_arena_t *arena, prompt_check_t rc, prompt_buf_t *buf,
    prompt_str_t *text)
{
    if (rc == PROMPT_CHECK_OK) {
        *text = buf->status == PROMPT_BUF_OK
                ? prompt_arena_copy(arena, prompt_buf_view(buf))
                : prompt_str_absent;

        rc = text->data != NULL ? PROMPT_CHECK_OK : PROMPT_CHECK_NOMEM;
    }

    prompt_buf_free(buf);

    return rc;
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

    number = arm != NULL ? prompt_split_number(arm, "version") : 0;
    *version = (int32_t) number;

    return number > 0 && number <= INT32_MAX;
}
