/*
 * Something that goes wrong again and again: when it is worth a line.
 */

#include "base/trouble.h"

#include <string.h>


static void prompt_trouble_note(prompt_trouble_t *trouble, uint64_t now);


bool
prompt_trouble_seen(prompt_trouble_t *trouble, uint64_t now, uint64_t *more)
{
    prompt_trouble_note(trouble, now);

    if (now < trouble->next) {
        trouble->held++;
        return false;
    }

    *more = trouble->held;

    trouble->held = 0;
    trouble->open = true;
    trouble->next = now + trouble->pause;
    trouble->pause *= 2;

    if (trouble->pause > PROMPT_TROUBLE_LAST) {
        trouble->pause = PROMPT_TROUBLE_LAST;
    }

    return true;
}


void
prompt_trouble_unsaid(prompt_trouble_t *trouble, uint64_t now)
{
    prompt_trouble_note(trouble, now);
    trouble->held++;
}


static void
prompt_trouble_note(prompt_trouble_t *trouble, uint64_t now)
{
    if (trouble->pause == 0 || now - trouble->last >= PROMPT_TROUBLE_CALM) {
        memset(trouble, 0, sizeof(prompt_trouble_t));

        trouble->pause = PROMPT_TROUBLE_FIRST;
        trouble->next = now;
    }

    if (trouble->count == 0) {
        trouble->began = now;
    }

    trouble->count++;
    trouble->last = now;
}


/* Pause and next stay: what comes back at once is no news. */

bool
prompt_trouble_over(prompt_trouble_t *trouble, uint64_t now, uint64_t *ms,
    uint64_t *count)
{
    bool  said;

    said = trouble->open;

    if (said) {
        *ms = now - trouble->began;
        *count = trouble->count;

        trouble->open = false;
        trouble->held = 0;
    }

    trouble->count = 0;

    return said;
}


bool
prompt_trouble_calm(const prompt_trouble_t *trouble, uint64_t now, bool *say)
{
    *say = trouble->held != 0;

    return now - trouble->last >= PROMPT_TROUBLE_CALM;
}
