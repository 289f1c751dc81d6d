/*
 * Prices and costs, in integers.
 */

#include "prompt/price.h"

#include "base/decimal.h"


#define PROMPT_PRICE_WHOLE_DIGITS     9
#define PROMPT_PRICE_FRACTION_DIGITS  12
#define PROMPT_PRICE_UNIT             1000000000000u        /* 10^12 */
#define PROMPT_PRICE_TOKENS_DIGITS    6                     /* a million */
#define PROMPT_PRICE_TOKENS           1000000


/* 1 to max digits at *p, up to end; *count says how many there were */
static bool
prompt_price_digits(const char **p, const char *end, unsigned max,
    uint64_t *value, unsigned *count)
{
    *value = 0;
    *count = 0;

    while (*p < end && **p >= '0' && **p <= '9') {
        if (*count == max) {
            return false;
        }

        *value = *value * 10 + (uint64_t) (**p - '0');
        (*count)++;
        (*p)++;
    }

    return *count != 0;
}


bool
prompt_price_parse(prompt_str_t text, prompt_price_t *price)
{
    unsigned     count;
    const char  *p, *end;

    if (text.len == 0) {
        return false;
    }

    p = text.data;
    end = p + text.len;

    if (!prompt_price_digits(&p, end, PROMPT_PRICE_WHOLE_DIGITS,
                             &price->whole, &count))
    {
        return false;
    }

    price->fraction = 0;

    if (p == end) {
        return true;
    }

    if (*p++ != '.'
        || !prompt_price_digits(&p, end, PROMPT_PRICE_FRACTION_DIGITS,
                                &price->fraction, &count))
    {
        return false;
    }

    for ( /* void */ ; count < PROMPT_PRICE_FRACTION_DIGITS; count++) {
        price->fraction *= 10;
    }

    return p == end;
}


prompt_str_t
prompt_price_format(const prompt_price_t *price, char out[PROMPT_PRICE_MAX])
{
    _Static_assert(PROMPT_PRICE_MAX >= PROMPT_DECIMAL_MAX, "room");

    return prompt_str_of(out, prompt_decimal_format(
                                  (prompt_uint128_t) price->whole
                                  * PROMPT_PRICE_UNIT + price->fraction,
                                  PROMPT_PRICE_FRACTION_DIGITS, out));
}


/* tokens times the price of one million, in 10^-18 US dollars */
static prompt_uint128_t
prompt_price_times(const prompt_price_t *price, int64_t tokens)
{
    return ((prompt_uint128_t) price->whole * PROMPT_PRICE_UNIT
            + price->fraction) * (uint64_t) tokens;
}


/*
 * In 10^-18 US dollars; false: it is not known.
 *
 * Nothing overflows: a price is below 10^21 units, a token count below 2^31,
 * so each of the three products is below 2.2 * 10^30 and their sum below
 * 6.6 * 10^30, while 2^128 is above 3.4 * 10^38.
 */
static bool
prompt_price_sum(const prompt_prices_t *prices, const prompt_usage_t *usage,
    prompt_uint128_t *sum)
{
    int64_t  cached;

    if (prices == NULL || !prompt_usage_known(usage->in)
        || !prompt_usage_known(usage->out))
    {
        return false;
    }

    cached = usage->cached;

    if (!prompt_usage_known(cached) || cached > usage->in) {
        cached = 0;
    }

    *sum = prompt_price_times(&prices->input, usage->in - cached)
           + prompt_price_times(&prices->cached_input, cached)
           + prompt_price_times(&prices->output, usage->out);

    return true;
}


prompt_str_t
prompt_price_cost(const prompt_prices_t *prices, const prompt_usage_t *usage,
    char out[PROMPT_PRICE_COST_MAX])
{
    size_t            len;
    prompt_uint128_t  sum;

    _Static_assert(PROMPT_PRICE_COST_MAX >= PROMPT_DECIMAL_MAX, "room");

    if (!prompt_price_sum(prices, usage, &sum)) {
        return prompt_str_absent;
    }

    len = prompt_decimal_format(sum, PROMPT_PRICE_FRACTION_DIGITS
                                     + PROMPT_PRICE_TOKENS_DIGITS, out);

    return prompt_str_of(out, len);
}


uint64_t
prompt_price_counted(const prompt_prices_t *prices,
    const prompt_usage_t *usage)
{
    prompt_uint128_t  sum;

    if (!prompt_price_sum(prices, usage, &sum)) {
        return 0;
    }

    sum = (sum + PROMPT_PRICE_TOKENS / 2) / PROMPT_PRICE_TOKENS;

    return sum < UINT64_MAX ? (uint64_t) sum : UINT64_MAX;
}
