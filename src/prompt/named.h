/*
 * Prompts as protocols beside GraphQL name them: NAME, NAME@label, NAME@3,
 * where an id may stand in place of the name.
 */

#ifndef PROMPT_PROMPT_NAMED_H
#define PROMPT_PROMPT_NAMED_H

#include "base/json.h"


/* the label that is meant where neither label nor number is given */
#define PROMPT_NAMED_DEFAULT  "production"


typedef struct {
    prompt_str_t    name;            /* or an id; may be empty */
    prompt_str_t    label;           /* absent: none is given */
    int32_t         version;         /* 0: none is given */
} prompt_named_t;


/*
 * Takes text apart at its last @.  All digits behind it are a number; one that
 * is no number of a version is one that no prompt has.  Views of text.
 */
void prompt_named(prompt_str_t text, prompt_named_t *named);

/* What may stand behind the @; false: it says something else than named. */
bool prompt_named_version(prompt_str_t text, prompt_named_t *named)
    PROMPT_WARN_UNUSED;

/*
 * Sets promptId, and version or label where they are given, of variables, an
 * OBJECT.  False: memory.
 */
bool prompt_named_set(const prompt_named_t *named, prompt_arena_t *arena,
    prompt_json_t *variables) PROMPT_WARN_UNUSED;

#endif /* PROMPT_PROMPT_NAMED_H */
