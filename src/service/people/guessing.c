/*
 * Guessing: the tables in shared memory, and their lock.
 */

#include "service/people/guessing.h"

#include "base/random.h"
#include "base/sha256.h"
#include "conf/ngx_http_prompt_conf.h"


/* that of an address is a part of what names it: "2001:0db8:0000:0001::/64" */
#define NGX_HTTP_PROMPT_GUESSING_48       15
#define NGX_HTTP_PROMPT_GUESSING_56       17

#define NGX_HTTP_PROMPT_GUESSING_WINDOW   (15 * 60)      /* s */

/* a table beside those of what is counted: who is not known */
#define NGX_HTTP_PROMPT_GUESSING_STRANGE  NGX_HTTP_PROMPT_GUESSES_COUNTS
#define NGX_HTTP_PROMPT_GUESSING_TABLES   (NGX_HTTP_PROMPT_GUESSES_COUNTS + 1)


typedef struct {
    uint32_t           entries;
    uint32_t           limit;        /* wrong ones within the window */
    uint32_t           window;
} ngx_http_prompt_guessing_table_t;


typedef struct {
    uint8_t            secret[32];
    prompt_guesses_t  *tables[NGX_HTTP_PROMPT_GUESSING_TABLES];
} ngx_http_prompt_guessing_t;


static ngx_int_t ngx_http_prompt_guessing_init(ngx_shm_zone_t *zone,
    void *data);
static void ngx_http_prompt_guessing_key(ngx_http_prompt_guessing_t *guessing,
    const char *what, prompt_str_t account, prompt_str_t network,
    uint8_t out[PROMPT_GUESSES_KEY]);
static ngx_uint_t ngx_http_prompt_guessing_limits(
    const ngx_http_prompt_guess_t *guess, ngx_uint_t count);
static ngx_uint_t ngx_http_prompt_guessing_passes(
    const ngx_http_prompt_guessing_t *guessing,
    const ngx_http_prompt_guess_t *guess, ngx_uint_t count, uint32_t now);
static prompt_guesses_e ngx_http_prompt_guessing_may(
    ngx_http_prompt_guessing_t *guessing, const ngx_http_prompt_guess_t *guess,
    uint32_t now, uint32_t *wait);
static ngx_http_prompt_guessing_t *ngx_http_prompt_guessing_lock(
    ngx_shm_zone_t *zone);
static void ngx_http_prompt_guessing_unlock(ngx_shm_zone_t *zone);
static uint32_t ngx_http_prompt_guessing_now(void);


static const ngx_http_prompt_guessing_table_t
    ngx_http_prompt_guessing_tables[NGX_HTTP_PROMPT_GUESSING_TABLES] =
{
    [NGX_HTTP_PROMPT_GUESSES_ACCOUNT] =
        { 32768, 5, NGX_HTTP_PROMPT_GUESSING_WINDOW },
    [NGX_HTTP_PROMPT_GUESSES_ADDRESS] =
        { 16384, 20, NGX_HTTP_PROMPT_GUESSING_WINDOW },
    [NGX_HTTP_PROMPT_GUESSES_NET_56] =
        { 8192, 40, NGX_HTTP_PROMPT_GUESSING_WINDOW },
    [NGX_HTTP_PROMPT_GUESSES_NET_48] =
        { 4096, 100, NGX_HTTP_PROMPT_GUESSING_WINDOW },
    [NGX_HTTP_PROMPT_GUESSES_KNOWN] =
        { 32768, 5, NGX_HTTP_PROMPT_GUESSING_WINDOW },
    [NGX_HTTP_PROMPT_GUESSES_KNOWN_THERE] =
        { 4096, 100, NGX_HTTP_PROMPT_GUESSING_WINDOW },
    [NGX_HTTP_PROMPT_GUESSING_STRANGE] =
        { 32768, 1, 60 }
};


ngx_shm_zone_t *
ngx_http_prompt_guessing_zone(ngx_conf_t *cf, void *tag)
{
    size_t           size;
    ngx_uint_t       i;
    ngx_shm_zone_t  *zone;

    static ngx_str_t  name = ngx_string("ngx_http_prompt_guesses");

    size = 0;

    for (i = 0; i < NGX_HTTP_PROMPT_GUESSING_TABLES; i++) {
        size += prompt_guesses_size(ngx_http_prompt_guessing_tables[i].entries,
                                    ngx_http_prompt_guessing_tables[i].limit);
    }

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
    ngx_uint_t                               i;
    ngx_slab_pool_t                         *shpool;
    ngx_http_prompt_guessing_t              *guessing;
    const ngx_http_prompt_guessing_table_t  *table;

    if (ngx_http_prompt_zone_kept(zone, data)) {
        return NGX_OK;
    }

    shpool = (ngx_slab_pool_t *) zone->shm.addr;

    guessing = ngx_slab_alloc(shpool, sizeof(ngx_http_prompt_guessing_t));
    if (guessing == NULL
        || !prompt_random(guessing->secret, sizeof(guessing->secret)))
    {
        return NGX_ERROR;
    }

    for (i = 0; i < NGX_HTTP_PROMPT_GUESSING_TABLES; i++) {
        table = &ngx_http_prompt_guessing_tables[i];

        guessing->tables[i] =
            ngx_slab_alloc(shpool, prompt_guesses_size(table->entries,
                                                       table->limit));
        if (guessing->tables[i] == NULL) {
            return NGX_ERROR;
        }

        prompt_guesses_init(guessing->tables[i], table->entries, table->limit,
                            table->window);
    }

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
    u_char               *addr;
    struct sockaddr_in6  *sin6;

    if (c->sockaddr->sa_family == AF_INET6) {
        sin6 = (struct sockaddr_in6 *) c->sockaddr;
        addr = sin6->sin6_addr.s6_addr;
        p = (u_char *) out;

        /* as at a listener of IPv4: it is the same client */

        if (IN6_IS_ADDR_V4MAPPED(&sin6->sin6_addr)) {
            p = ngx_sprintf(p, "%d.%d.%d.%d", (int) addr[12], (int) addr[13],
                            (int) addr[14], (int) addr[15]);

            return p - (u_char *) out;
        }

        for (i = 0; i < 8; i += 2) {
            p = ngx_sprintf(p, "%02xd%02xd:", (int) addr[i],
                            (int) addr[i + 1]);
        }

        p = ngx_sprintf(p, ":/64");

        return p - (u_char *) out;
    }
#endif

    p = ngx_cpymem((u_char *) out, c->addr_text.data,
                   ngx_min(c->addr_text.len, NGX_HTTP_PROMPT_NETWORK_LEN));

    return p - (u_char *) out;
}


void
ngx_http_prompt_guessing_of(ngx_shm_zone_t *zone,
    ngx_http_prompt_guess_t *guess, prompt_str_t account,
    prompt_str_t network)
{
    u_char                       folded[NGX_HTTP_PROMPT_EMAIL_LEN];
    uint8_t                      (*keys)[PROMPT_GUESSES_KEY];
    ngx_http_prompt_guessing_t  *guessing;

    guessing = zone->data;

    ngx_memzero(guess, sizeof(ngx_http_prompt_guess_t));

    account.len = ngx_min(account.len, sizeof(folded));
    ngx_strlow(folded, (u_char *) account.data, account.len);
    account.data = (char *) folded;

    keys = guess->keys;

    ngx_http_prompt_guessing_key(guessing, "account", account,
                                 prompt_str_absent,
                                 keys[NGX_HTTP_PROMPT_GUESSES_ACCOUNT]);
    ngx_http_prompt_guessing_key(guessing, "address", prompt_str_absent,
                                 network,
                                 keys[NGX_HTTP_PROMPT_GUESSES_ADDRESS]);
    ngx_http_prompt_guessing_key(guessing, "known", account, network,
                                 keys[NGX_HTTP_PROMPT_GUESSES_KNOWN]);

    ngx_memcpy(keys[NGX_HTTP_PROMPT_GUESSES_KNOWN_THERE],
               keys[NGX_HTTP_PROMPT_GUESSES_ADDRESS], PROMPT_GUESSES_KEY);

    guess->local = network.len >= 5
                   && ngx_memcmp(network.data, "unix:", 5) == 0;

    if (network.len <= NGX_HTTP_PROMPT_GUESSING_56
        || ngx_memcmp(network.data + network.len - 3, "/64", 3) != 0)
    {
        return;
    }

    guess->ipv6 = 1;

    network.len = NGX_HTTP_PROMPT_GUESSING_56;
    ngx_http_prompt_guessing_key(guessing, "net", prompt_str_absent, network,
                                 keys[NGX_HTTP_PROMPT_GUESSES_NET_56]);

    network.len = NGX_HTTP_PROMPT_GUESSING_48;
    ngx_http_prompt_guessing_key(guessing, "net", prompt_str_absent, network,
                                 keys[NGX_HTTP_PROMPT_GUESSES_NET_48]);
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


void
ngx_http_prompt_guessing_told(ngx_shm_zone_t *zone,
    ngx_http_prompt_guess_t *guess, ngx_uint_t known, ngx_uint_t visited)
{
    ngx_http_prompt_guessing_t  *guessing;

    guess->known = known && !guess->local;

    if (guess->known) {
        return;
    }

    guessing = ngx_http_prompt_guessing_lock(zone);

    prompt_guesses_wrong(guessing->tables[NGX_HTTP_PROMPT_GUESSING_STRANGE],
                         guess->keys[visited
                                     ? NGX_HTTP_PROMPT_GUESSES_KNOWN
                                     : NGX_HTTP_PROMPT_GUESSES_ADDRESS],
                         ngx_http_prompt_guessing_now());

    ngx_http_prompt_guessing_unlock(zone);
}


void
ngx_http_prompt_guessing_forget(ngx_shm_zone_t *zone,
    const ngx_http_prompt_guess_t *guess)
{
    prompt_guesses_t  *strange;

    strange = ngx_http_prompt_guessing_lock(zone)
              ->tables[NGX_HTTP_PROMPT_GUESSING_STRANGE];

    prompt_guesses_forget(strange,
                          guess->keys[NGX_HTTP_PROMPT_GUESSES_KNOWN]);
    prompt_guesses_forget(strange,
                          guess->keys[NGX_HTTP_PROMPT_GUESSES_ADDRESS]);

    ngx_http_prompt_guessing_unlock(zone);
}


ngx_uint_t
ngx_http_prompt_guessing_strange(ngx_shm_zone_t *zone,
    const ngx_http_prompt_guess_t *guess)
{
    uint32_t           now, wait;
    ngx_uint_t         strange;
    prompt_guesses_t  *table;

    table = ngx_http_prompt_guessing_lock(zone)
            ->tables[NGX_HTTP_PROMPT_GUESSING_STRANGE];
    now = ngx_http_prompt_guessing_now();

    strange = prompt_guesses_look(table,
                                  guess->keys[NGX_HTTP_PROMPT_GUESSES_ADDRESS],
                                  now, &wait)
              == PROMPT_GUESSES_FULL
              || prompt_guesses_look(table,
                                  guess->keys[NGX_HTTP_PROMPT_GUESSES_KNOWN],
                                  now, &wait)
                 == PROMPT_GUESSES_FULL;

    ngx_http_prompt_guessing_unlock(zone);

    return strange;
}


prompt_guesses_e
ngx_http_prompt_guessing_look(ngx_shm_zone_t *zone,
    const ngx_http_prompt_guess_t *guess, uint32_t *wait)
{
    prompt_guesses_e             may;
    ngx_http_prompt_guessing_t  *guessing;

    guessing = ngx_http_prompt_guessing_lock(zone);

    may = ngx_http_prompt_guessing_may(guessing, guess,
                                       ngx_http_prompt_guessing_now(), wait);

    ngx_http_prompt_guessing_unlock(zone);

    return may;
}


prompt_guesses_e
ngx_http_prompt_guessing_begin(ngx_shm_zone_t *zone,
    const ngx_http_prompt_guess_t *guess, uint32_t *wait)
{
    uint32_t                     now;
    ngx_uint_t                   i;
    prompt_guesses_e             may;
    ngx_http_prompt_guessing_t  *guessing;

    guessing = ngx_http_prompt_guessing_lock(zone);
    now = ngx_http_prompt_guessing_now();

    may = ngx_http_prompt_guessing_may(guessing, guess, now, wait);

    for (i = 0; i < NGX_HTTP_PROMPT_GUESSES_COUNTS; i++) {
        if (may == PROMPT_GUESSES_FREE
            && ngx_http_prompt_guessing_limits(guess, i))
        {
            prompt_guesses_begin(guessing->tables[i], guess->keys[i], now);
        }
    }

    ngx_http_prompt_guessing_unlock(zone);

    return may;
}


/* What is wrong of somebody known counts for the others, too. */
void
ngx_http_prompt_guessing_end(ngx_shm_zone_t *zone,
    const ngx_http_prompt_guess_t *guess, ngx_uint_t wrong)
{
    uint32_t                     now;
    ngx_uint_t                   i;
    ngx_http_prompt_guess_t      unknown;
    ngx_http_prompt_guessing_t  *guessing;

    unknown = *guess;
    unknown.known = 0;

    guessing = ngx_http_prompt_guessing_lock(zone);
    now = ngx_http_prompt_guessing_now();

    for (i = 0; i < NGX_HTTP_PROMPT_GUESSES_COUNTS; i++) {

        if (ngx_http_prompt_guessing_limits(guess, i)) {
            prompt_guesses_end(guessing->tables[i], guess->keys[i], now);

        } else if (!ngx_http_prompt_guessing_limits(&unknown, i)) {
            continue;
        }

        if (wrong) {
            prompt_guesses_wrong(guessing->tables[i], guess->keys[i], now);
        }
    }

    ngx_http_prompt_guessing_unlock(zone);
}


/* whether that count holds a guess up */
static ngx_uint_t
ngx_http_prompt_guessing_limits(const ngx_http_prompt_guess_t *guess,
    ngx_uint_t count)
{
    switch (count) {

    case NGX_HTTP_PROMPT_GUESSES_KNOWN:
    case NGX_HTTP_PROMPT_GUESSES_KNOWN_THERE:
        return guess->known;

    case NGX_HTTP_PROMPT_GUESSES_NET_56:
    case NGX_HTTP_PROMPT_GUESSES_NET_48:
        return !guess->known && guess->ipv6;

    default:
        return !guess->known;
    }
}


/* Somebody known without a wrong one of their own: others' do not count. */
static ngx_uint_t
ngx_http_prompt_guessing_passes(const ngx_http_prompt_guessing_t *guessing,
    const ngx_http_prompt_guess_t *guess, ngx_uint_t count, uint32_t now)
{
    return count == NGX_HTTP_PROMPT_GUESSES_KNOWN_THERE
           && !prompt_guesses_any(
                   guessing->tables[NGX_HTTP_PROMPT_GUESSES_KNOWN],
                   guess->keys[NGX_HTTP_PROMPT_GUESSES_KNOWN], now);
}


/* The worst that a count says, and the longest time. */
static prompt_guesses_e
ngx_http_prompt_guessing_may(ngx_http_prompt_guessing_t *guessing,
    const ngx_http_prompt_guess_t *guess, uint32_t now, uint32_t *wait)
{
    uint32_t          longest;
    ngx_uint_t        i;
    prompt_guesses_e  may, worst;

    worst = PROMPT_GUESSES_FREE;
    longest = 0;

    for (i = 0; i < NGX_HTTP_PROMPT_GUESSES_COUNTS; i++) {

        if (ngx_http_prompt_guessing_limits(guess, i)
            && !ngx_http_prompt_guessing_passes(guessing, guess, i, now))
        {
            may = prompt_guesses_look(guessing->tables[i], guess->keys[i], now,
                                      wait);
            worst = ngx_max(worst, may);
            longest = ngx_max(longest, *wait);
        }
    }

    *wait = longest;

    return worst;
}


static ngx_http_prompt_guessing_t *
ngx_http_prompt_guessing_lock(ngx_shm_zone_t *zone)
{
    ngx_shmtx_lock(&((ngx_slab_pool_t *) zone->shm.addr)->mutex);

    return zone->data;
}


static void
ngx_http_prompt_guessing_unlock(ngx_shm_zone_t *zone)
{
    ngx_shmtx_unlock(&((ngx_slab_pool_t *) zone->shm.addr)->mutex);
}


/* of a clock that nobody sets, the same for all processes; never 0 */
static uint32_t
ngx_http_prompt_guessing_now(void)
{
    return (uint32_t) (ngx_current_msec / 1000 + 1);
}
