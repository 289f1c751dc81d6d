/*
 * Prompts that OpenAI stored, as its dashboard lets people copy them: bodies of
 * requests to its responses, with {{variables}} in their texts.
 */

#ifndef CTL_OPENAI_H
#define CTL_OPENAI_H

#include "ctl/json.h"


/*
 * Reads a file: one such body, or a list of them; those of one name are
 * versions of one prompt.  ImportPromptInputs; places has a list for each of
 * them, with a text for each version: where in the file it stands.  The run
 * ends where a body cannot be understood, after a message for each fault.
 */
json_t *ctl_openai_read(const ctl_t *ctl, const char *path, json_t **places);

#endif /* CTL_OPENAI_H */
