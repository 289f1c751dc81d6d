/*
 * Moments: text there and back, dates that do not exist, the edges.
 */

#include "base/time.h"

#include "tap.h"


static void
is_moment(const char *text, int64_t us, const char *want)
{
    char     out[PROMPT_TIME_TEXT_LEN];
    int64_t  got;

    got = 0;
    ok(prompt_time_parse(prompt_str_from(text), &got) && got == us, text);
    prompt_time_format(got, out);
    is_str(prompt_str_of(out, sizeof(out)), want, want);
}


static void
test_parse(void)
{
    size_t   i;
    int64_t  us;

    static const char  *bad[] = {
        "", "2026", "2026-11-21", "2026-11-21T03:46Z",
        "2026-11-21T03:46:13", "2026-11-21 03:46:13Z",
        "2026-11-21T03:46:13.Z", "2026-11-21T03:46:13.0123456789Z",
        "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
        "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
        "2026-04-31T00:00:00Z", "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z", "2026-12-31T23:59:60Z",
        "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+01:60",
        "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00+01",
        "2026-01-01T00:00:00Zx", "2026-01-01T00:00:00+01:00x",
        "+2026-01-01T00:00:00Z", "02026-01-01T00:00:00Z",
        "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
        "2026-1-1T00:00:00Z", " 2026-01-01T00:00:00Z",
    };

    is_moment("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00.000Z");
    is_moment("2026-11-21T03:46:13.123Z", 1795232773123000,
              "2026-11-21T03:46:13.123Z");
    is_moment("2026-11-21T03:46:13.123456789Z", 1795232773123456,
              "2026-11-21T03:46:13.123Z");
    is_moment("2026-11-21t05:16:13.5+01:30", 1795232773500000,
              "2026-11-21T03:46:13.500Z");
    is_moment("2026-11-20T20:46:13-07:00", 1795232773000000,
              "2026-11-21T03:46:13.000Z");
    is_moment("2000-02-29T23:59:59z", 951868799000000,
              "2000-02-29T23:59:59.000Z");
    is_moment("1969-12-31T23:59:59.999999Z", -1, "1969-12-31T23:59:59.999Z");
    is_moment("0000-01-01T00:00:00Z", PROMPT_TIME_MIN,
              "0000-01-01T00:00:00.000Z");
    is_moment("9999-12-31T23:59:59.999999Z", PROMPT_TIME_MAX,
              "9999-12-31T23:59:59.999Z");

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ok(!prompt_time_parse(prompt_str_from(bad[i]), &us), bad[i]);
    }
}


static void
test_every_day(void)
{
    bool     same, ascend;
    char     out[PROMPT_TIME_TEXT_LEN], last[PROMPT_TIME_TEXT_LEN];
    int64_t  us, back;

    same = true;
    ascend = true;
    memset(last, 0, sizeof(last));

    for (us = PROMPT_TIME_MIN; us < PROMPT_TIME_MAX; us += 86400000000) {
        prompt_time_format(us, out);
        same = same && prompt_time_parse(prompt_str_of(out, sizeof(out)), &back)
               && back == us;
        ascend = ascend && memcmp(last, out, sizeof(out)) < 0;
        memcpy(last, out, sizeof(out));
    }

    ok(same, "every day of 10,000 years, there and back");
    ok(ascend, "in their order");

    prompt_time_format(INT64_MAX, out);
    is_str(prompt_str_of(out, sizeof(out)), "9999-12-31T23:59:59.999Z",
           "beyond the end");
    prompt_time_format(INT64_MIN, out);
    is_str(prompt_str_of(out, sizeof(out)), "0000-01-01T00:00:00.000Z",
           "before the beginning");
}


static void
test_postgres(void)
{
    int64_t  us;

    ok(prompt_time_from_postgres(0, &us) && us == 946684800000000,
       "PostgreSQL counts from 2000");
    is_int(prompt_time_to_postgres(us), 0, "and back");
    ok(!prompt_time_from_postgres(INT64_MAX, &us), "infinity");
    ok(!prompt_time_from_postgres(INT64_MIN, &us), "-infinity");
    is_int(prompt_time_to_postgres(INT64_MIN),
           PROMPT_TIME_MIN - 946684800000000, "no overflow");
}


int
main(void)
{
    test_parse();
    test_every_day();
    test_postgres();

    return done_testing();
}
