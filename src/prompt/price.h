/*
 * Prices and costs, exact: no floating point, no rounding.
 */

#ifndef PROMPT_PROMPT_PRICE_H
#define PROMPT_PROMPT_PRICE_H

#include "base/str.h"
#include "prompt/usage.h"


/* US dollars for a million tokens */
typedef struct {
    uint64_t  whole;                 /* below 10^9 */
    uint64_t  fraction;              /* in 10^-12, below 10^12 */
} prompt_price_t;


/* what has no price has this one */
#define prompt_price_none  ((prompt_price_t) { 0, UINT64_MAX })


typedef struct {
    prompt_price_t  input;           /* of what is neither of these: */
    prompt_price_t  cached_input;
    prompt_price_t  cache_write;
    prompt_price_t  cache_write_1h;
    prompt_price_t  output;
} prompt_prices_t;


static inline bool
prompt_price_given(const prompt_price_t *price)
{
    return price->fraction != UINT64_MAX;
}


/*
 * A plain decimal: 1 to 9 digits, and a point with 1 to 12 more or none; no
 * sign, no exponent.  False for everything else.
 */
bool prompt_price_parse(prompt_str_t text, prompt_price_t *price);

/*
 * A price as a plain decimal without superfluous zeros: a view of out; absent
 * for none.
 */
#define PROMPT_PRICE_MAX  41

prompt_str_t prompt_price_format(const prompt_price_t *price,
    char out[PROMPT_PRICE_MAX]);

/*
 * The prices of a call: the long ones from so many tokens of input on; 0: the
 * model has none.
 */
static inline const prompt_prices_t *
prompt_prices_of(const prompt_prices_t *prices,
    const prompt_prices_t *long_prices, uint64_t long_from,
    const prompt_usage_t *usage)
{
    return long_from != 0 && usage->in >= 0
           && (uint64_t) usage->in >= long_from ? long_prices : prices;
}

/*
 * What a call cost, in US dollars, as a plain decimal without superfluous
 * zeros: a view of out.  Absent where it is not known: prices is NULL, the
 * tokens in or out are unknown, there are tokens that have no price, or usage
 * has more.  Parts that are unknown are none.
 */
#define PROMPT_PRICE_COST_MAX  41

prompt_str_t prompt_price_cost(const prompt_prices_t *prices,
    const prompt_usage_t *usage, char out[PROMPT_PRICE_COST_MAX]);

/*
 * The most that a call with so many tokens can cost, each below 2^31: at the
 * dearest of the prices, the long ones among them where long_from is not 0.  As
 * prompt_price_cost().
 */
prompt_str_t prompt_price_most(const prompt_prices_t *prices,
    const prompt_prices_t *long_prices, uint64_t long_from, int64_t in,
    int64_t out, char text[PROMPT_PRICE_COST_MAX]);

/*
 * The same as prompt_price_cost(), as an integer that can be summed up, in
 * 10^-12 US dollars, rounded to the nearest; 0 where it is not known.
 */
uint64_t prompt_price_counted(const prompt_prices_t *prices,
    const prompt_usage_t *usage);

#endif /* PROMPT_PROMPT_PRICE_H */
