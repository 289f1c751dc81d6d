/*
 * The store's promises under concurrency: version numbers without gap or
 * repeat, one winner of a name, no more labels than there may be and moves that
 * follow on each other, forks and deletes that leave no orphan, an execution
 * that ends while its prompt is deleted.
 *
 * Each client is a process with a connection of its own; they start together
 * and count what they saw in shared memory.
 */

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/label.h"
#include "store_db.h"


#define CLIENTS   64
#define ROUNDS    12


/* what clients count, each with atomic additions */
typedef struct {
    unsigned  outcomes[9];           /* by prompt_outcome_t */
    unsigned  duplicates;
    unsigned  errors;                /* SQLSTATEs that nobody expects */
    unsigned  ready;
    unsigned  written;
} counts_t;


static counts_t       *counts;
static prompt_uuid_t   owner, target;


static void
count(unsigned *n)
{
    (void) __atomic_add_fetch(n, 1, __ATOMIC_SEQ_CST);
}


static void
count_outcome(bool appended, prompt_outcome_t (*read)(const prompt_rows_t *))
{
    bool  done;

    /* another one was faster: done again, as by the service */

    do {
        done = appended && ctl_postgres_run(&pg, &query);
    } while (appended && !done && pg.status == PROMPT_SQL_RETRY);

    query.count = 0;

    if (done) {
        count(&counts->outcomes[read(&pg.rows[0])]);

    } else if (pg.status == PROMPT_SQL_DUPLICATE) {
        count(&counts->duplicates);

    } else {
        diag("%s: %s", pg.sqlstate, pg.message);
        count(&counts->errors);
    }
}


static prompt_outcome_t
read_changed(const prompt_rows_t *rows)
{
    prompt_record_t  record;

    return prompt_changed_row(rows, &record);
}


static prompt_outcome_t
read_version(const prompt_rows_t *rows)
{
    prompt_version_t  version;

    return prompt_version_created_row(rows, &version);
}


/* Runs work(client, round) in all clients at once; waits for all of them. */

static void
run_clients(unsigned clients, unsigned rounds,
    void (*work)(unsigned client, unsigned round))
{
    int       status;
    unsigned  i, round;

    memset(counts, 0, sizeof(counts_t));
    (void) fflush(NULL);

    for (i = 0; i < clients; i++) {

        if (fork() != 0) {
            continue;
        }

        db_open();
        count(&counts->ready);

        /* one that had no connection ended, and the others wait in vain */

        while (__atomic_load_n(&counts->ready, __ATOMIC_SEQ_CST) < clients) {

            if (__atomic_load_n(&counts->errors, __ATOMIC_SEQ_CST) != 0) {
                _exit(1);
            }

            (void) usleep(1000);
        }

        for (round = 0; round < rounds; round++) {
            work(i, round);
        }

        db_close();
        _exit(0);
    }

    while (wait(&status) > 0) {
        if (status != 0) {
            count(&counts->errors);
        }
    }
}


static void
add_version(unsigned client, unsigned round)
{
    prompt_uuid_t     id;
    prompt_version_t  new;

    (void) client;
    (void) round;

    id = db_uuid();

    memset(&new, 0, sizeof(new));
    new.id = ctl_uuid_view(&id);
    new.prompt_id = ctl_uuid_view(&target);
    new.content = prompt_str("content");
    new.params = prompt_str("{}");

    count_outcome(prompt_version_create(&query, ctl_uuid_view(&owner), &new),
                  read_version);
}


static void
test_numbers(void)
{
    target = db_prompt(&owner, "numbers", false);

    run_clients(CLIENTS, ROUNDS, add_version);

    is_int(counts->errors, 0, "64 clients add versions: no error");
    is_int(counts->outcomes[PROMPT_OUTCOME_DONE], CLIENTS * ROUNDS, "all do");
    is_int(db_number("SELECT count(DISTINCT version) FROM prompt_versions"),
           CLIENTS * ROUNDS, "all numbers are distinct");
    is_int(db_number("SELECT max(version) FROM prompt_versions"),
           CLIENTS * ROUNDS, "and there is no gap");
    is_int(db_number("SELECT last_version FROM prompts"), CLIENTS * ROUNDS,
           "the prompt knows the last");
    is_int(db_number("SELECT (updated_at >= created_at + 768 * interval"
                     " '1 ms')::int FROM prompts"), 1,
           "its time moved with each");
}


static void
create_same(unsigned client, unsigned round)
{
    char             name[32];
    prompt_uuid_t    id;
    prompt_record_t  prompt;

    (void) client;
    (void) snprintf(name, sizeof(name), "same-%u", round);

    id = db_uuid();

    memset(&prompt, 0, sizeof(prompt));
    prompt.id = ctl_uuid_view(&id);
    prompt.owner_id = ctl_uuid_view(&owner);
    prompt.name = prompt_str_from(name);
    prompt.category = prompt_str("GENERAL");

    count_outcome(prompt_create(&query, &prompt), read_changed);
}


static void
test_names(void)
{
    run_clients(16, ROUNDS, create_same);

    is_int(counts->errors, 0, "16 clients create the same names: no error");
    is_int(counts->outcomes[PROMPT_OUTCOME_DONE], ROUNDS, "each once");
    is_int(counts->outcomes[PROMPT_OUTCOME_NAME_TAKEN], 15 * ROUNDS,
           "the others are told");
}


/* rename to few names, so that clients collide */

static void
rename_same(unsigned client, unsigned round)
{
    char             name[32];
    prompt_record_t  change;

    (void) client;
    (void) snprintf(name, sizeof(name), "same-%u", (client + round) % 3);

    memset(&change, 0, sizeof(change));
    change.name = prompt_str_from(name);

    count_outcome(prompt_update(&query, ctl_uuid_view(&target),
                                ctl_uuid_view(&owner),
                                prompt_bit(&prompt_prompt_resource,
                                           prompt_record_t, name), &change),
                  read_changed);
}


static void
test_renames(void)
{
    run_clients(8, ROUNDS, rename_same);

    is_int(counts->errors, 0, "8 clients rename: duplicates only");
    is_int(counts->duplicates, 8 * ROUNDS, "each is refused");
}


/*
 * Some fork the target, some add versions, one deletes it in its last round;
 * executions of it start and end meanwhile.
 */
static void
fork_and_delete(unsigned client, unsigned round)
{
    char                    suffix[8];
    prompt_uuid_t           id;
    prompt_execution_run_t  run;

    id = db_uuid();

    switch (client % 4) {

    case 0:
        (void) snprintf(suffix, sizeof(suffix), "%02u%04u", client % 100,
                        round);
        count_outcome(prompt_fork(&query, ctl_uuid_view(&target),
                                  ctl_uuid_view(&owner), ctl_uuid_view(&id),
                                  prompt_str_from(suffix)),
                      read_changed);
        return;

    case 1:
        add_version(client, round);
        return;

    case 2:
        if (round == ROUNDS / 2) {
            count_outcome(prompt_delete(&query, ctl_uuid_view(&target),
                                        ctl_uuid_view(&owner)),
                          prompt_outcome_row);
        }

        (void) usleep(1000);
        return;

    default:
        break;
    }

    memset(&run, 0, sizeof(run));
    run.id = ctl_uuid_view(&id);
    run.prompt_id = ctl_uuid_view(&target);
    run.version = 1;
    run.caller = ctl_uuid_view(&owner);
    run.input = prompt_str("{}");
    run.status = prompt_str("succeeded");
    run.output = prompt_str("out");

    if (round % 2 == 0
        && (!prompt_execution_start(&query, &run)
            || !ctl_postgres_run(&pg, &query)))
    {
        diag("start: %s %s", pg.sqlstate, pg.message);
        count(&counts->errors);
    }

    query.count = 0;

    if (!db_finish(&run)) {
        diag("finish: %s %s", pg.sqlstate, pg.message);
        count(&counts->errors);

    } else {
        (void) __atomic_add_fetch(&counts->written, pg.rows[0].count,
                                  __ATOMIC_SEQ_CST);
    }

    query.count = 0;
}


static void
test_races(void)
{
    int       i;
    char      name[32];
    unsigned  errors, deleted, forked, written;

    errors = 0;
    deleted = 0;
    forked = 0;
    written = 0;

    for (i = 0; i < 6; i++) {
        (void) snprintf(name, sizeof(name), "race-%d", i);
        target = db_prompt(&owner, name, true);
        (void) db_version(&owner, &target, "content", "{}", NULL, NULL);

        run_clients(16, ROUNDS, fork_and_delete);

        errors += counts->errors;
        deleted += counts->outcomes[PROMPT_OUTCOME_DONE] != 0;
        written += counts->written;
    }

    forked = (unsigned) db_number("SELECT count(*) FROM prompts"
                                  " WHERE name LIKE '%-fork-%'");

    is_int(errors, 0, "fork, add, execute and delete at once: no error");
    ok(deleted == 6 && forked > 0 && written > 0, "all of it happened");
    diag("%u forks, %u executions written", forked, written);

    is_int(db_number("SELECT count(*) FROM prompts WHERE name ~ '^race-.$'"),
           0, "what was deleted is gone");
    is_int(db_number("SELECT count(*) FROM prompt_versions v WHERE NOT EXISTS"
                     " (SELECT FROM prompts p WHERE p.id = v.prompt_id"
                     " AND p.owner_id = v.owner_id)"), 0,
           "no version without its prompt");
    is_int(db_number("SELECT count(*) FROM executions e WHERE NOT EXISTS"
                     " (SELECT FROM prompt_versions v WHERE v.prompt_id ="
                     " e.prompt_id AND v.version = e.version)"), 0,
           "no execution without its version");

    /* a copy of more than 32 versions is only begun here, and hidden */

    is_int(db_number("SELECT count(*) FROM prompts p WHERE state <> 2"
                     " AND last_version <> (SELECT count(*) FROM"
                     " prompt_versions v WHERE v.prompt_id = p.id)"), 0,
           "no prompt, copies too, with a gap in its versions");
    is_int(db_number("SELECT count(*) FROM executions WHERE status ="
                     " 'running'"), 0, "none runs for ever");
}


static void
sweep_all(unsigned client, unsigned round)
{
    bool          more;
    prompt_str_t  failed;

    (void) client;
    (void) round;

    if (!prompt_execution_sweep(&query, 20, db_clock())
        || !ctl_postgres_run(&pg, &query))
    {
        count(&counts->errors);

    } else {
        (void) __atomic_add_fetch(&counts->written,
                                  (unsigned) prompt_execution_sweep_row(
                                                 &pg.rows[0], &more,
                                                 &failed),
                                  __ATOMIC_SEQ_CST);
    }

    query.count = 0;
}


static void
test_sweepers(void)
{
    int                     i;
    prompt_uuid_t           id;
    prompt_execution_run_t  run;

    target = db_prompt(&owner, "sweepers", false);
    (void) db_version(&owner, &target, "content", "{}", NULL, NULL);

    for (i = 0; i < 100; i++) {
        id = db_uuid_before(60000);

        memset(&run, 0, sizeof(run));
        run.id = ctl_uuid_view(&id);
        run.prompt_id = ctl_uuid_view(&target);
        run.version = 1;
        run.caller = ctl_uuid_view(&owner);
        run.input = prompt_str("{}");
        run.timeout_ms = -60000;

        (void) db_run(prompt_execution_start(&query, &run));
    }

    run_clients(8, ROUNDS, sweep_all);

    /* one at a time does it: the others may have found nothing to do */

    for (i = 0; i < 100 / 20 + 1; i++) {
        sweep_all(0, 0);
    }

    is_int(counts->errors, 0, "8 sweepers: no error");
    is_int(counts->written, 100, "each row is marked once");
}


/* half of the clients copy and delete, the others look */

static void
look_or_delete(unsigned client, unsigned round)
{
    bool             done;
    char             suffix[8];
    unsigned         prompts, versions;
    prompt_uuid_t    copy;
    prompt_range_t   range;

    memset(&range, 0, sizeof(range));
    range.kind = PROMPT_RANGE_LIST;
    range.caller = ctl_uuid_view(&owner);

    if (client % 2 == 0) {
        copy = db_uuid();
        (void) snprintf(suffix, sizeof(suffix), "s%02u%03u",
                        client % 100, round % 1000);

        count_outcome(prompt_fork(&query, ctl_uuid_view(&target),
                                  ctl_uuid_view(&owner),
                                  ctl_uuid_view(&copy),
                                  prompt_str_from(suffix)), read_changed);
        count_outcome(prompt_delete(&query, ctl_uuid_view(&copy),
                                    ctl_uuid_view(&owner)),
                      prompt_outcome_row);
        return;
    }

    done = prompt_snapshot(&query)
           && prompt_read(&query, &range, 0)
           && prompt_version_read(&query, &range, NULL, 0)
           && ctl_postgres_run(&pg, &query);
    query.count = 0;

    if (!done) {
        diag("%s: %s", pg.sqlstate, pg.message);
        count(&counts->errors);
        return;
    }

    prompts = pg.rows[1].count;
    versions = pg.rows[2].count;

    if (versions != 3 * prompts) {
        diag("%u prompts with %u versions", prompts, versions);
        count(&counts->errors);
    }

    /* beside the original */

    (void) __atomic_add_fetch(&counts->written, prompts - 1,
                              __ATOMIC_SEQ_CST);
}


static void
test_snapshots(void)
{
    (void) db_script("DELETE FROM prompts");
    target = db_prompt(&owner, "snapshots", true);
    (void) db_version(&owner, &target, "one", "{}", NULL, NULL);
    (void) db_version(&owner, &target, "two", "{}", NULL, NULL);
    (void) db_version(&owner, &target, "three", "{}", NULL, NULL);

    run_clients(16, 10 * ROUNDS, look_or_delete);

    is_int(counts->errors, 0, "prompts are read with all of their versions");
    ok(counts->written != 0, "and some were seen");
    is_int(db_number("SELECT (current_setting('transaction_isolation') ="
                     " 'read committed')::int"), 1,
           "the next transaction is as any other");
}


/* Sets one of 80 labels, of which 64 may be, and now and then removes one. */

static void
move_label(unsigned client, unsigned round)
{
    bool              done, removes;
    char              name[16];
    prompt_uuid_t     move;
    prompt_label_t    label;

    move = db_uuid();
    removes = (client + round) % 7 == 0;

    memset(&label, 0, sizeof(label));
    (void) snprintf(name, sizeof(name), "l%u",
                    (client * ROUNDS + round) * 31 % 80);

    label.prompt_id = ctl_uuid_view(&target);
    label.label = prompt_str_from(name);
    label.version = 1 + (int32_t) (client + round) % 3;

    done = removes
           ? prompt_label_remove(&query, label.prompt_id,
                                 ctl_uuid_view(&owner), label.label,
                                 ctl_uuid_view(&move))
           : prompt_label_set(&query, ctl_uuid_view(&owner), &label,
                              ctl_uuid_view(&move), 64);
    done = done && ctl_postgres_run(&pg, &query);
    query.count = 0;

    if (done) {
        count(&counts->outcomes[prompt_outcome_row(
                                &pg.rows[PROMPT_LABEL_STATEMENTS - 1])]);
        return;
    }

    diag("%s: %s", pg.sqlstate, pg.message);
    count(&counts->errors);
}


static void
test_labels(void)
{
    unsigned  i;

    target = db_prompt(&owner, "labels", false);

    for (i = 0; i < 3; i++) {
        (void) db_version(&owner, &target, "content", "{}", NULL, NULL);
    }

    run_clients(CLIENTS, ROUNDS, move_label);

    is_int(counts->errors, 0, "64 clients move labels: no error");
    is_int(counts->outcomes[PROMPT_OUTCOME_DONE]
           + counts->outcomes[PROMPT_OUTCOME_TOO_MANY]
           + counts->outcomes[PROMPT_OUTCOME_NO_LABEL], CLIENTS * ROUNDS,
           "they are, or there are too many, or none to be removed");
    diag("%u done, %u too many, %u not set",
         counts->outcomes[PROMPT_OUTCOME_DONE],
         counts->outcomes[PROMPT_OUTCOME_TOO_MANY],
         counts->outcomes[PROMPT_OUTCOME_NO_LABEL]);

    is_int(db_number("SELECT max(standing) FROM (SELECT sum(CASE WHEN"
                     " previous_version IS NULL THEN 1"
                     " WHEN version IS NULL THEN -1 ELSE 0 END)"
                     " OVER (ORDER BY number) AS standing"
                     " FROM prompt_label_moves) m"), 64,
           "never more than 64 stand");
    is_int(db_number("SELECT count(*) FROM (SELECT version, previous_version,"
                     " lag(version) OVER (PARTITION BY label ORDER BY number)"
                     " AS before FROM prompt_label_moves) m"
                     " WHERE previous_version IS DISTINCT FROM before"
                     " OR version IS NOT DISTINCT FROM before"), 0,
           "each move begins where the one before it ended");
    is_int(db_number("SELECT max(number) - count(*) FROM prompt_label_moves"),
           0, "they have no gap");
    is_int(db_number("SELECT count(*) FROM prompt_labels l FULL JOIN"
                     " (SELECT DISTINCT ON (label) * FROM prompt_label_moves"
                     " ORDER BY label, number DESC) m ON m.label = l.label"
                     " WHERE l.version IS DISTINCT FROM m.version"), 0,
           "labels stand where the last ones left them");
}


int
main(void)
{
    if (!db_begin()) {
        return 0;
    }

    counts = mmap(NULL, sizeof(counts_t), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED) {
        return 1;
    }

    owner = db_user("concurrent@example.org");

    test_numbers();
    test_names();
    test_renames();
    test_races();
    test_sweepers();
    test_snapshots();
    test_labels();

    db_close();

    return done_testing();
}
