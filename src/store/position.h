/*
 * Positions in PostgreSQL's write-ahead log: how far a server is.
 *
 * What a server shows contains all that stands before its position, on its
 * timeline.  A fail-over begins a timeline: what stood behind the fork on the
 * one before is gone, whatever its numbers.  So positions are compared by
 * timeline first, and a standby is only taken for one that follows when it is
 * known to be on the primary's timeline.
 *
 * A position has two forms as text.  In Redis, under the user's name, it is
 * 24 hexadecimal digits, whose order is that of positions.  For clients it is
 * a token of 32: timeline and place, enciphered with a key that is made of the
 * cluster's own identifier, so that it shows nothing of how much is written,
 * and what another cluster gave, or somebody made up, is not taken for one.
 */

#ifndef PROMPT_STORE_POSITION_H
#define PROMPT_STORE_POSITION_H

#include "store/query.h"


#define PROMPT_POSITION_TEXT      24
#define PROMPT_POSITION_TOKEN     32
#define PROMPT_POSITION_MAX_PREFIX  145      /* PROMPT_KEY_CACHE_MAX_OWN */
#define PROMPT_POSITION_MAX_NAME  (PROMPT_POSITION_MAX_PREFIX + 48)


typedef struct {
    uint64_t  lsn;                   /* 0: not known */
    uint32_t  timeline;              /* 0: not asked for */
    uint64_t  system;                /* the cluster's identifier; likewise */
} prompt_position_t;


/*
 * KEYS[1] becomes ARGV[1], a text as above, unless it is further already, and
 * lives for ARGV[2] ms.  What is no position is overwritten.
 */
extern const char  prompt_position_script[];


/* Asks the primary how far it is; a standby answers without a row. */
bool prompt_position(prompt_query_t *query) PROMPT_WARN_UNUSED;

/* Asks whichever server how far it is; its timeline, where it follows none. */
bool prompt_position_here(prompt_query_t *query) PROMPT_WARN_UNUSED;

/*
 * What a server answered; whole: with timeline and cluster, else the timeline
 * may be 0.
 */
void prompt_position_row(const prompt_rows_t *rows, bool whole,
    prompt_position_t *position);

/* whether one is further than other */
bool prompt_position_after(const prompt_position_t *one,
    const prompt_position_t *other);

/* the name in Redis of a user's, 16 bytes; 0: the prefix is too long */
size_t prompt_position_name(char out[PROMPT_POSITION_MAX_NAME],
    prompt_str_t prefix, const uint8_t *user);

void prompt_position_write(char out[PROMPT_POSITION_TEXT],
    const prompt_position_t *position);

/* False: it is no such text. */
bool prompt_position_read(prompt_str_t text, prompt_position_t *position);

/* The token of a position, whose system is known. */
void prompt_position_encode(char out[PROMPT_POSITION_TOKEN],
    const prompt_position_t *position);

/* whether a text has the form of a token */
bool prompt_position_is_token(prompt_str_t text);

/* False: it is not one of that cluster. */
bool prompt_position_decode(prompt_str_t token, uint64_t system,
    prompt_position_t *position);

#endif /* PROMPT_STORE_POSITION_H */
