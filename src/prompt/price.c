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

    if (!prompt_price_given(price)) {
        return prompt_str_absent;
    }

    return prompt_str_of(out, prompt_decimal_format(
                                  (prompt_uint128_t) price->whole
                                  * PROMPT_PRICE_UNIT + price->fraction,
                                  PROMPT_PRICE_FRACTION_DIGITS, out));
}


/*
 * Adds tokens times the price of one million, in 10^-18 US dollars; false:
 * they have no price.  Those that are unknown are none.
 */
static bool
prompt_price_add(prompt_uint128_t *sum, const prompt_price_t *price,
    int64_t tokens)
{
    if (tokens <= 0) {
        return true;
    }

    *sum += ((prompt_uint128_t) price->whole * PROMPT_PRICE_UNIT
             + price->fraction) * (uint64_t) tokens;

    return prompt_price_given(price);
}


static int64_t
prompt_price_tokens(int64_t tokens)
{
    return tokens > 0 ? tokens : 0;
}


/*
 * In 10^-18 US dollars; false: it is not known.
 *
 * Nothing overflows: a price is below 10^21 units, a token count below 2^31,
 * so each of the five products is below 2.2 * 10^30 and their sum below
 * 1.1 * 10^31, while 2^128 is above 3.4 * 10^38.
 */
static bool
prompt_price_sum(const prompt_prices_t *prices, const prompt_usage_t *usage,
    prompt_uint128_t *sum)
{
    int64_t  rest;

    if (prices == NULL || usage->more || !prompt_usage_known(usage->in)
        || !prompt_usage_known(usage->out))
    {
        return false;
    }

    rest = usage->in - prompt_price_tokens(usage->cached)
           - prompt_price_tokens(usage->cache_write)
           - prompt_price_tokens(usage->cache_write_1h);

    *sum = 0;

    return rest >= 0
           && prompt_price_add(sum, &prices->input, rest)
           && prompt_price_add(sum, &prices->cached_input, usage->cached)
           && prompt_price_add(sum, &prices->cache_write, usage->cache_write)
           && prompt_price_add(sum, &prices->cache_write_1h,
                               usage->cache_write_1h)
           && prompt_price_add(sum, &prices->output, usage->out);
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
prompt_price_counted(const prompt_prices_t *prices, const prompt_usage_t *usage)
{
    prompt_uint128_t  sum;

    if (!prompt_price_sum(prices, usage, &sum)) {
        return 0;
    }

    sum = (sum + PROMPT_PRICE_TOKENS / 2) / PROMPT_PRICE_TOKENS;

    return sum < UINT64_MAX ? (uint64_t) sum : UINT64_MAX;
}


static prompt_uint128_t
prompt_price_dearest(prompt_uint128_t most, const prompt_price_t *price)
{
    prompt_uint128_t  units;

    if (!prompt_price_given(price)) {
        return most;
    }

    units = (prompt_uint128_t) price->whole * PROMPT_PRICE_UNIT
            + price->fraction;

    return units > most ? units : most;
}


prompt_str_t
prompt_price_most(const prompt_prices_t *prices,
    const prompt_prices_t *long_prices, uint64_t long_from, int64_t in,
    int64_t out, char text[PROMPT_PRICE_COST_MAX])
{
    unsigned                i;
    prompt_uint128_t        dear_in, dear_out;
    const prompt_prices_t  *each;

    dear_in = 0;
    dear_out = 0;

    for (i = 0; i < (long_from != 0 ? 2 : 1); i++) {
        each = i == 0 ? prices : long_prices;

        dear_in = prompt_price_dearest(dear_in, &each->input);
        dear_in = prompt_price_dearest(dear_in, &each->cached_input);
        dear_in = prompt_price_dearest(dear_in, &each->cache_write);
        dear_in = prompt_price_dearest(dear_in, &each->cache_write_1h);
        dear_out = prompt_price_dearest(dear_out, &each->output);
    }

    /* as in prompt_price_sum() nothing overflows */

    return prompt_str_of(text, prompt_decimal_format(
                                   dear_in * (uint64_t) in
                                   + dear_out * (uint64_t) out,
                                   PROMPT_PRICE_FRACTION_DIGITS
                                   + PROMPT_PRICE_TOKENS_DIGITS, text));
}
