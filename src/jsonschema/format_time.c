/*
 * Formats: dates, times and durations (RFC 3339).
 */

#include "jsonschema/format.h"


/* exactly n digits at *at, which moves behind them; -1: they are not there */
static int
prompt_format_digits(prompt_str_t text, size_t *at, size_t n)
{
    int     value;
    size_t  end;

    if (text.len - *at < n) {
        return -1;
    }

    value = 0;

    for (end = *at + n; *at < end; (*at)++) {
        if (!prompt_format_is_digit(text.data[*at])) {
            return -1;
        }

        value = value * 10 + (text.data[*at] - '0');
    }

    return value;
}


static bool
prompt_format_char(prompt_str_t text, size_t *at, char c)
{
    if (*at == text.len || text.data[*at] != c) {
        return false;
    }

    (*at)++;

    return true;
}


static int
prompt_format_days(int year, int month)
{
    static const int  days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
                                 31 };

    if (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) {
        return 29;
    }

    return days[month - 1];
}


/* full-date, at the beginning */
static bool
prompt_format_full_date(prompt_str_t text, size_t *at)
{
    int  year, month, day;

    year = prompt_format_digits(text, at, 4);

    if (year < 0 || !prompt_format_char(text, at, '-')) {
        return false;
    }

    month = prompt_format_digits(text, at, 2);

    if (month < 1 || month > 12 || !prompt_format_char(text, at, '-')) {
        return false;
    }

    day = prompt_format_digits(text, at, 2);

    return day >= 1 && day <= prompt_format_days(year, month);
}


/* time-offset, in minutes */
static bool
prompt_format_offset(prompt_str_t text, size_t *at, int *offset)
{
    int   hour, minute;
    bool  west;

    *offset = 0;

    if (prompt_format_char(text, at, 'Z') || prompt_format_char(text, at, 'z'))
    {
        return true;
    }

    west = prompt_format_char(text, at, '-');

    if (!west && !prompt_format_char(text, at, '+')) {
        return false;
    }

    hour = prompt_format_digits(text, at, 2);

    if (hour < 0 || hour > 23 || !prompt_format_char(text, at, ':')) {
        return false;
    }

    minute = prompt_format_digits(text, at, 2);

    if (minute < 0 || minute > 59) {
        return false;
    }

    *offset = west ? -(hour * 60 + minute) : hour * 60 + minute;

    return true;
}


/* full-time, up to the end; a second 60 only where a leap second may be */
static bool
prompt_format_full_time(prompt_str_t text, size_t at)
{
    int  hour, minute, second, offset;

    hour = prompt_format_digits(text, &at, 2);

    if (hour < 0 || hour > 23 || !prompt_format_char(text, &at, ':')) {
        return false;
    }

    minute = prompt_format_digits(text, &at, 2);

    if (minute < 0 || minute > 59 || !prompt_format_char(text, &at, ':')) {
        return false;
    }

    second = prompt_format_digits(text, &at, 2);

    if (second < 0 || second > 60) {
        return false;
    }

    if (prompt_format_char(text, &at, '.')) {
        if (prompt_format_digits(text, &at, 1) < 0) {
            return false;
        }

        while (at < text.len && prompt_format_is_digit(text.data[at])) {
            at++;
        }
    }

    if (!prompt_format_offset(text, &at, &offset) || at != text.len) {
        return false;
    }

    return second < 60
           || (hour * 60 + minute - offset + 2 * 1440) % 1440 == 1439;
}


bool
prompt_format_date(prompt_str_t text)
{
    size_t  at;

    at = 0;

    return prompt_format_full_date(text, &at) && at == text.len;
}


bool
prompt_format_time(prompt_str_t text)
{
    return prompt_format_full_time(text, 0);
}


bool
prompt_format_date_time(prompt_str_t text)
{
    size_t  at;

    at = 0;

    return prompt_format_full_date(text, &at)
           && (prompt_format_char(text, &at, 'T')
               || prompt_format_char(text, &at, 't'))
           && prompt_format_full_time(text, at);
}


/*
 * Numbers with the units, from one of them on without a gap up to any other;
 * how many there were.
 */
static size_t
prompt_format_units(prompt_str_t text, size_t *at, const char *units)
{
    size_t       n, start;
    const char  *unit;

    n = 0;
    unit = units;

    while (*unit != '\0') {
        start = *at;

        while (*at < text.len && prompt_format_is_digit(text.data[*at])) {
            (*at)++;
        }

        if (*at == start || *at == text.len) {
            *at = start;
            break;
        }

        while (n == 0 && *unit != '\0' && *unit != text.data[*at]) {
            unit++;
        }

        if (*unit == '\0' || *unit != text.data[*at]) {
            *at = start;
            break;
        }

        (*at)++;
        unit++;
        n++;
    }

    return n;
}


/* RFC 3339, appendix A */
bool
prompt_format_duration(prompt_str_t text)
{
    size_t  at, n;

    at = 0;

    if (!prompt_format_char(text, &at, 'P')) {
        return false;
    }

    if (prompt_format_units(text, &at, "W") == 1) {
        return at == text.len;
    }

    n = prompt_format_units(text, &at, "YMD");

    if (prompt_format_char(text, &at, 'T')) {
        n = prompt_format_units(text, &at, "HMS");
    }

    return n != 0 && at == text.len;
}
