/*
 * Guesses: a table of rows, each with a few places.
 */

#include "prompt/guesses.h"


/* places of a row: all that a key can stand in */
#define PROMPT_GUESSES_PLACES  8


static uint32_t
prompt_guesses_rows(uint32_t entries)
{
    return entries / PROMPT_GUESSES_PLACES + 1;
}


static size_t
prompt_guesses_entry(uint32_t limit)
{
    return sizeof(prompt_guess_t) + limit * sizeof(uint32_t);
}


size_t
prompt_guesses_size(uint32_t entries, uint32_t limit)
{
    return sizeof(prompt_guesses_t)
           + (size_t) prompt_guesses_rows(entries) * PROMPT_GUESSES_PLACES
             * prompt_guesses_entry(limit);
}


void
prompt_guesses_init(prompt_guesses_t *guesses, uint32_t entries,
    uint32_t limit, uint32_t window)
{
    memset(guesses, 0, prompt_guesses_size(entries, limit));

    guesses->limit = limit;
    guesses->window = window;
    guesses->rows = prompt_guesses_rows(entries);
}


/* a place of the row that a key belongs to */
static prompt_guess_t *
prompt_guesses_place(const prompt_guesses_t *guesses, const uint8_t *key,
    size_t i)
{
    uint32_t  number;

    memcpy(&number, key, sizeof(number));

    i += (size_t) (number % guesses->rows) * PROMPT_GUESSES_PLACES;

    return (prompt_guess_t *) ((char *) (guesses + 1)
                               + i * prompt_guesses_entry(guesses->limit));
}


static const prompt_guess_t *
prompt_guesses_find(const prompt_guesses_t *guesses, const uint8_t *key)
{
    size_t                 i;
    const prompt_guess_t  *guess;

    for (i = 0; i < PROMPT_GUESSES_PLACES; i++) {
        guess = prompt_guesses_place(guesses, key, i);

        if (guess->last != 0
            && memcmp(guess->key, key, PROMPT_GUESSES_KEY) == 0)
        {
            return guess;
        }
    }

    return NULL;
}


/*
 * Another process may have looked at the clock later than this one: what is
 * ahead has just been.
 */
static uint32_t
prompt_guesses_age(uint32_t then, uint32_t now)
{
    return now > then ? now - then : 0;
}


/* how many were wrong of late, and when the oldest of these was */
static unsigned
prompt_guesses_count(const prompt_guesses_t *guesses,
    const prompt_guess_t *guess, uint32_t now, uint32_t *oldest)
{
    unsigned  i, count;

    count = 0;
    *oldest = now;

    for (i = 0; i < guesses->limit; i++) {

        if (guess->wrong[i] == 0
            || prompt_guesses_age(guess->wrong[i], now)
               >= guesses->window)
        {
            continue;
        }

        count++;

        if (guess->wrong[i] < *oldest) {
            *oldest = guess->wrong[i];
        }
    }

    return count;
}


/* whoever died with one in hand does not end it */
static unsigned
prompt_guesses_pending(const prompt_guess_t *guess, uint32_t now)
{
    return prompt_guesses_age(guess->pending_at, now) < PROMPT_GUESSES_WAIT
           ? guess->pending : 0;
}


prompt_guesses_e
prompt_guesses_look(const prompt_guesses_t *guesses, const uint8_t *key,
    uint32_t now, uint32_t *wait)
{
    uint32_t               oldest;
    unsigned               wrong;
    const prompt_guess_t  *guess;

    *wait = 0;

    guess = prompt_guesses_find(guesses, key);

    if (guess == NULL) {
        return PROMPT_GUESSES_FREE;
    }

    wrong = prompt_guesses_count(guesses, guess, now, &oldest);

    if (wrong >= guesses->limit) {
        *wait = guesses->window - prompt_guesses_age(oldest, now);
        return PROMPT_GUESSES_FULL;
    }

    if (wrong + prompt_guesses_pending(guess, now) >= guesses->limit) {
        return PROMPT_GUESSES_BUSY;
    }

    return PROMPT_GUESSES_FREE;
}


bool
prompt_guesses_any(const prompt_guesses_t *guesses, const uint8_t *key,
    uint32_t now)
{
    uint32_t               oldest;
    const prompt_guess_t  *guess;

    guess = prompt_guesses_find(guesses, key);

    return guess != NULL
           && (prompt_guesses_count(guesses, guess, now, &oldest) != 0
               || prompt_guesses_pending(guess, now) != 0);
}


/* The entry of the key; where it has none, in the place that counts least. */
static prompt_guess_t *
prompt_guesses_take(prompt_guesses_t *guesses, const uint8_t *key, uint32_t now)
{
    size_t           i;
    uint32_t         oldest;
    unsigned         count, least;
    prompt_guess_t  *guess, *found;

    guess = (prompt_guess_t *) prompt_guesses_find(guesses, key);

    if (guess != NULL) {
        guess->last = now;
        return guess;
    }

    found = NULL;
    least = 0;

    for (i = 0; i < PROMPT_GUESSES_PLACES; i++) {
        guess = prompt_guesses_place(guesses, key, i);
        count = guess->last == 0
                ? 0
                : prompt_guesses_count(guesses, guess, now, &oldest)
                  + prompt_guesses_pending(guess, now);

        if (found == NULL || count < least
            || (count == least && guess->last < found->last))
        {
            found = guess;
            least = count;
        }
    }

    memset(found, 0, prompt_guesses_entry(guesses->limit));
    memcpy(found->key, key, PROMPT_GUESSES_KEY);
    found->last = now;

    return found;
}


void
prompt_guesses_begin(prompt_guesses_t *guesses, const uint8_t *key,
    uint32_t now)
{
    prompt_guess_t  *guess;

    guess = prompt_guesses_take(guesses, key, now);

    guess->pending = (uint16_t) (prompt_guesses_pending(guess, now) + 1);
    guess->pending_at = now;
}


void
prompt_guesses_end(prompt_guesses_t *guesses, const uint8_t *key, uint32_t now)
{
    prompt_guess_t  *guess;

    guess = (prompt_guess_t *) prompt_guesses_find(guesses, key);

    if (guess != NULL && prompt_guesses_pending(guess, now) != 0) {
        guess->pending--;
    }
}


void
prompt_guesses_wrong(prompt_guesses_t *guesses, const uint8_t *key,
    uint32_t now)
{
    prompt_guess_t  *guess;

    guess = prompt_guesses_take(guesses, key, now);

    if (guess->next >= guesses->limit) {
        guess->next = 0;
    }

    guess->wrong[guess->next] = now;
    guess->next++;
}


void
prompt_guesses_forget(prompt_guesses_t *guesses, const uint8_t *key)
{
    prompt_guess_t  *guess;

    guess = (prompt_guess_t *) prompt_guesses_find(guesses, key);

    if (guess != NULL) {
        memset(guess, 0, prompt_guesses_entry(guesses->limit));
    }
}
