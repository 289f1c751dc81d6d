/*
 * Formats: dates, times and durations (RFC 3339).
 */

#include "jsonschema/format.h"

#include "base/scan.h"
#include "base/time.h"


/* full-time; a second 60 only where a leap second may be */
bool
prompt_format_time(prompt_str_t text)
{
    int64_t      minutes, offset;
    unsigned     second;
    const char  *p;

    if (!prompt_time_minutes(&text, &minutes)) {
        return false;
    }

    p = text.data;

    if (!prompt_scan_like(&text, ":dd")) {
        return false;
    }

    second = prompt_scan_two(p + 1);

    if (second > 60
        || (prompt_scan_char(&text, '.') && prompt_scan_digits(&text) == 0)
        || !prompt_time_offset(&text, &offset) || text.len != 0)
    {
        return false;
    }

    return second < 60 || (minutes - offset + 2 * 1440) % 1440 == 1439;
}


bool
prompt_format_date(prompt_str_t text)
{
    int64_t  days;

    return prompt_time_day(&text, &days) && text.len == 0;
}


bool
prompt_format_date_time(prompt_str_t text)
{
    int64_t  days;

    return prompt_time_day(&text, &days) && prompt_time_letter(&text, 'T')
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
