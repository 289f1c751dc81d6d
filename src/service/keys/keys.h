/*
 * Keys: who an API key speaks for, and how that ends.
 *
 *   SHA-256 of the key
 *        │  look-up, one of a key and worker at a time
 *        ▼
 *   GETRANGE entry ─────── sound ────────────────────────────► known, unknown
 *        │ miss          │ Redis away, slow
 *        ▼               │
 *   SET lease token      │
 *        │ OK            │ no lease
 *        ▼               ▼
 *   row, will fill    row, will not fill
 *        │               │
 *        ▼               ▼
 *   EVAL fill ───────────────────────────────────────────────► known, unknown
 *
 * A request that finds a look-up of its key in flight waits for the next one,
 * which starts when that ends: it must not take an answer that was on its way
 * before it came, since that may be from before a revocation.
 *
 * An entry is written only by who holds the lease that was taken before the
 * row was read, and a revocation deletes entry and lease at once.  So a slow
 * look-up cannot bring a revoked key back.  (src/store/key_cache.h)
 */

#ifndef NGX_HTTP_PROMPT_KEYS_H
#define NGX_HTTP_PROMPT_KEYS_H

#include "io/ngx_http_prompt_postgres.h"
#include "io/ngx_http_prompt_redis_servers.h"
#include "metrics/metrics.h"
#include "store/role.h"


/* the keys of a worker: what is being looked up */
typedef struct ngx_http_prompt_keys_s  ngx_http_prompt_keys_t;

/* a request that waits for its key to be looked up */
typedef struct ngx_http_prompt_lookup_s  ngx_http_prompt_lookup_t;


typedef struct {
    u_char        user_id[16];       /* the person */
    u_char        project_id[16];    /* in which the person acts: whose prompts
                                        and executions are its own */
    u_char        key_id[16];
    u_char        trusted[16];       /* of a session that somebody trusted said
                                        whose it is: the e-mail's; or zero */
    prompt_role_e  role;             /* of the person in the project */
    ngx_uint_t    scopes;            /* PROMPT_KEY_SCOPE_…; 0: all of a key;
                                        ..._SESSION: it is a session */
    int64_t       expires_at;        /* ms since 1970; 0: never */
    uint64_t      database;          /* that says so */
    bool          budgets;           /* there may be some of the key, or of the
                                        project: calls reserve what they cost */
} ngx_http_prompt_identity_t;


typedef enum {
    NGX_HTTP_PROMPT_KEY_KNOWN = 0,
    NGX_HTTP_PROMPT_KEY_REFUSED,
    NGX_HTTP_PROMPT_KEY_UNAVAILABLE  /* nobody could say: try again later */
} ngx_http_prompt_key_result_e;


/*
 * Told once how it ended; identity only where that is KNOWN.  Posted requests
 * are run after it.
 */
typedef void (*ngx_http_prompt_known_pt)(void *data,
    ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity);

typedef void (*ngx_http_prompt_revoked_pt)(void *data);


/*
 * For init_process.  redis may be NULL: every key is then read from
 * PostgreSQL.  prefix: of the names in Redis; valid, unknown: in seconds, how
 * long an entry lives; database: as for ..._enter().  NULL when memory is
 * short.
 */
ngx_http_prompt_keys_t *ngx_http_prompt_keys_create(ngx_cycle_t *cycle,
    ngx_http_prompt_redis_servers_t *redis,
    ngx_http_prompt_postgres_t *postgres, ngx_http_prompt_metrics_t *metrics,
    ngx_str_t *prefix, time_t valid, time_t unknown, uint64_t database);

/* For exit_process; nobody is told.  NULL is allowed. */
void ngx_http_prompt_keys_destroy(ngx_http_prompt_keys_t *keys);

/*
 * Looks up a key, by its SHA-256, for the request r.  project: 16 bytes, in
 * which a session acts; NULL: in its own, as keys do.  done is called once,
 * never from inside this call, unless cancelled.  NULL: memory is short, done
 * is not called.
 */
ngx_http_prompt_lookup_t *ngx_http_prompt_keys_lookup(
    ngx_http_prompt_keys_t *keys, ngx_http_request_t *r, const uint8_t *hash,
    const u_char *project, ngx_http_prompt_known_pt done, void *data);

/* The request goes away: done is not called. */
void ngx_http_prompt_keys_cancel(ngx_http_prompt_lookup_t *lookup);

/*
 * The row of a key (its SHA-256) was marked as deleted and committed: sees to
 * it that no request that is sent after done() is let in with it, on any
 * worker or host.  At once where Redis answers, otherwise when all entries
 * have run out.  done may be called from inside this call.  NGX_ERROR: memory
 * is short, done is not called; entries run out by themselves.
 */
ngx_int_t ngx_http_prompt_keys_revoke(ngx_http_prompt_keys_t *keys,
    const uint8_t *hash, ngx_http_prompt_revoked_pt done, void *data);

/*
 * The same for n of them at once; hashes, 32 bytes each, are copied.  done is
 * called when that is so of all.
 */
ngx_int_t ngx_http_prompt_keys_revoke_all(ngx_http_prompt_keys_t *keys,
    const uint8_t *hashes, size_t n, ngx_http_prompt_revoked_pt done,
    void *data);

/*
 * Which database it is (store/schema_version.h), 0: not known yet.  Until it
 * is, every key is read from PostgreSQL; what was known of another one counts
 * no more.
 */
void ngx_http_prompt_keys_enter(ngx_http_prompt_keys_t *keys,
    uint64_t database);
uint64_t ngx_http_prompt_keys_database(const ngx_http_prompt_keys_t *keys);

/* of the names in Redis */
prompt_str_t ngx_http_prompt_keys_prefix(const ngx_http_prompt_keys_t *keys);

#endif /* NGX_HTTP_PROMPT_KEYS_H */
