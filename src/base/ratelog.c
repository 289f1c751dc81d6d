/*
 * Something that goes wrong again and again: when it is worth a line.
 */

#include "base/ratelog.h"

#include <string.h>


static void prompt_ratelog_note(prompt_ratelog_t *ratelog, uint64_t now);


bool
prompt_ratelog_seen(prompt_ratelog_t *ratelog, uint64_t now, uint64_t *more)
{
    prompt_ratelog_note(ratelog, now);

    if (now < ratelog->next) {
        ratelog->held++;
        return false;
    }

    *more = ratelog->held;

    ratelog->held = 0;
    ratelog->open = true;
    ratelog->next = now + ratelog->pause;
    ratelog->pause *= 2;

    if (ratelog->pause > PROMPT_RATELOG_LAST) {
        ratelog->pause = PROMPT_RATELOG_LAST;
    }

    return true;
}


void
prompt_ratelog_unsaid(prompt_ratelog_t *ratelog, uint64_t now)
{
    prompt_ratelog_note(ratelog, now);
    ratelog->held++;
}


static void
prompt_ratelog_note(prompt_ratelog_t *ratelog, uint64_t now)
{
    if (ratelog->pause == 0 || now - ratelog->last >= PROMPT_RATELOG_CALM) {
        memset(ratelog, 0, sizeof(prompt_ratelog_t));

        ratelog->pause = PROMPT_RATELOG_FIRST;
        ratelog->next = now;
    }

    if (ratelog->count == 0) {
        ratelog->began = now;
    }

    ratelog->count++;
    ratelog->last = now;
}


/* Pause and next stay: what comes back at once is no news. */
bool
prompt_ratelog_over(prompt_ratelog_t *ratelog, uint64_t now, uint64_t *ms,
    uint64_t *count)
{
    bool  said;

    said = ratelog->open;

    if (said) {
        *ms = now - ratelog->began;
        *count = ratelog->count;

        ratelog->open = false;
        ratelog->held = 0;
    }

    ratelog->count = 0;

    return said;
}


bool
prompt_ratelog_calm(const prompt_ratelog_t *ratelog, uint64_t now, bool *say)
{
    *say = ratelog->held != 0;

    return now - ratelog->last >= PROMPT_RATELOG_CALM;
}
