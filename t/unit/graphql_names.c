/*
 * Unit tests of names.c: the one table of names, with names that collide in a
 * hash that everybody knows, and with memory that gives out at each
 * allocation.
 */

#include <stdio.h>

#include "failing_malloc.h"
#include "graphql/syntax/names.h"
#include "tap.h"


#define MANY       5000
#define COLLIDING  400


static void
names(void)
{
    char              *text;
    unsigned           i, found, ordered;
    gql_names_t        table;
    prompt_str_t       name;
    prompt_arena_t    *arena;
    gql_name_entry_t  *entry, *again;

    arena = prompt_arena_create(16 * 1024 * 1024);
    gql_names_init(&table, arena);

    ok(gql_names_find(&table, prompt_str("a")) == NULL, "nothing is found");
    ok(gql_names_find(NULL, prompt_str("a")) == NULL, "nor without a table");

    entry = gql_names_add(&table, prompt_str("a"));
    again = gql_names_add(&table, prompt_str("a"));
    ok(entry != NULL && entry == again, "a name has one entry");
    ok(entry->value == NULL && entry->mark == 0, "which is the caller's");
    ok(gql_names_add(&table, prompt_str("")) != entry, "the empty name, too");
    is_int(table.count, 2, "two names");

    found = 0;

    for (i = 0; i < MANY; i++) {
        text = prompt_arena_alloc(arena, 16);
        name = prompt_str_of(text, (size_t) snprintf(text, 16, "n%u", i));
        entry = gql_names_add(&table, name);
        found += entry != NULL && entry->id == i + 2;
    }

    is_int(found, MANY, "many names are numbered");

    ordered = 0;

    for (entry = table.first; entry != NULL; entry = entry->next) {
        ordered += gql_names_find(&table, entry->name) == entry;
    }

    is_int(ordered, MANY + 2, "and found, in the order of appearance");

    prompt_arena_destroy(arena);
}


static void
values(void)
{
    int              a, b;
    gql_names_t      table;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(64 * 1024);
    gql_names_init(&table, arena);

    ok(gql_names_get(&table, prompt_str("a")) == NULL, "no value at first");

    gql_names_add(&table, prompt_str("a"))->value = &a;
    ok(gql_names_get(&table, prompt_str("a")) == &a, "a value");

    gql_names_add(&table, prompt_str("a"))->value = &b;
    ok(gql_names_get(&table, prompt_str("a")) == &b, "the last one counts");
    is_int(table.count, 1, "of one name");

    prompt_arena_destroy(arena);
}


/* names of all lengths around those that the hash takes at a time */
static void
lengths(void)
{
    size_t            len, i, found;
    gql_names_t       table;
    prompt_arena_t   *arena;

    static const char  text[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    static char  changed[40][40][40];

    arena = prompt_arena_create(1024 * 1024);
    gql_names_init(&table, arena);
    found = 0;

    /* all the same letter, then one other letter at each place */

    for (len = 0; len < 40; len++) {
        found += gql_names_add(&table, prompt_str_of(text, len)) != NULL;

        for (i = 0; i < len; i++) {
            memcpy(changed[len][i], text, len);
            changed[len][i][i] = 'b';
            found += gql_names_add(&table,
                                   prompt_str_of(changed[len][i], len))
                     != NULL;
        }
    }

    is_int(table.count, found, "names of all lengths are told apart");
    is_int(found, 40 + 39 * 40 / 2, "by each of their bytes");

    prompt_arena_destroy(arena);
}


/* the slots between those where names belong and those where they are */
static size_t
displaced(const gql_names_t *table)
{
    size_t    sum;
    uint32_t  i;

    sum = 0;

    for (i = 0; i <= table->mask; i++) {
        if (table->slots[i] != NULL) {
            sum += (i - (uint32_t) table->slots[i]->hash) & table->mask;
        }
    }

    return sum;
}


/* names that a hash without a seed puts into the same slot */
static void
collisions(void)
{
    char              *text;
    size_t             worst, sum;
    unsigned           i, n, found;
    gql_names_t        tables[8];
    prompt_str_t       name;
    prompt_arena_t    *arena;
    gql_name_entry_t  *entry;

    arena = prompt_arena_create(16 * 1024 * 1024);

    for (i = 0; i < 8; i++) {
        gql_names_init(&tables[i], prompt_arena_create(1024 * 1024));
    }

    text = prompt_arena_alloc(arena, 8);
    n = 0;
    found = 0;

    for (i = 0; i < 4000000 && n < COLLIDING; i++) {
        name = prompt_str_of(text, (size_t) snprintf(text, 8, "%x", i));

        if ((prompt_str_hash(name) & 0xfff) == 1) {
            found += gql_names_add(&tables[n % 8], name) != NULL;
            text = prompt_arena_alloc(arena, 8);
            n++;
        }
    }

    is_int(n, COLLIDING, "names that collide elsewhere");
    is_int(found, COLLIDING, "are taken");

    /* the same names in tables of eight seeds: none makes them collide */

    for (i = 1; i < 8; i++) {
        for (entry = tables[i].first; entry != NULL; entry = entry->next) {
            found += gql_names_add(&tables[0], entry->name) != NULL;
        }
    }

    for (entry = tables[0].first; entry != NULL; entry = entry->next) {
        for (i = 1; i < 8; i++) {
            found += gql_names_add(&tables[i], entry->name) != NULL;
        }
    }

    worst = 0;

    for (i = 0; i < 8; i++) {
        sum = displaced(&tables[i]);
        worst = sum > worst ? sum : worst;
    }

    is_int(tables[7].count, COLLIDING, "all of them, in each table");
    ok(worst < 4 * COLLIDING, "and are where they belong, or near");

    for (i = 0; i < 8; i++) {
        prompt_arena_destroy(tables[i].arena);
    }

    prompt_arena_destroy(arena);
}


/* how many of the names are in; what is in was found again */
static unsigned
fill(gql_names_t *table, char (*texts)[8], unsigned n)
{
    unsigned      i, k;
    prompt_str_t  name;

    for (i = 0; i < n; i++) {
        name = prompt_str_of(texts[i],
                             (size_t) snprintf(texts[i], 8, "%u", i));

        if (gql_names_add(table, name) == NULL) {
            break;
        }
    }

    for (k = 0; k < i; k++) {
        if (gql_names_find(table, prompt_str_from(texts[k])) == NULL) {
            return n + 1;
        }
    }

    return table->count == i ? i : n + 1;
}


static void
memory(void)
{
    unsigned         filled, failed, wrong;
    gql_names_t      table;
    prompt_arena_t  *arena;

    static char  texts[2000][8];

    failed = 0;
    wrong = 0;

    do {
        failing_malloc_reset(++failed);
        arena = prompt_arena_create(1024 * 1024);
        gql_names_init(&table, arena);
        filled = arena != NULL ? fill(&table, texts, 2000) : 0;
        failing_malloc_reset(0);

        prompt_arena_destroy(arena);
        wrong += filled > 2000;

    } while (filled < 2000);

    ok(failed > 5 || !failing_malloc_works(),
       "memory gives out at each allocation");
    is_int(wrong, 0, "and the table is as it was before");

    arena = prompt_arena_create(16 * 1024);
    gql_names_init(&table, arena);
    filled = fill(&table, texts, 2000);
    ok(filled > 0 && filled < 2000, "the same at the limit of an arena");
    prompt_arena_destroy(arena);
}


int
main(void)
{
    names();
    values();
    lengths();
    collisions();
    memory();

    return done_testing();
}
