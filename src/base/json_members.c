/*
 * Members of an object in the order of their names: heap sort, whose worst
 * case is as good as any.
 */

#include "base/json_members.h"


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


const prompt_json_member_t *
prompt_json_members_find(const prompt_json_member_t *members, size_t n,
    prompt_str_t name)
{
    int     rc;
    size_t  low, high, middle;

    low = 0;
    high = n;

    while (low < high) {
        middle = low + (high - low) / 2;
        rc = prompt_json_members_name_cmp(name, members[middle].value->name);

        if (rc == 0) {
            return &members[middle];
        }

        if (rc < 0) {
            high = middle;

        } else {
            low = middle + 1;
        }
    }

    return NULL;
}
