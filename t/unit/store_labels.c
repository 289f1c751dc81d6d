/*
 * Labels in the store: what is set and refused, moves and their order, every
 * range, the version that a label names, removal in steps; and all of it as the
 * role with least rights.
 */

#include "prompt/split.h"
#include "store/label.h"
#include "store_db.h"


#define MOST  4


static prompt_uuid_t  ann, bob, one, two, three;


/* a public prompt of ann's with so many versions */

static prompt_uuid_t
prompt_of(const char *name, unsigned versions)
{
    prompt_uuid_t  id;

    id = db_prompt(&ann, name, true);

    for ( /* void */ ; versions != 0; versions--) {
        (void) db_version(&ann, &id, "text", "{}", NULL, NULL);
    }

    return id;
}


static prompt_outcome_t
set(const prompt_uuid_t *caller, const prompt_uuid_t *id, const char *name,
    int32_t version, int64_t *set_at)
{
    prompt_uuid_t     move;
    prompt_label_t    label;
    prompt_outcome_t  outcome;

    memset(&label, 0, sizeof(label));

    move = db_uuid();

    label.prompt_id = ctl_uuid_view(id);
    label.label = prompt_str_from(name);
    label.version = version;

    if (!db_run(prompt_label_set(&query, ctl_uuid_view(caller), &label,
                                 ctl_uuid_view(&move), MOST)))
    {
        return PROMPT_OUTCOME_BROKEN;
    }

    outcome = prompt_label_set_row(&pg.rows[PROMPT_LABEL_STATEMENTS - 1],
                                   &label);

    if (set_at != NULL) {
        *set_at = label.set_at;
    }

    return outcome;
}


static prompt_outcome_t
unset(const prompt_uuid_t *caller, const prompt_uuid_t *id, const char *name)
{
    prompt_uuid_t  move;

    move = db_uuid();

    if (!db_run(prompt_label_remove(&query, ctl_uuid_view(id),
                                    ctl_uuid_view(caller),
                                    prompt_str_from(name),
                                    ctl_uuid_view(&move))))
    {
        return PROMPT_OUTCOME_BROKEN;
    }

    return prompt_outcome_row(&pg.rows[PROMPT_LABEL_STATEMENTS - 1]);
}


static void
test_set(void)
{
    int64_t        first, again, moved;
    prompt_uuid_t  none;

    none = db_uuid();

    is_int(set(&ann, &one, "production", 1, &first), PROMPT_OUTCOME_DONE,
           "a label is set");
    is_int(set(&ann, &one, "production", 1, &again), PROMPT_OUTCOME_DONE,
           "where it stands");
    ok(again == first, "it stays as it was");
    is_int(db_number("SELECT count(*) FROM prompt_label_moves"), 1,
           "which is no move");
    is_int(set(&ann, &one, "production", 2, &moved), PROMPT_OUTCOME_DONE,
           "it is moved");
    ok(moved > first, "later");

    is_int(set(&ann, &one, "production", 4, NULL), PROMPT_OUTCOME_NO_VERSION,
           "to no version that is not there");
    is_int(set(&bob, &one, "production", 1, NULL), PROMPT_OUTCOME_FORBIDDEN,
           "nor by another");
    is_int(set(&ann, &none, "production", 1, NULL), PROMPT_OUTCOME_NOT_FOUND,
           "nor of no prompt");

    is_int(set(&ann, &one, "a", 1, NULL), PROMPT_OUTCOME_DONE, "a second");
    is_int(set(&ann, &one, "b", 1, NULL), PROMPT_OUTCOME_DONE, "a third");
    is_int(set(&ann, &one, "c", 1, NULL), PROMPT_OUTCOME_DONE, "the last");
    is_int(set(&ann, &one, "d", 1, NULL), PROMPT_OUTCOME_TOO_MANY,
           "one too many");
    is_int(set(&ann, &one, "c", 3, NULL), PROMPT_OUTCOME_DONE,
           "one of them is moved");

    is_int(unset(&bob, &one, "c"), PROMPT_OUTCOME_FORBIDDEN,
           "another removes none");
    is_int(unset(&ann, &one, "d"), PROMPT_OUTCOME_NO_LABEL,
           "what is not set is not removed");
    is_int(unset(&ann, &none, "c"), PROMPT_OUTCOME_NOT_FOUND,
           "nor that of no prompt");
    is_int(unset(&ann, &one, "c"), PROMPT_OUTCOME_DONE, "one is removed");
    is_int(set(&ann, &one, "d", 1, NULL), PROMPT_OUTCOME_DONE,
           "there is room");
}


/* Each move begins where the one before it of the same label ended. */

static void
test_history(void)
{
    is_int(db_number("SELECT count(*) FROM ("
                     "SELECT previous_version, lag(version) OVER"
                     " (PARTITION BY prompt_id, label ORDER BY number)"
                     " AS before FROM prompt_label_moves) m"
                     " WHERE previous_version IS DISTINCT FROM before"), 0,
           "moves follow on each other");
    is_int(db_number("SELECT count(*) FROM (SELECT moved_at, lag(moved_at)"
                     " OVER (PARTITION BY prompt_id ORDER BY number) AS before"
                     " FROM prompt_label_moves) m WHERE moved_at <= before"), 0,
           "and are later than each other");
    is_int(db_number("SELECT count(*) FROM prompt_labels l WHERE NOT EXISTS"
                     " (SELECT FROM (SELECT DISTINCT ON (prompt_id, label) *"
                     " FROM prompt_label_moves"
                     " ORDER BY prompt_id, label, number DESC) m"
                     " WHERE m.prompt_id = l.prompt_id AND m.label = l.label"
                     " AND m.version = l.version AND m.moved_at = l.set_at)"),
           0, "labels are where the last one left them");
}


/* what a range has of labels and of moves, in order */

static void
is_read(const prompt_range_t *range, unsigned labels, unsigned moves,
    const char *name)
{
    int                        order;
    bool                       sound;
    unsigned                   i;
    const prompt_statement_t  *statement;
    prompt_label_t             label, before;
    prompt_label_move_t        move;

    sound = db_run(prompt_label_read(&query, range, UINT32_MAX))
            && pg.rows[0].count == labels;

    statement = prompt_statement_family(PROMPT_FAMILY_LABEL_BY_ID
                                        + prompt_range_index(range),
                                        UINT32_MAX);
    memset(&before, 0, sizeof(before));

    for (i = 0; sound && i < labels; i++) {
        prompt_columns_read(&prompt_label_resource, statement->columns,
                            &pg.rows[0], i, 0, &label);

        order = i == 0 ? 1 : prompt_str_cmp(before.prompt_id, label.prompt_id);

        sound = order > 0
                || (order == 0
                    && prompt_str_cmp(before.label, label.label) < 0);
        sound = sound && label.version != 0 && label.set_at != 0;
        before = label;
    }

    if (!sound) {
        diag("%u labels", pg.rows[0].count);
    }

    sound = sound
            && db_run(prompt_label_moves(&query, range, UINT32_MAX, 2,
                                         prompt_str_absent))
            && pg.rows[0].count == moves;

    statement = prompt_statement_family(PROMPT_FAMILY_MOVE_BY_ID
                                        + prompt_range_index(range),
                                        UINT32_MAX);

    for (i = 0; sound && i < moves; i++) {
        prompt_columns_read(&prompt_move_resource, statement->columns,
                            &pg.rows[0], i, 0, &move);
        sound = move.id.len == PROMPT_UUID_LEN && move.label.len != 0
                && move.moved_at != 0;
    }

    ok(sound, name);
}


static void
test_ranges(void)
{
    char            ids[2 * PROMPT_UUID_LEN];
    prompt_range_t  range;

    memset(&range, 0, sizeof(range));
    range.caller = ctl_uuid_view(&bob);
    range.id = ctl_uuid_view(&one);

    is_read(&range, 4, 2, "by id, of a public prompt of another's");

    range.caller = ctl_uuid_view(&ann);
    range.max_rows = 3;
    is_read(&range, 3, 2, "no more than wanted");

    range.max_rows = 0;
    range.kind = PROMPT_RANGE_NAME;
    range.name = prompt_str("two");
    is_read(&range, 1, 1, "by name");

    range.kind = PROMPT_RANGE_LIST;
    is_read(&range, 5, 3, "all");

    range.max_rows = 1;
    is_read(&range, 1, 1, "all, no more than wanted");

    range.max_rows = 0;
    range.first = 10;
    is_read(&range, 5, 3, "a page");

    range.first = 0;
    range.category = prompt_str("ROUTING");
    is_read(&range, 0, 0, "a page of none");

    memcpy(ids, one.bytes, PROMPT_UUID_LEN);
    memcpy(ids + PROMPT_UUID_LEN, two.bytes, PROMPT_UUID_LEN);

    range.kind = PROMPT_RANGE_IDS;
    range.ids = prompt_str_of(ids, sizeof(ids));
    is_read(&range, 5, 3, "by ids");

    range.caller = ctl_uuid_view(&bob);
    is_read(&range, 0, 0, "which are another's");

    range.kind = PROMPT_RANGE_ID;
    ok(db_script("UPDATE prompts SET is_public = false"), "private");
    is_read(&range, 0, 0, "by id, of another's private one");
    ok(db_script("UPDATE prompts SET is_public = true"), "public again");
}


/* pages of moves */

static void
test_pages(void)
{
    unsigned                   n;
    prompt_range_t             range;
    prompt_uuid_t              after;
    prompt_label_move_t        move;
    const prompt_statement_t  *statement;

    memset(&range, 0, sizeof(range));
    range.caller = ctl_uuid_view(&ann);
    range.id = ctl_uuid_view(&one);

    statement = prompt_statement_family(PROMPT_FAMILY_MOVE_BY_ID, UINT32_MAX);
    move.id = prompt_str_absent;

    for (n = 0; n < 100; n++) {

        if (!db_run(prompt_label_moves(&query, &range, UINT32_MAX, 1, move.id))
            || pg.rows[0].count == 0)
        {
            break;
        }

        prompt_columns_read(&prompt_move_resource, statement->columns,
                            &pg.rows[0], 0, 0, &move);
        memcpy(after.bytes, move.id.data, PROMPT_UUID_LEN);
        move.id = ctl_uuid_view(&after);
    }

    is_int(n, db_number("SELECT count(*) FROM prompt_label_moves m"
                        " JOIN prompts p ON p.id = m.prompt_id"
                        " WHERE p.name = 'one'"), "all moves, page by page");

    range.id = ctl_uuid_view(&two);
    ok(db_run(prompt_label_moves(&query, &range, 0, 10, move.id))
       && pg.rows[0].count == 0, "none behind that of another prompt");
}


/* the one version that is asked for, or 0 */

static int32_t
version_of(prompt_range_t *range, const prompt_versions_t *versions)
{
    prompt_version_t           version;
    const prompt_statement_t  *statement;

    if (!db_run(prompt_version_read(&query, range, versions, 0))
        || pg.rows[0].count != 1)
    {
        return 0;
    }

    statement = prompt_statement_family(PROMPT_FAMILY_VERSION_BY_ID
                                        + prompt_versions_index(range,
                                                                versions), 0);
    prompt_version_row(statement, &pg.rows[0], 0, &version);

    return version.version;
}


static void
test_version(void)
{
    unsigned                          i;
    prompt_range_t                    range;
    prompt_versions_t                 versions;
    static const prompt_range_kind_t  kinds[] = {
        PROMPT_RANGE_ID, PROMPT_RANGE_NAME, PROMPT_RANGE_LIST, PROMPT_RANGE_IDS
    };

    for (i = 0; i < 4; i++) {
        memset(&range, 0, sizeof(range));
        memset(&versions, 0, sizeof(versions));

        range.kind = kinds[i];
        range.caller = ctl_uuid_view(&ann);
        range.id = ctl_uuid_view(&one);
        range.name = prompt_str("one");
        range.ids = range.id;
        range.category = prompt_str("SUMMARIZATION");    /* only it is so */
        versions.one = true;

        is_int(version_of(&range, &versions), 3, "the latest");

        versions.number = prompt_maybe(1);
        is_int(version_of(&range, &versions), 1, "by number");

        versions.number = prompt_maybe(4);
        is_int(version_of(&range, &versions), 0, "one that is not there");

        versions.number = prompt_maybe_unknown;
        versions.label = prompt_str("production");
        is_int(version_of(&range, &versions), 2, "by label");

        ok(db_run(prompt_execution_read(&query, &range, &versions, 0, 10,
                                        prompt_str_absent, true))
           && pg.rows[0].count == 1, "what was executed of it");

        versions.label = prompt_str("staging");
        is_int(version_of(&range, &versions), 0, "by one that is not set");
    }
}


static void
test_target(void)
{
    prompt_uuid_t              none;
    prompt_execution_target_t  target;

    none = db_uuid();

    ok(db_run(prompt_execution_labelled(&query, ctl_uuid_view(&one),
                                        ctl_uuid_view(&bob),
                                        prompt_str("production"), false,
                                        prompt_str("s")))
       && prompt_execution_target_row(&pg.rows[0], &target)
          == PROMPT_OUTCOME_DONE && target.version == 2, "to be executed");
    ok(db_run(prompt_execution_labelled(&query, ctl_uuid_view(&one),
                                        ctl_uuid_view(&bob),
                                        prompt_str("staging"), false,
                                        prompt_str("s")))
       && prompt_execution_target_row(&pg.rows[0], &target)
          == PROMPT_OUTCOME_NO_LABEL, "not by one that is not set");
    ok(db_run(prompt_execution_labelled(&query, ctl_uuid_view(&one),
                                        ctl_uuid_view(&bob),
                                        prompt_str("staging"), true,
                                        prompt_str("s")))
       && prompt_execution_target_row(&pg.rows[0], &target)
          == PROMPT_OUTCOME_DONE && !target.set_at.known,
       "but by the latest version, where that is said");
    ok(db_run(prompt_execution_labelled(&query, ctl_uuid_view(&one),
                                        ctl_uuid_view(&bob),
                                        prompt_str("production"), true,
                                        prompt_str("s")))
       && prompt_execution_target_row(&pg.rows[0], &target)
          == PROMPT_OUTCOME_DONE && target.set_at.known && target.version == 2,
       "where it is set, by that");
    ok(db_run(prompt_execution_labelled(&query, ctl_uuid_view(&none),
                                        ctl_uuid_view(&bob),
                                        prompt_str("production"), false,
                                        prompt_str("s")))
       && prompt_execution_target_row(&pg.rows[0], &target)
          == PROMPT_OUTCOME_NOT_FOUND, "nor of no prompt");
    ok(db_script("UPDATE prompts SET is_public = false")
       && db_run(prompt_execution_labelled(&query, ctl_uuid_view(&one),
                                           ctl_uuid_view(&bob),
                                           prompt_str("production"), false,
                                           prompt_str("s")))
       && prompt_execution_target_row(&pg.rows[0], &target)
          == PROMPT_OUTCOME_FORBIDDEN, "nor of a private one");
    ok(db_script("UPDATE prompts SET is_public = true"), "public again");
}


/* many moves go in steps, as executions do; a fork has none */

static void
test_remove(void)
{
    unsigned           steps;
    prompt_str_t       label;
    prompt_uuid_t      copy;
    prompt_record_t    record;
    prompt_removal_t   at;
    prompt_removed_t   removed;

    copy = db_uuid();
    ok(db_run(prompt_fork(&query, ctl_uuid_view(&one), ctl_uuid_view(&bob),
                          ctl_uuid_view(&copy), prompt_str("abcdef")))
       && prompt_changed_row(&pg.rows[0], &record) == PROMPT_OUTCOME_DONE,
       "a fork");
    is_int(db_number("SELECT (SELECT count(*) FROM prompt_labels l JOIN"
                     " prompts p ON p.id = l.prompt_id"
                     " AND p.name LIKE '%fork%')"
                     " + (SELECT count(*) FROM prompt_label_moves l JOIN"
                     " prompts p ON p.id = l.prompt_id"
                     " AND p.name LIKE '%fork%')"), 0, "without labels");

    ok(db_script("INSERT INTO prompt_label_moves (id, prompt_id, owner_id,"
                 " number, label, version, moved_at) SELECT gen_random_uuid(),"
                 " p.id, p.owner_id, 100 + m, 'x', 1, now() FROM prompts p,"
                 " generate_series(1, 20000) m WHERE p.name = 'one'"),
       "many moves");
    ok(db_script("UPDATE executions SET status = 'succeeded'"),
       "nothing runs, since what runs is kept until it ends");
    ok(db_run(prompt_delete(&query, ctl_uuid_view(&one), ctl_uuid_view(&ann)))
       && prompt_delete_row(pg.rows, &label) == PROMPT_OUTCOME_DONE,
       "deleted");

    removed = prompt_removed_row(&pg.rows[PROMPT_DELETE_REMOVED], &at);
    ok(removed == PROMPT_REMOVED_SOME && at.known && at.version < 0,
       "there is more to do");
    is_int(db_number("SELECT count(*) FROM prompt_labels l JOIN prompts p"
                     " ON p.id = l.prompt_id WHERE p.state <> 0"), 0,
           "its labels are gone at once");
    is_int(set(&ann, &one, "x", 1, NULL), PROMPT_OUTCOME_NOT_FOUND,
           "none is set any more");
    is_int(db_number("SELECT count(*) FROM prompt_versions v JOIN prompts p"
                     " ON p.id = v.prompt_id WHERE p.state <> 0"), 3,
           "versions go after the moves");

    for (steps = 0; removed == PROMPT_REMOVED_SOME && steps < 20000; steps++) {

        if (!db_run(prompt_sweep(&query, &at))) {
            break;
        }

        removed = prompt_removed_row(&pg.rows[0], &at);
    }

    diag("%u steps", steps);
    ok(removed == PROMPT_REMOVED_ALL, "steps lead to an end");
    is_int(db_number("SELECT count(*) FROM prompt_label_moves m"
                     " JOIN prompts p ON p.id = m.prompt_id"
                     " WHERE p.name = 'two'"), 1, "others keep theirs");
    is_int(db_number("SELECT count(*) FROM prompt_label_moves"), 1,
           "nothing else is left");
}


/* the role of the service; what it must not do */

static bool
as_role(void)
{
    bool      done;
    char      sql[1024];
    unsigned  i;

    (void) snprintf(sql, sizeof(sql), "CREATE ROLE %s_role", db_name);
    done = db_script(sql);

    for (i = 0; i < PROMPT_SCHEMA_GRANTS; i++) {
        (void) snprintf(sql, sizeof(sql), "%s%s_role",
                        prompt_schema_grant(query.arena, i).data, db_name);
        done = done && db_script(sql);
    }

    (void) snprintf(sql, sizeof(sql), "SET ROLE %s_role", db_name);

    return done && db_script(sql);
}


static void
test_rights(void)
{
    ok(!db_script("DELETE FROM prompt_label_moves"), "moves are not deleted");
    ok(!db_script("UPDATE prompt_label_moves SET version = 1"),
       "nor changed");
    ok(!db_script("UPDATE prompt_labels SET label = 'x'"),
       "nor is a label called otherwise");
}


/* the label of `three`, as these arms */
static prompt_outcome_t
set_split(int32_t version, const char *split, const char *guard)
{
    prompt_uuid_t   move;
    prompt_label_t  label;

    memset(&label, 0, sizeof(label));

    move = db_uuid();

    label.prompt_id = ctl_uuid_view(&three);
    label.label = prompt_str("split");
    label.version = version;
    label.split.cell = split != NULL ? prompt_str_from(split)
                                     : prompt_str_absent;
    label.guard.cell = guard != NULL ? prompt_str_from(guard)
                                     : prompt_str_absent;

    return db_run(prompt_label_set(&query, ctl_uuid_view(&ann), &label,
                                   ctl_uuid_view(&move), MOST))
           ? prompt_label_set_row(&pg.rows[PROMPT_LABEL_STATEMENTS - 1], &label)
           : PROMPT_OUTCOME_BROKEN;
}


/* as JSON of a version and its share, and so on */
#define ARM(version, permille)                                               \
    "{\"version\":" #version ",\"permille\":" #permille "}"


/* how many slots the version has, of those that another had before */
static int64_t
slots_of(int version, int before)
{
    char  sql[512];

    (void) snprintf(sql, sizeof(sql), "SELECT count(*) FROM prompt_labels l,"
                    " generate_series(0, 999) s JOIN before_slots b"
                    " ON b.slot = s WHERE l.label = 'split'"
                    " AND (l.split -> get_byte(l.slots, s) ->> 'version')::int"
                    " = %d AND (%d = 0 OR b.version = %d)", version, before,
                    before);

    return db_number(sql);
}


static void
note_slots(void)
{
    ok(db_script("CREATE TABLE IF NOT EXISTS before_slots (slot integer,"
                 " version integer); TRUNCATE before_slots;"
                 "INSERT INTO before_slots SELECT s, coalesce("
                 "(l.split -> get_byte(l.slots, s) ->> 'version')::int,"
                 " l.version) FROM prompt_labels l,"
                 " generate_series(0, 999) s WHERE l.label = 'split'"),
       "slots are noted");
}


/* Shares grow from all others, and shrink to all others; nothing else moves. */
static void
test_split(void)
{
    char                       sql[128];
    int64_t                    moves;
    prompt_uuid_t              move;
    prompt_label_figures_t     figures;
    prompt_execution_target_t  target;

    three = prompt_of("three", 3);

    is_int(set_split(1, NULL, NULL), PROMPT_OUTCOME_DONE, "one version");
    is_int(db_number("SELECT count(*) FROM prompt_labels WHERE label = 'split'"
                     " AND num_nonnulls(split, split_at, guard, salt, slots)"
                     " = 0"), 1, "which is no split");
    note_slots();

    is_int(set_split(1, "[" ARM(1, 900) "," ARM(2, 100) "]",
                     "{\"minExecutions\":1,\"maxFailurePermille\":50}"),
           PROMPT_OUTCOME_DONE, "a tenth for another");
    is_int(slots_of(1, 1), 900, "most keep theirs");
    is_int(slots_of(2, 0), 100, "and the others have the other");
    note_slots();

    is_int(set_split(1, "[" ARM(2, 300) "," ARM(1, 650) "," ARM(3, 50) "]",
                     NULL), PROMPT_OUTCOME_DONE, "more of it, and a third");
    is_int(slots_of(2, 2), 100, "who had it keeps it");
    is_int(slots_of(1, 1), 650, "most keep theirs again");
    is_int(slots_of(2, 1) + slots_of(3, 1), 250, "others come from there");
    note_slots();

    is_int(set_split(1, "[" ARM(1, 700) "," ARM(2, 200) "," ARM(3, 100) "]",
                     "{\"minExecutions\":1,\"maxFailurePermille\":50}"),
           PROMPT_OUTCOME_DONE, "one has less");
    is_int(slots_of(2, 2), 200, "who stays");
    is_int(slots_of(1, 1) + slots_of(3, 3), 700, "nobody leaves the others");
    is_int(db_number("SELECT count(DISTINCT salt) FROM prompt_labels"
                     " WHERE label = 'split' AND salt = (SELECT id"
                     " FROM prompt_label_moves WHERE split IS NOT NULL"
                     " ORDER BY number LIMIT 1)"), 1,
           "the salt is that of the first split");
    note_slots();

    moves = db_number("SELECT count(*) FROM prompt_label_moves");
    is_int(set_split(1, "[" ARM(1, 700) "," ARM(2, 200) "," ARM(3, 100) "]",
                     "{\"minExecutions\":1,\"maxFailurePermille\":50}"),
           PROMPT_OUTCOME_DONE, "the same again");
    is_int(db_number("SELECT count(*) FROM prompt_label_moves"), moves,
           "is no move");
    is_int(set_split(1, "[" ARM(1, 700) "," ARM(4, 300) "]", NULL),
           PROMPT_OUTCOME_NO_VERSION, "a version that is not there");

    /* a subject has the version that its slot has */

    ok(db_run(prompt_execution_labelled(&query, ctl_uuid_view(&three),
                                        ctl_uuid_view(&ann),
                                        prompt_str("split"), false,
                                        prompt_str("somebody")))
       && prompt_execution_target_row(&pg.rows[0], &target)
          == PROMPT_OUTCOME_DONE
       && target.split.data != NULL && target.slots.len == 1000
       && target.version == 1 + (int) target.slots.data[
                   prompt_split_slot(target.salt, prompt_str("somebody"))],
       "who is given a version by the database has it by the worker, too");

    /* a guard, which the least rights are enough for */

    (void) snprintf(sql, sizeof(sql), "SET ROLE %s_role", db_name);
    ok(db_script(sql), "as the role with least rights");
    ok(db_run(prompt_label_sweep(&query, 1, prompt_maybe_unknown))
       && pg.rows[0].count == 0, "which look at what runs");

    move = db_uuid();
    memset(&figures, 0, sizeof(figures));
    figures.prompt_id = ctl_uuid_view(&three);
    figures.owner_id = ctl_uuid_view(&ann);
    figures.label = prompt_str("split");
    figures.arm = 2;

    ok(db_run(prompt_label_guard(&query, &figures, ctl_uuid_view(&move),
                                 prompt_str("why")))
       && pg.rows[PROMPT_LABEL_STATEMENTS - 1].count == 0,
       "nothing of another split");

    figures.split_at = db_number("SELECT extract(epoch FROM split_at) * 1000000"
                                 " FROM prompt_labels WHERE label = 'split'");

    ok(db_run(prompt_label_guard(&query, &figures, ctl_uuid_view(&move),
                                 prompt_str("why")))
       && pg.rows[PROMPT_LABEL_STATEMENTS - 1].count == 1, "it takes a share");
    ok(db_script("RESET ROLE"), "as the owner");
    is_int(slots_of(2, 0), 0, "all of it");
    is_int(slots_of(1, 2), 200, "for the label's version");
    is_int(slots_of(1, 1) + slots_of(3, 3), 800, "nobody else moves");
    is_int(db_number("SELECT count(*) FROM prompt_label_moves m JOIN"
                     " prompt_labels l USING (prompt_id, label) WHERE"
                     " reason = 'why' AND m.split::text = l.split::text"
                     " AND m.version = 1 AND previous_version = 1"
                     " AND moved_by IS NULL AND moved_at = set_at"
                     " AND set_at > split_at AND l.split::text = '["
                     ARM(1, 900) "," ARM(2, 0) "," ARM(3, 100) "]'"), 1,
           "which is a move, with its reason");

    move = db_uuid();
    ok(db_run(prompt_label_guard(&query, &figures, ctl_uuid_view(&move),
                                 prompt_str("why")))
       && pg.rows[PROMPT_LABEL_STATEMENTS - 1].count == 0, "once");

    figures.arm = 1;
    ok(db_run(prompt_label_guard(&query, &figures, ctl_uuid_view(&move),
                                 prompt_str("why")))
       && pg.rows[PROMPT_LABEL_STATEMENTS - 1].count == 0,
       "never of the label's version");

    is_int(set_split(3, NULL, NULL), PROMPT_OUTCOME_DONE, "one version again");
    is_int(unset(&ann, &three, "split"), PROMPT_OUTCOME_DONE, "and none");
    ok(db_script("DROP TABLE before_slots; DELETE FROM prompts"
                 " WHERE name = 'three'"), "it goes");
}


int
main(void)
{
    char                    sql[512];
    prompt_uuid_t           run_id;
    prompt_execution_run_t  run;

    if (!db_begin()) {
        return 0;
    }

    ann = db_user("ann@example.org");
    bob = db_user("bob@example.org");
    one = prompt_of("one", 3);
    two = prompt_of("two", 1);

    ok(db_script("UPDATE prompts SET category = 'SUMMARIZATION'"
                 " WHERE name = 'one'"), "a category");
    ok(as_role(), "as the role with least rights");

    test_set();
    is_int(set(&ann, &two, "x", 1, NULL), PROMPT_OUTCOME_DONE, "of another");
    test_rights();

    run_id = db_uuid();
    memset(&run, 0, sizeof(run));
    run.id = ctl_uuid_view(&run_id);
    run.prompt_id = ctl_uuid_view(&one);
    run.version = 2;
    run.caller = ctl_uuid_view(&ann);
    run.label = prompt_str("production");
    run.input = prompt_str("{}");
    run.timeout_ms = 60000;

    ok(db_run(prompt_execution_start(&query, &run)), "executed by a label");
    is_int(db_number("SELECT count(*) FROM executions"
                     " WHERE label = 'production'"), 1, "which is kept");

    ok(db_script("RESET ROLE"), "as the owner");

    test_history();
    test_ranges();
    test_pages();
    test_version();
    test_target();
    test_split();
    test_remove();

    (void) snprintf(sql, sizeof(sql), "DROP OWNED BY %1$s_role;"
                    " DROP ROLE %1$s_role", db_name);
    ok(db_script(sql), "the role goes");

    db_close();

    return done_testing();
}
