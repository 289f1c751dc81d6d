/*
 * Prices and costs: exact to the last digit.
 */

#include "prompt/price.h"

#include "tap.h"


static prompt_price_t
price(const char *text)
{
    prompt_price_t  value;

    memset(&value, 0xff, sizeof(value));

    if (!prompt_price_parse(prompt_str_from(text), &value)) {
        ok(false, text);
    }

    return value;
}


static void
test_parse(void)
{
    size_t          i;
    prompt_price_t  value;

    static const char  *bad[] = {
        "", ".", "1.", ".5", "-1", "+1", "1e3", "0x1", " 1", "1 ", "1,5",
        "1.2.3", "1234567890", "0.1234567890123", "one", "1.5x"
    };

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ok(!prompt_price_parse(prompt_str_from(bad[i]), &value), bad[i]);
    }

    value = price("0.15");
    ok(value.whole == 0 && value.fraction == 150000000000, "0.15");
    value = price("999999999.999999999999");
    ok(value.whole == 999999999 && value.fraction == 999999999999, "largest");
    value = price("0");
    ok(value.whole == 0 && value.fraction == 0, "0");
    ok(!prompt_price_parse(prompt_str_absent, &value), "absent");
}


static void
test_format(void)
{
    char            out[PROMPT_PRICE_MAX];
    size_t          i;
    prompt_price_t  value;

    static const char  *prices[][2] = {
        { "0", "0" }, { "0.15", "0.15" }, { "3", "3" }, { "007.50", "7.5" },
        { "999999999.999999999999", "999999999.999999999999" },
        { "0.000000000001", "0.000000000001" }
    };

    for (i = 0; i < sizeof(prices) / sizeof(prices[0]); i++) {
        value = price(prices[i][0]);
        is_str(prompt_price_format(&value, out), prices[i][1], prices[i][0]);
    }
}


static void
is_cost(const char *input, const char *cached, const char *output,
    int64_t tokens_in, int64_t tokens_cached, int64_t tokens_out,
    const char *want)
{
    char             out[PROMPT_PRICE_COST_MAX];
    prompt_usage_t   usage;
    prompt_prices_t  prices;

    prices = (prompt_prices_t) {
        price(input), price(cached), prompt_price_none, prompt_price_none,
        price(output)
    };
    usage = prompt_usage_unknown;
    usage.in = tokens_in;
    usage.cached = tokens_cached;
    usage.out = tokens_out;

    is_str(prompt_price_cost(&prices, &usage, out), want,
           want != NULL ? want : "unknown");
}


static void
test_cost(void)
{
    char            out[PROMPT_PRICE_COST_MAX];
    prompt_usage_t  usage = { .in = 1, .out = 1 };

    is_cost("0.15", "0.15", "0.60", 1000, -1, 25, "0.000165");
    is_cost("0.15", "0.075", "0.60", 1000, 400, 0, "0.00012");
    is_cost("0.15", "0.075", "0.60", 1000, 1000, 0, "0.000075");
    is_cost("0.15", "0.075", "0.60", 1000, 1001, 0, NULL);
    is_cost("1", "1", "1", 1000000, 0, 1000000, "2");
    is_cost("0.1", "0.1", "0.2", 1, 0, 1, "0.0000003");
    is_cost("0.000000000001", "0", "0", 1, 0, 0, "0.000000000000000001");
    is_cost("0", "0", "0", 5, 0, 5, "0");
    is_cost("0.15", "0.15", "0.60", 0, 0, 0, "0");
    is_cost("999999999.999999999999", "999999999.999999999999",
            "999999999.999999999999", 2147483647, 2147483647, 2147483647,
            "4294967293999.999999995705032706");
    is_cost("0.15", "0.15", "0.60", -1, 0, 25, NULL);
    is_cost("0.15", "0.15", "0.60", 25, 0, -1, NULL);
    is_cost("0.15", "0.15", "0.60", 2147483648, 0, 1, NULL);

    is_str(prompt_price_cost(NULL, &usage, out), NULL, "no price");
}


/* at the dearest price of each direction, the long ones where they may count */
static void
test_most(void)
{
    char             out[PROMPT_PRICE_COST_MAX];
    prompt_prices_t  prices, longer;

    prices = (prompt_prices_t) {
        price("3"), price("0.30"), price("3.75"), price("6"), price("15")
    };
    longer = (prompt_prices_t) {
        price("7"), prompt_price_none, prompt_price_none, prompt_price_none,
        price("22.50")
    };

    is_str(prompt_price_most(&prices, &longer, 0, 1000, 100, out), "0.0075",
           "the dearest");
    is_str(prompt_price_most(&prices, &longer, 200001, 1000, 100, out),
           "0.00925", "of long input");

    prices.cache_write_1h = prompt_price_none;
    is_str(prompt_price_most(&prices, &longer, 0, 1000, 100, out), "0.00525",
           "of those that are given");
    is_str(prompt_price_most(&prices, &longer, 0, 0, 0, out), "0", "of none");

    prices.input = price("999999999.999999999999");
    prices.output = prices.input;
    is_str(prompt_price_most(&prices, &longer, 0, 2147483647, 2147483647, out),
           "4294967293999.999999995705032706", "as much as there can be");
}


/* each part by its own price; one that has none is not guessed */
static void
test_parts(void)
{
    char                    out[PROMPT_PRICE_COST_MAX];
    prompt_usage_t          usage;
    prompt_prices_t         prices, longer;
    const prompt_prices_t  *of;

    prices = (prompt_prices_t) {
        price("3"), price("0.30"), price("3.75"), price("6"), price("15")
    };
    longer = (prompt_prices_t) {
        price("6"), prompt_price_none, prompt_price_none, prompt_price_none,
        price("22.50")
    };

    /* 10 * 3 + 20 * 0.30 + 30 * 3.75 + 40 * 6 + 5 * 15 */

    usage = (prompt_usage_t) { 100, 20, 30, 40, 5, 2, false };
    is_str(prompt_price_cost(&prices, &usage, out), "0.0004635", "parts");

    usage.more = true;
    is_str(prompt_price_cost(&prices, &usage, out), NULL, "and more");
    is_int(prompt_price_counted(&prices, &usage), 0, "and more, counted");

    usage.more = false;
    usage.cache_write = 41;
    is_str(prompt_price_cost(&prices, &usage, out), NULL, "above the input");

    usage.cache_write = 0;
    prices.cache_write = prompt_price_none;
    is_str(prompt_price_cost(&prices, &usage, out), "0.000441",
           "no price is needed for none");

    prices.cache_write_1h = prompt_price_none;
    is_str(prompt_price_cost(&prices, &usage, out), NULL, "no price for it");

    is_str(prompt_price_format(&prices.cache_write, out), NULL, "none");

    /* 100 * 6 + 5 * 22.50 */

    usage = (prompt_usage_t) { 100, 0, 0, 0, 5, -1, false };
    of = prompt_prices_of(&prices, &longer, 100, &usage);
    is_str(prompt_price_cost(of, &usage, out), "0.0007125", "long");

    usage.cached = 1;
    is_str(prompt_price_cost(of, &usage, out), NULL, "long, and cached");

    ok(prompt_prices_of(&prices, &longer, 101, &usage) == &prices, "short");
    ok(prompt_prices_of(&prices, &longer, 0, &usage) == &prices, "never long");

    usage.in = PROMPT_USAGE_UNKNOWN;
    ok(prompt_prices_of(&prices, &longer, 1, &usage) == &prices, "unknown");
}


/* in 10^-12 US dollars, rounded to the nearest */
static void
test_counted(void)
{
    prompt_usage_t   usage;
    prompt_prices_t  prices;

    prices.input = price("0.15");
    prices.cached_input = price("0.075");
    prices.output = price("0.60");

    usage = prompt_usage_unknown;
    usage.in = 1000;
    usage.cached = 400;
    usage.out = 25;

    is_int(prompt_price_counted(&prices, &usage), 135000000, "exact");
    is_int(prompt_price_counted(NULL, &usage), 0, "no price");

    usage.out = -1;
    is_int(prompt_price_counted(&prices, &usage), 0, "tokens are unknown");

    prices.input = price("0.000000499999");
    usage.in = 1;
    usage.cached = 0;
    usage.out = 0;
    is_int(prompt_price_counted(&prices, &usage), 0, "less than half a unit");

    prices.input = price("0.0000005");
    is_int(prompt_price_counted(&prices, &usage), 1, "half a unit");

    prices.input = price("999999999.999999999999");
    usage.in = 2147483647;
    ok(prompt_price_counted(&prices, &usage) == UINT64_MAX,
       "more than can be counted");
}


int
main(void)
{
    test_counted();
    test_parse();
    test_format();
    test_cost();
    test_most();
    test_parts();

    return done_testing();
}
