/*
 * Members of an object in the order of their names: heap sort, whose worst
 * case is as good as any.
 *
 * Where only equal names are looked for, a hash table is some times as fast.
 * Its hash begins with an address, which differs from process to process and
 * is shown to nobody; and should names collide all the same, or memory be
 * short, they are sorted.
 */

#include "base/json_members.h"

#include "base/bisect.h"

#include <stdlib.h>


/* as many are compared each with each */
#define PROMPT_JSON_FEW      12

/* slots that are looked at for each name, on average, before it is sorted */
#define PROMPT_JSON_PATIENCE  8


/* a member in the hash table */
typedef struct {
    uint32_t  hash;
    uint32_t  member;                /* its number from 1; 0: free */
} prompt_json_slot_t;


/* shorter first: most names differ by that, without a look at their bytes */
static int
prompt_json_members_name_cmp(prompt_str_t a, prompt_str_t b)
{
    if (a.len != b.len) {
        return a.len < b.len ? -1 : 1;
    }

    return a.len != 0 ? memcmp(a.data, b.data, a.len) : 0;
}


int
prompt_json_members_cmp(const prompt_json_member_t *a,
    const prompt_json_member_t *b)
{
    int  rc;

    rc = prompt_json_members_name_cmp(a->value->name, b->value->name);

    if (rc == 0 && a->offset != b->offset) {
        rc = a->offset < b->offset ? -1 : 1;
    }

    return rc;
}


/* Lets members[i] sink to its place in the heap of n. */
static void
prompt_json_members_sink(prompt_json_member_t *members, size_t i, size_t n)
{
    size_t                child;
    prompt_json_member_t  moved;

    moved = members[i];

    while ((child = 2 * i + 1) < n) {
        if (child + 1 < n
            && prompt_json_members_cmp(&members[child], &members[child + 1])
               < 0)
        {
            child++;
        }

        if (prompt_json_members_cmp(&moved, &members[child]) >= 0) {
            break;
        }

        members[i] = members[child];
        i = child;
    }

    members[i] = moved;
}


void
prompt_json_members_sort(prompt_json_member_t *members, size_t n)
{
    size_t                i;
    prompt_json_member_t  last;

    for (i = n / 2; i != 0; i--) {
        prompt_json_members_sink(members, i - 1, n);
    }

    for (i = n; i > 1; i--) {
        last = members[i - 1];
        members[i - 1] = members[0];
        members[0] = last;
        prompt_json_members_sink(members, 0, i - 1);
    }
}


void
prompt_json_members_of(const prompt_json_t *object,
    prompt_json_member_t *members)
{
    size_t                i;
    const prompt_json_t  *member;

    i = 0;

    for (member = object->first; member != NULL; member = member->next) {
        members[i].value = member;
        members[i].offset = i;
        i++;
    }

    prompt_json_members_sort(members, i);
}


static const prompt_json_member_t *
prompt_json_members_twice_few(const prompt_json_member_t *members, size_t n)
{
    size_t  i, k;

    for (i = 1; i < n; i++) {
        for (k = 0; k < i; k++) {
            if (prompt_str_eq(members[i].value->name, members[k].value->name))
            {
                return &members[i];
            }
        }
    }

    return NULL;
}


static const prompt_json_member_t *
prompt_json_members_twice_sorted(prompt_json_member_t *members, size_t n)
{
    size_t                       i;
    const prompt_json_member_t  *found;

    prompt_json_members_sort(members, n);
    found = NULL;

    for (i = 1; i < n; i++) {
        if (prompt_str_eq(members[i].value->name, members[i - 1].value->name)
            && (found == NULL || members[i].offset < found->offset))
        {
            found = &members[i];
        }
    }

    return found;
}


/* false: out of patience */
static bool
prompt_json_members_twice_hashed(const prompt_json_member_t *members, size_t n,
    prompt_json_slot_t *slots, size_t mask,
    const prompt_json_member_t **found)
{
    size_t    i, k, patience;
    uint64_t  hash;

    patience = n * PROMPT_JSON_PATIENCE;

    for (i = 0; i < n; i++) {
        hash = members[i].hash;

        for (k = hash & mask; slots[k].member != 0; k = (k + 1) & mask) {

            if (patience-- == 0) {
                return false;
            }

            if (slots[k].hash == (uint32_t) (hash >> 32)
                && prompt_str_eq(members[slots[k].member - 1].value->name,
                                 members[i].value->name))
            {
                *found = &members[i];
                return true;
            }
        }

        slots[k].hash = (uint32_t) (hash >> 32);
        slots[k].member = (uint32_t) i + 1;
    }

    return true;
}


const prompt_json_member_t *
prompt_json_members_twice(prompt_json_member_t *members, size_t n)
{
    bool                         done;
    size_t                       size;
    prompt_json_slot_t          *slots;
    const prompt_json_member_t  *found;

    if (n <= PROMPT_JSON_FEW) {
        return prompt_json_members_twice_few(members, n);
    }

    for (size = 32; size < 2 * n; size *= 2) { /* void */ }

    slots = n < UINT32_MAX / 4 ? calloc(size, sizeof(prompt_json_slot_t))
                               : NULL;
    if (slots == NULL) {
        return prompt_json_members_twice_sorted(members, n);
    }

    found = NULL;
    done = prompt_json_members_twice_hashed(members, n, slots, size - 1,
                                            &found);
    free(slots);

    return done ? found : prompt_json_members_twice_sorted(members, n);
}


const prompt_json_member_t *
prompt_json_members_find(const prompt_json_member_t *members, size_t n,
    prompt_str_t name)
{
    size_t  low, high, middle;

    low = 0;
    high = n;
    prompt_bisect(low, high, middle,
                  prompt_json_members_name_cmp(members[middle].value->name,
                                               name) < 0);

    return low < n && prompt_str_eq(members[low].value->name, name)
           ? &members[low] : NULL;
}
