/*
 * Guessing: what all workers of a host know of wrong passwords.
 *
 * The tables of prompt/guesses.h in shared memory, one of accounts and one of
 * addresses.  They survive a reload.
 */

#ifndef NGX_HTTP_PROMPT_GUESSING_H
#define NGX_HTTP_PROMPT_GUESSING_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "prompt/guesses.h"


/* wrong passwords that an account and an address may have in 15 min */
#define NGX_HTTP_PROMPT_GUESSES_ACCOUNT  5
#define NGX_HTTP_PROMPT_GUESSES_ADDRESS  20

/* the longest text of a network */
#define NGX_HTTP_PROMPT_NETWORK_LEN      NGX_SOCKADDR_STRLEN


/*
 * What a guess is counted for.  An address from where the account's user has
 * signed in has a count of its own for it, beside that which all have.
 */
typedef struct {
    uint8_t     account[PROMPT_GUESSES_KEY];     /* from anywhere */
    uint8_t     limiting[PROMPT_GUESSES_KEY];    /* that, or the address's */
    uint8_t     address[PROMPT_GUESSES_KEY];
} ngx_http_prompt_guess_t;


/* Adds the zone; while the configuration is read.  NULL: memory. */
ngx_shm_zone_t *ngx_http_prompt_guessing_zone(ngx_conf_t *cf, void *tag);

/*
 * Writes what names the network of a client, without NUL; returns its length:
 * the address, of IPv6 its first 64 bits.
 */
size_t ngx_http_prompt_guessing_network(ngx_connection_t *c,
    char out[NGX_HTTP_PROMPT_NETWORK_LEN]);

/* account: how it was asked for; known: its user has signed in from there */
void ngx_http_prompt_guessing_of(ngx_shm_zone_t *zone,
    ngx_http_prompt_guess_t *guess, prompt_str_t account,
    prompt_str_t network, ngx_uint_t known);

/*
 * Begins a guess where one may be looked at, and then it is to be ended.
 * FULL: *wait is in seconds.
 */
prompt_guesses_e ngx_http_prompt_guessing_begin(ngx_shm_zone_t *zone,
    const ngx_http_prompt_guess_t *guess, uint32_t *wait);
void ngx_http_prompt_guessing_end(ngx_shm_zone_t *zone,
    const ngx_http_prompt_guess_t *guess, ngx_uint_t wrong);

#endif /* NGX_HTTP_PROMPT_GUESSING_H */
