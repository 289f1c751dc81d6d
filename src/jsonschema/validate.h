/*
 * Validating a value against a compiled schema: what the files that do
 * it share.
 */

#ifndef PROMPT_JSONSCHEMA_VALIDATE_H
#define PROMPT_JSONSCHEMA_VALIDATE_H

#include "jsonschema/schema.h"


/* why validation ended before its end */
typedef enum {
    PROMPT_JSONSCHEMA_GOES_ON = 0,
    PROMPT_JSONSCHEMA_FULL,          /* as many violations as are listed */
    PROMPT_JSONSCHEMA_NO_STEPS,
    PROMPT_JSONSCHEMA_NO_DEPTH,
    PROMPT_JSONSCHEMA_NO_MEMORY
} prompt_jsonschema_stop_t;


typedef struct {
    prompt_arena_t           *arena;
    unsigned                  steps;     /* that are left */
    unsigned                  depth;     /* of the recursion */
    unsigned                  silent;    /* above 0: only whether, not why */
    unsigned                  deferred;  /* rules that may yet list violations
                                            before some that are listed */
    prompt_jsonschema_stop_t  stop;
    prompt_json_t            *violations;
    uint32_t                 *entered;   /* of each resource: when it was, or
                                            0; NULL: nobody asks */
    uint32_t                  entries;
} prompt_jsonschema_validator_t;


/*
 * Which elements or members of a value some rule has looked at, for the
 * unevaluated... of a schema around it; by their index.
 */
typedef struct {
    uint32_t               count;
    uint32_t              *log;          /* those that were, in their order */
    uint8_t               *flags;
} prompt_jsonschema_seen_t;


/* a value, and where it stands */
typedef struct {
    const prompt_json_t       *value;
    const prompt_path_t       *path;
    prompt_jsonschema_seen_t  *seen;     /* NULL: nobody asks */
} prompt_jsonschema_instance_t;


/*
 * Whether the value is valid, within so many steps.  The validator is filled;
 * its violations are a list, and stop says why validation ended early, if it
 * did: the result means nothing then, but for FULL.
 */
bool prompt_jsonschema_validate(prompt_jsonschema_validator_t *validator,
    prompt_arena_t *arena, const prompt_jsonschema_t *schema,
    const prompt_json_t *value, unsigned steps);

/*
 * Whether the instance is valid.  Violations are listed, unless silent; what
 * `false` forbids is a violation of the keyword via.  The result means nothing
 * where stop says that validation ended.
 */
bool prompt_jsonschema_apply(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_t *schema,
    const prompt_jsonschema_instance_t *instance, prompt_str_t via);

/* the same without listing, for keywords that only ask whether */
bool prompt_jsonschema_matches(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_t *schema,
    const prompt_jsonschema_instance_t *instance);

/*
 * Takes steps; false when they are used up, or validation has ended.
 */
bool prompt_jsonschema_spend(prompt_jsonschema_validator_t *validator,
                             size_t steps);

/*
 * Lists a violation, unless silent; field: absent for the path of the
 * instance.  Returns false, for those that report and fail.
 */
bool prompt_jsonschema_violation(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_instance_t *instance, prompt_str_t keyword,
    prompt_str_t field, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* notes that the element or member was looked at */
static inline void
prompt_jsonschema_see(const prompt_jsonschema_instance_t *instance,
                      size_t index)
{
    prompt_jsonschema_seen_t  *seen;

    seen = instance->seen;

    if (seen != NULL && !seen->flags[index]) {
        seen->flags[index] = 1;
        seen->log[seen->count++] = (uint32_t) index;
    }
}


/* whether a rule that failed ends its schema: silent, or nothing more to say */
static inline bool
prompt_jsonschema_ends(const prompt_jsonschema_validator_t *validator)
{
    return validator->silent != 0
           || validator->stop != PROMPT_JSONSCHEMA_GOES_ON;
}


/* Rules by what they look at; each returns whether the instance passes. */
bool prompt_jsonschema_check_scalar(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance);
bool prompt_jsonschema_check_array(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_t *schema, const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance);
bool prompt_jsonschema_check_object(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_t *schema, const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance);


/* unevaluatedItems, or unevaluatedProperties, when all others are done */
bool prompt_jsonschema_check_rest_items(
    prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance);
bool prompt_jsonschema_check_rest_members(
    prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance);

#endif /* PROMPT_JSONSCHEMA_VALIDATE_H */
