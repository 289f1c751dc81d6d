/*
 * UTF-8 (RFC 3629) and UTF-16 lengths.
 */

#ifndef PROMPT_BASE_UTF8_H
#define PROMPT_BASE_UTF8_H

#include "base/str.h"


#define PROMPT_UTF8_INVALID  0xffffffffu


/*
 * The code point at *p, which is before end; *p moves behind it.
 * PROMPT_UTF8_INVALID for a sequence that is truncated, overlong, a surrogate
 * or above U+10FFFF; *p then moves by one byte.
 */
uint32_t prompt_utf8_next(const char **p, const char *end);

/* Writes 1 to 4 bytes for a scalar value; returns how many. */
size_t prompt_utf8_encode(uint32_t code_point, char out[4]);

/* the whole view is well-formed UTF-8 */
bool prompt_utf8_valid(prompt_str_t s);

/* len, or less where the character at the end of these bytes is cut off */
size_t prompt_utf8_whole(const char *data, size_t len);

/* code points, and UTF-16 code units, in well-formed text */
size_t prompt_utf8_length(prompt_str_t s);
size_t prompt_utf8_utf16_length(prompt_str_t s);

/* the simple lower-case mapping of Unicode; the code point itself if none */
uint32_t prompt_utf8_lower(uint32_t code_point);
/* general categories L*, Nd, M*; Lu (and Lt); Ll */
bool prompt_utf8_is_letter(uint32_t code_point);
bool prompt_utf8_is_digit(uint32_t code_point);
bool prompt_utf8_is_mark(uint32_t code_point);
bool prompt_utf8_is_upper(uint32_t code_point);
bool prompt_utf8_is_lower(uint32_t code_point);


/*
 * A run of characters of one class, where every character has one.  Classes
 * of general categories are their numbers in the order Lu Ll Lt Lm Lo, Mn Mc
 * Me, Nd Nl No, Pc Pd Ps Pe Pi Pf Po, Sm Sc Sk So, Zs Zl Zp, Cc Cf Cs Co Cn.
 */
typedef struct {
    uint32_t     first;
    uint32_t     next;               /* the first one behind it */
    unsigned     class;
    const char  *text;               /* of the runs that follow */
    size_t       line;               /* of the table that this is in */
} prompt_utf8_run_t;

/*
 * The next run of the same general category; of a run that is all zero, the
 * first.  False behind the last.
 */
bool prompt_utf8_categories(prompt_utf8_run_t *run);

/*
 * Where the characters of the categories, a bit each, begin and end: the first
 * one of each run and the first one behind it, in their order.  Returns how
 * many there are, PROMPT_UTF8_EDGES at most.
 */
#define PROMPT_UTF8_EDGES  8000

size_t prompt_utf8_category_edges(unsigned categories,
    uint32_t edges[PROMPT_UTF8_EDGES]);


/*
 * Tables as text, as tools/UnicodeText.pm writes them; *text moves.
 * number: a number.  run: what follows a run that ends where the table begins,
 * or that was read before; false at the end of the text.
 */
uint32_t prompt_utf8_number(const char **text);
bool prompt_utf8_run(prompt_utf8_run_t *run);

#endif /* PROMPT_BASE_UTF8_H */
