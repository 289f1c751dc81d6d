/*
 * Guesses: who has given how many wrong passwords lately.
 *
 * A table of fixed size in memory that the caller gives, and locks where
 * others use it, too.  It knows what was counted by 16 bytes each, a keyed
 * hash of an account or an address: which place of the table that is nobody
 * can know outside, so that nobody can fill the places around another's.
 *
 * Each entry has the times of its last wrong guesses, so that "five within a
 * quarter of an hour" means just that, whenever the quarter begins.  A guess
 * that is being looked at counts as wrong until it is known: a hundred at one
 * moment are no way around the limit.
 *
 * A full row gives up what counts least, the oldest of these: who asks for
 * many names once does not push out the one that was tried four times.  No
 * entry points to another, so that whoever dies in the middle of a change
 * spoils one at most.
 */

#ifndef PROMPT_PROMPT_GUESSES_H
#define PROMPT_PROMPT_GUESSES_H

#include "base/str.h"


#define PROMPT_GUESSES_KEY     16
#define PROMPT_GUESSES_WAIT    30            /* s after which one that is being
                                                looked at is forgotten */


typedef enum {
    PROMPT_GUESSES_FREE = 0,
    PROMPT_GUESSES_BUSY,             /* too many are being looked at */
    PROMPT_GUESSES_FULL              /* too many were wrong */
} prompt_guesses_e;


typedef struct {
    uint8_t   key[PROMPT_GUESSES_KEY];
    uint32_t  last;                          /* s, when it was used */
    uint32_t  pending_at;                    /* s, of the newest one */
    uint16_t  pending;                       /* are being looked at */
    uint16_t  next;                          /* place in the ring */
    uint32_t  wrong[];                       /* s; 0: none; a ring of the
                                                table's limit */
} prompt_guess_t;


/* lives where the caller puts it, with its entries behind it */
typedef struct {
    uint32_t  limit;                 /* wrong ones, from 1 on */
    uint32_t  window;                /* s in which they count */
    uint32_t  rows;
} prompt_guesses_t;


/* bytes for a table with at least so many entries */
size_t prompt_guesses_size(uint32_t entries, uint32_t limit);

/* Makes an empty table in as many bytes. */
void prompt_guesses_init(prompt_guesses_t *guesses, uint32_t entries,
    uint32_t limit, uint32_t window);

/*
 * Whether another guess may be looked at now (seconds of any clock that does
 * not go back, never 0; that of another process may be a little ahead).
 * FULL: *wait is how long it takes until one may be, at least 1 s.  Changes
 * nothing.
 */
prompt_guesses_e prompt_guesses_look(const prompt_guesses_t *guesses,
    const uint8_t *key, uint32_t now, uint32_t *wait);

/* whether any was wrong of late, or may be: it is being looked at */
bool prompt_guesses_any(const prompt_guesses_t *guesses, const uint8_t *key,
    uint32_t now);

/* One is being looked at; and that has ended, whatever came out. */
void prompt_guesses_begin(prompt_guesses_t *guesses,
    const uint8_t *key, uint32_t now);
void prompt_guesses_end(prompt_guesses_t *guesses,
    const uint8_t *key, uint32_t now);

/* It was wrong. */
void prompt_guesses_wrong(prompt_guesses_t *guesses,
    const uint8_t *key, uint32_t now);

/* Nothing of it counts any more. */
void prompt_guesses_forget(prompt_guesses_t *guesses, const uint8_t *key);

#endif /* PROMPT_PROMPT_GUESSES_H */
