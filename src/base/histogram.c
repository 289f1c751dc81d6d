/*
 * Histograms of durations: the bounds.
 */

#include "base/histogram.h"


const uint32_t  prompt_histogram_bounds[PROMPT_HISTOGRAM_BOUNDS] = {
    1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 5000, 15000, 60000
};
