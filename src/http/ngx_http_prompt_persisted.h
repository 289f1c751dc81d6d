/*
 * Automatic persisted queries: documents that clients sent once and name by
 * their SHA-256 from then on.
 *
 * The store is shared by the workers of a host and bounded by its zone; the
 * least recently used document goes first.  It is no place to rely on: who
 * is told that a document is not there sends it again.
 *
 * A document is found by the hash of its own text and by nothing else, and
 * only after a key was accepted.  So nobody can put another text in its place,
 * and who can name it has it already: users may share the store.  Data never
 * goes into it, only documents do.
 */

#ifndef NGX_HTTP_PROMPT_PERSISTED_H
#define NGX_HTTP_PROMPT_PERSISTED_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/arena.h"
#include "base/sha256.h"


/* bytes of one document; a longer one is sent each time */
#define NGX_HTTP_PROMPT_PERSISTED_DOCUMENT  (64 * 1024)

/* what the store takes and gives back at a time */
#define NGX_HTTP_PROMPT_PERSISTED_BLOCK     1024


/* prompt_persisted_queries off | SIZE; */
char *ngx_http_prompt_persisted_zone(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);

/*
 * The document of that hash.  NGX_OK: a copy in arena; NGX_DECLINED: it is
 * not there; NGX_ERROR: memory is short.
 */
ngx_int_t ngx_http_prompt_persisted_find(ngx_shm_zone_t *zone,
    const uint8_t hash[PROMPT_SHA256_LEN], prompt_arena_t *arena,
    prompt_str_t *text);

/*
 * Keeps a document, whose hash the caller has made sure of, or marks it as
 * used.  Where it is too long, or the zone too small, nothing is kept.
 */
void ngx_http_prompt_persisted_add(ngx_shm_zone_t *zone,
    const uint8_t hash[PROMPT_SHA256_LEN], prompt_str_t text);

#endif /* NGX_HTTP_PROMPT_PERSISTED_H */
