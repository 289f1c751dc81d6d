/*
 * Months that statements name as constants.
 */

#ifndef PROMPT_STORE_MONTH_H
#define PROMPT_STORE_MONTH_H

#include <time.h>

#include "base/uuid.h"


/*
 * Writes the text, without NUL, of the least id that is made in the month, in
 * UTC, of so many days before the process asked first: whenever texts are made,
 * what one asks of the months before is so for all others.
 */
void prompt_month_first(time_t days, char id[PROMPT_UUID_TEXT_LEN]);

#endif /* PROMPT_STORE_MONTH_H */
