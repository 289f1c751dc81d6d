/*
 * The rows of Idempotency-Keys against a real PostgreSQL: who holds one, what
 * a change leaves in it, and what is left of it.
 */

#include "store/idempotency.h"
#include "store/outcome.h"
#include "store/user.h"
#include "store_db.h"


#define LEASE  60000


static prompt_uuid_t  ann, bob;
static char           hashes[4][PROMPT_IDEMPOTENCY_HASH_LEN];


static prompt_idempotency_t
key_of(const prompt_uuid_t *user, unsigned key, unsigned fingerprint,
    const prompt_uuid_t *holder)
{
    prompt_idempotency_t  row;

    row.user_id = ctl_uuid_view(user);
    row.key = prompt_str_of(hashes[key], sizeof(hashes[key]));
    row.fingerprint = prompt_str_of(hashes[fingerprint],
                                    sizeof(hashes[fingerprint]));
    row.holder = ctl_uuid_view(holder);

    return row;
}


static bool
take(const prompt_idempotency_t *key, int64_t lease,
    prompt_idempotency_row_t *row)
{
    return db_run(prompt_idempotency_take(&query, key, lease, db_clock(),
                                          db_clock()))
           && prompt_idempotency_take_row(
                  &pg.rows[PROMPT_IDEMPOTENCY_TAKES - 1], row);
}


/* PostgreSQL's clock is so many seconds ahead of where it should be */
static bool
take_near(const prompt_idempotency_t *key, int ahead,
    prompt_idempotency_row_t *row)
{
    prompt_maybe_t  near;

    near = db_clock();
    near.value -= ahead * INT64_C(1000000);

    return db_run(prompt_idempotency_take(&query, key, LEASE, db_clock(), near))
           && prompt_idempotency_take_row(
                  &pg.rows[PROMPT_IDEMPOTENCY_TAKES - 1], row);
}


static void
test_taking(void)
{
    prompt_uuid_t             one, two;
    prompt_idempotency_t      first, second, other, bobs;
    prompt_idempotency_row_t  row;

    one = db_uuid();
    two = db_uuid();
    first = key_of(&ann, 0, 1, &one);
    second = key_of(&ann, 0, 1, &two);
    other = key_of(&ann, 0, 2, &two);
    bobs = key_of(&bob, 0, 2, &two);

    ok(take(&first, LEASE, &row), "a new key");
    ok(row.mine && row.same && !row.status.known && row.steps.count == 0
       && row.answer.data == NULL, "is taken");

    ok(take(&second, LEASE, &row), "the same key");
    ok(!row.mine && row.same && !row.status.known, "is somebody's");

    ok(take(&other, LEASE, &row), "another request with it");
    ok(!row.mine && !row.same, "is another");

    ok(take(&bobs, LEASE, &row), "another user");
    ok(row.mine, "has keys of their own");

    ok(db_run(prompt_idempotency_finish(&query, &second, 200,
                                        prompt_str("no"), prompt_str(""))),
       "who holds it not");
    is_int(pg.rows[0].count, 0, "does not answer");
    ok(db_run(prompt_idempotency_finish(&query, &first, 200,
                                        prompt_str("{\"data\":1}"),
                                        prompt_str(""))),
       "who holds it");
    is_int(pg.rows[0].count, 1, "does");

    ok(take(&second, LEASE, &row), "the same key");
    ok(!row.mine && row.status.known && row.status.value == 200,
       "is answered");
    is_str(row.answer, "{\"data\":1}", "byte for byte");

    ok(take(&other, LEASE, &row) && row.answer.data == NULL,
       "another request does not see the answer");

    ok(db_run(prompt_idempotency_renew(&query, &first, 0))
       && pg.rows[0].count == 0, "what is answered is not let go");
}


static void
test_leaving(void)
{
    prompt_uuid_t             one, two, prompt;
    prompt_record_t           record;
    prompt_idempotency_t      first, second;
    prompt_idempotency_row_t  row;

    one = db_uuid();
    two = db_uuid();
    prompt = db_uuid();
    first = key_of(&ann, 3, 1, &one);
    second = key_of(&ann, 3, 1, &two);

    ok(take(&first, LEASE, &row) && row.mine, "a key");

    ok(db_run(prompt_idempotency_mark(&query, &first, prompt_str("0 a"))),
       "a change leaves a step");
    ok(db_run(prompt_idempotency_renew(&query, &first, 0))
       && pg.rows[0].count == 1, "it is let go");
    ok(take_near(&second, 30, &row) && !row.mine
       && take_near(&second, -30, &row) && !row.mine,
       "a clock that was set by half a minute takes nothing over");
    ok(db_run(prompt_idempotency_take(&query, &second, LEASE, db_clock(),
                                      prompt_maybe_unknown))
       && prompt_idempotency_take_row(&pg.rows[PROMPT_IDEMPOTENCY_TAKES - 1],
                                      &row)
       && !row.mine,
       "nor one that is not known");
    ok(take(&second, LEASE, &row), "who comes next");
    ok(row.mine && row.steps.count == 1, "takes it over, with its steps");
    is_str(prompt_texts_item(&row.steps, 0), "0 a", "as they were left");

    memset(&record, 0, sizeof(record));
    record.id = ctl_uuid_view(&prompt);
    record.owner_id = ctl_uuid_view(&ann);
    record.name = prompt_str("fenced");
    record.category = prompt_str("GENERAL");

    ok(!db_run(prompt_create(&query, &record)
               && prompt_idempotency_mark(&query, &first, prompt_str("1 b"))),
       "a change of who held it before fails");
    is_int(db_number("SELECT count(*) FROM prompts WHERE name = 'fenced'"), 0,
           "and is undone");
    ok(db_run(prompt_create(&query, &record)
              && prompt_idempotency_mark(&query, &second, prompt_str("1 b"))),
       "one of who holds it does not");
    is_int(db_number("SELECT count(*) FROM prompts WHERE name = 'fenced'"), 1,
           "and is done");

    ok(db_run(prompt_idempotency_renew(&query, &first, LEASE))
       && pg.rows[0].count == 0, "nor is a lease renewed that is lost");

    ok(db_run(prompt_idempotency_look(&query, ctl_uuid_view(&prompt))),
       "what has an id");
    is_str(prompt_rows_cell(&pg.rows[0], 0, 0), "there", "is there");
    ok(db_run(prompt_idempotency_look(&query, ctl_uuid_view(&one))),
       "what has another");
    ok(prompt_rows_cell(&pg.rows[0], 0, 0).data == NULL, "is not");
}


static void
test_age(void)
{
    prompt_uuid_t             one;
    prompt_maybe_t            jumped;
    prompt_idempotency_t      again, held;
    prompt_idempotency_row_t  row;

    one = db_uuid();
    again = key_of(&ann, 0, 2, &one);
    held = key_of(&ann, 3, 1, &one);

    ok(db_script("UPDATE idempotency_keys SET created_at = now()"
                 " - interval '25 hours'"), "a day passes");

    ok(take(&held, LEASE, &row) && !row.mine && row.steps.count == 2,
       "what is being done stays somebody's");
    ok(db_run(prompt_idempotency_sweep(&query, 10, db_clock())),
       "nor is it swept");
    is_int(db_number("SELECT count(*) FROM idempotency_keys WHERE status IS"
                     " NULL"), 2, "away");

    ok(db_script("UPDATE idempotency_keys SET status = 200"), "it is done");

    jumped = db_clock();
    jumped.value -= 2 * 60 * 1000000;

    ok(db_run(prompt_idempotency_take(&query, &held, LEASE, jumped, jumped))
       && db_run(prompt_idempotency_sweep(&query, 10, jumped))
       && prompt_swept_row(&pg.rows[0]) == 0,
       "a clock that jumped takes none away");
    jumped.known = false;
    ok(db_run(prompt_idempotency_take(&query, &held, LEASE, jumped, jumped))
       && db_run(prompt_idempotency_sweep(&query, 10, jumped))
       && prompt_swept_row(&pg.rows[0]) == 0,
       "nor does one that is not known");
    is_int(db_number("SELECT count(*) FROM idempotency_keys WHERE status IS"
                     " NULL"), 0, "and none is done again");

    ok(take(&again, LEASE, &row) && row.mine && row.same
       && row.steps.count == 0, "an old key is new");

    ok(db_script("INSERT INTO idempotency_keys (user_id, key, fingerprint,"
                 " holder, lease, created_at) SELECT user_id, sha256(key),"
                 " key, holder, now() - interval '1 second', now() - interval"
                 " '25 hours' FROM idempotency_keys WHERE status IS NULL"),
       "one that was left");
    is_int(db_number("SELECT count(*) FROM idempotency_keys"), 4, "others");
    ok(db_run(prompt_idempotency_sweep(&query, 2, db_clock())),
       "some are swept");
    is_int(prompt_swept_row(&pg.rows[0]), 2, "at most");
    ok(db_run(prompt_idempotency_sweep(&query, 10, db_clock())), "the rest");
    is_int(prompt_swept_row(&pg.rows[0]), 1, "is one");
    is_int(db_number("SELECT count(*) FROM idempotency_keys"), 1,
           "what is young stays");
}


static void
test_rights(void)
{
    int                       i;
    char                      sql[1024];
    prompt_uuid_t             one;
    prompt_idempotency_t      key;
    prompt_idempotency_row_t  row;

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

    one = db_uuid();
    key = key_of(&bob, 3, 1, &one);

    ok(take(&key, LEASE, &row) && row.mine, "take");
    ok(db_run(prompt_idempotency_mark(&query, &key, prompt_str("0 ")))
       && db_run(prompt_idempotency_renew(&query, &key, LEASE))
       && db_run(prompt_idempotency_finish(&query, &key, 200,
                                           prompt_str_absent, prompt_str("")))
       && db_run(prompt_idempotency_look(&query, key.user_id))
       && db_run(prompt_idempotency_sweep(&query, 10, db_clock())),
       "and all else");
    ok(!db_script("UPDATE idempotency_keys SET fingerprint = key"),
       "but not what a key is for");

    (void) db_script("RESET ROLE");
    (void) snprintf(sql, sizeof(sql), "DROP OWNED BY %s_role; DROP ROLE"
                    " %s_role", db_name, db_name);
    ok(db_script(sql), "and away");
}


int
main(void)
{
    int  i;

    if (!db_begin()) {
        return 0;
    }

    for (i = 0; i < 4; i++) {
        memset(hashes[i], 'a' + i, sizeof(hashes[i]));
    }

    ann = db_uuid();
    bob = db_uuid();

    ok(db_run(prompt_user_add(&query, ctl_uuid_view(&ann),
                              prompt_str("ann@example.org"),
                              prompt_str_absent))
       && db_run(prompt_user_add(&query, ctl_uuid_view(&bob),
                                 prompt_str("bob@example.org"),
                                 prompt_str_absent)), "two users");

    test_taking();
    test_leaving();
    test_age();
    test_rights();

    db_close();

    return done_testing();
}
