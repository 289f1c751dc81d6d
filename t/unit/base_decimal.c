/*
 * Decimal numbers: comparison, multiples and sums of money, all exact.
 */

#include "base/decimal.h"

#include "tap.h"


static int
cmp(const char *a, const char *b)
{
    prompt_decimal_t  x, y;

    if (!prompt_decimal_parse(prompt_str_from(a), &x)
        || !prompt_decimal_parse(prompt_str_from(b), &y))
    {
        return 99;
    }

    if (prompt_decimal_cmp(&x, &y) != -prompt_decimal_cmp(&y, &x)) {
        return 98;
    }

    return prompt_decimal_cmp(&x, &y);
}


static int
multiple(const char *a, const char *b)
{
    prompt_decimal_t  x, y;

    if (!prompt_decimal_parse(prompt_str_from(a), &x)
        || !prompt_decimal_parse(prompt_str_from(b), &y))
    {
        return 99;
    }

    return prompt_decimal_is_multiple(&x, &y);
}


static void
test_parse(void)
{
    size_t            i;
    prompt_decimal_t  d;

    static const char  *bad[] = {
        "", "-", "+1", "01", "-01", ".5", "1.", "1.e5", "1e", "1e+", "1e5.",
        "1.2.3", "1x", "e5", "0x1", "1e5x", " 1", "1 ", "--1"
    };

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ok(!prompt_decimal_parse(prompt_str_from(bad[i]), &d), bad[i]);
    }

    ok(prompt_decimal_parse(prompt_str("-120.0500e3"), &d) && d.negative
       && d.count == 5 && d.exponent == 6, "taken apart");
    ok(prompt_decimal_parse(prompt_str("0.00"), &d) && d.count == 0
       && d.exponent == 0, "zero");
    ok(prompt_decimal_parse(prompt_str("1e2"), &d)
       && prompt_decimal_is_integer(&d), "1e2 is an integer");
    ok(prompt_decimal_parse(prompt_str("1.50"), &d)
       && !prompt_decimal_is_integer(&d), "1.50 is none");
    ok(prompt_decimal_parse(prompt_str("0.01"), &d)
       && !prompt_decimal_is_integer(&d), "0.01 is none");
}


static void
test_cmp(void)
{
    is_int(cmp("1", "1.000"), 0, "1 = 1.000");
    is_int(cmp("100", "1e2"), 0, "100 = 1e2");
    is_int(cmp("0.001", "1e-3"), 0, "0.001 = 1e-3");
    is_int(cmp("0", "-0.0"), 0, "0 = -0.0");
    is_int(cmp("12.34", "1234e-2"), 0, "12.34 = 1234e-2");
    is_int(cmp("1", "2"), -1, "1 < 2");
    is_int(cmp("9", "10"), -1, "9 < 10");
    is_int(cmp("-9", "-10"), 1, "-9 > -10");
    is_int(cmp("-1", "1"), -1, "-1 < 1");
    is_int(cmp("0", "0.1"), -1, "0 < 0.1");
    is_int(cmp("0", "-0.1"), 1, "0 > -0.1");
    is_int(cmp("0.12", "0.123"), -1, "0.12 < 0.123");
    is_int(cmp("-0.12", "-0.123"), 1, "-0.12 > -0.123");
    is_int(cmp("0.30000000000000000000000000000001", "0.3"), 1,
           "digits beyond any double");
    is_int(cmp("1e99999999999999999999", "1"), 1, "a large exponent");
    is_int(cmp("1e-99999999999999999999", "1"), -1, "a small one");
    is_int(cmp("1.5e-99999999999999999999", "0"), 1, "still above 0");
}


static void
test_multiple(void)
{
    is_int(multiple("0.3", "0.1"), 1, "0.3 of 0.1");
    is_int(multiple("0.35", "0.1"), 0, "0.35 of 0.1");
    is_int(multiple("4.02", "0.01"), 1, "4.02 of 0.01");
    is_int(multiple("-9", "3"), 1, "-9 of 3");
    is_int(multiple("10", "3"), 0, "10 of 3");
    is_int(multiple("0", "7"), 1, "0 of 7");
    is_int(multiple("1e3", "8"), 1, "1000 of 8");
    is_int(multiple("1e2", "8"), 0, "100 of 8");
    is_int(multiple("1e300", "7"), 0, "10^300 of 7");
    is_int(multiple("7e300", "7"), 1, "7 * 10^300 of 7");
    is_int(multiple("1e308", "0.123456789"), 0, "10^308 of 0.123456789");
    is_int(multiple("5", "10"), 0, "5 of 10");
    is_int(multiple("50", "10"), 1, "50 of 10");
    is_int(multiple("1", "1000000000000000001"), 0,
           "a divisor of too many digits");
    is_int(multiple("999999999999999999", "999999999999999999"), 1,
           "18 digits");
    is_int(multiple("123456789012345678901234567890", "10"), 1, "30 digits");
    is_int(multiple("123456789012345678901234567891", "7"), 0, "of 7");
}


static void
is_text(prompt_uint128_t value, unsigned scale, const char *want)
{
    char  out[PROMPT_DECIMAL_MAX];

    is_str(prompt_str_of(out, prompt_decimal_format(value, scale, out)), want,
           want);
}


static void
test_format(void)
{
    is_text(0, 0, "0");
    is_text(0, 18, "0");
    is_text(1500, 3, "1.5");
    is_text(2000, 3, "2");
    is_text(165, 6, "0.000165");
    is_text(1, 38, "0.00000000000000000000000000000000000001");
    is_text(120, 0, "120");
    is_text(123, 1, "12.3");

    /* around what is divided as one number of 64 bits */

    is_text(UINT64_MAX, 0, "18446744073709551615");
    is_text((prompt_uint128_t) UINT64_MAX + 1, 0, "18446744073709551616");
    is_text(10000000000000000000u, 19, "1");
    is_text((prompt_uint128_t) 10000000000000000000u * 3, 20, "0.3");
    is_text((prompt_uint128_t) 10000000000000000000u * 20 + 5, 18,
            "200.000000000000000005");
    is_text((prompt_uint128_t) 10000000000000000000u
            * 10000000000000000000u + 1, 38,
            "1.00000000000000000000000000000000000001");

    is_text(~ (prompt_uint128_t) 0, 0,
            "340282366920938463463374607431768211455");
    is_text(~ (prompt_uint128_t) 0, 38,
            "3.40282366920938463463374607431768211455");
}


int
main(void)
{
    test_parse();
    test_cmp();
    test_multiple();
    test_format();

    return done_testing();
}
