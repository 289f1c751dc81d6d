/*
 * Guessing: the tables in shared memory, and their lock.
 */

#include "service/guessing.h"

#include "base/random.h"
#include "base/sha256.h"


#define NGX_HTTP_PROMPT_GUESSING_ACCOUNTS   32768
#define NGX_HTTP_PROMPT_GUESSING_ADDRESSES  16384


typedef struct {
    uint8_t            secret[32];
    prompt_guesses_t  *accounts;
    prompt_guesses_t  *addresses;
} ngx_http_prompt_guessing_t;


static ngx_int_t ngx_http_prompt_guessing_init(ngx_shm_zone_t *zone,
    void *data);
static void ngx_http_prompt_guessing_key(ngx_http_prompt_guessing_t *guessing,
    const char *what, prompt_str_t account, prompt_str_t network,
    uint8_t out[PROMPT_GUESSES_KEY]);
static uint32_t ngx_http_prompt_guessing_now(void);


ngx_shm_zone_t *
ngx_http_prompt_guessing_zone(ngx_conf_t *cf, void *tag)
{
    size_t           size;
    ngx_shm_zone_t  *zone;

    static ngx_str_t  name = ngx_string("ngx_http_prompt_guesses");

    size = prompt_guesses_size(NGX_HTTP_PROMPT_GUESSING_ACCOUNTS)
           + prompt_guesses_size(NGX_HTTP_PROMPT_GUESSING_ADDRESSES);

    /* the slab's own bookkeeping: less than a page for each 64 */

    size += size / 32 + 16 * ngx_pagesize;

    zone = ngx_shared_memory_add(cf, &name, size, tag);

    if (zone != NULL) {
        zone->init = ngx_http_prompt_guessing_init;
    }

    return zone;
}


static ngx_int_t
ngx_http_prompt_guessing_init(ngx_shm_zone_t *zone, void *data)
{
    ngx_slab_pool_t             *shpool;
    ngx_http_prompt_guessing_t  *guessing;

    if (data != NULL) {
        zone->data = data;
        return NGX_OK;
    }

    shpool = (ngx_slab_pool_t *) zone->shm.addr;

    if (zone->shm.exists) {
        zone->data = shpool->data;
        return NGX_OK;
    }

    guessing = ngx_slab_alloc(shpool, sizeof(ngx_http_prompt_guessing_t));
    if (guessing == NULL) {
        return NGX_ERROR;
    }

    guessing->accounts = ngx_slab_alloc(shpool,
                     prompt_guesses_size(NGX_HTTP_PROMPT_GUESSING_ACCOUNTS));
    guessing->addresses = ngx_slab_alloc(shpool,
                     prompt_guesses_size(NGX_HTTP_PROMPT_GUESSING_ADDRESSES));

    if (guessing->accounts == NULL || guessing->addresses == NULL
        || !prompt_random(guessing->secret, sizeof(guessing->secret)))
    {
        return NGX_ERROR;
    }

    prompt_guesses_init(guessing->accounts, NGX_HTTP_PROMPT_GUESSING_ACCOUNTS,
                        NGX_HTTP_PROMPT_GUESSES_ACCOUNT);
    prompt_guesses_init(guessing->addresses,
                        NGX_HTTP_PROMPT_GUESSING_ADDRESSES,
                        NGX_HTTP_PROMPT_GUESSES_ADDRESS);

    shpool->data = guessing;
    zone->data = guessing;

    return NGX_OK;
}


size_t
ngx_http_prompt_guessing_network(ngx_connection_t *c,
    char out[NGX_HTTP_PROMPT_NETWORK_LEN])
{
    u_char  *p;

#if (NGX_HAVE_INET6)
    size_t                i;
    struct sockaddr_in6  *sin6;

    if (c->sockaddr->sa_family == AF_INET6) {
        sin6 = (struct sockaddr_in6 *) c->sockaddr;

        if (!IN6_IS_ADDR_V4MAPPED(&sin6->sin6_addr)) {
            p = (u_char *) out;

            for (i = 0; i < 8; i += 2) {
                p = ngx_sprintf(p, "%02xd%02xd:",
                                (int) sin6->sin6_addr.s6_addr[i],
                                (int) sin6->sin6_addr.s6_addr[i + 1]);
            }

            p = ngx_sprintf(p, ":/64");

            return p - (u_char *) out;
        }
    }
#endif

    p = ngx_cpymem((u_char *) out, c->addr_text.data,
                   ngx_min(c->addr_text.len, NGX_HTTP_PROMPT_NETWORK_LEN));

    return p - (u_char *) out;
}


void
ngx_http_prompt_guessing_of(ngx_shm_zone_t *zone,
    ngx_http_prompt_guess_t *guess, prompt_str_t account,
    prompt_str_t network, ngx_uint_t known)
{
    ngx_http_prompt_guessing_t  *guessing;

    guessing = zone->data;

    ngx_http_prompt_guessing_key(guessing, "account", account,
                                 prompt_str_absent, guess->account);
    ngx_http_prompt_guessing_key(guessing, "address", prompt_str_absent,
                                 network, guess->address);

    if (known) {
        ngx_http_prompt_guessing_key(guessing, "known", account, network,
                                     guess->limiting);
    } else {
        ngx_memcpy(guess->limiting, guess->account, PROMPT_GUESSES_KEY);
    }
}


/* what is hashed has its lengths in it, so that no two are the same */

static void
ngx_http_prompt_guessing_key(ngx_http_prompt_guessing_t *guessing,
    const char *what, prompt_str_t account, prompt_str_t network,
    uint8_t out[PROMPT_GUESSES_KEY])
{
    uint8_t          hash[PROMPT_SHA256_LEN];
    uint64_t         lens[2];
    prompt_sha256_t  sha;

    lens[0] = account.len;
    lens[1] = network.len;

    prompt_sha256_init(&sha);
    prompt_sha256_update(&sha, prompt_str_of((char *) guessing->secret,
                                             sizeof(guessing->secret)));
    prompt_sha256_update(&sha, prompt_str_from(what));
    prompt_sha256_update(&sha, prompt_str_of((char *) lens, sizeof(lens)));
    prompt_sha256_update(&sha, account);
    prompt_sha256_update(&sha, network);
    prompt_sha256_final(&sha, hash);

    ngx_memcpy(out, hash, PROMPT_GUESSES_KEY);
}


prompt_guesses_e
ngx_http_prompt_guessing_begin(ngx_shm_zone_t *zone,
    const ngx_http_prompt_guess_t *guess, uint32_t *wait)
{
    uint32_t                     now, other;
    ngx_slab_pool_t             *shpool;
    prompt_guesses_e             account, address;
    ngx_http_prompt_guessing_t  *guessing;

    guessing = zone->data;
    shpool = (ngx_slab_pool_t *) zone->shm.addr;
    now = ngx_http_prompt_guessing_now();

    ngx_shmtx_lock(&shpool->mutex);

    account = prompt_guesses_look(guessing->accounts, guess->limiting, now,
                                  wait);
    address = prompt_guesses_look(guessing->addresses, guess->address, now,
                                  &other);

    if (account == PROMPT_GUESSES_FREE && address == PROMPT_GUESSES_FREE) {
        prompt_guesses_begin(guessing->accounts, guess->limiting, now);
        prompt_guesses_begin(guessing->addresses, guess->address, now);
    }

    ngx_shmtx_unlock(&shpool->mutex);

    *wait = ngx_max(*wait, other);

    return ngx_max(account, address);
}


void
ngx_http_prompt_guessing_end(ngx_shm_zone_t *zone,
    const ngx_http_prompt_guess_t *guess, ngx_uint_t wrong)
{
    uint32_t                     now;
    ngx_slab_pool_t             *shpool;
    ngx_http_prompt_guessing_t  *guessing;

    guessing = zone->data;
    shpool = (ngx_slab_pool_t *) zone->shm.addr;
    now = ngx_http_prompt_guessing_now();

    ngx_shmtx_lock(&shpool->mutex);

    prompt_guesses_end(guessing->accounts, guess->limiting, now);
    prompt_guesses_end(guessing->addresses, guess->address, now);

    if (wrong) {
        prompt_guesses_wrong(guessing->accounts, guess->account, now);
        prompt_guesses_wrong(guessing->addresses, guess->address, now);

        if (ngx_memcmp(guess->account, guess->limiting, PROMPT_GUESSES_KEY)
            != 0)
        {
            prompt_guesses_wrong(guessing->accounts, guess->limiting, now);
        }
    }

    ngx_shmtx_unlock(&shpool->mutex);
}


/* of a clock that nobody sets, the same for all processes; never 0 */

static uint32_t
ngx_http_prompt_guessing_now(void)
{
    return (uint32_t) (ngx_current_msec / 1000 + 1);
}
