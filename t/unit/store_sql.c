/*
 * Every statement of the store against a real PostgreSQL, through
 * prompt_query_t, in binary formats.
 */

#include "store/api_key.h"
#include "store_db.h"


/* nested levels, characters outside ASCII, numbers as sent, spaces kept */
#define PARAMS  "{\"b\":1.10, \"a\": 1e2,\n\"é\":\"\\u00e9\",\"a2\":[]}"
#define SCHEMA  "{ \"type\":\"object\" }"
#define CALLS   "[{\"id\":\"1\",\"name\":\"f\",\"arguments\":\"{}\"}]"


#define PROMPT_BIT(member)                                                   \
    prompt_bit(&prompt_prompt_resource, prompt_record_t, member)
#define VERSION_BIT(member)                                                  \
    prompt_bit(&prompt_version_resource, prompt_version_t, member)
#define EXECUTION_BIT(member)                                                \
    prompt_bit(&prompt_execution_resource, prompt_execution_t, member)


static prompt_uuid_t  ann, bob;


static bool
same_id(prompt_str_t view, const prompt_uuid_t *id)
{
    return prompt_str_eq(view, ctl_uuid_view(id));
}


static prompt_range_t
range_id(const prompt_uuid_t *caller, const prompt_uuid_t *id)
{
    prompt_range_t  range;

    memset(&range, 0, sizeof(range));
    range.kind = PROMPT_RANGE_ID;
    range.caller = ctl_uuid_view(caller);
    range.id = ctl_uuid_view(id);

    return range;
}


static prompt_range_t
range_name(const prompt_uuid_t *caller, const char *name)
{
    prompt_range_t  range;

    memset(&range, 0, sizeof(range));
    range.kind = PROMPT_RANGE_NAME;
    range.caller = ctl_uuid_view(caller);
    range.name = prompt_str_from(name);

    return range;
}


static prompt_range_t
range_list(const prompt_uuid_t *caller)
{
    prompt_range_t  range;

    memset(&range, 0, sizeof(range));
    range.kind = PROMPT_RANGE_LIST;
    range.caller = ctl_uuid_view(caller);

    return range;
}


static void
test_schema_version(void)
{
    int64_t  version;

    ok(db_run(prompt_schema_version(&query)), "schema version");
    ok(prompt_schema_version_row(&pg.rows[0], &version) == PROMPT_SCHEMA_FITS
       && version == PROMPT_SCHEMA_VERSION,
       "is the one of this program");
}


static void
test_users(void)
{
    prompt_user_t  user;
    prompt_uuid_t  id;

    id = db_uuid();

    ok(db_run(prompt_user_add(&query, ctl_uuid_view(&id),
                              prompt_str("Ann@Example.org"),
                              prompt_str("Ann Ó"))), "a user");
    is_int(pg.rows[0].count, 1, "added");
    prompt_user_row(&pg.rows[0], 0, &user);
    ok(same_id(user.id, &id), "its id");
    is_str(user.email, "Ann@Example.org", "its e-mail as given");
    is_str(user.name, "Ann Ó", "its name");
    ok(user.created_at / 1000 * 1000 == user.created_at
       && llabs(user.created_at / 1000 - ctl_now_ms()) < 5000,
       "created now, by the time in the id");

    ann = id;
    id = db_uuid();

    ok(db_run(prompt_user_add(&query, ctl_uuid_view(&id),
                              prompt_str("ann@example.ORG"),
                              prompt_str_absent))
       && pg.rows[0].count == 0, "the same e-mail in another case is taken");

    bob = db_user("bob@example.org");

    ok(db_run(prompt_user_by_email(&query, prompt_str("ANN@example.org")))
       && pg.rows[0].count == 1, "found by e-mail, regardless of case");

    ok(db_run(prompt_user_by_id(&query, ctl_uuid_view(&bob)))
       && pg.rows[0].count == 1, "found by id");
    prompt_user_row(&pg.rows[0], 0, &user);
    is_str(user.email, "bob@example.org", "the right one");
    is_str(user.name, NULL, "without a name");

    ok(db_run(prompt_user_list(&query)) && pg.rows[0].count == 2, "listed");
    prompt_user_row(&pg.rows[0], 0, &user);
    ok(same_id(user.id, &ann), "the oldest first");

    id = db_uuid();
    query.count = 0;
    ok(prompt_user_add(&query, ctl_uuid_view(&id), prompt_str("no address"),
                       prompt_str_absent)
       && !ctl_postgres_run(&pg, &query)
       && pg.status == PROMPT_SQL_INVALID, "the schema knows an e-mail");
    query.count = 0;
}


/* how many hashes a deletion gives; 0: none, and the outcome is that */
static unsigned
key_deleted(const prompt_uuid_t *id, const prompt_uuid_t *project,
    prompt_outcome_t outcome)
{
    prompt_str_t  hashes;

    if (!db_run(prompt_api_key_delete(&query, ctl_uuid_view(id),
                                      project != NULL ? ctl_uuid_view(project)
                                                      : prompt_str_absent))
        || prompt_api_key_delete_row(pg.rows) != outcome)
    {
        return 100;
    }

    hashes = prompt_api_key_hashes(pg.rows, query.arena);

    return (unsigned) (hashes.len / PROMPT_API_KEY_HASH_LEN);
}


static void
test_keys(void)
{
    char                   hash[32];
    prompt_str_t           hashes;
    prompt_uuid_t          first, second, third;
    prompt_actor_t         actor;
    prompt_api_key_t       key;
    prompt_api_key_t       new;
    prompt_api_key_auth_t  auth;

    first = db_uuid();
    second = db_uuid();
    third = db_uuid();
    memset(hash, 0x81, sizeof(hash));
    actor = pg.actor;
    actor.user_id = ctl_uuid_view(&ann);
    query.actor = &actor;
    hash[0] = 0;

    memset(&new, 0, sizeof(new));
    new.id = ctl_uuid_view(&first);
    new.user_id = ctl_uuid_view(&ann);
    new.hash = prompt_str_of(hash, sizeof(hash));
    new.name = prompt_str("first");
    new.hint = prompt_str("pmt_AbCd…wXyZ");
    new.scopes = PROMPT_KEY_SCOPE_READ | PROMPT_KEY_SCOPE_KEYS;
    new.expires_at = prompt_maybe(INT64_C(1893456000123456));

    ok(db_run(prompt_api_key_create(&query, &new)) && pg.rows[0].count == 1,
       "a key");
    prompt_api_key_row(&pg.rows[0], 0, &key);
    ok(same_id(key.id, &first), "its id");
    is_str(key.name, "first", "its name");
    is_str(key.hint, "pmt_AbCd…wXyZ", "its hint");
    is_int(key.scopes, PROMPT_KEY_SCOPE_READ | PROMPT_KEY_SCOPE_KEYS,
           "its scopes");
    ok(key.expires_at.known, "it expires");
    is_int(key.expires_at.value, INT64_C(1893456000123456), "at that time");

    ok(db_run(prompt_api_key_by_hash(&query, new.hash, prompt_str_absent))
       && pg.rows[0].count == 1, "found by its hash");
    prompt_api_key_auth_row(&pg.rows[0], 0, &auth);
    ok(same_id(auth.id, &first) && same_id(auth.user_id, &ann)
       && auth.scopes == 9 && auth.expires_at.value == 1893456000123456,
       "with all that authentication needs");

    query.count = 0;
    new.id = ctl_uuid_view(&second);
    ok(prompt_api_key_create(&query, &new) && !ctl_postgres_run(&pg, &query)
       && pg.status == PROMPT_SQL_DUPLICATE, "a hash is there once");

    query.count = 0;
    hash[0] = 1;
    new.name = prompt_str("second");
    new.scopes = 0;
    new.expires_at = prompt_maybe_unknown;
    actor.key_id = ctl_uuid_view(&first);
    ok(db_run(prompt_api_key_create(&query, &new)), "another, by the first");

    ok(db_run(prompt_api_key_list(&query, ctl_uuid_view(&ann), 10,
                                  prompt_str_absent))
       && pg.rows[0].count == 2, "both are listed");
    prompt_api_key_row(&pg.rows[0], 0, &key);
    ok(same_id(key.id, &second) && !key.expires_at.known && key.scopes == 0,
       "the newest first");
    ok(same_id(key.parent_id, &first) && same_id(key.user_id, &ann)
       && same_id(key.project_id, &ann), "with what made it, who and where");

    ok(db_run(prompt_api_key_list(&query, ctl_uuid_view(&ann), 10,
                                  ctl_uuid_view(&second)))
       && pg.rows[0].count == 1
       && db_run(prompt_api_key_list(&query, ctl_uuid_view(&ann), 1,
                                     prompt_str_absent))
       && pg.rows[0].count == 1, "pages of them");

    ok(db_run(prompt_api_key_list(&query, ctl_uuid_view(&bob), 10,
                                  prompt_str_absent))
       && pg.rows[0].count == 0, "none of another project");

    is_int(key_deleted(&second, &bob, PROMPT_OUTCOME_NOT_FOUND), 0,
           "nor is it deleted there");

    actor.user_id = ctl_uuid_view(&bob);
    ok(db_run(prompt_api_key_list(&query, ctl_uuid_view(&ann), 10,
                                  prompt_str_absent))
       && pg.rows[0].count == 0, "those of others are not shown");
    is_int(key_deleted(&second, &ann, PROMPT_OUTCOME_FORBIDDEN), 0,
           "nor deleted");

    actor.admin = true;
    ok(db_run(prompt_api_key_list(&query, ctl_uuid_view(&ann), 10,
                                  prompt_str_absent))
       && pg.rows[0].count == 2, "but for an ADMIN");
    is_int(key_deleted(&second, &ann, PROMPT_OUTCOME_DONE), 1,
           "who deletes them");

    actor.admin = false;
    actor.user_id = ctl_uuid_view(&ann);
    ok(db_run(prompt_api_key_delete(&query, ctl_uuid_view(&second),
                                    ctl_uuid_view(&ann))), "deleted again");
    hashes = prompt_api_key_hashes(pg.rows, query.arena);
    ok(prompt_str_eq(hashes, prompt_str_of(hash, sizeof(hash))),
       "it gives the hash again");

    ok(db_run(prompt_api_key_by_hash(&query, new.hash, prompt_str_absent))
       && pg.rows[0].count == 0, "nothing accepts it");
    ok(db_run(prompt_api_key_list(&query, ctl_uuid_view(&ann), 10,
                                  prompt_str_absent))
       && pg.rows[0].count == 1, "nothing lists it");

    hash[0] = 2;
    new.id = ctl_uuid_view(&third);
    actor.key_id = ctl_uuid_view(&second);
    ok(db_run(prompt_api_key_create(&query, &new)) && pg.rows[0].count == 0,
       "one that is deleted makes none");

    ok(db_script("UPDATE api_keys SET deleted_at = NULL")
       && db_run(prompt_api_key_create(&query, &new))
       && pg.rows[0].count == 1, "were it not, it would");

    query.actor = &pg.actor;
    ok(db_run(prompt_api_key_list_any(&query, ctl_uuid_view(&ann)))
       && pg.rows[0].count == 3, "an operator sees a user's");
    is_str(prompt_api_key_project(&pg.rows[0], 0), "Personal",
           "and in which project");
    ok(db_run(prompt_api_key_projects(&query, ctl_uuid_view(&ann),
                                      prompt_str("Personal")))
       && pg.rows[0].count == 1
       && same_id(prompt_rows_cell(&pg.rows[0], 0, 0), &ann)
       && db_run(prompt_api_key_projects(&query, ctl_uuid_view(&ann),
                                         prompt_str("Others'")))
       && pg.rows[0].count == 0, "and finds a user's project by its name");

    is_int(key_deleted(&first, NULL, PROMPT_OUTCOME_DONE), 3,
           "and deletes any key, with all that it made");

    /* of what was over long ago nothing is cached */

    ok(db_script("UPDATE api_keys SET deleted_at = now() - interval '2 min'"),
       "later");
    is_int(key_deleted(&first, NULL, PROMPT_OUTCOME_DONE), 1,
           "it alone is revoked again");
}


static void
test_create(void)
{
    prompt_uuid_t    id;
    prompt_range_t   range;
    prompt_record_t  prompt, record;

    id = db_uuid();

    memset(&prompt, 0, sizeof(prompt));
    prompt.id = ctl_uuid_view(&id);
    prompt.owner_id = ctl_uuid_view(&ann);
    prompt.name = prompt_str("sum-up");
    prompt.description = prompt_str(" 100% of it_\\ \r\n");
    prompt.category = prompt_str("SUMMARIZATION");
    prompt.is_public = true;

    ok(db_run(prompt_create(&query, &prompt)), "a prompt");
    is_int(prompt_changed_row(&pg.rows[0], &record), PROMPT_OUTCOME_DONE,
           "is created");
    ok(same_id(record.id, &id) && same_id(record.owner_id, &ann), "its ids");
    is_str(record.name, "sum-up", "its name");
    is_str(record.description, " 100% of it_\\ \r\n", "its description");
    is_str(record.category, "SUMMARIZATION", "its category");
    ok(record.is_public, "it is public");
    is_int(record.created_at, record.updated_at, "created is updated");
    is_int(record.created_at, prompt_id_time(record.id),
           "which is the time in its id");

    id = db_uuid();
    ok(db_run(prompt_create(&query, &prompt))
       && prompt_changed_row(&pg.rows[0], &record)
          == PROMPT_OUTCOME_NAME_TAKEN, "its name is taken");

    prompt.owner_id = ctl_uuid_view(&bob);
    ok(db_run(prompt_create(&query, &prompt))
       && prompt_changed_row(&pg.rows[0], &record) == PROMPT_OUTCOME_DONE,
       "for its owner only");

    range = range_name(&bob, "sum-up");
    ok(db_run(prompt_read(&query, &range, 0)) && pg.rows[0].count == 1,
       "found by name");
    prompt_row(prompt_statement_family(PROMPT_FAMILY_PROMPT_BY_NAME, 0),
               &pg.rows[0], 0, &record);
    ok(same_id(record.id, &id), "the right one");

    is_int(db_number("SELECT count(*) FROM prompts WHERE created_at <>"
                     " prompt_id_time(id) OR updated_at <> created_at"), 0,
           "created at the time in the id, to the millisecond");
}


static void
test_masks(void)
{
    bool                       right;
    prompt_mask_t              mask, most;
    prompt_uuid_t              id;
    prompt_range_t             range;
    prompt_record_t            all, some;
    const prompt_statement_t  *statement;

    id = db_prompt(&ann, "masks", true);
    range = range_id(&ann, &id);
    right = true;

    most = (UINT32_C(1) << prompt_prompt_resource.ncolumns) - 1;

    for (mask = 0; right && mask <= most; mask++) {

        query.count = 0;

        right = prompt_read(&query, &range, UINT32_MAX)
                && prompt_read(&query, &range, mask)
                && ctl_postgres_run(&pg, &query)
                && pg.rows[0].count == 1 && pg.rows[1].count == 1;

        if (!right) {
            break;
        }

        prompt_row(query.bound[0].statement, &pg.rows[0], 0, &all);

        statement = query.bound[1].statement;
        prompt_row(statement, &pg.rows[1], 0, &some);

        right = prompt_str_eq(all.id, some.id)
                && (unsigned) PQnfields(pg.results[1]) == statement->ncolumns
                && (statement->columns & mask) == mask
                && (!(mask & PROMPT_BIT(name))
                    || prompt_str_eq(some.name, all.name))
                && (!(mask & PROMPT_BIT(category))
                    || prompt_str_eq(some.category, all.category))
                && (!(mask & PROMPT_BIT(is_public))
                    || some.is_public == all.is_public)
                && some.created_at == all.created_at
                && (!(mask & PROMPT_BIT(updated_at))
                    || some.updated_at == all.updated_at)
                && (!(mask & PROMPT_BIT(owner_id))
                    || prompt_str_eq(some.owner_id, all.owner_id));
    }

    ok(right, "all combinations of a prompt's columns");
    query.count = 0;
}


static void
test_versions(void)
{
    int                        number, i;
    bool                       right;
    prompt_uuid_t              id, other, none;
    prompt_range_t             range;
    prompt_record_t            before, after;
    prompt_version_t           version;
    const prompt_statement_t  *statement;

    id = db_prompt(&ann, "versions", false);
    other = db_prompt(&ann, "versions-2", false);
    none = db_uuid();
    range = range_id(&ann, &id);

    ok(db_run(prompt_read(&query, &range, PROMPT_BIT(updated_at))), "read");
    prompt_row(prompt_statement_family(PROMPT_FAMILY_PROMPT_BY_ID,
                                       PROMPT_BIT(updated_at)),
               &pg.rows[0], 0, &before);

    right = true;

    for (i = 1; i <= 12; i++) {
        right = right
                && db_version(&ann, &id, " content\r\n{{x}} ", PARAMS,
                              i % 2 ? SCHEMA : NULL, &number)
                   == PROMPT_OUTCOME_DONE
                && number == i;
    }

    ok(right, "versions are numbered 1, 2, 3 …");

    is_int(db_version(&bob, &id, "x", "{}", NULL, NULL),
           PROMPT_OUTCOME_FORBIDDEN, "another user cannot add one");
    is_int(db_version(&ann, &none, "x", "{}", NULL, NULL),
           PROMPT_OUTCOME_NOT_FOUND, "nor to a prompt that is not there");

    ok(db_version(&ann, &other, "y", "[]", NULL, &number)
       == PROMPT_OUTCOME_DONE && number == 1, "each prompt counts by itself");

    ok(db_run(prompt_read(&query, &range, PROMPT_BIT(updated_at))), "read");
    prompt_row(prompt_statement_family(PROMPT_FAMILY_PROMPT_BY_ID,
                                       PROMPT_BIT(updated_at)),
               &pg.rows[0], 0, &after);
    ok(after.updated_at >= before.updated_at + 12000,
       "updated_at moves by what can be seen, with each");

    query.count = 0;
    ok(prompt_version_read(&query, &range, NULL, UINT32_MAX)
       && ctl_postgres_run(&pg, &query) && pg.rows[0].count == 12,
       "they are read");
    statement = query.bound[0].statement;
    right = true;

    for (i = 0; i < 12; i++) {
        prompt_version_row(statement, &pg.rows[0], (unsigned) i, &version);
        right = right && version.version == i + 1
                && same_id(version.prompt_id, &id);
    }

    ok(right, "in ascending order");

    prompt_version_row(statement, &pg.rows[0], 0, &version);
    is_str(version.content, " content\r\n{{x}} ", "content as it was sent");
    is_str(version.params, PARAMS, "params as they were sent");
    is_str(version.input_schema, SCHEMA, "the schema as it was sent");
    prompt_version_row(statement, &pg.rows[0], 1, &version);
    is_str(version.input_schema, NULL, "or none");

    query.count = 0;
    range = range_id(&bob, &id);
    ok(db_run(prompt_version_read(&query, &range, NULL, 0))
       && pg.rows[0].count == 0, "not by others");

    ok(db_run(prompt_read(&query, &range, 0)) && pg.rows[0].count == 1,
       "to others the prompt is there");
    prompt_row(prompt_statement_family(PROMPT_FAMILY_PROMPT_BY_ID, 0),
               &pg.rows[0], 0, &after);
    ok(!after.allowed, "but not allowed");

    range = range_id(&bob, &none);
    ok(db_run(prompt_read(&query, &range, 0)) && pg.rows[0].count == 0,
       "and where there is none, there is none");

    range = range_name(&ann, "versions");
    ok(db_run(prompt_version_read(&query, &range, NULL, 0))
       && pg.rows[0].count == 12, "by name, too");
}


/* How many prompts, versions and executions a list has, all in order. */

static bool
list_is(const prompt_range_t *range, unsigned prompts, unsigned versions)
{
    int                        last;
    bool                       right;
    unsigned                   i, p;
    prompt_record_t            record;
    prompt_version_t           version;
    const prompt_statement_t  *ps, *vs;

    query.count = 0;

    if (!prompt_read(&query, range, PROMPT_BIT(name))
        || !prompt_version_read(&query, range, NULL, VERSION_BIT(created_at))
        || !prompt_execution_read(&query, range, NULL, EXECUTION_BIT(status),
                                  10, prompt_str_absent, true)
        || !prompt_user_of_range(&query, range)
        || !ctl_postgres_run(&pg, &query))
    {
        diag("%s", pg.message);
        return false;
    }

    ps = query.bound[0].statement;
    vs = query.bound[1].statement;
    query.count = 0;

    right = pg.rows[0].count == prompts && pg.rows[1].count == versions
            && pg.rows[3].count == 1;

    if (!right) {
        diag("%u prompts, %u versions", pg.rows[0].count, pg.rows[1].count);
    }

    /* side by side: each version belongs to a prompt not before the last */

    p = 0;
    last = 0;

    for (i = 0; right && i < pg.rows[1].count; i++) {
        prompt_version_row(vs, &pg.rows[1], i, &version);

        for ( ;; ) {
            prompt_row(ps, &pg.rows[0], p, &record);

            if (prompt_str_eq(record.id, version.prompt_id)) {
                break;
            }

            if (++p == pg.rows[0].count) {
                return false;
            }

            last = 0;
        }

        right = version.version > last;
        last = version.version;
    }

    return right;
}


/* the same of an owner's prompts in which a text is found */
static bool
found_is(const prompt_uuid_t *owner, const char *text, unsigned prompts,
    unsigned versions)
{
    char            ids[16 * PROMPT_UUID_LEN];
    unsigned        i, n;
    prompt_str_t    id;
    prompt_range_t  range;

    range = range_list(owner);

    if (!db_run(prompt_search(&query, &range, prompt_str_from(text), 16))) {
        return false;
    }

    for (i = 0, n = 0; i < pg.rows[0].count; i++) {
        if (prompt_search_row(&pg.rows[0], i, &id)) {
            memcpy(ids + n++ * PROMPT_UUID_LEN, id.data, PROMPT_UUID_LEN);
        }
    }

    range.kind = PROMPT_RANGE_IDS;
    range.ids = prompt_str_of(ids, n * PROMPT_UUID_LEN);

    return pg.rows[0].count == 5 && list_is(&range, prompts, versions);
}


static void
test_list(void)
{
    int              i;
    char             name[32];
    prompt_uuid_t    carol, ids[5];
    prompt_range_t   range;
    prompt_record_t  change;

    carol = db_user("carol@example.org");

    for (i = 0; i < 5; i++) {
        (void) snprintf(name, sizeof(name), "list-%d", i);
        ids[i] = db_prompt(&carol, name, false);
        (void) db_version(&carol, &ids[i], "x", "{}", NULL, NULL);
        (void) db_version(&carol, &ids[i], "x", "{}", NULL, NULL);
    }

    memset(&change, 0, sizeof(change));
    change.description = prompt_str("50% OFF_Größe\\");
    change.category = prompt_str("ROUTING");
    ok(db_run(prompt_update(&query, ctl_uuid_view(&ids[1]),
                            ctl_uuid_view(&carol),
                            PROMPT_BIT(description) | PROMPT_BIT(category),
                            &change)), "one changed");

    range = range_list(&carol);
    ok(list_is(&range, 5, 10), "all of them, in one order on all levels");

    range.first = 2;
    ok(list_is(&range, 2, 4), "the first two");

    range.after = ctl_uuid_view(&ids[1]);
    ok(list_is(&range, 1, 2), "what comes after the second oldest");

    range = range_list(&carol);
    range.category = prompt_str("ROUTING");
    ok(list_is(&range, 1, 2), "of a category");

    ok(found_is(&carol, "LIST-", 5, 10), "search in names, in any case");
    ok(found_is(&carol, "grÖSSe", 0, 0), "ß is not ss");
    ok(found_is(&carol, "GRÖßE", 1, 2), "in descriptions, beyond ASCII");
    ok(found_is(&carol, "%", 1, 2), "% is a character");
    ok(found_is(&carol, "f_g", 1, 2), "_ is a character");
    ok(found_is(&carol, "e\\", 1, 2), "\\ is a character");
    ok(found_is(&carol, "", 5, 10), "nothing is contained in all");
}


static void
test_update(void)
{
    prompt_uuid_t    id, none;
    prompt_record_t  before, after;
    prompt_record_t  change;

    id = db_prompt(&ann, "update", false);
    none = db_uuid();

    memset(&change, 0, sizeof(change));

    ok(db_run(prompt_update(&query, ctl_uuid_view(&id), ctl_uuid_view(&ann),
                            0, &change))
       && prompt_changed_row(&pg.rows[0], &before) == PROMPT_OUTCOME_DONE,
       "nothing given");
    is_str(before.name, "update", "the name stays");
    is_str(before.category, "GENERAL", "the category stays");
    ok(before.updated_at > before.created_at, "but updated_at moves");

    change.name = prompt_str("update-2");
    change.description = prompt_str("d");
    change.category = prompt_str("CUSTOM");
    change.is_public = true;

    ok(db_run(prompt_update(&query, ctl_uuid_view(&id), ctl_uuid_view(&ann),
                            UINT32_MAX, &change))
       && prompt_changed_row(&pg.rows[0], &after) == PROMPT_OUTCOME_DONE,
       "all given");
    is_str(after.name, "update-2", "the name");
    is_str(after.description, "d", "the description");
    is_str(after.category, "CUSTOM", "the category");
    ok(after.is_public, "public");

    memset(&change, 0, sizeof(change));
    ok(db_run(prompt_update(&query, ctl_uuid_view(&id), ctl_uuid_view(&ann),
                            PROMPT_BIT(description), &change))
       && prompt_changed_row(&pg.rows[0], &after) == PROMPT_OUTCOME_DONE,
       "description null");
    is_str(after.description, NULL, "clears it");
    ok(after.is_public, "and leaves the rest");

    ok(db_run(prompt_update(&query, ctl_uuid_view(&id), ctl_uuid_view(&bob),
                            0, &change))
       && prompt_changed_row(&pg.rows[0], &after)
          == PROMPT_OUTCOME_FORBIDDEN, "another user may not");
    ok(db_run(prompt_update(&query, ctl_uuid_view(&none),
                            ctl_uuid_view(&ann), 0, &change))
       && prompt_changed_row(&pg.rows[0], &after)
          == PROMPT_OUTCOME_NOT_FOUND, "where there is none, it is not found");

    query.count = 0;
    change.name = prompt_str("sum-up");
    ok(prompt_update(&query, ctl_uuid_view(&id), ctl_uuid_view(&ann),
                     PROMPT_BIT(name), &change)
       && !ctl_postgres_run(&pg, &query) && pg.status == PROMPT_SQL_DUPLICATE,
       "a name that is taken is a duplicate");
    query.count = 0;
}


static void
test_fork(void)
{
    int                        i;
    bool                       right;
    char                       name[130];
    prompt_uuid_t              id, copy, again, none;
    prompt_range_t             range;
    prompt_record_t            record;
    prompt_version_t           version;
    const prompt_statement_t  *statement;

    memset(name, 'n', 128);
    name[115] = '-';
    name[128] = '\0';

    id = db_prompt(&ann, name, true);
    copy = db_uuid();
    again = db_uuid();
    none = db_uuid();

    for (i = 0; i < 3; i++) {
        (void) db_version(&ann, &id, "content", PARAMS, SCHEMA, NULL);
    }

    ok(db_run(prompt_fork(&query, ctl_uuid_view(&id), ctl_uuid_view(&bob),
                          ctl_uuid_view(&copy), prompt_str("abc123")))
       && prompt_changed_row(&pg.rows[0], &record) == PROMPT_OUTCOME_DONE,
       "a public prompt is forked");
    ok(same_id(record.id, &copy) && same_id(record.owner_id, &bob)
       && !record.is_public, "it is the caller's, and private");

    memcpy(name + 115, "-fork-abc123", 13);
    is_str(record.name, name, "the name is cut, without a double hyphen");

    range = range_id(&bob, &copy);
    query.count = 0;
    ok(prompt_version_read(&query, &range, NULL, UINT32_MAX)
       && ctl_postgres_run(&pg, &query) && pg.rows[0].count == 3,
       "it has all versions");
    statement = query.bound[0].statement;
    query.count = 0;
    right = true;

    for (i = 0; i < 3; i++) {
        prompt_version_row(statement, &pg.rows[0], (unsigned) i, &version);
        right = right && version.version == i + 1
                && same_id(version.prompt_id, &copy)
                && (version.id.data[6] & 0xf0) == 0x70
                && ((unsigned char) version.id.data[8] & 0xc0) == 0x80
                && memcmp(version.id.data, copy.bytes, 6) == 0
                && prompt_str_eq(version.params, prompt_str(PARAMS))
                && prompt_str_eq(version.input_schema, prompt_str(SCHEMA));
    }

    ok(right, "with their numbers and texts, and UUIDv7 of their own");
    is_int(db_number("SELECT count(*) FROM prompt_versions WHERE created_at <>"
                     " prompt_id_time(id)"), 0,
           "and the times in them");

    ok(db_version(&bob, &copy, "x", "{}", NULL, &i) == PROMPT_OUTCOME_DONE
       && i == 4, "numbers go on");

    ok(!db_run(prompt_fork(&query, ctl_uuid_view(&id), ctl_uuid_view(&bob),
                           ctl_uuid_view(&again), prompt_str("abc123")))
       && pg.status == PROMPT_SQL_RETRY, "the same suffix again: another try");
    ok(db_run(prompt_fork(&query, ctl_uuid_view(&none), ctl_uuid_view(&bob),
                          ctl_uuid_view(&again), prompt_str("abc123")))
       && prompt_changed_row(&pg.rows[0], &record)
          == PROMPT_OUTCOME_NOT_FOUND, "where there is none: not found");
    ok(db_run(prompt_fork(&query, ctl_uuid_view(&copy), ctl_uuid_view(&ann),
                          ctl_uuid_view(&again), prompt_str("abc123")))
       && prompt_changed_row(&pg.rows[0], &record)
          == PROMPT_OUTCOME_FORBIDDEN, "a private one of another: forbidden");
}


static prompt_execution_run_t
run_of(const prompt_uuid_t *id, const prompt_uuid_t *prompt, int version,
    const prompt_uuid_t *caller)
{
    prompt_execution_run_t  run;

    memset(&run, 0, sizeof(run));
    run.id = ctl_uuid_view(id);
    run.prompt_id = ctl_uuid_view(prompt);
    run.version = version;
    run.caller = ctl_uuid_view(caller);
    run.model = prompt_str("gpt-4o-mini");
    run.input = prompt_str("{\"x\": 1.0}");
    run.timeout_ms = 60000;
    run.status = prompt_str("succeeded");
    run.output = prompt_str("out");
    run.latency_ms = prompt_maybe(12);
    run.token_in = prompt_maybe(0);
    run.token_out = prompt_maybe(INT32_MAX);
    run.cost_usd = prompt_str("0.000165");
    run.finish_reason = prompt_str("tool_calls");
    run.tool_calls.cell = prompt_str(CALLS);
    run.finished_at = INT64_C(1893456000123456);

    return run;
}


static void
test_execution_life(void)
{
    prompt_uuid_t              id, run_id, lone, none;
    prompt_range_t             range;
    prompt_execution_t         execution;
    prompt_execution_run_t     run;
    prompt_execution_target_t  target;

    id = db_prompt(&ann, "executions", true);
    none = db_uuid();

    ok(db_run(prompt_execution_target(&query, ctl_uuid_view(&none),
                                      ctl_uuid_view(&ann),
                                      prompt_maybe_unknown))
       && prompt_execution_target_row(&pg.rows[0], &target)
          == PROMPT_OUTCOME_NOT_FOUND, "no prompt to execute");
    ok(db_run(prompt_execution_target(&query, ctl_uuid_view(&id),
                                      ctl_uuid_view(&ann),
                                      prompt_maybe_unknown))
       && prompt_execution_target_row(&pg.rows[0], &target)
          == PROMPT_OUTCOME_NO_VERSION, "no version to execute");

    (void) db_version(&ann, &id, "one", PARAMS, NULL, NULL);
    (void) db_version(&ann, &id, "two", "{}", SCHEMA, NULL);

    ok(db_run(prompt_execution_target(&query, ctl_uuid_view(&id),
                                      ctl_uuid_view(&bob),
                                      prompt_maybe_unknown))
       && prompt_execution_target_row(&pg.rows[0], &target)
          == PROMPT_OUTCOME_DONE && target.version == 2, "the latest");
    is_str(target.content, "two", "its content");
    is_str(target.input_schema, SCHEMA, "its schema");
    ok(same_id(target.owner_id, &ann), "whose it is");

    ok(db_run(prompt_execution_target(&query, ctl_uuid_view(&id),
                                      ctl_uuid_view(&bob), prompt_maybe(1)))
       && prompt_execution_target_row(&pg.rows[0], &target)
          == PROMPT_OUTCOME_DONE && target.version == 1, "the first");
    is_str(target.params, PARAMS, "its params");
    is_str(target.input_schema, NULL, "without a schema");

    ok(db_run(prompt_execution_target(&query, ctl_uuid_view(&id),
                                      ctl_uuid_view(&bob), prompt_maybe(3)))
       && prompt_execution_target_row(&pg.rows[0], &target)
          == PROMPT_OUTCOME_NO_VERSION, "there is no third");

    run_id = db_uuid();
    run = run_of(&run_id, &id, 1, &bob);

    ok(db_run(prompt_execution_start(&query, &run))
       && pg.rows[0].count == 1, "it starts");
    is_int(db_number("SELECT count(*) FROM executions WHERE status = 'running'"
                     " AND deadline BETWEEN now() + interval '55 s'"
                     " AND now() + interval '61 s' AND NOT by_owner"), 1,
           "with its deadline");
    ok(db_run(prompt_execution_start(&query, &run))
       && pg.rows[0].count == 0, "once");

    run.status = prompt_str("failed");
    run.error = prompt_str("timed out");
    ok(db_finish(&run)
       && pg.rows[0].count == 1, "it ends");
    run.status = prompt_str("succeeded");
    ok(db_finish(&run)
       && pg.rows[0].count == 0, "once");

    range = range_id(&bob, &id);
    ok(db_run(prompt_execution_read(&query, &range, NULL,
                                    UINT32_MAX, 10,
                                    prompt_str_absent, true))
       && pg.rows[0].count == 1, "who ran it reads it");
    prompt_execution_row(prompt_statement_family(PROMPT_FAMILY_EXECUTION_BY_ID,
                                                 UINT32_MAX),
                         &pg.rows[0], 0, &execution);
    ok(same_id(execution.id, &run_id) && execution.version == 1, "this one");
    is_str(execution.status, "failed", "status");
    is_int(execution.latency_ms.value, 12, "latency");
    ok(execution.token_in.known && execution.token_in.value == 0,
       "0 tokens are known");
    is_int(execution.token_out.value, INT32_MAX, "tokens");
    is_str(execution.cost_usd, "0.000165", "cost");
    is_str(execution.model, "gpt-4o-mini", "model");
    is_str(execution.input, "{\"x\": 1.0}", "input");
    is_str(execution.output, "out", "output");
    is_str(execution.error, "timed out", "error");
    is_str(execution.finish_reason, "tool_calls", "why it ended");
    is_str(execution.tool_calls.cell, CALLS, "what it wants called");
    is_int(execution.finished_at.value, INT64_C(1893456000123456), "when");
    is_int(execution.created_at, prompt_id_time(execution.id),
           "since when");

    range = range_id(&ann, &id);
    ok(db_run(prompt_execution_read(&query, &range, NULL,
                                    UINT32_MAX, 10,
                                    prompt_str_absent, true))
       && pg.rows[0].count == 1, "the owner reads it, too");
    prompt_execution_row(prompt_statement_family(PROMPT_FAMILY_EXECUTION_BY_ID,
                                                 UINT32_MAX),
                         &pg.rows[0], 0, &execution);
    is_str(execution.status, "failed", "status");
    is_str(execution.cost_usd, "0.000165", "cost");
    is_str(execution.finish_reason, "tool_calls", "why it ended");
    ok(execution.input.data == NULL && execution.output.data == NULL
       && execution.error.data == NULL
       && execution.tool_calls.cell.data == NULL, "but not what was said");

    lone = db_uuid();
    run = run_of(&lone, &id, 2, &ann);
    run.latency_ms = prompt_maybe_unknown;
    run.token_in = prompt_maybe_unknown;
    run.token_out = prompt_maybe_unknown;
    run.cost_usd = prompt_str_absent;
    ok(db_run(prompt_execution_finish(&query, &run))
       && pg.rows[0].count == 0, "an end whose beginning was lost");
    ok(db_run(prompt_execution_record(&query, &run))
       && pg.rows[0].count == 1, "is recorded whole");
    is_int(db_number("SELECT count(*) FROM executions WHERE created_at <>"
                     " prompt_id_time(id)"), 0, "with the times of the ids");

    range = range_id(&bob, &id);
    ok(db_run(prompt_execution_read(&query, &range, NULL, 0, 10,
                                    prompt_str_absent, true))
       && pg.rows[0].count == 1, "others do not see the owner's");

    range = range_name(&ann, "executions");
    ok(db_run(prompt_execution_read(&query, &range, NULL,
                                    UINT32_MAX, 10,
                                    prompt_str_absent, true))
       && pg.rows[0].count == 2, "the owner sees both, by name");
    prompt_execution_row(prompt_statement_family(
                             PROMPT_FAMILY_EXECUTION_BY_NAME,
                             UINT32_MAX),
                         &pg.rows[0], 1, &execution);
    ok(!execution.latency_ms.known && !execution.token_in.known
       && execution.cost_usd.data == NULL, "unknown is unknown");
    is_str(execution.output, "out", "and the output of their own");

    ok(db_script("UPDATE prompts SET is_public = false"
                 " WHERE name = 'executions'"), "made private");
    range = range_id(&bob, &id);
    ok(db_run(prompt_execution_read(&query, &range, NULL, 0, 10,
                                    prompt_str_absent, true))
       && pg.rows[0].count == 0, "others see none, not even their own");
    ok(db_run(prompt_execution_target(&query, ctl_uuid_view(&id),
                                      ctl_uuid_view(&bob),
                                      prompt_maybe_unknown))
       && prompt_execution_target_row(&pg.rows[0], &target)
          == PROMPT_OUTCOME_FORBIDDEN, "nor can they execute it");
}


/*
 * Whose rows each form of reading gives of one prompt: of its owner and of
 * another user, private and public, shown, being deleted and being made.
 */

/* the range of one form: by id, name, all, page, ids */
static prompt_range_t
scope_of(unsigned form, const prompt_uuid_t *caller, const prompt_uuid_t *id)
{
    prompt_range_t  range;

    switch (form) {

    case 0:
        return range_id(caller, id);

    case 1:
        return range_name(caller, "seen");

    default:
        range = range_list(caller);
        break;
    }

    if (form == 3) {
        range.first = 1000;
    }

    if (form == 4) {
        range.kind = PROMPT_RANGE_IDS;
        range.ids = ctl_uuid_view(id);
    }

    return range;
}


/* rows of a set, after a snapshot, that are about the prompt */
static unsigned
rows_of(unsigned set, const prompt_uuid_t *id)
{
    unsigned  i, n;

    n = 0;

    for (i = 0; i < pg.rows[set].count; i++) {
        n += same_id(prompt_rows_cell(&pg.rows[set], i, 0), id);
    }

    return n;
}


/* executions whose input, output or error come with them */
static unsigned
rows_said(unsigned set, const prompt_uuid_t *id,
    const prompt_statement_t *statement)
{
    unsigned            i, n;
    prompt_execution_t  execution;

    n = 0;

    for (i = 0; i < pg.rows[set].count; i++) {
        prompt_execution_row(statement, &pg.rows[set], i, &execution);
        n += same_id(execution.prompt_id, id)
             && (execution.input.data != NULL || execution.output.data != NULL
                 || execution.error.data != NULL);
    }

    return n;
}


/* some: NULL, or which versions */
static bool
seen_is(const prompt_range_t *range, const prompt_versions_t *some,
    const prompt_uuid_t *id, const unsigned want[5])
{
    bool                       right;
    unsigned                   i, got[5];
    const prompt_statement_t  *statement;

    query.count = 0;

    right = prompt_snapshot(&query)
            && prompt_read(&query, range, UINT32_MAX)
            && prompt_version_read(&query, range, some, UINT32_MAX)
            && prompt_execution_read(&query, range, some, UINT32_MAX,
                                     10, prompt_str_absent, true)
            && prompt_user_of_range(&query, range)
            && ctl_postgres_run(&pg, &query);

    statement = query.bound[3].statement;
    query.count = 0;

    if (!right) {
        diag("%s", pg.message);
        return false;
    }

    got[0] = rows_of(1, id);
    got[1] = rows_of(2, id);
    got[2] = rows_of(3, id);
    got[3] = rows_said(3, id, statement);
    got[4] = range->kind == PROMPT_RANGE_ID ? pg.rows[4].count : want[4];

    for (i = 0; i < 5; i++) {
        right = right && got[i] == want[i];
    }

    if (!right) {
        diag("%u %u %u %u %u", got[0], got[1], got[2], got[3], got[4]);
    }

    return right;
}


/* prompts, versions, executions, those with what was said, people */
static void
seen_by(unsigned form, bool owner, bool is_public, int state,
    const prompt_versions_t *some, unsigned want[5])
{
    unsigned  versions;

    memset(want, 0, 5 * sizeof(unsigned));
    want[4] = 1;                     /* who asks */
    versions = some == NULL ? 2 : some->after.data == NULL ? 1 : 0;

    if (state != 0 || (!owner && form != 0)) {
        return;
    }

    want[0] = 1;                     /* not allowed, or it is private */

    if (owner || is_public) {
        want[1] = versions;
        want[2] = owner ? 2 * versions : versions;
        want[3] = versions;
        want[4] = owner ? 1 : 2;
    }
}


static void
test_seen(void)
{
    int                     state, is_public, v, w;
    bool                    right, owner;
    char                    sql[128];
    unsigned                form, i, want[5];
    prompt_uuid_t           id, other, run_id, foreign;
    prompt_range_t          range;
    prompt_execution_run_t  run;
    prompt_versions_t       some[4];
    prompt_version_t        version;

    id = db_prompt(&ann, "seen", true);
    other = db_prompt(&ann, "seen-2", false);

    for (v = 1; v <= 2; v++) {
        (void) db_version(&ann, &id, "x", "{}", NULL, NULL);

        for (w = 0; w < 2; w++) {
            run_id = db_uuid();
            run = run_of(&run_id, &id, v, w == 0 ? &ann : &bob);
            run.error = prompt_str("said");
            (void) db_finish(&run);
        }
    }

    /* the id of a version of another prompt has none behind it */

    foreign = db_uuid();
    memset(&version, 0, sizeof(version));
    version.id = ctl_uuid_view(&foreign);
    version.prompt_id = ctl_uuid_view(&other);
    version.content = prompt_str("y");
    version.params = prompt_str("{}");

    (void) db_run(prompt_version_create(&query, ctl_uuid_view(&ann),
                                        &version));

    memset(some, 0, sizeof(some));
    some[1].first = 1;
    some[2].last = 1;
    some[3].after = ctl_uuid_view(&foreign);

    for (state = 0; state <= 2; state++) {
        for (is_public = 0; is_public <= 1; is_public++) {

            (void) snprintf(sql, sizeof(sql), "UPDATE prompts SET state = %d,"
                            " is_public = %s WHERE name = 'seen'", state,
                            is_public ? "true" : "false");
            right = db_script(sql);

            for (form = 0; form < 5; form++) {
                for (i = 0; i < 8; i++) {
                    owner = i % 2 == 0;
                    range = scope_of(form, owner ? &ann : &bob, &id);
                    seen_by(form, owner, is_public, state,
                            i < 2 ? NULL : &some[i / 2], want);

                    if (!seen_is(&range, i < 2 ? NULL : &some[i / 2], &id,
                                 want))
                    {
                        diag("form %u, case %u", form, i);
                        right = false;
                    }
                }
            }

            (void) snprintf(sql, sizeof(sql), "%s, state %d: each form of "
                            "reading shows it to whom it may",
                            is_public ? "public" : "private", state);
            ok(right, sql);
        }
    }

    (void) db_script("UPDATE prompts SET state = 0 WHERE name = 'seen'");
}


static void
test_execution_order(void)
{
    int                        i;
    bool                       right;
    prompt_uuid_t              id, other, runs[10];
    prompt_range_t             range;
    prompt_execution_t         execution;
    prompt_execution_run_t     run;
    const prompt_statement_t  *statement;

    id = db_prompt(&ann, "order", false);
    other = db_prompt(&ann, "order-2", false);
    (void) db_version(&ann, &id, "one", "{}", NULL, NULL);
    (void) db_version(&ann, &id, "two", "{}", NULL, NULL);
    (void) db_version(&ann, &other, "one", "{}", NULL, NULL);

    for (i = 0; i < 10; i++) {
        runs[i] = db_uuid();
        run = run_of(&runs[i], i == 9 ? &other : &id, i == 9 ? 1 : i % 2 + 1,
                     &ann);
        (void) db_finish(&run);
    }

    range = range_id(&ann, &id);
    query.count = 0;
    ok(prompt_execution_read(&query, &range, NULL, 0, 2, prompt_str_absent,
                             true)
       && ctl_postgres_run(&pg, &query) && pg.rows[0].count == 4,
       "two of each version");
    statement = query.bound[0].statement;
    query.count = 0;

    right = true;

    for (i = 0; right && i < 4; i++) {
        static const int  want[] = { 8, 6, 7, 5 };

        prompt_execution_row(statement, &pg.rows[0], (unsigned) i,
                             &execution);
        right = same_id(execution.id, &runs[want[i]])
                && execution.version == i / 2 + 1;
    }

    ok(right, "versions ascending, the newest first in each");

    ok(db_run(prompt_execution_read(&query, &range, NULL, 0, 100,
                                    ctl_uuid_view(&runs[4]), true))
       && pg.rows[0].count == 4, "after one of them, in every version");

    range = range_list(&ann);
    query.count = 0;
    ok(prompt_execution_read(&query, &range, NULL, 0, 1, prompt_str_absent,
                             true)
       && ctl_postgres_run(&pg, &query), "of a whole list");
    statement = query.bound[0].statement;
    query.count = 0;

    prompt_execution_row(statement, &pg.rows[0], 0, &execution);
    right = same_id(execution.prompt_id, &other);
    prompt_execution_row(statement, &pg.rows[0], 1, &execution);
    right = right && same_id(execution.id, &runs[8]);
    prompt_execution_row(statement, &pg.rows[0], 2, &execution);
    right = right && same_id(execution.id, &runs[7]);
    ok(right, "in the order of the list");

    range.first = 1;
    ok(db_run(prompt_execution_read(&query, &range, NULL, 0, 0,
                                    prompt_str_absent, true))
       && pg.rows[0].count == 1, "of a page");
}


/* all steps of a sweep; how many it found */
static int
sweep(int32_t most)
{
    int           steps, found;
    bool          more;
    prompt_str_t  failed;

    found = 0;
    more = true;

    for (steps = 0; more && steps < 1000; steps++) {

        if (!db_run(prompt_execution_sweep(&query, most, db_clock()))) {
            return -1;
        }

        found += (int) prompt_execution_sweep_row(&pg.rows[0], &more, &failed);
    }

    return more ? -1 : found;
}


static void
start(const prompt_uuid_t *prompt, prompt_uuid_t id, int64_t timeout_ms)
{
    prompt_execution_run_t  run;

    run = run_of(&id, prompt, 1, &ann);
    run.timeout_ms = timeout_ms;

    ok(db_run(prompt_execution_start(&query, &run)) && pg.rows[0].count == 1,
       "an execution begins");
}


/* what all executions are below, and what begins a day after that */

/* the ids of what is read of executions, in their order; how many they are */
static unsigned
execution_ids(const prompt_range_t *range, const prompt_versions_t *versions,
    char ids[][PROMPT_UUID_LEN])
{
    unsigned                   i;
    prompt_execution_t         execution;
    const prompt_statement_t  *statement;

    query.count = 0;

    if (!prompt_execution_read(&query, range, versions, UINT32_MAX, 3,
                               prompt_str_absent, true)
        || !ctl_postgres_run(&pg, &query))
    {
        return 0;
    }

    statement = query.bound[0].statement;
    query.count = 0;

    for (i = 0; i < pg.rows[0].count && i < 20; i++) {
        prompt_execution_row(statement, &pg.rows[0], i, &execution);
        memcpy(ids[i], execution.id.data, PROMPT_UUID_LEN);
    }

    return i;
}


/* what is known to be the caller's own is read by statements of its own */
static void
test_execution_own(void)
{
    int                     i;
    bool                    right, none;
    char                    want[20][PROMPT_UUID_LEN],
                            got[20][PROMPT_UUID_LEN];
    unsigned                n;
    prompt_uuid_t           id, run_id;
    prompt_range_t          range;
    prompt_versions_t       versions[4];
    prompt_execution_run_t  run;

    id = db_prompt(&ann, "own", true);
    (void) db_version(&ann, &id, "one", "{}", NULL, NULL);
    (void) db_version(&ann, &id, "two", "{}", NULL, NULL);
    (void) db_version(&ann, &id, "three", "{}", NULL, NULL);

    for (i = 0; i < 20; i++) {
        run_id = db_uuid();
        run = run_of(&run_id, &id, i % 3 + 1, i % 4 == 0 ? &bob : &ann);
        (void) db_finish(&run);
    }

    memset(versions, 0, sizeof(versions));
    versions[1].first = 2;
    versions[2].one = true;
    versions[3].one = true;
    versions[3].number = prompt_maybe(2);

    right = true;
    none = true;

    for (i = 0; i < 4; i++) {
        range = range_id(&ann, &id);
        n = execution_ids(&range, &versions[i], want);

        range.own = true;
        right = right && n == (i == 0 ? 9U : i == 1 ? 6U : 3U)
                && execution_ids(&range, &versions[i], got) == n
                && memcmp(want, got, n * PROMPT_UUID_LEN) == 0;

        range.caller = ctl_uuid_view(&bob);
        none = none && execution_ids(&range, &versions[i], got) == 0;
    }

    ok(right, "of one's own prompt: the same, in the same order");
    ok(none, "who is not the owner finds none in this way");
}


static void
test_newest(void)
{
    char          id[PROMPT_UUID_LEN];
    bool          older;
    int64_t       time;
    prompt_str_t  above;

    ok(db_run(prompt_execution_newest(&query)), "the newest execution");
    time = prompt_execution_newest_row(&pg.rows[0], &older);
    ok(!older, "none is old");

    is_int(time / 1000000,
           db_number("SELECT floor(extract(epoch FROM prompt_id_time(id)))"
                     "::bigint FROM executions ORDER BY id DESC LIMIT 1"),
           "is that of the highest id");

    above = prompt_execution_above(time, id);
    ok(above.data == id && prompt_id_time(above) == time
                                                    + 86400 * INT64_C(1000000),
       "all are below what is a day later");

    time = ((INT64_C(1) << 48) - 1) * 1000;
    ok(prompt_execution_above(time, id).data == NULL
       && prompt_execution_above(time - 86400 * INT64_C(1000000), id).data
          == id,
       "of the last day of all no id is above");

    ok(db_script("BEGIN; DELETE FROM executions")
       && db_run(prompt_execution_newest(&query))
       && prompt_execution_newest_row(&pg.rows[0], &older) == 0
       && db_script("ROLLBACK"), "there may be none");
}


static void
test_sweep(void)
{
    bool                    more;
    prompt_str_t            failed;
    prompt_uuid_t           id, overdue;
    prompt_execution_run_t  run;

    ok(db_script("DELETE FROM executions WHERE status = 'running'"),
       "nothing runs");
    ok(sweep(1000) >= 0, "the sweeper has looked at all there was");

    id = db_prompt(&ann, "sweep", false);
    (void) db_version(&ann, &id, "one", "{}", NULL, NULL);

    /* executions older than the mark are not looked at: go back with it */

    ok(db_script("UPDATE executions_sweep SET mark = late_mark"), "back");

    overdue = db_uuid_before(70000);
    start(&id, overdue, -31000);
    start(&id, db_uuid_before(60000), -31000);
    start(&id, db_uuid_before(50000), -29000);
    start(&id, db_uuid_before(40000), 3600000);
    start(&id, db_uuid(), 60000);

    ok(db_run(prompt_execution_sweep(&query, 1, db_clock())), "the sweeper");
    is_int(prompt_execution_sweep_row(&pg.rows[0], &more, &failed), 1,
           "has its limit");
    ok(more, "and says that there are more");
    is_int(sweep(1), 1, "comes again, finds the other");
    is_int(sweep(10), 0, "and again, finds none");

    is_int(db_number("SELECT count(*) FROM executions WHERE status = 'lost'"
                     " AND finished_at IS NULL AND error IS NOT NULL"), 2,
           "two are lost, three run");
    is_int(db_number("SELECT count(*) FROM executions_running"), 2,
           "of which it keeps in mind what began long ago");

    run = run_of(&overdue, &id, 1, &ann);
    ok(db_finish(&run)
       && pg.rows[0].count == 1, "a result that comes later replaces it");
    is_int(db_number("SELECT count(*) FROM executions WHERE status = 'lost'"),
           1, "so it is found again");
}


/* what it has seen it does not look at again, however long it runs */

static void
test_sweep_marks(void)
{
    long           before;
    const char    *looked = "SELECT sum(idx_tup_fetch + seq_tup_read) FROM"
                            " pg_stat_xact_user_tables s JOIN"
                            " prompt_months_parts() p ON p.part = s.relid";
    prompt_uuid_t  id, lasting;

    id = db_prompt(&ann, "marks", false);
    (void) db_version(&ann, &id, "one", "{}", NULL, NULL);
    ok(db_script("UPDATE executions_sweep SET mark = late_mark"), "back");

    lasting = db_uuid_before(1800000);
    start(&id, lasting, 3600000);

    ok(db_script("INSERT INTO executions (id, prompt_id, version, executed_by,"
                 " by_owner, status) SELECT (lpad(to_hex((extract(epoch FROM"
                 " now() - interval '20 minutes') * 1000)::bigint), 12, '0')"
                 " || '70008000' || lpad(to_hex(e), 12, '0'))::uuid, p.id, 1,"
                 " p.owner_id, true, 'succeeded' FROM prompts p,"
                 " generate_series(1, 3000) e WHERE p.name = 'marks'"),
       "thousands that ended");
    is_int(sweep(1000), 0, "swept");

    ok(db_script("BEGIN"), "once more");
    before = db_number(looked);
    is_int(sweep(1000), 0, "nothing new");
    is_int(db_number(looked) - before, 0, "nothing is looked at again");
    ok(db_script("COMMIT"), "done");

    ok(db_script("UPDATE executions_running SET deadline = now() - interval"
                 " '31 seconds' WHERE deadline > now() + interval"
                 " '59 minutes'; UPDATE executions SET deadline = now() -"
                 " interval '31 seconds' WHERE status = 'running' AND"
                 " deadline > now() + interval '59 minutes'"),
       "the time limit of those that last passes");
    is_int(sweep(1000), 2, "they are found");

    /* late, or by a clock that is slow: behind the mark */

    start(&id, db_uuid_before(600000), -31000);
    is_int(sweep(1000), 0, "one that comes later, with an earlier id");
    ok(db_script("UPDATE executions_sweep SET late_mark = '00000000"
                 "-0000-7000-8000-000000000000'; UPDATE executions SET id ="
                 " (lpad(to_hex((extract(epoch FROM now() - interval"
                 " '61 minutes') * 1000)::bigint), 12, '0')"
                 " || '70008000000000000001')::uuid WHERE status = 'running'"
                 " AND deadline < now() AND id < (SELECT mark FROM"
                 " executions_sweep) AND NOT EXISTS (SELECT FROM"
                 " executions_running r WHERE r.id = executions.id)"),
       "an hour later");
    is_int(sweep(10000), 1, "it is found");
}


/* PostgreSQL's clock was ahead, and was put right */
static void
test_sweep_clock(void)
{
    prompt_uuid_t  id, overdue;

    id = db_prompt(&ann, "clock", false);
    (void) db_version(&ann, &id, "one", "{}", NULL, NULL);

    ok(db_script("UPDATE executions_sweep SET mark = 'f0000000-0000-7000-8000"
                 "-000000000000', late_mark = 'f0000000-0000-7000-8000"
                 "-000000000000'"), "marks of the future");
    is_int(sweep(1000), 0, "swept after the clock was put right");

    overdue = db_uuid_before(40000);
    start(&id, overdue, -31000);
    ok(db_script("UPDATE executions_sweep SET mark = (lpad(to_hex((extract("
                 "epoch FROM now() - interval '60 seconds') * 1000)::bigint),"
                 " 12, '0') || repeat('0', 20))::uuid"
                 " WHERE mark < (lpad(to_hex((extract(epoch FROM now())"
                 " * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid"),
       "a minute later");
    is_int(sweep(1000), 1, "what began then is found");
    is_int(db_number("SELECT count(*) FROM executions_sweep WHERE late_mark <="
                     " (lpad(to_hex((extract(epoch FROM now() - interval"
                     " '1 hour') * 1000)::bigint), 12, '0')"
                     " || repeat('0', 20))::uuid"), 1,
           "and all of it is looked at in an hour");
}


/* no index is told of an end, and its row stays on its page */

static void
test_hot(void)
{
    int                     i, n;
    char                    input[240], output[150];
    long                    updated;
    prompt_uuid_t           id, run_ids[16];
    prompt_execution_run_t  run;

    static const char  counted[] =
        "SELECT sum(n_tup_hot_upd) FROM pg_stat_xact_user_tables s"
        " JOIN prompt_months_parts() p ON p.part = s.relid";

    id = db_prompt(&ann, "hot", false);
    (void) db_version(&ann, &id, "one", "{}", NULL, NULL);
    ok(db_script("BEGIN"), "in one transaction");
    updated = db_number(counted);

    memset(input, 'i', sizeof(input));
    input[0] = input[sizeof(input) - 1] = '"';
    memset(output, 'o', sizeof(output));

    /* as they come: some begin, and then these end */

    for (i = 0, n = 0; i < 10 * 16 * 2; i++) {

        if (i % 32 < 16) {
            run_ids[i % 16] = db_uuid();
        }

        run = run_of(&run_ids[i % 16], &id, 1, &ann);
        run.input = prompt_str_of(input, sizeof(input));
        run.output = prompt_str_of(output, sizeof(output));
        run.tool_calls.cell = prompt_str_absent;

        if (i % 32 < 16) {
            n += db_run(prompt_execution_start(&query, &run));

        } else {
            n += db_run(prompt_execution_finish(&query, &run))
                 && pg.rows[0].count == 1;
        }
    }

    is_int(n, 10 * 16 * 2, "executions begin and end");
    updated = db_number(counted) - updated;
    ok(updated >= 150 && updated <= 160, "nearly all in place");
    ok(db_script("COMMIT"), "done");
}


/* when the label was set, as it was known; another time in between */
static prompt_maybe_t  set_at = { true, 1 };


/* whether it starts, where it was known before that this is the version */
static bool
known(const prompt_uuid_t *id, const prompt_uuid_t *caller,
    prompt_execution_known_t how, const prompt_execution_target_t *target,
    prompt_str_t label)
{
    prompt_uuid_t           run_id;
    prompt_execution_run_t  run;

    run_id = db_uuid();
    run = run_of(&run_id, id, target->version, caller);
    run.known = how;
    run.prompt_updated_at = target->updated_at;
    run.label = label;
    run.asked = prompt_str("production");
    run.asked_set_at = label.data != NULL ? set_at : prompt_maybe_unknown;

    return db_run(prompt_execution_start(&query, &run))
           && pg.rows[0].count == 1;
}


/* what is read of that version */
static bool
target_of(const prompt_uuid_t *id, int version,
    prompt_execution_target_t *target)
{
    return db_run(prompt_execution_target(&query, ctl_uuid_view(id),
                                          ctl_uuid_view(&ann),
                                          prompt_maybe(version)))
           && prompt_execution_target_row(&pg.rows[0], target)
              == PROMPT_OUTCOME_DONE;
}


/* a start says what is so when it starts */
static void
test_known(void)
{
    char                       sql[256], text[PROMPT_UUID_TEXT_LEN];
    prompt_str_t               named, unset;
    prompt_uuid_t              id;
    prompt_execution_target_t  first, second;

    static const prompt_execution_known_t  by_number = PROMPT_EXECUTION_KNOWN;
    static const prompt_execution_known_t  by_label = PROMPT_EXECUTION_LABELLED;

    named = prompt_str("production");
    unset = prompt_str_absent;

    id = db_prompt(&ann, "known", true);
    prompt_uuid_format(&id, text);
    (void) db_version(&ann, &id, "one", "{}", NULL, NULL);

    ok(target_of(&id, 1, &first), "a version");
    ok(known(&id, &ann, by_number, &first, named), "is known");
    ok(known(&id, &bob, by_number, &first, named), "to a guest");
    ok(!known(&id, &ann, by_label, &first, named), "has no label");
    ok(known(&id, &bob, by_label, &first, unset),
       "which was known");

    (void) db_version(&ann, &id, "two", "{}", NULL, NULL);
    ok(!known(&id, &ann, by_number, &first, named), "another follows");
    ok(target_of(&id, 1, &first) && target_of(&id, 2, &second), "both");
    ok(known(&id, &ann, by_number, &first, named)
       && known(&id, &ann, by_number, &second, named), "are known");

    (void) snprintf(sql, sizeof(sql), "INSERT INTO prompt_labels (owner_id,"
                    " prompt_id, label, version, set_at) SELECT owner_id, id,"
                    " 'production', 1, now() FROM prompts WHERE id = '%.*s'",
                    PROMPT_UUID_TEXT_LEN, text);
    ok(db_script(sql), "a label");
    ok(!known(&id, &ann, by_label, &second, named)
       && !known(&id, &ann, by_label, &second, unset),
       "not as it was set at another time");

    set_at = prompt_maybe(db_number("SELECT extract(epoch FROM set_at)"
                                    " * 1000000 FROM prompt_labels"
                                    " ORDER BY set_at DESC LIMIT 1"));

    ok(known(&id, &ann, by_label, &first, named)
       && known(&id, &bob, by_label, &first, named), "its version");
    ok(!known(&id, &ann, by_label, &first, unset),
       "nor as if it had no label");

    ok(db_script("UPDATE prompts SET is_public = false WHERE name = 'known'"),
       "it becomes private, and nobody says when");
    ok(!known(&id, &bob, by_number, &first, named)
       && !known(&id, &bob, by_label, &first, named),
       "nothing for a guest");
    ok(known(&id, &ann, by_label, &first, named)
       && known(&id, &ann, by_number, &second, named),
       "all of it for its owner");

    ok(db_script("UPDATE prompts SET updated_at = updated_at + interval"
                 " '1 microsecond' WHERE name = 'known'"), "it is changed");
    ok(!known(&id, &ann, by_label, &first, named)
       && !known(&id, &ann, by_number, &first, named),
       "nothing that was read before");

    ok(target_of(&id, 1, &first)
       && known(&id, &ann, by_number, &first, named)
       && db_run(prompt_delete(&query, ctl_uuid_view(&id),
                               ctl_uuid_view(&ann))), "it is deleted");
    ok(!known(&id, &ann, by_number, &first, named)
       && !known(&id, &ann, by_label, &first, named),
       "nothing for anybody");
}


static void
test_delete(void)
{
    prompt_str_t            label;
    prompt_uuid_t           id, run_id;
    prompt_execution_run_t  run;

    ok(db_number("SELECT count(*) FROM prompts WHERE state = 1") == 1
       && db_script("SELECT prompt_remove(NULL, NULL, NULL, 100, 20)")
       && db_number("SELECT count(*) FROM prompts WHERE state = 1") == 1,
       "one is deleted, of which something runs");
    ok(db_script("UPDATE executions SET deadline = now() - interval '31 s'"
                 " WHERE status = 'running'; SELECT prompt_remove(NULL, NULL,"
                 " NULL, 100, 20)")
       && db_number("SELECT count(*) FROM prompts WHERE state = 1") == 0,
       "it goes when that is overdue");

    id = db_prompt(&ann, "delete", true);
    (void) db_version(&ann, &id, "one", "{}", NULL, NULL);

    run_id = db_uuid();
    run = run_of(&run_id, &id, 1, &bob);
    ok(db_run(prompt_execution_start(&query, &run)), "somebody executes it");

    ok(db_run(prompt_delete(&query, ctl_uuid_view(&id), ctl_uuid_view(&bob)))
       && prompt_delete_row(pg.rows, &label) == PROMPT_OUTCOME_FORBIDDEN,
       "others may not delete");
    ok(db_run(prompt_delete(&query, ctl_uuid_view(&id), ctl_uuid_view(&ann)))
       && prompt_delete_row(pg.rows, &label) == PROMPT_OUTCOME_DONE,
       "its owner may");
    ok(db_run(prompt_delete(&query, ctl_uuid_view(&id), ctl_uuid_view(&ann)))
       && prompt_delete_row(pg.rows, &label) == PROMPT_OUTCOME_NOT_FOUND,
       "once");

    is_int(db_number("SELECT count(*) FROM executions e JOIN prompts p ON p.id"
                     " = e.prompt_id AND p.state = 1"), 1,
           "what runs is still there");
    ok(db_finish(&run) && pg.rows[0].count == 1, "and ends");
    ok(db_finish(&run) && pg.rows[0].count == 0, "once");
    ok(db_script("SELECT prompt_remove(NULL, NULL, NULL, 100, 20)")
       && db_number("SELECT count(*) FROM prompts WHERE state = 1") == 0,
       "then it goes");
    ok(db_finish(&run)
       && pg.rows[0].count == 0, "an execution that ends then is no error");
    run_id = db_uuid();
    ok(db_run(prompt_execution_start(&query, &run))
       && pg.rows[0].count == 0, "nor one that starts");

    is_int(db_number("SELECT count(*) FROM executions e WHERE NOT EXISTS"
                     " (SELECT FROM prompt_versions v WHERE v.prompt_id ="
                     " e.prompt_id AND v.version = e.version)"), 0,
           "no execution without its version");
}


/* what a deletion leaves is removed in steps; nobody sees it meanwhile */

static void
test_remove(void)
{
    int                     steps;
    prompt_str_t            label;
    prompt_uuid_t           id, run_id;
    prompt_range_t          range;
    prompt_removal_t        at;
    prompt_removed_t        removed;
    prompt_execution_run_t  run;

    id = db_prompt(&ann, "remove", true);
    (void) db_version(&ann, &id, "one", "{}", NULL, NULL);
    (void) db_version(&ann, &id, "two", "{}", NULL, NULL);
    ok(db_script("INSERT INTO executions (id, prompt_id, version, executed_by,"
                 " by_owner, status) SELECT gen_random_uuid(), p.id,"
                 " e % 2 + 1, p.owner_id, true, 'succeeded' FROM prompts p,"
                 " generate_series(1, 20000) e WHERE p.name = 'remove'"),
       "many executions");

    ok(db_run(prompt_delete(&query, ctl_uuid_view(&id), ctl_uuid_view(&ann)))
       && prompt_delete_row(pg.rows, &label) == PROMPT_OUTCOME_DONE, "deleted");
    removed = prompt_removed_row(&pg.rows[PROMPT_DELETE_REMOVED], &at);
    ok(removed == PROMPT_REMOVED_SOME && at.known
       && memcmp(at.id, id.bytes, sizeof(id.bytes)) == 0,
       "and there is more to do");
    ok(db_number("SELECT count(*) FROM executions e WHERE EXISTS (SELECT FROM"
                 " prompts p WHERE p.id = e.prompt_id AND p.state = 1)")
       <= 19800, "though some are gone already");

    range = range_id(&ann, &id);
    ok(db_run(prompt_read(&query, &range, 0)) && pg.rows[0].count == 0,
       "not seen by id");
    range = range_name(&ann, "remove");
    ok(list_is(&range, 0, 0), "nor by name");

    run_id = db_uuid();
    run = run_of(&run_id, &id, 2, &bob);
    ok(db_run(prompt_execution_start(&query, &run))
       && pg.rows[0].count == 0, "no execution of it starts");
    ok(db_finish(&run)
       && pg.rows[0].count == 0, "nor is one recorded");
    is_int(db_version(&ann, &id, "three", "{}", NULL, NULL),
           PROMPT_OUTCOME_NOT_FOUND, "no version is added");

    (void) db_prompt(&ann, "remove", false);
    ok(true, "its name is free");

    for (steps = 0; steps < 20000; steps++) {

        if (!db_run(prompt_sweep(&query, &at))) {
            break;
        }

        removed = prompt_removed_row(&pg.rows[0], &at);

        if (removed != PROMPT_REMOVED_SOME) {
            break;
        }
    }

    diag("%d steps", steps);
    ok(removed == PROMPT_REMOVED_ALL && !at.known, "steps lead to an end");
    ok(db_run(prompt_sweep(&query, &at))
       && prompt_removed_row(&pg.rows[0], &at) == PROMPT_REMOVED_NONE,
       "there is no other");

    is_int(db_number("SELECT count(*) FROM executions e WHERE NOT EXISTS"
                     " (SELECT FROM prompts p WHERE p.id = e.prompt_id)"), 0,
           "nothing is left");
}


/* one that cannot be removed for now does not keep the others */

static void
test_remove_stuck(void)
{
    int               steps;
    prompt_uuid_t     id, stuck;
    prompt_removal_t  at;

    stuck = db_prompt(&ann, "stuck", false);
    (void) db_version(&ann, &stuck, "one", "{}", NULL, NULL);
    id = db_prompt(&ann, "behind", false);
    (void) db_version(&ann, &id, "one", "{}", NULL, NULL);

    ok(db_script("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql"
                 " AS $$ BEGIN RAISE 'refused'; END $$;"
                 "DO $$ BEGIN EXECUTE 'CREATE TRIGGER refuse BEFORE DELETE ON"
                 " prompts FOR EACH ROW WHEN (OLD.id = ' || (SELECT"
                 " quote_literal(id) FROM prompts WHERE name = 'stuck')"
                 " || ') EXECUTE FUNCTION refuse()'; END $$;"
                 "UPDATE prompts SET state = 1 WHERE name IN ('stuck',"
                 " 'behind')"), "two hidden prompts, one cannot be removed");

    /* the odds that the other never comes up are those of 64 heads */

    for (steps = 0; steps < 64; steps++) {
        memset(&at, 0, sizeof(at));
        (void) db_run(prompt_sweep(&query, &at));
    }

    is_int(db_number("SELECT count(*) FROM prompts WHERE name = 'stuck'"), 1,
           "it is there");
    is_int(db_number("SELECT count(*) FROM prompts WHERE name = 'behind'"), 0,
           "the other is gone");

    ok(db_script("DROP FUNCTION refuse CASCADE"), "the obstacle goes");
    memset(&at, 0, sizeof(at));
    ok(db_run(prompt_sweep(&query, &at))
       && prompt_removed_row(&pg.rows[0], &at) == PROMPT_REMOVED_ALL,
       "and it, too");
}


/* a large fork: begun, copied in steps, shown, or given up */

static void
test_fork_steps(void)
{
    int               steps;
    int32_t           last;
    prompt_uuid_t     id, copy;
    prompt_range_t    range;
    prompt_record_t   record;
    prompt_removal_t  at;
    prompt_outcome_t  outcome;

    id = db_prompt(&ann, "steps", true);
    ok(db_script("WITH p AS (UPDATE prompts SET last_version = 1200"
                 " WHERE name = 'steps' RETURNING id, owner_id)"
                 " INSERT INTO prompt_versions (id, prompt_id, owner_id,"
                 " version, content, params) SELECT gen_random_uuid(), p.id,"
                 " p.owner_id, v, 'text', '{}' FROM p,"
                 " generate_series(1, 1200) v"), "many versions");

    copy = db_uuid();
    ok(db_run(prompt_fork(&query, ctl_uuid_view(&id), ctl_uuid_view(&bob),
                          ctl_uuid_view(&copy), prompt_str("steps1")))
       && prompt_changed_row(&pg.rows[0], &record) == PROMPT_OUTCOME_MORE,
       "a large fork is begun");

    range = range_id(&bob, &copy);
    ok(db_run(prompt_read(&query, &range, 0)) && pg.rows[0].count == 0,
       "and not seen");
    ok(db_run(prompt_fork_end(&query, ctl_uuid_view(&id),
                              ctl_uuid_view(&bob), ctl_uuid_view(&copy)))
       && prompt_changed_row(&pg.rows[0], &record)
          == PROMPT_OUTCOME_NOT_FOUND, "nor shown before it is whole");
    ok(db_run(prompt_fork_step(&query, ctl_uuid_view(&id),
                               ctl_uuid_view(&ann), ctl_uuid_view(&copy), 0))
       && prompt_fork_step_row(&pg.rows[0], &last)
          == PROMPT_OUTCOME_NOT_FOUND, "others add nothing to it");

    memset(&at, 0, sizeof(at));
    ok(db_run(prompt_sweep(&query, &at))
       && prompt_removed_row(&pg.rows[0], &at) == PROMPT_REMOVED_NONE,
       "it is left alone while it is young");

    last = 0;
    outcome = PROMPT_OUTCOME_MORE;

    for (steps = 0; outcome == PROMPT_OUTCOME_MORE && steps < 10; steps++) {

        if (!db_run(prompt_fork_step(&query, ctl_uuid_view(&id),
                                     ctl_uuid_view(&bob),
                                     ctl_uuid_view(&copy), last)))
        {
            break;
        }

        outcome = prompt_fork_step_row(&pg.rows[0], &last);
    }

    ok(outcome == PROMPT_OUTCOME_DONE && steps == 3 && last == 1200,
       "three steps");
    ok(db_run(prompt_fork_end(&query, ctl_uuid_view(&id),
                              ctl_uuid_view(&bob), ctl_uuid_view(&copy)))
       && prompt_changed_row(&pg.rows[0], &record) == PROMPT_OUTCOME_DONE,
       "it is shown");
    is_str(record.name, "steps-fork-steps1", "its name");
    ok(record.updated_at == record.created_at, "changed when it was created");
    ok(list_is(&range, 1, 1200), "with all versions");
    ok(db_run(prompt_fork_abandon(&query, ctl_uuid_view(&bob),
                                  ctl_uuid_view(&copy)))
       && pg.rows[0].count == 0, "and cannot be given up any more");

    copy = db_uuid();
    ok(db_run(prompt_fork(&query, ctl_uuid_view(&id), ctl_uuid_view(&bob),
                          ctl_uuid_view(&copy), prompt_str("steps2")))
       && prompt_changed_row(&pg.rows[0], &record) == PROMPT_OUTCOME_MORE
       && db_run(prompt_fork_step(&query, ctl_uuid_view(&id),
                                  ctl_uuid_view(&bob),
                                  ctl_uuid_view(&copy), 0))
       && prompt_fork_step_row(&pg.rows[0], &last) == PROMPT_OUTCOME_MORE,
       "another");
    ok(db_run(prompt_delete(&query, ctl_uuid_view(&id), ctl_uuid_view(&ann))),
       "the original is deleted");
    ok(db_run(prompt_fork_step(&query, ctl_uuid_view(&id),
                               ctl_uuid_view(&bob), ctl_uuid_view(&copy),
                               last))
       && prompt_fork_step_row(&pg.rows[0], &last)
          == PROMPT_OUTCOME_NOT_FOUND, "so there is no copy");
    ok(db_run(prompt_fork_abandon(&query, ctl_uuid_view(&bob),
                                  ctl_uuid_view(&copy)))
       && pg.rows[0].count == 1, "it is given up");

    for (steps = 0; steps < 20000; steps++) {

        if (!db_run(prompt_sweep(&query, &at))
            || prompt_removed_row(&pg.rows[0], &at) == PROMPT_REMOVED_NONE)
        {
            break;
        }
    }

    is_int(db_number("SELECT count(*) FROM prompts WHERE state <> 0"), 0,
           "and removed");
}


/* the start alone does not wait for the disk */

static void
test_durability(void)
{
    prompt_uuid_t           id, run_id;
    prompt_execution_run_t  run;

    id = db_prompt(&ann, "durable", false);
    (void) db_version(&ann, &id, "one", "{}", NULL, NULL);
    run_id = db_uuid();
    run = run_of(&run_id, &id, 1, &ann);

    query.count = 0;
    ok(prompt_execution_start(&query, &run) && ctl_postgres_run(&pg, &query),
       "a start");
    query.count = 0;
    is_int(db_number("SELECT (current_setting('synchronous_commit') = 'on')"
                     "::int"), 1, "leaves the session as it was");
}


/* the role of the service may do all that the service does */

static void
test_rights(void)
{
    char                       sql[1024], hash[32];
    int                        i;
    prompt_uuid_t              id, copy, run_id, key_id;
    prompt_range_t             range;
    prompt_record_t            change;
    prompt_record_t            record;
    prompt_removal_t           at;
    prompt_api_key_t           key;
    prompt_execution_run_t     run;

    (void) snprintf(sql, sizeof(sql), "CREATE ROLE %s_role", db_name);
    ok(db_script(sql), "a role");

    for (i = 0; i < PROMPT_SCHEMA_GRANTS; i++) {
        (void) snprintf(sql, sizeof(sql), "%s%s_role",
                        prompt_schema_grant(query.arena, (unsigned) i).data,
                        db_name);
        ok(db_script(sql), "its rights");
    }

    (void) snprintf(sql, sizeof(sql), "SET ROLE %s_role", db_name);
    ok(db_script(sql), "taken");

    ok(db_run(prompt_schema_version(&query)), "schema version");
    ok(db_run(prompt_user_by_id(&query, ctl_uuid_view(&ann))), "user");

    key_id = db_uuid();
    memset(hash, 0x42, sizeof(hash));
    memset(&key, 0, sizeof(key));
    key.id = ctl_uuid_view(&key_id);
    key.user_id = ctl_uuid_view(&ann);
    key.hash = prompt_str_of(hash, sizeof(hash));
    key.name = prompt_str("key");
    key.hint = prompt_str("hint");

    ok(db_run(prompt_api_key_create(&query, &key)), "create a key");
    ok(db_run(prompt_api_key_by_hash(&query, key.hash, prompt_str_absent)),
       "find a key");
    ok(db_run(prompt_api_key_list(&query, key.user_id, 1, key.id)),
       "list keys");
    ok(db_run(prompt_api_key_delete(&query, key.id, key.user_id)),
       "delete a key");

    id = db_prompt(&ann, "rights", true);
    copy = db_uuid();
    run_id = db_uuid();

    is_int(db_version(&ann, &id, "content", "{}", NULL, NULL),
           PROMPT_OUTCOME_DONE, "create prompt and version");

    memset(&change, 0, sizeof(change));
    change.name = prompt_str("rights-2");
    ok(db_run(prompt_update(&query, ctl_uuid_view(&id), ctl_uuid_view(&ann),
                            PROMPT_BIT(name), &change)), "update");
    ok(db_run(prompt_fork(&query, ctl_uuid_view(&id), ctl_uuid_view(&bob),
                          ctl_uuid_view(&copy), prompt_str("rights")))
       && prompt_changed_row(&pg.rows[0], &record) == PROMPT_OUTCOME_DONE,
       "fork");

    run = run_of(&run_id, &id, 1, &bob);
    ok(db_run(prompt_execution_start(&query, &run)), "start");
    ok(db_finish(&run), "finish");
    ok(db_run(prompt_execution_sweep(&query, 10, db_clock())), "sweep");
    memset(&at, 0, sizeof(at));
    ok(db_run(prompt_sweep(&query, &at)), "remove");
    ok(db_run(prompt_fork_step(&query, ctl_uuid_view(&id),
                               ctl_uuid_view(&bob), ctl_uuid_view(&copy), 0)),
       "fork in steps");
    ok(db_run(prompt_fork_end(&query, ctl_uuid_view(&id),
                              ctl_uuid_view(&bob), ctl_uuid_view(&copy))),
       "show a fork");
    ok(db_run(prompt_fork_abandon(&query, ctl_uuid_view(&bob),
                                  ctl_uuid_view(&copy))), "give it up");

    range = range_id(&ann, &id);
    ok(list_is(&range, 1, 1), "read by id");
    range = range_name(&ann, "rights-2");
    ok(list_is(&range, 1, 1), "read by name");
    range = range_list(&bob);
    range.first = 1;
    ok(list_is(&range, 1, 1), "read a page");

    ok(db_run(prompt_delete(&query, ctl_uuid_view(&id), ctl_uuid_view(&ann)))
       && prompt_outcome_row(&pg.rows[0]) == PROMPT_OUTCOME_DONE, "delete");

    (void) db_script("RESET ROLE");
    is_int(db_number("SELECT count(*) FROM executions WHERE version = 1"
                     " AND model = 'gpt-4o-mini' AND NOT EXISTS (SELECT FROM"
                     " prompts p WHERE p.id = prompt_id)"), 0,
           "versions and executions go with it");

    (void) snprintf(sql, sizeof(sql), "DROP OWNED BY %s_role; DROP ROLE"
                    " %s_role", db_name, db_name);
    ok(db_script(sql), "and away");
}


int
main(void)
{
    if (!db_begin()) {
        return 0;
    }

    test_schema_version();
    test_users();
    test_keys();
    test_create();
    test_masks();
    test_versions();
    test_list();
    test_update();
    test_fork();
    test_execution_life();
    test_seen();
    test_execution_order();
    test_execution_own();
    test_newest();
    test_sweep();
    test_sweep_marks();
    test_sweep_clock();
    test_hot();
    test_known();
    test_delete();
    test_remove();
    test_remove_stuck();
    test_fork_steps();
    test_durability();
    test_rights();

    db_close();

    return done_testing();
}
