/*
 * Random bytes: getrandom(2), which gives up to 256 bytes at once and whole.
 */

#include "base/random.h"

#include <errno.h>
#include <sys/random.h>


bool
prompt_random(void *out, size_t len)
{
    ssize_t  n;

    do {
        n = getrandom(out, len, GRND_NONBLOCK);
    } while (n == -1 && errno == EINTR);

    return n >= 0 && (size_t) n == len;
}
