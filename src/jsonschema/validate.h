/*
 * Validating a value against a compiled schema: what the files that do
 * it share.
 */

#ifndef PROMPT_JSONSCHEMA_VALIDATE_H
#define PROMPT_JSONSCHEMA_VALIDATE_H

#include "jsonschema/schema.h"


/* why validation ended before its end */
typedef enum {
    PROMPT_SCHEMA_GOES_ON = 0,
    PROMPT_SCHEMA_FULL,              /* as many violations as are listed */
    PROMPT_SCHEMA_NO_STEPS,
    PROMPT_SCHEMA_NO_DEPTH,
    PROMPT_SCHEMA_NO_MEMORY
} prompt_schema_stop_t;


typedef struct {
    prompt_arena_t        *arena;
    unsigned               steps;        /* that are left */
    unsigned               depth;        /* of the recursion */
    unsigned               silent;       /* above 0: only whether, not why */
    prompt_schema_stop_t   stop;
    prompt_json_t         *violations;
    prompt_str_t           field;        /* of the first one */
    prompt_str_t           message;
} prompt_schema_validator_t;


/* a value, and where it stands */
typedef struct {
    const prompt_json_t   *value;
    const prompt_path_t   *path;
} prompt_schema_instance_t;


/*
 * Whether the instance is valid.  Violations are listed, unless silent; what
 * `false` forbids is a violation of the keyword via.  The result means nothing
 * where stop says that validation ended.
 */
bool prompt_schema_apply(prompt_schema_validator_t *validator,
    const prompt_schema_t *schema, const prompt_schema_instance_t *instance,
    prompt_str_t via);

/* the same without listing, for keywords that only ask whether */
bool prompt_schema_matches(prompt_schema_validator_t *validator,
    const prompt_schema_t *schema, const prompt_schema_instance_t *instance);

/*
 * Takes steps; false when they are used up, or validation has ended.
 */
bool prompt_schema_spend(prompt_schema_validator_t *validator, size_t steps);

/*
 * Lists a violation, unless silent; field: absent for the path of the
 * instance.  Returns false, for those that report and fail.
 */
bool prompt_schema_violation(prompt_schema_validator_t *validator,
    const prompt_schema_instance_t *instance, prompt_str_t keyword,
    prompt_str_t field, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* whether a rule that failed ends its schema: silent, or nothing more to say */
static inline bool
prompt_schema_ends(const prompt_schema_validator_t *validator)
{
    return validator->silent != 0 || validator->stop != PROMPT_SCHEMA_GOES_ON;
}


/* Rules by what they look at; each returns whether the instance passes. */
bool prompt_schema_check_scalar(prompt_schema_validator_t *validator,
    const prompt_schema_rule_t *rule,
    const prompt_schema_instance_t *instance);
bool prompt_schema_check_array(prompt_schema_validator_t *validator,
    const prompt_schema_t *schema, const prompt_schema_rule_t *rule,
    const prompt_schema_instance_t *instance);
bool prompt_schema_check_object(prompt_schema_validator_t *validator,
    const prompt_schema_t *schema, const prompt_schema_rule_t *rule,
    const prompt_schema_instance_t *instance);

#endif /* PROMPT_JSONSCHEMA_VALIDATE_H */
