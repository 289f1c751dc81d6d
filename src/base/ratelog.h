/*
 * Something that goes wrong again and again: when it is worth a line of a log.
 *
 * The first time it is, then at most after 10 s, 20 s, ... 5 min, with how
 * often it happened meanwhile; and when it is over.  What was quiet for a
 * minute begins anew.  What comes and goes has no more lines than what stays.
 *
 * There is no clock here: who asks says what time it is.
 */

#ifndef PROMPT_BASE_RATELOG_H
#define PROMPT_BASE_RATELOG_H

#include <stdbool.h>
#include <stdint.h>


#define PROMPT_RATELOG_FIRST  10000              /* ms, between lines */
#define PROMPT_RATELOG_LAST   300000
#define PROMPT_RATELOG_CALM   60000              /* ms without it */


/* All zero: it never happened.  Moments in ms, of a clock that never goes
   back. */
typedef struct {
    uint64_t  began;                 /* since it was over last */
    uint64_t  last;                  /* when it happened last */
    uint64_t  next;                  /* no line before */
    uint64_t  pause;                 /* behind the next line; 0: never seen */
    uint64_t  count;                 /* since it began */
    uint64_t  held;                  /* since the last line, without one */
    bool      open;                  /* a line said that it began */
} prompt_ratelog_t;


/* It happened.  True: worth a line; more is how often since the last one. */
bool prompt_ratelog_seen(prompt_ratelog_t *ratelog, uint64_t now,
    uint64_t *more);

/* It happened where no line can be written: the next that can be is due. */
void prompt_ratelog_unsaid(prompt_ratelog_t *ratelog, uint64_t now);

/*
 * It is over, as far as can be seen.  True: worth a line, which says for how
 * long it went on (ms) and how often it happened.
 */
bool prompt_ratelog_over(prompt_ratelog_t *ratelog, uint64_t now, uint64_t *ms,
    uint64_t *count);

/*
 * Whether it is over since it was quiet for so long: it can be forgotten then.
 * say: whether that is worth a line, because there was one too few.
 */
bool prompt_ratelog_calm(const prompt_ratelog_t *ratelog, uint64_t now,
    bool *say);

#endif /* PROMPT_BASE_RATELOG_H */
