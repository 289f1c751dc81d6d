/*
 * Bisection of what is in order.
 */

#ifndef PROMPT_BASE_BISECT_H
#define PROMPT_BASE_BISECT_H


/*
 * Of the places from low on, before high, the first of which `before` is not
 * true, or high: low is it afterwards.  `before` is an expression that looks
 * at the place `middle`, and is true of some first places and of no others.
 */
#define prompt_bisect(low, high, middle, before)                             \
    do {                                                                     \
        while ((low) < (high)) {                                             \
            (middle) = (low) + ((high) - (low)) / 2;                         \
                                                                             \
            if (before) {                                                    \
                (low) = (middle) + 1;                                        \
                                                                             \
            } else {                                                         \
                (high) = (middle);                                           \
            }                                                                \
        }                                                                    \
    } while (0)

#endif /* PROMPT_BASE_BISECT_H */
