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


bool
prompt_random_from(prompt_random_store_t *store, void *out, size_t len)
{
    if (len > sizeof(store->bytes)) {
        return false;
    }

    if (store->left < len) {
        store->left = 0;

        if (!prompt_random(store->bytes, sizeof(store->bytes))) {
            return false;
        }

        store->left = sizeof(store->bytes);
    }

    store->left -= len;
    memcpy(out, store->bytes + store->left, len);

    return true;
}
