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


static unsigned ctl_key_scopes(const ctl_t *ctl);
static prompt_maybe_t ctl_key_expiry(const ctl_t *ctl);
static prompt_uuid_t ctl_key_project(ctl_t *ctl, ctl_postgres_t *pg,
    prompt_str_t user);
static void ctl_key_make(ctl_t *ctl, ctl_postgres_t *pg,
    prompt_api_key_t new);
static json_t *ctl_key_json(const ctl_t *ctl, const ctl_postgres_t *pg,
    unsigned row);


int
ctl_key_add(ctl_t *ctl)
{
    prompt_uuid_t     user, project;
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
    project = ctl_key_project(ctl, &pg, new.user_id);
    new.project_id = ctl_uuid_view(&project);

    ctl_key_make(ctl, &pg, new);
    ctl_postgres_close(&pg);

    return CTL_OK;
}


/* the personal one, or one that the user is a member of */
static prompt_uuid_t
ctl_key_project(ctl_t *ctl, ctl_postgres_t *pg, prompt_str_t user)
{
    const char     *given;
    prompt_str_t    id;
    prompt_uuid_t   project;

    id = user;
    given = ctl_given(ctl, "project");

    if (given != NULL) {
        ctl_postgres_query(pg,
            prompt_api_key_projects(&pg->query, user, prompt_str_from(given)));

        if (pg->rows[0].count != 1) {
            ctl_fail("%s is a member of %s project \"%s\"%s",
                     ctl->arguments[0], pg->rows[0].count == 0 ? "no"
                                        : "more than one", given,
                     pg->rows[0].count == 0 ? "" : ": give its id");
        }

        id = prompt_rows_cell(&pg->rows[0], 0, 0);
    }

    memcpy(project.bytes, id.data, sizeof(project.bytes));

    return project;
}


static unsigned
ctl_key_scopes(const ctl_t *ctl)
{
    size_t       i;
    unsigned     scopes, bit;
    const char  *scope;

    i = 0;
    scopes = 0;

    while ((scope = ctl_given_next(ctl, "scope", &i)) != NULL) {

        bit = prompt_key_scope(prompt_str_from(scope));

        if (bit == 0) {
            ctl_wrong(ctl, "--scope must be read, write, execute, keys, admin "
                      "or promote, not \"%s\"", scope);
        }

        scopes |= bit;
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

    switch (prompt_api_key_made(&pg->rows[0])) {

    case PROMPT_OUTCOME_DONE:
        break;

    case PROMPT_OUTCOME_TOO_MANY:
        ctl_fail("the project has %d keys already", PROMPT_KEYS_MAX);

    default:
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
        { "PROJECT", "project", NULL, NULL },
        { "CREATED", "createdAt", NULL, NULL },
        { "EXPIRES", "expiresAt", NULL, "never" },
        { "USED", "lastUsedAt", NULL, "never" },
        { NULL, NULL, NULL, NULL }
    };

    ctl_postgres_open_schema(&pg, ctl);

    user = ctl_user_find(&pg, ctl->arguments[0]);
    ctl_postgres_query(&pg, prompt_api_key_list_any(&pg.query,
                                                    ctl_uuid_view(&user)));

    ctl_list_begin(&list, ctl, columns);

    for (i = 0; i < pg.rows[0].count; i++) {
        key = ctl_key_json(ctl, &pg, i);
        ctl_json_set(key, "project",
                     ctl_json_text(prompt_api_key_project(&pg.rows[0], i)));
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
    json_t                    *scopes;
    prompt_api_key_t           key;
    const prompt_key_scope_t  *scope;

    prompt_api_key_row(&pg->rows[0], row, &key);
    scopes = ctl_json(json_array());

    for (scope = prompt_key_scopes; scope->bit != 0; scope++) {
        if ((key.scopes & scope->bit) != 0) {
            ctl_json_append(scopes, ctl_json_text(scope->name));
        }
    }

    return ctl_json(json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "id", ctl_json_text(ctl_uuid_text(ctl->arena, key.id)),
                     "name", ctl_json_text(key.name),
                     "hint", ctl_json_text(key.hint),
                     "scopes", scopes,
                     "projectId",
                     ctl_json_text(ctl_uuid_text(ctl->arena, key.project_id)),
                     "createdAt", ctl_json_time(true, key.created_at),
                     "expiresAt", ctl_json_time(key.expires_at.known,
                                                key.expires_at.value),
                     "lastUsedAt", ctl_json_time(key.last_used_at.known,
                                                 key.last_used_at.value)));
}


int
ctl_key_delete(ctl_t *ctl)
{
    size_t           i, n;
    int64_t          wait;
    ctl_redis_t      redis;
    prompt_str_t     all, *hashes;
    prompt_uuid_t    id;
    ctl_postgres_t   pg;

    wait = ctl_revoke_wait(ctl);
    ctl_redis_configure(&redis, ctl);

    if (!prompt_uuid_parse(prompt_str_from(ctl->arguments[0]), &id)) {

        /* maybe the key itself: not to be repeated */

        ctl_fail("not the id of a key: \"promptctl key list\" shows the ids");
    }

    ctl_postgres_open_schema(&pg, ctl);
    ctl_postgres_query(&pg, prompt_api_key_delete(&pg.query,
                                                  ctl_uuid_view(&id),
                                                  prompt_str_absent));

    if (prompt_api_key_delete_row(pg.rows) != PROMPT_OUTCOME_DONE) {
        ctl_fail("there is no key %s", ctl->arguments[0]);
    }

    all = prompt_api_key_hashes(pg.rows, ctl->arena);
    n = all.len / PROMPT_API_KEY_HASH_LEN;
    hashes = prompt_arena_array(ctl->arena, n, sizeof(prompt_str_t));

    if (all.data == NULL || hashes == NULL) {
        ctl_no_memory();
    }

    for (i = 0; i < n; i++) {
        hashes[i] = prompt_str_of(all.data + i * PROMPT_API_KEY_HASH_LEN,
                                  PROMPT_API_KEY_HASH_LEN);
    }

    ctl_postgres_close(&pg);

    ctl_revoke(ctl, &redis, hashes, n, wait);

    return CTL_OK;
}
