/*
 * "Did you mean …": suggestions by lexical distance, as graphql-js makes them
 * (suggestionList, didYouMean: at most five, nearest first).
 */

#ifndef GQL_SUGGEST_H
#define GQL_SUGGEST_H

#include "graphql/types/schema.h"


/*
 * The text to put behind a message: " Did you mean \"a\", \"b\", or \"c\"?",
 * with sub_message (may be absent) as in graphql-js's second form (" Did you
 * mean the enum value …"); "" where nothing is near, or memory is short.
 * quote: names are put in double quotes (graphql-js does so where it maps
 * them; enum values and types come as its callers do it).
 * errors: the list that the message is for; "" where it is discreet.
 * Options are names of the schema: what is much longer than they are is not
 * compared, so that one call costs some 0.3 ms at most.
 */
prompt_str_t gql_did_you_mean(const gql_errors_t *errors,
    prompt_arena_t *arena, prompt_str_t sub_message, prompt_str_t input,
    const gql_index_t *options);

/* the same from a list that is in its order already (no distance) */
prompt_str_t gql_did_you_mean_list(const gql_errors_t *errors,
    prompt_arena_t *arena, prompt_str_t sub_message, const prompt_str_t *list,
    size_t n);

/*
 * graphql-js's suggestionList: the options near input, nearest first and at
 * most so many of them, in an array of the arena; returns how many.
 */
size_t gql_suggestion_list(prompt_arena_t *arena, prompt_str_t input,
    const gql_index_t *options, size_t most, prompt_str_t **out);

/* graphql-js's naturalCompare, on bytes of names */
int gql_natural_compare(prompt_str_t a, prompt_str_t b);

#endif /* GQL_SUGGEST_H */
