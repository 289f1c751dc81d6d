/*
 * Targets that are kept: found by what was asked for, by those who may know of
 * them; bounded, alive while somebody has them.
 */

#include "tap.h"
#include "failing_malloc.h"

#include "store/target_cache.h"


#define DEPTH  64


static prompt_str_t
id_of(unsigned n)
{
    static char  ids[256][PROMPT_UUID_LEN];

    memset(ids[n], (int) n, PROMPT_UUID_LEN);

    return prompt_str_of(ids[n], PROMPT_UUID_LEN);
}


static prompt_target_question_t
question_of(unsigned prompt, int version, const char *label)
{
    prompt_target_question_t  question;

    question.prompt_id = id_of(prompt);
    question.name = prompt_str_absent;
    question.version = version != 0 ? prompt_maybe(version)
                                    : prompt_maybe_unknown;
    question.or_latest = false;
    question.draft = NULL;
    question.subject = prompt_str_absent;
    question.label = label != NULL ? prompt_str_from(label)
                                   : prompt_str_absent;

    return question;
}


/* a version of that owner's; NULL: memory */
static prompt_target_t *
target_of(unsigned owner, int version, prompt_str_t content)
{
    prompt_json_error_t        error;
    prompt_execution_target_t  row;

    memset(&row, 0, sizeof(row));

    row.owner_id = id_of(owner);
    row.updated_at = 1000 * version;
    row.version = version;
    row.content = content;
    row.params = prompt_str("{\"model\": \"m\"}");
    row.messages = prompt_str("[]");

    return prompt_target_create(&row, DEPTH, &error);
}


static void
put(prompt_target_cache_t *cache, const prompt_target_question_t *question,
    unsigned caller, prompt_target_t *target, uint64_t now)
{
    prompt_target_cache_put(cache, question, id_of(caller), target, now);
    prompt_target_release(target);
}


/* the version that is found, 0: none */
static int
found(prompt_target_cache_t *cache, const prompt_target_question_t *question,
    unsigned caller, uint64_t now)
{
    int               version;
    prompt_target_t  *target;

    target = prompt_target_cache_find(cache, question, id_of(caller), now);
    version = target != NULL ? target->row.version : 0;
    prompt_target_release(target);

    return version;
}


static void
test_create(void)
{
    char                       params[16], deep[200];
    prompt_target_t           *target;
    prompt_json_error_t        error;
    prompt_execution_target_t  row;

    memset(&row, 0, sizeof(row));
    memcpy(params, "{\"a\": [1.10]}", 14);

    row.owner_id = id_of(1);
    row.updated_at = 1893456000123456;
    row.version = 7;
    row.content = prompt_str("");
    row.params = prompt_str_from(params);

    target = prompt_target_create(&row, DEPTH, &error);
    ok(target != NULL, "a target");
    memset(params, 'x', sizeof(params));

    is_int(target->row.version, 7, "its version");
    is_int(target->row.updated_at, 1893456000123456, "its prompt's time");
    ok(target->row.content.data != NULL && target->row.content.len == 0,
       "its content, which is empty");
    is_str(prompt_json_at(prompt_json_get(target->params, prompt_str("a")),
                          0)->text, "1.10", "its params, copied");
    ok(target->schema == NULL && target->messages == NULL, "what it has not");
    prompt_target_release(target);
    prompt_target_release(NULL);

    row.params = prompt_str("{");
    ok(prompt_target_create(&row, DEPTH, &error) == NULL
       && error.status == PROMPT_JSON_SYNTAX, "what is no JSON");

    memset(deep, '[', 100);
    memset(deep + 100, ']', 100);
    row.params = prompt_str("{}");
    row.messages = prompt_str_of(deep, sizeof(deep));
    ok(prompt_target_create(&row, DEPTH, &error) == NULL
       && error.status == PROMPT_JSON_DEPTH, "what is nested too deep");
}


static void
test_find(void)
{
    prompt_target_t              *target;
    prompt_target_cache_t        *cache;
    prompt_target_question_t      latest, two, stable, other;
    prompt_target_cache_stats_t   stats;

    cache = prompt_target_cache_create(1 << 20);
    latest = question_of(1, 0, NULL);
    two = question_of(1, 2, NULL);
    stable = question_of(1, 0, "stable");
    other = question_of(2, 0, NULL);

    is_int(found(cache, &latest, 9, 0), 0, "nothing yet");

    put(cache, &latest, 9, target_of(9, 3, prompt_str("x")), 1000);
    put(cache, &two, 9, target_of(9, 2, prompt_str("x")), 1000);
    put(cache, &stable, 9, target_of(9, 1, prompt_str("x")), 1000);

    is_int(found(cache, &latest, 9, 1000), 3, "the latest");
    is_int(found(cache, &two, 9, 1000), 2, "one by its number");
    is_int(found(cache, &stable, 9, 1000), 1, "one by its label");
    is_int(found(cache, &other, 9, 1000), 0, "of another prompt none");
    two = question_of(1, 3, NULL);
    is_int(found(cache, &two, 9, 1000), 0, "by another number none");
    stable = question_of(1, 0, "stabl");
    is_int(found(cache, &stable, 9, 1000), 0, "by another label none");
    stable = question_of(1, 0, "");
    is_int(found(cache, &stable, 9, 1000), 0, "nor by an empty one");

    is_int(found(cache, &latest, 8, 1000), 0, "nobody else finds it");
    put(cache, &latest, 8, target_of(9, 3, prompt_str("x")), 2000);
    is_int(found(cache, &latest, 8, 2000), 3, "but who was allowed to");
    is_int(found(cache, &latest, 7, 2000), 3, "then others, too");
    is_int(found(cache, &latest, 9, 2000), 3, "and its owner");
    put(cache, &latest, 9, target_of(9, 4, prompt_str("x")), 3000);
    is_int(found(cache, &latest, 8, 3000), 0, "until it is another");
    is_int(found(cache, &latest, 9, 3000), 4, "which its owner knows");

    is_int(found(cache, &latest, 9, 3000 + PROMPT_TARGET_TIME - 1), 4,
           "it is kept so long");
    is_int(found(cache, &latest, 9, 3000 + PROMPT_TARGET_TIME), 0,
           "and no longer");

    target = prompt_target_cache_find(cache, &latest, id_of(9), 3000);
    prompt_target_forget(target);
    is_int(found(cache, &latest, 9, 3000), 0, "it is forgotten");
    prompt_target_forget(target);
    is_str(target->row.content, "x", "and lives on");
    prompt_target_cache_stats(cache, &stats);
    prompt_target_cache_destroy(cache);
    is_int(target->row.version, 4, "longer than the cache");
    prompt_target_release(target);

    is_int(stats.hits, 9, "what was found is counted");
    is_int(stats.misses, 9, "and what was not");

    latest.prompt_id.len--;
    cache = prompt_target_cache_create(1 << 20);
    put(cache, &latest, 9, target_of(9, 1, prompt_str("x")), 0);
    is_int(found(cache, &latest, 9, 0), 0, "what is no id is not kept");
    prompt_target_cache_destroy(cache);
    prompt_target_cache_destroy(NULL);
}


/* a version of a split, as it was set at that time */
static prompt_target_t *
arm_of(int version, int64_t set_at)
{
    static char  slots[] = { 0, 1 };

    prompt_json_error_t        error;
    prompt_execution_target_t  row;

    memset(&row, 0, sizeof(row));

    row.owner_id = id_of(9);
    row.version = version;
    row.content = prompt_str("x");
    row.params = prompt_str("{}");
    row.set_at = prompt_maybe(set_at);
    row.split = prompt_str("[{\"version\":1},{\"version\":2}]");
    row.salt = id_of(7);
    row.slots = prompt_str_of(slots, sizeof(slots));

    return prompt_target_create(&row, DEPTH, &error);
}


/* the version of a split that is found beside the one that answers */
static int
arm(prompt_target_cache_t *cache, const prompt_target_question_t *question,
    int version)
{
    int               found;
    prompt_target_t  *target;

    target = prompt_target_cache_find(cache, question, id_of(9), 0);

    if (target != NULL && target->row.version != version) {
        target = prompt_target_cache_arm(cache, target, question, version,
                                         id_of(9), 0);
    }

    found = target != NULL ? target->row.version : 0;
    prompt_target_release(target);

    return found;
}


/* versions of a split stand beside each other, while it is the same split */
static void
test_split(void)
{
    prompt_target_t              *target;
    prompt_target_cache_t        *cache;
    prompt_target_question_t      label;
    prompt_target_cache_stats_t   stats;

    cache = prompt_target_cache_create(1 << 20);
    label = question_of(1, 0, "stable");

    target = arm_of(1, 100);
    ok(target != NULL && target->split != NULL && target->row.slots.len == 2,
       "a version of a split, and which others there are");
    put(cache, &label, 9, target, 0);

    is_int(arm(cache, &label, 1), 1, "it answers");
    is_int(arm(cache, &label, 2), 0, "the other one is not there");

    put(cache, &label, 9, arm_of(2, 100), 0);
    is_int(arm(cache, &label, 1), 1, "they stand");
    is_int(arm(cache, &label, 2), 2, "beside each other");

    put(cache, &label, 9, arm_of(2, 100), 0);
    is_int(arm(cache, &label, 2), 2, "read once more it takes its own place");
    is_int(arm(cache, &label, 1), 1, "and no other");

    prompt_target_cache_stats(cache, &stats);
    is_int(stats.hits, 5, "one hit a question");
    is_int(stats.misses, 1, "and one miss");

    put(cache, &label, 9, arm_of(1, 200), 0);
    is_int(arm(cache, &label, 1), 1, "where it was set anew, it answers");
    is_int(arm(cache, &label, 2), 0, "and that of before does not");
    put(cache, &label, 9, arm_of(2, 200), 0);
    is_int(arm(cache, &label, 2), 2, "until it is read");

    prompt_target_cache_destroy(cache);
}


static void
test_bounds(void)
{
    unsigned                   n, kept;
    prompt_target_t           *first;
    prompt_target_cache_t     *cache;
    prompt_target_question_t   question;

    static char  large[PROMPT_TARGET_BYTES];

    memset(large, 'x', sizeof(large));

    cache = prompt_target_cache_create(1 << 20);
    question = question_of(0, 0, NULL);

    put(cache, &question, 9, target_of(9, 1, prompt_str("x")), 0);
    put(cache, &question, 9,
        target_of(9, 2, prompt_str_of(large, sizeof(large))), 0);
    is_int(found(cache, &question, 9, 0), 0,
           "one that is too large is not kept, nor the one before it");

    put(cache, &question, 9, target_of(9, 1, prompt_str("x")), 0);
    first = prompt_target_cache_find(cache, &question, id_of(9), 0);

    for (n = 1; n < 200; n++) {
        question = question_of(n, 0, NULL);
        put(cache, &question, 9,
            target_of(9, 1, prompt_str_of(large, 20000)), 0);
        question = question_of(1, 0, NULL);
        (void) found(cache, &question, 9, 0);
    }

    for (n = 0, kept = 0; n < 200; n++) {
        question = question_of(n, 0, NULL);
        kept += found(cache, &question, 9, 0) != 0;
    }

    ok(kept > 20 && kept < (1 << 20) / 20000, "as many as there is room for");
    question = question_of(0, 0, NULL);
    is_int(found(cache, &question, 9, 0), 0, "the first fell out");
    is_str(first->row.content, "x", "who has it has it still");
    prompt_target_release(first);
    question = question_of(1, 0, NULL);
    is_int(found(cache, &question, 9, 0), 1, "what was asked for is there");
    question = question_of(199, 0, NULL);
    is_int(found(cache, &question, 9, 0), 1, "and the last");

    prompt_target_cache_clear(cache);
    is_int(found(cache, &question, 9, 0), 0, "until it is cleared");

    prompt_target_cache_destroy(cache);
}


static void
test_memory(void)
{
    unsigned long              at;
    prompt_target_t           *target;
    prompt_target_cache_t     *cache;
    prompt_target_question_t   question;

    if (!failing_malloc_works()) {
        skip(1, "malloc is not ours");
        return;
    }

    question = question_of(1, 0, "stable");
    at = 0;

    do {
        failing_malloc_reset(++at);
        cache = prompt_target_cache_create(1 << 20);
        target = target_of(9, 1, prompt_str("x"));

        if (cache != NULL && target != NULL) {
            put(cache, &question, 9, target, 0);
            target = prompt_target_cache_find(cache, &question, id_of(9), 0);
        }

        prompt_target_release(target);
        prompt_target_cache_destroy(cache);

    } while (failing_malloc_blocks <= 1 && failing_malloc_count >= at);

    /* an arena's first block is spare now */

    at = failing_malloc_blocks <= 1 ? at : 0;
    failing_malloc_reset(0);

    ok(at > 3, "each allocation fails once, nothing is lost");
}


int
main(void)
{
    test_memory();
    test_create();
    test_find();
    test_split();
    test_bounds();

    return done_testing();
}
