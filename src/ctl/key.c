/*
 * promptctl key: API keys.
 */

#define _DEFAULT_SOURCE  1                   /* explicit_bzero() */

#include <stdio.h>

#include "base/time.h"
#include "ctl/output.h"
#include "ctl/revoke.h"
#include "ctl/user.h"
#include "prompt/key.h"
#include "prompt/limits.h"
#include "store/api_key.h"


#define CTL_SCOPES  4


static const char *const  ctl_scope_names[CTL_SCOPES] = {
    "read", "write", "execute", "keys"       /* bits from 0 on */
};


static int ctl_key_scopes(const ctl_t *ctl, unsigned *scopes);
static int ctl_key_expiry(const ctl_t *ctl, prompt_maybe_t *expires_at);
static int ctl_key_add_to(ctl_t *ctl, ctl_postgres_t *pg,
    const prompt_api_key_t *wanted);
static int ctl_key_print_new(ctl_t *ctl, ctl_postgres_t *pg,
    prompt_str_t key);
static int ctl_key_list_from(ctl_t *ctl, ctl_postgres_t *pg);
static void ctl_key_json(ctl_output_t *out, const prompt_api_key_t *key);
static prompt_str_t ctl_key_scopes_text(prompt_arena_t *arena,
    unsigned scopes);
static int ctl_key_mark(ctl_t *ctl, const prompt_uuid_t *id,
    uint8_t hash[PROMPT_API_KEY_HASH_LEN]);


int
ctl_key_add(ctl_t *ctl)
{
    int               rc;
    prompt_uuid_t     user;
    ctl_postgres_t    pg;
    prompt_api_key_t  new;

    memset(&new, 0, sizeof(prompt_api_key_t));

    new.name = prompt_str_from(ctl_given(ctl, "name"));

    if (new.name.data == NULL) {
        return ctl_wrong(ctl, "--name NAME is required: 1 to %d characters",
                         PROMPT_LIMIT_KEY_NAME);
    }

    rc = ctl_label(ctl, "name", PROMPT_LIMIT_KEY_NAME);

    if (rc == CTL_OK) {
        rc = ctl_key_scopes(ctl, &new.scopes);
    }

    if (rc == CTL_OK) {
        rc = ctl_key_expiry(ctl, &new.expires_at);
    }

    if (rc != CTL_OK) {
        return rc;
    }

    rc = ctl_postgres_open_schema(&pg, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    rc = ctl_user_find(ctl, &pg, ctl->arguments[0], &user);

    if (rc == CTL_OK) {
        new.user_id = ctl_uuid_view(&user);
        rc = ctl_key_add_to(ctl, &pg, &new);
    }

    ctl_postgres_close(&pg);

    return rc;
}


static int
ctl_key_scopes(const ctl_t *ctl, unsigned *scopes)
{
    size_t       i, bit;
    const char  *scope;

    i = 0;
    *scopes = 0;

    while ((scope = ctl_given_next(ctl, "scope", &i)) != NULL) {

        for (bit = 0; bit < CTL_SCOPES; bit++) {
            if (strcmp(scope, ctl_scope_names[bit]) == 0) {
                *scopes |= 1u << bit;
                break;
            }
        }

        if (bit == CTL_SCOPES) {
            return ctl_wrong(ctl, "--scope must be read, write, execute or "
                             "keys, not \"%s\"", scope);
        }
    }

    return CTL_OK;
}


/* a moment, a day (its beginning), or a time from now with its unit */

static int
ctl_key_expiry(const ctl_t *ctl, prompt_maybe_t *expires_at)
{
    int64_t      time;
    const char  *text;

    text = ctl_given(ctl, "expires");

    if (text == NULL) {
        *expires_at = prompt_maybe_unknown;
        return CTL_OK;
    }

    if (!ctl_moment(text, 1, &time)) {
        return ctl_wrong(ctl, "--expires must be a date (2027-01-31T00:00:00Z) "
                         "or a time from now (90d), not \"%s\"", text);
    }

    if (time <= ctl_now_ms() * 1000) {
        return ctl_wrong(ctl, "--expires %s is not in the future", text);
    }

    *expires_at = prompt_maybe(time);

    return CTL_OK;
}


static int
ctl_key_add_to(ctl_t *ctl, ctl_postgres_t *pg,
    const prompt_api_key_t *wanted)
{
    int               rc;
    char              key[PROMPT_KEY_LEN], hint[PROMPT_KEY_HINT_LEN];
    uint8_t           random[PROMPT_KEY_RANDOM_LEN];
    uint8_t           hash[PROMPT_KEY_HASH_LEN];
    prompt_uuid_t     id;
    prompt_query_t    query;
    prompt_api_key_t  new;

    if (!ctl_uuid(&id) || !ctl_random(random, sizeof(random))) {
        return CTL_FAILED;
    }

    prompt_key_make(random, key);
    prompt_key_hash(prompt_str_of(key, sizeof(key)), hash);
    prompt_key_hint(prompt_str_of(key, sizeof(key)), hint);

    new = *wanted;
    new.id = ctl_uuid_view(&id);
    new.hash = prompt_str_of((char *) hash, sizeof(hash));
    new.hint = prompt_str_of(hint, sizeof(hint));

    query.arena = ctl->arena;
    query.count = 0;

    if (!prompt_api_key_create(&query, &new)) {
        rc = ctl_no_memory();

    } else if (!ctl_postgres_run(pg, &query)) {
        rc = ctl_postgres_failed(pg);

    } else {
        rc = ctl_key_print_new(ctl, pg, prompt_str_of(key, sizeof(key)));
    }

    explicit_bzero(random, sizeof(random));
    explicit_bzero(key, sizeof(key));

    return rc;
}


static int
ctl_key_print_new(ctl_t *ctl, ctl_postgres_t *pg, prompt_str_t key)
{
    ctl_output_t      out;
    prompt_api_key_t  row;

    if (!ctl->json) {
        (void) printf("%.*s\n", prompt_str_arg(key));
        return CTL_OK;
    }

    prompt_api_key_row(&pg->rows[0], 0, &row);

    ctl_output_init(&out);
    ctl_output_begin(&out, '{');
    ctl_output_name(&out, "key");
    ctl_output_string(&out, key);
    ctl_output_name(&out, "apiKey");
    ctl_key_json(&out, &row);
    ctl_output_end(&out, '}');

    return ctl_output_print(&out);
}


int
ctl_key_list(ctl_t *ctl)
{
    int             rc;
    ctl_postgres_t  pg;

    rc = ctl_postgres_open_schema(&pg, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    rc = ctl_key_list_from(ctl, &pg);

    ctl_postgres_close(&pg);

    return rc;
}


static int
ctl_key_list_from(ctl_t *ctl, ctl_postgres_t *pg)
{
    int                       rc;
    unsigned                  i;
    ctl_table_t               table;
    ctl_output_t              out;
    prompt_str_t              cells[7];
    prompt_uuid_t             user;
    prompt_query_t            query;
    prompt_api_key_t          key;
    static const char *const  titles[] = {
        "ID", "NAME", "HINT", "SCOPES", "CREATED", "EXPIRES", "USED"
    };

    rc = ctl_user_find(ctl, pg, ctl->arguments[0], &user);
    if (rc != CTL_OK) {
        return rc;
    }

    query.arena = ctl->arena;
    query.count = 0;

    if (!prompt_api_key_list(&query, ctl_uuid_view(&user))) {
        return ctl_no_memory();
    }

    if (!ctl_postgres_run(pg, &query)) {
        return ctl_postgres_failed(pg);
    }

    if (ctl->json) {
        ctl_output_init(&out);
        ctl_output_begin(&out, '[');

        for (i = 0; i < pg->rows[0].count; i++) {
            prompt_api_key_row(&pg->rows[0], i, &key);
            ctl_key_json(&out, &key);
        }

        ctl_output_end(&out, ']');

        return ctl_output_print(&out);
    }

    ctl_table_init(&table, ctl->arena, 7, titles);

    for (i = 0; i < pg->rows[0].count; i++) {
        prompt_api_key_row(&pg->rows[0], i, &key);

        cells[0] = ctl_uuid_text(ctl->arena, key.id);
        cells[1] = key.name;
        cells[2] = key.hint;
        cells[3] = ctl_key_scopes_text(ctl->arena, key.scopes);
        cells[4] = ctl_time_text(ctl->arena, key.created_at);
        cells[5] = key.expires_at.known
                   ? ctl_time_text(ctl->arena, key.expires_at.value)
                   : prompt_str("never");
        cells[6] = key.last_used_at.known
                   ? ctl_time_text(ctl->arena, key.last_used_at.value)
                   : prompt_str("never");

        ctl_table_line(&table, cells);
    }

    return ctl_table_print(&table);
}


static void
ctl_key_json(ctl_output_t *out, const prompt_api_key_t *key)
{
    size_t  bit;

    ctl_output_begin(out, '{');
    ctl_output_name(out, "id");
    ctl_output_uuid(out, key->id);
    ctl_output_name(out, "name");
    ctl_output_string(out, key->name);
    ctl_output_name(out, "hint");
    ctl_output_string(out, key->hint);
    ctl_output_name(out, "scopes");
    ctl_output_begin(out, '[');

    for (bit = 0; bit < CTL_SCOPES; bit++) {
        if ((key->scopes & (1u << bit)) != 0) {
            ctl_output_string(out, prompt_str_from(ctl_scope_names[bit]));
        }
    }

    ctl_output_end(out, ']');
    ctl_output_name(out, "createdAt");
    ctl_output_time(out, true, key->created_at);
    ctl_output_name(out, "expiresAt");
    ctl_output_time(out, key->expires_at.known, key->expires_at.value);
    ctl_output_name(out, "lastUsedAt");
    ctl_output_time(out, key->last_used_at.known, key->last_used_at.value);
    ctl_output_end(out, '}');
}


static prompt_str_t
ctl_key_scopes_text(prompt_arena_t *arena, unsigned scopes)
{
    size_t        bit;
    prompt_str_t  text;

    if (scopes == 0) {
        return prompt_str("all");
    }

    text = prompt_str("");

    for (bit = 0; bit < CTL_SCOPES; bit++) {

        if ((scopes & (1u << bit)) != 0) {
            text = prompt_arena_printf(arena, "%.*s%s%s",
                                       prompt_str_arg(text),
                                       text.len != 0 ? "," : "",
                                       ctl_scope_names[bit]);
        }
    }

    return text;
}


int
ctl_key_delete(ctl_t *ctl)
{
    int            rc;
    int64_t        wait;
    uint8_t        hash[PROMPT_API_KEY_HASH_LEN];
    ctl_redis_t    redis;
    prompt_uuid_t  id;

    rc = ctl_revoke_wait(ctl, &wait);
    if (rc != CTL_OK) {
        return rc;
    }

    rc = ctl_redis_configure(&redis, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    if (!prompt_uuid_parse(prompt_str_from(ctl->arguments[0]), &id)) {

        /* maybe the key itself: not to be repeated */

        ctl_error("not the id of a key: \"promptctl key list\" shows the ids");
        return CTL_FAILED;
    }

    rc = ctl_key_mark(ctl, &id, hash);
    if (rc != CTL_OK) {
        return rc;
    }

    ctl_revoke(ctl, &redis, hash, 1, wait);

    return CTL_OK;
}


static int
ctl_key_mark(ctl_t *ctl, const prompt_uuid_t *id,
    uint8_t hash[PROMPT_API_KEY_HASH_LEN])
{
    int             rc;
    prompt_str_t    found;
    prompt_query_t  query;
    ctl_postgres_t  pg;

    rc = ctl_postgres_open_schema(&pg, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    query.arena = ctl->arena;
    query.count = 0;

    if (!prompt_api_key_delete_any(&query, ctl_uuid_view(id))) {
        rc = ctl_no_memory();

    } else if (!ctl_postgres_run(&pg, &query)) {
        rc = ctl_postgres_failed(&pg);

    } else {
        found = prompt_api_key_delete_row(&pg.rows[0]);

        if (found.data == NULL) {
            ctl_error("there is no key %s", ctl->arguments[0]);
            rc = CTL_FAILED;

        } else {
            memcpy(hash, found.data, PROMPT_API_KEY_HASH_LEN);
        }
    }

    ctl_postgres_close(&pg);

    return rc;
}
