/*
 * Moments in UTC, in the proleptic Gregorian calendar.
 */

#include "base/digits.h"
#include "base/time.h"


#define PROMPT_TIME_SECOND    ((int64_t) 1000000)
#define PROMPT_TIME_DAY       (86400 * PROMPT_TIME_SECOND)
#define PROMPT_TIME_POSTGRES  (946684800 * PROMPT_TIME_SECOND)


/*
 * Days since 1970-01-01.  Counted in years that begin in March, so that the
 * leap day is the last one, and from year -400 on, so that nothing is
 * negative.
 */
static int64_t
prompt_time_days(int64_t year, int64_t month, int64_t day)
{
    int64_t  y, m;

    y = year + 400 - (month <= 2);
    m = (month + 9) % 12;            /* March is 0 */

    return y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + day - 1
           - 719468 - 146097;
}


static void
prompt_time_date(int64_t days, unsigned *year, unsigned *month, unsigned *day)
{
    uint32_t  since, era, of_era, y, of_year, m;

    /* since March 1st, year -400: some millions, and not negative */

    since = (uint32_t) (days + 719468 + 146097);

    era = since / 146097;
    of_era = since % 146097;
    y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    of_year = of_era - (365 * y + y / 4 - y / 100);
    m = (5 * of_year + 2) / 153;

    *day = of_year - (153 * m + 2) / 5 + 1;
    *month = m < 10 ? m + 3 : m - 9;
    *year = y + era * 400 - 400 + (*month <= 2);
}


void
prompt_time_format(int64_t us, char out[PROMPT_TIME_TEXT_LEN])
{
    char      *p;
    int64_t    days, rest;
    unsigned   year, month, day, ms;

    us = us < PROMPT_TIME_MIN ? PROMPT_TIME_MIN : us;
    us = us > PROMPT_TIME_MAX ? PROMPT_TIME_MAX : us;

    days = us / PROMPT_TIME_DAY;
    rest = us % PROMPT_TIME_DAY;

    if (rest < 0) {
        rest += PROMPT_TIME_DAY;
        days--;
    }

    prompt_time_date(days, &year, &month, &day);
    ms = (unsigned) (rest / 1000);

    p = prompt_decimal_write_pair(out, year / 100);
    p = prompt_decimal_write_pair(p, year % 100);
    *p++ = '-';
    p = prompt_decimal_write_pair(p, month);
    *p++ = '-';
    p = prompt_decimal_write_pair(p, day);
    *p++ = 'T';
    p = prompt_decimal_write_pair(p, ms / 3600000);
    *p++ = ':';
    p = prompt_decimal_write_pair(p, ms / 60000 % 60);
    *p++ = ':';
    p = prompt_decimal_write_pair(p, ms / 1000 % 60);
    *p++ = '.';
    p = prompt_decimal_write_pair(p, ms % 1000 / 10);
    *p++ = (char) ('0' + ms % 10);
    *p = 'Z';
}


/* exactly width digits at *p, not above max */
static bool
prompt_time_number(const char **p, const char *end, unsigned width,
    unsigned max, unsigned *out)
{
    unsigned  i;

    if ((size_t) (end - *p) < width) {
        return false;
    }

    *out = 0;

    for (i = 0; i < width; i++, (*p)++) {
        if (**p < '0' || **p > '9') {
            return false;
        }

        *out = *out * 10 + (unsigned) (**p - '0');
    }

    return *out <= max;
}


static bool
prompt_time_char(const char **p, const char *end, char c)
{
    if (*p == end || (**p != c && (c < 'A' || **p != (c | 0x20)))) {
        return false;
    }

    (*p)++;

    return true;
}


/* .123, cut off at microseconds */
static bool
prompt_time_fraction(const char **p, const char *end, int64_t *us)
{
    unsigned  n;
    int64_t   unit;

    unit = PROMPT_TIME_SECOND;

    for (n = 0; *p < end && **p >= '0' && **p <= '9'; n++, (*p)++) {
        unit /= 10;
        *us += (**p - '0') * unit;
    }

    return n >= 1 && n <= 9;
}


/* Z, or +hh:mm, in minutes, up to the end */
static bool
prompt_time_offset(const char **p, const char *end, int64_t *minutes)
{
    bool      west;
    unsigned  hour, minute;

    *minutes = 0;

    if (prompt_time_char(p, end, 'Z')) {
        return *p == end;
    }

    west = prompt_time_char(p, end, '-');

    if ((!west && !prompt_time_char(p, end, '+'))
        || !prompt_time_number(p, end, 2, 23, &hour)
        || !prompt_time_char(p, end, ':')
        || !prompt_time_number(p, end, 2, 59, &minute)
        || *p != end)
    {
        return false;
    }

    *minutes = (int64_t) hour * 60 + minute;

    if (west) {
        *minutes = - *minutes;
    }

    return true;
}


bool
prompt_time_parse(prompt_str_t text, int64_t *us)
{
    int64_t      value, offset, fraction;
    unsigned     year, month, day, hour, minute, second, days;
    const char  *p, *end;

    static const uint8_t  month_days[] = {
        31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31
    };

    if (text.len == 0) {
        return false;
    }

    p = text.data;
    end = p + text.len;

    if (!prompt_time_number(&p, end, 4, 9999, &year)
        || !prompt_time_char(&p, end, '-')
        || !prompt_time_number(&p, end, 2, 12, &month)
        || !prompt_time_char(&p, end, '-')
        || !prompt_time_number(&p, end, 2, 31, &day)
        || !prompt_time_char(&p, end, 'T')
        || !prompt_time_number(&p, end, 2, 23, &hour)
        || !prompt_time_char(&p, end, ':')
        || !prompt_time_number(&p, end, 2, 59, &minute)
        || !prompt_time_char(&p, end, ':')
        || !prompt_time_number(&p, end, 2, 59, &second)
        || month == 0 || day == 0)
    {
        return false;
    }

    days = month_days[month - 1];

    if (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) {
        days++;
    }

    fraction = 0;

    if (day > days
        || (prompt_time_char(&p, end, '.')
            && !prompt_time_fraction(&p, end, &fraction))
        || !prompt_time_offset(&p, end, &offset))
    {
        return false;
    }

    value = prompt_time_days(year, month, day) * PROMPT_TIME_DAY
            + (hour * 3600 + minute * 60 + second) * PROMPT_TIME_SECOND
            + fraction - offset * 60 * PROMPT_TIME_SECOND;

    if (value < PROMPT_TIME_MIN || value > PROMPT_TIME_MAX) {
        return false;
    }

    *us = value;

    return true;
}


bool
prompt_time_from_postgres(int64_t value, int64_t *us)
{
    int64_t  sum;

    if (__builtin_add_overflow(value, PROMPT_TIME_POSTGRES, &sum)
        || sum < PROMPT_TIME_MIN || sum > PROMPT_TIME_MAX)
    {
        return false;
    }

    *us = sum;

    return true;
}


int64_t
prompt_time_to_postgres(int64_t us)
{
    us = us < PROMPT_TIME_MIN ? PROMPT_TIME_MIN : us;
    us = us > PROMPT_TIME_MAX ? PROMPT_TIME_MAX : us;

    return us - PROMPT_TIME_POSTGRES;
}
