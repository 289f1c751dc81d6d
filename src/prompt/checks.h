/*
 * Checks: what a dataset wants of the output for each of its items.
 *
 * An array of {name, type, …}.  What is looked at is the whole output or, with
 * `path` (dotted), a member of it as JSON:
 *
 *     equals       as text the `value`, or what the item expects
 *     contains     has that in it
 *     json_equals  is the same JSON: numbers by value, members in any order
 *     regex        `pattern` matches anywhere in it
 *     json_schema  is sound by `schema`
 *     max_cost     the execution cost no more than `usd`
 *     max_latency  took no longer than `ms`
 *     judge        what the prompt `promptId`, at `label`, says of it
 *
 * The text of a JSON string is that string; of any other value its compact
 * form.
 */

#ifndef PROMPT_PROMPT_CHECKS_H
#define PROMPT_PROMPT_CHECKS_H

#include "base/fault.h"
#include "prompt/limits.h"


typedef enum {
    PROMPT_CHECKS_EQUALS = 0,
    PROMPT_CHECKS_CONTAINS,
    PROMPT_CHECKS_JSON_EQUALS,
    PROMPT_CHECKS_REGEX,
    PROMPT_CHECKS_JSON_SCHEMA,
    PROMPT_CHECKS_MAX_COST,
    PROMPT_CHECKS_MAX_LATENCY,
    PROMPT_CHECKS_JUDGE
} prompt_checks_type_t;


/* one of them, compiled; absent or NULL is what it does not have */
typedef struct {
    prompt_checks_type_t          type;
    prompt_str_t                  name;
    prompt_str_t                  path;
    const prompt_json_t          *value;     /* NULL: what the item expects */
    struct prompt_regex_s        *regex;
    struct prompt_jsonschema_s   *schema;
    prompt_str_t                  usd;       /* a number in JSON's form */
    int64_t                       ms;
    prompt_str_t                  prompt_id; /* an id, or a name */
    prompt_str_t                  label;
} prompt_checks_one_t;


typedef struct {
    prompt_checks_one_t  *list;
    uint32_t              count;
} prompt_checks_t;


/*
 * Compiles checks; what they view is value, and lives in the arena.  Fault:
 * field `checks`, followed by the path of what is wrong (`checks.0.pattern`).
 * Depth and size are the caller's to check (prompt_text_json()).  What was
 * stored after that has no fault.
 */
prompt_check_t prompt_checks_compile(prompt_arena_t *arena,
    const prompt_json_t *value, prompt_checks_t *checks,
    prompt_fault_t *fault) PROMPT_WARN_UNUSED;


/* What is looked at, by all checks of a cell one after the other. */
typedef struct {
    prompt_arena_t       *arena;     /* for what is read of it */
    prompt_str_t          output;    /* UTF-8; absent: there is none */
    prompt_str_t          expected;  /* JSON text of the item; or absent */
    prompt_str_t          cost_usd;  /* plain decimal; absent: unknown */
    int64_t               latency_ms;        /* below 0: unknown */

    /* read once, zeroed before: */
    const prompt_json_t  *output_json;
    const prompt_json_t  *expected_json;
    bool                  output_read;
    bool                  expected_read;
} prompt_checked_t;


typedef enum {
    PROMPT_SCORE_0 = 0,
    PROMPT_SCORE_1,
    PROMPT_SCORE_JUDGE,              /* not here: a prompt is to be asked */
    PROMPT_SCORE_NOMEM
} prompt_score_t;


/*
 * What a check says.  Time and memory are bounded; where it would take more, or
 * lacks what it compares with, it scores 0.  Not for two at a time: regular
 * expressions have one room.
 */
prompt_score_t prompt_checks_score(const prompt_checks_one_t *check,
    prompt_checked_t *of) PROMPT_WARN_UNUSED;

#endif /* PROMPT_PROMPT_CHECKS_H */
