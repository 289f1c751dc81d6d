/*
 * Formats: dates, times and durations (RFC 3339).
 */

#include "jsonschema/format.h"

#include "base/scan.h"
#include "base/time.h"


/* full-date */
static bool
prompt_format_full_date(prompt_str_t *text)
{
    unsigned     month, day;
    const char  *p;

    p = text->data;

    if (!prompt_scan_like(text, "dddd-dd-dd")) {
        return false;
    }

    month = prompt_scan_two(p + 5);
    day = prompt_scan_two(p + 8);

    return day != 0
           && day <= prompt_time_month(prompt_scan_two(p) * 100
                                       + prompt_scan_two(p + 2), month);
}


/* of hh:mm at p; -1: there is no such time */
static int
prompt_format_minutes(const char *p)
{
    unsigned  hour, minute;

    hour = prompt_scan_two(p);
    minute = prompt_scan_two(p + 3);

    return hour <= 23 && minute <= 59 ? (int) (hour * 60 + minute) : -1;
}


/* time-offset, in minutes */
static bool
prompt_format_offset(prompt_str_t *text, int *offset)
{
    bool         west;
    const char  *p;

    *offset = 0;

    if (prompt_scan_char(text, 'Z') || prompt_scan_char(text, 'z')) {
        return true;
    }

    west = prompt_scan_char(text, '-');

    if (!west && !prompt_scan_char(text, '+')) {
        return false;
    }

    p = text->data;

    if (!prompt_scan_like(text, "dd:dd")) {
        return false;
    }

    *offset = prompt_format_minutes(p);

    if (*offset < 0) {
        return false;
    }

    *offset = west ? - *offset : *offset;

    return true;
}


/* full-time; a second 60 only where a leap second may be */
bool
prompt_format_time(prompt_str_t text)
{
    int          minutes, offset;
    unsigned     second;
    const char  *p;

    p = text.data;

    if (!prompt_scan_like(&text, "dd:dd:dd")) {
        return false;
    }

    minutes = prompt_format_minutes(p);
    second = prompt_scan_two(p + 6);

    if (minutes < 0 || second > 60
        || (prompt_scan_char(&text, '.') && prompt_scan_digits(&text) == 0)
        || !prompt_format_offset(&text, &offset) || text.len != 0)
    {
        return false;
    }

    return second < 60 || (minutes - offset + 2 * 1440) % 1440 == 1439;
}


bool
prompt_format_date(prompt_str_t text)
{
    return prompt_format_full_date(&text) && text.len == 0;
}


bool
prompt_format_date_time(prompt_str_t text)
{
    return prompt_format_full_date(&text)
           && (prompt_scan_char(&text, 'T') || prompt_scan_char(&text, 't'))
           && prompt_format_time(text);
}


/*
 * Numbers with the units, from one of them on without a gap up to any other;
 * how many there were.
 */
static size_t
prompt_format_units(prompt_str_t *text, const char *units)
{
    size_t        n;
    const char   *unit;
    prompt_str_t  rest;

    for (n = 0; *units != '\0'; n++) {
        rest = *text;

        if (prompt_scan_digits(&rest) == 0 || rest.len == 0) {
            break;
        }

        for (unit = units; n == 0 && *unit != '\0'; unit++) {
            if (*unit == rest.data[0]) {
                break;
            }
        }

        if (*unit == '\0' || !prompt_scan_char(&rest, *unit)) {
            break;
        }

        *text = rest;
        units = unit + 1;
    }

    return n;
}


/* RFC 3339, appendix A */
bool
prompt_format_duration(prompt_str_t text)
{
    size_t  n;

    if (!prompt_scan_char(&text, 'P')) {
        return false;
    }

    if (prompt_format_units(&text, "W") == 1) {
        return text.len == 0;
    }

    n = prompt_format_units(&text, "YMD");

    if (prompt_scan_char(&text, 'T')) {
        n = prompt_format_units(&text, "HMS");
    }

    return n != 0 && text.len == 0;
}
