/*
 * promptctl key: API keys.
 */

#define _DEFAULT_SOURCE  1                   /* explicit_bzero() */

#include <stdio.h>

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


static unsigned ctl_key_scopes(const ctl_t *ctl);
static prompt_maybe_t ctl_key_expiry(const ctl_t *ctl);
static void ctl_key_make(ctl_t *ctl, ctl_postgres_t *pg,
    prompt_api_key_t new);
static json_t *ctl_key_json(const ctl_t *ctl, const ctl_postgres_t *pg,
    unsigned row);


int
ctl_key_add(ctl_t *ctl)
{
    prompt_uuid_t     user;
    ctl_postgres_t    pg;
    prompt_api_key_t  new;

    memset(&new, 0, sizeof(prompt_api_key_t));

    new.name = prompt_str_from(ctl_given(ctl, "name"));

    if (new.name.data == NULL) {
        ctl_wrong(ctl, "--name NAME is required: 1 to %d characters",
                  PROMPT_LIMIT_KEY_NAME);
    }

    ctl_label(ctl, "name", PROMPT_LIMIT_KEY_NAME);
    new.scopes = ctl_key_scopes(ctl);
    new.expires_at = ctl_key_expiry(ctl);

    ctl_postgres_open_schema(&pg, ctl);

    user = ctl_user_find(&pg, ctl->arguments[0]);
    new.user_id = ctl_uuid_view(&user);
    new.project_id = new.user_id;

    ctl_key_make(ctl, &pg, new);
    ctl_postgres_close(&pg);

    return CTL_OK;
}


static unsigned
ctl_key_scopes(const ctl_t *ctl)
{
    size_t       i, bit;
    unsigned     scopes;
    const char  *scope;

    i = 0;
    scopes = 0;

    while ((scope = ctl_given_next(ctl, "scope", &i)) != NULL) {

        for (bit = 0; bit < CTL_SCOPES; bit++) {
            if (strcmp(scope, ctl_scope_names[bit]) == 0) {
                scopes |= 1u << bit;
                break;
            }
        }

        if (bit == CTL_SCOPES) {
            ctl_wrong(ctl, "--scope must be read, write, execute or keys, not "
                      "\"%s\"", scope);
        }
    }

    return scopes;
}


/* a moment, a day (its beginning), or a time from now with its unit */
static prompt_maybe_t
ctl_key_expiry(const ctl_t *ctl)
{
    int64_t      time;
    const char  *text;

    text = ctl_given(ctl, "expires");

    if (text == NULL) {
        return prompt_maybe_unknown;
    }

    if (!ctl_moment(text, 1, &time)) {
        ctl_wrong(ctl, "--expires must be a date (2027-01-31T00:00:00Z) or a "
                  "time from now (90d), not \"%s\"", text);
    }

    if (time <= ctl_now_ms() * 1000) {
        ctl_wrong(ctl, "--expires %s is not in the future", text);
    }

    return prompt_maybe(time);
}


/* Makes the rest of a key, stores it, and prints it once. */
static void
ctl_key_make(ctl_t *ctl, ctl_postgres_t *pg, prompt_api_key_t new)
{
    char           key[PROMPT_KEY_LEN], hint[PROMPT_KEY_HINT_LEN];
    uint8_t        random[PROMPT_KEY_RANDOM_LEN], hash[PROMPT_KEY_HASH_LEN];
    prompt_str_t   text;
    prompt_uuid_t  id;

    id = ctl_uuid();
    ctl_random(random, sizeof(random));

    text = prompt_str_of(key, sizeof(key));

    prompt_key_make(random, PROMPT_KEY, key);
    prompt_key_hash(text, hash);
    prompt_key_hint(text, hint);

    new.id = ctl_uuid_view(&id);
    new.hash = prompt_str_of((char *) hash, sizeof(hash));
    new.hint = prompt_str_of(hint, sizeof(hint));

    ctl_postgres_query(pg, prompt_api_key_create(&pg->query, &new));

    if (pg->rows[0].count == 0) {
        ctl_fail("the user %s is disabled: nobody has a key of theirs",
                 ctl->arguments[0]);
    }

    if (ctl->json) {
        ctl_print_json(ctl_json(json_pack("{s:o, s:o}",
                                          "key", ctl_json_text(text),
                                          "apiKey",
                                          ctl_key_json(ctl, pg, 0))));
    } else {
        (void) printf("%.*s\n", prompt_str_arg(text));
    }

    explicit_bzero(random, sizeof(random));
    explicit_bzero(key, sizeof(key));
}


int
ctl_key_list(ctl_t *ctl)
{
    json_t          *key;
    unsigned         i;
    ctl_list_t       list;
    prompt_uuid_t    user;
    ctl_postgres_t   pg;

    static const ctl_column_t  columns[] = {
        { "ID", "id", NULL, NULL },
        { "NAME", "name", NULL, NULL },
        { "HINT", "hint", NULL, NULL },
        { "SCOPES", "scopes", NULL, "all" },
        { "CREATED", "createdAt", NULL, NULL },
        { "EXPIRES", "expiresAt", NULL, "never" },
        { "USED", "lastUsedAt", NULL, "never" },
        { NULL, NULL, NULL, NULL }
    };

    ctl_postgres_open_schema(&pg, ctl);

    user = ctl_user_find(&pg, ctl->arguments[0]);
    ctl_postgres_query(&pg, prompt_api_key_list(&pg.query,
                                                ctl_uuid_view(&user)));

    ctl_list_begin(&list, ctl, columns);

    for (i = 0; i < pg.rows[0].count; i++) {
        key = ctl_key_json(ctl, &pg, i);
        ctl_list_add(&list, key);
        json_decref(key);
    }

    ctl_list_print(&list);
    ctl_postgres_close(&pg);

    return CTL_OK;
}


static json_t *
ctl_key_json(const ctl_t *ctl, const ctl_postgres_t *pg, unsigned row)
{
    size_t             bit;
    json_t            *scopes;
    prompt_api_key_t   key;

    prompt_api_key_row(&pg->rows[0], row, &key);
    scopes = ctl_json(json_array());

    for (bit = 0; bit < CTL_SCOPES; bit++) {
        if ((key.scopes & (1u << bit)) != 0) {
            ctl_json_append(scopes, json_string(ctl_scope_names[bit]));
        }
    }

    return ctl_json(json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "id", ctl_json_text(ctl_uuid_text(ctl->arena, key.id)),
                     "name", ctl_json_text(key.name),
                     "hint", ctl_json_text(key.hint),
                     "scopes", scopes,
                     "createdAt", ctl_json_time(true, key.created_at),
                     "expiresAt", ctl_json_time(key.expires_at.known,
                                                key.expires_at.value),
                     "lastUsedAt", ctl_json_time(key.last_used_at.known,
                                                 key.last_used_at.value)));
}


int
ctl_key_delete(ctl_t *ctl)
{
    int64_t         wait;
    ctl_redis_t     redis;
    prompt_str_t    hash;
    prompt_uuid_t   id;
    ctl_postgres_t  pg;

    wait = ctl_revoke_wait(ctl);
    ctl_redis_configure(&redis, ctl);

    if (!prompt_uuid_parse(prompt_str_from(ctl->arguments[0]), &id)) {

        /* maybe the key itself: not to be repeated */

        ctl_fail("not the id of a key: \"promptctl key list\" shows the ids");
    }

    ctl_postgres_open_schema(&pg, ctl);
    ctl_postgres_query(&pg, prompt_api_key_delete_any(&pg.query,
                                                      ctl_uuid_view(&id)));

    hash = prompt_api_key_delete_row(&pg.rows[0]);

    if (hash.data == NULL) {
        ctl_fail("there is no key %s", ctl->arguments[0]);
    }

    hash = ctl_copy(ctl, hash);
    ctl_postgres_close(&pg);

    ctl_revoke(ctl, &redis, &hash, 1, wait);

    return CTL_OK;
}
