/*
 * Months: by the clock of the moment when the first one was asked for.
 */

#include <string.h>

#include "store/log.h"
#include "store/month.h"


static time_t  prompt_month_asked;   /* 0: none was */


void
prompt_month_first(time_t days, char id[PROMPT_UUID_TEXT_LEN])
{
    time_t         now;
    struct tm      tm;
    prompt_uuid_t  uuid;

    if (prompt_month_asked == 0) {
        prompt_month_asked = time(NULL);
    }

    now = prompt_month_asked - days * 86400;

    if (now < 0 || gmtime_r(&now, &tm) == NULL) {
        now = 0;
        memset(&tm, 0, sizeof(struct tm));
        tm.tm_mday = 1;
    }

    now -= (time_t) (tm.tm_mday - 1) * 86400 + now % 86400;

    (void) prompt_log_id((int64_t) now * 1000000, (char *) uuid.bytes);
    prompt_uuid_format(&uuid, id);
}
