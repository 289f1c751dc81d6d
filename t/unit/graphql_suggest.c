/*
 * Suggestions: which names are near, in which order, and how it is said.
 */

#include "graphql/types/suggest.h"
#include "tap.h"


#define ARENA  (1 << 20)

#define count(array)  (sizeof(array) / sizeof((array)[0]))


/* the list that messages are for: only its discretion is looked at */
static gql_errors_t  errors;


typedef struct {
    const char  *input;
    const char  *options[6];         /* up to NULL */
    const char  *near[6];
} suggest_case_t;


static const suggest_case_t  cases[] = {
    { "", { "a" }, { "a" } },
    { "input", { NULL }, { NULL } },
    { "greenish", { "green" }, { "green" } },
    { "green", { "greenish" }, { "greenish" } },
    { "verylongstring", { "VERYLONGSTRING" }, { "VERYLONGSTRING" } },
    { "VERYLONGSTRING", { "VeryLongString" }, { "VeryLongString" } },
    { "verylongstring", { "VERYLENGTHSTRING" }, { "VERYLENGTHSTRING" } },
    { "a", { "", "b", "aa", "ab", "abc" }, { "", "aa", "ab", "b" } },
    { "abc", { "a", "ab", "abc", "abcd" }, { "abc", "ab", "abcd", "a" } },
    { "GraphQl", { "graphics", "SQL", "GraphQL", "quarks", "mark" },
      { "GraphQL", "graphics" } },
    { "abc", { "ax", "ay", "az", "a" }, { "a", "ax", "ay", "az" } },
    { "agr", { "tar", "arg" }, { "arg", "tar" } },
    { "214365879", { "123456789" }, { "123456789" } },
    { "ab", { "ba", "AB" }, { "AB", "ba" } },
    { "field", { "field10", "field9", "field1" },
      { "field1", "field9", "field10" } },
    { "a", { "b", "b" }, { "b" } },
    { "na\xc3\x8fve", { "na\xc3\xafve" }, { "na\xc3\xafve" } }
};


/* names as options; the last call's are those that are valid */
static const gql_index_t *
options_of(const prompt_str_t *names, size_t n)
{
    size_t                      i;
    static gql_index_t          index;
    static const prompt_str_t  *pointers[256];

    for (i = 0; i < n; i++) {
        pointers[i] = &names[i];
    }

    index.names = pointers;
    index.count = (uint32_t) n;

    return &index;
}


static void
test_lists(void)
{
    bool             same;
    char             name[128];
    size_t           i, j, n, noptions;
    prompt_str_t     options[6], *near;
    prompt_arena_t  *arena;

    for (i = 0; i < count(cases); i++) {
        arena = prompt_arena_create(ARENA);

        for (noptions = 0;
             noptions < 6 && cases[i].options[noptions] != NULL;
             noptions++)
        {
            options[noptions] = prompt_str_from(cases[i].options[noptions]);
        }

        n = gql_suggestion_list(arena,
                                prompt_str_from(cases[i].input),
                                options_of(options, noptions), 6, &near);
        same = true;

        for (j = 0; j < n && same; j++) {
            same = cases[i].near[j] != NULL
                   && prompt_str_eq(near[j],
                                    prompt_str_from(cases[i].near[j]));
        }

        same = same && (n == 6 || cases[i].near[n] == NULL);

        snprintf(name, sizeof(name), "near \"%s\" (%zu)", cases[i].input, i);
        ok(same, name);

        prompt_arena_destroy(arena);
    }
}


static void
test_words(void)
{
    prompt_arena_t            *arena;
    static const prompt_str_t  list[] = {
        prompt_str_init("A"), prompt_str_init("B"), prompt_str_init("C"),
        prompt_str_init("D"), prompt_str_init("E"), prompt_str_init("F")
    };

    arena = prompt_arena_create(ARENA);

    is_str(gql_did_you_mean_list(&errors, arena, prompt_str_absent, list, 0),
           "", "none");
    is_str(gql_did_you_mean_list(&errors, arena, prompt_str_absent, list, 1),
           " Did you mean \"A\"?", "one");
    is_str(gql_did_you_mean_list(&errors, arena, prompt_str_absent, list, 2),
           " Did you mean \"A\" or \"B\"?", "two");
    is_str(gql_did_you_mean_list(&errors, arena, prompt_str_absent, list, 3),
           " Did you mean \"A\", \"B\", or \"C\"?", "three");
    is_str(gql_did_you_mean_list(&errors, arena, prompt_str_absent, list, 6),
           " Did you mean \"A\", \"B\", \"C\", \"D\", or \"E\"?", "six");
    is_str(gql_did_you_mean_list(&errors, arena, prompt_str("the letter"),
                                 list, 1),
           " Did you mean the letter \"A\"?", "with a word before");
    is_str(gql_did_you_mean(&errors, arena, prompt_str_absent,
                            prompt_str("a"), options_of(list, count(list))),
           " Did you mean \"A\", \"B\", \"C\", \"D\", or \"E\"?",
           "by distance");

    errors.discreet = true;

    is_str(gql_did_you_mean_list(&errors, arena, prompt_str_absent, list, 2),
           "", "nothing in a discreet list");
    is_str(gql_did_you_mean(&errors, arena, prompt_str_absent,
                            prompt_str("a"), options_of(list, count(list))),
           "", "nor by distance");

    errors.discreet = false;

    prompt_arena_destroy(arena);
}


static int
sign(int n)
{
    return (n > 0) - (n < 0);
}


static void
test_order(void)
{
    size_t  i;

    static const struct {
        const char  *a;
        const char  *b;
        int          order;
    } pairs[] = {
        { "", "", 0 }, { "", "a", -1 }, { "a", "a", 0 }, { "a", "A", 1 },
        { "9", "10", -1 }, { "a9", "a10", -1 }, { "a01", "a1", -1 },
        { "a1b2", "a1b10", -1 }, { "aa", "a", 1 }, { "a0", "a00", -1 },
        { "a2", "ab", -1 }, { "20a", "20b", -1 }
    };

    for (i = 0; i < count(pairs); i++) {
        is_int(sign(gql_natural_compare(prompt_str_from(pairs[i].a),
                                        prompt_str_from(pairs[i].b))),
               pairs[i].order, pairs[i].b);
        is_int(sign(gql_natural_compare(prompt_str_from(pairs[i].b),
                                        prompt_str_from(pairs[i].a))),
               -pairs[i].order, "  and the other way round");
    }
}


/* however many are near, the nearest are those that all would begin with */
static void
test_most(void)
{
    char             names[200][8];
    bool             same;
    size_t           i, most, n, all;
    prompt_str_t     options[200], *near, *some;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(1 << 20);

    for (i = 0; i < 200; i++) {
        (void) snprintf(names[i], sizeof(names[i]), "%sab%zu",
                        i % 3 == 0 ? "x" : "", i * 7 % 100);
        options[i] = prompt_str_from(names[i]);
    }

    all = gql_suggestion_list(arena, prompt_str("ab1"),
                              options_of(options, 200), 200, &near);
    ok(all > 20 && all < 200, "many are near, some of them twice");

    for (most = 0; most < 20; most++) {
        n = gql_suggestion_list(arena, prompt_str("ab1"),
                                options_of(options, 200), most, &some);
        same = (n == most);

        for (i = 0; same && i < n; i++) {
            same = prompt_str_eq(some[i], near[i]);
        }

        ok(same, "the nearest of them");
    }

    prompt_arena_destroy(arena);
}


static void
test_bounds(void)
{
    bool             fine;
    size_t           limit;
    prompt_str_t     said, *near;
    prompt_arena_t  *arena;
    static char      large[1 << 20];

    static const prompt_str_t  list[] = {
        prompt_str_init("prompts"), prompt_str_init("prompt")
    };

    memset(large, 'a', sizeof(large));
    arena = prompt_arena_create(4096);

    is_int(gql_suggestion_list(arena,
                               prompt_str_of(large, sizeof(large)),
                               options_of(list, 2), 5, &near), 0,
           "a name of a MiB");
    ok(!prompt_arena_exhausted(arena), "  is not worth its memory");

    prompt_arena_destroy(arena);

    fine = true;

    for (limit = 16; limit < 4096; limit += 16) {
        arena = prompt_arena_create(limit);
        if (arena == NULL) {
            continue;
        }

        said = gql_did_you_mean(&errors, arena, prompt_str_absent,
                                prompt_str("promts"), options_of(list, 2));
        fine = fine && (said.len == 0
                        || prompt_str_eq(said,
                               prompt_str(" Did you mean \"prompts\" or "
                                          "\"prompt\"?")));
        prompt_arena_destroy(arena);
    }

    ok(fine, "short memory: nothing, or all of it");
}


int
main(void)
{
    test_lists();
    test_words();
    test_order();
    test_most();
    test_bounds();

    return done_testing();
}
