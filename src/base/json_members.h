/*
 * Members of an object, for those who must find equal ones in less than
 * quadratic time, whatever names a sender chose.
 */

#ifndef PROMPT_BASE_JSON_MEMBERS_H
#define PROMPT_BASE_JSON_MEMBERS_H

#include "base/json.h"


typedef struct {
    const prompt_json_t  *value;
    size_t                offset;    /* of the name, or any number: the order
                                        among equal names */
    uint64_t              hash;      /* for prompt_json_members_twice():
                                        prompt_str_hash_seeded() */
} prompt_json_member_t;


/* Sorts n members in place, in n log n steps; no allocation, no recursion. */
void prompt_json_members_sort(prompt_json_member_t *members, size_t n);

/* Fills members with those of an object, sorted; offset: their number. */
void prompt_json_members_of(const prompt_json_t *object,
    prompt_json_member_t *members);

/* by name (the order is no particular one), then by offset */
int prompt_json_members_cmp(const prompt_json_member_t *a,
    const prompt_json_member_t *b);

/*
 * The first of n members, which come in the order of their offsets and have
 * the hashes of their names, whose name an earlier one has; NULL: there is
 * none.  The order may be lost.
 */
const prompt_json_member_t *prompt_json_members_twice(
    prompt_json_member_t *members, size_t n) PROMPT_WARN_UNUSED;

/* The one of that name in sorted members, or NULL. */
const prompt_json_member_t *prompt_json_members_find(
    const prompt_json_member_t *members, size_t n, prompt_str_t name);

#endif /* PROMPT_BASE_JSON_MEMBERS_H */
