/*
 * Moments in UTC, in the proleptic Gregorian calendar.
 */

#include "base/scan.h"
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


/* days of a month, 1 to 12; 0: there is no such month */
static unsigned
prompt_time_month(unsigned year, unsigned month)
{
    static const uint8_t  days[13] = {
        0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31
    };

    if (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) {
        return 29;
    }

    return month < sizeof(days) ? days[month] : 0;
}


bool
prompt_time_letter(prompt_str_t *text, char c)
{
    return prompt_scan_char(text, c) || prompt_scan_char(text, (char) (c | 32));
}


bool
prompt_time_day(prompt_str_t *text, int64_t *days)
{
    unsigned     year, month, day;
    const char  *p;

    p = text->data;

    if (!prompt_scan_like(text, "dddd-dd-dd")) {
        return false;
    }

    year = prompt_scan_two(p) * 100 + prompt_scan_two(p + 2);
    month = prompt_scan_two(p + 5);
    day = prompt_scan_two(p + 8);
    *days = prompt_time_days(year, month, day);

    return day != 0 && day <= prompt_time_month(year, month);
}


bool
prompt_time_minutes(prompt_str_t *text, int64_t *minutes)
{
    unsigned     hour, minute;
    const char  *p;

    p = text->data;

    if (!prompt_scan_like(text, "dd:dd")) {
        return false;
    }

    hour = prompt_scan_two(p);
    minute = prompt_scan_two(p + 3);
    *minutes = hour * 60 + minute;

    return hour <= 23 && minute <= 59;
}


bool
prompt_time_offset(prompt_str_t *text, int64_t *minutes)
{
    bool  west;

    *minutes = 0;

    if (prompt_time_letter(text, 'Z')) {
        return true;
    }

    west = prompt_scan_char(text, '-');

    if ((!west && !prompt_scan_char(text, '+'))
        || !prompt_time_minutes(text, minutes))
    {
        return false;
    }

    *minutes = west ? - *minutes : *minutes;

    return true;
}


/* .123, if it is there, cut off at microseconds */
static bool
prompt_time_fraction(prompt_str_t *text, int64_t *us)
{
    size_t       i, n;
    int64_t      unit;
    const char  *p;

    *us = 0;

    if (!prompt_scan_char(text, '.')) {
        return true;
    }

    p = text->data;
    n = prompt_scan_digits(text);
    unit = PROMPT_TIME_SECOND;

    for (i = 0; i < n; i++) {
        unit /= 10;
        *us += (p[i] - '0') * unit;
    }

    return n >= 1 && n <= 9;
}


bool
prompt_time_parse(prompt_str_t text, int64_t *us)
{
    int64_t      value, days, minutes, offset, fraction;
    unsigned     second;
    const char  *p;

    if (!prompt_time_day(&text, &days) || !prompt_time_letter(&text, 'T')
        || !prompt_time_minutes(&text, &minutes))
    {
        return false;
    }

    p = text.data;

    if (!prompt_scan_like(&text, ":dd")
        || !prompt_time_fraction(&text, &fraction)
        || !prompt_time_offset(&text, &offset) || text.len != 0)
    {
        return false;
    }

    second = prompt_scan_two(p + 1);
    value = days * PROMPT_TIME_DAY
            + ((minutes - offset) * 60 + second) * PROMPT_TIME_SECOND
            + fraction;

    if (second > 59 || value < PROMPT_TIME_MIN || value > PROMPT_TIME_MAX) {
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
