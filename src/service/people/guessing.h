/*
 * Guessing: what all workers of a host know of wrong passwords.
 *
 * The tables of prompt/guesses.h in shared memory: of accounts, of addresses,
 * and of the larger networks that an address of IPv6 is in.  They survive a
 * reload.
 *
 * Whoever has signed in from an address is known there, and held up only by
 * what is wrong for this account from this address: by five of these, or by
 * one where all who are known there had very many.  Which these are PostgreSQL
 * says; at a
 * socket of this machine, where no client has an address, nobody is.  A table
 * has those for a minute that it said no of, so that these are refused without
 * asking it again: an address from which nobody has signed in, or an account
 * that has not.
 */

#ifndef NGX_HTTP_PROMPT_GUESSING_H
#define NGX_HTTP_PROMPT_GUESSING_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "prompt/guesses.h"


/* bytes of the longest e-mail: 320 characters */
#define NGX_HTTP_PROMPT_EMAIL_LEN        1280

/* the longest text of a network */
#define NGX_HTTP_PROMPT_NETWORK_LEN      NGX_SOCKADDR_STRLEN


/* what a guess is counted for */
typedef enum {
    NGX_HTTP_PROMPT_GUESSES_ACCOUNT = 0,         /* from anywhere */
    NGX_HTTP_PROMPT_GUESSES_ADDRESS,             /* of IPv6: 64 bits of it */
    NGX_HTTP_PROMPT_GUESSES_NET_56,              /* of IPv6 */
    NGX_HTTP_PROMPT_GUESSES_NET_48,
    NGX_HTTP_PROMPT_GUESSES_KNOWN,               /* the account from there */
    NGX_HTTP_PROMPT_GUESSES_KNOWN_THERE,         /* all known at an address */
    NGX_HTTP_PROMPT_GUESSES_COUNTS
} ngx_http_prompt_guesses_count_e;


typedef struct {
    uint8_t     keys[NGX_HTTP_PROMPT_GUESSES_COUNTS][PROMPT_GUESSES_KEY];
    unsigned    ipv6:1;
    unsigned    local:1;             /* "unix:": anybody's */
    unsigned    known:1;             /* its user has signed in from there */
} ngx_http_prompt_guess_t;


/* Adds the zone; while the configuration is read.  NULL: memory. */
ngx_shm_zone_t *ngx_http_prompt_guessing_zone(ngx_conf_t *cf, void *tag);

/*
 * Writes what names the network of a client, without NUL; returns its length:
 * the address, of IPv6 its first 64 bits, unless these map one of IPv4.
 */
size_t ngx_http_prompt_guessing_network(ngx_connection_t *c,
    char out[NGX_HTTP_PROMPT_NETWORK_LEN]);

/* A guess, of nobody known yet.  account: an e-mail, in any case (ASCII). */
void ngx_http_prompt_guessing_of(ngx_shm_zone_t *zone,
    ngx_http_prompt_guess_t *guess, prompt_str_t account,
    prompt_str_t network);

/*
 * What PostgreSQL said: known, and whether anybody is from that address.  What
 * it said no of is kept, until it is forgotten.
 */
void ngx_http_prompt_guessing_told(ngx_shm_zone_t *zone,
    ngx_http_prompt_guess_t *guess, ngx_uint_t known, ngx_uint_t visited);
void ngx_http_prompt_guessing_forget(ngx_shm_zone_t *zone,
    const ngx_http_prompt_guess_t *guess);

/* whether it is sure, without asking, that it is of nobody known */
ngx_uint_t ngx_http_prompt_guessing_strange(ngx_shm_zone_t *zone,
    const ngx_http_prompt_guess_t *guess);

/* Whether it would be looked at: as begin does, without beginning. */
prompt_guesses_e ngx_http_prompt_guessing_look(ngx_shm_zone_t *zone,
    const ngx_http_prompt_guess_t *guess, uint32_t *wait);

/*
 * Begins a guess where one may be looked at, and then it is to be ended.
 * FULL: *wait is in seconds.
 */
prompt_guesses_e ngx_http_prompt_guessing_begin(ngx_shm_zone_t *zone,
    const ngx_http_prompt_guess_t *guess, uint32_t *wait);
void ngx_http_prompt_guessing_end(ngx_shm_zone_t *zone,
    const ngx_http_prompt_guess_t *guess, ngx_uint_t wrong);

#endif /* NGX_HTTP_PROMPT_GUESSING_H */
