/*
 * The steps of an import: planned one after the other, then taken in that
 * order.
 */

#ifndef CTL_STEP_H
#define CTL_STEP_H

#include "ctl/api.h"
#include "ctl/output.h"


typedef enum {
    CTL_STEP_CREATE = 0,
    CTL_STEP_UPDATE,
    CTL_STEP_VERSION,
    CTL_STEP_LABEL
} ctl_step_kind_t;


typedef struct ctl_step_s  ctl_step_t;

struct ctl_step_s {
    ctl_step_kind_t   kind;
    const char       *name;                  /* of the prompt */
    int64_t           number;                /* of the version */
    prompt_str_t      id;                    /* of the prompt, once known */
    prompt_json_t    *input;                 /* of LABEL: label and version */
    ctl_step_t       *create;                /* makes the prompt, or NULL */
    ctl_step_t       *next;
};


typedef struct {
    ctl_t            *ctl;
    ctl_api_t        *api;
    prompt_arena_t   *arena;                 /* of the steps */
    ctl_step_t       *first;
    ctl_step_t       *last;
    ctl_output_t      out;                   /* of --json */
} ctl_steps_t;


/*
 * Adds a step; name, id and input are copied.  NULL where memory is short.
 */
ctl_step_t *ctl_step_add(ctl_steps_t *steps, ctl_step_kind_t kind,
    const char *name, prompt_str_t id, const prompt_json_t *input);

/*
 * Takes all of them, or with --dry-run only says what they would do.  Returns
 * an exit status, that of the first one that failed, after a message.
 */
int ctl_steps_take(ctl_steps_t *steps) PROMPT_WARN_UNUSED;

#endif /* CTL_STEP_H */
