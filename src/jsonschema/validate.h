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


struct prompt_jsonschema_validator_s {
    prompt_arena_t           *arena;
    prompt_str_t              whole;     /* what the value is called */
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
};


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


/* a schema that is being applied */
struct prompt_jsonschema_frame_s {
    const prompt_jsonschema_t           *schema;
    const prompt_jsonschema_instance_t  *instance;
    bool                                 asked;  /* `if` was */
    bool                                 condition;
};


/*
 * Whether the value is valid, within so many steps.  whole is what it is called
 * where it is wrong as a whole (`input`).  The validator is filled;
 * its violations are a list, and stop says why validation ended early, if it
 * did: the result means nothing then, but for FULL.
 */
bool prompt_jsonschema_validate(prompt_jsonschema_validator_t *validator,
    prompt_arena_t *arena, const prompt_jsonschema_t *schema,
    const prompt_json_t *value, prompt_str_t whole, unsigned steps);

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

/* the same of a rule and the instance of its schema */
bool prompt_jsonschema_fails(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_frame_t *frame,
    const prompt_jsonschema_rule_t *rule, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/*
 * Applies a schema to an element or member of the frame's instance; *valid is
 * false from the first one on that is not.  Whether the rule is to go on: it
 * failed before, and nothing more is to be said, where not.
 */
bool prompt_jsonschema_apply_child(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_frame_t *frame,
    const prompt_jsonschema_rule_t *rule, const prompt_jsonschema_t *schema,
    const prompt_json_t *child, size_t index, bool *valid);

/* the path of an element or member of the instance */
prompt_path_t prompt_jsonschema_child_path(
    const prompt_jsonschema_instance_t *instance, const prompt_json_t *child,
    size_t index);

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


/* any value, numbers and strings; count: how long or large a value is, too */
prompt_jsonschema_check_t  prompt_jsonschema_check_type,
                           prompt_jsonschema_check_enum,
                           prompt_jsonschema_check_const,
                           prompt_jsonschema_check_number,
                           prompt_jsonschema_check_count,
                           prompt_jsonschema_check_pattern,
                           prompt_jsonschema_check_format;

/* other schemas for the same value */
prompt_jsonschema_check_t  prompt_jsonschema_check_ref,
                           prompt_jsonschema_check_dynamic,
                           prompt_jsonschema_check_if,
                           prompt_jsonschema_check_branch,
                           prompt_jsonschema_check_all_of,
                           prompt_jsonschema_check_any_of,
                           prompt_jsonschema_check_one_of,
                           prompt_jsonschema_check_not;

/* arrays */
prompt_jsonschema_check_t  prompt_jsonschema_check_items,
                           prompt_jsonschema_check_additional_items,
                           prompt_jsonschema_check_unique,
                           prompt_jsonschema_check_contains;

/* objects */
prompt_jsonschema_check_t  prompt_jsonschema_check_required,
                           prompt_jsonschema_check_properties,
                           prompt_jsonschema_check_patterns,
                           prompt_jsonschema_check_additional,
                           prompt_jsonschema_check_names,
                           prompt_jsonschema_check_dependent;

#endif /* PROMPT_JSONSCHEMA_VALIDATE_H */
