/*
 * Moments in UTC: microseconds since 1970-01-01, as int64_t.
 */

#ifndef PROMPT_BASE_TIME_H
#define PROMPT_BASE_TIME_H

#include "base/str.h"


#define PROMPT_TIME_TEXT_LEN  24

/* what a text can say: 0000-01-01T00:00:00Z to 9999-12-31T23:59:59.999999Z */
#define PROMPT_TIME_MIN  (-62167219200 * 1000000)
#define PROMPT_TIME_MAX  (253402300800 * 1000000 - 1)


/*
 * 2026-11-21T03:46:13.123Z, without NUL; what is below a millisecond is cut
 * off.  Moments outside MIN to MAX are taken as these.
 */
void prompt_time_format(int64_t us, char out[PROMPT_TIME_TEXT_LEN]);

/*
 * Reads the profile of ISO 8601 that RFC 3339 defines: date, "T", time to the
 * second, up to 9 digits of a fraction (beyond the sixth: cut off), "Z" or an
 * offset +hh:mm.  False for everything else, for dates that do not exist,
 * leap seconds, and moments outside MIN to MAX.
 */
bool prompt_time_parse(prompt_str_t text, int64_t *us);

/*
 * What such texts consist of, taken from the front; false: it is not there.
 * A letter in either case; a date that exists, in days since 1970-01-01;
 * hh:mm, in minutes; Z, or +hh:mm, likewise.
 */
bool prompt_time_letter(prompt_str_t *text, char c);
bool prompt_time_day(prompt_str_t *text, int64_t *days);
bool prompt_time_minutes(prompt_str_t *text, int64_t *minutes);
bool prompt_time_offset(prompt_str_t *text, int64_t *minutes);

/*
 * PostgreSQL's binary timestamptz is microseconds since 2000-01-01.  False
 * where the result is outside MIN to MAX, infinity for one.
 */
bool prompt_time_from_postgres(int64_t value, int64_t *us);
int64_t prompt_time_to_postgres(int64_t us);

#endif /* PROMPT_BASE_TIME_H */
